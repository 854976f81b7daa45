/* The checker's policies: every decision is asked of the engine, which runs an action once for each combination of
 * answers. What a policy remembers elsewhere (arrivals, clock) is not there: the engine tries all orders.
 */
#include "model/inputs.h"
#include "../../../runtime/kernel/lf.h"
#include "../../../runtime/ports/host/before_block.h"

static struct mc_context *context_of(const lf_byte *b) { return lf_context_before(b); }

/* Where there is one alternative nothing is decided, nor in a script (runtime/ports/host/host.c). */
static uint32_t decide(struct mc_context *c, uint32_t count, uint8_t is_meeting)
{
    if (count == 1) return 0;
    uint32_t i = c->asked++;
    if (i >= MC_MOST_ASKED) {
        if (!c->overflow) c->overflow = MC_NOT_ALL_TRIED;
        return 0;
    }
    c->counts[i] = count;
    c->is_meeting[i] = is_meeting;
    c->of_input[i] = 0;
    return i < c->script_size ? c->script[i] : 0;
}

static uint32_t decide_input(struct mc_context *c, uint32_t count)
{
    uint32_t i = c->asked, taken = decide(c, count, 0);
    if (i < MC_MOST_ASKED) c->of_input[i] = 1;
    return taken;
}

void lf_policy_alternative(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_slot partner, uint8_t theirs, uint8_t shares)
{
    struct mc_context *c = context_of(b);
    (void)shares;
    if (m->found >= MC_MOST_MEETINGS) {
        if (!c->overflow) c->overflow = MC_NOT_ALL_TRIED;
        return;
    }
    c->all[m->found].own = own;
    c->all[m->found].partner = partner;
    c->all[m->found].theirs = theirs;
    m->found++;
}

bool lf_policy_meet(lf_byte *b, struct lf_meeting *m)
{
    struct mc_context *c = context_of(b);
    if (!c->accesses) c->outcome = m->found ? MC_MET : MC_UNMET;
    if (m->found == 0) return false;
    uint32_t i = decide(c, m->found, !c->accesses);
    m->own = c->all[i].own;
    m->partner = c->all[i].partner;
    m->theirs = c->all[i].theirs;
    if (!c->accesses) c->meeting = mc_meeting(m->own, m->partner, m->theirs);
    return true;
}

uint8_t lf_policy_choice(lf_byte *b, uint8_t branches) { return (uint8_t)decide(context_of(b), branches, 0); }

/* --- inputs --------------------------------------------------------------------------------------------------------
 * An input is not tried value by value: it is all values at once until something is asked of it. Then the answers that are
 * possible are the alternatives, and what is left are the values for which the answer is the one that was taken. Whatever
 * an execution does, it does for all values that are left at its end; and over all executions each value is left once.
 */

static struct mc_input with_bit(struct mc_input x, uint32_t bit, uint32_t value)
{
    x.mask |= 1u << bit;
    x.bits |= value << bit;
    return x;
}

static const struct mc_input NOTHING = {1, 0, 0, 0};

static struct mc_input within(struct mc_input x, uint64_t low, uint64_t high)
{
    if (low > x.high || high < x.low) return NOTHING;
    if (low > x.low) x.low = (uint32_t)low;
    if (high < x.high) x.high = (uint32_t)high;
    return x;
}

/* One of those classes that have values is what is left; its number. */
static uint32_t split(struct mc_context *c, struct mc_input *x, const struct mc_input *classes, uint32_t count)
{
    uint32_t possible[4], n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (mc_has_values(&classes[i])) possible[n++] = i;
    uint32_t chosen = possible[n > 1 ? decide_input(c, n) : 0];
    *x = classes[chosen];
    return chosen;
}

static uint32_t known_bit(struct mc_context *c, struct mc_input *x, uint32_t bit)
{
    if (x->mask >> bit & 1) return x->bits >> bit & 1;
    struct mc_input classes[2] = {with_bit(*x, bit, 0), with_bit(*x, bit, 1)};
    return split(c, x, classes, 2);
}

