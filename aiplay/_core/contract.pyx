"""The constants of the contract of a game, declared in contract.pxd."""
