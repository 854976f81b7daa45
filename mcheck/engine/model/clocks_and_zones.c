/* Timers as numbers, one for each (points), or as all that they may be (zones), and what happens to them. */
#include "model/clocks_and_zones.h"

#include "model/action_cache.h"
#include "model/ages.h"

enum { NO_TIMER = UINT32_MAX, DEAD = -1, KNOWN = 1 << 14 };
enum operation { AFTER_EFFECT, AFTER_A_WHILE, ENDS_NOW, ENDS_NEXT };

/* What has been worked out of some timers; a table that forgets. */
struct mc_known_timers { uint32_t timers, what, result; };

/* An effect, as it is interned. */
struct effect {
    uint32_t count;
    struct mc_time_step step[MC_MOST_TIME_STEPS];
};

static uint32_t width(const struct mc_space *s) { return s->p.timing.timers + 1; }

static uint32_t timer_of(const struct mc_space *s, uint32_t slot, uint32_t clause)
{
    const struct mc_timing *t = &s->p.timing;
    for (uint32_t i = t->first_timer[slot]; i < t->first_timer[slot + 1]; i++)
        if (t->clause[i] == clause) return i;
    return NO_TIMER;
}

bool mc_timing_new(struct mc_space *s)
{
    return !mc_is_timed(s) || mc_values_new(&s->time_effects, sizeof(struct effect), 0, NULL, &s->crew);
}

void mc_timing_free(struct mc_space *s)
{
    if (mc_is_timed(s)) mc_values_free(&s->time_effects);
}

bool mc_timers_new(struct mc_worker *w)
{
    const struct mc_space *s = w->space;
    if (!mc_is_timed(s)) return true;
    uint64_t cells = (uint64_t)width(s) * width(s);
    w->context->timed = 1;
    w->zone = calloc(cells, sizeof *w->zone);
    w->timer_bytes = calloc(1, s->p.component[s->p.timing.component].size + 8);
    w->known_timers = calloc(KNOWN, sizeof *w->known_timers);
    return w->zone && w->timer_bytes && w->known_timers;
}

void mc_timers_free(struct mc_worker *w)
{
    free(w->zone);
    free(w->timer_bytes);
    free(w->known_timers);
}

/* --- effects ------------------------------------------------------------------------------------------------- */

uint32_t mc_time_effect(struct mc_worker *w)
{
    const struct mc_context *c = w->context;
    const struct mc_timing *t = &w->space->p.timing;
    struct effect e = {0};
    if (c->time_steps > MC_MOST_TIME_STEPS) w->broken = true;
    for (uint32_t i = 0; i < c->time_steps && i < MC_MOST_TIME_STEPS; i++) {
        uint32_t slot = c->time_step[i].slot;
        if (t->first_timer[slot] < t->first_timer[slot + 1]) e.step[e.count++] = c->time_step[i];
    }
    return e.count ? mc_intern_value(&w->space->time_effects, (const uint8_t *)&e) : MC_NO_EFFECT;
}

/* --- points: of each timer how long it still goes ------------------------------------------------------------- */

static const uint32_t *points_of(const struct mc_worker *w, uint32_t timers)
{
    return (const uint32_t *)(const void *)mc_value(mc_values_of(w->space, w->space->p.timing.component), timers);
}

static uint32_t least(const uint32_t *point, uint32_t count)
{
    uint32_t found = NO_TIMER;
    for (uint32_t i = 0; i < count; i++)
        if (point[i] < found) found = point[i];
    return found;
}

static uint32_t interned(struct mc_worker *w)
{
    return mc_intern_value(mc_values_of(w->space, w->space->p.timing.component), w->timer_bytes);
}

static uint32_t points_later(struct mc_worker *w, uint32_t timers, uint32_t by)
{
    const uint32_t *from = points_of(w, timers);
    uint32_t *to = (uint32_t *)(void *)w->timer_bytes;
    for (uint32_t i = 0; i < w->space->p.timing.timers; i++) to[i] = from[i] == NO_TIMER ? NO_TIMER : from[i] - by;
    return interned(w);
}

static void affect_points(struct mc_worker *w, uint32_t timers, const struct effect *e)
{
    const struct mc_timing *t = &w->space->p.timing;
    uint32_t *point = (uint32_t *)(void *)w->timer_bytes;
    memcpy(point, points_of(w, timers), 4ull * t->timers);
    for (uint32_t i = 0; i < e->count; i++) {
        const struct mc_time_step *x = &e->step[i];
        if (x->ends)
            for (uint32_t k = t->first_timer[x->slot]; k < t->first_timer[x->slot + 1]; k++) point[k] = NO_TIMER;
        else
            point[timer_of(w->space, x->slot, x->clause)] = x->milliseconds;
    }
}

