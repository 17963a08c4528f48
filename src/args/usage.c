/* Writes the lines of help text that describe options. */
#include "args/usage.h"

#include <string.h>

#include "json/number.h"

#define MAX_COLUMNS 80
#define TEXT_COLUMN 29
/* A limit beyond this is not worth telling: no screen has such numbers. */
#define FAR_LIMIT 99999

const char *
sq_arg_placeholder(const struct sq_arg *arg) {
    static const char *const by_type[] = {
        [SQ_ARG_BOOL] = NULL,     [SQ_ARG_INT] = "N",
        [SQ_ARG_NUMBER] = "N",    [SQ_ARG_TEXT] = "TEXT",
        [SQ_ARG_CHOICE] = "WORD", [SQ_ARG_OBJECT] = "TEXT",
        [SQ_ARG_LIST] = "A,B",
    };
    return arg->placeholder ? arg->placeholder : by_type[arg->type];
}

/* Takes the next word and the spaces after it. */
static struct sq_span
take_word(const char **text) {
    struct sq_span word = { *text, strcspn(*text, " ") };
    *text += word.len;
    *text += strspn(*text, " ");
    return word;
}

bool
sq_usage_put(const char *option, const char *text, struct sq_buf *out,
             struct sq_err *err) {
    size_t column = strlen(option) + 2;
    bool ok = sq_buf_printf(out, err, "  %s", option);
    bool is_first = true; /* the first word of a line */
    if (text[0] && column + 1 > TEXT_COLUMN) {
        ok = ok && sq_buf_printf(out, err, "\n");
        column = 0;
    }
    if (text[0]) {
        ok = ok
          && sq_buf_printf(out, err, "%*s", (int)(TEXT_COLUMN - column), "");
        column = TEXT_COLUMN;
    }
    while (ok && *text) {
        struct sq_span word = take_word(&text);
        if (!is_first && column + 1 + word.len > MAX_COLUMNS) {
            ok = sq_buf_printf(out, err, "\n%*s", TEXT_COLUMN, "");
            column = TEXT_COLUMN;
            is_first = true;
        }
        ok = ok
          && sq_buf_printf(out, err, "%s%.*s", is_first ? "" : " ",
                           SQ_SPAN_ARGS(word));
        column += word.len + !is_first;
        is_first = false;
    }
    return ok && sq_buf_printf(out, err, "\n");
}

bool
sq_usage_is_on(const struct sq_arg *arg, const char *initial) {
    return arg->type == SQ_ARG_BOOL && initial && strcmp(initial, "true") == 0;
}

static const char *
choice_of(const struct sq_usage *usage, size_t index) {
    return usage->choice_at ? usage->choice_at(usage->context, index)
                            : sq_arg_choice_at(usage->arg, index);
}

/* Appends "jpeg, webp or png", or "1 to 100"; nothing for other values. */
static bool
put_values(const struct sq_usage *usage, struct sq_buf *out,
           struct sq_err *err) {
    const struct sq_arg *arg = usage->arg;
    const char *word;
    bool ok = true;
    for (size_t i = 0; ok && (word = choice_of(usage, i)); i++) {
        const char *before = i == 0                  ? ""
                           : choice_of(usage, i + 1) ? ", "
                                                     : " or ";
        ok = sq_buf_printf(out, err, "%s%s", before, word);
    }
    bool is_number = arg->type == SQ_ARG_INT || arg->type == SQ_ARG_NUMBER;
    if (is_number && arg->min > -FAR_LIMIT && arg->max < FAR_LIMIT) {
        char low[SQ_JSON_NUMBER_SIZE];
        char high[SQ_JSON_NUMBER_SIZE];
        sq_json_format_double(arg->min, low);
        sq_json_format_double(arg->max, high);
        ok = sq_buf_printf(out, err, "%s to %s", low, high);
    }
    return ok;
}

/* Returns the default as a person reads it; NULL: nothing to tell. */
static const char *
initial_of(const struct sq_usage *usage) {
    const char *initial = usage->initial;
    if (!initial || usage->arg->type != SQ_ARG_BOOL || usage->choice_at) {
        return initial && initial[0] ? initial : NULL;
    }
    return sq_usage_is_on(usage->arg, initial) ? "yes" : "no";
}

bool
sq_usage_describe(const struct sq_usage *usage, struct sq_buf *out,
                  struct sq_err *err) {
    const struct sq_arg *arg = usage->arg;
    const char *text = arg->help ? arg->help : arg->text;
    const char *initial = initial_of(usage);
    struct sq_buf values;
    sq_buf_init(&values, SQ_ARG_EXPECTED_SIZE);
    bool ok = put_values(usage, &values, err)
           && sq_buf_printf(out, err, "%s", text ? text : "");
    if (ok && (values.len > 0 || initial)) {
        ok = sq_buf_printf(out, err, " (%.*s%s%s%s)",
                           SQ_SPAN_ARGS(sq_buf_span(&values)),
                           values.len > 0 && initial ? "; " : "",
                           initial ? "default " : "", initial ? initial : "");
    }
    sq_buf_finish(&values);
    return ok;
}
