/* Parts at the pins, on SPI and on the two-wire bus: shift registers, a display; memories and clocks of simavr's own, and files of registers, as most sensors are. */

#include "parts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_spi.h>
#include <simavr/avr_twi.h>
#include <simavr/parts/ds1338_virt.h>
#include <simavr/parts/i2c_eeprom.h>

#define PARTS_AT_MOST 8u
#define FAULTS_AT_MOST 8u
#define REGISTERS 256u
#define CELLS 4096u /* of a 24LC32 */
#define LISTENED 16384u /* by a listener: each byte behind 2 if it is the first of a write, else 1 */
#define PAGE 32u
#define WRITE_MILLISECONDS 5u
#define DISPLAY_REGISTERS 16u
#define CLOCKS_OF_A_BYTE 9u

enum part_kind { EEPROM, CLOCK, REGISTER_FILE, MEMORY, SHIFT_REGISTER, DISPLAY, LISTENER };
enum shift_pin { DATA_PIN, CLOCK_PIN, LATCH_PIN, SHIFT_PINS };

struct part {
    enum part_kind kind;
    uint32_t address;
    i2c_eeprom_t eeprom;
    ds1338_virt_t clock;
    uint8_t registers[REGISTERS];
    uint8_t pointer;
    uint8_t cells[CELLS], page[PAGE]; /* of a memory; what is to be written */
    bool in_page[PAGE];
    uint16_t cell; /* the next; of a listener too */
    uint8_t listened[LISTENED];
    avr_cycle_count_t ready; /* until then it writes, and hears nothing */
    char port; /* of a shift register or display, with the bits of its pins, what is in it, and what it shows */
    uint32_t bits[SHIFT_PINS], shifted;
    uint8_t shown[4];
    bool selected;
    unsigned pointed; /* so many bytes of a write have been: the first, of a memory two, say where */
};

enum fault_kind { ABSENT, REFUSED, HANGS, STUCK };
static const char *const fault_names[] = {"absent", "refused", "hangs", "stuck"};

struct fault {
    enum fault_kind kind;
    uint32_t after; /* so many conditions and bytes from the master */
    bool over;
};

static struct part parts[PARTS_AT_MOST];
static unsigned part_count;
static struct fault faults[FAULTS_AT_MOST];
static unsigned fault_count;
static avr_t *chip;
static avr_irq_t *bus; /* of the chip's interface */
static uint32_t said;  /* by the master */
static unsigned clocks; /* by hand, since SDA is low */
static char port;      /* of SDA and SCL, and their bits */
static int sda, scl;

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_registers(struct part *part, const char *text)
{
    for (unsigned i = 0; i < REGISTERS && text[0]; i++, text += 2) {
        int high = hex_digit(text[0]), low = high < 0 ? -1 : hex_digit(text[1]);
        if (low < 0)
            return false;
        part->registers[i] = (uint8_t)(high << 4 | low);
    }
    return *text == '\0';
}

static bool read_shift_register(struct part *part, const char *text)
{
    char rest;
    *part = (struct part){.kind = SHIFT_REGISTER};
    return sscanf(text, "shift:%c:%" SCNu32 ":%" SCNu32 ":%" SCNu32 "%c", &part->port, &part->bits[DATA_PIN],
                  &part->bits[CLOCK_PIN], &part->bits[LATCH_PIN], &rest) == 4 &&
           part->bits[DATA_PIN] < 8 && part->bits[CLOCK_PIN] < 8 && part->bits[LATCH_PIN] < 8;
}

static bool read_display(struct part *part, const char *text)
{
    char rest;
    *part = (struct part){.kind = DISPLAY};
    return sscanf(text, "display:%c:%" SCNu32 "%c", &part->port, &part->bits[LATCH_PIN], &rest) == 2 &&
           part->bits[LATCH_PIN] < 8;
}

