/* record: saves captures of a device as an archive of past screenshots. */
#include "app/commands/command.h"

#include <stdio.h>

#include "app/commands/record.h"
#include "app/commands/repeated_capture.h"
#include "app/commands/retention.h"
#include "json/writer.h"
#include "archive/search/search.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "tools/reply.h"

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
#define LEAST_EVERY_MS 1000
#define MAX_LINE_BYTES ((size_t)64 << 10)
#define SEQ_RANGE 1000000
#define DAY_S 86400
#define INDEX_TIMEOUT_MS 60000
#define CONTINUE_TIMEOUT_MS 5000
#define PRUNE_TIMEOUT_MS 60000
#define PRUNE_EVERY_NS (INT64_C(3600) * NS_PER_S)

/* Uses of the configuration, enum sq_config_use. */
#define USES                                                                   \
    ((unsigned)SQ_USE_DEVICES | SQ_USE_CAPTURES | SQ_USE_PICTURES              \
     | SQ_USE_PAST | SQ_USE_TEXT_RULES)
#define INDEX_USES (USES | SQ_USE_ACTIVITY | SQ_USE_READER)

struct record_args {
    const char *every;
    const char *into;
    const char *device;
    const char *keep;
    const char *keep_size;
    int count;
    bool json;
    bool index;
};

static const struct sq_arg record_options[] = {
    { .name = "every",
      SQ_TEXT_FIELD(record_args, every, 0),
      .placeholder = "TIME",
      .text = "time between captures: 30s, 5m, 1h",
      .initial = "60s" },
    { .name = "into",
      SQ_TEXT_FIELD(record_args, into, 0),
      .placeholder = "FOLDER",
      .text = "folder to save in",
      .initial = "the first of archive.roots" },
    { .name = "device",
      .letter = 's',
      SQ_TEXT_FIELD(record_args, device, 0),
      .placeholder = "ID",
      .text = "device to record; see squint devices",
      .initial = "the only one" },
    SQ_INT(record_args, count, "count", 1, 1000000000,
           "stop after N captures; none: at Ctrl-C"),
    SQ_BOOL(record_args, json, "json",
            "print JSON: a line for each file or error, and one at the end"),
    { .name = "keep",
      SQ_TEXT_FIELD(record_args, keep, 0),
      .placeholder = "TIME",
      .text = "remove what squint recorded there before: 12h, 30d, 8w",
      .initial = "forever" },
    { .name = "keep-size",
      SQ_TEXT_FIELD(record_args, keep_size, 0),
      .placeholder = "SIZE",
      .text = "remove the oldest of it beyond this: 500M, 20G",
      .initial = "any" },
    SQ_BOOL(record_args, index, "index",
            "also read the text of each picture, for squint search"),
    SQ_ARGS_END,
};

/*
 * Chooses the folder of --into, or the first that is configured. Only ManicTime
 * itself writes into its folder.
 */
static bool
choose_folder(const struct sq_library *library, const char *into,
              char out[SQ_PATH_SIZE], struct sq_err *err) {
    if (into) {
        return snprintf(out, SQ_PATH_SIZE, "%s", into) < SQ_PATH_SIZE
            || sq_fail(err, SQ_ERR_ARGUMENT, "the path of --into is too long");
    }
    int count = (int)sq_archive_root_count(library->archive);
    for (int i = 0; i < count; i++) {
        if (!sq_library_is_manictime(library, i)) {
            snprintf(out, SQ_PATH_SIZE, "%s",
                     sq_archive_root_at(library->archive, (size_t)i)->path);
            return true;
        }
    }
    if (sq_library_own_folder(library->config, out)) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no folder to record into%s",
            count > 0 ? ": the only one that is configured is ManicTime's"
                      : "");
    return sq_fail_hint(err, "Name one with --into FOLDER, or add one with "
                             "--archive, so that squint list finds it.");
}

struct recording {
    struct sq_repeated_capture captures;
    struct sq_recorder recorder;
    struct sq_recorded_limits limits; /* beyond which old ones are removed */
    const char *folder;
    int64_t prune_at_ns; /* when that is done again */
    const struct sq_library *past;
    struct sq_reader *reader; /* of the texts; NULL: they are not read */
    int root;                 /* of the archive that is recorded into */
    struct sq_library *own;   /* which past may be; NULL: none */
    struct sq_config config;  /* its configuration, and the folders in it */
    const char *roots[SQ_ARCHIVE_MAX_ROOTS];
    char path[SQ_PATH_SIZE + 1];
};

