/* Breadth-first search over vectors of components. See engine.h for the terms and docs/checker.md for the design.
 *
 * Invariants: states are numbered in the order in which they were found; the frontier holds the roots of the states from
 * `expanded` on; the log says of each state who found it and by which successor.
 */
#include "engine.h"

#include <string.h>
#include <time.h>

#include "memo.h"
#include "roots.h"
#include "values.h"

enum { MC_WINDOW = 64, MC_ERRORS_ROOM = 4096, MC_LOG_ROOM_BITS = 37, MC_FRONTIER_ROOM_BITS = 38, MC_RESULT_ROOM_BITS = 34 };

/* A result: a number of successors, then of each one a head, its path, and its changes (component, new value) or its
 * fault. Paths tell decisions other than the meeting apart. */
enum { HEAD_FAULT = 1u << 31, HEAD_UNMET = 1u << 30, HEAD_MET = 1u << 29, CHANGES_MASK = 0xFFFFu };
enum { MC_MOST_COMPONENTS = 1024 };

struct fault { uint32_t kind, site; int32_t first, second; };

struct node { uint32_t left, right, parent; };

/* A successor on its way into the table. */
struct pending { uint64_t mixed; uint32_t a, b; uint32_t ordinal; uint32_t owner; };

struct direct;

struct mc_engine {
    struct mc_program p;
    struct mc_options o;
    struct mc_statistics s;
    volatile int interrupted;

    struct mc_values *values; /* by class */
    struct mc_pairs *pairs;   /* by inner node; the root has none */
    struct node *tree;        /* leaves are components; inner nodes follow, children before parents; the root last */
    uint32_t nodes, root;
    struct mc_roots roots;
    struct mc_memo memo;
    uint32_t *results;
    uint64_t results_used;
    struct fault *faults;
    uint32_t faults_used;

    uint64_t *frontier; /* a | b << 32, by state number modulo room; only from `frontier_start` on is in memory */
    uint64_t frontier_given_back, measured_at;
    uint8_t *log;
    uint64_t log_used;
    uint64_t level_end;

    uint32_t *v;      /* the state that is expanded: number of every node's value */
    uint16_t at[256]; /* its positions */
    uint8_t *work;    /* room before the block, then the block of an execution */
    uint8_t *before;
    struct mc_context *context;
    struct direct **direct;  /* by slot, then by value of its component */
    uint32_t *direct_room;
    struct mc_pairs touched_pairs; /* for actions that touch many variables: their numbers, folded to one */

    struct pending window[MC_WINDOW * 2];
    uint32_t window_used;
    uint32_t last_owner; /* of the last entry of the log */

    struct mc_error *errors;
};

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint8_t *block(struct mc_engine *e) { return e->work + ((e->p.room_before_block + 63u) & ~63u); }

/* --- the tree ------------------------------------------------------------------------------------------------ */

/* Over the leaves first..last-1; children get lower numbers than parents. */
static uint32_t build_tree(struct mc_engine *e, uint32_t first, uint32_t last, uint32_t *next)
{
    if (last - first == 1) return first;
    uint32_t middle = first + (last - first + 1) / 2;
    uint32_t left = build_tree(e, first, middle, next), right = build_tree(e, middle, last, next);
    uint32_t n = (*next)++;
    e->tree[n] = (struct node){left, right, 0};
    e->tree[left].parent = e->tree[right].parent = n;
    return n;
}

static void split(struct mc_engine *e, uint32_t node, uint32_t value)
{
    if (node < e->p.components) {
        e->v[node] = value;
        return;
    }
    e->v[node] = value;
    uint64_t pair = e->pairs[node].pair[value];
    split(e, e->tree[node].left, (uint32_t)pair);
    split(e, e->tree[node].right, (uint32_t)(pair >> 32));
}

/* All of `v` from a root. */
static void decode(struct mc_engine *e, uint64_t root)
{
    if (e->p.components == 1) {
        e->v[0] = (uint32_t)root;
        return;
    }
    split(e, e->tree[e->root].left, (uint32_t)root);
    split(e, e->tree[e->root].right, (uint32_t)(root >> 32));
}

/* --- executions ---------------------------------------------------------------------------------------------- */

static struct mc_values *values_of(const struct mc_engine *e, uint32_t component)
{
    return &e->values[e->p.component[component].class_number];
}

static void put_component(const struct mc_engine *e, uint8_t *b, uint32_t component, uint32_t number)
{
    const struct mc_component *c = &e->p.component[component];
    const uint8_t *from = mc_value(values_of(e, component), number);
    for (uint32_t i = 0; i < c->pieces; i++) {
        const struct mc_piece *piece = &e->p.pieces[c->first_piece + i];
        memcpy(b + piece->offset, from, piece->size);
        from += piece->size;
    }
}

