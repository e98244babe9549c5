module

public import PrivRef.Spec.OptDel

/-!
Post-processing inside an iterative mechanism: the objects of Lemma 14 of Hartmann, Bindschaedler,
Bentkamp, West (PoPETs 2022).
-/

@[expose] public noncomputable section

namespace PrivRef

universe u k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O O' : Type u}

section

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem wsum_map (g : O → O') (l : List (O × K)) (F : O' → K) :
    wsum (l.map fun q => (g q.1, q.2)) F = wsum l fun o => F (g o) := by
  induction l with
  | nil => rfl
  | cons q l ih => simp only [List.map_cons, wsum, ih]

theorem wsum_append {O : Type u} (l l' : List (O × K)) (F : O → K) :
    wsum (l ++ l') F = wsum l F + wsum l' F := by
  induction l with
  | nil => simp only [wsum, List.nil_append]; grind
  | cons q l ih => simp only [wsum, List.cons_append, ih]; grind

theorem wsum_scale {O : Type u} (c : K) (l : List (O × K)) (F : O → K) :
    wsum (l.map fun r => (r.1, c * r.2)) F = c * wsum l F := by
  induction l with
  | nil => simp only [List.map_nil, wsum]; grind
  | cons q l ih => simp only [List.map_cons, wsum, ih]; grind

theorem wsum_flatMap (l : List (O × K)) (κ : O → List (O' × K)) (F : O' → K) :
    wsum (l.flatMap fun q => (κ q.1).map fun r => (r.1, q.2 * r.2)) F
      = wsum l fun o => wsum (κ o) F := by
  induction l with
  | nil => rfl
  | cons q l ih => rw [List.flatMap_cons, wsum_append, wsum_scale, ih]; rfl

end

/-- The law of `g` of an outcome. -/
def FinLaw.map (g : O → O') (μ : FinLaw K O) : FinLaw K O' where
  list := μ.list.map fun q => (g q.1, q.2)
  nonneg := by
    intro q hq
    obtain ⟨r, hr, rfl⟩ := List.mem_map.mp hq
    exact μ.nonneg r hr
  total := by rw [wsum_map]; exact μ.total

/-- Draw `o` from `μ`, then draw from `κ o`. -/
def FinLaw.bind (μ : FinLaw K O) (κ : O → FinLaw K O') : FinLaw K O' where
  list := μ.list.flatMap fun q => (κ q.1).list.map fun r => (r.1, q.2 * r.2)
  nonneg := by
    intro r hr
    obtain ⟨q, hq, hr⟩ := List.mem_flatMap.mp hr
    obtain ⟨s, hs, rfl⟩ := List.mem_map.mp hr
    exact mul_nonneg' (μ.nonneg q hq) ((κ q.1).nonneg s hs)
  total := by
    refine (wsum_flatMap μ.list (fun o => (κ o).list) _).trans ?_
    rw [funext fun o => (κ o).total]
    exact μ.total

/-- The iteration of mechanisms `M_1, M_2, …` that depend on the database only. -/
def independent (M : Nat → D → FinLaw K O) : Iteration K D O := fun past x => M past.length x

/-- The iteration of `f_k ∘ M_k`, where `f_k` may depend on the outputs of `f_1, …, f_{k-1}`. -/
def postProcessed (M : Nat → D → FinLaw K O) (f : List O' → O → O') : Iteration K D O' :=
  fun past x => (M past.length x).map (f past)

/-- The iteration of `f_k ∘ M_k` for randomized `f_k`: `f past o` is the law of the result for the
output `o` of `M_k`, and may depend on the results `past` of `f_1, …, f_{k-1}`. -/
def randomlyProcessed (M : Nat → D → FinLaw K O) (f : List O' → O → FinLaw K O') : Iteration K D
    O' :=
  fun past x => (M past.length x).bind (f past)

/-- The joint law of the outputs of the `M_k` and the results of the `f_k`, when after each output
the result is drawn as well and the iteration stops where `h` of the results says so, from the
outputs `w` and the results `done` on and with at most `n` more.  Randomized `f_k` are not functions
of the outputs, so that this law is what takes the place of the iteration of the `M_k` with the
stopping criterion `h ∘ (f_1, …, f_k)`; that it is that iteration's where the `f_k` are
deterministic is not proved here. -/
def jointLaw (M : Nat → D → FinLaw K O) (f : List O' → O → FinLaw K O') (h : List O' → Bool)
    (x : D) :
    Nat → List O → List O' → FinLaw K (List O × List O')
  | 0, w, done => FinLaw.dirac (w, done)
  | n + 1, w, done =>
    if h done then FinLaw.dirac (w, done)
    else (M w.length x).bind fun o => (f done o).bind fun o' =>
      jointLaw M f h x n (w ++ [o]) (done ++ [o'])

/-- Definition 2 for laws of sequences and the partition by length:
`Pr(L(x) ∈ S) ≤ δ + ∑_k e^{E(k)} Pr(L(x') ∈ S, |L(x')| = k)`. -/
def LengthODP (P : IterParams K) (nbr : Neighbours D) (n : Nat) (L : D → FinLaw K (List O))
    (δ : K) :
    Prop :=
  ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
    (L x).pr S ≤ δ + lsum (upTo n) fun k => P.Y k * (L x').pr fun v => S v ∧ v.length = k

/-- `(f_1, …, f_k)` applied to a sequence of outputs, after the results `done`. -/
def translate (f : List O' → O → O') : List O' → List O → List O'
  | done, [] => done
  | done, o :: w => translate f (done ++ [f done o]) w

end PrivRef
