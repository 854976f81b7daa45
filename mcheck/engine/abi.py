"""The binding to the checker's engine.

Written by lfc.mcheck.engine.generate_abi: change the headers, and run it.
"""

# fmt: off
from __future__ import annotations

from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Array,
    Structure,
    c_bool,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from lfc.toolchain.c_types import Abi

if TYPE_CHECKING:
    from lfc.toolchain.c_types import PointerTo

SLOT_BITS = (8, 10)
MOST_SLOTS = (256, 1024)
NOBODY = (255, 1023)
THEIRS_AT = (16, 18)
MOST_INPUTS = 128
SLEEP_CLAUSE = 63
MOST_DECISIONS = 2048
IDENTITY = 96
SEAL = 32
MOST_CLUSTER = 4096
DEAD_OWN = 4294967295
CYCLE_NO_EDGE = 4294967295
IMAGE_CODE = 1
IMAGE_ENTRY = 2
IMAGE_RETURNS_TO = 4
IMAGE_JOIN = 8
IMAGE_BY_TABLE = 16
IMAGE_OF_PROGRAM = 32
IMAGE_NO_FIELD = 4294967295
STAYS = 4294967295
REACH = 2
MOST_INVARIANTS = 64
MOST_ESTIMATES = 4
FAR = 4096
HEAD_FAULT = 2147483648
HEAD_UNMET = 1073741824
HEAD_MET = 536870912
HEAD_SEEN = 268435456
HEAD_RAISED = 134217728
CHANGES = 65535
OUTCOME_WORDS = 4
FAULT_WORDS = 4
LOOKS_AT_ALL = 2147483647
NO_NOTE = 4294967295
INPUTS_TOLD = 8
FOOT_WORDS = 8
MOST_FOOTPRINTS = 16384
MOST_NEEDS = 16
MOST_CONSTANT_BYTES = 32
MOST_RANKS = 64
GLOBAL_PLACE = 1073741824
NULL_PLACE = 2147483647
ROOM_BEFORE = 64
CELL_TERM = 256
COVERED = 4294967295
BEYOND = 4294967294
NODE_WORDS = 8
NODE_NUMBER = 16777216
CHUNK = 256
SYM_SPACES = 4
SYM_TOKENS = (1024, 4096)


class CycleSearch(IntEnum):
    """`enum cy_search`"""
    COMPONENTS = 0
    NESTED = 1


class ActionKind(IntEnum):
    """`enum mc_action_kind`"""
    NONE = 0
    LOCAL = 1
    ATTEMPT = 2
    WHOLE = 3


class TimeMode(IntEnum):
    """`enum mc_time_mode`"""
    FREE = 0
    POINTS = 1
    ZONES = 2


class Stop(IntEnum):
    """`enum mc_stop`"""
    COMPLETE = 0
    ERROR = 1
    TIME = 2
    MEMORY = 3
    STATES = 4
    INTERRUPTED = 5
    BROKEN = 6
    DISK = 7
    BOUND = 8
    PAUSED = 9


class ErrorKind(IntEnum):
    """`enum mc_error_kind`"""
    FAULT = 1
    DEADLOCK = 2
    STUCK = 3
    VIOLATION = 4


class Resumed(IntEnum):
    """`enum mc_resumed`"""
    RESUMED = 0
    UNREADABLE = 1
    NO_CHECKPOINT = 2
    DAMAGED = 3
    OTHER_ENGINE = 4
    OTHER_PROGRAM = 5
    OTHER_OPTIONS = 6
    NOT_AUTHENTIC = 7


class ClusterRound(IntEnum):
    """`enum mc_cluster_round`"""
    STATES = 0
    ASK_FINE = 1
    FINE = 2
    ASK_STUCK = 3
    STUCK = 4


class CycleStrength(IntEnum):
    """`enum cy_strength`"""
    TRANSIENT = 0
    REJECTING = 1
    TERMINAL = 2
    WEAK = 3
    STRONG = 4


class CycleVerdict(IntEnum):
    """`enum cy_verdict`"""
    NONE = 0
    FOUND = 1
    STOPPED = 2
    NO_MEMORY = 3
    FAULTED = 4


class ImagePlace(IntEnum):
    """`enum img_place`"""
    NOWHERE = 0
    CPU = 1
    BLOCK = 2
    POLICY = 3
    CONSTANT = 4
    STACK = 5
    CAME = 6
    COUNT = 7
    WOKEN = 8
    TAKEN = 9
    RECEIVED = 10
    BUFFER = 11
    LOST = 12
    TOLD = 13
    DEVICE = 14
    STATUS = 15
    SEND = 16
    MASK = 17
    FREE = 18
    LINES = 19
    SENDING = 20
    TX_QUEUED = 21
    TX_SENT = 22
    TX_BUFFER = 23
    TX_CONTROL = 24


class ImageProcessorKind(IntEnum):
    """`enum img_processor_kind`"""
    AVR = 0
    THUMB = 1
    RISCV = 2


class ImageEvent(IntEnum):
    """`enum img_event`"""
    RUN = 0
    WAKE = 1
    INTERRUPT = 2
    IDLE = 3


class ImageErrorKind(IntEnum):
    """`enum img_error_kind`"""
    BAD_START = 1
    BAD_LOAD = 2
    BAD_STORE = 3
    ILLEGAL = 4
    OUTSIDE = 5
    BAD_JUMP = 6
    ENDLESS = 7
    BAD_REGISTERS = 8
    HIDDEN = 9
    BAD_PICK = 10
    BAD_BLOCK = 11
    BAD_POLICY = 12
    BAD_DEVICE = 13
    BAD_FAULT = 14
    NO_SUCCESSOR = 15
    FOREIGN = 16
    UNALIGNED = 17
    UNDEFINED = 18


class ChannelPlace(IntEnum):
    """`enum mc_channel_place`"""
    NO_CHANNEL = 0
    IN_FRAME = 1
    IN_BLOCK = 2
    KNOWN = 3


class How(IntEnum):
    """`enum mc_how`"""
    DEPTH = 0
    BEST = 1
    ASTAR = 2
    HASHED = 3
    BITSTATE = 4
    CONTEXTS = 5
    RANDOM = 6
    SWARM = 7
    MODULAR = 8


class Crowd(IntEnum):
    """`enum mc_crowd`"""
    ROOM = 1
    TOO_LONG = 2
    STOPPED_WITHIN = 3
    DECISIONS = 4


class FootFlag(IntEnum):
    """`enum mc_foot_flag`"""
    BOUND = 1
    READY = 2
    INTERRUPTIBLE = 4
    ATTEMPTS = 8
    ONLY_ATTEMPTS = 16


class Rounds(IntEnum):
    """`enum mc_rounds`"""
    NEVER_ALONE = 0
    LIVES_ONCE = 1
    LIVES_ANEW = 2
    COUNTS = 3


class TermOp(IntEnum):
    """`enum mc_term_op`"""
    ADD = 0
    SUB = 1
    MUL = 2
    UDIV = 3
    UREM = 4
    SDIV = 5
    SREM = 6
    AND = 7
    OR = 8
    XOR = 9
    SHL = 10
    LSHR = 11
    ASHR = 12
    UMIN = 13
    UMAX = 14
    SMIN = 15
    SMAX = 16
    USUB_SAT = 17
    EQ = 18
    NE = 19
    ULT = 20
    ULE = 21
    UGT = 22
    UGE = 23
    SLT = 24
    SLE = 25
    SGT = 26
    SGE = 27
    SADD_OVERFLOWS = 28
    SSUB_OVERFLOWS = 29
    SMUL_OVERFLOWS = 30
    UADD_OVERFLOWS = 31
    USUB_OVERFLOWS = 32
    UMUL_OVERFLOWS = 33
    ZEXT = 34
    SEXT = 35
    TRUNC = 36
    ABS = 37
    BSWAP = 38
    CTPOP = 39
    FSHL = 40
    FSHR = 41
    SELECT = 42
    BYTE = 43
    CONCAT = 44
    SYMBOL = 45
    OPS = 46


