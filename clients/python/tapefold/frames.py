"""Rows as a data frame of the caller's choice."""

import importlib
import io

KINDS = ("pandas", "arrow", "polars", "duckdb")
ARROW_TYPE = "application/vnd.apache.arrow.stream"
# The module of a kind, and the extra of this package that installs it.
MODULES = {"pandas": "pandas", "arrow": "pyarrow", "polars": "polars", "duckdb": "duckdb"}


def load_module(kind):
    """The module that a kind needs; fails with the command that installs it."""
    if kind not in KINDS:
        raise ValueError(f"as_ is {kind!r}; it can be {', '.join(KINDS)}.")
    try:
        return importlib.import_module(MODULES[kind])
    except ImportError as error:
        raise ImportError(f"as_={kind!r} needs {MODULES[kind]}: pip install 'tapefold[{kind}]'") from error


def is_there(module):
    """True when a module can be imported."""
    try:
        importlib.import_module(module)
        return True
    except ImportError:
        return False


def from_rows(rows, kind="pandas", *, columns=None, facts=None):
    """A frame of rows, which are mappings. facts: what is true of all rows; pandas has it in `attrs`."""
    module = load_module(kind)
    names = list(rows[0]) if rows and columns is None else list(columns or [])
    if kind == "arrow":
        return module.Table.from_pylist(rows) if rows else module.table({name: [] for name in names})
    if kind == "polars":
        return module.DataFrame(rows, infer_schema_length=None) if rows else module.DataFrame({name: [] for name in names})
    import pandas

    frame = pandas.DataFrame(rows, columns=names)
    frame.attrs.update(facts or {})
    return module.from_df(frame) if kind == "duckdb" else frame


def from_arrow(body, kind):
    """A frame of a stream of Arrow: arrow, polars or duckdb."""
    if kind == "polars":
        return load_module("polars").read_ipc_stream(io.BytesIO(body))
    load_module("arrow")
    ipc = importlib.import_module("pyarrow.ipc")
    table = ipc.open_stream(io.BytesIO(body)).read_all()
    return load_module("duckdb").from_arrow(table) if kind == "duckdb" else table


def add_instants(frame, minute="minute", day=None):
    """Adds `at` to a pandas frame: the minute of its row as an instant with the zone of New York."""
    import pandas

    if len(frame) == 0:
        return frame
    days = frame["day"] if day is None else day
    text = days + " " + frame[minute]
    frame["at"] = pandas.to_datetime(text).dt.tz_localize("America/New_York")
    return frame
