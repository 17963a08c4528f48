/* install: adds squint to a client's configuration, or removes it. */
#include "app/commands/command.h"

#include <stdio.h>
#include <string.h>

#include "app/install/install.h"
#include "app/terminal/page.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "sys/path.h"
#include "sys/user_dirs.h"
#include "util/nearest.h"

#define MAX_NAME_BYTES 64
#define MAX_BACKUPS_SEEN 64
#define MAX_TABLE_BYTES ((size_t)1 << 16)

struct install_args {
    bool print;
    bool uninstall;
    const char *name;
    const char *config;
    const char *command;
};

static const struct sq_arg install_options[] = {
    SQ_BOOL(install_args, print, "print",
            "print the change, but do not make it"),
    SQ_BOOL(install_args, uninstall, "uninstall", "remove the entry"),
    { .name = "name",
      SQ_TEXT_FIELD(install_args, name, 0),
      .placeholder = "NAME",
      .text = "name of the entry",
      .initial = "squint" },
    { .name = "config",
      SQ_TEXT_FIELD(install_args, config, 0),
      .placeholder = "FILE",
      .text = "the client's configuration file, if it is elsewhere" },
    { .name = "command",
      SQ_TEXT_FIELD(install_args, command, 0),
      .placeholder = "PATH",
      .text = "program that the client starts",
      .initial = "this one" },
    SQ_ARGS_END,
};

/* The state of one installation. */
struct job {
    const struct install_args *args;
    struct sq_install_entry entry;
    char command[SQ_PATH_SIZE];
    char path[SQ_PATH_SIZE]; /* path of the client's file */
    bool exists;             /* whether that file exists */
    struct sq_buf before;
    struct sq_buf after;
    enum sq_install_change change;
};

static struct sq_span
span_of(const struct sq_buf *buf) {
    return sq_buf_span(buf);
}

static bool
check_name(const char *name, struct sq_err *err) {
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    if (name[len] || len > MAX_NAME_BYTES) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "--name takes up to %d letters, digits, - and _",
                       MAX_NAME_BYTES);
    }
    return true;
}

/* Refuses control characters in the command. */
static bool
check_command(const char *command, struct sq_err *err) {
    for (const char *at = command; *at; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f) {
            return sq_fail(err, SQ_ERR_ARGUMENT,
                           "the program's path has control characters");
        }
    }
    return true;
}

static bool
find_command(struct job *job, struct sq_err *err) {
    job->entry.command = job->args->command;
    if (!job->entry.command) {
        if (!sq_path_program(job->command, err)) {
            return sq_fail_hint(err, "Name it: --command PATH.");
        }
        job->entry.command = job->command;
    }
    return check_command(job->entry.command, err);
}

static bool
fail_client(const char *name, struct sq_err *err) {
    char all[SQ_ERR_HINT_SIZE - 32] = "";
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest nearest;
    const struct sq_install_client *client;
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; (client = sq_install_client_at(i)); i++) {
        size_t used = strlen(all);
        sq_nearest_try(&nearest, client->name);
        snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "",
                 client->name);
    }
    sq_nearest_remark(&nearest, remark);
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no client \"%s\"%s", name, remark);
    return sq_fail_hint(err, "Choose from: %s.", all);
}

/* Finds the file of a client: one that exists, or else the first place. */
static bool
find_file(const struct sq_install_client *client, const char *config,
          char path[SQ_PATH_SIZE], bool *exists, struct sq_err *err) {
    *exists = false;
    if (config) {
        return sq_path_resolve(config, path, exists, err);
    }
    bool ok = true;
    for (size_t i = 0; ok && !*exists && i < SQ_INSTALL_PLACES; i++) {
        char found[SQ_PATH_SIZE];
        struct sq_buf place;
        sq_buf_init(&place, SQ_PATH_SIZE);
        bool is_place =
            sq_install_place(client, sq_path_is_macos(), i, &place, err)
            && sq_buf_append(&place, "", 1, err);
        ok = err->code == SQ_ERR_NONE;
        if (is_place) {
            ok = sq_path_resolve((const char *)place.data, found, exists, err);
            if (ok && (i == 0 || *exists)) {
                memcpy(path, found, sizeof(found));
            }
        }
        sq_buf_finish(&place);
    }
    return ok;
}

