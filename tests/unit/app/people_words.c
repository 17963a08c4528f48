/* Texts for a client in the words of the command line. */
#include "app/people_words.h"

#include <string.h>

#include "archive/cause.h"
#include "support/test.h"
#include "util/buf.h"

static const char *
translate(const char *text) {
    static char out[2000];
    struct sq_err err = { 0 };
    struct sq_buf words;
    sq_buf_init(&words, sizeof(out));
    T_OK(sq_people_words(sq_span_of(text), &words, &err)
             && sq_buf_append(&words, "", 1, &err),
         &err);
    memcpy(out, words.data, words.len);
    sq_buf_finish(&words);
    return out;
}

static const char *
translate_json(const char *text) {
    static char out[2000];
    struct sq_err err = { 0 };
    struct sq_buf words;
    sq_buf_init(&words, sizeof(out));
    T_OK(sq_people_words_of_json(sq_span_of(text), &words, &err)
             && sq_buf_append(&words, "", 1, &err),
         &err);
    memcpy(out, words.data, words.len);
    sq_buf_finish(&words);
    return out;
}

/* The person must find the names again in the JSON. */
static void
names_in_json_are_kept(void) {
    static const char *const same[] = {
        "Known: x, y, elementIndex, screenshotId, deviceId.",
        "x is missing",
        "Set confirm: true.",
        "a step has its own deviceId; all steps use the device of the call",
    };
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        T_STR(translate_json(same[i]), same[i]);
    }
    T_STR(translate_json("Have the person start it. Set confirm: true if the "
                         "person wants this."),
          "Start it. Set confirm: true if you want this.");
    T_STR(translate_json("Did you mean tap? Call rtfm for the list of "
                         "operations."),
          "Did you mean tap? squint rtfm lists the operations.");
}

static void
people_are_addressed_themselves(void) {
    T_STR(translate("Have the person set archive.timeZone, for example to "
                    "Europe/Zurich."),
          "Set archive.timeZone, for example to Europe/Zurich.");
    T_STR(translate("squint does not follow links. Have the person set "
                    "archive.roots to the folder that they point to."),
          "squint does not follow links. Set archive.roots to the folder that "
          "they point to.");
    T_STR(translate("Ask for a later window, or have the person review the "
                    "settings."),
          "Ask for a later time, or review the settings.");
    T_STR(translate("Ask the person to start squint without --read-only if "
                    "this is wanted."),
          "Leave --read-only out if this is wanted.");
    T_STR(translate("Nothing was done. Set confirm: true if the person wants "
                    "this."),
          "Nothing was done. Add --confirm if you want this.");
}

static void
tools_become_commands(void) {
    T_STR(translate("Use list_screenshots to find valid ones."),
          "Use squint list to find valid ones.");
    T_STR(translate("Call contact_sheet first, or give screenshotRef."),
          "Run squint sheet first, or give REF.");
    T_STR(
        translate("Plug it in again, then try again. The operation devices "
                  "lists the devices."),
        "Plug it in again, then try again. squint devices lists the devices.");
    T_STR(translate("Call rtfm for the list of operations."),
          "squint help lists the commands.");
    T_STR(translate("Run dump or find first."),
          "Run squint dump or squint find first.");
    T_STR(translate("Look at it; squint://health says more."),
          "Look at it; squint doctor says more.");
}

static void
arguments_become_options(void) {
    T_STR(translate("Ask for a smaller one: maxDimension or budgetTokens."),
          "Ask for a smaller one: --max-dimension or --budget-tokens.");
    T_STR(translate("Set deviceId to one of: emulator-5554."),
          "Set --device to one of: emulator-5554.");
    T_STR(translate("set deviceSpace: true for pixels of the device"),
          "set --device-space for pixels of the device");
    T_STR(translate("Set receipt: \"fast\", or leave look out."),
          "Set --receipt fast, or leave --look out.");
    T_STR(translate("Use tap with numberOfTaps: 2."),
          "Use tap with --number-of-taps 2.");
    T_STR(translate("inline: false saves a file"), "--no-inline saves a file");
    T_STR(translate("Give x and y, or elementIndex, selector or cell."),
          "Give X and Y, or TEXT, or --cell.");
    T_STR(translate("Give only one: x and y, elementIndex, selector or cell."),
          "Give only one: X and Y, TEXT or --cell.");
    T_STR(translate("Add resourceId, or run find and take one by "
                    "elementIndex."),
          "Add --selector.resource-id, or run squint find and take one by X "
          "and Y.");
    T_STR(translate("Give screenshotRef from list_screenshots, cell of the "
                    "last contact_sheet, or hit of the last "
                    "search_screenshots."),
          "Give REF from squint list, --cell of the last squint sheet, or "
          "--hit of the last squint search.");
    T_STR(translate("Run find with a looser selector, such as textContains, or "
                    "take a screenshot and use x and y."),
          "Run squint find --text-contains and a part of the text, or take a "
          "screenshot and give X and Y.");
    T_STR(translate("startDate: \"2026-02-30\" is not a valid date"),
          "\"2026-02-30\" is not a valid date");
    T_STR(translate("Name the field by selector, or tap it first."),
          "Name the field with --selector.text and its label, or tap it "
          "first.");
    T_STR(translate("a sheet needs startDate and endDate, query, or refs"),
          "a sheet needs a day, a period or references");
    T_STR(translate("Start squint with --ocr-enabled, or set ui.ocrEnabled: "
                    "true in its configuration."),
          "Add --ocr-enabled, or set ui.ocrEnabled: true in the "
          "configuration.");
    T_STR(translate("Give one of: region (with screenshotId for an earlier "
                    "picture), elementIndex, the name of a remembered "
                    "picture, localPath."),
          "Give --region X,Y,W,H, or the NAME of a remembered picture.");
    T_STR(translate("Example: {\"steps\": [{\"operation\": \"tap\", \"x\": 9, "
                    "\"y\": 9}, {\"operation\": \"key\", \"name\": "
                    "\"back\"}]}"),
          "For example: squint steps '[{\"operation\": \"tap\", \"x\": 9, "
          "\"y\": 9}, {\"operation\": \"key\", \"name\": \"back\"}]'");
}