const char *add_part(const char *text)
{
    static const char wanted[] = "eeprom:ADDRESS, memory:ADDRESS, clock:ADDRESS, listener:ADDRESS, "
                                 "registers:ADDRESS:HEX, shift:PORT:DATA:CLOCK:LATCH or display:PORT:SELECT";
    char kind[10];
    uint32_t address;
    int taken = 0;
    if (part_count == PARTS_AT_MOST)
        return "at most 8 parts";
    if (strncmp(text, "shift:", 6) == 0) {
        if (!read_shift_register(&parts[part_count], text))
            return wanted;
        part_count++;
        return NULL;
    }
    if (strncmp(text, "display:", 8) == 0) {
        if (!read_display(&parts[part_count], text))
            return wanted;
        part_count++;
        return NULL;
    }
    if (sscanf(text, "%9[a-z]:%" SCNi32 "%n", kind, (int32_t *)&address, &taken) != 2 || taken == 0 || address > 127)
        return wanted;
    struct part *part = &parts[part_count];
    *part = (struct part){.address = address};
    text += taken;
    if (strcmp(kind, "registers") == 0) {
        part->kind = REGISTER_FILE;
        if (*text == ':' ? !read_registers(part, text + 1) : *text != '\0')
            return wanted;
    } else if (*text != '\0') {
        return wanted;
    } else if (strcmp(kind, "eeprom") == 0) {
        part->kind = EEPROM;
    } else if (strcmp(kind, "memory") == 0) {
        part->kind = MEMORY;
        memset(part->cells, 0xFF, sizeof part->cells);
    } else if (strcmp(kind, "clock") == 0) {
        part->kind = CLOCK;
    } else if (strcmp(kind, "listener") == 0) {
        part->kind = LISTENER;
    } else {
        return wanted;
    }
    part_count++;
    return NULL;
}

const char *add_bus_fault(const char *text)
{
    char kind[8], rest;
    uint32_t after;
    if (fault_count == FAULTS_AT_MOST)
        return "at most 8 faults";
    if (sscanf(text, "%7[a-z]:%" SCNu32 "%c", kind, &after, &rest) == 2)
        for (unsigned i = 0; i < sizeof fault_names / sizeof *fault_names; i++)
            if (strcmp(kind, fault_names[i]) == 0) {
                faults[fault_count++] = (struct fault){(enum fault_kind)i, after, false};
                return NULL;
            }
    return "absent:N, refused:N, hangs:N or stuck:N";
}

static bool goes_wrong(enum fault_kind kind)
{
    for (unsigned i = 0; i < fault_count; i++)
        if (faults[i].kind == kind && !faults[i].over && said >= faults[i].after)
            return faults[i].over = true;
    return false;
}

static void pull(int bit, bool low)
{
    static uint8_t lows;
    lows = (uint8_t)(low ? lows | 1u << bit : lows & ~(1u << bit));
    avr_ioport_external_t external = {.name = port, .mask = lows, .value = 0};
    avr_ioctl(chip, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &external);
    avr_raise_irq(avr_io_getirq(chip, AVR_IOCTL_IOPORT_GETIRQ(port), bit), !low);
}

/* The interface comes to no end: a line is held. */
static void stop_interface(void)
{
    for (avr_cycle_timer_slot_p slot = chip->cycle_timers.timer; slot; slot = slot->next) {
        avr_io_t *io = chip->io_port;
        while (io && (void *)io != slot->param)
            io = io->next;
        if (io && io->kind && strcmp(io->kind, "twi") == 0) {
            avr_cycle_timer_cancel(chip, slot->timer, slot->param);
            return;
        }
    }
}

static avr_cycle_count_t hold_line(avr_t *avr, avr_cycle_count_t when, void *parameter)
{
    (void)avr;
    (void)when;
    const struct fault *fault = parameter;
    stop_interface();
    clocks = 0;
    pull(fault->kind == STUCK ? sda : scl, true);
    return 0;
}

static void on_clock(avr_irq_t *irq, uint32_t level, void *parameter)
{
    (void)irq;
    (void)parameter;
    if (level && ++clocks == CLOCKS_OF_A_BYTE - 1)
        pull(sda, false);
}

static void on_bus(avr_irq_t *irq, uint32_t value, void *parameter)
{
    (void)irq;
    (void)value;
    (void)parameter;
    said++;
    for (unsigned i = 0; i < fault_count; i++)
        if (faults[i].kind >= HANGS && !faults[i].over && said >= faults[i].after) {
            faults[i].over = true;
            avr_cycle_timer_register(chip, 1, hold_line, &faults[i]);
        }
}

