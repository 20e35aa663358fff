"""Every method on a real server: what it returns is what the server wrote, to the last digit.

The server is named by TAPEFOLD_URL and its keys by TAPEFOLD_*_KEY: `npm test` starts one.
"""

import csv
import io
import json
import math
import os
import tempfile
import unittest
import urllib.request
from pathlib import Path

import pandas

import tapefold as tf
from tapefold import columns as known
from tapefold import frames

URL = os.environ.get("TAPEFOLD_URL")
DAY = "2026-10-15"
KEYS = {name: os.environ.get(f"TAPEFOLD_{name.upper()}_KEY", "") for name in ("orders", "live", "lab", "dataset")}
ENGINES = ("pyarrow", "polars", "duckdb")


def read(path, product=None, accept="application/json"):
    """What the server writes, read without the package."""
    headers = {"Accept": accept}
    if product:
        headers["Authorization"] = f"Bearer {KEYS[product]}"
    with urllib.request.urlopen(urllib.request.Request(URL + path, headers=headers)) as response:
        body = response.read()
    return json.loads(body) if accept == "application/json" else body.decode()


def plain(value):
    """A cell of pandas as JSON has it: a missing one is None."""
    if value is None or value is pandas.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.item() if hasattr(value, "item") else value


def rows(frame, names):
    return [[plain(value) for value in row] for row in frame[names].itertuples(index=False)]


def columns(rows_, names):
    return [[row[name] for name in names] for row in rows_]


