/* Single passes of the kernel's loop in a simulator: from memory as it is given to where the pass comes back.
 *
 *     passes simavr|core CHIP FLASH STEP STOP SP RAM LOW HIGH
 *
 * reads from standard input, and writes for each its cycles, a digest of memory from LOW to HIGH, and what was done to devices.
 *
 * FLASH and RAM are files: the content of the flash, and of the data space when a pass begins. Each line of the input is
 * `ADDRESS HEX ADDRESS HEX ...`: bytes of the data space that are different. Reads of device registers give 0 (of the
 * transmitter's status 20H). A pass that does not come back within 200,000 cycles says `-`.
 */
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avr.h"

enum { MOST = 200000 };

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

static uint32_t read_file(const char *name, uint8_t *to, uint32_t room)
{
    FILE *f = fopen(name, "rb");
    if (!f) exit(2);
    uint32_t n = (uint32_t)fread(to, 1, room, f);
    fclose(f);
    return n;
}

static uint8_t flash[0x40000], ram[0x10000], data[0x10000];
static struct avr core;
static char line[1 << 20];
static uint32_t writes;
static uint64_t written;

static bool ask(struct avr *a, uint32_t at)
{
    a->data[at] = at == 0xC0 ? 0x20 : 0;
    return true;
}

/* What is done to devices, as one number. */
static void tell(struct avr *a, uint32_t at, uint8_t v)
{
    (void)a;
    writes++;
    written = (written ^ (at * 256 + v)) * 0x100000001B3u;
}

static uint64_t in_core(uint32_t size, uint32_t step, uint32_t stop, uint32_t sp, bool wide)
{
    memset(&core, 0, sizeof core);
    core.flash = flash;
    core.flash_size = size;
    core.wide_pc = wide;
    core.ask = ask;
    core.tell = tell;
    memcpy(core.data, data, sizeof data);
    memset(core.allowed, AVR_READ | AVR_WRITE, sizeof core.allowed);
    for (uint32_t at = 0x20; at < (wide ? 0x200 : 0x100); at++)
        if (at < AVR_RAMPZ || at > AVR_SREG) core.allowed[at] |= at == 0x53 ? AVR_TELL : AVR_ASK | AVR_TELL;
    core.data[AVR_SPL] = (uint8_t)sp;
    core.data[AVR_SPH] = (uint8_t)(sp >> 8);
    core.data[AVR_SREG] = 0x80;
    core.lowest_stack = sp;
    core.pc = step;
    enum avr_stop said = AVR_RUNS;
    while (core.pc != stop && core.cycles < MOST && (said == AVR_RUNS || said == AVR_SLEEPS)) said = avr_step_once(&core);
    memcpy(data, core.data, sizeof data);
    return core.pc == stop ? core.cycles : 0;
}

static uint64_t in_simavr(avr_t *avr, uint32_t size, uint32_t step, uint32_t stop, uint32_t sp)
{
    memset(avr->flash, 0xFF, avr->flashend + 1);
    memcpy(avr->flash, flash, size);
    for (uint32_t at = 0; at < 32; at++) avr->data[at] = data[at];
    for (uint32_t at = avr->ioend + 1; at <= avr->ramend; at++) avr->data[at] = data[at];
    for (int i = 0; i < 8; i++) avr->sreg[i] = 0; /* without interrupts: no routine comes in between */
    avr->data[R_SPL] = (uint8_t)sp;
    avr->data[R_SPH] = (uint8_t)(sp >> 8);
    avr->pc = step * 2;
    avr->state = cpu_Running;
    uint64_t begin = avr->cycle;
    while (avr->pc != stop * 2 && avr->cycle - begin < MOST && avr->state == cpu_Running) avr->pc = avr_run_one(avr);
    for (uint32_t at = avr->ioend + 1; at <= avr->ramend; at++) data[at] = avr->data[at];
    return avr->pc == stop * 2 ? avr->cycle - begin : 0;
}

int main(int count, char **arguments)
{
    if (count != 10) return 2;
    avr_global_logger_set(quiet);
    avr_t *avr = avr_make_mcu_by_name(arguments[2]);
    if (!avr) return 2;
    avr_init(avr);
    uint32_t size = read_file(arguments[3], flash, sizeof flash);
    uint32_t step = (uint32_t)atoi(arguments[4]), stop = (uint32_t)atoi(arguments[5]), sp = (uint32_t)atoi(arguments[6]);
    uint32_t low = (uint32_t)atoi(arguments[8]), high = (uint32_t)atoi(arguments[9]);
    read_file(arguments[7], ram, sizeof ram);
    bool simavr = !strcmp(arguments[1], "simavr");
    while (fgets(line, sizeof line, stdin)) {
        memcpy(data, ram, sizeof data);
        for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
            uint32_t at = (uint32_t)strtoul(word, NULL, 10);
            char *hex = strtok(NULL, " \n");
            for (uint32_t i = 0; hex && hex[2 * i]; i++) {
                char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
                data[(at + i) & 0xFFFF] = (uint8_t)strtoul(digits, NULL, 16);
            }
        }
        writes = 0;
        written = 0;
        uint64_t cycles = simavr ? in_simavr(avr, size, step, stop, sp) : in_core(size, step, stop, sp, avr->eind != 0);
        uint64_t digest = 0xCBF29CE484222325u;
        if (cycles) printf("%llu", (unsigned long long)cycles);
        else printf("-");
        for (uint32_t at = low; at < high; at++) digest = (digest ^ data[at]) * 0x100000001B3u;
        printf(" %016llx %u %016llx\n", (unsigned long long)digest, writes, (unsigned long long)written);
    }
    return 0;
}
