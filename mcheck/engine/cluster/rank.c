/* The levels of a distributed search, as one rank goes through them, and what it has come to. */
#include "api/invariants.h"
#include "cluster/cluster.h"
#include "model/half_state_cache.h"
#include "model/variable_order.h"
#include "search/recompile.h"

#include <errno.h>

enum { FILTER = 1 << 12, MOST_ON_WAYS = 1 << 20, STATES_A_FILTER_ENTRY = 4 };

/* --- beginning and ending -------------------------------------------------------------------------------------- */

static uint32_t owner_of(void *context, uint64_t root)
{
    struct mc_engine *e = context;
    return mc_cluster_owner(e->cluster, &e->space, root);
}

static void hand_over(struct mc_searcher *x, uint64_t root)
{
    struct mc_engine *e = x->e;
    struct mc_cluster *c = e->cluster;
    uint64_t *kept = &c->filter[mc_mix(root) & c->filter_mask];
    if (*kept == root + 1) {
        c->counts.filtered++;
        return;
    }
    *kept = root + 1;
    c->counts.handed_over++;
    mc_cluster_put_root(e, mc_cluster_owner(c, &e->space, root), root);
    if (c->no_memory) e->space.crew.out_of_memory = true;
}

static uint64_t bytes_of(const struct mc_engine *e)
{
    const struct mc_cluster *c = e->cluster;
    uint64_t sum = 8 * (c->filter_mask + 1 + c->half_room[0] + c->half_room[1] + c->roots_room);
    for (uint32_t i = 0; i < c->ranks; i++) {
        const struct mc_peer *peer = &c->peer[i];
        sum += 4 * (peer->box.room + peer->answers.room);
        for (uint32_t k = 0; k < c->kinds; k++) sum += 8 * peer->to[k].sent_room + 4 * peer->from[k].room;
    }
    return sum;
}

static void free_peer(struct mc_cluster *c, struct mc_peer *peer)
{
    mc_release(peer->box.word, 4 * peer->box.room);
    mc_release(peer->answers.word, 4 * peer->answers.room);
    for (uint32_t k = 0; peer->to && k < c->kinds; k++) mc_release(peer->to[k].sent, 8 * peer->to[k].sent_room);
    for (uint32_t k = 0; peer->from && k < c->kinds; k++) mc_release(peer->from[k].own, 4 * peer->from[k].room);
    free(peer->to);
    free(peer->from);
}

static void free_cluster(struct mc_engine *e)
{
    struct mc_cluster *c = e->cluster;
    mc_cluster_way_end(e);
    mc_cluster_stuck_end(e);
    for (uint32_t i = 0; c->peer && i < c->ranks; i++) free_peer(c, &c->peer[i]);
    for (uint32_t i = 0; i < 2; i++) mc_release(c->half_hash[i], 8 * c->half_room[i]);
    mc_release(c->roots, 8 * c->roots_room);
    mc_release(c->level, 8 * c->level_room);
    if (c->file.disk) mc_file_free(&c->file);
    if (c->own) mc_worker_free(c->own);
    free(c->own);
    free(c->disk.folder);
    free(c->filter);
    free(c->peer);
    free(c);
    e->shares = NULL;
    e->cluster = NULL;
}

static const struct mc_cluster_ops ops = {hand_over, bytes_of, free_cluster};

/* Nothing that depends on what one engine has found before. (Who chooses slots does not if it is unranked: api/partial_order.h.) */
static bool is_plain(const struct mc_engine *e)
{
    const struct mc_space *s = &e->space;
    return !e->levels_end && !mc_is_attached(s, MC_PASS) && !mc_is_attached(s, MC_CANONICAL);
}

