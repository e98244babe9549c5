module

public import PrivRef.Reals.Complete
public import PrivRef.Thm.GaussianLosses
public import PrivRef.Thm.Sgd

/-!
The discrete Gaussian on the integers has the shift property of Gaussian noise, so that the theorems
about stochastic gradient descent hold of it with nothing assumed: the published numbers of three
trainings, where every answer is one integer (not a vector) and the noise is discrete Gaussian.
-/

@[expose] public section

namespace PrivRef

open PrivRef.Numerics (ExpField ofRat)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

namespace DiscreteNoise

variable (F : ExpField) (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ)

/-- `u x / σ²`, where `τ = 1 / (2 σ²)`. -/
noncomputable def inner (u x : Int) : F.K := 2 * τ * ((u : F.K) * (x : F.K))

theorem inner_add (u x y : Int) : inner F τ u (x + y) = inner F τ u x + inner F τ u y := by
  unfold inner
  rw [Lean.Grind.Ring.intCast_add]
  grind

theorem exp_inner_add (u v x : Int) :
    F.exp (inner F τ (u + v) x) = F.exp (inner F τ u x) * F.exp (inner F τ v x) := by
  unfold inner
  rw [← F.exp_add, Lean.Grind.Ring.intCast_add]
  congr 1
  grind

/-- **Re-indexing**: tilted weights are those of a shifted integer, times a constant. -/
theorem weight_tilted (u x : Int) :
    gaussianWeight F τ x * F.exp (inner F τ u x)
      = F.exp (inner F τ u u / 2) * gaussianWeight F τ (x + -u) := by
  unfold gaussianWeight inner
  rw [← F.exp_add, ← F.exp_add, Lean.Grind.Ring.intCast_add, Lean.Grind.Ring.intCast_neg]
  congr 1
  grind

theorem sum_eq (f : Int → F.K) : (discreteGaussian F hK τ hτ 0).sum f
    = intSum fun x => (gaussianTotal F τ)⁻¹ * (gaussianWeight F τ x * f x) := by
  funext n
  rw [discreteGaussian_sum, intSum_smul]
  congr 2
  funext x
  rw [Int.zero_add]

include hK hτ in
theorem term_nonneg {f : Int → F.K} (h0 : ∀ x, 0 ≤ f x) (x : Int) :
    0 ≤ (gaussianTotal F τ)⁻¹ * (gaussianWeight F τ x * f x) := by
  have hi : 0 < (gaussianTotal F τ)⁻¹ :=
    Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (gaussianTotal_tends F hK τ hτ).2
  exact mul_nonneg' (by grind) (mul_nonneg' (by have := gaussianWeight_pos F τ x; grind) (h0 x))

/-- The shift property, for the sums of what is not negative. -/
theorem shifted {f : Int → F.K} (h0 : ∀ x, 0 ≤ f x) (u : Int) {l : F.K}
    (hl : Tends ((discreteGaussian F hK τ hτ 0).sum fun x => F.exp (inner F τ u x) * f x) l) :
    Tends ((discreteGaussian F hK τ hτ 0).sum fun x => f (u + x))
      (F.exp (-(inner F τ u u / 2)) * l) := by
  rw [sum_eq] at hl ⊢
  have h := (hl.shift (term_nonneg F hK τ hτ fun x => mul_nonneg'
    (by have := Numerics.exp_pos F (inner F τ u x); grind) (h0 x)) u).smul
    (F.exp (-(inner F τ u u / 2)))
  have e := Numerics.exp_pos F (inner F τ u u / 2)
  have e2 : F.exp (-(inner F τ u u / 2)) * F.exp (inner F τ u u / 2) = 1 := by
    rw [← F.exp_add, ← Numerics.exp_zero F]
    congr 1
    clear h0 hl h e
    grind
  refine cast (congrArg (Tends · _) (funext fun n => ?_)) h
  rw [← intSum_smul]
  congr 1
  funext x
  have k := weight_tilted F τ u (x + u)
  have e3 : x + u + -u = x := by omega
  have e4 : u + x = x + u := by omega
  rw [e3] at k
  rw [e4]
  generalize F.exp (inner F τ u (x + u)) = y at k
  generalize gaussianWeight F τ (x + u) = z at k
  generalize F.exp (inner F τ u u / 2) = v at k e2
  clear h0 hl h e e3 e4
  grind

