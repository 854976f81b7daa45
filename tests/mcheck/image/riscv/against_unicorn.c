/* Random instructions in random states: one step here and one step of unicorn must do the same.
 *
 *     against_unicorn SEED PLACES STATES      prints how many steps were compared, and the first differences
 *
 * Each place gets an instruction: a compressed one (all 49,152 in turn), or one of 32 bits of every form in turn with random
 * fields; each is executed in STATES states. What is illegal must be so for both. Left out are accesses that fault here for
 * their address (unicorn has them), sleep, ECALL and EBREAK, status registers but three that hold what is written, conditional
 * stores, and what unicorn has in addition: floating point, FENCE with reserved bits, instructions of a
 * supervisor, compressed ones that are reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>

#include "riscv.h"

enum { RAM = 0x80000000u, RAM_SIZE = 0x1000, FLASH = 0x20400000, FLASH_SIZE = 0x100000, SLOT = 8, BATCH = FLASH_SIZE / SLOT - 2 };

struct form { const char *name; uint32_t mask, value; };

static const struct form forms[] = {
    {"LUI", 0x7F, 0x37}, {"AUIPC", 0x7F, 0x17}, {"JAL", 0x7F, 0x6F}, {"JALR", 0x707F, 0x67}, {"branch", 0x7F, 0x63}, {"load", 0x7F, 0x03},
    {"store", 0x7F, 0x23}, {"constant", 0x7F, 0x13}, {"shift", 0xBE00307F, 0x1013}, {"register", 0xBE00007F, 0x33}, {"product", 0xFE00407F, 0x02000033},
    {"division", 0xFE00407F, 0x02004033}, {"atomic", 0x707F, 0x202F}, {"FENCE", 0x707F, 0x0F}, {"MSCRATCH", 0xFFF0007F, 0x34000073},
    {"MEPC", 0xFFF0007F, 0x34100073}, {"MCAUSE", 0xFFF0007F, 0x34200073}, {"any", 3, 3},
};
enum { FORMS = sizeof forms / sizeof *forms };

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
static const struct riscv_region regions[] = {{RAM, RAM_SIZE, 0}, {FLASH, FLASH_SIZE, RAM_SIZE}};
static struct riscv us;
static uint32_t differences;

static void differs(const char *what, uint32_t ours, uint32_t theirs)
{
    if (differences++ < 30) printf("%X: %08X %s: %X here, %X in unicorn\n", us.now, us.op, what, ours, theirs);
}

static uint32_t random_register(void)
{
    static const uint32_t edges[] = {0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x8000, 0x7FFF8000, 0x00FF00FF};
    uint32_t how = random32() % 100;
    if (how < 65) return (RAM + RAM_SIZE / 8 + random32() % (RAM_SIZE / 2)) & (random32() % 10 < 8 ? ~3u : ~0u);
    if (how < 75) return random32() % 64;
    if (how < 85) return edges[random32() % 8];
    if (how < 90) return FLASH + random32() % FLASH_SIZE;
    return random32();
}

static void put_half(uint32_t at, uint32_t v)
{
    flash[at] = (uint8_t)v;
    flash[at + 1] = (uint8_t)(v >> 8);
}

static const int status[] = {UC_RISCV_REG_MSCRATCH, UC_RISCV_REG_MEPC, UC_RISCV_REG_MCAUSE};

static void set_up_state(uc_engine *them)
{
    uint32_t *held[] = {&us.mscratch, &us.mepc, &us.mcause};
    us.x[0] = 0;
    for (int i = 1; i < 32; i++) {
        us.x[i] = random_register();
        uc_reg_write(them, UC_RISCV_REG_X0 + i, &us.x[i]);
    }
    us.reserved = false;
    for (int i = 0; i < 3; i++) {
        *held[i] = random32() & (i == 1 ? ~1u : ~0u);
        uc_reg_write(them, status[i], held[i]);
    }
}

static void compare(uc_engine *them)
{
    static const char *const names[] = {"mscratch", "mepc", "mcause"};
    const uint32_t held[] = {us.mscratch, us.mepc, us.mcause};
    uint32_t found = 0;
    char name[8];
    for (int i = 0; i < 32; i++) {
        uc_reg_read(them, UC_RISCV_REG_X0 + i, &found);
        snprintf(name, sizeof name, "x%d", i);
        if (found != us.x[i]) differs(name, us.x[i], found);
    }
    for (int i = 0; i < 3; i++) {
        uc_reg_read(them, status[i], &found);
        if (i == 1) found &= ~1u; /* which unicorn keeps */
        if (found != held[i]) differs(names[i], held[i], found);
    }
    uc_reg_read(them, UC_RISCV_REG_PC, &found);
    if (found != us.pc) differs("pc", us.pc, found);
    if (memcmp(data, their_ram, RAM_SIZE)) differs("memory", 0, 0);
}

static uint64_t compared, illegal, faults, of_form[FORMS], halves;
static uint8_t seen[0x10000];

