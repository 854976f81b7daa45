/* Makes a lasso as short as can be near the initial state, and near its own cycle. */
#ifndef MC_SHORTEN_H
#define MC_SHORTEN_H

#include "api/emptiness.h"

/* Looks among the states that are nearest to the initial one, as many as there is room for, for an accepted cycle that makes
 * the way there and the cycle together shorter than in `out`, and puts it there; then the same from some states of the lasso
 * on. Without memory `out` stays as it is. */
void cy_shorten(const struct cy_graph *g, const _Atomic int *stop, struct cy_result *out);

#endif
