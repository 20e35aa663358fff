import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { readTapeVerdict, refuseTape } from '../../../pipelines/build/tapeVerdict.ts'
import type { TestDb } from '../../support/db.ts'
import { findReport, openValidTape } from '../../support/tapeReport.ts'

const LIMITS = readFileSync('data/reference/tape_limits.csv', 'utf8').trim().split('\n').slice(1)
const GRADES = ['doubtful', 'bad', 'refused'] as const

/** Every limit of the table: the measure, the grade it begins, and the grade below it. */
const cases = LIMITS.flatMap(line => {
  const [measure, ...cells] = line.split(',')
  const given = GRADES.filter((_, index) => cells[index] !== '')
  return given.map((grade, index) => ({
    measure: measure!,
    grade,
    below: index === 0 ? 'good' : given[index - 1]!,
    limit: Number(cells[GRADES.indexOf(grade)]),
  }))
})

let db: TestDb
let owners: Map<string, string>

beforeAll(async () => {
  db = await openValidTape()
  await findReport(db)
  const columns = await db.rows(
    `select table_name, column_name from duckdb_columns()
     where schema_name = 'ledger' and table_name <> 'tape_report'`,
  )
  owners = new Map(columns.map(row => [String(row.column_name), String(row.table_name)]))
})

/** The finding on a measure that has the given value, and the grade of the whole tape. */
async function judge(measure: string, value: number) {
  const owner = `ledger.${owners.get(measure)}`
  await db.run(`create or replace table kept as from ${owner}`)
  try {
    await db.run(`alter table ${owner} alter ${measure} set data type double`)
    await db.run(`update ${owner} set ${measure} = $value`, { value })
    await db.build('ledger/tape_findings')
    await db.build('ledger/tape_report')
    const [finding] = await db.rows('from ledger.tape_findings where measure = $measure', {
      measure,
    })
    return { grade: finding!.grade, verdict: await readTapeVerdict(db) }
  } finally {
    await db.run(`create or replace table ${owner} as from kept`)
  }
}

test('the table of limits names every measure that the findings have, and no other', async () => {
  await db.build('ledger/tape_findings')
  const rows = await db.rows('select measure from ledger.tape_findings order by limit_number')
  expect(rows.map(row => row.measure)).toEqual(LIMITS.map(line => line.split(',')[0]))
})

test.each(cases)('$measure is $grade from $limit on', async ({ measure, grade, below, limit }) => {
  const step = Number.isInteger(limit) ? 1 : limit / 1000
  expect((await judge(measure, limit - step)).grade).toBe(below)
  for (const value of [limit, limit + step / 2]) {
    const finding = await judge(measure, value)
    expect(finding.grade).toBe(grade)
    expect(finding.verdict.grade).toBe(grade === 'refused' ? 'bad' : grade)
    expect(finding.verdict.reasons).toHaveLength(1)
    expect(finding.verdict.reasons[0]).toContain(`${grade} from ${limit}: `)
  }
})

test('a measure that is null is not judged', async () => {
  await db.run('update ledger.tape_shares set late_share = null')
  await db.build('ledger/tape_findings')
  const [finding] = await db.rows("from ledger.tape_findings where measure = 'late_share'")
  expect(finding).toMatchObject({ value: null, grade: null, reason: null })
})

test('a verdict refuses by name, and lets a bad tape pass that has something to tell', async () => {
  const { verdict: bad } = await judge('minutes_silent_at_close', 44)
  expect(bad).toMatchObject({ grade: 'bad', refusals: [] })
  expect(() => refuseTape('2026-10-14', bad)).not.toThrow()
  const { verdict: refused } = await judge('minutes_silent_at_close', 60)
  expect(refused.grade).toBe('bad')
  expect(() => refuseTape('2026-10-14', refused)).toThrow(
    'the tape of 2026-10-14 is too incomplete for a ledger (minutes_silent_at_close is 60, ' +
      'refused from 60: the tape ends before the session does): import what is missing, or ' +
      'publish it marked as bad, without --refuse-bad-tape.',
  )
  expect(refused.table).toMatch(/^minutes_silent_at_close +60 +5 +30 +60 +refused$/m)
  expect(refused.brief).toMatch(/^minutes_silent_at_close +60 +5 +30 +60 +refused$/m)
  const rows = refused.table.match(/ good$/gm)!.length
  expect(refused.brief).toContain(`\n  ${rows} measures are good, `)
  expect(refused.brief).not.toMatch(/ good$/m)
})
