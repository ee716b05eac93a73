"""The native games."""
