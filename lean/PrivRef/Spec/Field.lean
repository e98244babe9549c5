module

public import Init.Grind

/-!
Numbers.  `K` is any linearly ordered field (the real numbers are one, so are the rationals), and
privacy parameters `ε` live in any linearly ordered additive group `A`.  The exponential function
is a structure: any map `A → K` with the four properties that differential privacy uses.
-/

@[expose] public noncomputable section

namespace PrivRef

universe a k

section Numbers

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The positive part `max x 0`. -/
def posPart (x : K) : K := open Classical in if 0 ≤ x then x else 0

/-- The maximum of two numbers. -/
def max2 (x y : K) : K := open Classical in if x ≤ y then y else x

/-- The number `1` if the proposition holds, `0` if not. -/
def ind (p : Prop) : K := open Classical in if p then 1 else 0

/-- `n` as an element of the field. -/
def natK : Nat → K
  | 0 => 0
  | n + 1 => natK n + 1

/-- The sum of `F` over a list. -/
def lsum {ι : Type a} : List ι → (ι → K) → K
  | [], _ => 0
  | i :: l, F => F i + lsum l F

theorem mul_le_left {x y c : K} (h : x ≤ y) (hc : 0 ≤ c) : c * x ≤ c * y :=
  Lean.Grind.OrderedRing.mul_le_mul_of_nonneg_left h hc

theorem mul_le_right {x y c : K} (h : x ≤ y) (hc : 0 ≤ c) : x * c ≤ y * c := by
  have := mul_le_left h hc
  grind

theorem mul_nonneg' {x y : K} (hx : 0 ≤ x) (hy : 0 ≤ y) : 0 ≤ x * y :=
  Lean.Grind.OrderedRing.mul_nonneg hx hy

theorem add_nonneg' {x y : K} (hx : 0 ≤ x) (hy : 0 ≤ y) : 0 ≤ x + y := by grind

theorem sub_nonneg' {x y : K} (h : x ≤ y) : 0 ≤ y - x := by grind

theorem sub_pos' {x y : K} (h : x < y) : 0 < y - x := by grind

theorem neg_nonneg' {x : K} (h : x ≤ 0) : 0 ≤ -x := by grind

theorem nonneg_of_one_le {x : K} (h : 1 ≤ x) : 0 ≤ x := by grind

theorem ne_of_pos' {x : K} (h : 0 < x) : x ≠ 0 := by grind

theorem zero_le_one' : (0 : K) ≤ 1 := by grind

theorem zero_lt_one' : (0 : K) < 1 := by grind

theorem zero_le_two : (0 : K) ≤ 2 := by grind

theorem zero_lt_two : (0 : K) < 2 := by grind

theorem mul_le_mul' {x y c d : K} (h : x ≤ y) (h' : c ≤ d) (hc : 0 ≤ c) (hy : 0 ≤ y) :
    x * c ≤ y * d := by
  have h1 := mul_le_right h hc
  have h2 := mul_le_left h' hy
  grind

theorem posPart_nonneg (x : K) : 0 ≤ posPart x := by
  unfold posPart; split <;> grind

theorem le_posPart (x : K) : x ≤ posPart x := by
  unfold posPart; split <;> grind

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem posPart_le {x y : K} (h : x ≤ y) (hy : 0 ≤ y) : posPart x ≤ y := by
  unfold posPart; split <;> grind

theorem le_max2_left (x y : K) : x ≤ max2 x y := by
  unfold max2; split <;> grind

theorem le_max2_right (x y : K) : y ≤ max2 x y := by
  unfold max2; split <;> grind

section

omit [Lean.Grind.Field K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K]

theorem max2_le {x y z : K} (h : x ≤ z) (h' : y ≤ z) : max2 x y ≤ z := by
  unfold max2; split <;> grind

theorem max2_eq (x y : K) : max2 x y = x ∨ max2 x y = y := by
  unfold max2; split <;> grind

end

section

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem ind_true {p : Prop} (h : p) : (ind p : K) = 1 := by
  unfold ind; split <;> grind

theorem ind_false {p : Prop} (h : ¬ p) : (ind p : K) = 0 := by
  unfold ind; split <;> grind

end

theorem ind_nonneg (p : Prop) : (0 : K) ≤ ind p := by
  unfold ind; split <;> grind

theorem ind_le_one (p : Prop) : (ind p : K) ≤ 1 := by
  unfold ind; split <;> grind

end Numbers

/-- The exponential function as differential privacy uses it: `exp 0 = 1`,
`exp (a + b) = exp a * exp b`, positive, monotone.  The real exponential is one instance
(`A = K = ℝ`); `zpowExp` below is one that this library constructs, so that no theorem is
vacuous. -/
structure ExpLike (A : Type a) (K : Type k) [Lean.Grind.IntModule A] [LE A] [Std.IsPreorder A]
    [Lean.Grind.Field K] [LE K] [LT K] [Std.IsPreorder K] where
  exp : A → K
  exp_zero : exp 0 = 1
  exp_add : ∀ x y, exp (x + y) = exp x * exp y
  exp_pos : ∀ x, 0 < exp x
  exp_mono : ∀ x y, x ≤ y → exp x ≤ exp y

section Exp

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem ExpLike.exp_nonneg (X : ExpLike A K) (x : A) : 0 ≤ X.exp x := by
  have := X.exp_pos x
  grind

section

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem ExpLike.one_le_exp (X : ExpLike A K) {x : A} (h : 0 ≤ x) : 1 ≤ X.exp x := by
  have := X.exp_mono 0 x h
  rw [X.exp_zero] at this
  exact this

theorem ExpLike.exp_mul_exp_sub (X : ExpLike A K) (x y : A) :
    X.exp x * X.exp (y - x) = X.exp y := by
  rw [← X.exp_add]
  congr 1
  grind

end

end Exp

theorem one_le_pow_rat (c : Rat) (hc : 1 ≤ c) (n : Nat) : 1 ≤ c ^ n := by
  induction n with
  | zero => simp; grind
  | succ n ih =>
    rw [Rat.pow_succ]
    have := mul_le_mul' ih hc (by grind) (by grind : (0 : Rat) ≤ c ^ n)
    grind

/-- A model of `ExpLike`: privacy parameters are integers and `exp n = c ^ n` for a rational base
`c ≥ 1`.  With `c = 2`, the integer `1` plays the role of `log 2`. -/
def zpowExp (c : Rat) (hc : 1 ≤ c) : ExpLike Int Rat where
  exp n := c ^ n
  exp_zero := by simp
  exp_add x y := Rat.zpow_add (by grind) x y
  exp_pos x := Rat.zpow_pos (by grind)
  exp_mono x y h := by
    obtain ⟨n, hn⟩ := Int.le.dest h
    subst hn
    rw [Rat.zpow_add (by grind), Rat.zpow_natCast]
    have h1 := one_le_pow_rat c hc n
    have h2 : 0 < c ^ x := Rat.zpow_pos (by grind)
    have := mul_le_left h1 (by grind : (0 : Rat) ≤ c ^ x)
    grind

/-- Base two: the integer `n` stands for `n log 2`. -/
def exp2 : ExpLike Int Rat := zpowExp 2 (by decide)

end PrivRef
