#!/usr/bin/env python3
"""embed.py FILE NAME HEADER: print FILE as the C array NAME of HEADER."""
import sys

with open(sys.argv[1], encoding="ascii") as file:
    DATA = file.read().encode()
NAME = sys.argv[2]
print(f'#include "{sys.argv[3]}"\n\nconst char {NAME}[] = {{')
for at in range(0, len(DATA), 16):
    print(" ", ", ".join(str(byte) for byte in DATA[at:at + 16]) + ",")
print(f"}};\nconst size_t {NAME}_size = sizeof({NAME});")
