/*
 * The commands of a script can be written again with all their words in quotes,
 * and are then read as the same. Other scripts are refused with an error.
 */
#include <assert.h>
#include <string.h>

#include "demo/adbd/shell.h"
#include "fuzz/fuzz.h"

#define MAX_MEMORY ((size_t)256 << 20)

static void
put(struct sq_buf *out, const char *text) {
    struct sq_err err = { 0 };
    bool ok = sq_buf_append(out, text, strlen(text), &err);
    assert(ok);
}

static void
put_quoted(struct sq_buf *out, const char *text) {
    put(out, "'");
    for (; *text; text++) {
        char letter[] = { *text, '\0' };
        put(out, *text == '\'' ? "'\\''" : letter);
    }
    put(out, "'");
}

static void
put_target(struct sq_buf *out, const struct sq_sh_target *to, int fd) {
    static const char *const signs[] = { "<", ">", "2>" };
    assert(to->fd >= 0 && to->fd <= 2 && (!to->appends || to->path[0]));
    if (to->path[0]) {
        put(out, " ");
        put(out, signs[fd]);
        put(out, to->appends ? ">" : "");
        put_quoted(out, to->path);
    } else if (to->fd != fd) {
        assert(fd > 0 && to->fd > 0);
        put(out, fd == 1 ? " >&2" : " 2>&1");
    }
}

static void
put_command(struct sq_buf *out, const struct sq_sh_command *command) {
    static const char *const signs[] = { ";", "&", "&&", "||", "|", "" };
    const char *word = (const char *)command->text.data;
    assert(command->assignments <= command->words);
    for (int i = 0; i < command->words; i++) {
        const char *value = strchr(word, '=');
        bool assigns = i < command->assignments;
        assert(!assigns || (value && value > word));
        for (; assigns && word <= value; word++) {
            char letter[] = { *word, '\0' };
            put(out, letter);
        }
        put_quoted(out, word);
        put(out, " ");
        word += strlen(word) + 1;
    }
    /* Copies of streams come before the files that replace these. */
    for (int i = 0; i < 6; i++) {
        const struct sq_sh_target *to = &command->to[i % 3];
        if ((to->path[0] != '\0') == (i >= 3)) {
            put_target(out, to, i % 3);
        }
    }
    put(out, signs[command->end]);
}

static bool
is_written(const struct sq_sh_command *command) {
    return command->words > 0 || command->to[0].path[0]
        || command->to[1].path[0] || command->to[2].path[0];
}

/* Reads a script; returns whether it is valid, and writes it again. */
static bool
rewrite(struct sq_span script, struct sq_buf *out) {
    static const char *const names[] = { "b", "c", "x", "A", "F" };
    struct sq_adbd_shell shell;
    struct sq_sh_command *command = &shell.command;
    struct sq_err err = { 0 };
    sq_adbd_shell_init(&shell, NULL);
    shell.rest = script;
    command->end = SQ_SH_NEXT;
    bool ok = true;
    for (size_t i = 0; ok && i < SQ_COUNT(names); i++) {
        ok = sq_adbd_store_set(&shell.variables, names[i], "x 'y'\n$", &err);
    }
    while (ok && command->end != SQ_SH_END) {
        bool may_end =
            command->end == SQ_SH_NEXT || command->end == SQ_SH_BACKGROUND;
        ok = sq_sh_read(&shell, &err);
        assert(ok || (err.code != SQ_ERR_NONE && err.message[0]));
        if (ok && !is_written(command)
            && (command->end != SQ_SH_END || !may_end)) {
            put(out, "'' "); /* of variables without a value */
        }
        if (ok) {
            put_command(out, command);
        }
    }
    sq_adbd_shell_finish(&shell);
    return ok;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_buf once;
    struct sq_buf twice;
    sq_buf_init(&once, MAX_MEMORY);
    sq_buf_init(&twice, MAX_MEMORY);
    if (!memchr(data, 0, size)
        && rewrite((struct sq_span){ (const char *)data, size }, &once)) {
        bool again = rewrite(sq_buf_span(&once), &twice);
        assert(again);
        assert(sq_span_equal(sq_buf_span(&once), sq_buf_span(&twice)));
    }
    sq_buf_finish(&twice);
    sq_buf_finish(&once);
    return 0;
}
