module

public import PrivRef.Spec.Group
public import PrivRef.Spec.Sets
public import PrivRef.Thm.Odp

/-!
Group privacy, replacing a record as adding and removing, and what bounded range gives.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O U : Type u} {T : Tests K O}

theorem times_le [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] {ε : A} (hε : 0 ≤ ε)
    {n k : Nat} (h : n ≤ k) : times n ε ≤ times k ε := by
  obtain ⟨j, rfl⟩ := Nat.le.dest h
  clear h
  induction j with
  | zero => show times n ε ≤ times n ε; grind
  | succ j ih => show times n ε ≤ times (n + j) ε + ε; grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem groupDelta_succ (X : ExpLike A K) (ε : A) (δ : K) (k : Nat) :
    groupDelta X ε δ (k + 1) = groupDelta X ε δ k + X.exp (times k ε) * δ := by
  simp only [groupDelta, List.range_succ, lsum_append, lsum]
  grind

theorem groupDelta_le (X : ExpLike A K) (ε : A) {δ : K} (hδ : 0 ≤ δ) {n k : Nat} (h : n ≤ k) :
    groupDelta X ε δ n ≤ groupDelta X ε δ k := by
  obtain ⟨j, rfl⟩ := Nat.le.dest h
  clear h
  induction j with
  | zero => show groupDelta X ε δ n ≤ groupDelta X ε δ n; grind
  | succ j ih =>
    show _ ≤ groupDelta X ε δ (n + j + 1)
    rw [groupDelta_succ]
    have := mul_nonneg' (X.exp_nonneg (times (n + j) ε)) hδ
    grind

/-- The sum in closed form: `(e^ε - 1) δ (1 + … + e^{(k-1) ε}) = δ (e^{k ε} - 1)`. -/
theorem groupDelta_in_closed_form (X : ExpLike A K) (ε : A) (δ : K) (k : Nat) :
    (X.exp ε - 1) * groupDelta X ε δ k = δ * (X.exp (times k ε) - 1) := by
  induction k with
  | zero => simp only [groupDelta, List.range_zero, lsum, times, X.exp_zero]; grind
  | succ k ih =>
    rw [groupDelta_succ]
    simp only [times, X.exp_add]
    grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem groupDelta_zero (X : ExpLike A K) (ε : A) (k : Nat) : groupDelta X ε (0 : K) k = 0 := by
  simp only [groupDelta]
  grind

