module

public import PrivRef.Spec.Iter
public import PrivRef.Thm.Odp

/-!
Lemma 11: an ODP guarantee for an iterative mechanism from any composition theorem.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O : Type u}

section

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem iterE_add (M : Iteration K D O) (h : List O → Bool) (x : D) (n : Nat) (past : List O)
    (f g : List O → K) :
    iterE M h x n past (fun v => f v + g v) = iterE M h x n past f + iterE M h x n past g := by
  induction n generalizing past with
  | zero => rfl
  | succ n ih =>
    simp only [iterE]
    split
    · rfl
    · simp only [ih]
      exact wsum_add _ _ _

theorem iterE_smul (M : Iteration K D O) (h : List O → Bool) (x : D) (n : Nat) (past : List O)
    (c : K) (f : List O → K) :
    iterE M h x n past (fun v => c * f v) = c * iterE M h x n past f := by
  induction n generalizing past with
  | zero => rfl
  | succ n ih =>
    simp only [iterE]
    split
    · rfl
    · simp only [ih]
      exact wsum_smul _ _ _

end

theorem iterE_const (M : Iteration K D O) (h : List O → Bool) (x : D) (n : Nat) (past : List O)
    (c : K) : iterE M h x n past (fun _ => c) = c := by
  induction n generalizing past with
  | zero => rfl
  | succ n ih =>
    simp only [iterE]
    split
    · rfl
    · simp only [ih]
      exact (M past x).toLaw.E_const c

theorem iterE_lsum {C : Type u} (M : Iteration K D O) (h : List O → Bool) (x : D) (n : Nat)
    (past : List O) (ks : List C) (F : C → List O → K) :
    iterE M h x n past (fun v => lsum ks fun c => F c v)
      = lsum ks fun c => iterE M h x n past (F c) := by
  induction ks with
  | nil => exact iterE_const M h x n past 0
  | cons c ks ih =>
    simp only [lsum]
    rw [iterE_add, ih]

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- The expectation only looks at the outputs that can be reached: extensions of `past` at which
the mechanism stops. -/
theorem iterE_congr (M : Iteration K D O) (h : List O → Bool) (x : D) (n : Nat) (past : List O)
    (f g : List O → K)
    (hfg : ∀ w, w.length ≤ n → (h (past ++ w) = true ∨ w.length = n) →
      f (past ++ w) = g (past ++ w)) :
    iterE M h x n past f = iterE M h x n past g := by
  induction n generalizing past with
  | zero =>
    have := hfg [] (by simp) (Or.inr rfl)
    rw [List.append_nil] at this
    exact this
  | succ n ih =>
    simp only [iterE]
    split
    · rename_i hp
      have := hfg [] (by simp) (Or.inl (by rw [List.append_nil]; exact hp))
      rw [List.append_nil] at this
      exact this
    · congr 1
      funext o
      apply ih
      intro w hw hs
      have := hfg (o :: w) (by simp; omega) (by
        rcases hs with hs | hs
        · left
          rw [List.append_assoc] at hs
          exact hs
        · right
          simp; omega)
      rw [List.append_assoc]
      exact this

