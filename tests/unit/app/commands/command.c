#include "app/commands/command.h"

#include "support/test.h"

#define MAX_ARGC 10

struct args {
    bool loud;
    bool quiet;
    int count;
    int choice;
    const char *output;
    struct sq_opt_region region;
};

static const char *const colours[] = { "red", "green", "blue", NULL };

static const struct sq_arg table[] = {
    SQ_BOOL(args, loud, "loud", "say more"),
    SQ_BOOL(args, quiet, "quiet", "say less"),
    SQ_INT(args, count, "count", -3, 100, "how many"),
    { .name = "colour",
      SQ_CHOICE_FIELD(args, choice),
      .choices = colours,
      .placeholder = "COLOUR",
      .text = "which one" },
    { .name = "output",
      .letter = 'o',
      SQ_TEXT_FIELD(args, output, 0),
      .placeholder = "OUT",
      .text = "where to" },
    { .name = "region",
      SQ_OBJECT_FIELD(args, region, sq_opt_region, sq_region_args),
      .placeholder = "X,Y,W,H",
      .text = "only this part" },
    SQ_ARGS_END,
};

/* A command line, split at spaces; _ means an empty argument. */
struct line {
    char text[200];
    char *argv[MAX_ARGC];
    int argc;
    struct args args;
    struct sq_words words;
    struct sq_err err;
};

static bool
parse(struct line *line, const char *text) {
    *line = (struct line){ 0 };
    snprintf(line->text, sizeof(line->text), "%s", text);
    char *at = line->text;
    while (*at && line->argc < MAX_ARGC) {
        char *end = strchr(at, ' ');
        line->argv[line->argc++] = at;
        at = end ? end + 1 : at + strlen(at);
        if (end) {
            *end = '\0';
        }
    }
    for (int i = 0; i < line->argc; i++) {
        if (strcmp(line->argv[i], "_") == 0) {
            line->argv[i][0] = '\0';
        }
    }
    const struct sq_accepted accepted = { .table = table, .uses = SQ_USE_ALL };
    return sq_options_parse(&accepted, line->argc, line->argv, &line->args,
                            &line->words, &line->err);
}

T_CASE(empty_command_line_is_valid) {
    struct line line;
    T_OK(parse(&line, ""), &line.err);
    T_INT(line.words.count, 0);
    T(!line.args.loud && !line.args.output && !line.args.region.given);
}

T_CASE(values_follow_or_are_joined_by_equals_sign) {
    static const char *const lines[] = {
        "--count 7 --output file",
        "--count=7 --output=file",
        "--count 7 -o file",
        "-ofile --count=7",
        "--count 99 --count 7 -o x -o file",
    };
    for (size_t i = 0; i < SQ_COUNT(lines); i++) {
        struct line line;
        T_OK(parse(&line, lines[i]), &line.err);
        T_INT(line.args.count, 7);
        T_STR(line.args.output, "file");
        T_INT(line.words.count, 0);
    }
}

T_CASE(numbers_are_checked) {
    static const struct {
        const char *text;
        bool ok;
        int count;
    } rows[] = {
        { "--count 0", true, 0 },
        { "--count -3", true, -3 },
        { "--count=-3", true, -3 },
        { "--count 100", true, 100 },
        { "--count 101", false, 0 },
        { "--count -4", false, 0 },
        { "--count _", false, 0 },
        { "--count=", false, 0 },
        { "--count 7x", false, 0 },
        { "--count x", false, 0 },
        { "--count +7", false, 0 },
        { "--count 7.0", false, 0 },
        { "--count 0x7", false, 0 },
        { "--count 4294967303", false, 0 },
        { "--count 99999999999999999999", false, 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct line line;
        if (!T_INT(parse(&line, rows[i].text), rows[i].ok)) {
            printf("# %s\n", rows[i].text);
        }
        T_INT(line.args.count, rows[i].count);
        T_INT(line.err.code, rows[i].ok ? SQ_ERR_NONE : SQ_ERR_ARGUMENT);
    }
    struct line line;
    parse(&line, "--count 101");
    T_STR(line.err.message,
          "--count must be a whole number from -3 to 100, not \"101\"");
}

T_CASE(choices_are_checked) {
    struct line line;
    T_OK(parse(&line, "--colour red"), &line.err);
    T_INT(line.args.choice, 0);
    T_OK(parse(&line, "--colour=blue"), &line.err);
    T_INT(line.args.choice, 2);
    T(!parse(&line, "--colour blu"));
    T_STR(line.err.message,
          "--colour must be one of red, green, blue, not \"blu\"; did you mean "
          "blue?");
    T(!parse(&line, "--colour mauve"));
    T_STR(line.err.message,
          "--colour must be one of red, green, blue, not \"mauve\"");
    T_STR(line.err.hint,
          "Give one of red, green, blue, or leave --colour out.");
    T(!parse(&line, "--colour Blue"));
    T(!parse(&line, "--colour="));
}

T_CASE(flags_take_no_value) {
    struct line line;
    T_OK(parse(&line, "--loud word"), &line.err);
    T(line.args.loud && !line.args.quiet);
    T_INT(line.words.count, 1);
    T(!parse(&line, "--loud=yes"));
    T_STR(line.err.message, "--loud takes no value");
    T(!parse(&line, "--loud="));
}

T_CASE(regions_are_checked) {
    static const char *const wrong[] = {
        "",         "1,2,3",       "1,2,3,4,5",
        "1,2,3,4,", ",1,2,3,4",    "1;2;3;4",
        "-1,2,3,4", "1,-2,3,4",    "1,2,0,4",
        "1,2,3,0",  "a,b,c,d",     "1,2,3,4x",
        "1,,3,4",   "1,2,3,16385", "1,2,99999999999999999999,4",
    };
    struct line line;
    T_OK(parse(&line, "--region 0,120,400,300"), &line.err);
    T(line.args.region.given);
    T_INT(line.args.region.x.value, 0);
    T_INT(line.args.region.y.value, 120);
    T_INT(line.args.region.width.value, 400);
    T_INT(line.args.region.height.value, 300);
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        char text[100];
        snprintf(text, sizeof(text), "--region=%s", wrong[i]);
        if (!T(!parse(&line, text))) {
            printf("# %s\n", text);
        }
        T(!line.args.region.given);
        T_INT(line.err.code, SQ_ERR_ARGUMENT);
        T(strstr(line.err.hint, "x,y,width,height") != NULL);
    }
}

