/* Random instructions in random states: one step here and one step of unicorn must do the same.
 *
 *     against_unicorn m0|m3|m4|m33 SEED SLOTS STATES      prints how many steps were compared, and the first differences
 *
 * Each of SLOTS places gets an instruction: a narrow word (all in turn, in steps), or a wide one of every form in turn with random
 * fields; each is executed in STATES states. What is illegal here is left out, as unicorn executes what the architecture
 * leaves open and what an M0 lacks; so are accesses that fault here for their address, sleep, breakpoints and SVC. Jumps
 * out of Thumb are left out as well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>

#include "thumb.h"

enum { RAM = 0x20000000, RAM_SIZE = 0x1000, FLASH = 0x08000000, FLASH_SIZE = 0x100000, SLOT = 32, BATCH = FLASH_SIZE / SLOT - 2 };

struct form { const char *name; uint32_t mask, value; };

static const struct form forms[] = {
    {"shifted register", 0xFE008000, 0xEA000000}, {"constant", 0xFA008000, 0xF0000000}, {"plain constant", 0xFA008000, 0xF2000000},
    {"LDM, STM", 0xFE402000, 0xE8000000}, {"LDRD, STRD", 0xFF400000, 0xE9400000}, {"LDRD, STRD behind", 0xFF600000, 0xE8600000},
    {"long offset", 0xFE800000, 0xF8800000}, {"short offset", 0xFE800800, 0xF8000800}, {"register offset", 0xFE800FC0, 0xF8000000},
    {"literal", 0xFE1F0000, 0xF81F0000}, {"shift", 0xFF80F0F0, 0xFA00F000}, {"extend", 0xFF8FF0C0, 0xFA0FF080},
    {"extend and add", 0xFF80F0C0, 0xFA00F080}, {"lanes", 0xFF80F080, 0xFA80F000}, {"saturating", 0xFFF0F0C0, 0xFA80F080},
    {"select", 0xFFF0F0F0, 0xFAA0F080}, {"reverse", 0xFFF0F0C0, 0xFA90F080}, {"count zeros", 0xFFF0F0F0, 0xFAB0F080},
    {"product", 0xFF8000C0, 0xFB000000}, {"plain product", 0xFFF000E0, 0xFB000000}, {"long product", 0xFF9000F0, 0xFB800000},
    {"long signals", 0xFFC00080, 0xFBC00080}, {"division", 0xFFD0F0F0, 0xFB90F0F0}, {"branch", 0xF8008000, 0xF0008000},
    {"call", 0xF800D000, 0xF000D000}, {"MSR", 0xFFF0FFE0, 0xF3808800}, {"MRS", 0xFFFFF0E0, 0xF3EF8000},
    {"barrier", 0xFFFFFF8F, 0xF3BF8F0F}, {"table", 0xFFF0FFE0, 0xE8D0F000}, {"load exclusive", 0xFFF00F00, 0xE8500F00},
    {"bits", 0xFB40F0C0, 0xF3400000}, {"any", 0xE0000000, 0xE0000000}, {"acquire, release", 0xFFE00FCF, 0xE8C00F8F},
    {"load acquire exclusive", 0xFFF00FCF, 0xE8D00FCF},
};
enum { FORMS = sizeof forms / sizeof *forms, REVERSE = 16, COUNT_ZEROS = 17 };

static uint64_t state;

static uint32_t random32(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static uint8_t their_ram[RAM_SIZE] __attribute__((aligned(4096))), flash[FLASH_SIZE] __attribute__((aligned(4096)));
static uint8_t data[RAM_SIZE + FLASH_SIZE], allowed[RAM_SIZE + FLASH_SIZE];
static const struct thumb_region regions[] = {{RAM, RAM_SIZE, 0}, {FLASH, FLASH_SIZE, RAM_SIZE}};
static struct thumb us;
static uint32_t differences;

static void differs(const char *what, uint32_t ours, uint32_t theirs)
{
    if (differences++ >= 30) return;
    printf("%X: %08X %s: %X here, %X in unicorn; behind", us.now, us.op, what, ours, theirs);
    for (uint32_t o = us.now - FLASH - 10; o < us.now - FLASH; o += 2) printf(" %02X%02X", flash[o + 1], flash[o]);
    printf("\n");
}

static uint32_t random_register(void)
{
    static const uint32_t edges[] = {0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x8000, 0x7FFF8000, 0x00FF00FF};
    uint32_t how = random32() % 100;
    if (how < 65) return (RAM + RAM_SIZE / 8 + random32() % (RAM_SIZE / 2)) & (random32() % 10 < 8 ? ~3u : ~0u);
    if (how < 75) return random32() % 64;
    if (how < 85) return edges[random32() % 8];
    if (how < 90) return FLASH + (random32() % FLASH_SIZE | 1);
    return random32();
}

static void put_half(uint32_t at, uint32_t v)
{
    flash[at] = (uint8_t)v;
    flash[at + 1] = (uint8_t)(v >> 8);
}

static bool is_wide(uint32_t w) { return w >= 0xE800; }

/* Exclusive stores depend on what came before in unicorn; after ISB it forgets that it is in an IT block; YIELD stops it. */
static bool is_left_out(uint32_t op, bool in_block)
{
    if (op >> 24 == 0xBF && op >> 16 & 15) return true; /* IT: before its block */
    if ((in_block && (op & 0xFFFFFFF0) == 0xF3BF8F60) || op >> 16 == 0xBF10 || op == 0xF3AF8001) return true;
    return (op & 0xFFF00000) == 0xE8400000 || (op & 0xFFF00F40) == 0xE8C00F40 || (op & 0xFFF00FC0) == 0xE8D00F40;
}

