// The examples that people copy run as they stand, on a built session, and print what it holds.

import { spawn, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runQuery } from '../src/data/published/analyst.ts'
import { startTestApi, type TestApi } from './support/api.ts'
import { type BuiltSession, buildSmallSession } from './support/builtSession.ts'
import { readPage } from './support/pages.ts'
import { tapefold } from './support/tapefold.ts'

const DAY = '2026-10-15'

let built: BuiltSession
let api: TestApi
// biome-ignore lint/suspicious/noExplicitAny: a ledger and a session as their clients see them
type Json = any
let ledger: Json
let session: Json
beforeAll(async () => {
  built = await buildSmallSession(DAY)
  api = await startTestApi({ dataFolder: built.dataFolder })
  api.clock.atMs = Date.parse('2026-10-16T16:00:00Z')
  ledger = (await api.call(`/orders/api/day?day=${DAY}`)).json
  session = (await api.call(`/api/session/${DAY}`, { key: null })).json
  expect(ledger.orders.length).toBeGreaterThan(20)
})
afterAll(async () => {
  await api.close()
  built.remove()
})

const example = (name: string) => readFileSync(`examples/${name}`, 'utf8')

/** Runs a program of the examples; returns its exit code and what it printed. */
function run(command: string, args: readonly string[], key = api.key) {
  const env = { ...process.env, TAPEFOLD_URL: api.url, TAPEFOLD_KEY: key }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, errors] = ['', '']
  child.stdout.on('data', piece => {
    out += piece
  })
  child.stderr.on('data', piece => {
    errors += piece
  })
  return new Promise<{ code: number | null; out: string; errors: string }>((done, failed) => {
    child.on('error', failed)
    child.on('close', code => done({ code, out, errors }))
  })
}

/** True when a program is there and does a small thing. */
const works = (command: string, args: readonly string[]) => spawnSync(command, args).status === 0

test('the page of examples lists every file', () => {
  const files = globSync('examples/*').map(file => basename(file))
  const listed = [...readPage('examples/README.md').matchAll(/\]\(([\w.]+)\)/g)].map(([, to]) => to)
  expect([...listed, 'README.md'].toSorted()).toEqual(files.toSorted())
})

test('the orders of a day are the first 20 of the ledger', async () => {
  const { rows } = await runQuery(built.dataFolder, example('orders_of_a_day.sql'))
  const wanted = ledger.orders.slice(0, 20)
  const gamma = (value: unknown) => (value === null ? null : Number(value).toFixed(6))
  expect(
    rows.map(row => [row.minute_et, row.structure, row.legs_text, gamma(row.dealer_gamma)]),
  ).toEqual(wanted.map(({ t, kind, legs, g }: Json) => [t, kind, legs, gamma(g)]))
  expect(rows.map(row => row.gamma_null_reason)).toEqual(wanted.map(({ g_null }: Json) => g_null))
})

test('the flip by minute is that of the archive', async () => {
  const { rows } = await runQuery(built.dataFolder, example('flip_by_minute.sql'))
  const { flip } = session.books.measured
  expect(rows.map(row => row.minute_et)).toEqual(session.minutes)
  const toPoints = (value: unknown) => (value === null ? null : Number(value).toFixed(2))
  expect(rows.map(row => toPoints(row.flip))).toEqual(flip.map(toPoints))
  expect(rows.some(row => row.flip !== null)).toBe(true)
})

test('the gamma of structures counts every order of the ledger once', async () => {
  const { rows } = await runQuery(built.dataFolder, example('gamma_of_structures.sql'))
  const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0)
  const { n, no_gamma } = ledger.stats
  expect([sum('orders'), sum('orders_with_gamma')]).toEqual([n, n - no_gamma])
  const gammas = ledger.orders.map(({ g }: Json) => g ?? 0)
  const net = gammas.reduce((total: number, g: number) => total + g, 0)
  expect(sum('gamma_added') + sum('gamma_removed')).toBeCloseTo(net, 6)
})

test('the command line takes an example as its page says', async () => {
  const query = example('flip_by_minute.sql')
  const args = ['sql', query, '--data', built.dataFolder, '--format', 'csv']
  const { code, out, error } = await tapefold(args)
  expect([code, error]).toEqual([0, ''])
  expect(out.trim().split('\n')).toHaveLength(session.minutes.length + 1)
})

test.skipIf(!works('curl', ['--version']))('curl saves the ledger as CSV', async () => {
  const { code, out, errors } = await run('sh', ['examples/orders.sh', DAY])
  expect([code, errors]).toEqual([0, ''])
  expect(out).toBe(await readCsv(`/orders/api/day?day=${DAY}`))
  const early = await run('sh', ['examples/orders.sh', DAY, '10:37'])
  expect(early.out).toBe(await readCsv(`/orders/api/day?day=${DAY}&asof=10:37`))
  expect(early.out.length).toBeLessThan(out.length)
  const refused = await run('sh', ['examples/orders.sh', DAY], 'ordk_none')
  expect(refused.code).toBe(22)
  expect(refused.out).toContain('no_key')
})

const readCsv = async (path: string) =>
  String((await api.call(path, { headers: { accept: 'text/csv' } })).body)

test('the client in TypeScript prints the first ten orders', async () => {
  const { code, out, errors } = await run(process.execPath, ['examples/orders.ts'])
  expect([code, errors]).toEqual([0, ''])
  const lines = ledger.orders
    .slice(0, 10)
    .map(({ t, kind, legs, g, g_null }: Json) => `${t} ${kind} ${legs} ${g ?? g_null}\n`)
  expect(out).toBe(`${DAY} ${ledger.asof}\n${lines.join('')}`)
  const refused = await run(process.execPath, ['examples/orders.ts'], 'ordk_none')
  expect(refused.code).toBe(1)
  expect(refused.errors).toContain('no_key')
})

test.skipIf(!works('python3', ['--version']))('the script in Python is Python', async () => {
  const script = "compile(open('examples/flip.py').read(), 'flip.py', 'exec')"
  expect((await run('python3', ['-c', script])).errors).toBe('')
})

// pandas is no part of the packages of this repository
test.skipIf(!works('python3', ['-c', 'import pandas, pyarrow']))(
  'the script in Python prints the flip of every half hour, or why there is none',
  async () => {
    const { code, out, errors } = await run('python3', ['examples/flip.py', built.dataFolder, DAY])
    expect([code, errors]).toEqual([0, ''])
    const { flip, flip_lo, flip_hi, reason } = session.books.measured
    const lines = session.minutes.flatMap((minute: string, at: number) => {
      if (!/:[03]0$/.test(minute)) return []
      const [middle, low, high] = [flip, flip_lo, flip_hi].map(values => values[at]?.toFixed(2))
      return [`${minute} ${middle === undefined ? reason[at] : `${middle} (${low} to ${high})`}\n`]
    })
    expect(out).toBe(lines.join(''))
  },
)
