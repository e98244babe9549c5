module

public import PrivRef.Numerics.Check
public import PrivRef.Thm.GaussianMix

/-!
The numbers behind `PrivRef.Thm.GaussianMix`: one round of a ledger has two answers on which the
order of the bound for all the rest depends.  The kernel computes the bound from rational enclosures
of exponentials.
-/

@[expose] public section

namespace PrivRef

open PrivRef.Numerics (ExpField ofRat Group ratOfNat expLo expHi)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-! ### The bound at one whole order -/

/-- The least constant of conversion at the order `1 + k`: `(1 - 1/(k + 1))^{k + 1} / k`. -/
def kappa (k : Nat) : Rat := (1 - 1 / (ratOfNat k + 1)) ^ (k + 1) / ratOfNat k

variable (F : ExpField) (hK : Complete F.K)

theorem exp_nat_mul (M : F.K) (n : Nat) : F.exp ((n : F.K) * M) = F.exp M ^ n := by
  induction n with
  | zero =>
    rw [Lean.Grind.Semiring.natCast_zero, Lean.Grind.Semiring.pow_zero]
    have e : 0 * M = 0 := by grind
    rw [e, Numerics.exp_zero]
  | succ n ih =>
    rw [Lean.Grind.Semiring.natCast_succ, Lean.Grind.Semiring.pow_succ, ← ih, ← F.exp_add]
    congr 1
    grind

/-- The field has the logarithm of every positive rational number. -/
def HasLogs : Prop := ∀ q : Rat, 0 < q → ∃ M, F.exp M = ofRat q

variable {F}

theorem ratOfNat_pos {k : Nat} (hk : 0 < k) : 0 < ratOfNat k := by
  unfold Numerics.ratOfNat
  rw [Rat.mkRat_one]
  exact_mod_cast hk

theorem kappa_pos {k : Nat} (hk : 0 < k) : 0 < kappa k := by
  have h := ratOfNat_pos hk
  have hi : 0 < (ratOfNat k + 1)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
  have pos : (0 : Rat) < 1 - 1 / (ratOfNat k + 1) := by
    have h2 := Lean.Grind.OrderedRing.mul_pos h hi
    grind
  have hp := Numerics.pow_pos pos (k + 1)
  have hj : 0 < (ratOfNat k)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr h
  unfold kappa
  rw [Lean.Grind.Field.div_eq_mul_inv]
  exact Lean.Grind.OrderedRing.mul_pos hp hj

theorem kappa_serves (hlog : HasLogs F) {k : Nat} (hk : 0 < k) (s : F.K) :
    1 - F.exp s ≤ ofRat (kappa k) * F.exp (-((k : F.K) * s)) := by
  have h := ratOfNat_pos hk
  have hi : 0 < (ratOfNat k + 1)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
  have pos : (0 : Rat) < 1 - 1 / (ratOfNat k + 1) := by
    have h2 := Lean.Grind.OrderedRing.mul_pos h hi
    clear hlog hk hi
    grind
  obtain ⟨M, hM⟩ := hlog _ pos
  have hm : (0 : F.K) < (k : F.K) := by
    have := Numerics.ofRat_pos (K := F.K) h
    rw [Numerics.ofRat_ratOfNat] at this
    exact this
  have e2 : F.exp M = (k : F.K) / (1 + (k : F.K)) := by
    have h2 : (1 - 1 / (ratOfNat k + 1)) * (ratOfNat k + 1) = ratOfNat k := by grind
    have h3 := congrArg (ofRat (K := F.K)) h2
    rw [Numerics.ofRat_mul, Numerics.ofRat_add, Numerics.ofRat_ratOfNat, Numerics.ofRat_one, ← hM]
        at h3
    generalize F.exp M = x at *
    generalize (k : F.K) = y at *
    clear hlog hk h hi pos h2 hM hm
    grind
  have key := least_constant_of_conversion F (k : F.K) M s hm e2
  have e3 : F.exp ((1 + (k : F.K)) * M) / (k : F.K) = ofRat (kappa k) := by
    have h4 : (1 + (k : F.K)) * M = ((k + 1 : Nat) : F.K) * M := by
      rw [Lean.Grind.Semiring.natCast_succ]
      clear hlog hk h hi pos hM hm e2 key
      grind
    have h5 : kappa k * ratOfNat k = (1 - 1 / (ratOfNat k + 1)) ^ (k + 1) := by
      unfold kappa
      generalize (1 - 1 / (ratOfNat k + 1)) ^ (k + 1) = z
      clear hlog hk hi pos hM hm e2 key h4
      grind
    have h6 := congrArg (ofRat (K := F.K)) h5
    rw [Numerics.ofRat_mul, Numerics.ofRat_ratOfNat, Numerics.ofRat_pow, ← hM, ← exp_nat_mul, ← h4]
        at h6
    rw [← h6]
    generalize (ofRat (kappa k) : F.K) = z
    generalize (k : F.K) = y at *
    clear hlog hk h hi pos hM h5 e2 key h4 h6
    grind
  rw [e3] at key
  exact key

/-- The bound of the order `1 + k` behind rounds that spend `ρ`. -/
noncomputable def orderBound (k : Nat) (ρ r s : F.K) : F.K :=
  ofRat (kappa k) * F.exp ((k : F.K) * ((k : F.K) + 1) * (ρ + r) - (k : F.K) * s)

