/* record: saves captures of a device as an archive of past screenshots. */
#include "app/commands/command.h"

#include <poll.h>
#include <stdio.h>

#include "app/commands/record.h"
#include "app/commands/vision_file.h"
#include "app/setup.h"
#include "app/print_message.h"
#include "app/terminal/progress.h"
#include "archive/library.h"
#include "archive/search/search.h"
#include "device/kinds.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "sys/path.h"
#include "sys/signals.h"
#include "tools/screen/redacted_capture.h"

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
#define MAX_EVERY_S 86400
#define SEQ_RANGE 1000000
#define DAY_S 86400
#define INDEX_TIMEOUT_MS 60000

struct record_args {
    const char *every;
    const char *into;
    const char *device;
    int count;
    bool index;
};

static const struct sq_arg record_options[] = {
    { .name = "every",
      SQ_TEXT_FIELD(record_args, every, 0),
      .placeholder = "TIME",
      .text = "how often to look: 60s (the default), 5m, 1h" },
    { .name = "into",
      SQ_TEXT_FIELD(record_args, into, 0),
      .placeholder = "FOLDER",
      .text = "where the archive is (the first of archive.roots)" },
    { .name = "device",
      SQ_TEXT_FIELD(record_args, device, 0),
      .placeholder = "ID",
      .text = "which device; see squint devices" },
    SQ_INT(record_args, count, "count", 1, 1000000000, "end after N captures"),
    SQ_BOOL(record_args, index, "index",
            "also read the text of each picture, for squint search"),
    SQ_ARGS_END,
};

