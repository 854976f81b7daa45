bool heating; unsigned x : 16;
active proctype control() {
  do
  :: select (x : 0 .. 65535);
     if :: x < 18000 -> heating = true :: x > 22000 -> heating = false :: else fi;
     assert(!heating || x <= 22000)
  od
}
