module

public import PrivRef.Numerics.Formulas

/-!
Checkers over the rationals, which the kernel evaluates, and their soundness: an accepted
certificate proves the formula of `PrivRef.Numerics.Formulas` for every exponential function.

`k` (squarings) and `p` (bits of fixed point) are the precision; `U`, `D`, `S` are bounds of a
logarithm or a root that whoever writes the certificate proposes and the checker verifies.
-/

@[expose] public noncomputable section

namespace PrivRef.Numerics

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-- Decides `NonNegative`. -/
def nonNegative : List Group → Bool
  | [] => true
  | g :: gs => decide (0 ≤ g.par) && decide (0 ≤ g.delta) && nonNegative gs

theorem nonNegative_sound : ∀ {gs : List Group}, nonNegative gs = true → NonNegative gs
  | [], _ => trivial
  | g :: gs, h => by
    simp only [nonNegative, Bool.and_eq_true, decide_eq_true_eq] at h
    exact ⟨h.1.1, h.1.2, nonNegative_sound h.2⟩

theorem ratOfNat_nonneg (n : Nat) : 0 ≤ ratOfNat n := by
  unfold ratOfNat
  rw [Rat.mkRat_one]
  exact_mod_cast Int.natCast_nonneg n

theorem sq_nonneg (q : Rat) : 0 ≤ q * q := by
  by_cases h : 0 ≤ q
  · exact mul_nonneg h h
  · have := mul_nonneg (x := -q) (y := -q) (by grind) (by grind)
    grind

theorem totalSq_nonneg (gs : List Group) : 0 ≤ totalSq gs := by
  induction gs with
  | nil => decide +kernel
  | cons g gs ih =>
    have := mul_nonneg (ratOfNat_nonneg g.count) (sq_nonneg g.par)
    unfold totalSq
    grind

theorem totalPar_nonneg : ∀ {gs : List Group}, NonNegative gs → 0 ≤ totalPar gs
  | [], _ => by decide +kernel
  | g :: gs, h => by
    have h1 := mul_nonneg (ratOfNat_nonneg g.count) h.1
    have h2 := totalPar_nonneg h.2.2
    unfold totalPar
    grind

/-! ### Basic composition -/

def basicCheck (gs : List Group) (epsG deltaG : Rat) : Bool :=
  nonNegative gs && decide (totalPar gs ≤ epsG) && decide (totalDelta gs ≤ deltaG)

