/* Every reached state is followed through what an image's passes read and did. */
#include "image/decision_tree.h"

enum { MOST_READS = 200 };

static void walk(struct img *x, uint32_t ref);

bool img_tried_all(struct img *x)
{
    x->crowded |= x->w.stopped_short;
    return !x->crowded;
}

/* Can the action of a slot meet this one as it waits now? Else only where it is matters. */
static bool can_meet(struct img *x, uint32_t slot, uint32_t index)
{
    const struct mc_program *p = &x->e->space.p;
    const struct mc_action *a = &p->action[x->position[slot]];
    uint32_t other = p->partner[a->first_partner + index];
    if (other == slot || !p->may_meet[x->position[slot] * (p->positions + 1) + x->position[other]]) return false;
    if (x->answered) return true; /* without its models an action may read on for ever */
    x->w.scratch_used = 0;
    return *mc_remembered_pair(&x->w, a, slot, other, index) != 0 || !img_tried_all(x);
}

/* What the action of a slot may read of the state. */
static uint64_t signature(struct img *x, uint32_t slot)
{
    const struct mc_program *p = &x->e->space.p;
    const uint32_t *v = x->w.v;
    const struct mc_action *a = &p->action[x->position[slot]];
    uint64_t h = img_mixed(slot, v[p->slot_component[slot]]);
    if (a->kind == MC_WHOLE) {
        for (uint32_t i = 0; i < p->components; i++) h = img_mixed(h, v[i]);
        return h;
    }
    for (uint32_t i = 0; i < a->touched; i++) h = img_mixed(h, v[p->touched[a->first_touched + i]]);
    for (uint32_t i = 0; i < a->partners; i++) {
        uint32_t other = p->partner[a->first_partner + i];
        h = img_mixed(h, can_meet(x, slot, i) ? v[p->slot_component[other]] + 0x10000ull : x->position[other]);
    }
    const struct img_learned *l = &x->learned[slot];
    for (uint32_t i = 0; i < l->count; i++) h = img_mixed(h, x->block[l->offset[i]] + 256ull * l->offset[i]);
    return h;
}

static void stamp(struct img *x, uint32_t component, uint32_t pieces)
{
    const struct mc_program *p = &x->e->space.p;
    const struct mc_component *c = &p->component[component];
    for (uint32_t i = 0; i < c->pieces && i < pieces; i++) {
        const struct mc_piece *piece = &p->pieces[c->first_piece + i];
        for (uint32_t k = 0; k < piece->size && piece->offset + k < p->block_size; k++) x->stamps[piece->offset + k] = x->stamp;
    }
}

/* The bytes that the signature stands for. The first piece of a slot's component is its position. */
static void stamp_signature(struct img *x, uint32_t slot)
{
    const struct mc_program *p = &x->e->space.p;
    const struct mc_action *a = &p->action[x->position[slot]];
    x->stamp++;
    stamp(x, p->slot_component[slot], UINT32_MAX);
    for (uint32_t i = 0; a->kind == MC_WHOLE && i < p->components; i++) stamp(x, i, UINT32_MAX);
    for (uint32_t i = 0; i < a->touched; i++) stamp(x, p->touched[a->first_touched + i], UINT32_MAX);
    for (uint32_t i = 0; i < a->partners; i++) {
        uint32_t other = p->partner[a->first_partner + i];
        stamp(x, p->slot_component[other], can_meet(x, slot, i) ? UINT32_MAX : 1);
    }
    const struct img_learned *l = &x->learned[slot];
    for (uint32_t i = 0; i < l->count; i++) x->stamps[l->offset[i]] = x->stamp;
}

static uint64_t choices_hash(const struct img *x, uint64_t h)
{
    h = img_mixed(h, x->clock);
    for (uint32_t i = 0; i < x->choices; i++)
        if (x->choice[i].field != IMG_CURSOR) h = img_mixed(h, x->choice[i].field * 0x100000000u + (uint64_t)x->field[x->choice[i].field]);
    return h;
}

