module

public import PrivRef.Reals.Exp

/-!
Logarithms and square roots of real numbers, by bisection: what the filter theorems ask of a field,
the real numbers have.
-/

@[expose] public noncomputable section

namespace PrivRef.Reals

/-- A rational number as a real one. -/
def real (q : Rat) : reals.K := Real.ofRat q

theorem real_add (q r : Rat) : real (q + r) = real q + real r := rfl

theorem real_mono {q r : Rat} (h : q ≤ r) : real q ≤ real r :=
  fun ε hε => ⟨0, fun _ _ => by
    show q ≤ r + ε
    grind⟩

open Classical in
/-- The left ends of the intervals of a bisection of `[a, a + d]` for a solution of `f x = y`. -/
def left (f : reals.K → reals.K) (y : reals.K) (a d : Rat) : Nat → Rat
  | 0 => a
  | n + 1 =>
    if f (real (left f y a d n + d * t (n + 1))) ≤ y then left f y a d n + d * t (n + 1)
    else left f y a d n

section

variable (f : reals.K → reals.K) (y : reals.K) (a d : Rat)

theorem left_succ (n : Nat) : left f y a d (n + 1) = left f y a d n + d * t (n + 1)
    ∨ left f y a d (n + 1) = left f y a d n := by
  simp only [left]
  split
  · exact .inl rfl
  · exact .inr rfl

theorem brackets (h0 : f (real a) ≤ y) (h1 : y ≤ f (real (a + d))) (n : Nat) :
    f (real (left f y a d n)) ≤ y ∧ y ≤ f (real (left f y a d n + d * t n)) := by
  induction n with
  | zero =>
    have e : a + d * t 0 = a + d := by simp only [t]; grind
    simp only [left, e]
    exact ⟨h0, h1⟩
  | succ n ih =>
    simp only [left]
    split
    · rename_i h
      refine ⟨h, ?_⟩
      have e : left f y a d n + d * t (n + 1) + d * t (n + 1) = left f y a d n + d * t n := by
        simp only [t]
        clear h0 h1 ih h
        grind
      rw [e]
      exact ih.2
    · rename_i h
      exact ⟨ih.1, by clear h0 h1 ih; grind⟩

theorem left_mono (hd : 0 ≤ d) (n k : Nat) : left f y a d n ≤ left f y a d (n + k) ∧
    left f y a d (n + k) + d * t (n + k) ≤ left f y a d n + d * t n := by
  induction k with
  | zero => exact ⟨Std.le_refl _, Std.le_refl _⟩
  | succ k ih =>
    have h := mul_nonneg' hd (by have := t_pos (n + k + 1); grind : 0 ≤ t (n + k + 1))
    have e : t (n + k) = 2 * t (n + k + 1) := by simp only [t]; clear hd ih h; grind
    rcases left_succ f y a d (n + k) with h1 | h1
    · show left f y a d n ≤ left f y a d (n + k + 1) ∧ left f y a d (n + k + 1) +
          d * t (n + k + 1) ≤ _
      rw [h1]
      rw [e] at ih
      constructor <;> (clear hd e h1; grind)
    · show left f y a d n ≤ left f y a d (n + k + 1) ∧ left f y a d (n + k + 1) +
          d * t (n + k + 1) ≤ _
      rw [h1]
      rw [e] at ih
      constructor <;> (clear hd e h1; grind)

/-- The point that a bisection finds. -/
def limit (hd : 0 < d) : CauchySeq := ⟨left f y a d, fun ε hε => by
  have hi := rat_inv_pos hd
  obtain ⟨N, hN⟩ := t_null (ε * d⁻¹) (rat_mul_pos hε hi)
  have h1 := mul_le_left (hN N (by omega)).2 (by clear hε hi hN; grind : 0 ≤ d)
  have e : d * (ε * d⁻¹) = ε := by clear hε hi hN h1; grind
  rw [e] at h1
  refine ⟨N, fun m hm n hn => ?_⟩
  have a1 := left_mono f y a d (by clear hε hi hN h1 e hm hn; grind) N (m - N)
  have a2 := left_mono f y a d (by clear hε hi hN h1 e hm hn a1; grind) N (n - N)
  have e1 : N + (m - N) = m := by omega
  have e2 : N + (n - N) = n := by omega
  rw [e1] at a1
  rw [e2] at a2
  have h2 := mul_nonneg' (by grind : 0 ≤ d) (by have := t_pos m; grind : 0 ≤ t m)
  clear hd hε hi hN e hm hn e1 e2
  grind⟩

/-- The same as a real number. -/
def found (hd : 0 < d) : reals.K := Real.mk (limit f y a d hd)

