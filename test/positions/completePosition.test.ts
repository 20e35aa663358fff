import { expect, test } from 'vitest'
import { CONDITIONS } from '../../src/positions/catalogue.ts'
import { LEG_NAMES, LEGS_OF_KIND, POSITION_KINDS } from '../../src/positions/kinds.ts'
import { parseChange } from '../../src/positions/parseChange.ts'
import { complete, findRefusal } from '../support/position.ts'

const CONDOR = {
  kind: 'condor',
  legs: { lp: 5930, sp: 5950, sc: 6050, lc: 6070 },
  entry: '10:30',
}

const withLegs = (kind: string, legs: object) => ({ ...CONDOR, kind, legs })
const legs = CONDOR.legs
const five = { sp: 5950, sc: 6050 }

test.each(POSITION_KINDS)('a %s takes its own legs, and all of them', kind => {
  const own = Object.fromEntries(LEGS_OF_KIND[kind].map((name, index) => [name, 5900 + 5 * index]))
  expect(complete(withLegs(kind, own)).legs).toEqual(own)
  for (const name of LEG_NAMES) {
    const isOwn = LEGS_OF_KIND[kind].includes(name)
    const spoiled = isOwn ? { ...own, [name]: undefined } : { ...own, [name]: 6000 }
    const seen = isOwn ? 'is missing' : 'is not one of its legs'
    const taken = `a ${kind} has the legs ${LEGS_OF_KIND[kind].join(', ')}`
    expect(findRefusal(withLegs(kind, spoiled))).toContain(
      `invalid: position.legs.${name} ${seen}: ${taken}`,
    )
  }
})

const OF_CONDOR = 'a condor has the legs lp, sp, sc, lc'
const ORDER =
  'strikes rise in the order lp, sp, sc, lc, such as lp 5930, sp 5950, sc 5970, lc 5990.'

test.each<[object, string]>([
  [{ ...CONDOR, kind: undefined }, 'position.kind is missing; give one of condor, strangle, put_'],
  [{ ...CONDOR, kind: 'Condor' }, 'position.kind is "Condor"; give one of condor, strangle, put_'],
  [{ ...CONDOR, kind: null }, 'position.kind is null; give one of condor, strangle'],
  [{ ...CONDOR, legs: undefined }, `position.legs.lp is missing: ${OF_CONDOR}; give a strike such`],
  [{ ...CONDOR, legs: [5950] }, 'position.legs is a list; give an object of strikes such as {"lp"'],
  [withLegs('condor', { ...legs, sp: null }), `position.legs.sp is missing: ${OF_CONDOR}; give`],
  [
    withLegs('condor', { ...legs, sp: '5950' }),
    'position.legs.sp is "5950"; give a strike such as',
  ],
  [
    withLegs('condor', { ...legs, ls: 5 }),
    'position.legs.ls is unknown; the fields are lp, sp, sc,',
  ],
  [withLegs('condor', { ...legs, sp: 5930 }), `position.legs.sp is 5930 and lp is 5930; ${ORDER}`],
  [withLegs('condor', { ...legs, lc: 6045 }), `position.legs.lc is 6045 and sc is 6050; ${ORDER}`],
  [
    withLegs('strangle', { ...five, sp: 5951 }),
    'position.legs.sp is 5951; give a multiple of 5 fr',
  ],
  [
    withLegs('strangle', { ...five, sp: 5950.5 }),
    'position.legs.sp is 5950.5; give a multiple of 5',
  ],
  [withLegs('strangle', { ...five, sp: 0 }), 'position.legs.sp is 0; give a multiple of 5 from 5 '],
  [
    withLegs('strangle', { ...five, sp: -5 }),
    'position.legs.sp is -5; give a multiple of 5 from 5',
  ],
  [
    withLegs('strangle', { ...five, sc: 100_005 }),
    'position.legs.sc is 100005; give a multiple of',
  ],
  [
    withLegs('strangle', { ...five, lc: 6070 }),
    'position.legs.lc is not one of its legs: a strangle has',
  ],
  [{ ...CONDOR, entry: undefined }, 'position.entry is missing; give an ET minute from "09:31" to'],
  [{ ...CONDOR, entry: 1030 }, 'position.entry is 1030; give an ET minute such as "10:30".'],
  [
    { ...CONDOR, entry: '9:45' },
    'position.entry is "9:45"; give an ET minute from "09:31" to "15:',
  ],
  [{ ...CONDOR, entry: '09:30' }, 'position.entry is "09:30"; give an ET minute from "09:31" to'],
  [{ ...CONDOR, entry: '16:00' }, 'position.entry is "16:00"; give an ET minute from "09:31" to'],
  [{ ...CONDOR, entry: '10:60' }, 'position.entry is "10:60"; give an ET minute from "09:31" to'],
  [
    { ...CONDOR, entry: '13:00', session: '2026-11-27' },
    'position.entry is "13:00"; 2026-11-27 is a half day; give an ET minute from "09:31" to "12:5',
  ],
  [
    { ...CONDOR, session: '14.10.2026' },
    'position.session is "14.10.2026"; give a trading day such',
  ],
  [
    { ...CONDOR, session: '2026-02-30' },
    'position.session is "2026-02-30"; give a trading day such',
  ],
  [
    { ...CONDOR, session: '2026-10-17' },
    'position.session is "2026-10-17", which is not a trading day; give one such as "2026-10-19".',
  ],
  [
    { ...CONDOR, session: '9999-12-31' },
    'position.session is "9999-12-31"; give a trading day fro',
  ],
  [
    { ...CONDOR, session: 20261014 },
    'position.session is 20261014; give a trading day such as "20',
  ],
  [
    { ...CONDOR, sesion: '2026-10-14' },
    'position.sesion is unknown; the fields are id, kind, legs,',
  ],
  [{ ...CONDOR, id: 'p_1x' }, 'taken'],
])('%j: %s', (position, sentence) => {
  const expected = sentence === 'taken' ? sentence : `invalid: ${sentence}`
  expect(findRefusal(position).slice(0, expected.length)).toBe(expected)
})

