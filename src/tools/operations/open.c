/* open: opens a URL or deep link. */
#include "config/config.h"
#include "tools/device/verb.h"
#include "tools/operations.h"

#define MAX_URL 4096

struct open_args {
    struct sq_opt_text url;
    struct sq_opt_text package_name;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_TEXT(open_args, url, "url", MAX_URL, "", .required = true,
            .is_printable = true,
            .if_missing =
                "Give url, such as https://example.com/. @launch starts an "
                "app by packageName.",
            .placeholder = "URL",
            .help = "what to open, such as https://example.com/"),
    SQ_APP_ROW(open_args, false),
    SQ_RECEIPT_ROWS(open_args),
    SQ_ARGS_END,
};

/* Takes the scheme before the colon; an empty span if there is none. */
static struct sq_span
scheme_of(struct sq_span url) {
    size_t len = 0;
    while (len < url.len
           && ((sq_ascii_lower(url.ptr[len]) >= 'a'
                && sq_ascii_lower(url.ptr[len]) <= 'z')
               || (len > 0
                   && ((url.ptr[len] >= '0' && url.ptr[len] <= '9')
                       || url.ptr[len] == '+' || url.ptr[len] == '-'
                       || url.ptr[len] == '.')))) {
        len++;
    }
    bool ends = len < url.len && url.ptr[len] == ':';
    return (struct sq_span){ url.ptr, ends ? len : 0 };
}

static bool
check_url(const struct sq_config *config, struct sq_span url,
          struct sq_err *err) {
    struct sq_span scheme = scheme_of(url);
    if (scheme.len == 0) {
        return sq_fail_argument(err, "${url|URL} has no scheme",
                                "Give a whole URL: https://example.com/");
    }
    if (sq_span_is_word(scheme, "http") || sq_span_is_word(scheme, "https")) {
        return true;
    }
    for (size_t i = 0; i < config->tools.open_schemes.count; i++) {
        if (sq_span_is_word(scheme, config->tools.open_schemes.items[i])) {
            return true;
        }
    }
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "URLs with the scheme %.*s are not "
            "allowed",
            scheme.len < 40 ? (int)scheme.len : 40, scheme.ptr);
    return sq_fail_hint(err,
                        "${Ask the person to add|Add} it to --open-schemes or "
                        "tools.openSchemes if this is wanted.");
}

static bool
open_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct open_args *args = raw_args;
    struct sq_verb verb = { .hand = { .verb = SQ_HAND_OPEN,
                                      .text = args->url.value },
                            .name = "opened",
                            .is_given = true };
    verb.value = sq_arena_strdup(call->arena, args->url.value, err);
    return verb.value && check_url(call->config, args->url.value, err)
        && sq_verb_package(call, &args->package_name, &verb, err)
        && sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
}

const struct sq_tool sq_tool_open = {
    .name = "open",
    .title = "Open a URL",
    .text = "Open a URL or deep link.",
    .manual =
        "Opens `url` in the app that handles it, or in `packageName`. Only "
        "http and https URLs are allowed, unless the person adds schemes to "
        "the option `tools.openSchemes`. Works on every version of Android, "
        "and on simulators, which choose the app themselves.",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_ACTION,
    SQ_ARGS(table, open_args),
    .words = "url packageName?",
    .timeout_ms = 40000,
    .people = { .examples = { "open https://example.com/" },
                .line = "Opened {opened}" },
    .uses = SQ_USES_ACTS | SQ_USE_URLS,
    .synonyms = "open open-url open-link deep-link navigate goto "
                "open-deep-link browse navigate-to",
    .example = "\"url\": \"https://example.com/\"",
    .run = open_run,
};
