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

static const char local_file[] = "/etc/localtime";
static const char *const folders[] = {
    "/usr/share/zoneinfo",
    "/usr/lib/zoneinfo",
    "/etc/zoneinfo",
};

struct sq_zone {
    char name[NAME_SIZE];
    struct sq_tzif table; /* without transitions: only its rule */
};

/* Reads one file. Any error except lack of memory means "not found". */
static bool
load(const char *path, struct sq_tzif *out, struct sq_err *err) {
    struct sq_buf bytes = { 0 };
    bool ok = sq_file_read(path, SQ_TZIF_MAX_BYTES, &bytes, err)
           && sq_tzif_parse(bytes.data, bytes.len, out, err);
    sq_buf_finish(&bytes);
    return ok;
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

static bool
load_from(const char *folder, const char *name, struct sq_tzif *out,
          struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    int len = snprintf(path, sizeof(path), "%s/%s", folder, name);
    return (size_t)len < sizeof(path)
             ? load(path, out, err)
             : sq_fail(err, SQ_ERR_ARGUMENT, "the path is too long");
}

static bool
load_name(const char *name, struct sq_tzif *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const char *custom_folder = getenv("TZDIR");
    if (!is_name(sq_span_of(name))) {
        return sq_fail(err, SQ_ERR_NOT_FOUND,
                       "this is not the name of a time zone");
    }
    bool ok = custom_folder && custom_folder[0]
           && load_from(custom_folder, name, out, &local_err);
    for (size_t i = 0; !ok && i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (local_err.code == SQ_ERR_NOMEM) {
            break;
        }
        local_err = (struct sq_err){ 0 };
        ok = load_from(folders[i], name, out, &local_err);
    }
    if (!ok && err) {
        *err = local_err;
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

/* Loads the zone of TZ, or else /etc/localtime. */
static bool
load_system(struct sq_zone *zone, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const char *text = getenv("TZ");
    snprintf(zone->name, sizeof(zone->name), "the system's zone");
    text = text && text[0] == ':' ? text + 1 : text;
    bool ok = text && text[0]
                ? (text[0] == '/' ? load(text, &zone->table, &local_err)
                                  : load_text(text, &zone->table, &local_err))
                : load(local_file, &zone->table, &local_err);
    if (!ok && local_err.code == SQ_ERR_NOMEM) {
        *err = local_err;
        return false;
    }
    if (!ok) {
        snprintf(zone->name, sizeof(zone->name), "UTC");
    } else if (text && text[0] && strlen(text) < NAME_SIZE) {
        snprintf(zone->name, sizeof(zone->name), "%.*s", NAME_SIZE - 1, text);
    }
    return true;
}

static bool
load_named(const char *name, struct sq_zone *zone, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (load_text(name, &zone->table, &local_err)) {
        snprintf(zone->name, sizeof(zone->name), "%.*s", NAME_SIZE - 1, name);
        return true;
    }
    if (local_err.code == SQ_ERR_NOMEM) {
        *err = local_err;
        return false;
    }
    sq_fail(err, SQ_ERR_NOT_FOUND, "there is no time zone \"%.60s\"", name);
    return sq_fail_hint(err, "Use a name such as Europe/Zurich or UTC, and "
                             "install tzdata if no zone is found.");
}

bool
sq_zone_create(const char *name, struct sq_zone **out, struct sq_err *err) {
    struct sq_zone *zone = sq_mem_zalloc(1, sizeof(*zone));
    if (!zone) {
        return sq_fail_nomem(err);
    }
    bool ok =
        name && name[0] ? load_named(name, zone, err) : load_system(zone, err);
    if (!ok) {
        sq_mem_free(zone);
        return false;
    }
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
