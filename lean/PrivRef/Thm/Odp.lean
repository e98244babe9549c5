module

public import PrivRef.Spec.Odp

/-!
The set forms and the functional forms agree; Lemmas 3, 4 and 6; post-processing.
-/

@[expose] public section

namespace PrivRef

universe u v a k

section Sums

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

section

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem lsum_zero {ι : Type u} (l : List ι) : lsum l (fun _ => (0 : K)) = 0 := by
  induction l with
  | nil => rfl
  | cons i l ih => simp only [lsum, ih]; grind

theorem lsum_add {ι : Type u} (l : List ι) (F G : ι → K) :
    lsum l (fun i => F i + G i) = lsum l F + lsum l G := by
  induction l with
  | nil => simp only [lsum]; grind
  | cons i l ih => simp only [lsum, ih]; grind

theorem lsum_smul {ι : Type u} (l : List ι) (c : K) (F : ι → K) :
    lsum l (fun i => c * F i) = c * lsum l F := by
  induction l with
  | nil => simp only [lsum]; grind
  | cons i l ih => simp only [lsum, ih]; grind

end

theorem lsum_le {ι : Type u} (l : List ι) (F G : ι → K) (h : ∀ i ∈ l, F i ≤ G i) :
    lsum l F ≤ lsum l G := by
  induction l with
  | nil => simp only [lsum]; grind
  | cons i l ih =>
    simp only [lsum]
    have h1 := ih fun j hj => h j (List.mem_cons_of_mem _ hj)
    have h2 := h i List.mem_cons_self
    grind

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem lsum_congr {ι : Type u} (l : List ι) (F G : ι → K) (h : ∀ i ∈ l, F i = G i) :
    lsum l F = lsum l G := by
  induction l with
  | nil => rfl
  | cons i l ih =>
    simp only [lsum]
    rw [ih fun j hj => h j (List.mem_cons_of_mem _ hj), h i List.mem_cons_self]

theorem lsum_nonneg {ι : Type u} (l : List ι) (F : ι → K) (h : ∀ i ∈ l, 0 ≤ F i) :
    0 ≤ lsum l F := by
  have := lsum_le l (fun _ => 0) F h
  rw [lsum_zero] at this
  exact this

