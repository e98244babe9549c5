"""Values that many plans use."""

from __future__ import annotations

#: Deltas that people use, and deltas below what 1 - delta can show in binary64.
DELTAS = ("1e-5", "1e-6", "1e-10")
TINY_DELTAS = ("1e-18", "1e-30", "1e-300")
EPSILONS = ("1/100", "0.1", "1/2", "1", "3")
TENTH = "0.1"
#: The doubles nearest to 1/10 and 1/3, and the neighbours of 1, as doubles are spelled exactly.
TENTH_DOUBLE = "0x1.999999999999ap-4"
THIRD_DOUBLE = "0x1.5555555555555p-2"
ABOVE_ONE_DOUBLE = "0x1.0000000000001p+0"
BELOW_ONE_DOUBLE = "0x1.fffffffffffffp-1"
LEAST_SUBNORMAL = "0x0.0000000000001p-1022"
LEAST_NORMAL = "0x1.0000000000000p-1022"
LARGEST_DOUBLE = "0x1.fffffffffffffp+1023"
