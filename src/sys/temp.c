#include "sys/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "sys/call.h"
#include "sys/file.h"
#include "sys/folder.h"

static const char *
usual_place(void) {
    const char *place = getenv("TMPDIR");
    return place && place[0] == '/' ? place : "/tmp";
}

bool
sq_temp_make(struct sq_temp *out, const char *file_name, struct sq_err *err) {
    struct sq_temp temp;
    char name[SQ_RANDOM_NAME_SIZE];
    if (!sq_random_name(name, err)) {
        return false;
    }
    int len = snprintf(temp.folder, sizeof(temp.folder), "%s/squint-%s",
                       usual_place(), name);
    int all = snprintf(temp.file, sizeof(temp.file), "%s/squint-%s/%s",
                       usual_place(), name, file_name);
    if (len < 0 || all < 0 || (size_t)all >= sizeof(temp.file)) {
        return sq_file_fail(usual_place(), true, ENAMETOOLONG, err);
    }
    if (sq_call_mkdirat(AT_FDCWD, temp.folder) < 0) {
        return sq_file_fail(temp.folder, true, errno, err);
    }
    *out = temp;
    return true;
}

void
sq_temp_remove(struct sq_temp *temp) {
    if (temp->folder[0]) {
        sq_call_unlinkat(AT_FDCWD, temp->file);
        sq_call_rmdir(temp->folder);
        temp->folder[0] = '\0';
    }
}
