import { exponentialUs } from './otherArrivals.ts'
import type { OtherPrint } from './otherFills.ts'

/** Cancels of past prints, and late prints that replace them. */

export type Printed = { readonly print: OtherPrint; readonly parent: number | null }

/** Of so many prints one is cancelled, and the rest of its fill with it: no leg is busted alone. */
const CANCELLED_OF = 1_200
/** Number of cancelled prints that are printed again, late. */
const CORRECTED_SHARE = 0.5

/** Messages that take back some of the prints, which are in their order. */
export function listCorrections(random: () => number, printed: readonly Printed[]): Printed[] {
  const ofParent = grouped(printed, one => one.parent)
  const ofContract = grouped(printed, findContract)
  const isGone = new Set<Printed>()
  return printed.flatMap(one => {
    if (random() >= 1 / CANCELLED_OF || isGone.has(one)) return []
    const isOfFill = ({ print: { fill } }: Printed) => fill === one.print.fill
    const fill = ofParent.get(one.parent)!.filter(other => isOfFill(other) && !isGone.has(other))
    const wait = 500_000 + exponentialUs(random, 20e6)
    const isCorrected = random() < CORRECTED_SHARE
    return fill.flatMap(target => {
      isGone.add(target)
      const us = target.print.us + wait
      const letter = cancelLetter(ofContract.get(findContract(target))!, target, us)
      const cancel = { print: { ...target.print, us, letter }, parent: null }
      const late = { ...target.print, us: us + 200_000, letter: random() < 0.5 ? 'B' : 'D' }
      return isCorrected ? [cancel, { print: late, parent: target.parent }] : [cancel]
    })
  })
}

/** A cancel is of the only, the first or the last print of its contract by then, or another. */
function cancelLetter(ofContract: readonly Printed[], target: Printed, us: number): string {
  const byThen = ofContract.filter(({ print }) => print.us <= us)
  if (byThen.length === 1) return 'G'
  if (byThen[0] === target) return 'E'
  return byThen.at(-1) === target ? 'C' : 'A'
}

function grouped<Key>(
  all: readonly Printed[],
  findKey: (one: Printed) => Key,
): Map<Key, Printed[]> {
  const groups = new Map<Key, Printed[]>()
  for (const one of all) {
    const group = groups.get(findKey(one))
    if (group) group.push(one)
    else groups.set(findKey(one), [one])
  }
  return groups
}

const findContract = ({ print: { contract } }: Printed): string =>
  `${contract.root} ${contract.expiry} ${contract.strike} ${contract.type}`
