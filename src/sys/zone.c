/* Loads time zones and converts times with them. */
#include "sys/zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/file.h"
#include "sys/path.h"
#include "util/mem.h"
#include "util/time_text.h"
#include "util/tzif.h"

#define NAME_SIZE 128

struct sq_zone {
    char name[NAME_SIZE];
    struct sq_tzif table; /* without transitions: only its rule */
};

/* Reads one file. Any error except lack of memory means "not found". */
static bool
load(const char *path, struct sq_tzif *out, struct sq_err *err) {
    SQ_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    return sq_file_read(path, SQ_TZIF_MAX_BYTES, &bytes, err)
        && sq_tzif_parse(bytes.data, bytes.len, out, err);
}

/* Returns whether a name is safe to use as a path inside zoneinfo. */
static bool
is_name(struct sq_span name) {
    for (size_t i = 0; i < name.len; i++) {
        unsigned char byte = (unsigned char)name.ptr[i];
        if (byte <= 0x20 || byte >= 0x7f
            || (byte == '.' && i + 1 < name.len && name.ptr[i + 1] == '.')) {
            return false;
        }
    }
    return name.len > 0 && name.len < NAME_SIZE && name.ptr[0] != '/';
}

/* Loads the file of that name below zoneinfo. */
static bool
load_name(const char *name, struct sq_tzif *out, struct sq_err *err) {
    const char *custom = getenv("TZDIR");
    const char *const folders[] = { custom ? custom : "", "/usr/share/zoneinfo",
                                    "/usr/lib/zoneinfo", "/etc/zoneinfo" };
    char path[SQ_PATH_SIZE];
    bool ok = false;
    if (!is_name(sq_span_of(name))) {
        return sq_fail(err, SQ_ERR_NOT_FOUND,
                       "this is not the name of a time zone");
    }
    for (size_t i = 0; !ok && err->code != SQ_ERR_NOMEM
                       && i < sizeof(folders) / sizeof(folders[0]);
         i++) {
        int len = snprintf(path, sizeof(path), "%s/%s", folders[i], name);
        sq_err_clear(err);
        ok =
            folders[i][0] && (size_t)len < sizeof(path) && load(path, out, err);
    }
    return ok;
}

/* Loads a POSIX rule or the file of that name. */
static bool
load_text(const char *text, struct sq_tzif *out, struct sq_err *err) {
    struct sq_tzif rule = { .has_rule = true };
    if (strcmp(text, "UTC") == 0 || strcmp(text, "Z") == 0) {
        *out = (struct sq_tzif){ 0 };
        return true;
    }
    if (load_name(text, out, err)) {
        return true;
    }
    if (err->code != SQ_ERR_NOMEM
        && sq_zone_rule_parse(sq_span_of(text), &rule.rule)) {
        *out = rule;
        return true;
    }
    return false;
}

/*
 * Loads the zone of that name or, without one, of TZ or /etc/localtime. *text
 * is what names it, or NULL.
 */
static bool
load_chosen(const char *name, const char **text, struct sq_tzif *out,
            struct sq_err *err) {
    bool is_system = !name || !name[0];
    const char *found = is_system ? getenv("TZ") : name;
    if (is_system && found && found[0] == ':') {
        found++;
    }
    *text = found && found[0] ? found : NULL;
    if (!*text) {
        char rule[SQ_ZONE_RULE_SIZE];
        return sq_zone_system_rule(rule) ? load_text(rule, out, err)
                                         : load("/etc/localtime", out, err);
    }
    return is_system && found[0] == '/' ? load(found, out, err)
                                        : load_text(found, out, err);
}

bool
sq_zone_create(const char *name, struct sq_zone **out, struct sq_err *err) {
    struct sq_zone *zone = sq_mem_zalloc(1, sizeof(*zone));
    struct sq_err local_err = { 0 };
    const char *text;
    if (!zone) {
        return sq_fail_nomem(err);
    }
    bool is_named = name && name[0];
    bool ok = load_chosen(name, &text, &zone->table, &local_err);
    if (!ok && (is_named || local_err.code == SQ_ERR_NOMEM)) {
        sq_mem_free(zone);
        if (local_err.code == SQ_ERR_NOMEM) {
            return sq_fail_with(err, &local_err);
        }
        sq_fail(err, SQ_ERR_NOT_FOUND, "there is no time zone \"%.60s\"", name);
        return sq_fail_hint(err, "Use a name such as Europe/Zurich or UTC, and "
                                 "install tzdata if no zone is found.");
    }
    bool fits = text && (is_named || strlen(text) < NAME_SIZE);
    snprintf(zone->name, sizeof(zone->name), "%.*s", NAME_SIZE - 1,
             !ok    ? "UTC"
             : fits ? text
                    : "the system's zone");
    *out = zone;
    return true;
}

void
sq_zone_destroy(struct sq_zone *zone) {
    if (zone) {
        sq_tzif_finish(&zone->table);
        sq_mem_free(zone);
    }
}

const char *
sq_zone_name(const struct sq_zone *zone) {
    return zone->name;
}

int
sq_zone_offset(const struct sq_zone *zone, int64_t utc) {
    return sq_tzif_offset(&zone->table, utc);
}

struct sq_zone_moment
sq_zone_from_wall(const struct sq_zone *zone, int64_t wall_s) {
    /*
     * Offsets are less than a day, so these times are before and after any
     * change nearby.
     */
    int before = sq_zone_offset(zone, wall_s - SQ_DAY_S - 3600 * 2);
    int after = sq_zone_offset(zone, wall_s + SQ_DAY_S + 3600 * 2);
    int64_t early = wall_s - before;
    int64_t late = wall_s - after;
    bool early_is_true = sq_zone_offset(zone, early) == before;
    bool late_is_true = sq_zone_offset(zone, late) == after;
    if (early_is_true && late_is_true && early < late) {
        return (struct sq_zone_moment){ early, late, SQ_ZONE_TWICE };
    }
    if (early_is_true || late_is_true) {
        int64_t utc = early_is_true ? early : late;
        return (struct sq_zone_moment){ utc, utc, SQ_ZONE_ONCE };
    }
    return (struct sq_zone_moment){ early, early, SQ_ZONE_NEVER };
}
