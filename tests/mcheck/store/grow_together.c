/* A table grows, by one thread and by several: what was in it is in it, once, and nothing else; each entry in the first line from
 * its home that had room. */
#include <stdio.h>
#include <stdlib.h>

#include "store/grown_set.h"

enum { THREADS = 3, LEAST = 5000 };

static struct mc_roots table;
static struct mc_crew crew;

static void *rest_often(void *unused)
{
    while (!atomic_load(&crew.out_of_memory)) /* until the end is told so */
        if (mc_wanted_alone(&crew)) mc_rest(&crew);
    mc_crew_count(&crew, -1);
    return unused;
}

static uint64_t pair(uint64_t i, uint64_t wide) { return mc_permute((uint32_t)(i % wide), (uint32_t)(i / wide)); }

/* Entries, or 0 where a line before an entry's own has room. */
static uint64_t entries(void)
{
    uint64_t count = 0;
    for (uint64_t line = 0; line < table.lines + MC_TAIL; line++)
        for (uint32_t i = 0; i < MC_LINE; i++) {
            uint32_t there = table.entry[line * MC_LINE + i];
            if (!there) continue;
            if (i && !table.entry[line * MC_LINE + i - 1]) return 0;
            for (uint64_t k = 1; k <= (there - 1) >> MC_REST_BITS; k++)
                if (!table.entry[(line - k) * MC_LINE + MC_LINE - 1]) return 0;
            count++;
        }
    return count;
}

/* From `lines`, filled to four fifths or until one has no room, by `times` / 8 again and again until it is `most` lines or more. */
static bool grows(uint64_t lines, uint64_t times, uint64_t most, uint64_t wide)
{
    if (!mc_roots_new(&table)) return false;
    if (lines > table.lines && !mc_roots_grow(&table, lines, wide, 1u << 20, NULL)) return false;
    uint64_t count = 0;
    while (table.lines < most) {
        enum mc_inserted how = MC_FRESH;
        while (count < table.limit && (how = mc_insert(&table, pair(count, wide), false)) == MC_FRESH) count++;
        if (how == MC_THERE) return false;
        uint64_t before = entries();
        mc_alone(&crew);
        bool grown = mc_roots_grow(&table, table.lines * times / 8, wide, 1u << 20, &crew);
        mc_together(&crew);
        if (!grown || before != count || entries() != count) return false;
        for (uint64_t i = 0; i < count; i++)
            if (mc_find(&table, pair(i, wide)) == UINT64_MAX) return false;
    }
    mc_roots_free(&table);
    return true;
}

int main(void)
{
    pthread_t thread[THREADS];
    uint64_t times[] = {9, 10, 12, 16, 40, 80};
    mc_crew_new(&crew);
    for (uint32_t threads = 1; threads <= THREADS; threads++) {
        for (uint32_t i = 0; i < sizeof times / sizeof *times; i++)
            if (!grows(64, times[i], LEAST, 1000) || !grows(LEAST * 2, times[i], LEAST * 4, 300000)) {
                printf("wrong with %u threads, by %u / 8\n", threads, (uint32_t)times[i]);
                return 1;
            }
        mc_crew_count(&crew, 1);
        pthread_create(&thread[threads - 1], NULL, rest_often, NULL);
    }
    crew.out_of_memory = true;
    for (uint32_t i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    printf("all there\n");
    return 0;
}
