/* Remembers the services of a device that did not answer. */
#include "device/android/link.h"

#include <stdio.h>
#include <string.h>

#include "sys/clock.h"

#define NS_PER_MS 1000000
#define NS_PER_S ((int64_t)1000 * NS_PER_MS)
/* A service that did not answer is asked again after this time. */
#define RETRY_NS (60 * NS_PER_S)
/* Had a service less time, nothing is known about it. */
#define MIN_NS (500 * (int64_t)NS_PER_MS)
/* After one service hung, all others of the call have this time together. */
#define GRACE_MS 1000

/* How many words name the service that a command asks; 0: it asks none. */
static const struct {
    const char *start;
    int words;
} commands[] = {
    { "dumpsys", 2 }, { "cmd", 2 },  { "service call", 3 }, { "settings", 1 },
    { "wm", 1 },      { "ime", 1 },  { "appops", 1 },       { "pm path", 1 },
    { "echo", 0 },    { "grep", 0 }, { "sleep", 0 },        { "getprop", 0 },
};

/* Takes the text before the next ";", "&" or "|" that is not quoted. */
static bool
take_part(struct sq_span *rest, struct sq_span *out) {
    bool is_quoted = false;
    size_t len = 0;
    for (; len < rest->len; len++) {
        char c = rest->ptr[len];
        is_quoted = is_quoted != (c == '\'');
        if (!is_quoted && (c == ';' || c == '&' || c == '|')) {
            break;
        }
    }
    *out = sq_span_trim((struct sq_span){ rest->ptr, len });
    bool any = rest->len > 0;
    len += len < rest->len;
    sq_span_skip(rest, len);
    return any;
}

static bool
has_name(struct sq_span list, struct sq_span name) {
    struct sq_span item;
    while (sq_span_take_until(&list, ',', &item)) {
        if (sq_span_equal(sq_span_trim(item), name)) {
            return true;
        }
    }
    return sq_span_equal(sq_span_trim(list), name);
}

static bool
has_names(struct sq_span list, struct sq_span names) {
    struct sq_span item;
    while (sq_span_take_until(&names, ',', &item)) {
        if (!has_name(list, sq_span_trim(item))) {
            return false;
        }
    }
    return has_name(list, sq_span_trim(names));
}

/*
 * Sets *name to the service that a part of a command asks, or empties it.
 * Returns false if the part may wait for something else.
 */
static bool
name_part(struct sq_span part, struct sq_span *name) {
    *name = (struct sq_span){ 0 };
    for (size_t i = 0; i < SQ_COUNT(commands); i++) {
        struct sq_span rest = part;
        if (sq_span_take_prefix(&rest, commands[i].start)
            && (rest.len == 0 || rest.ptr[0] == ' ')) {
            int left = commands[i].words;
            while (left > 0 && name->len < part.len) {
                left -= part.ptr[name->len] == ' ';
                name->len += left > 0;
            }
            name->ptr = part.ptr;
            /* An app that does not react delays these. */
            return !sq_span_is(*name, "cmd input")
                && !sq_span_is(*name, "cmd activity");
        }
    }
    return part.len == 0;
}

void
sq_hung_name(struct sq_span command, char out[SQ_HUNG_NAMES_SIZE]) {
    struct sq_span part;
    size_t used = 0;
    out[0] = '\0';
    while (take_part(&command, &part)) {
        struct sq_span name;
        bool is_service = name_part(part, &name);
        if (!is_service || used + name.len + 3 > SQ_HUNG_NAMES_SIZE) {
            out[0] = '\0';
            return;
        }
        if (name.len > 0 && !has_name(sq_span_of(out), name)) {
            used += (size_t)snprintf(out + used, SQ_HUNG_NAMES_SIZE - used,
                                     "%s%.*s", used ? ", " : "",
                                     SQ_SPAN_ARGS(name));
        }
    }
}

struct sq_hung_entry *
sq_hung_find(struct sq_hung *hung, const char *names) {
    int64_t now = sq_clock_monotonic_ns();
    for (int i = 0; names[0] && i < SQ_MAX_HUNG; i++) {
        struct sq_hung_entry *entry = &hung->of[i];
        if (entry->at_ns != 0 && now - entry->at_ns < RETRY_NS
            && has_names(sq_span_of(names), sq_span_of(entry->names))) {
            return entry;
        }
    }
    return NULL;
}

bool
sq_hung_fail(const struct sq_hung_entry *entry, const char *serial,
             struct sq_err *err) {
    int64_t ago = (sq_clock_monotonic_ns() - entry->at_ns) / NS_PER_S;
    sq_fail(err, SQ_ERR_TIMEOUT,
            "%s%s of device %s did not answer %d s ago and was not asked again",
            strchr(entry->names, ',') ? "one of " : "", entry->names, serial,
            (int)ago);
    return sq_fail_hint(err,
                        "Other services answer. Try again in %d s; if it still "
                        "hangs, restart the device.",
                        (int)(RETRY_NS / NS_PER_S - ago));
}

void
sq_hung_add(struct sq_hung *hung, const char *names, int64_t began_ns) {
    const int64_t now = sq_clock_monotonic_ns();
    struct sq_hung_entry *oldest = &hung->of[0];
    if (!names[0]) {
        return;
    }
    hung->lost_ns += now - began_ns;
    if (now - began_ns < MIN_NS) {
        return;
    }
    for (int i = 0; i < SQ_MAX_HUNG; i++) {
        struct sq_hung_entry *entry = &hung->of[i];
        if (strcmp(entry->names, names) == 0) {
            oldest = entry;
            break;
        }
        oldest = entry->at_ns < oldest->at_ns ? entry : oldest;
    }
    *oldest = (struct sq_hung_entry){ .at_ns = now };
    snprintf(oldest->names, sizeof(oldest->names), "%s", names);
}

struct sq_deadline
sq_hung_limit(const struct sq_hung *hung, const char *names,
              const struct sq_deadline *deadline) {
    int64_t left_ms = hung->answer_ms + GRACE_MS - hung->lost_ns / NS_PER_MS;
    left_ms = left_ms < hung->answer_ms ? left_ms : hung->answer_ms;
    return names[0]
             ? sq_deadline_within(deadline, (int)(left_ms > 0 ? left_ms : 0))
             : *deadline;
}

void
sq_hung_begin(struct sq_hung *hung, int answer_ms) {
    hung->answer_ms = answer_ms;
    hung->lost_ns = 0;
}
