/*
 * secret-worker: prints a secret of the user for a server, which cannot reach
 * the keyring: V and the value, or E, the number of the error and its texts.
 */
#include "app/commands/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "sys/call.h"
#include "sys/file.h"
#include "sys/sandbox.h"
#include "tools/secret.h"

#define MAX_FILE_BYTES ((size_t)64 << 10)

/* The parts of libsecret and GLib that are used, as their headers say. */
struct g_list {
    void *data;
    struct g_list *next;
    struct g_list *previous;
};

struct g_error {
    uint32_t domain;
    int code;
    char *message;
};

struct secret_schema {
    const char *name;
    int flags;
    struct {
        const char *name;
        int type; /* 0: a string */
    } attributes[32];
    int reserved;
    void *reserved_pointers[7];
};

enum {
    DONT_MATCH_NAME = 1 << 1,
    OPEN_SESSION = 1 << 1,
    LOAD_SECRETS = 1 << 3,
    SEARCH_ALL = 1 << 1,
};

struct keyring {
    void *(*get)(int flags, void *cancel, struct g_error **err);
    void *(*build)(const struct secret_schema *schema, ...);
    struct g_list *(*search)(void *service, const struct secret_schema *schema,
                             void *attributes, int flags, void *cancel,
                             struct g_error **err);
    int (*is_locked)(void *item);
    void *(*value_of)(void *item);
    const char *(*text_of)(void *value, size_t *len);
};

/* Items of secret-tool store application squint name NAME. */
static const struct secret_schema schema = {
    .name = "org.freedesktop.Secret.Generic",
    .flags = DONT_MATCH_NAME,
    .attributes = { { "application", 0 }, { "name", 0 } },
};

static bool
open_keyring(struct keyring *out, struct sq_err *err) {
    static const char *const names[] = {
        "secret_service_get_sync",    "secret_attributes_build",
        "secret_service_search_sync", "secret_item_get_locked",
        "secret_item_get_secret",     "secret_value_get",
    };
    void *found[SQ_COUNT(names)];
    void *library = sq_call_open_library("libsecret-1.so.0");
    bool ok = library != NULL;
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        found[i] = ok ? sq_call_find_symbol(library, names[i]) : NULL;
        ok = ok && found[i];
    }
    if (!ok) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "libsecret, which reads the keyring, is not installed");
        return sq_fail_hint(err, "Install it (Debian: libsecret-1-0), or use "
                                 "a file: secrets.file.");
    }
    _Static_assert(sizeof(*out) == sizeof(found), "one pointer for each name");
    memcpy(out, found, sizeof(found));
    return true;
}

static bool
fail_keyring(const char *what, const struct g_error *error,
             struct sq_err *err) {
    sq_fail_quoting(err, SQ_ERR_IO, "%s: %.200s", what,
                    error && error->message ? error->message : "no reason");
    return sq_fail_hint(err,
                        "squint needs the session bus and a keyring service, "
                        "such as gnome-keyring; or use a file: secrets.file.");
}

static bool
read_item(const struct keyring *keyring, void *item, const char *name,
          struct sq_buf *out, struct sq_err *err) {
    size_t len = 0;
    if (keyring->is_locked(item)) {
        sq_fail_quoting(err, SQ_ERR_REFUSED,
                        "the keyring that holds the secret \"%s\" is locked",
                        name);
        return sq_fail_hint(err, "Unlock it, for example by logging in.");
    }
    void *value = keyring->value_of(item);
    const char *text = value ? keyring->text_of(value, &len) : NULL;
    return text
             ? sq_buf_append(out, text, len, err)
             : sq_fail(err, SQ_ERR_IO, "the keyring did not give the secret");
}

static bool
read_keyring(const char *name, struct sq_buf *out, struct sq_err *err) {
    struct keyring keyring;
    struct g_error *error = NULL;
    if (!open_keyring(&keyring, err)) {
        return false;
    }
    void *service = keyring.get(OPEN_SESSION, NULL, &error);
    if (!service) {
        return fail_keyring("the keyring cannot be reached", error, err);
    }
    void *attributes = keyring.build(&schema, "application", "squint", "name",
                                     name, (char *)NULL);
    struct g_list *found = keyring.search(
        service, &schema, attributes, SEARCH_ALL | LOAD_SECRETS, NULL, &error);
    if (error) {
        return fail_keyring("the keyring cannot be searched", error, err);
    }
    if (!found) {
        sq_fail_quoting(err, SQ_ERR_NOT_FOUND,
                        "the keyring has no secret \"%s\"", name);
        return sq_fail_hint(err,
                            "Store it: secret-tool store --label=%s "
                            "application squint name %s",
                            name, name);
    }
    return read_item(&keyring, found->data, name, out, err);
}

