#!/usr/bin/env python3
"""embed.py FILE ...: print a C file with the table of the inspector's files."""
import os
import sys

TYPES = {".html": "text/html; charset=utf-8",
         ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8"}

ROWS = []
print('#include "inspector/private.h"\n')
for number, path in enumerate(sys.argv[1:]):
    with open(path, encoding="utf-8") as file:
        data = file.read().encode()
    name, ending = os.path.splitext(os.path.basename(path))
    print(f"static const unsigned char file_{number}[] = {{")
    for at in range(0, len(data), 16):
        print(" ", ", ".join(str(byte) for byte in data[at:at + 16]) + ",")
    print("};")
    ROWS.append(f'    {{ "/{name}{ending}", "{TYPES[ending]}", '
                f"file_{number}, sizeof(file_{number}) }},")
print("\nconst struct sq_inspector_file sq_inspector_files[] = {")
print("\n".join(ROWS))
print("    { NULL, NULL, NULL, 0 },\n};")