/* The bits that a number up to `high` may have. */
static uint32_t bits_up_to(uint32_t high) { return high ? UINT32_MAX >> __builtin_clz(high) : 0; }

/* Every value of these bits is an alternative; of too many one is taken. */
static uint32_t known_bits(struct mc_context *c, struct mc_input *x, uint32_t mask)
{
    uint64_t apart = (uint64_t)x->high - x->low + 1;
    if (!x->mask && !(bits_up_to(x->high) & ~mask) && apart <= MC_MOST_VALUES) { /* one decision for all of it */
        x->low = x->high = x->low + (apart > 1 ? decide_input(c, (uint32_t)apart) : 0);
        return x->low;
    }
    uint64_t values = 1ull << __builtin_popcount(mask & ~x->mask);
    bool too_many = values > MC_MOST_VALUES && apart > MC_MOST_VALUES;
    uint32_t first = mc_least_left(x);
    if (too_many) c->assumed |= 2;
    for (uint32_t bit = 32; bit-- > 0;) {
        if (!(mask >> bit & 1)) continue;
        if (too_many) *x = with_bit(*x, bit, first >> bit & 1);
        else known_bit(c, x, bit);
    }
    return x->bits & mask;
}

/* Past the room for inputs what was not read before is 0, which is what a replay gives then; where it cannot be 0, this execution is none. */
static uint32_t new_input(struct mc_context *c, uint32_t low, uint32_t high)
{
    if (c->inputs >= MC_MOST_INPUTS) {
        if (c->overflow != MC_NO_EXECUTION) c->overflow = low ? MC_NO_EXECUTION : MC_NOT_ALL_TRIED;
        return MC_NO_INPUT;
    }
    c->input[c->inputs] = (struct mc_input){low, high, 0, 0};
    c->input_width[c->inputs] = 0;
    return c->inputs++;
}

/* The same part has the same number, so that a loop may ask for it again and again. */
static uint32_t new_part(struct mc_context *c, struct mc_input_part part)
{
    for (uint32_t i = c->parts; i-- > 0;) {
        const struct mc_input_part *p = &c->part[i];
        if (p->input == part.input && p->shift == part.shift && p->mask == part.mask && p->plus == part.plus) return i + 1;
    }
    if (c->parts >= MC_MOST_PARTS) {
        c->overflow = MC_NO_EXECUTION; /* another part stands in for it */
        return MC_MOST_PARTS;
    }
    c->part[c->parts++] = part;
    return c->parts;
}

/* Past the room a port gives what it gave last, so that a loop that waits for it is gone round as often as may be: an action
 * that never ends is found, with inputs that keep it going. Other values are not tried then. */
static uint32_t read_before(struct mc_context *c, uint32_t width, uint32_t address)
{
    for (uint32_t i = c->inputs; i-- > 0;) {
        if (c->input_width[i] != width || c->input_address[i] != address) continue;
        if (!c->overflow) c->overflow = MC_NOT_ALL_TRIED;
        return i;
    }
    return MC_NO_INPUT;
}

static uint32_t read_port(struct mc_context *c, uint32_t width, uint32_t address)
{
    if (c->inputs >= MC_MOST_INPUTS) {
        uint32_t before = read_before(c, width, address);
        if (before != MC_NO_INPUT) return before;
    }
    uint32_t low = 0, high = width == 32 ? UINT32_MAX : (1u << width) - 1;
    for (uint32_t i = 0; i < c->assumes; i++) {
        if (c->assume[i].width != width || c->assume[i].address != address) continue;
        low = c->assume[i].low;
        high = c->assume[i].high;
    }
    uint32_t input = new_input(c, low, high);
    if (input == MC_NO_INPUT) return input;
    c->input_width[input] = width;
    c->input_address[input] = address;
    return input;
}