class IrOp(IntEnum):
    """`enum mc_ir_op`"""
    UNKNOWN = 0
    JUMP = 1
    BRANCH = 2
    SWITCH = 3
    RETURN = 4
    CALL = 5
    LOAD = 6
    STORE = 7
    ADDRESS = 8
    ALLOCA = 9
    COPY = 10
    OPERATION = 11
    OVERFLOW = 12
    SELECT = 13
    FILL = 14
    MOVE = 15
    POLICY = 16
    OPS = 17


class IrPolicy(IntEnum):
    """`enum mc_ir_policy`"""
    NOTHING = 0
    FAULT = 1
    ALTERNATIVE = 2
    MEET = 3
    CHOICE = 4
    CLOCK = 5
    CONSOLE = 6
    PORT = 7
    ANY = 8


class ValueKind(IntEnum):
    """`enum mc_value_kind`"""
    NOTHING = 0
    NUMBER = 1
    TERM = 2
    POINTER = 3
    FAR = 4


class Asked(IntEnum):
    """`enum mc_asked`"""
    OPERATION = 1
    BYTE = 2
    JOIN = 3
    SWITCH = 4
    TRUTH = 5
    NUMBER = 6
    INPUT = 7
    SYMBOL = 8
    FRAMES = 9
    EXPLICIT = 10
    SIMPLE = 11
    WITH_VALUES = 12
    IMAGE = 13
    SINGLE = 14
    SHAPE = 15


class SymbolicStop(IntEnum):
    """`enum mc_symbolic_stop`"""
    DONE = 0
    ASKS = 1
    HANDS_OVER = 2
    TICK = 3
    TOO_MANY = 4
    NO_MEMORY = 5


class SymbolicPart(IntEnum):
    """`enum mc_symbolic_part`"""
    NORMAL = 0
    FAULT = 1
    BLOCK = 2
    PATH = 3


class SymKind(IntEnum):
    """`enum mc_sym_kind`"""
    OFFSET = 0
    OPEN = 1
    TOKEN = 2


CycleGraphEdges = CFUNCTYPE(c_uint32, c_void_p, c_uint64, c_uint32, c_void_p, c_void_p)
ImageSetupOracle = CFUNCTYPE(c_uint32, c_void_p, c_void_p, c_uint32, c_uint32, c_uint32)
ImageSetupWithModel = CFUNCTYPE(c_uint32, c_void_p, c_void_p, c_uint32, c_uint32, c_uint32)
AtomsLetter = CFUNCTYPE(c_uint64, c_void_p, c_uint32, c_void_p)
ProgramRun = CFUNCTYPE(c_uint32, c_void_p, c_void_p, c_uint32)
ProgramWake = CFUNCTYPE(c_uint32, c_void_p, c_void_p, c_uint32, c_uint32)
ProgramInterrupt = CFUNCTYPE(c_uint32, c_void_p, c_void_p, c_uint32)
RanksOptionsOwner = CFUNCTYPE(c_uint32, c_void_p, c_uint64, c_uint32)
RanksOptionsSplit = CFUNCTYPE(c_uint32, c_void_p, c_uint64, c_void_p, c_uint32)
RanksOptionsCovers = CFUNCTYPE(c_uint32, c_void_p, c_uint64)
ReductionOptionsMake = CFUNCTYPE(c_uint32, c_uint32, c_uint32, c_void_p, c_void_p)
SealShow = CFUNCTYPE(None, c_void_p, c_uint64)
SealEnd = CFUNCTYPE(None, c_void_p)
WatcherStep = CFUNCTYPE(c_uint32, c_void_p, c_uint8, c_uint32, c_uint8)
WatcherStart = CFUNCTYPE(None, c_void_p, c_uint8)
Ask = CFUNCTYPE(None)
VisitBlock = CFUNCTYPE(None, c_void_p, c_void_p)


class CycleEdge(Structure):
    """`struct cy_edge`"""
    _fields_ = [("root", c_uint64), ("marks", c_uint64), ("q", c_uint32), ("ordinal", c_uint32)]
    root: int
    marks: int
    q: int
    ordinal: int


class CycleExplicit(Structure):
    """`struct cy_explicit`"""
    _fields_ = [
        ("first", POINTER(c_uint32)), ("target", POINTER(c_uint32)), ("marks", POINTER(c_uint64)),
        ("enabled", POINTER(c_uint64)),
    ]
    first: PointerTo[c_uint32]
    target: PointerTo[c_uint32]
    marks: PointerTo[c_uint64]
    enabled: PointerTo[c_uint64]


class CycleGraph(Structure):
    """`struct cy_graph`"""
    _fields_ = [
        ("context", c_void_p), ("initial_root", c_uint64), ("initial_q", c_uint32), ("edges", CycleGraphEdges),
        ("all", c_uint64), ("taken", c_uint32), ("pairs", c_uint32), ("own", c_uint64), ("strength", POINTER(c_uint8)),
    ]
    context: Any
    initial_root: int
    initial_q: int
    edges: Any
    all: int
    taken: int
    pairs: int
    own: int
    strength: PointerTo[c_uint8]


class CycleStep(Structure):
    """`struct cy_step`"""
    _fields_ = [("root", c_uint64), ("q", c_uint32), ("ordinal", c_uint32)]
    root: int
    q: int
    ordinal: int


class CycleStatistics(Structure):
    """`struct cy_statistics`"""
    _fields_ = [
        ("states", c_uint64), ("edges", c_uint64), ("components", c_uint64), ("again", c_uint64), ("depth", c_uint32),
    ]
    states: int
    edges: int
    components: int
    again: int
    depth: int


class CycleResult(Structure):
    """`struct cy_result`"""
    _fields_ = [
        ("verdict", c_uint32), ("prefix", c_uint32), ("length", c_uint32), ("steps", POINTER(CycleStep)),
        ("s", CycleStatistics), ("shortest", c_uint32), ("state_size", c_uint32), ("state", POINTER(c_uint8)),
    ]
    verdict: int
    prefix: int
    length: int
    steps: PointerTo[CycleStep]
    s: CycleStatistics
    shortest: int
    state_size: int
    state: PointerTo[c_uint8]


class ImageEffect(Structure):
    """`struct img_effect`"""
    _fields_ = [("uses", c_uint64), ("defines", c_uint64), ("needs", c_uint64), ("stores", c_uint64)]
    uses: int
    defines: int
    needs: int
    stores: int


class ImageError(Structure):
    """`struct img_error`"""
    _fields_ = [
        ("kind", c_uint32), ("pc", c_uint32), ("where", c_uint32), ("expected", c_uint64), ("found", c_uint64),
        ("event", c_uint32), ("which", c_uint32), ("position", c_uint32), ("weight", c_uint32), ("root", c_uint64),
        ("count", c_uint64),
    ]
    kind: int
    pc: int
    where: int
    expected: int
    found: int
    event: int
    which: int
    position: int
    weight: int
    root: int
    count: int


