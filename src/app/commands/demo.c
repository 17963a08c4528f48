/*
 * demo: plays an agent's steps on the demo phone, or serves the phone to adb.
 */
#include "app/commands/command.h"

#include <limits.h>

#include "app/host/kept_state.h"
#include "app/interrupt.h"
#include "app/setup.h"
#include "app/terminal/page.h"
#include "app/terminal/progress.h"
#include "demo/adbd/serve.h"
#include "demo/tour/tour.h"
#include "sys/file.h"
#include "sys/path.h"

struct demo_args {
    const char *output;
    const char *adb;
    const char *serial;
    const char *fault;
    const char *delay;
    const char *log;
    int clock;
    int link;
    bool reset;
    struct sq_opt_int color;
};

static const struct sq_arg demo_options[] = {
    { .name = "output",
      .letter = 'o',
      SQ_TEXT_FIELD(demo_args, output, 0),
      .placeholder = "FOLDER",
      .text = "where the page goes (" SQ_TOUR_FOLDER ")" },
    SQ_BOOL(demo_args, reset, "reset",
            "make the phone of the other commands as new instead"),
    { .name = "adb",
      SQ_TEXT_FIELD(demo_args, adb, 0),
      .placeholder = "HOST:PORT",
      .text = "be a phone for adb instead; port 0: a free one" },
    { .name = "serial",
      SQ_TEXT_FIELD(demo_args, serial, 0),
      .placeholder = "NAME",
      .text = "the phone's serial number (SQUINTDEMO)" },
    SQ_INT(demo_args, clock, "clock", 1, INT_MAX,
           "stop the phone's clock N seconds after 1970"),
    { .name = "fault",
      SQ_TEXT_FIELD(demo_args, fault, 0),
      .placeholder = "NAME[=N],...",
      .text = "what goes wrong; see docs/demo-phone.md" },
    { .name = "delay",
      SQ_TEXT_FIELD(demo_args, delay, 0),
      .placeholder = "PROGRAM=MS,...",
      .text = "how long the phone's programs take" },
    SQ_INT(demo_args, link, "link", 1, INT_MAX,
           "bytes a second that reach adb; else no limit"),
    { .name = "log",
      SQ_TEXT_FIELD(demo_args, log, 0),
      .placeholder = "FILE",
      .text = "a line per command: its own time, status, bytes" },
    SQ_COLOR_ROW(demo_args),
    SQ_ARGS_END,
};

/* Fails if options of the phone are given without --adb. */
static bool
check_adb(const struct demo_args *args, struct sq_err *err) {
    bool phone = args->serial || args->fault || args->delay || args->log
              || args->clock || args->link;
    if (phone && !args->adb) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "--serial, --clock, --fault, --delay, --link and --log are for "
                "a phone that adb can reach");
        return sq_fail_hint(err, "Add --adb 127.0.0.1:0");
    }
    return true;
}

static bool
read_args(int argc, char **argv, struct demo_args *args, struct sq_err *err) {
    struct sq_words words = { 0 };
    if (!sq_options_parse(demo_options, argc, argv, args, &words, err)) {
        return false;
    }
    if (words.count) {
        sq_fail(err, SQ_ERR_ARGUMENT, "too many words");
        return sq_fail_hint(err, "Usage: squint demo [options]");
    }
    return check_adb(args, err);
}

static bool
be_phone(const struct demo_args *args, const struct sq_config *config,
         struct sq_err *err) {
    const struct sq_demo_phone_options options = {
        .address = args->adb,
        .serial = args->serial,
        .fault = args->fault,
        .delay = args->delay,
        .log = args->log,
        .clock_s = args->clock,
        .link_rate = args->link,
    };
    return sq_demo_phone_run(&options, config, err);
}

/* A tour that is being played. */
struct playing {
    struct sq_progress line;
    struct sq_interrupt *interrupt;
};

static bool
print(void *context, struct sq_buf *text, struct sq_err *err) {
    struct playing *playing = context;
    sq_progress_clear(&playing->line);
    bool ok = sq_file_write("-", text->data, text->len, err);
    sq_buf_clear(text);
    return ok;
}

/* Shows progress. Fails after Ctrl-C. */
static bool
report(void *context, size_t done, size_t total, struct sq_err *err) {
    struct playing *playing = context;
    if (sq_cancel_is_set(sq_interrupt_cancel(playing->interrupt))) {
        return sq_fail(err, SQ_ERR_CANCELLED, "interrupted");
    }
    sq_progress_report(&playing->line, "calls", (double)done, (double)total);
    return true;
}

static bool
play_tour(const struct demo_args *args, const struct sq_config *config,
          struct sq_buf *out, struct sq_err *err) {
    char program[SQ_PATH_SIZE];
    struct playing playing = { 0 };
    if (!sq_path_program(program, err)
        || !sq_interrupt_create(&playing.interrupt, err)) {
        return false;
    }
    const struct sq_tour_options options = {
        .config = config,
        .folder = args->output,
        .program = program,
        .colour = sq_paper_of_output(args->color).color,
        .flush = print,
        .report = report,
        .context = &playing,
    };
    sq_progress_start(&playing.line);
    bool ok = sq_tour_play(&options, out, err);
    sq_progress_clear(&playing.line);
    sq_interrupt_destroy(playing.interrupt);
    return ok;
}

/* Makes the phone that commands share as new. */
static bool
reset(struct sq_buf *out, struct sq_err *err) {
    return sq_kept_state_reset_demo(err)
        && sq_buf_printf(out, err, "The demo phone is as new.\n");
}

static bool
run(const struct demo_args *args, const struct sq_config *config,
    struct sq_buf *out, struct sq_err *err) {
    if (args->reset) {
        return reset(out, err);
    }
    return args->adb ? be_phone(args, config, err)
                     : play_tour(args, config, out, err);
}

static bool
demo_run(int argc, char **argv, struct sq_buf *out, enum sq_status *status,
         struct sq_err *err) {
    (void)status;
    struct demo_args args = { .output = SQ_TOUR_FOLDER };
    struct sq_setup setup;
    bool ok = sq_setup_init(&setup, &argc, argv, err)
           && read_args(argc, argv, &args, err)
           && run(&args, &setup.config, out, err);
    sq_setup_finish(&setup);
    return ok;
}

const struct sq_command sq_command_demo = {
    .name = "demo",
    .heading = "Start here",
    .usage = "[options]",
    .summary = "see how an agent uses the built-in demo phone",
    .help = "Plays an agent that signs in on the demo phone, plays a game that "
            "is only\n"
            "pixels, and opens an app that forbids screenshots. Prints what "
            "each call\n"
            "answers and costs, and writes a page with the pictures "
            "to " SQ_TOUR_FOLDER "/. Only\n"
            "files that it wrote itself are replaced there.\n"
            "\n"
            "With --adb it is a phone for adb and everything that uses adb, "
            "until a signal,\n"
            "or the end of a pipe on standard input, ends it.\n"
            "\n"
            "Commands such as squint tap share one demo phone, which keeps its "
            "state from\n"
            "one to the next. --reset makes it as new.\n"
            "\n"
            "Exit status: 0 done, 1 failed, 2 the command line is wrong.",
    .options = demo_options,
    .trouble = SQ_STATUS_FAILED,
    .run_words = demo_run,
};