static uint32_t get_component(struct mc_engine *e, const uint8_t *b, uint32_t component)
{
    const struct mc_component *c = &e->p.component[component];
    uint8_t bytes[65536];
    uint8_t *to = bytes;
    for (uint32_t i = 0; i < c->pieces; i++) {
        const struct mc_piece *piece = &e->p.pieces[c->first_piece + i];
        memcpy(to, b + piece->offset, piece->size);
        to += piece->size;
    }
    return mc_intern_value(values_of(e, component), bytes);
}

static bool component_changed(const struct mc_engine *e, const uint8_t *x, const uint8_t *y, uint32_t component)
{
    const struct mc_component *c = &e->p.component[component];
    for (uint32_t i = 0; i < c->pieces; i++) {
        const struct mc_piece *piece = &e->p.pieces[c->first_piece + i];
        if (memcmp(x + piece->offset, y + piece->offset, piece->size)) return true;
    }
    return false;
}

enum event { EVENT_RUN, EVENT_WAKE, EVENT_INTERRUPT };

static uint32_t execute(struct mc_engine *e, enum event event, uint32_t which, uint32_t clause)
{
    struct mc_context *c = e->context;
    c->asked = 0;
    c->outcome = MC_NO_ATTEMPT;
    e->s.executions++;
    if (event == EVENT_RUN) return e->p.run(block(e), c, which);
    if (event == EVENT_WAKE) return e->p.wake(block(e), c, which, clause);
    return e->p.interrupt(block(e), c, which);
}

/* The next combination of alternatives; false after the last. `*path` counts combinations of all but the meeting. */
static bool next_script(const struct mc_context *c, uint32_t *script, uint32_t *size, uint32_t *path)
{
    uint32_t asked = c->asked < MC_MOST_ASKED ? c->asked : MC_MOST_ASKED;
    for (uint32_t i = *size; i < asked; i++) script[i] = 0;
    for (uint32_t i = asked; i-- > 0;) {
        if (script[i] + 1 < c->counts[i]) {
            script[i]++;
            *size = i + 1;
            if (!c->is_meeting[i]) (*path)++;
            return true;
        }
    }
    return false;
}

/* Runs an event with every alternative of every decision, on the block of `before`, and keeps what comes out.
 * Of the components `may_change` (all if NULL) those that differ are the changes. `pair`: only meetings count. */
static uint32_t execute_all(struct mc_engine *e, enum event event, uint32_t which, uint32_t clause,
                            const uint32_t *may_change, uint32_t changing, bool pair)
{
    uint64_t start = e->results_used;
    uint32_t *head = e->results + e->results_used++;
    *head = 0;
    uint32_t script[MC_MOST_ASKED], size = 0, path = 0;
    bool more = true;
    while (more) {
        memcpy(block(e), e->before, e->p.block_size);
        e->context->script = script;
        e->context->script_size = size;
        uint32_t status = execute(e, event, which, clause);
        const struct mc_context *c = e->context;
        if (c->overflow) e->s.stop = MC_BROKEN;
        if (!pair || c->outcome == MC_MET) {
            uint32_t *entry = e->results + e->results_used;
            uint32_t changes = 0;
            e->results_used += 2;
            if (status) {
                e->faults[e->faults_used] = (struct fault){c->fault_kind, c->fault_site, c->fault_first, c->fault_second};
                *entry = HEAD_FAULT;
                e->results[e->results_used++] = e->faults_used++;
            } else {
                for (uint32_t i = 0; i < changing; i++) {
                    uint32_t component = may_change ? may_change[i] : i;
                    if (component_changed(e, e->before, block(e), component)) {
                        e->results[e->results_used++] = component;
                        e->results[e->results_used++] = get_component(e, block(e), component);
                        changes++;
                    }
                }
                *entry = 0;
            }
            if (c->outcome == MC_UNMET) *entry |= HEAD_UNMET;
            if (c->outcome == MC_MET) *entry |= HEAD_MET;
            entry[0] |= changes;
            entry[1] = path;
            (*head)++;
        }
        more = next_script(c, script, &size, &path);
    }
    return (uint32_t)start;
}

static void clear_before(struct mc_engine *e) { memset(e->before, 0, e->p.block_size); }

/* The numbers of the variables that an action touches, folded to one. */
static uint32_t fold_touched(struct mc_engine *e, const struct mc_action *a)
{
    if (a->touched == 0) return 0;
    uint32_t n = e->v[e->p.touched[a->first_touched]];
    for (uint32_t i = 1; i < a->touched; i++)
        n = mc_intern_pair(&e->touched_pairs, n, e->v[e->p.touched[a->first_touched + i]]);
    return n;
}

static void fill_touched(struct mc_engine *e, const struct mc_action *a)
{
    for (uint32_t i = 0; i < a->touched; i++) {
        uint32_t component = e->p.touched[a->first_touched + i];
        put_component(e, e->before, component, e->v[component]);
    }
}

