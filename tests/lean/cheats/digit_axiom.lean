module

@[expose] public section

namespace Cheat

def zero : Nat := 0axiom wish : False

theorem claim : 1 = 2 := wish.elim

end Cheat
