/* Distributes the lines of a picture to workers, and collects their words. */
#include "vision/reader.h"

#include <stdio.h>
#include <string.h>

#include "sys/call.h"
#include "sys/lock.h"
#include "sys/path.h"
#include "sys/worker.h"
#include "util/mem.h"
#include "util/minmax.h"
#include "vision/lines.h"
#include "vision/strip.h"

#define MAX_WORKERS 8
#define CACHED_LINES 4096
#define MAX_TEXT_BYTES ((size_t)16 << 20)

/* A worker that needs longer for one line is considered hung. */
#define LINE_TIMEOUT_MS 10000
#define POLL_MS 50
#define REPLY_MS 1000 /* to receive a reply that is there */
#define TRIES 2

/* Minimum number of waiting lines for which another worker is started: starting
   one takes as long as reading them. */
#define LINES_PER_WORKER 6

struct slot {
    struct sq_worker *worker;
    int line; /* the line it recognises; -1: idle */
    struct sq_strip strip;
    struct sq_deadline until;
};

struct sq_reader {
    struct sq_lock *lock;
    struct sq_line_cache *cache;
    struct sq_picture_cache frames;
    struct slot slots[MAX_WORKERS];
    int slot_count;
    char program[SQ_PATH_SIZE];
    char language[136]; /* four names */
    const char *argv[5];
};

/* A line that is not read yet. */
struct pending {
    struct sq_line_key key;
    enum sq_line_kind kind;
    int tries;       /* remaining attempts */
    bool is_waiting; /* not yet given to a worker */
};

/* One call of sq_reader_read. */
struct reading {
    struct sq_reader *reader;
    const struct sq_image *image;
    const struct sq_read_plan *plan;
    const struct sq_deadline *deadline;
    struct sq_text *text;
    struct sq_rect searched; /* for lines: those of the area are whole in it */
    struct pending *pending; /* of each line */
    struct sq_read_turn *turns; /* of lines to recognise */
    int turn_count;
    int next;    /* turns before this one do not wait */
    int waiting; /* number of lines with is_waiting */
    bool is_enough;
};

static bool
create_workers(struct sq_reader *reader, int count, struct sq_err *err) {
    const struct sq_worker_plan plan = {
        .argv = reader->argv,
        .name = "text recogniser",
        .max_reply = SQ_OCR_MAX_REPLY,
    };
    for (int i = 0; i < count; i++) {
        if (!sq_worker_create(&plan, &reader->slots[i].worker, err)) {
            return false;
        }
        reader->slots[i].line = -1;
        reader->slot_count++;
    }
    return true;
}

bool
sq_reader_create(const struct sq_reader_options *options,
                 struct sq_reader **out, struct sq_err *err) {
    struct sq_reader *reader = sq_mem_zalloc(1, sizeof(*reader));
    if (!reader) {
        return sq_fail_nomem(err);
    }
    int program = snprintf(reader->program, sizeof(reader->program), "%s",
                           options->program);
    int language = snprintf(reader->language, sizeof(reader->language), "%s",
                            options->language);
    const char *const argv[] = { reader->program, "ocr-worker",
                                 reader->language, NULL };
    memcpy(reader->argv, argv, sizeof(argv));
    int count =
        options->max_workers ? options->max_workers : sq_processor_count();
    bool ok =
        ((size_t)program < sizeof(reader->program)
         && (size_t)language < sizeof(reader->language)
         && sq_recogniser_is_language(reader->language))
        || sq_fail(err, SQ_ERR_ARGUMENT, "\"%s\" is not the name of a language",
                   options->language);
    ok = ok && sq_lock_create(&reader->lock, err)
      && sq_line_cache_create(CACHED_LINES, &reader->cache, err)
      && create_workers(reader, sq_min_int(count, MAX_WORKERS), err);
    if (!ok) {
        sq_reader_destroy(reader);
        return false;
    }
    *out = reader;
    return true;
}

