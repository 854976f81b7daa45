/* A breadth-first search on disk, to go on with after the process has ended. Everything that has a number (values, pairs)
 * or names one (roots, logs, marks) is kept; indexes are built again, and what actions do is computed again.
 *
 * Writing and reading are the same walk over the same data. The file ends with a checksum over the rest, which finds damage,
 * and a seal over the same, which nobody can make without the key. Both are looked at before anything of the file is believed,
 * and once more over the very bytes that were believed: the file may be another one by then.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "disk/checkpoint.h"

enum { BUFFER = 1 << 20, TRAILER = 8 + MC_SEAL };

/* Where the search is saved. */
struct mc_checkpoint {
    char *path, *part; /* the file, and the one that is being written */
    uint8_t identity[MC_IDENTITY];
    struct mc_seal seal;
    double every, due;
    uint64_t saved;
    int error; /* of the last time */
};

struct passage {
    int fd, error; /* errno of the first thing that failed; of what cannot be right in the file EINVAL */
    bool writes;
    uint8_t *buffer;
    uint64_t used, filled; /* of the buffer; what was read */
    uint64_t at, covered;  /* of what is read: where the buffer begins in the file; up to where sum and seal go */
    uint64_t sum;
    struct mc_seal seal;
};

static const uint8_t MAGIC[8] = {'L', 'F', 'C', 'H', 'E', 'C', 'K', '2'};

/* --- bytes ---------------------------------------------------------------------------------------------------- */

