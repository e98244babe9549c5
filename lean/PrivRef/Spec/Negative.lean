module

public import PrivRef.Spec.Game

/-!
A game that is *not* private: Alg. 1 with a `δ` that depends on the cell.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- A query with a cell-dependent `δ`: on each cell `P_k` the mechanism is
`(P_k, E(P_k), Δ(P_k))`-subset differentially private, and on the whole it is
`(P, E, total)`-ODP. -/
structure CellQuery (X : ExpLike A K) where
  D : Type u
  nbr : Neighbours D
  x : Bool → D
  neighbours : nbr.rel (x false) (x true)
  O : Type u
  mech : D → FinLaw K O
  C : Type u
  cell : O → C
  eps : C → A
  delta : C → K
  total : K
  subset : ∀ c, IsSubsetDPSet X nbr mech (fun o => cell o = c) (eps c) (delta c)
  odp : IsODPSet X nbr mech cell eps total

/-- The adversary of Alg. 1, except that after the output `o` in the cell `P_k` the budget is
charged `Δ(P_k)` instead of the `δ` of the whole mechanism (which still has to fit). -/
inductive CellAdversary (X : ExpLike A K) : A → K → Type (max a k (u + 1)) where
  | stop {εr : A} {δr : K} : CellAdversary X εr δr
  | query {εr : A} {δr : K} (q : CellQuery.{u} X) (eps_le : ∀ c, q.eps c ≤ εr)
      (delta_le : ∀ c, q.delta c ≤ δr) (total_le : q.total ≤ δr)
      (next : (o : q.O) → CellAdversary X (εr - q.eps (q.cell o)) (δr - q.delta (q.cell o))) :
      CellAdversary X εr δr

namespace CellAdversary

variable {X : ExpLike A K}

/-- The type of views. -/
def View : {εr : A} → {δr : K} → CellAdversary.{u} X εr δr → Type u
  | _, _, .stop => PUnit
  | _, _, .query q _ _ _ next => (o : q.O) × View (next o)

/-- The probability that the view `V^b` lies in the set `S`. -/
def pr (b : Bool) : {εr : A} → {δr : K} → (g : CellAdversary.{u} X εr δr) →
    (g.View → Prop) → K
  | _, _, .stop, S => ind (S PUnit.unit)
  | _, _, .query q _ _ _ next, S => (q.mech (q.x b)).E fun o => pr b (next o) fun v => S ⟨o, v⟩

end CellAdversary

end PrivRef
