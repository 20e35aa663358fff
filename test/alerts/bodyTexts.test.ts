// Texts of bodies, when they were found, and what they leave out.

import { expect, test } from 'vitest'
import { storedBody } from '../../src/alerts/bodies/bodyPart.ts'
import { levelBody } from '../../src/alerts/bodies/levels.ts'
import { lineBody, openLineExtras } from '../../src/alerts/bodies/lines.ts'
import { alertsTestBody } from '../../src/alerts/bodies/onDemand.ts'
import { positionBody, type ReportedReading } from '../../src/alerts/bodies/positions.ts'
import { AlertBody, PositionBody } from '../../src/alerts/bodies/schema.ts'
import type { AlertBook } from '../../src/alerts/kinds.ts'
import type { BookState } from '../../src/alerts/rules/inputs.ts'
import { eventBody } from '../../src/outbox/store/body.ts'
import {
  asOf,
  finding,
  LEVEL_LINE,
  line,
  POSITION,
  PRICE_LINE,
  readBodyVectors,
  reading,
  render,
  state,
} from '../support/alertBodies.ts'

const vectors = readBodyVectors()

test('put_support is sent only on request, and only with a put wall', () => {
  const body = (of: BookState, hasPutSupport: boolean) => {
    const stored = storedBody(
      levelBody(
        finding({ type: 'wall_break', subject: 'call_wall', value: 6050, direction: 'above' }),
        asOf(of),
      ),
    )
    const id = `evt_${'0'.repeat(32)}`
    return JSON.parse(eventBody({ id, body: stored, extra: null, hasPutSupport })).levels
  }
  const known = state('10:00', 6052)
  expect(body(known, true)).toEqual({ ...body(known, false), put_support: 5950 })
  expect(body({ ...known, putWall: null, flip: null }, true)).toEqual({ call_wall: 6050 })
})

test.each([
  ['measured', 'SPX 6,052.30 broke above the measured call wall 6,050 at 11:02 ET.'],
  ['volume', 'SPX 6,052.30 broke above the volume call wall 6,050 at 11:02 ET.'],
  ['open_interest', 'SPX 6,052.30 broke above the open-interest call wall 6,050 at 11:02 ET.'],
] as const)('the text of a wall of the %s book', (book: AlertBook, text) => {
  const of = state('11:02', 6052.3)
  const one = finding({
    type: 'wall_break',
    subject: 'call_wall',
    value: 6050,
    direction: 'above',
    book,
    minute: '11:02',
  })
  const { text: bodyText, book: named } = levelBody(one, asOf(of))
  expect([bodyText, named]).toEqual([text, book])
})

test('net gamma of the open interest has a text of its own', () => {
  const one = finding({
    type: 'regime_change',
    subject: 'net_gamma',
    value: 1234.5678,
    from: -0.0001,
    direction: 'positive',
    book: 'open_interest',
  })
  const { text, level } = levelBody(one, asOf(state('10:00', 6000)))
  expect(text).toBe('Open-interest net gamma turned positive at 10:00 ET: 1,234.568 $M a point.')
  expect(level).toEqual({ kind: 'net_gamma', value: 1234.568, from: 0 })
})

test.each([
  [{ ...LEVEL_LINE, offset: 0 }, 5949.1, 'crossed below your line at the measured put wall 5,950'],
  [
    { ...LEVEL_LINE, offset: 1 },
    5950.5,
    'crossed below your line 1 point above the measured put wall 5,950',
  ],
  [
    { ...LEVEL_LINE, offset: -2.5 },
    5948,
    'crossed above your line 2.5 points below the measured put wall 5,950',
  ],
  [
    { ...LEVEL_LINE, level: 'flip', offset: -1 } as const,
    5949,
    'touched your line 1 point below the measured flip 5,950.00',
  ],
  [{ ...PRICE_LINE, price: 6000.25 }, 6001, 'crossed above your line 6,000.25'],
  [PRICE_LINE, 6000, 'touched your line 6,000'],
])('a line %j reached at %d is described in words', (one, spot, words) => {
  const [, extra] = line(state('10:00', spot), one, 5950)
  expect(extra.text).toBe(
    `SPX ${spot.toLocaleString('en-US', { minimumFractionDigits: 2 })} ${words} at 10:00 ET.`,
  )
})

