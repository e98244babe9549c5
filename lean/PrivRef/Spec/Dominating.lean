module

public import PrivRef.Spec.Game

/-!
Dominating pairs (Zhu, Dong, Wang 2022, Definition 7) with finitely many privacy losses, and the
game of rounds whose dominating pairs are fixed in advance.

A dominating pair matters by its privacy losses alone: the loss `l` has the probability `p` under
the first law and `p e^{-l}` under the second, and what is left of the first law has an infinite
loss.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The law of a privacy loss: finitely many losses with their probabilities (a loss may be listed
more than once), and the probability of an infinite loss.  Upper bounds of probabilities will do. -/
structure LossLaw (A : Type a) (K : Type k) where
  finite : List (A × K)
  infinite : K

/-- The hockey-stick divergence at `e^s`: the mean of `(1 - e^{s - l})⁺`. -/
def LossLaw.delta (X : ExpLike A K) (L : LossLaw A K) (s : A) : K :=
  L.infinite + wsum L.finite fun l => posPart (1 - X.exp (s - l))

/-- No probability is negative, and together they are at least 1. -/
structure LossLaw.Ok (L : LossLaw A K) : Prop where
  nonneg : ∀ q ∈ L.finite, 0 ≤ q.2
  infinite_nonneg : 0 ≤ L.infinite
  total : 1 ≤ L.infinite + wsum L.finite fun _ => 1

/-- The pair with these losses dominates `(μ, ν)`: its hockey-stick divergence is at least theirs,
everywhere (Zhu, Dong, Wang 2022, Definition 7). -/
def Dominates (X : ExpLike A K) (L : LossLaw A K) {O : Type u} {T : Tests K O} (μ ν : Law T) :
    Prop := ∀ f, IsTest T f → ∀ s, μ.E f ≤ L.delta X s + X.exp s * ν.E f

/-- All sums of a loss of the first and one of the second, with the products of their weights. -/
def addLosses (l : List (A × K)) : List (A × K) → List (A × K)
  | [] => []
  | q :: m => l.map (fun p => (p.1 + q.1, p.2 * q.2)) ++ addLosses l m

/-- The losses of the product of two pairs: the sum of two independent losses. -/
def LossLaw.product (L M : LossLaw A K) : LossLaw A K where
  finite := addLosses L.finite M.finite
  infinite := M.infinite + (wsum M.finite fun _ => 1) * L.infinite

/-- The product of several pairs. -/
def LossLaw.productAll : List (LossLaw A K) → LossLaw A K
  | [] => ⟨[(0, 1)], 0⟩
  | L :: l => L.product (productAll l)

/-- One round: a mechanism on two neighbouring databases, which a pair dominates both ways. -/
structure DominatedQuery (X : ExpLike A K) (L : LossLaw A K) where
  O : Type u
  tests : Tests K O
  law : Bool → Law tests
  dominated : ∀ b, Dominates X L (law b) (law !b)

/-- An analyst who asks one round after another; the dominating pairs are fixed in advance, while
databases and mechanisms are chosen from what was seen, with coins. -/
inductive DominatedAnalyst (X : ExpLike A K) : List (LossLaw A K) → Type (max a k (u + 1)) where
  | stop : DominatedAnalyst X []
  | coin {l : List (LossLaw A K)} (S : Type u) (T : Tests K S) (ρ : Law T)
      (next : S → DominatedAnalyst X l) : DominatedAnalyst X l
  | round {L : LossLaw A K} {l : List (LossLaw A K)} (q : DominatedQuery.{u} X L)
      (next : q.O → DominatedAnalyst X l) : DominatedAnalyst X (L :: l)

namespace DominatedAnalyst

variable {X : ExpLike A K}

/-- The type of views. -/
def View : {l : List (LossLaw A K)} → DominatedAnalyst.{u} X l → Type u
  | _, .stop => PUnit
  | _, .coin S _ _ next => (s : S) × View (next s)
  | _, .round q next => (o : q.O) × View (next o)

/-- The expectation of a function of the view where the database is that of the bit `b`. -/
def expect (b : Bool) : {l : List (LossLaw A K)} → (g : DominatedAnalyst.{u} X l) →
    (g.View → K) → K
  | _, .stop, f => f PUnit.unit
  | _, .coin _ _ ρ next, f => ρ.E fun s => expect b (next s) fun v => f ⟨s, v⟩
  | _, .round q next, f => (q.law b).E fun o => expect b (next o) fun v => f ⟨o, v⟩

/-- Admissible functions of the view (measurability and Fubini, as a hypothesis). -/
def Adm : {l : List (LossLaw A K)} → (g : DominatedAnalyst.{u} X l) → (g.View → K) → Prop
  | _, .stop, _ => True
  | _, .coin _ T _ next, f =>
    (∀ s, Adm (next s) fun v => f ⟨s, v⟩) ∧ ∀ b, T.adm fun s => expect b (next s) fun v => f ⟨s, v⟩
  | _, .round q next, f =>
    (∀ o, Adm (next o) fun v => f ⟨o, v⟩) ∧ ∀ b, q.tests.adm fun o => expect b (next o) fun v =>
      f ⟨o, v⟩

end DominatedAnalyst

end PrivRef
