#include "device/android/parse.h"

#include "support/test.h"

#define MANAGER "Current Input Method Manager state:\n"
#define CLIENT                                                                 \
    "Input method client state for "                                           \
    "android.view.inputmethod.InputMethodManager@3c4:\n"
#define SERVICE(started)                                                       \
    "Input method service state for com.example.Keyboard@1f:\n"                \
    "  mInputStarted=" started " mInputViewStarted=" started "\n"

/* As printed by Android 5 to 14; only what matters. */
static const struct {
    const char *text;
    enum sq_password_focus focus;
} texts[] = {
    { "", SQ_PASSWORD_FOCUS_UNKNOWN },
    { "Can't find service: input_method\n", SQ_PASSWORD_FOCUS_UNKNOWN },
    { "/system/bin/sh: grep: not found\n", SQ_PASSWORD_FOCUS_UNKNOWN },
    { MANAGER "  mInputShown=false\n", SQ_PASSWORD_NOT_FOCUSED },
    { MANAGER CLIENT "  mCurrentTextBoxAttribute: null\n",
      SQ_PASSWORD_NOT_FOCUSED },
    { MANAGER CLIENT "  mCurrentTextBoxAttribute:\n"
                     "    inputType=0x1 imeOptions=0x6\n",
      SQ_PASSWORD_NOT_FOCUSED },
    { MANAGER CLIENT "  mCurrentTextBoxAttribute:\r\n"
                     "    inputType=0x81 imeOptions=0x6\r\n",
      SQ_PASSWORD_FOCUSED },
    /* With flags, of a web page, of a PIN. */
    { "    inputType=0x80081 imeOptions=0x6\n", SQ_PASSWORD_FOCUSED },
    { "    inputType=0xe1 imeOptions=0x6\n", SQ_PASSWORD_FOCUSED },
    { "    inputType=0x12 imeOptions=0x6\n", SQ_PASSWORD_FOCUSED },
    /* A visible password, which other text uses too; a phone number. */
    { "    inputType=0x91 imeOptions=0x6\n", SQ_PASSWORD_NOT_FOCUSED },
    { "    inputType=0x3 imeOptions=0x6\n", SQ_PASSWORD_NOT_FOCUSED },
    { "    inputType=0x2 imeOptions=0x6\n", SQ_PASSWORD_NOT_FOCUSED },
    /* What the keyboard still knows of a field that was left. */
    { MANAGER SERVICE("false") "  mInputEditorInfo:\n    inputType=0x81\n",
      SQ_PASSWORD_NOT_FOCUSED },
    { MANAGER SERVICE("true") "  mInputEditorInfo:\n    inputType=0x81\n",
      SQ_PASSWORD_FOCUSED },
    /* The history of shown keyboards. */
    { MANAGER "  SoftInputShowHideHistory#1:\n"
              "    editorInfo:  inputType=129 fieldId (viewId)=5\n",
      SQ_PASSWORD_NOT_FOCUSED },
    { "inputType=0x", SQ_PASSWORD_NOT_FOCUSED },
    { "inputType=0x81", SQ_PASSWORD_FOCUSED },
    { "inputType=0x81f", SQ_PASSWORD_NOT_FOCUSED },
};

T_CASE(the_type_of_the_focused_field_is_found) {
    T_EACH(i, texts) {
        enum sq_password_focus focus =
            sq_input_method_parse(sq_span_of(texts[i].text));
        T(focus == texts[i].focus);
    }
}
