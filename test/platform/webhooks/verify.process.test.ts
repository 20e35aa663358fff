import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import * as packaged from 'tapefold/webhook'
import { expect, test } from 'vitest'
import { makeSecret } from '../../../src/platform/webhooks/secretBox.ts'
import { signedHeaders } from '../../../src/platform/webhooks/sign.ts'
import {
  createSeenIds,
  explainRefusal,
  type ReceivedCall,
  verifyWebhook,
} from '../../../src/platform/webhooks/verify.ts'
import { randomNumbers } from '../../support/random.ts'
import { runs } from '../../support/runs.ts'
import { SIGNATURES, SIGNED_BODIES } from '../../support/webhookVectors.ts'

const NOW_S = 1_767_225_600

/** Whole numbers below another one, the same on every run. */
function randomUnder(seed: number) {
  const random = randomNumbers(seed)
  return (below: number) => Math.floor(random() * below)
}

/** A good call, to be changed. */
function makeCall(change: Partial<ReceivedCall> & { atS?: number } = {}): ReceivedCall {
  const { atS = NOW_S, ...rest } = change
  const secret = 'whsec_dGFwZWZvbGQgZGVzaWduIGV4YW1wbGUga2V5IDAx'
  const body = Buffer.from('{"version":1,"id":"evt_0a1b2c","type":"test"}')
  const signed = { type: 'test', id: 'evt_0a1b2c', body, secret, atMs: atS * 1000 }
  const headers = signedHeaders({ ...signed, isPosition: true })
  return { headers, body, secret, nowMs: NOW_S * 1000, ...rest }
}

const withHeader = (name: string, value: string | readonly string[] | undefined) => {
  const { headers } = makeCall()
  return makeCall({ headers: { ...(headers as Record<string, string>), [name]: value } })
}

test('a good call is taken, whatever the case of its header names', () => {
  const { headers } = makeCall()
  const entries = Object.entries(headers as Record<string, string>)
  const lower = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]))
  for (const each of [headers, lower, new Headers(entries)]) {
    expect(explainRefusal(makeCall({ headers: each }))).toBeNull()
    expect(explainRefusal(makeCall({ headers: each, legacy: true }))).toBeNull()
  }
  expect(verifyWebhook(makeCall({ body: new Uint8Array(makeCall().body) }))).toBe(true)
})

test('the package exports the same', () => {
  expect(packaged.verifyWebhook).toBe(verifyWebhook)
  expect(packaged.createSeenIds).toBe(createSeenIds)
})

test.each([
  [-301, 'the call is more than 300 seconds old'],
  [-300, null],
  [0, null],
  [300, null],
  [301, 'the call is more than 300 seconds ahead of this clock'],
])('%i seconds from now: %s', (seconds, refusal) => {
  expect(explainRefusal(makeCall({ atS: NOW_S + seconds }))).toBe(refusal)
})

test('a thousandth of a second beyond 300 seconds is too much, both ways', () => {
  expect(verifyWebhook(makeCall({ nowMs: NOW_S * 1000 + 300_001 }))).toBe(false)
  expect(verifyWebhook(makeCall({ nowMs: NOW_S * 1000 - 300_001 }))).toBe(false)
})

const SIGNATURE = (makeCall().headers as Record<string, string>)['X-Service-Signature']!
const MISSING = 'the header x-service-signature is missing, or there twice'
const SHAPE = 'the header x-service-signature is not sha256= and 64 hexadecimal digits'
const OTHER = 'the signature is not that of this body and secret'

