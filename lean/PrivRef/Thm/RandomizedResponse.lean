module

public import PrivRef.Spec.OptDel
public import PrivRef.Thm.Odp

/-!
Lemma 12 for finite laws: every pair of laws that is `(ε, δ)`-indistinguishable is a post-processing
of randomized response.
-/

@[expose] public section

namespace PrivRef

universe u k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u}

theorem inv_nonneg_of_pos {x : K} (h : 0 < x) : 0 ≤ x⁻¹ := by
  have := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr h
  exact Std.le_of_lt (by assumption)

theorem exists_ratio {x y : K} (h0 : 0 ≤ x) (h1 : x ≤ y) : ∃ t : K, 0 ≤ t ∧ t ≤ 1 ∧ t * y = x := by
  by_cases hy : y = 0
  · exact ⟨0, Std.le_refl _, zero_le_one', by grind⟩
  · have hpos : 0 < y := by grind
    have hi := inv_nonneg_of_pos hpos
    refine ⟨x * y⁻¹, mul_nonneg' h0 hi, ?_, by clear h0 h1 hpos hi; grind⟩
    have := mul_le_right h1 hi
    clear h0 h1 hpos hi
    grind

/-- A non-negative weight function on a finite set, normalised to a law (any law if it vanishes). -/
theorem exists_normalised (os : List O) (w : O → K) (hw : ∀ o ∈ os, 0 ≤ w o) (dummy : FinLaw K O) :
    ∃ T : FinLaw K O, ∀ f : O → K, lsum os (fun o => w o * f o) = lsum os w * T.E f := by
  by_cases h : lsum os w = 0
  · refine ⟨dummy, fun f => ?_⟩
    have hz : ∀ o ∈ os, w o = 0 := by
      clear dummy f
      induction os with
      | nil => intro o ho; exact absurd ho (by simp)
      | cons a l ih =>
        have h1 := hw a List.mem_cons_self
        have h2 : 0 ≤ lsum l w := lsum_nonneg l w fun o ho => hw o (List.mem_cons_of_mem _ ho)
        simp only [lsum] at h
        intro o ho
        rcases List.mem_cons.mp ho with ho | ho
        · subst ho; clear ih hw ho; grind
        · exact ih (fun o ho => hw o (List.mem_cons_of_mem _ ho)) (by clear ih hw ho; grind) o ho
    rw [h]
    have : lsum os (fun o => w o * f o) = lsum os fun _ => 0 :=
      lsum_congr _ _ _ fun o ho => by rw [hz o ho]; clear hw h hz ho; grind
    rw [this, lsum_zero]
    clear hw h hz
    grind
  · have hpos : 0 < lsum os w := by
      have := lsum_nonneg os w hw
      grind
    have hi := inv_nonneg_of_pos hpos
    have key : ∀ (l : List O) (f : O → K),
        wsum (l.map fun o => (o, w o * (lsum os w)⁻¹)) f
          = (lsum os w)⁻¹ * lsum l fun o => w o * f o := by
      intro l f
      induction l with
      | nil => simp only [List.map_nil, wsum, lsum]; clear hw h hpos hi; grind
      | cons a l ih => simp only [List.map_cons, wsum, lsum, ih]; clear hw h hpos hi ih; grind
    refine ⟨⟨os.map fun o => (o, w o * (lsum os w)⁻¹), ?_, ?_⟩, fun f => ?_⟩
    · intro q hq
      obtain ⟨o, ho, rfl⟩ := List.mem_map.mp hq
      exact mul_nonneg' (hw o ho) hi
    · rw [key]
      have : lsum os (fun o => w o * 1) = lsum os w := lsum_congr _ _ _ fun o _ => by grind
      rw [this]
      clear hw hpos hi key
      grind
    · show _ = _ * wsum _ f
      rw [key]
      clear hw hpos hi key
      grind