static bool
fail_in_file(const struct job *job, struct sq_err *err) {
    if (err->code == SQ_ERR_NOMEM) {
        return false;
    }
    sq_command_fail_in(job->path, err);
    return sq_fail_hint(err,
                        "Nothing was changed. Correct the file or edit it by "
                        "hand, then try again.");
}

/*
 * Finds a backup with the text from before the entry was added. Restoring it is
 * better than cutting the entry out, because no trace is left.
 */
static bool
find_original(struct job *job, bool *is_found, struct sq_err *err) {
    *is_found = false;
    for (int n = 1; !*is_found && n <= MAX_BACKUPS_SEEN; n++) {
        struct sq_err local_err = { 0 };
        struct sq_buf old = { 0 };
        struct sq_buf again;
        enum sq_install_change change = SQ_INSTALL_UNCHANGED;
        char name[SQ_PATH_SIZE + 32];
        snprintf(name, sizeof(name), "%s" SQ_PATH_BACKUP "%d", job->path, n);
        sq_buf_init(&again, SQ_INSTALL_MAX_BYTES);
        *is_found = sq_file_read(name, SQ_INSTALL_MAX_BYTES, &old, &local_err)
                 && job->entry.client->editor->add(&job->entry, span_of(&old),
                                                   &again, &change, &local_err)
                 && change == SQ_INSTALL_ADDED
                 && sq_span_equal(span_of(&again), span_of(&job->before));
        sq_buf_finish(&again);
        if (*is_found) {
            job->change = SQ_INSTALL_REMOVED;
            job->after = old;
        } else {
            sq_buf_finish(&old);
        }
        if (local_err.code == SQ_ERR_NOMEM) {
            return sq_fail_nomem(err);
        }
    }
    return true;
}

/* Computes the new text of the file. */
static bool
plan(struct job *job, struct sq_err *err) {
    const struct sq_install_editor *editor = job->entry.client->editor;
    if (job->exists
        && !sq_file_read(job->path, SQ_INSTALL_MAX_BYTES, &job->before, err)) {
        return false;
    }
    bool is_found = false;
    if (job->args->uninstall && !find_original(job, &is_found, err)) {
        return false;
    }
    if (is_found) {
        return true;
    }
    sq_buf_init(&job->after, SQ_INSTALL_MAX_BYTES);
    bool ok = job->args->uninstall
                ? editor->remove(&job->entry, span_of(&job->before),
                                 &job->after, &job->change, err)
                : editor->add(&job->entry, span_of(&job->before), &job->after,
                              &job->change, err);
    return ok || fail_in_file(job, err);
}

/* Creates the folder of a new file. */
static bool
make_folder(const struct job *job, struct sq_buf *out, struct sq_err *err) {
    char folder[SQ_PATH_SIZE];
    char resolved[SQ_PATH_SIZE];
    const char *slash = strrchr(job->path, '/');
    size_t len = slash ? (size_t)(slash - job->path) : 0;
    bool exists;
    int opened;
    if (len == 0) {
        return true;
    }
    memcpy(folder, job->path, len);
    folder[len] = '\0';
    bool ok = sq_path_resolve(folder, resolved, &exists, err);
    if (!ok || exists) {
        return ok;
    }
    if (!sq_folder_open(folder, &opened, err)) {
        return false;
    }
    sq_folder_close(opened);
    return sq_buf_printf(out, err,
                         "Note: the folder did not exist. Is %s installed "
                         "here?\n",
                         job->entry.client->title);
}

