#!/usr/bin/env python3
"""drawings.py FILE: print the drawings of FILE as C."""
import re
import sys

with open(sys.argv[1], encoding="ascii") as file:
    TEXT = re.sub(r"^#.*\n", "", file.read(), flags=re.MULTILINE)

print('#include "demo/phone/screens.h"\n')
for kind, name, layers in re.findall(r"^(\w+) (\w+)\n((?: .*\n)+)", TEXT,
                                     re.MULTILINE):
    print(f"const struct sq_drawing sq_{kind}_{name} = {{")
    print(f"    {24 if kind == 'icon' else 100}, (const struct sq_layer[]) {{")
    for colour, shapes in re.findall(r"(\w+):([^:]+?)(?=\n    \w|\n*\Z)",
                                     layers):
        ink = "0" if colour == "ink" else f"SQ_RGB(0x{colour})"
        print(f"        {{ {ink}, (const struct sq_shape[]) {{")
        for shape in shapes.split(";"):
            which, *numbers = shape.split()
            print(f"            {{ SQ_{which.upper()}, {{ "
                  + ", ".join(n + "f" if "." in n else n for n in numbers)
                  + " } },")
        print("            { SQ_SHAPE_END, { 0 } } } },")
    print("        { 0, NULL } }\n};")
