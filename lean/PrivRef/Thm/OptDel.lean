module

public import PrivRef.Thm.RandomizedResponse
public import PrivRef.Thm.Iter

/-!
Theorem 15: the optimal `δ` of an iterative mechanism.
-/

@[expose] public section

namespace PrivRef

universe u k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O : Type u}

theorem rr_nonneg (e δ : K) (he : 1 ≤ e) (h0 : 0 ≤ δ) (h1 : δ ≤ 1) (b : Bool) (q : Symbol) :
    0 ≤ rr e δ b q := by
  have hi : 0 ≤ (1 + e)⁻¹ := inv_nonneg_of_pos (by grind)
  have a1 : 0 ≤ (1 - δ) / (1 + e) := by
    rw [Lean.Grind.Field.div_eq_mul_inv]
    exact mul_nonneg' (by clear he h0 hi; grind) hi
  have a2 : 0 ≤ (1 - δ) * e / (1 + e) := by
    rw [Lean.Grind.Field.div_eq_mul_inv]
    exact mul_nonneg' (mul_nonneg' (by clear he h0 hi a1; grind) (by clear h0 h1 hi a1; grind)) hi
  cases b <;> cases q <;> simp only [rr] <;> (clear he h1 hi; grind)

/-! ### The value function is sublinear -/

theorem optValue_nonneg (P : IterParams K) (n k : Nat) (p0 p1 : K) : 0 ≤ optValue P n k p0 p1 := by
  induction n generalizing k p0 p1 with
  | zero => exact posPart_nonneg _
  | succ n ih =>
    have hc : 0 ≤ sumSymbols fun q => optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
        (p1 * rr (P.e k) (P.δ k) true q) := by
      simp only [sumSymbols]
      have a := ih (k + 1) (p0 * rr (P.e k) (P.δ k) false .zero)
          (p1 * rr (P.e k) (P.δ k) true .zero)
      have b := ih (k + 1) (p0 * rr (P.e k) (P.δ k) false .one) (p1 * rr (P.e k) (P.δ k) true .one)
      have c := ih (k + 1) (p0 * rr (P.e k) (P.δ k) false .two) (p1 * rr (P.e k) (P.δ k) true .two)
      have d := ih (k + 1) (p0 * rr (P.e k) (P.δ k) false .three)
        (p1 * rr (P.e k) (P.δ k) true .three)
      grind
    simp only [optValue]
    split
    · have := le_max2_right (p0 - P.Y k * p1) (sumSymbols fun q =>
        optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q))
      grind
    · exact hc

theorem posPart_mul {c : K} (hc : 0 ≤ c) (x : K) : posPart (c * x) = c * posPart x := by
  by_cases hx : 0 ≤ x
  · have h1 := mul_nonneg' hc hx
    unfold posPart
    rw [if_pos h1, if_pos hx]
  · have h1 := mul_nonneg' hc (show 0 ≤ -x by grind)
    unfold posPart
    rw [if_neg hx]
    split <;> grind

theorem max2_mul {c : K} (hc : 0 ≤ c) (x y : K) : max2 (c * x) (c * y) = c * max2 x y := by
  by_cases h : x ≤ y
  · have h1 := mul_le_left h hc
    unfold max2
    rw [if_pos h1, if_pos h]
  · have h1 := mul_le_left (show y ≤ x by grind) hc
    unfold max2
    rw [if_neg h]
    split <;> grind

theorem optValue_mul (P : IterParams K) (n k : Nat) {c : K} (hc : 0 ≤ c) (p0 p1 : K) :
    optValue P n k (c * p0) (c * p1) = c * optValue P n k p0 p1 := by
  induction n generalizing k p0 p1 with
  | zero =>
    simp only [optValue]
    rw [← posPart_mul hc]
    congr 1
    grind
  | succ n ih =>
    have h : ∀ q, optValue P n (k + 1) (c * p0 * rr (P.e k) (P.δ k) false q)
        (c * p1 * rr (P.e k) (P.δ k) true q)
        = c * optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
          (p1 * rr (P.e k) (P.δ k) true q) := by
      intro q
      rw [← ih]
      congr 1 <;> grind
    have hs : (sumSymbols fun q => optValue P n (k + 1) (c * p0 * rr (P.e k) (P.δ k) false q)
        (c * p1 * rr (P.e k) (P.δ k) true q))
        = c * sumSymbols fun q => optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
          (p1 * rr (P.e k) (P.δ k) true q) := by
      simp only [sumSymbols, h]
      clear hc ih h
      grind
    simp only [optValue, hs]
    split
    · rw [← max2_mul hc]
      congr 1
      clear hc ih h hs
      grind
    · rfl

theorem optValue_add (P : IterParams K) (n k : Nat) (a0 a1 b0 b1 : K) :
    optValue P n k (a0 + b0) (a1 + b1) ≤ optValue P n k a0 a1 + optValue P n k b0 b1 := by
  induction n generalizing k a0 a1 b0 b1 with
  | zero =>
    simp only [optValue]
    have h1 := le_posPart (a0 - P.Y k * a1)
    have h2 := le_posPart (b0 - P.Y k * b1)
    have h3 := posPart_nonneg (a0 - P.Y k * a1)
    have h4 := posPart_nonneg (b0 - P.Y k * b1)
    exact posPart_le (by grind) (by grind)
  | succ n ih =>
    have h : ∀ q, optValue P n (k + 1) ((a0 + b0) * rr (P.e k) (P.δ k) false q)
        ((a1 + b1) * rr (P.e k) (P.δ k) true q)
        ≤ optValue P n (k + 1) (a0 * rr (P.e k) (P.δ k) false q) (a1 * rr (P.e k) (P.δ k) true q)
        + optValue P n (k + 1) (b0 * rr (P.e k) (P.δ k) false q)
          (b1 * rr (P.e k) (P.δ k) true q) := by
      intro q
      have e0 : (a0 + b0) * rr (P.e k) (P.δ k) false q
          = a0 * rr (P.e k) (P.δ k) false q + b0 * rr (P.e k) (P.δ k) false q := by grind
      have e1 : (a1 + b1) * rr (P.e k) (P.δ k) true q
          = a1 * rr (P.e k) (P.δ k) true q + b1 * rr (P.e k) (P.δ k) true q := by grind
      rw [e0, e1]
      exact ih _ _ _ _ _
    have hs : (sumSymbols fun q => optValue P n (k + 1) ((a0 + b0) * rr (P.e k) (P.δ k) false q)
        ((a1 + b1) * rr (P.e k) (P.δ k) true q))
        ≤ (sumSymbols fun q => optValue P n (k + 1) (a0 * rr (P.e k) (P.δ k) false q)
          (a1 * rr (P.e k) (P.δ k) true q))
        + sumSymbols fun q => optValue P n (k + 1) (b0 * rr (P.e k) (P.δ k) false q)
          (b1 * rr (P.e k) (P.δ k) true q) := by
      have z := h .zero
      have o := h .one
      have t := h .two
      have r := h .three
      simp only [sumSymbols]
      grind
    simp only [optValue]
    revert hs
    generalize (sumSymbols fun q => optValue P n (k + 1) ((a0 + b0) * rr (P.e k) (P.δ k) false q)
        ((a1 + b1) * rr (P.e k) (P.δ k) true q)) = c
    generalize (sumSymbols fun q => optValue P n (k + 1) (a0 * rr (P.e k) (P.δ k) false q)
          (a1 * rr (P.e k) (P.δ k) true q)) = ca
    generalize (sumSymbols fun q => optValue P n (k + 1) (b0 * rr (P.e k) (P.δ k) false q)
          (b1 * rr (P.e k) (P.δ k) true q)) = cb
    intro hs
    split
    · have h1 := le_max2_left (a0 - P.Y k * a1) ca
      have h2 := le_max2_right (a0 - P.Y k * a1) ca
      have h3 := le_max2_left (b0 - P.Y k * b1) cb
      have h4 := le_max2_right (b0 - P.Y k * b1) cb
      exact max2_le (by clear ih h hs h2 h4; grind) (by clear ih h h1 h3; grind)
    · exact hs

