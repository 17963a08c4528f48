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
#include "tools/reply.h"
#include "util/time_text.h"

#define SCAN_TIMEOUT_MS 3600000
#define MAX_SHAPES 5 /* patterns of unknown names to print */
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

static void
format_moment(const struct sq_zone *zone, uint32_t utc,
              char out[SQ_TIME_TEXT_SIZE]) {
    out[0] = '\0';
    if (utc > 0) {
        sq_time_format(utc, sq_zone_offset(zone, utc), out);
    }
}

/* The findings of one root folder. */
struct findings {
    struct sq_archive_totals totals;
    struct sq_shapes shapes; /* patterns of unrecognised names */
};

static bool
print_shapes(const struct sq_shapes *shapes, struct sq_page *page,
             struct sq_err *err) {
    size_t most = shapes->count < MAX_SHAPES ? shapes->count : MAX_SHAPES;
    uint64_t others = shapes->others;
    bool ok = true;
    for (size_t i = 0; ok && i < shapes->count; i++) {
        const struct sq_shape *shape = &shapes->items[i];
        if (i >= most) {
            others += shape->count;
            continue;
        }
        ok = sq_page_printf(page, SQ_INK_FAINT, err,
                            "               %" PRIu64 " like %s\n",
                            shape->count, shape->text);
    }
    return ok
        && (others == 0
            || sq_page_printf(page, SQ_INK_FAINT, err,
                              "               %" PRIu64 " other%s\n", others,
                              sq_plural((int64_t)others)));
}

/* Prints what no list shows: misfiled, unreadable and unknown pictures. */
static bool
print_left_out(const struct findings *found, struct sq_page *page,
               struct sq_err *err) {
    const struct sq_archive_totals *totals = &found->totals;
    bool ok = totals->misfiled == 0
           || sq_page_printf(page, SQ_INK_DOUBT, err,
                             "  misfiled     %" PRIu64
                             " in the folder of another date: no list shows "
                             "them\n",
                             totals->misfiled);
    if (ok && totals->unreadable > 0) {
        ok = sq_page_printf(
            page, SQ_INK_DOUBT, err, "  unreadable   %" PRIu32 " folder%s\n",
            totals->unreadable, sq_plural((int64_t)totals->unreadable));
    }
    if (ok && totals->unparsed > 0) {
        ok = sq_page_printf(page, SQ_INK_DOUBT, err,
                            "  unknown      %" PRIu64
                            " picture%s without a time in the name\n",
                            totals->unparsed,
                            sq_plural((int64_t)totals->unparsed))
          && print_shapes(&found->shapes, page, err);
    }
    return ok;
}

static bool
print_names(const struct sq_archive_totals *totals, struct sq_page *page,
            struct sq_err *err) {
    const char *label = "names";
    bool ok = true;
    for (size_t i = 0; ok && i < sq_name_strategy_count(); i++) {
        if (totals->by_strategy[i] > 0) {
            ok = sq_page_printf(page, SQ_INK_PLAIN, err,
                                "  %-12s %" PRIu64 " in the form of %s\n",
                                label, totals->by_strategy[i],
                                sq_name_strategy_at(i)->id);
            label = "";
        }
    }
    return ok;
}

