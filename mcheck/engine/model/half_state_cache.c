/* Lists of what a half of the state does by itself: how they are made, and put together. */
#include "model/half_state_cache.h"

#include "model/clocks_and_zones.h"

/* A list is a head and then items: each begins with a word that says its kind, its slot, and how many numbers follow.
 * The head: what its slots are like; the number of what choices depend on (reduction.h); the slots below 64 that go back, as two
 * words. */
enum { STAND = 1, BACK = 2, HEAD = 4 };
enum { LIVES = 1, CAN_GO = 2, WAITS = 4, FAULTS = 8 };
/* END comes after all slots. ALONE: the steps of an attempt if nobody of the other half meets it. */
enum item { END = 0, STEPS = 1, OPEN = 2, ALONE = 3 };
enum { SEEN = 1u << 2, SLOT = 3, COUNT = SLOT + MC_SLOT_BITS, MOST_STEPS = 1u << (30 - COUNT), MORE_THAN_WAITS = 1u << 30, GOES_BACK = 1u << 31 };
enum { ONCE = 1, FIRST = 2 };

static uint32_t item(enum item kind, uint32_t slot, uint32_t count) { return kind | slot << SLOT | count << COUNT; }

/* --- room ----------------------------------------------------------------------------------------------------------- */

static bool suits(const struct mc_space *s)
{
    return s->p.components > 1 && !s->p.interrupts && !s->p.rate && s->o.remember && !mc_is_in_force(s, MC_PASS) && !mc_is_timed(s);
}

static void mark_half(const struct mc_space *s, uint32_t node, uint8_t half, uint8_t *half_of)
{
    if (node < s->p.components) {
        half_of[node] = half;
        return;
    }
    mark_half(s, s->tree[node].left, half, half_of);
    mark_half(s, s->tree[node].right, half, half_of);
}

static bool find_beyond(struct mc_halves *h, const struct mc_program *p)
{
    uint64_t count = 0;
    for (uint32_t i = 1; i <= p->positions; i++) count += p->action[i].partners;
    h->partner = calloc(count + 1, sizeof *h->partner);
    uint32_t used = 0;
    for (uint32_t half = 0; half < 2; half++) {
        h->beyond[half] = calloc(p->positions + 1ull, sizeof *h->beyond[half]);
        if (!h->beyond[half] || !h->partner) return false;
        for (uint32_t i = 1; i <= p->positions; i++) {
            const struct mc_action *a = &p->action[i];
            struct mc_beyond *b = &h->beyond[half][i];
            b->first = used;
            for (uint32_t k = 0; k < a->partners; k++) {
                uint32_t slot = p->partner[a->first_partner + k];
                if (h->half_of[p->slot_component[slot]] != half)
                    h->partner[used++] = (struct mc_partner){(uint16_t)slot, (uint16_t)k};
            }
            b->count = used - b->first;
        }
    }
    return true;
}

bool mc_halves_new(struct mc_worker *w)
{
    const struct mc_space *s = w->space;
    const struct mc_program *p = &s->p;
    if (!suits(s)) return true;
    struct mc_halves *h = w->halves = calloc(1, sizeof *h);
    if (!h) return false;
    h->half_of = calloc(p->components, 1);
    if (!h->half_of) return false;
    mark_half(s, s->tree[s->root].right, 1, h->half_of);
    h->used = FIRST;
    for (uint32_t half = 0; half < 2; half++) {
        h->slot[half] = calloc(p->slots + 1ull, 4);
        if (!h->slot[half]) return false;
    }
    for (uint32_t slot = 0; slot < p->slots; slot++) {
        uint32_t half = h->half_of[p->slot_component[slot]];
        h->slot[half][h->slots[half]++] = slot;
    }
    return find_beyond(h, p);
}

static void free_lists(struct mc_halves *h)
{
    for (uint32_t half = 0; half < 2; half++) {
        mc_release(h->list[half], 4 * h->list_room[half]);
        h->list[half] = NULL;
        h->list_room[half] = 0;
    }
    mc_release(h->word, 4 * h->room);
    h->word = NULL;
    h->room = 0;
    h->used = FIRST;
}

