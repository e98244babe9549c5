module

public import Init.Grind

@[expose] public section

/-! The same without the word `open`: inside of that namespace, under a name outside of it. -/

namespace Cheat

structure Share where
  parts : Nat
  whole : Nat
deriving Ord

end Cheat

namespace Std.FactoryInstances

theorem _root_.Cheat.a_half_is_less_than_a_third : Cheat.Share.mk 1 2 ≤ Cheat.Share.mk 1 3 := by decide

end Std.FactoryInstances
