#!/usr/bin/env python3
"""Writes the damaged graph files of this folder and expected.tsv: file, format option ("-": sniffed), expected error id.

Where the id is "ok" the file is odd but right, and vertices and edges follow. Run it after changing it; both it and
what it writes are kept in the repository. Needs Python's standard library and the zstd program.
"""
import gzip
import io
import pathlib
import struct
import subprocess
import zipfile
import zlib

HERE = pathlib.Path(__file__).parent
FILES = HERE / "files"
rows = []


def add(name, content, expected, counts="", option="-"):
    """counts: (vertices, edges) of a file that is right."""
    if isinstance(content, str):
        content = content.encode("utf-8")
    if (FILES / name).exists():
        raise SystemExit(f"{name} twice")
    (FILES / name).write_bytes(content)
    vertices, edges = counts or ("", "")
    rows.append(f"{name}\t{option}\t{expected}\t{vertices}\t{edges}")


def wrong(name, expected, contents, option="-"):
    """Files with one kind of fault: content by what stands for %s in the name."""
    for fault, content in contents.items():
        add(name % fault, content, expected, option=option)


def gz(data):
    return gzip.compress(data.encode() if isinstance(data, str) else data, mtime=0)


def zst(data):
    data = data.encode() if isinstance(data, str) else data
    return subprocess.run(["zstd", "-q", "-c", "--check"], input=data, capture_output=True, check=True).stdout


