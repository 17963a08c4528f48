/* Checks reading text, the folders of past screenshots, and redaction. */
#include "app/commands/doctor.h"

#include <stdarg.h>
#include <stdio.h>

#include "app/commands/command.h"
#include "app/people_words.h"
#include "archive/search/search.h"
#include "redact/redact.h"

#define READER_MS 20000
#define FOLDER_MS 10000
#define MAX_HINT 4096
#define MAX_LINES ((size_t)1 << 20)

/* The findings so far. */
struct past {
    const struct sq_setup *setup;
    struct sq_finding *items;
    int count;
};

static struct sq_finding *add(struct past *past, enum sq_verdict verdict,
                              const char *about, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static struct sq_finding *
add(struct past *past, enum sq_verdict verdict, const char *about,
    const char *format, ...) {
    struct sq_finding *finding = &past->items[past->count++];
    *finding = (struct sq_finding){ .about = about, .verdict = verdict };
    va_list args;
    va_start(args, format);
    vsnprintf(finding->text, sizeof(finding->text), format, args);
    va_end(args);
    return finding;
}

/* Adds what to do, in the words of a person. */
static void
advise(struct sq_finding *finding, const char *hint) {
    struct sq_buf words;
    sq_buf_init(&words, MAX_HINT);
    bool ok = sq_people_words(sq_span_of(hint), &words, NULL);
    struct sq_span text = ok ? sq_buf_span(&words) : sq_span_of(hint);
    snprintf(finding->hint, sizeof(finding->hint), "%.*s", SQ_SPAN_ARGS(text));
    sq_buf_finish(&words);
}

/* Adds an error as a finding. Lack of memory remains a failure. */
static bool
add_error(struct past *past, const char *about, const struct sq_err *other_err,
          struct sq_err *err) {
    if (other_err->code == SQ_ERR_NOMEM) {
        return sq_fail_nomem(err);
    }
    advise(add(past, SQ_VERDICT_WRONG, about, "%s", other_err->message),
           other_err->hint);
    return true;
}

static bool
check_reader(struct past *past, struct sq_err *err) {
    const struct sq_config *config = &past->setup->config;
    const char *language = config->ui.ocr_language;
    const struct sq_deadline deadline = sq_deadline_in(READER_MS, NULL);
    struct sq_reader *reader = NULL;
    struct sq_err local_err = { 0 };
    if (!config->ui.ocr_enabled) {
        add(past, SQ_VERDICT_OK, "reading", "text in pictures is not read");
        return true;
    }
    bool ok = sq_command_create_reader(language, &reader, &local_err)
           && sq_reader_start(reader, &deadline, &local_err);
    sq_reader_destroy(reader);
    if (!ok) {
        return add_error(past, "reading", &local_err, err);
    }
    add(past, SQ_VERDICT_OK, "reading", "text in pictures is read, language %s",
        language);
    return true;
}

static const char *
plural(size_t count) {
    return count == 1 ? "" : "s";
}

/* Says how much of the text of a folder is read. */
static void
add_index(struct past *past, const char *name,
          const struct sq_search_coverage *found) {
    const struct sq_search_unread *unread = &found->unread;
    const char *more = unread->is_partial ? "at least " : "";
    size_t pictures = unread->pictures;
    if (!found->has_index) {
        advise(add(past, SQ_VERDICT_OK, "archive",
                   "%s: %s%zu screenshot%s, whose text is not read", name, more,
                   pictures, plural(pictures)),
               "squint archive index reads it, for squint search.");
    } else if (unread->unread > 0) {
        advise(add(past, SQ_VERDICT_NOTE, "archive",
                   "%s: %s%zu screenshot%s; the text of %zu is not read", name,
                   more, pictures, plural(pictures), unread->unread),
               "squint archive index reads it.");
    } else {
        add(past, SQ_VERDICT_OK, "archive",
            "%s: %s%zu screenshot%s; the text of %s is read", name, more,
            pictures, plural(pictures),
            unread->unreadable ? "those that can be read" : "all");
    }
}

/* Says that a folder cannot be read; the default one need not exist. */
static void
add_trouble(struct past *past, int root, enum sq_archive_trouble trouble) {
    const struct sq_library *library = sq_host_library(past->setup->host);
    struct sq_err problem = { 0 };
    if (!library->is_configured && trouble == SQ_ARCHIVE_TROUBLE_MISSING) {
        add(past, SQ_VERDICT_OK, "archive",
            "there are no past screenshots; squint record makes some");
        return;
    }
    sq_search_fail_troubled(library, root, trouble, &problem);
    advise(add(past, SQ_VERDICT_WRONG, "archive", "%s", problem.message),
           problem.hint);
}

static bool
check_root(struct past *past, size_t number, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(FOLDER_MS, NULL);
    struct sq_archive *archive = sq_host_library(past->setup->host)->archive;
    const char *name = sq_archive_root_at(archive, number)->name;
    struct sq_search_coverage found;
    struct sq_err local_err = { 0 };
    if (!sq_search_cover(archive, number, &deadline, &found, &local_err)) {
        return add_error(past, "archive", &local_err, err);
    }
    if (!found.is_permitted) {
        add(past, SQ_VERDICT_OK, "archive",
            "%s: its permission is not full, so its text is not searched",
            name);
    } else if (found.trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        add_trouble(past, (int)number, found.trouble);
    } else {
        add_index(past, name, &found);
    }
    return true;
}

/* Says what may leave each folder. */
static bool
check_permissions(struct past *past, struct sq_err *err) {
    struct sq_span line;
    struct sq_buf lines;
    sq_buf_init(&lines, MAX_LINES);
    bool ok =
        sq_library_describe(sq_host_library(past->setup->host), &lines, err);
    struct sq_span rest = sq_buf_span(&lines);
    while (ok && past->count < SQ_PAST_FINDINGS - 1
           && sq_span_take_line(&rest, &line)) {
        bool is_warning = sq_span_take_prefix(&line, SQ_WARNING);
        add(past, is_warning ? SQ_VERDICT_NOTE : SQ_VERDICT_OK, "privacy",
            "%.*s", SQ_SPAN_ARGS(line));
    }
    sq_buf_finish(&lines);
    return ok;
}

/* Rules that are wrong are an error when squint starts. */
static void
check_redaction(struct past *past) {
    const struct sq_redact_rules *rules =
        sq_host_redactor(past->setup->host)->rules;
    bool has_text = sq_redact_has_text_rules(rules);
    bool has_apps = sq_redact_has_app_rules(rules);
    bool has_regions = sq_redact_has_regions(rules);
    add(past, SQ_VERDICT_OK, "redaction", "hidden: password fields%s%s%s",
        has_text ? ", text by rules" : "", has_regions ? ", regions" : "",
        has_apps ? ", apps" : "");
}

bool
sq_doctor_past(const struct sq_setup *setup,
               struct sq_finding out[SQ_PAST_FINDINGS], int *count,
               struct sq_err *err) {
    struct past past = { .setup = setup, .items = out };
    size_t roots = sq_archive_root_count(sq_host_library(setup->host)->archive);
    bool ok = check_reader(&past, err);
    for (size_t i = 0; ok && i < roots; i++) {
        ok = check_root(&past, i, err);
    }
    ok = ok && check_permissions(&past, err);
    if (ok) {
        check_redaction(&past);
    }
    *count = past.count;
    return ok;
}
