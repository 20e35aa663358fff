// Every way to read a result, while its holdout is sealed: none gives the end of a sealed trade.

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tableFromIPC } from 'apache-arrow'
import { readParquet } from 'parquet-wasm/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ASSUMED, type TradeLedger } from '../../src/lab/engine/trade.ts'
import { type RuleSpec, ruleHash } from '../../src/lab/language/spec.ts'
import { labPaths } from '../../src/lab/openapi.ts'
import type { LabResult } from '../../src/lab/result.ts'
import { computeRun } from '../../src/lab/verdict/computeRun.ts'
import { LAB_SERVER } from '../../src/mcp/labServer.ts'
import { type LabAccount, type LabApi, startLabApi } from '../support/labApi.ts'
import { smallMarket } from '../support/labMarket.ts'
import { findClient, type Json, reported } from '../support/mcp.ts'
import { signedIn, type Visitor } from '../support/visitor.ts'

const IDEA =
  'At 10:00 sell the 10-wide put spread 10 points below spot, if net gamma is above $400M.'
const FORMS = [
  'application/json',
  'text/csv',
  'application/vnd.apache.parquet',
  'application/vnd.apache.arrow.stream',
]

let lab: LabApi
let account: LabAccount
let visitor: Visitor
let id: string
let backtest: LabResult
let struct: string
/** Results of sealed trades that no other trade has, as doubles. */
let secrets: ReadonlySet<number>
/** The same of trades that are shown. */
let shown: ReadonlySet<number>

beforeAll(async () => {
  lab = await startLabApi()
  account = await lab.newAccount()
  visitor = await signedIn(lab.api, account.accountId)
  const chat = await account.post('/api/lab/chat', { body: JSON.stringify({ message: IDEA }) })
  id = chat.json.idea.id
  backtest = (await account.run(id, 'backtest')).json.result
  await account.run(id, 'quant')
  const body = JSON.stringify({ spec: chat.json.idea.spec })
  struct = (await account.post('/api/struct/run', { body })).json.job.id
  await account.untilDone(struct)
  ;({ secrets, shown } = findSecrets(chat.json.idea.spec))
})
afterAll(() => lab.api.close())

/** Results by a run of its own, of those that one trade in all has. */
function findSecrets(spec: RuleSpec) {
  const market = smallMarket()
  const { ledger } = computeRun(market, {
    kind: 'backtest',
    job: 'j_1',
    seedId: 'i_1',
    spec,
    say: '',
    ruleHash: ruleHash(spec),
    assume: ASSUMED,
    holdoutFrom: null,
    firstTestedTo: null,
    lineage: { versions: 1, trials: 1, looks: 1, family_trials: 1, family_looks: 1 },
  } as const)
  const sealed = (session: number) => market.sessions[session]!.date >= backtest.sealed!.from
  const rOf = (isSealed: boolean) => (trades: TradeLedger['trades']) =>
    trades.filter(one => sealed(one.session) === isSealed).flatMap(({ r }) => r ?? [])
  const [hidden, open] = [rOf(true)(ledger.trades), rOf(false)(ledger.trades)]
  // a whole loss, or a full credit, is one of many
  const isRare = (r: number) => r.toString().length > 8
  const once = (values: readonly number[], others: readonly number[]) =>
    new Set(values.filter(r => isRare(r) && !others.includes(r)))
  return { secrets: once(hidden, open), shown: once(open, hidden) }
}

/** Numbers of a text that are results of sealed trades, to eight digits. */
function findLeaks(text: string, wanted = secrets): string[] {
  const short = new Set([...wanted].map(r => Math.abs(r).toPrecision(8)))
  const numbers = text.match(/\d+\.\d+/g) ?? []
  return numbers.filter(one => short.has(Number(one).toPrecision(8)))
}

/** Doubles within bytes, at any offset, that are results of sealed trades. */
function findDoubles(bytes: Buffer, wanted = secrets): number[] {
  const images = [...wanted].map(r => {
    const image = Buffer.alloc(8)
    image.writeDoubleLE(r)
    return image
  })
  return images.flatMap(image => (bytes.includes(image) ? [image.readDoubleLE()] : []))
}

const toRows = (stream: Uint8Array): Json[] =>
  tableFromIPC(stream)
    .toArray()
    .map(row => row!.toJSON())

