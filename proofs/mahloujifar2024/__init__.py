"""Mahloujifar, Melis, Chaudhuri 2024, Auditing f-differential privacy in one run."""
