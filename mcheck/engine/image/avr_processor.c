/* The AVR as the check of an image sees it: its registers, calls, start-up; see processor.h. */
#include "avr.h"
#include "image/decision_tree.h"

enum { FIRST_ARGUMENT = 24, CALLEE_FIRST = 2, CALLEE_LAST = 17, FRAME = 28, INTERRUPTS_ON = 0x80, ARITHMETIC_FLAGS = 0x3F, FLAGS = 32 };
enum { WIDE = 1, SMALL = 2 }; /* img_setup.core */

_Static_assert((int)IMG_MAY_READ == AVR_READ && (int)IMG_MAY_WRITE == AVR_WRITE && (int)IMG_ASKS == AVR_ASK &&
               (int)IMG_TELLS == AVR_TELL && (int)IMG_ON_STACK == AVR_STACK, "the numbers of the core");

static struct avr *avr_of(const struct img *x) { return x->core; }

static bool create(struct img *x)
{
    struct avr *a = x->core = calloc(1, sizeof(struct avr));
    x->base_data = malloc(AVR_DATA);
    x->base_allowed = malloc(AVR_DATA);
    if (!a || !x->base_data || !x->base_allowed) return false;
    x->data = a->data;
    x->allowed = a->allowed;
    x->cycles = &a->cycles;
    return true;
}

static void destroy(struct img *x)
{
    free(x->core), free(x->base_data), free(x->base_allowed);
}

static bool ask(struct avr *a, uint32_t at)
{
    struct img *x = a->context;
    if (img_is_memory(x->s.place[at])) return img_asked(x, at);
    uint32_t v = 0;
    bool own = x->s.code[x->pc] & IMG_OF_PROGRAM && (x->s.place[at] == IMG_STATUS || x->s.place[at] == IMG_SEND);
    if (!own && x->s.place[at] == IMG_SEND) return false; /* nobody but the program reads what came */
    if (!(own ? img_asked_own(x, at, &v) : img_asked_device(x, at, 1, &v))) return false;
    a->data[at] = (uint8_t)v;
    return true;
}

static void tell(struct avr *a, uint32_t at, uint8_t v)
{
    struct img *x = a->context;
    if (img_is_memory(x->s.place[at])) img_told(x, at);
    else img_told_device(x, at, 1, v);
}

static uint32_t sp_of(const struct avr *a) { return a->data[AVR_SPL] | (uint32_t)a->data[AVR_SPH] << 8; }

static void set_sp(struct avr *a, uint32_t sp)
{
    a->data[AVR_SPL] = (uint8_t)sp;
    a->data[AVR_SPH] = (uint8_t)(sp >> 8);
}

static uint32_t words_of_return(const struct avr *a) { return a->wide_pc ? 3 : 2; }

/* While the start-up runs: devices are as after a reset, and the transmitter is ready. */
static bool ask_at_start(struct avr *a, uint32_t at)
{
    struct img *x = a->context;
    if (x->s.place[at] == IMG_STATUS) a->data[at] = (uint8_t)x->s.ready;
    return true;
}

static bool start(struct img *x)
{
    struct avr *a = x->core;
    a->flash = (uint8_t *)(uintptr_t)x->s.flash; /* only read */
    a->flash_size = x->s.flash_size;
    a->wide_pc = x->s.core == WIDE;
    a->small = x->s.core == SMALL;
    a->executed = x->executed;
    a->context = x;
    a->ask = ask_at_start;
    a->pc = x->s.start;
    a->lowest_stack = AVR_DATA;
    for (uint32_t at = 0; at < AVR_DATA; at++) {
        uint8_t place = x->s.place[at];
        a->allowed[at] = place == IMG_NOWHERE ? 0 : AVR_READ | AVR_WRITE;
        if (place == IMG_STATUS) a->allowed[at] |= AVR_ASK;
        if (place == IMG_STACK) a->allowed[at] = AVR_WRITE | AVR_STACK;
        a->data[at] = place == IMG_CPU || place == IMG_DEVICE ? 0 : 0xA5;
    }
    enum avr_stop said = avr_run_to(a, x->s.step, x->s.most_cycles);
    x->pc = a->pc;
    if (said != AVR_AT_STOP) return img_fail_start(x, a->where, said);
    uint32_t sp = sp_of(a), words = words_of_return(a);
    x->base_stack = sp + 1;
    x->stop_pc = 0;
    for (uint32_t i = 1; i <= words; i++) x->stop_pc = x->stop_pc << 8 | a->data[sp + i];
    for (uint32_t at = 0; at < AVR_DATA; at++) {
        uint8_t place = x->s.place[at], may = img_allowed_at(x, place);
        if (place == IMG_SEND) may |= AVR_READ | AVR_ASK;
        if (place == IMG_STACK && at > sp) may = at <= sp + words ? AVR_READ : 0;
        x->base_allowed[at] = a->allowed[at] = may;
        x->base_data[at] = a->data[at];
    }
    a->ask = ask;
    a->tell = tell;
    return true;
}

