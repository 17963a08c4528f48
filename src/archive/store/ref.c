/* Encodes and decodes references, and stores their key. */
#include "archive/store/ref.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>

#include "archive/archive_private.h"
#include "sys/call.h"
#include "sys/entropy.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "util/mem.h"

#define KEY_NAME "screenshot-ref.key"
#define STEM_BYTES 5
#define PAYLOAD_BYTES 14 /* root 4, time 4, monitor 1, stem 5 */
#define MAC_BYTES 10
#define REF_BYTES (PAYLOAD_BYTES + MAC_BYTES)
#define BASE64URL sodium_base64_VARIANT_URLSAFE_NO_PADDING

/*
 * Written instead of a dash at the start, where a command line would take the
 * reference for an option. Earlier versions wrote the dash, so both are read.
 */
#define FIRST_DASH '.'

_Static_assert(REF_BYTES % 3 == 0 && REF_BYTES / 3 * 4 == SQ_REF_SIZE - 1,
               "a reference has no padding");

static bool
fail_key(const char *what, int number, struct sq_err *err) {
    sq_file_fail(KEY_NAME, false, number, err);
    return sq_fail_in(err, "%s", what);
}

bool
sq_ref_key_make(struct sq_ref_key *out, struct sq_err *err) {
    struct sq_ref_key key;
    if (sq_random_fill(key.bytes, sizeof(key.bytes)) < 0) {
        return fail_key("random numbers", errno, err);
    }
    *out = key;
    return true;
}

/*
 * Checks the key file: it must have the right size and be private to the user.
 */
static bool
check_file(int fd, struct sq_err *err) {
    struct stat st;
    if (sq_call_fstat(fd, &st) < 0) {
        return fail_key("the key of screenshot references", errno, err);
    }
    if (!S_ISREG(st.st_mode) || st.st_uid != sq_call_user()
        || st.st_mode & (S_IRWXG | S_IRWXO) || st.st_size != SQ_REF_KEY_BYTES) {
        sq_fail(err, SQ_ERR_IO,
                "%s is not a valid key file that only you can read", KEY_NAME);
        return sq_fail_hint(err,
                            "Delete it; squint then makes a new one. Earlier "
                            "screenshot references become invalid.");
    }
    return true;
}

static bool
read_file(int fd, struct sq_ref_key *out, struct sq_err *err) {
    struct sq_ref_key key;
    size_t have = 0;
    if (!check_file(fd, err)) {
        return false;
    }
    int number = sq_file_read_at(fd, key.bytes, sizeof(key.bytes), 0, &have);
    if (number != 0 || have < sizeof(key.bytes)) {
        return fail_key("the key of screenshot references",
                        number ? number : EIO, err);
    }
    *out = key;
    return true;
}

/*
 * Creates the key file. If several processes do so at the same time, one
 * succeeds and all read its key afterwards.
 */
static bool
make_file(int folder, struct sq_err *err) {
    struct sq_ref_key key;
    if (!sq_ref_key_make(&key, err)) {
        return false;
    }
    const struct sq_atomic_file file = { .bytes = key.bytes,
                                         .len = sizeof(key.bytes),
                                         .synced = true };
    bool ok =
        sq_atomic_file_make(folder, KEY_NAME, &file) == 0 || errno == EEXIST;
    int number = errno;
    sodium_memzero(&key, sizeof(key));
    return ok || fail_key("a new key", number, err);
}

