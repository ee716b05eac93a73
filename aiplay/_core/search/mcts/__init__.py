"""Monte Carlo tree search."""
