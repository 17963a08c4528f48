/* Reads and sets the clipboard of an Android device. */
#include <inttypes.h>

#include "device/android/command.h"
#include "util/utf8.h"

/* API levels at which a parcel changes. */
enum {
    ANDROID_9 = 28,
    ANDROID_10 = 29,
    ANDROID_11 = 30,
    ANDROID_12 = 31,
    ANDROID_13 = 33,
    ANDROID_14 = 34,
    ANDROID_15 = 35,
};

#define NULL_WORD (-1)
#define CALLER "com.android.shell"

/* The caller: package, attribution tag, user, device. */
static bool
put_caller(struct sq_buf *out, int api, struct sq_err *err) {
    return sq_buf_printf(out, err, " s16 " CALLER "%s i32 0%s",
                         api >= ANDROID_13 ? " i32 -1" : "",
                         api >= ANDROID_14 ? " i32 0" : "");
}

/*
 * The description (label, MIME types, extras, time, state of classification),
 * the only item (text, HTML, intent, sender, URI, activity, links) and the
 * caller.
 */
bool
sq_clip_put_set(struct sq_buf *out, int api, struct sq_span text,
                struct sq_err *err) {
    bool ok = sq_buf_printf(
        out, err,
        "service call clipboard 1 i32 1 i32 1 i32 -1 i32 1 s16 text/plain "
        "i32 -1 i64 0%s i32 0 i32 1 i32 1",
        api >= ANDROID_12 ? " i32 0 i32 1 i32 0" : "");
    if (api < ANDROID_11) {
        ok = ok && sq_buf_printf(out, err, " s16 ")
          && sq_shell_quote(out, text, err);
    } else {
        /* As bytes: their number, then words with a NUL at the end. */
        ok = ok && sq_buf_printf(out, err, " i32 %d", (int)text.len);
        for (size_t at = 0; ok && at <= text.len; at += 4) {
            uint32_t word = 0;
            for (size_t i = 0; i < 4 && at + i < text.len; i++) {
                word |= (uint32_t)(unsigned char)text.ptr[at + i] << (8 * i);
            }
            ok = sq_buf_printf(out, err, " i32 %d", (int)word);
        }
    }
    return ok
        && sq_buf_printf(out, err, "%s i32 -1 i32 0%s i32 0%s",
                         api == ANDROID_10 ? " i32 0" : "",
                         api >= ANDROID_15 ? " i32 0" : "",
                         api >= ANDROID_12 ? " i32 0 i32 0" : "")
        && put_caller(out, api, err);
}

bool
sq_clip_put_get(struct sq_buf *out, int api, struct sq_err *err) {
    int code = api >= ANDROID_12 ? 4 : api >= ANDROID_9 ? 3 : 2;
    return sq_buf_printf(out, err, "service call clipboard %d", code)
        && put_caller(out, api, err);
}

/* Reads the words of a printed parcel, in order. */
struct words {
    struct sq_span rest;
    bool failed; /* a word was missing */
};

/*
 * Takes eight hexadecimal digits that a blank or a quote follows. Skips what is
 * not a word: "0x00000010: " before a line, and after it its bytes as text
 * between quotes, which end at the end of the line.
 */
static uint32_t
next(struct words *words) {
    struct sq_span *rest = &words->rest;
    struct sq_span skipped;
    uint32_t word = 0;
    sq_span_take_prefix(rest, " ");
    if (sq_span_starts_with(*rest, "'")) {
        sq_span_take_until(rest, '\n', &skipped);
    }
    *rest = sq_span_trim(*rest);
    if (sq_span_starts_with(*rest, "0x")) {
        sq_span_take_until(rest, ':', &skipped);
        *rest = sq_span_trim(*rest);
    }
    struct sq_span at = *rest;
    if (words->failed || sq_span_take_hex(&at, 8, &word) < 8 || at.len == 0
        || (at.ptr[0] != ' ' && at.ptr[0] != '\'')) {
        words->failed = true;
        return 0;
    }
    *rest = at;
    return word;
}

static bool
begin_words(struct sq_span reply, struct words *out) {
    struct sq_span before;
    *out = (struct words){ .rest = reply };
    return sq_span_take_until(&out->rest, '(', &before)
        && sq_span_ends_with(before, "Parcel");
}

bool
sq_clip_is_done(struct sq_span reply) {
    struct words words;
    return begin_words(reply, &words) && next(&words) == 0 && !words.failed;
}

static void
skip(struct words *words, uint32_t count) {
    while (!words->failed && count-- > 0) {
        next(words);
    }
}

/*
 * Reads a string of `unit` bytes per unit: UTF-8 or UTF-16. out may be NULL. A
 * missing string is empty.
 */
