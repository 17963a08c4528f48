/* squint completion: every command and flag, for three shells. */
#include "app/docs/docs.h"

#include "unit/app/run.h"

T_CASE(scripts_match_the_snapshots) {
    static const char *const names[][2] = {
        { "bash", "completion.bash" },
        { "fish", "completion.fish" },
        { "zsh", "completion.zsh" },
    };
    t_scratch_start();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        T_STR(sq_command_completion.word_at(i), names[i][0]);
        RUN("completion", names[i][0]);
        T_INT(run.status, 0);
        T_STR(run.err, "");
        run_matches(names[i][1]);
    }
    T(sq_command_completion.word_at(3) == NULL);
    t_scratch_end();
}

/* Which script to search, and the text before a flag in it. */
struct search {
    const char *prefix;
};

static bool
is_there(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    const struct search *search = context;
    char word[SQ_VERB_FLAG_SIZE + 8];
    (void)err;
    snprintf(word, sizeof(word), "%s%s", search->prefix, flag->name);
    run_says(run.out, word);
    for (size_t i = 0; sq_verb_choice_at(flag, i); i++) {
        run_says(run.out, sq_verb_choice_at(flag, i));
    }
    return true;
}

T_CASE(every_command_and_flag_is_included) {
    static const char *const prefixes[][2] = {
        { "bash", "--" },
        { "fish", "-l " },
        { "zsh", "'--" },
    };
    struct sq_err err = { 0 };
    t_scratch_start();
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        struct search search = { prefixes[i][1] };
        struct sq_verb verb;
        RUN("completion", prefixes[i][0]);
        for (size_t v = 0; sq_verb_at(v, &verb); v++) {
            run_says(run.out, verb.name);
            T(sq_verb_flags(&verb, is_there, &search, &err));
        }
        T(sq_verb_config_flags(NULL, is_there, &search, &err));
        run_says(run.out, "claude-desktop");
    }
    t_scratch_end();
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

static struct sq_verb
verb_of(const char *name) {
    struct sq_verb verb = { 0 };
    size_t i = 0;
    while (sq_verb_at(i, &verb) && strcmp(verb.name, name) != 0) {
        i++;
    }
    T_STR(verb.name, name);
    return verb;
}

T_CASE(first_words_are_known) {
    struct sq_verb archive = verb_of("archive");
    struct sq_verb key = verb_of("key");
    T_STR(sq_verb_word_at(&archive, 0), "stats");
    T_STR(sq_verb_word_at(&archive, 1), "index");
    T(sq_verb_word_at(&archive, 2) == NULL);
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
    t_scratch_start();
    RUN("completion", "bash");
    const char *pair = strstr(run.out, "\n    pair)");
    if (T(pair != NULL)) {
        const char *end = strstr(pair, "esac");
        const char *other = strstr(pair, "--archive ");
        T(end && other && other > end);
    }
    run_says(run.out, "--show --no-show --json");
    t_scratch_end();
}

T_CASE(other_shells_are_refused) {
    t_scratch_start();
    RUN("completion", "powershell");
    run_refused(2, "squint completion: there is no shell \"powershell\"\n"
                   "  Choose from: bash, fish, zsh.\n");
    RUN("completion", "fihs");
    run_refused(2, "there is no shell \"fihs\"; did you mean fish?\n");
    RUN("completion");
    run_refused(2, "squint completion: one of bash|fish|zsh is missing");
    t_scratch_end();
}

static bool
write_script(void *context, struct sq_err *err) {
    struct sq_buf out;
    sq_buf_init(&out, (size_t)1 << 20);
    const struct sq_words words = { .word = { context }, .count = 1 };
    const struct sq_run written = { .words = &words, .out = &out };
    bool ok = sq_command_completion.run(&written, err);
    sq_buf_finish(&out);
    return ok;
}

T_CASE(out_of_memory_is_reported) {
    char bash[] = "bash";
    char fish[] = "fish";
    char zsh[] = "zsh";
    T(t_alloc_torture(write_script, bash) > 2);
    T(t_alloc_torture(write_script, fish) > 2);
    T(t_alloc_torture(write_script, zsh) > 2);
}
