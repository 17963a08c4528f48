#include "tool/policy.h"

#include "support/test.h"
#include "tools/table.h"

#define LIST(...)                                                              \
    {                                                                          \
        (const char *[]){ __VA_ARGS__ },                                       \
            sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)           \
    }

static const struct sq_tool *
tool(const char *name) {
    const struct sq_tool *found = sq_tools_find(sq_span_of(name));
    T(found != NULL);
    return found;
}

/* Which operations there are, by options. */
T_CASE(operations_are_forbidden_by_name_or_by_effect) {
    static const struct {
        const char *name;
        const char *deny;
        bool read_only;
        const char *allow_read;
        const char *why;
    } cases[] = {
        { "tap", "x", false, "x", NULL },
        { "tap", "x", true, "x", "--read-only" },
        { "tap", "tap", false, "x", "--deny" },
        { "tap", "tap", true, "x", "--deny" },
        { "tap", "ta", false, "x", NULL },
        { "tap", "tax", false, "x", NULL },
        { "dump", "x", true, "x", NULL },
        { "info", "x", true, "x", NULL },
        { "logs", "x", false, "x", NULL },
        { "logs", "x", true, "x", "--read-only" },
        { "logs", "x", true, "logs", NULL },
        { "notifications", "x", true, "logs", "--read-only" },
        /* Reading may be allowed, acting not. */
        { "tap", "x", true, "tap", "--read-only" },
        { "visual-snapshot", "ui_visual_snapshot", false, "x", "--deny" },
        { "visual-snapshot", "visual-snapshot", false, "x", "--deny" },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        const struct sq_config config = {
            .tools = { .read_only = cases[i].read_only },
            .security = { .deny = LIST("other", cases[i].deny),
                          .allow_read = LIST(cases[i].allow_read) },
        };
        const char *why = sq_policy_why_not(&config, tool(cases[i].name));
        T_STR(why ? why : "", cases[i].why ? cases[i].why : "");
    }
}

T_CASE(the_first_entry_counts_like_the_last) {
    const struct sq_config config = { .security = { .deny =
                                                        LIST("tap", "x") } };
    T_STR(sq_policy_why_not(&config, tool("tap")), "--deny");
}

/* A secret is typed only where one of its entries says. */
T_CASE(secrets_have_their_places) {
    static const struct {
        const char *name;
        const char *front;
        const char *error; /* NULL: allowed */
    } cases[] = {
        { "pin", "com.bank", NULL },
        { "pin", "https://bank.example", NULL },
        { "pin", "com.bank.evil", "into com.bank.evil" },
        { "pin", "http://bank.example", "into http://bank.example" },
        { "pin", "https://bank.example.evil", "bank.example.evil" },
        { "pin", "", "not known" },
        { "pi", "com.bank", "not one that may be typed" },
        { "", "com.bank", "not one that may be typed" },
        { "bare", "", "not one that may be typed" },
        { "none", "", "not known" },
    };
    const struct sq_config config = {
        .secrets = { .allow = LIST("pin=com.bank", "pin=https://bank.example",
                                   "bare", "none=") }
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_err err = { 0 };
        bool ok = sq_policy_allows_secret(&config, sq_span_of(cases[i].name),
                                          cases[i].front, &err);
        T_INT(ok, !cases[i].error);
        T(ok || err.code == SQ_ERR_REFUSED);
        T(ok || strstr(err.message, cases[i].error));
    }
}

/* Messages show the start of a long name. */
T_CASE(names_of_secrets_are_cut_in_messages) {
    static char name[101];
    static char entry[sizeof(name) + 9];
    memset(name, 'n', sizeof(name) - 1);
    snprintf(entry, sizeof(entry), "%s=com.bank", name);
    const struct sq_config none = { 0 };
    const struct sq_config config = { .secrets = { .allow = LIST(entry) } };
    struct sq_span span = sq_span_of(name);
    T(!sq_policy_allows_secret(&none, span, "com.bank", &t_err));
    T(!strstr(t_err.message, name) && strstr(t_err.message, "not one that"));
    t_err = (struct sq_err){ 0 };
    T(!sq_policy_allows_secret(&config, span, "com.shop", &t_err));
    T(!strstr(t_err.message, name) && strstr(t_err.message, "into com.shop"));
    T(sq_policy_allows_secret(&config, span, "com.bank", &t_err));
}

