/* Writes pictures to the output folder, and reads them back by URI. */
#include "tools/screen/output_folder.h"

#include <stdio.h>
#include <string.h>

#include "sys/folder.h"
#include "sys/path.h"

#define PREFIX "screenshot-"
#define OWN_FOLDER ".squint"
#define UNASKED_PREFIX "auto-" /* old files with this prefix are removed */
#define REF_DIGITS (SQ_RANDOM_NAME_SIZE - 1)

static const struct {
    const char *text;
    enum sq_format format;
} extensions[] = {
    { ".jpg", SQ_FORMAT_JPEG },
    { ".jpeg", SQ_FORMAT_JPEG },
    { ".webp", SQ_FORMAT_WEBP },
    { ".png", SQ_FORMAT_PNG },
};
#define EXTENSIONS (sizeof(extensions) / sizeof(extensions[0]))

bool
sq_output_file_format(struct sq_span name, enum sq_format *out) {
    for (size_t i = 0; i < EXTENSIONS; i++) {
        size_t len = strlen(extensions[i].text);
        if (name.len > len
            && sq_span_is_word(
                (struct sq_span){ name.ptr + name.len - len, len },
                extensions[i].text)) {
            *out = extensions[i].format;
            return true;
        }
    }
    return false;
}

const char *
sq_output_extension(enum sq_format format) {
    size_t i = 0;
    while (extensions[i].format != format) {
        i++;
    }
    return extensions[i].text;
}

/* Writes .gitignore into .squint if the path contains such a folder. */
static void
hide_own_folder(const char *path) {
    char own[SQ_PATH_SIZE];
    struct sq_span rest = sq_span_of(path);
    struct sq_span piece;
    int folder;
    bool more = true;
    while (more) {
        more = sq_span_take_until(&rest, '/', &piece);
        piece = more ? piece : rest;
        if (!sq_span_is(piece, OWN_FOLDER)) {
            continue;
        }
        snprintf(own, sizeof(own), "%.*s", (int)(piece.ptr + piece.len - path),
                 path);
        if (sq_folder_open_real(own, true, &folder, NULL)) {
            sq_folder_hide_from_git(folder);
            sq_folder_close(folder);
        }
        return;
    }
}

static bool
open_wanted(const char *wanted, bool make, int *folder, char path[SQ_PATH_SIZE],
            struct sq_err *err) {
    bool exists;
    if (make) {
        hide_own_folder(wanted);
    }
    if (!sq_folder_open_real(wanted, make, folder, err)) {
        return false;
    }
    if (sq_path_resolve(wanted, path, &exists, err)) {
        return true;
    }
    sq_folder_close(*folder);
    return false;
}

/*
 * Opens the output folder, or one in the user's state folder: hosts may start
 * servers in "/" or in folders that are not writable.
 */
static bool
open_folder(const struct sq_config *config, bool make, int *folder,
            char path[SQ_PATH_SIZE], struct sq_err *err) {
    const char *wanted = config->output.directory;
    struct sq_err local_err = { 0 };
    if (open_wanted(wanted, make, folder, path, &local_err)) {
        return true;
    }
    bool elsewhere = local_err.code == SQ_ERR_IO
                  || (!make && local_err.code == SQ_ERR_NOT_FOUND);
    if (elsewhere && wanted[0] != '/'
        && sq_user_path(SQ_USER_STATE, "squint/screenshots", path)
        && sq_folder_open_real(path, make, folder, NULL)) {
        return true;
    }
    return sq_fail_with(err, &local_err);
}

bool
sq_output_folder_make(const struct sq_config *config, char path[SQ_PATH_SIZE]) {
    int folder;
    if (!open_folder(config, true, &folder, path, NULL)) {
        return false;
    }
    sq_folder_close(folder);
    char *own = strstr(path, "/" OWN_FOLDER "/");
    if (own) {
        own[sizeof("/" OWN_FOLDER) - 1] = '\0';
    }
    return true;
}

static bool
choose_name(const struct sq_output_file_name *wanted,
            char name[SQ_FOLDER_NAME_SIZE], struct sq_err *err) {
    enum sq_format given;
    struct sq_span local_path = wanted->local_path;
    const char *extension = wanted->extension
                              ? wanted->extension
                              : sq_output_extension(wanted->format);
    if (local_path.len == 0) {
        char random[SQ_RANDOM_NAME_SIZE];
        if (!sq_random_name(random, err)) {
            return false;
        }
        snprintf(name, SQ_FOLDER_NAME_SIZE, "%s%s%s",
                 wanted->is_unasked ? UNASKED_PREFIX : PREFIX, random,
                 extension);
        return true;
    }
    if (!sq_folder_check_name(local_path, err)) {
        return sq_fail_in(err, "localPath");
    }
    bool has_extension = wanted->extension
                           ? sq_span_ends_with(local_path, wanted->extension)
                           : sq_output_file_format(local_path, &given)
                                 && given == wanted->format;
    if (has_extension) {
        extension = "";
    }
    int len = snprintf(name, SQ_FOLDER_NAME_SIZE, "%.*s%s",
                       SQ_SPAN_ARGS(local_path), extension);
    if (len >= SQ_FOLDER_NAME_SIZE) {
        sq_fail(err, SQ_ERR_ARGUMENT, "$localPath is too long");
        return sq_fail_hint(err, "Give at most %d bytes.",
                            SQ_FOLDER_NAME_SIZE - 1 - (int)strlen(extension));
    }
    return true;
}

