/* Puts the successors of a state together from what its slots' actions do. */
#include "model/successors.h"

#include "model/ages.h"
#include "model/clocks_and_zones.h"
#include "model/reduction.h"

struct expansion {
    struct mc_worker *w;
    mc_visit visit;
    void *context;
    struct mc_successor next;
    bool enough, busy; /* a process of the program is ready */
    bool went_on; /* a step did not fail */
    const struct mc_reduction_ops *twins; /* not NULL: of slots that do the same only one is looked at */
    struct mc_moment before, now; /* of the state, and when the step begins */
    uint32_t *changes;            /* room for those of a step, with the timers */
    uint32_t *stamped, *older;    /* the components that hold stamps, by place: their values in the state, and when the step begins */
    const uint8_t *half_of; /* see mc_expand_slot */
};

static bool is_changed(const uint32_t *changes, uint32_t count, uint32_t component)
{
    for (uint32_t i = 0; i < count; i++)
        if (changes[2 * i] == component) return true;
    return false;
}

/* What has grown older before the step, where the step itself has not changed it. */
static uint32_t put_ages_in(const struct expansion *x, uint32_t changed)
{
    const struct mc_timing *t = &x->w->space->p.timing;
    uint32_t n = changed;
    for (uint32_t i = 0; i < t->stamped_count; i++) {
        if (x->older[i] == x->stamped[i] || is_changed(x->changes, changed, t->stamped[i].component)) continue;
        x->changes[2 * n] = t->stamped[i].component;
        x->changes[2 * n++ + 1] = x->older[i];
        mc_note_value(x->w->space, t->stamped[i].component, x->older[i]);
    }
    return n;
}

/* The changes of an outcome, and what time has done up to it and it does to the timers. */
static void put_time_in(struct expansion *x, uint32_t changed)
{
    const struct mc_timing *t = &x->w->space->p.timing;
    struct mc_successor *s = &x->next;
    uint32_t effect = MC_NO_EFFECT, n = 0;
    for (uint32_t i = 0; i < changed; i++) {
        if (s->changes[2 * i] == t->component) {
            effect = s->changes[2 * i + 1];
            continue;
        }
        x->changes[2 * n] = s->changes[2 * i];
        x->changes[2 * n++ + 1] = s->changes[2 * i + 1];
    }
    uint32_t timers = mc_timers_after(x->w, x->now.timers, effect);
    if (timers != x->before.timers) {
        x->changes[2 * n] = t->component;
        x->changes[2 * n++ + 1] = timers;
    }
    if (x->now.clock != x->before.clock) {
        x->changes[2 * n] = t->clock_component;
        x->changes[2 * n++ + 1] = x->now.clock;
    }
    if (x->now.elapsed && t->has_ages) n = put_ages_in(x, n);
    s->changes = x->changes;
    s->changed = n;
}

/* `v` is the state again; or (`now`) as it is when the step begins. */
static void put_clock_in(struct expansion *x, bool now)
{
    const struct mc_timing *t = &x->w->space->p.timing;
    if (!t->has_clock) return;
    x->w->v[t->clock_component] = now ? x->now.clock : x->before.clock;
    if (!t->has_ages || !x->now.elapsed) return;
    for (uint32_t i = 0; i < t->stamped_count; i++)
        x->w->v[t->stamped[i].component] = now ? x->older[i] : x->stamped[i];
}

/* An action of the program begins the count anew; what is outside and changes something of the program adds to it. False:
 * there have been enough, while the program has something to do. */
