"""Learning: values of positions (`learn_value`), strategies of games with bluffing (`learn_equilibrium`)."""

from aiplay.learn.equilibrium import LearningState, learn_equilibrium
from aiplay.learn.value import Round, Settings, learn_value

__all__ = ["LearningState", "Round", "Settings", "learn_equilibrium", "learn_value"]
