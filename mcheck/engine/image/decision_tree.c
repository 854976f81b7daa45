/* What passes have read and done, as trees: where one has no branch, the code runs on. */
#include "image/decision_tree.h"

static void link_to(struct img *x, uint32_t ref)
{
    if (x->tail_node == IMG_NO_NODE) {
        x->root_of[x->tail_phase] = ref;
        return;
    }
    struct img_node *n = &x->node[x->tail_node];
    if (!n->child) {
        n->value = x->tail_value;
        n->child = ref;
    } else if (!img_map_put(&x->children, (uint64_t)x->tail_node << 32 | x->tail_value, ref)) {
        x->no_memory = true;
    }
}

/* The same answers, but the transmitter is ready, or has room in its buffer, at the second look only; buffers are used
 * elsewhere, and the receiver is on. */
static bool answer_again(struct img *x, uint32_t address, uint32_t *value)
{
    uint8_t place = img_place_of(x, address);
    if ((place == IMG_STATUS || place == IMG_TX_SENT) && !x->polls) {
        x->polls = x->waited = true;
        x->asks--; /* this one does not count */
        *value = place == IMG_STATUS ? x->s.busy : (x->data[x->s.queued_at] + 1u) & (x->s.transmit_size - 1);
        return true;
    }
    x->polls = false;
    if (x->at >= x->replay_length) return false;
    *value = x->replay[x->at++];
    if (place == IMG_TAKEN || place == IMG_RECEIVED) *value = (*value + IMG_ELSEWHERE) & 0xFF;
    if (place == IMG_TX_QUEUED || place == IMG_TX_SENT) *value = (*value + IMG_ELSEWHERE) & (x->s.transmit_size - 1);
    if (place == IMG_TX_CONTROL) *value |= IMG_ELSE_ON;
    return true;
}

bool img_answer(struct img *x, uint32_t address, uint32_t *value)
{
    x->asks++;
    if (x->replays) {
        return answer_again(x, address, value);
    }
    if (x->at < x->walk.at.depth) {
        *value = x->answer[x->walk.at.base + x->at++];
        return true;
    }
    x->node = img_room(x->node, &x->nodes_room, x->nodes, sizeof *x->node, &x->no_memory);
    if (x->no_memory) return false;
    uint32_t n = x->nodes++;
    x->node[n] = (struct img_node){address, 0, 0};
    link_to(x, img_ref(n, IMG_NODE));
    if (img_options(x, address) != 1) return false;
    *value = img_take(x, address, 0);
    img_push_answer(x, x->at, *value);
    x->at++;
    x->walk.at.depth = x->at;
    x->tail_node = n;
    x->tail_value = *value;
    return !x->no_memory;
}

static uint32_t new_leaf(struct img *x)
{
    const struct img_result *r = &x->r;
    x->leaf = img_room(x->leaf, &x->leaves_room, x->leaves, sizeof *x->leaf, &x->no_memory);
    if (x->no_memory) return 0;
    struct img_leaf *l = &x->leaf[x->leaves];
    *l = (struct img_leaf){r->error, r->pc, r->where, r->halted, (uint32_t)r->cycles, x->kept_writes, x->writes, x->kept_accesses, x->accesses};
    for (uint32_t i = 0; i < x->writes; i++) {
        x->kept_written = img_room(x->kept_written, &x->kept_writes_room, x->kept_writes, sizeof *x->kept_written, &x->no_memory);
        if (x->no_memory) return 0;
        x->kept_written[x->kept_writes++] = x->written[i];
    }
    for (uint32_t i = 0; i < x->accesses; i++) {
        x->kept_access = img_room(x->kept_access, &x->kept_accesses_room, x->kept_accesses, sizeof *x->kept_access, &x->no_memory);
        if (x->no_memory) return 0;
        x->kept_access[x->kept_accesses++] = x->access[i];
    }
    return x->leaves++;
}

static bool did_the_same(const struct img *x, const struct img_leaf *l)
{
    if (x->r.error != l->error || x->r.halted != l->halted || x->r.asked || x->writes != l->written || x->accesses != l->accesses ||
        (!x->waited && (uint32_t)x->r.cycles != l->cycles))
        return false;
    for (uint32_t i = 0; i < x->writes; i++) {
        const struct img_written *w = &x->kept_written[l->first_written + i];
        if (x->s.place[w->address] == IMG_BUFFER) continue;
        uint8_t value = x->written[i].value;
        if (x->s.place[w->address] == IMG_TAKEN) value -= IMG_ELSEWHERE;
        if (x->s.place[w->address] == IMG_TX_QUEUED) value = (uint8_t)((value - IMG_ELSEWHERE) & (x->s.transmit_size - 1));
        if (w->address != x->written[i].address || w->value != value) return false;
    }
    return !l->accesses || !memcmp(x->access, x->kept_access + l->first_access, l->accesses * sizeof *x->access);
}

void img_run_again(struct img *x, uint32_t phase, uint32_t leaf)
{
    const struct img_phase *p = x->phase[phase];
    uint32_t length = p->way_length + x->at;
    if (x->leaf[leaf].error) return;
    if (length > x->replay_room) {
        uint32_t *more = realloc(x->replay, 4ull * length * 2);
        if (!more) {
            x->no_memory = true;
            return;
        }
        x->replay = more;
        x->replay_room = length * 2;
    }
    if (p->way_length) memcpy(x->replay, p->way, 4ull * p->way_length);
    memcpy(x->replay + length - x->at, x->answer + x->walk.at.base, 4ull * x->at);
    x->replay_length = length;
    x->replays = true;
    x->polls = x->waited = false;
    x->at = 0;
    img_run(x, phase, true);
    x->replays = false;
    struct img_leaf *l = &x->leaf[leaf];
    if (!l->error && !did_the_same(x, l)) {
        l->error = IMG_HIDDEN;
        l->pc = x->r.pc;
    }
}

void img_grow(struct img *x, uint32_t node, uint32_t value)
{
    uint32_t depth = x->walk.at.depth, choices = x->choices;
    bool foreign = x->walk.foreign, asked = x->walk.asked_policy;
    x->at = 0;
    x->tail_node = node;
    x->tail_value = value;
    x->tail_phase = x->walk.at.phase;
    img_run(x, x->walk.at.phase, false);
    if (!x->no_memory && !x->r.asked) {
        if (x->r.marked) {
            bool picks = x->r.marked == IMG_PICKED;
            uint32_t phase = img_phase_here(x, x->walk.at.phase);
            x->exit = img_room(x->exit, &x->exits_room, x->exits, sizeof *x->exit, &x->no_memory);
            if (phase && !x->no_memory) {
                x->exit[x->exits] = (struct img_exit){phase, (uint32_t)x->r.cycles, picks};
                link_to(x, img_ref(x->exits++, IMG_EXIT));
            } else {
                x->no_memory = true;
            }
        } else {
            uint32_t leaf = new_leaf(x);
            if (!x->no_memory) {
                link_to(x, img_ref(leaf, IMG_LEAF));
                img_run_again(x, x->walk.at.phase, leaf);
            }
        }
    }
    img_undo(x, choices);
    x->walk.at.depth = depth;
    x->walk.foreign = foreign;
    x->walk.asked_policy = asked;
}
