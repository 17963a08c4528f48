/* What each permission allows, and how it is written. */
#include "archive/archive.h"

#include "support/test.h"

T_CASE(permissions_are_ordered) {
    for (int i = 1; i < SQ_ARCHIVE_PERMISSIONS; i++) {
        struct sq_allowance less =
            sq_permission_allows((enum sq_archive_permission)(i - 1));
        struct sq_allowance more =
            sq_permission_allows((enum sq_archive_permission)i);
        T(more.labels >= less.labels && more.max_side >= less.max_side);
    }
}

T_CASE(each_permission_allows_its_content) {
    T(!sq_permission_allows(SQ_ARCHIVE_METADATA).labels);
    T_INT(sq_permission_allows(SQ_ARCHIVE_METADATA).max_side, 0);
    T(sq_permission_allows(SQ_ARCHIVE_LABELS).labels);
    T_INT(sq_permission_allows(SQ_ARCHIVE_LABELS).max_side, 0);
    T_INT(sq_permission_allows(SQ_ARCHIVE_THUMBNAIL).max_side, 512);
    T_INT(sq_permission_allows(SQ_ARCHIVE_FULL).max_side, SQ_ARCHIVE_ANY_SIDE);
}

static const struct {
    const char *text;
    const char *path;
    enum sq_archive_permission permission;
} good[] = {
    { "/a", "/a", SQ_ARCHIVE_FULL },
    { "/a=metadata", "/a", SQ_ARCHIVE_METADATA },
    { "/a=labels", "/a", SQ_ARCHIVE_LABELS },
    { "/a=thumbnail", "/a", SQ_ARCHIVE_THUMBNAIL },
    { "/a=full", "/a", SQ_ARCHIVE_FULL },
    { "/a=METADATA", "/a", SQ_ARCHIVE_METADATA },
    { "/a=Thumbnail", "/a", SQ_ARCHIVE_THUMBNAIL },
    { "/a=b/", "/a=b/", SQ_ARCHIVE_FULL },
    { "/a=metadata/c", "/a=metadata/c", SQ_ARCHIVE_FULL },
    { "/a=b=labels", "/a=b", SQ_ARCHIVE_LABELS },
};

T_CASE(permission_is_split_from_the_path) {
    for (size_t i = 0; i < SQ_COUNT(good); i++) {
        enum sq_archive_permission permission = SQ_ARCHIVE_PERMISSIONS;
        char path[64];
        snprintf(path, sizeof(path), "%s", good[i].text);
        T_OK(sq_permission_take(path, &permission, &t_err));
        T_STR(path, good[i].path);
        T_INT(permission, good[i].permission);
    }
}

T_CASE(unknown_permissions_are_refused) {
    static const char *const bad[] = { "/a=metdata",    "/a=",       "/a= full",
                                       "/a=thumbnails", "/a=full=b", "=" };
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        enum sq_archive_permission permission = SQ_ARCHIVE_PERMISSIONS;
        char path[64];
        snprintf(path, sizeof(path), "%s", bad[i]);
        T_FAILS(sq_permission_take(path, &permission, &t_err), SQ_ERR_ARGUMENT);
        T_STR(path, bad[i]);
        T_INT(permission, SQ_ARCHIVE_PERMISSIONS);
        for (int word = 0; word < SQ_ARCHIVE_PERMISSIONS; word++) {
            T_HAS(t_err.hint,
                  sq_permission_name((enum sq_archive_permission)word));
        }
    }
}
