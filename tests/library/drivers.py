"""Each driver of a device: its example, the bench that says what must hold, and faults that are seeded into it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.cli.lfc import lfc
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples" / "i2c"
LIBRARY = ROOT / "lfc" / "library"


@dataclass(frozen=True, slots=True)
class Seed:
    """A fault: this text of the module in place of that."""

    name: str
    old: str
    new: str

    def put_into(self, text: str) -> str:
        assert text.count(self.old) == 1, f"{self.name}: {text.count(self.old)} places"
        return text.replace(self.old, self.new)


@dataclass(frozen=True, slots=True)
class Driver:
    module: str  # in the library
    example: str
    states: int  # of the example on its bench
    endless: str  # a statement in place of what may go wrong once: so the device never answers
    seeds: tuple[Seed, ...]
    folder: Path = EXAMPLES
    world: str = ""  # the bench, if it is not the example's with `Bench`
    options: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()  # of the example, beside it

    @property
    def program_file(self) -> Path:
        return self.folder / f"{self.example}.lf"

    @property
    def bench_file(self) -> Path:
        return self.folder / f"{self.world or self.example + 'Bench'}.lf"

    @property
    def file(self) -> Path:
        return next(LIBRARY.rglob(f"{self.module}.lf"))

    @property
    def bench(self) -> str:
        return self.bench_file.read_text()

    def seeded(self, seed: Seed) -> str:
        return seed.put_into(self.file.read_text())


EEPROM24 = Driver(
    "EEPROM24",
    "Memory",
    179704,
    "EnvI2C.Misbehave({EnvI2C.SILENT}, EnvI2C.ENDLESS)",
    (
        Seed("writes on over the end of a page", "OR (next MOD PAGE = 0)", "OR (next MOD (2 * PAGE) = 0)"),
        Seed(
            "the address has its bytes the other way round",
            "frame[0] := UINT8(at DIV 256)",
            "frame[0] := UINT8(at MOD 256)",
        ),
        Seed("does not wait until the memory has written", "IF error = I2C.none THEN Await(device, error) END", ""),
        Seed(
            "asks for ever whether it has written", "(error # I2C.noDevice) OR (i = ATTEMPTS)", "(error # I2C.noDevice)"
        ),
        Seed("asks once only", "ATTEMPTS = 10;", "ATTEMPTS = 0;"),
        Seed(
            "forgets the error of a read",
            "2, data, count, error)\nEND Read",
            "2, data, count, error);\n  error := I2C.none\nEND Read",
        ),
        Seed(
            "forgets the error of a write",
            "    IF error = I2C.none THEN Await",
            "    error := I2C.none;\n    IF error = I2C.none THEN Await",
        ),
        Seed("writes one byte less", "(done = count) OR", "(done + 1 = count) OR"),
        Seed("starts each page with the first byte", "frame[2 + n] := data[done]", "frame[2 + n] := data[n]"),
        Seed("writes each page to the first place", "Point(frame, next)", "Point(frame, at)"),
    ),
)
DS3231 = Driver(
    "DS3231",
    "Clock3231",
    496689,
    "EnvI2C.Misbehave({EnvI2C.SILENT}, EnvI2C.ENDLESS)",
    (
        Seed("does not ask whether the clock stood still", "IF in[0] >= STOOD THEN", "IF FALSE THEN"),
        Seed("looks at the wrong bit", "STOOD = 80H;", "STOOD = 8;"),
        Seed(
            "reads the time in two transfers",
            "I2C.Transfer(ADDRESS, out, 1, in, 7, error);",
            "I2C.Transfer(ADDRESS, out, 1, in, 7, error); I2C.Transfer(ADDRESS, out, 1, in, 1, error);",
        ),
        Seed(
            "takes ten seconds for sixteen",
            "n := byte DIV 16 * 10 + byte MOD 16;",
            "n := byte DIV 16 * 16 + byte MOD 16;",
        ),
        Seed(
            "takes any byte for a number",
            "IF (byte DIV 16 > 9) OR (byte MOD 16 > 9) OR (n < low) OR (n > high) THEN",
            "IF FALSE THEN",
        ),
        Seed("gives a time that is none", "IF valid THEN time := t ELSE error := I2C.invalid END", "time := t"),
        Seed("leaves the century in the month", "in[5] MOD 128", "in[5]"),
        Seed("does not say that the clock goes", "  out[1] := 0;\n", "  out[1] := STOOD;\n"),
        Seed("forgets the error of the temperature", "in, 2, error);\n", "in, 2, error);\n  error := I2C.none;\n"),
        Seed("has no degrees below zero", "IF n >= 512 THEN n := n - 1024 END;", ""),
    ),
)
MCP23017 = Driver(
    "MCP23017",
    "Expander",
    98995,
    "EnvI2C.Misbehave({EnvI2C.SILENT}, EnvI2C.ENDLESS)",
    (
        Seed(
            "exchanges the ports",
            "out[1] := UINT8(all MOD 256);\n  out[2] := UINT8(all DIV 256)",
            "out[2] := UINT8(all MOD 256);\n  out[1] := UINT8(all DIV 256)",
        ),
        Seed("writes the wrong register", "OLAT = 14H;", "OLAT = 12H;"),
        Seed(
            "reads the latch for the pins", "ReadPair(device, GPIO, high, error)", "ReadPair(device, OLAT, high, error)"
        ),
        Seed(
            "never looks again",
            "BEGIN\n  Check(device, IODIR, inputs, error);\n"
            "  IF error = I2C.none THEN Check(device, GPPU, pulledUp, error) END;\n"
            "  IF error = I2C.none THEN Check(device, OLAT, high, error) END",
            "BEGIN\n  error := I2C.none",
        ),
        Seed(
            "makes every pin an output",
            "WritePair(device, IODIR, inputs, error)",
            "WritePair(device, IODIR, {}, error)",
        ),
        Seed(
            "reads the ports the other way round",
            "UINT16(in[0]) + 256 * UINT16(in[1])",
            "UINT16(in[1]) + 256 * UINT16(in[0])",
        ),
        Seed("finds all well", "IF (error = I2C.none) & (back # expected) THEN error := I2C.invalid END", ""),
        Seed(
            "forgets the error of what it reads",
            "in, 2, error);\n  IF error = I2C.none THEN pins",
            "in, 2, error);\n  error := I2C.none;\n  IF error = I2C.none THEN pins",
        ),
        Seed(
            "tries for ever",
            "  WritePair(device, OLAT, high, error);\n",
            "  REPEAT WritePair(device, OLAT, high, error) UNTIL error = I2C.none;\n",
        ),
        Seed(
            "never writes the pull-ups",
            "WritePair(device, GPPU, pulledUp, error)",
            "WritePair(device, GPPU, {}, error)",
        ),
    ),
)
BME280 = Driver(
    "BME280",
    "Weather",
    73060,
    "EnvBME280.Stall",
    (
        Seed("reads before it has measured", "IF error = I2C.none THEN Await(sensor.address, error) END;", ""),
        Seed("asks for ever whether it has measured", "IF i = ATTEMPTS THEN", "IF FALSE THEN"),
        Seed("looks at the wrong bit", "(in[0] MOD 16 < 8)", "(in[0] MOD 8 < 4)"),
        Seed("does not measure the pressure", "ONCE_EACH_FORCED = 25H;", "ONCE_EACH_FORCED = 24H;"),
        Seed("takes the wrong half of a coefficient", "INTEGER(c[30] DIV 16)", "INTEGER(c[30] MOD 16)"),
        Seed("trusts what it has read once", "(again[i] # sensor.c[i])", "FALSE"),
        Seed("is ready with an error", "sensor.ready := error = I2C.none", "sensor.ready := TRUE"),
        Seed("takes the wrong bits of the temperature", "INTEGER(b[4]) * 16", "INTEGER(b[4]) * 8"),
        Seed("gives what does not fit", "IF ~fits THEN error := I2C.invalid END", ""),
        Seed("computes without the third coefficient", "Checked.Times(b DIV 4096, t3, b, fits)", "b := 0"),
    ),
)
ENCODER = Driver(
    "Encoder",
    "Dial",
    5378,
    "",
    (
        Seed(
            "takes the contacts for each other",
            "Quarter(a, b, now)",
            "Quarter(b, a, now)",
        ),
        Seed("turns the other way", "way = 4 THEN way := 0; line!turned(1)", "way = 4 THEN way := 0; line!turned(-1)"),
        Seed("counts each half", "IF now = 0 THEN", "IF now MOD 2 = 0 THEN"),
        Seed("takes one quarter for another", "quarter := 3", "quarter := 1"),
        Seed("does not forget where it was", "    before := now;\n", ""),
        Seed("looks too seldom", "Clock.Sleep(1)", "Clock.Sleep(5)"),
        Seed("counts both ways alike", "| 3: DEC(way)", "| 3: INC(way)"),
        Seed("never goes back", "ELSIF way = -4 THEN way := 0; line!turned(-1) END", "END"),
        Seed("does not pull the second contact up", "GPIO.Get(second, b)", "GPIO.Get(first, b)"),
        Seed("forgets a quarter that bounces", "      0:\n", "      0: way := 0\n"),
    ),
    folder=ROOT / "examples" / "env",
    world="Hand",
    options=("--time", "ordered"),
)
HC595 = Driver(
    "HC595",
    "Lights",
    549,
    "",
    (
        Seed("sends the lowest bit first", "FOR i := 7 TO 0 BY -1 DO", "FOR i := 0 TO 7 DO"),
        Seed("sends seven bits", "FOR i := 7 TO 0 BY -1 DO", "FOR i := 6 TO 0 BY -1 DO"),
        Seed(
            "sends the first register first", "FOR i := LEN(bytes) - 1 TO 0 BY -1 DO", "FOR i := 0 TO LEN(bytes) - 1 DO"
        ),
        Seed("leaves a register out", "FOR i := LEN(bytes) - 1 TO 0 BY -1 DO", "FOR i := LEN(bytes) - 2 TO 0 BY -1 DO"),
        Seed(
            "sets the bit behind the clock",
            "    GPIO.Set(row.data, ODD(ASR(byte, i)));\n    GPIO.Set(row.clock, TRUE);",
            "    GPIO.Set(row.clock, TRUE);\n    GPIO.Set(row.data, ODD(ASR(byte, i)));",
        ),
        Seed("leaves the clock high", "    GPIO.Set(row.clock, FALSE)\n", "    GPIO.Set(row.clock, TRUE)\n"),
        Seed("leaves the latch high", "GPIO.Set(row.latch, FALSE)", "GPIO.Set(row.latch, TRUE)"),
        Seed("never shows it", "GPIO.Set(row.latch, TRUE)", "GPIO.Set(row.latch, FALSE)"),
        Seed(
            "shows it before it is whole",
            "GPIO.Set(row.data, ODD(ASR(byte, i)));",
            "GPIO.Set(row.data, ODD(ASR(byte, i)));\n    IF i = 3 THEN GPIO.Set(row.latch, TRUE);"
            " RESCHEDULE; GPIO.Set(row.latch, FALSE) END;",
        ),
        Seed("does not drive the clock", "GPIO.Configure(clock, GPIO.output);", ""),
    ),
    folder=ROOT / "examples" / "env",
    world="Street",
)
MAX7219 = Driver(
    "MAX7219",
    "Counter",
    326005,
    "",
    (
        Seed("leaves the display in its test", "  Write(select, TEST, 0, error);\n", "  error := SPI.none;\n"),
        Seed("lets the display decode", "Write(select, DECODE, 0, error)", "Write(select, DECODE, 255, error)"),
        Seed("has one digit less", "Write(select, LIMIT, DIGITS - 1, error)", "Write(select, LIMIT, 2, error)"),
        Seed("never switches it on", "Write(select, POWER, 1, error)", "Write(select, POWER, 0, error)"),
        Seed(
            "gives the value before the register",
            "  frame[0] := register;\n  frame[1] := value;",
            "  frame[1] := register;\n  frame[0] := value;",
        ),
        Seed("starts with the digit beside", "UINT8(digit) + 1, segments", "UINT8(digit) + 2, segments"),
        Seed("shows zero as nothing", "IF (i = 0) OR (rest > 0) THEN", "IF rest > 0 THEN"),
        Seed("forgets the minus", "      segments := MINUS;\n      negative", "      segments := 0;\n      negative"),
        Seed("shows the end of what has no room", "    IF ~fits THEN", "    IF FALSE THEN"),
        Seed("leaves dark digits as they are", "  Write(select, i, 0, error)\n", "  RESCHEDULE\n"),
    ),
    folder=ROOT / "examples" / "spi",
)
MPU6050 = Driver(
    "MPU6050",
    "Tilt",
    116364,
    "EnvI2C.Misbehave({EnvI2C.SILENT}, EnvI2C.ENDLESS)",
    (
        Seed("does not wake it", "WriteOne(address, POWER, AWAKE, error)", "WriteOne(address, POWER, 64, error)"),
        Seed(
            "does not look whether it sleeps",
            "IF (error = I2C.none) & (in[0] # AWAKE) THEN error := I2C.invalid END;",
            "",
        ),
        Seed(
            "never looks again", "  IF error = I2C.none THEN Verify(address, error) END;\n  IF error #", "  IF error #"
        ),
        Seed("sets no range", "WriteOne(address, CONFIG + 2, RANGE, error)", "WriteOne(address, CONFIG + 2, 0, error)"),
        Seed(
            "takes the bytes the other way round",
            "256 * INTEGER(bytes[at]) + INTEGER(bytes[at + 1])",
            "256 * INTEGER(bytes[at + 1]) + INTEGER(bytes[at])",
        ),
        Seed("has no numbers below zero", "IF n >= 8000H THEN n := n - 10000H END;", "IF n >= 8000H THEN n := 0 END;"),
        Seed(
            "takes the temperature for a rotation",
            "motion.rotation.x := Number(in, 8)",
            "motion.rotation.x := Number(in, 6)",
        ),
        Seed(
            "reads in two transfers",
            "  ReadFrom(address, RESULTS, in, COUNT, error);\n",
            "  ReadFrom(address, RESULTS, in, 2, error);\n  motion.acceleration.x := Number(in, 0);\n"
            "  ReadFrom(address, RESULTS, in, COUNT, error);\n"
            "  in[0] := UINT8(motion.acceleration.x DIV 256 MOD 256);\n"
            "  in[1] := UINT8(motion.acceleration.x MOD 256);\n",
        ),
        Seed("takes any device for it", "(in[0] # IDENTITY)", "(in[0] = IDENTITY)"),
        Seed(
            "forgets the error of what it reads",
            "in, COUNT, error);\n  IF error = I2C.none THEN Verify",
            "in, COUNT, error);\n  error := I2C.none;\n  IF error = I2C.none THEN Verify",
        ),
    ),
)
SSD1306 = Driver(
    "SSD1306",
    "Panel",
    829699,
    "EnvI2C.Misbehave({EnvI2C.SILENT}, EnvI2C.ENDLESS)",
    (
        Seed("has no voltage", "8DH, 14H,", "8DH, 10H,"),
        Seed("leaves it dark", "0A6H, 0AFH]", "0A6H, 0AEH]"),
        Seed("goes on in the next page", "20H, 2, ", "20H, 0, "),
        Seed("finds all well", "IF (error = I2C.none) & (IS_OFF IN status[0]) THEN error := I2C.invalid END", ""),
        Seed("looks at the wrong bit", "IS_OFF = 6;", "IS_OFF = 5;"),
        Seed("writes to the page below", "PAGE + UINT8(page);", "PAGE + UINT8((page + 1) MOD 8);"),
        Seed("exchanges the halves of the column", "HIGH + UINT8(column DIV 16)", "HIGH + UINT8(column MOD 16) DIV 2"),
        Seed("sends commands as data", "frame[6] := DATA", "frame[6] := COMMANDS"),
        Seed("forgets the error of a chunk", "UNTIL (error # I2C.none) OR (column = WIDTH)", "UNTIL column = WIDTH"),
        Seed("writes small letters as they are", "code := code - 32 END;", "code := code - 33 END;"),
    ),
)
HD44780 = Driver(
    "HD44780",
    "Sign",
    49938,
    "EnvI2C.Misbehave({EnvI2C.SILENT}, EnvI2C.ENDLESS)",
    (
        Seed("begins as if nothing had been before", "FOR i := 1 TO 3 DO", "FOR i := 1 TO 1 DO"),
        Seed("is too fast at the start", "Clock.Sleep(6)", "Clock.Sleep(3)"),
        Seed("does not wait until it is empty", "Clock.Sleep(3)", "Clock.Sleep(1)"),
        Seed(
            "exchanges the halves",
            "byte DIV 16);\n  AddHalf(frame, n, byte MOD 16)",
            "byte MOD 16);\n  AddHalf(frame, n, byte DIV 16)",
        ),
        Seed("goes on after an error", "IF error # I2C.none THEN d.ready := FALSE END", ""),
        Seed("never lets E fall", "frame[n + 1] := 16 * half + frame[0] MOD 16;", "frame[n + 1] := frame[n];"),
        Seed("has one row", "FOUR_BITS = 28H;", "FOUR_BITS = 20H;"),
        Seed("finds the second row elsewhere", "[0, 40H, 14H, 54H]", "[0, 41H, 14H, 54H]"),
        Seed("writes instructions for text", "frame[0] := d.light + TEXT;", "frame[0] := d.light;"),
        Seed("forgets the light", "d.light := LIGHT;", "d.light := 0;"),
    ),
    options=("--time", "discrete"),
)
LOGGER = ROOT / "examples" / "logger"
EEPROM = Driver(
    "EEPROM",
    "JournalTest",
    88171,
    "",
    (
        Seed("does not wait until the byte is written", "IF ready OR (i = PATIENCE)", "IF TRUE"),
        Seed("orders once only", "ATTEMPTS = 3;", "ATTEMPTS = 1;"),
        Seed("does not look at what it has read back", "kept := now = byte;", "kept := TRUE;"),
        Seed("has no patience", "PATIENCE = 20;", "PATIENCE = 0;"),
        Seed("reads the byte behind", "Get(UINT16(at), byte)", "Get(UINT16(at) + 1, byte)"),
        Seed("writes the byte behind", "Order(UINT16(at), byte)", "Order(UINT16(at) + 1, byte)"),
        Seed("never lets go", "  ready := FALSE;\n  busy := FALSE\nEND Write", "  ready := FALSE\nEND Write"),
        Seed("writes the complement", "Order(UINT16(at), byte)", "Order(UINT16(at), BNOT(byte))"),
        Seed("is content with a smaller byte", "kept := now = byte;", "kept := now <= byte;"),
        Seed("believes in its order", "    INC(i);\n    Clock.Sleep(1)\n  END;", "    kept := TRUE;\n    EXIT\n  END;"),
    ),
    folder=LOGGER,
    world="JournalBench",
    modules=("Journal",),
)
DS18B20 = Driver(
    "DS18B20",
    "Cellar",
    243734,
    "EnvOneWire.Misbehave({EnvOneWire.ABSENT}, EnvOneWire.ENDLESS)",
    (
        Seed("believes one bit", "IF done THEN OneWire.Ask(pin, done) END", ""),
        Seed("does not look at the checksum", "right := (crc = 0) & (memory", "right := (memory"),
        Seed("does not look for its marks", "(memory[2] = HIGH) & (memory[3] = LOW) & ", ""),
        Seed(
            "does not ask whether it is busy",
            "IF done THEN\n    error := OneWire.invalid\n  ELSE",
            "IF FALSE THEN\n    error := OneWire.invalid\n  ELSE",
        ),
        Seed("does not wait for the end", "IF ~done THEN error := OneWire.timeOut END", ""),
        Seed(
            "waits for ever",
            "      Clock.Sleep(LONGER);\n      IsDone(pin, done);\n",
            "      REPEAT Clock.Sleep(LONGER); IsDone(pin, done) UNTIL done;\n",
        ),
        Seed("exchanges the bytes", "UINT16(in[0]) + 256 * UINT16(in[1])", "UINT16(in[1]) + 256 * UINT16(in[0])"),
        Seed("has no degrees below zero", "sixteenths := SYSTEM.VAL(INT16, n)", "sixteenths := INT16(n MOD 2048)"),
        Seed("addresses nobody", "ANYBODY = 0CCH", "ANYBODY = 0CDH"),
        Seed(
            "takes what is wrong for right",
            "    error := OneWire.invalid\n  ELSE\n    sixteenths",
            "    error := OneWire.none\n  ELSE\n    sixteenths",
        ),
    ),
    folder=ROOT / "examples" / "onewire",
    options=("--data", "explicit"),
)
HCSR04 = Driver(
    "HCSR04",
    "ParkingBench",
    43836,
    "",
    (
        Seed(
            "takes what came before the pulse",
            "  Forget(line);\n  GPIO.Set(trigger, FALSE)",
            "  GPIO.Set(trigger, FALSE)",
        ),
        Seed(
            "waits for ever for the beginning",
            "WHEN Clock.After(patience) THEN error := otherwise",
            "WHEN Clock.After(patience) & (otherwise # silent) THEN error := otherwise",
        ),
        Seed(
            "waits for ever for the end",
            "WHEN Clock.After(patience) THEN error := otherwise",
            "WHEN Clock.After(patience) & (otherwise # far) THEN error := otherwise",
        ),
        Seed("takes any change for the one it waits for", "IF high # up THEN error := invalid END", ""),
        Seed(
            "goes on without a beginning",
            "Await(line, TRUE, BEGINNING, silent, from, error);\n  IF error # none THEN RETURN END;",
            "Await(line, TRUE, BEGINNING, silent, from, error);\n  error := none;",
        ),
        Seed(
            "measures from the end of the pulse",
            "Await(line, TRUE, BEGINNING, silent, from, error);",
            "Micros.Now(from); Await(line, TRUE, BEGINNING, silent, to, error);",
        ),
        Seed("takes the way there and back for the distance", "* 100 DIV 583", "* 200 DIV 583"),
        Seed("takes an echo of nothing for one", "IF to - from < LEAST THEN\n    error := invalid\n  ELSIF", "IF"),
        Seed("never lowers the trigger", "  GPIO.Set(trigger, FALSE);\n  Await", "  Await"),
        Seed("never raises the trigger", "GPIO.Set(trigger, TRUE)", "GPIO.Set(trigger, FALSE)"),
    ),
    folder=ROOT / "examples" / "echo",
    world="ParkingWorld",
    options=("--time", "discrete", "--clock", "100", "--data", "explicit"),
    modules=("Parking",),
)
WS2812 = Driver(
    "WS2812",
    "Beacon",
    18108,
    "",
    (
        Seed(
            "gives red before green",
            "row[at] := green;\n  row[at + 1] := red;",
            "row[at] := red;\n  row[at + 1] := green;",
        ),
        Seed("forgets the highest bits", "Pairs[part DIV 64]", "Pairs[0]"),
        Seed("sends the bits of a pair the other way round", "[88H, 8EH, 0E8H, 0EEH]", "[88H, 0E8H, 8EH, 0EEH]"),
        Seed("makes pulses that are none", "[88H, 8EH, 0E8H, 0EEH]", "[88H, 8CH, 0C8H, 0CCH]"),
        Seed("does not wait until the lights show it", "  Clock.Sleep(PAUSE)\nEND Show", "END Show"),
        Seed("begins in the middle after an error", "IF ~ready THEN Prepare(error) END;", ""),
        Seed("lets others run between two bytes", "    ChipSPI.Done(done);", "    RESCHEDULE; ChipSPI.Done(done);"),
        Seed("puts a light on another one's bytes", "at := PARTS * INTEGER(n)", "at := (PARTS - 1) * INTEGER(n)"),
        Seed(
            "forgets the error",
            "  ready := error = SPI.none;\n  Clock.Sleep(PAUSE)\nEND Show",
            "  error := SPI.none;\n  ready := TRUE;\n  Clock.Sleep(PAUSE)\nEND Show",
        ),
        Seed("leaves the last byte out", "(i < length)", "(i + 1 < length)"),
    ),
    folder=ROOT / "examples" / "spi",
    options=("--time", "discrete"),
)
CAN = Driver(
    "CAN",
    "Node",
    302467,
    "",
    (
        Seed(
            "gives the halves of the identifier the other way round",
            "  bytes[2] := High(frame.id);\n  bytes[3] := Low(frame.id);\n",
            "  bytes[3] := High(frame.id);\n  bytes[2] := Low(frame.id);\n",
        ),
        Seed(
            "does not look whether it was heard",
            "IF (error = none) & (TX0IF IN is.flags) THEN RETURN END;",
            "IF error = none THEN RETURN END;",
        ),
        Seed("takes silence for success", "error := unheard END", "error := none END"),
        Seed("leaves the controller in its configuration", "  Change(CANCTRL, 0E0H, 0, error);\n", ""),
        Seed("has the wrong rate", "[5, 0B1H, 0]", "[5, 0B1H, 1]"),
        Seed("never gives the buffer back", "  Change(FLAGS, 1, 0, error);\n", ""),
        Seed("takes the wrong bits of the identifier", "INTEGER(bytes[3] DIV 32)", "INTEGER(bytes[3] MOD 8)"),
        Seed("forgets the error of the bus", "IF bus # SPI.none THEN error := noController END", ""),
        Seed("takes frames for others", "WriteTwo(MASK, High(mask), Low(mask), error);", ""),
        Seed("leaves the length out", "bytes[6] := UINT8(frame.length)", "bytes[6] := 0"),
        Seed("keeps a lost frame to itself", "    IF error = none THEN error := overrun END\n", ""),
        Seed("waits for ever", "WHILE (error = none) & (i < PATIENCE) DO", "WHILE error = none DO"),
    ),
    folder=ROOT / "examples" / "spi",
    options=("--time", "ordered"),
)
FLASH = Driver(
    "Flash",
    "Odometer",
    3542,
    "",
    (
        Seed("does not wait until it has written", "IF ready OR (i = PATIENCE)", "IF TRUE"),
        Seed("gives up after two orders", "ATTEMPTS = 3;", "ATTEMPTS = 2;"),
        Seed(
            "does not look whether a page is erased",
            "IF i > 0 THEN LookWhetherErased(page, kept) END;",
            "kept := i > 0;",
        ),
        Seed("leaves out the first word of a page", "FOR word := 0 TO WORDS", "FOR word := 1 TO WORDS"),
        Seed("looks at the last word of a page only", "erased := erased & (now = ERASED)", "erased := now = ERASED"),
        Seed("writes over what is there", " OR ~ChipFlash.IsSame(now, ERASED, part) THEN", " THEN"),
        Seed("does not look at what it has written", "kept := ChipFlash.IsSame(now, value, part);", "kept := i > 0;"),
        Seed("does not look at the whole word", "kept := now = value\n", "kept := TRUE\n"),
        Seed("writes one part only", "UINT16(word), part, value);", "UINT16(word), 0, value);"),
        Seed("never gives a page back", "  ready := FALSE;\n  busy := FALSE\nEND Erase", "  ready := FALSE\nEND Erase"),
    ),
    folder=ROOT / "examples" / "flash",
)
DRIVERS = (
    EEPROM24,
    DS3231,
    MCP23017,
    BME280,
    ENCODER,
    HC595,
    MPU6050,
    MAX7219,
    SSD1306,
    HD44780,
    EEPROM,
    DS18B20,
    HCSR04,
    WS2812,
    CAN,
    FLASH,
)


def endless(driver: Driver) -> str:
    """The bench on a bus whose device may never answer: of what must hold, that each request ends."""
    bench = driver.bench
    kept = [part for part in bench.split("PROPERTY ")[1:] if part.startswith("ends")]
    head = bench.split("PROPERTY ")[0]
    tail = bench[bench.rindex("\nBEGIN") :]
    start = next(re.finditer(r"Env\w+\.Misbehave\(", tail)).start()
    end = tail.index(";", start)
    tail = tail[:start] + driver.endless + tail[end:]
    return head + "".join(f"PROPERTY {part.split('PROPERTY')[0].rstrip()}\n" for part in kept) + tail


def found(driver: Driver, seed: Seed, folder: Path) -> bool:
    """Whether a check of the example with this fault in the driver finds it."""
    (folder / f"{driver.module}.lf").write_text(driver.seeded(seed))
    program, bench = folder / driver.program_file.name, folder / driver.bench_file.name
    program.write_text(driver.program_file.read_text())
    for name in driver.modules:
        (folder / f"{name}.lf").write_text((driver.folder / f"{name}.lf").read_text())
    for text in (driver.bench, endless(driver)) if driver.endless else (driver.bench,):
        bench.write_text(text)
        done = lfc("check", program.name, "--env", bench.name, "--time", "30", *driver.options, cwd=folder)
        if done.has_counterexample:
            return True
    return False


def weather_registers(pressure: int, temperature: int, humidity: int) -> str:
    """Of a BME280, from 0 on; the coefficients are those of the maker's example."""
    content = bytearray(256)
    words = [27504, 26435, -1000, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000]
    content[0x88:0xA0] = b"".join((w & 0xFFFF).to_bytes(2, "little") for w in words)
    content[0xA1], content[0xD0] = 75, 0x60
    content[0xE1:0xE8] = bytes.fromhex("72010013 2a031e")
    content[0xF7:0xFF] = b"".join((raw << 4).to_bytes(3, "big") for raw in (pressure, temperature)) + humidity.to_bytes(
        2, "big"
    )
    return content.hex()
