/*
 * Compiles expressions to a list of steps, and follows all ways through it
 * together, one byte of the text at a time.
 */
#include "redact/pattern.h"

#include <stdint.h>
#include <string.h>

#include "util/mem.h"

#define MAX_STEPS 4096
#define MAX_SETS 256 /* each byte of an expression makes at most one */
#define MAX_COUNT 2000
#define NO_LIMIT (-1)

enum what {
    BYTE, /* goes on if the byte is in the set */
    FORK, /* goes on at both places */
    FOUND,
    AT_WORD_EDGE, /* this and the next let pass at some places only */
    NOT_AT_WORD_EDGE,
    AT_WORD_START,
    AT_WORD_END,
    AT_START,
    AT_END,
};

/* Places are relative, so that a part of the list can be copied. */
struct step {
    uint8_t what;
    uint16_t set;
    int16_t first;
    int16_t second;
};

struct set {
    uint32_t bits[8];
};

struct sq_pattern {
    struct set starts; /* bytes with which a match can begin */
    bool can_be_empty;
    size_t step_count;
    size_t set_count;
    struct set sets[MAX_SETS];
    struct step steps[MAX_STEPS];
};

struct parser {
    struct sq_pattern *pattern;
    const char *at;
    bool ignores_case;
    int depth; /* of groups */
    const char *problem;
};

static bool
has(const struct set *set, unsigned char byte) {
    return set->bits[byte / 32] >> byte % 32 & 1;
}

static void
add(struct set *set, int byte) {
    set->bits[byte / 32] |= UINT32_C(1) << byte % 32;
}

static bool
fail(struct parser *parser, const char *problem) {
    parser->problem = parser->problem ? parser->problem : problem;
    return false;
}

/* Makes room for a step before those from `at` on. */
static bool
insert(struct parser *parser, size_t at, struct step step) {
    struct sq_pattern *pattern = parser->pattern;
    if (pattern->step_count == MAX_STEPS) {
        return fail(parser, "repeats too often: it has more than 4096 steps");
    }
    memmove(&pattern->steps[at + 1], &pattern->steps[at],
            (pattern->step_count - at) * sizeof(step));
    pattern->steps[at] = step;
    pattern->step_count++;
    return true;
}

static bool
append(struct parser *parser, struct step step) {
    return insert(parser, parser->pattern->step_count, step);
}

static bool
append_all(struct parser *parser, const struct step *steps, size_t count) {
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = append(parser, steps[i]);
    }
    return ok;
}

/* Adds the letters of the other case, if it is ignored. */
static void
fold(const struct parser *parser, struct set *set) {
    for (int c = 'a'; parser->ignores_case && c <= 'z'; c++) {
        int capital = c - 'a' + 'A';
        if (has(set, (unsigned char)c) || has(set, (unsigned char)capital)) {
            add(set, c);
            add(set, capital);
        }
    }
}

static bool
append_set(struct parser *parser, struct set set) {
    struct sq_pattern *pattern = parser->pattern;
    if (pattern->set_count == MAX_SETS) {
        return fail(parser, "is too long");
    }
    pattern->sets[pattern->set_count] = set;
    return append(
        parser,
        (struct step){ .what = BYTE, .set = (uint16_t)pattern->set_count++ });
}

static struct set
all_but(struct set set) {
    for (size_t i = 0; i < 8; i++) {
        set.bits[i] = ~set.bits[i];
    }
    return set;
}

/* The classes of POSIX for ASCII, as ranges of characters. */
static const struct {
    const char *name;
    const char *ranges;
} classes[] = {
    { "alnum", "09AZaz" },   { "alpha", "AZaz" },
    { "blank", "  \t\t" },   { "cntrl", "\1\37\177\177" },
    { "digit", "09" },       { "graph", "!~" },
    { "lower", "az" },       { "print", " ~" },
    { "punct", "!/:@[`{~" }, { "space", "\t\r  " },
    { "upper", "AZ" },       { "xdigit", "09AFaf" },
};

/* Adds a class by its name; false if there is none. */
static bool
add_class(struct set *set, struct sq_span name) {
    for (size_t i = 0; i < SQ_COUNT(classes); i++) {
        if (sq_span_is(name, classes[i].name)) {
            for (const char *range = classes[i].ranges; *range; range += 2) {
                for (int c = range[0]; c <= range[1]; c++) {
                    add(set, c);
                }
            }
            return true;
        }
    }
    return false;
}

static bool
is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Refuses what means something in the expressions of other programs. */
static bool
check_escape(struct parser *parser, char c, const char *known) {
    if (sq_is_digit(c)) {
        return fail(parser, "refers back to a group, which may take too long");
    }
    return (!is_letter(c) && (unsigned char)c < 0x80) || strchr(known, c)
        || fail(parser, "has a backslash before a letter where it means "
                        "nothing: write [0-9] instead of \\d");
}

