module

public import PrivRef.Thm.RenyiDp

/-!
`cosh x / cosh y ≤ e^{(x² - y²) / 2}` for `x ≥ y ≥ 0`, from the two axioms of the exponential
function in an Archimedean field: by halving both, since `cosh 2x / cosh 2y ≤ (cosh x / cosh y)⁴`,
until they are so small that the axioms decide.  It turns what randomized response costs exactly
into `ε²/2`.  Likewise `p e^h + q e^{-h} ≤ e^{(p - q) h + h²/2}`.
-/

@[expose] public section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable (F : ExpField)

/-- `2 cosh x`. -/
def twoCosh (x : F.K) : F.K := F.exp x + F.exp (-x)

theorem exp_double (x : F.K) : F.exp (x + x) = F.exp x * F.exp x := F.exp_add x x

theorem twoCosh_double (x : F.K) : twoCosh F (x + x) = twoCosh F x * twoCosh F x - 2 := by
  simp only [twoCosh]
  have h1 := exp_double F x
  have h2 := exp_double F (-x)
  have h3 := Numerics.exp_mul_neg F x
  have e : -(x + x) = -x + -x := by clear h1 h2 h3; grind
  rw [e, h1, h2]
  clear h1 h2 e
  grind

/-- `4 sinh² (x/2) = 2 cosh x - 2`, in terms of any half. -/
theorem twoCosh_of_half (h : F.K) :
    twoCosh F (h + h) - 2 = (F.exp h - F.exp (-h)) * (F.exp h - F.exp (-h)) := by
  rw [twoCosh_double]
  simp only [twoCosh]
  have h3 := Numerics.exp_mul_neg F h
  grind

theorem two_le_twoCosh (x : F.K) : 2 ≤ twoCosh F x := by
  have h := twoCosh_of_half F (x / 2)
  have e : x / 2 + x / 2 = x := by grind
  rw [e] at h
  have h2 : 0 ≤ (F.exp (x / 2) - F.exp (-(x / 2))) * (F.exp (x / 2) - F.exp (-(x / 2))) := by
    by_cases h3 : 0 ≤ F.exp (x / 2) - F.exp (-(x / 2))
    · exact mul_nonneg' h3 h3
    · have := mul_nonneg' (by grind : 0 ≤ -(F.exp (x / 2) - F.exp (-(x / 2))))
        (by grind : 0 ≤ -(F.exp (x / 2) - F.exp (-(x / 2))))
      clear h e h3
      grind
  grind

theorem exp_bounds {h : F.K} (h0 : 0 ≤ h) (h1 : h ≤ 1 / 2) :
    F.exp (-h) ≤ 1 - h + h * h ∧ F.exp h ≤ 1 + h + 2 * (h * h) := by
  have c := Numerics.exp_mul_neg F h
  have hh := mul_nonneg' h0 h0
  have hhh := mul_nonneg' hh h0
  have hq := mul_nonneg' hh (sub_nonneg' (by assumption) : 0 ≤ 1 / 2 - h)
  constructor
  · -- `e^{-h} (1 + h) ≤ 1 ≤ (1 + h) (1 - h + h²)`
    have h2 := mul_le_right (F.one_add_le_exp h) (by
      have := Numerics.exp_pos F (-h)
      exact Std.le_of_lt (by assumption) : 0 ≤ F.exp (-h))
    have h4 : (1 + h) * F.exp (-h) ≤ (1 + h) * (1 - h + h * h) := by clear h0 h1 hh hq; grind
    exact Numerics.le_of_mul_le h4 (by clear h1 c hh hhh hq h2 h4; grind)
  · -- `e^h (1 - h) ≤ 1 ≤ (1 - h) (1 + h + 2 h²)`
    have h2 := mul_le_left (F.one_add_le_exp (-h)) (by
      have := Numerics.exp_pos F h
      exact Std.le_of_lt (by assumption) : 0 ≤ F.exp h)
    have h4 : (1 - h) * F.exp h ≤ (1 - h) * (1 + h + 2 * (h * h)) := by clear h0 h1 hh hhh; grind
    exact Numerics.le_of_mul_le h4 (by clear h0 c hh hhh hq h2 h4; grind)

