module

@[expose] public section

namespace Cheat

def zero : Nat := 0set_option debug.skipKernelTC true

end Cheat