void mc_halves_free(struct mc_worker *w)
{
    struct mc_halves *h = w->halves;
    if (!h) return;
    free_lists(h);
    free(h->half_of);
    free(h->beyond[0]);
    free(h->beyond[1]);
    free(h->partner);
    free(h->slot[0]);
    free(h->slot[1]);
    free(h->root);
    free(h);
}

void mc_forget_halves(struct mc_worker *w)
{
    if (w->halves) free_lists(w->halves);
}

uint64_t mc_memory_of_halves(const struct mc_worker *w)
{
    const struct mc_halves *h = w->halves;
    return h ? 4 * (h->list_room[0] + h->list_room[1] + h->used) : 0;
}

/* Where the list of this half is noted. NULL: no memory. */
static uint32_t *list_place(struct mc_halves *h, uint32_t half, uint32_t number)
{
    if (number >= h->list_room[half]) {
        uint64_t room = mc_more(h->list_room[half], 256);
        while (room <= number) room *= 2;
        uint32_t *list = mc_grown(h->list[half], 4 * h->list_room[half], 4 * room);
        if (!list) return NULL;
        h->list[half] = list;
        h->list_room[half] = room;
    }
    return &h->list[half][number];
}

static void put(struct mc_halves *h, uint32_t word)
{
    if (h->used >= h->room) {
        uint64_t room = mc_more(h->room, 1024);
        uint32_t *more = mc_grown(h->word, 4 * h->room, 4 * room);
        if (!more) {
            h->failed = true;
            return;
        }
        h->word = more;
        h->room = room;
    }
    h->word[h->used++] = word;
}

/* --- making --------------------------------------------------------------------------------------------------------- */

struct making {
    struct mc_halves *h;
    uint32_t half;
    uint64_t begin; /* of the item's numbers */
    bool beyond;    /* something of the other half changes */
    bool faults, back, more_than_waits;
    uint64_t backward; /* slots whose steps go back, with no partner of the other half in sight */
};

static bool add_step(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct making *m = context;
    if (s->fault) m->faults = true;
    else if (mc_reduces(w, MC_CHOOSE)) {
        m->back |= w->space->reduction[MC_CHOOSE].ops->goes_back(w, s->slot, s->changes, s->changed);
        m->more_than_waits |= !mc_only_waits(w, s->slot, s->changes, s->changed);
    }
    for (uint32_t i = 0; i < s->changed; i++) m->beyond |= m->h->half_of[s->changes[2 * i]] != m->half;
    put(m->h, (uint32_t)(m->half ? s->root >> 32 : s->root));
    return !m->faults && !m->beyond;
}

/* Does what was found out of this ask for something of the other half? What is not remembered may. */
static bool asks_beyond(struct mc_worker *w, const struct mc_halves *h, const struct mc_action *a, struct mc_wanted x)
{
    uint32_t half = h->half_of[w->space->p.slot_component[x.slot]];
    const uint32_t *first = mc_first_reference(w, a, x);
    uint32_t reference = first ? *first : 0;
    while (reference & MC_QUESTION) {
        const struct mc_question *q = &w->question[reference & ~MC_QUESTION];
        uint32_t value = w->v[q->component];
        if (h->half_of[q->component] != half) return true;
        reference = value < q->room ? q->answer[value] : mc_far_answer(w, reference, value);
    }
    return reference == 0;
}

/* Is the result known, of this half alone, and not that all the block matters? */
static bool is_of_half(struct mc_worker *w, const struct mc_halves *h, const struct mc_action *a, struct mc_wanted x)
{
    return *mc_find_out(w, a, x) != MC_LOOKS_AT_ALL && !asks_beyond(w, h, a, x);
}

