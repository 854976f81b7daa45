/* What the caller reads: ends, faults, and paths that it goes on with. */
#include "symbolic/machine.h"

static bool put(struct mc_symbolic *s, uint64_t word) { return ADD(s->output, word); }

/* The kind of the part, what the path has come by, its symbols and its items. */
bool mc_put_path_head(struct mc_symbolic *s, const struct path *p, uint64_t part)
{
    if (!put(s, part) || !put(s, p->steps) || !put(s, p->assumed) || !put(s, p->symbols.count)) return false;
    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (!put(s, p->symbols.at[i].set) || !put(s, p->symbols.at[i].width)) return false;
    if (!put(s, p->items.count)) return false;
    for (uint32_t i = 0; i < p->items.count; i++) {
        struct item x = p->items.at[i];
        if (!put(s, x.kind) || !put(s, x.a) || !put(s, x.b) || !put(s, x.c)) return false;
    }
    return true;
}

static bool put_value(struct mc_symbolic *s, struct value v) { return put(s, v.what) && put(s, v.place) && put(s, v.bits); }

bool mc_put_block(struct mc_symbolic *s, const struct path *p)
{
    uint32_t n = MC_ROOM_BEFORE + s->block_size;
    if (!ROOM_FOR(s->output, n)) return false;
    for (uint32_t i = 0; i < n; i++) s->output.at[s->output.count++] = p->cells.at[i];
    return true;
}

/* All of it: what is decided, alternatives, addresses in memory, memory, activations with their registers. */
bool mc_put_path(struct mc_symbolic *s, const struct path *p)
{
    if (!mc_put_path_head(s, p, MC_PART_PATH) || !put(s, p->decided) || !put(s, s->splits) || !put(s, p->alternatives.count)) return false;
    for (uint32_t i = 0; i < p->alternatives.count; i++) {
        struct alternative x = p->alternatives.at[i];
        if (!put(s, x.own) || !put(s, x.partner) || !put(s, x.theirs)) return false;
    }
    if (!put(s, p->pointers.count)) return false;
    for (uint32_t i = 0; i < p->pointers.count; i++)
        if (!put_value(s, p->pointers.at[i])) return false;
    if (!put(s, p->pieces.count)) return false;
    for (uint32_t i = 0; i < p->pieces.count; i++) {
        struct piece piece = p->pieces.at[i];
        if (!put(s, piece.size) || !ROOM_FOR(s->output, piece.size)) return false;
        for (uint32_t k = 0; k < piece.size; k++) s->output.at[s->output.count++] = p->cells.at[piece.at + k];
    }
    if (!put(s, p->active.count)) return false;
    for (uint32_t i = 0; i < p->active.count; i++) {
        struct activation a = p->active.at[i];
        uint32_t end = i + 1 < p->active.count ? p->active.at[i + 1].registers : p->registers.count;
        const int64_t *block = s->code + s->code[1] + 3 * a.block;
        if (!put(s, a.function) || !put(s, a.block) || !put(s, (uint64_t)(a.pc - (s->code + block[0])) / 8)) return false;
        if (!put(s, (uint64_t)(int64_t)a.result) || !put(s, end - a.registers)) return false;
        for (uint32_t k = a.registers; k < end; k++)
            if (!put_value(s, p->registers.at[k])) return false;
    }
    return true;
}
