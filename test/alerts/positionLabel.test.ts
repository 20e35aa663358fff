// Times at which the label of a position is sent.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  firstReadMinute,
  type LabelState,
  stepLabel,
} from '../../src/alerts/rules/positionLabel.ts'
import { minuteAt } from '../support/alertDays.ts'
import { runs } from '../support/runs.ts'

const LETTERS = { T: 'TRADE', C: 'CAUTION', S: 'SKIP', '.': null } as const

type Params = { entry?: string; before?: number; firstMinute?: string | null }

/** One letter a minute from 09:31 on; `.` has no label, and of `-` there is no state. */
function collectEvents(labels: string, over: Params = {}): string[] {
  const params = { entry: '09:31', before: 0, firstMinute: null, ...over }
  let state: LabelState | null = null
  const events: string[] = []
  for (const [index, letter] of [...labels].entries()) {
    if (letter === '-') continue
    const label = LETTERS[letter as keyof typeof LETTERS]
    const error = label === null ? 'too much is unknown.' : null
    const input = { minute: minuteAt(index), label, error }
    const step = stepLabel(state, input, params)
    state = JSON.parse(JSON.stringify(step.state))
    if (!step.event) continue
    const from = step.event.type === 'label_changed' ? `${step.event.from} ` : 'opening '
    events.push(`${minuteAt(index)} ${from}${step.event.label} ${step.event.error ?? ''}`.trim())
  }
  return events
}

const opening = '09:31 opening TRADE'

test.each<[string, string, string[]]>([
  ['a worse label at once', 'TCS', [opening, '09:32 TRADE CAUTION', '09:33 CAUTION SKIP']],
  ['a better one after 5 equal minutes', 'STTTTT', ['09:31 opening SKIP', '09:36 SKIP TRADE']],
  ['not one of 4 minutes', 'SCCCCS', ['09:31 opening SKIP']],
  ['5 equal minutes, not 5 better ones', 'SCCTTTTT', ['09:31 opening SKIP', '09:38 SKIP TRADE']],
  ['nothing of a better one that goes', 'STTTTSTTTT', ['09:31 opening SKIP']],
  ['none after 5 minutes without', 'T.....', [opening, '09:36 TRADE null too much is unknown.']],
  ['nothing after 4 minutes without', 'T....T....T', [opening]],
  [
    '5 minutes without a state as minutes without a label',
    'T----.',
    [opening, '09:36 TRADE null too much is unknown.'],
  ],
  [
    'a break of better minutes by one without a state',
    'STTTT-TTTTT',
    ['09:31 opening SKIP', '09:41 SKIP TRADE'],
  ],
  [
    'a bad label after none at once',
    'T.....C',
    [opening, '09:36 TRADE null too much is unknown.', '09:37 null CAUTION'],
  ],
  [
    'a good label after none when it stands',
    'T.....TTTTT',
    [opening, '09:36 TRADE null too much is unknown.', '09:41 null TRADE'],
  ],
])('told is %s', (_, labels, events) => expect(collectEvents(labels)).toEqual(events))

test.each<[string, string, Params, string[]]>([
  [
    'at the first label from then on',
    'SSST',
    { entry: '09:36', before: 3 },
    ['09:33 opening SKIP'],
  ],
  ['at the first label there is', '...T', { entry: '09:36', before: 5 }, ['09:34 opening TRADE']],
  [
    'without a label at the entry',
    '......T',
    { entry: '09:34', before: 2 },
    ['09:34 opening null too much is unknown.'],
  ],
  ['at the entry', '...T', { entry: '09:34', before: 2 }, ['09:34 opening TRADE']],
  [
    'after the entry where that has no state',
    '..--T',
    { entry: '09:34', before: 2 },
    ['09:35 opening TRADE'],
  ],
  [
    'to nobody who came after it',
    '--TTC',
    { entry: '09:32', before: 1, firstMinute: '09:33' },
    ['09:35 TRADE CAUTION'],
  ],
  [
    'to somebody who came before it',
    '--TT',
    { entry: '09:34', before: 3, firstMinute: '09:33' },
    ['09:33 opening TRADE'],
  ],
  [
    'to somebody who came at it',
    '--TT',
    { entry: '09:33', before: 3, firstMinute: '09:33' },
    ['09:33 opening TRADE'],
  ],
])('the opening read comes once, %s', (_, labels, params, events) => {
  expect(collectEvents(labels, params)).toEqual(events)
})

test('alerts never start before 09:31', () => {
  const first = (entry: string, before: number) =>
    firstReadMinute({ entry, before, firstMinute: null })
  expect([first('10:30', 30), first('10:30', 385), first('09:31', 0)]).toEqual([
    '10:00',
    '09:31',
    '09:31',
  ])
})

test(`${runs(1000)} random sessions: events follow from the minutes before them`, () => {
  const letters = fc.array(fc.constantFrom('T', 'C', 'S', '.', '-'), { maxLength: 60 })
  const property = fc.property(letters, list => {
    const labels = list.flatMap(letter => [letter, letter]).join('')
    const events = collectEvents(labels)
    // cut anywhere, the events are the same up to there
    expect(collectEvents(labels.slice(0, 40))).toEqual(events.filter(event => event < minuteAt(40)))
    for (const event of events.slice(1)) {
      const [minute, from, label] = event.split(' ')
      const end = [...labels].findIndex((_, index) => minuteAt(index) === minute) + 1
      const rank = (one: string) => ['TRADE', 'CAUTION', 'SKIP'].indexOf(one)
      const isWorse = label !== 'null' && rank(label!) > Math.max(rank(from!), 0)
      const pattern = label === 'null' ? /[.-]{4}\.$/ : isWorse ? /[TCS]$/ : /(.)\1{4}$/
      expect(labels.slice(0, end)).toMatch(pattern)
    }
  })
  fc.assert(property, { numRuns: runs(1000), seed: 45 })
})
