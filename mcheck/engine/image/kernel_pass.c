/* A pass of the kernel's loop on any processor: what it may touch, what it reads and does; see image.h. */
#include "image/decision_tree.h"

bool img_is_memory(uint8_t place)
{
    switch (place) {
    case IMG_DEVICE: case IMG_STATUS: case IMG_SEND: case IMG_FREE: case IMG_LINES: case IMG_STACK: case IMG_CPU:
    case IMG_TX_SENT: case IMG_TX_BUFFER: case IMG_TX_CONTROL: return false;
    default: return true;
    }
}

uint8_t img_allowed_at(const struct img *x, uint8_t place)
{
    switch (place) {
    case IMG_CPU: return IMG_MAY_READ | IMG_MAY_WRITE;
    case IMG_BLOCK: case IMG_POLICY: case IMG_CAME: case IMG_WOKEN: case IMG_TAKEN: case IMG_TOLD: case IMG_DEVICE:
    case IMG_MASK: case IMG_LINES: case IMG_SENDING: case IMG_TX_QUEUED: case IMG_TX_CONTROL: return IMG_MAY_READ | IMG_MAY_WRITE | IMG_ASKS | IMG_TELLS;
    case IMG_COUNT: case IMG_RECEIVED: case IMG_BUFFER: case IMG_LOST: case IMG_TX_SENT: return IMG_MAY_READ | IMG_ASKS;
    case IMG_STATUS:
        return IMG_MAY_READ | IMG_ASKS | (x->s.clears || x->s.status_sends ? IMG_MAY_WRITE | IMG_TELLS : 0);
    case IMG_CONSTANT: return IMG_MAY_READ;
    case IMG_STACK: return IMG_MAY_WRITE | IMG_TELLS | IMG_ON_STACK;
    case IMG_SEND: case IMG_TX_BUFFER: return IMG_MAY_WRITE | IMG_TELLS;
    case IMG_FREE: return IMG_MAY_READ | IMG_MAY_WRITE | IMG_TELLS;
    default: return 0;
    }
}

void img_fail(struct img *x, uint32_t error, uint32_t pc, uint32_t where)
{
    x->r.error = error;
    x->r.pc = pc;
    x->r.where = where;
}

bool img_fail_start(struct img *x, uint32_t where, uint32_t said)
{
    img_note_error(x, IMG_BAD_START, x->pc, where, said, 0, IMG_IDLE, 0);
    return false;
}

/* --- what it reads and does ---------------------------------------------------------------------------------- */

static void touch(struct img *x, uint32_t at)
{
    if (x->is_touched[at]) return;
    x->is_touched[at] = true;
    x->touched[x->touches++] = at;
}

static void note_access(struct img *x, uint32_t kind, uint32_t width, uint32_t address, uint32_t value)
{
    x->access = img_room(x->access, &x->accesses_room, x->accesses, sizeof *x->access, &x->no_memory);
    if (x->no_memory) return;
    x->access[x->accesses++] = (struct img_access){(uint16_t)kind, (uint16_t)width, address, value};
    x->has_input |= kind == IMG_IN || kind == IMG_READ;
}

static void note_written(struct img *x, uint32_t at)
{
    if (x->is_written[at]) return;
    x->is_written[at] = true;
    x->written[x->writes++].address = at;
}

bool img_asked(struct img *x, uint32_t at)
{
    uint32_t v = 0;
    uint8_t place = x->s.place[at];
    if (x->called && at - x->s.policy_at - x->s.arrivals_at <= x->s.arrivals_room) x->twice = true;
    if (!img_answer(x, at, &v)) {
        x->r.asked = 1;
        return false;
    }
    x->data[at] = (uint8_t)v;
    touch(x, at);
    x->allowed[at] &= (uint8_t)~IMG_ASKS;
    if (place == IMG_BUFFER || place == IMG_MASK || place == IMG_SENDING) note_written(x, at); /* it stays known */
    if (place == IMG_BUFFER) note_access(x, IMG_READ, 1, 0, v);
    return true;
}

bool img_asked_device(struct img *x, uint32_t at, uint32_t width, uint32_t *v)
{
    if (!img_answer(x, at | (uint32_t)__builtin_ctz(width) << IMG_WIDTH, v)) {
        x->r.asked = 1;
        return false;
    }
    if (x->s.place[at] == IMG_DEVICE) note_access(x, IMG_IN, width, x->processor->address(x, at), *v);
    if (x->s.place[at] == IMG_TX_CONTROL) x->control = *v;
    return true;
}

bool img_asked_own(struct img *x, uint32_t at, uint32_t *v)
{
    if (!img_answer(x, at | (uint32_t)IMG_OWN << IMG_WIDTH, v)) {
        x->r.asked = 1;
        return false;
    }
    note_access(x, IMG_IN, 1, x->processor->address(x, at), *v);
    return true;
}

