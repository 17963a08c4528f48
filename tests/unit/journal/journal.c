#include "journal/journal.h"

#include <errno.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

#define HEADER "{\"journal\":1,\"version\":\"1.2.3\",\"started\":5}\n"
#define PICTURE                                                                \
    "{\"picture\":1,\"mimeType\":\"image/jpeg\",\"data\":\"AAEC\"}\n"
#define LOOK                                                                   \
    "{\"call\":1,\"client\":2,\"tool\":\"ui\",\"operation\":\"screenshot\","   \
    "\"arguments\":{\"operation\":\"screenshot\"},\"content\":["               \
    "{\"type\":\"image\",\"picture\":1},"                                      \
    "{\"type\":\"text\",\"text\":\"{\\\"screenshotId\\\":\\\"s1\\\"}\"}]}\n"
#define FAILED                                                                 \
    "{\"call\":2,\"tool\":\"ui\",\"operation\":\"tap\",\"acts\":true,"         \
    "\"secrets\":true,\"arguments\":{},\"content\":[],\"error\":{\"code\":"    \
    "\"TIMEOUT\",\"message\":\"late\",\"hint\":\"Wait.\"}}\n"

static struct sq_journal journal;

static bool
parse(const char *text, size_t len) {
    t_err = (struct sq_err){ 0 };
    sq_journal_finish(&journal);
    return sq_journal_parse((struct sq_span){ text, len }, &journal, &t_err);
}

T_CASE(a_journal_is_read) {
    static const char text[] = HEADER PICTURE LOOK FAILED;
    T_OK(parse(text, strlen(text)));
    T(sq_span_is(journal.version, "1.2.3"));
    T_INT(journal.count, 2);
    const struct sq_journal_call *look = &journal.calls[0];
    T_INT(look->line, 3);
    T_INT(look->client, 2);
    T_INT(look->block_count, 2);
    T_INT(look->blocks[0].kind, SQ_BLOCK_IMAGE);
    T(sq_span_is(look->blocks[0].base64, "AAEC"));
    T(sq_span_is(look->blocks[0].mime_type, "image/jpeg"));
    T(sq_span_is(sq_json_text_of(look->reply, "screenshotId"), "s1"));
    T(!look->acts);
    const struct sq_journal_call *failed = &journal.calls[1];
    T(failed->acts && failed->has_secrets);
    T(sq_span_is(failed->error, "TIMEOUT"));
    T(sq_span_is(failed->message, "late"));
    T(sq_span_is(failed->hint, "Wait."));
    T(!journal.is_incomplete && !journal.is_full);
    sq_journal_finish(&journal);
}

T_CASE(calls_are_in_the_order_of_their_starts) {
    static const char text[] = HEADER FAILED LOOK "{\"full\":true}\n";
    T_OK(parse(text, strlen(text)));
    T_INT(journal.calls[0].number, 1);
    T_INT(journal.calls[1].number, 2);
    T_INT(journal.calls[0].blocks[0].base64.len, 0);
    T(journal.is_full);
    sq_journal_finish(&journal);
}

T_CASE(a_cut_journal_has_its_complete_calls) {
    static const char text[] = HEADER PICTURE LOOK FAILED;
    size_t header = strlen(HEADER);
    size_t look = strlen(HEADER PICTURE LOOK);
    for (size_t len = 0; len < strlen(text); len++) {
        bool ok = parse(text, len);
        T(ok == (len >= header));
        T_INT(journal.count, ok && len >= look ? 1 : 0);
        T(!ok || journal.is_incomplete == (text[len - 1] != '\n'));
    }
    sq_journal_finish(&journal);
}

