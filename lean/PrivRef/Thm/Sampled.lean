module

public import PrivRef.Spec.Sampled
public import PrivRef.Thm.GaussianSharp

/-!
The moments of the Poisson-subsampled Gaussian at whole orders, in both directions: adding the
record to the database is exact, a binomial sum of exponentials, and removing it is no worse
(Mironov, Talwar, Zhang 2019, Theorem 5).  The bound of the whole interaction, and what the kernel
evaluates of it.
-/

@[expose] public section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField ofRat ratOfNat expLo)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

/-! ### Symmetric sums of powers -/

section Powers

variable {K : Type} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- `∑ y^j` for `-m ≤ j ≤ m`. -/
noncomputable def symmetricSum (y : K) : Nat → K
  | 0 => 1
  | m + 1 => symmetricSum y m + (pow y (m + 1) + pow y⁻¹ (m + 1))

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem symmetricSum_inv (y : K) (m : Nat) : symmetricSum y⁻¹ m = symmetricSum y m := by
  induction m with
  | zero => rfl
  | succ m ih =>
    simp only [symmetricSum, ih]
    have e : (y⁻¹)⁻¹ = y := by grind
    rw [e]
    grind

/-- `y^{m + 1} - y^{-m} = (y - 1) ∑ y^j`. -/
theorem pow_sub_pow_inv {y : K} (hy : y ≠ 0) (m : Nat) :
    pow y (m + 1) - pow y⁻¹ m = (y - 1) * symmetricSum y m := by
  induction m with
  | zero => show y * 1 - 1 = (y - 1) * 1; grind
  | succ m ih =>
    have h : y * y⁻¹ = 1 := by grind
    have e : y * pow y⁻¹ (m + 1) = pow y⁻¹ m := by
      show y * (y⁻¹ * pow y⁻¹ m) = _
      rw [← Lean.Grind.Semiring.mul_assoc, h, Lean.Grind.Semiring.one_mul]
    have e2 : pow y (m + 1 + 1) = y * pow y (m + 1) := rfl
    simp only [symmetricSum]
    rw [e2]
    generalize pow y (m + 1) = a at *
    generalize pow y⁻¹ (m + 1) = b at *
    generalize pow y⁻¹ m = c at *
    generalize symmetricSum y m = s at *
    clear h
    grind

theorem one_le_pow {y : K} (h : 1 ≤ y) (m : Nat) : 1 ≤ pow y m := by
  induction m with
  | zero => exact Std.le_refl _
  | succ m ih =>
    have := mul_le_mul' h ih (by grind) (by grind : 0 ≤ y)
    show 1 ≤ y * pow y m
    grind

theorem pow_mono {y z : K} (hz : 0 ≤ z) (h : z ≤ y) (m : Nat) : pow z m ≤ pow y m := by
  induction m with
  | zero => exact Std.le_refl _
  | succ m ih => exact mul_le_mul' h ih (pow_nonneg hz m) (by grind)

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem pow_mul_pow_inv {y : K} (hy : y ≠ 0) (m : Nat) : pow y m * pow y⁻¹ m = 1 := by
  induction m with
  | zero => show (1 : K) * 1 = 1; grind
  | succ m ih =>
    show y * pow y m * (y⁻¹ * pow y⁻¹ m) = 1
    have h : y * y⁻¹ = 1 := by grind
    have e : y * pow y m * (y⁻¹ * pow y⁻¹ m) = y * y⁻¹ * (pow y m * pow y⁻¹ m) := by
      generalize y⁻¹ = i
      clear hy ih h
      grind
    rw [e, h, ih]
    clear hy ih h e
    grind

