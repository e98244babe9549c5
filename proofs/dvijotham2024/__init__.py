"""Dvijotham, McMahan, Pillutla, Steinke, Thakurta 2024: noise generation for streaming differential privacy."""
