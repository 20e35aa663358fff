// The errors of each product are those of the contract's table, in its words.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GEO_ERRORS } from '../../../src/geo/errors.ts'
import { LAB_ERRORS } from '../../../src/lab/errors.ts'
import { LIVE_ERRORS } from '../../../src/levels/errors.ts'
import { ORDERS_ERRORS } from '../../../src/orders/errors.ts'
import { ApiError } from '../../../src/platform/http/error.ts'
import {
  type ErrorCatalogue,
  toErrorResponse,
} from '../../../src/platform/http/errors/catalogue.ts'

const SPEC = join(import.meta.dirname, '../../../../shared/spec/service-interface.md')

const PRODUCTS = {
  ORDERS: ORDERS_ERRORS,
  LIVE: LIVE_ERRORS,
  LAB: LAB_ERRORS,
  GEO: GEO_ERRORS,
} as const satisfies Record<string, ErrorCatalogue>
type Name = keyof typeof PRODUCTS

/** Codes of parameters that came after the contract. */
const LATER_CODES = ['bad_expiry', 'bad_exposure', 'bad_part', 'bad_span', 'bad_style']

/** The contract's table, with later codes; the codes of LAB and GEO are ours and never sent. */
const CONTRACT = `
400  missing_sym         no   LIVE
400  too_many_symbols    no   LIVE
400  bad_book            no   LIVE
400  bad_g               no   LIVE
400  bad_expiry          no   LIVE
400  bad_exposure        no   LIVE
400  bad_part            no   LIVE
400  bad_span            no   LIVE
400  bad_style           no   LIVE
400  bad_day             no   LIVE,ORDERS
400  bad_time            no   LIVE,ORDERS
400  not_finished        no   LIVE
400  spx_only            no   LIVE
400  bad_json            no   ORDERS
400  bad_op              no   ORDERS
400  invalid             no   ORDERS
401  no_key              no   LIVE,ORDERS
401  bad_key             no   LIVE
403  live_required       no   LIVE
403  history_too_old     no   LIVE
403  plan                no   ORDERS
404  not_found           no   LIVE,ORDERS
404  no_route            no   ORDERS
404  unknown_symbol      no   LIVE
404  no_data             yes  LIVE
404  no_basis            yes  LIVE
404  contract_not_live   no   LIVE
405  method_not_allowed  no   LIVE
405  method              no   ORDERS
429  rate_limited        yes  LIVE
429  too_many_places     no   LIVE
429  rate                yes  ORDERS
500  internal            yes  LIVE
503  unavailable         yes  LIVE
401  no_key              no   LAB
402  no_credits          no   LAB
404  not_found           no   LAB
409  out_of_order        no   LAB
422  refused_rule        no   LAB
502  engine_failed       yes  LAB
400  invalid             no   GEO
401  no_key              no   GEO
403  plan                no   GEO
429  rate                yes  GEO
`

type Row = { status: number; code: string; isRetryable: boolean; products: string[] }
const rows: Row[] = CONTRACT.trim()
  .split('\n')
  .map(line => line.split(/ +/))
  .map(([status, code, again, products]) => ({
    status: Number(status),
    code: code!,
    isRetryable: again === 'yes',
    products: products!.split(','),
  }))
const listRows = (product: Name) => rows.filter(({ products }) => products.includes(product))

test.skipIf(!existsSync(SPEC))('the table here is the table of the contract', () => {
  const text = readFileSync(SPEC, 'utf8')
  const [, table] = text.split('| Status | Code | Retry | Product | Meaning |\n')
  const lines = table!.split('\n\n')[0]!.split('\n').slice(1)
  const there = lines.map(line => line.split('|').map(cell => cell.trim()))
  const contract = rows.filter(({ code }) => !LATER_CODES.includes(code))
  const here = contract.map(({ status, code, isRetryable, products }) => {
    const hasCodes = products.every(name => name === 'LIVE' || name === 'ORDERS')
    return [
      String(status),
      hasCodes ? code : '(none)',
      isRetryable ? 'yes' : 'no',
      products.join(', '),
    ]
  })
  expect(here).toEqual(there.map(cells => cells.slice(1, 5)))
})

