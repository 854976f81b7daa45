/* The routine of an interrupt that the program names, and what lets it come again. Compiled for each of them: its number
   is LF_NAMED_NUMBER, its place among them LF_NAMED_BIT. */

#include "../../../port.h"
#include "../chip.h"
#include "../masks.h"

#define INTERRUPTS_ON 0x80u /* in SREG */
#define JOINED(name, number) name##number
#define OF_NUMBER(name, number) JOINED(name, number)
#define LISTEN OF_NUMBER(lf_port_listen_, LF_NAMED_NUMBER)

_Static_assert(LF_NAMED_NUMBER > 0 && LF_NAMED_NUMBER < LF_VECTORS, "the chip has no such interrupt");

void LISTEN(void);

/* Without the mask an interrupt that stays, since its cause does, would come for ever, and the program never run. */
LF_INTERRUPT(LF_NAMED_NUMBER)
{
    struct lf_mask mask = lf_mask_of(LF_NAMED_NUMBER);
    volatile uint8_t *at = lf_register(mask.address);
    *at = (uint8_t)(*at & ~(1u << mask.bit | mask.clears));
    lf_port_came[LF_NAMED_BIT] = LF_CAME | LF_MASKED;
    lf_port_woken = 1;
}

void LISTEN(void)
{
    if (lf_port_came[LF_NAMED_BIT] != LF_MASKED)
        return;
    struct lf_mask mask = lf_mask_of(LF_NAMED_NUMBER);
    volatile uint8_t *at = lf_register(mask.address);
    uint8_t status = *lf_register(LF_SREG); /* other routines change the same register */
    *lf_register(LF_SREG) = (uint8_t)(status & ~INTERRUPTS_ON);
    lf_port_came[LF_NAMED_BIT] = 0;
    *at = (uint8_t)((*at & ~mask.clears) | 1u << mask.bit);
    *lf_register(LF_SREG) = status;
}