test('a replay and a simulated session say so in the text and at the end', () => {
  const of = state('11:30', 6000.4)
  const bodyText = (isReplay: boolean, isSimulated: boolean) => {
    const origin = { isReplay, isSimulated }
    const event = { price: 6000, book: 'measured', direction: 'above' } as const
    const shared = lineBody(event, asOf(of, 3, origin))
    const body = render(shared, openLineExtras(asOf(of))(PRICE_LINE, event), vectors[6]!.body)
    const { text, replay, simulated } = AlertBody.parse(JSON.parse(body)) as Record<string, unknown>
    return [String(text).split(' SPX')[0], replay, simulated, body.slice(-36)]
  }
  expect(bodyText(true, false).slice(0, 3)).toEqual(['REPLAY:', true, undefined])
  expect(bodyText(false, true).slice(0, 3)).toEqual(['SIMULATED:', undefined, true])
  expect(bodyText(true, true)[0]).toBe('REPLAY: SIMULATED:')
  expect(bodyText(true, true)[3]).toContain('"replay":true,"simulated":true}')
})

test.each([
  ['2026-11-25T15:37:03.900Z', '2026-11-25T10:37:03-05:00', '2026-11-25'],
  ['2026-07-01T13:31:02.001Z', '2026-07-01T09:31:02-04:00', '2026-07-01'],
  ['2026-03-08T06:59:59Z', '2026-03-08T01:59:59-05:00', '2026-03-08'],
  ['2026-03-08T07:00:00Z', '2026-03-08T03:00:00-04:00', '2026-03-08'],
  ['2026-11-01T05:59:59Z', '2026-11-01T01:59:59-04:00', '2026-11-01'],
  ['2026-11-01T06:00:00Z', '2026-11-01T01:00:00-05:00', '2026-11-01'],
  ['2026-11-02T04:30:00Z', '2026-11-01T23:30:00-05:00', '2026-11-01'],
])('%s is written %s', (instant, ts, day) => {
  const body = alertsTestBody(Date.parse(instant))
  expect([body.ts, body.day]).toEqual([ts, day])
  expect(Math.floor(Date.parse(ts) / 1000)).toBe(Math.floor(Date.parse(instant) / 1000))
})

test('a position without a label says why, and distances that are not known are absent', () => {
  const error = '9 of 15 conditions are unknown at 10:30: too many for a label.'
  const none = {
    ...reading('10:30', [], 6),
    shorts: [{ leg: 'sp', points: null, expected_moves: null }],
  }
  const bodyText = (event: Parameters<typeof positionBody>[1]) =>
    PositionBody.parse(
      JSON.parse(
        render(positionBody(POSITION, event, none as ReportedReading), null, vectors[10]!.body),
      ),
    ) as Record<string, unknown>
  const read = bodyText({ type: 'opening_read', label: null, error })
  expect(read).toMatchObject({ label: null, error, shorts: [{ leg: 'sp' }] })
  expect(read.text).toBe(`Condor p_4fQ8sK2mZx0T for 10:30 has no label at 10:30 ET: ${error}`)
  const lost = bodyText({ type: 'label_changed', from: 'SKIP', label: null, error })
  expect(lost.text).toBe(
    `Condor p_4fQ8sK2mZx0T for 10:30 has no label at 10:30 ET, was SKIP: ${error}`,
  )
  const back = bodyText({ type: 'label_changed', from: null, label: 'TRADE' })
  expect(back).toMatchObject({ from: null, label: 'TRADE' })
  expect(back.text).toBe(
    'Condor p_4fQ8sK2mZx0T for 10:30 is TRADE, was without a label: ' +
      'no condition is on at 10:30 ET.',
  )
})
