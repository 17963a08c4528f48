/* Values parsed from text: every type, optional and plain, and the errors. */
#include "args/arg.h"

#include "support/test.h"

struct values {
    struct sq_opt_bool loud;
    struct sq_opt_int count;
    struct sq_opt_double ratio;
    struct sq_opt_text name;
    struct sq_opt_int colour;
    struct sq_opt_region region;
    bool plain_loud;
    int plain_count;
    double plain_ratio;
    const char *plain_name;
    int plain_colour;
    struct sq_strings plain_list;
};

static const char *const colours[] = { "red", "blue", NULL };

static const struct sq_arg table[] = {
    SQ_BOOL(values, loud, "loud", ""),
    SQ_INT(values, count, "count", 1, 9, ""),
    SQ_NUMBER(values, ratio, "ratio", 0, 1, ""),
    SQ_TEXT(values, name, "name", 4, ""),
    SQ_CHOICE(values, colour, "colour", colours, ""),
    SQ_OBJECT(values, region, "region", sq_opt_region, sq_region_args, ""),
    SQ_BOOL(values, plain_loud, "plainLoud", ""),
    SQ_INT(values, plain_count, "plainCount", 1, 9, ""),
    SQ_NUMBER(values, plain_ratio, "plainRatio", 0, 1, ""),
    { .name = "plainName",
      SQ_TEXT_FIELD(values, plain_name, 4),
      .is_printable = true,
      .text = "" },
    SQ_CHOICE(values, plain_colour, "plainColour", colours, ""),
    SQ_LIST(values, plain_list, "plainList", 5, ""),
    SQ_ARGS_END,
};

static struct values values;
static struct sq_arena arena;

static bool
parse(const char *name, const char *text, bool is_json) {
    const struct sq_arg_source source = { .name = name,
                                          .is_json = is_json,
                                          .arena = &arena };
    t_err = (struct sq_err){ 0 };
    values = (struct values){ 0 };
    return sq_arg_parse(sq_args_find(table, sq_span_of(name)), sq_span_of(text),
                        &source, &values, &t_err);
}

T_CASE(values_are_stored) {
    sq_arena_init(&arena, 1 << 16);
    T(parse("loud", "no", false) && values.loud.given && !values.loud.value);
    T(parse("count", "7", false) && values.count.given);
    T_INT(values.count.value, 7);
    T(parse("ratio", "0.5", false) && values.ratio.given
      && values.ratio.value == 0.5);
    T(parse("name", "", false) && values.name.given
      && values.name.value.len == 0);
    T(parse("colour", "blue", false) && values.colour.given);
    T_INT(values.colour.value, 1);
    T(parse("region", "0,1,2,3", false) && values.region.given);
    T_INT(values.region.height.value, 3);
    T(parse("plainLoud", "on", false) && values.plain_loud);
    T(parse("plainCount", "9", false));
    T_INT(values.plain_count, 9);
    T(parse("plainRatio", "1", false) && values.plain_ratio == 1);
    T(parse("plainName", "abcd", false));
    T_STR(values.plain_name, "abcd");
    T(parse("plainColour", "blue", false));
    T_INT(values.plain_colour, 1);
    T(parse("plainList", " a, ,bcd ,", false));
    T_INT(values.plain_list.count, 2);
    T_STR(values.plain_list.items[1], "bcd");
    sq_arena_finish(&arena);
}

/* A comma in braces belongs to an item: JSON, or a regular expression. */
T_CASE(lists_are_split_outside_braces) {
    static const char *const rows[][3] = {
        { "a{,},b", "a{,}", "b" },
        { "{{,}},", "{{,}}", NULL },
        { "{,a", "{", "a" },
        { "\\{,}", "\\{", "}" },
        { "{\"}\",", "{\"}\"", NULL },
        { "},{", "}", "{" },
        { "{\"}\"},", "{\"}\"}", NULL },
    };
    sq_arena_init(&arena, 1 << 16);
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        values.plain_list.count = 0;
        T(parse("plainList", rows[i][0], false));
        T_INT(values.plain_list.count, rows[i][2] ? 2 : 1);
        T_STR(values.plain_list.items[0], rows[i][1]);
        T(!rows[i][2] || strcmp(values.plain_list.items[1], rows[i][2]) == 0);
    }
    sq_arena_finish(&arena);
}

/* A model may write 5.0 or Blue; a person's yes is not JSON. */
T_CASE(json_and_command_line_spellings_differ) {
    static const struct {
        const char *name;
        const char *text;
        bool is_json;
    } accepted[] = {
        { "loud", " true", true },    { "loud", "yes", false },
        { "count", "5.0", true },     { "count", " 5 ", true },
        { "colour", " Blue ", true }, { "ratio", " 2e-1", true },
    };
    T_EACH(i, accepted) {
        const char *name = accepted[i].name;
        const char *text = accepted[i].text;
        bool is_json = accepted[i].is_json;
        T(parse(name, text, is_json) && !parse(name, text, !is_json));
    }
}

T_CASE(errors_name_the_value) {
    static const char *const rows[][3] = {
        { "loud", "loud", "loud must be true or false, not \"loud\"" },
        { "count", "10",
          "count must be a whole number from 1 to 9, not \"10\"" },
        { "count", "", "count must be a whole number from 1 to 9, not \"\"" },
        { "ratio", "1.5", "ratio must be a number from 0 to 1, not \"1.5\"" },
        { "ratio", "nan", "ratio must be a number from 0 to 1, not \"nan\"" },
        { "name", "abcde",
          "name must be text of at most 4 bytes, not \"abcde\"" },
        { "colour", "green", "colour must be one of red, blue, not \"green\"" },
        { "region", "1,2,3", "region must be x,y,width,height, not \"1,2,3\"" },
        { "region", "1,2,3,0",
          "region must be x,y,width,height, not \"1,2,3,0\"" },
        { "plainName", "", "plainName is empty" },
        { "plainName", "a\033", "plainName contains a control character" },
        { "plainName", "abcde", "plainName must be a text, not \"abcde\"" },
        { "plainList", "a,bcdefg",
          "plainList must be a list of texts, not \"bcdefg\"" },
    };
    sq_arena_init(&arena, 1 << 16);
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T(!parse(rows[i][0], rows[i][1], false));
        T_INT(t_err.code, SQ_ERR_ARGUMENT);
        T_STR(t_err.message, rows[i][2]);
        T(t_err.hint[0]);
        T(!sq_arg_is_given(sq_args_find(table, sq_span_of(rows[i][0])),
                           &values));
    }
    sq_arena_finish(&arena);
}

T_CASE(long_values_are_cut) {
    char quoted[SQ_ARG_QUOTED_SIZE];
    char text[100];
    memset(text, 'x', sizeof(text));
    sq_arg_quote((struct sq_span){ text, sizeof(text) }, quoted);
    T_INT(strlen(quoted), SQ_ARG_QUOTED_SIZE - 1);
    T_HAS(quoted, "x...\"");
    sq_arg_quote(SQ_SPAN("a\nb"), quoted);
    T_STR(quoted, "\"a?b\"");
}
