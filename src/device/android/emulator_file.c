/* Reads the file in which a running emulator describes itself. */
#include "device/android/emulator_file.h"

#include <string.h>

#define MAX_PORT 65535

bool
sq_emulator_file_pid(struct sq_span name, int64_t *pid) {
    int64_t number;
    if (!sq_span_take_prefix(&name, "pid_")
        || !sq_span_ends_with(name, ".ini")) {
        return false;
    }
    name.len -= strlen(".ini");
    if (!sq_span_to_int64(name, &number) || number <= 0 || number > INT32_MAX) {
        return false;
    }
    *pid = number;
    return true;
}

static bool
parse_port(struct sq_span text, int *out) {
    int64_t number;
    if (!sq_span_to_int64(text, &number) || number <= 0 || number > MAX_PORT) {
        return false;
    }
    *out = (int)number;
    return true;
}

/* Copies a token, which is text without white space or control characters. */
static void
copy_token(struct sq_span text, char out[SQ_EMULATOR_TOKEN_SIZE]) {
    bool is_valid = text.len < SQ_EMULATOR_TOKEN_SIZE;
    for (size_t i = 0; i < text.len; i++) {
        is_valid = is_valid && text.ptr[i] > ' ' && text.ptr[i] < 0x7f;
    }
    out[0] = '\0';
    if (is_valid && text.len > 0) {
        memcpy(out, text.ptr, text.len);
        out[text.len] = '\0';
    }
}

static void
read_line(struct sq_span key, struct sq_span value,
          struct sq_emulator_file *out, bool *is_signed) {
    if (sq_span_is(key, "port.serial")) {
        parse_port(value, &out->serial_port);
    } else if (sq_span_is(key, "port.adb")) {
        parse_port(value, &out->adb_port);
    } else if (sq_span_is(key, "grpc.port")) {
        parse_port(value, &out->grpc_port);
    } else if (sq_span_is(key, "grpc.token")) {
        copy_token(value, out->token);
    } else if (sq_span_is(key, "grpc.server_cert")) {
        out->has_tls = value.len > 0;
    } else if (sq_span_is(key, "grpc.jwks")) {
        *is_signed = value.len > 0;
    }
}

void
sq_emulator_file_read(struct sq_span text, struct sq_emulator_file *out) {
    struct sq_span line;
    bool is_signed = false;
    *out = (struct sq_emulator_file){ 0 };
    while (sq_span_take_line(&text, &line)) {
        struct sq_span key;
        if (sq_span_take_until(&line, '=', &key)) {
            read_line(sq_span_trim(key), sq_span_trim(line), out, &is_signed);
        }
    }
    /* With both, either is accepted. */
    out->needs_signing = is_signed && out->token[0] == '\0';
}

/* Parses the port of a serial number with one of these beginnings. */
static bool
parse_serial(const char *serial, bool *by_address, int *port) {
    static const struct {
        const char *prefix;
        bool is_address;
    } forms[] = {
        { "emulator-", false },
        { "127.0.0.1:", true },
        { "localhost:", true },
        { "[::1]:", true },
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        struct sq_span rest = sq_span_of(serial);
        if (sq_span_take_prefix(&rest, forms[i].prefix)) {
            *by_address = forms[i].is_address;
            return parse_port(rest, port);
        }
    }
    return false;
}

bool
sq_emulator_file_is(const struct sq_emulator_file *file, const char *serial) {
    bool by_address;
    int port;
    return parse_serial(serial, &by_address, &port)
        && port == (by_address ? file->adb_port : file->serial_port);
}

bool
sq_emulator_is_serial(const char *serial) {
    bool by_address;
    int port;
    return parse_serial(serial, &by_address, &port);
}