T_CASE(unknown_options_are_named) {
    static const struct {
        const char *word;
        const char *meant; /* NULL: none is similar */
    } wrong[] = {
        { "--lou", "--loud" },
        { "--loudly", "--loud" },
        { "--Loud", "--loud" },
        { "--colr=red", "--colour" },
        { "--out", "--output" },
        { "--qiuet", "--quiet" },
        { "-x", NULL },
        { "-loud", "--loud" },
        { "--=5", NULL },
        { "---", NULL },
        { "--l", NULL },
        { "--nothing-like-it", NULL },
        { "--region.x", "--region" },
        { "--no-loud", "--loud" },
        { "--file", "--output" },
        { "--port", NULL }, /* there is no --listen here */
    };
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        struct line line;
        char want[100];
        snprintf(want, sizeof(want), "unknown option \"%s\"", wrong[i].word);
        T(!parse(&line, wrong[i].word));
        T_STR(line.err.message, want);
        snprintf(want, sizeof(want),
                 "Did you mean %s? --help lists the options.", wrong[i].meant);
        T_STR(line.err.hint,
              wrong[i].meant ? want : "--help lists the options.");
    }
}

T_CASE(missing_value_is_refused) {
    struct line line;
    T(!parse(&line, "word --count"));
    T_STR(line.err.message, "--count needs a value: N");
    T(!parse(&line, "-o"));
    T_STR(line.err.message, "--output needs a value: OUT");
    T(!parse(&line, "-o _"));
    T_STR(line.err.message, "--output is empty");
    T(!parse(&line, "--output="));
    T_STR(line.err.message, "--output is empty");
}

T_CASE(arguments_are_collected_in_order) {
    struct line line;
    T_OK(parse(&line, "one --loud two -o file three"), &line.err);
    T_INT(line.words.count, 3);
    T_STR(line.words.word[0], "one");
    T_STR(line.words.word[1], "two");
    T_STR(line.words.word[2], "three");
    static char word[] = "5";
    char *argv[SQ_MAX_WORDS + 1];
    const struct sq_accepted accepted = { .table = table };
    for (int i = 0; i <= SQ_MAX_WORDS; i++) {
        argv[i] = word;
    }
    line.words.count = 0;
    T_OK(sq_options_parse(&accepted, SQ_MAX_WORDS, argv, &line.args,
                          &line.words, &t_err));
    line.words.count = 0;
    T_FAILS(sq_options_parse(&accepted, SQ_MAX_WORDS + 1, argv, &line.args,
                             &line.words, &t_err),
            SQ_ERR_ARGUMENT);
    T_STR(t_err.message, "\"5\" is one word too many");
}

T_CASE(single_dash_is_an_argument) {
    struct line line;
    T_OK(parse(&line, "- -o - _"), &line.err);
    T_INT(line.words.count, 2);
    T_STR(line.words.word[0], "-");
    T_STR(line.words.word[1], "");
    T_STR(line.args.output, "-");
}

T_CASE(two_dashes_end_the_options) {
    struct line line;
    T_OK(parse(&line, "--loud -- --quiet -- -o"), &line.err);
    T(line.args.loud && !line.args.quiet);
    T_INT(line.words.count, 3);
    T_STR(line.words.word[0], "--quiet");
    T_STR(line.words.word[1], "--");
    T_STR(line.words.word[2], "-o");
    T_OK(parse(&line, "-o -- --loud"), &line.err);
    T_STR(line.args.output, "--");
    T(line.args.loud);
}

static bool
build_help(void *context, struct sq_err *err) {
    struct sq_buf *out = context;
    sq_buf_finish(out);
    sq_buf_init(out, 10000);
    return sq_flags_help(table, out, err);
}

T_CASE(help_lists_the_table) {
    static const char want[] =
        "      --loud                 say more\n"
        "      --quiet                say less\n"
        "      --count N              how many (-3 to "
        "100; default none)\n"
        "      --colour COLOUR        which one (red, "
        "green or blue; default none)\n"
        "  -o, --output OUT           where to (default none)\n"
        "      --region X,Y,W,H       only this part "
        "(default none)\n";
    T_FREED(sq_buf_finish) struct sq_buf out = { 0 };
    T(t_alloc_torture(build_help, &out) > 0);
    T_BYTES(out.data, out.len, want, sizeof(want) - 1);
}