/*
 * Takes one end of a range, also as [.x.] or [=x=]. *byte is -1 for a class
 * [:name:], which is added to the set.
 */
static bool
take_end(struct parser *parser, struct set *set, int *byte) {
    const char *at = parser->at;
    if (at[0] != '[' || !at[1] || !strchr(":.=", at[1])) {
        *byte = (unsigned char)*parser->at++;
        return *byte != '\\' || check_escape(parser, at[1], "");
    }
    const char closing[] = { at[1], ']', '\0' };
    const char *end = strstr(at + 2, closing);
    struct sq_span name = { at + 2, end ? (size_t)(end - at) - 2 : 0 };
    bool is_class = closing[0] == ':';
    if (!end || (is_class ? !add_class(set, name) : name.len != 1)) {
        return fail(parser, "has an unknown name in brackets");
    }
    *byte = is_class ? -1 : (unsigned char)name.ptr[0];
    parser->at = end + 2;
    return true;
}

/* Takes one member of brackets, or a range of them. */
static bool
take_member(struct parser *parser, struct set *set) {
    int first;
    int last;
    if (!take_end(parser, set, &first)) {
        return false;
    }
    last = first;
    if (parser->at[0] == '-' && parser->at[1] && parser->at[1] != ']') {
        parser->at++;
        if (!take_end(parser, set, &last) || first < 0 || last < first) {
            return fail(parser, "has a range in brackets that ends before it "
                                "begins");
        }
    }
    for (int c = first; c >= 0 && c <= last; c++) {
        add(set, c);
    }
    return true;
}

static bool
take_brackets(struct parser *parser) {
    struct set set = { { 0 } };
    bool is_negated = *++parser->at == '^';
    parser->at += is_negated;
    bool ok;
    do {
        ok = *parser->at && take_member(parser, &set);
    } while (ok && *parser->at != ']');
    if (!ok) {
        return fail(parser, "has a [ without a ]");
    }
    parser->at++;
    fold(parser, &set);
    return append_set(parser, is_negated ? all_but(set) : set);
}

static bool
take_escape(struct parser *parser) {
    static const char edges[] = "bB<>`'"; /* from AT_WORD_EDGE on */
    char c = *++parser->at;
    const char *edge = strchr(edges, c);
    struct set set = { { 0 } };
    if (c == '\0') {
        return fail(parser, "ends with a backslash");
    }
    parser->at++;
    if (!check_escape(parser, c, "wWsSbB")) {
        return false;
    }
    if (edge) {
        uint8_t what = (uint8_t)(AT_WORD_EDGE + (edge - edges));
        return append(parser, (struct step){ .what = what });
    }
    if (c == 'w' || c == 'W') {
        add_class(&set, SQ_SPAN("alnum"));
        add(&set, '_');
    } else if (c == 's' || c == 'S') {
        add_class(&set, SQ_SPAN("space"));
    } else {
        add(&set, (unsigned char)c);
    }
    return append_set(parser, c == 'W' || c == 'S' ? all_but(set) : set);
}

static bool take_choice(struct parser *parser);

static bool
take_group(struct parser *parser) {
    parser->depth++;
    parser->at++;
    if (*parser->at == '?') {
        return fail(parser, "has \"(?\", which means nothing there: write "
                            "\"(\"");
    }
    if (!take_choice(parser) || *parser->at != ')') {
        return fail(parser, "has a ( without a )");
    }
    parser->at++;
    parser->depth--;
    return true;
}

static bool
take_atom(struct parser *parser) {
    struct set set = { { 0 } };
    switch (*parser->at) {
    case '(':
        return take_group(parser);
    case '[':
        return take_brackets(parser);
    case '\\':
        return take_escape(parser);
    case '^':
    case '$':
        return append(
            parser,
            (struct step){ .what = *parser->at++ == '^' ? AT_START : AT_END });
    case '*':
    case '+':
    case '?':
    case '{':
        return fail(parser, "repeats nothing: *, +, ? and { must follow what "
                            "they repeat");
    case '.':
        parser->at++;
        return append_set(parser, all_but(set));
    default:
        add(&set, (unsigned char)*parser->at++);
        fold(parser, &set);
        return append_set(parser, set);
    }
}

static int
take_number(struct parser *parser) {
    int number = sq_is_digit(*parser->at) ? 0 : NO_LIMIT;
    while (sq_is_digit(*parser->at) && number <= MAX_COUNT) {
        number = number * 10 + (*parser->at++ - '0');
    }
    return number;
}

