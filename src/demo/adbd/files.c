/* The lists of names and values, and the simulated files of the phone. */
#include <stdio.h>

#include "demo/adbd/phone.h"
#include "util/mem.h"

void
sq_adbd_store_finish(struct sq_adbd_store *store) {
    while (store->first) {
        struct sq_adbd_entry *entry = store->first;
        store->first = entry->next;
        sq_mem_free(entry);
    }
    store->count = 0;
}

/* Returns the link to the entry, or the link where a new one goes. */
static struct sq_adbd_entry **
find_entry(struct sq_adbd_store *store, const char *name) {
    struct sq_adbd_entry **at = &store->first;
    while (*at && strcmp((*at)->name, name) != 0) {
        at = &(*at)->next;
    }
    return at;
}

const char *
sq_adbd_store_get(const struct sq_adbd_store *store, const char *name) {
    const struct sq_adbd_entry *entry = store->first;
    while (entry && strcmp(entry->name, name) != 0) {
        entry = entry->next;
    }
    return entry ? entry->value : NULL;
}

bool
sq_adbd_store_set(struct sq_adbd_store *store, const char *name,
                  const char *value, struct sq_err *err) {
    struct sq_adbd_entry **at = find_entry(store, name);
    if (strlen(name) >= SQ_ADBD_STORE_NAME_SIZE
        || strlen(value) >= SQ_ADBD_STORE_VALUE_SIZE
        || (!*at && store->count == SQ_ADBD_STORE_MAX)) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the value is too long, or there are too many");
    }
    if (!*at) {
        *at = sq_mem_zalloc(1, sizeof(**at));
        if (!*at) {
            return sq_fail_nomem(err);
        }
        snprintf((*at)->name, sizeof((*at)->name), "%s", name);
        store->count++;
    }
    snprintf((*at)->value, sizeof((*at)->value), "%s", value);
    return true;
}

void
sq_adbd_store_remove(struct sq_adbd_store *store, const char *name) {
    struct sq_adbd_entry **at = find_entry(store, name);
    struct sq_adbd_entry *entry = *at;
    if (entry) {
        *at = entry->next;
        store->count--;
        sq_mem_free(entry);
    }
}

/* Writable folders. The first path of each row is the canonical one. */
static const struct {
    const char *name;
    const char *alias;
} folders[] = {
    { "/sdcard", "/storage/emulated/0" },
    { "/sdcard", "/mnt/sdcard" },
    { "/sdcard", "/storage/self/primary" },
    { "/data/local/tmp", "/data/local/tmp" },
};

/* Folders that exist but are not writable. */
static const char *const more_folders[] = {
    "/", "/data", "/data/local", "/storage", "/storage/emulated", "/system",
};

/*
 * Returns the rest of the path below the folder, "" or "/...", or NULL if it is
 * not below it.
 */
static const char *
below(const char *path, const char *folder) {
    size_t len = strlen(folder);
    bool inside = strncmp(path, folder, len) == 0
               && (path[len] == '/' || path[len] == '\0');
    return inside ? path + len : NULL;
}

/* Normalises a path: one slash between names, none at the end. */
static bool
clean(const char *path, char out[SQ_ADBD_PATH_SIZE]) {
    char plain[SQ_ADBD_PATH_SIZE];
    size_t len = 0;
    for (; *path && len < sizeof(plain) - 1; path++) {
        if (*path != '/' || len == 0 || plain[len - 1] != '/') {
            plain[len++] = *path;
        }
    }
    len -= len > 1 && plain[len - 1] == '/';
    plain[len] = '\0';
    if (*path || plain[0] != '/') {
        return false;
    }
    int written = snprintf(out, SQ_ADBD_PATH_SIZE, "%s", plain);
    for (size_t i = 0; i < SQ_COUNT(folders); i++) {
        const char *rest = below(plain, folders[i].alias);
        if (rest) {
            written =
                snprintf(out, SQ_ADBD_PATH_SIZE, "%s%s", folders[i].name, rest);
        }
    }
    return written > 0 && written < SQ_ADBD_PATH_SIZE;
}

