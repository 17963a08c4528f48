/*
 * archive: prints what the folders of past screenshots contain, reads their
 * text, and removes old ones that squint recorded.
 */
#include "app/commands/command.h"

#include <inttypes.h>
#include <stdio.h>

#include "app/commands/retention.h"
#include "app/interrupt.h"
#include "app/print_message.h"
#include "json/writer.h"
#include "app/terminal/progress.h"
#include "archive/library.h"
#include "archive/search/search.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "tools/reply.h"
#include "util/time_text.h"

#define SCAN_TIMEOUT_MS 3600000
#define MAX_SHAPES 5 /* patterns of unknown names to print */
#define NS_PER_S 1000000000
#define INDEX_TIMEOUT_MS (24 * 3600 * 1000)
#define INDEX_USES                                                             \
    (SQ_USE_PAST | SQ_USE_ACTIVITY | SQ_USE_PICTURES | SQ_USE_READER           \
     | SQ_USE_TEXT_RULES)

struct archive_args {
    bool json;
    bool remove;
    bool dry_run;
    const char *keep;
    const char *keep_size;
    const char *language;
    struct sq_opt_int color;
};

static const struct sq_arg archive_options[] = {
    SQ_BOOL(archive_args, json, "json", "print the figures as JSON"),
    SQ_BOOL(archive_args, remove, "delete",
            "index: remove the texts of all pictures"),
    { .name = "keep",
      SQ_TEXT_FIELD(archive_args, keep, 0),
      .placeholder = "TIME",
      .text = "prune: remove what is older: 12h, 30d, 8w" },
    { .name = "keep-size",
      SQ_TEXT_FIELD(archive_args, keep_size, 0),
      .placeholder = "SIZE",
      .text = "prune: remove the oldest beyond: 500M, 20G" },
    SQ_BOOL(archive_args, dry_run, "dry-run",
            "prune: remove nothing, say what would be"),
    /* The former name of --ocr-language, an option of the configuration. */
    { .name = "language",
      SQ_TEXT_FIELD(archive_args, language, 0),
      .placeholder = "NAME",
      .is_hidden = true },
    SQ_COLOR_ROW(archive_args),
    SQ_ARGS_END,
};

static void
show_progress(void *context, uint32_t done, uint32_t known, uint64_t shots) {
    char what[64];
    snprintf(what, sizeof(what), "%" PRIu64 " screenshots; folders", shots);
    sq_progress_report(context, what, done, known);
}

/* The findings of one root folder. */
struct findings {
    struct sq_archive_totals totals;
    struct sq_shapes shapes; /* patterns of unrecognised names */
};

