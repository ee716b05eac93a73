# Everything that can be tuned in MCTS, in one struct; the player makes it from its options.

from libc.stdint cimport uint64_t

cpdef enum:
    PRIOR_NONE = 0
    PRIOR_WEIGHTS = 1       # the game's `priors`
    PRIOR_VALUES = 2        # the value after each move: the game's evaluation, or a trained one
    PRIOR_OWN = 3           # the game's evaluation after each move, also with a trained value


ctypedef struct MctsParams:
    double exploration      # weight c of exploration: c * sqrt(log(N) / n), rewards in 0..1
    double root_exploration # at the root sqrt(log(N)) is at least root_exploration * sqrt(N)
    double fpu              # first-play urgency: the value of a move before it is tried
    double prior_weight     # weights: weight of exploration by them (PUCT, without `fpu`);
                            # values: number of visits that the evaluation counts for
    double widening         # nodes below an edge with chance: at most widening * sqrt(visits); 0: no limit
    double epsilon          # share of random moves in playouts by a policy
    double blur             # part of a judgement that is a guess (misjudge.pxd), 0 .. 1
    uint64_t guess_seed     # of these guesses
    int prior               # PRIOR_*
    int prior_visits        # visits of a node before its priors are computed (they cost like several playouts)
    int playout             # PLAYOUT_*
    int playout_depth       # moves of a playout before the evaluation decides, or PLAY_TO_THE_END
    int is_open             # 1: every seat sees everything (open games, and each world of PIMC)
    int follows_game        # 1: the other seats move as the game's `playout_move` does
    int has_solver          # 1: back up proven results (open games)
    int is_scaled           # 1: exploration in proportion to the deviation of rewards; 0: as if all were 0 or 1
    int keeps_next          # 1: note the nodes of the seat's next decision, for reuse
