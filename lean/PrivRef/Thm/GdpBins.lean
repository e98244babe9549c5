module

public import PrivRef.Thm.DpRound
public import PrivRef.Thm.Gdp

/-!
The hockey-stick divergence of two normal laws, bounded by sums of `e^{-t²/2}` over a grid.  The
line is cut into bins by a smooth step; a shift takes the mass of one bin to that of another, so
that all of them follow from the mass of one, and this one from their sum.
-/

@[expose] public section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

variable {F : ExpField}

namespace NormalLaw

/-! ### Bins -/

/-- `sinh (x + w/2) / sinh (w/2)`. -/
noncomputable def slope (F : ExpField) (w x : F.K) : F.K :=
  (F.exp (x + w / 2) - F.exp (-(x + w / 2))) * (F.exp (w / 2) - F.exp (-(w / 2)))⁻¹

/-- A step from `0` at `-w` and before to `1` at `0` and after. -/
noncomputable def step (F : ExpField) (w x : F.K) : F.K :=
  (posPart (slope F w x + 1) - posPart (slope F w x - 1)) / 2

/-- A bin of the half width `w`: the bins at the distance `w` add up to one. -/
noncomputable def bump (F : ExpField) (w x : F.K) : F.K := step F w x - step F w (x + -w)

section

variable {w : F.K} (hw : 0 < w)

include hw in
theorem scale_pos : 0 < F.exp (w / 2) - F.exp (-(w / 2)) := by
  have := Numerics.exp_strictMono F (by grind : -(w / 2) < w / 2)
  grind

include hw in
theorem slope_mono {x y : F.K} (h : x ≤ y) : slope F w x ≤ slope F w y := by
  have i := inv_pos' (scale_pos hw)
  have a := Numerics.exp_mono F (by grind : x + w / 2 ≤ y + w / 2)
  have b := Numerics.exp_mono F (by clear hw i a; grind : -(y + w / 2) ≤ -(x + w / 2))
  exact mul_le_right (by clear hw h i; grind) (Std.le_of_lt i)

include hw in
theorem slope_zero : slope F w 0 = 1 := by
  have d := scale_pos hw
  have e : (0 : F.K) + w / 2 = w / 2 := by grind
  unfold slope
  rw [e]
  grind

include hw in
theorem slope_left : slope F w (-w) = -1 := by
  have d := scale_pos hw
  have e : -w + w / 2 = -(w / 2) := by grind
  have e2 : -(-(w / 2)) = w / 2 := by clear hw d e; grind
  unfold slope
  rw [e, e2]
  clear hw e e2
  grind

theorem slope_flip (w x : F.K) : slope F w (-w - x) = -slope F w x := by
  have e : -w - x + w / 2 = -(x + w / 2) := by grind
  have e2 : -(-(x + w / 2)) = x + w / 2 := by grind
  unfold slope
  rw [e, e2]
  grind

include hw in
theorem step_left {x : F.K} (h : x ≤ -w) : step F w x = 0 := by
  have k := slope_mono hw h
  rw [slope_left hw] at k
  unfold step
  rw [posPart_of_nonpos (by grind), posPart_of_nonpos (by grind)]
  clear hw h k
  grind

include hw in
theorem step_right {x : F.K} (h : 0 ≤ x) : step F w x = 1 := by
  have k := slope_mono hw h
  rw [slope_zero hw] at k
  unfold step
  rw [posPart_of_nonneg (by grind), posPart_of_nonneg (by grind)]
  clear hw h k
  grind

theorem step_mem (w x : F.K) : 0 ≤ step F w x ∧ step F w x ≤ 1 := by
  unfold step posPart
  generalize slope F w x = y
  constructor <;> split <;> split <;> grind

theorem posPart_neg (y : F.K) : posPart (-y) = posPart y - y := by
  by_cases h : 0 ≤ y
  · rw [posPart_of_nonpos (by grind), posPart_of_nonneg h]
    grind
  · rw [posPart_of_nonneg (by grind), posPart_of_nonpos (by grind)]
    grind

theorem step_flip (w x : F.K) : step F w (-w - x) = 1 - step F w x := by
  unfold step
  rw [slope_flip]
  generalize slope F w x = y
  have e1 : -y + 1 = -(y - 1) := by grind
  have e2 : -y - 1 = -(y + 1) := by grind
  rw [e1, e2, posPart_neg, posPart_neg]
  grind

include hw in
theorem bump_nonneg (x : F.K) : 0 ≤ bump F w x := by
  unfold bump
  by_cases h : 0 ≤ x
  · rw [step_right hw h]
    have := (step_mem w (x + -w)).2
    grind
  · rw [step_left hw (by grind : x + -w ≤ -w)]
    have := (step_mem w x).1
    grind

include hw in
theorem bump_far {x : F.K} (h : ¬ (-w ≤ x ∧ x ≤ w)) : bump F w x = 0 := by
  unfold bump
  by_cases h1 : x ≤ -w
  · rw [step_left hw h1, step_left hw (by grind)]
    clear hw h h1
    grind
  · rw [step_right hw (by grind), step_right hw (by grind)]
    clear hw h h1
    grind

theorem bump_even (w x : F.K) : bump F w (-x) = bump F w x := by
  unfold bump
  have e1 : -x = -w - (x + -w) := by grind
  have e2 : -x + -w = -w - x := by grind
  rw [e2, step_flip w x, e1, step_flip]
  grind

end

variable (N : NormalLaw F)

