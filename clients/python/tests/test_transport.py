"""Retries, answers cached by ETag, and downloads that break off, on a server that fails."""

import hashlib
import json
import tempfile
import unittest
from pathlib import Path

import tapefold as tf
from tapefold.download import download_files
from tapefold.transport import Transport, read_keys
from tests.faulty_server import FaultyServer

BODY = bytes(range(256)) * 4096
ENTRY = {
    "file": "levels.2026-10-15.0000000000000000.parquet",
    "dataset": "levels",
    "day": "2026-10-15",
    "rows": 1,
    "bytes": len(BODY),
    "sha256": hashlib.sha256(BODY).hexdigest(),
}


class FaultyTest(unittest.TestCase):
    def start(self, respond, **options):
        server = FaultyServer(respond)
        self.addCleanup(server.close)
        self.slept = []
        transport = Transport(server.url, options.pop("key", None), sleep=self.slept.append, **options)
        self.addCleanup(transport.close)
        return server, transport


class TransportTest(FaultyTest):
    def test_a_503_is_repeated_after_its_retry_after(self):
        ok = (200, {}, b'{"n": 1}', None)
        server, transport = self.start(lambda n, _: (503, {"retry-after": "7"}, b"{}", None) if n < 3 else ok)
        self.assertEqual(transport.get("/x").json, {"n": 1})
        self.assertEqual(self.slept, [7.0, 7.0])

    def test_a_limit_that_ends_at_midnight_is_not_waited_for(self):
        error = json.dumps({"error": {"code": "rate", "message": "spent"}}).encode()
        server, transport = self.start(lambda *_: (429, {"retry-after": "30000", "x-request-id": "r1"}, error, None))
        with self.assertRaises(tf.TapefoldError) as raised:
            transport.get("/x")
        found = raised.exception
        self.assertEqual((found.status, found.code, found.retry_after_s, found.request_id), (429, "rate", 30000.0, "r1"))
        self.assertEqual((len(server.calls), self.slept), (1, []))

    def test_what_another_try_cannot_change_is_called_once(self):
        for status in (400, 401, 403, 404, 429):
            server, transport = self.start(lambda *_: (status, {}, b'{"error": "no"}', None))
            with self.assertRaises(tf.TapefoldError):
                transport.get("/x")
            self.assertEqual(len(server.calls), 1, status)

    def test_pauses_without_retry_after_grow_and_end_after_five_tries(self):
        server, transport = self.start(lambda *_: (500, {}, b"oops", None))
        with self.assertRaises(tf.TapefoldError):
            transport.get("/x")
        self.assertEqual(len(server.calls), 5)
        for attempt, pause in enumerate(self.slept):
            self.assertTrue(0.25 * 2**attempt <= pause <= 0.5 * 2**attempt, self.slept)

    def test_a_change_is_repeated_with_the_same_idempotency_key(self):
        server = FaultyServer(lambda n, _: (503, {"retry-after": "0"}, b"{}", None) if n < 2 else (200, {}, b"{}", None))
        self.addCleanup(server.close)
        client = tf.Client(server.url, "ordk_x", sleep=lambda _: None)
        self.addCleanup(client.close)
        client.change_position("remove", {"id": "p_1"})
        keys = {call["headers"]["idempotency-key"] for call in server.calls}
        self.assertEqual((len(server.calls), len(keys)), (2, 1))

    def test_a_tool_call_is_never_repeated(self):
        server = FaultyServer(lambda *_: (503, {"retry-after": "0"}, b"{}", None))
        self.addCleanup(server.close)
        client = tf.Client(server.url, "labk_x", sleep=lambda _: None)
        self.addCleanup(client.close)
        with self.assertRaises(tf.TapefoldError):
            client.tool("lab", "lab_run", id="i_1", kind="backtest")
        self.assertEqual(len(server.calls), 1)

    def test_an_answer_is_read_from_the_cache_while_its_etag_stands(self):
        def respond(_, call):
            if call["headers"].get("if-none-match") == '"a"':
                return 304, {"etag": '"a"'}, b"", None
            return 200, {"etag": '"a"', "content-type": "application/json"}, b'{"n": 1}', None

        with tempfile.TemporaryDirectory() as folder:
            server, transport = self.start(respond, cache=folder)
            self.assertEqual([transport.get("/x").json["n"] for _ in range(2)], [1, 1])
            # another process finds it in the folder; another key does not
            for key, status in ((None, 304), ("ordk_b", 200)):
                other = Transport(server.url, key, cache=folder)
                self.addCleanup(other.close)
                other.get("/x", product=None if key is None else "orders")
                has = "if-none-match" in server.calls[-1]["headers"]
                self.assertEqual(has, status == 304)
            # a body that is not the one of its hash is not used
            for body in (Path(folder) / "bodies").iterdir():
                body.write_bytes(b'{"n": 2}')
            fresh = Transport(server.url, None, cache=folder)
            self.addCleanup(fresh.close)
            self.assertEqual(fresh.get("/x").json, {"n": 1})
            self.assertNotIn("ordk_b", "".join(p.read_text("utf-8") for p in Path(folder).glob("*.json")))

    def test_an_address_that_is_none_is_refused_at_once(self):
        for url in ("127.0.0.1:8181", "localhost:8181", "ftp://127.0.0.1", "http://", "http://127.0.0.1:99999", "", None):
            with self.subTest(url), self.assertRaisesRegex(tf.TapefoldError, "^url is .*; give the address of a server"):
                tf.Client(url)
        for url in ("ordk_secret", "ordk_secret:1", "u:secret@127.0.0.1", "https://u:secret@127.0.0.1"):
            with self.assertRaises(tf.TapefoldError) as raised:
                tf.Client(url)
            self.assertNotIn("secret", str(raised.exception))
        self.assertEqual(Transport("https://127.0.0.1:8443/", None).url, "https://127.0.0.1:8443")

    def test_what_is_no_json_is_one_sentence(self):
        server, transport = self.start(lambda *_: (200, {}, b"<html>", None))
        with self.assertRaisesRegex(tf.TapefoldError, "answered 200, and not as it documents"):
            transport.get("/x").json

    def test_a_cache_that_cannot_be_written_is_one_sentence(self):
        with tempfile.NamedTemporaryFile() as file:
            server, transport = self.start(lambda *_: (200, {"etag": '"a"'}, b"{}", None), cache=file.name)
            with self.assertRaisesRegex(tf.TapefoldError, "cache is '.*', which cannot be written"):
                transport.get("/x")

    def test_names_that_are_none_are_refused_before_a_call(self):
        client = tf.Client("http://127.0.0.1:1", "ordk_1")
        self.addCleanup(client.close)
        for call in (lambda: client.tools("foo"), lambda: client.tool("foo", "orders_find")):
            with self.assertRaisesRegex(tf.TapefoldError, "server is 'foo'; it can be orders or lab"):
                call()

    def test_keys_are_found_by_their_product_and_stand_in_no_message(self):
        keys = {"orders": "ordk_1", "live": "ftpl_2"}
        self.assertEqual(read_keys(["ordk_1", "ftpl_2"]), keys)
        with self.assertRaisesRegex(ValueError, "two keys begin alike"):
            read_keys(["labk_1", "labk_2"])
        with self.assertRaises(ValueError) as raised:
            read_keys("secret_1")
        self.assertNotIn("secret_1", str(raised.exception))
        for key in (5, ["ordk_1", 5], {"orders": 5}):
            with self.assertRaisesRegex(tf.TapefoldError, "key is of the type int; give a text such as 'ordk_...'"):
                tf.Client("http://127.0.0.1:1", key)
        for key in ("ordk_…", {"orders": "ordk_a b"}, {"other": "ordk_1"}, "secret_1", ["labk_1", "labk_2"]):
            with self.assertRaises(tf.TapefoldError) as raised:
                tf.Client("http://127.0.0.1:1", key)
            self.assertIsInstance(raised.exception, ValueError)
        client = tf.Client("http://127.0.0.1:1", "ordk_1")
        self.addCleanup(client.close)
        self.assertNotIn("ordk_1", repr(client))
        with self.assertRaisesRegex(tf.TapefoldError, "needs a key of the product live, such as key='ftpl_"):
            client.symbols()


