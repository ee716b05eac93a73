from aiplay._core.game import Game, State

class MagicRabbitCore(Game):
    def fewest_switches(self, state: State) -> int: ...
