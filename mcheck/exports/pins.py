"""A language module of LTSmin (PINS; Kant and others, *LTSmin: high-performance language-independent model checking*,
TACAS 2015): one group for each guarded command, with the slots that it reads and writes.
"""

from __future__ import annotations

from lfc.mcheck.exports.guarded import Command, Guarded
from lfc.mcheck.exports.terms import Const, Op, Term, Var, variables

SPELLED = {"=": "==", "#": "!=", "&": "&&", "OR": "||"}
HEAD = """\
/* {name}, exported from its actions. A plug-in of LTSmin: cc -shared -fPIC -I LTSMIN/include -o model.so THIS.c */
#include <ltsmin/dlopen-api.h>
#include <ltsmin/pins.h>
#include <ltsmin/pins-util.h>
#include <ltsmin/ltsmin-standard.h>

char pins_plugin_name[] = "{name}";

enum {{ SLOTS = {slots}, GROUPS = {groups} }};
static const char *const names[SLOTS] = {{ {names} }};
static int initial[SLOTS] = {{ {initial} }};

/* Rounds down; b is positive. */
static int down(int a, int b) {{ return a >= 0 ? a / b : (a + 1) / b - 1; }}
"""
NEXT = """\
static int next_state(void *model, int group, int *s, TransitionCB found, void *context)
{
    int t[SLOTS], label = 0;
    transition_info_t info = { &label, group, 0 };
    (void)model;
    for (int i = 0; i < SLOTS; i++) t[i] = s[i];
    switch (group) {
"""
REST = """\
    default: return 0;
    }
}

static int state_label(void *model, int label, int *s) { (void)model; (void)label; return s[FAULT]; }

void pins_model_init(model_t model)
{
    lts_type_t type = lts_type_create();
    int number, added;
    number = lts_type_add_type(type, "int", &added);
    lts_type_set_format(type, number, LTStypeDirect);
    lts_type_set_state_length(type, SLOTS);
    for (int i = 0; i < SLOTS; i++) {
        lts_type_set_state_name(type, i, names[i]);
        lts_type_set_state_typeno(type, i, number);
    }
    lts_type_set_state_label_count(type, 1);
    lts_type_set_state_label_name(type, 0, "fault");
    lts_type_set_state_label_typeno(type, 0, number);
    lts_type_validate(type);
    GBsetLTStype(model, type);
    GBsetInitialState(model, initial);
    static matrix_t combined, labels;
    dm_create(&combined, GROUPS, SLOTS);
    for (const int (*d)[2] = depends; (*d)[0] >= 0; d++) dm_set(&combined, (*d)[0], (*d)[1]);
    GBsetDMInfo(model, &combined);
    dm_create(&labels, 1, SLOTS);
    dm_set(&labels, 0, FAULT);
    GBsetStateLabelInfo(model, &labels);
    GBsetStateLabelLong(model, (get_label_method_t)state_label);
    GBsetNextStateLong(model, (next_method_grey_t)next_state);
}
"""


def pins(program: Guarded, name: str) -> str:
    numbers = {n: i for i, n in enumerate(program.initial)}
    head = HEAD.format(
        name=name,
        slots=len(numbers),
        groups=len(program.commands),
        names=", ".join(f'"{n}"' for n in numbers),
        initial=", ".join(str(v) for v in program.initial.values()),
    )
    pairs = sorted((g, numbers[n]) for g, c in enumerate(program.commands) for n in touched(c))
    depends = ", ".join(f"{{ {g}, {i} }}" for g, i in [*pairs, (-1, -1)])
    lines = [head, f"enum {{ FAULT = {numbers['fault']} }};", f"static const int depends[][2] = {{ {depends} }};", ""]
    lines.append(NEXT.rstrip("\n"))
    for g, c in enumerate(program.commands):
        lines += [f"    case {g}: /* {c.label} */", f"        if (!({expression(c.guard, numbers)})) return 0;"]
        lines += [f"        t[{numbers[n]}] = {expression(t, numbers)};" for n, t in c.updates.items()]
        lines.append("        return found(context, &info, t, 0), 1;")
    return "\n".join([*lines, REST])


def touched(c: Command) -> set[str]:
    return variables(c.guard).union(c.updates, *(variables(t) for t in c.updates.values()))


def expression(t: Term, numbers: dict[str, int]) -> str:
    if isinstance(t, Const):
        return "(-2147483647 - 1)" if t.value == -(1 << 31) else f"({t.value})" if t.value < 0 else str(t.value)
    if isinstance(t, Var):
        return f"s[{numbers[t.name]}]"
    a = [expression(x, numbers) for x in t.args]
    match t:
        case Op(op="~"):
            return f"!({a[0]})"
        case Op(op="IF"):
            return f"({a[0]} ? {a[1]} : {a[2]})"
        case Op(op="DIV"):
            return f"down({a[0]}, {a[1]})"
        case Op(op="MOD"):
            return f"({a[0]} - down({a[0]}, {a[1]}) * {a[1]})"
    return f"({a[0]} {SPELLED.get(t.op, t.op)} {a[1]})"