const judgedBy = (...conditions: unknown[]) => ({ ...CONDOR, conditions })
const callSpread = { kind: 'call_spread', legs: { sc: 6050, lc: 6070 }, entry: '10:30' }
const off = (count: number) => CONDITIONS.slice(0, count).map(({ id }) => ({ id, on: false }))
const first = 'position.conditions[0]'

test.each<[object, string]>([
  [
    judgedBy({ id: 'gapp' }),
    `${first}.id is "gapp", which is not a condition; the conditions are sho`,
  ],
  [
    judgedBy({ id: 'gap' }, { id: 'gap' }),
    'position.conditions[1].id is "gap" again; give each co',
  ],
  [
    judgedBy({ id: 'gap', threshold: 5.1 }),
    `${first}.threshold is 5.1; for gap give 0 to 5 pct, su`,
  ],
  [
    judgedBy({ id: 'time_left', threshold: 4 }),
    `${first}.threshold is 4; for time_left give 5 to 3`,
  ],
  [
    judgedBy({ id: 'gap', threshold: '1' }),
    `${first}.threshold is "1"; give a number, such as 0.6.`,
  ],
  [judgedBy({ id: 'gap', on: 1 }), `${first}.on is 1; give true or false.`],
  [
    judgedBy({ id: 'gap', off: true }),
    `${first}.off is unknown; the fields are id, on, threshold.`,
  ],
  [judgedBy({ on: true }), `${first}.id is missing; give one of the catalogue, such as "gap".`],
  [
    judgedBy('gap'),
    `${first} is "gap"; give an object such as {"id": "gap", "on": true, "threshol`,
  ],
  [
    { ...CONDOR, conditions: {} },
    'position.conditions is an object; give a list of at most 15, each condition once, such as [{',
  ],
  [
    { ...CONDOR, conditions: Array.from({ length: 16 }, () => ({ id: 'gap' })) },
    'position.conditions is a list; give a list of at most 15, each',
  ],
  [
    { ...callSpread, conditions: [{ id: 'skew' }] },
    `${first}.id is "skew", which does not apply to a`,
  ],
  [judgedBy(...off(15)), 'position.conditions has none on; leave at least one on, such as'],
  [
    judgedBy(...off(11)),
    'position.label has caution 3 and skip 5; give 1 <= caution <= skip <= 4, the conditions ' +
      'that are on, such as {"caution": 3, "skip": 4}.',
  ],
  [
    { ...CONDOR, label: { caution: 6 } },
    'position.label has caution 6 and skip 5; give 1 <= cauti',
  ],
  [
    { ...CONDOR, label: { caution: 0 } },
    'position.label has caution 0 and skip 5; give 1 <= cauti',
  ],
  [
    { ...CONDOR, label: { skip: 16 } },
    'position.label has caution 3 and skip 16; give 1 <= cautio',
  ],
  [
    { ...CONDOR, label: { skip: 4.5 } },
    'position.label.skip is 4.5; give a whole number such as 5.',
  ],
  [
    { ...CONDOR, label: 3 },
    'position.label is 3; give an object such as {"caution": 3, "skip": 5}.',
  ],
  [
    { ...CONDOR, alert: { channel: 'sms' } },
    'position.alert.channel is "sms"; give one of telegra',
  ],
  [
    { ...CONDOR, alert: { before: 386 } },
    'position.alert.before is 386; give whole minutes from 0',
  ],
  [
    { ...CONDOR, alert: { before: -1 } },
    'position.alert.before is -1; give whole minutes from 0 t',
  ],
  [
    { ...CONDOR, alert: { before: 1.5 } },
    'position.alert.before is 1.5; give whole minutes from 0',
  ],
  [
    { ...CONDOR, alert: { channel: 'webhook' } },
    'position.alert.url is missing; the channel webho',
  ],
  [
    { ...CONDOR, alert: { url: 'http://example.com' } },
    'position.alert.url is "http://example.com',
  ],
  [
    { ...CONDOR, alert: { url: `https://a.de/${'x'.repeat(2048)}` } },
    'position.alert.url is "http',
  ],
])('%j: %s', (position, sentence) => {
  const expected = `invalid: ${sentence}`
  expect(findRefusal(position).slice(0, expected.length)).toBe(expected)
})

