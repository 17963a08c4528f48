/* install: adds squint to a client's configuration, or removes it. */
#include "app/commands/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/install/install.h"
#include "json/writer.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "tools/reply.h"

#define MAX_NAME_BYTES 64
#define MAX_BACKUPS_SEEN 64
#define MAX_DIFF_BYTES ((size_t)16 << 20)
#define NEW_FOLDER "the folder did not exist."

struct install_args {
    bool print;
    bool uninstall;
    bool plain;
    bool json;
    const char *name;
    const char *config;
    const char *command;
};

static const struct sq_arg install_options[] = {
    SQ_BOOL(install_args, print, "print",
            "print the change, but do not make it"),
    SQ_BOOL(install_args, uninstall, "uninstall", "remove the entry"),
    SQ_BOOL(install_args, plain, "plain",
            "write an entry without flags, with the defaults of squint mcp"),
    SQ_TEXT(install_args, name, "name", 0, "name of the entry",
            .placeholder = "NAME", .initial = "squint"),
    SQ_TEXT(install_args, config, "config", 0,
            "the client's configuration file, if it is elsewhere",
            .placeholder = "FILE"),
    SQ_TEXT(install_args, command, "command", 0,
            "program that the client starts", .placeholder = "PATH",
            .initial = "this one"),
    SQ_BOOL(install_args, json, "json", "print JSON, errors too"),
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
    struct sq_buf kept; /* names of settings of the entry that stay */
    char package[sizeof("file:") + PATH_MAX]; /* of npm */
    enum sq_install_change change;
    struct sq_buf diff;             /* of before and after */
    struct sq_made_folders folders; /* made for a new file */
    char backup[SQ_PATH_SIZE];      /* copy of the old file; empty: none */
};

/* Refuses "-" as the client's file; config may be NULL. */
static bool
check_config(const char *config, struct sq_err *err) {
    if (!config || strcmp(config, "-") != 0) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "--config takes the client's file, not standard input (-)");
    return sq_fail_hint(err, "Give its path; ./- is a file with that name.");
}

/* Refuses an existing path that is a folder, a pipe or a device. */
static bool
check_file(const struct sq_install_client *client, const char *path,
           struct sq_err *err) {
    struct stat st;
    if (sq_call_fstatat(AT_FDCWD, path, &st) < 0) {
        return sq_file_fail(path, false, errno, err);
    }
    if (S_ISREG(st.st_mode)) {
        return true;
    }
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(path, true, name);
    if (!S_ISDIR(st.st_mode)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is a pipe or a device, not a file",
                name);
        return sq_fail_hint(err, "Give the path of the client's file.");
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "%s is a folder, not a file", name);
    return sq_fail_hint(err,
                        "Give the path of the client's file; for %s it is "
                        "named %s.",
                        client->title, strrchr(client->places[0], '/') + 1);
}

static bool
fail_read_only(const char *path, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(path, true, name);
    sq_fail(err, SQ_ERR_IO, "%s is read-only and was not changed", name);
    return sq_fail_hint(err, "Make it writable (chmod u+w), or print the "
                             "change with --print and make it by hand.");
}

/*
 * Refuses a file that its owner made read-only. Replacing it needs only a
 * writable folder, so nothing else would. Root may write to any file, so the
 * mode counts, too.
 */
static bool
check_writable(const char *path, struct sq_err *err) {
    struct stat st;
    if (sq_call_fstatat(AT_FDCWD, path, &st) < 0) {
        return sq_file_fail(path, true, errno, err);
    }
    if ((st.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) {
        return fail_read_only(path, err);
    }
    if (sq_call_access(path, W_OK) == 0) {
        return true;
    }
    return errno == EACCES || errno == EPERM || errno == EROFS
             ? fail_read_only(path, err)
             : sq_file_fail(path, true, errno, err);
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

/* What a client's file can have in quotation marks as it is. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                            "0123456789@/._~- ";

/*
 * npx knows a package that is a file only as such: then it becomes
 * "file:/PATH". The `len` bytes are npx's folder, where package.json has its
 * path.
 */
static bool
find_package_file(struct job *job, int len, struct sq_err *err) {
    char path[2 * PATH_MAX];
    char real[PATH_MAX];
    const struct sq_json *told = NULL;
    SQ_BUF(text, SQ_INSTALL_MAX_BYTES);
    SQ_ARENA(arena, 4 * SQ_INSTALL_MAX_BYTES);
    snprintf(path, sizeof(path), "%.*s/package.json", len, job->command);
    if (!sq_file_read(path, SQ_INSTALL_MAX_BYTES, &text, err)
        || !sq_json_parse(sq_buf_span(&text), &arena, &told, err)) {
        return sq_fail_in(err, "finding the package that npx runs");
    }
    struct sq_span file =
        sq_json_text_of(sq_json_get(told, "dependencies"), job->package);
    if (!sq_span_take_prefix(&file, "file:")) {
        return true;
    }
    snprintf(path, sizeof(path), "%.*s/%.*s", len, job->command,
             SQ_SPAN_ARGS(file));
    if (!sq_call_realpath(path, real) || real[strspn(real, plain)]) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "npx runs a file that cannot be named "
                "in an entry");
        return sq_fail_hint(err, "Put it at another path and run it again.");
    }
    snprintf(job->package, sizeof(job->package), "file:%s", real);
    return true;
}

