/* The programs echo, cat, rm, ls, grep and similar ones of toybox. */
#include <stdio.h>
#include <string.h>

#include "demo/adbd/program.h"
#include "util/base64.h"

#define BASE64_LINE 76
#define FIRST_LINES 10

static bool
put(struct sq_adbd_call *call, struct sq_span text, struct sq_err *err) {
    return sq_buf_append(call->out, text.ptr, text.len, err);
}

static bool
print_not_found(struct sq_adbd_call *call, const char *path,
                struct sq_err *err) {
    const char *why = sq_adbd_files_is_folder(path)
                        ? "Is a directory"
                        : "No such file or directory";
    return sq_adbd_print_error(call, 1, err, "%s: %s: %s\n", call->argv[0],
                               path, why);
}

bool
sq_adbd_run_echo(struct sq_adbd_call *call, struct sq_err *err) {
    bool bare = sq_adbd_arg_is(call, 1, "-n");
    bool ok = true;
    for (int i = 1 + bare; ok && i < call->argc; i++) {
        ok = put(call, sq_span_of(call->argv[i]), err)
          && (i + 1 == call->argc || put(call, SQ_SPAN(" "), err));
    }
    return ok && (bare || put(call, SQ_SPAN("\n"), err));
}

bool
sq_adbd_run_cat(struct sq_adbd_call *call, struct sq_err *err) {
    bool ok = call->argc > 1 || put(call, call->input, err);
    for (int i = 1; ok && i < call->argc; i++) {
        const struct sq_adbd_file *file =
            sq_adbd_files_find(&call->phone->files, call->argv[i]);
        if (strcmp(call->argv[i], "-") == 0) {
            ok = put(call, call->input, err);
        } else if (strcmp(call->argv[i], "/dev/null") != 0) {
            ok = file ? put(call, sq_buf_span(&file->bytes), err)
                      : print_not_found(call, call->argv[i], err);
        }
    }
    return ok;
}

bool
sq_adbd_run_rm(struct sq_adbd_call *call, struct sq_err *err) {
    bool force = false;
    bool ok = true;
    for (int i = 1; ok && i < call->argc; i++) {
        if (call->argv[i][0] == '-') {
            force = force || strchr(call->argv[i], 'f');
        } else if (!sq_adbd_files_remove(&call->phone->files, call->argv[i])
                   && (!force || sq_adbd_files_is_folder(call->argv[i]))) {
            ok = print_not_found(call, call->argv[i], err);
        }
    }
    return ok;
}

static bool
list_file(struct sq_adbd_call *call, const struct sq_adbd_file *file,
          bool is_long, const char *name, struct sq_err *err) {
    return is_long
             ? sq_adbd_print(call, err, "-rw-rw---- 1 shell sdcard_rw %zu %s\n",
                             file->bytes.len, name)
             : sq_adbd_print(call, err, "%s\n", name);
}

static bool
list_path(struct sq_adbd_call *call, const char *path, bool is_long,
          struct sq_err *err) {
    const struct sq_adbd_files *files = &call->phone->files;
    const struct sq_adbd_file *file = sq_adbd_files_find(files, path);
    bool ok = true;
    if (file) {
        return list_file(call, file, is_long, path, err);
    }
    if (!sq_adbd_files_is_folder(path)) {
        return print_not_found(call, path, err);
    }
    for (file = sq_adbd_files_in(files, path, NULL); ok && file;
         file = sq_adbd_files_in(files, path, file)) {
        ok = list_file(call, file, is_long, sq_adbd_file_name(file), err);
    }
    return ok;
}

bool
sq_adbd_run_ls(struct sq_adbd_call *call, struct sq_err *err) {
    bool is_long = false;
    bool ok = true;
    int paths = 0;
    for (int i = 1; ok && i < call->argc; i++) {
        if (call->argv[i][0] == '-') {
            is_long = is_long || strchr(call->argv[i], 'l');
        } else {
            ok = list_path(call, call->argv[i], is_long, err);
            paths++;
        }
    }
    return ok && (paths || list_path(call, "/", is_long, err));
}

/* Supports only stat -c %s FILE, the size, which scripts use. */
bool
sq_adbd_run_stat(struct sq_adbd_call *call, struct sq_err *err) {
    const char *path = call->argc > 1 ? call->argv[call->argc - 1] : "";
    const struct sq_adbd_file *file =
        sq_adbd_files_find(&call->phone->files, path);
    return file ? sq_adbd_print(call, err, "%zu\n", file->bytes.len)
                : print_not_found(call, path, err);
}

/* Returns the input of a filter: the named file, or stdin. */
static bool
filter_input(struct sq_adbd_call *call, const char *path, struct sq_span *out,
             struct sq_err *err) {
    const struct sq_adbd_file *file =
        path ? sq_adbd_files_find(&call->phone->files, path) : NULL;
    *out = file ? sq_buf_span(&file->bytes)
         : path ? (struct sq_span){ 0 }
                : call->input;
    return !path || file || print_not_found(call, path, err);
}

struct pattern {
    const char *text; /* alternatives separated by | or \| */
    bool inverted;
    bool ignores_case;
};

