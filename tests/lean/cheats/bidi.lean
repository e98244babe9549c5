module

@[expose] public section

namespace Cheat

/- below: ‮ a bound -/
theorem claim : 1 = 1 := rfl

end Cheat
