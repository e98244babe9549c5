/-
Every theorem that the library's README, the Python package's index and `PrivRef.Statements` name,
with its full statement written out again, and proved from nothing but the theorem of that name.  A
theorem that was weakened does not prove its statement here any more.  Whoever changes a statement on
purpose changes it here as well.
-/
module

public import PrivRef

@[expose] public section

namespace PrivRef.Restated

universe u v a b k

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u} {T : Tests K O}
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem odp_set_form_iff_functional_form (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → FinLaw K O) (cell : O → C) (eps : C → A) (δ : K) :
    IsODPSet X nbr M cell eps δ ↔ IsODP X nbr (fun x => (M x).toLaw) cell eps δ := by
  apply _root_.PrivRef.odp_set_form_iff_functional_form <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u} {T : Tests K O}
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem dp_set_form_iff_functional_form (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → FinLaw K O) (ε : A) (δ : K) :
    IsDPSet X nbr M ε δ ↔ IsDP X nbr (fun x => (M x).toLaw) ε δ := by
  apply _root_.PrivRef.dp_set_form_iff_functional_form <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u} {T : Tests K O}
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem subset_dp_set_form_iff_functional_form (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → FinLaw K O) (R : O → Prop) (ε : A) (δ : K) :
    IsSubsetDPSet X nbr M R ε δ ↔ IsSubsetDP X nbr (fun x => (M x).toLaw) R ε δ := by
  apply _root_.PrivRef.subset_dp_set_form_iff_functional_form <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u} {T : Tests K O}
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] [LT A] [Std.LawfulOrderLT A]
  [Lean.Grind.OrderedAdd A] in
theorem dp_is_odp_with_constant_cost {T : Tests K O} (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → Law T) (ε : A) (δ : K) (cell : O → C) (h : IsDP X nbr M ε δ) :
    IsODP X nbr M cell (fun _ => ε) δ := by
  apply _root_.PrivRef.dp_is_odp_with_constant_cost <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u} {T : Tests K O}
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem odp_is_dp_with_supremum_cost {T : Tests K O} (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → Law T) (cell : O → C) (eps : C → A) (δ : K) (ε : A) (hε : ∀ c, eps c ≤ ε)
    (h : IsODP X nbr M cell eps δ) : IsDP X nbr M ε δ := by
  apply _root_.PrivRef.odp_is_dp_with_supremum_cost <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u} {T : Tests K O}
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem subset_dp_on_every_cell_gives_odp (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → FinLaw K O) (cell : O → C) (eps : C → A) (Δ : C → K) (δ : K)
    (hδ : ∀ ks : List C, ks.Nodup → lsum ks Δ ≤ δ)
    (h : ∀ c, IsSubsetDPSet X nbr M (fun o => cell o = c) (eps c) (Δ c)) :
    IsODPSet X nbr M cell eps δ := by
  apply _root_.PrivRef.subset_dp_on_every_cell_gives_odp <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u} {T : Tests K O}
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem subset_dp_on_finitely_many_cells_gives_odp {T : Tests K O} (X : ExpLike A K)
    (nbr : Neighbours D) (M : D → Law T) (cell : O → C) (eps : C → A) (Δ : C → K)
    (ks : List C) (hn : ks.Nodup) (hc : ∀ o, cell o ∈ ks)
    (hadm : ∀ c, T.adm fun o => ind (cell o = c))
    (h : ∀ c, IsSubsetDP X nbr M (fun o => cell o = c) (eps c) (Δ c)) :
    IsODP X nbr M cell eps (lsum ks Δ) := by
  apply _root_.PrivRef.subset_dp_on_finitely_many_cells_gives_odp <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u} {T : Tests K O}
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem odp_is_closed_under_post_processing {O' C' : Type u} {T : Tests K O} {T' : Tests K O'}
    (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (cell : O → C) (eps : C → A) (δ : K)
    (κ : O → Law T') (hκ : ∀ f, T'.adm f → T.adm fun o => (κ o).E f)
    (cell' : O' → C') (eps' : C' → A) (hw' : T'.adm fun o => X.exp (eps' (cell' o)))
    (hcell : ∀ o f, IsTest T' f →
      X.exp (eps (cell o)) * (κ o).E f ≤ (κ o).E fun o' => X.exp (eps' (cell' o')) * f o')
    (h : IsODP X nbr M cell eps δ) :
    IsODP X nbr (fun x => (M x).bind κ hκ) cell' eps' δ := by
  apply _root_.PrivRef.odp_is_closed_under_post_processing <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u} {T : Tests K O}
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] [LT A] [Std.LawfulOrderLT A]
  [Lean.Grind.OrderedAdd A] in
theorem dp_is_closed_under_post_processing {O' : Type u} {T : Tests K O} {T' : Tests K O'}
    (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) (δ : K)
    (κ : O → Law T') (hκ : ∀ f, T'.adm f → T.adm fun o => (κ o).E f)
    (h : IsDP X nbr M ε δ) : IsDP X nbr (fun x => (M x).bind κ hκ) ε δ := by
  apply _root_.PrivRef.dp_is_closed_under_post_processing <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem odp_followed_by_private_continuation_is_private {O : Type u} {T : Tests K O}
    (X : ExpLike A K) (μ ν : Law T) (cost : O → A) (δ δt : K) (εt : A) (F G : O → K)
    (hw : T.adm fun v => X.exp (cost v))
    (hM : OdpPair μ ν (fun v => X.exp (cost v)) δ) (hδ : δ ≤ δt)
    (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ v, F v ≤ 1) (hG0 : ∀ v, 0 ≤ G v)
    (hstep : ∀ v, F v ≤ (δt - δ) + X.exp (εt - cost v) * G v) :
    μ.E F ≤ δt + X.exp εt * ν.E G := by
  apply _root_.PrivRef.odp_followed_by_private_continuation_is_private <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem composition_is_private {X : ExpLike A K} {εt : A} {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt)
    (g : Adversary.{u} X εt δt) (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ δt + X.exp εt * g.expect true f ∧
    g.expect true f ≤ δt + X.exp εt * g.expect false f := by
  apply _root_.PrivRef.composition_is_private <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem composition_of_finite_laws_is_private {X : ExpLike A K} {εt : A} {δt : K} (hε : 0 ≤ εt)
    (hδ : 0 ≤ δt) (g : FinAdversary.{u} X Rule.subtract εt δt) (S : g.View → Prop) :
    g.pr false S ≤ X.exp εt * g.pr true S + δt ∧ g.pr true S ≤ X.exp εt * g.pr false S + δt := by
  apply _root_.PrivRef.composition_of_finite_laws_is_private <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {B : Type b} [Lean.Grind.IntModule B] [LE B] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]

theorem budget_filter_is_valid (Y : Scale A B K) (εt : A) (δt : B) (hε : 0 ≤ εt) (hδ : 0 ≤ δt) :
    ValidFilter.{u} Y (sumFilter εt δt) ([] : List (A × B)) εt δt := by
  apply _root_.PrivRef.budget_filter_is_valid <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {B : Type b} [Lean.Grind.IntModule B] [LE B] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B] in
theorem filter_with_invariant_is_valid (Y : Scale A B K) (F : Filter A B) {inv : F.S → Prop}
    {remE : F.S → A} {remD : F.S → B} (hF : FilterInvariant F inv remE remD) (s : F.S)
    (hs : inv s) : ValidFilter.{u} Y F s (remE s) (remD s) := by
  apply _root_.PrivRef.filter_with_invariant_is_valid <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem composition_of_discrete_laws_is_private {X : ExpLike A K} {εt : A} {δt : K} (hε : 0 ≤ εt)
    (hδ : 0 ≤ δt) (g : Adversary.{u} X εt δt) (hg : g.Discrete) (S : g.View → Prop) :
    g.expect false (fun v => ind (S v))
      ≤ X.exp εt * g.expect true (fun v => ind (S v)) + δt ∧
    g.expect true (fun v => ind (S v))
      ≤ X.exp εt * g.expect false (fun v => ind (S v)) + δt := by
  apply _root_.PrivRef.composition_of_discrete_laws_is_private <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {B : Type b} [Lean.Grind.IntModule B] [LE B] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem Adversary.adm_of_discrete {X : ExpLike A K} {εr : A} {δr : K} (g : Adversary.{u} X εr δr)
    (hg : g.Discrete) {C : K} (hC : 0 ≤ C) (f : g.View → K) (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) :
    g.Adm f ∧ ∀ b, -C ≤ g.expect b f ∧ g.expect b f ≤ C := by
  apply _root_.PrivRef.Adversary.adm_of_discrete <;> assumption

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem Analyst.adm_of_discrete {Y : Scale A B K} (F : Filter A B) (s : F.S) (g : Analyst.{u} Y)
    (hg : g.Discrete) {C : K} (hC : 0 ≤ C) (f : g.View → K) (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) :
    Analyst.Adm F s g f ∧
      ∀ b, -C ≤ Analyst.expect F b s g f ∧ Analyst.expect F b s g f ≤ C := by
  apply _root_.PrivRef.Analyst.adm_of_discrete <;> assumption

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem DpAnalyst.adm_of_discrete {X : ExpLike A K} (F : Filter A K) (s : F.S) (g : DpAnalyst.{u} X)
    (hg : g.Discrete) {C : K} (hC : 0 ≤ C) (f : g.View → K) (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) :
    DpAnalyst.Adm F s g f ∧
      ∀ b, -C ≤ DpAnalyst.expect F b s g f ∧ DpAnalyst.expect F b s g f ≤ C := by
  apply _root_.PrivRef.DpAnalyst.adm_of_discrete <;> assumption

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem RenyiAnalyst.adm_of_discrete {X : ExpLike A K} {R : Orders A} (F : Filter (R.I → A) K)
    (s : F.S) (g : RenyiAnalyst.{u} X R) (hg : g.Discrete) {C : K} (hC : 0 ≤ C) (f : g.View → K)
    (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) : RenyiAnalyst.Adm F s g f ∧
      ∀ b, -C ≤ RenyiAnalyst.expect F b s g f ∧ RenyiAnalyst.expect F b s g f ≤ C := by
  apply _root_.PrivRef.RenyiAnalyst.adm_of_discrete <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {B : Type b} [Lean.Grind.IntModule B] [LE B] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B] in
theorem valid_filter_protects_every_set_of_views (Y : Scale A B K) (F : Filter A B) (s : F.S)
    (εt : A) (δt : B) (hF : ValidFilter.{u} Y F s εt δt) (g : Analyst.{u} Y) (hg : g.Discrete)
    (S : g.View → Prop) :
    Analyst.expect F false s g (fun v => ind (S v))
      ≤ Y.exp εt * Analyst.expect F true s g (fun v => ind (S v)) + Y.val δt ∧
    Analyst.expect F true s g (fun v => ind (S v))
      ≤ Y.exp εt * Analyst.expect F false s g (fun v => ind (S v)) + Y.val δt := by
  apply _root_.PrivRef.valid_filter_protects_every_set_of_views <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem executable_accountant_is_sound (Y : Scale Rat Rat K) (b : Budget) (hε : 0 ≤ b.eps)
    (hδ : 0 ≤ b.delta) :
    ValidFilter.{u} Y accountantMachine (State.init b) b.eps b.delta := by
  apply _root_.PrivRef.executable_accountant_is_sound <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem executable_filter_is_sound (Y : Scale Rat Rat K) (b : Budget) (hε : 0 ≤ b.eps)
    (hδ : 0 ≤ b.delta) :
    ValidFilter.{u} Y filterMachine (State.init b) b.eps b.delta := by
  apply _root_.PrivRef.executable_filter_is_sound <;> assumption

end

section

theorem accountant_spends_exactly_what_it_charges (s : State) (e : Event)
    (h : (accountantStep s e).2 = .cont) :
    (accountantStep s e).1.remaining =
      ⟨s.remaining.eps - settledCost e.cells e.charged, s.remaining.delta - e.delta⟩ ∧
    0 ≤ (accountantStep s e).1.remaining.eps ∧ 0 ≤ (accountantStep s e).1.remaining.delta := by
  apply _root_.PrivRef.accountant_spends_exactly_what_it_charges <;> assumption

end

section

theorem settled_cost_is_the_charge_or_the_supremum (cells : List Rat) (charged : Rat) :
    (hasCost charged cells = true → settledCost cells charged = charged) ∧
    (hasCost charged cells = false → settledCost cells charged = supCost cells) := by
  apply _root_.PrivRef.settled_cost_is_the_charge_or_the_supremum <;> assumption

end

section

theorem accountant_rejection_spends_nothing (s : State) (e : Event)
    (h : (accountantStep s e).2 = .reject) : (accountantStep s e).1 = s := by
  apply _root_.PrivRef.accountant_rejection_spends_nothing <;> assumption

end

section

theorem accountant_machine_agrees_with_step (s : State) (e : Event)
    (h0 : allNonneg e.cells = true) :
    (accountantStep s e).2.toVerdict = accountantMachine.decide s (supCost e.cells) e.delta ∧
    ((accountantStep s e).2 = .cont → (accountantStep s e).1 =
      accountantMachine.charge s (settledCost e.cells e.charged) e.delta) := by
  apply _root_.PrivRef.accountant_machine_agrees_with_step <;> assumption

end

section

theorem filter_machine_agrees_with_step (s : State) (e : Event)
    (h0 : allNonneg e.cells = true) :
    (filterStep s e).2.toVerdict = filterMachine.decide s (supCost e.cells) e.delta ∧
    ((filterStep s e).2 = .cont → (filterStep s e).1 =
      filterMachine.charge s (settledCost e.cells e.charged) e.delta) := by
  apply _root_.PrivRef.filter_machine_agrees_with_step <;> assumption

end

section

theorem ten_tenths_fit_and_the_eleventh_halts :
    (replay filterStep (State.init ⟨1, 0⟩) (List.replicate 11 ⟨[1 / 10], 0, 1 / 10⟩)).map (·.1)
      = List.replicate 10 Decision.cont ++ [Decision.halt] := by
  apply _root_.PrivRef.ten_tenths_fit_and_the_eleventh_halts <;> assumption

end

section

theorem assignment_instead_of_subtraction_breaks_composition :
    ∃ (g : FinAdversary.{0} exp2 (Rule.assign (A := Int) (K := Rat)) 1 0) (S : g.View → Prop),
      g.pr false S = 4 / 9 ∧ g.pr true S = 1 / 9 ∧
      exp2.exp 1 * g.pr true S + 0 < g.pr false S := by
  apply _root_.PrivRef.assignment_instead_of_subtraction_breaks_composition <;> assumption

end

section

