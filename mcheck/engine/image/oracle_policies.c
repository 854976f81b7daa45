/* The policies of a board, for the program compiled for this machine: decisions as runtime/policies/board.h has them, inputs
 * and the order of arrival from whoever asks; all that is asked and told is noted. Not part of the library.
 */
#include "image/oracle.h"
#include "../../../runtime/kernel/lf.h"
#include "../../../runtime/ports/host/before_block.h"

static struct img_oracle *oracle_of(const lf_byte *b) { return lf_context_before(b); }

static void note(const lf_byte *b, uint32_t kind, uint32_t first, uint32_t second, uint32_t third)
{
    struct img_oracle *o = oracle_of(b);
    if (o->count < IMG_DEEDS) o->deed[o->count++] = (struct img_deed){kind, first, second, third};
}

void lf_policy_alternative(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_slot partner, uint8_t theirs, uint8_t shares)
{
    struct img_oracle *o = oracle_of(b);
    bool of_models = o->decide && o->accesses; /* then each of them is tried */
    if (m->found && of_models) {
        if (!o->decide(o, 2)) return;
    } else if (m->found) {
        if (m->own != own) return;
        if (m->partner == partner) {
            if (m->theirs <= theirs) return;
        } else if (!shares || !o->arrived_before(o, partner, m->partner)) {
            return;
        }
    }
    m->found = 1;
    m->own = own;
    m->partner = partner;
    m->theirs = theirs;
}

bool lf_policy_meet(lf_byte *b, struct lf_meeting *m)
{
    (void)b;
    return m->found != 0;
}

uint8_t lf_policy_choice(lf_byte *b, uint8_t branches)
{
    struct img_oracle *o = oracle_of(b);
    return o->decide ? (uint8_t)o->decide(o, branches) : 0;
}

static uint32_t in(lf_byte *b, uint32_t width, uint32_t address)
{
    struct img_oracle *o = oracle_of(b);
    uint32_t v = o->input(o, width, address);
    if (!o->accesses) note(b, IMG_IN, width, address, v); /* else a model reads */
    return v;
}

uint8_t lf_policy_in8(lf_byte *b, uint32_t address) { return (uint8_t)in(b, 1, address); }
uint16_t lf_policy_in16(lf_byte *b, uint32_t address) { return (uint16_t)in(b, 2, address); }
uint32_t lf_policy_in32(lf_byte *b, uint32_t address) { return in(b, 4, address); }

static uint32_t any(lf_byte *b, uint32_t found)
{
    note(b, IMG_OTHER, 0, 0, 0);
    return found;
}

uint8_t lf_policy_any8(lf_byte *b, uint8_t found, uint8_t low, uint8_t high, uint8_t all_tried)
{
    (void)low, (void)high, (void)all_tried;
    return (uint8_t)any(b, found);
}

uint16_t lf_policy_any16(lf_byte *b, uint16_t found, uint16_t low, uint16_t high, uint8_t all_tried)
{
    (void)low, (void)high, (void)all_tried;
    return (uint16_t)any(b, found);
}

uint32_t lf_policy_any32(lf_byte *b, uint32_t found, uint32_t low, uint32_t high, uint8_t all_tried)
{
    (void)low, (void)high, (void)all_tried;
    return any(b, found);
}

void lf_policy_out8(lf_byte *b, uint32_t address, uint8_t value) { note(b, IMG_OUT, 1, address, value); }
void lf_policy_out16(lf_byte *b, uint32_t address, uint16_t value) { note(b, IMG_OUT, 2, address, value); }
void lf_policy_out32(lf_byte *b, uint32_t address, uint32_t value) { note(b, IMG_OUT, 4, address, value); }

uint32_t lf_policy_clock(lf_byte *b)
{
    note(b, IMG_CLOCK, 0, 0, 0);
    return oracle_of(b)->clock;
}

int16_t lf_policy_console_in(lf_byte *b)
{
    struct img_oracle *o = oracle_of(b);
    uint32_t v = o->input(o, 0, 0);
    note(b, IMG_READ, v, 0, 0);
    return (int16_t)(v & 0xFF);
}

void lf_policy_console_out(lf_byte *b, uint8_t c) { note(b, IMG_WRITE, c, 0, 0); }
void lf_policy_spin(lf_byte *b, uint32_t microseconds) { note(b, IMG_SPIN, 4, 0, microseconds); }
void lf_policy_waits(lf_byte *b, lf_slot slot, uint8_t shares) { note(b, IMG_WAITS, slot, shares, 0); }
void lf_policy_leaves(lf_byte *b, lf_slot slot, uint8_t shares) { note(b, IMG_LEAVES, slot, shares, 0); }
void lf_policy_sleeps(lf_byte *b, lf_slot slot, uint8_t clause, uint32_t ms) { note(b, IMG_SLEEPS, slot, clause, ms); }
void lf_policy_created(lf_byte *b, lf_slot slot, uint32_t deadline) { (void)b, (void)slot, (void)deadline; }
void lf_policy_channel(lf_byte *b);
void lf_policy_channel(lf_byte *b) { (void)b; }
void lf_policy_ended(lf_byte *b, lf_slot slot) { (void)b, (void)slot; }
/* A read of the program that a model answers is noted when it ends; the model's own are in between. */
void lf_policy_access(lf_byte *b, uint8_t begins)
{
    struct img_oracle *o = oracle_of(b);
    const struct lf_before_block *before = (const void *)(b - sizeof *before);
    if (begins && !o->accesses++) o->width = before->width;
    if (!begins && !--o->accesses && o->width) note(b, IMG_ANSWERED, o->width / 8, 0, before->answer);
}

_Noreturn void lf_fault(lf_byte *b, uint8_t kind, uint16_t site, int32_t first, int32_t second)
{
    struct img_oracle *o = oracle_of(b);
    o->fault_kind = kind;
    o->fault_site = site;
    o->fault_first = first;
    o->fault_second = second;
    longjmp(o->out, 1);
}

enum { RUN, WAKE, INTERRUPT }; /* enum img_event */

/* 1: a fault, which the oracle holds. */
uint32_t lf_image_step(lf_byte *b, struct img_oracle *o, uint32_t event, uint32_t which, uint32_t clause);
uint32_t lf_image_step(lf_byte *b, struct img_oracle *o, uint32_t event, uint32_t which, uint32_t clause)
{
    lf_set_context_before(b, o);
    *lf_rounds_before(b) = o->rounds;
    o->count = o->accesses = 0;
    o->fault_kind = 0;
    if (setjmp(o->out)) return 1;
    if (event == RUN)
        lf_program_run(b, (lf_slot)which);
    else if (event == WAKE)
        lf_program_wake(b, (lf_slot)which, (uint8_t)clause);
    else
        lf_interrupt(b, (uint8_t)which);
    return 0;
}

void lf_image_initialise(lf_byte *b);
void lf_image_initialise(lf_byte *b) { lf_program_initialise(b); }