/* Takes *, +, ? or {m,n}. */
static bool
take_counts(struct parser *parser, int *least, int *most) {
    char c = *parser->at++;
    *least = c == '+';
    *most = c == '?' ? 1 : NO_LIMIT;
    if (c != '{') {
        return true;
    }
    *least = *most = take_number(parser);
    if (*parser->at == ',') {
        parser->at++;
        *most = take_number(parser);
    }
    *least = *least < 0 ? 0 : *least;
    if (*parser->at != '}' || (*most != NO_LIMIT && *most < *least)
        || *least > MAX_COUNT || *most > MAX_COUNT) {
        return fail(parser, "has a { that is no number of repetitions");
    }
    parser->at++;
    return true;
}

static struct step
jump_by(int distance) {
    return (struct step){ FORK, 0, (int16_t)distance, (int16_t)distance };
}

/* Repeats the steps from `start` on. Inlined, every group would have a copy. */
__attribute__((noinline)) static bool
repeat(struct parser *parser, size_t start, int least, int most) {
    struct sq_pattern *pattern = parser->pattern;
    struct step once[MAX_STEPS];
    size_t count = pattern->step_count - start;
    bool is_endless = most == NO_LIMIT;
    memcpy(once, &pattern->steps[start], count * sizeof(*once));
    pattern->step_count = start;
    bool ok = true;
    for (int i = 0; ok && i < least; i++) {
        ok = append_all(parser, once, count);
    }
    int size = (int)count + 1;
    for (int left = is_endless ? 1 : most - least; ok && left > 0; left--) {
        /* A place that is too far away makes too many steps. */
        struct step fork = { FORK, 0, 1, (int16_t)(left * size + is_endless) };
        ok = append(parser, fork) && append_all(parser, once, count);
    }
    return ok && (!is_endless || append(parser, jump_by(-size)));
}

static bool
take_sequence(struct parser *parser) {
    bool ok = true;
    /* Outside of groups a ) stands for itself. */
    while (ok && *parser->at && *parser->at != '|'
           && (*parser->at != ')' || parser->depth == 0)) {
        size_t start = parser->pattern->step_count;
        bool is_group = *parser->at == '(';
        ok = take_atom(parser);
        /* A place, such as ^, cannot be repeated. */
        bool is_place =
            !is_group && ok && parser->pattern->steps[start].what != BYTE;
        while (ok && !is_place && *parser->at && strchr("*+?{", *parser->at)) {
            int least;
            int most;
            ok = take_counts(parser, &least, &most)
              && repeat(parser, start, least, most);
        }
    }
    return ok;
}

static bool
take_choice(struct parser *parser) {
    struct sq_pattern *pattern = parser->pattern;
    size_t start = pattern->step_count;
    if (!take_sequence(parser) || *parser->at != '|') {
        return !parser->problem;
    }
    parser->at++;
    size_t jump = pattern->step_count + 1;
    struct step fork = { FORK, 0, 1, (int16_t)(jump + 1 - start) };
    if (!insert(parser, start, fork) || !append(parser, jump_by(0))
        || !take_choice(parser)) {
        return false;
    }
    pattern->steps[jump] = jump_by((int)(pattern->step_count - jump));
    return true;
}

/* The ways that are followed: at most one per step, that of the first start. */
struct ways {
    size_t count;
    uint16_t at[MAX_STEPS];
    size_t starts[MAX_STEPS];
};

struct search {
    const struct sq_pattern *pattern;
    struct sq_span text;
    struct ways *next;
    bool passes_all; /* steps that take no byte let pass anywhere */
    uint32_t round;  /* marks which steps are in `next` */
    uint32_t marks[MAX_STEPS];
    uint16_t waiting[2 * MAX_STEPS + 1];
};

/* Sets only what is used: most of the memory is not. */
static void
start_search(struct search *search, const struct sq_pattern *pattern,
             struct sq_span text, struct ways *next) {
    search->pattern = pattern;
    search->text = text;
    search->next = next;
    search->passes_all = false;
    search->round = 1;
    memset(search->marks, 0, pattern->step_count * sizeof(search->marks[0]));
    next->count = 0;
}

static bool
is_word_at(struct sq_span text, size_t at) {
    if (at >= text.len) {
        return false;
    }
    char c = text.ptr[at];
    return sq_is_digit(c) || is_letter(c) || c == '_';
}

/* Returns whether a step that takes no byte lets pass at this place. */
static bool
passes(uint8_t what, struct sq_span text, size_t at) {
    bool before = at > 0 && is_word_at(text, at - 1);
    bool after = is_word_at(text, at);
    return what == AT_START         ? at == 0
         : what == AT_END           ? at == text.len
         : what == AT_WORD_EDGE     ? before != after
         : what == NOT_AT_WORD_EDGE ? before == after
         : what == AT_WORD_START    ? !before && after
                                    : before && !after;
}

