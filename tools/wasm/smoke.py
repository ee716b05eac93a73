"""A short game in the Python that the wheel was built for, without numpy. cibuildwheel runs it in Pyodide."""

import aiplay

for name in aiplay.game_names():
    table = aiplay.Table(aiplay.load_game(name), seed=1)
    players = [aiplay.make_player("mcts:iterations=20", seed=seat) for seat in range(table.game.seats)]
    while not table.over and len(table.moves) < 100:
        table.play(players[table.to_move].choose(table.view(table.to_move)))
    print(name, len(table.moves), table.legal_moves()[:3])
