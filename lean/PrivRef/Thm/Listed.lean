module

public import PrivRef.Spec.Listed
public import PrivRef.Reals.Log
public import PrivRef.Thm.Mixed
public import PrivRef.Thm.Sgd

/-!
Rounds of several kinds together, by their moments at one order: the bound, and a checker of it that
the kernel evaluates.
-/

@[expose] public section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField ofRat ratOfNat expLo expHi)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable {F : ExpField}

/-- At the order `1 + m` the logarithm of a round's moment is at most `c`.  Of a sample only whole
orders are known. -/
def ListedRound.Costs (m : F.K) : ListedRound F.K → F.K → Prop
  | .dp ε _, c => F.exp (ε + m * ε) + F.exp (-(m * ε)) ≤ (1 + F.exp ε) * F.exp c
  | .zcdp ρ _, c => m * (m + 1) * ρ ≤ c
  | .renyi m' c' _, c => m' = m ∧ c' ≤ c
  | .sampled q a, c => 0 ≤ q ∧ q < 1 ∧ ∃ n : Nat, m = (n : F.K) ∧
      sampledMoment F q a (n + 1) 0 ≤ F.exp c

/-- The costs of all rounds at that order add up to `C`. -/
def listedCosts (m : F.K) : List (ListedRound F.K) → F.K → Prop
  | [], C => C = 0
  | r :: l, C => ∃ c C', r.Costs m c ∧ listedCosts m l C' ∧ C = C' + c

/-- The sum of the `δ`. -/
noncomputable def listedMass : List (ListedRound F.K) → F.K
  | [] => 0
  | r :: l => r.mass + listedMass l

theorem listedMass_nonneg {l : List (ListedRound F.K)} (h : ∀ r ∈ l, 0 ≤ r.mass) :
    0 ≤ listedMass l := by
  induction l with
  | nil => exact Std.le_refl _
  | cons r l ih =>
    have h1 := h r List.mem_cons_self
    have h2 := ih fun r hr => h r (List.mem_cons_of_mem _ hr)
    exact add_nonneg' h1 h2

