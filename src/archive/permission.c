/* Decides what may be returned from a root. */
#include "archive/archive.h"

#include <string.h>

#include "util/span.h"

static const struct {
    const char *name;
    struct sq_allowance allowance;
} permissions[SQ_ARCHIVE_PERMISSIONS] = {
    [SQ_ARCHIVE_NONE] = { "none", { false, 0 } },
    [SQ_ARCHIVE_METADATA] = { "metadata", { false, 0 } },
    [SQ_ARCHIVE_LABELS] = { "labels", { true, 0 } },
    [SQ_ARCHIVE_THUMBNAIL] = { "thumbnail", { true, SQ_ARCHIVE_THUMB_SIDE } },
    [SQ_ARCHIVE_FULL] = { "full", { true, SQ_ARCHIVE_ANY_SIDE } },
};

struct sq_allowance
sq_permission_allows(enum sq_archive_permission permission) {
    return permissions[permission].allowance;
}

const char *
sq_permission_name(enum sq_archive_permission permission) {
    return permissions[permission].name;
}

bool
sq_permission_take(char *path, enum sq_archive_permission *out,
                   struct sq_err *err) {
    char *equals = strrchr(path, '=');
    if (!equals || strchr(equals, '/')) {
        *out = SQ_ARCHIVE_FULL;
        return true;
    }
    for (int i = 0; i < SQ_ARCHIVE_PERMISSIONS; i++) {
        if (sq_span_is_word(sq_span_of(equals + 1), permissions[i].name)) {
            *equals = '\0';
            *out = (enum sq_archive_permission)i;
            return true;
        }
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "\"%.40s\" after the archive folder %.200s is not a permission",
            equals + 1, path);
    return sq_fail_hint(err, "Use none, metadata, labels, thumbnail or full. "
                             "A folder with = in its name needs a / at its "
                             "end, as in a=b/.");
}
