module

public meta import Lean.Elab.Command

@[expose] public section

elab "cheat" : command => pure ()
