/* What the kernel asks of the machine under it: one interface for the host, AVR and Cortex-M. Includes nothing else of
   the runtime. A port lies in ports/; each of its parts (a C file) is linked in only if something of it is used, and a
   part that must be started defines `lf_port_<part>_start`, which start-up calls before `lf_main`, with interrupts off. */

#ifndef LF_PORT_H
#define LF_PORT_H

#include <stdbool.h>
#include <stdint.h>

/* Of the program: runs it, and never returns. Start-up calls it, with memory initialised and interrupts on. */
_Noreturn void lf_main(void);

/* Sends one byte to the console. Waits until there is room for it, in the port's buffer or, without one, in the
   transmitter. Interrupts are on. */
void lf_port_console_write(uint8_t byte);

/* The same with interrupts off, behind the line of a fault: what was in the port's buffer has been sent. */
void lf_port_console_put(uint8_t byte);

/* The next byte that the console received, 0 to 255; -1 if there is none. Never waits. */
int16_t lf_port_console_read(void);

/* How many bytes were lost since this was last asked, because they came when the receive buffer was full or before the
   routine had taken the byte before; 255: that many, or more. */
uint8_t lf_port_console_overrun(void);

/* Milliseconds since start; wraps at 2^32. */
uint32_t lf_port_milliseconds(void);

/* Does nothing for so long; routines of interrupts that come meanwhile take time in addition. */
void lf_port_spin(uint32_t microseconds);

/* Sleeps until an interrupt. Returns at once if there was one since it last returned: so whoever looks for work, finds
   none and calls this, misses nothing. Every interrupt routine sets `lf_port_woken`. */
void lf_port_idle(void);
extern volatile uint8_t lf_port_woken;

/* Whether all that may interrupt now would wake the board from `lf_port_rest`, and no device is at work that stands still in
   it. Only processes begin such work: so it stays true while nobody runs. */
bool lf_port_may_rest(void);

/* The same as `lf_port_idle`, and as deep as the chip can with its RAM kept: the tick stops, and the milliseconds stand
   still. */
void lf_port_rest(void);

/* --- interrupts that the program names, by their numbers on the board ---
   For each of them `named/interrupt.c` of the port is compiled, with its number as LF_NAMED_NUMBER and its place among
   them as LF_NAMED_BIT. It has the routine, which says here that the interrupt came and masks its source if that has a
   mask (LF_MASKED), and the function `lf_port_listen_<number>`, which takes the mask away once the interrupt has been
   taken. The kernel's loop takes it, between two actions; a process listens when it attempts to receive it. */
extern volatile uint8_t lf_port_came[];
#define LF_CAME 1u   /* and was not taken yet */
#define LF_MASKED 2u /* its source is, until somebody listens */

/* Feeds the watchdog, if the board has one that is on (LF_WATCHDOG_MS); the kernel's loop does so at each pass. Before a
   stop it is turned off, where that can be; else this feeds it and never returns. */
void lf_port_watchdog_feed(void);
void lf_port_watchdog_stop(void);

/* Stops for ever: interrupts off, outputs as they are, asleep. What the console was given before is still sent. */
_Noreturn void lf_port_halt(void);

/* Starts the chip anew, as its reset pin does. What the console was given before is still sent. */
_Noreturn void lf_port_reset(void);

/* A device register or a byte of memory. Of the wider ones, the lowest byte lies at `address`; where the machine has no
   access of that width, bytes are read from the lowest up and written from the highest down (as the 16-bit registers
   of AVR want it). */
uint8_t lf_port_in8(uint32_t address);
uint16_t lf_port_in16(uint32_t address);
uint32_t lf_port_in32(uint32_t address);
void lf_port_out8(uint32_t address, uint8_t value);
void lf_port_out16(uint32_t address, uint16_t value);
void lf_port_out32(uint32_t address, uint32_t value);

#endif
