/* Evaluates the limits for agents. */
#include "tool/policy.h"

#include <string.h>

#include "util/span.h"

#define NS_PER_SECOND 1000000000LL
#define MINUTE_NS (60 * NS_PER_SECOND)

/* Operations may be written with - or _, as clients and people know them. */
static bool
is_name(struct sq_span text, const char *name) {
    sq_span_take_prefix(&text, "ui_");
    if (text.len != strlen(name)) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        char a = text.ptr[i] == '-' ? '_' : text.ptr[i];
        char b = name[i] == '-' ? '_' : name[i];
        if (a != b) {
            return false;
        }
    }
    return true;
}

/* Returns the rest after "name=" or the empty rest of "name"; NULL: another. */
static const char *
rest_of(const char *entry, const char *name) {
    size_t len = strcspn(entry, "=");
    bool matches = is_name((struct sq_span){ entry, len }, name);
    return !matches ? NULL : entry[len] ? entry + len + 1 : "";
}

static const char *
find_entry(const struct sq_strings *list, const char *name) {
    const char *rest = NULL;
    for (size_t i = 0; i < list->count && !rest; i++) {
        rest = rest_of(list->items[i], name);
    }
    return rest;
}

static bool
has_text(const struct sq_strings *list, struct sq_span text) {
    for (size_t i = 0; i < list->count; i++) {
        if (sq_span_is(text, list->items[i])) {
            return true;
        }
    }
    return false;
}

const char *
sq_policy_why_not(const struct sq_config *config, const struct sq_tool *tool) {
    bool is_hidden = tool->flags & SQ_TOOL_PRIVATE
                       ? !find_entry(&config->security.allow_read, tool->name)
                       : (tool->flags & SQ_TOOL_ACTS) != 0;
    if (find_entry(&config->security.deny, tool->name)) {
        return "--deny";
    }
    return config->tools.read_only && is_hidden ? "--read-only" : NULL;
}

enum sq_policy_asks
sq_policy_asks(const struct sq_config *config, const struct sq_tool *tool) {
    const struct sq_strings *list = &config->security.confirm;
    enum sq_policy_asks asks = SQ_ASKS_NOBODY;
    for (size_t i = 0; i < list->count && asks != SQ_ASKS_PERSON; i++) {
        const char *who = rest_of(list->items[i], tool->name);
        if (who) {
            asks = strcmp(who, "person") == 0 ? SQ_ASKS_PERSON : SQ_ASKS_CLIENT;
        }
    }
    return asks;
}

/* Returns whether an operation changes a device. */
static bool
is_action(const struct sq_tool *tool) {
    return tool->flags & SQ_TOOL_ACTS && !(tool->flags & SQ_TOOL_FILES);
}

bool
sq_policy_needs_app(const struct sq_config *config,
                    const struct sq_tool *tool) {
    /* Its steps are judged themselves; waking shows nothing but the lock. */
    return config->security.allow_apps.count > 0 && is_action(tool)
        && strcmp(tool->name, "steps") != 0 && strcmp(tool->name, "wake") != 0;
}

static bool
fail_app(struct sq_span app, const char *what, const struct sq_config *config,
         struct sq_err *err) {
    sq_fail_quoting(err, SQ_ERR_REFUSED,
                    "%s is %.*s, which --allow-app does "
                    "not allow",
                    what, (int)app.len, app.ptr);
    return sq_fail_hint(err,
                        "Nothing was done. @Launch an allowed app by its "
                        "package, such as %.100s.",
                        config->security.allow_apps.items[0]);
}

