module

public import PrivRef.Thm.Negative
public import PrivRef.Thm.RenyiDp
public import PrivRef.Thm.RenyiView
public import PrivRef.Reals.Log
public import PrivRef.Thm.DpFilter
public import PrivRef.Thm.Sets
public import PrivRef.Reals.Complete
public import PrivRef.Thm.BoundedRange
public import PrivRef.Thm.Census
public import PrivRef.Thm.Discrete
public import PrivRef.Thm.DiscreteNoise
public import PrivRef.Thm.Dominating
public import PrivRef.Thm.Grid
public import PrivRef.Thm.Geometric
public import PrivRef.Thm.Group
public import PrivRef.Thm.Listed
public import PrivRef.Thm.Mixed

/-!
Most structures of `PrivRef.Spec` have an inhabitant, here or in a file that this one imports, and
the games can be played: randomized response on one bit, the true answer with probability 2/3, where
the integer `n` stands for `n log 2`.  A field of these that nothing can satisfy, slipped into a
definition, would make the theorems about it say nothing; it would not compile here.  None is shown
of Gaussian DP (`NormalLaw`, `GdpAnalyst`), which needs a law that is not constructed.
-/

@[expose] public noncomputable section

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
    clear hx hb e e2
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
    Analyst.expect (sumFilter (1 : Int) (0 : Rat)) b ([] : List (Int × Rat)) analyst halted =
      1 := by
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
def renyiPair : RenyiPair exp2 orderTwo (rrLog2 false).toLaw (rrLog2 true).toLaw (fun _ => 1) 0
    where
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
  guarantee := dp_mechanism_has_the_moments_of_randomized_response exp2 orderTwo bitNeighbours
    rrLog2
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

/-! ### Ex-post filter -/

/-- A fair coin decides whether the bit is asked for at all. -/
def maybe (p : Rat) (h0 : 0 ≤ p) (h1 : p ≤ 1) : FinLaw Rat (Option Bool) where
  list := [(none, 1 / 2), (some true, p / 2), (some false, (1 - p) / 2)]
  nonneg := by
    intro q hq
    simp only [List.mem_cons, List.not_mem_nil, or_false] at hq
    rcases hq with hq | hq | hq <;> subst hq <;> grind
  total := by simp only [wsum]; grind

theorem maybe_E (p : Rat) (h0 : 0 ≤ p) (h1 : p ≤ 1) (f : Option Bool → Rat) :
    (maybe p h0 h1).E f = 1 / 2 * f none + (p / 2 * f (some true) +
      (1 - p) / 2 * f (some false)) := by
  show 1 / 2 * f none + (p / 2 * f (some true) + ((1 - p) / 2 * f (some false) + 0)) = _
  grind

def maybeAsked (x : Bool) : FinLaw Rat (Option Bool) :=
  match x with
  | false => maybe (2 / 3) (by decide +kernel) (by decide +kernel)
  | true => maybe (1 / 3) (by decide +kernel) (by decide +kernel)

/-- Nothing asked costs nothing, and an answer costs `log 2`. -/
def answered : Option Bool → Int
  | none => 0
  | some _ => 1

/-- One question that pays for what it released. -/
def exPostQuery : Query.{0} exp2 where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Option Bool
  tests := Tests.all Rat (Option Bool)
  mech x := (maybeAsked x).toLaw
  C := Option Bool
  cell o := o
  eps := answered
  delta := 0
  odp := ⟨trivial, fun x x' _ f hf => by
    show (maybeAsked x).E f ≤ 0 + (maybeAsked x').E fun o => exp2.exp (answered o) * f o
    have h1 := hf.nonneg none
    have h2 := hf.nonneg (some true)
    have h3 := hf.nonneg (some false)
    cases x <;> cases x' <;> simp only [maybeAsked, maybe_E, answered, exp2_zero, exp2_one] <;>
        grind⟩

def exPostRequest : ExPostRequest.{0} exp2 orderTwo () :=
  .exPost exPostQuery 1 (fun
    | none => by show (0 : Int) ≤ 1; decide
    | some _ => by show (1 : Int) ≤ 1; decide) rfl

def dpAtTheOrder : ExPostRequest.{0} exp2 orderTwo () :=
  .dp dpRequest 1 (by
    show exp2.exp 2 + exp2.exp (-1) ≤ (1 + exp2.exp 1) * exp2.exp 1
    decide +kernel)

def renyiAtTheOrder : ExPostRequest.{0} exp2 orderTwo () := .renyi renyiQuery

/-- Two questions to a filter with budget for one answer. -/
def exPostAnalyst : ExPostAnalyst.{0} exp2 orderTwo () :=
  .request exPostRequest fun _ => .request exPostRequest fun _ => .stop

/-- The second question may be asked. -/
def goesOn : exPostAnalyst.View → Rat
  | some ⟨_, some _⟩ => 1
  | _ => 0

/-- The ex-post filter at work: the second question may be asked where the first was not answered,
which is so with probability `1/2`. -/
theorem ex_post_filter_plays (b : Bool) :
    ExPostAnalyst.expect ⟨1, -1, 0⟩ b .start exPostAnalyst goesOn = 1 / 2 := by
  have d1 : ExPostBudget.Admits ⟨1, -1, 0⟩ orderTwo () (ExPostState.start.asked exPostRequest) :=
    ⟨by show (0 : Rat) ≤ 0; grind, .inl ⟨0, rfl, by decide⟩⟩
  have d2 : ExPostBudget.Admits ⟨1, -1, 0⟩ orderTwo ()
      ((ExPostState.start.settled exPostRequest none).asked exPostRequest) :=
    ⟨by show (0 : Rat) ≤ 0; grind, .inl ⟨0, rfl, by decide⟩⟩
  have d3 : ∀ a, ¬ ExPostBudget.Admits ⟨1, -1, 0⟩ orderTwo ()
      ((ExPostState.start.settled exPostRequest (some a)).asked exPostRequest) := fun a h => by
    rcases h.2 with ⟨p, hp, hle⟩ | hle
    · have e : (0 : Int) = p := Option.some.inj hp
      subst e
      exact absurd hle (by show ¬ (0 + 1 + 1 + 0 : Int) ≤ 1; decide)
    · exact absurd hle (by show ¬ (0 + 1 + 1 + 0 : Int) ≤ -1; decide)
  unfold exPostAnalyst
  rw [ExPostAnalyst.expect_request, if_pos d1]
  show (maybeAsked b).E _ = _
  have e : ∀ x, (maybeAsked x).E (fun _ => 1) = 1 := fun x => (maybeAsked x).total
  cases b <;> simp only [maybeAsked, maybe_E, ExPostAnalyst.expect_request, if_pos d2,
      if_neg (d3 _)]
  · show 1 / 2 * (maybeAsked false).E (fun _ => 1) + (2 / 3 / 2 * 0 + (1 - 2 / 3) / 2 * 0) = _
    rw [e]
    clear d1 d2 d3 e
    grind
  · show 1 / 2 * (maybeAsked true).E (fun _ => 1) + (1 / 3 / 2 * 0 + (1 - 1 / 3) / 2 * 0) = _
    rw [e]
    clear d1 d2 d3 e
    grind

/-- What the theorem says of it, with nothing left to assume. -/
theorem ex_post_filter_protects (S : exPostAnalyst.View → Prop) (b : Bool) :
    ExPostAnalyst.expect ⟨1, -1, 0⟩ b .start exPostAnalyst (fun v => ind (S v))
      ≤ 0 + (1 - 0) * (1 / 4) + exp2.exp 1
        * ExPostAnalyst.expect ⟨1, -1, 0⟩ (!b) .start exPostAnalyst fun v => ind (S v) :=
  ex_post_filter_is_private exp2 orderTwo () ⟨1, -1, 0⟩ (by decide) (by show (0 : Rat) ≤ 0; grind)
    (by show (0 : Rat) ≤ 1; grind) 1 (1 / 4) (by grind) (one_serves_every_order exp2 orderTwo ())
    (by show 1 * exp2.exp (-1 - 1) ≤ 1 / 4; decide +kernel) exPostAnalyst _
    (ExPostAnalyst.adm_of_discrete _ _ exPostAnalyst
      ⟨fun _ _ => trivial, fun _ => ⟨fun _ _ => trivial, fun _ => trivial⟩⟩
        (by grind : (0 : Rat) ≤ 1) _
      (ind_within S)).1
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _) b

