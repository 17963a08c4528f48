/* Computes the token cost of pictures for each family of models. */
#include "image/measure/measure.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "util/limits.h"

/*
 * All arithmetic is in integers. The providers define their rules with real
 * numbers; where a quotient is exactly a whole patch, floating point could
 * count one patch more. All products fit 64 bits for all int sides.
 */

#define CLAUDE_PATCH 28
#define OPENAI_PATCH 32
#define OPENAI_TILE 512
#define OPENAI_TILED_LONG 2048
#define OPENAI_TILED_SHORT 768
#define GEMINI_SMALL 384
#define GEMINI_MIN_CROP 256
#define GEMINI_MAX_CROP 768

struct sq_token_family {
    /* Returns the size after the provider's resizing. */
    struct sq_size (*resize)(const struct sq_token_profile *profile,
                             struct sq_size size);
    /* Returns the tokens of a picture that is not resized. */
    int64_t (*count)(const struct sq_token_profile *profile,
                     struct sq_size resized);
};

enum rounding {
    HALF_UP,
    HALF_EVEN,
};

/* Returns value * times / by, at least 1, for times <= by. */
static int
side_scaled(int value, int times, int by, enum rounding rounding) {
    int64_t product = (int64_t)value * times;
    int64_t quotient = product / by;
    int64_t below = product % by;
    int64_t above = by - below;
    bool tie_goes_up = rounding == HALF_UP || quotient % 2 == 1;
    if (below > above || (below == above && tie_goes_up)) {
        quotient++;
    }
    return quotient < 1 ? 1 : (int)quotient;
}

/* Scales `size` to the given long side, which is not longer than its own. */
static struct sq_size
with_long_side(struct sq_size size, int long_side, enum rounding rounding) {
    if (size.width >= size.height) {
        return (struct sq_size){ long_side, side_scaled(size.height, long_side,
                                                        size.width, rounding) };
    }
    return (struct sq_size){
        side_scaled(size.width, long_side, size.height, rounding), long_side
    };
}

/* Returns how many pieces cover a side. */
static int64_t
pieces(int side, int piece) {
    return ((int64_t)side + piece - 1) / piece;
}

static int64_t
grid(struct sq_size size, int piece) {
    return pieces(size.width, piece) * pieces(size.height, piece);
}

static struct sq_size
keep_size(const struct sq_token_profile *profile, struct sq_size size) {
    (void)profile;
    return size;
}

static bool
claude_fits(const struct sq_token_profile *profile, struct sq_size size) {
    int long_side = sq_size_long_side(size);
    return pieces(long_side, CLAUDE_PATCH) * CLAUDE_PATCH <= profile->max_edge
        && grid(size, CLAUDE_PATCH) <= profile->max_patches;
}

/* Finds the longest long side that fits, as the provider does. */
static struct sq_size
claude_resize(const struct sq_token_profile *profile, struct sq_size size) {
    if (claude_fits(profile, size)) {
        return size;
    }
    int low = 1;
    int high = sq_size_long_side(size);
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (claude_fits(profile, with_long_side(size, middle, HALF_EVEN))) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return with_long_side(size, low, HALF_EVEN);
}

static int64_t
claude_count(const struct sq_token_profile *profile, struct sq_size resized) {
    (void)profile;
    return grid(resized, CLAUDE_PATCH);
}

static int64_t
square_root_floor(int64_t value) {
    int64_t root = 0;
    for (int64_t bit = (int64_t)1 << 30; bit > 0; bit /= 2) {
        if ((root + bit) * (root + bit) <= value) {
            root += bit;
        }
    }
    return root;
}

/*
 * The provider scales by r = sqrt(max_patches * 32^2 / (w * h)), then further
 * down until one side is a whole number of patches and the other does not
 * exceed one. As w * r / 32 = sqrt(max_patches * w / h), the whole patches of
 * both sides are integer square roots, and the smaller scale applies.
 */
