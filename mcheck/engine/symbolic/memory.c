/* Addresses, and what lies at them: bytes that are numbers, terms, or parts of an address. */
#include "symbolic/machine.h"
#include "symbolic/operations.h"

#include <string.h>

struct located { uint32_t *cells; const int64_t *constants; uint64_t at; };

/* Where `size` bytes lie. HANDS_OVER: outside of everything. */
static enum status located(struct mc_symbolic *s, const struct path *p, struct value pointer, uint64_t size, struct located *out)
{
    uint64_t offset = pointer.bits;
    if (pointer.what == MC_VALUE_FAR) {
        enum status r = mc_number_of(s, p, term_value((uint32_t)pointer.bits), &offset);
        if (r != GOES_ON) return r;
    } else if (pointer.what != MC_VALUE_POINTER) {
        return HANDS_OVER;
    }
    *out = (struct located){NULL, NULL, offset};
    if (pointer.place < p->pieces.count) {
        struct piece piece = p->pieces.at[pointer.place];
        out->at += pointer.place ? 0 : MC_ROOM_BEFORE;
        out->cells = p->cells.at + piece.at;
        return size <= piece.size && out->at <= piece.size - size ? GOES_ON : HANDS_OVER;
    }
    uint32_t global = pointer.place - MC_GLOBAL_PLACE;
    if (pointer.place < MC_GLOBAL_PLACE || global >= (uint64_t)s->code[3]) return HANDS_OVER;
    const int64_t *g = s->code + s->code[2] + 2 * global;
    out->constants = s->code + g[0];
    return size <= (uint64_t)g[1] && out->at <= (uint64_t)g[1] - size ? GOES_ON : HANDS_OVER;
}

/* The cells; HANDS_OVER: a part of an address among constants. */
static enum status read_cells(const struct located *from, uint64_t size, uint32_t *to)
{
    for (uint64_t i = 0; i < size; i++) {
        if (from->cells) to[i] = from->cells[from->at + i];
        else if (from->constants[from->at + i] < 0) return HANDS_OVER;
        else to[i] = (uint32_t)from->constants[from->at + i];
    }
    return GOES_ON;
}

static enum status joined(struct mc_symbolic *s, const struct path *p, const uint32_t *cells, uint32_t size, struct value *out)
{
    uint64_t key[9], terms = 0;
    if (cells[0] >= CELL_POINTER) {
        if (size != 8) return HANDS_OVER;
        for (uint32_t i = 0; i < 8; i++)
            if (cells[i] != ((cells[0] & ~7u) | i)) return HANDS_OVER;
        *out = p->pointers.at[(cells[0] & ~CELL_POINTER) >> 3];
        return GOES_ON;
    }
    for (uint32_t i = 0; i < size; i++) {
        bool is_term = cells[i] >= MC_CELL_TERM;
        if (cells[i] >= CELL_POINTER) return HANDS_OVER;
        terms |= (uint64_t)is_term << i;
        key[1 + i] = is_term ? cells[i] - MC_CELL_TERM : cells[i];
    }
    if (!terms) {
        uint64_t v = 0;
        for (uint32_t i = size; i--;) v = v << 8 | key[1 + i];
        *out = number(v);
        return GOES_ON;
    }
    if (size == 1) {
        *out = term_value((uint32_t)key[1]);
        return GOES_ON;
    }
    key[0] = MC_ASKED_JOIN | terms << 8;
    return mc_asked_value(s, key, 1 + size, out);
}

enum status mc_load_value(struct mc_symbolic *s, const struct path *p, struct value pointer, uint32_t size, struct value *out)
{
    struct located from;
    uint32_t cells[8];
    if (!size || size > 8) return HANDS_OVER;
    enum status r = located(s, p, pointer, size, &from);
    if (r == GOES_ON) r = read_cells(&from, size, cells);
    return r == GOES_ON ? joined(s, p, cells, size, out) : r;
}

