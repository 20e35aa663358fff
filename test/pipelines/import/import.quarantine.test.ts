// How many prints of unknown conditions make a file one that cannot be used.

import { expect, test } from 'vitest'
import { findTree, importFiles, newFile, newFolder } from '../../support/import.ts'

const HEADER = 'ticker,conditions,correction,exchange,price,sip_timestamp,size'
const row = (condition: string, second: number, price = '41.5') =>
  `O:SPXW260918P07600000,${condition},0,302,${price},17879${24018 + second}759000000,2`

/** A file of so many prints that are known, unknown and broken. */
function findFile(known: number, unknown: number, broken = 0) {
  const kinds = [
    ...Array.from({ length: known }, () => ['232'] as const),
    ...Array.from({ length: unknown }, () => ['777'] as const),
    ...Array.from({ length: broken }, () => ['232', '-1'] as const),
  ]
  const rows = kinds.map(([condition, price], at) => row(condition, at, price))
  return newFile('conditions.csv', `${[HEADER, ...rows].join('\n')}\n`)
}

test('a file of unknown conditions only is refused, and nothing of it is stored', async () => {
  const data = newFolder()
  const outcome = await importFiles(data, 'massive-trades', findFile(0, 20))
  expect(outcome).toMatchObject({ code: 1, out: '' })
  expect(outcome.error).toContain(
    '20 of 20 rows (100.0 %) cannot be used or have an unknown condition',
  )
  expect(outcome.error).toContain('line 2: unknown condition 777; line 3: unknown condition 777')
  expect(findTree(data)).toEqual({})
})

test('three of four prints may be of unknown conditions, one more may not', async () => {
  const data = newFolder()
  const stored = await importFiles(data, 'massive-trades', findFile(25, 75))
  expect(stored.out).toMatch(/prints +100 +25 +0 +0 +0 +75 \(777: 75\)/)
  const refused = await importFiles(newFolder(), 'massive-trades', findFile(24, 76))
  expect(refused.error).toContain('76 of 100 rows (76.0 %)')
})

test('broken rows count, too: next to many unknown ones and by themselves', async () => {
  const together = await importFiles(newFolder(), 'massive-trades', findFile(49, 150, 1))
  expect(together.error).toContain('151 of 200 rows (75.5 %)')
  const alone = await importFiles(newFolder(), 'massive-trades', findFile(97, 1, 2))
  expect(alone.error).toContain('2 of 100 rows (2.0 %) cannot be used; the limit is 1 %')
})
