"""McKenna, Sheldon 2020: permute-and-flip."""
