module

@[expose] public section

theorem Cheat.claim : 2 ^ 10 = 1024 := by
  native_decide
