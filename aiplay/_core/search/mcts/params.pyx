"""The constants of MCTS, declared in params.pxd."""
