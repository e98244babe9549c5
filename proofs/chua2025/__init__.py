"""Chua, Ghazi, Harrison, Leeman, Kamath, Kumar, Manurangsi, Sinha, Zhang 2025, Balls-and-bins sampling for DP-SGD."""