test.each([
  ['09:31', null],
  ['15:59', null],
  ['12:59', '2026-11-27'],
  ['15:59', '2026-03-09'],
])('an entry at %s in the session %s is taken', (entry, session) => {
  expect(complete({ ...CONDOR, entry, session })).toMatchObject({ entry, session })
})

test('limits themselves are taken, and numbers that JSON cannot hold are not', () => {
  for (const { id, min, max } of CONDITIONS) {
    for (const threshold of [min, max]) {
      expect(complete(judgedBy({ id, threshold })).conditions).toContainEqual({
        id,
        on: true,
        threshold,
      })
    }
  }
  const labels = [
    { caution: 1, skip: 1 },
    { caution: 15, skip: 15 },
  ]
  for (const label of labels) expect(complete({ ...CONDOR, label }).label).toEqual(label)
  for (const before of [0, 385]) {
    expect(complete({ ...CONDOR, alert: { before } }).alert.before).toBe(before)
  }
  const huge = '{"op": "add", "position": {"kind": "strangle", "legs": {"sp": 1e999}}}'
  expect(() => parseChange(huge)).toThrow(
    'position.legs.sp is Infinity; give a strike such as 5950.',
  )
})

test('a message never repeats what is inside lists and objects, nor long texts', () => {
  const secret = 'x'.repeat(500)
  for (const value of [secret, [secret], { secret }, [[[secret]]]]) {
    const message = findRefusal({ ...CONDOR, kind: value, [secret]: 1 })
    expect(message.length).toBeLessThan(250)
  }
})

test('the stored address is the one that was judged', () => {
  const { alert } = complete({
    ...CONDOR,
    alert: { channel: 'webhook', url: ' HTTPS://Example.COM/\thook#top' },
  })
  expect(alert.url).toBe('https://example.com/hook#top')
})
