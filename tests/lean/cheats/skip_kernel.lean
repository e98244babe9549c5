module

@[expose] public section

set_option debug.skipKernelTC true in
theorem Cheat.claim : 1 = 1 := rfl
