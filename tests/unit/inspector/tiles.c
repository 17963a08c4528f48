#include "inspector/private.h"

#include "support/test.h"

#define COLUMNS 9
#define ROWS 20

static uint8_t tiles[COLUMNS * ROWS];
static struct sq_region parts[SQ_INSPECTOR_MAX_PARTS];

/* A picture whose last column and row are narrower than a tile. */
static const struct sq_size size = { COLUMNS * SQ_DIFF_TILE - 30,
                                     ROWS *SQ_DIFF_TILE - 10 };

static size_t
find(void) {
    const struct sq_diff diff = {
        .columns = COLUMNS,
        .rows = ROWS,
        .tiles = tiles,
        .rect = { 1, 2, 3, 4 },
    };
    return sq_inspector_parts(&diff, size, parts);
}

T_CASE(nothing_changed) {
    memset(tiles, 0, sizeof(tiles));
    T_INT((int)find(), 0);
}

T_CASE(runs_are_joined) {
    memset(tiles, 0, sizeof(tiles));
    for (int row = 2; row < 5; row++) {
        memset(tiles + row * COLUMNS + 3, 1, 4);
    }
    T_INT((int)find(), 1);
    T_INT(parts[0].x, 3 * SQ_DIFF_TILE);
    T_INT(parts[0].y, 2 * SQ_DIFF_TILE);
    T_INT(parts[0].width, 4 * SQ_DIFF_TILE);
    T_INT(parts[0].height, 3 * SQ_DIFF_TILE);
}

T_CASE(parts_end_with_the_picture) {
    memset(tiles, 1, sizeof(tiles));
    T_INT((int)find(), 1);
    T_INT(parts[0].width, size.width);
    T_INT(parts[0].height, size.height);
}

T_CASE(many_become_one) {
    for (size_t i = 0; i < sizeof(tiles); i++) {
        tiles[i] = (i / COLUMNS + i % COLUMNS) % 2;
    }
    T_INT((int)find(), 1);
    T_INT(parts[0].x, 1);
    T_INT(parts[0].height, 4);
}

/* Each changed tile is in exactly one part, and no other tile is in any. */
T_CASE(parts_cover_what_changed) {
    for (unsigned seed = 1; seed <= 200; seed++) {
        uint32_t state = seed * 2654435761u;
        memset(tiles, 0, sizeof(tiles));
        for (int i = 0; i < 12; i++) {
            state = state * 1664525u + 1013904223u;
            tiles[(state >> 8) % sizeof(tiles)] = 1;
        }
        size_t count = find();
        for (int at = 0; at < COLUMNS * ROWS; at++) {
            int x = at % COLUMNS * SQ_DIFF_TILE;
            int y = at / COLUMNS * SQ_DIFF_TILE;
            int covering = 0;
            for (size_t i = 0; i < count; i++) {
                covering += x >= parts[i].x && x < parts[i].x + parts[i].width
                         && y >= parts[i].y && y < parts[i].y + parts[i].height;
            }
            T_INT(covering, tiles[at]);
        }
    }
}