static bool put_rate_in(struct expansion *x, bool raised)
{
    const struct mc_program *p = &x->w->space->p;
    struct mc_successor *s = &x->next;
    struct mc_values *values = mc_values_of(x->w->space, p->rate_component);
    uint32_t count, after;
    memcpy(&count, mc_value(values, x->w->v[p->rate_component]), 4);
    after = count;
    if (s->slot != MC_NOBODY && !p->outside[s->slot]) {
        if (!s->woken) after = 0;
    } else {
        bool reaches_in = raised;
        for (uint32_t i = 0; i < s->changed; i++) reaches_in |= !p->is_outside[s->changes[2 * i]];
        if (reaches_in && x->busy && count >= p->rate) return false;
        if (reaches_in && count < p->rate) after++;
    }
    if (after == count) return true;
    if (s->changes != x->changes) memcpy(x->changes, s->changes, 8ull * s->changed);
    x->changes[2 * s->changed] = p->rate_component;
    x->changes[2 * s->changed++ + 1] = mc_intern_value(values, (const uint8_t *)&after);
    s->changes = x->changes;
    return true;
}

static void one_successor(struct expansion *x, const uint32_t *outcome)
{
    struct mc_successor *s = &x->next;
    if (x->enough) return;
    if (__builtin_expect(!(*outcome & MC_HEAD_SEEN), 0) && !x->half_of) mc_note_seen(x->w, outcome);
    s->meeting = outcome[2];
    s->blocks = outcome[3];
    s->partner = s->meeting ? mc_partner_of(s->meeting) : MC_NOBODY;
    const struct mc_timing *t = &x->w->space->p.timing;
    put_clock_in(x, false); /* the step has been worked out */
    s->elapsed = x->now.elapsed;
    if (*outcome & MC_HEAD_FAULT) {
        s->fault = (const struct mc_fault *)(const void *)(outcome + MC_OUTCOME_WORDS);
        s->changes = NULL;
        s->changed = 0;
        s->root = 0;
        s->moved = NULL;
    } else {
        x->went_on = true;
        s->fault = NULL;
        s->changes = outcome + MC_OUTCOME_WORDS;
        s->changed = *outcome & MC_CHANGES;
        if (t->mode) put_time_in(x, s->changed);
        if (x->w->space->p.rate && !put_rate_in(x, *outcome & MC_HEAD_RAISED)) {
            put_clock_in(x, true);
            return;
        }
        const struct mc_reduction_ops *canonical = x->w->space->reduction[MC_CANONICAL].ops;
        if (canonical && !x->w->rootless && !x->w->unreduced) canonical->canonical(x->w, s);
        else s->root = x->w->rootless ? 0 : mc_root_after(x->w, s->changes, s->changed);
    }
    x->enough = !x->visit(x->w, s, x->context);
    s->ordinal++;
    put_clock_in(x, true);
}

static void all_of(struct expansion *x, const uint32_t *result)
{
    uint32_t n = *result++;
    for (uint32_t i = 0; i < n && !x->enough; i++, result = mc_after_outcome(result)) one_successor(x, result);
}

/* What is left to be looked at of a result. */
struct rest_of_result { const uint32_t *outcome; uint32_t count; };

/* Whether an outcome of this path is left. Paths never fall within a result, and who asks goes through a result: so what lies
 * before the path is left behind, and all questions together look at each outcome once, however many inputs there are. */
static bool has_path(struct rest_of_result *rest, uint32_t path)
{
    for (; rest->count && rest->outcome[1] < path; rest->count--) rest->outcome = mc_after_outcome(rest->outcome);
    return rest->count && rest->outcome[1] == path;
}

/* Nothing is remembered of what an action does that looks at all the block. */
static void run_in_full(struct expansion *x, enum mc_event event, uint32_t which)
{
    uint64_t used = x->w->scratch_used;
    all_of(x, mc_result_in_full(x->w, event, which));
    x->w->scratch_used = used;
}