describe.each(Object.keys(PRODUCTS) as Name[])('the catalogue of %s', product => {
  const { rows: own } = PRODUCTS[product] as ErrorCatalogue
  const at = (code: string) => own.findIndex(row => row.code === code)

  test('has every row of the contract, and each code once', () => {
    for (const { status, code, isRetryable } of listRows(product)) {
      expect(own.filter(row => row.code === code)).toMatchObject([{ status, isRetryable }])
    }
    expect(new Set(own.map(({ code }) => code)).size).toBe(own.length)
  })

  test('has in addition what any server may meet, and nothing else', () => {
    const others = own.map(({ code }) => code).filter(code => !isOfContract(code))
    const ofServers = [
      'bad_request',
      'request_timeout',
      'headers_too_large',
      'unavailable',
      'body_too_large',
      'bad_json',
      'not_acceptable',
      'damaged',
      'internal',
      // of the envelopes without codes
      ...(product === 'LAB' || product === 'GEO' ? ['no_route', 'method', 'invalid'] : []),
      // whoever takes bodies
      ...(product === 'LAB' ? ['unsupported_media_type', 'idempotency_key_reused', 'rate'] : []),
    ]
    // whatever the house adds for all is of the Orders API, too
    if (product !== 'ORDERS') expect(others.filter(code => !ofServers.includes(code))).toEqual([])
    expect(others).toContain('bad_request')
  })

  test('checks the key before the plan, that before the path, that before the query', () => {
    const plan = { ORDERS: 'plan', LIVE: 'live_required', LAB: 'no_credits', GEO: 'plan' }[product]
    const route = product === 'LIVE' ? 'not_found' : 'no_route'
    const method = product === 'LIVE' ? 'method_not_allowed' : 'method'
    const question = product === 'ORDERS' || product === 'LIVE' ? 'bad_day' : 'invalid'
    const order = [
      'bad_request',
      'unavailable',
      'no_key',
      plan,
      route,
      method,
      question,
      'not_acceptable',
      'internal',
    ].map(at)
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(at('internal')).toBe(own.length - 1)
  })

  const isOfContract = (code: string) => listRows(product).some(row => row.code === code)
})

const WAIT = { retry_after_s: 60 }

/** Response to a failure: its status, its Retry-After and its body. */
const sent = (error: Parameters<typeof toErrorResponse>[0], errors: ErrorCatalogue) => {
  const { status, headers, body } = toErrorResponse(error, errors)
  return [status, headers['retry-after'] ?? null, JSON.parse(body)]
}

/** Failures that routes of any product may throw, as each product says them. */
test.each([
  ['no_route', 404, 'not_found'],
  ['method', 405, 'method_not_allowed'],
  ['bad_day', 400, 'bad_day'],
  ['not_acceptable', 406, 'not_acceptable'],
  ['damaged', 503, 'damaged'],
  ['internal', 500, 'internal'],
] as const)('%s is %i of every product, and of LIVE %s', (code, status, liveCode) => {
  const headers = status === 503 ? { 'retry-after': '60' } : {}
  const error = new ApiError(code, { message: 'so.', headers })
  const wait = status === 503 ? '60' : null
  const extras = status === 503 ? WAIT : {}
  const coded = (name: string) => [
    status,
    wait,
    { error: { code: name, message: 'so.', ...extras } },
  ]
  expect(sent(error, ORDERS_ERRORS)).toEqual(coded(code))
  expect(sent(error, LIVE_ERRORS)).toEqual(coded(liveCode))
  expect(sent(error, LAB_ERRORS)).toEqual([status, wait, { error: 'so.' }])
  expect(sent(error, GEO_ERRORS)).toEqual([status, wait, { error: 'so.' }])
})