/-- `2 h (1 - h/2) ≤ 2 sinh h ≤ 2 h (1 + h)` for `0 ≤ h ≤ 1/2`. -/
theorem twoSinh_bounds {h : F.K} (h0 : 0 ≤ h) (h1 : h ≤ 1 / 2) :
    2 * h - h * h ≤ F.exp h - F.exp (-h) ∧ F.exp h - F.exp (-h) ≤ 2 * h + 2 * (h * h) := by
  have a := F.one_add_le_exp h
  have b := F.one_add_le_exp (-h)
  have c := exp_bounds F h0 h1
  constructor <;> grind

/-- `x² (1 - x/2) ≤ 2 cosh x - 2 ≤ x² (1 + 5x/4)` for `0 ≤ x ≤ 1`. -/
theorem twoCosh_bounds {x : F.K} (h0 : 0 ≤ x) (h1 : x ≤ 1) :
    x * x - x * x * x / 2 ≤ twoCosh F x - 2 ∧
    twoCosh F x - 2 ≤ x * x + 5 * (x * x * x) / 4 := by
  have h := twoCosh_of_half F (x / 2)
  have e : x / 2 + x / 2 = x := by clear h0 h1 h; grind
  rw [e] at h
  obtain ⟨l, u⟩ := twoSinh_bounds F (h := x / 2) (by clear h1 h e; grind) (by clear h0 h e; grind)
  generalize F.exp (x / 2) - F.exp (-(x / 2)) = s at h l u
  have hxx := mul_nonneg' h0 h0
  have hx3 := mul_nonneg' hxx h0
  have hx4 := mul_nonneg' hxx hxx
  have hx5 := mul_nonneg' hx3 (sub_nonneg' (by assumption) : 0 ≤ 1 - x)
  have l0 : 0 ≤ 2 * (x / 2) - x / 2 * (x / 2) := by
    have := mul_nonneg' h0 (sub_nonneg' (by assumption) : 0 ≤ 1 - x)
    clear h1 e h l u hxx hx3 hx4 hx5
    grind
  rw [h]
  constructor
  · have := mul_le_mul' l l l0 (by exact Std.le_trans (by assumption) (by assumption))
    clear h0 h1 e h l u hxx hx3 hx5 l0
    grind
  · have := mul_le_mul' u u (by exact Std.le_trans (by assumption) (by assumption)) (by grind)
    clear h0 h1 e h l u hxx hx3 hx4 l0
    grind

