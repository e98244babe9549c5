module

public import Init.Grind

@[expose] public section

/-! The error is expected, and the false theorem stays. -/

namespace Cheat

#guard_msgs (drop error) in
theorem claim : 2 + 2 = 5 := by decide

end Cheat
