/* The names of keys, and accented letters as keys. */
#include <string.h>

#include "device/android/command.h"
#include "util/span.h"
#include "util/utf8.h"

#define MAX_CODE 400

static const struct key {
    const char *name;
    int code;
} keys[] = {
    { "back", 4 },
    { "home", 3 },
    { "enter", SQ_KEYCODE_ENTER },
    { "tab", SQ_KEYCODE_TAB },
    { "delete", 67 },
    { "backspace", 67 },
    { "del", 67 },
    { "forward_delete", 112 },
    { "forward_del", 112 },
    { "escape", 111 },
    { "space", 62 },
    { "app_switch", 187 },
    { "recents", 187 },
    { "menu", 82 },
    { "search", 84 },
    { "power", 26 },
    { "wakeup", 224 },
    { "sleep", 223 },
    { "up", 19 },
    { "down", 20 },
    { "left", 21 },
    { "right", 22 },
    { "center", 23 },
    { "dpad_up", 19 },
    { "dpad_down", 20 },
    { "dpad_left", 21 },
    { "dpad_right", 22 },
    { "dpad_center", 23 },
    { "page_up", 92 },
    { "page_down", 93 },
    { "move_home", 122 },
    { "move_end", 123 },
    { "insert", 124 },
    { "volume_up", 24 },
    { "volume_down", 25 },
    { "volume_mute", 164 },
    { "mute", 91 },
    { "camera", 27 },
    { "call", 5 },
    { "endcall", 6 },
    { "notification", 83 },
    { "settings", 176 },
    { "assist", 219 },
    { "brightness_down", 220 },
    { "brightness_up", 221 },
    { "media_play_pause", 85 },
    { "media_stop", 86 },
    { "media_next", 87 },
    { "media_previous", 88 },
    { "media_rewind", 89 },
    { "media_fast_forward", 90 },
    { "media_play", 126 },
    { "media_pause", 127 },
    { "cut", 277 },
    { "copy", 278 },
    { "paste", SQ_KEYCODE_PASTE },
    { "all_apps", 284 },
    { "tv", 170 },
    { "guide", 172 },
    { "channel_up", 166 },
    { "channel_down", 167 },
};

bool
sq_android_key_code(const char *name, int *out, struct sq_err *err) {
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest nearest;
    int64_t code;
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        const char *key = keys[i].name;
        size_t at = 0;
        /* '-' equals '_', so "page-up" is "page_up". */
        while (key[at] && key[at] == (name[at] == '-' ? '_' : name[at])) {
            at++;
        }
        if (key[at] == '\0' && name[at] == '\0') {
            *out = keys[i].code;
            return true;
        }
        sq_nearest_try(&nearest, key);
    }
    if (sq_span_to_int64(sq_span_of(name), &code) && code > 0
        && code <= MAX_CODE) {
        *out = (int)code;
        return true;
    }
    sq_nearest_remark(&nearest, remark);
    sq_fail(err, SQ_ERR_ARGUMENT, "no key \"%.40s\"%s", name, remark);
    return sq_fail_hint(
        err, "Use for example back, home, enter, tab, delete, escape, space, "
             "app_switch, up, down, left, right, page_up, page_down, menu, "
             "power, wakeup, volume_up, volume_down, or a key code.");
}

const char *
sq_android_key_name_at(size_t index) {
    return index < SQ_COUNT(keys) ? keys[index].name : NULL;
}

/* The letters that a dead key composes, in the order of `bases`. */
static const struct dead_key {
    uint32_t mark;
    const char *bases;
    const char *letters;
} dead_keys[] = {
    { 0x300, "aeinouwyAEINOUWY", "àèìǹòùẁỳÀÈÌǸÒÙẀỲ" },
    { 0x301, "acegiklmnoprsuwyzACEGIKLMNOPRSUWYZ",
      "áćéǵíḱĺḿńóṕŕśúẃýźÁĆÉǴÍḰĹḾŃÓṔŔŚÚẂÝŹ" },
    { 0x302, "aceghijosuwyzACEGHIJOSUWYZ", "âĉêĝĥîĵôŝûŵŷẑÂĈÊĜĤÎĴÔŜÛŴŶẐ" },
    { 0x303, "aeinouvyAEINOUVY", "ãẽĩñõũṽỹÃẼĨÑÕŨṼỸ" },
    { 0x308, "aehiotuwxyAEHIOUWXY", "äëḧïöẗüẅẍÿÄËḦÏÖÜẄẌŸ" },
};

bool
sq_accents_is_mark(uint32_t code) {
    bool found = false;
    for (size_t i = 0; i < SQ_COUNT(dead_keys); i++) {
        found = found || dead_keys[i].mark == code;
    }
    return found;
}

bool
sq_accents_has_key(uint32_t code) {
    return code == 0xe7 || code == 0xc7 || code == 0xdf;
}

/* Returns the letter at that position of a dead key's row. */
static uint32_t
letter_at(const struct dead_key *key, size_t index) {
    struct sq_span rest = sq_span_of(key->letters);
    uint32_t code = 0;
    for (size_t i = 0; i <= index && rest.len > 0; i++) {
        size_t len = sq_utf8_decode(rest, &code);
        sq_span_skip(&rest, len);
    }
    return code;
}

uint32_t
sq_accents_compose(uint32_t mark, char letter) {
    for (size_t i = 0; i < SQ_COUNT(dead_keys); i++) {
        const char *at = strchr(dead_keys[i].bases, letter);
        if (dead_keys[i].mark == mark && letter && at) {
            return letter_at(&dead_keys[i], (size_t)(at - dead_keys[i].bases));
        }
    }
    return 0;
}

/* Finds the dead key and the letter that type a code point. */
static bool
decompose(uint32_t code, uint32_t *mark, char *letter) {
    for (size_t i = 0; i < SQ_COUNT(dead_keys); i++) {
        for (const char *base = dead_keys[i].bases; *base; base++) {
            size_t at = (size_t)(base - dead_keys[i].bases);
            if (letter_at(&dead_keys[i], at) == code) {
                *mark = dead_keys[i].mark;
                *letter = *base;
                return true;
            }
        }
    }
    return false;
}

bool
sq_accents_put(struct sq_buf *out, struct sq_span text, bool *possible,
               struct sq_err *err) {
    bool ok = true;
    *possible = true;
    while (ok && *possible && text.len > 0) {
        uint32_t code;
        size_t len = sq_utf8_decode(text, &code);
        if (len <= 1) {
            *possible = len == 1 && code < 0x80;
            ok = !*possible || sq_buf_append(out, text.ptr, 1, err);
        } else {
            char bytes[SQ_UTF8_MAX];
            uint32_t mark = code;
            char letter = '\0';
            *possible =
                sq_accents_has_key(code) || decompose(code, &mark, &letter);
            ok = !*possible
              || (sq_buf_append(out, bytes, sq_utf8_encode(mark, bytes), err)
                  && (!letter || sq_buf_append(out, &letter, 1, err)));
        }
        sq_span_skip(&text, len);
    }
    return ok;
}
