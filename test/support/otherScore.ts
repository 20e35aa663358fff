import type { Row } from '../../src/core/engine/database.ts'
import { adjustedRand } from './adjustedRand.ts'
import { readConditions } from './conditionLetters.ts'
import type { PrintTruth } from './otherTape.ts'

/** How well orders that were folded agree with those that a tape was made of. */

export type Score = {
  /** Included prints that are in no order, by their sequence. */
  readonly lost: readonly number[]
  /** Prints that an audit excluded. */
  readonly apart: number
  /** Of the legs of orders of 50 contracts and more; 1 is the truth. */
  readonly ari: number
  readonly largeOrders: number
  readonly wrongOrders: number
  /** Of large orders with a trait: how many there are and how many are folded wrongly. */
  readonly byTrait: readonly TraitScore[]
}

export type TraitScore = {
  readonly trait: string
  readonly orders: number
  /** Their legs are in more than one folded order. */
  readonly torn: number
  /** A folded order has their legs and those of others. */
  readonly mixed: number
}

/** An order of so many contracts over all legs is large. */
const LARGE = 50

const legLetters = new Set(readConditions().multiLegLetters)

/** Scores orders by the disposition of every print and the order of those that have one. */
export function findScore(
  truth: readonly PrintTruth[],
  dispositions: readonly Row[],
  orderPrints: readonly Row[],
): Score {
  const findOrder = new Map(orderPrints.map(row => [Number(row.sequence), String(row.order_id)]))
  const ofFate = (disposition: string) =>
    dispositions.filter(row => row.fate === disposition).map(row => Number(row.sequence))
  const stored = new Set(ofFate('kept'))
  const legs = truth.filter(one => legLetters.has(one.letter) && stored.has(one.sequence))
  const large = legs.filter(one => one.contracts >= LARGE)
  const found = ({ sequence }: PrintTruth) => findOrder.get(sequence) ?? `lost ${sequence}`
  const parentsIn = namesBy(legs, found, one => one.parent)
  const listOrders = namesBy(large, one => one.parent, found)
  const findFirst = new Map(large.map(one => [one.parent, one]))
  const verdicts = [...listOrders].map(([parent, orders]) => ({
    traits: [...findFirst.get(parent)!.traits, findFirst.get(parent)!.kind],
    isTorn: orders.size > 1,
    isMixed: [...orders].some(order => parentsIn.get(order)!.size > 1),
  }))
  const traits = [...new Set(verdicts.flatMap(verdict => verdict.traits))].sort()
  return {
    lost: [...stored].filter(sequence => !findOrder.has(sequence)),
    apart: ofFate('set_apart').length,
    ari: adjustedRand(
      large.map(one => one.parent),
      large.map(found),
    ),
    largeOrders: verdicts.length,
    wrongOrders: verdicts.filter(({ isTorn, isMixed }) => isTorn || isMixed).length,
    byTrait: traits.map(trait => {
      const some = verdicts.filter(verdict => verdict.traits.includes(trait))
      return {
        trait,
        orders: some.length,
        torn: some.filter(({ isTorn }) => isTorn).length,
        mixed: some.filter(({ isMixed }) => isMixed).length,
      }
    }),
  }
}

/** The traits of several tapes together. */
export function summedTraits(scores: readonly Score[]): TraitScore[] {
  const sums = new Map<string, TraitScore>()
  for (const one of scores.flatMap(({ byTrait }) => byTrait)) {
    const sum = sums.get(one.trait) ?? { orders: 0, torn: 0, mixed: 0 }
    sums.set(one.trait, {
      trait: one.trait,
      orders: sum.orders + one.orders,
      torn: sum.torn + one.torn,
      mixed: sum.mixed + one.mixed,
    })
  }
  return [...sums.values()]
}

function namesBy<Key, Name>(
  all: readonly PrintTruth[],
  findKey: (one: PrintTruth) => Key,
  findName: (one: PrintTruth) => Name,
): Map<Key, Set<Name>> {
  const names = new Map<Key, Set<Name>>()
  for (const one of all) {
    const key = findKey(one)
    names.set(key, (names.get(key) ?? new Set<Name>()).add(findName(one)))
  }
  return names
}
