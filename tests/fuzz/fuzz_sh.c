/*
 * A script that parses can be written again with all its quotes, and then has
 * the same meaning. Other scripts are refused with an error.
 */
#include <assert.h>
#include <string.h>

#include "demo/adbd/shell_parse.h"
#include "fuzz/fuzz.h"
#include "util/buf.h"

#define MAX_MEMORY ((size_t)256 << 20)

static void
put(struct sq_buf *out, struct sq_span text) {
    struct sq_err err = { 0 };
    bool ok = sq_buf_append(out, text.ptr, text.len, &err);
    assert(ok);
}

static void
put_quoted(struct sq_buf *out, struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        put(out, text.ptr[i] == '\'' ? SQ_SPAN("'\\''")
                                     : (struct sq_span){ text.ptr + i, 1 });
    }
}

/*
 * Adjacent letters are joined, however they were quoted; all words start with
 * quotes, since they will have some the second time.
 */
static void
put_word(struct sq_buf *out, const struct sq_sh_word *word) {
    bool inside = true;
    put(out, SQ_SPAN("'"));
    for (const struct sq_sh_part *part = word->parts; part; part = part->next) {
        if (part->is_variable) {
            assert(part->text.len > 0);
            put(out, inside ? SQ_SPAN("'") : (struct sq_span){ 0 });
            inside = false;
            put(out, part->quoted ? SQ_SPAN("\"${") : SQ_SPAN("${"));
            put(out, part->text);
            put(out, part->quoted ? SQ_SPAN("}\"") : SQ_SPAN("}"));
            continue;
        }
        put(out, inside ? (struct sq_span){ 0 } : SQ_SPAN("'"));
        inside = true;
        put_quoted(out, part->text);
    }
    put(out, inside ? SQ_SPAN("'") : (struct sq_span){ 0 });
}

static void
put_redirect(struct sq_buf *out, const struct sq_sh_redirect *one) {
    static const char *const signs[] = { "<", ">", ">>", ">&" };
    struct sq_err err = { 0 };
    assert(one->fd >= 0 && one->fd <= 2);
    assert((one->kind == SQ_SH_READ) == (one->fd == 0));
    sq_buf_printf(out, &err, " %d%s", one->fd, signs[one->kind]);
    if (one->kind == SQ_SH_COPY) {
        assert(one->from == 1 || one->from == 2);
        sq_buf_printf(out, &err, "%d", one->from);
    } else {
        put_word(out, one->file);
    }
}

static void
put_command(struct sq_buf *out, const struct sq_sh_command *command) {
    assert(command->assignments || command->words || command->redirects);
    for (const struct sq_sh_assignment *one = command->assignments; one;
         one = one->next) {
        assert(one->name.len > 0);
        put(out, SQ_SPAN(" "));
        put(out, one->name);
        put(out, SQ_SPAN("="));
        put_word(out, one->value);
    }
    for (const struct sq_sh_word *one = command->words; one; one = one->next) {
        put(out, SQ_SPAN(" "));
        put_word(out, one);
    }
    for (const struct sq_sh_redirect *one = command->redirects; one;
         one = one->next) {
        put_redirect(out, one);
    }
}

static void
put_script(struct sq_buf *out, const struct sq_sh_step *first) {
    static const char *const signs[] = { ";", "&&", "||" };
    bool after_background = false;
    for (const struct sq_sh_step *step = first; step; step = step->next) {
        assert(step->first);
        assert(!after_background || step->when == SQ_SH_ALWAYS);
        if (step != first && !after_background) {
            put(out, sq_span_of(signs[step->when]));
        }
        put(out, step->negated ? SQ_SPAN("! ") : (struct sq_span){ 0 });
        for (const struct sq_sh_command *command = step->first; command;
             command = command->next) {
            put_command(out, command);
            put(out, command->next ? SQ_SPAN("|") : (struct sq_span){ 0 });
        }
        put(out, step->background ? SQ_SPAN("&") : (struct sq_span){ 0 });
        after_background = step->background;
    }
}

static struct sq_span
span_of(const struct sq_buf *buf) {
    return (struct sq_span){ (const char *)buf->data, buf->len };
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span text = { (const char *)data, size };
    struct sq_err err = { 0 };
    struct sq_arena arena;
    struct sq_sh_step *first = NULL;
    struct sq_buf once;
    struct sq_buf twice;
    sq_arena_init(&arena, MAX_MEMORY);
    sq_buf_init(&once, MAX_MEMORY);
    sq_buf_init(&twice, MAX_MEMORY);
    if (sq_sh_parse(text, &arena, &first, &err)) {
        put_script(&once, first);
        bool again = sq_sh_parse(span_of(&once), &arena, &first, &err);
        assert(again || once.len > size);
        if (again) {
            put_script(&twice, first);
            assert(sq_span_equal(span_of(&once), span_of(&twice)));
        }
    } else {
        assert(!first && err.code == SQ_ERR_FORMAT && err.message[0]);
    }
    sq_buf_finish(&twice);
    sq_buf_finish(&once);
    sq_arena_finish(&arena);
    return 0;
}