static char
fold(char byte, bool ignores_case) {
    return ignores_case && byte >= 'A' && byte <= 'Z' ? (char)(byte + 32)
                                                      : byte;
}

static bool
contains(struct sq_span line, struct sq_span word, bool ignores_case) {
    for (size_t at = 0; at + word.len <= line.len; at++) {
        size_t same = 0;
        while (same < word.len
               && fold(line.ptr[at + same], ignores_case)
                      == fold(word.ptr[same], ignores_case)) {
            same++;
        }
        if (same == word.len) {
            return true;
        }
    }
    return false;
}

static bool
matches(struct sq_span line, const struct pattern *pattern) {
    struct sq_span rest = sq_span_of(pattern->text);
    bool found = false;
    while (!found) {
        struct sq_span word = rest;
        bool more = sq_span_take_until(&rest, '|', &word);
        word.len -= more && word.len && word.ptr[word.len - 1] == '\\';
        found = contains(line, word, pattern->ignores_case);
        if (!more) {
            break;
        }
    }
    return found != pattern->inverted;
}

/* Supports plain words, not regular expressions: enough for dumpsys output. */
bool
sq_adbd_run_grep(struct sq_adbd_call *call, struct sq_err *err) {
    struct pattern pattern = { 0 };
    const char *path = NULL;
    struct sq_span text;
    struct sq_span line;
    bool ok = true;
    for (int i = 1; i < call->argc; i++) {
        const char *arg = call->argv[i];
        if (arg[0] == '-' && !pattern.text) {
            pattern.inverted = pattern.inverted || strchr(arg, 'v');
            pattern.ignores_case = pattern.ignores_case || strchr(arg, 'i');
        } else if (!pattern.text) {
            pattern.text = arg;
        } else {
            path = arg;
        }
    }
    if (!pattern.text) {
        return sq_adbd_print_error(call, 2, err, "grep: no pattern\n");
    }
    if (!filter_input(call, path, &text, err)) {
        return false;
    }
    call->status = 1;
    while (ok && sq_span_take_line(&text, &line)) {
        if (matches(line, &pattern)) {
            call->status = 0;
            ok = put(call, line, err) && put(call, SQ_SPAN("\n"), err);
        }
    }
    return ok;
}

bool
sq_adbd_run_head(struct sq_adbd_call *call, struct sq_err *err) {
    int64_t lines = FIRST_LINES;
    int64_t bytes = -1;
    const char *path = NULL;
    struct sq_span text;
    struct sq_span line;
    bool ok = true;
    for (int i = 1; i < call->argc; i++) {
        struct sq_span arg = sq_span_of(call->argv[i]);
        bool counts_bytes = sq_span_take_prefix(&arg, "-c");
        if (counts_bytes || sq_span_take_prefix(&arg, "-n")
            || sq_span_take_prefix(&arg, "-")) {
            const char *next = arg.len ? arg.ptr : sq_adbd_arg(call, ++i);
            sq_span_to_int64(sq_span_of(next ? next : ""),
                             counts_bytes ? &bytes : &lines);
        } else {
            path = call->argv[i];
        }
    }
    ok = filter_input(call, path, &text, err);
    if (bytes >= 0) {
        text.len = (uint64_t)bytes < text.len ? (size_t)bytes : text.len;
        return ok && put(call, text, err);
    }
    while (ok && lines-- > 0 && sq_span_take_line(&text, &line)) {
        ok = put(call, line, err) && put(call, SQ_SPAN("\n"), err);
    }
    return ok;
}

bool
sq_adbd_run_wc(struct sq_adbd_call *call, struct sq_err *err) {
    const char *path = NULL;
    const char *flags = "";
    struct sq_span text;
    size_t lines = 0;
    for (int i = 1; i < call->argc; i++) {
        if (call->argv[i][0] == '-') {
            flags = call->argv[i];
        } else {
            path = call->argv[i];
        }
    }
    if (!filter_input(call, path, &text, err)) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        lines += text.ptr[i] == '\n';
    }
    if (strchr(flags, 'l')) {
        return sq_adbd_print(call, err, "%zu\n", lines);
    }
    return sq_adbd_print(call, err, "%zu\n", text.len);
}

/* Supports encoding only. */
bool
sq_adbd_run_base64(struct sq_adbd_call *call, struct sq_err *err) {
    const char *path = NULL;
    struct sq_span text;
    struct sq_buf encoded;
    bool whole = false;
    for (int i = 1; i < call->argc; i++) {
        bool flag = call->argv[i][0] == '-';
        whole = whole || strcmp(call->argv[i], "-w0") == 0;
        path = flag ? path : call->argv[i];
    }
    if (!filter_input(call, path, &text, err)) {
        return false;
    }
    sq_buf_init(&encoded, call->out->max);
    bool ok = sq_base64_append(&encoded, text.ptr, text.len, err);
    size_t width = whole && encoded.len ? encoded.len : BASE64_LINE;
    for (size_t at = 0; ok && at < encoded.len; at += width) {
        size_t left = encoded.len - at;
        ok = sq_buf_append(call->out, encoded.data + at,
                           left < width ? left : width, err)
          && put(call, SQ_SPAN("\n"), err);
    }
    sq_buf_finish(&encoded);
    return ok;
}