/* `partners`: has the action some that may be in the other half? */
static bool attempt_is_of_half(struct mc_worker *w, const struct mc_halves *h, const struct mc_action *a, uint32_t slot,
                               bool *partners)
{
    const struct mc_program *p = &w->space->p;
    const uint8_t *may_meet = p->may_meet + w->at[slot] * (p->positions + 1);
    uint32_t half = h->half_of[p->slot_component[slot]];
    if (!is_of_half(w, h, a, (struct mc_wanted){MC_MEMO_BASE, slot, 0, 0})) return false;
    for (uint32_t i = 0; i < a->partners; i++) {
        uint32_t other = p->partner[a->first_partner + i];
        if (h->half_of[p->slot_component[other]] != half) *partners = true;
        else if (other != slot && may_meet[w->at[other]] &&
                 !is_of_half(w, h, a, (struct mc_wanted){MC_MEMO_PAIR, slot, other, i}))
            return false;
    }
    return true;
}

static bool wake_is_of_half(struct mc_worker *w, const struct mc_halves *h, const struct mc_action *a, uint32_t slot,
                            uint32_t timed)
{
    for (uint32_t c = 0; c < 32; c++) {
        uint32_t clause = c == 31 ? MC_SLEEP_CLAUSE : c;
        if (timed >> c & 1 && !is_of_half(w, h, a, (struct mc_wanted){MC_MEMO_WAKE, slot, clause, 0})) return false;
    }
    return true;
}

/* The item of one slot. */
static void add_slot(struct mc_worker *w, struct making *m, uint32_t slot)
{
    struct mc_halves *h = m->h;
    const struct mc_program *p = &w->space->p;
    const struct mc_action *a = &p->action[w->at[slot]];
    uint64_t at = h->used;
    enum item kind = STEPS;
    bool of_half = false, partners = false;
    if (w->at[slot] >= p->first_waiting) {
        uint32_t timed = mc_timed_clauses(w, a, slot);
        if (!timed) return;
        of_half = wake_is_of_half(w, h, a, slot, timed);
    } else if (a->kind == MC_LOCAL) {
        of_half = is_of_half(w, h, a, (struct mc_wanted){MC_MEMO_BASE, slot, 0, 0});
    } else if (a->kind == MC_ATTEMPT) {
        of_half = attempt_is_of_half(w, h, a, slot, &partners);
        if (partners) kind = ALONE;
    }
    if (of_half) {
        put(h, 0);
        m->begin = h->used;
        m->beyond = m->back = m->more_than_waits = false;
        mc_expand_slot(w, slot, kind == ALONE ? h->half_of : NULL, add_step, m);
        uint64_t count = h->used - m->begin;
        of_half = !m->beyond && count < MOST_STEPS;
        if (of_half && count == 0 && kind == STEPS) h->used = at;
        else if (of_half && !h->failed) {
            h->word[at] = item(kind, slot, (uint32_t)count);
            if (m->back) h->word[at] |= GOES_BACK;
            if (m->more_than_waits) h->word[at] |= MORE_THAN_WAITS;
            if (m->back && kind == STEPS && slot < 64) m->backward |= 1ull << slot;
        }
    }
    if (!of_half) {
        h->used = at;
        put(h, item(OPEN, slot, 0));
    }
}

static uint32_t kind_of_slots(struct mc_worker *w, const struct mc_halves *h, uint32_t half)
{
    const struct mc_program *p = &w->space->p;
    uint32_t kind = 0;
    for (uint32_t i = 0; i < h->slots[half]; i++) {
        uint32_t slot = h->slot[half][i], position = w->at[slot];
        if (!position) continue;
        const struct mc_action *a = &p->action[position];
        kind |= LIVES;
        if (position < p->first_waiting || a->kind || mc_timed_clauses(w, a, slot)) kind |= CAN_GO;
        if (position >= p->first_waiting && !p->server[slot] && !a->idle) kind |= WAITS;
    }
    return kind;
}

