/* The RISC-V cores: what a compressed instruction stands for. Table 16 of the manual's volume I. */
#include "riscv_core.h"

enum { OP_LOAD = 0x03, OP_IMMEDIATE = 0x13, OP_STORE = 0x23, OP_REGISTER = 0x33, OP_LUI = 0x37, OP_BRANCH = 0x63, OP_JALR = 0x67, OP_JAL = 0x6F };
enum { WORD = 2u << 12, X0 = 0, EBREAK = 0x00100073, ILLEGAL = 0 };

static uint32_t i_form(uint32_t op, uint32_t how, uint32_t rd, uint32_t rs1, uint32_t imm)
{
    return op | rd << 7 | how << 12 | rs1 << 15 | imm << 20;
}

static uint32_t r_form(uint32_t how, uint32_t top, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return OP_REGISTER | rd << 7 | how << 12 | rs1 << 15 | rs2 << 20 | top << 25;
}

static uint32_t store_word(uint32_t rs1, uint32_t rs2, uint32_t imm)
{
    return OP_STORE | (imm & 31) << 7 | WORD | rs1 << 15 | rs2 << 20 | imm >> 5 << 25;
}

static uint32_t jal(uint32_t rd, uint32_t way)
{
    return OP_JAL | rd << 7 | (way >> 12 & 255) << 12 | (way >> 11 & 1) << 20 | (way >> 1 & 1023) << 21 | (way >> 20 & 1) << 31;
}

static uint32_t branch(uint32_t how, uint32_t rs1, uint32_t way)
{
    return OP_BRANCH | (way >> 11 & 1) << 7 | (way >> 1 & 15) << 8 | how << 12 | rs1 << 15 | (way >> 5 & 63) << 25 | (way >> 12 & 1) << 31;
}

static uint32_t first_quadrant(uint32_t h)
{
    uint32_t low = 8 + bits(h, 2, 3), base = 8 + bits(h, 7, 3);
    uint32_t offset = bits(h, 10, 3) << 3 | bits(h, 6, 1) << 2 | bits(h, 5, 1) << 6;
    uint32_t amount = bits(h, 11, 2) << 4 | bits(h, 7, 4) << 6 | bits(h, 6, 1) << 2 | bits(h, 5, 1) << 3;
    switch (h >> 13) {
    case 0: return amount ? i_form(OP_IMMEDIATE, 0, low, RISCV_SP, amount) : ILLEGAL;
    case 2: return i_form(OP_LOAD, 2, low, base, offset);
    case 6: return store_word(base, low, offset);
    default: return ILLEGAL;
    }
}

static uint32_t on_one(uint32_t h, uint32_t imm)
{
    static const uint32_t hows[] = {0, 4, 6, 7}; /* SUB, XOR, OR, AND */
    uint32_t rd = 8 + bits(h, 7, 3), high = bits(h, 12, 1), which = bits(h, 5, 2);
    switch (bits(h, 10, 2)) {
    case 0: return high ? ILLEGAL : i_form(OP_IMMEDIATE, 5, rd, rd, imm & 31);
    case 1: return high ? ILLEGAL : i_form(OP_IMMEDIATE, 5, rd, rd, (imm & 31) | 0x400);
    case 2: return i_form(OP_IMMEDIATE, 7, rd, rd, imm & 0xFFF);
    default: return high ? ILLEGAL : r_form(hows[which], which ? 0 : 0x20, rd, rd, 8 + bits(h, 2, 3));
    }
}

static uint32_t jump_way(uint32_t h)
{
    uint32_t way = bits(h, 12, 1) << 11 | bits(h, 11, 1) << 4 | bits(h, 9, 2) << 8 | bits(h, 8, 1) << 10 | bits(h, 7, 1) << 6 |
                   bits(h, 6, 1) << 7 | bits(h, 3, 3) << 1 | bits(h, 2, 1) << 5;
    return extended(way, 12);
}

static uint32_t second_quadrant(uint32_t h)
{
    uint32_t rd = bits(h, 7, 5), imm = extended(bits(h, 12, 1) << 5 | bits(h, 2, 5), 6);
    uint32_t amount = bits(h, 12, 1) << 9 | bits(h, 6, 1) << 4 | bits(h, 5, 1) << 6 | bits(h, 3, 2) << 7 | bits(h, 2, 1) << 5;
    uint32_t way = bits(h, 12, 1) << 8 | bits(h, 5, 2) << 6 | bits(h, 2, 1) << 5 | bits(h, 10, 2) << 3 | bits(h, 3, 2) << 1;
    switch (h >> 13) {
    case 0: return i_form(OP_IMMEDIATE, 0, rd, rd, imm & 0xFFF);
    case 1: return jal(RISCV_RA, jump_way(h));
    case 2: return i_form(OP_IMMEDIATE, 0, rd, X0, imm & 0xFFF);
    case 3:
        if (rd == RISCV_SP) return amount ? i_form(OP_IMMEDIATE, 0, RISCV_SP, RISCV_SP, extended(amount, 10) & 0xFFF) : ILLEGAL;
        return imm ? OP_LUI | rd << 7 | imm << 12 : ILLEGAL;
    case 4: return on_one(h, imm);
    case 5: return jal(X0, jump_way(h));
    default: return branch(h >> 13 & 1, 8 + bits(h, 7, 3), extended(way, 9));
    }
}

static uint32_t third_quadrant(uint32_t h)
{
    uint32_t rd = bits(h, 7, 5), source = bits(h, 2, 5), links = bits(h, 12, 1);
    switch (h >> 13) {
    case 0: return links ? ILLEGAL : i_form(OP_IMMEDIATE, 1, rd, rd, source);
    case 2: return rd ? i_form(OP_LOAD, 2, rd, RISCV_SP, links << 5 | bits(h, 4, 3) << 2 | bits(h, 2, 2) << 6) : ILLEGAL;
    case 4:
        if (source) return r_form(0, 0, rd, links ? rd : X0, source);
        return rd ? i_form(OP_JALR, 0, links ? RISCV_RA : X0, rd, 0) : links ? EBREAK : ILLEGAL;
    case 6: return store_word(RISCV_SP, source, bits(h, 9, 4) << 2 | bits(h, 7, 2) << 6);
    default: return ILLEGAL;
    }
}

uint32_t riscv_expanded(uint32_t half)
{
    switch (half & 3) {
    case 0: return first_quadrant(half);
    case 1: return second_quadrant(half);
    case 2: return third_quadrant(half);
    default: return ILLEGAL;
    }
}