theorem int_step (w t : F.K) : N.law.int fun x => step F w (x + t) := by
  have i : N.law.int fun x => slope F w (x + t) := by
    have h := N.law.add _ _
      (N.law.smul ((F.exp (w / 2) - F.exp (-(w / 2)))⁻¹) _ (N.int_affine 1 (t + w / 2)))
      (N.law.smul (-(F.exp (w / 2) - F.exp (-(w / 2)))⁻¹) _ (N.int_affine (-1) (-(t + w / 2))))
    have e : (fun x => (F.exp (w / 2) - F.exp (-(w / 2)))⁻¹ * F.exp (t + w / 2 + 1 * x)
        + -(F.exp (w / 2) - F.exp (-(w / 2)))⁻¹ * F.exp (-(t + w / 2) + -1 * x))
        = fun x => slope F w (x + t) := by
      funext x
      have e1 : t + w / 2 + 1 * x = x + t + w / 2 := by grind
      have e2 : -(t + w / 2) + -1 * x = -(x + t + w / 2) := by grind
      unfold slope
      rw [e1, e2]
      generalize (F.exp (w / 2) - F.exp (-(w / 2)))⁻¹ = i
      clear h e1 e2
      grind
    rwa [e] at h
  have a := N.int_pos _ (N.law.add _ _ i (N.law.const 1))
  have b := N.int_pos _ (N.law.add _ _ i (N.law.const (-1)))
  have h := N.law.smul (1 / 2) _ (N.law.add _ _ a (N.law.smul (-1) _ b))
  have e : (fun x => 1 / 2 * (posPart (slope F w (x + t) + 1)
      + -1 * posPart (slope F w (x + t) + -1))) = fun x => step F w (x + t) := by
    funext x
    have e1 : slope F w (x + t) + -1 = slope F w (x + t) - 1 := by clear i a b h; grind
    unfold step
    rw [e1]
    clear i a b h e1
    grind
  rwa [e] at h

theorem int_bump (w t : F.K) : N.law.int fun x => bump F w (x + t) := by
  have h := N.law.add _ _ (N.int_step w t) (N.law.smul (-1) _ (N.int_step w (t + -w)))
  have e : (fun x => step F w (x + t) + -1 * step F w (x + (t + -w)))
      = fun x => bump F w (x + t) := by
    funext x
    have e1 : x + (t + -w) = x + t + -w := by grind
    unfold bump
    rw [e1]
    grind
  rwa [e] at h

/-- The mass of the bin at `t`. -/
noncomputable def mass (w t : F.K) : F.K := N.law.E fun x => bump F w (x + -t)

theorem mass_zero (w : F.K) : N.mass w 0 = N.law.E (bump F w) := by
  unfold mass
  congr 1
  funext x
  congr 1
  grind

theorem int_bump_zero (w : F.K) : N.law.int (bump F w) := by
  have h := N.int_bump w 0
  have e : (fun x => bump F w (x + 0)) = bump F w := funext fun x => by
    congr 1
    grind
  rwa [e] at h

/-- The law is symmetric. -/
theorem E_neg {f : F.K → F.K} (hf : N.law.int f) :
    (N.law.int fun x => f (-x)) ∧ N.law.E (fun x => f (-x)) = N.law.E f := by
  have h := N.sum (-1) 0 1 f (by grind) hf
  have hi := N.int_sum (-1) 0 f hf
  have e : (fun x => N.law.E fun y => f (-1 * x + 0 * y)) = fun x => f (-x) := by
    funext x
    have e1 : (fun y => f (-1 * x + 0 * y)) = fun _ => f (-x) := funext fun y => by
      congr 1
      clear hf h hi
      grind
    rw [e1, N.law.E_const]
  have e2 : (fun x => f (1 * x)) = f := funext fun x => by
    congr 1
    clear hf h hi e
    grind
  rw [e] at hi h
  rw [e2] at h
  exact ⟨hi, h⟩

/-- A bin's mass is that of the bin at `0`, tilted. -/
theorem mass_eq (w t : F.K) :
    (N.law.int fun x => (F.exp (t * x) + F.exp (-(t * x))) * bump F w x) ∧
    2 * N.mass w t = F.exp (-(t * t / 2))
      * N.law.E fun x => (F.exp (t * x) + F.exp (-(t * x))) * bump F w x := by
  have i := N.int_bump_zero w
  have i1 := N.int_exp (-t) _ i
  have h := N.shift (-t) _ i
  obtain ⟨i2, hn⟩ := N.E_neg i1
  have e : (fun x => F.exp (-t * -x) * bump F w (-x)) = fun x => F.exp (t * x) * bump F w x := by
    funext x
    rw [bump_even]
    congr 2
    clear i i1 h i2 hn
    grind
  have e0 : (fun x => F.exp (-t * x) * bump F w x) = fun x => F.exp (-(t * x)) * bump F w x := by
    funext x
    congr 2
    clear i i1 h i2 hn e
    grind
  rw [e0] at i1 h hn
  rw [e] at i2 hn
  have e1 : (fun x => (F.exp (t * x) + F.exp (-(t * x))) * bump F w x)
      = fun x => F.exp (t * x) * bump F w x + F.exp (-(t * x)) * bump F w x := by
    funext x
    clear i i1 h i2 hn e e0
    grind
  rw [e1]
  refine ⟨N.law.add _ _ i2 i1, ?_⟩
  rw [N.law.E_add _ _ i2 i1, hn, h]
  have e2 : -t * -t / 2 = t * t / 2 := by clear i i1 h i2 hn e e0 e1; grind
  rw [e2]
  have k := Numerics.exp_mul_neg F (t * t / 2)
  show 2 * N.law.E (fun x => bump F w (x + -t)) = _
  generalize N.law.E (fun x => bump F w (x + -t)) = m
  generalize F.exp (-(t * t / 2)) = y at *
  generalize F.exp (t * t / 2) = x at *
  have e3 : y * (x * m + x * m) = 2 * (x * y) * m := by clear i i1 h i2 hn e e0 e1 e2 k; grind
  rw [e3, k]
  clear i i1 h i2 hn e e0 e1 e2 k e3
  grind