static uint64_t sets_hash(const struct img *x, uint64_t h)
{
    h = img_mixed(h, 1 + x->shareds);
    for (uint32_t i = 0; i < x->shareds; i++) h = img_mixed(h, x->shared[i]);
    for (uint32_t i = 0; i < x->sleepers; i++) h = img_mixed(h, 256 + x->sleeping[i] + ((uint64_t)x->timed[x->sleeping[i]] << 32));
    return h;
}

enum { ASKS_POLICY = 1u << 31, HAS_CALLS = 1u << 30, MOST_LONGEST = HAS_CALLS - 1 };

void img_note_worst(struct img *x, uint32_t number, uint64_t cycles, uint32_t slot)
{
    struct img_worst *w = &x->worst[number];
    if (cycles <= w->cycles) return;
    *w = (struct img_worst){cycles, x->root, slot, (uint32_t)x->field[IMG_CURSOR] & 0xFF};
}

/* With several cursors a state comes to the same phase, for the same slot. */
static struct img_entrance *entrance_of(struct img *x, uint64_t chosen, uint32_t slot)
{
    for (uint32_t i = 0; i < x->entrances; i++)
        if (x->entrance[i].chosen == chosen && x->entrance[i].slot == slot) return &x->entrance[i];
    return NULL;
}

static void note_entrance(struct img *x, uint64_t chosen, uint32_t slot, uint64_t longest)
{
    if (x->entrances < IMG_MOST_ENTRANCES && !x->no_memory) x->entrance[x->entrances++] = (struct img_entrance){chosen, longest, slot};
}

static void enter_phase(struct img *x, const struct img_exit *exit)
{
    bool taker = img_runs_taker(x);
    uint32_t slot = taker ? (uint32_t)x->field[IMG_TAKER] : img_picked(x, (uint32_t)x->field[IMG_CURSOR]), phase = exit->phase;
    uint64_t cycles = x->walk.at.so_far + exit->cycles;
    uint32_t stored = !taker && slot < x->s.wrap_to ? x->e->space.p.slots - 1 : slot;
    if (slot == MC_NOBODY || x->phase[phase]->slot != stored) {
        img_note_error(x, IMG_BAD_PICK, x->phase[phase]->pc, 0, slot, x->phase[phase]->slot, IMG_RUN, slot);
        return;
    }
    uint64_t chosen = choices_hash(x, phase);
    struct img_entrance *before_here = entrance_of(x, chosen, slot);
    if (before_here && !x->wanted) {
        img_note_worst(x, x->position[slot], cycles + before_here->longest, slot);
        return;
    }
    uint64_t plain = img_mixed(signature(x, slot), chosen);
    if (x->answered) plain = img_mixed(plain, img_answers_hash(x, slot));
    uint64_t key = plain;
    uint32_t *known = img_map_find(&x->walked, key);
    bool judged = known && !(*known & ASKS_POLICY);
    if (known && *known & (ASKS_POLICY | HAS_CALLS)) known = img_map_find(&x->walked, key = sets_hash(x, key));
    if (known && !x->wanted) {
        img_note_worst(x, x->position[slot], cycles + *known, slot);
        note_entrance(x, chosen, slot, *known);
        return;
    }
    stamp_signature(x, slot);
    struct img_walk before = x->walk;
    x->walk = (struct img_walk){.at = {before.at.base + before.at.depth, 0, phase, 0}, .slot = slot, .prefix = cycles, .known = judged};
    if (!x->root_of[phase]) img_grow(x, IMG_NO_NODE, 0);
    if (x->root_of[phase]) walk(x, x->root_of[phase]);
    img_note_worst(x, x->position[slot], cycles + x->walk.longest, slot);
    if (x->walk.foreign) {
        x->t.foreign++;
    } else if (!x->no_memory && !x->wanted) {
        uint32_t most = x->walk.longest < MOST_LONGEST ? (uint32_t)x->walk.longest : MOST_LONGEST;
        uint32_t flags = x->walk.asked_policy ? ASKS_POLICY : x->walk.calls ? HAS_CALLS : 0;
        if (flags && !img_map_find(&x->walked, plain) && !img_map_put(&x->walked, plain, flags)) x->no_memory = true;
        uint64_t full = flags ? sets_hash(x, plain) : plain;
        if (!img_map_find(&x->walked, full) && !img_map_put(&x->walked, full, most)) x->no_memory = true;
    }
    note_entrance(x, chosen, slot, x->walk.longest);
    x->walk = before;
}

