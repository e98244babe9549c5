module

public import PrivRef.Numerics.Cast

/-!
Directed bounds of `exp q` for rational `q`, from two axioms of the exponential function alone:
`exp (a + b) = exp a * exp b` and `1 + x ≤ exp x`.

The lower bound is `(1 + q / 2^k) ^ (2^k)`, computed by `k` squarings of natural numbers over the
common denominator `2^p`, each rounded down.  The upper bound is one over the lower bound at `-q`.
-/

@[expose] public noncomputable section

namespace PrivRef.Numerics

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-- A linearly ordered field with a function that satisfies the two axioms.  The real numbers with
the real exponential function are one; nothing else about `exp` is used anywhere. -/
structure ExpField where
  /-- The numbers. -/
  K : Type
  [field : Lean.Grind.Field K]
  [le : LE K]
  [lt : LT K]
  [linear : Std.IsLinearOrder K]
  [lawful : Std.LawfulOrderLT K]
  [ordered : Lean.Grind.OrderedRing K]
  /-- The exponential function. -/
  exp : K → K
  exp_add : ∀ a b, exp (a + b) = exp a * exp b
  one_add_le_exp : ∀ x, 1 + x ≤ exp x

attribute [instance] _root_.PrivRef.Numerics.ExpField.field
  _root_.PrivRef.Numerics.ExpField.le _root_.PrivRef.Numerics.ExpField.lt
  _root_.PrivRef.Numerics.ExpField.linear _root_.PrivRef.Numerics.ExpField.lawful
  _root_.PrivRef.Numerics.ExpField.ordered

section

variable (F : ExpField)

theorem exp_zero : F.exp 0 = 1 := by
  have h1 := F.exp_add 0 0
  have h2 := F.one_add_le_exp 0
  have h3 : (0 : F.K) + 0 = 0 := by grind
  rw [h3] at h1
  have h4 : F.exp 0 * (F.exp 0 - 1) = 0 := by grind
  have h5 : F.exp 0 ≠ 0 := by grind
  grind

theorem exp_mul_neg (x : F.K) : F.exp x * F.exp (-x) = 1 := by
  have h1 := F.exp_add x (-x)
  have h2 : x + -x = 0 := by grind
  rw [h2, exp_zero] at h1
  exact h1.symm

theorem exp_pos (x : F.K) : 0 < F.exp x := by
  have h1 := F.exp_add (x / 2) (x / 2)
  have h2 : x / 2 + x / 2 = x := by grind
  rw [h2] at h1
  have h3 := exp_mul_neg F (x / 2)
  have h4 : F.exp (x / 2) ≠ 0 := by
    intro h
    rw [h] at h3
    grind
  by_cases h5 : 0 < F.exp (x / 2)
  · have := mul_pos h5 h5
    grind
  · have := mul_pos (x := -F.exp (x / 2)) (y := -F.exp (x / 2)) (by grind) (by grind)
    grind

theorem exp_strictMono {x y : F.K} (h : x < y) : F.exp x < F.exp y := by
  have h1 := F.exp_add x (y - x)
  have h2 : x + (y - x) = y := by grind
  rw [h2] at h1
  have h3 := F.one_add_le_exp (y - x)
  have h4 : 0 < F.exp x * (F.exp (y - x) - 1) := mul_pos (exp_pos F x) (by grind)
  grind

theorem exp_mono {x y : F.K} (h : x ≤ y) : F.exp x ≤ F.exp y := by
  by_cases h1 : x < y
  · have := exp_strictMono F h1
    grind
  · have : x = y := by grind
    rw [this]
    grind

theorem le_of_exp_le {x y : F.K} (h : F.exp x ≤ F.exp y) : x ≤ y := by
  by_cases h1 : x ≤ y
  · exact h1
  · have := exp_strictMono F (x := y) (y := x) (by grind)
    grind

/-- `k` squarings in fixed point with denominator `P`, each rounded down. -/
def squarings (P : Nat) : Nat → Nat → Nat
  | 0, n => n
  | k + 1, n => squarings P k (n * n / P)

/-- The numerator, over `2^p`, of the lower bound of `exp q`. -/
def expNum (k p : Nat) (q : Rat) : Nat :=
  squarings (2 ^ p) k (((2 ^ k * q.den : Int) + q.num) * 2 ^ p / (2 ^ k * q.den : Int)).toNat

/-- A lower bound of `exp q`. -/
def expLo (k p : Nat) (q : Rat) : Rat := mkRat (expNum k p q) (2 ^ p)

/-- An upper bound of `exp q` wherever it is positive; `0` when the precision does not suffice. -/
def expHi (k p : Nat) (q : Rat) : Rat :=
  if expNum k p (-q) = 0 then 0 else mkRat (2 ^ p * 2 ^ p / expNum k p (-q) + 1 : Nat) (2 ^ p)

/-- `2^k` times a number, by doublings. -/
def doublings (x : F.K) : Nat → F.K
  | 0 => x
  | k + 1 => doublings (x + x) k

