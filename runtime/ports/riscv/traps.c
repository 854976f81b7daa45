/* Lets interrupts come to their routines. Linked in if there is any routine (lfc/link/merge.py). */

void lf_take_traps(void); /* trap_entry.S */
void lf_port_traps_start(void);

void lf_port_traps_start(void)
{
    lf_take_traps();
}