/-- Two weight functions that are within the factor `e` of each other pointwise can be made equal in
mass, and of any smaller mass `m`, by lowering them, without leaving that factor. -/
theorem exists_balanced (os : List O) (e m : K) (he : 1 ≤ e) (U V : O → K)
    (hU : ∀ o, 0 ≤ U o) (hV : ∀ o, 0 ≤ V o) (hUV : ∀ o, U o ≤ e * V o) (hVU : ∀ o, V o ≤ e * U o)
    (hm : 0 ≤ m) (hmV : m ≤ lsum os V) (hle : lsum os V ≤ lsum os U) :
    ∃ U' V' : O → K, (∀ o, 0 ≤ U' o ∧ U' o ≤ U o) ∧ (∀ o, 0 ≤ V' o ∧ V' o ≤ V o) ∧
      (∀ o, U' o ≤ e * V' o) ∧ (∀ o, V' o ≤ e * U' o) ∧ lsum os U' = m ∧ lsum os V' = m := by
  let L : O → K := fun o => U o - posPart (U o - V o)
  have hLU : ∀ o, L o ≤ U o := fun o => by
    have := posPart_nonneg (U o - V o)
    show U o - posPart (U o - V o) ≤ U o
    clear he hU hV hUV hVU hm hmV hle
    grind
  have hLV : ∀ o, L o ≤ V o := fun o => by
    have := le_posPart (U o - V o)
    show U o - posPart (U o - V o) ≤ V o
    clear he hU hV hUV hVU hm hmV hle hLU
    grind
  have hL0 : ∀ o, 0 ≤ L o := fun o => by
    have h1 := hU o
    have h2 := hV o
    have := posPart_le (show U o - V o ≤ U o by grind) h1
    show 0 ≤ U o - posPart (U o - V o)
    exact sub_nonneg' (by assumption)
  have hVL : ∀ o, V o ≤ e * L o := fun o => by
    have h1 := hVU o
    have h2 := mul_le_right he (hV o)
    show V o ≤ e * (U o - posPart (U o - V o))
    unfold posPart
    split <;> (clear he hU hV hUV hVU hm hmV hle hLU hLV hL0; grind)
  obtain ⟨t, t0, t1, ht⟩ := exists_ratio (x := lsum os V - lsum os L) (y := lsum os U - lsum os L)
    (sub_nonneg' (lsum_le os L V fun o _ => hLV o)) (by grind)
  obtain ⟨s, s0, s1, hs⟩ := exists_ratio hm hmV
  let W : O → K := fun o => L o + t * (U o - L o)
  have hW0 : ∀ o, 0 ≤ W o := fun o => by
    have h1 := mul_nonneg' t0 (show 0 ≤ U o - L o from sub_nonneg' (hLU o))
    have h2 := hL0 o
    show 0 ≤ L o + t * (U o - L o)
    exact add_nonneg' (by assumption) (by assumption)
  have hWU : ∀ o, W o ≤ U o := fun o => by
    have h1 := mul_le_right t1 (show 0 ≤ U o - L o from sub_nonneg' (hLU o))
    show L o + t * (U o - L o) ≤ U o
    clear he hU hV hUV hVU hm hmV hle hLU hLV hL0 hVL t0 t1 ht s0 s1 hs hW0
    grind
  have hLW : ∀ o, L o ≤ W o := fun o => by
    have h1 := mul_nonneg' t0 (show 0 ≤ U o - L o from sub_nonneg' (hLU o))
    show L o ≤ L o + t * (U o - L o)
    clear he hU hV hUV hVU hm hmV hle hLU hLV hL0 hVL t0 t1 ht s0 s1 hs hW0 hWU
    grind
  have hWV : ∀ o, W o ≤ e * V o := fun o => by
    have h1 := hWU o
    have h2 := hUV o
    exact Std.le_trans (by assumption) (by assumption)
  have hVW : ∀ o, V o ≤ e * W o := fun o => by
    have h1 := mul_le_left (hLW o) (show 0 ≤ e from nonneg_of_one_le (by assumption))
    have h2 := hVL o
    exact Std.le_trans (by assumption) (by assumption)
  have hWsum : lsum os W = lsum os V := by
    have h1 : lsum os W = lsum os L + t * lsum os (fun o => U o + -1 * L o) := by
      rw [← lsum_smul, ← lsum_add]
      apply lsum_congr
      intro o _
      show L o + t * (U o - L o) = _
      clear he hU hV hUV hVU hm hmV hle hLU hLV hL0 hVL t0 t1 ht s0 s1 hs hW0 hWU hLW hWV hVW
      grind
    have h2 : lsum os (fun o => U o + -1 * L o) = lsum os U + -1 * lsum os L := by
      rw [lsum_add, lsum_smul]
    rw [h2] at h1
    clear he hU hV hUV hVU hm hmV hle hLU hLV hL0 hVL t0 t1 s0 s1 hs hW0 hWU hLW hWV hVW h2
    grind
  refine ⟨fun o => s * W o, fun o => s * V o, fun o => ⟨mul_nonneg' s0 (hW0 o), ?_⟩,
    fun o => ⟨mul_nonneg' s0 (hV o), ?_⟩, fun o => ?_, fun o => ?_, ?_, ?_⟩
  · have h1 := mul_le_right s1 (hW0 o)
    have h2 := hWU o
    clear he hU hV hUV hVU hm hmV hle hLU hLV hL0 hVL t0 t1 ht s0 s1 hs hW0 hWU hLW hWV hVW hWsum
    grind
  · have h1 := mul_le_right s1 (hV o)
    clear he hU hV hUV hVU hm hmV hle hLU hLV hL0 hVL t0 t1 ht s0 s1 hs hW0 hWU hLW hWV hVW hWsum
    grind
  · have h1 := mul_le_left (hWV o) s0
    clear he hU hV hUV hVU hm hmV hle hLU hLV hL0 hVL t0 t1 ht s0 s1 hs hW0 hWU hLW hWV hVW hWsum
    grind
  · have h1 := mul_le_left (hVW o) s0
    clear he hU hV hUV hVU hm hmV hle hLU hLV hL0 hVL t0 t1 ht s0 s1 hs hW0 hWU hLW hWV hVW hWsum
    grind
  · rw [lsum_smul, hWsum]; exact hs
  · rw [lsum_smul]; exact hs