static int registers[20] = {UC_ARM_REG_R0, UC_ARM_REG_R1, UC_ARM_REG_R2, UC_ARM_REG_R3, UC_ARM_REG_R4, UC_ARM_REG_R5, UC_ARM_REG_R6,
                            UC_ARM_REG_R7, UC_ARM_REG_R8, UC_ARM_REG_R9, UC_ARM_REG_R10, UC_ARM_REG_R11, UC_ARM_REG_R12,
                            UC_ARM_REG_SP, UC_ARM_REG_LR, UC_ARM_REG_PC};

static void set_up_state(uc_engine *them)
{
    static const int flags[] = {UC_ARM_REG_XPSR_NZCVQG, UC_ARM_REG_XPSR_NZCVQ};
    void *all[16];
    for (uint32_t i = 0; i < 13; i++) us.r[i] = random_register();
    us.r[THUMB_SP] = RAM + 0x400 + random32() % 0x800 / 4 * 4;
    us.r[THUMB_LR] = random32() % 4 ? FLASH + (random32() % FLASH_SIZE | 1) : random_register();
    us.flags = (random32() & 0xF8000000) | (us.core >= THUMB_M4 ? random32() & THUMB_GE : 0);
    if (us.core <= THUMB_M0PLUS) us.flags &= 0xF0000000;
    us.event = false;
    us.it = us.primask = us.basepri = us.faultmask = us.ipsr = us.control = 0;
    us.other_sp = RAM + random32() % RAM_SIZE / 4 * 4;
    for (uint32_t i = 0; i < 16; i++) all[i] = &us.r[i];
    uc_reg_write(them, UC_ARM_REG_CONTROL, &us.control);
    uc_reg_write_batch(them, registers, all, 15);
    uc_reg_write(them, flags[us.core < THUMB_M4], &us.flags);
    uc_reg_write(them, UC_ARM_REG_PRIMASK, &us.primask);
    uc_reg_write(them, UC_ARM_REG_BASEPRI, &us.basepri);
    uc_reg_write(them, UC_ARM_REG_FAULTMASK, &us.faultmask);
    uc_reg_write(them, UC_ARM_REG_PSP, &us.other_sp);
}