theorem delta_must_not_depend_on_the_cell :
    ∃ (g : CellAdversary.{0} exp2 (1 : Int) (1 / 2 : Rat)) (S : g.View → Prop),
      g.pr false S = 3 / 4 ∧ g.pr true S = 0 ∧
      exp2.exp 1 * g.pr true S + 1 / 2 < g.pr false S := by
  apply _root_.PrivRef.delta_must_not_depend_on_the_cell <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem basic_composition {X : ExpLike A K} {l : List (A × K)} (hl : ∀ p ∈ l, 0 ≤ p.2)
    (g : FixedAdversary.{u} X l) (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ sumDelta l + X.exp (sumEps l) * g.expect true f ∧
    g.expect true f ≤ sumDelta l + X.exp (sumEps l) * g.expect false f := by
  apply _root_.PrivRef.basic_composition <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem basic_odometer_is_valid {X : ExpLike A K} (g : PdpAdversary.{u} X) (b : Bool) (δg : K)
    (hδ : 0 ≤ δg) : g.pr b (fun v => g.spentDelta v ≤ δg ∧ g.LossExceeds v) ≤ δg := by
  apply _root_.PrivRef.basic_odometer_is_valid <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem pure_dp_is_pointwise_dp {D O : Type u} (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → FinLaw K O) (ε : A) (h : IsDPSet X nbr M ε 0) : IsPDP X nbr M ε 0 := by
  apply _root_.PrivRef.pure_dp_is_pointwise_dp <;> assumption

end

section

theorem basic_odometer_fails_for_approximate_dp :
    IsDPSet exp2 bitNeighbours tiltedBit 0 (1 / 10) ∧
    (tiltedBit false).pr (fun o => ¬ RatioWithin (exp2.exp 0) ((tiltedBit false).mass o)
      ((tiltedBit true).mass o)) = 1 := by
  apply _root_.PrivRef.basic_odometer_fails_for_approximate_dp <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem basic_certificate_is_a_privacy_guarantee (gs : List Group) (epsG deltaG : Rat)
    (h : Numerics.BasicBound gs epsG deltaG) (F : ExpField)
    (g : FixedAdversary.{u} (expFieldLike F) (rounds F gs)) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ ofRat deltaG + F.exp (ofRat epsG) * g.expect true f ∧
    g.expect true f ≤ ofRat deltaG + F.exp (ofRat epsG) * g.expect false f := by
  apply _root_.PrivRef.basic_certificate_is_a_privacy_guarantee <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem executable_accountant_is_sound_for_every_exponential (F : ExpField) (b : Budget)
    (hε : 0 ≤ b.eps) (hδ : 0 ≤ b.delta) :
    ValidFilter.{u} (expFieldScale F) accountantMachine (State.init b) b.eps b.delta := by
  apply _root_.PrivRef.executable_accountant_is_sound_for_every_exponential <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem executable_filter_is_sound_for_every_exponential (F : ExpField) (b : Budget)
    (hε : 0 ≤ b.eps) (hδ : 0 ≤ b.delta) :
    ValidFilter.{u} (expFieldScale F) filterMachine (State.init b) b.eps b.delta := by
  apply _root_.PrivRef.executable_filter_is_sound_for_every_exponential <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D R S : Type u} {T : Tests K R}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem toy_mechanism_is_odp (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) (δ : K)
    (p : K) (h0 : 0 ≤ p) (h1 : p ≤ 1) (hM : IsDP X nbr M ε δ) :
    IsODP X nbr (toy p h0 h1 M) answerCell (answerCost ε 0) (p * δ) := by
  apply _root_.PrivRef.toy_mechanism_is_odp <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D R S : Type u} {T : Tests K R}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem ptr_function_is_odp (X : ExpLike A K) (nbr : Neighbours D)
    (P : D → Option S → Law T.option) (ε : A) (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (h : IsPTR X nbr P ε δ) (s : Option S) :
    IsODP X nbr (fun x => P x s) answerCell (answerCost (ε + ε) ε) δ := by
  apply _root_.PrivRef.ptr_function_is_odp <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D R S : Type u} {T : Tests K R}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem ptr_cascade_is_odp (X : ExpLike A K) (nbr : Neighbours D)
    (P Q : D → Option S → Law T.option) (ε : A) (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1)
    (hP : IsPTR X nbr P ε δ) (hQ : IsPTR X nbr Q ε δ) (s s' : Option S) :
    IsODP X nbr (fun x => cascade (P x s) (Q x s')) answerCell
      (answerCost (ε + ε + ε) (ε + ε)) (2 * δ - δ * δ) := by
  apply _root_.PrivRef.ptr_cascade_is_odp <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem ptr_cascade_delta_is_attained (X : ExpLike A K) (ε : A) (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) :
    ∃ P : ULift.{u} Bool → Option (ULift.{u} Bool) →
        Law (Tests.all K (ULift.{u} Bool)).option,
      IsPTR X twoDatabases P ε δ ∧
      ∀ (s : ULift.{u} Bool) (ε' : A) (δ' : K),
        IsDP X twoDatabases (fun x => cascade (P x (some s)) (P x (some s))) ε' δ' →
        2 * δ - δ * δ ≤ δ' := by
  apply _root_.PrivRef.ptr_cascade_delta_is_attained <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {V : Type v} [Lean.Grind.IntModule V] [LE V] [LT V] [Std.IsLinearOrder V]
  [Std.LawfulOrderLT V] [Lean.Grind.OrderedAdd V]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem svt_is_odp {X : ExpLike A K} {D : Type} {nbr : Neighbours D} (N : SvtNoise X V) (c : Nat)
    (g : SvtAnalyst K nbr N.Δ) : IsODP X nbr (svtLaw N c g) tops (svtCost N.ε1 N.e2) 0 := by
  apply _root_.PrivRef.svt_is_odp <;> assumption

theorem svt_is_dp {X : ExpLike A K} {D : Type} {nbr : Neighbours D} (N : SvtNoise X V) (c : Nat)
    (g : SvtAnalyst K nbr N.Δ) (h2 : 0 ≤ N.e2) : IsDP X nbr (svtLaw N c g) (svtCost N.ε1 N.e2 c) 0 := by
  apply _root_.PrivRef.svt_is_dp <;> assumption

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem geometric_mechanism_is_dp {D : Type} (hK : Complete K) (X : ExpLike A K) (nbr : Neighbours D)
    (β : K) (h0 : 0 < β) (h1 : β < 1) (q : D → Int) (Δ : Nat) (ε : A) (hε : X.exp ε * pow β Δ = 1)
    (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) :
    IsDP X nbr (geometricMechanism hK β h0 h1 q) ε 0 := by
  apply _root_.PrivRef.geometric_mechanism_is_dp <;> assumption

theorem CountLaw.tends {O : Type u} (p : CountLaw K O) (hK : Complete K) {f : O → K} (hf : IsBounded f) :
    Tends (p.sum f) (p.E f) := by
  apply _root_.PrivRef.CountLaw.tends <;> assumption

theorem no_finite_law_has_the_ratio_property (μ : FinLaw K Int) (Δ : Nat) (hΔ : 0 < Δ) (r : K) :
    ¬ ∀ F : Int → K, (∀ z, 0 ≤ F z) → μ.E F ≤ r * μ.E fun z => F (z - Δ) := by
  apply _root_.PrivRef.no_finite_law_has_the_ratio_property <;> assumption

omit [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem svt_with_discrete_laplace_noise_is_odp (F : Numerics.ExpField) (hK : Complete F.K) (Δ c : Nat)
    (hΔ : 0 < Δ) (hc : 0 < c) (ε1 ε2 : F.K) (h1 : 0 < ε1) (h2 : 0 < ε2) {D : Type}
    (nbr : Neighbours D) (g : SvtAnalyst F.K nbr (Δ : Int)) :
    IsODP (expFieldLike F) nbr (svtLaw (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2) c g) tops
        (fun c' => ε1 + natK c' / natK c * ε2) 0 ∧
    IsDP (expFieldLike F) nbr (svtLaw (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2) c g)
        (ε1 + ε2) 0 := by
  apply _root_.PrivRef.svt_with_discrete_laplace_noise_is_odp <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem iterative_mechanism_is_odp_by_composition (X : ExpLike A K) (nbr : Neighbours D)
    (M : Iteration K D O) (h : List O → Bool) (n : Nat) (ks : List Nat) (hn : ks.Nodup)
    (hlast : n ∈ ks) (hle : ∀ k ∈ ks, k ≤ n) (hstop : ∀ v, h v = true → v.length ∈ ks)
    (eps : Nat → A) (δ : Nat → K)
    (hcomp : ∀ k ∈ ks, ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      compositionPr M k x S ≤ X.exp (eps k) * compositionPr M k x' S + δ k) :
    ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      iterPr M h n x S
        ≤ lsum ks δ + lsum ks fun k => X.exp (eps k) * iterPr M h n x' fun v => S v ∧ v.length = k := by
  apply _root_.PrivRef.iterative_mechanism_is_odp_by_composition <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u}

theorem indistinguishable_laws_are_post_processed_randomized_response (μ ν : FinLaw K O) (e δ : K)
    (he : 1 ≤ e) (hδ1 : δ ≤ 1)
    (h0 : ∀ S : O → Prop, μ.pr S ≤ e * ν.pr S + δ)
    (h1 : ∀ S : O → Prop, ν.pr S ≤ e * μ.pr S + δ) :
    ∃ T : Symbol → FinLaw K O, ∀ f : O → K,
      μ.E f = sumSymbols (fun q => rr e δ false q * (T q).E f) ∧
      ν.E f = sumSymbols (fun q => rr e δ true q * (T q).E f) := by
  apply _root_.PrivRef.indistinguishable_laws_are_post_processed_randomized_response <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O : Type u}

theorem randomized_response_is_the_worst_case_of_one_step (P : IterParams K) (hP : P.Ok) (n k : Nat)
    (μ ν : FinLaw K O) (h0 : ∀ S : O → Prop, μ.pr S ≤ P.e k * ν.pr S + P.δ k)
    (h1 : ∀ S : O → Prop, ν.pr S ≤ P.e k * μ.pr S + P.δ k) (p0 p1 : K) (F G : O → K)
    (hFG : ∀ o (a b : K), 0 ≤ a → 0 ≤ b →
      p0 * a * F o - p1 * b * G o ≤ optValue P n (k + 1) (p0 * a) (p1 * b)) :
    p0 * μ.E F - p1 * ν.E G ≤ sumSymbols fun q =>
      optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q) := by
  apply _root_.PrivRef.randomized_response_is_the_worst_case_of_one_step <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem randomized_response_is_the_worst_case (P : IterParams K) (hP : P.Ok) (n : Nat) (δ : K) :
    (∀ (D O : Type) (nbr : Neighbours D) (M : Iteration K D O) (h : List O → Bool),
      IterationDP P nbr M → (∀ v, h v = true → P.stop v.length = true) →
      IterODP P nbr M h n δ) ↔
    ∀ h : List Symbol → Bool, (∀ v, h v = true → P.stop v.length = true) →
      IterODP P rrNeighbours (rrIteration P hP) h n δ := by
  apply _root_.PrivRef.randomized_response_is_the_worst_case <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem randomized_response_needs_exactly_optDel (P : IterParams K) (hP : P.Ok) (n : Nat) (δ : K) :
    (∀ h : List Symbol → Bool, (∀ v, h v = true → P.stop v.length = true) →
      IterODP P rrNeighbours (rrIteration P hP) h n δ) ↔ optDel P n ≤ δ := by
  apply _root_.PrivRef.randomized_response_needs_exactly_optDel <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O O' : Type u}

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem iterative_odp_is_closed_under_post_processing (P : IterParams K) (nbr : Neighbours D)
    (M : Nat → D → FinLaw K O) (f : List O' → O → O') (h : List O' → Bool) (n : Nat) (δ : K)
    (hM : IterODP P nbr (independent M) (fun v => h (translate f [] v)) n δ) :
    IterODP P nbr (postProcessed M f) h n δ := by
  apply _root_.PrivRef.iterative_odp_is_closed_under_post_processing <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O O' : Type u}

theorem iterative_odp_is_closed_under_randomized_post_processing {Ω : Type u} (P : IterParams K)
    (nbr : Neighbours D) (M : Nat → D → FinLaw K O) (ρ : FinLaw K Ω)
    (f : Ω → List O' → O → FinLaw K O') (h : List O' → Bool) (n : Nat) (δ : K)
    (hM : LengthODP P nbr n
      (fun x => ρ.bind fun ω => (jointLaw M (f ω) h x n [] []).map Prod.fst) δ) :
    LengthODP P nbr n (fun x => ρ.bind fun ω => (jointLaw M (f ω) h x n [] []).map Prod.snd) δ := by
  apply _root_.PrivRef.iterative_odp_is_closed_under_randomized_post_processing <;> assumption

theorem iterative_mechanism_of_randomized_post_processings_is_odp (P : IterParams K)
    (nbr : Neighbours D) (M : Nat → D → FinLaw K O) (f : List O' → O → FinLaw K O')
    (h : List O' → Bool) (n : Nat) (δ : K)
    (hM : LengthODP P nbr n (fun x => (jointLaw M f h x n [] []).map Prod.fst) δ) :
    IterODP P nbr (randomlyProcessed M f) h n δ := by
  apply _root_.PrivRef.iterative_mechanism_of_randomized_post_processings_is_odp <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O : Type u}

theorem randomized_stopping_is_no_better (P : IterParams K) (hP : P.Ok) (nbr : Neighbours D)
    (M : Iteration K D O) (hM : IterationDP P nbr M) (s : List O → K) (hs0 : ∀ v, 0 ≤ s v)
    (hs1 : ∀ v, s v ≤ 1) (hstop : ∀ v, s v ≠ 0 → P.stop v.length = true) (x x' : D)
    (hx : nbr.rel x x') (f : List O → K) (hf0 : ∀ v, 0 ≤ f v) (hf1 : ∀ v, f v ≤ 1) (n : Nat) :
    iterRandE M s x n [] f
      ≤ optDel P n + iterRandE M s x' n [] fun v => P.Y v.length * f v := by
  apply _root_.PrivRef.randomized_stopping_is_no_better <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem backward_recursion_is_the_maximum_over_prefix_free_families (P : IterParams K) (n : Nat) :
    (∀ Q, PrefixFree P n Q → familyValue P n Q ≤ optDel P n) ∧
    ∃ Q, PrefixFree P n Q ∧ familyValue P n Q = optDel P n := by
  apply _root_.PrivRef.backward_recursion_is_the_maximum_over_prefix_free_families <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem optDel_is_optimal (P : IterParams K) (hP : P.Ok) (n : Nat) :
    (∀ {D O : Type u} (nbr : Neighbours D) (M : Iteration K D O) (h : List O → Bool),
      IterationDP P nbr M → (∀ v, h v = true → P.stop v.length = true) →
      IterODP P nbr M h n (optDel P n)) ∧
    (∃ (M : Iteration K Bool Symbol) (h : List Symbol → Bool),
      IterationDP P rrNeighbours M ∧ (∀ v, h v = true → P.stop v.length = true) ∧
      ∀ δ, IterODP P rrNeighbours M h n δ → optDel P n ≤ δ) ∧
    ((∀ Q, PrefixFree P n Q → familyValue P n Q ≤ optDel P n) ∧
      ∃ Q, PrefixFree P n Q ∧ familyValue P n Q = optDel P n) := by
  apply _root_.PrivRef.optDel_is_optimal <;> assumption

end

section

theorem rational_recursion_computes_optDel (P : IterParams Rat) (n : Nat) :
    optDelRat P n = optDel P n := by
  apply _root_.PrivRef.rational_recursion_computes_optDel <;> assumption

end

section

theorem optDel_of_two_rounds_is_below_lemma_11 :
    optDel ⟨fun _ => 1, fun _ => 1 / 10, fun k => decide (1 ≤ k), fun _ => (1 : Rat)⟩ 2
      = 19 / 100 := by
  apply _root_.PrivRef.optDel_of_two_rounds_is_below_lemma_11 <;> assumption

end

section

theorem optDel_of_three_rounds :
    optDel ⟨fun _ => 2, fun _ => 0, fun k => decide (1 ≤ k),
      fun k => if k ≤ 1 then (2 : Rat) else 4⟩ 3 = 4 / 27 := by
  apply _root_.PrivRef.optDel_of_three_rounds <;> assumption

end

section
open PrivRef.Numerics
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Numerics.cks_sound {k p : Nat} {U : Rat} {gs : List Group} {order eps delta : Rat}
    (h : cksCheck k p U gs order eps delta = true) : CksBound gs order eps delta := by
  apply _root_.PrivRef.Numerics.cks_sound <;> assumption

end

section
open PrivRef.Numerics
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Numerics.table1 :
    LeastRounds 16 (1 / 10 ^ 5) ∧ LeastRounds 19 (1 / 10 ^ 6) ∧
    LeastRounds 23 (1 / 10 ^ 7) ∧ LeastRounds 26 (1 / 10 ^ 8) ∧
    LeastRounds 30 (1 / 10 ^ 9) ∧ LeastRounds 34 (1 / 10 ^ 10) ∧
    LeastRounds 37 (1 / 10 ^ 11) ∧ LeastRounds 41 (1 / 10 ^ 12) := by
  apply _root_.PrivRef.Numerics.table1 <;> assumption

end

section
open PrivRef.Numerics
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Numerics.kov_sound {k p : Nat} {D : Rat} {n : Nat} {eps delta epsG deltaG : Rat}
    (h : kovCheck k p D n eps delta epsG deltaG = true) : KovBound n eps delta epsG deltaG := by
  apply _root_.PrivRef.Numerics.kov_sound <;> assumption

end

section
open PrivRef.Numerics
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Numerics.advanced_sound {k p : Nat} {U S : Rat} {n : Nat} {eps delta deltaHat epsG deltaG : Rat}
    (h : advancedCheck k p U S n eps delta deltaHat epsG deltaG = true) :
    AdvancedBound n eps delta deltaHat epsG deltaG := by
  apply _root_.PrivRef.Numerics.advanced_sound <;> assumption

end

section
open PrivRef.Numerics
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Numerics.basic_sound {gs : List Group} {epsG deltaG : Rat}
    (h : basicCheck gs epsG deltaG = true) : BasicBound gs epsG deltaG := by
  apply _root_.PrivRef.Numerics.basic_sound <;> assumption

end

section
open PrivRef.Numerics
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Numerics.zcdp_sound {k p : Nat} {U : Rat} {gs : List Group} {deltaPrime eps delta : Rat}
    (h : zcdpCheck k p U gs deltaPrime eps delta = true) : ZcdpBound gs deltaPrime eps delta := by
  apply _root_.PrivRef.Numerics.zcdp_sound <;> assumption

end

section
open PrivRef.Numerics
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Numerics.filter_sound {k p : Nat} {U : Rat} {gs : List Group} {deltaPrime eps delta : Rat}
    (h : filterCheck k p U gs deltaPrime eps delta = true) :
    FilterBound gs deltaPrime eps delta := by
  apply _root_.PrivRef.Numerics.filter_sound <;> assumption

theorem Numerics.drift_sound {k p : Nat} {U D : Rat} {gs : List Group} {deltaPrime eps delta : Rat}
    (h : driftCheck k p U D gs deltaPrime eps delta = true) :
    DriftBound gs deltaPrime eps delta := by
  apply _root_.PrivRef.Numerics.drift_sound <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem Statements.definition_2 (M : D → FinLaw K O) (cell : O → C) (eps : C → A) (δ : K) :
    IsODPSet X nbr M cell eps δ ↔ IsODP X nbr (fun x => (M x).toLaw) cell eps δ := by
  apply _root_.PrivRef.Statements.definition_2 <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem Statements.lemma_6 (M : D → FinLaw K O) (cell : O → C) (eps : C → A) (Δ : C → K) (δ : K)
    (hδ : ∀ ks : List C, ks.Nodup → lsum ks Δ ≤ δ)
    (h : ∀ c, IsSubsetDPSet X nbr M (fun o => cell o = c) (eps c) (Δ c)) :
    IsODPSet X nbr M cell eps δ := by
  apply _root_.PrivRef.Statements.lemma_6 <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

theorem Statements.theorem_7 {εt : A} {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt) (g : Adversary.{u} X εt δt)
    (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ δt + X.exp εt * g.expect true f ∧
    g.expect true f ≤ δt + X.exp εt * g.expect false f := by
  apply _root_.PrivRef.Statements.theorem_7 <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

theorem Statements.theorem_7_set_form {εt : A} {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt)
    (g : FinAdversary.{u} X Rule.subtract εt δt) (S : g.View → Prop) :
    g.pr false S ≤ X.exp εt * g.pr true S + δt ∧ g.pr true S ≤ X.exp εt * g.pr false S + δt := by
  apply _root_.PrivRef.Statements.theorem_7_set_form <;> assumption

end

section

theorem Statements.algorithm_1_as_printed :
    ∃ (g : FinAdversary.{0} exp2 (Rule.assign (A := Int) (K := Rat)) 1 0) (S : g.View → Prop),
      g.pr false S = 4 / 9 ∧ g.pr true S = 1 / 9 ∧ exp2.exp 1 * g.pr true S + 0 < g.pr false S := by
  apply _root_.PrivRef.Statements.algorithm_1_as_printed <;> assumption

end

section

theorem Statements.section_3_2 :
    ∃ (g : CellAdversary.{0} exp2 (1 : Int) (1 / 2 : Rat)) (S : g.View → Prop),
      g.pr false S = 3 / 4 ∧ g.pr true S = 0 ∧ exp2.exp 1 * g.pr true S + 1 / 2 < g.pr false S := by
  apply _root_.PrivRef.Statements.section_3_2 <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

theorem Statements.definition_19 (εt : A) (δt : K) (hε : 0 ≤ εt) (hδ : 0 ≤ δt) :
    ValidFilter.{u} X.scale (sumFilter εt δt) ([] : List (A × K)) εt δt := by
  apply _root_.PrivRef.Statements.definition_19 <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem Statements.executable_accountant (Y : Scale Rat Rat K) (b : Budget) (hε : 0 ≤ b.eps)
    (hδ : 0 ≤ b.delta) : ValidFilter.{u} Y accountantMachine (State.init b) b.eps b.delta := by
  apply _root_.PrivRef.Statements.executable_accountant <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem Statements.executable_filter (Y : Scale Rat Rat K) (b : Budget) (hε : 0 ≤ b.eps) (hδ : 0 ≤ b.delta) :
    ValidFilter.{u} Y filterMachine (State.init b) b.eps b.delta := by
  apply _root_.PrivRef.Statements.executable_filter <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem Statements.rogers_theorem_2_9 {l : List (A × K)} (hl : ∀ p ∈ l, 0 ≤ p.2) (g : FixedAdversary.{u} X l)
    (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ sumDelta l + X.exp (sumEps l) * g.expect true f ∧
    g.expect true f ≤ sumDelta l + X.exp (sumEps l) * g.expect false f := by
  apply _root_.PrivRef.Statements.rogers_theorem_2_9 <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem Statements.rogers_theorem_3_3 (g : PdpAdversary.{u} X) (b : Bool) (δg : K) (hδ : 0 ≤ δg) :
    g.pr b (fun v => g.spentDelta v ≤ δg ∧ g.LossExceeds v) ≤ δg := by
  apply _root_.PrivRef.Statements.rogers_theorem_3_3 <;> assumption

end

section

theorem Statements.rogers_theorem_3_3_as_worded :
    IsDPSet exp2 bitNeighbours tiltedBit 0 (1 / 10) ∧
    (tiltedBit false).pr (fun o => ¬ RatioWithin (exp2.exp 0) ((tiltedBit false).mass o)
      ((tiltedBit true).mass o)) = 1 := by
  apply _root_.PrivRef.Statements.rogers_theorem_3_3_as_worded <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem Statements.basic_certificate (gs : List Numerics.Group) (epsG deltaG : Rat)
    (h : Numerics.BasicBound gs epsG deltaG) (F : Numerics.ExpField)
    (g : FixedAdversary.{u} (expFieldLike F) (rounds F gs)) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ Numerics.ofRat deltaG + F.exp (Numerics.ofRat epsG) * g.expect true f ∧
    g.expect true f ≤ Numerics.ofRat deltaG + F.exp (Numerics.ofRat epsG) * g.expect false f := by
  apply _root_.PrivRef.Statements.basic_certificate <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {V : Type v} [Lean.Grind.IntModule V] [LE V] [LT V] [Std.IsLinearOrder V]
  [Std.LawfulOrderLT V] [Lean.Grind.OrderedAdd V]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem Statements.lemma_8 (X : ExpLike A K) (N : SvtNoise X V) {D : Type} (nbr : Neighbours D)
    (c : Nat) (g : SvtAnalyst K nbr N.Δ) :
    IsODP X nbr (svtLaw N c g) tops (svtCost N.ε1 N.e2) 0 := by
  apply _root_.PrivRef.Statements.lemma_8 <;> assumption

omit [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem Statements.lemma_8_with_discrete_laplace_noise (F : Numerics.ExpField) (hK : Complete F.K)
    (Δ c : Nat) (hΔ : 0 < Δ) (hc : 0 < c) (ε1 ε2 : F.K) (h1 : 0 < ε1) (h2 : 0 < ε2) {D : Type}
    (nbr : Neighbours D) (g : SvtAnalyst F.K nbr (Δ : Int)) :
    IsODP (expFieldLike F) nbr (svtLaw (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2) c g) tops
        (fun c' => ε1 + natK c' / natK c * ε2) 0 ∧
    IsDP (expFieldLike F) nbr (svtLaw (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2) c g)
        (ε1 + ε2) 0 := by
  apply _root_.PrivRef.Statements.lemma_8_with_discrete_laplace_noise <;> assumption

theorem Statements.theorem_7_for_countable_laws {X : ExpLike A K} {εt : A} {δt : K} (hε : 0 ≤ εt)
    (hδ : 0 ≤ δt) (g : Adversary.{u} X εt δt) (hg : g.Discrete) (S : g.View → Prop) :
    g.expect false (fun v => ind (S v)) ≤ X.exp εt * g.expect true (fun v => ind (S v)) + δt ∧
    g.expect true (fun v => ind (S v)) ≤ X.exp εt * g.expect false (fun v => ind (S v)) + δt := by
  apply _root_.PrivRef.Statements.theorem_7_for_countable_laws <;> assumption

theorem Statements.lemma_14 {D O O' : Type u} (P : IterParams K) (nbr : Neighbours D)
    (M : Nat → D → FinLaw K O) (f : List O' → O → FinLaw K O') (h : List O' → Bool) (n : Nat) (δ : K)
    (hM : LengthODP P nbr n (fun x => (jointLaw M f h x n [] []).map Prod.fst) δ) :
    IterODP P nbr (randomlyProcessed M f) h n δ := by
  apply _root_.PrivRef.Statements.lemma_14 <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem Statements.lemma_10 {R S : Type u} {T : Tests K R} (P Q : D → Option S → Law T.option) (ε : A) (δ : K)
    (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hP : IsPTR X nbr P ε δ) (hQ : IsPTR X nbr Q ε δ)
    (s s' : Option S) :
    IsODP X nbr (fun x => cascade (P x s) (Q x s')) answerCell (answerCost (ε + ε + ε) (ε + ε))
      (2 * δ - δ * δ) := by
  apply _root_.PrivRef.Statements.lemma_10 <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem Statements.lemma_11 (M : Iteration K D O) (h : List O → Bool) (n : Nat) (ks : List Nat)
    (hn : ks.Nodup) (hlast : n ∈ ks) (hle : ∀ k ∈ ks, k ≤ n)
    (hstop : ∀ v, h v = true → v.length ∈ ks) (eps : Nat → A) (δ : Nat → K)
    (hcomp : ∀ k ∈ ks, ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      compositionPr M k x S ≤ X.exp (eps k) * compositionPr M k x' S + δ k) :
    ∀ x x', nbr.rel x x' → ∀ S : List O → Prop, iterPr M h n x S
      ≤ lsum ks δ + lsum ks fun k => X.exp (eps k) * iterPr M h n x' fun v => S v ∧ v.length = k := by
  apply _root_.PrivRef.Statements.lemma_11 <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

theorem Statements.lemma_12 (μ ν : FinLaw K O) (e δ : K) (he : 1 ≤ e) (hδ1 : δ ≤ 1)
    (h0 : ∀ S : O → Prop, μ.pr S ≤ e * ν.pr S + δ)
    (h1 : ∀ S : O → Prop, ν.pr S ≤ e * μ.pr S + δ) :
    ∃ T : Symbol → FinLaw K O, ∀ f : O → K,
      μ.E f = sumSymbols (fun q => rr e δ false q * (T q).E f) ∧
      ν.E f = sumSymbols (fun q => rr e δ true q * (T q).E f) := by
  apply _root_.PrivRef.Statements.lemma_12 <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

theorem Statements.theorem_15 (P : IterParams K) (hP : P.Ok) (n : Nat) :
    (∀ {D O : Type u} (nbr : Neighbours D) (M : Iteration K D O) (h : List O → Bool),
      IterationDP P nbr M → (∀ v, h v = true → P.stop v.length = true) →
      IterODP P nbr M h n (optDel P n)) ∧
    (∃ (M : Iteration K Bool Symbol) (nbr : Neighbours Bool) (h : List Symbol → Bool),
      IterationDP P nbr M ∧ (∀ v, h v = true → P.stop v.length = true) ∧
      ∀ δ, IterODP P nbr M h n δ → optDel P n ≤ δ) ∧
    ((∀ Q, PrefixFree P n Q → familyValue P n Q ≤ optDel P n) ∧
      ∃ Q, PrefixFree P n Q ∧ familyValue P n Q = optDel P n) := by
  apply _root_.PrivRef.Statements.theorem_15 <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] [LT A] [Std.LawfulOrderLT A]
  [Lean.Grind.OrderedAdd A] in
theorem renyi_is_dominated {X : ExpLike A K} {R : Orders A} {D O : Type u} {T : Tests K O}
    (nbr : Neighbours D) (M : D → Law T) (cost : R.I → A) (δ : K) (h : IsRenyi X R nbr M cost δ) :
    IsDominated X R nbr M cost δ := by
  apply _root_.PrivRef.renyi_is_dominated <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem dominated_round_followed_by_bounded_continuation {X : ExpLike A K} {R : Orders A}
    {O : Type u} {T : Tests K O} {μ ν : Law T} {cost : R.I → A} {δ : K}
    (p : DominatedPair X R μ ν cost δ) (i : R.I) {κ d : K} (hκ : 0 ≤ κ) (r s : A) (hδ : 0 ≤ δ)
    (hd : 0 ≤ d) (h1 : δ + d ≤ 1) (F G : O → K) (hF : T.adm F) (hG : T.adm G)
    (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hstep : ∀ s o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i s)) + X.exp s * G o) :
    μ.E F ≤ δ + d + (1 - (δ + d)) * (κ * X.exp (r + cost i - R.scale i s)) + X.exp s * ν.E G := by
  apply _root_.PrivRef.dominated_round_followed_by_bounded_continuation <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem renyi_filter_is_private (X : ExpLike A K) (R : Orders A) (C : R.I → A) (δt : K)
    (hC : ∀ i, 0 ≤ C i) (hδ : 0 ≤ δt) (hδ1 : δt ≤ 1) (i : R.I) (κ : K) (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s)) (ε : A) (g : RenyiAnalyst.{u} X R)
    (f : g.View → K) (hf : RenyiAnalyst.Adm (renyiFilter R C δt) (renyiStart R C δt) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter R C δt) b (renyiStart R C δt) g f
      ≤ δt + (1 - δt) * (κ * X.exp (C i - R.scale i ε))
        + X.exp ε * RenyiAnalyst.expect (renyiFilter R C δt) (!b) (renyiStart R C δt) g f := by
  apply _root_.PrivRef.renyi_filter_is_private <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem zcdp_costs_fit_iff_their_sum_fits (ρ₁ ρ₂ ρ : K) :
    (∀ m, zcdpCost ρ₁ m + zcdpCost ρ₂ m ≤ zcdpCost ρ m) ↔ ρ₁ + ρ₂ ≤ ρ := by
  apply _root_.PrivRef.zcdp_costs_fit_iff_their_sum_fits <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem zcdp_filter_is_private (X : ExpLike K K) (ρ δ : K) (hρ : 0 ≤ ρ) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1)
    (m : K) (hm : 0 < m) (ε : K) (g : RenyiAnalyst.{u} X (allOrders K)) (f : g.View → K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders K) (zcdpCost ρ) δ)
      (renyiStart (allOrders K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * X.exp (m * (m + 1) * ρ - m * ε)
        + X.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders K) (zcdpCost ρ) δ) g f := by
  apply _root_.PrivRef.zcdp_filter_is_private <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem least_constant_of_conversion (F : ExpField) (m M s : F.K) (hm : 0 < m)
    (hM : F.exp M = m / (1 + m)) :
    1 - F.exp s ≤ F.exp ((1 + m) * M) / m * F.exp (-(m * s)) := by
  apply _root_.PrivRef.least_constant_of_conversion <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem zcdp_filter_is_private_with_the_tight_conversion (F : ExpField) (ρ δ : F.K) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (m M ε : F.K) (hm : 0 < m) (hM : F.exp M = m / (1 + m))
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders F.K) (zcdpCost ρ) δ)
      (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * (F.exp (m * ((m + 1) * ρ - ε)) / m * F.exp ((1 + m) * M))
        + F.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f := by
  apply _root_.PrivRef.zcdp_filter_is_private_with_the_tight_conversion <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem zcdp_filter_is_private_by_lemma_1 (F : ExpField) (ρ δ : F.K) (hρ : 0 ≤ ρ) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (L s ε : F.K) (hs : 0 ≤ s) (hsL : s * s = ρ * L) (hε : ρ + 2 * s ≤ ε)
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders F.K) (zcdpCost ρ) δ)
      (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * F.exp (-L)
        + F.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f := by
  apply _root_.PrivRef.zcdp_filter_is_private_by_lemma_1 <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem approximate_zcdp_is_dp (F : ExpField) {O : Type u} {T : Tests F.K O} (μ ν : Law T)
    (ρ δ : F.K) (p : RenyiPair (expFieldLike F) (allOrders F.K) μ ν (zcdpCost ρ) δ) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (L s ε : F.K) (hs : 0 ≤ s)
    (hsL : s * s = ρ * L) (hε : ρ + 2 * s ≤ ε) (f : O → F.K) (hf : IsTest T f) :
    μ.E f ≤ δ + (1 - δ) * F.exp (-L) + F.exp ε * ν.E f := by
  apply _root_.PrivRef.approximate_zcdp_is_dp <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem dominated_pair_is_indistinguishable (X : ExpLike A K) (R : Orders A) {O : Type u}
    {T : Tests K O} {μ ν : Law T} {cost : R.I → A} {δ : K} (p : DominatedPair X R μ ν cost δ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (i : R.I) (κ : K) (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s)) (ε : A) (f : O → K) (hf : IsTest T f) :
    μ.E f ≤ δ + (1 - δ) * (κ * X.exp (cost i - R.scale i ε)) + X.exp ε * ν.E f := by
  apply _root_.PrivRef.dominated_pair_is_indistinguishable <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem indistinguishable_laws_have_the_moments_of_randomized_response (X : ExpLike A K)
    (R : Orders A) {O : Type u} (μ ν : FinLaw K O) (ε : A) (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (h0 : ∀ S : O → Prop, μ.pr S ≤ X.exp ε * ν.pr S + δ)
    (h1 : ∀ S : O → Prop, ν.pr S ≤ X.exp ε * μ.pr S + δ) (cost : R.I → A)
    (hc : ∀ i, X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε)
      ≤ (1 + X.exp ε) * X.exp (cost i)) :
    Nonempty (DominatedPair X R μ.toLaw ν.toLaw cost δ) := by
  apply _root_.PrivRef.indistinguishable_laws_have_the_moments_of_randomized_response <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem dp_mechanism_has_the_moments_of_randomized_response (X : ExpLike A K) (R : Orders A)
    {D O : Type u} (nbr : Neighbours D) (M : D → FinLaw K O) (ε : A) (δ : K) (hε : 0 ≤ ε)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hM : IsDPSet X nbr M ε δ) (cost : R.I → A)
    (hc : ∀ i, X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε)
      ≤ (1 + X.exp ε) * X.exp (cost i)) :
    IsDominated X R nbr (fun x => (M x).toLaw) cost δ := by
  apply _root_.PrivRef.dp_mechanism_has_the_moments_of_randomized_response <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem view_behind_the_renyi_filter_is_approximately_renyi (X : ExpLike A K) (R : Orders A)
    (C : R.I → A) (δt : K) (hC : ∀ i, 0 ≤ C i) (hδ : 0 ≤ δt) (hδ1 : δt ≤ 1)
    (g : KernelAnalyst.{u} X R) (V : Tests K g.View)
    (hV : g.Measurable (renyiFilter R C δt) (renyiStart R C δt) V) :
    Nonempty (MutualPair X R
      (KernelAnalyst.viewLaw (renyiFilter R C δt) (KernelQuery.law false) (renyiStart R C δt) g V
        fun f hf => hV.view f hf false)
      (KernelAnalyst.viewLaw (renyiFilter R C δt) (KernelQuery.law true) (renyiStart R C δt) g V
        fun f hf => hV.view f hf true) C δt) := by
  apply _root_.PrivRef.view_behind_the_renyi_filter_is_approximately_renyi <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] [LT A] [Std.LawfulOrderLT A]
  [Lean.Grind.OrderedAdd A] in
theorem KernelAnalyst.discrete_games_are_measurable {X : ExpLike A K} {R : Orders A}
    {g : KernelAnalyst.{u} X R} (hg : g.Discrete) (F : Filter (R.I → A) K) (s : F.S)
    (V : Tests K g.View) : g.Measurable F s V := by
  apply _root_.PrivRef.KernelAnalyst.discrete_games_are_measurable <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem dp_round_followed_by_bounded_continuation (X : ExpLike A K) (R : Orders A) {O : Type u}
    {T : Tests K O} {μ ν : Law T} {ε : A} {δ : K} (hε : 0 ≤ ε)
    (h : ∀ f, IsTest T f → μ.E f ≤ δ + X.exp ε * ν.E f)
    (h' : ∀ f, IsTest T f → ν.E f ≤ δ + X.exp ε * μ.E f) (i : R.I) (c : A)
    (hc : X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε) ≤ (1 + X.exp ε) * X.exp c)
    {κ d : K} (hκ : 0 ≤ κ) (r s : A) (hδ : 0 ≤ δ) (hd : 0 ≤ d) (h1 : δ + d ≤ 1) (F G : O → K)
    (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hstep : ∀ s o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i s)) + X.exp s * G o) :
    μ.E F ≤ δ + d + (1 - (δ + d)) * (κ * X.exp (r + c - R.scale i s)) + X.exp s * ν.E G := by
  apply _root_.PrivRef.dp_round_followed_by_bounded_continuation <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem view_behind_the_zcdp_filter_is_approximately_zcdp (X : ExpLike K K) (ρ δ : K) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (g : KernelAnalyst.{u} X (allOrders K)) (V : Tests K g.View)
    (hV : g.Measurable (renyiFilter (allOrders K) (zcdpCost ρ) δ)
      (renyiStart (allOrders K) (zcdpCost ρ) δ) V) :
    Nonempty (MutualPair X (allOrders K)
      (KernelAnalyst.viewLaw (renyiFilter (allOrders K) (zcdpCost ρ) δ) (KernelQuery.law false)
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g V fun f hf => hV.view f hf false)
      (KernelAnalyst.viewLaw (renyiFilter (allOrders K) (zcdpCost ρ) δ) (KernelQuery.law true)
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g V fun f hf => hV.view f hf true)
      (zcdpCost ρ) δ) := by
  apply _root_.PrivRef.view_behind_the_zcdp_filter_is_approximately_zcdp <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable (F : ExpField)

theorem cosh_ratio_is_subgaussian (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {x y : F.K}
    (hy : 0 ≤ y) (hyx : y ≤ x) :
    twoCosh F x ≤ twoCosh F y * F.exp ((x * x - y * y) / 2) := by
  apply _root_.PrivRef.cosh_ratio_is_subgaussian <;> assumption

theorem two_points_are_subgaussian {p q : F.K} (hpq : p + q = 1) (hp : 0 ≤ p) (hq : 0 ≤ q)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {h : F.K} (h0 : 0 ≤ h) :
    p * F.exp h + q * F.exp (-h) ≤ F.exp ((p - q) * h + h * h / 2) := by
  apply _root_.PrivRef.two_points_are_subgaussian <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable (F : ExpField)

theorem randomized_response_is_zcdp (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {m ε : F.K}
    (hm : 0 < m) (hε : 0 ≤ ε) :
    F.exp (ε + m * ε) + F.exp (-(m * ε))
      ≤ (1 + F.exp ε) * F.exp (m * (m + 1) * (ε * ε / 2)) := by
  apply _root_.PrivRef.randomized_response_is_zcdp <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable (F : ExpField)

theorem dp_mechanism_is_a_round_of_the_zcdp_filter (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    {D O : Type u} (nbr : Neighbours D) (M : D → FinLaw F.K O) (ε δ : F.K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (hM : IsDPSet (expFieldLike F) nbr M ε δ) :
    IsDominated (expFieldLike F) (allOrders F.K) nbr (fun x => (M x).toLaw) (zcdpCost (ε * ε / 2))
      δ := by
  apply _root_.PrivRef.dp_mechanism_is_a_round_of_the_zcdp_filter <;> assumption

theorem coarser_loss_has_smaller_moments {O : Type u} (J : Expectation F.K O) {m : F.K} (hm : 0 ≤ m)
    (l l' : O → F.K) (i : J.int fun o => F.exp (m * l o)) (i' : J.int fun o => F.exp (m * l' o))
    (it : J.int fun o => F.exp (-l o) * F.exp ((1 + m) * l' o))
    (h : J.E (fun o => F.exp (-l o) * F.exp ((1 + m) * l' o)) = J.E fun o => F.exp (m * l' o)) :
    J.E (fun o => F.exp (m * l' o)) ≤ J.E fun o => F.exp (m * l o) := by
  apply _root_.PrivRef.coarser_loss_has_smaller_moments <;> assumption

theorem post_processing_keeps_moments (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {W O : Type u}
    (p q : FinLaw F.K W) (l : W → F.K) (hq : ∀ f, q.E f = p.E fun w => F.exp (-l w) * f w)
    (post : W → FinLaw F.K O) :
    ∃ l' : O → F.K, (∀ f, (q.bind post).E f = (p.bind post).E fun o => F.exp (-l' o) * f o) ∧
      ∀ m, 0 ≤ m →
        (p.bind post).E (fun o => F.exp (m * l' o)) ≤ p.E (fun w => F.exp (m * l w)) ∧
        (p.bind post).E (fun o => F.exp (-l' o) * F.exp (m * -l' o))
          ≤ p.E fun w => F.exp (-l w) * F.exp (m * -l w) := by
  apply _root_.PrivRef.post_processing_keeps_moments <;> assumption

theorem dp_mechanism_is_approximately_zcdp (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {D O : Type u} (nbr : Neighbours D)
    (M : D → FinLaw F.K O) (ε δ : F.K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1)
    (hM : IsDPSet (expFieldLike F) nbr M ε δ) :
    IsMutual (expFieldLike F) (allOrders F.K) nbr (fun x => (M x).toLaw) (zcdpCost (ε * ε / 2)) δ := by
  apply _root_.PrivRef.dp_mechanism_is_approximately_zcdp <;> assumption

theorem dp_requests_are_discrete (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {D O : Type u} (nbr : Neighbours D) (x : Bool → D)
    (neighbours : nbr.rel (x false) (x true)) (M : D → FinLaw F.K O) (ε δ : F.K) (hε : 0 ≤ ε)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hM : IsDPSet (expFieldLike F) nbr M ε δ)
    (next : O → KernelAnalyst.{u} (expFieldLike F) (allOrders F.K))
    (refused : KernelAnalyst.{u} (expFieldLike F) (allOrders F.K)) (h : ∀ o, (next o).Discrete)
    (h' : refused.Discrete) :
    (KernelAnalyst.request (dpRequest F arch logs nbr x neighbours M ε δ hε hδ hδ1 hM) next
      refused).Discrete := by
  apply _root_.PrivRef.dp_requests_are_discrete <;> assumption

theorem order_one_follows {O : Type u} {T : Tests F.K O} {μ ν : Law T} {ρ δ : F.K} (hρ : 0 ≤ ρ)
    (p : MutualPair (expFieldLike F) (allOrders F.K) μ ν (zcdpCost ρ) δ) :
    (p.P.int p.loss → p.P.E p.loss ≤ ρ) ∧
      (p.P.int (fun o => F.exp (-p.loss o) * -p.loss o) →
        p.P.E (fun o => F.exp (-p.loss o) * -p.loss o) ≤ ρ) := by
  apply _root_.PrivRef.order_one_follows <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable {F : ExpField}

theorem dp_filter_is_private (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (V δ L s ε : F.K)
    (hV : 0 ≤ V) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hs : 0 ≤ s) (hsL : s * s = 2 * L * V)
    (hε : s + V / 2 ≤ ε) (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (squaresFilter V δ) (squaresStart V δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (squaresFilter V δ) b (squaresStart V δ) g f
      ≤ δ + (1 - δ) * F.exp (-L)
        + F.exp ε * DpAnalyst.expect (squaresFilter V δ) (!b) (squaresStart V δ) g f := by
  apply _root_.PrivRef.dp_filter_is_private <;> assumption

theorem drift_filter_is_private (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (V D δ L s ε : F.K) (hV : 0 ≤ V) (hD : 0 ≤ D) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hs : 0 ≤ s)
    (hsL : s * s = 2 * L * V) (hε : s + D ≤ ε) (g : DpAnalyst.{u} (expFieldLike F))
    (f : g.View → F.K)
    (hf : DpAnalyst.Adm (driftFilter (expFieldLike F) V D δ) (driftStart (expFieldLike F) V D δ)
      g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (driftFilter (expFieldLike F) V D δ) b (driftStart (expFieldLike F) V D δ) g f
      ≤ δ + (1 - δ) * F.exp (-L) + F.exp ε * DpAnalyst.expect (driftFilter (expFieldLike F) V D δ)
        (!b) (driftStart (expFieldLike F) V D δ) g f := by
  apply _root_.PrivRef.drift_filter_is_private <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem dp_filter_decides_by_the_printed_formula (L ε δ a b : K) (hε : 0 ≤ ε) (ha : 0 ≤ a) (haL : a * a = 2 * L)
    (hb : 0 ≤ b) (hbL : b * b = 2 * (L + ε)) :
    0 ≤ a * (b - a) ∧ a * (b - a) * (a * (b - a)) = 2 * L * ((b - a) * (b - a)) ∧
    a * (b - a) + (b - a) * (b - a) / 2 = ε ∧
    ∀ (t : K × K) (e d r : K), 0 ≤ r → r * r = 2 * L * (t.1 + e * e) →
      ((squaresFilter ((b - a) * (b - a)) δ).decide t e d = .cont ↔
        r + (t.1 + e * e) / 2 ≤ ε ∧ t.2 + d ≤ δ) := by
  apply _root_.PrivRef.dp_filter_decides_by_the_printed_formula <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

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
  apply _root_.PrivRef.zcdp_certificate_is_a_privacy_guarantee <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem cks_certificate_is_a_privacy_guarantee (gs : List Group) (order epsG deltaG : Rat)
    (h : Numerics.CksBound gs order epsG deltaG) (F : ExpField) (M : F.K)
    (hM : F.exp M = ofRat (1 - 1 / order))
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (ledgerFilter F gs) (ledgerStart F gs) g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (ledgerFilter F gs) b (ledgerStart F gs) g f
      ≤ ofRat deltaG + F.exp (ofRat epsG)
        * RenyiAnalyst.expect (ledgerFilter F gs) (!b) (ledgerStart F gs) g f := by
  apply _root_.PrivRef.cks_certificate_is_a_privacy_guarantee <;> assumption

end

section
open PrivRef.Example

theorem Example.adversary_plays :
    adversary.expect false (fun v => first v) = 2 / 3 ∧
    adversary.expect true (fun v => first v) = 1 / 3 := by
  apply _root_.PrivRef.Example.adversary_plays <;> assumption

end

section
open PrivRef.Example

theorem Example.filter_halts_the_second_question (b : Bool) :
    Analyst.expect (sumFilter (1 : Int) (0 : Rat)) b ([] : List (Int × Rat)) analyst halted = 1 := by
  apply _root_.PrivRef.Example.filter_halts_the_second_question <;> assumption

end

section
open PrivRef.Example

theorem Example.renyi_filter_plays (b : Bool) :
    RenyiAnalyst.expect (renyiFilter orderTwo (fun _ => 1) (0 : Rat)) b
        (renyiStart orderTwo (fun _ => 1) 0) renyiAnalyst trueThenHalted
      = if b then 1 / 3 else 2 / 3 := by
  apply _root_.PrivRef.Example.renyi_filter_plays <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem Statements.renyi_filter (X : ExpLike A K) (R : Orders A) (C : R.I → A) (δt : K)
    (hC : ∀ i, 0 ≤ C i) (hδ : 0 ≤ δt) (hδ1 : δt ≤ 1) (i : R.I) (κ : K) (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s)) (ε : A) (g : RenyiAnalyst.{u} X R)
    (f : g.View → K) (hf : RenyiAnalyst.Adm (renyiFilter R C δt) (renyiStart R C δt) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter R C δt) b (renyiStart R C δt) g f
      ≤ δt + (1 - δt) * (κ * X.exp (C i - R.scale i ε))
        + X.exp ε * RenyiAnalyst.expect (renyiFilter R C δt) (!b) (renyiStart R C δt) g f := by
  apply _root_.PrivRef.Statements.renyi_filter <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem Statements.whitehouse_theorem_1 (X : ExpLike K K) (ρ δ : K) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (g : KernelAnalyst.{u} X (allOrders K)) (V : Tests K g.View)
    (hV : g.Measurable (renyiFilter (allOrders K) (zcdpCost ρ) δ)
      (renyiStart (allOrders K) (zcdpCost ρ) δ) V) :
    Nonempty (MutualPair X (allOrders K)
      (KernelAnalyst.viewLaw (renyiFilter (allOrders K) (zcdpCost ρ) δ) (KernelQuery.law false)
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g V fun f hf => hV.view f hf false)
      (KernelAnalyst.viewLaw (renyiFilter (allOrders K) (zcdpCost ρ) δ) (KernelQuery.law true)
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g V fun f hf => hV.view f hf true)
      (zcdpCost ρ) δ) := by
  apply _root_.PrivRef.Statements.whitehouse_theorem_1 <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem Statements.whitehouse_theorem_1_at_every_order (X : ExpLike K K) (ρ δ : K) (hρ : 0 ≤ ρ) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1)
    (m : K) (hm : 0 < m) (ε : K) (g : RenyiAnalyst.{u} X (allOrders K)) (f : g.View → K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders K) (zcdpCost ρ) δ)
      (renyiStart (allOrders K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * X.exp (m * (m + 1) * ρ - m * ε)
        + X.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders K) (zcdpCost ρ) δ) g f := by
  apply _root_.PrivRef.Statements.whitehouse_theorem_1_at_every_order <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

theorem Statements.whitehouse_theorem_1_with_lemma_1 (F : ExpField) (ρ δ : F.K) (hρ : 0 ≤ ρ) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (L s ε : F.K) (hs : 0 ≤ s) (hsL : s * s = ρ * L) (hε : ρ + 2 * s ≤ ε)
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders F.K) (zcdpCost ρ) δ)
      (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * F.exp (-L)
        + F.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f := by
  apply _root_.PrivRef.Statements.whitehouse_theorem_1_with_lemma_1 <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

theorem Statements.cks_corollary_13 (F : ExpField) (ρ δ : F.K) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (m M ε : F.K) (hm : 0 < m) (hM : F.exp M = m / (1 + m))
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders F.K) (zcdpCost ρ) δ)
      (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * (F.exp (m * ((m + 1) * ρ - ε)) / m * F.exp ((1 + m) * M))
        + F.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f := by
  apply _root_.PrivRef.Statements.cks_corollary_13 <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem Statements.dp_rounds_of_the_renyi_filter (X : ExpLike A K) (R : Orders A)
    {D O : Type u} (nbr : Neighbours D) (M : D → FinLaw K O) (ε : A) (δ : K) (hε : 0 ≤ ε)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hM : IsDPSet X nbr M ε δ) (cost : R.I → A)
    (hc : ∀ i, X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε)
      ≤ (1 + X.exp ε) * X.exp (cost i)) :
    IsDominated X R nbr (fun x => (M x).toLaw) cost δ := by
  apply _root_.PrivRef.Statements.dp_rounds_of_the_renyi_filter <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable {F : ExpField}

theorem Statements.whitehouse_theorem_2 (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (V δ L s ε : F.K)
    (hV : 0 ≤ V) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hs : 0 ≤ s) (hsL : s * s = 2 * L * V)
    (hε : s + V / 2 ≤ ε) (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (squaresFilter V δ) (squaresStart V δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (squaresFilter V δ) b (squaresStart V δ) g f
      ≤ δ + (1 - δ) * F.exp (-L)
        + F.exp ε * DpAnalyst.expect (squaresFilter V δ) (!b) (squaresStart V δ) g f := by
  apply _root_.PrivRef.Statements.whitehouse_theorem_2 <;> assumption

theorem Statements.whitehouse_equation_2 (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (V D δ L s ε : F.K) (hV : 0 ≤ V) (hD : 0 ≤ D) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hs : 0 ≤ s)
    (hsL : s * s = 2 * L * V) (hε : s + D ≤ ε) (g : DpAnalyst.{u} (expFieldLike F))
    (f : g.View → F.K)
    (hf : DpAnalyst.Adm (driftFilter (expFieldLike F) V D δ) (driftStart (expFieldLike F) V D δ)
      g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (driftFilter (expFieldLike F) V D δ) b (driftStart (expFieldLike F) V D δ) g f
      ≤ δ + (1 - δ) * F.exp (-L) + F.exp ε * DpAnalyst.expect (driftFilter (expFieldLike F) V D δ)
        (!b) (driftStart (expFieldLike F) V D δ) g f := by
  apply _root_.PrivRef.Statements.whitehouse_equation_2 <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

theorem Statements.zcdp_certificate (gs : List Group) (deltaPrime epsG deltaG : Rat)
    (h : Numerics.ZcdpBound gs deltaPrime epsG deltaG) (F : ExpField) (L s : F.K)
    (hL : F.exp (-L) = ofRat deltaPrime) (hs : 0 ≤ s)
    (hsL : s * s = ofRat (Numerics.totalPar gs) * L)
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (ledgerFilter F gs) (ledgerStart F gs) g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (ledgerFilter F gs) b (ledgerStart F gs) g f
      ≤ ofRat deltaG + F.exp (ofRat epsG)
        * RenyiAnalyst.expect (ledgerFilter F gs) (!b) (ledgerStart F gs) g f := by
  apply _root_.PrivRef.Statements.zcdp_certificate <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

theorem Statements.cks_certificate (gs : List Group) (order epsG deltaG : Rat)
    (h : Numerics.CksBound gs order epsG deltaG) (F : ExpField) (M : F.K)
    (hM : F.exp M = ofRat (1 - 1 / order))
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (ledgerFilter F gs) (ledgerStart F gs) g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (ledgerFilter F gs) b (ledgerStart F gs) g f
      ≤ ofRat deltaG + F.exp (ofRat epsG)
        * RenyiAnalyst.expect (ledgerFilter F gs) (!b) (ledgerStart F gs) g f := by
  apply _root_.PrivRef.Statements.cks_certificate <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem odp_for_sets_gives_functional_form (arch : ∀ x : K, ∃ n, x ≤ natK n) {T : Tests K O}
    (hT : T.HasLevels) (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (cell : O → C)
    (eps : C → A) (δ : K) (hcells : ∀ c, T.adm fun o => ind (cell o = c))
    (hw : T.adm fun o => X.exp (eps (cell o))) (h : IsODPSets X nbr M cell eps δ) :
    IsODP X nbr M cell eps δ := by
  apply _root_.PrivRef.odp_for_sets_gives_functional_form <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem dp_for_sets_iff_functional_form (arch : ∀ x : K, ∃ n, x ≤ natK n) {T : Tests K O}
    (hT : T.HasLevels) (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) (δ : K) :
    IsDPSets X nbr M ε δ ↔ IsDP X nbr M ε δ := by
  apply _root_.PrivRef.dp_for_sets_iff_functional_form <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem composition_is_private_for_sets (arch : ∀ x : K, ∃ n, x ≤ natK n) {X : ExpLike A K} {εt : A}
    {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt) (g : SetAdversary.{u} X εt δt) (S : g.View → Prop)
    (hS : g.Measurable S) :
    g.pr false S ≤ X.exp εt * g.pr true S + δt ∧ g.pr true S ≤ X.exp εt * g.pr false S + δt := by
  apply _root_.PrivRef.composition_is_private_for_sets <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {D O C : Type u}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem Statements.definition_2_for_general_laws (arch : ∀ x : K, ∃ n, x ≤ natK n) {T : Tests K O}
    (hT : T.HasLevels) (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (cell : O → C)
    (eps : C → A) (δ : K) (hcells : ∀ c, T.adm fun o => ind (cell o = c))
    (hw : T.adm fun o => X.exp (eps (cell o))) (h : IsODPSets X nbr M cell eps δ) :
    IsODP X nbr M cell eps δ := by
  apply _root_.PrivRef.Statements.definition_2_for_general_laws <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

theorem Statements.theorem_7_for_sets (arch : ∀ x : K, ∃ n, x ≤ natK n) {X : ExpLike A K} {εt : A}
    {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt) (g : SetAdversary.{u} X εt δt) (S : g.View → Prop)
    (hS : g.Measurable S) :
    g.pr false S ≤ X.exp εt * g.pr true S + δt ∧ g.pr true S ≤ X.exp εt * g.pr false S + δt := by
  apply _root_.PrivRef.Statements.theorem_7_for_sets <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem optDel_without_stopping (e δ : Nat → K) (y : K) (n : Nat) :
    optDel (fixedParams e δ y) n = lsum (words n) fun w =>
      posPart (wordPr (fixedParams e δ y) false 0 w - y * wordPr (fixedParams e δ y) true 0 w) := by
  apply _root_.PrivRef.optDel_without_stopping <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem optimal_composition (e δ : Nat → K) (y : K) (he : ∀ k, 1 ≤ e k) (hδ : ∀ k, 0 ≤ δ k)
    (hδ1 : ∀ k, δ k ≤ 1) (hy : 0 ≤ y) (n : Nat) (δg : K) :
    (∀ (D O : Type) (nbr : Neighbours D) (M : Iteration K D O),
      IterationDP (fixedParams e δ y) nbr M → ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
        compositionPr M n x S ≤ y * compositionPr M n x' S + δg) ↔
    optDel (fixedParams e δ y) n ≤ δg := by
  apply _root_.PrivRef.optimal_composition <;> assumption

end

section
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem Statements.optimal_composition_of_fixed_parameters (e δ : Nat → K) (y : K) (he : ∀ k, 1 ≤ e k) (hδ : ∀ k, 0 ≤ δ k)
    (hδ1 : ∀ k, δ k ≤ 1) (hy : 0 ≤ y) (n : Nat) (δg : K) :
    (∀ (D O : Type) (nbr : Neighbours D) (M : Iteration K D O),
      IterationDP (fixedParams e δ y) nbr M → ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
        compositionPr M n x S ≤ y * compositionPr M n x' S + δg) ↔
    optDel (fixedParams e δ y) n ≤ δg := by
  apply _root_.PrivRef.Statements.optimal_composition_of_fixed_parameters <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem optDel_of_equal_rounds (F : ExpField) (n : Nat) (eps delta epsG : Rat) (h0 : 0 ≤ eps)
    (h1 : 0 ≤ delta) (h2 : delta ≤ 1) :
    optDel (fixedParams (fun _ => F.exp (ofRat eps)) (fun _ => ofRat delta) (F.exp (ofRat epsG))) n
      = 1 - ofRat ((1 - delta) ^ n) * (1 - Numerics.kovDelta F n eps epsG) := by
  apply _root_.PrivRef.optDel_of_equal_rounds <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem filter_certificate_is_a_privacy_guarantee (gs : List Group) (deltaPrime eps delta : Rat)
    (h : Numerics.FilterBound gs deltaPrime eps delta) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaPrime)
    (hs : 0 ≤ s) (hsL : s * s = 2 * L * ofRat (Numerics.totalSq gs))
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerSquares F gs) (ledgerSquaresStart F gs) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerSquares F gs) b (ledgerSquaresStart F gs) g f
      ≤ ofRat delta + F.exp (ofRat eps)
        * DpAnalyst.expect (ledgerSquares F gs) (!b) (ledgerSquaresStart F gs) g f := by
  apply _root_.PrivRef.filter_certificate_is_a_privacy_guarantee <;> assumption

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
  apply _root_.PrivRef.drift_certificate_is_a_privacy_guarantee <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem advanced_certificate_is_a_privacy_guarantee (n : Nat) (eps delta deltaHat epsG deltaG : Rat)
    (h : Numerics.AdvancedBound n eps delta deltaHat epsG deltaG) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaHat)
    (hs : 0 ≤ s) (hsL : s * s = 2 * (n : F.K) * L)
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerSquares F [⟨n, eps, delta⟩]) (ledgerSquaresStart F [⟨n, eps, delta⟩]) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerSquares F [⟨n, eps, delta⟩]) b (ledgerSquaresStart F [⟨n, eps, delta⟩]) g f
      ≤ ofRat deltaG + F.exp (ofRat epsG) * DpAnalyst.expect (ledgerSquares F [⟨n, eps, delta⟩]) (!b)
        (ledgerSquaresStart F [⟨n, eps, delta⟩]) g f := by
  apply _root_.PrivRef.advanced_certificate_is_a_privacy_guarantee <;> assumption

theorem kov_certificate_is_a_privacy_guarantee (n : Nat) (eps delta epsG deltaG : Rat)
    (h : Numerics.KovBound n eps delta epsG deltaG) (F : ExpField) {D O : Type u}
    (nbr : Neighbours D) (M : Iteration F.K D O)
    (hM : ∀ past, IsDPSet (expFieldLike F) nbr (M past) (ofRat eps) (ofRat delta)) :
    ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      compositionPr M n x S ≤ F.exp (ofRat epsG) * compositionPr M n x' S + ofRat deltaG := by
  apply _root_.PrivRef.kov_certificate_is_a_privacy_guarantee <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Statements.filter_certificate (gs : List Group) (deltaPrime eps delta : Rat)
    (h : Numerics.FilterBound gs deltaPrime eps delta) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaPrime)
    (hs : 0 ≤ s) (hsL : s * s = 2 * L * ofRat (Numerics.totalSq gs))
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerSquares F gs) (ledgerSquaresStart F gs) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerSquares F gs) b (ledgerSquaresStart F gs) g f
      ≤ ofRat delta + F.exp (ofRat eps)
        * DpAnalyst.expect (ledgerSquares F gs) (!b) (ledgerSquaresStart F gs) g f := by
  apply _root_.PrivRef.Statements.filter_certificate <;> assumption

theorem Statements.drift_certificate (gs : List Group) (deltaPrime eps delta : Rat)
    (h : Numerics.DriftBound gs deltaPrime eps delta) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaPrime)
    (hs : 0 ≤ s) (hsL : s * s = 2 * L * ofRat (Numerics.totalSq gs))
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerDrift F gs) (ledgerDriftStart F gs) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerDrift F gs) b (ledgerDriftStart F gs) g f
      ≤ ofRat delta + F.exp (ofRat eps)
        * DpAnalyst.expect (ledgerDrift F gs) (!b) (ledgerDriftStart F gs) g f := by
  apply _root_.PrivRef.Statements.drift_certificate <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Statements.advanced_certificate (n : Nat) (eps delta deltaHat epsG deltaG : Rat)
    (h : Numerics.AdvancedBound n eps delta deltaHat epsG deltaG) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaHat)
    (hs : 0 ≤ s) (hsL : s * s = 2 * (n : F.K) * L)
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerSquares F [⟨n, eps, delta⟩]) (ledgerSquaresStart F [⟨n, eps, delta⟩]) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerSquares F [⟨n, eps, delta⟩]) b (ledgerSquaresStart F [⟨n, eps, delta⟩]) g f
      ≤ ofRat deltaG + F.exp (ofRat epsG) * DpAnalyst.expect (ledgerSquares F [⟨n, eps, delta⟩]) (!b)
        (ledgerSquaresStart F [⟨n, eps, delta⟩]) g f := by
  apply _root_.PrivRef.Statements.advanced_certificate <;> assumption

theorem Statements.kov_certificate (n : Nat) (eps delta epsG deltaG : Rat)
    (h : Numerics.KovBound n eps delta epsG deltaG) (F : ExpField) {D O : Type u}
    (nbr : Neighbours D) (M : Iteration F.K D O)
    (hM : ∀ past, IsDPSet (expFieldLike F) nbr (M past) (ofRat eps) (ofRat delta)) :
    ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      compositionPr M n x S ≤ F.exp (ofRat epsG) * compositionPr M n x' S + ofRat deltaG := by
  apply _root_.PrivRef.Statements.kov_certificate <;> assumption

end

section
attribute [local instance] _root_.Lean.Grind.Semiring.natCast

theorem Reals.reals_are_archimedean (x : Reals.reals.K) : ∃ n : Nat, x ≤ (n : Reals.reals.K) := by
  apply _root_.PrivRef.Reals.reals_are_archimedean <;> assumption

end

section
theorem Reals.reals_have_logarithms (y : Reals.reals.K) (hy : 0 < y) :
    ∃ x, Reals.reals.exp x = y := by
  apply _root_.PrivRef.Reals.reals_have_logarithms <;> assumption

theorem Reals.reals_have_roots (y : Reals.reals.K) (hy : 0 ≤ y) : ∃ s, 0 ≤ s ∧ s * s = y := by
  apply _root_.PrivRef.Reals.reals_have_roots <;> assumption

end

section
theorem Example.dp_filter_over_the_reals (V δ δ' : Reals.reals.K) (hV : 0 ≤ V) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (h' : 0 < δ') (h'1 : δ' ≤ 1) :
    ∃ L s : Reals.reals.K, Reals.reals.exp (-L) = δ' ∧ 0 ≤ s ∧ s * s = 2 * L * V ∧
      ∀ (g : DpAnalyst.{u} (expFieldLike Reals.reals)) (f : g.View → Reals.reals.K),
        DpAnalyst.Adm (squaresFilter V δ) (squaresStart V δ) g f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) →
        ∀ b, DpAnalyst.expect (squaresFilter V δ) b (squaresStart V δ) g f
          ≤ δ + (1 - δ) * δ' + Reals.reals.exp (s + V / 2)
            * DpAnalyst.expect (squaresFilter V δ) (!b) (squaresStart V δ) g f := by
  apply _root_.PrivRef.Example.dp_filter_over_the_reals <;> assumption

end

section

theorem Reals.reals_are_complete : Complete Reals.reals.K := by
  apply _root_.PrivRef.Reals.reals_are_complete <;> assumption

theorem Example.dp_filter_over_the_reals_for_countable_laws (V δ δ' : Reals.reals.K) (hV : 0 ≤ V)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (h' : 0 < δ') (h'1 : δ' ≤ 1) :
    ∃ L s : Reals.reals.K, Reals.reals.exp (-L) = δ' ∧ 0 ≤ s ∧ s * s = 2 * L * V ∧
      ∀ (g : DpAnalyst.{u} (expFieldLike Reals.reals)), g.Discrete → ∀ (S : g.View → Prop) (b : Bool),
        DpAnalyst.expect (squaresFilter V δ) b (squaresStart V δ) g (fun v => ind (S v))
          ≤ δ + (1 - δ) * δ' + Reals.reals.exp (s + V / 2)
            * DpAnalyst.expect (squaresFilter V δ) (!b) (squaresStart V δ) g fun v => ind (S v) := by
  apply _root_.PrivRef.Example.dp_filter_over_the_reals_for_countable_laws <;> assumption

theorem Example.sparse_vector_over_the_reals (Δ c : Nat) (hΔ : 0 < Δ) (hc : 0 < c)
    (ε1 ε2 : Reals.reals.K) (h1 : 0 < ε1) (h2 : 0 < ε2) {D : Type} (nbr : Neighbours D)
    (g : SvtAnalyst Reals.reals.K nbr (Δ : Int)) :
    IsODP (expFieldLike Reals.reals) nbr
      (svtLaw (discreteLaplaceNoise Reals.reals Reals.reals_are_complete Δ c hΔ hc ε1 ε2 h1 h2) c g) tops
      (fun c' => ε1 + natK c' / natK c * ε2) 0 := by
  apply _root_.PrivRef.Example.sparse_vector_over_the_reals <;> assumption

open PrivRef.Example

theorem Example.sparse_vector_plays :
    (svtLaw noise 1 asker false).E (fun as => ind (as = [true])) = 11 / 27 ∧
    (svtLaw noise 1 asker true).E (fun as => ind (as = [true])) = 16 / 27 := by
  apply _root_.PrivRef.Example.sparse_vector_plays <;> assumption

theorem Example.countable_laws_compose (S : geometricAdversary.View → Prop) :
    geometricAdversary.expect false (fun v => ind (S v))
      ≤ realExp2.exp 1 * geometricAdversary.expect true (fun v => ind (S v)) + 0 := by
  apply _root_.PrivRef.Example.countable_laws_compose <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

theorem dp_holds_for_groups (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) (δ : K)
    (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (h : IsDP X nbr M ε δ) (k : Nat) :
    IsDP X (nbr.group k) M (times k ε) (groupDelta X ε δ k) := by
  apply _root_.PrivRef.dp_holds_for_groups <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

theorem dp_for_sets_holds_for_groups (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (h : IsDPSets X nbr M ε δ) (k : Nat) :
    IsDPSets X (nbr.group k) M (times k ε) (groupDelta X ε δ k) := by
  apply _root_.PrivRef.dp_for_sets_holds_for_groups <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

theorem pure_dp_holds_for_groups (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (hε : 0 ≤ ε) (h : IsDP X nbr M ε 0) (k : Nat) : IsDP X (nbr.group k) M (times k ε) 0 := by
  apply _root_.PrivRef.pure_dp_holds_for_groups <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem groupDelta_in_closed_form (X : ExpLike A K) (ε : A) (δ : K) (k : Nat) :
    (X.exp ε - 1) * groupDelta X ε δ k = δ * (X.exp (times k ε) - 1) := by
  apply _root_.PrivRef.groupDelta_in_closed_form <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

theorem replacing_is_removing_and_adding (k : Nat) (x x' : List U)
    (h : ((replaceOne U).group k).rel x x') : ((addOrRemoveOne U).group (2 * k)).rel x x' := by
  apply _root_.PrivRef.replacing_is_removing_and_adding <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

theorem dp_for_adding_or_removing_gives_dp_for_replacing (X : ExpLike A K) (M : List U → Law T) (ε : A)
    (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (h : IsDP X (addOrRemoveOne U) M ε δ) (k : Nat) :
    IsDP X ((replaceOne U).group k) M (times (2 * k) ε) (groupDelta X ε δ (2 * k)) := by
  apply _root_.PrivRef.dp_for_adding_or_removing_gives_dp_for_replacing <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem bounded_range_is_dp (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (h : IsBoundedRange X nbr M ε) : IsDP X nbr M ε 0 := by
  apply _root_.PrivRef.bounded_range_is_dp <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem pure_dp_is_bounded_range (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (h : IsDP X nbr M ε 0) : IsBoundedRange X nbr M (ε + ε) := by
  apply _root_.PrivRef.pure_dp_is_bounded_range <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem bounded_range_bounds_ratios (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (h : IsBoundedRange X nbr M ε) (x x' : D) (hx : nbr.rel x x') (f g : O → K) (hf : IsTest T f)
    (hg : IsTest T g) : (M x).E f * (M x').E g ≤ X.exp ε * ((M x').E f * (M x).E g) := by
  apply _root_.PrivRef.bounded_range_bounds_ratios <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

theorem bounded_range_holds_for_groups (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (hε : 0 ≤ ε) (h : IsBoundedRange X nbr M ε) (k : Nat) :
    IsBoundedRange X (nbr.group k) M (times k ε) := by
  apply _root_.PrivRef.bounded_range_holds_for_groups <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

theorem Statements.group_privacy {T : Tests K O} (M : D → Law T) (ε : A) (δ : K) (hε : 0 ≤ ε)
    (hδ : 0 ≤ δ) (h : IsDP X nbr M ε δ) (k : Nat) :
    IsDP X (nbr.group k) M (times k ε) (groupDelta X ε δ k) := by
  apply _root_.PrivRef.Statements.group_privacy <;> assumption

end

theorem Example.group_privacy_is_attained :
    IsDP exp2 ((addOrRemoveOne Unit).group 2) (fun x => (Example.capped x).toLaw) (times 2 1) 0 ∧
    ((addOrRemoveOne Unit).group 2).rel [(), ()] [] ∧
    (Example.capped [(), ()]).E (fun o => if o then 1 else 0)
      = exp2.exp (times 2 1) * (Example.capped []).E (fun o => if o then 1 else 0) := by
  apply _root_.PrivRef.Example.group_privacy_is_attained <;> assumption

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K} {R : Orders A} {i : R.I}

theorem ex_post_filter_is_private (X : ExpLike A K) (R : Orders A) (i : R.I) (B : ExPostBudget A K)
    (hε : 0 ≤ B.eps) (hδ : 0 ≤ B.delta) (hδ1 : B.delta ≤ 1) (κ δ' : K) (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s))
    (hδ' : κ * X.exp (B.order - R.scale i B.eps) ≤ δ') (g : ExPostAnalyst.{u} X R i) (f : g.View → K)
    (hf : ExPostAnalyst.Adm B .start g f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    ExPostAnalyst.expect B b .start g f
      ≤ B.delta + (1 - B.delta) * δ' + X.exp B.eps * ExPostAnalyst.expect B (!b) .start g f := by
  apply _root_.PrivRef.ex_post_filter_is_private <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K} {R : Orders A} {i : R.I}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem ExPostAnalyst.adm_of_discrete (B : ExPostBudget A K) (s : ExPostState A K) (g : ExPostAnalyst.{u} X R i)
    (hg : g.Discrete) {C : K} (hC : 0 ≤ C) (f : g.View → K) (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) :
    ExPostAnalyst.Adm B s g f ∧
      ∀ b, -C ≤ ExPostAnalyst.expect B b s g f ∧ ExPostAnalyst.expect B b s g f ≤ C := by
  apply _root_.PrivRef.ExPostAnalyst.adm_of_discrete <;> assumption

end

section
open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem what_may_be_spent_at_an_order (F : ExpField) (m M N ε δ' : F.K) (hm : 0 < m)
    (hM : F.exp M = m / (1 + m)) (hN : F.exp N * ((1 + m) * δ') = 1) :
    F.exp ((1 + m) * M) / m * F.exp (m * (ε - M) - N - m * ε) = δ' ∧
    ∀ S, m * S ≤ m * (ε - M) - N ↔ S + M + N / m ≤ ε := by
  apply _root_.PrivRef.what_may_be_spent_at_an_order <;> assumption

end

section
open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem ex_post_filter_is_private_by_the_printed_rule (F : ExpField) (m M N ε δ' δ'' : F.K) (hm : 0 < m)
    (hM : F.exp M = m / (1 + m)) (hN : F.exp N * ((1 + m) * δ') = 1) (hε : 0 ≤ ε) (hδ : 0 ≤ δ'')
    (hδ1 : δ'' ≤ 1) :
    (∀ released spent plain delta, ExPostBudget.Admits ⟨ε, m * (ε - M) - N, δ''⟩ (oneOrder m hm) ⟨⟩
        ⟨released, m * spent, plain, delta⟩ ↔
      delta ≤ δ'' ∧ ((∃ p, plain = some p ∧ released + p ≤ ε) ∨ released + spent + M + N / m ≤ ε)) ∧
    ∀ (g : ExPostAnalyst.{u} (expFieldLike F) (oneOrder m hm) ⟨⟩) (f : g.View → F.K),
      ExPostAnalyst.Adm ⟨ε, m * (ε - M) - N, δ''⟩ .start g f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ b,
      ExPostAnalyst.expect ⟨ε, m * (ε - M) - N, δ''⟩ b .start g f ≤ δ'' + (1 - δ'') * δ'
        + F.exp ε * ExPostAnalyst.expect ⟨ε, m * (ε - M) - N, δ''⟩ (!b) .start g f := by
  apply _root_.PrivRef.ex_post_filter_is_private_by_the_printed_rule <;> assumption

end

section
open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem renyi_filter_is_private_by_the_printed_rule (F : ExpField) (m M N ε δ' δ'' : F.K) (hm : 0 < m)
    (hM : F.exp M = m / (1 + m)) (hN : F.exp N * ((1 + m) * δ') = 1) (hC : M + N / m ≤ ε)
    (hδ : 0 ≤ δ'') (hδ1 : δ'' ≤ 1) :
    (∀ S, m * S ≤ m * (ε - M) - N ↔ S + M + N / m ≤ ε) ∧
    ∀ (g : RenyiAnalyst.{u} (expFieldLike F) (oneOrder m hm)) (f : g.View → F.K),
      RenyiAnalyst.Adm (renyiFilter (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'')
        (renyiStart (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'') g f →
      (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ b,
      RenyiAnalyst.expect (renyiFilter (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'') b
          (renyiStart (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'') g f
        ≤ δ'' + (1 - δ'') * δ' + F.exp ε * RenyiAnalyst.expect
            (renyiFilter (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'') (!b)
            (renyiStart (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'') g f := by
  apply _root_.PrivRef.renyi_filter_is_private_by_the_printed_rule <;> assumption

end

section
open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Statements.ex_post_filter (F : ExpField) (m M N ε δ' δ'' : F.K) (hm : 0 < m)
    (hM : F.exp M = m / (1 + m)) (hN : F.exp N * ((1 + m) * δ') = 1) (hε : 0 ≤ ε) (hδ : 0 ≤ δ'')
    (hδ1 : δ'' ≤ 1) :
    (∀ released spent plain delta, ExPostBudget.Admits ⟨ε, m * (ε - M) - N, δ''⟩ (oneOrder m hm) ⟨⟩
        ⟨released, m * spent, plain, delta⟩ ↔
      delta ≤ δ'' ∧ ((∃ p, plain = some p ∧ released + p ≤ ε) ∨ released + spent + M + N / m ≤ ε)) ∧
    ∀ (g : ExPostAnalyst.{u} (expFieldLike F) (oneOrder m hm) ⟨⟩) (f : g.View → F.K),
      ExPostAnalyst.Adm ⟨ε, m * (ε - M) - N, δ''⟩ .start g f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ b,
      ExPostAnalyst.expect ⟨ε, m * (ε - M) - N, δ''⟩ b .start g f ≤ δ'' + (1 - δ'') * δ'
        + F.exp ε * ExPostAnalyst.expect ⟨ε, m * (ε - M) - N, δ''⟩ (!b) .start g f := by
  apply _root_.PrivRef.Statements.ex_post_filter <;> assumption

end

theorem Example.ex_post_filter_plays (b : Bool) :
    ExPostAnalyst.expect ⟨1, -1, 0⟩ b .start Example.exPostAnalyst Example.goesOn = 1 / 2 := by
  apply _root_.PrivRef.Example.ex_post_filter_plays <;> assumption

theorem Example.ex_post_filter_protects (S : Example.exPostAnalyst.View → Prop) (b : Bool) :
    ExPostAnalyst.expect ⟨1, -1, 0⟩ b .start Example.exPostAnalyst (fun v => ind (S v))
      ≤ 0 + (1 - 0) * (1 / 4) + exp2.exp 1
        * ExPostAnalyst.expect ⟨1, -1, 0⟩ (!b) .start Example.exPostAnalyst fun v => ind (S v) := by
  apply _root_.PrivRef.Example.ex_post_filter_protects <;> assumption

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem bounded_ranges_lose_at_most_what_a_plan_does {X : ExpLike A K} {l : List A} (hl : ∀ ε ∈ l, 0 ≤ ε)
    {a δ : K} (ha : 0 ≤ a) (h : ∀ σ : RangePlan X l, σ.value a ≤ δ) (g : RangeAdversary.{u} X l)
    (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ a * g.expect (!b) f + δ := by
  apply _root_.PrivRef.bounded_ranges_lose_at_most_what_a_plan_does <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem every_plan_of_intervals_is_attained (X : ExpLike A K) {l : List A} (σ : RangePlan X l) :
    ∃ g : RangeAdversary.{0} X l, (∀ f, g.Adm f) ∧ ∀ a, ∃ f : g.View → K, (∀ v, 0 ≤ f v) ∧ (∀ v, f v ≤ 1) ∧
      g.expect false f = a * g.expect true f + σ.value a := by
  apply _root_.PrivRef.every_plan_of_intervals_is_attained <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem bounded_ranges_lose_what_the_worst_plan_does {X : ExpLike A K} {l : List A} (hl : ∀ ε ∈ l, 0 ≤ ε)
    {a δ : K} (ha : 0 ≤ a) :
    (∀ (g : RangeAdversary.{0} X l) (f : g.View → K), g.Adm f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ b,
      g.expect b f ≤ a * g.expect (!b) f + δ) ↔ ∀ σ : RangePlan X l, σ.value a ≤ δ := by
  apply _root_.PrivRef.bounded_ranges_lose_what_the_worst_plan_does <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem recursion_is_the_least_delta_of_bounded_ranges {X : ExpLike A K} {D : List A → K → K}
    (hD : IsRangeRecursion X D) {l : List A} (hl : ∀ ε ∈ l, 0 ≤ ε) {a δ : K} (ha : 0 ≤ a) :
    (∀ (g : RangeAdversary.{0} X l) (f : g.View → K), g.Adm f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ b,
      g.expect b f ≤ a * g.expect (!b) f + δ) ↔ D l a ≤ δ := by
  apply _root_.PrivRef.recursion_is_the_least_delta_of_bounded_ranges <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem Statements.bounded_ranges_on_the_way {X : ExpLike A K} {l : List A} (hl : ∀ ε ∈ l, 0 ≤ ε)
    {a δ : K} (ha : 0 ≤ a) :
    (∀ (g : RangeAdversary.{0} X l) (f : g.View → K), g.Adm f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ b,
      g.expect b f ≤ a * g.expect (!b) f + δ) ↔ ∀ σ : RangePlan X l, σ.value a ≤ δ := by
  apply _root_.PrivRef.Statements.bounded_ranges_on_the_way <;> assumption

end

section
open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem mixed_rounds_are_private (F : ExpField) {log : F.K → F.K} (hlog : ∀ y, 0 < y → F.exp (log y) = y)
    {m δ' ε : F.K} (hm : 0 < m) (hδ' : 0 < δ') {l : List (MixedRound (allOrders F.K) F.K)}
    (hl : ∀ r ∈ l, 0 ≤ r.mass) (hl1 : mixedMass l ≤ 1)
    (hε : mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l / m
      + log (1 - 1 / (1 + m)) + log (1 / ((1 + m) * δ')) / m ≤ ε)
    (g : MixedAnalyst.{u} (expFieldLike F) (allOrders F.K) l) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ mixedMass l + (1 - mixedMass l) * δ' + F.exp ε * g.expect (!b) f := by
  apply _root_.PrivRef.mixed_rounds_are_private <;> assumption

theorem mixed_rounds_are_private_by_the_printed_rule (F : ExpField) {log : F.K → F.K} (hlog : ∀ y, 0 < y → F.exp (log y) = y)
    {m δ' D ε : F.K} (hm : 0 < m) (hδ' : 0 < δ') {l : List (MixedRound (allOrders F.K) F.K)}
    (hl : ∀ r ∈ l, 0 ≤ r.mass) (hl1 : mixedMass l ≤ 1)
    (hD : m * D - mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l + log (1 + m)
      = log (1 / δ'))
    (hε : D + log (1 - 1 / (1 + m)) ≤ ε)
    (g : MixedAnalyst.{u} (expFieldLike F) (allOrders F.K) l) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ mixedMass l + (1 - mixedMass l) * δ' + F.exp ε * g.expect (!b) f := by
  apply _root_.PrivRef.mixed_rounds_are_private_by_the_printed_rule <;> assumption

theorem Statements.mixed_rounds (F : ExpField) {log : F.K → F.K} (hlog : ∀ y, 0 < y → F.exp (log y) = y)
    {m δ' D ε : F.K} (hm : 0 < m) (hδ' : 0 < δ') {l : List (MixedRound (allOrders F.K) F.K)}
    (hl : ∀ r ∈ l, 0 ≤ r.mass) (hl1 : mixedMass l ≤ 1)
    (hD : m * D - mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l + log (1 + m)
      = log (1 / δ'))
    (hε : D + log (1 - 1 / (1 + m)) ≤ ε)
    (g : MixedAnalyst.{u} (expFieldLike F) (allOrders F.K) l) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ mixedMass l + (1 - mixedMass l) * δ' + F.exp ε * g.expect (!b) f := by
  apply _root_.PrivRef.Statements.mixed_rounds <;> assumption

theorem composition_of_gaussian_dp {F : ExpField} {N : NormalLaw F}
    (roots : ∀ x : F.K, 0 ≤ x → ∃ r, 0 ≤ r ∧ r * r = x)
    {l : List F.K} {c : F.K} (hc : c * c = lsum l fun μ => μ * μ) (g : GdpAnalyst.{u} N l)
    (f : g.View → F.K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool)
    (s : F.K) :
    g.expect b f ≤ N.delta c s + F.exp s * g.expect (!b) f := by
  apply _root_.PrivRef.composition_of_gaussian_dp <;> assumption

theorem Statements.gaussian_dp_composition {F : ExpField} {N : NormalLaw F}
    (roots : ∀ x : F.K, 0 ≤ x → ∃ r, 0 ≤ r ∧ r * r = x)
    {l : List F.K} {c : F.K} (hc : c * c = lsum l fun μ => μ * μ) (g : GdpAnalyst.{u} N l)
    (f : g.View → F.K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool)
    (s : F.K) :
    g.expect b f ≤ N.delta c s + F.exp s * g.expect (!b) f := by
  apply _root_.PrivRef.Statements.gaussian_dp_composition <;> assumption

theorem bounded_ranges_satisfy_proposition_4 {F : ExpField}
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {log : F.K → F.K}
    (hlog : ∀ y, 0 < y → F.exp (log y) = y) {l : List F.K} (hl : ∀ ε ∈ l, 0 < ε) {L r ε : F.K}
    (g : RangeAdversary.{u} (expFieldLike F) l) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    (0 ≤ r → r * r = (lsum l fun ε => ε * ε) * L / 2 → lsum l (rangeMean F log) + r ≤ ε →
      g.expect b f ≤ F.exp (-L) + F.exp ε * g.expect (!b) f) ∧
    ((lsum l fun ε => ε) ≤ ε → g.expect b f ≤ F.exp ε * g.expect (!b) f) := by
  apply _root_.PrivRef.bounded_ranges_satisfy_proposition_4 <;> assumption

theorem Statements.dong_durfee_rogers_proposition_4 {F : ExpField}
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {log : F.K → F.K}
    (hlog : ∀ y, 0 < y → F.exp (log y) = y) {l : List F.K} (hl : ∀ ε ∈ l, 0 < ε) {L r ε : F.K}
    (g : RangeAdversary.{u} (expFieldLike F) l) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    (0 ≤ r → r * r = (lsum l fun ε => ε * ε) * L / 2 → lsum l (rangeMean F log) + r ≤ ε →
      g.expect b f ≤ F.exp (-L) + F.exp ε * g.expect (!b) f) ∧
    ((lsum l fun ε => ε) ≤ ε → g.expect b f ≤ F.exp ε * g.expect (!b) f) := by
  apply _root_.PrivRef.Statements.dong_durfee_rogers_proposition_4 <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem ranges_in_advance_lose_at_most_what_intervals_do {X : ExpLike A K} {l : List A}
    (g : RangeAdversary.{u} X l) (hg : g.InAdvance) (b : Bool) :
    ∃ σ : RangePlan X l, σ.InAdvance ∧ ∀ a, 0 ≤ a → ∀ f : g.View → K, g.Adm f → (∀ v, 0 ≤ f v) →
      (∀ v, f v ≤ 1) → g.expect b f ≤ a * g.expect (!b) f + σ.value a := by
  apply _root_.PrivRef.ranges_in_advance_lose_at_most_what_intervals_do <;> assumption

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem ranges_in_advance_lose_what_the_worst_intervals_do {X : ExpLike A K} {l : List A} {a δ : K}
    (ha : 0 ≤ a) :
    (∀ g : RangeAdversary.{0} X l, g.InAdvance → ∀ f : g.View → K, g.Adm f → (∀ v, 0 ≤ f v) →
      (∀ v, f v ≤ 1) → ∀ b, g.expect b f ≤ a * g.expect (!b) f + δ) ↔
    ∀ σ : RangePlan X l, σ.InAdvance → σ.value a ≤ δ := by
  apply _root_.PrivRef.ranges_in_advance_lose_what_the_worst_intervals_do <;> assumption

end

theorem Example.bounded_ranges_play : ∃ (g : RangeAdversary.{0} exp2 [2, 3]) (f : g.View → Rat), g.Adm f ∧
    (∀ v, 0 ≤ f v) ∧ (∀ v, f v ≤ 1) ∧ g.expect false f = 1 * g.expect true f + 11 / 21 := by
  apply _root_.PrivRef.Example.bounded_ranges_play <;> assumption

theorem Example.recursion_is : IsRangeRecursion exp2 Example.recursion := by
  apply _root_.PrivRef.Example.recursion_is <;> assumption

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem renyi_grid_filter_is_private (X : ExpLike A K) (R : Orders A) (js : List R.I) (C : R.I → A) (δt : K)
    (hC : ∃ i, i ∈ js ∧ 0 ≤ C i) (hδ : 0 ≤ δt) (hδ1 : δt ≤ 1) (κ : R.I → K) (hκ : ∀ i, 0 ≤ κ i)
    (hκs : ∀ i s, 1 - X.exp s ≤ κ i * X.exp (-R.scale i s)) (ε : A) (δ' : K)
    (hδ' : (lsum js fun i => κ i * X.exp (C i - R.scale i ε)) ≤ δ') (g : RenyiAnalyst.{u} X R) (f : g.View → K)
    (hf : RenyiAnalyst.Adm (gridFilter R js C δt) (gridStart R js C δt) g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (gridFilter R js C δt) b (gridStart R js C δt) g f ≤ δt + (1 - δt) * δ'
      + X.exp ε * RenyiAnalyst.expect (gridFilter R js C δt) (!b) (gridStart R js C δt) g f := by
  apply _root_.PrivRef.renyi_grid_filter_is_private <;> assumption

end

theorem Example.grid_filter_protects (S : Example.renyiAnalyst.View → Prop) (b : Bool) :
    RenyiAnalyst.expect (gridFilter Example.orderTwo [()] (fun _ => 1) (0 : Rat)) b
        (gridStart Example.orderTwo [()] (fun _ => 1) 0) Example.renyiAnalyst (fun v => ind (S v))
      ≤ 0 + (1 - 0) * (1 / 4) + exp2.exp 3
        * RenyiAnalyst.expect (gridFilter Example.orderTwo [()] (fun _ => 1) (0 : Rat)) (!b)
          (gridStart Example.orderTwo [()] (fun _ => 1) 0) Example.renyiAnalyst fun v => ind (S v) := by
  apply _root_.PrivRef.Example.grid_filter_protects <;> assumption

/-! The definitions in which most of these are stated: weakened, they would not be these any more. -/

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {B : Type b} [Lean.Grind.IntModule B] [LE B] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} {T : Tests K O}

example (X : ExpLike A K) (nbr : Neighbours D) (M : D → FinLaw K O) (ε : A) (δ : K) :
    IsDPSet X nbr M ε δ ↔
      ∀ x x', nbr.rel x x' → ∀ S : O → Prop, (M x).pr S ≤ X.exp ε * (M x').pr S + δ :=
  Iff.rfl

example (X : ExpLike A K) (nbr : Neighbours D) (M : D → FinLaw K O) (cell : O → C) (eps : C → A)
    (δ : K) :
    IsODPSet X nbr M cell eps δ ↔
      ∀ x x', nbr.rel x x' → ∀ (S : O → Prop) (ks : List C), ks.Nodup →
        (∀ q ∈ (M x').list, cell q.1 ∈ ks) →
        (M x).pr S ≤ δ + lsum ks fun c => X.exp (eps c) * (M x').pr fun o => S o ∧ cell o = c :=
  Iff.rfl

example (X : ExpLike A K) (nbr : Neighbours D) (M : D → FinLaw K O) (R : O → Prop) (ε : A) (δ : K) :
    IsSubsetDPSet X nbr M R ε δ ↔
      ∀ x x', nbr.rel x x' → ∀ S : O → Prop, (∀ o, S o → R o) →
        (M x).pr S ≤ X.exp ε * (M x').pr S + δ :=
  Iff.rfl

example (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) (δ : K) :
    IsDP X nbr M ε δ ↔
      ∀ x x', nbr.rel x x' → ∀ f, IsTest T f → (M x).E f ≤ δ + X.exp ε * (M x').E f :=
  Iff.rfl

example (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (cell : O → C) (eps : C → A) (δ : K) :
    IsODP X nbr M cell eps δ ↔
      (T.adm fun o => X.exp (eps (cell o))) ∧
      ∀ x x', nbr.rel x x' → ∀ f, IsTest T f →
        (M x).E f ≤ δ + (M x').E fun o => X.exp (eps (cell o)) * f o :=
  ⟨fun h => ⟨h.adm, h.bound⟩, fun h => ⟨h.1, h.2⟩⟩

example (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (R : O → Prop) (ε : A) (δ : K) :
    IsSubsetDP X nbr M R ε δ ↔
      ∀ x x', nbr.rel x x' → ∀ f, IsTest T f → (∀ o, ¬ R o → f o = 0) →
        (M x).E f ≤ δ + X.exp ε * (M x').E f :=
  Iff.rfl

example (Y : Scale A B K) (F : Filter A B) (s : F.S) (εt : A) (δt : B) :
    ValidFilter.{u} Y F s εt δt ↔
      ∀ (g : Analyst.{u} Y) (f : g.View → K), Analyst.Adm F s g f → (∀ v, 0 ≤ f v) →
        (∀ v, f v ≤ 1) →
        Analyst.expect F false s g f ≤ Y.val δt + Y.exp εt * Analyst.expect F true s g f ∧
        Analyst.expect F true s g f ≤ Y.val δt + Y.exp εt * Analyst.expect F false s g f :=
  Iff.rfl

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

example (X : ExpLike A K) (ε : A) (δ : K) (k : Nat) (nbr : Neighbours D) (x x' : D) :
    times 0 ε = 0 ∧ times (k + 1) ε = times k ε + ε ∧
    groupDelta X ε δ k = δ * lsum (List.range k) (fun i => X.exp (times i ε)) ∧
    (nbr.Steps 0 x x' ↔ x = x') ∧
    (nbr.Steps (k + 1) x x' ↔ ∃ y, nbr.Steps k x y ∧ nbr.rel y x') ∧
    ((nbr.group k).rel x x' ↔ ∃ n, n ≤ k ∧ nbr.Steps n x x') :=
  ⟨rfl, rfl, rfl, Iff.rfl, Iff.rfl, Iff.rfl⟩

example (x x' : List U) :
    ((addOrRemoveOne U).rel x x' ↔ (∃ l r a, x = l ++ r ∧ x' = l ++ a :: r)
      ∨ ∃ l r a, x' = l ++ r ∧ x = l ++ a :: r) ∧
    ((replaceOne U).rel x x' ↔ ∃ l r a b, x = l ++ a :: r ∧ x' = l ++ b :: r) :=
  ⟨Iff.rfl, Iff.rfl⟩

example (X : ExpLike A K) (ε t : A) (l : List A) (x : K) (h1 : 1 ≤ X.exp t) (h2 : X.exp t ≤ X.exp ε)
    (σ τ : RangePlan X l) (δ : List A → K → K) :
    (RangePlan.done : RangePlan X []).value x = posPart (1 - x) ∧
    (RangePlan.play t h1 h2 σ τ).value x
      = (X.exp ε - X.exp t) / (X.exp ε - 1) * σ.value (x * X.exp (-t))
        + (1 - (X.exp ε - X.exp t) / (X.exp ε - 1)) * τ.value (x * X.exp (ε - t)) ∧
    (IsRangeRecursion X δ ↔ (∀ a, 0 ≤ a → δ [] a = posPart (1 - a)) ∧
      (∀ ε l a, 0 ≤ a → ∀ t, 1 ≤ X.exp t → X.exp t ≤ X.exp ε → highWeight X ε t * δ l (a * X.exp (-t))
        + (1 - highWeight X ε t) * δ l (a * X.exp (ε - t)) ≤ δ (ε :: l) a) ∧
      ∀ ε l a, 0 ≤ a → 0 ≤ ε → ∃ t, 1 ≤ X.exp t ∧ X.exp t ≤ X.exp ε ∧
        highWeight X ε t * δ l (a * X.exp (-t)) + (1 - highWeight X ε t) * δ l (a * X.exp (ε - t))
          = δ (ε :: l) a) :=
  ⟨rfl, rfl, ⟨fun h => ⟨h.done, h.le, h.attained⟩, fun h => ⟨h.1, h.2.1, h.2.2⟩⟩⟩

example (X : ExpLike A K) {ε : A} (D O : Type u) (nbr : Neighbours D) (x : Bool → D)
    (h : nbr.rel (x false) (x true)) (tests : Tests K O) (mech : D → Law tests)
    (range : IsBoundedRange X nbr mech ε) : RangeQuery.{u} X ε := ⟨D, nbr, x, h, O, tests, mech, range⟩

example (X : ExpLike A K) {ε : A} {l : List A} (q : RangeQuery.{u} X ε) (b : Bool)
    (next : q.O → RangeAdversary.{u} X l) (f : (RangeAdversary.round q next).View → K) :
    (RangeAdversary.round q next).expect b f
      = (q.mech (q.x b)).E (fun o => (next o).expect b fun v => f ⟨o, v⟩) ∧
    ((RangeAdversary.round q next).Adm f ↔ (∀ o, (next o).Adm fun v => f ⟨o, v⟩) ∧
      ∀ b, q.tests.adm fun o => (next o).expect b fun v => f ⟨o, v⟩) :=
  ⟨rfl, Iff.rfl⟩

example (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) :
    IsBoundedRange X nbr M ε ↔
      ∀ x x', nbr.rel x x' → ∃ t : A, ∀ f, IsTest T f →
        (M x).E f ≤ X.exp t * (M x').E f ∧ (M x').E f ≤ X.exp (ε - t) * (M x).E f :=
  Iff.rfl

end

/-! The games, by their own definitions, and every structure from its fields and nothing else. -/

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {B : Type b} [Lean.Grind.IntModule B] [LE B] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} {T : Tests K O} {X : ExpLike A K} {Y : Scale A B K} {R : Orders A}

example (exp : A → K) (h0 : exp 0 = 1) (h1 : ∀ x y, exp (x + y) = exp x * exp y)
    (h2 : ∀ x, 0 < exp x) (h3 : ∀ x y, x ≤ y → exp x ≤ exp y) : ExpLike A K :=
  ⟨exp, h0, h1, h2, h3⟩

example (E : (O → K) → K) (h0 : ∀ f g, T.adm f → T.adm g → E (fun o => f o + g o) = E f + E g)
    (h1 : ∀ c f, T.adm f → E (fun o => c * f o) = c * E f)
    (h2 : ∀ f g, T.adm f → T.adm g → (∀ o, f o ≤ g o) → E f ≤ E g) (h3 : E (fun _ => 1) = 1) :
    Law T :=
  ⟨E, h0, h1, h2, h3⟩

example (l : List (O × K)) (h0 : ∀ q ∈ l, 0 ≤ q.2) (h1 : wsum l (fun _ => 1) = 1) : FinLaw K O :=
  ⟨l, h0, h1⟩

example (nbr : Neighbours D) (x : Bool → D) (h : nbr.rel (x false) (x true)) (mech : D → Law T)
    (cell : O → C) (eps : C → A) (delta : K) (odp : IsODP X nbr mech cell eps delta) :
    Query.{u} X :=
  ⟨D, nbr, x, h, O, T, mech, C, cell, eps, delta, odp⟩

example (nbr : Neighbours D) (x : Bool → D) (h : nbr.rel (x false) (x true))
    (mech : D → FinLaw K O) (cell : O → C) (eps : C → A) (delta : K)
    (odp : IsODPSet X nbr mech cell eps delta) : FinQuery.{u} X :=
  ⟨D, nbr, x, h, O, mech, C, cell, eps, delta, odp⟩

example (ε : A) (δ : K) (nbr : Neighbours D) (x : Bool → D) (h : nbr.rel (x false) (x true))
    (mech : D → Law T) (dp : IsDP X nbr mech ε δ) : DPQuery.{u} X ε δ :=
  ⟨D, nbr, x, h, O, T, mech, dp⟩

example (nbr : Neighbours D) (x : Bool → D) (h : nbr.rel (x false) (x true))
    (mech : D → FinLaw K O) (ε : A) (δ : K) (h0 : 0 ≤ δ) (pdp : IsPDP X nbr mech ε δ) :
    PdpQuery.{u} X :=
  ⟨D, nbr, x, h, O, mech, ε, δ, h0, pdp⟩

example (q : Query.{u} Y.toExpLike) (supE : A) (h0 : ∀ c, q.eps c ≤ supE) (delta : B)
    (h1 : q.delta = Y.val delta) (h2 : ∀ c, 0 ≤ q.eps c) (h3 : 0 ≤ delta) : Request.{u} Y :=
  ⟨q, supE, h0, delta, h1, h2, h3⟩

example (nbr : Neighbours D) (x : Bool → D) (h : nbr.rel (x false) (x true)) (mech : D → Law T)
    (cost : R.I → A) (delta : K) (h0 : ∀ i, 0 ≤ cost i) (h1 : 0 ≤ delta)
    (dom : IsDominated X R nbr mech cost delta) : RenyiQuery.{u} X R :=
  ⟨D, nbr, x, h, O, T, mech, cost, delta, h0, h1, dom⟩

example (nbr : Neighbours D) (x : Bool → D) (h : nbr.rel (x false) (x true)) (mech : D → Law T)
    (ε : A) (δ : K) (h0 : 0 ≤ ε) (h1 : 0 ≤ δ) (dp : IsDP X nbr mech ε δ) : DpRequest.{u} X :=
  ⟨D, nbr, x, h, O, T, mech, ε, δ, h0, h1, dp⟩

example (nbr : Neighbours D) (x : Bool → D) (h : nbr.rel (x false) (x true)) (mech : D → Law T)
    (cost : R.I → A) (delta : K) (h0 : ∀ i, 0 ≤ cost i) (h1 : 0 ≤ delta)
    (pair : MutualPair X R (mech (x false)) (mech (x true)) cost delta) : KernelQuery.{u} X R :=
  ⟨D, nbr, x, h, O, T, mech, cost, delta, h0, h1, pair⟩

example (μ ν : Law T) (cost : R.I → A) (δ : K) : Nonempty (MutualPair X R μ ν cost δ) ↔
    ∃ (P : Expectation K O) (Q : Law T) (loss : O → A),
      (∀ f, T.adm f → P.int f) ∧ (∀ f, T.adm f → P.int fun o => X.exp (-loss o) * f o) ∧
      (∀ i, P.int fun o => X.exp (R.scale i (loss o))) ∧
      (∀ i, P.int fun o => X.exp (-loss o) * X.exp (R.scale i (-loss o))) ∧
      (∀ f, T.adm f → Q.E f = P.E fun o => X.exp (-loss o) * f o) ∧
      (∀ f, T.adm f → (∀ o, 0 ≤ f o) → (1 - δ) * P.E f ≤ μ.E f) ∧
      (∀ f, T.adm f → (∀ o, 0 ≤ f o) → (1 - δ) * Q.E f ≤ ν.E f) ∧
      (∀ i, P.E (fun o => X.exp (R.scale i (loss o))) ≤ X.exp (cost i)) ∧
      ∀ i, P.E (fun o => X.exp (-loss o) * X.exp (R.scale i (-loss o))) ≤ X.exp (cost i) :=
  ⟨fun ⟨p⟩ => ⟨p.P, p.Q, p.loss, p.int_test, p.int_tilted, p.int_moment, p.int_back, p.density,
      p.first, p.second, p.moment, p.back⟩,
    fun ⟨P, Q, loss, h0, h1, h2, h3, h4, h5, h6, h7, h8⟩ =>
      ⟨{ P := P, Q := Q, loss := loss, int_test := h0, int_tilted := h1, int_moment := h2
         int_back := h3, density := h4, first := h5, second := h6, moment := h7, back := h8 }⟩⟩

example (nbr : Neighbours D) (M : D → Law T) (cost : R.I → A) (δ : K) :
    IsMutual X R nbr M cost δ ↔
      ∀ x x', nbr.rel x x' → Nonempty (MutualPair X R (M x) (M x') cost δ) := Iff.rfl

example (nbr : Neighbours D) (M : D → Law T) (cell : O → C) (eps : C → A) (δ : K) :
    IsODPSets X nbr M cell eps δ ↔
      ∀ x x', nbr.rel x x' → ∀ S : O → Prop, (T.adm fun o => ind (S o)) → ∀ b,
        (∀ ks : List C, ks.Nodup → (lsum ks fun c => X.exp (eps c)
          * (M x').E fun o => ind (S o ∧ cell o = c)) ≤ b) → ((M x).E fun o => ind (S o)) ≤ δ + b :=
  Iff.rfl

example : T.HasLevels ↔ ∀ f, T.adm f → ∀ t, T.adm fun o => ind (t ≤ f o) := Iff.rfl

example (nbr : Neighbours D) (x : Bool → D) (h : nbr.rel (x false) (x true)) (levels : T.HasLevels)
    (mech : D → Law T) (cell : O → C) (eps : C → A) (delta : K)
    (cells : ∀ c, T.adm fun o => ind (cell o = c)) (weights : T.adm fun o => X.exp (eps (cell o)))
    (odp : IsODPSets X nbr mech cell eps delta) : SetQuery.{u} X :=
  ⟨D, nbr, x, h, O, T, levels, mech, C, cell, eps, delta, cells, weights, odp⟩

example (b : Bool) (εr : A) (δr : K) (q : SetQuery.{u} X) (h0 : ∀ c, q.eps c ≤ εr)
    (h1 : q.delta ≤ δr) (next : (o : q.O) → SetAdversary X (εr - q.eps (q.cell o)) (δr - q.delta))
    (S : (SetAdversary.query q h0 h1 next).View → Prop) :
    (SetAdversary.query q h0 h1 next).pr b S
      = (q.mech (q.x b)).E fun o => (next o).pr b fun v => S ⟨o, v⟩ :=
  rfl

example (b : Bool) (εr : A) (δr : K) (q : Query.{u} X) (h0 : ∀ c, q.eps c ≤ εr)
    (h1 : q.delta ≤ δr) (next : (o : q.O) → Adversary X (εr - q.eps (q.cell o)) (δr - q.delta))
    (f : (Adversary.query q h0 h1 next).View → K) :
    (Adversary.query q h0 h1 next).expect b f
      = (q.mech (q.x b)).E fun o => (next o).expect b fun v => f ⟨o, v⟩ :=
  rfl

example (b : Bool) (εr : A) (δr : K) (ρ : Law T) (next : O → Adversary.{u} X εr δr)
    (f : (Adversary.coin O T ρ next).View → K) :
    (Adversary.coin O T ρ next).expect b f = ρ.E fun r => (next r).expect b fun v => f ⟨r, v⟩ :=
  rfl

example (b : Bool) (εr : A) (δr : K) (f : (Adversary.stop (X := X) (εr := εr) (δr := δr)).View → K) :
    Adversary.stop.expect b f = f PUnit.unit :=
  rfl

example (F : Filter A B) (b : Bool) (s : F.S) (r : Request.{u} Y) (next : r.q.O → Analyst.{u} Y)
    (refused : Analyst.{u} Y) (f : (Analyst.request r next refused).View → K) :
    (F.decide s r.supE r.delta = .halt →
      Analyst.expect F b s (.request r next refused) f = f none) ∧
    (F.decide s r.supE r.delta = .reject → Analyst.expect F b s (.request r next refused) f
      = Analyst.expect F b s refused fun v => f (some (.inr v))) ∧
    (F.decide s r.supE r.delta = .cont → Analyst.expect F b s (.request r next refused) f
      = (r.q.mech (r.q.x b)).E fun o =>
          Analyst.expect F b (F.charge s (r.q.eps (r.q.cell o)) r.delta) (next o) fun v =>
            f (some (.inl ⟨o, v⟩))) :=
  ⟨fun h => by simp only [Analyst.expect, h], fun h => by simp only [Analyst.expect, h],
    fun h => by simp only [Analyst.expect, h]; rfl⟩

example (F : Filter (R.I → A) K) (b : Bool) (s : F.S) (q : RenyiQuery.{u} X R)
    (next : q.O → RenyiAnalyst.{u} X R) (refused : RenyiAnalyst.{u} X R)
    (f : (RenyiAnalyst.request q next refused).View → K) :
    (F.decide s q.cost q.delta = .halt →
      RenyiAnalyst.expect F b s (.request q next refused) f = f none) ∧
    (F.decide s q.cost q.delta = .reject → RenyiAnalyst.expect F b s (.request q next refused) f
      = RenyiAnalyst.expect F b s refused fun v => f (some (.inr v))) ∧
    (F.decide s q.cost q.delta = .cont → RenyiAnalyst.expect F b s (.request q next refused) f
      = (q.mech (q.x b)).E fun o =>
          RenyiAnalyst.expect F b (F.charge s q.cost q.delta) (next o) fun v =>
            f (some (.inl ⟨o, v⟩))) :=
  ⟨fun h => by simp only [RenyiAnalyst.expect, h], fun h => by simp only [RenyiAnalyst.expect, h],
    fun h => by simp only [RenyiAnalyst.expect, h]; rfl⟩

example (F : Filter (R.I → A) K) (b : Bool) (s : F.S) (q : KernelQuery.{u} X R)
    (next : q.O → KernelAnalyst.{u} X R) (refused : KernelAnalyst.{u} X R)
    (f : (KernelAnalyst.request q next refused).View → K) :
    (F.decide s q.cost q.delta = .halt →
      KernelAnalyst.expect F (KernelQuery.law b) s (.request q next refused) f = f none) ∧
    (F.decide s q.cost q.delta = .reject →
      KernelAnalyst.expect F (KernelQuery.law b) s (.request q next refused) f
      = KernelAnalyst.expect F (KernelQuery.law b) s refused fun v => f (some (.inr v))) ∧
    (F.decide s q.cost q.delta = .cont →
      KernelAnalyst.expect F (KernelQuery.law b) s (.request q next refused) f
      = (q.mech (q.x b)).E fun o =>
          KernelAnalyst.expect F (KernelQuery.law b) (F.charge s q.cost q.delta) (next o) fun v =>
            f (some (.inl ⟨o, v⟩))) :=
  ⟨fun h => by simp only [KernelAnalyst.expect, h], fun h => by simp only [KernelAnalyst.expect, h],
    fun h => by simp only [KernelAnalyst.expect, h]; rfl⟩

example (B : ExPostBudget A K) (i : R.I) (released spent : A) (plain : Option A) (delta : K) :
    B.Admits R i ⟨released, spent, plain, delta⟩ ↔ delta ≤ B.delta ∧
      ((∃ p, plain = some p ∧ released + p ≤ B.eps) ∨ R.scale i released + spent ≤ B.order) := Iff.rfl

example (i : R.I) (r s : A) (p : Option A) (d : K) (q : Query.{u} X) (e : A) (h : ∀ c, q.eps c ≤ e)
    (h' : q.delta = 0) (q' : DpRequest.{u} X) (c : A) (hc : X.exp (q'.eps + R.scale i q'.eps)
      + X.exp (-R.scale i q'.eps) ≤ (1 + X.exp q'.eps) * X.exp c) (q'' : RenyiQuery.{u} X R) (o : q.O)
    (o' : q'.O) (o'' : q''.O) :
    ExPostState.asked (i := i) ⟨r, s, p, d⟩ (.exPost q e h h') = ⟨r + e, s, p, d⟩ ∧
    ExPostState.settled (i := i) ⟨r, s, p, d⟩ (.exPost q e h h') o = ⟨r + q.eps (q.cell o), s, p, d⟩ ∧
    ExPostState.asked ⟨r, s, p, d⟩ (.dp q' c hc) = ⟨r, s + c, p.map (· + q'.eps), d + q'.delta⟩ ∧
    ExPostState.settled ⟨r, s, p, d⟩ (.dp q' c hc) o' = ⟨r, s + c, p.map (· + q'.eps), d + q'.delta⟩ ∧
    ExPostState.asked (i := i) ⟨r, s, p, d⟩ (.renyi q'') = ⟨r, s + q''.cost i, none, d + q''.delta⟩ ∧
    ExPostState.settled (i := i) ⟨r, s, p, d⟩ (.renyi q'') o''
      = ⟨r, s + q''.cost i, none, d + q''.delta⟩ ∧
    (ExPostState.start : ExPostState A K) = ⟨0, 0, some 0, 0⟩ :=
  ⟨rfl, rfl, rfl, rfl, rfl, rfl, rfl⟩

example (B : ExPostBudget A K) (b : Bool) {i : R.I} (s : ExPostState A K) (r : ExPostRequest.{u} X R i)
    (next : r.O → ExPostAnalyst.{u} X R i) (f : (ExPostAnalyst.request r next).View → K) :
    (B.Admits R i (s.asked r) → ExPostAnalyst.expect B b s (.request r next) f
      = (r.law b).E fun o => ExPostAnalyst.expect B b (s.settled r o) (next o) fun v => f (some ⟨o, v⟩)) ∧
    (¬ B.Admits R i (s.asked r) → ExPostAnalyst.expect B b s (.request r next) f = f none) :=
  ⟨fun h => if_pos h, fun h => if_neg h⟩

example (m : K) (hm : 0 < m) (x : K) : (oneOrder m hm).scale ⟨⟩ x = m * x := rfl

example (js : List R.I) (C : R.I → A) (δt : K) (s : (R.I → A) × K) (c : R.I → A) (d : K) :
    ((gridFilter R js C δt).decide s c d = .cont ↔
      (∃ i, i ∈ js ∧ s.1 i + c i ≤ C i) ∧ s.2 + d ≤ δt) ∧
    (gridFilter R js C δt).charge s c d = (fun i => s.1 i + c i, s.2 + d) ∧
    gridStart R js C δt = ((fun _ => 0), (0 : K)) := by
  refine ⟨?_, rfl, rfl⟩
  simp only [gridFilter]
  split
  · rename_i h
    exact ⟨fun _ => h, fun _ => rfl⟩
  · rename_i h
    exact ⟨fun h' => absurd h' (by simp), fun h' => absurd h' h⟩

example (F : Filter A K) (b : Bool) (s : F.S) (q : DpRequest.{u} X)
    (next : q.O → DpAnalyst.{u} X) (refused : DpAnalyst.{u} X)
    (f : (DpAnalyst.request q next refused).View → K) :
    (F.decide s q.eps q.delta = .halt →
      DpAnalyst.expect F b s (.request q next refused) f = f none) ∧
    (F.decide s q.eps q.delta = .reject → DpAnalyst.expect F b s (.request q next refused) f
      = DpAnalyst.expect F b s refused fun v => f (some (.inr v))) ∧
    (F.decide s q.eps q.delta = .cont → DpAnalyst.expect F b s (.request q next refused) f
      = (q.mech (q.x b)).E fun o =>
          DpAnalyst.expect F b (F.charge s q.eps q.delta) (next o) fun v =>
            f (some (.inl ⟨o, v⟩))) :=
  ⟨fun h => by simp only [DpAnalyst.expect, h], fun h => by simp only [DpAnalyst.expect, h],
    fun h => by simp only [DpAnalyst.expect, h]; rfl⟩

example (V δt v d e δ : K) :
    ((squaresFilter V δt).decide ((v, d) : K × K) e δ = .cont ↔ v + e * e ≤ V ∧ d + δ ≤ δt) ∧
    (squaresFilter V δt).charge ((v, d) : K × K) e δ = ((v + e * e, d + δ) : K × K) := by
  refine ⟨?_, rfl⟩
  simp only [squaresFilter]
  split <;> simp_all

example (nbr : Neighbours D) (M : D → Law T) (cost : R.I → A) (δ : K) :
    IsRenyi X R nbr M cost δ ↔ ∀ x x', nbr.rel x x' →
      ∃ (P : Expectation K O) (Q : Law T) (loss : O → A),
        (∀ f, T.adm f → P.int f) ∧ (∀ f, T.adm f → P.int fun o => X.exp (-loss o) * f o) ∧
        (∀ i, P.int fun o => X.exp (R.scale i (loss o))) ∧
        (∀ f, T.adm f → Q.E f = P.E fun o => X.exp (-loss o) * f o) ∧
        (∀ f, T.adm f → (∀ o, 0 ≤ f o) → (1 - δ) * P.E f ≤ (M x).E f) ∧
        (∀ f, T.adm f → (∀ o, 0 ≤ f o) → (1 - δ) * Q.E f ≤ (M x').E f) ∧
        ∀ i, P.E (fun o => X.exp (R.scale i (loss o))) ≤ X.exp (cost i) :=
  ⟨fun h x x' hn => (h x x' hn).elim fun ⟨P, Q, loss, h0, h1, h2, h3, h4, h5, h6⟩ =>
      ⟨P, Q, loss, h0, h1, h2, h3, h4, h5, h6⟩,
    fun h x x' hn => (h x x' hn).elim fun P ⟨Q, loss, h0, h1, h2, h3, h4, h5, h6⟩ =>
      ⟨⟨P, Q, loss, h0, h1, h2, h3, h4, h5, h6⟩⟩⟩

example (C : R.I → A) (δt : K) (s : (R.I → A) × K) (c : R.I → A) (d : K) :
    (renyiFilter R C δt).decide s c d = .cont ↔ (∀ i, s.1 i + c i ≤ C i) ∧ s.2 + d ≤ δt := by
  simp only [renyiFilter]
  split <;> simp_all

example (ρ m : K) (hm : 0 < m) (x : K) :
    zcdpCost ρ ⟨m, hm⟩ = m * (m + 1) * ρ ∧ (allOrders K).scale ⟨m, hm⟩ x = m * x :=
  ⟨rfl, rfl⟩

example : T.Discrete ↔ ∀ f, (∃ C, 0 ≤ C ∧ ∀ o, -C ≤ f o ∧ f o ≤ C) → T.adm f := Iff.rfl

example : Complete K ↔ ∀ s : Nat → K, (∀ n, s n ≤ s (n + 1)) → (∃ C, ∀ n, s n ≤ C) →
    ∃ l, (∀ n, s n ≤ l) ∧ ∀ u, (∀ n, s n ≤ u) → l ≤ u := Iff.rfl

example (hK : Complete K) (p : CountLaw K O) (f : O → K) (hf : IsBounded f) :
    ∀ ε, 0 < ε → ∃ N, ∀ n, N ≤ n → (p.toLaw hK).E f - ε ≤ p.sum f n ∧ p.sum f n ≤ (p.toLaw hK).E f + ε :=
  p.tends hK hf

example (p : CountLaw K O) (f : O → K) (n : Nat) :
    p.sum f 0 = 0 ∧ p.sum f (n + 1) = p.sum f n + wsum (p.block n) f := ⟨rfl, rfl⟩

example (hK : Complete K) (β : K) (h0 : 0 < β) (h1 : β < 1) (n : Nat) :
    (geometric hK β h0 h1).block n = [((n : Int), (1 - β) / (1 + β) * pow β n),
      (-((n + 1 : Nat) : Int), (1 - β) / (1 + β) * pow β (n + 1))] := rfl

example (β : K) (n : Nat) : pow β 0 = 1 ∧ pow β (n + 1) = β * pow β n := ⟨rfl, rfl⟩

example (hK : Complete K) (β : K) (h0 : 0 < β) (h1 : β < 1) {D : Type} (q : D → Int) (x : D)
    (f : Int → K) : (geometricMechanism hK β h0 h1 q x).E f
      = (geometric hK β h0 h1).E fun z => f (q x + z) := rfl

example {D : Type} (nbr : Neighbours D) {V : Type v} [Lean.Grind.IntModule V] [LE V] [LT V]
    [Std.IsLinearOrder V] [Std.LawfulOrderLT V] [Lean.Grind.OrderedAdd V] (N : SvtNoise X V) (x : D)
    (z : V) (q : D → V) (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ N.Δ) (t : V)
    (next : Bool → SvtAnalyst K nbr N.Δ) (c : Nat) (f : List Bool → K) :
    svtGiven N x z (.ask q hq t next) (c + 1) f
      = N.nu.E (fun y => ind (t + z - q x ≤ y)) * svtGiven N x z (next true) c (fun as => f (true :: as))
        + (1 - N.nu.E fun y => ind (t + z - q x ≤ y))
          * svtGiven N x z (next false) (c + 1) (fun as => f (false :: as)) ∧
    svtGiven N x z (.ask q hq t next) 0 f = f [] ∧
    svtGiven N x z (nbr := nbr) .stop c f = f [] ∧
    (svtLaw N c (.ask q hq t next) x).E f
      = N.rho.E fun z => svtGiven N x z (.ask q hq t next) c f := ⟨rfl, rfl, rfl, rfl⟩

example (F : Numerics.ExpField) (hK : Complete F.K) (Δ c : Nat) (hΔ : 0 < Δ) (hc : 0 < c)
    (ε1 ε2 : F.K) (h1 : 0 < ε1) (h2 : 0 < ε2) (f : Int → F.K) :
    (∃ p q, (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2).rho.E f
      = (geometric hK (F.exp (-(ε1 / natK Δ))) p q).E f) ∧
    ∃ p q, (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2).nu.E f
      = (geometric hK (F.exp (-(ε2 / natK c / natK (Δ + Δ)))) p q).E f :=
  ⟨⟨_, _, rfl⟩, ⟨_, _, rfl⟩⟩

example {O' : Type u} (M : Nat → D → FinLaw K O) (f : List O' → O → FinLaw K O') (h : List O' → Bool)
    (x : D) (n : Nat) (w : List O) (done : List O') :
    jointLaw M f h x 0 w done = FinLaw.dirac (w, done) ∧
    jointLaw M f h x (n + 1) w done = if h done then FinLaw.dirac (w, done)
      else (M w.length x).bind fun o => (f done o).bind fun o' =>
        jointLaw M f h x n (w ++ [o]) (done ++ [o']) := ⟨rfl, rfl⟩

example (P : IterParams K) (nbr : Neighbours D) (n : Nat) (L : D → FinLaw K (List O)) (δ : K) :
    LengthODP P nbr n L δ ↔ ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      (L x).pr S ≤ δ + lsum (upTo n) fun k => P.Y k * (L x').pr fun v => S v ∧ v.length = k := Iff.rfl

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem discrete_gaussian_mechanism_is_zcdp_at_whole_orders (F : ExpField) (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ) {D : Type}
    (nbr : Neighbours D) (q : D → Int) (Δ : Nat) (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) :
    IsMutual (expFieldLike F) (wholeOrders F) nbr (fun x => (discreteGaussian F hK τ hτ (q x)).toLaw hK)
      (wholeCost F (τ * ((Δ : F.K) * (Δ : F.K)))) 0 := by
  apply _root_.PrivRef.discrete_gaussian_mechanism_is_zcdp_at_whole_orders <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Statements.discrete_gaussian_mechanism (F : ExpField) (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ) {D : Type}
    (nbr : Neighbours D) (q : D → Int) (Δ : Nat) (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) :
    IsMutual (expFieldLike F) (wholeOrders F) nbr (fun x => (discreteGaussian F hK τ hτ (q x)).toLaw hK)
      (wholeCost F (τ * ((Δ : F.K) * (Δ : F.K)))) 0 := by
  apply _root_.PrivRef.Statements.discrete_gaussian_mechanism <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Census.dhc_persons (g : GaussianAnalyst Reals.reals Census.dhcPersonsRounds) (S : g.View → Prop)
    (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 2634 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Census.dhc_persons <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Statements.census_dhc_persons (g : GaussianAnalyst Reals.reals Census.dhcPersonsRounds) (S : g.View → Prop)
    (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 2634 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Statements.census_dhc_persons <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Census.dhc_units (g : GaussianAnalyst Reals.reals Census.dhcUnitsRounds) (S : g.View → Prop) (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 3433 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Census.dhc_units <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Statements.census_dhc_units (g : GaussianAnalyst Reals.reals Census.dhcUnitsRounds) (S : g.View → Prop) (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 3433 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Statements.census_dhc_units <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Census.persons (g : GaussianAnalyst Reals.reals Census.personsRounds) (S : g.View → Prop) (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 1714 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Census.persons <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Statements.census_persons (g : GaussianAnalyst Reals.reals Census.personsRounds) (S : g.View → Prop) (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 1714 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Statements.census_persons <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Census.units (g : GaussianAnalyst Reals.reals Census.unitsRounds) (S : g.View → Prop) (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 247 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Census.units <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Statements.census_units (g : GaussianAnalyst Reals.reals Census.unitsRounds) (S : g.View → Prop) (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 247 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Statements.census_units <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem gaussian_certificate_is_a_privacy_guarantee (F : ExpField) (hK : Complete F.K)
    {l : List GaussianRound} (hl : PositiveVariances l) (n : Nat) {eps delta : Rat}
    (h : Numerics.CksBound (gaussianGroups l) (Numerics.ratOfNat n + 1) eps delta) (M : F.K)
    (hM : F.exp M = ofRat (1 - 1 / (Numerics.ratOfNat n + 1))) (g : GaussianAnalyst F l) (f : g.View → F.K)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    GaussianAnalyst.expect hK b g f
      ≤ F.exp (ofRat eps) * GaussianAnalyst.expect hK (!b) g f + ofRat delta := by
  apply _root_.PrivRef.gaussian_certificate_is_a_privacy_guarantee <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem sharp_certificate_is_a_privacy_guarantee (F : ExpField) (hK : Complete F.K)
    (hlog : HasLogs F) (k p : Nat) (pre : List GaussianRound) (v : Rat) (post : List GaussianRound) (N : Nat) (Z : Rat)
    (j : Nat) (R : Rat) (X : List (Int × (Nat × List (Int × Nat)))) (eps delta : Rat)
    (h : sharpCheck k p pre v post N Z j R X eps delta = true)
    (g : GaussianAnalyst F (pre ++ ⟨v, 2⟩ :: post)) (f : g.View → F.K) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1)
    (b : Bool) :
    GaussianAnalyst.expect hK b g f
      ≤ F.exp (ofRat eps) * GaussianAnalyst.expect hK (!b) g f + ofRat delta := by
  apply _root_.PrivRef.sharp_certificate_is_a_privacy_guarantee <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem KernelAnalyst.countable_games_are_measurable (X : ExpLike A K) (R : Orders A) (g : KernelAnalyst.{u} X R)
    (hg : g.Countable) (F : Filter (R.I → A) K) (inv : F.S → Prop) (remC : F.S → R.I → A) (remD : F.S → K)
    (hF : RenyiInvariant R F inv remC remD) (s : F.S) (hs : inv s) : g.Measurable F s (Tests.bounded K g.View) := by
  apply _root_.PrivRef.KernelAnalyst.countable_games_are_measurable <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem discrete_gaussian_requests_are_countable (F : ExpField) (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ)
    (answer : Bool → Int) (ρ : F.K) (hρ0 : 0 ≤ ρ)
    (hρ : τ * (((answer false : F.K) - answer true) * ((answer false : F.K) - answer true)) ≤ ρ)
    (next : Int → KernelAnalyst (expFieldLike F) (wholeOrders F))
    (refused : KernelAnalyst (expFieldLike F) (wholeOrders F)) (h : ∀ o, (next o).Countable) (h' : refused.Countable) :
    (KernelAnalyst.request (gaussianQuery F hK τ hτ answer ρ hρ0 hρ) next refused).Countable := by
  apply _root_.PrivRef.discrete_gaussian_requests_are_countable <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem Statements.whitehouse_lemma_1_first_half (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y)
    {D O : Type u} (nbr : Neighbours D) (M : D → FinLaw F.K O) (ε δ : F.K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (hM : IsDPSet (expFieldLike F) nbr M ε δ) :
    IsMutual (expFieldLike F) (allOrders F.K) nbr (fun x => (M x).toLaw) (zcdpCost (ε * ε / 2)) δ := by
  apply _root_.PrivRef.Statements.whitehouse_lemma_1_first_half <;> assumption

theorem Statements.definition_3_at_order_1 (F : ExpField) {O : Type u} {T : Tests F.K O} {μ ν : Law T}
    {ρ δ : F.K} (hρ : 0 ≤ ρ) (p : MutualPair (expFieldLike F) (allOrders F.K) μ ν (zcdpCost ρ) δ) :
    (p.P.int p.loss → p.P.E p.loss ≤ ρ) ∧
      (p.P.int (fun o => F.exp (-p.loss o) * -p.loss o) →
        p.P.E (fun o => F.exp (-p.loss o) * -p.loss o) ≤ ρ) := by
  apply _root_.PrivRef.Statements.definition_3_at_order_1 <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem bounded_loss_has_the_moments_of_randomized_response (F : ExpField) {O : Type u}
    (P : Expectation F.K O) (l : O → F.K) {ε m : F.K} (hε : 0 ≤ ε) (hm : 0 ≤ m)
    (hl : ∀ o, -ε ≤ l o ∧ l o ≤ ε) (hv : P.int fun o => F.exp (-l o))
    (h1 : P.E (fun o => F.exp (-l o)) = 1) :
    ((P.int fun o => F.exp (m * l o)) →
      (1 + F.exp ε) * P.E (fun o => F.exp (m * l o)) ≤ F.exp (ε + m * ε) + F.exp (-(m * ε))) ∧
    ((P.int fun o => F.exp (-l o) * F.exp (m * -l o)) →
      (1 + F.exp ε) * P.E (fun o => F.exp (-l o) * F.exp (m * -l o))
        ≤ F.exp (ε + m * ε) + F.exp (-(m * ε))) := by
  apply _root_.PrivRef.bounded_loss_has_the_moments_of_randomized_response <;> assumption

theorem geometric_mechanism_satisfies_definition_3 (F : ExpField) (hK : Complete F.K) {τ : F.K}
    (hτ : 0 < τ) (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {D : Type} (nbr : Neighbours D)
    (q : D → Int) (Δ : Nat) (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) :
    IsMutual (expFieldLike F) (allOrders F.K) nbr
      (geometricMechanism hK (F.exp (-τ)) (Numerics.exp_pos F _) (exp_neg_lt_one F hτ) q)
      (zcdpCost (τ * (Δ : F.K) * (τ * (Δ : F.K)) / 2)) 0 := by
  apply _root_.PrivRef.geometric_mechanism_satisfies_definition_3 <;> assumption

theorem Statements.geometric_mechanism (F : ExpField) (hK : Complete F.K) {τ : F.K}
    (hτ : 0 < τ) (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {D : Type} (nbr : Neighbours D)
    (q : D → Int) (Δ : Nat) (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) :
    IsMutual (expFieldLike F) (allOrders F.K) nbr
      (geometricMechanism hK (F.exp (-τ)) (Numerics.exp_pos F _) (exp_neg_lt_one F hτ) q)
      (zcdpCost (τ * (Δ : F.K) * (τ * (Δ : F.K)) / 2)) 0 := by
  apply _root_.PrivRef.Statements.geometric_mechanism <;> assumption

theorem randomized_response_is_approximately_zcdp (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (ε δ : F.K) (hε : 0 ≤ ε) (h0 : 0 ≤ δ) (h1 : δ ≤ 1) :
    IsMutual (expFieldLike F) (allOrders F.K) otherAnswer
      (fun b => (rrLaw (F.exp ε) δ ((expFieldLike F).one_le_exp hε) h0 h1 b).toLaw)
      (zcdpCost (ε * ε / 2)) δ := by
  apply _root_.PrivRef.randomized_response_is_approximately_zcdp <;> assumption

theorem Statements.randomized_response (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (ε δ : F.K) (hε : 0 ≤ ε) (h0 : 0 ≤ δ) (h1 : δ ≤ 1) :
    IsMutual (expFieldLike F) (allOrders F.K) otherAnswer
      (fun b => (rrLaw (F.exp ε) δ ((expFieldLike F).one_le_exp hε) h0 h1 b).toLaw)
      (zcdpCost (ε * ε / 2)) δ := by
  apply _root_.PrivRef.Statements.randomized_response <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem randomized_response_satisfies_definition_3 (X : ExpLike A K) (R : Orders A) (ε : A) (δ : K)
    (hε : 0 ≤ ε) (h0 : 0 ≤ δ) (h1 : δ ≤ 1) (cost : R.I → A)
    (hc : ∀ i, X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε) ≤ (1 + X.exp ε) * X.exp (cost i)) :
    IsMutual X R otherAnswer
      (fun b => (rrLaw (X.exp ε) δ (X.one_le_exp hε) h0 h1 b).toLaw) cost δ := by
  apply _root_.PrivRef.randomized_response_satisfies_definition_3 <;> assumption

example (b b' : Bool) : otherAnswer.rel b b' ↔ b ≠ b' := Iff.rfl

end

section
open PrivRef.Numerics (ExpField ofRat Group)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem GaussianNoise.E_power {F : ExpField} {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise F V)
    (q : F.K) (w : V) (n k : Nat) :
    N.law.E (fun x => pow (N.weight q w x) n * F.exp (natK k * N.ratio w x))
      = sampledMoment F q (N.inner w w) n k := by
  apply _root_.PrivRef.GaussianNoise.E_power <;> assumption

theorem GaussianNoise.removing_is_no_worse {F : ExpField} {V : Type u} [Lean.Grind.IntModule V]
    (N : GaussianNoise F V) {q : F.K} (h0 : 0 ≤ q) (h1 : q < 1) (w : V) (m : Nat) :
    N.law.E (fun x => pow (N.weight q w x)⁻¹ m) ≤ N.law.E fun x => pow (N.weight q w x) (m + 1) := by
  apply _root_.PrivRef.GaussianNoise.removing_is_no_worse <;> assumption

theorem sgd_certificate_is_a_privacy_guarantee {F : ExpField} {V : Type u} [Lean.Grind.IntModule V]
    {N : GaussianNoise F V} (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) (k p : Nat) (q a : Rat) (m T : Nat)
    (c eps delta : Rat) (h : sgdCheck k p q a m T c eps delta = true)
    {h0 : 0 ≤ (ofRat q : F.K)} {h1 : (ofRat q : F.K) ≤ 1} (g : SgdAnalyst N (ofRat a) T) (f : g.View → F.K)
    (hf : SgdAnalyst.Adm (ofRat q) h0 h1 g f) (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat q) h0 h1 b g f
      ≤ F.exp (ofRat eps) * SgdAnalyst.expect (ofRat q) h0 h1 (!b) g f + ofRat delta := by
  apply _root_.PrivRef.sgd_certificate_is_a_privacy_guarantee <;> assumption

theorem NormalLaw.delta_le {F : ExpField} (N : NormalLaw F) {w : F.K} (hw : 0 < w)
    {c s T η a B Z δ : F.K} (hc : 0 ≤ c) {n n' : Nat} {T' : F.K}
    (h1 : s + (c * T - c * c / 2) ≤ 0) (h2 : 0 ≤ s + (c * (T + w) - c * c / 2))
    (hη : F.exp (c * w) - 1 ≤ η) (ha : a = T - (n : F.K) * w) (ha0 : a ≤ 0)
    (hZ : Z ≤ NormalLaw.down w (NormalLaw.gauss F) n' T') (hδ : 0 ≤ δ)
    (hB : F.exp (w * w / 2) * (NormalLaw.down w (NormalLaw.gauss F) n (T - w)
        + NormalLaw.down w (NormalLaw.gauss F) n (T + w)
        + η * (NormalLaw.gauss F (T - w) + NormalLaw.gauss F (T + w)
          + (NormalLaw.gauss F T + NormalLaw.gauss F (T + w + w))))
      - 2 * F.exp s * NormalLaw.down w (NormalLaw.gauss F) n (T - c) ≤ B) (hBZ : B ≤ 2 * δ * Z) :
    N.delta c s ≤ δ + NormalLaw.gauss F a := by
  apply _root_.PrivRef.NormalLaw.delta_le <;> assumption

theorem gdp_certificate_is_a_privacy_guarantee {F : ExpField}
    (roots : ∀ x : F.K, 0 ≤ x → ∃ r, 0 ≤ r ∧ r * r = x) (N : NormalLaw F) (k p n n' : Nat)
    (w T T' c : Rat) (gs : List (Nat × Rat)) (eps delta : Rat)
    (h : gdpCheck k p n n' w T T' c gs eps delta = true)
    (g : GdpAnalyst.{u} N (listedNumbers F gs)) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ F.exp (ofRat eps) * g.expect (!b) f + ofRat delta := by
  apply _root_.PrivRef.gdp_certificate_is_a_privacy_guarantee <;> assumption

theorem range_certificate_is_a_privacy_guarantee {F : ExpField}
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y)
    (roots : ∀ x : F.K, 0 ≤ x → ∃ r, 0 ≤ r ∧ r * r = x) (k p : Nat) (U S : Rat) (means : List Rat)
    (gs : List (Nat × Rat)) (eps delta : Rat) (h : rangeCheck k p U S means gs eps delta = true)
    (g : RangeAdversary.{u} (expFieldLike F) (listedNumbers F gs)) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ F.exp (ofRat eps) * g.expect (!b) f + ofRat delta := by
  apply _root_.PrivRef.range_certificate_is_a_privacy_guarantee <;> assumption

theorem listed_rounds_are_private {F : ExpField} (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {m : F.K}
    (hm : 0 < m) {κ : F.K} (hκ : 0 ≤ κ) (hκs : ∀ s, 1 - F.exp s ≤ κ * F.exp (-(m * s)))
    {l : List (ListedRound F.K)} (hl : ∀ r ∈ l, 0 ≤ r.mass) (hl1 : listedMass l ≤ 1) {C : F.K}
    (hC : listedCosts m l C) (g : ListedAnalyst.{u} F (expFieldLike F) l) (f : g.View → F.K)
    (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) (s : F.K) :
    g.expect b f ≤ listedMass l + (1 - listedMass l) * (κ * F.exp (C - m * s))
      + F.exp s * g.expect (!b) f := by
  apply _root_.PrivRef.listed_rounds_are_private <;> assumption

/-- What a round may cost at the order `1 + m`. -/
example {F : ExpField} (m c ε δ ρ m' c' q a : F.K) :
    ((ListedRound.dp ε δ).Costs m c
      ↔ F.exp (ε + m * ε) + F.exp (-(m * ε)) ≤ (1 + F.exp ε) * F.exp c) ∧
    ((ListedRound.zcdp ρ δ).Costs m c ↔ m * (m + 1) * ρ ≤ c) ∧
    ((ListedRound.renyi m' c' δ).Costs m c ↔ m' = m ∧ c' ≤ c) ∧
    ((ListedRound.sampled q a).Costs m c
      ↔ 0 ≤ q ∧ q < 1 ∧ ∃ n : Nat, m = (n : F.K) ∧ sampledMoment F q a (n + 1) 0 ≤ F.exp c) :=
  ⟨Iff.rfl, Iff.rfl, Iff.rfl, Iff.rfl⟩

theorem listed_certificate_is_a_privacy_guarantee {F : ExpField}
    (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) (k p n : Nat) (m U : Rat) (costs : List Rat)
    (gs : List (Nat × ListedRound Rat)) (eps delta : Rat)
    (h : listedCheck k p n m U costs gs eps delta = true)
    (g : ListedAnalyst.{u} F (expFieldLike F) (listedRounds F gs)) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ F.exp (ofRat eps) * g.expect (!b) f + ofRat delta := by
  apply _root_.PrivRef.listed_certificate_is_a_privacy_guarantee <;> assumption

theorem Sgd.cifar10 {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise Reals.reals V)
    {h0 : 0 ≤ (ofRat (mkRat 4096 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 4096 50000) : Reals.reals.K) ≤ 1} (g : SgdAnalyst N (ofRat (mkRat 1 100)) 875)
    (f : g.View → Reals.reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 4096 50000)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 b g f
      ≤ Reals.reals.exp (ofRat 1) * SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 (!b) g f
        + ofRat (mkRat 1 (10 ^ 5)) := by
  apply _root_.PrivRef.Sgd.cifar10 <;> assumption

theorem Statements.dpsgd_cifar10 {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise Reals.reals V)
    {h0 : 0 ≤ (ofRat (mkRat 4096 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 4096 50000) : Reals.reals.K) ≤ 1} (g : SgdAnalyst N (ofRat (mkRat 1 100)) 875)
    (f : g.View → Reals.reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 4096 50000)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 b g f
      ≤ Reals.reals.exp (ofRat 1) * SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 (!b) g f
        + ofRat (mkRat 1 (10 ^ 5)) := by
  apply _root_.PrivRef.Statements.dpsgd_cifar10 <;> assumption

theorem Sgd.cifar100 {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise Reals.reals V)
    {h0 : 0 ≤ (ofRat (mkRat 16384 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 50000) : Reals.reals.K) ≤ 1} (g : SgdAnalyst N (ofRat (mkRat 10000 4452100)) 250)
    (f : g.View → Reals.reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 16384 50000)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 b g f
      ≤ Reals.reals.exp (ofRat 1) * SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 (!b) g f
        + ofRat (mkRat 1 (10 ^ 5)) := by
  apply _root_.PrivRef.Sgd.cifar100 <;> assumption

theorem Statements.dpsgd_cifar100 {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise Reals.reals V)
    {h0 : 0 ≤ (ofRat (mkRat 16384 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 50000) : Reals.reals.K) ≤ 1} (g : SgdAnalyst N (ofRat (mkRat 10000 4452100)) 250)
    (f : g.View → Reals.reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 16384 50000)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 b g f
      ≤ Reals.reals.exp (ofRat 1) * SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 (!b) g f
        + ofRat (mkRat 1 (10 ^ 5)) := by
  apply _root_.PrivRef.Statements.dpsgd_cifar100 <;> assumption

theorem Sgd.imagenet {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise Reals.reals V)
    {h0 : 0 ≤ (ofRat (mkRat 16384 1281167) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 1281167) : Reals.reals.K) ≤ 1} (g : SgdAnalyst N (ofRat (mkRat 100 625)) 71589)
    (f : g.View → Reals.reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 16384 1281167)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 b g f
      ≤ Reals.reals.exp (ofRat 8) * SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 (!b) g f
        + ofRat (mkRat 8 (10 ^ 7)) := by
  apply _root_.PrivRef.Sgd.imagenet <;> assumption

theorem Statements.dpsgd_imagenet {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise Reals.reals V)
    {h0 : 0 ≤ (ofRat (mkRat 16384 1281167) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 1281167) : Reals.reals.K) ≤ 1} (g : SgdAnalyst N (ofRat (mkRat 100 625)) 71589)
    (f : g.View → Reals.reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 16384 1281167)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 b g f
      ≤ Reals.reals.exp (ofRat 8) * SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 (!b) g f
        + ofRat (mkRat 8 (10 ^ 7)) := by
  apply _root_.PrivRef.Statements.dpsgd_imagenet <;> assumption

theorem DiscreteNoise.law_shift {F : ExpField} {hK : Complete F.K} {τ : F.K} {hτ : 0 < τ} (u : Int)
    {f : Int → F.K} (hf : DiscreteNoise.Tame F hK τ hτ f) :
    (DiscreteNoise.law F hK τ hτ).E (fun x => F.exp (DiscreteNoise.inner F τ u x) * f x)
      = F.exp (DiscreteNoise.inner F τ u u / 2) * (DiscreteNoise.law F hK τ hτ).E fun x => f (u + x) := by
  apply _root_.PrivRef.DiscreteNoise.law_shift <;> assumption

theorem SgdAnalyst.adm_of_discrete {F : ExpField} {hK : Complete F.K} {τ : F.K} {hτ : 0 < τ}
    {a q : F.K} {h0 : 0 ≤ q} {h1 : q ≤ 1} {n : Nat}
    (g : SgdAnalyst (discreteGaussianNoise F hK τ hτ) a n) (f : g.View → F.K) (l0 : ∀ v, 0 ≤ f v)
    (l1 : ∀ v, f v ≤ 1) : SgdAnalyst.Adm q h0 h1 g f := by
  apply _root_.PrivRef.SgdAnalyst.adm_of_discrete <;> assumption

/-- What the noise is: its weights, its inner product and its tests. -/
example {F : ExpField} (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ) (u x : Int) (f : Int → F.K) :
    (discreteGaussianNoise F hK τ hτ).law.E f = (discreteGaussian F hK τ hτ 0).E f ∧
    (discreteGaussianNoise F hK τ hτ).inner u x = 2 * τ * ((u : F.K) * (x : F.K)) ∧
    ((discreteGaussianNoise F hK τ hτ).tests.adm f ↔ IsBounded f) := ⟨rfl, rfl, Iff.rfl⟩

theorem Sgd.cifar10_with_discrete_noise {τ : Reals.reals.K} {hτ : 0 < τ}
    {h0 : 0 ≤ (ofRat (mkRat 4096 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 4096 50000) : Reals.reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise Reals.reals Reals.reals_are_complete τ hτ)
      (ofRat (mkRat 1 100)) 875) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 b g (fun v => ind (S v))
      ≤ Reals.reals.exp (ofRat 1)
          * SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 1 (10 ^ 5)) := by
  apply _root_.PrivRef.Sgd.cifar10_with_discrete_noise <;> assumption

theorem Statements.dpsgd_cifar10_with_discrete_noise {τ : Reals.reals.K} {hτ : 0 < τ}
    {h0 : 0 ≤ (ofRat (mkRat 4096 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 4096 50000) : Reals.reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise Reals.reals Reals.reals_are_complete τ hτ)
      (ofRat (mkRat 1 100)) 875) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 b g (fun v => ind (S v))
      ≤ Reals.reals.exp (ofRat 1)
          * SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 1 (10 ^ 5)) := by
  apply _root_.PrivRef.Statements.dpsgd_cifar10_with_discrete_noise <;> assumption

theorem Sgd.cifar100_with_discrete_noise {τ : Reals.reals.K} {hτ : 0 < τ}
    {h0 : 0 ≤ (ofRat (mkRat 16384 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 50000) : Reals.reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise Reals.reals Reals.reals_are_complete τ hτ)
      (ofRat (mkRat 10000 4452100)) 250) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 b g (fun v => ind (S v))
      ≤ Reals.reals.exp (ofRat 1)
          * SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 1 (10 ^ 5)) := by
  apply _root_.PrivRef.Sgd.cifar100_with_discrete_noise <;> assumption

theorem Statements.dpsgd_cifar100_with_discrete_noise {τ : Reals.reals.K} {hτ : 0 < τ}
    {h0 : 0 ≤ (ofRat (mkRat 16384 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 50000) : Reals.reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise Reals.reals Reals.reals_are_complete τ hτ)
      (ofRat (mkRat 10000 4452100)) 250) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 b g (fun v => ind (S v))
      ≤ Reals.reals.exp (ofRat 1)
          * SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 1 (10 ^ 5)) := by
  apply _root_.PrivRef.Statements.dpsgd_cifar100_with_discrete_noise <;> assumption

theorem Sgd.imagenet_with_discrete_noise {τ : Reals.reals.K} {hτ : 0 < τ}
    {h0 : 0 ≤ (ofRat (mkRat 16384 1281167) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 1281167) : Reals.reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise Reals.reals Reals.reals_are_complete τ hτ)
      (ofRat (mkRat 100 625)) 71589) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 b g (fun v => ind (S v))
      ≤ Reals.reals.exp (ofRat 8)
          * SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 8 (10 ^ 7)) := by
  apply _root_.PrivRef.Sgd.imagenet_with_discrete_noise <;> assumption

theorem Statements.dpsgd_imagenet_with_discrete_noise {τ : Reals.reals.K} {hτ : 0 < τ}
    {h0 : 0 ≤ (ofRat (mkRat 16384 1281167) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 1281167) : Reals.reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise Reals.reals Reals.reals_are_complete τ hτ)
      (ofRat (mkRat 100 625)) 71589) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 b g (fun v => ind (S v))
      ≤ Reals.reals.exp (ofRat 8)
          * SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 8 (10 ^ 7)) := by
  apply _root_.PrivRef.Statements.dpsgd_imagenet_with_discrete_noise <;> assumption

/-- What one answer's law is. -/
example {F : ExpField} {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise F V) (q : F.K) (h0 : 0 ≤ q)
    (h1 : q ≤ 1) {S : Type u} (ρ : FinLaw F.K S) (answer difference : S → V) (f : V → F.K) :
    (sampled N q h0 h1 ρ answer difference).E f = ρ.E fun s => N.law.E fun x =>
      (1 - q) * f (answer s + x) + q * f (answer s + (difference s + x)) := rfl

example {F : ExpField} (q a : F.K) (n k : Nat) :
    sampledMoment F q a 0 k = F.exp (natK k * (natK k - 1) / 2 * a) ∧
    sampledMoment F q a (n + 1) k
      = (1 - q) * sampledMoment F q a n k + q * sampledMoment F q a n (k + 1) := ⟨rfl, rfl⟩

end

section
open PrivRef.Numerics (ofRat)

theorem Example.noisy_counts_are_private (S : Example.noisyCounts.View → Prop) (b : Bool) :
    Example.noisyCounts.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat 4) * Example.noisyCounts.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 6)) := by
  apply _root_.PrivRef.Example.noisy_counts_are_private <;> assumption

theorem Example.noisy_count_plays :
    Example.noisyCount.pr Reals.reals_are_complete true (fun v => v.1 = 0)
      = Reals.reals.exp (-GaussianRound.rate Reals.reals ⟨4, 2⟩)
        * Example.noisyCount.pr Reals.reals_are_complete false (fun v => v.1 = 0) := by
  apply _root_.PrivRef.Example.noisy_count_plays <;> assumption

theorem Example.noisy_sum_is_private {h0 : 0 ≤ (ofRat (mkRat 4096 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 4096 50000) : Reals.reals.K) ≤ 1}
    (S : Example.noisySum.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 b Example.noisySum (fun v => ind (S v))
      ≤ Reals.reals.exp (ofRat 1)
          * SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 (!b) Example.noisySum (fun v => ind (S v))
        + ofRat (mkRat 1 (10 ^ 5)) := by
  apply _root_.PrivRef.Example.noisy_sum_is_private <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K}

theorem product_of_dominating_pairs_dominates {l : List (LossLaw A K)} (hl : ∀ L ∈ l, L.Ok)
    (g : DominatedAnalyst.{u} X l) (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) (s : A) :
    g.expect b f ≤ (LossLaw.productAll l).delta X s + X.exp s * g.expect (!b) f := by
  apply _root_.PrivRef.product_of_dominating_pairs_dominates <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K}

theorem dominated_round_followed_by_dominated_continuation {L M : LossLaw A K} {O : Type u}
    {T : Tests K O} {μ ν : Law T} (hL : Dominates X L μ ν) (hM : M.Ok) {F G : O → K}
    (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (h : ∀ s o, F o ≤ M.delta X s + X.exp s * G o) (s : A) :
    μ.E F ≤ (L.product M).delta X s + X.exp s * ν.E G := by
  apply _root_.PrivRef.dominated_round_followed_by_dominated_continuation <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem post_processed_pair_is_dominated {L : LossLaw A K} {O : Type u} {O' : Type v}
    {T : Tests K O} {T' : Tests K O'} {μ ν : Law T} (hL : Dominates X L μ ν) (κ : O → Law T')
    (hκ : ∀ f, T'.adm f → T.adm fun o => (κ o).E f) :
    Dominates X L (μ.bind κ hκ) (ν.bind κ hκ) := by
  apply _root_.PrivRef.post_processed_pair_is_dominated <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem finite_pair_is_dominated_by_its_losses {O : Type u} (μ : FinLaw K O)
    (ν : Law (Tests.all K O)) (loss : O → A)
    (h : ∀ f, (∀ o, 0 ≤ f o) → (wsum μ.list fun o => X.exp (-loss o) * f o) ≤ ν.E f) :
    Dominates X ⟨μ.list.map fun q => (loss q.1, q.2), 0⟩ μ.toLaw ν := by
  apply _root_.PrivRef.finite_pair_is_dominated_by_its_losses <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem splitting_a_loss_is_an_upper_bound {l l₀ l₁ : A} {p x y : K} (hx : 0 ≤ x) (hy : 0 ≤ y)
    (h : p ≤ x + y) (h' : x * X.exp (-l₀) + y * X.exp (-l₁) ≤ p * X.exp (-l))
    (m : List (A × K)) (i : K) (s : A) :
    LossLaw.delta X ⟨(l, p) :: m, i⟩ s ≤ LossLaw.delta X ⟨(l₀, x) :: (l₁, y) :: m, i⟩ s := by
  apply _root_.PrivRef.splitting_a_loss_is_an_upper_bound <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K}

/-- What it is to dominate, and the product. -/
example {O : Type u} {T : Tests K O} (L M : LossLaw A K) (μ ν : Law T) (q : A × K)
    (l m : List (A × K)) :
    (Dominates X L μ ν ↔ ∀ f, IsTest T f → ∀ s, μ.E f ≤ L.infinite
      + wsum L.finite (fun x => posPart (1 - X.exp (s - x))) + X.exp s * ν.E f) ∧
    (L.Ok ↔ (∀ q ∈ L.finite, 0 ≤ q.2) ∧ 0 ≤ L.infinite ∧ 1 ≤ L.infinite + wsum L.finite fun _ => 1) ∧
    L.product M = ⟨addLosses L.finite M.finite, M.infinite + wsum M.finite (fun _ => 1) * L.infinite⟩ ∧
    addLosses l [] = [] ∧
    addLosses l (q :: m) = l.map (fun p => (p.1 + q.1, p.2 * q.2)) ++ addLosses l m ∧
    LossLaw.productAll ([] : List (LossLaw A K)) = ⟨[(0, 1)], 0⟩ ∧
    LossLaw.productAll [L, M] = L.product (M.product ⟨[(0, 1)], 0⟩) :=
  ⟨Iff.rfl, ⟨fun h => ⟨h.nonneg, h.infinite_nonneg, h.total⟩, fun h => ⟨h.1, h.2.1, h.2.2⟩⟩, rfl, rfl,
    rfl, rfl, rfl⟩

example {L : LossLaw A K} (O : Type u) (tests : Tests K O) (law : Bool → Law tests)
    (h : ∀ b, Dominates X L (law b) (law !b)) : DominatedQuery.{u} X L := ⟨O, tests, law, h⟩

example {L : LossLaw A K} {l : List (LossLaw A K)} (q : DominatedQuery.{u} X L) (b : Bool)
    (next : q.O → DominatedAnalyst.{u} X l) (f : (DominatedAnalyst.round q next).View → K) :
    (DominatedAnalyst.round q next).expect b f
      = (q.law b).E (fun o => (next o).expect b fun v => f ⟨o, v⟩) ∧
    ((DominatedAnalyst.round q next).Adm f ↔ (∀ o, (next o).Adm fun v => f ⟨o, v⟩) ∧
      ∀ b, q.tests.adm fun o => (next o).expect b fun v => f ⟨o, v⟩) :=
  ⟨rfl, Iff.rfl⟩

end

section
open PrivRef.Numerics (ExpField ofRat)
attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

theorem noiseLosses_sound {F : ExpField} (hK : Complete F.K) {k p t inf : Nat} {Δ v : Rat}
    (hΔ : 0 < Δ) {cs : List Nat} {l : List (Nat × Nat)}
    (h : noiseLosses k p t Δ v cs inf = some l) :
    (∀ a ∈ l, a.1 ≤ cs.length + cs.length) ∧ ∀ (hτ : (0 : F.K) < ofRat (1 / (2 * v))) (c d : Int),
      c - d = 1 ∨ c - d = -1 →
      Dominates (expFieldLike F) ⟨l.map fun a => (((a.1 : F.K) - (cs.length : F.K)) * ofRat Δ,
          (a.2 : F.K) * ((2 ^ t : Nat) : F.K)⁻¹), (inf : F.K) * ((2 ^ t : Nat) : F.K)⁻¹⟩
        ((discreteGaussian F hK _ hτ c).toLaw hK) ((discreteGaussian F hK _ hτ d).toLaw hK) := by
  apply _root_.PrivRef.noiseLosses_sound <;> assumption

end

section
open PrivRef.Numerics (ExpField ofRat)

theorem convolution_certificate_is_a_privacy_guarantee {F : ExpField} (hK : Complete F.K)
    {k p t w : Nat} {Δ : Rat} {kinds : List (Rat × List Nat × Nat)} {l : List GaussianRound}
    {first : Nat} {eps delta : Rat}
    (h : convolutionCheck k p t w Δ kinds l first eps delta = true) (g : GaussianAnalyst F l)
    (f : g.View → F.K) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    GaussianAnalyst.expect hK b g f
      ≤ F.exp (ofRat eps) * GaussianAnalyst.expect hK (!b) g f + ofRat delta := by
  apply _root_.PrivRef.convolution_certificate_is_a_privacy_guarantee <;> assumption

end

section
open PrivRef.Numerics (ofRat)

theorem Census.units_by_convolution (g : GaussianAnalyst Reals.reals Census.unitsRounds)
    (S : g.View → Prop) (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 2402 1000)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Census.units_by_convolution <;> assumption

end

section
open PrivRef.Numerics (ofRat)

theorem Census.persons_by_convolution (g : GaussianAnalyst Reals.reals Census.personsRounds)
    (S : g.View → Prop) (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 168103 10000)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Census.persons_by_convolution <;> assumption

end

section
open PrivRef.Numerics (ofRat)

theorem Statements.census_persons_by_convolution (g : GaussianAnalyst Reals.reals Census.personsRounds)
    (S : g.View → Prop) (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 168103 10000)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) := by
  apply _root_.PrivRef.Statements.census_persons_by_convolution <;> assumption

end

section
variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem Statements.composition_of_dominating_pairs (X : ExpLike A K) {l : List (LossLaw A K)}
    (hl : ∀ L ∈ l, L.Ok) (g : DominatedAnalyst.{u} X l) (f : g.View → K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) (s : A) :
    g.expect b f ≤ (LossLaw.productAll l).delta X s + X.exp s * g.expect (!b) f := by
  apply _root_.PrivRef.Statements.composition_of_dominating_pairs <;> assumption

end

theorem Example.two_answers_are_dominated (f : Example.twoQuestions.View → Rat) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) (s : Int) :
    Example.twoQuestions.expect b f
      ≤ (LossLaw.productAll [Example.rrLosses, Example.rrLosses]).delta exp2 s
      + exp2.exp s * Example.twoQuestions.expect (!b) f := by
  apply _root_.PrivRef.Example.two_answers_are_dominated <;> assumption

theorem Example.two_answers_attain_the_product :
    (LossLaw.productAll [Example.rrLosses, Example.rrLosses]).delta exp2 1 = 2 / 9 ∧
    ∃ f : Example.twoQuestions.View → Rat, (∀ v, 0 ≤ f v) ∧ (∀ v, f v ≤ 1) ∧
      Example.twoQuestions.expect false f = 2 / 9 + exp2.exp 1 * Example.twoQuestions.expect true f := by
  apply _root_.PrivRef.Example.two_answers_attain_the_product <;> assumption

end PrivRef.Restated
