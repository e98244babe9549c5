module

public import PrivRef.Spec.Gaussian
public import PrivRef.Spec.RenyiView
public import PrivRef.Thm.Discrete
public import PrivRef.Thm.Zcdp

/-!
The discrete Gaussian at whole orders: its moments are exact by re-indexing, so the mechanism
satisfies Definition 3 of Whitehouse et al. at every whole order, and every ledger of such noise is
differentially private.
-/

@[expose] public section

namespace PrivRef

open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

section Shift

universe k

variable {K : Type k} [Lean.Grind.Field K]

theorem intSum_shift_one (f : Int → K) (n : Nat) :
    intSum (fun x => f (x + 1)) n + f (-(n : Int)) = intSum f n + f (n : Int) := by
  induction n with
  | zero => rfl
  | succ n ih =>
    have e2 : (Int.negSucc n + 1 : Int) = -(n : Int) := by omega
    have e3 : (-((n + 1 : Nat) : Int)) = Int.negSucc n := rfl
    have e4 : Int.ofNat n = (n : Int) := rfl
    simp only [intSum, e2, e3, e4]
    clear e2 e3 e4
    grind

variable [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem intSum_shift_one_le {f : Int → K} (h : ∀ x, 0 ≤ f x) (n : Nat) :
    intSum (fun x => f (x + 1)) n ≤ intSum f (n + 1) := by
  have e := intSum_shift_one f n
  have h1 := h (-(n : Int))
  have h2 := h (Int.negSucc n)
  have e2 : intSum f (n + 1) = intSum f n + (f (n : Int) + f (Int.negSucc n)) := rfl
  grind

theorem le_intSum_shift_one {f : Int → K} (h : ∀ x, 0 ≤ f x) (n : Nat) :
    intSum f n ≤ intSum (fun x => f (x + 1)) (n + 1) := by
  have e := intSum_shift_one f (n + 1)
  have h1 := h ((n + 1 : Nat) : Int)
  have h2 := h (n : Int)
  have e2 : intSum f (n + 1) = intSum f n + (f (n : Int) + f (Int.negSucc n)) := rfl
  have e3 : (-((n + 1 : Nat) : Int)) = Int.negSucc n := rfl
  rw [e3] at e
  grind

/-- Two sequences, each of which is below the other's next entry, tend to the same. -/
theorem Tends.interleave {s t : Nat → K} {l : K} (h : Tends s l) (hst : ∀ n, s n ≤ t (n + 1))
    (hts : ∀ n, t n ≤ s (n + 1)) : Tends t l := fun ε hε => by
  obtain ⟨N, hN⟩ := h ε hε
  refine ⟨N + 1, fun n hn => ?_⟩
  have h1 := hN (n - 1) (by omega)
  have h2 := hN (n + 1) (by omega)
  have h3 := hst (n - 1)
  have e : n - 1 + 1 = n := by omega
  rw [e] at h3
  have h4 := hts n
  constructor <;> (clear h hst hts hε hN hn e; grind)

/-- A sum of what is not negative does not change by a shift. -/
theorem Tends.shift_nat {f : Int → K} (h : ∀ x, 0 ≤ f x) {l : K} (hl : Tends (intSum f) l)
    (m : Nat) :
    Tends (intSum fun x => f (x + m)) l ∧ Tends (intSum fun x => f (x - m)) l := by
  induction m with
  | zero =>
    have e1 : (fun x : Int => f (x + (0 : Nat))) = f := by funext x; congr 1; omega
    have e2 : (fun x : Int => f (x - (0 : Nat))) = f := by funext x; congr 1; omega
    rw [e1, e2]
    exact ⟨hl, hl⟩
  | succ m ih =>
    have e1 : (fun x : Int => f (x + (m + 1 : Nat))) = fun x =>
        (fun y : Int => f (y + m)) (x + 1) := by
      funext x; show f _ = f _; congr 1; omega
    have e2 : (fun x : Int => f (x - m)) = fun x => (fun y : Int => f (y - (m + 1 : Nat)))
        (x + 1) := by
      funext x; show f _ = f _; congr 1; omega
    constructor
    · rw [e1]
      exact ih.1.interleave (le_intSum_shift_one (f := fun y : Int => f (y + m)) fun _ => h _)
        (intSum_shift_one_le (f := fun y : Int => f (y + m)) fun _ => h _)
    · have h2 := ih.2
      rw [e2] at h2
      exact h2.interleave (intSum_shift_one_le (f := fun y : Int => f (y - (m + 1 : Nat))) fun _ =>
          h _)
        (le_intSum_shift_one (f := fun y : Int => f (y - (m + 1 : Nat))) fun _ => h _)

theorem Tends.shift {f : Int → K} (h : ∀ x, 0 ≤ f x) {l : K} (hl : Tends (intSum f) l) (m : Int) :
    Tends (intSum fun x => f (x + m)) l := by
  cases m with
  | ofNat m => exact (hl.shift_nat h m).1
  | negSucc m =>
    have h2 := (hl.shift_nat h (m + 1)).2
    have e : (fun x : Int => f (x - (m + 1 : Nat))) = fun x => f (x + Int.negSucc m) := by
      funext x; congr 1
    rw [e] at h2
    exact h2

end Shift

variable (F : ExpField)

/-- The privacy loss of the answer `o` where `c` and `d` are the exact answers. -/
noncomputable def gaussianLoss (τ : F.K) (c d o : Int) : F.K :=
  τ * (((o : F.K) - (d : F.K)) * ((o : F.K) - (d : F.K)) - ((o : F.K) - (c : F.K)) *
    ((o : F.K) - (c : F.K)))

/-- The privacy loss takes the one law's weights to those of the other. -/
theorem weight_tilted (τ : F.K) (c d x : Int) :
    gaussianWeight F τ x * F.exp (-gaussianLoss F τ c d (c + x)) =
      gaussianWeight F τ (x + (c - d)) := by
  unfold gaussianWeight gaussianLoss
  rw [← F.exp_add]
  congr 1
  rw [Lean.Grind.Ring.intCast_add, Lean.Grind.Ring.intCast_add, Lean.Grind.Ring.intCast_sub]
  grind

/-- **Re-indexing**: at a whole order the tilted weights are the weights of a shifted integer, times
a constant. -/
theorem weight_at_whole_order (τ : F.K) (c d x : Int) (n : Nat) :
    gaussianWeight F τ x * F.exp ((n : F.K) * gaussianLoss F τ c d (c + x))
      = F.exp ((n : F.K) * ((n : F.K) + 1) * (τ * (((c : F.K) - d) * ((c : F.K) - d))))
        * gaussianWeight F τ (x + (n : Int) * (d - c)) := by
  unfold gaussianWeight gaussianLoss
  rw [← F.exp_add, ← F.exp_add]
  congr 1
  rw [Lean.Grind.Ring.intCast_add, Lean.Grind.Ring.intCast_add, Lean.Grind.Ring.intCast_mul,
    Lean.Grind.Ring.intCast_sub, Lean.Grind.Ring.intCast_natCast]
  grind

/-- The same from the other side. -/
theorem weight_back_at_whole_order (τ : F.K) (c d x : Int) (n : Nat) :
    gaussianWeight F τ x * (F.exp (-gaussianLoss F τ c d (c + x))
        * F.exp ((n : F.K) * -gaussianLoss F τ c d (c + x)))
      = F.exp ((n : F.K) * ((n : F.K) + 1) * (τ * (((c : F.K) - d) * ((c : F.K) - d))))
        * gaussianWeight F τ (x + ((n : Int) + 1) * (c - d)) := by
  unfold gaussianWeight gaussianLoss
  rw [← F.exp_add, ← F.exp_add, ← F.exp_add]
  congr 1
  rw [Lean.Grind.Ring.intCast_add, Lean.Grind.Ring.intCast_add, Lean.Grind.Ring.intCast_mul,
    Lean.Grind.Ring.intCast_sub, Lean.Grind.Ring.intCast_add, Lean.Grind.Ring.intCast_natCast,
    Lean.Grind.Ring.intCast_one]
  grind

variable (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ)

theorem discreteGaussian_sum (c : Int) (f : Int → F.K) (n : Nat) :
    (discreteGaussian F hK τ hτ c).sum f n
      = (gaussianTotal F τ)⁻¹ * intSum (fun x => gaussianWeight F τ x * f (c + x)) n :=
  gaussianBlock_sum F τ c f n

/-- The expectation of a function that takes the weights to shifted ones. -/
theorem discreteGaussian_reindexed (c m : Int) (C : F.K) (f : Int → F.K)
    (h : ∀ x, gaussianWeight F τ x * f (c + x) = C * gaussianWeight F τ (x + m)) :
    Tends ((discreteGaussian F hK τ hτ c).sum f) C := by
  have hZ := gaussianTotal_tends F hK τ hτ
  have h1 := ((hZ.1.shift (fun x => Std.le_of_lt (gaussianWeight_pos F τ x)) m).smul C).smul
    (gaussianTotal F τ)⁻¹
  have e : (gaussianTotal F τ)⁻¹ * (C * gaussianTotal F τ) = C := by
    have := hZ.2
    grind
  rw [e] at h1
  have e2 : (discreteGaussian F hK τ hτ c).sum f
      = fun n => (gaussianTotal F τ)⁻¹ * (C * intSum (fun x => gaussianWeight F τ (x + m)) n) := by
    funext n
    rw [discreteGaussian_sum, funext h, intSum_smul]
  rw [e2]
  exact h1

/-- The law around `d` is the law around `c`, tilted by the privacy loss: for what is bounded and
not negative. -/
theorem discreteGaussian_tilted_nonneg (c d : Int) (f : Int → F.K) (hf : IsBounded f)
    (h0 : ∀ o, 0 ≤ f o) :
    Tends ((discreteGaussian F hK τ hτ c).sum fun o => F.exp (-gaussianLoss F τ c d o) * f o)
      ((discreteGaussian F hK τ hτ d).E f) := by
  have h := (discreteGaussian F hK τ hτ d).tends hK hf
  have hi : 0 < (gaussianTotal F τ)⁻¹ :=
    Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (gaussianTotal_tends F hK τ hτ).2
  have e : (discreteGaussian F hK τ hτ d).sum f
      = intSum fun x => (gaussianTotal F τ)⁻¹ * (gaussianWeight F τ x * f (d + x)) := by
    funext n
    rw [discreteGaussian_sum, intSum_smul]
  rw [e] at h
  have h2 := h.shift (fun x => mul_nonneg' (by exact Std.le_of_lt (by assumption)) (mul_nonneg' (by
    have := gaussianWeight_pos F τ x; exact Std.le_of_lt (by assumption)) (h0 _))) (c - d)
  have e2 : ((discreteGaussian F hK τ hτ c).sum fun o => F.exp (-gaussianLoss F τ c d o) * f o)
      = intSum fun x => (gaussianTotal F τ)⁻¹ * (gaussianWeight F τ (x + (c - d)) * f
        (d + (x + (c - d)))) := by
    funext n
    rw [discreteGaussian_sum, intSum_smul]
    congr 2
    funext x
    have e3 : d + (x + (c - d)) = c + x := by omega
    rw [e3, ← weight_tilted]
    clear hf h0 h hi e h2 e3
    grind
  rw [e2]
  exact h2