theorem orderBound_exact (k : Nat) (ρ : F.K) : Exact F hK (orderBound k ρ) := by
  intro r τ hτ c d s
  have h := (discreteGaussian_moment F hK τ hτ c d k).smul (orderBound k ρ r s)
  have e : ((discreteGaussian F hK τ hτ c).sum fun o =>
      orderBound k ρ r (s - gaussianLoss F τ c d o))
      = fun n => orderBound k ρ r s
        * (discreteGaussian F hK τ hτ c).sum (fun o => F.exp ((k : F.K) * gaussianLoss F τ c d o))
          n := by
    funext n
    rw [← CountLaw.sum_smul]
    congr 1
    funext o
    unfold orderBound
    rw [Lean.Grind.Semiring.mul_assoc (ofRat (kappa k)) (F.exp _) (F.exp _), ← F.exp_add]
    congr 2
    grind
  have e2 : orderBound k ρ (r + τ * (((c : F.K) - d) * ((c : F.K) - d))) s = orderBound k ρ r s
      * F.exp ((k : F.K) * ((k : F.K) + 1) * (τ * (((c : F.K) - d) * ((c : F.K) - d)))) := by
    unfold orderBound
    rw [Lean.Grind.Semiring.mul_assoc (ofRat (kappa k)) (F.exp _) (F.exp _), ← F.exp_add]
    congr 2
    clear hτ h e
    grind
  rw [e, e2]
  exact h

theorem orderBound_bounds (hlog : HasLogs F) {k : Nat} (hk : 0 < k) {l : List GaussianRound}
    (hl : PositiveVariances l) :
    Bounds F hK l (orderBound k (ofRat (Numerics.totalPar (gaussianGroups l)))) :=
      fun b g f h0 h1 s => by
  have h := gaussian_ledger_bound F hK k (Numerics.ofRat_nonneg (Std.le_of_lt (kappa_pos hk)))
    (fun s => kappa_serves hlog hk s) b g hl f h0 h1 s
  have e : (ofRat (Numerics.totalPar (gaussianGroups l)) : F.K) + 0
      = ofRat (Numerics.totalPar (gaussianGroups l)) := by clear hlog hk hl h0 h1 h; grind
  unfold orderBound
  rw [e]
  exact h

/-! ### Rational bounds -/

/-- An upper bound of `exp q`, if the precision suffices. -/
def expUp (k p : Nat) (q : Rat) : Option Rat := if 0 < expHi k p q then some (expHi k p q) else none

theorem expUp_sound {k p : Nat} {q u : Rat} (h : expUp k p q = some u) : F.exp (ofRat q) ≤
    ofRat u := by
  unfold expUp at h
  split at h
  · rename_i hp
    injection h with e
    subst e
    exact Numerics.le_expHi F k p q hp
  · contradiction

/-- An upper bound of the sum of the weights from `-n` to `n - 1`. -/
def weightsUp (k p : Nat) (t : Rat) : Nat → Option Rat
  | 0 => some 0
  | n + 1 =>
    match weightsUp k p t n, expUp k p (-(t * (ratOfNat n * ratOfNat n))),
      expUp k p (-(t * (ratOfNat (n + 1) * ratOfNat (n + 1)))) with
    | some a, some b, some c => some (a + (b + c))
    | _, _, _ => none

theorem weight_of_nat (t : Rat) (x : Int) (n : Nat) (h : (x : F.K) * (x : F.K) =
    (n : F.K) * (n : F.K)) :
    gaussianWeight F (ofRat t) x = F.exp (ofRat (-(t * (ratOfNat n * ratOfNat n)))) := by
  unfold gaussianWeight
  rw [h, Numerics.ofRat_neg, Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat]

theorem cast_ofNat (n : Nat) : ((Int.ofNat n : Int) : F.K) = (n : F.K) :=
    Lean.Grind.Ring.intCast_natCast n

theorem cast_negSucc_square (n : Nat) : ((Int.negSucc n : Int) : F.K) *
    ((Int.negSucc n : Int) : F.K)
    = ((n + 1 : Nat) : F.K) * ((n + 1 : Nat) : F.K) := by
  rw [intCast_negSucc, Lean.Grind.Semiring.natCast_succ]
  grind

theorem weightsUp_sound {k p : Nat} {t : Rat} {n : Nat} {u : Rat} (h : weightsUp k p t n = some u) :
    intSum (gaussianWeight F (ofRat t)) n ≤ ofRat u := by
  induction n generalizing u with
  | zero =>
    injection h with e
    subst e
    rw [Numerics.ofRat_zero]
    exact Std.le_refl _
  | succ n ih =>
    unfold weightsUp at h
    split at h
    · rename_i a b c ha hb hc
      injection h with e
      subst e
      have h1 := ih ha
      have h2 := expUp_sound (F := F) hb
      have h3 := expUp_sound (F := F) hc
      rw [← weight_of_nat t (Int.ofNat n) n (by rw [cast_ofNat])] at h2
      rw [← weight_of_nat t (Int.negSucc n) (n + 1) (cast_negSucc_square n)] at h3
      rw [Numerics.ofRat_add, Numerics.ofRat_add]
      show intSum _ n + (_ + _) ≤ _
      clear ih ha hb hc
      grind
    · contradiction

