/**
 * Student's t for whole degrees of freedom, by the finite sums of Abramowitz and Stegun 26.7.3
 * and 26.7.4: nothing is approximated.
 */

/** The chance of a |t| at least as large. */
export function twoSided(t: number, dof: number): number {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(dof))
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  if (dof === 1) return 1 - (2 * angle) / Math.PI
  const isOdd = dof % 2 === 1
  let term = isOdd ? cosine : 1
  let sum = term
  for (let k = isOdd ? 3 : 2; k <= dof - 2; k += 2) {
    term *= ((k - 1) / k) * cosine * cosine
    sum += term
  }
  return isOdd ? 1 - (2 / Math.PI) * (angle + sine * sum) : 1 - sine * sum
}
