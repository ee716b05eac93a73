/* UCT on connect four and nothing else: how fast one search of one game can be in plain C (see bare_uct.py).

   The board has seven columns of seven bits; the top bit of a column stays empty. `own` are the stones of the side to
   move, `all` those of both. Nodes are in one array, the children of a node in a row. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, HEIGHT = 6, STRIDE = HEIGHT + 1, MAX_PATH = COLUMNS * HEIGHT + 1 };

static const uint64_t BOTTOM = 0x0000040810204081; /* the lowest field of every column */

typedef struct {
    double value;      /* sum of the rewards of the side that moved here: 1 a win, 0.5 a draw */
    uint32_t visits;
    uint32_t children; /* the first child, 0 before it is expanded */
    uint8_t n_children;
    uint8_t column;    /* the move that leads here */
} Node;

static uint64_t next_random(uint64_t *stream) {
    uint64_t z = (*stream += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

static uint32_t random_below(uint64_t *stream, uint32_t n) {
    return (uint32_t)(((next_random(stream) >> 32) * n) >> 32);
}

static int is_four(uint64_t stones, int step) {
    uint64_t pairs = stones & (stones >> step);
    return (pairs & (pairs >> 2 * step)) != 0;
}

static int has_four(uint64_t stones) {
    return is_four(stones, 1) || is_four(stones, STRIDE - 1) || is_four(stones, STRIDE) || is_four(stones, STRIDE + 1);
}

static uint64_t open_fields(uint64_t all) { /* the lowest empty field of every column that is not full */
    return (all + BOTTOM) & (((uint64_t)1 << HEIGHT) - 1) * BOTTOM;
}

static uint64_t random_field(uint64_t open, uint64_t *stream) { /* one of some open fields, in a random column */
    for (;;) {
        uint64_t field = open & ((uint64_t)(1 << HEIGHT) - 1) << STRIDE * random_below(stream, COLUMNS);
        if (field)
            return field;
    }
}

static double play_out(uint64_t own, uint64_t all, uint64_t *stream) { /* reward of the side to move */
    for (double reward = 1.0;; reward = 1.0 - reward) {
        uint64_t open = open_fields(all);
        if (!open)
            return 0.5;
        open = random_field(open, stream);
        if (has_four(own | open))
            return reward;
        own ^= all; /* the stones of the other side */
        all |= open;
    }
}

static uint32_t expand(Node *nodes, uint32_t *n_nodes, uint32_t node, uint64_t all) {
    uint64_t open = open_fields(all);
    nodes[node].children = *n_nodes;
    for (int column = 0; column < COLUMNS; column++) {
        if (open >> (STRIDE * column) & (((uint64_t)1 << HEIGHT) - 1)) {
            memset(&nodes[*n_nodes], 0, sizeof(Node));
            nodes[(*n_nodes)++].column = (uint8_t)column;
            nodes[node].n_children++;
        }
    }
    return nodes[node].n_children;
}

static uint32_t best_child(const Node *nodes, const Node *node, double exploration, uint64_t *stream) {
    double unknown = exploration * sqrt(log(node->visits)), best_score = -1.0;
    uint32_t start = random_below(stream, node->n_children), best = 0;
    for (uint32_t i = 0; i < node->n_children; i++) {
        uint32_t k = start + i < node->n_children ? start + i : start + i - node->n_children;
        const Node *child = &nodes[node->children + k];
        double root = 1.0 / sqrt(child->visits);
        double score = child->visits ? child->value * root * root + unknown * root : 1.0 + unknown;
        if (score > best_score) {
            best_score = score;
            best = node->children + k;
        }
    }
    return best;
}

/* Searches the first move of connect four; writes the visits of every column. Returns the number of nodes, 0 if there
   is no memory. */
uint32_t bare_uct(uint32_t iterations, double exploration, uint64_t seed, uint32_t *visits) {
    Node *nodes = malloc(((size_t)iterations + 2) * (COLUMNS + 1) * sizeof(Node));
    uint32_t n_nodes = 1, path[MAX_PATH];
    uint64_t stream = seed;
    if (!nodes)
        return 0;
    memset(nodes, 0, sizeof(Node));
    nodes[0].visits = 1;
    for (uint32_t i = 0; i < iterations; i++) {
        uint64_t own = 0, all = 0;
        uint32_t node = 0, depth = 1;
        double reward = -1.0;               /* of the side to move at the leaf */
        path[0] = 0;
        while (reward < 0) {
            if (nodes[node].visits == 0 || (!nodes[node].children && !expand(nodes, &n_nodes, node, all))) {
                reward = play_out(own, all, &stream);
                break;
            }
            node = best_child(nodes, &nodes[node], exploration, &stream);
            path[depth++] = node;
            uint64_t field = (all + ((uint64_t)1 << (STRIDE * nodes[node].column)))
                & (((uint64_t)(1 << HEIGHT) - 1) << (STRIDE * nodes[node].column));
            if (has_four(own | field))
                reward = 0.0;               /* the side to move next has lost */
            own ^= all;
            all |= field;
        }
        while (depth--) {                   /* the value of a node is that of the side that moved there */
            reward = 1.0 - reward;
            nodes[path[depth]].visits++;
            nodes[path[depth]].value += reward;
        }
    }
    memset(visits, 0, COLUMNS * sizeof(uint32_t));
    for (uint32_t k = 0; k < nodes[0].n_children; k++)
        visits[nodes[nodes[0].children + k].column] = nodes[nodes[0].children + k].visits;
    free(nodes);
    return n_nodes;
}