static void compare(uc_engine *them)
{
    static const char *const names[] = {"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"};
    uint32_t found[16], xpsr = 0, primask = 0, basepri = 0, faultmask = 0, psp = 0, msp = 0;
    void *all[16];
    for (uint32_t i = 0; i < 16; i++) all[i] = &found[i];
    uc_reg_read_batch(them, registers, all, 16);
    found[15] &= ~1u;
    uc_reg_read(them, UC_ARM_REG_XPSR, &xpsr);
    uc_reg_read(them, UC_ARM_REG_PRIMASK, &primask);
    uc_reg_read(them, UC_ARM_REG_BASEPRI, &basepri);
    uc_reg_read(them, UC_ARM_REG_FAULTMASK, &faultmask);
    uc_reg_read(them, UC_ARM_REG_PSP, &psp);
    uc_reg_read(them, UC_ARM_REG_MSP, &msp);
    if (us.core == THUMB_M0) xpsr &= ~(uint32_t)THUMB_Q; /* which unicorn's M0 has */
    found[THUMB_SP] &= ~3u, psp &= ~3u, msp &= ~3u; /* unicorn leaves these bits as some instructions write them */
    uint32_t epsr = 1u << 24 | (us.it & 3) << 25 | us.it >> 2 << 10;
    if (xpsr != (us.flags | epsr)) differs("flags", us.flags | epsr, xpsr);
    for (uint32_t i = 0; i < 16; i++)
        if (found[i] != us.r[i]) differs(names[i], us.r[i], found[i]);
    if (primask != us.primask) differs("PRIMASK", us.primask, primask);
    if (basepri != us.basepri) differs("BASEPRI", us.basepri, basepri);
    if (faultmask != us.faultmask) differs("FAULTMASK", us.faultmask, faultmask);
    bool process = us.control & 2;
    if (psp != (process ? us.r[THUMB_SP] : us.other_sp)) differs("PSP", us.other_sp, psp);
    if (msp != (process ? us.other_sp : us.r[THUMB_SP])) differs("MSP", us.r[THUMB_SP], msp);
    if (memcmp(data, their_ram, RAM_SIZE)) differs("memory", 0, 0);
}

static uint64_t compared, illegal, faults, of_form[FORMS], narrow_words;
static uint8_t seen[0x10000];

/* `steps`: an IT and all instructions of its block, or one instruction; unicorn does not stop within a block. */
static bool one(uc_engine *them, uint32_t pc, uint32_t steps)
{
    set_up_state(them);
    us.r[THUMB_PC] = pc;
    enum thumb_stop said = THUMB_RUNS;
    for (uint32_t i = 0; i < steps && !said; i++) said = thumb_step(&us);
    bool bad = said == THUMB_BAD_LOAD || said == THUMB_BAD_STORE;
    bool to_itself = steps > 1 && us.r[THUMB_PC] == us.now; /* unicorn stops there before it has jumped */
    if ((said != THUMB_RUNS && !bad) || to_itself) {
        illegal += said == THUMB_ILLEGAL;
        memcpy(data, their_ram, RAM_SIZE);
        return false;
    }
    /* unicorn does not count instructions whose condition does not hold, and keeps where a translation was to stop */
    if (steps > 1) uc_ctl_flush_tb(them);
    uc_err err = uc_emu_start(them, pc | 1, steps > 1 ? us.r[THUMB_PC] : 0xFFFFFFFE, 0, steps > 1 ? 64 : 1);
    bool left = us.r[THUMB_PC] - FLASH >= FLASH_SIZE; /* unicorn already looks for the next instruction */
    if (left && (err == UC_ERR_FETCH_UNMAPPED || err == UC_ERR_FETCH_PROT || err == UC_ERR_EXCEPTION)) err = UC_ERR_OK;
    if (bad != (err != UC_ERR_OK)) differs("an error", said, err);
    else if (bad) faults++;
    else compare(them);
    compared++;
    memcpy(data, their_ram, RAM_SIZE);
    return true;
}

