"""Columns of the frames of a server, and their types: the same in a frame without rows, and where all is null.

Names and types are those of the server's OpenAPI file; tests/test_server.py compares them.
"""


def _columns(names, numbers="", wholes="", truths=""):
    """Name of a column and its type in pandas; those that are no number or truth value are objects."""
    kinds = {"float64": numbers, "Int64": wholes, "boolean": truths}
    found = {name: kind for kind, listed in kinds.items() for name in listed.split()}
    return {name: found.get(name, "object") for name in names.split()}


SESSIONS = _columns(
    "day revision grade simulated orders open close flip_close reason condition conditions condition_reason "
    "published_at edition published_reason due_at due_reason",
    numbers="open close flip_close",
    wholes="orders edition",
    truths="simulated",
)
_BOOK_NUMBERS = "spot flip flip_lo flip_hi call_wall put_wall net_gamma p_positive spot_error"
# of the archive
MINUTES = _columns(
    "minute spot flip flip_lo flip_hi call_wall put_wall net_gamma reason p_positive spot_source spot_error",
    numbers=_BOOK_NUMBERS,
)
# of the levels API
LEVELS = _columns(
    "day minute spot flip flip_lo flip_hi call_wall put_wall net_gamma regime p_positive spot_source spot_error reason",
    numbers=_BOOK_NUMBERS,
)
STRIKES = _columns("minute strike call put", numbers="strike call put")
CURVES = _columns("minute level net", numbers="level net")
FLOW = _columns(
    "day minute spot delta delta_lo delta_hi delta_reason gamma gamma_lo gamma_hi gamma_reason orders contracts",
    numbers="spot delta delta_lo delta_hi gamma gamma_lo gamma_hi",
    wholes="orders contracts",
)
LEVEL = _columns(
    "sym source contract basis spot spot_source spot_error flip flip_lo flip_hi flip_roots call_wall put_wall net_gamma "
    "regime p_positive net_gamma_deviation expected_move session_move expected_move_reason measured_share "
    "sessions_carried reason gamma_reason gex gex_reason expiry expiry_day gamma_share leaves error",
    numbers=f"{_BOOK_NUMBERS} basis net_gamma_deviation expected_move session_move measured_share gamma_share",
    wholes="sessions_carried",
)
SYMBOLS = _columns(
    "sym kind source books available reason first_day tick", numbers="tick", truths="available"
)
ORDERS = _columns(
    "oid t g g_null kind legs lg exp size contracts net flip side confidence fold flags p sign_null rule prints "
    "flip_convention side_convention",
    numbers="g net flip confidence p flip_convention",
    wholes="size contracts prints",
)
POSITIONS = _columns("id kind legs entry conditions label alert session")
CHECKS = _columns("position_id kind label on off unknown error", wholes="on off unknown")
CONDITIONS = _columns("id value unit on_when threshold margin state reason", numbers="value threshold margin")
TRACK = _columns("t label on off unknown error", wholes="on off unknown")
ENTRIES = _columns(
    "day t label on off unknown held touched close_points worst_points worst_t moved_points moved_over_expected "
    "missing_minutes outcome_null error",
    numbers="close_points worst_points moved_points moved_over_expected",
    wholes="on off unknown missing_minutes",
    truths="held touched",
)
EVENTS = _columns("seq queued_at body", wholes="seq")
GEO_ITEMS = _columns(
    "id kind week date country code label events mentions goldstein url source known_at updated_at session minute",
    numbers="goldstein",
    wholes="events mentions",
)
TRADES = _columns(
    "rule_leg session_date era decided_et filled_et slot is_fixed in_rule missed conditions legs net exit_reason "
    "exit_date exit_et is_late close_net settlement fees_usd pnl_usd risk_usd r worst_usd is_sealed",
    numbers="net close_net settlement fees_usd pnl_usd risk_usd r worst_usd",
    wholes="rule_leg slot",
    truths="is_fixed in_rule is_late is_sealed",
)
FOLDER_SESSIONS = _columns("day datasets rows simulated", wholes="datasets rows", truths="simulated")
FILES = _columns("file dataset day rows bytes sha256", wholes="rows bytes")
