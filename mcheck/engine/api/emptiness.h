/* The search for a fair accepting cycle in an implicit graph. It knows nothing of programs: a graph is what `cy_graph`
 * says, states are named by (root, q), edges carry marks.
 *
 * A cycle is accepted if its edges carry all marks of `all` (generalised Buechi: acceptance sets of an automaton, and weak
 * fairness), and for each strong pair i: if a state of it has bit i of `enabled`, an edge of it has bit `taken` + i.
 */
#ifndef MC_CYCLES_H
#define MC_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

struct cy_edge { uint64_t root, marks; uint32_t q, ordinal; };

/* What cycles are worth that stay in one component of the automaton: a transient one has none, of a rejecting one none is
 * accepted, of a terminal and a weak one each that has the marks of others than the automaton. From a terminal one each
 * run can go on to an accepted one: to reach it is enough. */
enum cy_strength { CY_TRANSIENT, CY_REJECTING, CY_TERMINAL, CY_WEAK, CY_STRONG };

struct cy_graph {
    void *context;
    uint64_t initial_root;
    uint32_t initial_q;
    /* The edges that leave a state, good until the next call, and the strong pairs that are enabled in it. */
    uint32_t (*edges)(void *context, uint64_t root, uint32_t q, const struct cy_edge **edges, uint64_t *enabled);
    uint64_t all;
    uint32_t taken, pairs; /* marks taken .. taken + pairs - 1 */
    uint64_t own;            /* of `all`, the automaton's own marks */
    const uint8_t *strength; /* by q, of its component; NULL: not known, as if all were strong */
};

enum cy_verdict { CY_NONE, CY_FOUND, CY_STOPPED, CY_NO_MEMORY, CY_FAULTED /* the graph could not say its edges */ };
enum cy_search { CY_COMPONENTS, CY_NESTED };

struct cy_statistics { uint64_t states, edges, components, again; uint32_t depth; };

/* A step of a lasso: the state, and the number of the edge (as the graph gave it) that leads on; CY_NO_EDGE: of the last
 * one of a way to a terminal state, which has no cycle. */
enum { CY_NO_EDGE = UINT32_MAX };
struct cy_step { uint64_t root; uint32_t q, ordinal; };

struct cy_result {
    uint32_t verdict;
    uint32_t prefix, length; /* steps before the cycle, and in all; the same: there is no cycle */
    struct cy_step *steps;   /* freed by cy_free */
    struct cy_statistics s;
    uint32_t shortest;   /* of a way without a cycle: no other one is shorter */
    uint32_t state_size; /* of each step the automaton's state in so many bytes, if `q` is only a number for it */
    uint8_t *state;      /* freed by cy_free */
};

/* `stop`: looked at now and then; not 0: CY_STOPPED. `most_states` 0: no limit. */
void cy_search(const struct cy_graph *g, enum cy_search how, uint64_t most_states, const _Atomic int *stop, struct cy_result *out);
void cy_free(struct cy_result *r);

/* An explicit graph: the edges of state i are first[i] .. first[i + 1] - 1. For tests of the search. */
struct cy_explicit { const uint32_t *first, *target; const uint64_t *marks, *enabled; };
void cy_search_explicit(const struct cy_explicit *x, uint32_t initial, uint64_t all, uint32_t taken, uint32_t pairs,
                        uint32_t how, struct cy_result *out);

#endif