/* Where the next byte goes has changed: by as many as were put into the buffer since the pass began. */
static bool counts_queued(const struct img *x, uint8_t now)
{
    uint32_t count = x->replays ? IMG_ELSEWHERE : 0;
    for (uint32_t i = 0; i < x->accesses; i++) count += x->access[i].kind == IMG_WRITE;
    return now == (count & (x->s.transmit_size - 1));
}

/* A byte goes to its place in the buffer; of the control nothing changes but that the transmitter may interrupt. What is
 * otherwise is an access that no action has. */
static void told_transmitter(struct img *x, uint32_t at, uint32_t v)
{
    uint32_t added = v & ~x->control;
    if (x->s.place[at] == IMG_TX_BUFFER && at - x->s.transmit_at == x->data[x->s.queued_at]) note_access(x, IMG_WRITE, 1, 0, v);
    else if (x->s.place[at] == IMG_TX_BUFFER || x->control & ~v || added & ~(x->s.transmits | x->s.control_sets))
        note_access(x, IMG_OUT, 1, x->processor->address(x, at), v);
    else if (v & x->s.transmits) note_access(x, IMG_KICKED, 1, 0, 0);
}

void img_told(struct img *x, uint32_t at)
{
    touch(x, at);
    if (!img_is_memory(x->s.place[at])) return;
    x->stored = true;
    x->allowed[at] &= (uint8_t)~IMG_ASKS;
    note_written(x, at);
    bool miscounts = x->s.place[at] == IMG_TX_QUEUED && !counts_queued(x, x->data[at]);
    if (x->s.place[at] == IMG_MASK || miscounts) note_access(x, IMG_OUT, 1, x->processor->address(x, at), x->data[at]);
    if (at == x->s.policy_at + (img_runs_taker(x) ? x->s.taker_at : x->s.cursor_at)) x->marked = true;
}

void img_told_device(struct img *x, uint32_t at, uint32_t width, uint32_t v)
{
    uint8_t place = x->s.place[at];
    x->stored |= place != IMG_STACK;
    bool tells = place == IMG_DEVICE || place == IMG_LINES || (place == IMG_STATUS && x->s.clears) ||
                 (place == IMG_FREE && v & ~x->s.free_bits);
    if (tells) note_access(x, IMG_OUT, width, x->processor->address(x, at), v);
    if (place == IMG_TX_BUFFER || place == IMG_TX_CONTROL) told_transmitter(x, at, v);
    if (place == IMG_SEND || (place == IMG_STATUS && x->s.status_sends)) note_access(x, IMG_WRITE, 1, 0, v & 0xFF);
    for (uint32_t i = 0; i < width; i++) touch(x, at + i);
}

/* --- before and after a run ---------------------------------------------------------------------------------- */

static void begin_pass(struct img *x, bool inverse)
{
    for (uint32_t i = 0; i < x->touches; i++) {
        uint32_t at = x->touched[i];
        x->data[at] = x->base_data[at];
        x->allowed[at] = x->base_allowed[at];
        x->is_touched[at] = x->is_written[at] = false;
    }
    x->touches = x->writes = x->accesses = x->control = 0;
    x->has_input = false;
    x->undefined = x->processor->unset;
    x->processor->enter(x, inverse);
}

/* What was only read is not known any more: it is asked for again. */
static void forget_read(struct img *x)
{
    for (uint32_t i = 0; i < x->touches; i++) {
        uint32_t at = x->touched[i];
        if (!x->is_written[at] && img_is_memory(x->s.place[at])) x->allowed[at] = x->base_allowed[at];
    }
}

static void begin_phase(struct img *x, const struct img_phase *p)
{
    begin_pass(x, false);
    x->processor->restore(x, p->registers);
    x->undefined = p->undefined;
    x->control = p->control;
    for (uint32_t at = p->stack_from; at < x->base_stack; at++) {
        touch(x, at);
        struct img_stack_byte b = p->stack[at - p->stack_from];
        x->data[at] = b.value;
        if (b.written) x->allowed[at] |= IMG_MAY_READ;
    }
    for (uint32_t i = 0; i < p->writes; i++) {
        uint32_t at = p->written[i].address;
        touch(x, at);
        x->is_written[at] = true;
        x->written[x->writes++].address = at;
        x->data[at] = p->written[i].value;
        x->allowed[at] &= (uint8_t)~IMG_ASKS;
    }
    for (uint32_t i = 0; i < p->accesses; i++) {
        const struct img_access *a = &p->access[i];
        note_access(x, a->kind, a->width, a->address, a->value);
    }
}

static uint64_t live_at(const struct img *x, uint32_t pc) { return pc * 2 + 1 < x->s.flash_size ? x->s.live[pc] : UINT64_MAX; }

