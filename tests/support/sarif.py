"""What SARIF 2.1.0 asks of a document, as far as we write it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# object -> property -> (required, what its value must be); from SARIF 2.1.0, sections 3.13 to 3.58.
Rule = tuple[bool, str | Callable[[Any], bool]]


def text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def positive(value: Any) -> bool:
    return isinstance(value, int) and value >= 1


def index(value: Any) -> bool:
    return isinstance(value, int) and value >= 0


def uri(value: Any) -> bool:
    return text(value) and value.isascii() and " " not in value and "\\" not in value


def texts(value: Any) -> bool:
    return isinstance(value, dict) and all(text(v) for v in value.values())


LEVELS = ("none", "note", "warning", "error")
OBJECTS: dict[str, dict[str, Rule]] = {
    "log": {"$schema": (False, uri), "version": (True, lambda v: v == "2.1.0"), "runs": (True, "[run]")},
    "run": {
        "tool": (True, "tool"),
        "results": (False, "[result]"),
        "invocations": (False, "[invocation]"),
        "properties": (False, lambda v: isinstance(v, dict)),
        "columnKind": (False, lambda v: v in ("utf16CodeUnits", "unicodeCodePoints")),
    },
    "tool": {"driver": (True, "driver")},
    "driver": {
        "name": (True, text),
        "version": (False, text),
        "semanticVersion": (False, text),
        "rules": (False, "[rule]"),
    },
    "rule": {
        "id": (True, text),
        "shortDescription": (False, "message"),
        "help": (False, "message"),
        "defaultConfiguration": (False, "configuration"),
    },
    "configuration": {"level": (False, lambda v: v in LEVELS)},
    "invocation": {
        "executionSuccessful": (True, lambda v: isinstance(v, bool)),
        "exitCode": (False, lambda v: isinstance(v, int)),
        "toolExecutionNotifications": (False, "[notification]"),
    },
    "notification": {"level": (False, lambda v: v in LEVELS), "message": (True, "message")},
    "result": {
        "ruleId": (False, text),
        "kind": (False, lambda v: v in ("notApplicable", "pass", "fail", "review", "open", "informational")),
        "codeFlows": (False, "[codeFlow]"),
        "partialFingerprints": (False, texts),
        "ruleIndex": (False, index),
        "level": (False, lambda v: v in LEVELS),
        "message": (True, "message"),
        "locations": (False, "[location]"),
        "relatedLocations": (False, "[location]"),
        "fixes": (False, "[fix]"),
    },
    "codeFlow": {"message": (False, "message"), "threadFlows": (True, "[threadFlow]")},
    "threadFlow": {"id": (False, text), "message": (False, "message"), "locations": (True, "[threadFlowLocation]")},
    "threadFlowLocation": {
        "location": (False, "location"),
        "executionOrder": (False, index),
        "importance": (False, lambda v: v in ("important", "essential", "unimportant")),
        "state": (False, lambda v: isinstance(v, dict) and not any(violations(m, "message") for m in v.values())),
    },
    "message": {"text": (True, text)},
    "location": {"id": (False, index), "message": (False, "message"), "physicalLocation": (False, "physical")},
    "physical": {"artifactLocation": (True, "artifact"), "region": (False, "region")},
    "artifact": {"uri": (True, uri)},
    "region": {
        "startLine": (True, positive),
        "startColumn": (False, positive),
        "endLine": (False, positive),
        "endColumn": (False, positive),
    },
    "fix": {"description": (False, "message"), "artifactChanges": (True, "[change]")},
    "change": {"artifactLocation": (True, "artifact"), "replacements": (True, "[replacement]")},
    "replacement": {"deletedRegion": (True, "region"), "insertedContent": (False, "content")},
    "content": {"text": (False, lambda v: isinstance(v, str))},
}
NOT_EMPTY = ("[threadFlow]", "[threadFlowLocation]", "[change]", "[replacement]", "[run]")


def violations(value: Any, kind: str, where: str = "$") -> list[str]:
    if kind.startswith("["):
        if not isinstance(value, list):
            return [f"{where} is no list"]
        if not value and kind in NOT_EMPTY:
            return [f"{where} is empty"]
        return [v for i, item in enumerate(value) for v in violations(item, kind[1:-1], f"{where}[{i}]")]
    if not isinstance(value, dict):
        return [f"{where} is no object"]
    rules = OBJECTS[kind]
    found = [f"{where} lacks {name}" for name, (required, _) in rules.items() if required and name not in value]
    for name, item in value.items():
        if name not in rules:
            found.append(f"{where}.{name} is not in the standard")
            continue
        rule = rules[name][1]
        if isinstance(rule, str):
            found += violations(item, rule, f"{where}.{name}")
        elif not rule(item):
            found.append(f"{where}.{name} is {item!r}")
    return found
