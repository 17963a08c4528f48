/* Finds values of the configuration that squint cannot use. */
#include "app/commands/command.h"

#include <assert.h>
#include <stdio.h>

#include "archive/library.h"
#include "archive/names/name.h"
#include "config/option.h"
#include "device/adb.h"
#include "redact/redact.h"
#include "sys/file.h"

/* The value of android.adbServer that turns adb off. */
#define NO_ADB "off"

/* Appends the place of an option in the file: "config.yaml:3:12: ". */
static bool
put_place(const struct sq_config *config, const char *key, struct sq_buf *out,
          struct sq_err *err) {
    const struct sq_config_option *option =
        sq_config_option_by_key(sq_span_of(key));
    assert(option);
    struct sq_config_place at = config->places[option - sq_config_option_at(0)];
    char name[SQ_FILE_NAME_SIZE];
    if (!config->file || at.line == 0) {
        return true;
    }
    sq_file_name(config->file, true, name);
    return sq_buf_printf(out, err, "%s:%d:%d: ", name, at.line, at.column);
}

/* Appends the mistake in an option. Fails if it is none, but e.g. no memory. */
static bool
report(const struct sq_config *config, const char *key,
       const struct sq_err *mistake, struct sq_buf *out, struct sq_err *err) {
    if (sq_is_fatal(mistake->code) || mistake->code == SQ_ERR_EXHAUSTED) {
        return sq_fail_with(err, mistake);
    }
    size_t section = strcspn(key, ".") + 1;
    bool has_key = strncmp(mistake->message, key, section) == 0;
    return put_place(config, key, out, err)
        && sq_buf_printf(out, err, "%s%s%s\n", has_key ? "" : key,
                         has_key ? "" : ": ", mistake->message);
}

static bool
check_adb(const struct sq_config *config, struct sq_buf *out,
          struct sq_err *err) {
    const char *server = config->android.adb_server;
    struct sq_adb_address address;
    struct sq_err mistake = { 0 };
    return !server || !server[0] || strcmp(server, NO_ADB) == 0
        || sq_adb_address_parse(sq_span_of(server), &address, &mistake)
        || report(config, "android.adbServer", &mistake, out, err);
}

static bool
check_zone(const struct sq_config *config, struct sq_buf *out,
           struct sq_err *err) {
    struct sq_zone *zone = NULL;
    struct sq_err mistake = { 0 };
    bool ok = sq_zone_create(config->archive.time_zone, &zone, &mistake)
           || report(config, "archive.timeZone", &mistake, out, err);
    sq_zone_destroy(zone);
    return ok;
}

static bool
check_folder(const struct sq_config *config, const char *key, const char *text,
             struct sq_buf *out, struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    enum sq_archive_permission permission;
    struct sq_err mistake = { 0 };
    snprintf(path, sizeof(path), "%s", text);
    return sq_library_take_root(path, &permission, &mistake)
        || report(config, key, &mistake, out, err);
}

static bool
check_archive(const struct sq_config *config, struct sq_buf *out,
              struct sq_err *err) {
    const struct sq_strings *roots = &config->archive.roots;
    const char *manictime = config->archive.manictime_directory;
    bool ok = check_zone(config, out, err)
           && (!manictime
               || check_folder(config, "archive.manicTimeDirectory", manictime,
                               out, err));
    for (size_t i = 0; ok && i < roots->count; i++) {
        ok = check_folder(config, "archive.roots", roots->items[i], out, err);
    }
    return ok;
}

static bool
check_names(const struct sq_config *config, struct sq_buf *out,
            struct sq_err *err) {
    const struct sq_strings *names = &config->archive.names;
    char example[SQ_NAME_SIZE];
    bool ok = true;
    for (size_t i = 0; ok && i < names->count; i++) {
        struct sq_err mistake = { 0 };
        ok = sq_name_check_own(names->items[i], example, &mistake)
          || report(config, "archive.names", &mistake, out, err);
    }
    return ok;
}

