"""Builds and checks the Lean library on a machine that has nothing but Python.

``toolchain`` finds or installs a Lean, ``modules`` reads the import graph, ``build`` compiles it,
``source`` and ``olean`` look for cheats, ``declared`` checks that what the documentation names
exists, and ``cli`` ties them together. Only the standard library is used.
"""
