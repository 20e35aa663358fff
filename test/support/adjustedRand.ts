/**
 * The adjusted Rand index of two partitions of the same items (Hubert and Arabie 1985): of the
 * pairs that both put together, how many more than chance would, where 1 is all of them.
 */
export function adjustedRand(truth: readonly unknown[], found: readonly unknown[]): number {
  const both = sumOfPairs(truth.map((label, index) => JSON.stringify([label, found[index]])))
  const [inTruth, inFound] = [sumOfPairs(truth), sumOfPairs(found)]
  const byChance = (inTruth * inFound) / listPairs(truth.length)
  const most = (inTruth + inFound) / 2
  // both say that nothing belongs together, or that everything does
  if (truth.length < 2 || most === byChance) return 1
  return (both - byChance) / (most - byChance)
}

function sumOfPairs(labels: readonly unknown[]): number {
  const counts = new Map<unknown, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum + listPairs(count), 0)
}

const listPairs = (count: number) => (count * (count - 1)) / 2