T_CASE(who_is_asked_stands_after_the_name) {
    const struct sq_config config = {
        .security = { .confirm = LIST("input", "open=person", "key=client") }
    };
    T_INT(sq_policy_asks(&config, tool("tap")), SQ_ASKS_NOBODY);
    T_INT(sq_policy_asks(&config, tool("input")), SQ_ASKS_CLIENT);
    T_INT(sq_policy_asks(&config, tool("key")), SQ_ASKS_CLIENT);
    T_INT(sq_policy_asks(&config, tool("open")), SQ_ASKS_PERSON);
}

static bool
allows(const struct sq_config *config, const char *name, const char *device,
       const char *front, const char *named) {
    const struct sq_policy_act act = { tool(name), device, front,
                                       sq_span_of(named) };
    t_err = (struct sq_err){ 0 };
    bool ok = sq_policy_allows(config, &act, &t_err);
    T_INT(t_err.code, ok ? SQ_ERR_NONE : SQ_ERR_REFUSED);
    T(ok || t_err.hint[0]);
    return ok;
}

T_CASE(only_the_listed_devices_are_used) {
    const struct sq_config config = {
        .security = { .allow_devices = LIST("demo", "emulator-5554") }
    };
    T(allows(&config, "tap", "demo", "", ""));
    T(allows(&config, "dump", "emulator-5554", "", ""));
    T(!allows(&config, "tap", "emulator-555", "", ""));
    T(!allows(&config, "dump", "other", "", ""));
    T_HAS(t_err.message, "--allow-device");
    T(allows(&config, "devices", NULL, "", ""));
    const struct sq_config none = { 0 };
    T(allows(&none, "tap", "other", "", ""));
}

T_CASE(actions_need_an_allowed_app_in_front) {
    const struct sq_config config = {
        .security = { .allow_apps = LIST("com.shop", "com.mail") }
    };
    T(allows(&config, "tap", "demo", "com.mail", ""));
    T(!allows(&config, "tap", "demo", "com.bank", ""));
    T_HAS(t_err.message, "the app in front is com.bank");
    T(!allows(&config, "tap", "demo", "", ""));
    T_HAS(t_err.message, "not known which app");
    /* Looking is free, and so is what leads back to an allowed app. */
    T(allows(&config, "dump", "demo", "com.bank", ""));
    T(allows(&config, "wake", "demo", "com.bank", ""));
    T(allows(&config, "steps", "demo", "com.bank", ""));
    T(allows(&config, "remember", "demo", "com.bank", ""));
    T(allows(&config, "launch", "demo", "com.bank", "com.shop"));
    /* Another app is not stopped from an allowed one. */
    T(!allows(&config, "stop", "demo", "com.shop", "com.bank"));
    T(!allows(&config, "launch", "demo", "com.shop", "com.shop.evil"));
}

#define SECOND 1000000000LL

T_CASE(actions_within_a_minute_are_counted) {
    static struct sq_action_rate rate = { .mutex = PTHREAD_MUTEX_INITIALIZER };
    int64_t now = 1000 * SECOND;
    for (int i = 0; i < 3; i++) {
        T_OK(sq_policy_count(&rate, tool("tap"), 3, now + i * SECOND, &t_err));
    }
    T_FAILS(sq_policy_count(&rate, tool("tap"), 3, now + 10 * SECOND, &t_err),
            SQ_ERR_LIMIT);
    T_HAS(t_err.hint, "Wait 50 seconds");
    /* Looks and steps, whose parts are counted, are no actions. */
    T_OK(sq_policy_count(&rate, tool("dump"), 3, now, &t_err));
    T_OK(sq_policy_count(&rate, tool("steps"), 3, now, &t_err));
    T_OK(sq_policy_count(&rate, tool("tap"), 0, now, &t_err));
    T_OK(sq_policy_count(&rate, tool("tap"), 3, now + 60 * SECOND, &t_err));
    T_FAILS(sq_policy_count(&rate, tool("tap"), 3, now + 60 * SECOND, &t_err),
            SQ_ERR_LIMIT);
    T_OK(sq_policy_count(&rate, tool("tap"), 3, now + 61 * SECOND, &t_err));
}

