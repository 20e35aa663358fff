"""Days as arguments: those that are no dates are refused before any call, and never compared as text."""

import datetime
import json
import tempfile
import unittest
from pathlib import Path

import pandas

import tapefold as tf
from tapefold.days import read_day, read_range
from tests.faulty_server import FaultyServer

NO_DATES = ("2026-10-1", "2026-9-1", "hello", "", "2026-02-30", "20261015", "2026-10-15 ", "２０２６-10-15", 20261015,
            datetime.datetime(2026, 10, 15, 9, 31))


class DaysTest(unittest.TestCase):
    def test_a_text_a_date_and_a_midnight_are_days(self):
        for value in ("2026-10-15", datetime.date(2026, 10, 15), datetime.datetime(2026, 10, 15), pandas.Timestamp("2026-10-15")):
            self.assertEqual(read_day("day", value), "2026-10-15")
        self.assertEqual(read_range(datetime.date(2026, 2, 28), "2026-10-01"), ("2026-02-28", "2026-10-01"))
        self.assertEqual(read_range(None, "2026-10-01"), (None, "2026-10-01"))

    def test_what_is_no_date_is_one_sentence_with_an_example(self):
        for value in NO_DATES:
            with self.subTest(value), self.assertRaises(tf.TapefoldError) as raised:
                read_range("2026-10-15", value)
            wanted = f"end is {value!r}; give a date written YYYY-MM-DD, such as end='2026-10-15'."
            self.assertEqual((str(raised.exception), raised.exception.code), (wanted, "bad_day"))
            self.assertIsInstance(raised.exception, ValueError)

    def test_a_range_that_runs_backwards_is_refused(self):
        with self.assertRaisesRegex(tf.TapefoldError, "start is '2026-10-15', which is after end, '2026-10-01'"):
            read_range("2026-10-15", "2026-10-01")

    def test_every_method_of_a_server_refuses_before_it_calls(self):
        server = FaultyServer(lambda *_: (200, {}, b"{}", None))
        self.addCleanup(server.close)
        client = tf.Client(server.url, ["ordk_a", "ftpl_b", "labk_c"])
        self.addCleanup(client.close)
        client._transport._keys["dataset"] = "labk_d"
        calls = {
            "levels, start": lambda: client.levels("2026-10-1", "2026-10-9"),
            "levels, end": lambda: client.levels("2026-10-01", "2026-10-9"),
            "levels, backwards": lambda: client.levels("2026-10-15", "2026-10-01"),
            "levels, end alone": lambda: client.levels(end="2026-10-15"),
            "download, start": lambda: client.download("none", start="hello"),
            "download, backwards": lambda: client.download("none", None, "2026-10-15", "2026-10-01"),
            **{
                name: lambda name=name, first=first: getattr(client, name)(*first, "2026-10-1")
                for name, first in {
                    **dict.fromkeys(("orders", "session", "minutes", "strikes", "curves", "check", "flow"), ()),
                    **{"conditions": ("p_1",), "track": ("p_1",), "level": ("SPX",), "gamma": ("SPX",), "events": (0,)},
                }.items()
            },
        }
        for name, call in calls.items():
            with self.subTest(name), self.assertRaises(tf.TapefoldError) as raised:
                call()
            self.assertEqual(raised.exception.code, "bad_day")
        self.assertEqual(server.calls, [])

    def test_a_folder_refuses_what_is_no_day_and_chooses_by_dates(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [
                {"file": f"levels.{day}.parquet", "dataset": "levels", "day": day, "rows": 1, "bytes": 1, "sha256": "0"}
                for day in ("2026-09-30", "2026-10-09", "2026-10-15")
            ]
            Path(folder, "index.json").write_text(json.dumps({"files": files}), "utf-8")
            opened = tf.open(folder)
            chosen = opened.files("levels", datetime.date(2026, 10, 1), "2026-10-09")
            self.assertEqual([entry["day"] for entry in chosen], ["2026-10-09"])
            for read in (
                lambda: opened.levels("2026-10-1", "2026-10-9"),
                lambda: opened.levels("2026-10-15", "2026-10-01"),
                lambda: opened.dataset("levels", end="hello"),
                lambda: opened.orders("foo"),
                lambda: opened.orders(None),
                lambda: opened.strikes("2026-9-1"),
            ):
                with self.assertRaises(tf.TapefoldError) as raised:
                    read()
                self.assertEqual(raised.exception.code, "bad_day")


if __name__ == "__main__":
    unittest.main()
