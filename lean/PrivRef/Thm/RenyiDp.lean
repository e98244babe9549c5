module

public import PrivRef.Thm.Renyi
public import PrivRef.Thm.RandomizedResponse
public import PrivRef.Thm.Zcdp

/-!
`(ε, δ)`-DP rounds under the Rényi filter: by Lemma 12 of Hartmann et al. (Theorem 2.7 of Rogers et
al.) such a pair is randomized response followed by a coin, whose moments are known exactly.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem inv_one_add_pos {e : K} (he : 0 < e) : 0 < (1 + e)⁻¹ :=
  Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)

/-- Randomized response on `Bool`: the true answer has the odds `e`. -/
noncomputable def coinLaw (e : K) (he : 0 < e) : FinLaw K (ULift.{u} Bool) where
  list := [(⟨true⟩, e * (1 + e)⁻¹), (⟨false⟩, (1 + e)⁻¹)]
  nonneg := by
    have h := inv_one_add_pos he
    have h2 := mul_nonneg' (by grind : 0 ≤ e) (by grind : 0 ≤ (1 + e)⁻¹)
    intro q hq
    simp only [List.mem_cons, List.not_mem_nil, or_false] at hq
    rcases hq with hq | hq <;> subst hq <;> grind
  total := by
    have : 1 + e ≠ 0 := by grind
    simp only [wsum]
    grind

theorem coinLaw_expectation (e : K) (he : 0 < e) (f : ULift.{u} Bool → K) :
    (coinLaw e he).expectation.E f = (1 + e)⁻¹ * (e * f ⟨true⟩ + f ⟨false⟩) := by
  show wsum (coinLaw e he).list f = _
  simp only [coinLaw, wsum]
  grind

/-- **A pair of `(ε, δ)`-indistinguishable finite laws has the moments of randomized response**, and
no more is charged than these: with `t = e^ε`, any cost with
`t^{1 + m} + t^{-m} ≤ (1 + t) e^{cost m}` at every order `1 + m`. -/
theorem indistinguishable_laws_have_the_moments_of_randomized_response (X : ExpLike A K)
    (R : Orders A) {O : Type u} (μ ν : FinLaw K O) (ε : A) (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (h0 : ∀ S : O → Prop, μ.pr S ≤ X.exp ε * ν.pr S + δ)
    (h1 : ∀ S : O → Prop, ν.pr S ≤ X.exp ε * μ.pr S + δ) (cost : R.I → A)
    (hc : ∀ i, X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε)
      ≤ (1 + X.exp ε) * X.exp (cost i)) :
    Nonempty (DominatedPair X R μ.toLaw ν.toLaw cost δ) := by
  obtain ⟨T, hT⟩ := indistinguishable_laws_are_post_processed_randomized_response μ ν (X.exp ε) δ
    (X.one_le_exp hε) hδ1 h0 h1
  have he := X.exp_pos ε
  have hne : 1 + X.exp ε ≠ 0 := by grind
  have hi := inv_one_add_pos he
  have hinv : X.exp ε * X.exp (-ε) = 1 := by
    rw [← X.exp_add, ← X.exp_zero]
    congr 1
    grind
  have hsn : ∀ q f, (∀ o, 0 ≤ f o) → 0 ≤ (T q).E f := fun q f hf =>
    (T q).toLaw.E_nonneg trivial hf
  refine ⟨{
    W := ULift Bool
    P := (coinLaw (X.exp ε) he).expectation
    loss := fun w => if w.down then ε else -ε
    post := fun w => if w.down then (T .one).toLaw else (T .two).toLaw
    int_test := fun _ _ => trivial
    int_tilted := fun _ _ => trivial
    int_moment := fun _ => trivial
    first := fun f _ hf => ?_
    second := fun f _ hf => ?_
    moment := fun i => ?_ }⟩
  · rw [coinLaw_expectation]
    have e1 : μ.toLaw.E f = δ * (T .zero).E f + (1 - δ) * X.exp ε / (1 + X.exp ε) * (T .one).E f
        + (1 - δ) / (1 + X.exp ε) * (T .two).E f + 0 * (T .three).E f := (hT f).1
    have h2 := mul_nonneg' hδ (hsn .zero f hf)
    rw [e1]
    show (1 - δ) * ((1 + X.exp ε)⁻¹ * (X.exp ε * (T .one).E f + (T .two).E f)) ≤ _
    grind
  · rw [coinLaw_expectation]
    have e1 : ν.toLaw.E f = 0 * (T .zero).E f + (1 - δ) / (1 + X.exp ε) * (T .one).E f
        + (1 - δ) * X.exp ε / (1 + X.exp ε) * (T .two).E f + δ * (T .three).E f := (hT f).2
    have h2 := mul_nonneg' hδ (hsn .three f hf)
    rw [e1]
    show (1 - δ) * ((1 + X.exp ε)⁻¹ * (X.exp ε * (X.exp (-ε) * (T .one).E f)
      + X.exp (- -ε) * (T .two).E f)) ≤ _
    have e2 : - -ε = ε := by grind
    have e3 : X.exp ε * (X.exp (-ε) * (T .one).E f) = (T .one).E f := by grind
    rw [e2, e3]
    grind
  · rw [coinLaw_expectation]
    show (1 + X.exp ε)⁻¹ * (X.exp ε * X.exp (R.scale i ε) + X.exp (R.scale i (-ε))) ≤ _
    rw [R.scale_neg, ← X.exp_add]
    have h2 := mul_le_left (hc i) (by grind : 0 ≤ (1 + X.exp ε)⁻¹)
    have h3 : (1 + X.exp ε)⁻¹ * ((1 + X.exp ε) * X.exp (cost i)) = X.exp (cost i) := by grind
    rw [h3] at h2
    exact h2

/-- An `(ε, δ)`-DP mechanism is a round of the Rényi filter, charged the moments of randomized
response. -/
theorem dp_mechanism_has_the_moments_of_randomized_response (X : ExpLike A K) (R : Orders A)
    {D O : Type u} (nbr : Neighbours D) (M : D → FinLaw K O) (ε : A) (δ : K) (hε : 0 ≤ ε)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hM : IsDPSet X nbr M ε δ) (cost : R.I → A)
    (hc : ∀ i, X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε)
      ≤ (1 + X.exp ε) * X.exp (cost i)) :
    IsDominated X R nbr (fun x => (M x).toLaw) cost δ := fun x x' hn =>
  indistinguishable_laws_have_the_moments_of_randomized_response X R _ _ ε δ hε hδ hδ1
    (hM x x' hn) (hM x' x (nbr.symm _ _ hn)) cost hc

end PrivRef
