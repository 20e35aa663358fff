import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { eventId, listSubject } from '../../src/alerts/bodies/eventId.ts'

const SOURCE = {
  run: 'live',
  accountId: 'acc_1',
  source: 'list',
  type: 'flip_cross',
  day: '2026-11-25',
  minute: '10:37',
  subject: listSubject('measured', 'flip'),
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

test('an id is evt_ and 32 digits of what makes the event', () => {
  const text = 'live|acc_1|list|flip_cross|2026-11-25|10:37|measured flip'
  expect(eventId(SOURCE)).toBe(`evt_${digest(text)}`)
})

test('an order has the same id at every minute of a session', () => {
  const order = { ...SOURCE, source: 'r_1', type: 'order', minute: null, subject: '20261125-1' }
  expect(eventId(order)).toBe(`evt_${digest('live|acc_1|r_1|order|2026-11-25||20261125-1')}`)
})

test('whatever differs, the id does', () => {
  const others = [
    {},
    { run: 'replay_1' },
    { accountId: 'acc_2' },
    { source: 'l_1' },
    { type: 'flip_move' },
    { day: '2026-11-24' },
    { minute: '10:38' },
    { subject: listSubject('volume', 'flip') },
    { subject: listSubject('measured', 'put_wall') },
  ]
  const ids = others.map(other => eventId({ ...SOURCE, ...other }))
  expect(new Set(ids).size).toBe(others.length)
})
