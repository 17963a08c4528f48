#include "app/commands/retention.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "archive/search/search.h"
#include "json/writer.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "app/commands/command.h"
#include "tools/reply.h"

#define NS_PER_S 1000000000
#define MAX_ANSWER_BYTES ((size_t)64 << 10)
#define MAX_AMOUNT 100000
/* A minute and a month would both be "m". */
static const struct sq_unit times[] = {
    { "h", 3600 }, { "d", 86400 }, { "w", INT64_C(604800) }, { 0 }
};
static const struct sq_unit sizes[] = { { "M", 1000000 },
                                        { "G", 1000000000 },
                                        { "T", INT64_C(1000000000000) },
                                        { 0 } };

bool
sq_amount_read(const char *text, const struct sq_unit *units, int64_t most,
               int64_t *out) {
    struct sq_span rest = sq_span_of(text);
    int64_t number;
    if (!sq_span_take_int64(&rest, &number) || number < 1 || number > most) {
        return false;
    }
    while (units->name && !sq_span_is(rest, units->name)) {
        units++;
    }
    *out = units->name ? number * units->factor : 0;
    return units->name != NULL;
}

bool
sq_retention_parse(const char *age, const char *size,
                   struct sq_recorded_limits *out, struct sq_err *err) {
    *out = (struct sq_recorded_limits){ 0 };
    if (age && !sq_amount_read(age, times, MAX_AMOUNT, &out->max_age_s)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--keep must be a time, not %s", age);
        return sq_fail_hint(err, "Give hours, days or weeks: 12h, 30d, 8w.");
    }
    if (size && !sq_amount_read(size, sizes, MAX_AMOUNT, &out->max_bytes)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--keep-size must be a size, not %s",
                size);
        return sq_fail_hint(err, "Give MB, GB or TB: 500M, 20G, 1T.");
    }
    return true;
}

/* Removes the texts of pictures that are gone. */
static bool
forget_texts(const char *folder, const struct sq_zone *zone,
             const struct sq_deadline *deadline, int64_t *texts,
             struct sq_err *err) {
    char cache[SQ_PATH_SIZE];
    const struct sq_archive_root root = { .path = folder,
                                          .permission = SQ_ARCHIVE_FULL };
    const struct sq_archive_options options = {
        .roots = &root,
        .root_count = 1,
        .zone = zone,
        .index_folder =
            sq_user_path(SQ_USER_CACHE, "squint", cache) ? cache : NULL,
    };
    struct sq_archive *archive = NULL;
    bool ok = sq_archive_create(&options, &archive, err)
           && sq_search_forget_removed(archive, 0, deadline, texts, err);
    sq_archive_destroy(archive);
    return ok;
}

bool
sq_retention_apply(const char *folder, const struct sq_zone *zone,
                   const struct sq_recorded_limits *limits,
                   const struct sq_deadline *deadline,
                   struct sq_retention_result *out, struct sq_err *err) {
    struct sq_recorded_limits now = *limits;
    *out = (struct sq_retention_result){ 0 };
    now.now = sq_clock_wall_ns() / NS_PER_S;
    bool ok = sq_recorded_prune(folder, &now, deadline, &out->files, err);
    if (out->files.removed == 0 || limits->is_rehearsal) {
        return ok;
    }
    /* What was removed before it failed has texts, too. */
    return forget_texts(folder, zone, deadline, &out->texts, ok ? err : NULL)
        && ok;
}

bool
sq_retention_put(const char *folder, const struct sq_recorded_limits *limits,
                 const struct sq_retention_result *result, bool json,
                 struct sq_buf *out, struct sq_err *err) {
    static const char text[] =
        "{folder}: [removed:[dryRun:would remove][!dryRun:removed] {removed} "
        "screenshot{removed:s} of {from}[!to={from}: to {to}], "
        "{removedBytes:KB}; ]"
        "[!removed:[kept:nothing to remove; ]"
        "[!kept:nothing that squint recorded is there\n]]"
        "[some:{kept} kept, {keptBytes:KB}\n"
        "[changed:  {changed} kept because they have changed since they were "
        "recorded\n]"
        "[failed:  {failed} could not be removed: {why}\n]"
        "[textsRemoved:  {textsRemoved} removed from the index of squint "
        "search\n]]";
    const struct sq_recorded_result *files = &result->files;
    struct sq_page page = { .out = out };
    struct sq_json_writer w;
    SQ_BUF(answer, MAX_ANSWER_BYTES);
    sq_json_open(&w, &answer);
    sq_json_put_clean_member(&w, "folder", sq_span_of(folder));
    sq_put_int(&w, "removed", files->removed);
    sq_put_int(&w, "removedBytes", files->removed_bytes);
    sq_put_int(&w, "kept", files->kept);
    sq_put_int(&w, "keptBytes", files->kept_bytes);
    sq_put_int(&w, "changed", files->changed);
    sq_put_int(&w, "failed", files->failed);
    sq_put_int(&w, "textsRemoved", result->texts);
    if (files->from[0]) {
        sq_put_text(&w, "from", files->from);
        sq_put_text(&w, "to", files->to);
    }
    sq_put_bool(&w, "dryRun", limits->is_rehearsal);
    if (!json) {
        char why[SQ_ERRNO_TEXT_SIZE];
        sq_errno_text(files->failure, why);
        sq_put_text(&w, "why", why);
        sq_put_bool(&w, "some", files->removed > 0 || files->kept > 0);
    }
    return sq_command_end_answer(&w, json, text, &page, err);
}