/* A function of arrivals: as if a pass had called it, with nothing else on the stack. */
static void begin_function(struct img *x, const struct img_phase *p, bool inverse)
{
    begin_pass(x, inverse);
    x->processor->call(x, p->function - 1 == IMG_ARRIVE ? x->s.arrive : x->s.depart, p->slot);
    x->undefined &= ~x->processor->argument_register;
}

static bool is_code(const struct img *x, uint32_t pc, uint32_t what)
{
    return pc * 2 + 1 < x->s.flash_size && x->s.code[pc] & what;
}

/* What a call of a function of arrivals does is looked at apart. False: the pass has ended with it, or is wrong. */
static bool calls_apart(struct img *x, uint32_t pc, bool inverse)
{
    const struct img_processor *m = x->processor;
    x->twice |= x->called;
    x->called = true;
    note_access(x, IMG_CALLED, 1, pc == x->s.arrive ? IMG_ARRIVE : IMG_DEPART, m->argument(x));
    uint32_t depth = x->base_stack - m->stack(x);
    if (!m->come_back(x, inverse)) return false;
    x->undefined |= m->lost;
    if (depth > x->call_depth) x->call_depth = depth;
    if (x->pc == x->stop_pc) {
        m->check_end(x, inverse, pc);
        return false;
    }
    if (is_code(x, x->pc, IMG_RETURNS_TO)) return true;
    img_fail(x, IMG_BAD_JUMP, pc, x->pc * 2 + x->s.flash_start);
    return false;
}

/* May control come to where it has come? */
static bool may_come(const struct img *x, enum img_went went)
{
    switch (went) {
    case IMG_RETURNED: case IMG_RETURNED_OTHERWISE: return is_code(x, x->pc, IMG_RETURNS_TO);
    case IMG_JUMPED: return is_code(x, x->pc, IMG_ENTRY);
    default: return true;
    }
}

/* What the instruction makes of registers that nobody has set. */
static bool follow_undefined(struct img *x, uint32_t pc)
{
    const struct img_effect *e = &x->s.effect[pc];
    uint64_t bad = x->undefined & (e->needs | (x->stored ? e->stores : 0));
    x->stored = false;
    if (bad) {
        img_fail(x, IMG_UNDEFINED, pc, (uint32_t)__builtin_ctzll(bad));
        return false;
    }
    if (x->undefined & e->uses) x->undefined |= e->defines;
    else x->undefined &= ~e->defines;
    return true;
}

void img_run(struct img *x, uint32_t phase, bool inverse)
{
    const struct img_processor *m = x->processor;
    uint64_t skipped = 0, steps = 0;
    const struct img_phase *p = x->phase[phase];
    bool is_function = p->function, picked = !inverse && p->picked;
    memset(&x->r, 0, sizeof x->r);
    x->marked = x->called = x->stored = false;
    if (is_function && (inverse || p->begins)) begin_function(x, p, inverse);
    else if (phase && !inverse) begin_phase(x, p);
    else begin_pass(x, inverse);
    x->asks = 0;
    for (;;) {
        uint32_t pc = x->pc;
        if (!is_code(x, pc, IMG_CODE)) {
            img_fail(x, IMG_OUTSIDE, pc, 0);
            break;
        }
        if ((x->s.halt && pc == x->s.halt) || (x->s.reset && pc == x->s.reset)) {
            x->r.halted = 1;
            break;
        }
        if (*x->cycles >= x->s.most_cycles) {
            img_fail(x, IMG_ENDLESS, pc, 0);
            break;
        }
        if (!is_function && pc && (pc == x->s.arrive || pc == x->s.depart)) {
            if (!calls_apart(x, pc, inverse)) break;
            continue;
        }
        if (x->s.spin && pc == x->s.spin) note_access(x, IMG_SPIN, 4, 0, m->word_argument(x));
        if (x->trace && x->trace_used < x->trace_room) x->trace[x->trace_used++] = pc;
        enum img_went went = m->step(x);
        steps++;
        if (went == IMG_STOPPED) break;
        if (went == IMG_FELL_ASLEEP) note_access(x, IMG_SLEPT, 1, 0, 0);
        if (x->pc == x->stop_pc && went == IMG_RETURNED) {
            m->check_end(x, inverse, pc);
            break;
        }
        if (!may_come(x, went)) {
            img_fail(x, IMG_BAD_JUMP, pc, x->pc * 2 + x->s.flash_start);
            break;
        }
        if (x->s.effect && !follow_undefined(x, pc)) break;
        bool picks = x->marked && !picked && !is_function;
        x->marked = false;
        /* after an input hardly any two ways come together */
        if (!picks && !(x->asks && !x->has_input && is_code(x, x->pc, IMG_JOIN))) continue;
        if (!inverse) {
            x->r.marked = picks ? IMG_PICKED : IMG_JOINED;
            break;
        }
        picked |= picks;
        skipped = *x->cycles;
        m->invert(x, live_at(x, x->pc));
        x->undefined |= ~live_at(x, x->pc) & m->unset;
        forget_read(x);
        x->asks = 0;
    }
    x->r.cycles = *x->cycles - skipped;
    x->t.instructions += steps;
    x->t.executions++;
    uint32_t used = m->deepest(x);
    if (is_function && x->base_stack - used > x->function_depth) x->function_depth = x->base_stack - used;
    if (!x->t.deepest || used < x->t.deepest) x->t.deepest = used;
    for (uint32_t i = 0; i < x->writes; i++) x->written[i].value = x->data[x->written[i].address];
}

