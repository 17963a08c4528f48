/* Collects the findings of squint doctor, and prints them. */
#include "app/commands/doctor.h"

#include <stdarg.h>
#include <stdio.h>

#include "tools/offer.h"
#include "json/writer.h"
#include "tools/reply.h"

#define TEXT_COLUMN 22 /* after the verdict and what it is about */

struct sq_finding *
sq_findings_add(struct sq_findings *findings, enum sq_verdict verdict,
                const char *about, const char *format, ...) {
    if (findings->count == SQ_MAX_FINDINGS) {
        findings->is_cut = true;
        findings->count--;
    }
    struct sq_finding *finding = &findings->items[findings->count++];
    *finding = (struct sq_finding){ .about = about, .verdict = verdict };
    va_list args;
    va_start(args, format);
    vsnprintf(finding->text, sizeof(finding->text), format, args);
    va_end(args);
    return finding;
}

bool
sq_finding_advise(struct sq_finding *finding, const struct sq_err *other_err,
                  struct sq_err *err) {
    sq_offer_write((struct sq_offer){ 0 }, other_err->hint, finding->hint,
                   sizeof(finding->hint));
    return other_err->code != SQ_ERR_NOMEM || sq_fail_nomem(err);
}

static int
count_wrong(const struct sq_findings *findings) {
    int count = 0;
    for (int i = 0; i < findings->count; i++) {
        count += findings->items[i].verdict == SQ_VERDICT_WRONG;
    }
    return count;
}

bool
sq_findings_are_good(const struct sq_findings *findings) {
    return count_wrong(findings) == 0;
}

static const char *const verdict_names[SQ_VERDICTS] = {
    [SQ_VERDICT_OK] = "ok",
    [SQ_VERDICT_NOTE] = "note",
    [SQ_VERDICT_WRONG] = "wrong",
};

static const enum sq_ink verdict_inks[SQ_VERDICTS] = {
    [SQ_VERDICT_OK] = SQ_INK_GOOD,
    [SQ_VERDICT_NOTE] = SQ_INK_DOUBT,
    [SQ_VERDICT_WRONG] = SQ_INK_BAD,
};

static bool
put_finding(const struct sq_finding *finding, struct sq_page *page,
            struct sq_err *err) {
    return sq_page_printf(page, verdict_inks[finding->verdict], err, "%-5s",
                          verdict_names[finding->verdict])
        && sq_page_printf(page, SQ_INK_STRONG, err, "  %-13s  ", finding->about)
        && sq_page_put_wrapped(page, SQ_INK_PLAIN, TEXT_COLUMN, TEXT_COLUMN,
                               sq_span_of(finding->text), err)
        && (!finding->hint[0]
            || (sq_page_printf(page, SQ_INK_PLAIN, err, "%*s", TEXT_COLUMN, "")
                && sq_page_put_wrapped(page, SQ_INK_FAINT, TEXT_COLUMN,
                                       TEXT_COLUMN, sq_span_of(finding->hint),
                                       err)));
}

bool
sq_findings_text(const struct sq_findings *findings, struct sq_page *page,
                 struct sq_err *err) {
    bool ok = true;
    for (int i = 0; ok && i < findings->count; i++) {
        ok = put_finding(&findings->items[i], page, err);
    }
    int wrong = count_wrong(findings);
    ok = ok && sq_buf_append(page->out, "\n", 1, err);
    if (ok && wrong == 0) {
        return sq_page_printf(page, SQ_INK_GOOD, err, "squint can be used.\n");
    }
    return ok
        && sq_page_printf(page, SQ_INK_BAD, err, "%d thing%s wrong.\n", wrong,
                          wrong == 1 ? " is" : "s are");
}

bool
sq_findings_json(const struct sq_findings *findings, struct sq_buf *out,
                 struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    sq_put_text(&w, "version", SQ_VERSION);
    sq_put_bool(&w, "usable", sq_findings_are_good(findings));
    sq_json_begin_array_of(&w, "findings");
    for (int i = 0; i < findings->count; i++) {
        const struct sq_finding *finding = &findings->items[i];
        sq_json_begin_object(&w);
        sq_put_text(&w, "verdict", verdict_names[finding->verdict]);
        sq_put_text(&w, "about", finding->about);
        sq_json_put_untrusted(sq_json_at(&w, "text"),
                              sq_span_of(finding->text));
        if (finding->hint[0]) {
            sq_json_put_untrusted(sq_json_at(&w, "hint"),
                                  sq_span_of(finding->hint));
        }
        sq_json_end_object(&w);
    }
    sq_json_end_array(&w);
    return sq_json_end_line(&w, err);
}
