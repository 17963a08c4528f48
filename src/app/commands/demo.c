/*
 * demo: plays an agent's calls on the demo phone, or is that phone for adb; and
 * demo-screencap, which a program that runs on the demo phone finds under the
 * name screencap: it asks the phone for the picture and passes it on.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

#include "app/commands/command.h"
#include "app/host/kept_state.h"
#include "app/interrupt.h"
#include "app/print_message.h"
#include "app/terminal/output.h"
#include "app/terminal/progress.h"
#include "demo/adbd/serve.h"
#include "demo/tour/tour.h"
#include "sys/call.h"
#include "sys/sockets.h"
#include "util/bytes.h"
#include "util/mem.h"

#define LIMIT_MS 60000
#define PIECE ((size_t)1 << 20)
#define MAX_REQUEST 256

/* Writes the path of a file beside the one that was started. */
static void
path_beside(const char *script, const char *name, char out[SQ_PATH_SIZE]) {
    const char *slash = strrchr(script, '/');
    int folder = slash ? (int)(slash - script) : 0;
    snprintf(out, SQ_PATH_SIZE, "%.*s/%s", folder < 900 ? folder : 900, script,
             name);
}

static bool
connect_phone(const char *script, const struct sq_deadline *limit, int *fd,
              struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    path_beside(script, SQ_ADBD_SCREENCAP_SOCKET, path);
    return sq_socket_connect_path(path, limit, fd, err)
        || sq_fail(err, SQ_ERR_ARGUMENT,
                   "demo-screencap is started by the demo phone only");
}

static bool
send_request(int fd, int argc, char **argv, const struct sq_deadline *limit,
             struct sq_err *err) {
    bool ok = true;
    SQ_BUF(request, MAX_REQUEST);
    for (int i = 0; ok && i < argc; i++) {
        ok = sq_buf_printf(&request, err, "%s\n", argv[i]);
    }
    ok = ok && sq_socket_write(fd, request.data, request.len, limit, err);
    sq_socket_end_writing(fd);
    return ok;
}

