"""Runs inside Pyodide: turns Python sources into the bytecode of the interpreter that reads it.

Input: a list of {from, to, name, optimize, entries?, rewrites?}. `from` is an archive, of which the
entries are taken, or one source file; `name` is the folder (or the file) as the page's interpreter
will see it, for tracebacks; `optimize` is the level, or null to leave sources as they are.
"""

import importlib.util
import marshal
import re
import zipfile

# Flags 1: checked against no source, as none is shipped.
HEADER = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)


def bytecode(text, name, optimize):
    code = compile(text, name, "exec", dont_inherit=True, optimize=optimize)
    return HEADER + marshal.dumps(code)


def convert(archive, target, row):
    """Copy an archive, stored, with fixed dates; compile its modules, rewrite its texts."""
    rewrites = row["rewrites"]
    for entry in row["entries"]:
        data = archive.read(entry)
        if entry.endswith((".py", ".html", ".js", ".css", ".json")):
            data = re.sub(row["servers"], rf"\g<0>{row['nowhere']}", data.decode()).encode()
        if entry.endswith("/METADATA"):
            data = data.partition(b"\n\n")[0] + b"\n"  # the headers; what follows is a README
        for old, new in rewrites.pop(entry, []):
            if data.count(old.encode()) != 1:
                raise SystemExit(f"{entry} holds {old!r} not once; the rewrite must be looked at")
            data = data.replace(old.encode(), new.encode())
        if entry.endswith(".py") and row["optimize"] is not None:
            data = bytecode(data, f"{row['name']}/{entry}", row["optimize"])
            entry += "c"
        target.writestr(zipfile.ZipInfo(entry), data)
    if rewrites:
        raise SystemExit(f"nothing to rewrite in {sorted(rewrites)}")


for row in given:  # noqa: F821
    if "entries" in row:
        with zipfile.ZipFile(row["from"]) as archive, zipfile.ZipFile(row["to"], "w") as target:
            convert(archive, target, row)
    else:
        with open(row["from"], "rb") as source, open(row["to"], "wb") as target:
            target.write(bytecode(source.read(), row["name"], row["optimize"]))
