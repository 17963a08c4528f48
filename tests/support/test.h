/*
 * A small test harness: TAP on stdout, one line per case, and the first failing
 * expressions with file and line. Includes what nearly every test needs.
 */
#ifndef SQ_TEST_H
#define SQ_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Begins a case: T_CASE(it_works) { ... }. The cases of a program run in the
 * order in which they are written. Programs without a main get one that runs
 * them.
 */
#define T_CASE(function) T_ADD_CASE(function, t_add)
/* The same, but the file's T_FIXTURE does not apply. */
#define T_BARE_CASE(function) T_ADD_CASE(function, t_add_bare)
#define T_ADD_CASE(function, add)                                              \
    static void function(void);                                                \
    __attribute__((constructor)) static void add_##function(void) {            \
        add(#function, function);                                              \
    }                                                                          \
    static void function(void)

/* Calls these before and after each case of the program; NULL: nothing. */
#define T_FIXTURE(before, after)                                               \
    __attribute__((constructor)) static void set_fixture(void) {               \
        t_set_fixture(before, after);                                          \
    }                                                                          \
    _Static_assert(true, "takes a semicolon")

void t_set_fixture(void (*before)(void), void (*after)(void));
void t_add_bare(const char *name, void (*run)(void));

/* Adds a case that is written in another way. */
void t_add(const char *name, void (*run)(void));

/* Runs all cases; returns main's exit status. */
int t_run(void);

/* Each records a failure and returns whether it passed; the case continues. */
#define T(condition) t_check((condition), #condition, __FILE__, __LINE__)
#define T_INT(got, want)                                                       \
    t_check_int((long long)(got), (long long)(want), #got, __FILE__, __LINE__)
#define T_STR(got, want) t_check_str((got), (want), #got, __FILE__, __LINE__)
#define T_BYTES(got, got_len, want, want_len)                                  \
    t_check_bytes((got), (got_len), (want), (want_len), #got, __FILE__,        \
                  __LINE__)
/* Whether a text has a part; the text is printed if not. */
#define T_HAS(text, part)                                                      \
    t_check_part((text), (part), true, #text, __FILE__, __LINE__)
#define T_LACKS(text, part)                                                    \
    t_check_part((text), (part), false, #text, __FILE__, __LINE__)
/*
 * Checks that the first argument is true; otherwise the error is printed too:
 * that of the second argument, else t_err.
 */
#define T_OK(...) T_OK_WITH(__VA_ARGS__, &t_err, 0)
#define T_OK_WITH(ok, err, ...) t_check_ok((ok), (err), #ok, __FILE__, __LINE__)
/* Checks that a call with &t_err returns false and sets this code. */
#define T_FAILS(call, want)                                                    \
    (t_err = (struct sq_err){ 0 },                                             \
     t_check_fails((call), (want), #call, __FILE__, __LINE__))

/* For calls that can fail. Empty when a case begins. */
extern _Thread_local struct sq_err t_err;

bool t_check(bool ok, const char *text, const char *file, int line);
bool t_check_int(long long got, long long want, const char *text,
                 const char *file, int line);
bool t_check_str(const char *got, const char *want, const char *text,
                 const char *file, int line);
bool t_check_part(const char *got, const char *part, bool has_it,
                  const char *text, const char *file, int line);
bool t_check_bytes(const void *got, size_t got_len, const void *want,
                   size_t want_len, const char *text, const char *file,
                   int line);
bool t_check_ok(bool ok, const struct sq_err *err, const char *text,
                const char *file, int line);
bool t_check_fails(bool ok, enum sq_err_code want, const char *text,
                   const char *file, int line);

/*
 * T_EACH(i, rows) { ... } runs its body for each row of an array; a failure
 * names the row.
 */
#define T_EACH(i, rows) for (size_t i = 0; t_row(i, SQ_COUNT(rows)); i++)

/* Begins a row; false after the last. */
bool t_row(size_t row, size_t count);

/*
 * Formats a text. The last 256 stay valid, until their case ends at the
 * latest.
 */
const char *t_text(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* As in util/span.h, util/buf.h and util/arena.h. */
#define T_FREED SQ_FREED
#define T_BUF SQ_BUF
#define T_ARENA SQ_ARENA

/*
 * How many milliseconds a test waits for something that must happen. Only a
 * program that hangs needs all of them, so the number may be large.
 */
#define T_PATIENCE_MS 300000

/* Mark the running case skipped; return from it afterwards. */
void t_skip(const char *why);

/* Ends the running case, which this thread runs, as if it returned. */
_Noreturn void t_end_case(void);

/*
 * Path of a file of the folder of further data, ../shared/data beside the
 * project, or NULL if it does not exist. No test needs it: its files are tested
 * in addition. Valid until the next call.
 */
const char *t_data_path(const char *relative);

/*
 * Path of a file that the build made for the tests, such as
 * "dumps/tv_guide.xml"; NULL and a failed check if it does not exist. Valid
 * until the next call.
 */
const char *t_made_path(const char *relative);

/*
 * Whether long tests try every case and not a fixed sample: SQUINT_TEST_ALL is
 * set in the environment.
 */
bool t_tests_all(void);

/* Deterministic random numbers, the same on every run. */
uint64_t t_random(void);
/* Between low and high, both included. */
int64_t t_random_between(int64_t low, int64_t high);

/*
 * Call build(context, &err) with the 1st, 2nd, ... allocation failing until
 * it succeeds; every failure must be SQ_ERR_NOMEM. Returns how many failed.
 */
long t_alloc_torture(bool (*build)(void *context, struct sq_err *err),
                     void *context);

/*
 * Begins a case that does this with its body, which returns whether it
 * succeeded: T_ALLOC_CASE(it_can_fail, 3) { return sq_make(err); }. At least
 * that many allocations must have failed.
 */
#define T_ALLOC_CASE(function, least)                                          \
    static bool build_##function(void *context, struct sq_err *err);           \
    T_CASE(function) {                                                         \
        T(t_alloc_torture(build_##function, NULL) >= (least));                 \
    }                                                                          \
    static bool build_##function(void *context, struct sq_err *err)

#endif