class ImageSetup(Structure):
    """`struct img_setup`"""
    _fields_ = [
        ("flash", POINTER(c_uint8)), ("place", POINTER(c_uint8)), ("code", POINTER(c_uint8)),
        ("live", POINTER(c_uint64)), ("effect", POINTER(ImageEffect)), ("shares", POINTER(c_uint8)),
        ("takes", POINTER(c_uint8)), ("asks", POINTER(c_uint8)), ("oracle", ImageSetupOracle),
        ("with_model", ImageSetupWithModel), ("oracle_room", c_uint32), ("model_room", c_uint32), ("region", c_void_p),
        ("regions", c_uint32), ("places", c_uint32), ("flash_size", c_uint32), ("flash_start", c_uint32),
        ("processor", c_uint32), ("core", c_uint32), ("start", c_uint32), ("step", c_uint32), ("halt", c_uint32),
        ("reset", c_uint32), ("spin", c_uint32), ("arrive", c_uint32), ("depart", c_uint32), ("block_at", c_uint32),
        ("policy_at", c_uint32), ("policy_size", c_uint32), ("cursor_at", c_uint32), ("arrivals_at", c_uint32),
        ("arrivals_room", c_uint32), ("sleepers_at", c_uint32), ("sleepers_room", c_uint32), ("clock_at", c_uint32),
        ("timed_selects", c_uint32), ("taker_at", c_uint32), ("turn_at", c_uint32), ("came_at", c_uint32),
        ("count_at", c_uint32), ("buffer_at", c_uint32), ("wrap_to", c_uint32), ("interrupts", c_uint32),
        ("stack_low", c_uint32), ("stack_top", c_uint32), ("ready", c_uint32), ("busy", c_uint32), ("clears", c_uint32),
        ("status_sends", c_uint32), ("transmit_at", c_uint32), ("transmit_size", c_uint32), ("queued_at", c_uint32),
        ("transmits", c_uint32), ("control_sets", c_uint32), ("has_time", c_uint32), ("safe", c_uint32),
        ("free_bits", c_uint32), ("most_cycles", c_uint64),
    ]
    flash: PointerTo[c_uint8]
    place: PointerTo[c_uint8]
    code: PointerTo[c_uint8]
    live: PointerTo[c_uint64]
    effect: PointerTo[ImageEffect]
    shares: PointerTo[c_uint8]
    takes: PointerTo[c_uint8]
    asks: PointerTo[c_uint8]
    oracle: Any
    with_model: Any
    oracle_room: int
    model_room: int
    region: Any
    regions: int
    places: int
    flash_size: int
    flash_start: int
    processor: int
    core: int
    start: int
    step: int
    halt: int
    reset: int
    spin: int
    arrive: int
    depart: int
    block_at: int
    policy_at: int
    policy_size: int
    cursor_at: int
    arrivals_at: int
    arrivals_room: int
    sleepers_at: int
    sleepers_room: int
    clock_at: int
    timed_selects: int
    taker_at: int
    turn_at: int
    came_at: int
    count_at: int
    buffer_at: int
    wrap_to: int
    interrupts: int
    stack_low: int
    stack_top: int
    ready: int
    busy: int
    clears: int
    status_sends: int
    transmit_at: int
    transmit_size: int
    queued_at: int
    transmits: int
    control_sets: int
    has_time: int
    safe: int
    free_bits: int
    most_cycles: int


class ImageStatistics(Structure):
    """`struct img_statistics`"""
    _fields_ = [
        ("states", c_uint64), ("executions", c_uint64), ("instructions", c_uint64), ("phases", c_uint64),
        ("nodes", c_uint64), ("leaves", c_uint64), ("passes", c_uint64), ("compared", c_uint64), ("foreign", c_uint64),
        ("sampled", c_uint64), ("met", c_uint64), ("deepest", c_uint64), ("errors", c_uint32), ("stop", c_uint32),
        ("seconds", c_double),
    ]
    states: int
    executions: int
    instructions: int
    phases: int
    nodes: int
    leaves: int
    passes: int
    compared: int
    foreign: int
    sampled: int
    met: int
    deepest: int
    errors: int
    stop: int
    seconds: float


class ImageWorst(Structure):
    """`struct img_worst`"""
    _fields_ = [("cycles", c_uint64), ("root", c_uint64), ("slot", c_uint32), ("cursor", c_uint32)]
    cycles: int
    root: int
    slot: int
    cursor: int


class Action(Structure):
    """`struct mc_action`"""
    _fields_ = [
        ("kind", c_uint32), ("first_touched", c_uint32), ("touched", c_uint32), ("first_partner", c_uint32),
        ("partners", c_uint32), ("timed", c_uint32), ("closed_offset", c_uint32), ("closed_size", c_uint32),
        ("idle", c_uint32),
    ]
    kind: int
    first_touched: int
    touched: int
    first_partner: int
    partners: int
    timed: int
    closed_offset: int
    closed_size: int
    idle: int


class Assumed(Structure):
    """`struct mc_assumed`"""
    _fields_ = [("width", c_uint32), ("address", c_uint32), ("low", c_uint32), ("high", c_uint32)]
    width: int
    address: int
    low: int
    high: int


class Clause(Structure):
    """`struct mc_clause`"""
    _fields_ = [("message", c_uint32), ("place", c_uint32), ("where", c_uint32)]
    message: int
    place: int
    where: int


class SlotFrame(Structure):
    """`struct mc_slot_frame`"""
    _fields_ = [("frame0", c_uint32), ("field", c_uint32), ("field_size", c_uint32)]
    frame0: int
    field: int
    field_size: int


class Atoms(Structure):
    """`struct mc_atoms`"""
    _fields_ = [
        ("letter", AtomsLetter), ("wanted", c_uint64), ("reads", POINTER(c_uint32)), ("read_count", c_uint32),
        ("asks_taken", c_uint32), ("first_clause", POINTER(c_uint32)), ("clause", POINTER(Clause)),
        ("frame", POINTER(SlotFrame)),
    ]
    letter: Any
    wanted: int
    reads: PointerTo[c_uint32]
    read_count: int
    asks_taken: int
    first_clause: PointerTo[c_uint32]
    clause: PointerTo[Clause]
    frame: PointerTo[SlotFrame]


class PropertyTimer(Structure):
    """`struct mc_property_timer`"""
    _fields_ = [
        ("start", c_uint64), ("expired", c_uint64), ("operand", c_uint64), ("holds", c_uint32), ("earliest", c_uint32),
        ("most", c_uint32), ("padding", c_uint32),
    ]
    start: int
    expired: int
    operand: int
    holds: int
    earliest: int
    most: int
    padding: int


class Automaton(Structure):
    """`struct mc_automaton`"""
    _fields_ = [
        ("states", c_uint32), ("initial", c_uint32), ("sets", c_uint32), ("timers", c_uint32),
        ("first", POINTER(c_uint32)), ("target", POINTER(c_uint32)), ("accepts", POINTER(c_uint64)),
        ("first_cube", POINTER(c_uint32)), ("positive", POINTER(c_uint64)), ("negative", POINTER(c_uint64)),
        ("strength", POINTER(c_uint8)), ("timer", POINTER(PropertyTimer)),
    ]
    states: int
    initial: int
    sets: int
    timers: int
    first: PointerTo[c_uint32]
    target: PointerTo[c_uint32]
    accepts: PointerTo[c_uint64]
    first_cube: PointerTo[c_uint32]
    positive: PointerTo[c_uint64]
    negative: PointerTo[c_uint64]
    strength: PointerTo[c_uint8]
    timer: PointerTo[PropertyTimer]


class Chains(Structure):
    """`struct mc_chains`"""
    _fields_ = [
        ("keeps", POINTER(c_uint8)), ("longest", c_uint32), ("cut", c_uint32), ("stops_after", c_uint32),
        ("worth", c_uint32), ("stopped", c_uint32), ("stopped_state", c_uint64), ("stopped_level", c_uint64),
        ("early", POINTER(c_uint64)), ("of", c_void_p),
    ]
    keeps: PointerTo[c_uint8]
    longest: int
    cut: int
    stops_after: int
    worth: int
    stopped: int
    stopped_state: int
    stopped_level: int
    early: PointerTo[c_uint64]
    of: Any


class ClusterCounts(Structure):
    """`struct mc_cluster_counts`"""
    _fields_ = [
        ("handed_over", c_uint64), ("filtered", c_uint64), ("received", c_uint64), ("bytes", c_uint64),
        ("defined", c_uint64),
    ]
    handed_over: int
    filtered: int
    received: int
    bytes: int
    defined: int


class Statistics(Structure):
    """`struct mc_statistics`"""
    _fields_ = [
        ("states", c_uint64), ("transitions", c_uint64), ("expanded", c_uint64), ("ends", c_uint64),
        ("deadlocks", c_uint64), ("faults", c_uint64), ("executions", c_uint64), ("remembered", c_uint64),
        ("table_bytes", c_uint64), ("node_bytes", c_uint64), ("log_bytes", c_uint64), ("frontier_bytes", c_uint64),
        ("memo_bytes", c_uint64), ("value_bytes", c_uint64), ("nodes", c_uint64), ("values", c_uint64),
        ("stuck_sweeps", c_uint64), ("stuck_left", c_uint64), ("disk_bytes", c_uint64), ("disk_written", c_uint64),
        ("spills", c_uint64), ("depth", c_uint32), ("stop", c_uint32), ("assumed", c_uint32), ("errors", c_uint32),
        ("seconds", c_double),
    ]
    states: int
    transitions: int
    expanded: int
    ends: int
    deadlocks: int
    faults: int
    executions: int
    remembered: int
    table_bytes: int
    node_bytes: int
    log_bytes: int
    frontier_bytes: int
    memo_bytes: int
    value_bytes: int
    nodes: int
    values: int
    stuck_sweeps: int
    stuck_left: int
    disk_bytes: int
    disk_written: int
    spills: int
    depth: int
    stop: int
    assumed: int
    errors: int
    seconds: float


