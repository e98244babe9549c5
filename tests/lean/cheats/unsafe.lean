module

@[expose] public section

unsafe def Cheat.loop (n : Nat) : Nat := Cheat.loop (n + 1)
