#include "image/pipeline/scale.h"

#include "unit/image/pipeline/scale_reference.h"

#define MAX_INPUTS 2400

static const int pairs[][2] = {
    { 1, 1 },       { 1, 2 },     { 1, 7 },       { 1, 100 },   { 2, 1 },
    { 3, 1 },       { 100, 1 },   { 2, 3 },       { 3, 2 },     { 5, 4 },
    { 4, 5 },       { 7, 7 },     { 16, 8 },      { 17, 8 },    { 10, 3 },
    { 3, 10 },      { 8, 2 },     { 64, 63 },     { 63, 64 },   { 97, 31 },
    { 120, 3 },     { 400, 10 },  { 31, 97 },     { 50, 2000 }, { 1080, 450 },
    { 2400, 1000 }, { 540, 450 }, { 1920, 1000 }, { 999, 333 }, { 1000, 999 },
};
#define PAIRS (SQ_COUNT(pairs))

/* The part of the last input that remains after halving up to three times. */
static const double short_by[] = { 0, 0.5, 0.25, 0.75, 0.875 };
#define SHORTS (SQ_COUNT(short_by))

static bool
make(struct sq_weights *weights, int inputs, double extent, int outputs,
     enum sq_kernel kernel) {
    return T_OK(
        sq_weights_init(weights, inputs, extent, outputs, kernel, &t_err));
}

static const int16_t *
values_of(const struct sq_weights *weights, int output) {
    return weights->value + (size_t)output * (size_t)weights->taps;
}

/* The weight of an input for an output, wherever it is stored. */
static int
weight_at(const struct sq_weights *weights, int output, int input) {
    int k = input - weights->first[output];
    return k >= 0 && k < weights->used[output] ? values_of(weights, output)[k]
                                               : 0;
}

static bool
output_is_sound(const struct sq_weights *w, int inputs, int o) {
    const int16_t *value = values_of(w, o);
    int sum = 0;
    bool padding = true;
    for (int k = 0; k < w->taps; k++) {
        sum += value[k];
        padding = padding && (k < w->used[o] || value[k] == 0);
    }
    return T_INT(sum, SQ_WEIGHT_ONE) && T(padding) && T(w->used[o] >= 1)
        && T(w->used[o] <= w->taps) && T(w->first[o] >= 0)
        && T(w->first[o] + w->used[o] <= inputs) && T(value[0] != 0)
        && T(value[w->used[o] - 1] != 0);
}

static bool
groups_fit(const struct sq_weights *w) {
    int most = 0;
    for (int o = 0; o < w->outputs; o++) {
        most = w->used[o] > most ? w->used[o] : most;
    }
    return T(w->groups * SQ_TAP_GROUP >= most)
        && T((w->groups - 1) * SQ_TAP_GROUP < most);
}

/* The scaler keeps the last `taps` rows and never needs earlier ones. */
static bool
windows_move_on(const struct sq_weights *w) {
    int read = 0;
    for (int o = 0; o < w->outputs; o++) {
        int end = w->first[o] + w->used[o];
        read = end > read ? end : read;
        if (!T(read - w->first[o] <= w->taps)) {
            return false;
        }
    }
    return true;
}

static bool
all_is_sound(int inputs, double extent, int outputs, enum sq_kernel kernel) {
    T_FREED(sq_weights_finish) struct sq_weights w = { 0 };
    bool ok = make(&w, inputs, extent, outputs, kernel)
           && T_INT(w.outputs, outputs) && T_INT(w.taps % SQ_TAP_GROUP, 0);
    for (int o = 0; ok && o < outputs; o++) {
        ok = output_is_sound(&w, inputs, o);
    }
    ok = ok && groups_fit(&w) && windows_move_on(&w);
    if (!ok) {
        printf("# %d (%g) to %d, kernel %d\n", inputs, extent, outputs,
               (int)kernel);
    }
    return ok;
}

T_CASE(weights_sum_to_one_and_stay_inside) {
    for (size_t p = 0; p < PAIRS; p++) {
        for (size_t s = 0; s < SHORTS; s++) {
            for (int kernel = 0; kernel < SQ_KERNELS; kernel++) {
                T(all_is_sound(pairs[p][0], pairs[p][0] - short_by[s],
                               pairs[p][1], (enum sq_kernel)kernel));
            }
        }
    }
}

T_CASE(weights_of_random_sizes_are_valid) {
    for (int n = 0; n < 600; n++) {
        int inputs = (int)t_random_between(1, 300);
        int outputs = (int)t_random_between(1, 300);
        double missing = (double)t_random_between(0, 7) / 8;
        T(all_is_sound(inputs, inputs - missing, outputs,
                       (enum sq_kernel)(n % SQ_KERNELS)));
    }
}

/*
 * Each weight is the exact one, rounded. Only one per output, which corrects
 * the sum, may differ by more.
 */