/-- The law around `d` is the law around `c`, tilted by the privacy loss. -/
theorem discreteGaussian_tilted (c d : Int) (f : Int → F.K) (hf : IsBounded f) :
    Tends ((discreteGaussian F hK τ hτ c).sum fun o => F.exp (-gaussianLoss F τ c d o) * f o)
      ((discreteGaussian F hK τ hτ d).E f) := by
  obtain ⟨C, hC, hb⟩ := hf
  have k1 : IsBounded fun o => f o + C :=
      ⟨C + C, by exact add_nonneg' (by assumption) (by assumption), fun o => by
    have := hb o
    constructor <;> grind⟩
  have k2 : IsBounded fun _ : Int => C := ⟨C, hC, fun _ => by constructor <;> grind⟩
  have h1 := discreteGaussian_tilted_nonneg F hK τ hτ c d (fun o => f o + C) k1 fun o => by
    have := hb o
    clear hC hb k1 k2
    grind
  have h2 := (discreteGaussian_tilted_nonneg F hK τ hτ c d (fun _ => C) k2 fun _ => hC).smul (-1)
  have h3 := h1.add h2
  have e : (discreteGaussian F hK τ hτ d).E (fun o => f o + C)
      = (discreteGaussian F hK τ hτ d).E f + (discreteGaussian F hK τ hτ d).E fun _ => C :=
    ((discreteGaussian F hK τ hτ d).toLaw hK).E_add f (fun _ => C) ⟨C, hC, hb⟩ k2
  rw [e] at h3
  have e2 : (discreteGaussian F hK τ hτ d).E f + (discreteGaussian F hK τ hτ d).E (fun _ => C)
      + -1 * (discreteGaussian F hK τ hτ d).E (fun _ => C) =
        (discreteGaussian F hK τ hτ d).E f := by clear hC hb k1 k2 h1 h2 h3 e; grind
  rw [e2] at h3
  have e3 : ((discreteGaussian F hK τ hτ c).sum fun o => F.exp (-gaussianLoss F τ c d o) * f o)
      = fun n => (discreteGaussian F hK τ hτ c).sum (fun o =>
        F.exp (-gaussianLoss F τ c d o) * (f o + C)) n
        + -1 * (discreteGaussian F hK τ hτ c).sum (fun o => F.exp (-gaussianLoss F τ c d o) * C)
          n := by
    funext n
    rw [← CountLaw.sum_smul, ← CountLaw.sum_add]
    congr 1
    funext o
    clear hC hb k1 k2 h1 h2 h3 e e2
    grind
  rw [e3]
  exact h3

