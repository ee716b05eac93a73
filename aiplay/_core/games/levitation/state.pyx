"""The numbers of Levitation that Python shares with the core, declared in state.pxd."""
