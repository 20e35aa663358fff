import type { SimulatedMarket } from './market.ts'
import { tickCents } from './quotes.ts'
import { createRandom } from './random.ts'
import type { Tape } from './tape.ts'

/** About one print in 2,500 is cancelled. */
const CANCEL_SHARE = 0.0004
const REPORT_AGAIN_SHARE = 0.3
const ATTEMPTS_MAX = 40

/**
 * Cancels prints after the fact, some followed by a corrected late report, and returns, for each
 * print, the index of the print it cancels (-1 for an ordinary one).
 *
 * The letter is what OPRA would send: G for the only print of its contract so far, C for the last,
 * E for the first, A for any other. A print is left alone when another one of the same contract has
 * its price and size: the cancel would be ambiguous.
 */
export function cancelPrints(tape: Tape, market: SimulatedMarket, seed: number): Int32Array {
  const random = createRandom(seed, 'cancels')
  const { timeUs, contract, size, cents, letter, parent, leg, fill } = tape.columns()
  const printCount = tape.count()
  const ofContract = listByContract(tape)
  const touched = new Set<number>()
  const targets: [cancel: number, target: number][] = []
  const wanted = Math.max(4, Math.round(printCount * CANCEL_SHARE))
  for (let attempt = 0; attempt < wanted * ATTEMPTS_MAX && targets.length < wanted; attempt++) {
    const any = random.integer(0, printCount - 1)
    // the first print of a contract now and then, so that every kind of cancel is seen
    const target = random.chance(0.25) ? ofContract.get(contract[any]!)![0]! : any
    const isRegular = timeUs[target]! >= market.openUs && timeUs[target]! < market.closeUs - 6e7
    const delay = 200_000 + random.exponential(random.chance(0.4) ? 3_000_000 : 240_000_000)
    const at = Math.floor(Math.min(market.closeUs - 4e7, timeUs[target]! + delay))
    if (!isRegular || touched.has(contract[target]!) || at <= timeUs[target]!) continue
    const prints = ofContract.get(contract[target]!)!
    const before = prints.filter(print => timeUs[print]! < at)
    const isTwin = (print: number) =>
      print !== target && size[print] === size[target] && cents[print] === cents[target]
    const isSameTime = (print: number) => print !== target && timeUs[print] === timeUs[target]
    if (prints.some(print => isTwin(print) || isSameTime(print))) continue
    touched.add(contract[target]!)
    const origin = {
      contract: contract[target]!,
      parent: parent[target]!,
      leg: leg[target]!,
      fill: fill[target]!,
    }
    const cancel = tape.add({
      ...origin,
      timeUs: at,
      size: size[target]!,
      cents: cents[target]!,
      letter: cancelLetter(before, target),
    })
    targets.push([cancel, target])
    if (!random.chance(REPORT_AGAIN_SHARE) || letter[target] === LATE_B) continue
    const later = Math.floor(Math.min(market.closeUs - 1e6, at + 1e6 + random.exponential(2e7)))
    const move = random.chance(0.5) ? tickCents(cents[target]!) : 0
    tape.add({
      ...origin,
      timeUs: later,
      size: size[target]!,
      cents: cents[target]! + move,
      letter: random.chance(0.5) ? 'B' : 'D',
    })
  }
  const cancelled = new Int32Array(tape.count()).fill(-1)
  for (const [cancel, target] of targets) cancelled[cancel] = target
  return cancelled
}

const LATE_B = 'B'.charCodeAt(0)

/** Prints of each contract in time order. */
function listByContract(tape: Tape): Map<number, number[]> {
  const { count, contract, timeUs } = tape.columns()
  const lists = new Map<number, number[]>()
  for (let print = 0; print < count; print++) {
    const list = lists.get(contract[print]!)
    if (list) list.push(print)
    else lists.set(contract[print]!, [print])
  }
  for (const list of lists.values()) {
    list.sort((one, other) => timeUs[one]! - timeUs[other]! || one - other)
  }
  return lists
}

function cancelLetter(before: readonly number[], target: number): string {
  if (before.length === 1) return 'G'
  if (before.at(-1) === target) return 'C'
  return before[0] === target ? 'E' : 'A'
}
