/** Statistic of runs of wins and losses (Wald and Wolfowitz 1940), without a correction. */

/** Null where all results are on one side. */
export function runsZ(inOrder: readonly number[]): number | null {
  const signs = inOrder.map(r => (r > 0 ? '+' : '-')).join('')
  const wins = signs.replaceAll('-', '').length
  const losses = signs.length - wins
  if (wins === 0 || losses === 0) return null
  const runs = signs.match(/\++|-+/g)!.length
  const count = wins + losses
  const expected = (2 * wins * losses) / count + 1
  const variance = ((expected - 1) * (expected - 2)) / (count - 1)
  return (runs - expected) / Math.sqrt(variance)
}
