/*
 * Tesseract, loaded when it is needed. Reads pictures only in the worker
 * process: it is large, and the pixels are untrusted.
 */
#ifndef SQ_VISION_RECOGNISER_H
#define SQ_VISION_RECOGNISER_H

#include "util/err.h"

#define SQ_OCR_DEFAULT_LANGUAGE "eng"

/* The shared memory between the reader and its workers: one strip. */
#define SQ_OCR_SHARED_BYTES ((size_t)4 << 20)
#define SQ_OCR_MAX_REPLY ((size_t)256 << 10)

/* A request: a strip of grey pixels at the start of the shared memory. */
struct sq_ocr_request {
    int width;
    int height;
    int is_mixed; /* not 0: the letters do not fill its height */
};

/*
 * Answers requests until the other side closes; see sq_worker_serve. language
 * is the name of Tesseract's data file: eng, deu, chi_sim; or up to four of
 * them, eng+deu: of each line, the words of the language that is surest.
 */
bool sq_recogniser_serve(const char *language, struct sq_err *err);

/* Writes the version of Tesseract that squint was compiled with. */
#define SQ_RECOGNISER_VERSION_SIZE 64
void sq_recogniser_version(char out[SQ_RECOGNISER_VERSION_SIZE]);

/*
 * Returns whether a text can name languages: letters, digits, _ and -, with a +
 * between names.
 */
bool sq_recogniser_is_language(const char *names);

#endif
