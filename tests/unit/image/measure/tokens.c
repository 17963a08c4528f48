#include "image/measure/measure.h"

#include <limits.h>

#include "support/test.h"
#include "util/limits.h"

static struct sq_token_cost
cost_of(const char *name, int width, int height) {
    const struct sq_token_profile *profile = sq_token_profile_find(name);
    if (!T(profile != NULL)) {
        return (struct sq_token_cost){ 0 };
    }
    return sq_token_cost(profile, (struct sq_size){ width, height });
}

struct example {
    const char *name;
    struct sq_size size;
    struct sq_size seen;
    int tokens;
};

/* The worked examples of the vendors. */
static const struct example published[] = {
    { "claude", { 1075, 1520 }, { 924, 1307 }, 1551 },
    { "claude", { 1920, 1080 }, { 1456, 819 }, 1560 },
    { "claude-hires", { 3840, 2160 }, { 2576, 1449 }, 4784 },
    { "gpt-patch", { 1024, 1024 }, { 1024, 1024 }, 1024 },
    { "gpt-patch", { 1800, 2400 }, { 1056, 1408 }, 1452 },
    { "gpt-4o", { 1024, 1024 }, { 768, 768 }, 765 },
    { "gpt-4o", { 2048, 4096 }, { 768, 1536 }, 1105 },
    { "gemini-2", { 384, 384 }, { 384, 384 }, 258 },
    { "gemini-2", { 960, 540 }, { 960, 540 }, 6 * 258 },
};

/* Their rules computed in rational numbers, where rounding is close. */
static const struct example close_calls[] = {
    { "claude", { 1080, 2400 }, { 706, 1568 }, 1456 },
    { "claude", { 1840, 2208 }, { 1003, 1204 }, 1548 },
    { "claude-hires", { 1440, 3120 }, { 1189, 2576 }, 3956 },
    /* Halves are rounded to even. */
    { "claude", { 2448, 1544 }, { 1377, 868 }, 1550 },
    { "claude", { 1204, 1680 }, { 924, 1290 }, 1551 },
    /* The shape is computed before, not after, rounding to the edge limit. */
    { "gpt-patch", { 1448, 3558 }, { 794, 1952 }, 1525 },
    { "gpt-patch", { 3172, 1802 }, { 1632, 927 }, 1479 },
    { "gemini-2", { 900, 600 }, { 900, 600 }, 6 * 258 },
};

static void
check_examples(const struct example *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct example *row = &rows[i];
        struct sq_token_cost got =
            cost_of(row->name, row->size.width, row->size.height);
        bool ok = T_INT(got.tokens, row->tokens);
        ok = T_INT(got.resized.width, row->seen.width) && ok;
        ok = T_INT(got.resized.height, row->seen.height) && ok;
        T_STR(ok ? row->name : "wrong", row->name);
    }
}

T_CASE(vendor_examples_match) {
    check_examples(published, SQ_COUNT(published));
}

T_CASE(rounding_at_the_limits_is_exact) {
    check_examples(close_calls, SQ_COUNT(close_calls));
}

#define PROFILE_COLUMNS 8

static const char *const columns[PROFILE_COLUMNS] = {
    "claude",         "claude-hires", "gpt-4o",  "gpt-5",
    "gpt-patch-mini", "gpt-5.4",      "gpt-5.5", "gemini-3",
};

struct price_row {
    struct sq_size size;
    int tokens[PROFILE_COLUMNS];
};

/* Patches times a rate are rounded up, as billed. */
/* clang-format off */
static const struct price_row prices[] = {
    { { 256, 512 }, { 190, 190, 255, 210, 208, 154, 154, 1120 } },
    { { 450, 1000 }, { 612, 612, 425, 350, 778, 576, 576, 1120 } },
    { { 1024, 1024 }, { 1369, 1369, 765, 630, 1659, 1229, 1229, 1120 } },
    { { 1280, 720 }, { 1196, 1196, 1105, 910, 1491, 1104, 1104, 1120 } },
    { { 1920, 1080 }, { 1560, 2691, 1105, 910, 2443, 2448, 2448, 1120 } },
    { { 1080, 2400 }, { 1456, 3354, 1445, 1190, 2443, 2228, 3060, 1120 } },
    { { 3840, 2160 }, { 1560, 4784, 1105, 910, 2443, 2765, 9792, 1120 } },
};
/* clang-format on */