bool
sq_policy_allows(const struct sq_config *config,
                 const struct sq_policy_act *act, struct sq_err *err) {
    const struct sq_strings *devices = &config->security.allow_devices;
    if (act->device && devices->count > 0
        && !has_text(devices, sq_span_of(act->device))) {
        sq_fail(err, SQ_ERR_REFUSED, "device %s is not allowed: --allow-device",
                act->device);
        return sq_fail_hint(err, "Use %.100s.", devices->items[0]);
    }
    if (!sq_policy_needs_app(config, act->tool)) {
        return true;
    }
    const struct sq_strings *apps = &config->security.allow_apps;
    if (act->named.len > 0) {
        return has_text(apps, act->named)
            || fail_app(act->named, "the app", config, err);
    }
    if (!act->front[0]) {
        sq_fail(err, SQ_ERR_REFUSED,
                "it is not known which app is in front, and --allow-app allows "
                "only some");
        return sq_fail_hint(err, "Nothing was done. @Launch an allowed app.");
    }
    return has_text(apps, sq_span_of(act->front))
        || fail_app(sq_span_of(act->front), "the app in front", config, err);
}

bool
sq_policy_allows_secret(const struct sq_config *config, struct sq_span name,
                        const char *front, struct sq_err *err) {
    const struct sq_strings *list = &config->secrets.allow;
    bool is_known = false;
    for (size_t i = 0; i < list->count; i++) {
        struct sq_span place = sq_span_of(list->items[i]);
        struct sq_span entry;
        if (sq_span_take_until(&place, '=', &entry)
            && sq_span_equal(entry, name)) {
            is_known = true;
            if (front[0] && sq_span_is(place, front)) {
                return true;
            }
        }
    }
    if (!is_known) {
        sq_fail_quoting(err, SQ_ERR_REFUSED,
                        "the secret \"%.*s\" is not one that may be typed "
                        "(--allow-secret)",
                        (int)(name.len < 64 ? name.len : 64), name.ptr);
    } else {
        sq_fail_quoting(err, SQ_ERR_REFUSED,
                        "the secret \"%.*s\" may not be typed into %s "
                        "(--allow-secret)",
                        (int)(name.len < 64 ? name.len : 64), name.ptr,
                        front[0] ? front : "an app that is not known");
    }
    return sq_fail_hint(
        err, "Nothing was typed. ${Ask the person to allow it, "
             "or to type it|Allow it with --allow-secret NAME=APP}.");
}

static bool
is_any_or(const char *rule, const char *act) {
    return !rule[0] || !act[0] || strcmp(rule, act) == 0;
}

bool
sq_policy_is_about(const struct sq_policy_scope *rule,
                   const struct sq_policy_scope *act) {
    return (!rule->operation[0] || !act->operation[0]
            || is_name(sq_span_of(rule->operation), act->operation))
        && is_any_or(rule->app, act->app)
        && is_any_or(rule->client, act->client)
        && is_any_or(rule->device, act->device);
}

bool
sq_policy_count(struct sq_action_rate *rate, const struct sq_tool *tool,
                int max, int64_t now_ns, struct sq_err *err) {
    if (max == 0 || !is_action(tool) || strcmp(tool->name, "steps") == 0) {
        return true;
    }
    pthread_mutex_lock(&rate->mutex);
    const int count = SQ_MAX_ACTIONS_PER_MINUTE;
    int64_t oldest_ns = rate->at_ns[(rate->next - max + count) % count];
    bool ok = oldest_ns == 0 || now_ns - oldest_ns >= MINUTE_NS;
    if (ok) {
        rate->at_ns[rate->next] = now_ns;
        rate->next = (rate->next + 1) % count;
    }
    pthread_mutex_unlock(&rate->mutex);
    if (ok) {
        return true;
    }
    int64_t wait_ns = MINUTE_NS - (now_ns - oldest_ns);
    sq_fail(err, SQ_ERR_LIMIT,
            "%d actions within a minute are the limit of this server "
            "(--max-actions-per-minute)",
            max);
    return sq_fail_hint(
        err, "Nothing was done. Wait %lld seconds.",
        (long long)((wait_ns + NS_PER_SECOND - 1) / NS_PER_SECOND));
}

static bool
fail_entry(const char *option, const char *entry, const char *why,
           struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "%s \"%.80s\" %s", option, entry, why);
    return sq_fail_hint(err, "squint rtfm lists the operations.");
}

/* A list of operations, and what its entries may have. */
struct names {
    const char *option;
    const struct sq_strings *list;
    bool may_ask;      /* NAME=client, NAME=person */
    bool reads_secret; /* only operations that show more than the screen */
};