static void answer(uint8_t what, uint8_t address, uint8_t byte)
{
    avr_raise_irq(bus + TWI_IRQ_INPUT, avr_twi_irq_msg(what, address, byte));
}

static void begin_to_write(struct part *part)
{
    uint16_t base = (uint16_t)(part->cell / PAGE * PAGE);
    bool any = false;
    for (unsigned i = 0; i < PAGE; i++)
        if (part->in_page[i]) {
            part->cells[base + i] = part->page[i];
            part->in_page[i] = false;
            any = true;
        }
    if (any)
        part->ready = chip->cycle + chip->frequency / 1000u * WRITE_MILLISECONDS;
}

static void take_byte(struct part *part, uint8_t byte)
{
    if (part->kind == LISTENER) {
        if (part->cell + 2u <= LISTENED) {
            part->listened[part->cell++] = part->pointed == 0 ? 2 : 1;
            part->listened[part->cell++] = byte;
        }
    } else if (part->kind == REGISTER_FILE && part->pointed == 0) {
        part->pointer = byte;
    } else if (part->kind == REGISTER_FILE) {
        part->registers[part->pointer++] = byte;
    } else if (part->pointed < 2) {
        part->cell = (uint16_t)((part->cell << 8 | byte) % CELLS);
    } else {
        part->page[part->cell % PAGE] = byte;
        part->in_page[part->cell % PAGE] = true;
        part->cell = (uint16_t)(part->cell / PAGE * PAGE + (part->cell + 1) % PAGE);
    }
    part->pointed++;
}

static uint8_t next_byte(struct part *part)
{
    if (part->kind == REGISTER_FILE)
        return part->registers[part->pointer++];
    if (part->kind == LISTENER)
        return 0;
    uint8_t byte = part->cells[part->cell];
    part->cell = (uint16_t)((part->cell + 1) % CELLS);
    return byte;
}

static void on_message(avr_irq_t *irq, uint32_t value, void *parameter)
{
    (void)irq;
    struct part *part = parameter;
    avr_twi_msg_irq_t message = {.u.v = value};
    uint8_t address = message.u.twi.addr;
    if (message.u.twi.msg & TWI_COND_STOP) {
        if (part->selected)
            begin_to_write(part);
        part->selected = false;
    }
    if (message.u.twi.msg & TWI_COND_START) {
        part->selected = address >> 1 == part->address && chip->cycle >= part->ready && !goes_wrong(ABSENT);
        part->pointed = 0;
        memset(part->in_page, 0, sizeof part->in_page);
        if (part->selected)
            answer(TWI_COND_ACK, address, 1);
    }
    if (!part->selected)
        return;
    if (message.u.twi.msg & TWI_COND_WRITE) {
        if (goes_wrong(REFUSED))
            return;
        take_byte(part, message.u.twi.data);
        answer(TWI_COND_ACK, address, 1);
    }
    if (message.u.twi.msg & TWI_COND_READ)
        answer(TWI_COND_READ, address, next_byte(part));
}

static void on_shift_clock(avr_irq_t *irq, uint32_t level, void *parameter)
{
    struct part *part = parameter;
    const avr_irq_t *data = avr_io_getirq(chip, AVR_IOCTL_IOPORT_GETIRQ(part->port), (int)part->bits[DATA_PIN]);
    if (level && !irq->value)
        part->shifted = part->shifted << 1 | (data->value & 1);
}

static void on_shift_latch(avr_irq_t *irq, uint32_t level, void *parameter)
{
    struct part *part = parameter;
    for (unsigned i = 0; level && !irq->value && i < sizeof part->shown; i++)
        part->shown[i] = (uint8_t)(part->shifted >> 8 * i);
}

static const char *connect_shift_register(struct part *part)
{
    avr_irq_t *clock = avr_io_getirq(chip, AVR_IOCTL_IOPORT_GETIRQ(part->port), (int)part->bits[CLOCK_PIN]);
    avr_irq_t *latch = avr_io_getirq(chip, AVR_IOCTL_IOPORT_GETIRQ(part->port), (int)part->bits[LATCH_PIN]);
    if (clock == NULL || latch == NULL)
        return "the chip has no such port";
    avr_irq_register_notify(clock, on_shift_clock, part);
    avr_irq_register_notify(latch, on_shift_latch, part);
    return NULL;
}

