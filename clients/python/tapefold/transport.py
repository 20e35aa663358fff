"""Calls over HTTP: keys, retries, and answers cached by their ETag."""

import hashlib
import json
import os
import random
import time
from collections import OrderedDict
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from .errors import InputError, TapefoldError

# Refusals that pass: docs/errors.md says "yes" under "again?". A 429 only where it says until when.
PASSING = {408, 429, 500, 502, 503, 504}
# Products of a key, by its first letters. A key of the product dataset begins as one of LAB.
PREFIXES = {"ordk": "orders", "ftpl": "live", "labk": "lab", "gk": "geo"}
# The product that opens a path, and those whose key does as well.
PRODUCTS = {"orders": (), "live": ("dataset",), "lab": (), "dataset": ("lab",), "geo": ()}
ANSWERS_IN_MEMORY = 64


def read_url(url):
    """The address of a server, without a slash at its end; fails with InputError."""
    text = str(url).rstrip("/")
    try:
        parts = urlsplit(text)
        is_http = parts.scheme in ("http", "https")
        is_address = is_http and bool(parts.hostname) and (parts.port or 1) > 0 and "@" not in text
        httpx.URL(text)
    except (ValueError, httpx.InvalidURL):
        is_address = False
    if is_address:
        return text
    if "@" in text:
        raise InputError(f"url has a login in it; give the address alone, and the key as key='ordk_...'.")
    # a key or a password that stands there by mistake stays out of the message
    shown = f"is {text!r}" if "_" not in text else "is no address"
    wanted = "the address of a server with http:// or https://, such as 'http://127.0.0.1:8080'"
    raise InputError(f"url {shown}; give {wanted}.")


def read_keys(key):
    """Keys by product, from one key, several, or a mapping of product to key; fails with InputError."""
    if key is None:
        return {}
    one_of_many = isinstance(key, (list, tuple, set, frozenset))
    values = key.values() if isinstance(key, dict) else key if one_of_many else [key]
    for value in values:
        if not isinstance(value, str):
            name = type(value).__name__
            wanted = "a text such as 'ordk_...', a list of them, or a mapping of product to key"
            raise InputError(f"key is of the type {name}; give {wanted}.")
        if not value.isascii() or not value.isprintable() or " " in value:
            raise InputError("a key has letters, digits and _ alone; give it whole, such as 'ordk_...'.")
    if isinstance(key, dict):
        unknown = [name for name in key if name not in PRODUCTS]
        if unknown:
            raise InputError(f"there is no product {unknown[0]!r}; a key can be of {', '.join(PRODUCTS)}.")
        return dict(key)
    keys = {}
    for one in [key] if isinstance(key, str) else key:
        product = PREFIXES.get(one.split("_")[0])
        # the key itself is a secret: it stands in no message
        if product is None:
            raise InputError(f"a key begins with {', '.join(f'{name}_' for name in PREFIXES)}; this one does not.")
        if product in keys:
            raise InputError(f"two keys begin alike; name them, such as key={{'{product}': ..., 'dataset': ...}}.")
        keys[product] = one
    return keys


class Answers:
    """Answers by address and key, each with its ETag; in memory, or also in a folder.

    In the folder a body has its SHA-256 as name and is compared with it whenever it is read.
    """

    def __init__(self, folder):
        self._folder = None if folder is None else Path(folder)
        self._answers = OrderedDict()

    def find(self, name):
        """ETag, headers and body of an answer; None when there is none that is whole."""
        if name in self._answers:
            self._answers.move_to_end(name)
            return self._answers[name]
        if self._folder is None:
            return None
        try:
            entry = json.loads((self._folder / f"{name}.json").read_text("utf-8"))
            body = (self._folder / "bodies" / entry["sha256"]).read_bytes()
        except (OSError, ValueError, KeyError):
            return None
        if hashlib.sha256(body).hexdigest() != entry["sha256"]:
            return None
        return entry["etag"], entry["headers"], body

    def store(self, name, etag, headers, body):
        self._answers[name] = (etag, headers, body)
        if len(self._answers) > ANSWERS_IN_MEMORY:
            self._answers.popitem(last=False)
        if self._folder is None:
            return
        try:
            self._write(name, etag, headers, body)
        except OSError as error:
            message = f"cache is {str(self._folder)!r}, which cannot be written: {error.strerror}; give a folder."
            raise TapefoldError(message, code="no_folder") from error

    def _write(self, name, etag, headers, body):
        sha256 = hashlib.sha256(body).hexdigest()
        # positions and ledgers of an account: for its owner alone
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self._folder / "bodies").mkdir(mode=0o700, exist_ok=True)
        write_whole(self._folder / "bodies" / sha256, body)
        entry = {"etag": etag, "headers": headers, "sha256": sha256}
        write_whole(self._folder / f"{name}.json", json.dumps(entry).encode())