static bool
tell_unchanged(const struct job *job, const char *name, struct sq_buf *out,
               struct sq_err *err) {
    return sq_buf_printf(out, err, "%s is %s in %s: %s\n", job->entry.name,
                         job->args->uninstall ? "not installed"
                                              : "already installed",
                         job->entry.client->title, name);
}

static bool
tell_changed(const struct job *job, struct sq_buf *out, struct sq_err *err) {
    const struct sq_install_client *client = job->entry.client;
    return job->change == SQ_INSTALL_REMOVED
             ? sq_buf_printf(out, err, "%s no longer knows %s.\n",
                             client->title, job->entry.name)
             : sq_buf_printf(out, err, "%s now knows %s. %s\n", client->title,
                             job->entry.name, client->next);
}

/*
 * Replaces the client's file and keeps a backup. Done last, after all output
 * about it has been written.
 */
static bool
replace_file(struct job *job, struct sq_buf *out, struct sq_err *err) {
    char backup[SQ_PATH_SIZE];
    char name[SQ_FILE_NAME_SIZE];
    if (!sq_path_backup(job->path, job->before.data, job->before.len, backup,
                        err)) {
        return false;
    }
    sq_file_name(backup, true, name);
    bool ok = sq_buf_printf(out, err, "The old file is kept as %s\n", name)
           && tell_changed(job, out, err)
           && sq_file_write(job->path, job->after.data, job->after.len, err);
    if (!ok) {
        sq_path_remove_backup(backup);
    }
    return ok;
}

static bool
make_file(struct job *job, struct sq_buf *out, struct sq_err *err) {
    return make_folder(job, out, err) && tell_changed(job, out, err)
        && sq_file_write(job->path, job->after.data, job->after.len, err);
}

static bool
run_job(struct job *job, struct sq_buf *out, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    if (!find_command(job, err)
        || !find_file(job->entry.client, job->args->config, job->path,
                      &job->exists, err)
        || !plan(job, err)) {
        return false;
    }
    sq_file_name(job->path, true, name);
    if (job->change == SQ_INSTALL_UNCHANGED) {
        return tell_unchanged(job, name, out, err);
    }
    if (!sq_install_diff(name, span_of(&job->before), span_of(&job->after), out,
                         err)) {
        return false;
    }
    if (job->args->print) {
        return true;
    }
    return job->exists ? replace_file(job, out, err) : make_file(job, out, err);
}

/* Removes the home folder from the beginning of a path. */
static bool
take_home(struct sq_span *path) {
    char home[SQ_PATH_SIZE];
    char resolved[SQ_PATH_SIZE];
    bool exists;
    return sq_user_home_path("", home)
        && sq_path_resolve(home, resolved, &exists, NULL)
        && sq_span_take_prefix(path, resolved)
        && sq_span_take_prefix(path, "/");
}

/* Writes the path of a client's file, with ~ for the home folder. */
static void
name_file(const char *path, char out[SQ_FILE_NAME_SIZE]) {
    char name[SQ_PATH_SIZE + 2];
    struct sq_span rest = sq_span_of(path);
    if (take_home(&rest)) {
        snprintf(name, sizeof(name), "~/%.*s", SQ_SPAN_ARGS(rest));
        path = name;
    }
    sq_file_name(path, true, out);
}

/* Says whether a client's file has squint: "yes", "no", or "unknown". */
static bool
find_state(const struct sq_install_client *client, const char *path,
           const char **out, struct sq_err *err) {
    const struct sq_install_entry entry = { .client = client,
                                            .name = "squint",
                                            .command = "squint" };
    enum sq_install_change change = SQ_INSTALL_UNCHANGED;
    struct sq_err local_err = { 0 };
    struct sq_buf before = { 0 };
    struct sq_buf after;
    sq_buf_init(&after, SQ_INSTALL_MAX_BYTES);
    bool ok = sq_file_read(path, SQ_INSTALL_MAX_BYTES, &before, &local_err)
           && client->editor->remove(&entry, span_of(&before), &after, &change,
                                     &local_err);
    sq_buf_finish(&after);
    sq_buf_finish(&before);
    *out = !ok ? "unknown" : change == SQ_INSTALL_REMOVED ? "yes" : "no";
    return local_err.code != SQ_ERR_NOMEM || sq_fail_nomem(err);
}