static uint8_t at_entry(uint32_t r, bool inverse) { return r == 1 ? 0 : img_pattern(r, inverse); }

static void enter(struct img *x, bool inverse)
{
    struct avr *a = x->core;
    for (uint32_t r = 0; r < 32; r++) a->data[r] = at_entry(r, inverse);
    a->data[AVR_SREG] = inverse ? 0xFF : INTERRUPTS_ON;
    a->data[AVR_RAMPZ] = x->base_data[AVR_RAMPZ];
    a->data[AVR_EIND] = x->base_data[AVR_EIND];
    set_sp(a, x->base_stack - 1);
    x->pc = a->pc = x->s.step;
    a->cycles = 0;
    a->lowest_stack = x->base_stack;
}

static void call(struct img *x, uint32_t function, uint32_t argument)
{
    struct avr *a = x->core;
    a->data[FIRST_ARGUMENT] = (uint8_t)argument;
    x->pc = a->pc = function;
}

static uint32_t argument(const struct img *x) { return avr_of(x)->data[FIRST_ARGUMENT]; }

static uint32_t word_argument(const struct img *x)
{
    const uint8_t *r = avr_of(x)->data + FIRST_ARGUMENT - 2;
    return r[0] | (uint32_t)r[1] << 8 | (uint32_t)r[2] << 16 | (uint32_t)r[3] << 24;
}

static bool come_back(struct img *x, bool inverse)
{
    struct avr *a = x->core;
    uint32_t sp = sp_of(a), words = words_of_return(a), pc = 0, bad = sp > x->base_stack - 1 ? sp : 0;
    for (uint32_t i = 1; i <= words && !bad; i++) {
        if (!(a->allowed[sp + i] & AVR_READ)) bad = sp + i;
        pc = pc << 8 | a->data[sp + i];
        if (!bad && a->allowed[sp + i] & AVR_STACK) a->allowed[sp + i] &= (uint8_t)~AVR_READ;
    }
    if (bad) {
        img_fail(x, IMG_BAD_LOAD, x->pc, bad);
        return false;
    }
    set_sp(a, sp + words);
    x->pc = a->pc = pc;
    for (uint32_t r = 0; r < 32; r++)
        if (r == 0 || (r > CALLEE_LAST && r < FRAME) || r >= FRAME + 2) a->data[r] = at_entry(r + 7, inverse);
    a->data[AVR_SREG] = (uint8_t)((a->data[AVR_SREG] & INTERRUPTS_ON) | (inverse ? 0x7F : 0));
    return true;
}

static enum img_went step(struct img *x)
{
    struct avr *a = x->core;
    uint32_t pc = a->pc;
    uint16_t op = (uint16_t)(a->flash[2 * pc] | a->flash[2 * pc + 1] << 8);
    enum avr_stop said = avr_step_once(a);
    x->pc = a->pc;
    if (said == AVR_RUNS) {
        switch (op) {
        case 0x9508: return IMG_RETURNED;
        case 0x9518: return IMG_RETURNED_OTHERWISE;
        case 0x9409: case 0x9419: case 0x9509: case 0x9519: return IMG_JUMPED;
        default: return IMG_WENT_ON;
        }
    }
    if (said == AVR_SLEEPS) return IMG_FELL_ASLEEP;
    if (said == AVR_BAD_LOAD && x->r.asked) return IMG_STOPPED;
    if (said == AVR_BAD_LOAD || said == AVR_BAD_STORE) img_fail(x, said == AVR_BAD_LOAD ? IMG_BAD_LOAD : IMG_BAD_STORE, pc, a->where);
    else img_fail(x, said == AVR_OUTSIDE ? IMG_OUTSIDE : IMG_ILLEGAL, pc, op);
    return IMG_STOPPED;
}