def write_whole(path, content):
    """Writes a file so that a reader sees the old content or the new one, never a part."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_bytes(content)
    os.replace(partial, path)


class Answer:
    """A response: its body, and its headers with names in small letters."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError as error:
            message = f"the server answered {self.status}, and not as it documents: is it a server of Tapefold?"
            raise TapefoldError(message, status=self.status) from error


class Transport:
    """Calls of one server. tries: of a call that may pass; max_wait_s: the longest pause between two."""

    def __init__(self, url, key, *, cache=None, timeout_s=150.0, tries=5, max_wait_s=120.0, sleep=time.sleep):
        self.url = read_url(url)
        self._keys = read_keys(key)
        self._answers = Answers(cache)
        self._tries = tries
        self.max_wait_s = max_wait_s
        self.sleep = sleep
        self._http = httpx.Client(timeout=timeout_s, headers={"user-agent": "tapefold-python/0.3.0"})

    def close(self):
        self._http.close()

    def find_key(self, product):
        """The key of a product; fails with one sentence when none was given."""
        for one in (product, *PRODUCTS[product]):
            if one in self._keys:
                return self._keys[one]
        begins = {"dataset": "labk"}.get(product) or next(k for k, v in PREFIXES.items() if v == product)
        raise TapefoldError(f"this call needs a key of the product {product}, such as key='{begins}_...'.", code="no_key")

    def get(self, path, params=None, *, product=None, accept="application/json", headers=None):
        """GET, cached by ETag."""
        return self.call("GET", path, params=params, product=product, headers={"accept": accept, **(headers or {})})

    def post(self, path, body, *, product, headers=None, may_repeat=True):
        """POST of JSON; repeated after a failure only where the server makes the change once."""
        content = json.dumps(body).encode()
        sent = {"accept": "application/json", "content-type": "application/json", **(headers or {})}
        return self.call("POST", path, product=product, headers=sent, content=content, may_repeat=may_repeat)

    def call(self, method, path, *, params=None, product=None, headers=None, content=None, may_repeat=True):
        given = {name: value for name, value in (params or {}).items() if value is not None}
        headers = dict(headers or {})
        key = None if product is None else self.find_key(product)
        if key is not None:
            headers["authorization"] = f"Bearer {key}"
        name = None
        cached = None
        if method == "GET":
            text = json.dumps([self.url, path, sorted(given.items()), headers.get("accept"), key], default=str)
            name = hashlib.sha256(text.encode()).hexdigest()
            cached = self._answers.find(name)
            if cached is not None:
                headers["if-none-match"] = cached[0]
        response = self._send(method, path, given, headers, content, may_repeat)
        if response.status_code == 304 and cached is not None:
            return Answer(200, cached[1], cached[2])
        if response.status_code >= 400:
            raise self.error(response)
        found = dict(response.headers.items())
        body = response.content
        if name is not None and "etag" in found:
            self._answers.store(name, found["etag"], found, body)
        return Answer(response.status_code, found, body)

    def _send(self, method, path, params, headers, content, may_repeat):
        for attempt in range(self._tries):
            is_last = attempt == self._tries - 1 or not may_repeat
            try:
                response = self._http.request(
                    method, f"{self.url}{path}", params=params, headers=headers, content=content
                )
            except httpx.RequestError as error:
                if is_last:
                    raise TapefoldError(f"{self.url} cannot be reached: {type(error).__name__}.") from error
                self.sleep(self.pause_s(attempt))
                continue
            wait_s = self.wait_s(response, attempt)
            if wait_s is None or is_last or wait_s > self.max_wait_s:
                return response
            self.sleep(wait_s)
        raise AssertionError("no try was made")

    def wait_s(self, response, attempt):
        """Seconds to wait before the next try; None where another try changes nothing."""
        if response.status_code not in PASSING:
            return None
        stated = response.headers.get("retry-after")
        if stated is not None and stated.isdigit():
            return float(stated)
        return None if response.status_code == 429 else self.pause_s(attempt)

    @staticmethod
    def pause_s(attempt):
        """A pause that doubles with each try, shortened by chance so that clients do not come at once."""
        return 0.5 * 2**attempt * random.uniform(0.5, 1.0)

    @staticmethod
    def error(response):
        try:
            error = response.json()["error"]
        except (ValueError, KeyError, TypeError):
            error = f"the server answered {response.status_code}, and not as it documents."
        # LAB answers a sentence, the others an object
        details = error if isinstance(error, dict) else {"message": str(error)}
        stated = response.headers.get("retry-after", "")
        return TapefoldError(
            details.get("message", ""),
            status=response.status_code,
            code=details.get("code"),
            retry_after_s=float(stated) if stated.isdigit() else None,
            request_id=response.headers.get("x-request-id"),
            details=details,
        )

    def stream(self, path, headers, product):
        """A response whose body is read in pieces; for downloads."""
        if product is not None:
            headers = {**headers, "authorization": f"Bearer {self.find_key(product)}"}
        return self._http.stream("GET", f"{self.url}{path}", headers=headers)