/* What an action that touches no variables does depends on few numbers: looked up directly while they are small. */
struct direct {
    uint32_t base;   /* result + 1 */
    uint32_t **pair; /* by index of the partner in the action's list, then by its value: result + 1 */
    uint32_t *room;  /* how long these are */
};

enum { MC_DIRECT_VALUES = 4096 };

static struct direct *direct_of(struct mc_engine *e, uint32_t slot, uint32_t value)
{
    if (value >= e->direct_room[slot]) {
        uint32_t room = e->direct_room[slot] ? e->direct_room[slot] * 2 : 16;
        while (room <= value) room *= 2;
        e->direct[slot] = realloc(e->direct[slot], room * sizeof *e->direct[slot]);
        memset(e->direct[slot] + e->direct_room[slot], 0, (room - e->direct_room[slot]) * sizeof *e->direct[slot]);
        e->direct_room[slot] = room;
    }
    return &e->direct[slot][value];
}

static uint32_t *direct_pair(struct direct *d, const struct mc_action *a, uint32_t index, uint32_t value)
{
    if (!d->pair) {
        d->pair = calloc(a->partners, sizeof *d->pair);
        d->room = calloc(a->partners, sizeof *d->room);
    }
    if (value >= d->room[index]) {
        uint32_t room = d->room[index] ? d->room[index] * 2 : 16;
        while (room <= value) room *= 2;
        d->pair[index] = realloc(d->pair[index], 4ull * room);
        memset(d->pair[index] + d->room[index], 0, 4ull * (room - d->room[index]));
        d->room[index] = room;
    }
    return &d->pair[index][value];
}

enum memo_kind { MEMO_BASE = 1, MEMO_PAIR = 2, MEMO_WAKE = 3 };

static void make_key(struct mc_engine *e, const struct mc_action *a, uint32_t kind, uint32_t slot, uint32_t other,
                     uint32_t *key)
{
    key[0] = kind << 28 | slot << 14 | other;
    key[1] = e->v[e->p.slot_component[slot]];
    key[2] = kind == MEMO_PAIR ? e->v[e->p.slot_component[other]] : 0;
    key[3] = key[4] = key[5] = 0;
    if (a->touched <= 3) {
        for (uint32_t i = 0; i < a->touched; i++) key[3 + i] = e->v[e->p.touched[a->first_touched + i]];
    } else {
        key[3] = fold_touched(e, a);
    }
}

/* What the action of `slot` does without partners, or (pair) with `other` as the only one there; or what happens when
 * time ends the wait of `slot` (wake; `other` is the clause). */
static uint32_t looked_up(struct mc_engine *e, const struct mc_action *a, uint32_t kind, uint32_t slot, uint32_t other)
{
    uint32_t key[MC_KEY];
    if (e->o.remember) {
        make_key(e, a, kind, slot, other, key);
        const struct mc_memo_entry *found = mc_memo_find(&e->memo, key);
        if (found->result) return found->result - 1;
    }
    uint32_t changing[MC_MOST_COMPONENTS + 2], n = 0;
    clear_before(e);
    changing[n++] = e->p.slot_component[slot];
    if (kind == MEMO_PAIR) changing[n++] = e->p.slot_component[other];
    for (uint32_t i = 0; i < n; i++) put_component(e, e->before, changing[i], e->v[changing[i]]);
    fill_touched(e, a);
    for (uint32_t i = 0; i < a->touched; i++) changing[n++] = e->p.touched[a->first_touched + i];
    enum event event = kind == MEMO_WAKE ? EVENT_WAKE : EVENT_RUN;
    uint32_t result = execute_all(e, event, slot, other == 63 ? 0xFF : other, changing, n, kind == MEMO_PAIR);
    if (e->o.remember) {
        mc_memo_put(&e->memo, key, result + 1);
        e->s.remembered++;
    }
    return result;
}

static uint32_t remembered(struct mc_engine *e, const struct mc_action *a, uint32_t kind, uint32_t slot, uint32_t other)
{
    uint32_t value = e->v[e->p.slot_component[slot]];
    if (kind != MEMO_BASE || a->touched || !e->o.remember || value >= MC_DIRECT_VALUES)
        return looked_up(e, a, kind, slot, other);
    struct direct *d = direct_of(e, slot, value);
    if (!d->base) {
        uint32_t result = looked_up(e, a, kind, slot, other);
        direct_of(e, slot, value)->base = result + 1;
        return result;
    }
    return d->base - 1;
}