/-- Far out the weights fall off like those of a geometric law. -/
theorem tail_weight (τ : F.K) (hτ : 0 < τ) (N m : Nat) (x : Int) (n : Nat)
    (h : (x : F.K) * (x : F.K) = (n : F.K) * (n : F.K)) (hn : N + m ≤ n) :
    gaussianWeight F τ x ≤ gaussianWeight F τ (N : Int) * pow (F.exp (-(τ * (2 * (N : F.K)))))
      m := by
  rw [pow_exp]
  unfold gaussianWeight
  rw [h, ← F.exp_add, Lean.Grind.Ring.intCast_natCast]
  refine Numerics.exp_mono F ?_
  have h1 : (N : F.K) + (m : F.K) ≤ (n : F.K) := by
    rw [← Lean.Grind.Semiring.natCast_add]
    exact Numerics.natCast_mono hn
  have hN : (0 : F.K) ≤ (N : F.K) := Numerics.natCast_nonneg N
  have hm : (0 : F.K) ≤ (m : F.K) := Numerics.natCast_nonneg m
  have h2 := mul_le_mul' h1 h1
      (add_nonneg' (by assumption) (by assumption) : 0 ≤ (N : F.K) + (m : F.K))
          (by clear hτ h hn h1 hN hm; grind : 0 ≤ (n : F.K))
  have h3 := mul_nonneg' hm hm
  have h4 := mul_le_left
      (by grind : (N : F.K) * (N : F.K) + 2 * (N : F.K) * (m : F.K) ≤ (n : F.K) * (n : F.K))
    (Std.le_of_lt (by assumption) : 0 ≤ τ)
  clear hτ h hn h1 hN hm h2 h3
  grind

theorem tail_sum (τ : F.K) (hτ : 0 < τ) (N m : Nat) :
    (1 - F.exp (-(τ * (2 * (N : F.K))))) * intSum (gaussianWeight F τ) (N + m)
      ≤ (1 - F.exp (-(τ * (2 * (N : F.K))))) * intSum (gaussianWeight F τ) N
        + 2 * gaussianWeight F τ (N : Int) * (1 - pow (F.exp (-(τ * (2 * (N : F.K))))) m) := by
  induction m with
  | zero =>
    show _ ≤ _ + _ * (1 - 1)
    rw [Nat.add_zero]
    grind
  | succ m ih =>
    have a := tail_weight τ hτ N m (Int.ofNat (N + m)) (N + m) (by rw [cast_ofNat]) (Nat.le_refl _)
    have b := tail_weight τ hτ N m (Int.negSucc (N + m)) (N + m + 1) (cast_negSucc_square _)
        (by omega)
    have hg : F.exp (-(τ * (2 * (N : F.K)))) ≤ 1 := by
      have hN : (0 : F.K) ≤ (N : F.K) := Numerics.natCast_nonneg N
      have h1 := mul_nonneg' (Std.le_of_lt (by assumption) : 0 ≤ τ) (by grind : 0 ≤ 2 * (N : F.K))
      have h2 := Numerics.exp_mono F (by clear hτ ih a b hN; grind : -(τ * (2 * (N : F.K))) ≤ 0)
      rw [Numerics.exp_zero] at h2
      exact h2
    have e : pow (F.exp (-(τ * (2 * (N : F.K))))) (m + 1)
        = F.exp (-(τ * (2 * (N : F.K)))) * pow (F.exp (-(τ * (2 * (N : F.K))))) m := rfl
    rw [e]
    show _ * (intSum _ (N + m) + (_ + _)) ≤ _
    generalize F.exp (-(τ * (2 * (N : F.K)))) = γ at *
    generalize pow γ m = x at *
    have c := mul_le_left a (sub_nonneg' (by assumption) : 0 ≤ 1 - γ)
    have d := mul_le_left b (sub_nonneg' (by assumption) : 0 ≤ 1 - γ)
    clear hτ hg a b e
    grind

include hK in
theorem total_le (τ : F.K) (hτ : 0 < τ) (N : Nat) (hN : F.exp (-(τ * (2 * (N : F.K)))) < 1) :
    (1 - F.exp (-(τ * (2 * (N : F.K))))) * gaussianTotal F τ
      ≤ (1 - F.exp (-(τ * (2 * (N : F.K))))) * intSum (gaussianWeight F τ) N +
        2 * gaussianWeight F τ (N : Int) := by
  have h := ((gaussianTotal_tends F hK τ hτ).1).smul (1 - F.exp (-(τ * (2 * (N : F.K)))))
  refine h.mono (Tends.const _) fun n => ?_
  have a := tail_sum τ hτ N n
  have b := le_of_steps (intSum_increasing (f := gaussianWeight F τ)
      fun x => Std.le_of_lt (gaussianWeight_pos F τ x)) n N
  rw [Nat.add_comm] at b
  have c := mul_le_left b
      (sub_nonneg' (Std.le_of_lt (by assumption)) : 0 ≤ 1 - F.exp (-(τ * (2 * (N : F.K)))))
  have d := pow_nonneg (Std.le_of_lt (Numerics.exp_pos F (-(τ * (2 * (N : F.K))))) :
    0 ≤ F.exp (-(τ * (2 * (N : F.K))))) n
  have e := mul_nonneg'
      (by have := gaussianWeight_pos F τ (N : Int); grind : 0 ≤ 2 * gaussianWeight F τ (N : Int)) d
  clear hK hτ hN h b d
  grind

/-- Decides that `Z` is an upper bound of the sum of all weights. -/
def totalCheck (k p : Nat) (t : Rat) (N : Nat) (Z : Rat) : Bool :=
  match weightsUp k p t N, expUp k p (-(t * (ratOfNat N * ratOfNat N))),
    expUp k p (-(t * (2 * ratOfNat N))) with
  | some a, some b, some g => decide (g < 1) && decide (2 * b ≤ (1 - g) * (Z - a)) && decide (0 < Z)
  | _, _, _ => false

include hK in
theorem totalCheck_sound {k p : Nat} {t : Rat} (ht : 0 < t) {N : Nat} {Z : Rat}
    (h : totalCheck k p t N Z = true) :
    gaussianTotal F (ofRat t) ≤ ofRat Z ∧ 0 < Z := by
  have hτ : (0 : F.K) < ofRat t := Numerics.ofRat_pos ht
  unfold totalCheck at h
  split at h
  · rename_i a b g ha hb hg
    simp only [Bool.and_eq_true, decide_eq_true_eq] at h
    obtain ⟨⟨h1, h2⟩, h3⟩ := h
    refine ⟨?_, h3⟩
    have k1 := weightsUp_sound (F := F) ha
    have k2 := expUp_sound (F := F) hb
    have k3 := expUp_sound (F := F) hg
    have k4 := Numerics.ofRat_strictMono (K := F.K) h1
    have k5 := Numerics.ofRat_mono (K := F.K) h2
    rw [← weight_of_nat t (N : Int) N (by rw [Lean.Grind.Ring.intCast_natCast])] at k2
    rw [Numerics.ofRat_neg, Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_two,
        Numerics.ofRat_ratOfNat] at k3
    rw [Numerics.ofRat_one] at k4
    rw [Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_sub, Numerics.ofRat_sub,
        Numerics.ofRat_two,
      Numerics.ofRat_one] at k5
    have k6 := total_le hK (ofRat t) hτ N (by clear hK ht hτ ha hb hg h3 h1 h2 k1 k2 k5; grind)
    have w0 := gaussianWeight_pos F (ofRat t) (N : Int)
    generalize gaussianTotal F (ofRat t) = T at *
    generalize intSum (gaussianWeight F (ofRat t)) N = S at *
    generalize gaussianWeight F (ofRat t) (N : Int) = w at *
    generalize F.exp (-(ofRat t * (2 * (N : F.K)))) = γ at *
    generalize (ofRat a : F.K) = a at *
    generalize (ofRat b : F.K) = b at *
    generalize (ofRat g : F.K) = g at *
    generalize (ofRat Z : F.K) = Z at *
    refine Numerics.le_of_mul_le (c := 1 - g) ?_ (by exact sub_pos' (by assumption))
    by_cases hTS : T ≤ S
    · have m1 := mul_le_left (Std.le_trans (by assumption) (by assumption) : T ≤ a)
        (sub_nonneg' (Std.le_of_lt (by assumption)) : 0 ≤ 1 - g)
      clear hK ht hτ ha hb hg h3 h1 h2 k6 k1 k4 k3 hTS
      grind
    · have m1 := mul_nonneg' (by grind : 0 ≤ T - S) (sub_nonneg' (by assumption) : 0 ≤ g - γ)
      have m2 := mul_le_left k1 (sub_nonneg' (Std.le_of_lt (by assumption)) : 0 ≤ 1 - g)
      clear hK ht hτ ha hb hg h3 h1 h2 w0 k1 k4 k3 hTS
      grind
  · contradiction

/-- A lower bound of the probability of the noise `x`. -/
def massLo (k p : Nat) (t Z : Rat) (x : Int) : Rat :=
  expLo k p (-(t * (ratOfNat x.natAbs * ratOfNat x.natAbs))) / Z

theorem cast_square_natAbs (x : Int) : (x : F.K) * (x : F.K) =
    ((x.natAbs : Nat) : F.K) * ((x.natAbs : Nat) : F.K) := by
  rw [← Lean.Grind.Ring.intCast_natCast, ← Lean.Grind.Ring.intCast_mul,
      ← Lean.Grind.Ring.intCast_mul,
    Int.natAbs_mul_self']

include hK in
theorem massLo_sound {k p : Nat} {t Z : Rat} (ht : 0 < t) (hZ : gaussianTotal F (ofRat t) ≤ ofRat Z)
    (hZ0 : 0 < Z)
    (x : Int) : (0 : F.K) ≤ ofRat (massLo k p t Z x) ∧ ofRat (massLo k p t Z x) ≤
      noiseMass F (ofRat t) x := by
  have hτ : (0 : F.K) < ofRat t := Numerics.ofRat_pos ht
  have hT := (gaussianTotal_tends F hK (ofRat t) hτ).2
  have k1 := Numerics.expLo_le F k p (-(t * (ratOfNat x.natAbs * ratOfNat x.natAbs)))
  rw [← weight_of_nat t x x.natAbs (cast_square_natAbs x)] at k1
  have k0 : (0 : F.K) ≤ ofRat (expLo k p (-(t * (ratOfNat x.natAbs * ratOfNat x.natAbs)))) := by
    unfold Numerics.expLo
    have h2 := Numerics.natCast_pos (K := F.K) (Numerics.two_pow_ne_zero p)
    have h3 : 0 < ((2 ^ p : Nat) : F.K)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr h2
    rw [Numerics.ofRat_mkRat _ (Numerics.two_pow_ne_zero p), Lean.Grind.Field.div_eq_mul_inv]
    exact mul_nonneg' (Numerics.intCast_nonneg (Int.natCast_nonneg _))
        (by exact Std.le_of_lt (by assumption))
  have k3 : massLo k p t Z x * Z = expLo k p (-(t * (ratOfNat x.natAbs * ratOfNat x.natAbs))) := by
    unfold massLo
    generalize expLo k p (-(t * (ratOfNat x.natAbs * ratOfNat x.natAbs))) = z
    clear hK ht hZ hτ hT k1 k0
    grind
  have k4 := congrArg (ofRat (K := F.K)) k3
  rw [Numerics.ofRat_mul] at k4
  have k2 := Numerics.ofRat_pos (K := F.K) hZ0
  have k5 : (0 : F.K) ≤ ofRat (massLo k p t Z x) := by
    refine Numerics.le_of_mul_le (c := ofRat Z) ?_ k2
    clear hK ht hZ hZ0 hτ hT k1 k3 k2
    grind
  refine ⟨k5, Numerics.le_of_mul_le (c := gaussianTotal F (ofRat t)) ?_ hT⟩
  have k6 := mul_le_left hZ k5
  have e : gaussianTotal F (ofRat t) * noiseMass F (ofRat t) x = gaussianWeight F (ofRat t) x := by
    unfold noiseMass
    generalize gaussianTotal F (ofRat t) = T at *
    clear hK ht hZ0 hτ k1 k0 k3 k4 k2 k5 hZ k6
    grind
  rw [e]
  clear hK ht hZ hZ0 hτ hT k0 k3 k2 k5 e
  grind

theorem noiseMass_le_gap {m lo G h : F.K} (h0 : 0 ≤ lo) (hm : lo ≤ m) (hG : G ≤ h) (hh : h ≤ 0) : m
    * G ≤ lo * h := by
  have a := mul_le_left hG (Std.le_trans (by assumption) (by assumption) : 0 ≤ m)
  have b := mul_nonneg' (sub_nonneg' (by assumption) : 0 ≤ m - lo)
      (neg_nonneg' (by assumption) : 0 ≤ -h)
  clear h0 hm hG hh
  grind

/-- What the order `1 + i` is better than `1 + j`, as a number that is not positive. -/
def gapUp (k p : Nat) (j i : Nat) (R S : Rat) : Option Rat :=
  if i = j ∧ 0 < j then some 0
  else match expUp k p (ratOfNat i * (ratOfNat i + 1) * R - ratOfNat i * S) with
  | some u =>
    if kappa i * u - kappa j * expLo k p (ratOfNat j * (ratOfNat j + 1) * R - ratOfNat j * S) ≤ 0 ∧
      0 < i ∧ 0 < j then
      some (kappa i * u - kappa j * expLo k p (ratOfNat j * (ratOfNat j + 1) * R - ratOfNat j * S))
    else none
  | none => none

theorem orderBound_eq (i : Nat) {ρ r s : F.K} {R S : Rat} (hR : ρ + r = ofRat R)
    (hS : s = ofRat S) :
    orderBound i ρ r s
      = ofRat (kappa i) * F.exp (ofRat (ratOfNat i * (ratOfNat i + 1) * R - ratOfNat i * S)) := by
  unfold orderBound
  rw [hR, hS, Numerics.ofRat_sub, Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_mul,
      Numerics.ofRat_add,
    Numerics.ofRat_ratOfNat, Numerics.ofRat_one]

theorem gapUp_sound {k p j i : Nat} {R S h : Rat} (hh : gapUp k p j i R S = some h) {ρ r s : F.K}
    (hR : ρ + r = ofRat R) (hS : s = ofRat S) :
    orderBound i ρ r s - orderBound j ρ r s ≤ ofRat h ∧ h ≤ 0 ∧ 0 < i ∧ 0 < j := by
  unfold gapUp at hh
  split at hh
  · rename_i hij
    obtain ⟨e1, hj⟩ := hij
    injection hh with e
    subst e
    rw [e1, Numerics.ofRat_zero]
    exact ⟨by clear hR hS e1 hj; grind, Std.le_refl _, hj, hj⟩
  split at hh
  · rename_i u hu
    split at hh
    · rename_i hc
      injection hh with e
      subst e
      refine ⟨?_, hc⟩
      have k5 : (ofRat (kappa i * u - kappa j * expLo k p
          (ratOfNat j * (ratOfNat j + 1) * R - ratOfNat j * S)) : F.K)
          = ofRat (kappa i) * ofRat u
            - ofRat (kappa j) * ofRat (expLo k p (ratOfNat j * (ratOfNat j + 1) * R - ratOfNat j *
              S)) := by
        rw [Numerics.ofRat_sub, Numerics.ofRat_mul, Numerics.ofRat_mul]
      rw [orderBound_eq i hR hS, orderBound_eq j hR hS, k5]
      have k1 := expUp_sound (F := F) hu
      have k2 := Numerics.expLo_le F k p (ratOfNat j * (ratOfNat j + 1) * R - ratOfNat j * S)
      have k3 := mul_le_left k1 (Numerics.ofRat_nonneg (K := F.K)
          (Std.le_of_lt (kappa_pos hc.2.1) : 0 ≤ kappa i))
      have k4 := mul_le_left k2 (Numerics.ofRat_nonneg (K := F.K)
          (Std.le_of_lt (kappa_pos hc.2.2) : 0 ≤ kappa j))
      clear hR hS hu hc k5 k1 k2
      grind
    · contradiction
  · contradiction

theorem noiseLoss_eq (t : Rat) (x : Int) : noiseLoss F (ofRat t) x =
    ofRat (t * (1 - 2 * (x : Rat))) := by
  have e : (ofRat (x : Rat) : F.K) = (x : F.K) := by
    have h := Numerics.ofRat_mkRat (K := F.K) x (d := 1) (by omega)
    rw [Rat.mkRat_one] at h
    rw [h, Lean.Grind.Semiring.natCast_one]
    grind
  unfold noiseLoss
  rw [Numerics.ofRat_mul, Numerics.ofRat_sub, Numerics.ofRat_mul, Numerics.ofRat_two,
      Numerics.ofRat_one, e]

/-! ### Two answers -/

/-- No noise in the list is `y`. -/
def fresh {α : Type} (y : Int) : List (Int × α) → Bool
  | [] => true
  | (x, _) :: X => decide (x ≠ y) && fresh y X

theorem pick_fresh {α : Type} (B : F.K → F.K → F.K) (C : α → F.K → F.K → F.K) (y : Int) :
    ∀ X : List (Int × α), fresh y X = true → pick F B (X.map fun p => (p.1, C p.2)) y = B
  | [], _ => rfl
  | (x, a) :: X, h => by
    simp only [fresh, Bool.and_eq_true, decide_eq_true_eq] at h
    show (if y = x then _ else pick F B (X.map fun p => (p.1, C p.2)) y) = B
    rw [if_neg fun e => h.1 e.symm]
    exact pick_fresh B C y X h.2

/-- The bound behind the first of the two answers: the order `1 + j`, but for exceptions by the
noise of the second. -/
noncomputable def innerBound (τ ρ : F.K) (j : Nat) (X : List (Int × Nat)) : F.K → F.K → F.K :=
  mix F τ (orderBound j ρ) (X.map fun p => (p.1, orderBound p.2 ρ))

/-- The bound before both, with exceptions by the noise of the first, each with an order and
exceptions of its own. -/
noncomputable def outerBound (τ ρ : F.K) (j : Nat) (X : List (Int × (Nat × List (Int × Nat)))) : F.K
    → F.K → F.K :=
  mix F τ (innerBound τ ρ j []) (X.map fun p => (p.1, innerBound τ ρ p.2.1 p.2.2))

/-- What the exceptions of the second answer gain. -/
def innerUp (k p : Nat) (t Z : Rat) (j : Nat) (R S : Rat) : List (Int × Nat) → Option Rat
  | [] => some 0
  | (y, i) :: X =>
    match fresh y X, gapUp k p j i R (S - t * (1 - 2 * (y : Rat))), innerUp k p t Z j R S X with
    | true, some h, some a => some (massLo k p t Z y * h + a)
    | _, _, _ => none

include hK in
theorem innerUp_sound {k p : Nat} {t Z : Rat} (ht : 0 < t)
    (hZ : gaussianTotal F (ofRat t) ≤ ofRat Z) (hZ0 : 0 < Z)
    {j : Nat} {R S : Rat} {ρ r s : F.K} (hR : ρ + r = ofRat R) (hS : s = ofRat S)
      (X : List (Int × Nat)) {u : Rat}
    (h : innerUp k p t Z j R S X = some u) :
    innerBound (ofRat t) ρ j X r s ≤ orderBound j ρ (r + ofRat t) s + ofRat u ∧ (ofRat u : F.K) ≤ 0
      ∧ ∀ q ∈ X, 0 < q.2 := by
  induction X generalizing u with
  | nil =>
    injection h with e
    subst e
    rw [Numerics.ofRat_zero]
    refine ⟨?_, Std.le_refl _, fun q hq => absurd hq List.not_mem_nil⟩
    show orderBound j ρ (r + ofRat t) s ≤ _
    clear hK ht hZ hZ0 hR hS
    grind
  | cons q X ih =>
    obtain ⟨y, i⟩ := q
    unfold innerUp at h
    split at h
    · rename_i hf hg ha
      rename_i g a
      injection h with e
      subst e
      have k1 := ih ha
      have k2 := gapUp_sound (F := F) hg (ρ := ρ) (r := r) (s := s - noiseLoss F (ofRat t) y) hR (by
        rw [Numerics.ofRat_sub, noiseLoss_eq, hS])
      have k3 := massLo_sound hK (k := k) (p := p) ht hZ hZ0 y
      have k4 : (ofRat g : F.K) ≤ 0 := by
        have := Numerics.ofRat_mono (K := F.K) k2.2.1
        rw [Numerics.ofRat_zero] at this
        exact this
      have k5 := noiseMass_le_gap k3.1 k3.2 k2.1 k4
      have k6 := mul_nonneg' k3.1 (neg_nonneg' (by assumption) : 0 ≤ -(ofRat g : F.K))
      rw [Numerics.ofRat_add, Numerics.ofRat_mul]
      refine ⟨?_, by clear hK ht hZ hZ0 hR hS ih hf hg ha k2 k3 k4 k5; grind, fun q hq => ?_⟩
      · have e := pick_fresh (orderBound (F := F) j ρ) (fun i => orderBound i ρ) y X hf
        show innerBound (ofRat t) ρ j X r s + noiseMass F (ofRat t) y *
            (orderBound i ρ r (s - noiseLoss F (ofRat t) y)
          - pick F (orderBound j ρ) (X.map fun p => (p.1, orderBound p.2 ρ)) y r
            (s - noiseLoss F (ofRat t) y)) ≤ _
        rw [e]
        clear hK ht hZ hZ0 hR hS ih hf hg ha k2 k3 k4 k6 e
        grind
      · rcases List.mem_cons.mp hq with e | e
        · subst e
          exact k2.2.2.1
        · exact k1.2.2 q e
    · contradiction

/-- What the exceptions of both answers gain. -/
def outerUp (k p : Nat) (t Z : Rat) (j : Nat) (R S : Rat) : List (Int × (Nat × List (Int × Nat))) →
    Option Rat
  | [] => some 0
  | (y, (i, Y)) :: X =>
    match fresh y X, gapUp k p j i (R + t) (S - t * (1 - 2 * (y : Rat))),
      innerUp k p t Z i R (S - t * (1 - 2 * (y : Rat))) Y, outerUp k p t Z j R S X with
    | true, some h, some g, some a => some (massLo k p t Z y * (h + g) + a)
    | _, _, _, _ => none

include hK in
theorem outerUp_sound {k p : Nat} {t Z : Rat} (ht : 0 < t)
    (hZ : gaussianTotal F (ofRat t) ≤ ofRat Z) (hZ0 : 0 < Z)
    {j : Nat} {R S : Rat} {ρ r s : F.K} (hR : ρ + r = ofRat R) (hS : s = ofRat S)
    (X : List (Int × (Nat × List (Int × Nat)))) {u : Rat} (h : outerUp k p t Z j R S X = some u) :
    outerBound (ofRat t) ρ j X r s ≤ orderBound j ρ (r + ofRat t + ofRat t) s + ofRat u
      ∧ ∀ q ∈ X, 0 < q.2.1 ∧ ∀ q' ∈ q.2.2, 0 < q'.2 := by
  induction X generalizing u with
  | nil =>
    injection h with e
    subst e
    rw [Numerics.ofRat_zero]
    refine ⟨?_, fun q hq => absurd hq List.not_mem_nil⟩
    show orderBound j ρ (r + ofRat t + ofRat t) s ≤ _
    clear hK ht hZ hZ0 hR hS
    grind
  | cons q X ih =>
    obtain ⟨y, i, Y⟩ := q
    unfold outerUp at h
    split at h
    · rename_i hf hg hi ha
      rename_i c g a
      injection h with e
      subst e
      have es : s - noiseLoss F (ofRat t) y = ofRat (S - t * (1 - 2 * (y : Rat))) := by
        rw [Numerics.ofRat_sub, noiseLoss_eq, hS]
      have k1 := ih ha
      have k2 := gapUp_sound (F := F) hg (ρ := ρ) (r := r + ofRat t)
          (s := s - noiseLoss F (ofRat t) y) (by
        rw [Numerics.ofRat_add, ← hR]
        clear hK ht hZ hZ0 hR hS ih hf hg hi ha es k1
        grind) es
      have k3 := massLo_sound hK (k := k) (p := p) ht hZ hZ0 y
      have k7 := innerUp_sound hK ht hZ hZ0 hR es Y hi
      have k4 : (ofRat c : F.K) ≤ 0 := by
        have := Numerics.ofRat_mono (K := F.K) k2.2.1
        rw [Numerics.ofRat_zero] at this
        exact this
      have k5 := noiseMass_le_gap k3.1 k3.2 (by grind :
        innerBound (ofRat t) ρ i Y r (s - noiseLoss F (ofRat t) y)
          - orderBound j ρ (r + ofRat t) (s - noiseLoss F (ofRat t) y) ≤ ofRat c + ofRat g)
            (by clear hK ht hZ hZ0 hR hS ih hf hg hi ha es k1 k2 k3; grind)
      rw [Numerics.ofRat_add, Numerics.ofRat_mul, Numerics.ofRat_add]
      refine ⟨?_, fun q hq => ?_⟩
      · have e := pick_fresh (innerBound (F := F) (ofRat t) ρ j [])
            (fun z : Nat × List (Int × Nat) =>
          innerBound (ofRat t) ρ z.1 z.2) y X hf
        show outerBound (ofRat t) ρ j X r s + noiseMass F (ofRat t) y
          * (innerBound (ofRat t) ρ i Y r (s - noiseLoss F (ofRat t) y)
          - pick F (innerBound (ofRat t) ρ j []) (X.map fun p =>
            (p.1, innerBound (ofRat t) ρ p.2.1 p.2.2)) y r
            (s - noiseLoss F (ofRat t) y)) ≤ _
        rw [e]
        have e2 : innerBound (ofRat t) ρ j [] r (s - noiseLoss F (ofRat t) y)
          = orderBound j ρ (r + ofRat t) (s - noiseLoss F (ofRat t) y) := rfl
        rw [e2]
        clear hK ht hZ hZ0 hR hS ih hf hg hi ha es k2 k3 k7 k4 e e2
        grind
      · rcases List.mem_cons.mp hq with e | e
        · subst e
          exact ⟨k2.2.2.1, k7.2.2⟩
        · exact k1.2 q e
    · contradiction

/-- Decides the bound: `pre`, a round of squared norm 2 with noise of the parameter `v`, `post`; `R`
is the `ρ` of `pre` and `post` together, `Z` an upper bound of the sum of the weights. -/
noncomputable def sharpCheck (k p : Nat) (pre : List GaussianRound) (v : Rat)
    (post : List GaussianRound) (N : Nat) (Z : Rat) (j : Nat)
    (R : Rat) (X : List (Int × (Nat × List (Int × Nat)))) (eps delta : Rat) : Bool :=
  (pre.all fun r => decide (0 < r.variance)) && decide (0 < v) &&
    (post.all fun r => decide (0 < r.variance))
    && decide (0 < j) && totalCheck k p (1 / (2 * v)) N Z
    && decide (Numerics.totalPar (gaussianGroups post) + Numerics.totalPar (gaussianGroups pre) = R)
    && match outerUp k p (1 / (2 * v)) Z j R eps X,
      expUp k p (ratOfNat j * (ratOfNat j + 1) * (R + 1 / (2 * v) + 1 / (2 * v)) - ratOfNat j * eps)
        with
    | some a, some u => decide (kappa j * u + a ≤ delta)
    | _, _ => false

theorem positive_of_all {l : List GaussianRound} (h : (l.all fun r => decide (0 < r.variance)) =
    true) :
    PositiveVariances l := fun r hr => of_decide_eq_true (List.all_eq_true.mp h r hr)

/-- **What the kernel checks is privacy**: every analyst of the ledger, every test of the view, in
every complete exponential field with logarithms. -/
theorem sharp_certificate_is_a_privacy_guarantee (hlog : HasLogs F) {k p : Nat}
    {pre : List GaussianRound} {v : Rat}
    {post : List GaussianRound} {N : Nat} {Z : Rat} {j : Nat} {R : Rat}
    {X : List (Int × (Nat × List (Int × Nat)))} {eps delta : Rat}
    (h : sharpCheck k p pre v post N Z j R X eps delta = true)
    (g : GaussianAnalyst F (pre ++ ⟨v, 2⟩ :: post)) (f : g.View → F.K) (h0 : ∀ v, 0 ≤ f v)
      (h1 : ∀ v, f v ≤ 1)
    (b : Bool) :
    GaussianAnalyst.expect hK b g f
      ≤ F.exp (ofRat eps) * GaussianAnalyst.expect hK (!b) g f + ofRat delta := by
  unfold sharpCheck at h
  simp only [Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨⟨⟨hpre, hv⟩, hpost⟩, hj⟩, htot⟩, hR⟩, hlast⟩ := h
  subst hR
  have ht : 0 < 1 / (2 * v) := by
    have hi : 0 < (2 * v)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
    rw [Lean.Grind.Field.div_eq_mul_inv]
    clear hlog h0 h1 htot hj hpost hpre hv hlast
    grind
  have hZ := totalCheck_sound hK ht htot
  split at hlast
  · rename_i a u ha hu
    simp only [decide_eq_true_eq] at hlast
    have hpos : PositiveVariances (⟨v, 0⟩ :: post) := fun r hr => by
      rcases List.mem_cons.mp hr with e | e
      · subst e; exact hv
      · exact positive_of_all hpost r e
    have eρ : (ofRat (Numerics.totalPar (gaussianGroups (⟨v, 0⟩ :: post))) : F.K)
        = ofRat (Numerics.totalPar (gaussianGroups post)) := by
      rw [totalPar_cons]
      show _ + _ * ((0 : Nat) : F.K) = _
      rw [Lean.Grind.Semiring.natCast_zero]
      clear hlog h0 h1 htot hj hpost hpre hv ht hZ ha hu hlast hpos
      grind
    have hB : ∀ {i : Nat}, 0 < i →
        Bounds F hK (⟨v, 0⟩ :: post) (orderBound i (ofRat
          (Numerics.totalPar (gaussianGroups post)))) :=
      fun {i} hi => by
        have := orderBound_bounds hK hlog hi hpos
        rw [eρ] at this
        exact this
    have k1 := outerUp_sound hK (r := ofRat (Numerics.totalPar (gaussianGroups pre)))
      (ρ := ofRat (Numerics.totalPar (gaussianGroups post))) (s := ofRat eps) ht hZ.1 hZ.2
      (Numerics.ofRat_add _ _).symm rfl X ha
    have inner : ∀ (i : Nat) (Y : List (Int × Nat)), 0 < i → (∀ q ∈ Y, 0 < q.2) →
        Bounds F hK (⟨v, 1⟩ :: post)
          (innerBound (ofRat (1 / (2 * v))) (ofRat (Numerics.totalPar (gaussianGroups post))) i
            Y) := fun i Y hi hY =>
      mix_bounds hK hv (Nat.zero_le _) (orderBound_exact hK _ _) (hB hi) fun q hq => by
        obtain ⟨z, hz, e⟩ := List.mem_map.mp hq
        subst e
        exact hB (hY z hz)
    have exact_inner : ∀ (i : Nat) (Y : List (Int × Nat)), Exact F hK
        (innerBound (ofRat (1 / (2 * v))) (ofRat (Numerics.totalPar (gaussianGroups post))) i Y) :=
          fun i Y =>
      mix_exact hK (orderBound_exact hK _ _) fun q hq => by
        obtain ⟨z, hz, e⟩ := List.mem_map.mp hq
        subst e
        exact orderBound_exact hK _ _
    have outer : Bounds F hK (⟨v, 2⟩ :: post)
        (outerBound (ofRat (1 / (2 * v))) (ofRat (Numerics.totalPar (gaussianGroups post))) j X) :=
      mix_bounds hK hv (Nat.le_refl _) (exact_inner _ _)
        (inner j [] hj fun q hq => absurd hq List.not_mem_nil)
        fun q hq => by
          obtain ⟨z, hz, e⟩ := List.mem_map.mp hq
          subst e
          exact inner _ _ (k1.2 z hz).1 (k1.2 z hz).2
    have exact_outer : Exact F hK
        (outerBound (ofRat (1 / (2 * v))) (ofRat (Numerics.totalPar (gaussianGroups post))) j X) :=
      mix_exact hK (exact_inner _ _) fun q hq => by
        obtain ⟨z, hz, e⟩ := List.mem_map.mp hq
        subst e
        exact exact_inner _ _
    have key := exact_outer.before hK outer b g pre rfl (positive_of_all hpre) f h0 h1 _
        (Std.le_refl _) (ofRat eps)
    have k2 := expUp_sound (F := F) hu
    have k3 := mul_le_left k2 (Numerics.ofRat_nonneg (K := F.K)
        (Std.le_of_lt (kappa_pos hj) : 0 ≤ kappa j))
    rw [← orderBound_eq j (ρ := ofRat (Numerics.totalPar (gaussianGroups post)))
      (r := ofRat (Numerics.totalPar (gaussianGroups pre)) + ofRat (1 / (2 * v)) +
        ofRat (1 / (2 * v)))
      (s := ofRat eps) (by
        rw [Numerics.ofRat_add, Numerics.ofRat_add, Numerics.ofRat_add]
        clear hlog h0 h1 htot hj hpost hpre hv ht hZ ha hu hlast hpos eρ hB k1 inner exact_inner
          outer exact_outer key k2 k3
        grind) rfl] at k3
    have k4 := Numerics.ofRat_mono (K := F.K) hlast
    rw [Numerics.ofRat_add, Numerics.ofRat_mul] at k4
    have k5 := k1.1
    clear hlog h0 h1 htot hj hpost hpre hv ht hZ ha hu hlast hpos eρ hB inner exact_inner outer
      exact_outer k2 k5
    grind
  · contradiction

end PrivRef
