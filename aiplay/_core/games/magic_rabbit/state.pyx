"""The constants of Magic Rabbit for Python, declared in state.pxd."""
