/* input: types text into a field, and checks that it arrived. */
#include "tools/elements/target.h"
#include "tools/elements/typed_field.h"
#include "tools/operations.h"
#include "tools/screen/receipt.h"
#include "tools/secret.h"
#include "tools/typed_text.h"
#include "util/utf8.h"

#define MAX_TEXT_BYTES 16384
/* Time a device needs after a touch before its field accepts text. */
#define FOCUS_MS 250

struct input_args {
    struct sq_opt_text text;
    struct sq_opt_text secret;
    struct sq_opt_bool clear;
    struct sq_opt_bool submit;
    struct sq_opt_bool hide_keyboard;
    struct sq_opt_int element_index;
    struct sq_selector selector;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_TEXT(input_args, text, "text", MAX_TEXT_BYTES, "To type or to wait for",
            .help = "what to type"),
    SQ_TEXT(input_args, secret, "secret", SQ_MAX_SECRET_NAME, "",
            .is_rare = true, /* the instructions name it if there are any */
            .help = "type the stored secret of this name into a hidden field, "
                    "instead of TEXT",
            .placeholder = "NAME"),
    SQ_BOOL(input_args, clear, "clear", "Replace its text",
            .help = "first delete what the field contains"),
    SQ_BOOL(input_args, hide_keyboard, "hideKeyboard", "", .is_rare = true,
            .help = "afterwards hide the keyboard on the screen"),
    SQ_BOOL(input_args, submit, "submit", "Press enter afterwards",
            .help = "press enter afterwards"),
    SQ_INT(input_args, element_index, "elementIndex", 0, SQ_MAX_ELEMENT_INDEX,
           "Index in the latest list", .is_hidden = true),
    SQ_SELECTOR(input_args, selector),
    SQ_RECEIPT_ROWS(input_args),
    SQ_ARGS_END,
};

/* The current contents of the field; texts live in the call's arena. */
struct field {
    struct sq_element element;
    struct sq_span text;
    bool is_secret;
    int characters;
};

struct typing {
    struct sq_call *call;
    struct sq_typed_field before; /* the field, while text is typed into it */
    const char *remark;           /* about the keyboard; NULL: none */
    const struct input_args *args;
    struct sq_span text; /* new lines are "\n" only */
    struct sq_secret secret;
    bool is_checked; /* the receipt may read the field */
    bool has_target;
    struct sq_target target;
    bool tapped;
    bool has_field;
    struct field field;
};

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct input_args *args = raw_args;
    bool may_be_empty =
        args->clear.value || args->hide_keyboard.value || args->secret.given;
    if (args->secret.given && args->text.given) {
        return sq_fail_argument(err, "there is a ${text|TEXT} and a secret",
                                "Give one of them.");
    }
    if (args->text.value.len == 0 && !may_be_empty) {
        return sq_fail_argument(err,
                                args->text.given ? "${text|TEXT} is empty"
                                                 : "${text|TEXT} is missing",
                                "Give the ${text|TEXT} to type; @key presses "
                                "enter and others alone.");
    }
    if (args->element_index.given && args->selector.given) {
        return sq_fail_argument(err, "the field is named in more than one way",
                                "Give $elementIndex or selector, not both; "
                                "neither for the field that has the focus.");
    }
    return sq_typed_text_check(args->text.value, err)
        && sq_selector_check(&args->selector, err)
        && sq_act_check(SQ_ACT_OPTIONS(args), err);
}

/*
 * Returns whether a tap on the element would press it instead of focusing it.
 */
static bool
is_pressed(const struct sq_element *element) {
    static const char *const types[] = { "Button", "CheckBox", "Switch",
                                         "SwitchCompat" };
    if (element->flags & SQ_NODE_EDITABLE) {
        return false;
    }
    for (size_t i = 0; i < SQ_COUNT(types); i++) {
        if (sq_span_ends_with(element->type, types[i])) {
            return true;
        }
    }
    return element->flags & SQ_NODE_CHECKABLE;
}

static bool
check_field(const struct sq_target *target, struct sq_err *err) {
    const struct sq_element *element = &target->element;
    if (!target->has_element || !is_pressed(element)) {
        return true;
    }
    sq_fail(err, SQ_ERR_INVALID_OPERATION, "text cannot be typed into a %.*s",
            SQ_SPAN_ARGS(element->type));
    return sq_fail_hint(err,
                        "Nothing was pressed. Name the field itself: @dump "
                        "lists the elements.");
}

