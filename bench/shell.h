/* Measures a small command on an Android device over the adb server. */
#ifndef BENCH_SHELL_H
#define BENCH_SHELL_H

#include "request.h"
#include "util/buf.h"

/*
 * Run command=TEXT on the device serial=NAME of the adb server server=ADDRESS,
 * count=N times in a row; append {"medianMs":...,"minMs":...}, in real time.
 */
bool bench_shell(const struct bench_request *request, struct sq_buf *answer,
                 struct sq_err *err);

#endif
