module

public import PrivRef.Reals.Log
public import PrivRef.Thm.Sampled

/-!
Differentially private stochastic gradient descent: the bound of so many rounds by the moment at one
whole order, a checker of it that the kernel evaluates, and the published numbers of three
trainings, over the real numbers.  The noise is any law with the shift property of Gaussian noise,
and the conditional expectations along the interaction are assumed to be measurable.
-/

@[expose] public section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField ofRat ratOfNat expLo)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

variable {F : ExpField} {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise F V)

theorem at_most_of_eq {x y : F.K} (h : x = y) : x ≤ y := by
  rw [h]
  exact Std.le_refl _

theorem exp_mul_nat (m : Nat) (y : F.K) : F.exp ((m : F.K) * y) = pow (F.exp y) m := by
  induction m with
  | zero =>
    rw [Lean.Grind.Semiring.natCast_zero]
    have e : 0 * y = 0 := by grind
    rw [e, Numerics.exp_zero]
    rfl
  | succ m ih =>
    rw [Lean.Grind.Semiring.natCast_succ]
    have e : ((m : F.K) + 1) * y = y + (m : F.K) * y := by grind
    rw [e, F.exp_add, ih]
    rfl

namespace GaussianNoise

theorem weight_zero (w x : V) : N.weight 0 w x = 1 := by
  unfold weight
  generalize F.exp (N.ratio w x) = r
  grind

/-- The law of the sample of the others and the noise, tilted as the sampled law of the rate `q`
is. -/
noncomputable def joint (q : F.K) (h0 : 0 ≤ q) (h1 : q < 1) {S : Type u} (ρ : FinLaw F.K S)
    (difference : S → V) : Expectation F.K (S × V) where
  int h := ∀ s, N.law.int fun x => h (s, x)
  const c := fun _ => N.law.const c
  add _ _ hf hg := fun s => N.law.add _ _ (hf s) (hg s)
  smul c _ hf := fun s => N.law.smul c _ (hf s)
  E h := ρ.E fun s => N.law.E fun x => N.weight q (difference s) x * h (s, x)
  E_add f g hf hg := by
    refine Eq.trans (congrArg ρ.E (funext fun s => ?_)) (wsum_add ρ.list _ _)
    rw [← N.law.E_add _ _ (N.int_weight q _ (hf s)) (N.int_weight q _ (hg s))]
    congr 1
    funext x
    exact Lean.Grind.Semiring.left_distrib _ _ _
  E_smul c f hf := by
    refine Eq.trans (congrArg ρ.E (funext fun s => ?_)) (wsum_smul ρ.list c _)
    rw [← N.law.E_smul c _ (N.int_weight q _ (hf s))]
    congr 1
    funext x
    generalize N.weight q (difference s) x = w
    grind
  E_mono f g hf hg h := ρ.E_le fun s => N.law.E_mono _ _ (N.int_weight q _ (hf s))
    (N.int_weight q _ (hg s)) fun x => mul_le_left (h (s, x)) (by
      have := (N.weight_pos h0 h1 (difference s) x).2
      grind)
  E_one := by
    have e : (fun s => N.law.E fun x => N.weight q (difference s) x * (fun _ => (1 : F.K)) (s, x))
        = fun _ => (1 : F.K) := funext fun s => by
      have h := N.E_weight q (difference s) (N.law.const 1)
      show N.law.E (fun x => N.weight q (difference s) x * 1) = 1
      rw [h, N.law.E_one]
      grind
    rw [e]
    exact ρ.total

