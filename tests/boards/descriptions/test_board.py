"""Descriptions of boards: what they say, inheritance, and the errors in them."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import BOARDS_FOLDER, BoardError, board_names, load_board, load_board_file
from lfc.boards.flash.programmer import command_for


def test_uno() -> None:
    uno = load_board("uno")
    assert (uno.name, uno.cpu.model, uno.cpu.clock) == ("uno", "atmega328p", 16_000_000)
    assert uno.flash.usable == 32768 - 512
    assert uno.flashing.signature == bytes([0x1E, 0x95, 0x0F])
    assert (0x2341, 0x0043) in uno.usb_ids
    assert uno.linker_script.resolve() == BOARDS_FOLDER / "linker" / "avr.ld"


@pytest.mark.parametrize("name", board_names())
def test_every_board_is_right(name: str) -> None:
    assert load_board(name).name == name


def test_a_board_of_ones_own_inherits(tmp_path: Path) -> None:
    own = tmp_path / "slow.toml"
    own.write_text('inherits = "uno"\ntitle = "Slow"\ncpu.clock = 8_000_000\nconsole = { baud = 9600 }\nusb.ids = []\n')
    with pytest.raises(BoardError, match="usb.ids.*list of strings"):
        load_board_file(own)
    own.write_text('inherits = "uno"\ntitle = "Slow"\ncpu.clock = 8_000_000\nconsole = { baud = 9600 }\n')
    slow, uno = load_board_file(own), load_board("uno")
    assert (slow.name, slow.title, slow.cpu.clock, slow.console.baud) == ("slow", "Slow", 8_000_000, 9600)
    assert (slow.cpu.model, slow.console.uart, slow.flash, slow.linker_script) == (
        uno.cpu.model,
        uno.console.uart,
        uno.flash,
        uno.linker_script,
    )


def test_boards_of_a_family() -> None:
    blue, discovery = load_board("bluepill"), load_board("stm32vldiscovery")
    assert (blue.cpu.model, blue.cpu.crystal, blue.console) == (
        discovery.cpu.model,
        discovery.cpu.crystal,
        discovery.console,
    )
    assert (blue.cpu.clock, blue.flash.size, blue.flash.start) == (72_000_000, 65_536, 0x0800_0000)
    assert blue.flashing.configuration == ("interface/stlink.cfg", "target/stm32f1x.cfg")
    assert blue.linker_script.resolve() == BOARDS_FOLDER / "linker" / "cortexm.ld"
    assert blue.emulator.qemu is None and discovery.emulator.qemu is not None
    assert not {"stm32f1", "cortexm"} & set(board_names())


def test_a_board_of_ones_own_inherits_from_a_family(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('inherits = "bluepill"\ncpu.clock = 48_000_000\nconsole.uart = "USART2"\n')
    board = load_board_file(own)
    assert (board.name, board.cpu.clock, board.console.uart) == ("own", 48_000_000, "USART2")
    own.write_text('inherits = "uno"\nflash.method = "dfu"\n')
    assert load_board_file(own).flashing.signature == b""
    own.write_text('inherits = "uno"\nflash.method = "stk500v1"\n')
    assert load_board_file(own).flashing == load_board("uno").flashing


def test_the_linker_script_lies_beside_the_file_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "own.ld").write_text("")
    (tmp_path / "base.toml").write_text('inherits = "uno"\nlink.script = "own.ld"\n')
    deeper = tmp_path / "deeper.toml"
    deeper.write_text('inherits = "base"\ntitle = "Deeper"\n')
    assert load_board_file(deeper).linker_script == tmp_path / "own.ld"


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        ('inherits = "uno"\ncpu.clok = 1\n', "cpu.clok", "is not known (did you mean `clock`?)"),
        ('inherits = "uno"\ncpu.clock = "fast"\n', "cpu.clock", "must be a whole number, not 'fast'"),
        ('inherits = "uno"\ncpu.clock = true\n', "cpu.clock", "must be a whole number, not True"),
        ('inherits = "uno"\ncpu.clock = 0\n', "cpu.clock", "0 is not in 1 to 1000000000"),
        ('inherits = "uno"\ncpu = 1\n', "cpu", "must be a table"),
        ('inherits = "uno"\ncpu.architecture = "z80"\n', "cpu.architecture", "`z80` is not one of avr"),
        ('inherits = "uno"\nusb.ids = ["2341"]\n', "usb.ids", "`2341` is not a pair vendor:product such as 2341:0043"),
        ('inherits = "uno"\nflash.signature = [256]\n', "flash.signature", "must be a list of bytes, not [256]"),
        ('inherits = "uno"\nmemory.flash.reserved_at_end = 32768\n', "memory.flash.reserved_at_end", "leaves no flash"),
        ('inherits = "uno"\nconsole.receive_buffer = 33\n', "console.receive_buffer", "must be a power of two"),
        ('inherits = "uno"\nlink.script = "none.ld"\n', "link.script", "there is no file"),
        ('inherits = "uno"\nlink.outputs = ["elf"]\n', "link.outputs", "`elf` is not one of hex, bin, uf2"),
        ('inherits = "uno"\nlink.outputs = ["uf2"]\n', "link.uf2_family", "is missing"),
        ('inherits = "due"\n', "inherits", "there is no board `due`"),
        ('inherits = "wrong"\n', "inherits", "`wrong` inherits from this board itself"),
        ("inherits = 1\n", "inherits", "must be the name of a board"),
        ('tittle = "x"\n', "cpu", "is missing"),
        ("title = \n", "", "is not valid TOML"),
        ('inherits = "uno"\ncpu.triple = "avr"\n', "cpu.triple", "`avr` is not that of atmega328p"),
        ('inherits = "uno"\ncpu.chip = "rp2040"\n', "cpu.chip", "does not know `rp2040` (it knows: at"),
        ('inherits = "uno"\nconsole.uart = "UART0"\n', "console.uart", "`UART0` is not one of USART0"),
        ('inherits = "uno"\nconsole.pins = { tx = 1, rx = 0 }\n', "console.pins", "cannot be chosen"),
        ('inherits = "uno"\nflash.volume = "UNO"\n', "flash.volume", "is not known"),
        ('inherits = "uno"\nflash.method = "drive"\n', "flash.volume", "is missing"),
        ('inherits = "uno"\nemulator.qemu_serial = -1\n', "emulator.qemu_serial", "-1 is not in 0 to 31"),
        (
            'inherits = "uno"\nemulator.qemu = ["qemu-system-avr", "-M", "uno", "-chardev", "exec:touch ran"]\n',
            "emulator.qemu",
            'must be ["qemu-system-avr", "-M", MACHINE], without any other option',
        ),
        (
            'inherits = "uno"\nemulator.qemu = ["sh", "-c", "touch ran"]\n',
            "emulator.qemu",
            "'sh' is not run for a board (known: qemu-system-avr, qemu-system-arm, qemu-system-riscv32)",
        ),
        (
            'inherits = "uno"\nemulator.qemu = ["./qemu-system-avr", "-M", "uno"]\n',
            "emulator.qemu",
            "'./qemu-system-avr' is not run for a board",
        ),
        (
            'inherits = "uno"\nemulator.qemu = ["qemu-system-avr", "-M", "uno,x=y"]\n',
            "emulator.qemu",
            "'uno,x=y' is not a known machine (known: uno, arduino-uno, mega2560",
        ),
        (
            'inherits = "uno"\nemulator.qemu = ["qemu-system-avr", "-readconfig", "x"]\n',
            "emulator.qemu",
            "without any other option",
        ),
        ('inherits = "uno"\nemulator.simavr = "--input"\n', "emulator.simavr", "must be simavr's name of a chip"),
        ('inherits = "pico"\nconsole.pins = { tx = 40 }\n', "console.pins.tx", "40 is not in 0 to 29"),
        ('inherits = "pico"\nconsole.pins = { tx = 0, rx = 1, cts = 2 }\n', "console.pins.cts", "is not known"),
        (
            'inherits = "uno"\npins.led = "PA0"\n',
            "pins.led",
            "`PA0` is not a pin of the chip (such as PB0; ports BCD, ",
        ),
        ('inherits = "uno"\npins.led = "PB8"\n', "pins.led", "`PB8` is not a pin of the chip"),
        (
            'inherits = "pico"\npins.button = "30"\n',
            "pins.button",
            '`30` is not a pin of the chip (its number, "0" to "29")',
        ),
        ('inherits = "pico"\npins.led_low = 1\n', "pins.led_low", "must be true or false, not 1"),
        ('inherits = "pico"\npins.lamp = "1"\n', "pins.lamp", "is not known"),
        ('inherits = "pico"\ntimer.tick = "TIMER0"\n', "timer.tick", "`TIMER0` is not one of SYSTICK (rp2040)"),
        ('inherits = "bluepill"\nflash.configuration = []\n', "flash.configuration", "must be a list of strings"),
        ('inherits = "stm32f1"\ncpu.clock = 1\n', "title", "is missing"),
        ('inherits = "pico"\ncpu.crystal = 0\n', "cpu.crystal", "0 is not in 32768"),
        ('inherits = "uno"\ncpu = { architecture = "cortexm", chip = "lm3s6965" }\n', "cpu.triple", "it is `thumbv7m"),
        ('inherits = "pico"\ncpu.model = "cortex-m0"\n', "cpu.model", "it is `cortex-m0plus`"),
    ],
)
def test_errors(tmp_path: Path, text: str, key: str, message: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(BoardError) as caught:
        load_board_file(file)
    assert (caught.value.file, caught.value.key) == (str(file), key)
    assert message in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="cannot be read: No such file"):
        load_board_file(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BoardError, match="is not UTF-8"):
        load_board_file(tmp_path / "binary.toml")


def test_a_name_that_is_nearly_right() -> None:
    with pytest.raises(BoardError, match="did you mean `uno`"):
        load_board("unno")


def test_the_command_of_another_program_is_safe_to_give_to_a_shell(tmp_path: Path) -> None:
    """Whatever the description and the file are called."""
    own = tmp_path / "own.toml"
    own.write_text('inherits = "bluepill"\nflash.configuration = ["x.cfg; touch ran", "$(touch ran)"]\n')
    command = command_for(load_board_file(own), "a `touch ran`.elf")
    configuration = ["-f", "x.cfg; touch ran", "-f", "$(touch ran)"]
    program = r"program a\ \`touch\ ran\`.elf verify reset exit"
    assert shlex.split(command) == ["openocd", *configuration, "-c", program]
    subprocess.run(["sh", "-c", command.replace("openocd", "true", 1)], cwd=tmp_path, check=True)
    own.write_text('inherits = "netduinoplus2"\n')
    command = command_for(load_board_file(own), "$(touch ran).elf")
    subprocess.run(["sh", "-c", command.replace("dfu-util", "true", 1)], cwd=tmp_path, check=True)
    assert not (tmp_path / "ran").exists()
