/* demo: an agent's loop on the demo phone, told and shown. */
#include "app/command.h"

#include <stdlib.h>
#include <unistd.h>

#include "app/setup.h"
#include "app/tour.h"
#include "sys/file.h"
#include "sys/path.h"
#include "sys/terminal.h"

struct demo_args {
    const char *output;
};

static const struct sq_option demo_options[] = {
    SQ_OPT_TEXT(demo_args, output, "output", 'o', "FOLDER",
                "where the page goes (" SQ_TOUR_FOLDER ")"),
    SQ_OPTIONS_END,
};

static bool
print(struct sq_buf *text, struct sq_err *err) {
    bool ok = sq_file_write("-", text->data, text->len, err);
    sq_buf_clear(text);
    return ok;
}

static bool
wants_colour(void) {
    const char *no_colour = getenv("NO_COLOR");
    return sq_is_terminal(STDOUT_FILENO) && !(no_colour && no_colour[0]);
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
    return true;
}

static bool
demo_run(int argc, char **argv, struct sq_buf *out, enum sq_status *status,
         struct sq_err *err) {
    (void)status;
    struct demo_args args = { .output = SQ_TOUR_FOLDER };
    struct sq_setup setup;
    char program[SQ_PATH_SIZE];
    bool ok = sq_setup_init(&setup, &argc, argv, err)
           && read_args(argc, argv, &args, err)
           && sq_path_program(program, err);
    if (ok) {
        const struct sq_tour_options options = {
            .config = &setup.config,
            .folder = args.output,
            .program = program,
            .colour = wants_colour(),
            .flush = print,
        };
        ok = sq_tour_play(&options, out, err);
    }
    sq_setup_finish(&setup);
    return ok;
}

const struct sq_command sq_command_demo = {
    .name = "demo",
    .usage = "[options]",
    .summary = "watch an agent's loop on the built-in phone",
    .help = "Plays the calls of an agent that signs in on the demo phone, "
            "finds its way\nthrough a game that is only pixels, and meets a "
            "page that may not be seen.\nTells what each call answers and "
            "costs, and leaves a page with the pictures in\n" SQ_TOUR_FOLDER
            "/. Only files that it made itself are replaced there.\n\n"
            "Exit status: 0 done, 1 failed, 2 the command line is wrong.",
    .options = demo_options,
    .trouble = SQ_STATUS_FAILED,
    .run_words = demo_run,
};