/* --- zones: bounds of the differences between timers, and of each to now (number 0); always the tightest ---------- */

static int64_t *bound(struct mc_worker *w, uint32_t i, uint32_t j) { return &w->zone[(uint64_t)i * width(w->space) + j]; }
static bool lives(struct mc_worker *w, uint32_t i) { return *bound(w, i, i) != DEAD; }

static void load_zone(struct mc_worker *w, uint32_t timers)
{
    const uint8_t *bytes = mc_value(mc_values_of(w->space, w->space->p.timing.component), timers);
    const int32_t *from = (const int32_t *)(const void *)bytes;
    for (uint32_t i = 0; i < width(w->space) * width(w->space); i++) w->zone[i] = from[i];
}

static uint32_t zone_interned(struct mc_worker *w)
{
    int32_t *to = (int32_t *)(void *)w->timer_bytes;
    for (uint32_t i = 0; i < width(w->space) * width(w->space); i++) to[i] = (int32_t)w->zone[i];
    return interned(w);
}

static void drop_timer(struct mc_worker *w, uint32_t k)
{
    for (uint32_t i = 0; i < width(w->space); i++) *bound(w, i, k) = *bound(w, k, i) = 0;
    *bound(w, k, k) = DEAD;
}

static void begin_timer(struct mc_worker *w, uint32_t k, int64_t milliseconds)
{
    *bound(w, k, k) = 0;
    for (uint32_t i = 0; i < width(w->space); i++) {
        if (i == k || !lives(w, i)) continue;
        *bound(w, k, i) = milliseconds + *bound(w, 0, i);
        *bound(w, i, k) = *bound(w, i, 0) - milliseconds;
    }
}

static void affect_zone(struct mc_worker *w, const struct effect *e)
{
    const struct mc_timing *t = &w->space->p.timing;
    for (uint32_t i = 0; i < e->count; i++) {
        const struct mc_time_step *x = &e->step[i];
        if (x->ends)
            for (uint32_t k = t->first_timer[x->slot]; k < t->first_timer[x->slot + 1]; k++) drop_timer(w, k + 1);
        else
            begin_timer(w, timer_of(w->space, x->slot, x->clause) + 1, x->milliseconds);
    }
}

/* Some time has passed, and no wait is past its end: each bound from below is what the others allow. */
static void let_zone_pass(struct mc_worker *w)
{
    for (uint32_t i = 1; i < width(w->space); i++) {
        if (!lives(w, i)) continue;
        int64_t low = 0; /* minus the least value */
        for (uint32_t j = 1; j < width(w->space); j++)
            if (lives(w, j) && *bound(w, j, i) < low) low = *bound(w, j, i);
        *bound(w, 0, i) = low;
    }
}

/* Makes all bounds the tightest again after some were made tighter; false: nothing is left. */
static bool tighten(struct mc_worker *w)
{
    uint32_t n = width(w->space);
    for (uint32_t k = 0; k < n; k++) {
        if (!lives(w, k)) continue;
        for (uint32_t i = 0; i < n; i++) {
            if (!lives(w, i)) continue;
            for (uint32_t j = 0; j < n; j++) {
                if (!lives(w, j)) continue;
                int64_t through = *bound(w, i, k) + *bound(w, k, j);
                if (through < *bound(w, i, j)) *bound(w, i, j) = through;
            }
            if (*bound(w, i, i) < 0) return false;
        }
    }
    return true;
}

/* No other wait ends before that of `k`, and (`now`) no time passes until then: it is over. */
static bool end_in_zone(struct mc_worker *w, uint32_t k, bool now)
{
    if (*bound(w, k, 0) > 0 && now) *bound(w, k, 0) = 0;
    for (uint32_t i = 1; i < width(w->space); i++)
        if (i != k && lives(w, i) && *bound(w, k, i) > 0) *bound(w, k, i) = 0;
    if (!tighten(w)) return false;
    for (uint32_t i = 1; i < width(w->space); i++) { /* all count from the moment at which it ends */
        if (!lives(w, i)) continue;
        *bound(w, i, 0) = i == k ? 0 : *bound(w, i, k);
        *bound(w, 0, i) = i == k ? 0 : *bound(w, k, i);
    }
    return true;
}

/* --- what successors ask --------------------------------------------------------------------------------------- */

