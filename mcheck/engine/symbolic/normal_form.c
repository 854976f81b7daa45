/* The normal form of an end, where it is simple: no two terms of it share a symbol. What is not simple is brought to its normal
 * form by the caller, from the block. */
#include "symbolic/machine.h"

#include <string.h>

static enum status layout_of(struct mc_symbolic *s, const uint32_t *block, uint32_t *out)
{
    uint64_t node = 0, value = 0, words;
    for (;;) {
        const uint64_t *found = mc_answers_find(&s->answers, (uint64_t[]){MC_ASKED_FRAMES, node, value}, 3, &words);
        if (!found) return ASKS;
        if (found[0]) {
            *out = (uint32_t)found[1];
            return GOES_ON;
        }
        node = found[1];
        value = 0;
        for (uint64_t i = found[3]; i--;) {
            uint32_t c = block[found[2] + i];
            if (c >= MC_CELL_TERM) return HANDS_OVER; /* where a process is, is not known */
            value = value << 8 | c;
        }
    }
}

/* What a cell holds. */
static enum status content_of(struct mc_symbolic *s, const uint32_t *cells, uint32_t size, struct value *out)
{
    uint64_t key[9], terms = 0, v = 0;
    if (size > 8) return HANDS_OVER;
    for (uint32_t i = size; i--;) {
        if (cells[i] >= CELL_POINTER) return HANDS_OVER;
        bool is_term = cells[i] >= MC_CELL_TERM;
        terms |= (uint64_t)is_term << i;
        key[1 + i] = is_term ? cells[i] - MC_CELL_TERM : cells[i];
        v = v << 8 | (is_term ? 0 : cells[i]);
    }
    *out = terms ? term_value((uint32_t)key[1]) : number(v);
    if (!terms || size == 1) return GOES_ON;
    key[0] = MC_ASKED_JOIN | terms << 8;
    return mc_asked_value(s, key, 1 + size, out);
}

/* Contents of what may be undetermined go to s->contents (nothing: it is explicit), with zeros in their place. */
static enum status take_contents(struct mc_symbolic *s, const struct layout *of)
{
    s->contents.count = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        struct cell c = s->cells.at[of->first + i];
        struct value v;
        enum status r = content_of(s, s->block.at + c.offset, c.size, &v);
        if (r != GOES_ON) return r;
        bool stays = v.what == MC_VALUE_NUMBER && !c.lifted;
        if (stays) v.what = MC_VALUE_NOTHING;
        else memset(s->block.at + c.offset, 0, c.size * sizeof *s->block.at);
        if (!ADD(s->contents, v)) return NO_MEMORY;
    }
    return GOES_ON;
}

/* The number of the explicit bytes; what is dead of the contents is zero. */
static enum status explicit_bytes(struct mc_symbolic *s, const struct layout *of, uint64_t *out)
{
    uint32_t n = s->block_size;
    s->key.count = 0;
    if (!ROOM_FOR(s->key, 1 + (n + 7) / 8)) return NO_MEMORY;
    s->key.at[s->key.count++] = MC_ASKED_EXPLICIT;
    for (uint32_t i = 0; i < n; i += 8) {
        uint64_t word = 0;
        for (uint32_t k = 0; k < 8 && i + k < n; k++) {
            if (s->block.at[i + k] >= MC_CELL_TERM) return HANDS_OVER;
            word |= (uint64_t)s->block.at[i + k] << 8 * k;
        }
        s->key.at[s->key.count++] = word;
    }
    uint64_t words;
    const uint64_t *found = mc_answers_find(&s->answers, s->key.at, s->key.count, &words);
    if (!found) return ASKS;
    *out = found[0];
    for (uint64_t d = 1; d + 1 < words; d += 2)
        for (uint32_t i = 0; i < of->count; i++) {
            struct cell c = s->cells.at[of->first + i];
            bool is_dead = found[d] <= c.offset && c.offset + c.size <= found[d] + found[d + 1];
            if (is_dead && s->contents.at[i].what != MC_VALUE_NOTHING) s->contents.at[i] = number(0);
        }
    return GOES_ON;
}

/* Contents as sums and numbers; HANDS_OVER where two different ones share a symbol. */
static enum status simplified(struct mc_symbolic *s, const struct path *p)
{
    s->owner.count = 0;
    if (!ROOM_FOR(s->owner, p->symbols.count)) return NO_MEMORY;
    if (p->symbols.count) memset(s->owner.at, 0xff, p->symbols.count * sizeof *s->owner.at);
    for (uint32_t i = 0; i < s->contents.count; i++) {
        struct value *v = &s->contents.at[i];
        if (v->what != MC_VALUE_TERM) continue;
        const struct term *t = s->terms.at + v->bits;
        bool is_open = t->is_symbol && !s->sets.at[p->symbols.at[s->symbols.at[t->first]].set].is_single;
        enum status r = is_open ? GOES_ON : mc_asked_of_term(s, p, MC_ASKED_SIMPLE, v->bits, v);
        if (r != GOES_ON) return r;
        if (v->what != MC_VALUE_TERM) continue;
        t = s->terms.at + v->bits;
        for (uint32_t k = 0; k < t->count; k++) {
            uint32_t *owner = s->owner.at + s->symbols.at[t->first + k];
            if (*owner != UINT32_MAX && *owner != v->bits) return HANDS_OVER;
            *owner = (uint32_t)v->bits;
        }
    }
    return GOES_ON;
}

