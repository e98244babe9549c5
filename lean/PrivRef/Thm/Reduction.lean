module

public import PrivRef.Thm.OptDel

/-!
Lemma 13: randomized response alone determines the optimal `δ`.
-/

@[expose] public section

namespace PrivRef

universe u k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem IterODP.mono {D O : Type u} {P : IterParams K} {nbr : Neighbours D} {M : Iteration K D O}
    {h : List O → Bool} {n : Nat} {δ δ' : K} (hle : δ ≤ δ') (hM : IterODP P nbr M h n δ) :
    IterODP P nbr M h n δ' := by
  intro x x' hx S
  have := hM x x' hx S
  grind

/-- `δ` suffices for randomized response with every allowed stopping criterion if and only if it is
at least the value of the backward recursion. -/
theorem randomized_response_needs_exactly_optDel (P : IterParams K) (hP : P.Ok) (n : Nat) (δ : K) :
    (∀ h : List Symbol → Bool, (∀ v, h v = true → P.stop v.length = true) →
      IterODP P rrNeighbours (rrIteration P hP) h n δ) ↔ optDel P n ≤ δ := by
  constructor
  · intro hall
    have h1 := hall (optRule P n) (fun v hv => ((optRule_iff P n v).mp hv).1) false true trivial
      fun v => 0 ≤ stopValue P v
    rw [sum_over_lengths] at h1
    have h2 := optValue_is_attained P hP n n [] (by simp)
    simp only [wordPr, List.length_nil] at h2
    unfold iterPr at h1
    unfold optDel
    grind
  · intro hδ h hh
    exact IterODP.mono hδ
      ((optDel_is_optimal.{0} P hP n).1 rrNeighbours _ h (randomized_response_is_dp P hP) hh)

/-- **Lemma 13** (Hartmann et al. 2022), for finite laws.  A `δ` works for all adaptively chosen
`(ε_k, δ_k)`-DP mechanisms and all allowed stopping criteria if and only if it works for
independent randomized responses and all allowed stopping criteria. -/
theorem randomized_response_is_the_worst_case (P : IterParams K) (hP : P.Ok) (n : Nat) (δ : K) :
    (∀ (D O : Type) (nbr : Neighbours D) (M : Iteration K D O) (h : List O → Bool),
      IterationDP P nbr M → (∀ v, h v = true → P.stop v.length = true) →
      IterODP P nbr M h n δ) ↔
    ∀ h : List Symbol → Bool, (∀ v, h v = true → P.stop v.length = true) →
      IterODP P rrNeighbours (rrIteration P hP) h n δ := by
  constructor
  · intro hall h hh
    exact hall Bool Symbol rrNeighbours _ h (randomized_response_is_dp P hP) hh
  · intro hrr D O nbr M h hM hh
    have hle := (randomized_response_needs_exactly_optDel P hP n δ).mp hrr
    exact IterODP.mono hle ((optDel_is_optimal.{0} P hP n).1 nbr M h hM hh)

end PrivRef
