module

@[expose] public section

theorem Cheat.claim : 1 = 2 := by
  admit