T_CASE(common_sizes_match_the_table) {
    for (size_t i = 0; i < SQ_COUNT(prices); i++) {
        struct sq_size size = prices[i].size;
        for (size_t k = 0; k < PROFILE_COLUMNS; k++) {
            int upright = cost_of(columns[k], size.width, size.height).tokens;
            int lying = cost_of(columns[k], size.height, size.width).tokens;
            bool ok = T_INT(upright, prices[i].tokens[k]);
            ok = T_INT(lying, prices[i].tokens[k]) && ok;
            T_STR(ok ? columns[k] : "wrong", columns[k]);
        }
    }
}

T_CASE(other_profiles_use_their_rates) {
    T_INT(cost_of("gpt-o3", 1024, 1024).tokens, 75 + 4 * 150);
    T_INT(cost_of("gpt-4o-mini", 1024, 1024).tokens, 2833 + 4 * 5667);
    T_INT(cost_of("computer-use", 1024, 1024).tokens, 65 + 4 * 129);
    T_INT(cost_of("gpt-patch-nano", 1024, 1024).tokens, 2520);
    T_INT(cost_of("o4-mini", 1024, 1024).tokens, 1762);
    T_INT(cost_of("gemini-2", 385, 100).tokens, 2 * 258);
    T_INT(cost_of("gemini-2", 3840, 2160).tokens, 5 * 3 * 258);
}

/* Input tokens measured against the API, text subtracted. */
T_CASE(measured_costs_match) {
    T_INT(cost_of("gpt-5-mini", 256, 256).tokens, 77);
    T_INT(cost_of("gpt-5-mini", 512, 512).tokens, 308);
    T_INT(cost_of("gpt-5-mini", 768, 1024).tokens, 922);
    T_INT(cost_of("gpt-5-mini", 1280, 720).tokens, 1104);
    T_INT(cost_of("gpt-5-mini", 2048, 768).tokens, 1844);
    T_INT(cost_of("gpt-5-nano", 2048, 768).tokens, 2304);
}

T_CASE(profiles_are_found_by_name) {
    size_t count = 0;
    const struct sq_token_profile *profile;
    for (; (profile = sq_token_profile_at(count)); count++) {
        T(sq_token_profile_find(profile->name) == profile);
        T(strlen(profile->title) > 0);
    }
    T(count >= 15);
    T(sq_token_profile_find("") == NULL);
    T(sq_token_profile_find("Claude") == NULL);
    T(sq_token_profile_find("claude-") == NULL);
}

T_CASE(no_size_is_too_large_to_count) {
    static const struct sq_size extremes[] = {
        { 1, 1 },
        { INT_MAX, 1 },
        { 1, INT_MAX },
        { INT_MAX, INT_MAX },
        { INT_MAX, INT_MAX / 3 },
        { 65535, 65535 },
    };
    const struct sq_token_profile *profile;
    for (size_t i = 0; (profile = sq_token_profile_at(i)); i++) {
        for (size_t k = 0; k < SQ_COUNT(extremes); k++) {
            struct sq_token_cost cost = sq_token_cost(profile, extremes[k]);
            T(cost.tokens > 0);
            T(cost.resized.width >= 1
              && cost.resized.width <= extremes[k].width);
            T(cost.resized.height >= 1
              && cost.resized.height <= extremes[k].height);
        }
    }
    T_INT(cost_of("gemini-2", INT_MAX, INT_MAX).tokens, INT_MAX);
}

