module

public import Init.Grind

/-!
Rational numbers inside an arbitrary linearly ordered field, so that a comparison the kernel
evaluates in `Rat` is a statement about that field.
-/

@[expose] public noncomputable section

namespace PrivRef.Numerics

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

universe u

section

variable {K : Type u} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The rational number `q` as an element of the field `K`. -/
def ofRat (q : Rat) : K := (q.num : K) / (q.den : K)

theorem natCast_nonneg (n : Nat) : (0 : K) ≤ (n : K) := by
  induction n with
  | zero => rw [Lean.Grind.Semiring.natCast_zero]; grind
  | succ n ih => rw [Lean.Grind.Semiring.natCast_succ]; grind

theorem natCast_pos {n : Nat} (h : n ≠ 0) : (0 : K) < (n : K) := by
  cases n with
  | zero => contradiction
  | succ n =>
    rw [Lean.Grind.Semiring.natCast_succ]
    have : (0 : K) ≤ (n : K) := natCast_nonneg n
    grind

theorem intCast_nonneg {x : Int} (h : 0 ≤ x) : (0 : K) ≤ (x : K) := by
  obtain ⟨n, hn⟩ := Int.eq_ofNat_of_zero_le h
  rw [hn, Lean.Grind.Ring.intCast_natCast]
  exact natCast_nonneg n

theorem intCast_mono {x y : Int} (h : x ≤ y) : (x : K) ≤ (y : K) := by
  have h1 : (0 : K) ≤ ((y - x : Int) : K) := intCast_nonneg (by omega)
  rw [Lean.Grind.Ring.intCast_sub] at h1
  grind

theorem natCast_mono {m n : Nat} (h : m ≤ n) : (m : K) ≤ (n : K) := by
  have : ((m : Int) : K) ≤ ((n : Int) : K) := intCast_mono (by omega)
  rwa [Lean.Grind.Ring.intCast_natCast, Lean.Grind.Ring.intCast_natCast] at this

theorem mul_le_left {x y c : K} (h : x ≤ y) (hc : 0 ≤ c) : c * x ≤ c * y :=
  Lean.Grind.OrderedRing.mul_le_mul_of_nonneg_left h hc

theorem mul_nonneg {x y : K} (hx : 0 ≤ x) (hy : 0 ≤ y) : 0 ≤ x * y :=
  Lean.Grind.OrderedRing.mul_nonneg hx hy

omit [Std.LawfulOrderLT K] in
theorem mul_pos {x y : K} (hx : 0 < x) (hy : 0 < y) : 0 < x * y :=
  Lean.Grind.OrderedRing.mul_pos hx hy

