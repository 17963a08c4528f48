/*
 * completion: prints a script for a shell, which asks the program itself for
 * the words that can follow.
 */
#include <stdio.h>

#include "app/docs/docs.h"

/*
 * Their scripts are in texts.txt. Each calls "squint completion words -- WORD
 * ...", the words after the program up to the one under the cursor. It prints
 * lines "word<tab>description", and "FILES" where a file can be named.
 */
static const char *const shells[] = { "bash", "fish", "zsh" };

static const char *
shell_at(size_t index) {
    return index < SQ_COUNT(shells) ? shells[index] : NULL;
}

/* The word under the cursor, and the flag whose value it may be. */
struct request {
    const char *word;
    struct sq_span flag;   /* empty: none */
    struct sq_span prefix; /* of the answers: "--format=" */
    bool has_value;        /* the flag takes a value */
    struct sq_buf *out;
};

static bool
put_word(const struct request *request, const char *before, const char *word,
         const char *text, struct sq_err *err) {
    return sq_buf_printf(request->out, err, "%.*s%s%s%s%s\n",
                         SQ_SPAN_ARGS(request->prefix), before, word,
                         text ? "\t" : "", text ? text : "");
}

/* Writes the values of the flag before the cursor. */
static bool
put_values(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    struct request *request = context;
    const char letter[] = { '-', flag->letter, '\0' };
    struct sq_span name = request->flag;
    const char *value;
    if (!flag->value || request->has_value
        || !(sq_span_is(name, letter)
             || (sq_span_take_prefix(&name, "--")
                 && sq_span_is(name, flag->name)))) {
        return true;
    }
    request->has_value = true;
    bool ok = !flag->is_path || sq_buf_printf(request->out, err, "FILES\n");
    for (size_t i = 0; ok && (value = sq_verb_choice_at(flag, i)); i++) {
        ok = put_word(request, "", value, NULL, err);
    }
    return ok;
}

static bool
put_flag(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    const char letter[] = { flag->letter, '\0' };
    return put_word(context, "--", flag->name, flag->text, err)
        && (!flag->letter || put_word(context, "-", letter, flag->text, err))
        && (!flag->has_no
            || put_word(context, "--no-", flag->name, flag->text, err));
}

static bool
visit(const struct sq_verb *verb, sq_verb_visit *put, struct request *request,
      struct sq_err *err) {
    return sq_verb_flags(verb, put, request, err)
        && sq_verb_config_flags(verb, put, request, err);
}

/* Writes what can follow a verb. Words are offered at the first place only. */
static bool
complete_verb(const struct sq_verb *verb, bool is_first,
              struct request *request, struct sq_err *err) {
    const char *word;
    if (request->flag.len > 0 && !visit(verb, put_values, request, err)) {
        return false;
    }
    if (request->has_value || request->prefix.len > 0) {
        return true;
    }
    if (request->word[0] == '-') {
        return visit(verb, put_flag, request, err);
    }
    if (!is_first || !sq_verb_word_at(verb, 0)) {
        return visit(verb, put_flag, request, err)
            && sq_buf_printf(request->out, err, "FILES\n");
    }
    bool ok = true;
    for (size_t i = 0; ok && (word = sq_verb_word_at(verb, i)); i++) {
        ok = put_word(request, "", word, NULL, err);
    }
    return ok;
}

/* Finds the flag before the cursor; bash makes "=" a word of its own. */
static struct request
read_request(int argc, char **argv, struct sq_buf *out) {
    struct request request = { .word = argv[argc - 1], .out = out };
    int last = argc - 1;
    if (last > 0 && strcmp(request.word, "=") == 0) {
        request.word = "";
    } else if (last > 1 && strcmp(argv[last - 1], "=") == 0) {
        last--;
    }
    const char *equals = strchr(request.word, '=');
    if (request.word[0] == '-' && equals) {
        size_t len = (size_t)(equals - request.word);
        request.flag = (struct sq_span){ request.word, len };
        request.prefix = (struct sq_span){ request.word, len + 1 };
    } else if (last > 1 && argv[last - 1][0] == '-') {
        request.flag = sq_span_of(argv[last - 1]);
    }
    return request;
}

static bool
complete(int argc, char **argv, struct sq_buf *out, struct sq_err *err) {
    struct request request = read_request(argc, argv, out);
    struct sq_verb verb;
    bool ok = true;
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        if (argc == 1) {
            ok = put_word(&request, "", verb.name, verb.text, err);
        } else if (strcmp(verb.name, argv[0]) == 0) {
            ok = complete_verb(&verb, argc == 2, &request, err);
        }
    }
    return ok && (argc > 1 || sq_buf_printf(out, err, "--help\n--version\n"));
}

static bool
completion_run(int argc, char **argv, struct sq_buf *out,
               enum sq_status *status, struct sq_err *err) {
    struct sq_words words = { 0 };
    (void)status;
    if (argc > 2 && strcmp(argv[0], "words") == 0
        && strcmp(argv[1], "--") == 0) {
        return complete(argc - 2, argv + 2, out, err);
    }
    if (!sq_command_parse(&sq_command_completion, argc, argv, NULL, &words,
                          err)) {
        return false;
    }
    char section[64];
    snprintf(section, sizeof(section), "completion %.40s", words.word[0]);
    if (sq_docs_append(section, out, err) || err->code != SQ_ERR_NONE) {
        return err->code == SQ_ERR_NONE;
    }
    return sq_command_fail_choice("shell", words.word[0], shell_at, err);
}

const struct sq_command sq_command_completion = {
    .name = "completion",
    .usage = "bash|fish|zsh",
    .summary = "print the script that lets a shell complete words",
    .min_words = 1,
    .max_words = 1,
    .is_verbatim = true,
    .word_at = shell_at,
    .run_words = completion_run,
};