class ClusterLevel(Structure):
    """`struct mc_cluster_level`"""
    _fields_ = [
        ("fresh", c_uint64), ("stop", c_uint64), ("errors", c_uint64), ("unclear", c_uint64),
        ("statistics", Statistics),
    ]
    fresh: int
    stop: int
    errors: int
    unclear: int
    statistics: Statistics


class ClusterOptions(Structure):
    """`struct mc_cluster_options`"""
    _fields_ = [("rank", c_uint32), ("ranks", c_uint32), ("filter", c_uint32), ("most_on_ways", c_uint32)]
    rank: int
    ranks: int
    filter: int
    most_on_ways: int


class Component(Structure):
    """`struct mc_component`"""
    _fields_ = [
        ("first_piece", c_uint32), ("pieces", c_uint32), ("size", c_uint32), ("class_number", c_uint32),
        ("slot", c_int32), ("position_size", c_uint32), ("first_number", c_uint32),
    ]
    first_piece: int
    pieces: int
    size: int
    class_number: int
    slot: int
    position_size: int
    first_number: int


class Constant(Structure):
    """`struct mc_constant`"""
    _fields_ = [("offset", c_uint32), ("size", c_uint32)]
    offset: int
    size: int


class Crowded(Structure):
    """`struct mc_crowded`"""
    _fields_ = [
        ("why", c_uint32), ("slot", c_uint32), ("executions", c_uint64), ("inputs", c_uint32), ("width", c_uint32 * 8),
        ("address", c_uint32 * 8), ("padding", c_uint32),
    ]
    why: int
    slot: int
    executions: int
    inputs: int
    width: Array[Any]
    address: Array[Any]
    padding: int


class DeadPiece(Structure):
    """`struct mc_dead_piece`"""
    _fields_ = [("offset", c_uint32), ("size", c_uint32), ("origin", c_uint32)]
    offset: int
    size: int
    origin: int


class DeadShape(Structure):
    """`struct mc_dead_shape`"""
    _fields_ = [
        ("first_piece", c_uint32), ("pieces", c_uint32), ("return_offset", c_uint32), ("return_size", c_uint32),
        ("distance", c_uint32),
    ]
    first_piece: int
    pieces: int
    return_offset: int
    return_size: int
    distance: int


class Error(Structure):
    """`struct mc_error`"""
    _fields_ = [
        ("kind", c_uint32), ("fault_kind", c_uint32), ("fault_site", c_uint32), ("fault_first", c_int32),
        ("fault_second", c_int32), ("slot", c_uint32), ("state", c_uint64), ("depth", c_uint32), ("padding", c_uint32),
    ]
    kind: int
    fault_kind: int
    fault_site: int
    fault_first: int
    fault_second: int
    slot: int
    state: int
    depth: int
    padding: int


class Estimate(Structure):
    """`struct mc_estimate`"""
    _fields_ = [("cost", POINTER(c_uint32)), ("adds", c_uint32), ("padding", c_uint32)]
    cost: PointerTo[c_uint32]
    adds: int
    padding: int


class Offered(Structure):
    """`struct mc_offered`"""
    _fields_ = [("clauses", c_uint32), ("closed_offset", c_uint32), ("closed_size", c_uint32)]
    clauses: int
    closed_offset: int
    closed_size: int


class Fair(Structure):
    """`struct mc_fair`"""
    _fields_ = [
        ("slot", c_uint32), ("strong", c_uint32), ("live", c_uint32), ("picks", c_uint32), ("begins", POINTER(c_uint8)),
        ("resumes", POINTER(c_uint8)), ("offered", POINTER(Offered)),
    ]
    slot: int
    strong: int
    live: int
    picks: int
    begins: PointerTo[c_uint8]
    resumes: PointerTo[c_uint8]
    offered: PointerTo[Offered]


class Fault(Structure):
    """`struct mc_fault`"""
    _fields_ = [("kind", c_uint32), ("site", c_uint32), ("first", c_int32), ("second", c_int32)]
    kind: int
    site: int
    first: int
    second: int


class Faulted(Structure):
    """`struct mc_faulted`"""
    _fields_ = [("root", c_uint64), ("what", c_uint64)]
    root: int
    what: int


class Need(Structure):
    """`struct mc_need`"""
    _fields_ = [("bit", c_uint32), ("unused", c_uint32), ("of", c_uint64 * 8)]
    bit: int
    unused: int
    of: Array[Any]


class Footprint(Structure):
    """`struct mc_footprint`"""
    _fields_ = [
        ("next_reads", c_uint64 * 8), ("next_writes", c_uint64 * 8), ("next_speaks", c_uint64 * 8),
        ("later_uses", c_uint64 * 8), ("later_writes", c_uint64 * 8), ("later_sends", c_uint64 * 8),
        ("later_receives", c_uint64 * 8), ("later_selects", c_uint64 * 8), ("later_shares", c_uint64 * 8),
        ("next_sends", c_uint64 * 8), ("next_receives", c_uint64 * 8), ("later_entangled", c_uint64 * 8),
        ("later_beside", c_uint64 * 8), ("offers_send", c_uint64 * 8), ("offers_receive", c_uint64 * 8),
        ("need", Need * 16), ("needs", c_uint64), ("flags", c_uint64), ("lacking", c_uint64),
        ("unmet_at_first", c_uint64 * 8), ("lacks_at_first", c_uint64 * 8),
    ]
    next_reads: Array[Any]
    next_writes: Array[Any]
    next_speaks: Array[Any]
    later_uses: Array[Any]
    later_writes: Array[Any]
    later_sends: Array[Any]
    later_receives: Array[Any]
    later_selects: Array[Any]
    later_shares: Array[Any]
    next_sends: Array[Any]
    next_receives: Array[Any]
    later_entangled: Array[Any]
    later_beside: Array[Any]
    offers_send: Array[Any]
    offers_receive: Array[Any]
    need: Array[Any]
    needs: int
    flags: int
    lacking: int
    unmet_at_first: Array[Any]
    lacks_at_first: Array[Any]


class Invariant(Structure):
    """`struct mc_invariant`"""
    _fields_ = [("first_cube", c_uint32), ("cubes", c_uint32), ("wanted", c_uint64)]
    first_cube: int
    cubes: int
    wanted: int


class Invariants(Structure):
    """`struct mc_invariants`"""
    _fields_ = [
        ("atoms", Atoms), ("count", c_uint32), ("goes_on", c_uint32), ("at", POINTER(Invariant)),
        ("positive", POINTER(c_uint64)), ("negative", POINTER(c_uint64)),
    ]
    atoms: Atoms
    count: int
    goes_on: int
    at: PointerTo[Invariant]
    positive: PointerTo[c_uint64]
    negative: PointerTo[c_uint64]


class Options(Structure):
    """`struct mc_options`"""
    _fields_ = [
        ("most_states", c_uint64), ("most_memory", c_uint64), ("keep_going", c_uint32), ("most_errors", c_uint32),
        ("remember", c_uint32), ("rounds", c_uint32), ("threads", c_uint32), ("compact", c_uint32),
        ("least_shared", c_uint32), ("most_depth", c_uint32), ("scratch", c_uint32), ("spill_at", c_uint32),
    ]
    most_states: int
    most_memory: int
    keep_going: int
    most_errors: int
    remember: int
    rounds: int
    threads: int
    compact: int
    least_shared: int
    most_depth: int
    scratch: int
    spill_at: int


