/*
 * The program service, for the clipboard. Reads its arguments as Android's
 * Parcel and ClipData do, so that a clip in the wrong layout is refused.
 */
#include <inttypes.h>

#include "demo/adbd/program.h"
#include "util/utf8.h"

#define MAX_WORDS 8192
#define NO_STRING UINT32_MAX

/* A parcel of 32-bit words, and the position of the reader. */
struct parcel {
    uint32_t words[MAX_WORDS];
    size_t count;
    size_t at;
    bool broken;
};

static void
put_word(struct parcel *parcel, uint32_t word) {
    if (parcel->count < MAX_WORDS) {
        parcel->words[parcel->count++] = word;
    } else {
        parcel->broken = true;
    }
}

/* Writes a string as Parcel.writeString16 does. */
static void
put_string16(struct parcel *parcel, struct sq_span text) {
    size_t at = parcel->count;
    uint32_t units = 0;
    uint32_t word = 0;
    put_word(parcel, 0);
    while (text.len > 0) {
        uint32_t code = 0;
        size_t len = sq_utf8_decode(text, &code);
        bool is_pair = code >= 0x10000;
        uint32_t first = is_pair ? 0xd7c0 + (code >> 10) : code;
        for (int i = 0; i <= is_pair; i++) {
            uint32_t unit = i == 0 ? first : 0xdc00 + (code & 0x3ff);
            word |= unit << (units % 2 * 16);
            if (units++ % 2 == 1) {
                put_word(parcel, word);
                word = 0;
            }
        }
        len = len ? len : text.len;
        sq_span_skip(&text, len);
    }
    put_word(parcel, word);
    parcel->words[at] = units;
}

/* Reads "i32 N", "i64 N" and "s16 TEXT" arguments. */
static bool
read_arguments(const struct sq_adbd_call *call, struct parcel *parcel) {
    for (int i = 4; i + 1 < call->argc; i += 2) {
        const char *type = call->argv[i];
        struct sq_span value = sq_span_of(call->argv[i + 1]);
        int64_t number = 0;
        if (strcmp(type, "s16") == 0) {
            put_string16(parcel, value);
            continue;
        }
        if (!sq_span_to_int64(value, &number)) {
            return false;
        }
        put_word(parcel, (uint32_t)number);
        if (strcmp(type, "i64") == 0) {
            put_word(parcel, (uint32_t)((uint64_t)number >> 32));
        } else if (strcmp(type, "i32") != 0) {
            return false;
        }
    }
    return call->argc % 2 == 0 && !parcel->broken;
}

static uint32_t
take(struct parcel *parcel) {
    parcel->broken = parcel->broken || parcel->at == parcel->count;
    return parcel->broken ? 0 : parcel->words[parcel->at++];
}

static void
expect(struct parcel *parcel, uint32_t word) {
    parcel->broken = take(parcel) != word || parcel->broken;
}

static void
skip_string16(struct parcel *parcel) {
    uint32_t units = take(parcel);
    for (uint32_t i = 0; units != NO_STRING && i <= units / 2; i++) {
        take(parcel);
    }
}

/* Decodes UTF-16 units of a string16 to UTF-8. */
static void
read_string16(struct sq_adbd_call *call, struct parcel *parcel,
              struct sq_buf *out) {
    uint32_t units = take(parcel);
    uint32_t high = 0;
    uint32_t word = 0;
    for (uint32_t i = 0; !call->failed && !parcel->broken && i <= units; i++) {
        char bytes[SQ_UTF8_MAX];
        word = i % 2 == 0 ? take(parcel) : word >> 16;
        uint32_t unit = word & UINT16_MAX;
        if (i == units) {
            break;
        }
        if (sq_utf16_is_high(unit)) {
            high = unit;
            continue;
        }
        uint32_t code =
            sq_utf16_is_low(unit) ? sq_utf16_join(high, unit) : unit;
        sq_adbd_check(
            call,
            sq_buf_append(out, bytes, sq_utf8_encode(code, bytes), call->err));
    }
}

static void
read_string8(struct sq_adbd_call *call, struct parcel *parcel,
             struct sq_buf *out) {
    uint32_t len = take(parcel);
    uint32_t word = 0;
    for (uint32_t i = 0; !call->failed && !parcel->broken && i <= len; i++) {
        word = i % 4 == 0 ? take(parcel) : word >> 8;
        char byte = (char)(word & UINT8_MAX);
        sq_adbd_check(call,
                      i == len || sq_buf_append(out, &byte, 1, call->err));
    }
}

static void
read_item(struct sq_adbd_call *call, struct parcel *parcel, int api,
          struct sq_buf *out) {
    expect(parcel, 1); /* one item */
    expect(parcel, 1); /* its text is plain */
    if (api >= ANDROID_11) {
        read_string8(call, parcel, out);
    } else {
        read_string16(call, parcel, out);
    }
    if (api == ANDROID_10) {
        expect(parcel, 0);
    }
    expect(parcel, NO_STRING); /* no HTML */
    expect(parcel, 0);         /* no intent */
    if (api >= ANDROID_15) {
        expect(parcel, 0); /* no sender */
    }
    expect(parcel, 0); /* no URI */
    if (api >= ANDROID_12) {
        expect(parcel, 0); /* no activity */
        expect(parcel, 0); /* no links */
    }
}