theorem found_within (hd : 0 < d) (n : Nat) : real (left f y a d n) ≤ found f y a d hd ∧
    found f y a d hd ≤ real (left f y a d n + d * t n) := by
  have h : ∀ m, n ≤ m → left f y a d n ≤ left f y a d m ∧
      left f y a d m ≤ left f y a d n + d * t n := fun m hm => by
    have a1 := left_mono f y a d (by grind) n (m - n)
    have e1 : n + (m - n) = m := by omega
    rw [e1] at a1
    have h2 := mul_nonneg' (by clear hm a1 e1; grind : 0 ≤ d) (by have := t_pos m; grind : 0 ≤ t m)
    exact ⟨a1.1, by clear hd hm e1; grind⟩
  refine ⟨fun ε hε => ⟨n, fun m hm => ?_⟩, fun ε hε => ⟨n, fun m hm => ?_⟩⟩
  · show left f y a d n ≤ left f y a d m + ε
    have := (h m hm).1
    clear hd h hm
    grind
  · show left f y a d m ≤ left f y a d n + d * t n + ε
    have := (h m hm).2
    clear hd h hm
    grind

end

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

theorem real_natCast (n : Nat) : real (n : Rat) = (n : reals.K) := rfl

/-- What is at most a constant times `2^{-n}` for every `n` is at most `0`. -/
theorem le_zero_of_small {z C : reals.K} (h : ∀ n, z ≤ C * real (t n)) : z ≤ 0 := by
  by_cases hz : z ≤ 0
  · exact hz
  · have hi : 0 < z⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
    have hzz : z * z⁻¹ = 1 := by grind
    obtain ⟨n, hn⟩ := reals_are_archimedean (C * z⁻¹)
    have h1 : real ((n : Rat) + 1) ≤ real (w n) := real_mono (succ_le_w n)
    rw [real_add, real_natCast] at h1
    have h2 : real (w n) * real (t n) = 1 := by
      have e : real (w n) * real (t n) = real (w n * t n) := rfl
      rw [e, w_mul_t]
      rfl
    have h3 : 0 ≤ real (t n) := real_mono (by have := t_pos n; grind : (0 : Rat) ≤ t n)
    have h4 : real 1 = 1 := rfl
    have h8 := h n
    rw [h4] at h1
    generalize real (w n) = x at *
    generalize real (t n) = s at *
    have h5 := mul_le_left (mul_le_right hn h3) (by clear h hi hzz hn h4 h1 h3 h8 h2; grind : 0 ≤ z)
    have e : z * (C * z⁻¹ * s) = z * z⁻¹ * (C * s) := by grind
    rw [e, hzz] at h5
    have h6 := mul_le_right h1 h3
    rw [h2] at h6
    have h7 := mul_le_left h6 (by clear h hi hzz hn h4 h1 h3 h8 h2 h5 e h6; grind : 0 ≤ z)
    have h9 : 0 < s := by
      by_cases hs : s = 0
      · rw [hs] at h2
        clear h hz hi hzz hn h4 h1 h3 h8 h5 e h6 h7 hs
        grind
      · clear h hz hi hzz hn h4 h1 h8 h2 h5 e h6 h7; grind
    have h10 : 0 < z * s := Lean.Grind.OrderedRing.mul_pos (by grind) h9
    clear h hz hi hzz hn h4 h1 h3 h2 e h6 h9
    grind