theorem two_le_exp_add (y : F.K) : 2 ≤ F.exp y + F.exp (-y) := by
  have a := F.one_add_le_exp y
  have b := F.one_add_le_exp (-y)
  grind

variable {w : F.K} (hw : 0 < w)

include hw in
theorem le_mass (t : F.K) : F.exp (-(t * t / 2)) * N.law.E (bump F w) ≤ N.mass w t := by
  obtain ⟨i, h⟩ := N.mass_eq w t
  have ib := N.int_bump_zero w
  have k := N.law.E_mono _ _ (N.law.smul 2 _ ib) i fun x =>
    mul_le_right (two_le_exp_add (t * x)) (bump_nonneg hw x)
  rw [N.law.E_smul _ _ ib] at k
  have l := mul_le_left k (Std.le_of_lt (Numerics.exp_pos F (-(t * t / 2))))
  rw [← h] at l
  clear hw i h ib k
  grind

/-- `cosh` grows with the distance from zero. -/
theorem exp_add_le {x : F.K} (t : F.K) (h : -w ≤ x ∧ x ≤ w) :
    F.exp (t * x) + F.exp (-(t * x)) ≤ F.exp (t * w) + F.exp (-(t * w)) := by
  have key : 0 ≤ (F.exp (t * w) - F.exp (t * x)) * (1 - F.exp (-(t * x) - t * w)) := by
    by_cases ht : 0 ≤ t
    · have a := mul_le_left h.2 ht
      have b := mul_le_left h.1 ht
      have c := Numerics.exp_mono F a
      have d := Numerics.exp_mono F (by clear h ht a c; grind : -(t * x) - t * w ≤ 0)
      rw [Numerics.exp_zero] at d
      exact mul_nonneg' (sub_nonneg' c) (sub_nonneg' d)
    · have a := mul_le_left h.2 (by grind : 0 ≤ -t)
      have b := mul_le_left h.1 (by grind : 0 ≤ -t)
      have c := Numerics.exp_mono F (by clear h ht b; grind : t * w ≤ t * x)
      have d := Numerics.exp_mono F (by clear h ht a c; grind : 0 ≤ -(t * x) - t * w)
      rw [Numerics.exp_zero] at d
      have k := mul_nonneg' (sub_nonneg' c) (sub_nonneg' d)
      clear h ht a b c d
      grind
  have e1 : F.exp (t * w) * F.exp (-(t * x) - t * w) = F.exp (-(t * x)) := by
    rw [← F.exp_add]
    congr 1
    grind
  have e2 : F.exp (t * x) * F.exp (-(t * x) - t * w) = F.exp (-(t * w)) := by
    rw [← F.exp_add]
    congr 1
    clear h key e1
    grind
  generalize F.exp (-(t * x) - t * w) = y at *
  grind

/-- The Gaussian weight of a point. -/
noncomputable def gauss (F : ExpField) (t : F.K) : F.K := F.exp (-(t * t / 2))

include hw in
theorem mass_le (t : F.K) : 2 * N.mass w t
    ≤ F.exp (w * w / 2) * (gauss F (t - w) + gauss F (t + w)) * N.law.E (bump F w) := by
  obtain ⟨i, h⟩ := N.mass_eq w t
  have ib := N.int_bump_zero w
  have k := N.law.E_mono _ _ i (N.law.smul (F.exp (t * w) + F.exp (-(t * w))) _ ib) fun x => by
    by_cases hx : -w ≤ x ∧ x ≤ w
    · exact mul_le_right (exp_add_le t hx) (bump_nonneg hw x)
    · rw [bump_far hw hx]
      clear hw i h ib hx
      grind
  rw [N.law.E_smul _ _ ib] at k
  have l := mul_le_left k (Std.le_of_lt (Numerics.exp_pos F (-(t * t / 2))))
  rw [← h] at l
  have e1 : F.exp (w * w / 2) * gauss F (t - w) = F.exp (-(t * t / 2)) * F.exp (t * w) := by
    unfold gauss
    rw [← F.exp_add, ← F.exp_add]
    congr 1
    clear hw i h ib k l
    grind
  have e2 : F.exp (w * w / 2) * gauss F (t + w) = F.exp (-(t * t / 2)) * F.exp (-(t * w)) := by
    unfold gauss
    rw [← F.exp_add, ← F.exp_add]
    congr 1
    clear hw i h ib k l e1
    grind
  have e3 : F.exp (w * w / 2) * (gauss F (t - w) + gauss F (t + w))
      = F.exp (-(t * t / 2)) * (F.exp (t * w) + F.exp (-(t * w))) := by
    rw [Lean.Grind.Semiring.left_distrib, e1, e2]
    clear hw i h ib k l e1 e2
    grind
  rw [e3]
  generalize F.exp (-(t * t / 2)) = y at *
  generalize F.exp (t * w) + F.exp (-(t * w)) = z at *
  clear hw i ib h e1 e2 k e3
  grind

/-! ### Sums of bins -/

/-- `f (T) + f (T - w) + … + f (T - n w)`. -/
noncomputable def down (w : F.K) (f : F.K → F.K) : Nat → F.K → F.K
  | 0, T => f T
  | n + 1, T => f T + down w f n (T - w)

/-- The bins from `T` down to `T - n w`. -/
noncomputable def window (F : ExpField) (w : F.K) (n : Nat) (T x : F.K) : F.K :=
  step F w (x + -(T - (n : F.K) * w)) - step F w (x + -(T + w))

theorem window_zero (w T x : F.K) : window F w 0 T x = bump F w (x + -T) := by
  unfold window bump
  rw [Lean.Grind.Semiring.natCast_zero]
  have e1 : x + -(T - 0 * w) = x + -T := by grind
  have e2 : x + -(T + w) = x + -T + -w := by grind
  rw [e1, e2]

theorem window_succ (w T x : F.K) (n : Nat) :
    window F w (n + 1) T x = bump F w (x + -T) + window F w n (T - w) x := by
  unfold window bump
  rw [Lean.Grind.Semiring.natCast_succ]
  have e1 : x + -(T - ((n : F.K) + 1) * w) = x + -(T - w - (n : F.K) * w) := by grind
  have e2 : x + -(T + w) = x + -T + -w := by grind
  have e3 : x + -(T - w + w) = x + -T := by grind
  rw [e1, e2, e3]
  clear e1 e2 e3
  grind

/-- The mass of these bins under a tilted law. -/
theorem E_window (w c : F.K) (n : Nat) (T : F.K) :
    (N.law.int fun x => F.exp (c * x) * window F w n T x) ∧
    N.law.E (fun x => F.exp (c * x) * window F w n T x)
      = F.exp (c * c / 2) * down w (fun t => N.mass w (t - c)) n T := by
  have one : ∀ t, (N.law.int fun x => F.exp (c * x) * bump F w (x + -t)) ∧
      N.law.E (fun x => F.exp (c * x) * bump F w (x + -t))
        = F.exp (c * c / 2) * N.mass w (t - c) := fun t => by
    refine ⟨N.int_exp c _ (N.int_bump w (-t)), ?_⟩
    rw [N.shift c _ (N.int_bump w (-t))]
    unfold mass
    congr 2
    funext x
    congr 1
    grind
  induction n generalizing T with
  | zero =>
    have e : (fun x => F.exp (c * x) * window F w 0 T x)
        = fun x => F.exp (c * x) * bump F w (x + -T) := funext fun x => by rw [window_zero]
    rw [e]
    exact one T
  | succ n ih =>
    have e : (fun x => F.exp (c * x) * window F w (n + 1) T x) = fun x =>
        F.exp (c * x) * bump F w (x + -T) + F.exp (c * x) * window F w n (T - w) x :=
      funext fun x => by
        rw [window_succ]
        grind
    obtain ⟨i1, h1⟩ := one T
    obtain ⟨i2, h2⟩ := ih (T - w)
    rw [e]
    refine ⟨N.law.add _ _ i1 i2, ?_⟩
    rw [N.law.E_add _ _ i1 i2, h1, h2]
    show _ = F.exp (c * c / 2) * (N.mass w (T - c) + down w (fun t => N.mass w (t - c)) n (T - w))
    generalize F.exp (c * c / 2) = y
    clear one ih e i1 h1 i2 h2
    grind

theorem int_window (w : F.K) (n : Nat) (T : F.K) : N.law.int (window F w n T) := by
  have h := N.law.add _ _ (N.int_step w (-(T - (n : F.K) * w)))
    (N.law.smul (-1) _ (N.int_step w (-(T + w))))
  have e : (fun x => step F w (x + -(T - (n : F.K) * w)) + -1 * step F w (x + -(T + w)))
      = window F w n T := funext fun x => by
    unfold window
    grind
  rwa [e] at h

theorem E_window_zero (w : F.K) (n : Nat) (T : F.K) :
    N.law.E (window F w n T) = down w (N.mass w) n T := by
  have h := (N.E_window w 0 n T).2
  have e : (fun x => F.exp (0 * x) * window F w n T x) = window F w n T := funext fun x => by
    have e1 : 0 * x = 0 := by grind
    rw [e1, Numerics.exp_zero]
    grind
  have e2 : (0 : F.K) * 0 / 2 = 0 := by grind
  have e3 : (fun t => N.mass w (t - 0)) = N.mass w := funext fun t => by
    congr 1
    clear h e e2
    grind
  rw [e, e2, e3, Numerics.exp_zero] at h
  rw [h]
  clear h e e2 e3
  grind

theorem down_mono (w : F.K) {f g : F.K → F.K} (h : ∀ t, f t ≤ g t) (n : Nat) (T : F.K) :
    down w f n T ≤ down w g n T := by
  induction n generalizing T with
  | zero => exact h T
  | succ n ih =>
    have a := h T
    have b := ih (T - w)
    show f T + _ ≤ g T + _
    grind

theorem down_smul (w a : F.K) (f : F.K → F.K) (n : Nat) (T : F.K) :
    down w (fun t => f t * a) n T = down w f n T * a := by
  induction n generalizing T with
  | zero => rfl
  | succ n ih =>
    show f T * a + _ = (f T + _) * a
    rw [ih]
    grind

theorem down_add (w : F.K) (f g : F.K → F.K) (n : Nat) (T : F.K) :
    down w (fun t => f t + g t) n T = down w f n T + down w g n T := by
  induction n generalizing T with
  | zero => rfl
  | succ n ih =>
    show f T + g T + _ = f T + _ + (g T + _)
    rw [ih]
    grind

theorem down_shift (w a : F.K) (f : F.K → F.K) (n : Nat) (T : F.K) :
    down w (fun t => f (t + a)) n T = down w f n (T + a) := by
  induction n generalizing T with
  | zero => rfl
  | succ n ih =>
    show f (T + a) + _ = f (T + a) + _
    rw [ih]
    congr 2
    grind

include hw in
/-- All bins have at most the mass one. -/
theorem normalized_bins (n : Nat) (T : F.K) :
    down w (gauss F) n T * N.law.E (bump F w) ≤ 1 := by
  rw [← down_smul]
  refine Std.le_trans (down_mono w (fun t => N.le_mass hw t) n T) ?_
  rw [← N.E_window_zero w n T]
  have h := N.law.E_mono _ _ (N.int_window w n T) (N.law.const 1) fun x => by
    have a := (step_mem w (x + -(T - (n : F.K) * w))).2
    have b := (step_mem w (x + -(T + w))).1
    show step F w (x + -(T - (n : F.K) * w)) - step F w (x + -(T + w)) ≤ 1
    grind
  rwa [N.law.E_const] at h

/-! ### The divergence -/

include hw in
/-- Point by point: the losses in the bins up to `T`, where the loss `-z` still is positive, what
lies below all of them, and what the last bins miss. -/
theorem hockey_le {c s T η : F.K} (hc : 0 ≤ c) (n : Nat) (h1 : s + (c * T - c * c / 2) ≤ 0)
    (h2 : 0 ≤ s + (c * (T + w) - c * c / 2)) (hη : F.exp (c * w) - 1 ≤ η) (x : F.K) :
    posPart (1 - F.exp (s + (c * x - c * c / 2)))
      ≤ (1 - F.exp (s + (c * x - c * c / 2))) * window F w n T x
        + (1 - step F w (x + -(T - (n : F.K) * w)))
        + η * (bump F w (x + -T) + bump F w (x + -(T + w))) := by
  have hn := mul_nonneg' (Numerics.natCast_nonneg (K := F.K) n) (Std.le_of_lt hw)
  have hcw := mul_nonneg' hc (Std.le_of_lt hw)
  have hη0 : 0 ≤ η := by
    have := F.one_add_le_exp (c * w)
    clear hw hc h1 h2 hn
    grind
  have hE := Numerics.exp_pos F (s + (c * x - c * c / 2))
  have hA := step_mem w (x + -(T - (n : F.K) * w))
  have hB := step_mem w (x + -(T + w))
  have b1 := mul_nonneg' hη0 (bump_nonneg hw (x + -T))
  have b2 := mul_nonneg' hη0 (bump_nonneg hw (x + -(T + w)))
  unfold window
  by_cases hx : x ≤ T
  · rw [step_left hw (by clear hw hc h1 h2 hη hn hcw hη0 hE hA hB b1 b2; grind : x + -(T + w) ≤ -w)]
    have k := mul_le_left hx hc
    have l := Numerics.exp_mono F (by grind : s + (c * x - c * c / 2) ≤ 0)
    rw [Numerics.exp_zero] at l
    rw [posPart_of_nonneg (by clear hw hc h1 h2 hη hn hcw hη0 hE hA hB b1 b2 hx k; grind)]
    have m := mul_nonneg' (Std.le_of_lt hE) (sub_nonneg' hA.2)
    generalize step F w (x + -(T - (n : F.K) * w)) = A at *
    generalize F.exp (s + (c * x - c * c / 2)) = y at *
    clear hw hc h1 h2 hη hn hcw hη0 hB hx k hA hE l
    grind
  · rw [step_right hw (by grind : 0 ≤ x + -(T - (n : F.K) * w))]
    by_cases hx2 : x ≤ T + w
    · have t1 : bump F w (x + -T) + bump F w (x + -(T + w)) = 1 := by
        unfold bump
        have e : x + -T + -w = x + -(T + w) := by grind
        rw [e, step_right hw (by grind : 0 ≤ x + -T),
          step_left hw (by grind : x + -(T + w) + -w ≤ -w)]
        clear hw hc h1 h2 hη hn hcw hη0 hE hA hB b1 b2 hx hx2 e
        grind
      rw [t1]
      have k := mul_le_left hx2 hc
      have k2 := mul_le_left (by grind : T ≤ x) hc
      have up := Numerics.exp_mono F (by grind : s + (c * x - c * c / 2) ≤ c * w)
      have lo := Numerics.exp_mono F (by grind : -(c * w) ≤ s + (c * x - c * c / 2))
      have two := two_le_exp_add (F := F) (c * w)
      generalize step F w (x + -(T + w)) = B at *
      generalize F.exp (s + (c * x - c * c / 2)) = y at *
      by_cases hy : y ≤ 1
      · rw [posPart_of_nonneg (by grind)]
        have m := mul_nonneg' (sub_nonneg' hy) (sub_nonneg' hB.2)
        clear hw hc h1 h2 hn hcw hη0 hA b1 b2 hx hx2 t1 k k2 hB hE up hy
        grind
      · rw [posPart_of_nonpos (by grind)]
        have m := mul_nonneg' (by grind : 0 ≤ y - 1) hB.1
        clear hw hc h1 h2 hn hcw hη0 hA b1 b2 hx hx2 t1 k k2 two hB hE lo hy
        grind
    · rw [step_right hw (by grind : 0 ≤ x + -(T + w))]
      have k := mul_le_left (by grind : T + w ≤ x) hc
      have l := Numerics.exp_mono F (by grind : 0 ≤ s + (c * x - c * c / 2))
      rw [Numerics.exp_zero] at l
      rw [posPart_of_nonpos (by clear hw hc h1 h2 hη hn hcw hη0 hE hA hB b1 b2 hx hx2 k; grind)]
      clear hw hc h1 h2 hη hn hcw hη0 hE hA hB hx hx2 k l
      grind

include hw in
/-- What lies below all bins. -/
theorem tail_le {a : F.K} (ha : a ≤ 0) :
    (N.law.int fun x => 1 - step F w (x + -a)) ∧
    N.law.E (fun x => 1 - step F w (x + -a)) ≤ gauss F a := by
  have i := N.law.add _ _ (N.law.const 1) (N.law.smul (-1) _ (N.int_step w (-a)))
  have e : (fun x => 1 + -1 * step F w (x + -a)) = fun x => 1 - step F w (x + -a) :=
    funext fun x => by clear hw ha i; grind
  rw [e] at i
  refine ⟨i, ?_⟩
  have h := N.law.E_mono _ _ i (N.int_affine a (-(a * a))) fun x => by
    by_cases hx : a ≤ x
    · rw [step_right hw (by clear hw ha i e; grind : 0 ≤ x + -a)]
      have := Numerics.exp_pos F (-(a * a) + a * x)
      clear hw ha i e hx
      grind
    · have k := mul_nonneg' (by clear hw i e hx; grind : 0 ≤ -a) (by grind : 0 ≤ a - x)
      have l := F.one_add_le_exp (-(a * a) + a * x)
      have m := (step_mem w (x + -a)).1
      clear hw ha i e hx
      grind
  refine Std.le_trans h ?_
  have k := N.shift a _ (N.law.const 1)
  rw [N.law.E_const] at k
  have e2 : (fun x => F.exp (-(a * a) + a * x)) = fun x => F.exp (-(a * a)) * (F.exp (a * x) * 1) :=
    funext fun x => by
      rw [F.exp_add]
      clear hw ha i e h k
      grind
  rw [e2, N.law.E_smul _ _ (N.int_exp a _ (N.law.const 1)), k]
  unfold gauss
  have e3 : F.exp (-(a * a)) * F.exp (a * a / 2) = F.exp (-(a * a / 2)) := by
    rw [← F.exp_add]
    congr 1
    clear hw ha i e h k e2
    grind
  rw [← e3]
  generalize F.exp (-(a * a)) = y
  generalize F.exp (a * a / 2) = z
  have e4 : y * (z * 1) = y * z := by clear hw ha i e h k e2 e3; grind
  rw [e4]
  exact Std.le_refl _

include hw in
/-- **The divergence of normal laws, from above**: `Z` is a lower bound of the sum of the weights,
`B` an upper bound of twice what the bins lose, in the same unit. -/
theorem delta_le {c s T η a B Z δ : F.K} (hc : 0 ≤ c) {n n' : Nat} {T' : F.K}
    (h1 : s + (c * T - c * c / 2) ≤ 0) (h2 : 0 ≤ s + (c * (T + w) - c * c / 2))
    (hη : F.exp (c * w) - 1 ≤ η) (ha : a = T - (n : F.K) * w) (ha0 : a ≤ 0)
    (hZ : Z ≤ down w (gauss F) n' T') (hδ : 0 ≤ δ)
    (hB : F.exp (w * w / 2) * (down w (gauss F) n (T - w) + down w (gauss F) n (T + w)
        + η * (gauss F (T - w) + gauss F (T + w) + (gauss F T + gauss F (T + w + w))))
      - 2 * F.exp s * down w (gauss F) n (T - c) ≤ B) (hBZ : B ≤ 2 * δ * Z) :
    N.delta c s ≤ δ + gauss F a := by
  have hη0 : 0 ≤ η := by
    have := F.one_add_le_exp (c * w)
    have := mul_nonneg' hc (Std.le_of_lt hw)
    clear hw hc h1 h2 ha ha0 hZ hδ hB hBZ
    grind
  obtain ⟨iT, hT⟩ := N.tail_le hw ha0
  obtain ⟨iW, hW⟩ := N.E_window w c n T
  have iW0 := N.int_window w n T
  have hW0 := N.E_window_zero w n T
  have ib1 := N.int_bump w (-T)
  have ib2 := N.int_bump w (-(T + w))
  have i1 := N.law.add _ _ iW0 (N.law.smul (-F.exp (s - c * c / 2)) _ iW)
  have i3 := N.law.smul η _ (N.law.add _ _ ib1 ib2)
  have e : ∀ x, (1 - F.exp (s + (c * x - c * c / 2))) * window F w n T x
      = window F w n T x
        + -F.exp (s - c * c / 2) * (F.exp (c * x) * window F w n T x) := fun x => by
    have e1 : F.exp (s + (c * x - c * c / 2)) = F.exp (s - c * c / 2) * F.exp (c * x) := by
      rw [← F.exp_add]
      congr 1
      clear hw hc h1 h2 hη ha ha0 hZ hδ hB hBZ hη0 iT hT iW hW iW0 hW0 ib1 ib2 i1 i3
      grind
    rw [e1]
    clear hw hc h1 h2 hη ha ha0 hZ hδ hB hBZ hη0 iT hT iW hW iW0 hW0 ib1 ib2 i1 i3 e1
    grind
  have ih : N.law.int fun x => posPart (1 - F.exp (s + (c * x - c * c / 2))) := by
    have h := N.int_hockey c (s - c * c / 2)
    have e1 : (fun x => posPart (1 - F.exp (s - c * c / 2 + c * x)))
        = fun x => posPart (1 - F.exp (s + (c * x - c * c / 2))) := funext fun x => by
      congr 3
      clear hw hc h1 h2 hη ha ha0 hZ hδ hB hBZ hη0 iT hT iW hW iW0 hW0 ib1 ib2 i1 i3 e h
      grind
    rwa [e1] at h
  have key := N.law.E_mono _ _ ih (N.law.add _ _ (N.law.add _ _ i1 iT) i3) fun x => by
    have h := hockey_le hw hc n h1 h2 hη x
    rw [e x, ← ha] at h
    exact h
  rw [N.law.E_add _ _ (N.law.add _ _ i1 iT) i3, N.law.E_add _ _ i1 iT,
    N.law.E_add _ _ iW0 (N.law.smul _ _ iW), N.law.E_smul _ _ iW, N.law.E_smul _ _
      (N.law.add _ _ ib1 ib2), N.law.E_add _ _ ib1 ib2, hW0, hW] at key
  have key' : N.delta c s ≤ down w (N.mass w) n T
      + -F.exp (s - c * c / 2) * (F.exp (c * c / 2) * down w (fun t => N.mass w (t - c)) n T)
      + N.law.E (fun x => 1 - step F w (x + -a)) + η * (N.mass w T + N.mass w (T + w)) := key
  have e1 : F.exp (s - c * c / 2) * F.exp (c * c / 2) = F.exp s := by
    rw [← F.exp_add]
    congr 1
    clear hw hc h1 h2 hη ha ha0 hZ hδ hB hBZ hη0 iT hT iW hW iW0 hW0 ib1 ib2 i1 i3 e ih key key'
    grind
  have hQ0 : 0 ≤ N.law.E (bump F w) := by
    have h := N.law.E_mono _ _ (N.law.const 0) (N.int_bump_zero w) (bump_nonneg hw)
    rwa [N.law.E_const] at h
  have hQZ : N.law.E (bump F w) * Z ≤ 1 := by
    have h := N.normalized_bins hw n' T'
    have k := mul_le_right hZ hQ0
    clear hw hc h1 h2 hη ha ha0 hZ hδ hB hBZ hη0 iT hT iW hW iW0 hW0 ib1 ib2 i1 i3 e ih key key'
      e1 hQ0
    grind
  -- The masses of the bins, in terms of that of one.
  have up : 2 * down w (N.mass w) n T ≤ F.exp (w * w / 2) * (down w (gauss F) n (T - w)
      + down w (gauss F) n (T + w)) * N.law.E (bump F w) := by
    have h := down_mono w (fun t => N.mass_le hw t) n T
    have l1 : down w (fun t => 2 * N.mass w t) n T = 2 * down w (N.mass w) n T := by
      have l := down_smul w 2 (N.mass w) n T
      have l2 : (fun t => N.mass w t * 2) = fun t => 2 * N.mass w t := funext fun t => by grind
      rw [l2] at l
      rw [l]
      clear hw hc h1 h2 hη ha ha0 hZ hδ hB hBZ hη0 iT hT iW hW iW0 hW0 ib1 ib2 i1 i3 e ih key key'
        e1 hQ0 hQZ h l l2
      grind
    have l3 : down w (fun t => F.exp (w * w / 2) * (gauss F (t - w) + gauss F (t + w))
        * N.law.E (bump F w)) n T = F.exp (w * w / 2) * (down w (gauss F) n (T - w)
          + down w (gauss F) n (T + w)) * N.law.E (bump F w) := by
      have l4 : (fun t => F.exp (w * w / 2) * (gauss F (t - w) + gauss F (t + w))
          * N.law.E (bump F w)) = fun t => (gauss F (t + -w) + gauss F (t + w))
            * (F.exp (w * w / 2) * N.law.E (bump F w)) := funext fun t => by
        have l5 : t - w = t + -w := by grind
        rw [l5]
        clear hw hc h1 h2 hη ha ha0 hZ hδ hB hBZ hη0 iT hT iW hW iW0 hW0 ib1 ib2 i1 i3 e ih key
          key' e1 hQ0 hQZ h l1 l5
        grind
      rw [l4, down_smul, down_add, down_shift w (-w) (gauss F), down_shift w w (gauss F)]
      have l6 : T + -w = T - w := by grind
      rw [l6]
      clear hw hc h1 h2 hη ha ha0 hZ hδ hB hBZ hη0 iT hT iW hW iW0 hW0 ib1 ib2 i1 i3 e ih key key'
        e1 hQ0 hQZ h l1 l4 l6
      grind
    rw [l1, l3] at h
    exact h
  have lo : down w (gauss F) n (T - c) * N.law.E (bump F w)
      ≤ down w (fun t => N.mass w (t - c)) n T := by
    have h := down_mono w (fun t => N.le_mass hw (t - c)) n T
    have l1 : (fun t => F.exp (-((t - c) * (t - c) / 2)) * N.law.E (bump F w))
        = fun t => gauss F (t + -c) * N.law.E (bump F w) := funext fun t => by
      have l5 : t - c = t + -c := by grind
      rw [l5]
      rfl
    rw [l1, down_smul, down_shift w (-c) (gauss F)] at h
    have l6 : T + -c = T - c := by grind
    rw [l6] at h
    exact h
  have m1 := N.mass_le hw T
  have m2 := N.mass_le hw (T + w)
  have e5 : T + w - w = T := by grind
  rw [e5] at m2
  have hs := mul_le_left lo (Std.le_of_lt (Numerics.exp_pos F s))
  have m3 := mul_le_left m1 hη0
  have m4 := mul_le_left m2 hη0
  have fin := mul_le_right hB hQ0
  have fin2 := mul_le_right hBZ hQ0
  have fin3 := mul_le_left hQZ (by grind : 0 ≤ 2 * δ)
  have e6 : -F.exp (s - c * c / 2) * (F.exp (c * c / 2) * down w (fun t => N.mass w (t - c)) n T)
      = -(F.exp s * down w (fun t => N.mass w (t - c)) n T) := by
    rw [← e1]
    clear hw hc h1 h2 hη ha ha0 hZ hδ hB hBZ hη0 iT hT iW hW iW0 hW0 ib1 ib2 i1 i3 e ih key key'
      e1 hQ0 hQZ up lo m1 m2 e5 hs m3 m4 fin fin2 fin3
    grind
  rw [e6] at key'
  clear key hW hW0 iW iW0 iT ib1 ib2 i1 i3 ih e e1 e5 e6 lo m1 m2 hQZ hB hBZ h1 h2 hη hZ
  generalize N.law.E (fun x => 1 - step F w (x + -a)) = tail at *
  generalize N.law.E (bump F w) = Q at *
  generalize down w (fun t => N.mass w (t - c)) n T = L at *
  generalize down w (gauss F) n (T - c) = G at *
  generalize down w (gauss F) n (T - w) = G1 at *
  generalize down w (gauss F) n (T + w) = G2 at *
  generalize down w (N.mass w) n T = M at *
  generalize gauss F (T - w) = g1 at *
  generalize gauss F (T + w) = g2 at *
  generalize gauss F T = g3 at *
  generalize gauss F (T + w + w) = g4 at *
  generalize F.exp (w * w / 2) = y at *
  generalize F.exp s = z at *
  generalize N.mass w T = M1 at *
  generalize N.mass w (T + w) = M2 at *
  generalize gauss F a = ga at *
  generalize N.delta c s = δ' at *
  clear hw hc ha ha0 hδ hη0 hQ0
  grind

/-- The divergence grows with the distance of the means. -/
theorem delta_mono (roots : ∀ x : F.K, 0 ≤ x → ∃ r, 0 ≤ r ∧ r * r = x) {c₀ c : F.K}
    (h : c₀ * c₀ ≤ c * c) (s : F.K) : N.delta c₀ s ≤ N.delta c s := by
  obtain ⟨b, _, hb⟩ := roots (c * c - c₀ * c₀) (sub_nonneg' h)
  clear roots
  obtain ⟨i, e⟩ := N.delta_sum (a := c₀) (b := b) (c := c) (by grind) s
  rw [← e]
  have ih : N.law.int fun x => posPart (1 - F.exp (s + (c₀ * x - c₀ * c₀ / 2))) := by
    have h := N.int_hockey c₀ (s - c₀ * c₀ / 2)
    have e1 : (fun x => posPart (1 - F.exp (s - c₀ * c₀ / 2 + c₀ * x)))
        = fun x => posPart (1 - F.exp (s + (c₀ * x - c₀ * c₀ / 2))) := funext fun x => by
      congr 3
      clear hb i e h
      grind
    rwa [e1] at h
  refine N.law.E_mono _ _ ih i fun x => ?_
  -- `(1 - e^t)⁺ ≤ E (1 - e^{t + b Y - b²/2})⁺`
  generalize s + (c₀ * x - c₀ * c₀ / 2) = t
  have k := N.shift b _ (N.law.const 1)
  rw [N.law.E_const] at k
  have i1 := N.int_exp b _ (N.law.const 1)
  have i2 := N.law.smul (-F.exp (t - b * b / 2)) _ i1
  have e2 : ∀ y, 1 - F.exp (t + (b * y - b * b / 2))
      = 1 + -F.exp (t - b * b / 2) * (F.exp (b * y) * 1) := fun y => by
    have e3 : F.exp (t + (b * y - b * b / 2)) = F.exp (t - b * b / 2) * F.exp (b * y) := by
      rw [← F.exp_add]
      congr 1
      clear h hb i e ih k i1 i2
      grind
    rw [e3]
    clear h hb i e ih k i1 i2 e3
    grind
  have ip := N.int_pos _ (N.law.add _ _ (N.law.const 1) i2)
  have m1 := N.law.E_mono _ _ (N.law.add _ _ (N.law.const 1) i2) ip fun y => le_posPart _
  have m0 := N.law.E_mono _ _ (N.law.const 0) ip fun y => posPart_nonneg _
  rw [N.law.E_const] at m0
  rw [N.law.E_add _ _ (N.law.const 1) i2, N.law.E_const, N.law.E_smul _ _ i1, k] at m1
  have e4 : F.exp (t - b * b / 2) * F.exp (b * b / 2) = F.exp t := by
    rw [← F.exp_add]
    congr 1
    clear h hb i e ih k i1 i2 e2 ip m1 m0
    grind
  have e5 : (fun y => posPart (1 + -F.exp (t - b * b / 2) * (F.exp (b * y) * 1)))
      = fun y => posPart (1 - F.exp (t + (b * y - b * b / 2))) := funext fun y => by rw [e2]
  rw [e5] at m0 m1
  refine posPart_le ?_ m0
  refine Std.le_trans ?_ m1
  rw [← e4]
  generalize F.exp (t - b * b / 2) = u
  generalize F.exp (b * b / 2) = v
  clear h hb i e ih k i1 i2 e2 ip m1 m0 e4 e5
  grind

end NormalLaw

end PrivRef
