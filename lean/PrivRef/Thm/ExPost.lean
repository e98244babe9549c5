module

public import PrivRef.Spec.ExPost
public import PrivRef.Thm.Discrete
public import PrivRef.Thm.DpRound
public import PrivRef.Thm.Zcdp

/-!
The ex-post filter is private.  The induction is that of the Rényi filter, for the shifts `s` of the
privacy loss that are not below what is left of the sum of `ε`: after a cell of cost `c` it is used
at the shift `s - c`, after a DP round at `s - ε` and `s + ε`, and after any other at every shift,
where there is no sum of `ε` any more.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

namespace ExPostAnalyst

variable {X : ExpLike A K} {R : Orders A} {i : R.I}

open Classical in
section

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K]

theorem expect_request (B : ExPostBudget A K) (b : Bool) (s : ExPostState A K)
    (r : ExPostRequest.{u} X R i)
    (next : r.O → ExPostAnalyst.{u} X R i) (f : (request r next).View → K) :
    expect B b s (.request r next) f = if B.Admits R i (s.asked r) then
      (r.law b).E fun o => expect B b (s.settled r o) (next o) fun v =>
        f (some ⟨o, v⟩) else f none := rfl

theorem expect_mem (B : ExPostBudget A K) (b : Bool) (s : ExPostState A K)
    (g : ExPostAnalyst.{u} X R i) (f : g.View → K) (hf : Adm B s g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) : 0 ≤ expect B b s g f ∧ expect B b s g f ≤ 1 := by
  induction g generalizing s with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin S T ρ next ih =>
    have h := fun x => ih x s (fun v => f ⟨x, v⟩) (hf.1 x) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun x => (h x).1, ρ.E_le_one (hf.2 b) fun x => (h x).2⟩
  | request r next ih =>
    rw [expect_request]
    split
    · have h := fun o => ih o _ (fun v => f (some ⟨o, v⟩)) (hf.1 o) (fun v => h0 _) (fun v => h1 _)
      exact ⟨(r.law b).E_nonneg (hf.2 b) fun o => (h o).1,
        (r.law b).E_le_one (hf.2 b) fun o => (h o).2⟩
    · exact ⟨h0 _, h1 _⟩

/-- A bounded function of the view is admissible, and its expectation within its bounds. -/
theorem adm_of_discrete (B : ExPostBudget A K) (s : ExPostState A K) (g : ExPostAnalyst.{u} X R i)
    (hg : g.Discrete) {C : K} (hC : 0 ≤ C) (f : g.View → K) (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) :
    Adm B s g f ∧ ∀ b, -C ≤ expect B b s g f ∧ expect B b s g f ≤ C := by
  induction g generalizing s with
  | stop => exact ⟨trivial, fun _ => hf _⟩
  | coin S T ρ next ih =>
    have h := fun x => ih x s (hg.2 x) (fun v => f ⟨x, v⟩) fun v => hf _
    have e := fun b => Law.E_within hg.1 ρ hC fun x => (h x).2 b
    exact ⟨⟨fun x => (h x).1, fun b => (e b).1⟩, fun b => (e b).2⟩
  | request r next ih =>
    have h := fun o => ih o (s.settled r o) (hg.2 o) (fun v => f (some ⟨o, v⟩)) fun v => hf _
    have e := fun b => Law.E_within hg.1 (r.law b) hC fun o => (h o).2 b
    refine ⟨⟨fun o => (h o).1, fun b => (e b).1⟩, fun b => ?_⟩
    rw [expect_request]
    split
    · exact (e b).2
    · exact hf _

end

/-- What the induction assumes of a state: it was admitted. -/
def Within (B : ExPostBudget A K) (R : Orders A) (i : R.I) (t : ExPostState A K) : Prop :=
  0 ≤ t.delta ∧ B.Admits R i t

/-- The bound at one state and one shift, for two expectations. -/
def Bound (X : ExpLike A K) (R : Orders A) (i : R.I) (B : ExPostBudget A K) (κ : K)
    (t : ExPostState A K)
    (s : A) (x y : K) : Prop :=
  x ≤ B.delta - t.delta + (1 - (B.delta - t.delta))
    * (κ * X.exp (B.order - (R.scale i t.released + t.spent) - R.scale i s)) + X.exp s * y

