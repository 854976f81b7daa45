/* What ranks tell each other: states by numbers of the sender, and what the numbers stand for. cluster.h has the terms. */
#include "cluster/cluster.h"

#include "model/worker.h"

/* Instead of the number of a left half: a value or a pair is defined. */
enum { DEFINED = UINT32_MAX };

/* --- who owns a state ----------------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct mc_space *s, uint32_t node, uint32_t number)
{
    if (node < s->p.components) {
        const struct mc_values *v = mc_values_of(s, node);
        return mc_mix(mc_hash_bytes(mc_value(v, number), v->size) + (node + 1) * 0x9E3779B97F4A7C15u);
    }
    uint64_t pair = s->pairs[node].pair[number];
    return hash_of(s, s->tree[node].left, (uint32_t)pair) + hash_of(s, s->tree[node].right, (uint32_t)(pair >> 32));
}

static uint64_t hash_of_half(struct mc_cluster *c, const struct mc_space *s, uint32_t half, uint32_t node, uint32_t number)
{
    void *at = c->half_hash[half];
    if (!mc_widen(&at, &c->half_room[half], number + 1ull, sizeof(uint64_t))) return hash_of(s, node, number);
    c->half_hash[half] = at;
    uint64_t *kept = &c->half_hash[half][number];
    if (!*kept) *kept = hash_of(s, node, number);
    return *kept;
}

uint32_t mc_cluster_owner(struct mc_cluster *c, const struct mc_space *s, uint64_t root)
{
    uint64_t hash;
    if (s->p.components == 1) hash = hash_of_half(c, s, 0, 0, (uint32_t)root);
    else hash = hash_of_half(c, s, 0, s->tree[s->root].left, (uint32_t)root) +
                hash_of_half(c, s, 1, s->tree[s->root].right, (uint32_t)(root >> 32));
    return (uint32_t)((unsigned __int128)mc_mix(hash) * c->ranks >> 64);
}

/* --- out ------------------------------------------------------------------------------------------------------ */

/* NULL: no memory, and all ends. */
uint32_t *mc_cluster_room(struct mc_cluster *c, struct mc_box *box, uint64_t words)
{
    void *at = box->word;
    if (!mc_widen(&at, &box->room, box->used + words, sizeof(uint32_t))) {
        c->no_memory = true;
        return NULL;
    }
    box->word = at;
    uint32_t *found = box->word + box->used;
    box->used += words;
    return found;
}

/* As mc_widen, but for small things of which there are many. */
static bool widen(void **at, uint64_t *room, uint64_t wanted, uint64_t size)
{
    uint64_t more = *room + *room / 2 + 4;
    if (__builtin_expect(wanted <= *room, 1)) return true;
    if (more < wanted) more = wanted;
    void *p = mc_grown(*at, *room * size, more * size);
    if (!p) return false;
    *at = p;
    *room = more;
    return true;
}

/* True: it was not. */
static bool mark_sent(struct mc_cluster *c, struct mc_known_to *k, uint32_t number)
{
    void *at = k->sent;
    if (!widen(&at, &k->sent_room, number / 64 + 1ull, sizeof(uint64_t))) {
        c->no_memory = true;
        return false;
    }
    k->sent = at;
    uint64_t bit = 1ull << number % 64, before = k->sent[number / 64];
    k->sent[number / 64] |= bit;
    return !(before & bit);
}

static uint32_t words_of(uint32_t size) { return (size + 3) / 4; }

static void define(struct mc_engine *e, uint32_t rank, uint32_t node, uint32_t number)
{
    struct mc_cluster *c = e->cluster;
    const struct mc_space *s = &e->space;
    struct mc_peer *peer = &c->peer[rank];
    uint32_t *to;
    bool leaf = node < s->p.components;
    uint32_t kind = leaf ? s->p.component[node].class_number : s->p.classes + node - s->p.components;
    if (!mark_sent(c, &peer->to[kind], number)) return;
    c->counts.defined++;
    if (leaf) {
        const struct mc_values *v = mc_values_of(s, node);
        if (!(to = mc_cluster_room(c, &peer->box, 3 + words_of(v->size)))) return;
        memset(to + 3, 0, 4 * words_of(v->size));
        memcpy(to + 3, mc_value(v, number), v->size);
    } else {
        uint64_t pair = s->pairs[node].pair[number];
        define(e, rank, s->tree[node].left, (uint32_t)pair);
        define(e, rank, s->tree[node].right, (uint32_t)(pair >> 32));
        if (!(to = mc_cluster_room(c, &peer->box, 5))) return;
        to[3] = (uint32_t)pair;
        to[4] = (uint32_t)(pair >> 32);
    }
    to[0] = DEFINED;
    to[1] = kind;
    to[2] = number;
}

