/* Plays the tour of squint demo and writes its files. */
#include "demo/tour/tour.h"

#include <fcntl.h>

#include "demo/tour/private.h"
#include "page/page.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "sys/folder.h"
#include "tool/tool.h"
#include "tools/reply.h"
#include "tools/run.h"
#include "util/utf8.h"

#define MAX_STEP_BYTES ((size_t)8 << 20)
#define MAX_PAGE_BYTES ((size_t)4 << 20)
#define BYTES_PER_RANDOM_TOKEN 2 /* of random letters and digits */

static const struct sq_jpeg_opts picture_quality = {
    .quality = 92,
    .full_chroma = true,
    .optimise = true,
};

#define MAX_FILES 64 /* that a tour writes */

/* The state of a tour. */
struct tour {
    const struct sq_tour_options *options;
    struct sq_config config;
    struct sq_devices *devices;
    struct sq_session *session;
    struct sq_session *page_session; /* for pictures that only the page shows */
    int folder;                      /* -1: not open yet */
    const char *files[MAX_FILES];    /* names of the files written so far */
    size_t file_count;
    int64_t phone_ns;            /* fixed time on the phone */
    struct sq_arena arena;       /* of one step */
    struct sq_image picture;     /* of one step */
    struct sq_image before;      /* the screen before that step */
    struct sq_img_pt disc;       /* the disc in the last picture */
    struct sq_size picture_size; /* the size of that picture */
    struct sq_size device;
    struct sq_tour_cost total;
    bool is_complete;   /* all files are written */
    struct sq_buf page; /* the HTML of the steps so far */
    struct sq_buf log;  /* the same as JSON */
    struct sq_buf *text;
};

static int64_t
now_ns(const struct tour *tour) {
    return tour->options->now_ns
             ? tour->options->now_ns(tour->options->clock_context)
             : sq_clock_monotonic_ns();
}

/* Fixed, because a new minute would appear as a change on the screen. */
static int64_t
phone_clock(void *context) {
    const struct tour *tour = context;
    return tour->phone_ns;
}

static bool
create_devices(struct tour *tour, struct sq_err *err) {
    const struct sq_session_options session = {
        .max_dimension = sq_reply_max_dimension(&tour->config),
    };
    struct sq_devices_options devices = {
        .demo = sq_demo_options_of(&tour->config),
    };
    devices.demo.now_ns = phone_clock;
    devices.demo.clock_context = tour;
    return sq_session_create(&session, &tour->session, err)
        && sq_session_create(&session, &tour->page_session, err)
        && sq_devices_create(NULL, &devices, &tour->devices, err);
}

static void
finish_tour(struct tour *tour) {
    sq_devices_destroy(tour->devices);
    sq_session_destroy(tour->session);
    sq_session_destroy(tour->page_session);
    sq_image_finish(&tour->picture);
    sq_image_finish(&tour->before);
    sq_buf_finish(&tour->page);
    sq_buf_finish(&tour->log);
    sq_arena_finish(&tour->arena);
    if (tour->folder >= 0) {
        sq_folder_close(tour->folder);
    }
}

static bool
run_call(struct tour *tour, struct sq_session *session, const char *operation,
         const struct sq_json *arguments, struct sq_result *result,
         struct sq_err *err) {
    const struct sq_call given = {
        .session = session,
        .config = &tour->config,
        .devices = tour->devices,
    };
    return sq_tools_run(operation, arguments, &given, result, err);
}

static bool
decode_block(struct tour *tour, const struct sq_result *result,
             struct sq_err *err) {
    const struct sq_block *block = sq_result_first(result, SQ_BLOCK_IMAGE);
    if (!block) {
        return sq_fail(err, SQ_ERR_FORMAT, "the answer contains no picture");
    }
    sq_image_finish(&tour->picture);
    return sq_image_decode(block->data.data, block->data.len,
                           &sq_limits_default, &tour->picture, err);
}

