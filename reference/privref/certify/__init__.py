"""From certificates to proofs that Lean's kernel checks."""