test.each<[string, ReceivedCall, string]>([
  ['without a signature', withHeader('X-Service-Signature', undefined), MISSING],
  ['with two signatures', withHeader('X-Service-Signature', [SIGNATURE, SIGNATURE]), MISSING],
  ['with it in two cases', withHeader('x-service-signature', SIGNATURE), MISSING],
  ['with it twice in one', withHeader('X-Service-Signature', `${SIGNATURE}, ${SIGNATURE}`), SHAPE],
  ['with an empty one', withHeader('X-Service-Signature', ''), SHAPE],
  ['without its name', withHeader('X-Service-Signature', SIGNATURE.slice(7)), SHAPE],
  ['with another name', withHeader('X-Service-Signature', SIGNATURE.replace('256', '512')), SHAPE],
  ['with capital digits', withHeader('X-Service-Signature', `sha256=${'A'.repeat(64)}`), SHAPE],
  ['cut by a digit', withHeader('X-Service-Signature', SIGNATURE.slice(0, -1)), SHAPE],
  ['longer by a digit', withHeader('X-Service-Signature', `${SIGNATURE}0`), SHAPE],
  ['with a line end', withHeader('X-Service-Signature', `${SIGNATURE}\n`), SHAPE],
  ['in base64', withHeader('X-Service-Signature', 'sha256=OlvA'), SHAPE],
  ['of nothing', withHeader('X-Service-Signature', `sha256=${'0'.repeat(64)}`), OTHER],
  [
    'without a time',
    withHeader('X-Service-Timestamp', undefined),
    'the header x-service-timestamp is missing, or there twice',
  ],
  ...['', ' ', '01767225600', '1767225600.0', '1.7672256e9', '+1767225600', '-1', 'NaN', '١٧'].map(
    text =>
      [
        `at ${JSON.stringify(text)}`,
        withHeader('X-Service-Timestamp', text),
        'x-service-timestamp is not a time in seconds',
      ] as [string, ReceivedCall, string],
  ),
  ['with another time', withHeader('X-Service-Timestamp', String(NOW_S + 1)), OTHER],
  ['with another body', makeCall({ body: Buffer.from('{}') }), OTHER],
  [
    'with a longer body',
    makeCall({ body: Buffer.concat([makeCall().body, Buffer.from(' ')]) }),
    OTHER,
  ],
  ['with another secret', makeCall({ secret: makeSecret() }), OTHER],
  ['with the bytes of the secret', makeCall({ secret: makeCall().secret.slice(6) }), OTHER],
])('a call %s is refused', (_name, call, refusal) => {
  expect(explainRefusal(call)).toBe(refusal)
  expect(verifyWebhook(call)).toBe(false)
})

test('without a secret, or with a body that was parsed, the result is false', () => {
  for (const secret of ['', ' ', undefined as never]) {
    expect(() => verifyWebhook(makeCall({ secret }))).toThrow('the secret is empty')
  }
  for (const body of ['{}', { version: 1 }, undefined, null]) {
    expect(() => verifyWebhook(makeCall({ body: body as never }))).toThrow('raw bytes')
  }
  expect(() => verifyWebhook(makeCall({ nowMs: Number.NaN }))).toThrow('nowMs')
})

test('V0 counts only on request, and nothing else does then', () => {
  const { headers } = makeCall() as { headers: Record<string, string> }
  const { 'X-Service-Signature': _none, ...onlyV0 } = headers
  expect(verifyWebhook(makeCall({ headers: onlyV0 }))).toBe(false)
  expect(verifyWebhook(makeCall({ headers: onlyV0, legacy: true }))).toBe(true)
  const { 'X-Service-Signature-V0': _v0, ...withoutV0 } = headers
  expect(verifyWebhook(makeCall({ headers: withoutV0, legacy: true }))).toBe(false)
  expect(verifyWebhook(makeCall({ legacy: true, body: Buffer.from('{}') }))).toBe(false)
})

test(`${runs(10_000)} changes of one bit or one character: none is taken`, () => {
  const roll = randomUnder(7)
  const vectors = SIGNED_BODIES.map(({ headers, body, secret }) => ({
    headers,
    secret,
    body: Buffer.from(body),
    nowMs: Number(headers['X-Service-Timestamp']) * 1000,
  }))
  for (const vector of vectors) expect(explainRefusal(vector)).toBeNull()
  let taken = 0
  for (let count = 0; count < runs(10_000); count++) {
    const vector = vectors[roll(vectors.length)]!
    if (verifyWebhook(mutated(vector, roll))) taken += 1
  }
  expect(taken).toBe(0)
})

type Vector = {
  headers: Readonly<Record<string, string>>
  secret: string
  body: Buffer
  nowMs: number
}

/** One bit of the body, or one character of the time or the signature, is another. */
function mutated(vector: Vector, roll: (below: number) => number): Vector {
  const part = roll(3)
  if (part === 0) {
    const body = Buffer.from(vector.body)
    body[roll(body.length)]! ^= 1 << roll(8)
    return { ...vector, body }
  }
  const name = part === 1 ? 'X-Service-Timestamp' : 'X-Service-Signature'
  const value = vector.headers[name]!
  const at = roll(value.length)
  const other = String.fromCharCode(((value.charCodeAt(at) - 32 + 1 + roll(94)) % 95) + 32)
  const changed = value.slice(0, at) + other + value.slice(at + 1)
  return { ...vector, headers: { ...vector.headers, [name]: changed } }
}

const does = (command: string, args: readonly string[]) => spawnSync(command, args).status === 0
const hasOpenssl = does('openssl', ['version'])
const hasPython = does('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)'])

const texts = (run: SpawnSyncReturns<Buffer>) => {
  expect(run.stderr.toString()).toBe('')
  return run.stdout.toString()
}

test.skipIf(!hasOpenssl)('openssl signs the vectors alike', () => {
  const { secret, signatures } = SIGNATURES
  const macs = signatures.map(([timestamp, body]) => {
    const input = Buffer.from(`${timestamp}.${body}`)
    const run = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-r'], { input })
    return texts(run).split(' ')[0]
  })
  expect(macs).toEqual(signatures.map(([, , hex]) => hex))
})

