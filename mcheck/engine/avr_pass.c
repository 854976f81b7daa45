/* A pass of the kernel's loop on the AVR core: what it may touch, what it reads and does; see image.h. */
#include "image_tree.h"

enum { CALLEE_FIRST = 2, CALLEE_LAST = 17, INTERRUPTS_ON = 0x80, FLAGS = 32 };


/* Of the places that hold what was written to them. */
static bool is_memory(uint8_t place)
{
    switch (place) {
    case IMG_DEVICE: case IMG_STATUS: case IMG_SEND: case IMG_FREE: case IMG_STACK: case IMG_CPU: return false;
    default: return true;
    }
}

static void touch(struct img *x, uint32_t at)
{
    if (x->is_touched[at]) return;
    x->is_touched[at] = true;
    x->touched[x->touches++] = at;
}

static void note_access(struct img *x, uint32_t kind, uint32_t address, uint32_t value)
{
    x->access = img_room(x->access, &x->accesses_room, x->accesses, sizeof *x->access, &x->no_memory);
    if (x->no_memory) return;
    x->access[x->accesses++] = (struct img_access){kind, address, value};
}

static bool ask(struct avr *a, uint32_t at)
{
    struct img *x = a->context;
    uint32_t v = 0;
    uint8_t place = x->s.place[at];
    if (!img_answer(x, at, &v)) {
        x->r.asked = 1;
        return false;
    }
    a->data[at] = (uint8_t)v;
    if (is_memory(place)) {
        touch(x, at);
        a->allowed[at] &= (uint8_t)~AVR_ASK;
        if (place == IMG_BUFFER) note_access(x, IMG_READ, 0, v);
    } else if (place == IMG_DEVICE) {
        note_access(x, IMG_IN, at, v);
    }
    return true;
}

static void tell(struct avr *a, uint32_t at, uint8_t v)
{
    struct img *x = a->context;
    uint8_t place = x->s.place[at];
    if (place == IMG_DEVICE || place == IMG_MASK) note_access(x, IMG_OUT, at, v);
    if (place == IMG_SEND) note_access(x, IMG_WRITE, 0, v);
    if (place == IMG_FREE && v & ~x->s.free_bits) note_access(x, IMG_OUT, at, v);
    touch(x, at);
    if (!is_memory(place)) return;
    a->allowed[at] &= (uint8_t)~AVR_ASK;
    if (!x->is_written[at]) {
        x->is_written[at] = true;
        x->written[x->writes++].address = at;
    }
    if (at == x->s.policy_at + x->s.cursor_at) x->marked = true;
}

static uint8_t allowed_at(uint8_t place)
{
    switch (place) {
    case IMG_CPU: return AVR_READ | AVR_WRITE;
    case IMG_BLOCK: case IMG_POLICY: case IMG_CAME: case IMG_WOKEN: case IMG_TAKEN: case IMG_TOLD: case IMG_DEVICE:
    case IMG_MASK: return AVR_READ | AVR_WRITE | AVR_ASK | AVR_TELL;
    case IMG_COUNT: case IMG_RECEIVED: case IMG_BUFFER: case IMG_LOST: case IMG_STATUS: return AVR_READ | AVR_ASK;
    case IMG_CONSTANT: return AVR_READ;
    case IMG_STACK: return AVR_WRITE | AVR_TELL | AVR_STACK;
    case IMG_SEND: return AVR_WRITE | AVR_TELL;
    case IMG_FREE: return AVR_READ | AVR_WRITE | AVR_TELL;
    default: return 0;
    }
}

/* While the start-up runs: devices are as after a reset, and the transmitter is ready. */
static bool ask_at_start(struct avr *a, uint32_t at)
{
    struct img *x = a->context;
    if (x->s.place[at] == IMG_STATUS) a->data[at] = (uint8_t)x->s.ready;
    return true;
}

static uint32_t stack_of(const struct avr *a) { return a->data[AVR_SPL] | (uint32_t)a->data[AVR_SPH] << 8; }

