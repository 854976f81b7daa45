/* The engine of the checker: what Python gives it, and what it gives back. docs/contributing/engine.md explains the design.
 *
 * A state is a vector of components: one for each slot (its position and record) and one for each piece of the module
 * variables. A component's values are interned, so a state is a vector of small numbers, kept as a tree of pairs whose
 * root lies in a compact hash table. An action's effect on the few components that it touches is computed once, by
 * running the compiled action, and remembered.
 */
#ifndef MC_ENGINE_H
#define MC_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/slots.h"

struct mc_context; /* model/context.h */

/* A port's values are taken to lie between these. */
struct mc_assumed { uint32_t width, address, low, high; };

enum { MC_MOST_INPUTS = 128 }; /* of an action */

enum { MC_SLEEP_CLAUSE = 63 }; /* instead of a clause's number */

/* How an action may be remembered. */
enum mc_action_kind {
    MC_NONE = 0,     /* no action starts here */
    MC_LOCAL = 1,    /* touches its own slot and module variables */
    MC_ATTEMPT = 2,  /* may meet partners, one by one */
    MC_WHOLE = 3     /* reads more of the state: run in full each time */
};

struct mc_piece { uint32_t offset, size; };

struct mc_component {
    uint32_t first_piece, pieces, size;
    uint32_t class_number; /* components of one class share their values */
    int32_t slot;          /* -1: module variables */
    uint32_t position_size; /* of a slot: its first bytes are its position, */
    uint32_t first_number;  /* which stands for the number at this place of `numbers`, and further */
};

/* Where the innermost frame of a slot lies in its record: at `frame0`, or (field_size not 0) where the record says at `field`. */
struct mc_slot_frame { uint32_t frame0, field, field_size; };

struct mc_action {
    uint32_t kind;
    uint32_t first_touched, touched;   /* components of module variables that it may read or write */
    uint32_t first_partner, partners;  /* slots that it may meet */
    uint32_t timed;                    /* of a waiting position: bits of clauses that time can end; bit 31: a sleep */
    uint32_t closed_offset, closed_size; /* where the slot's innermost frame holds the closed clauses; size 0: nowhere */
    uint32_t idle;                     /* of a waiting position: it may rightly last for ever */
};

/* Of timers: numbers, or zones where something outside of the program may come between. */
enum mc_time_mode { MC_TIME_FREE = 0, MC_TIME_POINTS = 1, MC_TIME_ZONES = 2 };

/* A stamp: where a frame, or the bytes of a component, hold it; and the age from which on it grows no older. */
struct mc_stamp { uint32_t offset, bound; };
/* A component that may hold stamps. Of module variables: which; of slots the shapes tell it. */
struct mc_stamped { uint32_t component, first_stamp, stamps; };
/* By position: the stamps of its frame, where that holds the position to return to, and how far it is from the next frame. */
struct mc_stamp_shape { uint32_t first_stamp, stamps, return_offset, return_size, distance; };

struct mc_timing {
    uint32_t mode, timers;
    uint32_t component;              /* the timers; no block holds it */
    uint32_t has_clock, clock_component, clock_at;
    uint64_t wrap;                   /* the clock counts modulo this */
    const uint32_t *first_timer;     /* by slot, and one more */
    const uint32_t *clause;          /* by timer; MC_SLEEP_CLAUSE: a sleep */
    uint32_t measured;               /* properties tell apart times below this; 0: they measure none */
    uint32_t has_ages, most_clock;   /* the clock stays there, and stamps grow older instead */
    uint32_t stamped_count;
    const struct mc_stamped *stamped;
    const struct mc_stamp *stamp;
    const struct mc_stamp_shape *stamp_shape;
};

