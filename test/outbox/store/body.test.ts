// The one module that makes the bytes of an event.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventBody } from '../../../src/outbox/store/body.ts'

const VECTORS = join(import.meta.dirname, '../../vectors/alert_bodies.jsonl')

/** Stored form of a body: its keys in any order, some of them the account's own. */
function toStoredParts(
  text: string,
  isExtra: (key: string) => boolean,
  rank: (key: string) => number,
) {
  const { id, ...keys } = JSON.parse(text)
  const put_support = keys.levels?.put_support
  if (keys.levels) delete keys.levels.put_support
  const sorted = Object.keys(keys).sort((a, b) => rank(a) - rank(b))
  const part = (isIncluded: (key: string) => boolean) =>
    JSON.stringify(Object.fromEntries(sorted.filter(isIncluded).map(key => [key, keys[key]])))
  const extra = sorted.some(isExtra) ? part(isExtra) : null
  return { id, body: part(key => !isExtra(key)), extra, hasPutSupport: put_support !== undefined }
}

/** Any split and order of the stored keys. */
function expectSameBytes(text: string): void {
  const keys = Object.keys(JSON.parse(text))
  const splits = fc.array(fc.boolean(), { minLength: keys.length, maxLength: keys.length })
  const orders = fc.array(fc.nat(), { minLength: keys.length, maxLength: keys.length })
  fc.assert(
    fc.property(splits, orders, (extras, ranks) => {
      const isExtra = (key: string) => extras[keys.indexOf(key)]!
      const stored = toStoredParts(text, isExtra, key => ranks[keys.indexOf(key)]!)
      expect(eventBody(stored)).toBe(text)
    }),
  )
}

const bodies = readFileSync(VECTORS, 'utf8').trim().split('\n')

test.each(bodies.map(line => JSON.parse(line)))(
  'a $headers.X-Service-Event has the bytes of its vector, however it was stored',
  one => expectSameBytes(one.body),
)

const parts = { id: 'evt_1', extra: null, hasPutSupport: false }

test('levels have put_support where it is due, whatever was stored', () => {
  const levels = (texts: string) => `{"type":"flip_cross","levels":{${texts}}}`
  const of = (texts: string, hasPutSupport: boolean) =>
    JSON.parse(eventBody({ ...parts, body: levels(texts), hasPutSupport })).levels
  for (const stored of ['"flip":1,"put_wall":5', '"flip":1,"put_wall":5,"put_support":4']) {
    expect(of(stored, true)).toEqual({ flip: 1, put_wall: 5, put_support: 5 })
    expect(of(stored, false)).toEqual({ flip: 1, put_wall: 5 })
  }
  expect(of('"flip":1', true)).toEqual({ flip: 1 })
  const none = eventBody({ ...parts, body: '{"type":"test"}', hasPutSupport: true })
  expect(none).toBe('{"id":"evt_1","type":"test"}')
})

test('the account’s own keys stand over the shared ones, and an unknown key comes last', () => {
  const body = '{"news":1,"text":"all","type":"order","symbol":"SPX"}'
  const extra = '{"text":"yours","rule":{"id":"r_1"}}'
  expect(eventBody({ ...parts, body, extra })).toBe(
    '{"id":"evt_1","type":"order","symbol":"SPX","text":"yours","rule":{"id":"r_1"},"news":1}',
  )
})

test('a text says first that it is of a replay, or of a simulated session', () => {
  const text = (more: object) => {
    const body = JSON.stringify({ text: 'SPX moved.', ...more })
    return JSON.parse(eventBody({ ...parts, body })).text
  }
  expect(text({})).toBe('SPX moved.')
  expect(text({ replay: true })).toBe('REPLAY: SPX moved.')
  expect(text({ simulated: true })).toBe('SIMULATED: SPX moved.')
  expect(text({ replay: true, simulated: true })).toBe('REPLAY: SIMULATED: SPX moved.')
})
