#include "util/err.h"

#include <string.h>

#include "support/test.h"

static void
has_message_and_hint(void) {
    struct sq_err err = { 0 };
    T(!sq_fail(&err, SQ_ERR_NOT_FOUND, "no device \"%s\"", "pixel"));
    T(!sq_fail_hint(&err, "Connected: %d.", 2));
    T_INT(err.code, SQ_ERR_NOT_FOUND);
    T_STR(err.message, "no device \"pixel\"");
    T_STR(err.hint, "Connected: 2.");
}

static void
context_is_prepended_and_keeps_code_and_hint(void) {
    struct sq_err err = { 0 };
    sq_fail(&err, SQ_ERR_FORMAT, "bad chunk");
    sq_fail_hint(&err, "Try another file.");
    T(!sq_fail_in(&err, "screen %d", 3));
    T_INT(err.code, SQ_ERR_FORMAT);
    T_STR(err.message, "screen 3: bad chunk");
    T_STR(err.hint, "Try another file.");
}

static void
new_error_clears_the_old_hint(void) {
    struct sq_err err = { 0 };
    sq_fail(&err, SQ_ERR_IO, "first");
    sq_fail_hint(&err, "old");
    sq_fail(&err, SQ_ERR_LIMIT, "second");
    T_STR(err.hint, "");
    T_STR(err.message, "second");
}

static void
long_texts_are_truncated(void) {
    struct sq_err err = { 0 };
    char text[2 * SQ_ERR_MESSAGE_SIZE];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    sq_fail(&err, SQ_ERR_FORMAT, "%s", text);
    T_INT(strlen(err.message), SQ_ERR_MESSAGE_SIZE - 1);
    sq_fail_in(&err, "%s", text);
    T_INT(strlen(err.message), SQ_ERR_MESSAGE_SIZE - 1);
    sq_fail_hint(&err, "%s", text);
    T_INT(strlen(err.hint), SQ_ERR_HINT_SIZE - 1);
}

static void
null_is_accepted(void) {
    T(!sq_fail(NULL, SQ_ERR_IO, "lost"));
    T(!sq_fail_in(NULL, "lost"));
    T(!sq_fail_hint(NULL, "lost"));
    T(!sq_fail_nomem(NULL));
}

static void
every_code_has_a_name(void) {
    T_STR(sq_err_name(SQ_ERR_NOMEM), "no_memory");
    for (int code = SQ_ERR_NONE; code <= SQ_ERR_IO; code++) {
        T(sq_err_name((enum sq_err_code)code) != NULL);
    }
}

static void
errors_that_quote_other_programs_are_marked(void) {
    struct sq_err err = { 0 };
    sq_fail_quoting(&err, SQ_ERR_IO, "adb: %s", "closed");
    T_STR(err.message, "adb: closed");
    T(err.quotes);
    sq_fail_in(&err, "device");
    T(err.quotes);
    sq_fail(&err, SQ_ERR_IO, "own words");
    T(!err.quotes);
    T(!sq_fail_quoting(NULL, SQ_ERR_IO, "x"));
}

static void
errors_about_json_are_marked(void) {
    struct sq_err err = { 0 };
    sq_fail(&err, SQ_ERR_ARGUMENT, "no operation \"tapp\"");
    T(!err.about_json);
    T(!sq_fail_about_json(&err));
    T(err.about_json);
    sq_fail_in(&err, "step 1");
    T(err.about_json);
    sq_fail(&err, SQ_ERR_ARGUMENT, "step 1 of the instructions");
    T(!err.about_json);
    T(!sq_fail_about_json(NULL));
}

T_MAIN(T_CASE(errors_about_json_are_marked),
       T_CASE(errors_that_quote_other_programs_are_marked),
       T_CASE(has_message_and_hint),
       T_CASE(context_is_prepended_and_keeps_code_and_hint),
       T_CASE(new_error_clears_the_old_hint), T_CASE(long_texts_are_truncated),
       T_CASE(null_is_accepted), T_CASE(every_code_has_a_name))
