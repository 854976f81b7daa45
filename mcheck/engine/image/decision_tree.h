/* What an image's passes have read and done so far, as trees; and one check of an image. See image.h. */
#ifndef MC_IMAGE_TREE_H
#define MC_IMAGE_TREE_H

#include "image/oracle.h"
#include "image/processor.h"
#include "search/bfs.h"

#include <stdio.h>

/* References: 0 none; else an index and in the lowest two bits what it is. */
enum img_tag { IMG_NODE = 1, IMG_LEAF = 2, IMG_EXIT = 3 };
static inline uint32_t img_ref(uint32_t index, enum img_tag tag) { return index << 2 | tag; }

/* The first child; others are in the map. `address`: the index of what is read, with the binary logarithm of its width. */
struct img_node { uint32_t address, value, child; };
enum { IMG_WIDTH = 30, IMG_INDEX = (1 << IMG_WIDTH) - 1 };
/* Instead of a width: a byte of a register of the console, which the program itself reads. */
enum { IMG_OWN = 3 };

/* IMG_IN, IMG_OUT, IMG_READ, IMG_WRITE; IMG_CALLED: a function of arrivals (its number) with a slot; IMG_SLEPT;
 * IMG_KICKED: the transmitter may interrupt */
struct img_access { uint16_t kind, width; uint32_t address, value; };
enum { IMG_CALLED = 16, IMG_SLEPT = 17, IMG_KICKED = 18, IMG_ARRIVE = 0, IMG_DEPART = 1, IMG_FUNCTIONS = 2 };
struct img_written { uint32_t address; uint8_t value; };

/* Where the transmitter's buffer is used when a run is done again, as the receiver's. */
enum { IMG_ELSEWHERE = 0xF8, IMG_ELSE_ON = 0x90 };

struct img_stack_byte { uint8_t value, written; };

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
    uint32_t slot; /* what the cursor holds, if it was stored, or who has taken an interrupt; of a function its argument */
    bool picked, begins; /* the cursor was stored before, or that this one runs; it is the beginning of a pass or of a function */
    uint32_t function;   /* 0; else it is one of arrivals, by number + 1, called with the slot */
    uint8_t *key;        /* all that matters of the machine: pc, live registers, stack, what was written and done */
    uint32_t key_size;
    uint64_t hash;
    uint32_t pc, control; /* as in struct img */
    uint64_t undefined;
    uint8_t registers[IMG_MOST_REGISTERS];
    uint32_t stack_from;
    struct img_stack_byte *stack; /* from there to where the pass began */
    struct img_written *written;
    uint32_t writes;
    struct img_access *access;
    uint32_t accesses;
    uint32_t *way;       /* answers that lead here from the very beginning */
    uint32_t way_length;
};

/* Choices of a walk through the trees; -1: not made. */
enum {
    IMG_CURSOR, IMG_TAKER, IMG_TURN, IMG_WAS_WOKEN, IMG_INPUTS, IMG_ANSWERS, IMG_CAMES,
    IMG_ORDER = IMG_CAMES + 64, IMG_SLEEPER = IMG_ORDER + 256, IMG_CLAUSE = IMG_SLEEPER + 256, IMG_WHEN = IMG_CLAUSE + 256,
    IMG_MASKS = IMG_WHEN + 256, IMG_FIELDS = IMG_MASKS + 64
};
enum { IMG_TURN_OWED = 0xFE }; /* LF_TURN_OWED */
struct img_choice { uint32_t field; int64_t before; };

struct img_step { uint32_t slot, meeting, changed, first_change; bool woken, faulted; struct mc_fault fault; };

enum { IMG_PICKED = 1, IMG_JOINED = 2 }; /* why it stopped for a new phase */
struct img_result { uint32_t error, pc, where, halted, marked, asked; uint64_t cycles; };

/* Bytes that the code of a slot's actions reads without need, as compilers do: before it knows whether it will use them. */
enum { IMG_MOST_LEARNED = 48 };
struct img_learned { uint32_t count; uint16_t offset[IMG_MOST_LEARNED]; };

enum { IMG_MOST_ERRORS = 64, IMG_ENOUGH = 1000 };

/* To where a pass of the state at hand has picked so far: the phase with all choices but the cursor, the slot. */
struct img_entrance { uint64_t chosen, longest; uint32_t slot; };
enum { IMG_MOST_ENTRANCES = 64 };