/* Words of English that are also names of arguments. */
static void
short_names_become_options(void) {
    static const char *const rows[][2] = {
        { "size and maxDimension cannot be used together",
          "--size and --max-dimension cannot be used together" },
        { "raw and size cannot be used together",
          "--raw and --size cannot be used together" },
        { "quality and the format png cannot be used together",
          "--quality and the format png cannot be used together" },
        { "cursor needs startDate", "--cursor needs --start-date" },
        { "refs[0]: no such screenshotRef",
          "--refs[0]: no such past screenshot" },
        { "from: the latest picture, s3, shows only a region",
          "--from: the latest picture, s3, shows only a region" },
        { "Give region as well, or leave screenshotId out.",
          "Add --region, or leave --screenshot-id out." },
        { "Give screenshotId: s3 for a point of that picture",
          "Add --screenshot-id s3 for a point of that picture" },
        { "look needs a receipt, but receipt is none",
          "--look needs a receipt, but --receipt is none" },
        { "x is missing", "X is missing" },
        { "If you mean the demo phone, set deviceId to \"demo\".",
          "If you mean the demo phone, add --device demo." },
        { "There are no pixels to read: list its elements with dump, without "
          "vision.",
          "There are no pixels to read: squint dump lists its elements." },
        { "dump and find may still list its elements. Otherwise leave this "
          "screen with key back.",
          "squint dump and squint find may still list its elements. Otherwise "
          "leave this screen with squint key back." },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        T_STR(translate(rows[i][0]), rows[i][1]);
    }
}

/* Text of a device or a file must not change. */
static void
everything_else_is_unchanged(void) {
    static const char *const texts[] = {
        "",
        ".",
        "x goes from 0 to 449 and y from 0 to 999.",
        "no app is called \"deviceId: true\"",
        "Allow its thumbnails: write PATH=thumbnail in archive.roots.",
        "Write screencap=40,uiautomator=1000, for example.",
        "an \"open quote with maxDimensions",
        "Tap the button: 5 seconds are enough",
        "peewee-sqlite.v2.db of aw-server",
        "\xc3\xbc\xff screenshotRefs",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        T_STR(translate(texts[i]), texts[i]);
    }
}

static void
no_remedy_speaks_of_a_person(void) {
    for (int cause = 0; cause < SQ_CAUSES; cause++) {
        const char *text = translate(sq_cause_remedy((enum sq_cause)cause));
        T(strstr(text, "person") == NULL);
        T(strstr(text, "_screenshot") == NULL);
        T(text[0] == '\0' || text[0] < 'a' || strncmp(text, "squint", 6) == 0);
    }
}

static bool
translate_one(void *context, struct sq_err *err) {
    struct sq_buf words;
    sq_buf_init(&words, 1000);
    bool ok = sq_people_words(sq_span_of(context), &words, err);
    sq_buf_finish(&words);
    return ok;
}

static void
translating_survives_every_failed_allocation(void) {
    char text[] = "Have the person use list_screenshots with maxCount: 5.";
    T(t_alloc_torture(translate_one, text) > 0);
}

T_MAIN(T_CASE(names_in_json_are_kept), T_CASE(people_are_addressed_themselves),
       T_CASE(tools_become_commands), T_CASE(arguments_become_options),
       T_CASE(short_names_become_options), T_CASE(everything_else_is_unchanged),
       T_CASE(no_remedy_speaks_of_a_person),
       T_CASE(translating_survives_every_failed_allocation))
