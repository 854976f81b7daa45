/* Frames on the serial line, as docs/reference/machine.md has them: type, sequence, payload, CRC; by COBS, ended by 00. To be
 * included by one file of the runtime: the console is the line, and belongs to it alone.
 */
#ifndef LF_POLICIES_FRAMES_H
#define LF_POLICIES_FRAMES_H

#include "../port.h"

enum { LF_OUT_ROOM = 64, LF_IN_ROOM = 40, LF_FRAME_HEAD = 2, LF_FRAME_CRC = 2 };

/* CRC-16/CCITT-FALSE: the frames' checksum, and the digest of the block. Without a table, which would take 512 bytes. */
static uint16_t lf_crc(uint16_t crc, uint8_t byte)
{
    uint8_t x = (uint8_t)((uint8_t)(crc >> 8) ^ byte);
    x ^= x >> 4;
    return (uint16_t)((uint16_t)(crc << 8) ^ (uint16_t)((uint16_t)x << 12) ^ (uint16_t)((uint16_t)x << 5) ^ x);
}

/* Of at least one byte; a `size` of 0 means 65,536, the longest block. */
static LF_APART uint16_t lf_crc_of(const uint8_t *bytes, uint16_t size)
{
    uint16_t crc = 0xFFFF;
    do crc = lf_crc(crc, *bytes++);
    while (--size);
    return crc;
}

/* --- to the host --------------------------------------------------------------------------------------------- */

/* The frame that is being filled; none if `used` is 0. */
static struct {
    uint8_t used, sequence;
    uint8_t bytes[LF_OUT_ROOM];
} lf_out;

/* Sends the frame that is being filled. */
static LF_APART void lf_frame_end(void)
{
    uint8_t used = lf_out.used, at = 0;
    if (used == 0) return;
    uint16_t crc = lf_crc_of(lf_out.bytes, used);
    lf_out.bytes[used++] = (uint8_t)crc;
    lf_out.bytes[used++] = (uint8_t)(crc >> 8);
    while (at <= used) { /* once more behind a zero at the end */
        uint8_t end = at;
        while (end < used && lf_out.bytes[end]) end++;
        lf_port_console_write((uint8_t)(end - at + 1));
        while (at < end) lf_port_console_write(lf_out.bytes[at++]);
        at++;
    }
    lf_port_console_write(0);
    lf_out.used = 0;
}

static LF_APART void lf_frame_begin(uint8_t type)
{
    lf_frame_end();
    lf_out.bytes[0] = type;
    lf_out.bytes[1] = lf_out.sequence++;
    lf_out.used = LF_FRAME_HEAD;
}

/* One more byte of a frame of this type. What has no room goes on in another frame of the type. */
static LF_APART void lf_frame_put(uint8_t type, uint8_t byte)
{
    if (lf_out.used == 0 || lf_out.bytes[0] != type || lf_out.used == LF_OUT_ROOM - LF_FRAME_CRC) lf_frame_begin(type);
    lf_out.bytes[lf_out.used++] = byte;
}

/* --- from the host ------------------------------------------------------------------------------------------- */

enum lf_received { LF_NOTHING, LF_FRAME, LF_DAMAGED };

static struct {
    uint8_t used;
    uint8_t left;    /* bytes of the group that are still to come */
    bool begun, bad; /* bad: damaged, or longer than the room */
    uint8_t bytes[LF_IN_ROOM];
} lf_in;

static void lf_frame_byte(uint8_t byte)
{
    if (lf_in.used == LF_IN_ROOM)
        lf_in.bad = true;
    else
        lf_in.bytes[lf_in.used++] = byte;
}

/* Takes what the port has received. A frame's bytes stay in `lf_in.bytes`, `lf_in.used` of them without the CRC, until
 * the next call. */
static LF_APART enum lf_received lf_frame_receive(void)
{
    int16_t c;
    if (lf_port_console_overrun()) lf_in.bad = true;
    while ((c = lf_port_console_read()) >= 0) {
        if (!lf_in.begun && c != 0) lf_in.used = 0;
        if (c == 0) {
            bool begun = lf_in.begun, bad = lf_in.bad || lf_in.left;
            lf_in.begun = lf_in.bad = false;
            lf_in.left = 0;
            if (!begun) continue; /* a zero too many: what was before it is whole */
            if (bad || lf_in.used < LF_FRAME_HEAD + LF_FRAME_CRC) return LF_DAMAGED;
            lf_in.used -= LF_FRAME_CRC;
            uint16_t crc = lf_crc_of(lf_in.bytes, lf_in.used);
            return lf_in.bytes[lf_in.used] == (uint8_t)crc && lf_in.bytes[lf_in.used + 1] == (uint8_t)(crc >> 8)
                       ? LF_FRAME
                       : LF_DAMAGED;
        }
        if (lf_in.left == 0) {
            if (lf_in.begun) lf_frame_byte(0);
            lf_in.begun = true;
            lf_in.left = (uint8_t)(c - 1);
        } else {
            lf_in.left--;
            lf_frame_byte((uint8_t)c);
        }
    }
    return LF_NOTHING;
}

#endif
