/* A Cortex-M as the check of an image sees it: its registers, calls, start-up; see processor.h. */
#include "image/processor_32.h"
#include "thumb.h"

enum { CALLEE_FIRST = 4, CALLEE_LAST = 11, LAST_ARGUMENT = 3, SCRATCH = 12, FLAGS = 32, NO_STATUS = 16, START_CYCLES = 20000000 };
#define CONDITIONS (THUMB_N | THUMB_Z | THUMB_C | THUMB_V)

_Static_assert((int)IMG_MAY_READ == THUMB_READ && (int)IMG_MAY_WRITE == THUMB_WRITE && (int)IMG_ASKS == THUMB_ASK &&
               (int)IMG_TELLS == THUMB_TELL && (int)IMG_ON_STACK == THUMB_STACK, "the numbers of the core");

static struct thumb *thumb_of(const struct img *x) { return x->core; }

static bool create(struct img *x)
{
    struct thumb *t = calloc(1, sizeof *t);
    return img_create_32(x, t, &t->cycles);
}

static bool ask(struct thumb *t, uint32_t at, uint32_t address, uint32_t size)
{
    (void)address;
    return img_ask_32(t->context, at, size);
}

static void tell(struct thumb *t, uint32_t at, uint32_t address, uint32_t size)
{
    (void)address;
    img_tell_32(t->context, at, size);
}

static bool ask_at_start(struct thumb *t, uint32_t at, uint32_t address, uint32_t size)
{
    (void)address;
    return img_ask_at_start_32(t->context, at, size);
}

static void tell_at_start(struct thumb *t, uint32_t at, uint32_t address, uint32_t size)
{
    struct img *x = t->context;
    (void)at, (void)address, (void)size;
    x->looked_at = 0;
}

static uint32_t word_of_flash(const struct img *x, uint32_t at)
{
    uint32_t v = 0;
    if (at + 4 <= x->s.flash_size) memcpy(&v, x->s.flash + at, 4);
    return v;
}

static uint32_t to_word(const struct img *x, uint32_t address) { return ((address & ~1u) - x->s.flash_start) / 2; }
static uint32_t to_address(const struct img *x, uint32_t word) { return word * 2 + x->s.flash_start; }

static void make_core(struct img *x, struct thumb *t)
{
    t->core = x->s.core;
    t->region = x->s.region;
    t->regions = x->s.regions;
    t->data = x->data;
    t->allowed = x->allowed;
    t->flash_start = x->s.flash_start;
    t->flash_size = x->s.flash_size;
    t->flash_at = x->s.places - x->s.flash_size;
    t->executed = x->executed;
    t->context = x;
    t->ask = ask_at_start;
    t->tell = tell_at_start;
    t->r[THUMB_SP] = word_of_flash(x, x->s.start * 2);
    t->r[THUMB_PC] = word_of_flash(x, x->s.start * 2 + 4) & ~1u;
    t->lowest_stack = UINT32_MAX;
}

static bool start(struct img *x)
{
    struct thumb *t = x->core;
    make_core(x, t);
    img_memory_at_start_32(x, t->region[0].size);
    enum thumb_stop said = thumb_run_to(t, to_address(x, x->s.step), START_CYCLES);
    x->pc = to_word(x, t->r[THUMB_PC]);
    if (said != THUMB_AT_STOP || t->primask) return img_fail_start(x, t->where, said);
    x->base_stack = t->r[THUMB_SP] - t->region[0].start;
    if (x->base_stack > t->region[0].size) return img_fail_start(x, t->r[THUMB_SP], said); /* no stack in the memory */
    x->stop_pc = to_word(x, t->r[THUMB_LR]);
    img_keep_started_32(x);
    t->ask = ask;
    t->tell = tell;
    return true;
}

static void enter(struct img *x, bool inverse)
{
    struct thumb *t = x->core;
    for (uint32_t r = 0; r < THUMB_SP; r++) t->r[r] = img_at_entry_32(r, inverse);
    t->r[THUMB_SP] = t->lowest_stack = x->base_stack + t->region[0].start;
    t->r[THUMB_LR] = to_address(x, x->stop_pc) | 1;
    t->r[THUMB_PC] = to_address(x, x->s.step);
    t->flags = inverse ? CONDITIONS : 0;
    t->it = t->primask = t->faultmask = t->basepri = t->control = t->ipsr = 0;
    t->event = t->exclusive = false;
    t->unwritten = img_pattern(0, inverse);
    x->pc = x->s.step;
    t->cycles = 0;
}

static void call(struct img *x, uint32_t function, uint32_t argument)
{
    struct thumb *t = x->core;
    t->r[0] = argument;
    t->r[THUMB_PC] = to_address(x, function);
    x->pc = function;
}

/* The function takes it for a byte in a whole register. */
static uint32_t argument(const struct img *x) { return thumb_of(x)->r[0]; }

static bool come_back(struct img *x, bool inverse)
{
    struct thumb *t = x->core;
    uint32_t to = t->r[THUMB_LR], flags = inverse ? CONDITIONS : 0;
    if (!(to & 1) || t->r[THUMB_SP] - t->region[0].start > x->base_stack) {
        img_fail(x, to & 1 ? IMG_BAD_LOAD : IMG_BAD_JUMP, x->pc, to & 1 ? t->r[THUMB_SP] : to);
        return false;
    }
    t->r[THUMB_PC] = to & ~1u;
    x->pc = to_word(x, to);
    for (uint32_t r = 0; r <= THUMB_LR; r++)
        if (r <= LAST_ARGUMENT || r == SCRATCH || r == THUMB_LR) t->r[r] = img_at_entry_32(r + 7, inverse);
    t->flags = (t->flags & ~CONDITIONS) | flags;
    return true;
}

