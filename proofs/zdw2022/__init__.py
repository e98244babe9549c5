"""Zhu, Dong, Wang 2022, Optimal accounting of differential privacy via characteristic function."""