/* Reads the text of what was recorded since yesterday into the index. */
static bool
index_recent(const struct recording *recording, struct sq_err *err) {
    int64_t now = sq_clock_wall_ns() / NS_PER_S;
    const struct sq_deadline deadline =
        sq_deadline_in(INDEX_TIMEOUT_MS, recording->captures.cancel);
    const struct sq_search_build_request request = {
        .past = recording->past,
        .redactor = &recording->captures.setup->host->redactor,
        .reader = recording->reader,
        .window = { now - DAY_S, now + 1, SQ_ARCHIVE_ANY, recording->root },
        .deadline = &deadline,
    };
    struct sq_search_built built;
    return sq_search_build(&request, &built, err);
}

/* Opens a library with a folder and those of the configuration. */
static bool
open_library(struct recording *recording, const struct sq_config *config,
             const char *folder, struct sq_err *err) {
    const struct sq_strings *roots = &config->archive.roots;
    if (roots->count > SQ_ARCHIVE_MAX_ROOTS - 1) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "more than %d archive folders, with that of --into",
                       SQ_ARCHIVE_MAX_ROOTS);
    }
    /* After a slash, "=" does not begin a permission. */
    snprintf(recording->path, sizeof(recording->path), "%s/", folder);
    recording->roots[0] = recording->path;
    for (size_t i = 0; i < roots->count; i++) {
        recording->roots[i + 1] = roots->items[i];
    }
    recording->config = *config;
    recording->config.archive.roots =
        (struct sq_strings){ recording->roots, roots->count + 1 };
    if (!sq_library_create(&recording->config, &recording->own, err)) {
        return false;
    }
    const char *manictime = config->archive.manictime_directory;
    size_t entry = manictime && manictime[0] ? 1 : 0; /* it comes first */
    recording->past = recording->own;
    recording->root = sq_archive_entry_at(recording->own->archive, entry).root;
    return true;
}

/*
 * Prepares reading the texts of the folder that is recorded into, which the
 * archive may not have yet.
 */
static bool
start_index(struct recording *recording, const struct sq_config *config,
            const char *folder, struct sq_err *err) {
    recording->root =
        sq_archive_root_named(recording->past->archive, sq_span_of(folder));
    if (recording->root == SQ_ARCHIVE_ANY
        && !open_library(recording, config, folder, err)) {
        return false;
    }
    if (recording->root == SQ_ARCHIVE_ANY) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "--index cannot read the pictures in %s: another entry of "
                "archive.roots does not permit it",
                folder);
        return sq_fail_hint(err, "Leave out --index, or record into another "
                                 "folder.");
    }
    return sq_host_create_reader(config->ui.ocr_language, 0, &recording->reader,
                                 err);
}

/* Draws "demo: 3 saved, 12 unchanged; next capture in 43 s; Ctrl-C ends". */
static void
draw_status(void *context, int64_t left_ns) {
    struct recording *recording = context;
    const char *id = recording->captures.id;
    char text[SQ_PROGRESS_TEXT_SIZE];
    snprintf(text, sizeof(text),
             "%s%s%ld saved, %ld unchanged; next capture in %d s; Ctrl-C ends",
             id, id[0] ? ": " : "", recording->recorder.kept,
             recording->recorder.skipped,
             (int)((left_ns + NS_PER_S - 1) / NS_PER_S));
    sq_progress_show(&recording->captures.line, text);
}

/* Prints the name of a new file. */
static bool
print_file(const char *name, bool json, struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(answer, MAX_LINE_BYTES);
    SQ_BUF(line, MAX_LINE_BYTES);
    sq_json_open(&w, &answer);
    sq_json_put_clean_member(&w, "file", sq_span_of(name));
    return sq_command_end_answer(&w, json, "{file}\n",
                                 &(struct sq_page){ .out = &line }, err)
        && sq_file_write("-", line.data, line.len, err);
}

/* Removes old shots at the start and every hour; says what was removed. */
static bool
prune(struct recording *recording, struct sq_err *err) {
    const struct sq_recorded_limits *limits = &recording->limits;
    struct sq_retention_result result;
    struct sq_err local_err = { 0 };
    int64_t now_ns = sq_clock_monotonic_ns();
    const struct sq_deadline deadline =
        sq_deadline_in(PRUNE_TIMEOUT_MS, recording->captures.cancel);
    if ((limits->max_age_s == 0 && limits->max_bytes == 0)
        || now_ns < recording->prune_at_ns) {
        return true;
    }
    recording->prune_at_ns = now_ns + PRUNE_EVERY_NS;
    sq_progress_clear(&recording->captures.line);
    SQ_BUF(text, MAX_LINE_BYTES);
    if (!sq_retention_apply(recording->folder, recording->recorder.zone, limits,
                            &deadline, &result, &local_err)
        && local_err.code != SQ_ERR_CANCELLED) {
        sq_repeated_capture_report(&recording->captures, &local_err);
    }
    /* A screen that is still the same is saved again. */
    recording->recorder.last.known &=
        result.files.kept > 0 || result.files.removed == 0;
    return (result.files.removed == 0 && result.files.failed == 0)
        || (sq_retention_put(recording->folder, limits, &result,
                             recording->captures.json, &text, err)
            && sq_file_write("-", text.data, text.len, err));
}

