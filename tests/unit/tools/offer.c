/* Texts name what a client can call, in each mode. */

#include "tools/offer.h"

#include "support/test.h"
#include "tools/table.h"

static const struct sq_offer whole = { 0 };
static const struct sq_offer split = { .is_split = true };
static const struct sq_offer read_only = { .is_read_only = true };
static const struct sq_offer both = { .is_split = true, .is_read_only = true };

/* The text in that mode, valid until the next call. */
static const char *
read_in(struct sq_offer offer, const char *text) {
    static char out[512];
    sq_offer_write(offer, text, out, sizeof(out));
    return out;
}

T_CASE(names_are_those_of_the_mode) {
    T_STR(read_in(whole, "Run @dump or @find first."),
          "Run dump or find first.");
    T_STR(read_in(split, "Run @dump or @find first."),
          "Run ui_dump or ui_find first.");
    T_STR(read_in(split, "Use @visual-snapshot."), "Use ui_visual_snapshot.");
    T_STR(read_in(split, "Use @get_screenshot."), "Use get_screenshot.");
    T_STR(read_in(whole, "ui @tap x,y"), "ui tap x,y");
    T_STR(read_in(split, "ui @tap x,y"), "ui_tap x,y");
    T_STR(read_in(split, "The operation @apps lists them."),
          "The tool ui_apps lists them.");
    T_STR(read_in(split, "@Tap it."), "Tap it.");
    T_STR(read_in(whole, "{\"operation\": \"@tap\", \"x\": 9}"),
          "{\"operation\": \"tap\", \"x\": 9}");
    T_STR(read_in(split, "{\"operation\": \"@tap\", \"x\": 9}"),
          "ui_tap {\"x\": 9}");
    T_STR(read_in(split, "{\"operation\": \"@wake\"}"), "ui_wake {}");
    T_STR(read_in(split, "ada@example.com @ @nothing"),
          "ada@example.com @ @nothing");
}

T_CASE(sentences_about_missing_operations_are_left_out) {
    T_STR(read_in(read_only, "Use @dump. Or leave with @key back."),
          "Use dump.");
    T_STR(read_in(both, "@Tap it. Use @dump."), "Use ui_dump.");
    T_STR(read_in(read_only, "1. See. @Tap it.\n2. @Tap it.\n3. Go.\n"),
          "1. See.\n3. Go.\n");
    T_STR(read_in(read_only, "@save_screenshot saves."), "");
    T_STR(read_in(whole, "@save_screenshot saves."), "save_screenshot saves.");
}

T_CASE(long_text_is_cut_off) {
    char out[8];
    sq_offer_write(split, "@screenshot", out, sizeof(out));
    T_STR(out, "ui_scre");
}

T_CASE(an_error_always_keeps_a_hint) {
    sq_fail(&t_err, SQ_ERR_ARGUMENT, "wrong");
    sq_fail_hint(&t_err, "Use @tap with x,y.");
    sq_offer_hint(read_only, &t_err);
    T_STR(t_err.hint,
          "tap can change the device, and this server is read-only. Ask "
          "the person to start squint without --read-only if this "
          "is wanted.");
    sq_fail_hint(&t_err, "No marks.");
    sq_offer_hint(read_only, &t_err);
    T_STR(t_err.hint, "No marks.");
}

/* Text of others cannot name an operation, nor hide a sentence. */
T_CASE(marks_in_values_do_not_count) {
    const struct sq_offer offers[] = { whole, split, read_only };
    for (size_t i = 0; i < 3; i++) {
        char want[200];
        snprintf(want, sizeof(want),
                 "Look at \"a \\@tap me\\@host @ 9@1 \\@input\" with %s.",
                 offers[i].is_split ? "ui_dump" : "dump");
        sq_fail_hint(&t_err, "Look at \"%s\" with @dump.",
                     "a @tap me@host @ 9@1 @input");
        sq_offer_hint(offers[i], &t_err);
        sq_offer_hint(offers[i], &t_err);
        T_STR(t_err.hint, want);
        /* Not even with the byte that stands for a mark. */
        sq_fail_hint(&t_err, "%s and @dump.", "a \x01tap");
        sq_offer_hint(offers[i], &t_err);
        T_STR(t_err.hint, "a tap and dump.");
    }
}

T_CASE(a_refusal_says_what_would_change) {
    T(!sq_fail_not_offered((struct sq_offer){ 0 },
                           sq_tools_find(SQ_SPAN("remember")), &t_err));
    T_STR(t_err.message,
          "remember changes stored files, and this server is read-only");
    T(!sq_fail_not_offered((struct sq_offer){ 0 },
                           sq_tools_find(SQ_SPAN("steps")), &t_err));
    T_STR(t_err.message,
          "steps can change the device, and this server is read-only");
    T(!sq_fail_not_offered((struct sq_offer){ 0 },
                           sq_tools_find(SQ_SPAN("logs")), &t_err));
    T_STR(t_err.message,
          "logs reads more than the screen shows, and this server "
          "is read-only");
}

/* Every text of every operation, in every mode: no mark is left. */
T_CASE(every_mark_is_an_operation) {
    const struct sq_offer modes[] = { whole, split, read_only, both };
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        for (size_t mode = 0; mode < 4; mode++) {
            T_BUF(out, (size_t)1 << 16);
            T_OK(sq_offer_append(modes[mode], tool->text, &out, &t_err)
                 && sq_offer_append(modes[mode],
                                    tool->manual ? tool->manual : "", &out,
                                    &t_err)
                 && sq_buf_append(&out, "", 1, &t_err));
            const char *mark = (const char *)out.data;
            while ((mark = strchr(mark, '@'))) {
                T_STR(mark > (const char *)out.data && mark[-1] == 'a'
                          ? "an address"
                          : mark,
                      "an address");
                mark++;
            }
        }
    }
}

T_ALLOC_CASE(appending_can_lack_memory, 1) {
    T_BUF(out, 100);
    return sq_offer_append(split, "Run @dump.", &out, err);
}
