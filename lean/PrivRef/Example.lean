/-
Every structure of `PrivRef.Spec` has an inhabitant, and every game can be played: randomized response
on one bit, the true answer with probability 2/3, where the integer `n` stands for `n log 2`.  A field
that nothing can satisfy, slipped into a definition, would make the theorems about it say nothing; it
would not compile here.
-/
module

public import PrivRef.Thm.Negative
public import PrivRef.Thm.RenyiDp
public import PrivRef.Thm.RenyiView
public import PrivRef.Reals.Log
public import PrivRef.Thm.DpFilter
public import PrivRef.Thm.Sets
public import PrivRef.Spec.Svt

@[expose] public noncomputable section

set_option linter.unusedSectionVars false

namespace PrivRef.Example

universe u

/-! ### Rounds -/

theorem rrLog2_is_dp : IsDPSet exp2 bitNeighbours rrLog2 1 0 := by
  rw [dp_set_form_iff_functional_form]
  intro x x' hx f hf
  show (rrLog2 x).E f ≤ 0 + exp2.exp 1 * (rrLog2 x').E f
  have h1 := hf.nonneg true
  have h2 := hf.nonneg false
  rw [exp2_one]
  cases x <;> cases x' <;> simp only [rrLog2, twoPoint_E] <;>
    first | exact absurd rfl hx | grind

/-- The bit `b` is the database, and its neighbour the other bit. -/
theorem bits_are_neighbours : bitNeighbours.rel false true := by
  intro h
  exact absurd h (by decide)

def query : Query.{0} exp2 where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Bool
  tests := Tests.all Rat Bool
  mech x := (rrLog2 x).toLaw
  C := Unit
  cell _ := ()
  eps _ := 1
  delta := 0
  odp := dp_is_odp_with_constant_cost exp2 bitNeighbours _ 1 0 (fun _ => ())
    ((dp_set_form_iff_functional_form exp2 bitNeighbours rrLog2 1 0).mp rrLog2_is_dp)

def finQuery : FinQuery.{0} exp2 where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Bool
  mech := rrLog2
  C := Unit
  cell _ := ()
  eps _ := 1
  delta := 0
  odp := (odp_set_form_iff_functional_form exp2 bitNeighbours rrLog2 (fun _ => ()) (fun _ => 1)
    0).mpr query.odp

def setQuery : SetQuery.{0} exp2 where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Bool
  tests := Tests.all Rat Bool
  levels _ _ _ := trivial
  mech x := (rrLog2 x).toLaw
  C := Unit
  cell _ := ()
  eps _ := 1
  delta := 0
  cells _ := trivial
  weights := trivial
  odp x x' hx S _ b hb := by
    have h1 : (rrLog2 x).pr S ≤ exp2.exp 1 * (rrLog2 x').pr S + 0 := rrLog2_is_dp x x' hx S
    have h2 : exp2.exp 1 * ((rrLog2 x').E fun o => ind (S o ∧ () = ())) + 0 ≤ b := hb [()] (by simp)
    have e : (fun o => (ind (S o ∧ () = ()) : Rat)) = fun o => ind (S o) := by
      funext o
      by_cases h : S o
      · rw [ind_true h, ind_true ⟨h, rfl⟩]
      · rw [ind_false h, ind_false fun h' => h h'.1]
    rw [e] at h2
    show (rrLog2 x).pr S ≤ 0 + b
    have e2 : (rrLog2 x').pr S = (rrLog2 x').E fun o => ind (S o) := rfl
    rw [e2] at h1
    grind

def dpQuery : DPQuery.{0} exp2 (1 : Int) (0 : Rat) where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Bool
  tests := Tests.all Rat Bool
  mech x := (rrLog2 x).toLaw
  dp := (dp_set_form_iff_functional_form exp2 bitNeighbours rrLog2 1 0).mp rrLog2_is_dp

def pdpQuery : PdpQuery.{0} exp2 where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Bool
  mech := rrLog2
  eps := 1
  delta := 0
  delta_nonneg := by grind
  pdp := pure_dp_is_pointwise_dp exp2 bitNeighbours rrLog2 1 rrLog2_is_dp

def request : Request.{0} exp2.scale where
  q := query
  supE := 1
  le_supE _ := by show (1 : Int) ≤ 1; decide
  delta := 0
  delta_eq := rfl
  cost_nonneg _ := by show (0 : Int) ≤ 1; decide
  delta_nonneg := by grind

/-! ### Games -/

/-- One question, which uses up the budget. -/
def adversary : Adversary.{0} exp2 (1 : Int) (0 : Rat) :=
  .query query (fun _ => by show (1 : Int) ≤ 1; decide) (by show (0 : Rat) ≤ 0; grind)
    fun _ => .stop

/-- The view's first answer is the bit 1. -/
def first {β : Bool → Type} : (o : Bool) × β o → Rat
  | ⟨true, _⟩ => 1
  | ⟨false, _⟩ => 0

theorem adversary_plays :
    adversary.expect false (fun v => first v) = 2 / 3 ∧
    adversary.expect true (fun v => first v) = 1 / 3 := by
  have e : ∀ b, adversary.expect b (fun v => first v)
      = (rrLog2 b).E fun o => match o with | true => 1 | false => 0 := fun b => by
    show (rrLog2 b).E (fun o => first (β := fun _ => PUnit) ⟨o, PUnit.unit⟩) = _
    congr 1
    funext o
    cases o <;> rfl
  rw [e, e]
  constructor <;> simp only [rrLog2, twoPoint_E] <;> decide +kernel

/-- Theorem 7 at work: `2/3 ≤ 0 + 2 * 1/3`, with equality. -/
theorem adversary_is_bounded :
    adversary.expect false (fun v => first v)
      ≤ 0 + exp2.exp 1 * adversary.expect true (fun v => first v) := by
  rw [adversary_plays.1, adversary_plays.2, exp2_one]
  decide +kernel

def setAdversary : SetAdversary.{0} exp2 (1 : Int) (0 : Rat) :=
  .query setQuery (fun _ => by show (1 : Int) ≤ 1; decide) (by show (0 : Rat) ≤ 0; grind)
    fun _ => .stop

def finAdversary : FinAdversary.{0} exp2 (Rule.subtract (A := Int) (K := Rat)) 1 0 :=
  .query finQuery (fun _ => by show (1 : Int) ≤ 1; decide) (by show (0 : Rat) ≤ 0; grind)
    fun _ => .stop

def fixedAdversary : FixedAdversary.{0} exp2 [((1 : Int), (0 : Rat))] :=
  .round dpQuery fun _ => .stop

def pdpAdversary : PdpAdversary.{0} exp2 := .round pdpQuery fun _ => .stop

/-- Two questions to a filter that has budget for one, after the toss of a coin. -/
def analyst : Analyst.{0} exp2.scale :=
  .coin Bool (Tests.all Rat Bool) (rrLog2 true).toLaw fun _ =>
    .request request (fun _ => .request request (fun _ => .stop) .stop) .stop

/-- The second question is not answered, whatever the first answer was. -/
def halted : analyst.View → Rat
  | ⟨_, some (.inl ⟨_, none⟩)⟩ => 1
  | _ => 0

theorem filter_halts_the_second_question (b : Bool) :
    Analyst.expect (sumFilter (1 : Int) (0 : Rat)) b ([] : List (Int × Rat)) analyst halted = 1 := by
  have d1 : (sumFilter (1 : Int) (0 : Rat)).decide ([] : List (Int × Rat)) request.supE
      request.delta = .cont := by
    show (sumFilter (1 : Int) (0 : Rat)).decide ([] : List (Int × Rat)) 1 0 = .cont
    simp only [sumFilter, List.foldr]
    split
    · rename_i h; grind
    · rfl
  have d2 : ∀ o, (sumFilter (1 : Int) (0 : Rat)).decide ((sumFilter (1 : Int) (0 : Rat)).charge
      ([] : List (Int × Rat)) (request.q.cost o) request.delta) request.supE request.delta
      = .halt := fun _ => by
    show (sumFilter (1 : Int) (0 : Rat)).decide ([(1, 0)] : List (Int × Rat)) 1 0 = .halt
    simp only [sumFilter, List.foldr]
    split
    · rfl
    · rename_i h; grind
  simp only [analyst, Analyst.expect, d1, d2]
  show ((rrLog2 true).E fun _ => (rrLog2 b).E fun _ => (1 : Rat)) = 1
  have h1 : ∀ b, (rrLog2 b).E (fun _ => 1) = 1 := fun b => (rrLog2 b).total
  simp only [h1]

/-! ### Rényi filter -/

/-- The order 2 alone, `m = 1`. -/
def orderTwo : Orders Int where
  I := Unit
  scale _ x := x
  scale_add _ _ _ := rfl
  scale_mono _ _ _ h := h

/-- The loss of an answer. -/
def loss : Bool → Int
  | true => 1
  | false => -1

/-- Randomized response by its likelihood ratio: `2/3 * 2 + 1/3 * 1/2 = 3/2`, at most `2^1`. -/
def renyiPair : RenyiPair exp2 orderTwo (rrLog2 false).toLaw (rrLog2 true).toLaw (fun _ => 1) 0 where
  P := (rrLog2 false).expectation
  Q := (rrLog2 true).toLaw
  loss := loss
  int_test _ _ := trivial
  int_tilted _ _ := trivial
  int_moment _ := trivial
  density f _ := by
    show (rrLog2 true).E f = (rrLog2 false).E fun o => exp2.exp (-loss o) * f o
    simp only [rrLog2, twoPoint_E, loss]
    have h1 : exp2.exp (-1) = 1 / 2 := by decide +kernel
    have h2 : exp2.exp (- -1) = 2 := by decide +kernel
    rw [h1, h2]
    grind
  first f _ _ := by
    show (1 - 0) * (rrLog2 false).E f ≤ (rrLog2 false).E f
    grind
  second f _ _ := by
    show (1 - 0) * (rrLog2 true).E f ≤ (rrLog2 true).E f
    grind
  moment _ := by
    show ((rrLog2 false).E fun o => exp2.exp (loss o)) ≤ exp2.exp 1
    simp only [rrLog2, twoPoint_E, loss]
    decide +kernel

def renyiQuery : RenyiQuery.{0} exp2 orderTwo where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Bool
  tests := Tests.all Rat Bool
  mech x := (rrLog2 x).toLaw
  cost _ := 1
  delta := 0
  cost_nonneg _ := by decide
  delta_nonneg := by grind
  guarantee := dp_mechanism_has_the_moments_of_randomized_response exp2 orderTwo bitNeighbours rrLog2
    1 0 (by decide) (by grind) (by grind) rrLog2_is_dp _ fun _ => by
      show exp2.exp 2 + exp2.exp (-1) ≤ (1 + exp2.exp 1) * exp2.exp 1
      decide +kernel

/-- A question to the filter, and what it does to the next. -/
def renyiAnalyst : RenyiAnalyst.{0} exp2 orderTwo :=
  .request renyiQuery (fun _ => .request renyiQuery (fun _ => .stop) .stop) .stop

/-- The first answer is the bit 1, and the second question is not answered. -/
def trueThenHalted : renyiAnalyst.View → Rat
  | some (.inl ⟨true, none⟩) => 1
  | _ => 0

theorem renyi_filter_plays (b : Bool) :
    RenyiAnalyst.expect (renyiFilter orderTwo (fun _ => 1) (0 : Rat)) b
        (renyiStart orderTwo (fun _ => 1) 0) renyiAnalyst trueThenHalted
      = if b then 1 / 3 else 2 / 3 := by
  have d1 : (renyiFilter orderTwo (fun _ => 1) (0 : Rat)).decide
      (renyiStart orderTwo (fun _ => 1) 0) (fun _ => 1) 0 = .cont := by
    simp only [renyiFilter, renyiStart]
    split
    · rfl
    · rename_i h
      exact absurd ⟨fun _ => by decide, by grind⟩ h
  have d2 : (renyiFilter orderTwo (fun _ => 1) (0 : Rat)).decide
      ((fun _ => 0 + 1, 0 + 0) : (Unit → Int) × Rat) (fun _ => 1) 0 = .halt := by
    simp only [renyiFilter]
    split
    · rename_i h
      exact absurd (h.1 ()) (by decide)
    · rfl
  have e : RenyiAnalyst.expect (renyiFilter orderTwo (fun _ => 1) (0 : Rat)) b
      (renyiStart orderTwo (fun _ => 1) 0) renyiAnalyst trueThenHalted
      = (rrLog2 b).E fun o => match o with | true => 1 | false => 0 := by
    simp only [renyiAnalyst, RenyiAnalyst.expect]
    show (match (renyiFilter orderTwo (fun _ => 1) (0 : Rat)).decide
      (renyiStart orderTwo (fun _ => 1) 0) (fun _ => 1) 0 with
      | .halt => _ | .reject => _ | .cont => (rrLog2 b).E fun o => _) = _
    rw [d1]
    refine congrArg (rrLog2 b).E (funext fun o => ?_)
    show (match (renyiFilter orderTwo (fun _ => 1) (0 : Rat)).decide
      ((fun _ => 0 + 1, 0 + 0) : (Unit → Int) × Rat) (fun _ => 1) 0 with
      | .halt => _ | .reject => _ | .cont => _) = _
    rw [d2]
    cases o <;> rfl
  rw [e]
  cases b <;> simp only [rrLog2, twoPoint_E] <;> decide +kernel

/-- The same round with both divergences: `2/3 * 1/4 + 1/3 * 4 = 3/2` for the other. -/
def mutualPair : MutualPair exp2 orderTwo (rrLog2 false).toLaw (rrLog2 true).toLaw (fun _ => 1) 0 :=
  { renyiPair with
    int_back := fun _ => trivial
    back := fun _ => by
      show ((rrLog2 false).E fun o => exp2.exp (-loss o) * exp2.exp (-loss o)) ≤ exp2.exp 1
      simp only [rrLog2, twoPoint_E, loss]
      decide +kernel }

def kernelQuery : KernelQuery.{0} exp2 orderTwo where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Bool
  tests := Tests.all Rat Bool
  mech x := (rrLog2 x).toLaw
  cost _ := 1
  delta := 0
  cost_nonneg _ := by decide
  delta_nonneg := by grind
  pair := mutualPair

def kernelAnalyst : KernelAnalyst.{0} exp2 orderTwo :=
  .request kernelQuery (fun _ => .request kernelQuery (fun _ => .stop) .stop) .stop

theorem kernelAnalyst_is_discrete : kernelAnalyst.Discrete :=
  ⟨fun _ => trivial, fun _ => trivial,
    fun _ => ⟨fun _ => trivial, fun _ => trivial, fun _ => trivial, trivial⟩, trivial⟩

theorem kernelAnalyst_is_measurable : kernelAnalyst.Measurable
    (renyiFilter orderTwo (fun _ => 2) (0 : Rat)) (renyiStart orderTwo (fun _ => 2) 0)
    (Tests.all Rat _) :=
  KernelAnalyst.discrete_games_are_measurable kernelAnalyst_is_discrete _ _ _

/-- The law of this view is one more such pair, and no hypothesis of the theorem was left. -/
theorem kernelAnalyst_view : Nonempty (MutualPair exp2 orderTwo
    (KernelAnalyst.viewLaw (renyiFilter orderTwo (fun _ => 2) (0 : Rat)) (KernelQuery.law false)
      (renyiStart orderTwo (fun _ => 2) 0) kernelAnalyst (Tests.all Rat _)
      fun f hf => kernelAnalyst_is_measurable.view f hf false)
    (KernelAnalyst.viewLaw (renyiFilter orderTwo (fun _ => 2) (0 : Rat)) (KernelQuery.law true)
      (renyiStart orderTwo (fun _ => 2) 0) kernelAnalyst (Tests.all Rat _)
      fun f hf => kernelAnalyst_is_measurable.view f hf true)
    (fun _ => 2) 0) :=
  view_behind_the_renyi_filter_is_approximately_renyi exp2 orderTwo (fun _ => 2) 0
    (fun _ => by show (0 : Int) ≤ 2; decide) (by grind) (by grind) kernelAnalyst (Tests.all Rat _)
    kernelAnalyst_is_measurable

def dpRequest : DpRequest.{0} exp2 where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Bool
  tests := Tests.all Rat Bool
  mech x := (rrLog2 x).toLaw
  eps := 1
  delta := 0
  eps_nonneg := by decide
  delta_nonneg := by grind
  dp := (dp_set_form_iff_functional_form exp2 bitNeighbours rrLog2 1 0).mp rrLog2_is_dp

def dpAnalyst : DpAnalyst.{0} exp2 := .request dpRequest (fun _ => .stop) .stop

/-! ### The rest -/

/-- Noise that is never there, for queries that no database changes: the hypotheses of Sparse Vector can
be met.  Noise for a positive sensitivity has infinitely many values and is not constructed. -/
def noNoise : SvtNoise exp2 Int where
  tests := Tests.all Rat Int
  rho := Law.dirac _ 0
  tail t := ind (t ≤ 0)
  Δ := 0
  ε1 := 0
  e2 := 0
  tail_nonneg _ := ind_nonneg _
  tail_le_one _ := ind_le_one _
  tail_antitone s t h := by
    by_cases ht : t ≤ 0
    · rw [ind_true ht, ind_true (by omega)]; grind
    · rw [ind_false ht]; exact ind_nonneg _
  tail_ratio t := by
    have e : t - 0 - 0 = t := by omega
    rw [e, exp2.exp_zero]
    grind
  rho_ratio F _ _ h := by
    show F 0 ≤ exp2.exp 0 * F (0 - 0)
    have e : (0 : Int) - 0 = 0 := by omega
    rw [e, exp2.exp_zero]
    grind

def strategy : SvtStrategy Unit Int := ⟨fun _ _ => 0, fun _ => 0⟩

def params : IterParams Rat := ⟨fun _ => 2, fun _ => 0, fun _ => true, fun _ => 2⟩

theorem params_ok : params.Ok where
  one_le_e _ := by show (1 : Rat) ≤ 2; decide +kernel
  δ_nonneg _ := by show (0 : Rat) ≤ 0; grind
  δ_le_one _ := by show (0 : Rat) ≤ 1; grind
  Y_nonneg _ := by show (0 : Rat) ≤ 2; decide +kernel

def event : Event := ⟨[1 / 2], 0, 1 / 2⟩

theorem filter_machine_runs :
    replay filterStep (State.init ⟨1, 0⟩) [event, event, event]
      = [(.cont, ⟨1 / 2, 0⟩), (.cont, ⟨0, 0⟩), (.halt, ⟨0, 0⟩)] := by
  decide +kernel

/-- Theorem 2 of Whitehouse et al. over the real numbers, where nothing is left to ask of the field: with
`L = log (1/δ')` and `s = √(2 L V)`, the filter that lets requests through while `∑ ε² ≤ V` and `∑ δ_i ≤ δ` is
`(s + V/2, δ + (1 - δ) δ')`-private. -/
theorem dp_filter_over_the_reals (V δ δ' : Reals.reals.K) (hV : 0 ≤ V) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (h' : 0 < δ') (h'1 : δ' ≤ 1) :
    ∃ L s : Reals.reals.K, Reals.reals.exp (-L) = δ' ∧ 0 ≤ s ∧ s * s = 2 * L * V ∧
      ∀ (g : DpAnalyst.{u} (expFieldLike Reals.reals)) (f : g.View → Reals.reals.K),
        DpAnalyst.Adm (squaresFilter V δ) (squaresStart V δ) g f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) →
        ∀ b, DpAnalyst.expect (squaresFilter V δ) b (squaresStart V δ) g f
          ≤ δ + (1 - δ) * δ' + Reals.reals.exp (s + V / 2)
            * DpAnalyst.expect (squaresFilter V δ) (!b) (squaresStart V δ) g f := by
  obtain ⟨x, hx⟩ := Reals.reals_have_logarithms δ' h'
  have hL : x ≤ 0 := Numerics.le_of_exp_le Reals.reals (by rw [hx, Numerics.exp_zero]; exact h'1)
  have hLV := mul_nonneg' (by grind : 0 ≤ 2 * -x) hV
  obtain ⟨s, hs, hss⟩ := Reals.reals_have_roots (2 * -x * V) hLV
  have e : - -x = x := by grind
  refine ⟨-x, s, by rw [e]; exact hx, hs, hss, fun g f hf h0 h1 b => ?_⟩
  have h := dp_filter_is_private Reals.reals_are_archimedean V δ (-x) s (s + V / 2) hV hδ hδ1 hs hss
    (by grind) g f hf h0 h1 b
  rw [e, hx] at h
  exact h

end PrivRef.Example
