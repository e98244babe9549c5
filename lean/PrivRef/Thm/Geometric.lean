module

public import PrivRef.Spec.Geometric
public import PrivRef.Thm.Certificate
public import PrivRef.Thm.Svt

/-!
Geometric noise on the integers: its ratio property, the mechanism that adds it, and Sparse Vector
with it.
-/

@[expose] public noncomputable section

namespace PrivRef

universe a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

section Ratio

variable (hK : Complete K) (β : K) (h0 : 0 < β) (h1 : β < 1)

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem IsBounded.shift {F : Int → K} (hF : IsBounded F) (s : Int) : IsBounded fun z => F (z - s) :=
  hF.elim fun C h => ⟨C, h.1, fun z => h.2 (z - s)⟩

theorem geometric_sum_succ (F : Int → K) (n : Nat) : (geometric hK β h0 h1).sum F (n + 1)
    = (geometric hK β h0 h1).sum F n + (geometricWeight β n * F (Int.ofNat n)
      + (geometricWeight β (n + 1) * F (Int.negSucc n) + 0)) := rfl

theorem geometric_sums_shift (F : Int → K) (hF : ∀ z, 0 ≤ F z) (n : Nat) :
    β * (geometric hK β h0 h1).sum F n + geometricWeight β n * F (Int.negSucc n)
      ≤ (geometric hK β h0 h1).sum (fun z => F (z - 1)) n
        + geometricWeight β n * F (Int.ofNat n - 1) := by
  induction n with
  | zero =>
    have e : (Int.ofNat 0 - 1) = Int.negSucc 0 := rfl
    rw [e]
    show β * 0 + _ ≤ 0 + _
    grind
  | succ n ih =>
    have e1 : Int.ofNat (n + 1) - 1 = Int.ofNat n := by
      show ((n : Int) + 1) - 1 = n
      omega
    have e2 : Int.negSucc n - 1 = Int.negSucc (n + 1) := by omega
    rw [geometric_sum_succ, geometric_sum_succ]
    simp only [e1, e2]
    rw [geometricWeight_succ]
    have p := geometricWeight_nonneg h0 h1 n
    have a := mul_nonneg' p (hF (Int.negSucc n))
    have b : 0 ≤ (1 - β * β) * (geometricWeight β n * F (Int.negSucc n)) := by
      have c := mul_nonneg' (by grind : 0 ≤ 1 - β) (by grind : 0 ≤ 1 + β)
      exact mul_nonneg' (by grind) a
    grind

theorem geometric_ratio_one (F : Int → K) (hb : IsBounded F) (hF : ∀ z, 0 ≤ F z) :
    β * (geometric hK β h0 h1).E F ≤ (geometric hK β h0 h1).E fun z => F (z - 1) := by
  have hs := hb.shift 1
  refine Tends.mono (((geometric hK β h0 h1).tends hK hb).smul β)
    (Tends.const _) fun n => ?_
  have a := geometric_sums_shift hK β h0 h1 F hF n
  have b := (geometric hK β h0 h1).sum_le_E hK hs (fun z => hF _) (n + 1)
  rw [geometric_sum_succ] at b
  have c := mul_nonneg' (geometricWeight_nonneg h0 h1 n) (hF (Int.negSucc n))
  have d := mul_nonneg' (geometricWeight_nonneg h0 h1 (n + 1)) (hF (Int.negSucc n - 1))
  clear hb hF hs
  grind

/-- `β^k E F(ρ) ≤ E F(ρ - k)`. -/
theorem geometric_ratio (k : Nat) (F : Int → K) (hb : IsBounded F) (hF : ∀ z, 0 ≤ F z) :
    pow β k * (geometric hK β h0 h1).E F ≤ (geometric hK β h0 h1).E fun z => F (z - k) := by
  induction k with
  | zero =>
    have e : (fun z : Int => F (z - (0 : Nat))) = F := by
      funext z
      congr 1
      omega
    rw [e]
    show 1 * _ ≤ _
    clear hb hF e
    grind
  | succ k ih =>
    have h := geometric_ratio_one hK β h0 h1 _ (hb.shift k) fun z => hF _
    have e : (fun z : Int => F (z - 1 - k)) = fun z => F (z - (k + 1 : Nat)) := by
      funext z
      congr 1
      omega
    rw [e] at h
    have h2 := mul_le_left ih (by grind : 0 ≤ β)
    show β * pow β k * _ ≤ _
    grind

