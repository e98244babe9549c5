module

public import PrivRef.Spec.Normal
public import PrivRef.Thm.Odp
public import PrivRef.Thm.Renyi

/-!
Composition of Gaussian differential privacy (Dong, Roth, Su 2022, Corollaries 1 and 2).
-/

@[expose] public section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField)

variable {F : ExpField} {N : NormalLaw F}

namespace NormalLaw

/-- The exponential of an affine function is integrable. -/
theorem int_affine (N : NormalLaw F) (t s : F.K) : N.law.int fun x => F.exp (s + t * x) := by
  have h := N.int_exp t _ (N.law.const (F.exp s))
  have e : (fun x => F.exp (t * x) * F.exp s) = fun x => F.exp (s + t * x) := by
    funext x
    rw [← F.exp_add]
    congr 1
    grind
  rwa [e] at h

theorem int_hockey (N : NormalLaw F) (t s : F.K) :
    N.law.int fun x => posPart (1 - F.exp (s + t * x)) := by
  have h := N.int_pos _ (N.law.add _ _ (N.law.const 1) (N.law.smul (-1) _ (N.int_affine t s)))
  have e : (fun x => posPart (1 + -1 * F.exp (s + t * x)))
      = fun x => posPart (1 - F.exp (s + t * x)) := by
    funext x
    congr 1
    grind
  rwa [e] at h

/-- One normal loss after another: the squares add up. -/
theorem delta_sum (N : NormalLaw F) {a b c : F.K} (h : c * c = a * a + b * b) (s : F.K) :
    (N.law.int fun x => N.delta b (s + (a * x - a * a / 2))) ∧
    N.law.E (fun x => N.delta b (s + (a * x - a * a / 2))) = N.delta c s := by
  have hi := N.int_hockey 1 (s - c * c / 2)
  have e : (fun x => N.delta b (s + (a * x - a * a / 2)))
      = fun x => N.law.E fun y => posPart (1 - F.exp (s - c * c / 2 + 1 * (a * x + b * y))) := by
    funext x
    unfold NormalLaw.delta
    congr 1
    funext y
    congr 3
    grind
  have e2 : N.delta c s
      = N.law.E fun x => posPart (1 - F.exp (s - c * c / 2 + 1 * (c * x))) := by
    unfold NormalLaw.delta
    congr 1
    funext x
    congr 3
    clear h hi e
    grind
  rw [e, e2]
  exact ⟨N.int_sum a b _ hi, N.sum a b c _ h hi⟩

end NormalLaw

/-- One round followed by a continuation. -/
theorem gdp_round {μ b c : F.K} (h : c * c = μ * μ + b * b) (q : GdpQuery.{u} N μ) (i : Bool)
    {P Q : q.O → F.K} (hP : q.tests.adm P) (hQ : q.tests.adm Q)
    (hI : ∀ s o, P o ≤ N.delta b s + F.exp s * Q o) (s : F.K) :
    (q.law i).E P ≤ N.delta c s + F.exp s * (q.law (!i)).E Q := by
  obtain ⟨hi, he⟩ := N.delta_sum h s
  have hx : ∀ x, (q.post i x).E P ≤ N.delta b (s + (μ * x - μ * μ / 2))
      + F.exp (s - μ * μ / 2) * (F.exp (μ * x) * (q.post i x).E Q) := fun x => by
    have k := (q.post i x).E_le_affine hP hQ _ _ (hI (s + (μ * x - μ * μ / 2)))
    have e : F.exp (s + (μ * x - μ * μ / 2)) = F.exp (s - μ * μ / 2) * F.exp (μ * x) := by
      rw [← F.exp_add]
      congr 1
      clear h hP hQ hI hi he k
      grind
    rw [e] at k
    clear h hP hQ hI hi he e
    grind
  have hq := N.int_exp μ _ (q.int_post i Q hQ)
  have k := N.law.E_mono _ _ (q.int_post i P hP)
    (N.law.add _ _ hi (N.law.smul (F.exp (s - μ * μ / 2)) _ hq)) hx
  rw [N.law.E_add _ _ hi (N.law.smul _ _ hq), N.law.E_smul _ _ hq, he,
    N.shift _ _ (q.int_post i Q hQ), ← q.first i P hP, ← q.second i Q hQ] at k
  have e : F.exp (s - μ * μ / 2) * F.exp (μ * μ / 2) = F.exp s := by
    rw [← F.exp_add]
    congr 1
    clear h hP hQ hI hi he hx hq k
    grind
  rw [← e]
  clear h hP hQ hI hi he hx hq e
  grind

/-- **Composition of Gaussian differential privacy** (Dong, Roth, Su 2022, Corollaries 1 and 2), for
rounds that are chosen on the way: with `μ_i` fixed in advance and `c² = ∑ μ_i²`, the view is
`(s, δ(s))`-DP for every `s`, with the divergence `δ` of the normal laws with the means 0 and `c`.
-/
theorem composition_of_gaussian_dp (roots : ∀ x : F.K, 0 ≤ x → ∃ r, 0 ≤ r ∧ r * r = x)
    {l : List F.K} {c : F.K} (hc : c * c = lsum l fun μ => μ * μ) (g : GdpAnalyst.{u} N l)
    (f : g.View → F.K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool)
    (s : F.K) :
    g.expect b f ≤ N.delta c s + F.exp s * g.expect (!b) f := by
  induction g generalizing c s with
  | stop =>
    have hc0 : c = 0 := by
      have hc' : c * c = 0 := hc
      clear roots hc hf h0 h1
      grind
    have e : N.delta c s = posPart (1 - F.exp s) := by
      unfold NormalLaw.delta
      have e1 : (fun x => posPart (1 - F.exp (s + (c * x - c * c / 2))))
          = fun _ => posPart (1 - F.exp s) := by
        funext x
        rw [hc0]
        congr 3
        clear roots hc hf h0 h1 hc0
        grind
      rw [e1, N.law.E_const]
    have k := mul_nonneg' (posPart_nonneg (1 - F.exp s)) (by
      have := h1 PUnit.unit
      clear roots hc hf h0 h1 hc0 e
      grind : 0 ≤ 1 - f PUnit.unit)
    have k2 := mul_le_right (le_posPart (1 - F.exp s)) (h0 PUnit.unit)
    rw [e]
    show f _ ≤ _ + F.exp s * f _
    clear roots hc hf h0 h1 hc0 e
    grind
  | coin S T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun r =>
      ih r hc (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _) s
  | @round μ l q next ih =>
    have hs : 0 ≤ lsum l fun μ => μ * μ := lsum_nonneg l _ fun i _ => by
      have := Std.le_total (a := 0) (b := i)
      rcases this with h | h
      · exact mul_nonneg' h h
      · have := mul_nonneg' (by clear roots ih hc hf h0 h1; grind : 0 ≤ -i) (by grind : 0 ≤ -i)
        clear roots ih hc hf h0 h1 h
        grind
    obtain ⟨r, _, hr⟩ := roots _ hs
    have hc' : c * c = μ * μ + lsum l fun μ => μ * μ := hc
    exact gdp_round (by rw [hc', hr]) q b (hf.2 b) (hf.2 (!b))
      (fun s o => ih o hr (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _) s) s

end PrivRef