static uint64_t summed(uint64_t sum, const uint8_t *bytes, uint64_t count)
{
    uint64_t word;
    for (; count >= 8; bytes += 8, count -= 8) {
        memcpy(&word, bytes, 8);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    word = count;
    memcpy(&word, bytes, count);
    return count ? mc_mix(sum ^ word ^ count << 56) : sum;
}

static void cover(struct passage *f, uint64_t count)
{
    f->sum = summed(f->sum, f->buffer, count);
    if (f->seal.show && count) f->seal.show(f->buffer, count);
}

static void put_out(struct passage *f)
{
    cover(f, f->used);
    for (uint64_t done = 0; done < f->used && !f->error;) {
        ssize_t n = write(f->fd, f->buffer + done, f->used - done);
        if (n > 0) done += (uint64_t)n;
        else if (n == 0 || errno != EINTR) f->error = n == 0 ? EIO : errno;
    }
    f->used = 0;
}

/* As much as is there, up to the size of the buffer. */
static void take_in(struct passage *f)
{
    f->at += f->filled;
    f->used = f->filled = 0;
    while (f->filled < BUFFER && !f->error) {
        ssize_t n = read(f->fd, f->buffer + f->filled, BUFFER - f->filled);
        if (n > 0) f->filled += (uint64_t)n;
        else if (n == 0) break;
        else if (errno != EINTR) f->error = errno;
    }
    uint64_t left = f->at < f->covered ? f->covered - f->at : 0;
    cover(f, left < f->filled ? left : f->filled);
}

static void pass(struct passage *f, void *data, uint64_t count)
{
    uint8_t *at = data;
    while (count > 0 && !f->error) {
        if (f->writes && f->used == BUFFER) put_out(f);
        if (!f->writes && f->used == f->filled) take_in(f);
        uint64_t room = (f->writes ? BUFFER : f->filled) - f->used, n = count < room ? count : room;
        if (n == 0 && !f->error) f->error = EINVAL; /* it ends too early */
        if (f->error) return;
        if (f->writes) memcpy(f->buffer + f->used, at, n);
        else memcpy(at, f->buffer + f->used, n);
        f->used += n;
        at += n;
        count -= n;
    }
}

static void pass_number(struct passage *f, uint64_t *n) { pass(f, n, sizeof *n); }

static void pass_short(struct passage *f, uint32_t *n) { pass(f, n, sizeof *n); }

/* Of what was read. */
static void demand(struct passage *f, bool right, int error)
{
    if (!f->error && !right) f->error = error;
}

/* Is so much still to come? */
static bool is_there(const struct passage *f, uint64_t bytes)
{
    uint64_t at = f->at + f->used;
    return at <= f->covered && bytes <= f->covered - at;
}

/* --- tables --------------------------------------------------------------------------------------------------- */

/* A position that the program has. */
static bool may_be(const struct mc_space *s, const struct mc_values *v, const uint8_t *value)
{
    if (!v->position_size) return true;
    uint64_t position = v->position_size == 1 ? value[0] : value[0] | (uint32_t)value[1] << 8;
    return position < s->p.number_count - (uint64_t)(v->numbers - s->p.numbers);
}

static void pass_values(struct passage *f, const struct mc_space *s, struct mc_values *v, uint8_t *value)
{
    uint32_t count = v->count;
    pass_short(f, &count);
    for (uint32_t n = 0; n < count && !f->error; n++) {
        if (f->writes) {
            pass(f, v->bytes + (uint64_t)n * v->size, v->size);
            continue;
        }
        pass(f, value, v->size);
        if (!f->error) demand(f, may_be(s, v, value), EINVAL);
        if (!f->error) demand(f, mc_intern_value(v, value) == n && v->count == n + 1, EINVAL);
    }
    if (!f->error) pass(f, v->seen, count);
}

static uint32_t numbers_of(const struct mc_space *s, uint32_t node)
{
    return node < s->p.components ? mc_values_of(s, node)->count : s->pairs[node].count;
}

static void pass_pairs(struct passage *f, const struct mc_space *s, uint32_t node)
{
    struct mc_pairs *p = &s->pairs[node];
    uint32_t count = p->count, lefts = numbers_of(s, s->tree[node].left), rights = numbers_of(s, s->tree[node].right);
    pass_short(f, &count);
    if (f->writes) {
        pass(f, p->pair, 8ull * count);
        return;
    }
    for (uint32_t n = 0; n < count && !f->error; n++) {
        uint64_t pair;
        pass_number(f, &pair);
        if (f->error) return;
        uint32_t left = (uint32_t)pair, right = (uint32_t)(pair >> 32);
        demand(f, left < lefts && right < rights, EINVAL);
        if (!f->error) demand(f, mc_intern_pair(p, left, right) == n && p->count == n + 1, EINVAL);
    }
}

/* As mc_shape makes it. */
static bool is_shaped(const struct mc_roots *r)
{
    if (r->lines < MC_LEAST_LINES || r->lines >= 1ull << (MC_MIXED_BITS - 1)) return false;
    struct mc_roots other = {0};
    mc_shape(&other, r->lines, 1, 1);
    if (r->left_bits != other.left_bits || r->limit != other.limit || r->a_upper > 15 || r->b_upper > 15) return false;
    return r->left_bits + r->a_upper + r->b_upper <= MC_REST_BITS;
}

static void pass_roots(struct passage *f, struct mc_roots *r)
{
    struct mc_roots old = *r;
    pass_number(f, &r->lines);
    pass_short(f, &r->left_bits);
    pass_short(f, &r->a_upper);
    pass_short(f, &r->b_upper);
    pass_number(f, &r->count);
    pass_number(f, &r->limit);
    if (!f->writes) {
        mc_release(old.entry, mc_roots_bytes(&old));
        r->entry = NULL;
        demand(f, is_shaped(r), EINVAL);
        if (!f->error) demand(f, is_there(f, mc_roots_bytes(r)), EINVAL);
        if (!f->error) r->entry = mc_grown(NULL, 0, mc_roots_bytes(r));
        demand(f, r->entry != NULL, ENOMEM);
        if (f->error) r->lines = 0;
        if (!f->error) mc_huge(r->entry, mc_roots_bytes(r));
    }
    if (!f->error) pass(f, r->entry, mc_roots_bytes(r));
}

static void pass_tree(struct passage *f, struct mc_space *s)
{
    uint32_t n = s->p.components, *order = calloc(n + 1ull, 4), *weight = calloc(n + 1ull, 4);
    uint8_t *there = calloc(n + 1ull, 1);
    demand(f, order && weight && there, ENOMEM);
    if (f->writes && !f->error) {
        memcpy(order, s->order, 4ull * n);
        memcpy(weight, s->weight, 4ull * n);
    }
    pass(f, order, 4ull * n);
    pass(f, weight, 4ull * n);
    uint32_t left = s->left;
    pass_short(f, &left);
    demand(f, left < n || n < 2, EINVAL);
    for (uint32_t i = 0; !f->writes && i < n && !f->error; i++) {
        demand(f, order[i] < n && weight[i] < 1u << 16 && !there[order[i]], EINVAL);
        if (!f->error) there[order[i]] = 1;
    }
    if (!f->writes && !f->error) demand(f, mc_shape_tree(s, order, weight, left), ENOMEM);
    free(order);
    free(weight);
    free(there);
}

static void pass_space(struct passage *f, struct mc_space *s)
{
    pass_tree(f, s);
    uint32_t most = s->passed_sets.size;
    for (uint32_t c = 0; c < s->p.classes; c++) most = s->values[c].size > most ? s->values[c].size : most;
    uint8_t *value = malloc(most + 8ull);
    demand(f, value != NULL, ENOMEM);
    for (uint32_t c = 0; c < s->p.classes && !f->error; c++) pass_values(f, s, &s->values[c], value);
    if (!f->error) pass_values(f, s, &s->passed_sets, value);
    for (uint32_t n = s->p.components; n < s->nodes && !f->error; n++)
        if (n != s->root) pass_pairs(f, s, n);
    pass(f, s->slot_seen, sizeof s->slot_seen);
    pass(f, s->passed_in_full, s->p.blocks);
    demand(f, !s->crew.out_of_memory, ENOMEM);
    free(value);
}

/* --- the search ----------------------------------------------------------------------------------------------- */

static void pass_chunks(struct passage *f, struct mc_chunks *chunks)
{
    uint64_t count = chunks->count;
    pass_number(f, &count);
    for (uint64_t i = 0; i < count && !f->error; i++) {
        struct mc_chunk c = {0, 0, 0, NULL, 0};
        if (f->writes) c = chunks->at[i];
        pass_number(f, &c.first);
        pass_short(f, &c.count);
        pass_short(f, &c.done);
        demand(f, c.count >= 1 && c.count <= MC_CHUNK && c.done <= c.count, EINVAL);
        if (f->error) return;
        if (!f->writes) {
            c.root = calloc(MC_CHUNK, 8);
            if (!c.root || !mc_add_chunk(chunks, c)) {
                free(c.root);
                f->error = ENOMEM;
                return;
            }
        }
        pass(f, c.root, 8ull * c.count);
    }
}

static void pass_log(struct passage *f, struct mc_stream *log)
{
    uint64_t used = log->used;
    pass_number(f, &used);
    if (!f->writes) demand(f, is_there(f, used), EINVAL);
    if (!f->writes && !f->error) {
        uint64_t room = used + used / 8 + 4096;
        log->byte = mc_grown(NULL, 0, room);
        demand(f, log->byte != NULL, ENOMEM);
        if (!f->error) *log = (struct mc_stream){log->byte, used, room, false};
    }
    if (!f->error) pass(f, log->byte, used);
}

static void pass_searcher(struct passage *f, struct mc_searcher *x)
{
    uint64_t *numbers[] = {&x->owner, &x->last_owner, &x->log_marked, &x->owner_marked, &x->fresh, &x->transitions,
                           &x->expanded, &x->ends, &x->deadlocks, &x->faults, &x->worker.executions,
                           &x->worker.remembered};
    uint32_t size = x->e->space.p.block_size;
    for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; i++) pass_number(f, numbers[i]);
    x->counted = x->fresh; /* no thread works */
    pass_log(f, &x->log);
    pass_chunks(f, &x->next);
    pass_short(f, &x->error_count);
    demand(f, x->error_count <= MC_ERRORS_ROOM, EINVAL);
    if (f->error || !x->error_count) return;
    if (!x->blocks) x->blocks = malloc((MC_ERRORS_ROOM + 1ull) * size);
    demand(f, x->blocks != NULL, ENOMEM);
    if (f->error) return;
    pass(f, x->errors, x->error_count * sizeof *x->errors);
    pass(f, x->blocks, (uint64_t)x->error_count * size);
}

