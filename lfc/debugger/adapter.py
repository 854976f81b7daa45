"""`lfc dap`: what an editor asks of a debugger, answered by one stepping object.

Requests are answered one after the other. While the program goes on, each step looks whether one has come: so it can be
paused, and breakpoints can be set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lfc.cli.common.exits import Exit
from lfc.debugger import setting
from lfc.debugger.breakpoints import full_name
from lfc.debugger.choosing import Possible, choices_of, own_first
from lfc.debugger.console import BadCommand, Console
from lfc.debugger.driver import Driver, Enough, at_once, never
from lfc.debugger.program import CannotLaunch, Launch, load
from lfc.debugger.stops import Stop
from lfc.debugger.views import FRAMES, View
from lfc.debugger.wire import Wire
from lfc.run.port_reads import PortReads

CAPABILITIES = (
    "supportsConfigurationDoneRequest",
    "supportsStepBack",
    "supportsConditionalBreakpoints",
    "supportsFunctionBreakpoints",
    "supportsDataBreakpoints",
    "supportsBreakpointLocationsRequest",
    "supportsStepInTargetsRequest",
    "supportsExceptionInfoRequest",
    "supportsEvaluateForHovers",
    "supportsTerminateRequest",
)
EXITS = {
    "deadlock": Exit.DEADLOCK,
    "assertion": Exit.FAULT,
    "fault": Exit.FAULT,
    "property": Exit.PROPERTY,
    "trace": Exit.INCONCLUSIVE,
    "board differs": Exit.PROPERTY,
    "board lost": Exit.INCONCLUSIVE,
}

Arguments = dict[str, Any]
Body = dict[str, Any] | None


class Refused(Exception):
    """A request that cannot be done; says why."""


class Adapter:
    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.over = False
        self.pausing = False
        self.running = False
        self.launch: Launch | None = None
        self.driver: Driver | None = None
        self.view: View | None = None
        self.choices: list[Possible] | None = None  # of the moment at which the program stands
        self.reads: PortReads | None = None
        self.motion: Callable[[], Stop] | None = None  # to do once the request is answered
        self.handlers: dict[str, Callable[[Arguments], Body]] = {
            "initialize": self.initialize,
            "launch": self.do_launch,
            "configurationDone": self.configuration_done,
            "disconnect": self.end,
            "terminate": self.terminate,
            "setExceptionBreakpoints": lambda _: {"breakpoints": []},
            "setBreakpoints": lambda a: setting.set_lines(self.going.stepper.machine, self.going.breakpoints, a),
            "breakpointLocations": lambda a: setting.possible_lines(self.going.stepper.machine, a),
            "setDataBreakpoints": lambda a: setting.set_data(self.going.stepper, self.going.breakpoints, a),
            "setFunctionBreakpoints": lambda a: setting.set_messages(
                self.going.stepper.machine, self.going.breakpoints, a
            ),
            "dataBreakpointInfo": self.data_breakpoint_info,
            "threads": self.threads,
            "stackTrace": self.stack_trace,
            "scopes": lambda a: {"scopes": self.still.scopes(int(a["frameId"]))},
            "variables": lambda a: {"variables": self.still.variables(int(a["variablesReference"]))},
            "exceptionInfo": self.exception_info,
            "evaluate": self.evaluate,
            "stepInTargets": self.step_in_targets,
            "pause": self.pause,
            "continue": self.go_on,
            "next": self.next,
            "stepIn": self.step_in,
            "stepOut": self.step_out,
            "stepBack": lambda _: self.go_back(at_once),
            "reverseContinue": lambda _: self.go_back(never),
        }

    # --- requests and answers --------------------------------------------------------------------------------------

    def serve(self) -> None:
        try:
            self._serve()
        finally:
            if self.driver is not None:
                self.driver.stepper.close()

    def _serve(self) -> None:
        while not self.over and (message := self.wire.came.get()) is not None:
            self.answer(message)
            while self.motion is not None and not self.over:
                motion, self.motion = self.motion, None
                self.move(motion)

    def answer(self, message: Arguments) -> None:
        command = str(message.get("command", ""))
        response = {"type": "response", "request_seq": message.get("seq", 0), "command": command}
        handler = self.handlers.get(command)
        try:
            if handler is None:
                raise Refused(f"`{command}` is not supported")
            body = handler(message.get("arguments") or {})
        except (Refused, CannotLaunch, BadCommand) as error:
            shown = {"id": 1, "format": str(error).replace("{", "(").replace("}", ")"), "showUser": True}
            self.wire.send(response | {"success": False, "message": str(error), "body": {"error": shown}})
            return
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if not is_of_arguments(error):
                raise
            self.wire.send(response | {"success": False, "message": f"`{command}`: wrong arguments ({error!r})"})
            return
        self.wire.send(response | {"success": True} | ({} if body is None else {"body": body}))
        if command == "launch":
            self.wire.event("initialized")
        if command == "terminate":
            self.wire.event("terminated")

    @property
    def going(self) -> Driver:
        if self.driver is None:
            raise Refused("no program is launched")
        return self.driver

    @property
    def still(self) -> View:
        if self.view is None:
            raise Refused("the program is running: pause it first" if self.running else "no program is launched")
        return self.view

    # --- start and end ---------------------------------------------------------------------------------------------

    def initialize(self, _: Arguments) -> Body:
        return {name: True for name in CAPABILITIES}

    def do_launch(self, arguments: Arguments) -> Body:
        if self.driver is not None:
            raise Refused("a program is launched already")
        self.launch = Launch.of(arguments)
        stepper = load(self.launch)
        self.reads = PortReads(stepper.machine)
        self.driver = Driver(stepper, self.write, self.interrupted, watches=not self.launch.no_debug)
        return None

    def configuration_done(self, _: Arguments) -> Body:
        driver, launch = self.going, self.launch
        if self.running or self.view is not None:
            raise Refused("the program has started already")
        for line in driver.properties.left_out:
            self.wire.event("output", category="console", output=line + "\n")
        if launch is not None and launch.stop_on_entry:
            self.motion = lambda: Stop("entry", slot=driver.actor())
        else:
            self.motion = lambda: driver.forwards(never)
        return None

    def end(self, _: Arguments) -> Body:
        self.over = True
        return None

    def terminate(self, _: Arguments) -> Body:
        """The program, not the debugger: an editor disconnects then."""
        self.pausing = True
        return None

    def write(self, output: bytes) -> None:
        self.wire.event("output", category="stdout", output=output.decode("utf-8", "replace"))

    # --- motion ----------------------------------------------------------------------------------------------------

    def move(self, motion: Callable[[], Stop]) -> None:
        last = self.view.stop if self.view is not None else None
        at = self.going.stepper.at
        self.view = self.choices = None
        self.running, self.pausing = True, False
        stop = motion()
        self.running = False
        if self.over:
            return
        again = last is not None and last.last and stop.last and at == self.going.stepper.at
        if again or (stop.last and self.launch is not None and self.launch.no_debug):
            self.wire.event("exited", exitCode=int(EXITS.get(stop.exception, Exit.OK)))
            self.wire.event("terminated")
            self.view = View(self.going.stepper, stop)
            return
        self.show(stop)

    def show(self, stop: Stop) -> None:
        self.view = View(self.going.stepper, stop)
        if stop.exception:
            told = "\n".join([stop.text, *stop.details])
            self.wire.event("output", category="stderr", output=told + "\n")
        described = stop.text or stop.reason
        body: dict[str, Any] = {
            "reason": stop.reason,
            "description": f"{described} (step {self.going.stepper.at})",
            "threadId": self.view.thread(),
            "allThreadsStopped": True,
        }
        if stop.text:
            body["text"] = stop.text
        if stop.breakpoints:
            body["hitBreakpointIds"] = stop.breakpoints
        self.wire.event("stopped", **body)

    def interrupted(self) -> bool:
        while not self.wire.came.empty():
            message = self.wire.came.get()
            if message is None:
                self.over = True
            else:
                self.answer(message)
        return self.pausing or self.over

    def go(self, enough: Enough) -> None:
        driver, _ = self.going, self.still
        self.motion = lambda: driver.forwards(enough)

    def go_back(self, enough: Enough) -> None:
        driver, _ = self.going, self.still
        self.motion = lambda: driver.backwards(enough)

    def go_on(self, _: Arguments) -> Body:
        self.go(never)
        return {"allThreadsContinued": True}

    def next(self, arguments: Arguments) -> Body:
        slot = int(arguments["threadId"]) - 1
        self.go(self.going.has_acted(slot) if slot in self.still.live else at_once)
        return None

    def step_in(self, arguments: Arguments) -> Body:
        target = arguments.get("targetId")
        if target is None:
            self.go(at_once)
            return None
        choices = self.here()
        if not 1 <= int(target) <= len(choices):
            raise Refused(f"there is no choice {target} here")
        self.take(choices[int(target) - 1])
        return None

    def step_out(self, arguments: Arguments) -> Body:
        slot = int(arguments["threadId"]) - 1
        self.go(self.going.has_returned(slot) if slot in self.still.live else at_once)
        return None

    def pause(self, _: Arguments) -> Body:
        self.pausing = True
        return None

    # --- choosing --------------------------------------------------------------------------------------------------

    def here(self) -> list[Possible]:
        """What can happen where the program stands."""
        if self.still and self.choices is None:
            assert self.reads is not None
            self.choices = choices_of(self.going.stepper, self.reads)
        return self.choices or []

    def take(self, choice: Possible) -> None:
        driver = self.going
        if driver.stepper.at < driver.stepper.trace_end:
            said = f"the trace is left at step {driver.stepper.at}: from here on it is yours\n"
            self.wire.event("output", category="console", output=said)
        self.motion = lambda: driver.take(choice.event)

    def step_in_targets(self, arguments: Arguments) -> Body:
        slot = int(arguments["frameId"]) // FRAMES - 1
        return {"targets": [{"id": c.number, "label": c.text} for c in own_first(self.here(), slot)]}

    # --- looking ---------------------------------------------------------------------------------------------------

    def threads(self, _: Arguments) -> Body:
        view = self.view if self.view is not None else View(self.going.stepper, Stop("pause"))
        return {"threads": view.threads()}

    def stack_trace(self, arguments: Arguments) -> Body:
        frames = self.still.frames(int(arguments["threadId"]))
        first = int(arguments.get("startFrame") or 0)
        most = int(arguments.get("levels") or len(frames))
        return {"stackFrames": frames[first : first + most], "totalFrames": len(frames)}

    def exception_info(self, _: Arguments) -> Body:
        stop = self.still.stop
        if not stop.exception:
            raise Refused("the program has not stopped at an error")
        details = {"message": stop.text, "stackTrace": "\n".join(stop.details)}
        return {
            "exceptionId": stop.exception,
            "description": stop.text,
            "breakMode": "always",
            "details": details,
        }

    def data_breakpoint_info(self, arguments: Arguments) -> Body:
        name, reference = str(arguments["name"]), int(arguments.get("variablesReference") or 0)
        view = self.still
        if 0 < reference <= len(view.tables):
            full = next((s.full for s in view.tables[reference - 1] if s.name == name), None)
        else:
            full = self.meant(name, arguments)
        if full is None:
            return {"dataId": None, "description": f"no variable `{name}` exists here"}
        if full not in view.now:
            return {"dataId": None, "description": f"`{full}` is a part: break on the change of the whole variable"}
        return {"dataId": full, "description": full, "accessTypes": ["write"], "canPersist": True}

    def meant(self, name: str, arguments: Arguments) -> str | None:
        view = self.still
        slot = int(arguments.get("frameId") or view.thread() * FRAMES) // FRAMES - 1
        return full_name(view.stepper.machine, view.stepper.block, view.now, name.strip(), slot)

    def evaluate(self, arguments: Arguments) -> Body:
        text = str(arguments["expression"])
        view = self.still
        full = self.meant(text, arguments)
        if full is not None:
            shown = view.variable(view.shown(full, full))
            return {"result": shown["value"], "variablesReference": 0}
        if arguments.get("context") == "repl":
            assert self.launch is not None
            console = Console(view.stepper, self.launch.program, self.here, self.take, self.moved)
            said = console.obey(text)
            if said is not None:
                return {"result": said, "variablesReference": 0}
            raise Refused(f"`{text}` is neither a variable nor a command; `help` lists the commands")
        raise Refused(f"no variable `{text}` exists here")

    def moved(self) -> None:
        self.motion = self.going.moved


def is_of_arguments(error: Exception) -> bool:
    """An editor's arguments are read in the handlers here and in `setting`: an error from deeper is ours."""
    trace = error.__traceback__
    depth = 0
    while trace is not None:
        depth, trace = depth + 1, trace.tb_next
    return depth <= 3


def serve(wire: Wire) -> None:
    Adapter(wire).serve()
