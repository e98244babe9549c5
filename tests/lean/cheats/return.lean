module

-- a commentimport Init.Grind

@[expose] public section

namespace Cheat

theorem claim : 1 = 1 := rfl

end Cheat
