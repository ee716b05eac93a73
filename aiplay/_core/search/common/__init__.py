"""What all searches share: clock and stop flag, memory for states, values of positions."""
