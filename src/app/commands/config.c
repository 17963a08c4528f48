/* config: writes, checks and locates the configuration file. */
#include "app/commands/command.h"

#include <assert.h>
#include <stdio.h>

#include "archive/library.h"
#include "archive/names/name.h"
#include "config/option.h"
#include "device/adb.h"
#include "json/writer.h"
#include "redact/redact.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "tools/reply.h"
#include "util/utf8.h"

/* The value of android.adbServer that turns adb off. */
#define NO_ADB "off"
#define MAX_FILE_BYTES ((size_t)1 << 20)

struct config_args {
    const char *config;
    bool json;
};

static const struct sq_arg config_options[] = {
    SQ_TEXT(config_args, config, "config", 0, "use this file",
            .placeholder = "FILE",
            .initial = "the one that squint config path prints"),
    SQ_BOOL(config_args, json, "json", "init, check, path: print JSON"),
    SQ_ARGS_END,
};

/* What every subcommand gets. */
struct request {
    struct sq_config_location location;
    bool json;
};

/* A path in its folder and its last part. */
struct file_name {
    char folder[SQ_PATH_SIZE];
    const char *name;
};

/* The name of the schema is a line of the file, which must remain YAML. */
static bool
check_name(const char *path, struct sq_span name, struct sq_err *err) {
    char shown[SQ_FILE_NAME_SIZE];
    bool is_text = sq_utf8_valid_len(name) == name.len;
    for (size_t i = 0; i < name.len; i++) {
        is_text = is_text && (uint8_t)name.ptr[i] >= ' ' && name.ptr[i] != 0x7f;
    }
    if (is_text && name.len > 0) {
        return true;
    }
    sq_file_name(path, true, shown);
    sq_fail(err, SQ_ERR_ARGUMENT,
            name.len > 0 ? "the name %s has control characters or is not UTF-8"
                         : "%s is the name of a folder",
            shown);
    return sq_fail_hint(err, "Give the name of a file, such as config.yaml.");
}

static bool
split_path(const char *path, struct file_name *out, struct sq_err *err) {
    const char *slash = strrchr(path, '/');
    int len = slash ? (int)(slash - path) : 0;
    if (snprintf(out->folder, sizeof(out->folder), "%.*s", len, path)
        >= SQ_PATH_SIZE) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "the name of the file is too "
                       "long");
    }
    if (!out->folder[0]) {
        snprintf(out->folder, sizeof(out->folder), "%s", slash ? "/" : ".");
    }
    out->name = slash ? slash + 1 : path;
    return check_name(path, sq_span_of(out->name), err);
}

/* Writes "config.schema.json" for "config.yaml". */
static bool
schema_name(const char *name, char out[SQ_FILE_NAME_SIZE], struct sq_err *err) {
    const char *dot = strrchr(name, '.');
    int len = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return snprintf(out, SQ_FILE_NAME_SIZE, "%.*s.schema.json", len, name)
             < SQ_FILE_NAME_SIZE
        || sq_fail(err, SQ_ERR_ARGUMENT, "the name of the file is too long");
}

static bool
fail_write(const char *path, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    bool exists = false;
    char resolved[SQ_PATH_SIZE];
    sq_file_name(path, true, name);
    if (sq_path_resolve(path, resolved, &exists, NULL) && exists) {
        sq_fail(err, SQ_ERR_EXISTS, "%s exists and was not changed", name);
        return sq_fail_hint(err, "squint config check finds its mistakes; "
                                 "--config FILE writes another one.");
    }
    return false;
}

/* The two files that init writes. */
struct starter {
    struct file_name file;
    char schema_name[SQ_FILE_NAME_SIZE];
    struct sq_buf text;
    struct sq_buf schema;
};

