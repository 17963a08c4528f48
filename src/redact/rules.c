/* Compiles the rules of redaction, and applies them to text. */
#include "redact/rules.h"

#include <sodium.h>
#include <stdatomic.h>
#include <string.h>

#include "redact/pattern.h"
#include "util/mem.h"
#include "util/minmax.h"

#define MAX_TYPED 16
#define MIN_TYPED_BYTES 4 /* shorter secrets would hide too much else */

/* Patterns of the presets. OCR may read © for @, and lose underscores. */
static const struct preset {
    const char *name;
    const char *pattern; /* NULL: card numbers, which are not a pattern */
} presets[] = {
    { "cards", NULL },
    { "emails", "[A-Za-z0-9._%+-]+(@|\xc2\xa9|\xc2\xae)[A-Za-z0-9.-]+[.]"
                "[A-Za-z][A-Za-z]+" },
    { "keys", "(sk|pk|rk)[-_ ]?(live|test|proj|ant|or)?[-_ ]?"
              "[A-Za-z0-9_-]{20,}" },
    { "keys", "(gh[pousr]|github[-_ ]?pat)[-_ ]?[A-Za-z0-9_]{20,}" },
    { "keys", "(glpat|xox[abprs]|npm|hf|dop[-_ ]?v1)[-_][A-Za-z0-9_-]{10,}" },
    { "keys", "(AKIA|ASIA)[0-9A-Z]{16}" },
    { "keys", "AIza[0-9A-Za-z_-]{30,}" },
    { "keys", "eyJ[A-Za-z0-9_-]{10,}([.][A-Za-z0-9_-]+)*" },
    { "keys", "-----BEGIN [A-Z ]*PRIVATE KEY-----" },
};
#define PRESETS (SQ_COUNT(presets))

/* A region in percent of the picture's sides. */
struct region {
    double x;
    double y;
    double width;
    double height;
};

/* A secret that was typed, which is recognised without being known. */
struct typed {
    size_t len;
    unsigned char sum; /* of its bytes, to compute few digests */
    unsigned char digest[crypto_generichash_BYTES];
};

struct sq_redact_rules {
    bool has_cards;
    struct sq_pattern *patterns[SQ_REDACT_MAX_PATTERNS];
    size_t pattern_count;
    struct region regions[SQ_REDACT_MAX_REGIONS];
    size_t region_count;
    struct sq_strings apps;
    bool ignores_case;
    int id;
    /* One thread adds at a time; others may search meanwhile. */
    struct typed typed[MAX_TYPED];
    atomic_size_t typed_count;
};

static bool
fail_rule(struct sq_err *err, const char *option, const char *value,
          const char *problem) {
    sq_fail(err, SQ_ERR_ARGUMENT, "%s: \"%.100s\" %s", option, value, problem);
    return sq_fail_hint(err, "Correct it, or remove it: squint does not start "
                             "with a rule that it cannot apply.");
}

/* Compiles an expression; folds it if case is ignored. */
static bool
compile_pattern(const char *pattern, bool ignores_case, struct sq_pattern **out,
                const char **problem, struct sq_err *err) {
    SQ_BUF(folded, (size_t)4 * SQ_REDACT_PATTERN_BYTES);
    bool ok = !ignores_case
           || (sq_folded_append(sq_span_of(pattern), &folded, err)
               && sq_buf_append(&folded, "", 1, err));
    if (ok) {
        const char *text = ignores_case ? (const char *)folded.data : pattern;
        ok = sq_pattern_create(text, ignores_case, out, problem)
          || sq_fail_nomem(err);
    }
    return ok;
}

static bool
add_pattern(struct sq_redact_rules *rules, const char *option,
            const char *pattern, struct sq_err *err) {
    const char *problem = NULL;
    if (pattern[0] == '\0' || strlen(pattern) > SQ_REDACT_PATTERN_BYTES) {
        return fail_rule(err, option, pattern, "must have 1 to 256 bytes");
    }
    if (rules->pattern_count == SQ_REDACT_MAX_PATTERNS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "%s has more than %d expressions",
                       option, SQ_REDACT_MAX_PATTERNS);
    }
    struct sq_pattern *compiled = NULL;
    if (!compile_pattern(pattern, rules->ignores_case, &compiled, &problem,
                         err)) {
        return problem ? fail_rule(err, option, pattern, problem) : false;
    }
    rules->patterns[rules->pattern_count++] = compiled;
    size_t ignored;
    return !sq_pattern_find(compiled, SQ_SPAN(""), 0, &ignored, &ignored)
        || fail_rule(err, option, pattern, "also matches empty text");
}

