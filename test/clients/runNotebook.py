"""Runs a notebook from top to bottom, and prints how many pictures it drew."""

import json
import sys

import nbclient
import nbformat

notebook = nbformat.read(sys.argv[1], as_version=4)
# no limit of time: a slow machine fails no test
nbclient.NotebookClient(notebook, timeout=None, kernel_name="python3").execute()
outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
pictures = sum("image/png" in output.get("data", {}) for output in outputs)
warnings = [output["text"] for output in outputs if output.get("name") == "stderr"]
print(json.dumps({"pictures": pictures, "warnings": warnings}))
