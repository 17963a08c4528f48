#include "image/measure/measure.h"
#include "unit/app/answer.h"

T_FIXTURE(t_scratch_start, t_scratch_end);

T_CASE(table_matches_the_snapshot) {
    RUN_EXITS(0, "tokens", "450", "1000");
    T_STR(run.err, "");
    run_matches("tokens-450x1000.txt");
    RUN_EXITS(0, "tokens", "1080", "2400", "--budget-tokens", "600");
    run_matches("tokens-budget-600.txt");
    /* A budget that is too small gives a result, not an error. */
    RUN_EXITS(0, "tokens", "1080", "2400", "--budget-tokens", "1");
    run_matches("tokens-budget-1.txt");
}

T_CASE(json_has_every_profile) {
    T_FREED(answer_end) struct answer answer = { 0 };
    const struct sq_token_profile *profile;
    RUN_EXITS(0, "tokens", "450", "1000", "--json");
    answer_start(&answer);
    const struct sq_json *item = sq_json_first(answer.root);
    for (size_t i = 0; (profile = sq_token_profile_at(i)); i++) {
        struct sq_token_cost cost =
            sq_token_cost(profile, (struct sq_size){ 450, 1000 });
        answer_is(item, "profile", profile->name);
        answer_is(item, "title", profile->title);
        T_INT(answer_int(item, "tokens", NULL), cost.tokens);
        T_INT(answer_int(item, "image", "width"), 450);
        T_INT(answer_int(item, "image", "height"), 1000);
        T_INT(answer_int(item, "seen", "width"), cost.resized.width);
        T_INT(answer_int(item, "seen", "height"), cost.resized.height);
        item = sq_json_next(item);
    }
    T(item == NULL);
}

T_CASE(one_profile_can_be_selected) {
    struct answer answer;
    RUN_EXITS(0, "tokens", "450", "1000", "--profile", "claude", "--json");
    answer_start(&answer);
    T_INT(sq_json_count(answer.root), 1);
    T_INT(answer_int(sq_json_first(answer.root), "tokens", NULL), 612);
    answer_end(&answer);
    RUN("tokens", "450", "1000", "--profile=claude");
    T_STR(run.out, "What a picture of 450x1000 pixels costs\n"
                   "  PROFILE  TOKENS  SEEN AS   MODELS\n"
                   "  claude      612  450x1000  Claude up to 4.6\n");
}

T_CASE(budget_gives_a_size_or_none) {
    struct answer answer;
    RUN("tokens", "1080", "2400", "--budget-tokens", "300", "--json",
        "--profile", "claude");
    answer_start(&answer);
    const struct sq_json *item = sq_json_first(answer.root);
    struct sq_size size = { (int)answer_int(item, "image", "width"),
                            (int)answer_int(item, "image", "height") };
    struct sq_size want = { 0 };
    T_OK(sq_token_fit(sq_token_profile_find("claude"),
                      (struct sq_size){ 1080, 2400 }, 300, &want, &t_err));
    T_INT(size.width, want.width);
    T_INT(size.height, want.height);
    T(answer_int(item, "tokens", NULL) <= 300);
    answer_end(&answer);

    RUN_EXITS(0, "tokens", "1080", "2400", "--budget-tokens", "1", "--json",
              "--profile", "gpt-4o");
    answer_start(&answer);
    item = sq_json_first(answer.root);
    answer_is(item, "profile", "gpt-4o");
    T(sq_json_get(item, "tokens") == NULL);
    T(sq_json_get(item, "image") == NULL);
    answer_end(&answer);
}

T_CASE(wrong_arguments_are_named) {
    static const char *const sides[] = {
        "0", "-1", "65536", "x", "", "1.5", "1e3", "99999999999999999999"
    };
    for (size_t i = 0; i < SQ_COUNT(sides); i++) {
        RUN("tokens", "--", sides[i], "5");
        run_refused(2,
                    "squint tokens: the width must be a whole number from 1 to "
                    "65535, not ");
        RUN("tokens", "--", "5", sides[i]);
        run_refused(2, "the height must be a whole number");
    }
    run_refuses(1, "tokens /", "squint tokens: / is a folder, not a file\n");
    RUN("tokens", "5", "5", "--profile", "claud");
    run_refused(2, "--profile must be one of claude, ");
    run_says(run.err, "\n  Give one of them, or leave --profile out.\n");
    RUN("tokens", "5", "5", "--budget-tokens", "0");
    run_refused(2, "--budget-tokens must be a whole number from 1 to 1000000");
    RUN_EXITS(0, "tokens", "65535", "65535");
}

T_CASE(words_after_a_size_or_a_file_are_too_many) {
    RUN("tokens", "1080x2400", "screen.png");
    run_refused(2, "\"screen.png\" is one word too many\n  Usage: squint "
                   "tokens WIDTHxHEIGHT");
    RUN("tokens", "screen.png", "1080x2400");
    run_refused(2, "\"1080x2400\" is one word too many\n");
}

T_CASE(mistyped_sizes_are_explained) {
    static const char *const words[] = { "1080\xc3\x97"
                                         "2400",
                                         "1080x2400px", "10x", "10*20" };
    for (size_t i = 0; i < SQ_COUNT(words); i++) {
        RUN("tokens", words[i]);
        run_refused(2, "\" is neither a size nor a file\n  Write WIDTHxHEIGHT, "
                       "such as 1080x2400.\n");
    }
    run_refuses(1, "tokens none.png", "cannot read none.png");
    run_refuses(1, "tokens 2x.png", "cannot read 2x.png");
}
