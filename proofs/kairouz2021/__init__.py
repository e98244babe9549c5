"""Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021: private learning without sampling or shuffling."""