/-! ### Randomized response is the worst case -/

/-- One step of the reduction (Lemma 13): a sublinear value of a pair of laws that is a
post-processing of randomized response is at most its value for randomized response. -/
theorem randomized_response_is_the_worst_case_of_one_step (P : IterParams K) (hP : P.Ok) (n k : Nat)
    (μ ν : FinLaw K O) (h0 : ∀ S : O → Prop, μ.pr S ≤ P.e k * ν.pr S + P.δ k)
    (h1 : ∀ S : O → Prop, ν.pr S ≤ P.e k * μ.pr S + P.δ k) (p0 p1 : K) (F G : O → K)
    (hFG : ∀ o (a b : K), 0 ≤ a → 0 ≤ b →
      p0 * a * F o - p1 * b * G o ≤ optValue P n (k + 1) (p0 * a) (p1 * b)) :
    p0 * μ.E F - p1 * ν.E G ≤ sumSymbols fun q =>
      optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q) := by
  obtain ⟨T, hT⟩ := indistinguishable_laws_are_post_processed_randomized_response μ ν (P.e k)
      (P.δ k)
    (hP.one_le_e k) (hP.δ_le_one k) h0 h1
  obtain ⟨os, hn, hc⟩ := exists_cover ((μ.list ++ ν.list ++ (T .zero).list ++ (T .one).list
    ++ (T .two).list ++ (T .three).list).map fun q => q.1)
  have hc' : ∀ q, q ∈ μ.list ∨ q ∈ ν.list ∨ q ∈ (T .zero).list ∨ q ∈ (T .one).list ∨
      q ∈ (T .two).list ∨ q ∈ (T .three).list → q.1 ∈ os := by
    intro q hq
    apply hc q.1
    apply List.mem_map.mpr
    refine ⟨q, ?_, rfl⟩
    simp only [List.mem_append]
    clear hP h0 h1 hFG hT hn hc
    grind
  have hTs : ∀ s, ∀ q ∈ (T s).list, q.1 ∈ os := by
    intro s q hq
    apply hc'
    cases s <;> simp only [hq, or_true, true_or]
  have eμ : μ.E F = lsum os fun o => F o * μ.mass o :=
    wsum_eq_lsum μ.list os hn (fun q hq => hc' q (Or.inl hq)) F
  have eν : ν.E G = lsum os fun o => G o * ν.mass o :=
    wsum_eq_lsum ν.list os hn (fun q hq => hc' q (Or.inr (Or.inl hq))) G
  have step1 : p0 * μ.E F - p1 * ν.E G
      ≤ lsum os fun o => optValue P n (k + 1) (p0 * μ.mass o) (p1 * ν.mass o) := by
    have e1 : p0 * μ.E F - p1 * ν.E G
        = lsum os fun o => p0 * (F o * μ.mass o) + (-p1) * (G o * ν.mass o) := by
      rw [lsum_add, lsum_smul, lsum_smul, ← eμ, ← eν]
      clear hP h0 h1 hFG hT hn hc hc' hTs eμ eν
      grind
    rw [e1]
    apply lsum_le
    intro o _
    have := hFG o (μ.mass o) (ν.mass o) (mass_nonneg μ o) (mass_nonneg ν o)
    clear hP h0 h1 hFG hT hn hc hc' hTs eμ eν e1
    grind
  have step2 : ∀ o, optValue P n (k + 1) (p0 * μ.mass o) (p1 * ν.mass o)
      ≤ sumSymbols fun q => (T q).mass o * optValue P n (k + 1)
        (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q) := by
    intro o
    have ho := hT fun x => ind (x = o)
    have m0 : p0 * μ.mass o = (p0 * rr (P.e k) (P.δ k) false .zero) * (T .zero).mass o
        + ((p0 * rr (P.e k) (P.δ k) false .one) * (T .one).mass o
        + ((p0 * rr (P.e k) (P.δ k) false .two) * (T .two).mass o
        + (p0 * rr (P.e k) (P.δ k) false .three) * (T .three).mass o)) := by
      have := ho.1
      simp only [sumSymbols] at this
      show p0 * μ.E (fun x => ind (x = o)) = _ * (T .zero).E (fun x => ind (x = o))
        + (_ * (T .one).E (fun x => ind (x = o)) + (_ * (T .two).E (fun x => ind (x = o))
        + _ * (T .three).E (fun x => ind (x = o))))
      rw [this]
      clear hP h0 h1 hFG hT hn hc hc' hTs eμ eν step1 ho
      grind
    have m1 : p1 * ν.mass o = (p1 * rr (P.e k) (P.δ k) true .zero) * (T .zero).mass o
        + ((p1 * rr (P.e k) (P.δ k) true .one) * (T .one).mass o
        + ((p1 * rr (P.e k) (P.δ k) true .two) * (T .two).mass o
        + (p1 * rr (P.e k) (P.δ k) true .three) * (T .three).mass o)) := by
      have := ho.2
      simp only [sumSymbols] at this
      show p1 * ν.E (fun x => ind (x = o)) = _ * (T .zero).E (fun x => ind (x = o))
        + (_ * (T .one).E (fun x => ind (x = o)) + (_ * (T .two).E (fun x => ind (x = o))
        + _ * (T .three).E (fun x => ind (x = o))))
      rw [this]
      clear hP h0 h1 hFG hT hn hc hc' hTs eμ eν step1 ho m0
      grind
    have hom : ∀ q, optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q * (T q).mass o)
        (p1 * rr (P.e k) (P.δ k) true q * (T q).mass o)
        = (T q).mass o * optValue P n (k + 1)
        (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q) := by
      intro q
      rw [← optValue_mul P n (k + 1) (mass_nonneg (T q) o)]
      congr 1 <;> (clear hP h0 h1 hFG hT hn hc hc' hTs eμ eν step1 ho m0 m1; grind)
    rw [m0, m1]
    have a := optValue_add P n (k + 1) (p0 * rr (P.e k) (P.δ k) false .zero * (T .zero).mass o)
      (p1 * rr (P.e k) (P.δ k) true .zero * (T .zero).mass o)
      ((p0 * rr (P.e k) (P.δ k) false .one) * (T .one).mass o
        + ((p0 * rr (P.e k) (P.δ k) false .two) * (T .two).mass o
        + (p0 * rr (P.e k) (P.δ k) false .three) * (T .three).mass o))
      ((p1 * rr (P.e k) (P.δ k) true .one) * (T .one).mass o
        + ((p1 * rr (P.e k) (P.δ k) true .two) * (T .two).mass o
        + (p1 * rr (P.e k) (P.δ k) true .three) * (T .three).mass o))
    have b := optValue_add P n (k + 1) (p0 * rr (P.e k) (P.δ k) false .one * (T .one).mass o)
      (p1 * rr (P.e k) (P.δ k) true .one * (T .one).mass o)
      ((p0 * rr (P.e k) (P.δ k) false .two) * (T .two).mass o
        + (p0 * rr (P.e k) (P.δ k) false .three) * (T .three).mass o)
      ((p1 * rr (P.e k) (P.δ k) true .two) * (T .two).mass o
        + (p1 * rr (P.e k) (P.δ k) true .three) * (T .three).mass o)
    have c := optValue_add P n (k + 1) (p0 * rr (P.e k) (P.δ k) false .two * (T .two).mass o)
      (p1 * rr (P.e k) (P.δ k) true .two * (T .two).mass o)
      ((p0 * rr (P.e k) (P.δ k) false .three) * (T .three).mass o)
      ((p1 * rr (P.e k) (P.δ k) true .three) * (T .three).mass o)
    rw [hom] at a b c
    rw [hom .three] at c
    simp only [sumSymbols]
    clear hP h0 h1 hFG hT hn hc hc' hTs eμ eν step1 ho m0 m1 hom
    grind
  have step3 := lsum_le os _ _ fun o _ => step2 o
  have tot : ∀ q, lsum os (fun o => (T q).mass o) = 1 := by
    intro q
    rw [← (T q).total, wsum_eq_lsum (T q).list os hn (hTs q)]
    apply lsum_congr
    intro o _
    show (T q).mass o = 1 * (T q).mass o
    clear hP h0 h1 hFG hT hn hc hc' hTs eμ eν step1 step2 step3
    grind
  have step4 : lsum os (fun o => sumSymbols fun q => (T q).mass o * optValue P n (k + 1)
        (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q))
      = sumSymbols fun q => optValue P n (k + 1)
        (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q) := by
    have pull : ∀ (q : Symbol) (c : K), lsum os (fun o => (T q).mass o * c) = c := by
      intro q c
      have : lsum os (fun o => (T q).mass o * c) = lsum os fun o => c * (T q).mass o :=
        lsum_congr _ _ _ fun o _ => by grind
      rw [this, lsum_smul, tot]
      clear hP h0 h1 hFG hT hn hc hc' hTs eμ eν step1 step2 step3 tot
      grind
    simp only [sumSymbols]
    rw [lsum_add, lsum_add, lsum_add, pull, pull, pull, pull]
  rw [step4] at step3
  clear hP h0 h1 hFG hT hn hc hc' hTs eμ eν step2 tot step4
  grind

/-- The value of any iteration, with any randomized stopping, is at most the backward recursion. -/
theorem value_le_optValue (P : IterParams K) (hP : P.Ok) (nbr : Neighbours D) (M : Iteration K D O)
    (hM : IterationDP P nbr M) (s : List O → K) (hs0 : ∀ v, 0 ≤ s v) (hs1 : ∀ v, s v ≤ 1)
    (hstop : ∀ v, s v ≠ 0 → P.stop v.length = true) (x x' : D) (hx : nbr.rel x x') (f : List O → K)
    (hf0 : ∀ v, 0 ≤ f v) (hf1 : ∀ v, f v ≤ 1) (n : Nat) (past : List O) (p0 p1 : K) :
    p0 * iterRandE M s x n past f - p1 * iterRandE M s x' n past (fun v => P.Y v.length * f v)
      ≤ optValue P n past.length p0 p1 := by
  induction n generalizing past p0 p1 with
  | zero =>
    simp only [iterRandE, optValue]
    have h1 := le_posPart (p0 - P.Y past.length * p1)
    have h2 := posPart_nonneg (p0 - P.Y past.length * p1)
    have h3 := mul_le_left h1 (hf0 past)
    have h4 := mul_le_right (hf1 past) h2
    clear hP hM hs0 hs1 hstop hx hf0 hf1 h1 h2
    grind
  | succ n ih =>
    have hcont : p0 * (M past x).E (fun o => iterRandE M s x n (past ++ [o]) f)
        - p1 * (M past x').E (fun o => iterRandE M s x' n (past ++ [o])
            fun v => P.Y v.length * f v)
        ≤ sumSymbols fun q => optValue P n (past.length + 1)
          (p0 * rr (P.e past.length) (P.δ past.length) false q)
          (p1 * rr (P.e past.length) (P.δ past.length) true q) := by
      apply randomized_response_is_the_worst_case_of_one_step P hP n past.length (M past x)
        (M past x') (hM past x x' hx) (hM past x' x (nbr.symm _ _ hx))
      intro o a b _ _
      have := ih (past ++ [o]) (p0 * a) (p1 * b)
      have e : (past ++ [o]).length = past.length + 1 := by simp
      rw [e] at this
      exact this
    simp only [iterRandE, optValue]
    revert hcont
    have hc0 : 0 ≤ sumSymbols fun q => optValue P n (past.length + 1)
          (p0 * rr (P.e past.length) (P.δ past.length) false q)
          (p1 * rr (P.e past.length) (P.δ past.length) true q) := by
      have h := fun q => optValue_nonneg P n (past.length + 1)
          (p0 * rr (P.e past.length) (P.δ past.length) false q)
          (p1 * rr (P.e past.length) (P.δ past.length) true q)
      have a := h .zero
      have b := h .one
      have c := h .two
      have d := h .three
      simp only [sumSymbols]
      clear hP hM hs0 hs1 hstop hx hf0 hf1 ih h
      grind
    revert hc0
    generalize (sumSymbols fun q => optValue P n (past.length + 1)
          (p0 * rr (P.e past.length) (P.δ past.length) false q)
          (p1 * rr (P.e past.length) (P.δ past.length) true q)) = c
    generalize (M past x).E (fun o => iterRandE M s x n (past ++ [o]) f) = F
    generalize (M past x').E (fun o => iterRandE M s x' n (past ++ [o])
            fun v => P.Y v.length * f v) = G
    intro hc0 hcont
    by_cases h : s past = 0
    · rw [h]
      split
      · have := le_max2_right (p0 - P.Y past.length * p1) c
        clear hP hM hs0 hs1 hstop hx hf0 hf1 ih hc0 h
        grind
      · clear hP hM hs0 hs1 hstop hx hf0 hf1 ih hc0 h; grind
    · rw [if_pos (hstop past h)]
      have h1 := le_max2_left (p0 - P.Y past.length * p1) c
      have h2 := le_max2_right (p0 - P.Y past.length * p1) c
      generalize max2 (p0 - P.Y past.length * p1) c = m at h1 h2
      have h3 : f past * (p0 - P.Y past.length * p1) ≤ m := by
        have h4 := mul_le_left h1 (hf0 past)
        have h5 := mul_le_right (hf1 past) (show 0 ≤ m by grind)
        clear hP hM hs0 hs1 hstop hx hf0 hf1 ih hc0 hcont h h1 h2
        grind
      have h6 := mul_le_left h3 (hs0 past)
      have h7 := mul_le_left (show p0 * F - p1 * G ≤ m by grind)
        (show 0 ≤ 1 - s past by have := hs1 past; grind)
      clear hP hM hs0 hs1 hstop hx hf0 hf1 ih hc0 hcont h h1 h2 h3
      grind

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- Deterministic stopping is a case of randomized stopping. -/
theorem iterE_eq_iterRandE (M : Iteration K D O) (h : List O → Bool) (x : D) (n : Nat)
    (past : List O) (f : List O → K) :
    iterE M h x n past f = iterRandE M (fun v => ind (h v = true)) x n past f := by
  induction n generalizing past with
  | zero => rfl
  | succ n ih =>
    simp only [iterE, iterRandE, ih]
    by_cases hp : h past = true
    · rw [if_pos hp, ind_true hp]; grind
    · rw [if_neg hp, ind_false hp]; grind

/-! ### The value is attained -/

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem wordPr_append (P : IterParams K) (b : Bool) (k : Nat) (w : List Symbol) (q : Symbol) :
    wordPr P b k (w ++ [q])
      = wordPr P b k w * rr (P.e (k + w.length)) (P.δ (k + w.length)) b q := by
  induction w generalizing k with
  | nil => simp only [wordPr, List.nil_append, List.length_nil, Nat.add_zero]; grind
  | cons s w ih =>
    have e : k + 1 + w.length = k + (s :: w).length := by simp only [List.length_cons]; omega
    simp only [List.cons_append, wordPr, ih, e]
    grind

/-- The value of continuing after the word `w`, with `n` responses to come. -/
noncomputable def continueValue (P : IterParams K) (n : Nat) (w : List Symbol) : K :=
  sumSymbols fun q => optValue P n (w.length + 1)
    (wordPr P false 0 w * rr (P.e w.length) (P.δ w.length) false q)
    (wordPr P true 0 w * rr (P.e w.length) (P.δ w.length) true q)

/-- The value of stopping after the word `w`. -/
noncomputable def stopValue (P : IterParams K) (w : List Symbol) : K :=
  wordPr P false 0 w - P.Y w.length * wordPr P true 0 w

/-- The optimal stopping criterion: stop where it is allowed and at least as good as continuing. -/
noncomputable def optRule (P : IterParams K) (N : Nat) (w : List Symbol) : Bool :=
  open Classical in
  decide (P.stop w.length = true ∧ continueValue P (N - w.length - 1) w ≤ stopValue P w)

open Classical in
omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem optRule_iff (P : IterParams K) (N : Nat) (w : List Symbol) : optRule P N w = true ↔
    P.stop w.length = true ∧ continueValue P (N - w.length - 1) w ≤ stopValue P w :=
  decide_eq_true_iff

theorem rrIteration_E (P : IterParams K) (hP : P.Ok) (past : List Symbol) (b : Bool)
    (f : Symbol → K) :
    (rrIteration P hP past b).E f
      = sumSymbols fun q => rr (P.e past.length) (P.δ past.length) b q * f q := by
  show rr _ _ b .zero * f .zero + (rr _ _ b .one * f .one + (rr _ _ b .two * f .two
    + (rr _ _ b .three * f .three + 0))) = _
  simp only [sumSymbols]
  grind

theorem optValue_is_attained (P : IterParams K) (hP : P.Ok) (N n : Nat) (past : List Symbol)
    (hN : n + past.length = N) :
    wordPr P false 0 past * iterE (rrIteration P hP) (optRule P N) false n past
        (fun v => ind (0 ≤ stopValue P v))
      - wordPr P true 0 past * iterE (rrIteration P hP) (optRule P N) true n past
        (fun v => P.Y v.length * ind (0 ≤ stopValue P v))
      = optValue P n past.length (wordPr P false 0 past) (wordPr P true 0 past) := by
  induction n generalizing past with
  | zero =>
    simp only [iterE, optValue]
    have e : wordPr P false 0 past - P.Y past.length * wordPr P true 0 past = stopValue P past :=
        rfl
    by_cases h : 0 ≤ stopValue P past
    · rw [ind_true h]
      unfold posPart
      rw [if_pos (by rw [e]; exact h)]
      clear hP hN e h
      grind
    · rw [ind_false h]
      unfold posPart
      rw [if_neg (by rw [e]; exact h)]
      clear hP hN e h
      grind
  | succ n ih =>
    have hn : N - past.length - 1 = n := by omega
    have hc0 : 0 ≤ continueValue P n past := by
      have h := fun q => optValue_nonneg P n (past.length + 1)
          (wordPr P false 0 past * rr (P.e past.length) (P.δ past.length) false q)
          (wordPr P true 0 past * rr (P.e past.length) (P.δ past.length) true q)
      have a := h .zero
      have b := h .one
      have c := h .two
      have d := h .three
      simp only [continueValue, sumSymbols]
      clear hP ih hN hn h
      grind
    have ev : optValue P (n + 1) past.length (wordPr P false 0 past) (wordPr P true 0 past)
        = if P.stop past.length then max2 (stopValue P past) (continueValue P n past)
          else continueValue P n past := rfl
    rw [ev]
    simp only [iterE]
    by_cases h : optRule P N past = true
    · have h' : P.stop past.length = true ∧ continueValue P n past ≤ stopValue P past := by
        have := (optRule_iff P N past).mp h
        rw [hn] at this
        exact this
      rw [if_pos h, if_pos h, if_pos h'.1, ind_true (show 0 ≤ stopValue P past by grind)]
      have hm : max2 (stopValue P past) (continueValue P n past) = stopValue P past := by
        have h1 := max2_le (x := stopValue P past) (y := continueValue P n past)
          (z := stopValue P past) (by clear hP ih hN hn hc0 ev h h'; grind) h'.2
        have h2 := le_max2_left (stopValue P past) (continueValue P n past)
        clear hP ih hN hn hc0 ev h h'
        grind
      rw [hm]
      simp only [stopValue]
      clear hP ih hN hn hc0 ev h h' hm
      grind
    · have h' : ¬ (P.stop past.length = true ∧ continueValue P n past ≤ stopValue P past) := by
        intro h2
        apply h
        apply (optRule_iff P N past).mpr
        rw [hn]
        exact h2
      have hr : (if P.stop past.length then max2 (stopValue P past) (continueValue P n past)
          else continueValue P n past) = continueValue P n past := by
        split
        · rename_i hs
          have h3 : ¬ continueValue P n past ≤ stopValue P past := fun h4 => h' ⟨hs, h4⟩
          have h1 := max2_le (x := stopValue P past) (y := continueValue P n past)
            (z := continueValue P n past) (by clear hP ih hN hn hc0 ev h h3; grind) (by grind)
          have h2 := le_max2_right (stopValue P past) (continueValue P n past)
          clear hP ih hN hn hc0 ev h h' hs h3
          grind
        · rfl
      rw [if_neg h, if_neg h, hr, rrIteration_E, rrIteration_E]
      have child : ∀ q, wordPr P false 0 past * (rr (P.e past.length) (P.δ past.length) false q *
            iterE (rrIteration P hP) (optRule P N) false n (past ++ [q])
              (fun v => ind (0 ≤ stopValue P v)))
          - wordPr P true 0 past * (rr (P.e past.length) (P.δ past.length) true q *
            iterE (rrIteration P hP) (optRule P N) true n (past ++ [q])
              (fun v => P.Y v.length * ind (0 ≤ stopValue P v)))
          = optValue P n (past.length + 1)
            (wordPr P false 0 past * rr (P.e past.length) (P.δ past.length) false q)
            (wordPr P true 0 past * rr (P.e past.length) (P.δ past.length) true q) := by
        intro q
        have e : (past ++ [q]).length = past.length + 1 := by simp
        have := ih (past ++ [q]) (by rw [e]; omega)
        rw [wordPr_append, wordPr_append, e, Nat.zero_add] at this
        clear ih hN hn hc0 ev h h' hr e
        grind
      have z := child .zero
      have o := child .one
      have t := child .two
      have r := child .three
      simp only [sumSymbols, continueValue]
      clear ih hN hn hc0 ev h h' hr child
      grind

/-! ### Prefix-free families -/

/-- The sum over a family, computed along the tree. -/
noncomputable def treeValue (P : IterParams K) : Nat → Nat → K → K → (List Symbol → Prop) → K
  | 0, k, p0, p1, Q => ind (Q []) * (p0 - P.Y k * p1)
  | n + 1, k, p0, p1, Q => ind (Q []) * (p0 - P.Y k * p1)
      + sumSymbols fun q => treeValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
        (p1 * rr (P.e k) (P.δ k) true q) fun w => Q (q :: w)

section

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem lsum_map {ι κ : Type u} (l : List ι) (g : ι → κ) (F : κ → K) :
    lsum (l.map g) F = lsum l fun i => F (g i) := by
  induction l with
  | nil => rfl
  | cons i l ih => simp only [List.map_cons, lsum, ih]

theorem lsum_words (k : Nat) (F : List Symbol → K) :
    lsum (words (k + 1)) F = sumSymbols fun q => lsum (words k) fun w => F (q :: w) := by
  simp only [words, lsum_append, lsum_map, sumSymbols]

theorem lsum_sumSymbols (l : List Nat) (F : Symbol → Nat → K) :
    lsum l (fun j => sumSymbols fun q => F q j) = sumSymbols fun q => lsum l (F q) := by
  simp only [sumSymbols, lsum_add]

theorem treeValue_eq (P : IterParams K) (n k : Nat) (p0 p1 : K) (Q : List Symbol → Prop) :
    treeValue P n k p0 p1 Q = lsum (upTo n) fun j => lsum (words j) fun w =>
      ind (Q w) * (p0 * wordPr P false k w - P.Y (k + j) * (p1 * wordPr P true k w)) := by
  induction n generalizing k p0 p1 Q with
  | zero =>
    simp only [treeValue, upTo, lsum, words, wordPr, Nat.add_zero]
    grind
  | succ n ih =>
    simp only [treeValue, upTo, lsum, lsum_map]
    have e0 : lsum (words 0) (fun w => ind (Q w) *
        (p0 * wordPr P false k w - P.Y (k + 0) * (p1 * wordPr P true k w)))
        = ind (Q []) * (p0 - P.Y k * p1) := by
      simp only [words, lsum, wordPr, Nat.add_zero]
      grind
    rw [e0]
    have e1 : (lsum (upTo n) fun j => lsum (words (j + 1)) fun w => ind (Q w) *
        (p0 * wordPr P false k w - P.Y (k + (j + 1)) * (p1 * wordPr P true k w)))
        = sumSymbols fun q => treeValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
        (p1 * rr (P.e k) (P.δ k) true q) fun w => Q (q :: w) := by
      simp only [lsum_words, lsum_sumSymbols, ih]
      congr 1
      funext q
      apply lsum_congr
      intro j _
      apply lsum_congr
      intro w _
      have e2 : k + (j + 1) = k + 1 + j := by omega
      simp only [wordPr, e2]
      clear ih e0 e2
      grind
    rw [e1]

end

/-- The condition of `PrefixFree` seen from a node after `k` symbols. -/
structure PrefixFreeFrom (P : IterParams K) (n k : Nat) (Q : List Symbol → Prop) : Prop where
  stops : ∀ w, Q w → w.length ≤ n ∧ (P.stop (k + w.length) = true ∨ w.length = n)
  free : ∀ w w', Q w → Q (w ++ w') → w' = []

omit [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem prefixFreeFrom_child {P : IterParams K} {n k : Nat} {Q : List Symbol → Prop}
    (h : PrefixFreeFrom P (n + 1) k Q) (q : Symbol) :
    PrefixFreeFrom P n (k + 1) fun w => Q (q :: w) := by
  refine ⟨fun w hw => ?_, fun w w' hw hw' => h.free (q :: w) w' hw hw'⟩
  have := h.stops (q :: w) hw
  simp only [List.length_cons] at this
  have e : k + (w.length + 1) = k + 1 + w.length := by omega
  rw [e] at this
  refine ⟨by omega, ?_⟩
  rcases this.2 with h1 | h1
  · exact Or.inl h1
  · right; omega

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem treeValue_empty (P : IterParams K) (n k : Nat) (p0 p1 : K) (Q : List Symbol → Prop)
    (h : ∀ w, ¬ Q w) : treeValue P n k p0 p1 Q = 0 := by
  induction n generalizing k p0 p1 Q with
  | zero => simp only [treeValue]; rw [ind_false (h [])]; grind
  | succ n ih =>
    simp only [treeValue]
    rw [ind_false (h [])]
    have : ∀ q, treeValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
        (p1 * rr (P.e k) (P.δ k) true q) (fun w => Q (q :: w)) = 0 := fun q =>
      ih _ _ _ _ fun w => h (q :: w)
    simp only [sumSymbols, this]
    grind

theorem treeValue_le_optValue (P : IterParams K) (n k : Nat) (p0 p1 : K) (Q : List Symbol → Prop)
    (h : PrefixFreeFrom P n k Q) : treeValue P n k p0 p1 Q ≤ optValue P n k p0 p1 := by
  induction n generalizing k p0 p1 Q with
  | zero =>
    simp only [treeValue, optValue]
    have h1 := le_posPart (p0 - P.Y k * p1)
    have h2 := posPart_nonneg (p0 - P.Y k * p1)
    by_cases hq : Q []
    · rw [ind_true hq]; clear h h2 hq; grind
    · rw [ind_false hq]; clear h h1 hq; grind
  | succ n ih =>
    simp only [treeValue, optValue]
    by_cases hq : Q []
    · have hz : ∀ q, treeValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
          (p1 * rr (P.e k) (P.δ k) true q) (fun w => Q (q :: w)) = 0 := fun q =>
        treeValue_empty P n _ _ _ _ fun w hw => by
          have := h.free [] (q :: w) hq hw
          simp at this
      have hs : P.stop k = true := by
        have := (h.stops [] hq).2
        simpa using this
      rw [ind_true hq, if_pos hs]
      have hz' : (sumSymbols fun q => treeValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
          (p1 * rr (P.e k) (P.δ k) true q) fun w => Q (q :: w)) = 0 := by
        simp only [sumSymbols, hz]
        clear ih h hq hz hs
        grind
      rw [hz']
      have := le_max2_left (p0 - P.Y k * p1) (sumSymbols fun q =>
        optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q))
      clear ih h hq hz hs hz'
      grind
    · rw [ind_false hq]
      have hle : (sumSymbols fun q => treeValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
          (p1 * rr (P.e k) (P.δ k) true q) fun w => Q (q :: w))
          ≤ sumSymbols fun q => optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
            (p1 * rr (P.e k) (P.δ k) true q) := by
        have hch := fun q => ih (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
          (p1 * rr (P.e k) (P.δ k) true q) _ (prefixFreeFrom_child h q)
        have a := hch .zero
        have b := hch .one
        have c := hch .two
        have d := hch .three
        simp only [sumSymbols]
        clear ih h hq hch
        grind
      split
      · have := le_max2_right (p0 - P.Y k * p1) (sumSymbols fun q =>
          optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q))
        clear ih h hq
        grind
      · clear ih h hq; grind

theorem exists_family_attaining_optValue (P : IterParams K) (n k : Nat) (p0 p1 : K) :
    ∃ Q : List Symbol → Prop, PrefixFreeFrom P n k Q ∧
      treeValue P n k p0 p1 Q = optValue P n k p0 p1 := by
  induction n generalizing k p0 p1 with
  | zero =>
    refine ⟨fun w => w = [] ∧ 0 ≤ p0 - P.Y k * p1, ⟨?_, ?_⟩, ?_⟩
    · rintro w ⟨rfl, _⟩; simp
    · rintro w w' ⟨rfl, _⟩ ⟨h, _⟩
      simpa using h
    · show ind (([] : List Symbol) = [] ∧ 0 ≤ p0 - P.Y k * p1) * (p0 - P.Y k * p1)
        = posPart (p0 - P.Y k * p1)
      unfold posPart
      by_cases h : 0 ≤ p0 - P.Y k * p1
      · rw [ind_true ⟨rfl, h⟩, if_pos h]; grind
      · rw [ind_false fun h' => h h'.2, if_neg h]; grind
  | succ n ih =>
    have hch := fun q => ih (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
      (p1 * rr (P.e k) (P.δ k) true q)
    let c := sumSymbols fun q => optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
      (p1 * rr (P.e k) (P.δ k) true q)
    by_cases h : P.stop k = true ∧ c ≤ p0 - P.Y k * p1
    · refine ⟨fun w => w = [], ⟨?_, ?_⟩, ?_⟩
      · rintro w rfl
        exact ⟨by simp, Or.inl (by simpa using h.1)⟩
      · rintro w w' rfl h'
        simpa using h'
      · show ind (([] : List Symbol) = []) * (p0 - P.Y k * p1)
          + (sumSymbols fun q => treeValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
            (p1 * rr (P.e k) (P.δ k) true q) fun w => q :: w = [])
          = if P.stop k then max2 (p0 - P.Y k * p1) c else c
        rw [ind_true rfl, if_pos h.1]
        have hz : (sumSymbols fun q => treeValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
            (p1 * rr (P.e k) (P.δ k) true q) fun w => q :: w = []) = 0 := by
          have hz : ∀ q, treeValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
              (p1 * rr (P.e k) (P.δ k) true q) (fun w => q :: w = []) = 0 := fun q =>
            treeValue_empty P n _ _ _ _ fun w hw => by simp at hw
          simp only [sumSymbols, hz]
          clear ih hch h hz
          grind
        rw [hz]
        have h1 := max2_le (x := p0 - P.Y k * p1) (y := c) (z := p0 - P.Y k * p1) (by grind) h.2
        have h2 := le_max2_left (p0 - P.Y k * p1) c
        show 1 * (p0 - P.Y k * p1) + 0 = max2 (p0 - P.Y k * p1) c
        clear ih hch h hz
        grind
    · refine ⟨fun w => match w with
        | [] => False
        | q :: w => Classical.choose (hch q) w, ⟨?_, ?_⟩, ?_⟩
      · intro w hw
        cases w with
        | nil => exact hw.elim
        | cons q w =>
          have := (Classical.choose_spec (hch q)).1.stops w hw
          simp only [List.length_cons]
          have e : k + (w.length + 1) = k + 1 + w.length := by omega
          rw [e]
          refine ⟨by omega, ?_⟩
          rcases this.2 with h1 | h1
          · exact Or.inl h1
          · right; omega
      · intro w w' hw hw'
        cases w with
        | nil => exact hw.elim
        | cons q w => exact (Classical.choose_spec (hch q)).1.free w w' hw hw'
      · simp only [treeValue, optValue]
        rw [ind_false (fun h => h)]
        have hsum : (sumSymbols fun q => treeValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q)
            (p1 * rr (P.e k) (P.δ k) true q) fun w => Classical.choose (hch q) w) = c := by
          have hq := fun q => (Classical.choose_spec (hch q)).2
          simp only [sumSymbols, c]
          have a := hq .zero
          have b := hq .one
          have d := hq .two
          have e := hq .three
          clear ih h hq
          grind
        have hgoal : (0 : K) * (p0 - P.Y k * p1) + c
            = if P.stop k then max2 (p0 - P.Y k * p1) c else c := by
          split
          · rename_i hs
            have h3 : ¬ c ≤ p0 - P.Y k * p1 := fun h4 => h ⟨hs, h4⟩
            have h1 := max2_le (x := p0 - P.Y k * p1) (y := c) (z := c) (by grind) (by grind)
            have h2 := le_max2_right (p0 - P.Y k * p1) c
            clear ih hch h hsum hs h3
            grind
          · clear ih hch h hsum; grind
        rw [hsum]
        exact hgoal

/-- **Optimal stopping is the backward recursion** (Hartmann et al. 2022, right-hand side of
Eq. (3)).  The recursion `optDel` is the maximum, over the families `PrefixFree` of words, of
`∑_i [Pr_0(Q_{k_i}) - e^{E(P_i)} Pr_1(Q_{k_i})]`: no family exceeds it, and one attains it. -/
theorem backward_recursion_is_the_maximum_over_prefix_free_families (P : IterParams K) (n : Nat) :
    (∀ Q, PrefixFree P n Q → familyValue P n Q ≤ optDel P n) ∧
    ∃ Q, PrefixFree P n Q ∧ familyValue P n Q = optDel P n := by
  have e : ∀ Q, familyValue P n Q = treeValue P n 0 1 1 Q := by
    intro Q
    rw [treeValue_eq]
    apply lsum_congr
    intro k _
    apply lsum_congr
    intro w _
    rw [Nat.zero_add]
    grind
  constructor
  · intro Q hQ
    rw [e]
    refine treeValue_le_optValue P n 0 1 1 Q ⟨fun w hw => ?_, hQ.free⟩
    rw [Nat.zero_add]
    exact hQ.stops w hw
  · obtain ⟨Q, hQ, hv⟩ := exists_family_attaining_optValue P n 0 1 1
    refine ⟨Q, ⟨fun w hw => ?_, hQ.free⟩, by rw [e]; exact hv⟩
    have := hQ.stops w hw
    rw [Nat.zero_add] at this
    exact this

/-- **Randomized stopping is no better.**  Whatever `(ε_k, δ_k)`-DP mechanisms an iteration runs and
however it randomizes its stopping, its excess `E_x f - E_{x'} e^{E} f` is at most `optDel`. -/
theorem randomized_stopping_is_no_better (P : IterParams K) (hP : P.Ok) (nbr : Neighbours D)
    (M : Iteration K D O) (hM : IterationDP P nbr M) (s : List O → K) (hs0 : ∀ v, 0 ≤ s v)
    (hs1 : ∀ v, s v ≤ 1) (hstop : ∀ v, s v ≠ 0 → P.stop v.length = true) (x x' : D)
    (hx : nbr.rel x x') (f : List O → K) (hf0 : ∀ v, 0 ≤ f v) (hf1 : ∀ v, f v ≤ 1) (n : Nat) :
    iterRandE M s x n [] f
      ≤ optDel P n + iterRandE M s x' n [] fun v => P.Y v.length * f v := by
  have := value_le_optValue P hP nbr M hM s hs0 hs1 hstop x x' hx f hf0 hf1 n [] 1 1
  simp only [List.length_nil] at this
  unfold optDel
  clear hP hM hs0 hs1 hstop hx hf0 hf1
  grind

theorem mem_upTo {n k : Nat} : k ∈ upTo n ↔ k ≤ n := by
  induction n generalizing k with
  | zero => simp [upTo]
  | succ n ih =>
    simp only [upTo, List.mem_cons, List.mem_map]
    constructor
    · rintro (h | ⟨j, hj, h⟩)
      · omega
      · have := ih.mp hj
        omega
    · intro h
      cases k with
      | zero => exact Or.inl rfl
      | succ k => exact Or.inr ⟨k, ih.mpr (by omega), rfl⟩

theorem nodup_upTo (n : Nat) : (upTo n).Nodup := by
  induction n with
  | zero => simp [upTo]
  | succ n ih =>
    simp only [upTo]
    apply List.nodup_cons.mpr
    constructor
    · intro h
      obtain ⟨j, _, hj⟩ := List.mem_map.mp h
      omega
    · exact List.Pairwise.map (· + 1) (fun a b hab h => hab (Nat.succ.inj h)) ih

/-- The sum over lengths in Definition 2 is one weighted expectation. -/
theorem sum_over_lengths (P : IterParams K) (M : Iteration K D O) (h : List O → Bool) (n : Nat)
    (x : D) (S : List O → Prop) :
    (lsum (upTo n) fun k => P.Y k * iterPr M h n x fun v => S v ∧ v.length = k)
      = iterE M h x n [] fun v => P.Y v.length * ind (S v) := by
  have e1 : (lsum (upTo n) fun k => P.Y k * iterPr M h n x fun v => S v ∧ v.length = k)
      = iterE M h x n [] fun v => lsum (upTo n) fun k => P.Y k * ind (S v ∧ v.length = k) := by
    have e2 : ∀ l : List Nat, iterE M h x n []
          (fun v => lsum l fun k => P.Y k * ind (S v ∧ v.length = k))
        = lsum l fun k => P.Y k * iterPr M h n x fun v => S v ∧ v.length = k := by
      intro l
      induction l with
      | nil => exact iterE_const M h x n [] 0
      | cons k l ih =>
        simp only [lsum]
        rw [iterE_add, ih, iterE_smul]
        rfl
    exact (e2 (upTo n)).symm
  rw [e1]
  apply iterE_congr
  intro w hw _
  have e3 : (fun k => P.Y k * (ind (S ([] ++ w) ∧ ([] ++ w).length = k) : K))
      = fun k => ind (w.length = k) * (P.Y w.length * ind (S ([] ++ w))) := by
    funext k
    simp only [List.nil_append]
    by_cases h1 : w.length = k
    · subst h1
      by_cases h2 : S w
      · rw [ind_true rfl, ind_true h2, ind_true ⟨h2, rfl⟩]; clear e1 hw h2; grind
      · rw [ind_true rfl, ind_false h2, ind_false fun h => h2 h.1]; clear e1 hw h2; grind
    · rw [ind_false h1, ind_false fun h => h1 h.2]; clear e1 hw h1; grind
  rw [e3, lsum_ind (upTo n) (nodup_upTo n) w.length _ (mem_upTo.mpr hw)]
  rfl

/-- The two inputs of randomized response are neighbours. -/
def rrNeighbours : Neighbours Bool where
  rel _ _ := True
  symm _ _ _ := trivial

theorem rr_le (e δ : K) (he : 1 ≤ e) (h1 : δ ≤ 1) :
    0 ≤ (1 - δ) / (1 + e) ∧ (1 - δ) * e / (1 + e) = e * ((1 - δ) / (1 + e)) := by
  have hi : 0 ≤ (1 + e)⁻¹ := inv_nonneg_of_pos (by grind)
  rw [Lean.Grind.Field.div_eq_mul_inv, Lean.Grind.Field.div_eq_mul_inv]
  exact ⟨mul_nonneg' (by grind) hi, by clear he h1 hi; grind⟩

/-- Randomized response is `(ε, δ)`-DP. -/
theorem randomized_response_is_dp (P : IterParams K) (hP : P.Ok) :
    IterationDP P rrNeighbours (rrIteration P hP) := by
  intro past x x' _ S
  have he := hP.one_le_e past.length
  have hd0 := hP.δ_nonneg past.length
  have hd1 := hP.δ_le_one past.length
  have hr := rr_le _ _ he hd1
  show (rrIteration P hP past x).E (fun q => ind (S q))
    ≤ _ * (rrIteration P hP past x').E (fun q => ind (S q)) + _
  rw [rrIteration_E, rrIteration_E]
  simp only [sumSymbols]
  have i0 := ind_nonneg (K := K) (S .zero)
  have i1 := ind_nonneg (K := K) (S .one)
  have i2 := ind_nonneg (K := K) (S .two)
  have i3 := ind_nonneg (K := K) (S .three)
  have j0 := ind_le_one (K := K) (S .zero)
  have j3 := ind_le_one (K := K) (S .three)
  revert i0 i1 i2 i3 j0 j3 hr he hd0 hd1
  generalize P.e past.length = e
  generalize P.δ past.length = d
  generalize (ind (S .zero) : K) = s0
  generalize (ind (S .one) : K) = s1
  generalize (ind (S .two) : K) = s2
  generalize (ind (S .three) : K) = s3
  intro he hd0 hd1 hr i0 i1 i2 i3 j0 j3
  have a0 := mul_le_left j0 hd0
  have a3 := mul_le_left j3 hd0
  have b0 := mul_nonneg' hd0 i0
  have b3 := mul_nonneg' hd0 i3
  have c0 := mul_nonneg' (show 0 ≤ e by clear hP hd0 hd1 hr i0 i1 i2 i3 j0 j3 a0 a3 b0 b3; grind) b0
  have c3 := mul_nonneg' (show 0 ≤ e by grind) b3
  cases x <;> cases x' <;> simp only [rr] <;> rw [hr.2] <;>
    obtain ⟨r0, _⟩ := hr <;> revert r0 <;> generalize (1 - d) / (1 + e) = r <;> intro r0 <;>
    have k1 := mul_nonneg' r0 i1 <;> have k2 := mul_nonneg' r0 i2 <;>
    have l1 := mul_le_right he k1 <;> have l2 := mul_le_right he k2 <;>
    have m1 := mul_nonneg' (show 0 ≤ e by grind) k1 <;>
    have m2 := mul_nonneg' (show 0 ≤ e by grind) k2 <;>
    have n1 := mul_le_right he m1 <;> have n2 := mul_le_right he m2 <;>
    have o0 := mul_le_right he b0 <;> have o3 := mul_le_right he b3 <;>
    grind

/-- **Theorem 15** (Hartmann et al. 2022), for finite laws.  Let `P` hold the parameters: DP
parameters `(ε_k, δ_k)` (as `e k = e^{ε_k} ≥ 1`), the allowed stopping points, the costs `Y k =
e^{E(k)}`; let there be at most `n` iterations.  Then `optDel P n`
(1) is an ODP `δ` of every iterative mechanism, with any databases, any adaptively chosen
`(ε_k, δ_k)`-DP mechanisms with finite laws, and any stopping criterion that stops only where
allowed; (2) is the smallest such `δ`: it is needed already by randomized response with the optimal
stopping criterion; and (3) is the maximum in Eq. (3) over the families `PrefixFree` of words. -/
theorem optDel_is_optimal (P : IterParams K) (hP : P.Ok) (n : Nat) :
    (∀ {D O : Type u} (nbr : Neighbours D) (M : Iteration K D O) (h : List O → Bool),
      IterationDP P nbr M → (∀ v, h v = true → P.stop v.length = true) →
      IterODP P nbr M h n (optDel P n)) ∧
    (∃ (M : Iteration K Bool Symbol) (h : List Symbol → Bool),
      IterationDP P rrNeighbours M ∧ (∀ v, h v = true → P.stop v.length = true) ∧
      ∀ δ, IterODP P rrNeighbours M h n δ → optDel P n ≤ δ) ∧
    ((∀ Q, PrefixFree P n Q → familyValue P n Q ≤ optDel P n) ∧
      ∃ Q, PrefixFree P n Q ∧ familyValue P n Q = optDel P n) := by
  refine ⟨fun {D O} nbr M h hM hstop x x' hx S => ?_, ?_,
    backward_recursion_is_the_maximum_over_prefix_free_families P n⟩
  · rw [sum_over_lengths]
    unfold iterPr
    rw [iterE_eq_iterRandE, iterE_eq_iterRandE]
    refine randomized_stopping_is_no_better P hP nbr M hM _ (fun v => ind_nonneg _)
      (fun v => ind_le_one _) (fun v hv => ?_) x x' hx _ (fun v => ind_nonneg _)
      (fun v => ind_le_one _) n
    by_cases hh : h v = true
    · exact hstop v hh
    · exact absurd (ind_false hh) hv
  · refine ⟨rrIteration P hP, optRule P n, randomized_response_is_dp P hP, fun v hv => ?_,
      fun δ hδ => ?_⟩
    · exact ((optRule_iff P n v).mp hv).1
    · have h1 := hδ false true trivial fun v => 0 ≤ stopValue P v
      rw [sum_over_lengths] at h1
      have h2 := optValue_is_attained P hP n n [] (by simp)
      simp only [wordPr, List.length_nil] at h2
      unfold iterPr at h1
      unfold optDel
      grind

end PrivRef