void
sq_reader_destroy(struct sq_reader *reader) {
    if (!reader) {
        return;
    }
    for (int i = 0; i < reader->slot_count; i++) {
        sq_worker_destroy(reader->slots[i].worker);
    }
    sq_picture_cache_finish(&reader->frames);
    sq_line_cache_destroy(reader->cache);
    sq_lock_destroy(reader->lock);
    sq_mem_free(reader);
}

int
sq_reader_pids(const struct sq_reader *reader, int *pids, int most) {
    int count = 0;
    for (int i = 0; i < reader->slot_count && count < most; i++) {
        int pid = sq_worker_pid(reader->slots[i].worker);
        if (pid) {
            pids[count++] = pid;
        }
    }
    return count;
}

void
sq_text_finish(struct sq_text *text) {
    sq_arena_finish(&text->arena);
    *text = (struct sq_text){ 0 };
}

/*
 * Drops the lines that wait when enough was found in one. The first in reading
 * order is wanted, so lines above stay that look the same.
 */
static void
drop_turns(struct reading *r, int found) {
    const struct sq_read_turn *own = NULL;
    for (int i = 0; i < r->turn_count; i++) {
        own = r->turns[i].line == found ? &r->turns[i] : own;
    }
    for (int i = 0; i < r->turn_count; i++) {
        const struct sq_read_turn *turn = &r->turns[i];
        bool *is_waiting = &r->pending[turn->line].is_waiting;
        bool is_kept = own && r->plan->looks_like.len && turn->line < found
                    && sq_read_turn_may_equal(turn, own);
        if (*is_waiting && !is_kept) {
            *is_waiting = false;
            r->waiting--;
        }
    }
}

/* Stores the words of a line; their boxes are relative to the line's. */
static bool
store_words(struct reading *r, int index, struct sq_span bytes,
            struct sq_err *err) {
    struct sq_text_line *line = &r->text->lines[index];
    if (!sq_arena_keep(&r->text->arena, &bytes, err)
        || !sq_words_parse(bytes, &r->text->arena, &line->words, err)) {
        return false;
    }
    for (int i = 0; i < line->words.count; i++) {
        struct sq_rect *box = &line->words.items[i].box;
        box->left += line->box.left;
        box->right += line->box.left;
        box->top += line->box.top;
        box->bottom += line->box.top;
    }
    sq_region_keep_words(r->plan->area, line);
    line->is_read = true;
    if (!r->is_enough && r->plan->is_enough
        && r->plan->is_enough(r->plan->context, r->text)) {
        r->is_enough = true;
        drop_turns(r, index);
    }
    return true;
}

/* Finds the lines of a picture that is not in the cache, and adds it. */
static bool
make_frame(struct reading *r, const struct sq_line_key *key,
           const struct sq_picture_lines **out, struct sq_err *err) {
    SQ_FREED(sq_lines_finish) struct sq_lines found = { 0 };
    struct sq_picture_lines *frame = NULL;
    bool ok = sq_labels_find(r->image, r->searched, &found, err)
           && sq_picture_lines_create(found.count, &frame, err);
    if (ok) {
        frame->key = *key;
        frame->area = r->searched;
        for (int i = 0; i < found.count; i++) {
            uint8_t kind = found.kinds[i];
            struct sq_line_key own = sq_line_cache_key(
                r->reader->cache, r->image,
                sq_strip_reach(found.boxes[i], kind, sq_image_size(r->image)));
            own.hash[0] ^= kind; /* read from the same pixels in another way */
            frame->lines[i] =
                (struct sq_picture_line){ found.boxes[i], own, kind };
        }
        sq_picture_cache_put(&r->reader->frames, frame);
        *out = frame;
    }
    return ok;
}

