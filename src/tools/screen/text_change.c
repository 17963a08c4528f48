/* Reads which lines of text appeared and disappeared. */
#include "tools/screen/text_change.h"

#include <stdio.h>

#include "tool/work.h"
#include "tools/reply.h"
#include "vision/reader.h"

/* Cheap: at most this share of the picture has changed. */
#define CHEAP_SHARE 4
#define CHEAP_MS 1500
#define MOST_MS 5000
#define MAX_LINE_BYTES 120
#define MIN_CONFIDENCE 50

static struct sq_rect
rect_of(const struct sq_region *region) {
    return (struct sq_rect){ region->x, region->y, region->x + region->width,
                             region->y + region->height };
}

static bool
touches(const void *context, struct sq_rect box) {
    const struct sq_two_pictures *pictures = context;
    return !sq_rect_is_empty(sq_rect_common(box, rect_of(&pictures->rect)));
}

/* Joins the words of a line; empty if none is legible. */
static void
write_line(const struct sq_text_line *line, char out[MAX_LINE_BYTES]) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < line->words.count; i++) {
        const struct sq_word *word = &line->words.items[i];
        if (word->confidence >= MIN_CONFIDENCE
            && used + word->text.len + 2 < MAX_LINE_BYTES) {
            used +=
                (size_t)snprintf(out + used, MAX_LINE_BYTES - used, "%s%.*s",
                                 used ? " " : "", SQ_SPAN_ARGS(word->text));
        }
    }
}

static bool
has_line(const struct sq_text *text, struct sq_span wanted) {
    for (int i = 0; i < text->count; i++) {
        char line[MAX_LINE_BYTES];
        write_line(&text->lines[i], line);
        if (sq_span_is(wanted, line)) {
            return true;
        }
    }
    return false;
}

/* Collects the lines of a text that the other one does not have. */
static bool
collect(struct sq_call *call, const struct sq_text *text,
        const struct sq_text *other, struct sq_span *out, int *count) {
    for (int i = 0; i < text->count && *count < SQ_MAX_CHANGED_LINES; i++) {
        char line[MAX_LINE_BYTES];
        write_line(&text->lines[i], line);
        struct sq_span span = sq_span_of(line);
        if (span.len == 0 || has_line(other, span)) {
            continue;
        }
        if (!sq_arena_keep(call->arena, &span, NULL)) {
            return false;
        }
        out[(*count)++] = span;
    }
    return true;
}

static bool
read_one(struct sq_call *call, const struct sq_image *image,
         const struct sq_two_pictures *pictures,
         const struct sq_deadline *limit, struct sq_text *out) {
    const struct sq_read_plan plan = {
        .area = { 0, 0, image->width, image->height },
        .wants = touches,
        .context = pictures,
    };
    return sq_reader_read(call->reader, image, &plan, limit, out, NULL);
}

void
sq_text_change_read(struct sq_call *call,
                    const struct sq_two_pictures *pictures, bool only_cheap,
                    struct sq_text_change *out) {
    const struct sq_image *after = pictures->after;
    int64_t changed =
        (int64_t)pictures->rect.width * pictures->rect.height * CHEAP_SHARE;
    if (!call->reader
        || (only_cheap && changed > (int64_t)after->width * after->height)) {
        return;
    }
    struct sq_text_change change = { .is_known = true };
    struct sq_text texts[2] = { { .count = 0 }, { .count = 0 } };
    const struct sq_deadline limit =
        sq_deadline_within(&call->deadline, only_cheap ? CHEAP_MS : MOST_MS);
    bool ok = sq_work_begin(call->work, true, &limit, NULL)
           && read_one(call, pictures->before, pictures, &limit, &texts[0])
           && read_one(call, after, pictures, &limit, &texts[1]);
    sq_work_end(call->work);
    ok = ok
      && collect(call, &texts[1], &texts[0], change.appeared,
                 &change.appeared_count)
      && collect(call, &texts[0], &texts[1], change.disappeared,
                 &change.disappeared_count);
    if (ok) {
        *out = change;
    }
    sq_text_finish(&texts[0]);
    sq_text_finish(&texts[1]);
}

static void
put_lines(const char *key, const struct sq_span *lines, int count,
          struct sq_json_writer *w) {
    if (!count) {
        return;
    }
    sq_json_put_key(w, key);
    sq_json_begin_array(w);
    for (int i = 0; i < count; i++) {
        sq_json_put_untrusted(w, lines[i]);
    }
    sq_json_end_array(w);
}

void
sq_text_change_put(const struct sq_text_change *change,
                   struct sq_json_writer *w) {
    if (!change->is_known) {
        return;
    }
    sq_json_put_key(w, "textChanged");
    sq_json_begin_object(w);
    put_lines("appeared", change->appeared, change->appeared_count, w);
    put_lines("disappeared", change->disappeared, change->disappeared_count, w);
    sq_json_end_object(w);
}
