module

@[expose] public section

initialize pure ()
