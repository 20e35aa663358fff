/**
 * Arrivals that set off others: each brings on average `excited` more, some within microseconds
 * as machines respond to machines, most within half a second (a branching form of Hawkes'
 * process).
 */
export type Arrivals = {
  readonly fromUs: number
  readonly untilUs: number
  readonly perSecond: number
  readonly excited: number
  /** Share of the set off that have the stamp of what set them off. */
  readonly sameBlock: number
}

export function listArrivals(random: () => number, options: Arrivals): number[] {
  const { fromUs, untilUs, perSecond, excited, sameBlock } = options
  const meanUs = 1e6 / (perSecond * (1 - excited))
  const all: number[] = []
  const settle = (at: number) => {
    if (at >= untilUs) return
    all.push(at)
    // as many as a geometric law says: now and then a crowd
    while (random() < excited / (1 + excited)) settle(at + echoUs(random, sameBlock))
  }
  let clock = fromUs
  let mood = 1
  for (;;) {
    if (random() < 0.02) mood = Math.exp(1.2 * (random() - 0.5))
    clock += exponentialUs(random, meanUs / mood)
    if (clock >= untilUs) break
    settle(clock)
  }
  return all.sort((a, b) => a - b)
}

/** A whole number of microseconds that has this mean. */
export const exponentialUs = (random: () => number, meanUs: number): number =>
  Math.round(-Math.log(1 - random()) * meanUs)

function echoUs(random: () => number, sameBlock: number): number {
  const kind = random()
  if (kind < sameBlock) return 0
  return exponentialUs(random, kind < sameBlock + 0.15 ? 900 : 180_000)
}
