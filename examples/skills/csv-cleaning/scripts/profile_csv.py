#!/usr/bin/env python3
"""Print what is in a CSV file: encoding, delimiter, ragged rows, duplicates, and each column. Only reads; changes nothing."""

import argparse
import csv
import hashlib
import json
import re
import sys

KINDS = [
    ("digits with leading zeros", re.compile(r"0\d+")),
    ("whole number", re.compile(r"[+-]?\d+")),
    ("decimal number", re.compile(r"[+-]?\d*[.,]\d+")),
    ("ISO date", re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?")),
    ("ambiguous date", re.compile(r"\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}")),
]
NOTHING = {"", "-", "n/a", "na", "null", "none", "#n/a"}
SHOWN = 10


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--delimiter", help="one character; default: found out from the first lines")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    csv.field_size_limit(2**31 - 1)
    try:
        report = profile(options.file, options.delimiter)
    except (OSError, TypeError, ValueError, csv.Error) as error:
        sys.exit(f"Cannot profile {options.file}: {error}")
    if options.json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        print_report(report)


def profile(path, delimiter):
    encoding = find_encoding(path)
    with open(path, encoding=encoding, newline="") as file:
        delimiter = delimiter or find_delimiter(file.read(65536))
        file.seek(0)
        return profile_rows(csv.reader(file, delimiter=delimiter), encoding, delimiter)


def find_encoding(path):
    """UTF-8 if every byte agrees, else Windows-1252, which is a superset of Latin-1 for text."""
    with open(path, "rb") as file:
        start = file.read(4)
        if start.startswith((b"\xff\xfe", b"\xfe\xff")):
            return "utf-16"
        encoding = "utf-8-sig" if start.startswith(b"\xef\xbb\xbf") else "utf-8"
    try:
        with open(path, encoding=encoding) as file:
            while file.read(1 << 20):
                pass
        return encoding
    except UnicodeDecodeError:
        return "cp1252" if decodes(path, "cp1252") else "latin-1"


def decodes(path, encoding):
    try:
        with open(path, encoding=encoding) as file:
            while file.read(1 << 20):
                pass
        return True
    except UnicodeDecodeError:
        return False


def find_delimiter(sample):
    """The one that splits the first lines into the same number of fields, and into the most."""
    best, most = ",", 1
    lines = sample.splitlines()[:50]
    for candidate in ",;\t|":
        widths = {len(row) for row in csv.reader(lines, delimiter=candidate) if row}
        if len(widths) == 1 and max(widths) > most:
            best, most = candidate, max(widths)
    if most > 1:
        return best
    return max(",;\t|", key=lambda candidate: sum(line.count(candidate) for line in lines))


def profile_rows(reader, encoding, delimiter):
    header = next(reader, [])
    columns = [new_column(name) for name in header]
    ragged, seen, rows, duplicates, blank = [], set(), 0, 0, 0
    for row in reader:
        if not any(cell.strip() for cell in row):
            blank += 1
            continue
        rows += 1
        if len(row) != len(header):
            ragged.append({"line": reader.line_num, "fields": len(row)})
        digest = hashlib.blake2b("\x1f".join(row).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        duplicates += digest in seen
        seen.add(digest)
        for column, cell in zip(columns, row):
            add_cell(column, cell)
    return {
        "encoding": encoding,
        "delimiter": delimiter,
        "rows": rows,
        "blank_rows": blank,
        "identical_rows": duplicates,
        "ragged_rows": len(ragged),
        "ragged_examples": ragged[:SHOWN],
        "repeated_headers": sorted({name for name in header if header.count(name) > 1}),
        "columns": [finish_column(column) for column in columns],
    }


def new_column(name):
    return {"name": name, "nothing": 0, "untrimmed": 0, "formula_like": 0, "kinds": {}, "examples": []}


def add_cell(column, cell):
    value = cell.strip()
    column["untrimmed"] += value != cell
    if value.lower() in NOTHING:
        column["nothing"] += 1
        return
    kind = next((name for name, pattern in KINDS if pattern.fullmatch(value)), "text")
    column["kinds"][kind] = column["kinds"].get(kind, 0) + 1
    column["formula_like"] += kind == "text" and value[0] in "=+-@"
    if len(column["examples"]) < 3 and value not in column["examples"]:
        column["examples"].append(value[:60])


def finish_column(column):
    return {**column, "kinds": dict(sorted(column["kinds"].items(), key=lambda item: -item[1]))}


def print_report(report):
    print(f"encoding {report['encoding']}, delimiter {report['delimiter']!r}")
    print(f"{report['rows']} rows, {report['blank_rows']} blank, {report['identical_rows']} identical to an earlier one")
    if report["ragged_rows"]:
        places = ", ".join(f"line {r['line']} has {r['fields']}" for r in report["ragged_examples"])
        print(f"{report['ragged_rows']} ragged rows ({len(report['columns'])} fields expected): {places}")
    if report["repeated_headers"]:
        print(f"repeated headers: {', '.join(report['repeated_headers'])}")
    for column in report["columns"]:
        kinds = ", ".join(f"{count} {kind}" for kind, count in column["kinds"].items()) or "no values"
        notes = "".join(
            f"; {column[key]} {words}"
            for key, words in (
                ("nothing", "without a value"),
                ("untrimmed", "with blanks around"),
                ("formula_like", "that a spreadsheet may run"),
            )
            if column[key]
        )
        print(f"- {column['name']!r}: {kinds}{notes}; for example {column['examples']}")


if __name__ == "__main__":
    main()
