/* A chip in simavr whose power is cut, again and again: power_cuts CHIP CLOCK IMAGE CUTS LONGEST SEED

   What the program says goes to standard output, and of each cut a line `#AT OLD NEW NOW`: the byte of the EEPROM that was being
   written, or -1 four times. Power comes back after up to LONGEST cycles, with whatever in the memory, and the EEPROM as it was;
   but a byte that was being written is erased, a mixture, one with a wrong bit, new or old. */

#include "../../mcheck/response/chip.h"
#include <simavr/avr_eeprom.h>
#include <string.h>

enum { EECR = 0x3F, EEAR = 0x41, IS_WRITING = 2, IS_OPEN = 4, EEPROM_BYTES = 1024, TENTHS_OF_MILLISECONDS = 34 };

static void say(struct avr_irq_t *irq, uint32_t value, void *with)
{
    (void)irq, (void)with;
    putchar((int)value);
}

static void eeprom(uint32_t command, uint8_t *bytes, unsigned at, unsigned size)
{
    avr_eeprom_desc_t all = {.ee = bytes, .offset = (uint16_t)at, .size = size};
    avr_ioctl(avr, command, &all);
}

static uint8_t torn(uint8_t old, uint8_t new)
{
    uint8_t mixed = (uint8_t)chance(256);
    switch (chance(5)) {
    case 0: return 0xFF;
    case 1: return (uint8_t)((old & mixed) | (new & ~mixed));
    case 2: return (uint8_t)(new ^ 1u << chance(8));
    case 3: return new;
    default: return old;
    }
}

static struct {
    int at;
    uint8_t old;
    avr_cycle_count_t done;
} writing; /* at -1: nothing is */

/* simavr writes a byte at once: the chip takes its time, in which it says that it is writing. */
static void look_at_eeprom(uint8_t before)
{
    if (writing.at >= 0 && avr->cycle >= writing.done) {
        avr->data[EECR] &= (uint8_t)~IS_WRITING;
        writing.at = -1;
    }
    if (writing.at < 0 && !(before & IS_OPEN) && (avr->data[EECR] & IS_OPEN)) { /* the order follows */
        uint8_t old;
        int at = (avr->data[EEAR] | avr->data[EEAR + 1] << 8) % EEPROM_BYTES;
        eeprom(AVR_IOCTL_EEPROM_GET, &old, (unsigned)at, 1);
        for (int steps = 0; steps < 4 && avr->data[EECR] & IS_OPEN; steps++) avr_run(avr);
        writing.at = at, writing.old = old;
        writing.done = avr->cycle + avr->frequency / 10000 * TENTHS_OF_MILLISECONDS;
        avr->data[EECR] |= IS_WRITING;
    }
}

static void run_until(avr_cycle_count_t cut)
{
    plan(cut);
    while (avr->cycle < cut) {
        uint8_t before = avr->data[EECR];
        avr_run(avr);
        look_at_eeprom(before);
    }
}

int main(int argc, char **argv)
{
    if (argc != 7 || !start_chip(argv[1], argv[2], argv[3])) return 2;
    unsigned longest = (unsigned)atoi(argv[5]);
    random_state = (uint64_t)atoi(argv[6]);
    writing.at = -1;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), say, NULL);
    for (int cuts = atoi(argv[4]); cuts; cuts--) {
        run_until(avr->cycle + 1 + chance(longest));
        int new = -1, now = -1;
        if (writing.at >= 0) {
            uint8_t byte;
            eeprom(AVR_IOCTL_EEPROM_GET, &byte, (unsigned)writing.at, 1);
            new = byte;
            now = byte = torn(writing.old, byte);
            eeprom(AVR_IOCTL_EEPROM_SET, &byte, (unsigned)writing.at, 1);
        }
        printf("\n#%d %d %d %d\n", writing.at, writing.at < 0 ? -1 : writing.old, new, now);
        writing.at = -1;
        avr_reset(avr);
        for (unsigned at = 0x100; at <= avr->ramend; at++) avr->data[at] = (uint8_t)chance(256);
    }
    return 0;
}