class Piece(Structure):
    """`struct mc_piece`"""
    _fields_ = [("offset", c_uint32), ("size", c_uint32)]
    offset: int
    size: int


class Stamped(Structure):
    """`struct mc_stamped`"""
    _fields_ = [("component", c_uint32), ("first_stamp", c_uint32), ("stamps", c_uint32)]
    component: int
    first_stamp: int
    stamps: int


class Stamp(Structure):
    """`struct mc_stamp`"""
    _fields_ = [("offset", c_uint32), ("bound", c_uint32)]
    offset: int
    bound: int


class StampShape(Structure):
    """`struct mc_stamp_shape`"""
    _fields_ = [
        ("first_stamp", c_uint32), ("stamps", c_uint32), ("return_offset", c_uint32), ("return_size", c_uint32),
        ("distance", c_uint32),
    ]
    first_stamp: int
    stamps: int
    return_offset: int
    return_size: int
    distance: int


class Timing(Structure):
    """`struct mc_timing`"""
    _fields_ = [
        ("mode", c_uint32), ("timers", c_uint32), ("component", c_uint32), ("has_clock", c_uint32),
        ("clock_component", c_uint32), ("clock_at", c_uint32), ("wrap", c_uint64), ("first_timer", POINTER(c_uint32)),
        ("clause", POINTER(c_uint32)), ("measured", c_uint32), ("has_ages", c_uint32), ("most_clock", c_uint32),
        ("stamped_count", c_uint32), ("stamped", POINTER(Stamped)), ("stamp", POINTER(Stamp)),
        ("stamp_shape", POINTER(StampShape)),
    ]
    mode: int
    timers: int
    component: int
    has_clock: int
    clock_component: int
    clock_at: int
    wrap: int
    first_timer: PointerTo[c_uint32]
    clause: PointerTo[c_uint32]
    measured: int
    has_ages: int
    most_clock: int
    stamped_count: int
    stamped: PointerTo[Stamped]
    stamp: PointerTo[Stamp]
    stamp_shape: PointerTo[StampShape]


class Program(Structure):
    """`struct mc_program`"""
    _fields_ = [
        ("block_size", c_uint32), ("slots", c_uint32), ("positions", c_uint32), ("first_waiting", c_uint32),
        ("position_size", c_uint32), ("components", c_uint32), ("classes", c_uint32), ("interrupts", c_uint32),
        ("pieces", POINTER(Piece)), ("component", POINTER(Component)), ("slot_component", POINTER(c_uint32)),
        ("action", POINTER(Action)), ("touched", POINTER(c_uint32)), ("partner", POINTER(c_uint32)),
        ("may_meet", POINTER(c_uint8)), ("server", POINTER(c_uint8)), ("numbers", POINTER(c_uint16)),
        ("initial", POINTER(c_uint8)), ("run", ProgramRun), ("wake", ProgramWake), ("interrupt", ProgramInterrupt),
        ("room_before_block", c_uint32), ("pending_offset", c_uint32), ("blocks", c_uint32), ("tellings", c_uint32),
        ("told_component", POINTER(c_uint32)), ("told", POINTER(c_uint8)), ("frame", POINTER(SlotFrame)),
        ("outside", POINTER(c_uint8)), ("timing", Timing), ("assume", POINTER(Assumed)), ("assumes", c_uint32),
        ("characters", c_uint32), ("character", POINTER(c_uint8)), ("rate", c_uint32), ("rate_component", c_uint32),
        ("number_count", c_uint32), ("is_outside", POINTER(c_uint8)), ("picks", c_uint32),
    ]
    block_size: int
    slots: int
    positions: int
    first_waiting: int
    position_size: int
    components: int
    classes: int
    interrupts: int
    pieces: PointerTo[Piece]
    component: PointerTo[Component]
    slot_component: PointerTo[c_uint32]
    action: PointerTo[Action]
    touched: PointerTo[c_uint32]
    partner: PointerTo[c_uint32]
    may_meet: PointerTo[c_uint8]
    server: PointerTo[c_uint8]
    numbers: PointerTo[c_uint16]
    initial: PointerTo[c_uint8]
    run: Any
    wake: Any
    interrupt: Any
    room_before_block: int
    pending_offset: int
    blocks: int
    tellings: int
    told_component: PointerTo[c_uint32]
    told: PointerTo[c_uint8]
    frame: PointerTo[SlotFrame]
    outside: PointerTo[c_uint8]
    timing: Timing
    assume: PointerTo[Assumed]
    assumes: int
    characters: int
    character: PointerTo[c_uint8]
    rate: int
    rate_component: int
    number_count: int
    is_outside: PointerTo[c_uint8]
    picks: int


class Range(Structure):
    """`struct mc_range`"""
    _fields_ = [("distinct", c_uint64), ("lowest", c_int64), ("highest", c_int64)]
    distinct: int
    lowest: int
    highest: int


class RanksCounts(Structure):
    """`struct mc_ranks_counts`"""
    _fields_ = [
        ("states", c_uint64), ("transitions", c_uint64), ("ends", c_uint64), ("deadlocks", c_uint64),
        ("faults", c_uint64), ("depth", c_uint64), ("handed_over", c_uint64), ("batches", c_uint64),
        ("covered", c_uint64), ("splits", c_uint64), ("of_rank", c_uint64 * 64),
    ]
    states: int
    transitions: int
    ends: int
    deadlocks: int
    faults: int
    depth: int
    handed_over: int
    batches: int
    covered: int
    splits: int
    of_rank: Array[Any]


class RanksOptions(Structure):
    """`struct mc_ranks_options`"""
    _fields_ = [
        ("batch", c_uint32), ("padding", c_uint32), ("owner", RanksOptionsOwner), ("split", RanksOptionsSplit),
        ("covers", RanksOptionsCovers),
    ]
    batch: int
    padding: int
    owner: Any
    split: Any
    covers: Any


class ReductionOptions(Structure):
    """`struct mc_reduction_options`"""
    _fields_ = [
        ("var_words", c_uint32), ("speak_words", c_uint32), ("harmless", c_uint64 * 8), ("interrupts", c_uint64 * 8),
        ("first_constant", POINTER(c_uint32)), ("constants", POINTER(Constant)), ("rounds", POINTER(c_uint8)),
        ("breaks", POINTER(c_uint8)), ("gives_up_after", c_uint64), ("make", ReductionOptionsMake),
        ("unranked", c_uint32),
    ]
    var_words: int
    speak_words: int
    harmless: Array[Any]
    interrupts: Array[Any]
    first_constant: PointerTo[c_uint32]
    constants: PointerTo[Constant]
    rounds: PointerTo[c_uint8]
    breaks: PointerTo[c_uint8]
    gives_up_after: int
    make: Any
    unranked: int


class Seal(Structure):
    """`struct mc_seal`"""
    _fields_ = [("show", SealShow), ("end", SealEnd)]
    show: Any
    end: Any


class SymGroup(Structure):
    """`struct mc_sym_group`"""
    _fields_ = [("first_slot", c_uint32), ("slots", c_uint32), ("record_offset", c_uint32), ("stride", c_uint32)]
    first_slot: int
    slots: int
    record_offset: int
    stride: int


class SymHeld(Structure):
    """`struct mc_sym_held`"""
    _fields_ = [
        ("component", c_uint32), ("offset", c_uint32), ("kind", c_uint32), ("size", c_uint32), ("dead", c_uint32),
    ]
    component: int
    offset: int
    kind: int
    size: int
    dead: int


class SymShape(Structure):
    """`struct mc_sym_shape`"""
    _fields_ = [
        ("first_place", c_uint32), ("places", c_uint32), ("return_offset", c_uint32), ("return_size", c_uint32),
        ("distance", c_uint32),
    ]
    first_place: int
    places: int
    return_offset: int
    return_size: int
    distance: int


class SymPlace(Structure):
    """`struct mc_sym_place`"""
    _fields_ = [("offset", c_uint32), ("kind", c_uint32), ("size", c_uint32)]
    offset: int
    kind: int
    size: int


