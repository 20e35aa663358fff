import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'
import { deprecationDates, isStillSent } from '../../../src/platform/http/deprecations.ts'
import { makeSecret } from '../../../src/platform/webhooks/secretBox.ts'
import { signedHeaders } from '../../../src/platform/webhooks/sign.ts'
import { ownBodies, SIGNATURES, SIGNED_BODIES, sharedBodies } from '../../support/webhookVectors.ts'

/** The first instant of 2026-12-01 in New York. */
const END_MS = Date.parse('2026-12-01T05:00:00Z')

const isPositionBody = (body: string) => body.includes('"position_id"')

function signHeaders({ secret, body }: { secret: string; body: string }, atMs: number) {
  const { id, type } = JSON.parse(body)
  const isPosition = isPositionBody(body)
  return signedHeaders({ type, id, body: Buffer.from(body), secret, atMs, isPosition })
}

test.each(SIGNED_BODIES.map((vector, at) => [at, vector] as const))(
  'delivery %i of the vectors has exactly their headers, in their order',
  (_at, vector) => {
    const atMs = Number(vector.headers['X-Service-Timestamp']) * 1000
    for (const ms of [0, 999]) {
      expect(Object.entries(signHeaders(vector, atMs + ms))).toEqual(Object.entries(vector.headers))
    }
  },
)

test('the vectors are 13, and of every type of event', () => {
  expect(SIGNED_BODIES).toHaveLength(13)
  const types = SIGNED_BODIES.map(({ headers }) => headers['X-Service-Event'])
  expect(new Set(types).size).toBe(12)
})

test.skipIf(sharedBodies() === null)('the vectors are those of their maker, to the byte', () => {
  expect(ownBodies()).toBe(sharedBodies())
})

test.each(SIGNATURES.signatures)('at %i the body %j is signed with %s', (timestamp, body, hex) => {
  const headers = signedHeaders({
    type: 'test',
    id: 'evt_0a1b2c',
    body: Buffer.from(body),
    isPosition: false,
    secret: SIGNATURES.secret,
    atMs: timestamp * 1000,
  })
  expect(headers['X-Service-Signature']).toBe(`sha256=${hex}`)
})

test.each(SIGNATURES.v0)('the header V0 of the body %j is %s', (body, hex) => {
  const headers = signedHeaders({
    type: 'test',
    id: 'evt_0a1b2c',
    body: Buffer.from(body),
    isPosition: true,
    secret: SIGNATURES.secret,
    atMs: END_MS - 1,
  })
  expect(headers['X-Service-Signature-V0']).toBe(`sha256=${hex}`)
})

test('the last day is whole, in New York, of each part that will go', () => {
  for (const part of ['signature_v0', 'put_support'] as const) {
    expect(deprecationDates(part).endsAtMs).toBe(END_MS)
    expect([isStillSent(part, END_MS - 1), isStillSent(part, END_MS)]).toEqual([true, false])
  }
  expect(deprecationDates('signature_v0').deprecatedAtMs).toBe(1_791_691_200_000)
  expect(deprecationDates('put_support').deprecatedAtMs).toBeNull()
})

test('after 2026-11-30 in New York a position has neither V0 nor its description', () => {
  for (const vector of SIGNED_BODIES.filter(({ body }) => isPositionBody(body))) {
    const before = signHeaders(vector, END_MS - 1)
    expect(before['X-Service-Signature-V0']).toBe(vector.headers['X-Service-Signature-V0'])
    expect([before.Deprecation, before.Sunset]).toEqual([
      '@1791691200',
      'Tue, 01 Dec 2026 05:00:00 GMT',
    ])
    const names = Object.keys(signHeaders(vector, END_MS))
    expect(names).toHaveLength(8)
    expect(names.filter(name => /V0|Deprecation|Sunset/.test(name))).toEqual([])
  }
})

test('the description of put_support is there as long as a body has it, however late', () => {
  for (const vector of SIGNED_BODIES.filter(({ body }) => !isPositionBody(body))) {
    const hasPutSupport = JSON.parse(vector.body).levels?.put_support !== undefined
    for (const atMs of [END_MS - 1, END_MS, END_MS + 300_000]) {
      expect(signHeaders(vector, atMs).Sunset !== undefined).toBe(hasPutSupport)
      const without = { ...vector, body: vector.body.replace(/,"put_support":\d+/, '') }
      expect(signHeaders(without, atMs).Sunset).toBeUndefined()
    }
  }
})

test('a name that only says put_support is not the field', () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'order', rule: { name: '"put_support":5950' } })
  expect(signHeaders({ secret: makeSecret(), body }, 0).Sunset).toBeUndefined()
})

test('an empty secret signs nothing', () => {
  expect(() => signHeaders({ secret: '', body: '{}' }, 0)).toThrow('empty')
})

afterEach(() => {
  vi.useRealTimers()
})

test('the npm library of Standard Webhooks takes every delivery, and none that was changed', () => {
  for (const { body } of SIGNED_BODIES) {
    const secret = makeSecret()
    const atMs = 1_795_621_023_000
    vi.useFakeTimers({ now: atMs })
    const headers = signHeaders({ secret, body }, atMs)
    const library = new Webhook(secret)
    expect(library.verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => library.verify(body.replace('version', 'Version'), headers)).toThrow()
    expect(() => new Webhook(makeSecret()).verify(body, headers)).toThrow()
    expect(() => library.verify(body, { ...headers, 'webhook-id': 'evt_other' })).toThrow()
  }
})
