"""The constants of the contract between a game and everything that plays it, declared in contract.pxd."""
