/* External sorting: parts sorted in memory by their digits, merged by a heap. */
#include "base/external_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/thread_barrier.h"

enum { FEW = 48, DIGITS = 256, LEAST_BUFFER = 256, MOST_BUFFER = 1 << 16 };

/* --- sorting in memory ----------------------------------------------------------------------------------------- */

static inline bool is_before(const struct mc_record *x, const struct mc_record *y)
{
    return x->key < y->key || (x->key == y->key && x->value < y->value);
}

static void sort_few(struct mc_record *r, uint64_t n)
{
    for (uint64_t i = 1; i < n; i++) {
        struct mc_record x = r[i];
        uint64_t k = i;
        for (; k > 0 && is_before(&x, &r[k - 1]); k--) r[k] = r[k - 1];
        r[k] = x;
    }
}

static inline uint32_t digit(const struct mc_record *r, uint32_t which)
{
    return (which < 8 ? r->key >> (56 - 8 * which) : r->value >> (56 - 8 * (which - 8))) & 0xFF;
}

/* By the digits from this one on, of 16 in all: each record goes to the place of its digit, in a circle. */
static void sort_from(struct mc_record *r, uint64_t n, uint32_t which)
{
    uint64_t next[DIGITS], end[DIGITS];
    for (; n > FEW && which < 16; which++) {
        memset(end, 0, sizeof end);
        for (uint64_t i = 0; i < n; i++) end[digit(&r[i], which)]++;
        if (end[digit(&r[0], which)] < n) break; /* or all have the same */
    }
    if (n <= FEW || which == 16) {
        sort_few(r, which == 16 ? 0 : n);
        return;
    }
    for (uint64_t d = 0, sum = 0; d < DIGITS; d++) {
        next[d] = sum;
        sum = end[d] += sum;
    }
    for (uint32_t d = 0; d < DIGITS; d++) {
        while (next[d] < end[d]) {
            struct mc_record x = r[next[d]];
            for (uint32_t to = digit(&x, which); to != d; to = digit(&x, which)) {
                struct mc_record y = r[next[to]];
                r[next[to]++] = x;
                x = y;
            }
            r[next[d]++] = x;
        }
    }
    for (uint64_t d = 0, from = 0; d < DIGITS; from = end[d++])
        if (end[d] - from > 1) sort_from(r + from, end[d] - from, which + 1);
}

void mc_order_records(struct mc_record *r, uint64_t count) { sort_from(r, count, 0); }

uint64_t mc_sort_records(struct mc_record *r, uint64_t count)
{
    uint64_t n = 0;
    mc_order_records(r, count);
    for (uint64_t i = 0; i < count; i++)
        if (n == 0 || r[n - 1].key != r[i].key) r[n++] = r[i];
    return n;
}

/* --- parts in a file -------------------------------------------------------------------------------------------- */

bool mc_pile_new(struct mc_disk *d, struct mc_pile *p)
{
    memset(p, 0, sizeof *p);
    return mc_file_new(d, &p->file);
}

void mc_pile_free(struct mc_pile *p)
{
    mc_file_free(&p->file);
    free(p->part);
    p->part = NULL;
    p->parts = p->room = 0;
}

static bool add_part(struct mc_pile *p, struct mc_part x)
{
    bool added = true;
    mc_lock(&p->lock);
    if (p->parts == p->room) {
        uint32_t room = p->room ? p->room * 2 : 16;
        struct mc_part *part = realloc(p->part, room * sizeof *part);
        added = part != NULL;
        if (added) {
            p->part = part;
            p->room = room;
        }
    }
    if (added) p->part[p->parts++] = x;
    mc_unlock(&p->lock);
    return added;
}

bool mc_pile_put(struct mc_pile *p, const struct mc_record *r, uint64_t count)
{
    if (count == 0) return true;
    uint64_t at = mc_file_take(&p->file, count * sizeof *r);
    return mc_file_put(&p->file, at, r, count * sizeof *r) && add_part(p, (struct mc_part){at, count});
}

void mc_pile_clear(struct mc_pile *p)
{
    p->parts = 0;
    mc_file_cut(&p->file, 0);
}

/* --- reading them together -------------------------------------------------------------------------------------- */

bool mc_merge_new(struct mc_merge *m, const struct mc_pile *p, uint32_t others, uint64_t bytes)
{
    memset(m, 0, sizeof *m);
    m->room = p->parts + others;
    m->source = calloc(m->room + 1ull, sizeof *m->source);
    m->heap = calloc(m->room + 1ull, sizeof *m->heap);
    if (!m->source || !m->heap) return false;
    m->buffer = bytes / sizeof(struct mc_record) / (p->parts + 1);
    if (m->buffer < LEAST_BUFFER) m->buffer = LEAST_BUFFER;
    if (m->buffer > MOST_BUFFER) m->buffer = MOST_BUFFER;
    for (uint32_t i = 0; i < p->parts; i++) {
        struct mc_record *buffer = malloc(m->buffer * sizeof *buffer);
        if (!buffer) return false;
        m->source[m->sources++] = (struct mc_source){&p->file, p->part[i].at, p->part[i].count, buffer, 0, 0, true};
    }
    return true;
}

void mc_merge_free(struct mc_merge *m)
{
    for (uint32_t i = 0; i < m->sources; i++)
        if (m->source[i].owned) free(m->source[i].buffer);
    free(m->source);
    free(m->heap);
}

void mc_merge_add(struct mc_merge *m, struct mc_record *r, uint64_t count)
{
    if (count && m->sources < m->room) m->source[m->sources++] = (struct mc_source){NULL, 0, 0, r, 0, count, false};
}

/* Is there a record at `used`? */
static bool fill(struct mc_merge *m, struct mc_source *s)
{
    if (s->used < s->filled) return true;
    uint64_t n = s->left < m->buffer ? s->left : m->buffer;
    if (n == 0) return false;
    if (!mc_file_get(s->file, s->at, s->buffer, n * sizeof *s->buffer)) {
        m->failed = true;
        return false;
    }
    s->at += n * sizeof *s->buffer;
    s->left -= n;
    s->used = 0;
    s->filled = n;
    return true;
}

static const struct mc_record *first_of(const struct mc_merge *m, uint32_t heaped)
{
    const struct mc_source *s = &m->source[m->heap[heaped]];
    return &s->buffer[s->used];
}

static void sink(struct mc_merge *m, uint32_t at)
{
    for (uint32_t child = 2 * at + 1; child < m->heaped; child = 2 * at + 1) {
        if (child + 1 < m->heaped && is_before(first_of(m, child + 1), first_of(m, child))) child++;
        if (!is_before(first_of(m, child), first_of(m, at))) return;
        uint32_t x = m->heap[at];
        m->heap[at] = m->heap[child];
        m->heap[child] = x;
        at = child;
    }
}

void mc_merge_start(struct mc_merge *m)
{
    for (uint32_t i = 0; i < m->sources; i++)
        if (fill(m, &m->source[i])) m->heap[m->heaped++] = i;
    for (uint32_t i = m->heaped; i-- > 0;) sink(m, i);
}

bool mc_merge_next(struct mc_merge *m, struct mc_record *out)
{
    if (m->heaped == 0 || m->failed) return false;
    struct mc_source *s = &m->source[m->heap[0]];
    *out = s->buffer[s->used++];
    if (!fill(m, s)) m->heap[0] = m->heap[--m->heaped];
    sink(m, 0);
    return !m->failed;
}
