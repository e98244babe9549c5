module

public import PrivRef.Spec.Game

/-!
Basic composition, and the basic odometer, of Rogers, Roth, Ullman, Vadhan (NeurIPS 2016).
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- One round of Alg. 1 of Rogers et al.: an `(ε, δ)`-DP mechanism on two neighbouring databases. -/
structure DPQuery (X : ExpLike A K) (ε : A) (δ : K) where
  D : Type u
  nbr : Neighbours D
  x : Bool → D
  neighbours : nbr.rel (x false) (x true)
  O : Type u
  tests : Tests K O
  mech : D → Law tests
  dp : IsDP X nbr mech ε δ

/-- An adversary whose privacy parameters are fixed in advance (a list), while databases and
mechanisms are chosen adaptively (Rogers et al. 2016, Alg. 1). -/
inductive FixedAdversary (X : ExpLike A K) : List (A × K) → Type (max a k (u + 1)) where
  | stop : FixedAdversary X []
  | coin {l : List (A × K)} (R : Type u) (T : Tests K R) (ρ : Law T)
      (next : R → FixedAdversary X l) : FixedAdversary X l
  | round {ε : A} {δ : K} {l : List (A × K)} (q : DPQuery.{u} X ε δ)
      (next : q.O → FixedAdversary X l) : FixedAdversary X ((ε, δ) :: l)

/-- `∑ ε_i`. -/
def sumEps : List (A × K) → A
  | [] => 0
  | p :: l => p.1 + sumEps l

/-- `∑ δ_i`. -/
def sumDelta : List (A × K) → K
  | [] => 0
  | p :: l => p.2 + sumDelta l

namespace FixedAdversary

variable {X : ExpLike A K}

/-- The type of views. -/
def View : {l : List (A × K)} → FixedAdversary.{u} X l → Type u
  | _, .stop => PUnit
  | _, .coin R _ _ next => (r : R) × View (next r)
  | _, .round q next => (o : q.O) × View (next o)

/-- The expectation of a function of the view `V^b`. -/
def expect (b : Bool) : {l : List (A × K)} → (g : FixedAdversary.{u} X l) → (g.View → K) → K
  | _, .stop, f => f PUnit.unit
  | _, .coin _ _ ρ next, f => ρ.E fun r => expect b (next r) fun v => f ⟨r, v⟩
  | _, .round q next, f => (q.mech (q.x b)).E fun o => expect b (next o) fun v => f ⟨o, v⟩

/-- Admissible functions of the view (measurability and Fubini, as a hypothesis). -/
def Adm : {l : List (A × K)} → (g : FixedAdversary.{u} X l) → (g.View → K) → Prop
  | _, .stop, _ => True
  | _, .coin _ T _ next, f =>
    (∀ r, Adm (next r) fun v => f ⟨r, v⟩) ∧ ∀ b, T.adm fun r => expect b (next r) fun v => f ⟨r, v⟩
  | _, .round q next, f =>
    (∀ o, Adm (next o) fun v => f ⟨o, v⟩) ∧
      ∀ b, q.tests.adm fun o => expect b (next o) fun v => f ⟨o, v⟩

end FixedAdversary

/-- The two probabilities of an outcome are within the factor `r` of each other. -/
def RatioWithin (r p q : K) : Prop := p ≤ r * q ∧ q ≤ r * p

/-- Pointwise differential privacy for finite laws: except with probability `δ` the absolute
privacy loss of the outcome is at most `ε`, for each of the two databases. -/
def IsPDP {D O : Type u} (X : ExpLike A K) (nbr : Neighbours D) (M : D → FinLaw K O) (ε : A)
    (δ : K) : Prop :=
  ∀ x x', nbr.rel x x' →
    (M x).pr (fun o => ¬ RatioWithin (X.exp ε) ((M x).mass o) ((M x').mass o)) ≤ δ

/-- One round of Alg. 2 of Rogers et al., with an `(ε, δ)`-pointwise DP mechanism with finite
laws. -/
structure PdpQuery (X : ExpLike A K) where
  D : Type u
  nbr : Neighbours D
  x : Bool → D
  neighbours : nbr.rel (x false) (x true)
  O : Type u
  mech : D → FinLaw K O
  eps : A
  delta : K
  delta_nonneg : 0 ≤ delta
  pdp : IsPDP X nbr mech eps delta

/-- An adversary who also chooses the parameters adaptively, and when to stop (Rogers et al. 2016,
Alg. 2). -/
inductive PdpAdversary (X : ExpLike A K) : Type (max a k (u + 1)) where
  | stop : PdpAdversary X
  | coin (R : Type u) (ρ : FinLaw K R) (next : R → PdpAdversary X) : PdpAdversary X
  | round (q : PdpQuery.{u} X) (next : q.O → PdpAdversary X) : PdpAdversary X

namespace PdpAdversary

variable {X : ExpLike A K}

/-- The type of views. -/
def View : PdpAdversary.{u} X → Type u
  | .stop => PUnit
  | .coin R _ next => (r : R) × View (next r)
  | .round q next => (o : q.O) × View (next o)

/-- The probability that the view `V^b` lies in the set `S`. -/
def pr (b : Bool) : (g : PdpAdversary.{u} X) → (g.View → Prop) → K
  | .stop, S => ind (S PUnit.unit)
  | .coin _ ρ next, S => ρ.E fun r => pr b (next r) fun v => S ⟨r, v⟩
  | .round q next, S => (q.mech (q.x b)).E fun o => pr b (next o) fun v => S ⟨o, v⟩

/-- `∏_i P[M_i(x^{i,b}) = v_i | v_<i]`. -/
def likelihood (b : Bool) : (g : PdpAdversary.{u} X) → g.View → K
  | .stop, _ => 1
  | .coin _ _ next, ⟨r, v⟩ => likelihood b (next r) v
  | .round q next, ⟨o, v⟩ => (q.mech (q.x b)).mass o * likelihood b (next o) v

/-- `∑ ε_i` along the view. -/
def spentEps : (g : PdpAdversary.{u} X) → g.View → A
  | .stop, _ => 0
  | .coin _ _ next, ⟨r, v⟩ => spentEps (next r) v
  | .round q next, ⟨o, v⟩ => q.eps + spentEps (next o) v

/-- `∑ δ_i` along the view. -/
def spentDelta : (g : PdpAdversary.{u} X) → g.View → K
  | .stop, _ => 0
  | .coin _ _ next, ⟨r, v⟩ => spentDelta (next r) v
  | .round q next, ⟨o, v⟩ => q.delta + spentDelta (next o) v

/-- `|Loss(v)| > ∑ ε_i`: the likelihoods of the view are not within the factor `e^{∑ ε_i}`. -/
def LossExceeds (g : PdpAdversary.{u} X) (v : g.View) : Prop :=
  ¬ RatioWithin (X.exp (g.spentEps v)) (g.likelihood false v) (g.likelihood true v)

end PdpAdversary

end PrivRef
