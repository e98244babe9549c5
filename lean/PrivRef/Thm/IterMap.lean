/-
Lemma 14: post-processing inside an iterative mechanism.
-/
module

public import PrivRef.Spec.IterMap
public import PrivRef.Thm.Odp

@[expose] public section

set_option linter.unusedSectionVars false

namespace PrivRef

universe u k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O O' : Type u}

theorem translate_append (f : List O' → O → O') (done : List O') (w : List O) (o : O) :
    translate f done (w ++ [o]) = translate f done w ++ [f (translate f done w) o] := by
  induction w generalizing done with
  | nil => rfl
  | cons a w ih => exact ih _

theorem length_translate (f : List O' → O → O') (done : List O') (w : List O) :
    (translate f done w).length = done.length + w.length := by
  induction w generalizing done with
  | nil => rfl
  | cons a w ih =>
    simp only [translate, ih, List.length_append, List.length_cons, List.length_nil]
    omega

theorem iterE_postProcessed (M : Nat → D → FinLaw K O) (f : List O' → O → O') (h : List O' → Bool)
    (x : D) (n : Nat) (past : List O) (F : List O' → K) :
    iterE (postProcessed M f) h x n (translate f [] past) F
      = iterE (independent M) (fun v => h (translate f [] v)) x n past
        fun v => F (translate f [] v) := by
  induction n generalizing past with
  | zero => rfl
  | succ n ih =>
    simp only [iterE]
    have e : ((postProcessed M f (translate f [] past) x).E fun o' =>
        iterE (postProcessed M f) h x n (translate f [] past ++ [o']) F)
        = (independent M past x).E fun o =>
          iterE (independent M) (fun v => h (translate f [] v)) x n (past ++ [o])
            fun v => F (translate f [] v) := by
      have hl : (translate f [] past).length = past.length := by
        rw [length_translate]; simp
      show wsum ((M (translate f [] past).length x).list.map
        fun q => (f (translate f [] past) q.1, q.2)) _ = wsum (M past.length x).list _
      rw [wsum_map, hl]
      congr 1
      funext o
      rw [← ih (past ++ [o]), translate_append]
    rw [e]

/-- **Lemma 14, deterministic `f`** (Hartmann et al. 2022).  Let the mechanisms `M_k` depend on the
database only, and let `f = (f_1, f_2, …)`, where `f_k` may depend on the results of `f_1, …,
f_{k-1}`.  If the iterative mechanism of the `M_k` with the stopping criterion `h ∘ f` is
`(P, E, δ)`-ODP for the partition by length, then so is that of the `f_k ∘ M_k` with the stopping
criterion `h`. -/
theorem iterative_odp_is_closed_under_post_processing (P : IterParams K) (nbr : Neighbours D)
    (M : Nat → D → FinLaw K O) (f : List O' → O → O') (h : List O' → Bool) (n : Nat) (δ : K)
    (hM : IterODP P nbr (independent M) (fun v => h (translate f [] v)) n δ) :
    IterODP P nbr (postProcessed M f) h n δ := by
  intro x x' hx S
  have e : ∀ y (S : List O' → Prop), iterPr (postProcessed M f) h n y S
      = iterPr (independent M) (fun v => h (translate f [] v)) n y
        fun v => S (translate f [] v) := by
    intro y S
    exact iterE_postProcessed M f h y n [] fun v => ind (S v)
  have h1 := hM x x' hx fun v => S (translate f [] v)
  rw [e]
  have e2 : (fun k => P.Y k * iterPr (postProcessed M f) h n x' fun v => S v ∧ v.length = k)
      = fun k => P.Y k * iterPr (independent M) (fun v => h (translate f [] v)) n x'
        fun v => S (translate f [] v) ∧ v.length = k := by
    funext k
    rw [e]
    congr 2
    funext v
    rw [length_translate]
    simp
  rw [e2]
  exact h1

/-- **Lemma 14** (Hartmann et al. 2022), randomised `f`.  The coins `ω` of `f`, which do not depend
on the database, are drawn first from a finite law `ρ`.  If for every outcome `ω` the iterative
mechanism of the `M_k` with the stopping criterion `h ∘ f_ω` is `(P, E, δ)`-ODP, then the iterative
mechanism of the `f_k ∘ M_k` satisfies the inequality of Definition 2 with the same `E` and `δ`. -/
theorem iterative_odp_is_closed_under_randomised_post_processing {Ω : Type u} (P : IterParams K)
    (nbr : Neighbours D) (M : Nat → D → FinLaw K O) (ρ : FinLaw K Ω) (f : Ω → List O' → O → O')
    (h : List O' → Bool) (n : Nat) (δ : K)
    (hM : ∀ ω, IterODP P nbr (independent M) (fun v => h (translate (f ω) [] v)) n δ)
    (x x' : D) (hx : nbr.rel x x') (S : List O' → Prop) :
    ρ.E (fun ω => iterPr (postProcessed M (f ω)) h n x S)
      ≤ δ + lsum (upTo n) fun k => P.Y k *
        ρ.E fun ω => iterPr (postProcessed M (f ω)) h n x' fun v => S v ∧ v.length = k := by
  have h1 := ρ.toLaw.E_mono _ _ trivial trivial fun ω =>
    iterative_odp_is_closed_under_post_processing P nbr M (f ω) h n δ (hM ω) x x' hx S
  have e : ∀ (l : List Nat) (G : Nat → Ω → K),
      ρ.E (fun ω => lsum l fun k => P.Y k * G k ω) = lsum l fun k => P.Y k * ρ.E (G k) := by
    intro l G
    induction l with
    | nil => exact ρ.toLaw.E_const 0
    | cons k l ih =>
      simp only [lsum]
      rw [← ih]
      have a := ρ.toLaw.E_add (fun ω => P.Y k * G k ω) (fun ω => lsum l fun k => P.Y k * G k ω)
        trivial trivial
      have b := ρ.toLaw.E_smul (P.Y k) (G k) trivial
      rw [b] at a
      exact a
  have h2 := ρ.toLaw.E_add (fun _ => δ) (fun ω => lsum (upTo n) fun k => P.Y k *
    iterPr (postProcessed M (f ω)) h n x' fun v => S v ∧ v.length = k) trivial trivial
  rw [ρ.toLaw.E_const] at h2
  rw [h2] at h1
  have h3 := e (upTo n) fun k ω =>
    iterPr (postProcessed M (f ω)) h n x' fun v => S v ∧ v.length = k
  have h4 : ρ.toLaw.E (fun ω => lsum (upTo n) fun k => P.Y k *
    iterPr (postProcessed M (f ω)) h n x' fun v => S v ∧ v.length = k) = _ := h3
  rw [h4] at h1
  exact h1

end PrivRef
