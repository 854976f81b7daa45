/* A simulator of the Cortex-M cores (ARMv6-M: M0, M0+; ARMv7-M: M3; ARMv7E-M without floating point: M4; ARMv8-M with the
 * instructions for signals, without floating point and in one world: M33), without devices: memory is plain bytes, and every access to it is watched. It executes the very half-words of an image.
 *
 * What the core at hand does not have, and what the architecture calls UNPREDICTABLE, is illegal; so is what this
 * simulator does not have: coprocessors, floating point, unprivileged code. Access is by a small table of regions: each
 * byte that is there has an index in `data` and `allowed`.
 *
 * Cycles: of the M0 and M0+ those of ARM's technical reference manuals, exact but for wait states of the memory and with a
 * multiplier of one cycle. Of the M3 and M4 an upper bound of what the manuals name, without wait states: every taken
 * branch refills the pipeline in 3 cycles, a division takes 12, long products of the M3 take their longest, a barrier 4, an
 * access that is not aligned 2 more, IT and what it skips 1. Of the M33, whose manual names none, those of the M4.
 */
#ifndef MC_THUMB_H
#define MC_THUMB_H

#include <stdbool.h>
#include <stdint.h>

enum thumb_core { THUMB_M0, THUMB_M0PLUS, THUMB_M3, THUMB_M4, THUMB_M33 };

enum thumb_stop {
    THUMB_RUNS,
    THUMB_AT_STOP,     /* the program counter is where it was to stop */
    THUMB_ILLEGAL,     /* no instruction of this core, or UNPREDICTABLE */
    THUMB_OUTSIDE,     /* an instruction outside of the flash */
    THUMB_BAD_LOAD,    /* from where nothing may be read; see `where` */
    THUMB_BAD_STORE,   /* to where nothing may be written */
    THUMB_UNALIGNED,   /* an access that faults for its address; see `where` */
    THUMB_NO_THUMB,    /* a jump to code of the other instruction set; see `where` */
    THUMB_SLEEPS,      /* WFI, or WFE without an event: the program counter is behind it */
    THUMB_BREAKS,      /* BKPT */
    THUMB_CALLS_SUPERVISOR, /* SVC: the program counter is behind it */
    THUMB_LEAVES,      /* a return from an exception: its code is in `where` (thumb_leave) */
    THUMB_TOO_LONG,    /* the budget of cycles is used up */
    THUMB_INTERRUPTED  /* an exception waits, and nothing keeps it off (thumb_enter) */
};

/* What may be done with a byte. THUMB_ASK: what is read there is asked for; THUMB_TELL: what is written there is told;
 * THUMB_STACK: it may be written when the stack pointer lies at it or below it, and read after it was written, for as long
 * as that is so. The same numbers as those of avr.h. */
enum { THUMB_READ = 1, THUMB_WRITE = 2, THUMB_ASK = 16, THUMB_TELL = 32, THUMB_STACK = 64 };
enum { THUMB_SP = 13, THUMB_LR = 14, THUMB_PC = 15, THUMB_REGISTERS = 16 };
/* Of `flags`, as in the APSR. THUMB_GE: four bits, of the M4 and the M33. */
enum { THUMB_V = 1 << 28, THUMB_C = 1 << 29, THUMB_Z = 1 << 30, THUMB_Q = 1 << 27, THUMB_GE = 0xF << 16 };
#define THUMB_N (1u << 31)
#define THUMB_NOWHERE UINT32_MAX

/* How an instruction came to where the program counter is. */
enum thumb_way {
    THUMB_WENT_ON,
    THUMB_BRANCHED,   /* its target is in the instruction */
    THUMB_CALLED,     /* BL */
    THUMB_CALLED_BY_POINTER, /* BLX */
    THUMB_JUMPED,     /* by a pointer: BX of another register than LR, LDR and LDM of the program counter but from the stack */
    THUMB_BY_TABLE,   /* TBB, TBH, ADD and MOV to the program counter (but from LR) */
    THUMB_RETURNED,   /* BX LR, MOV PC, LR, POP of the program counter */
    THUMB_SKIPPED     /* in an IT block, and its condition does not hold */
};

struct thumb_region { uint32_t start, size, at; }; /* its bytes have the indexes at, at + 1, ... */

struct thumb {
    uint32_t r[THUMB_REGISTERS]; /* r[15]: of the next instruction, without the bit for Thumb */
    uint32_t flags;
    uint32_t it;       /* the state of the IT block, as in the EPSR: 0 outside of one */
    uint32_t it_now;   /* for the instruction that is executed */
    uint32_t primask, faultmask, basepri, control;
    uint32_t other_sp; /* PSP, or MSP while the PSP is in use */
    uint32_t ipsr;     /* the number of the exception; 0: in a thread */
    uint32_t waits;    /* of an exception that is to come, its number; 0: none */
    bool event;        /* for WFE */
    bool exclusive;    /* LDREX has marked an address */
    uint32_t exclusive_at;

    uint32_t core;     /* enum thumb_core */
    const struct thumb_region *region; /* those that are used most first */
    uint32_t regions;
    uint8_t *data;     /* by index; also the flash */
    uint8_t *allowed;
    uint32_t flash_start, flash_size, flash_at; /* bytes; where instructions are, and their index */
    uint8_t *executed; /* by half-word of the flash: it was executed (the second of a wide one too); NULL: not noted */

    uint32_t now;      /* of the instruction that was executed last */
    uint32_t op;       /* it: one half-word, or the first above the second */
    uint32_t went;     /* enum thumb_way */
    uint32_t where;    /* of what was wrong: an address */
    uint8_t unwritten; /* what a byte of the stack that was not written is loaded as, together with one that was */
    uint32_t lowest_stack; /* the lowest address on the stack that was stored to */
    uint64_t cycles;
    uint64_t end;      /* thumb_run_to stops when so many are over; whoever is asked or told something may change it */
    void *context;     /* of these two, called once for each access (of 1, 2 or 4 bytes) of which a byte is marked: */
    bool (*ask)(struct thumb *t, uint32_t at, uint32_t address, uint32_t size); /* puts it into `data`; false: a bad load */
    void (*tell)(struct thumb *t, uint32_t at, uint32_t address, uint32_t size); /* it is in `data` */
};

/* The index of a byte; THUMB_NOWHERE: there is none. */
uint32_t thumb_index(const struct thumb *t, uint32_t address);
/* The address of the byte with an index; 0: there is none. */
uint32_t thumb_address(const struct thumb *t, uint32_t at);
/* Sets the stack pointer as an instruction does: what lies below it is gone. */
void thumb_set_sp(struct thumb *t, uint32_t sp);
/* As a reset does: registers 0, the stack pointer and the program counter from the first two words of the flash. */
enum thumb_stop thumb_reset(struct thumb *t);
/* One instruction. */
enum thumb_stop thumb_step(struct thumb *t);
/* Until the program counter is `stop`, something is wrong, an exception can be taken, or so many cycles are over. */
enum thumb_stop thumb_run_to(struct thumb *t, uint32_t stop, uint64_t cycles);
/* Takes an exception: what it may change goes onto the stack; its routine is found in the table at this address. */
enum thumb_stop thumb_enter(struct thumb *t, uint32_t number, uint32_t table);
/* After THUMB_LEAVES: back to what was interrupted. (thumb_run_to does it.) */
enum thumb_stop thumb_leave(struct thumb *t);

#endif
