/* Running a compiled program on the host: one step at a time, under one of several policies, recorded as items. */
#ifndef LF_HOST_H
#define LF_HOST_H

#include "../../kernel/lf.h"

enum lf_host_mode {
    LF_HOST_ROUND_ROBIN = 0,
    LF_HOST_EARLIEST = 1,
    LF_HOST_RANDOM = 2,
    LF_HOST_FOLLOW = 3, /* does what the recorded items say */
    LF_HOST_SCRIPT = 4  /* takes the alternatives that a list of numbers names, then the first ones; lists how many there were */
};

enum lf_host_status {
    LF_HOST_RAN = 0,
    LF_HOST_ENDED = 1,    /* no process is left */
    LF_HOST_BLOCKED = 2,  /* nobody is ready, and nobody waits for time, the console or an interrupt */
    LF_HOST_WAITING = 3,  /* nobody is ready, somebody waits for time, the console or an interrupt */
    LF_HOST_FAULT = 4,
    LF_HOST_DIVERGED = 5, /* the recorded items do not fit */
    LF_HOST_FINISHED = 6  /* the recorded items are used up */
};

#define LF_HOST_NO_PORT 0xFFFFFFFFu

/* Kept in step with lfc/codegen/host.py (ctypes), which checks the size. */
struct lf_host {
    uint32_t size; /* of this struct */
    uint32_t mode;
    uint64_t random;
    /* time: real milliseconds come through `now` before each step; a virtual clock moves only by lf_host_advance */
    uint32_t now;
    uint32_t inputs_are_zero; /* port reads: 0 a random byte stream from `random`, 1 zero */
    /* items of the last step */
    uint8_t *items;
    uint32_t items_room;
    uint32_t items_used;
    /* FOLLOW: what to do */
    const uint8_t *schedule;
    uint32_t schedule_size;
    uint32_t schedule_at;
    /* SCRIPT: which alternatives to take; how many there were */
    const uint32_t *script;
    uint32_t script_size;
    uint32_t asked;
    uint32_t *alternatives;
    uint32_t alternatives_room;
    uint32_t event; /* SCRIPT: run this slot */
    /* console */
    uint8_t *out;
    uint32_t out_room;
    uint32_t out_used;
    const uint8_t *in;
    uint32_t in_size;
    uint32_t in_at;
    /* the last fault */
    uint32_t fault_kind;
    uint32_t fault_site;
    int32_t fault_first;
    int32_t fault_second;
    uint64_t steps;
    uint32_t rounds; /* how many rounds of loops and calls one action may take */
    uint32_t interrupts; /* RANDOM: interrupts come at random */
    void (*overflow)(void); /* called within an action when `items` or `out` is full: takes what is there; 0: it is lost */
    const uint32_t *given; /* SCRIPT: what ports and C give, one after the other; NULL: any value */
    uint32_t given_size, given_at;
    uint32_t one_value; /* SCRIPT: inputs that were given one value of many; counts on */
    uint32_t *addresses; /* of the last step's port reads, in their order; LF_HOST_NO_PORT: C or somebody else has written */
    uint32_t addresses_room, addresses_used;
};

extern struct lf_host lf_host;

uint32_t lf_host_start(lf_byte *b);
uint32_t lf_host_step(lf_byte *b);
uint64_t lf_host_run(lf_byte *b, uint64_t steps, uint32_t *status);
uint32_t lf_host_next_wake(lf_byte *b, uint32_t *when);

#endif
