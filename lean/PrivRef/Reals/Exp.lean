module

public import PrivRef.Reals.Cauchy
public import PrivRef.Numerics.Exp

/-!
The real exponential function as the limit of `(1 + y / 2^n)^(2^n)`, and the real numbers as an
exponential field in the sense of `PrivRef.Numerics`: the theorems about such fields are about
something.
-/

@[expose] public noncomputable section

namespace PrivRef.Reals

/-- `2^n`. -/
def w : Nat → Rat
  | 0 => 1
  | n + 1 => 2 * w n

/-- `2^{-n}`. -/
def t : Nat → Rat
  | 0 => 1
  | n + 1 => t n / 2

/-- `x^(2^n)`. -/
def power : Nat → Rat → Rat
  | 0, x => x
  | n + 1, x => power n x * power n x

/-- `(1 + y / 2^n)^(2^n)`. -/
def approx (n : Nat) (y : Rat) : Rat := power n (1 + y * t n)

theorem w_mul_t (n : Nat) : w n * t n = 1 := by
  induction n with
  | zero => simp only [w, t]; grind
  | succ n ih => simp only [w, t]; grind

theorem t_pos (n : Nat) : 0 < t n := by
  induction n with
  | zero => simp only [t]; grind
  | succ n ih => simp only [t]; grind

theorem t_le (n k : Nat) : t (n + k) ≤ t n := by
  induction k with
  | zero => exact Std.le_refl _
  | succ k ih =>
    have := t_pos (n + k)
    show t (n + k) / 2 ≤ t n
    grind

theorem succ_le_w (n : Nat) : (n : Rat) + 1 ≤ w n := by
  induction n with
  | zero =>
    show ((0 : Nat) : Rat) + 1 ≤ 1
    decide +kernel
  | succ n ih =>
    have h0 : (0 : Rat) ≤ (n : Rat) := Rat.natCast_nonneg
    have e : ((n + 1 : Nat) : Rat) = (n : Rat) + 1 := by simp
    rw [e]
    show _ ≤ 2 * w n
    grind

theorem le_natCast (q : Rat) : ∃ n : Nat, q ≤ (n : Rat) := by
  refine ⟨q.num.natAbs, (Rat.le_iff _ _).mpr ?_⟩
  have h1 : (1 : Int) ≤ (q.den : Int) := by
    have := q.den_pos
    omega
  have h2 : (0 : Int) ≤ (q.num.natAbs : Int) := by omega
  have h3 := Int.mul_le_mul_of_nonneg_left h1 h2
  simp only [Rat.num_natCast, Rat.den_natCast]
  omega

theorem t_null : Null t := fun ε hε => by
  obtain ⟨N, hN⟩ := le_natCast ε⁻¹
  refine ⟨N, fun n hn => ?_⟩
  have h1 := t_pos N
  have h2 : t n ≤ t N := by
    have := t_le N (n - N)
    have e : N + (n - N) = n := by omega
    rw [e] at this
    exact this
  have h3 := succ_le_w N
  have h4 := mul_le_right (by clear hε hn h1 h2; grind : ε⁻¹ ≤ w N) (by grind : 0 ≤ t N)
  rw [w_mul_t] at h4
  have h5 := mul_le_left h4 (by clear hN hn h1 h2 h3 h4; grind : 0 ≤ ε)
  have e : ε * (ε⁻¹ * t N) = t N := by
    have h6 : ε * ε⁻¹ = 1 := by clear hN hn h1 h2 h3 h4 h5; grind
    have : ε * (ε⁻¹ * t N) = ε * ε⁻¹ * t N := by clear hε hN hn h1 h2 h3 h4 h5 h6; grind
    rw [this, h6]
    clear hε hN hn h1 h2 h3 h4 h5 h6
    grind
  rw [e] at h5
  have h7 := t_pos n
  constructor <;> (clear hN hn h1 h3 h4 e; grind)

theorem power_nonneg (n : Nat) {x : Rat} (h : 0 ≤ x) : 0 ≤ power n x := by
  induction n with
  | zero => exact h
  | succ n ih => exact mul_nonneg' ih ih