/* What a function of arrivals does with every order that is left; its longest way. */
static uint64_t walk_function(struct img *x, uint32_t function, uint32_t slot)
{
    uint32_t phase = img_function(x, function, slot);
    if (!phase) return 0;
    uint64_t key = img_mixed(sets_hash(x, 0), 0x10000ull * (function + 1) + slot);
    for (uint32_t i = 0; i < x->shareds; i++) key = img_mixed(key, (uint64_t)x->field[IMG_ORDER + i]);
    uint32_t *known = img_map_find(&x->walked, key);
    if (known) return *known;
    struct img_walk before = x->walk;
    x->walk.at.base += before.at.depth;
    x->walk.at.depth = 0;
    x->walk.at.phase = phase;
    x->walk.at.so_far = x->walk.longest = 0;
    if (!x->root_of[phase]) img_grow(x, IMG_NO_NODE, 0);
    if (x->root_of[phase]) walk(x, x->root_of[phase]);
    uint64_t found = x->walk.longest;
    x->walk = before;
    if (!x->no_memory && !x->enough && !img_map_put(&x->walked, key, (uint32_t)found)) x->no_memory = true;
    return found;
}

/* With the functions that it has called. */
static uint64_t cycles_of(struct img *x, uint32_t number)
{
    uint64_t cycles = x->leaf[number].cycles;
    for (uint32_t i = 0; i < x->leaf[number].accesses; i++) {
        struct img_access a = x->kept_access[x->leaf[number].first_access + i];
        if (a.kind != IMG_CALLED) continue;
        x->walk.calls = true;
        cycles += walk_function(x, a.address, a.value);
    }
    return cycles;
}

static void end_of_walk(struct img *x, uint32_t number)
{
    bool is_function = x->phase[x->walk.at.phase]->function;
    uint64_t cycles = x->walk.at.so_far + (is_function ? x->leaf[number].cycles : cycles_of(x, number));
    const struct img_leaf *l = &x->leaf[number];
    x->t.passes++;
    if (cycles > x->walk.longest && !l->halted) x->walk.longest = cycles;
    if (is_function) {
        img_judge_function(x, l);
        return;
    }
    if (x->wanted) {
        if (!x->wanted_found && x->walk.prefix + cycles == x->wanted_cycles) {
            x->wanted_found = 1;
            x->trace = x->wanted_words;
            x->at = x->walk.at.depth;
            img_run_again(x, x->walk.at.phase, number);
            x->trace = NULL;
        }
        return;
    }
    x->leaf_cycles = cycles;
    if (!x->walk.known) img_judge(x, l, x->walk.at.phase);
}

/* Where there is but one. How far the transmitter has come follows from the path, and was answered when the path was run: the
 * memory is that of another run now. */
static uint32_t only_answer(struct img *x, uint32_t node)
{
    const struct img_node *n = &x->node[node];
    return x->s.place[n->address & IMG_INDEX] == IMG_TX_SENT && n->child ? n->value : img_take(x, n->address, 0);
}

