module

public import PrivRef.Spec.Field

/-!
Probability laws as expectation functionals.

A class of test functions (`Tests`) stands for the bounded measurable functions of a space: closed
under constants, sums, products and positive parts.  A `Law` is a normalised, linear, monotone
functional on such a class.  Every probability measure is one; finite weighted lists (`FinLaw`)
are the instance that this library constructs, with every function admissible.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u v k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- A class of admissible test functions on `O` ("bounded and measurable"). -/
structure Tests (K : Type k) (O : Type u) [Lean.Grind.Field K] [LE K] where
  adm : (O → K) → Prop
  const : ∀ c, adm fun _ => c
  add : ∀ f g, adm f → adm g → adm fun o => f o + g o
  mul : ∀ f g, adm f → adm g → adm fun o => f o * g o
  pos : ∀ f, adm f → adm fun o => posPart (f o)

/-- The class of all functions (for finite laws). -/
def Tests.all (K : Type k) (O : Type u) [Lean.Grind.Field K] [LE K] : Tests K O where
  adm _ := True
  const _ := trivial
  add _ _ _ _ := trivial
  mul _ _ _ _ := trivial
  pos _ _ := trivial

/-- A probability law on `O`, as an expectation functional on the admissible test functions. -/
structure Law {K : Type k} {O : Type u} [Lean.Grind.Field K] [LE K] (T : Tests K O) where
  E : (O → K) → K
  E_add : ∀ f g, T.adm f → T.adm g → E (fun o => f o + g o) = E f + E g
  E_smul : ∀ c f, T.adm f → E (fun o => c * f o) = c * E f
  E_mono : ∀ f g, T.adm f → T.adm g → (∀ o, f o ≤ g o) → E f ≤ E g
  E_one : E (fun _ => 1) = 1

/-- A test function with values in `[0, 1]`. -/
structure IsTest {O : Type u} (T : Tests K O) (f : O → K) : Prop where
  adm : T.adm f
  nonneg : ∀ o, 0 ≤ f o
  le_one : ∀ o, f o ≤ 1

/-- Randomized post-processing: draw `o` from `μ`, then draw from `κ o`. -/
def Law.bind {O : Type u} {O' : Type v} {T : Tests K O} {T' : Tests K O'} (μ : Law T)
    (κ : O → Law T') (hκ : ∀ f, T'.adm f → T.adm fun o => (κ o).E f) : Law T' where
  E f := μ.E fun o => (κ o).E f
  E_add f g hf hg := by
    rw [← μ.E_add _ _ (hκ f hf) (hκ g hg)]
    congr 1; funext o
    exact (κ o).E_add f g hf hg
  E_smul c f hf := by
    rw [← μ.E_smul _ _ (hκ f hf)]
    congr 1; funext o
    exact (κ o).E_smul c f hf
  E_mono f g hf hg h :=
    μ.E_mono _ _ (hκ f hf) (hκ g hg) fun o => (κ o).E_mono f g hf hg h
  E_one := by
    have h : (fun o => (κ o).E fun _ => 1) = fun _ => (1 : K) := funext fun o => (κ o).E_one
    rw [h]
    exact μ.E_one

/-- The law concentrated in one point. -/
def Law.dirac {O : Type u} (T : Tests K O) (o : O) : Law T where
  E f := f o
  E_add _ _ _ _ := rfl
  E_smul _ _ _ := rfl
  E_mono _ _ _ _ h := h o
  E_one := rfl

/-- The weighted sum `∑ p * f o` over a list of pairs `(o, p)`. -/
def wsum {O : Type u} : List (O × K) → (O → K) → K
  | [], _ => 0
  | q :: l, f => q.2 * f q.1 + wsum l f

section

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem wsum_add {O : Type u} (l : List (O × K)) (f g : O → K) :
    wsum l (fun o => f o + g o) = wsum l f + wsum l g := by
  induction l with
  | nil => simp only [wsum]; grind
  | cons q l ih => simp only [wsum, ih]; grind

theorem wsum_smul {O : Type u} (l : List (O × K)) (c : K) (f : O → K) :
    wsum l (fun o => c * f o) = c * wsum l f := by
  induction l with
  | nil => simp only [wsum]; grind
  | cons q l ih => simp only [wsum, ih]; grind

end

theorem wsum_mono {O : Type u} (l : List (O × K)) (h0 : ∀ q ∈ l, 0 ≤ q.2) (f g : O → K)
    (h : ∀ o, f o ≤ g o) : wsum l f ≤ wsum l g := by
  induction l with
  | nil => simp only [wsum]; grind
  | cons q l ih =>
    simp only [wsum]
    have h1 := ih fun r hr => h0 r (List.mem_cons_of_mem _ hr)
    have h2 := mul_le_left (h q.1) (h0 q List.mem_cons_self)
    grind

/-- A finite law: a list of outcomes with non-negative weights that sum to one.  An outcome may be
listed more than once. -/
structure FinLaw (K : Type k) (O : Type u) [Lean.Grind.Field K] [LE K] where
  list : List (O × K)
  nonneg : ∀ q ∈ list, 0 ≤ q.2
  total : wsum list (fun _ => 1) = 1

/-- A finite law as an expectation functional on all functions. -/
def FinLaw.toLaw {O : Type u} (μ : FinLaw K O) : Law (Tests.all K O) where
  E := wsum μ.list
  E_add f g _ _ := wsum_add μ.list f g
  E_smul c f _ := wsum_smul μ.list c f
  E_mono f g _ _ h := wsum_mono μ.list μ.nonneg f g h
  E_one := μ.total

/-- The expectation of `f` under a finite law. -/
def FinLaw.E {O : Type u} (μ : FinLaw K O) (f : O → K) : K := wsum μ.list f

/-- The probability of a set of outcomes under a finite law. -/
def FinLaw.pr {O : Type u} (μ : FinLaw K O) (S : O → Prop) : K :=
  μ.E fun o => ind (S o)

/-- The probability of one outcome. -/
def FinLaw.mass {O : Type u} (μ : FinLaw K O) (o : O) : K := μ.pr fun x => x = o

/-- The finite law concentrated in one point. -/
def FinLaw.dirac {O : Type u} (o : O) : FinLaw K O where
  list := [(o, 1)]
  nonneg := by
    intro q hq
    have : q = (o, 1) := by simpa using hq
    subst this
    show (0 : K) ≤ 1
    grind
  total := by simp only [wsum]; grind

end PrivRef
