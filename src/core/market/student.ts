/** Two-sided p of a t with `degrees` of freedom: the regularised incomplete beta function. */
export function studentP(t: number, degrees: number): number {
  const whole = degrees + t * t
  return incompleteBeta(degrees / whole, (t * t) / whole, degrees / 2, 0.5)
}

/** Returns the t with a probability of `p` beyond it, both sides together. */
export function studentT(p: number, degrees: number): number {
  let [low, high] = [0, 1e6]
  for (let step = 0; step < 200 && high - low > 1e-12 * high; step++) {
    const middle = (low + high) / 2
    if (studentP(middle, degrees) > p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * Computes the function by Lentz's continued fraction (Numerical Recipes 6.4), on the side where it
 * converges fast. `y` is 1 - x: for an x next to 1 it has the digits that x lacks.
 */
function incompleteBeta(x: number, y: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (y <= 0) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(y, x, b, a)
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(y),
  )
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1))
  let [c, fraction] = [1, d]
  for (let m = 1; m < 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    let step = 1
    for (const term of [even, odd]) {
      d = 1 / nonZero(1 + term * d)
      c = nonZero(1 + term / c)
      step = d * c
      fraction *= step
    }
    if (Math.abs(step - 1) < 1e-15) break
  }
  return (front * fraction) / a
}

const nonZero = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value)

/** Lanczos's approximation with g = 7 and nine coefficients, 1e-15 relative. */
function logGamma(x: number): number {
  const z = x - 1
  const sum = LANCZOS.reduce(
    (total, coefficient, i) => total + coefficient / (z + i + 1),
    LANCZOS_0,
  )
  const base = z + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(sum)
}

const LANCZOS_0 = 0.99999999999980993
const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]
