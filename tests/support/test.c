#define _GNU_SOURCE /* vasprintf */
#include "support/test.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>

#include "support/leaks.h"
#include "util/fault.h"

#define MAX_REPORTS 10
#define MAX_TORTURE 1000000

#define MAX_TEXTS 256
/* More cases than any program has. */
#define MAX_CASES 300

static struct t_case {
    const char *name;
    void (*run)(void);
    bool is_bare;
} cases[MAX_CASES];
static size_t case_count;
static void (*run_before)(void);
static void (*run_after)(void);

_Thread_local struct sq_err t_err;
static int failures;
static size_t row = SIZE_MAX;            /* the one that failures name */
static _Atomic(char *) texts[MAX_TEXTS]; /* of t_text */
static atomic_uint text_count;
static jmp_buf case_end;
static char skip_reason[400]; /* empty: the case is not skipped */
static uint64_t random_state = 0x9e3779b97f4a7c15u;

void
t_add(const char *name, void (*run)(void)) {
    if (case_count == MAX_CASES) {
        fprintf(stderr, "more than %d cases\n", MAX_CASES);
        abort();
    }
    cases[case_count].name = name;
    cases[case_count++].run = run;
}

void
t_add_bare(const char *name, void (*run)(void)) {
    t_add(name, run);
    cases[case_count - 1].is_bare = true;
}

void
t_set_fixture(void (*before)(void), void (*after)(void)) {
    run_before = before;
    run_after = after;
}

/* Some systems run the constructors of a file from the last to the first. */
static bool is_reverse;

__attribute__((constructor)) static void
note_upper(void) {
    is_reverse = true;
}

__attribute__((constructor)) static void
note_lower(void) {
    is_reverse = false;
}

static void
reverse_cases(void) {
    for (size_t i = 0; i < case_count / 2; i++) {
        struct t_case kept = cases[i];
        cases[i] = cases[case_count - 1 - i];
        cases[case_count - 1 - i] = kept;
    }
}

/* Returns whether SQUINT_TEST_SKIP, names with spaces around, has the case. */
static bool
is_left_out(const char *name) {
    const char *names = getenv("SQUINT_TEST_SKIP");
    const char *at = names;
    size_t len = strlen(name);
    while (at && (at = strstr(at, name))
           && !(at > names && at[-1] == ' ' && at[len] == ' ')) {
        at++;
    }
    return at != NULL;
}

static void
run_case(size_t i) {
    if (is_left_out(cases[i].name)) {
        t_skip("left out");
        return;
    }
    if (setjmp(case_end) == 0) {
        if (run_before && !cases[i].is_bare) {
            run_before();
        }
        cases[i].run();
    }
    if (setjmp(case_end) == 0 && run_after && !cases[i].is_bare) {
        run_after();
    }
    for (size_t at = 0; at < MAX_TEXTS; at++) {
        free(atomic_exchange(&texts[at], NULL));
    }
}

