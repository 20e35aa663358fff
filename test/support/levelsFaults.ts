// A levels API that every error can be had of, and the faults of a call that lead to each.

import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { makeApiKey } from '../../src/accounts/apiKey.ts'
import { accountFilePath } from '../../src/server/accountStore.ts'
import { startTestApi, type TestApi } from './api.ts'
import { publishLevels, publishSpoiled } from './levels.ts'

/** 11:14:30 ET of a running session whose newest state is that of 11:14. */
export const NOW_MS = Date.parse('2026-10-15T15:14:30Z')

/** A call as it would be good, but for the slots that a fault has changed. */
export type FaultyCall = {
  readonly method?: string
  readonly path?: string
  readonly accept?: string
  /** Left out, a key that opens everything; null, none. */
  readonly key?: string | null | undefined
  readonly keyOf?: 'no plan' | 'full places' | 'full minute' | undefined
  readonly isStoreDown?: true
  readonly isMalformed?: true
  readonly sym?: string | null
  readonly book?: string
  readonly g?: string | undefined
  readonly expiry?: string
  readonly exposure?: string
  readonly part?: string
  readonly span?: string
  readonly style?: string
  readonly day?: string | undefined
  readonly time?: string
}

/** One fault for each code, as the slots it changes, in the order of the catalogue. */
export const FAULTS = {
  bad_request: { isMalformed: true },
  // where no key was sent, the store is not queried
  unavailable: { isStoreDown: true, key: undefined, keyOf: undefined },
  no_key: { key: null, keyOf: undefined },
  bad_key: { key: makeApiKey('live'), keyOf: undefined },
  live_required: { key: undefined, keyOf: 'no plan' },
  too_many_places: { key: undefined, keyOf: 'full places' },
  rate_limited: { key: undefined, keyOf: 'full minute' },
  not_found: { path: '/api/v1/level' },
  method_not_allowed: { method: 'POST' },
  missing_sym: { sym: null },
  too_many_symbols: { sym: Array.from({ length: 21 }, (_, index) => `S${index}`).join() },
  bad_book: { book: 'measured' },
  bad_g: { g: '31' },
  bad_expiry: { path: '/api/v1/levels', expiry: 'weekly' },
  bad_exposure: { path: '/api/v1/gamma', exposure: 'rho' },
  bad_part: { path: '/api/v1/flow', part: 'zero', g: undefined },
  bad_span: { path: '/api/v1/flow', span: '1h', g: undefined },
  bad_style: { path: '/api/v1/levels.txt', style: 'text', g: undefined },
  bad_day: { day: '2026-1-5' },
  bad_time: { time: '16:00' },
  not_finished: { day: '2026-10-15' },
  spx_only: { path: '/api/v1/expected_move', sym: 'XSP', g: undefined },
  history_too_old: { day: '2026-07-16' },
  unknown_symbol: { sym: 'QQQ' },
  contract_not_live: { sym: 'ESH7', day: '2026-10-14' },
  no_basis: { sym: 'ES', day: '2026-10-13' },
  no_data: { day: undefined, time: '11:15' },
  not_acceptable: { accept: 'image/png' },
  damaged: { day: '2026-10-12' },
  internal: { day: '2026-10-09' },
} as const satisfies Readonly<Record<string, object>>

export type FaultCode = keyof typeof FAULTS

/** Starts it: past sessions of every kind, and one that runs. */
export async function startFaultyLevels(): Promise<TestApi> {
  const api = await startTestApi()
  const { dataFolder } = api
  const has = ['strikes', 'basis'] as const
  await publishLevels(dataFolder, { day: '2026-10-14', has })
  await publishLevels(dataFolder, { day: '2026-10-13', has: [] })
  await publishLevels(dataFolder, { day: '2026-07-16', has: [] })
  const live = { day: '2026-10-15', until: '11:14', has, isLive: true }
  await publishLevels(dataFolder, live)
  const damaged = await publishLevels(dataFolder, { day: '2026-10-12' })
  for (const path of damaged.paths) writeFileSync(path, 'PAR1 and nothing else PAR1')
  publishSpoiled(dataFolder, '2026-10-09')
  api.clock.atMs = NOW_MS
  return api
}

const findIsFull = { 'no plan': false, 'full places': 'places', 'full minute': 'minute' } as const

/** A key of an account of its own, whose limits are used up or not. */
async function keyFor(api: TestApi, kind: FaultyCall['keyOf']): Promise<string> {
  const { key } = await api.newKey(kind === 'no plan' ? 'none' : 'live', 'live')
  const full = kind === undefined ? false : findIsFull[kind]
  const { keyId } = (await api.accounts.findHolder(key))!
  const minute = Math.floor(api.clock.atMs / 60_000)
  const use = { keyId, minute, hour: Math.floor(minute / 60), calls: 1 }
  if (full === 'places') {
    for (const addressHash of ['a', 'b', 'c']) await api.accounts.useKeys([{ ...use, addressHash }])
  }
  if (full !== 'minute') return key
  const [, [used]] = await Promise.all([
    api.call('/api/v1/key', { key }),
    api.accounts.useKeys([{ ...use, calls: 120, addressHash: 'a' }]),
  ])
  if (used!.calls < 120) throw new Error('not full')
  return key
}

const GOOD = { path: '/api/v1/levels', method: 'GET', sym: 'SPX', accept: '*/*' } as const

/** The response to a call with these faults; `more` is appended to its query. */
export async function callFaulty(api: TestApi, faults: FaultyCall, more: readonly string[] = []) {
  const { path, method, accept, sym, ...rest } = { ...GOOD, ...faults }
  const { book, g, expiry, exposure, part, span, style, day, time } = rest
  const named = Object.entries({ sym, book, g, expiry, exposure, part, span, style, day, time })
  const query = named.flatMap(([name, value]) => (value == null ? [] : [`${name}=${value}`]))
  const full = `${path}?${[...query, ...more].join('&')}`
  const key = rest.key === undefined ? await keyFor(api, rest.keyOf) : rest.key
  if (rest.isMalformed) return callMalformed(api, { path: full, key, accept, method })
  if (!rest.isStoreDown) return api.call(full, { method, key, headers: { accept } })
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  database.exec('alter table api_keys rename to hidden_keys')
  try {
    return await api.call(full, { method, key, headers: { accept } })
  } finally {
    database.exec('alter table hidden_keys rename to api_keys')
    database.close()
  }
}

type Malformed = {
  readonly path: string
  readonly key: string | null
  readonly accept: string
  readonly method: string
}

/** The same with two Host headers, which no client of HTTP sends. */
function callMalformed({ port }: TestApi, { path, key, accept, method }: Malformed) {
  const headers = ['host', 'a', 'host', 'b', 'accept', accept]
  if (key !== null) headers.push('authorization', `Bearer ${key}`)
  // biome-ignore lint/suspicious/noExplicitAny: a body is what a client sees
  return new Promise<{ status: number; headers: Headers; json: any; body: Buffer }>(
    (done, failed) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, res => {
        const chunks: Buffer[] = []
        res.on('data', chunk => chunks.push(chunk))
        res.on('end', () => {
          const body = Buffer.concat(chunks)
          const responded = new Headers(res.headers as Record<string, string>)
          done({ status: res.statusCode!, headers: responded, json: JSON.parse(`${body}`), body })
        })
      })
      sent.on('error', failed)
      sent.end()
    },
  )
}
