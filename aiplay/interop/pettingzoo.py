"""The games of this library as PettingZoo environments (AEC: agents take turns).

=============  =========================================================================================
agents         ``player_0`` to ``player_N``, one for each seat
actions        moves, ``Discrete(game.move_space)``
observations   ``{"observation": float32 from 0 to 1, "action_mask": int8}``. First the numbers of
               ``view.observation()`` (in the order of ``game.observation_layout``), then a 1 for the
               agent's own seat and a 0 for every other. The mask has a 1 for every legal action, and
               only zeros when it is not the agent's turn
rewards        0 until the game is over, then the returns
chance         played by the environment, from the seed of ``reset``
=============  =========================================================================================

An agent observes its view only. ``render`` is for spectators: it shows the true state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import aiplay
from aiplay import RandomStream, Table
from aiplay._core.game import Game
from aiplay.interop.needs import needed

pettingzoo: Any = needed("pettingzoo", "pettingzoo")
spaces: Any = needed("gymnasium.spaces", "pettingzoo")
wrappers: Any = needed("pettingzoo.utils.wrappers", "pettingzoo")

__all__ = ["PettingZooEnv", "env"]

RENDER_MODES = ("human", "ansi")


def env(name: str, /, render_mode: str | None = None, **options: object) -> Any:
    """Return the game of that name with these options, wrapped to give clear errors for calls in the wrong order."""
    return wrappers.OrderEnforcingWrapper(PettingZooEnv(aiplay.load_game(name, **options), render_mode))


class PettingZooEnv(pettingzoo.AECEnv):  # type: ignore[misc]
    """A game as an environment; ``table`` is the referee behind it."""

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is {render_mode!r}; allowed: None, {', '.join(RENDER_MODES)}")
        if not game.move_space:
            raise TypeError(f"{game.name} has no bound on the numbers of its moves: set move_space")
        size = max(part.stop for part in game.observation_layout.values()) + game.seats
        self.game, self.render_mode = game, render_mode
        self.metadata = {
            "name": f"aiplay_{game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.seats)]
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.Discrete(game.move_space) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (game.move_space,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._seeds = RandomStream()

    def action_space(self, agent: str) -> Any:
        """Return the space of moves."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        """Return the space of observations with action masks."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. Without a seed, it follows from the last seed given."""
        if seed is not None:
            self._seeds = RandomStream(seed)
        self.table = Table(self.game, seed=self._seeds.bits())
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.table.to_move]

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """Return what the agent's seat sees, and its legal moves."""
        seat = self.possible_agents.index(agent)
        view = self.table.view(seat)
        own_seat = np.zeros(self.game.seats, np.float32)
        own_seat[seat] = 1
        mask = np.zeros(self.game.move_space, np.int8)
        mask[view.legal_moves()] = 1
        return {"observation": np.concatenate((view.observation(), own_seat)), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Make a move; an illegal one raises IllegalMoveError and changes nothing."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.table.play(action)
        self._cumulative_rewards[agent] = 0.0
        if self.table.over:
            self.rewards = dict(zip(self.agents, self.table.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.agents[self.table.to_move]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return (ansi) or print (human) the true state as text, hidden cards included."""
        if self.render_mode is None:
            raise ValueError(
                f"nothing to render: make the environment with a render_mode, one of {RENDER_MODES}"
            )
        if self.render_mode == "ansi":
            return str(self.table)
        print(self.table, end="\n\n")
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
