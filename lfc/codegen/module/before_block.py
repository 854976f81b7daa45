"""What lies directly before the state block: the numbers of runtime/ports/host/before_block.h."""

from __future__ import annotations

ANSWER, WIDTH, CONTEXT, ROUNDS = -24, -20, -16, -4  # offsets from the block

ROOM_WITH_ENVIRONMENT = -ANSWER
ROOM_WITH_CONTEXT = -CONTEXT
ROOM_OF_ROUNDS = -ROUNDS
ROOM_OF_POLICIES = 64  # of the checker's: before it lies a byte for each block of the flow graphs
