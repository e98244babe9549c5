module

public import PrivRef.Thm

/-!
The main theorems, restated in full for review by a human.  To trust them, read this file and the
definitions it uses; the proofs are the kernel's business.  Everything is in terms of `PrivRef.Spec`
alone, but for the theorems about an `ExpField` or a certificate, which also use the definitions of
`PrivRef.Numerics.Exp`, `PrivRef.Numerics.Formulas` and `ofRat` of `PrivRef.Numerics.Cast` (those
about the Census and about gradient descent: the real numbers of `PrivRef.Reals` too), the three at
the head of `PrivRef.Thm.Certificate`, `discreteLaplaceNoise` of `PrivRef.Thm.Geometric`,
`discreteGaussianNoise` of `PrivRef.Thm.DiscreteNoise`, `otherAnswer` of
`PrivRef.Thm.BoundedLoss`, `responseCost` of `PrivRef.Thm.Mixed`, `rangeMean` of
`PrivRef.Thm.RangeMean`, the two at the head of `PrivRef.Thm.ZcdpCertificate` and of
`PrivRef.Thm.DpCertificate`, `fixedParams` of `PrivRef.Thm.OptimalComposition`, and
`rogers_theorem_3_3_as_worded`, whose witness is `tiltedBit` of `PrivRef.Thm.Basic` with
`bitNeighbours` of `PrivRef.Thm.Negative`. "Hartmann" is Hartmann, Bindschaedler, Bentkamp, West
(PoPETs 2022); "Rogers" is Rogers, Roth, Ullman, Vadhan (NeurIPS 2016); "Whitehouse" is Whitehouse,
Ramdas, Rogers, Wu (ICML 2023).
-/

@[expose] public section

namespace PrivRef.Statements

universe u v a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u} (X : ExpLike A K) (nbr : Neighbours D)

section

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

/-- Hartmann, Definition 2: its set form and its functional form agree on finite laws. -/
theorem definition_2 (M : D → FinLaw K O) (cell : O → C) (eps : C → A) (δ : K) :
    IsODPSet X nbr M cell eps δ ↔ IsODP X nbr (fun x => (M x).toLaw) cell eps δ :=
  odp_set_form_iff_functional_form X nbr M cell eps δ

/-- Hartmann, Lemma 6, for arbitrary partitions: `∑_k Δ(P_k) ≤ δ` as a bound of finite sums. -/
theorem lemma_6 (M : D → FinLaw K O) (cell : O → C) (eps : C → A) (Δ : C → K) (δ : K)
    (hδ : ∀ ks : List C, ks.Nodup → lsum ks Δ ≤ δ)
    (h : ∀ c, IsSubsetDPSet X nbr M (fun o => cell o = c) (eps c) (Δ c)) :
    IsODPSet X nbr M cell eps δ :=
  subset_dp_on_every_cell_gives_odp X nbr M cell eps Δ δ hδ h

end

