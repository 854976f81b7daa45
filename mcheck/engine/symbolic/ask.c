/* Operations and questions: numbers are computed with, terms are asked about, once. */
#include "symbolic/machine.h"
#include "symbolic/operations.h"

enum status mc_asked_value(struct mc_symbolic *s, const uint64_t *key, uint64_t words, struct value *out)
{
    const uint64_t *found = mc_answers_find(&s->answers, key, words, NULL);
    s->counts.answers++;
    if (!found) return ASKS;
    *out = (struct value){(uint32_t)found[0], 0, found[1]};
    return found[0] == MC_VALUE_NOTHING ? HANDS_OVER : GOES_ON;
}

enum status mc_asked_word(struct mc_symbolic *s, const uint64_t *key, uint64_t words, uint64_t *out)
{
    const uint64_t *found = mc_answers_find(&s->answers, key, words, NULL);
    s->counts.answers++;
    if (!found) return ASKS;
    *out = found[0];
    return GOES_ON;
}

enum status mc_operate(struct mc_symbolic *s, uint32_t op, uint32_t width, uint32_t of, const struct value *x, uint32_t count, struct value *out)
{
    uint64_t terms = 0, key[4] = {0, 0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        if (!is_scalar(x[i])) return HANDS_OVER;
        terms |= (uint64_t)(x[i].what == MC_VALUE_TERM) << i;
        key[1 + i] = x[i].bits;
    }
    if (width > 64 || of > 64 || !width || !of) return HANDS_OVER;
    if (!terms) {
        *out = number(mc_low_bits(mc_operated((enum mc_term_op)op, of, key[1], key[2], key[3]), width));
        return GOES_ON;
    }
    key[0] = MC_ASKED_OPERATION | (uint64_t)op << 8 | (uint64_t)width << 16 | (uint64_t)of << 24 | terms << 32;
    return mc_asked_value(s, key, 1 + count, out);
}

enum status mc_byte_of(struct mc_symbolic *s, struct value v, uint32_t number_of_byte, uint32_t *cell)
{
    if (v.what == MC_VALUE_NUMBER) {
        *cell = number_of_byte < 8 ? (uint32_t)(v.bits >> 8 * number_of_byte & 0xff) : 0;
        return GOES_ON;
    }
    if (8 * number_of_byte >= s->terms.at[v.bits].width) {
        *cell = 0;
        return GOES_ON;
    }
    struct value found;
    enum status r = mc_asked_value(s, (uint64_t[]){MC_ASKED_BYTE | number_of_byte << 8, v.bits}, 2, &found);
    if (r == GOES_ON) *cell = found.what == MC_VALUE_TERM ? MC_CELL_TERM + (uint32_t)found.bits : (uint32_t)found.bits & 0xff;
    return r;
}

bool mc_key_of_term(struct mc_symbolic *s, const struct path *p, uint64_t head, uint64_t term)
{
    const struct term *t = s->terms.at + term;
    s->key.count = 0;
    if (!ROOM_FOR(s->key, 2 + t->count)) return false;
    s->key.at[s->key.count++] = head;
    s->key.at[s->key.count++] = term;
    for (uint32_t i = 0; i < t->count; i++) s->key.at[s->key.count++] = p->symbols.at[s->symbols.at[t->first + i]].set;
    return true;
}

enum status mc_asked_of_term(struct mc_symbolic *s, const struct path *p, uint32_t kind, uint64_t term, struct value *out)
{
    if (!mc_key_of_term(s, p, kind, term)) return NO_MEMORY;
    return mc_asked_value(s, s->key.at, s->key.count, out);
}

static enum status question(struct mc_symbolic *s, const struct path *p, uint32_t kind, uint64_t term, uint64_t *out)
{
    if (!mc_key_of_term(s, p, kind | (uint64_t)s->step.mode << 8, term)) return NO_MEMORY;
    const uint64_t *found = mc_answers_find(&s->answers, s->key.at, s->key.count, NULL);
    s->counts.answers++;
    if (!found) return ASKS;
    if (!found[0]) return HANDS_OVER;
    *out = found[1];
    s->ways = found;
    return found[0] == 1 ? GOES_ON : SPLITS;
}

enum status mc_truth(struct mc_symbolic *s, const struct path *p, struct value v, uint64_t *out)
{
    if (!is_scalar(v)) return HANDS_OVER;
    *out = v.bits != 0;
    return v.what == MC_VALUE_NUMBER ? GOES_ON : question(s, p, MC_ASKED_TRUTH, v.bits, out);
}

enum status mc_number_of(struct mc_symbolic *s, const struct path *p, struct value v, uint64_t *out)
{
    if (!is_scalar(v)) return HANDS_OVER;
    *out = v.bits;
    return v.what == MC_VALUE_NUMBER ? GOES_ON : question(s, p, MC_ASKED_NUMBER, v.bits, out);
}
