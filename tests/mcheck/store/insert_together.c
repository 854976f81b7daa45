/* Several threads insert the same pairs into one table, each in an order of its own: every pair is fresh once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/state_set.h"

enum { THREADS = 4, PAIRS = 800, ROUNDS = 20000 };

static struct mc_roots table;
static pthread_barrier_t barrier;
static uint64_t mixed[PAIRS], fresh[THREADS];

static void *insert_all(void *number)
{
    uint64_t me = (uint64_t)(uintptr_t)number;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        if (me == 0) memset(table.entry, 0, mc_roots_bytes(&table));
        pthread_barrier_wait(&barrier);
        for (uint64_t i = 0, at = me * 31; i < PAIRS; i++, at = (at + (me & 1 ? PAIRS - 1 : 1)) % PAIRS)
            fresh[me] += mc_insert(&table, mixed[at % PAIRS], true) == MC_FRESH;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    if (!mc_roots_new(&table)) return 1;
    for (uint32_t i = 0; i < PAIRS; i++) mixed[i] = mc_permute(i % 40, i / 40);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (uint64_t i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, insert_all, (void *)(uintptr_t)i);
    for (uint32_t i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < THREADS; i++) sum += fresh[i];
    printf("%llu of %llu\n", (unsigned long long)sum, (unsigned long long)PAIRS * ROUNDS);
    return sum != (uint64_t)PAIRS * ROUNDS;
}