/* A MAX7219: sixteen bits, of which the last are a register and its value; those before go on to the next in a row. */
static void on_spi(avr_irq_t *irq, uint32_t value, void *parameter)
{
    (void)irq;
    struct part *part = parameter;
    const avr_irq_t *select = avr_io_getirq(chip, AVR_IOCTL_IOPORT_GETIRQ(part->port), (int)part->bits[LATCH_PIN]);
    if (select->value)
        return;
    avr_raise_irq(avr_io_getirq(chip, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_INPUT), part->shifted >> 8 & 0xFF);
    part->shifted = part->shifted << 8 | (value & 0xFF);
}

static void on_deselect(avr_irq_t *irq, uint32_t level, void *parameter)
{
    struct part *part = parameter;
    if (level && !irq->value)
        part->registers[part->shifted >> 8 & (DISPLAY_REGISTERS - 1)] = (uint8_t)part->shifted;
}

static const char *connect_display(struct part *part)
{
    avr_irq_t *spi = avr_io_getirq(chip, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT);
    avr_irq_t *select = avr_io_getirq(chip, AVR_IOCTL_IOPORT_GETIRQ(part->port), (int)part->bits[LATCH_PIN]);
    if (spi == NULL || select == NULL)
        return "the chip has no such port, or no SPI";
    avr_irq_register_notify(spi, on_spi, part);
    avr_irq_register_notify(select, on_deselect, part);
    return NULL;
}

static const char *connect_part(struct part *part)
{
    switch (part->kind) {
    case EEPROM:
        i2c_eeprom_init(chip, &part->eeprom, (uint8_t)(part->address << 1), 1, NULL, sizeof part->eeprom.ee);
        i2c_eeprom_attach(chip, &part->eeprom, AVR_IOCTL_TWI_GETIRQ(0));
        break;
    case CLOCK:
        ds1338_virt_init(chip, &part->clock);
        ds1338_virt_attach_twi(&part->clock, AVR_IOCTL_TWI_GETIRQ(0));
        break;
    case MEMORY:
    case REGISTER_FILE:
    case LISTENER:
        avr_irq_register_notify(bus + TWI_IRQ_OUTPUT, on_message, part);
        break;
    case SHIFT_REGISTER:
        return connect_shift_register(part);
    case DISPLAY:
        return connect_display(part);
    }
    return NULL;
}

const char *connect_parts(avr_t *avr)
{
    if (part_count == 0 && fault_count == 0)
        return NULL;
    chip = avr;
    bus = avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), 0);
    if (bus == NULL)
        return "the chip has no two-wire interface";
    bool large = strcmp(avr->mmcu, "atmega2560") == 0;
    port = large ? 'D' : 'C';
    sda = large ? 1 : 4;
    scl = large ? 0 : 5;
    const char *wrong = NULL;
    for (unsigned i = 0; i < part_count; i++)
        if ((wrong = connect_part(&parts[i])) != NULL)
            return wrong;
    avr_irq_register_notify(bus + TWI_IRQ_OUTPUT, on_bus, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), scl), on_clock, NULL);
    return NULL;
}

const uint8_t *content_of_part(unsigned number, uint32_t *size)
{
    if (number >= part_count)
        return NULL;
    struct part *part = &parts[number];
    switch (part->kind) {
    case EEPROM:
        *size = sizeof part->eeprom.ee;
        return part->eeprom.ee;
    case CLOCK:
        *size = sizeof part->clock.nvram;
        return part->clock.nvram;
    case LISTENER:
        *size = sizeof part->listened;
        return part->listened;
    case MEMORY:
        *size = sizeof part->cells;
        return part->cells;
    case SHIFT_REGISTER:
        *size = sizeof part->shown;
        return part->shown;
    case DISPLAY:
        *size = DISPLAY_REGISTERS;
        return part->registers;
    case REGISTER_FILE:
        break;
    }
    *size = REGISTERS;
    return part->registers;
}
