/* Numbers of slots. Of a wide program (docs/reference/machine.md) they have two bytes, and the engine is built with LF_WIDE: a library of
 * its own, so that what others pay for sets of slots stays what it is.
 */
#ifndef MC_SLOTS_H
#define MC_SLOTS_H

#include <stdint.h>

#ifdef LF_WIDE
enum { MC_SLOT_BITS = 10 };
typedef uint16_t mc_slot;
#else
enum { MC_SLOT_BITS = 8 };
typedef uint8_t mc_slot;
#endif

/* Room for slots, and for numbers of channels; MC_NOBODY instead of a slot. */
enum { MC_MOST_SLOTS = 1 << MC_SLOT_BITS, MC_NOBODY = MC_MOST_SLOTS - 1 };

/* A meeting as a number: own clause, the partner's slot (MC_NOBODY: none), its clause (both FF if plain), and bit 31, so
 * that it is not 0. */
enum { MC_THEIRS_AT = 8 + MC_SLOT_BITS };

static inline uint32_t mc_meeting(uint32_t own, uint32_t partner, uint32_t theirs)
{
    return 1u << 31 | theirs << MC_THEIRS_AT | (partner & MC_NOBODY) << 8 | own;
}

static inline uint32_t mc_partner_of(uint32_t meeting) { return meeting >> 8 & MC_NOBODY; }
static inline uint32_t mc_their_clause_of(uint32_t meeting) { return meeting >> MC_THEIRS_AT & 0xFF; }
static inline uint32_t mc_without_partner(uint32_t meeting) { return meeting & ~((uint32_t)MC_NOBODY << 8); }

#endif
