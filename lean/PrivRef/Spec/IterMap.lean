/-
Post-processing inside an iterative mechanism: the objects of Lemma 14 of Hartmann, Bindschaedler,
Bentkamp, West (PoPETs 2022).
-/
module

public import PrivRef.Spec.OptDel

@[expose] public noncomputable section

set_option linter.unusedSectionVars false

namespace PrivRef

universe u k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O O' : Type u}

theorem wsum_map (g : O → O') (l : List (O × K)) (F : O' → K) :
    wsum (l.map fun q => (g q.1, q.2)) F = wsum l fun o => F (g o) := by
  induction l with
  | nil => rfl
  | cons q l ih => simp only [List.map_cons, wsum, ih]

/-- The law of `g` of an outcome. -/
def FinLaw.map (g : O → O') (μ : FinLaw K O) : FinLaw K O' where
  list := μ.list.map fun q => (g q.1, q.2)
  nonneg := by
    intro q hq
    obtain ⟨r, hr, rfl⟩ := List.mem_map.mp hq
    exact μ.nonneg r hr
  total := by rw [wsum_map]; exact μ.total

/-- The iteration of mechanisms `M_1, M_2, …` that depend on the database only. -/
def independent (M : Nat → D → FinLaw K O) : Iteration K D O := fun past x => M past.length x

/-- The iteration of `f_k ∘ M_k`, where `f_k` may depend on the outputs of `f_1, …, f_{k-1}`. -/
def postProcessed (M : Nat → D → FinLaw K O) (f : List O' → O → O') : Iteration K D O' :=
  fun past x => (M past.length x).map (f past)

/-- `(f_1, …, f_k)` applied to a sequence of outputs, after the results `done`. -/
def translate (f : List O' → O → O') : List O' → List O → List O'
  | done, [] => done
  | done, o :: w => translate f (done ++ [f done o]) w

end PrivRef
