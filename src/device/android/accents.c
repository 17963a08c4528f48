/* Accented letters as dead keys and letters. */
#include "device/android/accents.h"

#include <string.h>

#include "util/utf8.h"

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
#define DEAD_KEYS (sizeof(dead_keys) / sizeof(dead_keys[0]))

bool
sq_accents_is_mark(uint32_t code) {
    bool found = false;
    for (size_t i = 0; i < DEAD_KEYS; i++) {
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
        rest.ptr += len;
        rest.len -= len;
    }
    return code;
}

uint32_t
sq_accents_compose(uint32_t mark, char letter) {
    for (size_t i = 0; i < DEAD_KEYS; i++) {
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
    for (size_t i = 0; i < DEAD_KEYS; i++) {
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

/* Appends the keys of one code point above ASCII. */
static bool
put_letter(struct sq_buf *out, uint32_t code, bool *possible,
           struct sq_err *err) {
    char bytes[SQ_UTF8_MAX];
    uint32_t mark = code;
    char letter = '\0';
    *possible = sq_accents_has_key(code) || decompose(code, &mark, &letter);
    return !*possible
        || (sq_buf_append(out, bytes, sq_utf8_encode(mark, bytes), err)
            && (!letter || sq_buf_append(out, &letter, 1, err)));
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
            ok = put_letter(out, code, possible, err);
        }
        text.ptr += len;
        text.len -= len;
    }
    return ok;
}