void
sq_output_file_remove(struct sq_output_file *saved) {
    sq_folder_remove(saved->folder, sq_span_of(saved->name));
    sq_folder_close(saved->folder);
}

void
sq_output_file_keep(struct sq_output_file *saved) {
    sq_folder_close(saved->folder);
}

/*
 * Returns whether ref is 32 hexadecimal digits and an extension; no other file
 * is ever opened.
 */
static bool
is_ref(struct sq_span ref) {
    enum sq_format format;
    if (ref.len <= REF_DIGITS || !sq_output_file_format(ref, &format)
        || ref.len != REF_DIGITS + strlen(sq_output_extension(format))
        || !sq_span_ends_with(ref, sq_output_extension(format))) {
        return false;
    }
    for (size_t i = 0; i < REF_DIGITS; i++) {
        char c = ref.ptr[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
            return false;
        }
    }
    return true;
}

static bool
is_unasked(struct sq_span name) {
    return sq_span_take_prefix(&name, UNASKED_PREFIX) && is_ref(name);
}

bool
sq_output_file_write(const struct sq_config *config,
                     const struct sq_output_file_name *name,
                     const struct sq_buf *picture, struct sq_output_file *out,
                     struct sq_err *err) {
    struct sq_output_file saved = { 0 };
    char folder[SQ_PATH_SIZE];
    if (!choose_name(name, saved.name, err)
        || !open_folder(config, true, &saved.folder, folder, err)) {
        return false;
    }
    if (!sq_folder_write(saved.folder, sq_span_of(saved.name), picture->data,
                         picture->len, err)) {
        sq_folder_close(saved.folder);
        return false;
    }
    if (name->is_unasked) {
        sq_prune(saved.folder, is_unasked, saved.name);
    }
    snprintf(saved.path, sizeof(saved.path), "%s/%s", folder, saved.name);
    *out = saved;
    return true;
}

bool
sq_output_file_uri(const char *name, char *out, size_t size) {
    struct sq_span ref = sq_span_of(name);
    if (!sq_span_take_prefix(&ref, PREFIX)
        && !sq_span_take_prefix(&ref, UNASKED_PREFIX)) {
        return false;
    }
    int len = snprintf(out, size, SQ_OUTPUT_URI "%s", ref.ptr);
    return len > 0 && (size_t)len < size;
}

bool
sq_output_file_read(const struct sq_config *config, struct sq_span ref,
                    struct sq_buf *out, const char **mime_type,
                    struct sq_err *err) {
    if (!is_ref(ref)) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "no screenshot has this reference");
        return sq_fail_hint(err, "Take a new screenshot.");
    }
    static const char *const prefixes[] = { PREFIX, UNASKED_PREFIX };
    char folder_path[SQ_PATH_SIZE];
    char name[SQ_FOLDER_NAME_SIZE];
    int folder;
    enum sq_format format = SQ_FORMAT_PNG;
    sq_output_file_format(ref, &format);
    if (!open_folder(config, false, &folder, folder_path, err)) {
        return false;
    }
    struct sq_err local_err = { .code = SQ_ERR_NOT_FOUND };
    bool ok = false;
    for (size_t i = 0; !ok && local_err.code == SQ_ERR_NOT_FOUND && i < 2;
         i++) {
        local_err = (struct sq_err){ 0 };
        snprintf(name, sizeof(name), "%s%.*s", prefixes[i], SQ_SPAN_ARGS(ref));
        ok = sq_folder_read(folder, sq_span_of(name), SQ_MAX_IMAGE_BYTES, out,
                            &local_err);
    }
    sq_folder_close(folder);
    if (!ok) {
        return sq_fail_with(err, &local_err);
    }
    *mime_type = sq_format_mime(format);
    return true;
}

bool
sq_output_file_load(const struct sq_config *config, struct sq_span local_path,
                    struct sq_buf *out, struct sq_err *err) {
    char folder_path[SQ_PATH_SIZE];
    int folder;
    if (!sq_folder_check_name(local_path, err)) {
        return sq_fail_in(err, "localPath");
    }
    if (!open_folder(config, false, &folder, folder_path, err)) {
        return false;
    }
    bool ok = sq_folder_read(folder, local_path, SQ_MAX_IMAGE_BYTES, out, err);
    sq_folder_close(folder);
    return ok || sq_fail_hint(err, "Files are read in %s.", folder_path);
}
