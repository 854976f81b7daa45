/* A search by several ranks. Level by level each rank expands what it owns; successors that it owns itself go into its store at
 * once, the others into a batch for their owner, which has got all of them at the end of the level. See ranks.h. */
#include "api/ranks.h"
#include "model/state_name.h"
#include "search/bfs.h"
#include "store/state_numbers.h"

enum { BATCH = 64, MOST_PARTS = 256 };

struct roots { uint64_t *root; uint64_t count, room; };

/* Names of states on their way to a rank. */
struct outbox { uint8_t *names; uint32_t count; };
/* And that have come there. */
struct inbox { uint8_t *names; uint64_t used, room; };

struct ranks;

struct rank {
    struct ranks *all;
    struct mc_engine *e;
    struct mc_worker *w;  /* that expands, and receives */
    struct mc_worker own; /* that names states, so that `w` keeps the one that it expands */
    struct roots level, next;
    struct outbox out[MC_MOST_RANKS];
    struct inbox in;
    struct mc_pending pending[BATCH];
    uint32_t pendings;
    uint8_t *name;
};

struct ranks {
    struct rank rank[MC_MOST_RANKS];
    uint32_t count, batch;
    uint64_t size; /* of a name */
    struct mc_ranks_options o;
    struct mc_ranks_counts *out;
    uint8_t *parts;
    bool no_memory;
};

static const uint8_t *name_of(struct rank *r, uint64_t root)
{
    mc_decode(&r->own, root);
    mc_put_name(&r->own, r->name);
    return r->name;
}

static uint32_t owner_of(void *context, uint64_t root)
{
    struct rank *r = context;
    const struct ranks *x = r->all;
    const uint8_t *name = name_of(r, root);
    return x->o.owner ? x->o.owner(name, x->size, x->count) : mc_owner_by_hash(name, NULL, x->size, x->count);
}

static bool is_covered(void *context, uint64_t root)
{
    struct rank *r = context;
    return r->all->o.covers(name_of(r, root), r->all->size) != 0;
}

static void add(struct ranks *x, struct roots *to, uint64_t root)
{
    void *roots = to->root;
    if (!mc_widen(&roots, &to->room, to->count + 1, sizeof *to->root)) {
        x->no_memory = true;
        return;
    }
    to->root = roots;
    to->root[to->count++] = root;
}

/* The batch for `to` goes into its inbox. */
static void hand_over(struct rank *from, uint32_t to)
{
    struct ranks *x = from->all;
    struct outbox *box = &from->out[to];
    struct inbox *in = &x->rank[to].in;
    void *names = in->names;
    if (!box->count) return;
    if (mc_widen(&names, &in->room, in->used + box->count * x->size, 1)) {
        in->names = names;
        memcpy(in->names + in->used, box->names, box->count * x->size);
        in->used += box->count * x->size;
    } else {
        x->no_memory = true;
    }
    x->out->handed_over += box->count;
    x->out->batches++;
    box->count = 0;
}

static void send(struct rank *from, uint64_t root)
{
    struct ranks *x = from->all;
    uint32_t to = owner_of(from, root);
    struct outbox *box = &from->out[to];
    memcpy(box->names + box->count++ * x->size, from->name, x->size);
    if (box->count == x->batch) hand_over(from, to);
}

static void store_pending(struct rank *r)
{
    struct ranks *x = r->all;
    uint8_t results[BATCH];
    uint32_t n = r->pendings, answered;
    uint64_t fresh = 0;
    struct mc_pending batch[BATCH];
    memcpy(batch, r->pending, n * sizeof *batch);
    r->pendings = 0;
    answered = mc_insert_batch(r->e, batch, n, results);
    x->no_memory |= answered < n;
    for (uint32_t i = 0; i < answered; i++) {
        if (results[i] == MC_COVERED) x->out->covered++;
        if (results[i] == MC_ELSEWHERE) send(r, batch[i].root);
        if (results[i] != MC_FRESH) continue;
        fresh++;
        add(x, &r->next, batch[i].root);
    }
    mc_count_fresh(r->e, fresh);
    x->out->states += fresh;
    x->out->of_rank[r->e->store.rank] += fresh;
}

static void take(struct rank *r, uint64_t root)
{
    r->pending[r->pendings++] = (struct mc_pending){mc_permute_root(root), root, 0, 0};
    if (r->pendings == BATCH) store_pending(r);
}

/* The batches that have come. */
static void receive(struct rank *r)
{
    uint64_t size = r->all->size;
    for (uint64_t at = 0; at < r->in.used; at += size) take(r, mc_root_of_name(&r->own, r->in.names + at));
    r->in.used = 0;
    store_pending(r);
}

/* At the end of a level everybody has all that is for it. */
static void exchange(struct ranks *x)
{
    for (uint32_t from = 0; from < x->count; from++)
        for (uint32_t to = 0; to < x->count; to++) hand_over(&x->rank[from], to);
    for (uint32_t to = 0; to < x->count; to++) receive(&x->rank[to]);
}

