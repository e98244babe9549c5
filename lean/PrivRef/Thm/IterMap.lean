module

public import PrivRef.Spec.IterMap
public import PrivRef.Thm.Odp

/-!
Lemma 14: post-processing inside an iterative mechanism.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u v k

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

section

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

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

end

/-! ### Randomized post-processing

Given the outputs of the `M_k`, the law of the results does not depend on the database: the set of
results becomes a weight in `[0, 1]` of the outputs. -/

theorem wsum_swap {S : Type v} {O : Type u} (l : List (S × K)) (l' : List (O × K)) (H : S → O → K) :
    wsum l (fun s => wsum l' (H s)) = wsum l' fun o => wsum l fun s => H s o := by
  induction l with
  | nil =>
    show (0 : K) = wsum l' fun _ => 0
    induction l' with
    | nil => rfl
    | cons q l' ih => simp only [wsum]; grind
  | cons q l ih =>
    simp only [wsum]
    rw [ih, ← wsum_smul, ← wsum_add]

theorem FinLaw.bind_E (μ : FinLaw K O) (κ : O → FinLaw K O') (F : O' → K) :
    (μ.bind κ).E F = μ.E fun o => (κ o).E F :=
  wsum_flatMap μ.list (fun o => (κ o).list) F

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem FinLaw.map_E (g : O → O') (μ : FinLaw K O) (F : O' → K) :
    (μ.map g).E F = μ.E fun o => F (g o) := wsum_map _ _ _

theorem FinLaw.dirac_E (o : O) (F : O → K) : (FinLaw.dirac o).E F = F o := by
  show 1 * F o + 0 = F o
  grind

section Joint

variable (M : Nat → D → FinLaw K O) (f : List O' → O → FinLaw K O') (h : List O' → Bool) (x : D)

/-- The expectation of a function of the outputs and the results. -/
def jointE (n : Nat) (w : List O) (d : List O') (F : List O → List O' → K) : K :=
  (jointLaw M f h x n w d).E fun v => F v.1 v.2

theorem jointE_zero (w : List O) (d : List O') (F : List O → List O' → K) :
    jointE M f h x 0 w d F = F w d := FinLaw.dirac_E _ _

theorem jointE_succ (n : Nat) (w : List O) (d : List O') (F : List O → List O' → K) :
    jointE M f h x (n + 1) w d F = if h d then F w d else
      (M w.length x).E fun o => (f d o).E fun o' => jointE M f h x n (w ++ [o]) (d ++ [o']) F := by
  unfold jointE
  simp only [jointLaw]
  split
  · exact FinLaw.dirac_E _ _
  · simp only [FinLaw.bind_E]

/-- Outputs and results are equally many. -/
theorem jointE_congr (F G : List O → List O' → K) (hFG : ∀ w d, w.length = d.length → F w d = G w d)
    (n : Nat) (w : List O) (d : List O') (hl : w.length = d.length) :
    jointE M f h x n w d F = jointE M f h x n w d G := by
  induction n generalizing w d with
  | zero => rw [jointE_zero, jointE_zero, hFG w d hl]
  | succ n ih =>
    rw [jointE_succ, jointE_succ, hFG w d hl]
    split
    · rfl
    · congr 1
      funext o
      congr 1
      funext o'
      exact ih _ _ (by simp [hl])

/-- The results are those of the iteration of the `f_k ∘ M_k`. -/
theorem jointE_results (n : Nat) (w : List O) (d : List O') (hl : w.length = d.length)
    (F : List O' → K) :
    jointE M f h x n w d (fun _ d => F d) = iterE (randomlyProcessed M f) h x n d F := by
  induction n generalizing w d with
  | zero => rw [jointE_zero]; rfl
  | succ n ih =>
    rw [jointE_succ]
    simp only [iterE]
    split
    · rfl
    · rw [randomlyProcessed, FinLaw.bind_E, ← hl]
      congr 1
      funext o
      congr 1
      funext o'
      exact ih _ _ (by simp [hl])

end Joint

section Weights

variable {Ω : Type u} (f : Ω → List O' → O → FinLaw K O') (h : List O' → Bool)

/-- One more output: the coins and results that have not stopped, with their weights. -/
def extend (c : List ((Ω × List O') × K)) (o : O) : List ((Ω × List O') × K) :=
  c.flatMap fun q => if h q.1.2 then [] else
    (f q.1.1 q.1.2 o).list.map fun r => ((q.1.1, q.1.2 ++ [r.1]), q.2 * r.2)

/-- The coins and results that go on after the outputs `w`, each with its probability given `w`. -/
def weights : List ((Ω × List O') × K) → List O → List ((Ω × List O') × K)
  | c, [] => c
  | c, o :: w => weights (extend f h c o) w

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem weights_append (c : List ((Ω × List O') × K)) (w : List O) (o : O) :
    weights f h c (w ++ [o]) = extend f h (weights f h c w) o := by
  induction w generalizing c with
  | nil => rfl
  | cons a w ih => exact ih _

theorem weights_nonneg (c : List ((Ω × List O') × K)) (hc : ∀ q ∈ c, 0 ≤ q.2) (w : List O) :
    ∀ q ∈ weights f h c w, 0 ≤ q.2 := by
  induction w generalizing c with
  | nil => exact hc
  | cons o w ih =>
    refine ih _ fun r hr => ?_
    obtain ⟨q, hq, hr⟩ := List.mem_flatMap.mp hr
    split at hr
    · exact absurd hr (by simp)
    · obtain ⟨s, hs, rfl⟩ := List.mem_map.mp hr
      exact mul_nonneg' (hc q hq) ((f q.1.1 q.1.2 o).nonneg s hs)

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem wsum_extend (c : List ((Ω × List O') × K)) (o : O) (H : Ω × List O' → K) :
    wsum (extend f h c o) H
      = wsum c fun s => if h s.2 then 0 else (f s.1 s.2 o).E fun o' => H (s.1, s.2 ++ [o']) := by
  induction c with
  | nil => rfl
  | cons q c ih =>
    have e : extend f h (q :: c) o = (if h q.1.2 then [] else
        (f q.1.1 q.1.2 o).list.map fun r => ((q.1.1, q.1.2 ++ [r.1]), q.2 * r.2))
        ++ extend f h c o := List.flatMap_cons ..
    rw [e, wsum_append, ih]
    simp only [wsum]
    congr 1
    split
    · simp only [wsum]; grind
    · have e2 : ((f q.1.1 q.1.2 o).list.map fun r => ((q.1.1, q.1.2 ++ [r.1]), q.2 * r.2))
          = (((f q.1.1 q.1.2 o).list.map fun r => ((q.1.1, q.1.2 ++ [r.1]), r.2)).map
            fun r => (r.1, q.2 * r.2)) := by
        rw [List.map_map]; rfl
      rw [e2, wsum_scale, wsum_map (fun o' => (q.1.1, q.1.2 ++ [o']))]
      rfl

/-- The mean of `F`, in which the elements count by their weights and by `t`. -/
def meanOf {S : Type u} (c : List (S × K)) (t F : S → K) : K :=
  wsum c (fun s => t s * F s) / wsum c t

theorem meanOf_within {S : Type u} (c : List (S × K)) (hc : ∀ q ∈ c, 0 ≤ q.2) (t F : S → K)
    (ht : ∀ s, 0 ≤ t s) (h0 : ∀ s, 0 ≤ F s) (h1 : ∀ s, F s ≤ 1) :
    wsum c (fun s => t s * F s) = meanOf c t F * wsum c t ∧ 0 ≤ meanOf c t F ∧ meanOf c t F ≤
      1 := by
  have z : wsum c (fun _ : S => (0 : K)) = 0 := by
    have := wsum_smul c 0 fun _ : S => (0 : K)
    grind
  have a := wsum_mono c hc (fun _ => 0) (fun s => t s * F s) fun s => mul_nonneg' (ht s) (h0 s)
  have b := wsum_mono c hc (fun s => t s * F s) t fun s => by
    have := mul_le_left (h1 s) (ht s)
    grind
  unfold meanOf
  rw [z] at a
  rw [Lean.Grind.Field.div_eq_mul_inv]
  generalize wsum c (fun s => t s * F s) = p at *
  generalize wsum c t = q at *
  by_cases hq : q = 0
  · have hi : q⁻¹ = 0 := by rw [hq]; exact Lean.Grind.Field.inv_zero
    rw [hi]
    refine ⟨by grind, by grind, by grind⟩
  · have hi : 0 < q⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
    have hqi : q * q⁻¹ = 1 := Lean.Grind.Field.mul_inv_cancel hq
    have c1 := mul_nonneg' a (by grind : 0 ≤ q⁻¹)
    have c2 := mul_le_right b (by grind : 0 ≤ q⁻¹)
    refine ⟨by grind, c1, by grind⟩

/-- Where a sequence of outputs ends the iteration: there `h` says so, or there is no next. -/
def stopsAt (n : Nat) (w : List O) (s : Ω × List O') : K := ind (h s.2 = true ∨ w.length = n)

/-- The weight in `[0, 1]` that a set of results becomes. -/
def weightOf (n : Nat) (c : List ((Ω × List O') × K)) (F : Ω × List O' → K) (w : List O) : K :=
  meanOf (weights f h c w) (stopsAt h n w) F

/-- A function of the results has the same expectation as its mean given the outputs. -/
theorem results_become_weights (M : Nat → D → FinLaw K O) (x : D) (n : Nat)
    (c : List ((Ω × List O') × K)) (hc : ∀ q ∈ c, 0 ≤ q.2) (F : Ω × List O' → K) (h0 : ∀ s, 0 ≤ F s)
    (h1 : ∀ s, F s ≤ 1) (y : List O → K) (m : Nat) (w : List O) (hw : w.length + m = n) :
    wsum (weights f h c w) (fun s => jointE M (f s.1) h x m w s.2 fun w d => y w * F (s.1, d))
      = wsum (weights f h c w) fun s => jointE M (f s.1) h x m w s.2 fun w _ =>
          y w * weightOf f h n c F w := by
  have mean := fun w => (meanOf_within (weights f h c w) (weights_nonneg f h c hc w) (stopsAt h n w)
      F
    (fun _ => ind_nonneg _) h0 h1).1
  induction m generalizing w with
  | zero =>
    have e : stopsAt (K := K) (Ω := Ω) h n w = fun _ => 1 := funext fun s =>
        ind_true (Or.inr (by omega))
    have hm := mean w
    have e1 : (fun s => (1 : K) * F s) = F := by funext s; grind
    have e2 := wsum_smul (weights f h c w) (y w * weightOf f h n c F w) fun _ => (1 : K)
    have e3 : (fun _ : Ω × List O' => y w * weightOf f h n c F w * 1)
        = fun _ => y w * weightOf f h n c F w := by funext s; grind
    simp only [jointE_zero]
    rw [wsum_smul]
    rw [e3] at e2
    rw [e2]
    unfold weightOf
    rw [e] at hm ⊢
    rw [e1] at hm
    grind
  | succ m ih =>
    have split_step : ∀ G : List O → Ω × List O' → K,
        wsum (weights f h c w) (fun s => jointE M (f s.1) h x (m + 1) w s.2 fun w d => G w (s.1, d))
        = wsum (weights f h c w) (fun s => stopsAt h n w s * G w s)
          + (M w.length x).E fun o => wsum (weights f h c (w ++ [o])) fun s =>
              jointE M (f s.1) h x m (w ++ [o]) s.2 fun w d => G w (s.1, d) := by
      intro G
      have e : (fun o => wsum (weights f h c (w ++ [o])) fun s =>
              jointE M (f s.1) h x m (w ++ [o]) s.2 fun w d => G w (s.1, d))
          = fun o => wsum (weights f h c w) fun s => if h s.2 then 0 else
            (f s.1 s.2 o).E fun o' => jointE M (f s.1) h x m (w ++ [o]) (s.2 ++ [o'])
              fun w d => G w (s.1, d) := by
        funext o
        rw [weights_append, wsum_extend]
      rw [e]
      show _ = _ + wsum (M w.length x).list _
      rw [← wsum_swap, ← wsum_add]
      congr 1
      funext s
      rw [jointE_succ]
      by_cases hs : h s.2 = true
      · rw [if_pos hs]
        have z : wsum (M w.length x).list (fun o => if h s.2 = true then 0 else
            (f s.1 s.2 o).E fun o' => jointE M (f s.1) h x m (w ++ [o]) (s.2 ++ [o'])
              fun w d => G w (s.1, d)) = 0 := by
          have := wsum_smul (M w.length x).list 0 fun _ : O => (0 : K)
          simp only [if_pos hs]
          grind
        rw [z]
        have : stopsAt (K := K) h n w s = 1 := ind_true (Or.inl hs)
        rw [this]
        grind
      · have : stopsAt (K := K) h n w s = 0 :=
          ind_false fun hor => hor.elim hs fun he => by omega
        rw [if_neg hs, this]
        simp only [if_neg hs]
        show wsum _ _ = _
        grind
    rw [split_step fun w s => y w * F s, split_step fun w _ => y w * weightOf f h n c F w]
    congr 1
    · have hm := mean w
      have e1 := wsum_smul (weights f h c w) (y w) fun s => stopsAt h n w s * F s
      have e2 := wsum_smul (weights f h c w) (y w * weightOf f h n c F w) (stopsAt h n w)
      have e3 : (fun s : Ω × List O' => stopsAt h n w s * (y w * F s)) = fun s =>
          y w * (stopsAt h n w s * F s) := by
        funext s; grind
      have e4 : (fun s : Ω × List O' => stopsAt h n w s * (y w * weightOf f h n c F w))
          = fun s => y w * weightOf f h n c F w * stopsAt h n w s := by funext s; grind
      rw [e3, e4, e1, e2, hm]
      unfold weightOf
      grind
    · congr 1
      funext o
      exact ih (w ++ [o]) (by
        rw [List.length_append]
        simp only [List.length_cons, List.length_nil]
        omega)

end Weights

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem wsum_lsum {S : Type v} (c : List (S × K)) (l : List Nat) (F : Nat → S → K) :
    wsum c (fun s => lsum l fun k => F k s) = lsum l fun k => wsum c (F k) := by
  induction l with
  | nil =>
    have := wsum_smul c 0 fun _ : S => (0 : K)
    show wsum c (fun _ => 0) = 0
    grind
  | cons k l ih =>
    simp only [lsum]
    rw [← ih, ← wsum_add]

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- The sum over the lengths in Definition 2 is the expectation with the weight of the length. -/
theorem sum_over_lengths_eq_weighted_expectation (P : IterParams K) (n : Nat)
    (L : FinLaw K (List O))
    (S : List O → Prop) :
    lsum (upTo n) (fun k => P.Y k * L.pr fun v => S v ∧ v.length = k)
      = L.E fun v => (lsum (upTo n) fun k => P.Y k * ind (v.length = k)) * ind (S v) := by
  have e : (fun v : List O => (lsum (upTo n) fun k => P.Y k * ind (v.length = k)) * ind (S v))
      = fun v => lsum (upTo n) fun k => P.Y k * ind (S v ∧ v.length = k) := by
    funext v
    have h1 := lsum_smul (upTo n) (ind (S v) : K) fun k => P.Y k * ind (v.length = k)
    have h2 : lsum (upTo n) (fun k => ind (S v) * (P.Y k * ind (v.length = k)))
        = lsum (upTo n) fun k => P.Y k * (ind (S v ∧ v.length = k) : K) := by
      apply lsum_congr
      intro k _
      by_cases a : S v
      · by_cases b : v.length = k
        · rw [ind_true a, ind_true b, ind_true ⟨a, b⟩]; grind
        · rw [ind_true a, ind_false b, ind_false fun h => b h.2]; grind
      · rw [ind_false a, ind_false (show ¬ (S v ∧ v.length = k) from fun h => a h.1)]; grind
    rw [← h2, h1]
    grind
  show _ = wsum L.list _
  rw [e, wsum_lsum]
  apply lsum_congr
  intro k _
  exact (wsum_smul _ _ _).symm

/-- **Lemma 14** (Hartmann et al. 2022), randomized `f`.  Let the mechanisms `M_k` depend on the
database only, and let `f = (f_1, f_2, …)` be randomized: the coins `ω` that its parts share are
drawn first, from a finite law, and `f_k` may toss more, and depend on the results of
`f_1, …, f_{k-1}`.  If the outputs of the iterative mechanism of the `M_k` with the stopping
criterion `h ∘ f` are `(P, E, δ)`-ODP for the partition by length, then so are those of the
`f_k ∘ M_k` with the stopping criterion `h`.  Nothing is asked of single outcomes of the coins. -/
theorem iterative_odp_is_closed_under_randomized_post_processing {Ω : Type u} (P : IterParams K)
    (nbr : Neighbours D) (M : Nat → D → FinLaw K O) (ρ : FinLaw K Ω)
      (f : Ω → List O' → O → FinLaw K O')
    (h : List O' → Bool) (n : Nat) (δ : K)
    (hM : LengthODP P nbr n
      (fun x => ρ.bind fun ω => (jointLaw M (f ω) h x n [] []).map Prod.fst) δ) :
    LengthODP P nbr n (fun x => ρ.bind fun ω => (jointLaw M (f ω) h x n [] []).map Prod.snd) δ := by
  intro x x' hx S
  let c : List ((Ω × List O') × K) := ρ.list.map fun q => ((q.1, []), q.2)
  have hc : ∀ q ∈ c, 0 ≤ q.2 := by
    intro q hq
    obtain ⟨r, hr, rfl⟩ := List.mem_map.mp hq
    exact ρ.nonneg r hr
  let F : Ω × List O' → K := fun s => ind (S s.2)
  let g : List O → K := weightOf f h n c F
  have hg : ∀ w, 0 ≤ g w ∧ g w ≤ 1 := fun w =>
    (meanOf_within (weights f h c w) (weights_nonneg f h c hc w) (stopsAt h n w) F
      (fun _ => ind_nonneg _) (fun _ => ind_nonneg _) fun _ => ind_le_one _).2
  have swap : ∀ z (y : Nat → K),
      (ρ.bind fun ω => (jointLaw M (f ω) h z n [] []).map Prod.snd).E
        (fun d => y d.length * ind (S d))
      = (ρ.bind fun ω => (jointLaw M (f ω) h z n [] []).map Prod.fst).E
        fun w => y w.length * g w := by
    intro z y
    have key := results_become_weights f h M z n c hc F (fun _ => ind_nonneg _)
        (fun _ => ind_le_one _)
      (fun w => y w.length) n [] (by simp)
    simp only [weights] at key
    rw [wsum_map (fun ω => (ω, ([] : List O'))), wsum_map (fun ω => (ω, ([] : List O')))] at key
    rw [FinLaw.bind_E, FinLaw.bind_E]
    simp only [FinLaw.map_E]
    show ρ.E _ = wsum ρ.list _
    refine Eq.trans ?_ key
    show wsum ρ.list _ = wsum ρ.list _
    congr 1
    funext ω
    exact jointE_congr M (f ω) h z (fun _ d => y d.length * ind (S d))
      (fun w d => y w.length * ind (S d)) (fun w d e => by
        show y d.length * _ = y w.length * _
        rw [e]) n [] [] rfl
  have one : (ρ.bind fun ω => (jointLaw M (f ω) h x n [] []).map Prod.snd).pr S
      = (ρ.bind fun ω => (jointLaw M (f ω) h x n [] []).map Prod.fst).E g := by
    have e := swap x fun _ => 1
    have e1 : (fun d : List O' => (1 : K) * ind (S d)) = fun d => ind (S d) := by funext d; grind
    have e2 : (fun w => (1 : K) * g w) = g := by funext w; grind
    rw [e1, e2] at e
    exact e
  have hall := test_functions_follow_from_sets
    (ρ.bind fun ω => (jointLaw M (f ω) h x n [] []).map Prod.fst)
    (ρ.bind fun ω => (jointLaw M (f ω) h x' n [] []).map Prod.fst)
    (fun w => lsum (upTo n) fun k => P.Y k * ind (w.length = k)) δ (fun _ => True)
    (fun S _ => by
      rw [← sum_over_lengths_eq_weighted_expectation]
      exact hM x x' hx S) g (fun w => (hg w).1) (fun w => (hg w).2) fun _ h => absurd trivial h
  rw [sum_over_lengths_eq_weighted_expectation, swap x' fun l => lsum (upTo n) fun k =>
      P.Y k * ind (l = k)]
  rw [one]
  exact hall

/-- **Lemma 14** (Hartmann et al. 2022) as an iterative mechanism: if the `f_k` share no coins, the
outputs of the `f_k ∘ M_k` are those of an iteration. -/
theorem iterative_mechanism_of_randomized_post_processings_is_odp (P : IterParams K)
    (nbr : Neighbours D)
    (M : Nat → D → FinLaw K O) (f : List O' → O → FinLaw K O') (h : List O' → Bool) (n : Nat)
      (δ : K)
    (hM : LengthODP P nbr n (fun x => (jointLaw M f h x n [] []).map Prod.fst) δ) :
    IterODP P nbr (randomlyProcessed M f) h n δ := by
  have once : ∀ {O : Type u} (L : FinLaw K O) (F : O → K),
      ((FinLaw.dirac PUnit.unit).bind fun _ : PUnit => L).E F = L.E F := fun L F => by
    rw [FinLaw.bind_E, FinLaw.dirac_E]
  have h1 := iterative_odp_is_closed_under_randomized_post_processing P nbr M
    (FinLaw.dirac PUnit.unit) (fun _ => f) h n δ (fun x x' hx S => by
      have := hM x x' hx S
      unfold FinLaw.pr at *
      simp only [once]
      exact this)
  have e : ∀ y (S : List O' → Prop), iterPr (randomlyProcessed M f) h n y S
      = ((FinLaw.dirac PUnit.unit).bind fun _ : PUnit =>
        (jointLaw M f h y n [] []).map Prod.snd).pr S := by
    intro y S
    unfold FinLaw.pr
    rw [once, FinLaw.map_E]
    exact (jointE_results M f h y n [] [] rfl fun v => ind (S v)).symm
  intro x x' hx S
  simp only [e]
  exact h1 x x' hx S

end PrivRef
