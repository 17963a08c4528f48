#include "vision/match.h"

#include "support/test.h"

static void
expect(const char *a, const char *b, bool is_same) {
    if (!T(sq_same_text(sq_span_of(a), sq_span_of(b)) == is_same)
        || !T(sq_same_text(sq_span_of(b), sq_span_of(a)) == is_same)) {
        printf("# \"%s\" and \"%s\"\n", a, b);
    }
}

T_CASE(what_recognisers_confuse_is_the_same) {
    expect("Save", "Save", true);
    expect("SAVE", "save", true);
    expect("Caf\xc3\xa9", "cafe", true);
    expect("Wi- Fi", "Wi-Fi", true);
    expect("l0 iterns", "10 items", true);
    expect("vvww", "wwvv", true);
    expect("Stra\xc3\x9f"
           "e",
           "strasse", true);
    expect("", "", true);
}

T_CASE(every_other_character_counts) {
    expect("Save", "Saved", false);
    expect("Delete", "Undelete", false);
    expect("On", "Online", false);
    expect("-5", "5", false);
    expect("250", "-250", false);
    expect("1", "1,204", false);
    expect("12", "12.5", false);
    expect("5", "5%", false);
    expect("18", "13", false);
    expect("Turn on", "Turn off", false);
    expect("r", "rn", false);
    expect("x", "", false);
}
