/* What the files of squint-selftest.exe share. */
#ifndef SQ_TEST_WINDOWS_SELFTEST_H
#define SQ_TEST_WINDOWS_SELFTEST_H

#include "sys/windows/private.h"

#include "sys/path.h"

#define PATIENCE_MS 20000
#define TEXT_SIZE 1000

/* How a test ended. */
enum verdict { PASSED, FAILED, IMPOSSIBLE };

extern char selftest_program[SQ_PATH_SIZE];

/* Sets why the test that runs ended so. */
enum verdict say(enum verdict verdict, const char *format, ...);

#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            return say(FAILED, "line %d: %s (errno %d, error %lu)", __LINE__,  \
                       #condition, errno, GetLastError());                     \
        }                                                                      \
    } while (0)

/* Tests of processes. */
enum verdict children_end_with_us(void);
enum verdict pipes_are_not_inherited(void);
enum verdict ctrl_c_ends_in_order(void);

/* Is the helper of that name, and returns its exit status. */
int selftest_help(const char *word);

#endif