class DownloadTest(FaultyTest):
    def download(self, transport, folder, entry=ENTRY):
        return download_files(transport, "/snapshots", [entry], folder, None)

    @staticmethod
    def part(call, body=BODY):
        start = int(call["headers"].get("range", "bytes=0-")[6:-1])
        return (206 if start else 200), {}, body[start:]

    def test_a_download_that_breaks_off_goes_on_where_it_stopped(self):
        def respond(n, call):
            return (*self.part(call), 300_000 if n < 3 else None)

        server, transport = self.start(respond)
        with tempfile.TemporaryDirectory() as folder:
            [path] = self.download(transport, folder)
            self.assertEqual(path.read_bytes(), BODY)
            starts = [int(call["headers"].get("range", "bytes=0-")[6:-1]) for call in server.calls]
            self.assertEqual(starts, sorted(starts))
            self.assertEqual(len(starts), 3)
            self.assertGreater(starts[1], 0)
            # whole: nothing is fetched again
            self.download(transport, folder)
            self.assertEqual(len(server.calls), 3)
            self.assertEqual(sorted(p.name for p in Path(folder).iterdir()), ["index.json", ENTRY["file"]])

    def test_a_server_that_ignores_the_range_doubles_nothing(self):
        server, transport = self.start(lambda n, _: (200, {}, BODY, 300_000 if n == 1 else None))
        with tempfile.TemporaryDirectory() as folder:
            [path] = self.download(transport, folder)
            self.assertEqual(path.read_bytes(), BODY)

    def test_a_limit_that_outlasts_the_wait_is_the_sentence_of_the_server(self):
        error = json.dumps({"error": {"code": "rate", "message": "spent for now"}}).encode()

        def respond(n, call):
            return (*self.part(call), 300_000) if n < 3 else (429, {"retry-after": "1800"}, error, None)

        server, transport = self.start(respond)
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(tf.TapefoldError, "spent for now") as raised:
                self.download(transport, folder)
            self.assertEqual((raised.exception.code, raised.exception.retry_after_s), ("rate", 1800.0))
            # what came is there for the next call
            self.assertGreater((Path(folder) / f"{ENTRY['file']}.partial").stat().st_size, 0)
        self.assertEqual(len(server.calls), 3)

    def test_a_download_that_never_comes_whole_names_its_tries(self):
        server, transport = self.start(lambda n, call: (*self.part(call), 1_000))
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(tf.TapefoldError, "did not arrive whole in 5 tries; call again"):
                self.download(transport, folder)
        self.assertEqual((len(server.calls), len(self.slept)), (5, 4))

    def test_a_folder_that_is_a_file_is_one_sentence(self):
        server, transport = self.start(lambda _, call: (*self.part(call), None))
        with tempfile.NamedTemporaryFile() as file:
            with self.assertRaisesRegex(tf.TapefoldError, "folder is '.*', which is a file; give a folder"):
                self.download(transport, file.name)
            with self.assertRaisesRegex(tf.TapefoldError, "folder is '.*', which cannot be written: Not a directory"):
                self.download(transport, f"{file.name}/in")
        self.assertEqual(server.calls, [])

    def test_wrong_bytes_never_get_the_name_of_the_file(self):
        wrong = bytes([BODY[0] ^ 1]) + BODY[1:]
        server, transport = self.start(lambda _, call: (*self.part(call, wrong), None))
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(tf.TapefoldError, "did not arrive whole in 5 tries"):
                self.download(transport, folder)
            self.assertFalse((Path(folder) / ENTRY["file"]).exists())

    def test_a_damaged_file_is_fetched_again_and_a_replaced_one_removed(self):
        server, transport = self.start(lambda _, call: (*self.part(call), None))
        with tempfile.TemporaryDirectory() as folder:
            [path] = self.download(transport, folder)
            path.write_bytes(b"x" + BODY[1:])
            self.assertEqual(self.download(transport, folder)[0].read_bytes(), BODY)
            newer = {**ENTRY, "file": "levels.2026-10-15.1111111111111111.parquet"}
            self.download(transport, folder, newer)
            self.assertEqual([p.name for p in Path(folder).glob("*.parquet")], [newer["file"]])

    def test_a_file_that_is_not_there_is_one_sentence(self):
        error = b'{"error": {"code": "not_found", "message": "there is no file"}}'
        server, transport = self.start(lambda *_: (404, {}, error, None))
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(tf.TapefoldError, "there is no file"):
                self.download(transport, folder)


if __name__ == "__main__":
    unittest.main()
