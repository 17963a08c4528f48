/*
 * The reading of text and the search for images, for the benchmark: does one
 * job per line of standard input and answers with one line of JSON, like
 * bench-jobs. Tesseract's own layout runs here as well, with the same library.
 */
#include <stdio.h>
#include <string.h>
#include <tesseract/capi.h>
#include <time.h>

#include "image/pipeline/codec.h"
#include "json/writer.h"
#include "request.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "util/limits.h"
#include "vision/match.h"
#include "vision/template.h"

#define MAX_LINE 8192
#define MAX_ANSWER ((size_t)16 << 20)
#define NS_PER_MS 1e6
#define LIMIT_MS 120000
#define MAX_WORKERS 8
#define WARM_UP_ROWS 400

struct state {
    struct sq_reader *reader;
    TessBaseAPI *tesseract;
};

struct job {
    struct state *state;
    const struct bench_request *request;
    struct sq_image *image;
    struct sq_json_writer *out;
};

static bool
read_image(const char *path, struct sq_image *out, struct sq_err *err) {
    struct sq_buf bytes;
    bool ok =
        sq_file_read(path, SQ_MAX_IMAGE_BYTES, &bytes, err)
        && sq_image_decode(bytes.data, bytes.len, &sq_limits_default, out, err);
    sq_buf_finish(&bytes);
    return ok;
}

static void
put_number(struct sq_json_writer *w, const char *key, double value) {
    sq_json_put_key(w, key);
    sq_json_put_double(w, value);
}

/* Adds the processor time of the workers to that of this process. */
static double
cpu_ms(const struct sq_reader *reader) {
    int pids[MAX_WORKERS];
    int count = sq_reader_pids(reader, pids, MAX_WORKERS);
    double sum = (double)sq_clock_cpu_ns() / NS_PER_MS;
    for (int i = 0; i < count; i++) {
        clockid_t clock;
        struct timespec time;
        if (clock_getcpuclockid(pids[i], &clock) == 0
            && clock_gettime(clock, &time) == 0) {
            sum += (double)time.tv_sec * 1e3 + (double)time.tv_nsec / NS_PER_MS;
        }
    }
    return sum;
}

static void
put_word(struct sq_json_writer *w, struct sq_span text, struct sq_rect box,
         int confidence) {
    sq_json_begin_array(w);
    sq_json_put_string(w, text);
    sq_json_put_double(w, (box.left + box.right) / 2.0);
    sq_json_put_double(w, (box.top + box.bottom) / 2.0);
    sq_json_put_double(w, confidence);
    sq_json_end_array(w);
}

static void
put_text(struct sq_json_writer *w, const struct sq_text *text) {
    put_number(w, "lines", text->count);
    put_number(w, "recognised", text->recognised);
    sq_json_put_key(w, "words");
    sq_json_begin_array(w);
    for (int i = 0; i < text->count; i++) {
        for (int k = 0; k < text->lines[i].words.count; k++) {
            const struct sq_word *word = &text->lines[i].words.items[k];
            put_word(w, word->text, word->box, word->confidence);
        }
    }
    sq_json_end_array(w);
}

static bool
read_timed(const struct job *job, const struct sq_read_plan *plan,
           struct sq_err *err) {
    struct sq_text text = { 0 };
    const struct sq_deadline deadline = sq_deadline_in(LIMIT_MS, NULL);
    double cpu = cpu_ms(job->state->reader);
    int64_t start = sq_clock_monotonic_ns();
    bool ok = sq_reader_read(job->state->reader, job->image, plan, &deadline,
                             &text, err);
    double ms = (double)(sq_clock_monotonic_ns() - start) / NS_PER_MS;
    put_number(job->out, "cpuMs", cpu_ms(job->state->reader) - cpu);
    put_number(job->out, "ms", ms);
    put_text(job->out, &text);
    sq_text_finish(&text);
    return ok;
}

static void
invert(struct sq_image *image) {
    size_t size = image->stride * (size_t)image->height;
    for (size_t i = 0; i < size; i++) {
        image->pixels[i] ^= 255;
    }
}

/*
 * Replaces the reader by a new one whose workers run and have read something
 * else: the top of the picture in inverted colours.
 */