static bool
add_preset(struct sq_redact_rules *rules, const char *name,
           struct sq_err *err) {
    bool found = false;
    bool ok = true;
    for (size_t i = 0; ok && i < PRESETS; i++) {
        if (strcmp(presets[i].name, name) != 0) {
            continue;
        }
        found = true;
        rules->has_cards = rules->has_cards || !presets[i].pattern;
        ok = !presets[i].pattern
          || add_pattern(rules, "redact.presets", presets[i].pattern, err);
    }
    return ok
        && (found
            || fail_rule(err, "redact.presets", name,
                         "is none of cards, emails and keys"));
}

/* Takes the next number of "X Y W H". */
static bool
take_number(struct sq_span *rest, double *out) {
    struct sq_span word;
    *rest = sq_span_trim(*rest);
    if (!sq_span_take_until(rest, ' ', &word)) {
        word = *rest;
        rest->len = 0;
    }
    return sq_span_to_double(word, out) && *out >= 0 && *out <= 100;
}

static bool
add_region(struct sq_redact_rules *rules, const char *text,
           struct sq_err *err) {
    struct sq_span rest = sq_span_of(text);
    struct region region;
    if (rules->region_count == SQ_REDACT_MAX_REGIONS) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "redact.regions has more than %d regions",
                       SQ_REDACT_MAX_REGIONS);
    }
    if (!take_number(&rest, &region.x) || !take_number(&rest, &region.y)
        || !take_number(&rest, &region.width)
        || !take_number(&rest, &region.height) || rest.len > 0
        || region.width <= 0 || region.height <= 0) {
        return fail_rule(err, "redact.regions", text,
                         "is not X Y WIDTH HEIGHT in percent, such as 0 0 100 "
                         "5");
    }
    rules->regions[rules->region_count++] = region;
    return true;
}

/* Fails if a rule of the file or the environment was not understood. */
static bool
check_problem(const struct sq_config *config, struct sq_err *err) {
    if (!config->redact_problem) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "%.250s", config->redact_problem);
    return sq_fail_hint(err, "Correct it: squint does not start with a rule "
                             "that it cannot apply.");
}

/* Returns a number that differs for other rules. */
static int
id_of(const struct sq_config *config) {
    const struct sq_strings *const lists[] = { &config->redact.presets,
                                               &config->redact.patterns,
                                               &config->redact.regions,
                                               &config->redact.apps };
    /* Changed when older indexes may hold what must be hidden: titles,
     * and texts while an app was unknown or two were used. */
    unsigned id = 2166136261u + 2;
    bool has_any = false;
    for (size_t i = 0; i < SQ_COUNT(lists); i++) {
        for (size_t k = 0; k < lists[i]->count; k++) {
            for (const char *c = lists[i]->items[k]; *c; c++) {
                id = (id ^ (unsigned char)*c) * 16777619u;
            }
            id = (id ^ 0xffu) * 16777619u;
        }
        id = id * 31u + (unsigned)lists[i]->count;
        has_any = has_any || lists[i]->count > 0;
    }
    return has_any ? (int)(id >> 2 | 1) : 0;
}

/* Returns the rules in *out, or frees them. */
static bool
complete(struct sq_redact_rules *rules, bool ok, struct sq_redact_rules **out) {
    if (ok) {
        *out = rules;
    } else {
        sq_redact_rules_destroy(rules);
    }
    return ok;
}

bool
sq_redact_rules_create(const struct sq_config *config,
                       struct sq_redact_rules **out, struct sq_err *err) {
    const struct sq_strings *names = &config->redact.presets;
    const struct sq_strings *patterns = &config->redact.patterns;
    const struct sq_strings *regions = &config->redact.regions;
    struct sq_redact_rules *rules = sq_mem_zalloc(1, sizeof(*rules));
    if (!rules) {
        return sq_fail_nomem(err);
    }
    rules->apps = config->redact.apps;
    rules->id = id_of(config);
    bool ok = check_problem(config, err);
    for (size_t i = 0; ok && i < names->count; i++) {
        ok = add_preset(rules, names->items[i], err);
    }
    for (size_t i = 0; ok && i < patterns->count; i++) {
        ok = add_pattern(rules, "redact.patterns", patterns->items[i], err);
    }
    for (size_t i = 0; ok && i < regions->count; i++) {
        ok = add_region(rules, regions->items[i], err);
    }
    return complete(rules, ok, out);
}

