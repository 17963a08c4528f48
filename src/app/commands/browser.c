/*
 * browser: ends the browser that commands share; and browser-keeper, the
 * process that owns it.
 */
#include <limits.h>

#include "app/commands/command.h"
#include "app/interrupt.h"
#include "device/kinds.h"

#define CLOSE_MS 30000
#define MAX_SECONDS 86400

static const char *
word_at(size_t index) {
    return index == 0 ? "close" : NULL;
}

static bool
browser_run(const struct sq_run *run, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(CLOSE_MS, NULL);
    bool was_open;
    if (!sq_span_is(sq_span_of(run->words->word[0]), "close")) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "\"%.100s\" is nothing to do with a "
                "browser",
                run->words->word[0]);
        return sq_fail_hint(err, "Write: squint browser close");
    }
    return sq_browser_close_kept(&was_open, &deadline, err)
        && sq_buf_printf(run->out, err, "%s\n",
                         was_open ? "The browser was closed."
                                  : "No browser is open.");
}

const struct sq_command sq_command_browser = {
    .name = "browser",
    .usage = "close",
    .summary = "end the browser that commands share",
    .min_words = 1,
    .max_words = 1,
    .word_at = word_at,
    .run = browser_run,
};

static bool
keeper_run(int argc, char **argv, struct sq_buf *out, enum sq_status *status,
           struct sq_err *err) {
    struct sq_interrupt *interrupt;
    int64_t seconds;
    (void)out;
    (void)status;
    if (argc != 1 || !sq_span_to_int64(sq_span_of(argv[0]), &seconds)
        || seconds < 1 || seconds > MAX_SECONDS) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "browser-keeper is started by squint only");
    }
    if (!sq_interrupt_create(&interrupt, err)) {
        return false;
    }
    const struct sq_deadline deadline =
        sq_deadline_in(INT_MAX, sq_interrupt_cancel(interrupt));
    bool ok = sq_browser_keep((int)seconds, &deadline, err);
    sq_interrupt_destroy(interrupt);
    return ok;
}

const struct sq_command sq_command_browser_keeper = {
    .name = "browser-keeper",
    .usage = "SECONDS",
    .summary = "own the browser that commands share",
    .run_words = keeper_run,
};
