/* The states of a search on disk in the order of their numbers: the first ones' roots are found again from the logs, and lie
 * in a file meanwhile; those found later have been written with their roots. */
#include "disk/spill.h"
#include "search/path_log.h"

enum { AT_ONCE = 1 << 12 };

struct numbered {
    struct mc_engine *e;
    bool (*visit)(uint64_t root, uint64_t number, void *context);
    void *context;
    struct mc_file file;   /* roots by number */
    uint64_t *end, *part;  /* those that are not in the file yet, and some that are */
    uint64_t count, written, part_first, part_count;
    uint32_t *ordinal;     /* of one state's successors */
    uint64_t *root;
    uint32_t room;
    bool good, enough;
};

static void next_root(struct numbered *x, uint64_t root)
{
    if (x->enough || !x->good) return;
    if (x->count - x->written == AT_ONCE) {
        x->good = mc_file_put(&x->file, mc_file_take(&x->file, 8 * AT_ONCE), x->end, 8 * AT_ONCE);
        x->written = x->count;
    }
    x->end[x->count - x->written] = root;
    x->enough = !x->visit(root, x->count++, x->context);
}

static uint64_t root_of(struct numbered *x, uint64_t number)
{
    if (number >= x->written) return x->end[number - x->written];
    if (number - x->part_first >= x->part_count) {
        uint64_t left = x->written - number;
        x->part_first = number;
        x->part_count = left < AT_ONCE ? left : AT_ONCE;
        x->good &= mc_file_get(&x->file, 8 * number, x->part, 8 * x->part_count);
        if (!x->good) return 0;
    }
    return x->part[number - x->part_first];
}

static bool more_ordinals(struct numbered *x, uint32_t count)
{
    if (count < x->room) return true;
    uint32_t room = x->room ? x->room * 2 : 64;
    uint32_t *ordinal = realloc(x->ordinal, 4ull * room);
    if (ordinal) x->ordinal = ordinal;
    uint64_t *root = realloc(x->root, 8ull * room);
    if (root) x->root = root;
    if (ordinal && root) x->room = room;
    return ordinal && root;
}

/* States of one thread's log, up to the number `end`: those of one finder are found together. */
static void from_log(struct numbered *x, const struct mc_mark *m, uint64_t end)
{
    struct mc_worker *w = &x->e->searcher[0]->worker;
    struct mc_steps r;
    mc_start_reading(x->e, m, &r);
    if (x->count < end) mc_next_step(&r);
    while (x->count < end && x->good && !x->enough && !x->e->interrupted) {
        uint64_t owner = r.owner;
        uint32_t n = 0;
        do {
            x->good &= more_ordinals(x, n);
            if (!x->good) return;
            x->ordinal[n++] = r.ordinal;
            if (x->count + n < end) mc_next_step(&r);
        } while (x->count + n < end && r.owner == owner);
        mc_decode(w, root_of(x, owner));
        w->early = mc_is_early_state(&x->e->space, owner);
        if (x->good) mc_expand_named(w, x->ordinal, x->root, n);
        w->early = false;
        for (uint32_t i = 0; i < n; i++) next_root(x, x->root[i]);
    }
}

static void from_records(struct numbered *x, const struct mc_mark *m, uint64_t end)
{
    struct mc_record r[256];
    while (x->count < end && x->good && !x->enough && !x->e->interrupted) {
        uint64_t left = end - x->count, n = left < 256 ? left : 256;
        x->good = mc_file_get(&x->e->spill->states, m->at + (x->count - m->first) * sizeof *r, r, n * sizeof *r);
        for (uint64_t i = 0; i < n && x->good; i++) next_root(x, r[i].key);
    }
}

bool mc_each_by_number(struct mc_engine *e, bool (*visit)(uint64_t root, uint64_t number, void *context), void *context)
{
    struct numbered x = {.e = e, .visit = visit, .context = context};
    x.end = malloc(8 * AT_ONCE);
    x.part = malloc(8 * AT_ONCE);
    x.good = x.end && x.part && mc_file_new(&e->spill->disk, &x.file);
    if (x.good) next_root(&x, mc_initial(&e->searcher[0]->worker));
    for (uint64_t k = 0; k < e->marks_count && x.good && !x.enough && !e->interrupted; k++) {
        uint64_t end = k + 1 < e->marks_count ? e->marks[k + 1].first : e->levels_end;
        (e->marks[k].searcher == MC_ON_DISK ? from_records : from_log)(&x, &e->marks[k], end);
    }
    mc_file_free(&x.file);
    free(x.end);
    free(x.part);
    free(x.ordinal);
    free(x.root);
    return x.good && !e->interrupted;
}
