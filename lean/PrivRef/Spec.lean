module

public import PrivRef.Spec.Accountant
public import PrivRef.Spec.AccountantGame
public import PrivRef.Spec.Basic
public import PrivRef.Spec.Census
public import PrivRef.Spec.Countable
public import PrivRef.Spec.Discrete
public import PrivRef.Spec.Dominating
public import PrivRef.Spec.DpFilter
public import PrivRef.Spec.ExPost
public import PrivRef.Spec.Field
public import PrivRef.Spec.Game
public import PrivRef.Spec.Gaussian
public import PrivRef.Spec.Geometric
public import PrivRef.Spec.Group
public import PrivRef.Spec.InAdvance
public import PrivRef.Spec.Iter
public import PrivRef.Spec.IterMap
public import PrivRef.Spec.Law
public import PrivRef.Spec.Listed
public import PrivRef.Spec.Mechanisms
public import PrivRef.Spec.Mixed
public import PrivRef.Spec.Negative
public import PrivRef.Spec.Odp
public import PrivRef.Spec.Normal
public import PrivRef.Spec.OptDel
public import PrivRef.Spec.OptDelRat
public import PrivRef.Spec.Renyi
public import PrivRef.Spec.RenyiView
public import PrivRef.Spec.Sampled
public import PrivRef.Spec.Sets
public import PrivRef.Spec.Svt

/-!
All definitions of the library.  No file under `Spec` imports a file under `Thm`.
-/