static void pass_marks(struct passage *f, struct mc_engine *e)
{
    uint64_t count = e->marks_count;
    pass_number(f, &count);
    for (uint64_t i = 0; i < count && !f->error; i++) {
        struct mc_mark m = {0, 0, 0, 0};
        if (f->writes) m = e->marks[i];
        pass_number(f, &m.first);
        pass_number(f, &m.at);
        pass_number(f, &m.owner);
        pass_short(f, &m.searcher);
        if (f->writes || f->error) continue;
        demand(f, m.searcher < e->made, EINVAL);
        if (!f->error) demand(f, mc_add_mark(e, m), ENOMEM);
    }
}

/* The logs stay those of the threads that wrote them, however many go on: so there are at least so many searchers. */
static void pass_search(struct passage *f, struct mc_engine *e)
{
    uint32_t made = e->made;
    pass_number(f, &e->levels_end);
    pass_number(f, &e->level_states);
    pass(f, &e->s, sizeof e->s);
    demand(f, e->s.errors <= MC_ERRORS_ROOM, EINVAL);
    if (!f->error) pass(f, e->errors, e->s.errors * sizeof *e->errors);
    pass_space(f, &e->space);
    if (!f->error) pass_roots(f, &e->store.roots);
    pass_short(f, &made);
    demand(f, made >= 1 && made <= MC_MOST_THREADS, EINVAL);
    for (uint32_t i = 0; i < made && !f->error; i++) {
        if (!f->writes && !mc_make_searcher(e)) f->error = ENOMEM;
        if (!f->error) pass_searcher(f, e->searcher[i]);
    }
    if (!f->error) pass_chunks(f, &e->level);
    pass_marks(f, e);
    if (!f->writes) e->measured_at = e->s.expanded;
}

