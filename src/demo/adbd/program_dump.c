/* The program uiautomator, which dumps the elements of the screen. */
#include <string.h>

#include "demo/adbd/hierarchy.h"
#include "demo/adbd/program.h"

#define DEFAULT_FILE "/sdcard/window_dump.xml"
#define KILLED 137

static bool
print_file_not_found(struct sq_adbd_call *call, const char *file,
                     struct sq_err *err) {
    return sq_adbd_print_error(
        call, 1, err,
        "java.io.FileNotFoundException: %s: open failed: ENOENT (No such file "
        "or directory)\n\tat libcore.io.IoBridge.open(IoBridge.java:574)\n",
        file);
}

/* Simulates failures. *done is true if a fault has produced the output. */
static bool
inject_fault(struct sq_adbd_call *call, bool *done, struct sq_err *err) {
    struct sq_adbd_faults *faults = &call->phone->faults;
    *done = true;
    if (sq_adbd_fault_spend(faults, SQ_ADBD_CRASH)) {
        call->status = KILLED;
        return true;
    }
    if (sq_adbd_fault_spend(faults, SQ_ADBD_IDLE)) {
        return sq_adbd_print_error(call, 0, err,
                                   "ERROR: could not get idle state.\n");
    }
    if (sq_adbd_fault_spend(faults, SQ_ADBD_NULL_ROOT)) {
        return sq_adbd_print_error(call, 0, err,
                                   "ERROR: null root node returned by "
                                   "UiTestAutomationBridge.\n");
    }
    *done = false;
    return true;
}

static bool
write_document(struct sq_adbd_call *call, const struct sq_tree *tree,
               const char *path, struct sq_err *err) {
    struct sq_adbd_file *file;
    int rotation = call->phone->demo->landscape;
    if (strcmp(path, "/dev/tty") == 0 || strcmp(path, "/dev/stdout") == 0
        || strcmp(path, "/proc/self/fd/1") == 0) {
        return sq_adbd_hierarchy_put(tree, rotation, call->out, err);
    }
    if (!sq_adbd_files_check(path, NULL)) {
        return print_file_not_found(call, path, err);
    }
    int64_t now_s = sq_phone_now_ns(call->phone->demo) / 1000000000;
    return sq_adbd_files_create(&call->phone->files, path, now_s, &file, err)
        && sq_adbd_hierarchy_put(tree, rotation, &file->bytes, err);
}

static bool
dump(struct sq_adbd_call *call, const char *path, struct sq_err *err) {
    struct sq_tree tree = { 0 };
    struct sq_deadline deadline = { .at_ns = INT64_MAX };
    bool ok = sq_device_tree(sq_adbd_phone_device(call->phone), &tree,
                             &deadline, err);
    if (ok && !tree.root) {
        ok = sq_adbd_print_error(call, 0, err,
                                 "ERROR: null root node returned by "
                                 "UiTestAutomationBridge.\n");
    } else if (ok) {
        ok = write_document(call, &tree, path, err);
        ok = ok
          && (call->status != 0
              || sq_adbd_print(call, err, "UI hierchary dumped to: %s\n",
                               path));
    }
    sq_tree_finish(&tree);
    return ok;
}

bool
sq_adbd_run_uiautomator(struct sq_adbd_call *call, struct sq_err *err) {
    const char *path = DEFAULT_FILE;
    bool done;
    if (!sq_adbd_arg_is(call, 1, "dump")) {
        return sq_adbd_print_error(call, 1, err,
                                   "Usage: uiautomator <subcommand> [options]\n"
                                   "\nAvailable subcommands:\n"
                                   "help: displays help message\n"
                                   "dump: creates an XML dump of current UI "
                                   "hierarchy\n");
    }
    for (int i = 2; i < call->argc; i++) {
        path = call->argv[i][0] == '-' ? path : call->argv[i];
    }
    return inject_fault(call, &done, err) && (done || dump(call, path, err));
}
