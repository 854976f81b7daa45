/* What a pass of an image has to do, by the compiled actions under the same policies; and whether it did it. */
#include "image/decision_tree.h"

enum { TEXT = 64 };

/* --- what comes first ---------------------------------------------------------------------------------------- */

static bool is_ready(const struct img *x, uint32_t slot)
{
    return x->position[slot] && x->position[slot] < x->e->space.p.first_waiting;
}

uint32_t img_picked(const struct img *x, uint32_t cursor)
{
    uint32_t slots = x->e->space.p.slots, slot = cursor;
    for (uint32_t i = 0; i < slots + 1; i++) {
        slot = (slot + 1) & 0xFF;
        if (slot >= slots) slot = x->s.wrap_to;
        if (is_ready(x, slot)) return slot;
    }
    return MC_NOBODY;
}

static bool is_due(const struct img *x)
{
    return x->sleepers && (int32_t)(x->clock - (uint32_t)x->field[IMG_WHEN]) >= 0;
}

enum { NO_INTERRUPT = 0xFFFFFFFF };

static bool has_taker(const struct img *x) { return x->s.taker_at != IMG_NO_FIELD; }

/* Are interrupts looked at in this pass? The code knows by the taker, if it has one. */
static bool delivers_interrupts(const struct img *x) { return !has_taker(x) || x->field[IMG_TAKER] == MC_NOBODY; }

/* The one that is delivered; -1: the code has not looked whether there is one. */
static int64_t delivered(const struct img *x)
{
    if (has_taker(x) && x->field[IMG_TAKER] < 0) return -1;
    if (!delivers_interrupts(x)) return NO_INTERRUPT;
    bool turns = x->s.turn_at != IMG_NO_FIELD;
    uint32_t first = turns && x->field[IMG_TURN] >= 0 ? (uint32_t)x->field[IMG_TURN] : 0;
    for (uint32_t i = 0; i < x->s.interrupts; i++) {
        uint32_t bit = (first + i) % x->s.interrupts;
        int64_t came = x->field[IMG_CAMES + bit];
        if (came < 0) return -1;
        if (came & 1) return turns && x->field[IMG_TURN] < 0 ? -1 : (int64_t)bit;
    }
    return NO_INTERRUPT;
}

/* The code has to look at these before it can know what comes. */
static bool has_not_looked(const struct img *x)
{
    int64_t bit = delivered(x);
    return bit < 0 || (bit == NO_INTERRUPT && x->sleepers && x->field[IMG_WHEN] < 0);
}

bool img_comes_first(struct img *x)
{
    bool first = !img_runs_taker(x) && (has_not_looked(x) || is_due(x) || delivered(x) != NO_INTERRUPT);
    if (first) img_note_error(x, IMG_BAD_PICK, x->s.step, 0, MC_NOBODY, 0, IMG_IDLE, 0);
    return first;
}

/* --- devices ------------------------------------------------------------------------------------------------- */

/* The accesses of a wider one where the machine has none of that width: byte by byte, read from the lowest, written from
 * the highest down. */
static uint32_t accesses_of(const struct img *x, const struct img_deed *d, struct img_access *to)
{
    if (d->kind == IMG_READ || (d->kind == IMG_WRITE && !x->s.clears)) {
        *to = (struct img_access){(uint16_t)d->kind, 1, 0, d->first};
        return 1;
    }
    if (d->kind == IMG_WRITE) {
        to[0] = (struct img_access){IMG_OUT, 4, x->s.clears, 0};
        to[1] = (struct img_access){IMG_WRITE, 1, 0, d->first};
        return 2;
    }
    if (d->kind == IMG_SPIN) {
        *to = (struct img_access){IMG_SPIN, 4, 0, d->third};
        return 1;
    }
    if (d->kind != IMG_IN && d->kind != IMG_OUT) return 0;
    uint32_t width = x->s.processor == IMG_AVR || d->second % d->first ? 1 : d->first, n = d->first / width;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = d->kind == IMG_IN ? i : n - 1 - i;
        to[i] = (struct img_access){(uint16_t)d->kind, (uint16_t)width, d->second + k,
                                    width == 4 ? d->third : d->third >> 8 * k & ((1u << 8 * width) - 1)};
    }
    return n;
}

static bool is_same(struct img_access a, struct img_access b)
{
    return a.kind == b.kind && a.width == b.width && a.address == b.address && a.value == b.value;
}