static bool
print_findings(const struct sq_archive_root *root, const struct sq_zone *zone,
               const struct findings *found, struct sq_page *page,
               struct sq_err *err) {
    const struct sq_archive_totals *totals = &found->totals;
    char first[SQ_TIME_TEXT_SIZE];
    char last[SQ_TIME_TEXT_SIZE];
    format_moment(zone, totals->first_utc, first);
    format_moment(zone, totals->last_utc, last);
    bool ok = sq_page_printf(page, SQ_INK_STRONG, err, "%s (%s)\n", root->name,
                             root->path);
    if (ok && totals->trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        return sq_page_printf(page, SQ_INK_BAD, err, "  %s\n",
                              sq_archive_trouble_name(totals->trouble));
    }
    ok = ok
      && sq_page_printf(page, SQ_INK_PLAIN, err,
                        "  screenshots  %" PRIu64 " (%" PRIu64 " full, %" PRIu64
                        " thumbnail%s) in %" PRIu32 " folder%s\n",
                        totals->shots, totals->full, totals->thumbnails,
                        sq_plural((int64_t)totals->thumbnails), totals->folders,
                        sq_plural((int64_t)totals->folders));
    if (ok && totals->shots > 0) {
        ok = sq_page_printf(page, SQ_INK_PLAIN, err, "  from         %s\n",
                            first)
          && sq_page_printf(page, SQ_INK_PLAIN, err, "  to           %s\n",
                            last);
    }
    return ok && print_left_out(found, page, err)
        && print_names(totals, page, err);
}

