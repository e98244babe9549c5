module

public import PrivRef.Spec.DpFilter
public import PrivRef.Spec.Renyi

/-!
The game of rounds with guarantees of several kinds, whose parameters are fixed in advance:
`(ε, δ)`-DP, and approximate Rényi DP at every order, zCDP among it.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The parameters of one round: those of an `(ε, δ)`-DP mechanism, or the costs at all orders and
the `δ` of a mechanism of approximate Rényi DP (for `ρ`-zCDP, the costs `zcdpCost ρ`). -/
inductive MixedRound (R : Orders A) (K : Type k) : Type (max a k) where
  | dp (eps : A) (delta : K)
  | renyi (cost : R.I → A) (delta : K)

/-- The cost of a round at the order with the index `i`, where an `ε`-DP one costs `c ε`. -/
def MixedRound.cost {R : Orders A} (c : A → A) (i : R.I) : MixedRound R K → A
  | .dp ε _ => c ε
  | .renyi cost _ => cost i

/-- The `δ` of a round. -/
def MixedRound.mass {R : Orders A} : MixedRound R K → K
  | .dp _ δ => δ
  | .renyi _ δ => δ

/-- The sum of the costs at one order. -/
def mixedCost {R : Orders A} (c : A → A) (i : R.I) : List (MixedRound R K) → A
  | [] => 0
  | r :: l => mixedCost c i l + r.cost c i

/-- The sum of the `δ`. -/
def mixedMass {R : Orders A} : List (MixedRound R K) → K
  | [] => 0
  | r :: l => r.mass + mixedMass l

/-- An analyst whose rounds have these parameters, while databases and mechanisms are chosen from
what was seen, with coins. -/
inductive MixedAnalyst (X : ExpLike A K) (R : Orders A) :
    List (MixedRound R K) → Type (max a k (u + 1)) where
  | stop : MixedAnalyst X R []
  | coin {l : List (MixedRound R K)} (S : Type u) (T : Tests K S) (ρ : Law T)
      (next : S → MixedAnalyst X R l) : MixedAnalyst X R l
  | dp {l : List (MixedRound R K)} (q : DpRequest.{u} X) (next : q.O → MixedAnalyst X R l) :
      MixedAnalyst X R (.dp q.eps q.delta :: l)
  | renyi {l : List (MixedRound R K)} (q : RenyiQuery.{u} X R) (next : q.O → MixedAnalyst X R l) :
      MixedAnalyst X R (.renyi q.cost q.delta :: l)

namespace MixedAnalyst

variable {X : ExpLike A K} {R : Orders A}

/-- The type of views. -/
def View : {l : List (MixedRound R K)} → MixedAnalyst.{u} X R l → Type u
  | _, .stop => PUnit
  | _, .coin S _ _ next => (s : S) × View (next s)
  | _, .dp q next => (o : q.O) × View (next o)
  | _, .renyi q next => (o : q.O) × View (next o)

/-- The expectation of a function of the view `V^b`. -/
def expect (b : Bool) : {l : List (MixedRound R K)} → (g : MixedAnalyst.{u} X R l) →
    (g.View → K) → K
  | _, .stop, f => f PUnit.unit
  | _, .coin _ _ ρ next, f => ρ.E fun s => expect b (next s) fun v => f ⟨s, v⟩
  | _, .dp q next, f => (q.law b).E fun o => expect b (next o) fun v => f ⟨o, v⟩
  | _, .renyi q next, f => (q.law b).E fun o => expect b (next o) fun v => f ⟨o, v⟩

/-- Admissible functions of the view (measurability and Fubini, as a hypothesis). -/
def Adm : {l : List (MixedRound R K)} → (g : MixedAnalyst.{u} X R l) → (g.View → K) → Prop
  | _, .stop, _ => True
  | _, .coin _ T _ next, f =>
    (∀ s, Adm (next s) fun v => f ⟨s, v⟩) ∧ ∀ b, T.adm fun s => expect b (next s) fun v => f ⟨s, v⟩
  | _, .dp q next, f =>
    (∀ o, Adm (next o) fun v => f ⟨o, v⟩) ∧
      ∀ b, q.tests.adm fun o => expect b (next o) fun v => f ⟨o, v⟩
  | _, .renyi q next, f =>
    (∀ o, Adm (next o) fun v => f ⟨o, v⟩) ∧
      ∀ b, q.tests.adm fun o => expect b (next o) fun v => f ⟨o, v⟩

end MixedAnalyst

end PrivRef
