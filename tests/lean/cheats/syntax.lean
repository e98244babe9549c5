module

@[expose] public section

syntax "cheat" : term
