/* A RISC-V as the check of an image sees it: its registers, calls, start-up; see processor.h. */
#include "image/processor_32.h"
#include "riscv.h"

enum { RA = RISCV_RA, SP = RISCV_SP, A0 = RISCV_A0, STATUS = 32, TRAPS = 33, START_CYCLES = 20000000 };

_Static_assert((int)IMG_MAY_READ == RISCV_READ && (int)IMG_MAY_WRITE == RISCV_WRITE && (int)IMG_ASKS == RISCV_ASK &&
               (int)IMG_TELLS == RISCV_TELL && (int)IMG_ON_STACK == RISCV_STACK, "the numbers of the core");

/* The core, and what its status registers hold when a pass begins. */
struct hart {
    struct riscv t;
    uint32_t mstatus, mie, mtvec;
};

static struct riscv *riscv_of(const struct img *x) { return &((struct hart *)x->core)->t; }

/* A call keeps sp, gp, tp, s0 to s11. */
static bool is_kept(uint32_t r) { return (r >= SP && r <= 4) || r == 8 || r == 9 || (r >= 18 && r <= 27); }

static uint32_t registers(const struct riscv *t) { return t->has & RISCV_E ? 16 : RISCV_REGISTERS; }

static bool create(struct img *x)
{
    struct hart *h = calloc(1, sizeof *h);
    return img_create_32(x, h, &h->t.cycles);
}

static bool ask(struct riscv *t, uint32_t at, uint32_t address, uint32_t size)
{
    (void)address;
    return img_ask_32(t->context, at, size);
}

static void tell(struct riscv *t, uint32_t at, uint32_t address, uint32_t size)
{
    (void)address;
    img_tell_32(t->context, at, size);
}

static bool ask_at_start(struct riscv *t, uint32_t at, uint32_t address, uint32_t size)
{
    (void)address;
    return img_ask_at_start_32(t->context, at, size);
}

static void tell_at_start(struct riscv *t, uint32_t at, uint32_t address, uint32_t size)
{
    struct img *x = t->context;
    (void)at, (void)address, (void)size;
    x->looked_at = 0;
}

static uint32_t to_word(const struct img *x, uint32_t address) { return (address - x->s.flash_start) / 2; }
static uint32_t to_address(const struct img *x, uint32_t word) { return word * 2 + x->s.flash_start; }

static void make_core(struct img *x, struct riscv *t)
{
    t->has = x->s.core;
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
    riscv_reset(t);
    t->pc = to_address(x, x->s.start);
    t->lowest_stack = UINT32_MAX;
}

static bool start(struct img *x)
{
    struct hart *h = x->core;
    struct riscv *t = &h->t;
    make_core(x, t);
    img_memory_at_start_32(x, t->region[0].size);
    enum riscv_stop said = riscv_run_to(t, to_address(x, x->s.step), START_CYCLES);
    x->pc = to_word(x, t->pc);
    if (said != RISCV_AT_STOP || !(t->mstatus & RISCV_MIE)) return img_fail_start(x, t->where, said);
    h->mstatus = t->mstatus, h->mie = t->mie, h->mtvec = t->mtvec;
    x->base_stack = t->x[SP] - t->region[0].start;
    if (x->base_stack > t->region[0].size) return img_fail_start(x, t->x[SP], said); /* no stack in the memory */
    x->stop_pc = to_word(x, t->x[RA]);
    img_keep_started_32(x);
    t->ask = ask;
    t->tell = tell;
    return true;
}

static void enter(struct img *x, bool inverse)
{
    struct hart *h = x->core;
    struct riscv *t = &h->t;
    for (uint32_t r = 1; r < registers(t); r++) t->x[r] = img_at_entry_32(r, inverse);
    t->x[SP] = t->lowest_stack = x->base_stack + t->region[0].start;
    t->x[RA] = to_address(x, x->stop_pc);
    t->pc = to_address(x, x->s.step);
    t->mstatus = h->mstatus, t->mie = h->mie, t->mtvec = h->mtvec;
    t->reserved = false;
    t->unwritten = img_pattern(0, inverse);
    x->pc = x->s.step;
    t->cycles = 0;
}

static void call(struct img *x, uint32_t function, uint32_t argument)
{
    struct riscv *t = riscv_of(x);
    t->x[A0] = argument;
    t->pc = to_address(x, function);
    x->pc = function;
}

/* The function takes it for a byte in a whole register. */
static uint32_t argument(const struct img *x) { return riscv_of(x)->x[A0]; }

static bool come_back(struct img *x, bool inverse)
{
    struct riscv *t = riscv_of(x);
    if (t->x[SP] - t->region[0].start > x->base_stack) {
        img_fail(x, IMG_BAD_LOAD, x->pc, t->x[SP]);
        return false;
    }
    t->pc = t->x[RA] & ~1u;
    x->pc = to_word(x, t->pc);
    for (uint32_t r = 1; r < registers(t); r++)
        if (!is_kept(r)) t->x[r] = img_at_entry_32(r + 7, inverse);
    return true;
}