/* A provider that has resized a picture does not resize the result. */
T_CASE(resized_picture_is_not_resized_again) {
    const struct sq_token_profile *profile;
    for (size_t i = 0; (profile = sq_token_profile_at(i)); i++) {
        for (int k = 0; k < 20000; k++) {
            struct sq_size size = { (int)t_random_between(1, 9000),
                                    (int)t_random_between(1, 9000) };
            struct sq_token_cost cost = sq_token_cost(profile, size);
            struct sq_token_cost again = sq_token_cost(profile, cost.resized);
            if (again.tokens != cost.tokens
                || again.resized.width != cost.resized.width
                || again.resized.height != cost.resized.height
                || cost.resized.width > size.width
                || cost.resized.height > size.height) {
                T_STR(profile->name, "");
                T_INT(size.width, -1);
                T_INT(size.height, -1);
            }
        }
    }
}

static struct sq_size
fit(const char *name, struct sq_size device, int budget) {
    struct sq_size size = { 0 };
    T_OK(sq_token_fit(sq_token_profile_find(name), device, budget, &size,
                      &t_err));
    return size;
}

struct fit_row {
    const char *name;
    int budget;
    struct sq_size device;
    struct sq_size want;
};

static const struct fit_row fits[] = {
    /* 17 x 36 patches fit slightly more than 450x1000. */
    { "claude", 612, { 1080, 2400 }, { 454, 1008 } },
    { "claude", 612, { 2400, 1080 }, { 1008, 454 } },
    { "claude", 611, { 1080, 2400 }, { 448, 996 } },
    { "claude", 1, { 1080, 2400 }, { 13, 28 } },
    /* The provider's own limit ends a large budget. */
    { "claude", 99999, { 1920, 1080 }, { 1456, 819 } },
    { "claude", 99999, { 300, 200 }, { 300, 200 } },
    { "gpt-4o", 1105, { 1080, 2400 }, { 691, 1536 } },
    { "gpt-4o", 99999, { 1080, 2400 }, { 768, 1707 } },
    { "gpt-5.4", 99999, { 1080, 2400 }, { 922, 2048 } },
    { "gpt-5.5", 99999, { 1080, 2400 }, { 1080, 2400 } },
    { "gemini-2", 258, { 1080, 2400 }, { 173, 384 } },
    { "gemini-3", 1120, { 1080, 2400 }, { 1080, 2400 } },
};

T_CASE(budget_gives_the_largest_picture) {
    for (size_t i = 0; i < SQ_COUNT(fits); i++) {
        const struct fit_row *row = &fits[i];
        struct sq_size got = fit(row->name, row->device, row->budget);
        bool ok = T_INT(got.width, row->want.width);
        ok = T_INT(got.height, row->want.height) && ok;
        T_STR(ok ? row->name : "wrong", row->name);
    }
}

/* A profile's own default is not dearer than the specification's, for screens
   up to 2.6 times as long as wide. */
T_CASE(a_larger_default_costs_the_same) {
    const struct sq_token_profile *profile;
    for (size_t i = 0; (profile = sq_token_profile_at(i)); i++) {
        for (int width = 925; profile->default_side && width <= 6240;
             width += 5) {
            const struct sq_size device = { width, 2400 };
            const int side = profile->default_side;
            struct sq_token_cost usual =
                sq_token_cost(profile, sq_scaled_size(device, 1000));
            struct sq_token_cost own =
                sq_token_cost(profile, sq_scaled_size(device, side));
            T(own.tokens <= usual.tokens);
            T_INT(sq_size_long_side(own.resized),
                  sq_size_long_side(sq_scaled_size(device, side)));
        }
    }
    T_INT(sq_token_profile_find("claude")->default_side, 0);
    T_INT(sq_token_profile_find("gemini-3")->default_side, 2000);
}

T_CASE(budget_below_the_minimum_is_refused) {
    static const struct {
        const char *name;
        int budget;
        const char *hint;
    } rows[] = {
        { "claude", 0, "The smallest possible budget is 1." },
        { "claude", INT_MIN, "The smallest possible budget is 1." },
        { "gpt-4o", 254, "The smallest possible budget is 255." },
        { "gpt-patch-mini", 1, "The smallest possible budget is 2." },
        { "gemini-2", 257, "The smallest possible budget is 258." },
        { "gemini-3", 1119, "The smallest possible budget is 1120." },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_size out = { 12, 34 };
        T_FAILS(sq_token_fit(sq_token_profile_find(rows[i].name),
                             (struct sq_size){ 1080, 2400 }, rows[i].budget,
                             &out, &t_err),
                SQ_ERR_ARGUMENT);
        T_STR(t_err.hint, rows[i].hint);
        T_INT(out.width, 12);
        T_INT(out.height, 34);
    }
}