bool img_start(struct img *x)
{
    struct avr *a = &x->avr;
    a->flash = (uint8_t *)(uintptr_t)x->s.flash; /* only read */
    a->flash_size = x->s.flash_size;
    a->wide_pc = x->s.wide_pc;
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
    if (said != AVR_AT_STOP) {
        img_note_error(x, IMG_BAD_START, a->pc, a->where, said, 0, IMG_IDLE, 0);
        return false;
    }
    x->base_sp = stack_of(a);
    uint32_t words = a->wide_pc ? 3 : 2;
    x->stop_pc = 0;
    for (uint32_t i = 1; i <= words; i++) x->stop_pc = x->stop_pc << 8 | a->data[x->base_sp + i];
    for (uint32_t at = 0; at < AVR_DATA; at++) {
        uint8_t place = x->s.place[at], may = allowed_at(place);
        if (place == IMG_STACK && at > x->base_sp) may = at <= x->base_sp + words ? AVR_READ : 0;
        x->base_allowed[at] = a->allowed[at] = may;
        x->base_data[at] = a->data[at];
    }
    a->ask = ask;
    a->tell = tell;
    return true;
}

static void set_sp(struct avr *a, uint32_t sp)
{
    a->data[AVR_SPL] = (uint8_t)sp;
    a->data[AVR_SPH] = (uint8_t)(sp >> 8);
}

static void forget_touched(struct img *x)
{
    for (uint32_t i = 0; i < x->touches; i++) {
        uint32_t at = x->touched[i];
        x->avr.data[at] = x->base_data[at];
        x->avr.allowed[at] = x->base_allowed[at];
        x->is_touched[at] = x->is_written[at] = false;
    }
    x->touches = x->writes = x->accesses = 0;
}

/* What was only read is not known any more: it is asked for again. */
static void forget_read(struct img *x)
{
    struct avr *a = &x->avr;
    for (uint32_t i = 0; i < x->touches; i++) {
        uint32_t at = x->touched[i];
        if (!x->is_written[at] && is_memory(x->s.place[at])) a->allowed[at] = x->base_allowed[at];
    }
}

/* The registers at the start of a pass; `inverse` those that nobody may rely on. */
static uint8_t at_entry(uint32_t r, bool inverse)
{
    uint8_t pattern = (uint8_t)(0x35 + 0x4B * r);
    return r == 1 ? 0 : inverse ? (uint8_t)~pattern : pattern;
}

static void begin_pass(struct img *x, bool inverse)
{
    struct avr *a = &x->avr;
    forget_touched(x);
    for (uint32_t r = 0; r < 32; r++) a->data[r] = at_entry(r, inverse);
    a->data[AVR_SREG] = inverse ? 0xFF : INTERRUPTS_ON;
    a->data[AVR_RAMPZ] = x->base_data[AVR_RAMPZ];
    a->data[AVR_EIND] = x->base_data[AVR_EIND];
    set_sp(a, x->base_sp);
    a->pc = x->s.step;
    a->cycles = 0;
    a->lowest_stack = x->base_sp + 1;
}

static void begin_phase(struct img *x, const struct img_phase *p)
{
    struct avr *a = &x->avr;
    begin_pass(x, false);
    memcpy(a->data, p->registers, 32);
    a->data[AVR_SREG] = p->sreg;
    a->data[AVR_RAMPZ] = p->rampz;
    a->data[AVR_EIND] = p->eind;
    set_sp(a, p->sp);
    for (uint32_t at = p->sp + 1; at <= x->base_sp; at++) {
        touch(x, at);
        a->data[at] = p->stack[at - p->sp - 1];
        a->allowed[at] |= AVR_READ;
    }
    a->lowest_stack = p->sp + 1;
    for (uint32_t i = 0; i < p->writes; i++) {
        uint32_t at = p->written[i].address;
        touch(x, at);
        x->is_written[at] = true;
        x->written[x->writes++].address = at;
        a->data[at] = p->written[i].value;
        a->allowed[at] &= (uint8_t)~AVR_ASK;
    }
    for (uint32_t i = 0; i < p->accesses; i++) note_access(x, p->access[i].kind, p->access[i].address, p->access[i].value);
    a->pc = p->pc;
}

