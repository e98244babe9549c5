module

public import PrivRef.Spec.OptDelRat
public import PrivRef.Thm.OptDel

/-!
The rational recursion is the recursion of Theorem 15; two values computed by the kernel.
-/

@[expose] public section

namespace PrivRef

theorem optValueRat_eq (P : IterParams Rat) (n k : Nat) (p0 p1 : Rat) :
    optValueRat P n k p0 p1 = optValue P n k p0 p1 := by
  induction n generalizing k p0 p1 with
  | zero =>
    simp only [optValueRat, optValue]
    unfold posPart
    by_cases h : 0 ≤ p0 - P.Y k * p1
    · rw [if_pos h, if_pos h]
    · rw [if_neg h, if_neg h]
  | succ n ih =>
    simp only [optValueRat, optValue, ih]
    unfold max2
    split
    · generalize (sumSymbols fun q => optValue P n (k + 1)
        (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q)) = c
      by_cases h : p0 - P.Y k * p1 ≤ c
      · rw [if_pos h, if_pos h]
      · rw [if_neg h, if_neg h]
    · rfl

/-- The recursion with decidable comparisons computes `optDel` exactly (Hartmann et al. 2022,
Theorem 15, over the rationals). -/
theorem rational_recursion_computes_optDel (P : IterParams Rat) (n : Nat) :
    optDelRat P n = optDel P n :=
  optValueRat_eq P n 0 1 1

/-- Two `(0, 1/10)`-DP rounds with stopping allowed after each and no cost: `OptDel = 19/100`, where
Eq. (4) of the paper, Lemma 11 with the optimal composition theorem, gives `1/10 + 19/100 = 29/100`
(Hartmann et al. 2022, end of Sec. 5.2). -/
theorem optDel_of_two_rounds_is_below_lemma_11 :
    optDel ⟨fun _ => 1, fun _ => 1 / 10, fun k => decide (1 ≤ k), fun _ => (1 : Rat)⟩ 2
      = 19 / 100 := by
  rw [← rational_recursion_computes_optDel]
  decide +kernel

/-- Three `(log 2, 0)`-DP rounds with stopping allowed after each, `E = log 2, log 4, log 4`:
`OptDel = 4/27`. -/
theorem optDel_of_three_rounds :
    optDel ⟨fun _ => 2, fun _ => 0, fun k => decide (1 ≤ k),
      fun k => if k ≤ 1 then (2 : Rat) else 4⟩ 3 = 4 / 27 := by
  rw [← rational_recursion_computes_optDel]
  decide +kernel

end PrivRef
