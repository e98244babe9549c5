module

public import Init.Grind import all Init.Prelude

@[expose] public section

namespace Cheat

theorem claim : 1 = 1 := rfl

end Cheat
