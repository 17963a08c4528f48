/* connect and pair: use phones in the network. */
#include "app/commands/command.h"

#include "json/writer.h"
#include "device/adb.h"
#include "tools/reply.h"

#define CONNECT_MS 30000
#define MAX_ANSWER ((size_t)64 << 10)

struct connect_args {
    bool json;
};

static const struct sq_arg connect_options[] = {
    SQ_BOOL(connect_args, json, "json", "print JSON, errors too"),
    SQ_ARGS_END,
};

/* Lists phones, connects to words[0], or pairs with it by the code words[1]. */
static bool
run_words(struct sq_adb *adb, const struct sq_words *words, bool pairs,
          struct sq_buf *out, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(CONNECT_MS, NULL);
    if (pairs) {
        return sq_wireless_pair(adb, words->word[0], words->word[1], out,
                                &deadline, err);
    }
    if (words->count > 0) {
        return sq_wireless_connect(adb, words->word[0], out, &deadline, err);
    }
    return sq_wireless_list(adb, out, &deadline, err);
}

/* Takes the address from "connected to ADDRESS" or "paired to ADDRESS [...". */
static struct sq_span
address_in(struct sq_span answer, const char *given) {
    struct sq_span word;
    struct sq_span rest = answer;
    while (sq_span_take_until(&rest, ' ', &word)) {
        if (sq_span_is(word, "to")) {
            struct sq_span address = rest;
            sq_span_take_until(&rest, ' ', &address);
            return address;
        }
    }
    return sq_span_of(given);
}

/* Writes the name that adb uses for a paired phone: "[guid=NAME]". */
static void
put_guid(struct sq_json_writer *w, struct sq_span answer) {
    struct sq_span before;
    struct sq_span guid;
    if (sq_span_take_until(&answer, '[', &before)
        && sq_span_take_prefix(&answer, "guid=")
        && sq_span_take_until(&answer, ']', &guid)) {
        sq_json_put_clean_member(w, "guid", guid);
    }
}

/*
 * Appends {"phones": [{"name", "service", "address"}]}, {"device",
 * "wasConnected"} or {"address", "guid"}.
 */
static bool
write_json(struct sq_span answer, const struct sq_words *words, bool pairs,
           struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    if (words->count == 0) {
        /* Writes the lines of adb, "NAME<tab>SERVICE<tab>ADDRESS", as objects.
         */
        struct sq_span lines = answer;
        struct sq_span line;
        sq_json_begin_array_of(&w, "phones");
        while (sq_span_take_line(&lines, &line)) {
            struct sq_span name;
            struct sq_span service;
            if (sq_span_take_until(&line, '\t', &name)
                && sq_span_take_until(&line, '\t', &service)) {
                sq_json_begin_object(&w);
                sq_json_put_clean_member(&w, "name", sq_span_trim(name));
                sq_json_put_clean_member(&w, "service", sq_span_trim(service));
                sq_json_put_clean_member(&w, "address", sq_span_trim(line));
                sq_json_end_object(&w);
            }
        }
        sq_json_end_array(&w);
    } else if (pairs) {
        sq_json_put_clean_member(&w, "address",
                                 address_in(answer, words->word[0]));
        put_guid(&w, answer);
    } else {
        sq_json_put_clean_member(&w, "device",
                                 address_in(answer, words->word[0]));
        sq_put_bool(&w, "wasConnected", sq_span_starts_with(answer, "already"));
    }
    return sq_json_end_line(&w, err);
}

static bool
connect_run(const struct sq_run *run, struct sq_err *err) {
    const struct connect_args *args = run->args;
    const bool pairs = run->command == &sq_command_pair;
    struct sq_adb *adb = run->setup->host->adb;
    SQ_BUF(answer, MAX_ANSWER);
    if (!adb) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "Android is switched off");
        return sq_fail_hint(err, "Set android.adbServer to something other "
                                 "than off.");
    }
    if (!run_words(adb, run->words, pairs, &answer, err)) {
        return false;
    }
    struct sq_span text = sq_span_trim(sq_buf_span(&answer));
    if (args->json) {
        return write_json(text, run->words, pairs, run->out, err);
    }
    if (text.len == 0) {
        text = SQ_SPAN("No phone in the network announces itself.");
    }
    return sq_buf_append(run->out, text.ptr, text.len, err)
        && sq_buf_append(run->out, "\n", 1, err);
}

const struct sq_command sq_command_connect = {
    .name = "connect",
    .usage = "[HOST[:PORT]] [options]",
    .summary = "connect adb to a phone in the network, or list those",
    .options = connect_options,
    .uses = SQ_USE_ADB,
    .max_words = 1,
    .prints_page = true,
    .run = connect_run,
};

const struct sq_command sq_command_pair = {
    .name = "pair",
    .usage = "HOST:PORT CODE [options]",
    .summary = "pair adb with a phone that shows an address and a code",
    .options = connect_options,
    .uses = SQ_USE_ADB,
    .min_words = 2,
    .max_words = 2,
    .prints_page = true,
    .run = connect_run,
};
