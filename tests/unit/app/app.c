/* The program as a whole; each command has a file of its own. */
#define _XOPEN_SOURCE 600 /* for the terminal */
#include "app/app.h"

#include "unit/app/run.h"
#include "util/fault.h"

static void
version_is_told(void) {
    t_scratch_start();
    RUN("--version");
    T_INT(run.status, 0);
    T_STR(run.out, "squint " SQ_VERSION "\n");
    T_STR(run.err, "");
    t_scratch_end();
}

static void
help_is_told(void) {
    static const char *const ways[] = { "--help", "-h", "help" };
    t_scratch_start();
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        RUN(ways[i]);
        T_INT(run.status, 0);
        T_STR(run.err, "");
        run_matches("help.txt");
    }
    t_scratch_end();
}

/* On a terminal, because a person does not type protocol messages. */
static void
no_command_is_a_mistake_with_help(void) {
    t_scratch_start();
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0) {
        t_skip("no terminals here");
    } else {
        run_words((struct run_streams){ .input = ptsname(terminal) },
                  (const char *const[]){ NULL });
        T_INT(run.status, 2);
        run_matches("help.txt");
    }
    if (terminal >= 0) {
        close(terminal);
    }
    t_scratch_end();
}

/* A client that closes its input immediately is no error. */
static void
no_command_serves_a_pipe(void) {
    t_scratch_start();
    run_words((struct run_streams){ 0 }, (const char *const[]){ NULL });
    T_INT(run.status, 0);
    T_STR(run.out, "");
    T_STR(run.err, "");
    static const char ping[] =
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\n";
    t_put(t_scratch_path("ping"), ping, sizeof(ping) - 1);
    run_words((struct run_streams){ .input = t_scratch_path("ping") },
              (const char *const[]){ NULL });
    T_INT(run.status, 0);
    T_STR(run.out, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}\n");
    t_scratch_end();
}

static void
every_command_has_help(void) {
    static const char *const names[][2] = {
        { "scale", "help-scale.txt" },
        { "diff", "help-diff.txt" },
        { "tokens", "help-tokens.txt" },
        { "mcp", "help-mcp.txt" },
        { "demo", "help-demo.txt" },
        { "doctor", "help-doctor.txt" },
        { "record", "help-record.txt" },
        { "archive", "help-archive.txt" },
        { "completion", "help-completion.txt" },
        { "man", "help-man.txt" },
        { "ocr", "help-ocr.txt" },
        { "find-text", "help-find-text.txt" },
        { "find-image", "help-find-image.txt" },
    };
    t_scratch_start();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        RUN(names[i][0], "--help");
        T_INT(run.status, 0);
        T_STR(run.err, "");
        run_matches(names[i][1]);
        /* Wherever it stands, and whatever else is wrong. */
        RUN(names[i][0], "word", "--nonsense", "-h");
        T_INT(run.status, 0);
        run_matches(names[i][1]);
    }
    t_scratch_end();
}

/* Lines of 80 columns fit every terminal. */
static void
help_is_narrow(void) {
    static const char *const names[] = { "scale",      "diff",      "tokens",
                                         "mcp",        "demo",      "doctor",
                                         "install",    "record",    "archive",
                                         "completion", "man",       "ocr",
                                         "find-text",  "find-image" };
    t_scratch_start();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        RUN(names[i], "--help");
        for (const char *line = run.out; *line;) {
            size_t length = strcspn(line, "\n");
            T(length <= 80);
            line += length + (line[length] == '\n');
        }
    }
    t_scratch_end();
}

static void
help_behind_two_dashes_is_a_word(void) {
    t_scratch_start();
    RUN("tokens", "--", "--help", "5");
    run_refused(2, "the width must be a whole number");
    t_scratch_end();
}

static void
unknown_commands_are_named(void) {
    t_scratch_start();
    RUN("scael", "in.png");
    run_refused(2, "squint: there is no command \"scael\"\n"
                   "  squint --help lists the commands.\n");
    RUN("--nonsense");
    run_refused(2, "there is no command \"--nonsense\"");
    RUN("");
    run_refused(2, "there is no command \"\"");
    t_scratch_end();
}

static void
too_few_and_too_many_words_show_the_usage(void) {
    t_scratch_start();
    RUN("scale");
    run_refused(2, "squint scale: an argument is missing\n"
                   "  Usage: squint scale IN -o OUT [options]\n");
    RUN("scale", "a", "b");
    run_refused(2, "squint scale: too many words\n");
    RUN("diff", "a");
    run_refused(2, "squint diff: an argument is missing\n"
                   "  Usage: squint diff A B [options]\n");
    RUN("diff", "a", "b", "c");
    run_refused(2, "too many words");
    RUN("tokens", "1");
    run_refused(2, "an argument is missing");
    RUN("tokens", "1", "2", "3", "4", "5");
    run_refused(2, "\"5\" is one word too many");
    t_scratch_end();
}

static void
unwritable_output_is_a_failure(void) {
    static const struct run_streams full = { .output = "/dev/full" };
    t_scratch_start();
    RUN_WITH(full, "--version");
    T_INT(run.status, 1);
    run_says(run.err, "cannot write standard output");
    RUN_WITH(full, "tokens", "1", "1");
    T_INT(run.status, 1);
    run_says(run.err, "squint tokens: cannot write standard output");
    t_scratch_end();
}

/* Even help that there is no memory for is not a success. */
static void
out_of_memory_is_a_failure(void) {
    static const struct {
        const char *words[5];
        int status;
    } lines[] = {
        { { "--version" }, 1 },       { { "--help" }, 1 },
        { { "scale", "--help" }, 1 }, { { "tokens", "1", "1" }, 1 },
        { { "diff", "--help" }, 2 },
    };
    t_scratch_start();
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ .nth = 1 });
        run_words((struct run_streams){ 0 }, lines[i].words);
        sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
        run_refused(lines[i].status, "out of memory");
    }
    t_scratch_end();
}

T_MAIN(T_CASE(version_is_told), T_CASE(help_is_told),
       T_CASE(no_command_is_a_mistake_with_help),
       T_CASE(no_command_serves_a_pipe), T_CASE(every_command_has_help),
       T_CASE(help_is_narrow), T_CASE(help_behind_two_dashes_is_a_word),
       T_CASE(unknown_commands_are_named),
       T_CASE(too_few_and_too_many_words_show_the_usage),
       T_CASE(unwritable_output_is_a_failure),
       T_CASE(out_of_memory_is_a_failure))
