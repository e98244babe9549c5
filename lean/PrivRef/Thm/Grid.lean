module

public import PrivRef.Thm.ExPost

/-!
The Rényi filter of several orders, of which the best may be used: each pays for its own share of
`δ'`.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- What the orders pay together at the shift `s`, with `C i - spent i` left at each. -/
noncomputable def together (X : ExpLike A K) (R : Orders A) (js : List R.I) (κ : R.I → K)
    (C spent : R.I → A) (s : A) : K :=
  lsum js fun i => κ i * X.exp (C i - spent i - R.scale i s)

theorem one_of_a_sum {ι : Type u} {l : List ι} {i : ι} (hi : i ∈ l) (F : ι → K) (h : ∀ j, 0 ≤ F j) :
    F i ≤ lsum l F := by
  induction l with
  | nil => exact absurd hi (by simp)
  | cons j l ih =>
    have h1 := lsum_nonneg l F fun j _ => h j
    have h2 := h j
    simp only [lsum]
    rcases List.mem_cons.mp hi with rfl | hi
    · grind
    · have := ih hi
      grind

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
/-- The mean of a sum of moments. -/
theorem E_of_moments {X : ExpLike A K} {R : Orders A} {O : Type u} {T : Tests K O} {μ ν : Law T}
    {cost : R.I → A} {δ : K} (p : DominatedPair X R μ ν cost δ) (y : R.I → K) (hy : ∀ i, 0 ≤ y i)
    (js : List R.I) : p.P.int (fun w => lsum js fun i => y i * X.exp (R.scale i (p.loss w))) ∧
      p.P.E (fun w => lsum js fun i => y i * X.exp (R.scale i (p.loss w)))
        ≤ lsum js fun i => y i * X.exp (cost i) := by
  induction js with
  | nil => exact ⟨p.P.const 0, by
      rw [show lsum [] (fun i => y i * X.exp (cost i)) = 0 from rfl, ← p.P.E_const 0]
      exact Std.le_refl _⟩
  | cons i l ih =>
    have h1 := p.P.smul (y i) _ (p.int_moment i)
    refine ⟨p.P.add _ _ h1 ih.1, ?_⟩
    simp only [lsum]
    rw [p.P.E_add _ _ h1 ih.1, p.P.E_smul _ _ (p.int_moment i)]
    have h2 := mul_le_left (p.moment i) (hy i)
    have h3 := ih.2
    clear ih
    grind

namespace RenyiAnalyst

variable {X : ExpLike A K} {R : Orders A} {js : List R.I}

/-- The bound at one state and one shift. -/
def GridBound (X : ExpLike A K) (R : Orders A) (js : List R.I) (κ : R.I → K) (C : R.I → A) (δt : K)
    (t : (R.I → A) × K) (s : A) (x y : K) : Prop :=
  x ≤ δt - t.2 + (1 - (δt - t.2)) * together X R js κ C t.1 s + X.exp s * y

theorem grid_leaf {κ : R.I → K} {C : R.I → A} {δt : K} (hδ1 : δt ≤ 1) (hκ : ∀ i, 0 ≤ κ i)
    (hκs : ∀ i s, 1 - X.exp s ≤ κ i * X.exp (-R.scale i s)) {t : (R.I → A) × K}
    (ht : (∃ i, i ∈ js ∧ t.1 i ≤ C i) ∧ 0 ≤ t.2 ∧ t.2 ≤ δt) (s : A) {y : K} (hy0 : 0 ≤ y)
      (hy1 : y ≤ 1) :
    GridBound X R js κ C δt t s y y := by
  obtain ⟨⟨i, hi, hle⟩, h0, h1⟩ := ht
  have h2 := ended_interaction_is_bounded X R i (hκ i) (hκs i) (d := δt - t.2) (r := C i - t.1 i)
      (by grind)
    (by grind) (by grind) hy0 hy1 s
  have h3 := one_of_a_sum hi (fun i => κ i * X.exp (C i - t.1 i - R.scale i s))
    fun j => mul_nonneg' (hκ j) (X.exp_nonneg _)
  have h4 := mul_le_left h3 (by grind : 0 ≤ 1 - (δt - t.2))
  unfold GridBound together
  clear hκ hκs h3
  grind

