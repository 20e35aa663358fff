"""Days of sessions as arguments: compared as text only once they are known to be dates."""

import datetime
import re

from .errors import InputError


def read_day(field, value):
    """A day as YYYY-MM-DD, of a text written so, a date, or an instant at midnight.

    field: the argument's name, for the sentence of the InputError.
    """
    is_midnight = isinstance(value, datetime.datetime) and value.time() == datetime.time()
    if is_midnight or (isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)):
        return value.strftime("%Y-%m-%d")
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        try:
            return datetime.date.fromisoformat(value).isoformat()
        except ValueError:
            pass
    raise InputError(
        f"{field} is {value!r}; give a date written YYYY-MM-DD, such as {field}='2026-10-15'.", code="bad_day"
    )


def read_optional_day(field, value):
    """As read_day; None stays None."""
    return None if value is None else read_day(field, value)


def read_range(start, end):
    """First and last day, both included; None where a side is open. Fails with InputError."""
    start, end = read_optional_day("start", start), read_optional_day("end", end)
    if start is not None and end is not None and start > end:
        raise InputError(
            f"start is {start!r}, which is after end, {end!r}; give the earlier day first, "
            f"such as start={end!r}, end={start!r}.",
            code="bad_day",
        )
    return start, end
