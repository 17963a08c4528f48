/* appearance: changes dark mode, font size, density, language and the like. */
#include "tools/device/verb.h"
#include "tools/operations.h"

#define MAX_LOCALE 64

struct appearance_args {
    struct sq_opt_int dark;
    struct sq_opt_double font_scale;
    struct sq_opt_int density;
    struct sq_opt_text locale;
    struct sq_opt_text time_zone;
    struct sq_opt_bool offline;
    struct sq_opt_text package_name;
    SQ_RECEIPT_FIELDS;
};

/* In the order of enum sq_dark. */
static const char *const dark_words[] = { "off", "on", "auto", NULL };

static const struct sq_arg table[] = {
    SQ_CHOICE(appearance_args, dark, "dark", dark_words, "",
              .help = "dark mode"),
    SQ_NUMBER(appearance_args, font_scale, "fontScale", 0.5, 3, "",
              .help = "size of texts; 1 is normal"),
    SQ_INT(appearance_args, density, "density", 0, 1000, "", .is_rare = true,
           .help = "dots per inch; 0 restores that of the device"),
    SQ_TEXT(appearance_args, locale, "locale", MAX_LOCALE, "",
            .is_printable = true, .help = "language, such as de-DE"),
    SQ_TEXT(appearance_args, time_zone, "timeZone", MAX_LOCALE, "",
            .is_rare = true, .is_printable = true,
            .help = "of a browser, such as Asia/Tokyo; empty: that of this "
                    "computer"),
    SQ_BOOL(appearance_args, offline, "offline", "", .is_rare = true,
            .help = "a browser without network"),
    SQ_APP_ROW(appearance_args, false),
    SQ_RECEIPT_ROWS(appearance_args),
    SQ_ARGS_END,
};

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct appearance_args *args = raw_args;
    if (args->dark.given || args->font_scale.given || args->density.given
        || args->locale.given || args->time_zone.given || args->offline.given) {
        return sq_act_check(SQ_ACT_OPTIONS(args), err);
    }
    return sq_fail_argument(
        err, "nothing to change was given",
        SQ_SAY("Give dark, fontScale, density, locale, timeZone or "
               "offline.",
               "Give --dark, --font-scale, --density, --locale, "
               "--time-zone or --offline."));
}

static bool
appearance_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct appearance_args *args = raw_args;
    struct sq_verb verb = {
        .hand = { .verb = SQ_HAND_APPEARANCE,
                  .looks = { .dark = args->dark,
                             .font_scale = args->font_scale,
                             .density = args->density,
                             .locale = args->locale,
                             .time_zone = args->time_zone,
                             .offline = args->offline } },
        .name = "appearance",
    };
    if ((args->time_zone.given || args->offline.given)
        && !call->device->ops->apps_are_tabs) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "only a browser can be given a time zone or be offline");
        return sq_fail_hint(err, "Leave $timeZone and $offline out.");
    }
    return sq_verb_package(call, &args->package_name, &verb, err)
        && sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
}

/* What people say for dark: on and dark: off. */
static const char *
word_at(size_t index) {
    static const char *const words[] = { "dark", "light" };
    return index < SQ_COUNT(words) ? words[index] : NULL;
}

const struct sq_tool sq_tool_appearance = {
    .name = "appearance",
    .title = "Change the appearance",
    .text = "Dark mode, font size, density, language.",
    .manual =
        "`dark` needs Android 10; `fontScale` and `density` work on every "
        "version; `locale` changes the language of `packageName` on Android "
        "13 and newer, and of the whole device only where Android can (API "
        "level 36.1). Simulators have `dark` only. `density: 0` restores the "
        "density. Browsers have `dark`, `locale`, `timeZone` and `offline`.",
    .manual_example = "\"dark\": \"on\", \"fontScale\": 1.3",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_ACTION,
    SQ_ARGS(table, appearance_args),
    .timeout_ms = 30000,
    .check = check,
    .people = { .examples = { "appearance dark" },
                .line = "Changed the appearance",
                .word_at = word_at },
    .uses = SQ_USES_ACTS,
    .synonyms = "appearance dark-mode font-size locale set-locale density "
                "set-appearance",
    .words = "dark?",
    .example = "\"dark\": \"on\"",
    .run = appearance_run,
};
