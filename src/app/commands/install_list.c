/* Lists the clients that squint install knows. */
#include "app/commands/install_list.h"

#include <stdio.h>

#include "app/install/install.h"
#include "page/page.h"
#include "json/writer.h"
#include "sys/file.h"
#include "sys/user_dirs.h"

#define MAX_TABLE_BYTES ((size_t)1 << 16)

/* Whether the file of a client exists, or has an entry of squint. */
enum state {
    STATE_NO,
    STATE_YES,
    STATE_UNKNOWN, /* the file or its folder cannot be read */
};

/* A client on this machine. */
struct found {
    const struct sq_install_client *client;
    char path[SQ_PATH_SIZE];
    enum state exists; /* the file */
    enum state has_squint;
};

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

static bool
find_state(struct found *found, struct sq_err *err) {
    const struct sq_install_entry entry = { .client = found->client,
                                            .name = "squint",
                                            .command = "squint" };
    enum sq_install_change change = SQ_INSTALL_UNCHANGED;
    struct sq_err local_err = { 0 };
    struct sq_buf before = { 0 };
    struct sq_buf after;
    sq_buf_init(&after, SQ_INSTALL_MAX_BYTES);
    bool ok =
        sq_file_read(found->path, SQ_INSTALL_MAX_BYTES, &before, &local_err)
        && entry.client->editor->remove(&entry, sq_buf_span(&before), &after,
                                        &change, &local_err);
    sq_buf_finish(&after);
    sq_buf_finish(&before);
    found->has_squint = !ok                          ? STATE_UNKNOWN
                      : change == SQ_INSTALL_REMOVED ? STATE_YES
                                                     : STATE_NO;
    return local_err.code != SQ_ERR_NOMEM || sq_fail_nomem(err);
}

/* A client whose files may not be looked at does not hide the others. */
static bool
find_client(const struct sq_install_client *client, struct found *out,
            struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool exists;
    *out = (struct found){ .client = client };
    if (sq_install_find_file(client, NULL, out->path, &exists, &local_err)) {
        out->exists = exists ? STATE_YES : STATE_NO;
        return !exists || find_state(out, err);
    }
    if (!out->path[0] || sq_is_fatal(local_err.code)) {
        return sq_fail_with(err, &local_err);
    }
    if (local_err.code != SQ_ERR_NOT_FOUND) {
        out->exists = STATE_UNKNOWN;
        out->has_squint = STATE_UNKNOWN;
    }
    return true;
}

static bool
add_row(const struct found *found, struct sq_table *table, struct sq_err *err) {
    static const char *const states[] = { "no", "yes", "unknown" };
    char name[SQ_FILE_NAME_SIZE];
    name_file(found->path, name);
    return sq_table_printf(table, SQ_INK_STRONG, err, "%s", found->client->name)
        && sq_table_printf(table, SQ_INK_PLAIN, err, "%s",
                           states[found->exists])
        && sq_table_printf(table, SQ_INK_PLAIN, err, "%s",
                           states[found->has_squint])
        && sq_table_printf(table, SQ_INK_PLAIN, err, "%s", name);
}

static bool
list_for_people(struct sq_buf *out, struct sq_err *err) {
    static const struct sq_column columns[] = {
        { "CLIENT", false }, { "FILE EXISTS", false }, { "HAS SQUINT", false },
        { "FILE", false },   { NULL, false },
    };
    const struct sq_install_client *client;
    struct found found;
    struct sq_page page = { out, sq_paper_of_output((struct sq_opt_int){ 0 }) };
    struct sq_arena arena;
    sq_arena_init(&arena, MAX_TABLE_BYTES);
    struct sq_table table = { .arena = &arena,
                              .columns = columns,
                              .whole = "FILE" };
    bool ok = true;
    for (size_t i = 0; ok && (client = sq_install_client_at(i)); i++) {
        ok = find_client(client, &found, err) && add_row(&found, &table, err);
    }
    page.paper.color = false;
    ok = ok && sq_table_print(&table, &page, err);
    sq_arena_finish(&arena);
    return ok;
}

/* Writes a boolean, or null if it is unknown. */
static void
put_state(struct sq_json_writer *w, const char *key, enum state state) {
    sq_json_put_key(w, key);
    if (state == STATE_UNKNOWN) {
        sq_json_put_null(w);
    } else {
        sq_json_put_bool(w, state == STATE_YES);
    }
}

static void
put_client(struct sq_json_writer *w, const struct found *found) {
    sq_json_begin_object(w);
    sq_json_put_key(w, "client");
    sq_json_put_string(w, sq_span_of(found->client->name));
    sq_json_put_key(w, "file");
    sq_json_put_clean(w, sq_span_of(found->path));
    put_state(w, "exists", found->exists);
    put_state(w, "hasSquint", found->has_squint);
    sq_json_end_object(w);
}

/* Appends {"clients": [{"client", "file", "exists", "hasSquint"}]}. */
static bool
list_as_json(struct sq_buf *out, struct sq_err *err) {
    const struct sq_install_client *client;
    struct found found;
    struct sq_json_writer w;
    bool ok = true;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "clients");
    sq_json_begin_array(&w);
    for (size_t i = 0; ok && (client = sq_install_client_at(i)); i++) {
        ok = find_client(client, &found, err);
        if (ok) {
            put_client(&w, &found);
        }
    }
    sq_json_end_array(&w);
    sq_json_end_object(&w);
    return ok && sq_json_writer_done(&w, err)
        && sq_buf_append(out, "\n", 1, err);
}

bool
sq_install_list(bool json, struct sq_buf *out, struct sq_err *err) {
    return json ? list_as_json(out, err) : list_for_people(out, err);
}
