module

public import PrivRef.Spec.Field

/-!
The real numbers, as Cauchy sequences of rationals up to null sequences, so that the theorems about
exponential fields have an example.  The published numbers of the Census and of gradient descent are
stated over them.
-/

@[expose] public noncomputable section

namespace PrivRef.Reals

/-- A sequence that tends to `0`. -/
def Null (f : Nat → Rat) : Prop := ∀ ε, 0 < ε → ∃ N, ∀ n, N ≤ n → -ε ≤ f n ∧ f n ≤ ε

theorem product_within {f g e B : Rat} (hf : -e ≤ f ∧ f ≤ e) (hg : -B ≤ g ∧ g ≤ B) :
    -(e * B) ≤ f * g ∧ f * g ≤ e * B := by
  have h1 := mul_nonneg' (by grind : 0 ≤ e - f) (by grind : 0 ≤ B + g)
  have h2 := mul_nonneg' (by grind : 0 ≤ e + f) (by grind : 0 ≤ B - g)
  have h3 := mul_nonneg' (by clear hg h1 h2; grind : 0 ≤ e - f) (by grind : 0 ≤ B - g)
  have h4 := mul_nonneg' (by clear hg h1 h2 h3; grind : 0 ≤ e + f) (by grind : 0 ≤ B + g)
  constructor <;> grind

theorem rat_inv_pos {x : Rat} (h : 0 < x) : 0 < x⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr h

theorem rat_mul_pos {x y : Rat} (hx : 0 < x) (hy : 0 < y) : 0 < x * y :=
  Lean.Grind.OrderedRing.mul_pos hx hy

/-- `f` is null if it is at most a constant times a null sequence, from some place on. -/
theorem Null.of_within {e f : Nat → Rat} {C : Rat} (hC : 0 < C) (he : Null e) (N₀ : Nat)
    (h : ∀ n, N₀ ≤ n → -(C * e n) ≤ f n ∧ f n ≤ C * e n) : Null f := fun ε hε => by
  have hi := rat_inv_pos hC
  obtain ⟨N, hN⟩ := he (ε * C⁻¹) (rat_mul_pos hε hi)
  refine ⟨N + N₀, fun n hn => ?_⟩
  have h1 := hN n (by omega)
  have h2 := h n (by omega)
  have h3 := mul_le_left h1.2 (by clear he h hε hi hN hn h1 h2; grind : 0 ≤ C)
  have h4 : C * (ε * C⁻¹) = ε := by clear he h hε hi hN hn h1 h2 h3; grind
  rw [h4] at h3
  constructor <;> (clear hC he h hε hi hN hn h1 h4; grind)

