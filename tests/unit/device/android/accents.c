#include "device/android/command.h"

#include "support/test.h"

static struct sq_buf out;

static bool
put(const char *text, bool *possible) {
    sq_buf_init(&out, 4096);
    bool ok = sq_accents_put(&out, sq_span_of(text), possible, &t_err);
    T_OK(ok);
    return ok;
}

static void
keys_are(const char *text, const char *keys) {
    bool possible;
    put(text, &possible);
    T(possible);
    T_BYTES((const char *)out.data, out.len, keys, strlen(keys));
    sq_buf_finish(&out);
}

T_CASE(letters_are_dead_key_and_letter) {
    keys_are("plain text\n", "plain text\n");
    keys_are("\xc3\xa9", "\xcc\x81"
                         "e");
    keys_are("\xc3\x80\xc3\xb1", "\xcc\x80"
                                 "A"
                                 "\xcc\x83"
                                 "n");
    keys_are("\xc3\xbf \xc3\xb4", "\xcc\x88"
                                  "y \xcc\x82"
                                  "o");
    keys_are("\xc3\xa7\xc3\x9f", "\xc3\xa7\xc3\x9f");
}

T_CASE(other_letters_have_no_keys) {
    static const char *const texts[] = { "\xc3\xa5",  "\xc5\x82",
                                         "\xc4\x8d",  "\xe6\xbc\xa2",
                                         "e\xcc\x81", "\xf0\x9f\x99\x82",
                                         "a\xff" };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        bool possible = true;
        put(texts[i], &possible);
        T(!possible);
        sq_buf_finish(&out);
    }
}

T_CASE(composing_is_the_inverse) {
    T_INT(sq_accents_compose(0x301, 'e'), 0xe9);
    T_INT(sq_accents_compose(0x308, 'Y'), 0x178);
    T_INT(sq_accents_compose(0x301, 'q'), 0);
    T_INT(sq_accents_compose(0x301, '\0'), 0);
    T_INT(sq_accents_compose(0x30a, 'a'), 0);
    T(sq_accents_is_mark(0x302) && !sq_accents_is_mark(0x30a));
}
