/-
Games in which every function is admissible, as with finite (or countable) laws: no measurability
hypothesis is left.
-/
module

public import PrivRef.Spec.Game

@[expose] public noncomputable section

set_option linter.unusedSectionVars false

namespace PrivRef

universe u a b k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {B : Type b} [Lean.Grind.IntModule B] [LE B] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- Every function is admissible, as for `Tests.all`. -/
def Tests.Discrete {O : Type u} (T : Tests K O) : Prop := ∀ f, T.adm f

/-- Every function is admissible in every round. -/
def Adversary.Discrete {X : ExpLike A K} : {εr : A} → {δr : K} → Adversary.{u} X εr δr → Prop
  | _, _, .stop => True
  | _, _, .coin _ T _ next => T.Discrete ∧ ∀ r, Adversary.Discrete (next r)
  | _, _, .query q _ _ next => q.tests.Discrete ∧ ∀ o, Adversary.Discrete (next o)

/-- Every function is admissible in every round. -/
def Analyst.Discrete {Y : Scale A B K} : Analyst.{u} Y → Prop
  | .stop => True
  | .coin _ T _ next => T.Discrete ∧ ∀ r, Analyst.Discrete (next r)
  | .request r next refused =>
    r.q.tests.Discrete ∧ (∀ o, Analyst.Discrete (next o)) ∧ Analyst.Discrete refused

end PrivRef
