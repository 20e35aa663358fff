"""Prints the flip of every half hour of a published session, from its Parquet files.

python3 flip.py data/demo 2026-10-15
"""

import json
import sys
from pathlib import Path

import pandas

published = Path(sys.argv[1]) / "published"
# the manifest names the current files: others of the folder may be of an earlier build
manifest = json.loads((published / "manifests" / f"{sys.argv[2]}.json").read_text())
levels = pandas.read_parquet(published / manifest["datasets"]["levels"]["file"])
levels = levels[levels.book_basis == "measured"].sort_values("minute_et")
for row in levels[levels.minute_et.str.contains(":[03]0$")].itertuples():
    bar = f"{row.flip:.2f} ({row.flip_lo:.2f} to {row.flip_hi:.2f})"
    # a missing flip is NaN in pandas: never read it as 0
    print(row.minute_et, row.reason if pandas.isna(row.flip) else bar)
