/** One day's yield curve: continuously compounded zero rates, ACT/365. */
export const CURVE: readonly { readonly tenorDays: number; readonly rate: number }[] = [
  { tenorDays: 1, rate: 0.0385 },
  { tenorDays: 7, rate: 0.0384 },
  { tenorDays: 30, rate: 0.0382 },
  { tenorDays: 61, rate: 0.0378 },
  { tenorDays: 91, rate: 0.0374 },
  { tenorDays: 182, rate: 0.0363 },
  { tenorDays: 365, rate: 0.0349 },
  { tenorDays: 730, rate: 0.0338 },
]

/** Discount factor; between tenors the forward rate is flat, so rate x days is linear. */
export function discountFactor(days: number): number {
  const first = CURVE[0]!
  if (days <= first.tenorDays) return Math.exp((-first.rate * days) / 365)
  for (let i = 1; i < CURVE.length; i++) {
    const low = CURVE[i - 1]!
    const high = CURVE[i]!
    if (days > high.tenorDays) continue
    const share = (days - low.tenorDays) / (high.tenorDays - low.tenorDays)
    const lowTotal = low.rate * low.tenorDays
    return Math.exp(-(lowTotal + share * (high.rate * high.tenorDays - lowTotal)) / 365)
  }
  return Math.exp((-CURVE.at(-1)!.rate * days) / 365)
}
