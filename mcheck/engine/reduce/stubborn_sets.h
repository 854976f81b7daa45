/* Persistent sets where few are alive, and where many are: the same code (stubborn_sets.c) with small and with large sets; and with
 * few, where little is shared. */
#ifndef MC_PERSISTENT_H
#define MC_PERSISTENT_H

#include <string.h>

#include "reduce/partial_order.h"

enum { MC_MOST_OF_FEW = 64 };

/* Who is enough alone is looked for until there are so many: of many, each look takes long. */
enum { MC_ALONE_OF_FEW = 32, MC_ALONE_OF_MANY = 6 };

/* As mc_find_enough. */
bool mc_find_enough_of_few(const struct mc_reduction_options *o, const struct mc_footprint *footprint,
                           const uint16_t *stand, uint32_t slots, bool interrupts, struct mc_decision *to);
bool mc_find_enough_of_small(const struct mc_reduction_options *o, const struct mc_footprint *footprint,
                             const uint16_t *stand, uint32_t slots, bool interrupts, struct mc_decision *to);
bool mc_find_enough_of_many(const struct mc_reduction_options *o, const struct mc_footprint *footprint,
                            const uint16_t *stand, uint32_t slots, bool interrupts, struct mc_decision *to);

#endif
