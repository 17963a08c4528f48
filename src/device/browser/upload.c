/* Gives files of one folder of this computer to pages. */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "json/writer.h"
#include "sys/folder.h"

#define MAX_PARAMS ((size_t)64 << 10)
#define MAX_FILES 20

/* Finds a file in the folder, by its path in it or its whole path. */
static bool
find_file(const char *folder, struct sq_span name, char out[SQ_PATH_SIZE],
          struct sq_err *err) {
    char root[SQ_PATH_SIZE] = "";
    char path[SQ_PATH_SIZE];
    struct sq_span rest = name;
    int root_fd;
    if (!sq_path_resolve_existing(folder, root)
        || !sq_folder_open_real(root, false, &root_fd, err)) {
        return sq_fail_in(err, "browser.upload");
    }
    if (!sq_span_take_prefix(&rest, root) || !sq_span_take_prefix(&rest, "/")) {
        rest = name;
    }
    snprintf(path, sizeof(path), "%.*s", SQ_SPAN_ARGS(rest));
    int fd = rest.len < sizeof(path) ? sq_open_beneath(root_fd, path) : -1;
    sq_folder_close(root_fd);
    int len = snprintf(out, SQ_PATH_SIZE, "%.2047s/%.2047s", root, path);
    bool ok = fd >= 0 && (size_t)len == strlen(root) + 1 + rest.len
           && !sq_probe_is_no_file(out);
    if (fd >= 0) {
        sq_folder_close(fd);
    }
    if (!ok) {
        sq_fail(err, SQ_ERR_ARGUMENT, "there is no file \"%.100s\" in %.200s",
                path, root);
        return sq_fail_hint(err, "Give the path of a file in that folder; a "
                                 "link is none.");
    }
    return true;
}

/* Writes the paths of the files, whose names are lines. */
static bool
put_files(struct sq_json_writer *w, const char *folder, struct sq_span names,
          bool takes_many, struct sq_err *err) {
    struct sq_span name;
    char path[SQ_PATH_SIZE];
    int count = 0;
    while (sq_span_take_line(&names, &name)) {
        if (count++ == (takes_many ? MAX_FILES : 1)) {
            return sq_fail_argument(err, "the page takes fewer files",
                                    takes_many ? "Give up to 20 paths, each in "
                                                 "a line."
                                               : "Give the path of one.");
        }
        if (!find_file(folder, name, path, err)) {
            return false;
        }
        sq_json_put_string(w, sq_span_of(path));
    }
    return true;
}

bool
sq_browser_upload(struct sq_browser *browser,
                  const struct sq_browser_upload *upload, struct sq_span names,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(params, MAX_PARAMS);
    if (!browser->upload) {
        sq_fail(err, SQ_ERR_REFUSED, "pages get no files of this computer");
        return sq_fail_hint(err, "The user can allow a folder: the option "
                                 "browser.upload.");
    }
    sq_json_open(&w, &params);
    sq_json_begin_array_of(&w, "files");
    bool ok = put_files(&w, browser->upload, names, upload->takes_many, err);
    sq_json_end_array(&w);
    if (upload->node != 0) {
        sq_json_put_int(sq_json_at(&w, "backendNodeId"), upload->node);
    }
    return ok && sq_json_close(&w, err)
        && sq_browser_call(
               browser,
               SQ_CDP_TEXT_COMMAND(upload->session, "DOM.setFileInputFiles",
                                   sq_buf_span(&params),
                                   upload->node == 0 ? "objectId" : NULL,
                                   sq_span_of(upload->object)),
               NULL, deadline, err);
}

bool
sq_browser_upload_to_focus(struct sq_browser *browser,
                           const struct sq_browser_answer *field,
                           struct sq_span names,
                           const struct sq_deadline *deadline,
                           struct sq_err *err) {
    struct sq_browser_upload upload = { .takes_many =
                                            strcmp(field->word, "files") == 0 };
    const struct sq_json *result;
    snprintf(upload.session, sizeof(upload.session), "%s",
             field->frame.session);
    if (!SQ_BROWSER_ASK(browser, upload.session, &result, deadline, err,
                        "Runtime.evaluate",
                        "{\"expression\":\"squint.field()\",\"contextId\":%d}",
                        field->frame.context)) {
        return false;
    }
    SQ_COPY_TEXT(upload.object,
                 sq_json_text_of(sq_json_get(result, "result"), "objectId"));
    return sq_browser_upload(browser, &upload, names, deadline, err);
}