/* No access to a device of the program: to the mask of an interrupt, or a call. */
static bool is_aside(const struct img *x, struct img_access a)
{
    return a.kind == IMG_CALLED || a.kind == IMG_SLEPT || a.kind == IMG_KICKED || (a.kind == IMG_OUT && x->processor->is_mask(x, a.address));
}

/* Are the functions of arrivals called as the actions say? -1: none is called. */
static int calls_right(const struct img *x, const struct img_leaf *l)
{
    const struct img_oracle *o = x->oracle;
    uint32_t at = 0, calls = 0;
    for (uint32_t i = 0; i < l->accesses; i++) {
        struct img_access a = x->kept_access[l->first_access + i];
        if (a.kind != IMG_CALLED) continue;
        calls++;
        while (at < o->count && !((o->deed[at].kind == IMG_WAITS || o->deed[at].kind == IMG_LEAVES) && o->deed[at].second)) at++;
        if (at == o->count) return 0;
        const struct img_deed *d = &o->deed[at++];
        if (d->first != a.value || (d->kind == IMG_WAITS) != (a.address == IMG_ARRIVE)) return 0;
    }
    if (!calls) return -1;
    while (at < o->count && !((o->deed[at].kind == IMG_WAITS || o->deed[at].kind == IMG_LEAVES) && o->deed[at].second)) at++;
    return at == o->count;
}

/* What was put into the transmitter's buffer is sent only if the transmitter may interrupt after that. */
static bool leaves_unsent(const struct img *x, const struct img_leaf *l)
{
    bool unsent = false;
    for (uint32_t i = 0; x->s.transmit_size && i < l->accesses; i++) {
        uint32_t kind = x->kept_access[l->first_access + i].kind;
        unsent = kind == IMG_WRITE || (unsent && kind != IMG_KICKED);
    }
    return unsent;
}

static uint64_t did_code(struct img_access a) { return (uint64_t)a.kind << 32 | a.value; }

/* The number of the access that differs, or -1. */
static int64_t first_difference(const struct img *x, const struct img_leaf *l, bool faults, struct img_access *expected,
                                struct img_access *found)
{
    const struct img_access *did = x->kept_access + l->first_access;
    uint32_t at = 0;
    char text[TEXT] = "";
    struct img_access wanted[4];
    const struct img_oracle *o = x->oracle;
    if (faults)
        snprintf(text, sizeof text, "\n!fault %08X %08X %08X %08X\n", o->fault_kind, o->fault_site, (unsigned)o->fault_first,
                 (unsigned)o->fault_second);
    uint32_t letters = (uint32_t)strlen(text);
    for (uint32_t i = 0; i < o->count + letters; i++) {
        uint32_t n = 1;
        if (i < o->count) n = accesses_of(x, &o->deed[i], wanted);
        else n = accesses_of(x, &(struct img_deed){IMG_WRITE, (uint8_t)text[i - o->count], 0, 0}, wanted);
        for (uint32_t k = 0; k < n; k++, at++) {
            bool makes_safe = faults && i >= o->count && x->s.safe;
            /* the program may write the mask of an interrupt itself, too */
            while (at < l->accesses && !is_same(did[at], wanted[k]) &&
                   (is_aside(x, did[at]) || (makes_safe && did[at].kind == IMG_OUT)))
                at++;
            *expected = wanted[k];
            *found = at < l->accesses ? did[at] : (struct img_access){0, 0, 0, 0};
            if (at >= l->accesses || !is_same(did[at], wanted[k])) return at;
        }
    }
    while (at < l->accesses && is_aside(x, did[at])) at++;
    *expected = (struct img_access){0, 0, 0, 0};
    *found = at < l->accesses ? did[at] : *expected;
    return at < l->accesses && !faults ? (int64_t)at : -1;
}

/* --- the oracle ---------------------------------------------------------------------------------------------- */

/* The image's inputs, in order; what it did not ask for is 0. */
static uint32_t input(struct img_oracle *o, uint32_t width, uint32_t address)
{
    struct img *x = o->context;
    const struct img_leaf *l = x->judged;
    uint32_t v = 0, bytes = width ? width : 1;
    for (uint32_t i = 0; i < bytes;) {
        const struct img_access *did = x->kept_access + l->first_access;
        while (x->input_at < l->accesses && did[x->input_at].kind != IMG_IN && did[x->input_at].kind != IMG_READ) x->input_at++;
        if (x->input_at == l->accesses) break;
        v |= did[x->input_at].value << 8 * i;
        i += did[x->input_at++].width;
    }
    (void)address; /* the order of all accesses is compared afterwards */
    return v;
}