struct mc_program {
    uint32_t block_size, slots, positions, first_waiting, position_size; /* of the program */
    uint32_t components, classes, interrupts;
    const struct mc_piece *pieces;
    const struct mc_component *component;
    const uint32_t *slot_component;
    const struct mc_action *action;  /* by position number; [0] is unused */
    const uint32_t *touched;         /* component numbers */
    const uint32_t *partner;         /* slot numbers */
    const uint8_t *may_meet;         /* positions x positions: the action that starts at p may meet one that waits at q */
    const uint8_t *server;           /* by slot */
    const uint16_t *numbers;         /* positions are numbered anew, of program and environment together */
    const uint8_t *initial;          /* the block before the first step */
    uint32_t (*run)(uint8_t *b, struct mc_context *c, uint32_t slot);
    uint32_t (*wake)(uint8_t *b, struct mc_context *c, uint32_t slot, uint32_t clause);
    uint32_t (*interrupt)(uint8_t *b, struct mc_context *c, uint32_t bit);
    uint32_t room_before_block;      /* first a byte for each block of the flow graphs, then the policy block */
    uint32_t pending_offset;         /* of the bits of pending interrupts in the block */
    uint32_t blocks;                 /* of the flow graphs, and behind them `picks` */
    uint32_t tellings;               /* how many parts of variables an execution tells that it accesses */
    const uint32_t *told_component;  /* the component of each */
    const uint8_t *told;             /* by component: executions tell each access */
    const struct mc_slot_frame *frame; /* by slot */
    const uint8_t *outside;          /* by slot: no part of the program, acts when it likes */
    struct mc_timing timing;
    const struct mc_assumed *assume;
    uint32_t assumes;
    uint32_t characters;             /* that the console gives; 0: all */
    const uint8_t *character;
    uint32_t rate;                   /* events from outside for each action of the program; 0: any number */
    uint32_t rate_component;         /* how many there have been since the last one */
    uint32_t number_count;           /* of `numbers` */
    const uint8_t *is_outside;       /* by component: no part of the program */
    uint32_t picks;                  /* branches of fair choices, for each slot: it is known of each step which it picks */
};

enum mc_stop { MC_COMPLETE = 0, MC_ERROR = 1, MC_TIME = 2, MC_MEMORY = 3, MC_STATES = 4, MC_INTERRUPTED = 5, MC_BROKEN = 6,
               MC_DISK = 7, MC_BOUND = 8, /* of what is looked at */
               MC_PAUSED = 9 };
enum mc_error_kind { MC_FAULT = 1, MC_DEADLOCK = 2, MC_STUCK = 3, /* of a partial deadlock MC_STUCK */
                     MC_VIOLATION = 4 }; /* of an invariant: api/invariants.h */

struct mc_options {
    uint64_t most_states, most_memory;
    uint32_t keep_going; /* go on after an error */
    uint32_t most_errors;
    uint32_t remember; /* 0: run every action (to test what is remembered) */
    uint32_t rounds;   /* of loops and calls in one action */
    uint32_t threads;
    uint32_t compact; /* smaller steps of growth: less memory, more time */
    uint32_t least_shared; /* smaller levels are one thread's */
    uint32_t most_depth; /* states further away are not looked at; UINT32_MAX: no bound */
    uint32_t scratch; /* megabytes for what one action does (to test that there are not enough); 0: a thousand */
    uint32_t spill_at; /* after so many states go to disk, with very little memory (to test it); 0: when memory is used up */
};

struct mc_fault { uint32_t kind, site; int32_t first, second; };

struct mc_error {
    uint32_t kind, fault_kind, fault_site;
    int32_t fault_first, fault_second;
    uint32_t slot;
    uint64_t state; /* number of the state, or of the one in which the faulting action starts */
    uint32_t depth, padding;
};

struct mc_statistics {
    uint64_t states, transitions, expanded, ends, deadlocks, faults, executions, remembered;
    uint64_t table_bytes, node_bytes, log_bytes, frontier_bytes, memo_bytes, value_bytes;
    uint64_t nodes, values;
    uint64_t stuck_sweeps, stuck_left;
    uint64_t disk_bytes, disk_written, spills; /* at most at once; in all; how often something had to go to disk */
    uint32_t depth, stop, assumed, errors;
    double seconds;
};

struct mc_engine;

struct mc_engine *mc_new(const struct mc_program *p, const struct mc_options *o);
void mc_free(struct mc_engine *e);
/* Goes on until the search is complete or something stops it; may be called again after MC_TIME, MC_INTERRUPTED
 * and (mc_go_on_to) MC_STATES. */
uint32_t mc_search(struct mc_engine *e, double seconds);
/* Before the search: of the same program there is another one, which has looked for a good shape of the tree; this one takes
 * it. False: no memory. */
