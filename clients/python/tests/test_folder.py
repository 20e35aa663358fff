"""Files of a folder: read only as long as they are those of their list."""

import hashlib
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import tapefold as tf
from tapefold import folder as folders

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
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        # the program, as far as it is called: rows of a query
        self.queries = []

        def run(_, query):
            self.queries.append(query)
            return [{"column_name": "flip", "column_type": "DOUBLE"}] if query.startswith("describe") else [{"flip": 1.5}]

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


if __name__ == "__main__":
    unittest.main()