static void invert_dead(struct avr *a, uint64_t live)
{
    for (uint32_t r = 0; r < 32; r++)
        if (!(live >> r & 1)) a->data[r] = (uint8_t)~a->data[r];
    if (!(live >> FLAGS & 1)) a->data[AVR_SREG] ^= 0x7F;
}

static uint16_t word_at(const struct avr *a, uint32_t pc)
{
    return pc * 2 + 1 < a->flash_size ? (uint16_t)(a->flash[2 * pc] | a->flash[2 * pc + 1] << 8) : 0;
}

/* May the instruction that was executed have led to where the program counter is? */
static bool may_come(const struct img *x, uint16_t op)
{
    const struct avr *a = &x->avr;
    bool returns = op == 0x9508 || op == 0x9518, jumps = op == 0x9409 || op == 0x9419 || op == 0x9509 || op == 0x9519;
    if (!returns && !jumps) return true;
    return a->pc * 2 + 1 < a->flash_size && x->s.code[a->pc] & (returns ? IMG_RETURNS_TO : IMG_ENTRY);
}

static void fail(struct img *x, uint32_t error, uint32_t pc, uint32_t where)
{
    x->r.error = error;
    x->r.pc = pc;
    x->r.where = where;
}

static void check_registers(struct img *x, bool inverse, uint32_t pc)
{
    const struct avr *a = &x->avr;
    uint32_t sp = x->base_sp + (a->wide_pc ? 3 : 2);
    for (uint32_t r = CALLEE_FIRST; r <= 29; r++) {
        if (r > CALLEE_LAST && r < 28) continue;
        if (a->data[r] != at_entry(r, inverse)) fail(x, IMG_BAD_REGISTERS, pc, r);
    }
    if (a->data[1]) fail(x, IMG_BAD_REGISTERS, pc, 1);
    if (stack_of(a) != sp) fail(x, IMG_BAD_REGISTERS, pc, AVR_SPL);
    if (!(a->data[AVR_SREG] & INTERRUPTS_ON)) fail(x, IMG_BAD_REGISTERS, pc, AVR_SREG);
}

void img_run(struct img *x, uint32_t phase, bool inverse)
{
    struct avr *a = &x->avr;
    uint64_t skipped = 0, steps = 0;
    memset(&x->r, 0, sizeof x->r);
    x->marked = false;
    bool in_phase = phase && !inverse;
    if (in_phase) begin_phase(x, x->phase[phase]);
    else begin_pass(x, inverse);
    for (;;) {
        uint32_t pc = a->pc;
        if (pc * 2 + 1 >= a->flash_size || !(x->s.code[pc] & IMG_CODE)) {
            fail(x, IMG_OUTSIDE, pc, 0);
            break;
        }
        if ((x->s.halt && pc == x->s.halt) || (x->s.reset && pc == x->s.reset)) {
            x->r.halted = 1;
            break;
        }
        if (a->cycles >= x->s.most_cycles) {
            fail(x, IMG_ENDLESS, pc, 0);
            break;
        }
        uint16_t op = word_at(a, pc);
        if (x->trace && x->trace_used < x->trace_room) x->trace[x->trace_used++] = pc;
        enum avr_stop said = avr_step_once(a);
        steps++;
        if (said == AVR_BAD_LOAD && x->r.asked) break;
        if (said == AVR_BAD_LOAD || said == AVR_BAD_STORE) {
            fail(x, said == AVR_BAD_LOAD ? IMG_BAD_LOAD : IMG_BAD_STORE, pc, a->where);
            break;
        }
        if (said != AVR_RUNS && said != AVR_SLEEPS) {
            fail(x, said == AVR_OUTSIDE ? IMG_OUTSIDE : IMG_ILLEGAL, pc, op);
            break;
        }
        if (a->pc == x->stop_pc && op == 0x9508) {
            check_registers(x, inverse, pc);
            break;
        }
        if (!may_come(x, op)) {
            fail(x, IMG_BAD_JUMP, pc, a->pc * 2);
            break;
        }
        if (x->marked) {
            x->marked = false;
            if (in_phase || (inverse && (!phase || skipped))) continue; /* stored again: the policy block tells */
            if (!inverse) {
                x->r.marked = 1;
                break;
            }
            skipped = a->cycles;
            invert_dead(a, x->phase[phase]->live);
            forget_read(x);
        }
    }
    x->r.cycles = a->cycles - skipped;
    x->t.instructions += steps;
    x->t.executions++;
    uint32_t used = a->lowest_stack;
    if (!x->t.deepest || used < x->t.deepest) x->t.deepest = used;
    for (uint32_t i = 0; i < x->writes; i++) x->written[i].value = a->data[x->written[i].address];
}