/* An attempt: what it does alone, and with each partner that waits. Where it meets nobody it waits (or polls). */
static void attempt(struct expansion *x, const struct mc_action *a, uint32_t position, uint32_t slot)
{
    struct mc_worker *w = x->w;
    const struct mc_program *p = &w->space->p;
    const uint32_t *pairs[MC_MOST_SLOTS];
    struct rest_of_result rests[MC_MOST_SLOTS];
    uint32_t partners = 0;
    bool at_all = false;
    const uint8_t *may_meet = p->may_meet + position * (p->positions + 1);
    for (uint32_t i = 0; i < a->partners; i++) {
        uint32_t other = p->partner[a->first_partner + i];
        if (other == slot || !may_meet[w->at[other]]) continue;
        bool twin = x->twins && i && p->partner[a->first_partner + i - 1] == other - 1 && other - 1 != slot;
        if (twin && x->twins->is_twin(w, other)) continue;
        if (x->half_of && x->half_of[p->slot_component[other]] != x->half_of[p->slot_component[slot]]) continue;
        const uint32_t *result = mc_remembered_pair(w, a, slot, other, i);
        at_all |= *result == MC_LOOKS_AT_ALL;
        if (!*result) continue;
        rests[partners] = (struct rest_of_result){result + 1, *result};
        pairs[partners++] = result;
    }
    const uint32_t *r = mc_remembered(w, a, slot);
    if (at_all || *r == MC_LOOKS_AT_ALL) {
        run_in_full(x, MC_RUN, slot);
        return;
    }
    uint32_t n = *r++;
    for (uint32_t i = 0; i < n; i++, r = mc_after_outcome(r)) {
        bool met = false;
        if (*r & MC_HEAD_UNMET) /* on this path the process attempts: it waits only if nobody on the same path can meet it */
            for (uint32_t k = 0; k < partners && !met; k++) met = has_path(&rests[k], r[1]);
        if (!met) one_successor(x, r);
    }
    for (uint32_t k = 0; k < partners; k++) all_of(x, pairs[k]);
}

static uint32_t number_at(const uint8_t *bytes, uint32_t size)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < size && i < 4; i++) n |= (uint32_t)bytes[i] << 8 * i;
    return n;
}

uint32_t mc_timed_clauses(const struct mc_worker *w, const struct mc_action *a, uint32_t slot)
{
    if (!a->timed || !a->closed_size) return a->timed;
    const struct mc_program *p = &w->space->p;
    const struct mc_slot_frame *f = &p->frame[slot];
    uint32_t component = p->slot_component[slot];
    const uint8_t *record = mc_value(mc_values_of(w->space, component), w->v[component]) + p->component[component].position_size;
    uint32_t at = f->field_size ? number_at(record + f->field, f->field_size) : f->frame0;
    return a->timed & ~(number_at(record + at + a->closed_offset, a->closed_size) & 0x7FFFFFFFu);
}

bool mc_waits_for_partner(const struct mc_worker *w, uint32_t slot)
{
    const struct mc_program *p = &w->space->p;
    uint32_t component = p->slot_component[slot];
    uint32_t position = mc_values_of(w->space, component)->position[w->v[component]];
    const struct mc_action *a = &p->action[position];
    if (position < p->first_waiting || p->server[slot] || a->idle) return false;
    return !mc_timed_clauses(w, a, slot);
}

/* When the steps that follow begin. */
static void go_to(struct expansion *x, struct mc_moment moment)
{
    const struct mc_timing *t = &x->w->space->p.timing;
    put_clock_in(x, false);
    x->now = moment;
    if (t->has_ages && moment.elapsed) {
        uint32_t clock;
        memcpy(&clock, mc_value(mc_values_of(x->w->space, t->clock_component), x->before.clock), 4);
        for (uint32_t i = 0; i < t->stamped_count; i++) x->older[i] = mc_aged(x->w, i, x->stamped[i], clock, moment.elapsed);
    }
    put_clock_in(x, true);
}

/* Time ends a wait. `busy`: no time passes before. */
static void wake(struct expansion *x, const struct mc_action *a, uint32_t slot, uint32_t timed, bool busy)
{
    struct mc_worker *w = x->w;
    x->next.woken = true;
    for (uint32_t c = 0; c < 32; c++) {
        if (!(timed >> c & 1)) continue;
        uint32_t clause = c == 31 ? MC_SLEEP_CLAUSE : c;
        struct mc_moment then = x->before;
        if (mc_is_timed(w->space) && !mc_wait_ends(w, slot, clause, busy, &then)) continue;
        go_to(x, then);
        all_of(x, mc_remembered_wake(w, a, slot, clause));
        go_to(x, x->before);
    }
    x->next.woken = false;
}