/* A part of what a port gives, by a number that is not 0; of a part; its value, which is then known; a comparison of it. `part`
 * 0: the value is known, and `otherwise`. */
uint32_t lf_split_read(lf_byte *b, uint8_t width, uint32_t address);
uint32_t lf_split_read(lf_byte *b, uint8_t width, uint32_t address)
{
    struct mc_context *c = context_of(b);
    uint32_t input = read_port(c, width, address);
    if (input == MC_NO_INPUT) return 0;
    return new_part(c, (struct mc_input_part){input, 0, width == 32 ? UINT32_MAX : (1u << width) - 1, 0});
}

/* What a variable holds that others write at any time. */
uint32_t lf_split_any(lf_byte *b, uint8_t width);
uint32_t lf_split_any(lf_byte *b, uint8_t width)
{
    struct mc_context *c = context_of(b);
    uint32_t all = width == 32 ? UINT32_MAX : (1u << width) - 1, input = new_input(c, 0, all);
    if (input == MC_NO_INPUT) return 0;
    return new_part(c, (struct mc_input_part){input, 0, all, 0});
}

uint32_t lf_split_part(lf_byte *b, uint32_t part, uint8_t shift, uint32_t mask, int64_t plus);
uint32_t lf_split_part(lf_byte *b, uint32_t part, uint8_t shift, uint32_t mask, int64_t plus)
{
    struct mc_context *c = context_of(b);
    if (part == 0) return 0;
    struct mc_input_part p = c->part[part - 1];
    p.shift += shift;
    p.mask = p.shift > 31 || shift > 31 ? 0 : p.mask >> shift & mask;
    p.plus += plus;
    return new_part(c, p);
}

uint32_t lf_split_value(lf_byte *b, uint32_t part);
uint32_t lf_split_value(lf_byte *b, uint32_t part)
{
    struct mc_context *c = context_of(b);
    if (part == 0) return 0;
    struct mc_input_part p = c->part[part - 1];
    uint32_t v = p.mask ? known_bits(c, &c->input[p.input], p.mask << p.shift) >> p.shift : 0;
    return (uint32_t)((int64_t)v + p.plus);
}

enum relation { EQUAL, LESS, GREATER }; /* the others are the opposites of these */

static bool compares(int64_t x, uint8_t relation, int64_t y) { return relation == EQUAL ? x == y : relation == LESS ? x < y : x > y; }

bool lf_split_compare(lf_byte *b, uint32_t part, int64_t otherwise, uint8_t relation, int64_t other);
bool lf_split_compare(lf_byte *b, uint32_t part, int64_t otherwise, uint8_t relation, int64_t other)
{
    struct mc_context *c = context_of(b);
    if (part == 0) return compares(otherwise, relation, other);
    struct mc_input_part p = c->part[part - 1];
    int64_t to = other - p.plus;
    if (p.mask == 0) return compares(0, relation, to);
    if (to < 0) return compares(1, relation, 0); /* all are greater */
    if (to > p.mask) return compares(0, relation, 1);
    struct mc_input *x = &c->input[p.input];
    if (!(bits_up_to(x->high) >> p.shift & ~p.mask)) { /* only low bits are missing: an interval of the input */
        uint64_t first = (uint64_t)to << p.shift, last = first | ((1ull << p.shift) - 1);
        struct mc_input below = first ? within(*x, 0, first - 1) : NOTHING, above = within(*x, last + 1, UINT32_MAX);
        struct mc_input not_above = within(*x, 0, last), not_below = within(*x, first, UINT32_MAX);
        if (relation == LESS) return split(c, x, (struct mc_input[]){not_below, below}, 2) == 1;
        if (relation == GREATER) return split(c, x, (struct mc_input[]){not_above, above}, 2) == 1;
        return split(c, x, (struct mc_input[]){below, within(*x, first, last), above}, 3) == 1;
    }
    if (relation == EQUAL) {
        if (to & ~(int64_t)p.mask) return false; /* it has a bit that the part never has */
        for (uint32_t bit = 32; bit-- > 0;)
            if (p.mask >> bit & 1 && known_bit(c, x, bit + p.shift) != ((uint32_t)to >> bit & 1)) return false;
        return true;
    }
    return compares(known_bits(c, x, p.mask << p.shift) >> p.shift, relation, to);
}

