/* Edits texts like squint install edits files. */
#ifndef SQ_TEST_APP_INSTALL_EDIT_H
#define SQ_TEST_APP_INSTALL_EDIT_H

#include "app/install/install.h"
#include "support/test.h"

#define EDIT_MAX ((size_t)1 << 20)

static struct sq_install_entry edit_entry;
static char edit_kept[1024]; /* what the last edit kept, NUL-terminated */

/* The result of the last edit; text is NUL-terminated. */
static struct edit {
    bool ok;
    enum sq_install_change change;
    struct sq_err err;
    char text[1 << 16];
    size_t len;
} edit;

static inline void
edit_for(const char *client) {
    edit_entry = (struct sq_install_entry){
        .client = sq_install_client_find(client),
        .name = "squint",
        .command = "/opt/squint",
        .is_plain = true,
    };
    T(edit_entry.client != NULL);
}

static inline void
edit_bytes(bool removes, const void *bytes, size_t len) {
    struct sq_span text = { bytes, len };
    T_BUF(out, sizeof(edit.text) - 1);
    T_BUF(kept, sizeof(edit_kept) - 1);
    edit_entry.kept = &kept;
    edit.err = (struct sq_err){ 0 };
    edit.ok = sq_install_edit(&edit_entry, removes, text, &out, &edit.change,
                              &edit.err);
    if (edit.ok && edit.change == SQ_INSTALL_UNCHANGED) {
        edit.len = len;
        memmove(edit.text, bytes, len);
    } else {
        edit.len = out.len;
        if (out.len) {
            memcpy(edit.text, out.data, out.len);
        }
    }
    edit.text[edit.len] = '\0';
    snprintf(edit_kept, sizeof(edit_kept), "%.*s", (int)kept.len,
             kept.len ? (const char *)kept.data : "");
    edit_entry.kept = NULL;
}

/*
 * Adding changes before to after; adding again changes nothing; removing
 * restores before.
 */
static inline void
edit_adds_and_removes(const char *before, const char *after) {
    edit_bytes(false, before, strlen(before));
    T_OK(edit.ok, &edit.err);
    T_INT(edit.change, SQ_INSTALL_ADDED);
    T_STR(edit.text, after);
    edit_bytes(false, after, strlen(after));
    T_OK(edit.ok, &edit.err);
    T_INT(edit.change, SQ_INSTALL_UNCHANGED);
    edit_bytes(true, after, strlen(after));
    T_OK(edit.ok, &edit.err);
    T_INT(edit.change, SQ_INSTALL_REMOVED);
    T_STR(edit.text, before);
    edit_bytes(true, before, strlen(before));
    T_INT(edit.change, SQ_INSTALL_UNCHANGED);
}

/* Checks the result of one edit. */
static inline void
edit_gives(bool removes, const char *before, enum sq_install_change change,
           const char *after) {
    edit_bytes(removes, before, strlen(before));
    T_OK(edit.ok, &edit.err);
    T_INT(edit.change, change);
    T_STR(edit.text, after);
}

static inline void
edit_adds(const char *before, const char *after) {
    edit_gives(false, before, SQ_INSTALL_ADDED, after);
}

static inline void
edit_removes(const char *before, const char *after) {
    edit_gives(true, before, SQ_INSTALL_REMOVED, after);
}

static inline void
edit_replaces(const char *before, const char *after) {
    edit_gives(false, before, SQ_INSTALL_REPLACED, after);
}

static inline void
edit_leaves(const char *text) {
    edit_gives(false, text, SQ_INSTALL_UNCHANGED, text);
}

/* Adding changes only the parts that are wrong, and says what it keeps. */
static inline void
edit_keeps(const char *before, const char *after, const char *kept) {
    edit_gives(false, before, SQ_INSTALL_REPLACED, after);
    T_STR(edit_kept, kept);
    edit_gives(false, after, SQ_INSTALL_UNCHANGED, after);
    T_STR(edit_kept, kept);
}

/* Adding refuses an entry with settings that starts no program. */
static inline void
edit_refuses_entry(const char *text) {
    edit_bytes(false, text, strlen(text));
    T(!edit.ok);
    T_INT(edit.err.code, SQ_ERR_UNSUPPORTED);
    T_STR(edit.err.message,
          "the entry \"squint\" has settings, but starts no program; remove "
          "it with --uninstall, or choose another --name");
}

/* Both adding and removing refuse this text. */
static inline void
edit_refuses(const char *text, enum sq_err_code code, const char *words) {
    for (int removes = 0; removes < 2; removes++) {
        edit_bytes(removes, text, strlen(text));
        T(!edit.ok);
        T_INT(edit.err.code, code);
        T_STR(edit.err.message, words);
    }
}

/* Adding changes the first text of each pair to the second, and back. */
static inline void
edit_all(const char *client, const char *const tries[][2], size_t count) {
    edit_for(client);
    for (size_t i = 0; i < count; i++) {
        edit_adds_and_removes(tries[i][0], tries[i][1]);
    }
}

/* The first text of each pair is refused with the second. */
static inline void
edit_refuses_all(const char *client, const char *const tries[][2],
                 size_t count) {
    edit_for(client);
    for (size_t i = 0; i < count; i++) {
        edit_refuses(tries[i][0], SQ_ERR_FORMAT, tries[i][1]);
    }
}

/* Every prefix of a file is refused or edited, without reading past its end. */
static inline void
edit_prefixes(const char *client, const char *text) {
    edit_for(client);
    for (size_t len = 0; len <= strlen(text); len++) {
        char *exact = malloc(len + 1);
        for (int removes = 0; T(exact != NULL) && removes < 2; removes++) {
            memcpy(exact, text, len);
            edit_bytes(removes, exact, len);
            T(edit.ok || edit.err.code == SQ_ERR_FORMAT
              || edit.err.code == SQ_ERR_UNSUPPORTED);
        }
        free(exact);
    }
}

static inline bool
edit_again(void *context, struct sq_err *err) {
    struct sq_span text = sq_span_of(context);
    enum sq_install_change change;
    T_BUF(with, EDIT_MAX);
    T_BUF(without, EDIT_MAX);
    bool ok = sq_install_edit(&edit_entry, false, text, &with, &change, err);
    if (ok) {
        T_INT(change, SQ_INSTALL_ADDED);
        struct sq_span added = { (const char *)with.data, with.len };
        ok = sq_install_edit(&edit_entry, false, added, &without, &change, err);
        T(!ok || change == SQ_INSTALL_UNCHANGED);
        ok = ok
          && sq_install_edit(&edit_entry, true, added, &without, &change, err);
    }
    T(!ok
      || sq_span_equal(
          text, (struct sq_span){ (const char *)without.data, without.len }));
    return ok;
}

#endif
