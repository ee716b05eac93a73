"""Expectimax: looking ahead through every move and every outcome of chance."""