const PYTHON = `
import base64, json, sys
sys.path.insert(0, "clients/python/tapefold")
sys.dont_write_bytecode = True
from webhook import SeenIds, refusal_of, verify_webhook
def answer(call):
    body = base64.b64decode(call["body"])
    given = (call["headers"], body, call["secret"], call["nowMs"], call["legacy"])
    try:
        refusal = refusal_of(*given)
        assert verify_webhook(*given) == (refusal is None)
        return refusal
    except ValueError as error:
        return f"throws {error}"
seen = SeenIds(2)
ids = [seen.is_new(each) for each in "aabcba"]
print(json.dumps({"answers": [answer(call) for call in json.load(sys.stdin)], "ids": ids}))
`

test.skipIf(!hasPython)('Python refuses what Node refuses, in the same words', () => {
  const roll = randomUnder(11)
  const text = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { numRuns: 200, seed: 5 })
  const vectors = SIGNED_BODIES.map(({ headers, body, secret }) => ({
    headers,
    secret,
    body: Buffer.from(body),
    nowMs: Number(headers['X-Service-Timestamp']) * 1000,
  }))
  const own = text.map(each => {
    const body = Buffer.from(each)
    const headers = signedHeaders({
      type: 'test',
      id: 'evt_1',
      body,
      secret: SIGNATURES.secret,
      atMs: NOW_S * 1000 + roll(700_000) - 350_000,
      isPosition: true,
    })
    return { headers, body, secret: roll(9) === 0 ? '' : SIGNATURES.secret, nowMs: NOW_S * 1000 }
  })
  const changed = Array.from({ length: 300 }, () => mutated(vectors[roll(vectors.length)]!, roll))
  const calls = [...vectors, ...own, ...changed].flatMap(call =>
    [false, true].map(legacy => ({ ...call, legacy })),
  )
  const input = JSON.stringify(calls.map(call => ({ ...call, body: call.body.toString('base64') })))
  const { answers: verdicts, ids } = JSON.parse(
    texts(spawnSync('python3', ['-c', PYTHON], { input })),
  )
  const expected = calls.map(call => {
    try {
      return explainRefusal(call)
    } catch (error) {
      return `throws ${(error as Error).message}`
    }
  })
  expect(verdicts).toEqual(expected)
  expect(new Set(expected).size).toBeGreaterThanOrEqual(7)
  const seen = createSeenIds(2)
  expect(ids).toEqual([...'aabcba'].map(id => seen.isNew(id)))
  expect(ids).toEqual([true, false, true, true, false, true])
})

test('the bytes are signed as they are, also those that are no text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(4_102_444_800), (bytes, atS) => {
      const [secret, body] = [makeSecret(), Buffer.from(bytes)]
      const delivery = {
        type: 'test',
        id: 'evt_1',
        body,
        secret,
        atMs: atS * 1000,
        isPosition: false,
      }
      const headers = signedHeaders(delivery)
      const whole = Buffer.concat([Buffer.from(`${atS}.`), body])
      const hex = createHmac('sha256', secret).update(whole).digest('hex')
      expect(headers['X-Service-Signature']).toBe(`sha256=${hex}`)
      expect(verifyWebhook({ headers, body, secret, nowMs: atS * 1000 })).toBe(true)
    }),
  )
})

test('an id is new once, and the oldest of too many are forgotten', () => {
  const seen = createSeenIds(3)
  const receivedIds = ['a', 'b', 'a', 'c', 'd', 'a', 'd']
  expect(receivedIds.map(seen.isNew)).toEqual([true, true, false, true, true, true, false])
})

/** Comparisons that end at the first character that differs tell how many were right. */
const NAME = String.raw`\w*(?:secret|signature|hmac|digest)\w*`
const COMPARED = new RegExp(String.raw`${NAME}\s*[!=]==|[!=]==\s*(?:\w+\.)*${NAME}`, 'i')
const HARMLESS = /(?:[!=]== (?:null|undefined|''|'string'|"string")|typeof \w+ [!=]==)/g

test('no secret and no signature is compared by ===', () => {
  const suspects = globSync(['src/{webhooks,outbox}/**/*.ts', 'pipelines/command/webhook*.ts'])
  expect(suspects.length).toBeGreaterThan(8)
  const lines = suspects.flatMap(file => readFileSync(file, 'utf8').split('\n'))
  const isUnsafe = (line: string) => COMPARED.test(line.replaceAll(HARMLESS, ''))
  expect(lines.filter(isUnsafe)).toEqual([])
  const bad = ['if (signature === expected) return', 'return hex !== call.secret', 'secret===key']
  expect(bad.filter(line => !isUnsafe(line))).toEqual([])
  expect(isUnsafe('if (secret === null) return')).toBe(false)
})