/-- A pair `U ≤ e V`, `V ≤ e U` splits as `U = e X + Y`, `V = X + e Y`. -/
theorem exists_split (e : K) (he : 1 ≤ e) (U V : O → K) (hU : ∀ o, 0 ≤ U o)
    (hUV : ∀ o, U o ≤ e * V o) (hVU : ∀ o, V o ≤ e * U o) :
    ∃ X Y : O → K, (∀ o, 0 ≤ X o) ∧ (∀ o, 0 ≤ Y o) ∧ (∀ o, U o = e * X o + Y o) ∧
      ∀ o, V o = X o + e * Y o := by
  by_cases h1 : e = 1
  · subst h1
    have h2 : (2 : K)⁻¹ * 2 = 1 := by
      have : (2 : K) ≠ 0 := ne_of_pos' zero_lt_two
      clear hU he hUV hVU
      grind
    have h3 : 0 ≤ (2 : K)⁻¹ := inv_nonneg_of_pos zero_lt_two
    refine ⟨fun o => 2⁻¹ * U o, fun o => 2⁻¹ * U o, fun o => mul_nonneg' h3 (hU o),
      fun o => mul_nonneg' h3 (hU o), fun o => by clear hU he hUV hVU h3; grind, fun o => ?_⟩
    have a := hUV o
    have b := hVU o
    have : U o = V o := by clear hU he hUV hVU h2 h3; grind
    clear hU he hUV hVU h3
    grind
  · have hpos : 0 < e * e - 1 := by
      have := mul_le_mul' he he zero_le_one' (nonneg_of_one_le (by assumption) : 0 ≤ e)
      have h2 := mul_le_left (show 1 ≤ e from he) (show 0 ≤ e from nonneg_of_one_le (by assumption))
      clear hU hUV hVU
      grind
    have hi := inv_nonneg_of_pos hpos
    have hinv : (e * e - 1)⁻¹ * (e * e - 1) = 1 := by
      have : e * e - 1 ≠ 0 := ne_of_pos' (by assumption)
      clear he hU hUV hVU hpos hi
      grind
    refine ⟨fun o => (e * e - 1)⁻¹ * (e * U o - V o), fun o => (e * e - 1)⁻¹ * (e * V o - U o),
      fun o => mul_nonneg' hi (sub_nonneg' (hVU o)),
      fun o => mul_nonneg' hi (sub_nonneg' (hUV o)), fun o => ?_, fun o => ?_⟩
    · have : e * ((e * e - 1)⁻¹ * (e * U o - V o)) + (e * e - 1)⁻¹ * (e * V o - U o)
          = ((e * e - 1)⁻¹ * (e * e - 1)) * U o := by clear he hU hUV hVU h1 hpos hi hinv; grind
      rw [this, hinv]; clear he hU hUV hVU h1 hpos hi hinv; grind
    · have : (e * e - 1)⁻¹ * (e * U o - V o) + e * ((e * e - 1)⁻¹ * (e * V o - U o))
          = ((e * e - 1)⁻¹ * (e * e - 1)) * V o := by clear he hU hUV hVU h1 hpos hi hinv; grind
      rw [this, hinv]; clear he hU hUV hVU h1 hpos hi hinv; grind

