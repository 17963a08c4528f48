/* Recognises the words of one line with Tesseract's C API. */
#include "vision/reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/worker.h"

#define MAX_LANGUAGE 32
#define MAX_LANGUAGES 4

/* Takes the next name of "eng+deu". Returns false after the last. */
static bool
next_language(struct sq_span *names, struct sq_span *name) {
    if (names->len == 0) {
        return false;
    }
    if (!sq_span_take_until(names, '+', name)) {
        *name = *names;
        names->len = 0;
    }
    return true;
}

static bool
is_name(struct sq_span name) {
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        if (!isalnum(c) && c != '_' && c != '-') {
            return false;
        }
    }
    return name.len > 0 && name.len < MAX_LANGUAGE;
}

bool
sq_recogniser_is_language(const char *names) {
    struct sq_span rest = sq_span_of(names);
    struct sq_span name;
    int count = 0;
    bool ends_well = rest.len > 0 && rest.ptr[rest.len - 1] != '+';
    while (ends_well && next_language(&rest, &name)) {
        if (!is_name(name) || ++count > MAX_LANGUAGES) {
            return false;
        }
    }
    return count > 0;
}

#ifdef SQ_HAVE_TESSERACT
#include <tesseract/capi.h>
#include <tesseract/version.h>

#include "sys/call.h"
#include "sys/file.h"
#include "util/mem.h"
#include "util/minmax.h"

#define TEXT_OF(value) #value
#define MAJOR_TEXT(value) TEXT_OF(value)
#define LIBRARY "libtesseract.so." MAJOR_TEXT(TESSERACT_MAJOR_VERSION)
#define LIBRARY_MACOS                                                          \
    "libtesseract." MAJOR_TEXT(TESSERACT_MAJOR_VERSION) ".dylib"

#define MAX_DATA ((size_t)64 << 20)     /* of a language */
#define MEMORY ((size_t)384 << 20)      /* of the process, with its data */
#define MORE_MEMORY ((size_t)128 << 20) /* for each further language */
#define CPU_SECONDS 1200                /* of the process, for all requests */
#define RESOLUTION 300                  /* of strips, in dots per inch */

/* If all words of a line are at least so sure, no other language is tried. */
#define SURE 93

/* Numbers with less confidence, and those of up to SHORT_NUMBER bytes with less
   than SURE_SHORT, are read again in a strip of STRETCH percent of its width.
   Where both readings agree, with this confidence on average, they are sure;
   where not, they are not. */
#define SURE_NUMBER 90
#define SHORT_NUMBER 2
#define SURE_SHORT 96
#define STRETCH 120
#define MIN_MEAN 50
#define AGREED 85
#define DISAGREED 60

/* The functions that are used, each with the type of its declaration. */
#define FUNCTIONS(DO)                                                          \
    DO(TessBaseAPICreate)                                                      \
    DO(TessBaseAPIInit5)                                                       \
    DO(TessBaseAPISetVariable)                                                 \
    DO(TessBaseAPISetPageSegMode)                                              \
    DO(TessBaseAPISetImage)                                                    \
    DO(TessBaseAPISetSourceResolution)                                         \
    DO(TessBaseAPIRecognize)                                                   \
    DO(TessBaseAPIGetIterator)                                                 \
    DO(TessBaseAPIClear)                                                       \
    DO(TessResultIteratorDelete)                                               \
    DO(TessResultIteratorGetPageIterator)                                      \
    DO(TessResultIteratorGetUTF8Text)                                          \
    DO(TessResultIteratorConfidence)                                           \
    DO(TessResultIteratorNext)                                                 \
    DO(TessPageIteratorBoundingBox)                                            \
    DO(TessDeleteText)

#define DECLARE(name) __typeof__(name) *name;

struct language {
    char name[MAX_LANGUAGE];
    struct sq_buf data; /* its file */
    TessBaseAPI *api;
};

struct recogniser {
    struct language languages[MAX_LANGUAGES];
    size_t count;
    struct {
        FUNCTIONS(DECLARE)
    } t;
};

static const char *const folders[] = {
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
};

static bool
read_data_in(struct language *l, const char *folder, struct sq_err *err) {
    char path[512];
    int written =
        snprintf(path, sizeof(path), "%s/%s.traineddata", folder, l->name);
    return written > 0 && (size_t)written < sizeof(path)
        && sq_file_read(path, MAX_DATA, &l->data, err);
}