bool mc_order_as(struct mc_engine *e, const struct mc_engine *other);
void mc_interrupt(struct mc_engine *e);
/* Before the search: it ends with MC_STATES when there are more transitions, too. */
void mc_stop_after(struct mc_engine *e, uint64_t transitions);
/* A breadth-first search ends with MC_PAUSED when it has more states, and can go on; 0: never. */
void mc_pause_at(struct mc_engine *e, uint64_t states);
/* From now on mc_search ends with MC_TIME after so many seconds, too, but not within an action: it can go on. 0: no longer. */
void mc_rest_after(struct mc_engine *e, double seconds);
/* After MC_STATES: up to so many, with any number of transitions; 0: any number. */
void mc_go_on_to(struct mc_engine *e, uint64_t states);
/* Of a breadth-first search: how many states are at most so many steps away; 0: not all of these have been found, or it is not known. */
uint64_t mc_states_within(const struct mc_engine *e, uint32_t depth);
/* Before the search: what has no room in memory goes to files of this folder. Not 0: the system's number for why it cannot. */
uint32_t mc_spill_into(struct mc_engine *e, const char *folder);
/* The system's number of what failed there first; 0: nothing. */
uint32_t mc_spill_error(const struct mc_engine *e);
const struct mc_statistics *mc_get_statistics(struct mc_engine *e);
uint32_t mc_get_error(struct mc_engine *e, uint32_t number, struct mc_error *out);
/* The numbers of the successors (by their order) that lead from the initial state to `state`; how many there are. */
uint64_t mc_path_to(struct mc_engine *e, uint64_t state, uint32_t *ordinals, uint64_t room);
/* The blocks along such a path, the initial one first. */
uint32_t mc_blocks_along(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint8_t *blocks);
/* How many milliseconds pass before each of these steps from the initial state. */
uint32_t mc_elapsed_along(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint32_t *elapsed);
/* What the action of `slot` reads from outside on its way from a block to another (NULL: to this fault): the least values
 * that lead there, in the order in which they are read, and what it takes of its other decisions. False: it does not lead
 * there. */
enum { MC_MOST_DECISIONS = 2048 };
struct mc_way { uint32_t inputs, decisions, input[MC_MOST_INPUTS], decision[MC_MOST_DECISIONS]; };
uint32_t mc_inputs_of(struct mc_engine *e, const uint8_t *before, const uint8_t *after, uint32_t slot, uint32_t kind,
                      uint32_t site, struct mc_way *way);
/* After a complete search without deadlocks: is there a state in which a process that is no server waits and nothing ever
 * lets it go? Of such states the first with the most stuck slots, and these (one byte each); 0 if there is none, 2 if interrupted. */
uint32_t mc_stuck(struct mc_engine *e, uint64_t *state, uint8_t *slots);
/* What is part of the states and steps that were reached (what was only tried does not count): one byte each for the blocks
 * of the flow graphs (in the order of their bytes before the state block), the slots, and the positions (by number). */
void mc_get_seen(struct mc_engine *e, uint8_t *blocks, uint8_t *slots, uint8_t *positions);

/* By number of a waiting position: how many processes at most wait there at once. Looks at every state; false: interrupted. */
uint32_t mc_get_most_waiting(struct mc_engine *e, uint32_t *most);

typedef void mc_ask(void);
/* Before the search: `ask` is called once, between two levels, when executions have taken more than `after` seconds. */
void mc_ask_for_code(struct mc_engine *e, double after, mc_ask *ask);
/* From now on the actions are executed by this code. No search may be at work but one that asks. */
void mc_use_code(struct mc_engine *e, const struct mc_program *p);

struct mc_range { uint64_t distinct; int64_t lowest, highest; };

/* How many values `size` bytes at `offset` of a component (and of all of its class) have had, without those of free slots;
 * up to 4 bytes also as numbers: the lowest and the highest. */
void mc_get_range(struct mc_engine *e, uint32_t component, uint32_t offset, uint32_t size, uint32_t is_signed, struct mc_range *out);
typedef void mc_visit_block(const uint8_t *block, void *context);
/* Calls `visit` with each block that has been reached; for tests. */
void mc_all_states(struct mc_engine *e, mc_visit_block *visit, void *context);

#endif