/* Says why a file must not hold secrets. Returns whether it may. */
static bool
check_private(const char *path, const struct stat *info, struct sq_err *err) {
    if (!S_ISREG(info->st_mode)) {
        sq_fail(err, SQ_ERR_IO, "%.200s is not a file", path);
        return sq_fail_hint(err, "Set secrets.file to a file of your own.");
    }
    if (info->st_uid != sq_call_user()) {
        sq_fail(err, SQ_ERR_IO,
                "the secrets in %.200s belong to the user %u, not to you", path,
                (unsigned)info->st_uid);
        return sq_fail_hint(err, "Set secrets.file to a file of your own.");
    }
    if ((info->st_mode & 077) != 0) {
        sq_fail(err, SQ_ERR_IO, "others can read the secrets in %.200s", path);
        return sq_fail_hint(err, "Run chmod 600 on it.");
    }
    return true;
}

/* Reads a file that only its owner can read: the one that was checked. */
static bool
read_private(const char *path, struct sq_buf *out, struct sq_err *err) {
    struct stat info;
    uint8_t *space = NULL;
    int file = sq_call_openat(
        AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
    ssize_t got;
    bool ok = file >= 0 && sq_call_fstat(file, &info) == 0;
    ok = ok ? check_private(path, &info, err)
            : sq_file_fail(path, false, errno, err);
    sq_buf_init(out, MAX_FILE_BYTES + 1);
    ok = ok && sq_buf_reserve(out, MAX_FILE_BYTES + 1, &space, err);
    do {
        got = ok ? sq_call_read(file, space + out->len,
                                MAX_FILE_BYTES + 1 - out->len)
                 : 0;
        sq_buf_commit(out, got > 0 ? (size_t)got : 0);
    } while (got > 0);
    if (got < 0) {
        ok = sq_file_fail(path, false, errno, err);
    } else if (ok && out->len > MAX_FILE_BYTES) {
        ok = sq_fail(err, SQ_ERR_LIMIT, "%.200s has more than %zu bytes", path,
                     MAX_FILE_BYTES);
    }
    if (file >= 0) {
        sq_call_close(file);
    }
    return ok;
}

static bool
read_from_file(const char *path, const char *name, struct sq_buf *out,
               struct sq_err *err) {
    struct sq_buf text = { 0 };
    struct sq_span line;
    if (!read_private(path, &text, err)) {
        return false;
    }
    struct sq_span rest = sq_buf_span(&text);
    while (sq_span_take_line(&rest, &line)) {
        struct sq_span key;
        if (sq_span_take_until(&line, '=', &key) && sq_span_is(key, name)) {
            return sq_buf_append(out, line.ptr, line.len, err);
        }
    }
    sq_fail_quoting(err, SQ_ERR_NOT_FOUND, "%.200s has no secret \"%s\"", path,
                    name);
    return sq_fail_hint(err, "Add a line: %s=VALUE.", name);
}

static bool
worker_run(const struct sq_run *run, struct sq_err *err) {
    const char *name = run->words->word[0];
    struct sq_err local_err = { 0 };
    sq_sandbox_forbid_dumps();
    bool ok =
        sq_buf_append(run->out, "V", 1, err)
        && (run->words->count > 1 ? read_from_file(run->words->word[1], name,
                                                   run->out, &local_err)
                                  : read_keyring(name, run->out, &local_err));
    if (!ok) {
        sq_buf_clear(run->out);
        return sq_buf_printf(run->out, err, "E%d\n%s\n%s", (int)local_err.code,
                             local_err.message, local_err.hint);
    }
    return true;
}

const struct sq_command sq_command_secret_worker = {
    .name = "secret-worker",
    .usage = "NAME [FILE]",
    .summary = "read a secret for another squint process",
    .min_words = 1,
    .max_words = 2,
    .is_verbatim = true,
    .run = worker_run,
};
