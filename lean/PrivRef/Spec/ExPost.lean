module

public import PrivRef.Spec.DpFilter
public import PrivRef.Spec.Renyi

/-!
The game of a curator who runs the ex-post filter: rounds that pay for the cell of their answer,
beside `(ε, δ)`-DP rounds and rounds with a bounded Rényi divergence of one order.  The sums are
those of `ExPostFilter` of the Python package.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- A request to the ex-post filter of the order with the index `i`: a mechanism with costs of its
cells, of which none is above `supE`, and `δ = 0`; an `(ε, δ)`-DP mechanism, at a cost that
randomized response's moment of the order does not exceed; or one of bounded Rényi divergence.  One
whose divergence is 0 is asked as a DP one with `ε = 0`. -/
inductive ExPostRequest (X : ExpLike A K) (R : Orders A) (i : R.I) : Type (max a k (u + 1)) where
  | exPost (q : Query.{u} X) (supE : A) (le_supE : ∀ c, q.eps c ≤ supE) (pure : q.delta = 0)
  | dp (q : DpRequest.{u} X) (cost : A) (moment : X.exp (q.eps + R.scale i q.eps)
      + X.exp (-R.scale i q.eps) ≤ (1 + X.exp q.eps) * X.exp cost)
  | renyi (q : RenyiQuery.{u} X R)

namespace ExPostRequest

variable {X : ExpLike A K} {R : Orders A} {i : R.I}

/-- The outputs. -/
def O : ExPostRequest.{u} X R i → Type u
  | .exPost q _ _ _ => q.O
  | .dp q _ _ => q.O
  | .renyi q => q.O

/-- The test functions of the output. -/
def tests : (r : ExPostRequest.{u} X R i) → Tests K r.O
  | .exPost q _ _ _ => q.tests
  | .dp q _ _ => q.tests
  | .renyi q => q.tests

/-- The law of the output that the curator with bit `b` returns. -/
def law (b : Bool) : (r : ExPostRequest.{u} X R i) → Law r.tests
  | .exPost q _ _ _ => q.law b
  | .dp q _ _ => q.law b
  | .renyi q => q.law b

end ExPostRequest

/-- What was spent: the costs of the cells of ex-post answers; the cost of the other rounds at the
order; the sum of their `ε`, `none` once one of them had none; and their `δ`. -/
structure ExPostState (A : Type a) (K : Type k) where
  released : A
  spent : A
  plain : Option A
  delta : K

/-- Nothing spent. -/
def ExPostState.start : ExPostState A K := ⟨0, 0, some 0, 0⟩

/-- What will have been spent when the request has been answered, at the most. -/
def ExPostState.asked {X : ExpLike A K} {R : Orders A} {i : R.I} (s : ExPostState A K) :
    ExPostRequest.{u} X R i → ExPostState A K
  | .exPost _ supE _ _ => ⟨s.released + supE, s.spent, s.plain, s.delta⟩
  | .dp q cost _ => ⟨s.released, s.spent + cost, s.plain.map (· + q.eps), s.delta + q.delta⟩
  | .renyi q => ⟨s.released, s.spent + q.cost i, none, s.delta + q.delta⟩

/-- What has been spent after the output `o`: an ex-post request is settled at the cost of the
output's cell. -/
def ExPostState.settled {X : ExpLike A K} {R : Orders A} {i : R.I} (s : ExPostState A K) :
    (r : ExPostRequest.{u} X R i) → r.O → ExPostState A K
  | .exPost q _ _ _, o => ⟨s.released + q.cost o, s.spent, s.plain, s.delta⟩
  | .dp q cost h, _ => s.asked (.dp (i := i) q cost h)
  | .renyi q, _ => s.asked (.renyi (i := i) q)

/-- The budget: `eps` for the sums of `ε`, `order` for the costs at the order, and `delta`. -/
structure ExPostBudget (A : Type a) (K : Type k) where
  eps : A
  order : A
  delta : K

/-- The filter lets a request through if the `δ` fit and one of two sums does: of what was released
with all the `ε`, or of what was released with all the costs at the order. -/
def ExPostBudget.Admits (B : ExPostBudget A K) (R : Orders A) (i : R.I) (s : ExPostState A K) :
    Prop :=
  s.delta ≤ B.delta ∧ ((∃ p, s.plain = some p ∧ s.released + p ≤ B.eps) ∨
    R.scale i s.released + s.spent ≤ B.order)

/-- An analyst who chooses every request from all that was seen, with coins, and without a bound on
their number. -/
inductive ExPostAnalyst (X : ExpLike A K) (R : Orders A) (i : R.I) : Type (max a k (u + 1)) where
  | stop : ExPostAnalyst X R i
  | coin (S : Type u) (T : Tests K S) (ρ : Law T) (next : S → ExPostAnalyst X R i) : ExPostAnalyst X
      R i
  | request (r : ExPostRequest.{u} X R i) (next : r.O → ExPostAnalyst X R i) : ExPostAnalyst X R i

namespace ExPostAnalyst

variable {X : ExpLike A K} {R : Orders A} {i : R.I}

/-- The type of views: coins, outputs, and `none` where the filter halted. -/
def View : ExPostAnalyst.{u} X R i → Type u
  | .stop => PUnit
  | .coin S _ _ next => (s : S) × View (next s)
  | .request r next => Option ((o : r.O) × View (next o))

open Classical in
/-- The expectation of a function of the view `V^b`, with the filter of the budget `B` in the state
`s`. -/
def expect (B : ExPostBudget A K) (b : Bool) :
    ExPostState A K → (g : ExPostAnalyst.{u} X R i) → (g.View → K) → K
  | _, .stop, f => f PUnit.unit
  | s, .coin _ _ ρ next, f => ρ.E fun x => expect B b s (next x) fun v => f ⟨x, v⟩
  | s, .request r next, f =>
    if B.Admits R i (s.asked r) then
      (r.law b).E fun o => expect B b (s.settled r o) (next o) fun v => f (some ⟨o, v⟩)
    else f none

/-- Admissible functions of the view (measurability and Fubini, as a hypothesis). -/
def Adm (B : ExPostBudget A K) :
    ExPostState A K → (g : ExPostAnalyst.{u} X R i) → (g.View → K) → Prop
  | _, .stop, _ => True
  | s, .coin _ T _ next, f =>
    (∀ x, Adm B s (next x) fun v => f ⟨x, v⟩) ∧
      ∀ b, T.adm fun x => expect B b s (next x) fun v => f ⟨x, v⟩
  | s, .request r next, f =>
    (∀ o, Adm B (s.settled r o) (next o) fun v => f (some ⟨o, v⟩)) ∧
      ∀ b, r.tests.adm fun o => expect B b (s.settled r o) (next o) fun v => f (some ⟨o, v⟩)

end ExPostAnalyst

end PrivRef
