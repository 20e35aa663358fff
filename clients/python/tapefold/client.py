"""A client of a Tapefold server."""

import os
import time
import uuid
import warnings

from . import columns, frames
from .days import read_day, read_optional_day, read_range
from .download import download_files
from .errors import InputError, TapefoldError
from .folder import Folder
from .transport import PRODUCTS, Transport

DEFAULT_URL = "http://127.0.0.1:8080"
# Events and trades in one call.
PAGE = 500
# Seconds between two looks at a job of LAB.
JOB_PAUSE_S = 0.25


def connect(**options):
    """A client by the environment: TAPEFOLD_URL, and keys of TAPEFOLD_ORDERS_KEY, _LIVE_, _LAB_, _DATASET_ and _GEO_KEY."""
    found = {product: os.environ.get(f"TAPEFOLD_{product.upper()}_KEY") for product in PRODUCTS}
    keys = {product: key for product, key in found.items() if key}
    return Client(os.environ.get("TAPEFOLD_URL", DEFAULT_URL), keys, **options)


class Client:
    """Calls a server. Null is never 0: a value that is not known is NaN or None, with its reason.

    url: of the server. key: one key, several, or a mapping of product to key
    (`{"lab": "labk_...", "dataset": "labk_..."}`): the product of a key is in its first letters.
    cache: a folder for answers, each compared with its hash when it is read; in memory without.
    Methods that return a frame take `as_`: "pandas", "arrow", "polars" or "duckdb".
    """

    def __init__(self, url=DEFAULT_URL, key=None, **options):
        self._transport = Transport(url, key, **options)
        self.lab = Lab(self._transport)

    def __repr__(self):
        return f"tapefold.Client({self._transport.url!r})"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Closes the connections."""
        self._transport.close()

    # Finished sessions, without a key

    def sessions(self, as_="pandas"):
        """Finished sessions, oldest first: grade of the tape, orders, index and flip at the close."""
        return frames.from_rows(self._get("/api/days")["days"], as_, columns=columns.SESSIONS)

    def session(self, day):
        """One finished session as the archive has it, a dict."""
        return self._get(f"/api/session/{read_day('day', day)}")

    def minutes(self, day, book="measured", as_="pandas"):
        """The levels of a finished session by minute, without a key, of one dealer book."""
        session = self.session(day)
        if book not in session["books"]:
            raise InputError(f"book is {book!r}; it can be {', '.join(session['books'])}.")
        rows = _rows_by_minute(session["minutes"], session["books"][book])
        frame = frames.from_rows(rows, as_, columns=columns.MINUTES, facts=_facts(session))
        return _dated(frame, session["day"], as_)

    def strikes(self, day, book=None, time=None, as_="pandas"):
        """Dealer gamma of calls and puts by minute and strike, $M per index point; without a key.

        time: a minute, HH:MM: only the minutes of its half hour.
        """
        found = self._get(f"/api/session/{read_day('day', day)}/strikes", {"book": book, "time": time})
        rows = [
            {"minute": minute, "strike": strike, "call": call, "put": put}
            for minute, calls, puts in zip(found["minutes"], found["calls"], found["puts"])
            for strike, call, put in zip(found["strikes"] or [], calls, puts)
        ]
        return _dated(frames.from_rows(rows, as_, columns=columns.STRIKES, facts=_facts(found)), found["day"], as_)

    def curves(self, day, book=None, as_="pandas"):
        """Net dealer gamma by minute, were the index at each level; without a key."""
        found = self._get(f"/api/session/{read_day('day', day)}/gamma", {"book": book})
        rows = [
            {"minute": minute, "level": found["from"] + at * found["step"], "net": net}
            for minute, values in zip(found["minutes"], found["net"])
            for at, net in enumerate(values)
        ]
        return _dated(frames.from_rows(rows, as_, columns=columns.CURVES, facts=_facts(found)), found["day"], as_)

    def grades(self):
        """How stated levels turned out, a dict."""
        return self._get("/api/grades")

    # Product orders

    def orders(self, day=None, asof=None, as_="pandas"):
        """The ledger of a session, the largest effect first; the newest without `day`.

        asof: as it was known at that minute, HH:MM. pandas has the rest of the ledger in `attrs`:
        `day`, `asof`, `tape`, `stats`, `simulated`, and `note` where there is one.
        """
        path = "/orders/api/latest" if day is None and asof is None else "/orders/api/day"
        params = {"day": read_optional_day("day", day), "asof": asof}
        if as_ in ("arrow", "polars", "duckdb"):
            frames.load_module(as_)
            found = self._transport.get(path, params, product="orders", accept=frames.ARROW_TYPE)
            return frames.from_arrow(found.body, as_)
        ledger = self._get(path, params, "orders")
        rows = ledger.pop("orders")
        frame = frames.from_rows(rows, as_, columns=columns.ORDERS, facts=ledger)
        return frames.add_instants(frame, "t", ledger["day"] or "")

    def positions(self, as_="pandas"):
        """The positions of the account."""
        found = self._get("/api/positions", product="orders")
        return frames.from_rows(found["positions"], as_, columns=columns.POSITIONS, facts={"max": found["max"]})

    def change_position(self, op, position, idempotency_key=None):
        """Adds, updates or removes a position; made once, however often the call is repeated."""
        return _change(self._transport, "/api/positions", {"op": op, "position": position}, "orders", idempotency_key)

    def check(self, day=None, t=None, id=None, as_="pandas"):
        """The label of each position at a minute, with the counts of its conditions."""
        found = self._get("/api/positions/check", {"day": read_optional_day("day", day), "t": t, "id": id}, "orders")
        checks = found.pop("checks")
        rows = [
            {
                "position_id": one["position_id"],
                "kind": one["kind"],
                "label": one.get("label"),
                **{name: one.get("counts", {}).get(name) for name in ("on", "off", "unknown")},
                "error": one.get("error"),
            }
            for one in checks
        ]
        return frames.from_rows(rows, as_, columns=columns.CHECKS, facts={**found, "checks": checks})

    def conditions(self, id, day=None, t=None, as_="pandas"):
        """The conditions of one position at a minute: value, threshold, state, margin or reason."""
        found = self._get("/api/positions/check", {"day": read_optional_day("day", day), "t": t, "id": id}, "orders")
        checks = found.pop("checks")
        rows = [row for one in checks for row in one.get("conditions", [])]
        return frames.from_rows(rows, as_, columns=columns.CONDITIONS, facts=found)

    def track(self, id, day=None, t=None, as_="pandas"):
        """The label of one position at each minute of the hour up to `t`."""
        found = self._get("/api/positions/track", {"id": id, "day": read_optional_day("day", day), "t": t}, "orders")
        points = found.pop("points")
        rows = [{**point, **point.get("counts", {})} for point in points]
        return frames.from_rows([_without(row, "counts") for row in rows], as_, columns=columns.TRACK, facts=found)

    def entries(self, id, replay=60, as_="pandas"):
        """One position at its entry minute in the last sessions, and what came of it."""
        found = self._get("/api/positions/entries", {"id": id, "replay": replay}, "orders")
        rows = [_entry(entry) for entry in found.pop("entries")]
        return frames.from_rows(rows, as_, columns=columns.ENTRIES, facts=found)

    def events(self, after=0, day=None, type=None, as_="pandas"):
        """Every event of the account's alerts after a number, oldest first, over all pages.

        Give `last` of `attrs` as `after` the next time: so each event comes once.
        """
        day = read_optional_day("day", day)
        rows, more = [], True
        while more:
            params = {"after": after, "limit": PAGE, "day": day, "type": type}
            page = self._get("/api/alerts/events", params, "orders")
            rows += page["events"]
            after, more = page["last"], page["more"]
        return frames.from_rows(rows, as_, columns=columns.EVENTS, facts={"last": after})

    def alerts(self):
        """The alerts of the account, its lines and rules, a dict."""
        return self._get("/api/alerts", product="orders")

    def change_alerts(self, body, idempotency_key=None):
        """Changes alerts, as docs/alerts.md describes; made once, however often it is repeated."""
        return _change(self._transport, "/api/alerts", body, "orders", idempotency_key)

    # Product live

    def levels(self, start=None, end=None, sym="SPX", book=None, as_="pandas"):
        """Levels by minute of the finished sessions from `start` to `end`, both included.

        With one day, of that; without any, of the newest finished session. Sessions without levels
        are left out, with one warning; pandas has their reasons in `attrs["missing"]`. `as_` arrow,
        polars and duckdb are of one session as the server writes it.
        """
        start, end = read_range(start, end)
        if start is None and end is not None:
            message = f"start is missing, and end is {end!r}; give both, such as start={end!r}."
            raise InputError(message, code="bad_day")
        days = [one["day"] for one in self._get("/api/days")["days"]]
        wanted = _choose_days(days, start, end)
        if as_ in ("arrow", "polars", "duckdb") and len(wanted) == 1:
            frames.load_module(as_)
            params = {"sym": sym, "book": book, "day": wanted[0]}
            found = self._transport.get("/api/v1/history", params, product="live", accept=frames.ARROW_TYPE)
            return frames.from_arrow(found.body, as_)
        parts, missing, facts = [], {}, {}
        for day in wanted:
            try:
                found = self._get("/api/v1/history", {"sym": sym, "book": book, "day": day}, "live")
            except TapefoldError as error:
                if error.code != "no_data":
                    raise
                missing[day] = str(error)
                continue
            facts = {name: found.get(name) for name in ("book", "sym", "simulated", "gamma_reason")}
            parts += _rows_by_minute(found["minutes"], found, found["day"])
        if missing:
            warnings.warn(f"{len(missing)} of {len(wanted)} sessions have no levels, such as {min(missing)}", stacklevel=2)
        frame = frames.from_rows(parts, as_, columns=columns.LEVELS, facts={**facts, "missing": missing})
        return frames.add_instants(frame) if as_ == "pandas" else frame

    def level(self, sym="SPX", day=None, time=None, book=None, g=None, expiry=None, as_="pandas"):
        """Levels of one minute, a row a symbol: the newest minute without `day` and `time`."""
        params = {"sym": sym, "day": read_optional_day("day", day), "time": time, "book": book, "g": g, "expiry": expiry}
        found = self._get("/api/v1/levels", params, "live")
        rows = found.pop("symbols")
        return frames.from_rows(rows, as_, columns=columns.LEVEL, facts=found)

    def gamma(self, sym="SPX", day=None, time=None, book=None, g=None, exposure=None):
        """Dealer gamma by strike at one minute, and an exposure by strike and expiry, a dict."""
        params = {"sym": sym, "day": read_optional_day("day", day), "time": time, "book": book, "g": g, "exposure": exposure}
        return self._get("/api/v1/gamma", params, "live")

    def flow(self, day=None, part="all", span="day", as_="pandas"):
        """What customers bought, delta and gamma by minute with 90 % intervals; the newest session without `day`."""
        found = self._get("/api/v1/flow", {"sym": "SPX", "day": read_optional_day("day", day), "part": part, "span": span}, "live")
        facts = {name: value for name, value in found.items() if not isinstance(value, list)}
        rows = _rows_by_minute(found["minutes"], found, found["day"])
        frame = frames.from_rows(rows, as_, columns=columns.FLOW, facts=facts)
        return frames.add_instants(frame) if as_ == "pandas" else frame

    def levels_text(self, sym="SPX", **params):
        """Levels as text for charts."""
        wanted = {"sym": sym, **params}
        return self._transport.get("/api/v1/levels.txt", wanted, product="live", accept="text/plain").body.decode()

    def symbols(self, as_="pandas"):
        """Symbols that levels can be asked of."""
        return frames.from_rows(self._get("/api/v1/symbols", product="live")["symbols"], as_, columns=columns.SYMBOLS)

    # Product geo

    def geo_items(self, as_="pandas", **params):
        """Public records by week and country, over all pages; parameters as docs/geo.md lists them."""
        rows, cursor = [], None
        while True:
            page = self._get("/geo/items", {**params, "cursor": cursor})
            rows += page["items"]
            cursor = page.get("next_cursor")
            if cursor is None:
                return frames.from_rows(rows, as_, columns=columns.GEO_ITEMS)

    # Files

    def files(self, as_="pandas"):
        """Dataset files of the finished sessions, with rows, bytes and SHA-256. Product dataset."""
        return frames.from_rows(self._get("/snapshots/index.json", product="dataset")["files"], as_, columns=columns.FILES)

    def download(self, folder, datasets=None, start=None, end=None):
        """Downloads dataset files and returns the folder, opened. Product dataset.

        A download that broke off goes on where it stopped; each file is compared with its SHA-256
        and has its name only then. Files that are there whole are not fetched again.
        """
        start, end = read_range(start, end)
        index = self._get("/snapshots/index.json", product="dataset")
        files = index["files"]
        names = [datasets] if isinstance(datasets, str) else datasets
        there = {entry["dataset"] for entry in files}
        for name in names or []:
            if name not in there:
                raise InputError(f"there is no dataset {name!r}; the server has {', '.join(sorted(there))}.")
        wanted = [
            entry
            for entry in files
            if (names is None or entry["dataset"] in names)
            and (start is None or entry["day"] >= start)
            and (end is None or entry["day"] <= end)
        ]
        if not wanted:
            listed = sorted({entry["day"] for entry in files})
            warnings.warn(f"nothing to download: {_no_sessions(listed, start, end)}", stacklevel=2)
        # what is true of a day stands with each of its files, as others may come from a later list
        facts = {one["day"]: {name: one.get(name) for name in ("simulated", "revision")} for one in index["days"]}
        wanted = [{**entry, **facts.get(entry["day"], {})} for entry in wanted]
        download_files(self._transport, "/snapshots", wanted, folder, "dataset")
        return Folder(folder)

    def sample(self, folder):
        """Downloads one simulated session with its tape and the truth, without a key; opened."""
        index = self._get("/snapshots/sample/index.json")
        facts = {name: index[name] for name in ("simulated", "revision")}
        files = [{**entry, **facts} for entry in index["files"]]
        download_files(self._transport, "/snapshots/sample", files, folder, None)
        return Folder(folder)

    # Tools for assistants

    def tool(self, server, name, **arguments):
        """Calls an MCP tool of `orders` or `lab`; returns its structured answer, a dict."""
        result = self._rpc(server, "tools/call", {"name": name, "arguments": arguments})
        if result.get("isError"):
            raise TapefoldError(result["content"][0]["text"], code="tool")
        return result["structuredContent"]

    def tools(self, server):
        """Names of the MCP tools of `orders` or `lab`."""
        return [tool["name"] for tool in self._rpc(server, "tools/list", {})["tools"]]

    def _rpc(self, server, method, params):
        paths = {"orders": "/orders/mcp", "lab": "/mcp"}
        if server not in paths:
            raise InputError(f"server is {server!r}; it can be orders or lab.")
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
        # a tool may change something: a call that failed half way is not sent again
        answer = self._transport.post(paths[server], body, product=server, headers=headers, may_repeat=False).json
        if "error" in answer:
            raise TapefoldError(answer["error"]["message"], code=str(answer["error"]["code"]))
        return answer["result"]

    def _get(self, path, params=None, product=None):
        return self._transport.get(path, params, product=product).json


class Lab:
    """Ideas of LAB: turned into rules, and tested. Product lab."""

    def __init__(self, transport):
        self._transport = transport

    def chat(self, message, id=None):
        """A rule (`kind` is spec), a question (chat) or why there is no rule (error), a dict."""
        body = {"message": message} if id is None else {"message": message, "id": id}
        return _change(self._transport, "/api/lab/chat", body, "lab")

    def state(self):
        """The ideas of the account, the conveyor and the credits, a dict."""
        return self._get("/api/lab/state")

    def vocabulary(self):
        """Every phrase, structure, condition and limit, a dict."""
        return self._get("/api/lab/vocabulary")

    def act(self, id, action, **fields):
        """What becomes of an idea: desk, drop, delete or set, a dict."""
        body = {"id": id, "action": action, **fields}
        return self._transport.post("/api/lab/idea", body, product="lab", may_repeat=False).json

    def run(self, id, kind="backtest", wait_s=600):
        """Tests an idea for a credit and returns the result, a dict; fails when it failed.

        wait_s: how long to wait; after it a TapefoldError with the code `running`, and `result`
        has it later. A call that is repeated starts no second test.
        """
        body = {"id": id, "kind": kind}
        begun = _change(self._transport, "/api/lab/run", body, "lab", headers={"prefer": "respond-async"})
        if "result" in begun:
            return begun["result"]
        job = begun["job"]["id"]
        until = time.monotonic() + wait_s
        while True:
            found = self._get("/api/struct/job", {"id": job})
            if "result" in found:
                return found["result"]
            if found["job"]["state"] == "failed":
                raise TapefoldError(str(found["job"].get("error")), code="failed", details=found["job"])
            if time.monotonic() > until:
                raise TapefoldError(f"{job} still runs; ask for its result later.", code="running", details=found["job"])
            time.sleep(JOB_PAUSE_S)

    def result(self, id, kind="backtest"):
        """What the newest test of an idea found, a dict."""
        return self._get("/api/lab/result", {"id": id, "kind": kind})

    def trades(self, job, as_="pandas"):
        """Every trade behind a result, over all pages; `missed` says why a chance was none."""
        if as_ in ("arrow", "polars", "duckdb"):
            frames.load_module(as_)
            found = self._transport.get("/api/lab/trades", {"job": job}, product="lab", accept=frames.ARROW_TYPE)
            return frames.from_arrow(found.body, as_)
        rows, total = [], None
        while total is None or len(rows) < total:
            page = self._get("/api/lab/trades", {"job": job, "start": len(rows), "count": PAGE})
            total = page["total"]
            rows += page["trades"]
            if not page["trades"]:
                break
        return frames.from_rows(rows, as_, columns=columns.TRADES, facts={"job": job})

    def _get(self, path, params=None):
        return self._transport.get(path, params, product="lab").json


def _change(transport, path, body, product, idempotency_key=None, headers=None):
    """A change with an Idempotency-Key: it is made once, however often the call is repeated."""
    key = idempotency_key or str(uuid.uuid4())
    return transport.post(path, body, product=product, headers={"idempotency-key": key, **(headers or {})}).json


def _choose_days(days, start, end):
    """Days from `start` to `end`; the newest without any. One warning when there is none."""
    if start is None:
        wanted = days[-1:]
    else:
        wanted = [day for day in days if start <= day <= (end or start)]
    if not wanted:
        warnings.warn(_no_sessions(days, start, end or start), stacklevel=3)
    return wanted


def _no_sessions(days, start, end):
    there = f"; there are those from {days[0]} to {days[-1]}" if days else " at all"
    range_ = "" if start is None and end is None else f" from {start or 'the first'} to {end or 'the last'}"
    return f"the server has no finished session{range_}{there}"


def _facts(found):
    return {name: found.get(name) for name in ("day", "revision", "simulated", "reason") if name in found}


def _rows_by_minute(minutes, found, day=None):
    lists = {name: values for name, values in found.items() if isinstance(values, list) and name != "minutes"}
    start = {} if day is None else {"day": day}
    return [
        {**start, "minute": minute, **{name: values[at] for name, values in lists.items()}}
        for at, minute in enumerate(minutes)
    ]


def _dated(frame, day, as_):
    return frames.add_instants(frame, day=day) if as_ == "pandas" else frame


def _without(row, name):
    return {key: value for key, value in row.items() if key != name}


def _entry(entry):
    """An entry of a log as one row: its label and counts, and its outcome by name."""
    row = _without(_without(_without(entry, "counts"), "conditions"), "shorts")
    outcome = row.pop("outcome", None) or {}
    return {**row, **entry.get("counts", {}), **outcome}