test('a trade of the holdout is one of many, and of the test the design part is shown', async () => {
  expect(secrets.size).toBeGreaterThan(8)
  expect(shown.size).toBeGreaterThan(8)
  expect(backtest.sealed).toEqual(backtest.holdout)
  const { json } = await account.get(`/api/lab/trades?job=${backtest.job}`)
  expect(findLeaks(JSON.stringify(json), shown).length).toBeGreaterThan(0)
  const sealed = json.trades.filter((row: Json) => row.era === 'holdout' && row.missed === null)
  expect(sealed.length).toBeGreaterThan(20)
  for (const row of sealed) {
    expect(row).toMatchObject({ is_sealed: true, r: null, pnl_usd: null, close_net: null })
    expect(row).toMatchObject({ exit_reason: null, settlement: null, fees_usd: null })
    expect(row.risk_usd).toBeGreaterThan(0)
    for (const leg of row.legs) {
      expect(leg.entry_mid).not.toBeNull()
      expect([leg.exit_bid, leg.exit_ask, leg.exit_mid, leg.exit_source]).toEqual(
        Array(4).fill(null),
      )
    }
  }
})

test('no operation of the API gives it, in any form', async () => {
  const paths = Object.entries(labPaths).flatMap(([path, { get }]) => (get ? [path] : []))
  expect(paths).toContain('/api/lab/trades')
  const jobs = [backtest.job, struct]
  for (const path of paths) {
    const queries =
      path === '/api/lab/result'
        ? ['backtest', 'quant'].map(kind => `?id=${id}&kind=${kind}`)
        : path === '/api/lab/thread'
          ? [`?id=${id}`]
          : ['/api/lab/trades', '/api/struct/job'].includes(path)
            ? jobs.map(job => (path.endsWith('job') ? `?id=${job}` : `?job=${job}`))
            : ['']
    for (const query of queries) {
      const sent = await account.get(path + query)
      expect([path, sent.status]).toEqual([path, 200])
      expect([path, findLeaks(JSON.stringify(sent.json))]).toEqual([path, []])
    }
  }
  for (const accept of FORMS) {
    const headers = { accept, authorization: `Bearer ${account.key}` }
    const url = `${lab.api.url}/api/lab/trades?job=${backtest.job}`
    const bytes = Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
    expect([findDoubles(bytes), findLeaks(bytes.toString('latin1'))]).toEqual([[], []])
    if (!accept.includes('apache')) continue
    const rows = toRows(accept.includes('arrow') ? bytes : readParquet(bytes).intoIPCStream())
    const results = rows.map(({ r }) => r)
    expect(results.filter(r => secrets.has(r))).toEqual([])
    expect(results.filter(r => shown.has(r)).length).toBeGreaterThan(8)
  }
})

test('no figure of a result is the result of one sealed trade, nor counts one', () => {
  const [{ series, eras, histogram }] = backtest.legs as [LabResult['legs'][0]]
  const { from, to } = backtest.sealed!
  expect(series.day.filter(day => day >= from && day <= to)).toEqual([])
  expect(eras.all.to < from).toBe(true)
  expect(histogram.core.reduce((sum, count) => sum + count)).toBe(eras.all.core.n)
  const { rule, core, n_eff, runs_z, prob_loss_20, reasons } = eras.holdout!
  for (const { median, win, sum_usd, drawdown_usd, t } of [rule, core]) {
    expect([median, win, sum_usd, drawdown_usd, t]).toEqual(Array(5).fill(null))
  }
  expect([n_eff, runs_z, prob_loss_20]).toEqual([null, null, null])
  expect(reasons['rule.median']).toContain('sealed')
  expect(rule.mean).not.toBeNull()
})

test('no tool for assistants gives it', async () => {
  const client = await findClient({ url: lab.api.url, key: account.key }, '2026-07-28', '/mcp')
  const given: Record<string, object> = {
    lab_thread: { id },
    lab_result: { id },
    lab_chat: { message: IDEA },
    lab_run: {},
    lab_idea: {},
  }
  for (const { name } of LAB_SERVER.tools) {
    if (name === 'lab_run' || name === 'lab_idea') continue
    const text = JSON.stringify(await reported(client, name, given[name] ?? {}))
    expect([name, findLeaks(text)]).toEqual([name, []])
  }
  await client.close()
})

