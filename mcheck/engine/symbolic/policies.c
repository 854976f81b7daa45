/* The policies of undetermined data: each decision splits the path, each input is a new symbol with all values that it may have. */
#include "symbolic/machine.h"

enum { CLOCK_READ = 1 };

static enum status decided(struct mc_symbolic *s, struct path *p, uint64_t count, uint32_t *out)
{
    if (p->decided == UNDECIDED && count > 1) {
        s->ways = NULL;
        s->decisions = (uint32_t)count;
        return count < UNDECIDED ? SPLITS : HANDS_OVER;
    }
    *out = p->decided == UNDECIDED ? 0 : p->decided;
    p->decided = UNDECIDED;
    return GOES_ON;
}

static enum status met(struct mc_symbolic *s, struct path *p, struct value meeting, bool wide, struct value *out)
{
    static const uint32_t places[2][3] = {{2, 3, 4}, {4, 6, 8}};
    uint32_t which, size = wide ? 2 : 1, nobody = wide ? 0xffff : 0xff;
    *out = number(p->alternatives.count != 0);
    if (!p->alternatives.count) return GOES_ON;
    if (meeting.what != MC_VALUE_POINTER) return HANDS_OVER;
    enum status r = decided(s, p, p->alternatives.count, &which);
    if (r != GOES_ON) return r;
    struct alternative x = p->alternatives.at[which];
    const uint32_t values[3] = {x.own, x.partner, x.theirs}, sizes[3] = {1, size, 1};
    for (uint32_t i = 0; i < 3; i++) {
        struct value at = meeting;
        at.bits += places[wide][i];
        if ((r = mc_store_value(s, p, at, number(values[i]), sizes[i])) != GOES_ON) return r;
    }
    p->alternatives.count = 0;
    struct item item = {x.partner == nobody ? ITEM_TAKE : ITEM_MEET, x.own, x.partner, x.theirs};
    return ADD(p->items, item) ? GOES_ON : NO_MEMORY;
}

/* A new symbol. */
static enum status input(struct mc_symbolic *s, struct path *p, const uint64_t *key, uint64_t words, uint32_t bits, uint32_t kind, struct value *out)
{
    uint64_t set;
    uint32_t n = p->symbols.count;
    enum status r = mc_asked_word(s, key, words, &set);
    if (r == GOES_ON) r = mc_asked_value(s, (uint64_t[]){MC_ASKED_SYMBOL, n, bits}, 3, out);
    if (r != GOES_ON) return r;
    struct value term = *out;
    if (kind == ITEM_READ) r = mc_operate(s, MC_TERM_ZEXT, 16, 8, &term, 1, out);
    if (r != GOES_ON) return r;
    if (!ROOM_FOR(p->symbols, 1) || !ROOM_FOR(p->items, 1)) return NO_MEMORY;
    p->symbols.at[p->symbols.count++] = (struct symbol){(uint32_t)set, bits};
    p->items.at[p->items.count++] = (struct item){kind | bits << 8, (uint32_t)term.bits, 0, 0};
    return GOES_ON;
}

/* The numbers of some arguments. */
static enum status numbers(struct mc_symbolic *s, const struct path *p, const struct value *registers, const int64_t *x, uint32_t count, uint64_t *out)
{
    for (uint32_t i = 0; i < count; i++) {
        enum status r = mc_number_of(s, p, registers[x[i]], &out[i]);
        if (r != GOES_ON) return r;
    }
    return GOES_ON;
}

static enum status offered(struct mc_symbolic *s, struct path *p, const struct value *registers, const int64_t *x)
{
    uint64_t n[3];
    enum status r = numbers(s, p, registers, x + 2, 3, n);
    if (r != GOES_ON) return r;
    return ADD(p->alternatives, (struct alternative){(uint32_t)n[0], (uint32_t)n[1], (uint32_t)n[2]}) ? GOES_ON : NO_MEMORY;
}

static enum status faulted(struct mc_symbolic *s, struct path *p, const struct value *registers, const int64_t *x)
{
    uint64_t n[2];
    enum status r = numbers(s, p, registers, x + 1, 2, n);
    if (r != GOES_ON) return r;
    p->has_ended = 2;
    p->fault = (uint32_t)n[0];
    p->site = (uint32_t)n[1];
    return ENDED;
}

static enum status chosen(struct mc_symbolic *s, struct path *p, const struct value *registers, const int64_t *x, struct value *out)
{
    uint64_t count;
    uint32_t which;
    enum status r = numbers(s, p, registers, x + 1, 1, &count);
    if (r == GOES_ON) r = decided(s, p, count, &which);
    if (r != GOES_ON) return r;
    *out = number(which);
    return ADD(p->items, (struct item){ITEM_CHOICE, which, 0, 0}) ? GOES_ON : NO_MEMORY;
}

/* `call`: the policy, its bits, how many arguments, and their registers. */
enum status mc_ask_policy(struct mc_symbolic *s, struct path *p, const int64_t *call, const struct value *registers, struct value *out)
{
    const int64_t *x = call + 3;
    uint32_t bits = (uint32_t)call[1];
    uint64_t key[3] = {MC_ASKED_INPUT | (uint64_t)call[0] << 8 | (uint64_t)bits << 16, 0, 0};
    enum status r;
    switch ((enum mc_ir_policy)call[0]) {
    case MC_POLICY_NOTHING: return GOES_ON;
    case MC_POLICY_FAULT: return faulted(s, p, registers, x);
    case MC_POLICY_ALTERNATIVE: return offered(s, p, registers, x);
    case MC_POLICY_MEET: return met(s, p, registers[x[1]], bits == 16, out);
    case MC_POLICY_CHOICE: return chosen(s, p, registers, x, out);
    case MC_POLICY_CLOCK:
        if (!ADD(p->items, (struct item){ITEM_CLOCK, 0, 0, 0})) return NO_MEMORY;
        p->assumed |= CLOCK_READ;
        *out = number(0);
        return GOES_ON;
    case MC_POLICY_CONSOLE: return input(s, p, key, 1, 8, ITEM_READ, out);
    case MC_POLICY_PORT:
        r = numbers(s, p, registers, x + 1, 1, key + 1);
        return r == GOES_ON ? input(s, p, key, 2, bits, ITEM_IN, out) : r;
    case MC_POLICY_ANY:
        r = numbers(s, p, registers, x + 2, 2, key + 1);
        return r == GOES_ON ? input(s, p, key, 3, bits, ITEM_IN, out) : r;
    default: return HANDS_OVER;
    }
}
