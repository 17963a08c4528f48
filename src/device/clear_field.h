/* What SQ_HAND_CLEAR_FIELD deletes in the focused field; the hand's choice. */
#ifndef SQ_DEVICE_CLEAR_FIELD_H
#define SQ_DEVICE_CLEAR_FIELD_H

enum sq_clear {
    SQ_CLEAR_ALL,
    SQ_CLEAR_BEFORE, /* the cursor, after it is moved to the end of the line */
    SQ_CLEAR_AFTER,  /* the cursor */
};

#endif
