/* Which text, regions and apps the rules hide, and which rules are refused. */
#include "redact/rules.h"

#include "support/test.h"

static struct sq_config config;

static struct sq_redact_rules *
compile(struct sq_strings *list, const char *const *items, size_t count) {
    struct sq_redact_rules *rules = NULL;
    sq_config_defaults(&config);
    *list = (struct sq_strings){ items, count };
    T_OK(sq_redact_rules_create(&config, &rules, &t_err));
    return rules;
}

#define COMPILE(list, ...)                                                     \
    compile(&config.redact.list, (const char *const[]){ __VA_ARGS__ },         \
            sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void
becomes(const struct sq_redact_rules *rules, const char *text,
        const char *want) {
    T_BUF(out, 1 << 20);
    T_OK(sq_redact_text(rules, sq_span_of(text), &out, &t_err));
    T_OK(sq_buf_append(&out, "", 1, &t_err));
    T_STR((const char *)out.data, want);
}

T_CASE(card_numbers_have_a_check_digit) {
    struct sq_redact_rules *rules = COMPILE(presets, "cards");
    becomes(rules, "pay 4111 1111 1111 1111 now", "pay [redacted] now");
    becomes(rules, "5500005555555559", "[redacted]");
    becomes(rules, "3782-822463-10005", "[redacted]");
    /* A wrong check digit, too few digits, a longer number. */
    becomes(rules, "4111 1111 1111 1112", "4111 1111 1111 1112");
    becomes(rules, "4111 1111 111", "4111 1111 111");
    becomes(rules, "0000 0000 0000 0000", "0000 0000 0000 0000");
    /* What a recogniser confuses. */
    becomes(rules, "41ll 1111 1111 1111", "[redacted]");
    becomes(rules, "5SOO 0055 5555 5559", "[redacted]");
    becomes(rules, "a 4111111111111111 b 5500 0055 5555 5559 c",
            "a [redacted] b [redacted] c");
    sq_redact_rules_destroy(rules);
}

T_CASE(presets_know_addresses_and_keys) {
    struct sq_redact_rules *rules = COMPILE(presets, "emails", "keys");
    becomes(rules, "mail jane.doe+x@acme.co.uk!", "mail [redacted]!");
    becomes(rules, "meet at 5 @ the door", "meet at 5 @ the door");
    becomes(rules, "key sk-proj-Abc123Abc123Abc123Abc123 end",
            "key [redacted] end");
    becomes(rules, "AKIAIOSFODNN7EXAMPLE", "[redacted]");
    becomes(rules, "ghp_0123456789abcdefABCDEF0123456789abcd", "[redacted]");
    becomes(rules, "task skills and plans", "task skills and plans");
    sq_redact_rules_destroy(rules);
}

T_CASE(own_expressions_hide_every_match) {
    struct sq_redact_rules *rules = COMPILE(patterns, "PO-[0-9]+", "^Dear .*$");
    becomes(rules, "PO-1 and PO-22", "[redacted] and [redacted]");
    becomes(rules, "Dear Jane", "[redacted]");
    becomes(rules, "no PO", "no PO");
    char text[5000];
    memset(text, 'x', sizeof(text));
    memcpy(text + 2044, "PO-77777", 8); /* across the border of two parts */
    struct sq_redact_ranges ranges;
    sq_redact_find(rules, (struct sq_span){ text, sizeof(text) }, &ranges);
    T_INT(ranges.count, 1);
    T_INT(ranges.items[0].start, 2044);
    T_INT(ranges.items[0].end, 2052);
    sq_redact_rules_destroy(rules);
}

static void
refused(struct sq_strings *list, const char *item, const char *why) {
    const char *const items[] = { item };
    struct sq_redact_rules *rules = NULL;
    sq_config_defaults(&config);
    *list = (struct sq_strings){ items, 1 };
    T_FAILS(sq_redact_rules_create(&config, &rules, &t_err), SQ_ERR_ARGUMENT);
    T(strstr(t_err.message, why) != NULL && t_err.hint[0]);
}

T_CASE(rules_that_cannot_be_applied_are_refused) {
    refused(&config.redact.presets, "passports", "is none of");
    refused(&config.redact.patterns, "(a", "(");
    refused(&config.redact.patterns, "a*", "matches empty text");
    refused(&config.redact.patterns, "(a)\\1", "refers back");
    refused(&config.redact.patterns, "\\d{6}", "[0-9] instead of \\d");
    refused(&config.redact.patterns, "a|[x\\d]{6}", "[0-9] instead of \\d");
    refused(&config.redact.patterns, "[[:alpha:]\\w]", "means nothing");
    refused(&config.redact.patterns, "x\\\xc3\xbc", "means nothing");
    refused(&config.redact.patterns, "(?:[0-9]{6})", "means nothing");
    refused(&config.redact.patterns, "a\\", "ends with a backslash");
    refused(&config.redact.patterns, "((a{100}){100}){100}", "repeats");
    refused(&config.redact.patterns, "", "1 to 256 bytes");
    refused(&config.redact.regions, "0 0 10", "is not X Y WIDTH HEIGHT");
    refused(&config.redact.regions, "0 0 10 -5", "is not X Y WIDTH HEIGHT");
    refused(&config.redact.regions, "0 0 10 500", "is not X Y WIDTH HEIGHT");
}

T_CASE(known_escapes_are_accepted) {
    struct sq_redact_rules *rules =
        COMPILE(patterns, "\\bPO\\.[0-9]+", "[^]\\.a]\\s\\(x\\)", "[\\]z");
    becomes(rules, "PO.1 or b (x) or \\z",
            "[redacted] or [redacted] or [redacted]");
    sq_redact_rules_destroy(rules);
}

/* Rules ignore case and diacritics in every script that has them. */
T_CASE(names_are_compared_without_case) {
    static const char *const pairs[][2] = {
        { "\xc3\x9c"
          "BERWEISUNG",
          "\xc3\xbc"
          "berweisung" },
        { "U\xcc\x88"
          "berweisung",
          "\xc3\x9c"
          "berw" },
        { "\xd0\xa1\xd0\xb1\xd0\xb5\xd1\x80",
          "\xd1\x81\xd0\x91\xd0\x95\xd0\xa0" },
        { "\xd0\x81\xd0\x9b\xd0\x9a\xd0\x90", "\xd1\x91\xd0\xbb" },
        { "\xce\x86\xce\xa3", "\xce\xac\xcf\x82" },
        { "my Stra\xc3\x9f"
          "e 1",
          "STRASSE" },
        { "\xef\xbc\xa2\xef\xbd\x81nk", "bank" },
    };
    for (size_t i = 0; i < SQ_COUNT(pairs); i++) {
        const struct sq_strings rule = { &pairs[i][1], 1 };
        const struct sq_redact_match kinds[] = {
            { .apps = rule, .option = "apps" },
            { .patterns = rule, .option = "titles" },
        };
        for (int k = 0; k < 2; k++) {
            struct sq_redact_rules *rules = NULL;
            bool found = false;
            T_OK(sq_redact_match_create(&kinds[k], &rules, &t_err));
            T_OK(sq_redact_matches(rules, sq_span_of(pairs[i][0]), &found,
                                   &t_err));
            T(found);
            T_OK(sq_redact_matches(rules, SQ_SPAN("\xff other"), &found,
                                   &t_err));
            T(!found);
            sq_redact_rules_destroy(rules);
        }
    }
}

/* A rule that the loader could not read must not be left out silently. */
T_CASE(problems_of_the_configuration_are_errors) {
    struct sq_redact_rules *rules = NULL;
    sq_config_defaults(&config);
    config.redact_problem = "config.yaml:3: redact.pattern is unknown";
    T_FAILS(sq_redact_rules_create(&config, &rules, &t_err), SQ_ERR_ARGUMENT);
}

T_CASE(apps_and_regions) {
    struct sq_redact_rules *rules = COMPILE(apps, "com.bank", "inbox");
    T(sq_redact_hides_app(rules, SQ_SPAN("com.bank.app")));
    T(sq_redact_hides_app(rules, SQ_SPAN("Mail - INBOX (3)")));
    T(!sq_redact_hides_app(rules, SQ_SPAN("com.shop")));
    T(sq_redact_rules_id(rules) != 0);
    sq_redact_rules_destroy(rules);
    rules = COMPILE(regions, "0 0 100 5", "50 50 50 50");
    struct sq_rect boxes[SQ_REDACT_MAX_REGIONS];
    T_INT(sq_redact_regions(rules, (struct sq_size){ 1080, 2400 }, boxes), 2);
    T_INT(boxes[0].right, 1080);
    T_INT(boxes[0].bottom, 121);
    T_INT(boxes[1].left, 540);
    T_INT(boxes[1].bottom, 2400);
    sq_redact_rules_destroy(rules);
}
