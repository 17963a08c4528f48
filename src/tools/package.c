#include "tools/package.h"

#include <string.h>

const struct sq_arg sq_package_table[] = {
    { SQ_ARG_ROW(sq_package_args, package_name, "packageName", SQ_ARG_TEXT,
                 struct sq_span, "Of the app, as apps lists it"),
      .max_bytes = SQ_DEVICE_TEXT_SIZE - 1, .required = true },
    SQ_RECEIPT_ROWS(sq_package_args),
    SQ_ARGS_END,
};

static bool
is_allowed(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9') || (c != '\0' && strchr("._:-", c));
}

bool
sq_package_check(struct sq_span name, char out[SQ_DEVICE_TEXT_SIZE],
                 struct sq_err *err) {
    bool ok = name.len > 0 && name.ptr[0] != '-';
    for (size_t i = 0; i < name.len; i++) {
        ok = ok && is_allowed(name.ptr[i]);
    }
    if (!ok) {
        sq_fail(err, SQ_ERR_ARGUMENT, "packageName is not the name of an app");
        return sq_fail_hint(err, "Names look like com.example.app; the "
                                 "operation apps lists them.");
    }
    memcpy(out, name.ptr, name.len);
    out[name.len] = '\0';
    return true;
}