T_CASE(what_is_not_a_journal_is_refused) {
    static const struct {
        const char *text;
        enum sq_err_code code;
        const char *message;
    } rows[] = {
        { "", SQ_ERR_FORMAT, "line 1 of the journal is not the header" },
        { "{}\n", SQ_ERR_FORMAT, "line 1 of the journal is not the header" },
        { "[1]\n", SQ_ERR_FORMAT, "line 1 of the journal is not the header" },
        { "{\"journal\":2}\n", SQ_ERR_UNSUPPORTED, "the journal has format 2" },
        { HEADER "x\n", SQ_ERR_FORMAT, "line 2 of the journal: " },
        { HEADER "{}\n", SQ_ERR_FORMAT, "line 2 of the journal is not a" },
        { HEADER "{\"call\":0,\"tool\":\"ui\",\"arguments\":{}}\n",
          SQ_ERR_FORMAT, "line 2 of the journal is not a complete call" },
        { HEADER "{\"call\":1,\"tool\":\"ui\",\"arguments\":[]}\n",
          SQ_ERR_FORMAT, "line 2 of the journal is not a complete call" },
        { HEADER "{\"call\":1,\"tool\":\"ui\",\"arguments\":{},\"content\":"
                 "[{\"type\":\"smell\"}]}\n",
          SQ_ERR_FORMAT, "line 2 of the journal has content of an unknown" },
        { HEADER "{\"picture\":\"x\"}\n", SQ_ERR_FORMAT,
          "line 2 of the journal has a picture without a number" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T(!parse(rows[i].text, strlen(rows[i].text)));
        T_INT(t_err.code, rows[i].code);
        T(strncmp(t_err.message, rows[i].message, strlen(rows[i].message))
          == 0);
    }
    sq_journal_finish(&journal);
}

T_CASE(values_are_compared_without_order) {
    static const struct {
        const char *recorded;
        const char *given;
        bool same;
    } rows[] = {
        { "{\"a\":1,\"b\":[true,null]}", "{\"b\":[true,null],\"a\":1.0}",
          true },
        { "{\"a\":1}", "{\"a\":2}", false },
        { "{\"a\":1}", "{\"a\":1,\"b\":2}", false },
        { "{\"a\":1}", "{\"b\":1}", false },
        { "[1,2]", "[1]", false },
        { "[1]", "[1,2]", false },
        { "{\"text\":\"[secret 3]\"}", "{\"text\":\"anything\"}", true },
        { "{\"text\":\"[redacted]\"}", "{\"text\":\"4111\"}", true },
        { "{\"text\":\"[secret 3]\"}", "{\"text\":1}", false },
        { "{\"text\":\"[secret 0]\"}", "{\"text\":\"x\"}", false },
        { "{\"a\":true}", "{\"a\":false}", false },
        { "{\"a\":null}", "{\"a\":0}", false },
        { "{\"a\":{}}", "{\"a\":[]}", false },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        const struct sq_json *values[2];
        T_ARENA(arena, 1 << 20);
        T_OK(sq_json_parse(sq_span_of(rows[i].recorded), &arena, &values[0],
                           &t_err));
        T_OK(sq_json_parse(sq_span_of(rows[i].given), &arena, &values[1],
                           &t_err));
        T(sq_journal_same_value(values[0], values[1]) == rows[i].same);
    }
}

T_CASE(a_written_call_reads_back) {
    static const struct sq_logged_block blocks[] = {
        { .kind = SQ_BLOCK_IMAGE,
          .mime_type = "image/png",
          .data = SQ_SPAN_INIT("\0\1\2") },
        { .kind = SQ_BLOCK_TEXT, .data = SQ_SPAN_INIT("{\"x\":\"\\n\"}") },
        { .kind = SQ_BLOCK_LINK,
          .audience = SQ_FOR_USER,
          .uri = SQ_SPAN_INIT("squint://s1"),
          .name = SQ_SPAN_INIT("s1") },
    };
    const struct sq_logged_call call = {
        .sequence = 7,
        .client = 3,
        .state = SQ_CALL_FAILED,
        .tool = SQ_SPAN_INIT("ui"),
        .operation = SQ_SPAN_INIT("tap"),
        .arguments = SQ_SPAN_INIT("{\"x\":1}"),
        .acts = true,
        .blocks = blocks,
        .block_count = 3,
        .error = SQ_ERR_HELD,
        .message = SQ_SPAN_INIT("paused"),
        .details = SQ_SPAN_INIT("{\"a\":1}"),
    };
    uint64_t pictures = 4;
    T_BUF(text, 1 << 20);
    T_OK(sq_buf_append(&text, HEADER, strlen(HEADER), &t_err));
    T_OK(sq_journal_put_call(&call, &pictures, &text, &t_err));
    T_INT(pictures, 5);
    T_OK(parse((const char *)text.data, text.len));
    T_INT(journal.count, 1);
    const struct sq_journal_call *read = &journal.calls[0];
    T_INT(read->number, 7);
    T(sq_span_is(read->blocks[0].base64, "AAEC"));
    T(sq_span_is(read->blocks[0].mime_type, "image/png"));
    T(sq_span_is(sq_json_text_of(read->reply, "x"), "\n"));
    T_INT(read->blocks[2].audience, SQ_FOR_USER);
    T(sq_span_is(read->blocks[2].uri, "squint://s1"));
    T(sq_span_is(read->error, "PAUSED_BY_PERSON"));
    T_INT(sq_json_int_of(read->details, "a"), 1);
    sq_journal_finish(&journal);
}

/* Lets the log see one call that has ended. */
static void
make_call(struct sq_call_log *log) {
    const struct sq_call_start start = { .tool = SQ_SPAN_INIT("ui"),
                                         .operation = SQ_SPAN_INIT("key") };
    const struct sq_call_end end = { .device_ns = -1 };
    sq_call_log_end(log, sq_call_log_begin(log, &start), &end);
}

T_CASE(a_writer_tells_its_progress) {
    struct sq_call_log *log = NULL;
    struct sq_journal_writer *writer = NULL;
    t_scratch_start();
    const struct sq_journal_options options = { .path = t_scratch_path(""),
                                                .max_bytes = 500,
                                                .version = "1.2.3" };
    T_OK(sq_call_log_create(&(struct sq_call_log_options){ 0 }, &log, &t_err));
    make_call(log);
    T_OK(sq_journal_writer_create(&options, log, &writer, &t_err));
    struct sq_journal_progress progress = sq_journal_writer_progress(writer);
    size_t header = progress.bytes;
    T_INT(progress.calls, 0);
    T(header > 0 && !progress.ended);
    make_call(log);
    progress = sq_journal_writer_progress(writer);
    T_INT(progress.calls, 1);
    T(progress.bytes > header && !progress.ended);
    for (int i = 0; i < 10; i++) {
        make_call(log);
    }
    progress = sq_journal_writer_progress(writer);
    T(progress.calls < 10 && progress.bytes <= 500);
    T_STR(progress.ended, "it has reached its limit");
    sq_journal_writer_destroy(writer);
    sq_call_log_destroy(log);
    t_scratch_end();
}

/* A full disk, for example: what the header needs cannot be written. */
T_CASE(a_failed_start_leaves_no_file) {
    struct sq_call_log *log = NULL;
    struct sq_journal_writer *writer = NULL;
    bool was_reached = true;
    t_scratch_start();
    char path[600];
    snprintf(path, sizeof(path), "%s", t_scratch_path("calls.jsonl"));
    const struct sq_journal_options options = { .path = path,
                                                .version = "1.2.3" };
    T_OK(sq_call_log_create(&(struct sq_call_log_options){ 0 }, &log, &t_err));
    for (long nth = 1; was_reached && T(nth < 20); nth++) {
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = nth, .how = ENOSPC });
        bool ok = sq_journal_writer_create(&options, log, &writer, &t_err);
        was_reached = sq_fault_disarm(SQ_FAULT_CALL) >= nth;
        T_INT(access(path, F_OK) == 0, ok);
        if (ok) {
            sq_journal_writer_destroy(writer);
            unlink(path);
        }
    }
    sq_call_log_destroy(log);
    t_scratch_end();
}
