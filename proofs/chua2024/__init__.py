"""Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang 2024, How private are DP-SGD implementations?"""
