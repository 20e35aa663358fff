// One contract for both engines: a minute is written once and whole.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FoundMinute, MinuteRequest } from '../../../src/outbox/store/types.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import { DAY, eventId, findMinute, found, NOW, newReceiver, single } from '../../support/outbox.ts'

describe.each(ENGINES)('watched minutes in %s', (_, isHere, start) => {
  let engine: Engine
  let location: string
  let store: ServerStore
  const given = isHere ? describe : describe.skip

  given('keep their contract', () => {
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      location = await engine.newPlace()
      store = await openAccountStore(location)
    })
    afterEach(() => store.close())

    const minuteAt = (index: number) =>
      `${10 + Math.floor(index / 60)}:${String(index % 60).padStart(2, '0')}`
    const events = async (accountId: string, more: object = {}) =>
      await store.outbox.listEvents({
        accountId,
        afterSeq: 0,
        limit: 1_000,
        hasPutSupport: false,
        ...more,
      })
    const deliveries = (accountId: string) =>
      store.outbox.listDeliveries({ accountId, limit: 1_000 })

    test('a minute follows the one before it, and the rules find what they stored', async () => {
      const id = await newReceiver(store)
      const storedStates: (string | null)[] = []
      const take = (minute: string, before: string | null, states: string) =>
        store.outbox.takeMinute({
          ...findMinute([], { minute, before }),
          decide: given => {
            storedStates.push(given.states)
            return { states, findings: [], events: [], lineChanges: [] }
          },
        })
      expect(await take('09:32', '09:31', 'x')).toBe('done')
      expect(await store.outbox.findRun('live', DAY)).toBeNull()
      expect(await take('09:31', null, 'a')).toBe('taken')
      expect(await take('09:31', null, 'x')).toBe('done')
      expect(await take('09:33', '09:32', 'x')).toBe('done')
      expect(await take('09:32', '09:31', 'b')).toBe('taken')
      expect(await take('09:33', '09:31', 'x')).toBe('done')
      expect(storedStates).toEqual([null, 'a'])
      expect(await store.outbox.findRun('live', DAY)).toEqual({ minute: '09:32', states: 'b' })
      expect(await events(id)).toEqual([])
    })

    test('runs and days go on by themselves', async () => {
      const id = await newReceiver(store)
      const replay = { run: 'replay_000000000001' }
      const days: Partial<MinuteRequest>[] = [{}, replay, { day: '2026-11-24' }]
      for (const [index, more] of days.entries()) {
        expect(await store.outbox.takeMinute(findMinute([found(index, id)], more))).toBe('taken')
      }
      expect((await events(id)).map(one => one.id)).toEqual([eventId(0), eventId(2)])
      expect((await events(id, replay)).map(one => one.id)).toEqual([eventId(1)])
      expect((await events(id, { day: '2026-11-24' })).map(one => one.id)).toEqual([eventId(2)])
      const { watched } = await store.outbox.outboxState({ nowMs: NOW })
      expect(watched).toEqual([
        { run: 'live', day: DAY, minute: '09:31' },
        { ...replay, day: DAY, minute: '09:31' },
      ])
    })

    test('two watchers at once queue each event once, over 200 minutes', async () => {
      const id = await newReceiver(store)
      const other = await openAccountStore(location)
      const taken: string[] = []
      const decided: string[] = []
      const watch = async ({ outbox }: ServerStore, name: string) => {
        for (let index = 0; index < 200; index++) {
          const minute = minuteAt(index)
          const result = await outbox.takeMinute({
            ...findMinute([], { minute, before: index === 0 ? null : minuteAt(index - 1) }),
            decide: async () => {
              decided.push(minute)
              // the other one comes in between, here sooner and there later
              for (let pause = (index * 7) % 5; pause > 0; pause--) {
                await new Promise(resolve => setImmediate(resolve))
              }
              const one = found(index, id)
              const body = `{"of":"${minute}"}`
              return { states: minute, findings: [{ body }], events: [one], lineChanges: [] }
            },
          })
          if (result === 'taken') taken.push(`${minute} ${name}`)
        }
      }
      await Promise.all([watch(store, 'one'), watch(other, 'other')])
      await other.close()
      const all = Array.from({ length: 200 }, (_, index) => minuteAt(index))
      expect(taken.map(one => one.slice(0, 5)).sort()).toEqual(all)
      expect(decided.sort()).toEqual(all)
      const listed = await events(id)
      expect(listed.map(one => one.id)).toEqual(all.map((_, index) => eventId(index)))
      expect(listed.map(one => JSON.parse(one.body).of)).toEqual(all)
      expect(await deliveries(id)).toHaveLength(200)
    })

    test('a minute whose rules fail leaves nothing behind, and can be taken again', async () => {
      const id = await newReceiver(store)
      const failing = findMinute([], {
        decide: async () => {
          throw new Error('no such level')
        },
      })
      await expect(store.outbox.takeMinute(failing)).rejects.toThrow('no such level')
      expect(await store.outbox.findRun('live', DAY)).toBeNull()
      // what fails in the writing takes back what was written
      const nobody = findMinute([found(1, id), found(2, 'acc_nobody')])
      await expect(store.outbox.takeMinute(nobody)).rejects.toThrow()
      expect(await store.outbox.findRun('live', DAY)).toBeNull()
      expect(await events(id)).toEqual([])
      expect(await store.outbox.takeMinute(findMinute([found(1, id)]))).toBe('taken')
      expect(await events(id)).toHaveLength(1)
      expect(await deliveries(id)).toHaveLength(1)
    })

    test('an event that is there already is neither changed nor sent again', async () => {
      const id = await newReceiver(store)
      const first: FoundMinute = {
        states: '',
        lineChanges: [],
        findings: [{ body: '{"text":"first"}' }],
        events: [found(1, id), found(1, id)],
      }
      const later: FoundMinute = {
        ...first,
        findings: [{ body: '{"text":"later"}' }],
        events: [found(1, id), found(2, id)],
      }
      await store.outbox.takeMinute({ ...findMinute([]), decide: () => first })
      const second = {
        ...findMinute([], { minute: '09:32', before: '09:31' }),
        decide: () => later,
      }
      await store.outbox.takeMinute(second)
      expect((await events(id)).map(one => JSON.parse(one.body))).toEqual([
        { id: eventId(1), text: 'first' },
        { id: eventId(2), text: 'later' },
      ])
      expect(await deliveries(id)).toHaveLength(2)
      expect(await store.outbox.queueEvent(single(2, id))).toBe(false)
      expect(await store.outbox.queueEvent(single(3, 'acc_nobody'))).toBe(false)
      expect(await store.outbox.queueEvent(single(3, id))).toBe(true)
    })

    test('an event goes to 1,203 accounts, each once, each with its own part', async () => {
      const ids: string[] = []
      for (let index = 0; index < 1_203; index++) ids.push(await newReceiver(store, `${index}`))
      const all = ids.map((id, index) => found(index, id, { extra: `{"alert":{"n":${index}}}` }))
      await store.outbox.takeMinute(findMinute(all))
      for (const index of [0, 1, 500, 1_202]) {
        const [one, ...others] = await events(ids[index]!)
        expect(JSON.parse(one!.body)).toMatchObject({ version: 1, alert: { n: index } })
        expect(others).toEqual([])
      }
      const { waiting } = await store.outbox.outboxState({ nowMs: NOW })
      expect(waiting).toBe(1_203)
    })

    test('a line keeps its state in its run, and is armed where it has none', async () => {
      const id = await newReceiver(store)
      const line = { lineId: 'l_1', accountId: id, isArmed: false, firedAtMs: NOW }
      const change = (run: string, before: string | null, ...lineChanges: (typeof line)[]) =>
        store.outbox.takeMinute({
          ...findMinute([], { run, before, minute: before ? '09:32' : '09:31' }),
          decide: () => ({ states: '', findings: [], events: [], lineChanges }),
        })
      await change('live', null, { ...line, isArmed: true }, line, { ...line, lineId: 'l_2' })
      await change('replay_1', null, { ...line, firedAtMs: 7 })
      const states = (run: string) => store.outbox.listLineStates(run)
      expect(await states('live')).toEqual([line, { ...line, lineId: 'l_2' }])
      expect(await states('replay_1')).toEqual([{ ...line, firedAtMs: 7 }])
      await change('live', '09:31', { ...line, isArmed: true })
      expect((await states('live'))[0]).toEqual({ ...line, isArmed: true })
      expect(await states('replay_1')).toEqual([{ ...line, firedAtMs: 7 }])
    })

    test('who reads events while others add some finds each once', async () => {
      const id = await newReceiver(store)
      const other = await openAccountStore(location)
      const add = async ({ outbox }: ServerStore, first: number) => {
        for (let index = 0; index < 60; index++) {
          await outbox.queueEvent(single(first + index, id))
        }
      }
      const seen: string[] = []
      let isOver = false
      const read = async () => {
        let afterSeq = 0
        for (let isLast = false; !isLast; ) {
          isLast = isOver
          const page = await events(id, { afterSeq, limit: 3 })
          seen.push(...page.map(one => one.id))
          if (page.length > 0) isLast = false
          afterSeq = page.at(-1)?.seq ?? afterSeq
          await new Promise(resolve => setImmediate(resolve))
        }
      }
      const reading = read()
      await Promise.all([add(store, 0), add(other, 1_000), add(store, 2_000)])
      isOver = true
      await reading
      await other.close()
      expect(seen).toHaveLength(180)
      expect(new Set(seen).size).toBe(180)
    })
  })
})
