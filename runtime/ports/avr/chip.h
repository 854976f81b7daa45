/* The registers and interrupt vectors of the chips that the port knows. For C and for the assembler.
   `LF_CHIP_<model>` comes from the board's description. The addresses are those of the data space. */

#ifndef LF_AVR_CHIP_H
#define LF_AVR_CHIP_H

#if defined(LF_CHIP_atmega328p)
#define LF_VECTORS 26 /* with the reset */
#define LF_VECTOR_TIMER1_COMPA 11
#define LF_VECTOR_USART0_RX 18
#define LF_VECTOR_USART0_UDRE 19
#elif defined(LF_CHIP_atmega2560)
#define LF_VECTORS 57
#define LF_VECTOR_TIMER1_COMPA 17
#define LF_VECTOR_USART0_RX 25
#define LF_VECTOR_USART0_UDRE 26
#define LF_RAMPZ 0x5B /* which 64 KB of the flash ELPM reads */
#define LF_EIND 0x5C  /* which 128 KB of the flash EICALL and EIJMP reach */
#elif defined(LF_CHIP_attiny85)
#define LF_SMALL 1 /* 8 KB of flash: no JMP, CALL, MUL; a vector is one word */
#define LF_VECTORS 15
#define LF_VECTOR_TIMER0_COMPA 10
#else
#error "the port does not know this chip"
#endif

/* Registers of the input/output space: 20H less, for IN and OUT. */
#define LF_MCUSR 0x54  /* cause of reset */
#define LF_SPL 0x5D    /* stack pointer */
#define LF_SPH 0x5E
#define LF_SREG 0x5F   /* status, bit 7: interrupts on */

#ifdef LF_SMALL
#define LF_GPIOR0 0x31
#define LF_MCUCR 0x55  /* sleep mode in bits 3 and 4: idle is 0, bit 5 enables */
#define LF_WDTCSR 0x41 /* watchdog */
#define LF_CLKPR 0x46  /* by what the oscillator is divided */

#define LF_TCCR0A 0x4A /* timer 0 */
#define LF_TCCR0B 0x53
#define LF_OCR0A 0x49
#define LF_TIMSK 0x59  /* of both timers */
#define LF_TICK_MASK LF_TIMSK
#define LF_ADCSRA 0x26 /* the converter */
#define LF_VECTOR_TICK LF_VECTOR_TIMER0_COMPA
#else
#define LF_GPIOR0 0x3E
#define LF_SMCR 0x53   /* sleep mode: idle is 0, bit 0 enables */
#define LF_WDTCSR 0x60 /* watchdog */
#define LF_TICK_MASK LF_TIMSK1
#define LF_VECTOR_TICK LF_VECTOR_TIMER1_COMPA

#define LF_TCCR1A 0x80 /* timer 1 */
#define LF_TCCR1B 0x81
#define LF_OCR1AL 0x88
#define LF_OCR1AH 0x89
#define LF_TIMSK1 0x6F
#define LF_ADCSRA 0x7A /* the converter */

#define LF_UCSR0A 0xC0 /* USART 0 */
#define LF_UCSR0B 0xC1
#define LF_UCSR0C 0xC2
#define LF_UBRR0L 0xC4
#define LF_UBRR0H 0xC5
#define LF_UDR0 0xC6
#endif

#ifdef __ASSEMBLER__
#ifdef LF_SMALL
#define FAR_JUMP rjmp          /* which reaches all of the flash: behind its end its begin follows */
#define FAR_CALL rcall
#else
#define FAR_JUMP jmp
#define FAR_CALL call
#endif
#else

#include <stdint.h>

static inline volatile uint8_t *lf_register(uint16_t address)
{
    return (volatile uint8_t *)address;
}

/* The name of an interrupt routine is how the vector table finds it. */
#define LF_ROUTINE_NAME(number) __vector_##number
#define LF_ROUTINE_OF(number) LF_ROUTINE_NAME(number)
#define LF_INTERRUPT(vector)                   \
    void LF_ROUTINE_OF(vector)(void);          \
    __attribute__((signal)) void LF_ROUTINE_OF(vector)(void)

#endif
#endif
