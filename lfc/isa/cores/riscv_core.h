/* What the parts of the simulator of the RISC-V cores share: registers, memory. See riscv.h. */
#ifndef MC_RISCV_INSIDE_H
#define MC_RISCV_INSIDE_H

#include <string.h>

#include "riscv.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are taken as they lie in memory");

static inline uint32_t bits(uint32_t w, uint32_t low, uint32_t count) { return w >> low & ((1u << count) - 1); }
static inline uint32_t extended(uint32_t v, uint32_t width) { return (uint32_t)((int32_t)(v << (32 - width)) >> (32 - width)); }

static inline void put(struct riscv *t, uint32_t r, uint32_t v)
{
    if (r == RISCV_SP) riscv_set_sp(t, v);
    else if (r) t->x[r] = v;
}

static inline uint32_t find(const struct riscv *t, uint32_t address, uint32_t size)
{
    for (const struct riscv_region *r = t->region, *end = r + t->regions; r < end; r++) {
        uint32_t o = address - r->start;
        if (o < r->size) return r->size - o >= size ? r->at + o : RISCV_NOWHERE;
    }
    return RISCV_NOWHERE;
}

/* 010 0011 and the like: what the opcode's bits 2 to 6 are. */
enum {
    LOAD = 0, FENCE = 3, IMMEDIATE = 4, AUIPC = 5, STORE = 8, ATOMIC = 11, REGISTER = 12, LUI = 13, BRANCH = 24, JALR = 25,
    JAL = 27, SYSTEM = 28
};

enum riscv_stop riscv_load(struct riscv *t, uint32_t address, uint32_t size, uint32_t *v);
enum riscv_stop riscv_store(struct riscv *t, uint32_t address, uint32_t size, uint32_t v);
enum riscv_stop riscv_system(struct riscv *t, uint32_t w); /* status registers, traps, sleep */
enum riscv_stop riscv_atomic(struct riscv *t, uint32_t w);

#endif
