"""The list of sleepers in assembler does what the one in C does, which the host has; calls are near if they can be."""

from __future__ import annotations

from pathlib import Path

from lfc.boards.descriptions.board import Board, without_transmit_buffer
from lfc.boards.emulators.emulate import emulate
from lfc.link.link import link_image
from lfc.link.port import runtime_folder
from lfc.toolchain.elf import read_sections
from lfc.toolchain.run_tools import compile_c
from tests.boards.conftest import BuildC

ROOM = 6
LIST = 1 + 6 * ROOM

# The list of the assembler lies first, that of C behind it, each with a byte that must stay.
LISTS = f"""
@lists = global [{2 * LIST + 2} x i8] zeroinitializer
@lf_sleepers = alias i8, ptr @lists
@lf_sleepers_end = alias i8, getelementptr (i8, ptr @lists, i16 {LIST})
"""

PROGRAM = """
#include "policies/board.h"
#include "port.h"
const uint8_t lf_sleepers_room = ROOM, lf_timed_selects = 0, lf_slots = ROOM, lf_wide_positions = 0;
const uint8_t lf_wrap_to = 0, lf_has_deadlines = 0, lf_takers_first = 0;
const uint16_t lf_policy_size = LIST + 1, lf_policy_sleepers_at = 0, lf_policy_cursor_at = 0;
const uint16_t lf_policy_arrivals_at = 0, lf_policy_taker_at = 0;
const uint16_t lf_policy_deadlines_at = 0, lf_first_waiting = 0, lf_positions_at = 0, lf_pending_at = 0;
void lf_port_sleepers_add(uint32_t milliseconds, lf_slot slot, uint8_t clause);
void lf_port_sleepers_remove(lf_slot slot);
extern volatile uint32_t lf_port_count;
extern lf_byte lists[];
#define BLOCK (lists + 2 * LIST + 2)

static uint32_t seed = 1;
static uint32_t draw(uint32_t below) { seed = seed * 1664525u + 1013904223u; return (seed >> 8) % below; }

static uint32_t some_time(void)
{
    switch (draw(6)) {
    case 0: return draw(4);
    case 1: return 0x7FFFFFFFu - draw(3);
    case 2: return 0xFFFFFFFFu - draw(3);
    case 3: return draw(0xFFFFFF) << 7;
    default: return draw(500);
    }
}

void lf_main(void)
{
    lf_port_out8(0x5F, 0); /* no interrupts: the time is ours */
    lists[LIST] = lists[2 * LIST + 1] = 0xA5;
    lf_port_count = 0xFFFFF000u;
    uint8_t fullest = 0;
    for (uint16_t round = 0; round < 6000; round++) {
        lf_slot slot = (lf_slot)draw(ROOM);
        uint32_t now = lf_port_count;
        if (draw(3) && !lf_find_sleeper(BLOCK, slot)) {
            uint8_t clause = (uint8_t)draw(256);
            uint32_t away = some_time();
            lf_port_sleepers_add(away, slot, clause);
            lf_sleepers_add(BLOCK, slot, clause, now, away);
        } else {
            lf_port_sleepers_remove(slot);
            lf_sleepers_remove(BLOCK, slot);
        }
        for (uint8_t i = 0; i < LIST; i++) {
            if (lists[i] != lists[LIST + 1 + i]) {
                lf_port_console_write('-');
                lf_port_halt();
            }
        }
        if (lists[0] > fullest) fullest = lists[0];
        if (!draw(4)) lf_port_count = now + draw(100);
        if (!draw(50) && lists[0]) lf_port_count = lf_load32(lf_sleeper(BLOCK, 0) + 2) + draw(3); /* somebody is due */
    }
    lf_port_console_write(lists[LIST] == 0xA5 && lists[2 * LIST + 1] == 0xA5 && fullest == ROOM ? '+' : '!');
    lf_port_halt();
}
"""


def test_the_list_in_assembler_is_the_list_in_c(uno: Board, tmp_path: Path) -> None:
    root = runtime_folder()
    text = PROGRAM.replace("LIST", str(LIST)).replace("ROOM", str(ROOM))
    for header in ("port.h", "policies/board.h", "kernel/lf.h"):
        (tmp_path / header).parent.mkdir(exist_ok=True)
        (tmp_path / header).write_bytes((root / header).read_bytes())
    program = tmp_path / "program.c"
    program.write_text(text)
    headers = [tmp_path / h for h in ("port.h", "policies/board.h", "kernel/lf.h")]
    image = link_image(uno, [compile_c(uno, program, headers), LISTS], ["lists"])
    assert emulate(uno, image.elf, "simavr", seconds=20).console == b"+"


def test_calls_are_near_where_they_reach(uno: Board, build_c_for: BuildC) -> None:
    """With more code between than RCALL reaches, the same calls take twice as much."""
    source = """
__attribute__((noinline)) void fill(volatile uint64_t *at) { %s }
void lf_main(void)
{
    volatile uint64_t a[4];
    fill(a);
    fill(a);
    lf_port_console_write((uint8_t)a[1]);
    lf_port_halt();
}
"""
    sizes = {}
    for stores in (10, 126, 240, 376):  # of eight bytes
        text = source % ("at[1] = 0x3132333435363737;" * stores)
        image = build_c_for(without_transmit_buffer(uno), text, ["fill"])
        sizes[stores] = sum(s.size for s in read_sections(image.elf) if s.executable)
        assert emulate(uno, image.elf, "simavr", seconds=0.1).console == b"7"
    per_store = (sizes[126] - sizes[10]) // 116
    assert sizes[126] == sizes[10] + 116 * per_store <= 4096
    for far in (240, 376):
        grown = sizes[far] - sizes[10] - (far - 10) * per_store
        assert grown == (0 if sizes[far] <= 4096 else 6)  # three calls, 2 bytes each
