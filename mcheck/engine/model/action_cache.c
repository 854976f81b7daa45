/* Executions of compiled actions with every alternative of every decision, and the memory of what they gave. */
#include "model/action_cache.h"

#include "model/oversized_action.h"
#include "base/clock.h"
#include "model/ages.h"
#include "model/clocks_and_zones.h"
#include "model/reduction.h"

/* The first executions of a worker are timed, later one of so many. */
enum { TIMED_FIRST = 256, TIMED_ONE_OF = 64 };

static bool component_changed(const struct mc_space *s, const uint8_t *x, const uint8_t *y, uint32_t component)
{
    const struct mc_component *c = &s->p.component[component];
    for (uint32_t i = 0; i < c->pieces; i++) {
        const struct mc_piece *piece = &s->p.pieces[c->first_piece + i];
        if (!mc_same(x + piece->offset, y + piece->offset, piece->size)) return true;
    }
    return false;
}

static uint32_t execute(struct mc_worker *w, enum mc_event event, uint32_t which, uint32_t clause)
{
    struct mc_context *c = w->context;
    const struct mc_program *p = &w->space->p;
    c->asked = 0;
    c->outcome = MC_NO_ATTEMPT;
    c->meeting = 0;
    c->looks_at_all = c->overflow = 0;
    c->time_steps = 0;
    c->raised = 0;
    bool first = w->executions < TIMED_FIRST, timed = first || w->executions % TIMED_ONE_OF == 0;
    double begin = timed ? mc_now() : 0;
    uint32_t faulted = event == MC_RUN    ? p->run(w->block, c, which)
                       : event == MC_WAKE ? p->wake(w->block, c, which, clause)
                                          : p->interrupt(w->block, c, which);
    w->executions++;
    if (timed) w->executing += (mc_now() - begin) * (first ? 1 : TIMED_ONE_OF);
    return faulted;
}

/* The next combination of alternatives; false after the last. `*path` counts combinations of all but the meeting. */
bool mc_next_script(const struct mc_context *c, uint32_t *script, uint32_t *size, uint32_t *path)
{
    uint32_t asked = c->asked < MC_MOST_ASKED ? c->asked : MC_MOST_ASKED;
    for (uint32_t i = *size; i < asked; i++) script[i] = 0;
    for (uint32_t i = asked; i-- > 0;) {
        if (script[i] + 1 < c->counts[i]) {
            script[i]++;
            *size = i + 1;
            if (!c->is_meeting[i]) (*path)++;
            return true;
        }
    }
    return false;
}

static void note_change(struct mc_worker *w, uint32_t component, uint32_t *changes)
{
    if (!component_changed(w->space, w->before, w->block, component)) return;
    uint32_t value = mc_get_component(w, w->block, component);
    if (mc_reduces(w, MC_CHOOSE)) w->space->reduction[MC_CHOOSE].ops->note_value(w, component, value);
    w->scratch[w->scratch_used++] = component;
    w->scratch[w->scratch_used++] = value;
    ++*changes;
}

/* Which event is run. Without an action: of one that may read anything. */
struct running {
    enum mc_event event;
    uint32_t which, clause;
    const struct mc_action *action;
    const uint32_t *own; /* components of the slots that take part */
    uint32_t owns;
};

/* Whether it is known of each execution which blocks it passes: else of all that may read anything together. */
static bool notes_each(const struct mc_worker *w, const struct running *r) { return r->action || w->space->p.picks; }