/* Each interrupt may come, unless it is pending already. */
static void interrupts(struct expansion *x, bool busy)
{
    struct mc_worker *w = x->w;
    const struct mc_program *p = &w->space->p;
    x->next.slot = MC_NOBODY;
    x->next.woken = true;
    mc_put_state(w, w->before);
    uint32_t moments = busy || !mc_is_timed(w->space) ? 1 : mc_moments(w);
    for (uint32_t bit = 0; bit < p->interrupts; bit++) {
        if (w->before[p->pending_offset + bit / 8] >> bit % 8 & 1) continue;
        for (uint32_t i = 0; i < moments; i++) {
            if (!busy && mc_is_timed(w->space)) go_to(x, mc_moment(w, i));
            run_in_full(x, MC_INTERRUPT, bit);
            go_to(x, x->before);
        }
    }
}

/* The next action of a slot. */
static void act(struct expansion *x, const struct mc_action *a, uint32_t position, uint32_t slot)
{
    switch (a->kind) {
    case MC_LOCAL: {
        const uint32_t *result = mc_remembered(x->w, a, slot);
        if (*result == MC_LOOKS_AT_ALL) run_in_full(x, MC_RUN, slot);
        else all_of(x, result);
        break;
    }
    case MC_ATTEMPT: attempt(x, a, position, slot); break;
    default: run_in_full(x, MC_RUN, slot);
    }
}

void mc_expand_slot(struct mc_worker *w, uint32_t slot, const uint8_t *half_of, mc_visit visit, void *context)
{
    const struct mc_program *p = &w->space->p;
    struct expansion x = {.w = w, .visit = visit, .context = context, .half_of = half_of};
    const struct mc_action *a = &p->action[w->at[slot]];
    x.next.slot = slot;
    if (w->at[slot] < p->first_waiting) {
        act(&x, a, w->at[slot], slot);
    } else {
        uint32_t timed = mc_timed_clauses(w, a, slot);
        if (timed) wake(&x, a, slot, timed, false);
    }
}

static bool program_is_ready(const struct mc_worker *w)
{
    const struct mc_program *p = &w->space->p;
    for (uint32_t slot = 0; slot < p->slots; slot++)
        if (w->at[slot] && w->at[slot] < p->first_waiting && !p->outside[slot]) return true;
    return false;
}

/* Where time is counted, it passes only when nobody is ready; then all are looked at. */
static const struct mc_decision *decide(struct mc_worker *w, bool busy)
{
    if (!mc_reduces(w, MC_CHOOSE) || w->space->p.rate || w->unreduced) return NULL;
    if (mc_is_timed(w->space) && !(busy && w->space->p.timing.mode == MC_TIME_POINTS)) return NULL;
    return w->space->reduction[MC_CHOOSE].ops->choose(w);
}

struct tried { bool back, fails, only_waits; };

static bool goes_on(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct tried *x = context;
    x->fails |= s->fault != NULL;
    x->back = !s->fault && w->space->reduction[MC_CHOOSE].ops->goes_back(w, s->slot, s->changes, s->changed);
    if (x->only_waits && (s->fault || !mc_only_waits(w, s->slot, s->changes, s->changed))) x->back = true;
    return !x->back;
}

enum enough { ENOUGH, NOT_ENOUGH, ALL_FAIL };

/* Are these slots enough: does none of them go back, and do not all fail? */
static enum enough are_enough(const struct expansion *of, const struct mc_chosen *set, bool only_waits, bool busy)
{
    struct mc_worker *w = of->w;
    const struct mc_program *p = &w->space->p;
    struct expansion x = *of;
    bool rootless = w->rootless;
    struct tried tried = {.only_waits = only_waits};
    x.visit = goes_on;
    x.context = &tried;
    w->rootless = true;
    for (uint32_t i = 0; i < MC_MOST_SLOTS / 64; i++) {
        for (uint64_t left = set->slots[i]; left && !tried.back; left &= left - 1) {
            uint32_t slot = 64 * i + (uint32_t)__builtin_ctzll(left), position = w->at[slot];
            const struct mc_action *a = &p->action[position];
            x.next.slot = slot;
            if (position < p->first_waiting) act(&x, a, position, slot);
            else wake(&x, a, slot, mc_timed_clauses(w, a, slot), busy);
        }
    }
    w->rootless = rootless;
    if (x.went_on) return tried.back ? NOT_ENOUGH : ENOUGH;
    return tried.fails ? ALL_FAIL : NOT_ENOUGH;
}

