/* Seals and opens state: base64 of a MAC, the time of expiry and the text. */
#include "mcp/server.h"

#include <sodium.h>
#include <string.h>

#include "sys/clock.h"
#include "util/base64.h"
#include "util/bytes.h"

#define MAC_BYTES 16
#define TIME_BYTES 8
#define NS_PER_S 1000000000
#define VALID_S 3600
#define MAX_SEALED_BYTES (SQ_MCP_MAX_STATE + MAC_BYTES + TIME_BYTES)

static void
compute_mac(const uint8_t key[SQ_MCP_KEY_BYTES], struct sq_span purpose,
            const uint8_t *bytes, size_t count, uint8_t mac[MAC_BYTES]) {
    crypto_generichash_state hash;
    const uint64_t purpose_len = purpose.len;
    crypto_generichash_init(&hash, key, SQ_MCP_KEY_BYTES, MAC_BYTES);
    crypto_generichash_update(&hash, (const uint8_t *)&purpose_len,
                              sizeof(purpose_len));
    crypto_generichash_update(&hash, (const uint8_t *)purpose.ptr, purpose.len);
    crypto_generichash_update(&hash, bytes, count);
    crypto_generichash_final(&hash, mac, MAC_BYTES);
}

bool
sq_mcp_state_seal(const uint8_t key[SQ_MCP_KEY_BYTES], struct sq_span purpose,
                  struct sq_span state, struct sq_buf *out,
                  struct sq_err *err) {
    uint8_t bytes[MAX_SEALED_BYTES];
    uint64_t expires = (uint64_t)(sq_clock_wall_ns() / NS_PER_S + VALID_S);
    if (state.len > SQ_MCP_MAX_STATE) {
        return sq_fail(err, SQ_ERR_LIMIT, "the state is too long");
    }
    for (int i = 0; i < TIME_BYTES; i++) {
        bytes[MAC_BYTES + i] = (uint8_t)(expires >> 8 * i);
    }
    if (state.len > 0) {
        memcpy(bytes + MAC_BYTES + TIME_BYTES, state.ptr, state.len);
    }
    compute_mac(key, purpose, bytes + MAC_BYTES, TIME_BYTES + state.len, bytes);
    return sq_base64_append(out, bytes, MAC_BYTES + TIME_BYTES + state.len,
                            err);
}

static bool
is_valid(const uint8_t key[SQ_MCP_KEY_BYTES], struct sq_span purpose,
         const struct sq_buf *bytes) {
    uint8_t mac[MAC_BYTES];
    if (bytes->len < MAC_BYTES + TIME_BYTES) {
        return false;
    }
    compute_mac(key, purpose, bytes->data + MAC_BYTES, bytes->len - MAC_BYTES,
                mac);
    return sodium_memcmp(mac, bytes->data, MAC_BYTES) == 0
        && (uint64_t)(sq_clock_wall_ns() / NS_PER_S)
               <= sq_load_le64(bytes->data + MAC_BYTES);
}

bool
sq_mcp_state_open(const uint8_t key[SQ_MCP_KEY_BYTES], struct sq_span purpose,
                  struct sq_span sealed, struct sq_arena *arena,
                  struct sq_span *out, struct sq_err *err) {
    SQ_BUF(bytes, MAX_SEALED_BYTES);
    if (!sq_base64_decode(sealed, &bytes, NULL)
        || !is_valid(key, purpose, &bytes)) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "requestState was changed, is too old or belongs to another "
                "request");
        return sq_fail_hint(err, "Send the request again without it.");
    }
    struct sq_span text = sq_buf_span(&bytes);
    sq_span_skip(&text, MAC_BYTES + TIME_BYTES);
    bool ok = sq_arena_keep(arena, &text, err);
    *out = ok ? text : *out;
    return ok;
}
