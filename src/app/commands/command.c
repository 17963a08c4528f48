/* Parses the command lines of commands, and reads the pictures they name. */
#include "app/commands/command.h"

#include <ctype.h>
#include <stdio.h>

#include "image/pipeline/codec.h"
#include "image/png/png.h"
#include "sys/file.h"

static bool
add_word(struct sq_words *words, const char *word, struct sq_err *err) {
    if (words->count == SQ_MAX_WORDS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "\"%s\" is one word too many",
                       word);
    }
    words->word[words->count++] = word;
    return true;
}

/* Reads the option at the start of argv, whose value may be the next word. */
static bool
take_option(const struct sq_accepted *accepted, int argc, char *const *argv,
            int *used, void *args, struct sq_err *err) {
    struct sq_flag flag = { 0 };
    char name[SQ_FLAG_FULL_SIZE];
    if (!sq_flag_read(accepted, argv[0], &flag, err)) {
        return false;
    }
    if (flag.is_negated || flag.group) {
        return sq_flag_fail_unknown(accepted, argv[0], err);
    }
    sq_flag_full_name(NULL, flag.arg, name);
    *used = 1;
    if (flag.arg->type == SQ_ARG_BOOL && flag.value) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s takes no value", name);
        return sq_fail_hint(err, "Write only %s.", name);
    }
    if (flag.arg->type != SQ_ARG_BOOL && !flag.value) {
        if (argc < 2) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "%s needs a value: %s", name,
                           sq_arg_placeholder(flag.arg));
        }
        flag.value = argv[1];
        *used = 2;
    }
    const struct sq_arg_source source = { .name = name };
    return sq_arg_parse(flag.arg, sq_span_of(sq_flag_text(&flag)), &source,
                        args, err);
}

/* Returns whether a word is not an option: "IN", "-" or the number "-12". */
static bool
is_word(const char *word) {
    return word[0] != '-' || !word[1] || isdigit((unsigned char)word[1]);
}

bool
sq_options_parse(const struct sq_accepted *accepted, int argc,
                 char *const *argv, void *args, struct sq_words *words,
                 struct sq_err *err) {
    bool only_words = false;
    bool ok = true;
    for (int i = 0; ok && i < argc;) {
        int used = 1;
        if (only_words || is_word(argv[i])) {
            ok = add_word(words, argv[i], err);
        } else if (strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else {
            ok = take_option(accepted, argc - i, argv + i, &used, args, err);
        }
        i += used;
    }
    return ok;
}

static bool
hint_usage(const struct sq_command *command, struct sq_err *err) {
    return sq_fail_hint(err, "Usage: squint %s%s%s", command->name,
                        command->usage[0] ? " " : "", command->usage);
}

bool
sq_command_fail_word(const struct sq_command *command, const char *word,
                     struct sq_err *err) {
    char quoted[SQ_ARG_QUOTED_SIZE];
    sq_arg_quote(sq_span_of(word), quoted);
    if (command->max_words == 0 && command->options) {
        sq_fail(err, SQ_ERR_ARGUMENT, "takes options only, not the word %s",
                quoted);
    } else {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is one word too many", quoted);
    }
    return hint_usage(command, err);
}

bool
sq_command_fail_choice(const char *what, const char *word,
                       const char *(*word_at)(size_t index),
                       struct sq_err *err) {
    char all[SQ_ERR_HINT_SIZE - 32] = "";
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest nearest;
    sq_nearest_begin(&nearest, sq_span_of(word));
    for (size_t i = 0; word_at(i); i++) {
        size_t used = strlen(all);
        sq_nearest_try(&nearest, word_at(i));
        snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "",
                 word_at(i));
    }
    sq_nearest_remark(&nearest, remark);
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no %s \"%s\"%s", what, word,
            remark);
    return sq_fail_hint(err, "Choose from: %s.", all);
}

static bool
check_words(const struct sq_command *command, const struct sq_words *words,
            struct sq_err *err) {
    if (words->count > command->max_words) {
        return sq_command_fail_word(command, words->word[command->max_words],
                                    err);
    }
    if (words->count >= command->min_words) {
        return true;
    }
    /* Returns the name of a word in a usage such as "IN -o OUT [options]". */
    const char *usage = command->usage;
    int index = words->count;
    struct sq_span rest = sq_span_of(usage);
    struct sq_span name = { 0 };
    bool is_value = false; /* of the option before it */
    while (rest.len > 0 && index >= 0) {
        if (!sq_span_take_until(&rest, ' ', &name)) {
            name = rest;
            rest.len = 0;
        }
        bool is_option = name.len > 0 && name.ptr[0] == '-';
        index -= !is_option && !is_value;
        is_value = is_option;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "%s%.*s is missing",
            sq_span_contains(name, '|') ? "one of " : "", SQ_SPAN_ARGS(name));
    return hint_usage(command, err);
}

bool
sq_command_parse(const struct sq_command *command, int argc, char *const *argv,
                 void *args, struct sq_words *words, struct sq_err *err) {
    const struct sq_accepted accepted = sq_command_accepted(command);
    return sq_options_parse(&accepted, argc, argv, args, words, err)
        && check_words(command, words, err);
}

#define MAX_ANSWER_BYTES ((size_t)16 << 20)

bool
sq_command_answer(struct sq_json_writer *w, bool json, const char *template,
                  struct sq_page *page, struct sq_err *err) {
    const struct sq_json *values;
    SQ_ARENA(arena, MAX_ANSWER_BYTES);
    if (!sq_json_writer_done(w, err)) {
        return false;
    }
    return json ? sq_buf_append(page->out, w->out->data, w->out->len, err)
                      && sq_buf_append(page->out, "\n", 1, err)
                : sq_json_parse(sq_buf_span(w->out), &arena, &values, err)
                      && sq_page_fill(page, sq_span_of(template), values, err);
}

bool
sq_command_end_answer(struct sq_json_writer *w, bool json, const char *template,
                      struct sq_page *page, struct sq_err *err) {
    sq_json_end_object(w);
    return sq_command_answer(w, json, template, page, err);
}

bool
sq_command_read(const char *path, struct sq_buf *out, struct sq_err *err) {
    if (sq_file_read(path, SQ_MAX_IMAGE_BYTES, out, err)) {
        return true;
    }
    /* A folder, too, is a file that cannot be read: status 1. */
    if (err && err->code == SQ_ERR_ARGUMENT) {
        err->code = SQ_ERR_IO;
    }
    return false;
}

bool
sq_command_fail_in(const char *path, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(path, false, name);
    return sq_fail_in(err, "%s", name);
}

bool
sq_command_read_image(const char *path, struct sq_image *out, bool *has_alpha,
                      struct sq_err *err) {
    SQ_BUF(bytes, SQ_MAX_IMAGE_BYTES);
    bool ok =
        sq_command_read(path, &bytes, err)
        && (sq_image_decode(bytes.data, bytes.len, &sq_limits_default, out, err)
            || sq_command_fail_in(path, err));
    if (has_alpha) {
        *has_alpha = ok && sq_png_has_alpha(bytes.data, bytes.len);
    }
    return ok;
}
