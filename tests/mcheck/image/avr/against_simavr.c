/* Every instruction word, in random states: one step here and one step of simavr must do the same.
 *
 *     against_simavr CHIP SEED ROUNDS      prints how many steps were compared, and the first differences
 *
 * Steps that touch memory outside of RAM and of registers without effects are left out, and SLEEP, BREAK, WDR and SPM.
 */
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avr.h"

static uint64_t state;

static uint32_t random32(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

static bool left_out(uint16_t op)
{
    return op == 0x9588 || op == 0x9598 || op == 0x95A8 || op == 0x95E8 || op == 0x95F8;
}

static uint32_t differences;

static void differs(uint16_t op, const char *what, uint32_t ours, uint32_t theirs)
{
    if (differences++ < 20) printf("%04X %s: %X here, %X in simavr\n", op, what, ours, theirs);
}

int main(int count, char **arguments)
{
    if (count != 4) return 2;
    avr_global_logger_set(quiet);
    avr_t *them = avr_make_mcu_by_name(arguments[1]);
    if (!them) return 2;
    avr_init(them);
    state = strtoull(arguments[2], NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    uint32_t rounds = (uint32_t)atoi(arguments[3]), ram_end = them->ramend, size = them->flashend + 1;
    bool small = size == 0x2000;
    uint32_t ram = small ? 0x60 : ram_end + 1 > 0x2000 ? 0x200 : 0x100;
    static struct avr us;
    us.flash = malloc(size);
    memset(us.flash, 0xFF, size);
    memset(them->flash, 0xFF, size);
    us.flash_size = size;
    us.wide_pc = them->eind != 0;
    us.small = small;
    memset(us.allowed, 0, sizeof us.allowed);
    for (uint32_t i = ram; i <= ram_end; i++) us.allowed[i] = AVR_READ | AVR_WRITE;
    for (uint32_t i = 0; i < 32; i++) us.allowed[i] = AVR_READ | AVR_WRITE;
    const uint8_t harmless[] = {small ? 0x31 : 0x3E, small ? 0x32 : 0x4A, small ? 0x33 : 0x4B}; /* GPIOR0 to GPIOR2 */
    for (uint32_t i = 0; i < sizeof harmless; i++) us.allowed[harmless[i]] = AVR_READ | AVR_WRITE;
    uint64_t compared = 0;
    uint32_t illegal = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t word = 0; word < 0x10000; word++) {
            uint16_t op = (uint16_t)word;
            if (left_out(op)) continue;
            /* A small one goes round the end of its flash. */
            uint32_t pc = small ? random32() % (size / 2 - 3) : 64 + random32() % (size / 2 - 4400);
            if (size > 0x10000 && random32() % 2) pc = 64 + random32() % 0x7000;
            for (uint32_t i = 0; i < 6; i++) us.flash[pc * 2 + i] = (uint8_t)random32();
            if (random32() % 3 == 0) us.flash[pc * 2 + 3] = 0x90, us.flash[pc * 2 + 2] &= 0xF0; /* LDS is skipped */
            /* simavr takes ADIW and SBIW with a constant that ends in 12 to 15 for two words when it skips them */
            if ((us.flash[pc * 2 + 3] & 0xFE) == 0x96 && (us.flash[pc * 2 + 2] & 0x0C) == 0x0C) us.flash[pc * 2 + 3] = 0;
            us.flash[pc * 2] = (uint8_t)op;
            us.flash[pc * 2 + 1] = (uint8_t)(op >> 8);
            if ((op & 0xFC0F) == 0x9000) { /* LDS, STS: somewhere in RAM */
                uint32_t at = ram + random32() % (ram_end - ram);
                us.flash[pc * 2 + 2] = (uint8_t)at;
                us.flash[pc * 2 + 3] = (uint8_t)(at >> 8);
            }
            memcpy(them->flash + pc * 2, us.flash + pc * 2, 6);
            for (uint32_t i = 0; i < 32; i++) us.data[i] = random32() % 4 ? (uint8_t)random32() : (uint8_t)(0x80 * (random32() % 2) - random32() % 2);
            for (uint32_t p = 26; p < 32; p += 2) {
                uint32_t at = ram + 2 + random32() % (ram_end - ram - 80);
                us.data[p] = (uint8_t)at;
                us.data[p + 1] = (uint8_t)(at >> 8);
            }
            uint32_t sp = ram + 16 + random32() % (ram_end - ram - 32);
            us.data[AVR_SPL] = (uint8_t)sp;
            us.data[AVR_SPH] = (uint8_t)(sp >> 8);
            us.data[AVR_SREG] = (uint8_t)random32();
            us.data[AVR_RAMPZ] = us.wide_pc ? random32() % 4 : 0;
            us.data[AVR_EIND] = us.wide_pc ? random32() % 2 : 0;
            for (uint32_t i = 0; i < sizeof harmless; i++) us.data[harmless[i]] = (uint8_t)random32();
            for (uint32_t i = sp - 4; i < sp + 5; i++) us.data[i] = (uint8_t)random32();
            memcpy(them->data, us.data, 0x60);
            memcpy(them->data + sp - 4, us.data + sp - 4, 9);
            for (uint32_t i = 0; i < 8; i++) them->sreg[i] = us.data[AVR_SREG] >> i & 1;
            if (us.wide_pc) {
                them->data[them->rampz] = us.data[AVR_RAMPZ];
                them->data[them->eind] = us.data[AVR_EIND];
            }
            us.pc = pc;
            us.cycles = 0;
            enum avr_stop said = avr_step_once(&us);
            if (said == AVR_BAD_LOAD || said == AVR_BAD_STORE) {
                memcpy(us.data + ram, them->data + ram, ram_end - ram + 1);
                continue;
            }
            if (said == AVR_ILLEGAL) {
                illegal++;
                continue;
            }
            them->pc = pc * 2;
            them->cycle = 0;
            them->state = cpu_Running;
            uint32_t next = avr_run_one(them);
            compared++;
            uint8_t sreg = 0;
            for (uint32_t i = 0; i < 8; i++) sreg |= (uint8_t)(them->sreg[i] << i);
            us.pc &= size / 2 - 1;
            if (next / 2 % (size / 2) != us.pc) differs(op, "pc", us.pc, next / 2);
            if (them->cycle != us.cycles) differs(op, "cycles", (uint32_t)us.cycles, (uint32_t)them->cycle);
            if (sreg != us.data[AVR_SREG]) differs(op, "SREG", us.data[AVR_SREG], sreg);
            for (uint32_t i = 0; i < 32; i++)
                if (us.data[i] != them->data[i]) differs(op, "a register", us.data[i], them->data[i]);
            for (uint32_t i = 0; i < sizeof harmless; i++)
                if (us.data[harmless[i]] != them->data[harmless[i]]) differs(op, "an I/O register", us.data[harmless[i]], them->data[harmless[i]]);
            if (us.data[AVR_SPL] != them->data[AVR_SPL] || us.data[AVR_SPH] != them->data[AVR_SPH]) differs(op, "SP", us.data[AVR_SPL], them->data[AVR_SPL]);
            if (us.wide_pc && us.data[AVR_RAMPZ] != them->data[them->rampz]) differs(op, "RAMPZ", us.data[AVR_RAMPZ], them->data[them->rampz]);
            if (memcmp(us.data + ram, them->data + ram, ram_end - ram + 1)) {
                for (uint32_t i = ram; i <= ram_end; i++)
                    if (us.data[i] != them->data[i]) differs(op, "RAM", us.data[i], them->data[i]);
                memcpy(us.data + ram, them->data + ram, ram_end - ram + 1);
            }
        }
    }
    printf("%llu steps compared, %u differences, %u words of each round are no instructions\n", (unsigned long long)compared,
           differences, illegal / rounds);
    return differences ? 1 : 0;
}
