/* Brings the processor to its clock. Always linked in, and started before all other parts. */

#include "../../port.h"
#include "chip.h"

void lf_port_clock_start(void);

void lf_port_clock_start(void)
{
    lf_set_up_clock();
}