static uint32_t work_out(struct mc_worker *w, uint32_t timers, enum operation what, uint32_t which)
{
    const struct mc_space *s = w->space;
    bool zones = s->p.timing.mode == MC_TIME_ZONES;
    if (zones) load_zone(w, timers);
    if (what == AFTER_EFFECT) {
        const struct effect *e = (const void *)mc_value(&s->time_effects, which);
        if (!zones) {
            affect_points(w, timers, e);
            return interned(w);
        }
        affect_zone(w, e);
        return zone_interned(w);
    }
    if (zones) {
        if (what == AFTER_A_WHILE) let_zone_pass(w);
        else if (!lives(w, which + 1) || !end_in_zone(w, which + 1, what == ENDS_NOW)) return NO_TIMER;
        return zone_interned(w);
    }
    uint32_t left = points_of(w, timers)[which];
    if (left == NO_TIMER || left > (what == ENDS_NOW ? 0 : least(points_of(w, timers), s->p.timing.timers))) return NO_TIMER;
    return points_later(w, timers, left);
}

static uint32_t known(struct mc_worker *w, uint32_t timers, enum operation what, uint32_t which)
{
    uint32_t key = which << 2 | what;
    uint64_t hash = (timers * 0x9E3779B97F4A7C15ull ^ key) * 0x9E3779B97F4A7C15ull;
    struct mc_known_timers *x = &w->known_timers[hash >> 32 & (KNOWN - 1)];
    if (x->timers != timers + 1 || x->what != key) {
        uint32_t result = work_out(w, timers, what, which);
        *x = (struct mc_known_timers){timers + 1, key, result};
    }
    return x->result;
}

uint32_t mc_no_timers(struct mc_worker *w)
{
    const struct mc_timing *t = &w->space->p.timing;
    if (t->mode == MC_TIME_POINTS) {
        memset(w->timer_bytes, 0xFF, 4ull * t->timers);
        return interned(w);
    }
    memset(w->zone, 0, sizeof *w->zone * width(w->space) * width(w->space));
    for (uint32_t k = 1; k < width(w->space); k++) *bound(w, k, k) = DEAD;
    return zone_interned(w);
}

uint32_t mc_timers_after(struct mc_worker *w, uint32_t timers, uint32_t effect)
{
    return effect == MC_NO_EFFECT ? timers : known(w, timers, AFTER_EFFECT, effect);
}

static struct mc_moment now(const struct mc_worker *w)
{
    const struct mc_timing *t = &w->space->p.timing;
    return (struct mc_moment){w->v[t->component], t->has_clock ? w->v[t->clock_component] : 0, 0};
}

static uint32_t read_clock(const struct mc_worker *w, uint32_t clock)
{
    uint32_t time;
    memcpy(&time, mc_value(mc_values_of(w->space, w->space->p.timing.clock_component), clock), 4);
    return time;
}

static uint32_t clock_later(struct mc_worker *w, uint32_t clock, uint32_t by)
{
    const struct mc_timing *t = &w->space->p.timing;
    if (!t->has_clock || by == 0) return clock;
    uint32_t time = read_clock(w, clock);
    time = t->has_ages ? mc_clock_of_ages(w->space, time, by) : (uint32_t)(((uint64_t)time + by) % t->wrap);
    return mc_intern_value(mc_values_of(w->space, t->clock_component), (const uint8_t *)&time);
}

uint32_t mc_moments(struct mc_worker *w)
{
    const struct mc_timing *t = &w->space->p.timing;
    if (!t->has_clock && !t->measured) return 1;
    uint32_t most = least(points_of(w, now(w).timers), t->timers); /* nobody sleeps: any time may pass */
    if (most == NO_TIMER && (t->has_ages || !t->has_clock)) {
        uint32_t older = t->has_ages ? mc_time_to_age(w, read_clock(w, now(w).clock)) : 0;
        return (older > t->measured ? older : t->measured) + 1;
    }
    if (most != NO_TIMER) return most + 1; /* the timers tell apart what the clock does not */
    return t->measured >= t->wrap ? t->measured + 1 : (uint32_t)t->wrap;
}

struct mc_moment mc_moment(struct mc_worker *w, uint32_t number)
{
    struct mc_moment from = now(w);
    if (w->space->p.timing.mode == MC_TIME_ZONES) return (struct mc_moment){known(w, from.timers, AFTER_A_WHILE, 0), from.clock, 0};
    if (number == 0) return from;
    return (struct mc_moment){points_later(w, from.timers, number), clock_later(w, from.clock, number), number};
}

bool mc_wait_ends(struct mc_worker *w, uint32_t slot, uint32_t clause, bool busy, struct mc_moment *then)
{
    struct mc_moment from = now(w);
    uint32_t timer = timer_of(w->space, slot, clause);
    then->timers = known(w, from.timers, busy ? ENDS_NOW : ENDS_NEXT, timer);
    if (then->timers == NO_TIMER) return false;
    bool points = w->space->p.timing.mode == MC_TIME_POINTS;
    then->elapsed = points ? points_of(w, from.timers)[timer] : 0;
    then->clock = clock_later(w, from.clock, then->elapsed);
    return true;
}