/* With the partner that is number `index` in the action's list. */
static uint32_t remembered_pair(struct mc_engine *e, const struct mc_action *a, uint32_t slot, uint32_t other, uint32_t index)
{
    uint32_t value = e->v[e->p.slot_component[slot]], theirs = e->v[e->p.slot_component[other]];
    if (a->touched || !e->o.remember || value >= MC_DIRECT_VALUES || theirs >= MC_DIRECT_VALUES)
        return looked_up(e, a, MEMO_PAIR, slot, other);
    uint32_t *known = direct_pair(direct_of(e, slot, value), a, index, theirs);
    if (!*known) *known = looked_up(e, a, MEMO_PAIR, slot, other) + 1;
    return *known - 1;
}

static void put_state(struct mc_engine *e, uint8_t *b)
{
    memset(b, 0, e->p.block_size);
    for (uint32_t i = 0; i < e->p.components; i++) put_component(e, b, i, e->v[i]);
}

/* An action or event that may read anything: run in full. What it gives is used at once, not kept. */
static uint32_t in_full(struct mc_engine *e, enum event event, uint32_t which)
{
    for (uint32_t i = 0; i < e->p.components; i++) put_component(e, e->before, i, e->v[i]);
    return execute_all(e, event, which, 0, NULL, e->p.components, false);
}

/* --- successors into the table ------------------------------------------------------------------------------- */

static void grow_roots(struct mc_engine *e);

static void note_error(struct mc_engine *e, uint32_t kind, const struct fault *f, uint32_t slot, uint64_t state)
{
    if (e->s.errors < MC_ERRORS_ROOM) {
        struct mc_error *x = &e->errors[e->s.errors];
        memset(x, 0, sizeof *x);
        x->kind = kind;
        x->slot = slot;
        x->state = state;
        x->depth = e->s.depth;
        if (f) {
            x->fault_kind = f->kind;
            x->fault_site = f->site;
            x->fault_first = f->first;
            x->fault_second = f->second;
        }
        e->s.errors++;
    }
    if (!e->o.keep_going || e->s.errors >= e->o.most_errors) e->s.stop = MC_ERROR;
}

static void log_byte(struct mc_engine *e, uint8_t x) { e->log[e->log_used++] = x; }

static void log_number(struct mc_engine *e, uint32_t n)
{
    while (n >= 0x80) {
        log_byte(e, (uint8_t)(n | 0x80));
        n >>= 7;
    }
    log_byte(e, (uint8_t)n);
}

/* The log has for each state but the first how much further its finder is than that of the state before, and by which
 * of its successors it was found. */
static void drain_window(struct mc_engine *e, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct pending *x = &e->window[i];
        bool full = false;
        bool fresh = mc_insert(&e->roots, x->mixed, &full);
        while (full) {
            full = false;
            grow_roots(e);
            if (e->s.stop == MC_MEMORY) return;
            for (uint32_t k = i; k < e->window_used; k++) e->window[k].mixed = mc_permute(&e->roots, e->window[k].a, e->window[k].b);
            fresh = mc_insert(&e->roots, x->mixed, &full);
        }
        if (fresh) {
            e->frontier[e->s.states++] = x->a | (uint64_t)x->b << 32;
            log_number(e, x->owner - e->last_owner);
            log_number(e, x->ordinal);
            e->last_owner = x->owner;
        }
    }
}

static void flush_window(struct mc_engine *e)
{
    drain_window(e, e->window_used);
    e->window_used = 0;
}

static void grow_roots(struct mc_engine *e)
{
    uint32_t a = 0, b = 0;
    if (e->p.components == 1) {
        a = e->values[e->p.component[0].class_number].count;
    } else {
        const struct node *root = &e->tree[e->root];
        a = root->left < e->p.components ? values_of(e, root->left)->count : e->pairs[root->left].count;
        b = root->right < e->p.components ? values_of(e, root->right)->count : e->pairs[root->right].count;
    }
    if (!mc_roots_grow(&e->roots, a, b)) e->s.stop = MC_MEMORY;
}

static bool halves_fit(const struct mc_engine *e, uint32_t a, uint32_t b)
{
    return (uint64_t)a <= mc_mask(e->roots.a_bits) && (uint64_t)b <= mc_mask(e->roots.b_bits);
}

static void push(struct mc_engine *e, uint32_t a, uint32_t b, uint32_t ordinal, uint32_t owner)
{
    while (!halves_fit(e, a, b) || e->roots.count + MC_WINDOW * 2 > e->roots.limit) {
        grow_roots(e);
        if (e->s.stop == MC_MEMORY) return;
        for (uint32_t k = 0; k < e->window_used; k++)
            e->window[k].mixed = mc_permute(&e->roots, e->window[k].a, e->window[k].b);
    }
    struct pending *x = &e->window[e->window_used++];
    x->mixed = mc_permute(&e->roots, a, b);
    x->a = a;
    x->b = b;
    x->ordinal = ordinal;
    x->owner = owner;
    __builtin_prefetch(e->roots.entry + mc_home(&e->roots, x->mixed) * MC_LINE, 1, 3);
    if (e->window_used == MC_WINDOW * 2) {
        /* the older half has had time to arrive; the younger one moves down */
        drain_window(e, MC_WINDOW);
        memmove(e->window, e->window + MC_WINDOW, sizeof *e->window * MC_WINDOW);
        e->window_used = MC_WINDOW;
    }
}