static bool
read_data(struct language *l, struct sq_err *err) {
    const char *prefix = getenv("TESSDATA_PREFIX");
    struct sq_err ignored = { 0 };
    sq_buf_init(&l->data, MAX_DATA);
    if (prefix && read_data_in(l, prefix, &ignored)) {
        return true;
    }
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (read_data_in(l, folders[i], &ignored)) {
            return true;
        }
    }
    char package[MAX_LANGUAGE]; /* chi_sim is in tesseract-ocr-chi-sim */
    snprintf(package, sizeof(package), "%s", l->name);
    for (char *c = package; *c; c++) {
        *c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "Tesseract's data for the language \"%s\" is not installed "
            "(Debian: tesseract-ocr-%s)",
            l->name, package);
    return sq_fail_hint(err,
                        "Install it (Debian: apt-get install tesseract-ocr-%s) "
                        "or set TESSDATA_PREFIX to its folder.",
                        package);
}

static bool
load_functions(struct recogniser *r, void *library, struct sq_err *err) {
    bool ok = true;
    /* POSIX guarantees that a function's address fits in a data pointer. */
#define LOAD(name)                                                             \
    *(void **)(void *)&r->t.name = sq_call_find_symbol(library, #name);        \
    ok = ok && r->t.name;
    FUNCTIONS(LOAD)
    return ok
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the installed Tesseract lacks functions");
}

/* Returns NULL if it is not installed. */
static void *
open_library(void) {
    void *library = sq_call_open_library(LIBRARY);
    return library ? library : sq_call_open_library(LIBRARY_MACOS);
}

void
sq_recogniser_version(char out[SQ_RECOGNISER_VERSION_SIZE]) {
    snprintf(out, SQ_RECOGNISER_VERSION_SIZE, "%s", TESSERACT_VERSION_STR);
}

static bool
open_all(void *context, struct sq_err *err) {
    struct recogniser *r = context;
    /* Tesseract's threads slow it down; several workers do not. */
    if (sq_call_set_variable("OMP_THREAD_LIMIT", "1") < 0) {
        return sq_fail_nomem(err);
    }
    void *library = open_library();
    if (!library) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "Tesseract %s is not installed",
                MAJOR_TEXT(TESSERACT_MAJOR_VERSION));
        return sq_fail_hint(err, "Install it (Debian: apt-get install "
                                 "libtesseract5 tesseract-ocr-eng).");
    }
    bool ok = load_functions(r, library, err);
    for (size_t i = 0; ok && i < r->count; i++) {
        ok = read_data(&r->languages[i], err);
    }
    return ok;
}

static bool
prepare_language(struct recogniser *r, struct language *l, struct sq_err *err) {
    l->api = r->t.TessBaseAPICreate();
    if (!l->api
        || r->t.TessBaseAPIInit5(l->api, (const char *)l->data.data,
                                 (int)l->data.len, l->name, OEM_LSTM_ONLY, NULL,
                                 0, NULL, NULL, 0, 0)
               != 0) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "Tesseract cannot use its data for \"%s\"", l->name);
    }
    sq_buf_finish(&l->data);
    /* Strips are dark on white already. */
    r->t.TessBaseAPISetVariable(l->api, "tessedit_do_invert", "0");
    return true;
}

static bool
prepare(void *context, struct sq_err *err) {
    struct recogniser *r = context;
    bool ok = true;
    for (size_t i = 0; ok && i < r->count; i++) {
        ok = prepare_language(r, &r->languages[i], err);
    }
    return ok;
}

/* The words of a line in one language. */
struct reading {
    struct sq_buf words;
    int count;
    int sum;    /* of their confidences */
    int lowest; /* of them */
};

static bool
put_word(struct recogniser *r, TessResultIterator *at, struct reading *out,
         struct sq_err *err) {
    struct sq_word word = { 0 };
    char *text = r->t.TessResultIteratorGetUTF8Text(at, RIL_WORD);
    if (!text) {
        return true;
    }
    float confidence = r->t.TessResultIteratorConfidence(at, RIL_WORD);
    word.text = sq_span_trim(sq_span_of(text));
    word.confidence = confidence < 0      ? 0
                    : confidence > 100.0F ? 100
                                          : (int)confidence;
    r->t.TessPageIteratorBoundingBox(r->t.TessResultIteratorGetPageIterator(at),
                                     RIL_WORD, &word.box.left, &word.box.top,
                                     &word.box.right, &word.box.bottom);
    bool ok = sq_words_put(&out->words, &word, err);
    out->count++;
    out->sum += word.confidence;
    out->lowest = word.confidence < out->lowest ? word.confidence : out->lowest;
    r->t.TessDeleteText(text);
    return ok;
}

