/*
 * The rules of redaction: which text, which parts of a picture and which apps
 * must not be shown. Compiled once from the configuration. Thread-safe.
 */
#ifndef SQ_REDACT_RULES_H
#define SQ_REDACT_RULES_H

#include "config/config.h"
#include "geom/rect.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_REDACT_MAX_PATTERNS 32
#define SQ_REDACT_PATTERN_BYTES 256
#define SQ_REDACT_MAX_REGIONS 32

/* Longer texts are examined in parts of this size that overlap by half. */
#define SQ_REDACT_TEXT_BYTES 2048

struct sq_redact_rules;

/*
 * Compiles the rules. Fails with SQ_ERR_ARGUMENT, which names the option, if a
 * rule is invalid or the configuration has a problem with any of them: a rule
 * that is ignored would show what it should hide.
 */
bool sq_redact_rules_create(const struct sq_config *config,
                            struct sq_redact_rules **out, struct sq_err *err);

/* Rules that only recognise names, such as those of apps to exclude. */
struct sq_redact_match {
    struct sq_strings patterns; /* case and diacritics are ignored */
    struct sq_strings apps;
    const char *option; /* for errors */
};
bool sq_redact_match_create(const struct sq_redact_match *match,
                            struct sq_redact_rules **out, struct sq_err *err);

/* Returns in *out whether such rules recognise a name. */
bool sq_redact_matches(const struct sq_redact_rules *rules, struct sq_span name,
                       bool *out, struct sq_err *err);

/* Accepts NULL. */
void sq_redact_rules_destroy(struct sq_redact_rules *rules);

bool sq_redact_has_text_rules(const struct sq_redact_rules *rules);

/*
 * Hides a secret that is about to be typed from now on, wherever it appears.
 * Only a digest is stored. Secrets of fewer than 4 bytes are not hidden. Fails
 * if there are too many. Calls must not overlap.
 */
bool sq_redact_hide_typed(struct sq_redact_rules *rules, struct sq_span text);
bool sq_redact_has_typed(const struct sq_redact_rules *rules);

/* Returns whether text has to be examined, by rules or for typed secrets. */
bool sq_redact_hides_text(const struct sq_redact_rules *rules);
bool sq_redact_has_app_rules(const struct sq_redact_rules *rules);
bool sq_redact_has_regions(const struct sq_redact_rules *rules);

/*
 * Finds the first card number at or after `from`: 13 to 19 digits with a valid
 * check digit, in one piece or with single spaces, dots or dashes. A few digits
 * may be letters that a recogniser confuses with them, such as O and l.
 */
bool sq_card_find(struct sq_span text, size_t from, size_t *start, size_t *end);

/*
 * Appends a text with its characters folded. Those of ASCII remain: in an
 * expression they have a meaning, and sq_pattern ignores their case.
 */
bool sq_folded_append(struct sq_span text, struct sq_buf *out,
                      struct sq_err *err);

/* Returns whether the words of a rule are in the name; both are folded. */
bool sq_folded_contains(struct sq_span name, const char *rule);

/* Returns a number that changes with the rules; 0: there are none. */
int sq_redact_rules_id(const struct sq_redact_rules *rules);

/* Bytes of a text; end is exclusive. */
struct sq_redact_range {
    size_t start;
    size_t end;
};

#define SQ_REDACT_MAX_RANGES 256

struct sq_redact_ranges {
    struct sq_redact_range items[SQ_REDACT_MAX_RANGES]; /* sorted, disjoint */
    size_t count;
};

/*
 * Finds what the text rules hide. If there are too many ranges, the last one
 * reaches to the end of the text.
 */
void sq_redact_find(const struct sq_redact_rules *rules, struct sq_span text,
                    struct sq_redact_ranges *out);

#define SQ_REDACTED_TEXT "[redacted]"

/*
 * How many bytes may remain of a secret that was cut without a preset
 * recognising it: the name of an e-mail address is the longest, with 64 bytes.
 * A card number has less, and a key is recognised by its first bytes.
 */
#define SQ_REDACT_PART_BYTES 64

/*
 * Appends the text with SQ_REDACTED_TEXT in place of what is hidden.
 */
bool sq_redact_text(const struct sq_redact_rules *rules, struct sq_span text,
                    struct sq_buf *out, struct sq_err *err);

/* In place of the name of an activity of a hidden app. */
#define SQ_REDACTED_APP "[redacted app]"

/*
 * Returns whether an app, by its package or the name of an activity, is hidden.
 */
bool sq_redact_hides_app(const struct sq_redact_rules *rules,
                         struct sq_span app);

/*
 * Writes the hidden regions of a picture of that size, at most
 * SQ_REDACT_MAX_REGIONS. Returns their number.
 */
size_t sq_redact_regions(const struct sq_redact_rules *rules,
                         struct sq_size size,
                         struct sq_rect out[SQ_REDACT_MAX_REGIONS]);

#endif
