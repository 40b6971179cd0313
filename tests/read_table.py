#!/usr/bin/env python3
"""Reads tables of tablegen. Written from docs/reference/format.md alone, with Python's standard library. Compressed
tables need Python 3.14, or the package zstandard or pyzstd, or the command zstd.

    read_table.py TABLE               prints each position in a line: mode,board,outcome, then the plies of its
                                      remoteness, its nimbers and its score, if the table has these labels
    read_table.py TABLE BOARD…        prints these boards in mode 0; MODE:BOARD for another mode; 0b, 0x or decimal
    read_table.py --header TABLE      prints the header
    read_table.py --labels TABLE      prints each position, after recomputing its labels from its successors by the
                                      rules in the file
    read_table.py --values TABLE      prints each board with the number of its value in the dictionary, after checking
                                      each value against the boards after each turn

The script first verifies every checksum with its own BLAKE3. It is slow, and meant for small tables.
"""

import struct
import subprocess
import sys
from itertools import combinations
from math import comb

VERSION = 1
OUTCOMES = ("loss", "draw", "win")
DENSE, TWO_COLOUR, SPARSE, CYCLIC, REGIONS = range(5)
MAGIC = b"\x89TBG\r\n\x1a\n"
BLOCK = 65536
PLANES, KEYS, COLUMN, COLOURINGS, REACHED, BOARD_KEYS, VALUES, DICTIONARY, TURN_VALUES = range(1, 10)
# The sections of values, and the number of their figures.
OF_VALUES = {BOARD_KEYS: 1, VALUES: 0, TURN_VALUES: 0, DICTIONARY: 2}
OUTCOME, REMOTENESS, NIMBER, MISERE_NIMBER, SCORE = 1, 2, 3, 4, 5
# The labels that a table may lack, in the order of their sections.
OTHERS = (REMOTENESS, NIMBER, MISERE_NIMBER, SCORE)
MOST = 64
MOST_CELLS = 128
MOST_NIMBER = 128
MOST_CODE_BITS = 127
NO_POINTS, MOST_SCORE, MOST_POINTS = 128, 126, 1024
NO_POINTS_OF_TWO, MOST_SCORE_OF_TWO = 32768, 32766  # In a table of a game of many points.
MORE_WINS, POINTS = 3, 4  # In place of an outcome: the player with more filled cells wins; a number of points decides.
MOST_PLIES_OF_A_BYTE, MOST_PLIES_OF_TWO, NO_PLIES = 63, 65533, 65535  # In a table by regions.
# The plies of a draw by repetition: more than any number of plies.
ENDLESS = float("inf")
FACTORS = (0x9E3779B97F4A7C15F39CC0605CEDC835, 0xD6E8FEB86659FD93A0761D6478BD642F)

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
COLUMNS_AND_DIAGONALS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                         (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
WORD = 0xFFFFFFFF


def compress(chain, block, counter, length, flags):
    """The first eight words of the result of BLAKE3's compression function."""
    m = list(struct.unpack("<16I", block.ljust(64, b"\0")))
    v = list(chain) + list(IV[:4]) + [counter & WORD, counter >> 32, length, flags]
    for _ in range(7):
        words = iter(m)
        for at_a, at_b, at_c, at_d in COLUMNS_AND_DIAGONALS:
            a, b, c, d = v[at_a], v[at_b], v[at_c], v[at_d]
            a = a + b + next(words) & WORD
            d ^= a
            d = (d >> 16 | d << 16) & WORD
            c = c + d & WORD
            b ^= c
            b = (b >> 12 | b << 20) & WORD
            a = a + b + next(words) & WORD
            d ^= a
            d = (d >> 8 | d << 24) & WORD
            c = c + d & WORD
            b ^= c
            b = (b >> 7 | b << 25) & WORD
            v[at_a], v[at_b], v[at_c], v[at_d] = a, b, c, d
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


def unpack(frames):
    """Decompresses zstd frames, each given with the size of its content."""
    try:
        try:
            from compression import zstd
            one = lambda frame, size: zstd.decompress(frame)
        except ImportError:
            try:
                import zstandard
                one = lambda frame, size: zstandard.ZstdDecompressor().decompress(frame, max_output_size=size)
            except ImportError:
                import pyzstd
                one = lambda frame, size: pyzstd.decompress(frame)
        return [one(*frame) for frame in frames]
    except ImportError:
        pass
    if not frames:
        return []
    # One process suffices: zstd decompresses concatenated frames one after the other.
    try:
        run = subprocess.run(["zstd", "-dcq"], input=b"".join(frame for frame, _ in frames), capture_output=True)
    except OSError:
        raise Bad("no zstd: install Python 3.14, the package zstandard or the command zstd") from None
    check(run.returncode == 0, "a frame that does not decompress")
    pieces, at = [], 0
    for _, size in frames:
        pieces.append(run.stdout[at : at + size])
        at += size
    check(at == len(run.stdout), "frames of other sizes")
    return pieces


class Bad(Exception):
    """The file is not a table, or it is damaged."""


def check(holds, what):
    if not holds:
        raise Bad(what)


class Fields:
    """Reads one field after the other."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def bytes(self, count):
        check(count <= len(self.data) - self.at, "the header ends inside a field")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, size):
        return int.from_bytes(self.bytes(size), "little")

    def points(self):
        points = int.from_bytes(self.bytes(2), "little", signed=True)
        check(abs(points) <= MOST_POINTS, "a number of points")
        return points

    def text(self):
        return self.bytes(self.number(4)).decode("utf-8")

    def list(self, item):
        return [item() for _ in range(self.number(4))]

    def cells(self, count):
        """A set of cells, in rules of `count` cells."""
        return self.number(8 if count <= 64 else 16)

    def position(self, count):
        return self.number(2), self.cells(count)

    def ending(self, count):
        """What an end is worth: the number of an outcome; MORE_WINS and two sets of cells; or POINTS and a number."""
        kind = self.number(1)
        check(kind <= POINTS, "the outcome of an end")
        if kind < MORE_WINS:
            return kind
        return (MORE_WINS, self.cells(count), self.cells(count)) if kind == MORE_WINS else (POINTS, self.points())


def outcome_of(points):
    """The number of the outcome that a number of points decides."""
    return 1 + (points > 0) - (points < 0)


def worth(ending, board):
    """What an end is worth on a board: the number of the outcome, and the points for the player to move, or None for an end that is won
    or lost whatever the points are."""
    if isinstance(ending, int):
        return ending, 0 if ending == 1 else None
    points = ending[1]
    if ending[0] == MORE_WINS:
        points = (board & ending[1]).bit_count() - (board & ending[2]).bit_count()
    return outcome_of(points), points


def fixed(ending):
    """The number of the outcome, if it is the same on every board; else that of a draw."""
    return worth(ending, 0)[0]


def moved(ending, of):
    """What an end is worth after each set of cells has gone where `of` sends it."""
    return (MORE_WINS, *map(of, ending[1:])) if isinstance(ending, tuple) and ending[0] == MORE_WINS else ending


def matches(board, pattern):
    """Whether the first set of cells of a terminal pattern is filled, and the second is empty."""
    return board & pattern[0] == pattern[0] and not board & pattern[1]


def fits(board, condition):
    """Whether the number of filled cells among some lies between its bounds."""
    cells, least, most = condition
    return least <= (board & cells).bit_count() <= most


def turned(outcome, again):
    """The outcome after a move, for the player who made it."""
    return outcome if again else OUTCOMES[2 - OUTCOMES.index(outcome)]


def taken(board, take):
    """The boards after a move that leads to `board` and may then take a piece."""
    lines, guards, cells = take or ((), (), 0)
    pieces = [1 << bit for bit in range(cells.bit_length()) if board & cells & 1 << bit]
    if not pieces or not any(board & line == line for line in lines):
        return [board]
    full = [guard for guard in guards if board & guard == guard]
    free = [piece for piece in pieces if not any(piece & guard for guard in full)]
    return [board ^ piece for piece in free or pieces]


class Table:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.file = file.read()
        check(self.file[:8] == MAGIC, "not a table")
        check(len(self.file) >= 88, "too short for a table")
        version, header_bytes, file_bytes = struct.unpack_from("<IIQ", self.file, 8)
        check(version == VERSION, f"expected version {VERSION}, found {version}")
        check(file_bytes == len(self.file), f"expected {file_bytes} bytes, found {len(self.file)}")
        self.bytes_of_file = file_bytes
        check(header_bytes % 4096 == 0 and 88 <= header_bytes <= file_bytes, "the header's length")
        header = self.file[:header_bytes]
        check(blake3(header[:24] + bytes(32) + header[56:]) == header[24:56], "the header's checksum")

        f = Fields(header, 88)
        self.name, self.cells, self.terminal = f.text(), f.number(1), f.number(1)
        self.modes = f.list(f.text)
        check(1 <= self.cells <= MOST_CELLS, "the number of cells")
        cells, position = lambda: f.cells(self.cells), lambda: f.position(self.cells)
        self.moves = f.list(lambda: (f.number(2), f.number(2), cells(), cells(), cells()))
        ends = f.list(lambda: (f.number(2), f.number(1), cells()))
        self.start = "opening" if f.number(1) else "position", f.list(position)
        self.rules_hash = header[56:88]
        extras = f.number(1)
        check(extras & ~239 == 0, "unknown extras of the rules")
        cleared = [cells() for _ in self.moves] if extras & 1 else [0] * len(self.moves)
        self.moves = [m + (clears,) for m, clears in zip(self.moves, cleared)]
        self.players = [f.number(1) for _ in self.modes] if extras & 2 else None
        ending = lambda: f.ending(self.cells)
        self.terminals = [ending() for _ in self.modes] if extras & 4 else [self.terminal] * len(self.modes)
        self.otherwise = [f.number(1) for _ in self.moves] if extras & 8 else [0] * len(self.moves)
        needed = [cells() for _ in ends] if extras & 32 else [0] * len(ends)
        self.ends = [(mode, outcome, (pattern, empty)) for (mode, outcome, pattern), empty in zip(ends, needed)]
        self.read_counts(f, extras & 64)
        self.read_points(f, extras & 128)
        check(blake3(header[88 : f.at]) == self.rules_hash, "the rules hash")
        self.family, self.parameters = f.text(), f.list(lambda: (f.text(), f.text()))
        self.tool = f.text()
        endings = self.terminals + [ending for _, ending, _ in self.ends + self.count_ends]
        self.has_gains = any(gain for gain, _ in self.gains)
        moves_draw = any(not m[4] or m[5] for m in self.moves) or any(take for _, take in self.named)
        self.can_draw = self.has_gains or moves_draw or any(fixed(ending) == 1 for ending in endings)
        by_points = all(worth(ending, 0)[1] is not None for ending in endings)
        check(by_points or not self.has_gains, "moves that gain points where an end has none")
        self.solver, self.starts = f.number(1), f.list(position)
        holds = lambda position: position[0] < len(self.modes) and position[1] < 1 << self.cells
        check(self.solver <= REGIONS, "an unknown solver")
        check(self.starts == sorted(set(self.starts)) and all(map(holds, self.starts)), "the starts")
        check(self.starts or self.solver == DENSE, "no starts")
        if self.solver == DENSE:
            self.layout = list(f.bytes(self.cells))
        elif self.solver == TWO_COLOUR:
            self.squares = f.list(lambda: (f.number(1), f.number(1)))
        elif self.solver == REGIONS:
            self.longest = f.number(2)
            check(self.longest <= MOST_PLIES_OF_TWO, "the plies of the longest game")
        else:
            signed = lambda: (f.number(4) ^ 1 << 31) - (1 << 31)
            self.weights = [signed() for _ in range(self.cells)], [signed() for _ in self.modes]
            self.levels = f.list(lambda: (f.number(4), f.number(8)))
        self.symmetries = f.list(lambda: (list(f.bytes(self.cells)), [f.number(2) for _ in self.modes]))
        kinds = {DENSE: (Marked if self.starts else Dense, Folded), TWO_COLOUR: (Coloured, FoldedColours), REGIONS: (ByRegions, ByRegions)}
        self.labels = kinds.get(self.solver, (Sparse, Orbits))[bool(self.symmetries)](self, f)
        count, end, places, self.counts, self.codes, of_values = f.number(4), header_bytes, [], [], {}, {}
        self.bits = {}
        valued = [(kind, 0, 32 if kind in (VALUES, TURN_VALUES) else 0, None) for kind in OF_VALUES]
        for kind, label, bits, expected in list(self.labels.sections) + valued:
            compression = header[f.at + 3] if kind not in (KEYS, BOARD_KEYS, DICTIONARY) else 0
            is_next = compression < 2 and header[f.at : f.at + 4] == bytes((kind, label, bits, compression))
            is_optional = label in OTHERS or kind in OF_VALUES
            if is_optional and (len(places) + len(of_values) == count or not is_next):
                continue
            check(is_next, "an unknown section")
            f.bytes(4)
            start, size, block = f.number(8), f.number(8), f.number(4)
            stored = f.number(8) if compression else size
            digest = f.bytes(32)
            check(size == expected or kind in OF_VALUES, "the size of a section")
            check(1024 <= block <= 1 << 20 and block & block - 1 == 0 if compression else block == BLOCK, "the size of a block")
            figures = f.list(lambda: f.number(8))
            counts = 3 * len(self.modes) * (2 if self.labels.counted_twice else 1)
            places_of_labels = 256 if bits == 8 else 1 + 3 * (self.longest + 1) if (label, bits) == (REMOTENESS, 16) else 0
            if (label, bits) == (SCORE, 16):
                check(len(figures) % 2 and len(figures) <= 2 * MOST_SCORE_OF_TWO + 1, "the counts of scores")
                places_of_labels = len(figures)
            check(len(figures) == OF_VALUES.get(kind, {0: 0, OUTCOME: counts}.get(label, places_of_labels)), "the figures of a section")
            if label == OUTCOME:
                counts = list(zip(figures[::3], figures[1::3], figures[2::3]))
                self.counts, self.every = counts[: len(self.modes)], counts[len(self.modes) :]
            check(start == -(-end // 4096) * 4096 and start + stored <= file_bytes, "the section's place")
            check(not any(self.file[end:start]), "the bytes before a section")
            if compression:
                end, raw = self.unpacked(start, size, block, stored, digest)
                # Append the decompressed labels to the file, and read them there.
                place = len(self.file)
                self.file += raw
            else:
                place = start
            if kind in OF_VALUES:
                of_values[kind] = place, size, figures
            else:
                places.append(place)
            if label in OTHERS:
                check(label not in self.codes, "a label with two sections")
                self.codes[label] = places[-1], figures
                self.bits[label] = bits
            if compression:
                continue
            checksums = start + size
            end = checksums + 32 * -(-size // BLOCK)
            check(blake3(self.file[checksums:end]) == digest, "the list of checksums")
            for n, at in enumerate(range(start, checksums, BLOCK)):
                entry = checksums + 32 * n
                found = blake3(self.file[at : min(at + BLOCK, checksums)])
                check(found == self.file[entry : entry + 32], f"the checksum of block {n}")
        check(len(places) + len(of_values) == count, "an unknown section")
        check(SCORE not in self.codes or by_points, "scores where an end has no points")
        check(SCORE in self.codes or not self.has_gains, "the scores are missing")
        check(not any(header[f.at :]), "the padding")
        self.values = Values(self, of_values) if of_values else None
        self.labels.check_counts(self.counts)
        for label, (_, figures) in self.codes.items():
            found = [0, 0, 0]
            for code, positions in enumerate(figures):
                if positions:
                    found[OUTCOMES.index(self.of_place(label, code)[0])] += positions
            sums = [sum(of_modes) for of_modes in zip(*self.counts)]
            # The outcomes of misère play may not be those of the game.
            check(found[::-1] == sums or label == MISERE_NIMBER and sum(found) == sum(sums), "the counts of codes")
        check(end == file_bytes, "the end of the file")
        self.labels.start(*places)

    def unpacked(self, start, size, block, stored, digest):
        """The end of a compressed section and its decompressed bytes, after verifying each block."""
        blocks = -(-size // block)
        entries, pages = start + stored, start + stored + 44 * blocks
        end = pages + 32 * -(-blocks // 1024)
        check(end <= self.bytes_of_file and blocks <= stored <= size, "the section's place")
        check(blake3(self.file[pages:end]) == digest, "the list of pages")
        for n, at in enumerate(range(entries, pages, 44 * 1024)):
            found = blake3(self.file[at : min(at + 44 * 1024, pages)])
            check(found == self.file[pages + 32 * n : pages + 32 * n + 32], f"the checksum of page {n}")
        pieces, frames, places = [None] * blocks, [], []
        for n in range(blocks):
            offset, length, checksum = struct.unpack_from("<QI32s", self.file, entries + 44 * n)
            raw = min(block, size - n * block)
            check(1 <= length <= raw and offset + length <= stored, f"the place of block {n}")
            places.append((offset, length))
            found = self.file[start + offset : start + offset + length]
            check(blake3(found) == checksum, f"the checksum of block {n}")
            if length == raw:
                pieces[n] = found
            else:
                frames.append((n, found, raw))
        at = 0
        for offset, length in sorted(places):
            check(offset == at, "a byte that is in no block, or in two")
            at += length
        check(at == stored, "bytes that are in no block")
        for (n, _, raw), piece in zip(frames, unpack([frame[1:] for frame in frames])):
            check(len(piece) == raw, f"the size of block {n}")
            pieces[n] = piece
        return end, b"".join(pieces)

    def outcome(self, mode, board):
        """The outcome of a position; None if the table does not hold it."""
        check(0 <= mode < len(self.modes) and 0 <= board < 1 << self.cells, f"no position {mode}:{board}")
        return self.labels.outcome(mode, board)

    def decoded(self, label, code):
        """The outcome, and the plies, the nimber or the score, that a byte encodes."""
        if label == SCORE:
            score = code - NO_POINTS
            check(abs(score) <= MOST_SCORE, f"{code} is no score")
            return OUTCOMES[outcome_of(score)], score
        if label in (NIMBER, MISERE_NIMBER):
            check(code <= MOST_NIMBER, f"{code} is no nimber")
            return "win" if code else "loss", code
        if code == 65:
            return "draw", ENDLESS
        for outcome, plies in (("loss", code), ("draw", 130 - code), ("win", 254 - code)):
            if 0 <= plies <= MOST:
                return outcome, plies
        raise Bad(f"{code} is no remoteness")

    def of_place(self, label, place):
        """The outcome, and the plies, the nimber or the score, that the count at a place is of."""
        if self.bits[label] == 8:
            return self.decoded(label, place)
        if label == SCORE:
            score = -(place // 2) if place % 2 == 0 else place // 2 + 1
            return OUTCOMES[outcome_of(score)], score
        return (("win", "draw", "loss")[(place - 1) % 3], (place - 1) // 3) if place else ("draw", ENDLESS)

    def byte(self, label, mode, board):
        """The byte of a label. The table must hold the position."""
        return self.file[self.codes[label][0] + self.labels.rank(mode, board)]

    def place_of(self, label, mode, board):
        """The place of a label among the counts of such labels."""
        if self.bits[label] == 8:
            return self.byte(label, mode, board)
        if label == SCORE:
            score = self.number(SCORE, mode, board)
            return 2 * score - 1 if score > 0 else -2 * score
        outcome, plies = self.remoteness(mode, board)
        return 0 if plies == ENDLESS else 1 + 3 * plies + ("win", "draw", "loss").index(outcome)

    def remoteness(self, mode, board):
        """The outcome and the plies of a position. The table must hold it."""
        if self.solver == REGIONS:
            return self.labels.remoteness(mode, board)
        return self.decoded(REMOTENESS, self.byte(REMOTENESS, mode, board))

    def number(self, label, mode, board):
        """The nimber or the score of a position. The table must hold it."""
        if self.bits[label] == 8:
            return self.decoded(label, self.byte(label, mode, board))[1]
        at = self.codes[label][0] + 2 * self.labels.rank(mode, board)
        score = int.from_bytes(self.file[at : at + 2], "little") - NO_POINTS_OF_TWO
        check(abs(score) <= MOST_SCORE_OF_TWO, "a score")
        return score

    def line(self, mode, board):
        """The labels of a position, as printed."""
        outcome = self.outcome(mode, board)
        if outcome is None:
            return "not held"
        numbers = [self.remoteness(mode, board)[1]] if REMOTENESS in self.codes else []
        numbers += [self.number(label, mode, board) for label in OTHERS[1:] if label in self.codes]
        return ",".join(map(str, [outcome, *numbers]))

    def read_counts(self, f, is_present):
        """Reads the conditions, the takes, the ends by a number of pieces, and what each move names of them."""
        numbers = lambda: f.list(lambda: f.cells(self.cells))
        condition = lambda: (f.cells(self.cells), f.number(1), f.number(1))
        take = lambda: (numbers(), numbers(), f.cells(self.cells))
        conditions, takes = (f.list(condition), f.list(take)) if is_present else ([], [])
        self.count_ends = f.list(lambda: (f.number(2), f.number(1), condition())) if is_present else []
        one = lambda items: ([None] + items)[f.number(2)]
        self.named = [(one(conditions), one(takes)) if is_present else (None, None) for _ in self.moves]
        check(not is_present or conditions or takes or self.count_ends, "numbers of pieces in the rules")

    def read_points(self, f, is_present):
        """Reads what each move gains, whether the same player moves again after it, and what each pattern is worth."""
        self.gains = [(f.points(), f.number(1)) if is_present else (0, 0) for _ in self.moves]
        check(all(again <= (self.players is None) for _, again in self.gains), "a player who moves again")
        if is_present:
            endings = [f.ending(self.cells) for _ in self.ends]
            alike = all(fixed(ending) == outcome for ending, (_, outcome, _) in zip(endings, self.ends))
            has_points = any(map(any, self.gains)) or any(isinstance(ending, tuple) for ending in endings)
            check(alike and has_points, "the points of the rules")
            self.ends = [(mode, ending, pattern) for ending, (mode, _, pattern) in zip(endings, self.ends)]

    def ended(self, mode, board):
        """The number of the outcome, and the points, if a number of pieces or a terminal pattern ends the game."""
        counted = (outcome for at, outcome, condition in self.count_ends if at == mode and fits(board, condition))
        pattern = (ending for at, ending, pattern in self.ends if at == mode and matches(board, pattern))
        ending = next(counted, next(pattern, None))
        return None if ending is None else worth(ending, board)

    def steps(self, mode, board):
        """For each move, the mode and the board after it, its gain, and whether the same player moves again; none if the game has ended."""
        if self.ended(mode, board) is not None:
            return []
        again = lambda after, flag: flag == 1 if self.players is None else self.players[mode] == self.players[after]
        legal = [(otherwise, (after, reply, gain, again(after, flag)))
                 for (at, after, empty, full, fills, clears), otherwise, (when, take), (gain, flag)
                 in zip(self.moves, self.otherwise, self.named, self.gains)
                 if at == mode and board & empty == 0 and board & full == full and (when is None or fits(board, when))
                 for reply in taken((board | fills) & ~clears, take)]
        only = all(otherwise for otherwise, _ in legal)
        return [step for otherwise, step in legal if only or not otherwise]

    def replies(self, mode, board):
        """The successors of a position; none if the game has ended."""
        return [step[:2] for step in self.steps(mode, board)]

    def check_labels(self, mode, board):
        """Recomputes the labels of a position from its successors, and compares them."""

        def same(name, found, expected):
            check(found == expected, f"{mode}:{board} has {name} {found}, and its successors imply {expected}")

        steps = self.steps(mode, board)
        missing = any(self.outcome(*step[:2]) is None for step in steps)
        check(not missing, f"{mode}:{board} leads to a position that the table does not hold")
        ended, points = self.ended(mode, board) or worth(self.terminals[mode], board)
        if SCORE in self.codes:
            # What each move is worth, with the score after it.
            scores = [gain + (1 if again else -1) * self.number(SCORE, *reply) for *reply, gain, again in steps]
            points = max(scores, default=points)
            same("score", self.number(SCORE, mode, board), points)
        # Where moves gain points, the outcomes of successors do not decide.
        outcome = OUTCOMES[outcome_of(points)] if self.has_gains else self.implied(steps, ended)
        same("outcome", self.outcome(mode, board), outcome)
        if REMOTENESS in self.codes:
            after = [(turned(theirs, again), plies) for *reply, _, again in steps for theirs, plies in [self.remoteness(*reply)]]
            # Among the moves that keep the outcome, the winner hurries; a player who draws or loses delays.
            plies = [min(1 + plies, ENDLESS) for ours, plies in after if ours == outcome]
            best = (min if outcome == "win" else max)(plies, default=0)
            same("remoteness", self.remoteness(mode, board), (outcome, best))
        for label, name, last in (NIMBER, "nimber", 0), (MISERE_NIMBER, "misère nimber", 1):
            if label in self.codes:
                taken = {self.number(label, *step[:2]) for step in steps}
                least = next(n for n in range(MOST_NIMBER + 1) if n not in taken)
                same(name, self.number(label, mode, board), least if steps else last)

    def implied(self, steps, ended):
        """The outcome of a position with these moves; the outcome with the number `ended`, if there are none."""
        ours = [OUTCOMES.index(turned(self.outcome(*reply), again)) for *reply, _, again in steps]
        return OUTCOMES[max(ours, default=ended)]

    def check_codes(self):
        """Compares the counts of codes in the header with the labels."""
        for label, (_, figures) in self.codes.items():
            found = [0] * len(figures)
            for position in self.labels.positions():
                found[self.place_of(label, *position)] += 1
            check(found == figures, "the counts of codes differ from the labels")


class Values:
    """The values of boards, and the dictionary of canonical forms."""

    def __init__(self, table, sections):
        self.table = table
        values = TURN_VALUES if self.moves_again() else VALUES
        check(VALUES not in sections or values == VALUES, "values that pass the turn although the player moves again")
        check(values in sections and DICTIONARY in sections, "a section of values is missing")
        place, size, (count, options) = sections[DICTIONARY]
        check(count and size == 16 * count + 4 * options, "the size of the dictionary")
        # Each entry has the number of boards, the Left options and the Right options.
        listed = struct.unpack_from(f"<{options}I", table.file, place + 16 * count)
        self.entries, end = [], 0
        for n in range(count):
            boards, lefts, rights = struct.unpack_from("<QII", table.file, place + 16 * n)
            check(end <= lefts <= rights <= options, f"the options of value {n}")
            both = listed[end:lefts], listed[lefts:rights]
            check(all(list(o) == sorted(set(o)) and all(x < n for x in o) for o in both), f"the options of value {n}")
            self.entries.append((boards,) + both)
            end = rights
        check(end == options, "the options of the dictionary")
        boards = self.listed(*sections[BOARD_KEYS]) if BOARD_KEYS in sections else range(1 << table.cells)
        place, size, _ = sections[values]
        check(size == 4 * len(boards), "the size of the values")
        numbers = struct.unpack_from(f"<{len(boards)}I", table.file, place)
        check(all(number < count for number in numbers), "a value that is not in the dictionary")
        self.numbers = dict(zip(boards, numbers))
        check(len(self.numbers) == len(boards), "a board that is listed twice")
        for n, entry in enumerate(self.entries):
            check(entry[0] == numbers.count(n), f"the boards of value {n}")
        self.known = {}

    def listed(self, place, size, figures):
        """The boards of a section of keys, in order."""
        count, bits = figures[0], self.table.cells
        half, buckets = -(-bits // 2), min(max(count // 4, 1).bit_length() - 1, bits - 1)
        rest = bits - buckets
        width, mask = -(-rest // 8), (1 << bits) - 1
        rests = place + 4 * ((1 << buckets) + 1)
        used = rests - place + count * width
        check(count and size == -(-used // 16) * 16 + 16, "the size of the keys of boards")
        directory = struct.unpack_from(f"<{(1 << buckets) + 1}I", self.table.file, place)
        check(directory[0] == 0 and directory[-1] == count and list(directory) == sorted(directory), "the directory")
        boards, before = [], -1
        for bucket in range(1 << buckets):
            for index in range(directory[bucket], directory[bucket + 1]):
                low = int.from_bytes(self.table.file[rests + index * width : rests + (index + 1) * width], "little")
                check(low >> rest == 0, "a rest")
                code = bucket << rest | low
                check(code > before, "keys of boards out of order")
                before = x = code
                for factor in reversed(FACTORS):
                    x ^= x >> half
                    x = x * pow(factor, -1, 1 << bits) & mask
                boards.append(x ^ x >> half)
        return boards

    def sides(self):
        """The modes in which Left and Right begin a turn."""
        table = self.table
        if table.players is None:
            return (0, 0) if len(table.modes) == 1 else (0, 1)
        handed = {m[1] for m in table.moves if table.players[m[0]] != table.players[m[1]]}
        begin = [mode for mode in sorted(handed) if any(mode in self.following(m[1]) for m in table.moves if m[0] == mode)]
        if len(table.modes) == 2:
            begin = [0, 1]
        sides = tuple(mode for player in (0, 1) for mode in begin if table.players[mode] == player)
        check(len(sides) == 2, "a player who begins turns in several modes")
        return sides

    def following(self, *modes):
        """The modes, and those to which moves lead from them."""
        found, waiting = set(modes), list(modes)
        while waiting:
            mode = waiting.pop()
            new = {m[1] for m in self.table.moves if m[0] == mode} - found
            found |= new
            waiting += new
        return found

    def moves_again(self):
        """Whether a move can leave a player in the mode in which that player begins turns."""
        players, sides = self.table.players, self.sides()
        found = self.following(*sides)
        moves = [m for m in self.table.moves if m[0] in found]
        check(players is None or all(m[1] in sides for m in moves if players[m[0]] != players[m[1]]), "a late turn")
        return players is not None and any(m[1] in sides and players[m[0]] == players[m[1]] for m in moves)

    def turns(self, mode, board):
        """The boards after each finished turn that begins in a mode: the other player is to move."""
        players, boards, seen, waiting = self.table.players, set(), set(), [(mode, board)]
        while waiting:
            mode, board = waiting.pop()
            for after, to in self.table.replies(mode, board):
                if players is None or players[mode] != players[after]:
                    boards.add(to)
                elif (after, to) not in seen:
                    seen.add((after, to))
                    waiting.append((after, to))
        return sorted(boards)

    def options(self, game):
        """The options of a value, by its number, or of a pair of lists of numbers."""
        return self.entries[game][1:] if isinstance(game, int) else game

    def at_most(self, g, h):
        key = isinstance(g, int) and isinstance(h, int) and (g, h)
        if key not in self.known or not key:
            (lefts, _), (_, rights) = self.options(g), self.options(h)
            found = not any(self.at_most(h, left) for left in lefts) and not any(self.at_most(r, g) for r in rights)
            if not key:
                return found
            self.known[key] = found
        return self.known[key]

    def check(self):
        """Checks that entries are canonical forms, and that each value follows from the boards after each turn."""
        for g, (_, lefts, rights) in enumerate(self.entries):
            for some, other, less in ((lefts, 2, self.at_most), (rights, 1, lambda a, b: self.at_most(b, a))):
                for a in some:
                    check(not any(a != b and less(a, b) for b in some), f"value {g} has a dominated option")
                    check(not any(less(b, g) for b in self.entries[a][other]), f"value {g} has a reversible option")
        check(len({entry[1:] for entry in self.entries}) == len(self.entries), "two equal values")
        sides = self.sides()
        for board, number in self.numbers.items():
            after = [self.turns(mode, board) for mode in sides]
            check(all(to in self.numbers for boards in after for to in boards), f"board {board} leads to none of the boards")
            game = tuple([self.numbers[to] for to in boards] for boards in after)
            check(self.at_most(number, game) and self.at_most(game, number), f"the value of board {board}")


class Symmetries:
    """Permutations of cells and modes that leave the rules unchanged."""

    def check_symmetries(self):
        for symmetry in self.table.symmetries:
            self.check_permutations(*symmetry)
            self.check_symmetry(*symmetry)

    def check_permutations(self, of_cells, of_modes):
        check(sorted(of_cells) == list(range(self.table.cells)), "a permutation of cells")
        check(sorted(of_modes) == list(range(len(self.table.modes))), "a permutation of modes")

    def check_symmetry(self, cells, modes):
        """Checks that a permutation maps moves to moves, ends to ends and starts to starts."""
        table, of = self.table, lambda board: self.image((cells, modes), 0, board)[1]
        plain = lambda board: board
        counted = lambda condition, of: condition and (of(condition[0]), *condition[1:])
        taking = lambda take, of: take and (frozenset(map(of, take[0])), frozenset(map(of, take[1])), of(take[2]))

        def moves(of, modes):
            return {(modes[at], modes[after], *map(of, sets), otherwise, counted(when, of), taking(take, of), gain)
                    for (at, after, *sets), otherwise, (when, take), gain
                    in zip(table.moves, table.otherwise, table.named, table.gains)}

        check(moves(of, modes) == moves(plain, range(len(modes))), "a symmetry of the moves")
        for mode, to in enumerate(modes):
            check(moved(table.terminals[mode], of) == table.terminals[to], "a symmetry of the outcomes without a move")

        def rows(ends, mode, image=plain, of=plain):
            rows = []
            for at, ending, end in ends:
                if at == mode:
                    ending = moved(ending, of)
                    if not rows or rows[-1][0] != ending:
                        rows.append((ending, set()))
                    rows[-1][1].add(image(end))
            return rows

        for mode, to in enumerate(modes):
            patterns = rows(table.ends, mode, lambda pattern: tuple(map(of, pattern)), of)
            check(patterns == rows(table.ends, to), "a symmetry of the ends")
            by_count = rows(table.count_ends, mode, lambda condition: counted(condition, of))
            check(by_count == rows(table.count_ends, to), "a symmetry of the ends by a number of pieces")
        starts = [] if table.solver == REGIONS else table.starts or table.start[1]
        check({(modes[mode], of(board)) for mode, board in starts} == set(starts), "a symmetry of the starts")

    def image(self, symmetry, mode, board):
        cells, modes = symmetry
        return modes[mode], sum(1 << to for bit, to in enumerate(cells) if board >> bit & 1)


def one_or_two_bytes(kind, places):
    """The sections that a table may have: each label in bytes, and scores in two bytes, for `places` places."""
    return [(kind, label, 8, places) for label in OTHERS] + [(kind, SCORE, 16, 2 * places)]


class Dense:
    """A dense table: bit planes with the labels of every position."""

    counted_twice = False

    def __init__(self, table, _):
        self.table, self.layout = table, table.layout
        check(sorted(self.layout) == list(range(table.cells)), "the layout")
        self.planes = 2 if table.can_draw else 1
        self.plane_bytes = max(64, (1 << table.cells) // 8)
        self.cells = [(1 << bit, 1 << place) for bit, place in enumerate(self.layout)]
        self.sections = [(PLANES, OUTCOME, self.planes, len(table.modes) * self.planes * self.plane_bytes)]
        self.byte_plane = max(64, 1 << table.cells)
        self.sections += one_or_two_bytes(PLANES, len(table.modes) * self.byte_plane)

    def check_counts(self, counts):
        check(all(sum(of_mode) == 1 << self.table.cells for of_mode in counts), "the counts")

    def start(self, at, *_):
        self.at = at

    def positions(self):
        return ((mode, board) for mode in range(len(self.table.modes)) for board in range(1 << self.table.cells))

    def check(self):
        """Checks that the bytes of a plane that belong to no board are zero."""
        for label, (start, _) in self.table.codes.items():
            size = self.table.bits[label] // 8
            boards, places = size << self.table.cells, size * self.byte_plane
            for plane in (start + mode * places for mode in range(len(self.table.modes))):
                check(not any(self.table.file[plane + boards : plane + places]), "the padding of a plane")

    def index(self, board):
        return sum(place for cell, place in self.cells if board & cell)

    def place(self, mode, board):
        """The mode and the index of a position's labels in a plane."""
        return mode, self.index(board)

    def rank(self, mode, board):
        mode, index = self.place(mode, board)
        return mode * self.byte_plane + index

    def outcome(self, mode, board):
        mode, index = self.place(mode, board)

        def bit(plane):
            at = self.at + (mode * self.planes + plane) * self.plane_bytes + index // 8
            return self.table.file[at] >> index % 8 & 1

        can_draw = self.table.can_draw
        if bit(0):
            check(not can_draw or not bit(1), "a win and a loss at once")
            return "win"
        return "draw" if can_draw and not bit(1) else "loss"


class Marked(Dense):
    """A dense table with reachability bits."""

    counted_twice = True

    def __init__(self, table, f):
        super().__init__(table, f)
        self.check_starts()
        self.sections.insert(1, (REACHED, 0, 1, len(table.modes) * self.plane_bytes))

    def check_starts(self):
        table = self.table
        check(set(table.start[1]) <= set(table.starts), "a start of the rules is missing")

    def check_counts(self, counts):
        every = self.table.every
        super().check_counts(every)
        check(all(a <= b for few, all_ in zip(counts, every) for a, b in zip(few, all_)), "the counts")

    def start(self, at, reached, *_):
        self.at, self.reached = at, reached

    def is_reached(self, mode, board):
        mode, index = self.place(mode, board)
        return self.table.file[self.reached + mode * self.plane_bytes + index // 8] >> index % 8 & 1 == 1

    def positions(self):
        return (position for position in Dense.positions(self) if self.is_reached(*position))

    def check(self):
        """Checks every label, the reachability bits, and the counts of all boards."""
        Dense.check(self)
        table, reached, every = self.table, set(self.table.starts), [[0, 0, 0] for _ in self.table.modes]
        for position in Dense.positions(self):
            table.check_labels(*position)
            every[position[0]][2 - OUTCOMES.index(table.outcome(*position))] += 1
            if self.is_reached(*position):
                reached.update(table.replies(*position))
        check(reached == set(self.positions()), "the positions that are marked as reached")
        check(every == list(map(list, table.every)), "the counts of every board")


class Folded(Symmetries, Marked):
    """A dense table up to symmetry: it stores one slice per class of slices."""

    def __init__(self, table, f):
        self.table, self.layout, self.upper = table, table.layout, f.number(1)
        check(sorted(self.layout) == list(range(table.cells)), "the layout")
        self.low = table.cells - self.upper
        check(1 <= self.upper <= 16 and self.low >= 9, "the slice cells")
        self.cells = [(1 << bit, 1 << place) for bit, place in enumerate(self.layout)]
        self.counted_twice = bool(table.starts)
        if table.starts:
            self.check_starts()
        self.check_symmetries()
        slice_cells = {cell for cell, place in enumerate(self.layout) if place >= self.low}
        for cells, _ in table.symmetries:
            check({cells[cell] for cell in slice_cells} == slice_cells, "a symmetry that moves slice cells")
        # For each slice, the symmetries that, applied in turn, map it to the least slice of its class.
        self.regions, stored = {}, []
        for least in range(1 << self.upper):
            if least in self.regions:
                continue
            self.regions[least], left = (len(stored), []), [least]
            stored.append(least)
            while left:
                region = left.pop()
                for symmetry in table.symmetries:
                    # This symmetry maps the other slice to a slice whose symmetries are known.
                    before = [r for r in self.sources(symmetry, region) if r not in self.regions]
                    for other in before:
                        self.regions[other] = (self.regions[region][0], [symmetry] + self.regions[region][1])
                        left.append(other)
        self.planes = 2 if table.can_draw else 1
        self.plane_bytes, self.byte_plane = len(stored) << self.low - 3, len(stored) << self.low
        modes = len(table.modes)
        self.sections = [(PLANES, OUTCOME, self.planes, modes * self.planes * self.plane_bytes)]
        self.sections += [(REACHED, 0, 1, modes * self.plane_bytes)] if table.starts else []
        self.sections += one_or_two_bytes(PLANES, modes * self.byte_plane)

    def sources(self, symmetry, region):
        """The slice that a symmetry maps to this slice."""
        place_of = {cell: place for cell, place in enumerate(self.layout)}
        back = {place_of[to]: place_of[cell] for cell, to in enumerate(symmetry[0])}
        bits = [place for place in range(self.low, self.table.cells) if region >> place - self.low & 1]
        return [sum(1 << back[place] - self.low for place in bits)]

    def place(self, mode, board):
        rank, way = self.regions[self.index(board) >> self.low]
        for symmetry in way:
            mode, board = self.image(symmetry, mode, board)
        return mode, rank << self.low | self.index(board) & (1 << self.low) - 1

    def check_counts(self, counts):
        (Marked if self.table.starts else Dense).check_counts(self, counts)

    def start(self, at, *others):
        self.at, self.reached = at, others[0] if self.table.starts else None

    def positions(self):
        return (Marked if self.table.starts else Dense).positions(self)

    def check(self):
        if self.table.starts:
            Marked.check(self)


class Sparse:
    """A sparse table: the labels of the reachable positions, level by level."""

    counted_twice = False

    def __init__(self, table, _):
        self.table = table
        self.weights, self.offsets = table.weights
        check((table.solver == CYCLIC) == (not any(self.weights + self.offsets)), "the weights")
        if table.solver == SPARSE:
            self.check_weights()
        self.least = sum(min(0, weight) for weight in self.weights) + min(self.offsets)
        most = sum(max(0, weight) for weight in self.weights) + max(self.offsets) - self.least
        filled = [level for level, _ in table.levels]
        check(filled and filled == sorted(set(filled)) and filled[-1] <= most, "the levels")
        self.code_bits = table.cells + (len(table.modes) - 1).bit_length()
        check(self.code_bits <= MOST_CODE_BITS, "the bits of a code")
        self.levels, self.first, keys, outcomes, positions = {}, {}, 0, 0, 0
        for filled, count in table.levels:
            check(0 < count < 1 << 32 and count <= len(table.modes) << table.cells, "the positions of a level")
            bucket_bits = min((count // 4).bit_length() - 1 if count >= 4 else 0, self.code_bits - 1)
            rest_bits = self.code_bits - bucket_bits
            rest_bytes = -(-rest_bits // 8)
            rests = 4 * ((1 << bucket_bits) + 1)
            self.levels[filled] = count, bucket_bits, rest_bits, rest_bytes, keys, keys + rests, outcomes
            self.first[filled] = positions
            positions += count
            keys += -(-(rests + count * rest_bytes) // 16) * 16 + 16
            outcomes += -(-count // (4 if table.can_draw else 8))
        self.sections = [(KEYS, 0, 0, keys), (COLUMN, OUTCOME, 2 if table.can_draw else 1, outcomes)]
        self.sections += one_or_two_bytes(COLUMN, positions)

    def check_weights(self):
        """Checks that every move leads to a higher level."""
        of = lambda cells, part: sum(part(weight) for bit, weight in enumerate(self.weights) if cells >> bit & 1)
        whole, negative = lambda weight: weight, lambda weight: min(0, weight)
        for (at, after, empty, full, fills, clears), (_, take) in zip(self.table.moves, self.table.named):
            rise = of(fills & empty, whole) + of(fills & ~empty & ~full, negative) - of(clears, whole)
            rise -= max([0, *(weight for bit, weight in enumerate(self.weights) if take and take[2] >> bit & 1)])
            check(rise + self.offsets[after] - self.offsets[at] >= 1, "a move that leads to no higher level")

    def check_counts(self, counts):
        check(sum(map(sum, counts)) == sum(level[0] for level in self.levels.values()), "the counts")

    def start(self, keys, outcomes, *_):
        self.keys, self.outcomes = keys, outcomes

    def level(self, mode, board):
        """The level of a position: the sum of the weights of its filled cells, plus the offset of its mode."""
        of_board = sum(weight for bit, weight in enumerate(self.weights) if board >> bit & 1)
        return of_board + self.offsets[mode] - self.least

    def number(self, at, size):
        return int.from_bytes(self.table.file[self.keys + at : self.keys + at + size], "little")

    def code(self, mode, board):
        shift, mask = -(-self.code_bits // 2), (1 << self.code_bits) - 1
        x = board + (mode << self.table.cells)
        for factor in FACTORS:
            x = (x ^ x >> shift) * factor & mask
        return x ^ x >> shift

    def position(self, code):
        shift, modulus = -(-self.code_bits // 2), 1 << self.code_bits
        x = code ^ code >> shift
        for factor in reversed(FACTORS):
            x = x * pow(factor, -1, modulus) % modulus
            x ^= x >> shift
        mode, board = x >> self.table.cells, x & (1 << self.table.cells) - 1
        check(mode < len(self.table.modes), f"{code:#x} is the code of no position")
        return mode, board

    def codes(self, filled):
        """The codes of a level, in ascending order."""
        count, bucket_bits, rest_bits, rest_bytes, directory, rests, _ = self.levels[filled]
        first = [self.number(directory + 4 * bucket, 4) for bucket in range((1 << bucket_bits) + 1)]
        check(first[0] == 0 and first[-1] == count and first == sorted(first), "a directory")
        for bucket, (begin, end) in enumerate(zip(first, first[1:])):
            for index in range(begin, end):
                yield bucket << rest_bits | self.number(rests + index * rest_bytes, rest_bytes)

    def positions(self):
        return sorted(self.position(code) for filled in self.levels for code in self.codes(filled))

    def find(self, mode, board):
        """The index of a position in its level; None if the table does not hold it."""
        if self.level(mode, board) not in self.levels:
            return None
        count, _, rest_bits, rest_bytes, directory, rests, _ = self.levels[self.level(mode, board)]
        code = self.code(mode, board)
        bucket, rest = code >> rest_bits, code & (1 << rest_bits) - 1
        begin, end = (self.number(directory + 4 * (bucket + n), 4) for n in (0, 1))
        check(begin <= end <= count, "a directory")
        matches = (i for i in range(begin, end) if self.number(rests + i * rest_bytes, rest_bytes) == rest)
        return next(matches, None)

    def rank(self, mode, board):
        index = self.find(mode, board)
        check(index is not None, f"{mode}:{board} is not held")
        return self.first[self.level(mode, board)] + index

    def outcome(self, mode, board):
        index = self.find(mode, board)
        if index is None:
            return None
        at = self.outcomes + self.levels[self.level(mode, board)][-1]
        if not self.table.can_draw:
            return OUTCOMES[2 * (self.table.file[at + index // 8] >> index % 8 & 1)]
        outcome = self.table.file[at + index // 4] >> 2 * (index % 4) & 3
        check(outcome < 3, "an outcome that is none")
        return OUTCOMES[outcome]

    def check(self):
        """Checks that the table holds exactly the reachable positions, each in its place."""
        table, reached = self.table, set(self.table.starts)
        for filled in self.levels:
            codes = list(self.codes(filled))
            check(all(a < b for a, b in zip(codes, codes[1:])), "codes out of order")
            for mode, board in map(self.position, codes):
                check(self.level(mode, board) == filled, f"{mode}:{board} is not of its level")
                reached.update(table.replies(mode, board))
        held = set(self.positions())
        check(reached == held, f"{len(reached)} positions are reached, {len(held)} held")
        check(held.issuperset(table.start[1]), "a position to start from is missing")


class Orbits(Symmetries, Sparse):
    """A sparse table up to symmetry: it stores the representative of each symmetry class."""

    counted_twice = True

    def __init__(self, table, f):
        super().__init__(table, f)
        self.check_symmetries()
        self.cell_order, self.mode_order = list(f.bytes(table.cells)), [f.number(2) for _ in table.modes]
        self.check_permutations(self.cell_order, self.mode_order)
        self.known = {}

    def orbit(self, mode, board):
        """The symmetry class of a position."""
        if (mode, board) not in self.known:
            found, left = {(mode, board)}, [(mode, board)]
            while left:
                position = left.pop()
                images = {self.image(symmetry, *position) for symmetry in self.table.symmetries} - found
                found |= images
                left += images
            # The least position of a class is its representative.
            in_order = lambda at: (self.mode_order.index(at[0]), [at[1] >> bit & 1 for bit in self.cell_order])
            stands = min(found, key=in_order)
            self.known.update((position, (stands, found)) for position in found)
        return self.known[mode, board][1]

    def stored(self, mode, board):
        self.orbit(mode, board)
        return self.known[mode, board][0]

    def check_counts(self, counts):
        orbits = self.table.every
        check(sum(map(sum, orbits)) == sum(level[0] for level in self.levels.values()), "the counts of orbits")

    def positions(self):
        return sorted(position for stored in super().positions() for position in self.orbit(*stored))

    def find(self, mode, board):
        return super().find(*self.stored(mode, board))

    def check(self):
        """Checks that the table holds exactly one representative per class of reachable positions, and checks the counts."""
        table, reached = self.table, set(self.table.starts)
        held = set(self.positions())
        for position in held:
            reached.update(table.replies(*position))
        check(reached == held, f"{len(reached)} positions are reached, {len(held)} held")
        check(held.issuperset(table.start[1]), "a position to start from is missing")
        counts = {kind: [[0, 0, 0] for _ in table.modes] for kind in ("all", "orbits")}
        for filled in self.levels:
            codes = list(self.codes(filled))
            check(all(a < b for a, b in zip(codes, codes[1:])), "codes out of order")
            for mode, board in map(self.position, codes):
                check(self.level(mode, board) == filled, f"{mode}:{board} is not of its level")
                check(self.stored(mode, board) == (mode, board), f"{mode}:{board} does not stand for its orbit")
                counts["orbits"][mode][2 - OUTCOMES.index(table.outcome(mode, board))] += 1
        for mode, board in held:
            counts["all"][mode][2 - OUTCOMES.index(table.outcome(mode, board))] += 1
        check(counts["all"] == list(map(list, table.counts)), "the counts")
        check(counts["orbits"] == list(map(list, table.every)), "the counts of orbits")


class Coloured:
    """A two-colour table: the labels of every colouring of every occupied set."""

    counted_twice = True

    def __init__(self, table, f):
        self.table = table
        check(set(table.start[1]) <= set(table.starts), "a start of the rules is missing")
        self.squares = table.squares
        cells = [cell for square in self.squares for cell in square if cell != 255]
        check(sorted(cells) == list(range(table.cells)), "the squares")
        check(all(first != 255 for first, _ in self.squares), "the squares")
        self.pairs = sum(1 << i for i, (_, second) in enumerate(self.squares) if second != 255)
        self.check_pairs()
        self.possible = self.possible_sets()
        self.modes = self.modes_by_stones()
        self.slots = max(map(len, self.modes))
        self.starts, words = {}, 0
        for occupied in self.stored(f):
            self.starts[occupied] = words
            words += max(1, (1 << (occupied & self.pairs).bit_count()) // 64)
        self.words, self.planes = words, 2 if table.can_draw else 1
        padded = lambda size: -(-size // 64) * 64
        self.sections = [
            (COLOURINGS, OUTCOME, self.planes, padded(8 * words * self.slots * self.planes)),
            (REACHED, 0, 1, padded(8 * words * self.slots)),
        ]
        self.sections += one_or_two_bytes(COLOURINGS, 64 * words * self.slots)

    def stored(self, f):
        """The occupied sets whose labels are stored."""
        return self.possible

    def touched(self, board):
        """The squares of which a board has a cell."""
        has = lambda cell: cell != 255 and board >> cell & 1
        return sum(1 << i for i, square in enumerate(self.squares) if any(map(has, square)))

    def possible_sets(self):
        """The occupied sets that play can have, in ascending order."""
        steps = set()
        for _, _, empty, full, fills, _ in self.table.moves:
            free = sum(1 << i for i, square in enumerate(self.squares) if all(c == 255 or empty >> c & 1 for c in square))
            steps.add((free, self.touched(full), self.touched(fills & ~full)))
        groups = [1 << i for i in range(len(self.squares))]
        for step in steps:
            named = step[0] | step[1] | step[2]
            groups, united = [g for g in groups if not g & named], sum(g for g in groups if g & named)
            groups += [united] if united else []
        begun = {self.touched(board) for _, board in self.table.starts}
        sets = [0]
        for group in sorted(self.parts(groups, steps, begun), key=max):
            sets = [content | rest for content in sorted(group) for rest in sets]
        return sets

    @staticmethod
    def parts(groups, steps, begun):
        """The contents of each group; a group is taken apart if it is not consecutive, or has too many contents or all."""
        for group in groups:
            size, first = group.bit_count(), (group & -group).bit_length() - 1
            contents = {occupied & group for occupied in begun}
            left = list(contents) if group == (1 << size) - 1 << first else []
            while left and len(contents) <= 4096:
                occupied = left.pop()
                for free, needed, takes in steps:
                    if takes & group and not occupied & free and not ~occupied & needed:
                        after = occupied | takes
                        left += [after] if after not in contents else []
                        contents.add(after)
            if group == (1 << size) - 1 << first and len(contents) <= 4096 and len(contents) != 1 << size:
                yield contents
            else:
                yield from ([0, 1 << i] for i in range(first, group.bit_length()) if group >> i & 1)

    def check_pairs(self):
        """Checks that no line of play fills both cells of a square."""
        for first, second in self.squares:
            if second == 255:
                continue
            both = 1 << first | 1 << second
            check(not any(board & both == both for _, board in self.table.starts), "a start fills both cells of a square")
            for _, _, empty, full, fills, _ in self.table.moves:
                new = fills & ~full & both
                check(not new or (new != both and empty & both == both), "a move may fill both cells of a square")

    def modes_by_stones(self):
        """For each number of occupied squares, the modes that this number allows."""
        modes = [set() for _ in range(len(self.squares) + 1)]
        for mode, board in self.table.starts:
            modes[board.bit_count()].add(mode)
        for stones in range(len(self.squares)):
            for at, after, empty, full, fills, _ in self.table.moves:
                if at in modes[stones]:
                    for new in range((fills & empty).bit_count(), (fills & ~full).bit_count() + 1):
                        if stones + new <= len(self.squares):
                            modes[stones + new].add(after)
        return [sorted(found) for found in modes]

    def places(self):
        """Every position that has a place in the table."""
        for occupied in self.possible:
            for mode in self.modes[occupied.bit_count()]:
                for colouring in range(1 << (occupied & self.pairs).bit_count()):
                    board, rest = 0, colouring
                    for i, (first, second) in enumerate(self.squares):
                        if occupied >> i & 1:
                            is_pair = second != 255
                            board |= 1 << (second if is_pair and rest & 1 else first)
                            rest >>= is_pair
                    yield mode, board

    def bit(self, mode, board):
        """The slot and the bit of a position in the plane of its slot; None if it has no place."""
        occupied = colouring = count = 0
        for i, (first, second) in enumerate(self.squares):
            a, b = board >> first & 1, 0 if second == 255 else board >> second & 1
            if a and b:
                return None
            if a or b:
                occupied |= 1 << i
                if second != 255:
                    colouring |= b << count
                    count += 1
        if occupied not in self.starts or mode not in self.modes[occupied.bit_count()]:
            return None
        return self.modes[occupied.bit_count()].index(mode), 64 * self.starts[occupied] + colouring

    def check_counts(self, counts):
        every = self.table.every
        check(sum(map(sum, every)) == sum(1 for _ in self.places()), "the counts of every colouring")
        check(all(a <= b for few, all_ in zip(counts, every) for a, b in zip(few, all_)), "the counts")

    def start(self, outcomes, reached, *_):
        self.outcomes, self.reached = outcomes, reached

    def read(self, start, plane, bit):
        at = 64 * self.words * plane + bit
        return self.table.file[start + at // 8] >> at % 8 & 1

    def is_reached(self, mode, board):
        place = self.bit(mode, board)
        return place is not None and self.read(self.reached, *place) == 1

    def positions(self):
        return sorted(position for position in self.places() if self.is_reached(*position))

    def rank(self, mode, board):
        slot, bit = self.bit(mode, board)
        return 64 * self.words * slot + bit

    def outcome(self, mode, board):
        place = self.bit(mode, board)
        if place is None:
            return None
        slot, bit = place
        win, loss = (self.read(self.outcomes, self.planes * slot + n, bit) for n in (0, self.planes - 1))
        if not self.table.can_draw:
            return "win" if win else "loss"
        check(not (win and loss), "a win and a loss at once")
        return "win" if win else "loss" if loss else "draw"

    def check(self):
        """Checks every label, the reachability bits, and the counts of all colourings."""
        table, reached, every = self.table, set(self.table.starts), [[0, 0, 0] for _ in self.table.modes]
        for position in self.places():
            table.check_labels(*position)
            every[position[0]][2 - OUTCOMES.index(table.outcome(*position))] += 1
            if self.is_reached(*position):
                reached.update(table.replies(*position))
        check(reached == set(self.positions()), "the positions that are marked as reached")
        check(every == list(map(list, table.every)), "the counts of every colouring")


class FoldedColours(Symmetries, Coloured):
    """A two-colour table up to symmetry: it stores one slice per class of slices."""

    def stored(self, f):
        self.top = f.number(1)
        self.low = len(self.squares) - self.top
        check(1 <= self.top <= 28 and self.low >= 0, "the top squares")
        self.check_symmetries()
        self.moved = [self.of_squares(cells) for cells, _ in self.table.symmetries]
        # For each slice, the symmetries that, applied in turn, map it to the least slice of its class.
        self.regions, stored = {}, []
        for least in sorted({occupied >> self.low for occupied in self.possible}):
            if least in self.regions:
                continue
            self.regions[least], left = [], [least]
            stored.append(least)
            while left:
                region = left.pop()
                for number, moved in enumerate(self.moved):
                    # This symmetry maps the other slice to a slice whose symmetries are known.
                    other = sum(1 << i for i in range(self.top) if region >> moved[i + self.low] - self.low & 1)
                    if other not in self.regions:
                        self.regions[other] = [number] + self.regions[region]
                        left.append(other)
        stored = set(stored)
        return (occupied for occupied in self.possible if occupied >> self.low in stored)

    def of_squares(self, cells):
        """The image of each square under a symmetry."""
        both = [{cell for cell in square if cell != 255} for square in self.squares]
        images = [{cells[cell] for cell in square} for square in both]
        check(all(image in both for image in images), "a symmetry that does not map squares to squares")
        moved = [both.index(image) for image in images]
        check(all((a < self.low) == (b < self.low) for a, b in enumerate(moved)), "a symmetry that moves top squares")
        return moved

    def bit(self, mode, board):
        occupied = sum(1 << i for i, cells in enumerate(self.squares) if any(c != 255 and board >> c & 1 for c in cells))
        for number in self.regions[occupied >> self.low]:
            mode, board = self.image(self.table.symmetries[number], mode, board)
        return Coloured.bit(self, mode, board)


class ByRegions(Symmetries):
    """A table by regions: labels at the numbers of boards."""

    def __init__(self, table, f):
        self.table, cell = table, lambda: f.number(1)
        self.check_symmetries()
        self.squares = [(cell(), cell()) for _ in range(cell())]
        self.singles = [cell() for _ in range(cell())]
        self.fixed = f.number(8)
        cells = [of for square in self.squares for of in square] + self.singles
        check(len(set(cells)) == len(cells) and all(of < table.cells for of in cells), "the squares")
        self.others = sum(1 << of for of in range(table.cells) if of not in cells)
        check(self.fixed & ~self.others == 0, "the fixed cells")
        # For each mode: the mode that is stored in its place, and whether the second colour comes first.
        self.modes = [(f.number(2), f.number(1)) for _ in table.modes]
        stored = lambda mode: mode if self.modes[mode][0] == 65535 else self.modes[mode][0]
        check(all(stored(mode) < len(table.modes) and turned < 2 for mode, (_, turned) in enumerate(self.modes)), "the modes")
        is_folded, modes = f.number(1), range(len(table.modes))
        of_squares = lambda cells: [self.squares.index((cells[a], cells[b])) for a, b in self.squares]
        self.elements = [list(range(len(self.squares)))]
        if is_folded:
            kept = [cells for cells, modes in self.group() if self.keeps(cells, modes)]
            self.elements = [of_squares(cells) for cells in kept]
        self.choices, self.known = {}, {}
        self.regions, base, before = {}, 0, 0
        for _ in range(f.number(4)):
            mode, counts, ended = f.number(2), (cell(), cell(), cell()), cell()
            group, at = f.number(4), f.number(8)
            check(mode < len(modes) and stored(mode) == mode and ended < 4 and at == base, "a region")
            check((mode, counts) not in self.regions and before <= group <= before + 1, "the order of the regions")
            before = group
            self.regions[mode, counts] = ended, base
            base += 0 if ended else self.size(self.planes_of(mode, counts))
        self.numbers = base
        bits = 8 if table.longest <= MOST_PLIES_OF_A_BYTE else 16
        self.sections = [(COLUMN, OUTCOME, 2, -(-base // 4)), (COLUMN, REMOTENESS, bits, base * bits // 8)]
        # A number may stand for several boards.
        self.counted_twice = len(self.elements) > 1 or any(mode != 65535 for mode, _ in self.modes)

    def group(self):
        """All products of the generators: permutations of cells and of modes."""
        one = tuple(range(self.table.cells)), tuple(range(len(self.table.modes)))
        found, left = {one}, [one]
        while left:
            cells, modes = left.pop()
            for of_cells, of_modes in self.table.symmetries:
                new = tuple(of_cells[to] for to in cells), tuple(of_modes[to] for to in modes)
                if new not in found:
                    found.add(new)
                    left.append(new)
        return found

    def keeps(self, cells, modes):
        """Whether a symmetry keeps modes, colours and the cells outside of squares."""
        alone = [cell for cell in range(self.table.cells) if not any(cell in square for square in self.squares)]
        squares = all((cells[a], cells[b]) in self.squares for a, b in self.squares)
        return squares and list(modes) == sorted(modes) and all(cells[cell] == cell for cell in alone)

    def planes_of(self, mode, counts):
        """The counts of a region in the order of its planes."""
        first, second, single = counts
        return (second, first, single) if self.modes[mode][1] else counts

    def chosen(self, size):
        """The number of each representative of the choices of `size` squares."""
        if size not in self.choices:
            sets = sorted(sum(1 << at for at in some) for some in combinations(range(len(self.squares)), size))
            least = [squares for squares in sets if squares == min(self.images(squares))]
            self.choices[size] = {squares: number for number, squares in enumerate(least)}
        return self.choices[size]

    def moved(self, element, squares):
        return sum(1 << to for at, to in enumerate(element) if squares >> at & 1)

    def images(self, squares):
        return [self.moved(element, squares) for element in self.elements]

    def size(self, counts):
        first, second, single = counts
        free = len(self.squares) - first
        return len(self.chosen(first)) * comb(free, second) * comb(len(self.singles), single)

    def find(self, mode, board):
        """The number of the outcome and None, if a number of pieces ends the game; or None and the number of the board."""
        if (mode, board) not in self.known:
            self.known[mode, board] = self.found(mode, board)
        return self.known[mode, board]

    def found(self, mode, board):
        plane = lambda cells: sum(1 << at for at, cell in enumerate(cells) if board >> cell & 1)
        first, second = (plane([square[colour] for square in self.squares]) for colour in (0, 1))
        single = plane(self.singles)
        if first & second or board & self.others != self.fixed:
            return None
        if self.modes[mode][0] != 65535:
            mode, first, second = self.modes[mode][0], second, first
        counts = tuple(part.bit_count() for part in (first, second, single))
        if (mode, counts) not in self.regions:
            return None
        ended, base = self.regions[mode, counts]
        if ended:
            return ended - 1, None
        if self.modes[mode][1]:
            first, second = second, first
        # Any symmetry that maps the first squares to their representative gives the same labels.
        element = min(self.elements, key=lambda element: self.moved(element, first))
        first, second = self.moved(element, first), self.moved(element, second)
        free = [at for at in range(len(self.squares)) if not first >> at & 1]
        second = sum(1 << at for at, square in enumerate(free) if second >> square & 1)
        counts = self.planes_of(mode, counts)
        singles = comb(len(self.singles), counts[2])
        number = self.chosen(counts[0])[first] * comb(len(free), counts[1]) + rank(second)
        return None, base + number * singles + rank(single)

    def check_counts(self, counts):
        stored = self.table.every or counts
        check(sum(map(sum, stored)) == self.numbers, "the counts of stored boards")
        check(REMOTENESS in self.table.codes, "the remoteness is missing")

    def start(self, outcomes, plies):
        self.outcomes, self.plies = outcomes, plies

    def outcome(self, mode, board):
        place = self.find(mode, board)
        if place is None or place[1] is None:
            return place and OUTCOMES[place[0]]
        value = self.table.file[self.outcomes + place[1] // 4] >> 2 * (place[1] % 4) & 3
        check(value < 3, "an outcome")
        return OUTCOMES[value]

    def rank(self, mode, board):
        return self.find(mode, board)[1]

    def remoteness(self, mode, board):
        place, outcome = self.find(mode, board), self.outcome(mode, board)
        if place[1] is None:
            return outcome, 0
        if self.table.bits[REMOTENESS] == 8:
            return self.table.decoded(REMOTENESS, self.table.file[self.plies + place[1]])
        plies = int.from_bytes(self.table.file[self.plies + 2 * place[1] :][:2], "little")
        check(plies <= self.table.longest or (plies, outcome) == (NO_PLIES, "draw"), "the plies")
        return outcome, ENDLESS if plies == NO_PLIES else plies

    def positions(self):
        """Every board of a region in each mode, sorted."""
        for mode in range(len(self.table.modes)):
            for board in self.boards():
                place = self.find(mode, board)
                if place and place[1] is not None:
                    yield mode, board

    def boards(self):
        """Every board on which no square has two pieces, in order."""
        boards = [self.fixed]
        for first, second in self.squares:
            boards = [board | piece for board in boards for piece in (0, 1 << first, 1 << second)]
        for cell in self.singles:
            boards = [board | piece for board in boards for piece in (0, 1 << cell)]
        return sorted(boards)

    def check(self):
        """Checks the counts, and that each number has a board. Labels are checked one by one."""
        table, numbers = self.table, {}
        counts = {kind: [[0, 0, 0] for _ in table.modes] for kind in ("all", "stored")}
        for mode, board in self.positions():
            number, outcome = self.find(mode, board)[1], table.outcome(mode, board)
            counts["all"][mode][2 - OUTCOMES.index(outcome)] += 1
            if number not in numbers:
                at = mode if self.modes[mode][0] == 65535 else self.modes[mode][0]
                counts["stored"][at][2 - OUTCOMES.index(outcome)] += 1
            label = table.remoteness(mode, board)
            check(numbers.setdefault(number, label) == label and label[0] == outcome, "the labels of a number")
        check(sorted(numbers) == list(range(self.numbers)), "the numbers of boards")
        check(counts["all"] == list(map(list, table.counts)), "the counts")
        check(not table.every or counts["stored"] == list(map(list, table.every)), "the counts of stored boards")
        plies = [plies for _, plies in numbers.values() if plies != ENDLESS]
        check(max(plies, default=0) == table.longest, "the plies of the longest game")


def rank(members):
    """The number of a set among the sets of its size, in ascending order of the sums of 2^member."""
    places = [at for at in range(members.bit_length()) if members >> at & 1]
    return sum(comb(at, index) for index, at in enumerate(places, 1))


def main(arguments):
    option = arguments.pop(0) if arguments[:1] in (["--header"], ["--labels"], ["--values"]) else None
    if not arguments or arguments[0] in ("-h", "--help"):
        return __doc__
    try:
        table = Table(arguments[0])
        if option == "--header":
            for name in ("name", "cells", "modes", "start", "family", "parameters", "tool", "solver", "starts", "counts",
                         "layout", "squares", "weights", "levels", "longest", "symmetries"):
                if hasattr(table, name):
                    print(f"{name}: {getattr(table, name)}")
            print(f"terminal: {OUTCOMES[table.terminal]}\nmoves: {len(table.moves)}\nends: {len(table.ends)}")
            print(f"rules_hash: {table.rules_hash.hex()}")
            return None
        if option == "--values":
            check(table.values, "the table has no values")
            table.values.check()
            sys.stdout.writelines(f"{board},{number}\n" for board, number in sorted(table.values.numbers.items()))
            return None
        asked = table.labels.positions()
        if option == "--labels":
            table.labels.check()
            asked = list(asked)
            for position in asked:
                table.check_labels(*position)
            table.check_codes()
        elif arguments[1:]:
            asked = ((int(m or "0", 0), int(b, 0)) for m, _, b in (text.rpartition(":") for text in arguments[1:]))
        answers = ((mode, board, table.line(mode, board)) for mode, board in asked)
        sys.stdout.writelines(f"{mode},{board},{answer}\n" for mode, board, answer in answers)
    except (Bad, OSError, ValueError) as error:
        return f"error: {arguments[0]}: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