theorem doublings_eq (x : F.K) (k : Nat) : doublings F x k = 2 ^ k * x := by
  induction k generalizing x with
  | zero => rw [doublings, Lean.Grind.Semiring.pow_zero]; grind
  | succ k ih => rw [doublings, ih, Lean.Grind.Semiring.pow_succ]; grind

theorem squarings_le {P : Nat} (hP : P ≠ 0) (k n : Nat) (x : F.K)
    (h : (n : F.K) ≤ (P : F.K) * F.exp x) :
    ((squarings P k n : Nat) : F.K) ≤ (P : F.K) * F.exp (doublings F x k) := by
  induction k generalizing n x with
  | zero => exact h
  | succ k ih =>
    refine ih (n * n / P) (x + x) ?_
    have h0 : (0 : F.K) < (P : F.K) := natCast_pos hP
    have h1 : ((n * n / P * P : Nat) : F.K) ≤ ((n * n : Nat) : F.K) :=
      natCast_mono (Nat.div_mul_le_self _ _)
    rw [Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at h1
    have h2 := mul_mono h h (natCast_nonneg n)
      (mul_nonneg (by grind) (by have := exp_pos F x; grind))
    rw [F.exp_add]
    refine le_of_mul_le (c := (P : F.K)) ?_ h0
    grind

theorem natCast_two_pow (k : Nat) : ((2 ^ k : Nat) : F.K) = 2 ^ k := by
  rw [Lean.Grind.Semiring.natCast_pow]
  congr 1
  have := Lean.Grind.Semiring.natCast_add (α := F.K) 1 1
  rw [Lean.Grind.Semiring.natCast_one] at this
  grind

theorem expNum_le (k p : Nat) (q : Rat) :
    ((expNum k p q : Nat) : F.K) ≤ ((2 ^ p : Nat) : F.K) * F.exp (ofRat q) := by
  have hd : (0 : F.K) < (q.den : F.K) := natCast_pos q.den_nz
  have hk : (0 : F.K) < ((2 ^ k : Nat) : F.K) := natCast_pos (by have := Nat.two_pow_pos k; omega)
  have hp : (0 : F.K) < ((2 ^ p : Nat) : F.K) := natCast_pos (by have := Nat.two_pow_pos p; omega)
  have hq := ofRat_mul_den (K := F.K) q
  have hx : doublings F (ofRat q / ((2 ^ k : Nat) : F.K)) k = ofRat q := by
    rw [doublings_eq, ← natCast_two_pow]
    grind
  rw [← hx]
  unfold expNum
  refine squarings_le F (by have := Nat.two_pow_pos p; omega) k _ _ ?_
  have hexp := F.one_add_le_exp (ofRat q / ((2 ^ k : Nat) : F.K))
  have h0 := exp_pos F (ofRat q / ((2 ^ k : Nat) : F.K))
  have hI : ((2 ^ k * q.den : Int) + q.num) * 2 ^ p / (2 ^ k * q.den : Int)
      = ((((2 ^ k * q.den : Nat) : Int) + q.num) * ((2 ^ p : Nat) : Int)) /
        ((2 ^ k * q.den : Nat) : Int) := by
    simp
  rw [hI]
  generalize hA : ((((2 ^ k * q.den : Nat) : Int) + q.num) * ((2 ^ p : Nat) : Int)) = A
  generalize hD : (2 ^ k * q.den : Nat) = D at *
  have hDpos : 0 < D := by
    rw [← hD]
    exact Nat.mul_pos (Nat.two_pow_pos k) (Nat.pos_of_ne_zero q.den_nz)
  by_cases hneg : A / (D : Int) < 0
  · have : (A / (D : Int)).toNat = 0 := by omega
    rw [this, Lean.Grind.Semiring.natCast_zero]
    exact mul_nonneg (by grind) (by grind)
  · have h1 : ((A / (D : Int)).toNat : Int) * (D : Int) ≤ A := by
      rw [Int.toNat_of_nonneg (by omega)]
      exact Int.ediv_mul_le A (by omega)
    have h2 := intCast_mono (K := F.K) h1
    have hAK := congrArg (fun z : Int => (z : F.K)) hA
    simp only [Lean.Grind.Ring.intCast_mul, Lean.Grind.Ring.intCast_add,
      Lean.Grind.Ring.intCast_natCast] at h2 hAK
    have hDK : (D : F.K) = ((2 ^ k : Nat) : F.K) * (q.den : F.K) := by
      rw [← hD, Lean.Grind.Semiring.natCast_mul]
    have hDp : (0 : F.K) < (D : F.K) := by
      rw [hDK]
      exact mul_pos hk hd
    have hmul := mul_le_left hexp (c := (D : F.K) * ((2 ^ p : Nat) : F.K))
      (by have := mul_pos hDp hp; grind)
    refine le_of_mul_le (c := (D : F.K)) ?_ hDp
    have hxk : (D : F.K) * (ofRat q / ((2 ^ k : Nat) : F.K)) = (q.num : F.K) := by
      rw [hDK, ← hq]
      grind
    generalize ((A / (D : Int)).toNat : F.K) = t at *
    generalize ofRat q / ((2 ^ k : Nat) : F.K) = x at *
    generalize ((2 ^ p : Nat) : F.K) = P at *
    generalize (D : F.K) = D' at *
    have h3 : D' * P * (1 + x) = (A : F.K) := by
      rw [← hAK, ← hxk]
      grind
    clear hI hA hD hneg h1 hx hDK hq
    grind

theorem two_pow_ne_zero (p : Nat) : (2 ^ p : Nat) ≠ 0 := by
  have := Nat.two_pow_pos p
  omega

/-- The computed lower bound is one. -/
theorem expLo_le (k p : Nat) (q : Rat) : ofRat (expLo k p q) ≤ F.exp (ofRat q) := by
  have h := expNum_le F k p q
  have hp : (0 : F.K) < ((2 ^ p : Nat) : F.K) := natCast_pos (two_pow_ne_zero p)
  unfold expLo
  rw [ofRat_mkRat _ (two_pow_ne_zero p), Lean.Grind.Ring.intCast_natCast]
  generalize ((2 ^ p : Nat) : F.K) = P at *
  refine le_of_mul_le (c := P) ?_ hp
  have h1 : P * (((expNum k p q : Nat) : F.K) / P) = ((expNum k p q : Nat) : F.K) := by
    generalize ((expNum k p q : Nat) : F.K) = m
    grind
  rw [h1]
  exact h

/-- The computed upper bound, where it is not the sign of failure, is one. -/
theorem le_expHi (k p : Nat) (q : Rat) (h : 0 < expHi k p q) :
    F.exp (ofRat q) ≤ ofRat (expHi k p q) := by
  have h1 := expNum_le F k p (-q)
  have hp : (0 : F.K) < ((2 ^ p : Nat) : F.K) := natCast_pos (two_pow_ne_zero p)
  unfold expHi at h ⊢
  split at h
  · exact absurd h (by decide)
  · rename_i hn
    rw [if_neg hn, ofRat_mkRat _ (two_pow_ne_zero p), Lean.Grind.Ring.intCast_natCast]
    generalize expNum k p (-q) = n at *
    have hn' : (0 : F.K) < (n : F.K) := natCast_pos hn
    generalize (2 ^ p : Nat) = T at *
    have h2 : T * T ≤ (T * T / n + 1) * n := by
      have := Nat.div_add_mod (T * T) n
      have := Nat.mod_lt (T * T) (Nat.pos_of_ne_zero hn)
      rw [Nat.add_mul, Nat.mul_comm _ n]
      omega
    have h3 := natCast_mono (K := F.K) h2
    rw [Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at h3
    generalize T * T / n + 1 = u at *
    rw [ofRat_neg] at h1
    have h4 := exp_mul_neg F (ofRat q)
    have h5 := exp_pos F (ofRat q)
    -- exp q * n ≤ 2^p, hence exp q * n * 2^p ≤ u * n.
    have h6 := mul_le_left h1 (c := F.exp (ofRat q)) (by grind)
    have h7 : F.exp (ofRat q) * ((T : F.K) * F.exp (-ofRat q)) = (T : F.K) := by grind
    rw [h7] at h6
    have h8 := mul_le_left h6 (c := (T : F.K)) (by grind)
    refine le_of_mul_le (c := (n : F.K) * (T : F.K)) ?_ (mul_pos hn' hp)
    have h9 : (n : F.K) * (T : F.K) * ((u : F.K) / (T : F.K)) = (n : F.K) * (u : F.K) := by grind
    rw [h9]
    grind

/-- `log (1/δ) ≤ U` once `exp (-U) ≤ δ`, that is `1 ≤ δ exp U`. -/
theorem log_le {k p : Nat} {δ U : Rat} (hδ : 0 < δ) (h : 1 ≤ δ * expLo k p U) {L : F.K}
    (hL : F.exp (-L) = ofRat δ) : L ≤ ofRat U := by
  have h1 := expLo_le F k p U
  have h2 := ofRat_mono (K := F.K) h
  rw [ofRat_mul, ofRat_one] at h2
  have h3 := mul_le_left h1 (c := ofRat δ) (ofRat_nonneg (by grind))
  have h4 := exp_mul_neg F L
  have h5 := exp_pos F L
  rw [hL] at h4
  have h6 : F.exp L ≤ F.exp (ofRat U) := by
    refine le_of_mul_le (c := ofRat δ) ?_ (ofRat_pos hδ)
    grind
  exact le_of_exp_le F h6

/-- `D ≤ log (1/δ)` once `δ ≤ exp (-D)`. -/
theorem le_log {k p : Nat} {δ D : Rat} (h : δ ≤ expLo k p (-D)) {L : F.K}
    (hL : F.exp (-L) = ofRat δ) : ofRat D ≤ L := by
  have h1 := expLo_le F k p (-D)
  have h2 := ofRat_mono (K := F.K) h
  rw [ofRat_neg] at h1
  have h3 := le_of_exp_le F (x := -L) (y := -ofRat D) (by grind)
  grind

end

end PrivRef.Numerics
