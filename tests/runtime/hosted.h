/* A hand-written program under the host's policies: single actions, and what became of them. */
#ifndef HOSTED_H
#define HOSTED_H

#include "ports/host/host.h"
#include "program.h"

static uint8_t items[4096], output[64];
static uint32_t alternatives[64], script[8];

/* Everything as before the first step, under one mode. */
static inline void start(uint32_t mode)
{
    make_memory();
    lf_host = (struct lf_host){
        .size = sizeof lf_host, .mode = mode, .random = 88172645463325252u, .rounds = 1000,
        .items = items, .items_room = sizeof items, .out = output, .out_room = sizeof output,
        .alternatives = alternatives, .alternatives_room = 64, .script = script, .script_size = 0};
    lf_host_start(block);
}

/* Makes `slot` the one that runs next, wherever it was, and lets it do `action`. */
static inline uint32_t act(lf_slot slot, void (*action)(lf_byte *b, lf_slot slot))
{
    program.run = action;
    if (!lf_is_ready(block, slot)) put_at(slot, BASE);
    if (lf_host.mode == LF_HOST_SCRIPT) {
        lf_host.event = slot;
        return lf_host_step(block);
    }
    memory[CURSOR_AT] = (lf_byte)(slot == 0 ? SLOTS - 1 : slot - 1);
    return lf_host_step(block);
}

/* The items of the last step are these. */
static inline int recorded_items(const uint8_t *want, uint32_t size)
{
    return lf_host.items_used == size && memcmp(items, want, size) == 0;
}

#define ITEMS(...) recorded_items((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

#define CHECK_FAULT(status, kind, site, first) \
    do { \
        CHECK_EQUAL(status, LF_HOST_FAULT); \
        CHECK_EQUAL(lf_host.fault_kind, kind); \
        CHECK_EQUAL(lf_host.fault_site, site); \
        CHECK_EQUAL(lf_host.fault_first, first); \
    } while (0)

#endif
