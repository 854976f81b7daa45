/* Mistakes on purpose, linked into the engine that the sanitizers watch: each must be reported, or nothing else is worth much. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Volatile: each round goes to memory. One access of each thread at the very same moment can be missed, a thousand cannot. */
static volatile uint64_t counter;

static void *count(void *rounds)
{
    for (uint32_t i = 0; i < *(const uint32_t *)rounds; i++) counter++;
    return NULL;
}

/* Two threads count without a lock. */
uint64_t seeded_race(uint32_t rounds)
{
    pthread_t other;
    if (pthread_create(&other, NULL, count, &rounds)) abort();
    count(&rounds);
    pthread_join(other, NULL);
    return counter;
}

/* What another thread counts is copied meanwhile, by the library's function. */
uint64_t seeded_race_of_a_copy(uint32_t rounds)
{
    uint64_t copy[8] = {0};
    pthread_t other;
    if (pthread_create(&other, NULL, count, &rounds)) abort();
    for (uint32_t i = 0; i < rounds; i++) memcpy(copy, (const void *)(uintptr_t)&counter, i % sizeof counter);
    pthread_join(other, NULL);
    return copy[0];
}

/* Reads behind a block of so many bytes. */
uint64_t seeded_overflow(uint32_t size)
{
    volatile uint8_t *block = malloc(size);
    uint64_t found = block ? block[size] : 0;
    free((void *)(uintptr_t)block);
    return found;
}

/* After ten it is no int any more. */
uint64_t seeded_sum(uint32_t rounds)
{
    int sum = INT32_MAX - 10;
    for (uint32_t i = 0; i < rounds; i++) sum += 1;
    return (uint64_t)sum;
}
