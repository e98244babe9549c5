module

public import PrivRef.Thm.DpFilter
public import PrivRef.Thm.OptimalComposition
public import PrivRef.Thm.ZcdpCertificate

/-!
What the numeric certificates of `(ε, δ)`-DP rounds prove is privacy: the inequalities of
`PrivRef.Numerics.Formulas` together with the filter of Theorem 2 of Whitehouse et al., and with
optimal composition.
-/

@[expose] public section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField ofRat ratOfNat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-- The filter of Theorem 2 whose budget is what a ledger spends: `∑ ε²` and `∑ δ`. -/
noncomputable def ledgerSquares (F : ExpField) (gs : List Group) : Filter F.K F.K :=
  squaresFilter (ofRat (Numerics.totalSq gs)) (ofRat (Numerics.totalDelta gs))

/-- Nothing spent. -/
noncomputable def ledgerSquaresStart (F : ExpField) (gs : List Group) : (ledgerSquares F gs).S :=
  squaresStart (ofRat (Numerics.totalSq gs)) (ofRat (Numerics.totalDelta gs))

/-- The filter whose budget is what a ledger spends, where its `ε` is at most the claimed one. -/
theorem ledger_is_private (gs : List Group) (deltaPrime eps delta : Rat)
    (hn : Numerics.NonNegative gs)
    (hD : deltaPrime + Numerics.totalDelta gs ≤ delta) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaPrime)
    (hs : 0 ≤ s) (hsL : s * s = 2 * L * ofRat (Numerics.totalSq gs))
    (hE : s + ofRat (Numerics.totalSq gs) / 2 ≤ ofRat eps)
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerSquares F gs) (ledgerSquaresStart F gs) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerSquares F gs) b (ledgerSquaresStart F gs) g f
      ≤ ofRat delta + F.exp (ofRat eps)
        * DpAnalyst.expect (ledgerSquares F gs) (!b) (ledgerSquaresStart F gs) g f := by
  have k0 : (0 : F.K) ≤ ofRat (Numerics.totalSq gs) :=
    Numerics.ofRat_nonneg (Numerics.totalSq_nonneg gs)
  have k1 : (0 : F.K) ≤ ofRat (Numerics.totalDelta gs) :=
    Numerics.ofRat_nonneg (totalDelta_nonneg hn)
  have k3 := Numerics.ofRat_mono (K := F.K) hD
  rw [Numerics.ofRat_add, ← hL] at k3
  have k5 := Numerics.exp_pos F (-L)
  by_cases k2 : (ofRat (Numerics.totalDelta gs) : F.K) ≤ 1
  · have key := dp_filter_is_private arch _ _ L s _ k0 k1 k2 hs hsL hE g f hf h0 h1 b
    have k4 := mul_nonneg' k1 (by grind : 0 ≤ F.exp (-L))
    show DpAnalyst.expect (squaresFilter _ _) b (squaresStart _ _) g f
      ≤ _ + _ * DpAnalyst.expect (squaresFilter _ _) (!b) (squaresStart _ _) g f
    clear hn hD arch hL hs hsL hE hf h0 h1 k0 k1 k5 k2
    grind
  · have m1 := (DpAnalyst.expect_mem (ledgerSquares F gs) b _ g f hf h0 h1).2
    have m2 := mul_nonneg' (by have := Numerics.exp_pos F (ofRat eps); grind :
      0 ≤ F.exp (ofRat eps)) (DpAnalyst.expect_mem (ledgerSquares F gs) (!b) _ g f hf h0 h1).1
    clear hn hD arch hL hs hsL hE hf h0 h1 k0 k1
    grind