/-- One round. -/
theorem grid_round {κ : R.I → K} {C : R.I → A} {δt : K} (hδ1 : δt ≤ 1) (hκ : ∀ i, 0 ≤ κ i)
    {O : Type u}
    {T : Tests K O} {μ ν : Law T} {cost : R.I → A} {δ : K} (p : DominatedPair X R μ ν cost δ)
      (hδ : 0 ≤ δ)
    {t : (R.I → A) × K} (ht : 0 ≤ t.2) (hfit : t.2 + δ ≤ δt) (s : A) {F G : O → K} (hF : T.adm F)
    (hG : T.adm G) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hI : ∀ s o, GridBound X R js κ C δt (fun i => t.1 i + cost i, t.2 + δ) s (F o) (G o)) :
    GridBound X R js κ C δt t s (μ.E F) (ν.E G) := by
  have hm := E_of_moments p (fun i => κ i * X.exp (C i - (t.1 i + cost i) - R.scale i s))
    (fun i => mul_nonneg' (hκ i) (X.exp_nonneg _)) js
  have e1 : (lsum js fun i => κ i * X.exp (C i - (t.1 i + cost i) - R.scale i s) * X.exp (cost i))
      = together X R js κ C t.1 s := lsum_congr _ _ _ fun i _ => by
    have e : C i - (t.1 i + cost i) + cost i = C i - t.1 i := by grind
    rw [Lean.Grind.Semiring.mul_assoc, left_at_an_order, e]
  have e2 : ∀ w, (lsum js fun i => κ i * X.exp (C i - (t.1 i + cost i) - R.scale i s)
        * X.exp (R.scale i (p.loss w)))
      = together X R js κ C (fun i => t.1 i + cost i) (s - p.loss w) := fun w =>
    lsum_congr _ _ _ fun i _ => by rw [shifted_by_a_loss, Lean.Grind.Semiring.mul_assoc]
  rw [e1] at hm
  have h := dominated_round_with_a_potential p _ hm.1 hm.2 s (d := δt - (t.2 + δ)) hδ
    (ExPostAnalyst.delta_left hfit) (ExPostAnalyst.delta_at_most_one hδ1 ht) F G hF hG hF1 hG0 fun w
      o => by
      rw [e2]
      exact hI (s - p.loss w) o
  rw [ExPostAnalyst.delta_after_a_round] at h
  exact h

theorem grid_bound {κ : R.I → K} {C : R.I → A} {δt : K} (hδ1 : δt ≤ 1) (hκ : ∀ i, 0 ≤ κ i)
    (hκs : ∀ i s, 1 - X.exp s ≤ κ i * X.exp (-R.scale i s)) (b : Bool) (t : (R.I → A) × K)
    (ht : (∃ i, i ∈ js ∧ t.1 i ≤ C i) ∧ 0 ≤ t.2 ∧ t.2 ≤ δt) (g : RenyiAnalyst.{u} X R)
      (f : g.View → K)
    (hf : Adm (gridFilter R js C δt) t g f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (s : A) :
    GridBound X R js κ C δt t s (expect (gridFilter R js C δt) b t g f)
      (expect (gridFilter R js C δt) (!b) t g f) := by
  induction g generalizing t s with
  | stop => exact grid_leaf hδ1 hκ hκs ht s (h0 _) (h1 _)
  | coin S T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun x =>
      ih x t ht (fun v => f ⟨x, v⟩) (hf.1 x) (fun v => h0 _) (fun v => h1 _) s
  | request q next refused ih ih' =>
    unfold expect
    split
    · exact grid_leaf hδ1 hκ hκs ht s (h0 _) (h1 _)
    · exact ih' t ht _ hf.1 (fun v => h0 _) (fun v => h1 _) s
    · rename_i hcont
      simp only [gridFilter] at hcont
      split at hcont
      · rename_i h
        obtain ⟨p⟩ := q.pair b
        exact grid_round hδ1 hκ p q.delta_nonneg ht.2.1 h.2 s (hf.2.2 b) (hf.2.2 (!b))
          (fun o => (expect_mem _ b _ (next o) _ (hf.2.1 o) (fun v => h0 _) (fun v => h1 _)).2)
          (fun o => (expect_mem _ (!b) _ (next o) _ (hf.2.1 o) (fun v => h0 _) (fun v => h1 _)).1)
          fun s o => ih o _ ⟨h.1, add_nonneg' ht.2.1 q.delta_nonneg, h.2⟩
            (fun v => f (some (.inl ⟨o, v⟩))) (hf.2.1 o) (fun v => h0 _) (fun v => h1 _) s
      · exact absurd hcont (by simp)

end RenyiAnalyst

/-- **The Rényi filter of several orders is private** (ours; Lécuyer 2021 for the idea).  It goes on
while the sum at one of the orders `js` is within its own `C i`, whichever; at each order `1 + m`
with a `κ` for which `1 - e^s ≤ κ e^{-m s}` for all `s`, and where the `κ e^{C - m ε}` of all orders
add up to at most `δ'`, what runs is `(ε, δ'' + (1 - δ'') δ')`-DP, for every analyst, general laws
and every test function of the view. -/
theorem renyi_grid_filter_is_private (X : ExpLike A K) (R : Orders A) (js : List R.I) (C : R.I → A)
    (δt : K)
    (hC : ∃ i, i ∈ js ∧ 0 ≤ C i) (hδ : 0 ≤ δt) (hδ1 : δt ≤ 1) (κ : R.I → K) (hκ : ∀ i, 0 ≤ κ i)
    (hκs : ∀ i s, 1 - X.exp s ≤ κ i * X.exp (-R.scale i s)) (ε : A) (δ' : K)
    (hδ' : (lsum js fun i => κ i * X.exp (C i - R.scale i ε)) ≤ δ') (g : RenyiAnalyst.{u} X R)
      (f : g.View → K)
    (hf : RenyiAnalyst.Adm (gridFilter R js C δt) (gridStart R js C δt) g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (gridFilter R js C δt) b (gridStart R js C δt) g f ≤ δt + (1 - δt) * δ'
      + X.exp ε * RenyiAnalyst.expect (gridFilter R js C δt) (!b) (gridStart R js C δt) g f := by
  have h := RenyiAnalyst.grid_bound hδ1 hκ hκs b (gridStart R js C δt)
    ⟨hC, Std.le_refl (0 : K), hδ⟩ g f hf h0 h1 ε
  have e1 : together X R js κ C (gridStart R js C δt).1 ε = lsum js fun i =>
      κ i * X.exp (C i - R.scale i ε) :=
    lsum_congr _ _ _ fun i _ => by
      have e : C i - (0 : A) = C i := by grind
      show κ i * X.exp (C i - 0 - R.scale i ε) = _
      rw [e]
  have e2 : δt - (gridStart R js C δt).2 = δt := by show δt - (0 : K) = δt; grind
  unfold RenyiAnalyst.GridBound at h
  rw [e1, e2] at h
  have h2 := mul_le_left hδ' (by grind : 0 ≤ 1 - δt)
  grind

end PrivRef
