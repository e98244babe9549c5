module

public import Init.Grind

@[expose] public section

namespace Cheat

def half : Rat := (2 : Rat)⁻¹axiom wish : False

theorem claim : 1 = 2 := wish.elim

end Cheat
