"""For a receiver of webhooks: whether a call is really from the service.

Needs Python 3.9 and nothing else. The rules are those of src/platform/webhooks/verify.ts.
"""

import hashlib
import hmac
import math
import re
from collections import OrderedDict

# How far the time of a call may be from the receiver's, before and after.
TOLERANCE_MS = 300_000


def verify_webhook(headers, body, secret, now_ms, legacy=False):
    """True when a call was signed with the secret, at most 300 seconds ago or ahead.

    headers: a mapping, or pairs of name and value. body: the bytes as they came, before
    anything parses them. secret: the whole secret, with its whsec_. now_ms: the receiver's
    clock, such as time.time() * 1000. legacy: judges X-Service-Signature-V0 instead, which
    signs the body alone; sent for positions only, until 2026-11-30.
    """
    return refusal_of(headers, body, secret, now_ms, legacy) is None


def refusal_of(headers, body, secret, now_ms, legacy=False):
    """Why a call is refused, for the receiver's own log; None when it is good."""
    if not isinstance(secret, str) or secret.strip() == "":
        raise ValueError("the secret is empty")
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("body must be the raw bytes, before anything parses them")
    if not math.isfinite(now_ms):
        raise TypeError("now_ms must be the milliseconds of a clock")
    name = "x-service-signature-v0" if legacy else "x-service-signature"
    signature = _header(headers, name)
    if signature is None:
        return f"the header {name} is missing, or there twice"
    if re.fullmatch(r"sha256=[0-9a-f]{64}", signature) is None:
        return f"the header {name} is not sha256= and 64 hexadecimal digits"
    start = b""
    if not legacy:
        timestamp = _header(headers, "x-service-timestamp")
        if timestamp is None:
            return "the header x-service-timestamp is missing, or there twice"
        if re.fullmatch(r"0|[1-9][0-9]{0,11}", timestamp) is None:
            return "x-service-timestamp is not a time in seconds"
        age_ms = now_ms - int(timestamp) * 1000
        if age_ms > TOLERANCE_MS:
            return "the call is more than 300 seconds old"
        if age_ms < -TOLERANCE_MS:
            return "the call is more than 300 seconds ahead of this clock"
        start = f"{timestamp}.".encode()
    expected = hmac.new(secret.encode(), start + bytes(body), hashlib.sha256).hexdigest()
    if hmac.compare_digest(f"sha256={expected}", signature):
        return None
    return "the signature is not that of this body and secret"


def _header(headers, name):
    """A header by its name in small letters; None when it is missing or there twice."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    values = [value for key, value in pairs if key.lower() == name]
    return values[0] if len(values) == 1 and isinstance(values[0], str) else None


class SeenIds:
    """Remembers the newest ids in memory: every try of an event has the same one."""

    def __init__(self, size=10_000):
        self._size = size
        self._seen = OrderedDict()

    def is_new(self, event_id):
        """True the first time an id is asked for; take it from the body, which is signed."""
        if event_id in self._seen:
            return False
        self._seen[event_id] = True
        if len(self._seen) > self._size:
            self._seen.popitem(last=False)
        return True
