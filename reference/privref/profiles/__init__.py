"""Profiles of the mechanisms that ran: pairs of laws, and two engines that compose them.

``model`` holds the pairs, exact parameters only. The grid (engine A) takes any mix of them; the inversion of transforms
(engine B: ``inversion`` for declared mechanisms, ``contour`` for subsampled ones) is independent mathematics for those
whose transforms are known in closed form.
"""