static bool found(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct rank *r = context;
    (void)w;
    r->all->out->transitions++;
    if (s->fault) r->all->out->faults++;
    else take(r, s->root);
    return true;
}

/* True: its parts stand for it. */
static bool is_split(struct rank *r, uint64_t root)
{
    struct ranks *x = r->all;
    uint32_t parts = x->o.split ? x->o.split(name_of(r, root), x->size, x->parts, MOST_PARTS) : 0;
    for (uint32_t i = 0; i < parts; i++) take(r, mc_root_of_name(&r->own, x->parts + i * x->size));
    x->out->splits += parts != 0;
    return parts != 0;
}

static void expand_level(struct rank *r)
{
    struct ranks *x = r->all;
    for (uint64_t i = 0; i < r->level.count && !x->no_memory && !r->w->broken; i++) {
        if (is_split(r, r->level.root[i])) continue;
        mc_decode(r->w, r->level.root[i]);
        enum mc_end end = mc_expand(r->w, found, r);
        x->out->ends += end == MC_ENDED;
        x->out->deadlocks += end == MC_DEADLOCKED;
    }
    store_pending(r);
}

/* What is new becomes the level; false: nothing is. */
static bool next_level(struct ranks *x)
{
    uint64_t states = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        struct roots done = x->rank[i].level;
        x->rank[i].level = x->rank[i].next;
        x->rank[i].next = done;
        x->rank[i].next.count = 0;
        states += x->rank[i].level.count;
    }
    return states != 0;
}

static bool is_plain(const struct mc_engine *e)
{
    const struct mc_space *s = &e->space;
    return !e->levels_end && !mc_is_attached(s, MC_PASS) && !mc_is_attached(s, MC_CHOOSE) && !mc_is_attached(s, MC_CANONICAL);
}

static bool begin_rank(struct ranks *x, uint32_t number, struct mc_engine *e)
{
    struct rank *r = &x->rank[number];
    r->all = x;
    r->e = e;
    if (!mc_worker_new(&r->own, &e->space) || (!e->made && !mc_make_searcher(e))) return false;
    r->w = &e->searcher[0]->worker;
    r->name = malloc(x->size + 1);
    for (uint32_t i = 0; i < x->count; i++)
        if (!(r->out[i].names = malloc(x->batch * x->size + 1))) return false;
    e->store.rank = number;
    e->store.owner = owner_of;
    e->store.is_covered = x->o.covers ? is_covered : mc_not_covered;
    e->store.context = r;
    return r->name != NULL;
}

static void end_rank(struct rank *r)
{
    if (r->own.space) mc_worker_free(&r->own);
    for (uint32_t i = 0; i < r->all->count; i++) free(r->out[i].names);
    mc_release(r->in.names, r->in.room);
    mc_release(r->level.root, 8 * r->level.room);
    mc_release(r->next.root, 8 * r->next.room);
    free(r->name);
    r->e->store.owner = NULL;
    r->e->store.is_covered = NULL;
}

static uint32_t search(struct ranks *x)
{
    struct rank *first = &x->rank[0];
    take(first, mc_initial(&first->own));
    store_pending(first);
    exchange(x);
    while (!x->no_memory && next_level(x)) {
        for (uint32_t i = 0; i < x->count; i++) expand_level(&x->rank[i]);
        exchange(x);
        for (uint32_t i = 0; i < x->count; i++) {
            x->no_memory |= x->rank[i].e->space.crew.out_of_memory;
            if (x->rank[i].w->broken) return MC_BROKEN;
        }
        x->out->depth++;
    }
    x->out->depth -= x->out->depth != 0;
    return x->no_memory ? MC_MEMORY : MC_COMPLETE;
}

uint32_t mc_ranks_search(struct mc_engine *const *engine, uint32_t ranks, const struct mc_ranks_options *o, struct mc_ranks_counts *out)
{
    uint32_t stop = MC_MEMORY, begun = 0;
    memset(out, 0, sizeof *out);
    if (!ranks || ranks > MC_MOST_RANKS) return MC_BROKEN;
    for (uint32_t i = 0; i < ranks; i++)
        if (!is_plain(engine[i])) return MC_BROKEN;
    struct ranks *x = calloc(1, sizeof *x);
    if (!x) return MC_MEMORY;
    x->o = *o;
    x->out = out;
    x->count = ranks;
    x->batch = o->batch ? o->batch : BATCH;
    x->size = mc_name_size(&engine[0]->space);
    x->parts = malloc(MOST_PARTS * x->size + 1);
    bool good = x->parts != NULL;
    for (; begun < ranks && good; begun++) good = begin_rank(x, begun, engine[begun]);
    if (good) stop = search(x);
    for (uint32_t i = 0; i < begun; i++) end_rank(&x->rank[i]);
    free(x->parts);
    free(x);
    return stop;
}