bool
sq_redact_match_create(const struct sq_redact_match *match,
                       struct sq_redact_rules **out, struct sq_err *err) {
    struct sq_redact_rules *rules = sq_mem_zalloc(1, sizeof(*rules));
    if (!rules) {
        return sq_fail_nomem(err);
    }
    rules->apps = match->apps;
    rules->ignores_case = true;
    bool ok = true;
    for (size_t i = 0; ok && i < match->patterns.count; i++) {
        ok = add_pattern(rules, match->option, match->patterns.items[i], err);
    }
    for (size_t i = 0; ok && i < match->apps.count; i++) {
        ok = match->apps.items[i][0]
          || fail_rule(err, match->option, "", "is no name");
    }
    return complete(rules, ok, out);
}

void
sq_redact_rules_destroy(struct sq_redact_rules *rules) {
    if (rules) {
        for (size_t i = 0; i < rules->pattern_count; i++) {
            sq_pattern_destroy(rules->patterns[i]);
        }
        sq_mem_free(rules);
    }
}

bool
sq_redact_has_text_rules(const struct sq_redact_rules *rules) {
    return rules->has_cards || rules->pattern_count > 0;
}

bool
sq_redact_has_app_rules(const struct sq_redact_rules *rules) {
    return rules->apps.count > 0;
}

bool
sq_redact_has_regions(const struct sq_redact_rules *rules) {
    return rules->region_count > 0;
}

int
sq_redact_rules_id(const struct sq_redact_rules *rules) {
    return rules->id;
}

/* Adds a range in order, and joins those that touch. */
static void
add_range(struct sq_redact_ranges *out, size_t start, size_t end) {
    size_t at = out->count;
    while (at > 0 && out->items[at - 1].start > start) {
        at--;
    }
    if (at > 0 && out->items[at - 1].end >= start) {
        struct sq_redact_range *before = &out->items[at - 1];
        before->end = sq_max_size(before->end, end);
        return;
    }
    if (out->count == SQ_REDACT_MAX_RANGES) {
        out->items[out->count - 1].end = SIZE_MAX;
        return;
    }
    memmove(&out->items[at + 1], &out->items[at],
            (out->count - at) * sizeof(out->items[0]));
    out->items[at] = (struct sq_redact_range){ start, end };
    out->count++;
}

/* Finds all matches of a pattern. */
static void
find_pattern(const struct sq_pattern *pattern, struct sq_span text,
             size_t offset, struct sq_redact_ranges *out) {
    size_t start;
    size_t end = 0;
    for (size_t at = 0;
         at <= text.len && sq_pattern_find(pattern, text, at, &start, &end);
         at = end > start ? end : end + 1) {
        if (end > start) {
            add_range(out, offset + start, offset + end);
        }
    }
}

/* Examines a part of a text. */
static void
find_in_part(const struct sq_redact_rules *rules, struct sq_span text,
             size_t offset, struct sq_redact_ranges *out) {
    char copy[SQ_REDACT_TEXT_BYTES];
    for (size_t i = 0; i < text.len; i++) {
        copy[i] = text.ptr[i] ? text.ptr[i] : ' ';
    }
    if (rules->has_cards) {
        size_t start;
        size_t end = 0;
        while (sq_card_find(text, end, &start, &end)) {
            add_range(out, offset + start, offset + end);
        }
    }
    for (size_t i = 0; i < rules->pattern_count; i++) {
        find_pattern(rules->patterns[i], (struct sq_span){ copy, text.len },
                     offset, out);
    }
}

static void
digest(struct sq_span text, unsigned char out[crypto_generichash_BYTES]) {
    crypto_generichash(out, crypto_generichash_BYTES,
                       (const unsigned char *)text.ptr, text.len, NULL, 0);
}

static unsigned char
sum_of(struct sq_span text) {
    unsigned sum = 0;
    for (size_t i = 0; i < text.len; i++) {
        sum += (unsigned char)text.ptr[i];
    }
    return (unsigned char)sum;
}

/* Returns the length of the typed secret that begins a text; 0: none does. */
static size_t
typed_at(const struct sq_redact_rules *rules, struct sq_span text) {
    size_t count = atomic_load(&rules->typed_count);
    for (size_t i = 0; i < count; i++) {
        const struct typed *typed = &rules->typed[i];
        struct sq_span part = { text.ptr, typed->len };
        unsigned char found[crypto_generichash_BYTES];
        if (part.len <= text.len && sum_of(part) == typed->sum) {
            digest(part, found);
            if (memcmp(found, typed->digest, sizeof(found)) == 0) {
                return typed->len;
            }
        }
    }
    return 0;
}

