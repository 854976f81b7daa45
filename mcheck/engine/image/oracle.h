/* What the compiled actions do under a board's policies, told deed by deed: what an image has to do.
 *
 * The program is compiled with oracle_policies.c; runtime/ports/host/before_block.h says how it finds `struct img_oracle`.
 */
#ifndef MC_IMAGE_ORACLE_H
#define MC_IMAGE_ORACLE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

enum img_deed_kind {
    IMG_IN = 1,   /* width, address, value */
    IMG_OUT,      /* width, address, value */
    IMG_READ,     /* a byte of the console */
    IMG_WRITE,    /* one to it */
    IMG_WAITS,    /* slot, whether others may wait in the same queue */
    IMG_LEAVES,   /* the same */
    IMG_SLEEPS,   /* slot, clause, milliseconds */
    IMG_CLOCK,    /* the clock was read */
    IMG_SPIN,     /* 4, 0, microseconds */
    IMG_OTHER,    /* something that no image check knows: C has written */
    IMG_ANSWERED  /* width, 0, value: what the model of a device has answered */
};

struct img_deed { uint32_t kind, first, second, third; };

enum { IMG_DEEDS = 65536 };

struct img_oracle {
    jmp_buf out;
    void *context; /* of these two: */
    uint32_t (*input)(struct img_oracle *o, uint32_t width, uint32_t address); /* width 0: the console */
    bool (*arrived_before)(struct img_oracle *o, uint8_t x, uint8_t y);
    uint32_t (*decide)(struct img_oracle *o, uint32_t alternatives); /* with models: what they decide; NULL: there are none */
    uint32_t clock, rounds;
    uint32_t accesses, width; /* that are under way, to a model of devices; of the outermost: its bits, 0: a write */
    uint32_t fault_kind, fault_site;
    int32_t fault_first, fault_second;
    uint32_t count; /* of deeds */
    struct img_deed deed[IMG_DEEDS];
};

#endif