class SymOptions(Structure):
    """`struct mc_sym_options`"""
    _fields_ = [
        ("groups", c_uint32), ("helds", c_uint32), ("group", POINTER(SymGroup)), ("shape", POINTER(SymShape)),
        ("place", POINTER(SymPlace)), ("held", POINTER(SymHeld)), ("over", POINTER(c_uint8)),
        ("fixed", POINTER(c_uint8)), ("settled", POINTER(c_uint8)),
    ]
    groups: int
    helds: int
    group: PointerTo[SymGroup]
    shape: PointerTo[SymShape]
    place: PointerTo[SymPlace]
    held: PointerTo[SymHeld]
    over: PointerTo[c_uint8]
    fixed: PointerTo[c_uint8]
    settled: PointerTo[c_uint8]


class SymbolicCounts(Structure):
    """`struct mc_symbolic_counts`"""
    _fields_ = [("instructions", c_uint64), ("paths", c_uint64), ("questions", c_uint64), ("answers", c_uint64)]
    instructions: int
    paths: int
    questions: int
    answers: int


class SymbolicStep(Structure):
    """`struct mc_symbolic_step`"""
    _fields_ = [
        ("function", c_uint32), ("arguments", c_uint32), ("argument", c_uint64 * 4), ("shape", c_uint32),
        ("symbols", c_uint32), ("mode", c_uint32), ("is_normal", c_uint32), ("most_paths", c_uint64),
        ("most_steps", c_uint64),
    ]
    function: int
    arguments: int
    argument: Array[Any]
    shape: int
    symbols: int
    mode: int
    is_normal: int
    most_paths: int
    most_steps: int


class WalkCounts(Structure):
    """`struct mc_walk_counts`"""
    _fields_ = [
        ("visits", c_uint64), ("replaced", c_uint64), ("at_least", c_uint64), ("most_stored", c_uint64),
        ("most_on_stack", c_uint64), ("resolved", c_uint64), ("reopened", c_uint64), ("walks", c_uint64),
        ("finished", c_uint64), ("contexts", c_uint64), ("overlap", c_uint64), ("even", c_uint64), ("odd", c_uint64),
        ("omitted", c_double),
    ]
    visits: int
    replaced: int
    at_least: int
    most_stored: int
    most_on_stack: int
    resolved: int
    reopened: int
    walks: int
    finished: int
    contexts: int
    overlap: int
    even: int
    odd: int
    omitted: float


class WalkOptions(Structure):
    """`struct mc_walk_options`"""
    _fields_ = [
        ("most_stored", c_uint64), ("how", c_uint32), ("find_stuck", c_uint32), ("estimates", c_uint32),
        ("padding", c_uint32), ("estimate", Estimate * 4), ("seed", c_uint64), ("most_steps", c_uint64),
        ("most_depth", c_uint32), ("most_contexts", c_uint32), ("searches", c_uint32), ("threads", c_uint32),
    ]
    most_stored: int
    how: int
    find_stuck: int
    estimates: int
    padding: int
    estimate: Array[Any]
    seed: int
    most_steps: int
    most_depth: int
    most_contexts: int
    searches: int
    threads: int


class Watcher(Structure):
    """`struct mc_watcher`"""
    _fields_ = [
        ("step", WatcherStep), ("start", WatcherStart), ("which", c_uint32), ("offset", c_uint32), ("size", c_uint32),
        ("padding", c_uint32),
    ]
    step: Any
    start: Any
    which: int
    offset: int
    size: int
    padding: int


class Way(Structure):
    """`struct mc_way`"""
    _fields_ = [("inputs", c_uint32), ("decisions", c_uint32), ("input", c_uint32 * 128), ("decision", c_uint32 * 2048)]
    inputs: int
    decisions: int
    input: Array[Any]
    decision: Array[Any]


def account(wide: bool) -> Abi:
    """What the library must say of itself."""
    structs = {
        "cy_edge": CycleEdge, "cy_explicit": CycleExplicit, "cy_graph": CycleGraph, "cy_step": CycleStep,
        "cy_statistics": CycleStatistics, "cy_result": CycleResult, "img_effect": ImageEffect, "img_error": ImageError,
        "img_setup": ImageSetup, "img_statistics": ImageStatistics, "img_worst": ImageWorst, "mc_action": Action,
        "mc_assumed": Assumed, "mc_clause": Clause, "mc_slot_frame": SlotFrame, "mc_atoms": Atoms,
        "mc_property_timer": PropertyTimer, "mc_automaton": Automaton, "mc_chains": Chains,
        "mc_cluster_counts": ClusterCounts, "mc_statistics": Statistics, "mc_cluster_level": ClusterLevel,
        "mc_cluster_options": ClusterOptions, "mc_component": Component, "mc_constant": Constant, "mc_crowded": Crowded,
        "mc_dead_piece": DeadPiece, "mc_dead_shape": DeadShape, "mc_error": Error, "mc_estimate": Estimate,
        "mc_offered": Offered, "mc_fair": Fair, "mc_fault": Fault, "mc_faulted": Faulted, "mc_need": Need,
        "mc_footprint": Footprint, "mc_invariant": Invariant, "mc_invariants": Invariants, "mc_options": Options,
        "mc_piece": Piece, "mc_stamped": Stamped, "mc_stamp": Stamp, "mc_stamp_shape": StampShape, "mc_timing": Timing,
        "mc_program": Program, "mc_range": Range, "mc_ranks_counts": RanksCounts, "mc_ranks_options": RanksOptions,
        "mc_reduction_options": ReductionOptions, "mc_seal": Seal, "mc_sym_group": SymGroup, "mc_sym_held": SymHeld,
        "mc_sym_shape": SymShape, "mc_sym_place": SymPlace, "mc_sym_options": SymOptions,
        "mc_symbolic_counts": SymbolicCounts, "mc_symbolic_step": SymbolicStep, "mc_walk_counts": WalkCounts,
        "mc_walk_options": WalkOptions, "mc_watcher": Watcher, "mc_way": Way,
    }
    enums = {
        "cy_search": CycleSearch, "mc_action_kind": ActionKind, "mc_time_mode": TimeMode, "mc_stop": Stop,
        "mc_error_kind": ErrorKind, "mc_resumed": Resumed, "mc_cluster_round": ClusterRound,
        "cy_strength": CycleStrength, "cy_verdict": CycleVerdict, "img_place": ImagePlace,
        "img_processor_kind": ImageProcessorKind, "img_event": ImageEvent, "img_error_kind": ImageErrorKind,
        "mc_channel_place": ChannelPlace, "mc_how": How, "mc_crowd": Crowd, "mc_foot_flag": FootFlag,
        "mc_rounds": Rounds, "mc_term_op": TermOp, "mc_ir_op": IrOp, "mc_ir_policy": IrPolicy,
        "mc_value_kind": ValueKind, "mc_asked": Asked, "mc_symbolic_stop": SymbolicStop,
        "mc_symbolic_part": SymbolicPart, "mc_sym_kind": SymKind,
    }
    constants = {
        "MC_SLOT_BITS": SLOT_BITS[wide], "MC_MOST_SLOTS": MOST_SLOTS[wide], "MC_NOBODY": NOBODY[wide],
        "MC_THEIRS_AT": THEIRS_AT[wide], "MC_MOST_INPUTS": MOST_INPUTS, "MC_SLEEP_CLAUSE": SLEEP_CLAUSE,
        "MC_MOST_DECISIONS": MOST_DECISIONS, "MC_IDENTITY": IDENTITY, "MC_SEAL": SEAL, "MC_MOST_CLUSTER": MOST_CLUSTER,
        "MC_DEAD_OWN": DEAD_OWN, "CY_NO_EDGE": CYCLE_NO_EDGE, "IMG_CODE": IMAGE_CODE, "IMG_ENTRY": IMAGE_ENTRY,
        "IMG_RETURNS_TO": IMAGE_RETURNS_TO, "IMG_JOIN": IMAGE_JOIN, "IMG_BY_TABLE": IMAGE_BY_TABLE,
        "IMG_OF_PROGRAM": IMAGE_OF_PROGRAM, "IMG_NO_FIELD": IMAGE_NO_FIELD, "MC_STAYS": STAYS, "MC_REACH": REACH,
        "MC_MOST_INVARIANTS": MOST_INVARIANTS, "MC_MOST_ESTIMATES": MOST_ESTIMATES, "MC_FAR": FAR,
        "MC_HEAD_FAULT": HEAD_FAULT, "MC_HEAD_UNMET": HEAD_UNMET, "MC_HEAD_MET": HEAD_MET, "MC_HEAD_SEEN": HEAD_SEEN,
        "MC_HEAD_RAISED": HEAD_RAISED, "MC_CHANGES": CHANGES, "MC_OUTCOME_WORDS": OUTCOME_WORDS,
        "MC_FAULT_WORDS": FAULT_WORDS, "MC_LOOKS_AT_ALL": LOOKS_AT_ALL, "MC_NO_NOTE": NO_NOTE,
        "MC_INPUTS_TOLD": INPUTS_TOLD, "MC_FOOT_WORDS": FOOT_WORDS, "MC_MOST_FOOTPRINTS": MOST_FOOTPRINTS,
        "MC_MOST_NEEDS": MOST_NEEDS, "MC_MOST_CONSTANT_BYTES": MOST_CONSTANT_BYTES, "MC_MOST_RANKS": MOST_RANKS,
        "MC_GLOBAL_PLACE": GLOBAL_PLACE, "MC_NULL_PLACE": NULL_PLACE, "MC_ROOM_BEFORE": ROOM_BEFORE,
        "MC_CELL_TERM": CELL_TERM, "MC_COVERED": COVERED, "MC_BEYOND": BEYOND, "MC_NODE_WORDS": NODE_WORDS,
        "MC_NODE_NUMBER": NODE_NUMBER, "MC_CHUNK": CHUNK, "MC_SYM_SPACES": SYM_SPACES,
        "MC_SYM_TOKENS": SYM_TOKENS[wide],
    }
    return Abi("mc_abi", structs, enums, constants)


