"""The errors of the package: all are a TapefoldError."""


class TapefoldError(Exception):
    """A refusal, in one sentence that names the field, the value seen and a good one.

    status: of the response; None when none came. code: as docs/errors.md lists it; None of LAB,
    and where none came. retry_after_s: seconds until a call is worth repeating, where known.
    request_id: what the server's own log has of the call. details: the whole error object.
    """

    def __init__(self, message, *, status=None, code=None, retry_after_s=None, request_id=None, details=None):
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry_after_s = retry_after_s
        self.request_id = request_id
        self.details = details or {}


class InputError(TapefoldError, ValueError):
    """Refused before any call: an argument cannot be taken as it is."""


class MissingFolderError(TapefoldError, FileNotFoundError):
    """A folder that is not there, or has no files of Tapefold."""


class MissingModuleError(TapefoldError, ImportError):
    """A module or program that a call needs is not installed."""