section

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem lsum_append {ι : Type u} (l l' : List ι) (F : ι → K) :
    lsum (l ++ l') F = lsum l F + lsum l' F := by
  induction l with
  | nil => simp only [lsum, List.nil_append]; grind
  | cons i l ih => simp only [lsum, List.cons_append, ih]; grind

theorem lsum_ind_of_not_mem {ι : Type u} (l : List ι) (i : ι) (x : K) (h : i ∉ l) :
    lsum l (fun j => ind (i = j) * x) = 0 := by
  induction l with
  | nil => rfl
  | cons j l ih =>
    simp only [List.mem_cons, not_or] at h
    simp only [lsum]
    rw [ih h.2, ind_false h.1]
    grind

theorem lsum_ind {ι : Type u} (l : List ι) (hn : l.Nodup) (i : ι) (x : K) (h : i ∈ l) :
    lsum l (fun j => ind (i = j) * x) = x := by
  induction l with
  | nil => exact absurd h (by simp)
  | cons j l ih =>
    have hn' := List.nodup_cons.mp hn
    simp only [lsum]
    rcases List.mem_cons.mp h with h | h
    · subst h
      rw [lsum_ind_of_not_mem l i x hn'.1, ind_true rfl]
      grind
    · have hij : ¬ i = j := fun e => hn'.1 (e ▸ h)
      rw [ih hn'.2 h, ind_false hij]
      grind

end

theorem exists_cover {ι : Type u} (l : List ι) : ∃ ks : List ι, ks.Nodup ∧ ∀ i ∈ l, i ∈ ks := by
  induction l with
  | nil => exact ⟨[], List.nodup_nil, fun _ h => h⟩
  | cons i l ih =>
    obtain ⟨ks, hn, hc⟩ := ih
    by_cases h : i ∈ ks
    · refine ⟨ks, hn, fun j hj => ?_⟩
      rcases List.mem_cons.mp hj with hj | hj
      · exact hj ▸ h
      · exact hc j hj
    · refine ⟨i :: ks, List.nodup_cons.mpr ⟨h, hn⟩, fun j hj => ?_⟩
      rcases List.mem_cons.mp hj with hj | hj
      · exact hj ▸ List.mem_cons_self
      · exact List.mem_cons_of_mem _ (hc j hj)

section

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- A weighted sum, grouped by a function `g` of the outcome. -/
theorem wsum_group {O : Type u} {C : Type v} (l : List (O × K)) (g : O → C) (ks : List C)
    (hn : ks.Nodup) (hc : ∀ q ∈ l, g q.1 ∈ ks) (f : O → K) :
    lsum ks (fun c => wsum l fun o => ind (g o = c) * f o) = wsum l f := by
  induction l with
  | nil => simp only [wsum]; exact lsum_zero ks
  | cons q l ih =>
    have h1 := ih fun r hr => hc r (List.mem_cons_of_mem _ hr)
    have h2 := lsum_ind ks hn (g q.1) (q.2 * f q.1) (hc q List.mem_cons_self)
    simp only [wsum]
    rw [lsum_add, h1]
    have h3 : lsum ks (fun c => q.2 * (ind (g q.1 = c) * f q.1)) = q.2 * f q.1 := by
      rw [← h2]
      apply lsum_congr
      intro c _
      grind
    rw [h3]

/-- A weighted sum over a list that covers its outcomes without repetition. -/
theorem wsum_eq_lsum {O : Type u} (l : List (O × K)) (os : List O) (hn : os.Nodup)
    (hc : ∀ q ∈ l, q.1 ∈ os) (f : O → K) :
    wsum l f = lsum os fun o => f o * wsum l fun x => ind (x = o) := by
  rw [← wsum_group l (fun o => o) os hn hc f]
  apply lsum_congr
  intro o _
  rw [← wsum_smul]
  congr 1; funext x
  by_cases h : x = o
  · subst h; grind
  · rw [ind_false h]; grind

end

end Sums

section LawLemmas

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u} {T : Tests K O}

section

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem Tests.smul (T : Tests K O) (c : K) {f : O → K} (hf : T.adm f) :
    T.adm fun o => c * f o :=
  T.mul _ _ (T.const c) hf

theorem Law.E_const (μ : Law T) (c : K) : μ.E (fun _ => c) = c := by
  have h := μ.E_smul c (fun _ => 1) (T.const 1)
  rw [μ.E_one] at h
  have h2 : (fun _ : O => c * 1) = fun _ => c := by funext _; grind
  rw [h2] at h
  grind

theorem Law.E_nonneg (μ : Law T) {f : O → K} (hf : T.adm f) (h : ∀ o, 0 ≤ f o) : 0 ≤ μ.E f := by
  have := μ.E_mono (fun _ => 0) f (T.const 0) hf h
  rw [μ.E_const] at this
  exact this

theorem Law.E_le_one (μ : Law T) {f : O → K} (hf : T.adm f) (h : ∀ o, f o ≤ 1) : μ.E f ≤ 1 := by
  have := μ.E_mono f (fun _ => 1) hf (T.const 1) h
  rw [μ.E_const] at this
  exact this

/-- `μ f ≤ c + r * ν g` if `f ≤ c + r * g` pointwise and the laws agree. -/
theorem Law.E_le_affine (μ : Law T) {f g : O → K} (hf : T.adm f) (hg : T.adm g) (c r : K)
    (h : ∀ o, f o ≤ c + r * g o) : μ.E f ≤ c + r * μ.E g := by
  have h1 := μ.E_mono f (fun o => c + r * g o) hf (T.add _ _ (T.const c) (T.smul r hg)) h
  rw [μ.E_add _ _ (T.const c) (T.smul r hg), μ.E_const, μ.E_smul r g hg] at h1
  exact h1

end

theorem isTest_ind {O : Type u} (S : O → Prop) :
    IsTest (Tests.all K O) (fun o => (ind (S o) : K)) :=
  ⟨trivial, fun _ => ind_nonneg _, fun _ => ind_le_one _⟩

end LawLemmas

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u}

/-- From sets to test functions, for finite laws: if `μ S ≤ δ + ν (w 1_S)` for every `S ⊆ R` then
`μ f ≤ δ + ν (w f)` for every test function that vanishes off `R`. -/
theorem test_functions_follow_from_sets (μ ν : FinLaw K O) (w : O → K) (δ : K) (R : O → Prop)
    (h : ∀ S : O → Prop, (∀ o, S o → R o) → μ.pr S ≤ δ + ν.E fun o => w o * ind (S o))
    (f : O → K) (hf0 : ∀ o, 0 ≤ f o) (hf1 : ∀ o, f o ≤ 1) (hR : ∀ o, ¬ R o → f o = 0) :
    μ.E f ≤ δ + ν.E fun o => w o * f o := by
  obtain ⟨os, hn, hc⟩ := exists_cover ((μ.list ++ ν.list).map fun q => q.1)
  have hcμ : ∀ q ∈ μ.list, q.1 ∈ os := fun q hq =>
    hc q.1 (List.mem_map.mpr ⟨q, List.mem_append.mpr (Or.inl hq), rfl⟩)
  have hcν : ∀ q ∈ ν.list, q.1 ∈ os := fun q hq =>
    hc q.1 (List.mem_map.mpr ⟨q, List.mem_append.mpr (Or.inr hq), rfl⟩)
  let P : O → K := fun o => wsum μ.list fun x => ind (x = o)
  let Q : O → K := fun o => wsum ν.list fun x => ind (x = o)
  let S : O → Prop := fun o => R o ∧ w o * Q o ≤ P o
  have hS := h S fun o ho => ho.1
  have e1 : μ.E f = lsum os fun o => f o * P o := wsum_eq_lsum μ.list os hn hcμ f
  have e2 : ν.E (fun o => w o * f o) = lsum os fun o => (w o * f o) * Q o :=
    wsum_eq_lsum ν.list os hn hcν fun o => w o * f o
  have e3 : μ.pr S = lsum os fun o => ind (S o) * P o :=
    wsum_eq_lsum μ.list os hn hcμ fun o => ind (S o)
  have e4 : ν.E (fun o => w o * ind (S o)) = lsum os fun o => (w o * ind (S o)) * Q o :=
    wsum_eq_lsum ν.list os hn hcν fun o => w o * ind (S o)
  have key : lsum os (fun o => f o * P o + (w o * ind (S o)) * Q o)
      ≤ lsum os (fun o => ind (S o) * P o + (w o * f o) * Q o) := by
    apply lsum_le
    intro o _
    have b0 := hf0 o
    have b1 := hf1 o
    by_cases hRo : R o
    · by_cases hs : w o * Q o ≤ P o
      · rw [ind_true (show S o from ⟨hRo, hs⟩)]
        have := mul_le_right b1 (by grind : 0 ≤ P o - w o * Q o)
        grind
      · rw [ind_false (show ¬ S o from fun h => hs h.2)]
        have := mul_nonneg' b0 (by grind : 0 ≤ w o * Q o - P o)
        grind
    · rw [hR o hRo, ind_false (show ¬ S o from fun h => hRo h.1)]
      grind
  rw [lsum_add, lsum_add, ← e1, ← e2, ← e3, ← e4] at key
  grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- The sum over cells in Definition 2 is the expectation with the weight `exp (E (cell of o))`. -/
theorem sum_over_cells_eq_weighted_expectation (X : ExpLike A K) (ν : FinLaw K O) (cell : O → C)
    (eps : C → A) (S : O → Prop) (ks : List C) (hn : ks.Nodup)
    (hc : ∀ q ∈ ν.list, cell q.1 ∈ ks) :
    lsum ks (fun c => X.exp (eps c) * ν.pr fun o => S o ∧ cell o = c)
      = ν.E fun o => X.exp (eps (cell o)) * ind (S o) := by
  show _ = wsum ν.list _
  rw [← wsum_group ν.list cell ks hn hc]
  apply lsum_congr
  intro c _
  show X.exp (eps c) * wsum ν.list _ = _
  rw [← wsum_smul]
  congr 1; funext o
  by_cases h1 : cell o = c
  · by_cases h2 : S o
    · rw [ind_true h1, ind_true h2, ind_true ⟨h2, h1⟩, h1]; grind
    · rw [ind_true h1, ind_false h2, ind_false fun h => h2 h.1]; grind
  · rw [ind_false h1, ind_false fun h => h1 h.2]; grind

/-- **Definition 2, both forms** (Hartmann et al. 2022).  For finite laws the paper's set form of
output differential privacy, with its sum over cells, is equivalent to the functional form. -/
theorem odp_set_form_iff_functional_form (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → FinLaw K O) (cell : O → C) (eps : C → A) (δ : K) :
    IsODPSet X nbr M cell eps δ ↔ IsODP X nbr (fun x => (M x).toLaw) cell eps δ := by
  constructor
  · intro h
    refine ⟨trivial, fun x x' hx f hf => ?_⟩
    refine test_functions_follow_from_sets (M x) (M x') _ δ (fun _ => True) ?_ f hf.nonneg hf.le_one
      fun o ho => absurd trivial ho
    intro S _
    obtain ⟨ks, hn, hc⟩ := exists_cover ((M x').list.map fun q => cell q.1)
    have hc' : ∀ q ∈ (M x').list, cell q.1 ∈ ks := fun q hq =>
      hc _ (List.mem_map.mpr ⟨q, hq, rfl⟩)
    rw [← sum_over_cells_eq_weighted_expectation X (M x') cell eps S ks hn hc']
    exact h x x' hx S ks hn hc'
  · intro h x x' hx S ks hn hc
    rw [sum_over_cells_eq_weighted_expectation X (M x') cell eps S ks hn hc]
    exact h.bound x x' hx _ (isTest_ind S)

/-- **Definition 1, both forms.**  For finite laws, differential privacy for sets is differential
privacy for test functions. -/
theorem dp_set_form_iff_functional_form (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → FinLaw K O) (ε : A) (δ : K) :
    IsDPSet X nbr M ε δ ↔ IsDP X nbr (fun x => (M x).toLaw) ε δ := by
  constructor
  · intro h x x' hx f hf
    show (M x).E f ≤ δ + X.exp ε * (M x').E f
    have := test_functions_follow_from_sets (M x) (M x') (fun _ => X.exp ε) δ (fun _ => True)
      (fun S _ => by
        have h1 := h x x' hx S
        have h2 : (M x').E (fun o => X.exp ε * ind (S o)) = X.exp ε * (M x').pr S :=
          wsum_smul _ _ _
        rw [h2]; grind) f hf.nonneg hf.le_one fun o ho => absurd trivial ho
    have h2 : (M x').E (fun o => X.exp ε * f o) = X.exp ε * (M x').E f := wsum_smul _ _ _
    rw [h2] at this
    exact this
  · intro h x x' hx S
    have h1 : (M x).pr S ≤ δ + X.exp ε * (M x').pr S := h x x' hx _ (isTest_ind S)
    grind

/-- **Definition 5, both forms** (Hartmann et al. 2022).  For finite laws, subset differential
privacy for sets is the same for test functions. -/
theorem subset_dp_set_form_iff_functional_form (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → FinLaw K O) (R : O → Prop) (ε : A) (δ : K) :
    IsSubsetDPSet X nbr M R ε δ ↔ IsSubsetDP X nbr (fun x => (M x).toLaw) R ε δ := by
  constructor
  · intro h x x' hx f hf hR
    show (M x).E f ≤ δ + X.exp ε * (M x').E f
    have := test_functions_follow_from_sets (M x) (M x') (fun _ => X.exp ε) δ R
      (fun S hS => by
        have h1 := h x x' hx S hS
        have h2 : (M x').E (fun o => X.exp ε * ind (S o)) = X.exp ε * (M x').pr S :=
          wsum_smul _ _ _
        rw [h2]; grind) f hf.nonneg hf.le_one hR
    have h2 : (M x').E (fun o => X.exp ε * f o) = X.exp ε * (M x').E f := wsum_smul _ _ _
    rw [h2] at this
    exact this
  · intro h x x' hx S hS
    have h1 : (M x).pr S ≤ δ + X.exp ε * (M x').pr S :=
      h x x' hx _ (isTest_ind S) fun o ho => ind_false fun hs => ho (hS o hs)
    grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- **Lemma 3** (Hartmann et al. 2022).  An `(ε, δ)`-DP mechanism is `(P, E, δ)`-ODP for every
partition, with the constant cost `E = ε`. -/
theorem dp_is_odp_with_constant_cost {T : Tests K O} (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → Law T) (ε : A) (δ : K) (cell : O → C) (h : IsDP X nbr M ε δ) :
    IsODP X nbr M cell (fun _ => ε) δ := by
  refine ⟨T.const _, fun x x' hx f hf => ?_⟩
  rw [(M x').E_smul (X.exp ε) f hf.adm]
  exact h x x' hx f hf

/-- **Lemma 4** (Hartmann et al. 2022).  A `(P, E, δ)`-ODP mechanism is `(ε, δ)`-DP for every upper
bound `ε` of the costs, in particular for their supremum. -/
theorem odp_is_dp_with_supremum_cost {T : Tests K O} (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → Law T) (cell : O → C) (eps : C → A) (δ : K) (ε : A) (hε : ∀ c, eps c ≤ ε)
    (h : IsODP X nbr M cell eps δ) : IsDP X nbr M ε δ := by
  intro x x' hx f hf
  have h1 := h.bound x x' hx f hf
  have h2 := (M x').E_mono (fun o => X.exp (eps (cell o)) * f o) (fun o => X.exp ε * f o)
    (T.mul _ _ h.adm hf.adm) (T.smul _ hf.adm)
    fun o => mul_le_right (X.exp_mono _ _ (hε _)) (hf.nonneg o)
  rw [(M x').E_smul (X.exp ε) f hf.adm] at h2
  grind

section

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem Tests.lsum (T : Tests K O) (ks : List C) (F : C → O → K) (hF : ∀ c, T.adm (F c)) :
    T.adm fun o => lsum ks fun c => F c o := by
  induction ks with
  | nil => exact T.const 0
  | cons c ks ih => exact T.add _ _ (hF c) ih

theorem Law.E_lsum {T : Tests K O} (μ : Law T) (ks : List C) (F : C → O → K)
    (hF : ∀ c, T.adm (F c)) :
    μ.E (fun o => lsum ks fun c => F c o) = lsum ks fun c => μ.E (F c) := by
  induction ks with
  | nil => exact μ.E_const 0
  | cons c ks ih =>
    show μ.E (fun o => F c o + PrivRef.lsum ks fun c => F c o) = _
    rw [μ.E_add _ _ (hF c) (T.lsum ks F hF), ih]
    rfl

end

/-- **Lemma 6** (Hartmann et al. 2022), general laws, finite partitions.  If `M` is
`(P_k, E(P_k), Δ(P_k))`-subset differentially private for every cell of a finite partition, then it
is `(P, E, ∑ Δ(P_k))`-ODP. -/
theorem subset_dp_on_finitely_many_cells_gives_odp {T : Tests K O} (X : ExpLike A K)
    (nbr : Neighbours D) (M : D → Law T) (cell : O → C) (eps : C → A) (Δ : C → K)
    (ks : List C) (hn : ks.Nodup) (hc : ∀ o, cell o ∈ ks)
    (hadm : ∀ c, T.adm fun o => ind (cell o = c))
    (h : ∀ c, IsSubsetDP X nbr M (fun o => cell o = c) (eps c) (Δ c)) :
    IsODP X nbr M cell eps (lsum ks Δ) := by
  have hw : (fun o => X.exp (eps (cell o)))
      = fun o => lsum ks fun c => X.exp (eps c) * ind (cell o = c) := by
    funext o
    rw [← lsum_ind ks hn (cell o) (X.exp (eps (cell o))) (hc o)]
    apply lsum_congr
    intro c _
    by_cases e : cell o = c
    · subst e
      grind
    · rw [ind_false e]; grind
  have hws : ∀ c, T.adm fun o => X.exp (eps c) * ind (cell o = c) := fun c => T.smul _ (hadm c)
  have hfc : ∀ f : O → K, T.adm f → ∀ c, T.adm fun o => ind (cell o = c) * f o :=
    fun f hf c => T.mul _ _ (hadm c) hf
  have hbound : ∀ x x', nbr.rel x x' →
      OdpPair (M x) (M x') (fun o => X.exp (eps (cell o))) (lsum ks Δ) := by
    intro x x' hx f hf
    have e1 : f = fun o => lsum ks fun c => ind (cell o = c) * f o := by
      funext o
      exact (lsum_ind ks hn (cell o) (f o) (hc o)).symm
    have e2 : (fun o => X.exp (eps (cell o)) * f o)
        = fun o => lsum ks fun c => X.exp (eps c) * (ind (cell o = c) * f o) := by
      funext o
      rw [← lsum_ind ks hn (cell o) (X.exp (eps (cell o)) * f o) (hc o)]
      apply lsum_congr
      intro c _
      by_cases e : cell o = c
      · subst e
        grind
      · rw [ind_false e]; grind
    rw [e2, (M x').E_lsum ks _ fun c => T.smul _ (hfc f hf.adm c)]
    have e3 : (M x).E f = lsum ks fun c => (M x).E fun o => ind (cell o = c) * f o := by
      rw [← (M x).E_lsum ks _ (hfc f hf.adm), ← e1]
    rw [e3, ← lsum_add]
    apply lsum_le
    intro c _
    rw [(M x').E_smul _ _ (hfc f hf.adm c)]
    refine h c x x' hx _ ⟨hfc f hf.adm c, fun o => mul_nonneg' (ind_nonneg _) (hf.nonneg o),
      fun o => ?_⟩ fun o ho => ?_
    · have := mul_le_mul' (ind_le_one (K := K) (cell o = c)) (hf.le_one o) (hf.nonneg o)
        (by grind : (0 : K) ≤ 1)
      grind
    · rw [ind_false ho]; grind
  refine ⟨?_, hbound⟩
  rw [hw]
  exact T.lsum ks _ hws

/-- **Lemma 6** (Hartmann et al. 2022), set form for finite laws, arbitrary (for instance countable)
partitions.  If `M` is `(P_k, E(P_k), Δ(P_k))`-subset differentially private for every cell and `δ`
bounds every sum of finitely many of the `Δ(P_k)`, that is, `∑_k Δ(P_k) ≤ δ`, then `M` is
`(P, E, δ)`-ODP. -/
theorem subset_dp_on_every_cell_gives_odp (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → FinLaw K O) (cell : O → C) (eps : C → A) (Δ : C → K) (δ : K)
    (hδ : ∀ ks : List C, ks.Nodup → lsum ks Δ ≤ δ)
    (h : ∀ c, IsSubsetDPSet X nbr M (fun o => cell o = c) (eps c) (Δ c)) :
    IsODPSet X nbr M cell eps δ := by
  rw [odp_set_form_iff_functional_form]
  refine ⟨trivial, fun x x' hx f hf => ?_⟩
  obtain ⟨ks, hn, hc⟩ := exists_cover (((M x).list ++ (M x').list).map fun q => cell q.1)
  have hc1 : ∀ q ∈ (M x).list, cell q.1 ∈ ks := fun q hq =>
    hc _ (List.mem_map.mpr ⟨q, List.mem_append.mpr (Or.inl hq), rfl⟩)
  have hc2 : ∀ q ∈ (M x').list, cell q.1 ∈ ks := fun q hq =>
    hc _ (List.mem_map.mpr ⟨q, List.mem_append.mpr (Or.inr hq), rfl⟩)
  show wsum (M x).list f ≤ δ + wsum (M x').list fun o => X.exp (eps (cell o)) * f o
  rw [← wsum_group (M x).list cell ks hn hc1, ← wsum_group (M x').list cell ks hn hc2]
  have h1 : lsum ks (fun c => wsum (M x).list fun o => ind (cell o = c) * f o)
      ≤ lsum ks (fun c => Δ c + wsum (M x').list fun o =>
          ind (cell o = c) * (X.exp (eps (cell o)) * f o)) := by
    apply lsum_le
    intro c _
    have hs := (subset_dp_set_form_iff_functional_form X nbr M _ _ _).mp (h c) x x' hx
      (fun o => ind (cell o = c) * f o)
      ⟨trivial, fun o => mul_nonneg' (ind_nonneg _) (hf.nonneg o), fun o => by
        have := mul_le_mul' (ind_le_one (K := K) (cell o = c)) (hf.le_one o) (hf.nonneg o)
          (by grind : (0 : K) ≤ 1)
        grind⟩ fun o ho => by
        show ind (cell o = c) * f o = 0
        rw [ind_false ho]; grind
    have e : (fun o => ind (cell o = c) * (X.exp (eps (cell o)) * f o))
        = fun o => X.exp (eps c) * (ind (cell o = c) * f o) := by
      funext o
      by_cases e : cell o = c
      · rw [e]; grind
      · rw [ind_false e]; grind
    rw [e, wsum_smul]
    exact hs
  rw [lsum_add] at h1
  have h2 := hδ ks hn
  grind

/-- **Post-processing of output differential privacy.**  Let `M` be `(P, E, δ)`-ODP and let `κ` be a
randomized map of its outputs.  If the weights of the new cells are, for `κ o`-almost every result,
at least the weight of the cell of `o` (stated as an inequality of expectations), then `κ ∘ M` is
ODP with the new cells and the same `δ`. -/
theorem odp_is_closed_under_post_processing {O' C' : Type u} {T : Tests K O} {T' : Tests K O'}
    (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (cell : O → C) (eps : C → A) (δ : K)
    (κ : O → Law T') (hκ : ∀ f, T'.adm f → T.adm fun o => (κ o).E f)
    (cell' : O' → C') (eps' : C' → A) (hw' : T'.adm fun o => X.exp (eps' (cell' o)))
    (hcell : ∀ o f, IsTest T' f →
      X.exp (eps (cell o)) * (κ o).E f ≤ (κ o).E fun o' => X.exp (eps' (cell' o')) * f o')
    (h : IsODP X nbr M cell eps δ) :
    IsODP X nbr (fun x => (M x).bind κ hκ) cell' eps' δ := by
  refine ⟨hw', fun x x' hx f hf => ?_⟩
  show (M x).E (fun o => (κ o).E f)
    ≤ δ + (M x').E fun o => (κ o).E fun o' => X.exp (eps' (cell' o')) * f o'
  have h1 := h.bound x x' hx (fun o => (κ o).E f)
    ⟨hκ f hf.adm, fun o => (κ o).E_nonneg hf.adm hf.nonneg, fun o =>
      (κ o).E_le_one hf.adm hf.le_one⟩
  have h2 := (M x').E_mono _ _ (T.mul _ _ h.adm (hκ f hf.adm)) (hκ _ (T'.mul _ _ hw' hf.adm))
    fun o => hcell o f hf
  grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- **Post-processing of differential privacy** (Dwork and Roth 2014, Prop. 2.1): a randomized map
that does not look at the database keeps `(ε, δ)`-DP. -/
theorem dp_is_closed_under_post_processing {O' : Type u} {T : Tests K O} {T' : Tests K O'}
    (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) (δ : K)
    (κ : O → Law T') (hκ : ∀ f, T'.adm f → T.adm fun o => (κ o).E f)
    (h : IsDP X nbr M ε δ) : IsDP X nbr (fun x => (M x).bind κ hκ) ε δ := by
  intro x x' hx f hf
  exact h x x' hx (fun o => (κ o).E f)
    ⟨hκ f hf.adm, fun o => (κ o).E_nonneg hf.adm hf.nonneg, fun o =>
      (κ o).E_le_one hf.adm hf.le_one⟩

end PrivRef
