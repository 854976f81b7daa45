bool off, shutdown; unsigned low : 31; unsigned high : 31; unsigned rounds : 31; unsigned s : 17;
active proctype guard() {
  do
  :: select (s : 0 .. 99999);
     if :: rounds < 2000000000 -> rounds++ :: else fi;
     if :: high < s -> high = s :: else fi;
     if :: s > 90000 && low < high -> low++ :: else fi;
     if :: low > high -> off = false :: else fi;
     if :: low > 100 && off -> shutdown = true :: else fi;
     if :: low > 50 -> off = true :: else fi;
     assert(!shutdown || off)
  od
}
