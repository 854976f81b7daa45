/* What a pass makes of the policy block, as runtime/policies/board.h says it. */
#include "image/decision_tree.h"

enum { ENTRY = 6 };

void img_add_arrival(const struct img *x, uint8_t *policy, uint32_t slot)
{
    uint8_t *a = policy + x->s.arrivals_at;
    if (a[0] < x->s.arrivals_room) a[1 + a[0]++] = (uint8_t)slot;
}

void img_remove_arrival(const struct img *x, uint8_t *policy, uint32_t slot)
{
    uint8_t *a = policy + x->s.arrivals_at, n = a[0], kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (a[1 + i] != slot) a[1 + kept++] = a[1 + i];
    for (uint32_t i = kept; i < n; i++) a[1 + i] = 0;
    a[0] = kept;
}

static uint32_t when_of(const uint8_t *entry)
{
    uint32_t v;
    memcpy(&v, entry + 2, 4);
    return v;
}

static uint8_t *sleeper_of(const struct img *x, uint8_t *policy, uint32_t slot)
{
    uint8_t *count = policy + x->s.sleepers_at;
    for (uint32_t i = 0; i < *count; i++)
        if (count[1 + ENTRY * i] == slot) return count + 1 + ENTRY * i;
    return NULL;
}

static void remove_sleeper(const struct img *x, uint8_t *policy, uint32_t slot)
{
    uint8_t *entry = sleeper_of(x, policy, slot), *count = policy + x->s.sleepers_at;
    if (!entry) return;
    uint8_t *end = count + 1 + ENTRY * x->s.sleepers_room;
    memmove(entry, entry + ENTRY, (size_t)(end - entry) - ENTRY);
    memset(end - ENTRY, 0, ENTRY);
    --*count;
}

static void add_sleeper(const struct img *x, uint8_t *policy, uint32_t slot, uint32_t clause, uint32_t ms)
{
    uint32_t when = x->clock + (ms < 0x7FFFFFFF ? ms : 0x7FFFFFFF);
    int32_t away = (int32_t)(when - x->clock);
    uint8_t *count = policy + x->s.sleepers_at, *other = sleeper_of(x, policy, slot);
    if (x->s.timed_selects) {
        if (other && (int32_t)(when_of(other) - x->clock) <= away) return;
        remove_sleeper(x, policy, slot);
    }
    if (*count >= x->s.sleepers_room) return;
    uint32_t i = 0;
    while (i < *count && (int32_t)(when_of(count + 1 + ENTRY * i) - x->clock) <= away) i++;
    uint8_t *entry = count + 1 + ENTRY * i;
    memmove(entry + ENTRY, entry, ENTRY * (x->s.sleepers_room - 1 - i));
    entry[0] = (uint8_t)slot;
    entry[1] = (uint8_t)clause;
    memcpy(entry + 2, &when, 4);
    ++*count;
}

void img_put_deeds(const struct img *x, uint8_t *policy, bool apart)
{
    const struct img_oracle *o = x->oracle;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct img_deed *d = &o->deed[i];
        switch (d->kind) {
        case IMG_WAITS: if (d->second && !apart) img_add_arrival(x, policy, d->first); break;
        case IMG_LEAVES:
            if (d->second && !apart) img_remove_arrival(x, policy, d->first);
            if (x->s.sleepers_room) remove_sleeper(x, policy, d->first);
            break;
        case IMG_SLEEPS: add_sleeper(x, policy, d->first, d->second, d->third); break;
        case IMG_CLOCK: if (x->s.clock_at != IMG_NO_FIELD) memcpy(policy + x->s.clock_at, &x->clock, 4); break;
        default: break;
        }
    }
}

void img_policy_before(struct img *x, uint8_t *policy)
{
    uint32_t choices = x->choices;
    for (uint32_t i = 0; i < x->s.policy_size; i++) policy[i] = (uint8_t)img_take(x, x->s.policy_at + i, 0);
    img_undo(x, choices);
}