static bool arrived_before(struct img_oracle *o, uint8_t a, uint8_t b)
{
    struct img *x = o->context;
    for (uint32_t i = 0; i < x->shareds; i++) {
        int64_t slot = x->field[IMG_ORDER + i];
        if (slot < 0) x->order_missing = true;
        if (slot == a) return true;
        if (slot == b) return false;
    }
    return false;
}

static bool ask_oracle(struct img *x, const struct img_leaf *l, uint32_t event, uint32_t which, uint32_t clause)
{
    struct img_oracle *o = x->oracle;
    memcpy(x->oracle_block, x->block, x->e->space.p.block_size);
    x->judged = l;
    x->input_at = 0;
    x->order_missing = false;
    o->context = x;
    o->input = input;
    o->arrived_before = arrived_before;
    o->decide = NULL;
    o->clock = x->clock;
    o->rounds = x->e->space.o.rounds;
    o->count = 0;
    x->t.compared++;
    return event != IMG_IDLE && x->s.oracle(x->oracle_block, o, event, which, clause);
}

/* --- what the checker has found ------------------------------------------------------------------------------ */

static bool gather(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct img *x = context;
    (void)w;
    x->step = img_room(x->step, &x->steps_room, x->steps, sizeof *x->step, &x->no_memory);
    if (x->no_memory) return false;
    struct img_step *to = &x->step[x->steps++];
    *to = (struct img_step){s->slot, s->meeting, s->changed, x->changes, s->woken, s->fault != NULL, {0}};
    if (s->fault) to->fault = *s->fault;
    for (uint32_t i = 0; i < 2 * s->changed; i++) {
        x->change = img_room(x->change, &x->changes_room, x->changes, sizeof *x->change, &x->no_memory);
        if (x->no_memory) return false;
        x->change[x->changes++] = s->changes[i];
    }
    return true;
}

static bool leads_to(const struct img *x, const struct img_step *s, const uint8_t *block)
{
    uint32_t size = x->e->space.p.block_size;
    memcpy(x->after, x->block, size);
    for (uint32_t i = 0; i < s->changed; i++) {
        const uint32_t *change = x->change + s->first_change + 2 * i;
        mc_put_component(&x->e->space, x->after, change[0], change[1]);
    }
    return !memcmp(x->after, block, size);
}

/* Is the step that the oracle has done one of those that the search knows? */
static bool is_known(struct img *x, uint32_t event, uint32_t which, bool faults)
{
    const struct img_oracle *o = x->oracle;
    if (event == IMG_IDLE || x->answered) return true; /* with models the search is one of another program */
    for (uint32_t i = 0; i < o->count; i++) { /* values that the search does not try */
        if (o->deed[i].kind == IMG_CLOCK && x->clock) return true;
        if (o->deed[i].kind == IMG_IN && o->deed[i].first == 4 && o->deed[i].third) return true;
    }
    if (event == IMG_INTERRUPT && !memcmp(x->block, x->oracle_block, x->e->space.p.block_size)) return true; /* it is pending */
    if (!x->expanded) {
        x->steps = x->changes = x->step_at = 0;
        x->ended = mc_expand(&x->w, gather, x) == MC_ENDED;
        x->expanded = true;
    }
    if (event == IMG_INTERRUPT && x->ended) return true; /* nobody lives: the search lets nothing come any more */
    if (!img_tried_all(x)) return true; /* it may be one of those that are missing */
    for (uint32_t k = 0; k < x->steps; k++) { /* from the last one on: inputs come in the same order */
        uint32_t i = x->step_at + k < x->steps ? x->step_at + k : x->step_at + k - x->steps;
        const struct img_step *s = &x->step[i];
        if (s->slot != (event == IMG_INTERRUPT ? MC_NOBODY : which) || s->woken != (event != IMG_RUN)) continue;
        if (s->faulted != faults) continue;
        if (faults ? s->fault.kind != o->fault_kind || s->fault.site != o->fault_site : !leads_to(x, s, x->oracle_block)) continue;
        x->step_at = i;
        return true;
    }
    return false;
}

