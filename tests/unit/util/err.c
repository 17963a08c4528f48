#include "util/err.h"

#include "support/test.h"

T_CASE(has_message_and_hint) {
    T(!sq_fail(&t_err, SQ_ERR_NOT_FOUND, "no device \"%s\"", "pixel"));
    T(!sq_fail_hint(&t_err, "Connected: %d.", 2));
    T_INT(t_err.code, SQ_ERR_NOT_FOUND);
    T_STR(t_err.message, "no device \"pixel\"");
    T_STR(t_err.hint, "Connected: 2.");
}

T_CASE(context_is_prepended_and_keeps_code_and_hint) {
    sq_fail(&t_err, SQ_ERR_FORMAT, "bad chunk");
    sq_fail_hint(&t_err, "Try another file.");
    T(!sq_fail_in(&t_err, "screen %d", 3));
    T_INT(t_err.code, SQ_ERR_FORMAT);
    T_STR(t_err.message, "screen 3: bad chunk");
    T_STR(t_err.hint, "Try another file.");
}

T_CASE(new_error_clears_the_old_hint) {
    sq_fail(&t_err, SQ_ERR_IO, "first");
    sq_fail_hint(&t_err, "old");
    sq_fail(&t_err, SQ_ERR_LIMIT, "second");
    T_STR(t_err.hint, "");
    T_STR(t_err.message, "second");
}

T_CASE(long_texts_are_truncated) {
    char text[2 * SQ_ERR_MESSAGE_SIZE];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    sq_fail(&t_err, SQ_ERR_FORMAT, "%s", text);
    T_INT(strlen(t_err.message), SQ_ERR_MESSAGE_SIZE - 1);
    sq_fail_in(&t_err, "%s", text);
    T_INT(strlen(t_err.message), SQ_ERR_MESSAGE_SIZE - 1);
    sq_fail_hint(&t_err, "%s", text);
    T_INT(strlen(t_err.hint), SQ_ERR_HINT_SIZE - 1);
}

T_CASE(long_texts_are_cut_between_characters) {
    for (int before = 0; before < 4; before++) {
        char text[3 + 4 * SQ_ERR_HINT_SIZE + 1] = "@@@";
        struct sq_err err;
        for (size_t at = 3; at + 4 < sizeof(text); at += 4) {
            memcpy(text + at, "\xf0\x9f\x98\x80", 4);
        }
        const char *start = text + 3 - before;
        sq_fail(&err, SQ_ERR_IO, "%s", start);
        sq_fail_hint(&err, "%s!", start);
        T_INT((strlen(err.message) - (size_t)before) % 4, 0);
        T(strlen(err.message) + 4 >= sizeof(err.message));
        T_INT((strlen(err.hint) - (size_t)before) % 4, 0);
        T(strlen(err.hint) + 6 >= sizeof(err.hint));
        sq_fail_in(&err, "%.*s", before, "abc");
        T_INT((strlen(err.message) - 2 * (size_t)before) % 4, 2);
    }
}

T_CASE(null_is_accepted) {
    T(!sq_fail(NULL, SQ_ERR_IO, "lost"));
    T(!sq_fail_in(NULL, "lost"));
    T(!sq_fail_hint(NULL, "lost"));
    T(!sq_fail_nomem(NULL));
}

T_CASE(every_code_has_a_name) {
    T_STR(sq_err_name(SQ_ERR_NOMEM), "no_memory");
    for (int code = SQ_ERR_NONE; code <= SQ_ERR_IO; code++) {
        T(sq_err_name((enum sq_err_code)code) != NULL);
    }
}

T_CASE(errors_that_quote_other_programs_are_marked) {
    sq_fail_quoting(&t_err, SQ_ERR_IO, "adb: %s", "closed");
    T_STR(t_err.message, "adb: closed");
    T(t_err.quotes);
    sq_fail_in(&t_err, "device");
    T(t_err.quotes);
    sq_fail(&t_err, SQ_ERR_IO, "own words");
    T(!t_err.quotes);
    T(!sq_fail_quoting(NULL, SQ_ERR_IO, "x"));
}

static bool
name_option(const char *name, size_t len, bool is_off, char *out, size_t size) {
    if (strncmp(name, "member", len) == 0) {
        return false;
    }
    snprintf(out, size, "--%s%.*s", is_off ? "no-" : "", (int)len, name);
    return true;
}

/* Formats name arguments as their reader does. */
T_CASE(marks_are_for_the_reader) {
    static const char *const rows[][3] = {
        { "Give $size, $a.b or $c.", "Give size, a.b or c.",
          "Give --size, --a.b or --c." },
        { "$inline: false", "inline: false", "--no-inline" },
        { "Set $look: true.", "Set look: true.", "Set --look." },
        { "$taps: 2. $key: \"back\"", "taps: 2. key: \"back\"",
          "--taps 2. --key back" },
        { "$a: \"x", "a: \"x", "--a: \"x" },
        { "$a: ", "a: ", "--a: " },
        { "$a", "a", "--a" },
        { "$member: true", "member: true", "member: true" },
        { "${the window|this} is ${old|}", "the window is old", "this is " },
        { "$ ${ costs 5$", "$ ${ costs 5$", "$ ${ costs 5$" },
    };
    char out[SQ_MARKED_SIZE];
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_STR(sq_marked(rows[i][0], out), rows[i][1]);
        sq_set_reader(name_option);
        T(sq_reader_is_person());
        T_STR(sq_marked(rows[i][0], out), rows[i][2]);
        sq_set_reader(NULL);
    }
    T_STR(SQ_SAY("client", "person"), "client");
}

/* Text of others cannot have marks: only formats do. */
T_CASE(arguments_of_formats_have_no_marks) {
    sq_set_reader(name_option);
    T(!sq_fail(&t_err, SQ_ERR_IO, "$size is %s", "$look ${a|b}"));
    T_STR(t_err.message, "--size is $look ${a|b}");
    T(!sq_fail_hint(&t_err, "Leave $size out of %s.", "$look"));
    T_STR(t_err.hint, "Leave --size out of $look.");
    T(!sq_fail_in(&t_err, "$region"));
    T_STR(t_err.message, "--region: --size is $look ${a|b}");
    sq_set_reader(NULL);
}

/* A long text is cut off, not written beyond its end. */
T_CASE(long_marked_texts_are_cut) {
    char text[3 * SQ_MARKED_SIZE];
    char out[SQ_MARKED_SIZE];
    for (size_t i = 0; i + 2 < sizeof(text); i += 2) {
        memcpy(text + i, "$a", 3);
    }
    sq_set_reader(name_option);
    T_INT(strlen(sq_marked(text, out)), SQ_MARKED_SIZE - 1);
    sq_set_reader(NULL);
    T_INT(strlen(sq_marked(text, out)), SQ_MARKED_SIZE - 1);
}
