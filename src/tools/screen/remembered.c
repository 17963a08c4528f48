/* Stores named pictures, one file each: a line of JSON, then a PNG. */
#include "tools/screen/remembered.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/pipeline/codec.h"
#include "json/reader.h"
#include "json/writer.h"
#include "sys/folder.h"
#include "tools/elements/label.h"
#include "util/utf8.h"

#define FOLDER "squint/images"
#define EXTENSION ".img"
#define VERSION 1
#define MAX_FILE_BYTES ((size_t)16 << 20)
#define FILE_NAME_SIZE (2 * SQ_REMEMBERED_NAME_BYTES + sizeof(EXTENSION))

bool
sq_remembered_check_name(struct sq_span name, struct sq_err *err) {
    bool ok = name.len > 0 && name.len <= SQ_REMEMBERED_NAME_BYTES
           && sq_utf8_valid_len(name) == name.len
           && sq_span_trim(name).len == name.len;
    for (size_t i = 0; ok && i < name.len; i++) {
        ok = (uint8_t)name.ptr[i] >= ' ' && name.ptr[i] != 0x7f;
    }
    if (!ok) {
        sq_fail(err, SQ_ERR_ARGUMENT, "this is not a name for a picture");
        sq_fail_hint(err,
                     "Use 1 to %d bytes of text without control characters "
                     "and without spaces at the ends.",
                     SQ_REMEMBERED_NAME_BYTES);
    }
    return ok;
}

/* The name in hexadecimal digits: any name is safe as that of a file. */
static void
file_name(struct sq_span name, char out[FILE_NAME_SIZE]) {
    for (size_t i = 0; i < name.len; i++) {
        snprintf(out + 2 * i, 3, "%02x", (unsigned)(uint8_t)name.ptr[i]);
    }
    snprintf(out + 2 * name.len, sizeof(EXTENSION), "%s", EXTENSION);
}

static bool
encode(const struct sq_remembered *what, struct sq_span png, struct sq_buf *out,
       struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_json_put_int(sq_json_at(&w, "version"), VERSION);
    sq_json_put_string(sq_json_at(&w, "name"), what->name);
    sq_json_put_double(sq_json_at(&w, "density"), what->density);
    sq_json_put_clean(sq_json_at(&w, "app"), what->app);
    sq_json_put_clean(sq_json_at(&w, "beside"), what->beside);
    sq_json_put_int(sq_json_at(&w, "width"), what->width);
    sq_json_put_int(sq_json_at(&w, "height"), what->height);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err) && sq_buf_append(out, "\n", 1, err)
        && sq_buf_append(out, png.ptr, png.len, err);
}

bool
sq_remembered_parse(struct sq_span bytes, struct sq_arena *arena,
                    struct sq_remembered *out, struct sq_span *png,
                    struct sq_err *err) {
    struct sq_span line;
    struct sq_remembered what = { 0 };
    const struct sq_json *json;
    if (!sq_span_take_until(&bytes, '\n', &line)
        || !sq_json_parse(line, arena, &json, NULL)
        || sq_json_int_of(json, "version") != VERSION) {
        return sq_fail(err, SQ_ERR_FORMAT, "this is not a remembered picture");
    }
    what.name = sq_json_text_of(json, "name");
    what.app = sq_json_text_of(json, "app");
    what.beside = sq_json_text_of(json, "beside");
    what.width = sq_json_int_of(json, "width");
    what.height = sq_json_int_of(json, "height");
    sq_json_double(sq_json_get(json, "density"), &what.density);
    if (!sq_remembered_check_name(what.name, NULL)) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the remembered picture has no name");
    }
    *out = what;
    *png = bytes;
    return true;
}

/* Reads one file. The spans of *out are copied into the arena. */
static bool
read_file(const struct sq_state_folder *folder, const char *file,
          struct sq_arena *arena, struct sq_remembered *out,
          struct sq_image *image, struct sq_err *err) {
    SQ_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    struct sq_span png;
    struct sq_remembered what;
    bool ok = sq_folder_read(folder->fd, sq_span_of(file), MAX_FILE_BYTES,
                             &bytes, err)
           && sq_remembered_parse(sq_buf_span(&bytes), arena, &what, &png, err)
           && sq_arena_keep(arena, &what.name, err)
           && sq_arena_keep(arena, &what.app, err)
           && sq_arena_keep(arena, &what.beside, err)
           && (!image
               || sq_image_decode((const uint8_t *)png.ptr, png.len,
                                  &sq_limits_default, image, err));
    if (ok) {
        *out = what;
    }
    return ok;
}

/* What a listing has found so far. */
struct listing {
    const struct sq_state_folder *folder;
    struct sq_arena *arena;
    struct sq_remembered *items;
    size_t count;
};

static bool
add_entry(struct listing *listing, const struct sq_entry *entry,
          struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (!sq_span_ends_with(entry->name, EXTENSION)
        || listing->count == SQ_MAX_REMEMBERED) {
        return true;
    }
    if (read_file(listing->folder, entry->name.ptr, listing->arena,
                  &listing->items[listing->count], NULL, &local_err)) {
        listing->count++;
        return true;
    }
    return local_err.code != SQ_ERR_NOMEM || sq_fail_with(err, &local_err);
}

