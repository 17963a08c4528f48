/*
 * Writes and reads frame ids that contain the frame: "f" and base64url of 37
 * bytes. Names of devices and apps are only hashed: the caller knows them.
 */
#include "session/state.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "sys/call.h"
#include "sys/entropy.h"

#define PREFIX 'f'
#define NUMBERS 8 /* of 16 bits: sizes of screen and image, the crop */
#define HASH_BYTES 4
#define NONCE_BYTES 4
#define MAC_BYTES 8

enum {
    FLAGS_AT = 0,
    NUMBERS_AT = 1,
    DEVICE_AT = NUMBERS_AT + 2 * NUMBERS,
    APP_AT = DEVICE_AT + HASH_BYTES,
    NONCE_AT = APP_AT + HASH_BYTES,
    MAC_AT = NONCE_AT + NONCE_BYTES,
    ID_BYTES = MAC_AT + MAC_BYTES,
    ID_LENGTH = 1 + (ID_BYTES * 4 + 2) / 3,
};

enum flag {
    ROTATION_MASK = 3,
    IS_REGION = 1 << 2,
    IS_DEFAULT = 1 << 3,
    OTHER_DISPLAY = 1 << 4,
    HAS_GRID = 1 << 5,
};

static const char another_app[] = "another app";

static void
hash_text(const uint8_t key[SQ_SESSION_KEY_BYTES], char kind, const char *text,
          uint8_t out[HASH_BYTES]) {
    const struct sq_span part = sq_span_of(text);
    sq_keyed_hash(key, kind, &part, 1, out, HASH_BYTES);
}

/* Signs the bytes before the signature. */
static void
sign(const uint8_t key[SQ_SESSION_KEY_BYTES], const uint8_t bytes[ID_BYTES],
     uint8_t out[MAC_BYTES]) {
    const struct sq_span part = { (const char *)bytes, MAC_AT };
    sq_keyed_hash(key, PREFIX, &part, 1, out, MAC_BYTES);
}

static void
put_numbers(const struct sq_view *view, uint8_t *out) {
    const int numbers[NUMBERS] = {
        view->device.width, view->device.height, view->image.width,
        view->image.height, view->crop.left,     view->crop.top,
        view->crop.right,   view->crop.bottom,
    };
    for (int i = 0; i < NUMBERS; i++) {
        out[2 * i] = (uint8_t)(numbers[i] >> 8);
        out[2 * i + 1] = (uint8_t)numbers[i];
    }
}

static struct sq_view
get_numbers(const uint8_t *from) {
    int n[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        n[i] = from[2 * i] << 8 | from[2 * i + 1];
    }
    return (struct sq_view){ .device = { n[0], n[1] },
                             .image = { n[2], n[3] },
                             .crop = { n[4], n[5], n[6], n[7] } };
}

bool
sq_portable_frame_is_id(struct sq_span id) {
    return id.len == ID_LENGTH && id.ptr[0] == PREFIX;
}

bool
sq_portable_frame_name(const uint8_t key[SQ_SESSION_KEY_BYTES],
                       struct sq_frame *frame, struct sq_err *err) {
    uint8_t bytes[ID_BYTES];
    int flags = (frame->rotation & ROTATION_MASK)
              | (frame->is_region ? IS_REGION : 0)
              | (frame->is_default ? IS_DEFAULT : 0)
              | (frame->other_display ? OTHER_DISPLAY : 0)
              | (frame->has_grid ? HAS_GRID : 0);
    bytes[FLAGS_AT] = (uint8_t)flags;
    put_numbers(&frame->view, bytes + NUMBERS_AT);
    hash_text(key, 'd', frame->device_id, bytes + DEVICE_AT);
    memset(bytes + APP_AT, 0, HASH_BYTES);
    if (frame->app[0]) {
        hash_text(key, 'a', frame->app, bytes + APP_AT);
    }
    /* Two pictures of one screen are not the same frame. */
    if (sq_random_fill(bytes + NONCE_AT, NONCE_BYTES) < 0) {
        return sq_errno_fail(err, "create an id");
    }
    sign(key, bytes, bytes + MAC_AT);
    frame->id[0] = PREFIX;
    sodium_bin2base64(frame->id + 1, sizeof(frame->id) - 1, bytes, ID_BYTES,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    return true;
}

static bool
decode(const uint8_t key[SQ_SESSION_KEY_BYTES], struct sq_span id,
       uint8_t bytes[ID_BYTES]) {
    uint8_t mac[MAC_BYTES];
    size_t count;
    if (!sq_portable_frame_is_id(id)
        || sodium_base642bin(bytes, ID_BYTES, id.ptr + 1, id.len - 1, NULL,
                             &count, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING)
               != 0
        || count != ID_BYTES) {
        return false;
    }
    sign(key, bytes, mac);
    return sodium_memcmp(mac, bytes + MAC_AT, MAC_BYTES) == 0;
}

/* Returns whether the hash in an id is that of the text. */
static bool
is_hash_of(const uint8_t key[SQ_SESSION_KEY_BYTES], char what, const char *text,
           const uint8_t expected[HASH_BYTES]) {
    uint8_t found[HASH_BYTES];
    hash_text(key, what, text, found);
    return memcmp(expected, found, HASH_BYTES) == 0;
}

static void
choose_app(const uint8_t key[SQ_SESSION_KEY_BYTES], const uint8_t *expected,
           const struct sq_app_names *apps, struct sq_frame *frame) {
    static const uint8_t none[HASH_BYTES];
    if (memcmp(expected, none, HASH_BYTES) == 0) {
        return;
    }
    const char *name = another_app;
    for (size_t i = 0; apps && i < apps->count && name == another_app; i++) {
        name = is_hash_of(key, 'a', apps->items[i], expected) ? apps->items[i]
                                                              : name;
    }
    snprintf(frame->app, sizeof(frame->app), "%s", name);
}

bool
sq_portable_frame_read(const uint8_t key[SQ_SESSION_KEY_BYTES],
                       struct sq_span id, const char *device_id,
                       const struct sq_app_names *apps, struct sq_frame *out) {
    uint8_t bytes[ID_BYTES];
    if (!decode(key, id, bytes)
        || (device_id && !is_hash_of(key, 'd', device_id, bytes + DEVICE_AT))) {
        return false;
    }
    int flags = bytes[FLAGS_AT];
    struct sq_frame frame = {
        .view = get_numbers(bytes + NUMBERS_AT),
        .rotation = flags & ROTATION_MASK,
        .is_region = flags & IS_REGION,
        .is_default = flags & IS_DEFAULT,
        .other_display = flags & OTHER_DISPLAY,
        .has_grid = flags & HAS_GRID,
    };
    memcpy(frame.id, id.ptr, id.len);
    snprintf(frame.device_id, sizeof(frame.device_id), "%s",
             device_id ? device_id : "");
    choose_app(key, bytes + APP_AT, apps, &frame);
    *out = frame;
    return true;
}
