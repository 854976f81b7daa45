"""What a chip's SVD file says: addresses of peripherals and registers, fields, interrupts.

Collections such as cmsis-svd-data have them.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree


def find_file(name: str, folders: list[Path]) -> Path | None:
    """Some releases write STM32F411xx.svd, others STM32F411.svd."""
    names = {f"{name}.svd", f"{name}xx.svd", f"{name.removesuffix('xx')}.svd"}
    return next((f for folder in folders for f in sorted(folder.rglob("*.svd")) if f.name in names), None)


class Svd:
    def __init__(self, file: Path) -> None:
        self.peripherals = {p.findtext("name", ""): p for p in ElementTree.parse(file).getroot().iter("peripheral")}

    def value(self, place: str) -> int | None:
        """`UART0`, `RCC.CR`, `RCC.CR.PLLON` (its mask), `irq UART0`; None: it does not say."""
        if place.startswith("irq "):
            return self._interrupt(place.removeprefix("irq "))
        name, *rest = place.split(".")
        peripheral = self._peripheral(name)
        if peripheral is None:
            return None
        base = int(peripheral.findtext("baseAddress", "0"), 0)
        if not rest:
            return base
        register = self._register(peripheral, rest[0])
        if register is None:
            return None
        if len(rest) == 1:
            return base + int(register.findtext("addressOffset", "0"), 0)
        return next((mask(f) for f in register.iter("field") if f.findtext("name") == rest[1]), None)

    def _peripheral(self, name: str) -> ElementTree.Element | None:
        return next((self.peripherals[n] for n in (name, name.capitalize()) if n in self.peripherals), None)

    def _register(self, peripheral: ElementTree.Element, name: str) -> ElementTree.Element | None:
        """Those of the peripheral itself before those of its clusters, which may have the same names."""
        derived = peripheral.get("derivedFrom")
        source = self.peripherals[derived] if derived and peripheral.find("registers") is None else peripheral
        registers = [*source.findall("registers/register"), *source.iter("register")]
        own = peripheral.findtext("name", "")
        wanted = (name, f"{name}[%s]", f"{own}_{name}")
        return next((r for r in registers if r.findtext("name") in wanted), None)

    def _interrupt(self, name: str) -> int | None:
        for peripheral in self.peripherals.values():
            for interrupt in peripheral.findall("interrupt"):
                if interrupt.findtext("name") in (name, f"{name}_IRQ", f"UARTE0_{name}"):
                    return int(interrupt.findtext("value", "0"), 0)
        return None


def mask(field: ElementTree.Element) -> int:
    if (text := field.findtext("bitRange")) is not None:
        high, low = (int(n) for n in text.strip("[]").split(":"))
    elif (text := field.findtext("lsb")) is not None:
        low, high = int(text, 0), int(field.findtext("msb", "0"), 0)
    else:
        low = int(field.findtext("bitOffset", "0"), 0)
        high = low + int(field.findtext("bitWidth", "1"), 0) - 1
    return (1 << high + 1) - (1 << low)