int main(int count, char **arguments)
{
    if (count != 5) return 2;
    static const struct { const char *name; uint32_t core; int model; } cores[] = {
        {"m0", THUMB_M0, UC_CPU_ARM_CORTEX_M0}, {"m3", THUMB_M3, UC_CPU_ARM_CORTEX_M3},
        {"m4", THUMB_M4, UC_CPU_ARM_CORTEX_M4}, {"m33", THUMB_M33, UC_CPU_ARM_CORTEX_M33},
    };
    uint32_t which = 0;
    while (which < 3 && strcmp(cores[which].name, arguments[1])) which++;
    uint32_t core = cores[which].core;
    state = strtoull(arguments[2], NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    uint64_t slots = strtoull(arguments[3], NULL, 10), states = strtoull(arguments[4], NULL, 10), next_form = 0;
    uint32_t next_narrow = random32() % 0xE800;
    uc_engine *them;
    if (uc_open(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS, &them)) return 2;
    uc_ctl_set_cpu_model(them, cores[which].model);
    if (uc_mem_map_ptr(them, RAM, RAM_SIZE, UC_PROT_READ | UC_PROT_WRITE, their_ram)) return 2;
    if (uc_mem_map_ptr(them, FLASH, FLASH_SIZE, UC_PROT_READ | UC_PROT_EXEC, flash)) return 2;
    us = (struct thumb){.core = core, .region = regions, .regions = 2, .data = data, .allowed = allowed, .flash_start = FLASH,
                        .flash_size = FLASH_SIZE, .flash_at = RAM_SIZE};
    memset(allowed, THUMB_READ | THUMB_WRITE, RAM_SIZE);
    memset(allowed + RAM_SIZE, THUMB_READ, FLASH_SIZE);
    for (uint32_t i = 0; i < RAM_SIZE; i++) their_ram[i] = (uint8_t)random32();
    for (uint64_t done = 0; done < slots; done += BATCH) {
        static uint32_t form_of[BATCH], at[BATCH];
        uint32_t batch = slots - done < BATCH ? (uint32_t)(slots - done) : BATCH;
        for (uint32_t i = 0; i < FLASH_SIZE; i += 2) put_half(i, random32() % 8 ? 0xBF00 : random32());
        for (uint32_t i = 0; i < batch; i++) {
            at[i] = (i + 1) * SLOT + random32() % 2 * 2 + 2;
            put_half(at[i] - 2, random32() % 4 || core == THUMB_M0 ? 0xBF00 : 0xBF00 | random32() % 14 << 4 | (random32() % 15 + 1));
            for (uint32_t k = 1; k < 6; k++) put_half(at[i] + 2 * k, 0x0800 + random32() % 0x3800); /* the rest of a block */
            form_of[i] = FORMS;
            if (core == THUMB_M0 ? random32() % 4 : random32() % 2) {
                put_half(at[i], next_narrow);
                next_narrow = (next_narrow + 24593) % 0xE800; /* each once, of all kinds early */
                continue;
            }
            const struct form *f = &forms[form_of[i] = next_form++ % FORMS];
            uint32_t op;
            do op = (random32() & ~f->mask) | f->value; while (!is_wide(op >> 16));
            if (form_of[i] == REVERSE || form_of[i] == COUNT_ZEROS) op = (op & ~15u) | (op >> 16 & 15); /* the same register twice */
            put_half(at[i], op >> 16);
            put_half(at[i] + 2, op);
        }
        memcpy(data + RAM_SIZE, flash, FLASH_SIZE);
        memcpy(data, their_ram, RAM_SIZE);
        uc_ctl_flush_tb(them);
        for (uint32_t i = 0; i < batch; i++) {
            uint32_t w = (uint32_t)(flash[at[i]] | flash[at[i] + 1] << 8), op = w << 16 | flash[at[i] + 2] | flash[at[i] + 3] << 8;
            if (is_left_out(op, flash[at[i] - 2] & 15)) continue;
            uint32_t mask = flash[at[i] - 2] & 15, in_block = mask ? 4 - (uint32_t)__builtin_ctz(mask) : 0;
            bool did = false;
            for (uint64_t k = 0; k < states; k++) did |= one(them, FLASH + at[i] - (in_block ? 2 : 0), in_block + 1);
            if (did && form_of[i] < FORMS) of_form[form_of[i]]++;
            if (did && form_of[i] == FORMS && !seen[w]) seen[w] = 1, narrow_words++;
        }
    }
    for (uint32_t i = 0; i < FORMS; i++) printf("%s: %llu\n", forms[i].name, (unsigned long long)of_form[i]);
    printf("%llu steps compared, %llu of them faults, %llu illegal, %llu narrow words, %u differences\n", (unsigned long long)compared,
           (unsigned long long)faults, (unsigned long long)illegal, (unsigned long long)narrow_words, differences);
    return differences ? 1 : 0;
}
