"""Dataset files: downloads that go on where they broke off, and are compared with their hash."""

import hashlib
import json
import os
from pathlib import Path

import httpx

from .errors import InputError, TapefoldError
from .transport import write_whole

PIECE_BYTES = 1 << 20


def file_hash(path):
    """SHA-256 of a file, hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(PIECE_BYTES), b""):
            digest.update(piece)
    return digest.hexdigest()


def download_file(transport, path, entry, folder, product, tries=5):
    """Downloads one file into a folder, or does nothing where it is there whole; returns its path.

    entry: `file`, `bytes` and `sha256` of the list. The file has its name only once its hash is
    right; until then it is `NAME.partial`, from which the next call goes on.
    """
    target = folder / entry["file"]
    if target.exists() and target.stat().st_size == entry["bytes"] and file_hash(target) == entry["sha256"]:
        return target
    partial = folder / f"{entry['file']}.partial"
    for attempt in range(tries):
        start = partial.stat().st_size if partial.exists() else 0
        if start > entry["bytes"]:
            partial.unlink()
            start = 0
        if start < entry["bytes"] or start == 0:
            is_last = attempt == tries - 1
            wait_s = _receive(transport, path, partial, start, product, attempt, is_last)
            if wait_s is not None:
                if not is_last:
                    transport.sleep(wait_s)
                continue
        if file_hash(partial) == entry["sha256"]:
            os.replace(partial, target)
            return target
        # not the bytes of the list: begin anew, never hand them on
        partial.unlink()
    raise TapefoldError(f"{entry['file']} did not arrive whole in {tries} tries; call again to go on.", code="incomplete")


def _receive(transport, path, partial, start, product, attempt, is_last):
    """Appends what is missing; returns seconds to wait before another try, or None at the end.

    Fails with the server's refusal where no try follows, or only after max_wait_s.
    """
    headers = {"accept-encoding": "identity"}
    if start > 0:
        headers["range"] = f"bytes={start}-"
    try:
        with transport.stream(path, headers, product) as response:
            if response.status_code >= 400:
                response.read()
                wait_s = transport.wait_s(response, attempt)
                if wait_s is None or is_last or wait_s > transport.max_wait_s:
                    raise transport.error(response)
                return wait_s
            # a server that sends the whole file begins at its first byte
            with open(partial, "ab" if response.status_code == 206 else "wb") as file:
                # as they come: pieces put together first would be lost when the call breaks off
                for piece in response.iter_raw():
                    file.write(piece)
    except httpx.TransportError:
        return transport.pause_s(attempt)
    return None


def read_index(folder):
    """Files that the list of a folder names; none where there is no list."""
    path = Path(folder) / "index.json"
    return read_list(path)["files"] if path.exists() else []


def read_list(path):
    """A list of files, or a manifest; one that is none is a TapefoldError with the code `damaged`."""
    try:
        found = json.loads(path.read_text("utf-8"))
        if isinstance(found, dict) and ("files" in found or "datasets" in found):
            return found
    except (OSError, ValueError) as error:
        raise TapefoldError(f"{path} cannot be read: {error}.", code="damaged") from error
    raise TapefoldError(f"{path} is no list of files; download or build it again.", code="damaged")


def download_files(transport, base, wanted, folder, product):
    """Downloads files and lists them in `index.json`; returns their paths.

    A file that the list named and that a new one replaces is removed, so that a pattern over the
    folder counts no row twice.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"folder is {str(folder)!r}, which is a file; give a folder, such as 'downloaded'.")
    try:
        return _download_all(transport, base, wanted, folder, product)
    except OSError as error:
        message = f"folder is {str(folder)!r}, which cannot be written: {error.strerror}."
        raise TapefoldError(message, code="no_folder") from error


def _download_all(transport, base, wanted, folder, product):
    folder.mkdir(parents=True, exist_ok=True)
    paths = [download_file(transport, f"{base}/{entry['file']}", entry, folder, product) for entry in wanted]
    places = {(entry["dataset"], entry["day"]): entry for entry in wanted}
    others = []
    for entry in read_index(folder):
        newer = places.get((entry["dataset"], entry["day"]))
        if newer is None:
            others.append(entry)
        elif newer["file"] != entry["file"]:
            (folder / entry["file"]).unlink(missing_ok=True)
    files = sorted([*others, *wanted], key=lambda entry: (entry["day"], entry["dataset"]))
    write_whole(folder / "index.json", json.dumps({"files": files}, indent=1).encode())
    return paths
