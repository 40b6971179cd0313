"""Writes Members.v from a certificate of Tactics 4 by 4: the members with all their images under its symmetries."""

import sys

images, members = [list(range(16))], set()
in_strategy = False
for line in open(sys.argv[1]):
    words = line.split()
    if words[0] == "symmetry":
        images.append([int(bit) for bit in words[2].split(",")])
    elif words[0] == "strategy":
        in_strategy = True
    elif in_strategy and words[0] == "0":
        board = int(words[1], 16)
        for image in images:
            members.add(sum(1 << image[bit] for bit in range(16) if board >> bit & 1))

print("Require Import NArith List.\nImport ListNotations.\nOpen Scope N_scope.")
print("Definition members : list N :=\n  [", ";\n   ".join(map(str, sorted(members))), "].")