/* A failed capture is reported. Fails only if nothing can be printed. */
static bool
record_and_report(void *context, struct sq_err *err) {
    struct recording *recording = context;
    struct sq_repeated_capture *captures = &recording->captures;
    struct sq_err local_err = { 0 };
    char name[SQ_RECORD_NAME_SIZE] = "";
    sq_progress_clear(&captures->line);
    if (!prune(recording, err)) {
        return false;
    }
    SQ_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
    bool ok = sq_repeated_capture_take(captures, &capture, &local_err)
           && sq_recorder_take(&recording->recorder, &capture,
                               sq_clock_wall_ns() / NS_PER_S, name, &local_err);
    if (ok && name[0]) {
        if (!print_file(name, captures->json, err)) {
            return false;
        }
        ok = !recording->reader || index_recent(recording, &local_err);
    }
    if (!ok && local_err.code != SQ_ERR_CANCELLED) {
        sq_repeated_capture_report(captures, &local_err);
    }
    return true;
}

static bool
put_end(const struct recording *recording, const struct sq_run *run,
        struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(answer, MAX_LINE_BYTES);
    sq_json_open(&w, &answer);
    sq_put_clean(&w, "device", sq_span_of(recording->captures.id));
    sq_put_int(&w, "saved", recording->recorder.kept);
    sq_put_int(&w, "unchanged", recording->recorder.skipped);
    sq_json_put_clean_member(&w, "folder", sq_span_of(recording->folder));
    return sq_command_end_answer(&w, recording->captures.json,
                                 "[device:{device}: ]{saved} saved, "
                                 "{unchanged} skipped because nothing had "
                                 "changed: {folder}\n",
                                 run->page, err);
}

static bool
record(const struct sq_run *run, struct sq_err *err) {
    const struct sq_setup *setup = run->setup;
    const struct record_args *args = run->args;
    char folder[SQ_PATH_SIZE];
    struct sq_made_folders made;
    const struct sq_library *library = setup->host->library;
    struct recording recording = {
        .captures = { .setup = setup,
                      .command = "squint record",
                      .doing = "recording",
                      .wanted = args->device,
                      .json = args->json,
                      .count = args->count,
                      .step = record_and_report,
                      .show = draw_status,
                      .context = &recording },
        .recorder = { .zone = library->zone },
        .folder = folder,
        .past = library,
    };
    /* Recorders that start in the same second get different numbers. */
    recording.recorder.seq =
        (uint32_t)(sq_clock_wall_ns() / NS_PER_MS % SEQ_RANGE);
    if (!sq_interval_parse(args->every ? args->every : "60s", LEAST_EVERY_MS,
                           &recording.captures.every_ms, err)
        || !sq_retention_parse(args->keep, args->keep_size, &recording.limits,
                               err)
        || !choose_folder(library, args->into, folder, err)
        || !sq_folder_open_new(folder, &recording.recorder.folder, &made,
                               err)) {
        return false;
    }
    const struct sq_deadline deadline =
        sq_deadline_in(CONTINUE_TIMEOUT_MS, NULL);
    sq_recorder_continue(&recording.recorder, folder, &deadline);
    bool ok =
        (!args->index || start_index(&recording, &setup->config, folder, err))
        && sq_repeated_capture_run(&recording.captures, err)
        && put_end(&recording, run, err);
    bool any = recording.recorder.kept + recording.recorder.skipped > 0;
    *run->status = any ? SQ_STATUS_OK : SQ_STATUS_FAILED;
    sq_reader_destroy(recording.reader);
    sq_library_destroy(recording.own);
    sq_folder_close(recording.recorder.folder);
    sq_folder_remove_made(&made);
    return ok;
}

/* Refuses options of reading texts and activities if neither is read. */
static bool
check_used(const struct sq_setup *setup, const struct record_args *args,
           struct sq_err *err) {
    static const struct sq_no_effect why = {
        "without --index",
        "Leave it out, or add --index to read the text of each picture."
    };
    return sq_setup_check_text_rules(setup, INDEX_USES, err)
        && (args->index || sq_setup_check_uses(setup, USES, &why, err));
}

static bool
record_run(const struct sq_run *run, struct sq_err *err) {
    return check_used(run->setup, run->args, err)
        && sq_host_keep_state(run->setup->host, err) && record(run, err);
}

const struct sq_command sq_command_record = {
    .name = "record",
    .usage = "[options]",
    .summary = "save the screen of a device whenever it changes",
    .options = record_options,
    .uses = INDEX_USES,
    .prints_page = true,
    .run = record_run,
};