/* Fills the text with the lines that touch the area, without words. */
static bool
find_lines(struct reading *r, struct sq_err *err) {
    struct sq_text *text = r->text;
    r->searched = sq_region_of_lines(r->plan->area, sq_image_size(r->image));
    struct sq_line_key key =
        sq_line_cache_key(r->reader->cache, r->image, r->searched);
    const struct sq_picture_lines *frame =
        sq_picture_cache_get(&r->reader->frames, &key, r->searched);
    if (!frame && !make_frame(r, &key, &frame, err)) {
        return false;
    }
    size_t count = (size_t)frame->count;
    r->pending = sq_mem_zalloc(count + 1, sizeof(*r->pending));
    r->turns = sq_mem_alloc(count + 1, sizeof(*r->turns));
    text->lines =
        sq_arena_alloc(&text->arena, count + 1, sizeof(*text->lines), err);
    if (!r->pending || !r->turns || !text->lines) {
        return sq_fail_nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        const struct sq_picture_line *line = &frame->lines[i];
        if (!sq_rect_is_empty(sq_rect_common(line->box, r->plan->area))) {
            text->lines[text->count] =
                (struct sq_text_line){ .box = line->box };
            r->pending[text->count++] =
                (struct pending){ .key = line->key, .kind = line->kind };
        }
    }
    return true;
}

/* Takes the words of known lines from the cache; the others wait. */
static bool
use_known(struct reading *r, struct sq_err *err) {
    struct sq_text *text = r->text;
    bool ok = true;
    for (int i = 0; ok && i < text->count && !r->is_enough; i++) {
        struct sq_rect box = text->lines[i].box;
        struct sq_span bytes;
        if (r->plan->wants && !r->plan->wants(r->plan->context, box)) {
            continue;
        }
        struct pending *pending = &r->pending[i];
        if (sq_line_cache_get(r->reader->cache, &pending->key, &bytes)) {
            text->known++;
            ok = store_words(r, i, bytes, err);
        } else {
            pending->tries = TRIES;
            pending->is_waiting = true;
            r->waiting++;
            r->turns[r->turn_count++] = (struct sq_read_turn){
                .line = i, .box = box, .kind = pending->kind
            };
        }
    }
    return ok;
}

static bool
is_readable(const struct sq_strip *strip) {
    return sq_strip_may_be_text(strip)
        && (size_t)strip->width * (size_t)strip->height <= SQ_OCR_MAX_STRIP;
}

static bool
accept_words(struct reading *r, int line, struct sq_span bytes,
             struct sq_err *err) {
    sq_line_cache_put(r->reader->cache, &r->pending[line].key, bytes);
    return store_words(r, line, bytes, err);
}

/* Moves the lines that look like the wanted text to the front. */
static bool
order_lines(struct reading *r, struct sq_err *err) {
    return !r->plan->looks_like.len || r->is_enough || r->turn_count < 2
        || sq_read_order(r->image, r->plan->looks_like, r->deadline, r->turns,
                         r->turn_count, err);
}

/* Takes the next waiting line that looks like text; -1: there is none. */
static bool
take_line(struct reading *r, struct sq_strip *strip, int *line,
          struct sq_err *err) {
    *line = -1;
    while (r->waiting && *line < 0) {
        while (!r->pending[r->turns[r->next].line].is_waiting) {
            r->next++;
        }
        int index = r->turns[r->next++].line;
        r->pending[index].is_waiting = false;
        r->waiting--;
        if (!sq_strip_make_of(r->image, r->text->lines[index].box,
                              r->pending[index].kind, strip, err)) {
            sq_strip_finish(strip);
            return false;
        }
        if (is_readable(strip)) {
            *line = index;
        } else {
            sq_strip_finish(strip);
            if (!accept_words(r, index, (struct sq_span){ NULL, 0 }, err)) {
                return false;
            }
        }
    }
    return true;
}

/* Puts a line back after its worker failed, or gives it up. */
static void
put_back(struct reading *r, struct slot *slot) {
    int line = slot->line;
    slot->line = -1;
    sq_strip_finish(&slot->strip);
    if (--r->pending[line].tries) {
        r->pending[line].is_waiting = true;
        r->waiting++;
        r->next = 0;
    } else {
        r->text->unreadable++;
    }
}

