/* Instructions: each does all it does, or nothing where something is to be asked first. */
#include "symbolic/machine.h"
#include "symbolic/operations.h"

#include <string.h>

enum { WORDS = 8, TICK = 1 << 18 };
enum field { OP, WIDTH, OF, DEST, A, B, C, MORE };

bool mc_activate(struct mc_symbolic *s, struct path *p, uint32_t function, int32_t result)
{
    const int64_t *f = s->code + s->code[0] + 3 * function, *first = s->code + f[1];
    uint32_t base = p->registers.count;
    if (!ROOM_FOR(p->registers, f[0])) return false;
    for (int64_t i = 0; i < f[0]; i++, first += 3)
        p->registers.at[base + i] = (struct value){(uint32_t)first[0], (uint32_t)first[1], (uint64_t)first[2]};
    p->registers.count = base + (uint32_t)f[0];
    const int64_t *block = s->code + s->code[1] + 3 * f[2];
    return ADD(p->active, (struct activation){s->code + block[0], function, (uint32_t)f[2], base, result});
}

/* To the block; its phis take their values all at once. */
static enum status go_to(struct mc_symbolic *s, struct path *p, struct activation *a, int64_t to)
{
    const int64_t *block = s->code + s->code[1] + 3 * to, *phi = s->code + block[1];
    struct value *registers = p->registers.at + a->registers, kept[64];
    if (block[2] > 64) return HANDS_OVER;
    for (int64_t i = 0; i < block[2]; i++, phi += 2 + 2 * phi[1]) {
        int64_t way = 0;
        while (way < phi[1] && phi[2 + 2 * way] != a->block) way++;
        if (way == phi[1]) return HANDS_OVER;
        kept[i] = registers[phi[3 + 2 * way]];
    }
    phi = s->code + block[1];
    for (int64_t i = 0; i < block[2]; i++, phi += 2 + 2 * phi[1]) registers[phi[0]] = kept[i];
    a->block = (uint32_t)to;
    a->pc = s->code + block[0];
    return GOES_ON;
}

/* Of a term: group by group, whether it is one of its cases. */
static enum status switched(struct mc_symbolic *s, struct path *p, struct activation *a, const int64_t *i, struct value v)
{
    const int64_t *more = s->code + i[MORE], *cases = more + 3, *groups = cases + 2 * more[2];
    if (v.what == MC_VALUE_NUMBER) {
        for (int64_t n = 0; n < more[2]; n++)
            if ((uint64_t)cases[2 * n] == v.bits) return go_to(s, p, a, cases[2 * n + 1]);
        return go_to(s, p, a, more[0]);
    }
    if (v.what != MC_VALUE_TERM) return HANDS_OVER;
    for (int64_t n = 0; n < more[1]; n++) {
        struct value is_of;
        uint64_t answer;
        enum status r = mc_asked_value(s, (uint64_t[]){MC_ASKED_SWITCH, (uint64_t)i[B], (uint64_t)n, v.bits}, 4, &is_of);
        if (r == GOES_ON) r = mc_truth(s, p, is_of, &answer);
        if (r != GOES_ON) return r;
        if (answer) return go_to(s, p, a, groups[n]);
    }
    return go_to(s, p, a, more[0]);
}

static bool is_address(struct value v) { return v.what == MC_VALUE_POINTER || v.what == MC_VALUE_FAR; }

static struct value offset_of(struct value v)
{
    return v.what == MC_VALUE_FAR ? term_value((uint32_t)v.bits) : v.what == MC_VALUE_POINTER ? number(v.bits) : v;
}

static struct value at_offset(uint32_t place, struct value offset)
{
    return (struct value){offset.what == MC_VALUE_TERM ? MC_VALUE_FAR : MC_VALUE_POINTER, place, offset.bits};
}

static enum status compared_addresses(struct mc_symbolic *s, uint32_t op, struct value x, struct value y, struct value *out)
{
    static const struct value null = {MC_VALUE_POINTER, MC_NULL_PLACE, 0};
    if (x.what == MC_VALUE_NUMBER && !x.bits) x = null;
    if (y.what == MC_VALUE_NUMBER && !y.bits) y = null;
    if (!is_address(x) || !is_address(y)) return HANDS_OVER;
    if (x.place == y.place) return mc_operate(s, op, 1, 64, (struct value[]){offset_of(x), offset_of(y)}, 2, out);
    if (op != MC_TERM_EQ && op != MC_TERM_NE) return HANDS_OVER;
    *out = number(op == MC_TERM_NE);
    return GOES_ON;
}