/* Takes a picture for the page in a separate session. */
static bool
take_picture(struct tour *tour, struct sq_err *err) {
    static const char text[] =
        "{\"deviceId\":\"demo\",\"format\":\"png\",\"elements\":false}";
    SQ_FREED(sq_result_finish) struct sq_result result = { 0 };
    const struct sq_json *arguments;
    return sq_json_parse(sq_span_of(text), &tour->arena, &arguments, err)
        && run_call(tour, tour->page_session, "screenshot", arguments, &result,
                    err)
        && decode_block(tour, &result, err);
}

/* Writes a file of the folder; it is removed if the tour fails later. */
static bool
write_file(struct tour *tour, const char *name, const struct sq_buf *bytes,
           struct sq_err *err) {
    if (tour->file_count == MAX_FILES) {
        return sq_fail(err, SQ_ERR_LIMIT, "too many files");
    }
    bool ok = sq_folder_write(tour->folder, sq_span_of(name), bytes->data,
                              bytes->len, err);
    if (ok) {
        tour->files[tour->file_count++] = name;
    }
    return ok;
}

/* Takes the picture of the screen before a step. */
static bool
take_before(struct tour *tour, struct sq_err *err) {
    if (!take_picture(tour, err)) {
        return false;
    }
    sq_image_finish(&tour->before);
    tour->before = tour->picture;
    tour->picture = (struct sq_image){ 0 };
    return true;
}

