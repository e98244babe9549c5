module

public import PrivRef.Spec.DpFilter
public import PrivRef.Spec.Sampled

/-!
The game of a ledger whose rounds are of several kinds, with parameters that are fixed in advance:
differentially private ones, of zCDP, of Rényi differential privacy at one order, and Gaussian noise
on Poisson samples.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField)

/-- What a ledger lists of one round: that it is `(ε, δ)`-DP; that it is `ρ`-zCDP up to the mass
`δ`; that up to the mass `δ` the logarithm of the moment of its loss at the order `1 + m` is at most
`cost`; or that it is an answer with Gaussian noise about a Poisson sample of the rate `rate`, to
which one record adds at most `distance` in squared norm, in units of the noise's variance. -/
inductive ListedRound (K : Type) where
  | dp (eps delta : K)
  | zcdp (rho delta : K)
  | renyi (m cost delta : K)
  | sampled (rate distance : K)

/-- The `δ` of a round. -/
def ListedRound.mass {K : Type} [OfNat K 0] : ListedRound K → K
  | .dp _ δ => δ
  | .zcdp _ δ => δ
  | .renyi _ _ δ => δ
  | .sampled _ _ => 0

/-- One round that has what the ledger lists.  In a sample the record that the two databases do not
share is added or removed: it is in the database of the bit `true` alone.  The noise may be another
in every round. -/
inductive ListedQuery (F : ExpField) (X : ExpLike F.K F.K) : ListedRound F.K → Type (u + 1) where
  | dp (q : DpRequest.{u} X) : ListedQuery F X (.dp q.eps q.delta)
  | zcdp (ρ : F.K) (q : RenyiQuery.{u} X (allOrders F.K)) (has : q.cost = zcdpCost ρ) :
      ListedQuery F X (.zcdp ρ q.delta)
  | renyi (m : F.K) (hm : 0 < m) (q : RenyiQuery.{u} X (oneOrder m hm)) :
      ListedQuery F X (.renyi m (q.cost PUnit.unit) q.delta)
  | sampled (V : Type u) [Lean.Grind.IntModule V] (N : GaussianNoise F V) (rate distance : F.K)
      (h0 : 0 ≤ rate) (h1 : rate ≤ 1) (S : Type u) (ρ : FinLaw F.K S) (answer difference : S → V)
      (fits : ∀ s, N.inner (difference s) (difference s) ≤ distance) :
      ListedQuery F X (.sampled rate distance)

namespace ListedQuery

variable {F : ExpField} {X : ExpLike F.K F.K} {r : ListedRound F.K}

/-- The type of answers. -/
def O : {r : ListedRound F.K} → ListedQuery.{u} F X r → Type u
  | _, .dp q => q.O
  | _, .zcdp _ q _ => q.O
  | _, .renyi _ _ q => q.O
  | _, @sampled _ _ V _ _ _ _ _ _ _ _ _ _ _ => V

/-- The test functions of the answers. -/
def tests : {r : ListedRound F.K} → (q : ListedQuery.{u} F X r) → Tests F.K q.O
  | _, .dp q => q.tests
  | _, .zcdp _ q _ => q.tests
  | _, .renyi _ _ q => q.tests
  | _, @sampled _ _ _ _ N _ _ _ _ _ _ _ _ _ => N.tests

/-- The law of the answer where the database is that of the bit `b`. -/
def law : {r : ListedRound F.K} → (q : ListedQuery.{u} F X r) → Bool → Law q.tests
  | _, .dp q, b => q.law b
  | _, .zcdp _ q _, b => q.law b
  | _, .renyi _ _ q, b => q.law b
  | _, @sampled _ _ _ _ N rate _ h0 h1 _ ρ answer difference _, b =>
    PrivRef.sampled N (SgdAnalyst.rate rate b) (SgdAnalyst.rate_nonneg h0 b)
      (SgdAnalyst.rate_le_one h1 b) ρ answer difference

end ListedQuery

/-- An analyst whose rounds have what the ledger lists, in its order, while all else is chosen from
what was seen, with coins. -/
inductive ListedAnalyst (F : ExpField) (X : ExpLike F.K F.K) :
    List (ListedRound F.K) → Type (u + 1) where
  | stop : ListedAnalyst F X []
  | coin {l : List (ListedRound F.K)} (S : Type u) (T : Tests F.K S) (ρ : Law T)
      (next : S → ListedAnalyst F X l) : ListedAnalyst F X l
  | ask {r : ListedRound F.K} {l : List (ListedRound F.K)} (q : ListedQuery.{u} F X r)
      (next : q.O → ListedAnalyst F X l) : ListedAnalyst F X (r :: l)

namespace ListedAnalyst

variable {F : ExpField} {X : ExpLike F.K F.K}

/-- The type of views. -/
def View : {l : List (ListedRound F.K)} → ListedAnalyst.{u} F X l → Type u
  | _, .stop => PUnit
  | _, .coin S _ _ next => (s : S) × View (next s)
  | _, .ask q next => (o : q.O) × View (next o)

/-- The expectation of a function of the view where the database is that of the bit `b`. -/
def expect (b : Bool) : {l : List (ListedRound F.K)} → (g : ListedAnalyst.{u} F X l) →
    (g.View → F.K) → F.K
  | _, .stop, f => f PUnit.unit
  | _, .coin _ _ ρ next, f => ρ.E fun s => expect b (next s) fun v => f ⟨s, v⟩
  | _, .ask q next, f => (q.law b).E fun o => expect b (next o) fun v => f ⟨o, v⟩

/-- Admissible functions of the view (measurability and Fubini, as a hypothesis). -/
def Adm : {l : List (ListedRound F.K)} → (g : ListedAnalyst.{u} F X l) → (g.View → F.K) → Prop
  | _, .stop, _ => True
  | _, .coin _ T _ next, f =>
    (∀ s, Adm (next s) fun v => f ⟨s, v⟩) ∧ ∀ b, T.adm fun s => expect b (next s) fun v => f ⟨s, v⟩
  | _, .ask q next, f =>
    (∀ o, Adm (next o) fun v => f ⟨o, v⟩) ∧
      ∀ b, q.tests.adm fun o => expect b (next o) fun v => f ⟨o, v⟩

end ListedAnalyst

end PrivRef
