/* Of the states that are not fine, the slots that are stuck: two bytes for each state and 16 slots, in memory; steps carry the
 * slots that they let go.
 */
#include "disk/partial_deadlock_on_disk.h"

#include "search/partial_deadlock.h"

/* --- what is left ----------------------------------------------------------------------------------------------------- */

static uint64_t rank_of(const struct mc_far *x, uint64_t state)
{
    uint64_t n = x->before[state / MC_RANK_BITS];
    for (uint64_t i = state / MC_RANK_BITS * (MC_RANK_BITS / 64); i < state / 64; i++) n += (uint64_t)__builtin_popcountll(~x->fine[i]);
    return n + (uint64_t)__builtin_popcountll(~x->fine[state / 64] & ((1ull << state % 64) - 1));
}

static bool count_left(struct mc_far *x)
{
    x->before = malloc(8 * (x->states / MC_RANK_BITS + 1));
    if (!x->before) return false;
    for (uint64_t i = 0; i < x->states; i++) {
        if (i % MC_RANK_BITS == 0) x->before[i / MC_RANK_BITS] = x->left;
        x->left += !mc_is_fine(x, i);
    }
    x->e->s.stuck_left = x->left;
    return true;
}

/* Each state that is left, in `w`. */
static bool each_left(struct mc_far *x, void (*look)(struct mc_far *x))
{
    uint64_t key;
    mc_run_rewind(&x->reader);
    x->rank = 0;
    for (x->now = 0; mc_run_next(&x->reader, &key); x->now++) {
        if (x->now % MC_FAR_LOOK == 0 && mc_far_stopped(x)) return false;
        if (mc_is_fine(x, x->now)) continue;
        mc_decode(x->w, mc_root_of_key(key));
        x->w->early = mc_is_early_root(&x->e->space, mc_root_of_key(key));
        look(x);
        x->w->early = false;
        x->rank++;
    }
    return !x->reader.failed && !x->failed;
}

static void note_slots(struct mc_far *x)
{
    for (uint32_t slot = 0; slot < x->e->space.p.slots; slot++) {
        bool known = false;
        if (!mc_waits_for_partner(x->w, slot)) continue;
        for (uint32_t i = 0; i < x->slots; i++) known |= x->slot[i] == slot;
        if (!known) x->slot[x->slots++] = (mc_slot)slot;
    }
}

static uint32_t in_group(const struct mc_far *x) /* slots */
{
    uint32_t rest = x->slots - (uint32_t)(x->group - x->slot);
    return rest < MC_GROUP ? rest : MC_GROUP;
}

static bool note_release(struct mc_worker *w, const struct mc_successor *next, void *context)
{
    struct mc_far *x = context;
    uint32_t released = 0;
    for (uint32_t i = 0; i < next->changed; i++) {
        int32_t slot = w->space->p.component[next->changes[2 * i]].slot;
        for (uint32_t k = 0; k < in_group(x) && slot >= 0; k++) released |= (uint32_t)(x->group[k] == slot) << k;
    }
    mc_far_step(x, mc_key_of(next->root), x->rank << MC_GROUP | released); /* no step of it can fault: it would be fine */
    return !x->failed;
}

static void note_releases(struct mc_far *x)
{
    uint32_t mask = 0;
    for (uint32_t k = 0; k < in_group(x); k++) mask |= (uint32_t)mc_waits_for_partner(x->w, x->group[k]) << k;
    x->group_masks[x->rank] = (uint16_t)mask;
    if (mask) mc_expand_to_kept(x->w, note_release, x);
    if (mc_memory_of_results(x->w) > x->e->spill->remembered) mc_forget(x->w);
}

static bool name_by_rank(struct mc_far *x, struct mc_record *step)
{
    step->key = rank_of(x, step->key); /* what is left leads to what is left */
    return true;
}

static uint64_t let_go(struct mc_far *x, uint64_t count, bool *changed)
{
    uint64_t kept = 0;
    for (bool more = true; more;) {
        more = false;
        for (uint64_t i = 0; i < count; i++) {
            const struct mc_record *r = &x->buffer[i];
            uint16_t *mask = &x->group_masks[r->value >> MC_GROUP], stays = (uint16_t)(x->group_masks[r->key] & ~r->value);
            if (!(*mask & ~stays)) continue;
            *mask &= stays;
            more = *changed = true;
        }
    }
    for (uint64_t i = 0; i < count; i++)
        if (x->group_masks[x->buffer[i].value >> MC_GROUP]) x->buffer[kept++] = x->buffer[i];
    return kept;
}

bool mc_find_stuck_slots(struct mc_far *x)
{
    if (!count_left(x) || (x->left && !each_left(x, note_slots))) return false;
    uint32_t groups = (x->slots + MC_GROUP - 1) / MC_GROUP;
    bool good = true;
    if (x->left == 0 || groups == 0) return true;
    if (mc_left_of_memory(x->e) < 2 * x->left * groups) return false;
    x->masks = malloc(2 * x->left * groups);
    if (!x->masks) return false;
    for (uint32_t g = 0; g < groups && good; g++) {
        bool changed = true;
        x->group = x->slot + g * MC_GROUP;
        x->group_masks = x->masks + x->left * g;
        mc_pile_free(&x->steps);
        good = mc_pile_new(&x->e->spill->disk, &x->steps) && each_left(x, note_releases) && mc_far_order(x, name_by_rank);
        while (good && changed) good = mc_far_read(x, let_go, &changed);
    }
    return good;
}

/* --- the state that is told ------------------------------------------------------------------------------------------- */

static uint32_t stuck_in(const struct mc_far *x, uint64_t rank)
{
    uint32_t n = 0;
    for (uint32_t g = 0; g * MC_GROUP < x->slots; g++) n += (uint32_t)__builtin_popcount(x->masks[x->left * g + rank]);
    return n;
}

struct wanted { struct mc_far *x; uint32_t most; uint64_t number; uint8_t *slots; bool found; };

static bool is_it(uint64_t root, uint64_t number, void *context)
{
    struct wanted *want = context;
    struct mc_far *x = want->x;
    mc_run_rewind(&x->reader);
    if (!mc_run_seek(&x->reader, mc_key_of(root)) || mc_is_fine(x, x->reader.at)) return true;
    uint64_t rank = rank_of(x, x->reader.at);
    if (stuck_in(x, rank) < want->most) return true;
    want->number = number;
    want->found = true;
    for (uint32_t i = 0; i < x->slots; i++) want->slots[x->slot[i]] = x->masks[x->left * (i / MC_GROUP) + rank] >> i % MC_GROUP & 1;
    return false;
}

uint32_t mc_choose_stuck(struct mc_far *x, uint64_t *state, uint8_t *slots)
{
    struct wanted want = {x, 0, 0, slots, false};
    for (uint64_t i = 0; i < x->left && x->masks; i++)
        if (stuck_in(x, i) > want.most) want.most = stuck_in(x, i);
    if (!want.most) return 0;
    memset(slots, 0, x->e->space.p.slots);
    bool good = mc_each_by_number(x->e, is_it, &want);
    *state = want.number;
    return want.found ? 1 : good ? 0 : 2;
}