/* Checks each rule about excluded screenshots alone. */
static bool
check_exclusions(const struct sq_config *config, struct sq_buf *out,
                 struct sq_err *err) {
    const struct sq_strings *times = &config->archive.exclude;
    const struct sq_strings *titles = &config->archive.exclude_titles;
    bool ok = true;
    for (size_t i = 0; ok && i < times->count; i++) {
        struct sq_excluded_time time;
        struct sq_err mistake = { 0 };
        ok = sq_excluded_time_read(sq_span_of(times->items[i]), &time, &mistake)
          || report(config, "archive.exclude", &mistake, out, err);
    }
    for (size_t i = 0; ok && i < titles->count; i++) {
        const struct sq_redact_match match = {
            .patterns = { titles->items + i, 1 },
            .option = "archive.excludeTitles",
        };
        struct sq_redact_rules *rules = NULL;
        struct sq_err mistake = { 0 };
        ok = sq_redact_match_create(&match, &rules, &mistake)
          || report(config, match.option, &mistake, out, err);
        sq_redact_rules_destroy(rules);
    }
    return ok;
}

/* Compiles the rules of a configuration that has those of one option only. */
static bool
check_rules(const struct sq_config *config, const struct sq_config *part,
            const char *key, struct sq_buf *out, struct sq_err *err) {
    struct sq_redact_rules *rules = NULL;
    struct sq_err mistake = { 0 };
    bool ok = sq_redact_rules_create(part, &rules, &mistake)
           || report(config, key, &mistake, out, err);
    sq_redact_rules_destroy(rules);
    return ok;
}

/*
 * Checks each rule of an option alone, and if all are right, their number. list
 * is that of *part, which has no rules otherwise.
 */
static bool
check_list(const struct sq_config *config, struct sq_config *part,
           struct sq_strings *list, const char *key, struct sq_buf *out,
           struct sq_err *err) {
    const struct sq_strings all = *list;
    size_t before = out->len;
    bool ok = true;
    for (size_t i = 0; ok && i < all.count; i++) {
        *list = (struct sq_strings){ all.items + i, 1 };
        ok = check_rules(config, part, key, out, err);
    }
    *list = all;
    return ok
        && (out->len > before || check_rules(config, part, key, out, err));
}

static bool
check_redact(const struct sq_config *config, struct sq_buf *out,
             struct sq_err *err) {
    struct sq_config presets = { .redact.presets = config->redact.presets };
    struct sq_config patterns = { .redact.patterns = config->redact.patterns };
    struct sq_config regions = { .redact.regions = config->redact.regions };
    if (!check_list(config, &presets, &presets.redact.presets, "redact.presets",
                    out, err)
        || !check_list(config, &patterns, &patterns.redact.patterns,
                       "redact.patterns", out, err)
        || !check_list(config, &regions, &regions.redact.regions,
                       "redact.regions", out, err)) {
        return false;
    }
    struct sq_err mistake = { 0 };
    bool has_presets = config->redact.presets.count > 0;
    if ((!has_presets && config->redact.patterns.count == 0)
        || config->ui.ocr_enabled) {
        return true;
    }
    sq_redact_fail_without_reader(&mistake);
    return report(config, has_presets ? "redact.presets" : "redact.patterns",
                  &mistake, out, err);
}

/* Says for each of the user's patterns which name it reads. */
static bool
put_names(const struct sq_config *config, struct sq_buf *out,
          struct sq_err *err) {
    const struct sq_strings *names = &config->archive.names;
    char example[SQ_NAME_SIZE];
    bool ok = true;
    for (size_t i = 0; ok && i < names->count; i++) {
        ok = sq_name_check_own(names->items[i], example, err)
          && sq_buf_printf(out, err, "names like %s are read: %s.png\n",
                           names->items[i], example);
    }
    return ok;
}

bool
sq_config_in_force(const struct sq_config *config, struct sq_buf *out,
                   struct sq_err *err) {
    struct sq_library *library = NULL;
    if (!put_names(config, out, err)) {
        return false;
    }
    bool is_configured = config->archive.roots.count > 0
                      || config->archive.manictime_directory
                      || config->archive.exclude.count > 0
                      || config->archive.exclude_apps.count > 0
                      || config->archive.exclude_titles.count > 0;
    if (!is_configured) {
        return true;
    }
    bool ok = sq_library_create(config, &library, err)
           && sq_library_describe(library, out, err);
    sq_library_destroy(library);
    return ok;
}

bool
sq_config_check(const struct sq_config *config, struct sq_buf *out,
                struct sq_err *err) {
    return check_adb(config, out, err) && check_archive(config, out, err)
        && check_names(config, out, err) && check_exclusions(config, out, err)
        && check_redact(config, out, err);
}
