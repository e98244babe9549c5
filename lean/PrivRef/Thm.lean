module

public import PrivRef.Thm.Accountant
public import PrivRef.Thm.Basic
public import PrivRef.Thm.BoundedLoss
public import PrivRef.Thm.BoundedRange
public import PrivRef.Thm.Census
public import PrivRef.Thm.CensusConvolution
public import PrivRef.Thm.Certificate
public import PrivRef.Thm.Composition
public import PrivRef.Thm.Convolution
public import PrivRef.Thm.Cosh
public import PrivRef.Thm.DataProcessing
public import PrivRef.Thm.Discrete
public import PrivRef.Thm.DiscreteNoise
public import PrivRef.Thm.Dominating
public import PrivRef.Thm.DpCertificate
public import PrivRef.Thm.DpFilter
public import PrivRef.Thm.DpRound
public import PrivRef.Thm.ExPost
public import PrivRef.Thm.Gaussian
public import PrivRef.Thm.GaussianLosses
public import PrivRef.Thm.GaussianMix
public import PrivRef.Thm.GaussianSharp
public import PrivRef.Thm.Gdp
public import PrivRef.Thm.GdpBins
public import PrivRef.Thm.GdpCertificate
public import PrivRef.Thm.Geometric
public import PrivRef.Thm.Grid
public import PrivRef.Thm.Group
public import PrivRef.Thm.InAdvance
public import PrivRef.Thm.Iter
public import PrivRef.Thm.IterMap
public import PrivRef.Thm.Listed
public import PrivRef.Thm.Mechanisms
public import PrivRef.Thm.Mixed
public import PrivRef.Thm.Negative
public import PrivRef.Thm.Odp
public import PrivRef.Thm.OptDel
public import PrivRef.Thm.OptDelRat
public import PrivRef.Thm.OptimalComposition
public import PrivRef.Thm.RandomizedResponse
public import PrivRef.Thm.RangeCertificate
public import PrivRef.Thm.RangeMean
public import PrivRef.Thm.Reduction
public import PrivRef.Thm.Renyi
public import PrivRef.Thm.RenyiDp
public import PrivRef.Thm.RenyiView
public import PrivRef.Thm.Sampled
public import PrivRef.Thm.Sets
public import PrivRef.Thm.Sgd
public import PrivRef.Thm.Svt
public import PrivRef.Thm.Zcdp
public import PrivRef.Thm.ZcdpCertificate

/-!
All theorems of the library, file by file as in `Spec`.
-/