static void
destroy(struct sq_adbd_file *file) {
    sq_buf_finish(&file->bytes);
    sq_mem_free(file);
}

void
sq_adbd_files_finish(struct sq_adbd_files *files) {
    while (files->first) {
        struct sq_adbd_file *file = files->first;
        files->first = file->next;
        destroy(file);
    }
    files->count = 0;
}

struct sq_adbd_file *
sq_adbd_files_find(const struct sq_adbd_files *files, const char *path) {
    char kept[SQ_ADBD_PATH_SIZE];
    struct sq_adbd_file *file = clean(path, kept) ? files->first : NULL;
    while (file && strcmp(file->path, kept) != 0) {
        file = file->next;
    }
    return file;
}

bool
sq_adbd_files_check(const char *path, struct sq_err *err) {
    char kept[SQ_ADBD_PATH_SIZE];
    bool ok = false;
    for (size_t i = 0; clean(path, kept) && i < SQ_COUNT(folders); i++) {
        const char *rest = below(kept, folders[i].name);
        ok = ok || (rest && rest[0]);
    }
    return ok || sq_fail(err, SQ_ERR_NOT_FOUND, "No such file or directory");
}

static bool
add(struct sq_adbd_files *files, const char *path, struct sq_adbd_file **out,
    struct sq_err *err) {
    if (files->count == SQ_ADBD_MAX_FILES) {
        return sq_fail(err, SQ_ERR_LIMIT, "No space left on device");
    }
    struct sq_adbd_file *file = sq_mem_zalloc(1, sizeof(*file));
    if (!file || !clean(path, file->path)) {
        sq_mem_free(file);
        return sq_fail_nomem(err);
    }
    sq_buf_init(&file->bytes, SQ_ADBD_MAX_FILE_BYTES);
    struct sq_adbd_file **at = &files->first;
    while (*at && strcmp((*at)->path, file->path) < 0) {
        at = &(*at)->next;
    }
    file->next = *at;
    *at = file;
    files->count++;
    *out = file;
    return true;
}

bool
sq_adbd_files_create(struct sq_adbd_files *files, const char *path,
                     int64_t now_s, struct sq_adbd_file **out,
                     struct sq_err *err) {
    struct sq_adbd_file *file = sq_adbd_files_find(files, path);
    if (!sq_adbd_files_check(path, err)
        || (!file && !add(files, path, &file, err))) {
        return false;
    }
    sq_buf_clear(&file->bytes);
    file->modified_s = now_s;
    *out = file;
    return true;
}

bool
sq_adbd_files_remove(struct sq_adbd_files *files, const char *path) {
    struct sq_adbd_file *file = sq_adbd_files_find(files, path);
    struct sq_adbd_file **at = &files->first;
    if (!file) {
        return false;
    }
    while (*at != file) {
        at = &(*at)->next;
    }
    *at = file->next;
    files->count--;
    destroy(file);
    return true;
}

bool
sq_adbd_files_is_folder(const char *path) {
    char kept[SQ_ADBD_PATH_SIZE];
    bool found = false;
    if (!clean(path, kept)) {
        return false;
    }
    for (size_t i = 0; i < SQ_COUNT(folders); i++) {
        found = found || strcmp(kept, folders[i].name) == 0;
    }
    for (size_t i = 0; i < SQ_COUNT(more_folders); i++) {
        found = found || strcmp(kept, more_folders[i]) == 0;
    }
    return found;
}

static bool
is_directly_in(const struct sq_adbd_file *file, const char *folder) {
    const char *rest = below(file->path, folder);
    return rest && rest[0] == '/' && !strchr(rest + 1, '/');
}

const struct sq_adbd_file *
sq_adbd_files_in(const struct sq_adbd_files *files, const char *folder,
                 const struct sq_adbd_file *after) {
    char kept[SQ_ADBD_PATH_SIZE];
    const struct sq_adbd_file *file = after ? after->next : files->first;
    if (!clean(folder, kept)) {
        return NULL;
    }
    while (file && !is_directly_in(file, kept)) {
        file = file->next;
    }
    return file;
}

const char *
sq_adbd_file_name(const struct sq_adbd_file *file) {
    return strrchr(file->path, '/') + 1;
}
