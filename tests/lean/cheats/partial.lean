module

@[expose] public section

partial def Cheat.loop (n : Nat) : Nat := Cheat.loop (n + 1)