/* Returns whether an error is the worker's own, after which it starts again. */
static bool
is_worker_failure(const struct sq_err *err) {
    return err->code == SQ_ERR_IO || err->code == SQ_ERR_FORMAT
        || err->code == SQ_ERR_TIMEOUT;
}

/* Sends the part of a strip that is not empty, in memory of its own. */
static bool
send_strip(struct slot *slot, struct sq_err *err) {
    const struct sq_strip *strip = &slot->strip;
    size_t width = (size_t)(strip->last - strip->first);
    const struct sq_ocr_request request = { (int)width, strip->height,
                                            strip->is_mixed };
    struct sq_worker_memory memory = {
        .bytes = width * (size_t)strip->height,
    };
    memory.fd = sq_call_share_memory(memory.bytes);
    uint8_t *out =
        memory.fd < 0 ? NULL : sq_call_map(memory.fd, 0, memory.bytes, false);
    bool ok = out || sq_errno_fail(err, "share memory with the recogniser");
    for (int y = 0; ok && y < strip->height; y++) {
        memcpy(out + (size_t)y * width,
               strip->pixels + (size_t)y * (size_t)strip->width + strip->first,
               width);
    }
    ok = ok
      && sq_worker_send(
             slot->worker,
             (struct sq_span){ (const char *)&request, sizeof(request) },
             &memory, &slot->until, err);
    sq_call_unmap(out, memory.bytes);
    sq_close_fd(&memory.fd);
    return ok;
}

static bool
give_line(struct reading *r, struct slot *slot, struct sq_err *err) {
    int line;
    if (!take_line(r, &slot->strip, &line, err)) {
        return false;
    }
    if (line < 0) {
        return true;
    }
    struct sq_err problem = { 0 };
    slot->line = line;
    if (!sq_worker_start(slot->worker, r->deadline, err)) {
        slot->line = -1;
        sq_strip_finish(&slot->strip);
        return false;
    }
    /* It may have been started just now, which can take long. */
    slot->until = sq_deadline_within(r->deadline, LINE_TIMEOUT_MS);
    if (!send_strip(slot, &problem)) {
        put_back(r, slot);
    }
    return sq_deadline_check(r->deadline, err);
}

/* Gives lines to idle workers; starts further workers if it pays. */
static bool
give_lines(struct reading *r, struct sq_err *err) {
    int busy = 0;
    for (int i = 0; i < r->reader->slot_count; i++) {
        busy += r->reader->slots[i].line >= 0;
    }
    for (int i = 0; i < r->reader->slot_count && r->waiting; i++) {
        struct slot *slot = &r->reader->slots[i];
        bool is_running = sq_worker_pid(slot->worker) != 0;
        if (slot->line >= 0
            || (!is_running && busy && r->waiting < LINES_PER_WORKER)) {
            continue;
        }
        if (!give_line(r, slot, err)) {
            return false;
        }
        busy += slot->line >= 0;
    }
    return true;
}

/* Receives the words of a line whose worker has answered. */
static bool
take_reply(struct reading *r, struct slot *slot, struct sq_err *err) {
    struct sq_err problem = { 0 };
    SQ_BUF(reply, SQ_OCR_MAX_REPLY);
    SQ_BUF(words, SQ_OCR_MAX_REPLY);
    bool ok =
        sq_worker_receive(slot->worker, &slot->until, &reply, &problem)
        && sq_repair_words(&slot->strip, sq_buf_span(&reply), &words, &problem);
    if (!ok && is_worker_failure(&problem)) {
        put_back(r, slot);
        ok = sq_deadline_check(r->deadline, err);
    } else {
        int line = slot->line;
        slot->line = -1;
        sq_strip_finish(&slot->strip);
        r->text->recognised += ok;
        ok = ok ? accept_words(r, line, sq_buf_span(&words), err)
                : sq_fail_with(err, &problem);
    }
    return ok;
}

