/* Sleep sets: of two actions that have nothing to do with each other only one order is worked out. Who sleeps in a state need
 * not act there: its steps lead where other ways lead as well, and those are no longer. docs/checker.md has the argument.
 *
 * A breadth-first search comes to a state of the next level from several of this one; who sleeps there is who may sleep
 * whichever way it was reached. So the sets of a level are kept beside it, at a place that a hash of the state names: states
 * that share a place have what both allow, which is less, and right.
 */
#ifndef MC_ASLEEP_H
#define MC_ASLEEP_H

#include "reduce.h"
#include "successors.h"

enum { MC_MOST_ASLEEP = 64 }; /* slots; the others never sleep, and who acts there lets nobody sleep */

struct mc_asleep {
    uint32_t width;     /* bytes of a set */
    uint32_t bits[2];   /* of the number of places: of the level's, and the next one's */
    uint64_t room[2];   /* bytes */
    uint8_t *set[2];    /* NULL: nobody sleeps */
    uint32_t now;       /* which is the level's */
    bool partners_apart; /* to test that this would be seen: two may meet the same one and are taken for independent */
};

/* Of a worker: what the state that is expanded is like. */
struct mc_sleeper {
    uint8_t *known;     /* pairs of footprints: see asleep.c */
    uint64_t apart[MC_MOST_ASLEEP]; /* by slot that is ready: who is too, and whose action is independent of its */
    uint64_t ready;     /* of which slots `apart` tells */
    bool is_looked_at;  /* both are of this state */
    uint64_t before;    /* who sleeps, or has acted before `acting` */
    uint32_t acting;
    uint64_t count;     /* processes that slept, in all states */
};

struct mc_engine;
/* Before a search begins. False: no memory. `blind`: see `partners_apart`. */
bool mc_let_sleep(struct mc_engine *e, uint32_t blind);
uint64_t mc_slept(const struct mc_engine *e);
/* A new level of so many states begins; false: no memory. */
bool mc_sleep_on(struct mc_engine *e, uint64_t states);
void mc_asleep_free(struct mc_asleep *a);
uint64_t mc_memory_of_asleep(const struct mc_asleep *a);
void mc_sleeper_free(struct mc_worker *w);

/* A state of the level is about to be expanded: who sleeps is in `asleep` of the worker. */
bool mc_begin_state(struct mc_worker *w, uint64_t root);
/* The words for a half's slots, which `w` holds: how many, in `to`. */
uint32_t mc_note_alive(struct mc_worker *w, const uint32_t *slot, uint32_t slots, uint32_t *to);
enum { MC_ALIVE_WORDS = 3 }; /* for each slot, and one more */
/* Who is apart from whom in the state of two such halves. */
void mc_look_at_halves(struct mc_worker *w, const uint32_t *left, const uint32_t *right);
/* Who may sleep after a step of this slot; steps come in the order of the slots. */
uint64_t mc_who_may_sleep(struct mc_worker *w, uint32_t slot);
/* A state of the next level was reached, in which these may sleep. */
void mc_reached_asleep(struct mc_worker *w, uint64_t root, uint64_t who);

#endif