/* Writes a picture that only the page shows. */
static bool
write_picture(struct tour *tour, const char *name, const struct sq_image *image,
              struct sq_err *err) {
    struct sq_rows *rows = NULL;
    SQ_BUF(file, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_rows_from_image(image, &rows, err)
           && sq_jpeg_encode(rows, &picture_quality, &file, err)
           && write_file(tour, name, &file, err);
    sq_rows_destroy(rows);
    return ok;
}

/* Writes the picture of the answer as the model gets it. */
static bool
keep_given(struct tour *tour, const struct sq_tour_step *step,
           const struct sq_result *result, struct sq_err *err) {
    const struct sq_block *block = sq_result_first(result, SQ_BLOCK_IMAGE);
    return decode_block(tour, result, err)
        && write_file(tour, step->file, &block->data, err);
}

/* Copies a text into the arena of the step. */
static bool
keep_text(struct tour *tour, const struct sq_buf *text, struct sq_span *out,
          struct sq_err *err) {
    const struct sq_span span = sq_buf_span(text);
    out->ptr = sq_arena_strdup(&tour->arena, span, err);
    out->len = text->len;
    return out->ptr != NULL;
}

static bool
put_arguments(const struct tour *tour, const struct sq_tour_step *step,
              struct sq_buf *out, struct sq_err *err) {
    switch (step->target) {
    case SQ_TOUR_DISC:
        return sq_buf_printf(out, err, "\"x\":%d,\"y\":%d", tour->disc.x,
                             tour->disc.y);
    case SQ_TOUR_SCORE:
        return sq_buf_printf(out, err,
                             "\"region\":{\"x\":0,\"y\":%d,\"width\":%d,"
                             "\"height\":%d},\"elements\":false",
                             tour->picture_size.height / 20,
                             (tour->picture_size.width + 1) / 2,
                             (tour->picture_size.height + 9) / 10);
    case SQ_TOUR_NO_TARGET:
        break;
    }
    return sq_buf_printf(out, err, "%s", step->arguments);
}

/* Writes the call as a client would send it. */
static bool
make_call(struct tour *tour, struct sq_tour_record *record,
          struct sq_err *err) {
    SQ_BUF(text, MAX_STEP_BYTES);
    bool ok = put_arguments(tour, record->step, &text, err)
           && keep_text(tour, &text, &record->arguments, err);
    sq_buf_clear(&text);
    return ok
        && sq_buf_printf(
               &text, err, "{\"operation\":\"%s\",%.*s%s\"deviceId\":\"demo\"}",
               record->step->operation, SQ_SPAN_ARGS(record->arguments),
               record->arguments.len ? "," : "")
        && keep_text(tour, &text, &record->call, err);
}

/* Members that change from run to run: shown as dots. */
static const struct {
    const char *key;
    char stop;
    bool only_with_clock;
} volatile_members[] = {
    { "\"screenshotPath\":\"", '"', false },
    { "\"waitedMs\":", ',', true },
};

/* Takes the value of such a member, if one starts here. */
static bool
take_volatile(const struct tour *tour, struct sq_span *rest,
              struct sq_span *key) {
    for (size_t i = 0; i < SQ_COUNT(volatile_members); i++) {
        struct sq_span after_key = *rest;
        struct sq_span value;
        if ((tour->options->now_ns || !volatile_members[i].only_with_clock)
            && sq_span_take_prefix(&after_key, volatile_members[i].key)
            && sq_span_take_until(&after_key, volatile_members[i].stop,
                                  &value)) {
            *key = sq_span_of(volatile_members[i].key);
            rest->len -= (size_t)(value.ptr + value.len - rest->ptr);
            rest->ptr = value.ptr + value.len;
            return true;
        }
    }
    return false;
}

static bool
put_stable(const struct tour *tour, const struct sq_buf *answer,
           struct sq_buf *out, struct sq_err *err) {
    struct sq_span rest = sq_buf_span(answer);
    struct sq_span key;
    bool ok = true;
    while (ok && rest.len) {
        if (take_volatile(tour, &rest, &key)) {
            ok = sq_buf_append(out, key.ptr, key.len, err)
              && sq_buf_printf(out, err, "…");
        } else {
            ok = sq_buf_append(out, rest.ptr, 1, err);
            sq_span_skip(&rest, 1);
        }
    }
    return ok;
}

/* Deletes files that the operation saved the picture to. */
static void
delete_saved_file(struct tour *tour, const struct sq_json *answer) {
    const struct sq_json *fallback = sq_json_get(answer, "visualFallback");
    struct sq_span path;
    struct sq_span folder;
    if (sq_json_string(sq_json_get(fallback, "screenshotPath"), &path)) {
        while (sq_span_take_until(&path, '/', &folder)) {
        }
        sq_folder_remove(tour->folder, path);
    }
}

/*
 * Estimates the tokens of an answer. Its random parts have a fixed rate, so
 * that every tour has the same number.
 */
static int64_t
text_tokens(struct sq_span stable, size_t bytes) {
    size_t random_bytes = bytes > stable.len ? bytes - stable.len : 0;
    return (int64_t)(sq_text_tokens(stable)
                     + random_bytes / BYTES_PER_RANDOM_TOKEN);
}

/* Computes the cost of a call and its answer for the model. */
static void
count_cost(struct tour *tour, struct sq_tour_record *record,
           const struct sq_result *result, size_t text_bytes) {
    const struct sq_block *block = sq_result_first(result, SQ_BLOCK_IMAGE);
    record->cost.calls = 1;
    record->cost.text_bytes = (int64_t)text_bytes;
    record->cost.text_tokens = text_tokens(record->answer, text_bytes)
                             + (int64_t)sq_text_tokens(record->call);
    if (block) {
        const struct sq_size size = { tour->picture.width,
                                      tour->picture.height };
        record->cost.pictures = 1;
        record->cost.picture_bytes = (int64_t)block->data.len;
        record->cost.picture_tokens =
            sq_token_cost(sq_tour_profile(&tour->config), size).tokens;
    }
    struct sq_tour_cost *total = &tour->total;
    total->calls += record->cost.calls;
    total->pictures += record->cost.pictures;
    total->picture_bytes += record->cost.picture_bytes;
    total->text_bytes += record->cost.text_bytes;
    total->picture_tokens += record->cost.picture_tokens;
    total->text_tokens += record->cost.text_tokens;
    total->took_ns += record->cost.took_ns;
    record->total = *total;
}

static void
read_device_size(struct tour *tour, const struct sq_json *answer) {
    const struct sq_json *device = sq_json_get(answer, "device");
    int64_t width;
    int64_t height;
    if (sq_json_int(sq_json_get(device, "width"), &width)
        && sq_json_int(sq_json_get(device, "height"), &height)) {
        tour->device = (struct sq_size){ (int)width, (int)height };
    }
}

/*
 * Marks and saves the pictures of the step. Where a row was scrolled to first,
 * the touched point is one of the later picture.
 */
static bool
show_picture(struct tour *tour, struct sq_tour_record *record,
             const struct sq_json *answer, struct sq_err *err) {
    const struct sq_tour_step *step = record->step;
    bool is_acted = step->picture == SQ_TOUR_ACTED;
    if (is_acted && !take_picture(tour, err)) {
        return false;
    }
    record->picture =
        (struct sq_size){ tour->picture.width, tour->picture.height };
    if (step->picture == SQ_TOUR_GIVEN) {
        tour->disc = sq_tour_find_disc(&tour->picture);
        tour->picture_size = record->picture;
    }
    if (!is_acted) {
        return true;
    }
    bool is_scrolled = sq_json_get(answer, "scrolled") != NULL;
    sq_tour_mark_change(&tour->picture, answer);
    sq_tour_mark_touch(is_scrolled ? &tour->picture : &tour->before, answer);
    return write_picture(tour, step->before, &tour->before, err)
        && write_picture(tour, step->file, &tour->picture, err);
}

/* Processes the answer of a call. */
static bool
process_answer(struct tour *tour, struct sq_tour_record *record,
               const struct sq_result *result, const struct sq_buf *text,
               struct sq_err *err) {
    struct sq_span whole;
    const struct sq_json *answer;
    SQ_BUF(stable, MAX_STEP_BYTES);
    bool ok = keep_text(tour, text, &whole, err)
           && sq_json_parse(whole, &tour->arena, &answer, err);
    if (ok) {
        delete_saved_file(tour, answer);
        read_device_size(tour, answer);
    }
    ok = ok && put_stable(tour, text, &stable, err)
      && keep_text(tour, &stable, &record->answer, err);
    sq_buf_clear(&stable);
    ok = ok
      && sq_page_fill(
             &(struct sq_page){ .out = &stable, .escape = SQ_ESCAPE_NOTHING },
             sq_span_of(record->step->says), answer, err)
      && keep_text(tour, &stable, &record->description, err)
      && (record->step->picture != SQ_TOUR_GIVEN
          || keep_given(tour, record->step, result, err));
    if (ok) {
        count_cost(tour, record, result, text->len);
    }
    return ok && show_picture(tour, record, answer, err);
}

/* Makes the call. An expected error counts as an answer. */
static bool
run_step(struct tour *tour, struct sq_tour_record *record,
         struct sq_result *result, struct sq_buf *text, struct sq_err *err) {
    const struct sq_tour_step *step = record->step;
    const struct sq_json *arguments;
    struct sq_err local_err = { 0 };
    if (!sq_json_parse(record->call, &tour->arena, &arguments, err)) {
        return false;
    }
    int64_t start = now_ns(tour);
    bool ok = run_call(tour, tour->session, step->operation, arguments, result,
                       &local_err);
    record->cost.took_ns = now_ns(tour) - start;
    if (step->fails && local_err.code == SQ_ERR_SECURE_SCREEN) {
        /* Writes an error as a client would receive it. */
        struct sq_json_writer w;
        sq_json_open(&w, text);
        sq_put_text(&w, "error", sq_tool_error_name(local_err.code));
        sq_put_text(&w, "message", local_err.message);
        sq_put_text(&w, "suggestion", local_err.hint);
        return sq_json_close(&w, err);
    }
    const struct sq_block *block = sq_result_first(result, SQ_BLOCK_TEXT);
    if (!ok) {
        *err = local_err;
        return sq_fail_in(err, "step %d, %s", record->number, step->operation);
    }
    if (step->fails || !block) {
        return sq_fail(err, SQ_ERR_FORMAT, "step %d, %s: unexpected answer",
                       record->number, step->operation);
    }
    return sq_buf_append(text, block->data.data, block->data.len, err);
}

/* Prints the text so far. */
static bool
flush(const struct tour *tour, struct sq_err *err) {
    const struct sq_tour_options *options = tour->options;
    return !options->flush || options->flush(options->context, tour->text, err);
}

static bool
print_step(struct tour *tour, const struct sq_tour_record *record,
           struct sq_err *err) {
    const struct sq_tour_options *options = tour->options;
    return sq_tour_print_step(record, options->colour, tour->text, &tour->page,
                              err)
        && sq_tour_log_step(record, &tour->log, err) && flush(tour, err);
}

static bool
play_step(struct tour *tour, size_t index, struct sq_err *err) {
    struct sq_tour_record record = { .step = &sq_tour_steps[index],
                                     .number = (int)index + 1 };
    SQ_FREED(sq_result_finish) struct sq_result result = { 0 };
    SQ_BUF(text, MAX_STEP_BYTES);
    sq_arena_reset(&tour->arena);
    return make_call(tour, &record, err)
        && (record.step->picture != SQ_TOUR_ACTED || take_before(tour, err))
        && run_step(tour, &record, &result, &text, err)
        && process_answer(tour, &record, &result, &text, err)
        && print_step(tour, &record, err);
}

static bool
finish_page(struct tour *tour, struct sq_err *err) {
    const struct sq_tour_summary summary = {
        .total = tour->total,
        .profile = sq_tour_profile(&tour->config),
        .device = tour->device,
        .program = tour->options->program,
    };
    const struct sq_span body = sq_buf_span(&tour->page);
    SQ_BUF(page, MAX_PAGE_BYTES);
    bool ok = sq_tour_page(&summary, body, &page, err)
           && write_file(tour, SQ_TOUR_PAGE, &page, err)
           && sq_buf_printf(&tour->log, err, "\n]\n")
           && write_file(tour, SQ_TOUR_LOG, &tour->log, err);
    tour->is_complete = ok;
    return ok
        && sq_tour_print_end(&summary, tour->options->folder,
                             tour->options->colour, tour->text, err)
        && flush(tour, err);
}

/* Removes what a tour that failed has written, so that nothing is left. */
static void
remove_files(const struct tour *tour) {
    for (size_t i = 0; i < tour->file_count; i++) {
        sq_folder_remove(tour->folder, sq_span_of(tour->files[i]));
    }
    sq_folder_remove(tour->folder, SQ_SPAN(SQ_TOUR_MARKER));
    sq_call_rmdirat(AT_FDCWD, tour->options->folder);
}

bool
sq_tour_play(const struct sq_tour_options *options, struct sq_buf *text,
             struct sq_err *err) {
    struct tour tour = { .options = options, .folder = -1, .text = text };
    sq_arena_init(&tour.arena, MAX_STEP_BYTES);
    sq_buf_init(&tour.page, MAX_PAGE_BYTES);
    sq_buf_init(&tour.log, MAX_PAGE_BYTES);
    /*
     * Sets the tour's configuration. The steps are fixed, so only the model,
     * the demo phone and the image size are taken from the user.
     */
    const struct sq_config *wanted = tour.options->config;
    sq_config_defaults(&tour.config);
    tour.config.model = wanted->model;
    tour.config.demo = wanted->demo;
    tour.config.ui.max_image_dimension = wanted->ui.max_image_dimension;
    tour.config.output.directory = tour.options->folder;
    tour.phone_ns = options->now_ns ? now_ns(&tour) : sq_clock_wall_ns();
    bool ok = create_devices(&tour, err)
           && sq_tour_folder_open(options->folder, &tour.folder, err);
    bool is_ours = ok;
    for (size_t i = 0; ok && i < sq_tour_step_count; i++) {
        ok = (!options->report
              || options->report(options->context, i, sq_tour_step_count, err))
          && play_step(&tour, i, err);
    }
    ok = ok && finish_page(&tour, err);
    if (is_ours && !tour.is_complete) {
        remove_files(&tour);
    }
    finish_tour(&tour);
    return ok;
}
