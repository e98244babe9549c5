module

public meta import Lean.Elab.Command

@[expose] public section

run_cmd pure ()
