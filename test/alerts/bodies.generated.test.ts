// Bodies of whatever random sessions give: each is what the schemas promise.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDocument } from 'zod-openapi'
import { type BodyPart, storedBody } from '../../src/alerts/bodies/bodyPart.ts'
import { levelBody } from '../../src/alerts/bodies/levels.ts'
import { lineBody, openLineExtras } from '../../src/alerts/bodies/lines.ts'
import { AlertBody, PositionBody } from '../../src/alerts/bodies/schema.ts'
import { type AlertLine, LEVEL_KINDS, LIST_TYPES } from '../../src/alerts/kinds.ts'
import { groupEntries } from '../../src/alerts/rules/groups.ts'
import { judgeLine, type LineView, viewLines } from '../../src/alerts/rules/lines.ts'
import { stepMinute, type WatchStates } from '../../src/alerts/rules/minute.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { eventBody } from '../../src/outbox/store/body.ts'
import { findInput, randomDay, WHOLE_DAY } from '../support/alertDays.ts'
import { findEntry } from '../support/alertRules.ts'
import { runs } from '../support/runs.ts'

const groups = [
  ...groupEntries(LIST_TYPES.map(type => ({ entry: findEntry(type), firstMinute: null }))).values(),
]
const lines: AlertLine[] = [
  { id: 'l_0', kind: 'price', price: 6000.25, mode: 'repeat', direction: 'any', note: null },
  ...LEVEL_KINDS.map(
    (level, index): AlertLine => ({
      id: `l_${index + 1}`,
      kind: 'level',
      level,
      book: 'open_interest',
      offset: index - 1,
      mode: 'repeat',
      direction: 'any',
      note: null,
    }),
  ),
]

test(`${runs(100)} random sessions: every body is as its schema says, with a whole sentence`, () => {
  const types = new Map<string, number>()
  const check = (shared: BodyPart, extra: BodyPart | null) => {
    const text = eventBody({
      id: `evt_${'0'.repeat(32)}`,
      body: storedBody(shared),
      extra: extra && JSON.stringify(extra),
      hasPutSupport: true,
    })
    const body = AlertBody.parse(JSON.parse(text))
    expect(JSON.stringify(body)).toHaveLength(text.length)
    expect(text).not.toMatch(/null|NaN|undefined/)
    expect(body.text).toMatch(/^(SPX|The|Measured) .+\.$/)
    // points have two decimals and gamma three, whatever the state had
    expect(text).not.toMatch(/\d\.\d{4}/)
    types.set(body.type, (types.get(body.type) ?? 0) + 1)
  }
  const property = fc.property(fc.integer(), seed => {
    let watchStates: WatchStates | null = null
    for (const state of randomDay(seed, 120)) {
      if (state === null) continue
      const thirds = { ...state, spot: state.spot && state.spot + 1 / 3 }
      const input = findInput({ ...thirds, netGamma: state.netGamma && state.netGamma / 3 })
      const foundAtMs = instantMs(WHOLE_DAY, state.minute) + 3000
      const found = { ...input, foundAtMs, isReplay: false, isSimulated: false }
      const view: LineView | null = viewLines(watchStates, input)
      for (const line of view ? lines : []) {
        const { event } = judgeLine(view!, line, { armed: true, firstMinute: null })
        if (event) check(lineBody(event, found), openLineExtras(found)(line, event))
      }
      const step = stepMinute(watchStates, input, groups)
      for (const finding of step.findings) check(levelBody(finding, found), null)
      watchStates = step.states
    }
  })
  fc.assert(property, { numRuns: runs(100), seed: 46 })
  expect([...types.keys()].sort()).toEqual([...LIST_TYPES, 'level_line', 'price_alert'].sort())
})

test('the schemas can be written into an OpenAPI file, every type of event in them', () => {
  const toOperation = (schema: typeof AlertBody | typeof PositionBody) => ({
    post: { requestBody: { content: { 'application/json': { schema } } }, responses: {} },
  })
  const document = createDocument({
    openapi: '3.1.0',
    info: { title: 'Events', version: '1.0.0' },
    webhooks: { alerts: toOperation(AlertBody), positions: toOperation(PositionBody) },
  })
  const eventTypes = new Set(JSON.stringify(document).match(/(?<="const":")[a-z_]+/g))
  const others = ['price_alert', 'level_line', 'order', 'test', 'opening_read', 'label_changed']
  for (const type of [...LIST_TYPES, ...others]) expect(eventTypes).toContain(type)
})
