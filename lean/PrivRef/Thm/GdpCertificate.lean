module

public import PrivRef.Thm.GaussianLosses
public import PrivRef.Thm.GdpBins
public import PrivRef.Thm.Listed
public import PrivRef.Thm.RangeCertificate

/-!
A checker of Gaussian differential privacy that the kernel evaluates: upper bounds of the
hockey-stick divergence of normal laws, by sums over a grid in fixed point.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField ofRat ratOfNat expLo expHi expNum)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable {F : ExpField}

/-- The sum of `n + 1` numbers over `2^p`, the first of which is `g`.  Each is the one before times
`ρ`, and each `ρ` the one before times `r`, rounded down, and up where `c = 1`. -/
def sumDown (p r c : Nat) : Nat → Nat → Nat → Nat → Nat
  | 0, g, _, acc => acc + g
  | n + 1, g, ρ, acc =>
    forced (acc + g) fun acc => forced (g * ρ / 2 ^ p + c) fun g =>
    forced (ρ * r / 2 ^ p + c) fun ρ => sumDown p r c n g ρ acc

/-- An upper bound of `e^{-T²/2} + e^{-(T - w)²/2} + … + e^{-(T - n w)²/2}`. -/
def downUp (k p : Nat) (w : Rat) (n : Nat) (T : Rat) : Option Rat :=
  if 0 < upNum k p (-(T * T / 2)) ∧ 0 < upNum k p (T * w - w * w / 2) ∧ 0 < upNum k p (-(w * w))
  then some (mkRat (sumDown p (upNum k p (-(w * w))) 1 n (upNum k p (-(T * T / 2)))
    (upNum k p (T * w - w * w / 2)) 0) (2 ^ p))
  else none

/-- A lower bound of the same sum. -/
def downLo (k p : Nat) (w : Rat) (n : Nat) (T : Rat) : Rat :=
  mkRat (sumDown p (expNum k p (-(w * w))) 0 n (expNum k p (-(T * T / 2)))
    (expNum k p (T * w - w * w / 2)) 0) (2 ^ p)

/-- Upper bounds of the weights of the last bins. -/
def weightUp (k p : Nat) (T : Rat) : Option Rat := expUp k p (-(T * T / 2))

/-- Decides that the hockey-stick divergence at `e^s` of normal laws at the distance `c` is at most
`δ`: `w` is the width of the bins, `T` the place of the last one, and `T'` of the last one for the
sum of all weights. -/
def hockeyCheck (k p n n' : Nat) (w T T' c s δ : Rat) : Bool :=
  decide (0 < w) && decide (0 ≤ c) && decide (s + (c * T - c * c / 2) ≤ 0)
    && decide (0 ≤ s + (c * (T + w) - c * c / 2)) && decide (T - ratOfNat n * w ≤ 0)
    && match downUp k p w n (T - w), downUp k p w n (T + w), expUp k p (w * w / 2),
      expUp k p (c * w), weightUp k p (T - ratOfNat n * w) with
    | some G1, some G2, some y, some η, some t =>
      match weightUp k p (T - w), weightUp k p (T + w), weightUp k p T,
        weightUp k p (T + w + w) with
      | some g1, some g2, some g3, some g4 =>
        decide (0 ≤ δ - t) &&
        decide (y * (G1 + G2 + (η - 1) * (g1 + g2 + (g3 + g4)))
          - 2 * expLo k p s * downLo k p w n (T - c) ≤ 2 * (δ - t) * downLo k p w n' T')
      | _, _, _, _ => false
    | _, _, _, _, _ => false

/-! ### It is right -/

open PrivRef.NormalLaw (gauss down)

theorem gauss_ofRat (F : ExpField) (T : Rat) :
    gauss F (ofRat T) = F.exp (ofRat (-(T * T / 2))) := by
  unfold gauss
  congr 1
  rw [Numerics.ofRat_neg]
  have e : T * T = T * T / 2 * 2 := by grind
  have h := congrArg (ofRat (K := F.K)) e
  rw [Numerics.ofRat_mul, Numerics.ofRat_mul (T * T / 2), Numerics.ofRat_two] at h
  grind

