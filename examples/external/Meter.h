/* The EXTERNAL processes of module Meter. Made by `lfc header`: a change here is lost. */
#ifndef LF_EXTERNAL_Meter_H
#define LF_EXTERNAL_Meter_H

#include <stdbool.h>
#include <stdint.h>

_Static_assert(sizeof(bool) == 1, "a BOOLEAN takes one byte");
#undef LF_INLINE_C
#define LF_INLINE_C static inline __attribute__((unused))

#ifndef LF_TYPE_Meter_State
#define LF_TYPE_Meter_State
typedef uint8_t Meter_State;
enum { Meter_State_quiet = 0, Meter_State_low = 1, Meter_State_high = 2 };
#endif

/* Meter.Checksum */
void Meter_Checksum(const char data[], uint16_t data_length, uint16_t *crc);

/* Meter.Count: WRITES count, WRITES state */
void Meter_Count(uint8_t step, uint8_t *count, Meter_State *state);

#endif
