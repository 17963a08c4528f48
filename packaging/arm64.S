/*
 * What clang calls on Windows on arm64, and Debian has for no such target: touches the
 * pages of the stack that a function is going to use, 16 * x15 bytes. It has to keep all
 * registers except x16 and x17.
 */
    .text
    .globl __chkstk
__chkstk:
    lsl x16, x15, #4
    mov x17, sp
1:  sub x17, x17, #4096
    subs x16, x16, #4096
    ldr xzr, [x17]
    b.gt 1b
    ret
