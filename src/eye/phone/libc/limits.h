/* The compiler's own limits.h includes one of a C library, which adds nothing.
 */