/* --- phases -------------------------------------------------------------------------------------------------- */

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

void img_phase_free(struct img_phase *p)
{
    if (p) free(p->key), free(p->stack), free(p->written), free(p->access), free(p->way), free(p);
}

static void put(struct img_phase *p, const void *bytes, uint32_t size)
{
    if (size) memcpy(p->key + p->key_size, bytes, size);
    p->key_size += size;
}

/* The machine as it is now; NULL without memory. */
static struct img_phase *phase_of_now(struct img *x, const struct img_phase *from)
{
    struct img_phase *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    uint32_t lowest = x->processor->stack(x), depth = x->base_stack > lowest ? x->base_stack - lowest : 0;
    p->key = malloc(36 + IMG_MOST_REGISTERS + depth * sizeof *p->stack + x->writes * sizeof *x->written + x->accesses * sizeof *x->access);
    p->stack = calloc(depth + 1, sizeof *p->stack);
    p->written = calloc(x->writes + 1, sizeof *p->written);
    p->access = malloc((x->accesses + 1) * sizeof *p->access);
    if (!p->key || !p->stack || !p->written || !p->access) {
        img_phase_free(p);
        return NULL;
    }
    p->function = from->function;
    p->picked = from->picked || x->r.marked == IMG_PICKED;
    uint32_t picked = img_runs_taker(x) ? (uint32_t)x->field[IMG_TAKER] : x->data[x->s.policy_at + x->s.cursor_at];
    p->slot = p->function ? from->slot : p->picked ? picked : 0;
    p->pc = x->pc;
    p->control = x->control;
    p->stack_from = lowest;
    for (uint32_t i = 0; i < depth; i++)
        if (x->allowed[lowest + i] & IMG_MAY_READ) p->stack[i] = (struct img_stack_byte){x->data[lowest + i], true};
    for (uint32_t i = 0; i < x->writes; i++) {
        p->written[i].address = x->written[i].address;
        p->written[i].value = x->data[x->written[i].address];
    }
    p->writes = x->writes;
    if (x->accesses) memcpy(p->access, x->access, x->accesses * sizeof *p->access);
    p->accesses = x->accesses;
    uint32_t called = x->called, numbers[] = {p->slot, p->function, x->r.marked, called, p->control};
    put(p, numbers, sizeof numbers);
    uint64_t live = live_at(x, x->pc), undefined = x->undefined & live;
    put(p, &undefined, sizeof undefined);
    p->undefined = undefined | (~live & x->processor->unset);
    p->key_size += x->processor->save(x, live, p->registers, p->key + p->key_size);
    put(p, p->stack, depth * (uint32_t)sizeof *p->stack);
    put(p, p->written, p->writes * (uint32_t)sizeof *p->written);
    put(p, p->access, p->accesses * (uint32_t)sizeof *p->access);
    p->hash = mc_hash_bytes(p->key, p->key_size);
    return p;
}

uint32_t img_phase_here(struct img *x, uint32_t before)
{
    const struct img_phase *from = x->phase[before];
    struct img_phase *p = phase_of_now(x, from);
    if (!p) return 0;
    uint32_t *known = img_map_find(&x->phase_of, p->hash >> 1);
    if (known) {
        const struct img_phase *q = x->phase[*known];
        if (q->key_size == p->key_size && !memcmp(q->key, p->key, p->key_size)) {
            img_phase_free(p);
            return *known;
        }
    }
    make_room(x);
    p->way_length = from->way_length + x->at;
    p->way = malloc((p->way_length + 1) * sizeof *p->way);
    if (x->no_memory || !p->way || (!known && !img_map_put(&x->phase_of, p->hash >> 1, x->phases))) {
        img_phase_free(p);
        return 0;
    }
    if (from->way_length) memcpy(p->way, from->way, from->way_length * sizeof *p->way);
    memcpy(p->way + from->way_length, x->answer + x->walk.at.base, x->at * sizeof *p->way);
    x->phase[x->phases] = p;
    return x->phases++;
}
