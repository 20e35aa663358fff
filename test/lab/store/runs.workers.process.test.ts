// The workers that compute runs, and their order, as the store has it in both engines.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { BOTH_ENGINES, type Engine } from '../../support/engines.ts'
import { doneEnd, keepIdea } from '../../support/labRuns.ts'

const NOON = Date.parse('2026-10-15T12:00:00-04:00')

describe.each(BOTH_ENGINES)('in %s', (_, isHere, start) => {
  const given = isHere ? describe : describe.skip

  given('the store of runs', () => {
    let engine: Engine

    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())

    test('a dead worker’s run is begun once more, then it lapses', async () => {
      const index = await engine.newPlace()
      const own = await openAccountStore(index)
      try {
        const { id: accountId } = await own.addAccount({
          name: 'desk',
          plan: 'lab',
          createdAtMs: 1,
        })
        const idea = await keepIdea(own, accountId, 'a')
        const areRelated = () => true
        const requested = {
          accountId,
          ideaId: idea,
          atMs: NOON,
          repeat: null,
          assume: '{}',
        } as const
        await own.lab.startRun({ ...requested, kind: 'backtest', areRelated })
        const claim = (worker: string, atMs: number) => own.lab.claimRun({ worker, atMs })
        const both = await Promise.all([claim('w1', NOON), claim('w2', NOON)])
        expect(both.filter(one => one !== null)).toHaveLength(1)
        const first = both.find(one => one !== null)!
        const { id, worker } = first as { id: string; worker: string }
        const progress = { done: 1, total: 4 }
        const stored = { id, progress, atMs: NOON + 29_000 }
        expect(await own.lab.extendLease({ ...stored, worker })).toBe(true)
        expect(await own.lab.extendLease({ ...stored, worker: 'w9' })).toBe(false)
        expect(await claim('w3', NOON + 58_999)).toBeNull()
        expect(await claim('w3', NOON + 59_000)).toMatchObject({ id, attempts: 2, worker: 'w3' })
        // the first one is late, and ends nothing
        const end = doneEnd()
        expect(await own.lab.endRun({ id, worker, atMs: NOON, end })).toMatchObject({
          state: 'running',
          worker: 'w3',
        })
        expect(await own.lab.lapsedRuns(NOON + 88_999)).toEqual([])
        expect(await claim('w4', NOON + 89_000)).toBeNull()
        expect(await own.lab.lapsedRuns(NOON + 89_000)).toMatchObject([{ id }])
      } finally {
        await own.close()
      }
    })

    test('accounts alternate, and of one only eight may wait', async () => {
      const index = await engine.newPlace()
      const own = await openAccountStore(index)
      try {
        const rule = { spec: '{}', say: 'x', ruleHash: 'd' }
        const areRelated = () => true
        const struct = {
          kind: 'struct',
          rule,
          repeat: null,
          assume: '{}',
          areRelated,
        } as const
        const account = async () =>
          (await own.addAccount({ name: 'desk', plan: 'lab', createdAtMs: 1 })).id
        const [busy, other] = [await account(), await account()]
        const query = async (accountId: string, atMs: number) =>
          (await own.lab.startRun({ ...struct, accountId, atMs })).kind
        for (let index = 0; index < 8; index++)
          expect(await query(busy, NOON + index)).toBe('started')
        expect(await query(busy, NOON + 9)).toBe('full')
        expect(await query(other, NOON + 10)).toBe('started')
        const claimed = async () =>
          (await own.lab.claimRun({ worker: 'w', atMs: NOON + 20 }))!.accountId
        expect([await claimed(), await claimed(), await claimed()]).toEqual([busy, other, busy])
        for (const accountId of [await account(), await account(), await account()]) {
          for (let index = 0; index < 8; index++) await query(accountId, NOON + 30)
        }
        // 6 of the first and 24 of these wait
        expect([await query(other, NOON + 40), await query(other, NOON + 41)]).toEqual([
          'started',
          'started',
        ])
        expect(await query(other, NOON + 42)).toBe('full')
      } finally {
        await own.close()
      }
    })
  })
})
