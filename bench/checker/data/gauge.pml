unsigned charge : 31 = 1000000; unsigned drawn : 31; unsigned i : 10;
active proctype meter() {
  do
  :: select (i : 0 .. 1023);
     if :: i <= charge -> charge = charge - i; drawn = drawn + i :: else fi;
     assert(charge + drawn == 1000000)
  od
}
