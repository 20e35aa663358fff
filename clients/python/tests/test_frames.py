"""Types of a frame are the same whichever engine read the file, by the names that each gives them."""

import datetime
import unittest

import pandas

import tapefold as tf
from tapefold import frames
from tapefold.folder import tidy

# as DuckDB, pyarrow and polars write them
NAMES = {
    "at": ("TIMESTAMP", "timestamp[us]", "Datetime(time_unit='us', time_zone=None)"),
    "day": ("DATE", "date32[day]", "Date"),
    "count": ("BIGINT", "int64", "Int64"),
    "size": ("INTEGER", "int32", "Int32"),
    "value": ("DOUBLE", "double", "Float64"),
    "is_known": ("BOOLEAN", "bool", "Boolean"),
    "text": ("VARCHAR", "string", "String"),
    "flags": ("VARCHAR[]", "list<element: string>", "List(String)"),
}
ROWS = [
    {
        "at": datetime.datetime(2026, 10, 15, 13, 31),
        "day": datetime.date(2026, 10, 15),
        "count": 2**53 + 1,
        "size": 7,
        "value": 0.1,
        "is_known": True,
        "text": "a",
        "flags": ["b"],
    },
    dict.fromkeys(NAMES),
]


class FramesTest(unittest.TestCase):
    def test_every_engine_gives_the_same_types_and_keeps_what_is_missing(self):
        found = []
        for engine in range(3):
            frame = pandas.DataFrame({name: pandas.Series([row[name] for row in ROWS], dtype=object) for name in NAMES})
            found.append(tidy(frame, {name: types[engine] for name, types in NAMES.items()}))
        pandas.testing.assert_frame_equal(found[0], found[1])
        pandas.testing.assert_frame_equal(found[0], found[2])
        types = {name: str(kind) for name, kind in found[0].dtypes.items()}
        self.assertEqual(
            types,
            {
                "at": "datetime64[ns, UTC]",
                "day": "object",
                "count": "Int64",
                "size": "Int64",
                "value": "float64",
                "is_known": "boolean",
                "text": "object",
                "flags": "object",
            },
        )
        self.assertEqual(found[0]["count"][0], 2**53 + 1)
        self.assertEqual(found[0]["day"][0], "2026-10-15")
        self.assertTrue(found[0].iloc[1].isna().all())

    def test_a_kind_that_is_none_is_one_sentence(self):
        with self.assertRaisesRegex(ValueError, "as_ is 'excel'; it can be pandas, arrow, polars, duckdb"):
            frames.from_rows([], "excel")
        with self.assertRaises(tf.TapefoldError):
            frames.load_module("excel")

    def test_known_types_hold_whatever_the_values_are(self):
        types = {"n": "float64", "count": "Int64", "is_on": "boolean", "text": "object"}
        null = dict.fromkeys(types)
        for rows in ([], [null], [null, {"n": 1, "count": 2**53 + 1, "is_on": True, "text": "a"}]):
            frame = frames.from_rows(rows, columns=types)
            self.assertEqual({name: str(kind) for name, kind in frame.dtypes.items()}, types)
        self.assertEqual(frame["count"][1], 2**53 + 1)
        self.assertTrue(frame.iloc[0].isna().all())
        # columns that are not listed, and those that only a later row has
        frame = frames.from_rows([{"n": 1}, {"n": None, "more": 2.5}], columns=types)
        self.assertEqual(list(frame.columns), ["n", "more"])
        self.assertEqual((frame["more"].isna().tolist(), frame["more"][1]), ([True, False], 2.5))

    def test_known_types_hold_in_other_kinds(self):
        types = {"n": "float64", "count": "Int64", "is_on": "boolean", "text": "object"}
        for kind, wanted in (
            ("arrow", ["double", "int64", "bool"]),
            ("polars", ["Float64", "Int64", "Boolean"]),
            ("duckdb", ["DOUBLE", "BIGINT", "BOOLEAN"]),
        ):
            if not frames.is_there(frames.MODULES[kind]):
                print(f"SKIPPED: types as {kind}: {frames.MODULES[kind]} is not installed", flush=True)
                continue
            for rows in ([], [dict.fromkeys(types)], [{**dict.fromkeys(types), "n": 1, "count": 2}, dict.fromkeys(types)]):
                with self.subTest(kind, rows=rows):
                    frame = frames.from_rows(rows, kind, columns=types)
                    found = {"arrow": lambda f: f.schema.types, "polars": lambda f: f.dtypes, "duckdb": lambda f: f.types}
                    self.assertEqual([str(one) for one in found[kind](frame)][:3], wanted)

    def test_minutes_get_the_zone_of_new_york_on_both_sides_of_a_change_of_clocks(self):
        frame = pandas.DataFrame({"day": ["2026-10-30", "2026-11-02"], "minute": ["09:31", "09:31"]})
        at = frames.add_instants(frame)["at"]
        self.assertEqual([str(one) for one in at.dt.tz_convert("UTC")], [
            "2026-10-30 13:31:00+00:00",
            "2026-11-02 14:31:00+00:00",
        ])
        at = frames.add_instants(frame.iloc[:0].copy())["at"]
        self.assertEqual(str(at.dtype), "datetime64[ns, America/New_York]")


if __name__ == "__main__":
    unittest.main()