static bool make(struct mc_engine *e, const struct mc_cluster_options *o)
{
    struct mc_cluster *c = e->cluster;
    uint64_t filter = o->filter ? o->filter : FILTER;
    c->rank = o->rank;
    c->ranks = o->ranks;
    c->most_on_ways = o->most_on_ways ? o->most_on_ways : MOST_ON_WAYS;
    c->kinds = e->space.p.classes + e->space.nodes - e->space.p.components;
    c->peer = calloc(c->ranks, sizeof *c->peer);
    c->filter = calloc(filter, sizeof *c->filter);
    c->filter_mask = filter - 1;
    c->own = calloc(1, sizeof *c->own);
    if (!c->peer || !c->filter || !c->own || !mc_worker_new(c->own, &e->space)) return false;
    for (uint32_t i = 0; i < c->ranks; i++) {
        c->peer[i].to = calloc(c->kinds, sizeof *c->peer[i].to);
        c->peer[i].from = calloc(c->kinds, sizeof *c->peer[i].from);
        if (!c->peer[i].to || !c->peer[i].from) return false;
    }
    return true;
}

/* The initial state is its owner's only. */
static bool start(struct mc_engine *e)
{
    struct mc_searcher *x = e->searcher[0];
    uint64_t root = mc_initial(&x->worker);
    if (mc_cluster_owner(e->cluster, &e->space, root) == e->cluster->rank) mc_take_successor(x, root, 0);
    return mc_cluster_end_level(e) != UINT64_MAX;
}

uint32_t mc_cluster_begin(struct mc_engine *e, const struct mc_cluster_options *o, const char *folder)
{
    if (!o->ranks || o->ranks > MC_MOST_CLUSTER || o->rank >= o->ranks || !is_plain(e) || e->threads != 1 || e->shares) return EINVAL;
    e->cluster = calloc(1, sizeof *e->cluster);
    if (!e->cluster) return ENOMEM;
    e->shares = &ops;
    e->spills = NULL; /* what has no room ends the search */
    if (!e->is_ordered && !mc_order_by_sample(&e->space)) return ENOMEM;
    e->is_ordered = true;
    if (!make(e, o) || !mc_make_searcher(e)) return ENOMEM;
    if (folder) {
        e->cluster->disk.folder = strdup(folder);
        if (!e->cluster->disk.folder || !mc_file_new(&e->cluster->disk, &e->cluster->file)) return e->cluster->disk.error ? (uint32_t)e->cluster->disk.error : ENOMEM;
    }
    e->store.rank = o->rank;
    e->store.owner = owner_of;
    e->store.context = e;
    return start(e) ? 0 : ENOMEM;
}

static uint64_t hash_more(uint64_t hash, const void *bytes, uint32_t n) { return mc_mix(hash + mc_hash_bytes(bytes, n)); }

uint64_t mc_cluster_likeness(const struct mc_engine *e)
{
    const struct mc_space *s = &e->space;
    uint64_t hash = hash_more(s->p.components, s->p.initial, s->p.block_size);
    for (uint32_t i = 0; i < s->p.components; i++) {
        uint32_t of[3] = {s->p.component[i].class_number, s->p.component[i].size, (uint32_t)s->p.component[i].slot};
        hash = hash_more(hash, of, sizeof of);
    }
    for (uint32_t n = s->p.components; n < s->nodes; n++) {
        uint32_t of[2] = {s->tree[n].left, s->tree[n].right};
        hash = hash_more(hash, of, sizeof of);
    }
    uint32_t of[4] = {s->p.positions, s->p.blocks, s->p.slots, mc_is_attached(s, MC_RESET) | mc_is_attached(s, MC_CHOOSE) << 1};
    return hash_more(hash, of, sizeof of);
}

/* --- a level -------------------------------------------------------------------------------------------------- */

void mc_cluster_go_on(struct mc_engine *e, double seconds)
{
    e->until = e->space.until = mc_now() + seconds;
    e->space.interrupted = &e->interrupted;
    e->halt = MC_COMPLETE;
    e->interrupted = 0;
}

uint32_t mc_cluster_halted(const struct mc_engine *e)
{
    if (e->space.crew.out_of_memory || e->cluster->no_memory) return MC_MEMORY;
    return e->cluster->disk.error ? MC_DISK : e->halt;
}

void mc_cluster_halt(struct mc_engine *e, uint32_t why) { mc_halt(e, why); }

