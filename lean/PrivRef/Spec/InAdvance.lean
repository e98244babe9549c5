module

public import PrivRef.Spec.Group

/-!
Bounded ranges whose mechanisms are chosen in advance.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The mechanisms are chosen in advance: no round depends on what was seen, and there are no
coins. -/
def RangeAdversary.InAdvance {X : ExpLike A K} : {l : List A} → RangeAdversary.{u} X l → Prop
  | _, .stop => True
  | _, .coin _ _ _ _ => False
  | _, .round _ next => (∀ o, (next o).InAdvance) ∧ ∀ o o', next o = next o'

/-- The intervals are chosen in advance. -/
def RangePlan.InAdvance {X : ExpLike A K} : {l : List A} → RangePlan X l → Prop
  | _, .done => True
  | _, .play _ _ _ first second => first = second ∧ first.InAdvance

end PrivRef
