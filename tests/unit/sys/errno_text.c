#include "sys/call.h"

#include <errno.h>

#include "support/test.h"

T_CASE(error_numbers_have_texts) {
    char text[SQ_ERRNO_TEXT_SIZE];
    sq_errno_text(ENOENT, text);
    T_STR(text, "No such file or directory");
    sq_errno_text(ECONNREFUSED, text);
    T_STR(text, "Connection refused");
    sq_errno_text(1234567, text);
    T(strstr(text, "1234567"));
}

T_CASE(errors_have_subject_and_reason) {
    char name[400];
    errno = EIO;
    T_FAILS(sq_errno_fail(&t_err, "wait for %s", "adb"), SQ_ERR_IO);
    T_STR(t_err.message, "cannot wait for adb: Input/output error");
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    errno = ENOSPC;
    T(!sq_errno_fail(&t_err, "run %s", name));
    T(strstr(t_err.message, ": No space left on device"));
    errno = ENOSPC;
    T(!sq_errno_fail(NULL, "be heard"));
    errno = ENOMEM;
    T_FAILS(sq_errno_fail(&t_err, "read"), SQ_ERR_NOMEM);
    T_STR(t_err.message, "cannot read: Cannot allocate memory");
}

/* The error names the limit of descriptors and a hint, not the file. */
T_CASE(lack_of_descriptors_is_reported_as_such) {
    static const int numbers[] = { EMFILE, ENFILE };
    for (int i = 0; i < 2; i++) {
        errno = numbers[i];
        T_FAILS(sq_errno_fail(&t_err, "make a pipe"), SQ_ERR_EXHAUSTED);
        T(strstr(t_err.message, "cannot make a pipe: this process has no file "
                                "descriptor left"));
        T(strstr(t_err.hint, "ulimit -n"));
        T(sq_is_out_of_descriptors(numbers[i]));
    }
    T(!sq_is_out_of_descriptors(EIO));
    T(sq_descriptor_limit() > 3);
}
