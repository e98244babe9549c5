module

public import PrivRef.Spec.AccountantGame
public import PrivRef.Thm.Composition

/-!
The executable accountant and filter are sound: whatever they let through satisfies Theorem 7.
-/

@[expose] public section

namespace PrivRef

universe u k

theorem le_supCost_of_hasCost (x : Rat) (cells : List Rat) (h : hasCost x cells = true) :
    x ≤ supCost cells := by
  induction cells with
  | nil => simp [hasCost] at h
  | cons c cs ih =>
    simp only [hasCost, Bool.or_eq_true, decide_eq_true_eq] at h
    simp only [supCost]
    rcases h with h | h
    · subst h; split <;> grind
    · have := ih h
      split <;> grind

theorem nonneg_of_hasCost (x : Rat) (cells : List Rat) (h : hasCost x cells = true)
    (h0 : allNonneg cells = true) : 0 ≤ x := by
  induction cells with
  | nil => simp [hasCost] at h
  | cons c cs ih =>
    simp only [hasCost, Bool.or_eq_true, decide_eq_true_eq] at h
    simp only [allNonneg, Bool.and_eq_true, decide_eq_true_eq] at h0
    rcases h with h | h
    · subst h; exact h0.1
    · exact ih h h0.2

theorem supCost_nonneg (cells : List Rat) (h0 : allNonneg cells = true) : 0 ≤ supCost cells := by
  induction cells with
  | nil => decide +kernel
  | cons c cs ih =>
    simp only [allNonneg, Bool.and_eq_true, decide_eq_true_eq] at h0
    simp only [supCost]
    split
    · exact h0.1
    · exact ih h0.2

theorem settledCost_le_supCost (cells : List Rat) (charged : Rat) :
    settledCost cells charged ≤ supCost cells := by
  unfold settledCost
  split <;> rename_i h
  · exact le_supCost_of_hasCost _ _ h
  · grind

/-- A reported cost that is the cost of one of the cells is what is paid; any other report is paid
for with the supremum of the costs. -/
theorem settled_cost_is_the_charge_or_the_supremum (cells : List Rat) (charged : Rat) :
    (hasCost charged cells = true → settledCost cells charged = charged) ∧
    (hasCost charged cells = false → settledCost cells charged = supCost cells) := by
  unfold settledCost
  constructor <;> intro h <;> simp [h]

/-- An event that the accountant accepts spends exactly the settled cost and the `δ`, and what
remains stays non-negative: exact, with no rounding. -/
theorem accountant_spends_exactly_what_it_charges (s : State) (e : Event)
    (h : (accountantStep s e).2 = .cont) :
    (accountantStep s e).1.remaining =
      ⟨s.remaining.eps - settledCost e.cells e.charged, s.remaining.delta - e.delta⟩ ∧
    0 ≤ (accountantStep s e).1.remaining.eps ∧ 0 ≤ (accountantStep s e).1.remaining.delta := by
  unfold accountantStep accountantDecide at h ⊢
  by_cases hd : (guaranteeOk e.cells e.delta && fits s.remaining (supCost e.cells) e.delta) = true
  · simp only [hd, if_true] at h ⊢
    simp only [fits, guaranteeOk, Bool.and_eq_true, decide_eq_true_eq] at hd
    have := settledCost_le_supCost e.cells e.charged
    refine ⟨rfl, ?_, ?_⟩ <;> simp only [Budget.charge] <;> grind
  · simp only [hd] at h
    exact absurd h (by simp)

/-- A rejected event changes nothing. -/
theorem accountant_rejection_spends_nothing (s : State) (e : Event)
    (h : (accountantStep s e).2 = .reject) : (accountantStep s e).1 = s := by
  unfold accountantStep at h ⊢
  split <;> rename_i h' <;> simp only [h'] at h ⊢
  exact absurd h (by simp)

theorem accountant_machine_invariant :
    FilterInvariant accountantMachine
      (fun s : State => 0 ≤ s.remaining.eps ∧ 0 ≤ s.remaining.delta)
      (fun s : State => s.remaining.eps) (fun s : State => s.remaining.delta) where
  nonneg s hs := hs
  fits s e d hs h := by
    simp only [accountantMachine, Decision.toVerdict, accountantDecide] at h
    by_cases hd : (guaranteeOk [e] d && fits s.remaining (supCost [e]) d) = true
    · simp only [fits, guaranteeOk, Bool.and_eq_true, decide_eq_true_eq, allNonneg, supCost] at hd
      have h1 := hd.1.1.1
      have h2 := hd.2
      simp only [h1, if_true] at h2
      exact h2
    · simp only [hd] at h
      exact absurd h (by simp)
  charge s e d c hs h hc0 hce hd0 := by
    have hfit : e ≤ s.remaining.eps ∧ d ≤ s.remaining.delta := by
      simp only [accountantMachine, Decision.toVerdict, accountantDecide] at h
      by_cases hd : (guaranteeOk [e] d && fits s.remaining (supCost [e]) d) = true
      · simp only [fits, guaranteeOk, Bool.and_eq_true, decide_eq_true_eq, allNonneg, supCost] at hd
        have h1 := hd.1.1.1
        have h2 := hd.2
        simp only [h1, if_true] at h2
        exact h2
      · simp only [hd] at h
        exact absurd h (by simp)
    simp only [accountantMachine, Budget.charge]
    refine ⟨⟨?_, ?_⟩, trivial, trivial⟩ <;> grind

