/* The check of an image: its machine code runs one pass of the kernel's loop for every state that the search has reached and
 * every content of the policy block that goes with it, and has to do what the compiled actions do.
 *
 * What a pass does depends on the bytes that it reads. These are known one by one, as the code asks for them: so what was
 * executed is a tree, whose inner nodes are places that are read and whose leaves are what a pass then did. A state is
 * followed through the tree; only where it leaves it does the code run. Where ways come together after something was read, and where the scheduler
 * stores whom it has picked, the machine may be as it was on another way (but for registers that nobody looks at any more,
 * and for what was only read): from there on a new tree begins, a phase, which is shared.
 */
#ifndef MC_IMAGE_H
#define MC_IMAGE_H

#include "api/engine.h"

struct img_oracle; /* image/oracle.h */

/* What a byte of the data space is. */
enum img_place {
    IMG_NOWHERE, IMG_CPU, IMG_BLOCK, IMG_POLICY, IMG_CONSTANT, IMG_STACK,
    IMG_CAME,     /* lf_port_came */
    IMG_COUNT,    /* the milliseconds */
    IMG_WOKEN,
    IMG_TAKEN, IMG_RECEIVED, IMG_BUFFER, IMG_LOST, IMG_TOLD, /* of the console's receiver */
    IMG_DEVICE,   /* a register that the program may name */
    IMG_STATUS, IMG_SEND, /* of the console's transmitter */
    IMG_MASK,     /* of interrupts that the program names */
    IMG_FREE,     /* sleep control: as it was written */
    IMG_LINES,    /* the interrupt controller */
    IMG_SENDING,  /* the transmitter was given a byte before */
    /* of a transmitter that sends by interrupt, from a buffer: where the next byte goes, which one is sent next, the bytes,
     * the register with the bit that lets it interrupt */
    IMG_TX_QUEUED, IMG_TX_SENT, IMG_TX_BUFFER, IMG_TX_CONTROL
};

enum img_processor_kind { IMG_AVR, IMG_THUMB, IMG_RISCV };
enum img_event { IMG_RUN, IMG_WAKE, IMG_INTERRUPT, IMG_IDLE };
enum { IMG_CODE = 1, IMG_ENTRY = 2, IMG_RETURNS_TO = 4, IMG_JOIN = 8, IMG_BY_TABLE = 16, IMG_OF_PROGRAM = 32 };
/* IMG_JOIN: several ways come together; IMG_BY_TABLE: a jump by a pointer may lead there, since it is in a table;
 * IMG_OF_PROGRAM: a line of the program that reads devices made it: what it reads of the console's registers is an input */
enum { IMG_NO_FIELD = 0xFFFFFFFFu };

/* Sets of registers, as in `live`. What an instruction computes from registers that nobody has set nobody has set either; it
 * must not need such ones, and not store them but on the stack. */
struct img_effect { uint64_t uses, defines, needs, stores; };

struct img_setup {
    const uint8_t *flash;
    const uint8_t *place;  /* by index (processor.h); on AVR its address */
    const uint8_t *code;   /* by word of the flash */
    const uint64_t *live;  /* by word: the registers that matter from there on; bit 32: the flags */
    const struct img_effect *effect; /* by word; NULL: not known */
    const uint8_t *shares; /* by number of a waiting position: others may wait in the same queue */
    const uint8_t *takes;  /* by number of a ready position: who is there may have just taken an interrupt */
    const uint8_t *asks;   /* by number of a ready position: its action may read a device */
    uint32_t (*oracle)(uint8_t *b, struct img_oracle *o, uint32_t event, uint32_t which, uint32_t clause);
    /* the same, compiled with the models of devices; NULL: there are none */
    uint32_t (*with_model)(uint8_t *b, struct img_oracle *o, uint32_t event, uint32_t which, uint32_t clause);
    uint32_t oracle_room;  /* of its policy block */
    uint32_t model_room;   /* what lies before a block with models; a multiple of 64 */
    const void *region;    /* struct thumb_region: RAM, devices, the flash, whose bytes come last */
    uint32_t regions, places;
    uint32_t flash_size, flash_start;
    uint32_t processor, core; /* enum img_processor_kind; AVR: whether return addresses have three bytes; enum thumb_core;
                               * what the core has, RISCV_M and the like */
    uint32_t start, step, halt, reset, spin; /* words of the flash; 0: there is none */
    uint32_t arrive, depart;           /* functions that put a slot into the order of arrival, and take it out: looked at apart */
    uint32_t block_at, policy_at, policy_size;
    uint32_t cursor_at, arrivals_at, arrivals_room, sleepers_at, sleepers_room, clock_at, timed_selects; /* in the policy block */
    uint32_t taker_at, turn_at; /* too; IMG_NO_FIELD: it is not there */
    uint32_t came_at, count_at, buffer_at;
    uint32_t wrap_to, interrupts;
    uint32_t stack_low, stack_top; /* the lowest byte that may be written; the highest */
    uint32_t ready, busy, clears;  /* the transmitter's status; clears: its address, if 0 is written there before each byte */
    uint32_t status_sends;         /* 1: bytes are written to the very register of the status */
    uint32_t transmit_at, transmit_size, queued_at; /* the buffer of what is sent by interrupt; size 0: there is none */
    uint32_t transmits, control_sets; /* the bit of its control that lets it interrupt; others that the image may set there */
    uint32_t has_time, safe, free_bits; /* free_bits: what may be written to IMG_FREE */
    uint64_t most_cycles;          /* of a pass */
};

