#include "sys/errno_text.h"

#include <errno.h>
#include <string.h>

#include "support/test.h"

static void
numbers_become_words(void) {
    char text[SQ_ERRNO_TEXT_SIZE];
    sq_errno_text(ENOENT, text);
    T_STR(text, "No such file or directory");
    sq_errno_text(1234567, text);
    T(strstr(text, "1234567"));
}

static void
failures_say_what_and_why(void) {
    struct sq_err err = { 0 };
    char name[400];
    errno = EIO;
    T(!sq_errno_fail(&err, "wait for %s", "adb"));
    T_INT(err.code, SQ_ERR_IO);
    T_STR(err.message, "cannot wait for adb: Input/output error");
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    errno = ENOSPC;
    T(!sq_errno_fail(&err, "run %s", name));
    T(strstr(err.message, ": No space left on device"));
    errno = ENOSPC;
    T(!sq_errno_fail(NULL, "be heard"));
}

T_MAIN(T_CASE(numbers_become_words), T_CASE(failures_say_what_and_why))
