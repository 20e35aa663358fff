"""Files of a folder: read only as long as they are those of their list."""

import datetime
import hashlib
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import tapefold as tf
from tapefold import folder as folders
from tapefold import frames

DAYS = ("2026-10-14", "2026-10-15")


def write_folder(folder, datasets=("levels", "orders"), days=DAYS, more=None):
    """A folder as `download` leaves it, with small files."""
    files = []
    for dataset in datasets:
        for day in days:
            content = f"{dataset} {day}".encode()
            Path(folder, f"{dataset}.{day}.parquet").write_bytes(content)
            entry = {"file": f"{dataset}.{day}.parquet", "dataset": dataset, "day": day, "rows": 1}
            facts = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            files.append({**entry, **facts, **(more or {}).get(day, {})})
    Path(folder, "index.json").write_text(json.dumps({"files": files}), "utf-8")


class FolderTest(unittest.TestCase):
    has_program = True

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        # the program, as far as it is called: rows of a query
        self.queries = []

        def run(_, query):
            self.queries.append(query)
            return [{"column_name": "flip", "column_type": "DOUBLE"}] if query.startswith("describe") else [{"flip": 1.5}]

        if self.has_program:
            patch = mock.patch.object(folders.Folder, "_run_program", run)
            patch.start()
            self.addCleanup(patch.stop)

    def open(self, **options):
        return tf.open(self.folder, engine="tapefold", program="tapefold", **options)


class DamageTest(FolderTest):
    def test_one_changed_byte_is_found_though_the_size_is_the_same(self):
        write_folder(self.folder)
        opened = self.open()
        self.assertEqual(len(opened.levels("2026-10-15")), 1)
        path = self.folder / "levels.2026-10-14.parquet"
        path.write_bytes(b"Levels 2026-10-14")
        count = len(self.queries)
        for read in (
            lambda: opened.levels(*DAYS),
            lambda: opened.dataset("levels"),
            lambda: opened.sql("select * from LEVELS"),
        ):
            with self.assertRaisesRegex(tf.TapefoldError, "levels.2026-10-14.parquet is damaged") as raised:
                read()
            self.assertEqual(raised.exception.code, "damaged")
        self.assertEqual(len(self.queries), count)
        # neither day nor dataset that is whole is refused
        self.assertEqual([len(opened.levels("2026-10-15")), len(opened.sql("select * from orders"))], [1, 1])
        self.assertEqual(len(self.open(verify=False).levels(*DAYS)), 1)

    def test_a_file_is_compared_again_only_when_it_has_changed(self):
        write_folder(self.folder)
        opened = self.open()
        with mock.patch.object(folders, "file_hash", wraps=folders.file_hash) as hashed:
            for _ in range(3):
                opened.levels("2026-10-15")
            self.assertEqual(hashed.call_count, 1)
            path = self.folder / "levels.2026-10-15.parquet"
            os.utime(path, ns=(1, 1))
            opened.levels("2026-10-15")
            self.assertEqual(hashed.call_count, 2)
            path.write_bytes(b"Levels 2026-10-15")
            with self.assertRaisesRegex(tf.TapefoldError, "is damaged"):
                opened.levels("2026-10-15")

    def test_a_file_that_is_listed_and_missing_is_one_sentence(self):
        write_folder(self.folder)
        (self.folder / "orders.2026-10-15.parquet").unlink()
        with self.assertRaisesRegex(tf.TapefoldError, "orders.2026-10-15.parquet cannot be read: No such file"):
            self.open().orders("2026-10-15")


class FactsTest(FolderTest):
    def test_frames_say_of_which_sessions_they_are_and_that_one_is_simulated(self):
        real, made = {"simulated": False, "revision": "a1"}, {"simulated": True, "revision": "b2"}
        for facts, wanted in (
            ({DAYS[0]: real, DAYS[1]: made}, {DAYS[0]: False, DAYS[1]: True, "both": True}),
            ({DAYS[0]: real, DAYS[1]: {}}, {DAYS[0]: False, DAYS[1]: None, "both": None}),
            ({DAYS[0]: {}, DAYS[1]: made}, {DAYS[0]: None, DAYS[1]: True, "both": True}),
            ({DAYS[0]: real, DAYS[1]: real}, {DAYS[0]: False, DAYS[1]: False, "both": False}),
        ):
            write_folder(self.folder, more=facts)
            opened = self.open()
            for day in DAYS:
                attrs = opened.levels(day).attrs
                self.assertEqual((attrs["simulated"], attrs["day"]), (wanted[day], day))
                self.assertEqual(attrs.get("revision"), facts[day].get("revision"))
            for frame in (opened.levels(*DAYS), opened.sql("select * from levels")):
                self.assertEqual(frame.attrs["simulated"], wanted["both"])
                self.assertEqual([one["day"] for one in frame.attrs["files"]], list(DAYS))
                self.assertEqual({one["dataset"] for one in frame.attrs["files"]}, {"levels"})
                self.assertNotIn("day", frame.attrs)
        self.assertEqual(self.open().sql("select 1").attrs, {"files": [], "simulated": None})


