"""Mironov, Talwar, Zhang 2019, Renyi differential privacy of the sampled Gaussian mechanism."""