/-- The total excess `∑ (P - e Q)_+` of a finite pair of laws is at most `δ`. -/
theorem total_excess_le (μ ν : FinLaw K O) (e δ : K)
    (h : ∀ S : O → Prop, μ.pr S ≤ e * ν.pr S + δ) (os : List O) (hn : os.Nodup)
    (hμ : ∀ q ∈ μ.list, q.1 ∈ os) (hν : ∀ q ∈ ν.list, q.1 ∈ os) :
    lsum os (fun o => posPart (μ.mass o - e * ν.mass o)) ≤ δ := by
  let S : O → Prop := fun o => 0 ≤ μ.mass o - e * ν.mass o
  have h1 := h S
  have e1 : μ.pr S = lsum os fun o => ind (S o) * μ.mass o := wsum_eq_lsum μ.list os hn hμ _
  have e2 : ν.pr S = lsum os fun o => ind (S o) * ν.mass o := wsum_eq_lsum ν.list os hn hν _
  have e3 : lsum os (fun o => posPart (μ.mass o - e * ν.mass o))
      = lsum os (fun o => ind (S o) * μ.mass o + (-e) * (ind (S o) * ν.mass o)) := by
    apply lsum_congr
    intro o _
    by_cases hs : S o
    · rw [ind_true hs]
      unfold posPart
      rw [if_pos hs]
      clear h hn hμ hν h1 e1 e2 hs
      grind
    · rw [ind_false hs]
      unfold posPart
      rw [if_neg hs]
      clear h hn hμ hν h1 e1 e2 hs
      grind
  rw [e3, lsum_add, lsum_smul, ← e1, ← e2]
  clear h hn hμ hν e1 e2 e3
  grind

theorem mass_nonneg (μ : FinLaw K O) (o : O) : 0 ≤ μ.mass o :=
  μ.toLaw.E_nonneg trivial fun _ => ind_nonneg _