def described(path, *steps):
    """Names of an object of the server's OpenAPI file with their types in pandas; and of those that are lists, of the items."""
    document = read("/openapi.json")

    def alternatives(schema):
        while "$ref" in schema:
            found = document
            for name in schema["$ref"].split("/")[1:]:
                found = found[name]
            schema = found
        parts = schema.get("anyOf") or schema.get("oneOf")
        return [one for part in parts for one in alternatives(part)] if parts else [schema]

    def types(schema):
        found = [part.get("type") for part in alternatives(schema)]
        return {name for one in found for name in (one if isinstance(one, list) else [one])} - {"null"}

    schemas = alternatives(document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"])
    for step in steps:
        schemas = [
            one
            for schema in schemas
            if (step == "[]" and "items" in schema) or step in schema.get("properties", {})
            for one in alternatives(schema["items"] if step == "[]" else schema["properties"][step])
        ]
    kinds = {"number": "float64", "integer": "Int64", "boolean": "boolean"}
    properties = {name: value for schema in schemas for name, value in schema.get("properties", {}).items()}
    own = {name: types(value) for name, value in properties.items()}
    items = {name: types(value["items"]) for name, value in properties.items() if "items" in value}

    def to_kinds(found):
        return {name: kinds.get(*one, "object") if len(one) == 1 else "object" for name, one in found.items()}

    return to_kinds(own), to_kinds(items)


@unittest.skipUnless(URL, "TAPEFOLD_URL names no server: npm test starts one")
class ServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = tf.Client(URL, KEYS)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def test_sessions(self):
        days = read("/api/days")["days"]
        self.assertEqual(rows(self.client.sessions(), list(days[0])), columns(days, list(days[0])))
        # days with minutes alone are in no list
        self.assertEqual([day["day"] for day in days], [DAY])

    def test_columns_are_those_of_the_openapi_file(self):
        rows_of = {
            "SESSIONS": ("/api/days", "days", "[]"),
            "ORDERS": ("/orders/api/day", "orders", "[]"),
            "LEVEL": ("/api/v1/levels", "symbols", "[]"),
            "SYMBOLS": ("/api/v1/symbols", "symbols", "[]"),
            "POSITIONS": ("/api/positions", "positions", "[]"),
            "CONDITIONS": ("/api/positions/check", "checks", "[]", "conditions", "[]"),
            "EVENTS": ("/api/alerts/events", "events", "[]"),
            "GEO_ITEMS": ("/geo/items", "items", "[]"),
            "TRADES": ("/api/lab/trades", "trades", "[]"),
        }
        for name, steps in rows_of.items():
            self.assertEqual(getattr(known, name), described(*steps)[0], name)
        counts = described("/api/positions/check", "checks", "[]", "counts")[0]
        for name, steps, inner in (
            ("CHECKS", ("/api/positions/check", "checks", "[]"), {}),
            ("TRACK", ("/api/positions/track", "points", "[]"), {}),
            ("ENTRIES", ("/api/positions/entries", "entries", "[]"),
             described("/api/positions/entries", "entries", "[]", "outcome")[0]),
        ):
            flat = {**described(*steps)[0], **counts, **inner}
            # what stands in a column of its own, or in attrs
            nested = {"counts", "conditions", "shorts", "outcome", "label_counts", "nearest_change", "levels"}
            wanted = {key: kind for key, kind in flat.items() if key not in nested}
            self.assertEqual(getattr(known, name), wanted, name)
        for name, steps in (
            ("MINUTES", ("/api/session/{day}", "books", "measured")),
            ("LEVELS", ("/api/v1/history",)),
            ("FLOW", ("/api/v1/flow",)),
        ):
            lists = {key: kind for key, kind in described(*steps)[1].items() if key != "minutes"}
            found = {key: kind for key, kind in getattr(known, name).items() if key not in ("day", "minute")}
            self.assertEqual(found, lists, name)

    def test_types_hold_without_rows_and_where_all_is_null(self):
        ledger = self.client.orders(DAY)
        empty = self.client.orders("2026-10-14")
        self.assertEqual((len(empty), empty["g"].sum()), (0, 0))
        found = {name: str(kind) for name, kind in empty.dtypes.items()}
        self.assertEqual(found, {**known.ORDERS, "at": "datetime64[ns, America/New_York]"})
        self.assertTrue(set(ledger.columns) <= set(empty.columns))
        self.assertEqual({name: str(kind) for name, kind in ledger.dtypes.items()}.items() - found.items(), set())
        with self.assertWarns(UserWarning):
            levels = self.client.levels("2020-01-01")
        self.assertEqual(list(levels.columns), [*known.LEVELS, "at"])
        self.assertEqual(list(self.client.positions().columns), list(known.POSITIONS))
        oi = self.client.minutes(DAY, "oi")
        for frame, names in (
            (oi, ("flip_lo", "flip_hi", "p_positive", "spot_error")),
            (self.client.levels(DAY, sym="XSP"), ("net_gamma", "spot_error")),
        ):
            for name in names:
                self.assertEqual(str(frame[name].dtype), "float64", name)
        self.assertTrue(oi["flip_lo"].isna().all())
        self.assertTrue((oi["flip_hi"] - oi["flip_lo"]).isna().all())

    def test_a_symbol_that_fails_hides_no_column_of_the_others(self):
        level = self.client.level("ES,SPX", DAY, "11:00")
        written = read(f"/api/v1/levels?sym=ES,SPX&day={DAY}&time=11:00", "live")["symbols"]
        self.assertIn("error", written[0])
        self.assertEqual([plain(value) for value in level["flip"]], [None, written[1]["flip"]])
        self.assertEqual(level["error"].notna().tolist(), [True, False])

    def test_orders_are_the_ledger_as_json_and_as_csv(self):
        ledger = read(f"/orders/api/day?day={DAY}", "orders")
        frame = self.client.orders(DAY)
        names = list(ledger["orders"][0])
        self.assertEqual(rows(frame, names), columns(ledger["orders"], names))
        self.assertEqual((frame.attrs["asof"], frame.attrs["simulated"]), (ledger["asof"], True))
        self.assertEqual(str(frame["at"][0]), f"{DAY} {frame['t'][0]}:00-04:00")
        text = read(f"/orders/api/day?day={DAY}", "orders", "text/csv")
        written = list(csv.DictReader(io.StringIO(text)))
        for name in ("g", "net", "flip", "p", "confidence", "flip_convention"):
            found = [None if row[name] == "" else float(row[name]) for row in written]
            self.assertEqual([row[0] for row in rows(frame, [name])], found, name)
        self.assertEqual(frame["g"].isna().sum(), sum(row["g_null"] != "" for row in written))
        self.assertGreater(len(frame), 20)
        early = self.client.orders(DAY, "10:37")
        self.assertLess(len(early), len(frame))
        self.assertEqual(self.client.orders()["oid"].tolist(), frame["oid"].tolist())
        self.assertEqual(len(self.client.orders("2026-01-02")), 0)

    def test_levels_of_many_sessions_name_those_that_have_none(self):
        found = read(f"/api/v1/history?sym=SPX&day={DAY}", "live")
        frame = self.client.levels("2026-01-01", "2026-12-31")
        self.assertFalse(frame.attrs["missing"])
        names = [name for name, values in found.items() if isinstance(values, list) and name != "minutes"]
        written = [list(row) for row in zip(found["minutes"], *(found[name] for name in names))]
        self.assertEqual(rows(frame, ["minute", *names]), written)
        self.assertEqual(str(frame["at"][0]), f"{DAY} 09:31:00-04:00")
        self.assertEqual(self.client.levels()["flip"].tolist(), frame["flip"].tolist())
        # a range without sessions is empty, and says so; one that is no range is refused
        with self.assertWarnsRegex(UserWarning, "no finished session from 2020-01-01 to 2020-01-31; there are those"):
            self.assertEqual(len(self.client.levels("2020-01-01", "2020-01-31")), 0)
        for start, end in (("2026-10-1", "2026-10-9"), ("2026-9-1", DAY), ("hello", "world"), (DAY, "2026-10-01")):
            with self.assertRaisesRegex(tf.TapefoldError, "^start is "):
                self.client.levels(start, end)
        # a tenth, as the server writes it
        tenth = read(f"/api/v1/history?sym=XSP&day={DAY}", "live")
        self.assertEqual(rows(self.client.levels(DAY, sym="XSP"), ["flip"]), [[value] for value in tenth["flip"]])

    def test_a_level_symbols_gamma_and_text(self):
        path = f"/api/v1/levels?sym=SPX,XSP&day={DAY}&time=11:00&g=3"
        level = self.client.level("SPX,XSP", DAY, "11:00", g=3)
        for name in ("flip", "flip_lo", "gex"):
            self.assertEqual(level[name].tolist(), [one[name] for one in read(path, "live")["symbols"]])
        self.assertEqual(self.client.symbols()["sym"].tolist(), ["SPX", "XSP", "ES", "MES"])
        gamma = self.client.gamma("SPX", DAY, "11:00")
        self.assertEqual(gamma, read(f"/api/v1/gamma?sym=SPX&day={DAY}&time=11:00", "live"))
        text = read(f"/api/v1/levels.txt?sym=SPX&day={DAY}&time=11:00", "live", "text/plain")
        self.assertEqual(self.client.levels_text("SPX", day=DAY, time="11:00"), text)

    def test_flow_by_minute(self):
        found = read(f"/api/v1/flow?sym=SPX&day={DAY}&part=calls&span=5m", "live")
        frame = self.client.flow(DAY, "calls", "5m")
        names = [name for name, values in found.items() if isinstance(values, list) and name != "minutes"]
        self.assertIn("delta_lo", names)
        written = [list(row) for row in zip(found["minutes"], *(found[name] for name in names))]
        self.assertEqual(rows(frame, ["minute", *names]), written)
        self.assertEqual(frame.attrs["part"], "calls")
        self.assertGreater(len(frame), 300)

    def test_minutes_strikes_and_curves_without_a_key(self):
        with tf.Client(URL) as client:
            session = read(f"/api/session/{DAY}")
            book = session["books"]["oi"]
            frame = client.minutes(DAY, "oi")
            written = [list(row) for row in zip(session["minutes"], *book.values())]
            self.assertEqual(rows(frame, ["minute", *book]), written)
            ladder = read(f"/api/session/{DAY}/strikes?time=11:00")
            strikes = client.strikes(DAY, time="11:00")
            self.assertEqual(len(strikes), len(ladder["minutes"]) * len(ladder["strikes"]))
            last = strikes[strikes.minute == "11:29"]
            self.assertEqual(rows(last, ["strike", "call", "put"]), [
                list(row) for row in zip(ladder["strikes"], ladder["calls"][-1], ladder["puts"][-1])
            ])
            curve = read(f"/api/session/{DAY}/gamma?book=oi")
            at = client.curves(DAY, "oi")
            at = at[at.minute == curve["minutes"][100]]
            self.assertEqual([row[0] for row in rows(at, ["net"])], curve["net"][100])
            self.assertEqual(at["level"].iloc[1] - at["level"].iloc[0], curve["step"])
            with self.assertRaisesRegex(tf.TapefoldError, "book is 'x'; it can be measured, vol, oi"):
                client.minutes(DAY, "x")

    def test_positions_are_added_checked_tracked_and_removed(self):
        legs = {"lp": 5930, "sp": 5950}
        change = {"kind": "put_spread", "legs": legs, "entry": "10:30"}
        added = [self.client.change_position("add", change, idempotency_key="one") for _ in range(2)]
        # made once, though it was sent twice
        self.assertEqual(len(self.client.positions()), 1)
        [id] = self.client.positions()["id"]
        self.assertEqual(added[0], added[1])
        written = read(f"/api/positions/check?day={DAY}&t=11:00", "orders")["checks"][0]
        [check] = self.client.check(DAY, "11:00").to_dict("records")
        self.assertEqual((check["label"], check["on"]), (written["label"], written["counts"]["on"]))
        conditions = self.client.conditions(id, DAY, "11:00")
        self.assertEqual(rows(conditions, ["id", "value"]), columns(written["conditions"], ["id", "value"]))
        track = read(f"/api/positions/track?id={id}&day={DAY}&t=11:00", "orders")["points"]
        self.assertEqual(rows(self.client.track(id, DAY, "11:00"), ["t", "label"]), columns(track, ["t", "label"]))
        entries = read(f"/api/positions/entries?id={id}&replay=5", "orders")
        log = self.client.entries(id, 5)
        self.assertEqual(log["worst_points"].tolist(), [one["outcome"]["worst_points"] for one in entries["entries"]])
        self.assertEqual(log.attrs["summary"], entries["summary"])
        self.client.change_position("remove", {"id": id})
        self.assertEqual(len(self.client.positions()), 0)

    def test_events_of_an_account_that_has_none(self):
        frame = self.client.events()
        self.assertEqual((len(frame), frame.attrs["last"]), (0, 0))

    def test_lab_turns_words_into_a_rule_and_tests_it(self):
        lab = self.client.lab
        answer = lab.chat("At 10:00 sell the 10-wide put spread 30 points below spot.")
        self.assertEqual(answer["kind"], "spec")
        id = answer["idea"]["id"]
        result = lab.run(id)
        self.assertEqual(result, read(f"/api/lab/result?id={id}&kind=backtest", "lab"))
        self.assertEqual(lab.result(id), result)
        trades = lab.trades(result["job"])
        written = read(f"/api/lab/trades?job={result['job']}", "lab")
        self.assertEqual(len(trades), written["total"])
        self.assertEqual(rows(trades, ["r"]), columns(written["trades"], ["r"]))
        self.assertEqual([one["id"] for one in lab.state()["ideas"]], [id])
        self.assertIn("structures", lab.vocabulary())
        with self.assertRaisesRegex(tf.TapefoldError, "no idea"):
            lab.run("i_000000000000")
        lab.act(id, "delete")

    def test_tools_for_assistants(self):
        self.assertIn("orders_find", self.client.tools("orders"))
        found = self.client.tool("orders", "orders_find", day=DAY, limit=3)
        self.assertEqual(len(found["orders"]), 3)
        self.assertIn("3 of" if found["total"] == 3 else str(found["total"]), found["summary"])
        with self.assertRaises(tf.TapefoldError):
            self.client.tool("orders", "orders_find", day="2026-1-5")

    def test_refusals_are_the_sentences_of_the_server(self):
        with self.assertRaisesRegex(tf.TapefoldError, 'asof is "7:99"') as raised:
            self.client.orders(DAY, "7:99")
        self.assertEqual((raised.exception.status, raised.exception.code), (400, "bad_time"))
        self.assertIsNotNone(raised.exception.request_id)
        with tf.Client(URL, "ordk_none") as client, self.assertRaises(tf.TapefoldError) as raised:
            client.orders()
        self.assertEqual(raised.exception.code, "no_key")

    def test_files_are_downloaded_resumed_and_verified(self):
        listed = read("/snapshots/index.json", "dataset")["files"]
        self.assertEqual(rows(self.client.files(), list(listed[0])), columns(listed, list(listed[0])))
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            opened = self.client.download(folder, ["levels", "orders", "market_minutes"], DAY, DAY)
            self.assertEqual(opened.datasets(), ["levels", "market_minutes", "orders"])
            [levels] = opened.files("levels")
            whole = levels["path"].read_bytes()
            levels["path"].unlink()
            Path(f"{levels['path']}.partial").write_bytes(whole[: len(whole) // 2])
            self.client.download(folder, "levels", DAY, DAY)
            self.assertEqual(levels["path"].read_bytes(), whole)
            # the others stay listed
            self.assertEqual(len(opened.files()), 3)
            with self.assertRaisesRegex(tf.TapefoldError, "there is no dataset 'level'"):
                self.client.download(folder, "level")
            with self.assertRaisesRegex(tf.TapefoldError, "start is '2026-10-1'; give a date"):
                self.client.download(folder, "levels", "2026-10-1", "2026-10-9")
            with self.assertWarnsRegex(UserWarning, "nothing to download: the server has no finished session from 2020-01-01"):
                self.client.download(folder, "levels", "2020-01-01", "2020-01-31")
            self.expect_equal_rows(opened)

    def test_the_sample_comes_without_a_key(self):
        listed = read("/snapshots/sample/index.json")["files"]
        with tempfile.TemporaryDirectory() as temporary, tf.Client(URL) as client:
            opened = client.sample(temporary)
            self.assertEqual(opened.datasets(), sorted(entry["dataset"] for entry in listed))
            self.assertTrue(opened.sessions()["simulated"].all())
            if os.environ.get("TAPEFOLD_PROGRAM") is None:
                self.skipTest("TAPEFOLD_PROGRAM names no program")
            # an order is exactly a true one: its prints are those of one parent, and all of them
            query = """
                select count(*)::int as n, count(*) filter (parents = 1)::int as pure from (
                  select order_id, count(distinct parent_id) as parents
                  from order_prints join truth_prints using (sequence) group by order_id)"""
            [row] = opened.sql(query).to_dict("records")
            self.assertGreater(row["n"], 200)
            self.assertGreater(row["pure"] / row["n"], 0.8)

    def expect_equal_rows(self, opened):
        """The rows of the files are those of the API."""
        if os.environ.get("TAPEFOLD_PROGRAM") is None:
            self.skipTest("TAPEFOLD_PROGRAM names no program")
        orders = opened.orders(DAY)
        ledger = self.client.orders(DAY).set_index("oid")
        large = orders[orders.is_in_ledger].set_index("order_id")
        self.assertEqual(sorted(large.index), sorted(ledger.index))
        large = large.loc[ledger.index]
        for ours, name in (("dealer_gamma_musd_per_point", "g"), ("minute_et", "t"), ("fold_rule", "rule")):
            found = [row[0] for row in rows(large, [ours])]
            written = [row[0] for row in rows(ledger, [name])]
            if name == "g":  # the API rounds to ten digits
                found = [None if value is None else float(f"{value:.10g}") for value in found]
            self.assertEqual(found, written, name)
        self.assertEqual(str(orders["printed_at"].dtype), "datetime64[ns, UTC]")
        self.assertEqual(str(orders["contracts"].dtype), "Int64")
        count = opened.sql("select count(*)::int as n from levels where book_basis = 'measured'")
        self.assertEqual(count["n"].tolist(), [len(self.client.minutes(DAY))])
        self.assertLess(len(large), len(orders))
        flips = opened.levels(DAY)
        self.assertEqual(set(flips["book_basis"]), {"measured", "vol", "oi"})
        revision = self.client.session(DAY)["revision"]
        self.assertEqual([flips.attrs[name] for name in ("simulated", "day", "revision")], [True, DAY, revision])
        flips = flips[flips.book_basis == "measured"].sort_values("minute_et")
        rounded = [None if v is None else round(v, 2) for v in (plain(v) for v in flips["flip"])]
        self.assertEqual(rounded, [plain(v) for v in self.client.minutes(DAY)["flip"]])

    def test_a_data_folder_is_opened_as_it_lies(self):
        data = os.environ.get("TAPEFOLD_DATA_FOLDER")
        if data is None:
            self.skipTest("TAPEFOLD_DATA_FOLDER names no folder")
        opened = tf.open(data)
        self.assertEqual(len(opened.sessions()), 13)
        self.assertTrue(opened.sessions()["simulated"].all())
        if os.environ.get("TAPEFOLD_PROGRAM") is not None:
            session = read(f"/api/session/{DAY}")
            attrs = opened.orders(DAY).attrs
            self.assertEqual([attrs[name] for name in ("simulated", "revision")], [True, session["revision"]])
            self.assertRegex(attrs["asof"], r"^\d{2}:\d{2}:\d{2}$")
        self.assertIn("prints", opened.datasets())
        with self.assertRaisesRegex(tf.TapefoldError, "no file of 'level'"):
            opened.dataset("level")
        if os.environ.get("TAPEFOLD_PROGRAM") is not None:
            for query in ("selec", "select 1 from", "selec\n'1'"):
                with self.assertRaisesRegex(tf.TapefoldError, "^query is .*: syntax error at ") as raised:
                    opened.sql(query)
                self.assertNotIn('near ")"', str(raised.exception))
            with self.assertRaisesRegex(tf.TapefoldError, "nocol"):
                opened.sql("select nocol from levels")

    def test_other_kinds_of_frames_have_the_same_rows(self):
        for kind in ("arrow", "polars", "duckdb"):
            with self.subTest(kind):
                if not frames.is_there(frames.MODULES[kind]):
                    with self.assertRaisesRegex(ImportError, "pip install 'tapefold"):
                        self.client.orders(DAY, as_=kind)
                    print(f"SKIPPED: frames as {kind}: {frames.MODULES[kind]} is not installed", flush=True)
                    continue
                frame = self.client.orders(DAY, as_=kind)
                columns_ = {
                    "arrow": lambda f: f.column("g").to_pylist(),
                    "polars": lambda f: f["g"].to_list(),
                    "duckdb": lambda f: [row[0] for row in f.project("g").fetchall()],
                }[kind](frame)
                self.assertEqual(columns_, [row[0] for row in rows(self.client.orders(DAY), ["g"])])

    def test_engines_read_the_same_rows(self):
        data = os.environ.get("TAPEFOLD_DATA_FOLDER")
        if data is None or os.environ.get("TAPEFOLD_PROGRAM") is None:
            self.skipTest("no data folder, or no program")
        wanted = tf.open(data, engine="tapefold").orders(DAY)
        for engine in ENGINES:
            with self.subTest(engine):
                if not frames.is_there(engine):
                    print(f"SKIPPED: files by {engine}: it is not installed", flush=True)
                    continue
                found = tf.open(data, engine=engine).orders(DAY)
                pandas.testing.assert_frame_equal(found, wanted)


if __name__ == "__main__":
    unittest.main()
