/* The device's shell reads every quoted text as one unchanged word. */
#include "device/android/command.h"

#include "support/test.h"
#include "sys/path.h"
#include "sys/process.h"

#define STRINGS 20000
#define PER_SHELL 500
#define MAX_LEN 60
#define MAX_BYTES ((size_t)1 << 20)
#define LONG_MS T_PATIENCE_MS

static const char *const hostile[] = {
    "",
    " ",
    "'",
    "''",
    "'\\''",
    "\\",
    "\\'",
    "$(touch CANARY)",
    "`touch CANARY`",
    "; touch CANARY",
    "&& touch CANARY",
    "| touch CANARY",
    "\ntouch CANARY\n",
    "$HOME",
    "${PATH}",
    "~",
    "~root",
    "#hash",
    "*",
    "/*",
    "?[a-z]{a,b}",
    "-n",
    "--help",
    "%s",
    "%n%d",
    "\"",
    "\"$(id)\"",
    "!!",
    "a\tb\r\n",
    "\033[31m",
    "<(cat)",
    ">file",
    "2>&1",
    "\\x41\\101\\u0041",
    "=x",
    "A=1",
    "\xff\xfe\x80",
    "h\xc3\xa9llo \xe2\x82\xac \xf0\x9f\x98\x80",
    "eval 'x'",
    "')(",
    "'; touch CANARY; '",
};
#define HOSTILE (SQ_COUNT(hostile))

static void
put(struct sq_buf *out, struct sq_span text) {
    T_OK(sq_buf_append(out, text.ptr, text.len, &t_err));
}

/* One of the above, or bytes that are often special in a shell. */
static struct sq_span
next_string(int number, char room[MAX_LEN]) {
    static const char special[] = "'\\\"$`;&|<>(){}[]*?~#!%-= \t\n\r";
    if (number < (int)HOSTILE) {
        return sq_span_of(hostile[number]);
    }
    size_t len = (size_t)t_random_between(0, MAX_LEN);
    for (size_t i = 0; i < len; i++) {
        room[i] = t_random() % 2 ? special[t_random() % (sizeof(special) - 1)]
                                 : (char)t_random_between(1, 255);
    }
    return (struct sq_span){ room, len };
}

/* Whether the shell itself works: some crash on an emulated processor. */
static bool
runs(const char *shell) {
    const char *const argv[] = { shell, NULL };
    const struct sq_process process = {
        .argv = argv,
        .input = SQ_SPAN("printf x\n"),
        .max_output = 100,
        .max_errors = 4096,
    };
    const struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    T_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    T_OK(sq_process_run(&process, &deadline, &end, &t_err));
    return end.status == 0;
}

static void
round_trip(const char *name) {
    char shell[SQ_PATH_SIZE];
    char room[MAX_LEN];
    bool is_installed = sq_probe_program(name, shell);
    if (!is_installed || !runs(shell)) {
        char why[80];
        snprintf(why, sizeof(why), "%s %s", name,
                 is_installed ? "fails to run \"printf x\""
                              : "is not installed");
        t_skip(why);
        return;
    }
    T_BUF(script, MAX_BYTES);
    T_BUF(wanted, MAX_BYTES);
    for (int i = 0; i < STRINGS; i++) {
        if (i % PER_SHELL == 0) {
            put(&script, SQ_SPAN("printf '%s\\0'"));
        }
        struct sq_span text = next_string(i, room);
        put(&script, SQ_SPAN(" "));
        T_OK(sq_shell_quote(&script, text, &t_err));
        put(&wanted, text);
        put(&wanted, (struct sq_span){ "", 1 });
        if (i % PER_SHELL == PER_SHELL - 1) {
            put(&script, SQ_SPAN("\n"));
            /* Lets the shell print the words, each followed by a NUL. */
            const char *const argv[] = { shell, NULL };
            const struct sq_process process = {
                .argv = argv,
                .input = { (const char *)script.data, script.len },
                .max_output = MAX_BYTES,
                .max_errors = 4096,
            };
            const struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
            T_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
            T_OK(sq_process_run(&process, &deadline, &end, &t_err));
            T_INT(end.status, 0);
            T_INT(end.errors.len, 0);
            T_BYTES(end.output.data, end.output.len, wanted.data, wanted.len);
            sq_buf_clear(&script);
            sq_buf_clear(&wanted);
        }
    }
}

T_CASE(dash_returns_every_text_unchanged) {
    round_trip("dash");
}

T_CASE(mksh_returns_every_text_unchanged) {
    round_trip("mksh");
}

T_CASE(only_necessary_quotes_are_added) {
    T_BUF(out, 64);
    T_OK(sq_shell_quote(&out, SQ_SPAN("don't"), &t_err));
    T_BYTES(out.data, out.len, "'don'\\''t'", 10);
    T_OK(sq_shell_quote(&out, SQ_SPAN(""), &t_err));
    T_BYTES(out.data, out.len, "'don'\\''t'''", 12);
}

T_CASE(failure_leaves_the_command_unchanged) {
    T_BUF(out, 12);
    put(&out, SQ_SPAN("input "));
    T_FAILS(sq_shell_quote(&out, SQ_SPAN("a'b'c'd"), &t_err), SQ_ERR_LIMIT);
    T_BYTES(out.data, out.len, "input ", 6);
    T_FAILS(sq_shell_quote(&out, (struct sq_span){ "a\0b", 3 }, &t_err),
            SQ_ERR_ARGUMENT);
    T_BYTES(out.data, out.len, "input ", 6);
}

T_ALLOC_CASE(out_of_memory_is_reported, 2) {
    T_BUF(out, 4096);
    bool ok = true;
    for (int i = 0; ok && i < 200; i++) {
        ok = sq_shell_quote(&out, SQ_SPAN("it's"), err);
    }
    return ok;
}