/-- A larger cost is a bound too. -/
theorem larger_cost {κ D C c c' s m y z : F.K} (hκ : 0 ≤ κ) (hD : D ≤ 1) (hc : c ≤ c')
    (h : y ≤ D + (1 - D) * (κ * F.exp (C + c - m * s)) + z) :
    y ≤ D + (1 - D) * (κ * F.exp (C + c' - m * s)) + z := by
  have h1 : F.exp (C + c - m * s) ≤ F.exp (C + c' - m * s) := Numerics.exp_mono F (by grind)
  have h2 := mul_le_left (mul_le_left h1 hκ) (sub_nonneg' hD)
  generalize (1 - D) * (κ * F.exp (C + c - m * s)) = x at *
  generalize (1 - D) * (κ * F.exp (C + c' - m * s)) = x' at *
  grind

/-- **One round**: if for every shift the continuation satisfies the bound with what is left, the
whole does with what there was. -/
theorem ListedQuery.followed (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {r : ListedRound F.K}
    (q : ListedQuery.{u} F (expFieldLike F) r) {m : F.K} (hm : 0 < m) {c : F.K} (hc : r.Costs m c)
    {κ d : F.K} (hκ : 0 ≤ κ) (C s : F.K) (hr : 0 ≤ r.mass) (hd : 0 ≤ d) (h1 : r.mass + d ≤ 1)
    (P Q : q.O → F.K) (hP : q.tests.adm P) (hQ : q.tests.adm Q) (hP1 : ∀ o, P o ≤ 1)
    (hQ0 : ∀ o, 0 ≤ Q o) (b : Bool)
    (hstep : ∀ s o, P o ≤ d + (1 - d) * (κ * F.exp (C - m * s)) + F.exp s * Q o) :
    (q.law b).E P ≤ r.mass + d + (1 - (r.mass + d)) * (κ * F.exp (C + c - m * s))
      + F.exp s * (q.law !b).E Q := by
  cases q with
  | dp q =>
    exact dp_round_followed_by_bounded_continuation (expFieldLike F) (allOrders F.K) q.eps_nonneg
      (q.both b) (fun f hf => by have := q.both (!b) f hf; rwa [Bool.not_not] at this) ⟨m, hm⟩ c hc
      hκ C s hr hd h1 P Q hP hQ hP1 hQ0 hstep
  | zcdp ρ q has =>
    obtain ⟨p⟩ := q.pair b
    have h := dominated_round_followed_by_bounded_continuation p ⟨m, hm⟩ hκ C s hr hd h1 P Q hP hQ
      hP1 hQ0 hstep
    rw [has] at h
    exact larger_cost hκ h1 hc h
  | renyi m' hm' q =>
    obtain ⟨e, hc⟩ := hc
    subst e
    obtain ⟨p⟩ := q.pair b
    exact larger_cost hκ h1 hc (dominated_round_followed_by_bounded_continuation p PUnit.unit hκ C s
      hr hd h1 P Q hP hQ hP1 hQ0 hstep)
  | sampled V N q a h0 h1' S ρ answer difference fits =>
    obtain ⟨hq0, hq1, n, e, hc⟩ := hc
    subst e
    obtain ⟨lg, hlg⟩ : ∃ lg : F.K → F.K, ∀ y, 0 < y → F.exp (lg y) = y :=
      ⟨fun y => open Classical in if h : 0 < y then (logs y h).choose else 0, fun y h => by
        simp only [dif_pos h]
        exact (logs y h).choose_spec⟩
    have hs : ∀ s, sampledMoment F q (N.inner (difference s) (difference s)) (n + 1) 0 ≤ F.exp c :=
      fun s => Std.le_trans (sampledMoment_mono F h0 h1' (fits s) (n + 1) 0) hc
    have pair : Nonempty (DominatedPair (expFieldLike F) (oneOrder (n : F.K) hm)
        (PrivRef.sampled N (SgdAnalyst.rate q b) (SgdAnalyst.rate_nonneg h0 b)
          (SgdAnalyst.rate_le_one h1' b) ρ answer difference)
        (PrivRef.sampled N (SgdAnalyst.rate q !b) (SgdAnalyst.rate_nonneg h0 _)
          (SgdAnalyst.rate_le_one h1' _) ρ answer difference) (fun _ => c) 0) := by
      cases b
      · exact N.removing_is_dominated h0 hq1 lg hlg ρ answer difference hm hs
      · exact N.adding_is_dominated h0 hq1 lg hlg ρ answer difference hm hs
    obtain ⟨p⟩ := pair
    exact dominated_round_followed_by_bounded_continuation p PUnit.unit hκ C s hr hd h1 P Q hP hQ
      hP1 hQ0 hstep

namespace ListedAnalyst

variable {X : ExpLike F.K F.K}

theorem expect_mem (b : Bool) {l : List (ListedRound F.K)} (g : ListedAnalyst.{u} F X l)
    (f : g.View → F.K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    0 ≤ expect b g f ∧ expect b g f ≤ 1 := by
  induction g with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin S T ρ next ih =>
    have h := fun s => ih s (fun v => f ⟨s, v⟩) (hf.1 s) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun s => (h s).1, ρ.E_le_one (hf.2 b) fun s => (h s).2⟩
  | ask q next ih =>
    have h := fun o => ih o (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _)
    exact ⟨(q.law b).E_nonneg (hf.2 b) fun o => (h o).1,
      (q.law b).E_le_one (hf.2 b) fun o => (h o).2⟩

end ListedAnalyst

/-- **Rounds of several kinds are private at every order** `1 + m` at which the costs of all are
known, for every constant of conversion `κ` and every `s`. -/
theorem listed_rounds_are_private (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {m : F.K}
    (hm : 0 < m) {κ : F.K} (hκ : 0 ≤ κ) (hκs : ∀ s, 1 - F.exp s ≤ κ * F.exp (-(m * s)))
    {l : List (ListedRound F.K)} (hl : ∀ r ∈ l, 0 ≤ r.mass) (hl1 : listedMass l ≤ 1) {C : F.K}
    (hC : listedCosts m l C) (g : ListedAnalyst.{u} F (expFieldLike F) l) (f : g.View → F.K)
    (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) (s : F.K) :
    g.expect b f ≤ listedMass l + (1 - listedMass l) * (κ * F.exp (C - m * s))
      + F.exp s * g.expect (!b) f := by
  induction g generalizing s C with
  | stop =>
    have e : C = 0 := hC
    exact ended_interaction_is_bounded (expFieldLike F) (allOrders F.K) ⟨m, hm⟩ hκ hκs
      (Std.le_refl _) hl1 (by rw [e]; exact Std.le_refl _) (h0 _) (h1 _) s
  | coin S T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun r =>
      ih r hl hl1 hC (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _) s
  | @ask r l q next ih =>
    obtain ⟨c, C', hc, hC', e⟩ := hC
    subst e
    have hl' := fun r hr => hl r (List.mem_cons_of_mem _ hr)
    have hr := hl r List.mem_cons_self
    have hd := listedMass_nonneg hl'
    have hle : r.mass + listedMass l ≤ 1 := hl1
    exact q.followed logs hm hc hκ C' s hr hd hle _ _ (hf.2 b) (hf.2 (!b))
      (fun o => (ListedAnalyst.expect_mem b (next o) _ (hf.1 o) (fun v => h0 _) fun v => h1 _).2)
      (fun o => (ListedAnalyst.expect_mem (!b) (next o) _ (hf.1 o) (fun v => h0 _)
        fun v => h1 _).1) b
      fun s o => ih o hl' (by grind) hC' (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _)
        (fun v => h1 _) s

/-! ### What the kernel evaluates -/

/-- A round with rational parameters, in the field. -/
noncomputable def ListedRound.inField (F : ExpField) : ListedRound Rat → ListedRound F.K
  | .dp ε δ => .dp (ofRat ε) (ofRat δ)
  | .zcdp ρ δ => .zcdp (ofRat ρ) (ofRat δ)
  | .renyi m c δ => .renyi (ofRat m) (ofRat c) (ofRat δ)
  | .sampled q a => .sampled (ofRat q) (ofRat a)

/-- The rounds of a ledger, which says how often each comes, one by one. -/
noncomputable def listedRounds (F : ExpField) : List (Nat × ListedRound Rat) →
    List (ListedRound F.K)
  | [] => []
  | g :: gs => List.replicate g.1 (g.2.inField F) ++ listedRounds F gs

/-- Decides that a round costs at most `c` at the order `1 + m`, which is `1 + n` where a sample
asks for a whole order. -/
def roundCheck (k p n : Nat) (m : Rat) : ListedRound Rat → Rat → Bool
  | .dp ε δ, c => decide (0 ≤ δ) && decide (0 < expHi k p (-((2 * m + 1) * ε)))
      && decide (1 + expHi k p (-((2 * m + 1) * ε)) ≤ (1 + expLo k p (-ε)) * expLo k p (c - m * ε))
  | .zcdp ρ δ, c => decide (0 ≤ δ) && decide (m * (m + 1) * ρ ≤ c)
  | .renyi m' c' δ, c => decide (0 ≤ δ) && decide (m' = m) && decide (c' ≤ c)
  | .sampled q a, c => decide (0 ≤ q) && decide (q < 1) && decide (m = ratOfNat n)
      && match leavesUp k p a (n + 2) 0 with
        | some l =>
          match folds q (n + 1) l with
          | x :: _ => decide (x ≤ expLo k p c)
          | [] => false
        | none => false

/-- Decides the costs of all groups of rounds. -/
def costsCheck (k p n : Nat) (m : Rat) : List (Nat × ListedRound Rat) → List Rat → Bool
  | [], [] => true
  | g :: gs, c :: cs => roundCheck k p n m g.2 c && costsCheck k p n m gs cs
  | _, _ => false

/-- The sum of the costs. -/
def costTotal : List (Nat × ListedRound Rat) → List Rat → Rat
  | g :: gs, c :: cs => ratOfNat g.1 * c + costTotal gs cs
  | _, _ => 0

/-- The sum of the `δ`. -/
def massTotal : List (Nat × ListedRound Rat) → Rat
  | [] => 0
  | g :: gs => ratOfNat g.1 * g.2.mass + massTotal gs

/-- Decides the bound of a ledger at the order `1 + m`, at which a round of each group costs at most
what `costs` says; `U` is an upper bound of `log (1 - 1/(1 + m))`. -/
def listedCheck (k p n : Nat) (m U : Rat) (costs : List Rat) (gs : List (Nat × ListedRound Rat))
    (eps delta : Rat) : Bool :=
  decide (0 < m) && costsCheck k p n m gs costs && decide (massTotal gs ≤ 1)
    && decide (m ≤ (1 + m) * expLo k p U)
    && decide (0 < expHi k p (costTotal gs costs - m * eps + (1 + m) * U))
    && decide ((1 - massTotal gs) * expHi k p (costTotal gs costs - m * eps + (1 + m) * U)
      ≤ (delta - massTotal gs) * m)

theorem mass_inField (F : ExpField) (r : ListedRound Rat) : (r.inField F).mass = ofRat r.mass := by
  cases r with
  | sampled q a => exact Numerics.ofRat_zero.symm
  | _ => rfl

theorem expLo_nonneg (F : ExpField) (k p : Nat) (q : Rat) : (0 : F.K) ≤ ofRat (expLo k p q) := by
  unfold expLo
  rw [Numerics.ofRat_mkRat _ (Numerics.two_pow_ne_zero p), Lean.Grind.Ring.intCast_natCast,
    Lean.Grind.Field.div_eq_mul_inv]
  exact mul_nonneg' (Numerics.natCast_nonneg _)
    (Std.le_of_lt (inv_pos' (Numerics.natCast_pos (Numerics.two_pow_ne_zero p))))

theorem roundCheck_sound {k p n : Nat} {m c : Rat} {r : ListedRound Rat}
    (h : roundCheck k p n m r c = true) :
    (r.inField F).Costs (ofRat m) (ofRat c) ∧ 0 ≤ r.mass := by
  cases r with
  | dp ε δ =>
    simp only [roundCheck, Bool.and_eq_true, decide_eq_true_eq] at h
    obtain ⟨⟨hδ, hpos⟩, h⟩ := h
    refine ⟨?_, hδ⟩
    have a := Numerics.le_expHi F k p _ hpos
    have b := Numerics.expLo_le F k p (-ε)
    have b' := Numerics.expLo_le F k p (c - m * ε)
    have hp := Numerics.exp_pos F (ofRat (-ε))
    have hp' := Numerics.exp_pos F (ofRat (c - m * ε))
    have hk := Numerics.ofRat_mono (K := F.K) h
    rw [Numerics.ofRat_add, Numerics.ofRat_mul, Numerics.ofRat_add, Numerics.ofRat_one] at hk
    have lo := expLo_nonneg F k p (c - m * ε)
    have top : (1 + ofRat (expLo k p (-ε))) * ofRat (expLo k p (c - m * ε))
        ≤ (1 + F.exp (ofRat (-ε))) * F.exp (ofRat (c - m * ε)) :=
      Numerics.mul_mono (by grind) b' lo (by grind)
    have key : 1 + F.exp (ofRat (-((2 * m + 1) * ε)))
        ≤ (1 + F.exp (ofRat (-ε))) * F.exp (ofRat (c - m * ε)) := by
      generalize (1 + F.exp (ofRat (-ε))) * F.exp (ofRat (c - m * ε)) = z at *
      grind
    have scaled := mul_le_left key (Std.le_of_lt (Numerics.exp_pos F (ofRat (ε + m * ε))))
    have e1 : F.exp (ofRat (ε + m * ε)) * F.exp (ofRat (-((2 * m + 1) * ε)))
        = F.exp (-(ofRat m * ofRat ε)) := by
      rw [← F.exp_add, ← Numerics.ofRat_add, ← Numerics.ofRat_mul, ← Numerics.ofRat_neg]
      congr 2
      grind
    have e2 : F.exp (ofRat (ε + m * ε)) * F.exp (ofRat (-ε)) * F.exp (ofRat (c - m * ε))
        = F.exp (ofRat c) := by
      rw [← F.exp_add, ← F.exp_add, ← Numerics.ofRat_add, ← Numerics.ofRat_add]
      congr 2
      grind
    have e3 : F.exp (ofRat (ε + m * ε)) * F.exp (ofRat (c - m * ε))
        = F.exp (ofRat ε) * F.exp (ofRat c) := by
      rw [← F.exp_add, ← F.exp_add, ← Numerics.ofRat_add, ← Numerics.ofRat_add]
      congr 2
      grind
    have e4 : F.exp (ofRat (ε + m * ε)) = F.exp (ofRat ε + ofRat m * ofRat ε) := by
      rw [Numerics.ofRat_add, Numerics.ofRat_mul]
    show F.exp (ofRat ε + ofRat m * ofRat ε) + F.exp (-(ofRat m * ofRat ε))
      ≤ (1 + F.exp (ofRat ε)) * F.exp (ofRat c)
    rw [← e4, ← e1]
    clear e1 e4 key top hk a b b' lo h hpos
    generalize F.exp (ofRat (ε + m * ε)) = t at *
    generalize F.exp (ofRat (-((2 * m + 1) * ε))) = y at *
    generalize F.exp (ofRat (c - m * ε)) = w at *
    generalize F.exp (ofRat (-ε)) = v at *
    generalize F.exp (ofRat ε) = x at *
    generalize F.exp (ofRat c) = z at *
    have e5 : t * ((1 + v) * w) = t * w + t * v * w := by grind
    have e6 : (1 + x) * z = z + x * z := by grind
    rw [e5, e2, e3] at scaled
    rw [e6]
    grind
  | zcdp ρ δ =>
    simp only [roundCheck, Bool.and_eq_true, decide_eq_true_eq] at h
    refine ⟨?_, h.1⟩
    have hk := Numerics.ofRat_mono (K := F.K) h.2
    rw [Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_add, Numerics.ofRat_one] at hk
    exact hk
  | renyi m' c' δ =>
    simp only [roundCheck, Bool.and_eq_true, decide_eq_true_eq] at h
    exact ⟨⟨congrArg ofRat h.1.2, Numerics.ofRat_mono h.2⟩, h.1.1⟩
  | sampled q a =>
    simp only [roundCheck, Bool.and_eq_true, decide_eq_true_eq] at h
    obtain ⟨⟨⟨hq0, hq1⟩, hm⟩, h⟩ := h
    refine ⟨⟨Numerics.ofRat_nonneg hq0, ?_, n, ?_, ?_⟩, Std.le_refl _⟩
    · have := Numerics.ofRat_strictMono (K := F.K) hq1
      rwa [Numerics.ofRat_one] at this
    · rw [hm, Numerics.ofRat_ratOfNat]
    · split at h
      · rename_i l hl
        split at h
        · rename_i x l' hx
          have ab := folds_above hq0 (by grind) (n + 1) 0 0 l
            (leavesUp_above (F := F) (ofRat q) (n + 2) 0 hl)
          rw [hx, Nat.zero_add] at ab
          exact Std.le_trans ab.1 (Std.le_trans (Numerics.ofRat_mono (of_decide_eq_true h))
            (Numerics.expLo_le F k p c))
        · contradiction
      · contradiction

theorem listedCosts_replicate {m c C : F.K} {r : ListedRound F.K} {l : List (ListedRound F.K)}
    (hc : r.Costs m c) (hC : listedCosts m l C) (n : Nat) :
    listedCosts m (List.replicate n r ++ l) ((n : F.K) * c + C) := by
  induction n with
  | zero =>
    rw [Lean.Grind.Semiring.natCast_zero]
    have e : 0 * c + C = C := by grind
    rw [e]
    exact hC
  | succ n ih =>
    refine ⟨c, _, hc, ih, ?_⟩
    rw [Lean.Grind.Semiring.natCast_succ]
    grind

theorem listedMass_replicate (r : ListedRound F.K) (l : List (ListedRound F.K)) (n : Nat) :
    listedMass (List.replicate n r ++ l) = (n : F.K) * r.mass + listedMass l := by
  induction n with
  | zero =>
    rw [Lean.Grind.Semiring.natCast_zero]
    have e : 0 * r.mass + listedMass l = listedMass l := by grind
    rw [e]
    rfl
  | succ n ih =>
    show r.mass + listedMass (List.replicate n r ++ l) = _
    rw [ih, Lean.Grind.Semiring.natCast_succ]
    grind

theorem costsCheck_sound {k p n : Nat} {m : Rat} (gs : List (Nat × ListedRound Rat))
    (cs : List Rat) (h : costsCheck k p n m gs cs = true) :
    listedCosts (ofRat m : F.K) (listedRounds F gs) (ofRat (costTotal gs cs)) ∧
      (∀ r ∈ listedRounds F gs, 0 ≤ r.mass) ∧
      listedMass (listedRounds F gs) = ofRat (massTotal gs) := by
  induction gs generalizing cs with
  | nil =>
    cases cs with
    | nil =>
      refine ⟨Numerics.ofRat_zero, fun r hr => absurd hr List.not_mem_nil, ?_⟩
      exact Numerics.ofRat_zero.symm
    | cons c cs => contradiction
  | cons g gs ih =>
    cases cs with
    | nil => contradiction
    | cons c cs =>
      simp only [costsCheck, Bool.and_eq_true] at h
      obtain ⟨h1, h2⟩ := roundCheck_sound (F := F) h.1
      obtain ⟨i1, i2, i3⟩ := ih cs h.2
      refine ⟨?_, fun r hr => ?_, ?_⟩
      · show listedCosts _ _ (ofRat (ratOfNat g.1 * c + costTotal gs cs))
        rw [Numerics.ofRat_add, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat]
        exact listedCosts_replicate h1 i1 g.1
      · rcases List.mem_append.mp hr with h | h
        · rw [(List.mem_replicate.mp h).2, mass_inField]
          exact Numerics.ofRat_nonneg h2
        · exact i2 r h
      · show _ = ofRat (ratOfNat g.1 * g.2.mass + massTotal gs)
        rw [Numerics.ofRat_add, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat, ← i3, ← mass_inField F]
        exact listedMass_replicate _ _ _

/-- **What the kernel checks is privacy**: every analyst whose rounds have what the ledger lists,
every measurable test of the view. -/
theorem listed_certificate_is_a_privacy_guarantee (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y)
    {k p n : Nat} {m U : Rat} {costs : List Rat} {gs : List (Nat × ListedRound Rat)}
    {eps delta : Rat} (h : listedCheck k p n m U costs gs eps delta = true)
    (g : ListedAnalyst.{u} F (expFieldLike F) (listedRounds F gs)) (f : g.View → F.K)
    (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ F.exp (ofRat eps) * g.expect (!b) f + ofRat delta := by
  simp only [listedCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨⟨hm, hcost⟩, hD1⟩, hU⟩, hpos⟩, hend⟩ := h
  obtain ⟨hC, hl, hmass⟩ := costsCheck_sound (F := F) gs costs hcost
  have hmK : (0 : F.K) < ofRat m := Numerics.ofRat_pos hm
  have hm1 : (0 : F.K) < 1 + ofRat m := by grind
  have hi := inv_pos' hm1
  have hi' := inv_pos' hmK
  obtain ⟨M, hM⟩ := logs (ofRat m / (1 + ofRat m)) (by
    rw [Lean.Grind.Field.div_eq_mul_inv]
    exact Lean.Grind.OrderedRing.mul_pos hmK hi)
  have hκ := constant_of_conversion_nonneg F (ofRat m) M hmK
  have hD1' : (ofRat (massTotal gs) : F.K) ≤ 1 := by
    have := Numerics.ofRat_mono (K := F.K) hD1
    rwa [Numerics.ofRat_one] at this
  have key := listed_rounds_are_private logs hmK hκ
    (fun s => least_constant_of_conversion F (ofRat m) M s hmK hM) hl (by rw [hmass]; exact hD1') hC
    g f hf h0 h1 b (ofRat eps)
  rw [hmass] at key
  -- `M ≤ U`
  have hMU : M ≤ ofRat U := by
    refine Numerics.le_of_exp_le F ?_
    refine Std.le_trans ?_ (Numerics.expLo_le F k p U)
    have a := Numerics.ofRat_mono (K := F.K) hU
    rw [Numerics.ofRat_mul, Numerics.ofRat_add, Numerics.ofRat_one] at a
    rw [hM]
    refine Numerics.le_of_mul_le (c := 1 + ofRat m) ?_ hm1
    have e : (1 + ofRat m) * (ofRat m / (1 + ofRat m)) = (ofRat m : F.K) := by grind
    rw [e]
    exact a
  have top := Numerics.le_expHi F k p _ hpos
  have e1 : (ofRat (costTotal gs costs - m * eps + (1 + m) * U) : F.K)
      = ofRat (costTotal gs costs) - ofRat m * ofRat eps + (1 + ofRat m) * ofRat U := by
    rw [Numerics.ofRat_add, Numerics.ofRat_sub, Numerics.ofRat_mul, Numerics.ofRat_mul,
      Numerics.ofRat_add, Numerics.ofRat_one]
  have b1 : (1 + ofRat m) * M ≤ (1 + ofRat m) * ofRat U :=
    mul_le_left hMU (Std.le_of_lt hm1)
  have b2 : F.exp ((1 + ofRat m) * M) * F.exp (ofRat (costTotal gs costs) - ofRat m * ofRat eps)
      ≤ ofRat (expHi k p (costTotal gs costs - m * eps + (1 + m) * U)) := by
    refine Std.le_trans ?_ top
    rw [e1, ← F.exp_add]
    exact Numerics.exp_mono F (by grind)
  have b3 := Numerics.ofRat_mono (K := F.K) hend
  rw [Numerics.ofRat_mul, Numerics.ofRat_sub, Numerics.ofRat_mul, Numerics.ofRat_sub,
    Numerics.ofRat_one] at b3
  generalize F.exp ((1 + ofRat m) * M) = y at *
  generalize F.exp (ofRat (costTotal gs costs) - ofRat m * ofRat eps) = z at *
  generalize (ofRat (expHi k p (costTotal gs costs - m * eps + (1 + m) * U)) : F.K) = t at *
  generalize (ofRat (massTotal gs) : F.K) = D at *
  generalize (ofRat m : F.K) = μ at *
  have b4 : (1 - D) * (y / μ * z) ≤ ofRat delta - D := by
    refine Numerics.le_of_mul_le (c := μ) ?_ hmK
    have e : μ * ((1 - D) * (y / μ * z)) = (1 - D) * (y * z) := by grind
    rw [e]
    have := mul_le_left b2 (sub_nonneg' hD1')
    generalize (1 - D) * (y * z) = w at *
    grind
  generalize (1 - D) * (y / μ * z) = w at *
  generalize F.exp (ofRat eps) * g.expect (!b) f = v at *
  grind

end PrivRef
