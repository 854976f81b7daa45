/* What the check of an image needs of a processor: one struct of functions for each (avr_processor.c,
 * riscv_processor.c, thumb_processor.c), over its core's simulator; and what a pass on any of them reads and does (kernel_pass.c).
 *
 * A byte is named by its index: in `data`, in `allowed`, and in the setup's `place`. What follows when an instruction has
 * been executed is said by the core, where it goes by `pc`: a word of the flash.
 */
#ifndef MC_IMAGE_MACHINE_H
#define MC_IMAGE_MACHINE_H

#include "api/image.h"
#include "base/hash_map.h"

struct img;

/* What may be done with a byte; the cores' own numbers. */
enum { IMG_MAY_READ = 1, IMG_MAY_WRITE = 2, IMG_ASKS = 16, IMG_TELLS = 32, IMG_ON_STACK = 64 };

/* What an instruction has led to. */
enum img_went {
    IMG_WENT_ON,
    IMG_RETURNED,           /* as a function does */
    IMG_RETURNED_OTHERWISE, /* as an interrupt's routine does */
    IMG_JUMPED,             /* by a pointer */
    IMG_FELL_ASLEEP,
    IMG_STOPPED             /* something is wrong (img_fail), or an answer is missing */
};

enum { IMG_MOST_REGISTERS = 144 }; /* bytes */

struct img_processor {
    bool (*create)(struct img *x); /* false: no memory */
    void (*destroy)(struct img *x);
    /* From the reset to the kernel's loop; fills `base_data` and `base_allowed`. False: it did not come there. */
    bool (*start)(struct img *x);
    uint64_t unset, lost; /* registers that nobody has set when a pass begins; that hold nothing when a call comes back */
    uint64_t argument_register;
    /* The registers at the start of a pass; `inverse`: those that nobody may rely on the other way round. */
    void (*enter)(struct img *x, bool inverse);
    /* At the start of a pass: a function with one argument, instead of the pass. */
    void (*call)(struct img *x, uint32_t function, uint32_t argument);
    uint32_t (*argument)(const struct img *x); /* of the function that begins here */
    uint32_t (*word_argument)(const struct img *x); /* the same, if it has 32 bits; not asked where no port can spin */
    /* This function returns, with nothing in the registers that it may use. False: it cannot (img_fail). */
    bool (*come_back)(struct img *x, bool inverse);
    enum img_went (*step)(struct img *x); /* one instruction; `pc` is where it led to */
    void (*check_end)(struct img *x, bool inverse, uint32_t pc); /* of the pass: all that it must leave as it was */
    void (*invert)(struct img *x, uint64_t live); /* all registers and flags but these */
    /* The lowest byte of the stack that is in use; the lowest that was in use since the pass began. */
    uint32_t (*stack)(const struct img *x);
    uint32_t (*deepest)(const struct img *x);
    /* Registers, with the stack pointer and the program counter. `key`: 0 where it does not matter. How many bytes. */
    uint32_t (*save)(const struct img *x, uint64_t live, uint8_t *registers, uint8_t *key);
    void (*restore)(struct img *x, const uint8_t *registers);
    uint32_t (*address)(const struct img *x, uint32_t at); /* of a byte, as the program knows it */
    bool (*is_mask)(const struct img *x, uint32_t address); /* of interrupts */
};

extern const struct img_processor img_avr, img_riscv, img_thumb;

/* For the cores. A byte of memory is to be known: into `data`; false: its answer is missing, stop. */
bool img_asked(struct img *x, uint32_t at);
/* A device's register of so many bytes is read; false as above. */
bool img_asked_device(struct img *x, uint32_t at, uint32_t width, uint32_t *v);
/* The same of a register of the console, which the program itself reads: an input. */
bool img_asked_own(struct img *x, uint32_t at, uint32_t *v);
/* A byte of memory was written. */
void img_told(struct img *x, uint32_t at);
void img_told_device(struct img *x, uint32_t at, uint32_t width, uint32_t v);
/* Does the byte hold what was written to it? */
bool img_is_memory(uint8_t place);
uint8_t img_allowed_at(const struct img *x, uint8_t place);
void img_fail(struct img *x, uint32_t error, uint32_t pc, uint32_t where);
/* The start-up came to an instruction that is wrong. */
bool img_fail_start(struct img *x, uint32_t where, uint32_t said);

/* What a byte is that a register cannot be relied on to hold. */
static inline uint8_t img_pattern(uint32_t r, bool inverse)
{
    uint8_t pattern = (uint8_t)(0x35 + 0x4B * r);
    return inverse ? (uint8_t)~pattern : pattern;
}

#endif
