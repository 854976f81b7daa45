/* The set of states grows in place: from the last line to the first, what a line holds goes to lines that have been emptied
 * already, or are new. Its entries' new lines lie in the same order, all in one window that moves down; so how much is used of each
 * line of the window is known without a look at it.
 *
 * Several threads do it in phases. A phase empties lines from `a` up to `b`, all of which go to `b` and beyond; so within a phase
 * its pieces are moved at the same time. The last lines of each piece go to lines that the piece after it fills, too: these are
 * moved at the end of the phase, by one thread, who looks at what is used.
 */
#include "store/grown_set.h"

enum { ASIDE = 160 };  /* the first lines, which go to each other: they are moved last */
enum { WINDOW = 256, MOST_RATIO = 8 }; /* an old line's entries go to fewer than 15 * ratio + 16 lines */
enum { BORDER = 32 };  /* 18 lines become more than 20: an entry's lines from its home on are no more than 15 */
enum { PIECES = 16, LEAST_LINES = 1 << 12, MOST_PHASES = 128 };

static uint64_t least_of(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The first line that an entry of this old line, or of one after it, may go to. */
static uint64_t lowest_of(const struct mc_roots *old, const struct mc_roots *new, uint64_t line)
{
    uint64_t home = line > MC_MOST_MOVED ? line - MC_MOST_MOVED : 0;
    return (uint64_t)((unsigned __int128)mc_first_of(old, home) * new->lines >> MC_MIXED_BITS);
}

/* --- lines in order ------------------------------------------------------------------------------------------------- */

struct window {
    const struct mc_roots *old, *new;
    uint64_t lowest;      /* its first line */
    uint8_t used[WINDOW]; /* of each line from there on, by its number */
    uint64_t known;       /* from this old home on: */
    uint64_t first[2 * MC_TAIL]; /* the least of what has it, by the home */
};

/* For the lines below `end`, from the last on. */
static void open_window(struct window *w, const struct mc_roots *old, const struct mc_roots *new, uint64_t end)
{
    memset(w, 0, sizeof *w);
    w->old = old;
    w->new = new;
    w->lowest = lowest_of(old, new, end + MC_MOST_MOVED) + MC_TAIL;
    w->known = end;
}

static void move_window(struct window *w, uint64_t line)
{
    uint64_t lowest = lowest_of(w->old, w->new, line), home = line > MC_MOST_MOVED ? line - MC_MOST_MOVED : 0;
    while (w->lowest > lowest) w->used[--w->lowest % WINDOW] = 0;
    while (w->known > home) {
        w->known--;
        w->first[w->known % (2 * MC_TAIL)] = mc_first_of(w->old, w->known);
    }
}

/* The entries of an old line; those of the lines after it have been moved. */
static bool move_line_in_order(struct window *w, uint64_t line, const uint32_t *entry)
{
    move_window(w, line);
    for (uint32_t i = 0; i < MC_LINE && entry[i]; i++) {
        uint64_t home = line - ((entry[i] - 1) >> MC_REST_BITS);
        uint64_t mixed = mc_mixed_from(w->old, w->first[home % (2 * MC_TAIL)], entry[i]);
        uint64_t to = mc_home(w->new, mixed);
        uint32_t moved = 0;
        while (w->used[(to + moved) % WINDOW] == MC_LINE)
            if (++moved > MC_MOST_MOVED) return false;
        uint32_t at = w->used[(to + moved) % WINDOW]++;
        w->new->entry[(to + moved) * MC_LINE + at] = (moved << MC_REST_BITS | mc_left_over(w->new, mixed)) + 1;
    }
    return true;
}

static bool move_lines_in_order(const struct mc_roots *old, const struct mc_roots *new, uint64_t begin, uint64_t end)
{
    struct window w;
    uint32_t line[MC_LINE];
    bool moved = true;
    open_window(&w, old, new, end);
    for (uint64_t l = end; l-- > begin;) {
        memcpy(line, new->entry + l * MC_LINE, sizeof line);
        memset(new->entry + l * MC_LINE, 0, sizeof line);
        moved &= move_line_in_order(&w, l, line);
    }
    return moved;
}

/* --- lines by themselves -------------------------------------------------------------------------------------------- */

static bool move_line(const struct mc_roots *old, const struct mc_roots *new, uint64_t line, const uint32_t *entry)
{
    for (uint32_t i = 0; i < MC_LINE && entry[i]; i++)
        if (!mc_place(new, mc_mixed_of(old, line, entry[i]))) return false;
    return true;
}

static bool move_lines(const struct mc_roots *old, const struct mc_roots *new, uint64_t begin, uint64_t end)
{
    uint32_t line[MC_LINE];
    bool moved = true;
    for (uint64_t l = end; l-- > begin;) {
        memcpy(line, new->entry + l * MC_LINE, sizeof line);
        memset(new->entry + l * MC_LINE, 0, sizeof line);
        moved &= move_line(old, new, l, line);
    }
    return moved;
}

/* Some lines wait aside until others have been moved. */
struct aside {
    uint64_t begin, lines;
    uint32_t line[ASIDE * MC_LINE];
};

static void put_aside(const struct mc_roots *new, struct aside *x)
{
    uint64_t bytes = x->lines * MC_LINE * sizeof *x->line;
    memcpy(x->line, new->entry + x->begin * MC_LINE, bytes);
    memset(new->entry + x->begin * MC_LINE, 0, bytes);
}

static bool move_aside(const struct mc_roots *old, const struct mc_roots *new, const struct aside *x)
{
    bool moved = true;
    for (uint64_t i = x->lines; i-- > 0;) moved &= move_line(old, new, x->begin + i, x->line + i * MC_LINE);
    return moved;
}

/* --- all together --------------------------------------------------------------------------------------------------- */

struct growth {
    const struct mc_roots *old, *new;
    uint64_t end[MOST_PHASES + 1]; /* of each phase's lines; they begin where those of the next one end */
    uint32_t phases;
    uint8_t apart[MC_APART];
    _Atomic uint32_t begun, done, ready; /* pieces of all phases; phases that may begin */
    _Atomic bool failed;
};

static void plan(struct growth *g)
{
    uint64_t end = g->end[0] = g->old->lines + MC_TAIL;
    while (g->phases < MOST_PHASES) {
        uint64_t begin = (uint64_t)((double)end * (double)g->old->lines / (double)g->new->lines); /* about */
        while (lowest_of(g->old, g->new, begin) < end) begin++;
        if (begin + LEAST_LINES > end || begin < LEAST_LINES) return;
        g->end[++g->phases] = end = begin;
    }
}

static uint64_t piece_at(const struct growth *g, uint32_t phase, uint32_t piece)
{
    return g->end[phase + 1] + (g->end[phase] - g->end[phase + 1]) * piece / PIECES;
}

static void end_phase(struct growth *g, uint32_t phase)
{
    for (uint32_t i = 1; i <= PIECES; i++) {
        uint64_t end = piece_at(g, phase, i);
        if (!move_lines(g->old, g->new, end - BORDER, end)) g->failed = true;
    }
    atomic_store_explicit(&g->ready, phase + 2, memory_order_release);
}

static void move_pieces(void *of)
{
    struct growth *g = of;
    uint32_t i;
    while ((i = atomic_fetch_add(&g->begun, 1)) < g->phases * PIECES) {
        uint32_t phase = i / PIECES;
        for (uint32_t tries = 1; atomic_load_explicit(&g->ready, memory_order_acquire) <= phase; tries++)
            if (tries % 64 == 0) sched_yield();
        if (!move_lines_in_order(g->old, g->new, piece_at(g, phase, i % PIECES), piece_at(g, phase, i % PIECES + 1) - BORDER))
            g->failed = true;
        if (atomic_fetch_add(&g->done, 1) + 1 == (phase + 1) * PIECES) end_phase(g, phase);
    }
}

/* All lines below `end`; what the lines from there on held has been moved. */
static bool move_rest(const struct mc_roots *old, const struct mc_roots *new, uint64_t end)
{
    struct aside first = {.begin = 0, .lines = least_of(ASIDE, end)}, last = {.begin = end};
    bool in_order = new->lines / old->lines < MOST_RATIO, moved;
    if (end < old->lines && end - first.lines > BORDER) last = (struct aside){.begin = end - BORDER, .lines = BORDER};
    put_aside(new, &last);
    moved = (in_order ? move_lines_in_order : move_lines)(old, new, first.lines, last.begin);
    moved &= move_aside(old, new, &last);
    put_aside(new, &first);
    return move_aside(old, new, &first) && moved;
}

static bool move_all(const struct mc_roots *old, const struct mc_roots *new, struct mc_crew *crew)
{
    struct growth g = {.old = old, .new = new, .ready = 1};
    plan(&g);
    if (!crew || crew->working == 1 || new->lines / old->lines >= MOST_RATIO) g.phases = 0;
    if (g.phases) mc_all_do(crew, move_pieces, &g);
    return move_rest(old, new, g.end[g.phases]) && !g.failed;
}

bool mc_roots_grow(struct mc_roots *r, uint64_t lines, uint64_t a_count, uint64_t b_count, struct mc_crew *crew)
{
    struct mc_roots old = *r;
    if (lines < old.lines + old.lines / 8) lines = old.lines + old.lines / 8; /* or lines would not move far enough */
    while (!mc_shape(r, lines, a_count, b_count)) lines *= 2;
    r->entry = mc_grown(old.entry, mc_roots_bytes(&old), mc_roots_bytes(r));
    if (!r->entry) {
        *r = old;
        return false;
    }
    mc_huge(r->entry, mc_roots_bytes(r));
    return move_all(&old, r, crew);
}
