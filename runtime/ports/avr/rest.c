/* Whether the chip may power down: then only a pin that changes wakes it, and all clocks stand. */

#include "../../port.h"
#include "chip.h"

/* What interrupts, and timers that run, which drive pins; but for the tick. */
static const struct {
    uint8_t address, bits;
} at_work[] = {
#ifdef LF_SMALL
    {0x26, 0x08}, /* ADCSRA: ADIE */
    {0x28, 0x08}, /* ACSR: ACIE */
    {0x2D, 0xC0}, /* USICR: USISIE, USIOIE */
    {0x3C, 0x08}, /* EECR: EERIE */
    {0x50, 0x0F}, /* TCCR1 */
    {0x59, 0x6E}, /* TIMSK */
#else
    {0x3F, 0x08}, /* EECR: EERIE */
    {0x45, 0x07}, /* TCCR0B */
    {0x4C, 0x80}, /* SPCR: SPIE */
    {0x50, 0x08}, /* ACSR: ACIE */
    {0x6E, 0x07}, /* TIMSK0 */
    {0x6F, 0x2D}, /* TIMSK1, but for the tick */
    {0x70, 0x07}, /* TIMSK2 */
    {0x7A, 0x08}, /* ADCSRA: ADIE */
    {0xB1, 0x07}, /* TCCR2B */
    {0xBC, 0x01}, /* TWCR: TWIE */
    {0xC1, 0xE0}, /* UCSR0B: RXCIE, TXCIE, UDRIE */
#endif
#ifdef LF_CHIP_atmega2560
    {0x71, 0x2F}, /* TIMSK3 */
    {0x72, 0x2F}, /* TIMSK4 */
    {0x73, 0x2F}, /* TIMSK5 */
    {0x91, 0x07}, /* TCCR3B */
    {0xA1, 0x07}, /* TCCR4B */
    {0xC9, 0xE0}, /* UCSR1B */
    {0xD1, 0xE0}, /* UCSR2B */
#endif
};

/* External interrupts whose edges are seen by a clock that stands then; a low level wakes the chip. */
#ifdef LF_SMALL
#define EIMSK 0x5B /* GIMSK: INT0 in bit 6 */
#define SENSE 0x55 /* MCUCR */
#define ENABLED_FROM 6
#define FIRST 0
#define LAST 0
#else
#define EIMSK 0x3D
#define ENABLED_FROM FIRST
#ifdef LF_CHIP_atmega2560
#define SENSE 0x6A /* EICRB; those of the first four are seen without a clock */
#define FIRST 4
#define LAST 7
#else
#define SENSE 0x69 /* EICRA */
#define FIRST 0
#define LAST 1
#endif
#endif

static bool awaits_an_edge(void)
{
    uint8_t enabled = (uint8_t)(*lf_register(EIMSK) >> ENABLED_FROM), sense = *lf_register(SENSE);
    for (uint8_t n = FIRST; n <= LAST; n++, enabled >>= 1, sense >>= 2)
        if ((enabled & 1) && (sense & 3))
            return true;
    return false;
}

bool lf_port_may_rest(void)
{
    if (LF_WATCHDOG_MS) /* it goes on, and is fed at each tick */
        return false;
    if (awaits_an_edge())
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