static enum status of_addresses(struct mc_symbolic *s, uint32_t op, struct value x, struct value y, struct value *out)
{
    struct value both[2] = {offset_of(x), offset_of(y)};
    if (op >= MC_TERM_EQ && op <= MC_TERM_SGE) return compared_addresses(s, op, x, y, out);
    bool two = is_address(x) && is_address(y);
    if (two && (op != MC_TERM_SUB || x.place != y.place)) return HANDS_OVER;
    if (op != MC_TERM_ADD && (op != MC_TERM_SUB || !is_address(x))) return HANDS_OVER;
    enum status r = mc_operate(s, op, 64, 64, both, 2, out);
    if (r == GOES_ON && !two) *out = at_offset(is_address(x) ? x.place : y.place, *out);
    return r;
}

static enum status operation(struct mc_symbolic *s, const int64_t *i, struct value *registers)
{
    struct value x[3] = {registers[i[A]], number(0), number(0)};
    uint32_t count = i[B] < 0 ? 1 : i[C] < 0 ? 2 : 3, op = (uint32_t)i[MORE];
    if (count > 1) x[1] = registers[i[B]];
    if (count > 2) x[2] = registers[i[C]];
    if (count == 2 && (is_address(x[0]) || is_address(x[1]))) return of_addresses(s, op, x[0], x[1], &registers[i[DEST]]);
    return mc_operate(s, op, (uint32_t)i[WIDTH], (uint32_t)i[OF], x, count, &registers[i[DEST]]);
}

/* A result, and whether it overflowed. */
static enum status overflowing(struct mc_symbolic *s, const int64_t *i, struct value *registers)
{
    struct value x[2] = {registers[i[A]], registers[i[B]]}, v, overflows;
    uint32_t w = (uint32_t)i[WIDTH];
    enum status r = mc_operate(s, (uint32_t)i[MORE] & 0xff, w, w, x, 2, &v);
    if (r == GOES_ON) r = mc_operate(s, (uint32_t)i[MORE] >> 8, 1, w, x, 2, &overflows);
    if (r != GOES_ON) return r;
    registers[i[DEST]] = v;
    registers[i[C]] = overflows;
    return GOES_ON;
}

static enum status selected(struct mc_symbolic *s, const struct path *p, const int64_t *i, struct value *registers)
{
    struct value x[3] = {registers[i[A]], registers[i[B]], registers[i[C]]};
    uint64_t chosen = x[0].bits != 0;
    if (!is_scalar(x[0])) return HANDS_OVER;
    if (x[0].what == MC_VALUE_TERM && is_scalar(x[1]) && is_scalar(x[2]))
        return mc_operate(s, MC_TERM_SELECT, (uint32_t)i[WIDTH], (uint32_t)i[WIDTH], x, 3, &registers[i[DEST]]);
    enum status r = mc_truth(s, p, x[0], &chosen);
    if (r == GOES_ON) registers[i[DEST]] = chosen ? x[1] : x[2];
    return r;
}

static enum status loaded(struct mc_symbolic *s, const struct path *p, const int64_t *i, struct value *registers)
{
    struct value v;
    enum status r = mc_load_value(s, p, registers[i[A]], (uint32_t)i[OF], &v);
    if (r == GOES_ON && !i[B] && i[WIDTH] != 8 * i[OF] && !is_address(v))
        r = mc_operate(s, MC_TERM_TRUNC, (uint32_t)i[WIDTH], (uint32_t)(8 * i[OF]), &v, 1, &v);
    if (r == GOES_ON) registers[i[DEST]] = v;
    return r;
}

static enum status reserved(struct path *p, const int64_t *i, struct value *registers)
{
    uint32_t at = p->cells.count, size = (uint32_t)i[MORE];
    if (p->pieces.count >= MC_GLOBAL_PLACE - 1 || i[MORE] > 1 << 24) return HANDS_OVER;
    if (!ROOM_FOR(p->cells, size) || !ADD(p->pieces, (struct piece){at, size})) return NO_MEMORY;
    if (size) memset(p->cells.at + at, 0, size * sizeof *p->cells.at);
    p->cells.count += size;
    registers[i[DEST]] = (struct value){MC_VALUE_POINTER, p->pieces.count - 1, 0};
    return GOES_ON;
}

