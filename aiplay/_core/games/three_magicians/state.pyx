"""The constants of The Three Magicians for Python, declared in state.pxd."""