/* Waits until a worker answers, and receives what has arrived. */
static bool
take_replies(struct reading *r, struct sq_err *err) {
    struct pollfd fds[MAX_WORKERS];
    for (int i = 0; i < r->reader->slot_count; i++) {
        const struct slot *slot = &r->reader->slots[i];
        fds[i] = (struct pollfd){
            .fd = slot->line >= 0 ? sq_worker_fd(slot->worker) : -1,
            .events = POLLIN,
        };
    }
    int ready = sq_call_poll(fds, (size_t)r->reader->slot_count, POLL_MS);
    if (ready < 0) {
        return sq_errno_fail(err, "wait for the text recogniser");
    }
    for (int i = 0; i < r->reader->slot_count; i++) {
        struct slot *slot = &r->reader->slots[i];
        bool is_late =
            slot->line >= 0 && sq_deadline_left_ms(&slot->until) == 0;
        if (is_late && fds[i].revents) {
            /* It answered while another worker was started. */
            slot->until = sq_deadline_within(r->deadline, REPLY_MS);
        }
        if (slot->line >= 0 && (fds[i].revents || is_late)
            && !take_reply(r, slot, err)) {
            return false;
        }
    }
    return sq_deadline_check(r->deadline, err);
}

static bool
has_busy_worker(const struct sq_reader *reader) {
    for (int i = 0; i < reader->slot_count; i++) {
        if (reader->slots[i].line >= 0) {
            return true;
        }
    }
    return false;
}

static bool
recognise(struct reading *r, struct sq_err *err) {
    bool ok = true;
    while (ok && (r->waiting || has_busy_worker(r->reader))) {
        ok = give_lines(r, err)
          && (!has_busy_worker(r->reader) || take_replies(r, err));
    }
    /* Ends workers whose reply is not awaited any more. */
    struct sq_reader *reader = r->reader;
    for (int i = 0; i < reader->slot_count; i++) {
        struct slot *slot = &reader->slots[i];
        if (slot->line >= 0) {
            sq_worker_stop(slot->worker);
            slot->line = -1;
            sq_strip_finish(&slot->strip);
        }
    }
    return ok;
}

void
sq_reader_begin(struct sq_reader *reader) {
    const struct sq_deadline at_once = sq_deadline_in(1, NULL);
    if (sq_lock_acquire(reader->lock, &at_once, NULL)) {
        sq_worker_begin(reader->slots[0].worker, NULL);
        sq_lock_unlock(reader->lock);
    }
}

bool
sq_reader_start(struct sq_reader *reader, const struct sq_deadline *deadline,
                struct sq_err *err) {
    if (!sq_lock_acquire(reader->lock, deadline, err)) {
        return false;
    }
    bool ok = sq_worker_start(reader->slots[0].worker, deadline, err);
    sq_lock_unlock(reader->lock);
    return ok;
}

bool
sq_reader_read(struct sq_reader *reader, const struct sq_image *image,
               const struct sq_read_plan *plan,
               const struct sq_deadline *deadline, struct sq_text *out,
               struct sq_err *err) {
    struct sq_text text = { 0 };
    struct reading r = {
        .reader = reader,
        .image = image,
        .plan = plan,
        .deadline = deadline,
        .text = &text,
    };
    sq_arena_init(&text.arena, MAX_TEXT_BYTES);
    if (!sq_lock_acquire(reader->lock, deadline, err)) {
        return false;
    }
    bool ok = find_lines(&r, err) && use_known(&r, err) && order_lines(&r, err)
           && recognise(&r, err);
    sq_lock_unlock(reader->lock);
    sq_mem_free(r.pending);
    sq_mem_free(r.turns);
    if (ok) {
        *out = text;
    } else {
        sq_text_finish(&text);
    }
    return ok;
}
