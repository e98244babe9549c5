module

public import PrivRef.Spec.Svt
public import PrivRef.Thm.Odp

/-!
Lemma 8: the Sparse Vector Technique.
-/

@[expose] public section

namespace PrivRef

universe a k v

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {V : Type v} [Lean.Grind.IntModule V] [LE V] [LT V] [Std.IsLinearOrder V]
  [Std.LawfulOrderLT V] [Lean.Grind.OrderedAdd V]
variable {X : ExpLike A K} {D : Type} {nbr : Neighbours D} (N : SvtNoise X V)

omit [LT V] [Std.LawfulOrderLT V] [Lean.Grind.OrderedAdd V] in
theorem SvtNoise.tail_antitone {s t : V} (h : s ≤ t) : N.tail t ≤ N.tail s :=
  N.nu.E_mono _ _ (N.rays t) (N.rays s) fun y => by
    by_cases ht : t ≤ y
    · rw [ind_true ht, ind_true (Std.le_trans h ht)]; grind
    · rw [ind_false ht]; exact ind_nonneg _

/-- `Pr(ν ≥ t - 2Δ) ≤ e^{ε_2/c} Pr(ν ≥ t)`. -/
theorem SvtNoise.tail_ratio (t : V) : N.tail (t - N.Δ - N.Δ) ≤ X.exp N.e2 * N.tail t := by
  have e : (fun y => (ind (t - N.Δ - N.Δ ≤ y - N.Δ - N.Δ) : K)) = fun y => ind (t ≤ y) := by
    funext y
    congr 1
    apply propext
    constructor <;> intro h <;> grind
  have h := N.nu_ratio (fun y => ind (t - N.Δ - N.Δ ≤ y)) (N.rays _) (by rw [e]; exact N.rays t)
    fun _ => ind_nonneg _
  rw [e] at h
  exact h

omit [LT V] [Std.LawfulOrderLT V] [Lean.Grind.OrderedAdd V] in
theorem svtGiven_nonneg (x : D) (z : V) (g : SvtAnalyst K nbr N.Δ) (c : Nat) {f : List Bool → K}
    (hf : ∀ as, 0 ≤ f as) : 0 ≤ svtGiven N x z g c f := by
  have h := svtGiven_mono N x z g c (fun _ => 0 * 1) f fun as => by
    have := hf as
    grind
  rw [svtGiven_smul N x z g c 0 fun _ => 1] at h
  grind

omit [LE A] [Std.IsLinearOrder A] in
theorem svtCost_succ (w e2 : A) (n : Nat) : svtCost (w + e2) e2 n = svtCost w e2 (n + 1) := by
  induction n with
  | zero => rfl
  | succ n ih =>
    simp only [svtCost] at *
    rw [ih]

