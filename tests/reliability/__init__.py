"""The parts of tests/hard_input.py and tests/soak.py."""