/-- **Every positive real number has a logarithm.** -/
theorem reals_have_logarithms (y : reals.K) (hy : 0 < y) : ∃ x, reals.exp x = y := by
  have hi : 0 < y⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hy
  have hyy : y * y⁻¹ = 1 := by grind
  obtain ⟨n, hn⟩ := reals_are_archimedean y
  obtain ⟨k, hk⟩ := reals_are_archimedean y⁻¹
  generalize hB : (n : Rat) + (k : Rat) + 1 = B
  have hB1 : (1 : Rat) ≤ B := by
    have h1 : (0 : Rat) ≤ (n : Rat) := Rat.natCast_nonneg
    have h2 : (0 : Rat) ≤ (k : Rat) := Rat.natCast_nonneg
    clear hy hi hyy hn hk
    grind
  have e1 : real B = (n : reals.K) + (k : reals.K) + 1 := by
    rw [← hB, real_add, real_add, real_natCast, real_natCast]
    rfl
  have pn : (0 : reals.K) ≤ (n : reals.K) := by clear hi hyy hk hB hB1 e1; grind
  have pk : (0 : reals.K) ≤ (k : reals.K) := by clear hy hyy hn hB hB1 e1 pn; grind
  have b1 := reals.one_add_le_exp (real B)
  have b2 := Numerics.exp_mul_neg reals (real B)
  have b3 := Numerics.exp_pos reals (real B)
  have top : y ≤ reals.exp (real (-B + 2 * B)) := by
    have e : -B + 2 * B = B := by clear hy hi hyy hn hk hB1 e1 pn pk b1 b2 b3; grind
    rw [e]
    clear hy hyy hB hB1 pn pk b2 b3 e
    grind
  have bottom : reals.exp (real (-B)) ≤ y := by
    have e : real (-B) = -real B := rfl
    rw [e]
    have h1 : y⁻¹ ≤ reals.exp (real B) := by clear hi hyy hB hB1 pn pk b2 b3 top e; grind
    have h2 := mul_le_left h1 (by grind : 0 ≤ y)
    rw [hyy] at h2
    by_cases h3 : reals.exp (-real B) ≤ y
    · exact h3
    · have h4 : 0 < reals.exp (real B) * (reals.exp (-real B) - y) :=
        Lean.Grind.OrderedRing.mul_pos b3 (by grind)
      clear hy hi hyy hn hk hB hB1 e1 pn pk b1 b3 top e h1 h3
      grind
  have hd : (0 : Rat) < 2 * B := by clear hy hi hyy hn hk hB1 e1 pn pk b1 b2 b3 top bottom; grind
  refine ⟨found reals.exp y (-B) (2 * B) hd, ?_⟩
  have near : ∀ n, reals.exp (found reals.exp y (-B) (2 * B) hd) - y
        ≤ reals.exp (real (-B + 2 * B)) * real (2 * B) * real (t n) ∧
      y - reals.exp (found reals.exp y (-B) (2 * B) hd)
        ≤ reals.exp (real (-B + 2 * B)) * real (2 * B) * real (t n) := fun n => by
    have h1 := brackets reals.exp y (-B) (2 * B) bottom top n
    have h2 := found_within reals.exp y (-B) (2 * B) hd n
    have h3 := Numerics.exp_mono reals h2.1
    have h4 := Numerics.exp_mono reals h2.2
    have h5 := (left_mono reals.exp y (-B) (2 * B) (by grind) 0 n).2
    have e2 : 0 + n = n := by omega
    have e3 : left reals.exp y (-B) (2 * B) 0 + 2 * B * t 0 = -B + 2 * B := by
      simp only [left, t]
      clear hy hi hyy hn hk hB hB1 e1 pn pk b1 b2 b3 top bottom hd h1 h2 h3 h4 h5 e2
      grind
    rw [e2, e3] at h5
    have h6 := Numerics.exp_mono reals (real_mono h5)
    -- The ends of the interval are close together.
    have h7 := reals.one_add_le_exp (-real (2 * B * t n))
    have h8 := reals.exp_add (real (left reals.exp y (-B) (2 * B) n + 2 * B * t n))
      (-real (2 * B * t n))
    have e4 : real (left reals.exp y (-B) (2 * B) n + 2 * B * t n) + -real (2 * B * t n)
        = real (left reals.exp y (-B) (2 * B) n) := by
      rw [real_add]
      clear hy hi hyy hn hk hB hB1 e1 pn pk b1 b2 b3 top bottom hd h1 h2 h3 h4 h5 e2 e3 h6 h7 h8
      grind
    rw [e4] at h8
    have h9 := Numerics.exp_pos reals (real (left reals.exp y (-B) (2 * B) n + 2 * B * t n))
    have h10 := mul_le_left h7
      (by grind : 0 ≤ reals.exp (real (left reals.exp y (-B) (2 * B) n + 2 * B * t n)))
    have h11 : 0 ≤ real (2 * B * t n) :=
      real_mono (mul_nonneg' (by grind) (by have := t_pos n; grind))
    have h12 := mul_le_right h6 h11
    have e5 : real (2 * B * t n) = real (2 * B) * real (t n) := rfl
    rw [← h8] at h10
    generalize reals.exp (real (left reals.exp y (-B) (2 * B) n + 2 * B * t n)) = hi' at *
    generalize reals.exp (real (left reals.exp y (-B) (2 * B) n)) = lo' at *
    generalize reals.exp (found reals.exp y (-B) (2 * B) hd) = z at *
    generalize reals.exp (real (-B + 2 * B)) = E at *
    have e6 : E * real (2 * B) * real (t n) = E * real (2 * B * t n) := by rw [e5]; grind
    rw [e6]
    constructor <;> grind
  have z1 := le_zero_of_small fun n => (near n).1
  have z2 := le_zero_of_small fun n => (near n).2
  clear hy hi hyy hn hk hB hB1 e1 pn pk b1 b2 b3 top bottom near
  grind

/-- **Every real number that is not negative has a square root.** -/
theorem reals_have_roots (y : reals.K) (hy : 0 ≤ y) : ∃ s, 0 ≤ s ∧ s * s = y := by
  by_cases h : y = 0
  · exact ⟨0, by grind, by grind⟩
  · obtain ⟨x, hx⟩ := reals_have_logarithms y (by grind)
    have hp := Numerics.exp_pos reals (x / 2)
    refine ⟨reals.exp (x / 2), by clear hy h hx; grind, ?_⟩
    rw [← reals.exp_add, ← hx]
    congr 1
    clear hy h hx hp
    grind

end PrivRef.Reals
