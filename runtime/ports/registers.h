/* Access to device registers by address. One access of the width asked for; an address that is no multiple of it, which
   not every processor takes, is reached byte by byte. */

#ifndef LF_REGISTERS_H
#define LF_REGISTERS_H

#include "../port.h"

#define AT(type, address) (*(volatile type *)(address))

uint8_t lf_port_in8(uint32_t address)
{
    return AT(uint8_t, address);
}

uint16_t lf_port_in16(uint32_t address)
{
    if (address % 2 == 0)
        return AT(uint16_t, address);
    uint8_t low = lf_port_in8(address);
    uint8_t high = lf_port_in8(address + 1);
    return (uint16_t)(low | high << 8);
}

uint32_t lf_port_in32(uint32_t address)
{
    if (address % 4 == 0)
        return AT(uint32_t, address);
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4; i++)
        value |= (uint32_t)lf_port_in8(address + i) << 8 * i;
    return value;
}

void lf_port_out8(uint32_t address, uint8_t value)
{
    AT(uint8_t, address) = value;
}

void lf_port_out16(uint32_t address, uint16_t value)
{
    if (address % 2 == 0) {
        AT(uint16_t, address) = value;
        return;
    }
    lf_port_out8(address + 1, (uint8_t)(value >> 8));
    lf_port_out8(address, (uint8_t)value);
}

void lf_port_out32(uint32_t address, uint32_t value)
{
    if (address % 4 == 0) {
        AT(uint32_t, address) = value;
        return;
    }
    for (uint32_t i = 4; i-- > 0;)
        lf_port_out8(address + i, (uint8_t)(value >> 8 * i));
}

#endif
