module

public import Lean

@[expose] public section