static bool
renew_reader(const struct job *job, struct sq_err *err) {
    const char *program;
    int workers;
    if (!bench_request_need(job->request, "squint", &program, err)
        || !bench_request_number(job->request, "workers", 0, &workers, err)) {
        return false;
    }
    const struct sq_reader_options options = { program, "eng", workers };
    const struct sq_deadline deadline = sq_deadline_in(LIMIT_MS, NULL);
    const struct sq_read_plan plan = {
        .area = { 0, 0, job->image->width, WARM_UP_ROWS },
    };
    struct sq_text text = { 0 };
    sq_reader_destroy(job->state->reader);
    job->state->reader = NULL;
    if (!sq_reader_create(&options, &job->state->reader, err)) {
        return false;
    }
    invert(job->image);
    bool ok = sq_reader_read(job->state->reader, job->image, &plan, &deadline,
                             &text, err);
    invert(job->image);
    sq_text_finish(&text);
    return ok;
}

/* Moves the rows up and repeats the first ones at the end. */
static bool
scroll(struct sq_image *image, int rows, struct sq_err *err) {
    struct sq_image copy = { 0 };
    if (!sq_image_init(&copy, image->width, image->height, &sq_limits_default,
                       err)) {
        return false;
    }
    for (int y = 0; y < image->height; y++) {
        memcpy(sq_image_row(&copy, y),
               sq_image_row(image, (y + rows) % image->height),
               (size_t)image->width * SQ_PIXEL_BYTES);
    }
    sq_image_finish(image);
    *image = copy;
    return true;
}

/*
 * Reads the picture. new=1: nothing is known; otherwise what was read before
 * is. rows=N: only the rows from `from` on; scroll=N: moved up; find=TEXT:
 * until that is found.
 */
static bool
job_read(const struct job *job, struct sq_err *err) {
    const char *text = bench_request_text(job->request, "find");
    struct sq_text_search search;
    struct sq_arena arena;
    int is_new, rows, from, by;
    if (!bench_request_number(job->request, "new", 0, &is_new, err)
        || !bench_request_number(job->request, "scroll", 0, &by, err)
        || !bench_request_number(job->request, "from", 0, &from, err)
        || !bench_request_number(job->request, "rows", job->image->height,
                                 &rows, err)
        || (is_new && !renew_reader(job, err))
        || (by && !scroll(job->image, by, err))) {
        return false;
    }
    if (!job->state->reader || from + rows > job->image->height) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "read with new=1 first");
    }
    struct sq_read_plan plan = { 0 };
    sq_arena_init(&arena, MAX_ANSWER);
    bool ok =
        !text || sq_text_search_init(&search, sq_span_of(text), 1, &arena, err);
    if (ok && text) {
        plan = sq_text_search_plan(&search);
    }
    plan.area = (struct sq_rect){ 0, from, job->image->width, from + rows };
    ok = ok && read_timed(job, &plan, err);
    sq_arena_finish(&arena);
    return ok;
}

static bool
open_tesseract(struct state *state, struct sq_err *err) {
    if (state->tesseract) {
        return true;
    }
    state->tesseract = TessBaseAPICreate();
    if (TessBaseAPIInit2(state->tesseract, NULL, "eng", OEM_LSTM_ONLY) != 0) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "Tesseract does not start");
    }
    TessBaseAPISetPageSegMode(state->tesseract, PSM_AUTO);
    return true;
}

static void
put_tesseract_words(const struct job *job) {
    TessResultIterator *at = TessBaseAPIGetIterator(job->state->tesseract);
    sq_json_put_key(job->out, "words");
    sq_json_begin_array(job->out);
    for (bool has = at != NULL; has;
         has = TessResultIteratorNext(at, RIL_WORD)) {
        char *text = TessResultIteratorGetUTF8Text(at, RIL_WORD);
        struct sq_rect box = { 0 };
        TessPageIteratorBoundingBox(TessResultIteratorGetPageIteratorConst(at),
                                    RIL_WORD, &box.left, &box.top, &box.right,
                                    &box.bottom);
        struct sq_span word = sq_span_trim(sq_span_of(text ? text : ""));
        if (word.len) {
            put_word(job->out, word, box,
                     (int)TessResultIteratorConfidence(at, RIL_WORD));
        }
        TessDeleteText(text);
    }
    sq_json_end_array(job->out);
    if (at) {
        TessResultIteratorDelete(at);
    }
}

