unsigned pulses : 8;
active proctype counter() {
  do :: assert(pulses < 255); pulses++ od
}
