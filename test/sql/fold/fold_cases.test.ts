import { expect, test } from 'vitest'
import type { Row } from '../../../src/core/engine/database.ts'
import { after, listPrices, type PackageLeg, reuseFoldDb } from '../../support/fold.ts'
import { readVectors } from '../../support/shared.ts'

type Print = {
  id: number
  ts: number
  exp: string
  k: number
  cp: 'C' | 'P'
  sz: number
  cond: string
  net: number
  px: number | null
}
type Case = { name: string; prints: Print[]; parents: number[][] }

const cases: Case[] = readVectors('fold_cases').cases

const findKey = ({ exp, k, cp }: { exp: string; k: number; cp: string }) => `${exp} ${k} ${cp}`

/** Signs, first leg bought, of the structures in the vectors. */
const SIGNS: Record<number, Record<string, number[]>> = {
  2: { any: [1, -1] },
  3: { any: [1, -1, 1] },
  4: { any: [1, -1, -1, 1] },
}

/** Leg prices in pennies that give each package the net of the vector. */
function pricesOfCase({ prints, parents }: Case): Map<number, number> {
  const prices = new Map<number, number>()
  for (const ids of parents) {
    const fills = Map.groupBy(
      ids.map(id => prints.find(print => print.id === id)!),
      print => print.net,
    )
    for (const [net, group] of fills) {
      const keys = [...new Set(group.map(findKey))].sort()
      const total = (key: string) =>
        group.filter(print => findKey(print) === key).reduce((sum, print) => sum + print.sz, 0)
      const unit = Math.min(...keys.map(total))
      const signs = SIGNS[keys.length]?.any ?? [1]
      const legs: PackageLeg[] = keys.map((key, i) => {
        const { exp, k, cp } = group.find(print => findKey(print) === key)!
        return { exp, k, cp, quantity: (signs[i]! * total(key)) / unit }
      })
      const points = listPrices(legs, net)
      for (const print of group) prices.set(print.id, points[keys.indexOf(findKey(print))]!)
    }
  }
  return prices
}

const listRows = (prints: readonly Print[], findPrice: (print: Print) => number | null): Row[] =>
  prints.map(print => ({
    sequence: print.id,
    printed_at: after(print.ts),
    expiry: print.exp,
    strike: print.k,
    option_type: print.cp,
    size: print.sz,
    condition: print.cond,
    exchange: 'C',
    price: findPrice(print),
  }))

test.each(cases)('$name', async entry => {
  const db = await reuseFoldDb()
  const prices = pricesOfCase(entry)
  await db.addPrints(listRows(entry.prints, print => print.px ?? prices.get(print.id)!))
  await db.fold()
  expect(await db.parents()).toEqual(entry.parents)
})

test.each(cases.filter(entry => !/nets/.test(entry.name)))(
  '$name, where the tape gives no prices',
  async entry => {
    const db = await reuseFoldDb()
    await db.addPrints(listRows(entry.prints, () => null))
    await db.fold()
    expect(await db.parents()).toEqual(entry.parents)
  },
)
