import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { systemTimers } from '../../../src/outbox/sending/timers.ts'
import { BOTH_ENGINES } from '../../support/engines.ts'
import { openTestOutbox } from '../../support/sending.ts'

const ACCOUNTS = 10
const EVENTS = 20

describe.each(BOTH_ENGINES)('in %s', (_name, isHere, start) => {
  test.skipIf(!isHere)('three senders over two connections send 200 events', async () => {
    const engine = await start()
    const location = await engine.newPlace()
    const [one, other] = [await openTestOutbox(location), await openTestOutbox(location)]
    try {
      const ids: string[] = []
      const accounts: string[] = []
      for (let account = 0; account < ACCOUNTS; account++) {
        const id = await one.newAccount()
        accounts.push(id)
        for (let event = 0; event < EVENTS; event++) ids.push(await one.queue(id))
      }
      // a fifth fails once, with a retry after its gap
      const failsOnce = new Set(ids.filter((_, at) => at % 5 === 0))
      const senders = [one, one, other].map(({ sender, store }, at) =>
        sender(({ eventId }) => ({ result: failsOnce.delete(eventId) ? 'retry' : 'sent' }), {
          outbox: store.outbox,
          holder: `process ${at}`,
          nowMs: systemClock.nowMs,
          timers: systemTimers,
        }),
      )
      for (const { start: begin } of senders) begin()
      for (let left = ids.length; left > 0; ) {
        await sleep(20)
        const { waiting, trying } = await one.store.outbox.outboxState({ nowMs: 0 })
        left = waiting + trying
      }
      await Promise.all(senders.map(({ stop }) => stop()))
      const sent = [...one.sent, ...other.sent].map(({ begun }) => begun.eventId)
      expect([...new Set(sent)].toSorted()).toEqual(ids.toSorted())
      const logs = await Promise.all(accounts.map(one.deliveriesOf))
      const attempts = logs.flat().flatMap(delivery => delivery.attempts)
      expect(logs.flat().every(({ state }) => state === 'sent')).toBe(true)
      expect(attempts).toHaveLength(sent.length)
      expect(attempts.filter(({ result }) => result === 'retry')).toHaveLength(ids.length / 5)
    } finally {
      await Promise.all([one.close(), other.close()])
      await engine.stop()
    }
  })
})