/* Writes the most frequent patterns, and counts the others. */
static void
put_shapes(struct sq_json_writer *w, const struct sq_shapes *shapes,
           size_t most) {
    uint64_t others = shapes->others;
    sq_json_begin_array_of(w, "unparsedLike");
    for (size_t i = 0; i < shapes->count; i++) {
        const struct sq_shape *shape = &shapes->items[i];
        if (i >= most) {
            others += shape->count;
            continue;
        }
        sq_json_begin_object(w);
        sq_json_put_clean_member(w, "like", sq_span_of(shape->text));
        sq_put_int(w, "count", (int64_t)shape->count);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    if (others > 0) {
        sq_put_int(w, "unparsedOthers", (int64_t)others);
    }
}

static void
put_findings(struct sq_json_writer *w, const struct sq_archive_root *root,
             const struct sq_zone *zone, const struct findings *found,
             size_t most_shapes) {
    const struct sq_archive_totals *totals = &found->totals;
    char text[SQ_TIME_TEXT_SIZE];
    sq_json_begin_object(w);
    sq_put_text(w, "root", root->name);
    sq_put_text(w, "path", root->path);
    sq_put_text(w, "trouble", sq_archive_trouble_name(totals->trouble));
    sq_put_int(w, "folders", (int64_t)totals->folders);
    sq_put_int(w, "unreadableFolders", (int64_t)totals->unreadable);
    sq_put_int(w, "screenshots", (int64_t)totals->shots);
    sq_put_int(w, "full", (int64_t)totals->full);
    sq_put_int(w, "thumbnails", (int64_t)totals->thumbnails);
    sq_put_int(w, "misfiled", (int64_t)totals->misfiled);
    sq_put_int(w, "unparsedNames", (int64_t)totals->unparsed);
    if (totals->unparsed > 0) {
        put_shapes(w, &found->shapes, most_shapes);
    }
    if (totals->shots > 0) {
        sq_time_format(totals->first_utc,
                       sq_zone_offset(zone, totals->first_utc), text);
        sq_put_text(w, "first", text);
        sq_time_format(totals->last_utc, sq_zone_offset(zone, totals->last_utc),
                       text);
        sq_put_text(w, "last", text);
    }
    sq_json_begin_object_of(w, "names");
    for (size_t i = 0; i < sq_name_strategy_count(); i++) {
        if (totals->by_strategy[i] > 0) {
            sq_put_int(w, sq_name_strategy_at(i)->id,
                       (int64_t)totals->by_strategy[i]);
        }
    }
    sq_json_end_object(w);
    sq_json_end_object(w);
}

static bool
scan(struct sq_archive *archive, size_t root, struct sq_cancel *cancel,
     struct findings *found, struct sq_err *err) {
    struct sq_progress line;
    sq_progress_start(&line);
    const struct sq_archive_progress progress = { show_progress, &line };
    const struct sq_deadline deadline = sq_deadline_in(SCAN_TIMEOUT_MS, cancel);
    bool ok = sq_archive_scan(archive, root, &progress, &deadline,
                              &found->totals, err);
    if (ok && found->totals.unparsed > 0) {
        ok = sq_archive_find_shapes(archive, root, &deadline, &found->shapes,
                                    err);
    }
    sq_progress_clear(&line);
    return ok;
}

/*
 * What people read about each folder: last, what no list shows: misfiled,
 * unreadable and unknown pictures.
 */
static const char stats_text[] =
    "[*.:{=strong}{root} ({path}){=}\n"
    "[!trouble=none:  {=bad}{trouble}{=}\n]"
    "[trouble=none:  screenshots  {screenshots} ({full} full, {thumbnails} "
    "thumbnail{thumbnails:s}) in {folders} folder{folders:s}\n"
    "[first:  from         {first}\n  to           {last}\n]"
    "[misfiled:{=doubt}  misfiled     {misfiled} in the folder of another "
    "date: no list shows them{=}\n]"
    "[unreadableFolders:{=doubt}  unreadable   {unreadableFolders} "
    "folder{unreadableFolders:s}{=}\n]"
    "[unparsedNames:{=doubt}  unknown      {unparsedNames} "
    "picture{unparsedNames:s} without a time in the name{=}\n"
    "[*unparsedLike:{=faint}               {count} like {like}{=}\n]"
    "[unparsedOthers:{=faint}               {unparsedOthers} "
    "other{unparsedOthers:s}{=}\n]]"
    "[names:  names        [*names|               :{.} in the form of {@}\n]]"
    "]]";

/* What every subcommand gets. */
struct request {
    const struct sq_library *past;
    const struct sq_redactor *redactor;
    const struct sq_config *config;
    const struct archive_args *args;
    const struct sq_words *words; /* the first is its name */
    struct sq_cancel *cancel;
    struct sq_buf *out;
    enum sq_status *status;
};

/* One subcommand. */
struct subcommand {
    const char *name;
    int max_words; /* after its name */
    unsigned uses; /* which options of the configuration have an effect */
    bool (*run)(const struct request *request, struct sq_err *err);
};

static bool
stats(const struct request *request, struct sq_err *err) {
    const struct sq_library *library = request->past;
    const bool json = request->args->json;
    struct sq_page page = { .out = request->out,
                            .paper = sq_paper_of_output(request->args->color) };
    struct sq_json_writer w;
    bool ok = true;
    SQ_BUF(answer, SQ_MAX_JSON_BYTES);
    sq_json_writer_init(&w, &answer);
    sq_json_begin_array(&w);
    for (size_t i = 0; ok && i < sq_archive_root_count(library->archive); i++) {
        struct findings found = { 0 };
        ok = scan(library->archive, i, request->cancel, &found, err);
        /* The default folder is missing until something is recorded. */
        if (found.totals.trouble != SQ_ARCHIVE_TROUBLE_NONE
            && library->is_configured) {
            *request->status = SQ_STATUS_FAILED;
        }
        put_findings(&w, sq_archive_root_at(library->archive, i), library->zone,
                     &found, json ? SQ_SHAPES : MAX_SHAPES);
    }
    sq_json_end_array(&w);
    return ok && sq_command_answer(&w, json, stats_text, &page, err);
}

static void
draw(void *context, const struct sq_search_progress *progress) {
    sq_progress_report(context, "reading text; pictures",
                       (double)progress->done, (double)progress->all);
}

/* Reads the dates that limit what is read; "last" and "week" are one. */
static bool
choose_window(const struct request *request, struct sq_archive_window *out,
              struct sq_err *err) {
    const struct sq_words *words = request->words;
    struct sq_window window = { 0, UINT32_MAX };
    char note[SQ_WINDOW_NOTE_SIZE];
    char period[64];
    const char *start = words->count > 1 ? words->word[1] : "";
    const char *end = words->count > 2 ? words->word[2] : "";
    if (strcmp(start, "last") == 0 || strcmp(start, "this") == 0) {
        snprintf(period, sizeof(period), "%s %.50s", start, end);
        start = period;
        end = "";
    }
    const struct sq_window_request dates = {
        .start = sq_span_of(start),
        .end = sq_span_of(end),
        .zone = request->past->zone,
        .now_utc = sq_clock_wall_ns() / NS_PER_S,
    };
    if (words->count > 1 && !sq_window_read(&dates, &window, note, err)) {
        return false;
    }
    *out = (struct sq_archive_window){ window.from_utc, window.to_utc,
                                       SQ_ARCHIVE_ANY, SQ_ARCHIVE_ANY };
    return true;
}

/* What people read; "done" is only for them. */
static const char index_text[] =
    "[interrupted:Interrupted][!interrupted:Done]: {done} of {pictures} new or "
    "changed pictures\n"
    "[read:  read         {read}\n]"
    "[alike:  alike        {alike} that are equal to the one before\n]"
    "[changed:  changed      {changed} that were read before, and have changed "
    "since\n]"
    "[known:  known        {known} that were read before\n]"
    "[activitiesAdded:  activities   {activitiesAdded} that were added to "
    "pictures read before\n]"
    "[unreadable:  unreadable   {unreadable} whose files cannot be used now\n]"
    "[onlyThumbnails:  small        {onlyThumbnails} of which only a thumbnail "
    "is left\n]"
    "[removed:  removed      {removed} that no longer exist\n]"
    "[foldersNotPermitted:  left out     {foldersNotPermitted} "
    "folder{foldersNotPermitted:s} whose permission is not full\n]"
    "[indexesRebuilt:The index was damaged, so it was begun again"
    "[dated:. Run squint archive index for pictures of other times.]"
    "[!dated:.]\n]"
    "[troubled:The folder {troubled} {trouble}: its texts are kept as they "
    "are.\n]"
    "[interrupted:Run it again to go on where it stopped.\n]";

static bool
print_built(const struct request *request, const struct sq_search_built *built,
            struct sq_err *err) {
    const struct sq_search_progress *p = &built->progress;
    const struct {
        const char *key;
        int64_t count;
    } figures[] = {
        { "pictures", (int64_t)p->all },
        { "read", (int64_t)p->read },
        { "alike", (int64_t)p->alike },
        { "changed", (int64_t)p->changed },
        { "known", (int64_t)built->known },
        { "activitiesAdded", (int64_t)built->named },
        { "unreadable", (int64_t)built->unreadable },
        { "onlyThumbnails", (int64_t)built->small },
        { "removed", built->removed },
        { "linesRead", p->lines_read },
        { "linesKnown", p->lines_known },
        { "foldersNotPermitted", built->forbidden },
        { "foldersUnreadable", built->troubled },
        { "indexesRebuilt", built->rebuilt },
    };
    const struct sq_archive *archive = request->past->archive;
    struct sq_page page = { .out = request->out };
    struct sq_json_writer w;
    SQ_BUF(answer, SQ_MAX_JSON_BYTES);
    sq_json_open(&w, &answer);
    for (size_t i = 0; i < SQ_COUNT(figures); i++) {
        sq_put_int(&w, figures[i].key, figures[i].count);
    }
    sq_put_bool(&w, "interrupted", built->is_cancelled);
    if (!request->args->json) {
        sq_put_int(&w, "done", (int64_t)p->done);
        sq_put_bool(&w, "dated", request->words->count > 1);
    }
    if (!request->args->json && built->troubled > 0) {
        int root = built->troubled_root;
        sq_put_text(&w, "troubled",
                    sq_archive_root_at(archive, (size_t)root)->path);
        sq_put_text(&w, "trouble", sq_search_trouble_text(built->trouble));
    }
    return sq_command_end_answer(&w, request->args->json, index_text, &page,
                                 err);
}

static bool
build(const struct request *request, struct sq_search_built *built,
      struct sq_err *err) {
    const char *language = request->args->language;
    struct sq_reader *reader = NULL;
    struct sq_progress line;
    const struct sq_deadline deadline =
        sq_deadline_in(INDEX_TIMEOUT_MS, request->cancel);
    struct sq_search_build_request how = {
        .past = request->past,
        .redactor = request->redactor,
        .deadline = &deadline,
        .repairs = true,
        .report = draw,
        .context = &line,
    };
    sq_call_lower_priority(); /* the workers that are started inherit it */
    if (!choose_window(request, &how.window, err)
        || !sq_host_create_reader(language ? language
                                           : request->config->ui.ocr_language,
                                  0, &reader, err)) {
        return false;
    }
    how.reader = reader;
    sq_progress_start(&line);
    bool ok = sq_reader_start(reader, &deadline, err)
           && sq_search_build(&how, built, err);
    sq_progress_clear(&line);
    sq_reader_destroy(reader);
    return ok;
}

/* Fails if no folder could be looked at. */
static bool
check_folders(const struct request *request,
              const struct sq_search_built *built, struct sq_err *err) {
    if (built->folders > 0 || built->is_cancelled) {
        return true;
    }
    if (built->troubled > 0) {
        return sq_search_fail_troubled(request->past, built->troubled_root,
                                       built->trouble, err);
    }
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "no folder of screenshots may be read: text needs the permission "
            "full");
    return sq_fail_hint(err, "The permission is set in archive.roots, or after "
                             "the path: --archive DIR=full.");
}