bool
sq_redact_hide_typed(struct sq_redact_rules *rules, struct sq_span text) {
    size_t count = atomic_load(&rules->typed_count);
    if (text.len < MIN_TYPED_BYTES || typed_at(rules, text) == text.len) {
        return true;
    }
    if (count == MAX_TYPED) {
        return false;
    }
    rules->typed[count].len = text.len;
    rules->typed[count].sum = sum_of(text);
    digest(text, rules->typed[count].digest);
    atomic_store(&rules->typed_count, count + 1);
    return true;
}

bool
sq_redact_has_typed(const struct sq_redact_rules *rules) {
    return atomic_load(&rules->typed_count) > 0;
}

bool
sq_redact_hides_text(const struct sq_redact_rules *rules) {
    return sq_redact_has_text_rules(rules) || sq_redact_has_typed(rules);
}

void
sq_redact_find(const struct sq_redact_rules *rules, struct sq_span text,
               struct sq_redact_ranges *out) {
    out->count = 0;
    for (size_t at = 0; sq_redact_has_typed(rules) && at < text.len; at++) {
        struct sq_span rest = { text.ptr + at, text.len - at };
        size_t len = typed_at(rules, rest);
        if (len > 0) {
            add_range(out, at, at + len);
        }
    }
    if (!sq_redact_has_text_rules(rules)) {
        return;
    }
    for (size_t at = 0; at < text.len; at += SQ_REDACT_TEXT_BYTES / 2) {
        size_t len = text.len - at;
        bool is_last = len <= SQ_REDACT_TEXT_BYTES;
        len = is_last ? len : SQ_REDACT_TEXT_BYTES;
        find_in_part(rules, (struct sq_span){ text.ptr + at, len }, at, out);
        if (is_last) {
            break;
        }
    }
    for (size_t i = 0; i < out->count; i++) {
        out->items[i].end = sq_min_size(out->items[i].end, text.len);
    }
}

bool
sq_redact_text(const struct sq_redact_rules *rules, struct sq_span text,
               struct sq_buf *out, struct sq_err *err) {
    struct sq_redact_ranges ranges;
    size_t at = 0;
    bool ok = true;
    sq_redact_find(rules, text, &ranges);
    for (size_t i = 0; ok && i < ranges.count; i++) {
        const struct sq_redact_range *range = &ranges.items[i];
        ok = (range->start <= at
              || sq_buf_append(out, text.ptr + at, range->start - at, err))
          && sq_buf_append(out, SQ_REDACTED_TEXT, strlen(SQ_REDACTED_TEXT),
                           err);
        at = range->end;
    }
    return ok
        && (at >= text.len
            || sq_buf_append(out, text.ptr + at, text.len - at, err));
}

bool
sq_redact_matches(const struct sq_redact_rules *rules, struct sq_span name,
                  bool *out, struct sq_err *err) {
    struct sq_redact_ranges ranges = { 0 };
    struct sq_span line;
    SQ_BUF(folded, 4 * name.len + 1);
    bool ok = sq_folded_append(name, &folded, err);
    if (ok) {
        sq_redact_find(rules, sq_buf_span(&folded), &ranges);
    }
    /* ^ and $ also mean the begin and the end of each line. */
    struct sq_span rest = sq_buf_span(&folded);
    while (ok && ranges.count == 0 && sq_span_take_line(&rest, &line)) {
        sq_redact_find(rules, sq_span_trim(line), &ranges);
    }
    *out = ranges.count > 0 || sq_redact_hides_app(rules, name);
    return ok;
}

bool
sq_redact_hides_app(const struct sq_redact_rules *rules, struct sq_span app) {
    const struct sq_strings *apps = &rules->apps;
    if (apps->count > 0 && sq_span_is(app, SQ_REDACTED_APP)) {
        return true;
    }
    for (size_t i = 0; i < apps->count; i++) {
        if (sq_folded_contains(app, apps->items[i])) {
            return true;
        }
    }
    return false;
}

size_t
sq_redact_regions(const struct sq_redact_rules *rules, struct sq_size size,
                  struct sq_rect out[SQ_REDACT_MAX_REGIONS]) {
    const struct sq_rect all = { 0, 0, size.width, size.height };
    for (size_t i = 0; i < rules->region_count; i++) {
        const struct region *region = &rules->regions[i];
        const struct sq_rect rect = {
            (int)(region->x * size.width / 100),
            (int)(region->y * size.height / 100),
            (int)((region->x + region->width) * size.width / 100 + 1),
            (int)((region->y + region->height) * size.height / 100 + 1),
        };
        out[i] = sq_rect_common(rect, all);
    }
    return rules->region_count;
}
