"""The constants of Illusio, declared in state.pxd."""
