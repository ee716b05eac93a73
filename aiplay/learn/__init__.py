"""Learning: strategies of games with bluffing (`learn_equilibrium`)."""

from aiplay.learn.equilibrium import LearningState, learn_equilibrium

__all__ = ["LearningState", "learn_equilibrium"]