/* --- the verdict --------------------------------------------------------------------------------------------- */

/* Behind the pass: who takes the interrupt, a turn that is owed behind its action, nobody behind any other; and of an
 * interrupt, whose turn is next. */
static void expect_taker(const struct img *x, uint8_t *wanted, uint32_t event, uint32_t which, bool was_taker)
{
    uint8_t *taker = &wanted[x->s.taker_at];
    if (event == IMG_RUN || event == IMG_IDLE) *taker = was_taker ? IMG_TURN_OWED : MC_NOBODY;
    if (event != IMG_INTERRUPT) return;
    for (uint32_t i = 0; i < x->oracle->count; i++)
        if (x->oracle->deed[i].kind == IMG_LEAVES) *taker = (uint8_t)x->oracle->deed[i].first;
    if (x->s.turn_at != IMG_NO_FIELD) wanted[x->s.turn_at] = (uint8_t)((which + 1) % x->s.interrupts);
}

static void compare(struct img *x, const struct img_leaf *l, uint32_t event, uint32_t which, uint32_t clause)
{
    const struct mc_program *p = &x->e->space.p;
    bool faults = ask_oracle(x, l, event, which, clause);
    if (x->order_missing) { /* the code did not look at it: whatever it is, it must have done right */
        uint32_t i = 0;
        while (x->field[IMG_ORDER + i] >= 0) i++;
        uint32_t address = x->s.policy_at + x->s.arrivals_at + 1 + i, options = img_options(x, address), choices = x->choices;
        for (uint32_t k = 0; k < options; k++) {
            img_take(x, address, k);
            compare(x, l, event, which, clause);
            img_undo(x, choices);
        }
        return;
    }
    struct img_access expected, found;
    if (faults != (l->halted != 0)) {
        img_note_error(x, IMG_BAD_FAULT, l->pc, 0, faults ? x->oracle->fault_kind : 0, l->halted, event, which);
        return;
    }
    if (!is_known(x, event, which, faults)) img_note_error(x, IMG_NO_SUCCESSOR, l->pc, 0, 0, 0, event, which);
    bool slept = false;
    for (uint32_t i = 0; i < l->accesses; i++) slept |= x->kept_access[l->first_access + i].kind == IMG_SLEPT;
    if (slept != (event == IMG_IDLE && x->field[IMG_WAS_WOKEN] == 0)) { /* it sleeps if it has nothing to do, and only then */
        img_note_error(x, IMG_BAD_DEVICE, l->pc, 0, (uint64_t)IMG_SLEPT << 32, slept ? (uint64_t)IMG_SLEPT << 32 : 0, event, which);
        return;
    }
    if (first_difference(x, l, faults, &expected, &found) >= 0) {
        uint32_t address = expected.kind ? expected.address : found.address;
        img_note_error(x, faults ? IMG_BAD_FAULT : IMG_BAD_DEVICE, l->pc, address, did_code(expected),
                       did_code(found), event, which);
        return;
    }
    if (faults) return;
    if (leaves_unsent(x, l)) {
        img_note_error(x, IMG_BAD_DEVICE, l->pc, 0, (uint64_t)IMG_KICKED << 32, 0, event, which);
        return;
    }
    int calls_as_told = calls_right(x, l);
    bool calls = calls_as_told >= 0;
    if (!calls_as_told) {
        img_note_error(x, IMG_BAD_POLICY, l->pc, x->s.arrivals_at, 0, 0, event, which);
        return;
    }
    uint8_t before[0x1000], wanted[0x1000];
    uint8_t *image = x->after;
    uint32_t policies = x->s.policy_size;
    img_policy_before(x, before);
    memcpy(wanted, before, policies);
    bool taker = event == IMG_RUN && img_runs_taker(x);
    if (event == IMG_RUN && !taker) wanted[x->s.cursor_at] = (uint8_t)(which < x->s.wrap_to ? p->slots - 1 : which);
    if (has_taker(x)) expect_taker(x, wanted, event, which, taker);
    img_put_deeds(x, wanted, calls);
    memcpy(image, x->block, p->block_size);
    for (uint32_t i = 0; i < l->written; i++) {
        const struct img_written *w = &x->kept_written[l->first_written + i];
        if (w->address - x->s.block_at < p->block_size) image[w->address - x->s.block_at] = w->value;
        if (w->address - x->s.policy_at < policies) before[w->address - x->s.policy_at] = w->value;
    }
    for (uint32_t i = 0; i < p->block_size; i++) {
        if (image[i] == x->oracle_block[i]) continue;
        img_note_error(x, IMG_BAD_BLOCK, l->pc, i, x->oracle_block[i], image[i], event, which);
        return;
    }
    for (uint32_t i = 0; i < policies; i++) {
        if (before[i] == wanted[i]) continue;
        img_note_error(x, IMG_BAD_POLICY, l->pc, i, wanted[i], before[i], event, which);
        return;
    }
}

