/* A chip in simavr with an image, which nothing keeps waiting, and a source of chance. */
#ifndef CHIP_H
#define CHIP_H

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_interrupts.h>
#include <stdio.h>
#include <stdlib.h>

static avr_t *avr;

/* Nothing waits for real time. */
static void no_sleep(avr_t *chip, avr_cycle_count_t cycles)
{
    (void)chip, (void)cycles;
}

static uint64_t random_state;
static unsigned chance(unsigned below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % below;
}

static inline avr_int_vector_t *vector_of(unsigned number)
{
    for (unsigned i = 0; i < avr->interrupts.vector_count; i++)
        if (avr->interrupts.vector[i]->vector == number) return avr->interrupts.vector[i];
    return NULL;
}

static avr_cycle_count_t nothing(avr_t *chip, avr_cycle_count_t when, void *with)
{
    (void)chip, (void)when, (void)with;
    return 0;
}

/* A chip that sleeps comes to this moment. */
static void plan(avr_cycle_count_t when)
{
    if (when > avr->cycle) avr_cycle_timer_register(avr, when - avr->cycle, nothing, NULL);
}

/* False: there is no such chip, or no such image. */
static int start_chip(const char *name, const char *clock, const char *image)
{
    static uint8_t flash[1 << 18];
    avr = avr_make_mcu_by_name(name);
    FILE *f = fopen(image, "rb");
    if (!avr || !f) return 0;
    size_t size = fread(flash, 1, sizeof flash, f);
    fclose(f);
    avr_init(avr);
    avr->frequency = (uint32_t)atoi(clock);
    avr->log = LOG_NONE;
    avr->sleep = no_sleep;
    uint32_t flags = 0; /* nothing is printed, and nobody sleeps while the program polls */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_loadcode(avr, flash, (uint32_t)size, 0);
    return 1;
}

#endif
