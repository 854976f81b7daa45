/* What an image's passes have read and done so far, as trees; and one check of an image. See image.h. */
#ifndef MC_IMAGE_TREE_H
#define MC_IMAGE_TREE_H

#include "avr.h"
#include "image.h"
#include "search.h"

#include <stdio.h>

/* References: 0 none; else an index and in the lowest two bits what it is. */
enum img_tag { IMG_NODE = 1, IMG_LEAF = 2, IMG_EXIT = 3 };
static inline uint32_t img_ref(uint32_t index, enum img_tag tag) { return index << 2 | tag; }

struct img_node { uint32_t address, value, child; }; /* the first child; others are in the map */

/* IMG_IN, IMG_OUT, IMG_READ, IMG_WRITE; IMG_CALLED: a function of arrivals (its number) with a slot; IMG_SLEPT */
struct img_access { uint32_t kind, address, value; };
enum { IMG_CALLED = 16, IMG_SLEPT = 17, IMG_ARRIVE = 0, IMG_DEPART = 1, IMG_FUNCTIONS = 2 };
struct img_written { uint32_t address; uint8_t value; };

/* What the rest of a pass did: its numbers are those of the whole pass, but for the cycles. */
struct img_leaf {
    uint32_t error, pc, where; /* enum img_error_kind, 0: none */
    uint32_t halted;           /* at a fault */
    uint32_t cycles;
    uint32_t first_written, written, first_access, accesses;
};

/* From here on it is a phase. */
struct img_exit { uint32_t phase, cycles; bool picks; };

/* The machine where a phase begins. */
struct img_phase {
    uint32_t slot; /* what the cursor holds, if it was stored; of a function its argument */
    bool picked, begins; /* the cursor was stored before; it is the beginning of a pass or of a function */
    uint32_t function;   /* 0; else it is one of arrivals, by number + 1, called with the slot */
    uint8_t *key;        /* all that matters of the machine: pc, live registers, stack, what was written and done */
    uint32_t key_size;
    uint64_t hash;
    uint32_t pc;
    uint64_t live;
    uint8_t registers[32], sreg, rampz, eind;
    uint32_t sp;
    uint8_t *stack;      /* from sp + 1 to where the pass began */
    struct img_written *written;
    uint32_t writes;
    struct img_access *access;
    uint32_t accesses;
    uint8_t *way;        /* answers that lead here from the very beginning */
    uint32_t way_length;
};

/* Choices of a walk through the trees; -1: not made. */
enum {
    IMG_CURSOR, IMG_WAS_WOKEN, IMG_INPUTS, IMG_CAMES,
    IMG_ORDER = IMG_CAMES + 64, IMG_SLEEPER = IMG_ORDER + 256, IMG_CLAUSE = IMG_SLEEPER + 256, IMG_WHEN = IMG_CLAUSE + 256,
    IMG_MASKS = IMG_WHEN + 256, IMG_FIELDS = IMG_MASKS + 64
};
struct img_choice { uint32_t field; int64_t before; };

struct img_map { uint64_t *key; uint32_t *value; uint64_t mask, used; };
uint32_t *img_map_find(struct img_map *m, uint64_t key); /* NULL: it is not there */
bool img_map_put(struct img_map *m, uint64_t key, uint32_t value);

struct img_step { uint32_t slot, meeting, changed, first_change; bool woken, faulted; struct mc_fault fault; };

enum { IMG_PICKED = 1, IMG_JOINED = 2 }; /* why it stopped for a new phase */
struct img_result { uint32_t error, pc, where, halted, marked, asked; uint64_t cycles; };

/* Bytes that the code of a slot's actions reads without need, as compilers do: before it knows whether it will use them. */
enum { IMG_MOST_LEARNED = 48 };
struct img_learned { uint32_t count; uint16_t offset[IMG_MOST_LEARNED]; };

enum { IMG_MOST_ERRORS = 64, IMG_ENOUGH = 1000 };

struct img {
    struct img_setup s;
    struct mc_engine *e;
    struct mc_worker w;
    struct img_statistics t;

    /* the machine (avr_pass.c) */
    struct avr avr;
    uint8_t base_data[AVR_DATA], base_allowed[AVR_DATA];
    uint8_t *executed;
    uint32_t base_sp, stop_pc; /* when a pass begins; where it comes back to */
    uint32_t *touched, touches;
    bool is_touched[AVR_DATA];
    struct img_written written[AVR_DATA];
    bool is_written[AVR_DATA];
    uint32_t writes;
    struct img_access *access;
    uint32_t accesses, accesses_room;
    bool marked, called, twice, has_input, replays, waited, no_memory; /* waited: a run that is done again has waited for the transmitter */
    uint32_t *trace, trace_room, trace_used;
    struct img_result r;

