"""Doors with a defect, to show that each kind of defect is found."""

import os
import signal
import time

from reliability.doors import Door


class Planted(Door):
    """Has its defect in case 3 only."""

    def make(self, stream):
        return stream.bits()

    def enter(self, given):
        self.cases = getattr(self, "cases", 0) + 1
        if self.cases == 4:
            self.fail()


class OtherError(Planted):
    name = "planted-error"

    def fail(self):
        raise KeyError("not ours")


class Crash(Planted):
    name = "planted-crash"

    def fail(self):
        os.kill(os.getpid(), signal.SIGSEGV)


class Hang(Planted):
    name = "planted-hang"

    def fail(self):
        time.sleep(1e6)


class Memory(Planted):
    name = "planted-memory"

    def fail(self):
        bytearray(2**40)


DOORS = [OtherError, Crash, Hang, Memory]
