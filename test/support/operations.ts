// The operations of the OpenAPI file, a good call of each, and the faults that it names.

import { DatabaseSync } from 'node:sqlite'
import { makeApiKey, type Scope } from '../../src/accounts/apiKey.ts'
import {
  listPlans,
  MESSAGES_PER_DAY_MAX,
  type Plan,
  type Product,
} from '../../src/accounts/products.ts'
import { DATASET_ERRORS } from '../../src/archive/errors.ts'
import { COMMON_ERRORS, type ErrorCatalogue } from '../../src/platform/http/errors/catalogue.ts'
import { accountFilePath } from '../../src/server/accountStore.ts'
import { AREAS, listProducts } from '../../src/server/areas.ts'
import type { TestApi } from './api.ts'
import { openApi } from './openapi.ts'

type Described = {
  readonly headers?: Readonly<Record<string, object>>
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, object>> }>
  >
}
type Parameter = {
  readonly name: string
  readonly in: 'query' | 'header' | 'path'
  readonly required?: boolean
  readonly example?: unknown
  readonly schema?: { readonly enum?: readonly string[] }
}

export type Operation = {
  readonly method: 'GET' | 'POST'
  /** With its parameters in braces. */
  readonly path: string
  /** The product whose keys open it; null: it needs none. */
  readonly product: Product | null
  readonly errors: ErrorCatalogue
  /** Codes that it names, and that of a path below it, in the order of precedence. */
  readonly codes: readonly string[]
  readonly query: readonly Parameter[]
  readonly headers: readonly string[]
  readonly success: Described
  /** Bodies that it shows. */
  readonly examples: readonly object[]
  readonly hasTag: boolean
}

const PRODUCT_OF_KEY: Readonly<Record<string, Product>> = {
  apiKey: 'orders',
  liveKey: 'live',
  labKey: 'lab',
  datasetKey: 'dataset',
  geoKey: 'geo',
}

const findErrors = (path: string): ErrorCatalogue => {
  const area = AREAS.find(({ paths }) => Object.hasOwn(paths, path))!
  if (area.name === 'archive') return DATASET_ERRORS
  return listProducts(AREAS).find(({ name }) => name === area.product)?.errors ?? COMMON_ERRORS
}

/** Code of a path below an operation; null where it is also that of something else. */
const routeCode = ({ path, errors }: Pick<Operation, 'path' | 'errors'>): string | null =>
  /^\/(orders|api\/v1|api\/lab|api\/struct|geo)\//.test(path)
    ? (errors.names.no_route ?? 'no_route')
    : null

// biome-ignore lint/suspicious/noExplicitAny: the file is JSON, read by path
export const OPERATIONS: readonly Operation[] = Object.entries<Record<string, any>>(
  openApi.paths,
).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { parameters = [], security, responses, requestBody }]) => {
    const of = (place: Parameter['in']) =>
      (parameters as Parameter[]).filter(one => one.in === place)
    const errors = findErrors(path)
    const named = new Set(
      Object.values<Described>(responses).flatMap(({ content }) =>
        Object.keys(content?.['application/json']?.examples ?? {}),
      ),
    )
    const success: Described = responses['200'] ?? responses['202']
    const isStream = 'text/event-stream' in success.content!
    const examples = requestBody?.content['application/json'].examples ?? {}
    return {
      method: method.toUpperCase() as Operation['method'],
      path,
      product: PRODUCT_OF_KEY[Object.keys(security[0] ?? {})[0] ?? ''] ?? null,
      errors,
      codes: errors.rows
        .map(({ code }) => code)
        .filter(code => named.has(code) || code === routeCode({ path, errors })),
      query: of('query'),
      headers: of('header').map(({ name }) => name),
      success,
      examples: Object.values<{ value: object }>(examples).map(({ value }) => value),
      hasTag: !isStream && 'ETag' in success.headers!,
    }
  }),
)

/** A call, of the parts that its faults change. */
export type Call = {
  readonly method?: string
  readonly key?: 'none' | 'unknown' | 'without a plan' | 'of a full place' | 'spent'
  /** Parameters of the query and of the path; null: left out. */
  readonly values?: Readonly<Record<string, string | readonly string[] | null>>
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
  /** A key of the caller's own. */
  readonly apiKey?: string
  /** End of the path, and of the query. */
  readonly below?: string
  readonly end?: string
}