/-- **A certificate of the filter is a privacy guarantee** (Whitehouse et al. 2023, Theorem 2).  If
`FilterBound` holds, which is what a certificate's file proves, then in every Archimedean
exponential field that has the logarithm `L` and the root `s`, the real numbers included, every
interaction that spends no more squares and no more `δ` than the ledger, with all else chosen
adaptively, is `(ε, δ)`-indistinguishable in both directions. -/
theorem filter_certificate_is_a_privacy_guarantee (gs : List Group) (deltaPrime eps delta : Rat)
    (h : Numerics.FilterBound gs deltaPrime eps delta) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaPrime)
    (hs : 0 ≤ s) (hsL : s * s = 2 * L * ofRat (Numerics.totalSq gs))
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerSquares F gs) (ledgerSquaresStart F gs) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerSquares F gs) b (ledgerSquaresStart F gs) g f
      ≤ ofRat delta + F.exp (ofRat eps)
        * DpAnalyst.expect (ledgerSquares F gs) (!b) (ledgerSquaresStart F gs) g f :=
  ledger_is_private gs deltaPrime eps delta h.1 h.2.2.2.1 F arch L s hL hs hsL
    (h.2.2.2.2 F L s hL hs hsL) g f hf h0 h1 b

/-- The filter of advanced composition whose budget is what a ledger spends: `∑ ε²`,
`∑ ε tanh (ε/2)` and `∑ δ`. -/
noncomputable def ledgerDrift (F : ExpField) (gs : List Group) : Filter F.K F.K :=
  driftFilter (expFieldLike F) (ofRat (Numerics.totalSq gs)) (Numerics.totalDrift F gs)
    (ofRat (Numerics.totalDelta gs))

/-- Nothing spent. -/
noncomputable def ledgerDriftStart (F : ExpField) (gs : List Group) : (ledgerDrift F gs).S :=
  driftStart (expFieldLike F) (ofRat (Numerics.totalSq gs)) (Numerics.totalDrift F gs)
    (ofRat (Numerics.totalDelta gs))

theorem totalDrift_nonneg {F : ExpField} {gs : List Group} (h : Numerics.NonNegative gs) :
    0 ≤ Numerics.totalDrift F gs := by
  induction gs with
  | nil => exact Std.le_refl _
  | cons g gs ih =>
    have h1 := mul_nonneg' (Numerics.natCast_nonneg (K := F.K) g.count)
      (drift_nonneg (F := F) (Numerics.ofRat_nonneg h.1))
    have h2 := ih h.2.2
    show 0 ≤ (g.count : F.K) * drift (expFieldLike F) (ofRat g.par) + Numerics.totalDrift F gs
    grind

/-- **A certificate of advanced composition of different rounds is a privacy guarantee** (Whitehouse
et al. 2023, equation (2); Kairouz, Oh, Viswanath 2015, Theorem 3.5).  If `DriftBound` holds, which
is what a certificate's file proves, then in every Archimedean exponential field that has the
logarithm `L` and the root `s`, the real numbers included, every interaction that spends no more
squares, no more `ε tanh (ε/2)` and no more `δ` than the ledger, with all else chosen adaptively, is
`(ε, δ)`-indistinguishable in both directions. -/
theorem drift_certificate_is_a_privacy_guarantee (gs : List Group) (deltaPrime eps delta : Rat)
    (h : Numerics.DriftBound gs deltaPrime eps delta) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaPrime)
    (hs : 0 ≤ s) (hsL : s * s = 2 * L * ofRat (Numerics.totalSq gs))
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerDrift F gs) (ledgerDriftStart F gs) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerDrift F gs) b (ledgerDriftStart F gs) g f
      ≤ ofRat delta + F.exp (ofRat eps)
        * DpAnalyst.expect (ledgerDrift F gs) (!b) (ledgerDriftStart F gs) g f := by
  obtain ⟨hn, _, _, hD, hE⟩ := h
  have k0 : (0 : F.K) ≤ ofRat (Numerics.totalSq gs) :=
    Numerics.ofRat_nonneg (Numerics.totalSq_nonneg gs)
  have k1 : (0 : F.K) ≤ ofRat (Numerics.totalDelta gs) :=
    Numerics.ofRat_nonneg (totalDelta_nonneg hn)
  have k3 := Numerics.ofRat_mono (K := F.K) hD
  rw [Numerics.ofRat_add, ← hL] at k3
  have k5 := Numerics.exp_pos F (-L)
  by_cases k2 : (ofRat (Numerics.totalDelta gs) : F.K) ≤ 1
  · have key := drift_filter_is_private arch _ _ _ L s _ k0 (totalDrift_nonneg hn) k1 k2 hs hsL
      (hE F L s hL hs hsL) g f hf h0 h1 b
    have k4 := mul_nonneg' k1 (by grind : 0 ≤ F.exp (-L))
    show DpAnalyst.expect (driftFilter _ _ _ _) b (driftStart _ _ _ _) g f
      ≤ _ + _ * DpAnalyst.expect (driftFilter _ _ _ _) (!b) (driftStart _ _ _ _) g f
    clear arch hL hs hsL hf h0 h1 hn hD hE k0 k1 k5 k2
    grind
  · have m1 := (DpAnalyst.expect_mem (ledgerDrift F gs) b _ g f hf h0 h1).2
    have m2 := mul_nonneg' (by have := Numerics.exp_pos F (ofRat eps); grind :
      0 ≤ F.exp (ofRat eps)) (DpAnalyst.expect_mem (ledgerDrift F gs) (!b) _ g f hf h0 h1).1
    clear arch hL hs hsL hf h0 h1 hn hD hE k0 k1
    grind

