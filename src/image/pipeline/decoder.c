/* Sends pictures to confined processes that decode them, and answers there. */
#include "image/pipeline/decoder.h"

#include <math.h>
#include <stdio.h>

#include "image/jpeg/private.h"
#include "image/png/png.h"
#include "sys/call.h"
#include "sys/lock.h"

#define MAX_REPLY (SQ_MAX_IMAGE_BYTES + sizeof(struct answer))
#define TAIL_BYTES 64 /* SIMD loads may read after the last row */
#define MAX_PROFILE 32

enum task {
    TASK_MAKE,
    TASK_DECODE,
    TASK_PROBE,
};

struct request {
    enum task task;
    struct sq_limits limits;
    struct sq_decode_size size;
    struct sq_picture_opts opts; /* without pointers */
    char profile[MAX_PROFILE];   /* empty: none */
    bool has_region;
    struct sq_region region;
    size_t coefficients; /* bytes that a JPEG may use for them */
};

struct answer {
    size_t coefficients; /* not 0: this many bytes are needed for them */
    struct sq_picture_info info;
    struct sq_size size;
    struct sq_picture_facts facts;
};

/* One call: what is asked, and what comes back. */
struct job {
    struct request request;
    size_t room;                   /* for pixels */
    struct sq_foreign_answer from; /* start with no descriptor: -1 */
    struct answer answer;
};

static bool
fits(const struct request *request, struct sq_size size) {
    return sq_image_check_streamed(size.width, size.height, &request->limits,
                                   NULL);
}

static bool
is_info(const struct request *request, const struct sq_picture_info *info) {
    return fits(request, info->source) && fits(request, info->image)
        && info->format < SQ_FORMAT_AUTO && info->colours >= 0
        && info->colours <= SQ_MAX_COLOURS && isfinite(info->scale_factor)
        && info->scale_factor > 0;
}

static bool
read_answer(void *context, struct sq_span reply, struct sq_err *err) {
    const size_t plain = offsetof(struct answer, facts.is_plain_jpeg);
    struct job *job = context;
    (void)err;
    const struct request *request = &job->request;
    struct answer *out = &job->answer;
    if (reply.len < sizeof(*out) || (unsigned char)reply.ptr[plain] > 1) {
        return false;
    }
    memcpy(out, reply.ptr, sizeof(*out));
    if (out->coefficients > 0) {
        return out->coefficients <= SQ_MAX_JPEG_COEFFICIENT_BYTES;
    }
    size_t bytes = reply.len - sizeof(*out);
    switch (request->task) {
    case TASK_MAKE:
        return is_info(request, &out->info) && bytes > 0
            && out->info.bytes == bytes;
    case TASK_DECODE:
        return fits(request, out->size)
            && (size_t)out->size.width * (size_t)out->size.height
                       * SQ_PIXEL_BYTES
                   <= job->room - TAIL_BYTES;
    case TASK_PROBE:
        return fits(request, out->facts.size);
    }
    return false;
}

static bool
ask(struct job *job, struct sq_span picture, struct sq_err *err) {
    const struct sq_foreign_question question = {
        .reader = sq_picture_reader.name,
        .request = { (const char *)&job->request, sizeof(job->request) },
        .input = picture,
        .room = job->room,
        .max_reply = MAX_REPLY,
        .accept = read_answer,
        .context = job,
    };
    return sq_foreign_ask(&question, &job->from, err);
}

/*
 * Shares the picture and has it decoded. A JPEG that needs memory for
 * coefficients gets it from what all calls of this process share.
 */
static bool
run(struct job *job, struct sq_span picture, struct sq_err *err) {
    struct sq_quota_part part = { 0 };
    bool ok = ask(job, picture, err);
    if (ok && job->answer.coefficients > 0) {
        job->request.coefficients = job->answer.coefficients;
        sq_foreign_finish(&job->from);
        ok = sq_jpeg_take_memory(&part, job->request.coefficients, err)
          && ask(job, picture, err)
          && (job->answer.coefficients == 0
              || sq_fail(err, SQ_ERR_FORMAT, "the decoder sent garbage"));
        sq_quota_release(&part);
    }
    return ok;
}

bool
sq_decoder_make(struct sq_span picture, const struct sq_picture_opts *opts,
                const struct sq_limits *limits, struct sq_buf *out,
                struct sq_picture_info *info, struct sq_err *err) {
    struct job job = { .from.memory.fd = -1 };
    struct request *request = &job.request;
    request->task = TASK_MAKE;
    request->limits = *limits;
    request->opts = *opts;
    request->opts.region = NULL;
    request->opts.profile = NULL;
    request->has_region = opts->region != NULL;
    request->region = opts->region ? *opts->region : request->region;
    snprintf(request->profile, sizeof(request->profile), "%s",
             opts->profile ? opts->profile->name : "");
    bool ok = run(&job, picture, err)
           && sq_buf_append(out, job.from.reply.data + sizeof(job.answer),
                            job.from.reply.len - sizeof(job.answer), err);
    if (ok) {
        *info = job.answer.info;
    }
    sq_foreign_finish(&job.from);
    return ok;
}