/* The root after some changes of components; `v` is left as it was. */
static uint64_t root_after(struct mc_engine *e, const uint32_t *changes, uint32_t n)
{
    uint32_t *v = e->v;
    uint32_t touched[2 * MC_MOST_COMPONENTS], old[2 * MC_MOST_COMPONENTS], count = 0;
    uint64_t dirty[MC_MOST_COMPONENTS / 64];
    uint32_t inner0 = e->p.components, words = (e->nodes - inner0 + 63) / 64;
    for (uint32_t w = 0; w < words; w++) dirty[w] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = changes[2 * i];
        touched[count] = c;
        old[count++] = v[c];
        v[c] = changes[2 * i + 1];
        uint32_t parent = e->tree[c].parent - inner0;
        dirty[parent / 64] |= 1ull << parent % 64;
    }
    for (uint32_t w = 0; w < words; w++) {
        while (dirty[w]) {
            uint32_t node = inner0 + w * 64 + (uint32_t)__builtin_ctzll(dirty[w]);
            dirty[w] &= dirty[w] - 1;
            if (node == e->root) break;
            uint32_t number = mc_intern_pair(&e->pairs[node], v[e->tree[node].left], v[e->tree[node].right]);
            touched[count] = node;
            old[count++] = v[node];
            v[node] = number;
            uint32_t parent = e->tree[node].parent - inner0;
            dirty[parent / 64] |= 1ull << parent % 64;
        }
    }
    uint64_t root = e->p.components == 1 ? v[0] : v[e->tree[e->root].left] | (uint64_t)v[e->tree[e->root].right] << 32;
    while (count-- > 0) v[touched[count]] = old[count];
    return root;
}

/* --- expanding a state --------------------------------------------------------------------------------------- */

/* Where successors go: into the table, or (for paths) to somebody who looks for one of them. */
struct visitor {
    uint32_t ordinal;  /* of the next successor */
    uint32_t wanted;   /* for paths: the successor whose root is wanted */
    uint64_t root;
    uint32_t owner;
    uint32_t slot;
    bool searching;
    /* for what looks at the graph once more: called with each successor (a fault: `entry` says so) */
    void (*look)(struct mc_engine *e, struct visitor *w, const uint32_t *entry, uint64_t root);
    void *of_look;
    bool enough; /* the looker needs no further successors of this state */
};

static void one_successor(struct mc_engine *e, struct visitor *w, const uint32_t *entry)
{
    uint32_t head = *entry;
    uint32_t ordinal = w->ordinal++;
    if (w->look) {
        if (!w->enough) w->look(e, w, entry, head & HEAD_FAULT ? 0 : root_after(e, entry + 2, head & CHANGES_MASK));
        return;
    }
    if (w->searching) e->s.transitions++;
    if (head & HEAD_FAULT) {
        if (w->searching) {
            e->s.faults++;
            note_error(e, MC_FAULT, &e->faults[entry[2]], w->slot, e->s.expanded);
        }
        return;
    }
    if (!w->searching && ordinal != w->wanted) return;
    uint64_t root = root_after(e, entry + 2, head & CHANGES_MASK);
    if (!w->searching) {
        w->root = root;
        return;
    }
    push(e, (uint32_t)root, (uint32_t)(root >> 32), ordinal, w->owner);
}

static const uint32_t *after_entry(const uint32_t *entry)
{
    return entry + 2 + ((*entry & HEAD_FAULT) ? 1 : 2 * (*entry & CHANGES_MASK));
}

static void all_of(struct mc_engine *e, struct visitor *w, uint32_t result)
{
    const uint32_t *r = e->results + result;
    uint32_t n = *r++;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *next = after_entry(r);
        one_successor(e, w, r);
        r = next;
    }
}

/* An attempt: what it does alone, and with each partner that waits. Where it meets nobody it waits (or polls). */
static void attempt(struct mc_engine *e, struct visitor *w, const struct mc_action *a, uint32_t position, uint32_t slot)
{
    uint32_t pairs[256], partners = 0;
    const uint8_t *may_meet = e->p.may_meet + position * (e->p.positions + 1);
    for (uint32_t i = 0; i < a->partners; i++) {
        uint32_t other = e->p.partner[a->first_partner + i];
        if (other == slot) continue;
        if (may_meet[e->at[other]]) {
            uint32_t result = remembered_pair(e, a, slot, other, i);
            if (e->results[result]) pairs[partners++] = result;
        }
    }
    uint32_t base = remembered(e, a, MEMO_BASE, slot, 0);
    const uint32_t *r = e->results + base;
    uint32_t n = *r++;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *next = after_entry(r);
        if (!(*r & HEAD_UNMET)) {
            one_successor(e, w, r);
            r = next;
            continue;
        }
        /* on this path the process attempts: it waits only if nobody on the same path can meet it */
        uint32_t path = r[1];
        bool met = false;
        for (uint32_t k = 0; k < partners && !met; k++) {
            const uint32_t *q = e->results + pairs[k];
            uint32_t m = *q++;
            for (uint32_t j = 0; j < m && !met; j++, q = after_entry(q)) met = q[1] == path;
        }
        if (!met) one_successor(e, w, r);
        r = next;
    }
    for (uint32_t k = 0; k < partners; k++) all_of(e, w, pairs[k]);
}

