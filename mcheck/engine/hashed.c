/* Depth-first search that keeps of each state only a hash (8 bytes), or three bits: a state that is taken for another one
 * is not visited, so what it finds is right, but that nothing is found is no proof.
 *
 * The state that is looked at is changed step by step and back again; pairs are not numbered, only components are.
 */
#include "walks.h"

enum { MC_HASH_BITS_A_STATE = 3 };

struct mc_hashed {
    uint64_t *hash; /* 0: free */
    uint64_t places, used;
    uint64_t *bit, bits, bits_set;
    uint32_t *word;  /* of each successor that is still to be visited: its changes, their number, its ordinal */
    uint64_t words, words_room;
    uint32_t *undo;  /* of each state on the stack but the first: what the step changed, how much, and its ordinal */
    uint64_t undos, undos_room;
    uint64_t *frame; /* where the successors of each state on the stack begin */
    uint64_t *hash_of; /* each state on the stack */
    uint64_t frames_room, hashes_room;
    uint32_t *v; /* the state, while others use the worker */
};

static uint64_t hash_part(uint32_t component, uint32_t value)
{
    return mc_mix(((uint64_t)component << 32 | value) * 0x9E3779B97F4A7C15u + 0xC2B2AE3D27D4EB4Fu);
}

bool mc_hashed_new(struct mc_walk *d)
{
    struct mc_hashed *x = d->hashed = calloc(1, sizeof *x);
    if (!x) return false;
    x->v = calloc(d->space->p.components, 4);
    if (!x->v) return false;
    if (d->o.how == MC_HASHED) {
        x->places = 1024;
        x->hash = calloc(x->places, 8);
        return x->hash != NULL;
    }
    uint64_t bytes = d->o.most_stored ? d->o.most_stored * 2 : d->space->o.most_memory ? d->space->o.most_memory / 4 * 3 : 1u << 27;
    x->bits = (bytes < 64 ? 64 : bytes) / 8 * 64;
    x->bit = calloc(x->bits / 64, 8);
    return x->bit != NULL;
}

void mc_hashed_free(struct mc_walk *d)
{
    struct mc_hashed *x = d->hashed;
    if (!x) return;
    free(x->v);
    free(x->hash);
    free(x->bit);
    mc_release(x->word, 4 * x->words_room);
    mc_release(x->undo, 4 * x->undos_room);
    mc_release(x->frame, 8 * x->frames_room);
    mc_release(x->hash_of, 8 * x->hashes_room);
    free(x);
}

uint64_t mc_hashed_bytes(const struct mc_walk *d) { return 8 * d->hashed->places + d->hashed->bits / 8; }

uint64_t mc_hashed_stack_bytes(const struct mc_walk *d)
{
    return 4 * (d->hashed->words + d->hashed->undos) + 16 * d->frames;
}

/* --- the store ---------------------------------------------------------------------------------------------------- */

static uint64_t part_of(uint64_t hash, uint64_t places) { return (uint64_t)((unsigned __int128)hash * places >> 64); }

static bool put_hash(struct mc_hashed *x, uint64_t hash)
{
    uint64_t i = part_of(hash, x->places);
    for (; x->hash[i]; i = i + 1 == x->places ? 0 : i + 1)
        if (x->hash[i] == hash) return false;
    x->hash[i] = hash;
    return true;
}

static bool grow(struct mc_hashed *x)
{
    struct mc_hashed old = *x;
    x->places = old.places + old.places / 4;
    x->hash = calloc(x->places, 8);
    if (!x->hash) {
        *x = old;
        return false;
    }
    for (uint64_t i = 0; i < old.places; i++)
        if (old.hash[i]) put_hash(x, old.hash[i]);
    free(old.hash);
    return true;
}

static bool set_bits(struct mc_hashed *x, uint64_t hash, bool look_only)
{
    uint64_t second = mc_mix(hash) | 1;
    bool fresh = false;
    for (uint32_t k = 0; k < MC_HASH_BITS_A_STATE; k++, hash += second) {
        uint64_t bit = part_of(hash, x->bits);
        if (x->bit[bit / 64] >> bit % 64 & 1) continue;
        fresh = true;
        if (look_only) return true;
        x->bit[bit / 64] |= 1ull << bit % 64;
        x->bits_set++;
    }
    return fresh;
}

static bool is_fresh(const struct mc_hashed *x, uint64_t hash)
{
    if (x->bit) return set_bits((struct mc_hashed *)x, hash, true);
    hash += !hash;
    for (uint64_t i = part_of(hash, x->places); x->hash[i]; i = i + 1 == x->places ? 0 : i + 1)
        if (x->hash[i] == hash) return false;
    return true;
}

/* True if it was not there. `omitted`: how many states are expected to have been taken for others so far. */
static bool insert(struct mc_walk *d, uint64_t hash)
{
    struct mc_hashed *x = d->hashed;
    if (x->bit) {
        double full = (double)x->bits_set / (double)x->bits;
        if (!set_bits(x, hash, false)) return false;
        d->c.omitted += full * full * full;
        return true;
    }
    if (x->used * 10 >= x->places * 9 && !grow(x)) {
        d->s.stop = MC_MEMORY;
        return false;
    }
    if (!put_hash(x, hash + !hash)) return false;
    d->c.omitted += (double)x->used++ / 18446744073709551616.0;
    return true;
}

