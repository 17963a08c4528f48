/* Recognises the words of one line with Tesseract's C API. */
#include "vision/recogniser.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/worker.h"
#include "vision/words.h"

#define MAX_LANGUAGE 32

bool
sq_recogniser_is_language(const char *name) {
    size_t len = strlen(name);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)name[i];
        if (!isalnum(c) && c != '_' && c != '-') {
            return false;
        }
    }
    return len > 0 && len < MAX_LANGUAGE;
}

#ifdef SQ_HAVE_TESSERACT
#include <tesseract/capi.h>
#include <tesseract/version.h>

#include "sys/call_worker.h"
#include "sys/file.h"

#define TEXT_OF(value) #value
#define MAJOR_TEXT(value) TEXT_OF(value)
#define LIBRARY "libtesseract.so." MAJOR_TEXT(TESSERACT_MAJOR_VERSION)
#define LIBRARY_MACOS                                                          \
    "libtesseract." MAJOR_TEXT(TESSERACT_MAJOR_VERSION) ".dylib"

#define MAX_DATA ((size_t)64 << 20) /* of a language */
#define MEMORY ((size_t)384 << 20)  /* of the process, with its data */
#define CPU_SECONDS 1200            /* of the process, for all requests */
#define RESOLUTION 300              /* of strips, in dots per inch */

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

struct recogniser {
    const char *language;
    struct sq_buf data; /* the language's file */
    struct {
        FUNCTIONS(DECLARE)
    } t;
    TessBaseAPI *api;
};

static const char *const folders[] = {
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
};

static bool
read_data_in(struct recogniser *r, const char *folder, struct sq_err *err) {
    char path[512];
    int written =
        snprintf(path, sizeof(path), "%s/%s.traineddata", folder, r->language);
    return written > 0 && (size_t)written < sizeof(path)
        && sq_file_read(path, MAX_DATA, &r->data, err);
}

static bool
read_data(struct recogniser *r, struct sq_err *err) {
    const char *prefix = getenv("TESSDATA_PREFIX");
    struct sq_err ignored = { 0 };
    sq_buf_init(&r->data, MAX_DATA);
    if (prefix && read_data_in(r, prefix, &ignored)) {
        return true;
    }
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (read_data_in(r, folders[i], &ignored)) {
            return true;
        }
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "Tesseract's data for the language \"%s\" is not installed",
            r->language);
    return sq_fail_hint(err,
                        "Install it (Debian: apt-get install tesseract-ocr-%s) "
                        "or set TESSDATA_PREFIX to its folder.",
                        r->language);
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
    return load_functions(r, library, err) && read_data(r, err);
}

static bool
prepare(void *context, struct sq_err *err) {
    struct recogniser *r = context;
    r->api = r->t.TessBaseAPICreate();
    if (!r->api
        || r->t.TessBaseAPIInit5(r->api, (const char *)r->data.data,
                                 (int)r->data.len, r->language, OEM_LSTM_ONLY,
                                 NULL, 0, NULL, NULL, 0, 0)
               != 0) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "Tesseract cannot use its data for \"%s\"", r->language);
    }
    sq_buf_finish(&r->data);
    /* Strips are dark on white already. */
    r->t.TessBaseAPISetVariable(r->api, "tessedit_do_invert", "0");
    return true;
}

static bool
put_word(struct recogniser *r, TessResultIterator *at, struct sq_buf *reply,
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
    bool ok = sq_words_put(reply, &word, err);
    r->t.TessDeleteText(text);
    return ok;
}

static bool
recognise(void *context, struct sq_span bytes, const uint8_t *shared,
          struct sq_buf *reply, struct sq_err *err) {
    struct recogniser *r = context;
    struct sq_ocr_request request;
    if (bytes.len != sizeof(request)) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the request is malformed");
    }
    memcpy(&request, bytes.ptr, sizeof(request));
    if (request.width < 1 || request.height < 1
        || (size_t)request.width > SQ_OCR_SHARED_BYTES
        || (size_t)request.height
               > SQ_OCR_SHARED_BYTES / (size_t)request.width) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the strip is too large");
    }
    r->t.TessBaseAPISetPageSegMode(r->api, request.is_mixed ? PSM_SINGLE_LINE
                                                            : PSM_RAW_LINE);
    r->t.TessBaseAPISetImage(r->api, shared, request.width, request.height, 1,
                             request.width);
    r->t.TessBaseAPISetSourceResolution(r->api, RESOLUTION);
    bool ok = true;
    if (r->t.TessBaseAPIRecognize(r->api, NULL) == 0) {
        TessResultIterator *at = r->t.TessBaseAPIGetIterator(r->api);
        for (bool has = at != NULL; ok && has;
             has = r->t.TessResultIteratorNext(at, RIL_WORD)) {
            ok = put_word(r, at, reply, err);
        }
        if (at) {
            r->t.TessResultIteratorDelete(at);
        }
    }
    r->t.TessBaseAPIClear(r->api);
    return ok;
}

bool
sq_recogniser_serve(const char *language, struct sq_err *err) {
    struct recogniser r = { .language = language };
    const struct sq_worker_job job = {
        .shared_bytes = SQ_OCR_SHARED_BYTES,
        .open = open_all,
        .prepare = prepare,
        .answer = recognise,
        .memory_bytes = MEMORY,
        .cpu_seconds = CPU_SECONDS,
        .max_reply = SQ_OCR_MAX_REPLY,
    };
    bool ok = sq_worker_serve(&job, &r, err);
    sq_buf_finish(&r.data);
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
answer_none(void *context, struct sq_span request, const uint8_t *shared,
            struct sq_buf *reply, struct sq_err *err) {
    (void)request, (void)shared, (void)reply;
    return refuse(context, err);
}

bool
sq_recogniser_serve(const char *language, struct sq_err *err) {
    (void)language;
    const struct sq_worker_job job = {
        .shared_bytes = SQ_OCR_SHARED_BYTES,
        .open = refuse,
        .prepare = refuse,
        .answer = answer_none,
        .max_reply = SQ_OCR_MAX_REPLY,
    };
    return sq_worker_serve(&job, NULL, err);
}
#endif
