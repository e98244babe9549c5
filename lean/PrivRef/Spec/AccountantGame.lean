module

public import PrivRef.Spec.Accountant
public import PrivRef.Spec.Game

/-!
The executable accountant and filter as the decision procedures of the game of Alg. 6.
-/

@[expose] public noncomputable section

namespace PrivRef

/-- A decision, as the game sees it. -/
def Decision.toVerdict : Decision → Verdict
  | .cont => .cont
  | .halt => .halt
  | .reject => .reject

/-- The accountant of Alg. 1 as a state machine of the game: it sees the supremum of the costs and
`δ` before a request is run, and the cost of the observed cell after it. -/
def accountantMachine : Filter Rat Rat where
  S := State
  decide s supE d := (accountantDecide s [supE] d).toVerdict
  charge s c d := ⟨s.remaining.charge c d, false⟩

/-- The filter of Alg. 6 as a state machine of the game. -/
def filterMachine : Filter Rat Rat where
  S := State
  decide s supE d := (filterDecide s [supE] d).toVerdict
  charge s c d := ⟨s.remaining.charge c d, false⟩

end PrivRef
