/* Arguments by position, --region, and what is told about mistakes. */

#include "app/commands/operation.h"
#include "support/test.h"
#include "tools/table.h"

#define MAX_WORDS 16

/* A command line and the arguments that it means. */
struct line {
    struct sq_operation_args args;
    struct sq_arena arena;
    struct sq_flags flags;
    struct sq_buf json;
    struct sq_err err;
    bool ok;
};

/* Parses "verb word word": words are separated by spaces, _ is a space. */
static void
parse(struct line *line, const char *text) {
    static char copy[400];
    char *argv[MAX_WORDS];
    int argc = 0;
    *line = (struct line){ 0 };
    snprintf(copy, sizeof(copy), "%s", text);
    for (char *at = copy; *at && argc < MAX_WORDS;) {
        argv[argc++] = at;
        for (; *at && *at != ' '; at++) {
            *at = *at == '_' ? ' ' : *at;
        }
        if (*at) {
            *at++ = '\0';
        }
    }
    const struct sq_tool *tool = sq_tools_find_verb(sq_span_of(argv[0]));
    sq_arena_init(&line->arena, 1 << 20);
    sq_buf_init(&line->json, 1 << 16);
    if (!T(tool != NULL)) {
        return;
    }
    line->ok = sq_operation_args_init(&line->args, tool, &line->err)
            && sq_operation_args_parse(&line->args, argc - 1, argv + 1,
                                       &line->arena, &line->flags, &line->err)
            && sq_flags_write(&line->flags, line->args.table, &line->json,
                              &line->err)
            && sq_buf_append(&line->json, "", 1, &line->err);
}

static void
finish(struct line *line) {
    sq_buf_finish(&line->json);
    sq_arena_finish(&line->arena);
}

/* The command line means these arguments. */
static void
means(const char *text, const char *json) {
    struct line line;
    parse(&line, text);
    if (!T_OK(line.ok, &line.err)
        || !T_STR((const char *)line.json.data, json)) {
        printf("# squint %s\n", text);
    }
    finish(&line);
}

/* The command line is refused with this message and hint. */
static void
refused(const char *text, const char *message, const char *hint) {
    struct line line;
    parse(&line, text);
    bool same = T(!line.ok) && T_INT(line.err.code, SQ_ERR_ARGUMENT)
             && T_STR(line.err.message, message) && T_STR(line.err.hint, hint);
    if (!same) {
        printf("# squint %s\n", text);
    }
    finish(&line);
}

T_CASE(words_are_arguments) {
    means("tap 200 500", "{\"x\":200,\"y\":500}");
    means("tap 20.5 -5", "{\"x\":20.5,\"y\":-5}");
    means("tap Login", "{\"selector\":{\"text\":\"Login\"}}");
    means("appearance dark", "{\"dark\":\"on\"}");
    means("appearance light", "{\"dark\":\"off\"}");
    means("video 10s", "{\"seconds\":10}");
    means("appearance auto", "{\"dark\":\"auto\"}");
    means("find Sign_in", "{\"selector\":{\"text\":\"Sign in\"}}");
    means("find 12", "{\"selector\":{\"text\":\"12\"}}");
    means("key back", "{\"name\":\"back\"}");
    means("launch Shop", "{\"packageName\":\"Shop\"}");
    means("stop com.example.shop", "{\"packageName\":\"com.example.shop\"}");
    means("input hello_you", "{\"text\":\"hello you\"}");
    means("input a=b", "{\"text\":\"a=b\"}");
    means("swipe 1 2 3 4", "{\"from\":{\"x\":1,\"y\":2},\"to\":{\"x\":3,"
                           "\"y\":4}}");
    means("scroll down", "{\"direction\":\"down\"}");
    means("scroll down 0.8", "{\"direction\":\"down\",\"amount\":0.8}");
    means("wait Welcome", "{\"text\":\"Welcome\"}");
    means("screenshot a.jpg", "{\"output\":\"a.jpg\"}");
    means("list yesterday", "{\"startDate\":\"yesterday\"}");
    means("list -7d now", "{\"startDate\":\"-7d\",\"endDate\":\"now\"}");
    means("sheet today", "{\"startDate\":\"today\"}");
    means("get REF", "{\"screenshotRef\":\"REF\"}");
    means("save REF", "{\"screenshotRef\":\"REF\"}");
    means("save REF bill.png",
          "{\"screenshotRef\":\"REF\",\"outputPath\":\"bill.png\"}");
    means("crop REF 0 0 50 50", "{\"screenshotRef\":\"REF\",\"x\":0,\"y\":0,"
                                "\"width\":50,\"height\":50}");
}

