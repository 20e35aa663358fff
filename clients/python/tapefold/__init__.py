"""Ledgers, levels, positions and LAB of a Tapefold server, and its files, as data frames."""

from .client import Client, connect
from .errors import TapefoldError
from .folder import Folder, open_folder as open
from .webhook import SeenIds, verify_webhook

__all__ = ["Client", "Folder", "SeenIds", "TapefoldError", "connect", "open", "verify_webhook"]
