/* A program as an executable of this machine: console on standard input and output, the real clock, round-robin or
 * earliest deadline first. Exit codes as `lfc run`: 0 ended, 3 deadlock, 4 fault. */
#define _POSIX_C_SOURCE 200809L
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

/* What the builder writes beside: one line of text for each fault site, and the kinds of faults. */
extern const char *const lf_site_texts[];
extern const uint32_t lf_site_count;
extern const uint32_t lf_scheduler_mode;
extern const uint8_t lf_server_slots[]; /* 1: the process of this slot may rightly wait for ever */

static const char *const kinds[] = {
    "?", "index out of bounds", "value out of the range of its type", "signed overflow", "division by zero",
    "no label of the CASE matches", "the assertion failed", "the port was never set with NEW", "too many processes",
    "too many channels", "too many calls", "set element out of range", "the action does not end",
    "error of the environment", "C has written what it does not declare"};

static uint8_t items[1 << 16], output[1 << 16], input[4096];
static struct timespec start;

static uint32_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000);
}

static void flush(void)
{
    uint32_t done = 0;
    while (done < lf_host.out_used) {
        ssize_t n = write(STDOUT_FILENO, output + done, lf_host.out_used - done);
        if (n <= 0) exit(0);
        done += (uint32_t)n;
    }
    lf_host.out_used = 0;
    lf_host.items_used = 0; /* nobody reads them */
}

static int fault(void)
{
    const char *place = lf_host.fault_site < lf_site_count ? lf_site_texts[lf_host.fault_site] : "?";
    fprintf(stderr, "%s: fault: %s (values %ld, %ld)\n", place, kinds[lf_host.fault_kind], (long)lf_host.fault_first,
            (long)lf_host.fault_second);
    return 4;
}

/* Nobody is ready: until time or input lets somebody go on. False: nothing ever will. */
static bool wait_for_something(lf_byte *b, bool *input_ended)
{
    uint32_t when = 0;
    bool timed = lf_host_next_wake(b, &when) != 0;
    int32_t left = timed ? (int32_t)(when - milliseconds()) : -1;
    if (timed && left < 0) left = 0;
    bool reads = lf_program_reader(b) != LF_NOBODY && !*input_ended;
    if (!timed && !reads) return false;
    struct pollfd in = {.fd = reads ? STDIN_FILENO : -1, .events = POLLIN};
    if (poll(&in, 1, left) > 0) {
        ssize_t n = read(STDIN_FILENO, input, sizeof input);
        if (n <= 0) *input_ended = true;
        lf_host.in = input;
        lf_host.in_size = n > 0 ? (uint32_t)n : 0;
        lf_host.in_at = 0;
    }
    return true;
}

static bool only_servers(const lf_byte *b)
{
    for (uint16_t slot = 0; slot < lf_slots; slot++)
        if (lf_position(b, lf_positions_at, (lf_slot)slot, lf_wide_positions) && !lf_server_slots[slot]) return false;
    return true;
}

int main(void)
{
    lf_byte *memory = aligned_alloc(64, ((size_t)lf_policy_size + lf_block_size + 255u) / 64u * 64u);
    if (!memory) return 8;
    lf_byte *b = memory + ((size_t)lf_policy_size + 63u) / 64u * 64u;
    clock_gettime(CLOCK_MONOTONIC, &start);
    lf_host.mode = lf_scheduler_mode;
    lf_host.random = 1;
    lf_host.items = items;
    lf_host.items_room = sizeof items;
    lf_host.out = output;
    lf_host.out_room = sizeof output;
    lf_host.overflow = flush;
    lf_host_start(b);
    bool input_ended = false;
    for (;;) {
        uint32_t status;
        lf_host.now = milliseconds();
        lf_host_run(b, 20000, &status);
        flush();
        if (status == LF_HOST_FAULT) return fault();
        if (status == LF_HOST_ENDED) return 0;
        if (status == LF_HOST_BLOCKED || (status == LF_HOST_WAITING && !wait_for_something(b, &input_ended))) {
            if (only_servers(b) || input_ended) return 0;
            fprintf(stderr, "deadlock: every process waits for another\n");
            return 3;
        }
    }
}
