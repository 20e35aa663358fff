"""Published files of a folder: a data folder of Tapefold, or one that was downloaded."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from . import columns, frames
from .days import read_day, read_range
from .download import file_hash, read_index, read_list
from .errors import InputError, MissingFolderError, MissingModuleError, TapefoldError

# the newest format of a manifest that this version reads
MANIFEST_FORMAT = 2

ENGINES = ("duckdb", "polars", "pyarrow", "tapefold")
# An instant, as DuckDB names its type.
ZONED = "TIMESTAMP WITH TIME ZONE"


def open_folder(folder, engine=None, program=None, verify=True):
    """Opens a data folder, such as data/demo, or a folder of downloaded files.

    engine: reads the Parquet files: duckdb, polars, pyarrow, or tapefold, which is the program
    itself (`program`, TAPEFOLD_PROGRAM, or on the path). The first that is there without.
    verify: compares a file with its SHA-256 before it is first read, and again when it has changed;
    a file that is damaged or missing is a TapefoldError with the code `damaged`.
    """
    return Folder(folder, engine, program, verify)


class Folder:
    """Datasets of a folder by name: only current files, never those that were replaced."""

    def __init__(self, folder, engine=None, program=None, verify=True):
        self.path = Path(folder)
        self._program = program or os.environ.get("TAPEFOLD_PROGRAM") or shutil.which("tapefold")
        if engine is not None and engine not in ENGINES:
            raise InputError(f"engine is {engine!r}; it can be {', '.join(ENGINES)}.")
        self._engine = engine
        self._verify = verify
        # path, time of change and size of the files that were whole
        self._whole = set()
        self._manifests = self.path / "published" / "manifests"
        if not self._manifests.is_dir() and not (self.path / "index.json").exists():
            raise MissingFolderError(
                f"{folder} has neither published/manifests nor index.json; give a data folder, such as data/demo."
            )

    def __repr__(self):
        return f"tapefold.open({str(self.path)!r})"

    def files(self, dataset=None, start=None, end=None):
        """Current files, oldest session first: mappings of dataset, day, rows, bytes, sha256, path."""
        start, end = read_range(start, end)
        return [
            entry
            for entry in self._list()
            if (dataset is None or entry["dataset"] == dataset)
            and (start is None or entry["day"] >= start)
            and (end is None or entry["day"] <= end)
        ]

    def datasets(self):
        """Names of the datasets that the folder has."""
        return sorted({entry["dataset"] for entry in self._list()})

    def sessions(self, as_="pandas"):
        """Days of the folder, with their number of datasets and rows, and whether they are simulated."""
        days = {}
        for entry in self._list():
            start = {"day": entry["day"], "datasets": 0, "rows": 0, "simulated": entry.get("simulated")}
            row = days.setdefault(entry["day"], start)
            row["datasets"] += 1
            row["rows"] += entry["rows"]
        return frames.from_rows([days[day] for day in sorted(days)], as_, columns=columns.FOLDER_SESSIONS)

    def dataset(self, name, start=None, end=None, as_="pandas"):
        """The rows of a dataset, of the sessions from `start` to `end`, both included.

        Instants of pandas have the zone UTC; whole numbers that may be null are Int64. `attrs` has `simulated`
        (null where the list of the folder does not say), `files`, and `day`, `revision` and `asof` of one session.
        """
        files = self.files(name, start, end)
        if not files:
            raise self._absence(name, *read_range(start, end))
        self._prove(files)
        return _with_facts(self._read([str(entry["path"]) for entry in files], as_), files, as_)

    def orders(self, day, as_="pandas"):
        """Every rebuilt order of a session, the dataset `orders`; the ledger is those with `is_in_ledger`."""
        day = read_day("day", day)
        return self.dataset("orders", day, day, as_)

    def levels(self, start=None, end=None, as_="pandas"):
        """Levels by minute of all three books, the dataset `levels`; `book_basis` is measured, vol or oi."""
        return self.dataset("levels", start, start if end is None else end, as_)

    def strikes(self, day, as_="pandas"):
        """Dealer gamma by minute and strike: the dataset `strikes`."""
        day = read_day("day", day)
        return self.dataset("strikes", day, day, as_)

    def sql(self, query, as_="pandas"):
        """The rows of one DuckDB query over the datasets, each a view by its name."""
        engine = self._choose(("duckdb", "tapefold"))
        # a query that does not name a dataset does not read its files
        read = [
            entry
            for name in self.datasets()
            if re.search(rf"\b{re.escape(name)}\b", query, re.IGNORECASE)
            for entry in self.files(name)
        ]
        self._prove(read)
        return _with_facts(self._query(engine, query, as_), read, as_)

    def _query(self, engine, query, as_):
        if engine == "tapefold":
            frames.load_module(as_)
            try:
                return self._ask_program(f"with {self._views()} select * from ({query.strip().rstrip(';')})", as_)
            except TapefoldError:
                self._parse(query)
                raise
        duckdb = frames.load_module("duckdb")
        connection = _connect(duckdb)
        for name in self.datasets():
            connection.execute(f"create view {name} as {_select(self._paths(name))}")
        try:
            relation = connection.sql(query)
            if relation is None:
                raise _no_query(query, "it has no rows")
            return _from_relation(relation, as_)
        except duckdb.ParserException as error:
            raise _no_query(query, str(error).splitlines()[0].removeprefix("Parser Error: ")) from error
        except duckdb.Error as error:
            raise TapefoldError(f"the query failed: {str(error).splitlines()[0]}") from error

    def views(self):
        """SQL that makes every dataset a view over its current files, for any DuckDB; it compares no hash."""
        return "".join(f"create or replace view {name} as {_select(self._paths(name))};\n" for name in self.datasets())

    def _parse(self, query):
        """Fails with the parser's sentence where a query is none; that of a query around it names another place."""
        text = query.replace("'", "''")
        [row] = self._run_program(f"select json_serialize_sql('{text}') as parsed")
        parsed = json.loads(row["parsed"])
        if parsed["error"]:
            raise _no_query(query, parsed["error_message"])

    def _absence(self, name, start, end):
        """Why no file is chosen."""
        days = sorted(entry["day"] for entry in self._list() if entry["dataset"] == name)
        if not days:
            there = ", ".join(self.datasets()) or "none at all"
            return InputError(f"{self.path} has no file of {name!r}; it has {there}.", code="not_found")
        when = f"of {start}" if start == end else f"from {start or 'the first'} to {end or 'the last'}"
        message = f"{self.path} has no file of {name!r} {when}; it has those from {days[0]} to {days[-1]}."
        return TapefoldError(message, code="not_found")

    def _prove(self, entries):
        """Compares files with their SHA-256, each once while it is the same file."""
        if not self._verify:
            return
        for entry in entries:
            path = entry["path"]
            try:
                found = path.stat()
                stamp = (str(path), found.st_mtime_ns, found.st_size)
                if stamp in self._whole:
                    continue
                is_whole = found.st_size == entry["bytes"] and file_hash(path) == entry["sha256"]
            except OSError as error:
                raise _damaged(path, f"cannot be read: {error.strerror}") from error
            if not is_whole:
                raise _damaged(path, "is damaged: its bytes are not those that were published")
            self._whole.add(stamp)

    def _views(self):
        return ", ".join(f"{name} as ({_select(self._paths(name))})" for name in self.datasets())

    def _paths(self, name):
        return [str(entry["path"].resolve()) for entry in self.files(name)]

    def _list(self):
        if not self._manifests.is_dir():
            return [{**entry, "path": self.path / entry["file"]} for entry in read_index(self.path)]
        entries = []
        for path in sorted(self._manifests.glob("????-??-??.json")):
            manifest = read_list(path)
            if manifest.get("format", 1) > MANIFEST_FORMAT:
                raise TapefoldError(f"{path} was written by a newer version of Tapefold: update this package.")
            for name, entry in manifest["datasets"].items():
                facts = {key: entry[key] for key in ("file", "rows", "bytes", "sha256")}
                facts.update({key: manifest.get(key) for key in ("simulated", "revision", "asof")})
                place = self.path / "published" / entry["file"]
                entries.append({"dataset": name, "day": manifest["session_date"], **facts, "path": place})
        return entries

    def _choose(self, engines):
        if self._engine is not None:
            if self._engine not in engines:
                raise InputError(f"the engine {self._engine} has no SQL; open the folder with duckdb or tapefold.")
            return self._engine
        for engine in engines:
            if self._program is not None if engine == "tapefold" else frames.is_there(engine):
                return engine
        raise MissingModuleError(
            "no engine reads Parquet here: pip install 'tapefold[duckdb]', or set TAPEFOLD_PROGRAM to bin/tapefold."
        )

    def _read(self, paths, as_):
        native = {"polars": ("polars", "duckdb"), "arrow": ("pyarrow", "duckdb"), "duckdb": ("duckdb",)}.get(as_, ENGINES)
        frames.load_module(as_)
        engine = self._choose(native)
        if engine == "tapefold":
            return self._ask_program(_select([str(Path(path).resolve()) for path in paths]), as_)
        if engine == "duckdb":
            connection = _connect(frames.load_module("duckdb"))
            return _from_relation(connection.sql(_select(paths)), as_)
        if engine == "polars":
            polars = frames.load_module("polars")
            frame = polars.concat([polars.read_parquet(path) for path in paths], how="diagonal_relaxed")
            if as_ == "polars":
                return frame
            return tidy(_rows_frame(frame.to_dicts(), frame.columns), {n: str(t) for n, t in frame.schema.items()})
        parquet = __import__("pyarrow.parquet", fromlist=["parquet"])
        pyarrow = frames.load_module("arrow")
        tables = [parquet.read_table(path, partitioning=None) for path in paths]
        table = pyarrow.concat_tables(tables, promote_options="default")
        if as_ == "arrow":
            return table
        return tidy(_rows_frame(table.to_pylist(), table.column_names), {f.name: str(f.type) for f in table.schema})

    def _ask_program(self, query, as_):
        types = {row["column_name"]: row["column_type"] for row in self._run_program(f"describe {query}")}
        rows = self._run_program(query)
        if as_ != "pandas":
            return frames.from_rows(rows, as_, columns=list(types))
        return tidy(_rows_frame(rows, list(types)), types)

    def _run_program(self, query):
        command = [self._program, "sql", query, "--format", "json", "--data", str(self.path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            place = f"program is {str(self._program)!r}, which cannot be run: {error.strerror}"
            message = f"{place}; give its whole path, such as $PWD/bin/tapefold."
            raise MissingModuleError(message, code="not_installed") from error
        if done.returncode != 0:
            raise TapefoldError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "tapefold failed.")
        return json.loads(done.stdout)


def _with_facts(frame, files, as_):
    """Puts into `attrs` of a pandas frame of which files its rows are, and what is true of all of these."""
    if as_ != "pandas":
        return frame
    names = ("dataset", "day", "revision", "asof", "simulated", "sha256")
    frame.attrs["files"] = [{name: entry.get(name) for name in names} for entry in files]
    for name in ("day", "revision", "asof"):
        [value, *others] = {entry.get(name) for entry in files} or {None}
        if value is not None and not others:
            frame.attrs[name] = value
    # one simulated file is enough: rows of it would pass for real ones
    found = {entry.get("simulated") for entry in files} or {None}
    frame.attrs["simulated"] = True if True in found else None if None in found else False
    return frame


def _no_query(query, fault):
    return InputError(f"query is {query!r}: {fault}; give one SELECT, such as 'select * from levels'.")


def _damaged(path, fault):
    message = f"{path} {fault}; download or build it again, or see its rows as they are with open(..., verify=False)."
    return TapefoldError(message, code="damaged")


def _select(paths):
    listed = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
    return f"select * from read_parquet([{listed}], hive_partitioning = false, union_by_name = true)"


def _connect(duckdb):
    connection = duckdb.connect()
    connection.execute("set timezone = 'UTC'")
    return connection


def _from_relation(relation, as_):
    if as_ == "duckdb":
        return relation
    if as_ == "arrow":
        return relation.fetch_arrow_table()
    if as_ == "polars":
        frames.load_module("arrow")
        return relation.pl()
    names = relation.columns
    kinds = [str(kind) for kind in relation.types]
    # of an instant with a zone DuckDB makes an object of pytz, which it does not install
    cells = ", ".join(
        f"cast(#{at} as {kind.replace(ZONED, 'TIMESTAMP')})" if ZONED in kind else f"#{at}"
        for at, kind in enumerate(kinds, 1)
    )
    rows = [dict(zip(names, row)) for row in relation.project(cells).fetchall()]
    return tidy(_rows_frame(rows, names), dict(zip(names, kinds)))


def _rows_frame(rows, names):
    import pandas

    return pandas.DataFrame({name: pandas.Series([row[name] for row in rows], dtype=object) for name in names})


def tidy(frame, types):
    """A pandas frame with the same types whichever engine read it.

    types: name of a column and its type, as the engine writes it. Instants get the zone UTC,
    whole numbers Int64, truth values boolean, numbers float64; dates and texts stay objects.
    """
    import pandas

    for name, kind in types.items():
        text = kind.lower()
        if text.endswith("[]") or text.startswith(("list", "large_list", "struct")):
            continue
        if text.startswith(("timestamp", "datetime")):
            frame[name] = pandas.to_datetime(frame[name], utc=True)
        elif text.startswith("date"):
            frame[name] = frame[name].map(lambda value: None if value is None else str(value)[:10])
        elif text.startswith("bool"):
            frame[name] = frame[name].astype("boolean")
        elif "int" in text:
            # not by way of floats, which have 53 bits
            whole = [None if value is None else int(value) for value in frame[name]]
            frame[name] = pandas.array(whole, dtype="Int64")
        elif text.startswith(("double", "float", "decimal")):
            frame[name] = frame[name].map(lambda value: float("nan") if value is None else float(value)).astype("float64")
    return frame
