#include "mcp/server.h"

#include "support/test.h"

static const uint8_t key[SQ_MCP_KEY_BYTES] = { 7 };
static const uint8_t other_key[SQ_MCP_KEY_BYTES] = { 8 };

static bool
opens(const uint8_t *with, const char *purpose, struct sq_span sealed,
      const char *expected) {
    struct sq_span text = { 0 };
    T_ARENA(arena, 1 << 16);
    bool ok = sq_mcp_state_open(with, sq_span_of(purpose), sealed, &arena,
                                &text, &t_err);
    T(!ok || sq_span_is(text, expected));
    T(ok || t_err.code == SQ_ERR_ARGUMENT);
    return ok;
}

T_CASE(opens_only_what_was_sealed) {
    T_BUF(sealed, 1 << 16);
    T_OK(sq_mcp_state_seal(key, SQ_SPAN("tools/call a"), SQ_SPAN("step 2"),
                           &sealed, &t_err));
    struct sq_span text = sq_buf_span(&sealed);
    T(opens(key, "tools/call a", text, "step 2"));
    T(!opens(key, "tools/call b", text, ""));
    T(!opens(other_key, "tools/call a", text, ""));
    T(!opens(key, "tools/call a", SQ_SPAN(""), ""));
    T(!opens(key, "tools/call a", SQ_SPAN("not base64!"), ""));
    for (size_t i = 0; i < sealed.len; i++) {
        uint8_t before = sealed.data[i];
        sealed.data[i] = before == 'A' ? 'B' : 'A';
        T(!opens(key, "tools/call a", text, ""));
        sealed.data[i] = before;
    }
}

T_CASE(limits_the_size) {
    static char large[SQ_MCP_MAX_STATE + 1];
    T_BUF(sealed, 1 << 16);
    T_FAILS(sq_mcp_state_seal(key, SQ_SPAN("a"),
                              (struct sq_span){ large, sizeof(large) }, &sealed,
                              &t_err),
            SQ_ERR_LIMIT);
}
