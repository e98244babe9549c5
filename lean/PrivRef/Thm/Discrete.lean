module

public import PrivRef.Spec.Discrete
public import PrivRef.Thm.Accountant

/-!
Set forms of Theorem 7 and of the filter theorem for games in which every bounded
function is admissible, as with finite and countable laws.
-/

@[expose] public section

namespace PrivRef

universe u a b k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {B : Type b} [Lean.Grind.IntModule B] [LE B]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem Tests.all_discrete {O : Type u} : (Tests.all K O).Discrete := fun _ _ => trivial

theorem Tests.bounded_discrete {O : Type u} : (Tests.bounded K O).Discrete := fun _ h => h

theorem ind_within {O : Type u} (S : O → Prop) (o : O) : -1 ≤ (ind (S o) : K) ∧ (ind (S o) : K) ≤
    1 := by
  have h : (0 : K) ≤ ind (S o) := ind_nonneg _
  have h' : (ind (S o) : K) ≤ 1 := ind_le_one _
  constructor <;> grind

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- What lies between two bounds has its expectation there. -/
theorem Law.E_within {O : Type u} {T : Tests K O} (hT : T.Discrete) (μ : Law T) {C : K} (hC : 0 ≤ C)
    {f : O → K} (hf : ∀ o, -C ≤ f o ∧ f o ≤ C) : T.adm f ∧ -C ≤ μ.E f ∧ μ.E f ≤ C := by
  have ha := hT f ⟨C, hC, hf⟩
  have h1 := μ.E_mono (fun _ => -C) f (T.const _) ha fun o => (hf o).1
  have h2 := μ.E_mono f (fun _ => C) ha (T.const _) fun o => (hf o).2
  rw [μ.E_const] at h1 h2
  exact ⟨ha, h1, h2⟩

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- A bounded function of the view is admissible, and its expectation within its bounds. -/
theorem Adversary.adm_of_discrete {X : ExpLike A K} {εr : A} {δr : K} (g : Adversary.{u} X εr δr)
    (hg : g.Discrete) {C : K} (hC : 0 ≤ C) (f : g.View → K) (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) :
    g.Adm f ∧ ∀ b, -C ≤ g.expect b f ∧ g.expect b f ≤ C := by
  induction g with
  | stop => exact ⟨trivial, fun _ => hf _⟩
  | coin R T ρ next ih =>
    have h := fun r => ih r (hg.2 r) (fun v => f ⟨r, v⟩) fun v => hf _
    have e := fun b => Law.E_within hg.1 ρ hC fun r => (h r).2 b
    exact ⟨⟨fun r => (h r).1, fun b => (e b).1⟩, fun b => (e b).2⟩
  | query q _ _ next ih =>
    have h := fun o => ih o (hg.2 o) (fun v => f ⟨o, v⟩) fun v => hf _
    have e := fun b => Law.E_within hg.1 (q.law b) hC fun o => (h o).2 b
    exact ⟨⟨fun o => (h o).1, fun b => (e b).1⟩, fun b => (e b).2⟩

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem Analyst.adm_of_discrete {Y : Scale A B K} (F : Filter A B) (s : F.S) (g : Analyst.{u} Y)
    (hg : g.Discrete) {C : K} (hC : 0 ≤ C) (f : g.View → K) (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) :
    Analyst.Adm F s g f ∧
      ∀ b, -C ≤ Analyst.expect F b s g f ∧ Analyst.expect F b s g f ≤ C := by
  induction g generalizing s with
  | stop => exact ⟨trivial, fun _ => hf _⟩
  | coin R T ρ next ih =>
    have h := fun r => ih r s (hg.2 r) (fun v => f ⟨r, v⟩) fun v => hf _
    have e := fun b => Law.E_within hg.1 ρ hC fun r => (h r).2 b
    exact ⟨⟨fun r => (h r).1, fun b => (e b).1⟩, fun b => (e b).2⟩
  | request r next refused ih ih' =>
    have h := fun o => ih o (F.charge s (r.q.cost o) r.delta) (hg.2.1 o)
        (fun v => f (some (.inl ⟨o, v⟩)))
      fun v => hf _
    have h' := ih' s hg.2.2 (fun v => f (some (.inr v))) fun v => hf _
    have e := fun b => Law.E_within hg.1 (r.q.law b) hC fun o => (h o).2 b
    refine ⟨⟨h'.1, fun o => (h o).1, fun b => (e b).1⟩, fun b => ?_⟩
    simp only [Analyst.expect]
    split
    · exact hf _
    · exact h'.2 b
    · exact (e b).2

