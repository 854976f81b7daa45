/* A breadth-first search in progress: what its parts (breadth.c, paths.c, stuck.c) share. */
#ifndef MC_SEARCH_H
#define MC_SEARCH_H

#include "roots.h"
#include "successors.h"

enum { MC_WINDOW = 64, MC_ERRORS_ROOM = 4096, MC_LOG_ROOM_BITS = 37, MC_FRONTIER_ROOM_BITS = 38 };

/* A successor on its way into the table. */
struct mc_pending { uint64_t mixed; uint32_t a, b; uint32_t ordinal; uint32_t owner; };

/* States are numbered in the order in which they were found; the frontier holds the roots of the states from `expanded`
 * on; the log says of each state who found it and by which successor. */
struct mc_engine {
    struct mc_space space;
    struct mc_worker worker;
    struct mc_statistics s;
    volatile int interrupted;
    struct mc_roots roots;

    uint64_t *frontier; /* by state number; only from `frontier_given_back` on is in memory */
    uint64_t frontier_given_back, measured_at;
    uint8_t *log;
    uint64_t log_used;
    uint64_t level_end;
    struct mc_pending window[MC_WINDOW * 2];
    uint32_t window_used;
    uint32_t last_owner; /* of the last entry of the log */

    struct mc_error *errors;
};

double mc_now(void);

#endif
