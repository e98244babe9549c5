module

public import PrivRef.Thm.Reduction

/-!
Optimal composition as the case of Theorem 15 in which nobody stops: Kairouz, Oh, Viswanath (ICML
2015) for equal rounds, Murtagh, Vadhan (TCC 2016) for unequal ones.
-/

@[expose] public section

namespace PrivRef

universe u k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- `n` rounds with the parameters `e k = e^{ε_{k+1}}` and `δ k`, no stopping, and one cost
`y = e^{ε_g}` of all outputs. -/
def fixedParams (e δ : Nat → K) (y : K) : IterParams K := ⟨e, δ, fun _ => false, fun _ => y⟩

section

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem optValue_without_stopping (e δ : Nat → K) (y : K) (n k : Nat) (p0 p1 : K) :
    optValue (fixedParams e δ y) n k p0 p1 = lsum (words n) fun w =>
      posPart (p0 * wordPr (fixedParams e δ y) false k w
        - y * (p1 * wordPr (fixedParams e δ y) true k w)) := by
  induction n generalizing k p0 p1 with
  | zero =>
    simp only [optValue, words, lsum, wordPr]
    show posPart (p0 - y * p1) = posPart (p0 * 1 - y * (p1 * 1)) + 0
    have e1 : p0 * 1 - y * (p1 * 1) = p0 - y * p1 := by grind
    rw [e1]
    grind
  | succ n ih =>
    have e1 : optValue (fixedParams e δ y) (n + 1) k p0 p1 = sumSymbols fun q =>
        optValue (fixedParams e δ y) n (k + 1) (p0 * rr (e k) (δ k) false q)
          (p1 * rr (e k) (δ k) true q) := rfl
    rw [e1, lsum_words]
    congr 1
    funext q
    rw [ih]
    congr 1
    funext w
    show posPart _ = posPart (p0 * (rr (e k) (δ k) false q * wordPr (fixedParams e δ y) false
        (k + 1) w)
      - y * (p1 * (rr (e k) (δ k) true q * wordPr (fixedParams e δ y) true (k + 1) w)))
    congr 1
    grind

/-- **What `n` randomized responses lose at `ε_g`**, with `y = e^{ε_g}`: the sum over their joint
results of `(Pr_0 - e^{ε_g} Pr_1)₊`. -/
theorem optDel_without_stopping (e δ : Nat → K) (y : K) (n : Nat) :
    optDel (fixedParams e δ y) n = lsum (words n) fun w =>
      posPart (wordPr (fixedParams e δ y) false 0 w - y * wordPr (fixedParams e δ y) true 0 w) := by
  rw [optDel, optValue_without_stopping]
  congr 1
  funext w
  congr 1
  grind

end

theorem iterODP_without_stopping {D O : Type u} (e δ : Nat → K) (y : K) (nbr : Neighbours D)
    (M : Iteration K D O) (n : Nat) (δg : K) :
    IterODP (fixedParams e δ y) nbr M (fun _ => false) n δg ↔
      ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
        compositionPr M n x S ≤ y * compositionPr M n x' S + δg := by
  have h : ∀ x' (S : List O → Prop), (lsum (upTo n) fun k => (fixedParams e δ y).Y k
      * iterPr M (fun _ => false) n x' fun v => S v ∧ v.length = k) = y * compositionPr M n x' S :=
    fun x' S => by
      rw [sum_over_lengths]
      exact iterE_smul M (fun _ => false) x' n [] y fun v => ind (S v)
  constructor
  · intro hM x x' hx S
    have h1 := hM x x' hx S
    rw [h] at h1
    have e1 : iterPr M (fun _ => false) n x S = compositionPr M n x S := rfl
    rw [e1] at h1
    grind
  · intro hM x x' hx S
    have h1 := hM x x' hx S
    rw [h]
    have e1 : iterPr M (fun _ => false) n x S = compositionPr M n x S := rfl
    rw [e1]
    grind

/-- **Optimal composition** (Kairouz, Oh, Viswanath 2015; Murtagh, Vadhan 2016, Theorem 1.5), for
finite laws: `n` adaptively chosen mechanisms that are `(ε_k, δ_k)`-DP, with parameters fixed in
advance, are `(ε_g, δ_g)`-DP together, whatever they are, if and only if `δ_g` is at least what
randomized responses lose. -/
theorem optimal_composition (e δ : Nat → K) (y : K) (he : ∀ k, 1 ≤ e k) (hδ : ∀ k, 0 ≤ δ k)
    (hδ1 : ∀ k, δ k ≤ 1) (hy : 0 ≤ y) (n : Nat) (δg : K) :
    (∀ (D O : Type) (nbr : Neighbours D) (M : Iteration K D O),
      IterationDP (fixedParams e δ y) nbr M → ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
        compositionPr M n x S ≤ y * compositionPr M n x' S + δg) ↔
    optDel (fixedParams e δ y) n ≤ δg := by
  have hP : (fixedParams e δ y).Ok := ⟨he, hδ, hδ1, fun _ => hy⟩
  have hnever : ∀ {O : Type} (h : List O → Bool),
      (∀ v, h v = true → (fixedParams e δ y).stop v.length = true) → h = fun _ => false :=
    fun h hh => funext fun v => by
      cases hv : h v
      · rfl
      · exact absurd (hh v hv) (by simp [fixedParams])
  rw [← randomized_response_needs_exactly_optDel _ hP, ← randomized_response_is_the_worst_case _ hP]
  constructor
  · intro h D O nbr M g hM hg
    rw [hnever g hg, iterODP_without_stopping]
    exact h D O nbr M hM
  · intro h D O nbr M hM
    rw [← iterODP_without_stopping e δ y]
    exact h D O nbr M _ hM fun v hv => absurd hv (by simp)

end PrivRef
