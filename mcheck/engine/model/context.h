/* What compiled actions (through the checker's policies, checker_policies.c) and the engine share while an action runs. */
#ifndef MC_CONTEXT_H
#define MC_CONTEXT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/engine.h"

/* What is known of an input so far: all values from `low` to `high` whose bits in `mask` are `bits`. There is one at least. */
struct mc_input { uint32_t low, high, mask, bits; };
/* A part of an input, as a number: the bits `mask` of the input shifted right, and `plus`. */
struct mc_input_part { uint32_t input, shift, mask; int64_t plus; };
enum { MC_NO_INPUT = MC_MOST_INPUTS, MC_MOST_PARTS = 256, MC_MOST_VALUES = 1 << 16 };

/* An execution decides more than there is room for: it is one of many, or what it does is none at all. */
enum { MC_NOT_ALL_TRIED = 1, MC_NO_EXECUTION = 2 };

enum { MC_MOST_ASKED = 2048, MC_MOST_MEETINGS = 4096, MC_MOST_TIME_STEPS = 32 };

/* A wait for time begins, or (`ends`) all waits of a slot are over. */
struct mc_time_step {
    uint32_t milliseconds;
    mc_slot slot;
    uint8_t clause, ends;
#ifndef LF_WIDE
    uint8_t padding; /* they are compared as bytes */
#endif
};

/* What the checker's policies (runtime/policies/check.c) and the engine share while an action runs. */
struct mc_context {
    jmp_buf out;
    const uint32_t *script; /* alternatives to take */
    uint32_t script_size;
    uint32_t asked;                 /* decisions so far */
    uint32_t counts[MC_MOST_ASKED]; /* how many alternatives each had */
    uint8_t is_meeting[MC_MOST_ASKED];
    uint8_t of_input[MC_MOST_ASKED]; /* which part of an input is left; a run that is given the input is not asked */
    uint32_t outcome; /* enum mc_outcome */
    uint32_t meeting; /* that was chosen; see slots.h */
    uint32_t fault_kind, fault_site;
    int32_t fault_first, fault_second;
    uint32_t looks_at_all; /* a process or a channel was made: which one, depends on all the block */
    uint32_t overflow;   /* more decisions than there is room for: one of the above */
    uint32_t assumed;    /* bits: 1 the clock was read, 2 a wide port read was cut to one value, 4 so was what C wrote,
                          * 8 the clock was read where a stamp has grown as old as is told apart */
    uint32_t rounds;     /* budget of loop rounds and calls of one action */
    uint32_t accesses;   /* of ports that are under way: what is decided there is no attempt of the action */
    uint8_t *is_told;    /* by number of a part of the variables: it was accessed */
    uint16_t *telling;   /* those, in the order of the first accesses */
    uint32_t told;       /* how many */
    struct { uint8_t own; mc_slot partner; uint8_t theirs; } all[MC_MOST_MEETINGS];
    uint32_t inputs, parts; /* that the execution has read so far */
    struct mc_input input[MC_MOST_INPUTS];
    uint32_t input_width[MC_MOST_INPUTS], input_address[MC_MOST_INPUTS]; /* width 0: not of a port */
    struct mc_input_part part[MC_MOST_PARTS];
    const struct mc_assumed *assume;
    uint32_t assumes;
    const uint8_t *character; /* that the console gives; of 0 all */
    uint32_t characters;
    uint32_t raised;   /* an environment has raised an interrupt that nobody waited for */
    uint32_t timed;    /* waits for time are told: */
    uint32_t time_steps; /* so many (those past the room are lost) */
    struct mc_time_step time_step[MC_MOST_TIME_STEPS];
    bool is_old;       /* a stamp that the action may access has */
    uint32_t clock_at; /* where the clock lies behind the block; 0: there is none */
};

enum mc_outcome { MC_NO_ATTEMPT = 0, MC_UNMET = 1, MC_MET = 2 };

#endif
