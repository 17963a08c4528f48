/* Keys of links, and signed cookies. */
#include "inspector/inspector.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>

#include "sys/call.h"
#include "sys/entropy.h"

#define NONCE_BYTES 16
#define MAC_BYTES 32
#define MAX_HOST 300
#define PROOF_MS ((int64_t)SQ_INSPECTOR_PROOF_SECONDS * 1000)
#define COOKIE_NAME "squint_inspector_"

void
sq_inspector_access_init(struct sq_inspector_access *access, const char *token,
                         const char *secret, int port) {
    static const char purpose[] = "squint inspector cookie";
    crypto_generichash_state state;
    *access = (struct sq_inspector_access){ .port = port };
    crypto_generichash_init(&state, (const unsigned char *)purpose,
                            sizeof(purpose), sizeof(access->secret));
    /* With their ends, so that no other pair gives the same bytes. */
    crypto_generichash_update(&state, (const unsigned char *)token,
                              strlen(token) + 1);
    crypto_generichash_update(&state, (const unsigned char *)secret,
                              strlen(secret) + 1);
    crypto_generichash_final(&state, access->secret, sizeof(access->secret));
}

bool
sq_inspector_access_make_key(struct sq_inspector_access *access, int64_t now_s,
                             char out[SQ_INSPECTOR_KEY_SIZE],
                             struct sq_err *err) {
    if (sq_random_hex(out, SQ_INSPECTOR_KEY_SIZE) < 0) {
        return sq_errno_fail(err, "create a random number");
    }
    int at = access->next;
    memcpy(access->keys[at].text, out, SQ_INSPECTOR_KEY_SIZE);
    access->keys[at].until_s = now_s + SQ_INSPECTOR_KEY_SECONDS;
    access->next = (at + 1) % SQ_INSPECTOR_MAX_KEYS;
    return true;
}

bool
sq_inspector_access_use_key(struct sq_inspector_access *access, int64_t now_s,
                            struct sq_span key) {
    bool is_valid = false;
    for (int i = 0; i < SQ_INSPECTOR_MAX_KEYS; i++) {
        char *text = access->keys[i].text;
        if (key.len == SQ_INSPECTOR_KEY_SIZE - 1 && text[0]
            && sodium_memcmp(text, key.ptr, key.len) == 0) {
            is_valid = now_s <= access->keys[i].until_s;
            text[0] = '\0';
        }
    }
    return is_valid;
}

/* Writes the signature of a text in hexadecimal. */
static void
sign(const struct sq_inspector_access *access, struct sq_span text,
     char out[2 * MAC_BYTES + 1]) {
    unsigned char mac[MAC_BYTES];
    crypto_generichash(mac, sizeof(mac), (const unsigned char *)text.ptr,
                       text.len, access->secret, sizeof(access->secret));
    sodium_bin2hex(out, 2 * MAC_BYTES + 1, mac, sizeof(mac));
}

bool
sq_inspector_access_make_cookie(const struct sq_inspector_access *access,
                                int64_t now_s,
                                char out[SQ_INSPECTOR_COOKIE_SIZE],
                                struct sq_err *err) {
    char nonce[2 * NONCE_BYTES + 1];
    char text[64];
    char mac[2 * MAC_BYTES + 1];
    if (sq_random_hex(nonce, sizeof(nonce)) < 0) {
        return sq_errno_fail(err, "create a random number");
    }
    snprintf(text, sizeof(text), "%" PRId64 ".%s",
             now_s + SQ_INSPECTOR_COOKIE_SECONDS, nonce);
    sign(access, sq_span_of(text), mac);
    snprintf(out, SQ_INSPECTOR_COOKIE_SIZE, COOKIE_NAME "%d=%s.%s",
             access->port, text, mac);
    return true;
}

static bool
is_valid(const struct sq_inspector_access *access, int64_t now_s,
         struct sq_span value) {
    char mac[2 * MAC_BYTES + 1];
    struct sq_span rest = value;
    struct sq_span until;
    struct sq_span nonce;
    int64_t until_s;
    if (!sq_span_take_until(&rest, '.', &until)
        || !sq_span_take_until(&rest, '.', &nonce)
        || rest.len != 2 * MAC_BYTES) {
        return false;
    }
    sign(access, (struct sq_span){ value.ptr, value.len - rest.len - 1 }, mac);
    return sodium_memcmp(mac, rest.ptr, rest.len) == 0
        && sq_span_to_int64(until, &until_s) && now_s <= until_s;
}

bool
sq_inspector_access_check(const struct sq_inspector_access *access,
                          int64_t now_s, struct sq_span header) {
    char name[64];
    snprintf(name, sizeof(name), COOKIE_NAME "%d=", access->port);
    while (header.len > 0) {
        struct sq_span pair;
        if (!sq_span_take_until(&header, ';', &pair)) {
            pair = header;
            header.len = 0;
        }
        pair = sq_span_trim(pair);
        if (sq_span_take_prefix(&pair, name) && is_valid(access, now_s, pair)) {
            return true;
        }
    }
    return false;
}

/* Writes the signature of "link TIME HOST", which is no text of a cookie. */
static void
sign_proof(const struct sq_inspector_access *access, struct sq_span host,
           int64_t time_ms, char out[2 * MAC_BYTES + 1]) {
    char text[MAX_HOST + 40];
    int len =
        snprintf(text, sizeof(text), "link %" PRId64 " %.*s", time_ms,
                 (int)(host.len < MAX_HOST ? host.len : MAX_HOST), host.ptr);
    sign(access, (struct sq_span){ text, (size_t)len }, out);
}

void
sq_inspector_access_make_proof(const struct sq_inspector_access *access,
                               struct sq_span host, int64_t now_ms,
                               char out[SQ_INSPECTOR_PROOF_SIZE]) {
    char mac[2 * MAC_BYTES + 1];
    sign_proof(access, host, now_ms, mac);
    snprintf(out, SQ_INSPECTOR_PROOF_SIZE, "%" PRId64 ".%s", now_ms, mac);
}

bool
sq_inspector_access_check_proof(const struct sq_inspector_access *access,
                                struct sq_span host, int64_t started_ms,
                                int64_t now_ms, struct sq_span proof) {
    char mac[2 * MAC_BYTES + 1];
    struct sq_span time;
    int64_t time_ms;
    if (host.len >= MAX_HOST || !sq_span_take_until(&proof, '.', &time)
        || proof.len != 2 * MAC_BYTES || !sq_span_to_int64(time, &time_ms)) {
        return false;
    }
    sign_proof(access, host, time_ms, mac);
    return sodium_memcmp(mac, proof.ptr, proof.len) == 0
        && time_ms >= started_ms && time_ms >= now_ms - PROOF_MS
        && time_ms <= now_ms + PROOF_MS;
}