static void put(struct img_phase *p, const void *bytes, uint32_t size)
{
    memcpy(p->key + p->key_size, bytes, size);
    p->key_size += size;
}

uint32_t img_phase_here(struct img *x)
{
    const struct avr *a = &x->avr;
    struct img_phase *p = calloc(1, sizeof *p);
    if (!p) return 0;
    uint32_t sp = stack_of(a), depth = x->base_sp > sp ? x->base_sp - sp : 0;
    p->key = malloc(64 + depth + x->writes * sizeof *x->written + x->accesses * sizeof *x->access);
    p->stack = malloc(depth + 1);
    p->written = malloc((x->writes + 1) * sizeof *p->written);
    p->access = malloc((x->accesses + 1) * sizeof *p->access);
    if (!p->key || !p->stack || !p->written || !p->access) return 0;
    p->slot = a->data[x->s.policy_at + x->s.cursor_at];
    p->pc = a->pc;
    p->sp = sp;
    p->live = a->pc * 2 + 1 < a->flash_size ? x->s.live[a->pc] : UINT64_MAX;
    memcpy(p->registers, a->data, 32);
    p->sreg = a->data[AVR_SREG];
    p->rampz = a->data[AVR_RAMPZ];
    p->eind = a->data[AVR_EIND];
    memcpy(p->stack, a->data + sp + 1, depth);
    memset(p->written, 0, x->writes * sizeof *p->written);
    for (uint32_t i = 0; i < x->writes; i++) {
        p->written[i].address = x->written[i].address;
        p->written[i].value = a->data[x->written[i].address];
    }
    p->writes = x->writes;
    if (x->accesses) memcpy(p->access, x->access, x->accesses * sizeof *p->access);
    p->accesses = x->accesses;
    put(p, &p->slot, 4);
    put(p, &p->pc, 4);
    put(p, &p->sp, 4);
    for (uint32_t r = 0; r < 32; r++) {
        uint8_t v = p->live >> r & 1 ? p->registers[r] : 0;
        put(p, &v, 1);
    }
    uint8_t sreg = p->live >> FLAGS & 1 ? p->sreg : p->sreg & INTERRUPTS_ON;
    put(p, &sreg, 1);
    put(p, &p->rampz, 1);
    put(p, &p->eind, 1);
    put(p, p->stack, depth);
    put(p, p->written, p->writes * (uint32_t)sizeof *p->written);
    put(p, p->access, p->accesses * (uint32_t)sizeof *p->access);
    p->hash = mc_hash_bytes(p->key, p->key_size);
    for (uint32_t i = 1; i < x->phases; i++) {
        struct img_phase *q = x->phase[i];
        if (q->hash == p->hash && q->key_size == p->key_size && !memcmp(q->key, p->key, p->key_size)) {
            free(p->key), free(p->stack), free(p->written), free(p->access), free(p);
            return i;
        }
    }
    x->phase = img_room(x->phase, &x->phases_room, x->phases, sizeof(struct img_phase *), &x->no_memory);
    p->way_length = x->at;
    p->way = malloc((x->at + 1) * sizeof *p->way);
    if (x->no_memory || !p->way) return 0;
    memcpy(p->way, x->answer + x->base, x->at * sizeof *p->way);
    x->phase[x->phases] = p;
    return x->phases++;
}

