/* The checker's policies: every decision is asked of the engine, which runs an action once for each combination of
 * answers. What a policy remembers elsewhere (arrivals, clock) is not there: the engine tries all orders.
 *
 * A pointer to the engine's context lies 16 bytes before the block, the budget of rounds 4 bytes before it.
 */
#include "engine.h"
#include "../../runtime/kernel/lf.h"

static struct mc_context *context_of(const lf_byte *b) { return *(struct mc_context *const *)(const void *)(b - 16); }

static uint32_t decide(struct mc_context *c, uint32_t count, uint8_t is_meeting)
{
    uint32_t i = c->asked++;
    if (i >= MC_MOST_ASKED) {
        c->overflow = 1;
        return 0;
    }
    c->counts[i] = count;
    c->is_meeting[i] = is_meeting;
    return i < c->script_size ? c->script[i] : 0;
}

void lf_policy_alternative(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_slot partner, uint8_t theirs, uint8_t shares)
{
    struct mc_context *c = context_of(b);
    (void)shares;
    if (m->found >= MC_MOST_MEETINGS) {
        c->overflow = 1;
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
    if (!c->accesses) c->meeting = 1u << 31 | (uint32_t)m->theirs << 16 | (uint32_t)m->partner << 8 | m->own;
    return true;
}

uint8_t lf_policy_choice(lf_byte *b, uint8_t branches) { return (uint8_t)decide(context_of(b), branches, 0); }
uint8_t lf_policy_in8(lf_byte *b, uint32_t address)
{
    (void)address;
    return (uint8_t)decide(context_of(b), 256, 0);
}

uint16_t lf_policy_in16(lf_byte *b, uint32_t address)
{
    (void)address;
    return (uint16_t)decide(context_of(b), 65536, 0);
}

uint32_t lf_policy_in32(lf_byte *b, uint32_t address)
{
    (void)address;
    context_of(b)->assumed |= 2;
    return 0;
}

/* What C has written: any value of its range. The wrap at 2^32 is no matter, since so many are never tried. */
static uint32_t any(lf_byte *b, uint32_t found, uint32_t low, uint32_t count, uint8_t all_tried)
{
    if (!all_tried) {
        context_of(b)->assumed |= 4;
        return found;
    }
    return low + (count > 1 ? decide(context_of(b), count, 0) : 0);
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
    if (c->clock_at) return *(const uint32_t *)(const void *)(b + c->clock_at);
    c->assumed |= 1;
    return 0;
}

int16_t lf_policy_console_in(lf_byte *b) { return (int16_t)decide(context_of(b), 256, 0); }
void lf_policy_console_out(lf_byte *b, uint8_t c) { (void)b, (void)c; }
void lf_policy_waits(lf_byte *b, lf_slot slot, uint8_t shares) { (void)b, (void)slot, (void)shares; }

static void tell_time(struct mc_context *c, struct mc_time_step step)
{
    if (!c->timed) return;
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
    *(struct mc_context **)(void *)(b - 16) = c;
    *(uint32_t *)(void *)(b - 4) = c->rounds;
    c->accesses = 0;
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
