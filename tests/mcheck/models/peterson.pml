/* The same actions as peterson.lf; -DNEXT_TURN=_pid keeps the turn. */
bool wants[2], critical[2];
byte turn;

#ifndef NEXT_TURN
#define NEXT_TURN (1 - _pid)
#endif

active [2] proctype Process()
{
again:
  wants[_pid] = true;
  turn = NEXT_TURN;
look:
  if
  :: d_step { !(wants[1 - _pid] && turn == 1 - _pid) -> critical[_pid] = true }
  :: d_step { (wants[1 - _pid] && turn == 1 - _pid) -> skip }; goto look
  fi;
  if
  :: d_step { critical[_pid] = false; wants[_pid] = false }; goto again
  fi
}

ltl exclusion { [] !(critical[0] && critical[1]) }
ltl served { [] (wants[0] -> <> critical[0]) }
