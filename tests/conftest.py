"""Set-up for all tests."""

import signal

# In the background of a shell, pytest starts with Ctrl-C ignored, and its child processes would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