theorem power_pos (n : Nat) {x : Rat} (h : 0 < x) : 0 < power n x := by
  induction n with
  | zero => exact h
  | succ n ih => exact rat_mul_pos ih ih

theorem power_mono (n : Nat) {x y : Rat} (h : x ≤ y) (hx : 0 ≤ x) : power n x ≤ power n y := by
  induction n with
  | zero => exact h
  | succ n ih => exact mul_le_mul' ih ih (power_nonneg n hx) (power_nonneg n (by grind))

theorem power_mul (n : Nat) (x y : Rat) : power n (x * y) = power n x * power n y := by
  induction n with
  | zero => rfl
  | succ n ih => simp only [power, ih]; grind

theorem power_one (n : Nat) : power n 1 = 1 := by
  induction n with
  | zero => rfl
  | succ n ih => simp only [power, ih]; grind

/-- Bernoulli's inequality. -/
theorem bernoulli (n : Nat) {h : Rat} (hh : -1 ≤ h) : 1 + h * w n ≤ power n (1 + h) := by
  induction n with
  | zero => simp only [w, power]; grind
  | succ n ih =>
    simp only [w, power]
    have h0 := power_nonneg n (by grind : 0 ≤ 1 + h)
    by_cases hp : 0 ≤ 1 + h * w n
    · have h1 := mul_le_mul' ih ih hp h0
      have h2 : 0 ≤ h * w n * (h * w n) := by
        by_cases hs : 0 ≤ h * w n
        · exact mul_nonneg' hs hs
        · have := mul_nonneg' (by grind : 0 ≤ -(h * w n)) (by grind : 0 ≤ -(h * w n))
          clear hh ih h0 hp h1 hs
          grind
      clear hh ih h0 hp
      grind
    · have h1 := mul_nonneg' h0 h0
      clear hh ih h0
      grind

theorem sq_nonneg (x : Rat) : 0 ≤ x * x := by
  by_cases h : 0 ≤ x
  · exact mul_nonneg' h h
  · have := mul_nonneg' (by grind : 0 ≤ -x) (by grind : 0 ≤ -x)
    grind

theorem approx_succ (n : Nat) {y : Rat} (h : 0 ≤ 1 + y * t n) : approx n y ≤ approx (n + 1) y := by
  have e : approx (n + 1) y = power n ((1 + y * t (n + 1)) * (1 + y * t (n + 1))) := by
    rw [power_mul]
    rfl
  rw [e]
  refine power_mono n ?_ h
  have := sq_nonneg (y * (t n / 2))
  simp only [t]
  grind

theorem approx_mul_neg (n : Nat) (y : Rat) :
    approx n y * approx n (-y) = power n (1 + -(y * t n * (y * t n))) := by
  simp only [approx]
  rw [← power_mul]
  congr 1
  grind

