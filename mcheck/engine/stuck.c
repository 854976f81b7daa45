/* Partial deadlocks: processes that wait and that nothing lets go any more.
 *
 * A state is fine if every waiting process (servers, and waits that time or an interrupt can end, do not count) can be
 * let go in some continuation. A state in which nobody waits is fine; so is one with a successor that is fine, since who
 * is not let go on the way there still waits there; and one that can fault. So fine states are found backwards from
 * these, by sweeps over the list of states from its end. What is left is closed under successors; there the waiting
 * processes are looked at one by one, as the greatest set of (state, slot) that no step contradicts.
 */
#include "search.h"

enum { MC_MASK_WORDS = 4 }; /* 256 slots */

struct mask { uint64_t w[MC_MASK_WORDS]; };

struct stuck {
    uint16_t *fine; /* bits of the entries, line by line */
    struct mc_engine *e;
    bool found; /* the state that is looked at has a fine successor */
    /* the second part: states that are left, by number, and the slots that may be stuck in each */
    uint64_t *left;
    uint32_t *at;   /* entry -> index in `left` + 1, by hash */
    uint64_t at_mask, count;
    struct mask *masks;
    struct mask *now;
    uint8_t waits[256];
};

static bool is_fine(const struct stuck *s, uint64_t entry) { return s->fine[entry / MC_LINE] >> entry % MC_LINE & 1; }
static void set_fine(struct stuck *s, uint64_t entry) { s->fine[entry / MC_LINE] |= (uint16_t)(1u << entry % MC_LINE); }

static uint64_t entry_of(const struct mc_engine *e, uint64_t root)
{
    return mc_find(&e->roots, mc_permute(&e->roots, (uint32_t)root, (uint32_t)(root >> 32)));
}

/* Does this slot wait in `v` for something that only another process can give it? */
static bool waits_for_partner(const struct mc_worker *w, uint32_t slot)
{
    const struct mc_program *p = &w->space->p;
    uint32_t component = p->slot_component[slot];
    uint32_t position = mc_values_of(w->space, component)->position[w->v[component]];
    return position >= p->first_waiting && !p->server[slot] && !p->action[position].idle && !p->action[position].timed && !p->action[position].kind; /* `kind` of a waiting position: 1 if an interrupt can end it */
}

static bool look_for_fine(struct mc_worker *w, const struct mc_successor *next, void *context)
{
    struct stuck *s = context;
    (void)w;
    s->found = next->fault || is_fine(s, entry_of(s->e, next->root));
    return !s->found;
}

static uint64_t sweep(struct mc_engine *e, struct stuck *s, bool first)
{
    uint64_t changed = 0;
    for (uint64_t i = e->s.states; i-- > 0;) {
        uint64_t root = e->frontier[i], entry = entry_of(e, root);
        if (is_fine(s, entry)) continue;
        if (e->interrupted) return 0;
        mc_decode(&e->worker, root);
        if (first) {
            bool anybody = false;
            for (uint32_t slot = 0; slot < e->space.p.slots && !anybody; slot++) anybody = waits_for_partner(&e->worker, slot);
            if (!anybody) {
                set_fine(s, entry);
                changed++;
                continue;
            }
        }
        s->found = false;
        mc_expand(&e->worker, look_for_fine, s);
        if (s->found) {
            set_fine(s, entry);
            changed++;
        }
    }
    return changed;
}

static uint64_t home_of_left(const struct stuck *s, uint64_t entry) { return mc_mix(entry) & s->at_mask; }

static uint64_t index_of_left(const struct mc_engine *e, const struct stuck *s, uint64_t root)
{
    uint64_t i = home_of_left(s, entry_of(e, root));
    while (s->at[i]) {
        if (e->frontier[s->left[s->at[i] - 1]] == root) return s->at[i] - 1;
        i = (i + 1) & s->at_mask;
    }
    return UINT64_MAX;
}

/* Who is let go by this step, or may be let go later, is not stuck here. */
static bool look_for_release(struct mc_worker *w, const struct mc_successor *next, void *context)
{
    struct stuck *s = context;
    struct mask keep = {{0}};
    if (!next->fault) {
        keep = s->masks[index_of_left(s->e, s, next->root)];
        for (uint32_t i = 0; i < next->changed; i++) {
            int32_t slot = w->space->p.component[next->changes[2 * i]].slot;
            if (slot >= 0) keep.w[slot / 64] &= ~(1ull << slot % 64);
        }
    }
    bool any = false;
    for (uint32_t i = 0; i < MC_MASK_WORDS; i++) any |= (s->now->w[i] &= keep.w[i]) != 0;
    return any;
}

static void look_at_rest(struct mc_engine *e, struct stuck *s)
{
    s->left = malloc(8 * s->count);
    s->masks = calloc(s->count, sizeof *s->masks);
    s->at_mask = 63;
    while (s->at_mask < 2 * s->count) s->at_mask = s->at_mask * 2 + 1;
    s->at = calloc(s->at_mask + 1, 4);
    uint64_t n = 0;
    for (uint64_t i = 0; i < e->s.states; i++) {
        uint64_t root = e->frontier[i], entry = entry_of(e, root);
        if (is_fine(s, entry)) continue;
        s->left[n] = i;
        uint64_t k = home_of_left(s, entry);
        while (s->at[k]) k = (k + 1) & s->at_mask;
        s->at[k] = (uint32_t)++n;
        mc_decode(&e->worker, root);
        for (uint32_t slot = 0; slot < e->space.p.slots; slot++)
            if (waits_for_partner(&e->worker, slot)) s->masks[n - 1].w[slot / 64] |= 1ull << slot % 64;
    }
    for (bool changed = true; changed && !e->interrupted;) {
        changed = false;
        e->s.stuck_sweeps++;
        for (uint64_t i = n; i-- > 0;) {
            struct mask before = s->masks[i], now = before;
            mc_decode(&e->worker, e->frontier[s->left[i]]);
            s->now = &now;
            mc_expand(&e->worker, look_for_release, s);
            if (memcmp(&now, &before, sizeof now)) {
                s->masks[i] = now;
                changed = true;
            }
        }
    }
}

uint32_t mc_stuck(struct mc_engine *e, uint64_t *state, uint8_t *slots)
{
    struct stuck s = {.e = e};
    uint32_t result = 0;
    double begin = mc_now();
    e->interrupted = 0;
    s.fine = calloc((1ull << e->roots.line_bits) + MC_TAIL, 2);
    uint64_t fine = 0, changed;
    do {
        changed = sweep(e, &s, fine == 0);
        fine += changed;
        e->s.stuck_sweeps++;
    } while (changed && fine < e->s.states && !e->interrupted);
    s.count = e->s.states - fine;
    e->s.stuck_left = s.count;
    if (s.count && !e->interrupted) {
        look_at_rest(e, &s);
        int most = 0; /* of all, the first with the most stuck processes: there it can be seen who waits for whom */
        for (uint64_t i = 0; i < s.count; i++) {
            int n = 0;
            for (uint32_t k = 0; k < MC_MASK_WORDS; k++) n += __builtin_popcountll(s.masks[i].w[k]);
            if (n <= most) continue;
            most = n;
            result = 1;
            *state = s.left[i];
            for (uint32_t slot = 0; slot < e->space.p.slots; slot++) slots[slot] = s.masks[i].w[slot / 64] >> slot % 64 & 1;
        }
    }
    if (e->interrupted) result = 2;
    free(s.fine);
    free(s.left);
    free(s.masks);
    free(s.at);
    e->s.seconds += mc_now() - begin;
    return result;
}
