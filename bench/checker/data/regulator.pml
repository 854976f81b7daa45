#define LIMIT 100000
int e, total, out; unsigned v : 10;
active proctype control() {
  do
  :: select (v : 0 .. 1023);
     e = v - 512; total = total + e;
     if :: total > LIMIT -> total = LIMIT :: total < -LIMIT -> total = -LIMIT :: else fi;
     out = (e * 20 + total) / 16;
     if :: out > 255 -> out = 255 :: out < 0 -> out = 0 :: else fi;
     assert(out >= 0 && out <= 255)
  od
}