static bool
read_line(struct recogniser *r, TessBaseAPI *api,
          const struct sq_ocr_request *request, const uint8_t *strip,
          struct reading *out, struct sq_err *err) {
    bool ok = true;
    sq_buf_init(&out->words, SQ_OCR_MAX_REPLY);
    out->lowest = 100;
    r->t.TessBaseAPISetPageSegMode(api, request->is_mixed ? PSM_SINGLE_LINE
                                                          : PSM_RAW_LINE);
    r->t.TessBaseAPISetImage(api, strip, request->width, request->height, 1,
                             request->width);
    r->t.TessBaseAPISetSourceResolution(api, RESOLUTION);
    if (r->t.TessBaseAPIRecognize(api, NULL) == 0) {
        TessResultIterator *at = r->t.TessBaseAPIGetIterator(api);
        for (bool has = at != NULL; ok && has;
             has = r->t.TessResultIteratorNext(at, RIL_WORD)) {
            ok = put_word(r, at, out, err);
        }
        if (at) {
            r->t.TessResultIteratorDelete(at);
        }
    }
    r->t.TessBaseAPIClear(api);
    return ok;
}

/* Returns whether a has words and is surer than b, on average. */
static bool
is_surer(const struct reading *a, const struct reading *b) {
    return a->count > 0
        && (b->count == 0 || a->sum * b->count > b->sum * a->count);
}

static bool
has_digit(struct sq_span text) {
    bool has = false;
    for (size_t i = 0; i < text.len; i++) {
        has = has || isdigit((unsigned char)text.ptr[i]);
    }
    return has;
}

/* Returns whether a word is a number that has to be read a second time. */
static bool
needs_check(const struct sq_word *word) {
    int least = word->text.len <= SHORT_NUMBER ? SURE_SHORT : SURE_NUMBER;
    return word->confidence < least && has_digit(word->text);
}

/* Makes a strip wider, so that its letters have other widths and places. */
static void
stretch(const struct sq_ocr_request *request, const uint8_t *strip, int width,
        uint8_t *out) {
    int last = request->width - 1;
    for (int y = 0; y < request->height; y++) {
        const uint8_t *row = strip + (size_t)y * (size_t)request->width;
        for (int x = 0; x < width; x++) {
            int64_t at = (int64_t)x * last * 256 / width;
            int left = (int)(at / 256);
            int part = (int)(at % 256);
            int next = left < last ? left + 1 : last;
            *out++ =
                (uint8_t)((row[left] * (256 - part) + row[next] * part) / 256);
        }
    }
}

/* Returns the confidence of a number after a second reading of its line. */
static int
compare_number(const struct sq_word *word,
               const struct sq_words_of_line *second) {
    bool agrees = false;
    for (int i = 0; i < second->count; i++) {
        const struct sq_word *other = &second->items[i];
        int middle = (other->box.left + other->box.right) * 50 / STRETCH;
        agrees = agrees
              || (middle >= word->box.left && middle < word->box.right
                  && sq_span_equal(word->text, other->text)
                  && word->confidence + other->confidence >= 2 * MIN_MEAN);
    }
    return agrees ? sq_max_int(word->confidence, AGREED)
                  : sq_min_int(word->confidence, DISAGREED);
}

/* Replaces the confidence of the numbers of a line by that of two readings. */
static bool
compare_numbers(struct reading *first, const struct sq_words_of_line *words,
                const struct sq_words_of_line *second, struct sq_err *err) {
    struct sq_buf compared;
    bool ok = true;
    sq_buf_init(&compared, SQ_OCR_MAX_REPLY);
    for (int i = 0; ok && i < words->count; i++) {
        struct sq_word word = words->items[i];
        if (needs_check(&word)) {
            word.confidence = compare_number(&word, second);
        }
        ok = sq_words_put(&compared, &word, err);
    }
    sq_buf_finish(&first->words);
    first->words = compared;
    return ok;
}

/*
 * Reads a line with numbers that are not sure a second time, in another width:
 * digits that were lost or mistaken are read in another way then.
 */
