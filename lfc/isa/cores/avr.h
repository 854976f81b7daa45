/* A simulator of the AVR core (AVRe+: ATmega328P, ATmega2560; AVRe: ATtiny85), cycle-exact, without devices: memory is plain bytes, and
 * every access to it is watched. It executes the very words of an image.
 */
#ifndef MC_AVR_H
#define MC_AVR_H

#include <stdbool.h>
#include <stdint.h>

enum avr_stop {
    AVR_RUNS,
    AVR_AT_STOP,       /* the program counter is where it was to stop */
    AVR_ILLEGAL,       /* no instruction of this core */
    AVR_OUTSIDE,       /* an instruction outside of the flash */
    AVR_BAD_LOAD,      /* from where nothing may be read; see `where` */
    AVR_BAD_STORE,     /* to where nothing may be written */
    AVR_SLEEPS,
    AVR_BREAKS,
    AVR_TOO_LONG,      /* the budget of cycles is used up */
    AVR_INTERRUPTED    /* an interrupt waits, and they are on (avr_interrupt) */
};

/* What may be done with a byte of the data space. AVR_ASK: what is read there is asked for; AVR_TELL: what is written there
 * is told; AVR_STACK: it may be read after it was written, for as long as the stack pointer lies below it. */
enum { AVR_READ = 1, AVR_WRITE = 2, AVR_WAS_READ = 4, AVR_WAS_WRITTEN = 8, AVR_ASK = 16, AVR_TELL = 32, AVR_STACK = 64 };
enum { AVR_DATA = 0x10000, AVR_SPL = 0x5D, AVR_SPH = 0x5E, AVR_SREG = 0x5F, AVR_RAMPZ = 0x5B, AVR_EIND = 0x5C };

struct avr {
    uint8_t *flash;      /* words, the low byte first */
    uint32_t flash_size; /* bytes */
    uint8_t *executed;   /* by word: it was executed; NULL: not noted */
    uint8_t data[AVR_DATA];
    uint8_t allowed[AVR_DATA];
    uint32_t pc; /* in words */
    uint32_t wide_pc; /* 22 bits: three bytes on the stack */
    uint32_t small;   /* 8 KB of flash: 12 bits, vectors of one word; no JMP, CALL, and no multiplications */
    uint32_t where;   /* of a bad access */
    uint32_t lowest_stack; /* the lowest byte that was pushed or stored on the stack */
    uint64_t cycles;
    uint64_t end;     /* avr_run_to stops when so many are over; whoever is asked or told something may change it */
    uint32_t waits;   /* an interrupt is to come: its vector; 0: none */
    bool was_off;     /* interrupts were off before the last instruction: the next one comes first */
    void *context;                                  /* of these two: */
    bool (*ask)(struct avr *a, uint32_t at);        /* puts it into `data`; false: this load is a bad one */
    void (*tell)(struct avr *a, uint32_t at, uint8_t v);
};

/* One instruction. */
enum avr_stop avr_step_once(struct avr *a);
/* Until the program counter is `stop` (a word address), something is wrong, an interrupt can be taken, or so many cycles are
 * over. */
enum avr_stop avr_run_to(struct avr *a, uint32_t stop, uint64_t cycles);
/* Takes an interrupt: to its vector, of two words, or one. */
enum avr_stop avr_interrupt(struct avr *a, uint32_t vector);

#endif
