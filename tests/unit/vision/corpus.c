/* Reads pages beside Tesseract's own layout, with the same library. */

#include "support/font_page.h"
#include "support/test.h"
#include "support/text_page.h"
#include "vision/reader.h"

/* With the allocator of sanitizers, Tesseract takes five times as long. */
#if defined(__SANITIZE_ADDRESS__)
#define SKIP_BECAUSE "the build without sanitizers runs this"
#elif !defined(SQ_HAVE_TESSERACT)
#define SKIP_BECAUSE "built without Tesseract"
#endif

#ifndef SKIP_BECAUSE
#include <jansson.h>
#include <tesseract/capi.h>

#include "image/pipeline/codec.h"
#include "sys/file.h"

#define PAGES 7

/* Words that were read: how many of the page's, and how many at all. */
struct score {
    int exact;
    int reported;
};

static bool
is_exact(const struct t_font_page *page, int index, struct sq_span text,
         struct sq_rect box) {
    const struct t_font_word *word = &page->words[index];
    return sq_span_is(text, word->text)
        && sq_rect_contains(word->box, (box.left + box.right) / 2,
                            (box.top + box.bottom) / 2);
}

/* Counts a word; one of the page counts once, because they do not overlap. */
static void
count_word(const struct t_font_page *page, struct sq_span text,
           struct sq_rect box, struct score *score) {
    score->reported++;
    for (int i = 0; i < page->count; i++) {
        score->exact += is_exact(page, i, text, box);
    }
}

/* Reads a page; marks the case skipped if this machine cannot. */
static bool
read_ours(struct sq_reader *reader, const struct t_font_page *page,
          struct score *out) {
    const struct sq_read_plan plan = {
        .area = { 0, 0, page->image.width, page->image.height },
    };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_FREED(sq_text_finish) struct sq_text text = { 0 };
    bool ok =
        sq_reader_read(reader, &page->image, &plan, &deadline, &text, &t_err);
    if (t_skips_reading(ok, &t_err) || !T_OK(ok)) {
        return false;
    }
    for (int i = 0; i < text.count; i++) {
        const struct sq_words_of_line *words = &text.lines[i].words;
        for (int k = 0; k < words->count; k++) {
            int before = out->exact;
            count_word(page, words->items[k].text, words->items[k].box, out);
            if (out->exact == before) {
                printf("# wrong: %.*s, confidence %d, at %d,%d\n",
                       (int)words->items[k].text.len, words->items[k].text.ptr,
                       words->items[k].confidence, words->items[k].box.left,
                       words->items[k].box.top);
            }
        }
    }
    return true;
}

/* Reads a page on both sides and adds ours to the sums. */
static bool
compare_page(struct sq_reader *reader, TessBaseAPI *api, unsigned seed,
             struct score *sum, int *words) {
    T_FREED(t_font_page_finish) struct t_font_page page = { 0 };
    struct score ours = { 0 };
    struct score theirs = { 0 };
    t_font_page_draw(seed, &page);
    bool ok = read_ours(reader, &page, &ours);
    if (ok) {
        TessBaseAPISetImage(api, page.image.pixels, page.image.width,
                            page.image.height, SQ_PIXEL_BYTES,
                            (int)page.image.stride);
        TessBaseAPISetSourceResolution(api, 300);
        T_INT(TessBaseAPIRecognize(api, NULL), 0);
        TessResultIterator *at = TessBaseAPIGetIterator(api);
        for (bool has = at != NULL; has;
             has = TessResultIteratorNext(at, RIL_WORD)) {
            char *text = TessResultIteratorGetUTF8Text(at, RIL_WORD);
            struct sq_rect box = { 0 };
            TessPageIteratorBoundingBox(
                TessResultIteratorGetPageIteratorConst(at), RIL_WORD, &box.left,
                &box.top, &box.right, &box.bottom);
            count_word(&page, sq_span_trim(sq_span_of(text ? text : "")), box,
                       &theirs);
            TessDeleteText(text);
        }
        if (at) {
            TessResultIteratorDelete(at);
        }
        TessBaseAPIClear(api);
        printf("# page %u, %s, %d icons: %d of %d words, %d reported; PSM 3 "
               "%d\n",
               seed, page.face, page.icons, ours.exact, page.count,
               ours.reported, theirs.exact);
        T(ours.exact >= theirs.exact);
        sum->exact += ours.exact;
        sum->reported += ours.reported;
        *words += page.count;
    }
    return ok;
}