/-- **A certificate of advanced composition is a privacy guarantee** (Rogers et al. 2016, Theorem
2.10, and more). If `AdvancedBound` holds, which is what a certificate's file proves, then in every
Archimedean exponential field that has the logarithm `L` and the root `s`, the real numbers
included, every interaction that spends no more squares and no more `δ` than the `n` equal rounds,
with all else chosen adaptively, is `(ε, δ)`-indistinguishable in both directions: the formula is
above that of the filter. -/
theorem advanced_certificate_is_a_privacy_guarantee (n : Nat) (eps delta deltaHat epsG deltaG : Rat)
    (h : Numerics.AdvancedBound n eps delta deltaHat epsG deltaG) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaHat)
    (hs : 0 ≤ s) (hsL : s * s = 2 * (n : F.K) * L)
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerSquares F [⟨n, eps, delta⟩]) (ledgerSquaresStart F [⟨n, eps, delta⟩])
      g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerSquares F [⟨n, eps, delta⟩]) b (ledgerSquaresStart F [⟨n, eps, delta⟩])
      g f
      ≤ ofRat deltaG + F.exp (ofRat epsG) * DpAnalyst.expect (ledgerSquares F [⟨n, eps, delta⟩])
        (!b)
        (ledgerSquaresStart F [⟨n, eps, delta⟩]) g f := by
  obtain ⟨he, hd, hp, hp1, hD, hE⟩ := h
  have eV : (ofRat (Numerics.totalSq [⟨n, eps, delta⟩]) : F.K) =
      (n : F.K) * (ofRat eps * ofRat eps) := by
    simp only [Numerics.totalSq]
    rw [Rat.add_zero, Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat]
  have ke : (0 : F.K) ≤ ofRat eps := Numerics.ofRat_nonneg he
  have kn : (0 : F.K) ≤ (n : F.K) := by grind
  have key := hE F L s hL hs hsL
  have h2 := F.one_add_le_exp (ofRat eps)
  have h3 := mul_nonneg' kn ke
  have h4 := mul_le_left (by grind : (ofRat eps : F.K) ≤ F.exp (ofRat eps) - 1) h3
  have h5 := mul_nonneg' h3 ke
  refine ledger_is_private [⟨n, eps, delta⟩] deltaHat epsG deltaG ⟨he, hd, trivial⟩ ?_ F arch L
    (ofRat eps * s) hL (mul_nonneg' ke hs) ?_ ?_ g f hf h0 h1 b
  · simp only [Numerics.totalDelta]
    clear arch hL hs hsL hf h0 h1 he hd hp hp1 hE eV ke kn key h2 h3 h4 h5
    grind
  · rw [eV]
    clear arch hL hs hf h0 h1 he hd hp hp1 hD hE eV ke kn key h2 h3 h4 h5
    grind
  · rw [eV]
    clear arch hL hs hsL hf h0 h1 he hd hp hp1 hD hE eV ke kn h2 h3
    grind

/-! Equal rounds, in closed form. -/

variable {F : ExpField}

/-- `Σ_i c_i (p t^{-i} - q t^i)₊`. -/
noncomputable def crossings (t : F.K) : List Nat → F.K → F.K → F.K
  | [], _, _ => 0
  | c :: cs, p, q => (c : F.K) * posPart (p - q) + crossings t cs (p * t⁻¹) (q * t)

theorem crossings_addLists (t : F.K) (as bs : List Nat) (p q : F.K) :
    crossings t (Numerics.addLists as bs) p q = crossings t as p q + crossings t bs p q := by
  induction as generalizing bs p q with
  | nil => simp only [Numerics.addLists, crossings]; grind
  | cons a as ih =>
    cases bs with
    | nil => simp only [Numerics.addLists, crossings]; grind
    | cons b bs =>
      simp only [Numerics.addLists, crossings, ih, Lean.Grind.Semiring.natCast_add]
      grind

theorem crossings_mul (t : F.K) {c : F.K} (hc : 0 ≤ c) (cs : List Nat) (p q : F.K) :
    crossings t cs (c * p) (c * q) = c * crossings t cs p q := by
  induction cs generalizing p q with
  | nil => simp only [crossings]; grind
  | cons a cs ih =>
    simp only [crossings]
    have e1 : c * p - c * q = c * (p - q) := by grind
    have e2 : c * p * t⁻¹ = c * (p * t⁻¹) := by clear hc ih e1; grind
    have e3 : c * q * t = c * (q * t) := by clear hc ih e1 e2; grind
    rw [e1, posPart_mul hc, e2, e3, ih]
    clear hc ih e1 e2 e3
    grind

theorem crossings_pascal (t : F.K) (n : Nat) (p q : F.K) :
    crossings t (Numerics.pascal (n + 1)) p q
      = crossings t (Numerics.pascal n) p q + crossings t (Numerics.pascal n) (p * t⁻¹)
        (q * t) := by
  rw [Numerics.pascal, crossings_addLists]
  congr 1
  simp only [crossings, Lean.Grind.Semiring.natCast_zero]
  grind

theorem optValue_of_nothing (P : IterParams F.K) (n k : Nat) (p : F.K) (hp : 0 ≤ p)
    (hP : P.Ok) : optValue P n k 0 p = 0 := by
  have h0 := optValue_nonneg P n k 0 p
  induction n generalizing k p with
  | zero =>
    simp only [optValue]
    have := mul_nonneg' (hP.Y_nonneg k) hp
    exact posPart_of_nonpos (by clear hP hp h0; grind)
  | succ n ih =>
    have hr : ∀ q, optValue P n (k + 1) (0 * rr (P.e k) (P.δ k) false q)
        (p * rr (P.e k) (P.δ k) true q) = 0 := fun q => by
      have e : (0 : F.K) * rr (P.e k) (P.δ k) false q = 0 := by clear hP ih hp h0; grind
      rw [e]
      exact ih _ _ (mul_nonneg' hp (rr_nonneg _ _ (hP.one_le_e k) (hP.δ_nonneg k) (hP.δ_le_one k) _
          _))
        (optValue_nonneg _ _ _ _ _)
    simp only [optValue, hr, sumSymbols]
    have e : (0 : F.K) + 0 + 0 + 0 = 0 := by clear hP ih hp h0 hr; grind
    rw [e]
    split
    · have := mul_nonneg' (hP.Y_nonneg k) hp
      unfold max2
      split <;> (clear hP ih hp h0 hr e; grind)
    · rfl

