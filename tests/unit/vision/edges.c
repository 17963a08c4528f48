#include "vision/lines.h"

#include "image/pipeline/cpu.h"
#include "support/test.h"

#define MAX_WIDTH 400

/* The definition, one bit at a time. */
static bool
is_edge(const uint8_t *pixels, int width, int x, int threshold) {
    for (int channel = 0; channel < 3; channel++) {
        int least = 255;
        int most = 0;
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < width; i++) {
            int value = pixels[i * 4 + channel];
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        if (most - least >= threshold) {
            return true;
        }
    }
    return false;
}

static void
check_row(const uint8_t *pixels, int width, const int *thresholds, int count) {
    uint64_t bits[SQ_EDGE_LEVELS][MAX_WIDTH / 64 + 1];
    struct sq_edge_level levels[SQ_EDGE_LEVELS];
    memset(bits, 0xff, sizeof(bits));
    for (int i = 0; i < count; i++) {
        levels[i] = (struct sq_edge_level){ thresholds[i], bits[i] };
    }
    sq_edges_row(pixels, width, levels, count);
    for (int x = 0; x < (int)sq_edge_words(width) * 64 * count; x++) {
        int level = x % count;
        int at = x / count;
        bool wanted =
            at < width && is_edge(pixels, width, at, thresholds[level]);
        if (!T(((bits[level][at / 64] >> (at % 64)) & 1) == wanted)) {
            return;
        }
    }
}

T_CASE(every_level_marks_the_same_pixels) {
    static uint8_t pixels[MAX_WIDTH * 4];
    for (int level = SQ_CPU_SCALAR; level < SQ_CPU_LEVELS; level++) {
        sq_cpu_limit((enum sq_cpu)level);
        for (int width = 1; width <= MAX_WIDTH; width++) {
            const int thresholds[SQ_EDGE_LEVELS] = {
                (int)t_random_between(1, 255), (int)t_random_between(1, 255),
                (int)t_random_between(1, 255)
            };
            int noise = (int)t_random_between(1, 255);
            for (int i = 0; i < width * 4; i++) {
                pixels[i] = (uint8_t)(t_random() % (unsigned)noise);
            }
            check_row(pixels, width, thresholds, 1 + width % SQ_EDGE_LEVELS);
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
}

T_CASE(colours_of_equal_brightness_differ) {
    uint8_t pixels[3 * 4] = { 0 };
    uint64_t bits;
    pixels[0] = 200;     /* red */
    pixels[4 + 1] = 102; /* green of the same brightness */
    pixels[8 + 1] = 102;
    sq_edges_row(pixels, 3, &(struct sq_edge_level){ 100, &bits }, 1);
    T_INT(bits, 3);
}

T_CASE(the_fourth_byte_is_ignored) {
    uint8_t pixels[100 * 4] = { 0 };
    uint64_t bits[2];
    for (int i = 0; i < 100; i++) {
        pixels[i * 4 + 3] = (uint8_t)t_random();
    }
    sq_edges_row(pixels, 100, &(struct sq_edge_level){ 1, bits }, 1);
    T(bits[0] == 0 && bits[1] == 0);
}
