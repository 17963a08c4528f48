/* Reads activities from an ActivityWatch server on this machine by REST. */
#include <stdio.h>

#include "archive/activity/http.h"
#include "archive/activity/watch.h"
#include "archive/cause.h"
#include "json/reader.h"
#include "util/limits.h"
#include "util/mem.h"
#include "util/time_text.h"

#define MAX_BUCKETS 8
#define BUCKET_SIZE 200
#define PATH_BYTES 1024
#define PAGE_EVENTS 5000 /* events per response: about 1 MB */
#define MAX_PAGES 200
#define TREE_BYTES ((size_t)64 << 20)

struct watch {
    const struct sq_activity_source *source;
    struct sq_http_url url;
    char buckets[MAX_BUCKETS][BUCKET_SIZE];
    size_t bucket_count;
};

/* A response as JSON. */
struct response {
    struct sq_buf bytes;
    struct sq_arena arena;
    const struct sq_json *root;
};

static void
response_finish(struct response *response) {
    sq_buf_finish(&response->bytes);
    sq_arena_finish(&response->arena);
}

/* Requests a path. The caller finishes *out, even on failure. */
static bool
request(const struct watch *watch, struct sq_span path,
        const struct sq_deadline *deadline, struct response *out,
        struct sq_err *err) {
    *out = (struct response){ 0 };
    sq_buf_init(&out->bytes, SQ_MAX_JSON_BYTES);
    sq_arena_init(&out->arena, TREE_BYTES);
    if (!sq_http_get(&watch->url, path, deadline, &out->bytes, err)) {
        return false;
    }
    struct sq_span text = sq_buf_span(&out->bytes);
    return sq_json_parse(text, &out->arena, &out->root, err)
        || sq_fail_in(err, "ActivityWatch's response");
}

static void
keep_buckets(struct watch *watch, const struct sq_json *root) {
    for (const struct sq_json *bucket = sq_json_first(root);
         bucket && watch->bucket_count < MAX_BUCKETS;
         bucket = sq_json_next(bucket)) {
        struct sq_span type = { 0 };
        struct sq_span id = sq_json_key(bucket);
        if (sq_json_string(sq_json_get(bucket, "type"), &type)
            && sq_span_is(type, SQ_WATCH_BUCKET_TYPE) && id.len > 0
            && id.len < BUCKET_SIZE && !sq_span_contains(id, '\0')) {
            snprintf(watch->buckets[watch->bucket_count++], BUCKET_SIZE, "%.*s",
                     SQ_SPAN_ARGS(id));
        }
    }
}

static bool
find_buckets(struct watch *watch, const struct sq_deadline *deadline,
             struct sq_err *err) {
    struct response response;
    bool ok =
        request(watch, SQ_SPAN("/api/0/buckets/"), deadline, &response, err);
    if (ok) {
        keep_buckets(watch, response.root);
    } else if (err->code == SQ_ERR_NOT_FOUND) {
        sq_fail_hint(err, "Start ActivityWatch, or set archive.activity to "
                          "another provider.");
    }
    response_finish(&response);
    if (ok && !watch->bucket_count) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "ActivityWatch has recorded no windows");
        sq_fail_hint(err, "Start aw-watcher-window.");
        return sq_fail_cause(err, SQ_CAUSE_NOTHING_RECORDED);
    }
    return ok;
}

static void
watch_close(void *state) {
    sq_mem_free(state);
}

static bool
watch_open(const struct sq_activity_source *source,
           const struct sq_deadline *deadline, void **state,
           struct sq_err *err) {
    if (!source->url) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "no ActivityWatch server is configured");
        return sq_fail_hint(err, "Set archive.activityWatchUrl.");
    }
    struct watch *watch = sq_mem_zalloc(1, sizeof(*watch));
    if (!watch) {
        return sq_fail_nomem(err);
    }
    watch->source = source;
    if (!sq_http_url_parse(sq_span_of(source->url), &watch->url, err)
        || !find_buckets(watch, deadline, err)) {
        watch_close(watch);
        return false;
    }
    *state = watch;
    return true;
}

static bool
write_path(const char *bucket, int64_t from, int64_t to, struct sq_buf *out,
           struct sq_err *err) {
    char start[SQ_TIME_TEXT_SIZE];
    char end[SQ_TIME_TEXT_SIZE];
    sq_time_format(from, 0, start);
    sq_time_format(to, 0, end);
    /* The "+" of "+00:00" would be a blank in a query: cut the offset off. */
    sq_buf_clear(out);
    return sq_buf_printf(out, err, "/api/0/buckets/")
        && sq_http_escape(sq_span_of(bucket), out, err)
        && sq_buf_printf(out, err, "/events?start=%.19sZ&end=%.19sZ&limit=%d",
                         start, end, PAGE_EVENTS);
}

/* Adds the events of a page; *oldest is the start of the oldest one. */
static bool
add_page(const struct watch *watch, const struct sq_json *root,
         const struct sq_window *window, int64_t *oldest,
         struct sq_segments *out, struct sq_err *err) {
    for (const struct sq_json *item = sq_json_first(root); item;
         item = sq_json_next(item)) {
        struct sq_watch_event event = { .data = sq_json_get(item, "data") };
        int64_t start;
        sq_json_string(sq_json_get(item, "timestamp"), &event.timestamp);
        sq_json_double(sq_json_get(item, "duration"), &event.duration_s);
        if (sq_watch_event_start(&event, &start) && start < *oldest) {
            *oldest = start;
        }
        if (!sq_watch_event_add(&event, watch->source->granularity, window, out,
                                err)) {
            return false;
        }
    }
    return true;
}

/*
 * Adds the events of a bucket. They come newest first; a full page means that
 * older ones follow.
 */
static bool
add_bucket(const struct watch *watch, const char *bucket,
           const struct sq_window *window, const struct sq_deadline *deadline,
           struct sq_segments *out, struct sq_err *err) {
    int64_t until = window->to_utc;
    bool has_more = true;
    struct sq_buf path;
    bool ok = true;
    sq_buf_init(&path, PATH_BYTES);
    for (int page = 0; ok && has_more && page < MAX_PAGES; page++) {
        struct response response = { 0 };
        int64_t oldest = until;
        ok = write_path(bucket, window->from_utc, until, &path, err)
          && request(watch, sq_buf_span(&path), deadline, &response, err)
          && add_page(watch, response.root, window, &oldest, out, err);
        has_more = ok && sq_json_count(response.root) >= PAGE_EVENTS
                && oldest < until && oldest > window->from_utc;
        until = oldest;
        response_finish(&response);
    }
    sq_buf_finish(&path);
    return ok;
}

static bool
watch_segments(void *state, const struct sq_window *window,
               const struct sq_deadline *deadline, struct sq_segments *out,
               struct sq_err *err) {
    const struct watch *watch = state;
    bool ok = true;
    for (size_t i = 0; ok && i < watch->bucket_count; i++) {
        ok = add_bucket(watch, watch->buckets[i], window, deadline, out, err);
    }
    return ok;
}

const struct sq_activity_ops sq_activity_watch_http = {
    .id = "activitywatch-http",
    .title = "ActivityWatch's server",
    .open = watch_open,
    .segments = watch_segments,
    .close = watch_close,
};
