/* Looks up arguments, and describes the values that they accept. */
#include "args/arg.h"

#include <stdio.h>

#include "util/utf8.h"

#define REGION_MEMBER(field, low)                                              \
    {                                                                          \
        .name = #field, SQ_INT_FIELD(sq_opt_region, field, low, SQ_MAX_SIDE),  \
        .required = true, .text = ""                                           \
    }

const struct sq_arg sq_region_args[] = {
    REGION_MEMBER(x, 0),      REGION_MEMBER(y, 0), REGION_MEMBER(width, 1),
    REGION_MEMBER(height, 1), SQ_ARGS_END,
};

size_t
sq_args_count(const struct sq_arg *table) {
    size_t count = 0;
    while (table && table[count].name) {
        count++;
    }
    return count;
}

const struct sq_arg *
sq_args_find(const struct sq_arg *table, struct sq_span name) {
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        if (sq_span_is(name, arg->name)
            || (arg->alias && sq_span_is(name, arg->alias))) {
            return arg;
        }
    }
    return NULL;
}

const char *
sq_arg_choice_at(const struct sq_arg *arg, size_t index) {
    if (arg->choice_at) {
        return arg->choice_at(index);
    }
    for (size_t i = 0; arg->choices && arg->choices[i]; i++) {
        if (i == index) {
            return arg->choices[i];
        }
    }
    return NULL;
}

bool
sq_arg_is_given(const struct sq_arg *arg, const void *args) {
    const void *field = (const char *)args + arg->offset;
    return !arg->is_plain && *(const bool *)field;
}

/* A text that is written word by word and cut if it is too long. */
struct words {
    char *out;
    size_t size;
    size_t used;
};

static void
add_word(struct words *words, const char *before, const char *word) {
    if (words->used < words->size) {
        int len = snprintf(words->out + words->used, words->size - words->used,
                           "%s%s", before, word);
        words->used += (size_t)len;
    }
}

static void
add_choices(struct words *words, const struct sq_arg *arg) {
    const char *choice;
    add_word(words, "", "one of");
    for (size_t i = 0; (choice = sq_arg_choice_at(arg, i)); i++) {
        add_word(words, i ? ", " : " ", choice);
    }
}

static void
add_members(struct words *words, const struct sq_arg *arg) {
    const char *before = " ";
    add_word(words, "", "an object with");
    for (const struct sq_arg *member = arg->members; member && member->name;
         member++) {
        if (member->text) {
            add_word(words, before, member->name);
            before = ", ";
        }
    }
}

static void
add_range(struct words *words, const struct sq_arg *arg) {
    char low[SQ_JSON_NUMBER_SIZE];
    char high[SQ_JSON_NUMBER_SIZE];
    sq_json_format_double(arg->min, low);
    sq_json_format_double(arg->max, high);
    add_word(words, "",
             arg->type == SQ_ARG_INT ? "a whole number" : "a number");
    add_word(words, " from ", low);
    add_word(words, " to ", high);
    if (arg->word) {
        add_word(words, " or ", arg->word);
    }
}

static void
add_limit(struct words *words, const struct sq_arg *arg) {
    if (arg->type == SQ_ARG_LIST && arg->is_plain) {
        add_word(words, "", "a list of texts");
    } else if (arg->type == SQ_ARG_LIST) {
        char most[32];
        int items = arg->max > 0 ? (int)arg->max : SQ_MAX_LIST_ITEMS;
        snprintf(most, sizeof(most), "%d %s", items,
                 arg->takes_objects ? "objects, in JSON" : "texts");
        add_word(words, "a list of at most ", most);
    } else if (arg->is_plain || !arg->max_bytes) {
        add_word(words, "", "a text");
    } else {
        char most[32];
        snprintf(most, sizeof(most), "%zu bytes", arg->max_bytes);
        add_word(words, "text of at most ", most);
    }
}

void
sq_arg_expected(const struct sq_arg *arg, char out[SQ_ARG_EXPECTED_SIZE]) {
    struct words words = { out, SQ_ARG_EXPECTED_SIZE, 0 };
    out[0] = '\0';
    switch (arg->type) {
    case SQ_ARG_BOOL:
        add_word(&words, "", "true or false");
        break;
    case SQ_ARG_INT:
    case SQ_ARG_NUMBER:
        add_range(&words, arg);
        break;
    case SQ_ARG_CHOICE:
        add_choices(&words, arg);
        break;
    case SQ_ARG_OBJECT:
        add_members(&words, arg);
        break;
    case SQ_ARG_TEXT:
    case SQ_ARG_LIST:
        add_limit(&words, arg);
        break;
    }
}

void
sq_arg_quote(struct sq_span text, char out[SQ_ARG_QUOTED_SIZE]) {
    sq_plain_quote(text, out, SQ_ARG_QUOTED_SIZE);
}

bool
sq_arg_fail(const struct sq_arg *arg, const char *name, const char *actual,
            struct sq_err *err) {
    char expected[SQ_ARG_EXPECTED_SIZE];
    sq_arg_expected(arg, expected);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s must be %s, not %s", name, expected,
            actual);
    return arg->required
             ? sq_fail_hint(err, "Give %s.", expected)
             : sq_fail_hint(err, "Give %s, or leave %s out.", expected, name);
}