enum img_error_kind {
    IMG_BAD_START = 1, /* the start-up does not come to the loop, or the blocks are not as they are to be */
    IMG_BAD_LOAD, IMG_BAD_STORE, IMG_ILLEGAL, IMG_OUTSIDE, IMG_BAD_JUMP, IMG_ENDLESS,
    IMG_BAD_REGISTERS, /* what a pass must leave as it was */
    IMG_HIDDEN,        /* what it does depends on what was in the registers before */
    IMG_BAD_PICK,      /* another slot than the scheduler's */
    IMG_BAD_BLOCK, IMG_BAD_POLICY, IMG_BAD_DEVICE, IMG_BAD_FAULT,
    IMG_NO_SUCCESSOR,  /* the checker has not found this step */
    IMG_FOREIGN,       /* a byte of the block that the action has nothing to do with is read */
    IMG_UNALIGNED,     /* an access that faults for its address */
    IMG_UNDEFINED      /* what it does depends on a register that nobody has set: its number is in `where` */
};

struct img_error {
    uint32_t kind, pc, where;    /* pc: a word; where: an address, or an offset in the block */
    uint64_t expected, found;
    uint32_t event, which, position, weight;
    uint64_t root;
    uint64_t count;
};

struct img_statistics {
    uint64_t states, executions, instructions, phases, nodes, leaves, passes, compared, foreign, sampled, met;
    uint64_t deepest; /* the lowest byte of the stack that was used */
    uint32_t errors, stop; /* stop: 1 no memory, 2 interrupted, 3 the functions of arrivals cannot be looked at apart, 4 a pass that reads on and on, 5 an action of too many executions */
    double seconds;
};

/* The longest pass that begins with an action, or ends a wait, of a position (by its number); then of each interrupt; then
 * one that finds nothing to do. */
struct img_worst { uint64_t cycles, root; uint32_t slot, cursor; };

struct img;

#ifndef LF_WIDE /* no board has room for a wide program */
struct img *img_new(struct mc_engine *e, const struct img_setup *s);
void img_free(struct img *x);
/* The start-up code, then every state that was reached. */
void img_check(struct img *x);
/* The start-up code, the initial state, then those of so many blocks, one after the other. */
void img_check_blocks(struct img *x, const uint8_t *block, uint64_t count);
/* The start-up code, then the program's part of every state that a search with models of devices has reached; what a device
 * gives is what its model answers there. */
void img_check_with_model(struct img *x, struct mc_engine *model);
const struct img_statistics *img_get_statistics(const struct img *x);
uint32_t img_get_error(struct img *x, uint32_t number, struct img_error *out, uint8_t *block);
/* By word of the flash: it was executed. */
void img_get_executed(const struct img *x, uint8_t *executed);
/* All bytes when the start-up is over, the lowest of the stack when a pass begins, and the word to which it comes back. */
void img_get_start(const struct img *x, uint8_t *data, uint32_t *stack, uint32_t *stop);
uint32_t img_get_worst(struct img *x, uint32_t number, struct img_worst *out, uint8_t *block);
/* The words that such a pass executes, in order; how many there are. */
uint32_t img_trace_worst(struct img *x, uint32_t number, uint32_t *words, uint32_t room);
#endif

#endif
