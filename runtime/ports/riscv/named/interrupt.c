/* The routine of an interrupt that the program names, and what lets it come again. Compiled for each of them: its line
   of the interrupt controller is LF_NAMED_NUMBER, its place among them LF_NAMED_BIT. */

#include "../../../port.h"
#include "../chip.h"

#define JOINED(name, number) name##number
#define OF_NUMBER(name, number) JOINED(name, number)
#define LISTEN OF_NUMBER(lf_port_listen_, LF_NAMED_NUMBER)

_Static_assert(LF_NAMED_NUMBER > 0 && LF_NAMED_NUMBER < LF_LINES, "the chip has no such interrupt");

void LISTEN(void);

/* Without the mask an interrupt that stays, since its cause does, would come for ever, and the program never run. */
LF_INTERRUPT(LF_NAMED_NUMBER)
{
    lf_mask_line(LF_NAMED_NUMBER);
    lf_port_came[LF_NAMED_BIT] = LF_CAME | LF_MASKED;
    lf_port_woken = 1;
}

/* The first to listen takes the mask of the reset away. While the line is open only the routine changes what is said of
   it, while it is closed only the kernel's loop does. */
void LISTEN(void)
{
    uint8_t state = lf_port_came[LF_NAMED_BIT];
    if (state & LF_CAME || (state != LF_MASKED && lf_is_enabled(LF_NAMED_NUMBER)))
        return;
    lf_port_came[LF_NAMED_BIT] = 0;
    lf_open_line(LF_NAMED_NUMBER);
}