static bool
find_target(struct typing *typing, struct sq_err *err) {
    const struct input_args *args = typing->args;
    typing->has_target = args->element_index.given || args->selector.given;
    if (args->element_index.given) {
        return sq_target_index(typing->call, args->element_index.value,
                               &typing->target, err);
    }
    return !args->selector.given
        || sq_target_selector(typing->call, &args->selector, SQ_NODE_EDITABLE,
                              &typing->target, err);
}

/*
 * Fails if nothing has the focus, where this is cheap to check. The focused
 * element need not be a field: terminals and games accept keys, too.
 */
static bool
check_focus(struct sq_call *call, struct sq_err *err) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    bool is_unfocused =
        call->device->ops->elements_are_cheap
        && !sq_device_dialog(call->device) /* it says so */
        && sq_device_tree(call->device, &tree, &call->deadline, NULL)
        && tree.root && !sq_tree_focused(&tree);
    if (is_unfocused) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "no text field has the focus");
        return sq_fail_hint(err,
                            "Name the field ${by selector|with --selector.text "
                            "and its label}, or @tap it first.");
    }
    return true;
}

static bool
focus(struct typing *typing, struct sq_err *err) {
    struct sq_call *call = typing->call;
    if (!typing->has_target) {
        return check_focus(call, err);
    }
    if (typing->target.element.flags & SQ_NODE_FOCUSED) {
        return true;
    }
    const struct sq_touch touch = { .at = typing->target.at,
                                    .id = typing->target.element.id,
                                    .only_focus = true,
                                    .count = 1 };
    typing->tapped = sq_device_tap(call->device, &touch, &call->deadline, err);
    return typing->tapped && sq_wait_ms(FOCUS_MS, &call->deadline, err);
}

/*
 * Finds out, for a journal, whether the field does not hide what is typed: by
 * the named field, or by the one that has the focus.
 */
static void
learn_whether_harmless(const struct typing *typing) {
    struct sq_call *call = typing->call;
    unsigned flags = typing->has_target ? typing->target.element.flags : 0;
    bool is_harmless =
        flags & SQ_NODE_EDITABLE
            ? !(flags & SQ_NODE_PASSWORD)
            : call->is_recorded
                  && sq_device_password_focus(call->device, &call->deadline)
                         == SQ_PASSWORD_NOT_FOCUSED;
    call->result->harmless_texts = is_harmless;
}

/* Fails before anything is done if the device cannot do what is asked for. */
static bool
check_abilities(const struct typing *typing, struct sq_err *err) {
    struct sq_device *device = typing->call->device;
    const struct input_args *args = typing->args;
    /* Typing itself refuses a text before anything is typed. */
    bool does_more =
        args->clear.value || args->element_index.given || args->selector.given;
    return (!args->clear.value
            || sq_device_can(device, SQ_HAND_CLEAR_FIELD, err))
        && (!args->hide_keyboard.value
            || sq_device_can(device, SQ_HAND_HIDE_KEYBOARD, err))
        && (!does_more
            || sq_device_can_type(device, typing->text, &typing->call->deadline,
                                  err));
}

static bool
has_other_than_ascii(struct sq_span text) {
    bool found = false;
    for (size_t i = 0; i < text.len; i++) {
        found = found || (unsigned char)text.ptr[i] >= 0x80;
    }
    return found;
}

/* Returns whether a device may enter the text in ways that can fail. */
static bool
is_uncertain(const struct typing *typing) {
    return typing->is_checked && typing->call->device->ops->has_text_ways
        && has_other_than_ascii(typing->text);
}

static bool
enter(struct typing *typing, struct sq_err *err) {
    struct sq_call *call = typing->call;
    learn_whether_harmless(typing);
    return typing->text.len == 0
        || sq_device_text(call->device, typing->text, &call->deadline, err);
}

static bool
type(struct typing *typing, struct sq_err *err) {
    typing->call->device->typing = (struct sq_typing){ 0 };
    if (!focus(typing, err)
        || (typing->args->secret.given
            && !sq_secret_check_field(typing->call, typing->args->secret.value,
                                      err))) {
        return false;
    }
    if (is_uncertain(typing)) {
        sq_typed_field_begin(&typing->before);
    }
    bool ok = (!typing->args->clear.value
               || sq_typed_field_clear(&typing->before, err))
           && enter(typing, err);
    if (!ok && (typing->tapped || typing->before.cleared)) {
        sq_fail_in(err, "after the field was %s",
                   typing->before.cleared ? "cleared" : "tapped");
    }
    return ok;
}

