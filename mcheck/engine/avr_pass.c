/* A pass of the kernel's loop on the AVR core: what it may touch, what it reads and does; see image.h. */
#include "image_tree.h"

enum { FIRST_ARGUMENT = 24, CALLEE_FIRST = 2, CALLEE_LAST = 17, INTERRUPTS_ON = 0x80, ARITHMETIC_FLAGS = 0x3F, FLAGS = 32 };


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
    x->has_input |= kind == IMG_IN || kind == IMG_READ;
}

static void note_written(struct img *x, uint32_t at)
{
    if (x->is_written[at]) return;
    x->is_written[at] = true;
    x->written[x->writes++].address = at;
}

static bool ask(struct avr *a, uint32_t at)
{
    struct img *x = a->context;
    uint32_t v = 0;
    uint8_t place = x->s.place[at];
    if (x->called && at - x->s.policy_at - x->s.arrivals_at <= x->s.arrivals_room) x->twice = true;
    if (!img_answer(x, at, &v)) {
        x->r.asked = 1;
        return false;
    }
    a->data[at] = (uint8_t)v;
    if (is_memory(place)) {
        touch(x, at);
        a->allowed[at] &= (uint8_t)~AVR_ASK;
        if (place == IMG_BUFFER || place == IMG_MASK) note_written(x, at); /* it stays known */
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
    note_written(x, at);
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
    x->has_input = false;
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

static uint64_t live_at(const struct img *x, uint32_t pc) { return pc * 2 + 1 < x->s.flash_size ? x->s.live[pc] : UINT64_MAX; }

/* A function of arrivals: as if a pass had called it, with nothing else on the stack. */
static void begin_function(struct img *x, const struct img_phase *p, bool inverse)
{
    begin_pass(x, inverse);
    x->avr.data[FIRST_ARGUMENT] = (uint8_t)p->slot;
    x->avr.pc = p->function - 1 == IMG_ARRIVE ? x->s.arrive : x->s.depart;
}

/* In its stead: it comes back, with nothing in the registers that it may use. What it does is looked at apart. */
static bool come_back(struct img *x, bool inverse)
{
    struct avr *a = &x->avr;
    uint32_t sp = stack_of(a), words = a->wide_pc ? 3 : 2, pc = 0;
    a->where = sp;
    if (sp > x->base_sp) return false;
    for (uint32_t i = 1; i <= words; i++) {
        if (!(a->allowed[sp + i] & AVR_READ)) {
            a->where = sp + i;
            return false;
        }
        pc = pc << 8 | a->data[sp + i];
        if (a->allowed[sp + i] & AVR_STACK) a->allowed[sp + i] &= (uint8_t)~AVR_READ;
    }
    if (x->base_sp - sp > x->call_depth) x->call_depth = x->base_sp - sp;
    set_sp(a, sp + words);
    a->pc = pc;
    for (uint32_t r = 0; r < 32; r++)
        if (r == 0 || (r >= 18 && r < 28) || r >= 30) a->data[r] = at_entry(r + 7, inverse);
    a->data[AVR_SREG] = (uint8_t)((a->data[AVR_SREG] & INTERRUPTS_ON) | (inverse ? 0x7F : 0));
    return true;
}

static void invert_dead(struct avr *a, uint64_t live)
{
    for (uint32_t r = 0; r < 32; r++)
        if (!(live >> r & 1)) a->data[r] = (uint8_t)~a->data[r];
    if (!(live >> FLAGS & 1)) a->data[AVR_SREG] ^= ARITHMETIC_FLAGS;
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
    for (uint32_t i = 0; i < x->touches; i++) /* awake, the sleep control is off */
        if (x->s.place[x->touched[i]] == IMG_FREE && a->data[x->touched[i]]) fail(x, IMG_BAD_REGISTERS, pc, x->touched[i]);
    if (a->data[1]) fail(x, IMG_BAD_REGISTERS, pc, 1);
    if (stack_of(a) != sp) fail(x, IMG_BAD_REGISTERS, pc, AVR_SPL);
    if (!(a->data[AVR_SREG] & INTERRUPTS_ON)) fail(x, IMG_BAD_REGISTERS, pc, AVR_SREG);
}

void img_run(struct img *x, uint32_t phase, bool inverse)
{
    struct avr *a = &x->avr;
    uint64_t skipped = 0, steps = 0;
    const struct img_phase *p = x->phase[phase];
    bool is_function = p->function, picked = !inverse && p->picked;
    memset(&x->r, 0, sizeof x->r);
    x->marked = x->called = false;
    if (is_function && (inverse || p->begins)) begin_function(x, p, inverse);
    else if (phase && !inverse) begin_phase(x, p);
    else begin_pass(x, inverse);
    x->asks = 0;
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
        if (!is_function && pc && (pc == x->s.arrive || pc == x->s.depart)) {
            x->twice |= x->called;
            x->called = true;
            note_access(x, IMG_CALLED, pc == x->s.arrive ? IMG_ARRIVE : IMG_DEPART, a->data[FIRST_ARGUMENT]);
            if (!come_back(x, inverse)) {
                fail(x, IMG_BAD_LOAD, pc, a->where);
                break;
            }
            if (a->pc == x->stop_pc) {
                check_registers(x, inverse, pc);
                break;
            }
            if (a->pc * 2 + 1 >= a->flash_size || !(x->s.code[a->pc] & IMG_RETURNS_TO)) {
                fail(x, IMG_BAD_JUMP, pc, a->pc * 2);
                break;
            }
            continue;
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
        if (said == AVR_SLEEPS) note_access(x, IMG_SLEPT, 0, 0);
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
        bool picks = x->marked && !picked && !is_function;
        x->marked = false;
        /* after an input hardly any two ways come together */
        if (!picks && !(x->asks && !x->has_input && a->pc * 2 + 1 < a->flash_size && x->s.code[a->pc] & IMG_JOIN)) continue;
        if (!inverse) {
            x->r.marked = picks ? IMG_PICKED : IMG_JOINED;
            break;
        }
        picked |= picks;
        skipped = a->cycles;
        invert_dead(a, live_at(x, a->pc));
        forget_read(x);
        x->asks = 0;
    }
    x->r.cycles = a->cycles - skipped;
    x->t.instructions += steps;
    x->t.executions++;
    uint32_t used = a->lowest_stack;
    if (is_function && x->base_sp + 1 - used > x->function_depth) x->function_depth = x->base_sp + 1 - used;
    if (!x->t.deepest || used < x->t.deepest) x->t.deepest = used;
    for (uint32_t i = 0; i < x->writes; i++) x->written[i].value = a->data[x->written[i].address];
}

static void make_room(struct img *x)
{
    x->phase = img_room(x->phase, &x->phases_room, x->phases, sizeof(struct img_phase *), &x->no_memory);
    x->root_of = img_room(x->root_of, &x->roots_room, x->phases, 4, &x->no_memory);
    if (!x->no_memory) x->root_of[x->phases] = 0;
}

uint32_t img_function(struct img *x, uint32_t function, uint32_t slot)
{
    uint32_t *known = &x->function_phase[function][slot & 0xFF];
    if (*known) return *known;
    make_room(x);
    if (x->no_memory || !(x->phase[x->phases] = calloc(1, sizeof **x->phase))) return 0;
    x->phase[x->phases]->begins = true;
    x->phase[x->phases]->function = function + 1;
    x->phase[x->phases]->slot = slot;
    return *known = x->phases++;
}

static void put(struct img_phase *p, const void *bytes, uint32_t size)
{
    memcpy(p->key + p->key_size, bytes, size);
    p->key_size += size;
}

uint32_t img_phase_here(struct img *x, uint32_t before)
{
    const struct avr *a = &x->avr;
    struct img_phase *p = calloc(1, sizeof *p);
    const struct img_phase *from = x->phase[before];
    if (!p) return 0;
    uint32_t sp = stack_of(a), depth = x->base_sp > sp ? x->base_sp - sp : 0;
    p->key = malloc(80 + depth + x->writes * sizeof *x->written + x->accesses * sizeof *x->access);
    p->stack = malloc(depth + 1);
    p->written = malloc((x->writes + 1) * sizeof *p->written);
    p->access = malloc((x->accesses + 1) * sizeof *p->access);
    if (!p->key || !p->stack || !p->written || !p->access) return 0;
    p->function = from->function;
    p->picked = from->picked || x->r.marked == IMG_PICKED;
    p->slot = p->function ? from->slot : p->picked ? a->data[x->s.policy_at + x->s.cursor_at] : 0;
    p->pc = a->pc;
    p->sp = sp;
    p->live = live_at(x, a->pc);
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
    put(p, &p->function, 4);
    put(p, &x->r.marked, 4);
    uint32_t called = x->called;
    put(p, &called, 4);
    put(p, &p->pc, 4);
    put(p, &p->sp, 4);
    for (uint32_t r = 0; r < 32; r++) {
        uint8_t v = p->live >> r & 1 ? p->registers[r] : 0;
        put(p, &v, 1);
    }
    uint8_t sreg = p->live >> FLAGS & 1 ? p->sreg : p->sreg & ~ARITHMETIC_FLAGS;
    put(p, &sreg, 1);
    put(p, &p->rampz, 1);
    put(p, &p->eind, 1);
    put(p, p->stack, depth);
    put(p, p->written, p->writes * (uint32_t)sizeof *p->written);
    put(p, p->access, p->accesses * (uint32_t)sizeof *p->access);
    p->hash = mc_hash_bytes(p->key, p->key_size);
    uint32_t *known = img_map_find(&x->phase_of, p->hash >> 1);
    if (known) {
        const struct img_phase *q = x->phase[*known];
        if (q->key_size == p->key_size && !memcmp(q->key, p->key, p->key_size)) {
            free(p->key), free(p->stack), free(p->written), free(p->access), free(p);
            return *known;
        }
    }
    make_room(x);
    p->way_length = from->way_length + x->at;
    p->way = malloc(p->way_length + 1);
    if (x->no_memory || !p->way || (!known && !img_map_put(&x->phase_of, p->hash >> 1, x->phases))) return 0;
    if (from->way_length) memcpy(p->way, from->way, from->way_length);
    for (uint32_t i = 0; i < x->at; i++) p->way[from->way_length + i] = (uint8_t)x->answer[x->base + i];
    x->phase[x->phases] = p;
    return x->phases++;
}
