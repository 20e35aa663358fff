/**
 * Fewer of the items that still fail, by leaving out ever smaller runs of them (delta
 * debugging), within a number of attempts.
 */
export async function smallest<Item>(
  items: readonly Item[],
  fails: (some: readonly Item[]) => Promise<boolean>,
  attempts: number,
): Promise<readonly Item[]> {
  let left = items
  let run = Math.ceil(items.length / 2)
  let attempted = 0
  while (run >= 1 && attempted < attempts) {
    let hasShrunk = false
    for (let from = 0; from < left.length && left.length > 1 && attempted < attempts; ) {
      const some = [...left.slice(0, from), ...left.slice(from + run)]
      attempted++
      if (some.length > 0 && (await fails(some))) {
        left = some
        hasShrunk = true
        continue
      }
      from += run
    }
    if (!hasShrunk || run > 1) run = run === 1 ? 0 : Math.ceil(run / 2)
  }
  return left
}
