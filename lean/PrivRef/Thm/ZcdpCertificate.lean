module

public import PrivRef.Thm.Zcdp

/-!
What the numeric certificates of zCDP claims prove is privacy: the inequalities of
`PrivRef.Numerics.Formulas` and the filter theorems together.
-/

@[expose] public section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-- The filter whose budget is what a ledger spends: the sums of its `ρ` and of its `δ`. -/
noncomputable def ledgerFilter (F : ExpField) (gs : List Group) :
    Filter ((allOrders F.K).I → F.K) F.K :=
  renyiFilter (allOrders F.K) (zcdpCost (ofRat (Numerics.totalPar gs)))
    (ofRat (Numerics.totalDelta gs))

/-- Nothing spent. -/
noncomputable def ledgerStart (F : ExpField) (gs : List Group) : (ledgerFilter F gs).S :=
  renyiStart (allOrders F.K) (zcdpCost (ofRat (Numerics.totalPar gs)))
    (ofRat (Numerics.totalDelta gs))

theorem totalDelta_nonneg {gs : List Group} (h : Numerics.NonNegative gs) :
    0 ≤ Numerics.totalDelta gs := by
  induction gs with
  | nil => simp only [Numerics.totalDelta]; grind
  | cons g gs ih =>
    simp only [Numerics.totalDelta]
    have h1 := ih h.2.2
    have h2 := mul_nonneg' (Numerics.ratOfNat_nonneg g.count) h.2.1
    grind

/-- **A zCDP certificate by Lemma 1 is a privacy guarantee** (Whitehouse et al. 2023, Theorem 1 with
Lemma 1).  If `ZcdpBound` holds, which is what a certificate's file proves, then in
every exponential field that has the logarithm `L` and the root `s`, the real numbers included,
every interaction that spends no more than the ledger, with all else chosen adaptively, is
`(ε, δ)`-indistinguishable in both directions. -/
theorem zcdp_certificate_is_a_privacy_guarantee (gs : List Group) (deltaPrime epsG deltaG : Rat)
    (h : Numerics.ZcdpBound gs deltaPrime epsG deltaG) (F : ExpField) (L s : F.K)
    (hL : F.exp (-L) = ofRat deltaPrime) (hs : 0 ≤ s)
    (hsL : s * s = ofRat (Numerics.totalPar gs) * L)
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (ledgerFilter F gs) (ledgerStart F gs) g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (ledgerFilter F gs) b (ledgerStart F gs) g f
      ≤ ofRat deltaG + F.exp (ofRat epsG)
        * RenyiAnalyst.expect (ledgerFilter F gs) (!b) (ledgerStart F gs) g f := by
  obtain ⟨hn, hp, hp1, hD1, hD, hE⟩ := h
  have k1 : (0 : F.K) ≤ ofRat (Numerics.totalPar gs) :=
    Numerics.ofRat_nonneg (Numerics.totalPar_nonneg hn)
  have k2 : (0 : F.K) ≤ ofRat (Numerics.totalDelta gs) :=
    Numerics.ofRat_nonneg (totalDelta_nonneg hn)
  have k3 : (ofRat (Numerics.totalDelta gs) : F.K) ≤ 1 := by
    have := Numerics.ofRat_mono (K := F.K) hD1
    rw [Numerics.ofRat_one] at this
    exact this
  have key := zcdp_filter_is_private_by_lemma_1 F _ _ k1 k2 k3 L s _ hs hsL (hE F L s hL hs hsL)
    g f hf h0 h1 b
  have k4 := Numerics.ofRat_mono (K := F.K) hD
  rw [Numerics.ofRat_add, Numerics.ofRat_mul, Numerics.ofRat_sub, Numerics.ofRat_one, ← hL] at k4
  show RenyiAnalyst.expect (renyiFilter _ _ _) b (renyiStart _ _ _) g f
    ≤ _ + _ * RenyiAnalyst.expect (renyiFilter _ _ _) (!b) (renyiStart _ _ _) g f
  grind

/-- **A zCDP certificate by the tight conversion is a privacy guarantee** (Canonne, Kamath, Steinke
2020, Corollary 13), likewise, where the field has the logarithm `M` of `1 - 1/α`. -/
theorem cks_certificate_is_a_privacy_guarantee (gs : List Group) (order epsG deltaG : Rat)
    (h : Numerics.CksBound gs order epsG deltaG) (F : ExpField) (M : F.K)
    (hM : F.exp M = ofRat (1 - 1 / order))
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (ledgerFilter F gs) (ledgerStart F gs) g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (ledgerFilter F gs) b (ledgerStart F gs) g f
      ≤ ofRat deltaG + F.exp (ofRat epsG)
        * RenyiAnalyst.expect (ledgerFilter F gs) (!b) (ledgerStart F gs) g f := by
  obtain ⟨hn, hD, ho, hE⟩ := h
  have k1 : (0 : F.K) ≤ ofRat (Numerics.totalPar gs) :=
    Numerics.ofRat_nonneg (Numerics.totalPar_nonneg hn)
  have k2 : (ofRat (Numerics.totalDelta gs) : F.K) = 0 := by rw [hD, Numerics.ofRat_zero]
  have hm : (0 : F.K) < ofRat (order - 1) := Numerics.ofRat_pos (by grind)
  have e1 : (1 : F.K) + ofRat (order - 1) = ofRat order := by
    rw [Numerics.ofRat_sub, Numerics.ofRat_one]
    grind
  have e2 : F.exp M = ofRat (order - 1) / (1 + ofRat (order - 1)) := by
    have h2 : (1 - 1 / order) * order = order - 1 := by grind
    have h3 := congrArg (ofRat (K := F.K)) h2
    rw [Numerics.ofRat_mul] at h3
    have h4 : (0 : F.K) < ofRat order := Numerics.ofRat_pos (by grind)
    rw [hM, e1]
    generalize (ofRat (1 - 1 / order) : F.K) = x at *
    generalize (ofRat order : F.K) = y at *
    grind
  have key := zcdp_filter_is_private_with_the_tight_conversion F (ofRat (Numerics.totalPar gs))
    (ofRat (Numerics.totalDelta gs)) k1 (by grind) (by grind) (ofRat (order - 1)) M (ofRat epsG) hm
    e2 g f hf h0 h1 b
  have k3 := hE F M hM
  have e3 : F.exp (ofRat (order - 1) * ((ofRat (order - 1) + 1) * ofRat (Numerics.totalPar gs)
      - ofRat epsG)) = F.exp (ofRat ((order - 1) * (order * Numerics.totalPar gs - epsG))) := by
    congr 1
    rw [Numerics.ofRat_mul, Numerics.ofRat_sub (order * Numerics.totalPar gs), Numerics.ofRat_mul,
      ← e1]
    grind
  rw [e3, e1] at key
  -- With `x`, `y` for the two expectations this is arithmetic.
  have arithmetic : ∀ x y D z w r : F.K, D = 0 → z ≤ r → x ≤ D + (1 - D) * z + w * y →
      x ≤ r + w * y := by
    intro x y D z w r h1 h2 h3
    rw [h1] at h3
    grind
  exact arithmetic _ _ _ _ _ _ k2 k3 key

end PrivRef
