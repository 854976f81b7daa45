/* Threads that work on shared tables: look-ups take no lock, insertions a short one, and a table grows while all but one
 * thread rest. A thread rests where it holds no pointer into a table that can move: wherever it interns or inserts. */
#ifndef MC_CREW_H
#define MC_CREW_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct mc_crew {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    _Atomic uint32_t working; /* changed under the mutex; see mc_works_alone */
    uint32_t resting;         /* of the working ones, how many rest */
    bool alone;                /* one of them wants the others to rest */
    void (*task)(void *);      /* what those who rest do for the one who is alone; NULL: nothing */
    void *of_task;
    uint32_t tasks, helping;   /* how many there have been; how many threads are at the last one */
    _Atomic bool out_of_memory; /* a table could not grow: what is inserted goes nowhere; the search must stop */
};

static inline void mc_crew_new(struct mc_crew *c)
{
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->changed, NULL);
    c->working = 1;
    c->resting = 0;
    c->alone = false;
    c->task = NULL;
    c->tasks = c->helping = 0;
    c->out_of_memory = false;
}

static inline bool mc_wanted_alone(const struct mc_crew *c) { return __atomic_load_n(&c->alone, __ATOMIC_RELAXED); }

/* No other thread works any more, and all that the others have put into the tables can be seen: each ends to work by a store
 * to `working` that releases what it did (mc_crew_count), one after the other under the mutex, and this acquires the last. So
 * what follows may be done by plain loads and stores. */
static inline bool mc_works_alone(const struct mc_crew *c) { return atomic_load_explicit(&c->working, memory_order_acquire) == 1; }

static inline void mc_help_locked(struct mc_crew *c)
{
    void (*task)(void *) = c->task;
    void *of = c->of_task;
    c->helping++;
    pthread_mutex_unlock(&c->mutex);
    task(of);
    pthread_mutex_lock(&c->mutex);
    c->helping--;
    pthread_cond_broadcast(&c->changed);
}

/* While somebody else wants to be alone. */
static inline void mc_rest_locked(struct mc_crew *c)
{
    uint32_t helped = c->tasks;
    while (c->alone) {
        c->resting++;
        pthread_cond_broadcast(&c->changed);
        while (c->alone) {
            if (!c->task || helped == c->tasks) {
                pthread_cond_wait(&c->changed, &c->mutex);
                continue;
            }
            helped = c->tasks;
            mc_help_locked(c);
        }
        c->resting--;
    }
}

static inline void mc_rest(struct mc_crew *c)
{
    pthread_mutex_lock(&c->mutex);
    mc_rest_locked(c);
    pthread_mutex_unlock(&c->mutex);
}

/* Until mc_together, no other thread touches the tables. Others may have changed them before this returns. */
static inline void mc_alone(struct mc_crew *c)
{
    pthread_mutex_lock(&c->mutex);
    mc_rest_locked(c);
    if (c->working == 1) return;
    __atomic_store_n(&c->alone, true, __ATOMIC_RELAXED);
    while (c->resting + 1 < c->working) pthread_cond_wait(&c->changed, &c->mutex);
}

/* By who is alone: this thread and those who rest do it at the same time. It ends for each when there is nothing left to begin. */
static inline void mc_all_do(struct mc_crew *c, void (*task)(void *), void *of)
{
    c->task = task;
    c->of_task = of;
    c->tasks++;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
    task(of);
    pthread_mutex_lock(&c->mutex);
    c->task = NULL;
    while (c->helping) pthread_cond_wait(&c->changed, &c->mutex);
}

static inline void mc_together(struct mc_crew *c)
{
    __atomic_store_n(&c->alone, false, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

/* This thread begins (+1) or ends (-1) to work. */
static inline void mc_crew_count(struct mc_crew *c, int change)
{
    pthread_mutex_lock(&c->mutex);
    if (change > 0) {
        mc_rest_locked(c);
        c->working++;
    } else {
        c->working--;
    }
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

static inline void mc_lock(uint32_t *lock)
{
    for (uint32_t tries = 1; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE); tries++) {
        while (__atomic_load_n(lock, __ATOMIC_RELAXED))
            if (tries++ % 64 == 0) sched_yield();
    }
}

static inline void mc_unlock(uint32_t *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

#endif
