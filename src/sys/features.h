/*
 * Selects the system features beyond POSIX. A build with -Dportable=true uses
 * none of them, so that the code for other systems can be tested on Linux.
 */
#ifndef SQ_SYS_FEATURES_H
#define SQ_SYS_FEATURES_H

#if defined(__linux__) && !defined(SQ_PORTABLE)
#define SQ_IS_LINUX 1
#else
#define SQ_IS_LINUX 0
#endif

#endif