/*
 * npx runs squint from npm's cache, which npm empties: the client has to run
 * npx too. job->command is ".../_npx/HASH/node_modules/PACKAGE/...", where
 * PACKAGE may be "@SCOPE/NAME".
 */
static bool
find_package(struct job *job, struct sq_err *err) {
    static const char modules[] = "/node_modules/";
    const char *cache = strstr(job->command, "/_npx/");
    const char *at = cache ? strstr(cache, modules) : NULL;
    const char *name = at ? at + sizeof(modules) - 1 : "";
    size_t len = strcspn(name, "/");
    if (name[0] == '@' && name[len]) {
        len += 1 + strcspn(name + len + 1, "/");
    }
    if (len == 0 || len >= sizeof(job->package) || strspn(name, plain) < len) {
        return true;
    }
    memcpy(job->package, name, len);
    job->entry.package = job->package;
    job->entry.command = "npx";
    return find_package_file(job, (int)(at - job->command), err);
}

static bool
find_command(struct job *job, struct sq_err *err) {
    job->entry.command = job->args->command;
    if (!job->entry.command) {
        if (!sq_path_program(job->command, err)) {
            return sq_fail_hint(err, "Name it: --command PATH.");
        }
        job->entry.command = job->command;
        if (!find_package(job, err)) {
            return false;
        }
    }
    /* Refuses control characters in the command. */
    const char *command = job->entry.command;
    for (const char *at = command; *at; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f) {
            return sq_fail(err, SQ_ERR_ARGUMENT,
                           "the program's path has control characters");
        }
    }
    return true;
}

static const char *
client_at(size_t index) {
    const struct sq_install_client *client = sq_install_client_at(index);
    return client ? client->name : NULL;
}

static bool
fail_client(const char *name, struct sq_err *err) {
    sq_command_fail_choice("client", name, client_at, err);
    struct sq_span word = sq_span_of(name);
    bool is_app =
        sq_span_ends_with(word, ".apk") || sq_span_ends_with(word, ".app");
    return is_app
        && sq_fail_hint(err, "squint install-app %.200s installs an app.",
                        name);
}

static bool
fail_in_file(const struct job *job, struct sq_err *err) {
    if (err->code == SQ_ERR_NOMEM) {
        return false;
    }
    sq_command_fail_in(job->path, err);
    return sq_fail_hint(err,
                        "Nothing was changed. Correct the file and try again, "
                        "or add the entry by hand: squint install %s --print "
                        "--config new-file shows it.",
                        job->entry.client->name);
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
        *is_found =
            sq_file_read(name, SQ_INSTALL_MAX_BYTES, &old, &local_err)
            && sq_install_edit(&job->entry, false, sq_buf_span(&old), &again,
                               &change, &local_err)
            && change == SQ_INSTALL_ADDED
            && sq_span_equal(sq_buf_span(&again), sq_buf_span(&job->before));
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
    return sq_install_edit(&job->entry, job->args->uninstall,
                           sq_buf_span(&job->before), &job->after, &job->change,
                           err)
        || fail_in_file(job, err);
}

/* Creates the folder of a new file. */
static bool
make_folder(struct job *job, struct sq_err *err) {
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
    if (!sq_folder_open_new(folder, &opened, &job->folders, err)) {
        return false;
    }
    sq_folder_close(opened);
    return true;
}

#define KEPT "[kept:Your settings in the entry are kept: [*kept|, :{.}].\n]"

/* What people read. */
static const char report_text[] =
    "[change=none:{name} is [uninstalls:not installed]"
    "[!uninstalls:already installed] in {title}: {file:file}\n" KEPT "]"
    "{diff}"
    "[written:[note:Note: {note} Is {title} installed here?\n]"
    "[backup:The old file is kept as {backup:file}\n]" KEPT
    "[next:[npx:This squint is in npm's cache, which npm empties, so the "
    "client runs it by npx.\n]"
    "{title} now knows {name}. {next}\n]"
    "[!next:{title} no longer knows {name}.\n]]";