static void
put_shapes(struct sq_json_writer *w, const struct sq_shapes *shapes) {
    sq_json_begin_array_of(w, "unparsedLike");
    for (size_t i = 0; i < shapes->count; i++) {
        sq_json_begin_object(w);
        sq_json_put_clean_member(w, "like", sq_span_of(shapes->items[i].text));
        sq_put_int(w, "count", (int64_t)shapes->items[i].count);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    if (shapes->others > 0) {
        sq_put_int(w, "unparsedOthers", (int64_t)shapes->others);
    }
}

static void
put_findings(struct sq_json_writer *w, const struct sq_archive_root *root,
             const struct sq_zone *zone, const struct findings *found) {
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
        put_shapes(w, &found->shapes);
    }
    if (totals->shots > 0) {
        format_moment(zone, totals->first_utc, text);
        sq_put_text(w, "first", text);
        format_moment(zone, totals->last_utc, text);
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

/* What every subcommand gets. */
struct request {
    const struct sq_library *past;
    const struct sq_redactor *redactor;
    const struct sq_config *config;
    const struct archive_args *args;
    const struct sq_words *words; /* the first is its name */
    struct sq_cancel *cancel;
};

/* One subcommand. */
struct subcommand {
    const char *name;
    int max_words; /* after its name */
    unsigned uses; /* which options of the configuration have an effect */
    bool (*run)(const struct request *request, struct sq_buf *out,
                enum sq_status *status, struct sq_err *err);
};

static bool
stats(const struct request *request, struct sq_buf *out, enum sq_status *status,
      struct sq_err *err) {
    const struct sq_library *library = request->past;
    struct sq_page page = { .out = out,
                            .paper = sq_paper_of_output(request->args->color) };
    bool json = request->args->json;
    struct sq_archive *archive = library->archive;
    struct sq_json_writer w;
    bool ok = true;
    if (json) {
        sq_json_writer_init(&w, out);
        sq_json_begin_array(&w);
    }
    for (size_t i = 0; ok && i < sq_archive_root_count(archive); i++) {
        const struct sq_archive_root *root = sq_archive_root_at(archive, i);
        struct findings found = { 0 };
        ok = scan(archive, i, request->cancel, &found, err);
        /* The default folder is missing until something is recorded. */
        if (found.totals.trouble != SQ_ARCHIVE_TROUBLE_NONE
            && library->is_configured) {
            *status = SQ_STATUS_FAILED;
        }
        if (ok && json) {
            put_findings(&w, root, library->zone, &found);
        } else if (ok) {
            ok = print_findings(root, library->zone, &found, &page, err);
        }
    }
    if (ok && json) {
        sq_json_end_array(&w);
        ok = sq_json_writer_done(&w, err) && sq_buf_append(out, "\n", 1, err);
    }
    return ok;
}

static bool
read_texts(const struct request *given, struct sq_buf *out,
           enum sq_status *status, struct sq_err *err) {
    const struct sq_words *words = given->words;
    char period[64] = "";
    const char *start = words->count > 1 ? words->word[1] : "";
    const char *end = words->count > 2 ? words->word[2] : "";
    if (strcmp(start, "last") == 0 || strcmp(start, "this") == 0) {
        snprintf(period, sizeof(period), "%s %.50s", start, end);
    }
    const struct sq_archive_index_request request = {
        .past = given->past,
        .redactor = given->redactor,
        .language = given->args->language ? given->args->language
                                          : given->config->ui.ocr_language,
        .start = sq_span_of(period[0] ? period : start),
        .end = sq_span_of(period[0] ? "" : end),
        .remove = given->args->remove,
        .json = given->args->json,
        .cancel = given->cancel,
    };
    return sq_archive_index_run(&request, out, status, err);
}

/* Removes what squint recorded in one folder. */
static bool
prune_folder(const struct request *request,
             const struct sq_recorded_limits *limits, const char *folder,
             struct sq_buf *out, enum sq_status *status, struct sq_err *err) {
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
        *status = local_err.code == SQ_ERR_CANCELLED ? SQ_STATUS_INTERRUPTED
                                                     : SQ_STATUS_FAILED;
    }
    return sq_retention_put(folder, limits, &result, request->args->json, out,
                            err);
}

/* Prints a line for each folder. Only ManicTime itself writes into its own. */
static bool
prune(const struct request *request, struct sq_buf *out, enum sq_status *status,
      struct sq_err *err) {
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
    for (size_t i = 0; ok && *status == SQ_STATUS_OK
                       && i < sq_archive_root_count(library->archive);
         i++) {
        ok = sq_library_is_manictime(library, (int)i)
          || prune_folder(request, &limits,
                          sq_archive_root_at(library->archive, i)->path, out,
                          status, err);
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
           const struct subcommand *subcommand, struct sq_err *err) {
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
    if (subcommand->uses & SQ_USE_READER) {
        return true;
    }
    if (args->language) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--language has no effect %s", why.where);
        return sq_fail_hint(err, "%s", why.hint);
    }
    return sq_setup_check_uses(setup, subcommand->uses, &why, err);
}

/* Refuses --delete where it would do nothing, or more than was meant. */
static bool
check_delete(const struct archive_args *args, const struct sq_words *words,
             struct sq_err *err) {
    if (!args->remove) {
        return true;
    }
    if (strcmp(words->word[0], "index") != 0) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--delete has no effect in %s",
                words->word[0]);
        return sq_fail_hint(err, "squint archive index --delete removes the "
                                 "texts of all pictures.");
    }
    if (words->count > 1) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "--delete removes the texts of all pictures, not only those "
                "of a time");
        return sq_fail_hint(err, "Leave out the time to remove all texts.");
    }
    return true;
}

static bool
run_subcommand(struct sq_setup *setup, const struct archive_args *args,
               const struct sq_words *words, struct sq_buf *out,
               enum sq_status *status, struct sq_err *err) {
    const struct subcommand *subcommand = find_subcommand(words);
    if (!subcommand) {
        return fail_subcommand(words, err);
    }
    if (!check_used(setup, args, subcommand, err)
        || !check_delete(args, words, err) || !sq_setup_start(setup, err)
        || !sq_setup_check_text_rules(setup, subcommand->uses, err)) {
        return false;
    }
    const struct sq_library *library = sq_host_library(setup->host);
    if (sq_archive_root_count(library->archive) == 0) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "no folder of screenshots is configured");
        return sq_fail_hint(err, "%s",
                            sq_cause_remedy(SQ_CAUSE_NOT_CONFIGURED));
    }
    struct sq_interrupt *interrupt = NULL;
    bool ok = sq_interrupt_create(&interrupt, err);
    if (ok) {
        const struct request request = {
            library, sq_host_redactor(setup->host), &setup->config, args,
            words,   sq_interrupt_cancel(interrupt)
        };
        ok = subcommand->run(&request, out, status, err);
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
