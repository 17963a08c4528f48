/* squint completion: scripts for three shells, and the words they ask for. */
#include "app/docs/docs.h"

#include "unit/app/run.h"

T_FIXTURE(t_scratch_start, t_scratch_end);

T_CASE(scripts_match_the_snapshots) {
    static const char *const names[][2] = {
        { "bash", "completion.bash" },
        { "fish", "completion.fish" },
        { "zsh", "completion.zsh" },
    };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        T_STR(sq_command_completion.word_at(i), names[i][0]);
        RUN_EXITS(0, "completion", names[i][0]);
        T_STR(run.err, "");
        run_matches(names[i][1]);
    }
    T(sq_command_completion.word_at(3) == NULL);
}

static struct sq_verb
verb_of(const char *name) {
    struct sq_verb verb = { 0 };
    T(sq_verb_find(name, &verb));
    return verb;
}

/* Asks what can follow these words. */
#define WORDS(...) RUN("completion", "words", "--", __VA_ARGS__)

/* The answer has a line that begins with a word. */
static bool
has_line(const char *before, const char *word) {
    char line[SQ_VERB_FLAG_SIZE + 8];
    int len = snprintf(line, sizeof(line), "\n%s%s", before, word);
    const char *at = run.out;
    if (strncmp(at, line + 1, (size_t)len - 1) == 0
        && strchr("\t\n", at[len - 1])) {
        return true;
    }
    while ((at = strstr(at, line)) && !strchr("\t\n", at[len])) {
        at++;
    }
    return at != NULL;
}

/* Searches the flags of a verb; its name is the context. */
static bool
is_there(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    WORDS(context, "--");
    T_INT(run.status, 0);
    T(has_line("--", flag->name));
    T(!flag->has_no || has_line("--no-", flag->name));
    if (flag->value) {
        char name[SQ_VERB_FLAG_SIZE + 2];
        snprintf(name, sizeof(name), "--%s", flag->name);
        WORDS(context, name, "");
        for (size_t i = 0; sq_verb_choice_at(flag, i); i++) {
            T(has_line("", sq_verb_choice_at(flag, i)));
        }
        T(flag->is_path == has_line("", "FILES"));
    }
    return true;
}

T_CASE(every_command_and_flag_is_included) {
    static const char *const verbs[] = { "screenshot", "install", "serve" };
    struct sq_verb verb;
    WORDS("");
    for (size_t v = 0; sq_verb_at(v, &verb); v++) {
        T(has_line("", verb.name));
    }
    T(has_line("", "--version"));
    for (size_t i = 0; i < SQ_COUNT(verbs); i++) {
        char name[32];
        snprintf(name, sizeof(name), "%s", verbs[i]);
        verb = verb_of(name);
        T(sq_verb_flags(&verb, is_there, name, &t_err));
        T(sq_verb_config_flags(&verb, is_there, name, &t_err));
    }
}

T_CASE(words_and_values_are_completed_at_their_place) {
    WORDS("install", "");
    T(has_line("", "claude-desktop") && !has_line("", "--print"));
    WORDS("install", "cursor", "");
    T(has_line("", "--print") && !has_line("", "FILES"));
    WORDS("screenshot", "--format=j");
    T(has_line("--format=", "jpeg") && !has_line("", "FILES"));
    /* bash makes three words of it. */
    WORDS("screenshot", "--format", "=", "j");
    T(has_line("", "jpeg"));
    WORDS("screenshot", "--format", "=");
    T(has_line("", "jpeg"));
    WORDS("screenshot", "-o", "");
    T_STR(run.out, "FILES\n");
    WORDS("install", "cursor", "--name", "x");
    T_STR(run.out, "");
    WORDS("nothing", "--help");
    T_INT(run.status, 0);
    T_STR(run.out, "");
}

T_CASE(commands_complete_their_own_flags) {
    struct sq_verb verb;
    bool has_screenshot = false;
    for (size_t i = 0; sq_verb_at(i, &verb); i++) {
        T((verb.command != NULL) != (verb.tool != NULL));
        if (strcmp(verb.name, "screenshot") == 0) {
            has_screenshot = verb.tool != NULL;
            T(verb.uses != 0);
            T(sq_verb_word_at(&verb, 0) == NULL);
        }
        if (strcmp(verb.name, "tokens") == 0) {
            T(verb.uses == 0);
        }
        if (strcmp(verb.name, "install") == 0) {
            T_STR(sq_verb_word_at(&verb, 0), "claude-desktop");
            T(sq_verb_word_at(&verb, 99) == NULL);
        }
    }
    T(has_screenshot);
}

T_CASE(first_words_are_known) {
    struct sq_verb archive = verb_of("archive");
    struct sq_verb key = verb_of("key");
    T_STR(sq_verb_word_at(&archive, 0), "stats");
    T_STR(sq_verb_word_at(&archive, 1), "index");
    T(sq_verb_word_at(&archive, 3) == NULL);
    T_STR(sq_verb_word_at(&key, 0), "back");
    T(sq_verb_word_at(&key, 999) == NULL);
}

static bool
takes(const char *name, const char *flag) {
    const struct sq_verb verb = verb_of(name);
    const struct sq_config_option *option =
        sq_config_option_by_flag(sq_span_of(flag));
    return T(option != NULL) && sq_verb_takes(&verb, option);
}

T_CASE(options_of_other_commands_are_left_out) {
    T(!takes("crop", "max-dimension") && !takes("record", "max-dimension"));
    T(takes("tap", "max-dimension") && takes("watch", "max-dimension"));
    T(!takes("tap", "manictime") && takes("list", "manictime"));
    T(!takes("tap", "journal") && takes("mcp", "journal"));
    /* It has an option of that name itself. */
    T(!takes("get", "max-dimension") && !takes("screenshot", "max-dimension"));
}

T_CASE(other_shells_are_refused) {
    RUN("completion", "powershell");
    run_refused(2, "squint completion: there is no shell \"powershell\"\n"
                   "  Choose from: bash, fish, zsh.\n");
    RUN("completion", "fihs");
    run_refused(2, "there is no shell \"fihs\"; did you mean fish?\n");
    RUN("completion");
    run_refused(2, "squint completion: one of bash|fish|zsh is missing");
}

static bool
complete(void *context, struct sq_err *err) {
    char words[] = "words";
    char dashes[] = "--";
    char flag[] = "-";
    char *argv[] = { words, dashes, context, flag };
    enum sq_status status = SQ_STATUS_OK;
    T_BUF(out, (size_t)1 << 20);
    return sq_command_completion.run_words(4, argv, &out, &status, err);
}

T_CASE(out_of_memory_is_reported) {
    char verb[] = "screenshot";
    T(t_alloc_torture(complete, verb) > 2);
}