T_CASE(words_and_options_mix) {
    means("tap 200 500 --receipt none",
          "{\"receipt\":\"none\",\"x\":200,\"y\":500}");
    means("tap --receipt none 200 --look 500",
          "{\"receipt\":\"none\",\"look\":true,\"x\":200,\"y\":500}");
    means("find Login --selector.class-name Button",
          "{\"selector\":{\"className\":\"Button\",\"text\":\"Login\"}}");
    means("find --text-contains Log",
          "{\"selector\":{\"textContains\":\"Log\"}}");
    means("input hello --selector.text Email",
          "{\"text\":\"hello\",\"selector\":{\"text\":\"Email\"}}");
    means("launch --app Shop", "{\"packageName\":\"Shop\"}");
    means("launch --package-name Shop", "{\"packageName\":\"Shop\"}");
    means("input -- --look", "{\"text\":\"--look\"}");
    means("input -- text=a", "{\"text\":\"text=a\"}");
}

/* What an option has set is not taken from the words. */
T_CASE(words_are_the_remaining_arguments) {
    means("crop --ref=REF 0 0 100 40",
          "{\"screenshotRef\":\"REF\",\"x\":0,\"y\":0,\"width\":100,"
          "\"height\":40}");
    means("save REF -o k.png",
          "{\"outputPath\":\"k.png\",\"screenshotRef\":\"REF\"}");
    means("save REF --output k.png",
          "{\"outputPath\":\"k.png\",\"screenshotRef\":\"REF\"}");
    /* Earlier names. */
    means("save REF --output-path k.png",
          "{\"outputPath\":\"k.png\",\"screenshotRef\":\"REF\"}");
    means("list today --limit 5", "{\"maxCount\":5,\"startDate\":\"today\"}");
    means("list today --max-count 5",
          "{\"maxCount\":5,\"startDate\":\"today\"}");
    means("sheet today --limit 5", "{\"maxCount\":5,\"startDate\":\"today\"}");
    means("search word --limit 5", "{\"maxCount\":5,\"text\":\"word\"}");
    means("save --ref REF k.png",
          "{\"screenshotRef\":\"REF\",\"outputPath\":\"k.png\"}");
    means("crop --hit 1 0 0 50 50",
          "{\"hit\":1,\"x\":0,\"y\":0,\"width\":50,\"height\":50}");
    means("crop 0 0 50 50 --cell 2",
          "{\"cell\":2,\"x\":0,\"y\":0,\"width\":50,\"height\":50}");
    refused("crop --hit 1 0 0 50", "HEIGHT is missing",
            "Usage: squint crop REF X Y WIDTH HEIGHT | REF [options]");
    means("tap --x 5 7", "{\"x\":5,\"y\":7}");
    means("swipe 1 --from.y 2 3 4", "{\"from\":{\"y\":2,\"x\":1},\"to\":{"
                                    "\"x\":3,\"y\":4}}");
}

/* Earlier versions made references that begin with a dash. */
T_CASE(references_may_begin_with_a_dash) {
    means("get -tjm-ABCDEFGHIJKLMNOPQRSTUVWXYZ0",
          "{\"screenshotRef\":\"-tjm-ABCDEFGHIJKLMNOPQRSTUVWXYZ0\"}");
    means("get --jm-ABCDEFGHIJKLMNOPQRSTUVWXYZ0",
          "{\"screenshotRef\":\"--jm-ABCDEFGHIJKLMNOPQRSTUVWXYZ0\"}");
    means("get --ref -tjm-ABCDEFGHIJKLMNOPQRSTUVWXYZ0",
          "{\"screenshotRef\":\"-tjm-ABCDEFGHIJKLMNOPQRSTUVWXYZ0\"}");
    refused("get -tjm-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "unknown option \"-tjm-ABCDEFGHIJKLMNOPQRSTUVWXYZ\"",
            "--help lists the options.");
    refused("key enter --duration-ms 5", "unknown option \"--duration-ms\"",
            "--help lists the options.");
}

