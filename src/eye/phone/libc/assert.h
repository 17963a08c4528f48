/* assert for the program on the phone, which ends if a condition is false. */
#ifndef SQ_EYE_PHONE_LIBC_ASSERT_H
#define SQ_EYE_PHONE_LIBC_ASSERT_H

#define assert(condition) ((condition) ? (void)0 : __builtin_trap())

#endif
