import { expect, test } from 'vitest'
import { openStagesDb } from '../../support/stages.ts'

/** Legs as `root expiry strike type ratio`, to their text. */
const CASES: [string, string[]][] = [
  ['5950/5970P', ['SPXW 2026-10-14 5950 P 1', 'SPXW 2026-10-14 5970 P 1']],
  [
    '5930/5950P 6050/6070C',
    [
      'SPXW 2026-10-14 5930 P 1',
      'SPXW 2026-10-14 5950 P 1',
      'SPXW 2026-10-14 6050 C 1',
      'SPXW 2026-10-14 6070 C 1',
    ],
  ],
  ['6000C 6000P', ['SPXW 2026-10-14 6000 C 1', 'SPXW 2026-10-14 6000 P 1']],
  [
    '5950/5970/5990P 1x2x1',
    ['SPXW 2026-10-14 5950 P 1', 'SPXW 2026-10-14 5970 P 2', 'SPXW 2026-10-14 5990 P 1'],
  ],
  ['2026-10-14 6000C 2026-10-15 6000C', ['SPXW 2026-10-14 6000 C 1', 'SPXW 2026-10-15 6000 C 1']],
  [
    'SPX 2026-10-16 6000C SPXW 2026-10-16 6000C',
    ['SPX 2026-10-16 6000 C 1', 'SPXW 2026-10-16 6000 C 1'],
  ],
  ['12.5P', ['VIX 2026-10-14 12.5 P 1']],
]

test.each(CASES)('%s', async (text, legs) => {
  const db = await openStagesDb()
  const rows = legs.map((leg, index) => {
    const [root, expiry, strike, optionType, ratio] = leg.split(' ')
    return `o1  1  ${index + 1}  ${root}  ${expiry}  ${strike}  ${optionType}  ${ratio}`
  })
  const head = 'order_id  first_sequence  leg_number  root  expiry  strike  option_type  ratio'
  await db.fill('fold.legs', [head, ...rows].join('\n'))
  await db.build('ledger/leg_texts')
  expect(await db.all('ledger.leg_texts')).toEqual([{ edition_id: 1, legs_text: text }])
})