/* The set of what a content may be; HANDS_OVER: it is no set. */
static enum status values_of(struct mc_symbolic *s, const struct path *p, struct value v, uint64_t *set)
{
    if (v.what == MC_VALUE_NUMBER) return mc_asked_word(s, (uint64_t[]){MC_ASKED_SINGLE, v.bits}, 2, set);
    const struct term *t = s->terms.at + v.bits;
    if (t->is_symbol) {
        *set = p->symbols.at[s->symbols.at[t->first]].set;
        return GOES_ON;
    }
    if (!mc_key_of_term(s, p, MC_ASKED_IMAGE, v.bits)) return NO_MEMORY;
    enum status r = mc_asked_word(s, s->key.at, s->key.count, set);
    return r == GOES_ON && !*set ? HANDS_OVER : r;
}

/* Symbols in the order of the cells, equal terms the same: the question for the shape in s->key, in `sets` of each symbol its set,
 * and what it was; behind those of all cells, how many. */
static enum status named(struct mc_symbolic *s, const struct path *p, const struct layout *of, uint64_t *sets)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        struct value v = s->contents.at[i];
        if (v.what == MC_VALUE_NOTHING) continue;
        uint32_t symbol = count, width = 8 * s->cells.at[of->first + i].size;
        if (v.what == MC_VALUE_TERM) {
            width = s->terms.at[v.bits].width;
            for (symbol = 0; symbol < count; symbol++)
                if (sets[3 * symbol + 1] == MC_VALUE_TERM && sets[3 * symbol + 2] == v.bits) break;
        }
        if (symbol == count) {
            enum status r = values_of(s, p, v, &sets[3 * count]);
            if (r != GOES_ON) return r;
            sets[3 * count + 1] = v.what;
            sets[3 * count++ + 2] = v.bits;
        }
        s->contents.at[i].place = symbol | width << 24;
    }
    sets[3 * of->count] = count;
    return GOES_ON;
}

static enum status shape_of(struct mc_symbolic *s, const struct layout *of, uint32_t layout, uint64_t bytes, uint64_t *out)
{
    s->key.count = 0;
    if (!ROOM_FOR(s->key, 3 + of->count)) return NO_MEMORY;
    s->key.at[0] = MC_ASKED_SHAPE;
    s->key.at[1] = bytes;
    s->key.at[2] = layout;
    s->key.count = 3;
    for (uint32_t i = 0; i < of->count; i++) {
        struct value v = s->contents.at[i];
        if (v.what == MC_VALUE_NOTHING) continue;
        s->key.at[s->key.count++] = i | (uint64_t)(v.place & 0xffffff) << 16 | (uint64_t)(v.place >> 24) << 40;
    }
    return mc_asked_word(s, s->key.at, s->key.count, out);
}

enum status mc_end_normally(struct mc_symbolic *s, struct path *p)
{
    uint32_t n = s->block_size, layout;
    uint64_t bytes, shape;
    s->block.count = 0;
    if (!ROOM_FOR(s->block, n ? n : 1)) return NO_MEMORY;
    memcpy(s->block.at, p->cells.at + MC_ROOM_BEFORE, n * sizeof *s->block.at);
    for (uint32_t i = 0; i < s->control.count; i++)
        for (uint32_t k = 0; k < s->control.at[i].size; k++)
            if (s->block.at[s->control.at[i].offset + k] >= MC_CELL_TERM) return HANDS_OVER;
    enum status r = layout_of(s, s->block.at, &layout);
    if (r != GOES_ON) return r;
    struct layout of = s->layouts.at[layout];
    if (of.count > 0xffff) return HANDS_OVER;
    if ((r = take_contents(s, &of)) != GOES_ON || (r = explicit_bytes(s, &of, &bytes)) != GOES_ON) return r;
    if ((r = simplified(s, p)) != GOES_ON) return r;
    s->named.count = 0;
    if (!ROOM_FOR(s->named, 3 * of.count + 1)) return NO_MEMORY;
    uint64_t *sets = s->named.at;
    if ((r = named(s, p, &of, sets)) != GOES_ON || (r = shape_of(s, &of, layout, bytes, &shape)) != GOES_ON) return r;
    uint32_t count = (uint32_t)sets[3 * of.count];
    if (!mc_put_path_head(s, p, MC_PART_NORMAL) || !ROOM_FOR(s->output, 2 + 3 * count)) return NO_MEMORY;
    s->output.at[s->output.count++] = shape;
    s->output.at[s->output.count++] = count;
    if (count) memcpy(s->output.at + s->output.count, sets, 24 * count);
    s->output.count += 3 * count;
    return GOES_ON;
}