/* Reads the texts, or removes them. Interrupted, it reports what is done. */
static bool
read_texts(const struct request *request, struct sq_err *err) {
    struct sq_search_built built;
    if (request->args->remove) {
        unsigned removed;
        const struct sq_deadline deadline =
            sq_deadline_in(INDEX_TIMEOUT_MS, request->cancel);
        return sq_search_delete(request->past->archive, &deadline, &removed,
                                err)
            && sq_buf_printf(request->out, err, "Removed %u ind%s of texts\n",
                             removed, removed == 1 ? "ex" : "exes");
    }
    if (!build(request, &built, err) || !check_folders(request, &built, err)
        || !print_built(request, &built, err)) {
        return false;
    }
    *request->status = built.is_cancelled ? SQ_STATUS_INTERRUPTED
                     : built.troubled > 0 ? SQ_STATUS_FAILED
                                          : SQ_STATUS_OK;
    return true;
}

/* Removes what squint recorded in one folder. */
static bool
prune_folder(const struct request *request,
             const struct sq_recorded_limits *limits, const char *folder,
             struct sq_err *err) {
    struct sq_retention_result result;
    struct sq_err local_err = { 0 };
    const struct sq_deadline deadline =
        sq_deadline_in(SCAN_TIMEOUT_MS, request->cancel);
    bool ok = sq_retention_apply(folder, request->past->zone, limits, &deadline,
                                 &result, &local_err);
    if (!ok && result.files.removed == 0) {
        return sq_fail_with(err, &local_err);
    }
    if (!ok) {
        sq_print_error("squint archive", &local_err);
    }
    if (!ok || result.files.failed > 0) {
        *request->status = local_err.code == SQ_ERR_CANCELLED
                             ? SQ_STATUS_INTERRUPTED
                             : SQ_STATUS_FAILED;
    }
    return sq_retention_put(folder, limits, &result, request->args->json,
                            request->out, err);
}

