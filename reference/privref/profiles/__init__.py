"""Profiles of the mechanisms that ran: pairs of laws, and two engines that compose them.

``model`` holds the pairs, exact parameters only. The grid (engine A) takes any mix of them; the contour and the
lattice (engine B) are independent mathematics for those whose moments are known in closed form.
"""