theorem geometric_sums_shift_back (F : Int → K) (hF : ∀ z, 0 ≤ F z) (n : Nat) :
    β * (geometric hK β h0 h1).sum F n + β * geometricWeight β n * F (Int.ofNat n)
      ≤ (geometric hK β h0 h1).sum (fun z => F (z + 1)) n
        + geometricWeight β (n + 1) * F (Int.negSucc n + 1) := by
  induction n with
  | zero =>
    have e : (Int.negSucc 0 + 1) = Int.ofNat 0 := rfl
    rw [e, geometricWeight_succ]
    show β * 0 + _ ≤ 0 + _
    grind
  | succ n ih =>
    have e1 : Int.ofNat n + 1 = Int.ofNat (n + 1) := rfl
    have e2 : Int.negSucc (n + 1) + 1 = Int.negSucc n := by omega
    rw [geometric_sum_succ, geometric_sum_succ]
    simp only [e1, e2]
    rw [geometricWeight_succ β (n + 1), geometricWeight_succ] at *
    have p := geometricWeight_nonneg h0 h1 n
    have a := mul_nonneg' p (hF (Int.ofNat (n + 1)))
    have b : 0 ≤ (1 - β * β) * (geometricWeight β n * F (Int.ofNat (n + 1))) := by
      have c := mul_nonneg' (by grind : 0 ≤ 1 - β) (by grind : 0 ≤ 1 + β)
      exact mul_nonneg' (by grind) a
    grind

theorem geometric_ratio_back_one (F : Int → K) (hb : IsBounded F) (hF : ∀ z, 0 ≤ F z) :
    β * (geometric hK β h0 h1).E F ≤ (geometric hK β h0 h1).E fun z => F (z + 1) := by
  have hs : IsBounded fun z => F (z + 1) := hb.elim fun C h => ⟨C, h.1, fun z => h.2 (z + 1)⟩
  refine Tends.mono (((geometric hK β h0 h1).tends hK hb).smul β)
    (Tends.const _) fun n => ?_
  have a := geometric_sums_shift_back hK β h0 h1 F hF n
  have b := (geometric hK β h0 h1).sum_le_E hK hs (fun z => hF _) (n + 1)
  rw [geometric_sum_succ] at b
  have c := mul_nonneg' (geometricWeight_nonneg h0 h1 n) (hF (Int.ofNat n + 1))
  have d := mul_nonneg' (by grind : 0 ≤ β) (mul_nonneg' (geometricWeight_nonneg h0 h1 n)
    (hF (Int.ofNat n)))
  clear hb hF hs
  grind

/-- `β^k E F(ρ) ≤ E F(ρ + k)`. -/
theorem geometric_ratio_back (k : Nat) (F : Int → K) (hb : IsBounded F) (hF : ∀ z, 0 ≤ F z) :
    pow β k * (geometric hK β h0 h1).E F ≤ (geometric hK β h0 h1).E fun z => F (z + k) := by
  induction k with
  | zero =>
    have e : (fun z : Int => F (z + (0 : Nat))) = F := by
      funext z
      congr 1
      omega
    rw [e]
    show 1 * _ ≤ _
    clear hb hF e
    grind
  | succ k ih =>
    have hs : IsBounded fun z => F (z + k) := hb.elim fun C h => ⟨C, h.1, fun z => h.2 (z + k)⟩
    have h := geometric_ratio_back_one hK β h0 h1 _ hs fun z => hF _
    have e : (fun z : Int => F (z + 1 + k)) = fun z => F (z + (k + 1 : Nat)) := by
      funext z
      congr 1
      omega
    rw [e] at h
    have h2 := mul_le_left ih (by grind : 0 ≤ β)
    show β * pow β k * _ ≤ _
    grind