static uint32_t closed_clauses(const struct mc_engine *e, const struct mc_action *a, uint32_t component)
{
    const uint8_t *bytes = mc_value(values_of(e, component), e->v[component]) + a->closed_offset;
    uint32_t closed = 0;
    for (uint32_t i = 0; i < a->closed_size; i++) closed |= (uint32_t)bytes[i] << 8 * i;
    return closed;
}

/* Every successor of the state in `v`, in an order that depends on the state alone. */
static void expand(struct mc_engine *e, struct visitor *w)
{
    bool lives = false, waits = false, can_go = false;
    if (!e->o.remember) e->results_used = e->faults_used = 0;
    for (uint32_t slot = 0; slot < e->p.slots; slot++) {
        uint32_t component = e->p.slot_component[slot];
        e->at[slot] = values_of(e, component)->position[e->v[component]];
    }
    for (uint32_t slot = 0; slot < e->p.slots; slot++) {
        uint32_t component = e->p.slot_component[slot];
        uint32_t position = e->at[slot];
        if (position == 0) continue;
        lives = true;
        w->slot = slot;
        const struct mc_action *a = &e->p.action[position];
        if (position >= e->p.first_waiting) {
            if (a->kind) can_go = true; /* an interrupt can end this wait */
            if (a->timed) {
                can_go = true;
                if (a->timed >> 31) all_of(e, w, remembered(e, a, MEMO_WAKE, slot, 63));
                uint32_t open = a->timed & 0x7FFFFFFFu & ~closed_clauses(e, a, component);
                for (uint32_t c = 0; c < 31; c++)
                    if (open >> c & 1) all_of(e, w, remembered(e, a, MEMO_WAKE, slot, c));
            }
            if (!e->p.server[slot]) waits = true;
            continue;
        }
        can_go = true;
        switch (a->kind) {
        case MC_LOCAL: all_of(e, w, remembered(e, a, MEMO_BASE, slot, 0)); break;
        case MC_ATTEMPT: attempt(e, w, a, position, slot); break;
        default: {
            uint64_t used = e->results_used;
            uint32_t faults = e->faults_used;
            all_of(e, w, in_full(e, EVENT_RUN, slot));
            e->results_used = used;
            e->faults_used = faults;
        }
        }
    }
    if (lives && e->p.interrupts) { /* each may come, unless it is pending already */
        w->slot = 0xFF;
        put_state(e, e->before);
        const uint8_t *pending = e->before + e->p.pending_offset;
        for (uint32_t bit = 0; bit < e->p.interrupts; bit++) {
            if (pending[bit / 8] >> bit % 8 & 1) continue;
            uint64_t used = e->results_used;
            all_of(e, w, in_full(e, EVENT_INTERRUPT, bit));
            e->results_used = used;
        }
    }
    if (!w->searching) return;
    if (!lives) e->s.ends++;
    if (lives && !can_go && waits) {
        e->s.deadlocks++;
        note_error(e, MC_DEADLOCK, NULL, 0, e->s.expanded);
    }
}

/* --- the search ---------------------------------------------------------------------------------------------- */

static void start(struct mc_engine *e)
{
    for (uint32_t i = 0; i < e->p.components; i++) e->v[i] = get_component(e, e->p.initial, i);
    for (uint32_t n = e->p.components; n < e->nodes; n++)
        if (n != e->root) e->v[n] = mc_intern_pair(&e->pairs[n], e->v[e->tree[n].left], e->v[e->tree[n].right]);
    uint64_t root = e->p.components == 1 ? e->v[0]
                                         : e->v[e->tree[e->root].left] | (uint64_t)e->v[e->tree[e->root].right] << 32;
    bool full = false;
    mc_insert(&e->roots, mc_permute(&e->roots, (uint32_t)root, (uint32_t)(root >> 32)), &full);
    e->frontier[e->s.states++] = root;
    e->level_end = 1;
}