/* --- files ---------------------------------------------------------------------------------------------------- */

struct trailer {
    uint64_t sum;
    uint8_t seal[MC_SEAL]; /* 0: there is none */
};

/* Of what has been covered, and it begins anew. */
static struct trailer trailer_of(struct passage *f)
{
    struct trailer t = {.sum = f->sum};
    if (f->seal.end) f->seal.end(t.seal);
    f->sum = 0;
    return t;
}

static int write_file(struct mc_engine *e, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    struct passage f = {.fd = fd, .writes = true, .seal = e->checkpoint->seal};
    if (f.fd < 0) return errno;
    f.buffer = malloc(BUFFER);
    demand(&f, f.buffer != NULL, ENOMEM);
    pass(&f, (void *)(uintptr_t)MAGIC, sizeof MAGIC);
    pass(&f, e->checkpoint->identity, MC_IDENTITY);
    if (!f.error) pass_search(&f, e);
    if (!f.error) put_out(&f);
    struct trailer t = trailer_of(&f);
    f.seal = (struct mc_seal){NULL, NULL}; /* it is not part of what it is over */
    pass(&f, &t, sizeof t);
    if (!f.error) put_out(&f);
    if (!f.error && fsync(f.fd) != 0) f.error = errno;
    if (close(f.fd) != 0 && !f.error) f.error = errno;
    free(f.buffer);
    return f.error;
}

/* The new name is there after a failure of power, too. Not every file system can be asked for that. */
static void sync_folder_of(const char *path)
{
    const char *end = strrchr(path, '/');
    char *folder = end ? strndup(path, end == path ? 1 : (size_t)(end - path)) : strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)!fsync(fd);
        close(fd);
    }
    free(folder);
}

/* No thread works, and each state of the level has been expanded with all of its successors or not at all. */
static void save(struct mc_engine *e)
{
    struct mc_checkpoint *c = e->checkpoint;
    int error = write_file(e, c->part);
    if (!error && rename(c->part, c->path) != 0) error = errno;
    if (error) unlink(c->part);
    else sync_folder_of(c->path);
    c->saved += !error;
    c->error = error;
    c->due = mc_now() + c->every;
}

static double due(const struct mc_engine *e) { return e->checkpoint->due; }

static void free_checkpoint(struct mc_engine *e)
{
    free(e->checkpoint->path);
    free(e->checkpoint->part);
    free(e->checkpoint);
}

static const struct mc_checkpoint_ops ops = {.save = save, .due = due, .free = free_checkpoint};

uint32_t mc_checkpoint_to(struct mc_engine *e, const char *path, const uint8_t *identity, double every, struct mc_seal seal)
{
    struct mc_checkpoint *c = calloc(1, sizeof *c);
    size_t length = strlen(path);
    if (!c) return ENOMEM;
    e->checkpoint = c;
    e->saves = &ops;
    c->path = strdup(path);
    c->part = malloc(length + sizeof ".part");
    if (!c->path || !c->part) return ENOMEM;
    memcpy(c->part, path, length);
    memcpy(c->part + length, ".part", sizeof ".part");
    memcpy(c->identity, identity, MC_IDENTITY);
    c->seal = seal;
    c->every = every;
    c->due = mc_now() + every;
    /* that it cannot be written is better known now than after hours */
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) fd = open(c->part, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return (uint32_t)errno;
    close(fd);
    unlink(c->part);
    return 0;
}

