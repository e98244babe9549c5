module

public import PrivRef.Spec.Odp

/-!
Mechanisms of Hartmann, Bindschaedler, Bentkamp, West (PoPETs 2022): `M_toy` (Sec. 1),
Propose-Test-Release functions (Definition 9) and their two-step cascade (Sec. 4.2).
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D R S : Type u}

/-- Test functions on `R ∪ {⊥}`: admissible on `R`, any value at `⊥` (which is `none`). -/
def Tests.option (T : Tests K R) : Tests K (Option R) where
  adm f := T.adm fun r => f (some r)
  const c := T.const c
  add _ _ hf hg := T.add _ _ hf hg
  mul _ _ hf hg := T.mul _ _ hf hg
  pos _ hf := T.pos _ hf

/-- A finite law on any class of test functions. -/
def FinLaw.onTests (μ : FinLaw K R) (T : Tests K R) : Law T where
  E := wsum μ.list
  E_add f g _ _ := wsum_add μ.list f g
  E_smul c f _ := wsum_smul μ.list c f
  E_mono f g _ _ h := wsum_mono μ.list μ.nonneg f g h
  E_one := μ.total

/-- The partition `{R, {⊥}}` of `R ∪ {⊥}`. -/
inductive AnswerCell : Type u where
  | answer
  | bottom

/-- The cell of an output in `R ∪ {⊥}`. -/
def answerCell : Option R → AnswerCell.{u}
  | some _ => .answer
  | none => .bottom

/-- Costs on the partition `{R, {⊥}}`. -/
def answerCost (εanswer εbottom : A) : AnswerCell.{u} → A
  | .answer => εanswer
  | .bottom => εbottom

/-- `M_toy`: with probability `p` (in the paper `1/2`) run `M`, otherwise return `⊥`. -/
def toy {T : Tests K R} (p : K) (h0 : 0 ≤ p) (h1 : p ≤ 1) (M : D → Law T) (x : D) :
    Law T.option where
  E f := p * (M x).E (fun r => f (some r)) + (1 - p) * f none
  E_add f g hf hg := by
    rw [(M x).E_add (fun r => f (some r)) (fun r => g (some r)) hf hg]; grind
  E_smul c f hf := by
    rw [(M x).E_smul c (fun r => f (some r)) hf]; grind
  E_mono f g hf hg h := by
    have e1 := mul_le_left ((M x).E_mono _ _ hf hg fun r => h (some r)) h0
    have e2 := mul_le_left (h none) (by grind : 0 ≤ 1 - p)
    grind
  E_one := by rw [(M x).E_one]; grind

/-- The indicator of `⊥`. -/
def isBottom : Option R → K
  | some _ => 0
  | none => 1

/-- The indicator of `R` in `R ∪ {⊥}`. -/
def isAnswer : Option R → K
  | some _ => 1
  | none => 0

/-- Definition 9: `P x s` is the law of an `(ε, δ)`-Propose-Test-Release function on the database
`x` with proposal `s` (`none` is `⊥`). -/
structure IsPTR {T : Tests K R} (X : ExpLike A K) (nbr : Neighbours D)
    (P : D → Option S → Law T.option) (ε : A) (δ : K) : Prop where
  bottom_on_bottom : ∀ x, (P x none).E isBottom = 1
  bottom_close : ∀ x x' s, nbr.rel x x' →
    (P x (some s)).E isBottom ≤ X.exp ε * (P x' (some s)).E isBottom
  answer_close : ∀ x x' s, nbr.rel x x' →
    (P x (some s)).E isAnswer ≤ X.exp ε * (P x' (some s)).E isAnswer
  good : ∃ G : D → S → Prop,
    (∀ x x' s, nbr.rel x x' → G x s → ∀ f, IsTest T.option f → f none = 0 →
      (P x (some s)).E f ≤ X.exp (ε + ε) * (P x' (some s)).E f) ∧
    ∀ x s, ¬ G x s → (P x (some s)).E isAnswer ≤ δ

/-- The continuation of the cascade: an answer is returned, after `⊥` the second one is run. -/
def cascadeNext {T : Tests K R} (ν : Law T.option) : Option R → Law T.option
  | some r => Law.dirac T.option (some r)
  | none => ν

/-- The two-step cascade of Sec. 4.2 (for instance `M_IQR`): run the first; if it returns `⊥`,
return what the second returns. -/
def cascade {T : Tests K R} (μ ν : Law T.option) : Law T.option :=
  μ.bind (cascadeNext ν) fun _ hf => hf

end PrivRef