/* --- the search ----------------------------------------------------------------------------------------------------- */

static void note(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot)
{
    const struct mc_hashed *x = d->hashed;
    uint32_t *ordinals = malloc(4 * d->frames + 4);
    if (!ordinals) {
        d->s.stop = MC_MEMORY;
        return;
    }
    for (uint64_t at = x->undos, i = d->frames - 1; i > 0; i--) {
        ordinals[i - 1] = x->undo[at - 1];
        at -= 2 + 2 * x->undo[at - 2];
    }
    mc_walk_note(d, kind, f, slot, 0, ordinals, d->frames - 1);
    free(ordinals);
    if (!d->space->o.keep_going || d->s.errors >= d->space->o.most_errors) d->s.stop = MC_ERROR;
}

static bool widen32(uint32_t **at, uint64_t *room, uint64_t wanted)
{
    void *p = *at;
    bool wide = mc_widen(&p, room, wanted, 4);
    *at = p;
    return wide;
}

static bool look_ahead(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_walk *d = context;
    struct mc_hashed *x = d->hashed;
    d->s.transitions++;
    if (s->fault) {
        d->s.faults++;
        note(d, MC_FAULT, s->fault, s->slot);
        return true;
    }
    uint64_t hash = x->hash_of[d->frames - 1];
    for (uint32_t i = 0; i < s->changed; i++) {
        uint32_t c = s->changes[2 * i];
        hash ^= hash_part(c, w->v[c]) ^ hash_part(c, s->changes[2 * i + 1]);
    }
    if (!is_fresh(x, hash)) return true;
    if (!widen32(&x->word, &x->words_room, x->words + 2 * s->changed + 2)) {
        d->s.stop = MC_MEMORY;
        return false;
    }
    memcpy(x->word + x->words, s->changes, 8ull * s->changed);
    x->words += 2 * s->changed;
    x->word[x->words++] = s->changed;
    x->word[x->words++] = s->ordinal;
    return true;
}

/* The state in `v`, which is in the store by now. */
static void enter(struct mc_walk *d, uint64_t hash)
{
    struct mc_hashed *x = d->hashed;
    void *frame = x->frame, *hashes = x->hash_of;
    bool wide = mc_widen(&frame, &x->frames_room, d->frames + 1, 8);
    x->frame = frame;
    wide = wide && mc_widen(&hashes, &x->hashes_room, d->frames + 1, 8);
    x->hash_of = hashes;
    if (!wide) {
        d->s.stop = MC_MEMORY;
        return;
    }
    x->frame[d->frames] = x->words;
    x->hash_of[d->frames++] = hash;
    if (d->frames > d->c.most_on_stack) d->c.most_on_stack = d->frames;
    d->s.depth = (uint32_t)d->c.most_on_stack - 1;
    d->c.visits++;
    enum mc_end end = mc_expand(&d->worker, look_ahead, d);
    d->s.expanded++;
    if (end == MC_ENDED) d->s.ends++;
    if (end == MC_DEADLOCKED) {
        d->s.deadlocks++;
        note(d, MC_DEADLOCK, NULL, 0);
    }
}

static void take_back(struct mc_walk *d)
{
    struct mc_hashed *x = d->hashed;
    uint32_t n = x->undo[x->undos - 2];
    x->undos -= 2 + 2 * n;
    for (uint32_t i = n; i-- > 0;) d->worker.v[x->undo[x->undos + 2 * i]] = x->undo[x->undos + 2 * i + 1];
}

/* The last of the successors that are still to be visited. */
static void step(struct mc_walk *d)
{
    struct mc_hashed *x = d->hashed;
    uint32_t ordinal = x->word[x->words - 1], n = x->word[x->words - 2], *v = d->worker.v;
    uint64_t hash = x->hash_of[d->frames - 1];
    x->words -= 2 + 2 * n;
    if (!widen32(&x->undo, &x->undos_room, x->undos + 2 * n + 2)) {
        d->s.stop = MC_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = x->word[x->words + 2 * i], value = x->word[x->words + 2 * i + 1];
        hash ^= hash_part(c, v[c]) ^ hash_part(c, value);
        x->undo[x->undos++] = c;
        x->undo[x->undos++] = v[c];
        v[c] = value;
    }
    x->undo[x->undos++] = n;
    x->undo[x->undos++] = ordinal;
    if (insert(d, hash)) enter(d, hash);
    else take_back(d);
}

void mc_hashed_run(struct mc_walk *d, double begin, double seconds)
{
    struct mc_hashed *x = d->hashed;
    size_t size = 4ull * d->space->p.components;
    d->worker.rootless = true;
    memcpy(d->worker.v, x->v, size);
    if (!d->started) {
        d->started = true;
        uint64_t hash = 0;
        mc_initial(&d->worker);
        for (uint32_t c = 0; c < d->space->p.components; c++) hash ^= hash_part(c, d->worker.v[c]);
        insert(d, hash);
        enter(d, hash);
    }
    while (d->frames && d->s.stop == MC_COMPLETE) {
        if (x->words > x->frame[d->frames - 1]) {
            step(d);
            mc_walk_look_at_limits(d, begin, seconds);
        } else if (--d->frames) take_back(d);
    }
    memcpy(x->v, d->worker.v, size);
    d->worker.rootless = false;
}
