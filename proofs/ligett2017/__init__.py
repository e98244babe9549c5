"""Ligett, Neel, Roth, Waggoner, Wu 2017, Accuracy first."""
