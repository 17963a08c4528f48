/*
 * What a system has beyond POSIX. Built with -Dportable=true none of it is
 * used, so that what other systems get can be built and tested on this one.
 */
#ifndef SQ_SYS_FEATURES_H
#define SQ_SYS_FEATURES_H

#if defined(__linux__) && !defined(SQ_PORTABLE)
#define SQ_IS_LINUX 1
#else
#define SQ_IS_LINUX 0
#endif

#endif