void mc_cluster_put_root(struct mc_engine *e, uint32_t rank, uint64_t root)
{
    struct mc_cluster *c = e->cluster;
    const struct mc_space *s = &e->space;
    bool one = s->p.components == 1;
    define(e, rank, one ? 0 : s->tree[s->root].left, (uint32_t)root);
    if (!one) define(e, rank, s->tree[s->root].right, (uint32_t)(root >> 32));
    uint32_t *to = mc_cluster_room(c, &c->peer[rank].box, 2);
    if (!to) return;
    to[0] = (uint32_t)root;
    to[1] = (uint32_t)(root >> 32);
}

uint64_t mc_cluster_waiting(const struct mc_engine *e, uint32_t rank) { return 4 * e->cluster->peer[rank].box.used; }

void mc_cluster_take_box(struct mc_engine *e, uint32_t rank, uint8_t *bytes)
{
    struct mc_box *box = &e->cluster->peer[rank].box;
    memcpy(bytes, box->word, 4 * box->used);
    e->cluster->counts.bytes += 4 * box->used;
    box->used = 0;
}

/* --- in ------------------------------------------------------------------------------------------------------- */

/* False: it was never defined. */
static bool own_number(const struct mc_engine *e, const struct mc_peer *peer, uint32_t node, uint32_t number, uint32_t *own)
{
    const struct mc_space *s = &e->space;
    uint32_t kind = node < s->p.components ? s->p.component[node].class_number : s->p.classes + node - s->p.components;
    const struct mc_known_from *k = &peer->from[kind];
    if (number >= k->room || !k->own[number]) return false;
    *own = k->own[number] - 1;
    return true;
}

static bool remember(struct mc_cluster *c, struct mc_known_from *k, uint32_t number, uint32_t own)
{
    void *at = k->own;
    if (!widen(&at, &k->room, number + 1ull, sizeof *k->own)) {
        c->no_memory = true;
        return false;
    }
    k->own = at;
    k->own[number] = own + 1;
    return true;
}

/* How many words it takes; 0: it is no definition. */
static uint64_t take_definition(struct mc_engine *e, struct mc_peer *peer, const uint32_t *word, uint64_t left)
{
    struct mc_space *s = &e->space;
    uint32_t kind = left > 2 ? word[1] : UINT32_MAX, own, l, r;
    uint64_t size;
    if (kind >= e->cluster->kinds || word[2] == UINT32_MAX) return 0;
    if (kind < s->p.classes) {
        size = 3ull + words_of(s->values[kind].size);
        if (left < size) return 0;
        own = mc_intern_value(&s->values[kind], (const uint8_t *)(word + 3));
    } else {
        uint32_t node = kind - s->p.classes + s->p.components;
        size = 5;
        if (left < size || node == s->root) return 0;
        if (!own_number(e, peer, s->tree[node].left, word[3], &l) || !own_number(e, peer, s->tree[node].right, word[4], &r)) return 0;
        own = mc_intern_pair(&s->pairs[node], l, r);
    }
    return remember(e->cluster, &peer->from[kind], word[2], own) ? size : 0;
}

static bool take_root(const struct mc_engine *e, const struct mc_peer *peer, const uint32_t *word, uint64_t *root)
{
    const struct mc_space *s = &e->space;
    uint32_t l, r = 0;
    bool one = s->p.components == 1;
    if (!own_number(e, peer, one ? 0 : s->tree[s->root].left, word[0], &l)) return false;
    if (!one && !own_number(e, peer, s->tree[s->root].right, word[1], &r)) return false;
    *root = l | (uint64_t)r << 32;
    return true;
}

static bool is_answer(uint32_t round) { return round == MC_ROUND_FINE || round == MC_ROUND_STUCK; }

uint32_t mc_cluster_receive(struct mc_engine *e, uint32_t rank, const uint8_t *bytes, uint64_t size)
{
    struct mc_cluster *c = e->cluster;
    struct mc_searcher *x = e->searcher[0];
    const uint32_t *word = (const uint32_t *)(const void *)bytes;
    uint64_t words = size / 4, after = c->round == MC_ROUND_STATES ? 0 : mc_stuck_words(e);
    if (rank >= c->ranks || size % 4) return 0;
    if (is_answer(c->round)) return mc_stuck_answered(e, word, words);
    x->owner = 0;
    for (uint64_t at = 0; at < words;) {
        uint64_t root;
        if (word[at] == DEFINED) {
            uint64_t taken = take_definition(e, &c->peer[rank], word + at, words - at);
            if (!taken) return c->no_memory;
            at += taken;
            continue;
        }
        if (words - at < 2 + after || !take_root(e, &c->peer[rank], word + at, &root)) return 0;
        if (mc_cluster_owner(c, &e->space, root) != c->rank) return 0;
        c->counts.received++;
        if (c->round == MC_ROUND_STATES) mc_take_successor(x, root, 0);
        else if (!mc_stuck_asked(e, rank, root, word + at + 2)) return 0;
        at += 2 + after;
    }
    return 1;
}