theorem gauss_next (w T : F.K) : gauss F (T - w) = gauss F T * F.exp (T * w - w * w / 2) := by
  unfold gauss
  rw [← F.exp_add]
  congr 1
  grind

theorem ratio_next (w T : F.K) : F.exp ((T - w) * w - w * w / 2)
    = F.exp (T * w - w * w / 2) * F.exp (-(w * w)) := by
  rw [← F.exp_add]
  congr 1
  grind

/-- A product in fixed point, rounded up. -/
theorem product_up {p a b : Nat} {x y : F.K} (hx : 0 ≤ x) (hy : 0 ≤ y)
    (ha : ((2 ^ p : Nat) : F.K) * x ≤ (a : F.K)) (hb : ((2 ^ p : Nat) : F.K) * y ≤ (b : F.K)) :
    ((2 ^ p : Nat) : F.K) * (x * y) ≤ ((a * b / 2 ^ p + 1 : Nat) : F.K) := by
  have hp := two_pow_pos' (F := F) p
  have h2 : a * b ≤ 2 ^ p * (a * b / 2 ^ p + 1) := by
    have := Nat.div_add_mod (a * b) (2 ^ p)
    have := Nat.mod_lt (a * b) (Nat.two_pow_pos p)
    rw [Nat.mul_add, Nat.mul_one]
    omega
  have h3 := Numerics.natCast_mono (K := F.K) h2
  rw [Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at h3
  generalize ((a * b / 2 ^ p + 1 : Nat) : F.K) = u at *
  generalize ((2 ^ p : Nat) : F.K) = P at *
  have k := Numerics.mul_mono ha hb (mul_nonneg' (Std.le_of_lt hp) hy)
    (Std.le_trans (mul_nonneg' (Std.le_of_lt hp) hx) ha)
  refine Numerics.le_of_mul_le (c := P) ?_ hp
  have e : P * (P * (x * y)) = P * x * (P * y) := by grind
  rw [e]
  exact Std.le_trans k h3

/-- A product in fixed point, rounded down. -/
theorem product_down {p a b : Nat} {x y : F.K} (hx : 0 ≤ x)
    (ha : (a : F.K) ≤ ((2 ^ p : Nat) : F.K) * x) (hb : (b : F.K) ≤ ((2 ^ p : Nat) : F.K) * y) :
    ((a * b / 2 ^ p + 0 : Nat) : F.K) ≤ ((2 ^ p : Nat) : F.K) * (x * y) := by
  have hp := two_pow_pos' (F := F) p
  rw [Nat.add_zero]
  have h3 := Numerics.natCast_mono (K := F.K) (Nat.mul_div_le (a * b) (2 ^ p))
  rw [Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at h3
  generalize ((a * b / 2 ^ p : Nat) : F.K) = u at *
  have k := Numerics.mul_mono ha hb (Numerics.natCast_nonneg b)
    (mul_nonneg' (Std.le_of_lt hp) hx)
  generalize ((2 ^ p : Nat) : F.K) = P at *
  refine Numerics.le_of_mul_le (c := P) ?_ hp
  have e : P * (P * (x * y)) = P * x * (P * y) := by grind
  rw [e]
  exact Std.le_trans h3 k

theorem sumDown_up {p r : Nat} {w : F.K} (hr : ((2 ^ p : Nat) : F.K) * F.exp (-(w * w)) ≤ (r : F.K))
    (n g ρ acc : Nat) (T : F.K) (hg : ((2 ^ p : Nat) : F.K) * gauss F T ≤ (g : F.K))
    (hρ : ((2 ^ p : Nat) : F.K) * F.exp (T * w - w * w / 2) ≤ (ρ : F.K)) :
    ((2 ^ p : Nat) : F.K) * down w (gauss F) n T + (acc : F.K)
      ≤ (sumDown p r 1 n g ρ acc : F.K) := by
  induction n generalizing g ρ acc T with
  | zero =>
    show _ * gauss F T + _ ≤ ((acc + g : Nat) : F.K)
    rw [Lean.Grind.Semiring.natCast_add]
    grind
  | succ n ih =>
    have pos := fun x => Std.le_of_lt (Numerics.exp_pos F x)
    have h1 := product_up (pos _) (pos _) hg hρ
    have h2 := product_up (pos _) (pos _) hρ hr
    have e1 := gauss_next w T
    unfold gauss at e1 h1
    rw [← e1] at h1
    rw [← ratio_next] at h2
    have h := ih (g * ρ / 2 ^ p + 1) (ρ * r / 2 ^ p + 1) (acc + g) (T - w) h1 h2
    have e : sumDown p r 1 (n + 1) g ρ acc
        = sumDown p r 1 n (g * ρ / 2 ^ p + 1) (ρ * r / 2 ^ p + 1) (acc + g) := by
      simp only [sumDown, forced_eq]
    rw [e]
    refine Std.le_trans ?_ h
    rw [Lean.Grind.Semiring.natCast_add]
    show _ * (gauss F T + _) + _ ≤ _
    generalize down w (gauss F) n (T - w) = d at *
    grind

theorem sumDown_lo {p r : Nat} {w : F.K} (hr : (r : F.K) ≤ ((2 ^ p : Nat) : F.K) * F.exp (-(w * w)))
    (n g ρ acc : Nat) (T : F.K) (hg : (g : F.K) ≤ ((2 ^ p : Nat) : F.K) * gauss F T)
    (hρ : (ρ : F.K) ≤ ((2 ^ p : Nat) : F.K) * F.exp (T * w - w * w / 2)) :
    (sumDown p r 0 n g ρ acc : F.K)
      ≤ ((2 ^ p : Nat) : F.K) * down w (gauss F) n T + (acc : F.K) := by
  induction n generalizing g ρ acc T with
  | zero =>
    show ((acc + g : Nat) : F.K) ≤ _ * gauss F T + _
    rw [Lean.Grind.Semiring.natCast_add]
    grind
  | succ n ih =>
    have pos := fun x => Std.le_of_lt (Numerics.exp_pos F x)
    have h1 := product_down (pos _) hg hρ
    have h2 := product_down (pos _) hρ hr
    have e1 := gauss_next w T
    unfold gauss at e1 h1
    rw [← e1] at h1
    rw [← ratio_next] at h2
    have h := ih (g * ρ / 2 ^ p + 0) (ρ * r / 2 ^ p + 0) (acc + g) (T - w) h1 h2
    have e : sumDown p r 0 (n + 1) g ρ acc
        = sumDown p r 0 n (g * ρ / 2 ^ p + 0) (ρ * r / 2 ^ p + 0) (acc + g) := by
      simp only [sumDown, forced_eq]
    rw [e]
    refine Std.le_trans h ?_
    rw [Lean.Grind.Semiring.natCast_add]
    show _ ≤ _ * (gauss F T + _) + _
    generalize down w (gauss F) n (T - w) = d at *
    grind

theorem exponent_ofRat (F : ExpField) (T w : Rat) :
    F.exp (ofRat T * ofRat w - ofRat w * ofRat w / 2) = F.exp (ofRat (T * w - w * w / 2)) := by
  congr 1
  have e : w * w = w * w / 2 * 2 := by grind
  have h := congrArg (ofRat (K := F.K)) e
  rw [Numerics.ofRat_mul, Numerics.ofRat_mul (w * w / 2), Numerics.ofRat_two] at h
  rw [Numerics.ofRat_sub, Numerics.ofRat_mul]
  grind

theorem square_ofRat (F : ExpField) (w : Rat) :
    F.exp (-(ofRat w * ofRat w)) = F.exp (ofRat (-(w * w))) := by
  rw [Numerics.ofRat_neg, Numerics.ofRat_mul]

theorem downUp_sound {k p n : Nat} {w T G : Rat} (h : downUp k p w n T = some G) :
    down (ofRat w) (gauss F) n (ofRat T) ≤ ofRat G := by
  unfold downUp at h
  split at h
  · rename_i hpos
    injection h with h
    subst h
    have hp := two_pow_pos' (F := F) p
    have h1 := upNum_sound (F := F) hpos.1
    have h2 := upNum_sound (F := F) hpos.2.1
    have h3 := upNum_sound (F := F) hpos.2.2
    rw [← gauss_ofRat] at h1
    rw [← exponent_ofRat] at h2
    rw [← square_ofRat] at h3
    have h := sumDown_up h3 n _ _ 0 (ofRat T) h1 h2
    rw [Numerics.ofRat_mkRat _ (Numerics.two_pow_ne_zero p), Lean.Grind.Ring.intCast_natCast]
    rw [Lean.Grind.Semiring.natCast_zero] at h
    refine Numerics.le_of_mul_le (c := ((2 ^ p : Nat) : F.K)) ?_ hp
    generalize ((2 ^ p : Nat) : F.K) = P at *
    generalize down (ofRat w) (gauss F) n (ofRat T) = d at *
    generalize ((sumDown p (upNum k p (-(w * w))) 1 n (upNum k p (-(T * T / 2)))
      (upNum k p (T * w - w * w / 2)) 0 : Nat) : F.K) = x at *
    have e : P * (x / P) = x := by grind
    rw [e]
    grind
  · contradiction

theorem downLo_sound (k p n : Nat) (w T : Rat) :
    ofRat (downLo k p w n T) ≤ down (ofRat w) (gauss F) n (ofRat T) := by
  have hp := two_pow_pos' (F := F) p
  have h1 := Numerics.expNum_le F k p (-(T * T / 2))
  have h2 := Numerics.expNum_le F k p (T * w - w * w / 2)
  have h3 := Numerics.expNum_le F k p (-(w * w))
  rw [← gauss_ofRat] at h1
  rw [← exponent_ofRat] at h2
  rw [← square_ofRat] at h3
  have h := sumDown_lo h3 n _ _ 0 (ofRat T) h1 h2
  unfold downLo
  rw [Numerics.ofRat_mkRat _ (Numerics.two_pow_ne_zero p), Lean.Grind.Ring.intCast_natCast]
  rw [Lean.Grind.Semiring.natCast_zero] at h
  refine Numerics.le_of_mul_le (c := ((2 ^ p : Nat) : F.K)) ?_ hp
  generalize ((2 ^ p : Nat) : F.K) = P at *
  generalize down (ofRat w) (gauss F) n (ofRat T) = d at *
  generalize ((sumDown p (expNum k p (-(w * w))) 0 n (expNum k p (-(T * T / 2)))
    (expNum k p (T * w - w * w / 2)) 0 : Nat) : F.K) = x at *
  have e : P * (x / P) = x := by grind
  rw [e]
  grind

theorem down_nonneg (w : F.K) (n : Nat) (T : F.K) : 0 ≤ down w (gauss F) n T := by
  induction n generalizing T with
  | zero => exact Std.le_of_lt (Numerics.exp_pos F _)
  | succ n ih => exact add_nonneg' (Std.le_of_lt (Numerics.exp_pos F _)) (ih _)

theorem weightUp_sound {k p : Nat} {T t : Rat} (h : weightUp k p T = some t) :
    gauss F (ofRat T) ≤ ofRat t := by
  rw [gauss_ofRat]
  exact expUp_sound h

/-- **The check is right.** -/
theorem hockeyCheck_sound (N : NormalLaw F) {k p n n' : Nat} {w T T' c s δ : Rat}
    (h : hockeyCheck k p n n' w T T' c s δ = true) : N.delta (ofRat c) (ofRat s) ≤ ofRat δ := by
  simp only [hockeyCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨⟨hw, hc⟩, h1⟩, h2⟩, ha⟩, h⟩ := h
  split at h
  · rename_i G1 G2 y η t hG1 hG2 hy hη ht
    split at h
    · rename_i g1 g2 g3 g4 k1 k2 k3 k4
      simp only [Bool.and_eq_true, decide_eq_true_eq] at h
      have a1 := downUp_sound (F := F) hG1
      have a2 := downUp_sound (F := F) hG2
      have b := expUp_sound (F := F) hy
      have b2 := expUp_sound (F := F) hη
      have t1 := weightUp_sound (F := F) ht
      have c1 := weightUp_sound (F := F) k1
      have c2 := weightUp_sound (F := F) k2
      have c3 := weightUp_sound (F := F) k3
      have c4 := weightUp_sound (F := F) k4
      have lo := downLo_sound (F := F) k p n w (T - c)
      have loZ := downLo_sound (F := F) k p n' w T'
      have es := Numerics.expLo_le F k p s
      have es0 := expLo_nonneg F k p s
      have hw' : (0 : F.K) < ofRat w := Numerics.ofRat_pos hw
      have hc' : (0 : F.K) ≤ ofRat c := Numerics.ofRat_nonneg hc
      have half : ∀ x : Rat, (ofRat (x / 2) : F.K) = ofRat x / 2 := fun x => by
        have e : x = x / 2 * 2 := by grind
        have h := congrArg (ofRat (K := F.K)) e
        rw [Numerics.ofRat_mul, Numerics.ofRat_two] at h
        grind
      have h1' := Numerics.ofRat_mono (K := F.K) h1
      have h2' := Numerics.ofRat_mono (K := F.K) h2
      have ha' := Numerics.ofRat_mono (K := F.K) ha
      have d1 := Numerics.ofRat_mono (K := F.K) h.1
      have d2 := Numerics.ofRat_mono (K := F.K) h.2
      rw [Numerics.ofRat_add, Numerics.ofRat_sub, half, Numerics.ofRat_mul, Numerics.ofRat_mul,
        Numerics.ofRat_zero] at h1'
      rw [Numerics.ofRat_add, Numerics.ofRat_sub, half, Numerics.ofRat_mul, Numerics.ofRat_mul,
        Numerics.ofRat_add, Numerics.ofRat_zero] at h2'
      rw [Numerics.ofRat_sub, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat, Numerics.ofRat_zero]
        at ha'
      rw [Numerics.ofRat_sub, Numerics.ofRat_zero] at d1
      rw [Numerics.ofRat_sub, Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_mul,
        Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_add, Numerics.ofRat_add,
        Numerics.ofRat_mul, Numerics.ofRat_sub, Numerics.ofRat_sub, Numerics.ofRat_one,
        Numerics.ofRat_two, Numerics.ofRat_add, Numerics.ofRat_add, Numerics.ofRat_add] at d2
      rw [half, Numerics.ofRat_mul] at b
      rw [Numerics.ofRat_mul] at b2
      rw [Numerics.ofRat_sub] at a1 c1 lo
      rw [Numerics.ofRat_add] at a2 c2
      rw [Numerics.ofRat_add, Numerics.ofRat_add] at c4
      rw [Numerics.ofRat_sub, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat] at t1
      have n1 := down_nonneg (F := F) (ofRat w) n (ofRat T - ofRat w)
      have n2 := down_nonneg (F := F) (ofRat w) n (ofRat T + ofRat w)
      have n3 := down_nonneg (F := F) (ofRat w) n (ofRat T - ofRat c)
      have hη0 : (0 : F.K) ≤ ofRat η - 1 := by
        have := F.one_add_le_exp (ofRat c * ofRat w)
        have := mul_nonneg' hc' (Std.le_of_lt hw')
        grind
      have pos := fun x => Std.le_of_lt (Numerics.exp_pos F x)
      have key := N.delta_le hw' hc' (s := ofRat s) (T := ofRat T) (η := ofRat η - 1) (n := n)
        (n' := n') (T' := ofRat T') (δ := ofRat δ - ofRat t) (Z := ofRat (downLo k p w n' T'))
        (B := 2 * (ofRat δ - ofRat t) * ofRat (downLo k p w n' T')) h1' h2' (by grind) rfl ha' loZ
        d1 ?_ (Std.le_refl _)
      · grind
      · refine Std.le_trans ?_ d2
        clear h h1 h2 ha h1' h2' ha' d1 d2 loZ t1 half hG1 hG2 hy hη ht k1 k2 k3 k4 b2
        have p1 : (0 : F.K) ≤ gauss F (ofRat T - ofRat w) := pos _
        have p2 : (0 : F.K) ≤ gauss F (ofRat T + ofRat w) := pos _
        have p3 : (0 : F.K) ≤ gauss F (ofRat T) := pos _
        have p4 : (0 : F.K) ≤ gauss F (ofRat T + ofRat w + ofRat w) := pos _
        have py := pos (ofRat w * ofRat w / 2)
        have ps := pos (ofRat s)
        clear pos
        generalize gauss F (ofRat T - ofRat w) = q1 at *
        generalize gauss F (ofRat T + ofRat w) = q2 at *
        generalize gauss F (ofRat T) = q3 at *
        generalize gauss F (ofRat T + ofRat w + ofRat w) = q4 at *
        generalize down (ofRat w) (gauss F) n (ofRat T - ofRat w) = D1 at *
        generalize down (ofRat w) (gauss F) n (ofRat T + ofRat w) = D2 at *
        generalize down (ofRat w) (gauss F) n (ofRat T - ofRat c) = D3 at *
        generalize F.exp (ofRat w * ofRat w / 2) = Y at *
        generalize F.exp (ofRat s) = E at *
        generalize (ofRat η : F.K) - 1 = H at *
        have m1 := mul_le_left (by grind : q1 + q2 + (q3 + q4)
          ≤ ofRat g1 + ofRat g2 + (ofRat g3 + ofRat g4)) hη0
        have m0 := mul_nonneg' hη0 (by grind : 0 ≤ q1 + q2 + (q3 + q4))
        have m2 := Numerics.mul_mono b (by grind : D1 + D2 + H * (q1 + q2 + (q3 + q4))
          ≤ ofRat G1 + ofRat G2 + H * (ofRat g1 + ofRat g2 + (ofRat g3 + ofRat g4)))
          (by grind) (by grind)
        have m3 := mul_le_left lo es0
        have m4 := mul_le_right es n3
        generalize H * (q1 + q2 + (q3 + q4)) = h1 at *
        generalize H * (ofRat g1 + ofRat g2 + (ofRat g3 + ofRat g4)) = h2 at *
        generalize Y * (D1 + D2 + h1) = u1 at *
        generalize (ofRat y : F.K) * (ofRat G1 + ofRat G2 + h2) = u2 at *
        grind
    · contradiction
  · contradiction

/-- Decides Gaussian differential privacy of a ledger: `c` is at least the root of the sum of the
squares. -/
def gdpCheck (k p n n' : Nat) (w T T' c : Rat) (gs : List (Nat × Rat)) (eps delta : Rat) : Bool :=
  decide (squareTotal gs ≤ c * c) && hockeyCheck k p n n' w T T' c eps delta

/-- **What the kernel checks is privacy** (Dong, Roth, Su 2022, Corollaries 1 and 2): every
interaction with mechanisms of the ledger's Gaussian differential privacy, every measurable test of
the view, for every law with the properties of the normal law. -/
theorem gdp_certificate_is_a_privacy_guarantee
    (roots : ∀ x : F.K, 0 ≤ x → ∃ r, 0 ≤ r ∧ r * r = x) (N : NormalLaw F) {k p n n' : Nat}
    {w T T' c : Rat} {gs : List (Nat × Rat)} {eps delta : Rat}
    (h : gdpCheck k p n n' w T T' c gs eps delta = true)
    (g : GdpAnalyst.{u} N (listedNumbers F gs)) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ F.exp (ofRat eps) * g.expect (!b) f + ofRat delta := by
  simp only [gdpCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  have hV := squareTotal_eq (F := F) gs
  have hc := Numerics.ofRat_mono (K := F.K) h.1
  rw [Numerics.ofRat_mul] at hc
  have hV0 : 0 ≤ lsum (listedNumbers F gs) fun μ => μ * μ := lsum_nonneg _ _ fun μ _ => by
    by_cases hμ : 0 ≤ μ
    · exact mul_nonneg' hμ hμ
    · have := mul_nonneg' (by grind : 0 ≤ -μ) (by grind : 0 ≤ -μ)
      grind
  obtain ⟨c₀, _, hc₀⟩ := roots _ hV0
  have key := composition_of_gaussian_dp roots hc₀ g f hf h0 h1 b (ofRat eps)
  have a := N.delta_mono roots (c₀ := c₀) (c := ofRat c) (by rw [hc₀, hV]; exact hc) (ofRat eps)
  have d := hockeyCheck_sound N h.2
  clear roots
  generalize F.exp (ofRat eps) * g.expect (!b) f = v at *
  grind

end PrivRef