static bool
check_entry(const struct names *names, const char *entry,
            const struct sq_tool *(*find)(struct sq_span name),
            struct sq_err *err) {
    size_t len = strcspn(entry, "=");
    const struct sq_tool *tool = find((struct sq_span){ entry, len });
    const char *who = entry[len] ? entry + len + 1 : "client";
    if (!tool || (entry[len] && !names->may_ask)) {
        return fail_entry(names->option, entry, "names no operation", err);
    }
    if (names->reads_secret && !(tool->flags & SQ_TOOL_PRIVATE)) {
        return fail_entry(names->option, entry,
                          "reads no more than the screen shows", err);
    }
    return strcmp(who, "client") == 0 || strcmp(who, "person") == 0
        || fail_entry(names->option, entry, "must end in =client or =person",
                      err);
}

bool
sq_policy_check(const struct sq_config *config,
                const struct sq_tool *(*find)(struct sq_span name),
                struct sq_err *err) {
    const struct names lists[] = {
        { "--deny", &config->security.deny, false, false },
        { "--confirm", &config->security.confirm, true, false },
        { "--allow-read", &config->security.allow_read, false, true },
    };
    bool ok = true;
    for (size_t k = 0; k < SQ_COUNT(lists); k++) {
        for (size_t i = 0; ok && i < lists[k].list->count; i++) {
            ok = check_entry(&lists[k], lists[k].list->items[i], find, err);
        }
    }
    return ok;
}

/* Joins two lists of what is refused. */
static bool
join(const struct sq_strings *base, const struct sq_strings *own,
     struct sq_arena *arena, struct sq_strings *out, struct sq_err *err) {
    size_t count = base->count + own->count;
    const char **items =
        count > 0 ? sq_arena_alloc(arena, count, sizeof(*items), err) : NULL;
    if (count > 0 && !items) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        items[i] =
            i < base->count ? base->items[i] : own->items[i - base->count];
    }
    *out = (struct sq_strings){ items, count };
    return true;
}

/* Takes the shorter of two lists of what is allowed; empty: everything. */
static bool
choose(const char *key, const struct sq_strings *base,
       const struct sq_strings *own, struct sq_strings *out,
       struct sq_err *err) {
    for (size_t i = 0; base->count > 0 && i < own->count; i++) {
        if (!has_text(base, sq_span_of(own->items[i]))) {
            sq_fail(err, SQ_ERR_ARGUMENT,
                    "%s \"%.80s\" is not allowed by the configuration of the "
                    "server",
                    key, own->items[i]);
            return sq_fail_hint(err,
                                "A policy of a token can only allow less.");
        }
    }
    *out = own->count > 0 ? *own : *base;
    return true;
}

bool
sq_policy_narrow(const struct sq_config *base, const struct sq_config *own,
                 struct sq_arena *arena, struct sq_config *out,
                 struct sq_err *err) {
    struct sq_config made = *base;
    int max = own->security.max_actions_per_minute;
    if (max > 0
        && (base->security.max_actions_per_minute == 0
            || max < base->security.max_actions_per_minute)) {
        made.security.max_actions_per_minute = max;
    }
    if (!base->tools.read_only) {
        made.tools.read_only = own->tools.read_only;
        made.security.allow_read = own->security.allow_read;
    }
    bool ok = join(&base->security.deny, &own->security.deny, arena,
                   &made.security.deny, err)
           && join(&base->security.confirm, &own->security.confirm, arena,
                   &made.security.confirm, err)
           && choose("security.allowDevices", &base->security.allow_devices,
                     &own->security.allow_devices, &made.security.allow_devices,
                     err)
           && choose("security.allowApps", &base->security.allow_apps,
                     &own->security.allow_apps, &made.security.allow_apps, err)
           && (own->secrets.allow.count == 0 || base->secrets.allow.count == 0
               || choose("secrets.allow", &base->secrets.allow,
                         &own->secrets.allow, &made.secrets.allow, err));
    if (ok) {
        *out = made;
    }
    return ok;
}
