unsigned crc : 16; byte frame[8]; unsigned reg : 16; byte i, bits, c;
active proctype slave() {
  do
  :: i = 0;
     do :: i < 8 -> select (c : 0 .. 255); frame[i] = c; i++ :: else -> break od;
     crc = 65535; i = 0;
     do
     :: i < 6 ->
        crc = crc ^ frame[i]; bits = 0;
        do
        :: bits < 8 -> if :: (crc & 1) == 1 -> crc = (crc >> 1) ^ 40961 :: else -> crc = crc >> 1 fi; bits++
        :: else -> break
        od;
        i++
     :: else -> break
     od;
     if
     :: (crc & 255) == frame[6] && (crc >> 8) == frame[7] && frame[0] == 17 && frame[1] == 6 ->
        reg = frame[2] * 256 + frame[3];
        assert(reg < 16)
     :: else
     fi
  od
}