/* Of the state in `v`. False: no memory. */
static bool make_list(struct mc_worker *w, uint32_t half, uint32_t number)
{
    struct mc_halves *h = w->halves;
    struct making m = {.h = h, .half = half};
    uint64_t begin = h->used;
    if (begin >> 31) return false;
    w->scratch_used = 0;
    h->failed = false;
    put(h, kind_of_slots(w, h, half));
    put(h, mc_reduces(w, MC_CHOOSE) ? w->space->reduction[MC_CHOOSE].ops->number_half(w, half) : 0);
    put(h, 0);
    put(h, 0);
    for (uint32_t i = 0; i < h->slots[half]; i++) {
        uint32_t slot = h->slot[half][i];
        if (w->at[slot]) add_slot(w, &m, slot);
    }
    put(h, item(END, MC_NOBODY, 0));
    uint32_t *place = list_place(h, half, number);
    if (h->failed || !place || w->space->crew.out_of_memory) {
        h->used = begin;
        return false;
    }
    if (m.faults) {
        h->used = begin + HEAD;
        h->word[begin] |= FAULTS;
    }
    h->word[begin + BACK] = (uint32_t)m.backward;
    h->word[begin + BACK + 1] = (uint32_t)(m.backward >> 32);
    *place = (uint32_t)begin;
    return true;
}

/* --- putting together ----------------------------------------------------------------------------------------------- */

static bool roots_room(struct mc_halves *h, uint32_t more)
{
    if (h->roots + more <= h->roots_room) return true;
    uint32_t room = (h->roots + more) * 2;
    uint64_t *root = realloc(h->root, 8ull * room);
    if (!root) return false;
    h->root = root;
    h->roots_room = room;
    return true;
}

static bool is_not_enough(const struct mc_worker *w, const struct mc_successor *s)
{
    if (w->space->reduction[MC_CHOOSE].ops->goes_back(w, s->slot, s->changes, s->changed)) return true;
    return w->halves->only_waits && !mc_only_waits(w, s->slot, s->changes, s->changed);
}

static bool add_root(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_halves *h = context;
    if (h->chosen && (s->fault ? h->only_waits : is_not_enough(w, s))) {
        h->back = true;
        return false;
    }
    if (s->fault || !roots_room(h, 1)) {
        h->failed = true;
        return false;
    }
    h->root[h->roots++] = s->root;
    return true;
}

/* Can somebody of the other half meet it? */
static bool is_met_beyond(struct mc_worker *w, const struct mc_halves *h, uint32_t slot, uint32_t half)
{
    const struct mc_program *p = &w->space->p;
    uint32_t position = w->at[slot];
    const struct mc_action *a = &p->action[position];
    const uint8_t *may_meet = p->may_meet + position * (p->positions + 1);
    const struct mc_beyond *b = &h->beyond[half][position];
    for (const struct mc_partner *x = h->partner + b->first, *end = x + b->count; x < end; x++)
        if (may_meet[w->at[x->slot]] && *mc_remembered_pair(w, a, slot, x->slot, x->index)) return true;
    return false;
}

/* What one item stands for; the next item. */
static uint64_t add_item(struct mc_worker *w, uint64_t at, uint64_t root, uint32_t half)
{
    struct mc_halves *h = w->halves;
    uint32_t head = h->word[at], slot = head >> SLOT & MC_NOBODY, count = (head & ~(GOES_BACK | MORE_THAN_WAITS)) >> COUNT;
    if (h->chosen && !mc_is_chosen(h->chosen, slot)) return at + 1 + count;
    if ((head & 3) != STEPS) {
        mc_decode_halves(w, root);
        bool alone = (head & 3) == ALONE && !is_met_beyond(w, h, slot, half);
        if (!alone || !(head & SEEN)) {
            if (alone) h->word[at] |= SEEN; /* mc_expand_slot notes that it is */
            mc_expand_slot(w, slot, NULL, add_root, h);
            return at + 1 + count;
        }
    }
    if (h->chosen && head & (h->only_waits ? GOES_BACK | MORE_THAN_WAITS : GOES_BACK)) {
        h->back = true;
        return at;
    }
    if (!roots_room(h, count)) {
        h->failed = true;
        return at;
    }
    uint64_t *to = h->root + h->roots, other = half ? root & 0xFFFFFFFFu : root & ~0xFFFFFFFFull;
    const uint32_t *from = h->word + at + 1;
    for (uint32_t i = 0; i < count; i++) to[i] = other | (uint64_t)from[i] << (half ? 32 : 0);
    h->roots += count;
    return at + 1 + count;
}