theorem filter_machine_invariant :
    FilterInvariant filterMachine
      (fun s : State => 0 ≤ s.remaining.eps ∧ 0 ≤ s.remaining.delta)
      (fun s : State => s.remaining.eps) (fun s : State => s.remaining.delta) where
  nonneg s hs := hs
  fits s e d hs h := filter_fits s e d h
  charge s e d c hs h hc0 hce hd0 := by
    have hfit := filter_fits s e d h
    simp only [filterMachine, Budget.charge]
    refine ⟨⟨?_, ?_⟩, trivial, trivial⟩ <;> grind
where
  filter_fits (s : State) (e d : Rat) (h : filterMachine.decide s e d = .cont) :
      e ≤ s.remaining.eps ∧ d ≤ s.remaining.delta := by
    simp only [filterMachine, filterDecide] at h
    by_cases hh : s.halted = true
    · simp only [hh, if_true, Decision.toVerdict] at h
      exact absurd h (by simp)
    · simp only [hh] at h
      by_cases hg : guaranteeOk [e] d = true
      · simp only [hg, if_true] at h
        by_cases hd : fits s.remaining (supCost [e]) d = true
        · simp only [fits, guaranteeOk, Bool.and_eq_true, decide_eq_true_eq, allNonneg, supCost]
            at hd hg
          have h1 := hg.1.1
          simp only [h1, if_true] at hd
          exact hd
        · simp only [hd, Decision.toVerdict] at h
          exact absurd h (by simp)
      · simp only [hg, Decision.toVerdict] at h
        exact absurd h (by simp)

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- **The executable accountant is sound, end to end** (Alg. 1 and Theorem 7 of Hartmann et al.
2022).  Put the rational accountant between any analyst and the data: every request is put to
`accountantStep`'s decision, run if and only if it answers `cont`, and charged with the cost of the
cell that was observed.  Then the analyst's whole view is `(ε_t, δ_t)`-indistinguishable in both
directions. -/
theorem executable_accountant_is_sound (Y : Scale Rat Rat K) (b : Budget) (hε : 0 ≤ b.eps)
    (hδ : 0 ≤ b.delta) :
    ValidFilter.{u} Y accountantMachine (State.init b) b.eps b.delta :=
  filter_with_invariant_is_valid.{u} Y accountantMachine accountant_machine_invariant
    (State.init b) ⟨hε, hδ⟩

/-- **The executable filter is sound, end to end** (Alg. 6 and Definition 19 of Hartmann et al.
2022): with the rational filter between the analyst and the data, the whole view is
`(ε_t, δ_t)`-indistinguishable in both directions. -/
theorem executable_filter_is_sound (Y : Scale Rat Rat K) (b : Budget) (hε : 0 ≤ b.eps)
    (hδ : 0 ≤ b.delta) :
    ValidFilter.{u} Y filterMachine (State.init b) b.eps b.delta :=
  filter_with_invariant_is_valid.{u} Y filterMachine filter_machine_invariant
    (State.init b) ⟨hε, hδ⟩

/-- The machines in the game are the machines that run: on an event whose cells cost nothing
negative, `accountantStep` decides as the game's machine decides on the supremum of the cells, and
moves to the state to which the game's machine moves with the settled cost. -/
theorem accountant_machine_agrees_with_step (s : State) (e : Event)
    (h0 : allNonneg e.cells = true) :
    (accountantStep s e).2.toVerdict = accountantMachine.decide s (supCost e.cells) e.delta ∧
    ((accountantStep s e).2 = .cont → (accountantStep s e).1 =
      accountantMachine.charge s (settledCost e.cells e.charged) e.delta) := by
  have hs := supCost_nonneg e.cells h0
  have e1 : accountantDecide s [supCost e.cells] e.delta = accountantDecide s e.cells e.delta := by
    simp only [accountantDecide, guaranteeOk, allNonneg, supCost, hs, h0, if_true, decide_true,
      Bool.and_true]
  unfold accountantStep
  simp only [accountantMachine, e1]
  cases hd : accountantDecide s e.cells e.delta <;> simp

/-- The same for the filter. -/
theorem filter_machine_agrees_with_step (s : State) (e : Event)
    (h0 : allNonneg e.cells = true) :
    (filterStep s e).2.toVerdict = filterMachine.decide s (supCost e.cells) e.delta ∧
    ((filterStep s e).2 = .cont → (filterStep s e).1 =
      filterMachine.charge s (settledCost e.cells e.charged) e.delta) := by
  have hs := supCost_nonneg e.cells h0
  have e1 : filterDecide s [supCost e.cells] e.delta = filterDecide s e.cells e.delta := by
    simp only [filterDecide, guaranteeOk, allNonneg, supCost, hs, h0, if_true, decide_true,
      Bool.and_true]
  unfold filterStep
  simp only [filterMachine, e1]
  cases hd : filterDecide s e.cells e.delta <;> simp

end PrivRef