include h0 h1 in
theorem pow_antitone (n k : Nat) : pow β (n + k) ≤ pow β n := by
  induction k with
  | zero => exact Std.le_refl _
  | succ k ih =>
    have h := mul_nonneg' (by grind : 0 ≤ 1 - β) (pow_nonneg (by grind : 0 ≤ β) (n + k))
    show β * pow β (n + k) ≤ _
    grind

/-- Over any distance up to `Δ` the law of the noise changes by a factor of at most `β^{-Δ}`. -/
theorem geometric_ratio_within (Δ : Nat) (d : Int) (hd : d ≤ Δ) (hd' : -d ≤ Δ) (F : Int → K)
    (hb : IsBounded F) (hF : ∀ z, 0 ≤ F z) :
    pow β Δ * (geometric hK β h0 h1).E F ≤ (geometric hK β h0 h1).E fun z => F (z - d) := by
  have hE := (geometric hK β h0 h1).sum_le_E hK hb hF 0
  have hE0 : (geometric hK β h0 h1).sum F 0 = 0 := rfl
  rw [hE0] at hE
  have lower : ∀ k : Nat, k ≤ Δ → pow β Δ * (geometric hK β h0 h1).E F
      ≤ pow β k * (geometric hK β h0 h1).E F := fun k hk => by
    have h := pow_antitone β h0 h1 k (Δ - k)
    have e : k + (Δ - k) = Δ := by omega
    rw [e] at h
    exact mul_le_right h hE
  cases d with
  | ofNat k =>
    have hk : (k : Int) ≤ Δ := hd
    exact Std.le_trans (lower k (by omega)) (geometric_ratio hK β h0 h1 k F hb hF)
  | negSucc k =>
    have h := geometric_ratio_back hK β h0 h1 (k + 1) F hb hF
    have e : (fun z : Int => F (z + (k + 1 : Nat))) = fun z => F (z - Int.negSucc k) := by
      funext z
      congr 1
    rw [e] at h
    exact Std.le_trans (lower (k + 1) (by omega)) h

omit [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem Tends.later {s : Nat → K} {l : K} (h : Tends s l) (k : Nat) : Tends (fun m => s (k + m))
    l :=
  fun ε hε => (h ε hε).elim fun N hN => ⟨N, fun n hn => hN (k + n) (by omega)⟩

theorem isBounded_of_ind (S : Int → Prop) : IsBounded fun z => (ind (S z) : K) :=
    ⟨1, by grind, fun z => by
  have h : (0 : K) ≤ ind (S z) := ind_nonneg _
  have h' : (ind (S z) : K) ≤ 1 := ind_le_one _
  constructor <;> grind⟩

theorem geometric_limit (f : Int → K) (hf : IsBounded f) (k : Nat) (c : K)
    (h : ∀ m, (geometric hK β h0 h1).sum f (k + m) = c * (1 - pow β m)) :
    (geometric hK β h0 h1).E f = c := by
  have a := ((geometric hK β h0 h1).tends hK hf).later k
  have b := ((Tends.const (1 : K)).add ((pow_tends hK h0 h1).smul (-1))).smul c
  have e : (fun n => c * (1 + -1 * pow β n)) = fun m => (geometric hK β h0 h1).sum f (k + m) := by
    funext m
    rw [h]
    grind
  rw [e] at b
  have := a.unique b
  clear hf h a b e
  grind

/-- `Pr(z ≥ k) = β^k / (1 + β)`. -/
theorem geometric_tail (k : Nat) :
    (geometric hK β h0 h1).E (fun z => ind ((k : Int) ≤ z)) = pow β k / (1 + β) := by
  have hi : (1 + β) * (1 + β)⁻¹ = 1 := Lean.Grind.Field.mul_inv_cancel (by grind)
  have neg : ∀ n, (ind ((k : Int) ≤ Int.negSucc n) : K) = 0 := fun n => ind_false (by omega)
  have zero : ∀ n, n ≤ k → (geometric hK β h0 h1).sum (fun z => ind ((k : Int) ≤ z)) n = 0 := by
    intro n hn
    induction n with
    | zero => rfl
    | succ n ih =>
      have e : (ind ((k : Int) ≤ Int.ofNat n) : K) = 0 := ind_false fun h => by
        have h' : (k : Int) ≤ n := h
        omega
      rw [geometric_sum_succ, ih (by omega), neg, e]
      grind
  refine geometric_limit hK β h0 h1 _ (isBounded_of_ind _) k _ fun m => ?_
  induction m with
  | zero =>
    rw [Nat.add_zero, zero k (by omega)]
    show 0 = _ * (1 - 1)
    grind
  | succ m ih =>
    have e : (ind ((k : Int) ≤ Int.ofNat (k + m)) : K) = 1 := ind_true (by
      show (k : Int) ≤ ((k + m : Nat) : Int)
      omega)
    have e2 : pow β (k + m) = pow β k * pow β m := by
      clear ih e
      induction m with
      | zero => show pow β k = pow β k * 1; grind
      | succ m ih => show β * pow β (k + m) = pow β k * (β * pow β m); grind
    show (geometric hK β h0 h1).sum _ (k + m + 1) = _
    rw [geometric_sum_succ, ih, neg, e, geometricWeight, e2]
    simp only [Lean.Grind.Field.div_eq_mul_inv]
    show _ = pow β k * (1 + β)⁻¹ * (1 - β * pow β m)
    grind

/-- `Pr(z < -k) = β^{k+1} / (1 + β)`. -/
theorem geometric_lower_tail (k : Nat) :
    (geometric hK β h0 h1).E (fun z => ind (z ≤ Int.negSucc k)) = pow β (k + 1) / (1 + β) := by
  have hi : (1 + β) * (1 + β)⁻¹ = 1 := Lean.Grind.Field.mul_inv_cancel (by grind)
  have pos : ∀ n, (ind (Int.ofNat n ≤ Int.negSucc k) : K) = 0 := fun n => ind_false fun h => by
    have h' : (n : Int) ≤ Int.negSucc k := h
    omega
  have zero : ∀ n, n ≤ k → (geometric hK β h0 h1).sum (fun z => ind (z ≤ Int.negSucc k)) n = 0 := by
    intro n hn
    induction n with
    | zero => rfl
    | succ n ih =>
      have e : (ind (Int.negSucc n ≤ Int.negSucc k) : K) = 0 := ind_false fun h => by omega
      rw [geometric_sum_succ, ih (by omega), pos, e]
      grind
  refine geometric_limit hK β h0 h1 _ (isBounded_of_ind _) k _ fun m => ?_
  induction m with
  | zero =>
    rw [Nat.add_zero, zero k (by omega)]
    show 0 = _ * (1 - 1)
    grind
  | succ m ih =>
    have e : (ind (Int.negSucc (k + m) ≤ Int.negSucc k) : K) = 1 := ind_true (by omega)
    have e2 : pow β (k + m) = pow β k * pow β m := by
      clear ih e
      induction m with
      | zero => show pow β k = pow β k * 1; grind
      | succ m ih => show β * pow β (k + m) = pow β k * (β * pow β m); grind
    show (geometric hK β h0 h1).sum _ (k + m + 1) = _
    rw [geometric_sum_succ, ih, pos, e, geometricWeight_succ, geometricWeight, e2]
    simp only [Lean.Grind.Field.div_eq_mul_inv]
    show _ = β * pow β k * (1 + β)⁻¹ * (1 - β * pow β m)
    show β * pow β k * (1 + β)⁻¹ * (1 - pow β m) + _ = _
    grind

/-- `Pr(z ≥ -k) = 1 - β^{k+1} / (1 + β)`. -/
theorem geometric_tail_of_neg (k : Nat) :
    (geometric hK β h0 h1).E (fun z => ind (-(k : Int) ≤ z)) = 1 - pow β (k + 1) / (1 + β) := by
  have e : (fun z => (ind (-(k : Int) ≤ z) : K)) = fun z => 1 + -1 * ind (z ≤ Int.negSucc k) := by
    funext z
    by_cases h : z ≤ Int.negSucc k
    · rw [ind_true h, ind_false (by omega)]; grind
    · rw [ind_false h, ind_true (by omega)]; grind
  have hb := isBounded_of_ind (K := K) fun z => z ≤ Int.negSucc k
  have h := ((geometric hK β h0 h1).toLaw hK).E_add (fun _ => 1)
    (fun z => -1 * ind (z ≤ Int.negSucc k)) ((Tests.bounded K Int).const 1)
    ((Tests.bounded K Int).smul (-1) hb)
  rw [((geometric hK β h0 h1).toLaw hK).E_smul (-1) _ hb,
    ((geometric hK β h0 h1).toLaw hK).E_one] at h
  have t := geometric_lower_tail hK β h0 h1 k
  rw [e]
  show ((geometric hK β h0 h1).toLaw hK).E _ = _
  rw [h]
  show 1 + -1 * (geometric hK β h0 h1).E _ = _
  rw [t]
  grind

end Ratio

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem mul_cancel {a b : K} (h : a * b = 1) (x : K) : a * (b * x) = x := by
  have e : a * (b * x) = a * b * x := by grind
  rw [e, h]
  grind

/-- **The geometric mechanism is `(ε, 0)`-DP** (Ghosh, Roughgarden, Sundararajan 2009): an integer
query of sensitivity `Δ` with geometric noise, where `β^Δ = e^{-ε}`. -/
theorem geometric_mechanism_is_dp {D : Type} (hK : Complete K) (X : ExpLike A K)
    (nbr : Neighbours D)
    (β : K) (h0 : 0 < β) (h1 : β < 1) (q : D → Int) (Δ : Nat) (ε : A) (hε : X.exp ε * pow β Δ = 1)
    (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) :
    IsDP X nbr (geometricMechanism hK β h0 h1 q) ε 0 := by
  intro x x' hx f hf
  have hb : IsBounded fun z => f (q x + z) := hf.adm.elim fun C h => ⟨C, h.1, fun z => h.2 _⟩
  have h := geometric_ratio_within hK β h0 h1 Δ (q x - q x') (hq x x' hx)
    (by have := hq x' x (nbr.symm _ _ hx); omega) (fun z => f (q x + z)) hb fun z => hf.nonneg _
  have e : (fun z => f (q x + (z - (q x - q x')))) = fun z => f (q x' + z) := by
    funext z
    congr 1
    omega
  rw [e] at h
  have h2 := mul_le_left h (X.exp_nonneg ε)
  rw [mul_cancel hε] at h2
  show (geometric hK β h0 h1).E (fun z => f (q x + z))
    ≤ 0 + X.exp ε * (geometric hK β h0 h1).E fun z => f (q x' + z)
  clear hε hq hx hf hb h e
  grind

/-- Geometric noise for Sparse Vector on the integers, for any sensitivity `Δ`: the ratio property
of `ρ` over the distance `Δ` is `e^{ε_1}` where `β_1^Δ = e^{-ε_1}`, and that of `ν` over `2Δ` is
`e^{ε_2/c}` where `β_2^{2Δ} = e^{-ε_2/c}`. -/
def geometricNoise (hK : Complete K) (X : ExpLike A K) (Δ : Nat) (ε1 e2 : A) (β1 β2 : K)
    (p1 : 0 < β1) (q1 : β1 < 1) (p2 : 0 < β2) (q2 : β2 < 1) (h1 : X.exp ε1 * pow β1 Δ = 1)
    (h2 : X.exp e2 * pow β2 (Δ + Δ) = 1) : SvtNoise X Int where
  tests := Tests.bounded K Int
  rho := (geometric hK β1 p1 q1).toLaw hK
  nu := (geometric hK β2 p2 q2).toLaw hK
  Δ := Δ
  ε1 := ε1
  e2 := e2
  rays _ := ⟨1, by clear hK p1 q1 p2 q2 h1 h2; grind, fun _ => by
    have h := ind_nonneg (K := K)
    have h' := ind_le_one (K := K)
    constructor <;> (clear hK p1 q1 p2 q2 h1 h2; grind)⟩
  tails t := ⟨1, by clear hK p1 q1 p2 q2 h1 h2; grind, fun z => by
    have r : IsBounded fun y : Int => (ind (t + z ≤ y) : K) := ⟨1, by grind, fun y => by
      have h : (0 : K) ≤ ind (t + z ≤ y) := ind_nonneg _
      have h' : (ind (t + z ≤ y) : K) ≤ 1 := ind_le_one _
      constructor <;> (clear hK p1 q1 p2 q2 h1 h2; grind)⟩
    have a := ((geometric hK β2 p2 q2).toLaw hK).E_mono _ (fun _ => 1) r
      ((Tests.bounded K Int).const 1) fun y => ind_le_one _
    have b := ((geometric hK β2 p2 q2).toLaw hK).E_mono (fun _ => 0 * 1) _
      ((Tests.bounded K Int).const _) r fun y => by
        have h : (0 : K) ≤ ind (t + z ≤ y) := ind_nonneg _
        clear hK p1 q1 p2 q2 h1 h2 r a
        grind
    rw [((geometric hK β2 p2 q2).toLaw hK).E_smul 0 _ ((Tests.bounded K Int).const 1)] at b
    rw [((geometric hK β2 p2 q2).toLaw hK).E_one] at a
    constructor <;> (clear p1 q1 h1 h2 r; grind)⟩
  rho_ratio F hb _ hF := by
    have h := mul_le_left (geometric_ratio hK β1 p1 q1 Δ F hb hF) (X.exp_nonneg ε1)
    rw [mul_cancel h1] at h
    exact h
  nu_ratio F hb _ hF := by
    have h := mul_le_left (geometric_ratio hK β2 p2 q2 (Δ + Δ) F hb hF) (X.exp_nonneg e2)
    have e : (fun z : Int => F (z - (Δ + Δ : Nat))) = fun z => F (z - Δ - Δ) := by
      funext z
      congr 1
      omega
    rw [e, mul_cancel h2] at h
    exact h

/-! ### Why the noise has infinitely many values -/

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem wsum_of_mem {O : Type} (l : List (O × K)) (f g : O → K) (h : ∀ q ∈ l, f q.1 = g q.1) :
    wsum l f = wsum l g := by
  induction l with
  | nil => rfl
  | cons q l ih =>
    simp only [wsum]
    rw [h q List.mem_cons_self, ih fun r hr => h r (List.mem_cons_of_mem _ hr)]

omit [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem exists_range (l : List (Int × K)) : ∃ B : Nat, ∀ q ∈ l, -(B : Int) ≤ q.1 ∧ q.1 < B := by
  induction l with
  | nil => exact ⟨0, fun q hq => absurd hq (by simp)⟩
  | cons q l ih =>
    obtain ⟨B, hB⟩ := ih
    refine ⟨B + q.1.natAbs + 1, fun r hr => ?_⟩
    rcases List.mem_cons.mp hr with hr | hr
    · subst hr
      constructor <;> omega
    · have := hB r hr
      constructor <;> omega

/-- **No law with finitely many values has the ratio property** of the noise of Sparse Vector, with
any ratio, where the sensitivity is positive. -/
theorem no_finite_law_has_the_ratio_property (μ : FinLaw K Int) (Δ : Nat) (hΔ : 0 < Δ) (r : K) :
    ¬ ∀ F : Int → K, (∀ z, 0 ≤ F z) → μ.E F ≤ r * μ.E fun z => F (z - Δ) := by
  intro h
  obtain ⟨B, hB⟩ := exists_range μ.list
  have zero : ∀ k : Nat, μ.E (fun z => ind ((B : Int) - (k * Δ : Nat) ≤ z)) = 0 := fun k => by
    induction k with
    | zero =>
      have e := wsum_of_mem μ.list (fun z => (ind ((B : Int) - (0 * Δ : Nat) ≤ z) : K))
          (fun _ => 0 * 1)
        fun q hq => by
          have := hB q hq
          show (ind ((B : Int) - (0 * Δ : Nat) ≤ q.1) : K) = 0 * 1
          rw [ind_false (by rw [Nat.zero_mul]; omega)]
          clear hΔ h hB hq
          grind
      show wsum μ.list _ = 0
      rw [e, wsum_smul]
      clear hΔ h hB e
      grind
    | succ k ih =>
      have h1 := h (fun z => ind ((B : Int) - ((k + 1) * Δ : Nat) ≤ z)) fun _ => ind_nonneg _
      have e : (fun z : Int => (ind ((B : Int) - ((k + 1) * Δ : Nat) ≤ z - Δ) : K))
          = fun z => ind ((B : Int) - (k * Δ : Nat) ≤ z) := by
        funext z
        congr 1
        apply propext
        rw [Nat.succ_mul]
        constructor <;> intro <;> omega
      rw [e, ih] at h1
      have h2 := wsum_nonneg μ.list μ.nonneg (fun z => ind ((B : Int) - ((k + 1) * Δ : Nat) ≤ z))
        fun _ => ind_nonneg _
      have h3 : 0 ≤ μ.E fun z => ind ((B : Int) - ((k + 1) * Δ : Nat) ≤ z) := h2
      clear hΔ h hB ih e h2
      grind
  have h1 := zero (B + B)
  have h2 : B + B ≤ (B + B) * Δ := Nat.le_mul_of_pos_right _ hΔ
  have e := wsum_of_mem μ.list (fun z => (ind ((B : Int) - ((B + B) * Δ : Nat) ≤ z) : K))
      (fun _ => 1)
    fun q hq => by
      have := hB q hq
      exact ind_true (by omega)
  have h3 : μ.E (fun z => ind ((B : Int) - ((B + B) * Δ : Nat) ≤ z)) = 1 := e.trans μ.total
  rw [h1] at h3
  exact absurd h3 (by clear hΔ h hB zero h1 h2 e; grind)

/-! ### With the parameters of the paper -/

open Numerics (ExpField)

theorem natK_pos {n : Nat} (h : 0 < n) : 0 < (natK n : K) := by
  cases n with
  | zero => exact absurd h (by omega)
  | succ n =>
    have : 0 ≤ (natK n : K) := by
      induction n with
      | zero => exact Std.le_refl _
      | succ n ih =>
        have := ih (by omega)
        show 0 ≤ natK n + 1
        grind
    show 0 < natK n + 1
    grind

theorem exp_pow (F : ExpField) (a : F.K) (n : Nat) : pow (F.exp a) n = F.exp (natK n * a) := by
  induction n with
  | zero =>
    have e : (natK 0 : F.K) * a = 0 := by
      show 0 * a = 0
      grind
    rw [e, Numerics.exp_zero]
    rfl
  | succ n ih =>
    show F.exp a * pow (F.exp a) n = F.exp ((natK n + 1) * a)
    rw [ih, ← F.exp_add]
    congr 1
    grind

theorem exp_neg_lt_one (F : ExpField) {a : F.K} (h : 0 < a) : F.exp (-a) < 1 := by
  have h1 := F.one_add_le_exp a
  have h2 := Numerics.exp_mul_neg F a
  have h3 := Numerics.exp_pos F (-a)
  apply Classical.byContradiction
  intro hn
  have h4 := mul_le_mul' (by grind : 1 + a ≤ F.exp a) (by grind : 1 ≤ F.exp (-a)) (by grind)
      (by clear h2 h3 hn; grind)
  clear h1 h3 hn
  grind

theorem exp_mul_pow (F : ExpField) (x : F.K) (n : Nat) (h : 0 < n) :
    (expFieldLike F).exp x * pow (F.exp (-(x / natK n))) n = 1 := by
  have hn : (natK n : F.K) * (natK n)⁻¹ = 1 :=
    Lean.Grind.Field.mul_inv_cancel (by have := natK_pos (K := F.K) h; grind)
  rw [exp_pow]
  show F.exp x * _ = 1
  rw [← F.exp_add, Lean.Grind.Field.div_eq_mul_inv, ← Numerics.exp_zero F]
  congr 1
  generalize (natK n : F.K)⁻¹ = i at *
  have e : x + natK n * -(x * i) = x * (1 - natK n * i) := by grind
  rw [e, hn]
  clear h hn e
  grind

theorem div_natK_pos {x : K} (hx : 0 < x) {n : Nat} (h : 0 < n) : 0 < x / natK n := by
  have hi : 0 < (natK n : K)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (natK_pos h)
  rw [Lean.Grind.Field.div_eq_mul_inv]
  exact Lean.Grind.OrderedRing.mul_pos hx hi

/-- The discrete Laplace laws on the integers with the scales of Alg. 2: `Δ/ε_1` for the thresholds
and `2cΔ/ε_2` for the query results, `Pr(z)` being proportional to `e^{-|z|/scale}`. -/
def discreteLaplaceNoise (F : ExpField) (hK : Complete F.K) (Δ c : Nat) (hΔ : 0 < Δ) (hc : 0 < c)
    (ε1 ε2 : F.K) (h1 : 0 < ε1) (h2 : 0 < ε2) : SvtNoise (expFieldLike F) Int :=
  geometricNoise hK (expFieldLike F) Δ ε1 (ε2 / natK c) (F.exp (-(ε1 / natK Δ)))
    (F.exp (-(ε2 / natK c / natK (Δ + Δ)))) (Numerics.exp_pos F _)
    (exp_neg_lt_one F (div_natK_pos h1 hΔ)) (Numerics.exp_pos F _)
    (exp_neg_lt_one F (div_natK_pos (div_natK_pos h2 hc) (by omega)))
    (exp_mul_pow F ε1 Δ hΔ) (exp_mul_pow F (ε2 / natK c) (Δ + Δ) (by omega))

theorem svtCost_eq {F : ExpField} (c : Nat) (ε1 ε2 : F.K) (n : Nat) :
    svtCost ε1 (ε2 / natK c) n = ε1 + natK n / natK c * ε2 := by
  simp only [Lean.Grind.Field.div_eq_mul_inv]
  generalize (natK c : F.K)⁻¹ = i
  induction n with
  | zero =>
    show ε1 = ε1 + 0 * i * ε2
    grind
  | succ n ih =>
    show svtCost ε1 (ε2 * i) n + ε2 * i = ε1 + (natK n + 1) * i * ε2
    rw [ih]
    grind

/-- **Lemma 8** (Hartmann et al. 2022) with the noise of Alg. 2, on the integers: with discrete
Laplace noise of scale `Δ/ε_1` on the thresholds and `2cΔ/ε_2` on the results of integer queries of
sensitivity `Δ`, answers with `c'` times `⊤` cost `ε_1 + (c'/c) ε_2`, and the whole is
`(ε_1 + ε_2, 0)`-DP. -/
theorem svt_with_discrete_laplace_noise_is_odp (F : ExpField) (hK : Complete F.K) (Δ c : Nat)
    (hΔ : 0 < Δ) (hc : 0 < c) (ε1 ε2 : F.K) (h1 : 0 < ε1) (h2 : 0 < ε2) {D : Type}
    (nbr : Neighbours D) (g : SvtAnalyst F.K nbr (Δ : Int)) :
    IsODP (expFieldLike F) nbr (svtLaw (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2) c g) tops
        (fun c' => ε1 + natK c' / natK c * ε2) 0 ∧
    IsDP (expFieldLike F) nbr (svtLaw (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2) c g)
        (ε1 + ε2) 0 := by
  have e : svtCost ε1 (ε2 / natK c) = fun c' => ε1 + natK c' / natK c * ε2 :=
    funext fun n => svtCost_eq c ε1 ε2 n
  have hn : (natK c : F.K) * (natK c)⁻¹ = 1 :=
    Lean.Grind.Field.mul_inv_cancel (by have := natK_pos (K := F.K) hc; grind)
  have e2 : svtCost ε1 (ε2 / natK c) c = ε1 + ε2 := by
    rw [svtCost_eq, Lean.Grind.Field.div_eq_mul_inv, hn]
    clear hK hΔ hc h1 h2 e hn
    grind
  have a := svt_is_odp (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2) (nbr := nbr) c g
  have b := svt_is_dp (discreteLaplaceNoise F hK Δ c hΔ hc ε1 ε2 h1 h2) (nbr := nbr) c g
    (by have := div_natK_pos h2 hc; show 0 ≤ ε2 / natK c; clear hK hΔ hc h1 h2 e hn e2 a; grind)
  refine ⟨?_, ?_⟩
  · rw [← e]
    exact a
  · rw [← e2]
    exact b

end PrivRef