static void measure(struct mc_engine *e)
{
    struct mc_statistics *s = &e->s;
    s->table_bytes = mc_roots_bytes(&e->roots);
    s->nodes = s->node_bytes = s->values = s->value_bytes = 0;
    for (uint32_t n = e->p.components; n < e->nodes; n++) {
        if (n == e->root) continue;
        s->nodes += e->pairs[n].count;
        s->node_bytes += 8ull * e->pairs[n].count + mc_pairs_index_bytes(&e->pairs[n]);
    }
    for (uint32_t c = 0; c < e->p.classes; c++) {
        s->values += e->values[c].count;
        s->value_bytes += (uint64_t)e->values[c].count * (e->values[c].size + 2) + 4ull * (e->values[c].mask + 1ull);
    }
    s->log_bytes = e->log_used;
    s->frontier_bytes = 8 * (s->states - e->frontier_given_back);
    s->memo_bytes = sizeof(struct mc_memo_entry) * (e->memo.mask + 1ull) + 4 * e->results_used;
}

uint32_t mc_search(struct mc_engine *e, double seconds)
{
    double begin = now_seconds();
    uint64_t look = e->s.expanded + 1024;
    e->s.stop = MC_COMPLETE;
    e->interrupted = 0;
    if (e->s.states == 0) start(e);
    struct visitor w = {0};
    w.searching = true;
    while (true) {
        if (e->s.expanded == e->s.states) {
            flush_window(e);
            if (e->s.expanded == e->s.states) break;
        }
        if (e->s.expanded == e->level_end) {
            flush_window(e);
            e->level_end = e->s.states;
            e->s.depth++;
        }
        decode(e, e->frontier[e->s.expanded]);
        w.ordinal = 0;
        w.owner = (uint32_t)e->s.expanded;
        expand(e, &w);
        e->s.expanded++;
        if (e->s.stop != MC_COMPLETE) break;
        if (e->s.expanded >= look) {
            look = e->s.expanded + 1024;
            if (e->interrupted) e->s.stop = MC_INTERRUPTED;
            if (now_seconds() - begin > seconds) e->s.stop = MC_TIME;
            if (e->o.most_states && e->s.states > e->o.most_states) e->s.stop = MC_STATES;
            if (e->s.expanded - e->measured_at > (1u << 17)) {
                e->measured_at = e->s.expanded;
                uint64_t n = (e->s.expanded - e->frontier_given_back) & ~511ull;
                if (!e->o.keep_states) { /* what has been expanded is given back */
                    madvise(e->frontier + e->frontier_given_back, 8 * n, MADV_DONTNEED);
                    e->frontier_given_back += n;
                }
                measure(e);
                if (e->o.most_memory && e->s.table_bytes + e->s.node_bytes + e->s.value_bytes + e->s.log_bytes +
                                                e->s.frontier_bytes + e->s.memo_bytes > e->o.most_memory)
                    e->s.stop = MC_MEMORY;
            }
            if (e->s.stop != MC_COMPLETE) break;
        }
    }
    flush_window(e);
    measure(e);
    e->s.seconds += now_seconds() - begin;
    return e->s.stop;
}

void mc_interrupt(struct mc_engine *e) { e->interrupted = 1; }
const struct mc_statistics *mc_get_statistics(struct mc_engine *e) { return &e->s; }

uint32_t mc_get_error(struct mc_engine *e, uint32_t number, struct mc_error *out)
{
    if (number >= e->s.errors) return 0;
    *out = e->errors[number];
    return 1;
}

/* --- paths and states ---------------------------------------------------------------------------------------- */

static uint32_t read_number(const uint8_t **at)
{
    uint32_t n = 0, shift = 0;
    while (**at & 0x80) {
        n |= (uint32_t)(*(*at)++ & 0x7F) << shift;
        shift += 7;
    }
    return n | (uint32_t)*(*at)++ << shift;
}

uint64_t mc_path_to(struct mc_engine *e, uint64_t state, uint32_t *ordinals, uint64_t room)
{
    uint32_t *finder = malloc(4 * (state + 1)), *by = malloc(4 * (state + 1));
    if (!finder || !by) {
        free(finder);
        free(by);
        return UINT64_MAX;
    }
    const uint8_t *at = e->log;
    uint32_t owner = 0;
    for (uint64_t i = 1; i <= state; i++) {
        owner += read_number(&at);
        finder[i] = owner;
        by[i] = read_number(&at);
    }
    uint64_t length = 0;
    for (uint64_t i = state; i != 0; i = finder[i]) length++;
    uint64_t k = length;
    for (uint64_t i = state; i != 0; i = finder[i])
        if (--k < room) ordinals[k] = by[i];
    free(finder);
    free(by);
    return length;
}