/* Appends {"client", "name", "file", "change", "written", ...}, or the text. */
static bool
report(const struct job *job, struct sq_buf *out, struct sq_err *err) {
    static const char *const changes[] = {
        [SQ_INSTALL_UNCHANGED] = "none",
        [SQ_INSTALL_ADDED] = "added",
        [SQ_INSTALL_REPLACED] = "replaced",
        [SQ_INSTALL_REMOVED] = "removed",
    };
    const struct sq_install_client *client = job->entry.client;
    bool is_changed = job->change != SQ_INSTALL_UNCHANGED;
    bool is_written = is_changed && !job->args->print;
    struct sq_page page = { .out = out, .escape = SQ_ESCAPE_NOTHING };
    struct sq_json_writer w;
    SQ_BUF(answer, 2 * MAX_DIFF_BYTES);
    sq_json_open(&w, &answer);
    sq_json_put_clean_member(&w, "client", sq_span_of(client->name));
    sq_json_put_clean_member(&w, "name", sq_span_of(job->entry.name));
    sq_json_put_clean_member(&w, "file", sq_span_of(job->path));
    sq_json_put_clean_member(&w, "change", sq_span_of(changes[job->change]));
    sq_put_bool(&w, "written", is_written);
    if (is_changed) {
        sq_json_put_clean_member(&w, "diff", sq_buf_span(&job->diff));
    }
    struct sq_span rest = sq_buf_span(&job->kept);
    struct sq_span line;
    if (rest.len > 0) {
        sq_json_begin_array_of(&w, "kept");
        while (sq_span_take_line(&rest, &line)) {
            sq_json_put_clean(&w, line);
        }
        sq_json_end_array(&w);
    }
    if (job->backup[0]) {
        sq_json_put_clean_member(&w, "backup", sq_span_of(job->backup));
    }
    if (job->folders.outermost > 0) {
        sq_json_put_clean_member(&w, "note", SQ_SPAN(NEW_FOLDER));
    }
    if (is_written && job->change != SQ_INSTALL_REMOVED) {
        sq_json_put_clean_member(&w, "next", sq_span_of(client->next));
    }
    if (!job->args->json) {
        sq_put_text(&w, "title", client->title);
        sq_put_bool(&w, "uninstalls", job->args->uninstall);
        sq_put_bool(&w, "npx", job->entry.package != NULL);
    }
    return sq_command_end_answer(&w, job->args->json, report_text, &page, err);
}

/*
 * Replaces the client's file and keeps a backup. Done last, after all output
 * about it has been written.
 */
static bool
replace_file(struct job *job, struct sq_buf *out, struct sq_err *err) {
    if (!check_writable(job->path, err)
        || !sq_path_backup(job->path, job->before.data, job->before.len,
                           job->backup, err)) {
        return false;
    }
    bool ok = report(job, out, err)
           && sq_file_write(job->path, job->after.data, job->after.len, err);
    if (!ok) {
        sq_path_remove_backup(job->backup);
    }
    return ok;
}

static bool
make_file(struct job *job, struct sq_buf *out, struct sq_err *err) {
    bool ok = make_folder(job, err) && report(job, out, err)
           && sq_file_write(job->path, job->after.data, job->after.len, err);
    if (!ok) {
        sq_folder_remove_made(&job->folders);
    }
    return ok;
}

static bool
run_job(struct job *job, struct sq_buf *out, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    if (!find_command(job, err) || !check_config(job->args->config, err)
        || !sq_install_find_file(job->entry.client, job->args->config,
                                 job->path, &job->exists, err)
        || (job->exists && !check_file(job->entry.client, job->path, err))
        || !plan(job, err)) {
        return false;
    }
    sq_file_name(job->path, true, name);
    if (job->change == SQ_INSTALL_UNCHANGED) {
        return report(job, out, err);
    }
    if (!sq_install_diff(name, sq_buf_span(&job->before),
                         sq_buf_span(&job->after), &job->diff, err)) {
        return false;
    }
    if (job->args->print) {
        return report(job, out, err);
    }
    return job->exists ? replace_file(job, out, err) : make_file(job, out, err);
}

static bool
install_run(const struct sq_run *run, struct sq_err *err) {
    const struct install_args *args = run->args;
    bool has_options = args->print || args->uninstall || args->name
                    || args->config || args->command;
    if (run->words->count == 0 && has_options) {
        sq_fail(err, SQ_ERR_ARGUMENT, "CLIENT is missing");
        return sq_fail_hint(err, "squint install lists the clients.");
    }
    if (run->words->count == 0) {
        return sq_install_list(args->json, run->out, err);
    }
    struct job job = { .args = args };
    job.entry.client = sq_install_client_find(run->words->word[0]);
    job.entry.name = args->name ? args->name : "squint";
    job.entry.is_plain = args->plain;
    if (!job.entry.client) {
        return fail_client(run->words->word[0], err);
    }
    sq_buf_init(&job.diff, MAX_DIFF_BYTES);
    sq_buf_init(&job.kept, SQ_INSTALL_MAX_BYTES);
    job.entry.kept = args->uninstall ? NULL : &job.kept;
    bool ok = check_name(job.entry.name, err) && run_job(&job, run->out, err);
    sq_buf_finish(&job.kept);
    sq_buf_finish(&job.diff);
    sq_buf_finish(&job.after);
    sq_buf_finish(&job.before);
    return ok;
}

const struct sq_command sq_command_install = {
    .name = "install",
    .usage = "[CLIENT] [options]",
    .summary = "add squint to a client: Claude, Cursor, VS Code, ...",
    .options = install_options,
    .min_words = 0,
    .max_words = 1,
    .is_verbatim = true,
    .word_at = client_at,
    .run = install_run,
};