/* What one execution gave, at the end of the scratch. */
static void note_outcome(struct mc_worker *w, const struct running *r, uint32_t faulted, uint32_t path)
{
    const struct mc_context *c = w->context;
    uint32_t *entry = w->scratch + w->scratch_used, changes = 0;
    w->scratch_used += MC_OUTCOME_WORDS;
    *entry = faulted ? MC_HEAD_FAULT : 0;
    if (faulted) {
        struct mc_fault f = {c->fault_kind, c->fault_site, c->fault_first, c->fault_second};
        memcpy(w->scratch + w->scratch_used, &f, sizeof f);
        w->scratch_used += MC_FAULT_WORDS;
    } else if (r->action) {
        for (uint32_t i = 0; i < r->owns; i++) note_change(w, r->own[i], &changes);
        for (uint32_t i = 0; i < w->asked_count; i++) note_change(w, w->asked[i], &changes);
    } else {
        for (uint32_t i = 0; i < w->space->p.components; i++) note_change(w, i, &changes);
    }
    uint32_t effect = !faulted && c->time_steps ? mc_time_effect(w) : MC_NO_EFFECT;
    if (effect != MC_NO_EFFECT) { /* in place of the value: the timers of a state are put in later */
        w->scratch[w->scratch_used++] = w->space->p.timing.component;
        w->scratch[w->scratch_used++] = effect;
        changes++;
    }
    if (c->raised) *entry |= MC_HEAD_RAISED;
    if (c->outcome == MC_UNMET) *entry |= MC_HEAD_UNMET;
    if (c->outcome == MC_MET) *entry |= MC_HEAD_MET;
    entry[0] |= changes;
    entry[1] = path;
    entry[2] = c->meeting;
    entry[3] = notes_each(w, r) ? mc_intern_value(&w->space->passed_sets, w->passed) : MC_UNNUMBERED;
}

static void ask(struct mc_worker *w, uint32_t component)
{
    if (w->is_asked[component]) return;
    w->is_asked[component] = 1;
    w->asked[w->asked_count++] = component;
}

/* Of variables whose accesses are not told, all that the action may access are asked for first. */
static void begin_asking(struct mc_worker *w, const struct mc_action *a)
{
    const struct mc_program *p = &w->space->p;
    while (w->asked_count > 0) w->is_asked[w->asked[--w->asked_count]] = 0;
    for (uint32_t i = 0; i < a->touched; i++)
        if (!p->told[p->touched[a->first_touched + i]]) ask(w, p->touched[a->first_touched + i]);
}

enum { LOOK_EVERY = 16 }; /* executions: each may last as long as the budget of rounds */

/* Runs an event with every alternative of every decision, on the block of `before`; the result lies at the end of the
 * scratch. `pair`: only meetings count. */
static uint32_t *execute_all(struct mc_worker *w, const struct running *r, bool pair)
{
    const struct mc_program *p = &w->space->p;
    struct mc_context *c = w->context;
    uint32_t *result = w->scratch + w->scratch_used++;
    *result = 0;
    uint32_t script[MC_MOST_ASKED], size = 0, path = 0, slot = r->event == MC_INTERRUPT ? MC_NOBODY : r->which;
    uint64_t executions = 0;
    double begin = 0;
    bool more = true;
    if (r->action) begin_asking(w, r->action);
    while (more) {
        if (w->scratch_used + MC_OUTCOME_WORDS + MC_FAULT_WORDS + 2 * p->components + 2 > w->scratch_room) {
            mc_note_crowded(w, MC_ROOM, slot, executions);
            w->space->crew.out_of_memory = true;
            break;
        }
        enum mc_crowd stopped = ++executions % LOOK_EVERY ? 0 : mc_stopped_within(w);
        if (w->patience && executions % LOOK_EVERY == 0) {
            if (executions == LOOK_EVERY) begin = mc_now();
            else if (mc_now() > begin + w->patience) w->stopped_short = true;
            if (w->stopped_short) break;
        }
        if (stopped) {
            mc_note_crowded(w, stopped, slot, executions);
            w->space->crew.out_of_memory = true; /* what is there is not all: nothing may be made of it */
            break;
        }
        memcpy(w->block, w->before, p->block_size);
        if (notes_each(w, r)) memset(w->passed, 0, p->blocks);
        c->script = script;
        c->script_size = size;
        uint32_t faulted = execute(w, r->event, r->which, r->clause);
        for (uint32_t i = 0; i < c->told; i++) {
            c->is_told[c->telling[i]] = 0;
            if (r->action) ask(w, p->told_component[c->telling[i]]);
        }
        c->told = 0;
        if (c->looks_at_all && r->action) {
            *result = MC_LOOKS_AT_ALL;
            w->scratch_used = (uint64_t)(result + 1 - w->scratch);
            break;
        }
        if (c->overflow) {
            mc_note_crowded(w, MC_DECISIONS, slot, executions);
            w->broken = true;
        }
        bool is_one = c->overflow != MC_NO_EXECUTION;
        /* of a pair only what the partner takes part in: what is there without it comes alone */
        if (is_one && (!pair || (c->outcome == MC_MET && mc_partner_of(c->meeting) != MC_NOBODY))) {
            note_outcome(w, r, faulted, path);
            (*result)++;
        }
        more = mc_next_script(c, script, &size, &path);
    }
    return result;
}