uint64_t mc_cluster_expand(struct mc_engine *e, uint32_t chunks)
{
    struct mc_cluster *c = e->cluster;
    struct mc_searcher *x = e->searcher[0];
    uint64_t left = 0;
    for (; chunks && c->expanded < e->level.count && !mc_cluster_halted(e); chunks--) {
        struct mc_chunk *chunk = &e->level.at[c->expanded];
        mc_expand_chunk(x, chunk);
        if (chunk->done < chunk->count) break;
        mc_give_back(x, chunk->root);
        chunk->root = NULL;
        c->expanded++;
        mc_show_counts(x);
        mc_look_at_limits(e);
    }
    for (uint64_t i = c->expanded; i < e->level.count; i++) left += e->level.at[i].count - e->level.at[i].done;
    return left;
}

void mc_cluster_flush(struct mc_engine *e)
{
    mc_flush_window(e->searcher[0]);
    mc_show_counts(e->searcher[0]);
}

/* Their roots are kept by number. */
static bool keep_roots(struct mc_engine *e)
{
    struct mc_cluster *c = e->cluster;
    for (uint64_t i = 0; i < e->level.count; i++) {
        const struct mc_chunk *chunk = &e->level.at[i];
        void *roots = c->roots;
        if (c->disk.folder) {
            if (!mc_file_put(&c->file, mc_file_take(&c->file, 8ull * chunk->count), chunk->root, 8ull * chunk->count)) return true;
            continue;
        }
        if (!mc_widen(&roots, &c->roots_room, c->roots_count + chunk->count, sizeof *c->roots)) return false;
        c->roots = roots;
        memcpy(c->roots + c->roots_count, chunk->root, 8ull * chunk->count);
        c->roots_count += chunk->count;
    }
    return true;
}

/* Its rooms go; those of states that have not been expanded, too. */
static void drop_level(struct mc_engine *e)
{
    struct mc_cluster *c = e->cluster;
    for (uint64_t i = c->expanded; i < e->level.count; i++)
        if (e->level.at[i].root) mc_give_back(e->searcher[0], e->level.at[i].root);
    e->level.count = c->expanded = 0;
}

/* What is forgotten is only sent once more. */
static void widen_filter(struct mc_engine *e)
{
    struct mc_cluster *c = e->cluster;
    uint64_t room = c->filter_mask + 1;
    if (e->levels_end < room * STATES_A_FILTER_ENTRY) return;
    while (e->levels_end >= room * STATES_A_FILTER_ENTRY) room *= 2;
    uint64_t *wider = calloc(room, sizeof *wider);
    if (!wider) return;
    free(c->filter);
    c->filter = wider;
    c->filter_mask = room - 1;
}

uint64_t mc_cluster_end_level(struct mc_engine *e)
{
    struct mc_cluster *c = e->cluster;
    mc_cluster_flush(e);
    mc_gather_errors(e);
    drop_level(e);
    void *level = c->level;
    if (!mc_widen(&level, &c->level_room, c->levels + 2, sizeof *c->level)) return UINT64_MAX;
    c->level = level;
    if (!c->levels) e->levels_end = 0;
    c->level[c->levels++] = e->levels_end;
    bool memory = mc_next_level(e) && keep_roots(e);
    c->level[c->levels] = e->levels_end;
    widen_filter(e);
    mc_measure(e);
    return memory && !e->space.crew.out_of_memory ? e->level_states : UINT64_MAX;
}

void mc_cluster_begin_level(struct mc_engine *e)
{
    mc_begin_level(e);
    mc_ask_if_slow(e);
}

void mc_cluster_look_for_deadlocks(struct mc_engine *e)
{
    e->only_deadlocks = true;
    while (mc_cluster_expand(e, UINT32_MAX) && !mc_cluster_halted(e)) {}
    e->only_deadlocks = false;
    mc_gather_errors(e);
}

uint32_t mc_cluster_has_enough(const struct mc_engine *e) { return mc_ends_with_errors(e); }
uint32_t mc_cluster_may_be_deadlock(const struct mc_engine *e) { return mc_may_be_deadlock(e); }

uint32_t mc_cluster_set_errors(struct mc_engine *e, const struct mc_error *errors, uint32_t count, uint64_t unclear)
{
    if (count > MC_ERRORS_ROOM) return 0;
    memcpy(e->errors, errors, count * sizeof *errors);
    e->s.errors = count;
    e->space.unclear |= unclear;
    return 1;
}

