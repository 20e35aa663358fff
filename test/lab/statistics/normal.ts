/** The normal distribution: by a series near the middle, by a continued fraction in the tails. */

/** The chance of a value up to z. */
export function normalShare(z: number): number {
  return z < 0 ? tail(-z) : 1 - tail(z)
}

/** The chance of a value above z, z >= 0. */
function tail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  if (z < 3) {
    let [term, sum] = [z, z]
    for (let k = 1; k < 200; k++) {
      term *= (z * z) / (2 * k + 1)
      sum += term
    }
    return 0.5 - density * sum
  }
  let fraction = 0
  for (let k = 300; k >= 1; k--) fraction = k / (z + fraction)
  return density / (z + fraction)
}

/** The z below which a share of all values lies, by halving. */
export function normalQuantile(share: number): number {
  let [low, high] = [-40, 40]
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2
    if (normalShare(middle) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}
