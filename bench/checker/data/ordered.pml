unsigned a : 31; unsigned b : 31;
active proctype p() {
  do
  :: if :: b < 2000000000 -> b++ :: else fi;
     if :: a < b -> a++ :: else fi;
     assert(a <= b)
  od
}
