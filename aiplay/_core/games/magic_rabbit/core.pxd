from aiplay._core.game cimport Game
from aiplay._core.games.magic_rabbit.state cimport MagicRabbitRules


cdef class MagicRabbitCore(Game):
    cdef MagicRabbitRules rules
