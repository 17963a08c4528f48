/* What the operations of the tool `device` share. */
#ifndef SQ_TOOLS_DEVICE_VERB_H
#define SQ_TOOLS_DEVICE_VERB_H

#include "config/config.h"
#include "device/device.h"
#include "tools/app_lookup.h"
#include "tools/screen/receipt.h"

/* Members that describe a verb in its receipt. */
struct sq_verb {
    struct sq_hand hand;
    const char *name;          /* member of the receipt: "opened" */
    const char *value;         /* its text; NULL: true */
    bool shows_package;        /* its text is the package */
    bool is_given;             /* the value is an argument */
    bool is_off_screen;        /* the screen does not show the effect */
    struct sq_package package; /* for hand.package */
};

/*
 * Performs the action of verb->hand and writes a receipt with the member
 * verb->name.
 */
bool sq_verb_run(struct sq_call *call, struct sq_verb *verb,
                 const struct sq_act_options *options, struct sq_err *err);

/*
 * Resolves an optional name of an app into verb->package and sets
 * verb->hand.package.
 */
bool sq_verb_package(struct sq_call *call, const struct sq_opt_text *name,
                     struct sq_verb *verb, struct sq_err *err);

/* Fails with SQ_ERR_INVALID_OPERATION unless tools.installFrom is set. */
bool sq_install_check(const struct sq_config *config, struct sq_err *err);

/* Rows for an app that need not be given, and for one that must. */
#define SQ_APP_ROW(args, is_required)                                          \
    {                                                                          \
        .name = "packageName", .alias = "app",                                 \
        SQ_TEXT_FIELD(args, package_name, SQ_DEVICE_TEXT_SIZE - 1),            \
        .required = (is_required), .text = "Or its label", .flag = "app",      \
        .placeholder = "APP",                                                  \
        .help = "label, package or bundle id of the app; see squint apps"      \
    }

#endif