static void walk(struct img *x, uint32_t ref)
{
    uint32_t choices = x->choices;
    struct img_point from = x->walk.at;
    while (ref && !x->no_memory && !x->enough && !x->twice && !x->crowded && !x->e->interrupted) {
        uint32_t index = ref >> 2;
        if ((ref & 3) == IMG_LEAF) {
            x->at = x->walk.at.depth;
            end_of_walk(x, index);
            break;
        }
        if ((ref & 3) == IMG_EXIT) {
            struct img_exit exit = x->exit[index];
            if (exit.picks) {
                if (!img_comes_first(x)) enter_phase(x, &exit);
                break;
            }
            x->walk.at.base += x->walk.at.depth;
            x->walk.at.depth = 0;
            x->walk.at.so_far += exit.cycles;
            x->walk.at.phase = exit.phase;
            if (x->walk.prefix + x->walk.at.so_far > x->s.most_cycles) { /* perhaps it comes back to the same state for ever */
                img_note_error(x, IMG_ENDLESS, x->phase[exit.phase]->pc, 0, 0, 0, IMG_IDLE, 0);
                break;
            }
            if (!x->root_of[exit.phase]) img_grow(x, IMG_NO_NODE, 0);
            ref = x->root_of[exit.phase];
            continue;
        }
        uint32_t address = x->node[index].address, offset = address - x->s.block_at;
        bool is_block = offset < x->e->space.p.block_size;
        uint32_t options = is_block ? 1 : img_options(x, address);
        if (options == 1) {
            uint32_t v = is_block ? img_byte_of_block(x, offset) : only_answer(x, index);
            img_push_answer(x, x->walk.at.depth++, v);
            ref = img_child_of(x, index, v);
            if (!ref) {
                img_grow(x, index, v);
                ref = img_child_of(x, index, v);
            }
            continue;
        }
        if (x->field[IMG_INPUTS] > MOST_READS) {
            x->polls_on = true; /* how long it goes on is the device's business */
            break;
        }
        for (uint32_t i = 0; i < options && !x->no_memory && !x->enough && !x->polls_on && !x->crowded && !x->e->interrupted; i++) {
            uint32_t before = x->walk.at.depth, chosen = x->choices;
            uint32_t v = img_take(x, address, i);
            img_push_answer(x, x->walk.at.depth++, v);
            uint32_t next = img_child_of(x, index, v);
            if (!next) {
                img_grow(x, index, v);
                next = img_child_of(x, index, v);
            }
            walk(x, next);
            img_undo(x, chosen);
            x->walk.at.depth = before;
        }
        break;
    }
    img_undo(x, choices);
    x->walk.at = from;
}

static void look_at_state(struct img *x)
{
    const struct mc_program *p = &x->e->space.p;
    x->shareds = x->sleepers = 0;
    x->expanded = false;
    mc_put_state(&x->w, x->block);
    for (uint32_t slot = 0; slot < p->slots; slot++) {
        uint32_t component = p->slot_component[slot];
        uint32_t position = x->position[slot] = mc_values_of(&x->e->space, component)->position[x->w.v[component]];
        x->timed[slot] = 0;
        if (position < p->first_waiting) continue;
        if (x->s.shares[position]) x->shared[x->shareds++] = (uint8_t)slot;
        x->timed[slot] = mc_timed_clauses(&x->w, &p->action[position], slot);
        if (x->timed[slot] && x->s.sleepers_room) x->sleeping[x->sleepers++] = (uint8_t)slot;
    }
}

void img_check_state(struct img *x, uint64_t root)
{
    x->root = root;
    mc_decode(&x->w, root);
    look_at_state(x);
    x->t.states++;
    for (uint32_t i = 0; i < img_clocks(x); i++) {
        x->clock = img_clock(i);
        x->walk = (struct img_walk){.slot = MC_NOBODY};
        x->entrances = 0;
        if (!x->root_of[0]) img_grow(x, IMG_NO_NODE, 0);
        walk(x, x->root_of[0]);
    }
}
