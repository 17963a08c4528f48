/*
 * Ids that say what they name, for clients whose calls have no session: frame
 * ids that contain the frame ("f" and base64url of 37 bytes), and numbers of
 * elements. Names of devices and apps are only hashed: the caller knows them.
 */
#include "session/state.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "session/session.h"
#include "sys/call.h"
#include "sys/entropy.h"

/*
 * Writes the first `out_count` bytes, at most 16, of the hash of the parts.
 * `kind` keeps hashes for different purposes apart; ("ab", "c") and ("a", "bc")
 * differ.
 */
static void
keyed_hash(const uint8_t key[SQ_SESSION_KEY_BYTES], char kind,
           const struct sq_span *parts, size_t count, uint8_t *out,
           size_t out_count) {
    uint8_t full[crypto_generichash_BYTES_MIN];
    crypto_generichash_state state;
    crypto_generichash_init(&state, key, SQ_SESSION_KEY_BYTES, sizeof(full));
    crypto_generichash_update(&state, (const uint8_t *)&kind, 1);
    for (size_t i = 0; i < count; i++) {
        const uint64_t len = parts[i].len;
        crypto_generichash_update(&state, (const uint8_t *)&len, sizeof(len));
        if (len > 0) {
            crypto_generichash_update(&state, (const uint8_t *)parts[i].ptr,
                                      len);
        }
    }
    crypto_generichash_final(&state, full, sizeof(full));
    memcpy(out, full, out_count);
}

#define PREFIX 'f'
#define HASH_BYTES 4
#define NONCE_BYTES 4
#define MAC_BYTES 8

enum {
    FLAGS_AT = 0,
    NUMBERS_AT = 1,
    DEVICE_AT = NUMBERS_AT + 2 * SQ_VIEW_NUMBERS,
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

static void
hash_text(const uint8_t key[SQ_SESSION_KEY_BYTES], char kind, const char *text,
          uint8_t out[HASH_BYTES]) {
    const struct sq_span part = sq_span_of(text);
    keyed_hash(key, kind, &part, 1, out, HASH_BYTES);
}

/* Signs the bytes before the signature. */
static void
sign(const uint8_t key[SQ_SESSION_KEY_BYTES], const uint8_t bytes[ID_BYTES],
     uint8_t out[MAC_BYTES]) {
    const struct sq_span part = { (const char *)bytes, MAC_AT };
    keyed_hash(key, PREFIX, &part, 1, out, MAC_BYTES);
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
    int numbers[SQ_VIEW_NUMBERS];
    memcpy(numbers, &frame->view, sizeof(numbers));
    for (int i = 0; i < SQ_VIEW_NUMBERS; i++) {
        bytes[NUMBERS_AT + 2 * i] = (uint8_t)(numbers[i] >> 8);
        bytes[NUMBERS_AT + 2 * i + 1] = (uint8_t)numbers[i];
    }
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
    const char *name = "another app";
    for (size_t i = 0; apps && i < apps->count; i++) {
        if (is_hash_of(key, 'a', apps->items[i], expected)) {
            name = apps->items[i];
            break;
        }
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
    int numbers[SQ_VIEW_NUMBERS];
    for (int i = 0; i < SQ_VIEW_NUMBERS; i++) {
        const uint8_t *from = bytes + NUMBERS_AT + 2 * i;
        numbers[i] = from[0] << 8 | from[1];
    }
    int flags = bytes[FLAGS_AT];
    struct sq_frame frame = {
        .rotation = flags & ROTATION_MASK,
        .is_region = flags & IS_REGION,
        .is_default = flags & IS_DEFAULT,
        .other_display = flags & OTHER_DISPLAY,
        .has_grid = flags & HAS_GRID,
    };
    memcpy(&frame.view, numbers, sizeof(numbers));
    memcpy(frame.id, id.ptr, id.len);
    snprintf(frame.device_id, sizeof(frame.device_id), "%s",
             device_id ? device_id : "");
    choose_app(key, bytes + APP_AT, apps, &frame);
    *out = frame;
    return true;
}

/* Returns the session that stores the names, with its lock held. */
static struct sq_session *
acquire_store(struct sq_session *session) {
    if (session->store) {
        sq_lock_lock(session->store->lock);
    }
    return sq_session_store(session);
}

static void
release_store(const struct sq_session *session) {
    if (session->store) {
        sq_lock_unlock(session->store->lock);
    }
}

static void
add(struct sq_session *store, const char *app) {
    size_t i = 0;
    while (i < store->app_count && strcmp(store->apps[i], app) != 0) {
        i++;
    }
    if (app[0] && i == store->app_count) {
        snprintf(store->apps[store->next_app], SQ_DEVICE_TEXT_SIZE, "%s", app);
        store->next_app = (store->next_app + 1) % SQ_SEEN_APPS;
        store->app_count += store->app_count < SQ_SEEN_APPS;
    }
}

void
sq_seen_apps_add(struct sq_session *session, const char *app) {
    add(acquire_store(session), app);
    release_store(session);
}

bool
sq_seen_apps_read_frame(struct sq_session *session, struct sq_span id,
                        const char *device_id, const char *foreground,
                        struct sq_frame *out) {
    struct sq_session *store = acquire_store(session);
    add(store, foreground);
    const struct sq_app_names apps = {
        (const char(*)[SQ_DEVICE_TEXT_SIZE])store->apps, store->app_count
    };
    bool ok = sq_portable_frame_read(session->key, id, device_id, &apps, out);
    release_store(session);
    return ok;
}

/*
 * A number is FIRST + 4 * hash, plus these flags. All have nine digits, so that
 * none is taken for a position in a list.
 */
#define FIRST 100000000
#define HASHES 225000000u
#define NO_LABEL 1 /* the label is not part of the hash */
#define SEEN 2     /* found in the pixels */

static int
number_of(const uint8_t key[SQ_SESSION_KEY_BYTES], const char *device_id,
          const struct sq_element *element, int flags) {
    const struct sq_dev_rect *bounds = &element->bounds;
    const int32_t place[] = { bounds->left, bounds->top, bounds->right,
                              bounds->bottom };
    const struct sq_span parts[] = {
        sq_span_of(device_id),
        { (const char *)place, sizeof(place) },
        element->type,
        element->resource_id,
        flags & NO_LABEL ? (struct sq_span){ 0 } : element->label,
        element->row,
    };
    uint64_t hash;
    keyed_hash(key, 'e', parts, SQ_COUNT(parts), (uint8_t *)&hash,
               sizeof(hash));
    return FIRST + 4 * (int)(hash % HASHES) + flags;
}

bool
sq_session_keeps_lists(const struct sq_session *session) {
    return !session->has_key;
}

int
sq_session_element_number(const struct sq_session *session,
                          const char *device_id,
                          const struct sq_element *element) {
    /* The device does not know a label that comes from the pixels. */
    return number_of(session->key, device_id, element,
                     element->flags & SQ_NODE_SEEN    ? SEEN
                     : element->flags & SQ_NODE_NAMED ? NO_LABEL
                                                      : 0);
}

bool
sq_session_is_element_number(const struct sq_session *session, int number) {
    return session->has_key && number >= FIRST;
}

bool
sq_session_is_seen_number(int number) {
    return (number - FIRST) % 4 & SEEN;
}

bool
sq_session_has_element_number(const struct sq_session *session,
                              const char *device_id,
                              const struct sq_element *element, int number) {
    return number_of(session->key, device_id, element, (number - FIRST) % 4)
        == number;
}