/* Prints a line for each folder. Only ManicTime itself writes into its own. */
static bool
prune(const struct request *request, struct sq_err *err) {
    const struct sq_library *library = request->past;
    const struct archive_args *args = request->args;
    struct sq_recorded_limits limits;
    if (!args->keep && !args->keep_size) {
        sq_fail(err, SQ_ERR_ARGUMENT, "prune needs to know what stays");
        return sq_fail_hint(err, "Say how long, --keep 30d, or how much, "
                                 "--keep-size 20G, or both.");
    }
    bool ok = sq_retention_parse(args->keep, args->keep_size, &limits, err);
    limits.is_rehearsal = args->dry_run;
    for (size_t i = 0; ok && *request->status == SQ_STATUS_OK
                       && i < sq_archive_root_count(library->archive);
         i++) {
        ok = sq_library_is_manictime(library, (int)i)
          || prune_folder(request, &limits,
                          sq_archive_root_at(library->archive, i)->path, err);
    }
    return ok;
}

static const struct subcommand subcommands[] = {
    { "stats", 0, SQ_USE_PAST, stats },
    { "index", 2, INDEX_USES, read_texts },
    { "prune", 0, SQ_USE_PAST, prune },
};

static const char *
subcommand_at(size_t index) {
    size_t count = SQ_COUNT(subcommands);
    return index < count ? subcommands[index].name : NULL;
}