static uint32_t value_of(lf_byte *b, uint32_t input, uint32_t mask)
{
    struct mc_context *c = context_of(b);
    return input == MC_NO_INPUT ? 0 : known_bits(c, &c->input[input], mask);
}

uint8_t lf_policy_in8(lf_byte *b, uint32_t address) { return (uint8_t)value_of(b, read_port(context_of(b), 8, address), 0xFF); }
uint16_t lf_policy_in16(lf_byte *b, uint32_t address)
{
    return (uint16_t)value_of(b, read_port(context_of(b), 16, address), 0xFFFF);
}
uint32_t lf_policy_in32(lf_byte *b, uint32_t address) { return value_of(b, read_port(context_of(b), 32, address), UINT32_MAX); }

/* What C has written: any value of its range, or (too many are never tried) what it was. It is an input too. */
static uint32_t any(lf_byte *b, uint32_t found, uint32_t low, uint32_t count, uint8_t all_tried)
{
    struct mc_context *c = context_of(b);
    if (!all_tried) {
        c->assumed |= 4;
        new_input(c, found, found);
        return found;
    }
    uint32_t v = low + (count > 1 ? decide_input(c, count) : 0);
    new_input(c, v, v);
    return v;
}

uint8_t lf_policy_any8(lf_byte *b, uint8_t found, uint8_t low, uint8_t high, uint8_t all_tried)
{
    return (uint8_t)any(b, found, low, (uint8_t)(high - low) + 1u, all_tried);
}

uint16_t lf_policy_any16(lf_byte *b, uint16_t found, uint16_t low, uint16_t high, uint8_t all_tried)
{
    return (uint16_t)any(b, found, low, (uint16_t)(high - low) + 1u, all_tried);
}

uint32_t lf_policy_any32(lf_byte *b, uint32_t found, uint32_t low, uint32_t high, uint8_t all_tried)
{
    return any(b, found, low, high - low + 1u, all_tried);
}

void lf_policy_out8(lf_byte *b, uint32_t address, uint8_t value) { (void)b, (void)address, (void)value; }
void lf_policy_out16(lf_byte *b, uint32_t address, uint16_t value) { (void)b, (void)address, (void)value; }
void lf_policy_out32(lf_byte *b, uint32_t address, uint32_t value) { (void)b, (void)address, (void)value; }

uint32_t lf_policy_clock(lf_byte *b)
{
    struct mc_context *c = context_of(b);
    if (c->is_old) c->assumed |= 8;
    if (c->clock_at) return *(const uint32_t *)(const void *)(b + c->clock_at);
    c->assumed |= 1;
    return 0;
}

int16_t lf_policy_console_in(lf_byte *b)
{
    struct mc_context *c = context_of(b);
    if (!c->characters) return (int16_t)decide(c, 256, 0);
    return c->character[c->characters > 1 ? decide(c, c->characters, 0) : 0];
}

void lf_policy_console_out(lf_byte *b, uint8_t c) { (void)b, (void)c; }
void lf_policy_spin(lf_byte *b, uint32_t microseconds) { (void)b, (void)microseconds; }
void lf_policy_waits(lf_byte *b, lf_slot slot, uint8_t shares) { (void)b, (void)slot, (void)shares; }

/* Whether the last that is known of this slot is that its sleep ended: once is enough, however often a device answers. */
static bool is_over(const struct mc_context *c, lf_slot slot)
{
    uint32_t i = c->time_steps < MC_MOST_TIME_STEPS ? c->time_steps : MC_MOST_TIME_STEPS;
    while (i > 0 && c->time_step[i - 1].slot != slot) i--;
    return i > 0 && c->time_step[i - 1].ends;
}