uint32_t mc_blocks_along(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint8_t *blocks)
{
    for (uint32_t i = 0; i < e->p.components; i++) e->v[i] = get_component(e, e->p.initial, i);
    for (uint32_t n = e->p.components; n < e->nodes; n++)
        if (n != e->root) e->v[n] = mc_intern_pair(&e->pairs[n], e->v[e->tree[n].left], e->v[e->tree[n].right]);
    put_state(e, blocks);
    for (uint64_t i = 0; i < count; i++) {
        struct visitor w = {0};
        w.wanted = ordinals[i];
        w.root = UINT64_MAX;
        expand(e, &w);
        if (w.ordinal <= w.wanted) return 0;
        decode(e, w.root);
        put_state(e, blocks + (i + 1) * e->p.block_size);
    }
    return 1;
}

void mc_all_states(struct mc_engine *e, void (*visit)(const uint8_t *block, void *context), void *context)
{
    uint64_t lines = (1ull << e->roots.line_bits) + MC_TAIL;
    for (uint64_t l = 0; l < lines; l++) {
        for (uint32_t i = 0; i < MC_LINE; i++) {
            uint32_t entry = e->roots.entry[l * MC_LINE + i];
            if (!entry) break;
            uint32_t a, b;
            mc_unpermute(&e->roots, mc_mixed_of(&e->roots, l, entry), &a, &b);
            decode(e, a | (uint64_t)b << 32);
            put_state(e, e->before);
            visit(e->before, context);
        }
    }
}

#include "stuck.h"

/* --- making and ending --------------------------------------------------------------------------------------- */

struct mc_engine *mc_new(const struct mc_program *p, const struct mc_options *o)
{
    if (p->components > MC_MOST_COMPONENTS || p->slots > 255) return NULL;
    struct mc_engine *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->p = *p;
    e->o = *o;
    uint32_t n = p->components;
    e->values = calloc(p->classes, sizeof *e->values);
    for (uint32_t i = 0; i < n; i++) {
        const struct mc_component *c = &p->component[i];
        if (!e->values[c->class_number].bytes)
            mc_values_new(&e->values[c->class_number], c->size, c->slot >= 0 ? p->position_size : 0);
    }
    e->tree = calloc(2ull * n + 1, sizeof *e->tree);
    e->pairs = calloc(2ull * n + 1, sizeof *e->pairs);
    uint32_t next = n;
    e->root = build_tree(e, 0, n, &next);
    e->nodes = next;
    for (uint32_t k = n; k < e->nodes; k++)
        if (k != e->root) mc_pairs_new(&e->pairs[k]);
    mc_pairs_new(&e->touched_pairs);
    e->v = calloc(2ull * n + 1, sizeof *e->v);
    mc_roots_new(&e->roots, 6);
    mc_memo_new(&e->memo);
    e->direct = calloc(p->slots, sizeof *e->direct);
    e->direct_room = calloc(p->slots, sizeof *e->direct_room);
    e->results = mc_reserve(1ull << MC_RESULT_ROOM_BITS);
    e->faults = mc_reserve(1ull << 32);
    e->frontier = mc_reserve(1ull << MC_FRONTIER_ROOM_BITS);
    e->log = mc_reserve(1ull << MC_LOG_ROOM_BITS);
    e->work = aligned_alloc(64, (p->room_before_block + 63u & ~63u) + (p->block_size + 127u & ~63u));
    e->before = calloc(1, p->block_size + 8);
    e->context = calloc(1, sizeof *e->context);
    e->context->rounds = o->rounds;
    e->errors = calloc(MC_ERRORS_ROOM, sizeof *e->errors);
    return e;
}

static void free_direct(struct mc_engine *e)
{
    for (uint32_t slot = 0; slot < e->p.slots; slot++) {
        for (uint32_t value = 0; value < e->direct_room[slot]; value++) {
            struct direct *d = &e->direct[slot][value];
            if (!d->pair) continue;
            const struct mc_values *of = values_of(e, e->p.slot_component[slot]);
            uint32_t partners = e->p.action[of->position[value]].partners;
            for (uint32_t i = 0; i < partners; i++) free(d->pair[i]);
            free(d->pair);
            free(d->room);
        }
        free(e->direct[slot]);
    }
    free(e->direct);
    free(e->direct_room);
}

void mc_free(struct mc_engine *e)
{
    free_direct(e);
    for (uint32_t c = 0; c < e->p.classes; c++) mc_values_free(&e->values[c]);
    for (uint32_t k = e->p.components; k < e->nodes; k++)
        if (k != e->root) mc_pairs_free(&e->pairs[k]);
    mc_pairs_free(&e->touched_pairs);
    mc_roots_free(&e->roots);
    mc_release(e->results, 1ull << MC_RESULT_ROOM_BITS);
    mc_release(e->faults, 1ull << 32);
    mc_release(e->frontier, 1ull << MC_FRONTIER_ROOM_BITS);
    mc_release(e->log, 1ull << MC_LOG_ROOM_BITS);
    free(e->values);
    free(e->tree);
    free(e->pairs);
    free(e->v);
    free(e->memo.entry);
    free(e->work);
    free(e->before);
    free(e->context);
    free(e->errors);
    free(e);
}
