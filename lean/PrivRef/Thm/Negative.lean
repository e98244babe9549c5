module

public import PrivRef.Spec.Negative
public import PrivRef.Thm.Odp

/-!
Two ways of getting Alg. 1 wrong, with exact witnesses over the rationals (`exp n = 2 ^ n`, so that
the integer `1` stands for `log 2`).
-/

@[expose] public section

namespace PrivRef

theorem exp2_zero : exp2.exp 0 = 1 := exp2.exp_zero

theorem exp2_one : exp2.exp 1 = 2 := by decide +kernel

/-- Different bits are neighbours. -/
def bitNeighbours : Neighbours Bool where
  rel x x' := x ≠ x'
  symm _ _ h := h.symm

/-- A law on two points. -/
noncomputable def twoPoint (p : Rat) (h0 : 0 ≤ p) (h1 : p ≤ 1) : FinLaw Rat Bool where
  list := [(true, p), (false, 1 - p)]
  nonneg := by
    intro q hq
    simp only [List.mem_cons, List.not_mem_nil, or_false] at hq
    rcases hq with hq | hq <;> subst hq <;> grind
  total := by simp only [wsum]; grind

theorem twoPoint_E (p : Rat) (h0 : 0 ≤ p) (h1 : p ≤ 1) (f : Bool → Rat) :
    (twoPoint p h0 h1).E f = p * f true + (1 - p) * f false := by
  show p * f true + ((1 - p) * f false + 0) = _
  grind

/-- Randomized response with loss `log 2`: the true bit with probability `2/3`. -/
noncomputable def rrLog2 (x : Bool) : FinLaw Rat Bool :=
  match x with
  | false => twoPoint (2 / 3) (by decide +kernel) (by decide +kernel)
  | true => twoPoint (1 / 3) (by decide +kernel) (by decide +kernel)

theorem rrLog2_odp :
    IsODPSet exp2 bitNeighbours rrLog2 (fun _ => ()) (fun _ => (1 : Int)) 0 := by
  rw [odp_set_form_iff_functional_form]
  refine ⟨trivial, fun x x' hx f hf => ?_⟩
  show (rrLog2 x).E f ≤ 0 + (rrLog2 x').E fun o => exp2.exp 1 * f o
  have h1 := hf.nonneg true
  have h2 := hf.nonneg false
  rw [exp2_one]
  cases x <;> cases x' <;> simp only [rrLog2, twoPoint_E]
  · exact absurd rfl hx
  · grind
  · grind
  · exact absurd rfl hx

/-- The query of the witness: randomized response with loss `log 2`, one cell. -/
noncomputable def rrQuery : FinQuery.{0} exp2 where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := by intro h; exact absurd h (by decide)
  O := Bool
  mech := rrLog2
  C := Unit
  cell _ := ()
  eps _ := 1
  delta := 0
  odp := rrLog2_odp

/-- Two rounds of randomized response under the rule of lines 7 and 8 as printed: the first round
leaves the budget `log 2`, so the second is admitted. -/
noncomputable def assignAdversary : FinAdversary.{0} exp2 (Rule.assign (A := Int) (K := Rat)) 1 0 :=
  .query rrQuery (fun _ => Int.le_refl 1) (Rat.le_refl) fun _ =>
    .query rrQuery (fun _ => Int.le_refl 1) (Rat.le_refl) fun _ => .stop

/-- **Assignment instead of subtraction breaks Theorem 7** (Hartmann et al. 2022, Alg. 1, lines 7
and 8 as printed).  With `ε_r = E_i(P_{i,k})` in place of `ε_r -= E_i(P_{i,k})` two rounds of
randomized response with loss `log 2` pass at the budget `(log 2, 0)`, and a set of views has
probability `4/9` against `1/9`: the inequality of Theorem 7 fails by `2/9`. -/
theorem assignment_instead_of_subtraction_breaks_composition :
    ∃ (g : FinAdversary.{0} exp2 (Rule.assign (A := Int) (K := Rat)) 1 0) (S : g.View → Prop),
      g.pr false S = 4 / 9 ∧ g.pr true S = 1 / 9 ∧
      exp2.exp 1 * g.pr true S + 0 < g.pr false S := by
  let S : (_ : Bool) × (_ : Bool) × PUnit.{1} → Prop := fun v => v.1 = true ∧ v.2.1 = true
  obtain ⟨F, hF⟩ : ∃ F : Bool → Bool → Rat, F = fun o o' => ind (o = true ∧ o' = true) := ⟨_, rfl⟩
  have tt : F true true = 1 := by rw [hF]; exact ind_true ⟨rfl, rfl⟩
  have tf : F true false = 0 := by rw [hF]; exact ind_false (by simp)
  have ft : F false true = 0 := by rw [hF]; exact ind_false (by simp)
  have ff : F false false = 0 := by rw [hF]; exact ind_false (by simp)
  have e : ∀ b, assignAdversary.pr b S
      = (rrLog2 b).E fun o => (rrLog2 b).E fun o' => F o o' := by
    intro b
    rw [hF]
    rfl
  have e0 : assignAdversary.pr false S = 4 / 9 := by
    rw [e]
    simp only [rrLog2, twoPoint_E, tt, tf, ft, ff]
    decide +kernel
  have e1 : assignAdversary.pr true S = 1 / 9 := by
    rw [e]
    simp only [rrLog2, twoPoint_E, tt, tf, ft, ff]
    decide +kernel
  refine ⟨assignAdversary, S, e0, e1, ?_⟩
  rw [e0, e1, exp2_one]
  decide +kernel