static struct sq_size
patch_shrink(struct sq_size size, int max_patches) {
    int64_t columns =
        square_root_floor((int64_t)max_patches * size.width / size.height);
    int64_t rows =
        square_root_floor((int64_t)max_patches * size.height / size.width);
    int width = (int)columns * OPENAI_PATCH;
    int height = (int)rows * OPENAI_PATCH;
    if ((int64_t)width * size.height <= (int64_t)height * size.width) {
        height = side_scaled(size.height, width, size.width, HALF_UP);
    } else {
        width = side_scaled(size.width, height, size.height, HALF_UP);
    }
    return (struct sq_size){ width, height };
}

/*
 * The edge limits of all profiles are low, so a size within them that has too
 * many patches is not extremely narrow: no side shrinks to 0.
 */
static struct sq_size
patch_resize(const struct sq_token_profile *profile, struct sq_size size) {
    struct sq_size resized = size;
    if (sq_size_long_side(size) > profile->max_edge) {
        resized = with_long_side(size, profile->max_edge, HALF_UP);
    }
    if (grid(resized, OPENAI_PATCH) > profile->max_patches) {
        resized = patch_shrink(size, profile->max_patches);
    }
    return resized;
}

/* Rounded up: 256 patches at 1.2 are billed as 308. */
static int64_t
patch_count(const struct sq_token_profile *profile, struct sq_size resized) {
    return (grid(resized, OPENAI_PATCH) * profile->unit + 99) / 100;
}

static struct sq_size
tile_resize(const struct sq_token_profile *profile, struct sq_size size) {
    (void)profile;
    int64_t long_side = sq_size_long_side(size);
    int64_t short_side = sq_size_short_side(size);
    bool long_decides =
        OPENAI_TILED_LONG * short_side <= OPENAI_TILED_SHORT * long_side;
    if (long_decides && long_side > OPENAI_TILED_LONG) {
        return with_long_side(size, OPENAI_TILED_LONG, HALF_UP);
    }
    if (!long_decides && short_side > OPENAI_TILED_SHORT) {
        /* Scales `size` to the given short side. */
        if (size.width >= size.height) {
            return (struct sq_size){ side_scaled(size.width, OPENAI_TILED_SHORT,
                                                 size.height, HALF_UP),
                                     OPENAI_TILED_SHORT };
        }
        return (struct sq_size){ OPENAI_TILED_SHORT,
                                 side_scaled(size.height, OPENAI_TILED_SHORT,
                                             size.width, HALF_UP) };
    }
    return size;
}

static int64_t
tile_count(const struct sq_token_profile *profile, struct sq_size resized) {
    return profile->base + grid(resized, OPENAI_TILE) * profile->unit;
}

/*
 * Crops are taken from the original picture and scaled separately, so the
 * picture as a whole is never shrunk. A larger picture may cost less, because
 * its crops grow with the short side.
 */
static int64_t
crop_count(const struct sq_token_profile *profile, struct sq_size resized) {
    if (sq_size_long_side(resized) <= GEMINI_SMALL) {
        return profile->unit;
    }
    int crop = (int)((int64_t)sq_size_short_side(resized) * 2 / 3);
    crop = crop < GEMINI_MIN_CROP ? GEMINI_MIN_CROP : crop;
    crop = crop > GEMINI_MAX_CROP ? GEMINI_MAX_CROP : crop;
    return grid(resized, crop) * profile->unit;
}

static int64_t
fixed_count(const struct sq_token_profile *profile, struct sq_size resized) {
    (void)resized;
    return profile->base;
}

static const struct sq_token_family claude = { claude_resize, claude_count };
static const struct sq_token_family patch = { patch_resize, patch_count };
static const struct sq_token_family tile = { tile_resize, tile_count };
static const struct sq_token_family crops = { keep_size, crop_count };
static const struct sq_token_family fixed = { keep_size, fixed_count };

