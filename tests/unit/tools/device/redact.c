#include "tools/device/redact.h"

#include "support/test.h"

static void
redacted(const char *line, const char *wanted) {
    T_BUF(out, 4096);
    T_OK(sq_redact_line(&out, sq_span_of(line), &t_err));
    T_BYTES((const char *)out.data, out.len, wanted, strlen(wanted));
}

T_CASE(secrets_are_replaced) {
    redacted("password=hunter2, user=ada", "password=[redacted], user=ada");
    redacted("GET / Authorization: Bearer eyJ.abc done",
             "GET / Authorization: Bearer [redacted] done");
    redacted("{\"token\":\"abc\",\"n\":1}",
             "{\"token\":\"[redacted]\",\"n\":1}");
    redacted("Cookie: a=b; c=d", "Cookie: [redacted]; c=d");
    redacted("API_KEY: x&SECRET=y", "API_KEY: [redacted]&SECRET=[redacted]");
}

T_CASE(other_text_is_kept) {
    redacted("", "");
    redacted("no words here", "no words here");
    redacted("tokens", "tokens");
    redacted("password", "password");
    redacted("the token=", "the token=");
}

static bool
redact(void *context, struct sq_err *err) {
    T_BUF(out, 4096);
    return sq_redact_line(&out, SQ_SPAN("password=x and more"), err);
}

T_CASE(every_allocation_can_fail) {
    T(t_alloc_torture(redact, NULL) > 0);
}