void img_judge_function(struct img *x, const struct img_leaf *l)
{
    const struct img_phase *p = x->phase[x->walk.at.phase];
    uint8_t before[0x1000], wanted[0x1000];
    if (l->error || l->halted) {
        img_note_error(x, l->error ? l->error : IMG_BAD_FAULT, l->pc, l->where, 0, 0, IMG_IDLE, p->slot);
        return;
    }
    img_policy_before(x, before);
    memcpy(wanted, before, x->s.policy_size);
    if (p->function - 1 == IMG_ARRIVE) img_add_arrival(x, wanted, p->slot);
    else img_remove_arrival(x, wanted, p->slot);
    for (uint32_t i = 0; i < l->written; i++) {
        const struct img_written *w = &x->kept_written[l->first_written + i];
        if (w->address - x->s.policy_at < x->s.policy_size) before[w->address - x->s.policy_at] = w->value;
        else img_note_error(x, IMG_BAD_STORE, l->pc, w->address, 0, w->value, IMG_IDLE, p->slot);
    }
    if (l->accesses) img_note_error(x, IMG_BAD_DEVICE, l->pc, 0, 0, 0, IMG_IDLE, p->slot);
    for (uint32_t i = 0; i < x->s.policy_size; i++) {
        if (before[i] == wanted[i]) continue;
        img_note_error(x, IMG_BAD_POLICY, l->pc, i, wanted[i], before[i], IMG_IDLE, p->slot);
        return;
    }
}

void img_judge(struct img *x, const struct img_leaf *l, uint32_t phase)
{
    struct img_leaf leaf = *l;
    uint32_t positions = x->e->space.p.positions, choices = x->choices;
    uint32_t slot = x->walk.slot;
    phase = x->phase[phase]->picked;
    if (leaf.error) {
        img_note_error(x, leaf.error, leaf.pc, leaf.where, 0, 0, phase ? IMG_RUN : IMG_IDLE, phase ? slot : 0);
        return;
    }
    if (phase) {
        compare(x, &leaf, IMG_RUN, slot, 0);
        return;
    }
    if (img_runs_taker(x) || has_not_looked(x)) { /* who runs was not stored: it was not the taker */
        img_note_error(x, IMG_BAD_PICK, leaf.pc, 0, MC_NOBODY, 0, IMG_IDLE, 0);
        return;
    }
    int64_t bit = delivered(x);
    if (bit != NO_INTERRUPT) {
        img_note_worst(x, positions + 1 + (uint32_t)bit, x->leaf_cycles, MC_NOBODY);
        compare(x, &leaf, IMG_INTERRUPT, (uint32_t)bit, 0);
        return;
    }
    if (is_due(x)) {
        uint32_t at = x->s.policy_at + x->s.sleepers_at + 1, whose = img_take(x, at, 0), clause = img_take(x, at + 1, 0);
        img_note_worst(x, x->position[whose], x->leaf_cycles, whose);
        compare(x, &leaf, IMG_WAKE, whose, clause);
        img_undo(x, choices);
        return;
    }
    if (x->field[IMG_CURSOR] < 0) {
        img_note_error(x, IMG_BAD_PICK, leaf.pc, 0, MC_NOBODY, 0, IMG_IDLE, 0);
        return;
    }
    slot = img_picked(x, (uint32_t)x->field[IMG_CURSOR]);
    if (slot == MC_NOBODY) img_note_worst(x, positions + 1 + x->s.interrupts, x->leaf_cycles, MC_NOBODY);
    compare(x, &leaf, slot == MC_NOBODY ? IMG_IDLE : IMG_RUN, slot, 0);
}
