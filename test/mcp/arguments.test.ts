// Arguments as clients of other makers send them, and the schemas that they read.

import { expect, test } from 'vitest'
import { LAB_SERVER } from '../../src/mcp/labServer.ts'
import { ORDERS_SERVER, SUMMARY } from '../../src/mcp/ordersServer.ts'
import type { ToolDeps } from '../../src/mcp/tool.ts'
import type { Json } from '../support/mcp.ts'

const TOOLS = [...ORDERS_SERVER.tools, ...LAB_SERVER.tools]

const noDeps = {} as ToolDeps
const failure = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => '',
    (error: Error) => error.message,
  )

test('15 tools refuse null for each required argument by its name, and for no other', async () => {
  let counted = 0
  for (const { name, inputSchema, run } of TOOLS) {
    const { properties, required = [] } = inputSchema as Json
    const all = Object.keys(properties)
    counted += all.length
    for (const blank of [null, '']) {
      const given = Object.fromEntries(all.map(one => [one, blank]))
      const sentence = await failure(run(given, noDeps))
      const refused = all.filter(one => sentence.startsWith(`${one} is ${JSON.stringify(blank)};`))
      expect([name, refused]).toEqual([name, required.slice(0, 1)])
    }
  }
  expect([TOOLS.length, counted]).toEqual([15, 42])
})

/**
 * Fields of the type Schema of the Gemini API (ai.google.dev/api/caching#Schema), and
 * `additionalProperties`, which newer versions take and which strict functions of OpenAI need
 * (platform.openai.com/docs/guides/structured-outputs#supported-schemas).
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  string: ['enum', 'pattern', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
}

/** Faults of a schema for a reader of that subset. */
function findFaults(schema: Json, path: string): string[] {
  const fields = FIELDS[schema.type]
  if (fields === undefined) return [`${path} has the type ${JSON.stringify(schema.type)}`]
  const others = Object.keys(schema).filter(
    name => !['type', 'description', ...fields].includes(name),
  )
  return [
    ...others.map(name => `${path}.${name} ${JSON.stringify(schema[name])}`),
    // regular expressions there have no looking around and no references back
    ...(/\(\?|\\[1-9]/.test(schema.pattern ?? '') ? [`${path}.pattern ${schema.pattern}`] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      findFaults(one, `${path}.${name}`),
    ),
    ...(schema.items ? findFaults(schema.items, `${path}[]`) : []),
  ]
}

test('the schemas of 15 tools keep to the fields that Gemini and OpenAI document', () => {
  expect(TOOLS.flatMap(({ name, inputSchema }) => findFaults(inputSchema, name))).toEqual([])
  expect(findFaults({ type: 'string', format: 'date' }, 'day')).toEqual(['day.format "date"'])
  const sent = JSON.stringify(TOOLS.map(({ outputSchema }) => outputSchema))
  expect(sent).not.toMatch(/"(format|const|\$ref|allOf|not)":/)
})

test('a summary names the largest order of both directions by its id', async () => {
  const order = (oid: string, g: number) => ({
    oid,
    t: '10:37',
    kind: 'iron_condor',
    legs: 'L',
    net: 1,
    g,
  })
  const content = {
    asof: null,
    simulated: false,
    grade: null,
    stats: null,
    structures: [],
    up: [order('o1', 5), order('o2', 2)],
    down: [order('o3', -9), order('o4', -1)],
  }
  const summarizeLedger = async () => ({ day: '2026-10-15', note: null, content })
  const deps = { asks: { orders: { summarizeLedger } }, requester: null } as unknown as ToolDeps
  const { summary } = (await SUMMARY.run({}, deps)) as Json
  expect(summary).toContain('the largest is the iron condor L at 10:37 ET with $1M net premium')
  expect(summary).toContain('-9 $M of dealer gamma per point, oid o3')
})