/* One name for a thing, whatever the protocol calls it. */
T_CASE(regions_and_devices_have_one_name) {
    means("screenshot --region 1,2,30,40",
          "{\"region\":{\"x\":1,\"y\":2,\"width\":30,\"height\":40}}");
    means("crop REF --region 0,0,50.5,50",
          "{\"screenshotRef\":\"REF\",\"x\":0,\"y\":0,\"width\":50.5,"
          "\"height\":50}");
    means("save REF --region 0,0,50,50",
          "{\"screenshotRef\":\"REF\",\"cropX\":0,\"cropY\":0,"
          "\"cropWidth\":50,\"cropHeight\":50}");
    means("swipe --from 1,2 --to 3,4",
          "{\"from\":{\"x\":1,\"y\":2},\"to\":{\"x\":3,\"y\":4}}");
    means("key back --device demo",
          "{\"deviceId\":\"demo\",\"name\":\"back\"}");
    means("key back --device-id demo",
          "{\"deviceId\":\"demo\",\"name\":\"back\"}");
    means("get --ref A", "{\"screenshotRef\":\"A\"}");
}

T_CASE(contradictions_are_refused) {
    refused("tap 200 500 --x 3",
            "--x is given twice: by --x and by the word \"200\"",
            "Leave one of them out.");
    refused(
        "find Login --text Sign",
        "--selector.text is given twice: by --selector.text and by the word "
        "\"Login\"",
        "Leave one of them out.");
    refused("swipe 1 2 3 4 --to 5,6",
            "--to.x is given twice: by --to and by the word \"3\"",
            "Leave one of them out.");
    refused("swipe --from.x 1 --from 1,2",
            "--from is given twice: by --from.x and by --from",
            "Leave one of them out.");
    refused("key back --name home",
            "--name is given twice: by --name and by the word \"back\"",
            "Leave one of them out.");
    refused("crop REF 0 0 50 50 --region 1,1,2,2",
            "--x is given twice: by the word \"0\" and by --x",
            "Leave one of them out.");
    refused("tap 1 2 --x 3 --x 4", "--x is given twice",
            "Leave one of them out.");
    refused("tap 1 2 --look --look", "--look is given twice",
            "Leave one of them out.");
    refused("tap 1 2 --look --no-look",
            "--look is given twice: by --look and by --no-look",
            "Leave one of them out.");
}

T_CASE(wrong_words_show_the_usage) {
    static const char tap[] = "Usage: squint tap X Y | TEXT [options]";
    refused("tap 200", "Y is missing", tap);
    refused("tap 200 Login", "Y must be a number, not \"Login\"", tap);
    refused("tap 1 2 3", "\"3\" is one word too many", tap);
    refused("location a b", "LATITUDE must be a number, not \"a\"",
            "Usage: squint location LATITUDE LONGITUDE [options]");
    refused("scroll up down", "AMOUNT must be a number, not \"down\"",
            "Usage: squint scroll [DIRECTION] [AMOUNT] [options]");
    refused("devices all", "devices takes options only, not the word \"all\"",
            "Usage: squint devices [options]");
    refused("key", "KEY is missing", "Usage: squint key KEY [options]");
    refused("find", "TEXT is missing", "Usage: squint find TEXT [options]");
    refused("swipe", "FROM-X is missing",
            "Usage: squint swipe FROM-X FROM-Y TO-X TO-Y [options]");
    refused("open", "URL is missing", "Usage: squint open URL [APP] [options]");
    refused("swipe 1 2", "TO-X is missing",
            "Usage: squint swipe FROM-X FROM-Y TO-X TO-Y [options]");
    refused("get A B", "\"B\" is one word too many",
            "Usage: squint get REF [options]");
    refused("list a b c", "\"c\" is one word too many",
            "Usage: squint list [WHEN] [WHEN] [options]");
    refused("key 1 2 3 4 5 6 7 8 9", "\"9\" is one word too many",
            "Quote a text that contains spaces.");
}

/* "squint tap Sign in": the shell passes two words. */
T_CASE(forgotten_quotes_are_noticed) {
    refused("tap Sign in", "X must be a number, not \"Sign\"",
            "Quote a text that contains spaces: squint tap \"Sign in\"");
    refused("find Sign in", "\"in\" is one word too many",
            "Quote a text that contains spaces: squint find \"Sign in\"");
    refused("launch Google Maps", "\"Maps\" is one word too many",
            "Quote a text that contains spaces: squint launch \"Google "
            "Maps\"");
}