/-- With the threshold noise shifted by `Δ` on the one side, the answers on `x` and on `x'` are
close. -/
theorem svtGiven_shift (x x' : D) (hx : nbr.rel x x') (z : V) (g : SvtAnalyst K nbr N.Δ) (c : Nat)
    (w : A) {f : List Bool → K} (hf : ∀ as, 0 ≤ f as) :
    X.exp w * svtGiven N x (z - N.Δ) g c f
      ≤ svtGiven N x' z g c fun as => X.exp (svtCost w N.e2 (tops as)) * f as := by
  induction g generalizing c w f with
  | stop => exact Std.le_refl _
  | coin R ρ next ih =>
    simp only [svtGiven]
    show _ * wsum _ _ ≤ wsum _ _
    rw [← wsum_smul]
    exact wsum_mono ρ.list ρ.nonneg _ _ fun r => ih r c w hf
  | ask q hq T next ih =>
    cases c with
    | zero => exact Std.le_refl _
    | succ c =>
      have s1 := hq x x' hx
      have s2 := hq x' x (nbr.symm _ _ hx)
      have i1 := ih true c (w + N.e2) (f := fun as => f (true :: as)) fun as => hf _
      have i2 := ih false (c + 1) w (f := fun as => f (false :: as)) fun as => hf _
      have n1 := svtGiven_nonneg N x (z - N.Δ) (next true) c (f := fun as => f (true :: as))
          fun as => hf _
      have n2 := svtGiven_nonneg N x (z - N.Δ) (next false) (c + 1) (f := fun as => f (false :: as))
        fun as => hf _
      simp only [svtCost_succ] at i1
      simp only [svtGiven, tops]
      have t1 : N.tail (T + (z - N.Δ) - q x) ≤ X.exp N.e2 * N.tail (T + z - q x') := by
        have a1 : N.tail (T + (z - N.Δ) - q x) ≤ N.tail (T + z - q x' - N.Δ - N.Δ) :=
          N.tail_antitone (by grind)
        have a2 := N.tail_ratio (T + z - q x')
        grind
      have t2 : N.tail (T + z - q x') ≤ N.tail (T + (z - N.Δ) - q x) := N.tail_antitone (by grind)
      have p1 := N.tail_nonneg (T + z - q x')
      have p2 := N.tail_le_one (T + (z - N.Δ) - q x)
      rw [X.exp_add] at i1
      have ew := X.exp_nonneg w
      generalize N.tail (T + (z - N.Δ) - q x) = r at *
      generalize N.tail (T + z - q x') = r' at *
      generalize svtGiven N x (z - N.Δ) (next true) c (fun as => f (true :: as)) = a at *
      generalize svtGiven N x (z - N.Δ) (next false) (c + 1) (fun as => f (false :: as)) = b at *
      generalize svtGiven N x' z (next true) c (fun as =>
        X.exp (svtCost w N.e2 (tops as + 1)) * f (true :: as)) = a' at *
      generalize svtGiven N x' z (next false) (c + 1) (fun as =>
        X.exp (svtCost w N.e2 (tops as)) * f (false :: as)) = b' at *
      have m1 := mul_le_right t1 (mul_nonneg' ew n1)
      have m2 := mul_le_left i1 p1
      have m3 := mul_le_right (by grind : 1 - r ≤ 1 - r') (mul_nonneg' ew n2)
      have m4 := mul_le_left i2 (by grind : 0 ≤ 1 - r')
      grind

/-- **Lemma 8** (Hartmann et al. 2022).  The Sparse Vector Technique, with queries and thresholds
chosen adaptively, is `(P, E, 0)`-ODP for the partition by the number `c'` of `⊤` and
`E(c') = ε_1 + (c'/c) ε_2`, for noise with the ratio properties of the Laplace laws `Lap(Δ/ε_1)` and
`Lap(2cΔ/ε_2)`. -/
theorem svt_is_odp (c : Nat) (g : SvtAnalyst K nbr N.Δ) :
    IsODP X nbr (svtLaw N c g) tops (svtCost N.ε1 N.e2) 0 := by
  refine ⟨trivial, fun x x' hx f hf => ?_⟩
  have adm := svtGiven_adm N x' g c (fun as => X.exp (svtCost N.ε1 N.e2 (tops as)) * f as) (0 : V)
  have adm' := svtGiven_adm N x g c f (0 : V)
  have e : ∀ y F, (fun z => svtGiven N y (z - 0) g c F) = fun z => svtGiven N y z g c F :=
      fun y F => by
    funext z
    have e2 : z - 0 = z := by grind
    rw [e2]
  rw [e] at adm adm'
  have h1 := N.rho_ratio _ adm' (svtGiven_adm N x g c f N.Δ) fun z =>
      svtGiven_nonneg N x z g c hf.nonneg
  rw [← N.rho.E_smul _ _ (svtGiven_adm N x g c f N.Δ)] at h1
  have h2 := N.rho.E_mono _ _ (N.tests.smul (X.exp N.ε1) (svtGiven_adm N x g c f N.Δ)) adm
    fun z => svtGiven_shift N x x' hx z g c N.ε1 hf.nonneg
  show N.rho.E (fun z => svtGiven N x z g c f)
    ≤ 0 + N.rho.E fun z => svtGiven N x' z g c fun as => X.exp (svtCost N.ε1 N.e2 (tops as)) * f as
  grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] [LT V] [Std.LawfulOrderLT V]
  [Lean.Grind.OrderedAdd V] in
/-- There are at most `c` times `⊤`. -/
theorem svtGiven_congr (x : D) (z : V) (g : SvtAnalyst K nbr N.Δ) (c : Nat) (f f' : List Bool → K)
    (h : ∀ as, tops as ≤ c → f as = f' as) : svtGiven N x z g c f = svtGiven N x z g c f' := by
  induction g generalizing c f f' with
  | stop => exact h _ (Nat.zero_le _)
  | coin R ρ next ih =>
    simp only [svtGiven]
    congr 1
    funext r
    exact ih r c f f' h
  | ask q hq T next ih =>
    cases c with
    | zero => exact h _ (Nat.zero_le _)
    | succ c =>
      simp only [svtGiven]
      rw [ih true c _ _ fun as ha => h (true :: as) (Nat.succ_le_succ ha),
        ih false (c + 1) _ _ fun as ha => h (false :: as) ha]

theorem svtCost_mono [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] (w e2 : A) (h : 0 ≤ e2)
    (n k : Nat) : svtCost w e2 n ≤
    svtCost w e2 (n + k) := by
  induction k with
  | zero => exact Std.le_refl _
  | succ k ih =>
    show _ ≤ svtCost w e2 (n + k) + e2
    grind

/-- **Sparse Vector is `(ε_1 + ε_2, 0)`-DP** (Lyu, Su, Li 2017, Theorem 1), as there are at most `c`
times `⊤`. -/
theorem svt_is_dp [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] (c : Nat)
    (g : SvtAnalyst K nbr N.Δ) (h2 : 0 ≤ N.e2) :
    IsDP X nbr (svtLaw N c g) (svtCost N.ε1 N.e2 c) 0 := by
  intro x x' hx f hf
  have h := (svt_is_odp N c g).bound x x' hx f hf
  have e : (svtLaw N c g x').E (fun as => X.exp (svtCost N.ε1 N.e2 (tops as)) * f as)
      = (svtLaw N c g x').E fun as => X.exp (svtCost N.ε1 N.e2 (min (tops as) c)) * f as := by
    show N.rho.E _ = N.rho.E _
    congr 1
    funext z
    apply svtGiven_congr
    intro as ha
    rw [Nat.min_eq_left ha]
  rw [e] at h
  have h3 := (svtLaw N c g x').E_mono (fun as => X.exp (svtCost N.ε1 N.e2 (min (tops as) c)) * f as)
    (fun as => X.exp (svtCost N.ε1 N.e2 c) * f as) trivial trivial fun as => by
      have h4 := svtCost_mono N.ε1 N.e2 h2 (min (tops as) c) (c - min (tops as) c)
      have e4 : min (tops as) c + (c - min (tops as) c) = c := by omega
      rw [e4] at h4
      exact mul_le_right (X.exp_mono _ _ h4) (hf.nonneg as)
  rw [(svtLaw N c g x').E_smul _ f trivial] at h3
  grind

end PrivRef