/* Writes all bytes to a standard stream. */
static bool
pass_on(int stream, const uint8_t *bytes, size_t count, struct sq_err *err) {
    while (count > 0) {
        ssize_t written = sq_call_write(stream, bytes, count);
        if (written <= 0) {
            return sq_fail(err, SQ_ERR_IO, "cannot write the picture");
        }
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/* Reads the status and passes the messages on. */
static bool
receive(int fd, uint8_t space[PIECE], enum sq_status *status,
        const struct sq_deadline *limit, struct sq_err *err) {
    uint8_t head[SQ_ADBD_SCREENCAP_HEAD];
    if (!sq_socket_read(fd, head, sizeof(head), limit, err)) {
        return false;
    }
    size_t messages = sq_load_le32(head + 4);
    messages = messages < PIECE ? messages : PIECE;
    *status = sq_load_le32(head) ? SQ_STATUS_FAILED : SQ_STATUS_OK;
    return messages == 0
        || (sq_socket_read(fd, space, messages, limit, err)
            && pass_on(2, space, messages, err));
}

static bool
copy_picture(const char *script, uint8_t space[PIECE], struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    path_beside(script, SQ_ADBD_SCREENCAP_FILE, path);
    int fd = sq_call_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    ssize_t got = fd < 0 ? -1 : 1;
    bool ok = true;
    while (ok && got > 0) {
        got = sq_call_read(fd, space, PIECE);
        ok = got <= 0 || pass_on(1, space, (size_t)got, err);
    }
    if (fd >= 0) {
        sq_call_close(fd);
    }
    return ok && (got == 0 || sq_fail(err, SQ_ERR_IO, "there is no picture"));
}

static bool
screencap_run(int argc, char **argv, struct sq_buf *out, enum sq_status *status,
              struct sq_err *err) {
    (void)out;
    const struct sq_deadline limit = sq_deadline_in(LIMIT_MS, NULL);
    uint8_t *space = sq_mem_alloc(PIECE, 1);
    int fd = -1;
    if (!space) {
        return sq_fail_nomem(err);
    }
    bool ok = argc >= 1 && connect_phone(argv[0], &limit, &fd, err)
           && send_request(fd, argc - 1, argv + 1, &limit, err)
           && receive(fd, space, status, &limit, err)
           && copy_picture(argv[0], space, err);
    sq_socket_close(fd);
    sq_mem_free(space);
    return ok;
}

const struct sq_command sq_command_demo_screencap = {
    .name = "demo-screencap",
    .usage = "FILE [ARGUMENT ...]",
    .summary = "take a screenshot for a program on the demo phone",
    .run_words = screencap_run,
};

struct demo_args {
    const char *output;
    struct sq_demo_phone_options phone;
    bool reset;
    struct sq_opt_int color;
};

static const struct sq_arg demo_options[] = {
    SQ_TEXT(demo_args, output, "output", 0, "folder for the page",
            .letter = 'o', .placeholder = "FOLDER", .initial = SQ_TOUR_FOLDER),
    SQ_BOOL(demo_args, reset, "reset",
            "reset the demo phone that other commands share, and exit"),
    SQ_TEXT(demo_args, phone.address, "adb", 0,
            "act as a phone that adb can reach; port 0: any free port",
            .placeholder = "HOST:PORT"),
    SQ_TEXT(demo_args, phone.serial, "serial", 0, "the phone's serial number",
            .placeholder = "NAME", .initial = "SQUINTDEMO"),
    SQ_INT(demo_args, phone.clock_s, "clock", 1, INT_MAX,
           "set the phone's clock to N seconds after 1970 and stop it"),
    SQ_TEXT(demo_args, phone.fault, "fault", 0,
            "simulate this fault; see docs/demo-phone.md",
            .placeholder = "NAME[=N],..."),
    SQ_TEXT(demo_args, phone.delay, "delay", 0,
            "delay these programs of the phone",
            .placeholder = "PROGRAM=MS,..."),
    SQ_INT(demo_args, phone.link_rate, "link", 1, INT_MAX,
           "limit the speed of the connection to N bytes per second"),
    SQ_BOOL(demo_args, phone.runs_programs, "run-programs",
            "run programs that are copied to the phone, on this machine"),
    SQ_TEXT(demo_args, phone.log, "log", 0,
            "write a line per command: its time, status and bytes",
            .placeholder = "FILE"),
    SQ_COLOR_ROW(demo_args),
    SQ_ARGS_END,
};

/* Fails if options are given that would have no effect. */
static bool
check_options(const struct demo_args *args, struct sq_err *err) {
    const struct sq_demo_phone_options *phone = &args->phone;
    bool has_more = phone->serial || phone->fault || phone->delay || phone->log
                 || phone->clock_s || phone->link_rate || phone->runs_programs;
    if (args->reset && (has_more || phone->address || args->output)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--reset stands alone");
        return sq_fail_hint(err, "Run squint demo --reset first, then the "
                                 "other command.");
    }
    if (args->output && phone->address) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--output and --adb exclude each other");
        return sq_fail_hint(err, "With --adb no page is written.");
    }
    if (has_more && !phone->address) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "--serial, --clock, --fault, --delay, --link, --run-programs "
                "and --log are for a phone that adb can reach");
        return sq_fail_hint(err, "Add --adb 127.0.0.1:0");
    }
    return true;
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
    sq_print_for(SQ_FOR_CLIENTS);
    bool ok = sq_tour_play(&options, out, err);
    sq_print_for(SQ_FOR_COMMANDS);
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
demo_run(const struct sq_run *run, struct sq_err *err) {
    const struct demo_args *demo = run->args;
    const struct sq_config *config = &run->setup->config;
    return check_options(demo, err)
        && (demo->reset           ? reset(run->out, err)
            : demo->phone.address ? sq_demo_phone_run(&demo->phone, config, err)
                                  : play_tour(demo, config, run->out, err));
}

const struct sq_command sq_command_demo = {
    .name = "demo",
    .heading = "Start here",
    .usage = "[options]",
    .summary = "watch an agent use the built-in demo phone",
    .options = demo_options,
    .uses = SQ_USE_DEMO | SQ_USE_COSTS | SQ_USE_SIZES,
    .run = demo_run,
};
