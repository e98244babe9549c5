module

public import PrivRef.Spec.Sets
public import PrivRef.Thm.Composition

/-!
Definition 2 and Theorem 7 in the paper's own form, for sets and for general laws: over an
Archimedean field an inequality for measurable sets is one for test functions, by their level sets.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u}

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem ind_and (p q : Prop) : (ind (p ∧ q) : K) = ind p * ind q := by
  by_cases hp : p
  · by_cases hq : q
    · rw [ind_true hp, ind_true hq, ind_true ⟨hp, hq⟩]; grind
    · rw [ind_false hq, ind_false fun h => hq h.2]; grind
  · rw [ind_false hp, ind_false fun h => hp h.1]; grind

theorem natK_nonneg (n : Nat) : (0 : K) ≤ natK n := by
  induction n with
  | zero => simp only [natK]; grind
  | succ n ih => simp only [natK]; grind

/-- A function below `n` steps of the height `s` has a step function below it, at most `s` away, for
which an inequality for sets holds with `n s` times the `δ`. -/
theorem exists_step_function {T : Tests K O} (hT : T.HasLevels) (μ ν : Law T) {w : O → K} {δ s : K}
    (hw : T.adm w) (hs : 0 ≤ s)
    (h : ∀ S : O → Prop, (T.adm fun o => ind (S o)) → μ.pr S ≤ δ + ν.E fun o => w o * ind (S o))
    (n : Nat) (f : O → K) (hf : T.adm f) (h0 : ∀ o, 0 ≤ f o) (h1 : ∀ o, f o ≤ natK n * s) :
    ∃ g, T.adm g ∧ (∀ o, 0 ≤ g o) ∧ (∀ o, g o ≤ f o) ∧ (∀ o, f o ≤ s + g o) ∧
      μ.E g ≤ natK n * s * δ + ν.E fun o => w o * g o := by
  induction n generalizing f with
  | zero =>
    simp only [natK] at h1 ⊢
    have e : (fun o => w o * (0 : K)) = fun _ => 0 := by funext o; grind
    refine ⟨fun _ => 0, T.const 0, fun _ => by grind, h0, fun o => ?_, ?_⟩
    · have := h1 o
      grind
    · rw [e, μ.E_const, ν.E_const]
      grind
  | succ n ih =>
    simp only [natK] at h1 ⊢
    have hf' : T.adm fun o => posPart (f o + -s) := T.pos _ (T.add _ _ hf (T.const _))
    obtain ⟨g, hg, g0, gf, fg, hμ⟩ := ih (fun o => posPart (f o + -s)) hf'
      (fun o => posPart_nonneg _) fun o =>
        posPart_le (by have := h1 o; grind) (mul_nonneg' (natK_nonneg n) hs)
    have hS := hT f hf s
    have hsS : T.adm fun o => s * ind (s ≤ f o) := T.smul s hS
    have key := mul_le_left (h (fun o => s ≤ f o) hS) hs
    have cases : ∀ o, (s ≤ f o ∧ posPart (f o + -s) = f o - s ∧ (ind (s ≤ f o) : K) = 1) ∨
        (f o ≤ s ∧ posPart (f o + -s) = 0 ∧ (ind (s ≤ f o) : K) = 0) := fun o => by
      by_cases hle : s ≤ f o
      · refine .inl ⟨hle, ?_, ind_true hle⟩
        unfold posPart
        split <;> grind
      · refine .inr ⟨by grind, ?_, ind_false hle⟩
        unfold posPart
        split <;> grind
    refine ⟨fun o => g o + s * ind (s ≤ f o), T.add _ _ hg hsS, fun o => ?_, fun o => ?_, fun o =>
        ?_,
      ?_⟩
    · show 0 ≤ g o + s * ind (s ≤ f o)
      have := mul_nonneg' hs (ind_nonneg (K := K) (s ≤ f o))
      have := g0 o
      grind
    · show g o + s * ind (s ≤ f o) ≤ f o
      have a0 := g0 o
      have a1 := gf o
      have a2 := h0 o
      rcases cases o with ⟨_, b2, b3⟩ | ⟨_, b2, b3⟩ <;> rw [b2] at a1 <;> rw [b3] <;> grind
    · show f o ≤ s + (g o + s * ind (s ≤ f o))
      have a1 := fg o
      have a2 := g0 o
      rcases cases o with ⟨_, b2, b3⟩ | ⟨_, b2, b3⟩ <;> rw [b2] at a1 <;> rw [b3] <;> grind
    · have e : (fun o => w o * (g o + s * ind (s ≤ f o)))
          = fun o => w o * g o + s * (w o * ind (s ≤ f o)) := by funext o; grind
      have hwS := T.mul _ _ hw hS
      rw [e, ν.E_add _ _ (T.mul _ _ hw hg) (T.smul s hwS), ν.E_smul _ _ hwS, μ.E_add _ _ hg hsS,
        μ.E_smul _ _ hS]
      have e2 : μ.pr (fun o => s ≤ f o) = μ.E fun o => ind (s ≤ f o) := rfl
      rw [e2] at key
      grind

/-- **Test functions follow from sets**, for general laws over an Archimedean field. -/
theorem test_functions_follow_from_measurable_sets (arch : ∀ x : K, ∃ n, x ≤ natK n) {T : Tests K O}
    (hT : T.HasLevels) (μ ν : Law T) (w : O → K) (δ : K) (hw : T.adm w) (hw0 : ∀ o, 0 ≤ w o)
    (h : ∀ S : O → Prop, (T.adm fun o => ind (S o)) → μ.pr S ≤ δ + ν.E fun o => w o * ind (S o)) :
    OdpPair μ ν w δ := by
  intro f hf
  generalize hb : ν.E (fun o => w o * f o) = b
  by_cases hle : μ.E f ≤ δ + b
  · exact hle
  · -- A gap of `γ` is more than one step of `1 / n`.
    generalize hγ : μ.E f - (δ + b) = γ
    have hγ0 : 0 < γ := by grind
    have hγi : 0 < γ⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hγ0
    have hγγ : γ * γ⁻¹ = 1 := by grind
    obtain ⟨n, hn⟩ := arch (γ⁻¹ + 1)
    have hn0 : (0 : K) < natK n := by grind
    have hi : 0 < (natK n : K)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hn0
    have hni : (natK n : K) * (natK n)⁻¹ = 1 := by grind
    obtain ⟨g, hg, g0, gf, fg, hμ⟩ := exists_step_function hT μ ν hw (by grind : 0 ≤ (natK n : K)⁻¹)
        h
      n f hf.adm hf.nonneg fun o => by rw [hni]; exact hf.le_one o
    rw [hni] at hμ
    have a1 := μ.E_le_affine hf.adm hg (natK n)⁻¹ 1 fun o => by have := fg o; grind
    have a2 := ν.E_mono _ _ (T.mul _ _ hw hg) (T.mul _ _ hw hf.adm) fun o =>
      mul_le_left (gf o) (hw0 o)
    rw [hb] at a2
    have a3 : γ ≤ (natK n)⁻¹ := by grind
    have a4 := mul_le_left a3 (by grind : 0 ≤ (natK n : K))
    have a5 := mul_le_left hn (by grind : 0 ≤ γ)
    grind

/-- The cells of a finite list contribute at most what all contribute. -/
theorem finite_part_of_the_sum {T : Tests K O} (X : ExpLike A K) (ν : Law T) (cell : O → C)
    (eps : C → A) (hcells : ∀ c, T.adm fun o => ind (cell o = c))
    (hw : T.adm fun o => X.exp (eps (cell o))) (S : O → Prop) (hS : T.adm fun o => ind (S o))
    (ks : List C) (hn : ks.Nodup) :
    (lsum ks fun c => X.exp (eps c) * ν.pr fun o => S o ∧ cell o = c)
      ≤ ν.E fun o => X.exp (eps (cell o)) * ind (S o) := by
  have adm : ∀ c, T.adm fun o => ind (S o ∧ cell o = c) := fun c => by
    have e : (fun o => (ind (S o ∧ cell o = c) : K)) = fun o => ind (S o) * ind (cell o = c) :=
      funext fun o => ind_and _ _
    rw [e]
    exact T.mul _ _ hS (hcells c)
  have e1 : (lsum ks fun c => X.exp (eps c) * ν.pr fun o => S o ∧ cell o = c)
      = lsum ks fun c => ν.E fun o => X.exp (eps c) * ind (S o ∧ cell o = c) := by
    congr 1
    funext c
    exact (ν.E_smul _ _ (adm c)).symm
  rw [e1, ← ν.E_lsum ks _ fun c => T.smul _ (adm c)]
  refine ν.E_mono _ _ (T.lsum ks _ fun c => T.smul _ (adm c)) (T.mul _ _ hw hS) fun o => ?_
  have e2 : (lsum ks fun c => X.exp (eps c) * ind (S o ∧ cell o = c))
      = lsum ks fun c => ind (cell o = c) * (X.exp (eps (cell o)) * ind (S o)) := by
    congr 1
    funext c
    rw [ind_and]
    by_cases hc : cell o = c
    · rw [hc]; grind
    · rw [ind_false hc]; grind
  rw [e2]
  by_cases hm : cell o ∈ ks
  · rw [lsum_ind ks hn (cell o) _ hm]
    grind
  · rw [lsum_ind_of_not_mem ks (cell o) _ hm]
    exact mul_nonneg' (X.exp_nonneg _) (ind_nonneg _)

/-- **Definition 2 for sets gives its functional form** (Hartmann et al. 2022), for general laws and
any partition, over an Archimedean field. -/
theorem odp_for_sets_gives_functional_form (arch : ∀ x : K, ∃ n, x ≤ natK n) {T : Tests K O}
    (hT : T.HasLevels) (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (cell : O → C)
    (eps : C → A) (δ : K) (hcells : ∀ c, T.adm fun o => ind (cell o = c))
    (hw : T.adm fun o => X.exp (eps (cell o))) (h : IsODPSets X nbr M cell eps δ) :
    IsODP X nbr M cell eps δ :=
  ⟨hw, fun x x' hx => test_functions_follow_from_measurable_sets arch hT (M x) (M x') _ δ hw
    (fun _ => X.exp_nonneg _) fun S hS => h x x' hx S hS _ fun ks hn =>
      finite_part_of_the_sum X (M x') cell eps hcells hw S hS ks hn⟩

/-- **Definition 1, both forms**, for general laws over an Archimedean field. -/
theorem dp_for_sets_iff_functional_form (arch : ∀ x : K, ∃ n, x ≤ natK n) {T : Tests K O}
    (hT : T.HasLevels) (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) (δ : K) :
    IsDPSets X nbr M ε δ ↔ IsDP X nbr M ε δ := by
  constructor
  · intro h x x' hx f hf
    have h1 := test_functions_follow_from_measurable_sets arch hT (M x) (M x') (fun _ => X.exp ε) δ
      (T.const _) (fun _ => X.exp_nonneg _) (fun S hS => by
        have := h x x' hx S hS
        rw [(M x').E_smul _ _ hS]
        show _ ≤ δ + X.exp ε * (M x').pr S
        grind) f hf
    rw [(M x').E_smul _ _ hf.adm] at h1
    exact h1
  · intro h x x' hx S hS
    have h1 : (M x).pr S ≤ δ + X.exp ε * (M x').pr S :=
      h x x' hx _ ⟨hS, fun _ => ind_nonneg _, fun _ => ind_le_one _⟩
    grind

namespace SetAdversary

variable {X : ExpLike A K}

theorem pr_mem (b : Bool) {εr : A} {δr : K} (g : SetAdversary.{u} X εr δr) (S : g.View → Prop)
    (hS : g.Measurable S) : 0 ≤ pr b g S ∧ pr b g S ≤ 1 := by
  induction g with
  | stop => exact ⟨ind_nonneg _, ind_le_one _⟩
  | coin R T ρ next ih =>
    have h := fun r => ih r (fun v => S ⟨r, v⟩) (hS.1 r)
    exact ⟨ρ.E_nonneg (hS.2 b) fun r => (h r).1, ρ.E_le_one (hS.2 b) fun r => (h r).2⟩
  | query q _ _ next ih =>
    have h := fun o => ih o (fun v => S ⟨o, v⟩) (hS.1 o)
    exact ⟨(q.mech (q.x b)).E_nonneg (hS.2 b) fun o => (h o).1,
      (q.mech (q.x b)).E_le_one (hS.2 b) fun o => (h o).2⟩

theorem bound [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
    (arch : ∀ x : K, ∃ n, x ≤ natK n) (b : Bool) {εr : A} {δr : K}
    (g : SetAdversary.{u} X εr δr) (S : g.View → Prop) (hS : g.Measurable S) (hε : 0 ≤ εr)
    (hδ : 0 ≤ δr) : pr b g S ≤ δr + X.exp εr * pr (!b) g S := by
  induction g with
  | stop =>
    have h2 := mul_le_right (X.one_le_exp hε) (ind_nonneg (K := K) (S PUnit.unit))
    show ind (S PUnit.unit) ≤ _ + _ * ind (S PUnit.unit)
    have := ind_nonneg (K := K) (S PUnit.unit)
    grind
  | coin R T ρ next ih =>
    exact ρ.E_le_affine (hS.2 b) (hS.2 (!b)) _ _ fun r => ih r (fun v => S ⟨r, v⟩) (hS.1 r) hε hδ
  | @query εr δr q eps_le delta_le next ih =>
    have hq := odp_for_sets_gives_functional_form arch q.levels X q.nbr q.mech q.cell q.eps q.delta
      q.cells q.weights q.odp
    have pair : OdpPair (q.mech (q.x b)) (q.mech (q.x (!b))) (fun o => X.exp (q.cost o))
        q.delta := by
      cases b
      · exact hq.bound _ _ q.neighbours
      · exact hq.bound _ _ (q.nbr.symm _ _ q.neighbours)
    refine odp_followed_by_private_continuation_is_private X _ _ q.cost q.delta δr εr _ _ q.weights
      pair delta_le (hS.2 b) (hS.2 (!b)) (fun o => (pr_mem b (next o) _ (hS.1 o)).2)
      (fun o => (pr_mem (!b) (next o) _ (hS.1 o)).1) fun o => ?_
    have := eps_le (q.cell o)
    exact ih o (fun v => S ⟨o, v⟩) (hS.1 o) (by show 0 ≤ εr - q.eps (q.cell o); grind) (by grind)

end SetAdversary

/-- **Theorem 7 in the paper's own words** (Hartmann et al. 2022), for general laws: rounds are
`(P, E, δ)`-ODP as Definition 2 has it, for measurable sets, and for every measurable set `S` of
views `Pr(V^0 ∈ S) ≤ e^{ε_t} Pr(V^1 ∈ S) + δ_t`, and the same with the bits exchanged. -/
theorem composition_is_private_for_sets [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
    (arch : ∀ x : K, ∃ n, x ≤ natK n) {X : ExpLike A K} {εt : A}
    {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt) (g : SetAdversary.{u} X εt δt) (S : g.View → Prop)
    (hS : g.Measurable S) :
    g.pr false S ≤ X.exp εt * g.pr true S + δt ∧ g.pr true S ≤ X.exp εt * g.pr false S + δt := by
  have h0 := SetAdversary.bound arch false g S hS hε hδ
  have h1 := SetAdversary.bound arch true g S hS hε hδ
  simp only [Bool.not_false, Bool.not_true] at h0 h1
  constructor <;> grind

end PrivRef
