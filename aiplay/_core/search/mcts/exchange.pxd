# Statistics of upper nodes that several searches of one position exchange.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from aiplay._core.search.mcts.search cimport Search
from aiplay._core.typedefs cimport MAX_SEATS, move_t


ctypedef struct Count:      # statistics of an edge
    double value            # sum of rewards
    uint32_t visits
    uint32_t available


# ---- What a search has found since it told the others: a log of nodes, each after the one above it -----------------

ctypedef struct LogEdge:
    Count found
    move_t move             # as in Edge
    uint32_t proof          # 1 + index of the proven values of the node below it, 0 for none


ctypedef struct LogNode:
    uint64_t key            # as in Node
    uint32_t above          # the node above it, NO_NODE for a root
    uint32_t edges          # its first edge
    move_t move             # the move that leads to it
    uint16_t n_edges
    uint8_t tree            # index of the tree
    uint8_t n_run           # outcomes of the run of chance that leads to it
    uint32_t run            # 1 + index of the first of them, 0 for none (or a run too long to keep)
    uint32_t draws          # as in Node


ctypedef struct Log:
    LogNode* nodes
    LogEdge* edges
    double* proofs          # values of every seat
    move_t* runs            # outcomes of runs
    uint32_t n_nodes
    uint32_t n_edges
    uint32_t n_proofs
    uint32_t n_runs
    uint32_t room_nodes     # entries allocated
    uint32_t room_edges
    uint32_t room_proofs
    uint32_t room_runs


# ---- What a search has told the others, and heard from them --------------------------------------------------------

ctypedef struct KnownEdge:
    Count known             # the part of its edge that the others know
    uint32_t fresh          # visits since the nodes below it were last looked at
    move_t move
    uint8_t is_proof_known  # 1: the others know that it is proven


ctypedef struct KnownNode:
    uint32_t node           # its index in the tree
    uint32_t next           # 1 + index of another entry with the same slot, 0 for none
    uint32_t edges          # its first edge
    uint32_t visits         # of the node, as the others know them
    uint16_t n_edges
    uint16_t capacity       # edges reserved


ctypedef struct Known:      # about one tree
    uint32_t* slots         # for every few cells of the tree: 1 + index of the first entry of their nodes, 0 for none
    KnownNode* nodes
    KnownEdge* edges
    uint32_t n_slots
    uint32_t n_nodes
    uint32_t n_edges
    uint32_t room_nodes     # entries allocated
    uint32_t room_edges


ctypedef struct Partner:    # a search that takes part
    Search* search
    Known known[MAX_SEATS]  # one for each of its trees
    Log logs[2]             # of this round and the last one, in turn
    uint32_t least          # new visits of a node that are worth telling
    int is_waiting          # 1: it waits for a thread to run it
    uint32_t* places        # buffer: its own node for each node of a log
    uint32_t room_places
    move_t* moves           # buffer: the moves of a node, which may have more edges than a position has moves
    uint32_t room_moves
    size_t memory           # most bytes that it may know


# Prepares one of n searches that have made no iterations yet; False if memory is used up. Before: `partner` is zeroed.
cdef bint open_partner(Partner* partner, Search* search, int n, size_t memory) noexcept nogil

# Frees all memory.
cdef void close_partner(Partner* partner) noexcept nogil

# Writes what a search has found since the last time into one of its two logs: at the root, and at nodes with at least
# `least` new visits.
cdef void tell(Partner* partner, int which, uint32_t least) noexcept nogil

# Adds what another search has written into a log.
cdef void hear(Partner* partner, const Log* log) noexcept nogil