int
t_run(void) {
    bool all_ok = true;
    t_leaks_learn();
    if (is_reverse) {
        reverse_cases();
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("1..%zu\n", case_count);
    for (size_t i = 0; i < case_count; i++) {
        failures = 0;
        row = SIZE_MAX;
        t_err = (struct sq_err){ 0 };
        skip_reason[0] = '\0';
        run_case(i);
        bool ok = failures == 0;
        printf("%s %zu %s", ok ? "ok" : "not ok", i + 1, cases[i].name);
        if (ok && skip_reason[0]) {
            printf(" # SKIP %s", skip_reason);
        }
        printf("\n");
        all_ok = all_ok && ok;
    }
    return all_ok ? 0 : 1;
}

static bool
report(const char *file, int line) {
    bool loud = ++failures <= MAX_REPORTS;
    if (loud) {
        printf("# %s:%d: ", file, line);
    }
    if (loud && row != SIZE_MAX) {
        printf("row %zu: ", row);
    }
    return loud;
}

bool
t_check(bool ok, const char *text, const char *file, int line) {
    if (!ok && report(file, line)) {
        printf("%s does not hold\n", text);
    }
    return ok;
}

bool
t_check_int(long long got, long long want, const char *text, const char *file,
            int line) {
    if (got != want && report(file, line)) {
        printf("%s is %lld, not %lld\n", text, got, want);
    }
    return got == want;
}

bool
t_check_str(const char *got, const char *want, const char *text,
            const char *file, int line) {
    bool ok = got && want ? strcmp(got, want) == 0 : got == want;
    if (!ok && report(file, line)) {
        printf("%s is \"%s\", not \"%s\"\n", text, got ? got : "(null)",
               want ? want : "(null)");
    }
    return ok;
}

bool
t_check_part(const char *got, const char *part, bool has_it, const char *text,
             const char *file, int line) {
    bool ok = got && (strstr(got, part) != NULL) == has_it;
    if (!ok && report(file, line)) {
        printf("%s %s \"%s\": %.900s\n", text, has_it ? "lacks" : "has", part,
               got ? got : "(null)");
    }
    return ok;
}

bool
t_check_bytes(const void *got, size_t got_len, const void *want,
              size_t want_len, const char *text, const char *file, int line) {
    size_t shared = got_len < want_len ? got_len : want_len;
    size_t at = 0;
    while (at < shared
           && ((const uint8_t *)got)[at] == ((const uint8_t *)want)[at]) {
        at++;
    }
    bool ok = got_len == want_len && at == shared;
    if (!ok && report(file, line)) {
        printf("%s: %zu bytes differ from %zu bytes at offset %zu\n", text,
               got_len, want_len, at);
    }
    return ok;
}

bool
t_check_ok(bool ok, const struct sq_err *err, const char *text,
           const char *file, int line) {
    if (!ok && report(file, line)) {
        printf("%s failed: %s (%s)\n", text, err->message,
               sq_err_name(err->code));
    }
    return ok;
}

bool
t_check_fails(bool ok, enum sq_err_code want, const char *text,
              const char *file, int line) {
    bool fails = !ok && t_err.code == want;
    if (!fails && report(file, line)) {
        printf("%s: %s, not %s\n", text, ok ? "ok" : sq_err_name(t_err.code),
               sq_err_name(want));
    }
    return fails;
}

bool
t_row(size_t next, size_t count) {
    row = next < count ? next : SIZE_MAX;
    return next < count;
}

const char *
t_text(const char *format, ...) {
    char *text;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        abort();
    }
    va_end(args);
    unsigned at = atomic_fetch_add(&text_count, 1) % MAX_TEXTS;
    free(atomic_exchange(&texts[at], text));
    return text;
}

void
t_skip(const char *why) {
    snprintf(skip_reason, sizeof(skip_reason), "%s", why);
}

void
t_end_case(void) {
    longjmp(case_end, 1);
}

const char *
t_data_path(const char *relative) {
    static char path[4096];
    const char *root = getenv("SQUINT_TEST_DATA");
    snprintf(path, sizeof(path), "%s/%s", root ? root : "../shared/data",
             relative);
    return access(path, R_OK) == 0 ? path : NULL;
}

const char *
t_made_path(const char *relative) {
    static char path[4096];
    const char *root = getenv("SQUINT_TEST_MADE");
    snprintf(path, sizeof(path), "%s/%s", root ? root : "build-test/tests",
             relative);
    return T(access(path, R_OK) == 0) ? path : NULL;
}

bool
t_tests_all(void) {
    return getenv("SQUINT_TEST_ALL") != NULL;
}

uint64_t
t_random(void) {
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int64_t
t_random_between(int64_t low, int64_t high) {
    uint64_t span = (uint64_t)(high - low) + 1;
    return low + (int64_t)(span ? t_random() % span : t_random());
}

long
t_alloc_torture(bool (*build)(void *context, struct sq_err *err),
                void *context) {
    for (long n = 1; n < MAX_TORTURE; n++) {
        struct sq_err err = { 0 };
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ .nth = n });
        bool ok = build(context, &err);
        bool reached = sq_fault_count(SQ_FAULT_ALLOC) >= n;
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
        if (!reached) {
            T_OK(ok, &err);
            return n - 1;
        }
        if (!ok && !T_INT(err.code, SQ_ERR_NOMEM)) {
            return n;
        }
    }
    T(false);
    return MAX_TORTURE;
}