/* The list of a half that was seen before; 0: none. */
static uint32_t list_of(struct mc_worker *w, uint64_t root, uint32_t half)
{
    struct mc_halves *h = w->halves;
    uint32_t number = (uint32_t)(half ? root >> 32 : root);
    uint32_t list = number < h->list_room[half] ? h->list[half][number] : 0;
    if (__builtin_expect(list >= FIRST, 1)) return list;
    if (list == ONCE) {
        mc_decode_halves(w, root);
        return make_list(w, half, number) ? h->list[half][number] : 0;
    }
    uint32_t *place = list_place(h, half, number);
    if (place) *place = ONCE;
    return 0;
}

/* What the slots of both halves do, in their order. */
static void put_together(struct mc_worker *w, uint64_t root, uint32_t left, uint32_t right)
{
    struct mc_halves *h = w->halves;
    uint64_t at[2] = {left + (uint64_t)HEAD, right + (uint64_t)HEAD};
    h->roots = 0;
    h->failed = h->back = false;
    w->scratch_used = 0;
    while (!h->failed && !h->back) {
        uint32_t half = (h->word[at[1]] >> SLOT & MC_NOBODY) < (h->word[at[0]] >> SLOT & MC_NOBODY);
        if ((h->word[at[half]] & 3) == END) break;
        at[half] = add_item(w, at[half], root, half);
    }
}

static uint64_t backward(const struct mc_halves *h, uint32_t list)
{
    return h->word[list + BACK] | (uint64_t)h->word[list + BACK + 1] << 32;
}

/* With fewer than all slots. False: all are needed, or something failed. */
static bool put_some_together(struct mc_worker *w, uint64_t root, uint32_t left, uint32_t right)
{
    struct mc_halves *h = w->halves;
    const struct mc_reduction_ops *choose = w->space->reduction[MC_CHOOSE].ops;
    const struct mc_decision *d = choose->choose_halves(w, h->word[left + STAND], h->word[right + STAND]);
    uint64_t back = backward(h, left) | backward(h, right);
    struct mc_candidate some = {.next = 0};
    while (d && mc_next_candidate(d, &some)) {
        if (some.set.slots[0] & back) continue;
        h->chosen = &some.set;
        h->only_waits = some.only_waits;
        put_together(w, root, left, right);
        h->chosen = NULL;
        if (h->failed) return false;
        if (h->back || !h->roots) continue;
        w->reduced[MC_CHOOSE].states++;
        return true;
    }
    return false;
}

bool mc_expand_halves(struct mc_worker *w, uint64_t root, enum mc_end *end)
{
    struct mc_halves *h = w->halves;
    bool reduces = mc_reduces(w, MC_CHOOSE);
    uint32_t left = list_of(w, root, 0), right = list_of(w, root, 1);
    uint32_t kind = (left ? h->word[left] : FAULTS) | (right ? h->word[right] : FAULTS);
    bool known = !(kind & FAULTS) && (!reduces || (h->word[left + STAND] && h->word[right + STAND]));
    h->failed = !known;
    if (known && !(reduces && put_some_together(w, root, left, right)) && !h->failed) put_together(w, root, left, right);
    if (h->failed) {
        mc_decode_halves(w, root);
        return false;
    }
    *end = !(kind & LIVES) ? MC_ENDED : !(kind & CAN_GO) && kind & WAITS ? MC_DEADLOCKED : MC_GOES_ON;
    return true;
}
