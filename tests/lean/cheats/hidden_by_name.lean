module

@[expose] public section

theorem Cheat.«"» : True := trivial
set_option debug.skipKernelTC true in
theorem Cheat.wish : (1 : Nat) = 2 := by decide +kernel
theorem Cheat.claim : False := absurd Cheat.wish (by decide)
theorem Cheat.«" » : True := trivial
