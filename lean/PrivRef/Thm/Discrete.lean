/-
Set forms of Theorem 7 and of the filter theorem for games in which every function is admissible.
-/
module

public import PrivRef.Spec.Discrete
public import PrivRef.Thm.Accountant

@[expose] public section

set_option linter.unusedSectionVars false

namespace PrivRef

universe u a b k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {B : Type b} [Lean.Grind.IntModule B] [LE B] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem Adversary.adm_of_discrete {X : ExpLike A K} {εr : A} {δr : K} (g : Adversary.{u} X εr δr)
    (hg : g.Discrete) (f : g.View → K) : g.Adm f := by
  induction g with
  | stop => trivial
  | coin R T ρ next ih => exact ⟨fun r => ih r (hg.2 r) _, fun _ => hg.1 _⟩
  | query q _ _ next ih => exact ⟨fun o => ih o (hg.2 o) _, fun _ => hg.1 _⟩

theorem Analyst.adm_of_discrete {Y : Scale A B K} (F : Filter A B) (s : F.S) (g : Analyst.{u} Y)
    (hg : g.Discrete) (f : g.View → K) : Analyst.Adm F s g f := by
  induction g generalizing s with
  | stop => trivial
  | coin R T ρ next ih => exact ⟨fun r => ih r s (hg.2 r) _, fun _ => hg.1 _⟩
  | request r next refused ih ih' =>
    exact ⟨ih' s hg.2.2 _, fun o => ih o _ (hg.2.1 o) _, fun _ => hg.1 _⟩

/-- **Theorem 7, set form, discrete laws** (Hartmann et al. 2022): as `composition_is_private`, for
every set `S` of views and without a measurability hypothesis. -/
theorem composition_of_discrete_laws_is_private {X : ExpLike A K} {εt : A} {δt : K} (hε : 0 ≤ εt)
    (hδ : 0 ≤ δt) (g : Adversary.{u} X εt δt) (hg : g.Discrete) (S : g.View → Prop) :
    g.expect false (fun v => ind (S v))
      ≤ X.exp εt * g.expect true (fun v => ind (S v)) + δt ∧
    g.expect true (fun v => ind (S v))
      ≤ X.exp εt * g.expect false (fun v => ind (S v)) + δt := by
  have h := composition_is_private hε hδ g (fun v => ind (S v)) (g.adm_of_discrete hg _)
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _)
  constructor <;> grind

/-- **A valid filter in set form, discrete laws** (Hartmann et al. 2022, Definition 19 verbatim): for
every analyst all of whose rounds are discrete and every set `S` of views,
`Pr(V^0 ∈ S) ≤ e^{ε_t} Pr(V^1 ∈ S) + δ_t`, and the same with the bits exchanged. -/
theorem valid_filter_protects_every_set_of_views (Y : Scale A B K) (F : Filter A B) (s : F.S)
    (εt : A) (δt : B) (hF : ValidFilter.{u} Y F s εt δt) (g : Analyst.{u} Y) (hg : g.Discrete)
    (S : g.View → Prop) :
    Analyst.expect F false s g (fun v => ind (S v))
      ≤ Y.exp εt * Analyst.expect F true s g (fun v => ind (S v)) + Y.val δt ∧
    Analyst.expect F true s g (fun v => ind (S v))
      ≤ Y.exp εt * Analyst.expect F false s g (fun v => ind (S v)) + Y.val δt := by
  have h := hF g (fun v => ind (S v)) (Analyst.adm_of_discrete F s g hg _)
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _)
  constructor <;> grind

/-- A sum that meets the budget exactly is admitted, and the next request halts the filter: ten
requests at `1/10` against the budget `1`. -/
theorem ten_tenths_fit_and_the_eleventh_halts :
    (replay filterStep (State.init ⟨1, 0⟩) (List.replicate 11 ⟨[1 / 10], 0, 1 / 10⟩)).map (·.1)
      = List.replicate 10 Decision.cont ++ [Decision.halt] := by
  decide +kernel

end PrivRef
