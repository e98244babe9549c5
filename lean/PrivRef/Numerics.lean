module

public import PrivRef.Numerics.Cast
public import PrivRef.Numerics.Exp
public import PrivRef.Numerics.Formulas
public import PrivRef.Numerics.Check
public import PrivRef.Numerics.Table1

/-!
Verified numerics: statements about `exp`, `log` and roots, decided by the kernel from the two
axioms `exp (a + b) = exp a * exp b` and `1 + x ≤ exp x`.  Numeric certificates import this module
alone.
-/