/* Writes both files into the folder, or none. */
static bool
write_both(int folder, const struct starter *starter, const char *path,
           struct sq_err *err) {
    const char *name = starter->file.name;
    char schema[SQ_PATH_SIZE + SQ_FILE_NAME_SIZE];
    snprintf(schema, sizeof(schema), "%s/%s", starter->file.folder,
             starter->schema_name);
    if (!sq_folder_write_file(folder, name, starter->text.data,
                              starter->text.len, err)) {
        return fail_write(path, err);
    }
    if (!sq_file_write(schema, starter->schema.data, starter->schema.len,
                       err)) {
        sq_call_unlinkat(folder, name);
        return false;
    }
    return true;
}

/* Writes the file, which must be new, and the schema beside it. */
static bool
write_starter(const struct starter *starter, const char *path,
              struct sq_err *err) {
    struct sq_made_folders made;
    int folder;
    if (!sq_folder_open_new(starter->file.folder, &folder, &made, err)) {
        return false;
    }
    bool ok = write_both(folder, starter, path, err);
    sq_folder_close(folder);
    if (!ok) {
        sq_folder_remove_made(&made);
    }
    return ok;
}

static bool
report_starter(const struct request *request, const struct starter *starter,
               struct sq_buf *out, struct sq_err *err) {
    const char *path = request->location.path;
    char schema[SQ_PATH_SIZE + SQ_FILE_NAME_SIZE];
    struct sq_page page = { .out = out };
    struct sq_json_writer w;
    SQ_BUF(answer, MAX_FILE_BYTES);
    snprintf(schema, sizeof(schema), "%.*s%s",
             request->json ? (int)(starter->file.name - path) : 0, path,
             starter->schema_name);
    sq_json_open(&w, &answer);
    sq_json_put_clean_member(&w, "file", sq_span_of(path));
    sq_json_put_clean_member(&w, "schema", sq_span_of(schema));
    return sq_command_end_answer(&w, request->json,
                                 "wrote {file:file} and, for editors, its "
                                 "schema {schema}\n",
                                 &page, err);
}

static bool
init_file(const struct request *request, struct sq_buf *out,
          enum sq_status *status, struct sq_err *err) {
    const struct sq_config_location *location = &request->location;
    struct starter starter;
    (void)status;
    if (!location->path) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "there is no folder for the configuration file");
        return sq_fail_hint(err, "Set %s, or give --config FILE.",
                            sq_user_variable(SQ_USER_CONFIG));
    }
    sq_buf_init(&starter.text, MAX_FILE_BYTES);
    sq_buf_init(&starter.schema, MAX_FILE_BYTES);
    /* The report comes first: nothing may fail after the files are written. */
    bool ok = split_path(location->path, &starter.file, err)
           && schema_name(starter.file.name, starter.schema_name, err)
           && sq_config_starter(starter.schema_name, &starter.text, err)
           && sq_config_schema(&starter.schema, err)
           && report_starter(request, &starter, out, err)
           && write_starter(&starter, location->path, err);
    sq_buf_finish(&starter.schema);
    sq_buf_finish(&starter.text);
    return ok;
}

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

/* Checks of one value: each fails with the mistake in it. */

static bool
check_adb(const char *server, struct sq_err *mistake) {
    struct sq_adb_address address;
    return !server[0] || strcmp(server, NO_ADB) == 0
        || sq_adb_address_parse(sq_span_of(server), &address, mistake);
}

static bool
check_zone(const char *name, struct sq_err *mistake) {
    struct sq_zone *zone = NULL;
    bool ok = sq_zone_create(name, &zone, mistake);
    sq_zone_destroy(zone);
    return ok;
}

static bool
check_folder(const char *text, struct sq_err *mistake) {
    char path[SQ_PATH_SIZE];
    enum sq_archive_permission permission;
    snprintf(path, sizeof(path), "%s", text);
    return sq_library_take_root(path, &permission, mistake);
}

static bool
check_pattern(const char *pattern, struct sq_err *mistake) {
    char example[SQ_NAME_SIZE];
    return sq_name_check_own(pattern, example, mistake);
}

static bool
check_time(const char *text, struct sq_err *mistake) {
    struct sq_excluded_time time;
    return sq_excluded_time_read(sq_span_of(text), &time, mistake);
}

