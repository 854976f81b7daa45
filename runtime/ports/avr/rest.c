/* Whether the chip may power down: then only a pin that changes wakes it, and all clocks stand. */

#include "../../port.h"
#include "chip.h"

/* What interrupts, and timers that run, which drive pins. Timer 1 is the tick's. */
static const struct {
    uint8_t address, bits;
} at_work[] = {
    {0x3F, 0x08}, /* EECR: EERIE */
    {0x45, 0x07}, /* TCCR0B */
    {0x4C, 0x80}, /* SPCR: SPIE */
    {0x50, 0x08}, /* ACSR: ACIE */
    {0x7A, 0x08}, /* ADCSRA: ADIE */
    {0xB1, 0x07}, /* TCCR2B */
    {0xBC, 0x01}, /* TWCR: TWIE */
    {0xC1, 0xE0}, /* UCSR0B: RXCIE, TXCIE, UDRIE */
#ifdef LF_CHIP_atmega2560
    {0x91, 0x07}, /* TCCR3B */
    {0xA1, 0x07}, /* TCCR4B */
    {0xC9, 0xE0}, /* UCSR1B */
    {0xD1, 0xE0}, /* UCSR2B */
#endif
};

bool lf_port_may_rest(void)
{
    if (LF_WATCHDOG_MS) /* it goes on, and is fed at each tick */
        return false;
    for (uint8_t i = 0; i < sizeof at_work / sizeof *at_work; i++)
        if (*lf_register(at_work[i].address) & at_work[i].bits)
            return false;
#ifdef LF_CHIP_atmega2560
    if (*lf_register(0x121) & 0x07 || *lf_register(0x131) & 0xE0) /* TCCR5B, UCSR3B */
        return false;
#endif
    return true;
}