/** The session of the published folder, and the instant of the calls: noon of New York a day later. */
const DAY = '2026-10-15'
const MINUTE_MS = 60_000
/** The key under which each account has made a change. */
const TAKEN = 'taken'
const IDEA =
  'At 10:00 sell the 10-wide put spread 10 points below spot, if net gamma is above $400M.'
/** Refusals by the parser of HTTP, by stores and files that fail, and of a session with futures. */
export const OF_OTHERS = [
  'request_timeout',
  'headers_too_large',
  'unavailable',
  'damaged',
  'internal',
  'engine_failed',
  'contract_not_live',
]

const nobody = (kind: string) => `${kind}_000000000000`
const UNKNOWN_IDS: Readonly<Record<string, string>> = {
  event: 'evt_0',
  job: nobody('j'),
  file: 'x',
}
/** Values that are wrong in a way of their own, by their parameter and then by the code. */
const WRONG_VALUES: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  bad_day: { day: '2026-1-5' },
  bad_book: { book: 'VOL' },
  bad_g: { g: '31' },
  bad_expiry: { expiry: 'weekly' },
  bad_exposure: { exposure: 'rho' },
  bad_part: { part: 'zero' },
  bad_span: { span: '1h' },
  bad_style: { style: 'text' },
  missing_sym: { sym: null },
  too_many_symbols: { sym: Array.from({ length: 21 }, (_, index) => `S${index}`).join() },
  not_finished: { day: '2026-10-16' },
  spx_only: { sym: 'XSP' },
  history_too_old: { day: '2026-07-16' },
  unknown_symbol: { sym: 'QQQ' },
  no_basis: { sym: 'ES' },
  no_data: { day: '2026-10-13' },
}
const WRONG_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  not_acceptable: { accept: 'image/png' },
  unsupported_media_type: { 'content-encoding': 'gzip' },
  idempotency_key_reused: { 'idempotency-key': TAKEN },
}
const WRONG_KEYS: Readonly<Record<string, Call['key']>> = {
  no_key: 'none',
  bad_key: 'unknown',
  plan: 'without a plan',
  live_required: 'without a plan',
  dataset_required: 'without a plan',
  no_credits: 'without a plan',
  too_many_places: 'of a full place',
}
/** Headers of a part of a dataset file. */
const WRONG_PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  precondition_failed: { 'if-match': '"x"' },
  bad_range: { range: 'bytes=999999999-' },
}
/** Parameters that take a number or a word of a list. */
const STRICT = ['limit', 'replay', 'week', 'start', 'kind']

export type World = {
  readonly api: TestApi
  readonly call: (operation: Operation, call?: Call) => ReturnType<TestApi['call']>
  /** A call that is refused with a code; null where it takes more than one call. */
  readonly fault: (operation: Operation, code: string) => Call | null
  /** A body that is taken; each is another one of LAB. */
  readonly goodBody: (operation: Operation) => Promise<object>
  /** A body of the file, but for removals with the ids of the position and the line that there are. */
  readonly known: (body: string) => string
  /** A key of a new account that holds some products, each on its smallest plan. */
  readonly newHolder: (products: readonly Product[], scope: Scope) => Promise<string>
}