static uint32_t error_of(enum thumb_stop said)
{
    switch (said) {
    case THUMB_OUTSIDE: return IMG_OUTSIDE;
    case THUMB_BAD_LOAD: return IMG_BAD_LOAD;
    case THUMB_BAD_STORE: return IMG_BAD_STORE;
    case THUMB_UNALIGNED: return IMG_UNALIGNED;
    case THUMB_NO_THUMB: return IMG_BAD_JUMP;
    default: return IMG_ILLEGAL;
    }
}

static enum img_went step(struct img *x)
{
    struct thumb *t = x->core;
    uint32_t pc = x->pc;
    enum thumb_stop said = thumb_step(t);
    x->pc = to_word(x, t->r[THUMB_PC]);
    if (said == THUMB_RUNS) {
        switch (t->went) {
        case THUMB_RETURNED: return IMG_RETURNED;
        case THUMB_JUMPED: case THUMB_CALLED_BY_POINTER: return IMG_JUMPED;
        default: return IMG_WENT_ON;
        }
    }
    if (said == THUMB_SLEEPS) return IMG_FELL_ASLEEP;
    if (said != THUMB_BAD_LOAD || !x->r.asked) {
        bool has_where = said != THUMB_ILLEGAL && said != THUMB_BREAKS && said != THUMB_CALLS_SUPERVISOR;
        img_fail(x, error_of(said), pc, has_where ? t->where : t->op);
    }
    return IMG_STOPPED;
}

static void check_end(struct img *x, bool inverse, uint32_t pc)
{
    const struct thumb *t = x->core;
    for (uint32_t r = CALLEE_FIRST; r <= CALLEE_LAST; r++)
        if (t->r[r] != img_at_entry_32(r, inverse)) img_fail(x, IMG_BAD_REGISTERS, pc, r);
    if (t->r[THUMB_SP] - t->region[0].start != x->base_stack) img_fail(x, IMG_BAD_REGISTERS, pc, THUMB_SP);
    if (t->primask | t->faultmask | t->basepri | t->control) img_fail(x, IMG_BAD_REGISTERS, pc, NO_STATUS);
}

/* In an IT block its conditions are still to be asked. */
static bool flags_are_live(const struct thumb *t, uint64_t live) { return live >> FLAGS & 1 || t->it; }

static void invert(struct img *x, uint64_t live)
{
    struct thumb *t = x->core;
    for (uint32_t r = 0; r <= THUMB_LR; r++)
        if (!(live >> r & 1) && r != THUMB_SP) t->r[r] = ~t->r[r];
    if (!flags_are_live(t, live)) t->flags ^= CONDITIONS;
}

static uint32_t stack(const struct img *x) { return thumb_of(x)->r[THUMB_SP] - thumb_of(x)->region[0].start; }
static uint32_t deepest(const struct img *x) { return thumb_of(x)->lowest_stack - thumb_of(x)->region[0].start; }

/* r0 to r15, the flags, the IT block, what masks interrupts, CONTROL */
static uint32_t save(const struct img *x, uint64_t live, uint8_t *registers, uint8_t *key)
{
    const struct thumb *t = x->core;
    uint32_t v[THUMB_REGISTERS + 4];
    _Static_assert(sizeof v <= IMG_MOST_REGISTERS, "room");
    memcpy(v, t->r, sizeof t->r);
    v[16] = t->flags;
    v[17] = t->it;
    v[18] = t->primask | t->faultmask << 8 | t->basepri << 16;
    v[19] = t->control;
    memcpy(registers, v, sizeof v);
    for (uint32_t r = 0; r <= THUMB_LR; r++)
        if (!(live >> r & 1) && r != THUMB_SP) v[r] = 0;
    if (!flags_are_live(t, live)) v[16] &= ~CONDITIONS;
    memcpy(key, v, sizeof v);
    return sizeof v;
}

static void restore(struct img *x, const uint8_t *registers)
{
    struct thumb *t = x->core;
    uint32_t v[THUMB_REGISTERS + 4];
    memcpy(v, registers, sizeof v);
    memcpy(t->r, v, sizeof t->r);
    t->flags = v[16];
    t->it = v[17];
    t->primask = v[18] & 0xFF;
    t->faultmask = v[18] >> 8 & 0xFF;
    t->basepri = v[18] >> 16;
    t->control = v[19];
    t->lowest_stack = t->r[THUMB_SP];
    x->pc = to_word(x, t->r[THUMB_PC]);
}

static uint32_t address(const struct img *x, uint32_t at) { return thumb_address(thumb_of(x), at); }

static bool is_mask(const struct img *x, uint32_t address)
{
    uint32_t at = thumb_index(thumb_of(x), address);
    return at != THUMB_NOWHERE && x->s.place[at] == IMG_LINES;
}

const struct img_processor img_thumb = {
    .create = create, .destroy = img_destroy_32, .start = start, .enter = enter, .call = call, .argument = argument,
    .come_back = come_back, .step = step, .check_end = check_end, .invert = invert, .stack = stack, .deepest = deepest,
    .save = save, .restore = restore, .address = address, .is_mask = is_mask,
};
