/*
 * The state of a demo phone as JSON, to be kept between processes. Pure: no
 * input or output.
 */
#ifndef SQ_DEMO_PHONE_SAVED_H
#define SQ_DEMO_PHONE_SAVED_H

#include "demo/phone/phone.h"

#define SQ_PHONE_STATE_MAX                                                     \
    ((size_t)3 << 20) /* full text fields and clipboard, escaped */

/* Appends the whole state, except the clock. */
bool sq_phone_save(const struct sq_phone *phone, struct sq_buf *out,
                   struct sq_err *err);

/*
 * Sets the state from text that sq_phone_save wrote. Fails with SQ_ERR_FORMAT
 * if it is not such a text, with SQ_ERR_UNSUPPORTED if it is of another version
 * of this format, or of a phone with another size, density or seed. The phone
 * is unchanged on failure.
 */
bool sq_phone_restore(struct sq_phone *phone, struct sq_span text,
                      struct sq_err *err);

#endif
