module

public import PrivRef.Thm.Gaussian

/-!
Sharper bounds of ledgers of discrete Gaussian noise: where one answer is seen, the order of the
bound for all the rest may depend on it.  The answer's noise has finitely many values where that
matters, so the sum of the moments of the parts is an exact sum of exponentials, which the kernel
bounds.
-/

@[expose] public section

namespace PrivRef

open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable (F : ExpField) (hK : Complete F.K)

/-- A bound `B r s`, where `r` is what may still be spent and `s` the shift, that a round of
discrete Gaussian noise takes to itself exactly. -/
def Exact (B : F.K → F.K → F.K) : Prop :=
  ∀ (r τ : F.K) (hτ : 0 < τ) (c d : Int) (s : F.K), Tends
    ((discreteGaussian F hK τ hτ c).sum fun o => B r (s - gaussianLoss F τ c d o))
    (B (r + τ * (((c : F.K) - d) * ((c : F.K) - d))) s)

/-- The bound holds for every analyst of the rounds `l`, with nothing more to spend. -/
def Bounds (l : List GaussianRound) (B : F.K → F.K → F.K) : Prop :=
  ∀ (b : Bool) (g : GaussianAnalyst F l) (f : g.View → F.K), (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ s,
    GaussianAnalyst.expect hK b g f ≤ B 0 s + F.exp s * GaussianAnalyst.expect hK (!b) g f

variable {F}

/-- What holds for every outcome holds on the average. -/
theorem averaged {O : Type} (p : CountLaw F.K O) {ψ ω : O → F.K} {x y t : F.K}
    (hψ : Tends (p.sum ψ) x)
    (hω : Tends (p.sum ω) 1) (h : ∀ o, y ≤ ψ o + t * ω o) : y ≤ x + t := by
  have h1 := p.total.smul y
  have h2 := hψ.add (hω.smul t)
  have e : x + t * 1 = x + t := by grind
  have e1 : y * 1 = y := by grind
  rw [e] at h2
  rw [e1] at h1
  refine h1.mono h2 fun n => ?_
  have h3 := p.sum_mono (fun _ => y * 1) (fun o => ψ o + t * ω o) (fun o => by have := h o; grind) n
  rw [CountLaw.sum_smul, CountLaw.sum_add, CountLaw.sum_smul] at h3
  exact h3

theorem tilt_tends (τ : F.K) (hτ : 0 < τ) (c d : Int) :
    Tends ((discreteGaussian F hK τ hτ c).sum fun o => F.exp (-gaussianLoss F τ c d o)) 1 := by
  have h := discreteGaussian_tilted F hK τ hτ c d (fun _ => 1)
      ⟨1, by grind, fun _ => by constructor <;> grind⟩
  have e : (discreteGaussian F hK τ hτ d).E (fun _ => 1) = 1 :=
      ((discreteGaussian F hK τ hτ d).toLaw hK).E_one
  have e2 : (fun o => F.exp (-gaussianLoss F τ c d o) * 1) = fun o =>
      F.exp (-gaussianLoss F τ c d o) := by
    funext o
    grind
  rw [e, e2] at h
  exact h

theorem exp_sub (x y : F.K) : F.exp (x - y) = F.exp x * F.exp (-y) := by
  rw [← F.exp_add]
  congr 1
  grind

/-- A bound with nothing to spend is one with anything to spend: a round that nobody looks at may be
added. -/
theorem Exact.padded {B : F.K → F.K → F.K} (hB : Exact F hK B) {y y' : F.K}
    (h : ∀ s, y ≤ B 0 s + F.exp s * y') (r : F.K) (hr : 0 ≤ r) (s : F.K) : y ≤ B r s +
      F.exp s * y' := by
  by_cases hr0 : r = 0
  · rw [hr0]
    exact h s
  · have hr1 : 0 < r := by grind
    have h1 := hB 0 r hr1 0 1 s
    have e : 0 + r * (((((0 : Int) : F.K)) - ((1 : Int) : F.K)) *
        (((0 : Int) : F.K) - ((1 : Int) : F.K))) = r := by
      rw [Lean.Grind.Ring.intCast_zero, Lean.Grind.Ring.intCast_one]
      grind
    rw [e] at h1
    refine averaged _ h1 (tilt_tends hK r hr1 0 1) fun o => ?_
    have h2 := h (s - gaussianLoss F r 0 1 o)
    rw [exp_sub] at h2
    grind

/-- One answer with noise, where the bound of the rest may depend on the answer. -/
theorem answer_bound (r : GaussianRound) (pos : 0 < r.variance) (c d : Int) (ψ : Int → F.K)
    {x s : F.K}
    (hψ : Tends ((discreteGaussian F hK (r.rate F) (r.rate_pos F pos) c).sum ψ) x) (G H : Int → F.K)
    (hG : ∀ o, 0 ≤ G o ∧ G o ≤ 1) (hH : ∀ o, 0 ≤ H o ∧ H o ≤ 1)
    (hstep : ∀ o, G o ≤ ψ o + F.exp (s - gaussianLoss F (r.rate F) c d o) * H o) :
    (discreteGaussian F hK (r.rate F) (r.rate_pos F pos) c).E G
      ≤ x + F.exp s * (discreteGaussian F hK (r.rate F) (r.rate_pos F pos) d).E H := by
  have b : ∀ {f : Int → F.K}, (∀ o, 0 ≤ f o ∧ f o ≤ 1) → IsBounded f := fun {f} hf =>
    ⟨1, by grind, fun o => by have := hf o; constructor <;> grind⟩
  have h1 := (discreteGaussian F hK (r.rate F) (r.rate_pos F pos) c).tends hK (b hG)
  have h2 := discreteGaussian_tilted F hK (r.rate F) (r.rate_pos F pos) c d H (b hH)
  have h3 := hψ.add (h2.smul (F.exp s))
  refine h1.mono h3 fun n => ?_
  rw [← CountLaw.sum_smul, ← CountLaw.sum_add]
  refine CountLaw.sum_mono _ _ _ (fun o => ?_) n
  have := hstep o
  rw [exp_sub] at this
  grind

/-- **Rounds before**: what is bounded behind the rounds `pre` is bounded by the same with their `ρ`
to spend. -/
theorem Exact.before {B : F.K → F.K → F.K} (hB : Exact F hK B) {post : List GaussianRound}
    (h : Bounds F hK post B)
    (b : Bool) {l : List GaussianRound} (g : GaussianAnalyst F l) (pre : List GaussianRound)
    (e : l = pre ++ post) (hpre : PositiveVariances pre) (f : g.View → F.K) (h0 : ∀ v, 0 ≤ f v)
      (h1 : ∀ v, f v ≤ 1)
    (r : F.K) (hr : ofRat (Numerics.totalPar (gaussianGroups pre)) ≤ r) (s : F.K) :
    GaussianAnalyst.expect hK b g f ≤ B r s + F.exp s * GaussianAnalyst.expect hK (!b) g f := by
  have hb : ∀ {l : List GaussianRound} (g : GaussianAnalyst F l) (f : g.View → F.K),
      (∀ v, 0 ≤ f v) →
      (∀ v, f v ≤ 1) → ∀ v, (-1 : F.K) ≤ f v ∧ f v ≤ 1 := fun g f h0 h1 v =>
    ⟨by have := h0 v; grind, h1 v⟩
  have one : (0 : F.K) ≤ 1 := by grind
  have hr0 : 0 ≤ r := Std.le_trans (gaussianLedger_nonneg F hpre) hr
  induction g generalizing pre r s with
  | stop => exact hB.padded hK (h b .stop f h0 h1) r hr0 s
  | coin S ρ next ih =>
    exact (ρ.toLaw hK).E_le_affine
      (GaussianAnalyst.expect_bounded hK b next (fun r v => f ⟨r, v⟩) one fun r v => hb _ f h0 h1 _)
      (GaussianAnalyst.expect_bounded hK (!b) next (fun r v => f ⟨r, v⟩) one fun r v =>
        hb _ f h0 h1 _) _ _ fun o =>
        ih o pre e hpre (fun v => f ⟨o, v⟩) (fun v => h0 _) (fun v => h1 _) r hr s hr0
  | close next ih =>
    cases pre with
    | nil =>
      simp only [List.nil_append] at e
      subst e
      exact hB.padded hK (h b (.close next) f h0 h1) r hr0 s
    | cons q pre =>
      simp only [List.cons_append, List.cons.injEq] at e
      have hq := q.rate_pos F (hpre q List.mem_cons_self)
      have hn := mul_nonneg' (by grind : 0 ≤ q.rate F) (Numerics.natCast_nonneg (K := F.K) q.norm)
      rw [totalPar_cons] at hr
      exact ih pre e.2 (fun p hp => hpre p (List.mem_cons_of_mem _ hp)) f h0 h1 r (by grind) s hr0
  | ask pos answer left fits next ih =>
    rename_i q l
    cases pre with
    | nil =>
      simp only [List.nil_append] at e
      subst e
      exact hB.padded hK (h b (.ask pos answer left fits next) f h0 h1) r hr0 s
    | cons p pre =>
      simp only [List.cons_append, List.cons.injEq] at e
      obtain ⟨e1, e2⟩ := e
      subst e1
      have square : q.rate F * (((answer b : F.K) - (answer !b : F.K)) *
          ((answer b : F.K) - (answer !b : F.K)))
          + q.rate F * (left : F.K) = q.rate F * (q.norm : F.K) := by
        have c := congrArg (fun z : Int => (z : F.K)) fits
        simp only at c
        rw [Lean.Grind.Ring.intCast_add, intCast_square, Lean.Grind.Ring.intCast_natCast,
          Lean.Grind.Ring.intCast_natCast] at c
        cases b <;> simp only [Bool.not_false, Bool.not_true] <;> grind
      rw [totalPar_cons] at hr
      have hq := q.rate_pos F pos
      have hl := mul_nonneg' (by grind : 0 ≤ q.rate F) (Numerics.natCast_nonneg (K := F.K) left)
      have hpre' : PositiveVariances (⟨q.variance, left⟩ :: pre) := fun z hz => by
        rcases List.mem_cons.mp hz with e | e
        · subst e; exact pos
        · exact hpre z (List.mem_cons_of_mem _ e)
      have hrest := gaussianLedger_nonneg F fun z hz => hpre z (List.mem_cons_of_mem _ hz)
      have k := hB (r - q.rate F * (((answer b : F.K) - (answer !b : F.K)) *
          ((answer b : F.K) - (answer !b : F.K))))
        (q.rate F) hq (answer b) (answer !b) s
      have e3 : ∀ x y : F.K, x - y + y = x := fun x y => by grind
      rw [e3] at k
      refine answer_bound hK q pos (answer b) (answer !b) _ k _ _
        (fun o => GaussianAnalyst.expect_mem hK b (next o) _ (fun v => h0 _) fun v => h1 _)
        (fun o => GaussianAnalyst.expect_mem hK (!b) (next o) _ (fun v => h0 _) fun v => h1 _)
          fun o => ?_
      have e4 : q.rate F = GaussianRound.rate F ⟨q.variance, left⟩ := rfl
      refine ih o (⟨q.variance, left⟩ :: pre) (by rw [e2]; rfl) hpre' (fun v => f ⟨o, v⟩)
          (fun v => h0 _)
        (fun v => h1 _) _ ?_ _ ?_
      · rw [totalPar_cons, ← e4]
        show _ + q.rate F * (left : F.K) ≤ _
        grind
      · grind

/-! ### An answer on which the order of the rest depends -/

variable (F)

/-- The privacy loss of the noise `x`, where the exact answers differ by one. -/
noncomputable def noiseLoss (τ : F.K) (x : Int) : F.K := τ * (1 - 2 * (x : F.K))

/-- The probability of the noise `x`. -/
noncomputable def noiseMass (τ : F.K) (x : Int) : F.K := (gaussianTotal F τ)⁻¹ * gaussianWeight F τ
    x

/-- The bound for the noise `x`: `B`, but for the listed exceptions. -/
def pick (B : F.K → F.K → F.K) : List (Int × (F.K → F.K → F.K)) → Int → F.K → F.K → F.K
  | [], _ => B
  | (y, C) :: X, x => if x = y then C else pick B X x

/-- The mean of the bounds over the noise `x`. -/
noncomputable def mix (τ : F.K) (B : F.K → F.K → F.K) : List (Int × (F.K → F.K → F.K)) → F.K → F.K →
    F.K
  | [], r, s => B (r + τ) s
  | (y, C) :: X, r, s => mix τ B X r s
      + noiseMass F τ y * (C r (s - noiseLoss F τ y) - pick F B X y r (s - noiseLoss F τ y))

variable {F}

theorem pick_exact {B : F.K → F.K → F.K} (hB : Exact F hK B) {X : List (Int × (F.K → F.K → F.K))}
    (hX : ∀ p ∈ X, Exact F hK p.2) (x : Int) : Exact F hK (pick F B X x) := by
  induction X with
  | nil => exact hB
  | cons p X ih =>
    unfold pick
    split
    · exact hX _ List.mem_cons_self
    · exact ih fun q hq => hX q (List.mem_cons_of_mem _ hq)

theorem pick_bounds {B : F.K → F.K → F.K} {l : List GaussianRound} (hB : Bounds F hK l B)
    {X : List (Int × (F.K → F.K → F.K))} (hX : ∀ p ∈ X, Bounds F hK l p.2) (x : Int) :
    Bounds F hK l (pick F B X x) := by
  induction X with
  | nil => exact hB
  | cons p X ih =>
    unfold pick
    split
    · exact hX _ List.mem_cons_self
    · exact ih fun q hq => hX q (List.mem_cons_of_mem _ hq)

theorem mix_exact {τ : F.K} {B : F.K → F.K → F.K} (hB : Exact F hK B)
    {X : List (Int × (F.K → F.K → F.K))} (hX : ∀ p ∈ X, Exact F hK p.2) : Exact F hK
      (mix F τ B X) := by
  induction X with
  | nil =>
    intro r τ' hτ' c d s
    have h := hB (r + τ) τ' hτ' c d s
    have e : r + τ + τ' * (((c : F.K) - d) * ((c : F.K) - d)) = r +
        τ' * (((c : F.K) - d) * ((c : F.K) - d)) + τ := by
      grind
    rw [e] at h
    exact h
  | cons p X ih =>
    intro r τ' hτ' c d s
    obtain ⟨y, C⟩ := p
    have h1 := ih (fun q hq => hX q (List.mem_cons_of_mem _ hq)) r τ' hτ' c d s
    have h2 := hX _ List.mem_cons_self r τ' hτ' c d (s - noiseLoss F τ y)
    have h3 := pick_exact hK hB (fun q hq => hX q (List.mem_cons_of_mem _ hq)) y r τ' hτ' c d
        (s - noiseLoss F τ y)
    have h4 := h1.add ((h2.add (h3.smul (-1))).smul (noiseMass F τ y))
    simp only at h4
    have e : ((discreteGaussian F hK τ' hτ' c).sum fun o =>
        mix F τ B ((y, C) :: X) r (s - gaussianLoss F τ' c d o))
        = fun n => (discreteGaussian F hK τ' hτ' c).sum (fun o =>
          mix F τ B X r (s - gaussianLoss F τ' c d o)) n
          + noiseMass F τ y * ((discreteGaussian F hK τ' hτ' c).sum
              (fun o => C r (s - noiseLoss F τ y - gaussianLoss F τ' c d o)) n
            + -1 * (discreteGaussian F hK τ' hτ' c).sum
              (fun o => pick F B X y r (s - noiseLoss F τ y - gaussianLoss F τ' c d o)) n) := by
      funext n
      rw [← CountLaw.sum_smul, ← CountLaw.sum_add, ← CountLaw.sum_smul, ← CountLaw.sum_add]
      congr 1
      funext o
      have e2 : s - noiseLoss F τ y - gaussianLoss F τ' c d o =
          s - gaussianLoss F τ' c d o - noiseLoss F τ y := by
        grind
      simp only [mix, e2]
      grind
    rw [e]
    have e3 : ∀ x y m : F.K, x + -1 * y = x - y := fun x y m => by grind
    rw [e3 _ _ 0] at h4
    exact h4

theorem intSum_single (y : Int) (C : F.K) (n : Nat) :
    intSum (fun x => ind (x = y) * C) n = ind (-(n : Int) ≤ y ∧ y < n) * C := by
  induction n with
  | zero =>
    rw [ind_false (by omega)]
    show 0 = _
    grind
  | succ n ih =>
    show intSum _ n + (ind (Int.ofNat n = y) * C + ind (Int.negSucc n = y) * C) = _
    rw [ih]
    have e1 : Int.ofNat n = (n : Int) := rfl
    have e2 : Int.negSucc n = -((n : Int) + 1) := by omega
    rw [e1, e2]
    by_cases h1 : (n : Int) = y
    · rw [ind_true h1, ind_false (by omega : ¬ (-((n : Int) + 1) = y)), ind_false (by omega),
          ind_true (by omega)]
      grind
    · by_cases h2 : -((n : Int) + 1) = y
      · rw [ind_false h1, ind_true h2, ind_false (by omega), ind_true (by omega)]
        grind
      · rw [ind_false h1, ind_false h2]
        by_cases h3 : -(n : Int) ≤ y ∧ y < n
        · rw [ind_true h3, ind_true (by omega)]
          grind
        · rw [ind_false h3, ind_false (by omega)]
          grind

/-- The mean of what is `C` at one value of the noise and zero elsewhere. -/
theorem single_tends (τ : F.K) (hτ : 0 < τ) (c y : Int) (C : F.K) :
    Tends ((discreteGaussian F hK τ hτ c).sum fun o => ind (o = c + y) * C)
      (noiseMass F τ y * C) := by
  intro ε hε
  refine ⟨y.natAbs + 1, fun n hn => ?_⟩
  have e : (discreteGaussian F hK τ hτ c).sum (fun o => ind (o = c + y) * C) n =
      noiseMass F τ y * C := by
    rw [discreteGaussian_sum]
    have e1 : (fun x => gaussianWeight F τ x * (ind (c + x = c + y) * C))
        = fun x => ind (x = y) * (gaussianWeight F τ y * C) := by
      funext x
      by_cases h : x = y
      · subst h
        rw [ind_true rfl, ind_true rfl]
        grind
      · rw [ind_false h, ind_false (by omega)]
        grind
    rw [e1, intSum_single, ind_true (by omega)]
    unfold noiseMass
    grind
  rw [e]
  constructor <;> grind

theorem weight_even (τ : F.K) {x y : Int} (h : x * x = y * y) : gaussianWeight F τ x =
    gaussianWeight F τ y := by
  unfold gaussianWeight
  rw [← Lean.Grind.Ring.intCast_mul, ← Lean.Grind.Ring.intCast_mul, h]

/-- The loss where the exact answers differ by one, by the noise in the direction of the
difference. -/
theorem loss_of_noise (τ : F.K) {c d : Int} (h : (d - c) * (d - c) = 1) (o : Int) :
    gaussianLoss F τ c d o = noiseLoss F τ ((d - c) * (o - c)) := by
  have e := congrArg (fun z : Int => (z : F.K)) h
  simp only at e
  rw [intCast_square, Lean.Grind.Ring.intCast_one] at e
  unfold gaussianLoss noiseLoss
  rw [Lean.Grind.Ring.intCast_mul, Lean.Grind.Ring.intCast_sub, Lean.Grind.Ring.intCast_sub]
  grind

theorem mix_tends {τ : F.K} (hτ : 0 < τ) {B : F.K → F.K → F.K} (hB : Exact F hK B)
    (X : List (Int × (F.K → F.K → F.K))) {c d : Int} (h : (d - c) * (d - c) = 1) (s : F.K) :
    Tends ((discreteGaussian F hK τ hτ c).sum fun o =>
      pick F B X ((d - c) * (o - c)) 0 (s - gaussianLoss F τ c d o))
      (mix F τ B X 0 s) := by
  induction X with
  | nil =>
    have h1 := hB 0 τ hτ c d s
    have e2 : (c - d) * (c - d) = 1 := by grind
    have e := congrArg (fun z : Int => (z : F.K)) e2
    simp only at e
    rw [intCast_square, Lean.Grind.Ring.intCast_one] at e
    rw [e] at h1
    have e3 : 0 + τ * 1 = 0 + τ := by grind
    rw [e3] at h1
    exact h1
  | cons p X ih =>
    obtain ⟨y, C⟩ := p
    have h1 := ih.add (single_tends hK τ hτ c ((d - c) * y)
      (C 0 (s - noiseLoss F τ y) - pick F B X y 0 (s - noiseLoss F τ y)))
    have em : noiseMass F τ ((d - c) * y) = noiseMass F τ y := by
      unfold noiseMass
      rw [weight_even τ (by grind : (d - c) * y * ((d - c) * y) = y * y)]
    rw [em] at h1
    have e : ((discreteGaussian F hK τ hτ c).sum fun o =>
          pick F B ((y, C) :: X) ((d - c) * (o - c)) 0 (s - gaussianLoss F τ c d o))
        = fun n => (discreteGaussian F hK τ hτ c).sum
            (fun o => pick F B X ((d - c) * (o - c)) 0 (s - gaussianLoss F τ c d o)) n
          + (discreteGaussian F hK τ hτ c).sum (fun o => ind (o = c + (d - c) * y)
            * (C 0 (s - noiseLoss F τ y) - pick F B X y 0 (s - noiseLoss F τ y))) n := by
      funext n
      rw [← CountLaw.sum_add]
      congr 1
      funext o
      rw [loss_of_noise τ h]
      by_cases ho : (d - c) * (o - c) = y
      · have ho2 : o = c + (d - c) * y := by
          subst ho
          have : (d - c) * ((d - c) * (o - c)) = (d - c) * (d - c) * (o - c) := by grind
          rw [this, h]
          omega
        rw [ind_true ho2]
        simp only [pick, ho, if_true]
        grind
      · have ho2 : ¬ o = c + (d - c) * y := fun hh => by
          subst hh
          apply ho
          have : (d - c) * (c + (d - c) * y - c) = (d - c) * (d - c) * y := by grind
          rw [this, h]
          omega
        rw [ind_false ho2]
        simp only [pick, ho, if_false]
        grind
    rw [e]
    exact h1

/-- **An answer to a query of sensitivity one**, behind which the bound depends on the noise. -/
theorem mix_bounds {v : Rat} (pos : 0 < v) {n : Nat} (hn : n ≤ 1) {post : List GaussianRound}
    {B : F.K → F.K → F.K} (hB : Exact F hK B) {X : List (Int × (F.K → F.K → F.K))}
    (h : Bounds F hK (⟨v, n⟩ :: post) B) (hX : ∀ p ∈ X, Bounds F hK (⟨v, n⟩ :: post) p.2) :
    Bounds F hK (⟨v, n + 1⟩ :: post) (mix F (GaussianRound.rate F ⟨v, n⟩) B X) := by
  have hτ : 0 < GaussianRound.rate F ⟨v, n⟩ := GaussianRound.rate_pos F ⟨v, n⟩ pos
  have hp := pick_bounds hK h hX
  have hb : ∀ {l : List GaussianRound} (g : GaussianAnalyst F l) (f : g.View → F.K),
      (∀ v, 0 ≤ f v) →
      (∀ v, f v ≤ 1) → ∀ v, (-1 : F.K) ≤ f v ∧ f v ≤ 1 := fun g f h0 h1 v =>
    ⟨by have := h0 v; grind, h1 v⟩
  have one : (0 : F.K) ≤ 1 := by grind
  have skip : ∀ {y y' : F.K}, (∀ x s, y ≤ pick F B X x 0 s + F.exp s * y') → ∀ s,
      y ≤ mix F (GaussianRound.rate F ⟨v, n⟩) B X 0 s + F.exp s * y' := fun {y y'} hy s => by
    have h1 : ((1 : Int) - 0) * (1 - 0) = 1 := by decide
    refine averaged _ (mix_tends hK hτ hB X h1 s) (tilt_tends hK _ hτ 0 1) fun o => ?_
    have h2 := hy ((1 - 0) * (o - 0)) (s - gaussianLoss F (GaussianRound.rate F ⟨v, n⟩) 0 1 o)
    rw [exp_sub] at h2
    grind
  intro b g f h0 h1 s
  generalize hl : (⟨v, n + 1⟩ :: post : List GaussianRound) = l at g
  induction g generalizing s with
  | stop => exact skip (fun x s => hp x b .stop f h0 h1 s) s
  | coin S ρ next ih =>
    exact (ρ.toLaw hK).E_le_affine
      (GaussianAnalyst.expect_bounded hK b next (fun r v => f ⟨r, v⟩) one fun r v => hb _ f h0 h1 _)
      (GaussianAnalyst.expect_bounded hK (!b) next (fun r v => f ⟨r, v⟩) one fun r v =>
        hb _ f h0 h1 _) _ _ fun o =>
        ih o s hl (fun v => f ⟨o, v⟩) (fun v => h0 _) fun v => h1 _
  | close next ih =>
    injection hl with e1 e2
    subst e2
    exact skip (fun x s => hp x b (.close next) f h0 h1 s) s
  | ask pos' answer left fits next ih =>
    injection hl with e1 e2
    subst e1 e2
    have cases : (answer true - answer false = 0 ∧ left = n + 1)
        ∨ ((answer true - answer false) * (answer true - answer false) = 1 ∧ left = n) := by
      simp only at fits
      rcases (by omega : answer true - answer false ≤ -2 ∨ answer true - answer false = -1
        ∨ answer true - answer false = 0 ∨ answer true - answer false = 1 ∨ 2 ≤
          answer true - answer false)
        with e | e | e | e | e
      · have := Int.mul_le_mul (by omega : 2 ≤ -(answer true - answer false))
          (by omega : 2 ≤ -(answer true - answer false)) (by omega) (by omega)
        have e5 : -(answer true - answer false) * -(answer true - answer false)
          = (answer true - answer false) * (answer true - answer false) := by grind
        omega
      · rw [e] at fits ⊢
        omega
      · rw [e] at fits ⊢
        omega
      · rw [e] at fits ⊢
        omega
      · have := Int.mul_le_mul e e (by omega) (by omega)
        omega
    have mem := fun (b : Bool) (o : Int) => GaussianAnalyst.expect_mem hK b (next o)
        (fun v => f ⟨o, v⟩)
      (fun v => h0 _) fun v => h1 _
    rcases cases with ⟨e, el⟩ | ⟨e, el⟩
    · subst el
      have same : answer (!b) = answer
          b := by cases b <;> simp only [Bool.not_false, Bool.not_true] <;> omega
      refine answer_bound hK ⟨v, n + 1⟩ pos' (answer b) (answer !b)
        (fun _ => mix F (GaussianRound.rate F ⟨v, n⟩) B X 0 s * 1) ?_ _ _ (mem b) (mem (!b))
          fun o => ?_
      · have k := (discreteGaussian F hK (GaussianRound.rate F ⟨v, n + 1⟩)
          (GaussianRound.rate_pos F ⟨v, n + 1⟩ pos') (answer b)).total.smul
            (mix F (GaussianRound.rate F ⟨v, n⟩) B X 0 s)
        have e3 : ∀ x : F.K, x * 1 = x := fun x => by grind
        rw [e3] at k
        have e4 := funext fun m => CountLaw.sum_smul (discreteGaussian F hK
            (GaussianRound.rate F ⟨v, n + 1⟩)
          (GaussianRound.rate_pos F ⟨v, n + 1⟩ pos') (answer b))
            (mix F (GaussianRound.rate F ⟨v, n⟩) B X 0 s)
          (fun _ => 1) m
        exact e4 ▸ k
      · have k := ih o s rfl (fun v => f ⟨o, v⟩) (fun v => h0 _) fun v => h1 _
        have e5 : s - gaussianLoss F (GaussianRound.rate F ⟨v, n + 1⟩) (answer b) (answer !b) o =
            s := by
          rw [same]
          unfold gaussianLoss
          grind
        rw [e5]
        have e6 : ∀ x : F.K, x * 1 = x := fun x => by grind
        rw [e6]
        exact k
    · subst el
      have e2 : (answer (!b) - answer b) * (answer (!b) - answer b) = 1 := by
        cases b <;> simp only [Bool.not_false, Bool.not_true] <;> grind
      exact answer_bound hK ⟨v, left + 1⟩ pos' (answer b) (answer !b) _ (mix_tends hK hτ hB X e2 s)
          _ _ (mem b)
        (mem (!b)) fun o => hp _ b (next o) (fun v => f ⟨o, v⟩) (fun v => h0 _) (fun v => h1 _) _

end PrivRef
