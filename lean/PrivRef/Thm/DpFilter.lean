module

public import PrivRef.Spec.DpFilter
public import PrivRef.Thm.Cosh
public import PrivRef.Thm.DpRound

/-!
Theorem 2 of Whitehouse, Ramdas, Rogers, Wu (ICML 2023), the filter for `(ε, δ)`-DP rounds with
adaptively chosen parameters, for general laws.
-/

@[expose] public section

set_option linter.unusedSectionVars false

namespace PrivRef

universe u k

open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable {F : ExpField}

theorem DpAnalyst.expect_mem (G : Filter F.K F.K) (b : Bool) (s : G.S)
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K) (hf : Adm G s g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) : 0 ≤ expect G b s g f ∧ expect G b s g f ≤ 1 := by
  induction g generalizing s with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin S T ρ next ih =>
    have h := fun r => ih r s (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun r => (h r).1, ρ.E_le_one (hf.2 b) fun r => (h r).2⟩
  | request q next refused ih ih' =>
    unfold expect
    split
    · exact ⟨h0 _, h1 _⟩
    · exact ih' s _ hf.1 (fun v => h0 _) (fun v => h1 _)
    · have h := fun o => ih o _ (fun v => f (some (.inl ⟨o, v⟩))) (hf.2.1 o) (fun v => h0 _)
        (fun v => h1 _)
      exact ⟨(q.law b).E_nonneg (hf.2.2 b) fun o => (h o).1,
        (q.law b).E_le_one (hf.2.2 b) fun o => (h o).2⟩

theorem squares_bound (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {V δt : F.K} (hδ1 : δt ≤ 1)
    (i : (allOrders F.K).I) (b : Bool) (t : F.K × F.K) (ht : t.1 ≤ V ∧ 0 ≤ t.2 ∧ t.2 ≤ δt)
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (squaresFilter V δt) t g f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1)
    (s : F.K) :
    DpAnalyst.expect (squaresFilter V δt) b t g f
      ≤ δt - t.2 + (1 - (δt - t.2)) * (1 * (expFieldLike F).exp
          (zcdpCost ((V - t.1) / 2) i - (allOrders F.K).scale i s))
        + (expFieldLike F).exp s * DpAnalyst.expect (squaresFilter V δt) (!b) t g f := by
  -- Where the interaction ends, both views are the same.
  have leaf : ∀ t : F.K × F.K, t.1 ≤ V ∧ 0 ≤ t.2 ∧ t.2 ≤ δt → ∀ y : F.K, 0 ≤ y → y ≤ 1 → ∀ s,
      y ≤ δt - t.2 + (1 - (δt - t.2)) * (1 * (expFieldLike F).exp
          (zcdpCost ((V - t.1) / 2) i - (allOrders F.K).scale i s)) + (expFieldLike F).exp s * y :=
    fun t ht y hy0 hy1 s => ended_interaction_is_bounded _ _ i (by grind)
      (one_serves_every_order _ _ _) (by grind) (by grind) (zcdpCost_nonneg (by grind) i) hy0 hy1 s
  induction g generalizing t s with
  | stop => exact leaf t ht _ (h0 _) (h1 _) s
  | coin S T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun r =>
      ih r t ht (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _) s
  | request q next refused ih ih' =>
    unfold DpAnalyst.expect
    split
    · exact leaf t ht _ (h0 _) (h1 _) s
    · exact ih' t ht _ hf.1 (fun v => h0 _) (fun v => h1 _) s
    · rename_i hcont
      simp only [squaresFilter] at hcont
      split at hcont
      · rename_i hfits
        have hd := q.delta_nonneg
        have ht' : t.1 + q.eps * q.eps ≤ V ∧ 0 ≤ t.2 + q.delta ∧ t.2 + q.delta ≤ δt :=
          ⟨hfits.1, by grind, hfits.2⟩
        have h := dp_round_followed_by_bounded_continuation (expFieldLike F) (allOrders F.K)
          q.eps_nonneg (fun f hf => q.both b f hf)
          (fun f hf => by
            have := q.both (!b) f hf
            rw [Bool.not_not] at this
            exact this)
          i (zcdpCost (q.eps * q.eps / 2) i) (randomized_response_is_zcdp F arch i.2 q.eps_nonneg)
          (κ := 1) (d := δt - (t.2 + q.delta)) (by grind)
          (zcdpCost ((V - (t.1 + q.eps * q.eps)) / 2) i) s hd (by grind) (by grind) _ _
          (hf.2.2 b) (hf.2.2 (!b))
          (fun o => (DpAnalyst.expect_mem _ b _ (next o) _ (hf.2.1 o) (fun v => h0 _)
            (fun v => h1 _)).2)
          (fun o => (DpAnalyst.expect_mem _ (!b) _ (next o) _ (hf.2.1 o) (fun v => h0 _)
            (fun v => h1 _)).1)
          (fun s o => ih o _ ht' (fun v => f (some (.inl ⟨o, v⟩))) (hf.2.1 o) (fun v => h0 _)
            (fun v => h1 _) s)
        have e1 : q.delta + (δt - (t.2 + q.delta)) = δt - t.2 := by grind
        have e2 : zcdpCost ((V - (t.1 + q.eps * q.eps)) / 2) i + zcdpCost (q.eps * q.eps / 2) i
            = zcdpCost ((V - t.1) / 2) i := by
          simp only [zcdpCost]
          grind
        rw [e1, e2] at h
        exact h
      · exact absurd hcont (by simp)

/-- **The filter for `(ε, δ)`-DP rounds is private** (Whitehouse et al. 2023, Theorem 2).  Let
`δ' = e^{-L}`, and let `V` be such that `√(2 log (1/δ') V) + V/2 ≤ ε`, the root being `s`.  For the
filter that lets requests through while `∑ ε_i² ≤ V` and `∑ δ_i ≤ δ`, for every analyst, general
laws and every test function of the view, in both directions,
`E f(V^b) ≤ e^ε E f(V^{1-b}) + δ + (1 - δ) δ'`, so at most `δ + δ'`. -/
theorem dp_filter_is_private (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (V δ L s ε : F.K)
    (hV : 0 ≤ V) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hs : 0 ≤ s) (hsL : s * s = 2 * L * V)
    (hε : s + V / 2 ≤ ε) (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (squaresFilter V δ) (squaresStart V δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (squaresFilter V δ) b (squaresStart V δ) g f
      ≤ δ + (1 - δ) * F.exp (-L)
        + F.exp ε * DpAnalyst.expect (squaresFilter V δ) (!b) (squaresStart V δ) g f := by
  refine every_order_gives_lemma_1 F (V / 2) δ _ _ (by grind) hδ hδ1
    (DpAnalyst.expect_mem _ b _ g f hf h0 h1) (DpAnalyst.expect_mem _ (!b) _ g f hf h0 h1)
    (fun m hm ε => ?_) L (s / 2) ε (by grind) (by grind) (by grind)
  have h := squares_bound arch hδ1 ⟨m, hm⟩ b (squaresStart V δ)
    ⟨hV, by simp only [squaresStart]; grind, hδ⟩ g f hf h0 h1 ε
  simp only [squaresStart] at h
  have e1 : δ - 0 = δ := by grind
  have e2 : V - 0 = V := by grind
  rw [e1, e2] at h
  have e3 : (expFieldLike F).exp (zcdpCost (V / 2) ⟨m, hm⟩ - (allOrders F.K).scale ⟨m, hm⟩ ε)
      = F.exp (m * (m + 1) * (V / 2) - m * ε) := rfl
  have e4 : (expFieldLike F).exp ε = F.exp ε := rfl
  rw [e3, e4] at h
  have e5 : squaresStart V δ = ((0 : F.K), (0 : F.K)) := rfl
  rw [e5]
  grind

section

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- A sum of squares fits the budget of the filter exactly where the printed formula of it is at
most `ε`. -/
theorem squares_fit_iff_their_formula_fits {V L s ε S r : K} (hL : 0 ≤ L) (hs : 0 ≤ s)
    (hsL : s * s = 2 * L * V)
    (hε : s + V / 2 = ε) (hr : 0 ≤ r) (hrS : r * r = 2 * L * S) : r + S / 2 ≤ ε ↔ S ≤ V := by
  constructor
  · intro h
    by_cases hSV : S ≤ V
    · exact hSV
    · have h1 := mul_le_left (by grind : V ≤ S) (by grind : (0 : K) ≤ 2 * L)
      have h2 : s ≤ r := Numerics.le_of_sq_le (by rw [hsL, hrS]; exact h1) hr
      grind
  · intro h
    have h1 := mul_le_left h (by grind : (0 : K) ≤ 2 * L)
    have h2 : r ≤ s := Numerics.le_of_sq_le (by rw [hsL, hrS]; exact h1) hs
    grind

/-- **The filter decides by the printed formula** (Whitehouse et al. 2023, Theorem 2).  Let
`a = √(2 L)` and `b = √(2 (L + ε))`, with `L = log (1/δ')`.  Then `V = (b - a)²` is the budget of
squares that `dp_filter_is_private` asks for, with `√(2 L V) = a (b - a)`; and with it the filter
lets a request through if and only if `√(2 L ∑ ε_i²) + ½ ∑ ε_i² ≤ ε`, the request included and the
root being `r`, and `∑ δ_i ≤ δ`. -/
theorem dp_filter_decides_by_the_printed_formula (L ε δ a b : K) (hε : 0 ≤ ε) (ha : 0 ≤ a)
    (haL : a * a = 2 * L)
    (hb : 0 ≤ b) (hbL : b * b = 2 * (L + ε)) :
    0 ≤ a * (b - a) ∧ a * (b - a) * (a * (b - a)) = 2 * L * ((b - a) * (b - a)) ∧
    a * (b - a) + (b - a) * (b - a) / 2 = ε ∧
    ∀ (t : K × K) (e d r : K), 0 ≤ r → r * r = 2 * L * (t.1 + e * e) →
      ((squaresFilter ((b - a) * (b - a)) δ).decide t e d = .cont ↔
        r + (t.1 + e * e) / 2 ≤ ε ∧ t.2 + d ≤ δ) := by
  have h1 : a ≤ b := Numerics.le_of_sq_le (by rw [haL, hbL]; grind) hb
  have h2 := mul_nonneg' ha (by grind : 0 ≤ b - a)
  have h3 := mul_nonneg' ha ha
  have h4 : a * (b - a) * (a * (b - a)) = 2 * L * ((b - a) * (b - a)) := by grind
  have h5 : a * (b - a) + (b - a) * (b - a) / 2 = ε := by grind
  refine ⟨h2, h4, h5, fun t e d r hr hrS => ?_⟩
  rw [squares_fit_iff_their_formula_fits (by grind) h2 h4 h5 hr hrS]
  simp only [squaresFilter]
  split
  · rename_i h
    exact ⟨fun _ => h, fun _ => rfl⟩
  · rename_i h
    exact ⟨fun h' => absurd h' (by simp), fun h' => absurd h' h⟩

end

end PrivRef