    /* the trees */
    struct img_node *node;
    struct img_leaf *leaf;
    struct img_exit *exit;
    struct img_phase **phase;
    uint32_t *root_of; /* by phase: where its tree begins */
    uint32_t roots_room;
    uint32_t nodes, leaves, exits, phases, nodes_room, leaves_room, exits_room, phases_room;
    struct img_written *kept_written;
    struct img_access *kept_access;
    uint32_t kept_writes, kept_writes_room, kept_accesses, kept_accesses_room;
    struct img_map children, walked, phase_of; /* phases by the hash of their key */
    uint32_t function_phase[IMG_FUNCTIONS][256];
    uint32_t call_depth, function_depth; /* of the stack: where one of them is called, and what it takes */
    bool known; /* this walk was judged; only its cycles matter */
    uint32_t tail_node, tail_value, tail_phase; /* where what comes next is to be linked; no node: the root of the phase */
    uint32_t *replay, replay_room, replay_length; /* answers of a run that is done again */

    /* the way through them (image.c) */
    uint32_t *answer, answers_room, base, depth, at;
    uint32_t now_phase, now_slot;
    int64_t field[IMG_FIELDS];
    struct img_choice *choice;
    uint32_t choices, choices_room;
    uint64_t root;
    bool is_initial, expanded;
    uint8_t *block;
    uint16_t position[256];
    uint8_t shared[256], sleeping[256];
    uint32_t timed[256], shareds, sleepers, clock;
    uint32_t stamp, *stamps; /* by offset in the block: what an action may look at */
    struct img_learned learned[256]; /* by slot: what its actions' code looks at besides */
    bool foreign, asked_policy, calls, polls;
    uint64_t longest, leaf_cycles; /* of the leaves below; of this one, with what it has called */
    uint64_t prefix, so_far; /* cycles before the pick; since then, up to this phase */
    uint32_t asks;           /* since the phase began */
    uint64_t wanted_cycles;
    uint32_t wanted, wanted_found, *wanted_words;
    struct img_worst *worst;
    uint32_t worsts;

    /* what is expected (image_judge.c) */
    struct img_oracle *oracle;
    uint8_t *oracle_memory, *oracle_block, *after;
    struct img_step *step;
    uint32_t steps, steps_room;
    uint32_t *change;
    uint32_t changes, changes_room;
    const struct img_leaf *judged;
    uint32_t input_at;
    bool input_wrong, order_missing;

    bool enough; /* of mismatches */
    struct img_error error[IMG_MOST_ERRORS];
    uint8_t *error_block[IMG_MOST_ERRORS];
};

/* avr_pass.c */
bool img_start(struct img *x);
/* Runs from the beginning of a phase (0: of a pass) with the answers so far. `inverse`: once more from the very beginning,
 * with everything in registers that nobody may look at the other way round. */
void img_run(struct img *x, uint32_t phase, bool inverse);
/* The phase of a function of arrivals called with a slot; 0 without memory. */
uint32_t img_function(struct img *x, uint32_t function, uint32_t slot);
/* Makes a phase of the machine as it is, or finds it; `before`: the one that came to here. */
uint32_t img_phase_here(struct img *x, uint32_t before);

/* image.c: for the machine */
bool img_answer(struct img *x, uint32_t address, uint32_t *value);
void img_note_error(struct img *x, uint32_t kind, uint32_t pc, uint32_t where, uint32_t expected, uint32_t found,
                    uint32_t event, uint32_t which);
/* Makes a choice; undone by img_undo. */
void img_choose(struct img *x, uint32_t field, int64_t value);
void img_undo(struct img *x, uint32_t choices);
uint32_t img_options(struct img *x, uint32_t address);
uint32_t img_take(struct img *x, uint32_t address, uint32_t option);

void img_note_worst(struct img *x, uint32_t number, uint64_t cycles, uint32_t slot);

/* image_judge.c: the walk has come to an end. */
void img_judge_function(struct img *x, const struct img_leaf *leaf);
void img_judge(struct img *x, const struct img_leaf *leaf, uint32_t phase);
/* The slot that the scheduler picks after the cursor; MC_NOBODY: none. */
uint32_t img_picked(const struct img *x, uint32_t cursor);
/* The scheduler was asked though an event comes first, or without looking whether one does: an error. */
bool img_comes_first(struct img *x);

void *img_room(void *at, uint32_t *room, uint32_t used, size_t size, bool *no_memory);

#endif