static int
compare_names(const void *a, const void *b) {
    const struct sq_span *x = &((const struct sq_remembered *)a)->name;
    const struct sq_span *y = &((const struct sq_remembered *)b)->name;
    size_t len = x->len < y->len ? x->len : y->len;
    int order = memcmp(x->ptr, y->ptr, len);
    return order ? order : (x->len > y->len) - (x->len < y->len);
}

static bool
list_folder(const struct sq_state_folder *folder, struct sq_arena *arena,
            struct sq_remembered **out, size_t *count, struct sq_err *err) {
    struct sq_entries *entries = NULL;
    struct sq_entry entry;
    struct listing listing = { .folder = folder, .arena = arena };
    listing.items =
        sq_arena_alloc(arena, SQ_MAX_REMEMBERED, sizeof(*listing.items), err);
    int listed;
    if (!listing.items || !sq_state_folder_open_list(folder, &listed, err)) {
        return false;
    }
    bool ok = sq_entries_create(&entries, err);
    if (ok) {
        sq_entries_start(entries, listed);
    }
    while (ok && sq_entries_next(entries, &entry)) {
        ok = add_entry(&listing, &entry, err);
    }
    sq_entries_destroy(entries);
    sq_folder_close(listed);
    if (ok) {
        qsort(listing.items, listing.count, sizeof(*listing.items),
              compare_names);
        *out = listing.items;
        *count = listing.count;
    }
    return ok;
}

bool
sq_remembered_list(struct sq_arena *arena, struct sq_remembered **out,
                   size_t *count, struct sq_err *err) {
    struct sq_state_folder folder;
    if (!sq_state_folder_open_kept(FOLDER, &folder, err)) {
        return false;
    }
    bool ok = list_folder(&folder, arena, out, count, err);
    sq_state_folder_close(&folder);
    return ok;
}

static bool
fail_unknown(const struct sq_remembered *items, size_t count,
             struct sq_err *err) {
    char names[160] = "";
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(names);
        if (used + items[i].name.len + 3 < sizeof(names)) {
            snprintf(names + used, sizeof(names) - used, "%s%.*s",
                     i ? ", " : "", SQ_SPAN_ARGS(items[i].name));
        }
    }
    sq_fail(err, SQ_ERR_NOT_FOUND, "no picture of that name is remembered");
    return count ? sq_fail_hint(err, "Remembered: %s.", names)
                 : sq_fail_hint(
                     err, SQ_SAY("Keep one with @remember: name and region.",
                                 "Keep one: @remember NAME --region X,Y,W,H."));
}

/* Finds the stored name that equals this one, in any case. */
static bool
find_name(const struct sq_state_folder *folder, struct sq_span name,
          struct sq_arena *arena, struct sq_span *out, struct sq_err *err) {
    struct sq_remembered *items;
    size_t count;
    if (!list_folder(folder, arena, &items, &count, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (sq_text_equal(items[i].name, name, true)) {
            *out = items[i].name;
            return true;
        }
    }
    return fail_unknown(items, count, err);
}

/* Opens the folder, and finds the file of that name in it. */
static bool
open_named(struct sq_span name, struct sq_arena *arena,
           struct sq_state_folder *folder, char file[FILE_NAME_SIZE],
           struct sq_err *err) {
    struct sq_span stored;
    if (!sq_state_folder_open_kept(FOLDER, folder, err)) {
        return false;
    }
    if (!find_name(folder, name, arena, &stored, err)) {
        sq_state_folder_close(folder);
        return false;
    }
    file_name(stored, file);
    return true;
}

bool
sq_remembered_read(struct sq_span name, struct sq_arena *arena,
                   struct sq_remembered *out, struct sq_image *image,
                   struct sq_err *err) {
    struct sq_state_folder folder;
    char file[FILE_NAME_SIZE];
    if (!open_named(name, arena, &folder, file, err)) {
        return false;
    }
    bool ok = read_file(&folder, file, arena, out, image, err);
    sq_state_folder_close(&folder);
    return ok;
}

bool
sq_remembered_write(const struct sq_remembered *what, struct sq_span png,
                    struct sq_err *err) {
    struct sq_state_folder folder;
    char file[FILE_NAME_SIZE];
    if (!sq_remembered_check_name(what->name, err)
        || !sq_state_folder_open_kept(FOLDER, &folder, err)) {
        return false;
    }
    file_name(what->name, file);
    SQ_BUF(bytes, MAX_FILE_BYTES);
    bool ok = encode(what, png, &bytes, err)
           && sq_state_folder_write(&folder, file, sq_buf_span(&bytes), err);
    sq_state_folder_close(&folder);
    return ok;
}

bool
sq_remembered_remove(struct sq_span name, struct sq_arena *arena,
                     struct sq_err *err) {
    struct sq_state_folder folder;
    char file[FILE_NAME_SIZE];
    if (!open_named(name, arena, &folder, file, err)) {
        return false;
    }
    bool ok = sq_state_folder_remove(&folder, file, err);
    sq_state_folder_close(&folder);
    return ok;
}
