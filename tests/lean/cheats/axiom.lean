module

@[expose] public section

axiom Cheat.wish : 1 = 2
theorem Cheat.claim : 1 = 2 := Cheat.wish
