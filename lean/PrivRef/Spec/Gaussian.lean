module

public import PrivRef.Numerics.Formulas
public import PrivRef.Spec.Geometric
public import PrivRef.Spec.Renyi

/-!
The discrete Gaussian law on the integers, and the game of a ledger whose rounds answer integer
queries with such noise: Canonne, Kamath, Steinke (NeurIPS 2020).
-/

@[expose] public noncomputable section

namespace PrivRef

universe k

open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

section Sums

variable {K : Type k} [Lean.Grind.Field K]

/-- The sum over the integers from `-n` to `n - 1`. -/
def intSum (f : Int → K) : Nat → K
  | 0 => 0
  | n + 1 => intSum f n + (f (Int.ofNat n) + f (Int.negSucc n))

theorem intSum_smul (c : K) (f : Int → K) (n : Nat) : intSum (fun x => c * f x) n =
    c * intSum f n := by
  induction n with
  | zero => show (0 : K) = c * 0; grind
  | succ n ih => simp only [intSum, ih]; grind

variable [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem intSum_increasing {f : Int → K} (h : ∀ x, 0 ≤ f x) (n : Nat) : intSum f n ≤
    intSum f (n + 1) := by
  have h1 := h (Int.ofNat n)
  have h2 := h (Int.negSucc n)
  show _ ≤ intSum f n + _
  grind

end Sums

variable (F : ExpField)

/-- The weight `exp (-τ x²)` of the integer `x`: for noise of variance parameter `σ²`,
`τ = 1 / (2 σ²)`. -/
def gaussianWeight (τ : F.K) (x : Int) : F.K := F.exp (-(τ * ((x : F.K) * (x : F.K))))

theorem gaussianWeight_pos (τ : F.K) (x : Int) : 0 < gaussianWeight F τ x := Numerics.exp_pos F _

theorem pow_exp (τ : F.K) (n : Nat) : pow (F.exp (-τ)) n = F.exp (-(τ * (n : F.K))) := by
  induction n with
  | zero =>
    show 1 = _
    rw [Lean.Grind.Semiring.natCast_zero]
    have e : -(τ * 0) = 0 := by grind
    rw [e, Numerics.exp_zero]
  | succ n ih =>
    show F.exp (-τ) * pow (F.exp (-τ)) n = _
    rw [ih, ← F.exp_add, Lean.Grind.Semiring.natCast_succ]
    congr 1
    grind

theorem natCast_le_square (n : Nat) : (n : F.K) ≤ (n : F.K) * (n : F.K) := by
  cases n with
  | zero => rw [Lean.Grind.Semiring.natCast_zero]; grind
  | succ n =>
    have h : (0 : F.K) ≤ (n : F.K) := Numerics.natCast_nonneg n
    have h2 := mul_nonneg' h h
    rw [Lean.Grind.Semiring.natCast_succ]
    grind

theorem intCast_negSucc (n : Nat) : ((Int.negSucc n : Int) : F.K) = -((n : F.K) + 1) := by
  have e : Int.negSucc n = -((n + 1 : Nat) : Int) := rfl
  rw [e, Lean.Grind.Ring.intCast_neg, Lean.Grind.Ring.intCast_natCast,
      Lean.Grind.Semiring.natCast_succ]

/-- A weight is at most that of geometric noise. -/
theorem gaussianWeight_le (τ : F.K) (hτ : 0 < τ) (x : Int) (n : Nat)
    (h : (x : F.K) * (x : F.K) = (n : F.K) * (n : F.K)) : gaussianWeight F τ x ≤
      pow (F.exp (-τ)) n := by
  rw [pow_exp]
  unfold gaussianWeight
  rw [h]
  have := mul_le_left (natCast_le_square F n) (by grind : 0 ≤ τ)
  exact Numerics.exp_mono F (by grind)

theorem exp_neg_lt_one {τ : F.K} (hτ : 0 < τ) : F.exp (-τ) < 1 := by
  have h := Numerics.exp_strictMono F (by grind : -τ < 0)
  rw [Numerics.exp_zero] at h
  exact h

/-- The sums of the weights stay below `(1 + e^{-τ}) / (1 - e^{-τ})`. -/
theorem gaussianSum_le (τ : F.K) (hτ : 0 < τ) (n : Nat) :
    (1 - F.exp (-τ)) * intSum (gaussianWeight F τ) n
      ≤ (1 + F.exp (-τ)) * (1 - pow (F.exp (-τ)) n) := by
  have h0 := Numerics.exp_pos F (-τ)
  have h1 := exp_neg_lt_one F hτ
  induction n with
  | zero => show _ * 0 ≤ _ * (1 - 1); grind
  | succ n ih =>
    have a := gaussianWeight_le F τ hτ (Int.ofNat n) n (by
      rw [show (Int.ofNat n : Int) = (n : Int) from rfl, Lean.Grind.Ring.intCast_natCast])
    have b := gaussianWeight_le F τ hτ (Int.negSucc n) (n + 1) (by
      rw [intCast_negSucc, Lean.Grind.Semiring.natCast_succ]; grind)
    have e : pow (F.exp (-τ)) (n + 1) = F.exp (-τ) * pow (F.exp (-τ)) n := rfl
    have c := mul_le_left a (by grind : 0 ≤ 1 - F.exp (-τ))
    have d := mul_le_left b (by grind : 0 ≤ 1 - F.exp (-τ))
    rw [e] at d ⊢
    show _ * (intSum _ n + (_ + _)) ≤ _
    grind

/-- The weights have a sum. -/
theorem gaussianSum_tends (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ) :
    ∃ Z, Tends (intSum (gaussianWeight F τ)) Z ∧ 0 < Z := by
  have hw : ∀ x, 0 ≤ gaussianWeight F τ x := fun x => by have := gaussianWeight_pos F τ x; grind
  have h0 := Numerics.exp_pos F (-τ)
  have h1 := exp_neg_lt_one F hτ
  have hi : 0 < (1 - F.exp (-τ))⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
  have hc : (1 - F.exp (-τ))⁻¹ * (1 - F.exp (-τ)) = 1 := by grind
  obtain ⟨Z, hZ, hleast⟩ := hK _ (intSum_increasing hw)
    ⟨(1 - F.exp (-τ))⁻¹ * (1 + F.exp (-τ)), fun n => by
      have a := gaussianSum_le F τ hτ n
      have b := mul_nonneg' (by grind : 0 ≤ 1 + F.exp (-τ))
          (pow_nonneg (by grind : 0 ≤ F.exp (-τ)) n)
      have c := mul_le_left
          (by grind : (1 - F.exp (-τ)) * intSum (gaussianWeight F τ) n ≤ 1 + F.exp (-τ))
        (by grind : 0 ≤ (1 - F.exp (-τ))⁻¹)
      have e : (1 - F.exp (-τ))⁻¹ * ((1 - F.exp (-τ)) * intSum (gaussianWeight F τ) n)
          = (1 - F.exp (-τ))⁻¹ * (1 - F.exp (-τ)) * intSum (gaussianWeight F τ) n := by grind
      rw [e, hc] at c
      grind⟩
  refine ⟨Z, tends_of_increasing (intSum_increasing hw) hZ hleast, ?_⟩
  have a := hZ 1
  have b := gaussianWeight_pos F τ (Int.ofNat 0)
  have c := gaussianWeight_pos F τ (Int.negSucc 0)
  have e : intSum (gaussianWeight F τ) 1 = 0 + (gaussianWeight F τ (Int.ofNat 0)
    + gaussianWeight F τ (Int.negSucc 0)) := rfl
  grind

/-- The sum of all weights. -/
def gaussianTotal (τ : F.K) : F.K := lim (intSum (gaussianWeight F τ))

/-- The integers `a + n` and `a - (n + 1)` with their weights. -/
def gaussianBlock (τ : F.K) (a : Int) (n : Nat) : List (Int × F.K) :=
  [(a + Int.ofNat n, (gaussianTotal F τ)⁻¹ * gaussianWeight F τ (Int.ofNat n)),
    (a + Int.negSucc n, (gaussianTotal F τ)⁻¹ * gaussianWeight F τ (Int.negSucc n))]

theorem gaussianBlock_sum (τ : F.K) (a : Int) (f : Int → F.K) (n : Nat) :
    blockSum (gaussianBlock F τ a) f n
      = (gaussianTotal F τ)⁻¹ * intSum (fun x => gaussianWeight F τ x * f (a + x)) n := by
  induction n with
  | zero => show (0 : F.K) = _ * 0; grind
  | succ n ih =>
    simp only [blockSum, ih, gaussianBlock, wsum, intSum]
    grind

theorem gaussianTotal_tends (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ) :
    Tends (intSum (gaussianWeight F τ)) (gaussianTotal F τ) ∧ 0 < gaussianTotal F τ := by
  obtain ⟨Z, h, hZ⟩ := gaussianSum_tends F hK τ hτ
  have e : gaussianTotal F τ = Z := h.lim_eq
  rw [e]
  exact ⟨h, hZ⟩

/-- **The discrete Gaussian law** around `a`: `Pr(a + x)` is proportional to `exp (-τ x²)` on the
integers. -/
def discreteGaussian (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ) (a : Int) : CountLaw F.K Int where
  block := gaussianBlock F τ a
  nonneg n q hq := by
    have hZ := (gaussianTotal_tends F hK τ hτ).2
    have hi : 0 < (gaussianTotal F τ)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hZ
    have hw := fun x => gaussianWeight_pos F τ x
    simp only [gaussianBlock, List.mem_cons, List.not_mem_nil, or_false] at hq
    rcases hq with hq | hq <;> subst hq <;>
      exact mul_nonneg' (by grind) (by have := gaussianWeight_pos F τ; grind)
  total := by
    have h := gaussianTotal_tends F hK τ hτ
    have h2 := h.1.smul (gaussianTotal F τ)⁻¹
    have e : (gaussianTotal F τ)⁻¹ * gaussianTotal F τ = 1 := by
      have := h.2
      grind
    rw [e] at h2
    have e2 : (fun n => (gaussianTotal F τ)⁻¹ * intSum (gaussianWeight F τ) n)
        = blockSum (gaussianBlock F τ a) fun _ => 1 := by
      funext n
      rw [gaussianBlock_sum]
      congr 2
      funext x
      grind
    rw [e2] at h2
    exact h2

/-- A countable law as an expectation: a function is integrable if its sums converge. -/
def CountLaw.expectation {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
    [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] {O : Type} (p : CountLaw K O) : Expectation K O
      where
  int f := ∃ l, Tends (p.sum f) l
  const c := ⟨c * 1, by
    have h := p.total.smul c
    have e : (fun n => c * blockSum p.block (fun _ => 1) n) = p.sum fun _ => c := by
      funext n
      have := p.sum_smul c (fun _ => 1) n
      have e : (fun _ : O => c * (1 : K)) = fun _ => c := by funext _; grind
      rw [e] at this
      exact this.symm
    rw [e] at h
    exact h⟩
  add f g hf hg := by
    obtain ⟨l, hl⟩ := hf
    obtain ⟨m, hm⟩ := hg
    have h := hl.add hm
    have e : (fun n => p.sum f n + p.sum g n) = p.sum fun o => f o + g o := funext fun n =>
        (p.sum_add f g n).symm
    rw [e] at h
    exact ⟨_, h⟩
  smul c f hf := by
    obtain ⟨l, hl⟩ := hf
    have h := hl.smul c
    have e : (fun n => c * p.sum f n) = p.sum fun o => c * f o := funext fun n =>
        (p.sum_smul c f n).symm
    rw [e] at h
    exact ⟨_, h⟩
  E := p.E
  E_add f g hf hg := by
    obtain ⟨l, hl⟩ := hf
    obtain ⟨m, hm⟩ := hg
    have h := hl.add hm
    have e : (fun n => p.sum f n + p.sum g n) = p.sum fun o => f o + g o := funext fun n =>
        (p.sum_add f g n).symm
    rw [e] at h
    unfold CountLaw.E
    rw [h.lim_eq, hl.lim_eq, hm.lim_eq]
  E_smul c f hf := by
    obtain ⟨l, hl⟩ := hf
    have h := hl.smul c
    have e : (fun n => c * p.sum f n) = p.sum fun o => c * f o := funext fun n =>
        (p.sum_smul c f n).symm
    rw [e] at h
    unfold CountLaw.E
    rw [h.lim_eq, hl.lim_eq]
  E_mono f g hf hg hle := by
    obtain ⟨l, hl⟩ := hf
    obtain ⟨m, hm⟩ := hg
    unfold CountLaw.E
    rw [hl.lim_eq, hm.lim_eq]
    exact hl.mono hm (p.sum_mono f g hle)
  E_one := p.total.lim_eq

/-- The whole orders `1 + n`, for `n = 0, 1, 2, …`. -/
def wholeOrders : Orders F.K where
  I := Nat
  scale n x := (n : F.K) * x
  scale_add n x y := Lean.Grind.Semiring.left_distrib (n : F.K) x y
  scale_mono n _ _ h := mul_le_left h (Numerics.natCast_nonneg n)

/-- `ρ`-zCDP at the whole orders: the divergence of the order `1 + n` is at most `(1 + n) ρ` for
`n ≥ 1`; at `n = 0` it says nothing. -/
def wholeCost (ρ : F.K) : (wholeOrders F).I → F.K := fun n : Nat => (n : F.K) * ((n : F.K) + 1) * ρ

/-- A round of a ledger of discrete Gaussian noise: the parameter `σ²` of the noise, and the squared
`L₂` norm by which the answers on two neighbouring databases may differ. -/
structure GaussianRound where
  variance : Rat
  norm : Nat

/-- The rounds as a list of `ρ = norm / (2 σ²)`. -/
def gaussianGroups : List GaussianRound → List Group
  | [] => []
  | r :: l => ⟨r.norm, 1 / (2 * r.variance), 0⟩ :: gaussianGroups l

/-- `τ = 1 / (2 σ²)`. -/
def GaussianRound.rate (r : GaussianRound) : F.K := ofRat (1 / (2 * r.variance))

theorem GaussianRound.rate_pos (r : GaussianRound) (h : 0 < r.variance) : 0 < r.rate F := by
  refine Numerics.ofRat_pos ?_
  have h2 : 0 < 2 * r.variance := by grind
  rw [Lean.Grind.Field.div_eq_mul_inv]
  have : 0 < (2 * r.variance)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr h2
  grind

/-- An analyst who asks integer queries, answered with discrete Gaussian noise, as far as the rounds
of a ledger allow.  `answer false` and `answer true` are the exact answers on two neighbouring
databases.  One round answers a query whose answer is a vector, one coordinate after another, each
with noise of its own; all the coordinates' differences together must fit the round's norm.
Everything is chosen as a function of all that was seen before, coins among it, and there is no
bound on the number of queries. -/
inductive GaussianAnalyst : List GaussianRound → Type 1 where
  | stop {l : List GaussianRound} : GaussianAnalyst l
  | coin {l : List GaussianRound} (S : Type) (ρ : CountLaw F.K S) (next : S → GaussianAnalyst l) :
      GaussianAnalyst l
  | ask {r : GaussianRound} {l : List GaussianRound} (pos : 0 < r.variance) (answer : Bool → Int)
      (left : Nat)
      (fits : (answer true - answer false) * (answer true - answer false) + left = r.norm)
      (next : Int → GaussianAnalyst (⟨r.variance, left⟩ :: l)) : GaussianAnalyst (r :: l)
  | close {r : GaussianRound} {l : List GaussianRound} (next : GaussianAnalyst l) : GaussianAnalyst
      (r :: l)

namespace GaussianAnalyst

variable {F}

/-- The type of views: coins tossed and answers received, in order. -/
def View : {l : List GaussianRound} → GaussianAnalyst F l → Type
  | _, .stop => Unit
  | _, .coin S _ next => (s : S) × View (next s)
  | _, .ask _ _ _ _ next => (o : Int) × View (next o)
  | _, .close next => View next

/-- The expectation of a function of the view, where the answers are those of the database `b` with
noise. -/
def expect (hK : Complete F.K) (b : Bool) : {l : List GaussianRound} → (g : GaussianAnalyst F l) →
    (g.View → F.K) → F.K
  | _, .stop, f => f ()
  | _, .coin _ ρ next, f => ρ.E fun s => expect hK b (next s) fun v => f ⟨s, v⟩
  | _, .ask (r := r) pos answer _ _ next, f =>
    (discreteGaussian F hK (r.rate F) (r.rate_pos F pos) (answer b)).E fun o =>
      expect hK b (next o) fun v => f ⟨o, v⟩
  | _, .close next, f => expect hK b next f

/-- The probability of a set of views. -/
def pr (hK : Complete F.K) (b : Bool) {l : List GaussianRound} (g : GaussianAnalyst F l)
    (S : g.View → Prop) :
    F.K := expect hK b g fun v => ind (S v)

end GaussianAnalyst

end PrivRef
