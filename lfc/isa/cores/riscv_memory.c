/* The RISC-V cores: loads, stores, atomic operations, and the stack. See riscv.h. */
#include "riscv_core.h"

uint32_t riscv_index(const struct riscv *t, uint32_t address) { return find(t, address, 1); }

uint32_t riscv_address(const struct riscv *t, uint32_t at)
{
    for (uint32_t i = 0; i < t->regions; i++)
        if (at - t->region[i].at < t->region[i].size) return t->region[i].start + (at - t->region[i].at);
    return 0;
}

/* Nothing above `to` was on the stack that lies below it. */
void riscv_set_sp(struct riscv *t, uint32_t sp)
{
    uint32_t from = t->x[RISCV_SP];
    t->x[RISCV_SP] = sp;
    if (sp <= from) return;
    uint32_t at = find(t, from, 1), count = sp - from;
    if (at == RISCV_NOWHERE || riscv_index(t, sp - 1) != at + count - 1) { /* it was elsewhere */
        at = find(t, t->lowest_stack, 1);
        if (sp <= t->lowest_stack) return; /* nothing of it was stored above */
        count = sp - t->lowest_stack;
        if (at == RISCV_NOWHERE || riscv_index(t, sp - 1) != at + count - 1) return;
    }
    for (uint8_t *m = t->allowed + at, *end = m + count; m < end; m++)
        if (*m & RISCV_STACK) *m &= (uint8_t)~RISCV_READ;
}

/* Of so many bytes: what may be done with all of them, and with any. */
static void rights(const uint8_t *m, uint32_t size, uint32_t *all, uint32_t *any)
{
    *all = *any = m[0];
    for (uint32_t i = 1; i < size; i++) {
        *all &= m[i];
        *any |= m[i];
    }
}

/* Of the stack, where only some bytes were written: compilers load a whole word and use those. */
static void load_partly(const struct riscv *t, uint32_t at, uint32_t size, uint32_t *v)
{
    *v = 0;
    for (uint32_t i = 0; i < size; i++)
        *v |= (uint32_t)(t->allowed[at + i] & RISCV_READ ? t->data[at + i] : t->unwritten) << 8 * i;
}

enum riscv_stop riscv_load(struct riscv *t, uint32_t address, uint32_t size, uint32_t *v)
{
    uint32_t all, any;
    t->where = address;
    if (address & (size - 1)) return RISCV_UNALIGNED;
    uint32_t at = find(t, address, size);
    if (at == RISCV_NOWHERE) return RISCV_BAD_LOAD;
    rights(t->allowed + at, size, &all, &any);
    if (!(all & RISCV_READ)) {
        if (any & RISCV_READ && all & RISCV_STACK && address >= t->x[RISCV_SP]) {
            load_partly(t, at, size, v);
            return RISCV_RUNS;
        }
        while (t->allowed[at++] & RISCV_READ) t->where++;
        return RISCV_BAD_LOAD;
    }
    if (any & RISCV_ASK && !t->ask(t, at, address, size)) return RISCV_BAD_LOAD;
    *v = 0;
    memcpy(v, t->data + at, size);
    return RISCV_RUNS;
}

/* Below the stack pointer an interrupt may destroy what is stored. */
enum riscv_stop riscv_store(struct riscv *t, uint32_t address, uint32_t size, uint32_t v)
{
    uint32_t all, any;
    t->where = address;
    if (address & (size - 1)) return RISCV_UNALIGNED;
    uint32_t at = find(t, address, size);
    if (at == RISCV_NOWHERE) return RISCV_BAD_STORE;
    rights(t->allowed + at, size, &all, &any);
    if (!(all & RISCV_WRITE)) {
        while (t->allowed[at++] & RISCV_WRITE) t->where++;
        return RISCV_BAD_STORE;
    }
    if (any & RISCV_STACK) {
        if (address < t->x[RISCV_SP]) return RISCV_BAD_STORE;
        for (uint32_t i = 0; i < size; i++)
            if (t->allowed[at + i] & RISCV_STACK) t->allowed[at + i] |= RISCV_READ;
        if (address < t->lowest_stack) t->lowest_stack = address;
    }
    memcpy(t->data + at, &v, size);
    if (any & RISCV_TELL) t->tell(t, at, address, size);
    return RISCV_RUNS;
}

/* funct5: the operations that read, change and write a word. */
enum { ADD, SWAP, LR, SC, XOR, OR = 8, AND = 12, MIN = 16, MAX = 20, MINU = 24, MAXU = 28 };

static bool changed(uint32_t how, uint32_t old, uint32_t by, uint32_t *v)
{
    switch (how) {
    case ADD: *v = old + by; break;
    case SWAP: *v = by; break;
    case XOR: *v = old ^ by; break;
    case OR: *v = old | by; break;
    case AND: *v = old & by; break;
    case MIN: *v = (int32_t)old < (int32_t)by ? old : by; break;
    case MAX: *v = (int32_t)old > (int32_t)by ? old : by; break;
    case MINU: *v = old < by ? old : by; break;
    case MAXU: *v = old > by ? old : by; break;
    default: return false;
    }
    return true;
}

enum riscv_stop riscv_atomic(struct riscv *t, uint32_t w)
{
    uint32_t how = w >> 27, rd = bits(w, 7, 5), rs2 = bits(w, 20, 5), old = 0, v = 0;
    uint32_t address = t->x[bits(w, 15, 5)], by = t->x[rs2];
    enum riscv_stop said;
    if (!(t->has & RISCV_A) || bits(w, 12, 3) != 2 || (how == LR && rs2)) return RISCV_ILLEGAL;
    t->cycles += 4;
    if (how == SC) {
        bool good = t->reserved && t->reserved_at == address;
        t->reserved = false;
        if (address & 3) {
            t->where = address;
            return RISCV_UNALIGNED;
        }
        if (good && (said = riscv_store(t, address, 4, by))) return said;
        put(t, rd, !good);
        return RISCV_RUNS;
    }
    if (how != LR && !changed(how, 0, by, &v)) return RISCV_ILLEGAL;
    if ((said = riscv_load(t, address, 4, &old))) return said;
    if (how == LR) {
        t->reserved = true;
        t->reserved_at = address;
    } else {
        changed(how, old, by, &v);
        if ((said = riscv_store(t, address, 4, v))) return said;
    }
    put(t, rd, old);
    return RISCV_RUNS;
}