/-- What is released has the sampled law. -/
theorem joint_E (q : F.K) (h0 : 0 ≤ q) (h1 : q < 1) (h1' : q ≤ 1) {S : Type u} (ρ : FinLaw F.K S)
    (answer difference : S → V) (f : V → F.K) (hf : N.tests.adm f) :
    (N.joint q h0 h1 ρ difference).E (fun r => f (answer r.1 + r.2))
      = (sampled N q h0 h1' ρ answer difference).E f := by
  refine congrArg ρ.E (funext fun s => ?_)
  have i := N.int_test _ (N.adm_translate (answer s) f hf)
  have j := N.int_translate (difference s) _ i
  show N.law.E (fun x => N.weight q (difference s) x * f (answer s + x)) = _
  rw [N.E_weight q (difference s) i, N.law.E_add _ _ (N.law.smul (1 - q) _ i) (N.law.smul q _ j),
    N.law.E_smul _ _ i, N.law.E_smul _ _ j]

variable {q : F.K} (h0 : 0 ≤ q) (h1 : q < 1) (lg : F.K → F.K) (hlg : ∀ y, 0 < y → F.exp (lg y) = y)
  {S : Type u} (ρ : FinLaw F.K S) (answer difference : S → V) {m : Nat} (hm : (0 : F.K) < (m : F.K))
  {c : F.K} (hc : ∀ s, sampledMoment F q (N.inner (difference s) (difference s)) (m + 1) 0 ≤
    F.exp c)

include hlg hc in
/-- The database with the record against that without it. -/
theorem adding_is_dominated : Nonempty (DominatedPair (expFieldLike F) (oneOrder (m : F.K) hm)
    (sampled N q h0 (by grind) ρ answer difference)
    (sampled N 0 (Std.le_refl _) (by grind) ρ answer difference) (fun _ => c) 0) := by
  have lw : ∀ w x, F.exp (lg (N.weight q w x)) = N.weight q w x := fun w x =>
    hlg _ (N.weight_pos h0 h1 w x).2
  have lm : ∀ w x, F.exp ((m : F.K) * lg (N.weight q w x)) = pow (N.weight q w x) m := fun w x => by
    rw [exp_mul_nat, lw]
  have inv : ∀ w x, F.exp (-lg (N.weight q w x)) = pow (N.weight q w x)⁻¹ 1 := fun w x => by
    have h := Numerics.exp_mul_neg F (lg (N.weight q w x))
    rw [lw] at h
    show _ = (N.weight q w x)⁻¹ * 1
    generalize F.exp (-lg (N.weight q w x)) = e at *
    generalize N.weight q w x = y at *
    grind
  refine ⟨{
    W := S × V
    P := N.joint q h0 h1 ρ difference
    loss := fun r => lg (N.weight q (difference r.1) r.2)
    post := fun r => Law.dirac N.tests (answer r.1 + r.2)
    int_test := fun f hf s => N.int_test _ (N.adm_translate (answer s) f hf)
    int_tilted := fun f hf s => ?_
    int_moment := fun _ s => ?_
    first := fun f hf _ => ?_
    second := fun f hf _ => ?_
    moment := fun _ => ?_ }⟩
  · have h := N.int_test _ (N.tests.mul _ _ (N.adm_pow_inv h0 h1 (difference s) 1)
      (N.adm_translate (answer s) f hf))
    rw [← funext fun x => congrArg (· * f (answer s + x)) (inv (difference s) x)] at h
    exact h
  · have h := N.int_pow q (difference s) m
    rw [← funext fun x => lm (difference s) x] at h
    exact h
  · have h := N.joint_E q h0 h1 (by grind) ρ answer difference f hf
    have h2 : (N.joint q h0 h1 ρ difference).E (fun w => (Law.dirac N.tests (answer w.1 + w.2)).E f)
        = (sampled N q h0 (by grind) ρ answer difference).E f := h
    rw [h2]
    grind
  · have h := N.joint_E 0 (Std.le_refl _) (by grind) (by grind) ρ answer difference f hf
    rw [← h]
    have e : (N.joint q h0 h1 ρ difference).E (fun w =>
          F.exp (-lg (N.weight q (difference w.1) w.2)) * f (answer w.1 + w.2))
        = (N.joint 0 (Std.le_refl _) (by grind) ρ difference).E fun r => f (answer r.1 + r.2) := by
      refine congrArg ρ.E (funext fun s => congrArg N.law.E (funext fun x => ?_))
      show N.weight q (difference s) x * (F.exp (-lg (N.weight q (difference s) x))
        * f (answer s + x)) = N.weight 0 (difference s) x * f (answer s + x)
      have k := Numerics.exp_mul_neg F (lg (N.weight q (difference s) x))
      rw [lw] at k
      rw [N.weight_zero, ← Lean.Grind.Semiring.mul_assoc, k]
    show (1 - 0) * (N.joint q h0 h1 ρ difference).E (fun w =>
      F.exp (-lg (N.weight q (difference w.1) w.2)) * f (answer w.1 + w.2)) ≤ _
    rw [e]
    grind
  · have e : ∀ s, N.law.E (fun x => N.weight q (difference s) x
        * F.exp ((m : F.K) * lg (N.weight q (difference s) x))) ≤ F.exp c := fun s => by
      refine Std.le_trans (at_most_of_eq ?_) (hc s)
      rw [← N.E_pow q (difference s) (m + 1)]
      congr 1
      funext x
      rw [lm]
      rfl
    have h := ρ.E_le e
    have k : ρ.E (fun _ => F.exp c) = F.exp c := by
      have := ρ.toLaw.E_smul (F.exp c) (fun _ => 1) trivial
      have e1 : (fun _ : S => F.exp c * 1) = fun _ => F.exp c := funext fun _ => by grind
      rw [e1, ρ.toLaw.E_one] at this
      have h2 : ρ.E (fun _ => F.exp c) = F.exp c * 1 := this
      rw [h2]
      grind
    rw [k] at h
    exact h

include hlg hc in
/-- The database without the record against that with it. -/
theorem removing_is_dominated : Nonempty (DominatedPair (expFieldLike F) (oneOrder (m : F.K) hm)
    (sampled N 0 (Std.le_refl _) (by grind) ρ answer difference)
    (sampled N q h0 (by grind) ρ answer difference) (fun _ => c) 0) := by
  have lw : ∀ w x, F.exp (lg (N.weight q w x)) = N.weight q w x := fun w x =>
    hlg _ (N.weight_pos h0 h1 w x).2
  have neg : ∀ w x, F.exp (-lg (N.weight q w x)) = (N.weight q w x)⁻¹ := fun w x => by
    have h := Numerics.exp_mul_neg F (lg (N.weight q w x))
    rw [lw] at h
    generalize F.exp (-lg (N.weight q w x)) = e at *
    generalize N.weight q w x = y at *
    grind
  have lm : ∀ w x, F.exp ((m : F.K) * -lg (N.weight q w x)) = pow (N.weight q w x)⁻¹ m :=
      fun w x => by
    rw [exp_mul_nat, neg]
  have twice : ∀ y : F.K, - -y = y := fun y => by grind
  refine ⟨{
    W := S × V
    P := N.joint 0 (Std.le_refl _) (by grind) ρ difference
    loss := fun r => -lg (N.weight q (difference r.1) r.2)
    post := fun r => Law.dirac N.tests (answer r.1 + r.2)
    int_test := fun f hf s => N.int_test _ (N.adm_translate (answer s) f hf)
    int_tilted := fun f hf s => ?_
    int_moment := fun _ s => ?_
    first := fun f hf _ => ?_
    second := fun f hf _ => ?_
    moment := fun _ => ?_ }⟩
  · have h := N.int_weight q (difference s) (N.int_test _ (N.adm_translate (answer s) f hf))
    have e : (fun x => F.exp (- -lg (N.weight q (difference s) x)) * f (answer s + x))
        = fun x => N.weight q (difference s) x * f (answer s + x) := funext fun x => by
      rw [twice, lw]
    rw [← e] at h
    exact h
  · have h := N.int_test _ (N.adm_pow_inv h0 h1 (difference s) m)
    rw [← funext fun x => lm (difference s) x] at h
    exact h
  · have h := N.joint_E 0 (Std.le_refl _) (by grind) (by grind) ρ answer difference f hf
    have h2 : (N.joint 0 (Std.le_refl _) (by grind) ρ difference).E
        (fun w => (Law.dirac N.tests (answer w.1 + w.2)).E f)
        = (sampled N 0 (Std.le_refl _) (by grind) ρ answer difference).E f := h
    rw [h2]
    grind
  · have h := N.joint_E q h0 h1 (by grind) ρ answer difference f hf
    rw [← h]
    have e : (N.joint 0 (Std.le_refl _) (by grind) ρ difference).E (fun w =>
          F.exp (- -lg (N.weight q (difference w.1) w.2)) * f (answer w.1 + w.2))
        = (N.joint q h0 h1 ρ difference).E fun r => f (answer r.1 + r.2) := by
      refine congrArg ρ.E (funext fun s => congrArg N.law.E (funext fun x => ?_))
      show N.weight 0 (difference s) x * (F.exp (- -lg (N.weight q (difference s) x))
        * f (answer s + x)) = N.weight q (difference s) x * f (answer s + x)
      rw [N.weight_zero, twice, lw, Lean.Grind.Semiring.one_mul]
    show (1 - 0) * (N.joint 0 (Std.le_refl _) (by grind) ρ difference).E (fun w =>
      F.exp (- -lg (N.weight q (difference w.1) w.2)) * f (answer w.1 + w.2)) ≤ _
    rw [e]
    grind
  · have e : ∀ s, N.law.E (fun x => N.weight 0 (difference s) x
        * F.exp ((m : F.K) * -lg (N.weight q (difference s) x))) ≤ F.exp c := fun s => by
      refine Std.le_trans ?_ (hc s)
      rw [← N.E_pow q (difference s) (m + 1)]
      refine Std.le_trans (at_most_of_eq ?_) (N.removing_is_no_worse h0 h1 (difference s) m)
      congr 1
      funext x
      rw [lm, N.weight_zero, Lean.Grind.Semiring.one_mul]
    have h := ρ.E_le e
    have k : ρ.E (fun _ => F.exp c) = F.exp c := by
      have := ρ.toLaw.E_smul (F.exp c) (fun _ => 1) trivial
      have e1 : (fun _ : S => F.exp c * 1) = fun _ => F.exp c := funext fun _ => by grind
      rw [e1, ρ.toLaw.E_one] at this
      have h2 : ρ.E (fun _ => F.exp c) = F.exp c * 1 := this
      rw [h2]
      grind
    rw [k] at h
    exact h

end GaussianNoise

/-! ### All steps -/

namespace SgdAnalyst

variable {N} {a q : F.K} {h0 : 0 ≤ q} {h1 : q ≤ 1}

theorem expect_mem (b : Bool) {n : Nat} (g : SgdAnalyst N a n) (f : g.View → F.K)
    (hf : Adm q h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) :
    0 ≤ expect q h0 h1 b g f ∧ expect q h0 h1 b g f ≤ 1 := by
  induction g with
  | stop => exact ⟨l0 _, l1 _⟩
  | coin S ρ next ih =>
    have h := fun s => ih s _ (hf s) (fun v => l0 ⟨s, v⟩) fun v => l1 ⟨s, v⟩
    exact ⟨ρ.toLaw.E_nonneg trivial fun s => (h s).1, ρ.toLaw.E_le_one trivial fun s => (h s).2⟩
  | step S ρ answer difference fits next ih =>
    have h := fun o => ih o _ (hf.1 o) (fun v => l0 ⟨o, v⟩) fun v => l1 ⟨o, v⟩
    exact ⟨(sampled N _ _ _ ρ answer difference).E_nonneg (hf.2 b) fun o => (h o).1,
      (sampled N _ _ _ ρ answer difference).E_le_one (hf.2 b) fun o => (h o).2⟩

end SgdAnalyst

variable {N}

/-- **So many steps are private** at one whole order `1 + m`, for every constant of conversion `κ`
and every `s`. -/
theorem sgd_bound (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {a q : F.K} (h0 : 0 ≤ q) (h1 : q < 1)
    (h1' : q ≤ 1) {m : Nat} (hm : (0 : F.K) < (m : F.K)) {c : F.K} (hc0 : 0 ≤ c)
    (hc : sampledMoment F q a (m + 1) 0 ≤ F.exp c) {κ : F.K} (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - F.exp s ≤ κ * F.exp (-((m : F.K) * s))) (b : Bool) {n : Nat}
      (g : SgdAnalyst N a n)
    (f : g.View → F.K) (hf : SgdAnalyst.Adm q h0 h1' g f) (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1)
      (s : F.K) :
    SgdAnalyst.expect q h0 h1' b g f ≤ κ * F.exp ((n : F.K) * c - (m : F.K) * s)
      + F.exp s * SgdAnalyst.expect q h0 h1' (!b) g f := by
  obtain ⟨lg, hlg⟩ : ∃ lg : F.K → F.K, ∀ y, 0 < y → F.exp (lg y) = y :=
    ⟨fun y => open Classical in if h : 0 < y then (logs y h).choose else 0, fun y h => by
      simp only [dif_pos h]
      exact (logs y h).choose_spec⟩
  have e : ∀ z : F.K, 0 + (1 - 0) * z = z := fun z => by grind
  induction g generalizing s with
  | stop =>
    rename_i n
    have h := ended_interaction_is_bounded (expFieldLike F) (oneOrder (m : F.K) hm) PUnit.unit
        (d := 0) hκ hκs
      (Std.le_refl _) (by grind) (r := (n : F.K) * c) (mul_nonneg' (Numerics.natCast_nonneg n) hc0)
      (y := f PUnit.unit) (l0 PUnit.unit) (l1 PUnit.unit) s
    rw [e] at h
    exact h
  | coin S ρ next ih =>
    exact ρ.toLaw.E_le_affine trivial trivial _ _ fun r =>
      ih r (fun v => f ⟨r, v⟩) (hf r) (fun v => l0 _) (fun v => l1 _) s
  | step S ρ answer difference fits next ih =>
    rename_i n
    have hs : ∀ s, sampledMoment F q (N.inner (difference s) (difference s)) (m + 1) 0 ≤ F.exp c :=
        fun s =>
      Std.le_trans (sampledMoment_mono F h0 h1' (fits s) (m + 1) 0) hc
    have pair : Nonempty (DominatedPair (expFieldLike F) (oneOrder (m : F.K) hm)
        (sampled N (SgdAnalyst.rate q b) (SgdAnalyst.rate_nonneg h0 b)
          (SgdAnalyst.rate_le_one h1' b) ρ
          answer difference)
        (sampled N (SgdAnalyst.rate q !b) (SgdAnalyst.rate_nonneg h0 _)
          (SgdAnalyst.rate_le_one h1' _) ρ
          answer difference) (fun _ => c) 0) := by
      cases b
      · exact N.removing_is_dominated h0 h1 lg hlg ρ answer difference hm hs
      · exact N.adding_is_dominated h0 h1 lg hlg ρ answer difference hm hs
    obtain ⟨p⟩ := pair
    have h := dominated_round_followed_by_bounded_continuation p PUnit.unit (d := 0) hκ
        ((n : F.K) * c) s
      (Std.le_refl _) (Std.le_refl _) (by grind) _ _ (hf.2 b) (hf.2 !b)
      (fun o => (SgdAnalyst.expect_mem b (next o) _ (hf.1 o) (fun v => l0 _) fun v => l1 _).2)
      (fun o => (SgdAnalyst.expect_mem (!b) (next o) _ (hf.1 o) (fun v => l0 _) fun v => l1 _).1)
      (fun s o => by
        have := ih o (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => l0 _) (fun v => l1 _) s
        rw [e]
        exact this)
    have e2 : ∀ z : F.K, 0 + 0 + (1 - (0 + 0)) * z = z := fun z => by grind
    have e3 : (n : F.K) * c + c = ((n + 1 : Nat) : F.K) * c := by
      rw [Lean.Grind.Semiring.natCast_succ]
      grind
    rw [e2] at h
    have h' : SgdAnalyst.expect q h0 h1' b (.step S ρ answer difference fits next) f
        ≤ κ * F.exp ((n : F.K) * c + c - (m : F.K) * s)
          + F.exp s * SgdAnalyst.expect q h0 h1' (!b) (.step S ρ answer difference fits next) f := h
    rw [e3] at h'
    exact h'

/-! ### What the kernel evaluates -/

/-- Upper bounds of `e^{j (j - 1) a / 2}` for so many `j` from one on. -/
def leavesUp (k p : Nat) (a : Rat) : Nat → Nat → Option (List Rat)
  | 0, _ => some []
  | n + 1, j =>
    match expUp k p (ratOfNat j * (ratOfNat j - 1) / 2 * a), leavesUp k p a n (j + 1) with
    | some x, some l => some (x :: l)
    | _, _ => none

/-- One more factor of the sampled likelihood ratio. -/
def foldOnce (q : Rat) : List Rat → List Rat
  | x :: y :: l => ((1 - q) * x + q * y) :: foldOnce q (y :: l)
  | _ => []

/-- So many more factors. -/
def folds (q : Rat) : Nat → List Rat → List Rat
  | 0, l => l
  | n + 1, l => folds q n (foldOnce q l)

/-- The numbers of a list are upper bounds of the moments with `n` factors, from `k` on. -/
def Above (F : ExpField) (q a : F.K) (n : Nat) : Nat → List Rat → Prop
  | _, [] => True
  | k, x :: l => sampledMoment F q a n k ≤ ofRat x ∧ Above F q a n (k + 1) l

theorem ratOfNat_eq_natK (j : Nat) : (ofRat (ratOfNat j) : F.K) = natK j := by
  rw [Numerics.ofRat_ratOfNat]
  induction j with
  | zero => exact Lean.Grind.Semiring.natCast_zero
  | succ j ih =>
    rw [Lean.Grind.Semiring.natCast_succ, ih]
    rfl

theorem leavesUp_above {k p : Nat} {a : Rat} (q : F.K) (n j : Nat) {l : List Rat}
    (h : leavesUp k p a n j = some l) : Above F q (ofRat a) 0 j l := by
  induction n generalizing j l with
  | zero =>
    unfold leavesUp at h
    injection h with h
    subst h
    trivial
  | succ n ih =>
    unfold leavesUp at h
    split at h
    · rename_i x l' hx hl
      injection h with h
      subst h
      refine ⟨?_, ih (j + 1) hl⟩
      have h2 := expUp_sound (F := F) hx
      have e : (ofRat (ratOfNat j * (ratOfNat j - 1) / 2 * a) : F.K)
          = natK j * (natK j - 1) / 2 * ofRat a := by
        have e2 : (ratOfNat j * (ratOfNat j - 1) / 2 : Rat) * 2 =
            ratOfNat j * (ratOfNat j - 1) := by
          grind
        have e3 := congrArg (ofRat (K := F.K)) e2
        have two : (ofRat (2 : Rat) : F.K) = 2 := by
          have h := Numerics.ofRat_add (K := F.K) 1 1
          have e : (1 : Rat) + 1 = 2 := by grind
          rw [e, Numerics.ofRat_one] at h
          rw [h]
          grind
        rw [Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_sub, Numerics.ofRat_one,
          ratOfNat_eq_natK, two] at e3
        rw [Numerics.ofRat_mul]
        generalize (ofRat (ratOfNat j * (ratOfNat j - 1) / 2) : F.K) = d at *
        generalize (natK j : F.K) = κ at *
        generalize (ofRat a : F.K) = α at *
        grind
      rw [e] at h2
      exact h2
    · contradiction

theorem foldOnce_above {q : Rat} {a : F.K} (hq0 : 0 ≤ q) (hq1 : q ≤ 1) (n k : Nat) (l : List Rat)
    (h : Above F (ofRat q) a n k l) : Above F (ofRat q) a (n + 1) k (foldOnce q l) := by
  induction l generalizing k with
  | nil => trivial
  | cons x l ih =>
    cases l with
    | nil => trivial
    | cons y l =>
      refine ⟨?_, ih (k + 1) h.2⟩
      have q0 : (0 : F.K) ≤ ofRat q := Numerics.ofRat_nonneg hq0
      have q1 : (0 : F.K) ≤ ofRat (1 - q) := Numerics.ofRat_nonneg (by grind)
      have a1 := mul_le_left h.1 q1
      have a2 := mul_le_left h.2.1 q0
      rw [Numerics.ofRat_add, Numerics.ofRat_mul, Numerics.ofRat_mul]
      rw [Numerics.ofRat_sub, Numerics.ofRat_one] at *
      show (1 - ofRat q) * sampledMoment F (ofRat q) a n k
        + ofRat q * sampledMoment F (ofRat q) a n (k + 1) ≤ _
      grind

theorem folds_above {q : Rat} {a : F.K} (hq0 : 0 ≤ q) (hq1 : q ≤ 1) (j n k : Nat) (l : List Rat)
    (h : Above F (ofRat q) a n k l) : Above F (ofRat q) a (n + j) k (folds q j l) := by
  induction j generalizing n l with
  | zero => exact h
  | succ j ih =>
    have e : n + (j + 1) = n + 1 + j := by omega
    rw [e]
    exact ih (n + 1) _ (foldOnce_above hq0 hq1 n k l h)

/-- Decides the bound of `T` steps of the rate `q` whose differences have squared norms of at most
`a`, by the moment at the order `1 + m`, whose logarithm is at most `c`. -/
def sgdCheck (k p : Nat) (q a : Rat) (m T : Nat) (c eps delta : Rat) : Bool :=
  decide (0 ≤ q) && decide (q < 1) && decide (0 < m) && decide (0 ≤ c)
    && match leavesUp k p a (m + 2) 0, expUp k p (ratOfNat T * c - ratOfNat m * eps) with
    | some l, some u =>
      match folds q (m + 1) l with
      | x :: _ => decide (x ≤ expLo k p c) && decide (kappa m * u ≤ delta)
      | [] => false
    | _, _ => false

/-- **What the kernel checks is privacy**: every analyst of so many steps, every measurable test of
the view. -/
theorem sgd_certificate_is_a_privacy_guarantee (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y)
    {k p : Nat}
    {q a : Rat} {m T : Nat} {c eps delta : Rat} (h : sgdCheck k p q a m T c eps delta = true)
    {h0 : 0 ≤ (ofRat q : F.K)} {h1 : (ofRat q : F.K) ≤ 1} (g : SgdAnalyst N (ofRat a) T)
      (f : g.View → F.K)
    (hf : SgdAnalyst.Adm (ofRat q) h0 h1 g f) (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat q) h0 h1 b g f
      ≤ F.exp (ofRat eps) * SgdAnalyst.expect (ofRat q) h0 h1 (!b) g f + ofRat delta := by
  unfold sgdCheck at h
  simp only [Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨hq0, hq1⟩, hm⟩, hc⟩, h⟩ := h
  split at h
  · rename_i l u hl hu
    split at h
    · rename_i x l' hx
      simp only [Bool.and_eq_true, decide_eq_true_eq] at h
      have ab := folds_above hq0 (by grind) (m + 1) 0 0 l
          (leavesUp_above (F := F) (ofRat q) (m + 2) 0 hl)
      rw [hx] at ab
      have e1 : 0 + (m + 1) = m + 1 := by omega
      rw [e1] at ab
      have moment : sampledMoment F (ofRat q) (ofRat a) (m + 1) 0 ≤ F.exp (ofRat c) :=
        Std.le_trans ab.1 (Std.le_trans (Numerics.ofRat_mono h.1) (Numerics.expLo_le F k p c))
      have hmK : (0 : F.K) < (m : F.K) := by
        have := Numerics.ofRat_pos (K := F.K) (ratOfNat_pos hm)
        rw [Numerics.ofRat_ratOfNat] at this
        exact this
      have q1 : (ofRat q : F.K) < 1 := by
        have := Numerics.ofRat_pos (K := F.K) (q := 1 - q) (by grind)
        rw [Numerics.ofRat_sub, Numerics.ofRat_one] at this
        grind
      have hlog : HasLogs F := fun r hr => logs _ (Numerics.ofRat_pos hr)
      have hκ : (0 : F.K) ≤ ofRat (kappa m) := Numerics.ofRat_nonneg
          (by have := kappa_pos hm; grind)
      have key := sgd_bound logs h0 q1 h1 hmK (Numerics.ofRat_nonneg hc) moment hκ
        (fun s => kappa_serves hlog hm s) b g f hf l0 l1 (ofRat eps)
      have e2 : (T : F.K) * ofRat c - (m : F.K) * ofRat eps
          = ofRat (ratOfNat T * c - ratOfNat m * eps) := by
        rw [Numerics.ofRat_sub, Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat,
          Numerics.ofRat_ratOfNat]
      have h2 := mul_le_left (expUp_sound (F := F) hu) hκ
      have h3 := Numerics.ofRat_mono (K := F.K) h.2
      rw [Numerics.ofRat_mul] at h3
      rw [e2] at key
      grind
    · contradiction
  · contradiction

namespace Sgd

open PrivRef.Reals (reals reals_have_logarithms)

variable {N : GaussianNoise reals V}

/-- **The published ε = 1** of the training on CIFAR-10 (De et al. 2022), at `δ = 10^{-5}`: 875
steps, samples of the rate 4096/50000, `σ = 10`. -/
theorem cifar10 {h0 : 0 ≤ (ofRat (mkRat 4096 50000) : reals.K)}
    {h1 : (ofRat (mkRat 4096 50000) : reals.K) ≤ 1}
    (g : SgdAnalyst N (ofRat (mkRat 1 100)) 875) (f : g.View → reals.K)
    (hf : SgdAnalyst.Adm (ofRat (mkRat 4096 50000)) h0 h1 g f) (l0 : ∀ v, 0 ≤ f v)
      (l1 : ∀ v, f v ≤ 1)
    (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 b g f
      ≤ reals.exp (ofRat 1) * SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 (!b) g f
        + ofRat (mkRat 1 (10 ^ 5)) :=
  sgd_certificate_is_a_privacy_guarantee reals_have_logarithms (k := 64) (p := 200) (m := 17)
    (c := mkRat 10445939653 (10 ^ 12)) (by decide +kernel) g f hf l0 l1 b

/-- **The published ε = 1** of the fine-tuning on CIFAR-100 (De et al. 2022), at `δ = 10^{-5}`: 250
steps, samples of the rate 16384/50000, `σ = 21.1`. -/
theorem cifar100 {h0 : 0 ≤ (ofRat (mkRat 16384 50000) : reals.K)}
    {h1 : (ofRat (mkRat 16384 50000) : reals.K) ≤ 1} (g : SgdAnalyst N (ofRat (mkRat 10000 4452100))
      250)
    (f : g.View → reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 16384 50000)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 b g f
      ≤ reals.exp (ofRat 1) * SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 (!b) g f
        + ofRat (mkRat 1 (10 ^ 5)) :=
  sgd_certificate_is_a_privacy_guarantee reals_have_logarithms (k := 64) (p := 200) (m := 17)
    (c := mkRat 37232498890 (10 ^ 12)) (by decide +kernel) g f hf l0 l1 b

/-- **The published ε = 8** of the training on ImageNet (De et al. 2022), at `δ = 8 · 10^{-7}`:
71,589 steps, samples of the rate 16384/1281167, `σ = 2.5`. -/
theorem imagenet {h0 : 0 ≤ (ofRat (mkRat 16384 1281167) : reals.K)}
    {h1 : (ofRat (mkRat 16384 1281167) : reals.K) ≤ 1} (g : SgdAnalyst N (ofRat (mkRat 100 625))
      71589)
    (f : g.View → reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 16384 1281167)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 b g f
      ≤ reals.exp (ofRat 8) * SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 (!b) g f
        + ofRat (mkRat 8 (10 ^ 7)) :=
  sgd_certificate_is_a_privacy_guarantee reals_have_logarithms (k := 64) (p := 200) (m := 4)
    (c := mkRat 285745223 (10 ^ 12)) (by decide +kernel) g f hf l0 l1 b

end Sgd

end PrivRef
