/* The EXTERNAL processes of meter.lf. Meter.h is made by `lfc header examples/external/meter.lf`. */
#include "Meter.h"

/* CRC-16/CCITT-FALSE of a text, up to its 0X or its end. */
void Meter_Checksum(const char data[], uint16_t data_length, uint16_t *crc)
{
    uint16_t sum = 0xFFFF;
    for (uint16_t i = 0; i < data_length && data[i]; i++) {
        sum ^= (uint16_t)((uint16_t)data[i] << 8);
        for (uint8_t bit = 0; bit < 8; bit++)
            sum = sum & 0x8000u ? (uint16_t)(sum << 1 ^ 0x1021u) : (uint16_t)(sum << 1);
    }
    *crc = sum;
}

/* Stands for a hardware counter: what C keeps lies outside of the state block. */
void Meter_Count(uint8_t step, uint8_t *count, Meter_State *state)
{
    static uint8_t counter;
    counter = (uint8_t)(counter + 10 * step);
    *count = counter;
    *state = counter < 20 ? Meter_State_quiet : counter < 50 ? Meter_State_low : Meter_State_high;
}
