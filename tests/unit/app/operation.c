/* Operations on the command line, done on the demo phone. */
#include "app/operation.h"

#include "run.h"

#define SMALL                                                                  \
    "--demo-width", "360", "--demo-height", "640",                             \
        "--no-auto-fallback-screenshot"

static void
expect_done(const char *part) {
    T_INT(run.status, 0);
    T_STR(run.err, "");
    run_says(run.out, part);
}

static void
flags_of_the_configuration_count(void) {
    t_scratch_start();
    RUN("screenshot", SMALL, "--no-elements");
    expect_done("\"device\":{\"width\":360,\"height\":640}");
    t_scratch_end();
}

/* Both know these; they mean the call, not all calls. */
static void
an_operation_s_own_words_come_first(void) {
    t_scratch_start();
    RUN("wait", SMALL, "--text", "Nowhere", "--timeout-ms", "50");
    expect_done("\"found\":false");
    RUN("wait", SMALL, "--text", "Nowhere", "--timeout-ms=50");
    expect_done("\"found\":false");
    RUN("tap", SMALL, "--x", "1", "--y", "1", "--receipt", "none");
    expect_done("\"tapped\"");
    T(strstr(run.out, "\"settled\"") == NULL);
    RUN("tap", SMALL, "--x", "1", "--y", "1", "--receipt", "slow");
    run_refused(2, "receipt must be one of: none, fast, full");
    t_scratch_end();
}

/* Whatever it looks like. */
static void
a_value_is_no_flag(void) {
    t_scratch_start();
    RUN("find", SMALL, "--selector.text", "--receipt");
    expect_done("\"count\":0");
    RUN("find", SMALL, "--selector.text", "--demo-width");
    expect_done("\"count\":0");
    t_scratch_end();
}

static void
people_and_programs_get_their_form(void) {
    t_scratch_start();
    RUN("devices", SMALL, "--table");
    expect_done(
        "devices\n  id    kind  name               state\n  demo  demo");
    RUN("devices", SMALL, "--json");
    expect_done("{\"devices\":[{\"id\":\"demo\"");
    RUN("screenshot", SMALL, "--json");
    expect_done(",\"base64\":\"/9j/");
    RUN("screenshot", SMALL);
    T(strstr(run.out, "base64") == NULL);
    t_scratch_end();
}

static void
what_nobody_knows_is_refused(void) {
    t_scratch_start();
    RUN("tap", SMALL, "--wobble");
    run_refused(2, "unknown option \"--wobble\"");
    RUN("wait", SMALL, "--timeout-ms");
    run_refused(2, "--timeout-ms needs a value");
    t_scratch_end();
}

T_MAIN(T_CASE(flags_of_the_configuration_count),
       T_CASE(an_operation_s_own_words_come_first), T_CASE(a_value_is_no_flag),
       T_CASE(people_and_programs_get_their_form),
       T_CASE(what_nobody_knows_is_refused))