static bool is_left_out(uint32_t w)
{
    uint32_t opcode = w & 0x7F, number = w >> 20;
    bool shifts_far = ((w & 0xF003) == 0x9001 && (w >> 10 & 3) != 2) || (w & 0xF003) == 0x1002; /* or is of RV64 */
    if ((w & 3) != 3) return (w >> 13 & 1 && (w & 3) != 1) || (w & 0xE003) == 0x8000 || shifts_far;
    if (opcode == 0x07 || opcode == 0x27 || (opcode >= 0x43 && opcode <= 0x53)) return true;
    if (opcode == 0x73) return (w >> 12 & 7) == 0 || number < 0x340 || number > 0x342 || (w >> 12 & 7) == 4;
    if (opcode == 0x0F) return (w >> 12 & 7) > 0 || w >> 28; /* FENCE.I ends what unicorn has translated */
    return opcode == 0x2F && w >> 27 == 3;
}

static bool one(uc_engine *them, uint32_t pc)
{
    set_up_state(them);
    us.pc = pc;
    enum riscv_stop said = riscv_step(&us);
    bool bad = said == RISCV_BAD_LOAD || said == RISCV_BAD_STORE, wrong = said == RISCV_ILLEGAL;
    if ((said != RISCV_RUNS && !bad && !wrong) || is_left_out(us.op)) {
        memcpy(data, their_ram, RAM_SIZE);
        return false;
    }
    uc_err err = uc_emu_start(them, pc, 0xFFFFFFFE, 0, 1);
    bool left = said == RISCV_RUNS && us.pc - FLASH >= FLASH_SIZE; /* unicorn already looks for the next instruction */
    if (left && (err == UC_ERR_FETCH_UNMAPPED || err == UC_ERR_FETCH_PROT || err == UC_ERR_EXCEPTION)) err = UC_ERR_OK;
    if ((said != RISCV_RUNS) != (err != UC_ERR_OK)) differs("an error", said, err);
    else if (bad) faults++;
    else if (wrong) illegal++;
    else compare(them);
    compared++;
    memcpy(data, their_ram, RAM_SIZE);
    return true;
}

int main(int count, char **arguments)
{
    if (count != 4) return 2;
    state = strtoull(arguments[1], NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    uint64_t places = strtoull(arguments[2], NULL, 10), states = strtoull(arguments[3], NULL, 10), next_form = 0;
    uint32_t next_half = random32() & 0xFFFF;
    uc_engine *them;
    if (uc_open(UC_ARCH_RISCV, UC_MODE_RISCV32, &them)) return 2;
    uc_ctl_set_cpu_model(them, UC_CPU_RISCV32_SIFIVE_E31);
    if (uc_mem_map_ptr(them, RAM, RAM_SIZE, UC_PROT_READ | UC_PROT_WRITE, their_ram)) return 2;
    if (uc_mem_map_ptr(them, FLASH, FLASH_SIZE, UC_PROT_READ | UC_PROT_EXEC, flash)) return 2;
    us = (struct riscv){.has = RISCV_M | RISCV_A, .region = regions, .regions = 2, .data = data, .allowed = allowed,
                        .flash_start = FLASH, .flash_size = FLASH_SIZE, .flash_at = RAM_SIZE};
    memset(allowed, RISCV_READ | RISCV_WRITE, RAM_SIZE);
    memset(allowed + RAM_SIZE, RISCV_READ, FLASH_SIZE);
    for (uint32_t i = 0; i < RAM_SIZE; i++) their_ram[i] = (uint8_t)random32();
    memcpy(data, their_ram, RAM_SIZE);
    for (uint64_t done = 0; done < places; done += BATCH) {
        static uint32_t form_of[BATCH];
        uint32_t batch = places - done < BATCH ? (uint32_t)(places - done) : BATCH;
        for (uint32_t i = 0; i < FLASH_SIZE; i += 2) put_half(i, 0x0001); /* C.NOP */
        for (uint32_t i = 0; i < batch; i++) {
            uint32_t at = (i + 1) * SLOT;
            if (random32() % 2) {
                while ((next_half & 3) == 3) next_half = (next_half + 24593) & 0xFFFF;
                put_half(at, next_half);
                next_half = (next_half + 24593) & 0xFFFF;
                form_of[i] = FORMS;
            } else {
                form_of[i] = (uint32_t)(next_form++ % FORMS);
                uint32_t w = (random32() & ~forms[form_of[i]].mask) | forms[form_of[i]].value;
                put_half(at, w & 0xFFFF);
                put_half(at + 2, w >> 16);
            }
        }
        memcpy(data + RAM_SIZE, flash, FLASH_SIZE);
        uc_ctl_flush_tb(them);
        for (uint32_t i = 0; i < batch; i++) {
            bool was = false;
            for (uint64_t s = 0; s < states; s++) was |= one(them, FLASH + (i + 1) * SLOT);
            if (!was) continue;
            if (form_of[i] < FORMS) of_form[form_of[i]]++;
            else if (!seen[us.op & 0xFFFF]++) halves++;
        }
    }
    for (uint32_t f = 0; f < FORMS; f++) printf("%s: %llu\n", forms[f].name, (unsigned long long)of_form[f]);
    printf("%llu steps compared, %llu faults, %llu illegal, %llu compressed, %u differences\n", (unsigned long long)compared,
           (unsigned long long)faults, (unsigned long long)illegal, (unsigned long long)halves, differences);
    return differences != 0;
}