static bool
check_title(const char *title, struct sq_err *mistake) {
    const struct sq_redact_match match = {
        .patterns = { &title, 1 },
        .option = "archive.excludeTitles",
    };
    struct sq_redact_rules *rules = NULL;
    bool ok = sq_redact_match_create(&match, &rules, mistake);
    sq_redact_rules_destroy(rules);
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

/* Appends what may leave each folder of past screenshots, a line for each. */
static bool
put_in_force(const struct sq_config *config, struct sq_buf *out,
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

/*
 * Makes the checks that are made when squint starts and when it uses a device
 * or the archive, but for each value alone, so that all mistakes are found.
 * Appends a line for each, with its place in the file where that is known.
 */
static bool
find_mistakes(const struct sq_config *config, struct sq_buf *out,
              struct sq_err *err) {
    const char *server = config->android.adb_server;
    const char *manictime = config->archive.manictime_directory;
    const char *zone = config->archive.time_zone;
    const struct {
        const char *key;
        struct sq_strings values;
        bool (*check)(const char *value, struct sq_err *mistake);
    } rows[] = {
        { "android.adbServer", { &server, server != NULL }, check_adb },
        { "archive.timeZone", { &zone, 1 }, check_zone },
        { "archive.manicTimeDirectory",
          { &manictime, manictime != NULL },
          check_folder },
        { "archive.roots", config->archive.roots, check_folder },
        { "archive.names", config->archive.names, check_pattern },
        { "archive.exclude", config->archive.exclude, check_time },
        { "archive.excludeTitles", config->archive.exclude_titles,
          check_title },
    };
    bool ok = true;
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        for (size_t n = 0; ok && n < rows[i].values.count; n++) {
            struct sq_err mistake = { 0 };
            ok = rows[i].check(rows[i].values.items[n], &mistake)
              || report(config, rows[i].key, &mistake, out, err);
        }
    }
    return ok && check_redact(config, out, err);
}

static void
put_lines(struct sq_json_writer *w, const char *key, struct sq_span lines) {
    struct sq_span line;
    sq_json_begin_array_of(w, key);
    while (sq_span_take_line(&lines, &line)) {
        sq_json_put_clean(w, line);
    }
    sq_json_end_array(w);
}

static bool
check_file(const struct request *request, struct sq_buf *out,
           enum sq_status *status, struct sq_err *err) {
    static const char text[] =
        "[*mistakes:{.}\n]"
        "[!mistakes:[file:{file:from}: no mistakes\n]"
        "[!file:there is no file, so the defaults are used; squint config init "
        "writes one\n]"
        "[*privacy:{.}\n]]";
    const struct sq_config_location *location = &request->location;
    const struct sq_config_flags flags = { .file = location->path };
    struct sq_page page = { .out = out };
    struct sq_config config;
    struct sq_json_writer w;
    SQ_BUF(answer, 4 * MAX_FILE_BYTES);
    SQ_BUF(found, MAX_FILE_BYTES);
    SQ_BUF(privacy, MAX_FILE_BYTES);
    SQ_ARENA(arena, MAX_FILE_BYTES * 4);
    /* The default file may be missing; a file that was named may not. */
    bool ok = sq_config_load(location->may_be_missing ? NULL : &flags, &arena,
                             &config, err);
    for (size_t i = 0; ok && i < config.warnings.count; i++) {
        ok = sq_buf_printf(&found, err, "%s\n", config.warnings.items[i]);
    }
    if (!ok || !find_mistakes(&config, &found, err)
        || (found.len == 0 && !put_in_force(&config, &privacy, err))) {
        return false;
    }
    sq_json_open(&w, &answer);
    if (config.file) {
        sq_json_put_clean_member(&w, "file", sq_span_of(config.file));
    }
    put_lines(&w, "mistakes", sq_buf_span(&found));
    if (privacy.len > 0) {
        put_lines(&w, "privacy", sq_buf_span(&privacy));
    }
    *status = found.len > 0 ? SQ_STATUS_FAILED : SQ_STATUS_OK;
    return sq_command_end_answer(&w, request->json, text, &page, err);
}

/* Returns whether the file of a place is read, and if not, why. */
static const char *
state_of(const struct sq_config_location *location, bool is_found) {
    if (!location->path) {
        return "not set";
    }
    enum sq_probe_state state = sq_probe_file(location->path);
    if (!is_found) {
        return state == SQ_PROBE_MISSING ? "not read, missing" : "not read";
    }
    return state == SQ_PROBE_READABLE   ? "read"
         : state == SQ_PROBE_UNREADABLE ? "cannot be read"
                                        : "missing";
}

static bool
list_places(const struct request *request, struct sq_buf *out,
            enum sq_status *status, struct sq_err *err) {
    const struct sq_config_location *found = &request->location;
    char path[SQ_PATH_SIZE];
    struct sq_config_location location;
    struct sq_json_writer w;
    const bool is_flag = strcmp(found->named_by, "--config") == 0;
    const struct sq_config_flags flags = { .file =
                                               is_flag ? found->path : NULL };
    struct sq_page page = { .out = out };
    SQ_BUF(answer, MAX_FILE_BYTES);
    (void)status;
    sq_json_writer_init(&w, &answer);
    sq_json_begin_array(&w);
    for (size_t i = 0; sq_config_location_at(i, &flags, path, &location); i++) {
        bool is_found = strcmp(location.named_by, found->named_by) == 0;
        sq_json_begin_object(&w);
        sq_put_text(&w, "namedBy", location.named_by);
        sq_put_text(&w, "state", state_of(&location, is_found));
        if (location.path) {
            sq_json_put_clean_member(&w, "path", sq_span_of(location.path));
        }
        sq_json_end_object(&w);
    }
    sq_json_end_array(&w);
    return sq_command_answer(&w, request->json,
                             "[*.:{namedBy:-17} {state}[path:: {path:from}]\n]",
                             &page, err);
}

static bool
print_schema(const struct request *request, struct sq_buf *out,
             enum sq_status *status, struct sq_err *err) {
    (void)request;
    (void)status;
    return sq_config_schema(out, err);
}

static const struct subcommand {
    const char *name;
    bool takes_config; /* --config */
    bool takes_json;
    bool (*run)(const struct request *request, struct sq_buf *out,
                enum sq_status *status, struct sq_err *err);
} subcommands[] = {
    { "init", true, true, init_file },
    { "check", true, true, check_file },
    { "path", true, true, list_places },
    { "schema", false, false, print_schema },
};

static const char *
subcommand_at(size_t index) {
    return index < SQ_COUNT(subcommands) ? subcommands[index].name : NULL;
}

/* Runs a subcommand, which refuses options that it does not use. */
static bool
run_subcommand(const struct subcommand *subcommand,
               const struct config_args *args, struct sq_buf *out,
               enum sq_status *status, struct sq_err *err) {
    const struct sq_config_flags flags = { .file = args->config };
    char path[SQ_PATH_SIZE];
    const struct request request = { sq_config_find_location(&flags, path),
                                     args->json };
    const char *useless = args->config && !subcommand->takes_config ? "--config"
                        : args->json && !subcommand->takes_json     ? "--json"
                                                                    : NULL;
    if (useless) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s has no effect in %s", useless,
                subcommand->name);
        return sq_fail_hint(err, "Leave it out.");
    }
    return subcommand->run(&request, out, status, err);
}

static bool
config_run(const struct sq_run *run, struct sq_err *err) {
    const char *word = run->words->word[0];
    for (size_t i = 0; i < SQ_COUNT(subcommands); i++) {
        if (strcmp(word, subcommands[i].name) == 0) {
            return run_subcommand(&subcommands[i], run->args, run->out,
                                  run->status, err);
        }
    }
    return sq_command_fail_choice("subcommand", word, subcommand_at, err);
}

const struct sq_command sq_command_config = {
    .name = "config",
    .usage = "init|check|path|schema [options]",
    .summary = "write, check or find the configuration file",
    .options = config_options,
    .min_words = 1,
    .max_words = 1,
    .is_verbatim = true,
    .word_at = subcommand_at,
    .run = config_run,
};
