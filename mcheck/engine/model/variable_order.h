/* Which components lie side by side in the tree. */
#ifndef MC_ORDER_H
#define MC_ORDER_H

#include "store/state_tree.h"

/* Walks through some states of a program that has not been searched yet, and gives the tree a better shape: what actions
 * touch together comes together, so that few of them concern both halves. Always the same for a program. False: no memory. */
bool mc_order_by_sample(struct mc_space *s);

#endif
