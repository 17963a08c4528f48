/* Patterns of names that the user has configured, checked by an example. */
#include <stdio.h>
#include <string.h>

#include "archive/names/private.h"

#define MAX_OWN 127 /* bytes of a pattern */

static char kept[SQ_NAME_SPELLINGS][MAX_OWN + 1];
static const char *spellings[SQ_NAME_SPELLINGS + 1];
static const struct sq_name_row own = {
    .about = { "archive.names", 1, "" },
    .endings = ~0U,
    .spellings = spellings,
};

const struct sq_name_row *
sq_name_own_row(void) {
    return &own;
}

static bool
has(const char *pattern, char letter) {
    const char *at = pattern;
    while ((at = strchr(at, '%')) && at[1] != letter) {
        at += at[1] ? 2 : 1;
    }
    return at != NULL;
}

/* Writes the name that an example has. */
static bool
write_example(const char *pattern, char out[SQ_NAME_SIZE], struct sq_err *err) {
    size_t len = 0;
    for (const char *at = pattern; *at; at++) {
        char letter[] = { *at, '\0' };
        const char *text = letter;
        if (*at == '%') {
            at++;
            text = *at ? sq_name_sample(*at) : NULL;
            if (!text || (*at == '^' && at != pattern + 1)
                || (*at == '*' && at[1])) {
                sq_fail(err, SQ_ERR_ARGUMENT,
                        "%s: \"%%%.1s\" has no meaning there", pattern, at);
                return sq_fail_hint(err,
                                    "docs/archive.md lists what can follow a "
                                    "percent sign.");
            }
        } else if ((unsigned char)*at < ' ' || *at == '/' || *at == 0x7f) {
            return sq_fail(err, SQ_ERR_ARGUMENT,
                           "%s: a name has no folders or control characters",
                           pattern);
        }
        len += (size_t)snprintf(out + len, SQ_NAME_SIZE - len, "%s", text);
        if (len >= SQ_NAME_SIZE - sizeof(".png")) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "the pattern is too long");
        }
    }
    out[len] = '\0';
    return true;
}

bool
sq_name_check_own(const char *pattern, char example[SQ_NAME_SIZE],
                  struct sq_err *err) {
    const char *const one[] = { pattern, NULL };
    const struct sq_name_row row = { .spellings = one };
    struct sq_shot shot;
    bool has_date = has(pattern, 'Y') && has(pattern, 'M') && has(pattern, 'D');
    bool has_time =
        has(pattern, 't')
        || (has(pattern, 'm')
            && (has(pattern, 'h') || (has(pattern, 'H') && has(pattern, 'p'))));
    if (strlen(pattern) > MAX_OWN) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the pattern is too long");
    }
    if (!write_example(pattern, example, err)) {
        return false;
    }
    if (!has(pattern, 'U') && !has(pattern, 'W') && (!has_date || !has_time)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s: it does not say when", pattern);
        return sq_fail_hint(err, "A pattern has a date and a time, such as "
                                 "%%Y-%%M-%%D_%%h-%%m-%%s, or %%U.");
    }
    if (!sq_name_parse_pattern(
            &row, (struct sq_span){ example, strlen(example) }, NULL, &shot)) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "%s: it does not match its own example, %s", pattern,
                       example);
    }
    return true;
}

bool
sq_name_set_own(const char *const *patterns, size_t count, struct sq_err *err) {
    char example[SQ_NAME_SIZE];
    if (count > SQ_NAME_SPELLINGS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "there can be %d patterns",
                       SQ_NAME_SPELLINGS);
    }
    for (size_t i = 0; i < count; i++) {
        if (!sq_name_check_own(patterns[i], example, err)) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        snprintf(kept[i], sizeof(kept[i]), "%s", patterns[i]);
        spellings[i] = kept[i];
    }
    spellings[count] = NULL;
    return true;
}
