"""Products and quotients of 64 bits, for processors without instructions for them: as functions of the program itself,
so that a program without such numbers has none."""

from __future__ import annotations

from lfc.codegen.module.emit import Value
from lfc.codegen.module.scope import Scope

QUOTIENT = """define internal i64 @lf_quotient_64(i64 %n, i64 %d){space} noinline nounwind optsize {{
entry:
  %n.negative = icmp slt i64 %n, 0
  %n.opposite = sub i64 0, %n
  %n.amount = select i1 %n.negative, i64 %n.opposite, i64 %n
  %d.negative = icmp slt i64 %d, 0
  %d.opposite = sub i64 0, %d
  %d.amount = select i1 %d.negative, i64 %d.opposite, i64 %d
  br label %loop
loop:
  %left = phi i8 [ 64, %entry ], [ %left.next, %loop ]
  %quotient = phi i64 [ %n.amount, %entry ], [ %quotient.next, %loop ]
  %rest = phi i64 [ 0, %entry ], [ %rest.next, %loop ]
  %top = icmp slt i64 %quotient, 0
  %bit = zext i1 %top to i64
  %twice = shl i64 %rest, 1
  %trial = or i64 %twice, %bit
  %fits = icmp uge i64 %trial, %d.amount
  %less = sub i64 %trial, %d.amount
  %rest.next = select i1 %fits, i64 %less, i64 %trial
  %shifted = shl i64 %quotient, 1
  %one = zext i1 %fits to i64
  %quotient.next = or i64 %shifted, %one
  %left.next = sub i8 %left, 1
  %more = icmp ne i8 %left.next, 0
  br i1 %more, label %loop, label %done
done:
  %negative = xor i1 %n.negative, %d.negative
  %uneven = icmp ne i64 %rest.next, 0
  %down = and i1 %negative, %uneven
  %further = zext i1 %down to i64
  %amount = add i64 %quotient.next, %further
  %opposite = sub i64 0, %amount
  %result = select i1 %negative, i64 %opposite, i64 %amount
  ret i64 %result
}}"""
PRODUCT = """define internal i64 @lf_product_64(i64 %a, i64 %b){space} noinline nounwind optsize {{
entry:
  br label %loop
loop:
  %left = phi i8 [ 64, %entry ], [ %left.next, %loop ]
  %product = phi i64 [ 0, %entry ], [ %product.next, %loop ]
  %factor = phi i64 [ %a, %entry ], [ %factor.next, %loop ]
  %twice = shl i64 %product, 1
  %top = icmp slt i64 %factor, 0
  %part = select i1 %top, i64 %b, i64 0
  %product.next = add i64 %twice, %part
  %factor.next = shl i64 %factor, 1
  %left.next = sub i8 %left, 1
  %more = icmp ne i8 %left.next, 0
  br i1 %more, label %loop, label %done
done:
  ret i64 %product.next
}}"""


def quotient(s: Scope, left: Value, right: Value) -> Value | None:
    """Towards minus infinity; the divisor is not 0. None: the processor divides such numbers itself."""
    if s.unit.target.pointer_bits == 64:
        return None
    return _called(s, "@lf_quotient_64", QUOTIENT, left, right)


def product(s: Scope, left: Value, right: Value) -> Value | None:
    """Modulo 2^64. None: the processor, or the arithmetic of its port, multiplies such numbers."""
    if not s.unit.target.code_space:
        return None
    return _called(s, "@lf_product_64", PRODUCT, left, right)


def _called(s: Scope, name: str, text: str, left: Value, right: Value) -> Value:
    unit = s.unit
    unit.once(name, lambda: unit.globals.append(text.format(space=unit.target.define_space)))
    return s.f.call("i64", name, [left, right])