T_CASE(no_page_is_read_worse_than_by_its_layout) {
    const struct sq_reader_options options = { t_made_path("../squint"), "eng",
                                               1 };
    struct sq_reader *reader = NULL;
    struct score sum = { 0 };
    int words = 0;
    TessBaseAPI *api = TessBaseAPICreate();
    setenv("OMP_THREAD_LIMIT", "1", 1);
    bool ok = T_OK(sq_reader_create(&options, &reader, &t_err));
    if (TessBaseAPIInit2(api, NULL, "eng", OEM_LSTM_ONLY) != 0) {
        t_skip("Tesseract has no English data");
        ok = false;
    }
    TessBaseAPISetPageSegMode(api, PSM_AUTO);
    for (unsigned seed = 0; ok && seed < PAGES; seed++) {
        ok = compare_page(reader, api, seed, &sum, &words);
    }
    if (ok) {
        T(words >= 80);
        T(sum.exact * 100 >= words * 95);
        T(sum.exact * 100 >= sum.reported * 95);
    }
    TessBaseAPIDelete(api);
    sq_reader_destroy(reader);
}

/* Reads the words of a page; their texts point into *truth. */
static void
load_truth(const char *path, json_t **truth, struct t_font_page *page) {
    json_error_t problem;
    size_t index;
    json_t *word;
    *truth = json_load_file(path, 0, &problem);
    double scale = json_number_value(json_object_get(*truth, "dpr"));
    json_array_foreach(json_object_get(*truth, "words"), index, word) {
        int sides[4]; /* left, top, right, bottom */
        for (size_t i = 0; i < 4; i++) {
            double side = json_number_value(json_array_get(word, i + 1));
            sides[i] = (int)(side * scale + 0.5);
        }
        if (T(page->count < T_MAX_FONT_WORDS)) {
            page->words[page->count++] = (struct t_font_word){
                json_string_value(json_array_get(word, 0)),
                { sides[0], sides[1], sides[2], sides[3] },
            };
        }
    }
}

/* Loads a page of the further data; false if it is absent. */
static bool
load_page(const char *name, json_t **truth, struct t_font_page *page) {
    char relative[100];
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    snprintf(relative, sizeof(relative), "screens/%s.truth.json", name);
    const char *path = t_data_path(relative);
    if (!path) {
        return false;
    }
    load_truth(path, truth, page);
    snprintf(relative, sizeof(relative), "screens/%s.rgba.png", name);
    path = t_data_path(relative);
    return path
        && T_OK(sq_file_read(path, SQ_MAX_IMAGE_BYTES, &bytes, &t_err)
                && sq_image_decode(bytes.data, bytes.len, &sq_limits_default,
                                   &page->image, &t_err));
}

/* In addition; see t_data_path. */
T_CASE(words_of_real_pages_are_exact) {
    static const char *const names[] = { "settings_1080x2400",
                                         "shop_1080x2400" };
    const struct sq_reader_options options = { t_made_path("../squint"), "eng",
                                               1 };
    struct sq_reader *reader = NULL;
    struct score sum = { 0 };
    T_OK(sq_reader_create(&options, &reader, &t_err));
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        struct t_font_page page = { 0 };
        struct score score = { 0 };
        json_t *truth = NULL;
        if (!load_page(names[i], &truth, &page)) {
            t_skip("the pages of the further data are not here");
        } else if (read_ours(reader, &page, &score)) {
            printf("# %s: %d of %d words, %d reported\n", names[i], score.exact,
                   page.count, score.reported);
            T(page.count > 50);
            T(score.exact * 100 >= page.count * 97);
            sum.exact += score.exact;
            sum.reported += score.reported;
        }
        json_decref(truth);
        t_font_page_finish(&page);
    }
    T(sum.exact * 100 >= sum.reported * 97);
    sq_reader_destroy(reader);
}
#else
T_CASE(words_of_real_pages_are_exact) {
    t_skip(SKIP_BECAUSE);
}

T_CASE(no_page_is_read_worse_than_by_its_layout) {
    t_skip(SKIP_BECAUSE);
}
#endif
