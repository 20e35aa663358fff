"""Prints the flip of every minute of a past session.

TAPEFOLD_KEY=ftpl_... python3 history.py 2026-10-15
"""

import os
import sys
import urllib.request

import pyarrow.ipc

url = os.environ.get("TAPEFOLD_URL", "http://127.0.0.1:8080")
request = urllib.request.Request(
    f"{url}/api/v1/history?sym=SPX&day={sys.argv[1]}",
    headers={
        "Authorization": f"Bearer {os.environ['TAPEFOLD_KEY']}",
        "Accept": "application/vnd.apache.arrow.stream",
    },
)
with urllib.request.urlopen(request) as answer:
    table = pyarrow.ipc.open_stream(answer).read_all()
for row in table.to_pylist():
    bar = f"{row['flip']} ({row['flip_lo']} to {row['flip_hi']})"
    print(row["minute"], row["reason"] if row["flip"] is None else bar)
