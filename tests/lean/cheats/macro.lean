module

@[expose] public section

macro "cheat" : term => `(0)
theorem Cheat.claim : cheat = 0 := rfl
