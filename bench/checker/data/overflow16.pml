unsigned pulses : 16;
active proctype counter() {
  do :: assert(pulses < 65535); pulses++ od
}