static const uint32_t *kept(struct mc_worker *w, const uint32_t *result)
{
    uint64_t words = (uint64_t)(w->scratch + w->scratch_used - result);
    w->scratch_used -= words;
    if (w->results_used + words > w->results_room) {
        w->space->crew.out_of_memory = true;
        return w->results;
    }
    uint32_t *to = w->results + w->results_used;
    memcpy(to, result, 4 * words);
    w->results_used += words;
    return to;
}

/* --- what is remembered ------------------------------------------------------------------------------------------ */

static uint32_t *far_place(struct mc_worker *w, uint32_t kind, uint32_t key0, uint32_t key1, uint32_t key2)
{
    uint32_t key[MC_KEY] = {kind << 28 | key0, key1, key2};
    return mc_memo_place(&w->memo, key);
}

uint32_t mc_far_answer(const struct mc_worker *w, uint32_t question, uint32_t value)
{
    uint32_t key[MC_KEY] = {MC_MEMO_ANSWER << 28, question, value};
    return value < MC_DIRECT_VALUES ? 0 : mc_memo_find(&w->memo, key)->reference;
}

/* Room for a table's entries 0..value; what is new is 0. */
static uint32_t *widened(struct mc_worker *w, uint32_t *table, uint32_t *room, uint32_t value)
{
    uint32_t more = *room ? *room * 2 : 4;
    while (more <= value) more *= 2;
    table = realloc(table, 4ull * more);
    memset(table + *room, 0, 4ull * (more - *room));
    w->questions_bytes += 4ull * (more - *room);
    *room = more;
    return table;
}

static uint32_t *answer_place(struct mc_worker *w, uint32_t question, uint32_t value)
{
    if (value >= MC_DIRECT_VALUES) return far_place(w, MC_MEMO_ANSWER, 0, question, value);
    struct mc_question *q = &w->question[question & ~MC_QUESTION];
    if (value >= q->room) q->answer = widened(w, q->answer, &q->room, value);
    return &q->answer[value];
}

/* The number of a new question, as a reference; 0: no memory. */
static uint32_t new_question(struct mc_worker *w, uint32_t component)
{
    if (w->questions == w->questions_room) {
        uint32_t room = w->questions_room ? w->questions_room * 2 : 64;
        struct mc_question *question = realloc(w->question, room * sizeof *question);
        if (!question) {
            w->space->crew.out_of_memory = true;
            return 0;
        }
        w->question = question;
        w->questions_room = room;
    }
    w->questions_bytes += sizeof *w->question;
    w->question[w->questions] = (struct mc_question){component, 0, NULL};
    return MC_QUESTION | w->questions++;
}

struct mc_direct *mc_direct_widened(struct mc_worker *w, uint32_t slot, uint32_t value)
{
    uint32_t room = w->direct_room[slot] ? w->direct_room[slot] * 2 : 16;
    while (room <= value) room *= 2;
    w->direct[slot] = realloc(w->direct[slot], room * sizeof *w->direct[slot]);
    memset(w->direct[slot] + w->direct_room[slot], 0, (room - w->direct_room[slot]) * sizeof *w->direct[slot]);
    w->questions_bytes += (room - w->direct_room[slot]) * sizeof *w->direct[slot];
    w->direct_room[slot] = room;
    return &w->direct[slot][value];
}