class SentencesTest(FolderTest):
    def test_a_folder_that_is_none_is_one_sentence(self):
        for folder in (self.folder, self.folder / "none"):
            with self.assertRaisesRegex(tf.TapefoldError, "has neither .* give a data folder") as raised:
                tf.open(folder)
            self.assertIsInstance(raised.exception, FileNotFoundError)
        write_folder(self.folder)
        with self.assertRaisesRegex(tf.TapefoldError, "engine is 'excel'; it can be duckdb"):
            tf.open(self.folder, engine="excel")
        for text in ("{", "[]", '{"rows": []}'):
            (self.folder / "index.json").write_text(text, "utf-8")
            with self.assertRaisesRegex(tf.TapefoldError, "index.json (cannot be read|is no list of files)"):
                self.open().files()

    def test_what_is_not_there_is_named_with_what_is(self):
        write_folder(self.folder)
        opened = self.open()
        for read, wanted in (
            (lambda: opened.dataset("level"), "has no file of 'level'; it has levels, orders."),
            (lambda: opened.orders("2026-10-13"), "has no file of 'orders' of 2026-10-13; it has those from 2026-10-14 to 2026-10-15."),
            (lambda: opened.levels("2026-11-01", "2026-11-30"), "has no file of 'levels' from 2026-11-01 to 2026-11-30; it has those"),
            (lambda: opened.dataset("levels", end="2026-01-01"), "from the first to 2026-01-01; it has those from 2026-10-14"),
        ):
            with self.assertRaises(tf.TapefoldError) as raised:
                read()
            self.assertIn(wanted, str(raised.exception))
            self.assertEqual(raised.exception.code, "not_found")


class Relation:
    """A relation as DuckDB's is where pytz is missing: an instant with a zone cannot be fetched."""

    columns = ("at", "many", "n")
    types = ("TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITH TIME ZONE[]", "INTEGER")

    def fetchall(self):
        raise RuntimeError("Required module 'pytz' failed to import")

    def project(self, cells):
        if cells != "cast(#1 as TIMESTAMP), cast(#2 as TIMESTAMP[]), #3":
            raise AssertionError(cells)
        noon = datetime.datetime(2026, 10, 15, 16)
        return mock.Mock(fetchall=lambda: [(noon, [noon], 1), (None, None, None)])


class InstantTest(unittest.TestCase):
    def test_an_instant_of_duckdb_becomes_one_of_pandas_without_pytz(self):
        frame = folders._from_relation(Relation(), "pandas")
        self.assertEqual(str(frame["at"][0]), "2026-10-15 16:00:00+00:00")
        self.assertEqual([frame["at"].isna().tolist(), str(frame["n"].dtype)], [[False, True], "Int64"])

    def test_the_same_of_a_file_that_duckdb_itself_wrote(self):
        if not frames.is_there("duckdb"):
            print("SKIPPED: instants of DuckDB itself need the module duckdb")
            self.skipTest("duckdb is not installed")
        import duckdb

        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "levels.parquet")
        duckdb.sql(f"copy (select timestamptz '2026-10-15 12:00:00-04' as at) to '{path}'")
        facts = {"rows": 1, "bytes": path.stat().st_size, "sha256": folders.file_hash(path)}
        entry = {"file": path.name, "dataset": "levels", "day": DAYS[1], **facts}
        Path(folder.name, "index.json").write_text(json.dumps({"files": [entry]}), "utf-8")
        opened = tf.open(folder.name, engine="duckdb")
        with mock.patch.dict(sys.modules, {"pytz": None}):
            for frame in (opened.levels(), opened.sql("select * from levels")):
                self.assertEqual(str(frame["at"][0]), "2026-10-15 16:00:00+00:00")


class NoProgramTest(FolderTest):
    has_program = False

    def test_a_program_that_cannot_be_run_is_one_sentence(self):
        write_folder(self.folder)
        opened = tf.open(self.folder, engine="tapefold", program="bin/none")
        with self.assertRaisesRegex(tf.TapefoldError, "program is 'bin/none', which cannot be run: No such file"):
            opened.levels()


if __name__ == "__main__":
    unittest.main()
