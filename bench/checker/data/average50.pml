#define N 50
short ring[N]; unsigned sum : 16; unsigned v : 10; byte at;
active proctype sampler() {
  do
  :: select (v : 0 .. 1023);
     assert(sum >= ring[at] && sum - ring[at] + v <= 65535);
     sum = sum - ring[at] + v; ring[at] = v; at = (at + 1) % N;
     assert(sum / N < 1024)
  od
}
