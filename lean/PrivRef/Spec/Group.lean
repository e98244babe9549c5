module

public import PrivRef.Spec.Odp

/-!
Groups of privacy units, the two usual neighbouring relations on lists of records, and bounded range
(Durfee and Rogers 2019), with its game where mechanisms are chosen on the way (Dong, Durfee, Rogers
2020).
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u}

/-- `k x`, the sum of `k` times `x`. -/
def times : Nat → A → A
  | 0, _ => 0
  | k + 1, x => times k x + x

/-- `x'` is reached from `x` by `k` steps from a database to a neighbour. -/
def Neighbours.Steps (nbr : Neighbours D) : Nat → D → D → Prop
  | 0, x, x' => x = x'
  | k + 1, x, x' => ∃ y, nbr.Steps k x y ∧ nbr.rel y x'

theorem Neighbours.Steps.append {nbr : Neighbours D} {n m : Nat} {x y z : D} (h : nbr.Steps n x y)
    (h' : nbr.Steps m y z) : nbr.Steps (n + m) x z := by
  induction m generalizing z with
  | zero => exact h' ▸ h
  | succ m ih =>
    obtain ⟨w, h1, h2⟩ := h'
    exact ⟨w, ih h1, h2⟩

theorem Neighbours.Steps.symm {nbr : Neighbours D} {n : Nat} {x y : D} (h : nbr.Steps n x y) :
    nbr.Steps n y x := by
  induction n generalizing y with
  | zero => exact Eq.symm h
  | succ n ih =>
    obtain ⟨w, h1, h2⟩ := h
    have h3 : nbr.Steps 1 y w := ⟨y, rfl, nbr.symm _ _ h2⟩
    have h4 := h3.append (ih h1)
    rwa [Nat.add_comm] at h4

/-- Databases that differ in a group of at most `k` units: at most `k` steps apart. -/
def Neighbours.group (nbr : Neighbours D) (k : Nat) : Neighbours D where
  rel x x' := ∃ n, n ≤ k ∧ nbr.Steps n x x'
  symm _ _ := fun ⟨n, hn, h⟩ => ⟨n, hn, h.symm⟩

/-- `δ (1 + e^ε + … + e^{(k-1) ε})`. -/
def groupDelta (X : ExpLike A K) (ε : A) (δ : K) (k : Nat) : K :=
  δ * lsum (List.range k) fun i => X.exp (times i ε)

/-- `x'` is `x` with one record more. -/
def OneMore (x x' : List U) : Prop := ∃ l r a, x = l ++ r ∧ x' = l ++ a :: r

/-- One record is added or removed. -/
def addOrRemoveOne (U : Type u) : Neighbours (List U) where
  rel x x' := OneMore x x' ∨ OneMore x' x
  symm _ _ := Or.symm

/-- One record is replaced by another. -/
def replaceOne (U : Type u) : Neighbours (List U) where
  rel x x' := ∃ l r a b, x = l ++ a :: r ∧ x' = l ++ b :: r
  symm _ _ := fun ⟨l, r, a, b, h, h'⟩ => ⟨l, r, b, a, h', h⟩

/-- Bounded range `ε`: the privacy losses on two neighbouring databases lie in an interval
`[t - ε, t]`, whichever for each two of them. -/
def IsBoundedRange {T : Tests K O} (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) :
    Prop :=
  ∀ x x', nbr.rel x x' → ∃ t : A, ∀ f, IsTest T f →
    (M x).E f ≤ X.exp t * (M x').E f ∧ (M x').E f ≤ X.exp (ε - t) * (M x).E f

/-- One round: a mechanism of bounded range `ε` on two neighbouring databases. -/
structure RangeQuery (X : ExpLike A K) (ε : A) where
  D : Type u
  nbr : Neighbours D
  x : Bool → D
  neighbours : nbr.rel (x false) (x true)
  O : Type u
  tests : Tests K O
  mech : D → Law tests
  range : IsBoundedRange X nbr mech ε

/-- The law of the output that the curator with bit `b` returns. -/
def RangeQuery.law {X : ExpLike A K} {ε : A} (q : RangeQuery.{u} X ε) (b : Bool) : Law q.tests :=
  q.mech (q.x b)

/-- An adversary whose ranges are fixed in advance, while databases and mechanisms are chosen from
what was seen, with coins. -/
inductive RangeAdversary (X : ExpLike A K) : List A → Type (max a k (u + 1)) where
  | stop : RangeAdversary X []
  | coin {l : List A} (S : Type u) (T : Tests K S) (ρ : Law T) (next : S → RangeAdversary X l) :
      RangeAdversary X l
  | round {ε : A} {l : List A} (q : RangeQuery.{u} X ε) (next : q.O → RangeAdversary X l) :
      RangeAdversary X (ε :: l)

namespace RangeAdversary

variable {X : ExpLike A K}

/-- The type of views. -/
def View : {l : List A} → RangeAdversary.{u} X l → Type u
  | _, .stop => PUnit
  | _, .coin S _ _ next => (s : S) × View (next s)
  | _, .round q next => (o : q.O) × View (next o)

/-- The expectation of a function of the view `V^b`. -/
def expect (b : Bool) : {l : List A} → (g : RangeAdversary.{u} X l) → (g.View → K) → K
  | _, .stop, f => f PUnit.unit
  | _, .coin _ _ ρ next, f => ρ.E fun s => expect b (next s) fun v => f ⟨s, v⟩
  | _, .round q next, f => (q.law b).E fun o => expect b (next o) fun v => f ⟨o, v⟩

/-- Admissible functions of the view (measurability and Fubini, as a hypothesis). -/
def Adm : {l : List A} → (g : RangeAdversary.{u} X l) → (g.View → K) → Prop
  | _, .stop, _ => True
  | _, .coin _ T _ next, f =>
    (∀ s, Adm (next s) fun v => f ⟨s, v⟩) ∧ ∀ b, T.adm fun s => expect b (next s) fun v => f ⟨s, v⟩
  | _, .round q next, f =>
    (∀ o, Adm (next o) fun v => f ⟨o, v⟩) ∧ ∀ b, q.tests.adm fun o => expect b (next o) fun v =>
      f ⟨o, v⟩

end RangeAdversary

/-- Intervals `[t - ε, t]` for mechanisms of two outputs, whose losses are `t` and `t - ε`: each is
chosen when the earlier outputs are known. -/
inductive RangePlan (X : ExpLike A K) : List A → Type a where
  | done : RangePlan X []
  | play {ε : A} {l : List A} (t : A) (low : 1 ≤ X.exp t) (high : X.exp t ≤ X.exp ε)
      (first second : RangePlan X l) : RangePlan X (ε :: l)

/-- The probability `(e^ε - e^t)/(e^ε - 1)` of the loss `t`; 0 where `e^ε = 1`. -/
def highWeight (X : ExpLike A K) (ε t : A) : K := (X.exp ε - X.exp t) / (X.exp ε - 1)

/-- What is lost at `a = e^x`: the recursion `p_t δ(x - t) + (1 - p_t) δ(x - t + ε)` down to
`(1 - e^x)⁺`. -/
def RangePlan.value {X : ExpLike A K} : {l : List A} → RangePlan X l → K → K
  | _, .done, a => posPart (1 - a)
  | _, .play (ε := ε) t _ _ first second, a =>
    highWeight X ε t * value first (a * X.exp (-t))
      + (1 - highWeight X ε t) * value second (a * X.exp (ε - t))

/-- `δ` is the recursion of Dong, Durfee, Rogers: `δ_0(x) = (1 - e^x)⁺`, and with one more range `ε`
before, `δ_k(x)` is the largest of `p_t δ_{k-1}(x - t) + (1 - p_t) δ_{k-1}(x - t + ε)` over the `t`
from 0 to `ε`; all of it as functions of `a = e^x`. -/
structure IsRangeRecursion (X : ExpLike A K) (δ : List A → K → K) : Prop where
  done : ∀ a, 0 ≤ a → δ [] a = posPart (1 - a)
  le : ∀ ε l a, 0 ≤ a → ∀ t, 1 ≤ X.exp t → X.exp t ≤ X.exp ε →
    highWeight X ε t * δ l (a * X.exp (-t)) + (1 - highWeight X ε t) * δ l (a * X.exp (ε - t)) ≤
      δ (ε :: l) a
  attained : ∀ ε l a, 0 ≤ a → 0 ≤ ε → ∃ t, 1 ≤ X.exp t ∧ X.exp t ≤ X.exp ε ∧
    highWeight X ε t * δ l (a * X.exp (-t)) + (1 - highWeight X ε t) * δ l (a * X.exp (ε - t)) =
      δ (ε :: l) a

end PrivRef
