unsigned char nondet_byte(void);
static unsigned short regs[16];
static unsigned short crc16(unsigned short crc, unsigned char byte) {
  crc ^= byte;
  for (int bit = 0; bit < 8; bit++) crc = (crc & 1) ? (crc >> 1) ^ 0xA001 : crc >> 1;
  return crc;
}
static void slave(void) {
  unsigned char frame[8];
  unsigned short crc = 0xFFFF;
  for (int i = 0; i < 8; i++) frame[i] = nondet_byte();
  for (int i = 0; i < 6; i++) crc = crc16(crc, frame[i]);
  if ((crc & 0xFF) == frame[6] && crc >> 8 == frame[7] && frame[0] == 17) {
    unsigned short reg = frame[2] * 256 + frame[3], value = frame[4] * 256 + frame[5];
    if (frame[1] == 6) regs[reg] = value;
  }
}
int main(void) {
  for (;;) slave();
}
