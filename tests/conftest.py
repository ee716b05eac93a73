"""What all tests share."""

import signal

# A run in the background of a shell starts with Ctrl-C ignored, and so would the commands that tests interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