/* Reads the picture with Tesseract's own layout. */
static bool
job_tesseract(const struct job *job, struct sq_err *err) {
    if (!open_tesseract(job->state, err)) {
        return false;
    }
    TessBaseAPI *api = job->state->tesseract;
    int64_t start = sq_clock_cpu_ns();
    TessBaseAPISetImage(api, job->image->pixels, job->image->width,
                        job->image->height, SQ_PIXEL_BYTES,
                        (int)job->image->stride);
    TessBaseAPISetSourceResolution(api, 300);
    bool ok = TessBaseAPIRecognize(api, NULL) == 0;
    put_number(job->out, "cpuMs",
               (double)(sq_clock_cpu_ns() - start) / NS_PER_MS);
    put_tesseract_words(job);
    TessBaseAPIClear(api);
    return ok || sq_fail(err, SQ_ERR_IO, "Tesseract does not read the picture");
}

static void
put_hits(struct sq_json_writer *w, const struct sq_image_hits *hits) {
    sq_json_put_key(w, "hits");
    sq_json_begin_array(w);
    for (int i = 0; i < hits->count; i++) {
        const struct sq_image_hit *hit = &hits->items[i];
        sq_json_begin_object(w);
        put_number(w, "x", hit->box.left);
        put_number(w, "y", hit->box.top);
        put_number(w, "scale", hit->scale);
        put_number(w, "score", hit->score);
        put_number(w, "exact", hit->tier == SQ_IMAGE_HIT_EXACT);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    put_number(w, "nearest", hits->nearest);
}

/* Finds the picture template=PATH. */
static bool
job_template(const struct job *job, struct sq_err *err) {
    const struct sq_template_plan plan = {
        .area = { 0, 0, job->image->width, job->image->height },
    };
    const struct sq_deadline deadline = sq_deadline_in(LIMIT_MS, NULL);
    struct sq_image template = { 0 };
    struct sq_image_hits hits;
    const char *path;
    if (!bench_request_need(job->request, "template", &path, err)
        || !read_image(path, &template, err)) {
        return false;
    }
    int64_t start = sq_clock_cpu_ns();
    bool ok =
        sq_template_find(job->image, &template, &plan, &deadline, &hits, err);
    put_number(job->out, "cpuMs",
               (double)(sq_clock_cpu_ns() - start) / NS_PER_MS);
    if (ok) {
        put_hits(job->out, &hits);
    }
    sq_image_finish(&template);
    return ok;
}

static const struct {
    const char *name;
    bool (*run)(const struct job *job, struct sq_err *err);
} jobs[] = {
    { "read", job_read },
    { "template", job_template },
    { "tesseract", job_tesseract },
};

static bool
run(struct state *state, const struct bench_request *request,
    struct sq_json_writer *w, struct sq_err *err) {
    struct sq_image image = { 0 };
    const struct job job = { state, request, &image, w };
    const char *path;
    bool ok = bench_request_need(request, "input", &path, err)
           && read_image(path, &image, err);
    bool is_known = false;
    for (size_t i = 0; ok && i < sizeof(jobs) / sizeof(jobs[0]); i++) {
        if (strcmp(jobs[i].name, request->op) == 0) {
            is_known = true;
            ok = jobs[i].run(&job, err);
        }
    }
    sq_image_finish(&image);
    return ok
        && (is_known
            || sq_fail(err, SQ_ERR_ARGUMENT, "no job \"%s\"", request->op));
}

static void
answer_line(struct state *state, char *line) {
    struct bench_request request;
    struct sq_err err = { 0 };
    struct sq_json_writer w;
    struct sq_buf answer;
    sq_buf_init(&answer, MAX_ANSWER);
    sq_json_writer_init(&w, &answer);
    sq_json_begin_object(&w);
    bool ok = bench_request_parse(line, &request, &err)
           && run(state, &request, &w, &err);
    sq_json_end_object(&w);
    if (ok && sq_json_writer_done(&w, &err)) {
        printf("%.*s\n", (int)answer.len, (const char *)answer.data);
    } else {
        answer.len = 0;
        sq_json_writer_init(&w, &answer);
        sq_json_begin_object(&w);
        sq_json_put_key(&w, "error");
        sq_json_put_string(&w, sq_span_of(err.message));
        sq_json_end_object(&w);
        printf("%.*s\n", (int)answer.len, (const char *)answer.data);
    }
    fflush(stdout);
    sq_buf_finish(&answer);
}

int
main(void) {
    static char line[MAX_LINE];
    struct state state = { 0 };
    while (fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\n")] = '\0';
        answer_line(&state, line);
    }
    sq_reader_destroy(state.reader);
    if (state.tesseract) {
        TessBaseAPIDelete(state.tesseract);
    }
    return 0;
}