def declare(library: CDLL, wide: bool) -> None:
    """Result and arguments of each function."""
    prototypes: dict[str, tuple[Any, list[Any]]] = {
        "mc_new": (c_void_p, [POINTER(Program), POINTER(Options)]), "mc_free": (None, [c_void_p]),
        "mc_search": (c_uint32, [c_void_p, c_double]), "mc_order_as": (c_bool, [c_void_p, c_void_p]),
        "mc_interrupt": (None, [c_void_p]), "mc_stop_after": (None, [c_void_p, c_uint64]),
        "mc_pause_at": (None, [c_void_p, c_uint64]), "mc_rest_after": (None, [c_void_p, c_double]),
        "mc_go_on_to": (None, [c_void_p, c_uint64]), "mc_states_within": (c_uint64, [c_void_p, c_uint32]),
        "mc_spill_into": (c_uint32, [c_void_p, c_char_p]), "mc_spill_error": (c_uint32, [c_void_p]),
        "mc_get_statistics": (POINTER(Statistics), [c_void_p]),
        "mc_get_error": (c_uint32, [c_void_p, c_uint32, POINTER(Error)]),
        "mc_path_to": (c_uint64, [c_void_p, c_uint64, POINTER(c_uint32), c_uint64]),
        "mc_blocks_along": (c_uint32, [c_void_p, POINTER(c_uint32), c_uint64, c_void_p]),
        "mc_elapsed_along": (c_uint32, [c_void_p, POINTER(c_uint32), c_uint64, POINTER(c_uint32)]),
        "mc_inputs_of": (c_uint32, [c_void_p, c_void_p, c_void_p, c_uint32, c_uint32, c_uint32, POINTER(Way)]),
        "mc_stuck": (c_uint32, [c_void_p, POINTER(c_uint64), c_void_p]),
        "mc_get_seen": (None, [c_void_p, c_void_p, c_void_p, c_void_p]),
        "mc_get_most_waiting": (c_uint32, [c_void_p, POINTER(c_uint32)]),
        "mc_ask_for_code": (None, [c_void_p, c_double, Ask]), "mc_use_code": (None, [c_void_p, POINTER(Program)]),
        "mc_get_range": (None, [c_void_p, c_uint32, c_uint32, c_uint32, c_uint32, POINTER(Range)]),
        "mc_all_states": (None, [c_void_p, VisitBlock, c_void_p]),
        "mc_pass_chains": (None, [c_void_p, POINTER(Chains)]), "mc_passed_states": (c_uint64, [c_void_p]),
        "mc_checkpoint_to": (c_uint32, [c_void_p, c_char_p, c_void_p, c_double, Seal]),
        "mc_checkpoint_error": (c_uint32, [c_void_p, POINTER(c_uint64)]),
        "mc_resume": (c_uint32, [c_void_p, c_char_p, c_void_p, Seal, c_uint32, POINTER(c_uint32), POINTER(c_uint32)]),
        "mc_cluster_begin": (c_uint32, [c_void_p, POINTER(ClusterOptions), c_char_p]),
        "mc_cluster_likeness": (c_uint64, [c_void_p]), "mc_cluster_go_on": (None, [c_void_p, c_double]),
        "mc_cluster_expand": (c_uint64, [c_void_p, c_uint32]), "mc_cluster_flush": (None, [c_void_p]),
        "mc_cluster_halted": (c_uint32, [c_void_p]), "mc_cluster_halt": (None, [c_void_p, c_uint32]),
        "mc_cluster_waiting": (c_uint64, [c_void_p, c_uint32]),
        "mc_cluster_take_box": (None, [c_void_p, c_uint32, c_void_p]),
        "mc_cluster_receive": (c_uint32, [c_void_p, c_uint32, c_void_p, c_uint64]),
        "mc_cluster_end_level": (c_uint64, [c_void_p]), "mc_cluster_begin_level": (None, [c_void_p]),
        "mc_cluster_look_for_deadlocks": (None, [c_void_p]), "mc_cluster_has_enough": (c_uint32, [c_void_p]),
        "mc_cluster_may_be_deadlock": (c_uint32, [c_void_p]),
        "mc_cluster_set_errors": (c_uint32, [c_void_p, POINTER(Error), c_uint32, c_uint64]),
        "mc_cluster_block": (c_uint32, [c_void_p, c_uint64, c_void_p]), "mc_cluster_seen_size": (c_uint64, [c_void_p]),
        "mc_cluster_put_seen": (None, [c_void_p, c_void_p]),
        "mc_cluster_add_seen": (c_uint32, [c_void_p, c_void_p, c_uint64]),
        "mc_cluster_level_of": (c_uint32, [c_void_p, c_uint64]),
        "mc_cluster_look_for": (c_uint32, [c_void_p, c_uint64]), "mc_cluster_name_size": (c_uint64, [c_void_p]),
        "mc_cluster_names": (c_uint64, [c_void_p, c_uint32]),
        "mc_cluster_put_names": (None, [c_void_p, c_uint32, c_void_p]),
        "mc_cluster_look_before": (c_uint32, [c_void_p, c_uint32, c_void_p, c_uint64]),
        "mc_cluster_way_begin": (None, [c_void_p, c_void_p]),
        "mc_cluster_way_step": (c_uint32, [c_void_p, c_uint32, c_void_p]),
        "mc_cluster_way_go": (c_uint32, [c_void_p, c_void_p, c_uint32, c_void_p]),
        "mc_cluster_way_end": (None, [c_void_p]), "mc_cluster_stuck_begin": (c_uint32, [c_void_p]),
        "mc_cluster_round": (None, [c_void_p, c_uint32]), "mc_cluster_ask": (c_uint64, [c_void_p, c_uint32]),
        "mc_cluster_answer": (None, [c_void_p]), "mc_cluster_changed": (c_uint64, [c_void_p]),
        "mc_cluster_rest": (c_uint64, [c_void_p]), "mc_cluster_most_stuck": (c_uint32, [c_void_p]),
        "mc_cluster_first_stuck": (c_uint32, [c_void_p, c_uint32, c_uint32]),
        "mc_cluster_stuck_slots": (c_uint32, [c_void_p, c_void_p, c_void_p]),
        "mc_cluster_stuck_end": (None, [c_void_p]), "mc_cluster_get_counts": (None, [c_void_p, POINTER(ClusterCounts)]),
        "mc_reset_dead": (None, [c_void_p, POINTER(DeadShape), POINTER(DeadPiece)]),
        "cy_search": (None, [POINTER(CycleGraph), c_uint32, c_uint64, POINTER(c_int32), POINTER(CycleResult)]),
        "cy_free": (None, [POINTER(CycleResult)]), "cy_search_explicit": (None, [POINTER(CycleExplicit), c_uint32,
        c_uint64, c_uint32, c_uint32, c_uint32, POINTER(CycleResult)]), "mc_product_search": (None, [c_void_p,
        POINTER(Automaton), POINTER(Watcher), POINTER(Atoms), POINTER(Fair), c_uint32, c_uint32, c_uint64,
        POINTER(CycleResult), POINTER(Faulted)]),
        "mc_product_letters": (c_uint64, [c_void_p, POINTER(Atoms), c_uint32, POINTER(c_uint64), c_uint64]),
        "mc_product_block": (None, [c_void_p, c_uint64, c_void_p]),
        "mc_product_letter": (c_uint64, [c_void_p, POINTER(Atoms), c_uint64, c_uint32, POINTER(c_uint32)]),
        "mc_watch": (None, [c_void_p, POINTER(Invariants)]), "mc_unclear": (c_uint64, [c_void_p]),
        "mc_roots_along": (c_uint32, [c_void_p, POINTER(c_uint32), c_uint64, POINTER(c_uint64)]),
        "mc_walk_new": (c_void_p, [c_void_p, POINTER(WalkOptions)]), "mc_walk_free": (None, [c_void_p]),
        "mc_settled": (c_uint32, [c_void_p, c_uint32, c_void_p]), "mc_walk_run": (c_uint32, [c_void_p, c_double]),
        "mc_walk_statistics": (POINTER(Statistics), [c_void_p]),
        "mc_walk_get_counts": (POINTER(WalkCounts), [c_void_p]), "mc_walk_reduced": (c_uint64, [c_void_p]),
        "mc_walk_error": (c_uint32, [c_void_p, c_uint32, POINTER(Error)]),
        "mc_walk_way": (c_uint64, [c_void_p, c_uint64, POINTER(c_uint32), c_uint64]),
        "mc_walk_blocks": (c_uint32, [c_void_p, c_uint64, c_void_p]),
        "mc_walk_shorten": (None, [c_void_p, c_uint64, c_uint64]),
        "mc_walk_stuck": (c_uint32, [c_void_p, POINTER(c_uint64), c_void_p]),
        "mc_walk_all_states": (None, [c_void_p, VisitBlock, c_void_p]),
        "mc_modular_position": (c_uint32, [c_void_p, c_uint32, c_uint32]),
        "mc_modular_start": (c_uint32, [c_void_p, POINTER(c_uint32)]), "mc_modular_outcomes": (c_uint32, [c_void_p,
        POINTER(c_uint32), c_uint32, c_uint32, c_uint32, POINTER(c_uint32), c_uint32]), "mc_modular_follow": (c_uint32,
        [c_void_p, POINTER(c_uint64), c_uint32, POINTER(c_uint32), c_uint32, POINTER(c_uint32)]),
        "mc_modular_block": (None, [c_void_p, POINTER(c_uint32), c_void_p]),
        "mc_modular_initial": (c_uint64, [c_void_p]), "mc_modular_note": (None, [c_void_p, c_uint32, POINTER(Fault),
        c_uint32, c_uint64, POINTER(c_uint32), c_uint64]), "mc_modular_found": (c_uint32, [c_void_p]),
        "mc_get_crowded": (c_uint32, [c_void_p, POINTER(Crowded), c_void_p]),
        "mc_reduce": (c_bool, [c_void_p, POINTER(ReductionOptions)]), "mc_reduced_states": (c_uint64, [c_void_p]),
        "mc_ranks_search": (c_uint32, [c_void_p, c_uint32, POINTER(RanksOptions), POINTER(RanksCounts)]),
        "mc_symbolic_new": (c_void_p, [POINTER(c_int64), c_uint64, c_uint32, c_uint32]),
        "mc_symbolic_free": (None, [c_void_p]),
        "mc_symbolic_term": (c_uint32, [c_void_p, c_uint32, c_uint32, c_uint32, POINTER(c_uint32), c_uint32]),
        "mc_symbolic_set": (c_uint32, [c_void_p, c_uint32, c_uint32, c_uint64]),
        "mc_symbolic_shape": (c_uint32, [c_void_p, c_uint32, c_void_p, POINTER(c_uint32), c_uint32]),
        "mc_symbolic_control": (c_uint32, [c_void_p, POINTER(c_uint32), c_uint32]),
        "mc_symbolic_layout": (c_uint32, [c_void_p, c_uint32, POINTER(c_uint32), c_uint32]),
        "mc_symbolic_begin": (None, [c_void_p, POINTER(SymbolicStep), POINTER(c_uint32)]),
        "mc_symbolic_go": (c_uint32, [c_void_p]),
        "mc_symbolic_question": (POINTER(c_uint64), [c_void_p, POINTER(c_uint64)]),
        "mc_symbolic_answer": (c_uint32, [c_void_p, POINTER(c_uint64), c_uint64]),
        "mc_symbolic_output": (POINTER(c_uint64), [c_void_p, POINTER(c_uint64)]),
        "mc_symbolic_count": (None, [c_void_p, POINTER(SymbolicCounts)]), "mc_coverage_new": (c_void_p, []),
        "mc_coverage_free": (None, [c_void_p]),
        "mc_coverage_set": (c_uint32, [c_void_p, c_uint32, POINTER(c_uint64), c_uint32]), "mc_coverage_next": (c_uint32,
        [c_void_p, POINTER(c_uint32), c_uint32, POINTER(c_uint32), c_uint32, c_uint32, POINTER(c_uint32)]),
        "mc_term_apply": (c_uint64, [c_uint32, c_uint32, c_uint32, c_uint64, c_uint64, c_uint64]), "mc_term_column":
        (c_uint32, [POINTER(c_uint32), c_uint32, POINTER(c_uint32), POINTER(c_uint64), POINTER(c_uint64), c_uint64,
        POINTER(c_uint64)]), "mc_values_fitting": (c_uint64, [POINTER(c_uint64), POINTER(c_uint64), c_uint64,
        POINTER(c_uint64), c_uint32, POINTER(c_uint64)]),
        "mc_values_of": (c_uint64, [POINTER(c_uint64), c_uint64, POINTER(c_uint64)]),
        "mc_symmetry_begin": (c_bool, [c_void_p, POINTER(SymOptions)]), "mc_symmetry_moved": (c_uint64, [c_void_p]),
        "mc_symmetry_slot": (c_uint32, [c_void_p, c_uint32]),
        "mc_symmetric_run": (c_uint32, [c_void_p, POINTER(c_uint32), c_uint64, c_void_p, c_void_p]),
    }
    if not wide:
        prototypes |= {
            "img_new": (c_void_p, [c_void_p, POINTER(ImageSetup)]), "img_free": (None, [c_void_p]),
            "img_check": (None, [c_void_p]), "img_check_blocks": (None, [c_void_p, c_void_p, c_uint64]),
            "img_check_with_model": (None, [c_void_p, c_void_p]),
            "img_get_statistics": (POINTER(ImageStatistics), [c_void_p]),
            "img_get_error": (c_uint32, [c_void_p, c_uint32, POINTER(ImageError), c_void_p]),
            "img_get_executed": (None, [c_void_p, c_void_p]),
            "img_get_start": (None, [c_void_p, c_void_p, POINTER(c_uint32), POINTER(c_uint32)]),
            "img_get_worst": (c_uint32, [c_void_p, c_uint32, POINTER(ImageWorst), c_void_p]),
            "img_trace_worst": (c_uint32, [c_void_p, c_uint32, POINTER(c_uint32), c_uint32]),
        }
    for name, (result, arguments) in prototypes.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
