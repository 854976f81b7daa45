/* Depth-first search that keeps of each state only a hash (8 bytes), or three bits: a state that is taken for another one
 * is not visited, so what it finds is right, but that nothing is found is no proof.
 *
 * The state that is looked at is changed step by step and back again; pairs are not numbered, only components are.
 */
#include "base/hyperloglog.h"
#include "walk/bitstate.h"

enum { MC_HASH_BITS_A_STATE = 3, FIRST_PLACES = 1024, SHARE_OF_FIELD = 4 };

struct hashed {
    uint64_t *hash; /* 0: free */
    uint64_t places, used;
    uint64_t *bit, bits, bits_set; /* bit: NULL while hashes take less than a share of the field */
    uint32_t *word;  /* of each successor that is still to be visited: its changes, their number, its ordinal */
    uint64_t words, words_room;
    uint32_t *undo;  /* of each state on the stack but the first: what the step changed, how much, and its ordinal */
    uint64_t undos, undos_room;
    uint64_t frames; /* states on the stack */
    uint64_t *frame; /* where the successors of each state on the stack begin */
    uint64_t *hash_of; /* each state on the stack */
    uint64_t frames_room, hashes_room;
    uint32_t *v; /* the state, while others use the worker */
    uint32_t *shuffled;
    uint64_t shuffled_room;
    bool started;
    struct mc_one_of_swarm one; /* of a swarm: how this search is told apart from the others */
};

/* For bits rather than so many hashes. */
static bool is_small_field(const struct hashed *x, uint64_t places) { return x->bits && 8 * places > x->bits / 8 / SHARE_OF_FIELD; }

static bool make_field(struct hashed *x)
{
    x->bit = calloc(x->bits / 64, 8);
    return x->bit != NULL;
}

static bool begin_hashed(struct mc_walk *d)
{
    struct hashed *x = d->context = calloc(1, sizeof *x);
    if (!x) return false;
    x->v = calloc(d->space->p.components, 4);
    x->one.functions = MC_HASH_BITS_A_STATE;
    x->one.most_bits = x->one.most_steps = UINT64_MAX;
    if (!x->v) return false;
    if (d->o.how != MC_HASHED) {
        uint64_t bytes = d->o.most_stored ? d->o.most_stored * 2 : d->space->o.most_memory ? d->space->o.most_memory / 4 * 3 : 1u << 27;
        x->bits = (bytes < 64 ? 64 : bytes) / 8 * 64;
        if (is_small_field(x, FIRST_PLACES)) return make_field(x);
    }
    x->places = FIRST_PLACES;
    x->hash = calloc(x->places, 8);
    return x->hash != NULL;
}

static void free_hashed(struct mc_walk *d)
{
    struct hashed *x = d->context;
    free(x->v);
    free(x->hash);
    free(x->bit);
    mc_release(x->word, 4 * x->words_room);
    mc_release(x->shuffled, 4 * x->shuffled_room);
    mc_release(x->undo, 4 * x->undos_room);
    mc_release(x->frame, 8 * x->frames_room);
    mc_release(x->hash_of, 8 * x->hashes_room);
    free(x);
}

uint64_t mc_hashed_stack_bytes(const struct mc_walk *d)
{
    const struct hashed *x = d->context;
    return 4 * (x->words + x->undos) + 16 * x->frames;
}

bool mc_hashed_is_through(const struct mc_walk *d)
{
    const struct hashed *x = d->context;
    return x->frames == 0;
}

static void measure(struct mc_walk *d)
{
    const struct hashed *x = d->context;
    d->s.table_bytes = 8 * x->places + (x->bit ? x->bits / 8 : 0);
    d->s.frontier_bytes = mc_hashed_stack_bytes(d);
}

static uint64_t count_distinct(const struct mc_walk *d) { return d->c.visits; }

/* --- the store ---------------------------------------------------------------------------------------------------- */

static uint64_t part_of(uint64_t hash, uint64_t places) { return (uint64_t)((unsigned __int128)hash * places >> 64); }

static bool put_hash(struct hashed *x, uint64_t hash)
{
    uint64_t i = part_of(hash, x->places);
    for (; x->hash[i]; i = i + 1 == x->places ? 0 : i + 1)
        if (x->hash[i] == hash) return false;
    x->hash[i] = hash;
    return true;
}