section

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem DpAnalyst.adm_of_discrete {X : ExpLike A K} (F : Filter A K) (s : F.S) (g : DpAnalyst.{u} X)
    (hg : g.Discrete) {C : K} (hC : 0 ≤ C) (f : g.View → K) (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) :
    DpAnalyst.Adm F s g f ∧
      ∀ b, -C ≤ DpAnalyst.expect F b s g f ∧ DpAnalyst.expect F b s g f ≤ C := by
  induction g generalizing s with
  | stop => exact ⟨trivial, fun _ => hf _⟩
  | coin R T ρ next ih =>
    have h := fun r => ih r s (hg.2 r) (fun v => f ⟨r, v⟩) fun v => hf _
    have e := fun b => Law.E_within hg.1 ρ hC fun r => (h r).2 b
    exact ⟨⟨fun r => (h r).1, fun b => (e b).1⟩, fun b => (e b).2⟩
  | request q next refused ih ih' =>
    have h := fun o => ih o (F.charge s q.eps q.delta) (hg.2.1 o) (fun v => f (some (.inl ⟨o, v⟩)))
      fun v => hf _
    have h' := ih' s hg.2.2 (fun v => f (some (.inr v))) fun v => hf _
    have e := fun b => Law.E_within hg.1 (q.law b) hC fun o => (h o).2 b
    refine ⟨⟨h'.1, fun o => (h o).1, fun b => (e b).1⟩, fun b => ?_⟩
    simp only [DpAnalyst.expect]
    split
    · exact hf _
    · exact h'.2 b
    · exact (e b).2

theorem RenyiAnalyst.adm_of_discrete {X : ExpLike A K} {R : Orders A} (F : Filter (R.I → A) K)
    (s : F.S)
    (g : RenyiAnalyst.{u} X R) (hg : g.Discrete) {C : K} (hC : 0 ≤ C) (f : g.View → K)
    (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) : RenyiAnalyst.Adm F s g f ∧
      ∀ b, -C ≤ RenyiAnalyst.expect F b s g f ∧ RenyiAnalyst.expect F b s g f ≤ C := by
  induction g generalizing s with
  | stop => exact ⟨trivial, fun _ => hf _⟩
  | coin S T ρ next ih =>
    have h := fun r => ih r s (hg.2 r) (fun v => f ⟨r, v⟩) fun v => hf _
    have e := fun b => Law.E_within hg.1 ρ hC fun r => (h r).2 b
    exact ⟨⟨fun r => (h r).1, fun b => (e b).1⟩, fun b => (e b).2⟩
  | request q next refused ih ih' =>
    have h := fun o => ih o (F.charge s q.cost q.delta) (hg.2.1 o) (fun v => f (some (.inl ⟨o, v⟩)))
      fun v => hf _
    have h' := ih' s hg.2.2 (fun v => f (some (.inr v))) fun v => hf _
    have e := fun b => Law.E_within hg.1 (q.law b) hC fun o => (h o).2 b
    refine ⟨⟨h'.1, fun o => (h o).1, fun b => (e b).1⟩, fun b => ?_⟩
    simp only [RenyiAnalyst.expect]
    split
    · exact hf _
    · exact h'.2 b
    · exact (e b).2

end

/-- **Theorem 7, set form, discrete laws** (Hartmann et al. 2022): as `composition_is_private`, for
every set `S` of views and without a measurability hypothesis. -/
theorem composition_of_discrete_laws_is_private [LT A] [Std.LawfulOrderLT A]
    [Lean.Grind.OrderedAdd A] {X : ExpLike A K} {εt : A} {δt : K} (hε : 0 ≤ εt)
    (hδ : 0 ≤ δt) (g : Adversary.{u} X εt δt) (hg : g.Discrete) (S : g.View → Prop) :
    g.expect false (fun v => ind (S v))
      ≤ X.exp εt * g.expect true (fun v => ind (S v)) + δt ∧
    g.expect true (fun v => ind (S v))
      ≤ X.exp εt * g.expect false (fun v => ind (S v)) + δt := by
  have h := composition_is_private hε hδ g (fun v => ind (S v))
    (g.adm_of_discrete hg (by grind : (0 : K) ≤ 1) _ (ind_within S)).1
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _)
  constructor <;> grind

/-- **A valid filter in set form, discrete laws** (Hartmann et al. 2022, Definition 19 verbatim):
for every analyst all of whose rounds are discrete and every set `S` of views,
`Pr(V^0 ∈ S) ≤ e^{ε_t} Pr(V^1 ∈ S) + δ_t`, and the same with the bits exchanged. -/
theorem valid_filter_protects_every_set_of_views (Y : Scale A B K) (F : Filter A B) (s : F.S)
    (εt : A) (δt : B) (hF : ValidFilter.{u} Y F s εt δt) (g : Analyst.{u} Y) (hg : g.Discrete)
    (S : g.View → Prop) :
    Analyst.expect F false s g (fun v => ind (S v))
      ≤ Y.exp εt * Analyst.expect F true s g (fun v => ind (S v)) + Y.val δt ∧
    Analyst.expect F true s g (fun v => ind (S v))
      ≤ Y.exp εt * Analyst.expect F false s g (fun v => ind (S v)) + Y.val δt := by
  have h := hF g (fun v => ind (S v))
    (Analyst.adm_of_discrete F s g hg (by grind : (0 : K) ≤ 1) _ (ind_within S)).1
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _)
  constructor <;> grind

/-- A sum that meets the budget exactly is admitted, and the next request halts the filter: ten
requests at `1/10` against the budget `1`. -/
theorem ten_tenths_fit_and_the_eleventh_halts :
    (replay filterStep (State.init ⟨1, 0⟩) (List.replicate 11 ⟨[1 / 10], 0, 1 / 10⟩)).map (·.1)
      = List.replicate 10 Decision.cont ++ [Decision.halt] := by
  decide +kernel

end PrivRef
