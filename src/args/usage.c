/* Writes the lines of help text that describe options. */
#include "args/usage.h"

#include <string.h>

#define MAX_COLUMNS 80
#define TEXT_COLUMN 29
#define WRAPPED_INDENT 6

const char *
sq_arg_placeholder(const struct sq_arg *arg) {
    static const char *const by_type[] = {
        [SQ_ARG_BOOL] = NULL,     [SQ_ARG_INT] = "N",
        [SQ_ARG_NUMBER] = "N",    [SQ_ARG_TEXT] = "TEXT",
        [SQ_ARG_CHOICE] = "TEXT", [SQ_ARG_OBJECT] = "TEXT",
        [SQ_ARG_LIST] = "A,B",
    };
    return arg->placeholder ? arg->placeholder : by_type[arg->type];
}

bool
sq_usage_put(const char *option, const char *text, struct sq_buf *out,
             struct sq_err *err) {
    if (!text[0]) {
        return sq_buf_printf(out, err, "  %s\n", option);
    }
    int indent = (int)strspn(option, " ") + WRAPPED_INDENT;
    bool fits = strlen(option) + 3 <= TEXT_COLUMN
             && TEXT_COLUMN + strlen(text) <= MAX_COLUMNS;
    return fits ? sq_buf_printf(out, err, "  %-*s%s\n", TEXT_COLUMN - 2, option,
                                text)
                : sq_buf_printf(out, err, "  %s\n%*s%s\n", option, indent, "",
                                text);
}