/* A walk through the trees, from the beginning of a pass, from where a slot was picked, or through a function. */
struct img_walk {
    struct img_point {
        uint32_t base, depth, phase; /* the answers of this phase begin at `base`; so many are taken */
        uint64_t so_far;             /* cycles of the walk up to this phase */
    } at;
    uint32_t slot;    /* that was picked; MC_NOBODY: before that */
    uint64_t prefix;  /* cycles before the walk */
    bool known;       /* it was judged before; only its cycles matter */
    uint64_t longest; /* of its leaves */
    bool foreign, asked_policy, calls; /* it looked at more than is known to be touched; at the policy block; called a function */
};

struct img {
    struct img_setup s;
    struct mc_engine *e;
    struct mc_worker w;
    struct img_statistics t;

    /* the machine: what all processors have (kernel_pass.c), and the core of this one */
    const struct img_processor *processor;
    void *core;
    uint8_t *data, *allowed, *base_data, *base_allowed; /* base: when a pass begins */
    uint64_t *cycles;
    uint32_t pc;
    uint64_t undefined; /* registers that nobody has set */
    bool stored;        /* the instruction stored something outside of the stack */
    uint8_t *executed;
    uint32_t base_stack, stop_pc; /* when a pass begins, the lowest byte of the stack; where it comes back to */
    uint32_t *touched, touches;
    bool *is_touched, *is_written;
    struct img_written *written;
    uint32_t writes;
    struct img_access *access;
    uint32_t accesses, accesses_room;
    bool marked, called, twice, has_input, replays, waited, no_memory; /* waited: a run that is done again has waited for the transmitter */
    uint32_t *trace, trace_room, trace_used;
    struct img_result r;
    uint32_t control;  /* of the transmitter, as this pass has read it last */
    uint32_t looked_at, looks, looked_first; /* while the start-up runs: a device's register, how often in a row */

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
    uint32_t tail_node, tail_value, tail_phase; /* where what comes next is to be linked; no node: the root of the phase */
    uint32_t *replay, replay_room, replay_length; /* answers of a run that is done again */

    /* the way through them (explore.c) */
    uint32_t *answer, answers_room, at; /* at: of the answers that the run has asked for */
    struct img_walk walk;
    int64_t field[IMG_FIELDS];
    struct img_choice *choice;
    uint32_t choices, choices_room;
    uint64_t root;
    bool is_initial, expanded, ended;
    uint8_t *block;
    uint16_t position[256];
    uint8_t shared[256], sleeping[256];
    uint32_t timed[256], shareds, sleepers, clock;
    uint32_t stamp, *stamps; /* by offset in the block: what an action may look at */
    struct img_entrance entrance[IMG_MOST_ENTRANCES];
    uint32_t entrances;
    bool crowded; /* an action has more executions than can be tried */
    struct img_learned learned[256]; /* by slot: what its actions' code looks at besides */
    bool polls, polls_on; /* polls_on: some pass reads more input than is tried */
    uint64_t leaf_cycles; /* of this leaf, with what it has called */
    uint32_t asks;        /* since the phase began */
    uint64_t wanted_cycles;
    uint32_t wanted, wanted_found, *wanted_words;
    struct img_worst *worst;
    uint32_t worsts;

    /* what models of devices answer in the state at hand (device_model.c), in one way that they can: bytes of each slot */
    bool answered;
    uint8_t *answers;
    struct img_answers { uint32_t from, size; bool clock; } answers_of[256];

    /* what is expected (compare.c) */
    struct img_oracle *oracle;
    uint8_t *oracle_memory, *oracle_block, *after;
    struct img_step *step;
    uint32_t steps, steps_room, step_at;
    uint32_t *change;
    uint32_t changes, changes_room;
    const struct img_leaf *judged;
    uint32_t input_at;
    bool input_wrong, order_missing;

    bool enough; /* of mismatches */
    struct img_error error[IMG_MOST_ERRORS];
    uint8_t *error_block[IMG_MOST_ERRORS];
};

/* Is the taker of an interrupt to run? */
static inline bool img_runs_taker(const struct img *x)
{
    return x->field[IMG_TAKER] >= 0 && x->field[IMG_TAKER] < IMG_TURN_OWED;
}

/* Where the clock stands: at the beginning, and shortly before it wraps. */
static inline uint32_t img_clocks(const struct img *x) { return x->s.has_time ? 2 : 1; }
static inline uint32_t img_clock(uint32_t i) { return i ? 0xFFFFFF80u : 0; }

/* What is read, and how many bytes of it; by the address of a node. */
static inline uint8_t img_place_of(const struct img *x, uint32_t address)
{
    return address >> IMG_WIDTH == IMG_OWN ? IMG_DEVICE : x->s.place[address & IMG_INDEX];
}

static inline uint32_t img_width_of(uint32_t address)
{
    return address >> IMG_WIDTH == IMG_OWN ? 1 : 1u << (address >> IMG_WIDTH);
}