uint32_t mc_checkpoint_error(struct mc_engine *e, uint64_t *saved)
{
    *saved = e->saves ? e->checkpoint->saved : 0;
    return e->saves ? (uint32_t)e->checkpoint->error : 0;
}

static void begin(struct passage *f)
{
    if (lseek(f->fd, 0, SEEK_SET) != 0) f->error = errno;
    f->at = f->used = f->filled = f->sum = 0;
}

static bool sealed_as(const struct passage *f, const struct trailer *a, const struct trailer *b)
{
    uint8_t differs = 0;
    for (uint32_t i = 0; i < MC_SEAL; i++) differs |= a->seal[i] ^ b->seal[i];
    return f->seal.end && !differs;
}

/* The whole file, of which nothing is kept. */
static bool look_through(struct passage *f, struct trailer *there, bool *authentic)
{
    begin(f);
    do take_in(f);
    while (f->filled && !f->error);
    struct trailer found = trailer_of(f);
    if (!f->error && pread(f->fd, there, sizeof *there, (off_t)f->covered) != sizeof *there) f->error = EINVAL;
    *authentic = !f->error && sealed_as(f, &found, there);
    return !f->error && found.sum == there->sum;
}

static bool is_checkpoint(struct passage *f)
{
    uint8_t magic[sizeof MAGIC];
    return pread(f->fd, magic, sizeof magic, 0) == sizeof magic && memcmp(magic, MAGIC, sizeof MAGIC) == 0;
}

/* What is loaded is what was looked through before: no more, no less. */
static void load(struct passage *f, struct mc_engine *e, const struct trailer *there, bool authentic)
{
    pass_search(f, e);
    demand(f, f->at + f->used == f->covered, EINVAL);
    struct trailer found = trailer_of(f);
    demand(f, found.sum == there->sum && (!authentic || sealed_as(f, &found, there)), EINVAL);
    if (!f->error && !authentic) demand(f, mc_is_replayed(e), EINVAL);
}

static enum mc_resumed read_file(struct passage *f, struct mc_engine *e, const uint8_t *identity, bool knowingly, bool *authentic)
{
    uint8_t start[sizeof MAGIC + MC_IDENTITY], *found = start + sizeof MAGIC;
    struct trailer there = {0};
    off_t end = lseek(f->fd, 0, SEEK_END);
    if (end < 0) f->error = errno;
    if (f->error) return MC_UNREADABLE;
    if (!is_checkpoint(f)) return MC_NO_CHECKPOINT;
    if (end < (off_t)(sizeof start + TRAILER)) return MC_DAMAGED;
    f->covered = (uint64_t)end - TRAILER;
    bool whole = look_through(f, &there, authentic);
    if (f->error && f->error != EINVAL) return MC_UNREADABLE;
    if (!whole) return MC_DAMAGED;
    if (!*authentic && !knowingly) return MC_NOT_AUTHENTIC;
    begin(f);
    pass(f, start, sizeof start);
    for (uint32_t i = 0; i < MC_IDENTITY && !f->error; i++)
        if (found[i] != identity[i]) return MC_OTHER_ENGINE + i / (MC_IDENTITY / 3);
    if (!f->error) load(f, e, &there, *authentic);
    return f->error == 0 ? MC_RESUMED : f->error == EINVAL ? MC_DAMAGED : MC_UNREADABLE;
}

uint32_t mc_resume(struct mc_engine *e, const char *path, const uint8_t *identity, struct mc_seal seal, uint32_t knowingly,
                   uint32_t *authentic, uint32_t *error)
{
    struct passage f = {.fd = open(path, O_RDONLY | O_CLOEXEC), .seal = seal};
    enum mc_resumed how = MC_UNREADABLE;
    bool sealed = false;
    if (f.fd < 0) f.error = errno;
    else if (!(f.buffer = malloc(BUFFER))) f.error = ENOMEM;
    else how = read_file(&f, e, identity, knowingly, &sealed);
    if (f.fd >= 0) close(f.fd);
    free(f.buffer);
    *authentic = sealed;
    *error = (uint32_t)f.error;
    return how;
}