/* --- what it has come to --------------------------------------------------------------------------------------- */

uint64_t mc_cluster_roots(struct mc_engine *e, uint64_t first, uint64_t *roots)
{
    const struct mc_cluster *c = e->cluster;
    uint64_t n = e->levels_end - first < MC_CHUNK ? e->levels_end - first : MC_CHUNK;
    if (!c->disk.folder) memcpy(roots, c->roots + first, 8 * n);
    else if (!mc_file_get(&c->file, 8 * first, roots, 8 * n)) return 0;
    return n;
}

uint32_t mc_cluster_level_of(const struct mc_engine *e, uint64_t state)
{
    const struct mc_cluster *c = e->cluster;
    uint32_t level = 0;
    while (level + 1 < c->levels && c->level[level + 1] <= state) level++;
    return level;
}

uint32_t mc_cluster_block(struct mc_engine *e, uint64_t state, uint8_t *block)
{
    uint64_t roots[MC_CHUNK];
    if (state >= e->levels_end || !mc_cluster_roots(e, state, roots)) return 0;
    mc_decode(e->cluster->own, roots[0]);
    mc_put_state(e->cluster->own, block);
    return 1;
}

void mc_cluster_get_counts(const struct mc_engine *e, struct mc_cluster_counts *out) { *out = e->cluster->counts; }

/* Of each class the values that are part of states, each with its size before it; then a byte for each block and each slot. */
uint64_t mc_cluster_seen_size(const struct mc_engine *e)
{
    const struct mc_space *s = &e->space;
    uint64_t size = s->p.blocks + s->p.slots;
    for (uint32_t c = 0; c < s->p.classes; c++) {
        const struct mc_values *v = &s->values[c];
        size += 4;
        for (uint32_t n = 0; n < v->count; n++) size += v->seen[n] ? v->size : 0;
    }
    return size;
}

void mc_cluster_put_seen(const struct mc_engine *e, uint8_t *to)
{
    const struct mc_space *s = &e->space;
    memcpy(to, s->passed_in_full, s->p.blocks);
    for (uint32_t n = 0; n < s->passed_sets.count; n++)
        for (uint32_t i = 0; s->passed_sets.seen[n] && i < s->p.blocks; i++) to[i] |= mc_value(&s->passed_sets, n)[i];
    memcpy(to + s->p.blocks, s->slot_seen, s->p.slots);
    to += s->p.blocks + s->p.slots;
    for (uint32_t c = 0; c < s->p.classes; c++) {
        const struct mc_values *v = &s->values[c];
        uint32_t count = 0;
        uint8_t *at = to + 4;
        for (uint32_t n = 0; n < v->count; n++) {
            if (!v->seen[n]) continue;
            memcpy(at, mc_value(v, n), v->size);
            at += v->size;
            count++;
        }
        memcpy(to, &count, 4);
        to = at;
    }
}

uint32_t mc_cluster_add_seen(struct mc_engine *e, const uint8_t *bytes, uint64_t size)
{
    struct mc_space *s = &e->space;
    const uint8_t *end = bytes + size;
    if (size < s->p.blocks + s->p.slots) return 0;
    for (uint32_t i = 0; i < s->p.blocks; i++) s->passed_in_full[i] |= bytes[i];
    for (uint32_t i = 0; i < s->p.slots; i++) s->slot_seen[i] |= bytes[s->p.blocks + i];
    bytes += s->p.blocks + s->p.slots;
    for (uint32_t c = 0; c < s->p.classes; c++) {
        struct mc_values *v = &s->values[c];
        uint32_t count;
        if (end - bytes < 4) return 0;
        memcpy(&count, bytes, 4);
        bytes += 4;
        if ((uint64_t)(end - bytes) < (uint64_t)count * v->size) return 0;
        for (uint32_t i = 0; i < count; i++, bytes += v->size) v->seen[mc_intern_value(v, bytes)] = 1;
    }
    return bytes == end && !s->crew.out_of_memory;
}