/* It is not worth to go on. */
static inline bool img_is_over(const struct img *x)
{
    return x->no_memory || x->enough || x->twice || x->polls_on || x->crowded || x->e->interrupted;
}

/* device_model.c */
void img_each_with_model(struct img *x, struct mc_engine *model);
/* Of what models answer to a slot. */
uint64_t img_answers_hash(const struct img *x, uint32_t slot);
/* The next ones of the slot that runs; 0 where the model has answered no more: the program's action does not read on either. */
uint32_t img_take_answer(struct img *x, uint32_t width);
/* It has read on behind what was answered, perhaps since the clock stood otherwise then. */
bool img_answers_ended(const struct img *x);

/* kernel_pass.c */
/* Runs from the beginning of a phase (0: of a pass) with the answers so far. `inverse`: once more from the very beginning,
 * with everything in registers that nobody may look at the other way round. */
void img_run(struct img *x, uint32_t phase, bool inverse);
/* The phase of a function of arrivals called with a slot; 0 without memory. */
uint32_t img_function(struct img *x, uint32_t function, uint32_t slot);
/* Makes a phase of the machine as it is, or finds it; `before`: the one that came to here. */
uint32_t img_phase_here(struct img *x, uint32_t before);
void img_phase_free(struct img_phase *p);

/* decision_tree.c: a value for the machine; false: there are several, and it has to stop. */
bool img_answer(struct img *x, uint32_t address, uint32_t *value);
static inline uint32_t img_child_of(struct img *x, uint32_t node, uint32_t value)
{
    const struct img_node *n = &x->node[node];
    if (n->child && n->value == value) return n->child;
    uint32_t *found = img_map_find(&x->children, (uint64_t)node << 32 | value);
    return found ? *found : 0;
}

static inline void img_push_answer(struct img *x, uint32_t at, uint32_t value)
{
    uint32_t place = x->walk.at.base + at;
    if (place >= x->answers_room) x->answer = img_room(x->answer, &x->answers_room, place, sizeof *x->answer, &x->no_memory);
    if (!x->no_memory) x->answer[place] = value;
}

/* The code runs on from a node that has no such child (IMG_NO_NODE: from the beginning of the phase). */
enum { IMG_NO_NODE = 0xFFFFFFFFu };
void img_grow(struct img *x, uint32_t node, uint32_t value);
/* The leaf's run once more, with the same answers, and whatever is no answer the other way round. */
void img_run_again(struct img *x, uint32_t phase, uint32_t leaf);

/* explore.c: whether no action had more executions than could be tried; what is remembered of one that had is not all. */
bool img_tried_all(struct img *x);
/* One state, from the beginning of a pass. */
void img_check_state(struct img *x, uint64_t root);

void img_note_error(struct img *x, uint32_t kind, uint32_t pc, uint32_t where, uint64_t expected, uint64_t found,
                    uint32_t event, uint32_t which);
/* environment.c: makes a choice; undone by img_undo. */
void img_choose(struct img *x, uint32_t field, int64_t value);
void img_undo(struct img *x, uint32_t choices);
uint32_t img_options(struct img *x, uint32_t address);
/* A byte of the block that the signature does not stand for: this walk is not remembered, later ones will be. */
void img_learn(struct img *x, uint32_t offset);

static inline uint32_t img_byte_of_block(struct img *x, uint32_t offset)
{
    if (x->walk.slot != MC_NOBODY && x->stamps[offset] != x->stamp) img_learn(x, offset);
    return x->block[offset];
}

uint32_t img_take(struct img *x, uint32_t address, uint32_t option);

/* explore.c */
void img_note_worst(struct img *x, uint32_t number, uint64_t cycles, uint32_t slot);

/* policy_block.c. Fills `policy` with what it holds before the pass; what was not chosen becomes the first that is
 * possible. */
void img_policy_before(struct img *x, uint8_t *policy);
/* What the oracle's deeds make of it; `apart`: what becomes of the arrivals is looked at apart. */
void img_put_deeds(const struct img *x, uint8_t *policy, bool apart);
void img_add_arrival(const struct img *x, uint8_t *policy, uint32_t slot);
void img_remove_arrival(const struct img *x, uint8_t *policy, uint32_t slot);

/* compare.c: the walk has come to an end. */
void img_judge_function(struct img *x, const struct img_leaf *leaf);
void img_judge(struct img *x, const struct img_leaf *leaf, uint32_t phase);
/* The slot that the scheduler picks after the cursor; MC_NOBODY: none. */
uint32_t img_picked(const struct img *x, uint32_t cursor);
/* The scheduler was asked though an event comes first, or without looking whether one does: an error. */
bool img_comes_first(struct img *x);

#endif
