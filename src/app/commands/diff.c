/* diff: reports whether and where two pictures of a screen differ. */
#include "app/commands/command.h"

#include <inttypes.h>

#include "image/measure/measure.h"
#include "json/writer.h"
#include "tools/reply.h"

struct diff_args {
    bool json;
    bool map;
    struct sq_opt_int color;
};

static const struct sq_arg diff_options[] = {
    SQ_BOOL(diff_args, map, "map", "draw the changed 64x64 tiles"),
    SQ_BOOL(diff_args, json, "json", "print the answer as JSON"),
    SQ_COLOR_ROW(diff_args),
    SQ_ARGS_END,
};

/* The data of the answer. */
struct comparison {
    struct sq_image before;
    struct sq_image after;
    struct sq_diff diff;
    int hash_distance;
    bool differ;
};

static bool
compare(const struct sq_words *words, struct comparison *c,
        struct sq_err *err) {
    if (!sq_command_read_image(words->word[0], &c->before, NULL, err)
        || !sq_command_read_image(words->word[1], &c->after, NULL, err)
        || !sq_diff_init(&c->diff, &c->before, &c->after, err)) {
        return false;
    }
    c->differ = c->diff.resized || c->diff.changed > 0;
    c->hash_distance =
        sq_hash_distance(sq_image_dhash(&c->before), sq_image_dhash(&c->after));
    return true;
}

static bool
report_json(const struct comparison *c, struct sq_buf *out,
            struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    sq_put_bool(&w, "same", !c->differ);
    sq_put_size(&w, "before", sq_image_size(&c->before));
    sq_put_size(&w, "after", sq_image_size(&c->after));
    if (c->diff.resized || c->diff.changed > 0) {
        sq_json_begin_object_of(&w, "changedRect");
        sq_put_int(&w, "x", c->diff.rect.x);
        sq_put_int(&w, "y", c->diff.rect.y);
        sq_put_int(&w, "width", c->diff.rect.width);
        sq_put_int(&w, "height", c->diff.rect.height);
        sq_json_end_object(&w);
    }
    if (!c->diff.resized) {
        sq_json_begin_object_of(&w, "tiles");
        sq_put_int(&w, "changed", c->diff.changed);
        sq_put_int(&w, "columns", c->diff.columns);
        sq_put_int(&w, "rows", c->diff.rows);
        sq_json_end_object(&w);
    }
    sq_put_int(&w, "hashDistance", c->hash_distance);
    return sq_json_end_line(&w, err);
}

static bool
draw_map(const struct sq_diff *diff, struct sq_page *page, struct sq_err *err) {
    bool ok = true;
    for (int y = 0; ok && y < diff->rows; y++) {
        for (int x = 0; ok && x < diff->columns; x++) {
            bool changed = diff->tiles[y * diff->columns + x];
            ok = changed ? sq_page_put(page, SQ_INK_DOUBT, SQ_SPAN("#"), err)
                         : sq_page_put(page, SQ_INK_FAINT, SQ_SPAN("."), err);
        }
        ok = ok && sq_buf_append(page->out, "\n", 1, err);
    }
    return ok;
}

static bool
report_text(const struct comparison *c, struct sq_page *page,
            struct sq_err *err) {
    if (!c->differ) {
        return sq_page_printf(page, SQ_INK_GOOD, err,
                              "The pictures are the same")
            && sq_page_printf(page, SQ_INK_PLAIN, err, ": %dx%d pixels\n",
                              c->after.width, c->after.height);
    }
    if (c->diff.resized) {
        return sq_page_printf(page, SQ_INK_DOUBT, err,
                              "The pictures differ in size")
            && sq_page_printf(page, SQ_INK_PLAIN, err,
                              ": %dx%d and %dx%d pixels\n", c->before.width,
                              c->before.height, c->after.width,
                              c->after.height);
    }
    const struct sq_region *r = &c->diff.rect;
    return sq_page_printf(page, SQ_INK_DOUBT, err, "The pictures differ")
        && sq_page_printf(page, SQ_INK_PLAIN, err,
                          " in %dx%d pixels at %d,%d: %d of %d tiles, hash "
                          "distance %d of 64\n",
                          r->width, r->height, r->x, r->y, c->diff.changed,
                          c->diff.columns * c->diff.rows, c->hash_distance);
}

static bool
diff_run(const struct sq_run *run, struct sq_err *err) {
    const struct diff_args *args = run->args;
    if (args->json && args->map) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "--json and --map exclude each other");
    }
    struct comparison c = { 0 };
    bool ok = compare(run->words, &c, err)
           && (args->json ? report_json(&c, run->out, err)
                          : report_text(&c, run->page, err))
           && (!args->map || draw_map(&c.diff, run->page, err));
    if (ok) {
        *run->status = c.differ ? SQ_STATUS_FAILED : SQ_STATUS_OK;
    }
    sq_diff_finish(&c.diff);
    sq_image_finish(&c.before);
    sq_image_finish(&c.after);
    return ok;
}

const struct sq_command sq_command_diff = {
    .name = "diff",
    .usage = "A B [options]",
    .summary = "say whether and where two pictures differ",
    .options = diff_options,
    .min_words = 2,
    .max_words = 2,
    .has_trouble_status = true,
    .prints_page = true,
    .run = diff_run,
};
