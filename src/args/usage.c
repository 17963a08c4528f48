/* Writes the lines of help text that describe options. */
#include "args/arg.h"

#define MAX_COLUMNS 80
#define TEXT_COLUMN 29
/* An upper limit beyond this is only for safety, and not worth telling. */
#define FAR_LIMIT 1e8

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

static const char *
text_of(const struct sq_arg *arg) {
    return arg->help ? arg->help : arg->text;
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

bool
sq_usage_range(const struct sq_arg *arg, struct sq_buf *out,
               struct sq_err *err) {
    if (arg->type != SQ_ARG_INT && arg->type != SQ_ARG_NUMBER) {
        return true;
    }
    char low[SQ_JSON_NUMBER_SIZE];
    char high[SQ_JSON_NUMBER_SIZE];
    sq_json_format_double(arg->min, low);
    sq_json_format_double(arg->max, high);
    return (arg->max < FAR_LIMIT
                ? sq_buf_printf(out, err, "%s to %s", low, high)
                : sq_buf_printf(out, err, "at least %s", low))
        && (!arg->word || sq_buf_printf(out, err, " or %s", arg->word));
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
    return ok && sq_usage_range(arg, out, err);
}

/* Returns whether the description says what happens without the option. */
static bool
explains_none(const char *text) {
    return text
        && (strstr(text, "none: ") || strstr(text, "unset: ")
            || strstr(text, "default: "));
}

/* Returns the default as a person reads it; NULL: nothing to tell. */
static const char *
initial_of(const struct sq_usage *usage) {
    const char *initial = usage->initial;
    const struct sq_arg *arg = usage->arg;
    if (arg->type == SQ_ARG_BOOL && !usage->choice_at) {
        return !initial ? NULL : sq_usage_is_on(arg, initial) ? "yes" : "no";
    }
    bool is_told = arg->required || explains_none(text_of(arg));
    return initial && initial[0] ? initial : is_told ? NULL : "none";
}

bool
sq_usage_describe(const struct sq_usage *usage, struct sq_buf *out,
                  struct sq_err *err) {
    const struct sq_arg *arg = usage->arg;
    const char *text = text_of(arg);
    const char *initial = initial_of(usage);
    const char *last = initial ? "default " : arg->required ? "required" : "";
    struct sq_buf values;
    sq_buf_init(&values, SQ_ARG_EXPECTED_SIZE);
    bool ok = put_values(usage, &values, err)
           && sq_buf_printf(out, err, "%s", text ? text : "");
    if (ok && (values.len > 0 || last[0])) {
        ok = sq_buf_printf(out, err, " (%.*s%s%s%s)",
                           SQ_SPAN_ARGS(sq_buf_span(&values)),
                           values.len > 0 && last[0] ? "; " : "", last,
                           initial ? initial : "");
    }
    sq_buf_finish(&values);
    return ok;
}
