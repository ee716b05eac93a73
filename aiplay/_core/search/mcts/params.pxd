# Everything that can be tuned in MCTS, in one struct; players/mcts.py makes it from the player's options.

cdef enum:
    PRIOR_NONE = 0
    PRIOR_WEIGHTS = 1       # the game's `priors`
    PRIOR_VALUES = 2        # `evaluate` after each move

cdef enum:
    PLAYOUT_RANDOM = 0      # any legal move
    PLAYOUT_GAME = 1        # the game's `playout_move`
    PLAYOUT_GREEDY = 2      # the move with the best `evaluate`


ctypedef struct MctsParams:
    double exploration      # weight of the exploration term (UCB1, rewards in 0..1)
    double fpu              # first-play urgency: the value that a move is thought to have before it is tried
    double prior_weight     # weights: of exploration, which then follows the weights (PUCT, no `fpu`);
                            # values: how many visits the game's opinion counts for
    double epsilon          # share of random moves in playouts that are not random anyway
    int prior               # PRIOR_*: where priors come from
    int prior_visits        # visits of a node before its priors are computed (they cost like several playouts)
    int playout             # PLAYOUT_*
    int playout_depth       # moves of a playout before `evaluate` decides, or PLAY_TO_THE_END
    int is_open             # 1: every seat sees everything (open games, and each world of PIMC)
    int follows_game        # 1: the other seats move as the game's `playout_move` does
    int has_solver          # 1: back up proven results (open games)
    int is_scaled           # 1: explore in proportion to how much rewards vary; 0: as if all were 0 or 1
    int keeps_next          # 1: note where the tree goes on at the seat's next decision, for reuse
