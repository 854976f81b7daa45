/* Access to device registers by address, byte by byte: the data space of AVR has no wider access. */

#include "../../port.h"
#include "chip.h"

uint8_t lf_port_in8(uint32_t address)
{
    return *lf_register((uint16_t)address);
}

uint16_t lf_port_in16(uint32_t address)
{
    uint8_t low = lf_port_in8(address);
    uint8_t high = lf_port_in8(address + 1);
    return (uint16_t)(low | (uint16_t)high << 8);
}

uint32_t lf_port_in32(uint32_t address)
{
    uint16_t low = lf_port_in16(address);
    uint16_t high = lf_port_in16(address + 2);
    return low | (uint32_t)high << 16;
}

void lf_port_out8(uint32_t address, uint8_t value)
{
    *lf_register((uint16_t)address) = value;
}

void lf_port_out16(uint32_t address, uint16_t value)
{
    lf_port_out8(address + 1, (uint8_t)(value >> 8));
    lf_port_out8(address, (uint8_t)value);
}

void lf_port_out32(uint32_t address, uint32_t value)
{
    lf_port_out16(address + 2, (uint16_t)(value >> 16));
    lf_port_out16(address, (uint16_t)value);
}