static const struct subcommand *
find_subcommand(const struct sq_words *words) {
    for (size_t i = 0; i < SQ_COUNT(subcommands); i++) {
        if (words->count > 0 && strcmp(words->word[0], subcommands[i].name) == 0
            && words->count - 1 <= subcommands[i].max_words) {
            return &subcommands[i];
        }
    }
    return NULL;
}

static bool
fail_subcommand(const struct sq_words *words, struct sq_err *err) {
    char quoted[SQ_ARG_QUOTED_SIZE];
    struct sq_nearest nearest;
    struct sq_span word = sq_span_of(words->count > 0 ? words->word[0] : "");
    sq_nearest_begin(&nearest, word);
    for (size_t i = 0; subcommand_at(i); i++) {
        sq_nearest_try(&nearest, subcommand_at(i));
    }
    if (words->count == 0) {
        sq_fail(err, SQ_ERR_ARGUMENT, "archive needs a subcommand");
    } else if (strcmp(nearest.found, words->word[0]) == 0) {
        sq_arg_quote(sq_span_of(words->word[words->count - 1]), quoted);
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is one word too many", quoted);
    } else {
        sq_arg_quote(word, quoted);
        sq_fail(err, SQ_ERR_ARGUMENT, "there is no subcommand %s", quoted);
        if (nearest.found[0]) {
            return sq_fail_hint(err, "Did you mean squint archive %s?",
                                nearest.found);
        }
    }
    return sq_fail_hint(err, "Usage: squint archive stats [options], "
                             "squint archive index [WHEN [WHEN]] [options], or "
                             "squint archive prune --keep TIME [options]");
}

