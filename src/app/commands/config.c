/* config: writes, checks and locates the configuration file. */
#include "app/commands/command.h"

#include <stdio.h>

#include "json/writer.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "tools/reply.h"
#include "util/utf8.h"

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
        sq_folder_remove_file(folder, name);
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
    char shown[SQ_FILE_NAME_SIZE];
    char schema[SQ_PATH_SIZE + SQ_FILE_NAME_SIZE];
    struct sq_json_writer w;
    if (!request->json) {
        sq_file_name(path, true, shown);
        return sq_buf_printf(out, err,
                             "wrote %s and, for editors, its schema %s\n",
                             shown, starter->schema_name);
    }
    snprintf(schema, sizeof(schema), "%.*s%s", (int)(starter->file.name - path),
             path, starter->schema_name);
    sq_json_open(&w, out);
    sq_json_put_clean_member(&w, "file", sq_span_of(path));
    sq_json_put_clean_member(&w, "schema", sq_span_of(schema));
    return sq_json_end_line(&w, err);
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
        return sq_fail_hint(err, "Set HOME, or give --config FILE.");
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

/* Appends all mistakes, one per line. */
static bool
find_mistakes(const struct sq_config *config, struct sq_buf *out,
              struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < config->warnings.count; i++) {
        ok = sq_buf_printf(out, err, "%s\n", config->warnings.items[i]);
    }
    return ok && sq_config_check(config, out, err);
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
print_mistakes_json(const struct sq_config *config, struct sq_span mistakes,
                    struct sq_span privacy, struct sq_buf *out,
                    struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    if (config->file) {
        sq_json_put_clean_member(&w, "file", sq_span_of(config->file));
    }
    put_lines(&w, "mistakes", mistakes);
    if (privacy.len > 0) {
        put_lines(&w, "privacy", privacy);
    }
    return sq_json_end_line(&w, err);
}

static bool
print_mistakes(const struct sq_config *config, struct sq_span mistakes,
               struct sq_span privacy, struct sq_buf *out, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    if (mistakes.len > 0) {
        return sq_buf_append(out, mistakes.ptr, mistakes.len, err);
    }
    sq_file_name(config->file ? config->file : "", false, name);
    return (config->file
                ? sq_buf_printf(out, err, "%s: no mistakes\n", name)
                : sq_buf_printf(out, err,
                                "there is no file, so the defaults are used; "
                                "squint config init writes one\n"))
        && sq_buf_append(out, privacy.ptr, privacy.len, err);
}

static bool
check_file(const struct request *request, struct sq_buf *out,
           enum sq_status *status, struct sq_err *err) {
    const struct sq_config_location *location = &request->location;
    const struct sq_config_flags flags = { .file = location->path };
    struct sq_config config;
    SQ_BUF(found, MAX_FILE_BYTES);
    SQ_BUF(privacy, MAX_FILE_BYTES);
    SQ_ARENA(arena, MAX_FILE_BYTES * 4);
    /* The default file may be missing; a file that was named may not. */
    bool ok =
        sq_config_load(location->may_be_missing ? NULL : &flags, &arena,
                       &config, err)
        && find_mistakes(&config, &found, err)
        && (found.len > 0 || sq_config_in_force(&config, &privacy, err))
        && (request->json ? print_mistakes_json : print_mistakes)(
            &config, sq_buf_span(&found), sq_buf_span(&privacy), out, err);
    *status = found.len > 0 ? SQ_STATUS_FAILED : SQ_STATUS_OK;
    return ok;
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
print_place(struct sq_buf *out, const struct sq_config_location *location,
            const char *state, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE] = "";
    if (location->path) {
        sq_file_name(location->path, false, name);
    }
    return sq_buf_printf(out, err, "%-17s %s%s%s\n", location->named_by, state,
                         name[0] ? ": " : "", name);
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
    bool ok = true;
    (void)status;
    if (request->json) {
        sq_json_writer_init(&w, out);
        sq_json_begin_array(&w);
    }
    for (size_t i = 0; ok && sq_config_location_at(i, &flags, path, &location);
         i++) {
        bool is_found = strcmp(location.named_by, found->named_by) == 0;
        const char *state = state_of(&location, is_found);
        if (request->json) {
            sq_json_begin_object(&w);
            sq_put_text(&w, "namedBy", location.named_by);
            sq_put_text(&w, "state", state);
            if (location.path) {
                sq_json_put_clean_member(&w, "path", sq_span_of(location.path));
            }
            sq_json_end_object(&w);
        } else {
            ok = print_place(out, &location, state, err);
        }
    }
    if (request->json) {
        sq_json_end_array(&w);
        ok = sq_json_writer_done(&w, err) && sq_buf_append(out, "\n", 1, err);
    }
    return ok;
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
