/* Executions of compiled actions with every alternative of every decision, and the memory of what they gave. */
#include "results.h"

enum { UNNUMBERED = UINT32_MAX }; /* instead of a set of blocks: of an execution in full */

static bool component_changed(const struct mc_space *s, const uint8_t *x, const uint8_t *y, uint32_t component)
{
    const struct mc_component *c = &s->p.component[component];
    for (uint32_t i = 0; i < c->pieces; i++) {
        const struct mc_piece *piece = &s->p.pieces[c->first_piece + i];
        if (memcmp(x + piece->offset, y + piece->offset, piece->size)) return true;
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
    c->looks_at_all = 0;
    w->executions++;
    if (event == MC_RUN) return p->run(w->block, c, which);
    if (event == MC_WAKE) return p->wake(w->block, c, which, clause);
    return p->interrupt(w->block, c, which);
}

/* The next combination of alternatives; false after the last. `*path` counts combinations of all but the meeting. */
static bool next_script(const struct mc_context *c, uint32_t *script, uint32_t *size, uint32_t *path)
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

/* What one execution gave, at the end of the scratch; the set of blocks that it passed only if it is `numbered`. */
static void note_outcome(struct mc_worker *w, uint32_t faulted, uint32_t path, const uint32_t *may_change, uint32_t changing,
                         bool numbered)
{
    const struct mc_context *c = w->context;
    uint32_t *entry = w->scratch + w->scratch_used, changes = 0;
    w->scratch_used += MC_OUTCOME_WORDS;
    *entry = faulted ? MC_HEAD_FAULT : 0;
    if (faulted) {
        struct mc_fault f = {c->fault_kind, c->fault_site, c->fault_first, c->fault_second};
        memcpy(w->scratch + w->scratch_used, &f, sizeof f);
        w->scratch_used += MC_FAULT_WORDS;
    } else {
        for (uint32_t i = 0; i < changing; i++) {
            uint32_t component = may_change ? may_change[i] : i;
            if (!component_changed(w->space, w->before, w->block, component)) continue;
            w->scratch[w->scratch_used++] = component;
            w->scratch[w->scratch_used++] = mc_get_component(w, w->block, component);
            changes++;
        }
    }
    if (c->outcome == MC_UNMET) *entry |= MC_HEAD_UNMET;
    if (c->outcome == MC_MET) *entry |= MC_HEAD_MET;
    entry[0] |= changes;
    entry[1] = path;
    entry[2] = c->meeting;
    entry[3] = numbered ? mc_intern_value(&w->space->passed_sets, w->passed) : UNNUMBERED;
}

/* Runs an event with every alternative of every decision, on the block of `before`; the result lies at the end of the
 * scratch. Of the components `may_change` (all if NULL) those that differ are the changes. `pair`: only meetings count. */
static uint32_t *execute_all(struct mc_worker *w, enum mc_event event, uint32_t which, uint32_t clause,
                             const uint32_t *may_change, uint32_t changing, bool pair, bool numbered)
{
    uint32_t *result = w->scratch + w->scratch_used++;
    *result = 0;
    uint32_t script[MC_MOST_ASKED], size = 0, path = 0;
    bool more = true;
    while (more) {
        if (w->scratch_used + MC_OUTCOME_WORDS + MC_FAULT_WORDS + 2 * changing > w->scratch_room) {
            w->space->crew.out_of_memory = true;
            break;
        }
        memcpy(w->block, w->before, w->space->p.block_size);
        if (numbered) memset(w->passed, 0, w->space->p.blocks);
        w->context->script = script;
        w->context->script_size = size;
        uint32_t faulted = execute(w, event, which, clause);
        if (w->context->looks_at_all && may_change) {
            *result = MC_LOOKS_AT_ALL;
            w->scratch_used = (uint64_t)(result + 1 - w->scratch);
            break;
        }
        if (w->context->overflow) w->broken = true;
        /* of a pair only what the partner takes part in: what is there without it comes alone */
        if (!pair || (w->context->outcome == MC_MET && (w->context->meeting >> 8 & 0xFF) != 0xFF)) {
            note_outcome(w, faulted, path, may_change, changing, numbered);
            (*result)++;
        }
        more = next_script(w->context, script, &size, &path);
    }
    return result;
}

/* The numbers of the variables that an action touches, folded to one. */
static uint32_t fold_touched(struct mc_worker *w, const struct mc_action *a)
{
    const uint32_t *touched = w->space->p.touched + a->first_touched;
    uint32_t n = w->v[touched[0]];
    for (uint32_t i = 1; i < a->touched; i++) n = mc_intern_pair(&w->space->touched_pairs, n, w->v[touched[i]]);
    return n;
}

static void make_key(struct mc_worker *w, const struct mc_action *a, uint32_t kind, uint32_t slot, uint32_t other,
                     uint32_t *key)
{
    const struct mc_program *p = &w->space->p;
    key[0] = kind << 28 | slot << 14 | other;
    key[1] = w->v[p->slot_component[slot]];
    key[2] = kind == MC_MEMO_PAIR ? w->v[p->slot_component[other]] : 0;
    key[3] = key[4] = key[5] = 0;
    if (a->touched <= 3) {
        for (uint32_t i = 0; i < a->touched; i++) key[3 + i] = w->v[p->touched[a->first_touched + i]];
    } else {
        key[3] = fold_touched(w, a);
    }
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

void mc_forget(struct mc_worker *w)
{
    mc_direct_free(w);
    w->direct = calloc(w->space->p.slots, sizeof *w->direct);
    w->direct_room = calloc(w->space->p.slots, sizeof *w->direct_room);
    if (!w->direct || !w->direct_room) w->space->crew.out_of_memory = true;
    madvise(w->results, 4 * w->results_room, MADV_DONTNEED);
    w->results_used = 1;
    free(w->memo.entry);
    mc_memo_new(&w->memo);
}

/* An action that touches variables may hardly ever find them as they were: then it is run each time, for a while. */
static bool is_worth_it(struct mc_worth *x, const struct mc_action *a)
{
    if (!a->touched) return true;
    if (x->skipping) {
        x->skipping--;
        return false;
    }
    if (++x->looked <= MC_LOOKED) return true;
    if (x->missed > MC_LOOKED / 2) x->skipping = MC_SKIPPED;
    x->looked = x->missed = 0;
    return true;
}

const uint32_t *mc_result(struct mc_worker *w, const struct mc_action *a, uint32_t kind, uint32_t slot, uint32_t other)
{
    struct mc_space *s = w->space;
    uint32_t key[MC_KEY];
    bool remember = s->o.remember && is_worth_it(&w->worth[a - s->p.action], a);
    if (remember) {
        make_key(w, a, kind, slot, other, key);
        const struct mc_memo_entry *found = mc_memo_find(&w->memo, key);
        if (found->result) return w->results + found->result - 1;
        w->worth[a - s->p.action].missed++;
    }
    uint32_t changing[MC_MOST_COMPONENTS + 2], n = 0;
    memset(w->before, 0, s->p.block_size);
    changing[n++] = s->p.slot_component[slot];
    if (kind == MC_MEMO_PAIR) changing[n++] = s->p.slot_component[other];
    for (uint32_t i = 0; i < a->touched; i++) changing[n++] = s->p.touched[a->first_touched + i];
    for (uint32_t i = 0; i < n; i++) mc_put_component(s, w->before, changing[i], w->v[changing[i]]);
    enum mc_event event = kind == MC_MEMO_WAKE ? MC_WAKE : MC_RUN;
    uint32_t clause = other == MC_SLEEP_CLAUSE ? 0xFF : other;
    const uint32_t *result = execute_all(w, event, slot, clause, changing, n, kind == MC_MEMO_PAIR, true);
    if (!remember) return result;
    result = kept(w, result);
    mc_memo_put(&w->memo, key, (uint32_t)(result - w->results) + 1);
    w->remembered++;
    return result;
}

const uint32_t *mc_result_in_full(struct mc_worker *w, enum mc_event event, uint32_t which)
{
    mc_put_state(w, w->before);
    memset(w->passed, 0, w->space->p.blocks);
    const uint32_t *result = execute_all(w, event, which, 0, NULL, w->space->p.components, false, false);
    for (uint32_t i = 0; event == MC_RUN && i < w->space->p.blocks; i++) /* whatever it gives is a step of this state */
        if (w->passed[i]) mc_set(&w->space->passed_in_full[i]);
    return result;
}

void mc_note_seen(struct mc_worker *w, const uint32_t *outcome)
{
    struct mc_space *s = w->space;
    __atomic_store_n((uint32_t *)(uintptr_t)outcome, *outcome | MC_HEAD_SEEN, __ATOMIC_RELAXED);
    if (outcome[3] != UNNUMBERED) mc_set(&s->passed_sets.seen[outcome[3]]);
    if (*outcome & MC_HEAD_FAULT) return;
    const uint32_t *change = outcome + MC_OUTCOME_WORDS;
    for (uint32_t i = 0; i < (*outcome & MC_CHANGES); i++) mc_note_value(s, change[2 * i], change[2 * i + 1]);
}

struct mc_direct *mc_direct_widened(struct mc_worker *w, uint32_t slot, uint32_t value)
{
    uint32_t room = w->direct_room[slot] ? w->direct_room[slot] * 2 : 16;
    while (room <= value) room *= 2;
    w->direct[slot] = realloc(w->direct[slot], room * sizeof *w->direct[slot]);
    memset(w->direct[slot] + w->direct_room[slot], 0, (room - w->direct_room[slot]) * sizeof *w->direct[slot]);
    w->direct_room[slot] = room;
    return &w->direct[slot][value];
}

uint32_t *mc_direct_pair_widened(struct mc_direct *d, const struct mc_action *a, uint32_t index, uint32_t value)
{
    if (!d->pair) {
        d->pair = calloc(a->partners, sizeof *d->pair);
        d->room = calloc(a->partners, sizeof *d->room);
    }
    uint32_t room = d->room[index] ? d->room[index] * 2 : 16;
    while (room <= value) room *= 2;
    d->pair[index] = realloc(d->pair[index], 4ull * room);
    memset(d->pair[index] + d->room[index], 0, 4ull * (room - d->room[index]));
    d->room[index] = room;
    return &d->pair[index][value];
}

void mc_direct_free(struct mc_worker *w)
{
    const struct mc_program *p = &w->space->p;
    for (uint32_t slot = 0; w->direct && slot < p->slots; slot++) {
        for (uint32_t value = 0; value < w->direct_room[slot]; value++) {
            struct mc_direct *d = &w->direct[slot][value];
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