/-- What the theorem says of the filter of several orders, with nothing left to assume:
`e^{1 - 3} = 1/4`. -/
theorem grid_filter_protects (S : renyiAnalyst.View → Prop) (b : Bool) :
    RenyiAnalyst.expect (gridFilter orderTwo [()] (fun _ => 1) (0 : Rat)) b
        (gridStart orderTwo [()] (fun _ => 1) 0) renyiAnalyst (fun v => ind (S v))
      ≤ 0 + (1 - 0) * (1 / 4) + exp2.exp 3
        * RenyiAnalyst.expect (gridFilter orderTwo [()] (fun _ => 1) (0 : Rat)) (!b)
          (gridStart orderTwo [()] (fun _ => 1) 0) renyiAnalyst fun v => ind (S v) :=
  renyi_grid_filter_is_private exp2 orderTwo [()] (fun _ => 1) 0 ⟨(), by simp, by decide⟩ (by grind)
    (by grind)
    (fun _ => 1) (fun _ => by show (0 : Rat) ≤ 1; grind) (one_serves_every_order exp2 orderTwo) 3
      (1 / 4)
    (by show 1 * exp2.exp (1 - 3) + 0 ≤ 1 / 4; decide +kernel) renyiAnalyst _
    (RenyiAnalyst.adm_of_discrete _ _ renyiAnalyst
      ⟨fun _ _ => trivial, fun _ => ⟨fun _ _ => trivial, fun _ => trivial, trivial⟩, trivial⟩
      (by grind : (0 : Rat) ≤ 1) _ (ind_within S)).1
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _) b

/-! ### Groups -/

/-- How many records there are, two at most, in a bit: it is set with probability 1/6, 1/3 or
2/3. -/
def capped : List Unit → FinLaw Rat Bool
  | [] => twoPoint (1 / 6) (by decide +kernel) (by decide +kernel)
  | [_] => twoPoint (1 / 3) (by decide +kernel) (by decide +kernel)
  | _ :: _ :: _ => twoPoint (2 / 3) (by decide +kernel) (by decide +kernel)

theorem capped_one_more (x x' : List Unit) (h : OneMore x x') (f : Bool → Rat)
    (hf : IsTest (Tests.all Rat Bool) f) :
    (capped x).E f ≤ 2 * (capped x').E f ∧ (capped x').E f ≤ 2 * (capped x).E f := by
  have e : x' = () :: x := by
    obtain ⟨l, r, a, rfl, rfl⟩ := h
    induction l with
    | nil => rfl
    | cons b l ih => exact congrArg (() :: ·) ih
  have h1 := hf.nonneg true
  have h2 := hf.nonneg false
  subst e
  rcases x with _ | ⟨_, _ | ⟨_, _⟩⟩ <;> simp only [capped, twoPoint_E] <;> constructor <;> grind

