module

@[expose] public section

opaque Cheat.hidden : Nat
