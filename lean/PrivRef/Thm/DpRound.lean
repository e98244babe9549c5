module

public import PrivRef.Spec.DpFilter
public import PrivRef.Thm.Renyi

/-!
One `(ε, δ)`-DP round under the Rényi filter, for general laws: it costs the moments of randomized
response.  Lemma 12 of Hartmann et al. (Theorem 2.7 of Rogers et al.), which says that such a pair
of laws is randomized response followed by a coin, needs densities; here only the two functions of
the output that the round is asked about are cut at the levels where randomized response would cut
them.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem DpRequest.both {X : ExpLike A K} (q : DpRequest.{u} X) (b : Bool) (f : q.O → K)
    (hf : IsTest q.tests f) : (q.law b).E f ≤ q.delta + X.exp q.eps * (q.law (!b)).E f := by
  cases b
  · exact q.dp _ _ q.neighbours f hf
  · exact q.dp _ _ (q.nbr.symm _ _ q.neighbours) f hf

theorem inv_pos' {x : K} (h : 0 < x) : 0 < x⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr h

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem posPart_of_nonneg {x : K} (h : 0 ≤ x) : posPart x = x := by
  unfold posPart; split <;> grind

omit [LT K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem posPart_of_nonpos {x : K} (h : x ≤ 0) : posPart x = 0 := by
  unfold posPart; split <;> grind

/-- An inequality for test functions with values in `[0, 1]` holds in `[0, b]` with `b` times the
`δ`. -/
theorem scaled_test {O : Type u} {T : Tests K O} {μ ν : Law T} {t δ : K}
    (h : ∀ f, IsTest T f → μ.E f ≤ δ + t * ν.E f) {f : O → K} {b : K} (hb : 0 ≤ b) (hf : T.adm f)
    (h0 : ∀ o, 0 ≤ f o) (h1 : ∀ o, f o ≤ b) : μ.E f ≤ δ * b + t * ν.E f := by
  by_cases hz : b = 0
  · have e : f = fun _ => 0 := by
      funext o
      have := h0 o
      have := h1 o
      grind
    rw [e, μ.E_const, ν.E_const, hz]
    grind
  · have hi : 0 < b⁻¹ := inv_pos' (by grind)
    have hi0 : 0 ≤ b⁻¹ := by grind
    have hbi : b * b⁻¹ = 1 := by grind
    have h2 := h (fun o => b⁻¹ * f o) ⟨T.smul _ hf, fun o => mul_nonneg' hi0 (h0 o), fun o => by
      have := mul_le_left (h1 o) hi0
      grind⟩
    rw [μ.E_smul _ _ hf, ν.E_smul _ _ hf] at h2
    have h3 := mul_le_left h2 hb
    have e1 : b * (b⁻¹ * μ.E f) = μ.E f := by
      have : b * (b⁻¹ * μ.E f) = b * b⁻¹ * μ.E f := by grind
      rw [this, hbi]
      grind
    have e2 : b * (δ + t * (b⁻¹ * ν.E f)) = δ * b + t * ν.E f := by
      have : b * (δ + t * (b⁻¹ * ν.E f)) = δ * b + b * b⁻¹ * (t * ν.E f) := by grind
      rw [this, hbi]
      grind
    rw [e1, e2] at h3
    exact h3

/-- The level `q` at which randomized response with the odds `t` changes from one bound to the
other. -/
theorem exists_level {t a a' : K} (ht : 1 ≤ t) (ha : a' ≤ a) :
    ∃ q, 0 ≤ q ∧ a' + (t - 1) * q ≤ (t * a + a') * (1 + t)⁻¹ ∧
      (t = 1 ∧ q = 0 ∨ t * a + q ≤ t * a' + t * t * q) := by
  have h1 : 0 < (1 + t)⁻¹ := inv_pos' (by grind)
  have e1 : (1 + t) * (1 + t)⁻¹ = 1 := by grind
  generalize (1 + t)⁻¹ = i at *
  have h2 := mul_nonneg' (mul_nonneg' (by grind : 0 ≤ t) (by grind : 0 ≤ a - a')) (by grind : 0 ≤ i)
  have e0 : (t * a + a') * i = a' * ((1 + t) * i) + t * (a - a') * i := by grind
  rw [e0, e1]
  by_cases h : t = 1
  · exact ⟨0, by grind, by grind, .inl ⟨h, rfl⟩⟩
  · have h3 : 0 < (t - 1)⁻¹ := inv_pos' (by grind)
    have e2 : (t - 1) * (t - 1)⁻¹ = 1 := by grind
    generalize (t - 1)⁻¹ = j at *
    have h4 := mul_nonneg' h2 (by grind : 0 ≤ j)
    refine ⟨t * (a - a') * i * j, h4, ?_, .inr ?_⟩
    · have e : (t - 1) * (t * (a - a') * i * j) = t * (a - a') * i * ((t - 1) * j) := by grind
      rw [e, e2]
      grind
    · have e : t * a' + t * t * (t * (a - a') * i * j) = t * a' + t * (a - a') * i * j
          + t * (a - a') * ((1 + t) * i) * ((t - 1) * j) := by grind
      rw [e, e1, e2]
      grind

theorem levels_add_up {t δ a' c E x y μm νm μe νe : K} (hE : t * (1 - a' - t * c) = E)
    (h1 : t * x ≤ t * (a' + t * c) + (-(t * t) * μm + μe)) (h2 : μe ≤ δ * E + t * νe)
    (h3 : t * νm ≤ t * (δ * c + t * μm)) (h4 : t * (c + -1 * νm + νe) ≤ t * y) :
    t * x ≤ t * (δ + (1 - δ) * (a' + (t - 1) * c) + y) := by
  have e : δ * E = δ * t - δ * t * a' - δ * t * t * c := by rw [← hE]; grind
  rw [e] at h2
  grind

/-- The two lines that bound `t x`, and their cut at `c`, lowered to `E` where `x ≤ 1` says more. -/
theorem lines_cut_at_a_level {t a a' c q E x w : K} (ht : 0 ≤ t) (g1 : t * x ≤ t * a + w)
    (g2 : t * x ≤ t * (a' + t * w)) (g3 : t * x ≤ t * 1) (hE0 : 0 ≤ E)
    (hE : t * (1 - a' - t * c) = E) (hc : c = q ∨ 1 - a' - t * c = 0)
    (hq : t = 1 ∧ q = 0 ∨ t * a + q ≤ t * a' + t * t * q) :
    t * x ≤ t * (a' + t * c) + (-(t * t) * posPart (c + -w)
      + (E + -1 * posPart (E + -1 * posPart (-c + w)))) := by
  by_cases hw : w ≤ c
  · rw [posPart_of_nonneg (by grind : 0 ≤ c + -w), posPart_of_nonpos (by grind : -c + w ≤ 0),
      posPart_of_nonneg (by grind : 0 ≤ E + -1 * 0)]
    clear hq g1 g3 hE hE0 hc
    grind
  · rw [posPart_of_nonpos (by grind : c + -w ≤ 0), posPart_of_nonneg (by grind : 0 ≤ -c + w)]
    by_cases hx : -c + w ≤ E
    · rw [posPart_of_nonneg (by grind : 0 ≤ E + -1 * (-c + w))]
      rcases hc with hc | hc
      · subst hc
        rcases hq with ⟨ht1, hq1⟩ | hq
        · subst ht1 hq1
          grind
        · grind
      · rw [hc] at hE
        grind
    · rw [posPart_of_nonpos (by grind : E + -1 * (-c + w) ≤ 0)]
      grind

theorem parts_of_a_level {c w E : K} (hE : 0 ≤ E) : c + -1 * posPart (c + -w)
    + (E + -1 * posPart (E + -1 * posPart (-c + w))) ≤ w := by
  by_cases hw : w ≤ c
  · rw [posPart_of_nonneg (by grind : 0 ≤ c + -w), posPart_of_nonpos (by grind : -c + w ≤ 0),
      posPart_of_nonneg (by grind : 0 ≤ E + -1 * 0)]
    grind
  · rw [posPart_of_nonpos (by grind : c + -w ≤ 0), posPart_of_nonneg (by grind : 0 ≤ -c + w)]
    have := le_posPart (E + -1 * (-c + w))
    grind

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem inv_mul_cancel_left' {t : K} (h : t * t⁻¹ = 1) (y : K) : t⁻¹ * (t * y) = y := by
  have : t⁻¹ * (t * y) = t * t⁻¹ * y := by grind
  rw [this, h]
  grind

theorem add_le_add_middle {x y p q z : K} (h : x ≤ y + p + z) (hp : p ≤ q) : x ≤ y + q + z := by
  grind

/-- **One round against randomized response.**  Let `μ`, `ν` be indistinguishable with the odds `t`
and `δ`, and let `F`, `G` be functions of the output with `F ≤ a + t⁻¹ u G` and `F ≤ a' + t u G`, as
they would have to be if the output said that the bit is this or that.  Then `E_μ F` is bounded as
if randomized response had been asked. -/
theorem cut_at_the_levels_of_randomized_response {O : Type u} {T : Tests K O} {μ ν : Law T}
    {t δ u a a' : K} (ht : 1 ≤ t) (hδ1 : δ ≤ 1) (hu : 0 ≤ u) (ha : a' ≤ a)
    (h : ∀ f, IsTest T f → μ.E f ≤ δ + t * ν.E f) (h' : ∀ f, IsTest T f → ν.E f ≤ δ + t * μ.E f)
    {F G : O → K} (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (h1 : ∀ o, t * F o ≤ t * a + u * G o) (h2 : ∀ o, F o ≤ a' + t * (u * G o)) :
    μ.E F ≤ δ + (1 - δ) * ((t * a + a') * (1 + t)⁻¹) + u * ν.E G := by
  obtain ⟨q, hq0, hqB, hq⟩ := exists_level ht ha
  generalize (t * a + a') * (1 + t)⁻¹ = B at *
  have huG := mul_nonneg' hu (ν.E_nonneg hG hG0)
  have hd : 0 ≤ 1 - δ := by grind
  have ht0 : 0 ≤ t := by grind
  by_cases ha1 : 1 ≤ a'
  · have := mul_nonneg' (by grind : 0 ≤ t - 1) hq0
    have := mul_nonneg' hd (by grind : 0 ≤ B - 1)
    have := μ.E_le_one hF hF1
    grind
  · have hti : 0 < t⁻¹ := inv_pos' (by grind)
    have hti0 : 0 ≤ t⁻¹ := by grind
    have eti : t * t⁻¹ = 1 := by grind
    have eG : ∀ o, -u * G o = -(u * G o) := fun o => Lean.Grind.Ring.neg_mul u (G o)
    -- The cut, lowered where `F ≤ 1` already says more.
    obtain ⟨c, hc0, hcq, hc1, hc⟩ : ∃ c, 0 ≤ c ∧ c ≤ q ∧ 0 ≤ 1 - a' - t * c ∧
        (c = q ∨ 1 - a' - t * c = 0) := by
      have e : t * ((1 - a') * t⁻¹) = 1 - a' := by
        have : t * ((1 - a') * t⁻¹) = t * t⁻¹ * (1 - a') := by grind
        rw [this, eti]
        grind
      by_cases hle : q ≤ (1 - a') * t⁻¹
      · have := mul_le_left hle ht0
        exact ⟨q, hq0, by grind, by grind, .inl rfl⟩
      · refine ⟨(1 - a') * t⁻¹, mul_nonneg' (by grind) (by grind), by grind, by grind, .inr ?_⟩
        grind
    have hcB : a' + (t - 1) * c ≤ B := by
      have := mul_nonneg' (by grind : 0 ≤ t - 1) (by grind : 0 ≤ q - c)
      grind
    generalize hE : t * (1 - a' - t * c) = E
    have hE0 : 0 ≤ E := by
      rw [← hE]
      exact mul_nonneg' (by grind) hc1
    have adm1 : T.adm fun o => c + -u * G o := T.add _ _ (T.const c) (T.smul _ hG)
    have adm2 : T.adm fun o => -c + u * G o := T.add _ _ (T.const _) (T.smul _ hG)
    -- `m = (c - u G)⁺`, `x = (u G - c)⁺` and `e = min x E`.
    have admm : T.adm fun o => posPart (c + -u * G o) := T.pos _ adm1
    have admx : T.adm fun o => posPart (-c + u * G o) := T.pos _ adm2
    have admy : T.adm fun o => posPart (E + -1 * posPart (-c + u * G o)) :=
      T.pos _ (T.add _ _ (T.const E) (T.smul _ admx))
    have adme : T.adm fun o => E + -1 * posPart (E + -1 * posPart (-c + u * G o)) :=
      T.add _ _ (T.const E) (T.smul _ admy)
    have hmc : ∀ o, posPart (c + -u * G o) ≤ c := fun o => posPart_le (by
      have := mul_nonneg' hu (hG0 o)
      grind) hc0
    have he0 : ∀ o, 0 ≤ E + -1 * posPart (E + -1 * posPart (-c + u * G o)) := fun o => by
      have := posPart_le (x := E + -1 * posPart (-c + u * G o)) (y := E) (by
        have := posPart_nonneg (-c + u * G o)
        grind) hE0
      grind
    have heE : ∀ o, E + -1 * posPart (E + -1 * posPart (-c + u * G o)) ≤ E := fun o => by
      have := posPart_nonneg (E + -1 * posPart (-c + u * G o))
      grind
    -- Two uses of indistinguishability.
    have k1 := scaled_test h' hc0 admm (fun o => posPart_nonneg _) hmc
    have k2 := scaled_test h hE0 adme he0 heE
    -- `F ≤ a' + t (c - m) + e / t`
    have k3 : ∀ o, t * F o ≤ t * (a' + t * c) + (-(t * t) * posPart (c + -u * G o)
        + (E + -1 * posPart (E + -1 * posPart (-c + u * G o)))) := fun o => by
      rw [eG]
      exact lines_cut_at_a_level ht0 (h1 o) (mul_le_left (h2 o) ht0) (mul_le_left (hF1 o) ht0) hE0
        hE hc hq
    -- `c - m + e ≤ u G`
    have k4 : ∀ o, c + -1 * posPart (c + -u * G o)
        + (E + -1 * posPart (E + -1 * posPart (-c + u * G o))) ≤ u * G o := fun o => by
      rw [eG]
      exact parts_of_a_level hE0
    have k5 := μ.E_mono _ _ (T.smul t hF)
      (T.add _ _ (T.const _) (T.add _ _ (T.smul _ admm) adme)) k3
    rw [μ.E_smul _ _ hF, μ.E_add _ _ (T.const _) (T.add _ _ (T.smul _ admm) adme),
      μ.E_add _ _ (T.smul _ admm) adme, μ.E_const, μ.E_smul _ _ admm] at k5
    have k6 := ν.E_mono _ _ (T.add _ _ (T.add _ _ (T.const c) (T.smul (-1) admm)) adme)
      (T.smul u hG) k4
    rw [ν.E_smul _ _ hG, ν.E_add _ _ (T.add _ _ (T.const c) (T.smul (-1) admm)) adme,
      ν.E_add _ _ (T.const c) (T.smul (-1) admm), ν.E_const, ν.E_smul _ _ admm] at k6
    generalize (ν.E fun o => posPart (c + -u * G o)) = νm at *
    generalize (μ.E fun o => posPart (c + -u * G o)) = μm at *
    generalize (ν.E fun o => E + -1 * posPart (E + -1 * posPart (-c + u * G o))) = νe at *
    generalize (μ.E fun o => E + -1 * posPart (E + -1 * posPart (-c + u * G o))) = μe at *
    generalize ν.E G = g at *
    have k7 := mul_le_left (levels_add_up hE k5 k2 (mul_le_left k1 ht0) (mul_le_left k6 ht0)) hti0
    rw [inv_mul_cancel_left' eti, inv_mul_cancel_left' eti] at k7
    exact add_le_add_middle k7 (mul_le_left hcB hd)

/-- The same as below, of which only the two shifts are needed where randomized response would
lead. -/
theorem dp_round_followed_at_two_shifts (X : ExpLike A K) (R : Orders A) {O : Type u}
    {T : Tests K O} {μ ν : Law T} {ε : A} {δ : K} (hε : 0 ≤ ε)
    (h : ∀ f, IsTest T f → μ.E f ≤ δ + X.exp ε * ν.E f)
    (h' : ∀ f, IsTest T f → ν.E f ≤ δ + X.exp ε * μ.E f) (i : R.I) (c : A)
    (hc : X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε) ≤ (1 + X.exp ε) * X.exp c)
    {κ d : K} (hκ : 0 ≤ κ) (r s : A) (hδ : 0 ≤ δ) (hd : 0 ≤ d) (h1 : δ + d ≤ 1) (F G : O → K)
    (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hlow : ∀ o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i (s - ε))) + X.exp (s - ε) * G o)
    (hhigh : ∀ o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i (s + ε))) + X.exp (s + ε) * G o) :
    μ.E F ≤ δ + d + (1 - (δ + d)) * (κ * X.exp (r + c - R.scale i s)) + X.exp s * ν.E G := by
  have ht := X.one_le_exp hε
  have hx0 := mul_nonneg' hκ (X.exp_nonneg (r - R.scale i s))
  have hm := R.scale_mono i 0 ε hε
  rw [R.scale_zero] at hm
  have hz := mul_nonneg' (X.exp_nonneg s) (ν.E_nonneg hG hG0)
  have d1 : 0 ≤ 1 - d := by grind
  -- What the continuation satisfies at the shifts `s - ε` and `s + ε`.
  have e1 : X.exp (r - R.scale i (s - ε)) = X.exp (r - R.scale i s) * X.exp (R.scale i ε) := by
    rw [← X.exp_add, R.scale_sub]
    congr 1
    grind
  have e2 : X.exp (r - R.scale i (s + ε)) = X.exp (r - R.scale i s) * X.exp (-R.scale i ε) := by
    rw [← X.exp_add, R.scale_add]
    congr 1
    grind
  have e3 := X.exp_mul_exp_sub ε s
  have e4 : X.exp (s + ε) = X.exp ε * X.exp s := by
    rw [X.exp_add]
    grind
  have e5 : X.exp (ε + R.scale i ε) = X.exp ε * X.exp (R.scale i ε) := X.exp_add _ _
  have e6 : κ * X.exp (r + c - R.scale i s) = κ * X.exp (r - R.scale i s) * X.exp c := by
    have e : r + c - R.scale i s = r - R.scale i s + c := by grind
    rw [e, X.exp_add]
    grind
  have hle : X.exp (-R.scale i ε) ≤ X.exp (R.scale i ε) := X.exp_mono _ _ (by grind)
  rw [e6]
  rw [e5] at hc
  have hs := X.exp_nonneg s
  have g1 : ∀ o, X.exp ε * F o ≤ X.exp ε * (d + (1 - d) * (κ * X.exp (r - R.scale i s)
      * X.exp (R.scale i ε))) + X.exp s * G o := fun o => by
    have := mul_le_left (hlow o) (X.exp_nonneg ε)
    rw [e1] at this
    have e : X.exp ε * (X.exp (s - ε) * G o) = X.exp s * G o := by
      rw [← e3, Lean.Grind.Semiring.mul_assoc]
    rw [Lean.Grind.Semiring.left_distrib, e] at this
    rw [Lean.Grind.Semiring.mul_assoc]
    exact this
  have g2 : ∀ o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i s) * X.exp (-R.scale i ε))
      + X.exp ε * (X.exp s * G o) := fun o => by
    have := hhigh o
    rw [e2, e4] at this
    grind
  generalize X.exp (R.scale i ε) = y at *
  generalize X.exp (-R.scale i ε) = y' at *
  generalize κ * X.exp (r - R.scale i s) = x at *
  have key := cut_at_the_levels_of_randomized_response ht (by grind) hs
    (by have := mul_le_left (mul_le_left hle hx0) d1; grind) h h' hF hG hF1 hG0 g1 g2
  refine le_mix_two hδ hd h1 hz (μ.E_le_one hF hF1) ?_
  have hi : 0 < (1 + X.exp ε)⁻¹ := inv_pos' (by grind)
  have ei : (1 + X.exp ε) * (1 + X.exp ε)⁻¹ = 1 := by grind
  generalize (1 + X.exp ε)⁻¹ = j at *
  have hB : (X.exp ε * (d + (1 - d) * (x * y)) + (d + (1 - d) * (x * y'))) * j
      ≤ d + (1 - d) * (x * X.exp c) := by
    have a1 := mul_le_left (mul_le_left hc (by grind : 0 ≤ j)) (mul_nonneg' d1 hx0)
    have a2 : j * ((1 + X.exp ε) * X.exp c) = X.exp c := by
      have : j * ((1 + X.exp ε) * X.exp c) = (1 + X.exp ε) * j * X.exp c := by grind
      rw [this, ei]
      grind
    rw [a2] at a1
    have a3 : (X.exp ε * (d + (1 - d) * (x * y)) + (d + (1 - d) * (x * y'))) * j
        = d * ((1 + X.exp ε) * j) + (1 - d) * x * (j * (X.exp ε * y + y')) := by grind
    rw [a3, ei]
    grind
  have := mul_le_left hB (by grind : 0 ≤ 1 - δ)
  grind

/-- **A round of `(ε, δ)`-indistinguishable laws, followed by a continuation that satisfies the
bound of the Rényi filter for every shift**, satisfies it with what randomized response costs: with
`t = e^ε`, any `c` with `t^{1 + m} + t^{-m} ≤ (1 + t) e^c`. -/
theorem dp_round_followed_by_bounded_continuation (X : ExpLike A K) (R : Orders A) {O : Type u}
    {T : Tests K O} {μ ν : Law T} {ε : A} {δ : K} (hε : 0 ≤ ε)
    (h : ∀ f, IsTest T f → μ.E f ≤ δ + X.exp ε * ν.E f)
    (h' : ∀ f, IsTest T f → ν.E f ≤ δ + X.exp ε * μ.E f) (i : R.I) (c : A)
    (hc : X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε) ≤ (1 + X.exp ε) * X.exp c)
    {κ d : K} (hκ : 0 ≤ κ) (r s : A) (hδ : 0 ≤ δ) (hd : 0 ≤ d) (h1 : δ + d ≤ 1) (F G : O → K)
    (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hstep : ∀ s o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i s)) + X.exp s * G o) :
    μ.E F ≤ δ + d + (1 - (δ + d)) * (κ * X.exp (r + c - R.scale i s)) + X.exp s * ν.E G :=
  dp_round_followed_at_two_shifts X R hε h h' i c hc hκ r s hδ hd h1 F G hF hG hF1 hG0 (hstep _)
    (hstep _)

end PrivRef
