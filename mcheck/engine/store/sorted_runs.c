/* Writing, reading, seeking in, and joining runs. */
#include "store/sorted_runs.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK = 4096 }; /* keys between two looks whether to stop */

void mc_run_free(struct mc_run *r)
{
    mc_file_free(&r->file);
    free(r->first);
    memset(r, 0, sizeof *r);
    r->file.fd = -1;
}

bool mc_run_begin(struct mc_run_writer *w, struct mc_run *r, struct mc_disk *d)
{
    memset(r, 0, sizeof *r);
    *w = (struct mc_run_writer){r, malloc(8 * MC_RUN_BUFFER), 0, false};
    w->failed = !mc_file_new(d, &r->file) || !w->buffer;
    return !w->failed;
}

static void write_out(struct mc_run_writer *w)
{
    uint64_t bytes = 8 * w->used;
    if (bytes && !w->failed) {
        uint64_t at = mc_file_take(&w->run->file, bytes);
        w->failed = !mc_file_put(&w->run->file, at, w->buffer, bytes);
    }
    w->used = 0;
}

static void add_block(struct mc_run_writer *w, uint64_t key)
{
    struct mc_run *r = w->run;
    if (r->blocks == r->room) {
        uint64_t room = r->room ? r->room + r->room / 2 : 16;
        uint64_t *first = realloc(r->first, 8 * room);
        if (!first) {
            w->failed = true;
            return;
        }
        r->first = first;
        r->room = room;
    }
    r->first[r->blocks++] = key;
}

void mc_run_add(struct mc_run_writer *w, uint64_t key)
{
    if (w->run->count % MC_RUN_BLOCK == 0) add_block(w, key);
    if (w->failed) return;
    w->buffer[w->used++] = key;
    w->run->count++;
    if (w->used == MC_RUN_BUFFER) write_out(w);
}

bool mc_run_end(struct mc_run_writer *w)
{
    write_out(w);
    free(w->buffer);
    if (w->failed) mc_run_free(w->run);
    return !w->failed;
}

bool mc_run_open(struct mc_run_reader *r, const struct mc_run *run)
{
    *r = (struct mc_run_reader){run, malloc(8 * MC_RUN_BUFFER), 0, 0, 0, false};
    return r->buffer != NULL;
}

void mc_run_close(struct mc_run_reader *r) { free(r->buffer); }

void mc_run_rewind(struct mc_run_reader *r) { r->at = r->from = r->filled = 0; }

/* The keys from `from` on, at most `most`. */
static bool read_keys(struct mc_run_reader *r, uint64_t from, uint64_t most)
{
    uint64_t left = r->run->count - from, n = left < most ? left : most;
    r->from = from;
    r->filled = n;
    if (n == 0) return false;
    if (mc_file_get(&r->run->file, 8 * from, r->buffer, 8 * n)) return true;
    r->failed = true;
    r->filled = 0;
    return false;
}

bool mc_run_next(struct mc_run_reader *r, uint64_t *key)
{
    if (r->at >= r->from + r->filled && !read_keys(r, r->at, MC_RUN_BUFFER)) return false;
    *key = r->buffer[r->at++ - r->from];
    return true;
}

/* The last block from `low` on that begins with `key` or less; `low` if there is none. */
static uint64_t block_of(const struct mc_run *run, uint64_t low, uint64_t key)
{
    uint64_t step = 1, high;
    while (low + step < run->blocks && run->first[low + step] <= key) {
        low += step;
        step *= 2;
    }
    high = low + step < run->blocks ? low + step : run->blocks;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (run->first[middle] <= key) low = middle;
        else high = middle;
    }
    return low;
}

bool mc_run_seek(struct mc_run_reader *r, uint64_t key)
{
    if (r->filled == 0 || r->buffer[r->filled - 1] < key) {
        uint64_t end = r->from + r->filled, next = end / MC_RUN_BLOCK; /* blocks are read whole, but for the last */
        if (end >= r->run->count) return false;
        uint64_t block = block_of(r->run, next, key);
        if (!read_keys(r, block * MC_RUN_BLOCK, block == next ? MC_RUN_BUFFER : MC_RUN_BLOCK)) return false;
        r->at = r->from;
    }
    uint64_t low = r->at - r->from, step = 1, high; /* keys before `low` are less */
    while (low + step <= r->filled && r->buffer[low + step - 1] < key) {
        low += step;
        step *= 2;
    }
    high = low + step - 1 < r->filled ? low + step - 1 : r->filled;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (r->buffer[middle] < key) low = middle + 1;
        else high = middle;
    }
    r->at = r->from + low;
    return low < r->filled && r->buffer[low] == key;
}

bool mc_runs_join(struct mc_run *out, const struct mc_run *run, uint32_t runs, struct mc_disk *d, const _Atomic int *stop)
{
    struct mc_run_writer w;
    struct mc_run_reader *r = calloc(runs, sizeof *r);
    uint64_t *key = calloc(runs, sizeof *key), looked = 0;
    bool good = mc_run_begin(&w, out, d) && r && key, *there = calloc(runs, 1);
    good &= there != NULL;
    for (uint32_t i = 0; i < runs && good; i++) {
        good = mc_run_open(&r[i], &run[i]);
        there[i] = good && mc_run_next(&r[i], &key[i]);
    }
    while (good) {
        uint32_t least = runs;
        for (uint32_t i = 0; i < runs; i++)
            if (there[i] && (least == runs || key[i] < key[least])) least = i;
        if (least == runs) break;
        mc_run_add(&w, key[least]);
        there[least] = mc_run_next(&r[least], &key[least]);
        good = !w.failed && !r[least].failed && !(++looked % LOOK == 0 && *stop);
    }
    for (uint32_t i = 0; i < runs && r; i++) {
        good &= !r[i].failed;
        mc_run_close(&r[i]);
    }
    free(r);
    free(key);
    free(there);
    w.failed |= !good;
    return mc_run_end(&w);
}