static bool
take_string(struct words *words, uint32_t unit, struct sq_buf *out,
            struct sq_err *err) {
    const uint32_t units = 4 / unit; /* per word */
    const uint32_t len = next(words);
    uint32_t high = 0;
    bool ok = true;
    if ((int32_t)len == NULL_WORD) {
        return true;
    }
    for (uint32_t at = 0; ok && !words->failed && at <= len; at += units) {
        uint32_t word = next(words);
        for (uint32_t i = 0; ok && out && i < units && at + i < len; i++) {
            uint32_t code =
                word >> (8 * unit * i) & (unit == 1 ? 0xff : 0xffff);
            char bytes[SQ_UTF8_MAX] = { (char)code };
            size_t count = 1;
            if (unit == 2 && sq_utf16_is_high(code)) {
                high = code;
                continue;
            }
            if (unit == 2) {
                code = sq_utf16_is_low(code) && high ? sq_utf16_join(high, code)
                                                     : code;
                count = sq_utf8_encode(code, bytes);
                high = 0;
            }
            ok = sq_buf_append(out, bytes, count, err);
        }
    }
    return ok;
}

static uint32_t
unit_of_text(int api) {
    return api >= ANDROID_11 ? 1 : 2;
}

/* Skips a bundle: its length in bytes, then a mark and that many bytes. */
static void
skip_bundle(struct words *words) {
    uint32_t bytes = next(words);
    if ((int32_t)bytes > 0) {
        skip(words, 1 + (bytes + 3) / 4);
    }
}

/* Skips everything before the first item. Returns whether there is one. */
static bool
skip_description(struct words *words, int api) {
    next(words); /* kind of the label: plain or styled */
    take_string(words, unit_of_text(api), NULL, NULL);
    uint32_t types = next(words);
    for (uint32_t i = 0; i < types && !words->failed; i++) {
        take_string(words, 2, NULL, NULL);
    }
    skip_bundle(words);
    skip(words, 2);
    if (api >= ANDROID_12) {
        skip(words, 2);
        skip_bundle(words);
    }
    uint32_t icon = next(words);
    uint32_t items = next(words);
    return !words->failed && icon == 0 && items > 0;
}

bool
sq_clip_read(struct sq_span reply, int api, struct sq_buf *out,
             enum sq_clip_content *content, struct sq_err *err) {
    struct words words;
    size_t start = out->len;
    *content = SQ_CLIP_UNKNOWN;
    if (!begin_words(reply, &words) || next(&words) != 0 || words.failed) {
        return true;
    }
    if (next(&words) == 0 && !words.failed) {
        *content = SQ_CLIP_EMPTY;
        return true;
    }
    if (!skip_description(&words, api)) {
        return true;
    }
    next(&words); /* kind of the text: plain or styled */
    bool ok = take_string(&words, unit_of_text(api), out, err);
    struct sq_span text = { (const char *)out->data + start, out->len - start };
    if (ok && !words.failed && text.len > 0
        && sq_utf8_valid_len(text) == text.len) {
        *content = SQ_CLIP_TEXT;
    } else {
        sq_buf_clear(out);
        sq_buf_commit(out, start);
    }
    return ok;
}

#define MAX_COMMAND ((size_t)60 << 10)

static bool
fail_refused(struct sq_err *err) {
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "this Android does not let adb use its clipboard");
    return sq_fail_hint(err, "Type the text with @input, or paste it by hand.");
}

/*
 * Runs the call that sets the clipboard to a text, or else the one that reads
 * it, and gives its printed reply. The caller finishes *output.
 */
static bool
call(struct sq_android *android, int *api, const struct sq_span *text,
     struct sq_adb_output *output, const struct sq_deadline *deadline,
     struct sq_err *err) {
    SQ_BUF(command, MAX_COMMAND);
    sq_adb_output_init(output, SQ_ANDROID_MAX_OUTPUT);
    output->is_action = true;
    return sq_android_api(android, api, deadline, err)
        && (*api >= SQ_CLIP_MIN_API || fail_refused(err))
        && (text ? sq_clip_put_set(&command, *api, *text, err)
                 : sq_clip_put_get(&command, *api, err))
        && sq_adb_run(&android->link, sq_buf_span(&command), output, deadline,
                      err);
}

bool
sq_android_clip_set(struct sq_android *android, struct sq_span text,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    int api;
    if (text.len > SQ_CLIP_MAX_BYTES) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the text for the clipboard is longer than %zu bytes",
                       SQ_CLIP_MAX_BYTES);
    }
    if (sq_emulator_clip_set(&android->emulator, text, deadline, NULL)) {
        return true;
    }
    return call(android, &api, &text, &output, deadline, err)
        && (sq_clip_is_done(sq_buf_span(&output.out)) || fail_refused(err));
}

bool
sq_android_clip_get(struct sq_android *android, struct sq_buf *out,
                    enum sq_clip_content *content,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    int api;
    size_t before = out->len;
    if (sq_emulator_clip_get(&android->emulator, out, deadline, NULL)) {
        /* It does not tell an empty clipboard from one without text. */
        *content = out->len > before ? SQ_CLIP_TEXT : SQ_CLIP_UNKNOWN;
        return true;
    }
    return call(android, &api, NULL, &output, deadline, err)
        && sq_clip_read(sq_buf_span(&output.out), api, out, content, err);
}
