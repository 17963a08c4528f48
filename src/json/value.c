/* Access to JSON values, and the sorted index of large objects. */
#include "json/reader.h"

#include <limits.h>
#include <string.h>

#include "json/private.h"

/*
 * Objects with up to this many members are searched linearly, larger ones by a
 * sorted index.
 */
#define FEW_MEMBERS 8

static struct sq_span
key_of(const struct sq_json *member) {
    return (struct sq_span){ member->key, member->key_len };
}

/* Any total order works. This one rarely needs to compare bytes. */
static int
compare_keys(struct sq_span a, struct sq_span b) {
    if (a.len != b.len) {
        return a.len < b.len ? -1 : 1;
    }
    return a.len ? memcmp(a.ptr, b.ptr, a.len) : 0;
}

static int
compare_members(const struct sq_json *a, const struct sq_json *b) {
    return compare_keys(key_of(a), key_of(b));
}

static void
sift_down(struct sq_json **heap, size_t at, size_t count) {
    struct sq_json *moving = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count
            && compare_members(heap[child], heap[child + 1]) < 0) {
            child++;
        }
        if (compare_members(moving, heap[child]) >= 0) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = moving;
}

/*
 * Heapsort: O(n log n) for any input, no allocation, no recursion. A hash table
 * is open to collision attacks, and qsort may allocate memory.
 */
static void
sort_members(struct sq_json **members, size_t count) {
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(members, i, count);
    }
    for (size_t last = count; last-- > 1;) {
        struct sq_json *largest = members[0];
        members[0] = members[last];
        members[last] = largest;
        sift_down(members, 0, last);
    }
}

static bool
check_few_members(const struct sq_json *object,
                  const struct sq_json **duplicate) {
    for (const struct sq_json *b = object->first; b; b = b->next) {
        for (const struct sq_json *a = object->first; a != b; a = a->next) {
            if (compare_members(a, b) == 0) {
                *duplicate = b;
                return false;
            }
        }
    }
    return true;
}

bool
sq_json_index_members(struct sq_json *object, struct sq_arena *arena,
                      const struct sq_json **duplicate, struct sq_err *err) {
    if (object->count <= FEW_MEMBERS) {
        return check_few_members(object, duplicate);
    }
    struct sq_json **members =
        sq_arena_alloc(arena, object->count, sizeof(struct sq_json *), err);
    if (!members) {
        return false;
    }
    size_t count = 0;
    for (struct sq_json *m = object->first; m; m = m->next) {
        members[count++] = m;
    }
    sort_members(members, count);
    for (size_t i = 1; i < count; i++) {
        const struct sq_json *a = members[i - 1];
        const struct sq_json *b = members[i];
        if (compare_members(a, b) == 0) {
            *duplicate = a->key_at > b->key_at ? a : b; /* the later one */
            return false;
        }
    }
    object->by_key = members;
    return true;
}

bool
sq_json_is(const struct sq_json *value, enum sq_json_kind kind) {
    return value && value->kind == kind;
}

static bool
has_children(const struct sq_json *value) {
    return sq_json_is(value, SQ_JSON_OBJECT)
        || sq_json_is(value, SQ_JSON_ARRAY);
}

static const struct sq_json *
search_index(const struct sq_json *object, struct sq_span key) {
    size_t low = 0;
    size_t high = object->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sq_json *member = object->by_key[middle];
        int order = compare_keys(key, key_of(member));
        if (order == 0) {
            return member;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

static const struct sq_json *
search_list(const struct sq_json *object, struct sq_span key) {
    const struct sq_json *member = object->first;
    while (member && compare_keys(key, key_of(member)) != 0) {
        member = member->next;
    }
    return member;
}

const struct sq_json *
sq_json_get_span(const struct sq_json *value, struct sq_span key) {
    if (!value || value->kind != SQ_JSON_OBJECT) {
        return NULL;
    }
    return value->by_key ? search_index(value, key) : search_list(value, key);
}

size_t
sq_json_count(const struct sq_json *value) {
    return has_children(value) ? value->count : 0;
}

const struct sq_json *
sq_json_first(const struct sq_json *value) {
    return has_children(value) ? value->first : NULL;
}

const struct sq_json *
sq_json_next(const struct sq_json *value) {
    return value ? value->next : NULL;
}

struct sq_span
sq_json_key(const struct sq_json *value) {
    return value ? key_of(value) : (struct sq_span){ 0 };
}

bool
sq_json_string(const struct sq_json *value, struct sq_span *out) {
    if (!sq_json_is(value, SQ_JSON_STRING)) {
        return false;
    }
    *out = value->text;
    return true;
}

bool
sq_json_bool(const struct sq_json *value, bool *out) {
    if (!sq_json_is(value, SQ_JSON_BOOL)) {
        return false;
    }
    *out = value->boolean;
    return true;
}

bool
sq_json_number(const struct sq_json *value, struct sq_span *out) {
    if (!sq_json_is(value, SQ_JSON_NUMBER)) {
        return false;
    }
    *out = value->text;
    return true;
}

bool
sq_json_int(const struct sq_json *value, int64_t *out) {
    struct sq_span number;
    return sq_json_number(value, &number)
        && sq_span_to_exact_int64(number, out);
}

bool
sq_json_double(const struct sq_json *value, double *out) {
    struct sq_span number;
    return sq_json_number(value, &number) && sq_span_to_double(number, out);
}

struct sq_span
sq_json_text_of(const struct sq_json *value, const char *key) {
    struct sq_span text = { 0 };
    sq_json_string(sq_json_get(value, key), &text);
    return text;
}

bool
sq_json_bool_of(const struct sq_json *value, const char *key) {
    bool truth = false;
    sq_json_bool(sq_json_get(value, key), &truth);
    return truth;
}

int
sq_json_int_of(const struct sq_json *value, const char *key) {
    int64_t number = 0;
    sq_json_int(sq_json_get(value, key), &number);
    return number >= INT_MIN && number <= INT_MAX ? (int)number : 0;
}