/-- Where both are small. -/
theorem twoCosh_ratio_small {x y : F.K} (hy : 0 ≤ y) (hyx : y ≤ x) (hx : x ≤ 1) :
    twoCosh F x ≤ twoCosh F y * F.exp ((x * x - y * y) / 2 + x * x * x) := by
  obtain ⟨_, u⟩ := twoCosh_bounds F (x := x) (by exact Std.le_trans (by assumption) (by assumption))
      hx
  obtain ⟨l, _⟩ := twoCosh_bounds F (x := y) hy
      (by exact Std.le_trans (by assumption) (by assumption))
  have c := two_le_twoCosh F y
  have e := F.one_add_le_exp ((x * x - y * y) / 2 + x * x * x)
  have h2 : y * y ≤ x * x := mul_le_mul' hyx hyx hy
      (by exact Std.le_trans (by assumption) (by assumption))
  have h3 : y * y * y ≤ x * x * x := mul_le_mul' h2 hyx hy
      (mul_nonneg' (by exact Std.le_trans (by assumption) (by assumption))
          (by exact Std.le_trans (by assumption) (by assumption)))
  have h3' := mul_nonneg' (mul_nonneg' hy hy) hy
  have d : 0 ≤ (x * x - y * y) / 2 + x * x * x := by clear hy hyx hx l c e h3 h3'; grind
  have k : twoCosh F x ≤ twoCosh F y + 2 * ((x * x - y * y) / 2 + x * x * x) := by grind
  generalize (x * x - y * y) / 2 + x * x * x = D at *
  have h4 := mul_le_left e (by clear hy hyx hx u l h2 h3 h3' e d k; grind : 0 ≤ twoCosh F y)
  have h5 := mul_nonneg' (sub_nonneg' (by assumption) : 0 ≤ twoCosh F y - 2) d
  clear hy hyx hx u l c h2 h3 h3' e d
  grind

/-- `cosh 2x / cosh 2y ≤ (cosh x / cosh y)⁴`, where `cosh x ≤ r cosh y`. -/
theorem twoCosh_ratio_double {x y r : F.K} (h : twoCosh F x ≤ twoCosh F y * r)
    (hyx : twoCosh F y ≤ twoCosh F x) :
    twoCosh F (x + x) ≤ twoCosh F (y + y) * (r * r * (r * r)) := by
  have cx := two_le_twoCosh F x
  have cy := two_le_twoCosh F y
  rw [twoCosh_double, twoCosh_double]
  generalize twoCosh F x = p at *
  generalize twoCosh F y = q at *
  have a4 : 4 ≤ p * p := by have := mul_le_mul' cx cx zero_le_two (by clear cy h hyx; grind); grind
  have b4 : 4 ≤ q * q := by have := mul_le_mul' cy cy zero_le_two (by grind); grind
  have ab : q * q ≤ p * p := mul_le_mul' hyx hyx (by clear cx h hyx a4 b4; grind) (by grind)
  have h2 : p * p ≤ q * r * (q * r) := mul_le_mul' h h (by grind) (by clear cy hyx a4 b4 ab; grind)
  have h4 : p * p * (p * p) ≤ q * r * (q * r) * (q * r * (q * r)) :=
    mul_le_mul' h2 h2 (by clear cx cy h hyx b4 ab h2; grind) (by clear cx cy h hyx b4 ab; grind)
  -- `(a - 2) b² ≤ a² (b - 2)` for `a ≥ b ≥ 4`.
  have key : (p * p - 2) * (q * q * (q * q)) ≤ p * p * (p * p) * (q * q - 2) := by
    generalize p * p = a at *
    generalize q * q = b at *
    have k1 := mul_nonneg' (sub_nonneg' (by assumption) : 0 ≤ a - 4) (by grind : 0 ≤ b)
    have k2 := mul_nonneg' (by grind : 0 ≤ a) (sub_nonneg' (by assumption) : 0 ≤ b - 4)
    have k3 := mul_nonneg' (by clear cx cy h hyx a4 h2 h4 b4 k1; grind : 0 ≤ a * b - 2 * (a + b))
        (sub_nonneg' (by assumption) : 0 ≤ a - b)
    clear cx cy h hyx a4 h2 h4 b4 ab k1 k2
    grind
  have h5 := mul_le_right h4 (by clear cx cy h hyx a4 ab h2 h4 key; grind : 0 ≤ q * q - 2)
  have hb : 0 < q * q * (q * q) := Numerics.mul_pos (by grind) (by grind)
  refine Numerics.le_of_mul_le (c := q * q * (q * q)) ?_ hb
  have e : q * r * (q * r) * (q * r * (q * r)) * (q * q - 2)
      = q * q * (q * q) * ((q * q - 2) * (r * r * (r * r))) := by grind
  rw [e] at h5
  clear cx cy h hyx a4 b4 ab h2 h4 hb e
  grind

theorem twoCosh_mono {x y : F.K} (hy : 0 ≤ y) (hyx : y ≤ x) : twoCosh F y ≤ twoCosh F x := by
  -- `e^x + e^{-x} - e^y - e^{-y} = (e^x - e^y) (1 - e^{-x} e^{-y})`
  have h1 := Numerics.exp_mono F hyx
  have h2 := Numerics.exp_mono F (x := 0) (y := x + y) (by grind)
  rw [Numerics.exp_zero, F.exp_add] at h2
  have a := Numerics.exp_mul_neg F x
  have b := Numerics.exp_mul_neg F y
  have p := Numerics.exp_pos F (-x)
  have q := Numerics.exp_pos F (-y)
  have pq := Numerics.mul_pos p q
  simp only [twoCosh]
  have h3 := mul_nonneg' (mul_nonneg' (sub_nonneg' (by assumption) : 0 ≤ F.exp x - F.exp y)
    (sub_nonneg' (by assumption) : 0 ≤ F.exp x * F.exp y - 1))
        (Std.le_of_lt (by assumption) : 0 ≤ F.exp (-x) * F.exp (-y))
  have e : (F.exp x - F.exp y) * (F.exp x * F.exp y - 1) * (F.exp (-x) * F.exp (-y))
      = F.exp x * (F.exp x * F.exp (-x)) * (F.exp y * F.exp (-y))
        - F.exp y * (F.exp y * F.exp (-y)) * (F.exp x * F.exp (-x))
        - (F.exp x * F.exp (-x)) * F.exp (-y) + (F.exp y * F.exp (-y)) * F.exp (-x) := by grind
  rw [e, a, b] at h3
  clear hy hyx h1 h2 a b p q pq e
  grind

/-- The half, to a power. -/
def halves : Nat → F.K
  | 0 => 1
  | n + 1 => halves n / 2

theorem halves_pos (n : Nat) : 0 < halves F n := by
  induction n with
  | zero => simp only [halves]; exact zero_lt_one'
  | succ n ih => simp only [halves]; grind

/-- With `n` halvings the error is `x³ / 2^n`. -/
theorem twoCosh_ratio (n : Nat) : ∀ x y : F.K, 0 ≤ y → y ≤ x → x * halves F n ≤ 1 →
    twoCosh F x ≤ twoCosh F y * F.exp ((x * x - y * y) / 2 + x * x * x * halves F n) := by
  induction n with
  | zero =>
    intro x y hy hyx hx
    have h := twoCosh_ratio_small F hy hyx (by simp only [halves] at hx; grind)
    simp only [halves]
    have e : x * x * x * 1 = x * x * x := by clear hy hyx hx h; grind
    rw [e]
    exact h
  | succ n ih =>
    intro x y hy hyx hx
    have h := ih (x / 2) (y / 2) (by grind) (by grind) (by simp only [halves] at hx; grind)
    have h2 := twoCosh_ratio_double F h (twoCosh_mono F (by clear ih hyx hx h; grind) (by grind))
    have e1 : x / 2 + x / 2 = x := by clear ih hy hyx hx h h2; grind
    have e2 : y / 2 + y / 2 = y := by clear ih hy hyx hx h h2 e1; grind
    rw [e1, e2, ← F.exp_add, ← F.exp_add] at h2
    have e3 : (x / 2 * (x / 2) - y / 2 * (y / 2)) / 2 + x / 2 * (x / 2) * (x / 2) * halves F n
        + ((x / 2 * (x / 2) - y / 2 * (y / 2)) / 2 + x / 2 * (x / 2) * (x / 2) * halves F n)
        + ((x / 2 * (x / 2) - y / 2 * (y / 2)) / 2 + x / 2 * (x / 2) * (x / 2) * halves F n
        + ((x / 2 * (x / 2) - y / 2 * (y / 2)) / 2 + x / 2 * (x / 2) * (x / 2) * halves F n))
        = (x * x - y * y) / 2 + x * x * x * halves F (n + 1) := by
      simp only [halves]
      clear ih hy hyx hx h h2 e1 e2
      grind
    rw [e3] at h2
    exact h2

/-- In an Archimedean field the halves are as small as one likes. -/
theorem halves_small (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (x : F.K) :
    ∃ n : Nat, x * halves F n ≤ 1 := by
  obtain ⟨n, hn⟩ := arch x
  refine ⟨n, ?_⟩
  have h : ∀ n : Nat, (n : F.K) * halves F n ≤ 1 := fun n => by
    induction n with
    | zero =>
      rw [Lean.Grind.Semiring.natCast_zero]
      grind
    | succ n ih =>
      have h1 := halves_pos F n
      have h2 : halves F n ≤ 1 := by
        clear ih h1
        induction n with
        | zero => simp only [halves]; exact Std.le_refl _
        | succ n ih => have := halves_pos F n; simp only [halves]; grind
      rw [Lean.Grind.Semiring.natCast_succ]
      simp only [halves]
      clear arch hn h1
      grind
  have h2 := mul_le_right hn (Std.le_of_lt (halves_pos F n) : 0 ≤ halves F n)
  have h3 := h n
  exact Std.le_trans (by assumption) (by assumption)

/-- What holds up to the factors `e^{c / 2^n}` of all large `n` holds. -/
theorem le_of_halves (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {a M x c : F.K} (hM : 0 ≤ M)
    (hx : 0 ≤ x) (hc : 0 ≤ c)
    (bound : ∀ n, x * halves F n ≤ 1 → a ≤ M * F.exp (c * halves F n)) : a ≤ M := by
  by_cases h : a ≤ M
  · exact h
  · -- With `g` the gap, an error of `g / (4 M)` is too small.
    generalize hg : a - M = g
    have g0 : 0 < g := by clear arch hM hx hc bound; grind
    have hi : 0 < g⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr g0
    have hMi := mul_nonneg' hM (Std.le_of_lt (by assumption) : 0 ≤ g⁻¹)
    obtain ⟨n, hn⟩ := halves_small F arch (x + c * (2 + 4 * (M * g⁻¹)))
    have bound := bound n
    clear arch
    have hp := halves_pos F n
    have hx' := mul_nonneg' hx (Std.le_of_lt (by assumption) : 0 ≤ halves F n)
    have hc' := mul_nonneg' hc (Std.le_of_lt (by assumption) : 0 ≤ halves F n)
    have hcm := mul_nonneg' hc' hMi
    have e1 : (x + c * (2 + 4 * (M * g⁻¹))) * halves F n
        = x * halves F n + 2 * (c * halves F n) + 4 * (c * halves F n * (M * g⁻¹)) := by grind
    rw [e1] at hn
    have hb := bound (by clear bound; clear hM hx hc bound h hg g0 hi hMi hp hx' e1; grind)
    clear bound
    generalize c * halves F n = η at *
    have h2 : η ≤ 1 / 2 := by clear hM hx hc bound h hg g0 hi hMi hp hc' e1 hb; grind
    have h4 : 4 * (η * (M * g⁻¹)) ≤ 1 := by grind
    have h5 : 4 * (η * M) ≤ g := by
      have h6 := mul_le_right h4 (Std.le_of_lt (by assumption) : 0 ≤ g)
      have e2 : 4 * (η * (M * g⁻¹)) * g = 4 * (η * M) := by
        have : g⁻¹ * g = 1 := by grind
        have e3 : 4 * (η * (M * g⁻¹)) * g = 4 * (η * M) * (g⁻¹ * g) := by grind
        rw [e3, this]
        clear hM hx hc bound h hg g0 hi hMi hp hx' hn hc' hcm e1 hb h2 h4 h6 e3
        grind
      rw [e2] at h6
      clear hM hx hc bound h hg g0 hi hMi hp hx' hn hc' hcm e1 hb h2 h4 e2
      grind
    -- `e^η ≤ 1 + 2 η`
    have h8 : F.exp η ≤ 1 + 2 * η := by
      have h7 := (exp_bounds F hc' h2).2
      have h9 := mul_nonneg' hc' (sub_nonneg' (by assumption) : 0 ≤ 1 / 2 - η)
      clear hM hx hc bound h hg g0 hi hMi hp hx' hn hc' hcm e1 hb h2 h4 h5
      grind
    have h11 := mul_le_left h8 hM
    clear hM hx hc bound g0 hi hMi hp hx' hn hc' hcm e1 h2 h4 h8
    grind

/-- **`cosh x ≤ cosh y e^{(x² - y²)/2}` for `0 ≤ y ≤ x`** in an Archimedean exponential field. -/
theorem cosh_ratio_is_subgaussian (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {x y : F.K}
    (hy : 0 ≤ y) (hyx : y ≤ x) :
    twoCosh F x ≤ twoCosh F y * F.exp ((x * x - y * y) / 2) := by
  have cy := two_le_twoCosh F y
  have pe := Numerics.exp_pos F ((x * x - y * y) / 2)
  have hx : 0 ≤ x := Std.le_trans (by assumption) (by assumption)
  refine le_of_halves F arch (mul_nonneg' (by grind) (by exact Std.le_of_lt (by assumption))) hx
    (mul_nonneg' (mul_nonneg' hx hx) hx) fun n h => ?_
  have := twoCosh_ratio F n x y hy hyx h
  rw [F.exp_add] at this
  clear arch hy hyx cy pe hx h
  grind

/-- The moment at `h` of a loss that is `1` with the weight `p` and `-1` with the weight `q`. -/
def twoPoints (p q h : F.K) : F.K := p * F.exp h + q * F.exp (-h)

section

variable {p q : F.K} (hpq : p + q = 1)
include hpq

/-- `M(2h) ≤ M(h)² e^{h²}`: with `p + q = 1`, `M(2h) = M(h)² + 4 p q sinh² h`. -/
theorem twoPoints_double (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {h : F.K} (h0 : 0 ≤ h) :
    twoPoints F p q (h + h) ≤ twoPoints F p q h * twoPoints F p q h * F.exp (h * h) := by
  have square : ∀ x : F.K, 0 ≤ x * x := fun x => by
    by_cases hx : 0 ≤ x
    · exact mul_nonneg' hx hx
    · have := mul_nonneg' (by clear hpq arch h0; grind : 0 ≤ -x) (by grind : 0 ≤ -x)
      clear hpq arch h0 hx
      grind
  have c := cosh_ratio_is_subgaussian F arch (Std.le_refl 0) h0
  clear arch
  have c0 := two_le_twoCosh F h
  have c1 := mul_le_mul' c c (by clear hpq h0 square c; grind) (by clear hpq h0 square; grind)
  have e1 : (h * h - 0 * 0) / 2 + (h * h - 0 * 0) / 2 = h * h := by grind
  have e2 : -(h + h) = -h + -h := by clear hpq h0 square c c0 c1 e1; grind
  have e3 : -(0 : F.K) = 0 := by clear hpq h0 square c c0 c1 e1 e2; grind
  have inv := Numerics.exp_mul_neg F h
  have g : F.exp ((h * h - 0 * 0) / 2) * F.exp ((h * h - 0 * 0) / 2) = F.exp (h * h) := by
    rw [← F.exp_add, e1]
  simp only [twoCosh, e3, Numerics.exp_zero] at c1
  simp only [twoPoints, e2, F.exp_add]
  generalize F.exp (h * h) = G at *
  generalize F.exp ((h * h - 0 * 0) / 2) = r at *
  generalize F.exp h = x at *
  generalize F.exp (-h) = y at *
  have k1 : (x - y) * (x - y) + 4 ≤ 4 * G := by clear hpq h0 square c0 e1 e2 e3 c; grind
  have k2 := mul_le_left k1 (square (p * x + q * y))
  have k3 := mul_nonneg' (square (p * x - q * y)) (square (x - y))
  clear square
  have e4 : (p * x - q * y) * (p * x - q * y)
      = (p * x + q * y) * (p * x + q * y) - 4 * (p * q) * (x * y) := by grind
  have e5 : (p * x + q * y) * (p * x + q * y) + p * q * ((x - y) * (x - y))
      = (p + q) * (p * (x * x) + q * (y * y)) := by grind
  rw [inv] at e4
  rw [hpq] at e5
  rw [e4] at k3
  generalize (p * x + q * y) * (p * x + q * y) = S at *
  generalize (x - y) * (x - y) = d at *
  clear hpq h0 c0 e1 e2 e3 c g inv c1 e4 k1
  grind

variable (hp : 0 ≤ p) (hq : 0 ≤ q)
include hp hq

theorem twoPoints_small {h : F.K} (h0 : 0 ≤ h) (h1 : h ≤ 1 / 2) :
    twoPoints F p q h ≤ F.exp ((p - q) * h + 2 * (h * h)) := by
  have b := exp_bounds F h0 h1
  have b1 := mul_le_left b.2 hp
  have b2 := mul_le_left b.1 hq
  have c := F.one_add_le_exp ((p - q) * h + 2 * (h * h))
  have d := mul_nonneg' hq (mul_nonneg' h0 h0)
  have e : p * (1 + h + 2 * (h * h)) + q * (1 - h + h * h)
      = (p + q) * (1 + 2 * (h * h)) + (p - q) * h - q * (h * h) := by grind
  rw [hpq] at e
  simp only [twoPoints]
  clear hpq hp hq h0 h1 b
  grind

theorem twoPoints_halves (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (n : Nat) : ∀ h : F.K, 0 ≤ h →
    2 * h * halves F n ≤ 1 → twoPoints F p q h
      ≤ F.exp ((p - q) * h + h * h / 2 + 2 * (h * h) * halves F n) := by
  induction n with
  | zero =>
    intro h h0 h1
    simp only [halves] at h1 ⊢
    have := mul_nonneg' h0 h0
    exact Std.le_trans (twoPoints_small F hpq hp hq h0 (by clear hpq hp hq arch h0; grind))
      (Numerics.exp_mono F (by clear hpq hp hq arch h0 h1; grind))
  | succ n ih =>
    intro h h0 h1
    simp only [halves] at h1 ⊢
    have k := ih (h / 2) (by clear hpq hp hq arch ih h1; grind) (by grind)
    have k0 : 0 ≤ twoPoints F p q (h / 2) := by
      have a := mul_nonneg' hp (Std.le_of_lt (Numerics.exp_pos F (h / 2)) : 0 ≤ F.exp (h / 2))
      have b := mul_nonneg' hq (by
        have := Numerics.exp_pos F (-(h / 2))
        exact Std.le_of_lt (by assumption) : 0 ≤ F.exp (-(h / 2)))
      simp only [twoPoints]
      exact add_nonneg' (by assumption) (by assumption)
    have k1 := mul_le_mul' k k k0 (Std.le_of_lt (Numerics.exp_pos _ _))
    have k2 := mul_le_right k1 (by
      have := Numerics.exp_pos F (h / 2 * (h / 2))
      exact Std.le_of_lt (by assumption) : 0 ≤ F.exp (h / 2 * (h / 2)))
    have k3 := twoPoints_double F hpq arch (h := h / 2) (by grind)
    have e1 : h / 2 + h / 2 = h := by clear hpq hp hq arch ih h0 h1 k k0 k1 k2 k3; grind
    rw [e1] at k3
    rw [← F.exp_add, ← F.exp_add] at k2
    refine Std.le_trans (Std.le_trans k3 k2) (Numerics.exp_mono F ?_)
    clear hpq hp hq arch ih h0 h1 k k0 k1 k2 k3 e1
    grind

/-- **`p e^h + q e^{-h} ≤ e^{(p - q) h + h²/2}`** for `p + q = 1` and `h ≥ 0`, in an Archimedean
exponential field: Hoeffding's lemma for two points. -/
theorem two_points_are_subgaussian (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {h : F.K}
    (h0 : 0 ≤ h) : twoPoints F p q h ≤ F.exp ((p - q) * h + h * h / 2) := by
  have e := Numerics.exp_pos F ((p - q) * h + h * h / 2)
  have hh := mul_nonneg' h0 h0
  refine le_of_halves F arch (x := 2 * h) (c := 2 * (h * h)) (by exact Std.le_of_lt (by assumption))
      (by clear hpq hp hq arch e hh; grind) (by clear hpq hp hq arch h0 e; grind)
    fun n hn => ?_
  have := twoPoints_halves F hpq hp hq arch n h h0 hn
  rw [F.exp_add] at this
  exact this

end

/-- **The moment of randomized response is at most that of `ε²/2`-zCDP** (Bun and Steinke 2016,
Proposition 3.3; Whitehouse et al. 2023, Lemma 10): at every order its exact moment is at most
`e^{m (m + 1) ε² / 2}`.  `randomized_response_satisfies_definition_3` is about the mechanism. -/
theorem randomized_response_is_zcdp (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {m ε : F.K}
    (hm : 0 < m) (hε : 0 ≤ ε) :
    F.exp (ε + m * ε) + F.exp (-(m * ε))
      ≤ (1 + F.exp ε) * F.exp (m * (m + 1) * (ε * ε / 2)) := by
  have hme := mul_nonneg' (Std.le_of_lt (by assumption) : 0 ≤ m) hε
  have h := cosh_ratio_is_subgaussian F arch (x := ε / 2 + m * ε) (y := ε / 2) (by grind) (by grind)
  have e1 : ((ε / 2 + m * ε) * (ε / 2 + m * ε) - ε / 2 * (ε / 2)) / 2
      = m * (m + 1) * (ε * ε / 2) := by clear arch hm hε hme h; grind
  rw [e1] at h
  have h2 := mul_le_left h (Std.le_of_lt (Numerics.exp_pos F (ε / 2)) : 0 ≤ F.exp (ε / 2))
  simp only [twoCosh] at h2
  have a1 : F.exp (ε / 2) * F.exp (ε / 2 + m * ε) = F.exp (ε + m * ε) := by
    rw [← F.exp_add]
    congr 1
    clear arch hm hε hme h e1 h2
    grind
  have a2 : F.exp (ε / 2) * F.exp (-(ε / 2 + m * ε)) = F.exp (-(m * ε)) := by
    rw [← F.exp_add]
    congr 1
    clear arch hm hε hme h e1 h2 a1
    grind
  have a3 : F.exp (ε / 2) * F.exp (ε / 2) = F.exp ε := by
    rw [← F.exp_add]
    congr 1
    clear arch hm hε hme h e1 h2 a1 a2
    grind
  have a4 := Numerics.exp_mul_neg F (ε / 2)
  generalize F.exp (m * (m + 1) * (ε * ε / 2)) = r at *
  have e2 : F.exp (ε / 2) * (F.exp (ε / 2 + m * ε) + F.exp (-(ε / 2 + m * ε)))
      = F.exp (ε / 2) * F.exp (ε / 2 + m * ε) + F.exp (ε / 2) * F.exp (-(ε / 2 + m * ε)) := by grind
  have e3 : F.exp (ε / 2) * ((F.exp (ε / 2) + F.exp (-(ε / 2))) * r)
      = (F.exp (ε / 2) * F.exp (ε / 2) + F.exp (ε / 2) * F.exp (-(ε / 2))) * r := by grind
  rw [e2, e3, a1, a2, a3, a4] at h2
  clear arch hm hε hme e1 a1 a2 a3 a4 h e2 e3
  grind

/-- **An `(ε, δ)`-DP round is a round of the zCDP filter at `ρ = ε²/2`** (Whitehouse et al. 2023,
Theorem 2), for finite laws, in an Archimedean exponential field.  That it is approximately zCDP
itself is `dp_mechanism_is_approximately_zcdp`, which asks for logarithms. -/
theorem dp_mechanism_is_a_round_of_the_zcdp_filter (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    {D O : Type u} (nbr : Neighbours D) (M : D → FinLaw F.K O) (ε δ : F.K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (hM : IsDPSet (expFieldLike F) nbr M ε δ) :
    IsDominated (expFieldLike F) (allOrders F.K) nbr (fun x => (M x).toLaw) (zcdpCost (ε * ε / 2))
      δ :=
  dp_mechanism_has_the_moments_of_randomized_response (expFieldLike F) (allOrders F.K) nbr M ε δ hε
    hδ hδ1 hM _ fun i => randomized_response_is_zcdp F arch i.2 hε

end PrivRef