bool
sq_decoder_decode(struct sq_span picture, const struct sq_decode_size *size,
                  const struct sq_limits *limits, struct sq_image *out,
                  struct sq_err *err) {
    struct job job = {
        .request = { .task = TASK_DECODE, .limits = *limits, .size = *size },
        .from.memory.fd = -1,
    };
    job.room = (size_t)limits->max_pixels * SQ_PIXEL_BYTES + TAIL_BYTES;
    bool ok = run(&job, picture, err);
    struct sq_size found = job.answer.size;
    if (ok) {
        size_t stride = (size_t)found.width * SQ_PIXEL_BYTES;
        size_t mapped = stride * (size_t)found.height + TAIL_BYTES;
        uint8_t *pixels =
            sq_call_map(job.from.memory.fd, job.from.room_at, mapped, true);
        ok = pixels || sq_errno_fail(err, "map a decoded picture");
        if (ok) {
            *out = (struct sq_image){ found.width, found.height, stride, pixels,
                                      mapped };
        }
    }
    sq_foreign_finish(&job.from);
    return ok;
}

bool
sq_decoder_probe(struct sq_span picture, struct sq_picture_facts *out,
                 struct sq_err *err) {
    struct job job = {
        .request = { .task = TASK_PROBE, .limits = sq_limits_default },
        .from.memory.fd = -1,
    };
    bool ok = run(&job, picture, err);
    if (ok) {
        *out = job.answer.facts;
    }
    sq_foreign_finish(&job.from);
    return ok;
}

/* The worker. */

static bool
decode_into(struct sq_span picture, const struct request *request,
            struct sq_image *image, size_t room, struct sq_err *err) {
    struct sq_rows *rows = NULL;
    bool ok = sq_picture_open_here(picture, &request->size, &request->limits,
                                   &rows, err)
           && sq_image_check_size(rows->width, rows->height, &request->limits,
                                  err);
    if (ok) {
        image->width = rows->width;
        image->height = rows->height;
        image->stride = (size_t)rows->width * SQ_PIXEL_BYTES;
        ok = image->stride * (size_t)image->height + TAIL_BYTES <= room
               ? sq_rows_fill(rows, image, err)
               : sq_fail(err, SQ_ERR_LIMIT, "the picture is too large");
    }
    sq_rows_destroy(rows);
    return ok;
}

static bool
do_task(struct request *request, struct sq_span picture,
        struct sq_foreign_room room, struct answer *answer,
        struct sq_buf *reply, struct sq_err *err) {
    struct sq_image image = { .pixels = room.bytes };
    switch (request->task) {
    case TASK_MAKE:
        request->opts.region = request->has_region ? &request->region : NULL;
        request->opts.profile = request->profile[0]
                                  ? sq_token_profile_find(request->profile)
                                  : NULL;
        return sq_picture_make_here(picture, &request->opts, &request->limits,
                                    reply, &answer->info, err);
    case TASK_DECODE:
        if (!decode_into(picture, request, &image, room.size, err)) {
            return false;
        }
        answer->size = sq_image_size(&image);
        return true;
    case TASK_PROBE:
        return sq_picture_probe_here(picture, &answer->facts, err);
    }
    return sq_fail(err, SQ_ERR_ARGUMENT, "the request is malformed");
}

static bool
answer_picture(const void *bytes, struct sq_span picture,
               struct sq_foreign_room room, struct sq_buf *reply,
               struct sq_err *err) {
    struct request request = *(const struct request *)bytes;
    struct answer answer = { 0 };
    sq_jpeg_allow_memory(request.coefficients);
    bool ok = sq_buf_append(reply, &answer, sizeof(answer), err)
           && do_task(&request, picture, room, &answer, reply, err);
    answer.coefficients = ok ? 0 : sq_jpeg_memory_needed();
    if (!ok && answer.coefficients > 0) {
        reply->len = sizeof(answer);
        ok = true;
    }
    if (ok) {
        memcpy(reply->data, &answer, sizeof(answer));
    }
    return ok;
}

const struct sq_foreign_reader sq_picture_reader = {
    .name = "picture",
    .request_size = sizeof(struct request),
    .answer = answer_picture,
};