static uint32_t error_of(enum riscv_stop said)
{
    switch (said) {
    case RISCV_OUTSIDE: return IMG_OUTSIDE;
    case RISCV_BAD_LOAD: return IMG_BAD_LOAD;
    case RISCV_BAD_STORE: return IMG_BAD_STORE;
    case RISCV_UNALIGNED: return IMG_UNALIGNED;
    default: return IMG_ILLEGAL;
    }
}

static bool is_in_table(const struct img *x, uint32_t word)
{
    return word < x->s.flash_size / 2 && x->s.code[word] & IMG_BY_TABLE;
}

static enum img_went step(struct img *x)
{
    struct riscv *t = riscv_of(x);
    uint32_t pc = x->pc;
    enum riscv_stop said = riscv_step(t);
    x->pc = to_word(x, t->pc);
    if (said == RISCV_RUNS) {
        switch (t->went) {
        case RISCV_RETURNED: return IMG_RETURNED;
        case RISCV_JUMPED: return is_in_table(x, x->pc) ? IMG_WENT_ON : IMG_JUMPED;
        case RISCV_CALLED_BY_POINTER: return IMG_JUMPED;
        case RISCV_LEFT: return IMG_RETURNED_OTHERWISE;
        default: return IMG_WENT_ON;
        }
    }
    if (said == RISCV_SLEEPS) return IMG_FELL_ASLEEP;
    if (said != RISCV_BAD_LOAD || !x->r.asked) {
        bool has_where = said != RISCV_ILLEGAL && said != RISCV_BREAKS && said != RISCV_CALLS_SUPERVISOR;
        img_fail(x, error_of(said), pc, has_where ? t->where : t->op);
    }
    return IMG_STOPPED;
}

/* An interrupt may have been enabled, by who listens for it. */
static void check_end(struct img *x, bool inverse, uint32_t pc)
{
    const struct hart *h = x->core;
    const struct riscv *t = &h->t;
    for (uint32_t r = 1; r < registers(t); r++)
        if (r != SP && is_kept(r) && t->x[r] != img_at_entry_32(r, inverse)) img_fail(x, IMG_BAD_REGISTERS, pc, r);
    if (t->x[SP] - t->region[0].start != x->base_stack) img_fail(x, IMG_BAD_REGISTERS, pc, SP);
    if (t->mstatus != h->mstatus || h->mie & ~t->mie) img_fail(x, IMG_BAD_REGISTERS, pc, STATUS);
    if (t->mtvec != h->mtvec) img_fail(x, IMG_BAD_REGISTERS, pc, TRAPS);
}

static void invert(struct img *x, uint64_t live)
{
    struct riscv *t = riscv_of(x);
    for (uint32_t r = 1; r < registers(t); r++)
        if (!(live >> r & 1) && r != SP) t->x[r] = ~t->x[r];
}

static uint32_t stack(const struct img *x) { return riscv_of(x)->x[SP] - riscv_of(x)->region[0].start; }
static uint32_t deepest(const struct img *x) { return riscv_of(x)->lowest_stack - riscv_of(x)->region[0].start; }

/* x1 to x31 behind the program counter, status, enabled interrupts, where traps lead */
static uint32_t save(const struct img *x, uint64_t live, uint8_t *held, uint8_t *key)
{
    const struct riscv *t = riscv_of(x);
    uint32_t v[RISCV_REGISTERS + 3];
    _Static_assert(sizeof v <= IMG_MOST_REGISTERS, "room");
    memcpy(v, t->x, sizeof t->x);
    v[0] = t->pc;
    v[32] = t->mstatus;
    v[33] = t->mie;
    v[34] = t->mtvec;
    memcpy(held, v, sizeof v);
    for (uint32_t r = 1; r < RISCV_REGISTERS; r++)
        if (!(live >> r & 1) && r != SP) v[r] = 0;
    memcpy(key, v, sizeof v);
    return sizeof v;
}

static void restore(struct img *x, const uint8_t *held)
{
    struct riscv *t = riscv_of(x);
    uint32_t v[RISCV_REGISTERS + 3];
    memcpy(v, held, sizeof v);
    memcpy(t->x, v, sizeof t->x);
    t->x[0] = 0;
    t->pc = v[0];
    t->mstatus = v[32];
    t->mie = v[33];
    t->mtvec = v[34];
    t->lowest_stack = t->x[SP];
    x->pc = to_word(x, t->pc);
}

static uint32_t address(const struct img *x, uint32_t at) { return riscv_address(riscv_of(x), at); }

static bool is_mask(const struct img *x, uint32_t address)
{
    uint32_t at = riscv_index(riscv_of(x), address);
    return at != RISCV_NOWHERE && x->s.place[at] == IMG_LINES;
}

const struct img_processor img_riscv = {
    .create = create, .destroy = img_destroy_32, .start = start, .enter = enter, .call = call, .argument = argument,
    .come_back = come_back, .step = step, .check_end = check_end, .invert = invert, .stack = stack, .deepest = deepest,
    .save = save, .restore = restore, .address = address, .is_mask = is_mask,
    /* all but zero, ra and sp; ra, t0 to t6 and a0 to a7 */
    .unset = 0xFFFFFFF8u, .lost = 0xF003FCE2u, .argument_register = 1u << A0,
};