theorem optValue_of_all (e δ : Nat → F.K) (y : F.K) (he : ∀ k, 1 ≤ e k) (hδ : ∀ k, 0 ≤ δ k)
    (hδ1 : ∀ k, δ k ≤ 1) (n k : Nat) (p : F.K) (hp : 0 ≤ p) :
    optValue (fixedParams e δ y) n k p 0 = p := by
  induction n generalizing k p with
  | zero =>
    show posPart (p - y * 0) = p
    rw [posPart_of_nonneg (by clear he hδ hδ1; grind)]
    clear he hδ hδ1 hp
    grind
  | succ n ih =>
    have e1 : optValue (fixedParams e δ y) (n + 1) k p 0 = sumSymbols fun q =>
        optValue (fixedParams e δ y) n (k + 1) (p * rr (e k) (δ k) false q)
          (0 * rr (e k) (δ k) true q) := rfl
    have e2 : ∀ q, optValue (fixedParams e δ y) n (k + 1) (p * rr (e k) (δ k) false q)
        (0 * rr (e k) (δ k) true q) = p * rr (e k) (δ k) false q := fun q => by
      have e : (0 : F.K) * rr (e k) (δ k) true q = 0 := by clear he hδ hδ1 ih hp e1; grind
      rw [e]
      exact ih _ _ (mul_nonneg' hp (rr_nonneg _ _ (he k) (hδ k) (hδ1 k) _ _))
    rw [e1]
    simp only [sumSymbols]
    rw [e2, e2, e2, e2]
    simp only [rr, Lean.Grind.Field.div_eq_mul_inv]
    have hit : (1 + e k) * (1 + e k)⁻¹ = 1 := by
      have := he k
      clear he hδ hδ1 ih hp e1 e2
      grind
    generalize (1 + e k)⁻¹ = i at *
    have e3 : p * δ k + p * ((1 - δ k) * e k * i) + p * ((1 - δ k) * i) + p * 0
        = p * (δ k + (1 - δ k) * ((1 + e k) * i)) := by clear he hδ hδ1 ih hp e1 e2 hit; grind
    rw [e3, hit]
    clear he hδ hδ1 ih hp e1 e2 hit e3
    grind

/-- The value of equal rounds, of which `n` are left. -/
theorem equal_rounds (t δ y : F.K) (ht : 1 ≤ t) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hy : 0 ≤ y)
    (n k : Nat) (p0 p1 : F.K) (h0 : 0 ≤ p0) (h1 : 0 ≤ p1) :
    optValue (fixedParams (fun _ => t) (fun _ => δ) y) n k p0 p1
      = (1 - (1 - δ) ^ n) * p0
        + ((1 - δ) * (1 + t)⁻¹) ^ n * crossings t (Numerics.pascal n) (t ^ n * p0) (y * p1) := by
  have hP : (fixedParams (fun _ => t) (fun _ => δ) y : IterParams F.K).Ok :=
    ⟨fun _ => ht, fun _ => hδ, fun _ => hδ1, fun _ => hy⟩
  have hi : 0 < (1 + t)⁻¹ := inv_pos' (by clear hδ hδ1 hy h0 h1 hP; grind)
  have hit : (1 + t) * (1 + t)⁻¹ = 1 := by clear hδ hδ1 hy h0 h1 hP hi; grind
  have htt : t * t⁻¹ = 1 := by clear hδ hδ1 hy h0 h1 hP hi; grind
  induction n generalizing k p0 p1 with
  | zero =>
    simp only [optValue, Numerics.pascal, crossings, Lean.Grind.Semiring.pow_zero,
      Lean.Grind.Semiring.natCast_one]
    show posPart (p0 - y * p1) = _
    have e : 1 * p0 - y * p1 = p0 - y * p1 := by clear ht hδ hδ1 hy hP hi hit htt h0 h1; grind
    rw [e]
    clear ht hδ hδ1 hy hP hi hit htt h0 h1 e
    grind
  | succ n ih =>
    have e1 : optValue (fixedParams (fun _ => t) (fun _ => δ) y) (n + 1) k p0 p1
        = sumSymbols fun q => optValue (fixedParams (fun _ => t) (fun _ => δ) y) n (k + 1)
          (p0 * rr t δ false q) (p1 * rr t δ true q) := rfl
    have hr : ∀ b q, 0 ≤ rr t δ b q := fun b q => rr_nonneg _ _ ht hδ hδ1 _ _
    rw [e1]
    simp only [sumSymbols]
    have z1 : p0 * rr t δ false .three = 0 := by simp only [rr]; grind
    have z2 : p1 * rr t δ true .zero = 0 := by simp only [rr]; grind
    rw [z1, optValue_of_nothing _ n (k + 1) _ (mul_nonneg' h1 (hr _ _)) hP, z2,
      optValue_of_all _ _ _ (fun _ => ht) (fun _ => hδ) (fun _ => hδ1) n (k + 1) _
        (mul_nonneg' h0 (hr _ _)),
      ih _ _ _ (mul_nonneg' h0 (hr _ _)) (mul_nonneg' h1 (hr _ _)),
      ih _ _ _ (mul_nonneg' h0 (hr _ _)) (mul_nonneg' h1 (hr _ _)), crossings_pascal]
    simp only [rr, Lean.Grind.Field.div_eq_mul_inv, Lean.Grind.Semiring.pow_succ]
    generalize hi2 : (1 + t)⁻¹ = i at *
    have hc : 0 ≤ (1 - δ) * i := mul_nonneg' (by grind) (by grind)
    have a1 : t ^ n * (p0 * ((1 - δ) * t * i)) = (1 - δ) * i * (t ^ n * t * p0) := by grind
    have a2 : y * (p1 * ((1 - δ) * i)) = (1 - δ) * i * (y * p1) := by grind
    have a3 : t ^ n * (p0 * ((1 - δ) * i)) = (1 - δ) * i * (t ^ n * p0) := by grind
    have a4 : y * (p1 * ((1 - δ) * t * i)) = (1 - δ) * i * (y * p1 * t) := by grind
    have a5 : t ^ n * t * p0 * t⁻¹ = t ^ n * p0 := by
      have : t ^ n * t * p0 * t⁻¹ = t ^ n * p0 * (t * t⁻¹) := by grind
      rw [this, htt]
      clear ht hδ hδ1 hy hP htt h0 h1 e1 hr z1 z2 hi2 hi hit ih hc a1 a2 a3 a4
      grind
    rw [a1, a2, a3, a4, crossings_mul t hc, crossings_mul t hc, a5]
    generalize crossings t (Numerics.pascal n) (t ^ n * t * p0) (y * p1) = x
    generalize crossings t (Numerics.pascal n) (t ^ n * p0) (y * p1 * t) = x'
    generalize ((1 - δ) * i) ^ n = cn
    generalize (1 - δ) ^ n = dn
    have a6 : (1 - dn) * (p0 * ((1 - δ) * t * i)) + (1 - dn) * (p0 * ((1 - δ) * i))
        = (1 - dn) * (1 - δ) * p0 * ((1 + t) * i) := by grind
    rw [hit] at a6
    clear ht hδ hδ1 hy hP htt h0 h1 e1 hr z1 z2 hi2 hi ih hc a1 a2 a3 a4 a5 a6
    grind

theorem ratOfNat_succ (n : Nat) : ratOfNat (n + 1) = ratOfNat n + 1 := by
  simp only [ratOfNat, Rat.mkRat_one]
  simp [Rat.intCast_add]

theorem exp_times (n : Nat) (eps : Rat) :
    F.exp (ofRat (ratOfNat n * eps)) = F.exp (ofRat eps) ^ n := by
  induction n with
  | zero =>
    have e : ratOfNat 0 * eps = 0 := by
      have : ratOfNat 0 = 0 := by decide +kernel
      rw [this]
      grind
    rw [e, Numerics.ofRat_zero, Numerics.exp_zero, Lean.Grind.Semiring.pow_zero]
  | succ n ih =>
    have e : ratOfNat (n + 1) * eps = ratOfNat n * eps + eps := by rw [ratOfNat_succ]; grind
    rw [e, Numerics.ofRat_add, F.exp_add, ih, Lean.Grind.Semiring.pow_succ]

/-- `kovSum` is such a sum. -/
theorem kovSum_eq (n : Nat) (eps epsG : Rat) (l : Nat) (cs : List Nat) :
    Numerics.kovSum F n eps epsG l cs = crossings (F.exp (ofRat eps)) cs
      (F.exp (ofRat ((ratOfNat n - ratOfNat l) * eps))) (F.exp
        (ofRat (epsG + ratOfNat l * eps))) := by
  induction cs generalizing l with
  | nil => rfl
  | cons c cs ih =>
    have hx := Numerics.exp_pos F (ofRat eps)
    have e1 : ofRat ((ratOfNat n - ratOfNat l) * eps)
        = (ofRat ((ratOfNat n - ratOfNat (l + 1)) * eps) + ofRat eps : F.K) := by
      rw [← Numerics.ofRat_add]
      congr 1
      rw [ratOfNat_succ]
      grind
    have e2 : F.exp (ofRat ((ratOfNat n - ratOfNat l) * eps)) * (F.exp (ofRat eps))⁻¹
        = F.exp (ofRat ((ratOfNat n - ratOfNat (l + 1)) * eps)) := by
      rw [e1, F.exp_add]
      have : F.exp (ofRat eps) * (F.exp (ofRat eps))⁻¹ = 1 := by grind
      have e : ∀ a b c : F.K, b * c = 1 → a * b * c = a := fun a b c h => by
        have : a * b * c = a * (b * c) := by clear ih hx e1 h; grind
        rw [this, h]
        clear ih hx e1 h
        grind
      exact e _ _ _ this
    have e3 : F.exp (ofRat (epsG + ratOfNat l * eps)) * F.exp (ofRat eps)
        = F.exp (ofRat (epsG + ratOfNat (l + 1) * eps)) := by
      rw [← F.exp_add, ← Numerics.ofRat_add]
      congr 2
      rw [ratOfNat_succ]
      clear ih hx e1 e2
      grind
    simp only [Numerics.kovSum, crossings, ih, e2, e3]
    rfl

/-- **Optimal composition of equal rounds in closed form** (Kairouz, Oh, Viswanath 2015, Theorem
3.3, at any `ε_g`): what Theorem 15 gives where nobody stops is the formula of a certificate. -/
theorem optDel_of_equal_rounds (F : ExpField) (n : Nat) (eps delta epsG : Rat) (h0 : 0 ≤ eps)
    (h1 : 0 ≤ delta) (h2 : delta ≤ 1) :
    optDel (fixedParams (fun _ => F.exp (ofRat eps)) (fun _ => ofRat delta) (F.exp (ofRat epsG))) n
      = 1 - ofRat ((1 - delta) ^ n) * (1 - Numerics.kovDelta F n eps epsG) := by
  have ht : 1 ≤ F.exp (ofRat eps) := (expFieldLike F).one_le_exp (Numerics.ofRat_nonneg h0)
  have hd1 : (ofRat delta : F.K) ≤ 1 := by
    have := Numerics.ofRat_mono (K := F.K) h2
    rw [Numerics.ofRat_one] at this
    exact this
  have hy := Numerics.exp_pos F (ofRat epsG)
  rw [optDel, equal_rounds _ _ _ ht (Numerics.ofRat_nonneg h1) hd1 (by grind) n 0 1 1 (by grind)
    (by clear h0 h1 h2 ht hd1 hy; grind), Numerics.kovDelta, kovSum_eq]
  have z : ratOfNat 0 = 0 := by decide +kernel
  have e1 : F.exp (ofRat ((ratOfNat n - ratOfNat 0) * eps)) = F.exp (ofRat eps) ^ n * 1 := by
    have e : (ratOfNat n - ratOfNat 0) * eps = ratOfNat n * eps := by rw [z]; grind
    rw [e, exp_times]
    clear h0 h1 h2 ht hd1 hy z e
    grind
  have e2 : F.exp (ofRat (epsG + ratOfNat 0 * eps)) = F.exp (ofRat epsG) * 1 := by
    have e : epsG + ratOfNat 0 * eps = epsG := by rw [z]; clear h0 h1 h2 ht hd1 hy z e1; grind
    rw [e]
    clear h0 h1 h2 ht hd1 hy z e1 e
    grind
  have e3 : (ofRat ((1 - delta) ^ n) : F.K) = (1 - ofRat delta) ^ n := by
    rw [Numerics.ofRat_pow, Numerics.ofRat_sub, Numerics.ofRat_one]
  have hi : 0 < (1 + F.exp (ofRat eps))⁻¹ := inv_pos' (by clear h0 h1 h2 hd1 hy z e1 e2 e3; grind)
  have e4 : ∀ m : Nat, ((1 - ofRat delta) * (1 + F.exp (ofRat eps))⁻¹) ^ m
      = (1 - ofRat delta) ^ m * ((1 + F.exp (ofRat eps)) ^ m)⁻¹ := fun m => by
    rw [Lean.Grind.CommSemiring.mul_pow]
    congr 1
    induction m with
    | zero =>
      rw [Lean.Grind.Semiring.pow_zero, Lean.Grind.Semiring.pow_zero]
      clear h0 h1 h2 ht hd1 hy z e1 e2 e3 hi
      grind
    | succ m ih =>
      have hp := Numerics.pow_pos (by grind : 0 < 1 + F.exp (ofRat eps)) m
      rw [Lean.Grind.Semiring.pow_succ, Lean.Grind.Semiring.pow_succ, ih]
      generalize (1 + F.exp (ofRat eps)) ^ m = x at *
      clear h0 h1 h2 hd1 hy z e1 e2 e3 hi ih hp
      grind
  rw [e1, e2, e3, e4, Lean.Grind.Field.div_eq_mul_inv]
  clear h0 h1 h2 ht hd1 hy z e1 e2 e3 hi e4
  grind

/-- **A certificate of optimal composition is a privacy guarantee** (Kairouz, Oh, Viswanath 2015),
for finite laws.  If `KovBound` holds, which is what a certificate's file proves, then in every
exponential field, the real numbers included, `n` adaptively chosen mechanisms that are `(ε, δ)`-DP
are `(ε_g, δ_g)`-DP together. -/
theorem kov_certificate_is_a_privacy_guarantee (n : Nat) (eps delta epsG deltaG : Rat)
    (h : Numerics.KovBound n eps delta epsG deltaG) (F : ExpField) {D O : Type u}
    (nbr : Neighbours D) (M : Iteration F.K D O)
    (hM : ∀ past, IsDPSet (expFieldLike F) nbr (M past) (ofRat eps) (ofRat delta)) :
    ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      compositionPr M n x S ≤ F.exp (ofRat epsG) * compositionPr M n x' S + ofRat deltaG := by
  obtain ⟨h0, h1, h2, _, hE⟩ := h
  have ht : 1 ≤ F.exp (ofRat eps) := (expFieldLike F).one_le_exp (Numerics.ofRat_nonneg h0)
  have hd1 : (ofRat delta : F.K) ≤ 1 := by
    have := Numerics.ofRat_mono (K := F.K) h2
    rw [Numerics.ofRat_one] at this
    exact this
  have hy := Numerics.exp_pos F (ofRat epsG)
  have hP : (fixedParams (fun _ => F.exp (ofRat eps)) (fun _ => ofRat delta)
      (F.exp (ofRat epsG)) : IterParams F.K).Ok :=
    ⟨fun _ => ht, fun _ => Numerics.ofRat_nonneg h1, fun _ => hd1, fun _ => by
      show 0 ≤ F.exp (ofRat epsG)
      clear hM h0 h1 h2 hE ht hd1
      grind⟩
  have key := (optDel_is_optimal.{u} _ hP n).1 nbr M (fun _ => false)
    (fun past x x' hx S => hM past x x' hx S) fun v hv => absurd hv (by simp)
  rw [optDel_of_equal_rounds F n eps delta epsG h0 h1 h2] at key
  exact (iterODP_without_stopping _ _ _ nbr M n _).mp (IterODP.mono (hE F) key)

end PrivRef
