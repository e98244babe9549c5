module

public import Init.Grind

@[expose] public section

/-! An order that Lean derives field by field, put to use as `≤` by opening a namespace of Lean's own. -/

namespace Cheat

structure Share where
  parts : Nat
  whole : Nat
deriving Ord

open Std.FactoryInstances

theorem a_half_is_less_than_a_third : Share.mk 1 2 ≤ Share.mk 1 3 := by decide

end Cheat
