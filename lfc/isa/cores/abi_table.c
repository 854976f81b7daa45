/* How this library was built, for abi.py to be compared with when it is loaded: of each struct its size, how many fields
 * it has, and of each its place, its size and its kind; of each enum its values; constants. Written by
 * lfc.mcheck.engine.generate_abi.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "avr.h"
#include "thumb.h"
#include "riscv.h"

#define KIND(x) _Generic((x), int8_t: 1, int16_t: 1, int32_t: 1, int64_t: 1, double: 2, bool: 3, default: 0)
#define PART(s, f) offsetof(struct s, f), sizeof(((struct s *)0)->f), KIND(((struct s *)0)->f)

const uint32_t cores_abi[] = {
    sizeof(struct avr), 17, PART(avr, flash), PART(avr, flash_size), PART(avr, executed), PART(avr, data),
    PART(avr, allowed), PART(avr, pc), PART(avr, wide_pc), PART(avr, small), PART(avr, where), PART(avr, lowest_stack),
    PART(avr, cycles), PART(avr, end), PART(avr, waits), PART(avr, was_off), PART(avr, context), PART(avr, ask),
    PART(avr, tell),
    sizeof(struct riscv_region), 3, PART(riscv_region, start), PART(riscv_region, size), PART(riscv_region, at),
    sizeof(struct riscv), 33, PART(riscv, x), PART(riscv, pc), PART(riscv, mstatus), PART(riscv, mie), PART(riscv, mip),
    PART(riscv, mtvec), PART(riscv, mscratch), PART(riscv, mepc), PART(riscv, mcause), PART(riscv, mtval),
    PART(riscv, marchid), PART(riscv, reserved), PART(riscv, reserved_at), PART(riscv, has), PART(riscv, region),
    PART(riscv, regions), PART(riscv, data), PART(riscv, allowed), PART(riscv, flash_start), PART(riscv, flash_size),
    PART(riscv, flash_at), PART(riscv, executed), PART(riscv, now), PART(riscv, op), PART(riscv, went),
    PART(riscv, where), PART(riscv, unwritten), PART(riscv, lowest_stack), PART(riscv, cycles), PART(riscv, end),
    PART(riscv, context), PART(riscv, ask), PART(riscv, tell),
    sizeof(struct thumb_region), 3, PART(thumb_region, start), PART(thumb_region, size), PART(thumb_region, at),
    sizeof(struct thumb), 34, PART(thumb, r), PART(thumb, flags), PART(thumb, it), PART(thumb, it_now),
    PART(thumb, primask), PART(thumb, faultmask), PART(thumb, basepri), PART(thumb, control), PART(thumb, other_sp),
    PART(thumb, ipsr), PART(thumb, waits), PART(thumb, event), PART(thumb, exclusive), PART(thumb, exclusive_at),
    PART(thumb, core), PART(thumb, region), PART(thumb, regions), PART(thumb, data), PART(thumb, allowed),
    PART(thumb, flash_start), PART(thumb, flash_size), PART(thumb, flash_at), PART(thumb, executed), PART(thumb, now),
    PART(thumb, op), PART(thumb, went), PART(thumb, where), PART(thumb, unwritten), PART(thumb, lowest_stack),
    PART(thumb, cycles), PART(thumb, end), PART(thumb, context), PART(thumb, ask), PART(thumb, tell),
    (uint32_t)AVR_RUNS, (uint32_t)AVR_AT_STOP, (uint32_t)AVR_ILLEGAL, (uint32_t)AVR_OUTSIDE, (uint32_t)AVR_BAD_LOAD,
    (uint32_t)AVR_BAD_STORE, (uint32_t)AVR_SLEEPS, (uint32_t)AVR_BREAKS, (uint32_t)AVR_TOO_LONG,
    (uint32_t)AVR_INTERRUPTED,
    (uint32_t)THUMB_RUNS, (uint32_t)THUMB_AT_STOP, (uint32_t)THUMB_ILLEGAL, (uint32_t)THUMB_OUTSIDE,
    (uint32_t)THUMB_BAD_LOAD, (uint32_t)THUMB_BAD_STORE, (uint32_t)THUMB_UNALIGNED, (uint32_t)THUMB_NO_THUMB,
    (uint32_t)THUMB_SLEEPS, (uint32_t)THUMB_BREAKS, (uint32_t)THUMB_CALLS_SUPERVISOR, (uint32_t)THUMB_LEAVES,
    (uint32_t)THUMB_TOO_LONG, (uint32_t)THUMB_INTERRUPTED,
    (uint32_t)RISCV_RUNS, (uint32_t)RISCV_AT_STOP, (uint32_t)RISCV_ILLEGAL, (uint32_t)RISCV_OUTSIDE,
    (uint32_t)RISCV_BAD_LOAD, (uint32_t)RISCV_BAD_STORE, (uint32_t)RISCV_UNALIGNED, (uint32_t)RISCV_SLEEPS,
    (uint32_t)RISCV_BREAKS, (uint32_t)RISCV_CALLS_SUPERVISOR, (uint32_t)RISCV_TOO_LONG, (uint32_t)RISCV_INTERRUPTED,
    (uint32_t)THUMB_M0, (uint32_t)THUMB_M0PLUS, (uint32_t)THUMB_M3, (uint32_t)THUMB_M4, (uint32_t)THUMB_M33,
    (uint32_t)THUMB_WENT_ON, (uint32_t)THUMB_BRANCHED, (uint32_t)THUMB_CALLED, (uint32_t)THUMB_CALLED_BY_POINTER,
    (uint32_t)THUMB_JUMPED, (uint32_t)THUMB_BY_TABLE, (uint32_t)THUMB_RETURNED, (uint32_t)THUMB_SKIPPED,
    (uint32_t)RISCV_WENT_ON, (uint32_t)RISCV_BRANCHED, (uint32_t)RISCV_CALLED, (uint32_t)RISCV_CALLED_BY_POINTER,
    (uint32_t)RISCV_JUMPED, (uint32_t)RISCV_RETURNED, (uint32_t)RISCV_LEFT,
    (uint32_t)AVR_READ, (uint32_t)AVR_WRITE, (uint32_t)AVR_WAS_READ, (uint32_t)AVR_WAS_WRITTEN, (uint32_t)AVR_ASK,
    (uint32_t)AVR_TELL, (uint32_t)AVR_STACK, (uint32_t)AVR_DATA, (uint32_t)AVR_SPL, (uint32_t)AVR_SPH,
    (uint32_t)AVR_SREG, (uint32_t)AVR_RAMPZ, (uint32_t)AVR_EIND, (uint32_t)THUMB_READ, (uint32_t)THUMB_WRITE,
    (uint32_t)THUMB_ASK, (uint32_t)THUMB_TELL, (uint32_t)THUMB_STACK, (uint32_t)THUMB_SP, (uint32_t)THUMB_LR,
    (uint32_t)THUMB_PC, (uint32_t)THUMB_REGISTERS, (uint32_t)THUMB_V, (uint32_t)THUMB_C, (uint32_t)THUMB_Z,
    (uint32_t)THUMB_Q, (uint32_t)THUMB_GE, (uint32_t)RISCV_M, (uint32_t)RISCV_A, (uint32_t)RISCV_E,
    (uint32_t)RISCV_CLIC, (uint32_t)RISCV_READ, (uint32_t)RISCV_WRITE, (uint32_t)RISCV_ASK, (uint32_t)RISCV_TELL,
    (uint32_t)RISCV_STACK, (uint32_t)RISCV_RA, (uint32_t)RISCV_SP, (uint32_t)RISCV_T0, (uint32_t)RISCV_A0,
    (uint32_t)RISCV_REGISTERS, (uint32_t)RISCV_MIE, (uint32_t)RISCV_MPIE, (uint32_t)RISCV_MPP,
};

const uint32_t cores_abi_words = sizeof cores_abi / sizeof *cores_abi;
