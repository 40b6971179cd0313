#!/usr/bin/env python3
"""Reads a table of tablegen, by docs/format.md alone and with Python's standard library alone.

    read_table.py TABLE               every position, a line each: mode,board,outcome
    read_table.py TABLE BOARD…        those boards in mode 0; MODE:BOARD for another; 0b, 0x or decimal
    read_table.py --header TABLE      what the header says
    read_table.py --labels TABLE      works each label out again from those of its successors, by the rules in the file

Every checksum is verified first, BLAKE3 being written out below: slow, and meant for small tables.
"""

import struct
import sys

OUTCOMES = ("loss", "draw", "win")
MAGIC = b"\x89TBG\r\n\x1a\n"
BLOCK = 65536

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
COLUMNS_AND_DIAGONALS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                         (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
WORD = 0xFFFFFFFF


def compress(chain, block, counter, length, flags):
    """BLAKE3's compression function: the first eight words of its result."""
    m = list(struct.unpack("<16I", block.ljust(64, b"\0")))
    v = list(chain) + list(IV[:4]) + [counter & WORD, counter >> 32, length, flags]
    for _ in range(7):
        for i, (a, b, c, d) in enumerate(COLUMNS_AND_DIAGONALS):
            for word, by_d, by_b in ((m[2 * i], 16, 12), (m[2 * i + 1], 8, 7)):
                v[a] = (v[a] + v[b] + word) & WORD
                x = v[d] ^ v[a]
                v[d] = (x >> by_d | x << (32 - by_d)) & WORD
                v[c] = (v[c] + v[d]) & WORD
                x = v[b] ^ v[c]
                v[b] = (x >> by_b | x << (32 - by_b)) & WORD
        m = [m[i] for i in PERMUTATION]
    return [v[i] ^ v[i + 8] for i in range(8)]


def blake3(data):
    """The BLAKE3 hash of data, 32 bytes."""

    def chunk(number, flags):
        part = data[1024 * number : 1024 * number + 1024]
        blocks = [part[i : i + 64] for i in range(0, len(part), 64)] or [b""]
        chain = IV
        for i, block in enumerate(blocks):
            first = CHUNK_START if i == 0 else 0
            last = CHUNK_END | flags if i == len(blocks) - 1 else 0
            chain = compress(chain, block, number, len(block), first | last)
        return chain

    def tree(first, count, flags):
        if count == 1:
            return chunk(first, flags)
        left = 1 << (count - 1).bit_length() - 1
        words = tree(first, left, 0) + tree(first + left, count - left, 0)
        return compress(IV, struct.pack("<16I", *words), 0, 64, PARENT | flags)

    return struct.pack("<8I", *tree(0, max(1, -(-len(data) // 1024)), ROOT))


class Bad(Exception):
    """Not a table, or a damaged one."""


def check(holds, what):
    if not holds:
        raise Bad(what)


class Fields:
    """Takes one field after the other."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def bytes(self, count):
        check(count <= len(self.data) - self.at, "the header ends inside a field")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, size):
        return int.from_bytes(self.bytes(size), "little")

    def text(self):
        return self.bytes(self.number(4)).decode("utf-8")

    def list(self, item):
        return [item() for _ in range(self.number(4))]

    def position(self):
        return self.number(2), self.number(8)


class Table:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.file = file.read()
        check(self.file[:8] == MAGIC, "not a table")
        check(len(self.file) >= 88, "too short for a table")
        version, header_bytes, file_bytes = struct.unpack_from("<IIQ", self.file, 8)
        check(version == 1, f"version 1 is expected, found {version}")
        check(file_bytes == len(self.file), f"{file_bytes} bytes are expected, found {len(self.file)}")
        check(header_bytes % 4096 == 0 and 88 <= header_bytes <= file_bytes, "the header's length")
        header = self.file[:header_bytes]
        check(blake3(header[:24] + bytes(32) + header[56:]) == header[24:56], "the header's checksum")

        f = Fields(header, 88)
        self.name, self.cells, self.stuck = f.text(), f.number(1), f.number(1)
        self.modes = f.list(f.text)
        self.moves = f.list(lambda: (f.number(2), f.number(2), f.number(8), f.number(8), f.number(8)))
        self.ends = f.list(lambda: (f.number(2), f.number(1), f.number(8)))
        self.start = "opening" if f.number(1) else "position", f.list(f.position)
        self.rules_hash = header[56:88]
        check(blake3(header[88 : f.at]) == self.rules_hash, "the rules hash")
        self.family, self.parameters = f.text(), f.list(lambda: (f.text(), f.text()))
        self.tool = f.text()
        check(f.number(1) == 0, "an unknown coverage")
        self.layout = list(f.bytes(self.cells))
        check(sorted(self.layout) == list(range(self.cells)), "the layout")
        self.counts = [(f.number(8), f.number(8), f.number(8)) for _ in self.modes]
        check(all(sum(counts) == 1 << self.cells for counts in self.counts), "the counts")
        check(f.number(4) == 1 and f.number(4) == 1, "an unknown section")
        self.labels, size, block, digest = f.number(8), f.number(8), f.number(4), f.bytes(32)
        check(not any(header[f.at :]), "the padding")

        self.can_draw = self.stuck == 1 or any(outcome == 1 for _, outcome, _ in self.ends)
        self.planes = 2 if self.can_draw else 1
        self.plane_bytes = max(64, (1 << self.cells) // 8)
        end = self.labels + size
        check(self.labels == header_bytes and block == BLOCK, "the section's place")
        check(size == len(self.modes) * self.planes * self.plane_bytes, "the section's size")
        check(file_bytes == end + 32 * -(-size // BLOCK), "the end of the file")
        checksums = self.file[end:]
        check(blake3(checksums) == digest, "the list of checksums")
        for n, at in enumerate(range(self.labels, end, BLOCK)):
            found = blake3(self.file[at : min(at + BLOCK, end)])
            check(found == checksums[32 * n : 32 * n + 32], f"the checksum of block {n}")

    def outcome(self, mode, board):
        check(0 <= mode < len(self.modes) and 0 <= board < 1 << self.cells, f"no position {mode}:{board}")
        index = sum((board >> bit & 1) << place for bit, place in enumerate(self.layout))

        def bit(plane):
            at = self.labels + (mode * self.planes + plane) * self.plane_bytes + index // 8
            return self.file[at] >> index % 8 & 1

        if bit(0):
            check(not self.can_draw or not bit(1), "a win and a loss at once")
            return "win"
        return "draw" if self.can_draw and not bit(1) else "loss"

    def recomputed(self, mode, board):
        for at, outcome, pattern in self.ends:
            if at == mode and board & pattern == pattern:
                return OUTCOMES[outcome]
        legal = [(after, board | fills) for at, after, empty, full, fills in self.moves
                 if at == mode and board & empty == 0 and board & full == full]
        # The worst that the other can be left with is the best for the player to move.
        left = min((OUTCOMES.index(self.outcome(*position)) for position in legal), default=2 - self.stuck)
        return OUTCOMES[2 - left]


def main(arguments):
    option = arguments.pop(0) if arguments[:1] in (["--header"], ["--labels"]) else None
    if not arguments or arguments[0] in ("-h", "--help"):
        return __doc__
    try:
        table = Table(arguments[0])
        if option == "--header":
            for name in ("name", "cells", "modes", "start", "family", "parameters", "tool", "layout", "counts"):
                print(f"{name}: {getattr(table, name)}")
            print(f"stuck: {OUTCOMES[table.stuck]}\nmoves: {len(table.moves)}\nends: {len(table.ends)}")
            print(f"rules_hash: {table.rules_hash.hex()}")
            return None
        asked = ((mode, board) for mode in range(len(table.modes)) for board in range(1 << table.cells))
        if option == "--labels":
            for mode, board in asked:
                found, expected = table.outcome(mode, board), table.recomputed(mode, board)
                check(found == expected, f"{mode}:{board} is labelled {found}, and its successors make it {expected}")
            return None
        if arguments[1:]:
            asked = ((int(m or "0", 0), int(b, 0)) for m, _, b in (text.rpartition(":") for text in arguments[1:]))
        sys.stdout.writelines(f"{mode},{board},{table.outcome(mode, board)}\n" for mode, board in asked)
    except (Bad, OSError, ValueError) as error:
        return f"error: {arguments[0]}: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