/* clang-format off */
static const struct sq_token_profile profiles[] = {
    /* name, title, family, edge, patches, base, unit */
    { "claude", "Claude up to 4.6", &claude, 1568, 1568, 0, 0, 0 },
    { "claude-hires", "Claude 4.7 and later", &claude, 2576, 4784, 0, 0, 0 },
    { "gpt-4o", "GPT-4o, 4.1 and 4.5", &tile, 0, 0, 85, 170, 0 },
    { "gpt-5", "GPT-5", &tile, 0, 0, 70, 140, 0 },
    { "gpt-o3", "OpenAI o1 and o3", &tile, 0, 0, 75, 150, 0 },
    { "gpt-4o-mini", "GPT-4o mini", &tile, 0, 0, 2833, 5667, 0 },
    { "computer-use", "computer-use-preview", &tile, 0, 0, 65, 129, 0 },
    { "gpt-patch-mini", "GPT-4.1 mini", &patch, 2048, 1536, 0, 162, 0 },
    { "gpt-patch-nano", "GPT-4.1 nano", &patch, 2048, 1536, 0, 246, 0 },
    /* Documented like the two above, but billed like this in 2026. */
    { "gpt-5-mini", "GPT-5 mini", &patch, 2048, 1536, 0, 120, 0 },
    { "gpt-5-nano", "GPT-5 nano", &patch, 2048, 1536, 0, 150, 0 },
    { "o4-mini", "OpenAI o4-mini", &patch, 2048, 1536, 0, 172, 0 },
    { "gpt-patch", "GPT-5.2 and Codex models", &patch, 2048, 1536, 0, 100, 0 },
    { "gpt-5.4", "GPT-5.4, high detail", &patch, 2048, 2500, 0, 120, 0 },
    { "gpt-5.5", "GPT-5.5, original detail", &patch, 6000, 10000, 0, 120, 0 },
    { "gemini-2", "Gemini up to 2.5", &crops, 0, 0, 0, 258, 1536 },
    /*
     * About 1.1k for any size, so a smaller picture saves nothing. Hosts limit
     * the side.
     */
    { "gemini-3", "Gemini 3", &fixed, 0, 0, 1120, 0, 2000 },
};
/* clang-format on */

const struct sq_token_profile *
sq_token_profile_find(const char *name) {
    const struct sq_token_profile *profile;
    for (size_t i = 0; (profile = sq_token_profile_at(i)); i++) {
        if (strcmp(profile->name, name) == 0) {
            break;
        }
    }
    return profile;
}

const struct sq_token_profile *
sq_token_profile_at(size_t index) {
    size_t count = sizeof(profiles) / sizeof(profiles[0]);
    return index < count ? &profiles[index] : NULL;
}

struct sq_token_cost
sq_token_cost(const struct sq_token_profile *profile, struct sq_size size) {
    assert(size.width >= 1 && size.height >= 1);
    struct sq_size resized = profile->family->resize(profile, size);
    int64_t tokens = profile->family->count(profile, resized);
    return (struct sq_token_cost){ tokens > INT_MAX ? INT_MAX : (int)tokens,
                                   resized };
}

static bool
is_within(const struct sq_token_profile *profile, struct sq_size size,
          int budget_tokens) {
    struct sq_token_cost cost = sq_token_cost(profile, size);
    return cost.tokens <= budget_tokens && cost.resized.width == size.width
        && cost.resized.height == size.height;
}

bool
sq_token_fit(const struct sq_token_profile *profile, struct sq_size device,
             int budget_tokens, struct sq_size *out, struct sq_err *err) {
    struct sq_size pixel = { 1, 1 };
    int least = sq_token_cost(profile, pixel).tokens;
    if (budget_tokens < least) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "no picture costs %d tokens or less with profile \"%s\"",
                budget_tokens, profile->name);
        return sq_fail_hint(err, "The smallest possible budget is %d.", least);
    }
    /* Linear search, because not every family's cost grows with the size. */
    int long_side = sq_size_long_side(device);
    long_side = long_side > SQ_MAX_SIDE ? SQ_MAX_SIDE : long_side;
    struct sq_size size = with_long_side(device, long_side, HALF_UP);
    while (!is_within(profile, size, budget_tokens)) {
        long_side--;
        size = with_long_side(device, long_side, HALF_UP);
    }
    *out = size;
    return true;
}