static bool grow(struct hashed *x)
{
    struct hashed old = *x;
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

static bool set_bits(struct hashed *x, uint64_t hash, bool look_only)
{
    if (x->one.seed) hash = mc_mix(hash ^ x->one.seed);
    uint64_t second = mc_mix(hash) | 1;
    bool fresh = false;
    for (uint32_t k = 0; k < x->one.functions; k++, hash += second) {
        uint64_t bit = part_of(hash, x->bits);
        if (x->bit[bit / 64] >> bit % 64 & 1) continue;
        fresh = true;
        if (look_only) return true;
        x->bit[bit / 64] |= 1ull << bit % 64;
        x->bits_set++;
    }
    return fresh;
}

/* What has been found so far was told apart by its hashes; from now on it is by bits. */
static bool go_on_with_bits(struct hashed *x)
{
    if (!make_field(x)) return false;
    for (uint64_t i = 0; i < x->places; i++)
        if (x->hash[i]) set_bits(x, x->hash[i], false);
    free(x->hash);
    x->hash = NULL;
    x->places = 0;
    return true;
}

bool mc_hashed_begin(struct mc_walk *d, const struct mc_one_of_swarm *one)
{
    struct hashed *x = d->context;
    if (!x->bit && !go_on_with_bits(x)) return false;
    memset(x->bit, 0, x->bits / 8);
    x->bits_set = x->words = x->undos = 0;
    x->one = *one;
    x->frames = 0;
    x->started = false;
    return true;
}

static bool is_fresh(const struct hashed *x, uint64_t hash)
{
    if (x->bit) return set_bits((struct hashed *)x, hash, true);
    hash += !hash;
    for (uint64_t i = part_of(hash, x->places); x->hash[i]; i = i + 1 == x->places ? 0 : i + 1)
        if (x->hash[i] == hash) return false;
    return true;
}

/* True if it was not there. `omitted`: how many states are expected to have been taken for others so far. */
static bool insert(struct mc_walk *d, uint64_t hash)
{
    struct hashed *x = d->context;
    bool narrow = !x->bit && x->used * 10 >= x->places * 9;
    if (narrow && !(is_small_field(x, x->places + x->places / 4) ? go_on_with_bits(x) : grow(x))) {
        d->s.stop = MC_MEMORY;
        return false;
    }
    if (x->bit) {
        double full = (double)x->bits_set / (double)x->bits, all = full;
        if (!set_bits(x, hash, false)) return false;
        for (uint32_t k = 1; k < x->one.functions; k++) all *= full;
        d->c.omitted += all;
        return true;
    }
    if (!put_hash(x, hash + !hash)) return false;
    d->c.omitted += (double)x->used++ / 18446744073709551616.0;
    return true;
}

/* --- the search ----------------------------------------------------------------------------------------------------- */

static void note(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot)
{
    const struct hashed *x = d->context;
    uint32_t *ordinals = malloc(4 * x->frames + 4);
    if (!ordinals) {
        d->s.stop = MC_MEMORY;
        return;
    }
    for (uint64_t at = x->undos, i = x->frames - 1; i > 0; i--) {
        ordinals[i - 1] = x->undo[at - 1];
        at -= 2 + 2 * x->undo[at - 2];
    }
    mc_walk_note(d, kind, f, slot, 0, ordinals, x->frames - 1);
    free(ordinals);
    if (!mc_walk_goes_on(d, kind)) d->s.stop = MC_ERROR;
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
    struct hashed *x = d->context;
    d->s.transitions++;
    if (s->fault) {
        d->s.faults++;
        note(d, MC_FAULT, s->fault, s->slot);
        return true;
    }
    mc_walk_look_at_invariants(d, s, note);
    uint64_t hash = x->hash_of[x->frames - 1];
    if (x->one.deepest && x->frames > x->one.deepest) return true;
    hash = mc_hash_after(w, hash, s);
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

/* The successors of the last state on the stack, which is taken from its end, in another order. */
static void put_in_order(struct hashed *x, uint64_t from)
{
    uint64_t n = 0, used = x->words - from, to = from;
    if (!used || !widen32(&x->shuffled, &x->shuffled_room, 2 * used)) return; /* without memory they stay */
    uint32_t *begins = x->shuffled + used, *length = begins + used / 2;
    for (uint64_t at = x->words; at > from; n++) {
        length[n] = 2 + 2 * x->word[at - 2];
        at -= length[n];
        begins[n] = (uint32_t)(at - from);
    }
    memcpy(x->shuffled, x->word + from, 4 * used);
    for (uint64_t i = 0; i < n; i++) { /* the last one comes first */
        uint64_t k = i;
        if (x->one.order == MC_BY_CHANCE) {
            x->one.random = x->one.random * 6364136223846793005u + 1442695040888963407u;
            k += (x->one.random >> 32) * (n - i) >> 32;
        }
        memcpy(x->word + to, x->shuffled + begins[k], 4ull * length[k]);
        to += length[k];
        begins[k] = begins[i];
        length[k] = length[i];
    }
}

/* The state in `v`, which is in the store by now. */
static void enter(struct mc_walk *d, uint64_t hash)
{
    struct hashed *x = d->context;
    void *frame = x->frame, *hashes = x->hash_of;
    bool wide = mc_widen(&frame, &x->frames_room, x->frames + 1, 8);
    x->frame = frame;
    wide = wide && mc_widen(&hashes, &x->hashes_room, x->frames + 1, 8);
    x->hash_of = hashes;
    if (!wide) {
        d->s.stop = MC_MEMORY;
        return;
    }
    x->frame[x->frames] = x->words;
    x->hash_of[x->frames++] = hash;
    if (x->frames > d->c.most_on_stack) d->c.most_on_stack = x->frames;
    d->s.depth = (uint32_t)d->c.most_on_stack - 1;
    d->c.visits++;
    if (x->one.sketch) mc_sketch_add(x->one.sketch, mc_mix(hash));
    enum mc_end end = mc_expand(&d->worker, look_ahead, d);
    if (x->one.order != MC_LAST_FIRST) put_in_order(x, x->frame[x->frames - 1]);
    d->s.expanded++;
    if (end == MC_ENDED) d->s.ends++;
    if (end != MC_GOES_ON) mc_walk_look_at_invariants(d, NULL, note);
    if (end == MC_DEADLOCKED) {
        d->s.deadlocks++;
        note(d, MC_DEADLOCK, NULL, 0);
    }
}

static void take_back(struct mc_walk *d)
{
    struct hashed *x = d->context;
    uint32_t n = x->undo[x->undos - 2];
    x->undos -= 2 + 2 * n;
    for (uint32_t i = n; i-- > 0;) d->worker.v[x->undo[x->undos + 2 * i]] = x->undo[x->undos + 2 * i + 1];
}

/* The last of the successors that are still to be visited. */
static void step(struct mc_walk *d)
{
    struct hashed *x = d->context;
    uint32_t ordinal = x->word[x->words - 1], n = x->word[x->words - 2], *v = d->worker.v;
    uint64_t hash = x->hash_of[x->frames - 1];
    x->words -= 2 + 2 * n;
    if (!widen32(&x->undo, &x->undos_room, x->undos + 2 * n + 2)) {
        d->s.stop = MC_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = x->word[x->words + 2 * i], value = x->word[x->words + 2 * i + 1];
        hash ^= mc_hash_part(c, v[c]) ^ mc_hash_part(c, value);
        x->undo[x->undos++] = c;
        x->undo[x->undos++] = v[c];
        v[c] = value;
    }
    x->undo[x->undos++] = n;
    x->undo[x->undos++] = ordinal;
    if (insert(d, hash)) enter(d, hash);
    else take_back(d);
}

static void run(struct mc_walk *d, double begin, double seconds)
{
    struct hashed *x = d->context;
    size_t size = 4ull * d->space->p.components;
    d->worker.rootless = true;
    memcpy(d->worker.v, x->v, size);
    if (!x->started) {
        x->started = true;
        mc_initial(&d->worker);
        uint64_t hash = mc_hash_here(&d->worker);
        insert(d, hash);
        enter(d, hash);
    }
    while (x->frames && d->s.stop == MC_COMPLETE && x->bits_set < x->one.most_bits && d->s.expanded < x->one.most_steps) {
        if (__builtin_expect(mc_wanted_alone(&d->space->crew), 0)) mc_rest(&d->space->crew);
        if (x->words > x->frame[x->frames - 1]) {
            step(d);
            mc_walk_look_at_limits(d, begin, seconds);
        } else if (--x->frames) take_back(d);
    }
    memcpy(x->v, d->worker.v, size);
    d->worker.rootless = false;
}

const struct mc_search_ops mc_hashed = {
    .name = "hash compaction, bitstate",
    .begin = begin_hashed,
    .run = run,
    .free = free_hashed,
    .measure = measure,
    .count_distinct = count_distinct,
};
