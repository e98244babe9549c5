module

public import PrivRef.Spec.Game

/-!
Definitions 1 and 2 and Alg. 1 of Hartmann, Bindschaedler, Bentkamp, West (PoPETs 2022) for general
laws in the paper's own form, for sets.  `ind S` is admissible where `S` is measurable.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u}

/-- The level sets of admissible functions are admissible, as those of measurable functions are. -/
def Tests.HasLevels {O : Type u} (T : Tests K O) : Prop :=
  ∀ f, T.adm f → ∀ t, T.adm fun o => ind (t ≤ f o)

/-- The probability of a set of outcomes. -/
def Law.pr {T : Tests K O} (μ : Law T) (S : O → Prop) : K := μ.E fun o => ind (S o)

/-- Definition 1: `Pr(M(x) ∈ S) ≤ e^ε Pr(M(x') ∈ S) + δ` for all measurable `S` and all
neighbours. -/
def IsDPSets {T : Tests K O} (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (δ : K) :
    Prop :=
  ∀ x x', nbr.rel x x' → ∀ S : O → Prop, (T.adm fun o => ind (S o)) →
    (M x).pr S ≤ X.exp ε * (M x').pr S + δ

/-- Definition 2: `Pr(M(x) ∈ S) ≤ δ + ∑_k e^{E(P_k)} Pr(M(x') ∈ S ∩ P_k)` for all measurable `S` and
all neighbours.  The sum over the cells, of which there may be infinitely many, is the least `b`
that no finite part of it exceeds; in a field without suprema the inequality is asked for every such
`b`. -/
def IsODPSets {T : Tests K O} (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (cell : O → C)
    (eps : C → A) (δ : K) : Prop :=
  ∀ x x', nbr.rel x x' → ∀ S : O → Prop, (T.adm fun o => ind (S o)) → ∀ b,
    (∀ ks : List C, ks.Nodup →
      (lsum ks fun c => X.exp (eps c) * (M x').pr fun o => S o ∧ cell o = c) ≤ b) →
    (M x).pr S ≤ δ + b

/-- One round's choice of the adversary in line 4 of Alg. 1, with Definition 2 for sets.  The cells
are measurable, and so is the weight `e^{E}` of an output's cell, which is bounded by that of the
budget. -/
structure SetQuery (X : ExpLike A K) where
  D : Type u
  nbr : Neighbours D
  x : Bool → D
  neighbours : nbr.rel (x false) (x true)
  O : Type u
  tests : Tests K O
  levels : tests.HasLevels
  mech : D → Law tests
  C : Type u
  cell : O → C
  eps : C → A
  delta : K
  cells : ∀ c, tests.adm fun o => ind (cell o = c)
  weights : tests.adm fun o => X.exp (eps (cell o))
  odp : IsODPSets X nbr mech cell eps delta

/-- What the output `o` costs. -/
def SetQuery.cost {X : ExpLike A K} (q : SetQuery.{u} X) (o : q.O) : A := q.eps (q.cell o)

/-- An adversary of Alg. 1 with remaining budget `(ε_r, δ_r)`, as in `Adversary`. -/
inductive SetAdversary (X : ExpLike A K) : A → K → Type (max a k (u + 1)) where
  | stop {εr : A} {δr : K} : SetAdversary X εr δr
  | coin {εr : A} {δr : K} (R : Type u) (T : Tests K R) (ρ : Law T)
      (next : R → SetAdversary X εr δr) : SetAdversary X εr δr
  | query {εr : A} {δr : K} (q : SetQuery.{u} X) (eps_le : ∀ c, q.eps c ≤ εr)
      (delta_le : q.delta ≤ δr)
      (next : (o : q.O) → SetAdversary X (εr - q.cost o) (δr - q.delta)) : SetAdversary X εr δr

namespace SetAdversary

variable {X : ExpLike A K}

/-- The type of views: coins tossed and outputs received, in order. -/
def View : {εr : A} → {δr : K} → SetAdversary.{u} X εr δr → Type u
  | _, _, .stop => PUnit
  | _, _, .coin R _ _ next => (r : R) × View (next r)
  | _, _, .query q _ _ next => (o : q.O) × View (next o)

/-- The probability that the view `V^b` lies in the set `S`. -/
def pr (b : Bool) : {εr : A} → {δr : K} → (g : SetAdversary.{u} X εr δr) → (g.View → Prop) → K
  | _, _, .stop, S => ind (S PUnit.unit)
  | _, _, .coin _ _ ρ next, S => ρ.E fun r => pr b (next r) fun v => S ⟨r, v⟩
  | _, _, .query q _ _ next, S => (q.mech (q.x b)).E fun o => pr b (next o) fun v => S ⟨o, v⟩

/-- A set of views is measurable if at every node the conditional probability is an admissible
function of the output. -/
def Measurable : {εr : A} → {δr : K} → (g : SetAdversary.{u} X εr δr) → (g.View → Prop) → Prop
  | _, _, .stop, _ => True
  | _, _, .coin _ T _ next, S =>
    (∀ r, Measurable (next r) fun v => S ⟨r, v⟩) ∧
      ∀ b, T.adm fun r => pr b (next r) fun v => S ⟨r, v⟩
  | _, _, .query q _ _ next, S =>
    (∀ o, Measurable (next o) fun v => S ⟨o, v⟩) ∧
      ∀ b, q.tests.adm fun o => pr b (next o) fun v => S ⟨o, v⟩

end SetAdversary

end PrivRef
