"""Compares your own signs and units of dealers' exposures with ten that are known.

python3 examples/signs.py docs/vectors/signs.json
"""

import json
import math
import sys


def delta(option_type, strike, spot, vol, years, rate, yield_):
    """Black-76 on the forward; the forward moves with the index in proportion."""
    forward = spot * math.exp((rate - yield_) * years)
    d1 = math.log(forward / strike) / (vol * math.sqrt(years)) + vol * math.sqrt(years) / 2
    sign = 1 if option_type == "C" else -1
    return sign * math.exp(-yield_ * years) * 0.5 * math.erfc(-sign * d1 / math.sqrt(2))


def exposures(market, legs):
    """Sums over legs: dealers long above zero, 100 a contract, in $ million."""
    spot, years, vol = market["spot"], market["years"], market["vol"]
    rate = -math.log(market["discount"]) / years
    yield_ = rate - math.log(market["forward"] / spot) / years
    found = dict.fromkeys(
        ("delta_musd", "gamma_musd_per_point", "vanna_musd_per_vol_point", "charm_musd_per_day"), 0.0
    )
    for leg in legs:
        at = lambda s=spot, v=vol, t=years: delta(leg["option_type"], leg["strike"], s, v, t, rate, yield_)
        dollars = leg["dealers"] * 100 * spot / 1e6
        h, k, d = 1e-3 * spot * vol * math.sqrt(years), 1e-3 * vol, 1e-3 * years
        found["delta_musd"] += dollars * at()
        found["gamma_musd_per_point"] += dollars * (at(s=spot + h) - at(s=spot - h)) / (2 * h)
        found["vanna_musd_per_vol_point"] += dollars * (at(v=vol + k) - at(v=vol - k)) / (2 * k) * 0.01
        found["charm_musd_per_day"] += dollars * (at(t=years - d) - at(t=years + d)) / (2 * d) / 365
    return found


failed = 0
for vector in json.load(open(sys.argv[1], encoding="utf-8"))["vectors"]:
    found = exposures(vector["market"], vector["legs"])
    wrong = [
        f"{name} is {found[name]:.6f}, not {value:.6f}"
        for name, value in vector["expected"].items()
        # differences instead of formulas: some millionths are theirs
        if abs(found[name] - value) > 2e-5 * max(1, abs(value))
    ]
    failed += bool(wrong)
    print("differs" if wrong else "agrees", "|", vector["name"], *wrong, sep=" ")
sys.exit(1 if failed else 0)
