/* Leader election (Dolev, Klawe, Rodeh), step by step as in leader.lf: each d_step is one action. */
#ifndef N
#define N 6
#endif
#define CAPACITY 3
#define NEXT ((_pid + 1) % N)
#define PUT(k, v) kinds[NEXT * CAPACITY + count[NEXT]] = k; values[NEXT * CAPACITY + count[NEXT]] = v; count[NEXT]++
byte count[N];
byte kinds[N * CAPACITY];
byte values[N * CAPACITY];
byte leaders;

active [N] proctype Node()
{
	byte max, left, n, kind;
	bool active_, done;
	d_step { active_ = true; max = N - _pid; PUT(1, max) };
again:
	if
	:: d_step { count[_pid] == 0 -> skip }; goto again
	:: d_step {
		count[_pid] > 0 ->
		kind = kinds[_pid * CAPACITY]; n = values[_pid * CAPACITY]; count[_pid]--;
		kinds[_pid * CAPACITY] = kinds[_pid * CAPACITY + 1]; values[_pid * CAPACITY] = values[_pid * CAPACITY + 1];
		kinds[_pid * CAPACITY + 1] = kinds[_pid * CAPACITY + 2]; values[_pid * CAPACITY + 1] = values[_pid * CAPACITY + 2];
		kinds[_pid * CAPACITY + 2] = 0; values[_pid * CAPACITY + 2] = 0 }
	fi;
	if
	:: d_step { kind == 1 && active_ && n != max -> left = n; kind = 2 }
	:: d_step { kind == 1 && active_ && n == max -> assert(max == N); leaders++; assert(leaders == 1); kind = 3 }
	:: d_step { kind != 3 && !active_ -> skip }
	:: d_step { kind == 2 && active_ && left > n && left > max -> max = left; n = max; kind = 1 }
	:: d_step { kind == 2 && active_ && !(left > n && left > max) -> active_ = false; kind = 0; n = 0 }; goto again
	:: d_step { kind == 3 && active_ -> assert(n == N); max = 0; left = 0; n = 0; kind = 0; active_ = false }; goto end_all
	:: d_step { kind == 3 && !active_ -> assert(n == N); done = true }
	fi;
send:
	if
	:: d_step { count[NEXT] == CAPACITY -> skip }; goto send
	:: d_step { count[NEXT] < CAPACITY && !done -> PUT(kind, n); kind = 0; n = 0 }; goto again
	:: d_step { count[NEXT] < CAPACITY && done -> PUT(kind, n); max = 0; left = 0; n = 0; kind = 0; done = false }
	fi;
end_all:
	if :: d_step { false -> skip } fi
}