/* Adds the ways that are reached from a step without taking a byte. */
static void
follow(struct search *search, size_t step, size_t at, size_t start) {
    size_t left = 0;
    search->waiting[left++] = (uint16_t)step;
    while (left > 0) {
        size_t now = search->waiting[--left];
        const struct step *s = &search->pattern->steps[now];
        if (search->marks[now] == search->round) {
            continue;
        }
        search->marks[now] = search->round;
        if (s->what == BYTE || s->what == FOUND) {
            size_t way = search->next->count++;
            search->next->at[way] = (uint16_t)now;
            search->next->starts[way] = start;
        } else if (s->what == FORK) {
            search->waiting[left++] = (uint16_t)((int)now + s->second);
            search->waiting[left++] = (uint16_t)((int)now + s->first);
        } else if (search->passes_all || passes(s->what, search->text, at)) {
            search->waiting[left++] = (uint16_t)(now + 1);
        }
    }
}

/*
 * Follows the ways past the byte at `at`; ways that began earlier come first,
 * so that they get the steps. Notes a match that ends before the byte.
 */
static void
advance(struct search *search, const struct ways *ways, size_t at,
        size_t *start, size_t *end) {
    const struct sq_pattern *pattern = search->pattern;
    bool has_byte = at < search->text.len;
    for (size_t i = 0; i < ways->count && ways->starts[i] <= *start; i++) {
        const struct step *step = &pattern->steps[ways->at[i]];
        if (step->what == FOUND) {
            *start = ways->starts[i];
            *end = at;
        } else if (has_byte
                   && has(&pattern->sets[step->set],
                          (unsigned char)search->text.ptr[at])) {
            follow(search, (size_t)ways->at[i] + 1, at + 1, ways->starts[i]);
        }
    }
}

bool
sq_pattern_find(const struct sq_pattern *pattern, struct sq_span text,
                size_t from, size_t *start, size_t *end) {
    struct ways lists[2];
    struct search search;
    size_t found = SIZE_MAX;
    size_t found_end = 0;
    size_t current = 0;
    start_search(&search, pattern, text, &lists[0]);
    for (size_t at = from; at <= text.len; at++) {
        struct ways *ways = &lists[current];
        bool may_start =
            pattern->can_be_empty
            || (at < text.len
                && has(&pattern->starts, (unsigned char)text.ptr[at]));
        if (found == SIZE_MAX && may_start) {
            search.next = ways; /* marked in the same round */
            follow(&search, 0, at, at);
        }
        if (ways->count > 0 || (may_start && found == SIZE_MAX)) {
            current = !current;
            search.next = &lists[current];
            search.next->count = 0;
            search.round++;
            advance(&search, ways, at, &found, &found_end);
        } else if (found != SIZE_MAX) {
            break;
        }
    }
    *start = found;
    *end = found_end;
    return found != SIZE_MAX;
}

/* Notes with which bytes a match can begin, wherever it begins. */
static void
find_starts(struct sq_pattern *pattern) {
    struct ways ways;
    struct search search;
    start_search(&search, pattern, SQ_SPAN(""), &ways);
    search.passes_all = true;
    follow(&search, 0, 0, 0);
    for (size_t i = 0; i < ways.count; i++) {
        const struct step *step = &pattern->steps[ways.at[i]];
        const struct set *set = &pattern->sets[step->set];
        pattern->can_be_empty = pattern->can_be_empty || step->what == FOUND;
        for (size_t j = 0; step->what == BYTE && j < 8; j++) {
            pattern->starts.bits[j] |= set->bits[j];
        }
    }
}

bool
sq_pattern_create(const char *text, bool ignores_case, struct sq_pattern **out,
                  const char **problem) {
    struct sq_pattern *pattern = sq_mem_zalloc(1, sizeof(*pattern));
    struct parser parser = { .pattern = pattern,
                             .at = text,
                             .ignores_case = ignores_case };
    *problem = NULL;
    bool ok = pattern && take_choice(&parser)
           && append(&parser, (struct step){ .what = FOUND });
    struct sq_pattern *kept = NULL;
    if (ok) {
        find_starts(pattern);
        /* The list of steps is last: what is not used of it is given back. */
        size_t unused = (MAX_STEPS - pattern->step_count) * sizeof(struct step);
        kept = sq_mem_resize(pattern, sizeof(*pattern) - unused);
    }
    if (!kept) {
        *problem = parser.problem;
        sq_mem_free(pattern);
        return false;
    }
    *out = kept;
    return true;
}

void
sq_pattern_destroy(struct sq_pattern *pattern) {
    sq_mem_free(pattern);
}