T_CASE(wrong_values_are_named_as_they_were_written) {
    refused("scroll dwn",
            "DIRECTION must be one of up, down, left, right, not \"dwn\"; did "
            "you mean down?",
            "Give one of up, down, left, right, or leave DIRECTION out.");
    refused(
        "screenshot --max-dimension 0",
        "--max-dimension must be a whole number from 1 to 16384 or auto, not "
        "\"0\"",
        "Give a whole number from 1 to 16384 or auto, or leave --max-dimension "
        "out.");
    refused("screenshot --format jpg",
            "--format must be one of jpeg, webp, png, auto, not \"jpg\"; did "
            "you mean jpeg?",
            "Give one of jpeg, webp, png, auto, or leave --format out.");
    /* A word that is needed cannot be left out. */
    refused("crop 0123456789012345678901234567890123456789012345678901234567"
            "890123456789 0 0 5 5",
            "REF must be text of at most 64 bytes, not "
            "\"0123456789012345678901234567890123456789...\"",
            "Give text of at most 64 bytes.");
    refused("screenshot --region 1,2,3",
            "--region must be x,y,width,height, not \"1,2,3\"",
            "Give x,y,width,height, for example 0,120,400,300.");
    refused("crop REF --region 1,2,3",
            "--region must be X,Y,W,H, not \"1,2,3\"",
            "Give four numbers, such as 0,50,100,25.");
    refused("swipe --from 1 --to 2,3", "--from must be x,y, not \"1\"",
            "Give x,y, for example 0,120.");
    refused("find Login --limitt 5", "unknown option \"--limitt\"",
            "Did you mean --limit? --help lists the options.");
    refused("key back --devcie-id x", "unknown option \"--devcie-id\"",
            "Did you mean --device? --help lists the options.");
    refused("key back --demo-widht 300", "unknown option \"--demo-widht\"",
            "Did you mean --demo-width? --help lists the options.");
}

static size_t
count_words(const char *text) {
    size_t count = 0;
    for (bool in_word = false; *text; text++) {
        bool is_space = *text == ' ' || *text == '|';
        count += !is_space && !in_word;
        in_word = !is_space;
    }
    return count;
}

/* Every name in sq_tool.words and sq_tool.region is an argument. */
/* The examples of --help are valid command lines of their operation. */
T_CASE(every_example_can_be_parsed) {
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        const struct sq_people_view *view = &tool->people;
        if (!T(view->examples[0])) {
            printf("# %s has no example\n", tool->name);
            continue;
        }
        for (int k = 0; k < SQ_PEOPLE_EXAMPLES && view->examples[k]; k++) {
            struct line line;
            size_t verb = strcspn(view->examples[k], " ");
            parse(&line, view->examples[k]);
            T(strncmp(view->examples[k], sq_tool_verb(tool), verb) == 0);
            if (!T_OK(line.ok, &line.err)) {
                printf("# squint %s\n", view->examples[k]);
            }
            finish(&line);
        }
    }
}

T_CASE(every_declared_word_exists) {
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        struct sq_operation_args args;
        T_BUF(usage, 1000);
        T_OK(sq_operation_args_init(&args, tool, &t_err)
             && sq_operation_args_usage(&args, &usage, &t_err)
             && sq_buf_append(&usage, "", 1, &t_err));
        size_t declared = tool->words ? count_words(tool->words) : 0;
        if (!T_INT(count_words((const char *)usage.data), declared + 1)) {
            printf("# %s\n", tool->name);
        }
        struct sq_span names = sq_span_of(tool->region ? tool->region : "");
        struct sq_span name;
        struct sq_flag flag = { 0 };
        while (names.len > 0) {
            if (!sq_span_take_until(&names, ' ', &name)) {
                name = names;
                names.len = 0;
            }
            T(sq_flag_find(args.table, name, &flag));
        }
    }
}

static bool
parse_one(void *context, struct sq_err *err) {
    struct line line;
    parse(&line, context);
    *err = line.err;
    finish(&line);
    return line.ok;
}

T_CASE(parsing_survives_every_failed_allocation) {
    char text[] = "crop REF --region 0,0,50,50";
    T(t_alloc_torture(parse_one, text) > 1);
}