/-- The symmetry, for the sums of what is not negative. -/
theorem reflected {f : Int → F.K} (h0 : ∀ x, 0 ≤ f x) {l : F.K}
    (hl : Tends ((discreteGaussian F hK τ hτ 0).sum f) l) :
    Tends ((discreteGaussian F hK τ hτ 0).sum fun x => f (-x)) l := by
  rw [sum_eq] at hl ⊢
  refine cast (congrArg (Tends · l) ?_) (hl.shift (term_nonneg F hK τ hτ h0) 1)
  funext n
  rw [← intSum_reflected fun x => (gaussianTotal F τ)⁻¹ * (gaussianWeight F τ x * f x)]
  congr 1
  funext x
  rw [weight_even τ (show -x * -x = x * x by grind)]

/-- The functions that are integrable after every tilt by an exponential: those between `-g` and `g`
for a `g` that is summable after every one. -/
def Tame (f : Int → F.K) : Prop := ∃ g : Int → F.K, (∀ x, -g x ≤ f x ∧ f x ≤ g x) ∧
  ∀ u, ∃ l, Tends ((discreteGaussian F hK τ hτ 0).sum fun x => F.exp (inner F τ u x) * g x) l

variable {F hK τ hτ}

theorem tame_self {f g : Int → F.K} (hg : ∀ x, -g x ≤ f x ∧ f x ≤ g x)
    (h : ∀ u, ∃ l, Tends ((discreteGaussian F hK τ hτ 0).sum fun x => F.exp (inner F τ u x) * g x)
      l) : Tame F hK τ hτ g :=
  ⟨g, fun x => by have := hg x; constructor <;> grind, h⟩

theorem tame_bounded {f : Int → F.K} (hf : IsBounded f) : Tame F hK τ hτ f := by
  obtain ⟨C, -, h⟩ := hf
  refine ⟨fun _ => C, h, fun u => ?_⟩
  have h1 := (discreteGaussian_reindexed F hK τ hτ 0 (-u) _ (fun x => F.exp (inner F τ u x))
    fun x => by rw [Int.zero_add]; exact weight_tilted F τ u x).smul C
  refine ⟨_, cast (congrArg (Tends · _) (funext fun n => ?_)) h1⟩
  rw [← CountLaw.sum_smul]
  congr 1
  funext x
  grind