/-- All that is needed, for arguments up to `B`. -/
theorem estimates (B : Rat) (hB : 0 < B) : ∃ (n₀ : Nat) (C : Rat), 0 < C ∧ ∀ n, n₀ ≤ n → ∀ y,
    (-B ≤ y ∧ y ≤ B) → 1 + y ≤ approx n y ∧
      (∀ z d, (-B ≤ z ∧ z ≤ B) → (-d ≤ y - z ∧ y - z ≤ d) → approx n y - approx n z ≤ C * d) ∧
      ∀ m, n ≤ m → approx n y ≤ approx m y ∧ approx m y - approx n y ≤ C * t n := by
  obtain ⟨n₀, hn₀⟩ := t_null (B⁻¹ / 2) (by have := rat_inv_pos hB; grind)
  have hBB : B * B⁻¹ = 1 := by grind
  -- The arguments are small.
  have small : ∀ n, n₀ ≤ n → ∀ y, (-B ≤ y ∧ y ≤ B) → -(1 / 2) ≤ y * t n ∧ y * t n ≤ 1 / 2 :=
    fun n hn y hy => by
      have h1 := product_within hy (hn₀ n hn)
      have e : B * (B⁻¹ / 2) = 1 / 2 := by clear hB hn₀ hn hy h1; grind
      rw [e] at h1
      exact h1
  have up : ∀ n, n₀ ≤ n → ∀ y, (-B ≤ y ∧ y ≤ B) → ∀ k, approx n y ≤ approx (n + k) y :=
    fun n hn y hy k => by
      induction k with
      | zero => exact Std.le_refl _
      | succ k ih =>
        have h1 := small (n + k) (by omega) y hy
        exact Std.le_trans ih (approx_succ (n + k) (by clear hB hn₀ hBB small hn hy ih; grind))
  have opposite : ∀ y, (-B ≤ y ∧ y ≤ B) → -B ≤ -y ∧ -y ≤ B := fun y hy => by constructor <;> grind
  have hc : 0 < power n₀ (1 / 2) := power_pos n₀ (by decide +kernel)
  generalize hce : power n₀ (1 / 2) = c at *
  have low : ∀ n, n₀ ≤ n → ∀ y, (-B ≤ y ∧ y ≤ B) → c ≤ approx n y := fun n hn y hy => by
    have h1 := small n₀ (by omega) y hy
    have h2 := power_mono n₀ (x := 1 / 2) (y := 1 + y * t n₀) (by grind) (by decide +kernel)
    have h3 := up n₀ (by omega) y hy (n - n₀)
    have e : n₀ + (n - n₀) = n := by omega
    rw [e] at h3
    have h4 : power n₀ (1 + y * t n₀) = approx n₀ y := rfl
    clear small up opposite hn₀
    clear hB hBB hc hn hy h1 e
    grind
  have inverse : ∀ n, n₀ ≤ n → ∀ y, (-B ≤ y ∧ y ≤ B) → approx n y * approx n (-y) ≤ 1 ∧
      1 - B * B * t n ≤ approx n y * approx n (-y) := fun n hn y hy => by
    have h1 := small n hn y hy
    have h2 := product_within h1 h1
    have h3 := sq_nonneg (y * t n)
    clear small up opposite low hn₀
    rw [approx_mul_neg]
    constructor
    · have h4 := power_mono n (x := 1 + -(y * t n * (y * t n))) (y := 1) (by grind) (by grind)
      rw [power_one] at h4
      exact h4
    · have h4 := bernoulli n (h := -(y * t n * (y * t n))) (by grind)
      have e : -(y * t n * (y * t n)) * w n = -(y * y * t n * (w n * t n)) := by grind
      rw [e, w_mul_t] at h4
      have h5 := mul_le_right (product_within hy hy).2 (Std.le_of_lt (t_pos n))
      clear hB hBB hce hc hn hy h1 h2 h3 e
      grind
  have hi := rat_inv_pos hc
  have hcc : c * c⁻¹ = 1 := by clear hB hn₀ hBB small up opposite hce low inverse hi; grind
  have high : ∀ n, n₀ ≤ n → ∀ y, (-B ≤ y ∧ y ≤ B) → approx n y ≤ c⁻¹ := fun n hn y hy => by
    have h1 := (inverse n hn y hy).1
    have h2 := low n hn y hy
    have h3 := mul_le_left (low n hn (-y) (opposite y hy)) (Std.le_trans (Std.le_of_lt hc) h2)
    have h4 := mul_le_right (Std.le_trans h3 h1) (Std.le_of_lt hi)
    rw [Rat.mul_assoc, hcc, Rat.mul_one, Rat.one_mul] at h4
    exact h4
  have hBp := rat_mul_pos hB hB
  have hCp : 0 < (2 + B * B) * c⁻¹ := rat_mul_pos (by grind) hi
  refine ⟨n₀, (2 + B * B) * c⁻¹, hCp, fun n hn y hy => ⟨?_, fun z d hz hd => ?_, fun m hm => ?_⟩⟩
  · have h1 := small n hn y hy
    clear small up opposite low inverse high hn₀
    have h2 := bernoulli n (h := y * t n) (by clear hB hBB hce hc hi hcc hBp hCp hn hy; grind)
    have e : y * t n * w n = y * (w n * t n) := by grind
    rw [e, w_mul_t] at h2
    have h3 : power n (1 + y * t n) = approx n y := rfl
    clear hB hBB hce hc hi hcc hBp hCp hn hy h1 e
    grind
  · -- `1 + z t = (1 + y t) (1 + h)`
    have h1 := small n hn y hy
    have h2 := small n hn z hz
    have h8 := low n hn y hy
    have hh := high n hn y hy
    clear small up opposite low inverse high hn₀
    have hu : 0 < 1 + y * t n := by clear hB hBB hce hc hi hcc hBp hCp hn hy hz hd h2 h8 hh; grind
    have hui := rat_inv_pos hu
    have huu : (1 + y * t n) * (1 + y * t n)⁻¹ = 1 := by grind
    have hu2 : (1 + y * t n)⁻¹ ≤ 2 := by
      have := mul_le_right (by grind : 1 / 2 ≤ 1 + y * t n) (by grind : 0 ≤ (1 + y * t n)⁻¹)
      rw [huu] at this
      clear hB hBB hce hc hi hcc hBp hCp hn hy hz hd h1 h2 h8 hh hu hui huu
      grind
    generalize (1 + y * t n)⁻¹ = v at *
    have e1 : 1 + z * t n = (1 + y * t n) * (1 + (z - y) * t n * v) := by
      have : (1 + y * t n) * (1 + (z - y) * t n * v)
          = 1 + y * t n + (z - y) * t n * ((1 + y * t n) * v) := by grind
      rw [this, huu]
      clear hB hBB hce hc hi hcc hBp hCp hn hy hz hd h1 h2 h8 hh hu hui huu hu2
      grind
    have h3 : -1 ≤ (z - y) * t n * v := by
      have h4 := mul_nonneg' (by grind : 0 ≤ 1 + z * t n) (by grind : 0 ≤ v)
      have e2 : (1 + z * t n) * v = (1 + y * t n) * v * (1 + (z - y) * t n * v) := by
        rw [e1]
        clear hB hBB hce hc hi hcc hBp hCp hn hy hz hd h1 h2 h8 hh hu hui huu hu2 e1 h4
        grind
      rw [e2, huu] at h4
      clear hB hBB hce hc hi hcc hBp hCp hn hy hz hd h1 h2 h8 hh hu hui huu hu2 e1 e2
      grind
    have h5 := bernoulli n h3
    have e3 : (z - y) * t n * v * w n = (z - y) * v * (w n * t n) := by grind
    rw [e3, w_mul_t] at h5
    have hd0 : 0 ≤ d := by grind
    have h6 := (product_within (f := z - y) (e := d) (g := v) (B := 2) (by constructor <;> grind)
      (by constructor <;> grind)).1
    have h7 : approx n z = approx n y * power n (1 + (z - y) * t n * v) := by
      show power n (1 + z * t n) = _
      rw [e1, power_mul]
      rfl
    have h9 := mul_le_left (by grind : 1 - d * 2 ≤ power n (1 + (z - y) * t n * v))
      (by grind : 0 ≤ approx n y)
    rw [← h7] at h9
    have h10 := mul_le_right hh (by grind : 0 ≤ d * 2)
    have h11 := mul_nonneg' (mul_nonneg' (Std.le_of_lt hBp) (Std.le_of_lt hi)) hd0
    clear h1 h2 h3 h5 h6 h7 e1 e3 hu hui huu hu2 hcc
    clear hB hBB hce hc hi hBp hCp hn hy hz hd h8 hh hd0
    grind
  · have e : n + (m - n) = m := by omega
    have h1 := up n hn y hy (m - n)
    rw [e] at h1
    refine ⟨h1, ?_⟩
    have h2 := up n hn (-y) (opposite y hy) (m - n)
    rw [e] at h2
    have h3 := low m (by omega) y hy
    have h5 := (inverse m (by omega) y hy).1
    have h6 := (inverse n hn y hy).2
    have h7 := low n hn (-y) (opposite y hy)
    clear small up opposite low inverse high hn₀
    have h4 := mul_le_left h2 (Std.le_trans (Std.le_of_lt hc) h3)
    have h7 := mul_le_left h7 (by grind : 0 ≤ approx m y - approx n y)
    have h8 : (approx m y - approx n y) * c ≤ B * B * t n := by grind
    have h9 := mul_le_right h8 (Std.le_of_lt hi)
    rw [Rat.mul_assoc, hcc, Rat.mul_one] at h9
    have h10 := mul_nonneg' (Std.le_of_lt (t_pos n)) (Std.le_of_lt hi)
    clear h1 h2 h3 h4 h5 h6 h7 h8 hcc
    clear hB hBB hce hc hi hBp hCp hn hy hm e h7
    grind

