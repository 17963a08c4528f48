/* Writes the tour as JSON beside its pictures, for other programs. */
#include "demo/tour/private.h"
#include "json/writer.h"

#define NS_PER_US 1000

static void
put_number(struct sq_json_writer *w, const char *key, int64_t value) {
    sq_json_put_key(w, key);
    sq_json_put_int(w, value);
}

bool
sq_tour_log_step(const struct sq_tour_record *record, struct sq_buf *out,
                 struct sq_err *err) {
    const struct sq_tour_step *step = record->step;
    struct sq_json_writer w;
    if (!sq_buf_printf(out, err, record->number == 1 ? "[\n" : ",\n")) {
        return false;
    }
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    put_number(&w, "step", record->number);
    if (step->part) {
        sq_json_put_clean_member(&w, "part", sq_span_of(step->part));
    }
    sq_json_put_clean_member(&w, "why", sq_span_of(step->why));
    sq_json_put_clean_member(&w, "call", record->call);
    sq_json_put_clean_member(&w, "answer", record->answer);
    if (step->given) {
        sq_json_put_clean_member(&w, "picture", sq_span_of(step->given));
    }
    put_number(&w, "pictureTokens", record->cost.picture_tokens);
    put_number(&w, "textTokens", record->cost.text_tokens);
    put_number(&w, "microseconds", record->cost.took_ns / NS_PER_US);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}
