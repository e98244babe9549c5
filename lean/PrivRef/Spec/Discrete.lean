module

public import PrivRef.Spec.Countable
public import PrivRef.Spec.DpFilter
public import PrivRef.Spec.ExPost
public import PrivRef.Spec.Game
public import PrivRef.Spec.Renyi

/-!
Games in which every bounded function is admissible, as with finite and countable laws: no
measurability hypothesis is left.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a b k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {B : Type b} [Lean.Grind.IntModule B] [LE B] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- Every bounded function is admissible, as for `Tests.all` (finite laws) and `Tests.bounded`
(countable laws). -/
def Tests.Discrete {O : Type u} (T : Tests K O) : Prop := ∀ f, IsBounded f → T.adm f

/-- Every bounded function is admissible in every round. -/
def Adversary.Discrete {X : ExpLike A K} : {εr : A} → {δr : K} → Adversary.{u} X εr δr → Prop
  | _, _, .stop => True
  | _, _, .coin _ T _ next => T.Discrete ∧ ∀ r, Adversary.Discrete (next r)
  | _, _, .query q _ _ next => q.tests.Discrete ∧ ∀ o, Adversary.Discrete (next o)

/-- Every bounded function is admissible in every round. -/
def Analyst.Discrete {Y : Scale A B K} : Analyst.{u} Y → Prop
  | .stop => True
  | .coin _ T _ next => T.Discrete ∧ ∀ r, Analyst.Discrete (next r)
  | .request r next refused =>
    r.q.tests.Discrete ∧ (∀ o, Analyst.Discrete (next o)) ∧ Analyst.Discrete refused

/-- Every bounded function is admissible in every round. -/
def DpAnalyst.Discrete {X : ExpLike A K} : DpAnalyst.{u} X → Prop
  | .stop => True
  | .coin _ T _ next => T.Discrete ∧ ∀ r, DpAnalyst.Discrete (next r)
  | .request q next refused =>
    q.tests.Discrete ∧ (∀ o, DpAnalyst.Discrete (next o)) ∧ DpAnalyst.Discrete refused

/-- Every bounded function is admissible in every round. -/
def RenyiAnalyst.Discrete {X : ExpLike A K} {R : Orders A} : RenyiAnalyst.{u} X R → Prop
  | .stop => True
  | .coin _ T _ next => T.Discrete ∧ ∀ r, RenyiAnalyst.Discrete (next r)
  | .request q next refused =>
    q.tests.Discrete ∧ (∀ o, RenyiAnalyst.Discrete (next o)) ∧ RenyiAnalyst.Discrete refused

/-- Every bounded function is admissible in every round. -/
def ExPostAnalyst.Discrete {X : ExpLike A K} {R : Orders A} {i : R.I} : ExPostAnalyst.{u} X R i →
    Prop
  | .stop => True
  | .coin _ T _ next => T.Discrete ∧ ∀ r, ExPostAnalyst.Discrete (next r)
  | .request r next => r.tests.Discrete ∧ ∀ o, ExPostAnalyst.Discrete (next o)

end PrivRef