static bool
agrees_with_reference(const struct sq_weights *w, int inputs, double factor,
                      enum sq_kernel kernel) {
    static double exact[MAX_INPUTS];
    for (int o = 0; o < w->outputs; o++) {
        reference_weights(kernel, inputs, factor, o, exact);
        int off = 0;
        for (int i = 0; i < inputs; i++) {
            double error = fabs(weight_at(w, o, i) - exact[i] * SQ_WEIGHT_ONE);
            off += error > 0.5 + 1e-6;
            if (!T(error <= 1 + w->used[o] / 2.0)) {
                return false;
            }
        }
        if (!T(off <= 1)) {
            return false;
        }
    }
    return true;
}

T_CASE(weights_match_the_kernels) {
    for (size_t p = 0; p < PAIRS; p++) {
        for (int n = 0; n < SQ_KERNELS * 2; n++) {
            enum sq_kernel kernel = (enum sq_kernel)(n / 2);
            double extent = pairs[p][0] - n % 2 * 0.5;
            T_FREED(sq_weights_finish) struct sq_weights w = { 0 };
            if (make(&w, pairs[p][0], extent, pairs[p][1], kernel)
                && !T(agrees_with_reference(&w, pairs[p][0],
                                            extent / pairs[p][1], kernel))) {
                printf("# %d (%g) to %d, kernel %d\n", pairs[p][0], extent,
                       pairs[p][1], (int)kernel);
            }
        }
    }
}

/*
 * A mirrored picture is scaled to the mirrored result, except for the
 * correction.
 */
T_CASE(weights_are_symmetric) {
    for (size_t p = 0; p < PAIRS; p++) {
        for (int kernel = 0; kernel < SQ_KERNELS; kernel++) {
            int inputs = pairs[p][0];
            int outputs = pairs[p][1];
            struct sq_weights w = { 0 };
            if (!make(&w, inputs, inputs, outputs, (enum sq_kernel)kernel)) {
                continue;
            }
            for (int o = 0; o < outputs; o++) {
                int unlike = 0;
                for (int i = 0; i < inputs; i++) {
                    int mirrored =
                        weight_at(&w, outputs - 1 - o, inputs - 1 - i);
                    unlike += abs(weight_at(&w, o, i) - mirrored) > 1;
                }
                T(unlike <= 2);
            }
            sq_weights_finish(&w);
        }
    }
}

T_CASE(area_weights_are_the_covered_parts) {
    struct sq_weights w = { 0 };
    /* Each output covers two and a half inputs. */
    static const int want[2][5] = { { 2, 2, 1, 0, 0 }, { 0, 0, 1, 2, 2 } };
    make(&w, 5, 5, 2, SQ_KERNEL_AREA);
    for (int o = 0; o < 2; o++) {
        for (int i = 0; i < 5; i++) {
            int exact = want[o][i] * SQ_WEIGHT_ONE / 5;
            T(abs(weight_at(&w, o, i) - exact) <= 2);
        }
    }
    sq_weights_finish(&w);
    make(&w, 32, 32, 4, SQ_KERNEL_AREA);
    for (int i = 0; i < 32; i++) {
        T_INT(weight_at(&w, i / 8, i), SQ_WEIGHT_ONE / 8);
    }
    sq_weights_finish(&w);
    /* Three inputs, the last one only half: 2.5 in one. */
    make(&w, 3, 2.5, 1, SQ_KERNEL_AREA);
    T(abs(weight_at(&w, 0, 2) - SQ_WEIGHT_ONE / 5) <= 1);
    sq_weights_finish(&w);
}

T_CASE(axis_of_unchanged_size_is_copied) {
    static const int sizes[] = { 1, 2, 5, 64, 451 };
    for (size_t s = 0; s < SQ_COUNT(sizes); s++) {
        for (int kernel = 0; kernel < SQ_KERNELS; kernel++) {
            T_FREED(sq_weights_finish) struct sq_weights w = { 0 };
            make(&w, sizes[s], sizes[s], sizes[s], (enum sq_kernel)kernel);
            for (int o = 0; o < sizes[s]; o++) {
                T_INT(w.used[o], 1);
                T_INT(w.first[o], o);
            }
        }
    }
}

T_CASE(single_input_gives_every_output) {
    for (int kernel = 0; kernel < SQ_KERNELS; kernel++) {
        T_FREED(sq_weights_finish) struct sq_weights w = { 0 };
        make(&w, 1, 1, 100, (enum sq_kernel)kernel);
        for (int o = 0; o < 100; o++) {
            T_INT(w.first[o], 0);
            T_INT(w.used[o], 1);
            T_INT(values_of(&w, o)[0], SQ_WEIGHT_ONE);
        }
    }
}

T_ALLOC_CASE(survives_every_failed_allocation, 4) {
    struct sq_weights w = { .outputs = 42 };
    bool ok = sq_weights_init(&w, 100, 100, 30, SQ_KERNEL_LANCZOS3, err);
    if (!ok) {
        T_INT(w.outputs, 42);
        T(w.first == NULL);
    }
    sq_weights_finish(&w);
    sq_weights_finish(&w);
    return ok;
}
