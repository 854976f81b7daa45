/* What the check of an image does alike on processors of 32 bits with one address space: memory, devices, start-up; see
 * processor_32.h. */
#include "image/processor_32.h"

bool img_create_32(struct img *x, void *core, uint64_t *cycles)
{
    x->core = core;
    x->data = malloc(x->s.places);
    x->allowed = malloc(x->s.places);
    x->base_data = malloc(x->s.places);
    x->base_allowed = malloc(x->s.places);
    x->cycles = cycles;
    return core && x->data && x->allowed && x->base_data && x->base_allowed;
}

void img_destroy_32(struct img *x)
{
    free(x->core), free(x->data), free(x->allowed), free(x->base_data), free(x->base_allowed);
}

bool img_ask_32(struct img *x, uint32_t at, uint32_t size)
{
    if (img_is_memory(x->s.place[at])) {
        for (uint32_t i = 0; i < size; i++)
            if (x->allowed[at + i] & IMG_ASKS && !img_asked(x, at + i)) return false;
        return true;
    }
    uint32_t v = 0;
    if (!img_asked_device(x, at, size, &v)) return false;
    memcpy(x->data + at, &v, size);
    return true;
}

void img_tell_32(struct img *x, uint32_t at, uint32_t size)
{
    uint32_t v = 0;
    if (img_is_memory(x->s.place[at])) {
        for (uint32_t i = 0; i < size; i++) img_told(x, at + i);
        return;
    }
    memcpy(&v, x->data + at, size);
    img_told_device(x, at, size, v);
}

bool img_ask_at_start_32(struct img *x, uint32_t at, uint32_t size)
{
    uint32_t v = x->s.ready;
    if (x->s.place[at] != IMG_STATUS) {
        if (at != x->looked_at) {
            x->looked_at = at;
            x->looks = 0;
            memcpy(&x->looked_first, x->data + at, size);
        }
        v = x->looked_first ^ (x->looks++ & 15) * 0x11111111u;
    }
    memcpy(x->data + at, &v, size);
    return true;
}

void img_memory_at_start_32(struct img *x, uint32_t ram)
{
    uint32_t flash_at = x->s.places - x->s.flash_size;
    for (uint32_t at = 0; at < x->s.places; at++) {
        uint8_t place = x->s.place[at];
        bool is_flash = at >= flash_at;
        bool is_there = place != IMG_NOWHERE || at < x->s.stack_low; /* what lies between variables is cleared with them */
        x->allowed[at] = !is_there ? 0 : is_flash ? IMG_MAY_READ : IMG_MAY_READ | IMG_MAY_WRITE;
        if (place == IMG_STATUS || place == IMG_DEVICE || place == IMG_LINES) x->allowed[at] |= IMG_ASKS | IMG_TELLS;
        if (place == IMG_STACK) x->allowed[at] = IMG_MAY_WRITE | IMG_ON_STACK;
        x->data[at] = is_flash ? x->s.flash[at - flash_at] : at < ram ? 0xA5 : 0;
    }
}

void img_keep_started_32(struct img *x)
{
    for (uint32_t at = 0; at < x->s.places; at++) {
        uint8_t place = x->s.place[at];
        x->base_allowed[at] = x->allowed[at] = place == IMG_STACK && at >= x->base_stack ? 0 : img_allowed_at(x, place);
        x->base_data[at] = x->data[at];
    }
}

uint32_t img_at_entry_32(uint32_t r, bool inverse)
{
    uint32_t v = 0;
    for (uint32_t i = 0; i < 4; i++) v |= (uint32_t)img_pattern(4 * r + i, inverse) << 8 * i;
    return v;
}
