/*
 * demo: plays an agent's steps on the demo phone, or serves the phone to adb.
 */
#include "app/commands/command.h"

#include <limits.h>

#include "app/host/kept_state.h"
#include "app/interrupt.h"
#include "app/print_output.h"
#include "app/setup.h"
#include "page/page.h"
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
    bool run_programs;
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
      .text = "folder for the page",
      .initial = SQ_TOUR_FOLDER },
    SQ_BOOL(demo_args, reset, "reset",
            "reset the demo phone that other commands share, and exit"),
    { .name = "adb",
      SQ_TEXT_FIELD(demo_args, adb, 0),
      .placeholder = "HOST:PORT",
      .text = "act as a phone that adb can reach; port 0: any free port" },
    { .name = "serial",
      SQ_TEXT_FIELD(demo_args, serial, 0),
      .placeholder = "NAME",
      .text = "the phone's serial number",
      .initial = "SQUINTDEMO" },
    SQ_INT(demo_args, clock, "clock", 1, INT_MAX,
           "set the phone's clock to N seconds after 1970 and stop it"),
    { .name = "fault",
      SQ_TEXT_FIELD(demo_args, fault, 0),
      .placeholder = "NAME[=N],...",
      .text = "simulate this fault; see docs/demo-phone.md" },
    { .name = "delay",
      SQ_TEXT_FIELD(demo_args, delay, 0),
      .placeholder = "PROGRAM=MS,...",
      .text = "delay these programs of the phone" },
    SQ_INT(demo_args, link, "link", 1, INT_MAX,
           "limit the speed of the connection to N bytes per second"),
    SQ_BOOL(demo_args, run_programs, "run-programs",
            "run programs that are copied to the phone, on this machine"),
    { .name = "log",
      SQ_TEXT_FIELD(demo_args, log, 0),
      .placeholder = "FILE",
      .text = "write a line per command: its time, status and bytes" },
    SQ_COLOR_ROW(demo_args),
    SQ_ARGS_END,
};

/* Fails if options are given that would have no effect. */
static bool
check_options(const struct demo_args *args, struct sq_err *err) {
    bool phone = args->serial || args->fault || args->delay || args->log
              || args->clock || args->link || args->run_programs;
    if (args->reset && (phone || args->adb || args->output)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--reset stands alone");
        return sq_fail_hint(err, "Run squint demo --reset first, then the "
                                 "other command.");
    }
    if (args->output && args->adb) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--output and --adb exclude each other");
        return sq_fail_hint(err, "With --adb no page is written.");
    }
    if (phone && !args->adb) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "--serial, --clock, --fault, --delay, --link, --run-programs "
                "and --log are for a phone that adb can reach");
        return sq_fail_hint(err, "Add --adb 127.0.0.1:0");
    }
    return true;
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
        .runs_programs = args->run_programs,
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
    const struct sq_output output = { .is_ours = true, .whole = "squint mcp" };
    bool ok = sq_output_print(&output, sq_buf_span(text), err);
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
        .folder = args->output ? args->output : SQ_TOUR_FOLDER,
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

/* Resets the phone that commands share. */
static bool
reset(struct sq_buf *out, struct sq_err *err) {
    return sq_kept_state_reset_demo(err)
        && sq_buf_printf(out, err, "The demo phone was reset.\n");
}

static bool
demo_run(struct sq_setup *setup, const struct sq_words *words, const void *args,
         struct sq_buf *out, enum sq_status *status, struct sq_err *err) {
    (void)words;
    (void)status;
    const struct demo_args *demo = args;
    return check_options(demo, err)
        && (demo->reset ? reset(out, err)
            : demo->adb ? be_phone(demo, &setup->config, err)
                        : play_tour(demo, &setup->config, out, err));
}

const struct sq_command sq_command_demo = {
    .name = "demo",
    .heading = "Start here",
    .usage = "[options]",
    .summary = "watch an agent use the built-in demo phone",
    .help = "Plays the calls of an agent that signs in on the demo phone, "
            "finds its way\n"
            "through a game that has no elements, only pixels, and opens a "
            "page that must not\n"
            "be captured. Prints the answer and the cost of each call, and "
            "writes a page with\n"
            "the pictures to " SQ_TOUR_FOLDER
            "/. Replaces the files of an earlier demo there; a\n"
            "folder that the demo did not create is refused.\n"
            "\n"
            "With --adb, squint becomes a phone that adb and programs that use "
            "adb can reach,\n"
            "until a signal arrives or a pipe on standard input is closed.\n"
            "\n"
            "Commands such as squint tap share one demo phone, which keeps its "
            "state from one\n"
            "command to the next. --reset returns it to its first state.\n"
            "\n"
            "Exit status: 0 done, 1 failed, 2 the command line is wrong.",
    .options = demo_options,
    .uses = SQ_USE_DEMO | SQ_USE_COSTS | SQ_USE_SIZES,
    .trouble = SQ_STATUS_FAILED,
    .args_size = sizeof(struct demo_args),
    .run_with_setup = demo_run,
};
