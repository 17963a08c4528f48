#include "tools/saved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "screenshot-"
#define REF_DIGITS (SQ_RANDOM_NAME_SIZE - 1)

static const struct ending {
    const char *text;
    enum sq_format format;
} endings[] = {
    { ".jpg", SQ_FORMAT_JPEG },
    { ".jpeg", SQ_FORMAT_JPEG },
    { ".webp", SQ_FORMAT_WEBP },
    { ".png", SQ_FORMAT_PNG },
};
#define ENDINGS (sizeof(endings) / sizeof(endings[0]))

bool
sq_saved_format(struct sq_span name, enum sq_format *out) {
    for (size_t i = 0; i < ENDINGS; i++) {
        if (name.len > strlen(endings[i].text)
            && sq_span_ends_with(name, endings[i].text)) {
            *out = endings[i].format;
            return true;
        }
    }
    return false;
}

static const char *
ending_of(enum sq_format format) {
    size_t i = 0;
    while (endings[i].format != format) {
        i++;
    }
    return endings[i].text;
}

/* Where programs keep what they make, for a working folder that is not ours. */
static bool
state_folder(char out[SQ_SAVED_PATH_SIZE]) {
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int len = -1;
    if (state && state[0] == '/') {
        len = snprintf(out, SQ_SAVED_PATH_SIZE, "%s/squint/screenshots", state);
    } else if (home && home[0] == '/') {
        len = snprintf(out, SQ_SAVED_PATH_SIZE,
                       "%s/.local/state/squint/screenshots", home);
    }
    return len > 0 && len < SQ_SAVED_PATH_SIZE;
}

/* Hosts start servers in "/" or in folders they may not write to. */
static bool
open_folder(const struct sq_config *config, int *folder,
            char path[SQ_SAVED_PATH_SIZE], struct sq_err *err) {
    const char *wanted = config->output.directory;
    struct sq_err why = { 0 };
    if (sq_folder_open(wanted, folder, &why)) {
        snprintf(path, SQ_SAVED_PATH_SIZE, "%s", wanted);
        return true;
    }
    if (why.code == SQ_ERR_IO && wanted[0] != '/' && state_folder(path)
        && sq_folder_open(path, folder, NULL)) {
        return true;
    }
    if (err) {
        *err = why;
    }
    return false;
}

static bool
choose_name(struct sq_span local_path, enum sq_format format,
            char name[SQ_FOLDER_NAME_SIZE], struct sq_err *err) {
    enum sq_format given;
    const char *ending = ending_of(format);
    if (local_path.len == 0) {
        char random[SQ_RANDOM_NAME_SIZE];
        if (!sq_random_name(random, err)) {
            return false;
        }
        snprintf(name, SQ_FOLDER_NAME_SIZE, PREFIX "%s%s", random, ending);
        return true;
    }
    if (!sq_folder_check_name(local_path, err)) {
        return sq_fail_in(err, "localPath");
    }
    if (sq_saved_format(local_path, &given) && given == format) {
        ending = "";
    }
    int len = snprintf(name, SQ_FOLDER_NAME_SIZE, "%.*s%s",
                       SQ_SPAN_ARGS(local_path), ending);
    if (len >= SQ_FOLDER_NAME_SIZE) {
        sq_fail(err, SQ_ERR_ARGUMENT, "localPath is too long");
        return sq_fail_hint(err, "Give at most %d bytes.",
                            SQ_FOLDER_NAME_SIZE - 1 - (int)strlen(ending));
    }
    return true;
}

bool
sq_saved_write(const struct sq_config *config, struct sq_span local_path,
               enum sq_format format, const struct sq_buf *picture,
               struct sq_saved *out, struct sq_err *err) {
    struct sq_saved saved = { 0 };
    char folder[SQ_SAVED_PATH_SIZE];
    if (!choose_name(local_path, format, saved.name, err)
        || !open_folder(config, &saved.folder, folder, err)) {
        return false;
    }
    if (!sq_folder_write(saved.folder, sq_span_of(saved.name), picture->data,
                         picture->len, err)) {
        sq_folder_close(saved.folder);
        return false;
    }
    snprintf(saved.path, sizeof(saved.path), "%.*s/%s",
             (int)(sizeof(saved.path) - SQ_FOLDER_NAME_SIZE - 1), folder,
             saved.name);
    *out = saved;
    return true;
}

void
sq_saved_remove(struct sq_saved *saved) {
    sq_folder_remove(saved->folder, sq_span_of(saved->name));
    sq_folder_close(saved->folder);
}

void
sq_saved_keep(struct sq_saved *saved) {
    sq_folder_close(saved->folder);
}

bool
sq_saved_uri(const char *name, char *out, size_t size) {
    struct sq_span ref = sq_span_of(name);
    if (!sq_span_take_prefix(&ref, PREFIX)) {
        return false;
    }
    int len = snprintf(out, size, SQ_SAVED_URI "%s", ref.ptr);
    return len > 0 && (size_t)len < size;
}

/* 32 hexadecimal digits and an ending: nothing else is ever opened. */
static bool
is_ref(struct sq_span ref) {
    enum sq_format format;
    if (ref.len <= REF_DIGITS || !sq_saved_format(ref, &format)
        || ref.len != REF_DIGITS + strlen(ending_of(format))) {
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

bool
sq_saved_read(const struct sq_config *config, struct sq_span ref,
              struct sq_buf *out, const char **mime_type, struct sq_err *err) {
    if (!is_ref(ref)) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "no screenshot has this reference");
        return sq_fail_hint(err, "Take a new screenshot.");
    }
    char folder_path[SQ_SAVED_PATH_SIZE];
    char name[SQ_FOLDER_NAME_SIZE];
    int folder;
    enum sq_format format = SQ_FORMAT_PNG;
    sq_saved_format(ref, &format);
    snprintf(name, sizeof(name), PREFIX "%.*s", SQ_SPAN_ARGS(ref));
    if (!open_folder(config, &folder, folder_path, err)) {
        return false;
    }
    bool ok =
        sq_folder_read(folder, sq_span_of(name), SQ_MAX_IMAGE_BYTES, out, err);
    sq_folder_close(folder);
    if (ok) {
        *mime_type = sq_format_mime(format);
    }
    return ok;
}