/-- Stopping after exactly `j` more iterations is an event of the first `j` iterations: the same
one for every database. -/
theorem stopped_iteration_is_an_event_of_the_composition (M : Iteration K D O) (h : List O → Bool)
    (S : List O → Prop) (n j : Nat) (hj : j ≤ n) (past : List O) (x : D) :
    iterE M h x n past (fun v => ind (S v ∧ v.length = past.length + j))
      = iterE M (fun _ => false) x j past (fun v => ind (S v ∧
          (∀ i, past.length ≤ i → i < v.length → h (v.take i) = false) ∧
          (h v = true ∨ v.length = past.length + n))) := by
  induction n generalizing j past with
  | zero =>
    have : j = 0 := by omega
    subst this
    simp only [iterE]
    congr 1
    apply propext
    constructor
    · rintro ⟨h1, _⟩
      exact ⟨h1, fun i hi hi' => by omega, Or.inr rfl⟩
    · rintro ⟨h1, _⟩
      exact ⟨h1, rfl⟩
  | succ n ih =>
    cases hp : h past
    · cases j with
      | zero =>
        -- not stopped at `past`: length `past.length` is impossible
        have e1 : iterE M h x (n + 1) past (fun v => ind (S v ∧ v.length = past.length + 0))
            = iterE M h x (n + 1) past (fun _ => 0) := by
          apply iterE_congr
          intro w _ hs
          apply ind_false
          rintro ⟨_, hl⟩
          have hw : w = [] := by
            apply List.eq_nil_of_length_eq_zero
            rw [List.length_append] at hl
            omega
          subst hw
          rw [List.append_nil, hp] at hs
          simp at hs
        rw [e1, iterE_const]
        simp only [iterE]
        rw [ind_false]
        rintro ⟨_, _, h3⟩
        rcases h3 with h3 | h3
        · rw [hp] at h3; simp at h3
        · omega
      | succ j =>
        simp only [iterE, hp]
        simp only [Bool.false_eq_true, if_false]
        congr 1
        funext o
        have e1 := ih j (by omega) (past ++ [o])
        have e2 : (past ++ [o]).length = past.length + 1 := by simp
        have e3 : (fun v : List O => (ind (S v ∧ v.length = past.length + (j + 1)) : K))
            = fun v => ind (S v ∧ v.length = (past ++ [o]).length + j) := by
          funext v
          rw [e2]
          congr 2
          apply propext
          constructor <;> intro <;> omega
        rw [e3, e1]
        apply iterE_congr
        intro w _ _
        congr 1
        apply propext
        constructor
        · rintro ⟨h1, h2, h3⟩
          refine ⟨h1, fun i hi hi' => ?_, ?_⟩
          · by_cases hie : i = past.length
            · subst hie
              rw [List.append_assoc, List.take_left']
              · exact hp
              · rfl
            · exact h2 i (by omega) hi'
          · rcases h3 with h3 | h3
            · exact Or.inl h3
            · right; omega
        · rintro ⟨h1, h2, h3⟩
          refine ⟨h1, fun i hi hi' => h2 i (by omega) hi', ?_⟩
          rcases h3 with h3 | h3
          · exact Or.inl h3
          · right; omega
    · -- stopped at `past`
      have e0 : iterE M h x (n + 1) past (fun v => ind (S v ∧ v.length = past.length + j))
          = ind (S past ∧ past.length = past.length + j) := by
        simp only [iterE, hp, if_true]
      rw [e0]
      cases j with
      | zero =>
        simp only [iterE]
        congr 1
        apply propext
        constructor
        · rintro ⟨h1, _⟩
          exact ⟨h1, fun i hi hi' => by omega, Or.inl hp⟩
        · rintro ⟨h1, _⟩
          exact ⟨h1, rfl⟩
      | succ j =>
        rw [ind_false (by rintro ⟨_, hl⟩; omega)]
        have e1 : iterE M (fun _ => false) x (j + 1) past (fun v => ind (S v ∧
            (∀ i, past.length ≤ i → i < v.length → h (v.take i) = false) ∧
            (h v = true ∨ v.length = past.length + (n + 1))))
            = iterE M (fun _ => false) x (j + 1) past (fun _ => 0) := by
          apply iterE_congr
          intro w _ hs
          apply ind_false
          rintro ⟨_, h2, _⟩
          have hw : w.length = j + 1 := by
            rcases hs with hs | hs
            · simp at hs
            · exact hs
          have h3 := h2 past.length (by omega) (by rw [List.length_append]; omega)
          rw [List.take_left' rfl, hp] at h3
          simp at h3
        rw [e1, iterE_const]

/-- **Lemma 11** (Hartmann et al. 2022).  Let an iterative mechanism stop only after numbers of
iterations in the list `ks` (the last of which is `n`).  If for every `k` in `ks` the composition of
the first `k` mechanisms is `(E(k), δ(k))`-DP, by whatever composition theorem, then the iterative
mechanism is `(P, E, ∑_k δ(k))`-ODP for the partition by the number of iterations.  Finite laws, set
form of Definition 2; the mechanisms may depend on all earlier outputs. -/
theorem iterative_mechanism_is_odp_by_composition (X : ExpLike A K) (nbr : Neighbours D)
    (M : Iteration K D O) (h : List O → Bool) (n : Nat) (ks : List Nat) (hn : ks.Nodup)
    (hlast : n ∈ ks) (hle : ∀ k ∈ ks, k ≤ n) (hstop : ∀ v, h v = true → v.length ∈ ks)
    (eps : Nat → A) (δ : Nat → K)
    (hcomp : ∀ k ∈ ks, ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      compositionPr M k x S ≤ X.exp (eps k) * compositionPr M k x' S + δ k) :
    ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
      iterPr M h n x S
        ≤ lsum ks δ + lsum ks fun k => X.exp (eps k) * iterPr M h n x' fun v => S v ∧ v.length =
          k := by
  intro x x' hx S
  have e1 : iterPr M h n x S = lsum ks fun k => iterPr M h n x fun v => S v ∧ v.length = k := by
    have e2 : iterPr M h n x S
        = iterE M h x n [] fun v => lsum (ks.map ULift.up.{u})
            fun k => ind (S v ∧ v.length = k.down) := by
      apply iterE_congr
      intro w _ hs
      have hmem : w.length ∈ ks := by
        rcases hs with hs | hs
        · exact hstop _ hs
        · rw [hs]; exact hlast
      have e3 : ∀ l : List Nat, lsum (l.map ULift.up.{u})
          (fun k => (ind (S ([] ++ w) ∧ ([] ++ w).length = k.down) : K))
          = lsum l fun k => ind (w.length = k) * ind (S ([] ++ w)) := by
        intro l
        induction l with
        | nil => rfl
        | cons k l ih =>
          simp only [List.map_cons, lsum]
          rw [ih]
          congr 1
          simp only [List.nil_append]
          by_cases h1 : w.length = k
          · by_cases h2 : S w
            · rw [ind_true h1, ind_true h2, ind_true ⟨h2, h1⟩]; grind
            · rw [ind_true h1, ind_false h2, ind_false fun h => h2 h.1]; grind
          · rw [ind_false h1, ind_false fun h => h1 h.2]; grind
      rw [e3, lsum_ind ks hn w.length _ hmem]
    rw [e2, iterE_lsum]
    have e4 : ∀ (l : List Nat) (F : Nat → K),
        lsum (l.map ULift.up.{u}) (fun k => F k.down) = lsum l F := by
      intro l F
      induction l with
      | nil => rfl
      | cons k l ih => simp only [List.map_cons, lsum, ih]
    exact e4 ks fun k => iterPr M h n x fun v => S v ∧ v.length = k
  rw [e1, ← lsum_add]
  apply lsum_le
  intro k hk
  have e5 : ∀ y, iterPr M h n y (fun v => S v ∧ v.length = k)
      = compositionPr M k y (fun v => S v ∧
          (∀ i, ([] : List O).length ≤ i → i < v.length → h (v.take i) = false) ∧
          (h v = true ∨ v.length = ([] : List O).length + n)) := by
    intro y
    have := stopped_iteration_is_an_event_of_the_composition M h S n k (hle k hk) [] y
    simp only [List.length_nil, Nat.zero_add] at this ⊢
    exact this
  rw [e5, e5]
  have := hcomp k hk x x' hx (fun v => S v ∧
          (∀ i, ([] : List O).length ≤ i → i < v.length → h (v.take i) = false) ∧
          (h v = true ∨ v.length = ([] : List O).length + n))
  grind

end PrivRef