theorem capped_is_dp : IsDP exp2 (addOrRemoveOne Unit) (fun x => (capped x).toLaw) 1 0 := by
  intro x x' hx f hf
  show (capped x).E f ≤ 0 + exp2.exp 1 * (capped x').E f
  rw [exp2_one]
  rcases hx with hx | hx
  · have := (capped_one_more x x' hx f hf).1; grind
  · have := (capped_one_more x' x hx f hf).2; grind

/-- Group privacy at work: `2/3 ≤ 4 * 1/6` for the two records that are there or not, with
equality. -/
theorem group_privacy_is_attained :
    IsDP exp2 ((addOrRemoveOne Unit).group 2) (fun x => (capped x).toLaw) (times 2 1) 0 ∧
    ((addOrRemoveOne Unit).group 2).rel [(), ()] [] ∧
    (capped [(), ()]).E (fun o => if o then 1 else 0)
      = exp2.exp (times 2 1) * (capped []).E (fun o => if o then 1 else 0) := by
  refine ⟨pure_dp_holds_for_groups exp2 _ _ 1 (by decide) capped_is_dp 2,
    ⟨2, Nat.le_refl 2, [()], ⟨[(), ()], rfl, .inr ⟨[], [()], (), rfl, rfl⟩⟩,
      .inr ⟨[], [], (), rfl, rfl⟩⟩, ?_⟩
  simp only [capped, twoPoint_E]
  decide +kernel

/-! ### Bounded range -/

/-- Ranges `2 log 2` and `3 log 2`: the second interval is chosen when the first output is known. -/
def look : RangePlan exp2 [2, 3] :=
  .play 1 (by decide +kernel) (by decide +kernel)
    (.play 1 (by decide +kernel) (by decide +kernel) .done .done)
    (.play 2 (by decide +kernel) (by decide +kernel) .done .done)

theorem look_value : look.value 1 = 11 / 21 := by
  have e1 : exp2.exp (-1) = 1 / 2 := by decide +kernel
  have e2 : exp2.exp (2 - 1) = 2 := by decide +kernel
  have e3 : exp2.exp (3 - 1) = 4 := by decide +kernel
  have e4 : exp2.exp (-2) = 1 / 4 := by decide +kernel
  have e5 : exp2.exp (3 - 2) = 2 := by decide +kernel
  have w1 : highWeight exp2 2 1 = 2 / 3 := by unfold highWeight; decide +kernel
  have w2 : highWeight exp2 3 1 = 6 / 7 := by unfold highWeight; decide +kernel
  have w3 : highWeight exp2 3 2 = 4 / 7 := by unfold highWeight; decide +kernel
  simp only [look, RangePlan.value, posPart, e1, e2, e3, e4, e5, w1, w2, w3]
  rw [if_pos (by decide +kernel), if_neg (by decide +kernel), if_pos (by decide +kernel),
    if_neg (by decide +kernel)]
  decide +kernel

/-- Bounded range at work: mechanisms of two outputs lose 11/21 at `ε = 0`. -/
theorem bounded_ranges_play : ∃ (g : RangeAdversary.{0} exp2 [2, 3]) (f : g.View → Rat), g.Adm f ∧
    (∀ v, 0 ≤ f v) ∧ (∀ v, f v ≤ 1) ∧ g.expect false f = 1 * g.expect true f + 11 / 21 := by
  obtain ⟨g, hA, hg⟩ := every_plan_of_intervals_is_attained exp2 look
  obtain ⟨f, h0, h1, e⟩ := hg 1
  rw [look_value] at e
  exact ⟨g, f, hA f, h0, h1, e⟩

/-- The largest of `F 0, …, F n`. -/
def best (F : Nat → Rat) : Nat → Rat
  | 0 => F 0
  | n + 1 => max2 (best F n) (F (n + 1))

theorem le_best (F : Nat → Rat) {m n : Nat} (h : m ≤ n) : F m ≤ best F n := by
  induction n with
  | zero => rw [Nat.le_zero.mp h]; exact Std.le_refl _
  | succ n ih =>
    rcases Nat.lt_or_ge n m with hlt | hge
    · rw [Nat.le_antisymm h hlt]; exact le_max2_right _ _
    · exact Std.le_trans (ih hge) (le_max2_left _ _)

theorem best_attained (F : Nat → Rat) (n : Nat) : ∃ m, m ≤ n ∧ F m = best F n := by
  induction n with
  | zero => exact ⟨0, Nat.le_refl _, rfl⟩
  | succ n ih =>
    obtain ⟨m, h1, h2⟩ := ih
    rcases max2_eq (best F n) (F (n + 1)) with h | h
    · exact ⟨m, Nat.le_succ_of_le h1, h2.trans h.symm⟩
    · exact ⟨n + 1, Nat.le_refl _, h.symm⟩

/-- The recursion of bounded ranges where the integer `n` stands for `n log 2`. -/
def recursion : List Int → Rat → Rat
  | [], a => posPart (1 - a)
  | ε :: l, a => best (fun n => highWeight exp2 ε n * recursion l (a * exp2.exp (-n))
      + (1 - highWeight exp2 ε n) * recursion l (a * exp2.exp (ε - n))) ε.toNat

theorem le_of_exp2_le {s t : Int} (h : exp2.exp s ≤ exp2.exp t) : s ≤ t := by
  by_cases hlt : t < s
  · have h1 := exp2.exp_mono (t + 1) s hlt
    rw [exp2.exp_add, exp2_one] at h1
    have := exp2.exp_pos t
    grind
  · omega

theorem recursion_is : IsRangeRecursion exp2 recursion where
  done _ _ := rfl
  le ε l a _ t h1 h2 := by
    have h0 : 0 ≤ t := le_of_exp2_le (by rw [exp2_zero]; exact h1)
    obtain ⟨n, rfl⟩ := Int.eq_ofNat_of_zero_le h0
    have h3 := le_of_exp2_le h2
    exact le_best (fun n => highWeight exp2 ε n * recursion l (a * exp2.exp (-n))
      + (1 - highWeight exp2 ε n) * recursion l (a * exp2.exp (ε - n))) (by omega)
  attained ε l a _ hε := by
    obtain ⟨n, h1, h2⟩ := best_attained (fun n => highWeight exp2 ε n * recursion l
        (a * exp2.exp (-n))
      + (1 - highWeight exp2 ε n) * recursion l (a * exp2.exp (ε - n))) ε.toNat
    refine ⟨n, ?_, exp2.exp_mono _ _ (by omega), h2⟩
    have h3 := exp2.exp_mono 0 n (by omega)
    rwa [exp2_zero] at h3

/-! ### Dominating pairs -/

/-- The losses of randomized response: 1 with probability 2/3, and -1. -/
def rrLosses : LossLaw Int Rat := ⟨[(1, 2 / 3), (-1, 1 / 3)], 0⟩

theorem rrLosses_ok : rrLosses.Ok where
  nonneg q hq := by
    simp only [rrLosses, List.mem_cons, List.not_mem_nil, or_false] at hq
    rcases hq with rfl | rfl
    · show (0 : Rat) ≤ 2 / 3
      grind
    · show (0 : Rat) ≤ 1 / 3
      grind
  infinite_nonneg := Std.le_refl _
  total := by
    show (1 : Rat) ≤ 0 + (2 / 3 * 1 + (1 / 3 * 1 + 0))
    grind

theorem exp2_sub_one (s : Int) : exp2.exp (s - 1) = exp2.exp s / 2 := by
  have h := exp2.exp_add (s - 1) 1
  rw [exp2_one, Int.sub_add_cancel] at h
  grind

theorem exp2_add_one (s : Int) : exp2.exp (s - -1) = exp2.exp s * 2 := by
  have e : s - -1 = s + 1 := by omega
  rw [e, exp2.exp_add, exp2_one]

theorem rrLosses_delta (s : Int) : rrLosses.delta exp2 s
    = 2 / 3 * posPart (1 - exp2.exp s / 2) + 1 / 3 * posPart (1 - exp2.exp s * 2) := by
  show (0 : Rat) + (2 / 3 * posPart (1 - exp2.exp (s - 1)) + (1 / 3 *
    posPart (1 - exp2.exp (s - -1)) + 0)) = _
  rw [exp2_sub_one, exp2_add_one]
  grind

theorem rrLosses_dominate (b : Bool) :
    Dominates exp2 rrLosses (rrLog2 b).toLaw (rrLog2 !b).toLaw := fun f hf s => by
  have k : ∀ E q : Rat, 0 ≤ q → q ≤ 1 → q * (1 - E) ≤ posPart (1 - E) := fun E q h0 h1 => by
    have a := mul_le_left (le_posPart (1 - E)) h0
    have b := mul_le_right h1 (posPart_nonneg (1 - E))
    clear hf h0 h1
    grind
  have a := k (exp2.exp s / 2) (f !b) (hf.nonneg _) (hf.le_one _)
  have c := k (exp2.exp s * 2) (f b) (hf.nonneg _) (hf.le_one _)
  rw [rrLosses_delta]
  show (rrLog2 b).E f ≤ _ + _ * (rrLog2 !b).E f
  cases b <;> simp only [rrLog2, twoPoint_E, Bool.not_true, Bool.not_false] at a c ⊢ <;> grind

def dominatedQuery : DominatedQuery.{0} exp2 rrLosses :=
  ⟨Bool, Tests.all Rat Bool, fun b => (rrLog2 b).toLaw, rrLosses_dominate⟩

/-- Two questions, the second whatever the answer to the first is. -/
def twoQuestions : DominatedAnalyst.{0} exp2 [rrLosses, rrLosses] :=
  .round dominatedQuery fun _ => .round dominatedQuery fun _ => .stop

/-- No test of the two answers gains more than the product says. -/
theorem two_answers_are_dominated (f : twoQuestions.View → Rat) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) (s : Int) :
    twoQuestions.expect b f ≤ (LossLaw.productAll [rrLosses, rrLosses]).delta exp2 s
      + exp2.exp s * twoQuestions.expect (!b) f :=
  product_of_dominating_pairs_dominates (fun L hL => by
      simp only [List.mem_cons, List.not_mem_nil, or_false, or_self] at hL
      subst hL
      exact rrLosses_ok)
    twoQuestions f ⟨fun _ => ⟨fun _ => trivial, fun _ => trivial⟩, fun _ => trivial⟩ h0 h1 b s

/-- Whether both answers are `true`. -/
def bothTrue (x y : Bool) : Rat := if x = true ∧ y = true then 1 else 0

/-- And one gains as much: at `log 2` the product has 2/9, which the likeliest answers attain. -/
theorem two_answers_attain_the_product :
    (LossLaw.productAll [rrLosses, rrLosses]).delta exp2 1 = 2 / 9 ∧
    ∃ f : twoQuestions.View → Rat, (∀ v, 0 ≤ f v) ∧ (∀ v, f v ≤ 1) ∧
      twoQuestions.expect false f = 2 / 9 + exp2.exp 1 * twoQuestions.expect true f := by
  constructor
  · have p2 : posPart (1 - exp2.exp (1 - (1 + (1 + 0)))) = (1 / 2 : Rat) := by
      have e : exp2.exp (1 - (1 + (1 + 0))) = (1 / 2 : Rat) := by decide +kernel
      rw [e]
      unfold posPart
      split <;> grind
    have p0 : posPart (1 - exp2.exp (1 - (-1 + (1 + 0)))) = (0 : Rat) := by
      have e : exp2.exp (1 - (-1 + (1 + 0))) = (2 : Rat) := by decide +kernel
      rw [e]
      unfold posPart
      split <;> grind
    have p1 : posPart (1 - exp2.exp (1 - (1 + (-1 + 0)))) = (0 : Rat) := by
      have e : exp2.exp (1 - (1 + (-1 + 0))) = (2 : Rat) := by decide +kernel
      rw [e]
      unfold posPart
      split <;> (clear p2 p0 e; grind)
    have p3 : posPart (1 - exp2.exp (1 - (-1 + (-1 + 0)))) = (0 : Rat) := by
      have e : exp2.exp (1 - (-1 + (-1 + 0))) = (8 : Rat) := by decide +kernel
      rw [e]
      unfold posPart
      split <;> (clear p2 p0 p1 e; grind)
    simp only [LossLaw.productAll, LossLaw.product, LossLaw.delta, rrLosses, addLosses, List.map,
      wsum, List.cons_append, List.nil_append, List.append_nil, p0, p1, p2, p3]
    clear p2 p0 p1 p3
    grind
  · have h : ∀ x y, 0 ≤ bothTrue x y ∧ bothTrue x y ≤ 1 := by decide +kernel
    refine ⟨fun v => bothTrue v.1 v.2.1, fun v => (h _ _).1, fun v => (h _ _).2, ?_⟩
    show (rrLog2 false).E (fun x => (rrLog2 false).E fun y => bothTrue x y)
      = 2 / 9 + exp2.exp 1 * (rrLog2 true).E (fun x => (rrLog2 true).E fun y => bothTrue x y)
    decide +kernel

/-! ### Countable laws and Sparse Vector -/

/-- The integer `n` stands for `n log 2`, and probabilities are real numbers. -/
def realExp2 : ExpLike Int Reals.reals.K where
  exp n := Numerics.ofRat (exp2.exp n)
  exp_zero := by rw [exp2.exp_zero, Numerics.ofRat_one]
  exp_add x y := by rw [exp2.exp_add, Numerics.ofRat_mul]
  exp_pos x := by
    have h := Numerics.ofRat_mul (K := Reals.reals.K) (exp2.exp x) (exp2.exp (-x))
    rw [← exp2.exp_add, (by omega : x + -x = 0), exp2.exp_zero, Numerics.ofRat_one] at h
    have h1 : Numerics.ofRat 0 ≤ (Numerics.ofRat (exp2.exp x) : Reals.reals.K) :=
      Numerics.ofRat_mono (exp2.exp_nonneg x)
    rw [Numerics.ofRat_zero] at h1
    by_cases h2 : (Numerics.ofRat (exp2.exp x) : Reals.reals.K) = 0
    · rw [h2] at h
      grind
    · grind
  exp_mono x y h := Numerics.ofRat_mono (exp2.exp_mono x y h)

theorem realExp2_one : realExp2.exp 1 = 2 := by
  show Numerics.ofRat (exp2.exp 1) = _
  rw [exp2_one, Numerics.ofRat_two]

theorem realExp2_two : realExp2.exp 2 = 4 := by
  have h := realExp2.exp_add 1 1
  rw [realExp2_one] at h
  show realExp2.exp (1 + 1) = 4
  rw [h]
  grind

theorem half_pos : (0 : Reals.reals.K) < 1 / 2 := by grind

theorem half_lt_one : (1 : Reals.reals.K) / 2 < 1 := by grind

/-- Noise with `Pr(z) = 2^{-|z|} / 3`, for queries of sensitivity 1: `e^{ε_1} = 2` and
`e^{ε_2/c} = 4`. -/
def noise : SvtNoise realExp2 Int :=
  geometricNoise Reals.reals_are_complete realExp2 1 1 2 (1 / 2) (1 / 2) half_pos half_lt_one
    half_pos
    half_lt_one (by rw [realExp2_one]; simp only [pow]; grind)
    (by rw [realExp2_two]; simp only [pow]; grind)

/-- The database is a bit, and the query returns it. -/
def bit (x : Bool) : Int := if x then 1 else 0

theorem bit_sensitivity (x x' : Bool) (_ : bitNeighbours.rel x x') : bit x - bit x' ≤ 1 := by
  cases x <;> cases x' <;> decide

/-- Is the bit at least 1? -/
def asker : SvtAnalyst Reals.reals.K bitNeighbours (1 : Int) :=
  .ask bit bit_sensitivity 1 fun _ => .stop

theorem geometric_half (f : Int → Reals.reals.K) (hf : IsBounded f) (a b : Reals.reals.K)
    (h : ∀ n, geometricWeight (1 / 2) n * f (Int.ofNat n)
        + (geometricWeight (1 / 2) (n + 1) * f (Int.negSucc n) + 0)
      = a * (pow (1 / 2) n * pow (1 / 2) n) + b * pow (1 / 2) n) :
    (geometric Reals.reals_are_complete (1 / 2) half_pos half_lt_one).E f = 4 / 3 * a + 2 * b := by
  let p := geometric Reals.reals_are_complete (1 / 2 : Reals.reals.K) half_pos half_lt_one
  have hs : ∀ n, p.sum f n = 4 / 3 * a + 2 * b + (-(4 / 3 * a) * pow (1 / 4) n
      + -(2 * b) * pow (1 / 2) n) := fun n => by
    induction n with
    | zero => show 0 = 4 / 3 * a + 2 * b + (-(4 / 3 * a) * 1 + -(2 * b) * 1); grind
    | succ n ih =>
      have e : pow (1 / 4 : Reals.reals.K) n = pow (1 / 2) n * pow (1 / 2) n := by
        clear ih
        induction n with
        | zero => show 1 = 1 * 1; grind
        | succ n ih => show 1 / 4 * _ = 1 / 2 * _ * (1 / 2 * _); grind
      show p.sum f n + _ = 4 / 3 * a + 2 * b + (-(4 / 3 * a) * (1 / 4 * pow (1 / 4) n)
        + -(2 * b) * (1 / 2 * pow (1 / 2) n))
      have h' := h n
      rw [e] at ih ⊢
      rw [ih]
      show _ + (geometricWeight (1 / 2) n * f (Int.ofNat n)
        + (geometricWeight (1 / 2) (n + 1) * f (Int.negSucc n) + 0)) = _
      rw [h']
      clear hf h ih e h'
      grind
  have t1 := (pow_tends Reals.reals_are_complete (by grind : (0 : Reals.reals.K) < 1 / 4)
    (by clear hf h hs; grind)).smul (-(4 / 3 * a))
  have t2 := (pow_tends Reals.reals_are_complete half_pos half_lt_one).smul (-(2 * b))
  have t := (Tends.const (4 / 3 * a + 2 * b)).add (t1.add t2)
  have e : (fun n => 4 / 3 * a + 2 * b + (-(4 / 3 * a) * pow (1 / 4) n + -(2 * b) * pow (1 / 2) n))
      = p.sum f := by
    funext n
    rw [hs]
  rw [e] at t
  have u := (p.tends Reals.reals_are_complete hf).unique t
  show p.E f = _
  rw [u]
  clear hf h hs t1 t2 t e u
  grind

theorem answer_given_noise (x : Bool) (z : Int) :
    svtGiven noise x z asker 1 (fun as => ind (as = [true])) = noise.tail (1 + z - bit x) := by
  have e1 : (ind ([true] = [true]) : Reals.reals.K) = 1 := ind_true rfl
  have e2 : (ind ([false] = [true]) : Reals.reals.K) = 0 := ind_false (by decide)
  show noise.tail (1 + z - bit x) * ind ([true] = [true])
    + (1 - noise.tail (1 + z - bit x)) * ind ([false] = [true]) = _
  rw [e1, e2]
  grind

/-- **Sparse Vector at work**: `⊤` has the probability 11/27 where the bit is 0 and 16/27 where it
is 1, and Lemma 8 allows a factor of `e^{ε_1 + ε_2} = 8` for `⊤` and of `e^{ε_1} = 2` for `⊥`. -/
theorem sparse_vector_plays :
    (svtLaw noise 1 asker false).E (fun as => ind (as = [true])) = 11 / 27 ∧
    (svtLaw noise 1 asker true).E (fun as => ind (as = [true])) = 16 / 27 := by
  have tail : ∀ k : Nat, noise.tail (k : Int) = pow (1 / 2) k / (1 + 1 / 2) :=
    geometric_tail Reals.reals_are_complete (1 / 2) half_pos half_lt_one
  have tail' : ∀ k : Nat, noise.tail (-(k : Int)) = 1 - pow (1 / 2) (k + 1) / (1 + 1 / 2) :=
    geometric_tail_of_neg Reals.reals_are_complete (1 / 2) half_pos half_lt_one
  have bounded : ∀ s : Int, IsBounded fun z => noise.tail (1 + z - s) := fun s =>
    ⟨1, by grind, fun z => by
      have := noise.tail_nonneg (1 + z - s)
      have := noise.tail_le_one (1 + z - s)
      constructor <;> grind⟩
  constructor
  · show (geometric Reals.reals_are_complete (1 / 2) half_pos half_lt_one).E _ = _
    rw [funext fun z => answer_given_noise false z,
      geometric_half _ (bounded (bit false)) (1 / 18) (1 / 6) fun n => ?_]
    · clear tail tail' bounded; grind
    · have e1 : 1 + Int.ofNat n - bit false = ((n + 1 : Nat) : Int) := by
        show 1 + (n : Int) - 0 = _
        omega
      have e2 : 1 + Int.negSucc n - bit false = -(n : Int) := by
        show 1 + Int.negSucc n - 0 = _
        omega
      rw [e1, e2, tail, tail']
      simp only [geometricWeight, pow]
      clear tail tail' bounded e1 e2
      grind
  · show (geometric Reals.reals_are_complete (1 / 2) half_pos half_lt_one).E _ = _
    rw [funext fun z => answer_given_noise true z,
      geometric_half _ (bounded (bit true)) (7 / 36) (1 / 6) fun n => ?_]
    · clear tail tail' bounded; grind
    · have e1 : 1 + Int.ofNat n - bit true = (n : Int) := by
        show 1 + (n : Int) - 1 = _
        omega
      have e2 : 1 + Int.negSucc n - bit true = -((n + 1 : Nat) : Int) := by
        show 1 + Int.negSucc n - 1 = _
        omega
      rw [e1, e2, tail, tail']
      simp only [geometricWeight, pow]
      clear tail tail' bounded e1 e2
      grind

/-- A round with a countable law: the bit with geometric noise is `(log 2, 0)`-DP. -/
def geometricQuery : Query.{0} realExp2 where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Int
  tests := Tests.bounded Reals.reals.K Int
  mech := geometricMechanism Reals.reals_are_complete (1 / 2) half_pos half_lt_one bit
  C := Unit
  cell _ := ()
  eps _ := 1
  delta := 0
  odp := dp_is_odp_with_constant_cost realExp2 bitNeighbours _ 1 0 (fun _ => ())
    (geometric_mechanism_is_dp Reals.reals_are_complete realExp2 bitNeighbours (1 / 2) half_pos
      half_lt_one bit 1 1 (by rw [realExp2_one]; simp only [pow]; grind) bit_sensitivity)

def geometricAdversary : Adversary.{0} realExp2 (1 : Int) (0 : Reals.reals.K) :=
  .query geometricQuery (fun _ => by show (1 : Int) ≤ 1; decide)
    (by show (0 : Reals.reals.K) ≤ 0; grind)
    fun _ => .stop

/-- Theorem 7 for a game of countable laws over the real numbers: every set of views, and no
hypothesis of measurability. -/
theorem countable_laws_compose (S : geometricAdversary.View → Prop) :
    geometricAdversary.expect false (fun v => ind (S v))
      ≤ realExp2.exp 1 * geometricAdversary.expect true (fun v => ind (S v)) + 0 :=
  (composition_of_discrete_laws_is_private (by decide) (by grind) geometricAdversary
    ⟨Tests.bounded_discrete, fun _ => trivial⟩ S).1

/-! ### The rest -/

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

/-- Theorem 2 of Whitehouse et al. over the real numbers, where nothing is left to ask of the field:
with `L = log (1/δ')` and `s = √(2 L V)`, the filter that lets requests through while `∑ ε² ≤ V` and
`∑ δ_i ≤ δ` is `(s + V/2, δ + (1 - δ) δ')`-private. -/
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
  have hLV := mul_nonneg' (by clear hV hδ hδ1 h' h'1 hx; grind : 0 ≤ 2 * -x) hV
  obtain ⟨s, hs, hss⟩ := Reals.reals_have_roots (2 * -x * V) hLV
  have e : - -x = x := by clear hV hδ hδ1 h' h'1 hx hL hLV hs hss; grind
  refine ⟨-x, s, by rw [e]; exact hx, hs, hss, fun g f hf h0 h1 b => ?_⟩
  have h := dp_filter_is_private Reals.reals_are_archimedean V δ (-x) s (s + V / 2) hV hδ hδ1 hs hss
    (by clear hV hδ hδ1 h' h'1 hx hL hLV hs hss e hf h0 h1; grind) g f hf h0 h1 b
  rw [e, hx] at h
  exact h

/-- The same for finite and countable laws: every set of views, and nothing is left to ask. -/
theorem dp_filter_over_the_reals_for_countable_laws (V δ δ' : Reals.reals.K) (hV : 0 ≤ V)
    (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (h' : 0 < δ') (h'1 : δ' ≤ 1) :
    ∃ L s : Reals.reals.K, Reals.reals.exp (-L) = δ' ∧ 0 ≤ s ∧ s * s = 2 * L * V ∧
      ∀ (g : DpAnalyst.{u} (expFieldLike Reals.reals)), g.Discrete →
        ∀ (S : g.View → Prop) (b : Bool),
        DpAnalyst.expect (squaresFilter V δ) b (squaresStart V δ) g (fun v => ind (S v))
          ≤ δ + (1 - δ) * δ' + Reals.reals.exp (s + V / 2)
            * DpAnalyst.expect (squaresFilter V δ) (!b) (squaresStart V δ) g fun v =>
              ind (S v) := by
  obtain ⟨L, s, hL, hs, hss, h⟩ := dp_filter_over_the_reals.{u} V δ δ' hV hδ hδ1 h' h'1
  exact ⟨L, s, hL, hs, hss, fun g hg S b => h g _
    (DpAnalyst.adm_of_discrete _ _ g hg (by grind : (0 : Reals.reals.K) ≤ 1) _ (ind_within S)).1
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _) b⟩

/-- **Lemma 8 over the real numbers**, where nothing is left to ask of the field or the noise: with
discrete Laplace noise of the scales of Alg. 2 and integer queries of sensitivity `Δ`, answers with
`c'` times `⊤` cost `ε_1 + (c'/c) ε_2`. -/
theorem sparse_vector_over_the_reals (Δ c : Nat) (hΔ : 0 < Δ) (hc : 0 < c) (ε1 ε2 : Reals.reals.K)
    (h1 : 0 < ε1) (h2 : 0 < ε2) {D : Type} (nbr : Neighbours D)
    (g : SvtAnalyst Reals.reals.K nbr (Δ : Int)) :
    IsODP (expFieldLike Reals.reals) nbr
      (svtLaw (discreteLaplaceNoise Reals.reals Reals.reals_are_complete Δ c hΔ hc ε1 ε2 h1 h2) c g)
        tops
      (fun c' => ε1 + natK c' / natK c * ε2) 0 :=
  (svt_with_discrete_laplace_noise_is_odp Reals.reals Reals.reals_are_complete Δ c hΔ hc ε1 ε2 h1 h2
    nbr
    g).1

/-- An analyst of one round of discrete Gaussian noise: a count that the record changes, and where
the answer was positive the same count again. -/
noncomputable def noisyCounts : GaussianAnalyst Reals.reals [⟨4, 2⟩] :=
  .ask (by decide +kernel) (fun b => cond b 1 0) 1 (by decide) fun o =>
    if 0 < o then
      .ask (by decide +kernel) (fun b => cond b 1 0) 0 (by decide) fun _ => .stop
    else .close .stop

/-- What the theorem says of that analyst: every set of views is
`(4, 10^{-6})`-indistinguishable. -/
theorem noisy_counts_are_private (S : noisyCounts.View → Prop) (b : Bool) :
    noisyCounts.pr Reals.reals_are_complete b S
      ≤ Reals.reals.exp (Numerics.ofRat 4) * noisyCounts.pr Reals.reals_are_complete (!b) S
        + Numerics.ofRat (mkRat 1 (10 ^ 6)) :=
  checked_rounds_are_private 8 (k := 64) (p := 200) (U := mkRat (-58891517) 500000000)
    (by decide +kernel) (by decide +kernel) noisyCounts S b

theorem noisySum_fits : DiscreteNoise.inner Reals.reals (Numerics.ofRat (mkRat 1 200)) 1 1
    ≤ Numerics.ofRat (mkRat 1 100) := by
  have e : (mkRat 1 100 : Rat) = mkRat 1 200 + mkRat 1 200 := by decide +kernel
  rw [e, Numerics.ofRat_add]
  unfold DiscreteNoise.inner
  rw [Lean.Grind.Ring.intCast_one]
  grind

/-- An analyst of stochastic gradient descent on integers: one step, in which the record adds 1 to
the answer and the noise has `σ = 10`. -/
def noisySum : SgdAnalyst (discreteGaussianNoise Reals.reals Reals.reals_are_complete
    (Numerics.ofRat (mkRat 1 200)) (Numerics.ofRat_pos (by decide +kernel)))
    (Numerics.ofRat (mkRat 1 100)) 875 :=
  .step Unit (FinLaw.dirac ()) (fun _ => 0) (fun _ => 1) (fun _ => noisySum_fits) fun _ => .stop

/-- What the theorem says of that analyst. -/
theorem noisy_sum_is_private
    {h0 : 0 ≤ (Numerics.ofRat (mkRat 4096 50000) : Reals.reals.K)}
    {h1 : (Numerics.ofRat (mkRat 4096 50000) : Reals.reals.K) ≤ 1}
    (S : noisySum.View → Prop) (b : Bool) :
    SgdAnalyst.expect (Numerics.ofRat (mkRat 4096 50000)) h0 h1 b noisySum (fun v => ind (S v))
      ≤ Reals.reals.exp (Numerics.ofRat 1)
          * SgdAnalyst.expect (Numerics.ofRat (mkRat 4096 50000)) h0 h1 (!b) noisySum
            (fun v => ind (S v))
        + Numerics.ofRat (mkRat 1 (10 ^ 5)) :=
  Sgd.cifar10_with_discrete_noise noisySum S b

/-- An analyst of one round of discrete Gaussian noise, who asks one count that the record
changes. -/
def noisyCount : GaussianAnalyst Reals.reals [⟨4, 2⟩] :=
  .ask (by decide +kernel) (fun b => cond b 1 0) 1 (by decide) fun _ => .stop

/-- The two databases' views have different laws: with the record an answer of 0 is
`e^{-1/(2 σ²)}` times as likely. -/
theorem noisy_count_plays :
    noisyCount.pr Reals.reals_are_complete true (fun v => v.1 = 0)
      = Reals.reals.exp (-GaussianRound.rate Reals.reals ⟨4, 2⟩)
        * noisyCount.pr Reals.reals_are_complete false (fun v => v.1 = 0) := by
  have hτ := GaussianRound.rate_pos Reals.reals ⟨4, 2⟩ (by decide +kernel)
  show (discreteGaussian Reals.reals Reals.reals_are_complete _ hτ 1).E (fun o => ind (o = 0))
    = _ * (discreteGaussian Reals.reals Reals.reals_are_complete _ hτ 0).E (fun o => ind (o = 0))
  generalize GaussianRound.rate Reals.reals ⟨4, 2⟩ = r at hτ
  have bounded : IsBounded fun o : Int => (ind (o = 0) : Reals.reals.K) := ⟨1, by grind, fun o => by
    have h1 := ind_nonneg (K := Reals.reals.K) (o = 0)
    have h2 := ind_le_one (K := Reals.reals.K) (o = 0)
    constructor <;> grind⟩
  have e : (fun o : Int => Reals.reals.exp (-gaussianLoss Reals.reals r 0 1 o)
      * (ind (o = 0) : Reals.reals.K)) = fun o => Reals.reals.exp (-r) * ind (o = 0) := by
    funext o
    by_cases h : o = 0
    · subst h
      have : gaussianLoss Reals.reals r 0 1 0 = r := by
        unfold gaussianLoss
        rw [Lean.Grind.Ring.intCast_zero, Lean.Grind.Ring.intCast_one]
        grind
      rw [this]
    · rw [ind_false h]
      clear hτ bounded h
      grind
  have t := discreteGaussian_tilted Reals.reals Reals.reals_are_complete r hτ 0 1 _ bounded
  rw [e, funext ((discreteGaussian Reals.reals Reals.reals_are_complete r hτ 0).sum_smul _ _)] at t
  exact t.unique (((discreteGaussian Reals.reals Reals.reals_are_complete r hτ 0).tends
    Reals.reals_are_complete bounded).smul _)

/-! ### Rounds of several kinds -/

/-- Two questions about the bit, the second after the toss of a coin: one is counted by its `ε`, one
by its moment at the order 2. -/
def mixedAnalyst : MixedAnalyst.{0} exp2 orderTwo [.dp 1 0, .renyi (fun _ => 1) 0] :=
  .dp dpRequest fun _ => .coin Bool (Tests.all Rat Bool) (rrLog2 true).toLaw fun _ =>
    .renyi renyiQuery fun _ => .stop

/-- Both answers are the bit 1. -/
def twiceTrue : mixedAnalyst.View → Rat :=
  fun (v : (_ : Bool) × (_ : Bool) × (_ : Bool) × PUnit) => cond (v.1 && v.2.2.1) 1 0

theorem mixed_rounds_play (b : Bool) :
    mixedAnalyst.expect b twiceTrue = if b then 1 / 9 else 4 / 9 := by
  show ((rrLog2 b).E fun o => (rrLog2 true).E fun s => (rrLog2 b).E fun o' =>
    cond (o && o') 1 0) = _
  cases b <;>
    simp only [rrLog2, twoPoint_E, Bool.and_false, Bool.and_true, cond_true, cond_false] <;> grind

theorem mixedAnalyst_is_measurable (f : mixedAnalyst.View → Rat) : mixedAnalyst.Adm f :=
  ⟨fun _ => ⟨fun _ => ⟨fun _ => trivial, fun _ => trivial⟩, fun _ => trivial⟩, fun _ => trivial⟩

/-- What the theorem says of it, with nothing left to assume: an `ε`-DP round costs at most `ε` at
the order 2, so both cost 2, and any test of the view loses at most `2^s` and `2^(2 - s)` on top. -/
theorem mixed_rounds_are_bounded (f : mixedAnalyst.View → Rat) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) (s : Int) :
    mixedAnalyst.expect b f ≤ exp2.exp (2 - s) + exp2.exp s * mixedAnalyst.expect (!b) f := by
  have cost (ε : Int) (h : 0 ≤ ε) :
      exp2.exp (ε + ε) + exp2.exp (-ε) ≤ (1 + exp2.exp ε) * exp2.exp ε := by
    have := exp2.exp_mono (-ε) ε (by omega)
    rw [exp2.exp_add]
    clear h0 h1 h
    grind
  have tail (t : Int) : 1 - exp2.exp t ≤ 1 * exp2.exp (-t) := by
    have e := exp2.exp_add t (-t)
    rw [Int.add_right_neg, exp2_zero] at e
    have p := exp2.exp_pos t
    have q := exp2.exp_pos (-t)
    generalize exp2.exp t = y at *
    generalize exp2.exp (-t) = z at *
    by_cases h : y < 1
    · have := Lean.Grind.OrderedRing.mul_pos (by clear h0 h1 cost p q e; grind : 0 < 1 - y) q
      clear h0 h1 cost q h
      grind
    · clear h0 h1 cost p e; grind
  have h := MixedAnalyst.bound (X := exp2) (R := orderTwo) () (c := fun ε => ε) cost
    (κ := 1) (by clear h0 h1 cost tail; grind) tail (l := [.dp 1 0, .renyi (fun _ => 1) 0])
    (by
      intro r hr
      simp only [List.mem_cons, List.not_mem_nil, or_false] at hr
      rcases hr with hr | hr <;> subst hr <;> exact Std.le_refl _)
    (by show (0 : Rat) + (0 + 0) ≤ 1; decide +kernel) mixedAnalyst f
    (mixedAnalyst_is_measurable f) h0 h1 b s
  have m : mixedMass (R := orderTwo) [.dp 1 0, .renyi (fun _ => 1) (0 : Rat)] = 0 := by
    show (0 : Rat) + (0 + 0) = 0
    decide +kernel
  have c : mixedCost (K := Rat) (R := orderTwo) (fun ε => ε) () [.dp 1 0, .renyi (fun _ => 1) 0]
      - orderTwo.scale () s = 2 - s := by
    show ((0 : Int) + 1) + 1 - s = 2 - s
    omega
  rw [m, c] at h
  clear h0 h1 cost tail m c
  grind

/-! ### Rounds that a ledger lists -/

/-- The bit in one of ten cases, and nothing in the other nine: `(0, 1/10)`-DP. -/
def rarely (x : Bool) : FinLaw Reals.reals.K (Option Bool) where
  list := [(some x, 1 / 10), (none, 9 / 10)]
  nonneg q hq := by
    simp only [List.mem_cons, List.not_mem_nil, or_false] at hq
    rcases hq with hq | hq <;> subst hq <;> grind
  total := by simp only [wsum]; grind

theorem rarely_E (x : Bool) (f : Option Bool → Reals.reals.K) :
    (rarely x).E f = 1 / 10 * f (some x) + 9 / 10 * f none := by
  show 1 / 10 * f (some x) + (9 / 10 * f none + 0) = _
  grind

def rareRequest : DpRequest.{0} (expFieldLike Reals.reals) where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := bits_are_neighbours
  O := Option Bool
  tests := Tests.all Reals.reals.K _
  mech x := (rarely x).toLaw
  eps := 0
  delta := 1 / 10
  eps_nonneg := Std.le_refl _
  delta_nonneg := by grind
  dp x x' _ f hf := by
    show (rarely x).E f ≤ 1 / 10 + (expFieldLike Reals.reals).exp 0 * (rarely x').E f
    have h1 := hf.le_one (some x)
    have h2 := hf.nonneg (some x')
    rw [rarely_E, rarely_E, (expFieldLike Reals.reals).exp_zero]
    grind

theorem tenth_nonneg : (0 : Reals.reals.K) ≤ 1 / 10 := by grind

theorem tenth_le_one : (1 : Reals.reals.K) / 10 ≤ 1 := by grind

/-- One record, which is certain. -/
def certain : FinLaw Reals.reals.K Unit where
  list := [((), 1)]
  nonneg q hq := by
    simp only [List.mem_cons, List.not_mem_nil, or_false] at hq
    subst hq
    grind
  total := by simp only [wsum]; grind

/-- Noise of the standard deviation 1 on the integers. -/
def unitNoise : GaussianNoise Reals.reals Int :=
  discreteGaussianNoise Reals.reals Reals.reals_are_complete (1 / 2) half_pos

section

attribute [local instance] _root_.Lean.Grind.Ring.intCast

/-- The sum of a sample that has the record in one of ten cases, with noise. -/
def sampledRound : ListedQuery.{0} Reals.reals (expFieldLike Reals.reals) (.sampled (1 / 10) 1) :=
  .sampled Int unitNoise (1 / 10) 1 tenth_nonneg tenth_le_one Unit certain (fun _ => 0)
    (fun _ => 1) fun _ => by
      show 2 * (1 / 2) * (((1 : Int) : Reals.reals.K) * ((1 : Int) : Reals.reals.K)) ≤ 1
      grind

/-- The bit at times, and then the sum of a sample that has the record in one of ten cases. -/
def listedAnalyst : ListedAnalyst.{0} Reals.reals (expFieldLike Reals.reals)
    [.dp 0 (1 / 10), .sampled (1 / 10) 1] :=
  .ask (.dp rareRequest) fun _ => .ask sampledRound fun _ => .stop

/-- Every bounded function of this view is measurable. -/
theorem listedAnalyst_is_measurable (f : listedAnalyst.View → Reals.reals.K) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) : listedAnalyst.Adm f :=
  ⟨fun x => ⟨fun _ => trivial, fun _ => ⟨1, by grind, fun o => by
    let v : (_ : Option Bool) × (_ : Int) × PUnit := ⟨x, ⟨o, PUnit.unit⟩⟩
    have a := h0 v
    have c := h1 v
    show -1 ≤ f v ∧ f v ≤ 1
    constructor <;> grind⟩⟩, fun _ => trivial⟩

/-- The first answer is the bit 1. -/
def rarelyTrue : listedAnalyst.View → Reals.reals.K :=
  fun (v : (_ : Option Bool) × (_ : Int) × PUnit) => cond (v.1 == some true) 1 0

theorem listed_rounds_play (b : Bool) :
    listedAnalyst.expect b rarelyTrue = if b then 1 / 10 else 0 := by
  have one (o : Option Bool) : (ListedQuery.law sampledRound b).E
      (fun _ => (cond (o == some true) 1 0 : Reals.reals.K)) = cond (o == some true) 1 0 :=
    Law.E_const _ _
  show ((rarely b).E fun o => (ListedQuery.law sampledRound b).E
    fun _ => (cond (o == some true) 1 0 : Reals.reals.K)) = _
  simp only [one, rarely_E]
  cases b <;> simp <;> grind

end

end PrivRef.Example