/* Prints words as libbinder does: one line, or lines of four with offsets. */
static void
print_parcel(struct sq_adbd_call *call, const struct parcel *parcel) {
    bool is_long = parcel->count > 4;
    sq_adbd_print(call, "Result: Parcel(%s", is_long ? "\n" : "");
    for (size_t i = 0; i < parcel->count; i++) {
        if (is_long && i % 4 == 0) {
            sq_adbd_print(call, "  0x%08zx: ", i * 4);
        }
        sq_adbd_print(call, "%08" PRIx32 " ", parcel->words[i]);
        if (is_long && (i % 4 == 3 || i + 1 == parcel->count)) {
            sq_adbd_print(call, "'................'%s",
                          i + 1 < parcel->count ? "\n" : "");
        }
    }
    sq_adbd_print(call, "%s)\n", is_long ? "" : "  '....'");
}

static void
print_exception(struct sq_adbd_call *call) {
    struct parcel reply = { 0 };
    put_word(&reply, (uint32_t)-3);
    put_string16(&reply, SQ_SPAN("Bad parcel"));
    print_parcel(call, &reply);
}

static void
set_clip(struct sq_adbd_call *call, struct parcel *parcel, int api) {
    struct parcel reply = { 0 };
    SQ_BUF(text, SQ_FIELD_MAX_BYTES);
    /* ClipDescription, then the icon. */
    expect(parcel, 1);         /* a clip follows */
    expect(parcel, 1);         /* the label is plain */
    expect(parcel, NO_STRING); /* and missing */
    expect(parcel, 1);         /* one MIME type */
    skip_string16(parcel);
    expect(parcel, NO_STRING); /* no extras */
    take(parcel);              /* time, 64 bits */
    take(parcel);
    if (api >= ANDROID_12) {
        expect(parcel, 0); /* not styled */
        take(parcel);      /* state of classification */
        expect(parcel, 0); /* an empty bundle */
    }
    expect(parcel, 0); /* no icon */
    read_item(call, parcel, api, &text);
    skip_string16(parcel);
    if (api >= ANDROID_13) {
        expect(parcel, NO_STRING); /* no attribution tag */
    }
    expect(parcel, 0); /* user */
    if (api >= ANDROID_14) {
        expect(parcel, 0); /* device */
    }
    /* From Android 13 on, words that are left are an error. */
    parcel->broken =
        parcel->broken || (api >= ANDROID_13 && parcel->at != parcel->count);
    if (parcel->broken) {
        print_exception(call);
    } else if (!call->failed) {
        sq_buf_clear(&call->phone->clipboard);
        sq_adbd_check(call, sq_buf_append(&call->phone->clipboard, text.data,
                                          text.len, call->err));
        put_word(&reply, 0);
        print_parcel(call, &reply);
    }
}

static void
put_string(struct parcel *parcel, int api, struct sq_span text) {
    if (api < ANDROID_11) {
        put_string16(parcel, text);
        return;
    }
    put_word(parcel, (uint32_t)text.len);
    uint32_t word = 0;
    for (size_t i = 0; i <= text.len; i++) {
        uint32_t byte = i < text.len ? (unsigned char)text.ptr[i] : 0;
        word |= byte << (i % 4 * 8);
        if (i % 4 == 3 || i == text.len) {
            put_word(parcel, word);
            word = 0;
        }
    }
}

static void
get_clip(struct sq_adbd_call *call, int api) {
    static const uint32_t before[] = { 0, 1, 1, NO_STRING, 1 };
    struct parcel reply = { 0 };
    bool is_empty = call->phone->clipboard.len == 0;
    for (size_t i = 0; i < (is_empty ? 1 : 5); i++) {
        put_word(&reply, before[i]);
    }
    if (!is_empty) {
        put_string16(&reply, SQ_SPAN("text/plain"));
        put_word(&reply, NO_STRING);
        put_word(&reply, 0x12345678); /* time */
        put_word(&reply, 0x19a);
        if (api >= ANDROID_12) {
            put_word(&reply, 0);
            put_word(&reply, 3);
            put_word(&reply, 0);
        }
        put_word(&reply, 0);
        put_word(&reply, 1);
        put_word(&reply, 1);
        put_string(&reply, api, sq_buf_span(&call->phone->clipboard));
    } else {
        put_word(&reply, 0);
    }
    print_parcel(call, &reply);
}

static void
run_service(struct sq_adbd_call *call) {
    struct parcel parcel = { 0 };
    int api = sq_adbd_phone_api(call->phone);
    int getter = api >= ANDROID_12 ? 4 : api >= ANDROID_9 ? 3 : 2;
    int64_t code = 0;
    if (!sq_adbd_arg_is(call, 1, "call")
        || !sq_adbd_arg_is(call, 2, "clipboard") || call->argc < 4
        || !sq_span_to_int64(sq_span_of(call->argv[3]), &code)) {
        sq_adbd_fail(call, 10, "service: Service does not exist\n");
    } else if (!read_arguments(call, &parcel) || (code != 1 && code != getter)
               || sq_adbd_has(call, SQ_ADBD_NO_CLIPBOARD)) {
        print_exception(call);
    } else if (code == 1) {
        set_clip(call, &parcel, api);
    } else {
        get_clip(call, api);
    }
}

static void
run_clipboard(struct sq_adbd_call *call) {
    sq_adbd_fail(call, 255, "No shell command implementation.\n");
}

const struct sq_adbd_program sq_adbd_clipboard_programs[] = {
    { "service", run_service, SQ_ADBD_PROGRAM },
    { "clipboard", run_clipboard, SQ_ADBD_SERVICE },
    { 0 },
};
