/-
`PrivRef`: a kernel-checked reference for differential-privacy composition.
Read `PrivRef.Statements` first.
-/
module

public import PrivRef.Example
public import PrivRef.Numerics
public import PrivRef.Reals.Complete
public import PrivRef.Protocol
public import PrivRef.Spec
public import PrivRef.Thm
public import PrivRef.Statements