static bool
describe(struct sq_call *call, const struct sq_node *node, bool is_stored,
         struct field *out, struct sq_err *err) {
    struct field field = {
        .is_secret = sq_node_is_secret(node) || is_stored,
        .characters = (int)sq_utf8_count(node->text),
        .element = sq_element_of(node, node->hint, node->index),
    };
    /* The label would be the contents of the field. */
    bool ok = sq_reply_hide(call, &field.element.label, err)
           && sq_text_shorten(field.element.label, call->arena,
                              &field.element.label, err)
           && sq_element_keep(&field.element, call->arena, err);
    if (ok && !field.is_secret) {
        /* With its spaces at both ends, which are part of what it holds. */
        field.text = node->text;
        ok = sq_reply_hide(call, &field.text, err)
          && (field.text.len <= SQ_MAX_LABEL_BYTES
              || sq_text_shorten(field.text, call->arena, &field.text, err))
          && sq_arena_keep(call->arena, &field.text, err);
    }
    if (ok) {
        *out = field;
    }
    return ok;
}

static bool
examine(struct typing *typing, struct sq_act *act, const struct sq_tree *tree,
        struct sq_err *err) {
    const struct sq_node *node = sq_tree_focused(tree);
    if (!node || !(node->flags & SQ_NODE_EDITABLE)) {
        act->is_doubtful = true;
        sq_act_note(
            act,
            SQ_SAY(
                "No text field has the focus: the text may not have been "
                "entered. Name the field by selector.",
                "No text field has the focus: the text may not have been "
                "entered. Name the field with --selector.text and its label."));
        return true;
    }
    if (!sq_typed_field_has(&typing->before, node)) {
        act->is_doubtful = true;
        sq_act_note(act, "The field does not show the text as it was typed.");
    }
    typing->call->result->harmless_texts = !sq_node_is_secret(node);
    typing->has_field = describe(typing->call, node, typing->args->secret.given,
                                 &typing->field, err);
    return typing->has_field;
}

/* Returns whether the text should be looked for in the field. */
static bool
wants_reading(const struct typing *typing, const struct sq_act *act) {
    return act->level == SQ_RECEIPT_FULL
        || (act->level == SQ_RECEIPT_FAST
            && (typing->call->device->ops->elements_are_cheap
                || typing->before.cleared || is_uncertain(typing)));
}

/* Reads the elements; again if the field has not the text yet. */
static bool
read_typed(struct typing *typing, struct sq_tree *out, struct sq_err *err) {
    struct sq_call *call = typing->call;
    bool ok = sq_device_tree(call->device, out, &call->deadline, err);
    const struct sq_node *node = ok ? sq_tree_focused(out) : NULL;
    if (node && node->flags & SQ_NODE_EDITABLE
        && !sq_typed_field_has(&typing->before, node)) {
        sq_typed_field_await(&typing->before);
        sq_tree_finish(out);
        *out = (struct sq_tree){ 0 };
        ok = sq_device_tree(call->device, out, &call->deadline, err);
    }
    return ok;
}

/* Reads the field back; with a fast receipt only if that is cheap. */
static void
read_back(struct typing *typing, struct sq_act *act) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_err err = { 0 };
    if (wants_reading(typing, act)
        && (!read_typed(typing, &tree, &err)
            || !examine(typing, act, &tree, &err))) {
        sq_act_note_error(act, "Reading the field back", &err);
    }
}

/*
 * Tries the other ways of typing while the field shows that one did not work.
 * What that one typed is deleted first.
 */
static bool
try_other_ways(struct typing *typing, struct sq_err *err) {
    struct sq_device *device = typing->call->device;
    bool ok = true;
    while (ok && is_uncertain(typing)
           && sq_typed_field_is_wrong(&typing->before)) {
        device->typing.first_way = device->typing.way + 1;
        ok = (sq_typed_field_undo(&typing->before, err) && enter(typing, err))
          || sq_typed_field_fail(&typing->before, err);
    }
    device->typing.first_way = 0;
    return ok;
}

/* Hides the keyboard after everything else. */
static bool
hide_keyboard(struct typing *typing, struct sq_err *err) {
    struct sq_call *call = typing->call;
    const struct sq_hand hand = { .verb = SQ_HAND_HIDE_KEYBOARD,
                                  .remark = &typing->remark };
    return !typing->args->hide_keyboard.value
        || sq_device_hand(call->device, &hand, &call->deadline, err)
        || sq_fail_in(err, "the text was typed, but the keyboard not hidden");
}