/-- The sequence of `(1 + x_n / 2^n)^(2^n)`. -/
def CauchySeq.exp (x : CauchySeq) : CauchySeq := ⟨fun n => approx n (x.seq n), fun ε hε => by
  obtain ⟨B, hB, hx⟩ := x.bounded
  obtain ⟨n₀, C, hC, h⟩ := estimates B hB
  have hi := rat_inv_pos hC
  have hη := rat_mul_pos (by clear hB hx hC h hi; grind : 0 < ε / 2) hi
  have e : C * (ε / 2 * C⁻¹) = ε / 2 := by clear hε hB hx h hi hη; grind
  obtain ⟨N, hN⟩ := x.cauchy _ hη
  obtain ⟨N', hN'⟩ := t_null _ hη
  refine ⟨n₀ + N + N', fun m hm n hn => ?_⟩
  show approx m (x.seq m) - approx n (x.seq n) ≤ ε
  have d1 := hN m (by omega) n (by omega)
  have d2 := hN n (by omega) m (by omega)
  by_cases hmn : n ≤ m
  · have a1 := (h n (by omega) (x.seq m) (hx m)).2.1 (x.seq n) _ (hx n) ⟨by grind, d1⟩
    have a2 := ((h n (by omega) (x.seq m) (hx m)).2.2 m hmn).2
    have a3 := mul_le_left (hN' n (by omega)).2 (by grind : 0 ≤ C)
    clear hε hB hx hC h hi hη hN hN' hm hn d1 d2 hmn
    grind
  · have a1 := (h m (by omega) (x.seq m) (hx m)).2.1 (x.seq n) _ (hx n) ⟨by grind, d1⟩
    have a2 := ((h m (by omega) (x.seq n) (hx n)).2.2 n (by omega)).1
    clear hB hx hC h hi hη hN hN' hm hn d1 d2 hmn
    grind⟩

theorem exp_same {x y : CauchySeq} (hxy : same x y) : same x.exp y.exp := fun ε hε => by
  obtain ⟨B, hB, hx⟩ := x.bounded
  obtain ⟨B', hB', hy⟩ := y.bounded
  obtain ⟨n₀, C, hC, h⟩ := estimates (B + B') (by clear hxy hε hx hy; grind)
  have hi := rat_inv_pos hC
  have e : C * (ε * C⁻¹) = ε := by clear hxy hε hB hx hB' hy h hi; grind
  obtain ⟨N, hN⟩ := hxy _ (rat_mul_pos hε hi)
  refine ⟨n₀ + N, fun n hn => ?_⟩
  show -ε ≤ approx n (x.seq n) - approx n (y.seq n) ∧ approx n (x.seq n) - approx n (y.seq n) ≤ ε
  have d := hN n (by omega)
  have k := h n (by omega)
  have b1 := hx n
  have b2 := hy n
  clear h hx hy hN hxy
  have bx : -(B + B') ≤ x.seq n ∧ x.seq n ≤ B + B' := by clear k; constructor <;> grind
  have bz : -(B + B') ≤ y.seq n ∧ y.seq n ≤ B + B' := by clear k; constructor <;> grind
  have a1 := (k _ bx).2.1 _ _ bz d
  have a2 := (k _ bz).2.1 (x.seq n) (ε * C⁻¹) bx (by clear k; constructor <;> grind)
  rw [e] at a1 a2
  clear k
  constructor <;> (clear hε hB hB' hC hi e hn d b1 b2 bx bz; grind)

theorem t_le_one (n : Nat) : t n ≤ 1 := by
  have := t_le 0 n
  have e : 0 + n = n := by omega
  rw [e] at this
  exact this

theorem exp_add_same (x y : CauchySeq) : same (x.add y).exp (x.exp.mul y.exp) := fun ε hε => by
  obtain ⟨B, hB, hx⟩ := x.bounded
  obtain ⟨B', hB', hy⟩ := y.bounded
  have hBB := rat_mul_pos hB hB'
  obtain ⟨n₀, C, hC, h⟩ := estimates (B + B' + B * B') (by clear hε hx hy; grind)
  have hCi := rat_inv_pos hC
  have hi := rat_inv_pos hBB
  have e1 : C * (ε * C⁻¹) = ε := by clear hε hB hx hB' hy hBB h hCi hi; grind
  have e2 : B * B' * (ε * C⁻¹ * (B * B')⁻¹) = ε * C⁻¹ := by clear hε hB hx hB' hy hC h hCi hi; grind
  obtain ⟨N, hN⟩ := t_null (ε * C⁻¹ * (B * B')⁻¹) (rat_mul_pos (rat_mul_pos hε hCi) hi)
  refine ⟨n₀ + N, fun n hn => ?_⟩
  show -ε ≤ approx n (x.seq n + y.seq n) - approx n (x.seq n) * approx n (y.seq n) ∧
    approx n (x.seq n + y.seq n) - approx n (x.seq n) * approx n (y.seq n) ≤ ε
  have ht := t_pos n
  have ht1 := t_le_one n
  have b1 := hx n
  have b2 := hy n
  have b0 := (hN n (by omega)).2
  have k := h n (by omega)
  clear h hx hy hN
  have b3 := product_within b1 b2
  have b4 := product_within b3 (by clear k; constructor <;> grind : -t n ≤ t n ∧ t n ≤ t n)
  have b5 := mul_le_left ht1 (Std.le_of_lt hBB)
  have b6 := mul_le_left b0 (Std.le_of_lt hBB)
  rw [e2] at b6
  -- `(1 + x t) (1 + y t) = 1 + (x + y + x y t) t`
  have e3 : approx n (x.seq n) * approx n (y.seq n)
      = approx n (x.seq n + y.seq n + x.seq n * y.seq n * t n) := by
    simp only [approx]
    rw [← power_mul]
    congr 1
    clear hε hB hB' hBB hC hCi hi e1 e2 hn ht ht1 b1 b2 b0 k b3 b4 b5 b6
    grind
  rw [e3]
  generalize x.seq n * y.seq n * t n = r at *
  have c1 : -(B + B' + B * B') ≤ x.seq n + y.seq n ∧ x.seq n + y.seq n ≤ B + B' + B * B' := by
    clear k
    constructor <;> (clear hε hB hB' hC hCi hi e1 e2 hn ht ht1 b0 b3 b5 b6 b4 e3; grind)
  have c2 : -(B + B' + B * B') ≤ x.seq n + y.seq n + r ∧ x.seq n + y.seq n + r ≤ B + B' +
      B * B' := by
    clear k
    constructor <;> (clear hε hB hB' hBB hC hCi hi e1 e2 hn ht ht1 b0 b3 b6 e3 c1; grind)
  have a1 := (k _ c1).2.1 _ (ε * C⁻¹) c2 (by clear k; constructor <;> grind)
  have a2 := (k _ c2).2.1 _ (ε * C⁻¹) c1 (by clear k; constructor <;> grind)
  rw [e1] at a1 a2
  clear k
  constructor <;> grind

namespace Real

def exp : Real → Real := Quotient.lift (s := setoid) (fun x => mk x.exp) fun _ _ h =>
  sound (exp_same h)

theorem exp_add (a b : Real) : exp (add a b) = mul (exp a) (exp b) :=
  ind (p := fun a => exp (add a b) = mul (exp a) (exp b)) (fun x =>
    ind (p := fun b => exp (add (mk x) b) = mul (exp (mk x)) (exp b)) (fun y =>
      sound (exp_add_same x y)) b) a

theorem one_add_le_exp (a : Real) : le (add (ofRat 1) a) (exp a) :=
  ind (p := fun a => le (add (ofRat 1) a) (exp a)) (fun x ε hε => by
    obtain ⟨B, hB, hx⟩ := x.bounded
    obtain ⟨n₀, C, hC, h⟩ := estimates B hB
    refine ⟨n₀, fun n hn => ?_⟩
    show 1 + x.seq n ≤ approx n (x.seq n) + ε
    have := (h n hn _ (hx n)).1
    clear hB hx hC h hn
    grind) a

theorem le_some_natural (a : Real) : ∃ n : Nat, le a (ofRat (n : Rat)) :=
  ind (p := fun a => ∃ n : Nat, le a (ofRat (n : Rat))) (fun x => by
    obtain ⟨B, hB, hx⟩ := x.bounded
    obtain ⟨n, hn⟩ := le_natCast B
    refine ⟨n, fun ε hε => ⟨0, fun k _ => ?_⟩⟩
    show x.seq k ≤ (n : Rat) + ε
    have := hx k
    grind) a

/-- Below, and not above. -/
def lt (a b : Real) : Prop := le a b ∧ ¬ le b a

theorem preorder : @Std.IsPreorder Real ⟨le⟩ := @Std.IsPreorder.mk Real ⟨le⟩ le_refl le_trans

theorem linear : @Std.IsLinearOrder Real ⟨le⟩ :=
  @Std.IsLinearOrder.mk Real ⟨le⟩ (@Std.IsPartialOrder.mk Real ⟨le⟩ preorder le_antisymm) le_total

theorem lawful : @Std.LawfulOrderLT Real ⟨lt⟩ ⟨le⟩ :=
  @Std.LawfulOrderLT.mk Real ⟨lt⟩ ⟨le⟩ fun _ _ => Iff.rfl

theorem lt_of_not_le {a b : Real} (h : ¬ le b a) : lt a b :=
  ⟨(le_total a b).resolve_right h, h⟩

theorem ordered : @Lean.Grind.OrderedRing Real field.toCommRing.toRing.toSemiring ⟨le⟩ ⟨lt⟩
    preorder :=
  @Lean.Grind.OrderedRing.mk Real field.toCommRing.toRing.toSemiring ⟨le⟩ ⟨lt⟩ preorder
    (@Lean.Grind.OrderedAdd.mk Real (@instHAdd Real ⟨add⟩) ⟨le⟩ preorder fun {a b} c =>
      add_le_iff a b c)
    (by
      refine lt_of_not_le fun h => ?_
      obtain ⟨N, hN⟩ := h (1 / 2) (by decide +kernel)
      have h1 : (1 : Rat) ≤ 0 + 1 / 2 := hN N (by omega)
      exact absurd h1 (by decide +kernel))
    (fun {a b c} h h' => lt_of_not_le (mul_pos_lt a b c h.2 h'.2))
    (fun {a b c} h h' => by
      have h1 := lt_of_not_le (mul_pos_lt a b c h.2 h'.2)
      rw [mul_comm c a, mul_comm c b] at h1
      exact h1)

end Real

/-- **The real numbers are an exponential field.** -/
def reals : Numerics.ExpField :=
  @Numerics.ExpField.mk Real Real.field ⟨Real.le⟩ ⟨Real.lt⟩ Real.linear Real.lawful Real.ordered
    Real.exp Real.exp_add Real.one_add_le_exp

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

/-- The real numbers are Archimedean. -/
theorem reals_are_archimedean (x : reals.K) : ∃ n : Nat, x ≤ (n : reals.K) := Real.le_some_natural x

end PrivRef.Reals