static void check_end(struct img *x, bool inverse, uint32_t pc)
{
    const struct avr *a = x->core;
    for (uint32_t r = CALLEE_FIRST; r < FRAME + 2; r++)
        if ((r <= CALLEE_LAST || r >= FRAME) && a->data[r] != at_entry(r, inverse)) img_fail(x, IMG_BAD_REGISTERS, pc, r);
    for (uint32_t i = 0; i < x->touches; i++) /* awake, the sleep control is off */
        if (x->s.place[x->touched[i]] == IMG_FREE && a->data[x->touched[i]]) img_fail(x, IMG_BAD_REGISTERS, pc, x->touched[i]);
    if (a->data[1]) img_fail(x, IMG_BAD_REGISTERS, pc, 1);
    if (sp_of(a) != x->base_stack - 1 + words_of_return(a)) img_fail(x, IMG_BAD_REGISTERS, pc, AVR_SPL);
    if (!(a->data[AVR_SREG] & INTERRUPTS_ON)) img_fail(x, IMG_BAD_REGISTERS, pc, AVR_SREG);
}

static void invert(struct img *x, uint64_t live)
{
    struct avr *a = x->core;
    for (uint32_t r = 0; r < 32; r++)
        if (!(live >> r & 1)) a->data[r] = (uint8_t)~a->data[r];
    if (!(live >> FLAGS & 1)) a->data[AVR_SREG] ^= ARITHMETIC_FLAGS;
}

static uint32_t stack(const struct img *x) { return sp_of(x->core) + 1; }
static uint32_t deepest(const struct img *x) { return avr_of(x)->lowest_stack; }

/* r0 to r31, SREG, RAMPZ, EIND, stack pointer, program counter */
static uint32_t save(const struct img *x, uint64_t live, uint8_t *registers, uint8_t *key)
{
    const struct avr *a = x->core;
    memcpy(registers, a->data, 32);
    registers[32] = a->data[AVR_SREG];
    registers[33] = a->data[AVR_RAMPZ];
    registers[34] = a->data[AVR_EIND];
    registers[35] = a->data[AVR_SPL];
    registers[36] = a->data[AVR_SPH];
    memcpy(registers + 37, &a->pc, 4);
    memcpy(key, registers, 41);
    for (uint32_t r = 0; r < 32; r++)
        if (!(live >> r & 1)) key[r] = 0;
    if (!(live >> FLAGS & 1)) key[32] &= (uint8_t)~ARITHMETIC_FLAGS;
    return 41;
}

static void restore(struct img *x, const uint8_t *registers)
{
    struct avr *a = x->core;
    memcpy(a->data, registers, 32);
    a->data[AVR_SREG] = registers[32];
    a->data[AVR_RAMPZ] = registers[33];
    a->data[AVR_EIND] = registers[34];
    a->data[AVR_SPL] = registers[35];
    a->data[AVR_SPH] = registers[36];
    memcpy(&a->pc, registers + 37, 4);
    x->pc = a->pc;
    a->lowest_stack = sp_of(a) + 1;
}

static uint32_t address(const struct img *x, uint32_t at)
{
    (void)x;
    return at;
}

static bool is_mask(const struct img *x, uint32_t address) { return x->s.place[address] == IMG_MASK; }

const struct img_processor img_avr = {
    .create = create, .destroy = destroy, .start = start, .enter = enter, .call = call, .argument = argument, .word_argument = word_argument,
    .come_back = come_back, .step = step, .check_end = check_end, .invert = invert, .stack = stack, .deepest = deepest,
    .save = save, .restore = restore, .address = address, .is_mask = is_mask,
    .unset = 0x1FFFFFFFDu, .lost = 0x1CFFC0001u, .argument_register = 1u << FIRST_ARGUMENT,
};