uint32_t *mc_direct_pair_widened(struct mc_worker *w, struct mc_direct *d, const struct mc_action *a, uint32_t index,
                                 uint32_t value)
{
    if (!d->pair) {
        d->pair = calloc(a->partners, sizeof *d->pair);
        d->room = calloc(a->partners, sizeof *d->room);
    }
    d->pair[index] = widened(w, d->pair[index], &d->room[index], value);
    return &d->pair[index][value];
}

uint32_t *mc_direct_wake(struct mc_worker *w, struct mc_direct *d, uint32_t clause)
{
    if (!d->wake) {
        d->wake = calloc(MC_CLAUSES, 4);
        w->questions_bytes += 4 * MC_CLAUSES;
    }
    return &d->wake[clause < MC_CLAUSES ? clause : MC_CLAUSES - 1];
}

uint32_t *mc_first_reference(struct mc_worker *w, const struct mc_action *a, struct mc_wanted x)
{
    const struct mc_program *p = &w->space->p;
    uint32_t own = w->v[p->slot_component[x.slot]];
    uint32_t theirs = x.kind == MC_MEMO_PAIR ? w->v[p->slot_component[x.other]] : 0;
    if (own >= MC_DIRECT_VALUES || theirs >= MC_DIRECT_VALUES)
        return far_place(w, x.kind, x.slot << 14 | x.other, own, theirs);
    struct mc_direct *d = mc_direct_of(w, x.slot, own);
    if (x.kind == MC_MEMO_BASE) return &d->base;
    if (x.kind == MC_MEMO_WAKE) return mc_direct_wake(w, d, x.other);
    bool there = d->pair && theirs < d->room[x.index];
    return there ? &d->pair[x.index][theirs] : mc_direct_pair_widened(w, d, a, x.index, theirs);
}

/* From the first reference over all that was asked for to the result. */
static void remember(struct mc_worker *w, uint32_t *place, uint32_t result)
{
    for (uint32_t i = 0; i < w->asked_count && place; i++) {
        if (!*place) *place = new_question(w, w->asked[i]);
        if (!*place) return;
        place = answer_place(w, *place, w->v[w->asked[i]]);
    }
    if (!place) return;
    *place = result + 1;
    w->remembered++;
}

static void free_direct(struct mc_worker *w)
{
    const struct mc_program *p = &w->space->p;
    for (uint32_t slot = 0; w->direct && slot < p->slots; slot++) {
        for (uint32_t value = 0; value < w->direct_room[slot]; value++) {
            struct mc_direct *d = &w->direct[slot][value];
            free(d->wake);
            if (!d->pair) continue;
            const struct mc_values *of = mc_values_of(w->space, p->slot_component[slot]);
            uint32_t partners = p->action[of->position[value]].partners;
            for (uint32_t i = 0; i < partners; i++) free(d->pair[i]);
            free(d->pair);
            free(d->room);
        }
        free(w->direct[slot]);
    }
    free(w->direct);
    free(w->direct_room);
}

void mc_results_free(struct mc_worker *w)
{
    free_direct(w);
    for (uint32_t i = 0; i < w->questions; i++) free(w->question[i].answer);
    free(w->question);
    free(w->memo.entry);
}

void mc_forget(struct mc_worker *w)
{
    mc_results_free(w);
    w->direct = calloc(w->space->p.slots, sizeof *w->direct);
    w->direct_room = calloc(w->space->p.slots, sizeof *w->direct_room);
    if (!w->direct || !w->direct_room) w->space->crew.out_of_memory = true;
    w->question = NULL;
    w->questions = w->questions_room = 0;
    w->questions_bytes = 0;
    madvise(w->results, 4 * w->results_room, MADV_DONTNEED);
    w->results_used = 1;
    mc_memo_new(&w->memo);
}

