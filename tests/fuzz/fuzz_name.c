/*
 * Parses any bytes as a file name: a name that can be rebuilt is rebuilt
 * exactly, and the order of the patterns does not matter.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "archive/names/layout.h"
#include "archive/names/name.h"
#include "fuzz/fuzz.h"

static struct sq_zone *made;

static void
destroy_zone(void) {
    sq_zone_destroy(made);
}

static const struct sq_zone *
zone(void) {
    if (!made) {
        bool ok = sq_zone_create("CET-1CEST,M3.5.0,M10.5.0/3", &made, NULL)
               && atexit(destroy_zone) == 0;
        assert(ok);
    }
    return made;
}

static void
check_name(struct sq_span name) {
    struct sq_shot shot = { 0 };
    struct sq_shot again = { 0 };
    uint8_t first = 0;
    char text[SQ_NAME_SIZE];
    bool known = sq_name_parse(name, zone(), &first, &shot);
    /* Each input tries one row; the unit tests try them all. */
    uint8_t start = (uint8_t)(name.len % (sq_name_strategy_count() + 1));
    struct sq_shot other = { 0 };
    bool same = sq_name_parse(name, zone(), &start, &other) == known
             && memcmp(&shot, &other, sizeof(shot)) == 0;
    assert(same);
    if (!known || shot.flags & SQ_SHOT_LITERAL) {
        return;
    }
    size_t len = sq_name_format(&shot, shot.flags & SQ_SHOT_THUMB, text);
    assert(len == name.len && memcmp(text, name.ptr, len) == 0);
    bool ok =
        sq_name_parse((struct sq_span){ text, len }, zone(), &first, &again);
    assert(ok && memcmp(&shot, &again, sizeof(shot)) == 0);
}

/* A numbered name is stored, with the time of the file's change. */
static void
check_counted(struct sq_span name) {
    struct sq_shot shot = { 0 };
    char shape[SQ_SHAPE_SIZE];
    bool counted = sq_name_is_counted(name);
    bool ok = sq_name_parse_counted(name, 1772172884, zone(), &shot);
    assert(ok == counted);
    assert(!ok
           || (shot.utc == 1772172884 && shot.flags & SQ_SHOT_LITERAL
               && sq_name_is_by_change(&shot)));
    sq_shape_of(name, shape);
    assert(memchr(shape, '\0', sizeof(shape)));
}

/* The same bytes as nested folders. */
static void
check_folders(struct sq_span rest) {
    sq_place place = SQ_PLACE_ROOT;
    struct sq_span piece;
    char path[SQ_LAYOUT_PATH_SIZE];
    while (sq_span_take_until(&rest, '/', &piece)
           && sq_layout_enter(place, piece, &place)) {
        assert(sq_layout_is_place(place));
        size_t len = sq_layout_path(place, path);
        assert(len >= piece.len
               && memcmp(path + len - piece.len, piece.ptr, piece.len) == 0);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span input = { (const char *)data, size };
    check_name(input);
    check_counted(input);
    check_folders(input);
    return 0;
}
