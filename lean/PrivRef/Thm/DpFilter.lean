/-
Theorem 2 of Whitehouse, Ramdas, Rogers, Wu (ICML 2023), the filter for `(ε, δ)`-DP rounds with
adaptively chosen parameters, for finite laws.
-/
module

public import PrivRef.Thm.Cosh

@[expose] public section

set_option linter.unusedSectionVars false

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField)

attribute [local instance] Lean.Grind.Semiring.natCast Lean.Grind.Ring.intCast

/-- A request: neighbouring databases, and a mechanism with finite laws that is `(ε, δ)`-DP. -/
structure DpRequest (F : ExpField) where
  D : Type u
  nbr : Neighbours D
  x : Bool → D
  neighbours : nbr.rel (x false) (x true)
  O : Type u
  mech : D → FinLaw F.K O
  eps : F.K
  delta : F.K
  eps_nonneg : 0 ≤ eps
  delta_nonneg : 0 ≤ delta
  delta_le_one : delta ≤ 1
  dp : IsDPSet (expFieldLike F) nbr mech eps delta

/-- An analyst who chooses databases, mechanisms, `ε` and `δ` of every request from all that was seen,
with coins, and without a bound on the number of requests. -/
inductive DpAnalyst (F : ExpField) : Type (u + 1) where
  | stop : DpAnalyst F
  | coin (S : Type u) (ρ : FinLaw F.K S) (next : S → DpAnalyst F) : DpAnalyst F
  | request (q : DpRequest.{u} F) (next : q.O → DpAnalyst F) : DpAnalyst F

variable {F : ExpField} (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))

/-- The request as one of the zCDP filter: its cost is `ρ = ε²/2`. -/
noncomputable def DpRequest.charged (q : DpRequest.{u} F) :
    RenyiQuery.{u} (expFieldLike F) (allOrders F.K) where
  D := q.D
  nbr := q.nbr
  x := q.x
  neighbours := q.neighbours
  O := q.O
  tests := Tests.all F.K q.O
  mech x := (q.mech x).toLaw
  cost := zcdpCost (q.eps * q.eps / 2)
  delta := q.delta
  cost_nonneg := zcdpCost_nonneg (by have := mul_nonneg' q.eps_nonneg q.eps_nonneg; grind)
  delta_nonneg := q.delta_nonneg
  guarantee := dp_mechanism_is_approximately_zcdp F arch q.nbr q.mech q.eps q.delta q.eps_nonneg
    q.delta_nonneg q.delta_le_one q.dp

/-- The analyst before the zCDP filter, who stops where a request is rejected. -/
noncomputable def DpAnalyst.charged : DpAnalyst.{u} F →
    RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)
  | .stop => .stop
  | .coin S ρ next => .coin S (Tests.all F.K S) ρ.toLaw fun s => (next s).charged
  | .request q next => .request (q.charged arch) (fun o => (next o).charged) .stop

theorem DpAnalyst.adm (G : Filter ((allOrders F.K).I → F.K) F.K) (s : G.S) (g : DpAnalyst.{u} F)
    (f : (g.charged arch).View → F.K) : RenyiAnalyst.Adm G s (g.charged arch) f := by
  induction g generalizing s with
  | stop => trivial
  | coin S ρ next ih => exact ⟨fun r => ih r s _, fun _ => trivial⟩
  | request q next ih => exact ⟨trivial, fun o => ih o _ _, fun _ => trivial⟩

/-- The filter of Theorem 2 lets a request through while `∑ ε² ≤ V` and `∑ δ ≤ δt`. -/
theorem dp_filter_decides_by_the_sum_of_squares (V v e : F.K) :
    (∀ m, zcdpCost (v / 2) m + zcdpCost (e * e / 2) m ≤ zcdpCost (V / 2) m) ↔ v + e * e ≤ V := by
  rw [zcdp_costs_fit_iff_their_sum_fits]
  constructor <;> intro h <;> grind

/-- **The filter for `(ε, δ)`-DP rounds is private** (Whitehouse et al. 2023, Theorem 2).  Let
`δ' = e^{-L}`, and let `V` be such that `√(2 log (1/δ') V) + V/2 ≤ ε`, the root being `s`.  For the
filter that lets requests through while `∑ ε_i² ≤ V` and `∑ δ_i ≤ δ`, for every analyst and every test
function of the view, in both directions,
`E f(V^b) ≤ e^ε E f(V^{1-b}) + δ + (1 - δ) δ'`, so at most `δ + δ'`. -/
theorem dp_filter_is_private (V δ L s ε : F.K) (hV : 0 ≤ V) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1)
    (hs : 0 ≤ s) (hsL : s * s = 2 * L * V) (hε : s + V / 2 ≤ ε) (g : DpAnalyst.{u} F)
    (f : (g.charged arch).View → F.K) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost (V / 2)) δ) b
        (renyiStart (allOrders F.K) (zcdpCost (V / 2)) δ) (g.charged arch) f
      ≤ δ + (1 - δ) * F.exp (-L)
        + F.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost (V / 2)) δ) (!b)
            (renyiStart (allOrders F.K) (zcdpCost (V / 2)) δ) (g.charged arch) f :=
  zcdp_filter_is_private_by_lemma_1 F (V / 2) δ (by grind) hδ hδ1 L (s / 2) ε (by grind)
    (by grind) (by grind) (g.charged arch) f (g.adm arch _ _ f) h0 h1 b

end PrivRef