/* An action may hardly ever find the variables as they were: then it is run each time, for a while. */
static bool is_worth_it(struct mc_worth *x, const struct mc_action *a)
{
    if (!a->touched) return true;
    if (x->skipping) {
        x->skipping--;
        return false;
    }
    x->missed++;
    if (x->looked <= MC_LOOKED) return true;
    if (x->missed > x->looked / 2) x->skipping = MC_SKIPPED;
    x->looked = x->missed = 0;
    return true;
}

static void look_at_age(struct mc_worker *w, uint32_t component)
{
    const struct mc_timing *t = &w->space->p.timing;
    uint32_t clock;
    memcpy(&clock, mc_value(mc_values_of(w->space, t->clock_component), w->v[t->clock_component]), 4);
    w->context->is_old = w->context->is_old || mc_is_old(w, component, clock);
}

const uint32_t *mc_find_out(struct mc_worker *w, const struct mc_action *a, struct mc_wanted x)
{
    struct mc_space *s = w->space;
    bool keep = s->o.remember && is_worth_it(&w->worth[a - s->p.action], a);
    if (keep) { /* it may be there where those look who do not look at small values only */
        uint32_t *first = mc_first_reference(w, a, x);
        uint32_t found = first ? mc_answered(w, *first) : 0;
        if (found) return w->results + found - 1;
    }
    memset(w->before, 0, s->p.block_size);
    uint32_t own[2] = {s->p.slot_component[x.slot]}, owns = 1;
    if (x.kind == MC_MEMO_PAIR) own[owns++] = s->p.slot_component[x.other];
    for (uint32_t i = 0; i < owns; i++) mc_put_component(s, w->before, own[i], w->v[own[i]]);
    for (uint32_t i = 0; i < a->touched; i++) {
        uint32_t component = s->p.touched[a->first_touched + i];
        mc_put_component(s, w->before, component, w->v[component]);
    }
    w->context->is_old = false;
    for (uint32_t i = 0; mc_has_ages(s) && i < owns; i++) look_at_age(w, own[i]);
    for (uint32_t i = 0; mc_has_ages(s) && i < a->touched; i++) look_at_age(w, s->p.touched[a->first_touched + i]);
    enum mc_event event = x.kind == MC_MEMO_WAKE ? MC_WAKE : MC_RUN;
    uint32_t clause = x.other == MC_SLEEP_CLAUSE ? 0xFF : x.other;
    struct running r = {event, x.slot, clause, a, own, owns};
    const uint32_t *result = execute_all(w, &r, x.kind == MC_MEMO_PAIR);
    if (!keep) return result;
    result = kept(w, result);
    remember(w, mc_first_reference(w, a, x), (uint32_t)(result - w->results));
    return result;
}

const uint32_t *mc_result_in_full(struct mc_worker *w, enum mc_event event, uint32_t which)
{
    mc_put_state(w, w->before);
    memset(w->passed, 0, w->space->p.blocks);
    w->context->is_old = false;
    for (uint32_t i = 0; mc_has_ages(w->space) && i < w->space->p.components; i++) look_at_age(w, i);
    const uint32_t *result = execute_all(w, &(struct running){event, which, 0, NULL, NULL, 0}, false);
    for (uint32_t i = 0; event == MC_RUN && i < w->space->p.blocks; i++) /* whatever it gives is a step of this state */
        if (w->passed[i]) mc_set(&w->space->passed_in_full[i]);
    return result;
}

void mc_note_seen(struct mc_worker *w, const uint32_t *outcome)
{
    struct mc_space *s = w->space;
    __atomic_store_n((uint32_t *)(uintptr_t)outcome, *outcome | MC_HEAD_SEEN, __ATOMIC_RELAXED);
    if (outcome[3] != MC_UNNUMBERED) mc_set(&s->passed_sets.seen[outcome[3]]);
    if (*outcome & MC_HEAD_FAULT) return;
    const uint32_t *change = outcome + MC_OUTCOME_WORDS;
    for (uint32_t i = 0; i < (*outcome & MC_CHANGES); i++)
        if (!mc_is_timed(s) || change[2 * i] != s->p.timing.component) mc_note_value(s, change[2 * i], change[2 * i + 1]);
}