/* False: all act. So they do where a set fails as a whole and the search ends with an error: none is put off then. */
static bool choose(const struct expansion *x, bool busy, struct mc_candidate *to)
{
    const struct mc_decision *d = decide(x->w, busy);
    to->next = 0;
    while (d && mc_next_candidate(d, to)) {
        enum enough found = are_enough(x, &to->set, to->only_waits, busy);
        if (found == ENOUGH) return true;
        if (found == ALL_FAIL && !x->w->space->o.keep_going) return false;
    }
    return false;
}

enum mc_end mc_expand(struct mc_worker *w, mc_visit visit, void *context)
{
    const struct mc_program *p = &w->space->p;
    struct expansion x = {.w = w, .visit = visit, .context = context};
    uint32_t changes[2 * MC_MOST_COMPONENTS + 6], stamped[MC_MOST_COMPONENTS], older[MC_MOST_COMPONENTS];
    bool lives = false, waits = false, can_go = false, timed_state = mc_is_timed(w->space);
    w->scratch_used = 0;
    for (uint32_t slot = 0; slot < p->slots; slot++) {
        uint32_t component = p->slot_component[slot];
        w->at[slot] = mc_values_of(w->space, component)->position[w->v[component]];
    }
    bool busy = (timed_state || p->rate) && program_is_ready(w);
    x.busy = busy;
    x.changes = changes;
    if (timed_state) {
        x.before = x.now =
            (struct mc_moment){w->v[p->timing.component], p->timing.has_clock ? w->v[p->timing.clock_component] : 0, 0};
    }
    x.stamped = stamped;
    x.older = older;
    for (uint32_t i = 0; p->timing.has_ages && i < p->timing.stamped_count; i++) stamped[i] = w->v[p->timing.stamped[i].component];
    struct mc_candidate some;
    const struct mc_chosen *chosen = choose(&x, busy, &some) ? &some.set : NULL;
    bool looked_at = false;
    x.twins = w->unreduced ? NULL : w->space->reduction[MC_CANONICAL].ops;
    for (uint32_t slot = 0; slot < p->slots; slot++) {
        uint32_t position = w->at[slot];
        if (position == 0) continue;
        lives = true;
        x.next.slot = slot;
        const struct mc_action *a = &p->action[position];
        bool left_out = chosen && !mc_is_chosen(chosen, slot);
        if (x.twins && looked_at && x.twins->is_twin(w, slot)) left_out = true;
        else looked_at = !left_out;
        if (position >= p->first_waiting) {
            if (a->kind) can_go = true; /* an interrupt can end this wait */
            uint32_t timed = mc_timed_clauses(w, a, slot);
            if (timed) {
                can_go = true;
                if (!left_out) wake(&x, a, slot, timed, busy);
            }
            if (!p->server[slot] && !a->idle) waits = true;
            continue;
        }
        can_go = true;
        if (left_out) continue;
        if (!timed_state || busy || !p->outside[slot]) {
            act(&x, a, position, slot);
            continue;
        }
        uint32_t moments = mc_moments(w);
        for (uint32_t i = 0; i < moments; i++) {
            go_to(&x, mc_moment(w, i));
            act(&x, a, position, slot);
            go_to(&x, x.before);
        }
    }
    if (chosen) w->reduced[MC_CHOOSE].states++;
    else if (lives && p->interrupts) interrupts(&x, busy);
    if (!lives) return MC_ENDED;
    return !can_go && waits ? MC_DEADLOCKED : MC_GOES_ON;
}