T_CASE(the_ring_of_actions_wraps) {
    static struct sq_action_rate rate = { .mutex = PTHREAD_MUTEX_INITIALIZER };
    const int max = SQ_MAX_ACTIONS_PER_MINUTE;
    for (int round = 1; round < 4; round++) {
        int64_t now = round * 100 * SECOND;
        for (int i = 0; i < max; i++) {
            T_OK(sq_policy_count(&rate, tool("tap"), max, now, &t_err));
        }
        T_FAILS(sq_policy_count(&rate, tool("tap"), max, now, &t_err),
                SQ_ERR_LIMIT);
    }
}

/* A mistake must not allow anything. */
T_CASE(wrong_entries_are_refused) {
    const struct {
        struct sq_strings deny, confirm, allow_read;
        const char *message; /* NULL: good */
    } cases[] = {
        { .deny = LIST("tap", "visual-snapshot"), .message = NULL },
        { .deny = LIST("tap", "tapp"), .message = "names no operation" },
        { .deny = LIST("tap=person"), .message = "names no operation" },
        { .confirm = LIST("tap", "open=person", "key=client") },
        { .confirm = LIST("tap=me"), .message = "=client or =person" },
        { .confirm = LIST("tapp=person"), .message = "names no operation" },
        { .allow_read = LIST("logs", "notifications") },
        { .allow_read = LIST("tap"), .message = "no more than the screen" },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        const struct sq_config config = {
            .security = { .deny = cases[i].deny,
                          .confirm = cases[i].confirm,
                          .allow_read = cases[i].allow_read },
        };
        t_err = (struct sq_err){ 0 };
        T(sq_policy_check(&config, sq_tools_find, &t_err) == !cases[i].message);
        T(!cases[i].message || strstr(t_err.message, cases[i].message));
    }
}

/* What is not known may be what a rule names. */
T_CASE(rules_are_about_what_they_name) {
    const struct sq_policy_scope act = { "input", "com.bank", "bot", "demo" };
    const struct {
        struct sq_policy_scope rule;
        struct sq_policy_scope act;
        bool is_about;
    } cases[] = {
        { { "", "", "", "" }, act, true },
        { { "input", "", "", "" }, act, true },
        { { "ui_input", "", "", "" }, act, true },
        { { "tap", "", "", "" }, act, false },
        { { "tap", "", "", "" }, { "", "", "", "" }, true },
        { { "visual-snapshot", "", "", "" },
          { "visual_snapshot", "", "", "" },
          true },
        { { "", "com.bank", "bot", "demo" }, act, true },
        { { "", "com.ban", "", "" }, act, false },
        { { "", "", "bo", "" }, act, false },
        { { "", "", "", "phone" }, act, false },
        { { "", "com.bank", "", "demo" }, { "input", "", "bot", "" }, true },
        { { "tap", "com.bank", "", "" }, { "input", "", "bot", "" }, false },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        T(sq_policy_is_about(&cases[i].rule, &cases[i].act)
          == cases[i].is_about);
    }
}

static void
expect_list(const struct sq_strings *list, const char *want) {
    char text[100] = "";
    for (size_t i = 0; i < list->count; i++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof(text) - at, "%s ", list->items[i]);
    }
    T_STR(text, want);
}

