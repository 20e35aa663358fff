"""Runs a notebook from top to bottom in its own folder, as Jupyter does, and prints how many pictures it drew."""

import json
import os
import sys

import nbclient
import nbformat

notebook = nbformat.read(sys.argv[1], as_version=4)
# no limit of time: a slow machine fails no test
place = {"metadata": {"path": os.path.dirname(os.path.abspath(sys.argv[1]))}}
nbclient.NotebookClient(notebook, timeout=None, kernel_name="python3", resources=place).execute()
outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
pictures = sum("image/png" in output.get("data", {}) for output in outputs)
warnings = [output["text"] for output in outputs if output.get("name") == "stderr"]
print(json.dumps({"pictures": pictures, "warnings": warnings}))