/-- **Lemma 12 for finite laws** (Hartmann et al. 2022, after Kairouz, Oh, Viswanath; Rogers et al.
2016, Theorem 2.7).  If the finite laws `μ`, `ν` satisfy `μ S ≤ e^ε ν S + δ` and
`ν S ≤ e^ε μ S + δ` for every set `S`, then there is one randomized map `T` of the four symbols of
randomized response such that `T` of the response to `0` has the law `μ` and `T` of the response to
`1` has the law `ν`. -/
theorem indistinguishable_laws_are_post_processed_randomized_response (μ ν : FinLaw K O) (e δ : K)
    (he : 1 ≤ e) (hδ1 : δ ≤ 1)
    (h0 : ∀ S : O → Prop, μ.pr S ≤ e * ν.pr S + δ)
    (h1 : ∀ S : O → Prop, ν.pr S ≤ e * μ.pr S + δ) :
    ∃ T : Symbol → FinLaw K O, ∀ f : O → K,
      μ.E f = sumSymbols (fun q => rr e δ false q * (T q).E f) ∧
      ν.E f = sumSymbols (fun q => rr e δ true q * (T q).E f) := by
  obtain ⟨os, hn, hc⟩ := exists_cover ((μ.list ++ ν.list).map fun q => q.1)
  have hμ : ∀ q ∈ μ.list, q.1 ∈ os := fun q hq =>
    hc q.1 (List.mem_map.mpr ⟨q, List.mem_append.mpr (Or.inl hq), rfl⟩)
  have hν : ∀ q ∈ ν.list, q.1 ∈ os := fun q hq =>
    hc q.1 (List.mem_map.mpr ⟨q, List.mem_append.mpr (Or.inr hq), rfl⟩)
  let U : O → K := fun o => μ.mass o - posPart (μ.mass o - e * ν.mass o)
  let V : O → K := fun o => ν.mass o - posPart (ν.mass o - e * μ.mass o)
  have m0 := mass_nonneg μ
  have n0 := mass_nonneg ν
  have hUμ : ∀ o, U o ≤ μ.mass o := fun o => by
    have := posPart_nonneg (μ.mass o - e * ν.mass o)
    show μ.mass o - posPart (μ.mass o - e * ν.mass o) ≤ _
    clear he hδ1 h0 h1 hn hc hμ hν m0 n0
    grind
  have hVν : ∀ o, V o ≤ ν.mass o := fun o => by
    have := posPart_nonneg (ν.mass o - e * μ.mass o)
    show ν.mass o - posPart (ν.mass o - e * μ.mass o) ≤ _
    clear he hδ1 h0 h1 hn hc hμ hν m0 n0 hUμ
    grind
  have facts : ∀ o, 0 ≤ U o ∧ 0 ≤ V o ∧ U o ≤ e * V o ∧ V o ≤ e * U o := by
    intro o
    have a := m0 o
    have b := n0 o
    have a1 := mul_nonneg' (show 0 ≤ e from nonneg_of_one_le (by assumption)) a
    have b1 := mul_nonneg' (show 0 ≤ e from nonneg_of_one_le (by assumption)) b
    have a2 := mul_le_right he a
    have b2 := mul_le_right he b
    have a3 := mul_le_right he a1
    have b3 := mul_le_right he b1
    show 0 ≤ μ.mass o - posPart (μ.mass o - e * ν.mass o) ∧
      0 ≤ ν.mass o - posPart (ν.mass o - e * μ.mass o) ∧
      μ.mass o - posPart (μ.mass o - e * ν.mass o)
        ≤ e * (ν.mass o - posPart (ν.mass o - e * μ.mass o)) ∧
      ν.mass o - posPart (ν.mass o - e * μ.mass o)
        ≤ e * (μ.mass o - posPart (μ.mass o - e * ν.mass o))
    clear h0 h1 hμ hν hUμ hVν m0 n0
    generalize μ.mass o = x at *
    generalize ν.mass o = y at *
    unfold posPart
    split <;> split <;> refine ⟨?_, ?_, ?_, ?_⟩ <;> (clear he hδ1 hn hc; grind)
  have tμ : lsum os μ.mass = 1 := by
    rw [← μ.total, wsum_eq_lsum μ.list os hn hμ]
    apply lsum_congr
    intro o _
    show μ.mass o = 1 * μ.mass o
    clear he hδ1 h0 h1 hn hc hμ hν m0 n0 hUμ hVν facts
    grind
  have tν : lsum os ν.mass = 1 := by
    rw [← ν.total, wsum_eq_lsum ν.list os hn hν]
    apply lsum_congr
    intro o _
    show ν.mass o = 1 * ν.mass o
    clear he hδ1 h0 h1 hn hc hμ hν m0 n0 hUμ hVν facts tμ
    grind
  have sub : ∀ F G : O → K, lsum os (fun o => F o - G o) = lsum os F - lsum os G := by
    intro F G
    have : lsum os (fun o => F o - G o) = lsum os (fun o => F o + -1 * G o) :=
      lsum_congr _ _ _ fun o _ => by clear he hδ1 h0 h1 hn hc hμ hν m0 n0 hUμ hVν facts tμ tν; grind
    rw [this, lsum_add, lsum_smul]
    clear he hδ1 h0 h1 hn hc hμ hν m0 n0 hUμ hVν facts tμ tν
    grind
  have sU : 1 - δ ≤ lsum os U := by
    have h2 := total_excess_le μ ν e δ h0 os hn hμ hν
    have h3 := sub μ.mass fun o => posPart (μ.mass o - e * ν.mass o)
    show 1 - δ ≤ lsum os fun o => μ.mass o - posPart (μ.mass o - e * ν.mass o)
    rw [h3, tμ]
    clear he hδ1 h0 h1 hn hc hμ hν m0 n0 hUμ hVν facts tμ tν sub h3
    grind
  have sV : 1 - δ ≤ lsum os V := by
    have h2 := total_excess_le ν μ e δ h1 os hn hν hμ
    have h3 := sub ν.mass fun o => posPart (ν.mass o - e * μ.mass o)
    show 1 - δ ≤ lsum os fun o => ν.mass o - posPart (ν.mass o - e * μ.mass o)
    rw [h3, tν]
    clear he hδ1 h0 h1 hn hc hμ hν m0 n0 hUμ hVν facts tμ tν sub sU h3
    grind
  have bal : ∃ U' V' : O → K, (∀ o, 0 ≤ U' o ∧ U' o ≤ U o) ∧ (∀ o, 0 ≤ V' o ∧ V' o ≤ V o) ∧
      (∀ o, U' o ≤ e * V' o) ∧ (∀ o, V' o ≤ e * U' o) ∧ lsum os U' = 1 - δ ∧
      lsum os V' = 1 - δ := by
    by_cases hle : lsum os V ≤ lsum os U
    · exact exists_balanced os e (1 - δ) he U V (fun o => (facts o).1) (fun o => (facts o).2.1)
        (fun o => (facts o).2.2.1) (fun o => (facts o).2.2.2) (by exact sub_nonneg' (by assumption))
            sV hle
    · obtain ⟨V', U', a, b, c, d, f, g⟩ := exists_balanced os e (1 - δ) he V U
        (fun o => (facts o).2.1) (fun o => (facts o).1) (fun o => (facts o).2.2.2)
        (fun o => (facts o).2.2.1) (by exact sub_nonneg' (by assumption)) sU
            (by exact Std.le_of_lt (Std.not_le.mp (by assumption)))
      exact ⟨U', V', b, a, d, c, g, f⟩
  obtain ⟨U', V', hU', hV', hUV', hVU', tU', tV'⟩ := bal
  obtain ⟨X, Y, hX, hY, eU, eV⟩ := exists_split e he U' V' (fun o => (hU' o).1) hUV' hVU'
  clear h0 h1 facts sU sV
  have sumU : lsum os U' = e * lsum os X + lsum os Y := by
    rw [← lsum_smul, ← lsum_add]
    exact lsum_congr _ _ _ fun o _ => eU o
  have sumV : lsum os V' = lsum os X + e * lsum os Y := by
    rw [← lsum_smul, ← lsum_add]
    exact lsum_congr _ _ _ fun o _ => eV o
  have hne : 1 + e ≠ 0 := by grind
  have hXY : lsum os X = lsum os Y ∨ e = 1 := by
    by_cases h2 : e = 1
    · exact Or.inr h2
    · left
      have : (e - 1) * (lsum os X - lsum os Y) = 0 := by grind
      clear he hδ1 hn hc hμ hν m0 n0 hUμ hVν tμ tν sub hU' hV' hUV' hVU' hX hY eU eV hne
      grind
  obtain ⟨T0, hT0⟩ := exists_normalised os (fun o => μ.mass o - U' o)
    (fun o _ => sub_nonneg' (Std.le_trans (hU' o).2 (hUμ o))) μ
  obtain ⟨T3, hT3⟩ := exists_normalised os (fun o => ν.mass o - V' o)
    (fun o _ => sub_nonneg' (Std.le_trans (hV' o).2 (hVν o))) μ
  have s0 : lsum os (fun o => μ.mass o - U' o) = δ := by rw [sub, tμ, tU']; grind
  have s3 : lsum os (fun o => ν.mass o - V' o) = δ := by rw [sub, tν, tV']; grind
  have fin : ∀ X Y : O → K, (∀ o, 0 ≤ X o) → (∀ o, 0 ≤ Y o) → (∀ o, U' o = e * X o + Y o) →
      (∀ o, V' o = X o + e * Y o) → lsum os X = lsum os Y →
      ∃ T : Symbol → FinLaw K O, ∀ f : O → K,
        μ.E f = sumSymbols (fun q => rr e δ false q * (T q).E f) ∧
        ν.E f = sumSymbols (fun q => rr e δ true q * (T q).E f) := by
    intro X Y hX hY eU eV hXY
    obtain ⟨T1, hT1⟩ := exists_normalised os X (fun o _ => hX o) μ
    obtain ⟨T2, hT2⟩ := exists_normalised os Y (fun o _ => hY o) μ
    have sumU : lsum os U' = e * lsum os X + lsum os Y := by
      rw [← lsum_smul, ← lsum_add]
      exact lsum_congr _ _ _ fun o _ => eU o
    have sX : lsum os X = (1 - δ) / (1 + e) := by grind
    have sY : lsum os Y = (1 - δ) / (1 + e) := by grind
    refine ⟨fun q => match q with
      | .zero => T0
      | .one => T1
      | .two => T2
      | .three => T3, fun f => ?_⟩
    have d0 := hT0 f
    have d1 := hT1 f
    have d2 := hT2 f
    have d3 := hT3 f
    rw [s0] at d0
    rw [sX] at d1
    rw [sY] at d2
    rw [s3] at d3
    have eμ : μ.E f = lsum os (fun o => (μ.mass o - U' o) * f o)
        + (e * lsum os (fun o => X o * f o) + lsum os fun o => Y o * f o) := by
      rw [← lsum_smul, ← lsum_add, ← lsum_add]
      show wsum μ.list f = _
      rw [wsum_eq_lsum μ.list os hn hμ]
      apply lsum_congr
      intro o _
      have := eU o
      show f o * μ.mass o = _
      clear he hδ1 hn hc hμ hν m0 n0 hUμ hVν tμ tν sub hU' hV' hUV' hVU' tU' tV' sumV hne hT0 hT3
        s0 s3 hX hY eU eV hXY hT1 hT2 sumU sX sY d0 d1 d2 d3
      grind
    have eν : ν.E f = lsum os (fun o => (ν.mass o - V' o) * f o)
        + (lsum os (fun o => X o * f o) + e * lsum os fun o => Y o * f o) := by
      rw [← lsum_smul, ← lsum_add, ← lsum_add]
      show wsum ν.list f = _
      rw [wsum_eq_lsum ν.list os hn hν]
      apply lsum_congr
      intro o _
      have := eV o
      show f o * ν.mass o = _
      clear he hδ1 hn hc hμ hν m0 n0 hUμ hVν tμ tν sub hU' hV' hUV' hVU' tU' tV' sumV hne hT0 hT3
        s0 s3 hX hY eU eV hXY hT1 hT2 sumU sX sY d0 d1 d2 d3 eμ
      grind
    rw [eμ, eν, d0, d1, d2, d3]
    simp only [sumSymbols, rr]
    constructor <;> grind
  rcases hXY with hXY | he1
  · exact fin X Y hX hY eU eV hXY
  · -- for `e = 1` any split of `U' = V'` into two halves will do
    subst he1
    have h3 : 0 ≤ (2 : K)⁻¹ := inv_nonneg_of_pos zero_lt_two
    have h2 : (2 : K)⁻¹ * 2 = 1 := by
      have : (2 : K) ≠ 0 := ne_of_pos' zero_lt_two
      clear hδ1 hn hc hμ hν m0 n0 tμ tν sub tU' tV' hX hY hT0 hT3 s0 s3 he hUμ hVν hU' hV' hUV'
        hVU' eU eV sumU sumV hne fin h3
      grind
    have hUVe : ∀ o, U' o = V' o := fun o => by
      have a := hUV' o
      have b := hVU' o
      clear hδ1 hn hc hμ hν m0 n0 tμ tν sub tU' tV' hX hY hT0 hT3 s0 s3 he hUμ hVν hU' hV' hUV'
        hVU' eU eV sumU sumV hne fin h3 h2
      grind
    refine fin (fun o => 2⁻¹ * U' o) (fun o => 2⁻¹ * U' o) (fun o => mul_nonneg' h3 (hU' o).1)
      (fun o => mul_nonneg' h3 (hU' o).1) (fun o => by grind) (fun o => ?_) rfl
    have := hUVe o
    clear hδ1 hn hc hμ hν m0 n0 tμ tν sub tU' tV' hX hY hT0 hT3 s0 s3 he hUμ hVν hU' hV' hUV' hVU'
      eU eV sumU sumV hne fin h3 h2 hUVe
    grind

end PrivRef
