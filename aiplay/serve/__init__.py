"""A page to play on, and the server behind it. See docs/serving.md."""