/** Opens a world with a position, an alert line and ideas of LAB, which the calls are about. */
export async function openWorld(api: TestApi): Promise<World> {
  api.clock.atMs = Date.parse('2026-10-16T16:00:00Z')
  const { key: labKey } = await api.newKey('lab', 'lab')
  const send = async (path: string, body: object, repeat?: string) => {
    const headers = repeat === undefined ? {} : { 'idempotency-key': repeat }
    const key = path.startsWith('/api/lab') ? labKey : api.key
    const sent = { method: 'POST', key, headers, body: JSON.stringify(body) }
    const { status, json } = await api.call(path, sent)
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(json)}`)
    return json
  }
  const say = async (message: string, repeat?: string) => {
    const text = await send('/api/lab/chat', { message }, repeat)
    return (text.id ?? text.idea.id) as string
  }
  const newIdea = () => say(IDEA)
  const position = { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:30' }
  const { id: positionId } = await send('/api/positions', { op: 'add', position }, TAKEN)
  const { id: lineId } = await send('/api/alerts', {
    op: 'add',
    line: { kind: 'price', price: 6000 },
  })
  const open = await say('Sell the 10-wide put spread at 10:00.', TAKEN)
  const rule = await newIdea()
  const tested = await newIdea()
  const { job } = (await send('/api/lab/run', { id: tested, kind: 'backtest' })).result
  let onConveyor = tested

  const valuesOf = ({ product, path, query }: Operation): Record<string, string> => {
    const values: Record<string, string> = {
      day: DAY,
      file: 'index.json',
      sym: 'SPX',
      kind: 'backtest',
      job,
      id: product === 'orders' ? positionId : path.endsWith('/job') ? job : tested,
    }
    const needed = query.filter(({ required }) => required).map(({ name }) => name)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    return Object.fromEntries([...needed, ...inPath].map(name => [name, values[name]!]))
  }
  const listed = async (path: string, key: string | null): Promise<string> =>
    (await api.call(path, { key })).json.files[0].file
  const dataset = (await api.newKey('dataset', 'dataset')).key
  const files = [
    await listed('/snapshots/sample/index.json', null),
    await listed('/snapshots/index.json', dataset),
  ] as const
  /** Bodies that are taken, if nothing else is wrong. */
  const bodies = (): Readonly<Record<string, object>> => ({
    '/api/positions': { op: 'update', position: { id: positionId, entry: '11:00' } },
    '/api/alerts': { op: 'arm', id: lineId },
    '/api/lab/run': { id: onConveyor, kind: 'quant' },
    '/api/lab/idea': { id: rule, action: 'delete' },
  })
  /** Bodies that can be taken once. */
  const GOOD_BODIES: Readonly<Record<string, () => Promise<object>>> = {
    '/api/lab/run': async () => {
      const drop = onConveyor
      onConveyor = await newIdea()
      return { id: onConveyor, kind: 'backtest', drop }
    },
    '/api/lab/idea': async () => ({ id: await newIdea(), action: 'delete' }),
  }
  /** Bodies with the fault of a code, by path. */
  const wrongBodies = (): Readonly<Record<string, Readonly<Record<string, object>>>> => ({
    not_found: {
      '/api/positions': { op: 'remove', position: { id: 'p_0' } },
      '/api/alerts': { op: 'remove', id: 'l_0' },
      '/api/lab/chat': { message: IDEA, id: nobody('i') },
      '/api/lab/run': { id: nobody('i'), kind: 'backtest' },
      '/api/lab/idea': { id: nobody('i'), action: 'drop' },
    },
    out_of_order: {
      '/api/lab/run': { id: rule, kind: 'quant' },
      '/api/lab/idea': { id: rule, action: 'desk' },
    },
    refused_rule: {
      '/api/lab/run': { id: open, kind: 'backtest', drop: onConveyor },
      '/api/struct/run': { spec: { v: 2 } },
    },
  })

  const wrongBody = (operation: Operation, code: string): string | null => {
    if (code === 'bad_json') return '{'
    if (code === 'bad_op') return '{"op":"buy"}'
    if (code === 'body_too_large') return JSON.stringify(operation.examples[0]).padEnd(16_385)
    if (code === 'invalid') return operation.product === 'lab' ? '{}' : '{"op":"remove"}'
    const body = wrongBodies()[code]?.[operation.path]
    return body ? JSON.stringify(body) : null
  }
  const wrongValues = (
    { query, path, codes }: Operation,
    code: string,
  ): NonNullable<Call['values']> | null => {
    const names = [...query.map(({ name }) => name), ...(path.includes('{file}') ? ['file'] : [])]
    const own = [...names, ...(path.includes('{day}') ? ['day'] : [])]
    const wrong = WRONG_VALUES[code]
    // an operation of SPX alone refuses every other symbol as such
    if (code !== 'spx_only' && wrong?.sym && codes.includes('spx_only')) return null
    if (wrong) return Object.keys(wrong).every(name => own.includes(name)) ? wrong : null
    const find = (some: readonly string[]) => some.find(name => names.includes(name))
    if (code === 'bad_time') {
      const minute = find(['t', 'time', 'asof'])
      return minute === undefined ? null : { [minute]: 'x' }
    }
    if (code === 'invalid') return { [find(STRICT) ?? 'id']: find(STRICT) ? 'x' : ['a', 'b'] }
    if (code !== 'not_found') return null
    const name = find(['id', 'event', 'job', 'file'])!
    return { [name]: UNKNOWN_IDS[path.endsWith('/job') ? 'job' : name] ?? 'p_0' }
  }
  const fault: World['fault'] = (operation, code) => {
    const { method, product, path } = operation
    if (OF_OTHERS.includes(code)) return null
    if (WRONG_PARTS[code]) {
      return { headers: WRONG_PARTS[code], values: { file: files[product === null ? 0 : 1] } }
    }
    if (code === 'bad_request') return { headers: { authorization: ['Bearer x', 'Bearer y'] } }
    if (code === routeCode(operation)) return { below: '/nothing' }
    if (code === 'method' || code === 'method_not_allowed') return { method: 'PATCH' }
    if (code === 'rate' || code === 'rate_limited') {
      // the usage of the month is not counted
      const isCounted = !path.startsWith('/snapshots') && path !== '/geo/v1/usage'
      return product !== null && isCounted ? { key: 'spent' } : null
    }
    if (WRONG_KEYS[code]) return { key: WRONG_KEYS[code] }
    if (WRONG_HEADERS[code]) return { headers: WRONG_HEADERS[code] }
    if (method === 'POST') {
      const body = wrongBody(operation, code)
      return body === null ? null : { body }
    }
    const values = wrongValues(operation, code)
    return values === null ? null : { values }
  }

  const newHolder: World['newHolder'] = async (products, scope) => {
    const { key, accountId } = await api.newKey('none', scope)
    for (const product of products) {
      const plan = listPlans(product)[0]!.plan as Plan
      await api.accounts.putProduct(accountId, { plan, fromMs: 0, untilMs: null })
    }
    return key
  }
  const newKey = async (product: Product, kind: Call['key']): Promise<string> => {
    if (kind === 'unknown') return makeApiKey(product)
    const { plan } = listPlans(product)[0]!
    const isBare = kind === 'without a plan'
    const { key, accountId } = await api.newKey(isBare ? 'none' : (plan as Plan), product)
    const { keyId } = (await api.accounts.findHolder(key))!
    const minute = Math.floor(api.clock.atMs / MINUTE_MS)
    const use = { keyId, minute, hour: Math.floor(minute / 60), calls: 1 }
    if (kind === 'of a full place') {
      for (const addressHash of ['a', 'b', 'c'])
        await api.accounts.useKeys([{ ...use, addressHash }])
    }
    if (kind !== 'spent') return key
    if (product === 'live') {
      await api.call('/api/v1/key', { key })
      await api.accounts.useKeys([{ ...use, calls: 120, addressHash: 'a' }])
    } else if (product === 'geo') {
      const database = new DatabaseSync(accountFilePath(api.dataFolder))
      const row = database.prepare('insert into month_calls values (?, ?, ?, ?)')
      row.run(accountId, 'geo', '2026-10', 10_000)
      database.close()
    } else {
      const calls = product === 'lab' ? MESSAGES_PER_DAY_MAX : 20_000
      await api.accounts.countCalls([{ accountId, product, dayEt: '2026-10-16', calls }])
    }
    return key
  }
  const findKey = async (product: Product | null, kind: Call['key']): Promise<string | null> => {
    if (product === null || kind === 'none') return null
    if (kind === undefined && product === 'orders') return api.key
    if (kind === undefined && product === 'lab') return labKey
    return newKey(product, kind)
  }
  let calls = 0
  const call: World['call'] = async (
    operation,
    { method, key, values, headers, body, apiKey, ...rest } = {},
  ) => {
    const { product, path } = operation
    const all = Object.entries({ ...valuesOf(operation), ...values })
    const isInPath = (name: string) => path.includes(`{${name}}`)
    const url = all.reduce((text, [name, value]) => text.replace(`{${name}}`, String(value)), path)
    const query = all.flatMap(([name, value]) => {
      if (value === null || isInPath(name)) return []
      return [value].flat().map(one => `${name}=${encodeURIComponent(one)}`)
    })
    calls += 1
    // calls without a key count against their address
    const from = `10.0.${calls >> 8}.${calls & 255}`
    const own = method ?? operation.method
    const standard =
      own === 'POST' ? JSON.stringify(bodies()[path] ?? operation.examples[0]) : undefined
    const isSent = own === 'POST' || headers?.['content-length'] !== undefined
    const sent = isSent ? (body ?? standard) : undefined
    return api.call(`${url}${rest.below ?? ''}?${query.join('&')}${rest.end ?? ''}`, {
      method: own,
      key: apiKey ?? (await findKey(product, key)),
      headers: { ...(product === null ? { 'x-forwarded-for': from } : {}), ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    })
  }
  const goodBody: World['goodBody'] = async ({ path, examples }) =>
    (await GOOD_BODIES[path]?.()) ?? bodies()[path] ?? examples[0]!
  const known = (body: string) =>
    body.includes('remove')
      ? body
      : body.replace('p_4fQ8sK2mZx0T', positionId).replace('l_7Qd2mX0aZ9Ke', lineId)
  return { api, call, fault, goodBody, known, newHolder }
}