/-- First mechanism of the witness: on `0` the outputs `a` (`true`) and `c` (`false`) with
probability `1/2` each, on `1` always `c`. -/
noncomputable def cellMech (x : Bool) : FinLaw Rat Bool :=
  match x with
  | false => twoPoint (1 / 2) (by decide +kernel) (by decide +kernel)
  | true => twoPoint 0 (by decide +kernel) (by decide +kernel)

/-- The costs: nothing for `a`, `log 2` for `c`. -/
def cellEps : Bool → Int
  | true => 0
  | false => 1

/-- The cell-dependent `Δ`: `1/2` for `a`, nothing for `c`. -/
def cellDelta : Bool → Rat
  | true => 1 / 2
  | false => 0

theorem cellMech_subset (c : Bool) :
    IsSubsetDPSet exp2 bitNeighbours cellMech (fun o => o = c) (cellEps c) (cellDelta c) := by
  rw [subset_dp_set_form_iff_functional_form]
  intro x x' hx f hf hR
  show (cellMech x).E f ≤ cellDelta c + exp2.exp (cellEps c) * (cellMech x').E f
  have h1 := hf.nonneg true
  have h2 := hf.nonneg false
  have h3 := hf.le_one true
  have h4 := hf.le_one false
  cases c
  · have := hR true (by simp)
    simp only [cellEps, cellDelta, exp2_one]
    cases x <;> cases x' <;> simp only [cellMech, twoPoint_E] <;>
      first | exact absurd rfl hx | grind
  · have := hR false (by simp)
    simp only [cellEps, cellDelta, exp2_zero]
    cases x <;> cases x' <;> simp only [cellMech, twoPoint_E] <;>
      first | exact absurd rfl hx | grind

theorem cellMech_odp :
    IsODPSet exp2 bitNeighbours cellMech (fun o => o) cellEps (1 / 2) := by
  rw [odp_set_form_iff_functional_form]
  refine ⟨trivial, fun x x' hx f hf => ?_⟩
  show (cellMech x).E f ≤ 1 / 2 + (cellMech x').E fun o => exp2.exp (cellEps o) * f o
  have h1 := hf.nonneg true
  have h2 := hf.nonneg false
  have h3 := hf.le_one true
  have h4 := hf.le_one false
  cases x <;> cases x' <;>
    simp only [cellMech, twoPoint_E, cellEps, exp2_one, exp2_zero] <;>
      first | exact absurd rfl hx | grind

theorem cellMech_dp (c : Unit) :
    IsSubsetDPSet exp2 bitNeighbours cellMech (fun _ => () = c) 0 (1 / 2) := by
  rw [subset_dp_set_form_iff_functional_form]
  intro x x' hx f hf _
  show (cellMech x).E f ≤ 1 / 2 + exp2.exp 0 * (cellMech x').E f
  have h1 := hf.nonneg true
  have h2 := hf.nonneg false
  have h3 := hf.le_one true
  have h4 := hf.le_one false
  rw [exp2_zero]
  cases x <;> cases x' <;> simp only [cellMech, twoPoint_E] <;>
    first | exact absurd rfl hx | grind

theorem cellMech_odp_trivial :
    IsODPSet exp2 bitNeighbours cellMech (fun _ => ()) (fun _ => (0 : Int)) (1 / 2) := by
  rw [odp_set_form_iff_functional_form]
  refine ⟨trivial, fun x x' hx f hf => ?_⟩
  show (cellMech x).E f ≤ 1 / 2 + (cellMech x').E fun o => exp2.exp 0 * f o
  have h1 := hf.nonneg true
  have h2 := hf.nonneg false
  have h3 := hf.le_one true
  have h4 := hf.le_one false
  rw [exp2_zero]
  cases x <;> cases x' <;> simp only [cellMech, twoPoint_E] <;>
    first | exact absurd rfl hx | grind

/-- First round of the witness. -/
noncomputable def cellQuery1 : CellQuery.{0} exp2 where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := by intro h; exact absurd h (by decide)
  O := Bool
  mech := cellMech
  C := Bool
  cell o := o
  eps := cellEps
  delta := cellDelta
  total := 1 / 2
  subset := cellMech_subset
  odp := cellMech_odp

/-- Second round of the witness: the same laws as a plain `(0, 1/2)`-DP mechanism. -/
noncomputable def cellQuery2 : CellQuery.{0} exp2 where
  D := Bool
  nbr := bitNeighbours
  x b := b
  neighbours := by intro h; exact absurd h (by decide)
  O := Bool
  mech := cellMech
  C := Unit
  cell _ := ()
  eps _ := 0
  delta _ := 1 / 2
  total := 1 / 2
  subset := cellMech_dp
  odp := cellMech_odp_trivial

/-- The witness: after `a` stop; after `c`, which was charged `(log 2, 0)`, ask a `(0, 1/2)`-DP
mechanism. -/
noncomputable def cellAdversary : CellAdversary.{0} exp2 (1 : Int) (1 / 2 : Rat) :=
  .query cellQuery1 (by intro c; cases c <;> decide) (by intro c; cases c <;> decide +kernel)
    Rat.le_refl fun o =>
      match o with
      | true => .stop
      | false => .query cellQuery2 (fun _ => show (0 : Int) ≤ 1 - 1 by decide)
          (fun _ => show (1 / 2 : Rat) ≤ 1 / 2 - 0 by decide +kernel)
          (show (1 / 2 : Rat) ≤ 1 / 2 - 0 by decide +kernel) fun _ => .stop

/-- **`δ` must not depend on the cell** (Hartmann et al. 2022, Sec. 3.2, where the counterexample is
announced but not printed).  Charging the cell's own `Δ(P_k)` in line 8 of Alg. 1 breaks Theorem 7:
at the budget `(log 2, 1/2)` a set of views has probability `3/4` against `0`. -/
theorem delta_must_not_depend_on_the_cell :
    ∃ (g : CellAdversary.{0} exp2 (1 : Int) (1 / 2 : Rat)) (S : g.View → Prop),
      g.pr false S = 3 / 4 ∧ g.pr true S = 0 ∧
      exp2.exp 1 * g.pr true S + 1 / 2 < g.pr false S := by
  let S : cellAdversary.View → Prop := fun v =>
    match v with
    | ⟨true, _⟩ => True
    | ⟨false, w⟩ => (show (_ : Bool) × PUnit.{1} from w).1 = true
  obtain ⟨F, hF⟩ : ∃ F : Bool → Rat, F = fun o => ind (o = true) := ⟨_, rfl⟩
  have tt : F true = 1 := by rw [hF]; exact ind_true rfl
  have ft : F false = 0 := by rw [hF]; exact ind_false (by simp)
  obtain ⟨t, ht⟩ : ∃ t : Rat, t = ind True := ⟨_, rfl⟩
  have t1 : t = 1 := by rw [ht]; exact ind_true trivial
  have e : ∀ b, cellAdversary.pr b S
      = (cellMech b).E (fun o => match o with
        | true => t
        | false => (cellMech b).E fun o' => F o') := by
    intro b
    rw [hF, ht]
    show (cellMech b).E _ = _
    congr 1
    funext o
    cases o <;> rfl
  have e0 : cellAdversary.pr false S = 3 / 4 := by
    rw [e]
    simp only [cellMech, twoPoint_E, t1, tt, ft]
    decide +kernel
  have e1 : cellAdversary.pr true S = 0 := by
    rw [e]
    simp only [cellMech, twoPoint_E, t1, tt, ft]
    decide +kernel
  refine ⟨cellAdversary, S, e0, e1, ?_⟩
  rw [e0, e1, exp2_one]
  decide +kernel

end PrivRef