test('no page gives it: each that links lead to, and each trade', async () => {
  const seen = new Set<string>()
  const open = ['/account/lab', `/account/lab/ideas/${id}/backtest/trades?page=2`]
  while (open.length > 0) {
    const path = open.pop()!
    if (seen.has(path)) continue
    seen.add(path)
    const { html, status } = await visitor.get(path)
    if (status !== 200) continue
    expect([path, findLeaks(html), findDoubles(Buffer.from(html, 'latin1'))]).toEqual([
      path,
      [],
      [],
    ])
    const links = [...html.matchAll(/href="(\/account\/lab[^"#]*)/g)].map(([, to]) => to!)
    open.push(...links.filter(to => !/\/trades\/\d+$/.test(to) || isOfHoldout(to)))
  }
  expect([...seen].some(path => path.endsWith('/trades.parquet'))).toBe(true)
  const ofTrades = [...seen].filter(path => /\/trades\/\d+$/.test(path))
  expect(ofTrades.length).toBeGreaterThan(3)
  for (const path of ofTrades) {
    const { html } = await visitor.get(path)
    if (!html.includes('sealed: its session')) continue
    expect([path, /class="picture|<dt>profit/.test(html)]).toEqual([path, false])
  }
  expect((await visitor.get(ofTrades[0]!)).html).toContain('sealed: its session')
})

/** The last trades are of the holdout: a page each of a few. */
const isOfHoldout = (path: string) => Number(path.split('/').at(-1)) > 120

test('no file of the data folder has it, but encrypted', () => {
  const folder = join(lab.api.dataFolder, 'lab')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
  expect(files.some(file => file.endsWith('.sealed'))).toBe(true)
  let open = 0
  for (const file of files) {
    const bytes = readFileSync(file)
    expect([file, findDoubles(bytes), findLeaks(bytes.toString('latin1'))]).toEqual([file, [], []])
    if (!file.endsWith('.parquet')) continue
    const results = toRows(readParquet(bytes).intoIPCStream()).map(({ r }) => r)
    expect([file, results.filter(r => secrets.has(r))]).toEqual([file, []])
    open += results.filter(r => shown.has(r)).length
  }
  expect(open).toBeGreaterThan(8)
})

test('the command line gives it as little', async () => {
  const run = promisify(execFile)
  const { dataFolder } = lab.api
  const args = ['src/cli/tapefold.ts', 'lab', 'trades', backtest.job]
  const { stdout } = await run(
    process.execPath,
    [...args, '--account', account.accountId, '--data', dataFolder],
    { maxBuffer: 1e9 },
  ).catch((error: Json) => ({ stdout: `${error.stdout}${error.stderr}` }))
  expect(stdout).toContain('"is_sealed":true')
  expect(findLeaks(stdout)).toEqual([])
})

test('on the desk it stays sealed until it is opened, and then judges no rule', async () => {
  const refused = await account.act({ id, action: 'open' })
  expect([refused.status, refused.json.error]).toEqual([
    409,
    'the idea is at the stage ready; what comes next is the action desk.',
  ])
  await account.act({ id, action: 'desk' })
  const read = async () => (await account.get(`/api/lab/result?id=${id}&kind=backtest`)).json
  expect(await read()).toEqual(backtest)
  for (let times = 0; times < 2; times++) {
    expect((await account.act({ id, action: 'open' })).status).toBe(200)
  }
  const whole = await read()
  expect(whole.sealed).toBeNull()
  expect(whole.legs[0].verdict.gates).toEqual(backtest.legs[0]!.verdict!.gates)
  expect(whole.legs[0].eras.holdout.rule.median).not.toBeNull()
  expect(whole.legs[0].series.day.at(-1)).toBe(backtest.holdout!.to)
  const { json } = await account.get(`/api/lab/trades?job=${backtest.job}`)
  expect(findLeaks(JSON.stringify(json)).length).toBeGreaterThan(0)
  // the next rule, of this idea or another, is not judged on what is known by now
  const chat = await account.post('/api/lab/chat', {
    body: JSON.stringify({ message: IDEA.replace('400M', '300M') }),
  })
  const next = (await account.run(chat.json.idea.id, 'backtest')).json.result
  expect([next.holdout, next.legs[0].verdict.interesting]).toEqual([null, false])
  expect(next.says.join(' ')).toContain('0 sessions since those that were shown')
  // a message takes the idea off the desk, and its results are sealed again
  const message = JSON.stringify({ message: 'only Mondays', id })
  await account.post('/api/lab/chat', { body: message })
  expect(await read()).toEqual(backtest)
})
