/* Where the source of each interrupt is masked: the register and the bit that lets it interrupt, and the bits of that
   register that writing 1 clears, so that they must be written as 0. By vector numbers, as the data sheets count them
   from 0, the reset. */

#ifndef LF_AVR_MASKS_H
#define LF_AVR_MASKS_H

#include <stdint.h>

struct lf_mask {
    uint16_t address;
    uint8_t bit;
    uint8_t clears;
};

static inline struct lf_mask lf_mask_of(uint8_t number)
{
    switch (number) {
#if defined(LF_CHIP_atmega328p)
    case 1: return (struct lf_mask){0x3D, 0, 0}; /* INT0 */
    case 2: return (struct lf_mask){0x3D, 1, 0}; /* INT1 */
    case 3: return (struct lf_mask){0x68, 0, 0}; /* PCINT0 */
    case 4: return (struct lf_mask){0x68, 1, 0}; /* PCINT1 */
    case 5: return (struct lf_mask){0x68, 2, 0}; /* PCINT2 */
    case 6: return (struct lf_mask){0x60, 6, 0x80}; /* WDT */
    case 7: return (struct lf_mask){0x70, 1, 0}; /* TIMER2_COMPA */
    case 8: return (struct lf_mask){0x70, 2, 0}; /* TIMER2_COMPB */
    case 9: return (struct lf_mask){0x70, 0, 0}; /* TIMER2_OVF */
    case 10: return (struct lf_mask){0x6F, 5, 0}; /* TIMER1_CAPT */
    case 11: return (struct lf_mask){0x6F, 1, 0}; /* TIMER1_COMPA */
    case 12: return (struct lf_mask){0x6F, 2, 0}; /* TIMER1_COMPB */
    case 13: return (struct lf_mask){0x6F, 0, 0}; /* TIMER1_OVF */
    case 14: return (struct lf_mask){0x6E, 1, 0}; /* TIMER0_COMPA */
    case 15: return (struct lf_mask){0x6E, 2, 0}; /* TIMER0_COMPB */
    case 16: return (struct lf_mask){0x6E, 0, 0}; /* TIMER0_OVF */
    case 17: return (struct lf_mask){0x4C, 7, 0}; /* SPI_STC */
    case 18: return (struct lf_mask){0xC1, 7, 0}; /* USART_RX */
    case 19: return (struct lf_mask){0xC1, 5, 0}; /* USART_UDRE */
    case 20: return (struct lf_mask){0xC1, 6, 0}; /* USART_TX */
    case 21: return (struct lf_mask){0x7A, 3, 0x10}; /* ADC */
    case 22: return (struct lf_mask){0x3F, 3, 0}; /* EE_READY */
    case 23: return (struct lf_mask){0x50, 3, 0x10}; /* ANALOG_COMP */
    case 24: return (struct lf_mask){0xBC, 0, 0x80}; /* TWI */
    case 25: return (struct lf_mask){0x57, 7, 0}; /* SPM_READY */
#elif defined(LF_CHIP_attiny85)
    case 1: return (struct lf_mask){0x5B, 6, 0}; /* INT0 */
    case 2: return (struct lf_mask){0x5B, 5, 0}; /* PCINT0 */
    case 3: return (struct lf_mask){0x59, 6, 0}; /* TIMER1_COMPA */
    case 4: return (struct lf_mask){0x59, 2, 0}; /* TIMER1_OVF */
    case 5: return (struct lf_mask){0x59, 1, 0}; /* TIMER0_OVF */
    case 6: return (struct lf_mask){0x3C, 3, 0}; /* EE_RDY */
    case 7: return (struct lf_mask){0x28, 3, 0x10}; /* ANA_COMP */
    case 8: return (struct lf_mask){0x26, 3, 0x10}; /* ADC */
    case 9: return (struct lf_mask){0x59, 5, 0}; /* TIMER1_COMPB */
    case 10: return (struct lf_mask){0x59, 4, 0}; /* TIMER0_COMPA */
    case 11: return (struct lf_mask){0x59, 3, 0}; /* TIMER0_COMPB */
    case 12: return (struct lf_mask){0x41, 6, 0x80}; /* WDT */
    case 13: return (struct lf_mask){0x2D, 7, 0}; /* USI_START */
    case 14: return (struct lf_mask){0x2D, 6, 0}; /* USI_OVF */
#elif defined(LF_CHIP_atmega2560)
    case 1: return (struct lf_mask){0x3D, 0, 0}; /* INT0 */
    case 2: return (struct lf_mask){0x3D, 1, 0}; /* INT1 */
    case 3: return (struct lf_mask){0x3D, 2, 0}; /* INT2 */
    case 4: return (struct lf_mask){0x3D, 3, 0}; /* INT3 */
    case 5: return (struct lf_mask){0x3D, 4, 0}; /* INT4 */
    case 6: return (struct lf_mask){0x3D, 5, 0}; /* INT5 */
    case 7: return (struct lf_mask){0x3D, 6, 0}; /* INT6 */
    case 8: return (struct lf_mask){0x3D, 7, 0}; /* INT7 */
    case 9: return (struct lf_mask){0x68, 0, 0}; /* PCINT0 */
    case 10: return (struct lf_mask){0x68, 1, 0}; /* PCINT1 */
    case 11: return (struct lf_mask){0x68, 2, 0}; /* PCINT2 */
    case 12: return (struct lf_mask){0x60, 6, 0x80}; /* WDT */
    case 13: return (struct lf_mask){0x70, 1, 0}; /* TIMER2_COMPA */
    case 14: return (struct lf_mask){0x70, 2, 0}; /* TIMER2_COMPB */
    case 15: return (struct lf_mask){0x70, 0, 0}; /* TIMER2_OVF */
    case 16: return (struct lf_mask){0x6F, 5, 0}; /* TIMER1_CAPT */
    case 17: return (struct lf_mask){0x6F, 1, 0}; /* TIMER1_COMPA */
    case 18: return (struct lf_mask){0x6F, 2, 0}; /* TIMER1_COMPB */
    case 19: return (struct lf_mask){0x6F, 3, 0}; /* TIMER1_COMPC */
    case 20: return (struct lf_mask){0x6F, 0, 0}; /* TIMER1_OVF */
    case 21: return (struct lf_mask){0x6E, 1, 0}; /* TIMER0_COMPA */
    case 22: return (struct lf_mask){0x6E, 2, 0}; /* TIMER0_COMPB */
    case 23: return (struct lf_mask){0x6E, 0, 0}; /* TIMER0_OVF */
    case 24: return (struct lf_mask){0x4C, 7, 0}; /* SPI_STC */
    case 25: return (struct lf_mask){0xC1, 7, 0}; /* USART0_RX */
    case 26: return (struct lf_mask){0xC1, 5, 0}; /* USART0_UDRE */
    case 27: return (struct lf_mask){0xC1, 6, 0}; /* USART0_TX */
    case 28: return (struct lf_mask){0x50, 3, 0x10}; /* ANALOG_COMP */
    case 29: return (struct lf_mask){0x7A, 3, 0x10}; /* ADC */
    case 30: return (struct lf_mask){0x3F, 3, 0}; /* EE_READY */
    case 31: return (struct lf_mask){0x71, 5, 0}; /* TIMER3_CAPT */
    case 32: return (struct lf_mask){0x71, 1, 0}; /* TIMER3_COMPA */
    case 33: return (struct lf_mask){0x71, 2, 0}; /* TIMER3_COMPB */
    case 34: return (struct lf_mask){0x71, 3, 0}; /* TIMER3_COMPC */
    case 35: return (struct lf_mask){0x71, 0, 0}; /* TIMER3_OVF */
    case 36: return (struct lf_mask){0xC9, 7, 0}; /* USART1_RX */
    case 37: return (struct lf_mask){0xC9, 5, 0}; /* USART1_UDRE */
    case 38: return (struct lf_mask){0xC9, 6, 0}; /* USART1_TX */
    case 39: return (struct lf_mask){0xBC, 0, 0x80}; /* TWI */
    case 40: return (struct lf_mask){0x57, 7, 0}; /* SPM_READY */
    case 41: return (struct lf_mask){0x72, 5, 0}; /* TIMER4_CAPT */
    case 42: return (struct lf_mask){0x72, 1, 0}; /* TIMER4_COMPA */
    case 43: return (struct lf_mask){0x72, 2, 0}; /* TIMER4_COMPB */
    case 44: return (struct lf_mask){0x72, 3, 0}; /* TIMER4_COMPC */
    case 45: return (struct lf_mask){0x72, 0, 0}; /* TIMER4_OVF */
    case 46: return (struct lf_mask){0x73, 5, 0}; /* TIMER5_CAPT */
    case 47: return (struct lf_mask){0x73, 1, 0}; /* TIMER5_COMPA */
    case 48: return (struct lf_mask){0x73, 2, 0}; /* TIMER5_COMPB */
    case 49: return (struct lf_mask){0x73, 3, 0}; /* TIMER5_COMPC */
    case 50: return (struct lf_mask){0x73, 0, 0}; /* TIMER5_OVF */
    case 51: return (struct lf_mask){0xD1, 7, 0}; /* USART2_RX */
    case 52: return (struct lf_mask){0xD1, 5, 0}; /* USART2_UDRE */
    case 53: return (struct lf_mask){0xD1, 6, 0}; /* USART2_TX */
    case 54: return (struct lf_mask){0x131, 7, 0}; /* USART3_RX */
    case 55: return (struct lf_mask){0x131, 5, 0}; /* USART3_UDRE */
    case 56: return (struct lf_mask){0x131, 6, 0}; /* USART3_TX */
#endif
    }
    return (struct lf_mask){0, 0, 0};
}

#endif