/* Refuses options of reading texts in a subcommand that does not read any. */
static bool
check_used(const struct sq_setup *setup, const struct archive_args *args,
           const struct sq_words *words, const struct subcommand *subcommand,
           struct sq_err *err) {
    const bool is_stats = subcommand->run == stats;
    const struct sq_no_effect why = {
        is_stats ? "in stats" : "in prune",
        "Leave it out. It is an option of squint archive index."
    };
    const char *limit = args->keep      ? "--keep"
                      : args->keep_size ? "--keep-size"
                      : args->dry_run   ? "--dry-run"
                                        : NULL;
    if (limit && subcommand->run != prune) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s has no effect in %s", limit,
                subcommand->name);
        return sq_fail_hint(err, "It is an option of squint archive prune.");
    }
    if (args->remove && subcommand->run != read_texts) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--delete has no effect in %s",
                subcommand->name);
        return sq_fail_hint(err, "squint archive index --delete removes the "
                                 "texts of all pictures.");
    }
    if (args->remove && words->count > 1) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "--delete removes the texts of all pictures, not only those "
                "of a time");
        return sq_fail_hint(err, "Leave out the time to remove all texts.");
    }
    if (subcommand->uses & SQ_USE_READER) {
        return true;
    }
    if (args->language) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--language has no effect %s", why.where);
        return sq_fail_hint(err, "%s", why.hint);
    }
    return sq_setup_check_uses(setup, subcommand->uses, &why, err);
}

static bool
run_subcommand(struct sq_setup *setup, const struct archive_args *args,
               const struct sq_words *words, struct sq_buf *out,
               enum sq_status *status, struct sq_err *err) {
    const struct subcommand *subcommand = find_subcommand(words);
    if (!subcommand) {
        return fail_subcommand(words, err);
    }
    if (!check_used(setup, args, words, subcommand, err)
        || !sq_setup_start(setup, err)
        || !sq_setup_check_text_rules(setup, subcommand->uses, err)) {
        return false;
    }
    const struct sq_library *library = setup->host->library;
    if (sq_archive_root_count(library->archive) == 0) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "no folder of screenshots is configured");
        return sq_fail_hint(err, "%s",
                            sq_cause_remedy(SQ_CAUSE_NOT_CONFIGURED));
    }
    struct sq_interrupt *interrupt = NULL;
    bool ok = sq_interrupt_create(&interrupt, err);
    if (ok) {
        const struct request request = { library,
                                         &setup->host->redactor,
                                         &setup->config,
                                         args,
                                         words,
                                         sq_interrupt_cancel(interrupt),
                                         out,
                                         status };
        ok = subcommand->run(&request, err);
    }
    sq_interrupt_destroy(interrupt);
    return ok;
}

static bool
archive_run(int argc, char **argv, struct sq_buf *out, enum sq_status *status,
            struct sq_err *err) {
    struct archive_args args = { 0 };
    struct sq_words words = { 0 };
    SQ_FREED(sq_setup_finish) struct sq_setup setup = { 0 };
    const struct sq_accepted accepted =
        sq_command_accepted(&sq_command_archive);
    return sq_setup_take_flags(&setup, &accepted, &argc, argv, err)
        && sq_options_parse(&accepted, argc, argv, &args, &words, err)
        && run_subcommand(&setup, &args, &words, out, status, err);
}

const struct sq_command sq_command_archive = {
    .name = "archive",
    .usage = "stats | index [WHEN [WHEN]] | prune [options]",
    .summary = "count past screenshots, read their text, remove old ones",
    .options = archive_options,
    .uses = INDEX_USES,
    .prints_page = true,
    .word_at = subcommand_at,
    .run_words = archive_run,
};
