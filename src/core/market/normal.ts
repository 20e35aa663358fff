/**
 * Standard normal distribution function to about 1e-15: Hart (1968) in the form of G. West,
 * "Better approximations to cumulative normal functions", Wilmott, 2005.
 */
export function normalCdf(x: number): number {
  const size = Math.abs(x)
  if (size > 37) return x > 0 ? 1 : 0
  const tail = Math.exp(-0.5 * size * size) * (size < 7.07106781186547 ? ratio(size) : far(size))
  return x > 0 ? 1 - tail : tail
}

function ratio(x: number): number {
  let top = 0.0352624965998911 * x + 0.700383064443688
  top = top * x + 6.37396220353165
  top = top * x + 33.912866078383
  top = top * x + 112.079291497871
  top = top * x + 221.213596169931
  top = top * x + 220.206867912376
  let bottom = 0.0883883476483184 * x + 1.75566716318264
  bottom = bottom * x + 16.064177579207
  bottom = bottom * x + 86.7807322029461
  bottom = bottom * x + 296.564248779674
  bottom = bottom * x + 637.333633378831
  bottom = bottom * x + 793.826512519948
  bottom = bottom * x + 440.413735824752
  return top / bottom
}

/** Continued fraction of the far tail. */
const far = (x: number) => 1 / (x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65))))) / 2.506628274631

/**
 * Returns x with a probability of `p` below it, by halving; the further tail retains its digits.
 */
export function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p)
  let [low, high] = [-38, 0]
  for (let step = 0; step < 100 && high - low > 1e-15; step++) {
    const middle = (low + high) / 2
    if (normalCdf(middle) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}
