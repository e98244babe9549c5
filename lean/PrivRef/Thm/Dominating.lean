module

public import PrivRef.Spec.Countable
public import PrivRef.Spec.Dominating
public import PrivRef.Spec.IterMap
public import PrivRef.Thm.Composition

/-!
Composition of dominating pairs (Zhu, Dong, Wang 2022, Theorem 10), for rounds chosen on the way and
general laws: no densities are needed.  A function that is below every affine bound of a loss law is
filled up from the largest loss down, as in the Neyman-Pearson lemma.
-/

@[expose] public section

namespace PrivRef

universe u v a k

section Sums

variable {K : Type k} [Lean.Grind.Field K]

theorem wsum_perm {O : Type u} {l m : List (O × K)} (h : l.Perm m) (f : O → K) :
    wsum l f = wsum m f := by
  induction h with
  | nil => rfl
  | cons q _ ih => simp only [wsum, ih]
  | swap q r l => simp only [wsum]; grind
  | trans _ _ ih ih' => rw [ih, ih']

/-- The losses in descending order. -/
theorem sorted_losses {A : Type a} {K : Type k} [LE A] [Std.IsLinearOrder A] (l : List (A × K)) :
    ∃ m : List (A × K), l.Perm m ∧ m.Pairwise fun p q => q.1 ≤ p.1 := by
  induction l with
  | nil => exact ⟨[], .nil, .nil⟩
  | cons p l ih =>
    obtain ⟨m, hp, hs⟩ := ih
    have insert : ∀ m : List (A × K), (m.Pairwise fun p q => q.1 ≤ p.1) →
        ∃ n : List (A × K), (p :: m).Perm n ∧ n.Pairwise fun p q => q.1 ≤ p.1 := fun m hs => by
      induction m with
      | nil => exact ⟨[p], .refl _, List.pairwise_singleton _ _⟩
      | cons q m ih =>
        have h := List.pairwise_cons.mp hs
        by_cases hqp : q.1 ≤ p.1
        · refine ⟨p :: q :: m, .refl _, List.pairwise_cons.mpr ⟨fun r hr => ?_, hs⟩⟩
          rcases List.mem_cons.mp hr with e | e
          · subst e; exact hqp
          · exact Std.le_trans (h.1 r e) hqp
        · obtain ⟨n, hn, hns⟩ := ih h.2
          refine ⟨q :: n, (List.Perm.swap q p m).trans (hn.cons q),
            List.pairwise_cons.mpr ⟨fun r hr => ?_, hns⟩⟩
          rcases List.mem_cons.mp (hn.mem_iff.mpr hr) with e | e
          · subst e
            have := Std.le_total (a := q.1) (b := r.1)
            clear hp hs h hns hr ih hn
            grind
          · exact h.1 r e
    obtain ⟨n, hn, hns⟩ := insert m hs
    exact ⟨n, (hp.cons p).trans hn, hns⟩

end Sums

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K}

