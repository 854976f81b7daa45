/* Single passes of the kernel's loop on the Cortex-M core, or with OF_RISCV the RISC-V core, without its watches, as tests/mcheck/image/avr/passes.c has them.
 *
 *     passes CORE FLASH FLASH_START STEP STOP STACK DATA LOW HIGH STATUS READY (START SIZE)...
 *
 * Bytes are named by their indexes (lfc/isa/cores/thumb.h): those of the regions (START, SIZE), RAM first, then the flash.
 * STEP, STOP: half-words of the flash; STACK, LOW, HIGH, STATUS: indexes; DATA: a file of all bytes when a pass begins.
 * Reads of devices give 0, of the transmitter's status READY.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OF_RISCV
#include "riscv.h"
typedef struct riscv machine;
typedef struct riscv_region place;
#else
#include "thumb.h"
typedef struct thumb machine;
typedef struct thumb_region place;
#endif

/* The same numbers on both. */
enum { MAY_READ = 1, MAY_WRITE = 2, ASKS = 16, TELLS = 32 };
enum { MOST = 200000, MOST_REGIONS = 16 };

static uint8_t *base, *allowed, *data, *flash;
static machine core;
static place region[MOST_REGIONS + 1];
static char line[1 << 20];
static uint32_t writes, ram, status, ready;
static uint64_t written;

static uint8_t *read_file(const char *name, uint32_t *size)
{
    FILE *f = fopen(name, "rb");
    if (!f) exit(2);
    fseek(f, 0, SEEK_END);
    *size = (uint32_t)ftell(f);
    rewind(f);
    uint8_t *content = malloc(*size + 4);
    if (!content || fread(content, 1, *size, f) != *size) exit(2);
    fclose(f);
    return content;
}

static bool ask(machine *t, uint32_t at, uint32_t address, uint32_t size)
{
    uint32_t v = at == status ? ready : 0;
    (void)address;
    memcpy(t->data + at, &v, size);
    return true;
}

static void tell(machine *t, uint32_t at, uint32_t address, uint32_t size)
{
    uint32_t v = 0;
    memcpy(&v, t->data + at, size);
    writes++;
    written = (((written ^ address) * 0x100000001B3u) ^ v) * 0x100000001B3u + size;
}

#ifdef OF_RISCV
static void begin(uint32_t kind, uint32_t stack, uint32_t stop, uint32_t step)
{
    riscv_reset(&core);
    core.has = kind;
    core.mstatus |= RISCV_MIE;
    core.x[RISCV_SP] = core.lowest_stack = stack;
    core.x[RISCV_RA] = stop;
    core.pc = step;
}

static uint32_t at_now(void) { return core.pc; }

static bool goes_on(void)
{
    enum riscv_stop said = riscv_step(&core);
    return said == RISCV_RUNS || said == RISCV_SLEEPS;
}
#else
static void begin(uint32_t kind, uint32_t stack, uint32_t stop, uint32_t step)
{
    core.core = kind;
    core.r[THUMB_SP] = core.lowest_stack = stack;
    core.r[THUMB_LR] = stop + 1;
    core.r[THUMB_PC] = step;
}

static uint32_t at_now(void) { return core.r[THUMB_PC]; }

static bool goes_on(void)
{
    enum thumb_stop said = thumb_step(&core);
    return said == THUMB_RUNS || said == THUMB_SLEEPS;
}
#endif

static uint64_t in_core(uint32_t kind, uint32_t regions, uint32_t flash_size, uint32_t flash_at, uint32_t flash_start, uint32_t step,
                        uint32_t stop, uint32_t stack)
{
    uint32_t end = flash_start + stop * 2;
    memset(&core, 0, sizeof core);
    core.region = region;
    core.regions = regions;
    core.data = data;
    core.allowed = allowed;
    core.flash_start = flash_start;
    core.flash_size = flash_size;
    core.flash_at = flash_at;
    core.ask = ask;
    core.tell = tell;
    begin(kind, region[0].start + stack, end, flash_start + step * 2);
    while (at_now() != end && core.cycles < MOST && goes_on()) {
    }
    return at_now() == end ? core.cycles : 0;
}

int main(int count, char **a)
{
    uint32_t number[16], flash_size, size, regions = 0, places = 0;
    if (count < 14) return 2;
    for (int i = 1; i < 12; i++) number[i] = (uint32_t)strtoul(a[i], NULL, 10);
    flash = read_file(a[2], &flash_size);
    base = read_file(a[7], &size);
    for (int i = 12; i + 1 < count && regions < MOST_REGIONS; i += 2, regions++) {
        region[regions] = (place){(uint32_t)strtoul(a[i], NULL, 10), (uint32_t)strtoul(a[i + 1], NULL, 10), places};
        places += region[regions].size;
    }
    region[regions++] = (place){number[3], flash_size, places};
    ram = region[0].size;
    status = number[10];
    ready = number[11];
    data = malloc(places + flash_size + 4);
    allowed = malloc(places + flash_size + 4);
    if (!data || !allowed || size < places) return 2;
    memcpy(data, base, places);
    memcpy(data + places, flash, flash_size);
    memset(allowed, MAY_READ | MAY_WRITE, ram);
    memset(allowed + ram, MAY_READ | MAY_WRITE | ASKS | TELLS, places - ram);
    memset(allowed + places, MAY_READ, flash_size);
    while (fgets(line, sizeof line, stdin)) {
        memcpy(data, base, ram);
        for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
            uint32_t at = (uint32_t)strtoul(word, NULL, 10);
            char *hex = strtok(NULL, " \n");
            for (uint32_t i = 0; hex && hex[2 * i] && at + i < ram; i++) {
                char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
                data[at + i] = (uint8_t)strtoul(digits, NULL, 16);
            }
        }
        writes = 0;
        written = 0;
        uint64_t cycles = in_core(number[1], regions, flash_size, places, number[3], number[4], number[5], number[6]);
        uint64_t digest = 0xCBF29CE484222325u;
        if (cycles) printf("%llu", (unsigned long long)cycles);
        else printf("-");
        for (uint32_t at = number[8]; at < number[9]; at++) digest = (digest ^ data[at]) * 0x100000001B3u;
        printf(" %016llx %u %016llx\n", (unsigned long long)digest, writes, (unsigned long long)written);
    }
    return 0;
}
