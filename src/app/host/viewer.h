/* The screenshot viewer, viewer.html, which is compiled into the program. */
#ifndef SQ_APP_HOST_VIEWER_H
#define SQ_APP_HOST_VIEWER_H

#include <stddef.h>

#define SQ_VIEWER_URI "ui://squint/viewer"

extern const char sq_viewer_page[];
extern const size_t sq_viewer_page_size;

#endif
