module

public import Init.Grind public import Lean

@[expose] public section

namespace Cheat

theorem claim : 1 = 1 := rfl

end Cheat