theorem Null.add {f g : Nat → Rat} (hf : Null f) (hg : Null g) : Null fun n => f n + g n :=
  fun ε hε => by
    obtain ⟨N, hN⟩ := hf (ε / 2) (by grind)
    obtain ⟨N', hN'⟩ := hg (ε / 2) (by clear hf hg hN; grind)
    refine ⟨N + N', fun n hn => ?_⟩
    have h1 := hN n (by omega)
    have h2 := hN' n (by omega)
    constructor <;> (clear hf hg hε hN hN' hn; grind)

theorem Null.neg {f : Nat → Rat} (hf : Null f) : Null fun n => -f n := fun ε hε => by
  obtain ⟨N, hN⟩ := hf ε hε
  refine ⟨N, fun n hn => ?_⟩
  have h1 := hN n hn
  constructor <;> (clear hf hε hN hn; grind)

theorem Null.mul {f g : Nat → Rat} {B : Rat} (hB : 0 < B) (hf : Null f)
    (hg : ∀ n, -B ≤ g n ∧ g n ≤ B) : Null fun n => f n * g n := fun ε hε => by
  have hi := rat_inv_pos hB
  obtain ⟨N, hN⟩ := hf (ε * B⁻¹) (rat_mul_pos hε hi)
  refine ⟨N, fun n hn => ?_⟩
  have h1 := product_within (hN n hn) (hg n)
  have h4 : ε * B⁻¹ * B = ε := by clear hf hg hε hi hN hn h1; grind
  rw [h4] at h1
  exact h1

theorem Null.zero : Null fun _ => 0 := fun ε hε => ⟨0, fun _ _ => by constructor <;> grind⟩

/-- A Cauchy sequence of rationals. -/
structure CauchySeq where
  seq : Nat → Rat
  cauchy : ∀ ε, 0 < ε → ∃ N, ∀ m, N ≤ m → ∀ n, N ≤ n → seq m - seq n ≤ ε

theorem CauchySeq.bounded (x : CauchySeq) : ∃ B, 0 < B ∧ ∀ n, -B ≤ x.seq n ∧ x.seq n ≤ B := by
  have start : ∀ k, ∃ B, 0 < B ∧ ∀ n, n < k → -B ≤ x.seq n ∧ x.seq n ≤ B := fun k => by
    induction k with
    | zero => exact ⟨1, by decide, fun n hn => absurd hn (by omega)⟩
    | succ k ih =>
      obtain ⟨B, hB, h⟩ := ih
      by_cases hk : 0 ≤ x.seq k
      · refine ⟨B + x.seq k, by clear h; grind, fun n hn => ?_⟩
        by_cases hlt : n < k
        · have := h n hlt
          clear h
          constructor <;> (clear hB hn hlt; grind)
        · have e : n = k := by omega
          subst e
          clear h
          constructor <;> grind
      · refine ⟨B - x.seq k, by clear h; grind, fun n hn => ?_⟩
        by_cases hlt : n < k
        · have := h n hlt
          clear h
          constructor <;> (clear hB hn hlt; grind)
        · have e : n = k := by omega
          subst e
          clear h
          constructor <;> grind
  obtain ⟨N, hN⟩ := x.cauchy 1 (by decide)
  obtain ⟨B, hB, h⟩ := start (N + 1)
  clear start
  refine ⟨B + 1, by clear hN h; grind, fun n => ?_⟩
  by_cases hn : n < N + 1
  · have := h n hn
    clear hN h
    constructor <;> grind
  · have h1 := h N (by omega)
    have h2 := hN n (by omega) N (by omega)
    have h3 := hN N (by omega) n (by omega)
    clear hN h
    constructor <;> grind

def CauchySeq.const (q : Rat) : CauchySeq := ⟨fun _ => q, fun ε hε => ⟨0, fun _ _ _ _ => by grind⟩⟩

def CauchySeq.add (x y : CauchySeq) : CauchySeq := ⟨fun n => x.seq n + y.seq n, fun ε hε => by
  obtain ⟨N, hN⟩ := x.cauchy (ε / 2) (by grind)
  obtain ⟨N', hN'⟩ := y.cauchy (ε / 2) (by grind)
  refine ⟨N + N', fun m hm n hn => ?_⟩
  have h1 := hN m (by omega) n (by omega)
  have h2 := hN' m (by omega) n (by omega)
  clear hN hN'
  clear hε hm hn
  grind⟩

def CauchySeq.neg (x : CauchySeq) : CauchySeq := ⟨fun n => -x.seq n, fun ε hε => by
  obtain ⟨N, hN⟩ := x.cauchy ε hε
  refine ⟨N, fun m hm n hn => ?_⟩
  have := hN n hn m hm
  clear hN
  clear hε hm hn
  grind⟩

def CauchySeq.mul (x y : CauchySeq) : CauchySeq := ⟨fun n => x.seq n * y.seq n, fun ε hε => by
  obtain ⟨B, hB, hx⟩ := x.bounded
  obtain ⟨B', hB', hy⟩ := y.bounded
  have hC : 0 < B + B' := by clear hε hx hy; grind
  have hi := rat_inv_pos hC
  obtain ⟨N, hN⟩ := x.cauchy (ε * (B + B')⁻¹) (rat_mul_pos hε hi)
  obtain ⟨N', hN'⟩ := y.cauchy (ε * (B + B')⁻¹) (rat_mul_pos hε hi)
  refine ⟨N + N', fun m hm n hn => ?_⟩
  generalize hη : ε * (B + B')⁻¹ = η at *
  have e : η * B' + η * B = ε := by
    have : η * B' + η * B = ε * ((B + B') * (B + B')⁻¹) := by rw [← hη]; grind
    have h1 : (B + B') * (B + B')⁻¹ = 1 := by clear hε hB hx hB' hy hi hm hn hη hN hN'; grind
    rw [this, h1]
    clear hε hB hx hB' hy hC hi hm hn hη hN hN' h1
    grind
  have a1 := hN m (by omega) n (by omega)
  have a2 := hN n (by omega) m (by omega)
  have b1 := hN' m (by omega) n (by omega)
  have b2 := hN' n (by omega) m (by omega)
  have c1 := (product_within (f := x.seq m - x.seq n) (e := η) (by constructor <;> grind) (hy m)).2
  have c2 := (product_within (f := y.seq m - y.seq n) (e := η) (by constructor <;> grind) (hx n)).2
  clear hε hB hx hB' hy hC hi hm hn hη hN hN' a1 a2 b1 b2
  grind⟩

/-- Two sequences have the same limit. -/
def same (x y : CauchySeq) : Prop := Null fun n => x.seq n - y.seq n

theorem same_of_eq {x y : CauchySeq} (h : ∀ n, x.seq n = y.seq n) : same x y := by
  have e : (fun n => x.seq n - y.seq n) = fun _ => 0 := by
    funext n
    rw [h n]
    grind
  unfold same
  rw [e]
  exact Null.zero

theorem same_symm {x y : CauchySeq} (h : same x y) : same y x := by
  have e : (fun n => y.seq n - x.seq n) = fun n => -(x.seq n - y.seq n) := by funext n; grind
  unfold same
  rw [e]
  exact Null.neg h

theorem same_trans {x y z : CauchySeq} (h : same x y) (h' : same y z) : same x z := by
  have e : (fun n => x.seq n - z.seq n)
      = fun n => (x.seq n - y.seq n) + (y.seq n - z.seq n) := by funext n; grind
  unfold same
  rw [e]
  exact Null.add h h'

def setoid : Setoid CauchySeq := ⟨same, ⟨fun _ => same_of_eq fun _ => rfl, same_symm, same_trans⟩⟩

/-- A real number. -/
def Real : Type := Quotient setoid

namespace Real

def mk (x : CauchySeq) : Real := Quotient.mk setoid x

theorem sound {x y : CauchySeq} (h : same x y) : mk x = mk y := Quotient.sound (s := setoid) h

theorem exact {x y : CauchySeq} (h : mk x = mk y) : same x y := Quotient.exact (s := setoid) h

theorem ind {p : Real → Prop} (h : ∀ x, p (mk x)) (a : Real) : p a := Quotient.ind (s := setoid) h a

theorem add_same {x x' y y' : CauchySeq} (h : same x x') (h' : same y y') :
    same (x.add y) (x'.add y') := by
  have e : (fun n => (x.add y).seq n - (x'.add y').seq n)
      = fun n => (x.seq n - x'.seq n) + (y.seq n - y'.seq n) := by
    funext n
    simp only [CauchySeq.add]
    grind
  unfold same
  rw [e]
  exact Null.add h h'

theorem neg_same {x x' : CauchySeq} (h : same x x') : same x.neg x'.neg := by
  have e : (fun n => x.neg.seq n - x'.neg.seq n) = fun n => -(x.seq n - x'.seq n) := by
    funext n
    simp only [CauchySeq.neg]
    grind
  unfold same
  rw [e]
  exact Null.neg h

theorem mul_same {x x' y y' : CauchySeq} (h : same x x') (h' : same y y') :
    same (x.mul y) (x'.mul y') := by
  obtain ⟨B, hB, hy⟩ := y.bounded
  obtain ⟨B', hB', hx⟩ := x'.bounded
  have e : (fun n => (x.mul y).seq n - (x'.mul y').seq n)
      = fun n => (x.seq n - x'.seq n) * y.seq n + (y.seq n - y'.seq n) * x'.seq n := by
    funext n
    simp only [CauchySeq.mul]
    clear h h' hB hy hB' hx
    grind
  unfold same
  rw [e]
  exact Null.add (Null.mul hB h hy) (Null.mul hB' h' hx)

def ofRat (q : Rat) : Real := mk (CauchySeq.const q)

def add : Real → Real → Real := Quotient.lift₂ (s₁ := setoid) (s₂ := setoid)
  (fun x y => mk (x.add y)) fun _ _ _ _ h h' => sound (add_same h h')

def neg : Real → Real := Quotient.lift (s := setoid) (fun x => mk x.neg) fun _ _ h =>
  sound (neg_same h)

def mul : Real → Real → Real := Quotient.lift₂ (s₁ := setoid) (s₂ := setoid)
  (fun x y => mk (x.mul y)) fun _ _ _ _ h h' => sound (mul_same h h')

/-- `x ≤ y`: up to every `ε`, from some place on. -/
def Below (x y : CauchySeq) : Prop := ∀ ε, 0 < ε → ∃ N, ∀ n, N ≤ n → x.seq n ≤ y.seq n + ε

theorem below_same {x x' y y' : CauchySeq} (h : same x x') (h' : same y y') (hle : Below x y) :
    Below x' y' := fun ε hε => by
  obtain ⟨N, hN⟩ := h (ε / 4) (by clear h h' hle; grind)
  obtain ⟨N', hN'⟩ := h' (ε / 4) (by clear h h' hle hN; grind)
  obtain ⟨N'', hN''⟩ := hle (ε / 4) (by clear h h' hle hN hN'; grind)
  refine ⟨N + N' + N'', fun n hn => ?_⟩
  have h1 := hN n (by omega)
  have h2 := hN' n (by omega)
  have h3 := hN'' n (by omega)
  clear h h' hle hN hN' hN'' hn
  grind

def le : Real → Real → Prop := Quotient.lift₂ (s₁ := setoid) (s₂ := setoid) Below
  fun _ _ _ _ h h' => propext ⟨below_same h h', below_same (same_symm h) (same_symm h')⟩

theorem ext {x y : CauchySeq} (h : ∀ n, x.seq n = y.seq n) : mk x = mk y := sound (same_of_eq h)

theorem add_zero (a : Real) : add a (ofRat 0) = a :=
  ind (p := fun a => add a (ofRat 0) = a) (fun x => ext fun n => by
    show x.seq n + 0 = x.seq n
    grind) a

theorem add_comm (a b : Real) : add a b = add b a :=
  ind (p := fun a => add a b = add b a) (fun x => ind (p := fun b => add (mk x) b = add b (mk x))
    (fun y => ext fun n => by
      show x.seq n + y.seq n = y.seq n + x.seq n
      grind) b) a

theorem mul_comm (a b : Real) : mul a b = mul b a :=
  ind (p := fun a => mul a b = mul b a) (fun x => ind (p := fun b => mul (mk x) b = mul b (mk x))
    (fun y => ext fun n => by
      show x.seq n * y.seq n = y.seq n * x.seq n
      grind) b) a

theorem ind3 {p : Real → Real → Real → Prop} (h : ∀ x y z, p (mk x) (mk y) (mk z))
    (a b c : Real) : p a b c :=
  ind (p := fun a => p a b c) (fun x => ind (p := fun b => p (mk x) b c) (fun y =>
    ind (p := fun c => p (mk x) (mk y) c) (fun z => h x y z) c) b) a

theorem add_assoc (a b c : Real) : add (add a b) c = add a (add b c) :=
  ind3 (p := fun a b c => add (add a b) c = add a (add b c)) (fun x y z => ext fun n => by
    show x.seq n + y.seq n + z.seq n = x.seq n + (y.seq n + z.seq n)
    grind) a b c

theorem mul_assoc (a b c : Real) : mul (mul a b) c = mul a (mul b c) :=
  ind3 (p := fun a b c => mul (mul a b) c = mul a (mul b c)) (fun x y z => ext fun n => by
    show x.seq n * y.seq n * z.seq n = x.seq n * (y.seq n * z.seq n)
    grind) a b c

theorem left_distrib (a b c : Real) : mul a (add b c) = add (mul a b) (mul a c) :=
  ind3 (p := fun a b c => mul a (add b c) = add (mul a b) (mul a c)) (fun x y z => ext fun n => by
    show x.seq n * (y.seq n + z.seq n) = x.seq n * y.seq n + x.seq n * z.seq n
    grind) a b c

theorem mul_one (a : Real) : mul a (ofRat 1) = a :=
  ind (p := fun a => mul a (ofRat 1) = a) (fun x => ext fun n => by
    show x.seq n * 1 = x.seq n
    grind) a

theorem mul_zero (a : Real) : mul a (ofRat 0) = ofRat 0 :=
  ind (p := fun a => mul a (ofRat 0) = ofRat 0) (fun x => ext fun n => by
    show x.seq n * 0 = 0
    grind) a

theorem neg_add (a : Real) : add (neg a) a = ofRat 0 :=
  ind (p := fun a => add (neg a) a = ofRat 0) (fun x => ext fun n => by
    show -x.seq n + x.seq n = 0
    grind) a

theorem neg_mul (a b : Real) : mul (neg a) b = neg (mul a b) :=
  ind (p := fun a => mul (neg a) b = neg (mul a b)) (fun x =>
    ind (p := fun b => mul (neg (mk x)) b = neg (mul (mk x) b)) (fun y => ext fun n => by
      show -x.seq n * y.seq n = -(x.seq n * y.seq n)
      grind) b) a

theorem neg_ofRat (q : Rat) : neg (ofRat q) = ofRat (-q) := rfl

theorem add_ofRat (q r : Rat) : add (ofRat q) (ofRat r) = ofRat (q + r) := rfl

theorem le_refl (a : Real) : le a a :=
  ind (p := fun a => le a a) (fun x ε hε => ⟨0, fun n _ => by grind⟩) a

theorem le_trans (a b c : Real) : le a b → le b c → le a c :=
  ind3 (p := fun a b c => le a b → le b c → le a c) (fun x y z h h' ε hε => by
    obtain ⟨N, hN⟩ := h (ε / 2) (by grind)
    obtain ⟨N', hN'⟩ := h' (ε / 2) (by clear h h' hN; grind)
    refine ⟨N + N', fun n hn => ?_⟩
    have h1 := hN n (by omega)
    have h2 := hN' n (by omega)
    clear h h' hε hN hN' hn
    grind) a b c

theorem le_antisymm (a b : Real) : le a b → le b a → a = b :=
  ind3 (p := fun a b _ => le a b → le b a → a = b) (fun x y _ h h' => sound fun ε hε => by
    obtain ⟨N, hN⟩ := h ε hε
    obtain ⟨N', hN'⟩ := h' ε hε
    refine ⟨N + N', fun n hn => ?_⟩
    have h1 := hN n (by omega)
    have h2 := hN' n (by omega)
    constructor <;> (clear h h' hε hN hN' hn; grind)) a b a

/-- If `x ≤ y` fails, then from some place on `x` is above `y` by more than some `ε`. -/
theorem above_of_not_below {x y : CauchySeq} (h : ¬ Below x y) :
    ∃ ε, 0 < ε ∧ ∃ N, ∀ n, N ≤ n → y.seq n + ε ≤ x.seq n := by
  have h1 : ∃ ε, 0 < ε ∧ ∀ N, ∃ n, N ≤ n ∧ y.seq n + ε < x.seq n := by
    apply Classical.byContradiction
    intro hn
    refine h fun ε hε => ?_
    apply Classical.byContradiction
    intro hn'
    refine hn ⟨ε, hε, fun N => ?_⟩
    apply Classical.byContradiction
    intro hn''
    refine hn' ⟨N, fun n hle => ?_⟩
    apply Classical.byContradiction
    intro hlt
    exact hn'' ⟨n, hle, by clear h hn hε hn' hn'' hle; grind⟩
  obtain ⟨ε, hε, h2⟩ := h1
  obtain ⟨N, hN⟩ := x.cauchy (ε / 4) (by grind)
  obtain ⟨N', hN'⟩ := y.cauchy (ε / 4) (by clear h h2 hN; grind)
  obtain ⟨k, hk, hlt⟩ := h2 (N + N')
  refine ⟨ε / 2, by clear h h2 hN hN' hk hlt; grind, N + N', fun n hn => ?_⟩
  have a1 := hN k (by omega) n (by omega)
  have a2 := hN' n (by omega) k (by omega)
  clear h hε h2 hN hN' hk hn
  grind

theorem le_total (a b : Real) : le a b ∨ le b a :=
  ind3 (p := fun a b _ => le a b ∨ le b a) (fun x y _ => by
    by_cases h : Below x y
    · exact .inl h
    · obtain ⟨ε, hε, N, hN⟩ := above_of_not_below h
      refine .inr fun η hη => ⟨N, fun n hn => ?_⟩
      have := hN n hn
      clear h hN hn
      grind) a b a

theorem add_le_iff (a b c : Real) : le a b ↔ le (add a c) (add b c) :=
  ind3 (p := fun a b c => le a b ↔ le (add a c) (add b c)) (fun x y z =>
    ⟨fun h ε hε => by
      obtain ⟨N, hN⟩ := h ε hε
      refine ⟨N, fun n hn => ?_⟩
      have := hN n hn
      show x.seq n + z.seq n ≤ y.seq n + z.seq n + ε
      clear h hε hN hn
      grind,
    fun h ε hε => by
      obtain ⟨N, hN⟩ := h ε hε
      refine ⟨N, fun n hn => ?_⟩
      have h1 : x.seq n + z.seq n ≤ y.seq n + z.seq n + ε := hN n hn
      clear h hε hN hn
      grind⟩) a b c

theorem mul_pos_lt (a b c : Real) : ¬ le b a → ¬ le c (ofRat 0) → ¬ le (mul c b) (mul c a) :=
  ind3 (p := fun a b c => ¬ le b a → ¬ le c (ofRat 0) → ¬ le (mul c b) (mul c a))
    (fun x y z h h' hle => by
      obtain ⟨ε, hε, N, hN⟩ := above_of_not_below (x := y) (y := x) h
      obtain ⟨η, hη, N', hN'⟩ := above_of_not_below (x := z) (y := CauchySeq.const 0) h'
      have hp := rat_mul_pos hη hε
      obtain ⟨N'', hN''⟩ := hle (η * ε / 2) (by clear h h' hle hε hN hη hN'; grind)
      have a1 := hN (N + N' + N'') (by omega)
      have a2 : 0 + η ≤ z.seq (N + N' + N'') := hN' (N + N' + N'') (by omega)
      have a3 : z.seq (N + N' + N'') * y.seq (N + N' + N'')
          ≤ z.seq (N + N' + N'') * x.seq (N + N' + N'') + η * ε / 2 := hN'' _ (by omega)
      have a4 := mul_le_mul' (by grind : η ≤ z.seq (N + N' + N''))
        (by grind : ε ≤ y.seq (N + N' + N'') - x.seq (N + N' + N'')) (by grind) (by grind)
      clear h h' hle hε hN hη hN' hN'' a1 a2
      grind) a b c

theorem exists_inverse (a : Real) (h : a ≠ ofRat 0) : ∃ b, mul a b = ofRat 1 := by
  revert h
  refine ind (p := fun a => a ≠ ofRat 0 → ∃ b, mul a b = ofRat 1) (fun x h => ?_) a
  -- Away from `0`, on one side or the other.
  have away : ∃ c, 0 < c ∧ ∃ N, ∀ n, N ≤ n → c ≤ x.seq n ∨ x.seq n ≤ -c := by
    by_cases hle : Below x (CauchySeq.const 0)
    · by_cases hge : Below (CauchySeq.const 0) x
      · exact absurd (le_antisymm (mk x) (ofRat 0) hle hge) h
      · obtain ⟨ε, hε, N, hN⟩ := above_of_not_below hge
        refine ⟨ε, hε, N, fun n hn => .inr ?_⟩
        have : x.seq n + ε ≤ 0 := hN n hn
        clear h hle hge hε hN hn
        grind
    · obtain ⟨ε, hε, N, hN⟩ := above_of_not_below hle
      refine ⟨ε, hε, N, fun n hn => .inl ?_⟩
      have : 0 + ε ≤ x.seq n := hN n hn
      clear h hle hε hN hn
      grind
  obtain ⟨c, hc, N, hN⟩ := away
  have hi := rat_inv_pos hc
  have hcc : c * c⁻¹ = 1 := by clear h hN hi; grind
  have inverse : ∀ n, N ≤ n → x.seq n * (x.seq n)⁻¹ = 1 ∧ -c⁻¹ ≤ (x.seq n)⁻¹ ∧ (x.seq n)⁻¹ ≤ c⁻¹ :=
    fun n hn => by
      rcases hN n hn with h1 | h1
      · have hx := rat_inv_pos (x := x.seq n) (by clear h hN hi hcc hn; grind)
        have e : x.seq n * (x.seq n)⁻¹ = 1 := by clear h hN hi hcc hn hx; grind
        have h2 := mul_le_right (mul_le_right h1 (by grind : 0 ≤ (x.seq n)⁻¹)) (by grind : 0 ≤ c⁻¹)
        refine ⟨e, by clear h hc hN hcc hn h1 e h2; grind, ?_⟩
        rw [e] at h2
        have e2 : c * (x.seq n)⁻¹ * c⁻¹ = c * c⁻¹ * (x.seq n)⁻¹ := by grind
        rw [e2, hcc] at h2
        clear h hc hN hi hcc hn h1 hx e e2
        grind
      · have hx := rat_inv_pos (x := -x.seq n) (by clear h hN hi hcc hn; grind)
        have e : x.seq n * (x.seq n)⁻¹ = 1 := by clear h hc hN hi hcc hn h1; grind
        have e' : (-x.seq n)⁻¹ = -(x.seq n)⁻¹ := by clear h hc hN hi hcc hn h1 hx e; grind
        rw [e'] at hx
        have h2 := mul_le_right (mul_le_right (by grind : c ≤ -x.seq n)
          (by clear h hc hN hi hcc hn h1 e e'; grind : 0 ≤ -(x.seq n)⁻¹)) (by grind : 0 ≤ c⁻¹)
        have e2 : c * -(x.seq n)⁻¹ * c⁻¹ = c * c⁻¹ * -(x.seq n)⁻¹ := by grind
        have e3 : -x.seq n * -(x.seq n)⁻¹ * c⁻¹ = x.seq n * (x.seq n)⁻¹ * c⁻¹ := by grind
        rw [e2, e3, hcc, e] at h2
        exact ⟨e, by clear h hc hN hi hcc hn h1 hx e e' e2 e3; grind, by grind⟩
  let y : CauchySeq := ⟨fun n => (x.seq (N + n))⁻¹, fun ε hε => by
    have hp := rat_mul_pos hc hc
    obtain ⟨N', hN'⟩ := x.cauchy (ε * (c * c)) (rat_mul_pos hε hp)
    refine ⟨N', fun m hm n hn => ?_⟩
    have a1 := hN' (N + m) (by omega) (N + n) (by omega)
    have a2 := hN' (N + n) (by omega) (N + m) (by omega)
    have b1 := inverse (N + m) (by omega)
    have b2 := inverse (N + n) (by omega)
    have c1 := product_within b1.2 b2.2
    have c2 := (product_within (f := x.seq (N + n) - x.seq (N + m)) (e := ε * (c * c))
      (by constructor <;> (clear h hc hN hi hcc inverse hε hp hN' hm hn b1 b2 c1; grind)) c1).2
    show (x.seq (N + m))⁻¹ - (x.seq (N + n))⁻¹ ≤ ε
    generalize (x.seq (N + m))⁻¹ = u at *
    generalize (x.seq (N + n))⁻¹ = v at *
    have e1 : (x.seq (N + n) - x.seq (N + m)) * (u * v)
        = x.seq (N + n) * v * u - x.seq (N + m) * u * v := by grind
    have e2 : ε * (c * c) * (c⁻¹ * c⁻¹) = ε * (c * c⁻¹) * (c * c⁻¹) := by grind
    rw [e1, e2, b1.1, b2.1, hcc] at c2
    clear h hc hN hi hcc inverse hε hp hN' hm hn a1 a2 b1 b2 c1 e1 e2
    grind⟩
  refine ⟨mk y, sound fun ε hε => ?_⟩
  obtain ⟨N', hN'⟩ := x.cauchy (ε * c) (rat_mul_pos hε hc)
  refine ⟨N + N', fun n hn => ?_⟩
  show -ε ≤ x.seq n * (x.seq (N + n))⁻¹ - 1 ∧ x.seq n * (x.seq (N + n))⁻¹ - 1 ≤ ε
  have b := inverse (N + n) (by omega)
  have a1 := hN' n (by omega) (N + n) (by omega)
  have a2 := hN' (N + n) (by omega) n (by omega)
  have c2 := product_within (f := x.seq n - x.seq (N + n)) (e := ε * c) (by constructor <;> grind)
      b.2
  have e2 : ε * c * c⁻¹ = ε * (c * c⁻¹) := by grind
  rw [e2, hcc] at c2
  generalize (x.seq (N + n))⁻¹ = v at *
  have e1 : (x.seq n - x.seq (N + n)) * v = x.seq n * v - x.seq (N + n) * v := by grind
  rw [e1, b.1] at c2
  constructor <;> grind

theorem zero_ne_one : ofRat 0 ≠ ofRat 1 := fun h => by
  obtain ⟨N, hN⟩ := exact h (1 / 2) (by decide +kernel)
  have := (hN N (by omega)).1
  have h1 : -(1 / 2) ≤ (0 : Rat) - 1 := this
  exact absurd h1 (by decide +kernel)

open Classical in
/-- The inverse, `0` for `0`. -/
def inv (a : Real) : Real :=
  if h : a = ofRat 0 then ofRat 0 else Classical.choose (exists_inverse a h)

theorem mul_inv (a : Real) (h : a ≠ ofRat 0) : mul a (inv a) = ofRat 1 := by
  unfold inv
  rw [dif_neg h]
  exact Classical.choose_spec (exists_inverse a h)

theorem inv_zero : inv (ofRat 0) = ofRat 0 := by
  unfold inv
  rw [dif_pos rfl]

theorem inv_inv (a : Real) : inv (inv a) = a := by
  by_cases h : a = ofRat 0
  · rw [h, inv_zero, inv_zero]
  · have h1 := mul_inv a h
    have h2 : inv a ≠ ofRat 0 := fun h3 => by
      rw [h3, mul_zero] at h1
      exact zero_ne_one h1
    have h3 := mul_inv (inv a) h2
    have h4 : mul (mul a (inv a)) (inv (inv a)) = mul a (mul (inv a) (inv (inv a))) :=
        mul_assoc _ _ _
    rw [h1, h3, mul_one, mul_comm, mul_one] at h4
    exact h4

theorem inv_one : inv (ofRat 1) = ofRat 1 := by
  have h := mul_inv (ofRat 1) (fun h => zero_ne_one h.symm)
  rw [mul_comm, mul_one] at h
  exact h

def npow (a : Real) : Nat → Real
  | 0 => ofRat 1
  | n + 1 => mul (npow a n) a

def zpow (a : Real) : Int → Real
  | .ofNat n => npow a n
  | .negSucc n => inv (npow a (n + 1))

def semiring : Lean.Grind.Semiring Real :=
  @Lean.Grind.Semiring.mk Real ⟨add⟩ ⟨mul⟩ ⟨fun n => ofRat n⟩ (fun n => ⟨ofRat n⟩)
    ⟨fun n a => mul (ofRat n) a⟩ ⟨npow⟩ add_zero add_comm add_assoc mul_assoc mul_one
    (fun a => (mul_comm _ a).trans (mul_one a)) left_distrib
    (fun a b c => by
      have h := left_distrib c a b
      rw [mul_comm c (add a b), mul_comm c a, mul_comm c b] at h
      exact h)
    (fun a => (mul_comm _ a).trans (mul_zero a)) mul_zero (fun _ => rfl) (fun _ _ => rfl)
    (fun n => by
      show ofRat ((n + 1 : Nat) : Rat) = add (ofRat n) (ofRat ((1 : Nat) : Rat))
      rw [add_ofRat]
      congr 1
      simp)
    (fun _ => rfl) (fun _ _ => rfl)

def ring : Lean.Grind.Ring Real :=
  @Lean.Grind.Ring.mk Real semiring ⟨neg⟩ ⟨fun a b => add a (neg b)⟩ ⟨fun i => ofRat i⟩
    ⟨fun i a => mul (ofRat i) a⟩ neg_add (fun _ _ => rfl)
    (fun i a => by
      show mul (ofRat ((-i : Int) : Rat)) a = neg (mul (ofRat i) a)
      rw [← neg_mul, neg_ofRat]
      congr 2)
    (fun n a => by
      show mul (ofRat (((n : Nat) : Int) : Rat)) a = mul (ofRat (n : Rat)) a
      congr 2)
    (fun n => by
      show ofRat (((n : Nat) : Int) : Rat) = ofRat (n : Rat)
      congr 1)
    (fun i => by
      show ofRat ((-i : Int) : Rat) = neg (ofRat i)
      rw [neg_ofRat]
      congr 1)

def field : Lean.Grind.Field Real :=
  @Lean.Grind.Field.mk Real (@Lean.Grind.CommRing.mk Real ring mul_comm) ⟨inv⟩
    ⟨fun a b => mul a (inv b)⟩ ⟨zpow⟩ (fun _ _ => rfl) zero_ne_one inv_zero
    (fun {a} h => mul_inv a h) (fun _ => rfl) (fun _ _ => rfl)
    (fun a n => by
      cases n with
      | ofNat n =>
        cases n with
        | zero => exact inv_one.symm
        | succ n => rfl
      | negSucc n => exact (inv_inv _).symm)

end Real

end PrivRef.Reals