theorem tame_add {f f' : Int → F.K} (hf : Tame F hK τ hτ f) (hf' : Tame F hK τ hτ f') :
    Tame F hK τ hτ fun x => f x + f' x := by
  obtain ⟨g, h, hg⟩ := hf
  obtain ⟨g', h', hg'⟩ := hf'
  refine ⟨fun x => g x + g' x, fun x => by have := h x; have := h' x; constructor <;> grind,
    fun u => ?_⟩
  obtain ⟨l, hl⟩ := (discreteGaussian F hK τ hτ 0).expectation.add _ _ (hg u) (hg' u)
  refine ⟨l, cast (congrArg (Tends · l) (congrArg _ (funext fun x => ?_))) hl⟩
  clear h hg h' hg' hl
  grind

theorem tame_smul (c : F.K) {f : Int → F.K} (hf : Tame F hK τ hτ f) :
    Tame F hK τ hτ fun x => c * f x := by
  obtain ⟨g, h, hg⟩ := hf
  obtain ⟨d, hd, hc⟩ : ∃ d : F.K, 0 ≤ d ∧ (d = c ∨ d = -c) := by
    by_cases h0 : 0 ≤ c
    · exact ⟨c, h0, .inl rfl⟩
    · exact ⟨-c, by grind, .inr rfl⟩
  refine ⟨fun x => d * g x, fun x => ?_, fun u => ?_⟩
  · have h1 := mul_nonneg' hd (by have := h x; clear h hg hd hc; grind : 0 ≤ g x + f x)
    have h2 := mul_nonneg' hd (by have := h x; clear h hg hd hc h1; grind : 0 ≤ g x - f x)
    rcases hc with hc | hc <;> subst hc <;> constructor <;> (clear h hg hd; grind)
  · obtain ⟨l, hl⟩ := (discreteGaussian F hK τ hτ 0).expectation.smul d _ (hg u)
    refine ⟨l, cast (congrArg (Tends · l) (congrArg _ (funext fun x => ?_))) hl⟩
    clear h hg hd hc hl
    grind

theorem tame_exp (v : Int) {f : Int → F.K} (hf : Tame F hK τ hτ f) :
    Tame F hK τ hτ fun x => F.exp (inner F τ v x) * f x := by
  obtain ⟨g, h, hg⟩ := hf
  refine ⟨fun x => F.exp (inner F τ v x) * g x, fun x => ?_, fun u => ?_⟩
  · have p : 0 ≤ F.exp (inner F τ v x) := Std.le_of_lt (Numerics.exp_pos F _)
    have c1 := mul_le_left (h x).1 p
    have c2 := mul_le_left (h x).2 p
    constructor <;> (clear h hg p; grind)
  · obtain ⟨l, hl⟩ := hg (u + v)
    refine ⟨l, cast (congrArg (Tends · l) (congrArg _ (funext fun x => ?_))) hl⟩
    rw [exp_inner_add]
    clear h hg hl
    grind

theorem bound_nonneg {f g : Int → F.K} (h : ∀ x, -g x ≤ f x ∧ f x ≤ g x) (x : Int) : 0 ≤ g x := by
  have := h x
  grind

theorem tame_translate (v : Int) {f : Int → F.K} (hf : Tame F hK τ hτ f) :
    Tame F hK τ hτ fun x => f (v + x) := by
  obtain ⟨g, h, hg⟩ := hf
  refine ⟨fun x => g (v + x), fun x => h (v + x), fun u => ?_⟩
  obtain ⟨l, hl⟩ := hg (v + u)
  have k := (shifted F hK τ hτ (f := fun x => F.exp (inner F τ u x) * g x) (fun x => mul_nonneg'
    (Std.le_of_lt (Numerics.exp_pos F _)) (bound_nonneg h x)) v (l := l)
    (cast (congrArg (Tends · l) (congrArg _ (funext fun x => by rw [exp_inner_add]; grind)))
      hl)).smul (F.exp (-inner F τ u v))
  refine ⟨_, cast (congrArg (Tends · _) (funext fun n => ?_)) k⟩
  rw [← CountLaw.sum_smul]
  congr 1
  funext x
  have e : F.exp (inner F τ u x) = F.exp (-inner F τ u v) * F.exp (inner F τ u (v + x)) := by
    rw [← F.exp_add, inner_add]
    congr 1
    clear h hg hl k
    grind
  rw [e]
  clear h hg hl k e
  grind

theorem tame_negate {f : Int → F.K} (hf : Tame F hK τ hτ f) : Tame F hK τ hτ fun x => f (-x) := by
  obtain ⟨g, h, hg⟩ := hf
  refine ⟨fun x => g (-x), fun x => h (-x), fun u => ?_⟩
  obtain ⟨l, hl⟩ := hg (-u)
  have k := reflected F hK τ hτ (fun x => mul_nonneg' (Std.le_of_lt (Numerics.exp_pos F _))
    (bound_nonneg h x)) hl
  refine ⟨l, cast (congrArg (Tends · l) (congrArg _ (funext fun x => ?_))) k⟩
  congr 2
  unfold inner
  rw [Lean.Grind.Ring.intCast_neg, Lean.Grind.Ring.intCast_neg]
  clear h hg hl k
  grind

/-- What is tame is integrable. -/
theorem tame_int {f : Int → F.K} (hf : Tame F hK τ hτ f) :
    (discreteGaussian F hK τ hτ 0).expectation.int f := by
  obtain ⟨g, h, hg⟩ := hf
  obtain ⟨l, hl⟩ := hg 0
  have e0 : (fun x => F.exp (inner F τ 0 x) * g x) = g := funext fun x => by
    have e : inner F τ 0 x = 0 := by
      unfold inner
      rw [Lean.Grind.Ring.intCast_zero]
      clear h hg hl
      grind
    rw [e, Numerics.exp_zero]
    clear h hg hl e
    grind
  rw [e0] at hl
  have inc := (discreteGaussian F hK τ hτ 0).sum_increasing (fun x => f x + g x) fun x => by
    have := h x
    clear h hg hl e0
    grind
  obtain ⟨m, hm, least⟩ := hK _ inc ⟨2 * l, fun n => by
    have a := (discreteGaussian F hK τ hτ 0).sum_mono (fun x => f x + g x) (fun x => 2 * g x)
      (fun x => by have := h x; clear h hg hl e0 inc; grind) n
    rw [CountLaw.sum_smul] at a
    have b := Tends.below ((discreteGaussian F hK τ hτ 0).sum_increasing _ (bound_nonneg h)) hl n
    clear h hg hl e0 inc
    grind⟩
  obtain ⟨k, hk⟩ := (discreteGaussian F hK τ hτ 0).expectation.add _ _
    ⟨m, tends_of_increasing inc hm least⟩
    ((discreteGaussian F hK τ hτ 0).expectation.smul (-1) _ ⟨l, hl⟩)
  refine ⟨k, cast (congrArg (Tends · k) (congrArg _ (funext fun x => ?_))) hk⟩
  clear h hg hl e0 inc hm least hk
  grind

variable (F hK τ hτ)

/-- The law, on the tame functions. -/
noncomputable def law : Expectation F.K Int where
  int := Tame F hK τ hτ
  const c := tame_bounded ((Tests.bounded F.K Int).const c)
  add _ _ := tame_add
  smul c _ := tame_smul c
  E := (discreteGaussian F hK τ hτ 0).E
  E_add f g hf hg := (discreteGaussian F hK τ hτ 0).expectation.E_add f g (tame_int hf)
    (tame_int hg)
  E_smul c f hf := (discreteGaussian F hK τ hτ 0).expectation.E_smul c f (tame_int hf)
  E_mono f g hf hg := (discreteGaussian F hK τ hτ 0).expectation.E_mono f g (tame_int hf)
    (tame_int hg)
  E_one := (discreteGaussian F hK τ hτ 0).expectation.E_one

variable {F hK τ hτ}

theorem tame_tends {f : Int → F.K} (hf : Tame F hK τ hτ f) :
    Tends ((discreteGaussian F hK τ hτ 0).sum f) ((law F hK τ hτ).E f) := by
  obtain ⟨l, hl⟩ := tame_int hf
  exact (show (law F hK τ hτ).E f = l from hl.lim_eq) ▸ hl

/-- What is additive is known from the functions that are not negative: a tame function is the
difference of two of them. -/
theorem extended {s t : (Int → F.K) → F.K}
    (hs : ∀ f g, Tame F hK τ hτ f → Tame F hK τ hτ g → s (fun x => f x + g x) = s f + s g)
    (ht : ∀ f g, Tame F hK τ hτ f → Tame F hK τ hτ g → t (fun x => f x + g x) = t f + t g)
    (h : ∀ f, Tame F hK τ hτ f → (∀ x, 0 ≤ f x) → s f = t f) {f : Int → F.K}
    (hf : Tame F hK τ hτ f) : s f = t f := by
  obtain ⟨g, hg, sums⟩ := id hf
  have tg := tame_self hg sums
  have h1 := h _ (tame_add hf tg) fun x => by have := hg x; clear hs ht h hf hg sums tg; grind
  have h2 := h g tg (bound_nonneg hg)
  rw [hs f g hf tg, ht f g hf tg, h2] at h1
  clear hs ht h hf hg sums tg h2
  grind

theorem law_shift (u : Int) {f : Int → F.K} (hf : Tame F hK τ hτ f) :
    (law F hK τ hτ).E (fun x => F.exp (inner F τ u x) * f x)
      = F.exp (inner F τ u u / 2) * (law F hK τ hτ).E fun x => f (u + x) := by
  refine extended (s := fun f => (law F hK τ hτ).E fun x => F.exp (inner F τ u x) * f x)
    (t := fun f => F.exp (inner F τ u u / 2) * (law F hK τ hτ).E fun x => f (u + x))
    (fun f g hf hg => ?_) (fun f g hf hg => ?_) (fun f hf h0 => ?_) hf
  · show (law F hK τ hτ).E (fun x => F.exp (inner F τ u x) * (f x + g x)) = _
    rw [← (law F hK τ hτ).E_add _ _ (tame_exp u hf) (tame_exp u hg)]
    congr 1
    funext x
    grind
  · show F.exp (inner F τ u u / 2) * (law F hK τ hτ).E (fun x => f (u + x) + g (u + x)) = _
    rw [(law F hK τ hτ).E_add _ _ (tame_translate u hf) (tame_translate u hg)]
    grind
  · have h := (shifted F hK τ hτ h0 u (tame_tends (tame_exp u hf))).unique
      (tame_tends (tame_translate u hf))
    have e : F.exp (inner F τ u u / 2) * F.exp (-(inner F τ u u / 2)) = 1 := by
      rw [← F.exp_add, ← Numerics.exp_zero F]
      congr 1
      clear hf h0 h
      grind
    show _ = F.exp (inner F τ u u / 2) * (law F hK τ hτ).E fun x => f (u + x)
    rw [← h, ← Lean.Grind.Semiring.mul_assoc, e, Lean.Grind.Semiring.one_mul]

theorem law_symm {f : Int → F.K} (hf : Tame F hK τ hτ f) :
    (law F hK τ hτ).E (fun x => f (-x)) = (law F hK τ hτ).E f :=
  extended (s := fun f => (law F hK τ hτ).E fun x => f (-x)) (t := (law F hK τ hτ).E)
    (fun _ _ hf hg => (law F hK τ hτ).E_add _ _ (tame_negate hf) (tame_negate hg))
    (fun _ _ hf hg => (law F hK τ hτ).E_add _ _ hf hg)
    (fun _ hf h0 => (tame_tends (tame_negate hf)).unique
      (reflected F hK τ hτ h0 (tame_tends hf))) hf

end DiscreteNoise

open DiscreteNoise

/-- **The discrete Gaussian has the shift property of Gaussian noise**, on the integers, over every
complete exponential field and for every variance `σ²`: `τ = 1 / (2 σ²)`. -/
noncomputable def discreteGaussianNoise (F : ExpField) (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ) :
    GaussianNoise F Int where
  inner := inner F τ
  inner_add := inner_add F τ
  tests := Tests.bounded F.K Int
  law := law F hK τ hτ
  int_test _ := tame_bounded
  adm_translate _ _ hf := hf.elim fun C h => ⟨C, h.1, fun _ => h.2 _⟩
  adm_inv c f hc _ h := by
    have hi : 0 < c⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hc
    refine ⟨c⁻¹, by grind, fun x => ?_⟩
    have hf : 0 < f x := by have := h x; grind
    have hj : 0 < (f x)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hf
    have e1 : c * c⁻¹ = 1 := Lean.Grind.Field.mul_inv_cancel (by clear h hi hf hj; grind)
    have e2 : f x * (f x)⁻¹ = 1 := Lean.Grind.Field.mul_inv_cancel (by grind)
    have k := mul_nonneg' (by have := h x; clear hc h hi hf hj e1 e2; grind : 0 ≤ f x - c)
      (mul_nonneg' (by clear hc h hf hj e1 e2; grind : 0 ≤ c⁻¹) (by grind : 0 ≤ (f x)⁻¹))
    generalize (f x)⁻¹ = j at *
    generalize c⁻¹ = i at *
    have e3 : (f x - c) * (i * j) = i * (f x * j) - (c * i) * j := by grind
    rw [e3, e1, e2] at k
    constructor <;> (clear hc h hf hi e1 e3; grind)
  int_translate u _ := tame_translate u
  int_negate _ := tame_negate
  int_exp u _ := tame_exp u
  shift u _ := law_shift u
  symm _ := law_symm

/-- With discrete Gaussian noise measurability is no hypothesis: every bounded function is a
test. -/
theorem SgdAnalyst.adm_of_discrete {F : ExpField} {hK : Complete F.K} {τ : F.K} {hτ : 0 < τ}
    {a q : F.K} {h0 : 0 ≤ q} {h1 : q ≤ 1} {n : Nat}
    (g : SgdAnalyst (discreteGaussianNoise F hK τ hτ) a n) (f : g.View → F.K) (l0 : ∀ v, 0 ≤ f v)
    (l1 : ∀ v, f v ≤ 1) : SgdAnalyst.Adm q h0 h1 g f := by
  induction g with
  | stop => trivial
  | coin S ρ next ih =>
    exact fun s => ih s (fun v => f ⟨s, v⟩) (fun v => l0 ⟨s, v⟩) fun v => l1 ⟨s, v⟩
  | step S ρ answer difference fits next ih =>
    have k := fun o => ih o (fun v => f ⟨o, v⟩) (fun v => l0 ⟨o, v⟩) fun v => l1 ⟨o, v⟩
    refine ⟨k, fun b => ⟨1, by clear h0 h1 ih l0 l1 k; grind, fun o => ?_⟩⟩
    have := SgdAnalyst.expect_mem (h0 := h0) (h1 := h1) b (next o) (fun v => f ⟨o, v⟩) (k o)
      (fun v => l0 ⟨o, v⟩) fun v => l1 ⟨o, v⟩
    constructor <;> (clear ih l0 l1 k; grind)

namespace Sgd

open PrivRef.Reals (reals reals_are_complete)

variable {τ : reals.K} {hτ : 0 < τ}

/-- **The ε = 1 of CIFAR-10 for discrete Gaussian noise on answers of one integer**, at
`δ = 10^{-5}`: nothing is assumed.  The record changes an answer by at most a tenth of `σ`, where
`τ = 1 / (2 σ²)`. -/
theorem cifar10_with_discrete_noise {h0 : 0 ≤ (ofRat (mkRat 4096 50000) : reals.K)}
    {h1 : (ofRat (mkRat 4096 50000) : reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise reals reals_are_complete τ hτ) (ofRat (mkRat 1 100)) 875)
    (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 b g (fun v => ind (S v))
      ≤ reals.exp (ofRat 1)
          * SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 1 (10 ^ 5)) :=
  cifar10 g _ (g.adm_of_discrete _ (fun _ => ind_nonneg _) fun _ => ind_le_one _)
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _) b

/-- The same for the ε = 1 of CIFAR-100, at `δ = 10^{-5}`. -/
theorem cifar100_with_discrete_noise {h0 : 0 ≤ (ofRat (mkRat 16384 50000) : reals.K)}
    {h1 : (ofRat (mkRat 16384 50000) : reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise reals reals_are_complete τ hτ)
      (ofRat (mkRat 10000 4452100)) 250) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 b g (fun v => ind (S v))
      ≤ reals.exp (ofRat 1)
          * SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 1 (10 ^ 5)) :=
  cifar100 g _ (g.adm_of_discrete _ (fun _ => ind_nonneg _) fun _ => ind_le_one _)
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _) b

/-- The same for the ε = 8 of ImageNet, at `δ = 8 · 10^{-7}`. -/
theorem imagenet_with_discrete_noise {h0 : 0 ≤ (ofRat (mkRat 16384 1281167) : reals.K)}
    {h1 : (ofRat (mkRat 16384 1281167) : reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise reals reals_are_complete τ hτ)
      (ofRat (mkRat 100 625)) 71589) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 b g (fun v => ind (S v))
      ≤ reals.exp (ofRat 8)
          * SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 8 (10 ^ 7)) :=
  imagenet g _ (g.adm_of_discrete _ (fun _ => ind_nonneg _) fun _ => ind_le_one _)
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _) b

end Sgd

end PrivRef