/* The policy of a token within that of its server. */
T_CASE(a_token_is_allowed_less) {
    const struct sq_config base = {
        .tools = { .read_only = false },
        .security = { .deny = LIST("open"),
                      .confirm = LIST("tap"),
                      .allow_devices = LIST("demo", "phone"),
                      .allow_apps = LIST("com.shop", "com.mail"),
                      .max_actions_per_minute = 10 },
        .secrets = { .allow = LIST("pin=com.bank", "web=https://a.example") },
    };
    const struct sq_config own = {
        .tools = { .read_only = true },
        .security = { .deny = LIST("reset"),
                      .confirm = LIST("key=person"),
                      .allow_read = LIST("logs"),
                      .allow_devices = LIST("phone"),
                      .max_actions_per_minute = 3 },
        .secrets = { .allow = LIST("pin=com.bank") },
    };
    struct sq_config made = { 0 };
    T_ARENA(arena, 4096);
    T_OK(sq_policy_narrow(&base, &own, &arena, &made, &t_err));
    T(made.tools.read_only);
    expect_list(&made.security.deny, "open reset ");
    expect_list(&made.security.confirm, "tap key=person ");
    expect_list(&made.security.allow_read, "logs ");
    expect_list(&made.security.allow_devices, "phone ");
    expect_list(&made.security.allow_apps, "com.shop com.mail ");
    expect_list(&made.secrets.allow, "pin=com.bank ");
    T_INT(made.security.max_actions_per_minute, 3);
    /* Nothing of its own: all that the server has. */
    const struct sq_config none = { 0 };
    T_OK(sq_policy_narrow(&base, &none, &arena, &made, &t_err));
    T(!made.tools.read_only);
    expect_list(&made.security.allow_devices, "demo phone ");
    expect_list(&made.secrets.allow, "pin=com.bank web=https://a.example ");
    T_INT(made.security.max_actions_per_minute, 10);
    /* A server without limits: all that the token has; but no secrets, which
     * are not allowed if nothing allows them. */
    T_OK(sq_policy_narrow(&none, &own, &arena, &made, &t_err));
    expect_list(&made.security.deny, "reset ");
    expect_list(&made.security.allow_devices, "phone ");
    expect_list(&made.secrets.allow, "");
    T_INT(made.security.max_actions_per_minute, 3);
    T_OK(sq_policy_narrow(&none, &none, &arena, &made, &t_err));
    expect_list(&made.security.deny, "");
    /* What the server may only read, a token cannot unlock. */
    const struct sq_config reader = { .tools = { .read_only = true } };
    T_OK(sq_policy_narrow(&reader, &own, &arena, &made, &t_err));
    T(made.tools.read_only);
    expect_list(&made.security.allow_read, "");
}

T_CASE(a_token_cannot_be_allowed_more) {
    const struct sq_config base = {
        .security = { .allow_devices = LIST("demo"),
                      .allow_apps = LIST("com.shop"),
                      .max_actions_per_minute = 3 },
        .secrets = { .allow = LIST("pin=com.bank") },
    };
    const struct {
        struct sq_config own;
        const char *key;
    } cases[] = {
        { { .security = { .allow_devices = LIST("demo", "phone") } },
          "security.allowDevices \"phone\"" },
        { { .security = { .allow_apps = LIST("com.bank") } },
          "security.allowApps \"com.bank\"" },
        { { .secrets = { .allow = LIST("pin=com.shop") } },
          "secrets.allow \"pin=com.shop\"" },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_config made = { 0 };
        T_ARENA(arena, 4096);
        T_FAILS(sq_policy_narrow(&base, &cases[i].own, &arena, &made, &t_err),
                SQ_ERR_ARGUMENT);
        T_HAS(t_err.message, cases[i].key);
        T(made.security.max_actions_per_minute == 0);
    }
    /* A higher rate has no effect. */
    const struct sq_config faster = { .security = { .max_actions_per_minute =
                                                        9 } };
    struct sq_config made;
    T_ARENA(arena, 4096);
    T_OK(sq_policy_narrow(&base, &faster, &arena, &made, &t_err));
    T_INT(made.security.max_actions_per_minute, 3);
}

/* Without memory nothing is allowed. */
T_CASE(a_full_arena_makes_no_policy) {
    const struct sq_config lists = { .security = { .deny = LIST("tap"),
                                                   .confirm = LIST("key") } };
    struct sq_config made = { 0 };
    bool ok = false;
    for (size_t max = 0; !ok && max < 4096; max += 8) {
        T_ARENA(arena, max);
        ok = sq_policy_narrow(&lists, &lists, &arena, &made, &t_err);
        T(ok || made.security.deny.count == 0);
    }
    T(ok);
}