static int
open_file(int folder) {
    return sq_call_openat(folder, KEY_NAME,
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
}

static bool
load_from(int folder, struct sq_ref_key *out, struct sq_err *err) {
    int fd = open_file(folder);
    if (fd < 0 && errno == ENOENT) {
        sigset_t saved;
        sq_call_hold_signals(&saved);
        bool made = make_file(folder, err);
        sq_call_release_signals(&saved);
        if (!made) {
            return false;
        }
        fd = open_file(folder);
    }
    if (fd < 0) {
        return fail_key("the key of screenshot references", errno, err);
    }
    bool ok = read_file(fd, out, err);
    sq_call_close(fd);
    return ok;
}

bool
sq_ref_key_load(const char *folder, struct sq_ref_key *out,
                struct sq_err *err) {
    int fd;
    if (!sq_folder_open(folder, &fd, err)) {
        return false;
    }
    bool ok = load_from(fd, out, err);
    sq_folder_close(fd);
    return ok;
}

/* Writes the first bytes of a keyed hash over a purpose letter and the text. */
static void
hash(const struct sq_ref_key *key, char purpose, struct sq_span text,
     uint8_t *out, size_t count) {
    uint8_t digest[crypto_generichash_BYTES];
    crypto_generichash_state state;
    crypto_generichash_init(&state, key->bytes, sizeof(key->bytes),
                            sizeof(digest));
    crypto_generichash_update(&state, (const uint8_t *)&purpose, 1);
    crypto_generichash_update(&state, (const uint8_t *)text.ptr, text.len);
    crypto_generichash_final(&state, digest, sizeof(digest));
    memcpy(out, digest, count);
}

static void
put_number(uint8_t *at, uint64_t value, size_t count) {
    for (size_t i = 0; i < count; i++) {
        at[i] = (uint8_t)(value >> 8 * (count - 1 - i));
    }
}

static uint64_t
get_number(const uint8_t *at, size_t count) {
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

uint64_t
sq_ref_stem(const struct sq_ref_key *key, struct sq_span stem) {
    uint8_t bytes[STEM_BYTES];
    hash(key, 's', stem, bytes, sizeof(bytes));
    return get_number(bytes, sizeof(bytes));
}

static void
sign(const struct sq_ref_key *key, const uint8_t payload[PAYLOAD_BYTES],
     uint8_t mac[MAC_BYTES]) {
    struct sq_span text = { (const char *)payload, PAYLOAD_BYTES };
    hash(key, 'm', text, mac, MAC_BYTES);
}

void
sq_ref_write(const struct sq_ref_key *key, const struct sq_ref *ref,
             char out[SQ_REF_SIZE]) {
    uint8_t bytes[REF_BYTES];
    put_number(bytes, ref->root, 4);
    put_number(bytes + 4, ref->utc, 4);
    bytes[8] = ref->monitor;
    put_number(bytes + 9, ref->stem, STEM_BYTES);
    sign(key, bytes, bytes + PAYLOAD_BYTES);
    sodium_bin2base64(out, SQ_REF_SIZE, bytes, sizeof(bytes), BASE64URL);
    out[0] = out[0] == '-' ? FIRST_DASH : out[0];
}

static bool
decode(struct sq_span text, uint8_t bytes[REF_BYTES]) {
    char plain[SQ_REF_SIZE];
    size_t len;
    if (text.len != SQ_REF_SIZE - 1) {
        return false;
    }
    memcpy(plain, text.ptr, text.len);
    plain[0] = plain[0] == FIRST_DASH ? '-' : plain[0];
    if (sodium_base642bin(bytes, REF_BYTES, plain, text.len, NULL, &len, NULL,
                          BASE64URL)
        || len != REF_BYTES) {
        return false;
    }
    /* libsodium takes some bytes that are no letters for some that are. */
    char again[SQ_REF_SIZE];
    sodium_bin2base64(again, sizeof(again), bytes, REF_BYTES, BASE64URL);
    return memcmp(again, plain, text.len) == 0;
}

bool
sq_ref_has_form(struct sq_span text) {
    uint8_t bytes[REF_BYTES];
    return decode(text, bytes);
}

bool
sq_ref_read(const struct sq_ref_key *key, struct sq_span text,
            struct sq_ref *out) {
    uint8_t bytes[REF_BYTES];
    uint8_t mac[MAC_BYTES];
    if (!decode(text, bytes)) {
        return false;
    }
    sign(key, bytes, mac);
    if (sodium_memcmp(mac, bytes + PAYLOAD_BYTES, MAC_BYTES) != 0) {
        return false;
    }
    *out = (struct sq_ref){
        .root = (uint32_t)get_number(bytes, 4),
        .utc = (uint32_t)get_number(bytes + 4, 4),
        .monitor = bytes[8],
        .stem = get_number(bytes + 9, STEM_BYTES),
    };
    return true;
}

bool
sq_user_key_init(struct sq_user_key *keys, const char *folder,
                 struct sq_err *err) {
    if (folder) {
        keys->folder = sq_mem_strdup(folder);
        if (!keys->folder) {
            return sq_fail_nomem(err);
        }
    }
    return sq_lock_create(&keys->lock, err);
}

void
sq_user_key_finish(struct sq_user_key *keys) {
    sq_lock_destroy(keys->lock);
    sq_mem_free(keys->folder);
    sodium_memzero(keys, sizeof(*keys));
}

/* Loads the user's key once. The lock must be held. */
static bool
load_user_key(struct sq_user_key *keys, struct sq_err *err) {
    if (!keys->has_user && keys->folder) {
        keys->has_user = sq_ref_key_load(keys->folder, &keys->user, err);
    }
    return keys->has_user;
}

bool
sq_user_key_choose(struct sq_user_key *keys, const struct sq_ref_key **out,
                   struct sq_err *err) {
    sq_lock_lock(keys->lock);
    bool has_user = load_user_key(keys, NULL);
    if (!has_user && !keys->has_temporary) {
        keys->has_temporary = sq_ref_key_make(&keys->temporary, err);
    }
    bool ok = has_user || keys->has_temporary;
    sq_lock_unlock(keys->lock);
    if (ok) {
        *out = has_user ? &keys->user : &keys->temporary;
    }
    return ok;
}

bool
sq_user_key_read(struct sq_user_key *keys, struct sq_span text,
                 struct sq_ref *out, const struct sq_ref_key **key,
                 struct sq_err *err) {
    sq_lock_lock(keys->lock);
    bool has_user = load_user_key(keys, err);
    bool has_temporary = keys->has_temporary;
    sq_lock_unlock(keys->lock);
    if (has_user && sq_ref_read(&keys->user, text, out)) {
        *key = &keys->user;
        return true;
    }
    if (has_temporary && sq_ref_read(&keys->temporary, text, out)) {
        *key = &keys->temporary;
        return true;
    }
    return false;
}

bool
sq_user_key_load(struct sq_user_key *keys) {
    sq_lock_lock(keys->lock);
    bool is_loaded = load_user_key(keys, NULL);
    sq_lock_unlock(keys->lock);
    return is_loaded;
}