static enum status called(struct mc_symbolic *s, struct path *p, const int64_t *i)
{
    const int64_t *more = s->code + i[MORE];
    uint32_t from = p->active.at[p->active.count - 1].registers;
    if (!mc_activate(s, p, (uint32_t)i[B], (int32_t)i[DEST])) return NO_MEMORY;
    struct value *to = p->registers.at + p->active.at[p->active.count - 1].registers;
    for (int64_t n = 0; n < more[0]; n++) to[n] = p->registers.at[from + more[1 + n]];
    return GOES_ON;
}

static enum status returned(struct path *p, const int64_t *i)
{
    struct activation a = p->active.at[--p->active.count];
    if (!p->active.count) {
        p->has_ended = 1;
        return ENDED;
    }
    struct activation *caller = &p->active.at[p->active.count - 1];
    if (a.result >= 0) {
        struct value v = {MC_VALUE_NOTHING, 0, 0};
        p->registers.at[caller->registers + a.result] = i[A] < 0 ? v : p->registers.at[a.registers + i[A]];
    }
    p->registers.count = a.registers;
    caller->pc += WORDS;
    return GOES_ON;
}

static enum status decided_by_policy(struct mc_symbolic *s, struct path *p, struct activation *a, const int64_t *i)
{
    struct value found = {MC_VALUE_NOTHING, 0, 0};
    enum status r = mc_ask_policy(s, p, s->code + i[MORE], p->registers.at + a->registers, &found);
    if (r != GOES_ON) return r;
    if (i[DEST] >= 0) p->registers.at[a->registers + i[DEST]] = found;
    return GOES_ON;
}

/* Of those that go on behind themselves. */
static enum status plain_instruction(struct mc_symbolic *s, struct path *p, struct activation *a, const int64_t *i)
{
    struct value *registers = p->registers.at + a->registers;
    switch ((enum mc_ir_op)i[OP]) {
    case MC_IR_OPERATION: return operation(s, i, registers);
    case MC_IR_LOAD: return loaded(s, p, i, registers);
    case MC_IR_STORE: return mc_store_value(s, p, registers[i[B]], registers[i[A]], (uint32_t)i[OF]);
    case MC_IR_ADDRESS: return mc_address_of(s, s->code + i[MORE], registers, registers[i[A]], &registers[i[DEST]]);
    case MC_IR_ALLOCA: return reserved(p, i, registers);
    case MC_IR_COPY: registers[i[DEST]] = registers[i[A]]; return GOES_ON;
    case MC_IR_OVERFLOW: return overflowing(s, i, registers);
    case MC_IR_SELECT: return selected(s, p, i, registers);
    case MC_IR_FILL: return mc_fill(s, p, registers[i[A]], registers[i[B]], registers[i[C]]);
    case MC_IR_MOVE: return mc_move(s, p, registers[i[A]], registers[i[B]], registers[i[C]]);
    case MC_IR_POLICY: return decided_by_policy(s, p, a, i);
    default: return HANDS_OVER;
    }
}

static enum status branched(struct mc_symbolic *s, struct path *p, struct activation *a, const int64_t *i)
{
    uint64_t answer;
    enum status r = mc_truth(s, p, p->registers.at[a->registers + i[A]], &answer);
    return r == GOES_ON ? go_to(s, p, a, answer ? i[B] : i[C]) : r;
}

static enum status instruction(struct mc_symbolic *s, struct path *p, struct activation *a, const int64_t *i)
{
    switch ((enum mc_ir_op)i[OP]) {
    case MC_IR_JUMP: return go_to(s, p, a, i[MORE]);
    case MC_IR_BRANCH: return branched(s, p, a, i);
    case MC_IR_SWITCH: return switched(s, p, a, i, p->registers.at[a->registers + i[A]]);
    case MC_IR_CALL: return called(s, p, i);
    case MC_IR_RETURN: return returned(p, i);
    default: {
        enum status r = plain_instruction(s, p, a, i);
        if (r == GOES_ON) a->pc += WORDS;
        return r;
    }
    }
}

enum status mc_execute(struct mc_symbolic *s, struct path *p)
{
    for (;;) {
        if (p->steps >= s->step.most_steps) return HANDS_OVER; /* where it is told why */
        if (!s->until_tick--) {
            s->until_tick = TICK;
            return TICKS;
        }
        struct activation *a = &p->active.at[p->active.count - 1];
        p->steps++;
        s->counts.instructions++;
        enum status r = instruction(s, p, a, a->pc);
        if (r == GOES_ON) continue;
        if (r != SPLITS && r != ENDED) p->steps--;
        return r;
    }
}
