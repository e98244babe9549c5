module

public import PrivRef.Spec.Mechanisms
public import PrivRef.Thm.Odp

/-!
`M_toy`, Propose-Test-Release functions, and the two-step cascade with `2δ - δ²`.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D R S : Type u} {T : Tests K R}

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem answerCost_adm (X : ExpLike A K) (T : Tests K R) (ea eb : A) :
    T.option.adm fun o : Option R => X.exp (answerCost ea eb (answerCell o)) := by
  show T.adm fun _ => X.exp ea
  exact T.const _

/-- **`M_toy`** (Hartmann et al. 2022, Sec. 1 and Sec. 3).  If `M` is `(ε, δ)`-DP then `M_toy`,
which runs `M` with probability `p` and returns `⊥` otherwise, is ODP with cost `ε` for an answer,
cost `0` for `⊥`, and `p δ`. -/
theorem toy_mechanism_is_odp (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) (δ : K)
    (p : K) (h0 : 0 ≤ p) (h1 : p ≤ 1) (hM : IsDP X nbr M ε δ) :
    IsODP X nbr (toy p h0 h1 M) answerCell (answerCost ε 0) (p * δ) := by
  refine ⟨answerCost_adm X T _ _, fun x x' hx f hf => ?_⟩
  show p * (M x).E (fun r => f (some r)) + (1 - p) * f none
    ≤ p * δ + (p * (M x').E (fun r => X.exp ε * f (some r)) + (1 - p) * (X.exp 0 * f none))
  rw [X.exp_zero, (M x').E_smul _ _ hf.adm]
  have := mul_le_left (hM x x' hx (fun r => f (some r))
    ⟨hf.adm, fun r => hf.nonneg _, fun r => hf.le_one _⟩) h0
  grind

section

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The part of a function that lives on `R`. -/
theorem split_at_bottom (μ : Law T.option) (f : Option R → K) (hf : T.option.adm f) :
    T.option.adm (fun o => isAnswer o * f o) ∧
    μ.E f = μ.E (fun o => isAnswer o * f o) + f none * μ.E isBottom := by
  have h1 : T.option.adm (isAnswer : Option R → K) := T.const 1
  have h2 : T.option.adm (isBottom : Option R → K) := T.const 0
  have h3 : T.option.adm (fun o => isAnswer o * f o) := T.option.mul _ _ h1 hf
  refine ⟨h3, ?_⟩
  have h4 : T.option.adm (fun o => f none * isBottom o) := T.option.smul _ h2
  rw [← μ.E_smul _ _ h2, ← μ.E_add _ _ h3 h4]
  congr 1; funext o
  cases o <;> simp only [isAnswer, isBottom] <;> grind

theorem answer_add_bottom (μ : Law T.option) : μ.E isAnswer + μ.E isBottom = 1 := by
  have h := (split_at_bottom μ (fun _ => 1) (T.option.const 1)).2
  rw [μ.E_const] at h
  have e : (fun o : Option R => isAnswer o * (1 : K)) = isAnswer := by funext o; grind
  rw [e] at h
  grind

end

theorem answer_part_isTest {f : Option R → K} (hf : IsTest T.option f) :
    IsTest T.option (fun o => isAnswer o * f o) := by
  refine ⟨T.option.mul _ _ (T.const 1) hf.adm, fun o => ?_, fun o => ?_⟩
  · have := hf.nonneg o
    cases o <;> simp only [isAnswer] <;> grind
  · have := hf.le_one o
    cases o <;> simp only [isAnswer] <;> grind

theorem answer_part_le (μ : Law T.option) {f : Option R → K} (hf : IsTest T.option f) :
    0 ≤ μ.E (fun o => isAnswer o * f o) ∧ μ.E (fun o => isAnswer o * f o) ≤ μ.E isAnswer := by
  have h := answer_part_isTest hf
  refine ⟨μ.E_nonneg h.adm h.nonneg, μ.E_mono _ _ h.adm (T.const 1) fun o => ?_⟩
  have := hf.le_one o
  cases o <;> simp only [isAnswer] <;> grind

theorem bottom_mem (μ : Law T.option) : 0 ≤ μ.E isBottom ∧ μ.E isBottom ≤ 1 := by
  have hb : T.option.adm (isBottom : Option R → K) := T.const 0
  refine ⟨μ.E_nonneg hb fun o => ?_, μ.E_le_one hb fun o => ?_⟩
  · cases o <;> simp only [isBottom] <;> grind
  · cases o <;> simp only [isBottom] <;> grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem weighted_split (X : ExpLike A K) (ν : Law T.option) (ea eb : A) (f : Option R → K)
    (hf : T.option.adm f) :
    ν.E (fun o => X.exp (answerCost ea eb (answerCell o)) * f o)
      = X.exp ea * ν.E (fun o => isAnswer o * f o) + X.exp eb * (f none * ν.E isBottom) := by
  have hw := answerCost_adm X T ea eb
  have h3 := (split_at_bottom ν f hf).1
  rw [(split_at_bottom ν _ (T.option.mul _ _ hw hf)).2, ← ν.E_smul _ _ h3]
  have e : (fun o : Option R => isAnswer o * (X.exp (answerCost ea eb (answerCell o)) * f o))
      = fun o => X.exp ea * (isAnswer o * f o) := by
    funext o
    cases o <;> simp only [isAnswer, answerCell, answerCost] <;> grind
  rw [e]
  simp only [answerCell, answerCost]
  grind

/-- What Definition 9 says about one proposal and one ordered pair of neighbours. -/
theorem ptr_pair (X : ExpLike A K) (nbr : Neighbours D) (P : D → Option S → Law T.option) (ε : A)
    (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (h : IsPTR X nbr P ε δ) (s : Option S) (x x' : D)
    (hx : nbr.rel x x') :
    (P x s).E isBottom ≤ X.exp ε * (P x' s).E isBottom ∧
    ((∀ f, IsTest T.option f → f none = 0 → (P x s).E f ≤ X.exp (ε + ε) * (P x' s).E f) ∨
      (P x s).E isAnswer ≤ δ) := by
  cases s with
  | none =>
    have h1 := h.bottom_on_bottom x
    have h2 := h.bottom_on_bottom x'
    have h3 := answer_add_bottom (P x none)
    have h4 := X.one_le_exp hε
    exact ⟨by rw [h1, h2]; grind, Or.inr (by grind)⟩
  | some s =>
    obtain ⟨G, hg, hb⟩ := h.good
    refine ⟨h.bottom_close x x' s hx, ?_⟩
    by_cases hG : G x s
    · exact Or.inl (hg x x' s hx hG)
    · exact Or.inr (hb x s hG)

/-- **A PTR function is output differentially private** (Hartmann et al. 2022, Sec. 4.2): for each
proposal `s` an `(ε, δ)`-PTR function is ODP with cost `2ε` for an answer, `ε` for `⊥`, and `δ`. -/
theorem ptr_function_is_odp (X : ExpLike A K) (nbr : Neighbours D)
    (P : D → Option S → Law T.option) (ε : A) (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (h : IsPTR X nbr P ε δ) (s : Option S) :
    IsODP X nbr (fun x => P x s) answerCell (answerCost (ε + ε) ε) δ := by
  refine ⟨answerCost_adm X T _ _, fun x x' hx f hf => ?_⟩
  obtain ⟨hb, hg⟩ := ptr_pair X nbr P ε δ hε hδ h s x x' hx
  rw [weighted_split X _ _ _ f hf.adm, (split_at_bottom (P x s) f hf.adm).2]
  have h1 := mul_le_left hb (hf.nonneg none)
  have h2 := answer_part_le (P x s) hf
  have h3 := answer_part_le (P x' s) hf
  have h4 := mul_nonneg' (X.exp_nonneg (ε + ε)) h3.1
  rcases hg with hg | hg
  · have := hg _ (answer_part_isTest hf) (by simp only [isAnswer]; grind)
    grind
  · grind

/-- **The two-step cascade of PTR functions** (Hartmann et al. 2022, Sec. 4.2 and Lemma 10, in the
form in which they follow from Definition 9): it is ODP with cost `3ε` for an answer, `2ε` for `⊥`,
and `2δ - δ²`; the printed `δ` does not follow, see `ptr_cascade_delta_is_attained`. -/
theorem ptr_cascade_is_odp (X : ExpLike A K) (nbr : Neighbours D)
    (P Q : D → Option S → Law T.option) (ε : A) (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1)
    (hP : IsPTR X nbr P ε δ) (hQ : IsPTR X nbr Q ε δ) (s s' : Option S) :
    IsODP X nbr (fun x => cascade (P x s) (Q x s')) answerCell
      (answerCost (ε + ε + ε) (ε + ε)) (2 * δ - δ * δ) := by
  refine ⟨answerCost_adm X T _ _, fun x x' hx f hf => ?_⟩
  obtain ⟨hb1, hg1⟩ := ptr_pair X nbr P ε δ hε hδ hP s x x' hx
  obtain ⟨hb2, hg2⟩ := ptr_pair X nbr Q ε δ hε hδ hQ s' x x' hx
  have hcas : ∀ (μ ν : Law T.option) (F : Option R → K), T.option.adm F →
      (cascade μ ν).E F = μ.E (fun o => isAnswer o * F o) + ν.E F * μ.E isBottom := by
    intro μ ν F hF
    show μ.E (fun o => (cascadeNext ν o).E F) = _
    have hadm : T.option.adm (fun o => (cascadeNext ν o).E F) := hF
    rw [(split_at_bottom μ _ hadm).2]
    congr 2
    funext o
    cases o
    · simp only [isAnswer]; grind
    · rfl
  have hw := answerCost_adm X T (ε + ε + ε) (ε + ε)
  have hwf := T.option.mul _ _ hw hf.adm
  have ewf : (fun o : Option R => isAnswer o *
      (X.exp (answerCost (ε + ε + ε) (ε + ε) (answerCell o)) * f o))
      = fun o => X.exp (ε + ε + ε) * (isAnswer o * f o) := by
    funext o
    cases o <;> simp only [isAnswer, answerCell, answerCost] <;> grind
  rw [hcas _ _ _ hf.adm, hcas _ _ _ hwf, ewf, weighted_split X _ _ _ f hf.adm,
    (P x' s).E_smul _ _ (answer_part_isTest hf).adm, (split_at_bottom (Q x s') f hf.adm).2]
  have a1 := answer_part_le (P x s) hf
  have a1' := answer_part_le (P x' s) hf
  have a2 := answer_part_le (Q x s') hf
  have a2' := answer_part_le (Q x' s') hf
  have b1 := bottom_mem (P x s)
  have b1' := bottom_mem (P x' s)
  have b2 := bottom_mem (Q x s')
  have b2' := bottom_mem (Q x' s')
  have t1 := answer_add_bottom (P x s)
  have e0 := X.one_le_exp hε
  have e1 := X.exp_add ε ε
  have e2 := X.exp_add (ε + ε) ε
  have f0 := hf.nonneg none
  have g1 : (∀ f, IsTest T.option f → f none = 0 → (P x s).E f ≤ X.exp (ε + ε) * (P x' s).E f) →
      (P x s).E (fun o => isAnswer o * f o)
        ≤ X.exp (ε + ε) * (P x' s).E (fun o => isAnswer o * f o) := fun h =>
    h _ (answer_part_isTest hf) (by simp only [isAnswer]; grind)
  have g2 : (∀ f, IsTest T.option f → f none = 0 → (Q x s').E f ≤ X.exp (ε + ε) * (Q x' s').E f) →
      (Q x s').E (fun o => isAnswer o * f o)
        ≤ X.exp (ε + ε) * (Q x' s').E (fun o => isAnswer o * f o) := fun h =>
    h _ (answer_part_isTest hf) (by simp only [isAnswer]; grind)
  have k1 := hg1.imp g1 id
  have k2 := hg2.imp g2 id
  rw [e2, e1]
  rw [e1] at k1 k2
  clear g1 g2 hg1 hg2
  clear hcas
  generalize X.exp ε = e at *
  generalize (P x s).E (fun o => isAnswer o * f o) = α1 at *
  generalize (P x' s).E (fun o => isAnswer o * f o) = α1' at *
  generalize (Q x s').E (fun o => isAnswer o * f o) = α2 at *
  generalize (Q x' s').E (fun o => isAnswer o * f o) = α2' at *
  generalize (P x s).E isAnswer = σ1 at *
  generalize (Q x s').E isAnswer = σ2 at *
  generalize (P x s).E isBottom = β1 at *
  generalize (P x' s).E isBottom = β1' at *
  generalize (Q x s').E isBottom = β2 at *
  generalize (Q x' s').E isBottom = β2' at *
  generalize f none = φ at *
  clear ewf hwf hw hf hP hQ e1 e2
  have e00 : 0 ≤ e := by grind
  have hee : 0 ≤ e * e := mul_nonneg' e00 e00
  -- the `⊥` part
  have bot : φ * β2 * β1 ≤ e * e * (φ * β2') * β1' := by
    have h1 := mul_le_mul' hb2 hb1 b1.1 (mul_nonneg' e00 b2'.1)
    have h2 := mul_le_left h1 f0
    grind
  -- the answer part
  have δ2 : 0 ≤ δ - δ * δ := by
    have := mul_nonneg' hδ (by grind : 0 ≤ 1 - δ)
    grind
  have p1 : 0 ≤ e * e * e * α1' := mul_nonneg' (mul_nonneg' hee e00) a1'.1
  have p2 : 0 ≤ e * e * e * α2' := mul_nonneg' (mul_nonneg' hee e00) a2'.1
  have p3 : 0 ≤ e * e * e * α2' * β1' := mul_nonneg' p2 b1'.1
  have q1 : e * e * α1' ≤ e * e * e * α1' := by
    have h1 := mul_le_left e0 (mul_nonneg' hee a1'.1)
    grind
  have q2 : α2 ≤ e * e * α2' → α2 * β1 ≤ e * e * e * α2' * β1' := fun h => by
    have h1 := mul_le_mul' h hb1 b1.1 (mul_nonneg' hee a2'.1)
    grind
  have q3 : α2 ≤ δ → α2 * β1 ≤ δ * β1 := fun h => mul_le_right h b1.1
  have q4 : δ * β1 ≤ δ := by
    have := mul_le_left b1.2 hδ
    grind
  rcases k1 with k1 | k1
  · rcases k2 with k2 | k2
    · have := q2 k2
      grind
    · have := q3 (by grind)
      grind
  · rcases k2 with k2 | k2
    · have := q2 k2
      grind
    · have r1 := q3 (by grind)
      have r2 := mul_le_right k1 (by grind : 0 ≤ 1 - δ)
      have hβ : β1 = 1 - σ1 := by grind
      subst hβ
      grind

/-- The two databases of the witness, neighbours of each other. -/
def twoDatabases : Neighbours (ULift.{u} Bool) where
  rel _ _ := True
  symm _ _ _ := trivial

/-- The law of the witness: answer with the database itself with probability `δ`, else `⊥`. -/
noncomputable def leak (δ : K) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (x : ULift.{u} Bool) :
    FinLaw K (Option (ULift.{u} Bool)) where
  list := [(some x, δ), (none, 1 - δ)]
  nonneg := by
    intro q hq
    simp only [List.mem_cons, List.not_mem_nil, or_false] at hq
    rcases hq with hq | hq <;> subst hq <;> grind
  total := by simp only [wsum]; grind

/-- **`2δ - δ²` is attained** (against the printed Lemma 10 of Hartmann et al. 2022).  For every
`0 ≤ δ ≤ 1` and `ε ≥ 0` there is an `(ε, δ)`-PTR function whose two-step cascade with itself is
`(ε', δ')`-DP for no `δ' < 2δ - δ²`, whatever `ε'` is; with `δ = 1/10` that is `19/100`. -/
theorem ptr_cascade_delta_is_attained (X : ExpLike A K) (ε : A) (δ : K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) :
    ∃ P : ULift.{u} Bool → Option (ULift.{u} Bool) →
        Law (Tests.all K (ULift.{u} Bool)).option,
      IsPTR X twoDatabases P ε δ ∧
      ∀ (s : ULift.{u} Bool) (ε' : A) (δ' : K),
        IsDP X twoDatabases (fun x => cascade (P x (some s)) (P x (some s))) ε' δ' →
        2 * δ - δ * δ ≤ δ' := by
  let T : Tests K (Option (ULift.{u} Bool)) := (Tests.all K (ULift.{u} Bool)).option
  let P : ULift.{u} Bool → Option (ULift.{u} Bool) → Law T := fun x s =>
    match s with
    | none => Law.dirac T none
    | some _ => (leak δ hδ hδ1 x).onTests T
  have hbot : ∀ x s, (P x (some s)).E isBottom = 1 - δ := fun x s => by
    show δ * isBottom (some x) + ((1 - δ) * isBottom none + 0) = 1 - δ
    simp only [isBottom]; grind
  have hans : ∀ x s, (P x (some s)).E isAnswer = δ := fun x s => by
    show δ * isAnswer (some x) + ((1 - δ) * isAnswer none + 0) = δ
    simp only [isAnswer]; grind
  have h1 := X.one_le_exp hε
  refine ⟨P, ⟨fun x => rfl, fun x x' s _ => ?_, fun x x' s _ => ?_,
    ⟨fun _ _ => False, fun x x' s _ h => h.elim, fun x s _ => ?_⟩⟩, ?_⟩
  · rw [hbot x s, hbot x' s]
    have := mul_le_right h1 (by grind : 0 ≤ 1 - δ)
    grind
  · rw [hans x s, hans x' s]
    have := mul_le_right h1 hδ
    grind
  · rw [hans x s]; grind
  · intro s ε' δ' h
    let f : Option (ULift.{u} Bool) → K := fun o => ind (o = some ⟨false⟩)
    have hx := h ⟨false⟩ ⟨true⟩ trivial f ⟨trivial, fun o => ind_nonneg _, fun o => ind_le_one _⟩
    have f1 : f (some ⟨false⟩) = 1 := ind_true rfl
    have f2 : f none = 0 := ind_false (by simp)
    have f3 : f (some ⟨true⟩) = 0 := ind_false (by simp)
    have e1 : (cascade (P ⟨false⟩ (some s)) (P ⟨false⟩ (some s))).E f
        = δ * f (some ⟨false⟩)
          + ((1 - δ) * (δ * f (some ⟨false⟩) + ((1 - δ) * f none + 0)) + 0) := rfl
    have e2 : (cascade (P ⟨true⟩ (some s)) (P ⟨true⟩ (some s))).E f
        = δ * f (some ⟨true⟩)
          + ((1 - δ) * (δ * f (some ⟨true⟩) + ((1 - δ) * f none + 0)) + 0) := rfl
    rw [e1, e2, f1, f2, f3] at hx
    grind

end PrivRef
