"""The constants of expectimax, declared in params.pxd."""