static enum status pointer_stored(struct path *p, struct value v, uint32_t *cells)
{
    uint32_t n = p->pointers.count;
    if (n >= 1 << 24) return HANDS_OVER;
    if (!ADD(p->pointers, v)) return NO_MEMORY;
    for (uint32_t i = 0; i < 8; i++) cells[i] = CELL_POINTER | n << 3 | i;
    return GOES_ON;
}

enum status mc_store_value(struct mc_symbolic *s, struct path *p, struct value pointer, struct value v, uint32_t size)
{
    struct located to;
    uint32_t cells[8];
    if (!size || size > 8 || pointer.place >= MC_GLOBAL_PLACE) return HANDS_OVER;
    enum status r = located(s, p, pointer, size, &to);
    if (r != GOES_ON) return r;
    if (is_scalar(v)) {
        for (uint32_t i = 0; i < size && r == GOES_ON; i++) r = mc_byte_of(s, v, i, &cells[i]);
    } else {
        r = size == 8 && v.what != MC_VALUE_NOTHING ? pointer_stored(p, v, cells) : HANDS_OVER;
    }
    if (r == GOES_ON) memcpy(to.cells + to.at, cells, size * sizeof *cells);
    return r;
}

enum status mc_fill(struct mc_symbolic *s, struct path *p, struct value to, struct value v, struct value size)
{
    uint64_t n;
    struct located where;
    enum status r = mc_number_of(s, p, size, &n);
    if (r != GOES_ON || !n) return r;
    if (!is_scalar(v) || to.place >= MC_GLOBAL_PLACE) return HANDS_OVER;
    r = located(s, p, to, n, &where);
    uint32_t cell = v.what == MC_VALUE_TERM ? MC_CELL_TERM + (uint32_t)v.bits : (uint32_t)v.bits & 0xff;
    for (uint64_t i = 0; i < n && r == GOES_ON; i++) where.cells[where.at + i] = cell;
    return r;
}

enum status mc_move(struct mc_symbolic *s, struct path *p, struct value to, struct value from, struct value size)
{
    uint64_t n;
    struct located source, target;
    enum status r = mc_number_of(s, p, size, &n);
    if (r != GOES_ON || !n) return r;
    if (to.place >= MC_GLOBAL_PLACE) return HANDS_OVER;
    if ((r = located(s, p, from, n, &source)) != GOES_ON || (r = located(s, p, to, n, &target)) != GOES_ON) return r;
    if (!source.cells) return read_cells(&source, n, target.cells + target.at);
    memmove(target.cells + target.at, source.cells + source.at, n * sizeof *source.cells);
    return GOES_ON;
}

enum status mc_address_of(struct mc_symbolic *s, const int64_t *more, const struct value *registers, struct value base, struct value *out)
{
    if (base.what != MC_VALUE_POINTER && base.what != MC_VALUE_FAR) return HANDS_OVER;
    struct value offset = base.what == MC_VALUE_FAR ? term_value((uint32_t)base.bits) : number(base.bits);
    enum status r = GOES_ON;
    if (more[1] || base.what == MC_VALUE_FAR)
        r = mc_operate(s, MC_TERM_ADD, 64, 64, (struct value[]){offset, number((uint64_t)more[0])}, 2, &offset);
    else offset.bits += (uint64_t)more[0];
    for (int64_t i = 0; i < more[1] && r == GOES_ON; i++) {
        const int64_t *x = more + 2 + 3 * i;
        struct value index = registers[x[0]];
        if (x[2] < 64) r = mc_operate(s, MC_TERM_SEXT, 64, (uint32_t)x[2], &index, 1, &index);
        if (r == GOES_ON) r = mc_operate(s, MC_TERM_MUL, 64, 64, (struct value[]){index, number((uint64_t)x[1])}, 2, &index);
        if (r == GOES_ON) r = mc_operate(s, MC_TERM_ADD, 64, 64, (struct value[]){offset, index}, 2, &offset);
    }
    if (r == GOES_ON) *out = (struct value){offset.what == MC_VALUE_TERM ? MC_VALUE_FAR : MC_VALUE_POINTER, base.place, offset.bits};
    return r;
}
