"""The figures and tables of the papers, computed again from certified values."""