/* Parses an interval: "60s", "5m", "1h", "90". */
static bool
read_every(const char *text, int *out, struct sq_err *err) {
    static const struct {
        const char *unit;
        int seconds;
    } units[] = { { "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 } };
    struct sq_span rest = sq_span_of(text);
    int64_t number;
    bool ok = sq_span_take_int64(&rest, &number) && number > 0
           && number <= MAX_EVERY_S;
    for (size_t i = 0; ok && i < sizeof(units) / sizeof(units[0]); i++) {
        if (sq_span_is(rest, units[i].unit)
            && number * units[i].seconds <= MAX_EVERY_S) {
            *out = (int)number * units[i].seconds;
            return true;
        }
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "--every must be a time, not %s", text);
    return sq_fail_hint(err,
                        "Give a time such as 30s, 5m or 1h; at most a day.");
}

static bool
choose_folder(const struct sq_library *library, const char *into,
              char out[SQ_PATH_SIZE], struct sq_err *err) {
    if (into) {
        return snprintf(out, SQ_PATH_SIZE, "%s", into) < SQ_PATH_SIZE
            || sq_fail(err, SQ_ERR_ARGUMENT, "the path of --into is too long");
    }
    if (sq_archive_root_count(library->archive) > 0) {
        snprintf(out, SQ_PATH_SIZE, "%s",
                 sq_archive_root_at(library->archive, 0)->path);
        return true;
    }
    if (sq_library_home(out)) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no folder to record into");
    return sq_fail_hint(err, "Name one with --into FOLDER.");
}

struct recording {
    struct sq_devices *devices;
    const char *wanted;         /* the requested device; NULL: any */
    char id[SQ_DEVICE_ID_SIZE]; /* device of the first and all later captures */
    struct sq_recorder recorder;
    int timeout_ms;
    int stop_fd;             /* readable when the command must end */
    struct sq_progress line; /* what it waits for, on a terminal */
    const struct sq_library *library;
    const struct sq_redactor *redactor;
    struct sq_reader *reader; /* of the texts; NULL: they are not read */
    int root;                 /* of the archive that is recorded into */
};

/*
 * Keeps to the first device, even if it disappears for a while, because one
 * archive holds one device.
 */
static void
stay_with(struct recording *recording, const struct sq_device_info *info,
          bool demo_by_default) {
    if (recording->id[0]) {
        return;
    }
    snprintf(recording->id, sizeof(recording->id), "%s", info->id);
    sq_print_message(
        "squint record: looking at %s%s", info->id,
        demo_by_default ? ", the demo phone: no other device is attached" : "");
}

static bool
record_once(struct recording *recording, char name[SQ_RECORD_NAME_SIZE],
            struct sq_err *err) {
    const struct sq_deadline deadline =
        sq_deadline_in(recording->timeout_ms, NULL);
    const char *id = recording->id[0] ? recording->id : recording->wanted;
    struct sq_device *device = NULL;
    bool demo_by_default = false;
    int hidden;
    struct sq_capture capture = { 0 };
    sq_buf_init(&capture.bytes, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_devices_open(recording->devices, id, &deadline, &device,
                              &demo_by_default, err);
    if (ok) {
        stay_with(recording, &device->info, demo_by_default);
        const struct sq_redacted_request request = {
            .device = device,
            .redactor = recording->redactor,
            .deadline = &deadline,
        };
        ok = sq_redacted_capture(&request, &capture, &hidden, err);
    }
    sq_devices_release(recording->devices, device);
    if (ok && capture.secure) {
        ok = sq_fail(err, SQ_ERR_SECURE_SCREEN,
                     "the foreground app does not allow its screen to be "
                     "captured");
    }
    ok = ok
      && sq_recorder_take(&recording->recorder, &capture,
                          sq_clock_wall_ns() / NS_PER_S, name, err);
    sq_capture_finish(&capture);
    return ok;
}

/* Reads the text of what was recorded since yesterday into the index. */
static bool
index_recent(const struct recording *recording, struct sq_err *err) {
    int64_t now = sq_clock_wall_ns() / NS_PER_S;
    const struct sq_deadline deadline = sq_deadline_in(INDEX_TIMEOUT_MS, NULL);
    const struct sq_search_build_request request = {
        .library = recording->library,
        .redactor = recording->redactor,
        .reader = recording->reader,
        .window = { now - DAY_S, now + 1, SQ_ARCHIVE_ANY, recording->root },
        .deadline = &deadline,
    };
    struct sq_search_built built;
    return sq_search_build(&request, &built, err);
}

/* Prepares reading the texts of the folder that is recorded into. */
static bool
start_index(struct recording *recording, const char *folder,
            struct sq_err *err) {
    recording->root =
        sq_archive_root_named(recording->library->archive, sq_span_of(folder));
    if (recording->root == SQ_ARCHIVE_ANY) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "--index needs a folder of archive.roots, and %s is none",
                folder);
        return sq_fail_hint(err, "Leave out --into, or add it with --archive.");
    }
    return sq_vision_file_reader(NULL, &recording->reader, err);
}

/* Draws "demo: 3 kept, 12 unchanged; next look in 43 s; Ctrl-C ends". */
static void
draw_status(struct recording *recording, int64_t left_ns) {
    char text[SQ_PROGRESS_TEXT_SIZE];
    snprintf(text, sizeof(text),
             "%s%s%ld kept, %ld unchanged; next look in %d s; Ctrl-C ends",
             recording->id, recording->id[0] ? ": " : "",
             recording->recorder.kept, recording->recorder.skipped,
             (int)((left_ns + NS_PER_S - 1) / NS_PER_S));
    sq_progress_show(&recording->line, text);
}

/* Waits until that time. Returns false if the command must end before. */
static bool
wait_until(struct recording *recording, int64_t at_ns) {
    bool goes_on = true;
    int64_t left_ns = at_ns - sq_clock_monotonic_ns();
    do {
        int64_t step_ns = left_ns;
        if (recording->line.is_terminal && left_ns > 0) {
            draw_status(recording, left_ns);
            step_ns = left_ns < NS_PER_S ? left_ns : NS_PER_S;
        }
        const struct sq_deadline deadline = sq_deadline_in(
            step_ns > 0 ? (int)(step_ns / NS_PER_MS) + 1 : 0, NULL);
        goes_on = !sq_wait_fd(recording->stop_fd, POLLIN, &deadline, NULL);
        left_ns = at_ns - sq_clock_monotonic_ns();
    } while (goes_on && left_ns > 0);
    sq_progress_clear(&recording->line);
    return goes_on;
}

static void
tell(const char *name, const struct sq_err *err) {
    if (err->code != SQ_ERR_NONE) {
        sq_print_error("squint record", err);
    } else if (name[0]) {
        printf("%s\n", name);
        fflush(stdout);
    }
}

/*
 * Returns the time of the next capture, in step with the first. Missed captures
 * are skipped.
 */
static int64_t
next_look(int64_t last_ns, int64_t every_ns) {
    int64_t late_ns = sq_clock_monotonic_ns() - last_ns;
    return last_ns + every_ns * (late_ns > 0 ? late_ns / every_ns + 1 : 1);
}

/*
 * Captures periodically. A failed capture is reported and tried again at the
 * next interval.
 */
static void
record_repeatedly(struct recording *recording, int every_s, int count) {
    int64_t next_ns = sq_clock_monotonic_ns();
    for (int done = 0; count == 0 || done < count; done++) {
        struct sq_err err = { 0 };
        char name[SQ_RECORD_NAME_SIZE] = "";
        if (!wait_until(recording, next_ns)) {
            return;
        }
        bool ok = record_once(recording, name, &err);
        tell(name, &err);
        if (ok && name[0] && recording->reader
            && !index_recent(recording, &err)) {
            sq_print_error("squint record", &err);
        }
        next_ns = next_look(next_ns, (int64_t)every_s * NS_PER_S);
    }
}

static bool
record(const struct sq_setup *setup, const struct record_args *args,
       struct sq_buf *out, enum sq_status *status, struct sq_err *err) {
    int every_s;
    char folder[SQ_PATH_SIZE];
    struct sq_signals *signals = NULL;
    const struct sq_library *library = sq_host_library(setup->host);
    struct recording recording = {
        .devices = sq_host_devices(setup->host),
        .wanted = args->device,
        .timeout_ms = setup->config.limits.timeout_ms,
        .library = library,
        .redactor = sq_host_redactor(setup->host),
        .recorder = { .zone = library->zone },
    };
    if (!read_every(args->every ? args->every : "60s", &every_s, err)
        || !choose_folder(library, args->into, folder, err)
        || !sq_folder_open(folder, &recording.recorder.folder, err)) {
        return false;
    }
    bool ok = (!args->index || start_index(&recording, folder, err))
           && sq_signals_create(&signals, err);
    if (ok) {
        recording.stop_fd = sq_signals_fd(signals);
        sq_progress_start(&recording.line);
        /* Recorders that start in the same second get different numbers. */
        recording.recorder.seq =
            (uint32_t)(sq_clock_wall_ns() / NS_PER_MS % SEQ_RANGE);
        record_repeatedly(&recording, every_s, args->count);
        sq_signals_destroy(signals);
        ok = sq_buf_printf(
            out, err,
            "%s%s%ld kept, %ld skipped because nothing had changed: %s\n",
            recording.id, recording.id[0] ? ": " : "", recording.recorder.kept,
            recording.recorder.skipped, folder);
        bool any = recording.recorder.kept + recording.recorder.skipped > 0;
        *status = any ? SQ_STATUS_OK : SQ_STATUS_FAILED;
    }
    sq_reader_destroy(recording.reader);
    sq_folder_close(recording.recorder.folder);
    return ok;
}

static bool
record_run(int argc, char **argv, struct sq_buf *out, enum sq_status *status,
           struct sq_err *err) {
    struct record_args args = { 0 };
    struct sq_words words = { 0 };
    struct sq_setup setup;
    bool ok =
        sq_setup_init(&setup, &argc, argv, err)
        && sq_options_parse(record_options, argc, argv, &args, &words, err)
        && (words.count == 0 || sq_fail(err, SQ_ERR_ARGUMENT, "too many words"))
        && sq_host_keep_state(setup.host, err)
        && record(&setup, &args, out, status, err);
    sq_setup_finish(&setup);
    return ok;
}

const struct sq_command sq_command_record = {
    .name = "record",
    .usage = "[options]",
    .summary = "keep what a device shows, as past screenshots",
    .help = "Looks again and again until it is stopped, and writes a full "
            "picture and a\nthumbnail whenever something has changed, under "
            "the names ManicTime gives.\nlist, get, crop and sheet then find "
            "them.\n\nThe device of the first look is that of all others: "
            "when it has gone, that is\ntold, and tried again at the next "
            "look.\n\nExit status: 0 something was seen, 1 nothing was, 2 the "
            "command line is wrong.",
    .options = record_options,
    .trouble = SQ_STATUS_FAILED,
    .run_words = record_run,
};