omit [LE A] [LT A] [Std.IsLinearOrder A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem wsum_addLosses (l m : List (A × K)) (f : A → K) :
    wsum (addLosses l m) f = wsum m fun y => wsum l fun x => f (x + y) := by
  induction m with
  | nil => rfl
  | cons q m ih =>
    have e : ∀ l : List (A × K), wsum (l.map fun p => (p.1 + q.1, p.2 * q.2)) f
        = q.2 * wsum l fun x => f (x + q.1) := fun l => by
      induction l with
      | nil => show (0 : K) = q.2 * 0; grind
      | cons p l ih => simp only [List.map_cons, wsum, ih]; grind
    show wsum (_ ++ addLosses l m) f = q.2 * _ + wsum m _
    rw [wsum_append, e, ih]

/-- A number `G`, cut at `q`. -/
theorem cut_at (q G : K) (hq : 0 < q) : (q * (1 + -1 * posPart (1 + -q⁻¹ * G)) = G ∧ G ≤ q) ∨
    (1 + -1 * posPart (1 + -q⁻¹ * G) = 1 ∧ q ≤ G) := by
  have hqi : q * q⁻¹ = 1 := by grind
  have e : q * (1 + -q⁻¹ * G) = q - G := by
    have e2 : q * (1 + -q⁻¹ * G) = q - q * q⁻¹ * G := by grind
    rw [e2, hqi]
    clear hq hqi e2
    grind
  generalize 1 + -q⁻¹ * G = z at *
  unfold posPart
  split
  · rename_i h
    have := mul_le_left h (Std.le_of_lt hq)
    exact .inl ⟨by clear hq hqi h; grind, by clear hq hqi h; grind⟩
  · rename_i h
    have := mul_le_left (Std.le_of_lt (Std.not_le.mp (by assumption)) : z ≤ 0) (Std.le_of_lt hq)
    exact .inr ⟨by clear hq hqi e h; grind, by clear hq hqi h; grind⟩

/-- What the losses `m` of a continuation add to a round that is dominated by `L`, in descending
order of the losses: the largest loss takes as much of `G` as it can. -/
theorem fill {L : LossLaw A K} {O : Type u} {T : Tests K O} {μ ν : Law T} (hL : Dominates X L μ ν)
    (s : A) (m : List (A × K)) (hs : m.Pairwise fun p q => q.1 ≤ p.1) (h0 : ∀ q ∈ m, 0 ≤ q.2)
    {F G : O → K} (hF : T.adm F) (hG : T.adm G) (hG0 : ∀ o, 0 ≤ G o)
    (h1 : ∀ o, F o ≤ wsum m fun _ => 1)
    (h2 : ∀ q ∈ m, ∀ o, F o ≤ (wsum m fun l => posPart (1 - X.exp (q.1 - l)))
      + X.exp q.1 * G o) :
    μ.E F ≤ (wsum m fun l => L.delta X (s - l)) + X.exp s * ν.E G := by
  induction m generalizing F G with
  | nil =>
    have k1 := μ.E_mono F (fun _ => 0) hF (T.const 0) h1
    rw [μ.E_const] at k1
    have k2 := mul_nonneg' (X.exp_nonneg s) (ν.E_nonneg hG hG0)
    show _ ≤ 0 + _
    clear hL hs h0 hF hG hG0 h1 h2
    grind
  | cons p m ih =>
    obtain ⟨l, w⟩ := p
    have hp := List.pairwise_cons.mp hs
    have hw : 0 ≤ w := h0 (l, w) List.mem_cons_self
    have hm : ∀ q ∈ m, 0 ≤ q.2 := fun q hq => h0 q (List.mem_cons_of_mem _ hq)
    have pos : ∀ x, 0 ≤ wsum m fun l => posPart (1 - X.exp (x - l)) := fun x =>
      wsum_nonneg m hm _ fun l => posPart_nonneg _
    -- What the first loss takes away at `x ≤ l`.
    have first : ∀ x, x ≤ l → w * posPart (1 - X.exp (x - l)) = w - X.exp x * (w * X.exp (-l)) :=
      fun x hx => by
        clear ih h1 h2 pos
        have e1 := X.exp_mono (x - l) 0 (by clear hL hF hG hG0 hs h0 hp hw hm; grind)
        rw [X.exp_zero] at e1
        have e2 : posPart (1 - X.exp (x - l)) = 1 - X.exp (x - l) := by unfold posPart; grind
        have e3 : X.exp (x - l) = X.exp x * X.exp (-l) := by
          rw [← X.exp_add]
          congr 1
          clear hL hF hG hG0 hs h0 hp hw hm hx e1 e2
          grind
        rw [e2, e3]
        clear hL hF hG hG0 hs h0 hp hw hm hx e1 e2 e3
        grind
    have top : ∀ o, F o ≤ X.exp l * G o := fun o => by
      have k := h2 (l, w) List.mem_cons_self o
      clear ih h1 h2 pos first
      have e1 : wsum ((l, w) :: m) (fun l' => posPart (1 - X.exp (l - l'))) = 0 := by
        have e2 : ∀ n : List (A × K), (∀ q ∈ n, q.1 ≤ l) →
            wsum n (fun l' => posPart (1 - X.exp (l - l'))) = 0 := fun n hn => by
          induction n with
          | nil => rfl
          | cons q n ih =>
            have k1 := hn q List.mem_cons_self
            have k2 := X.one_le_exp (by grind : 0 ≤ l - q.1)
            have k3 : posPart (1 - X.exp (l - q.1)) = 0 := by
              have a := posPart_nonneg (1 - X.exp (l - q.1))
              have b := posPart_le (x := 1 - X.exp (l - q.1)) (y := 0) (by grind) (Std.le_refl _)
              clear hL hF hG hG0 hs h0 hp hw hm k ih hn k1 k2
              grind
            show q.2 * posPart (1 - X.exp (l - q.1)) + wsum n _ = 0
            rw [k3, ih fun r hr => hn r (List.mem_cons_of_mem _ hr)]
            clear hL hF hG hG0 hs h0 hp hw hm k ih hn k1 k2 k3
            grind
        refine e2 _ fun q hq => ?_
        rcases List.mem_cons.mp hq with e | e
        · subst e; exact Std.le_refl _
        · exact hp.1 q e
      rw [e1] at k
      clear hL hF hG hG0 hs h0 hp hw hm e1
      grind
    have rest : ∀ q ∈ m, ∀ o, F o ≤ w - X.exp q.1 * (w * X.exp (-l))
        + (wsum m fun l => posPart (1 - X.exp (q.1 - l))) + X.exp q.1 * G o := fun q hq o => by
      have k := h2 q (List.mem_cons_of_mem _ hq) o
      rw [← first q.1 (hp.1 q hq)]
      exact k
    have hq0 : 0 ≤ w * X.exp (-l) := mul_nonneg' hw (X.exp_nonneg _)
    clear h2 first
    have el : X.exp l * X.exp (-l) = 1 := by
      clear ih h1 pos top rest
      rw [← X.exp_add, ← X.exp_zero]
      congr 1
      clear hL hF hG hG0 hs h0 hp hw hm hq0
      grind
    have es : X.exp (s - l) = X.exp s * X.exp (-l) := by
      clear ih h1 pos top rest
      rw [← X.exp_add]
      congr 1
      clear hL hF hG hG0 hs h0 hp hw hm hq0 el
      grind
    by_cases hz : w = 0
    · have k := ih hp.2 hm hF hG hG0 (fun o => by
        have := h1 o
        simp only [wsum, hz] at this
        clear ih h1 pos top rest
        clear hL hF hG hG0 hs h0 hp hw hm hq0 el es hz
        grind) fun q hq o => by
          have := rest q hq o
          rw [hz] at this
          clear ih h1 pos top rest
          clear hL hF hG hG0 hs h0 hp hw hm hq0 el es hz hq
          grind
      clear ih h1 pos top rest
      show _ ≤ w * _ + _ + _
      rw [hz]
      clear hL hF hG hG0 hs h0 hp hw hm hq0 el es hz
      grind
    · have hq1 : 0 < w * X.exp (-l) := Lean.Grind.OrderedRing.mul_pos (by grind) (X.exp_pos _)
      have hi : 0 < (w * X.exp (-l))⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hq1
      have hqi : (w * X.exp (-l)) * (w * X.exp (-l))⁻¹ = 1 := by clear ih h1 pos top rest; grind
      have ew : X.exp l * (w * X.exp (-l)) = w := by clear ih h1 pos top rest; grind
      generalize hq : w * X.exp (-l) = q at *
      -- The share of the first loss.
      have hadm : T.adm fun o => 1 + -1 * posPart (1 + -q⁻¹ * G o) :=
        T.add _ _ (T.const 1) (T.smul (-1) (T.pos _ (T.add _ _ (T.const 1) (T.smul _ hG))))
      have share : ∀ o, (q * (1 + -1 * posPart (1 + -q⁻¹ * G o)) = G o ∧ G o ≤ q) ∨
          (1 + -1 * posPart (1 + -q⁻¹ * G o) = 1 ∧ q ≤ G o) := fun o => cut_at q (G o) hq1
      have hg0 : ∀ o, 0 ≤ 1 + -1 * posPart (1 + -q⁻¹ * G o) := fun o => by
        have := posPart_le (x := 1 + -q⁻¹ * G o) (y := 1) (by
          have := mul_nonneg' (Std.le_of_lt hi) (hG0 o)
          clear ih h1 pos top rest share
          clear hL hF hG hG0 hs h0 hp hw hm el es hz hq hq0 hq1 hi hqi ew hadm
          grind) (by clear ih h1 pos top rest share; exact zero_le_one')
        clear ih h1 pos top rest share
        clear hL hF hG hG0 hs h0 hp hw hm el es hz hq hq0 hq1 hi hqi ew hadm
        grind
      have hg1 : ∀ o, 1 + -1 * posPart (1 + -q⁻¹ * G o) ≤ 1 := fun o => by
        have := posPart_nonneg (1 + -q⁻¹ * G o)
        clear ih h1 pos top rest share
        clear hL hF hG hG0 hs h0 hp hw hm el es hz hq hq0 hq1 hi hqi ew hadm hg0
        grind
      generalize hgd : (fun o => 1 + -1 * posPart (1 + -q⁻¹ * G o)) = g at hadm
      have hgo : ∀ o, 1 + -1 * posPart (1 + -q⁻¹ * G o) = g o := fun o => by rw [← hgd]
      simp only [hgo] at share hg0 hg1
      clear hgo hgd
      have below : ∀ o, G o ≤ q → q * g o = G o → F o ≤ w * g o := fun o _ e => by
        have k1 := top o
        rw [← e] at k1
        clear ih h1 pos top rest share
        grind
      clear top
      have k := ih hp.2 hm (T.add _ _ hF (T.smul (-w) hadm)) (T.add _ _ hG (T.smul (-q) hadm))
        (fun o => by
          have hs := share o
          clear ih h1 pos rest share below
          rcases hs with ⟨e, _⟩ | ⟨e, h⟩
          · clear hL hF hG hG0 hs h0 hp hw hm el es hz hq hq0 hq1 hi hqi ew hadm hg0 hg1; grind
          · rw [e]; grind)
        (fun o => by
          have hone := wsum_nonneg m hm (fun _ => (1 : K)) fun _ => by exact zero_le_one'
          rcases share o with ⟨e, h⟩ | ⟨e, h⟩
          · have := below o h e
            clear ih h1 pos rest share below
            clear hL hF hG hG0 hs h0 hp hw hm el es hz hq hq0 hq1 hi hqi ew hadm hg0 hg1 e h
            grind
          · have := h1 o
            clear ih h1 pos rest share below
            simp only [wsum] at this
            rw [e]
            clear hL hF hG hG0 hs h0 hp hw hm el es hz hq hq0 hq1 hi hqi ew hadm hg0 hg1 hone e h
            grind)
        fun r hr o => by
          have k1 := pos r.1
          rcases share o with ⟨e, h⟩ | ⟨e, h⟩
          · have := below o h e
            clear ih h1 pos rest share below
            have e2 : G o + -q * g o = 0 := by grind
            rw [e2]
            clear hL hF hG hG0 hs h0 hp hw hm el es hz hq hq0 hq1 hi hqi ew hadm hg0 hg1 hr e h e2
            grind
          · have := rest r hr o
            clear ih h1 pos rest share below
            rw [e]
            clear hL hF hG hG0 hs h0 hp hw hm el es hz hq hq0 hq1 hi hqi ew hadm hg0 hg1 hr k1 e h
            grind
      rw [μ.E_add _ _ hF (T.smul _ hadm), μ.E_smul _ _ hadm, ν.E_add _ _ hG (T.smul _ hadm),
        ν.E_smul _ _ hadm] at k
      have k2 := mul_le_left (hL g ⟨hadm, hg0, hg1⟩ (s - l)) hw
      clear h1 ih rest share below hL pos
      have e : w * (L.delta X (s - l) + X.exp (s - l) * ν.E g)
          = w * L.delta X (s - l) + X.exp s * (q * ν.E g) := by
        rw [es, ← hq]
        clear hF hG hG0 hs h0 hp hw hm el es hz hq hq0 hq1 hi hqi ew hadm hg0 hg1 k k2
        grind
      rw [e] at k2
      show _ ≤ w * _ + _ + _
      clear hF hG hG0 hs h0 hp hw hm el es hz hq hq0 hq1 hi hqi ew hadm hg0 hg1 e
      grind

/-- **One dominated round followed by a dominated continuation** (Zhu, Dong, Wang 2022, Theorem 10):
the continuation may depend on the output. -/
theorem dominated_round_followed_by_dominated_continuation {L M : LossLaw A K} {O : Type u}
    {T : Tests K O} {μ ν : Law T} (hL : Dominates X L μ ν) (hM : M.Ok) {F G : O → K}
    (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (h : ∀ s o, F o ≤ M.delta X s + X.exp s * G o) (s : A) :
    μ.E F ≤ (L.product M).delta X s + X.exp s * ν.E G := by
  obtain ⟨m, hp, hs⟩ := sorted_losses M.finite
  have k := fill hL s m hs (fun q hq => hM.nonneg q (hp.mem_iff.mpr hq))
    (T.add _ _ (T.const (-M.infinite)) hF) hG hG0
    (fun o => by
      have h1 := hM.total
      have h2 := hF1 o
      rw [wsum_perm hp] at h1
      clear hL hM hF hG hF1 hG0 h hp hs
      grind)
    fun q _ o => by
      have h1 := h q.1 o
      unfold LossLaw.delta at h1
      rw [wsum_perm hp] at h1
      clear hL hM hF hG hF1 hG0 h hp hs
      grind
  rw [μ.E_add _ _ (T.const _) hF, μ.E_const, ← wsum_perm hp] at k
  have e : (L.product M).delta X s
      = M.infinite + wsum M.finite fun l => L.delta X (s - l) := by
    show M.infinite + _ * L.infinite + wsum (addLosses _ _) _ = _
    rw [wsum_addLosses]
    have e2 : (fun l => L.delta X (s - l)) = fun l => L.infinite * 1
        + wsum L.finite fun x => posPart (1 - X.exp (s - (x + l))) := by
      funext l
      unfold LossLaw.delta
      have e3 : ∀ x, s - (x + l) = s - l - x := fun x => by grind
      simp only [e3]
      clear hL hM hF hG hF1 hG0 h hp hs k e3
      grind
    rw [e2, wsum_add, wsum_smul]
    clear hL hM hF hG hF1 hG0 h hp hs k e2
    grind
  rw [e]
  clear hL hM hF hG hF1 hG0 h hp hs e
  grind

omit [LE A] [LT A] [Std.IsLinearOrder A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem LossLaw.Ok.product {L M : LossLaw A K} (hL : L.Ok) (hM : M.Ok) : (L.product M).Ok where
  nonneg q hq := by
    have h : ∀ m : List (A × K), (∀ q ∈ m, 0 ≤ q.2) → ∀ q ∈ addLosses L.finite m, 0 ≤ q.2 :=
      fun m hm => by
        induction m with
        | nil => intro q hq; exact absurd hq List.not_mem_nil
        | cons r m ih =>
          intro q hq
          rcases List.mem_append.mp hq with e | e
          · obtain ⟨p, hp, e⟩ := List.mem_map.mp e
            subst e
            exact mul_nonneg' (hL.nonneg p hp) (hm r List.mem_cons_self)
          · exact ih (fun q hq => hm q (List.mem_cons_of_mem _ hq)) q e
    exact h _ hM.nonneg q hq
  infinite_nonneg := by
    have h1 := mul_nonneg'
        (wsum_nonneg _ hM.nonneg (fun _ => (1 : K)) fun _ => by exact zero_le_one')
      hL.infinite_nonneg
    have h2 := hM.infinite_nonneg
    show 0 ≤ M.infinite + _
    exact add_nonneg' (by assumption) (by assumption)
  total := by
    show 1 ≤ M.infinite + _ * L.infinite + wsum (addLosses _ _) _
    rw [wsum_addLosses]
    have e : (fun _ : A => wsum L.finite fun _ => (1 : K))
        = fun _ => (wsum L.finite fun _ => 1) * 1 := by funext _; grind
    rw [e, wsum_smul]
    have h1 := mul_le_left hL.total (wsum_nonneg _ hM.nonneg (fun _ => (1 : K)) fun _ => by
      exact zero_le_one')
    have h2 := hM.total
    clear hL hM e
    grind

omit [LE A] [LT A] [Std.IsLinearOrder A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem LossLaw.productAll_ok {l : List (LossLaw A K)} (h : ∀ L ∈ l, L.Ok) :
    (LossLaw.productAll l).Ok := by
  induction l with
  | nil =>
    refine ⟨fun q hq => ?_, Std.le_refl _, ?_⟩
    · have e : q = (0, 1) := by simpa [LossLaw.productAll] using hq
      subst e
      show (0 : K) ≤ 1
      exact zero_le_one'
    · show (1 : K) ≤ 0 + (1 * 1 + 0)
      grind
  | cons L l ih =>
    exact (h L List.mem_cons_self).product (ih fun M hM => h M (List.mem_cons_of_mem _ hM))

namespace DominatedAnalyst

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem expect_mem (b : Bool) {l : List (LossLaw A K)} (g : DominatedAnalyst.{u} X l)
    (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    0 ≤ expect b g f ∧ expect b g f ≤ 1 := by
  induction g with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin S T ρ next ih =>
    have h := fun s => ih s (fun v => f ⟨s, v⟩) (hf.1 s) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun s => (h s).1, ρ.E_le_one (hf.2 b) fun s => (h s).2⟩
  | round q next ih =>
    have h := fun o => ih o (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _)
    exact ⟨(q.law b).E_nonneg (hf.2 b) fun o => (h o).1, (q.law b).E_le_one (hf.2 b) fun o =>
        (h o).2⟩

end DominatedAnalyst

/-- **Composition of dominating pairs** (Zhu, Dong, Wang 2022, Theorem 10), for any number of rounds
chosen on the way: the product of the rounds' dominating pairs dominates the view. -/
theorem product_of_dominating_pairs_dominates {l : List (LossLaw A K)} (hl : ∀ L ∈ l, L.Ok)
    (g : DominatedAnalyst.{u} X l) (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) (s : A) :
    g.expect b f ≤ (LossLaw.productAll l).delta X s + X.exp s * g.expect (!b) f := by
  induction g generalizing s with
  | stop =>
    have k := mul_nonneg' (posPart_nonneg (1 - X.exp s)) (by
      have := h1 PUnit.unit
      exact sub_nonneg' (by assumption) : 0 ≤ 1 - f PUnit.unit)
    have k2 := mul_le_right (le_posPart (1 - X.exp s)) (h0 PUnit.unit)
    have e : s - 0 = s := by clear hl hf h0 h1 k k2; grind
    show f _ ≤ 0 + (1 * posPart (1 - X.exp (s - 0)) + 0) + X.exp s * f _
    rw [e]
    clear hl hf h0 h1 e
    grind
  | coin S T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun r =>
      ih r hl (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _) s
  | round q next ih =>
    have hl' := fun M hM => hl M (List.mem_cons_of_mem _ hM)
    exact dominated_round_followed_by_dominated_continuation (q.dominated b)
      (LossLaw.productAll_ok hl') (hf.2 b) (hf.2 (!b))
      (fun o => ((next o).expect_mem b _ (hf.1 o) (fun v => h0 _) fun v => h1 _).2)
      (fun o => ((next o).expect_mem (!b) _ (hf.1 o) (fun v => h0 _) fun v => h1 _).1)
      (fun s o => ih o hl' (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _) s) s

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- **A pair that is post-processed from a dominated one is dominated likewise.** -/
theorem post_processed_pair_is_dominated {L : LossLaw A K} {O : Type u} {O' : Type v}
    {T : Tests K O} {T' : Tests K O'} {μ ν : Law T} (hL : Dominates X L μ ν) (κ : O → Law T')
    (hκ : ∀ f, T'.adm f → T.adm fun o => (κ o).E f) :
    Dominates X L (μ.bind κ hκ) (ν.bind κ hκ) := fun f hf s =>
  hL (fun o => (κ o).E f) ⟨hκ f hf.adm, fun o => (κ o).E_nonneg hf.adm hf.nonneg,
    fun o => (κ o).E_le_one hf.adm hf.le_one⟩ s

section

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]

/-- **A pair with a density is dominated by its own losses**: `μ` is a finite law, and `ν` has at
least the weights `p e^{-loss}`. -/
theorem finite_pair_is_dominated_by_its_losses {O : Type u} (μ : FinLaw K O)
    (ν : Law (Tests.all K O)) (loss : O → A)
    (h : ∀ f, (∀ o, 0 ≤ f o) → (wsum μ.list fun o => X.exp (-loss o) * f o) ≤ ν.E f) :
    Dominates X ⟨μ.list.map fun q => (loss q.1, q.2), 0⟩ μ.toLaw ν := fun f hf s => by
  have k := mul_le_left (h f hf.nonneg) (X.exp_nonneg s)
  rw [← wsum_smul] at k
  have e : (wsum (μ.list.map fun q => (loss q.1, q.2)) fun l => posPart (1 - X.exp (s - l)))
      = wsum μ.list fun o => posPart (1 - X.exp (s - loss o)) := by
    induction μ.list with
    | nil => rfl
    | cons q l ih => simp only [List.map_cons, wsum, ih]
  have k2 := wsum_mono μ.list μ.nonneg f
    (fun o => posPart (1 - X.exp (s - loss o)) + X.exp s * (X.exp (-loss o) * f o)) fun o => by
      have e2 : X.exp (s - loss o) = X.exp s * X.exp (-loss o) := by
        rw [← X.exp_add]
        congr 1
        clear h hf k e
        grind
      have k3 := mul_le_right (le_posPart (1 - X.exp (s - loss o))) (hf.nonneg o)
      have k4 := mul_le_left (hf.le_one o) (posPart_nonneg (1 - X.exp (s - loss o)))
      show f o ≤ posPart (1 - X.exp (s - loss o)) + X.exp s * (X.exp (-loss o) * f o)
      rw [e2] at k3 k4 ⊢
      clear h hf k e e2
      grind
  rw [wsum_add] at k2
  show wsum μ.list f ≤ 0 + wsum _ _ + _
  rw [e]
  clear h hf e
  grind

/-- **Splitting a loss gives an upper bound**: the probability `p` of the loss `l` is divided among
two losses such that no probability is lost under the first law and none is gained under the second,
so that merging the two gives the pair back. -/
theorem splitting_a_loss_is_an_upper_bound {l l₀ l₁ : A} {p x y : K} (hx : 0 ≤ x) (hy : 0 ≤ y)
    (h : p ≤ x + y) (h' : x * X.exp (-l₀) + y * X.exp (-l₁) ≤ p * X.exp (-l))
    (m : List (A × K)) (i : K) (s : A) :
    LossLaw.delta X ⟨(l, p) :: m, i⟩ s ≤ LossLaw.delta X ⟨(l₀, x) :: (l₁, y) :: m, i⟩ s := by
  have e : ∀ z : A, X.exp (s - z) = X.exp s * X.exp (-z) := fun z => by
    rw [← X.exp_add]
    congr 1
    clear hx hy h h'
    grind
  have k0 := mul_nonneg' hx (posPart_nonneg (1 - X.exp (s - l₀)))
  have k1 := mul_nonneg' hy (posPart_nonneg (1 - X.exp (s - l₁)))
  have k2 := mul_le_left (le_posPart (1 - X.exp (s - l₀))) hx
  have k3 := mul_le_left (le_posPart (1 - X.exp (s - l₁))) hy
  have k4 := mul_le_left h' (X.exp_nonneg s)
  have k : p * posPart (1 - X.exp (s - l)) ≤ x * posPart (1 - X.exp (s - l₀))
      + y * posPart (1 - X.exp (s - l₁)) := by
    have both : posPart (1 - X.exp (s - l)) = 0
        ∨ posPart (1 - X.exp (s - l)) = 1 - X.exp (s - l) := by
      unfold posPart
      split
      · exact .inr rfl
      · exact .inl rfl
    rcases both with z | z
    · rw [z]
      clear hx hy h h' e k2 k3 k4 z
      grind
    · rw [z, e l]
      rw [e l₀] at k2 ⊢
      rw [e l₁] at k3 ⊢
      clear hx hy h' e k0 k1 z
      grind
  unfold LossLaw.delta
  simp only [wsum]
  clear hx hy h h' e k0 k1 k2 k3 k4
  grind

end

end PrivRef
