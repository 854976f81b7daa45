/* Parts that hang on the two-wire bus of the chip, and what goes wrong on that bus. */

#ifndef SIMAVR_RUN_PARTS_H
#define SIMAVR_RUN_PARTS_H

#include <simavr/sim_avr.h>

/* Both take the text of an option; they return what the option wants if the text is none of that, else NULL. */
const char *add_part(const char *text);
const char *add_bus_fault(const char *text);

/* Once the chip is there. Returns what is wrong, or NULL. */
const char *connect_parts(avr_t *avr);

/* What is in the part of this number: *size bytes. NULL: there is no such part. */
const uint8_t *content_of_part(unsigned number, uint32_t *size);

#endif
