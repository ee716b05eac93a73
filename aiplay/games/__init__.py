"""The Python faces of the games: options, notation and drawing over the native rules."""