/-- `y + 1/y` increases above 1. -/
theorem add_inv_mono {y y' z z' : K} (h1 : 1 ≤ z) (h : z ≤ y) (hy : y * y' = 1) (hz : z * z' = 1) :
    z + z' ≤ y + y' := by
  have pos : ∀ {x x' : K}, 1 ≤ x → x * x' = 1 → 0 ≤ x' ∧ x' ≤ 1 := fun {x x'} hx e => by
    have h0 : 0 ≤ x' := by
      by_cases h0 : 0 ≤ x'
      · exact h0
      · have := mul_nonneg' (nonneg_of_one_le hx) (by clear h1 h hy hz hx e; grind : 0 ≤ -x')
        clear h1 h hy hz hx h0
        grind
    have := mul_nonneg' (sub_nonneg' hx) h0
    exact ⟨h0, by clear h1 h hy hz hx h0; grind⟩
  have a := pos (Std.le_trans h1 h) hy
  have b := pos h1 hz
  have c := mul_nonneg' a.1 b.1
  have d : y' * z' ≤ 1 := by
    have := mul_le_mul' a.2 b.2 b.1 zero_le_one'
    clear h1 h hy hz pos a b c
    grind
  have k := mul_nonneg' (sub_nonneg' h) (sub_nonneg' d)
  clear pos
  have e1 : y * (y' * z') = z' := by rw [← Lean.Grind.Semiring.mul_assoc, hy]; grind
  have e2 : z * (y' * z') = y' := by
    have e : z * (y' * z') = z * z' * y' := by clear h1 h hy hz a b c d k e1; grind
    rw [e, hz]
    clear h1 h hy hz a b c d k e1 e
    grind
  have e3 : (y - z) * (1 - y' * z') = y - z - y * (y' * z') + z * (y' * z') := by grind
  rw [e3, e1, e2] at k
  clear h1 h hy hz a b c d e1 e2 e3
  grind

theorem symmetricSum_mono {y z : K} (h1 : 1 ≤ z) (h : z ≤ y) (m : Nat) :
    symmetricSum z m ≤ symmetricSum y m := by
  induction m with
  | zero => exact Std.le_refl _
  | succ m ih =>
    have := add_inv_mono (one_le_pow h1 (m + 1)) (pow_mono (by grind) h (m + 1))
      (pow_mul_pow_inv (by grind : y ≠ 0) (m + 1)) (pow_mul_pow_inv (by grind : z ≠ 0) (m + 1))
    simp only [symmetricSum]
    grind

/-- `1 ≤ y v` and `v ≤ 1` give `1 ≤ 1/v ≤ y`. -/
theorem one_le_inv_le {y v : K} (hv : 0 < v) (h1 : v ≤ 1) (h : 1 ≤ y * v) : 1 ≤ v⁻¹ ∧ v⁻¹ ≤ y := by
  have hi : 0 < v⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hv
  have hvv : v * v⁻¹ = 1 := by clear h1 h hi; grind
  have a := mul_le_right h1 (by clear hv h1 h hvv; grind : 0 ≤ v⁻¹)
  have b := mul_le_right h (by clear hv h1 h hi; grind : 0 ≤ v⁻¹)
  have e : y * v * v⁻¹ = y := by rw [Lean.Grind.Semiring.mul_assoc, hvv]; grind
  rw [e] at b
  rw [hvv] at a
  constructor <;> (clear hv h1 h hi hvv e; grind)

/-- A number `r`, its inverse `i`, and what sampling makes of both: no moment in the direction that
removes the record is larger than the one in the direction that adds it, in the sum over `r` and
`i`. -/
theorem sampled_symmetry {q r i : K} (h0 : 0 ≤ q) (h1 : q < 1) (hr : 0 < r) (hri : r * i = 1)
    (m : Nat) :
    0 ≤ (pow (1 - q + q * r) (m + 1) - pow (1 - q + q * r)⁻¹ m)
      + r * (pow (1 - q + q * i) (m + 1) - pow (1 - q + q * i)⁻¹ m) := by
  have hi : 0 < i := by
    by_cases hi : 0 < i
    · exact hi
    · have := mul_nonneg' (Std.le_of_lt hr) (by clear h0 h1 hr hri; grind : 0 ≤ -i)
      clear h0 h1 hr hi
      grind
  have hi0 := Std.le_of_lt hi
  have q1 := sub_nonneg' (Std.le_of_lt h1)
  have qr := mul_nonneg' h0 (Std.le_of_lt hr)
  have qi := mul_nonneg' h0 hi0
  have hw : 0 < 1 - q + q * r := by clear h0 hr hri hi hi0 q1 qi; grind
  have hv : 0 < 1 - q + q * i := by clear h0 hr hri hi hi0 q1 qr hw; grind
  -- `w - 1 = -r (v - 1)`, and `w v ≥ 1` because `r + 1/r ≥ 2`.
  have flip : r * ((1 - q + q * i) - 1) = -((1 - q + q * r) - 1) := by
    have e : r * ((1 - q + q * i) - 1) = q * (r * i) - q * r := by grind
    rw [e, hri]
    clear h0 h1 hr hri hi hi0 q1 qr qi hw hv e
    grind
  have two : 2 ≤ r + i := by
    by_cases h : 1 ≤ r
    · have := add_inv_mono (z := 1) (z' := 1) (by grind) h hri (by grind)
      clear h0 h1 hr hri hi hi0 q1 qr qi hw hv flip h
      grind
    · have h2 : 1 ≤ i := by
        have := mul_nonneg' hi0 (by grind : 0 ≤ 1 - r)
        clear h0 h1 hr hi hi0 q1 qr qi hw hv flip h
        grind
      have := add_inv_mono (z := 1) (z' := 1) (by grind) h2 (by grind : i * r = 1) (by grind)
      clear h0 h1 hr hri hi hi0 q1 qr qi hw hv flip h h2
      grind
  have prod : 1 ≤ (1 - q + q * r) * (1 - q + q * i) := by
    have a := mul_nonneg' (mul_nonneg' h0 q1) (sub_nonneg' two)
    have e : (1 - q + q * r) * (1 - q + q * i)
        = (1 - q) * (1 - q) + q * (1 - q) * (r + i) + q * q * (r * i) := by grind
    rw [e, hri]
    clear h0 h1 hr hri hi hi0 q1 qr qi hw hv flip two e
    grind
  have side : (r ≤ 1 → 1 - q + q * r ≤ 1) ∧ (1 ≤ r → 1 ≤ 1 - q + q * r) := by
    constructor
    · intro h
      have := mul_nonneg' h0 (sub_nonneg' h)
      clear h0 h1 hr hri hi hi0 q1 qr qi hw hv flip two prod h
      grind
    · intro h
      have := mul_nonneg' h0 (sub_nonneg' h)
      clear h0 h1 hr hri hi hi0 q1 qr qi hw hv flip two prod h
      grind
  have side' : (1 ≤ r → 1 - q + q * i ≤ 1) := by
    intro h
    have h2 : i ≤ 1 := by
      have := mul_nonneg' hi0 (sub_nonneg' h)
      clear h0 h1 hr hi hi0 q1 qr qi hw hv flip two prod side h
      grind
    have := mul_nonneg' h0 (sub_nonneg' h2)
    clear h0 h1 hr hri hi hi0 q1 qr qi hw hv flip two prod side h h2
    grind
  rw [pow_sub_pow_inv (by grind) m, pow_sub_pow_inv (by grind) m]
  generalize 1 - q + q * r = w at *
  generalize 1 - q + q * i = v at *
  have e : (w - 1) * symmetricSum w m + r * ((v - 1) * symmetricSum v m)
      = (w - 1) * symmetricSum w m + r * (v - 1) * symmetricSum v m := by grind
  rw [e, flip]
  by_cases h : 1 ≤ r
  · have k := one_le_inv_le hv (side' h) prod
    have s := symmetricSum_mono k.1 k.2 m
    rw [symmetricSum_inv] at s
    have := mul_nonneg' (sub_nonneg' (side.2 h)) (sub_nonneg' s)
    clear side side'
    clear h0 h1 hr hri hi hi0 q1 qr qi two hw hv flip prod e h k s
    grind
  · have k := one_le_inv_le hw (side.1 (by grind)) (by grind : 1 ≤ v * w)
    have s := symmetricSum_mono k.1 k.2 m
    rw [symmetricSum_inv] at s
    have := mul_nonneg' (sub_nonneg' (side.1 (by grind))) (sub_nonneg' s)
    clear side side'
    clear h0 h1 hr hri hi hi0 q1 qr qi two hw hv flip prod e h k s
    grind

end Powers

/-! ### One step -/

namespace GaussianNoise

variable {F : ExpField} {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise F V)

/-- The logarithm of the likelihood ratio of the laws of `u + X` and `X`. -/
noncomputable def ratio (w x : V) : F.K := N.inner w x - N.inner w w / 2

/-- The likelihood ratio of the sampled law of the rate `q`. -/
noncomputable def weight (q : F.K) (w x : V) : F.K := 1 - q + q * F.exp (N.ratio w x)

theorem inner_zero (w : V) : N.inner w 0 = 0 := by
  have h := N.inner_add w 0 0
  have e : (0 : V) + 0 = 0 := by grind
  rw [e] at h
  grind

theorem inner_neg (w x : V) : N.inner w (-x) = -N.inner w x := by
  have h := N.inner_add w x (-x)
  have e : x + -x = 0 := by grind
  rw [e, N.inner_zero] at h
  grind

theorem ratio_translate (w x : V) : N.ratio w (w + x) = N.inner w w + N.ratio w x := by
  unfold ratio
  rw [N.inner_add]
  grind

theorem ratio_reflect (w x : V) : N.ratio w (w + -x) = -N.ratio w x := by
  unfold ratio
  rw [N.inner_add, N.inner_neg]
  grind

theorem exp_ratio (w x : V) : F.exp (N.ratio w x) = F.exp (-(N.inner w w / 2)) * F.exp
    (N.inner w x) := by
  unfold ratio
  rw [← F.exp_add]
  congr 1
  grind

theorem int_ratio (w : V) {f : V → F.K} (hf : N.law.int f) :
    N.law.int fun x => F.exp (N.ratio w x) * f x := by
  have h := N.law.smul (F.exp (-(N.inner w w / 2))) _ (N.int_exp w f hf)
  have e : (fun x => F.exp (-(N.inner w w / 2)) * (F.exp (N.inner w x) * f x))
      = fun x => F.exp (N.ratio w x) * f x := funext fun x => by
    rw [N.exp_ratio, Lean.Grind.Semiring.mul_assoc]
  rw [e] at h
  exact h

/-- The likelihood ratio takes the law of `X` to that of `w + X`. -/
theorem E_ratio (w : V) {f : V → F.K} (hf : N.law.int f) :
    N.law.E (fun x => F.exp (N.ratio w x) * f x) = N.law.E fun x => f (w + x) := by
  have e : (fun x => F.exp (N.ratio w x) * f x)
      = fun x => F.exp (-(N.inner w w / 2)) * (F.exp (N.inner w x) * f x) := funext fun x => by
    rw [N.exp_ratio, Lean.Grind.Semiring.mul_assoc]
  rw [e, N.law.E_smul _ _ (N.int_exp w f hf), N.shift w f hf, ← Lean.Grind.Semiring.mul_assoc,
      ← F.exp_add]
  have e2 : -(N.inner w w / 2) + N.inner w w / 2 = 0 := by grind
  rw [e2, Numerics.exp_zero, Lean.Grind.Semiring.one_mul]

theorem weight_mul (q : F.K) (w x : V) (y : F.K) :
    N.weight q w x * y = (1 - q) * y + q * (F.exp (N.ratio w x) * y) := by
  unfold weight
  generalize F.exp (N.ratio w x) = r
  grind

theorem int_weight (q : F.K) (w : V) {f : V → F.K} (hf : N.law.int f) :
    N.law.int fun x => N.weight q w x * f x := by
  have h := N.law.add _ _ (N.law.smul (1 - q) _ hf) (N.law.smul q _ (N.int_ratio w hf))
  rw [← funext fun x => N.weight_mul q w x (f x)] at h
  exact h

/-- The law of the sample's answer. -/
theorem E_weight (q : F.K) (w : V) {f : V → F.K} (hf : N.law.int f) :
    N.law.E (fun x => N.weight q w x * f x)
      = (1 - q) * N.law.E f + q * N.law.E fun x => f (w + x) := by
  rw [funext fun x => N.weight_mul q w x (f x),
    N.law.E_add _ _ (N.law.smul (1 - q) _ hf) (N.law.smul q _ (N.int_ratio w hf)),
      N.law.E_smul _ _ hf,
    N.law.E_smul _ _ (N.int_ratio w hf), N.E_ratio w hf]

theorem int_power (q : F.K) (w : V) (n k : Nat) :
    N.law.int fun x => pow (N.weight q w x) n * F.exp (natK k * N.ratio w x) := by
  induction n generalizing k with
  | zero =>
    have base : ∀ k, N.law.int fun x => F.exp (natK k * N.ratio w x) := fun k => by
      induction k with
      | zero =>
        have e : (fun x => F.exp (natK 0 * N.ratio w x)) = fun _ : V => (1 : F.K) :=
            funext fun x => by
          show F.exp (0 * N.ratio w x) = 1
          rw [← Numerics.exp_zero F]
          congr 1
          grind
        rw [e]
        exact N.law.const 1
      | succ k ih =>
        have h := N.int_ratio w ih
        have e : (fun x => F.exp (N.ratio w x) * F.exp (natK k * N.ratio w x))
            = fun x => F.exp (natK (k + 1) * N.ratio w x) := funext fun x => by
          rw [← F.exp_add]
          show _ = F.exp ((natK k + 1) * N.ratio w x)
          congr 1
          grind
        rw [e] at h
        exact h
    have e : (fun x => pow (N.weight q w x) 0 * F.exp (natK k * N.ratio w x))
        = fun x => F.exp (natK k * N.ratio w x) := funext fun x => by
      show 1 * _ = _
      grind
    rw [e]
    exact base k
  | succ n ih =>
    have h := N.int_weight q w (ih k)
    have e : (fun x => N.weight q w x * (pow (N.weight q w x) n * F.exp (natK k * N.ratio w x)))
        = fun x => pow (N.weight q w x) (n + 1) * F.exp (natK k * N.ratio w x) := funext fun x =>
      (Lean.Grind.Semiring.mul_assoc _ _ _).symm
    rw [e] at h
    exact h

/-- **The moments are exact**: `E w^n r^k` is the binomial sum. -/
theorem E_power (q : F.K) (w : V) (n k : Nat) :
    N.law.E (fun x => pow (N.weight q w x) n * F.exp (natK k * N.ratio w x))
      = sampledMoment F q (N.inner w w) n k := by
  have zero : ∀ k, (fun x => pow (N.weight q w x) 0 * F.exp (natK k * N.ratio w x))
      = fun x => F.exp (natK k * N.ratio w x) := fun k => funext fun x => by
    show 1 * _ = _
    grind
  induction n generalizing k with
  | zero =>
    rw [zero]
    induction k with
    | zero =>
      have e : (fun x => F.exp (natK 0 * N.ratio w x)) = fun _ : V => (1 : F.K) :=
          funext fun x => by
        show F.exp (0 * N.ratio w x) = 1
        rw [← Numerics.exp_zero F]
        congr 1
        grind
      rw [e, N.law.E_one]
      show 1 = F.exp (0 * (0 - 1) / 2 * N.inner w w)
      rw [← Numerics.exp_zero F]
      congr 1
      grind
    | succ k ih =>
      have hi := N.int_power q w 0 k
      rw [zero] at hi
      have e : (fun x => F.exp (natK (k + 1) * N.ratio w x))
          = fun x => F.exp (N.ratio w x) * F.exp (natK k * N.ratio w x) := funext fun x => by
        rw [← F.exp_add]
        show F.exp ((natK k + 1) * N.ratio w x) = _
        congr 1
        clear zero ih hi
        grind
      have e2 : (fun x => F.exp (natK k * N.ratio w (w + x)))
          = fun x => F.exp (natK k * N.inner w w) * F.exp (natK k * N.ratio w x) :=
            funext fun x => by
        rw [N.ratio_translate, ← F.exp_add]
        congr 1
        clear zero ih hi e
        grind
      rw [e, N.E_ratio w hi, e2, N.law.E_smul _ _ hi, ih]
      show F.exp (natK k * N.inner w w) * F.exp (natK k * (natK k - 1) / 2 * N.inner w w)
        = F.exp ((natK k + 1) * (natK k + 1 - 1) / 2 * N.inner w w)
      rw [← F.exp_add]
      congr 1
      generalize (natK k : F.K) = κ
      generalize N.inner w w = a
      clear zero ih hi e e2
      grind
  | succ n ih =>
    have e : (fun x => pow (N.weight q w x) (n + 1) * F.exp (natK k * N.ratio w x))
        = fun x => (1 - q) * (pow (N.weight q w x) n * F.exp (natK k * N.ratio w x))
          + q * (pow (N.weight q w x) n * F.exp (natK (k + 1) * N.ratio w x)) := funext fun x => by
      have e1 : F.exp (natK (k + 1) * N.ratio w x)
          = F.exp (N.ratio w x) * F.exp (natK k * N.ratio w x) := by
        rw [← F.exp_add]
        show F.exp ((natK k + 1) * N.ratio w x) = _
        congr 1
        grind
      rw [e1]
      show N.weight q w x * pow (N.weight q w x) n * _ = _
      rw [Lean.Grind.Semiring.mul_assoc, N.weight_mul]
      generalize pow (N.weight q w x) n = p
      generalize F.exp (N.ratio w x) = r
      generalize F.exp (natK k * N.ratio w x) = y
      clear zero ih e1
      grind
    rw [e, N.law.E_add _ _ (N.law.smul (1 - q) _ (N.int_power q w n k))
      (N.law.smul q _ (N.int_power q w n (k + 1))), N.law.E_smul _ _ (N.int_power q w n k),
      N.law.E_smul _ _ (N.int_power q w n (k + 1)), ih, ih]
    rfl

theorem int_pow (q : F.K) (w : V) (n : Nat) : N.law.int fun x => pow (N.weight q w x) n := by
  have h := N.int_power q w n 0
  have e : (fun x => pow (N.weight q w x) n * F.exp (natK 0 * N.ratio w x))
      = fun x => pow (N.weight q w x) n := funext fun x => by
    have e1 : natK 0 * N.ratio w x = 0 := by
      show 0 * _ = 0
      grind
    rw [e1, Numerics.exp_zero]
    grind
  rw [e] at h
  exact h

theorem E_pow (q : F.K) (w : V) (n : Nat) :
    N.law.E (fun x => pow (N.weight q w x) n) = sampledMoment F q (N.inner w w) n 0 := by
  rw [← N.E_power q w n 0]
  congr 1
  funext x
  have e1 : natK 0 * N.ratio w x = 0 := by
    show 0 * _ = 0
    grind
  rw [e1, Numerics.exp_zero]
  grind

variable {q : F.K} (h0 : 0 ≤ q) (h1 : q < 1)

include h0 h1 in
theorem weight_pos (w x : V) : 1 - q ≤ N.weight q w x ∧ 0 < N.weight q w x := by
  have h := Numerics.exp_pos F (N.ratio w x)
  have := mul_nonneg' h0 (by grind : 0 ≤ F.exp (N.ratio w x))
  unfold weight
  constructor <;> grind

include h0 h1 in
theorem adm_pow_inv (w : V) (n : Nat) : N.tests.adm fun x => pow (N.weight q w x)⁻¹ n := by
  induction n with
  | zero => exact N.tests.const 1
  | succ n ih =>
    have hi : N.law.int fun x => N.weight q w x := by
      have h := N.int_pow q w 1
      have e : (fun x => pow (N.weight q w x) 1) = fun x => N.weight q w x := funext fun x => by
        show _ * 1 = _
        clear h0 h1 ih h
        grind
      rw [e] at h
      exact h
    exact N.tests.mul _ _ (N.adm_inv (1 - q) _ (by grind) hi fun x => (N.weight_pos h0 h1 w x).1) ih

/-- The law is its own reflection at `w / 2`, tilted. -/
theorem E_reflect (w : V) {f : V → F.K} (hf : N.law.int f) :
    N.law.int (fun x => F.exp (N.ratio w x) * f (w + -x)) ∧
      N.law.E (fun x => F.exp (N.ratio w x) * f (w + -x)) = N.law.E f := by
  have hg : N.law.int fun x => f (w + -x) := N.int_negate _ (N.int_translate w f hf)
  refine ⟨N.int_ratio w hg, ?_⟩
  rw [N.E_ratio w hg]
  have e : (fun x => f (w + -(w + x))) = fun x => f (-x) := funext fun x => by
    congr 1
    grind
  rw [e]
  exact N.symm f hf

include h0 h1 in
/-- **Removing the record is no worse than adding it** (Mironov, Talwar, Zhang 2019, Theorem 5), at
whole orders. -/
theorem removing_is_no_worse (w : V) (m : Nat) :
    N.law.E (fun x => pow (N.weight q w x)⁻¹ m) ≤ N.law.E fun x =>
      pow (N.weight q w x) (m + 1) := by
  have ip := N.int_pow q w (m + 1)
  have iq := N.int_test _ (N.adm_pow_inv h0 h1 w m)
  have iD := N.law.add _ _ ip (N.law.smul (-1) _ iq)
  have r := N.E_reflect w iD
  have h := N.law.E_mono (fun _ => 0) _ (N.law.const 0) (N.law.add _ _ iD r.1) fun x => by
    have s := sampled_symmetry h0 h1 (Numerics.exp_pos F (N.ratio w x))
      (Numerics.exp_mul_neg F (N.ratio w x)) m
    show 0 ≤ pow (N.weight q w x) (m + 1) + -1 * pow (N.weight q w x)⁻¹ m
      + F.exp (N.ratio w x) * (pow (N.weight q w (w + -x)) (m + 1)
        + -1 * pow (N.weight q w (w + -x))⁻¹ m)
    unfold weight
    rw [N.ratio_reflect]
    generalize pow (1 - q + q * F.exp (N.ratio w x)) (m + 1) = a at *
    generalize pow (1 - q + q * F.exp (N.ratio w x))⁻¹ m = b at *
    generalize pow (1 - q + q * F.exp (-N.ratio w x)) (m + 1) = c at *
    generalize pow (1 - q + q * F.exp (-N.ratio w x))⁻¹ m = d at *
    clear h0 h1 ip iq iD r
    grind
  rw [N.law.E_add _ _ iD r.1, r.2, N.law.E_add _ _ ip (N.law.smul (-1) _ iq), N.law.E_smul _ _ iq,
    N.law.E_const] at h
  clear h0 h1 ip iq iD r
  grind

end GaussianNoise

/-- The moments grow with the distance. -/
theorem sampledMoment_mono (F : ExpField) {q a b : F.K} (h0 : 0 ≤ q) (h1 : q ≤ 1) (h : a ≤ b)
    (n k : Nat) :
    sampledMoment F q a n k ≤ sampledMoment F q b n k := by
  induction n generalizing k with
  | zero =>
    refine Numerics.exp_mono F (mul_le_left h ?_)
    have nn : ∀ k, (0 : F.K) ≤ natK k := fun k => by
      induction k with
      | zero => exact Std.le_refl _
      | succ k ih => show 0 ≤ natK k + 1; clear h0 h1 h; grind
    cases k with
    | zero => show (0 : F.K) ≤ 0 * (0 - 1) / 2; clear h0 h1 h nn; grind
    | succ k =>
      have := mul_nonneg' (by have := nn k; clear h0 h1 h nn; grind : (0 : F.K) ≤ natK k + 1) (nn k)
      show 0 ≤ (natK k + 1) * (natK k + 1 - 1) / 2
      clear h0 h1 h nn
      grind
  | succ n ih =>
    have a1 := mul_le_left (ih k) (by clear h0 h ih; grind : 0 ≤ 1 - q)
    have a2 := mul_le_left (ih (k + 1)) h0
    simp only [sampledMoment]
    clear h0 h1 h ih
    grind

end PrivRef