static bool
check_numbers(struct recogniser *r, TessBaseAPI *api,
              const struct sq_ocr_request *request, const uint8_t *strip,
              struct reading *first, struct sq_err *err) {
    struct sq_words_of_line words;
    struct sq_words_of_line others;
    struct reading second = { 0 };
    SQ_ARENA(arena, 8 * SQ_OCR_MAX_REPLY);
    struct sq_ocr_request wider = *request;
    wider.width = (int)((int64_t)request->width * STRETCH / 100);
    bool ok = sq_words_parse(sq_buf_span(&first->words), &arena, &words, err);
    bool is_sure = true;
    for (int i = 0; ok && i < words.count; i++) {
        is_sure = is_sure && !needs_check(&words.items[i]);
    }
    if (!ok || is_sure) {
        return ok;
    }
    uint8_t *wide = sq_mem_alloc((size_t)wider.width, (size_t)wider.height);
    if (!wide) {
        return sq_fail_nomem(err);
    }
    stretch(request, strip, wider.width, wide);
    ok = read_line(r, api, &wider, wide, &second, err)
      && sq_words_parse(sq_buf_span(&second.words), &arena, &others, err)
      && compare_numbers(first, &words, &others, err);
    sq_mem_free(wide);
    sq_buf_finish(&second.words);
    return ok;
}

static bool
recognise(void *context, struct sq_span bytes, uint8_t *memory,
          size_t memory_bytes, struct sq_buf *reply, struct sq_err *err) {
    struct recogniser *r = context;
    struct sq_ocr_request request;
    if (bytes.len != sizeof(request)) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the request is malformed");
    }
    memcpy(&request, bytes.ptr, sizeof(request));
    if (request.width < 1 || request.height < 1
        || (size_t)request.height > memory_bytes / (size_t)request.width) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the strip is too large");
    }
    struct reading best = { 0 };
    bool ok = true;
    for (size_t i = 0;
         ok && i < r->count && (best.count == 0 || best.lowest < SURE); i++) {
        struct reading next = { 0 };
        TessBaseAPI *api = r->languages[i].api;
        ok = read_line(r, api, &request, memory, &next, err)
          && check_numbers(r, api, &request, memory, &next, err);
        if (is_surer(&next, &best)) {
            sq_buf_finish(&best.words);
            best = next;
        } else {
            sq_buf_finish(&next.words);
        }
    }
    ok = ok
      && (best.count == 0
          || sq_buf_append(reply, best.words.data, best.words.len, err));
    sq_buf_finish(&best.words);
    return ok;
}

bool
sq_recogniser_serve(const char *language, struct sq_err *err) {
    struct recogniser r = { .count = 0 };
    struct sq_span rest = sq_span_of(language);
    struct sq_span name;
    while (r.count < MAX_LANGUAGES && next_language(&rest, &name)) {
        snprintf(r.languages[r.count++].name, MAX_LANGUAGE, "%.*s",
                 SQ_SPAN_ARGS(name));
    }
    const struct sq_worker_job job = {
        .open = open_all,
        .prepare = prepare,
        .answer = recognise,
        .memory_bytes = MEMORY + r.count * MORE_MEMORY - MORE_MEMORY,
        .cpu_seconds = CPU_SECONDS,
        .max_reply = SQ_OCR_MAX_REPLY,
    };
    bool ok = sq_worker_serve(&job, &r, err);
    for (size_t i = 0; i < r.count; i++) {
        sq_buf_finish(&r.languages[i].data);
    }
    return ok;
}
#else
void
sq_recogniser_version(char out[SQ_RECOGNISER_VERSION_SIZE]) {
    snprintf(out, SQ_RECOGNISER_VERSION_SIZE, "not built in");
}

static bool
refuse(void *context, struct sq_err *err) {
    (void)context;
    sq_fail(err, SQ_ERR_UNSUPPORTED, "this squint was built without Tesseract");
    return sq_fail_hint(err, "Install libtesseract-dev and tesseract-ocr-eng "
                             "and build squint again.");
}

static bool
answer_none(void *context, struct sq_span request, uint8_t *memory,
            size_t memory_bytes, struct sq_buf *reply, struct sq_err *err) {
    (void)request, (void)memory, (void)memory_bytes, (void)reply;
    return refuse(context, err);
}

bool
sq_recogniser_serve(const char *language, struct sq_err *err) {
    (void)language;
    const struct sq_worker_job job = {
        .open = refuse,
        .prepare = refuse,
        .answer = answer_none,
        .max_reply = SQ_OCR_MAX_REPLY,
    };
    return sq_worker_serve(&job, NULL, err);
}
#endif