static void tell_time(struct mc_context *c, struct mc_time_step step)
{
    if (!c->timed || (step.ends && is_over(c, step.slot))) return;
    if (c->time_steps < MC_MOST_TIME_STEPS) c->time_step[c->time_steps] = step;
    c->time_steps++;
}

void lf_policy_leaves(lf_byte *b, lf_slot slot, uint8_t shares)
{
    (void)shares;
    tell_time(context_of(b), (struct mc_time_step){.slot = slot, .ends = 1});
}

void lf_policy_sleeps(lf_byte *b, lf_slot slot, uint8_t clause, uint32_t ms)
{
    uint32_t most = 0x7FFFFFFF; /* what is longer counts as that long */
    uint8_t which = clause == LF_NONE ? MC_SLEEP_CLAUSE : clause;
    tell_time(context_of(b), (struct mc_time_step){.milliseconds = ms < most ? ms : most, .slot = slot, .clause = which});
}

/* These look at all slots and all ports. */
void lf_policy_created(lf_byte *b, lf_slot slot, uint32_t deadline)
{
    (void)slot, (void)deadline;
    context_of(b)->looks_at_all = 1;
}

void lf_policy_channel(lf_byte *b);
void lf_policy_channel(lf_byte *b) { context_of(b)->looks_at_all = 1; }

void lf_policy_raises(lf_byte *b);
void lf_policy_raises(lf_byte *b) { context_of(b)->raised = 1; }

void lf_policy_ended(lf_byte *b, lf_slot slot) { (void)b, (void)slot; }
void lf_policy_access(lf_byte *b, uint8_t begins) { context_of(b)->accesses += begins ? 1u : -1u; }

/* Accesses to module variables, by number of the part. */
void lf_policy_tell(lf_byte *b, uint16_t part);
void lf_policy_tell(lf_byte *b, uint16_t part)
{
    struct mc_context *c = context_of(b);
    if (c->is_told[part]) return;
    c->is_told[part] = 1;
    c->telling[c->told++] = part;
}

void lf_policy_tell_all(lf_byte *b, uint16_t first, uint16_t parts);
void lf_policy_tell_all(lf_byte *b, uint16_t first, uint16_t parts)
{
    for (uint16_t i = 0; i < parts; i++) lf_policy_tell(b, first + i);
}

_Noreturn void lf_fault(lf_byte *b, uint8_t kind, uint16_t site, int32_t first, int32_t second)
{
    struct mc_context *c = context_of(b);
    c->fault_kind = kind;
    c->fault_site = site;
    c->fault_first = kind == LF_FAULT_ENDLESS ? (int32_t)c->rounds : first; /* only the engine knows the bound */
    c->fault_second = second;
    longjmp(c->out, 1);
}

static void enter(lf_byte *b, struct mc_context *c)
{
    lf_set_context_before(b, c);
    *lf_rounds_before(b) = c->rounds;
    c->accesses = 0;
    c->inputs = c->parts = 0;
}

/* 1: a fault, which the context holds. */
uint32_t lf_check_run(lf_byte *b, struct mc_context *c, uint32_t slot)
{
    enter(b, c);
    if (setjmp(c->out)) return 1;
    lf_program_run(b, (lf_slot)slot);
    return 0;
}

uint32_t lf_check_wake(lf_byte *b, struct mc_context *c, uint32_t slot, uint32_t clause)
{
    enter(b, c);
    if (setjmp(c->out)) return 1;
    lf_program_wake(b, (lf_slot)slot, (uint8_t)clause);
    return 0;
}

uint32_t lf_check_interrupt(lf_byte *b, struct mc_context *c, uint32_t bit)
{
    enter(b, c);
    if (setjmp(c->out)) return 1;
    lf_interrupt(b, (uint8_t)bit);
    return 0;
}

void lf_check_initialise(lf_byte *b) { lf_program_initialise(b); }
