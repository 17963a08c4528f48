/* squint man: the page is complete and valid roff. */
#include "app/docs/docs.h"

#include "unit/app/run.h"

T_FIXTURE(t_scratch_start, t_scratch_end);

T_CASE(page_matches_the_snapshot) {
    RUN_EXITS(0, "man");
    T_STR(run.err, "");
    run_matches("squint.1");
    RUN("man", "page");
    run_refused(2, "squint man: \"page\" is one word too many\n"
                   "  Usage: squint man\n");
}

/* Escapes a word for roff: a plain "-" would be a hyphen. */
static const char *
in_roff(const char *word) {
    static char out[200];
    size_t used = 0;
    for (; *word && used + 3 < sizeof(out); word++) {
        if (*word == '-') {
            out[used++] = '\\';
        }
        out[used++] = *word;
    }
    out[used] = '\0';
    return out;
}

static bool
is_there(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    char word[SQ_VERB_FLAG_SIZE + 7];
    snprintf(word, sizeof(word), "--%s%s", flag->is_on ? "[no-]" : "",
             flag->name);
    run_says(run.out, in_roff(word));
    return true;
}

T_CASE(every_command_and_flag_is_included) {
    struct sq_verb verb;
    RUN("man");
    for (size_t i = 0; sq_verb_at(i, &verb); i++) {
        char heading[100];
        snprintf(heading, sizeof(heading), "\n.SS squint %s",
                 in_roff(verb.name));
        run_says(run.out, heading);
        T(sq_verb_flags(&verb, is_there, NULL, &t_err));
    }
    T(sq_verb_config_flags(NULL, is_there, NULL, &t_err));
    run_says(run.out, "SQUINT_UI_MAX_IMAGE_DIMENSION");
}

/* A line that begins with a dot must be one of our requests. */
T_CASE(only_known_roff_requests_are_used) {
    static const char *const known[] = { ".TH ",  ".SH ",  ".SS ", ".TP\n",
                                         ".PP\n", ".br\n", ".BR ", ".B ",
                                         ".RI ",  ".I " };
    RUN("man");
    for (const char *line = run.out; *line;) {
        bool is_known = *line != '.' && *line != '\'';
        for (size_t i = 0; i < SQ_COUNT(known); i++) {
            is_known =
                is_known || strncmp(line, known[i], strlen(known[i])) == 0;
        }
        if (!T(is_known)) {
            printf("# %.40s\n", line);
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

static bool
write_page(void *context, struct sq_err *err) {
    T_BUF(out, (size_t)1 << 20);
    const struct sq_run written = { .out = &out };
    return sq_command_man.run(&written, err);
}

T_BARE_CASE(out_of_memory_is_reported) {
    T(t_alloc_torture(write_page, NULL) > 2);
}
