module

@[expose] public section

namespace Cheat

-- one​two
theorem claim : 1 = 1 := rfl

end Cheat