/* The device's shape at a long side, computed independently of the code. */
static struct sq_size
shape_at(struct sq_size device, int long_side) {
    int64_t device_long = sq_size_long_side(device);
    int64_t short_side =
        (2 * (int64_t)sq_size_short_side(device) * long_side + device_long)
        / (2 * device_long);
    int brief = short_side < 1 ? 1 : (int)short_side;
    bool wide = device.width >= device.height;
    return (struct sq_size){ wide ? long_side : brief,
                             wide ? brief : long_side };
}

static bool
would_do(const struct sq_token_profile *profile, struct sq_size size,
         int budget) {
    struct sq_token_cost cost = sq_token_cost(profile, size);
    return cost.tokens <= budget && cost.resized.width == size.width
        && cost.resized.height == size.height;
}

static bool
fit_is_best(const struct sq_token_profile *profile, struct sq_size device,
            struct sq_size got, int budget) {
    int long_side = sq_size_long_side(got);
    struct sq_size shape = shape_at(device, long_side);
    bool ok = would_do(profile, got, budget) && shape.width == got.width
           && shape.height == got.height;
    int limit = sq_size_long_side(device);
    for (int larger = long_side + 1; ok && larger <= limit; larger++) {
        ok = !would_do(profile, shape_at(device, larger), budget);
    }
    return ok;
}

T_CASE(no_larger_picture_fits_the_budget) {
    const struct sq_token_profile *profile;
    for (size_t i = 0; (profile = sq_token_profile_at(i)); i++) {
        int least = sq_token_cost(profile, (struct sq_size){ 1, 1 }).tokens;
        for (int k = 0; k < 150; k++) {
            struct sq_size device = { (int)t_random_between(1, 4000),
                                      (int)t_random_between(1, 4000) };
            int budget = least + (int)t_random_between(0, 1 << (k % 14));
            struct sq_size got = { 0 };
            struct sq_size more = { 0 };
            bool ok = sq_token_fit(profile, device, budget, &got, NULL)
                   && fit_is_best(profile, device, got, budget)
                   && sq_token_fit(profile, device, budget + 50, &more, NULL)
                   && sq_size_long_side(more) >= sq_size_long_side(got);
            if (!ok) {
                T_STR(profile->name, "");
                T_INT(device.width, -1);
                T_INT(device.height, -1);
                T_INT(budget, -1);
            }
        }
    }
}

/*
 * A larger picture of the same shape never costs less, except for Gemini's
 * crops.
 */
T_CASE(cost_does_not_decrease_with_the_size) {
    const struct sq_token_profile *profile;
    struct sq_size device = { 1080, 2400 };
    for (size_t i = 0; (profile = sq_token_profile_at(i)); i++) {
        int before = 0;
        bool grows = true;
        for (int long_side = 1; long_side <= 2400; long_side++) {
            struct sq_size size = shape_at(device, long_side);
            struct sq_token_cost cost = sq_token_cost(profile, size);
            bool shrunk = cost.resized.width != size.width
                       || cost.resized.height != size.height;
            grows = grows && (shrunk || cost.tokens >= before);
            before = shrunk ? before : cost.tokens;
        }
        T(grows || strcmp(profile->name, "gemini-2") == 0);
    }
}

T_CASE(huge_devices_are_limited) {
    struct sq_size got =
        fit("gemini-3", (struct sq_size){ INT_MAX, INT_MAX }, 1120);
    T_INT(got.width, SQ_MAX_SIDE);
    T_INT(got.height, SQ_MAX_SIDE);
    got = fit("claude", (struct sq_size){ INT_MAX, 1 }, 20);
    T_INT(got.width, 560);
    T_INT(got.height, 1);
}