/-- Hartmann, Theorem 7, for general laws. -/
theorem theorem_7 {εt : A} {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt) (g : Adversary.{u} X εt δt)
    (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ δt + X.exp εt * g.expect true f ∧
    g.expect true f ≤ δt + X.exp εt * g.expect false f :=
  composition_is_private hε hδ g f hf h0 h1

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
/-- Hartmann, Definition 2 for general laws: its set form gives its functional form. -/
theorem definition_2_for_general_laws (arch : ∀ x : K, ∃ n, x ≤ natK n) {T : Tests K O}
    (hT : T.HasLevels) (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (cell : O → C)
    (eps : C → A) (δ : K) (hcells : ∀ c, T.adm fun o => ind (cell o = c))
    (hw : T.adm fun o => X.exp (eps (cell o))) (h : IsODPSets X nbr M cell eps δ) :
    IsODP X nbr M cell eps δ :=
  odp_for_sets_gives_functional_form arch hT X nbr M cell eps δ hcells hw h

/-- Hartmann, Theorem 7, verbatim for general laws, in both directions. -/
theorem theorem_7_for_sets (arch : ∀ x : K, ∃ n, x ≤ natK n) {X : ExpLike A K} {εt : A}
    {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt) (g : SetAdversary.{u} X εt δt) (S : g.View → Prop)
    (hS : g.Measurable S) :
    g.pr false S ≤ X.exp εt * g.pr true S + δt ∧ g.pr true S ≤ X.exp εt * g.pr false S + δt :=
  composition_is_private_for_sets arch hε hδ g S hS

/-- Hartmann, Theorem 7, verbatim for finite laws, in both directions. -/
theorem theorem_7_set_form {εt : A} {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt)
    (g : FinAdversary.{u} X Rule.subtract εt δt) (S : g.View → Prop) :
    g.pr false S ≤ X.exp εt * g.pr true S + δt ∧ g.pr true S ≤ X.exp εt * g.pr false S + δt :=
  composition_of_finite_laws_is_private hε hδ g S

/-- Hartmann, Alg. 1 as printed (`=` for `-=` in lines 7 and 8) is not private. -/
theorem algorithm_1_as_printed :
    ∃ (g : FinAdversary.{0} exp2 (Rule.assign (A := Int) (K := Rat)) 1 0) (S : g.View → Prop),
      g.pr false S = 4 / 9 ∧ g.pr true S = 1 / 9 ∧ exp2.exp 1 * g.pr true S + 0 < g.pr false S :=
  assignment_instead_of_subtraction_breaks_composition

/-- Hartmann, Section 3.2: `δ` must not depend on the cell. -/
theorem section_3_2 :
    ∃ (g : CellAdversary.{0} exp2 (1 : Int) (1 / 2 : Rat)) (S : g.View → Prop),
      g.pr false S = 3 / 4 ∧ g.pr true S = 0 ∧ exp2.exp 1 * g.pr true S + 1 / 2 < g.pr false S :=
  delta_must_not_depend_on_the_cell

/-- Hartmann, Definition 19 and Alg. 6; also Rogers, Theorem 3.3 (filter), as a DP statement. -/
theorem definition_19 (εt : A) (δt : K) (hε : 0 ≤ εt) (hδ : 0 ≤ δt) :
    ValidFilter.{u} X.scale (sumFilter εt δt) ([] : List (A × K)) εt δt :=
  budget_filter_is_valid X.scale εt δt hε hδ

/-- The executable accountant over the rationals is sound, end to end. -/
theorem executable_accountant (Y : Scale Rat Rat K) (b : Budget) (hε : 0 ≤ b.eps)
    (hδ : 0 ≤ b.delta) : ValidFilter.{u} Y accountantMachine (State.init b) b.eps b.delta :=
  executable_accountant_is_sound Y b hε hδ

/-- The executable filter over the rationals is sound, end to end. -/
theorem executable_filter (Y : Scale Rat Rat K) (b : Budget) (hε : 0 ≤ b.eps) (hδ : 0 ≤ b.delta) :
    ValidFilter.{u} Y filterMachine (State.init b) b.eps b.delta :=
  executable_filter_is_sound Y b hε hδ

section

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

/-- Rogers, Theorem 2.9 (basic composition). -/
theorem rogers_theorem_2_9 {l : List (A × K)} (hl : ∀ p ∈ l, 0 ≤ p.2) (g : FixedAdversary.{u} X l)
    (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ sumDelta l + X.exp (sumEps l) * g.expect true f ∧
    g.expect true f ≤ sumDelta l + X.exp (sumEps l) * g.expect false f :=
  basic_composition hl g f hf h0 h1

/-- Rogers, Theorem 3.3 (odometer), for pointwise DP, which covers pure DP. -/
theorem rogers_theorem_3_3 (g : PdpAdversary.{u} X) (b : Bool) (δg : K) (hδ : 0 ≤ δg) :
    g.pr b (fun v => g.spentDelta v ≤ δg ∧ g.LossExceeds v) ≤ δg :=
  basic_odometer_is_valid g b δg hδ

end

/-- Rogers, Theorem 3.3 as worded fails for approximate DP: a `(0, 1/10)`-DP law whose loss is above
`0` with certainty. -/
theorem rogers_theorem_3_3_as_worded :
    IsDPSet exp2 bitNeighbours tiltedBit 0 (1 / 10) ∧
    (tiltedBit false).pr (fun o => ¬ RatioWithin (exp2.exp 0) ((tiltedBit false).mass o)
      ((tiltedBit true).mass o)) = 1 :=
  basic_odometer_fails_for_approximate_dp

/-- Vadhan (2017), Lemma 2.2, with the sum in its proof: groups of at most `k` privacy units. -/
theorem group_privacy {T : Tests K O} (M : D → Law T) (ε : A) (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (h : IsDP X nbr M ε δ) (k : Nat) :
    IsDP X (nbr.group k) M (times k ε) (groupDelta X ε δ k) :=
  dp_holds_for_groups X nbr M ε δ hε hδ h k

/-- What a certificate of basic composition proves is a privacy guarantee, under every exponential
function that satisfies the two axioms of `PrivRef.Numerics.Exp`. -/
theorem basic_certificate (gs : List Numerics.Group) (epsG deltaG : Rat)
    (h : Numerics.BasicBound gs epsG deltaG) (F : Numerics.ExpField)
    (g : FixedAdversary.{u} (expFieldLike F) (rounds F gs)) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ Numerics.ofRat deltaG + F.exp (Numerics.ofRat epsG) * g.expect true f ∧
    g.expect true f ≤ Numerics.ofRat deltaG + F.exp (Numerics.ofRat epsG) * g.expect false f :=
  basic_certificate_is_a_privacy_guarantee gs epsG deltaG h F g f hf h0 h1

/-- Hartmann, Theorem 7, for every set of views, where every bounded function is admissible, as with
finite and countable laws: no hypothesis of measurability. -/
theorem theorem_7_for_countable_laws {X : ExpLike A K} {εt : A} {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt)
    (g : Adversary.{u} X εt δt) (hg : g.Discrete) (S : g.View → Prop) :
    g.expect false (fun v => ind (S v)) ≤ X.exp εt * g.expect true (fun v => ind (S v)) + δt ∧
    g.expect true (fun v => ind (S v)) ≤ X.exp εt * g.expect false (fun v => ind (S v)) + δt :=
  composition_of_discrete_laws_is_private hε hδ g hg S

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
/-- Hartmann, Lemma 8 (Sparse Vector), for noise with the ratio properties of the Laplace laws. -/
theorem lemma_8 {V : Type v} [Lean.Grind.IntModule V] [LE V] [LT V] [Std.IsLinearOrder V]
    [Std.LawfulOrderLT V] [Lean.Grind.OrderedAdd V] (N : SvtNoise X V) {D : Type}
      (nbr : Neighbours D)
    (c : Nat) (g : SvtAnalyst K nbr N.Δ) :
    IsODP X nbr (svtLaw N c g) tops (svtCost N.ε1 N.e2) 0 :=
  svt_is_odp N c g

/-- Hartmann, Lemma 8 with discrete Laplace noise of the scales `Δ/ε_1` and `2cΔ/ε_2`, for integer
queries. -/
theorem lemma_8_with_discrete_laplace_noise (F : Numerics.ExpField) (hK : Complete F.K) (Δ c : Nat)
    (hΔ : 0 < Δ) (hc : 0 < c) (ε1 ε2 : F.K) (h1 : 0 < ε1) (h2 : 0 < ε2) {D : Type}
    (nbr : Neighbours D) (g : SvtAnalyst F.K nbr (Δ : Int)) :
    IsODP (expFieldLike F) nbr (svtLaw (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2) c g) tops
        (fun c' => ε1 + natK c' / natK c * ε2) 0 ∧
    IsDP (expFieldLike F) nbr (svtLaw (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2) c g)
        (ε1 + ε2) 0 :=
  svt_with_discrete_laplace_noise_is_odp F hK Δ c hΔ hc ε1 ε2 h1 h2 nbr g

section

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

/-- Hartmann, Lemma 10, with the `δ` that follows from Definition 9. -/
theorem lemma_10 {R S : Type u} {T : Tests K R} (P Q : D → Option S → Law T.option) (ε : A) (δ : K)
    (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hP : IsPTR X nbr P ε δ) (hQ : IsPTR X nbr Q ε δ)
    (s s' : Option S) :
    IsODP X nbr (fun x => cascade (P x s) (Q x s')) answerCell (answerCost (ε + ε + ε) (ε + ε))
      (2 * δ - δ * δ) :=
  ptr_cascade_is_odp X nbr P Q ε δ hε hδ hδ1 hP hQ s s'

/-- Hartmann, Lemma 11 (iterative mechanisms). -/
theorem lemma_11 (M : Iteration K D O) (h : List O → Bool) (n : Nat) (ks : List Nat)
    (hn : ks.Nodup) (hlast : n ∈ ks) (hle : ∀ k ∈ ks, k ≤ n)
    (hstop : ∀ v, h v = true → v.length ∈ ks) (eps : Nat → A) (δ : Nat → K)
    (hcomp : ∀ k ∈ ks, ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      compositionPr M k x S ≤ X.exp (eps k) * compositionPr M k x' S + δ k) :
    ∀ x x', nbr.rel x x' → ∀ S : List O → Prop, iterPr M h n x S
      ≤ lsum ks δ + lsum ks fun k => X.exp (eps k) * iterPr M h n x' fun v => S v ∧ v.length = k :=
  iterative_mechanism_is_odp_by_composition X nbr M h n ks hn hlast hle hstop eps δ hcomp

end

/-- Hartmann, Lemma 12; Rogers, Theorem 2.7, for finite laws. -/
theorem lemma_12 (μ ν : FinLaw K O) (e δ : K) (he : 1 ≤ e) (hδ1 : δ ≤ 1)
    (h0 : ∀ S : O → Prop, μ.pr S ≤ e * ν.pr S + δ)
    (h1 : ∀ S : O → Prop, ν.pr S ≤ e * μ.pr S + δ) :
    ∃ T : Symbol → FinLaw K O, ∀ f : O → K,
      μ.E f = sumSymbols (fun q => rr e δ false q * (T q).E f) ∧
      ν.E f = sumSymbols (fun q => rr e δ true q * (T q).E f) :=
  indistinguishable_laws_are_post_processed_randomized_response μ ν e δ he hδ1 h0 h1

/-- Hartmann, Lemma 14, for finite laws: randomized post-processing inside an iterative
mechanism. -/
theorem lemma_14 {O' : Type u} (P : IterParams K) (nbr : Neighbours D) (M : Nat → D → FinLaw K O)
    (f : List O' → O → FinLaw K O') (h : List O' → Bool) (n : Nat) (δ : K)
    (hM : LengthODP P nbr n (fun x => (jointLaw M f h x n [] []).map Prod.fst) δ) :
    IterODP P nbr (randomlyProcessed M f) h n δ :=
  iterative_mechanism_of_randomized_post_processings_is_odp P nbr M f h n δ hM

/-- Hartmann, Theorem 15, for finite laws: `optDel` suffices, is necessary, and is the maximum of
Eq. (3). -/
theorem theorem_15 (P : IterParams K) (hP : P.Ok) (n : Nat) :
    (∀ {D O : Type u} (nbr : Neighbours D) (M : Iteration K D O) (h : List O → Bool),
      IterationDP P nbr M → (∀ v, h v = true → P.stop v.length = true) →
      IterODP P nbr M h n (optDel P n)) ∧
    (∃ (M : Iteration K Bool Symbol) (nbr : Neighbours Bool) (h : List Symbol → Bool),
      IterationDP P nbr M ∧ (∀ v, h v = true → P.stop v.length = true) ∧
      ∀ δ, IterODP P nbr M h n δ → optDel P n ≤ δ) ∧
    ((∀ Q, PrefixFree P n Q → familyValue P n Q ≤ optDel P n) ∧
      ∃ Q, PrefixFree P n Q ∧ familyValue P n Q = optDel P n) := by
  obtain ⟨h1, ⟨M, h, a, b, c⟩, h3⟩ := optDel_is_optimal.{u} P hP n
  exact ⟨fun nbr M h hM hh => h1 nbr M h hM hh, ⟨M, rrNeighbours, h, a, b, c⟩, h3⟩

/-- Kairouz, Oh, Viswanath (2015); Murtagh, Vadhan (2016), Theorem 1.5, for finite laws: Theorem 15
where nobody stops. -/
theorem optimal_composition_of_fixed_parameters (e δ : Nat → K) (y : K) (he : ∀ k, 1 ≤ e k)
    (hδ : ∀ k, 0 ≤ δ k)
    (hδ1 : ∀ k, δ k ≤ 1) (hy : 0 ≤ y) (n : Nat) (δg : K) :
    (∀ (D O : Type) (nbr : Neighbours D) (M : Iteration K D O),
      IterationDP (fixedParams e δ y) nbr M → ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
        compositionPr M n x S ≤ y * compositionPr M n x' S + δg) ↔
    optDel (fixedParams e δ y) n ≤ δg :=
  optimal_composition e δ y he hδ hδ1 hy n δg

open PrivRef.Numerics (ExpField ofRat Group)

/-- The Rényi filter at any order, with any constant of conversion; general laws, everything chosen
adaptively (after Whitehouse, Theorem 1 and Lemma 1). -/
theorem renyi_filter (X : ExpLike A K) (R : Orders A) (C : R.I → A) (δt : K)
    (hC : ∀ i, 0 ≤ C i) (hδ : 0 ≤ δt) (hδ1 : δt ≤ 1) (i : R.I) (κ : K) (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s)) (ε : A) (g : RenyiAnalyst.{u} X R)
    (f : g.View → K) (hf : RenyiAnalyst.Adm (renyiFilter R C δt) (renyiStart R C δt) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter R C δt) b (renyiStart R C δt) g f
      ≤ δt + (1 - δt) * (κ * X.exp (C i - R.scale i ε))
        + X.exp ε * RenyiAnalyst.expect (renyiFilter R C δt) (!b) (renyiStart R C δt) g f :=
  renyi_filter_is_private X R C δt hC hδ hδ1 i κ hκ hκs ε g f hf h0 h1 b

/-- Whitehouse, Theorem 1, for general laws, at every order above 1 and for plays that end: the view
behind the zCDP filter is approximately zCDP. -/
theorem whitehouse_theorem_1 (X : ExpLike K K) (ρ δ : K) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (g : KernelAnalyst.{u} X (allOrders K)) (V : Tests K g.View)
    (hV : g.Measurable (renyiFilter (allOrders K) (zcdpCost ρ) δ)
      (renyiStart (allOrders K) (zcdpCost ρ) δ) V) :
    Nonempty (MutualPair X (allOrders K)
      (KernelAnalyst.viewLaw (renyiFilter (allOrders K) (zcdpCost ρ) δ) (KernelQuery.law false)
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g V fun f hf => hV.view f hf false)
      (KernelAnalyst.viewLaw (renyiFilter (allOrders K) (zcdpCost ρ) δ) (KernelQuery.law true)
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g V fun f hf => hV.view f hf true)
      (zcdpCost ρ) δ) :=
  view_behind_the_zcdp_filter_is_approximately_zcdp X ρ δ hρ hδ hδ1 g V hV

/-- Whitehouse, Theorem 1, for general laws, as the indistinguishability of views at every order. -/
theorem whitehouse_theorem_1_at_every_order (X : ExpLike K K) (ρ δ : K) (hρ : 0 ≤ ρ) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1)
    (m : K) (hm : 0 < m) (ε : K) (g : RenyiAnalyst.{u} X (allOrders K)) (f : g.View → K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders K) (zcdpCost ρ) δ)
      (renyiStart (allOrders K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * X.exp (m * (m + 1) * ρ - m * ε)
        + X.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders K) (zcdpCost ρ) δ) g f :=
  zcdp_filter_is_private X ρ δ hρ hδ hδ1 m hm ε g f hf h0 h1 b

/-- Whitehouse, Theorem 1 with Lemma 1. -/
theorem whitehouse_theorem_1_with_lemma_1 (F : ExpField) (ρ δ : F.K) (hρ : 0 ≤ ρ) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (L s ε : F.K) (hs : 0 ≤ s) (hsL : s * s = ρ * L) (hε : ρ + 2 * s ≤ ε)
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders F.K) (zcdpCost ρ) δ)
      (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * F.exp (-L)
        + F.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f :=
  zcdp_filter_is_private_by_lemma_1 F ρ δ hρ hδ hδ1 L s ε hs hsL hε g f hf h0 h1 b

/-- Canonne, Kamath, Steinke (2020), Corollary 13, at one order, for the zCDP filter. -/
theorem cks_corollary_13 (F : ExpField) (ρ δ : F.K) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (m M ε : F.K) (hm : 0 < m) (hM : F.exp M = m / (1 + m))
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders F.K) (zcdpCost ρ) δ)
      (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * (F.exp (m * ((m + 1) * ρ - ε)) / m * F.exp ((1 + m) * M))
        + F.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f :=
  zcdp_filter_is_private_with_the_tight_conversion F ρ δ hρ hδ hδ1 m M ε hm hM g f hf h0 h1 b

/-- `(ε, δ)`-DP rounds of the Rényi filter: they cost the moments of randomized response. -/
theorem dp_rounds_of_the_renyi_filter (X : ExpLike A K) (R : Orders A)
    {D O : Type u} (nbr : Neighbours D) (M : D → FinLaw K O) (ε : A) (δ : K) (hε : 0 ≤ ε)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hM : IsDPSet X nbr M ε δ) (cost : R.I → A)
    (hc : ∀ i, X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε)
      ≤ (1 + X.exp ε) * X.exp (cost i)) :
    IsDominated X R nbr (fun x => (M x).toLaw) cost δ :=
  dp_mechanism_has_the_moments_of_randomized_response X R nbr M ε δ hε hδ hδ1 hM cost hc

section

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
/-- Dong, Durfee, Rogers (2020), the recursion for bounded ranges that are chosen on the way, over
the plans of intervals `[t - ε, t]`; `bounded_ranges_lose_at_most_what_a_plan_does` has the one half
for general laws in any universe. -/
theorem bounded_ranges_on_the_way {X : ExpLike A K} {l : List A} (hl : ∀ ε ∈ l, 0 ≤ ε)
    {a δ : K} (ha : 0 ≤ a) :
    (∀ (g : RangeAdversary.{0} X l) (f : g.View → K), g.Adm f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) →
      ∀ b,
      g.expect b f ≤ a * g.expect (!b) f + δ) ↔ ∀ σ : RangePlan X l, σ.value a ≤ δ :=
  bounded_ranges_lose_what_the_worst_plan_does hl ha

/-- The ex-post filter (ours): answers that pay for the cell in which they fell, beside other rounds
that are charged at one order or by their `ε`. -/
theorem ex_post_filter (F : ExpField) (m M N ε δ' δ'' : F.K) (hm : 0 < m)
    (hM : F.exp M = m / (1 + m)) (hN : F.exp N * ((1 + m) * δ') = 1) (hε : 0 ≤ ε) (hδ : 0 ≤ δ'')
    (hδ1 : δ'' ≤ 1) :
    (∀ released spent plain delta, ExPostBudget.Admits ⟨ε, m * (ε - M) - N, δ''⟩ (oneOrder m hm) ⟨⟩
        ⟨released, m * spent, plain, delta⟩ ↔
      delta ≤ δ'' ∧ ((∃ p, plain = some p ∧ released + p ≤ ε) ∨ released + spent + M + N / m ≤ ε)) ∧
    ∀ (g : ExPostAnalyst.{u} (expFieldLike F) (oneOrder m hm) ⟨⟩) (f : g.View → F.K),
      ExPostAnalyst.Adm ⟨ε, m * (ε - M) - N, δ''⟩ .start g f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) →
        ∀ b,
      ExPostAnalyst.expect ⟨ε, m * (ε - M) - N, δ''⟩ b .start g f ≤ δ'' + (1 - δ'') * δ'
        + F.exp ε * ExPostAnalyst.expect ⟨ε, m * (ε - M) - N, δ''⟩ (!b) .start g f :=
  ex_post_filter_is_private_by_the_printed_rule F m M N ε δ' δ'' hm hM hN hε hδ hδ1

/-- Whitehouse, Theorem 2 (the filter for `(ε, δ)`-DP rounds), for general laws and an Archimedean
field. -/
theorem whitehouse_theorem_2 {F : ExpField} (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (V δ L s ε : F.K)
    (hV : 0 ≤ V) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hs : 0 ≤ s) (hsL : s * s = 2 * L * V)
    (hε : s + V / 2 ≤ ε) (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (squaresFilter V δ) (squaresStart V δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (squaresFilter V δ) b (squaresStart V δ) g f
      ≤ δ + (1 - δ) * F.exp (-L)
        + F.exp ε * DpAnalyst.expect (squaresFilter V δ) (!b) (squaresStart V δ) g f :=
  dp_filter_is_private arch V δ L s ε hV hδ hδ1 hs hsL hε g f hf h0 h1 b

/-- Whitehouse, equation (2) (advanced composition of different rounds; after Kairouz, Oh, Viswanath
2015, Theorem 3.5: one of its three bounds, the deltas added), as a filter for `(ε, δ)`-DP rounds
chosen on the way, for general laws and an Archimedean field: `D` bounds the sum of the
`ε tanh (ε/2)`. -/
theorem whitehouse_equation_2 {F : ExpField} (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (V D δ L s ε : F.K)
    (hV : 0 ≤ V) (hD : 0 ≤ D) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hs : 0 ≤ s) (hsL : s * s = 2 * L * V)
    (hε : s + D ≤ ε) (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (driftFilter (expFieldLike F) V D δ) (driftStart (expFieldLike F) V D δ)
      g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (driftFilter (expFieldLike F) V D δ) b (driftStart (expFieldLike F) V D δ) g f
      ≤ δ + (1 - δ) * F.exp (-L) + F.exp ε * DpAnalyst.expect (driftFilter (expFieldLike F) V D δ)
        (!b) (driftStart (expFieldLike F) V D δ) g f :=
  drift_filter_is_private arch V D δ L s ε hV hD hδ hδ1 hs hsL hε g f hf h0 h1 b

end

/-- What a certificate of a zCDP claim by Lemma 1 proves is a privacy guarantee. -/
theorem zcdp_certificate (gs : List Group) (deltaPrime epsG deltaG : Rat)
    (h : Numerics.ZcdpBound gs deltaPrime epsG deltaG) (F : ExpField) (L s : F.K)
    (hL : F.exp (-L) = ofRat deltaPrime) (hs : 0 ≤ s)
    (hsL : s * s = ofRat (Numerics.totalPar gs) * L)
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (ledgerFilter F gs) (ledgerStart F gs) g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (ledgerFilter F gs) b (ledgerStart F gs) g f
      ≤ ofRat deltaG + F.exp (ofRat epsG)
        * RenyiAnalyst.expect (ledgerFilter F gs) (!b) (ledgerStart F gs) g f :=
  zcdp_certificate_is_a_privacy_guarantee gs deltaPrime epsG deltaG h F L s hL hs hsL g f hf h0 h1 b

/-- What a certificate of a zCDP claim by the tight conversion proves is a privacy guarantee. -/
theorem cks_certificate (gs : List Group) (order epsG deltaG : Rat)
    (h : Numerics.CksBound gs order epsG deltaG) (F : ExpField) (M : F.K)
    (hM : F.exp M = ofRat (1 - 1 / order))
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (ledgerFilter F gs) (ledgerStart F gs) g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (ledgerFilter F gs) b (ledgerStart F gs) g f
      ≤ ofRat deltaG + F.exp (ofRat epsG)
        * RenyiAnalyst.expect (ledgerFilter F gs) (!b) (ledgerStart F gs) g f :=
  cks_certificate_is_a_privacy_guarantee gs order epsG deltaG h F M hM g f hf h0 h1 b

section

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

/-- What a certificate of the filter for `(ε, δ)`-DP rounds proves is a privacy guarantee. -/
theorem filter_certificate (gs : List Group) (deltaPrime eps delta : Rat)
    (h : Numerics.FilterBound gs deltaPrime eps delta) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaPrime)
    (hs : 0 ≤ s) (hsL : s * s = 2 * L * ofRat (Numerics.totalSq gs))
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerSquares F gs) (ledgerSquaresStart F gs) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerSquares F gs) b (ledgerSquaresStart F gs) g f
      ≤ ofRat delta + F.exp (ofRat eps)
        * DpAnalyst.expect (ledgerSquares F gs) (!b) (ledgerSquaresStart F gs) g f :=
  filter_certificate_is_a_privacy_guarantee gs deltaPrime eps delta h F arch L s hL hs hsL g f hf h0
    h1 b

/-- What a certificate of advanced composition of different rounds proves is a privacy guarantee. -/
theorem drift_certificate (gs : List Group) (deltaPrime eps delta : Rat)
    (h : Numerics.DriftBound gs deltaPrime eps delta) (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (L s : F.K) (hL : F.exp (-L) = ofRat deltaPrime)
    (hs : 0 ≤ s) (hsL : s * s = 2 * L * ofRat (Numerics.totalSq gs))
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (ledgerDrift F gs) (ledgerDriftStart F gs) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (ledgerDrift F gs) b (ledgerDriftStart F gs) g f
      ≤ ofRat delta + F.exp (ofRat eps)
        * DpAnalyst.expect (ledgerDrift F gs) (!b) (ledgerDriftStart F gs) g f :=
  drift_certificate_is_a_privacy_guarantee gs deltaPrime eps delta h F arch L s hL hs hsL g f hf h0
    h1 b

/-- What a certificate of advanced composition proves is a privacy guarantee. -/
theorem advanced_certificate (n : Nat) (eps delta deltaHat epsG deltaG : Rat)
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
        (ledgerSquaresStart F [⟨n, eps, delta⟩]) g f :=
  advanced_certificate_is_a_privacy_guarantee n eps delta deltaHat epsG deltaG h F arch L s hL hs
    hsL g f hf
    h0 h1 b

end

/-- What a certificate of optimal composition proves is a privacy guarantee. -/
theorem kov_certificate (n : Nat) (eps delta epsG deltaG : Rat)
    (h : Numerics.KovBound n eps delta epsG deltaG) (F : ExpField) {D O : Type u}
    (nbr : Neighbours D) (M : Iteration F.K D O)
    (hM : ∀ past, IsDPSet (expFieldLike F) nbr (M past) (ofRat eps) (ofRat delta)) :
    ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      compositionPr M n x S ≤ F.exp (ofRat epsG) * compositionPr M n x' S + ofRat deltaG :=
  kov_certificate_is_a_privacy_guarantee n eps delta epsG deltaG h F nbr M hM

section

/-! ### Discrete Gaussian noise -/

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

/-- Canonne, Kamath, Steinke (2020), Theorem 4, at whole orders: the discrete Gaussian mechanism
satisfies Definition 3 of Whitehouse with `ρ = Δ² / (2 σ²)`, where `τ = 1 / (2 σ²)`. -/
theorem discrete_gaussian_mechanism (F : ExpField) (hK : Complete F.K) (τ : F.K) (hτ : 0 < τ)
    {D : Type}
    (nbr : Neighbours D) (q : D → Int) (Δ : Nat) (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) :
    IsMutual (expFieldLike F) (wholeOrders F) nbr (fun x => (discreteGaussian F hK τ hτ (q x)).toLaw
      hK)
      (wholeCost F (τ * ((Δ : F.K) * (Δ : F.K)))) 0 :=
  discrete_gaussian_mechanism_is_zcdp_at_whole_orders F hK τ hτ nbr q Δ hq

/-- The published 26.34 of the 2020 Census, Demographic and Housing Characteristics File, persons,
at `δ = 10^{-10}`: nothing is assumed but the rounds: independent discrete Gaussian noise on integer
answers, which on two neighbouring databases differ in one round by a squared norm of at most 2.
That replacing one record changes the answers so is the Bureau's reading, see `PrivRef.Spec.Census`.
Over the real numbers. -/
theorem census_dhc_persons (g : GaussianAnalyst Reals.reals Census.dhcPersonsRounds)
    (S : g.View → Prop)
    (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 2634 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) :=
  Census.dhc_persons g S b

/-- The published 34.33 of the same file, housing units. -/
theorem census_dhc_units (g : GaussianAnalyst Reals.reals Census.dhcUnitsRounds) (S : g.View → Prop)
    (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 3433 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) :=
  Census.dhc_units g S b

/-- The published 17.14 of the redistricting data, persons. -/
theorem census_persons (g : GaussianAnalyst Reals.reals Census.personsRounds) (S : g.View → Prop)
    (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 1714 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) :=
  Census.persons g S b

/-- The published 2.47 of the redistricting data, housing units. -/
theorem census_units (g : GaussianAnalyst Reals.reals Census.unitsRounds) (S : g.View → Prop)
    (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 247 100)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) :=
  Census.units g S b

/-- 16.8103 in the place of the published 17.14, by the convolution of the losses of the noise. -/
theorem census_persons_by_convolution (g : GaussianAnalyst Reals.reals Census.personsRounds)
    (S : g.View → Prop) (b : Bool) :
    g.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (ofRat (mkRat 168103 10000)) * g.pr Reals.reals_are_complete (!b) S
        + ofRat (mkRat 1 (10 ^ 10)) :=
  Census.persons_by_convolution g S b

end

/-- Zhu, Dong, Wang (AISTATS 2022), Theorem 10, for rounds that are chosen on the way: the product
of the rounds' dominating pairs dominates the view.  The pairs have finitely many losses, and they
dominate at each `s` of `A`. -/
theorem composition_of_dominating_pairs (X : ExpLike A K) {l : List (LossLaw A K)}
    (hl : ∀ L ∈ l, L.Ok) (g : DominatedAnalyst.{u} X l) (f : g.View → K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) (s : A) :
    g.expect b f ≤ (LossLaw.productAll l).delta X s + X.exp s * g.expect (!b) f :=
  product_of_dominating_pairs_dominates hl g f hf h0 h1 b s

section

/-! ### Rounds of Definition 3 -/

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

/-- Whitehouse, Lemma 1, first half (Bun and Steinke 2016, Proposition 1.4): an `(ε, δ)`-DP
mechanism satisfies Definition 3 at every order above 1 with `ρ = ε²/2`, for finite laws. -/
theorem whitehouse_lemma_1_first_half (F : ExpField) (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {D O : Type u} (nbr : Neighbours D)
    (M : D → FinLaw F.K O) (ε δ : F.K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1)
    (hM : IsDPSet (expFieldLike F) nbr M ε δ) :
    IsMutual (expFieldLike F) (allOrders F.K) nbr (fun x => (M x).toLaw) (zcdpCost (ε * ε / 2)) δ :=
  dp_mechanism_is_approximately_zcdp F arch logs nbr M ε δ hε hδ hδ1 hM

/-- Whitehouse, Definition 3 at the order `λ = 1`: it follows from the orders above 1, where the
loss has a mean. -/
theorem definition_3_at_order_1 (F : ExpField) {O : Type u} {T : Tests F.K O} {μ ν : Law T}
    {ρ δ : F.K}
    (hρ : 0 ≤ ρ) (p : MutualPair (expFieldLike F) (allOrders F.K) μ ν (zcdpCost ρ) δ) :
    (p.P.int p.loss → p.P.E p.loss ≤ ρ) ∧
      (p.P.int (fun o => F.exp (-p.loss o) * -p.loss o) →
        p.P.E (fun o => F.exp (-p.loss o) * -p.loss o) ≤ ρ) :=
  order_one_follows F hρ p

end

section

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

/-- Bun and Steinke (2016), Proposition 3.3, for geometric noise: an integer query of sensitivity
`Δ` with noise proportional to `e^{-τ |z|}` satisfies Definition 3 of Whitehouse with
`ρ = (τ Δ)²/2`, at every order above 1. -/
theorem geometric_mechanism (F : ExpField) (hK : Complete F.K) {τ : F.K} (hτ : 0 < τ)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {D : Type} (nbr : Neighbours D) (q : D → Int)
      (Δ : Nat)
    (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) :
    IsMutual (expFieldLike F) (allOrders F.K) nbr
      (geometricMechanism hK (F.exp (-τ)) (Numerics.exp_pos F _) (exp_neg_lt_one F hτ) q)
      (zcdpCost (τ * (Δ : F.K) * (τ * (Δ : F.K)) / 2)) 0 :=
  geometric_mechanism_satisfies_definition_3 F hK hτ arch nbr q Δ hq

/-- The same for randomized response with `(ε, δ)`: `ρ = ε²/2` up to mass `δ`. -/
theorem randomized_response (F : ExpField) (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (ε δ : F.K)
    (hε : 0 ≤ ε) (h0 : 0 ≤ δ) (h1 : δ ≤ 1) :
    IsMutual (expFieldLike F) (allOrders F.K) otherAnswer
      (fun b => (rrLaw (F.exp ε) δ ((expFieldLike F).one_le_exp hε) h0 h1 b).toLaw)
      (zcdpCost (ε * ε / 2)) δ :=
  randomized_response_is_approximately_zcdp F arch ε δ hε h0 h1

end

section

/-! ### Differentially private stochastic gradient descent

Over the real numbers, for the authors' accounting, which assumes Poisson samples.  `N` is any law
with the shift property of Gaussian noise; that the normal law has it is not proved here, that the
discrete Gaussian on the integers has it is.  `hf` says
that the conditional expectations of `f` along the interaction are measurable. -/

/-- The published ε = 1 of the training on CIFAR-10 (De et al. 2022), at `δ = 10^{-5}`: 875 queries
about Poisson samples of the rate 4096/50000, answered with Gaussian noise of the standard deviation
10 times the largest gradient's norm.  One record is added or removed. -/
theorem dpsgd_cifar10 {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise Reals.reals V)
    {h0 : 0 ≤ (ofRat (mkRat 4096 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 4096 50000) : Reals.reals.K) ≤ 1}
      (g : SgdAnalyst N (ofRat (mkRat 1 100)) 875)
    (f : g.View → Reals.reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 4096 50000)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 b g f
      ≤ Reals.reals.exp (ofRat 1) * SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 (!b) g f
        + ofRat (mkRat 1 (10 ^ 5)) :=
  Sgd.cifar10 g f hf l0 l1 b

/-- The published ε = 1 of the fine-tuning on CIFAR-100, at `δ = 10^{-5}`: 250 queries, rate
16384/50000, 21.1 times. -/
theorem dpsgd_cifar100 {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise Reals.reals V)
    {h0 : 0 ≤ (ofRat (mkRat 16384 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 50000) : Reals.reals.K) ≤ 1}
      (g : SgdAnalyst N (ofRat (mkRat 10000 4452100)) 250)
    (f : g.View → Reals.reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 16384 50000)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 b g f
      ≤ Reals.reals.exp (ofRat 1) * SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 (!b) g f
        + ofRat (mkRat 1 (10 ^ 5)) :=
  Sgd.cifar100 g f hf l0 l1 b

/-- The published ε = 8 of the training on ImageNet, at `δ = 8 · 10^{-7}`: 71,589 queries, rate
16384/1281167, 2.5 times. -/
theorem dpsgd_imagenet {V : Type u} [Lean.Grind.IntModule V] (N : GaussianNoise Reals.reals V)
    {h0 : 0 ≤ (ofRat (mkRat 16384 1281167) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 1281167) : Reals.reals.K) ≤ 1}
      (g : SgdAnalyst N (ofRat (mkRat 100 625)) 71589)
    (f : g.View → Reals.reals.K) (hf : SgdAnalyst.Adm (ofRat (mkRat 16384 1281167)) h0 h1 g f)
    (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 b g f
      ≤ Reals.reals.exp (ofRat 8) * SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 (!b) g f
        + ofRat (mkRat 8 (10 ^ 7)) :=
  Sgd.imagenet g f hf l0 l1 b

/-- The ε = 1 of CIFAR-10 for discrete Gaussian noise, where every answer is one integer and not a
vector: nothing is assumed.  Every set of views; the record adds at most `σ/10` to an answer, where
`τ = 1 / (2 σ²)`. -/
theorem dpsgd_cifar10_with_discrete_noise {τ : Reals.reals.K} {hτ : 0 < τ}
    {h0 : 0 ≤ (ofRat (mkRat 4096 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 4096 50000) : Reals.reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise Reals.reals Reals.reals_are_complete τ hτ)
      (ofRat (mkRat 1 100)) 875) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 b g (fun v => ind (S v))
      ≤ Reals.reals.exp (ofRat 1)
          * SgdAnalyst.expect (ofRat (mkRat 4096 50000)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 1 (10 ^ 5)) :=
  Sgd.cifar10_with_discrete_noise g S b

/-- The same for the ε = 1 of CIFAR-100. -/
theorem dpsgd_cifar100_with_discrete_noise {τ : Reals.reals.K} {hτ : 0 < τ}
    {h0 : 0 ≤ (ofRat (mkRat 16384 50000) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 50000) : Reals.reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise Reals.reals Reals.reals_are_complete τ hτ)
      (ofRat (mkRat 10000 4452100)) 250) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 b g (fun v => ind (S v))
      ≤ Reals.reals.exp (ofRat 1)
          * SgdAnalyst.expect (ofRat (mkRat 16384 50000)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 1 (10 ^ 5)) :=
  Sgd.cifar100_with_discrete_noise g S b

/-- The same for the ε = 8 of ImageNet. -/
theorem dpsgd_imagenet_with_discrete_noise {τ : Reals.reals.K} {hτ : 0 < τ}
    {h0 : 0 ≤ (ofRat (mkRat 16384 1281167) : Reals.reals.K)}
    {h1 : (ofRat (mkRat 16384 1281167) : Reals.reals.K) ≤ 1}
    (g : SgdAnalyst (discreteGaussianNoise Reals.reals Reals.reals_are_complete τ hτ)
      (ofRat (mkRat 100 625)) 71589) (S : g.View → Prop) (b : Bool) :
    SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 b g (fun v => ind (S v))
      ≤ Reals.reals.exp (ofRat 8)
          * SgdAnalyst.expect (ofRat (mkRat 16384 1281167)) h0 h1 (!b) g (fun v => ind (S v))
        + ofRat (mkRat 8 (10 ^ 7)) :=
  Sgd.imagenet_with_discrete_noise g S b

end

section

/-! ### Parameters fixed in advance -/

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

/-- Mironov (2017), Table II, for DP rounds, added to rounds of approximate Rényi DP with a cost at
every order above 1, as zCDP has; Canonne, Kamath, Steinke (2020), Proposition 12; the rule is ours.
At the order `α = 1 + m` the costs are `K`; `D` is any
number, and at the best order it is the derivative of `K`.  General laws; mechanisms are chosen on
the way. -/
theorem mixed_rounds (F : ExpField) {log : F.K → F.K} (hlog : ∀ y, 0 < y → F.exp (log y) = y)
    {m δ' D ε : F.K} (hm : 0 < m) (hδ' : 0 < δ') {l : List (MixedRound (allOrders F.K) F.K)}
    (hl : ∀ r ∈ l, 0 ≤ r.mass) (hl1 : mixedMass l ≤ 1)
    (hD : m * D - mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l + log (1 + m)
      = log (1 / δ'))
    (hε : D + log (1 - 1 / (1 + m)) ≤ ε)
    (g : MixedAnalyst.{u} (expFieldLike F) (allOrders F.K) l) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ mixedMass l + (1 - mixedMass l) * δ' + F.exp ε * g.expect (!b) f :=
  mixed_rounds_are_private_by_the_printed_rule F hlog hm hδ' hl hl1 hD hε g f hf h0 h1 b

/-- Dong, Durfee, Rogers (2020), Proposition 4, for general laws: bounded ranges, by the largest
mean of the privacy loss (`rangeMean`), or by their sum.  `δ = e^{-L}`; `r` is the root. -/
theorem dong_durfee_rogers_proposition_4 {F : ExpField}
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {log : F.K → F.K}
    (hlog : ∀ y, 0 < y → F.exp (log y) = y) {l : List F.K} (hl : ∀ ε ∈ l, 0 < ε) {L r ε : F.K}
    (g : RangeAdversary.{u} (expFieldLike F) l) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    (0 ≤ r → r * r = (lsum l fun ε => ε * ε) * L / 2 → lsum l (rangeMean F log) + r ≤ ε →
      g.expect b f ≤ F.exp (-L) + F.exp ε * g.expect (!b) f) ∧
    ((lsum l fun ε => ε) ≤ ε → g.expect b f ≤ F.exp ε * g.expect (!b) f) :=
  bounded_ranges_satisfy_proposition_4 arch hlog hl g f hf h0 h1 b

/-- Dong, Roth, Su (2022), Corollaries 1 and 2: rounds of `μ_i`-GDP, chosen on the way, are `c`-GDP
with `c² = ∑ μ_i²`, as a bound of the divergence at every `e^s`.  For post-processed normal pairs,
and any law with the two properties of the normal law in `NormalLaw`. -/
theorem gaussian_dp_composition {F : ExpField} {N : NormalLaw F}
    (roots : ∀ x : F.K, 0 ≤ x → ∃ r, 0 ≤ r ∧ r * r = x)
    {l : List F.K} {c : F.K} (hc : c * c = lsum l fun μ => μ * μ) (g : GdpAnalyst.{u} N l)
    (f : g.View → F.K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool)
    (s : F.K) :
    g.expect b f ≤ N.delta c s + F.exp s * g.expect (!b) f :=
  composition_of_gaussian_dp roots hc g f hf h0 h1 b s

end

end PrivRef.Statements
