/* A simulator of the RISC-V cores RV32I and RV32E with the extensions M, A, C and Zicsr, in machine mode, without devices: memory
 * is plain bytes, and every access to it is watched. It executes the very half-words of an image.
 *
 * What the core at hand does not have is illegal; so is what this simulator does not have: floating point, user mode. Access
 * is by a small table of regions: each byte that is there has an index in `data` and `allowed`.
 *
 * Cycles: an upper bound of what the manual of SiFive's E31 names, without wait states: a load 2, of less than a word 3, a
 * branch 4 whether it is taken or not (it may have been predicted wrongly), a jump by a register 4, a product 5, a division
 * 33, an access to a status register 3; all else 1.
 */
#ifndef MC_RISCV_H
#define MC_RISCV_H

#include <stdbool.h>
#include <stdint.h>

enum riscv_stop {
    RISCV_RUNS,
    RISCV_AT_STOP,     /* the program counter is where it was to stop */
    RISCV_ILLEGAL,     /* no instruction of this core */
    RISCV_OUTSIDE,     /* an instruction outside of the flash */
    RISCV_BAD_LOAD,    /* from where nothing may be read; see `where` */
    RISCV_BAD_STORE,   /* to where nothing may be written */
    RISCV_UNALIGNED,   /* an access that faults for its address; see `where` */
    RISCV_SLEEPS,      /* WFI: the program counter is behind it */
    RISCV_BREAKS,      /* EBREAK */
    RISCV_CALLS_SUPERVISOR, /* ECALL */
    RISCV_TOO_LONG,    /* the budget of cycles is used up */
    RISCV_INTERRUPTED  /* an interrupt is pending, enabled, and nothing keeps it off (riscv_trap) */
};

/* Of `has`: what the core has beside RV32I and C. RISCV_E: 16 registers only. RISCV_CLIC: `mtvec` has six bits of a mode, and
 * all traps go to the one entry. */
enum { RISCV_M = 1, RISCV_A = 2, RISCV_E = 4, RISCV_CLIC = 8 };

/* What may be done with a byte, as in thumb.h. */
enum { RISCV_READ = 1, RISCV_WRITE = 2, RISCV_ASK = 16, RISCV_TELL = 32, RISCV_STACK = 64 };
enum { RISCV_RA = 1, RISCV_SP = 2, RISCV_T0 = 5, RISCV_A0 = 10, RISCV_REGISTERS = 32 };
enum { RISCV_MIE = 8, RISCV_MPIE = 0x80, RISCV_MPP = 0x1800 }; /* of mstatus */
#define RISCV_NOWHERE UINT32_MAX

/* How an instruction came to where the program counter is. */
enum riscv_way {
    RISCV_WENT_ON,
    RISCV_BRANCHED,   /* its target is in the instruction */
    RISCV_CALLED,     /* JAL with a return address */
    RISCV_CALLED_BY_POINTER, /* JALR with one */
    RISCV_JUMPED,     /* JALR without one, but from ra and t0 */
    RISCV_RETURNED,   /* JALR without one, from ra or from t0, the other link register */
    RISCV_LEFT        /* MRET */
};

struct riscv_region { uint32_t start, size, at; }; /* its bytes have the indexes at, at + 1, ... */

struct riscv {
    uint32_t x[RISCV_REGISTERS];
    uint32_t pc;
    uint32_t mstatus, mie, mip, mtvec, mscratch, mepc, mcause, mtval, marchid; /* mip: set from outside */
    bool reserved;     /* LR has marked an address */
    uint32_t reserved_at;

    uint32_t has;      /* RISCV_M, RISCV_A, RISCV_E */
    const struct riscv_region *region; /* those that are used most first */
    uint32_t regions;
    uint8_t *data;     /* by index; also the flash */
    uint8_t *allowed;
    uint32_t flash_start, flash_size, flash_at; /* bytes; where instructions are, and their index */
    uint8_t *executed; /* by half-word of the flash: it was executed; NULL: not noted */

    uint32_t now;      /* of the instruction that was executed last */
    uint32_t op;       /* it: its 16 or 32 bits */
    uint32_t went;     /* enum riscv_way */
    uint32_t where;    /* of what was wrong: an address */
    uint8_t unwritten; /* what a byte of the stack that was not written is loaded as, together with one that was */
    uint32_t lowest_stack; /* the lowest address on the stack that was stored to */
    uint64_t cycles;
    uint64_t end;      /* riscv_run_to stops when so many are over; whoever is asked or told something may change it */
    void *context;     /* of these two, called once for each access (of 1, 2 or 4 bytes) of which a byte is marked: */
    bool (*ask)(struct riscv *t, uint32_t at, uint32_t address, uint32_t size); /* puts it into `data`; false: a bad load */
    void (*tell)(struct riscv *t, uint32_t at, uint32_t address, uint32_t size); /* it is in `data` */
};

/* The index of a byte; RISCV_NOWHERE: there is none. */
uint32_t riscv_index(const struct riscv *t, uint32_t address);
/* The address of the byte with an index; 0: there is none. */
uint32_t riscv_address(const struct riscv *t, uint32_t at);
/* Sets the stack pointer as an instruction does: what lies below it is gone. */
void riscv_set_sp(struct riscv *t, uint32_t sp);
/* As a reset does: registers 0, the program counter at the start of the flash. */
void riscv_reset(struct riscv *t);
/* The 32 bits that a compressed instruction stands for; 0: none. */
uint32_t riscv_expanded(uint32_t half);
/* One instruction. */
enum riscv_stop riscv_step(struct riscv *t);
/* Until the program counter is `stop`, something is wrong, an interrupt can be taken, or so many cycles are over. */
enum riscv_stop riscv_run_to(struct riscv *t, uint32_t stop, uint64_t cycles);
/* Takes a trap; bit 31 of `cause`: it is an interrupt. */
void riscv_trap(struct riscv *t, uint32_t cause, uint32_t value);
/* The number of the interrupt that is to be taken: of those that are pending and enabled; 0: there is none. */
uint32_t riscv_waits(const struct riscv *t);

#endif
