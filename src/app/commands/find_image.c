/* find-image: finds a small picture in a picture file. */
#include "app/commands/command.h"
#include "app/commands/vision_file.h"
#include "image/pipeline/codec.h"
#include "image/png/png.h"
#include "tools/reply.h"
#include "tools/screen/screen_picture.h"
#include "tools/screen/screen_text.h"
#include "vision/template.h"

struct find_image_args {
    struct sq_opt_region region;
    double min_score;
    bool exact;
    bool same_scale;
    bool any_colours;
    bool json;
};

static const struct sq_arg find_image_options[] = {
    { .name = "region",
      SQ_OBJECT_FIELD(find_image_args, region, sq_opt_region, sq_region_args),
      .placeholder = "X,Y,W,H",
      .text = "only this part, in pixels of FILE" },
    SQ_NUMBER(find_image_args, min_score, "minScore", 0.5, 1,
              "lowest score of a hit", .initial = "0.92"),
    SQ_BOOL(find_image_args, exact, "exact",
            "find only places with identical pixels"),
    SQ_BOOL(find_image_args, same_scale, "sameScale",
            "do not try other sizes; faster"),
    SQ_BOOL(find_image_args, any_colours, "anyColours",
            "also its outlines in other colours"),
    SQ_BOOL(find_image_args, json, "json", "print hits as JSON"),
    SQ_ARGS_END,
};

/* Rounds to three digits after the point. */
static double
rounded(double value) {
    return (double)(int)(value * 1000 + 0.5) / 1000;
}

static bool
report_json(const struct sq_image_hits *hits, struct sq_buf *out,
            struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "hits");
    sq_json_begin_array(&w);
    for (int i = 0; i < hits->count; i++) {
        const struct sq_image_hit *hit = &hits->items[i];
        sq_json_begin_object(&w);
        sq_vision_file_put_place(&w, hit->box);
        sq_put_double(&w, "scale", rounded(hit->scale));
        sq_put_double(&w, "score", rounded(hit->score));
        sq_put_text(&w, "tier", sq_image_hit_tier_name(hit->tier));
        sq_json_end_object(&w);
    }
    sq_json_end_array(&w);
    if (!hits->count) {
        sq_put_double(&w, "nearestScore", rounded(hits->nearest));
    }
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err) && sq_buf_append(out, "\n", 1, err);
}

static const struct sq_column hit_columns[] = {
    { "X", true },     { "Y", true },    { "WIDTH", true }, { "HEIGHT", true },
    { "SCORE", true }, { "HOW", false }, { "SCALE", true }, { NULL, false },
};

static bool
put_hits(const struct sq_image_hits *hits, struct sq_page *page,
         struct sq_err *err) {
    struct sq_arena arena;
    struct sq_table table = { .arena = &arena, .columns = hit_columns };
    sq_arena_init(&arena, SQ_MAX_JSON_BYTES);
    bool ok = sq_page_printf(page, SQ_INK_STRONG, err, "Found %d times\n",
                             hits->count);
    for (int i = 0; ok && i < hits->count; i++) {
        const struct sq_image_hit *hit = &hits->items[i];
        ok = sq_vision_file_add_box(&table, hit->box, err)
          && sq_table_printf(&table, SQ_INK_PLAIN, err, "%.3f", hit->score)
          && sq_table_printf(&table, SQ_INK_PLAIN, err, "%s",
                             sq_image_hit_tier_name(hit->tier))
          && sq_table_printf(&table, SQ_INK_PLAIN, err, "%.3f", hit->scale);
    }
    ok = ok && sq_table_print(&table, page, err);
    sq_arena_finish(&arena);
    return ok;
}

static bool
report_text(const struct sq_image_hits *hits, struct sq_page *page,
            struct sq_err *err) {
    if (hits->count > 1) {
        return put_hits(hits, page, err);
    }
    if (hits->count == 0) {
        return sq_page_printf(page, SQ_INK_DOUBT, err, "Not found")
            && sq_page_printf(page, SQ_INK_PLAIN, err,
                              "; the highest score is %.3f\n", hits->nearest);
    }
    const struct sq_image_hit *hit = &hits->items[0];
    return sq_page_printf(page, SQ_INK_STRONG, err, "Found")
        && sq_page_printf(page, SQ_INK_PLAIN, err,
                          " at %d,%d (%dx%d pixels), score %.3f, %s, scale "
                          "%.3f\n",
                          hit->box.left, hit->box.top,
                          hit->box.right - hit->box.left,
                          hit->box.bottom - hit->box.top, hit->score,
                          sq_image_hit_tier_name(hit->tier), hit->scale);
}

static bool
find_image_run(const struct sq_words *words, const void *raw_args,
               struct sq_buf *out, enum sq_status *status, struct sq_err *err) {
    const struct find_image_args *args = raw_args;
    struct sq_image template = { 0 };
    struct sq_image picture = { 0 };
    struct sq_image_hits hits;
    struct sq_page page = { out, sq_vision_file_paper() };
    struct sq_template_plan plan = {
        .exact_only = args->exact,
        .same_scale = args->same_scale,
        .any_colours = args->any_colours,
        .min_score = args->min_score,
    };
    const struct sq_deadline deadline =
        sq_deadline_in(SQ_VISION_FILE_TIMEOUT_MS, NULL);
    bool ok =
        sq_command_read_image(words->word[0], &template, &plan.has_alpha, err)
        && sq_command_read_image(words->word[1], &picture, NULL, err)
        && sq_region_to_rect(&args->region, sq_image_size(&picture), &plan.area,
                             err)
        && sq_template_find(&picture, &template, &plan, &deadline, &hits, err)
        && (args->json ? report_json(&hits, out, err)
                       : report_text(&hits, &page, err));
    if (ok) {
        *status = hits.count ? SQ_STATUS_OK : SQ_STATUS_FAILED;
    }
    sq_image_finish(&picture);
    sq_image_finish(&template);
    return ok;
}

const struct sq_command sq_command_find_image = {
    .name = "find-image",
    .usage = "TEMPLATE FILE [options]",
    .summary = "find a small picture in a larger one",
    .help = "Searches FILE for TEMPLATE: first for identical pixels, then for "
            "a scaled copy\n"
            "(0.5 to 2 times) or a compressed one. Ignores transparent pixels "
            "of a PNG.\n"
            "Prints where each hit is and its score, best first.\n"
            "\n"
            "Exit status: 0 found, 1 not found or a file cannot be read, 2 the "
            "command\nline is wrong.",
    .options = find_image_options,
    .args_size = sizeof(struct find_image_args),
    .min_words = 2,
    .max_words = 2,
    .trouble = SQ_STATUS_FAILED,
    .prints_page = true,
    .run = find_image_run,
};