/* The device may show the last character for a moment. */
static void
remember_secret(const struct typing *typing, const struct sq_act *act) {
    const struct sq_element *element =
        typing->has_field ? &typing->field.element : &typing->target.element;
    if ((typing->has_field || typing->has_target)
        && element->flags & SQ_NODE_PASSWORD) {
        const char *app = typing->has_target ? typing->target.screen.app
                                             : act->watch.before.screen.app;
        sq_session_set_secret(typing->call->session,
                              typing->call->device->info.id, element->bounds,
                              app);
    }
}

static bool
submit(const struct typing *typing, struct sq_err *err) {
    struct sq_call *call = typing->call;
    return !typing->args->submit.value
        || sq_device_key(call->device, "enter", &call->deadline, err)
        || sq_fail_in(err, "the text was typed, but enter not pressed");
}

/*
 * If the field cannot be read back, checks whether the screen shows the text.
 */
static void
check_text_shown(const struct typing *typing, struct sq_act *act) {
    sq_act_watch(act);
    bool same = act->has_change && !act->change.any && !act->change.resized;
    if (same && !typing->has_field && act->note[0] == '\0') {
        act->is_doubtful = true;
        sq_act_note(
            act,
            SQ_SAY(
                "Nothing has changed on the screen: the text may not have been "
                "entered. Name the field by selector.",
                "Nothing has changed on the screen: the text may not have been "
                "entered. Name the field with --selector.text and its label."));
    }
}

static void
put_remarks(const struct typing *typing, struct sq_act *act) {
    const char *tip = typing->call->device->typing.tip;
    if (tip) {
        sq_act_note(act, "%s", tip);
    }
    if (typing->remark) {
        sq_act_note(act, "%s", typing->remark);
    }
}

static void
put_typed(struct sq_json_writer *w, const void *context) {
    const struct typing *typing = context;
    sq_json_begin_object_of(w, "typed");
    if (typing->args->secret.given) {
        sq_put_untrusted(w, "secret", typing->args->secret.value);
    } else {
        sq_put_int(w, "characters", (int64_t)sq_utf8_count(typing->text));
    }
    const struct sq_typing *how = &typing->call->device->typing;
    if (how->by) {
        sq_put_text(w, "by", how->by);
    }
    sq_put_if_true(w, "cleared", typing->before.cleared);
    sq_put_if_true(w, "submitted", typing->args->submit.value);
    sq_json_end_object(w);
    if (typing->tapped) {
        sq_json_begin_object_of(w, "tapped");
        sq_put_target(w, &typing->target);
        sq_json_end_object(w);
    }
}

static void
put_field(struct sq_json_writer *w, const void *context) {
    const struct typing *typing = context;
    if (!typing->has_field) {
        return;
    }
    const struct field *field = &typing->field;
    sq_json_begin_object_of(w, "field");
    sq_put_untrusted(w, "hint", field->element.label);
    sq_put_untrusted(w, "type", field->element.type);
    sq_put_untrusted(w, "resourceId", sq_short_id(field->element.resource_id));
    if (field->is_secret) {
        sq_put_bool(w, "password", true);
        if (!typing->args->secret.given) {
            sq_put_int(w, "characters", field->characters);
        }
    } else {
        sq_json_put_untrusted(sq_json_at(w, "text"), field->text);
    }
    sq_json_end_object(w);
}

static bool
take_text(struct typing *typing, struct sq_err *err) {
    struct sq_call *call = typing->call;
    const struct input_args *args = typing->args;
    if (!args->secret.given) {
        return sq_typed_text_copy(args->text.value, call->arena, &typing->text,
                                  err);
    }
    bool ok = sq_secret_fetch(call, args->secret.value, &typing->secret, err);
    typing->text = typing->secret.value;
    return ok;
}

