// A ThetaData tape whose numbers of 32 bits wrap to negative in the middle of the session.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { instantMs, minutesAfter } from '../../../src/core/market/calendar.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { table } from '../../support/db.ts'
import { readBuiltVersions, readRunningVersions } from '../../support/publishedVersions.ts'

const DATE = '2024-11-04'
const HEADER = [
  'symbol',
  'expiration',
  'strike',
  'right',
  'trade_timestamp',
  'quote_timestamp',
  'sequence',
  'ext_condition1',
  'ext_condition2',
  'ext_condition3',
  'ext_condition4',
  'condition',
  'size',
  'exchange',
  'price',
  'bid_size',
  'bid_exchange',
  'bid',
  'bid_condition',
  'ask_size',
  'ask_exchange',
  'ask',
  'ask_condition',
].join(',')

type Message = {
  readonly time: string
  readonly strike: number
  readonly sequence: number
  readonly condition?: number
  readonly size?: number
}

const toLine = ({ time, strike, sequence, condition = 18, size = 5 }: Message) => {
  const [trade, quote] = [`${DATE}T${time}.500`, `${DATE}T${time}.004`]
  return `SPXW,2024-11-08,${strike}.000,CALL,${trade},${quote},${sequence},255,255,255,255,${
    condition
  },${size},5,12.3,20,5,12.20,50,31,5,12.40,50`
}

/** A print every half minute, 1,000 numbers apart: from 09:46:00 on they are below zero. */
const every30Seconds = Array.from({ length: 60 }, (_, index): Message => {
  const second = index % 2 === 0 ? '00' : '30'
  return {
    time: `${minutesAfter('09:31', index >> 1)}:${second}`,
    strike: 5_600 + 5 * (index % 40),
    sequence: (2_147_453_648 + 1_000 * index) | 0,
  }
})

const large: readonly Message[] = [
  // printed before the numbers wrap and cancelled after it
  { time: '09:45:40', strike: 5_805, sequence: 2_147_483_500, size: 777 },
  { time: '09:47:10', strike: 5_805, sequence: -2_147_482_000, size: 777, condition: 40 },
  // both before it
  { time: '09:40:40', strike: 5_815, sequence: 2_147_470_500, size: 888 },
  { time: '09:41:10', strike: 5_815, sequence: 2_147_470_900, size: 888, condition: 40 },
  // its number is that of another contract's print: it gets one of ours
  { time: '09:52:40', strike: 5_825, sequence: (2_147_453_648 + 42_000) | 0, size: 999 },
  { time: '09:53:10', strike: 5_825, sequence: -2_147_470_000, size: 999, condition: 40 },
  // the cancel has the number of its trade, the earlier of two, again; and stands before it
  { time: '09:55:50', strike: 5_835, sequence: -2_147_461_111, size: 666, condition: 40 },
  { time: '09:55:20', strike: 5_835, sequence: -2_147_461_111, size: 666 },
  { time: '09:55:40', strike: 5_835, sequence: -2_147_461_000, size: 666 },
]

const messages = [...every30Seconds, ...large]
const root = mkdtempSync(join(tmpdir(), 'tapefold-wrapped-'))
const [whole, live] = [join(root, 'whole'), join(root, 'live')]

async function importMessages(dataFolder: string, some: readonly Message[]): Promise<void> {
  const file = join(mkdtempSync(join(root, 'file-')), 'prints.csv')
  writeFileSync(file, `${[HEADER, ...some.map(toLine)].join('\n')}\n`)
  const { rows } = await runImport({ dataFolder, format: 'thetadata-trade-quote', files: [file] })
  expect(rows).toMatchObject([{ imported: some.length }])
}

beforeAll(async () => {
  for (const folder of [whole, live]) mkdirSync(folder)
  await importMessages(whole, messages)
  await buildDay({ dataFolder: whole, date: DATE, minPremiumUsd: 0, progress: silent })
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a cancel finds its print over the end of the numbers, and whatever number it has', async () => {
  const { rows } = await runQuery(
    whole,
    `select strftime(printed_at - interval 5 hours, '%H:%M:%S') as at, strike, size, fate,
       order_prints.order_id is not null as is_in_order
     from prints left join order_prints using (session_date, sequence)
     where size > 600 order by printed_at`,
  )
  expect(rows.map(row => ({ ...row, is_in_order: String(row.is_in_order) }))).toEqual(
    table(`
      at        strike  size  fate       is_in_order
      09:40:40  5815    888   cancelled  false
      09:41:10  5815    888   cancel     false
      09:45:40  5805    777   cancelled  false
      09:47:10  5805    777   cancel     false
      09:52:40  5825    999   cancelled  false
      09:53:10  5825    999   cancel     false
      09:55:20  5835    666   cancelled  false
      09:55:40  5835    666   kept       true
      09:55:50  5835    666   cancel     false
    `),
  )
  const orders = await runQuery(whole, 'select size from orders where size > 600')
  expect(orders.rows).toEqual([{ size: 666 }])
  const made = await runQuery(whole, 'select count(*) as n from prints where sequence > 4294967296')
  expect(made.rows).toEqual([{ n: 2 }])
})

test('fed minute by minute the same prints are taken off', async () => {
  const options = { date: DATE, minPremiumUsd: 0, progress: silent, dataFolder: live }
  const job = await openMinuteJob(options)
  const db = await openDatabase()
  try {
    let from = ''
    for (const minute of ['09:41', '09:42', '09:46', '09:48', '09:53', '09:54', '09:56', '10:01']) {
      const come = messages.filter(({ time }) => time >= from && time < minute)
      await importMessages(live, come)
      await job.advance(instantMs(DATE, minute))
      from = minute
    }
    const until = `${DATE} 15:01:00`
    const running = await readRunningVersions(db, live, DATE, until)
    expect(running).toEqual(await readBuiltVersions(db, whole, DATE, until))
    const sizes = running.ended.map(version => JSON.parse(version).size)
    expect(sizes.sort()).toEqual([777, 888, 999])
  } finally {
    db.close()
    await job.close()
  }
})
