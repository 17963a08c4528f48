/* connect and pair: use phones in the network. */
#include "app/commands/command.h"

#include "app/setup.h"
#include "device/android/wireless.h"

#define CONNECT_MS 30000
#define MAX_ANSWER ((size_t)64 << 10)

static const struct sq_arg no_options[] = {
    SQ_ARGS_END,
};

static bool
fail_off(struct sq_err *err) {
    sq_fail(err, SQ_ERR_INVALID_OPERATION, "Android is switched off");
    return sq_fail_hint(err, "Set android.adbServer to something other than "
                             "off.");
}

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
    return sq_wireless_list(adb, out, &deadline, err)
        && (out->len > 0
            || sq_buf_printf(out, err,
                             "No phone in the network announces itself.\n"));
}

static bool
run(const struct sq_command *command, int argc, char **argv, struct sq_buf *out,
    struct sq_err *err) {
    const bool pairs = command == &sq_command_pair;
    struct sq_words words = { 0 };
    struct sq_setup setup;
    struct sq_buf answer;
    char nothing;
    sq_buf_init(&answer, MAX_ANSWER);
    bool ok = sq_setup_init(&setup, &argc, argv, err)
           && sq_options_parse(no_options, argc, argv, &nothing, &words, err)
           && sq_command_check_words(command, &words, err);
    struct sq_adb *adb = ok ? sq_host_adb(setup.host) : NULL;
    ok = ok && (adb || fail_off(err))
      && run_words(adb, &words, pairs, &answer, err);
    struct sq_span text = sq_span_trim(sq_buf_span(&answer));
    ok = ok && sq_buf_append(out, text.ptr, text.len, err)
      && sq_buf_printf(out, err, "\n");
    sq_setup_finish(&setup);
    sq_buf_finish(&answer);
    return ok;
}

static bool
connect_run(int argc, char **argv, struct sq_buf *out, enum sq_status *status,
            struct sq_err *err) {
    (void)status;
    return run(&sq_command_connect, argc, argv, out, err);
}

static bool
pair_run(int argc, char **argv, struct sq_buf *out, enum sq_status *status,
         struct sq_err *err) {
    (void)status;
    return run(&sq_command_pair, argc, argv, out, err);
}

const struct sq_command sq_command_connect = {
    .name = "connect",
    .usage = "[HOST[:PORT]] [options]",
    .summary = "connect adb to a phone in the network, or list those",
    .help = "Without an address, lists the phones that announce themselves "
            "(Android 11 and\nnewer with Wireless debugging). A phone must be "
            "paired once before:\nsquint pair.\n\n"
            "Exit status: 0 connected, 1 not, 2 the command line is wrong.",
    .options = no_options,
    .max_words = 1,
    .trouble = SQ_STATUS_FAILED,
    .prints_page = true,
    .run_words = connect_run,
};

const struct sq_command sq_command_pair = {
    .name = "pair",
    .usage = "HOST:PORT CODE [options]",
    .summary = "pair adb with a phone that shows an address and a code",
    .help = "On the phone: Developer options, Wireless debugging, Pair device "
            "with pairing\ncode. Afterwards: squint connect HOST:PORT, with "
            "the port that Wireless\ndebugging shows.\n\n"
            "Exit status: 0 paired, 1 not, 2 the command line is wrong.",
    .options = no_options,
    .min_words = 2,
    .max_words = 2,
    .trouble = SQ_STATUS_FAILED,
    .prints_page = true,
    .run_words = pair_run,
};