static bool
input_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct input_args *args = raw_args;
    struct typing typing = { .call = call, .args = args };
    struct sq_act act = { .types = true,
                          .press = args->submit.value ? SQ_PRESS_ANYWHERE
                                                      : SQ_PRESS_NOWHERE };
    bool ok = take_text(&typing, err) && check_abilities(&typing, err)
           && find_target(&typing, err) && check_field(&typing.target, err)
           && sq_act_begin(&act, call, SQ_ACT_OPTIONS(args), err)
           && (!typing.has_target || sq_act_aim(&act, &typing.target, err));
    typing.before.call = call;
    typing.before.typed = typing.text;
    typing.is_checked = act.level != SQ_RECEIPT_NONE;
    ok = ok && type(&typing, err) && try_other_ways(&typing, err);
    if (ok) {
        read_back(&typing, &act);
        remember_secret(&typing, &act);
        if (typing.has_field) {
            act.touched = typing.field.element.bounds;
        }
        ok = submit(&typing, err) && hide_keyboard(&typing, err);
    }
    if (ok) {
        put_remarks(&typing, &act);
        check_text_shown(&typing, &act);
        ok = sq_act_end(&act, put_typed, put_field, &typing, err);
    }
    sq_act_finish(&act);
    sq_secret_forget(&typing.secret, err);
    return ok;
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *reply = people->reply;
    const struct sq_json *typed = sq_json_get(reply, "typed");
    const struct sq_json *field = sq_json_get(reply, "field");
    int count = sq_json_int_of(typed, "characters");
    bool submitted = sq_json_bool_of(typed, "submitted");
    struct sq_span label = sq_json_text_of(field, "hint");
    struct sq_span secret = sq_json_text_of(typed, "secret");
    return (secret.len > 0 ? sq_page_printf(&people->page, SQ_INK_STRONG, err,
                                            "Typed the secret \"%.*s\"",
                                            SQ_SPAN_ARGS(secret))
                           : sq_page_printf(&people->page, SQ_INK_STRONG, err,
                                            "Typed %d character%s", count,
                                            sq_plural(count)))
        && (label.len == 0
            || sq_page_printf(&people->page, SQ_INK_STRONG, err,
                              " into \"%.*s\"", SQ_SPAN_ARGS(label)))
        && (!submitted
            || sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                              " and pressed enter"))
        && sq_people_put_receipt(people, err);
}

const struct sq_tool sq_tool_input = {
    .name = "input",
    .title = "Type text",
    .text = "Type into the focused field, or the one named.",
    .manual =
        "Types `text` into the focused field. With `selector` or "
        "`elementIndex`, that field is tapped first, unless it already has "
        "the focus; buttons, switches and checkboxes are refused. `submit: "
        "true` presses enter afterwards; a new line in the text (LF or CR LF) "
        "presses enter there. `clear: true` deletes what the field contains "
        "first; then `text` may be missing. `hideKeyboard: true` hides the "
        "keyboard on the screen at the end. If the device can be asked "
        "cheaply, text is refused while no field has the focus.\n\nAndroid "
        "types ASCII with keys. Other text goes in the first way that the "
        "field takes, read back each time; `typed.by` names it: `dead keys` "
        "(accents such as é, ñ, ü), `ADBKeyBoard` if that keyboard is "
        "selected, the `clipboard` and the key PASTE (Android 8 and newer; "
        "the clipboard is restored if it was a text), `clipboard helper` "
        "(devicekit), or `ADBKeyBoard` if it is installed. If there is none, "
        "the text is refused before anything is typed. Simulators take the "
        "characters of a US keyboard.\n\nThe answer contains the field's new "
        "content if the device can be asked cheaply, and always with "
        "`receipt: \"full\"`. The content of a password field is never shown, "
        "only how many characters it holds.\n\n`secret` types a secret of the "
        "user instead of `text`, by its name: only names that the "
        "configuration allows (`secrets.allow`), only in the apps or on the "
        "web sites that it gives for them, and only into a field that is "
        "known to hide its text. Its value appears in no answer and no "
        "picture.",
    .manual_example =
        "\"text\": \"ada@example.com\", \"selector\": {\"text\": \"Email\"}, "
        "\"submit\": true",
    .flags = SQ_TOOL_ACTION,
    SQ_ARGS(table, input_args),
    .words = "text?",
    .timeout_ms = 60000,
    .check = check,
    .people = { .examples = { "input Ada", "input Ada --resource-id username" },
                .show = show },
    .uses = SQ_USES_ACTS | SQ_USES_FINDS | SQ_USE_SECRETS,
    .typed = "text",
    .synonyms =
        "input type type-text write fill enter-text set-text send-keys text "
        "input-text type-keys type-in-element keyboard-type fill-form",
    .example = "\"text\": \"Ada\", \"selector\": {\"text\": \"Name\"}",
    .other_names = SQ_SYNONYMS(
        { "clear clear-text erase-text clear-field", "input --clear",
          SQ_UI_CALL("input", ", \"text\": \"Ada\", \"clear\": true") },
        { "hide-keyboard dismiss-keyboard", "input --hide-keyboard",
          SQ_UI_CALL("input", ", \"hideKeyboard\": true") }),
    .run = input_run,
};
