"""Places in other people's files that must read differently in this page, each with its reason."""

import re

# Texts that occur exactly once, so that a new version of a package cannot slip past.
PLACES: dict[str, dict[str, list[tuple[str, str]]]] = {
    "numpy": {
        # Documentation is not shipped; numpy hands its own to C functions while it is imported.
        "numpy/_core/__init__.py": [
            ("from . import _add_newdocs\nfrom . import _add_newdocs_scalars\n", ""),
        ],
        "numpy/_core/overrides.py": [
            (
                "add_docstring(implementation, dispatcher.__doc__)",
                'add_docstring(implementation, dispatcher.__doc__ or "")',
            ),
        ],
    },
    "panel": {
        "panel/io/pyodide.py": [
            # Teaches pandas to read from addresses; the page has no pandas and asks no address.
            ("if pyodide_http is None:\n    import pandas\n", "if False:\n    import pandas\n"),
            # Evaluates JavaScript at import, which the page's policy refuses; nothing here uses it.
            ("_dict_converter = pyodide.code.run_js(", "_dict_converter = ("),
        ],
    },
}

# Servers that code in a package could ask for files, by what they would be asked for. In everything
# shipped their names get an ending that leads nowhere by definition, so that nothing is even tried.
SERVERS = {
    r"cdn\.[\w.-]*[a-z]": "scripts and styles of Panel, Bokeh, MathJax and Pyodide's own packages",
    r"(?:unpkg\.com|esm\.sh|cdnjs\.cloudflare\.com)": "scripts of Panel's extensions",
    r"registry\.[\w.-]*[a-z]": "archives Panel's bundler unpacks on a developer's machine",
    r"(?:fonts\.(?:googleapis|gstatic)\.com|use\.fontawesome\.com)": "fonts of Panel's templates",
    r"maps\.googleapis\.com": "Bokeh's Google maps",
    r"(?:\w\.)?tile\.openstreetmap\.org": "Bokeh's map tiles",
    r"api\.mapbox\.com": "styles of Panel's deck.gl pane",
    r"lib\.vizzuhq\.com": "scripts of Panel's Vizzu pane",
    r"octopart\.com": "the sample data of Bokeh's table library",
}
NOWHERE = ".invalid"
_SERVER = re.compile(rf"(?<=://)(?![\w.-]*\{NOWHERE})(?:{'|'.join(SERVERS)})(?![\w.-])")


def away(text: str) -> str:
    """Point every server of SERVERS to nowhere."""
    return _SERVER.sub(lambda match: match[0] + NOWHERE, text)


def pattern() -> str:
    """Return the expression of `away`, for where this module cannot be imported."""
    return _SERVER.pattern
