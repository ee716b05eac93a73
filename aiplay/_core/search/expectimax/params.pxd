# Everything that can be tuned in expectimax, in one struct; the player makes it from its options.

cpdef enum:
    PRUNE_NONE = 0          # search everything
    PRUNE_ALPHABETA = 1     # alpha-beta between chance nodes
    PRUNE_STAR1 = 2         # alpha-beta, and bounds on the children of chance nodes
    PRUNE_STAR2 = 3         # Star1, and probing of these children


ctypedef struct ExpectimaxParams:
    int pruning             # PRUNE_*
    int is_ordered          # 1: promising moves are tried first
    int width               # outcomes of chance to try between two decisions, sampled from more; 0: all of them
    int playout_depth       # moves of the game's `playout_move` beyond the depth, before the evaluation