/-- **The moments are exact at every whole order.** -/
theorem discreteGaussian_moment (c d : Int) (n : Nat) :
    Tends ((discreteGaussian F hK τ hτ c).sum fun o => F.exp ((n : F.K) * gaussianLoss F τ c d o))
      (F.exp ((n : F.K) * ((n : F.K) + 1) * (τ * (((c : F.K) - d) * ((c : F.K) - d))))) :=
  discreteGaussian_reindexed F hK τ hτ c ((n : Int) * (d - c)) _ _ fun x =>
    weight_at_whole_order F τ c d x n

theorem discreteGaussian_moment_back (c d : Int) (n : Nat) :
    Tends ((discreteGaussian F hK τ hτ c).sum fun o => F.exp (-gaussianLoss F τ c d o)
        * F.exp ((n : F.K) * -gaussianLoss F τ c d o))
      (F.exp ((n : F.K) * ((n : F.K) + 1) * (τ * (((c : F.K) - d) * ((c : F.K) - d))))) :=
  discreteGaussian_reindexed F hK τ hτ c (((n : Int) + 1) * (c - d)) _ _ fun x =>
    weight_back_at_whole_order F τ c d x n

theorem wholeCost_mono (n : Nat) {x y : F.K} (h : x ≤ y) :
    (n : F.K) * ((n : F.K) + 1) * x ≤ (n : F.K) * ((n : F.K) + 1) * y := by
  have h1 : (0 : F.K) ≤ (n : F.K) := Numerics.natCast_nonneg n
  exact mul_le_left h (mul_nonneg' h1 (by grind))

theorem exp_wholeCost_mono (n : Nat) {x y : F.K} (h : x ≤ y) :
    F.exp ((n : F.K) * ((n : F.K) + 1) * x) ≤ F.exp ((n : F.K) * ((n : F.K) + 1) * y) :=
  Numerics.exp_mono F (wholeCost_mono F n h)

/-- The squared distance of two answers, as a number of the field. -/
theorem intCast_square (c d : Int) :
    (((c - d) * (c - d) : Int) : F.K) = ((c : F.K) - d) * ((c : F.K) - d) := by
  rw [Lean.Grind.Ring.intCast_mul, Lean.Grind.Ring.intCast_sub]

/-- **Two discrete Gaussian laws have the moments of zCDP at every whole order**, exactly:
`ρ = (c - d)² / (2 σ²)`. -/
noncomputable def discreteGaussian_pair (c d : Int) (ρ : F.K)
    (hρ : τ * (((c : F.K) - d) * ((c : F.K) - d)) ≤ ρ) :
    MutualPair (expFieldLike F) (wholeOrders F) ((discreteGaussian F hK τ hτ c).toLaw hK)
      ((discreteGaussian F hK τ hτ d).toLaw hK) (wholeCost F ρ) 0 where
  P := (discreteGaussian F hK τ hτ c).expectation
  Q := (discreteGaussian F hK τ hτ d).toLaw hK
  loss := gaussianLoss F τ c d
  int_test f hf := ⟨_, (discreteGaussian F hK τ hτ c).tends hK hf⟩
  int_tilted f hf := ⟨_, discreteGaussian_tilted F hK τ hτ c d f hf⟩
  int_moment n := ⟨_, discreteGaussian_moment F hK τ hτ c d n⟩
  density f hf := (discreteGaussian_tilted F hK τ hτ c d f hf).lim_eq.symm
  first f _ _ := by
    show (1 - 0) * (discreteGaussian F hK τ hτ c).E f ≤ (discreteGaussian F hK τ hτ c).E f
    grind
  second f _ _ := by
    show (1 - 0) * (discreteGaussian F hK τ hτ d).E f ≤ (discreteGaussian F hK τ hτ d).E f
    grind
  moment n := by
    have h := (discreteGaussian_moment F hK τ hτ c d n).lim_eq
    have h2 := exp_wholeCost_mono F n hρ
    rw [← h] at h2
    exact h2
  int_back n :=
    ⟨_, discreteGaussian_moment_back F hK τ hτ c d n⟩
  back n := by
    have h := (discreteGaussian_moment_back F hK τ hτ c d n).lim_eq
    have h2 := exp_wholeCost_mono F n hρ
    rw [← h] at h2
    exact h2

theorem wholeCost_nonneg (n : Nat) {x : F.K} (h : 0 ≤ x) : 0 ≤ (n : F.K) * ((n : F.K) + 1) * x := by
  have h1 := wholeCost_mono F n h
  have e : (n : F.K) * ((n : F.K) + 1) * 0 = 0 := by grind
  rw [e] at h1
  exact h1

include hK in
/-- What is integrable and not negative is integrable times a bounded function. -/
theorem CountLaw.integrable_mul {O : Type} (p : CountLaw F.K O) {u f : O → F.K} (h0 : ∀ o, 0 ≤ u o)
    {l : F.K}
    (hu : Tends (p.sum u) l) (hf : IsBounded f) : ∃ m, Tends (p.sum fun o => u o * f o) m := by
  obtain ⟨C, hC, hb⟩ := hf
  have pos : ∀ o, 0 ≤ u o * (f o + C) := fun o => mul_nonneg' (h0 o) (by have := hb o; grind)
  obtain ⟨m, hm, hleast⟩ := hK (p.sum fun o => u o * (f o + C)) (p.sum_increasing _ pos)
      ⟨(C + C) * l, fun n => by
    have h1 := p.sum_mono (fun o => u o * (f o + C)) (fun o => (C + C) * u o) (fun o => by
      have := mul_le_left (by have := hb o; grind : f o + C ≤ C + C) (h0 o)
      clear hK h0 hu hC hb pos
      grind) n
    rw [p.sum_smul] at h1
    have h2 := mul_le_left (Tends.below (p.sum_increasing u h0) hu n)
        (add_nonneg' (by assumption) (by assumption) : 0 ≤ C + C)
    exact Std.le_trans (by assumption) (by assumption)⟩
  have h3 := (tends_of_increasing (p.sum_increasing _ pos) hm hleast).add (hu.smul (-C))
  refine ⟨m + -C * l, ?_⟩
  have e : (p.sum fun o => u o * f o) = fun n => p.sum (fun o => u o * (f o + C)) n +
      -C * p.sum u n := by
    funext n
    rw [← CountLaw.sum_smul, ← CountLaw.sum_add]
    congr 1
    funext o
    clear hK h0 hu hC hb pos hm hleast h3
    grind
  rw [e]
  exact h3

/-- A request at the whole orders that is answered by the discrete Gaussian mechanism, charged
`ρ ≥ (c - d)² / (2 σ²)`. -/
noncomputable def gaussianQuery (answer : Bool → Int) (ρ : F.K) (hρ0 : 0 ≤ ρ)
    (hρ : τ * (((answer false : F.K) - answer true) * ((answer false : F.K) - answer true)) ≤ ρ) :
    KernelQuery (expFieldLike F) (wholeOrders F) where
  D := Bool
  nbr := ⟨fun x y => x ≠ y, fun _ _ h => h.symm⟩
  x := id
  neighbours := by decide
  O := Int
  tests := Tests.bounded F.K Int
  mech x := (discreteGaussian F hK τ hτ (answer x)).toLaw hK
  cost := wholeCost F ρ
  delta := 0
  cost_nonneg n := wholeCost_nonneg F n hρ0
  delta_nonneg := Std.le_refl _
  pair := discreteGaussian_pair F hK τ hτ (answer false) (answer true) ρ hρ

/-- **Discrete Gaussian rounds can enter the Rényi filter of the whole orders**: a game of such
requests is one of countable laws.  (Theorem 1 of Whitehouse et al. has all orders.) -/
theorem discrete_gaussian_requests_are_countable (answer : Bool → Int) (ρ : F.K) (hρ0 : 0 ≤ ρ)
    (hρ : τ * (((answer false : F.K) - answer true) * ((answer false : F.K) - answer true)) ≤ ρ)
    (next : Int → KernelAnalyst (expFieldLike F) (wholeOrders F))
    (refused : KernelAnalyst (expFieldLike F) (wholeOrders F)) (h : ∀ o, (next o).Countable)
      (h' : refused.Countable) :
    (KernelAnalyst.request (gaussianQuery F hK τ hτ answer ρ hρ0 hρ) next refused).Countable :=
  ⟨fun _ hf => hf,
    fun n _ hf => CountLaw.integrable_mul F hK _ (fun _ =>
        (expFieldLike F).exp_nonneg _)
      (discreteGaussian_moment F hK τ hτ (answer false) (answer true) n) hf,
    fun n _ hf => CountLaw.integrable_mul F hK _
      (fun _ => mul_nonneg' ((expFieldLike F).exp_nonneg _) ((expFieldLike F).exp_nonneg _))
      (discreteGaussian_moment_back F hK τ hτ (answer false) (answer true) n) hf,
    h, h'⟩

/-- **The discrete Gaussian mechanism satisfies Definition 3 at every whole order** (Canonne,
Kamath, Steinke 2020, Theorem 4, at whole orders and for integer queries): an integer query of
sensitivity `Δ` with noise of the parameter `σ²` is `Δ² / (2 σ²)`-zCDP there.  Nothing is assumed of
the noise: its law is constructed. -/
theorem discrete_gaussian_mechanism_is_zcdp_at_whole_orders {D : Type} (nbr : Neighbours D)
    (q : D → Int) (Δ : Nat)
    (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) :
    IsMutual (expFieldLike F) (wholeOrders F) nbr (fun x => (discreteGaussian F hK τ hτ (q x)).toLaw
      hK)
      (wholeCost F (τ * ((Δ : F.K) * (Δ : F.K)))) 0 := fun x x' hx => by
  refine ⟨discreteGaussian_pair F hK τ hτ (q x) (q x') _
      (mul_le_left ?_ (by exact Std.le_of_lt (by assumption)))⟩
  have h1 := hq x x' hx
  have h2 := hq x' x (nbr.symm _ _ hx)
  rw [← intCast_square, ← Lean.Grind.Ring.intCast_natCast (α := F.K) Δ,
      ← Lean.Grind.Ring.intCast_mul]
  refine Numerics.intCast_mono ?_
  have h3 := Int.mul_nonneg (by omega : 0 ≤ (Δ : Int) - (q x - q x'))
      (by omega : 0 ≤ (Δ : Int) + (q x - q x'))
  clear hq hx h1 h2
  grind

/-! ### The game of a ledger -/

namespace GaussianAnalyst

variable {F}

theorem expect_within (b : Bool) {l : List GaussianRound} (g : GaussianAnalyst F l) {C : F.K}
    (hC : 0 ≤ C)
    (f : g.View → F.K) (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) : -C ≤ expect hK b g f ∧ expect hK b g f ≤
      C := by
  induction g with
  | stop => exact hf ()
  | coin S ρ next ih =>
    exact (Law.E_within Tests.bounded_discrete (ρ.toLaw hK) hC fun s =>
      ih s (fun v => f ⟨s, v⟩) fun v => hf _).2
  | ask pos answer left fits next ih =>
    exact (Law.E_within Tests.bounded_discrete ((discreteGaussian F hK _ _ (answer b)).toLaw hK) hC
        fun o =>
      ih o (fun v => f ⟨o, v⟩) fun v => hf _).2
  | close next ih => exact ih f hf

theorem expect_bounded (b : Bool) {S : Type} {l : List GaussianRound} (g : S → GaussianAnalyst F l)
    (f : (s : S) → (g s).View → F.K) {C : F.K} (hC : 0 ≤ C) (hf : ∀ s v, -C ≤ f s v ∧ f s v ≤ C) :
    IsBounded fun s => expect hK b (g s) (f s) :=
  ⟨C, hC, fun s => expect_within hK b (g s) hC (f s) (hf s)⟩

theorem expect_mem (b : Bool) {l : List GaussianRound} (g : GaussianAnalyst F l) (f : g.View → F.K)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) : 0 ≤ expect hK b g f ∧ expect hK b g f ≤ 1 := by
  have hb : ∀ v, (-1 : F.K) ≤ f v ∧ f v ≤ 1 := fun v => ⟨by have := h0 v; grind, h1 v⟩
  refine ⟨?_, (expect_within hK b g zero_le_one' f hb).2⟩
  induction g with
  | stop => exact h0 ()
  | coin S ρ next ih =>
    exact (ρ.toLaw hK).E_nonneg
      (expect_bounded hK b next (fun s v => f ⟨s, v⟩) zero_le_one' fun s v => hb _)
        fun s =>
        ih s _ (fun v => h0 _) (fun v => h1 _) fun v => hb _
  | ask pos answer left fits next ih =>
    exact ((discreteGaussian F hK _ _ (answer b)).toLaw hK).E_nonneg
      (expect_bounded hK b next (fun s v => f ⟨s, v⟩) zero_le_one' fun s v => hb _)
        fun s =>
        ih s _ (fun v => h0 _) (fun v => h1 _) fun v => hb _
  | close next ih => exact ih f h0 h1 hb

end GaussianAnalyst

/-- No round has a parameter `σ²` that is not positive. -/
def PositiveVariances (l : List GaussianRound) : Prop := ∀ r ∈ l, 0 < r.variance

theorem totalPar_cons (r : GaussianRound) (l : List GaussianRound) :
    (ofRat (Numerics.totalPar (gaussianGroups (r :: l))) : F.K)
      = ofRat (Numerics.totalPar (gaussianGroups l)) + r.rate F * (r.norm : F.K) := by
  show (ofRat (Numerics.ratOfNat r.norm * (1 / (2 * r.variance)) + _) : F.K) = _
  rw [Numerics.ofRat_add, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat]
  show _ * r.rate F + _ = _
  grind

theorem gaussianLedger_nonneg {l : List GaussianRound} (h : PositiveVariances l) :
    (0 : F.K) ≤ ofRat (Numerics.totalPar (gaussianGroups l)) := by
  induction l with
  | nil =>
    show 0 ≤ (ofRat 0 : F.K)
    rw [Numerics.ofRat_zero]
    exact Std.le_refl _
  | cons r l ih =>
    have h1 := ih fun q hq => h q (List.mem_cons_of_mem _ hq)
    have h2 := r.rate_pos F (h r List.mem_cons_self)
    have h3 := mul_nonneg' (Std.le_of_lt (by assumption) : 0 ≤ r.rate F)
        (Numerics.natCast_nonneg (K := F.K) r.norm)
    rw [totalPar_cons]
    exact add_nonneg' (by assumption) (by assumption)

/-- **A ledger of discrete Gaussian noise is private**: for every analyst, who may ask what the
rounds allow and choose everything else on the way, at every whole order `1 + n > 1`, every constant
of conversion `κ` and every `s`. -/
theorem gaussian_ledger_bound (n : Nat) {κ : F.K} (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - F.exp s ≤ κ * F.exp (-((n : F.K) * s))) (b : Bool) {l : List GaussianRound}
    (g : GaussianAnalyst F l) (hl : PositiveVariances l) (f : g.View → F.K) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (s : F.K) :
    GaussianAnalyst.expect hK b g f
      ≤ κ * F.exp ((n : F.K) * ((n : F.K) + 1) * ofRat (Numerics.totalPar (gaussianGroups l))
        - (n : F.K) * s)
        + F.exp s * GaussianAnalyst.expect hK (!b) g f := by
  have hb : ∀ {l : List GaussianRound} (g : GaussianAnalyst F l) (f : g.View → F.K),
      (∀ v, 0 ≤ f v) →
      (∀ v, f v ≤ 1) → ∀ v, (-1 : F.K) ≤ f v ∧ f v ≤ 1 := fun g f h0 h1 v =>
    ⟨by have := h0 v; clear hκ hκs hl h0 h1; grind, h1 v⟩
  have one : (0 : F.K) ≤ 1 := zero_le_one'
  have more : ∀ {x y s : F.K}, x ≤ y →
      κ * F.exp ((n : F.K) * ((n : F.K) + 1) * x - (n : F.K) * s)
        ≤ κ * F.exp ((n : F.K) * ((n : F.K) + 1) * y - (n : F.K) * s) := fun {x y s} h => by
    have := wholeCost_mono F n h
    exact mul_le_left (Numerics.exp_mono F (by clear hκ hκs hl h0 h1 hb one h; grind)) hκ
  induction g generalizing s with
  | stop =>
    rename_i l
    have h := ended_interaction_is_bounded (expFieldLike F) (wholeOrders F) n (d := 0) hκ hκs
        (Std.le_refl _) one
      (r := (n : F.K) * ((n : F.K) + 1) * ofRat (Numerics.totalPar (gaussianGroups l)))
      (by
        have := wholeCost_mono F n (gaussianLedger_nonneg F hl)
        clear hκ hκs hb one more hl h0 h1
        grind) (h0 ()) (h1 ()) s
    have e : ∀ z : F.K, 0 + (1 - 0) * z = z := fun z => by grind
    rw [e] at h
    exact h
  | coin S ρ next ih =>
    exact (ρ.toLaw hK).E_le_affine
      (GaussianAnalyst.expect_bounded hK b next (fun r v => f ⟨r, v⟩) one fun r v => hb _ f h0 h1 _)
      (GaussianAnalyst.expect_bounded hK (!b) next (fun r v => f ⟨r, v⟩) one fun r v =>
        hb _ f h0 h1 _) _ _ fun r =>
        ih r hl (fun v => f ⟨r, v⟩) (fun v => h0 _) (fun v => h1 _) s
  | close next ih =>
    rename_i r l
    have h := ih (fun q hq => hl q (List.mem_cons_of_mem _ hq)) f h0 h1 s
    have h2 := r.rate_pos F (hl r List.mem_cons_self)
    have h3 := mul_nonneg' (Std.le_of_lt (by assumption) : 0 ≤ r.rate F)
        (Numerics.natCast_nonneg (K := F.K) r.norm)
    have h4 := more (s := s) (by rw [totalPar_cons]; grind :
      (ofRat (Numerics.totalPar (gaussianGroups l)) : F.K) ≤
        ofRat (Numerics.totalPar (gaussianGroups (r :: l))))
    show GaussianAnalyst.expect hK b next f ≤ _ + _ * GaussianAnalyst.expect hK (!b) next f
    clear hκ hκs hb one more ih hl h0 h1 h2 h3
    grind
  | ask pos answer left fits next ih =>
    rename_i r l
    have hl' : PositiveVariances (⟨r.variance, left⟩ :: l) := fun q hq => by
      rcases List.mem_cons.mp hq with e | e
      · subst e; exact pos
      · exact hl q (List.mem_cons_of_mem _ e)
    obtain ⟨p⟩ := (discreteGaussian_pair F hK (r.rate F) (r.rate_pos F pos) (answer b) (answer !b) _
      (Std.le_refl _)).toRenyiPair.dominated
    have h := dominated_round_followed_by_bounded_continuation p n (d := 0) hκ
      ((n : F.K) * ((n : F.K) + 1) * ofRat (Numerics.totalPar
        (gaussianGroups (⟨r.variance, left⟩ :: l)))) s
      (Std.le_refl _) (Std.le_refl _) (by grind)
      (fun o => GaussianAnalyst.expect hK b (next o) fun v => f ⟨o, v⟩)
      (fun o => GaussianAnalyst.expect hK (!b) (next o) fun v => f ⟨o, v⟩)
      (GaussianAnalyst.expect_bounded hK b next (fun o v => f ⟨o, v⟩) one fun o v => hb _ f h0 h1 _)
      (GaussianAnalyst.expect_bounded hK (!b) next (fun o v => f ⟨o, v⟩) one fun o v =>
        hb _ f h0 h1 _)
      (fun o => (GaussianAnalyst.expect_mem hK b (next o) _ (fun v => h0 _) fun v => h1 _).2)
      (fun o => (GaussianAnalyst.expect_mem hK (!b) (next o) _ (fun v => h0 _) fun v => h1 _).1)
      (fun s o => by
        have := ih o hl' (fun v => f ⟨o, v⟩) (fun v => h0 _) (fun v => h1 _) s
        have e : ∀ z : F.K, 0 + (1 - 0) * z = z := fun z => by grind
        rw [e]
        exact this)
    have e : ∀ z : F.K, 0 + 0 + (1 - (0 + 0)) * z = z := fun z => by grind
    rw [e] at h
    have square : r.rate F * (((answer b : F.K) - (answer !b : F.K)) *
        ((answer b : F.K) - (answer !b : F.K)))
        + r.rate F * (left : F.K) ≤ r.rate F * (r.norm : F.K) := by
      have hr := r.rate_pos F pos
      have c := Numerics.intCast_mono (K := F.K) (Int.le_of_eq fits)
      rw [Lean.Grind.Ring.intCast_add, intCast_square, Lean.Grind.Ring.intCast_natCast,
        Lean.Grind.Ring.intCast_natCast] at c
      clear h ih e hb more
      have d := mul_le_left c (Std.le_of_lt (by assumption) : 0 ≤ r.rate F)
      cases b <;> simp only [Bool.not_false, Bool.not_true] <;> grind
    have total : (ofRat (Numerics.totalPar (gaussianGroups (⟨r.variance, left⟩ :: l))) : F.K)
        + r.rate F * (((answer b : F.K) - (answer !b : F.K)) *
          ((answer b : F.K) - (answer !b : F.K)))
        ≤ ofRat (Numerics.totalPar (gaussianGroups (r :: l))) := by
      rw [totalPar_cons, totalPar_cons]
      show _ + r.rate F * (left : F.K) + _ ≤ _
      clear h ih e hb more
      clear hκ hκs one hl h0 h1 hl'
      grind
    have h4 := more (s := s) total
    rw [Lean.Grind.Semiring.left_distrib] at h4
    exact Std.le_trans h (Lean.Grind.OrderedAdd.add_le_left h4 _)

end PrivRef