theorem leaf {B : ExPostBudget A K} (hδ1 : B.delta ≤ 1) {κ : K} (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s)) {t : ExPostState A K} (ht : Within B R i t)
      {s : A}
    (hs : ∀ p, t.plain = some p → B.eps - (t.released + p) ≤ s) {y : K} (hy0 : 0 ≤ y)
      (hy1 : y ≤ 1) :
    Bound X R i B κ t s y y := by
  obtain ⟨h0, h1, ⟨p, hp, hle⟩ | hle⟩ := ht
  · have h2 := X.one_le_exp (x := s) (by have := hs p hp; grind)
    have h3 := mul_le_right h2 hy0
    have h4 := mul_nonneg' (by grind : 0 ≤ 1 - (B.delta - t.delta)) (mul_nonneg' hκ
      (X.exp_nonneg (B.order - (R.scale i t.released + t.spent) - R.scale i s)))
    unfold Bound
    clear hδ1 hκ hκs hs hy0 hy1 h0 hp hle h2
    grind
  · exact ended_interaction_is_bounded X R i hκ hκs (by grind) (by grind) (by grind) hy0 hy1 s

omit [LE A] [LT A] [Std.IsLinearOrder A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem left_after_a_round (x r c s : A) : x - (r + (c + s)) + s = x - (r + c) := by grind

theorem left_after_a_cell (R : Orders A) (i : R.I) (x r c s t : A) :
    x - (R.scale i (r + c) + s) - R.scale i (t - c) = x - (R.scale i r + s) - R.scale i t := by
  rw [R.scale_add, R.scale_sub]
  grind

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem delta_after_a_round (x d e : K) : e + (x - (d + e)) = x - d := by grind

theorem delta_left {x d e : K} (h : d + e ≤ x) : 0 ≤ x - (d + e) := by grind

theorem delta_at_most_one {x d e : K} (h : x ≤ 1) (h0 : 0 ≤ d) : e + (x - (d + e)) ≤ 1 := by grind

theorem plain_after_a_cell {e r p s : A} (c : A) (h : e - (r + p) ≤ s) : e - (r + c + p) ≤
    s - c := by
  grind

theorem plain_after_a_round {e r p s c s' : A} (h : e - (r + p) ≤ s) (h' : s - c ≤ s') :
    e - (r + (p + c)) ≤ s' := by grind

theorem cell_fits {r c c' p x : A} (h : c ≤ c') (h' : r + c' + p ≤ x) : r + c + p ≤ x := by grind

theorem cell_fits_at_the_order (R : Orders A) (i : R.I) {r c c' s x : A} (h : c ≤ c')
    (h' : R.scale i (r + c') + s ≤ x) : R.scale i (r + c) + s ≤ x := by
  have := R.scale_mono i (r + c) (r + c') (by grind)
  grind

theorem shifts_of_a_round {s c : A} (h : 0 ≤ c) : s - c ≤ s - c ∧ s - c ≤ s + c := by
  constructor <;> grind

/-- A settled state was admitted, if the largest cost was. -/
theorem settled_within {B : ExPostBudget A K} {t : ExPostState A K} (ht : 0 ≤ t.delta)
    (r : ExPostRequest.{u} X R i) (h : B.Admits R i (t.asked r)) (o : r.O) : Within B R i
      (t.settled r o) := by
  cases r with
  | exPost q supE le_supE pure =>
    exact ⟨ht, h.1, h.2.elim (fun ⟨p, hp, h⟩ => .inl ⟨p, hp, cell_fits (le_supE _) h⟩)
      fun h => .inr (cell_fits_at_the_order R i (le_supE _) h)⟩
  | dp q cost moment => exact ⟨add_nonneg' ht q.delta_nonneg, h⟩
  | renyi q => exact ⟨add_nonneg' ht q.delta_nonneg, h⟩

theorem cell_step {x y : K} {a : K} (h : x ≤ a + y) : x ≤ a - 0 + y := by grind

/-- One request. -/
theorem request_bound {B : ExPostBudget A K} (hδ1 : B.delta ≤ 1) {κ : K} (hκ : 0 ≤ κ) (b : Bool)
    {t : ExPostState A K} (ht : 0 ≤ t.delta) {s : A}
    (hs : ∀ p, t.plain = some p → B.eps - (t.released + p) ≤ s) (r : ExPostRequest.{u} X R i)
    (h : B.Admits R i (t.asked r)) {F G : r.O → K} (hF : r.tests.adm F) (hG : r.tests.adm G)
    (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hI : ∀ o s, (∀ p, (t.settled r o).plain = some p → B.eps - ((t.settled r o).released + p) ≤ s)
      →
      Bound X R i B κ (t.settled r o) s (F o) (G o)) :
    Bound X R i B κ t s ((r.law b).E F) ((r.law (!b)).E G) := by
  have hd1 : t.delta + 0 ≤ B.delta → 0 ≤ B.delta - t.delta + (1 - (B.delta - t.delta))
      * (κ * X.exp (B.order - (R.scale i t.released + t.spent) - R.scale i s)) := fun h => by
    have := mul_nonneg' (by grind : 0 ≤ 1 - (B.delta - t.delta)) (mul_nonneg' hκ
      (X.exp_nonneg (B.order - (R.scale i t.released + t.spent) - R.scale i s)))
    clear hδ1 hκ ht hs hF hG hF1 hG0 hI
    grind
  cases r with
  | exPost q supE le_supE pure =>
    refine odp_followed_by_private_continuation_is_private X (q.law b) (q.law (!b)) q.cost q.delta
      _ s _ _ q.odp.adm (q.pair b) ?_ hF hG hF1 hG0 fun o => ?_
    · rw [pure]
      have h2 : t.delta ≤ B.delta := h.1
      exact hd1 (by grind)
    · rw [pure, ← left_after_a_cell R i B.order t.released (q.cost o) t.spent s]
      exact cell_step (hI o (s - q.cost o) fun p hp => plain_after_a_cell _ (hs p hp))
  | dp q cost moment =>
    have hp : ∀ s', s - q.eps ≤ s' → ∀ p, t.plain.map (· + q.eps) = some p →
        B.eps - (t.released + p) ≤ s' := fun s' hs' p hp => by
      obtain ⟨p', hpl, rfl⟩ := Option.map_eq_some_iff.mp hp
      exact plain_after_a_round (hs p' hpl) hs'
    have hsh := shifts_of_a_round (s := s) q.eps_nonneg
    have h2 := dp_round_followed_at_two_shifts X R q.eps_nonneg (q.both b)
      (fun f hf => by have := q.both (!b) f hf; rwa [Bool.not_not] at this)
      i cost moment hκ (d := B.delta - (t.delta + q.delta))
      (B.order - (R.scale i t.released + (t.spent + cost))) s q.delta_nonneg (delta_left h.1)
      (delta_at_most_one hδ1 ht) F G hF hG hF1 hG0 (fun o => hI o (s - q.eps) (hp _ hsh.1))
      (fun o => hI o (s + q.eps) (hp _ hsh.2))
    rw [delta_after_a_round, left_after_a_round] at h2
    exact h2
  | renyi q =>
    obtain ⟨p⟩ := q.pair b
    have h2 := dominated_round_followed_by_bounded_continuation p i hκ
      (d := B.delta - (t.delta + q.delta))
      (B.order - (R.scale i t.released + (t.spent + q.cost i))) s q.delta_nonneg (delta_left h.1)
      (delta_at_most_one hδ1 ht) F G hF hG hF1 hG0 fun s' o => hI o s' fun p hp => nomatch hp
    rw [delta_after_a_round, left_after_a_round] at h2
    exact h2

theorem bound {B : ExPostBudget A K} (hδ1 : B.delta ≤ 1) {κ : K} (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s)) (b : Bool) (t : ExPostState A K)
    (ht : Within B R i t) (g : ExPostAnalyst.{u} X R i) (f : g.View → K) (hf : Adm B t g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (s : A)
    (hs : ∀ p, t.plain = some p → B.eps - (t.released + p) ≤ s) :
    Bound X R i B κ t s (expect B b t g f) (expect B (!b) t g f) := by
  induction g generalizing t s with
  | stop => exact leaf hδ1 hκ hκs ht hs (h0 _) (h1 _)
  | coin S T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun x =>
      ih x t ht (fun v => f ⟨x, v⟩) (hf.1 x) (fun v => h0 _) (fun v => h1 _) s hs
  | request r next ih =>
    rw [expect_request, expect_request]
    split
    · rename_i h
      exact request_bound hδ1 hκ b ht.1 hs r h (hf.2 b) (hf.2 (!b))
        (fun o => (expect_mem B b _ (next o) _ (hf.1 o) (fun v => h0 _) (fun v => h1 _)).2)
        (fun o => (expect_mem B (!b) _ (next o) _ (hf.1 o) (fun v => h0 _) (fun v => h1 _)).1)
        fun o s' hs' => ih o _ (settled_within ht.1 r h o) (fun v => f (some ⟨o, v⟩)) (hf.1 o)
          (fun v => h0 _) (fun v => h1 _) s' hs'
    · exact leaf hδ1 hκ hκs ht hs (h0 _) (h1 _)

end ExPostAnalyst

/-- **The ex-post filter is private** (ours; the question is of Rogers, Samorodnitsky, Wu, Ramdas
2023).  For every analyst, who chooses everything adaptively, for general laws, and every test
function of the view: at the order `1 + m`, with a `κ ≥ 0` for which `1 - e^s ≤ κ e^{-m s}` for all
`s`, and where `κ e^{C - m ε} ≤ δ'` for the budget `(ε, C, δ'')`,
`E f(V^b) ≤ e^ε E f(V^{1-b}) + δ'' + (1 - δ'') δ'`, in both directions. -/
theorem ex_post_filter_is_private (X : ExpLike A K) (R : Orders A) (i : R.I) (B : ExPostBudget A K)
    (hε : 0 ≤ B.eps) (hδ : 0 ≤ B.delta) (hδ1 : B.delta ≤ 1) (κ δ' : K) (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s))
    (hδ' : κ * X.exp (B.order - R.scale i B.eps) ≤ δ') (g : ExPostAnalyst.{u} X R i)
      (f : g.View → K)
    (hf : ExPostAnalyst.Adm B .start g f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    ExPostAnalyst.expect B b .start g f
      ≤ B.delta + (1 - B.delta) * δ' + X.exp B.eps * ExPostAnalyst.expect B (!b) .start g f := by
  have h := ExPostAnalyst.bound hδ1 hκ hκs b .start
    ⟨by show (0 : K) ≤ 0; grind, hδ, .inl ⟨0, rfl, by show (0 : A) + 0 ≤ B.eps; grind⟩⟩ g f hf h0 h1
      B.eps
    fun p hp => by
      have e : (0 : A) = p := Option.some.inj hp
      subst e
      show B.eps - (0 + 0) ≤ B.eps
      clear hε hδ hδ1 hκ hκs hδ' hf h0 h1 hp
      grind
  have e1 : B.delta - (ExPostState.start : ExPostState A K).delta = B.delta := by
    show B.delta - 0 = B.delta
    clear hε hδ hδ1 hκ hκs hδ' hf h0 h1 h
    grind
  have e2 : B.order - (R.scale i (ExPostState.start : ExPostState A K).released
      + (ExPostState.start : ExPostState A K).spent) - R.scale i B.eps =
        B.order - R.scale i B.eps := by
    show B.order - (R.scale i 0 + 0) - R.scale i B.eps = _
    rw [R.scale_zero]
    clear hε hδ hδ1 hκ hκs hδ' hf h0 h1 h e1
    grind
  unfold ExPostAnalyst.Bound at h
  rw [e1, e2] at h
  have h2 := mul_le_left hδ' (by clear hε hδ hκ hκs hδ' hf h0 h1 h e1 e2; grind : 0 ≤ 1 - B.delta)
  clear hε hδ hδ1 hκ hκs hδ' hf h0 h1 e1 e2
  grind

section

open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-- **What may be spent at an order** `α = 1 + m` (Canonne, Kamath, Steinke 2020, Proposition 12):
with `M = log (1 - 1/α)` and `N = log (1/(α δ'))`, the costs `S` convert at `δ'` to `S + M + N/m`,
and `C = m (ε - M) - N` is what `m S` may be. -/
theorem what_may_be_spent_at_an_order (F : ExpField) (m M N ε δ' : F.K) (hm : 0 < m)
    (hM : F.exp M = m / (1 + m)) (hN : F.exp N * ((1 + m) * δ') = 1) :
    F.exp ((1 + m) * M) / m * F.exp (m * (ε - M) - N - m * ε) = δ' ∧
    ∀ S, m * S ≤ m * (ε - M) - N ↔ S + M + N / m ≤ ε := by
  have hm1 : (1 + m) ≠ 0 := by grind
  have hi := inv_pos' hm
  have e : m * m⁻¹ = 1 := by clear hM hN hm1 hi; grind
  constructor
  · have h1 : F.exp ((1 + m) * M) * F.exp (m * (ε - M) - N - m * ε) = F.exp M * F.exp (-N) := by
      rw [← F.exp_add, ← F.exp_add]
      congr 1
      clear hm hM hN hm1 hi e
      grind
    have h2 : F.exp ((1 + m) * M) / m * F.exp (m * (ε - M) - N - m * ε)
        = (F.exp ((1 + m) * M) * F.exp (m * (ε - M) - N - m * ε)) * m⁻¹ := by grind
    have h3 := Numerics.exp_mul_neg F N
    have h4 : (1 + m) * F.exp M = m := by rw [hM]; clear hm hN hi e h1 h2 h3; grind
    have h5 : F.exp (-N) = (1 + m) * δ' := by
      have : F.exp (-N) = F.exp (-N) * (F.exp N * ((1 + m) * δ')) := by rw [hN]; grind
      clear hm hi h1 h2 h4
      grind
    rw [h2, h1, h5]
    have h6 : F.exp M * ((1 + m) * δ') * m⁻¹ = (1 + m) * F.exp M * δ' * m⁻¹ := by grind
    rw [h6, h4]
    clear hm hN hi h2 h3
    grind
  · intro S
    have e1 : ∀ z, m⁻¹ * (m * z) = z := fun z => by
      have : m⁻¹ * (m * z) = m * m⁻¹ * z := by clear hm hM hN hm1 hi e; grind
      rw [this, e]
      clear hm hM hN hm1 hi e
      grind
    have h1 : ∀ x y : F.K, x ≤ y ↔ m * x ≤ m * y := fun x y =>
      ⟨fun h => mul_le_left h (by clear hM hN hm1 hi e e1 h; grind), fun h => by
        have := mul_le_left h (by clear hm hM hN hm1 e e1 h; grind : 0 ≤ m⁻¹)
        rwa [e1, e1] at this⟩
    rw [h1 (S + M + N / m) ε]
    have h2 : m * (S + M + N / m) = m * S + m * M + N := by clear hm hM hN hm1 hi e1 h1; grind
    rw [h2]
    constructor <;> intro h <;> (clear hm hM hN hm1 hi e e1 h1 h2; grind)

theorem constant_of_conversion_nonneg (F : ExpField) (m M : F.K) (hm : 0 < m) :
    0 ≤ F.exp ((1 + m) * M) / m := by
  have := mul_nonneg' (by have := Numerics.exp_pos F ((1 + m) * M); grind : 0 ≤ F.exp ((1 + m) * M))
    (by have := inv_pos' hm; grind : 0 ≤ m⁻¹)
  grind

/-- **The ex-post filter by its printed rule** (ours): with `M` and `N` as above, the budget
`(ε, C, δ'')` admits a state exactly where the `δ` are at most `δ''` and either what was released
and all the `ε` are at most `ε`, or what was released and spent, `S`, converts to at most `ε`; and
what runs behind it is `(ε, δ'' + (1 - δ'') δ')`-DP, for general laws, whatever the analyst asks. -/
theorem ex_post_filter_is_private_by_the_printed_rule (F : ExpField) (m M N ε δ' δ'' : F.K)
    (hm : 0 < m)
    (hM : F.exp M = m / (1 + m)) (hN : F.exp N * ((1 + m) * δ') = 1) (hε : 0 ≤ ε) (hδ : 0 ≤ δ'')
    (hδ1 : δ'' ≤ 1) :
    (∀ released spent plain delta, ExPostBudget.Admits ⟨ε, m * (ε - M) - N, δ''⟩ (oneOrder m hm) ⟨⟩
        ⟨released, m * spent, plain, delta⟩ ↔
      delta ≤ δ'' ∧ ((∃ p, plain = some p ∧ released + p ≤ ε) ∨ released + spent + M + N / m ≤ ε)) ∧
    ∀ (g : ExPostAnalyst.{u} (expFieldLike F) (oneOrder m hm) ⟨⟩) (f : g.View → F.K),
      ExPostAnalyst.Adm ⟨ε, m * (ε - M) - N, δ''⟩ .start g f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) →
        ∀ b,
      ExPostAnalyst.expect ⟨ε, m * (ε - M) - N, δ''⟩ b .start g f ≤ δ'' + (1 - δ'') * δ'
        + F.exp ε * ExPostAnalyst.expect ⟨ε, m * (ε - M) - N, δ''⟩ (!b) .start g f := by
  obtain ⟨h1, h2⟩ := what_may_be_spent_at_an_order F m M N ε δ' hm hM hN
  constructor
  · intro released spent plain delta
    have e : m * released + m * spent = m * (released + spent) := by grind
    have h3 := h2 (released + spent)
    show delta ≤ δ'' ∧ ((∃ p, plain = some p ∧ released + p ≤ ε)
      ∨ m * released + m * spent ≤ m * (ε - M) - N) ↔ _
    rw [e, h3]
  · intro g f hf h0 h1' b
    exact ex_post_filter_is_private (expFieldLike F) (oneOrder m hm) ⟨⟩ ⟨ε, m * (ε - M) - N, δ''⟩ hε
        hδ hδ1
      (F.exp ((1 + m) * M) / m) δ' (constant_of_conversion_nonneg F m M hm)
      (fun s => least_constant_of_conversion F m M s hm hM) (by
        have h3 : F.exp ((1 + m) * M) / m * F.exp (m * (ε - M) - N - m * ε) ≤
            δ' := by rw [h1]; grind
        exact h3) g f hf h0 h1' b

/-- **The Rényi filter of one order by its printed rule** (Feldman and Zrnic 2021; approximate Rényi
DP by the argument of Whitehouse et al. 2023, Theorem 1): costs `m S` are within `C = m (ε - M) - N`
exactly where `S` converts at `δ'` to at most `ε`, and what runs behind the filter of `C` and `δ''`
is `(ε, δ'' + (1 - δ'') δ')`-DP. -/
theorem renyi_filter_is_private_by_the_printed_rule (F : ExpField) (m M N ε δ' δ'' : F.K)
    (hm : 0 < m)
    (hM : F.exp M = m / (1 + m)) (hN : F.exp N * ((1 + m) * δ') = 1) (hC : M + N / m ≤ ε)
    (hδ : 0 ≤ δ'') (hδ1 : δ'' ≤ 1) :
    (∀ S, m * S ≤ m * (ε - M) - N ↔ S + M + N / m ≤ ε) ∧
    ∀ (g : RenyiAnalyst.{u} (expFieldLike F) (oneOrder m hm)) (f : g.View → F.K),
      RenyiAnalyst.Adm (renyiFilter (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'')
        (renyiStart (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'') g f →
      (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ b,
      RenyiAnalyst.expect (renyiFilter (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'') b
          (renyiStart (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'') g f
        ≤ δ'' + (1 - δ'') * δ' + F.exp ε * RenyiAnalyst.expect
            (renyiFilter (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'') (!b)
            (renyiStart (oneOrder m hm) (fun _ => m * (ε - M) - N) δ'') g f := by
  obtain ⟨h1, h2⟩ := what_may_be_spent_at_an_order F m M N ε δ' hm hM hN
  refine ⟨h2, fun g f hf h0 h1' b => ?_⟩
  have hC0 : 0 ≤ m * (ε - M) - N := by
    have := (h2 0).mpr (by grind)
    grind
  have h := renyi_filter_is_private (expFieldLike F) (oneOrder m hm) (fun _ => m * (ε - M) - N) δ''
    (fun _ => hC0) hδ hδ1 ⟨⟩ (F.exp ((1 + m) * M) / m) (constant_of_conversion_nonneg F m M hm)
    (fun s => least_constant_of_conversion F m M s hm hM) ε g f hf h0 h1' b
  have h3 : F.exp ((1 + m) * M) / m * (expFieldLike F).exp (m * (ε - M) - N
      - (oneOrder m hm).scale ⟨⟩ ε) = δ' := h1
  rw [h3] at h
  exact h

end

end PrivRef
