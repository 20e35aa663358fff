"""Rows as a data frame of the caller's choice."""

import importlib
import io

from .errors import InputError, MissingModuleError

KINDS = ("pandas", "arrow", "polars", "duckdb")
ARROW_TYPE = "application/vnd.apache.arrow.stream"
# The module of a kind, and the extra of this package that installs it.
MODULES = {"pandas": "pandas", "arrow": "pyarrow", "polars": "polars", "duckdb": "duckdb"}


def load_module(kind):
    """The module that a kind needs; fails with the command that installs it."""
    if kind not in KINDS:
        raise InputError(f"as_ is {kind!r}; it can be {', '.join(KINDS)}.")
    try:
        return importlib.import_module(MODULES[kind])
    except ImportError as error:
        message = f"as_={kind!r} needs {MODULES[kind]}: pip install 'tapefold[{kind}]'"
        raise MissingModuleError(message, code="not_installed") from error


def is_there(module):
    """True when a module can be imported."""
    try:
        importlib.import_module(module)
        return True
    except ImportError:
        return False


def from_rows(rows, kind="pandas", *, columns=None, facts=None):
    """A frame of rows, which are mappings. facts: what is true of all rows; pandas has it in `attrs`.

    columns: names, or names and their types in pandas, as `columns.py` has them. They are those of a
    frame without rows, and their types hold also where every value is null. A column that only some
    rows have is null in the others.
    """
    module = load_module(kind)
    types = columns if isinstance(columns, dict) else dict.fromkeys(columns or [])
    found = dict.fromkeys(name for row in rows for name in row)
    names = [*(name for name in types if name in found or not rows), *(name for name in found if name not in types)]
    values = {name: _as_type([row.get(name) for row in rows], types.get(name)) for name in names}
    if kind == "arrow":
        own = {"float64": module.float64(), "Int64": module.int64(), "boolean": module.bool_()}
        return module.table({name: module.array(values[name], type=own.get(types.get(name))) for name in names})
    if kind == "polars":
        own = {"float64": module.Float64, "Int64": module.Int64, "boolean": module.Boolean}
        overrides = {name: own[types[name]] for name in names if types.get(name) in own}
        return module.DataFrame(values, schema_overrides=overrides, strict=False)
    import pandas

    # without rows there is nothing by which to find a type
    kinds = {name: types.get(name) if rows else types.get(name) or "object" for name in names}
    frame = pandas.DataFrame(
        {
            name: pandas.Series(values[name], dtype=None if rows and kinds[name] == "object" else kinds[name])
            for name in names
        }
    )
    frame.attrs.update(facts or {})
    return module.from_df(frame) if kind == "duckdb" else frame


def _as_type(values, kind):
    return [None if value is None else float(value) for value in values] if kind == "float64" else values


def from_arrow(body, kind):
    """A frame of a stream of Arrow: arrow, polars or duckdb."""
    if kind == "polars":
        return load_module("polars").read_ipc_stream(io.BytesIO(body))
    load_module("arrow")
    ipc = importlib.import_module("pyarrow.ipc")
    table = ipc.open_stream(io.BytesIO(body)).read_all()
    return load_module("duckdb").from_arrow(table) if kind == "duckdb" else table


def add_instants(frame, minute="minute", day=None):
    """Adds `at` to a pandas frame: the minute of its row as an instant with the zone of New York.

    day: of all rows; that of each row without.
    """
    import pandas

    days = frame["day"] if day is None else day
    text = (days + " " + frame[minute]).astype("object")
    frame["at"] = pandas.to_datetime(text).dt.tz_localize("America/New_York")
    return frame