static bool
add_client(const struct sq_install_client *client, struct sq_table *table,
           struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    char name[SQ_FILE_NAME_SIZE];
    const char *state = "no";
    bool exists;
    if (!find_file(client, NULL, path, &exists, err)
        || (exists && !find_state(client, path, &state, err))) {
        return false;
    }
    name_file(path, name);
    return sq_table_printf(table, SQ_INK_STRONG, err, "%s", client->name)
        && sq_table_printf(table, SQ_INK_PLAIN, err, exists ? "yes" : "no")
        && sq_table_printf(table, SQ_INK_PLAIN, err, "%s", state)
        && sq_table_printf(table, SQ_INK_PLAIN, err, "%s", name);
}

/* Lists all clients and the paths of their files. */
static bool
list_clients(struct sq_buf *out, struct sq_err *err) {
    static const struct sq_column columns[] = {
        { "CLIENT", false }, { "FILE EXISTS", false }, { "HAS SQUINT", false },
        { "FILE", false },   { NULL, false },
    };
    const struct sq_install_client *client;
    struct sq_page page = { out, sq_paper_of_output((struct sq_opt_int){ 0 }) };
    struct sq_arena arena;
    sq_arena_init(&arena, MAX_TABLE_BYTES);
    struct sq_table table = { .arena = &arena,
                              .columns = columns,
                              .whole = "FILE" };
    bool ok = true;
    for (size_t i = 0; ok && (client = sq_install_client_at(i)); i++) {
        ok = add_client(client, &table, err);
    }
    page.paper.color = false;
    ok = ok && sq_table_print(&table, &page, err);
    sq_arena_finish(&arena);
    return ok;
}

static bool
install_run(const struct sq_words *words, const void *raw_args,
            struct sq_buf *out, enum sq_status *status, struct sq_err *err) {
    (void)status;
    const struct install_args *args = raw_args;
    bool has_options = args->print || args->uninstall || args->name
                    || args->config || args->command;
    if (words->count == 0 && has_options) {
        sq_fail(err, SQ_ERR_ARGUMENT, "CLIENT is missing");
        return sq_fail_hint(err, "squint install lists the clients.");
    }
    if (words->count == 0) {
        return list_clients(out, err);
    }
    struct job job = { .args = args };
    job.entry.client = sq_install_client_find(words->word[0]);
    job.entry.name = args->name ? args->name : "squint";
    if (!job.entry.client) {
        return fail_client(words->word[0], err);
    }
    bool ok = check_name(job.entry.name, err) && run_job(&job, out, err);
    sq_buf_finish(&job.after);
    sq_buf_finish(&job.before);
    return ok;
}

const struct sq_command sq_command_install = {
    .name = "install",
    .usage = "[CLIENT] [options]",
    .summary = "add squint to a client: Claude, Cursor, VS Code, ...",
    .help = "Adds squint to the MCP servers in the configuration of CLIENT, or "
            "removes it\n"
            "with --uninstall. Prints the change, keeps a copy of the old file "
            "beside the new\n"
            "one, and changes only its own entry. Without CLIENT, lists the "
            "clients and their\n"
            "files.\n"
            "\n"
            "Exit status: 0 done or nothing to do, 1 failed, 2 the command "
            "line is wrong.",
    .options = install_options,
    .args_size = sizeof(struct install_args),
    .min_words = 0,
    .max_words = 1,
    .is_verbatim = true,
    .trouble = SQ_STATUS_FAILED,
    .run = install_run,
};