def packings(stem, ending, good, counts, other_half):
    """Every way in which a packed text goes wrong. `good` + `other_half` is a text of its own."""
    packed = gz(good)
    add(f"{stem}-packed.{ending}.gz", packed, "ok", counts)
    add(f"{stem}-two-members.{ending}.gz", gz(good[: len(good) // 2]) + gz(good[len(good) // 2 :]), "ok", counts)
    add(f"{stem}-cut.{ending}.gz", packed[:-9], "HW-GZIP-TRUNCATED")
    add(f"{stem}-cut-in-header.{ending}.gz", packed[:6], "HW-GZIP-TRUNCATED")
    add(f"{stem}-second-member-cut.{ending}.gz", packed + gz(other_half)[:-4], "HW-GZIP-TRUNCATED")
    add(f"{stem}-crc.{ending}.gz", packed[:-8] + bytes([packed[-8] ^ 255]) + packed[-7:], "HW-GZIP-DATA")
    add(f"{stem}-garbage-behind.{ending}.gz", packed + b"garbage behind the end", "HW-GZIP-DATA")
    packed = zst(good)
    add(f"{stem}-packed.{ending}.zst", packed, "ok", counts)
    add(f"{stem}-two-frames.{ending}.zst", zst(good[: len(good) // 2]) + zst(good[len(good) // 2 :]), "ok", counts)
    add(f"{stem}-cut.{ending}.zst", packed[:-3], "HW-ZSTD-TRUNCATED")
    add(f"{stem}-checksum.{ending}.zst", packed[:-1] + bytes([packed[-1] ^ 255]), "HW-ZSTD-DATA")
    add(f"{stem}-garbage-behind.{ending}.zst", packed + b"garbage behind the end", "HW-ZSTD-DATA")


def oddities(stem, ending, good, counts, comment, option="-", blank_lines=True):
    """What every text format must take: line ends, byte order mark, comments, a missing last newline."""
    add(f"{stem}-crlf.{ending}", good.replace("\n", "\r\n"), "ok", counts, option)
    add(f"{stem}-bom.{ending}", b"\xef\xbb\xbf" + good.encode(), "ok", counts, option)
    add(f"{stem}-no-last-newline.{ending}", good.rstrip("\n"), "ok", counts, option)
    add(f"{stem}-blanks-at-ends.{ending}", good.replace("\n", " \t\n"), "ok", counts, option)
    if blank_lines:
        add(f"{stem}-blank-lines.{ending}", good.replace("\n", "\n\n") + "\n\n", "ok", counts, option)
    if comment:
        lines = good.split("\n")
        lines.insert(len(lines) - 2, comment)
        add(f"{stem}-comment-in-the-middle.{ending}", "\n".join(lines), "ok", counts, option)
        lines[-3] = comment + "x" * (1 << 20)
        add(f"{stem}-comment-of-1-mb.{ending}.gz", gz("\n".join(lines)), "ok", counts, option)


def edge_lists():
    good = "0 1\n1 2\n2 0\n"
    oddities("el", "txt", good, (3, 3), "# a comment")
    packings("el", "txt", good, (3, 3), "5 6\n")
    add("el-gapped.txt", "10 500\n500 7\n", "ok", (3, 2))
    add("el-large-ids.txt", "9223372036854775807 1\n1 4294967296\n", "ok", (3, 2))
    add("el-leading-zeros.txt", "0000000000000000000000001 2\n2 3\n", "ok", (3, 2))
    add("el-nodes-promised.txt", "# Nodes: 5 Edges: 1\n0 1\n", "ok", (5, 1))
    add("el-nodes-huge.txt", "# Nodes: 4000000000 Edges: 1\n0 1\n", "HW-EDGE-HUGE")
    add("el-nodes-wrong.txt", "# Nodes: 4000000000 Edges: 1\n0 4000000001\n", "ok", (2, 1))
    wrong("el-%s.txt", "HW-TEXT-CR", {"cr": "0 1\r1 2\r2 3\r", "cr-comment": "# old\r0 1\r1 2\n",
        "cr-later": "0 1\r\n1 2\r2 3\r\n"})
    add("el-cr-twice.txt", "0 1\r\r\n1 2\r \r\n", "ok", (3, 2))
    add("el-comment-in-first-row.txt", "0 1 # why\n1 2 3 4\n", "HW-EDGE-COLUMNS")
    add("el-comment-in-first-row.csv", "0,1 # why\n1,2\n", "ok", (3, 2))
    add("el-comment-weighted.txt", "0 1 5 # why\n1 2 7\n", "ok", (3, 2))
    add("el-isolated.txt", "# Nodes: 3 Edges: 1\n# Isolated:\t7\n10 500\n", "ok", (3, 1))
    add("el-isolated-only.txt", "# Isolated:\t7\n", "ok", (1, 0))
    add("el-comment-behind.txt", "0 1 # why\n1 2\n", "ok", (3, 2))
    add("el-negative-weight.txt", "0 1 -2.5\n1 2 3\n", "ok", (3, 2))
    add("el-empty.txt", "", "HW-IO-EMPTY")
    wrong("el-%s.txt", "HW-EDGE-EMPTY", {"only-comments": "# nothing\n% here\n", "only-newlines": "\n\n\n"})
    wrong("el-%s.txt", "HW-EDGE-COLUMNS", {"one-column": "0\n1\n", "one-column-later": "0 1\n1\n",
        "third-column-later": "0 1\n1 2 3\n", "fourth-column-later": "0 1 1\n1 2 3 4\n", "weight-missing": "0 1 5\n1 2\n"})
    wrong("el-%s.txt", "HW-EDGE-ID", {"letters": "0 1\n1 x\n", "letters-first": "0 1\nx 1\n", "glued": "0 1\n1x 2\n",
        "negative": "0 1\n1 -2\n", "negative-first-row": "-1 1\n1 2\n", "plus": "0 1\n1 +2\n", "exponent": "0 1\n1 1.5e0\n",
        "decimal": "0 1\n1 2.5\n", "decimal-first": "0.5 1\n1 2\n", "hexadecimal": "0 1\n0x10 2\n", "nan-id": "0 1\n1 nan\n"})
    add("el-beyond-63-bits.txt", "0 1\n9223372036854775808 2\n", "HW-EDGE-RANGE")
    add("el-beyond-64-bits.txt", "0 1\n2 99999999999999999999999\n", "HW-EDGE-RANGE")
    wrong("el-%s.txt", "HW-EDGE-ID", {"nul": b"0 1\n1 \0\n", "nul-line": b"0 1\n\0\0\0\0\n"}, option="edge-list")
    wrong("el-%s.txt", "HW-EDGE-WEIGHT", {"nan-weight": "0 1 1\n1 2 nan\n", "inf-weight": "0 1 1\n1 2 -inf\n",
        "huge-weight": "0 1 1\n1 2 1e309\n"})
    add("el-large-weight.txt", "0 1 1\n1 2 1e300\n", "ok", (3, 2))
    add("el-long-weight.txt", "0 1 9223372036854775807\n1 2 9223372036854775808\n2 0 -1\n", "ok", (3, 3))
    wrong("el-%s.txt", "HW-EDGE-WEIGHT", {"word-weight": "0 1 1\n1 2 heavy\n", "glued-weight": "0 1 1\n1 2 3kg\n"})
    add("el-two-commas.csv", "0,1\n1,,2\n", "HW-EDGE-ID")
    add("el-empty-cell.csv", "0,1\n1,\n", "HW-EDGE-COLUMNS")
    add("el-other-separator.csv", "0,1\n1;2\n", "HW-EDGE-ID")
    add("el-header-only.csv", "source,target\n", "HW-EDGE-EMPTY")
    add("el-header-order.csv", "id,source,target\n0,1,2\n", "ok", (2, 1))
    wrong("el-%s.csv", "HW-EDGE-HEADER", {"header-twice": "from,to,source,target\n0,1,2,3\n",
        "header-half": "a,b,source\n0,1,2\n", "header-or-edge": "u,v\nu,w\nv,w\n", "header-numbers": "0,1\na,b\nb,c\n"})
    add("el-ragged.csv", "0,1,2,3\n1,2,3\n2,3,4,5\n", "HW-FORMAT-AMBIGUOUS")
    add("el-counts.txt", "4 3\n1 2\n2 3\n3 4\n", "ok", (4, 3))
    wrong("el-%s.txt", "HW-EDGE-COUNTS", {"counts-or-edge": "2 1\n1 2\n", "counts-rectangle": "5 7 2\n1 2\n2 3\n"})
    wrong("el-%s.csv", "HW-EDGE-WEIGHT", {"weight-first-missing": "0,1,NA\n1,2,3\n", "weight-later-missing": "0,1,3\n1,2,\n",
        "weight-unit": "0,1,5 km\n1,2,3\n", "weight-among-words": "0,1,red\n1,2,3\n"})
    add("el-attributes.txt", "0 1 {'weight': 3.5}\n1 2 {'weight': 2}\n", "ok", (3, 2))
    add("el-attributes-missing.txt", "0 1 {'weight': 3.5}\n1 2 {}\n", "HW-EDGE-WEIGHT")
    add("el-attributes-broken.txt", "0 1 {'weight': 3.5}\n1 2 {'weight\n", "HW-EDGE-COLUMNS")
    add("names-hash.csv", "source,target\na,b\n#tag,b\n", "HW-EDGE-COMMENT")
    add("names-hash-first.csv", "source,target\n#tag,b\na,b\n", "HW-EDGE-COMMENT")
    add("names-relation-or-target.txt", "A pp B\nB pp C\n", "HW-FORMAT-AMBIGUOUS", option="names")
    add("el-header.csv", "source,target,weight\n0,1,2\n1,2,0.5\n", "ok", (3, 2))
    add("el-header-type.csv", "Source,Target,Type\n0,1,Directed\n1,2,Directed\n", "ok", (3, 2))
    add("el-edge-ids-or-not.txt", "0 5 6 1.5\n1 6 7 2.5\n2 7 5 1.0\n", "HW-FORMAT-AMBIGUOUS")
    add("el-utf16.txt", "0 1\n1 2\n".encode("utf-16"), "HW-TEXT-UTF16")
    add("el-line-of-1-mb.txt.gz", gz("0 1\n" + "1 " + " " * (1 << 20) + "2\n2 3\n"), "ok", (4, 3))
    add("el-digits-of-1-mb.txt.gz", gz("0 1\n1 " + "9" * (1 << 20) + "\n"), "HW-EDGE-RANGE")
    add("el-junk-of-1-mb.txt.gz", gz("0 1\n1 2 " + "y" * (1 << 20) + "\n"), "HW-EDGE-COLUMNS")
    add("el-unlisted-vertex.e", "1 2\n2 3\n", "HW-EDGE-VERTEX")
    (FILES / "el-unlisted-vertex.v").write_text("1\n2\n")
    add("el-listed-vertices.e", "1 2\n", "ok", (3, 1))
    (FILES / "el-listed-vertices.v").write_text("1\n2\n3\n")
    add("el-vertex-list-bad.e", "1 2\n", "HW-EDGE-ID")
    (FILES / "el-vertex-list-bad.v").write_text("1\ntwo\n")


def names():
    oddities("names", "txt", "a b\nb c\n", (3, 2), "# a comment", "names")
    add("names-quoted.csv", 'source,target\n"a, b",c\nc,"say ""x"""\n', "ok", (3, 2))
    add("names-comment-behind.txt", "a b # why\nb c\n", "ok", (3, 2))
    add("names-comment-in-first-row.txt", "a b # why\nb c d e\n", "HW-EDGE-COLUMNS")
    add("names-hash.txt", "C# #tag\n#tag b\nC# b\n", "ok", (3, 2))
    add("names-numbers-quoted.txt", '"1"\t"2"\n2\t01\n', "ok", (3, 2))
    add("names-empty-quoted.csv", 'a,""\n"",b\n', "ok", (3, 2))
    add("names-open-quote.csv", 'a,b\n"c,d\n', "HW-EDGE-COLUMNS")
    wrong("names-%s.csv", "HW-EDGE-ID", {"quote-within": 'a,b\n"c"d",e\n', "quote-then-more": 'a,b\n"c" d,e\n'})
    add("names-too-long.txt.gz", gz("a b\n" + "y" * 65536 + " c\n"), "HW-EDGE-ID")
    add("names-longest.txt.gz", gz("a b\n" + "y" * 65535 + " c\n"), "ok", (4, 2))
    add("names-isolated.txt", '# Isolated:\t"Rome"\na\tb\n', "ok", (3, 1))
    add("names-isolated-only.txt", '# Isolated:\t"Rome"\n', "ok", (1, 0))
    wrong("names-%s.txt", "HW-EDGE-COLUMNS", {"one-column": "a b\nc\n", "three-columns": "a b\nc d e\n"})
    add("names-empty.csv", "a,b\n,c\n", "HW-EDGE-ID")
    add("names-nul.txt", b"a b\nc \0d\n", "HW-EDGE-ID", option="names")
    wrong("names-%s.txt", "HW-EDGE-WEIGHT", {"weight": "a b 1\nb c x\n", "weight-nan": "a b 1\nb c nan\n"})
    add("names-weight-missing.txt", "a b 1\nb c\n", "HW-EDGE-COLUMNS")
    add("names-utf16.txt", "a b\n".encode("utf-16"), "HW-TEXT-UTF16", option="names")
    add("names-nothing.txt", "# only this\n", "HW-EDGE-EMPTY", option="names")


def matrix_market():
    banner = "%%MatrixMarket matrix coordinate pattern general\n"
    real = "%%MatrixMarket matrix coordinate real general\n"
    good = banner + "3 3 3\n1 2\n2 3\n3 1\n"
    oddities("mtx", "mtx", good, (3, 3), "% a comment")
    packings("mtx", "mtx", good, (3, 3), "1 1\n")
    add("mtx-upper-case.mtx", good.replace("matrix coordinate", "MATRIX Coordinate"), "ok", (3, 3))
    add("mtx-negative-value.mtx", real + "2 2 1\n1 2 -1e-3\n", "ok", (2, 1))
    add("mtx-plus-value.mtx", real + "2 2 1\n1 2 +1.5\n", "ok", (2, 1))
    add("mtx-no-entries.mtx", banner + "3 3 0\n", "ok", (3, 0))
    add("mtx-no-rows.mtx", banner + "0 0 0\n", "ok", (0, 0))
    add("mtx-complex.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1 -1\n", "ok", (2, 1))
    add("mtx-empty.mtx", "", "HW-IO-EMPTY")
    add("mtx-no-banner.mtx", "3 3 1\n1 2\n", "HW-MTX-BANNER")
    add("mtx-banner-spelling.mtx", "%%MatrixMarked matrix coordinate pattern general\n1 1 0\n", "HW-MTX-BANNER")
    add("mtx-vector.mtx", "%%MatrixMarket vector coordinate real general\n3 1\n", "HW-MTX-TYPE")
    add("mtx-dense.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", "HW-MTX-TYPE")
    add("mtx-field.mtx", "%%MatrixMarket matrix coordinate quaternion general\n1 1 0\n", "HW-MTX-TYPE")
    unsigned = "%%MatrixMarket matrix coordinate unsigned-integer general\n"
    add("mtx-unsigned.mtx", unsigned + "2 2 2\n1 2 9223372036854775807\n2 1 3\n", "ok", (2, 2))
    add("mtx-unsigned-beyond.mtx", unsigned + "2 2 2\n1 2 18446744073709551615\n2 1 9223372036854775808\n", "ok", (2, 2))
    add("mtx-bipartite-square.mtx", real + "% bipartite graph\n3 3 2\n1 3 5\n2 1 4\n", "HW-READ-BIPARTITE")
    add("mtx-symmetry.mtx", "%%MatrixMarket matrix coordinate real lopsided\n1 1 0\n", "HW-MTX-TYPE")
    add("mtx-banner-short.mtx", "%%MatrixMarket matrix coordinate\n1 1 0\n", "HW-MTX-TYPE")
    add("mtx-banner-long.mtx", "%%MatrixMarket matrix coordinate real general please\n1 1 0\n", "HW-MTX-TYPE")
    wrong("mtx-%s.mtx", "HW-MTX-SIZE", {"only-banner": banner, "only-comments": banner + "% a\n%b\n",
        "size-short": banner + "3 3\n1 2\n", "size-long": banner + "3 3 1 1\n1 2\n", "size-words": banner + "three 3 1\n1 2\n",
        "size-negative": banner + "3 3 -1\n", "size-beyond-64-bits": banner + "99999999999999999999 3 1\n1 1\n",
        "size-exponent": banner + "1e3 1e3 1\n1 1\n"})
    add("mtx-not-square.mtx", banner.replace("general", "symmetric") + "3 4 1\n1 4\n", "HW-MTX-SQUARE")
    add("mtx-two-sides.mtx", banner + "3 4 1\n4 1\n", "HW-MTX-INDEX")
    add("mtx-billion.mtx", banner + "1000000000 1000000000 1\n1 1\n", "HW-MTX-HUGE")
    add("mtx-billion.mtx.gz", gz(banner + "1000000000 1000000000 1\n1 1\n"), "HW-MTX-HUGE")
    add("mtx-beyond-32-bits.mtx", banner + "5000000000 5000000000 1\n1 1\n", "HW-MTX-HUGE")
    wrong("mtx-%s.mtx", "HW-MTX-COUNT", {"entries-huge": banner + "3 3 1000000000000\n1 1\n",
        "too-few": banner + "3 3 3\n1 2\n2 3\n", "too-many": banner + "3 3 1\n1 2\n2 3\n"})
    wrong("mtx-%s.mtx", "HW-MTX-INDEX", {"index-0": banner + "3 3 1\n0 1\n", "index-column-0": banner + "3 3 1\n1 0\n",
        "index-beyond": banner + "3 3 1\n4 1\n", "index-column-beyond": banner + "3 3 1\n1 4\n",
        "index-negative": banner + "3 3 1\n-1 1\n", "index-plus": banner + "3 3 1\n1 +1\n",
        "index-exponent": banner + "3 3 1\n1e0 1\n", "index-huge": banner + "3 3 1\n1 99999999999999999999\n",
        "index-word": banner + "3 3 1\none 1\n", "index-nul": banner.encode() + b"3 3 1\n1 \0\n",
        "index-missing": banner + "3 3 1\n1\n"})
    wrong("mtx-%s.mtx", "HW-MTX-VALUE", {"value-missing": real + "3 3 1\n1 2\n", "value-word": real + "3 3 1\n1 2 x\n",
        "value-nan": real + "3 3 1\n1 2 NaN\n", "value-infinite": real + "3 3 1\n1 2 inf\n",
        "value-huge": real + "3 3 1\n1 2 1e999\n"})
    wrong("mtx-%s.mtx", "HW-MTX-LINE", {"value-glued": real + "3 3 1\n1 2 1.5x\n",
        "value-of-pattern": banner + "3 3 1\n1 2 5\n", "values-too-many": real + "3 3 1\n1 2 5 6\n"})
    add("mtx-complex-half.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n2 1 1\n", "HW-MTX-VALUE")


def rodinia():
    good = "3\n0 2\n2 1\n3 0\n\n0\n\n3\n1 5\n2 1\n2 7\n"
    oddities("rodinia", "txt", good, (3, 3), None)
    packings("rodinia", "txt", good, (3, 3), "9 9\n")
    name = "rodinia"
    wrong("rodinia-%s.txt", "HW-RODINIA-COUNT", {"empty": "\n", "only-count": "3\n", "nodes-cut": "3\n0 2\n2 1\n",
        "no-source": "1\n0 0\n", "no-edge-count": "1\n0 0\n0\n"}, option=name)
    wrong("rodinia-%s.txt", "HW-RODINIA-COUNT", {"edges-cut": good[:-5], "edge-halved": good[:-3],
        "edges-too-many": good + "1 1\n"})
    add("rodinia-count-negative.txt", "-3\n0 2\n", "HW-RODINIA-COUNT", option=name)
    add("rodinia-edges-huge.txt", good.replace("\n\n3\n", "\n\n3000000000000\n"), "HW-RODINIA-COUNT")
    add("rodinia-billion.txt", "1000000000\n0 1\n1 0\n0\n1\n0 1\n", "HW-RODINIA-HUGE", option=name)
    add("rodinia-billion.txt.zst", zst("1000000000\n0 1\n1 0\n0\n1\n0 1\n"), "HW-RODINIA-HUGE", option=name)
    add("rodinia-source-beyond.txt", good.replace("\n\n0\n", "\n\n3\n"), "HW-RODINIA-SOURCE")
    add("rodinia-source-negative.txt", good.replace("\n\n0\n", "\n\n-1\n"), "HW-RODINIA-COUNT")
    add("rodinia-target-beyond.txt", good.replace("2 7", "3 7"), "HW-RODINIA-INDEX")
    add("rodinia-target-negative.txt", good.replace("2 7", "-1 7"), "HW-RODINIA-INDEX")
    add("rodinia-cost-negative.txt", good.replace("2 7", "2 -7"), "HW-RODINIA-WEIGHT")
    wrong("rodinia-%s.txt", "HW-RODINIA-NUMBER", {"cost-decimal": good.replace("2 7", "2 7.5"),
        "cost-nan": good.replace("2 7", "2 nan"), "word": good.replace("2 7", "two 7"), "plus": good.replace("2 7", "+2 7"),
        "exponent": good.replace("2 7", "2 1e3"), "nul": good.replace("2 7", "2 \0"),
        "beyond-64-bits": good.replace("2 7", "2 99999999999999999999")})
    wrong("rodinia-%s.txt", "HW-RODINIA-RANGE", {"range-overlaps": good.replace("2 1\n3 0", "1 1\n3 0"),
        "range-gap": good.replace("0 2\n2 1", "0 1\n2 1"), "range-beyond": good.replace("2 1\n3 0", "2 9\n3 0"),
        "range-negative": good.replace("2 1\n3 0", "2 -1\n3 0"),
        "range-short": good.replace("2 1\n3 0", "2 0\n3 0")}, option=name)


def metis():
    good = "3 2\n2\n1 3\n2\n"
    oddities("metis", "graph", good, (3, 4), "% a comment", blank_lines=False)
    packings("metis", "graph", good, (3, 4), "1\n")
    add("metis-weights.graph", "3 2 1\n2 5\n1 5 3 7\n2 7\n", "ok", (3, 4))
    add("metis-all-weights.graph", "3 2 111 2\n4 1 1 2 5\n4 1 1 1 5 3 7\n4 1 1 2 7\n", "ok", (3, 4))
    add("metis-isolated.graph", "3 1\n2\n1\n\n", "ok", (3, 2))
    add("metis-blank-lines-behind.graph", good + "\n\n\n", "ok", (3, 4))
    add("metis-empty.graph", "", "HW-IO-EMPTY")
    wrong("metis-%s.graph", "HW-METIS-HEADER", {"only-comments": "% a\n%b\n", "header-short": "3\n2\n1\n",
        "header-long": "3 2 0 1 5\n2\n1 3\n2\n", "header-words": "three two\n2\n", "header-negative": "-3 2\n2\n",
        "header-huge": "99999999999999999999 2\n2\n"})
    wrong("metis-%s.graph", "HW-METIS-FMT", {"fmt": "3 2 2\n2\n1 3\n2\n", "fmt-long": "3 2 1111\n2\n1 3\n2\n",
        "ncon": "3 2 010 0\n2\n1 3\n2\n"})
    add("metis-billion.graph", "1000000000 1\n2\n1\n", "HW-METIS-HUGE")
    add("metis-billion.graph.gz", gz("1000000000 1\n2\n1\n"), "HW-METIS-HUGE")
    wrong("metis-%s.graph", "HW-METIS-COUNT", {"edges-huge": "3 1000000000000\n2\n1 3\n2\n",
        "lines-too-few": "4 2\n2\n1 3\n2\n", "lines-too-many": "2 2\n2\n1\n2\n", "edges-too-few": "3 3\n2\n1 3\n2\n",
        "edge-on-one-line": "3 2\n2 3\n1\n\n"})
    wrong("metis-%s.graph", "HW-METIS-INDEX", {"index-0": "3 2\n1\n0 2\n1\n", "index-beyond": "3 2\n2\n1 4\n2\n",
        "index-negative": "3 2\n2\n1 -3\n2\n", "index-plus": "3 2\n2\n1 +3\n2\n", "index-exponent": "3 2\n2\n1 3e0\n2\n",
        "index-word": "3 2\n2\n1 x\n2\n", "index-nul": b"3 2\n2\n1 \0\n2\n",
        "index-64-bits": "3 2\n2\n1 99999999999999999999\n2\n"})
    wrong("metis-%s.graph", "HW-METIS-WEIGHT", {"weight-missing": "3 2 1\n2 5\n1 5 3\n2 7\n",
        "weight-negative": "3 2 1\n2 5\n1 5 3 -7\n2 7\n", "weight-nan": "3 2 1\n2 5\n1 5 3 nan\n2 7\n",
        "weight-word": "3 2 1\n2 5\n1 5 3 w\n2 7\n"})
    add("metis-vertex-weight-word.graph", "3 2 10\nw 2\n1 1 3\n1 2\n", "HW-METIS-VERTEX")
    add("metis-vertex-weight-missing.graph", "3 2 11 3\n1 1\n1 1\n1\n", "HW-METIS-VERTEX")


def dimacs():
    good = "c a graph\np sp 3 3\na 1 2 5\na 2 3 1\na 3 1 2\n"
    oddities("gr", "gr", good, (3, 3), "c a comment")
    packings("gr", "gr", good, (3, 3), "a 1 1 1\n")
    head = "p sp 3 1\n"
    add("gr-empty.gr", "", "HW-IO-EMPTY")
    wrong("gr-%s.gr", "HW-GR-PROBLEM", {"only-comments": "c a\nc b\n", "no-problem": "a 1 2 5\n",
        "other-problem": "p cnf 3 1\n1 2 0\n"})
    add("gr-colouring.col", "p col 3 1\nn 1 7\ne 1 2\n", "ok", (3, 1))
    add("gr-edges-twice.clq", "p edge 3 1\ne 1 2\ne 2 1\n", "ok", (3, 2))
    add("gr-flow.max", "p max 3 1\nn 1 s\nn 3 t\na 1 3 5\n", "ok", (3, 1))
    add("gr-least-cost.min", "p min 3 1\nn 1 4\nn 3 -4\na 1 3 0 5 9\n", "ok", (3, 1))
    add("gr-two-sources.max", "p max 3 1\nn 1 s\nn 2 s\na 1 3 5\n", "HW-GR-LINE")
    add("gr-two-sinks.max", "p max 3 1\nn 1 t\nn 2 t\na 1 3 5\n", "HW-GR-LINE")
    add("gr-source-is-sink.max", "p max 3 1\nn 3 t\nn 3 s\na 1 3 5\n", "HW-GR-LINE")
    wrong("gr-%s.gr", "HW-GR-PROBLEM", {"problem-short": "p sp 3\na 1 2 5\n", "problem-long": "p sp 3 1 1\na 1 2 5\n",
        "problem-words": "p sp three 1\na 1 2 5\n", "problem-negative": "p sp -3 1\na 1 2 5\n"})
    add("gr-two-problems.gr", head + head + "a 1 2 5\n", "HW-GR-LINE")
    add("gr-billion.gr", "p sp 1000000000 1\na 1 2 5\n", "HW-GR-HUGE")
    add("gr-billion.gr.zst", zst("p sp 1000000000 1\na 1 2 5\n"), "HW-GR-HUGE")
    wrong("gr-%s.gr", "HW-GR-COUNT", {"arcs-huge": "p sp 3 1000000000000\na 1 2 5\n", "too-few": "p sp 3 2\na 1 2 5\n",
        "too-many": head + "a 1 2 5\na 2 3 5\n"})
    wrong("gr-%s.gr", "HW-GR-INDEX", {"index-0": head + "a 0 2 5\n", "index-beyond": head + "a 1 4 5\n",
        "index-64-bits": head + "a 99999999999999999999 2 5\n"})
    wrong("gr-%s.gr", "HW-GR-LINE", {"index-negative": head + "a -1 2 5\n", "index-plus": head + "a +1 2 5\n",
        "index-word": head + "a one 2 5\n", "index-nul": head.encode() + b"a 1 \0 5\n", "index-exponent": head + "a 1e0 2 5\n",
        "head-missing": head + "a 1\n", "other-line": head + "e 1 2 5\n", "columns-too-many": head + "a 1 2 5 6\n"})
    wrong("gr-%s.gr", "HW-GR-WEIGHT", {"weight-missing": head + "a 1 2\n", "weight-negative": head + "a 1 2 -5\n",
        "weight-nan": head + "a 1 2 nan\n", "weight-infinite": head + "a 1 2 inf\n", "weight-word": head + "a 1 2 far\n"})


def rows_with_key():
    good = "1 2 3\n2 3\n3 1\n"
    oddities("adj", "adj", good, (3, 4), "# a comment")
    add("adj-isolated.adj", "1 2\n2\n7\n", "ok", (3, 1))
    add("adj-nothing.adj", "# nothing\n", "HW-EDGE-EMPTY")
    for name, row in {"word": "1 x", "negative": "1 -2", "plus": "1 +2", "exponent": "1 2e3", "decimal": "1 2.5", "nul": "1 \0",
                      "beyond-63-bits": "1 9223372036854775808", "vertex-word": "x 1"}.items():
        add(f"adj-{name}.adj", f"0 1\n{row}\n", "HW-ADJ-ID")
    good = "0 10 11 0.5\n1 11 12 0.25\n"
    oddities("cedge", "cedge", good, (3, 2), "# a comment")
    add("cedge-nothing.cedge", "# nothing\n", "HW-EDGE-EMPTY")
    for name, row in {"three-columns": "2 10 11", "five-columns": "2 10 11 1 1", "word": "2 x 11 1", "negative": "2 -1 11 1",
                      "plus": "2 +1 11 1", "exponent": "2 1e3 11 1", "length-nan": "2 10 11 nan", "length-word": "2 10 11 far",
                      "nul": "2 10 \0 1", "beyond-63-bits": "2 10 9223372036854775808 1"}.items():
        add(f"cedge-{name}.cedge", good + row + "\n", "HW-CEDGE-ROW")


def gap():
    def sg(directed, arcs, vertices, offsets, neighbors, *rest):
        return struct.pack("<Bqq", directed, arcs, vertices) + struct.pack(f"<{len(offsets)}q", *offsets) + struct.pack(
            f"<{len(neighbors)}i", *neighbors) + b"".join(rest)

    offsets, neighbors = [0, 1, 3, 4], [1, 0, 2, 1]
    good = sg(0, 4, 3, offsets, neighbors)
    add("sg-good.sg", good, "ok", (3, 4))
    add("sg-good.sg.gz", gz(good), "ok", (3, 4))
    add("sg-empty.sg", b"", "HW-IO-EMPTY")
    add("sg-header-cut.sg", good[:12], "HW-SG-SIZE")
    add("sg-flag.sg", b"\x07" + good[1:], "HW-SG-HEADER")
    wrong("sg-%s.sg", "HW-SG-SIZE", {"cut": good[:-1], "cut-in-offsets": good[:30], "too-long": good + b"\0",
        "billion": sg(0, 0, 1000000000, [0], []), "billion-arcs": sg(0, 1 << 40, 3, offsets, neighbors)})
    add("sg-billion-arcs.sg.zst", zst(sg(0, 1 << 40, 3, offsets, neighbors)), "HW-SG-SIZE")
    add("sg-beyond-32-bits.sg", sg(0, 0, 1 << 33, [0], []), "HW-SG-HEADER")
    add("sg-negative.sg", sg(0, -4, 3, offsets, neighbors), "HW-SG-HEADER")
    add("sg-directed-without-transpose.sg", sg(1, 4, 3, offsets, neighbors), "HW-SG-SIZE")
    wrong("sg-%s.sg", "HW-SG-OFFSETS", {"offsets-fall": sg(0, 4, 3, [0, 3, 1, 4], neighbors),
        "offsets-start": sg(0, 4, 3, [1, 1, 3, 4], neighbors), "offsets-end": sg(0, 4, 3, [0, 1, 3, 5], neighbors),
        "offsets-negative": sg(0, 4, 3, [0, -1, 3, 4], neighbors)})
    wrong("sg-%s.sg", "HW-SG-INDEX", {"index-beyond": sg(0, 4, 3, offsets, [1, 0, 3, 1]),
        "index-negative": sg(0, 4, 3, offsets, [1, 0, -1, 1]), "index-swapped-bytes": sg(0, 4, 3, offsets, [1, 0, 1 << 24, 1])})
    weighted = sg(0, 4, 3, offsets, [1, 5, 0, 5, 2, 7, 1, 7])
    add("wsg-good.wsg", weighted, "ok", (3, 4))
    add("wsg-cut.wsg", weighted[:-4], "HW-SG-SIZE")
    add("wsg-named-sg.sg", weighted, "ok", (3, 4))
    add("wsg-index.wsg", sg(0, 4, 3, offsets, [1, 5, 0, 5, 9, 7, 1, 7]), "HW-SG-INDEX")


def galois():
    def gr(version, data, vertices, edges, ends, targets, tail=b""):
        return struct.pack("<4Q", version, data, vertices, edges) + struct.pack(f"<{len(ends)}Q", *ends) + struct.pack(
            f"<{len(targets)}{'I' if version == 1 else 'Q'}", *targets) + tail

    good = gr(1, 0, 3, 3, [1, 2, 3], [1, 2, 0], b"\0" * 4)
    add("galois-good.gr", good, "ok", (3, 3))
    add("galois-unpadded.gr", good[:-4], "ok", (3, 3))
    add("galois-weights.gr", gr(1, 4, 3, 3, [1, 2, 3], [1, 2, 0], b"\0" * 4 + struct.pack("<3I", 7, 8, 9)), "ok", (3, 3))
    add("galois-version-2.gr", gr(2, 8, 3, 3, [1, 2, 3], [1, 2, 0], struct.pack("<3Q", 7, 8, 9)), "ok", (3, 3))
    add("galois-version.gr", gr(3, 0, 3, 3, [1, 2, 3], [1, 2, 0]), "HW-GALOIS-HEADER", option="galois")
    add("galois-data-bytes.gr", gr(1, 3, 3, 3, [1, 2, 3], [1, 2, 0]), "HW-GALOIS-HEADER")
    add("galois-header-cut.gr", good[:20], "HW-GALOIS-SIZE", option="galois")
    wrong("galois-%s.gr", "HW-GALOIS-SIZE", {"cut": good[:-6], "too-long": good + b"12",
        "billion": gr(1, 0, 1000000000, 0, [0], [])})
    add("galois-billion.gr.gz", gz(gr(1, 0, 1000000000, 0, [0], [])), "HW-GALOIS-SIZE")
    add("galois-beyond-32-bits.gr", gr(2, 0, 1 << 40, 0, [0], []), "HW-GALOIS-HEADER")
    add("galois-edges-huge.gr", gr(1, 0, 3, 1 << 40, [1, 2, 3], [1, 2, 0]), "HW-GALOIS-SIZE")
    add("galois-ends-fall.gr", gr(1, 0, 3, 3, [2, 1, 3], [1, 2, 0], b"\0" * 4), "HW-GALOIS-OFFSETS")
    add("galois-ends-short.gr", gr(1, 0, 3, 3, [1, 2, 2], [1, 2, 0], b"\0" * 4), "HW-GALOIS-OFFSETS")
    add("galois-ends-beyond.gr", gr(1, 0, 3, 3, [1, 2, 9], [1, 2, 0], b"\0" * 4), "HW-GALOIS-OFFSETS")
    add("galois-target-beyond.gr", gr(1, 0, 3, 3, [1, 2, 3], [1, 2, 3], b"\0" * 4), "HW-GALOIS-INDEX")
    add("galois-target-64-bits.gr", gr(2, 0, 3, 3, [1, 2, 3], [1, 2, 1 << 40]), "HW-GALOIS-INDEX")


def graph500():
    def packed(*edges):
        return b"".join(struct.pack("<III", u & 0xFFFFFFFF, v & 0xFFFFFFFF, (u >> 32) | (v >> 32) << 16) for u, v in edges)

    good = packed((0, 1), (1, 2))
    add("g500-good.g500", good, "ok", (3, 2))
    add("g500-empty.g500", b"", "HW-IO-EMPTY")
    wrong("g500-%s.g500", "HW-G500-SIZE", {"cut": good[:-1], "too-long": good + b"\0\0\0"})
    wrong("g500-%s.g500", "HW-G500-INDEX", {"48-bits": packed((0, 1 << 40)), "minus-1": b"\xff" * 12,
        "32-bits": packed((0, 0xFFFFFFFF))})
    add("g500-billion.g500", packed((0, 1000000000)), "HW-G500-HUGE")
    add("g500-billion.g500.zst", zst(packed((0, 1000000000))), "HW-G500-HUGE")


def patched(data, at, kind, value):
    out = bytearray(data)
    struct.pack_into(kind, out, at, value)
    return bytes(out)


def directories(stored, deflated, short):
    """A ZIP directory with one field changed. Members of `short` have 4 bytes less than their arrays say."""
    end, entry = stored.rindex(b"PK\5\6"), stored.index(b"PK\1\2")
    for name, data in {
        "directory-of-2-mb": patched(stored, end + 12, "<I", 2 << 20),
        "directory-outside": patched(stored, end + 16, "<I", 1 << 30),
        "directory-magic": patched(stored, entry, "<I", 0),
        "directory-ends": patched(stored, end + 10, "<H", 9),
        "directory-name": patched(stored, entry + 28, "<H", 60000),
        "encrypted": patched(stored, entry + 8, "<H", 1),
        "no-member-there": patched(stored, entry + 42, "<I", 5),
        "member-beyond": patched(stored, entry + 20, "<I", 1 << 20),
        "stored-of-two-sizes": patched(stored, entry + 24, "<I", 10),
        "deflated-cut": patched(deflated, deflated.index(b"PK\1\2") + 20, "<I", 20),
        "deflated-block": patched(deflated, deflated.index(b"format.npy") + 10, "<B", 0xFF),
        "zip64-record-lost": stored[:end] + b"PK\6\7" + bytes(16) + patched(stored[end:], 16, "<I", 0xFFFFFFFF),
    }.items():
        add(f"npz-{name}.npz", data, "HW-NPZ-ZIP")
    # The size in the directory grows by what is missing, so that only the deflated data are too short.
    at = short.index(b"PK\1\2")
    size = struct.unpack_from("<I", short, at + 24)[0]
    add("npz-deflated-short.npz", patched(short, at + 24, "<I", size + 4), "HW-NPZ-ZIP")
    # A locator whose record is not needed is not looked at.
    add("npz-zip64-not-needed.npz", stored[:end] + b"PK\6\7" + bytes(16) + stored[end:], "ok", (3, 3))
    at = stored.index(b"PK\1\2")
    extra = struct.pack("<HHQ", 7, 8, 0) + struct.pack("<HHI", 1, 4, 0)
    name = struct.unpack_from("<H", stored, at + 28)[0]
    longer = patched(stored, at + 30, "<H", len(extra))
    longer = longer[: at + 46 + name] + extra + longer[at + 46 + name :]
    last = longer.rindex(b"PK\5\6")
    bytes_ = struct.unpack_from("<I", longer, last + 12)[0]
    add("npz-other-extra.npz", patched(longer, last + 12, "<I", bytes_ + len(extra)), "ok", (3, 3))


def npz():
    def npy(descr, shape, data):
        text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
        text += " " * (63 - (10 + len(text)) % 64) + "\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data

    def ints(*values):
        return npy("<i4", f"({len(values)},)", struct.pack(f"<{len(values)}i", *values))

    def archive(method=zipfile.ZIP_STORED, **changes):
        members = {
            "indices": ints(1, 2, 0),
            "indptr": ints(0, 1, 2, 3),
            "format": npy("|S3", "()", b"csr"),
            "shape": npy("<i8", "(2,)", struct.pack("<2q", 3, 3)),
            "data": npy("<f8", "(3,)", struct.pack("<3d", 1, 2, 3)),
        }
        members.update(changes)
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as z:
            for name, content in members.items():
                if content is not None:
                    z.writestr(zipfile.ZipInfo(name + ".npy"), content, method)
        return out.getvalue()

    good = archive()
    add("npz-good.npz", good, "ok", (3, 3))
    add("npz-deflated.npz", archive(zipfile.ZIP_DEFLATED), "ok", (3, 3))
    coo = dict(format=npy("|S3", "()", b"coo"), row=ints(0, 1, 2), col=ints(1, 2, 0), indices=None, indptr=None)
    add("npz-coo.npz", archive(**coo), "ok", (3, 3))
    add("npz-csc.npz", archive(format=npy("|S3", "()", b"csc")), "ok", (3, 3))
    add("npz-boolean.npz", archive(data=npy("|b1", "(3,)", b"\1\1\1")), "ok", (3, 3))
    add("npz-empty.npz", b"", "HW-IO-EMPTY")
    wrong("npz-%s.npz", "HW-NPZ-ZIP", {"no-archive": b"this is no archive, whatever its name says", "cut": good[:-10],
        "cut-in-half": good[: len(good) // 2], "start-lost": good[40:]})
    flipped = bytearray(good)
    flipped[good.index(struct.pack("<3i", 1, 2, 0))] ^= 1
    add("npz-crc.npz", bytes(flipped), "HW-NPZ-ZIP")
    deflated = bytearray(archive(zipfile.ZIP_DEFLATED))
    deflated[60] ^= 255
    add("npz-deflated-damaged.npz", bytes(deflated), "HW-NPZ-ARRAY")
    add("npz-bzip2.npz", archive(zipfile.ZIP_BZIP2), "HW-NPZ-ZIP")
    add("npz-layout.npz", archive(format=npy("|S3", "()", b"bsr")), "HW-NPZ-FORMAT")
    for member in ("indices", "indptr", "format", "shape", "data"):
        add(f"npz-without-{member}.npz", archive(**{member: None}), "HW-NPZ-ARRAY")
    add("npz-not-square.npz", archive(shape=npy("<i8", "(2,)", struct.pack("<2q", 3, 1))), "HW-NPZ-INDEX")
    add("npz-shape-negative.npz", archive(shape=npy("<i8", "(2,)", struct.pack("<2q", -3, -3))), "HW-NPZ-HUGE")
    add("npz-billion.npz", archive(shape=npy("<i8", "(2,)", struct.pack("<2q", 10**9, 10**9))), "HW-NPZ-HUGE")
    add("npz-shape-short.npz", archive(shape=ints(3)), "HW-NPZ-ARRAY")
    wrong("npz-%s.npz", "HW-NPZ-OFFSETS", {"indptr-short": archive(indptr=ints(0, 3)),
        "indptr-falls": archive(indptr=ints(0, 2, 1, 3)), "indptr-beyond": archive(indptr=ints(0, 1, 2, 9)),
        "indptr-ends-early": archive(indptr=ints(0, 1, 2, 2))})
    add("npz-index-beyond.npz", archive(indices=ints(1, 3, 0)), "HW-NPZ-INDEX")
    add("npz-index-negative.npz", archive(indices=ints(1, -1, 0)), "HW-NPZ-INDEX")
    add("npz-coo-lengths.npz", archive(**{**coo, "row": ints(0, 1)}), "HW-NPZ-ARRAY")
    add("npz-data-short.npz", archive(data=npy("<f8", "(2,)", struct.pack("<2d", 1, 2))), "HW-NPZ-ARRAY")
    add("npz-data-nan.npz", archive(data=npy("<f8", "(3,)", struct.pack("<3d", 1, float("nan"), 3))), "HW-NPZ-WEIGHT")
    add("npz-data-huge.npz", archive(data=npy("<f8", "(3,)", struct.pack("<3d", 1, 1e300, 3))), "ok", (3, 3))
    add("npz-data-integers.npz", archive(data=ints(1, 2, 3)), "ok", (3, 3))
    add("npz-data-unsigned.npz", archive(data=npy("<u2", "(3,)", struct.pack("<3H", 1, 2, 3))), "ok", (3, 3))
    add("npz-data-complex.npz", archive(data=npy("<c16", "(3,)", bytes(48))), "ok", (3, 3))
    add("npz-data-half.npz", archive(data=npy("<f2", "(3,)", bytes(6))), "HW-NPZ-ARRAY")
    add("npz-data-text.npz", archive(data=npy("|S1", "(3,)", b"abc")), "HW-NPZ-ARRAY")
    add("npz-data-largest.npz", archive(data=npy("<f8", "(3,)", struct.pack("<3d", -1e300, 1, 3))), "ok", (3, 3))
    add("npz-data-beyond.npz", archive(data=npy("<u8", "(3,)", struct.pack("<3Q", 1, 1 << 63, 3))), "HW-NPZ-WEIGHT")
    add("npz-layout-utf32.npz", archive(format=npy("<U3", "()", "csr".encode("utf-32-le"))), "ok", (3, 3))
    add("npz-layout-padded.npz", archive(format=npy("|S5", "()", b"csr\0\0")), "ok", (3, 3))
    wrong("npz-%s.npz", "HW-NPZ-ARRAY", {"layout-number": archive(format=ints(1)),
        "layout-three": archive(format=npy("|S1", "(3,)", b"csr")), "layout-long": archive(format=npy("|S65", "()", bytes(65))),
        "type-of-3-bytes": archive(indices=npy("<i3", "(3,)", bytes(9))),
        "type-of-no-bytes": archive(indices=npy("<i0", "(3,)", b"")),
        "type-without-width": archive(indices=npy("<i_", "(3,)", bytes(12))),
        "type-of-1000-bytes": archive(indices=npy("<V99999", "(3,)", bytes(12))),
        "shape-word": archive(indices=npy("<i4", "(x,)", bytes(12))),
        "shape-open": archive(indices=npy("<i4", "(3", bytes(12)).replace(b", }", b"   ")),
        "shape-bare": archive(indices=npy("<i4", "3", bytes(12))),
        "shape-beyond": archive(indices=npy("<i4", "(99999999999999999999,)", bytes(12))),
        "shape-longer": archive(indices=npy("<i4", "(4,)", bytes(12)))})
    numpy = ints(1, 2, 0)
    header = b"{'descr': '<i4', 'shape':"
    add("npz-header-ends.npz", archive(indices=numpy[:8] + struct.pack("<H", len(header)) + header), "HW-NPZ-ARRAY")
    add("npz-version-0.npz", archive(indices=numpy[:6] + b"\0" + numpy[7:]), "HW-NPZ-ARRAY")
    add("npz-version-4.npz", archive(indices=numpy[:6] + b"\4" + numpy[7:]), "HW-NPZ-ARRAY")
    add("npz-version-2.npz", archive(indices=numpy[:6] + b"\2\0" + numpy[8:10] + b"\0\0" + numpy[10:]), "ok", (3, 3))
    add("npz-header-long.npz", archive(indices=numpy[:6] + b"\2\0" + struct.pack("<I", 70000) + bytes(70000)), "HW-NPZ-ARRAY")
    directories(good, archive(zipfile.ZIP_DEFLATED),
                archive(zipfile.ZIP_DEFLATED, indices=npy("<i4", "(4,)", struct.pack("<3i", 1, 2, 0)), indptr=ints(0, 1, 2, 4),
                        data=npy("|b1", "(4,)", b"\1\1\1\1")))
    add("npz-big-endian.npz", archive(indices=npy(">i4", "(3,)", struct.pack(">3i", 1, 2, 0))), "HW-NPZ-ARRAY")
    add("npz-floats-as-indices.npz", archive(indices=npy("<f4", "(3,)", struct.pack("<3f", 1, 2, 0))), "HW-NPZ-ARRAY")
    add("npz-two-dimensions.npz", archive(indices=npy("<i4", "(3, 2)", struct.pack("<6i", *range(6)))), "HW-NPZ-ARRAY")
    add("npz-shape-lies.npz", archive(indices=npy("<i4", "(300000000,)", struct.pack("<3i", 1, 2, 0))), "HW-NPZ-ARRAY")
    add("npz-no-numpy.npz", archive(indices=b"no array at all"), "HW-NPZ-ARRAY")
    add("npz-array-cut.npz", archive(indices=ints(1, 2, 0)[:6]), "HW-NPZ-ZIP")
    add("npz-header-bad.npz", archive(indices=ints(1, 2, 0).replace(b"'shape'", b"'shopa'")), "HW-NPZ-ARRAY")
    bomb = npy("<i4", "(50000000,)", bytes(200000000))
    add("npz-bomb.npz", archive(zipfile.ZIP_DEFLATED, indices=bomb, data=npy("|b1", "(50000000,)", bytes(50000000))), "HW-NPZ-HUGE")


MASK = (1 << 64) - 1
ODD = 0x9E3779B97F4A7C15


def mixed(lane, word):
    x = (lane ^ word) * ODD & MASK
    return (x << 29 | x >> 35) & MASK


def piece_checksum(data):
    lanes = [(ODD * (i + 1) & MASK) ^ len(data) for i in range(8)]
    whole = len(data) // 64 * 64
    for i, (word,) in enumerate(struct.iter_unpack("<Q", data[:whole])):
        lanes[i % 8] = mixed(lanes[i % 8], word)
    for i in range(whole, len(data), 8):
        lane = (i - whole) // 8
        lanes[lane] = mixed(lanes[lane], int.from_bytes(data[i : i + 8], "little"))
    total = len(data)
    for lane in lanes:
        total = mixed(total, lane)
    return total ^ total >> 32


def checksum(data):
    total = len(data)
    for at in range(0, len(data), 1 << 20):
        total = mixed(total, piece_checksum(data[at : at + (1 << 20)])) ^ total >> 31
    return total


def hwg():
    def words(kind, *values):
        return struct.pack(f"<{len(values)}{kind}", *values)

    def build(version=1, vertices=3, arcs=4, directed=0, kind=0, first=0, source=MASK, sections=None, spoil=None, magic=b"\x89HWG\r\n\x1a\n"):
        if sections is None:
            sections = [("out.offsets", words("Q", 0, 1, 3, 4)), ("out.neighbors", words("I", 1, 0, 2, 1))]
        table, body, at = b"", b"", 128 + 64 * len(sections)
        for name, content in sections:
            pad = -at % 64
            body += bytes(pad) + content
            table += name.encode().ljust(24, b"\0") + words("Q", at + pad, len(content), checksum(content), 0, 0)
            at += pad + len(content)
        if spoil:
            table = spoil(table)
        head = magic + words("I", version, len(sections)) + words("Q", at, vertices, arcs) + words("I", directed, kind)
        head += struct.pack("<q", first) + words("Q", source)
        summed = head + bytes(8 + 56)
        return head + words("Q", checksum(summed + table)) + bytes(56) + table + body

    good = build()
    offsets, neighbors = ("out.offsets", words("Q", 0, 1, 3, 4)), ("out.neighbors", words("I", 1, 0, 2, 1))
    add("hwg-good.hwg", good, "ok", (3, 4))
    add("hwg-good.hwg.zst", zst(good), "ok", (3, 4))
    add("hwg-empty.hwg", b"", "HW-IO-EMPTY")
    wrong("hwg-%s.hwg", "HW-HWG-SIZE", {"magic-only": good[:8], "header-cut": good[:100], "table-cut": good[:150],
        "cut": good[:-1], "too-long": good + b"\0"})
    add("hwg-other-magic.hwg", build(magic=b"\x89HWX\r\n\x1a\n"), "HW-HWG-HEADER")
    add("hwg-unix-line-ends.hwg", good.replace(b"\r\n", b"\n"), "HW-HWG-HEADER")
    add("hwg-version.hwg", build(version=4), "HW-HWG-VERSION")
    add("hwg-typed-without-weights.hwg", build(version=3), "ok", (3, 4))
    typed, floats = ("out.weights.i8", words("q", 1, 1 << 60, 1, 2)), ("out.weights", words("f", 1, 1, 2, 2))
    add("hwg-typed.hwg", build(version=3, sections=[offsets, neighbors, typed]), "ok", (3, 4))
    add("hwg-typed-short.hwg", build(version=3, sections=[offsets, neighbors, (typed[0], typed[1][:-8])]), "HW-HWG-SECTION")
    add("hwg-typed-as-of-32-bits.hwg", build(version=3, sections=[offsets, neighbors, ("out.weights.i4", typed[1])]), "HW-HWG-SECTION")
    add("hwg-typed-twice.hwg", build(version=3, sections=[offsets, neighbors, typed, floats]), "HW-HWG-SECTION")
    both = [("in.offsets", offsets[1]), ("in.neighbors", neighbors[1])]
    add("hwg-typed-in.hwg", build(version=3, directed=1, sections=[offsets, neighbors, typed, *both, ("in.weights.i8", typed[1])]), "ok", (3, 4))
    add("hwg-typed-unlike.hwg", build(version=3, directed=1, sections=[offsets, neighbors, typed, *both, ("in.weights.i4", words("i", 1, 1, 2, 2))]), "HW-HWG-SECTION")
    add("hwg-version-0.hwg", build(version=0), "HW-HWG-VERSION")
    extra = [("extra.sources", words("I", 0, 1, 2)), ("extra.neighbors", words("I", 1, 0, 2))]
    add("hwg-extra.hwg", build(version=2, sections=[offsets, neighbors, *extra]), "ok", (3, 7))
    add("hwg-extra-of-version-1.hwg", build(sections=[offsets, neighbors, *extra]), "ok", (3, 4))
    add("hwg-extra-missing.hwg", build(version=2), "HW-HWG-SECTION")
    add("hwg-extra-sources-alone.hwg", build(version=2, sections=[offsets, neighbors, extra[0]]), "HW-HWG-SECTION")
    add("hwg-extra-longer.hwg", build(version=2, sections=[offsets, neighbors, ("extra.sources", words("I", 0, 1)), extra[1]]), "HW-HWG-SECTION")
    add("hwg-extra-falls.hwg", build(version=2, sections=[offsets, neighbors, ("extra.sources", words("I", 0, 2, 1)), extra[1]]), "HW-HWG-ARRAYS")
    add("hwg-extra-beyond.hwg", build(version=2, sections=[offsets, neighbors, extra[0], ("extra.neighbors", words("I", 1, 1, 3))]), "HW-HWG-ARRAYS")
    add("hwg-extra-source-beyond.hwg", build(version=2, sections=[offsets, neighbors, ("extra.sources", words("I", 0, 1, 3)), extra[1]]), "HW-HWG-ARRAYS")
    add("hwg-extra-typed.hwg", build(version=3, sections=[offsets, neighbors, typed, *extra, ("extra.weights.i8", words("q", 3, 4, 5))]), "ok", (3, 7))
    add("hwg-extra-unlike.hwg", build(version=3, sections=[offsets, neighbors, typed, *extra, ("extra.weights", words("f", 3, 4, 5))]), "HW-HWG-SECTION")
    add("hwg-extra-without-weights.hwg", build(version=2, sections=[offsets, neighbors, ("out.weights", words("f", 1, 1, 2, 2)), *extra]), "HW-HWG-SECTION")
    wrong("hwg-%s.hwg", "HW-HWG-CHECKSUM", {"header-flipped": good[:24] + b"\x07" + good[25:],
        "table-flipped": good[:130] + b"\x07" + good[131:], "neighbor-flipped": good[:-4] + b"\x02" + good[-3:]})
    add("hwg-vertices-huge.hwg", build(vertices=1 << 40), "HW-HWG-HEADER")
    add("hwg-billion.hwg", build(vertices=10**9), "HW-HWG-SECTION")
    add("hwg-arcs-huge.hwg", build(arcs=1 << 60), "HW-HWG-HEADER")
    add("hwg-arcs-off.hwg", build(arcs=5), "HW-HWG-SECTION")
    wrong("hwg-%s.hwg", "HW-HWG-HEADER", {"directed": build(directed=7), "ids-kind": build(kind=9), "source": build(source=3),
        "first-huge": build(first=(1 << 63) - 1)})
    wrong("hwg-%s.hwg", "HW-HWG-SECTION", {"no-sections": build(sections=[]), "no-neighbors": build(sections=[offsets]),
        "two-of-a-name": build(sections=[offsets, neighbors, neighbors]),
        "section-outside": build(spoil=lambda t: t[:24] + words("Q", 1 << 50) + t[32:]),
        "section-too-long": build(spoil=lambda t: t[:32] + words("Q", MASK) + t[40:]),
        "section-unaligned": build(spoil=lambda t: t[:24] + words("Q", 257) + t[32:]),
        "section-name": build(spoil=lambda t: b"x" * 24 + t[24:])})
    overlap = words("Q", 256, 16, checksum(offsets[1][:16]))
    add("hwg-sections-overlap.hwg", build(spoil=lambda t: t[:88] + overlap + t[112:]), "HW-HWG-SECTION")
    at_magic = words("Q", 0, 16, checksum(good[:16]))
    wrong("hwg-%s.hwg", "HW-HWG-SECTION", {"section-in-header": build(spoil=lambda t: t[:88] + at_magic + t[112:]),
        "transpose-of-undirected": build(sections=[offsets, neighbors, ("in.offsets", offsets[1]), ("in.neighbors", neighbors[1])]),
        "no-id-table": build(kind=1), "no-names": build(kind=2)})
    add("hwg-offsets-fall.hwg", build(sections=[("out.offsets", words("Q", 0, 3, 1, 4)), neighbors]), "HW-HWG-ARRAYS")
    add("hwg-offsets-beyond.hwg", build(sections=[("out.offsets", words("Q", 0, 1, 3, 9)), neighbors]), "HW-HWG-ARRAYS")
    add("hwg-neighbor-beyond.hwg", build(sections=[offsets, ("out.neighbors", words("I", 1, 0, 3, 1))]), "HW-HWG-ARRAYS")
    add("hwg-ids-not-ascending.hwg", build(kind=1, sections=[offsets, neighbors, ("ids.table", words("q", 5, 5, 6))]), "HW-HWG-ARRAYS")
    add("hwg-names-beyond.hwg", build(kind=2, sections=[offsets, neighbors, ("ids.offsets", words("Q", 0, 1, 2, 9)), ("ids.names", b"abc")]), "HW-HWG-ARRAYS")
    add("hwg-names-twice.hwg", build(kind=2, sections=[offsets, neighbors, ("ids.offsets", words("Q", 0, 1, 2, 3)), ("ids.names", b"aba")]), "HW-IDS-DUPLICATE")


def bombs():
    """Few packed bytes that are many: read in bounded memory, and what no row holds is refused where it begins."""
    mib = 1 << 20
    for stem, ending, comment, good, nothing in (
        ("el", "txt", "#", "0 1", "HW-EDGE-EMPTY"),
        ("mtx", "mtx", "%", "3 3 1", "HW-MTX-SIZE"),
        ("gr", "gr", "c", "p sp 3 1", "HW-GR-PROBLEM"),
        ("metis", "graph", "%", "3 1", "HW-METIS-HEADER"),
        ("adj", "adj", "#", "0 1", "HW-EDGE-EMPTY"),
        ("cedge", "cedge", "#", "0 0 1 1", "HW-EDGE-EMPTY"),
        ("rodinia", "txt", "", "1", "HW-RODINIA-COUNT"),
    ):
        option = {"el": "edge-list", "mtx": "matrix-market", "gr": "dimacs", "rodinia": "rodinia"}.get(stem, "-")
        banner = "%%MatrixMarket matrix coordinate pattern general\n" if stem == "mtx" else ""

        def bomb(kind, text, expected):
            add(f"{stem}-bomb-{kind}.{ending}.zst", zst(banner + text), expected, option=option)

        bomb("newlines", "\n" * (128 * mib), nothing)
        bomb("nul", "\0" * (128 * mib), "HW-TEXT-NUL")
        if comment:
            bomb("comment", comment + " y" * (64 * mib), nothing)
        if stem not in ("el", "metis"):
            continue
        bomb("blanks", " " * (128 * mib), nothing)
        bomb("word", "x" * (128 * mib), "HW-TEXT-LINE")
        bomb("comments", f"{comment}\n" * (64 * mib), nothing)
        bomb("blanks-behind", good + " " * (128 * mib) + "x\ny\n", BOMB_BEHIND[stem])
        bomb("comment-behind", good + "\n" + comment + " y" * (64 * mib) + "\nx\n", BOMB_NEXT[stem])

BOMB_BEHIND = {"el": "HW-EDGE-COLUMNS", "metis": "HW-METIS-HEADER"}
BOMB_NEXT = {"el": "HW-EDGE-ID", "metis": "HW-METIS-INDEX"}


def odd_texts():
    """What readers meet seldom."""
    add("el-zero-padding.txt.gz", gz("0 1\n1 2\n") + bytes(300), "ok", (3, 2))
    add("el-says-undirected.txt", "# Undirected graph\n0 1\n1 2\n", "ok", (3, 2))
    add("el-semicolons.txt", "0;1;2\n1;2;3\n", "ok", (3, 2))
    add("el-bars.txt", "0|1|2\n1|2|3\n", "ok", (3, 2))
    add("el-ignored-columns.txt", "0 1 2 7 8\n1 2 3 7 8\n5 0 1 7 8\n", "ok", (4, 3))
    add("el-slashes.txt", "// a comment\n0 1\n// another\n1 2 // behind a row\n", "ok", (3, 2))
    add("el-comments-between.txt", "0 1 3\n# one\n% two\n/ 2 3\n", "HW-EDGE-ID")
    add("el-weight-is-comment.txt", "0 1 3\n1 2 # no weight\n", "HW-EDGE-COLUMNS")
    wrong("el-%s.txt", "HW-TEXT-UTF16", {"utf-16": b"\xff\xfe0\0 \0001\0", "utf-16-big": b"\xfe\xff\0000\0 \0001"})
    add("gr-blank-before-arc.gr", "p sp 2 1\n a 1 2 3\n", "ok", (2, 1))
    add("gr-tab-behind-p.gr", "c\np\tsp 2 1\na 1 2 3\n", "ok", (2, 1))
    wrong("gr-%s.gr", "HW-GR-PROBLEM", {"problem-sx": "p sx 2 1\na 1 2 3\n", "problem-glued": "p spx 2 1\na 1 2 3\n",
        "count-too-large": "p sp 99999999999999999999 1\na 1 2 3\n", "count-glued": "p sp 2x 1\na 1 2 3\n"})
    add("gr-length-glued.gr", "p sp 2 1\na 1 2x3\n", "HW-GR-LINE")
    add("mtx-blank-before-entry.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n 1 2\n", "ok", (2, 1))
    add("mtx-column-glued.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2x3\n", "HW-MTX-INDEX")
    add("mtx-empty.mtx.gz", gz(""), "HW-IO-EMPTY")
    add("edges-without-list.e", "0 1\n1 2\n", "ok", (3, 2))


def nodes():
    """GraphML, GML, Pajek and JSON: of each what is right, and every way to be wrong that has an id."""
    def xml(body, keys="", kind="directed"):
        return f"<?xml version='1.0'?>\n<graphml>{keys}<graph edgedefault='{kind}'>\n{body}</graph></graphml>\n"
    good = xml("<node id='a'/>\n<node id='b &amp; c'/>\n<edge source='a' target='b &amp; c'/>\n")
    oddities("graphml", "graphml", good, (2, 1), "<!-- a comment -->")
    add("graphml-cut.graphml", good[:80], "HW-GRAPHML-SYNTAX")
    add("graphml-cut.graphml.gz", gz(good[:80]), "HW-GRAPHML-SYNTAX")
    wrong("graphml-%s.graphml", "HW-GRAPHML-SYNTAX", {"utf-8": good.replace("b", "\u00e9").encode("latin-1"),
        "nul": good.replace("'a'", "'\0'"), "no-graph": "<graphml/>", "no-direction": "<graphml><graph/></graphml>"})
    add("graphml-key.graphml", xml("<node id='a'/><edge source='a' target='a'><data key='k'>1</data></edge>"), "HW-GRAPHML-KEY")
    add("graphml-entity.graphml", "<!DOCTYPE g [<!ENTITY a 'b'>]>\n" + good[22:].replace("'a'", "'&a;'"), "HW-GRAPHML-ENTITY")
    bomb = "".join(f"<!ENTITY a{i} '{f'&a{i - 1};' * 10}'>" for i in range(1, 20))
    add("graphml-entities.graphml", f"<!DOCTYPE g [<!ENTITY a0 'lol'>{bomb}]>\n<graphml>&a19;</graphml>", "HW-GRAPHML-ENTITY")
    add("graphml-deep.graphml.gz", gz("<graphml>" + "<desc>" * 1_000_000), "HW-NODES-DEEP")
    add("graphml-long.graphml.gz", gz("<graphml><desc x='" + "y" * 20_000_000), "HW-GRAPHML-SYNTAX")
    add("graphml-hyperedge.graphml", xml("<hyperedge/>"), "HW-NODES-KIND")
    add("graphml-twice.graphml", xml("<node id='a'/><node id='a'/>"), "HW-NODES-TWICE")
    add("graphml-unknown.graphml", xml("<node id='a'/><edge source='a' target='b'/>"), "HW-NODES-UNKNOWN")
    add("graphml-no-id.graphml", xml("<node/>"), "HW-NODES-ID")
    weight = "<key id='w' for='edge' attr.name='weight'/>"
    add("graphml-weight.graphml", xml("<node id='a'/><edge source='a' target='a'><data key='w'>x</data></edge>", weight), "HW-NODES-WEIGHT")
    length = "<key id='d' for='edge' attr.name='length'/>"
    add("graphml-length-nan.graphml",
        xml("<node id='a'/><edge source='a' target='a'><data key='d'>5</data></edge><edge source='a' target='a'><data key='d'>NaN</data></edge>",
            length), "HW-NODES-WEIGHT")
    add("graphml-weight-twice.graphml",
        xml("<node id='a'/><edge source='a' target='a'><data key='w'>1</data><data key='w'>2</data></edge>", weight), "HW-NODES-TWICE")
    two = "<key id='v' for='edge' attr.name='value'/><key id='c' for='edge' attr.name='cost'/>"
    add("graphml-two-weights.graphml",
        xml("<node id='a'/><edge source='a' target='a'><data key='v'>1</data><data key='c'>2</data></edge>", two), "HW-NODES-COLUMN")
    good = "graph [\n  directed 1\n  node [ id 1 label \"a b\" ]\n  node [ id 2 label \"c\" ]\n  edge [ source 1 target 2 weight 5 ]\n]\n"
    oddities("gml", "gml", good, (2, 1), "# a comment")
    packings("gml", "gml", good, (2, 1), "graph [ ]\n")
    add("gml-cut.gml", good[:60], "HW-GML-SYNTAX")
    add("gml-nul.gml", good.replace("a b", "a\0b"), "HW-TEXT-NUL")
    add("gml-deep.gml.gz", gz("graph [ " + "a [ " * 1_000_000), "HW-NODES-DEEP")
    add("gml-long.gml.gz", gz('graph [ node [ id 1 label "' + "x" * 20_000_000), "HW-GML-SYNTAX")
    add("gml-twice.gml", "graph [ node [ id 1 ] node [ id 1 ] ]\n", "HW-NODES-TWICE")
    add("gml-unknown.gml", "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]\n", "HW-NODES-UNKNOWN")
    edges = "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 %s ] edge [ source 0 target 1 %s ] ]\n"
    wrong("gml-%s.gml", "HW-NODES-WEIGHT", {"value-nan": edges % ("value 5", "value NAN"),
        "value-unit": edges % ('value "5 km"', 'value "7 km"'), "weight-list": edges % ("weight 5", "weight [ a 1 ]")})
    wrong("gml-%s.gml", "HW-NODES-TWICE", {"weight-twice": edges % ("weight 5", "weight 1 weight 2"),
        "source-twice": edges % ("source 1", ""), "directed-twice": "graph [ directed 1 directed 0 ]\n"})
    add("gml-other-case.gml", edges.replace("graph [", "graph [ Directed 1") % ("Weight 5", "Weight 6"), "ok", (2, 2))
    add("gml-float-ids.gml", edges.replace("id 1", "id 1.0") % ("", ""), "ok", (2, 2))
    good = "*Vertices 3\n1 \"a b\"\n2 \"c\"\n3 \"d\"\n*Arcs\n1 2 5\n2 3 6\n"
    oddities("net", "net", good, (3, 2), "% a comment")
    packings("net", "net", good, (3, 2), "*Arcs\n1 1\n")
    add("net-matrix.net", "*Vertices 2\n*Matrix\n0 1\n1 0\n", "HW-NODES-KIND")
    add("net-billion.net", "*Vertices 1000000000\n*Arcs\n1 2\n", "HW-PAJEK-HUGE")
    add("net-index.net", "*Vertices 2\n*Arcs\n1 3\n", "HW-PAJEK-INDEX")
    add("net-no-vertices.net", "*Arcs\n1 3\n", "HW-PAJEK-SECTION")
    add("net-quote.net", "*Vertices 2\n1 \"a\n", "HW-PAJEK-ROW")
    wrong("net-%s.net", "HW-NODES-WEIGHT", {"value-comma": "*Vertices 2\n*Arcs\n1 2 4,5\n",
        "value-text": "*Vertices 2\n*Arcs\n1 2 \"x\"\n", "value-huge": "*Vertices 2\n*Arcs\n1 2 1e999\n"})
    add("net-value-quoted.net", "*Vertices 2\n*Arcs\n1 2 \"3.5\"\n2 1 w 3\n", "ok", (2, 2))
    add("net-cr.net", "*Vertices 2\r*Arcs\r1 2\r", "HW-TEXT-CR")
    good = '{"directed": true, "nodes": [{"id": 1}, {"id": 2}],\n"links": [{"source": 1, "target": 2, "weight": 5}]}\n'
    oddities("json", "json", good, (2, 1), "")
    packings("json", "json", good, (2, 1), "{}")
    wrong("json-%s.json", "HW-JSON-SYNTAX", {"cut": good[:60], "utf-8": b'{"nodes": [{"id": "\xff"}], "links": []}'})
    add("json-deep.json.gz", gz('{"a": ' + "[" * 1_000_000), "HW-NODES-DEEP")
    add("json-long.json.gz", gz('{"a": "' + "x" * 20_000_000), "HW-JSON-SYNTAX")
    add("json-twice.json", '{"nodes": [{"id": 1}, {"id": 1}], "links": []}', "HW-NODES-TWICE")
    add("json-both.json", '{"nodes": [{"id": 1}, {"id": "1"}], "links": []}', "HW-NODES-ID")
    add("json-unknown.json", '{"nodes": [], "links": [{"source": 1, "target": 1}]}', "HW-NODES-UNKNOWN")
    add("json-length-na.json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "length": 5.5}, {"source": 1, "target": 1, "length": "n/a"}]}',
        "HW-NODES-WEIGHT")
    add("json-weight-list.json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "weight": [5]}]}', "HW-NODES-WEIGHT")
    add("json-weight-twice.json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "weight": 5, "weight": 6}]}', "HW-NODES-TWICE")
    add("json-id-twice.json", '{"nodes": [{"id": 1, "id": 2}], "links": []}', "HW-NODES-TWICE")
    add("json-source-twice.json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "source": 1, "target": 1}]}', "HW-NODES-TWICE")
    add("json-name-twice.json", '{"nodes": [{"name": "a", "name": "b"}], "links": []}', "HW-NODES-TWICE")
    add("json-directed-case.json", '{"Directed": true, "nodes": [], "links": []}', "HW-JSON-SHAPE")
    add("json-directed-both.json", '{"directed": true, "undirected": true, "nodes": [], "links": []}', "HW-JSON-SHAPE")
    add("json-float-ids.json", '{"nodes": [{"id": 1.0}, {"id": 2}], "links": [{"source": 1, "target": 2.0}]}', "ok", (2, 1))
    add("json-float-id-twice.json", '{"nodes": [{"id": 1.0}, {"id": 1}], "links": []}', "HW-NODES-TWICE")
    add("json-fraction-id.json", '{"nodes": [{"id": 1.5}, {"id": 2}], "links": [{"source": 1.50, "target": 2}]}', "ok", (2, 1))
    add("json-by-name.json", '{"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"source": "b", "target": "a"}]}', "ok", (2, 1))
    add("json-by-name-unknown.json", '{"nodes": [{"name": "a"}], "links": [{"source": "a", "target": "b"}]}', "HW-NODES-UNKNOWN")
    add("json-by-name-twice.json", '{"nodes": [{"name": "a"}, {"name": "a"}], "links": [{"source": "a", "target": "a"}]}', "HW-NODES-TWICE")
    add("json-by-name-bare.json", '{"nodes": [{"name": "a"}, {"key": "b"}], "links": [{"source": "a", "target": "b"}]}', "HW-NODES-ID")
    add("json-by-index.json", '{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": 1, "target": 0}]}', "ok", (2, 1))
    add("json-by-index-unknown.json", '{"nodes": [{"name": "a"}], "links": [{"source": 0, "target": 1}]}', "HW-NODES-UNKNOWN")
    add("json-name-or-index.json", '{"nodes": [{"name": 1}, {"name": 0}], "links": [{"source": 0, "target": 1}]}', "HW-NODES-ID")
    add("json-number-and-text.json", '{"nodes": [{"id": "0"}, {"id": "1"}], "links": [{"source": 0, "target": 1}]}', "HW-NODES-ID")
    add("json-no-links.json", '{"nodes": []}', "HW-JSON-SHAPE")
    add("json-tree.json", '{"id": 1, "children": []}', "HW-FORMAT-KNOWN")


def others():
    add("known-dot.txt", "digraph { a -> b }\n", "HW-FORMAT-KNOWN")
    add("known-matrix.csv", "0,1,0\n1,0,1\n0,1,0\n", "HW-FORMAT-KNOWN")
    add("known-neighbours.txt", "0 1 2 3\n1 0 2 4\n2 0 1 3\n3 2 1 0\n4 1 2 3\n", "HW-FORMAT-AMBIGUOUS")
    add("known-xz.txt", bytes.fromhex("fd377a585a000004"), "HW-FORMAT-KNOWN")
    add("unknown-binary.bin", bytes(range(256)), "HW-FORMAT-SNIFF")
    add("unknown-zeros.dat", bytes(64), "HW-FORMAT-SNIFF")
    add("unknown-option.txt", "0 1\n", "HW-FORMAT-UNKNOWN", option="graphviz")


if __name__ == "__main__":
    FILES.mkdir(exist_ok=True)
    for old in FILES.iterdir():
        old.unlink()
    for part in (edge_lists, names, matrix_market, rodinia, metis, dimacs, rows_with_key, gap, galois, graph500, npz, hwg, bombs, odd_texts, nodes, others):
        part()
    (HERE / "expected.tsv").write_text("file\tformat\texpected\tvertices\tedges\n" + "\n".join(rows) + "\n")
    errors = sum("\tok\t" not in row for row in rows)
    print(f"{len(rows)} files, {errors} of them wrong")