theorem basic_sound {gs : List Group} {epsG deltaG : Rat}
    (h : basicCheck gs epsG deltaG = true) : BasicBound gs epsG deltaG := by
  simp only [basicCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  exact ⟨nonNegative_sound h.1.1, h.1.2, h.2⟩

/-! ### Advanced composition -/

def advancedCheck (k p : Nat) (U S : Rat) (n : Nat) (eps delta deltaHat epsG deltaG : Rat) : Bool :=
  decide (0 ≤ eps) && decide (0 ≤ delta) && decide (0 < deltaHat) && decide (deltaHat ≤ 1)
    && decide (ratOfNat n * delta + deltaHat ≤ deltaG)
    && decide (1 ≤ deltaHat * expLo k p U) && decide (0 ≤ S)
    && decide (2 * ratOfNat n * U ≤ S * S) && decide (0 < expHi k p eps)
    && decide (ratOfNat n * eps * (expHi k p eps - 1) + eps * S ≤ epsG)

theorem advanced_sound {k p : Nat} {U S : Rat} {n : Nat} {eps delta deltaHat epsG deltaG : Rat}
    (h : advancedCheck k p U S n eps delta deltaHat epsG deltaG = true) :
    AdvancedBound n eps delta deltaHat epsG deltaG := by
  simp only [advancedCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨⟨⟨⟨⟨⟨h1, h2⟩, h3⟩, h4⟩, h5⟩, h6⟩, h7⟩, h8⟩, h9⟩, h10⟩ := h
  refine ⟨h1, h2, h3, h4, h5, ?_⟩
  intro F L s hL hs hss
  have hLU := log_le F h3 h6 hL
  have hS := ofRat_mono (K := F.K) h8
  simp only [ofRat_mul, ofRat_two, ofRat_ratOfNat] at hS
  have hn : (0 : F.K) ≤ (n : F.K) := natCast_nonneg n
  have h11 := mul_le_left hLU hn
  have hsS : s ≤ ofRat S := le_of_sq_le (by grind) (ofRat_nonneg h7)
  have hE := le_expHi F k p eps h9
  have hT := ofRat_mono (K := F.K) h10
  simp only [ofRat_mul, ofRat_add, ofRat_sub, ofRat_one, ofRat_ratOfNat] at hT
  have he : (0 : F.K) ≤ ofRat eps := ofRat_nonneg h1
  have h12 := mul_le_left hsS he
  have h13 := mul_le_left hE (mul_nonneg hn he)
  grind

/-! ### Advanced composition of different rounds -/

/-- The next multiple of `2^{-p}`: sums of such numbers keep small denominators. -/
def roundUp (p : Nat) (q : Rat) : Rat := (((q * 2 ^ p).floor + 1 : Int) : Rat) / 2 ^ p

theorem le_roundUp (p : Nat) (q : Rat) : q ≤ roundUp p q := by
  have h : q * 2 ^ p < (((q * 2 ^ p).floor + 1 : Int) : Rat) := by
    exact_mod_cast Rat.lt_floor_add_one (q * 2 ^ p)
  have hp : (0 : Rat) < 2 ^ p := Rat.pow_pos (by decide)
  unfold roundUp
  generalize (((q * 2 ^ p).floor + 1 : Int) : Rat) = n at *
  refine le_of_mul_le (c := 2 ^ p) ?_ hp
  generalize (2 : Rat) ^ p = x at *
  have e : x * (n / x) = n := by grind
  grind

/-- An upper bound of `tanh (ε/2)`, which is `1` where the precision does not suffice for `e^ε`. -/
def tanhHi (k p : Nat) (eps : Rat) : Rat :=
  if 0 < expHi k p eps then roundUp p ((expHi k p eps - 1) / (expHi k p eps + 1)) else 1

/-- An upper bound of `totalDrift`. -/
def totalDriftHi (k p : Nat) : List Group → Rat
  | [] => 0
  | g :: gs => ratOfNat g.count * (g.par * tanhHi k p g.par) + totalDriftHi k p gs

theorem le_tanhHi (F : ExpField) (k p : Nat) (eps : Rat) :
    (F.exp (ofRat eps) - 1) / (F.exp (ofRat eps) + 1) ≤ (ofRat (tanhHi k p eps) : F.K) := by
  have hx := exp_pos F (ofRat eps)
  unfold tanhHi
  split
  · rename_i h
    have hE := le_expHi F k p eps h
    have e1 : (expHi k p eps - 1) / (expHi k p eps + 1) * (expHi k p eps + 1)
        = expHi k p eps - 1 := by grind
    generalize (expHi k p eps - 1) / (expHi k p eps + 1) = q at *
    refine Std.le_trans ?_ (ofRat_mono (le_roundUp p q))
    have e2 := congrArg (ofRat (K := F.K)) e1
    rw [ofRat_mul, ofRat_add, ofRat_sub, ofRat_one] at e2
    generalize F.exp (ofRat eps) = x at *
    generalize (ofRat (expHi k p eps) : F.K) = H at *
    refine le_of_mul_le (c := (H + 1) * (x + 1)) ?_ (mul_pos (by grind) (by grind))
    have hne : x + 1 ≠ 0 := by grind
    have e3 : (H + 1) * (x + 1) * ((x - 1) / (x + 1)) = (H + 1) * (x - 1) := by grind
    have e4 : (H + 1) * (x + 1) * ofRat q = (x + 1) * (H - 1) := by rw [← e2]; grind
    rw [e3, e4]
    grind
  · generalize F.exp (ofRat eps) = x at *
    have hi : 0 < (x + 1)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
    have e : (x - 1) / (x + 1) = 1 - 2 * (x + 1)⁻¹ := by grind
    rw [ofRat_one, e]
    grind

theorem totalDrift_le (F : ExpField) (k p : Nat) : ∀ {gs : List Group}, NonNegative gs →
    totalDrift F gs ≤ ofRat (totalDriftHi k p gs)
  | [], _ => by
    simp only [totalDrift, totalDriftHi, ofRat_zero]
    exact Std.le_refl _
  | g :: gs, h => by
    have h1 := mul_le_left (mul_le_left (le_tanhHi F k p g.par) (ofRat_nonneg (K := F.K) h.1))
      (natCast_nonneg (K := F.K) g.count)
    have h2 := totalDrift_le F k p h.2.2
    simp only [totalDrift, totalDriftHi]
    rw [ofRat_add, ofRat_mul, ofRat_mul, ofRat_ratOfNat]
    generalize (F.exp (ofRat g.par) - 1) / (F.exp (ofRat g.par) + 1) = d at *
    grind

/-- `D` is an upper bound of `Σ ε tanh (ε/2)`. -/
def driftCheck (k p : Nat) (U D : Rat) (gs : List Group) (deltaPrime eps delta : Rat) : Bool :=
  nonNegative gs && decide (0 < deltaPrime) && decide (deltaPrime ≤ 1)
    && decide (deltaPrime + totalDelta gs ≤ delta)
    && decide (1 ≤ deltaPrime * expLo k p U)
    && decide (totalDriftHi k p gs ≤ D)
    && decide (0 ≤ eps - D)
    && decide (2 * U * totalSq gs ≤ (eps - D) * (eps - D))

theorem drift_sound {k p : Nat} {U D : Rat} {gs : List Group} {deltaPrime eps delta : Rat}
    (h : driftCheck k p U D gs deltaPrime eps delta = true) :
    DriftBound gs deltaPrime eps delta := by
  simp only [driftCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨⟨⟨⟨h1, h2⟩, h3⟩, h4⟩, h5⟩, h6⟩, h7⟩, h8⟩ := h
  refine ⟨nonNegative_sound h1, h2, h3, h4, ?_⟩
  intro F L s hL hs hss
  have hLU := log_le F h2 h5 hL
  have hV : (0 : F.K) ≤ ofRat (totalSq gs) := ofRat_nonneg (totalSq_nonneg gs)
  have h9 := mul_le_left hLU hV
  have h10 := ofRat_mono (K := F.K) h8
  simp only [ofRat_mul, ofRat_sub, ofRat_two] at h10
  have h11 := ofRat_nonneg (K := F.K) h7
  rw [ofRat_sub] at h11
  have h12 := Std.le_trans (totalDrift_le F k p (nonNegative_sound h1))
    (ofRat_mono (K := F.K) h6)
  have h13 : s ≤ ofRat eps - ofRat D := le_of_sq_le (by grind) h11
  grind

/-! ### The filter of Whitehouse et al., Theorem 2 -/

def filterCheck (k p : Nat) (U : Rat) (gs : List Group) (deltaPrime eps delta : Rat) : Bool :=
  nonNegative gs && decide (0 < deltaPrime) && decide (deltaPrime ≤ 1)
    && decide (deltaPrime + totalDelta gs ≤ delta)
    && decide (1 ≤ deltaPrime * expLo k p U)
    && decide (0 ≤ eps - totalSq gs / 2)
    && decide (2 * U * totalSq gs ≤ (eps - totalSq gs / 2) * (eps - totalSq gs / 2))

theorem ofRat_half (q : Rat) {K : Type} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
    [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] : (ofRat (q / 2) : K) = ofRat q / 2 := by
  have h : q / 2 + q / 2 = q := by grind
  have h1 := ofRat_add (K := K) (q / 2) (q / 2)
  rw [h] at h1
  grind

theorem filter_sound {k p : Nat} {U : Rat} {gs : List Group} {deltaPrime eps delta : Rat}
    (h : filterCheck k p U gs deltaPrime eps delta = true) :
    FilterBound gs deltaPrime eps delta := by
  simp only [filterCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨⟨⟨h1, h2⟩, h3⟩, h4⟩, h5⟩, h6⟩, h7⟩ := h
  refine ⟨nonNegative_sound h1, h2, h3, h4, ?_⟩
  intro F L s hL hs hss
  have hLU := log_le F h2 h5 hL
  have hV : (0 : F.K) ≤ ofRat (totalSq gs) := ofRat_nonneg (totalSq_nonneg gs)
  have h8 := mul_le_left hLU hV
  have h9 := ofRat_mono (K := F.K) h7
  simp only [ofRat_mul, ofRat_sub, ofRat_two, ofRat_half] at h9
  have h10 := ofRat_nonneg (K := F.K) h6
  simp only [ofRat_sub, ofRat_half] at h10
  have h11 : s ≤ ofRat eps - ofRat (totalSq gs) / 2 := le_of_sq_le (by grind) h10
  grind

/-- `D` is a lower bound of `log (1/δ')`. -/
def filterExceededCheck (k p : Nat) (D : Rat) (gs : List Group) (deltaPrime eps : Rat) : Bool :=
  nonNegative gs && decide (0 < deltaPrime) && decide (deltaPrime ≤ 1)
    && decide (deltaPrime ≤ expLo k p (-D))
    && decide ((eps - totalSq gs / 2) * (eps - totalSq gs / 2) < 2 * D * totalSq gs)

theorem filterExceeded_sound {k p : Nat} {D : Rat} {gs : List Group} {deltaPrime eps : Rat}
    (h : filterExceededCheck k p D gs deltaPrime eps = true) :
    FilterExceeded gs deltaPrime eps := by
  simp only [filterExceededCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨h1, h2⟩, h3⟩, h4⟩, h5⟩ := h
  refine ⟨nonNegative_sound h1, h2, h3, ?_⟩
  intro F L s hL hs hss
  have hDL := le_log F h4 hL
  have hV : (0 : F.K) ≤ ofRat (totalSq gs) := ofRat_nonneg (totalSq_nonneg gs)
  have h8 := mul_le_left hDL hV
  have h9 := ofRat_strictMono (K := F.K) h5
  simp only [ofRat_mul, ofRat_sub, ofRat_two, ofRat_half] at h9
  by_cases h10 : s ≤ ofRat eps - ofRat (totalSq gs) / 2
  · have := mul_mono h10 h10 hs (by grind)
    grind
  · grind

/-! ### From zCDP to DP -/

def zcdpCheck (k p : Nat) (U : Rat) (gs : List Group) (deltaPrime eps delta : Rat) : Bool :=
  nonNegative gs && decide (0 < deltaPrime) && decide (deltaPrime ≤ 1) && decide (totalDelta gs ≤ 1)
    && decide (totalDelta gs + (1 - totalDelta gs) * deltaPrime ≤ delta)
    && decide (1 ≤ deltaPrime * expLo k p U)
    && decide (0 ≤ eps - totalPar gs)
    && decide (4 * totalPar gs * U ≤ (eps - totalPar gs) * (eps - totalPar gs))

theorem zcdp_sound {k p : Nat} {U : Rat} {gs : List Group} {deltaPrime eps delta : Rat}
    (h : zcdpCheck k p U gs deltaPrime eps delta = true) : ZcdpBound gs deltaPrime eps delta := by
  simp only [zcdpCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨⟨⟨⟨h1, h2⟩, h3⟩, h4⟩, h5⟩, h6⟩, h7⟩, h8⟩ := h
  refine ⟨nonNegative_sound h1, h2, h3, h4, h5, ?_⟩
  intro F L s hL hs hss
  have hLU := log_le F h2 h6 hL
  have hR : (0 : F.K) ≤ ofRat (totalPar gs) := ofRat_nonneg (totalPar_nonneg (nonNegative_sound h1))
  have h9 := mul_le_left hLU hR
  have h10 := ofRat_mono (K := F.K) h8
  have h4' : (4 : Rat) = 2 * 2 := by decide +kernel
  rw [h4'] at h10
  simp only [ofRat_mul, ofRat_sub, ofRat_two] at h10
  have h11 := ofRat_nonneg (K := F.K) h7
  simp only [ofRat_sub] at h11
  have h12 : s + s ≤ ofRat eps - ofRat (totalPar gs) := le_of_sq_le (by grind) h11
  grind

/-- `U` is an upper bound of `log (1 - 1/α)`, a negative number. -/
def cksCheck (k p : Nat) (U : Rat) (gs : List Group) (order eps delta : Rat) : Bool :=
  nonNegative gs && decide (totalDelta gs = 0) && decide (1 < order)
    && decide (1 - 1 / order ≤ expLo k p U)
    && decide (0 < expHi k p ((order - 1) * (order * totalPar gs - eps) + order * U))
    && decide (expHi k p ((order - 1) * (order * totalPar gs - eps) + order * U)
        ≤ delta * (order - 1))

theorem cks_sound {k p : Nat} {U : Rat} {gs : List Group} {order eps delta : Rat}
    (h : cksCheck k p U gs order eps delta = true) : CksBound gs order eps delta := by
  simp only [cksCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨⟨h1, h2⟩, h3⟩, h4⟩, h5⟩, h6⟩ := h
  refine ⟨nonNegative_sound h1, h2, h3, ?_⟩
  intro F M hM
  have h7 := expLo_le F k p U
  have h8 := ofRat_mono (K := F.K) h4
  have hMU : M ≤ ofRat U := le_of_exp_le F (by grind)
  have ha : (0 : F.K) < ofRat (order - 1) := ofRat_pos (by grind)
  have ho : (0 : F.K) ≤ ofRat order := ofRat_nonneg (by grind)
  have h9 := le_expHi F k p _ h5
  have h10 := ofRat_mono (K := F.K) h6
  rw [ofRat_mul] at h10
  generalize (order - 1) * (order * totalPar gs - eps) = e at *
  rw [ofRat_add, F.exp_add, ofRat_mul order U] at h9
  have h11 := exp_mono F (mul_le_left hMU ho)
  have h12 := mul_le_left h11 (c := F.exp (ofRat e)) (by have := exp_pos F (ofRat e); grind)
  refine le_of_mul_le (c := ofRat (order - 1)) ?_ ha
  generalize (ofRat (order - 1) : F.K) = a at *
  have h13 : a * (F.exp (ofRat e) / a * F.exp (ofRat order * M))
      = F.exp (ofRat e) * F.exp (ofRat order * M) := by grind
  rw [h13]
  grind

/-! ### Optimal composition -/

/-- Do the terms from `l` on add up to at most `b`?  A term whose exponents are in order is exactly
zero, which a comparison of rationals decides. -/
def kovUpper (k p n : Nat) (eps epsG : Rat) : Nat → List Nat → Rat → Bool
  | _, [], b => decide (0 ≤ b)
  | l, c :: cs, b =>
    if (ratOfNat n - ratOfNat l) * eps ≤ epsG + ratOfNat l * eps then
      kovUpper k p n eps epsG (l + 1) cs b
    else
      decide (0 < expHi k p ((ratOfNat n - ratOfNat l) * eps))
        && kovUpper k p n eps epsG (l + 1) cs
          (b - ratOfNat c * (expHi k p ((ratOfNat n - ratOfNat l) * eps)
            - expLo k p (epsG + ratOfNat l * eps)))

/-- Do the terms from `l` on add up to more than `b`?  They do as soon as `b` is negative. -/
def kovLower (k p n : Nat) (eps epsG : Rat) : Nat → List Nat → Rat → Bool
  | _, [], b => decide (b < 0)
  | l, c :: cs, b =>
    if b < 0 then true
    else if (ratOfNat n - ratOfNat l) * eps ≤ epsG + ratOfNat l * eps then
      kovLower k p n eps epsG (l + 1) cs b
    else
      decide (0 < expHi k p (epsG + ratOfNat l * eps))
        && kovLower k p n eps epsG (l + 1) cs
          (b - ratOfNat c * (expLo k p ((ratOfNat n - ratOfNat l) * eps)
            - expHi k p (epsG + ratOfNat l * eps)))

section

variable (F : ExpField)

theorem pos_of_le {x y : F.K} (h : x ≤ y) : pos (x - y) = 0 := by
  unfold pos
  split <;> grind

theorem pos_of_lt {x y : F.K} (h : y < x) : pos (x - y) = x - y := by
  unfold pos
  split <;> grind

theorem kovSum_nonneg (n : Nat) (eps epsG : Rat) (cs : List Nat) :
    ∀ l : Nat, 0 ≤ kovSum F n eps epsG l cs := by
  induction cs with
  | nil =>
    intro l
    unfold kovSum
    grind
  | cons c cs ih =>
    intro l
    unfold kovSum
    generalize F.exp _ - F.exp _ = x
    have h1 := mul_nonneg (natCast_nonneg (K := F.K) c) (by unfold pos; split <;> grind : 0 ≤ pos x)
    have h2 := ih (l + 1)
    grind

theorem kovUpper_sound (k p n : Nat) (eps epsG : Rat) (cs : List Nat) :
    ∀ (l : Nat) (b : Rat), kovUpper k p n eps epsG l cs b = true →
      kovSum F n eps epsG l cs ≤ ofRat b := by
  induction cs with
  | nil =>
    intro l b h
    simp only [kovUpper, decide_eq_true_eq] at h
    exact ofRat_nonneg h
  | cons c cs ih =>
    intro l b h
    unfold kovUpper at h
    unfold kovSum
    generalize (ratOfNat n - ratOfNat l) * eps = x at *
    generalize epsG + ratOfNat l * eps = y at *
    split at h
    · rename_i hxy
      rw [pos_of_le F (exp_mono F (ofRat_mono hxy))]
      have := ih _ _ h
      grind
    · rename_i hxy
      rw [pos_of_lt F (exp_strictMono F (ofRat_strictMono (by grind : y < x)))]
      simp only [Bool.and_eq_true, decide_eq_true_eq] at h
      have h1 := ih _ _ h.2
      have h2 := le_expHi F k p x h.1
      have h3 := expLo_le F k p y
      simp only [ofRat_sub, ofRat_mul, ofRat_ratOfNat] at h1
      have h4 := mul_le_left (c := (c : F.K))
        (by grind : F.exp (ofRat x) - F.exp (ofRat y) ≤ ofRat (expHi k p x) - ofRat (expLo k p y))
        (natCast_nonneg c)
      grind

theorem kovLower_sound (k p n : Nat) (eps epsG : Rat) (cs : List Nat) :
    ∀ (l : Nat) (b : Rat), kovLower k p n eps epsG l cs b = true →
      ofRat b < kovSum F n eps epsG l cs := by
  induction cs with
  | nil =>
    intro l b h
    simp only [kovLower, decide_eq_true_eq] at h
    have := ofRat_strictMono (K := F.K) h
    rw [ofRat_zero] at this
    exact this
  | cons c cs ih =>
    intro l b h
    unfold kovLower at h
    split at h
    · rename_i hb
      have h1 := ofRat_strictMono (K := F.K) hb
      have h2 := kovSum_nonneg F n eps epsG (c :: cs) l
      rw [ofRat_zero] at h1
      grind
    unfold kovSum
    generalize (ratOfNat n - ratOfNat l) * eps = x at *
    generalize epsG + ratOfNat l * eps = y at *
    split at h
    · rename_i hxy
      rw [pos_of_le F (exp_mono F (ofRat_mono hxy))]
      have := ih _ _ h
      grind
    · rename_i hxy
      rw [pos_of_lt F (exp_strictMono F (ofRat_strictMono (by grind : y < x)))]
      simp only [Bool.and_eq_true, decide_eq_true_eq] at h
      have h1 := ih _ _ h.2
      have h2 := le_expHi F k p y h.1
      have h3 := expLo_le F k p x
      simp only [ofRat_sub, ofRat_mul, ofRat_ratOfNat] at h1
      have h4 := mul_le_left (c := (c : F.K))
        (by grind : ofRat (expLo k p x) - ofRat (expHi k p y) ≤ F.exp (ofRat x) - F.exp (ofRat y))
        (natCast_nonneg c)
      grind

end

/-- `D` is the part of `δ_g` that is left for the curve when `1 - (1 - δ)^n` is taken off. -/
def kovCheck (k p : Nat) (D : Rat) (n : Nat) (eps delta epsG deltaG : Rat) : Bool :=
  decide (0 ≤ eps) && decide (0 ≤ delta) && decide (delta ≤ 1) && decide (0 ≤ epsG) && decide
    (0 ≤ D)
    && decide (0 ≤ expLo k p eps) && decide (1 - deltaG ≤ (1 - delta) ^ n * (1 - D))
    && kovUpper k p n eps epsG 0 (pascal n) (D * (1 + expLo k p eps) ^ n)

theorem kov_sound {k p : Nat} {D : Rat} {n : Nat} {eps delta epsG deltaG : Rat}
    (h : kovCheck k p D n eps delta epsG deltaG = true) : KovBound n eps delta epsG deltaG := by
  simp only [kovCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨⟨⟨⟨h1, h2⟩, h3⟩, h4⟩, h5⟩, h0⟩, h6⟩, h7⟩ := h
  refine ⟨h1, h2, h3, h4, ?_⟩
  intro F
  have h8 := kovUpper_sound F _ _ _ _ _ _ _ _ h7
  rw [ofRat_mul, ofRat_pow, ofRat_add, ofRat_one] at h8
  have hlo := expLo_le F k p eps
  have hlo0 : (0 : F.K) ≤ ofRat (expLo k p eps) := ofRat_nonneg h0
  have h9 := pow_mono (by grind : 1 + ofRat (expLo k p eps) ≤ 1 + F.exp (ofRat eps)) (by grind) n
  have h10 : 0 < (1 + F.exp (ofRat eps)) ^ n := pow_pos (by have := exp_pos F (ofRat eps); grind) n
  have h11 := mul_le_left h9 (ofRat_nonneg (K := F.K) h5)
  have h12 : kovDelta F n eps epsG ≤ ofRat D := by
    unfold kovDelta
    refine le_of_mul_le (c := (1 + F.exp (ofRat eps)) ^ n) ?_ h10
    generalize (1 + F.exp (ofRat eps)) ^ n = B at *
    have : B * (kovSum F n eps epsG 0 (pascal n) / B) = kovSum F n eps epsG 0 (pascal n) := by grind
    rw [this]
    grind
  have h13 := ofRat_mono (K := F.K) h6
  simp only [ofRat_mul, ofRat_sub, ofRat_one] at h13
  have h14 : (0 : F.K) ≤ ofRat ((1 - delta) ^ n) := by
    rw [ofRat_pow]
    exact pow_nonneg (ofRat_nonneg (by grind)) n
  have h15 := mul_le_left (by grind : 1 - ofRat D ≤ 1 - kovDelta F n eps epsG) h14
  grind

def kovExceedsCheck (k p n : Nat) (eps epsG deltaG : Rat) : Bool :=
  decide (0 ≤ eps) && decide (0 ≤ epsG) && decide (0 ≤ deltaG) && decide (0 < expHi k p eps)
    && kovLower k p n eps epsG 0 (pascal n) (deltaG * (1 + expHi k p eps) ^ n)

theorem kovExceeds_sound {k p n : Nat} {eps epsG deltaG : Rat}
    (h : kovExceedsCheck k p n eps epsG deltaG = true) : KovExceeds n eps epsG deltaG := by
  simp only [kovExceedsCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨h1, h2⟩, h3⟩, h4⟩, h5⟩ := h
  refine ⟨h1, h2, ?_⟩
  intro F
  have h8 := kovLower_sound F _ _ _ _ _ _ _ _ h5
  rw [ofRat_mul, ofRat_pow, ofRat_add, ofRat_one] at h8
  have hhi := le_expHi F k p eps h4
  have hpos := exp_pos F (ofRat eps)
  have h9 := pow_mono (by grind : 1 + F.exp (ofRat eps) ≤ 1 + ofRat (expHi k p eps)) (by grind) n
  have h10 : 0 < (1 + F.exp (ofRat eps)) ^ n := pow_pos (by grind) n
  have h11 := mul_le_left h9 (ofRat_nonneg (K := F.K) h3)
  unfold kovDelta
  generalize (1 + F.exp (ofRat eps)) ^ n = B at *
  generalize kovSum F n eps epsG 0 (pascal n) = T at *
  by_cases h12 : T / B ≤ ofRat deltaG
  · have h13 := mul_le_left h12 (c := B) (by grind)
    have : B * (T / B) = T := by grind
    grind
  · grind

end PrivRef.Numerics
