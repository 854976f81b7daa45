"""What golden IR does not pin, and what it does."""

from __future__ import annotations

import re

import pytest

from tests.codegen.normal_names import with_normal_names

IR = """@lf_pool = internal constant [1 x i8] c"%t1", align 4

define internal i16 @"run.init.0"(ptr %b, ptr %frame) nounwind {
entry:
  %a9 = alloca [4 x i8], align 4
  br label %b0
b0:
  %t1 = load i8, ptr %frame, align 1
  %t2 = icmp ne i8 %t1, 0
  br i1 %t2, label %ok.3, label %bad.4, !prof !0
bad.4:
  unreachable
ok.3:
  br label %ok.5
ok.5:
  %t6 = load i8, ptr %a9, align 1
  %t7 = phi i8 [ %t1, %ok.3 ], [ %t6, %ok.5 ]
  ret i8 %t7
}
"""
NORMAL = """@lf_pool = internal constant [1 x i8] c"%t1", align 4

define internal i16 @"run.init.0"(ptr %b, ptr %frame) nounwind {
entry:
  %entry.a1 = alloca [4 x i8], align 4
  br label %b.1
b.1:
  %b.1.t1 = load i8, ptr %frame, align 1
  %b.1.t2 = icmp ne i8 %b.1.t1, 0
  br i1 %b.1.t2, label %ok.1, label %bad.1, !prof !0
bad.1:
  unreachable
ok.1:
  br label %ok.2
ok.2:
  %ok.2.t1 = load i8, ptr %entry.a1, align 1
  %ok.2.t2 = phi i8 [ %b.1.t1, %ok.1 ], [ %ok.2.t1, %ok.2 ]
  ret i8 %ok.2.t2
}
"""


def test_labels_count_within_their_name_and_temporaries_within_their_block() -> None:
    assert with_normal_names(IR) == NORMAL


def test_another_numbering_is_the_same_text() -> None:
    def later(number: re.Match[str]) -> str:
        return f"{number[1]}{int(number[2]) + 40}"

    head, function = IR.split("\n\n")
    moved = re.sub(r"(?m)(%[at]|%b|^b|(?:ok|bad)\.)(\d+)\b", later, function)
    assert moved != function
    assert with_normal_names(f"{head}\n\n{moved}") == NORMAL


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("icmp ne i8 %t1, 0", "icmp ne i8 %t2, 0"),
        ("label %ok.3, label %bad.4", "label %bad.4, label %ok.3"),
        ("br label %ok.5", "br label %ok.3"),
        ("[ %t1, %ok.3 ], [ %t6, %ok.5 ]", "[ %t6, %ok.3 ], [ %t1, %ok.5 ]"),
        ("ret i8 %t7", "ret i8 %t6"),
        ("  %t1 = load", "  %t0 = load i8, ptr %b, align 1\n  %t1 = load"),
    ],
)
def test_whatever_is_no_numbering_is_seen(old: str, new: str) -> None:
    assert with_normal_names(IR.replace(old, new)) != NORMAL
