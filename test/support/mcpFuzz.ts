// Calls of tools that know nothing of their code: each holds its schema and its size.

import type { Client } from '@modelcontextprotocol/client'
import Ajv from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { DAY, type Json } from './mcp.ts'

const some = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const days = some(
  DAY,
  DAY,
  DAY,
  '2026-10-14',
  '2026-10-16',
  '2026-10-11',
  '2031-01-01',
  'monday',
  '',
)
const minutes = some('10:37', '09:31', '15:59', '16:15', '09:30', '12:00', '25:99', '9:31', '')
const kinds = some(
  'iron_condor',
  'single',
  'vertical',
  'butterfly',
  'nothing',
  '\u0000',
  'é'.repeat(80),
)
const numbers = fc.oneof(fc.integer({ min: -5, max: 80 }), fc.double(), some(1e308, 0, 0.5))

/** Values of arguments: good, nearly good, and anything. */
type Arguments = Readonly<Record<string, fc.Arbitrary<unknown>>>
const ARGUMENTS: Arguments = {
  day: days,
  from: days,
  to: days,
  exp: days,
  asof: minutes,
  time: minutes,
  t: minutes,
  kind: kinds,
  side: some('bought', 'sold', 'none', 'long'),
  book: some('measured', 'vol', 'x'),
  min_premium: numbers,
  min_gamma: numbers,
  limit: numbers,
  sort: some('effect', 'time', 'premium', 'contracts', 'flip', 'size'),
  step: some<unknown>(5, 15, 30, 7, '5'),
  cursor: fc.oneof(fc.string(), fc.base64String()),
  id: some('p_1', 'p_0000', 'x', ''),
  oid: some('20261015-100000000000-1', 'x', "' or 1=1 --"),
}

/** Arguments that a tool names, each there or not; now and then one more, or of any kind. */
const givenTo = (names: readonly string[], known: Arguments): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.record(pick(names, known), { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 4 }),
    },
  )

const pick = (names: readonly string[], known: Arguments) =>
  Object.fromEntries(
    names.map(name => [
      name,
      fc.oneof(
        { weight: 9, arbitrary: known[name] ?? fc.jsonValue() },
        { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<unknown> },
      ),
    ]),
  )

/** Tokens of a text at most: bytes over three. */
export const listTokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 3)

export type Fuzzed = {
  readonly responded: number
  readonly refused: number
  readonly largest: number
}

/** Calls tools a number of times. Fails on a result that breaks its schema or its size. */
export async function fuzzTools(
  client: Client,
  {
    calls,
    seed,
    oids = [],
    more = {},
  }: {
    readonly calls: number
    readonly seed: number
    readonly oids?: readonly string[]
    /** Values of arguments in addition to the usual ones. */
    readonly more?: Arguments
  },
): Promise<Fuzzed> {
  const { tools } = (await client.listTools()) as Json
  const ajv = new Ajv.default({ strict: false })
  const checks = new Map<string, (value: unknown) => boolean>(
    tools.map((tool: Json) => [tool.name, ajv.compile(tool.outputSchema)]),
  )
  const known = { ...ARGUMENTS, oid: fc.constantFrom(...oids, 'x'), ...more }
  const one = fc.constantFrom(...(tools as Json[])).chain(tool =>
    givenTo(Object.keys(tool.inputSchema.properties ?? {}), known).map(given => ({
      name: tool.name,
      given,
    })),
  )
  let [responded, refused, largest] = [0, 0, 0]
  for (const { name, given } of fc.sample(one, { numRuns: calls, seed })) {
    const oid =
      'oid' in given ? { oid: fc.sample(known.oid, { numRuns: 1, seed: responded })[0] } : {}
    const result = (await client.callTool({ name, arguments: { ...given, ...oid } })) as Json
    const text = result.content[0].text
    if (listTokens(text) > 8_000) throw new Error(`${name} ${JSON.stringify(given)} is too large`)
    if (listTokens(JSON.stringify(result)) > 20_000) throw new Error(`the result of ${name} is`)
    largest = Math.max(largest, listTokens(JSON.stringify(result)))
    if (result.isError) {
      refused += 1
      if (!/^[^{}[\]]{10,}\.$/s.test(text) && !text.endsWith('.')) throw new Error(text)
      if (text.startsWith('the server failed')) throw new Error(`${name} ${JSON.stringify(given)}`)
      continue
    }
    responded += 1
    if (!checks.get(name)!(result.structuredContent)) throw new Error(`${name} breaks its schema`)
    const { summary, total } = result.structuredContent
    if (typeof summary !== 'string' || summary === '' || total < 0) throw new Error(name)
  }
  return { responded, refused, largest }
}
