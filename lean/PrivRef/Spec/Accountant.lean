module

/-!
The exact accountant of Alg. 1 and the exact filter of Alg. 6 / Definition 19 of Hartmann,
Bindschaedler, Bentkamp, West (PoPETs 2022), as executables over the rationals.

This file imports nothing of the library and contains no theorem.  `PrivRef.Thm.Accountant`
proves that every run these machines accept satisfies Theorem 7.
-/

@[expose] public section

namespace PrivRef

/-- A privacy budget `(eps, delta)`, exact. -/
structure Budget where
  eps : Rat
  delta : Rat
  deriving DecidableEq, Repr

/-- One request to run a mechanism with an output-differential-privacy guarantee, together with
the cost of the cell its output fell in.  `cells` lists the cost `E(P)` of every cell of the
partition (a plain `(eps, delta)`-DP mechanism has the single cell `[eps]`), `delta` is the
guarantee's one `delta`, which does not depend on the cell, and `charged` is what is reported as the
cost of the cell that was observed.  The decision never looks at `charged`. -/
structure Event where
  cells : List Rat
  delta : Rat
  charged : Rat
  deriving Repr

/-- What the machine answers to a request: `cont` (it is run), `halt` (the filter has stopped for
good), `reject` (this request is refused, nothing is spent). -/
inductive Decision where
  | cont
  | halt
  | reject
  deriving DecidableEq, Repr

/-- State of the accountant and of the filter: what remains of the budget, and whether the filter
has halted. -/
structure State where
  remaining : Budget
  halted : Bool

/-- Start with the whole budget. -/
def State.init (b : Budget) : State := ⟨b, false⟩

/-- The supremum of the costs of the cells (costs are non-negative). -/
def supCost : List Rat → Rat
  | [] => 0
  | c :: cs => if supCost cs ≤ c then c else supCost cs

/-- Every cost in the list is non-negative. -/
def allNonneg : List Rat → Bool
  | [] => true
  | c :: cs => decide (0 ≤ c) && allNonneg cs

/-- The cost occurs in the list. -/
def hasCost (x : Rat) : List Rat → Bool
  | [] => false
  | c :: cs => decide (x = c) || hasCost x cs

/-- The guarantee is well formed: no negative cost, no negative `delta`. -/
def guaranteeOk (cells : List Rat) (delta : Rat) : Bool :=
  allNonneg cells && decide (0 ≤ delta)

/-- The request fits the remaining budget: `sup E ≤ eps_r` and `delta ≤ delta_r`. -/
def fits (r : Budget) (supE delta : Rat) : Bool :=
  decide (supE ≤ r.eps) && decide (delta ≤ r.delta)

/-- What an answer costs: the reported cost if it is the cost of one of the cells, and otherwise the
supremum of the costs, which was reserved.  The answer is out, so that it must be paid for. -/
def settledCost (cells : List Rat) (charged : Rat) : Rat :=
  if hasCost charged cells then charged else supCost cells

/-- Lines 7 and 8 of Alg. 1, with subtraction. -/
def Budget.charge (r : Budget) (cost delta : Rat) : Budget :=
  ⟨r.eps - cost, r.delta - delta⟩

/-- What the accountant of Alg. 1 decides before the mechanism is run: a malformed or inadmissible
request is rejected; the interaction may go on with another one. -/
def accountantDecide (s : State) (cells : List Rat) (delta : Rat) : Decision :=
  if guaranteeOk cells delta && fits s.remaining (supCost cells) delta then .cont else .reject

/-- What the filter of Alg. 6 / Definition 19 decides before the mechanism is run: a malformed
request is rejected; one that does not fit halts the interaction for good. -/
def filterDecide (s : State) (cells : List Rat) (delta : Rat) : Decision :=
  if s.halted then .halt
  else if guaranteeOk cells delta then
    if fits s.remaining (supCost cells) delta then .cont else .halt
  else .reject

/-- The accountant of Alg. 1: one event. -/
def accountantStep (s : State) (e : Event) : State × Decision :=
  match accountantDecide s e.cells e.delta with
  | .cont =>
    (⟨s.remaining.charge (settledCost e.cells e.charged) e.delta, false⟩, .cont)
  | d => (s, d)

/-- The filter of Alg. 6 / Definition 19: one event. -/
def filterStep (s : State) (e : Event) : State × Decision :=
  match filterDecide s e.cells e.delta with
  | .cont =>
    (⟨s.remaining.charge (settledCost e.cells e.charged) e.delta, false⟩, .cont)
  | .halt => (⟨s.remaining, true⟩, .halt)
  | .reject => (s, .reject)

/-- Run a machine on a list of events: every decision with the budget that remains after it. -/
def replay (step : State → Event → State × Decision) (s : State) :
    List Event → List (Decision × Budget)
  | [] => []
  | e :: es => ((step s e).2, (step s e).1.remaining) :: replay step (step s e).1 es

end PrivRef