/-- Products of non-negative numbers are monotone in both factors. -/
theorem mul_mono {x y c d : K} (h : x ≤ y) (h' : c ≤ d) (hc : 0 ≤ c) (hy : 0 ≤ y) :
    x * c ≤ y * d := by
  have h1 := mul_le_left h hc
  have h2 := mul_le_left h' hy
  grind

theorem le_of_mul_le {x y c : K} (h : c * x ≤ c * y) (hc : 0 < c) : x ≤ y := by
  by_cases hxy : x ≤ y
  · exact hxy
  · have h1 : 0 < c * (x - y) := mul_pos hc (by grind)
    grind

/-- Of two non-negative numbers the one with the smaller square is smaller. -/
theorem le_of_sq_le {x y : K} (h : x * x ≤ y * y) (hy : 0 ≤ y) : x ≤ y := by
  by_cases hxy : x ≤ y
  · exact hxy
  · have h1 : 0 < (x - y) * (x - y) := mul_pos (by grind) (by grind)
    have h2 : 0 ≤ y * (x - y) := mul_nonneg hy (by grind)
    grind

theorem pow_nonneg {x : K} (h : 0 ≤ x) (n : Nat) : 0 ≤ x ^ n := by
  induction n with
  | zero => rw [Lean.Grind.Semiring.pow_zero]; grind
  | succ n ih => rw [Lean.Grind.Semiring.pow_succ]; exact mul_nonneg ih h

theorem pow_pos {x : K} (h : 0 < x) (n : Nat) : 0 < x ^ n := by
  induction n with
  | zero => rw [Lean.Grind.Semiring.pow_zero]; grind
  | succ n ih => rw [Lean.Grind.Semiring.pow_succ]; exact mul_pos ih h

theorem pow_mono {x y : K} (h : x ≤ y) (hx : 0 ≤ x) (n : Nat) : x ^ n ≤ y ^ n := by
  induction n with
  | zero => rw [Lean.Grind.Semiring.pow_zero, Lean.Grind.Semiring.pow_zero]; grind
  | succ n ih =>
    rw [Lean.Grind.Semiring.pow_succ, Lean.Grind.Semiring.pow_succ]
    exact mul_mono ih h hx (pow_nonneg (by grind) n)

theorem ofRat_mul_den (q : Rat) : (ofRat q : K) * (q.den : K) = (q.num : K) := by
  have : (0 : K) < (q.den : K) := natCast_pos q.den_nz
  unfold ofRat
  grind

theorem ofRat_mkRat (n : Int) {d : Nat} (hd : d ≠ 0) : (ofRat (mkRat n d) : K) =
    (n : K) / (d : K) := by
  have h : (mkRat n d).num * (d : Int) = n * ((mkRat n d).den : Int) := by
    have h1 := Rat.mkRat_self (mkRat n d)
    exact (Rat.mkRat_eq_iff (mkRat n d).den_nz hd).1 h1
  have hK := congrArg (fun z : Int => (z : K)) h
  simp only [Lean.Grind.Ring.intCast_mul, Lean.Grind.Ring.intCast_natCast] at hK
  have h1 : (0 : K) < (d : K) := natCast_pos hd
  have h2 : (0 : K) < ((mkRat n d).den : K) := natCast_pos (mkRat n d).den_nz
  unfold ofRat
  grind

theorem ofRat_add (q r : Rat) : (ofRat (q + r) : K) = ofRat q + ofRat r := by
  have h : q + r = mkRat (q.num * r.den + r.num * q.den) (q.den * r.den) := by
    conv => lhs; rw [← Rat.mkRat_self q, ← Rat.mkRat_self r]
    rw [Rat.mkRat_add_mkRat _ _ q.den_nz r.den_nz]
  have h1 : (0 : K) < (q.den : K) := natCast_pos q.den_nz
  have h2 : (0 : K) < (r.den : K) := natCast_pos r.den_nz
  rw [h, ofRat_mkRat _ (Nat.mul_ne_zero q.den_nz r.den_nz)]
  simp only [Lean.Grind.Ring.intCast_mul, Lean.Grind.Ring.intCast_add,
    Lean.Grind.Ring.intCast_natCast, Lean.Grind.Semiring.natCast_mul]
  unfold ofRat
  grind

theorem ofRat_mul (q r : Rat) : (ofRat (q * r) : K) = ofRat q * ofRat r := by
  have h : q * r = mkRat (q.num * r.num) (q.den * r.den) := by
    conv => lhs; rw [← Rat.mkRat_self q, ← Rat.mkRat_self r]
    rw [Rat.mkRat_mul_mkRat]
  have h1 : (0 : K) < (q.den : K) := natCast_pos q.den_nz
  have h2 : (0 : K) < (r.den : K) := natCast_pos r.den_nz
  rw [h, ofRat_mkRat _ (Nat.mul_ne_zero q.den_nz r.den_nz)]
  simp only [Lean.Grind.Ring.intCast_mul, Lean.Grind.Semiring.natCast_mul]
  unfold ofRat
  grind

theorem ofRat_mono {q r : Rat} (h : q ≤ r) : (ofRat q : K) ≤ ofRat r := by
  have h0 := intCast_mono (K := K) ((Rat.le_iff q r).1 h)
  simp only [Lean.Grind.Ring.intCast_mul, Lean.Grind.Ring.intCast_natCast] at h0
  have h1 : (0 : K) < (q.den : K) := natCast_pos q.den_nz
  have h2 : (0 : K) < (r.den : K) := natCast_pos r.den_nz
  have h3 := ofRat_mul_den (K := K) q
  have h4 := ofRat_mul_den (K := K) r
  rw [← h3, ← h4] at h0
  refine le_of_mul_le ?_ (mul_pos h1 h2)
  grind

/-- The natural number `n` as a rational, in a form the kernel computes with at once. -/
def ratOfNat (n : Nat) : Rat := mkRat n 1

theorem ofRat_ratOfNat (n : Nat) : (ofRat (ratOfNat n) : K) = (n : K) := by
  have h1 : (((1 : Nat) : K)) = 1 := Lean.Grind.Semiring.natCast_one
  unfold ratOfNat
  rw [ofRat_mkRat _ (by decide), h1, Lean.Grind.Ring.intCast_natCast]
  grind

theorem ofRat_zero : (ofRat 0 : K) = 0 := by
  have h : (0 : Rat) = ratOfNat 0 := by decide +kernel
  rw [h, ofRat_ratOfNat, Lean.Grind.Semiring.natCast_zero]

theorem ofRat_one : (ofRat 1 : K) = 1 := by
  have h : (1 : Rat) = ratOfNat 1 := by decide +kernel
  rw [h, ofRat_ratOfNat, Lean.Grind.Semiring.natCast_one]

theorem ofRat_two : (ofRat 2 : K) = 2 := by
  have h : (2 : Rat) = 1 + 1 := by decide +kernel
  rw [h, ofRat_add, ofRat_one]
  grind

theorem ofRat_neg (q : Rat) : (ofRat (-q) : K) = -ofRat q := by
  have h := ofRat_add (K := K) q (-q)
  have h1 : q + -q = 0 := by grind
  rw [h1, ofRat_zero] at h
  grind

theorem ofRat_sub (q r : Rat) : (ofRat (q - r) : K) = ofRat q - ofRat r := by
  rw [Rat.sub_eq_add_neg, ofRat_add, ofRat_neg]
  grind

theorem ofRat_pow (q : Rat) (n : Nat) : (ofRat (q ^ n) : K) = ofRat q ^ n := by
  induction n with
  | zero => rw [Rat.pow_zero, Lean.Grind.Semiring.pow_zero, ofRat_one]
  | succ n ih => rw [Rat.pow_succ, Lean.Grind.Semiring.pow_succ, ofRat_mul, ih]

theorem ofRat_nonneg {q : Rat} (h : 0 ≤ q) : (0 : K) ≤ ofRat q := by
  have := ofRat_mono (K := K) h
  rwa [ofRat_zero] at this

theorem ofRat_strictMono {q r : Rat} (h : q < r) : (ofRat q : K) < ofRat r := by
  have h1 : (ofRat q : K) ≤ ofRat r := ofRat_mono (by grind)
  -- If the images were equal, (r - q) times its inverse would be both 0 and 1.
  have h2 : (ofRat (r - q) : K) * ofRat ((r - q)⁻¹) = 1 := by
    rw [← ofRat_mul, Rat.mul_inv_cancel _ (by grind), ofRat_one]
  rw [ofRat_sub] at h2
  by_cases h3 : (ofRat r : K) ≤ ofRat q
  · have h4 : (ofRat r : K) - ofRat q = 0 := by grind
    rw [h4] at h2
    grind
  · grind

theorem ofRat_pos {q : Rat} (h : 0 < q) : (0 : K) < ofRat q := by
  have := ofRat_strictMono (K := K) h
  rwa [ofRat_zero] at this

end

end PrivRef.Numerics