/-- A bound for neighbours, along a chain of them. -/
theorem bound_along_a_chain (X : ExpLike A K) (nbr : Neighbours D) (p : D → K) {ε : A} {δ : K}
    (h : ∀ x x', nbr.rel x x' → p x ≤ δ + X.exp ε * p x') (k : Nat) (x x' : D)
    (hx : nbr.Steps k x x') : p x ≤ groupDelta X ε δ k + X.exp (times k ε) * p x' := by
  induction k generalizing x' with
  | zero =>
    have e : x = x' := hx
    rw [e]
    simp only [groupDelta, List.range_zero, lsum, times, X.exp_zero]
    grind
  | succ k ih =>
    obtain ⟨y, h1, h2⟩ := hx
    have h3 := ih y h1
    have h4 := mul_le_left (h y x' h2) (X.exp_nonneg (times k ε))
    rw [groupDelta_succ]
    simp only [times, X.exp_add]
    grind

theorem bound_for_groups [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] (X : ExpLike A K)
    (nbr : Neighbours D) (p : D → K) (h0 : ∀ x, 0 ≤ p x)
    {ε : A} {δ : K} (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (h : ∀ x x', nbr.rel x x' → p x ≤ δ + X.exp ε * p x') (k : Nat) (x x' : D)
    (hx : (nbr.group k).rel x x') : p x ≤ groupDelta X ε δ k + X.exp (times k ε) * p x' := by
  obtain ⟨n, hn, hx⟩ := hx
  have h1 := bound_along_a_chain X nbr p h n x x' hx
  have h2 := groupDelta_le X ε hδ hn
  have h3 := mul_le_right (X.exp_mono _ _ (times_le hε hn)) (h0 x')
  grind

/-- **Group privacy** (Vadhan 2017, Lemma 2.2, with the sum in its proof): an `(ε, δ)`-DP mechanism
is `(k ε, δ (1 + e^ε + … + e^{(k-1) ε}))`-DP for groups of at most `k` privacy units. -/
theorem dp_holds_for_groups [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] (X : ExpLike A K)
    (nbr : Neighbours D) (M : D → Law T) (ε : A) (δ : K)
    (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (h : IsDP X nbr M ε δ) (k : Nat) :
    IsDP X (nbr.group k) M (times k ε) (groupDelta X ε δ k) := fun x x' hx f hf =>
  bound_for_groups X nbr (fun x => (M x).E f) (fun x => (M x).E_nonneg hf.adm hf.nonneg) hε hδ
    (fun x x' hn => h x x' hn f hf) k x x' hx

/-- The same for measurable sets. -/
theorem dp_for_sets_holds_for_groups [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
    (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (h : IsDPSets X nbr M ε δ) (k : Nat) :
    IsDPSets X (nbr.group k) M (times k ε) (groupDelta X ε δ k) := fun x x' hx S hS => by
  have h1 := bound_for_groups X nbr (fun x => (M x).pr S)
    (fun x => (M x).E_nonneg hS fun o => ind_nonneg _) hε hδ (fun x x' hn => by
      have := h x x' hn S hS
      grind) k x x' hx
  show (M x).pr S ≤ X.exp (times k ε) * (M x').pr S + groupDelta X ε δ k
  grind

/-- **Group privacy of pure DP** (Dwork and Roth 2014, Theorem 2.2): `k ε`. -/
theorem pure_dp_holds_for_groups [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
    (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (hε : 0 ≤ ε) (h : IsDP X nbr M ε 0) (k : Nat) : IsDP X (nbr.group k) M (times k ε) 0 := by
  have h1 := dp_holds_for_groups X nbr M ε 0 hε (by grind) h k
  rwa [groupDelta_zero] at h1

/-- **To replace a record is to remove one and to add one**: databases in which at most `k` records
are replaced are at most `2 k` additions and removals apart. -/
theorem replacing_is_removing_and_adding (k : Nat) (x x' : List U)
    (h : ((replaceOne U).group k).rel x x') : ((addOrRemoveOne U).group (2 * k)).rel x x' := by
  obtain ⟨n, hn, h⟩ := h
  refine ⟨2 * n, by grind, ?_⟩
  clear hn
  induction n generalizing x' with
  | zero => exact h
  | succ n ih =>
    obtain ⟨y, h1, l, r, a, b, h2, h3⟩ := h
    exact ⟨l ++ r, ⟨y, ih y h1, .inr ⟨l, r, a, rfl, h2⟩⟩, .inl ⟨l, r, b, rfl, h3⟩⟩

/-- **Adding and removing covers replacing**: where `(ε, δ)` holds for adding or removing one
record, `(2 k ε, δ (1 + e^ε + … + e^{(2 k - 1) ε}))` holds for replacing at most `k`. -/
theorem dp_for_adding_or_removing_gives_dp_for_replacing [LT A] [Std.LawfulOrderLT A]
    [Lean.Grind.OrderedAdd A] (X : ExpLike A K) (M : List U → Law T)
    (ε : A)
    (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (h : IsDP X (addOrRemoveOne U) M ε δ) (k : Nat) :
    IsDP X ((replaceOne U).group k) M (times (2 * k) ε) (groupDelta X ε δ (2 * k)) :=
  fun x x' hx => dp_holds_for_groups X (addOrRemoveOne U) M ε δ hε hδ h (2 * k) x x'
    (replacing_is_removing_and_adding k x x' hx)

/-! ### Bounded range -/

/-- Both ends of the interval are on their own side of 0, in the exponential. -/
theorem ends_of_a_bounded_range {X : ExpLike A K} {μ ν : Law T} {ε t : A}
    (h : ∀ f, IsTest T f → μ.E f ≤ X.exp t * ν.E f ∧ ν.E f ≤ X.exp (ε - t) * μ.E f) :
    1 ≤ X.exp t ∧ X.exp t ≤ X.exp ε := by
  have h1 := h (fun _ => 1) ⟨T.const 1, fun _ => by grind, fun _ => by grind⟩
  rw [μ.E_one, ν.E_one] at h1
  have h2 := mul_le_left h1.2 (X.exp_nonneg t)
  have h3 := X.exp_mul_exp_sub t ε
  constructor <;> grind

/-- **Bounded range `ε` is `ε`-DP** (Durfee and Rogers 2019). -/
theorem bounded_range_is_dp (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (h : IsBoundedRange X nbr M ε) : IsDP X nbr M ε 0 := fun x x' hx f hf => by
  obtain ⟨t, ht⟩ := h x x' hx
  have h1 := mul_le_right (ends_of_a_bounded_range ht).2 ((M x').E_nonneg hf.adm hf.nonneg)
  have h2 := (ht f hf).1
  grind

/-- `ε`-DP is bounded range `2 ε`. -/
theorem pure_dp_is_bounded_range (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (h : IsDP X nbr M ε 0) : IsBoundedRange X nbr M (ε + ε) := fun x x' hx => by
  refine ⟨ε, fun f hf => ?_⟩
  have h1 := h x x' hx f hf
  have h2 := h x' x (nbr.symm _ _ hx) f hf
  have e : ε + ε - ε = ε := by grind
  rw [e]
  constructor <;> grind

/-- The ratio of the likelihoods of two outputs, or of two sets of them, changes by at most `e^ε`:
the definition of Durfee and Rogers. -/
theorem bounded_range_bounds_ratios (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A)
    (h : IsBoundedRange X nbr M ε) (x x' : D) (hx : nbr.rel x x') (f g : O → K) (hf : IsTest T f)
    (hg : IsTest T g) : (M x).E f * (M x').E g ≤ X.exp ε * ((M x').E f * (M x).E g) := by
  obtain ⟨t, ht⟩ := h x x' hx
  have h1 := mul_le_mul' (ht f hf).1 (ht g hg).2 ((M x').E_nonneg hg.adm hg.nonneg)
    (mul_nonneg' (X.exp_nonneg t) ((M x').E_nonneg hf.adm hf.nonneg))
  have h2 := X.exp_mul_exp_sub t ε
  rw [← h2]
  grind

/-- **Bounded range of groups** (ours): along a chain the intervals add, and with them their
widths. -/
theorem bounded_range_holds_for_groups [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
    (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T)
    (ε : A)
    (hε : 0 ≤ ε) (h : IsBoundedRange X nbr M ε) (k : Nat) :
    IsBoundedRange X (nbr.group k) M (times k ε) := fun x x' hx => by
  obtain ⟨n, hn, hx⟩ := hx
  have key : ∃ t : A, ∀ f, IsTest T f → (M x).E f ≤ X.exp t * (M x').E f ∧
      (M x').E f ≤ X.exp (times n ε - t) * (M x).E f := by
    clear hn
    induction n generalizing x' with
    | zero =>
      have e : x = x' := hx
      refine ⟨0, fun f _ => ?_⟩
      have e2 : times 0 ε - 0 = 0 := by show (0 : A) - 0 = 0; grind
      rw [e, e2, X.exp_zero]
      constructor <;> grind
    | succ n ih =>
      obtain ⟨y, h1, h2⟩ := hx
      obtain ⟨t, ht⟩ := ih y h1
      obtain ⟨t', ht'⟩ := h y x' h2
      refine ⟨t + t', fun f hf => ?_⟩
      have a1 := mul_le_left (ht' f hf).1 (X.exp_nonneg t)
      have a2 := mul_le_left (ht f hf).2 (X.exp_nonneg (ε - t'))
      have a3 := ht f hf
      have a4 := ht' f hf
      have e : times (n + 1) ε - (t + t') = ε - t' + (times n ε - t) := by
        show times n ε + ε - (t + t') = _
        grind
      rw [e, X.exp_add, X.exp_add]
      constructor <;> grind
  obtain ⟨t, ht⟩ := key
  refine ⟨t, fun f hf => ⟨(ht f hf).1, ?_⟩⟩
  have h1 := X.exp_mono (times n ε - t) (times k ε - t) (by have := times_le hε hn; grind)
  have h2 := mul_le_right h1 ((M x).E_nonneg hf.adm hf.nonneg)
  have h3 := (ht f hf).2
  grind

end PrivRef
