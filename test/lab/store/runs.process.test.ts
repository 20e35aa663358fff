// Stored runs, conveyor and credits, in both engines.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunEnd, RunStart } from '../../../src/lab/store/runTypes.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import { doneEnd, FAILED, keepIdea } from '../../support/labRuns.ts'

const NOON = Date.parse('2026-10-15T12:00:00-04:00')
const LAST_OF_MONTH = Date.parse('2026-10-31T23:59:00-04:00')
const NEXT_MONTH = Date.parse('2026-11-01T00:01:00-04:00')

describe.each(ENGINES)('in %s', (_, isHere, start) => {
  const given = isHere ? describe : describe.skip

  given('the store of runs', () => {
    let engine: Engine
    let store: ServerStore

    beforeAll(async () => {
      engine = await start()
      store = await openAccountStore(await engine.newPlace())
    })
    afterAll(async () => {
      await store.close()
      await engine.stop()
    })
    const newAccount = async () =>
      (await store.addAccount({ name: 'desk', plan: 'lab', createdAtMs: 1 })).id
    const run = (
      accountId: string,
      ideaId: string,
      kind: 'backtest' | 'quant' = 'backtest',
      more: Partial<RunStart> = {},
    ) => {
      const requested = { accountId, ideaId, kind, atMs: NOON, repeat: null, assume: '{}' }
      return store.lab.startRun({
        ...requested,
        areRelated: (a, b) => a === b,
        ...more,
      } as RunStart)
    }
    const started = async (response: ReturnType<typeof run>) => {
      type Started = Extract<Awaited<typeof response>, { run: unknown }>
      const { kind, run: it } = (await response) as Started
      expect(kind).toBe('started')
      return it
    }
    const end = (id: string, how: RunEnd = doneEnd(), atMs = NOON) =>
      store.lab.endRun({ id, worker: null, atMs, end: how })
    const balance = async (accountId: string, atMs = NOON) => {
      const { monthly, purchased } = await store.lab.balance({ accountId, atMs, monthly: 30 })
      return [monthly, purchased]
    }
    const findStage = async (accountId: string, id: string) =>
      (await store.lab.findIdea(accountId, id))!.stage
    const act = (accountId: string, ideaId: string, action: 'desk' | 'drop' | 'delete') =>
      store.lab.changeIdea({ accountId, ideaId, action, atMs: NOON })
    const audited = async () => {
      const { unbalanced, overdrawn } = await store.lab.auditCredits()
      expect([unbalanced, overdrawn]).toEqual([[], []])
    }

    test('an idea goes from rule to tested to ready to desk, a credit a run', async () => {
      const accountId = await newAccount()
      const idea = await keepIdea(store, accountId, 'a')
      const backtest = await started(run(accountId, idea))
      expect(backtest).toMatchObject({
        state: 'queued',
        ideaId: idea,
        kind: 'backtest',
        attempts: 0,
      })
      expect(await balance(accountId)).toEqual([29, 0])
      expect(await findStage(accountId, idea)).toBe('rule')
      expect(await store.lab.conveyor(accountId)).toMatchObject({
        holder: idea,
        run: { id: backtest.id },
      })
      expect(await end(backtest.id)).toMatchObject({ state: 'done', isRefunded: false })
      expect(await findStage(accountId, idea)).toBe('tested')
      expect(await run(accountId, idea)).toEqual({ kind: 'out_of_order', stage: 'tested' })
      const quant = await started(run(accountId, idea, 'quant'))
      expect(quant).toMatchObject({ holdoutFrom: '2026-06-01', firstTestedTo: '2026-09-30' })
      await end(quant.id)
      expect(await findStage(accountId, idea)).toBe('ready')
      expect(await act(accountId, idea, 'desk')).toMatchObject({ idea: { stage: 'desk' } })
      expect(await store.lab.conveyor(accountId)).toEqual({ holder: null, run: null })
      expect(await balance(accountId)).toEqual([28, 0])
      const { result } = doneEnd() as { result: string }
      expect(await store.lab.readResult(accountId, quant.id)).toBe(result)
      await audited()
    })

    test('a seal of simulated sessions is replaced by real ones, and then stays', async () => {
      const accountId = await newAccount()
      const idea = await keepIdea(store, accountId, 'a')
      const test = async (kind: 'simulated' | 'real', holdoutFrom: string | null, to: string) => {
        const { id } = await started(run(accountId, idea))
        const done = { holdoutFrom, testedTo: to, testedKind: kind }
        await end(id, doneEnd(done))
        await act(accountId, idea, 'drop')
      }
      const sealed = async () => {
        const { id, holdoutFrom, firstTestedTo, sealedKind } = await started(run(accountId, idea))
        await end(id, FAILED)
        return [holdoutFrom, firstTestedTo, sealedKind]
      }
      expect(await sealed()).toEqual([null, null, null])
      await test('simulated', null, '2026-01-05')
      await test('simulated', '2026-06-01', '2026-09-30')
      expect(await sealed()).toEqual(['2026-06-01', '2026-01-05', 'simulated'])
      await test('real', null, '2024-01-31')
      expect(await sealed()).toEqual([null, '2024-01-31', 'real'])
      // what a later test on simulated ones has is none of the real
      await test('simulated', '2026-06-01', '2026-10-30')
      expect(await sealed()).toEqual([null, '2024-01-31', 'real'])
      await test('real', '2024-02-01', '2024-06-28')
      await test('real', '2024-09-01', '2024-12-31')
      expect(await sealed()).toEqual(['2024-02-01', '2024-01-31', 'real'])
    })

    test('one seal an account; an opened one is followed by that of later sessions', async () => {
      const accountId = await newAccount()
      const [first, second] = [
        await keepIdea(store, accountId, 'a'),
        await keepIdea(store, accountId, 'b'),
      ]
      const sealed = { to: '2026-09-30', whole: '{"legs":[1]}', tradesKey: 'ab' }
      const runs = []
      for (const kind of ['backtest', 'quant'] as const) {
        const { id } = await started(run(accountId, first, kind))
        await end(id, doneEnd({ sealed, testedKind: 'real' }))
        runs.push(id)
      }
      const [id] = runs as [string]
      const read = () =>
        Promise.all([store.lab.readResult(accountId, id), store.lab.findTradesKey(accountId, id)])
      const open = () =>
        store.lab.changeIdea({
          accountId,
          ideaId: first,
          atMs: NOON,
          action: { open: '2026-10-14' },
        })
      const begin = async (ideaId: string) => {
        const { holdoutFrom, firstTestedTo, id: begun } = await started(run(accountId, ideaId))
        await end(begun, FAILED)
        return [holdoutFrom, firstTestedTo]
      }
      expect(await open()).toEqual({ kind: 'out_of_order', stage: 'ready' })
      await act(accountId, first, 'desk')
      expect(await begin(second)).toEqual(['2026-06-01', '2026-09-30'])
      expect(await read()).toEqual(['{"legs":[]}', null])
      const running = await started(run(accountId, second))
      expect(await open()).toEqual({ kind: 'held', holder: second, job: running.id })
      expect(await open()).toMatchObject({ kind: 'held' })
      await end(running.id, doneEnd({ testedKind: 'real' }))
      await act(accountId, second, 'drop')
      expect(await open()).toMatchObject({ kind: 'changed', idea: { stage: 'desk' } })
      expect(await read()).toEqual([sealed.whole, sealed.tradesKey])
      expect(await begin(second)).toEqual([null, '2026-10-14'])
      // opened again, the next seal does not move
      await open()
      const late = await started(run(accountId, second))
      await end(late.id, doneEnd({ testedKind: 'real', holdoutFrom: '2026-10-15' }))
      await act(accountId, second, 'drop')
      await open()
      expect(await begin(second)).toEqual(['2026-10-15', '2026-10-14'])
      // off the desk it is sealed again
      await act(accountId, first, 'drop')
      expect(await read()).toEqual(['{"legs":[]}', null])
      // nor is it another account's
      expect(await store.lab.readResult(await newAccount(), id)).toBeNull()
    })

    test('of two runs at once one begins, one is held, and one credit is spent', async () => {
      const accountId = await newAccount()
      await balance(accountId)
      const ideas = await Promise.all(['a', 'b'].map(name => keepIdea(store, accountId, name)))
      const responses = await Promise.all(ideas.map(idea => run(accountId, idea)))
      expect(responses.map(({ kind }) => kind).toSorted()).toEqual(['held', 'started'])
      const [holder, other] = responses[0]!.kind === 'started' ? ideas : ideas.toReversed()
      const held = responses.find(({ kind }) => kind === 'held')
      expect(held).toMatchObject({ holder, job: expect.stringMatching(/^j_\w{12}$/) })
      expect(await balance(accountId)).toEqual([29, 0])
      // the same idea twice, and what else would move it, wait for the job too
      for (const kind of ['backtest', 'quant'] as const) {
        expect(await run(accountId, holder!, kind)).toEqual(held)
      }
      for (const action of ['desk', 'drop', 'delete'] as const) {
        expect(await act(accountId, holder!, action)).toEqual(held)
      }
      expect(await act(accountId, other!, 'delete')).toEqual({ kind: 'changed', idea: null })
      await audited()
    })

    test('what failed is refunded once: a backtest frees the conveyor, a quant stays', async () => {
      const accountId = await newAccount()
      const idea = await keepIdea(store, accountId, 'a')
      const first = await started(run(accountId, idea))
      const ends = await Promise.all([1, 2, 3].map(() => end(first.id, FAILED)))
      expect(ends).toEqual(Array(3).fill(ends[0]))
      expect(ends[0]).toMatchObject({ state: 'failed', isRefunded: true, error: 'it broke.' })
      expect(await store.lab.conveyor(accountId)).toEqual({ holder: null, run: null })
      expect(await balance(accountId)).toEqual([30, 0])
      // too late: it stays as it ended
      expect(await end(first.id)).toMatchObject({ state: 'failed' })
      await end((await started(run(accountId, idea))).id)
      await end((await started(run(accountId, idea, 'quant'))).id, FAILED)
      expect(await findStage(accountId, idea)).toBe('tested')
      expect(await store.lab.conveyor(accountId)).toEqual({ holder: idea, run: null })
      expect(await balance(accountId)).toEqual([29, 0])
      await audited()
    })

    test('credits of the month are spent first; a refund goes where it came from', async () => {
      const accountId = await newAccount()
      const bought = { accountId, credits: 2, ref: 'inv-1', atMs: LAST_OF_MONTH }
      await store.lab.addCredits(bought)
      const idea = await keepIdea(store, accountId, 'a')
      for (let index = 0; index < 29; index++) {
        const late = { atMs: LAST_OF_MONTH }
        const { id } = await started(run(accountId, idea, 'backtest', late))
        await end(id, doneEnd(), LAST_OF_MONTH)
        await act(accountId, idea, 'drop')
      }
      expect(await balance(accountId, LAST_OF_MONTH)).toEqual([1, 2])
      const late = { atMs: LAST_OF_MONTH }
      const ofMonth = await started(run(accountId, idea, 'backtest', late))
      expect(await balance(accountId, LAST_OF_MONTH)).toEqual([0, 2])
      await end(ofMonth.id, FAILED, NEXT_MONTH)
      // the month's own thirty, and the one of the last month
      expect(await balance(accountId, NEXT_MONTH)).toEqual([31, 2])
      const bare = await newAccount()
      await store.removeProduct(bare, 'lab')
      await store.lab.addCredits({ ...bought, accountId: bare })
      const other = await keepIdea(store, bare, 'a')
      const ofBought = await started(run(bare, other))
      expect(await store.lab.balance({ accountId: bare, atMs: NOON, monthly: null })).toEqual({
        monthly: 0,
        purchased: 1,
      })
      await end(ofBought.id, FAILED)
      expect(await store.lab.balance({ accountId: bare, atMs: NOON, monthly: null })).toEqual({
        monthly: 0,
        purchased: 2,
      })
      await audited()
    })

    test('without credits, an idea or a rule nothing begins', async () => {
      const accountId = await newAccount()
      expect(await run(accountId, 'i_none')).toEqual({ kind: 'no_idea' })
      const unfinished = await keepIdea(store, accountId, null)
      expect(await run(accountId, unfinished)).toEqual({ kind: 'no_rule' })
      const foreign = await keepIdea(store, await newAccount(), 'a')
      expect(await run(accountId, foreign)).toEqual({ kind: 'no_idea' })
      await store.removeProduct(accountId, 'lab')
      expect(await balance(accountId)).toEqual([30, 0])
      const bare = await newAccount()
      await store.removeProduct(bare, 'lab')
      expect(await run(bare, 'i_none')).toEqual({ kind: 'no_credits' })
      expect(await store.lab.conveyor(accountId)).toEqual({ holder: null, run: null })
    })

    test('the same request again is the same run, another one with its key is refused', async () => {
      const accountId = await newAccount()
      const idea = await keepIdea(store, accountId, 'a')
      const repeat = { key: 'k', requestHash: 'h' }
      const first = await started(run(accountId, idea, 'backtest', { repeat }))
      const again = await run(accountId, idea, 'backtest', { repeat })
      expect(again).toMatchObject({ kind: 'replayed', run: { id: first.id } })
      await end(first.id)
      const other = { repeat: { key: 'k', requestHash: 'g' } }
      expect(await run(accountId, idea, 'quant', other)).toEqual({ kind: 'reused' })
      expect(await balance(accountId)).toEqual([29, 0])
    })

    test('a message during a test leaves the idea at its beginning, on the conveyor', async () => {
      const accountId = await newAccount()
      const idea = await keepIdea(store, accountId, 'a')
      const { id } = await started(run(accountId, idea))
      await keepIdea(store, accountId, 'b', idea)
      expect(await end(id)).toMatchObject({ state: 'done' })
      expect(await findStage(accountId, idea)).toBe('rule')
      expect((await store.lab.conveyor(accountId)).holder).toBe(idea)
      // what was found is of the rule that was tested
      expect(await store.lab.listDone(accountId)).toEqual([])
      expect(await store.lab.findDone(accountId, idea, 'backtest')).toMatchObject({ id })
    })

    test('rules alone are listed newest first, some at a time, each of its account', async () => {
      const [accountId, other] = [await newAccount(), await newAccount()]
      const alone = (owner: string, atMs: number) =>
        started(
          store.lab.startRun({
            accountId: owner,
            kind: 'struct',
            atMs,
            repeat: null,
            assume: '{}',
            rule: { spec: '{"v":"a"}', ruleHash: 'a', say: 'a' },
            areRelated: () => true,
          }),
        )
      const ids: string[] = []
      for (const step of [1, 2, 3]) {
        const { id } = await alone(accountId, NOON + step)
        ids.unshift(id)
        await end(id)
      }
      await alone(other, NOON)
      const idea = await keepIdea(store, accountId, 'a')
      await end((await started(run(accountId, idea))).id)
      const listed = async (start: number, count: number) => {
        const { total, runs } = await store.lab.listStructs(accountId, { start, count })
        return [total, runs.map(({ id }) => id)]
      }
      expect(await listed(0, 2)).toEqual([3, ids.slice(0, 2)])
      expect(await listed(2, 2)).toEqual([3, ids.slice(2)])
      expect(await listed(3, 2)).toEqual([3, []])
      expect((await store.lab.listStructs(other, { start: 0, count: 9 })).total).toBe(1)
    })

    test('looks are rules of the family, ideas that are deleted or retyped too', async () => {
      const accountId = await newAccount()
      const isBuy = (spec: string) => spec.includes('"c"')
      const areRelated = (spec: string, other: string) => isBuy(spec) === isBuy(other)
      const attempts = async (name: string) => {
        const idea = await keepIdea(store, accountId, name)
        const { id, lineage } = await started(run(accountId, idea, 'backtest', { areRelated }))
        await end(id, doneEnd({ variants: 5 }))
        await act(accountId, idea, 'delete')
        return [lineage.trials, lineage.looks, lineage.familyTrials, lineage.familyLooks]
      }
      expect(await attempts('a')).toEqual([1, 1, 1, 1])
      expect(await attempts('a')).toEqual([1, 1, 6, 1])
      expect(await attempts('b')).toEqual([1, 1, 11, 2])
      expect(await attempts('c')).toEqual([1, 1, 1, 1])
      const rule = { spec: '{}', say: 'x', ruleHash: 'd' }
      const struct = { accountId, kind: 'struct', rule, atMs: NOON, repeat: null, assume: '{}' }
      const alone = await store.lab.startRun({
        ...struct,
        areRelated: () => true,
      } as unknown as RunStart)
      // a struct computes, and judges nothing
      expect(alone).toMatchObject({
        run: { lineage: { versions: 1, trials: 1, looks: 0, familyTrials: 21, familyLooks: 3 } },
      })
      expect(await attempts('e')).toEqual([1, 1, 17, 3])
    })

    test('a message with a key of its own is taken once', async () => {
      const accountId = await newAccount()
      const text = { sender: 'you', text: 'x', kind: null, missing: null, errors: null } as const
      const rule = { name: 'a', rule: { spec: '{}', ruleHash: 'a', say: 'a' }, draft: null }
      const once = (requestHash: string) =>
        store.lab.chat({
          accountId,
          ideaId: null,
          atMs: NOON,
          repeat: { key: 'c', requestHash },
          decide: () => ({ idea: { ...rule, missing: [] }, messages: [text] }),
          formatResponse: (_sent, idea) => idea!.id,
        })
      const [first, second] = [await once('h'), await once('h')]
      expect(first).toMatchObject({ isReplay: false, response: expect.stringMatching(/^i_/) })
      expect(second).toEqual({ ...(first as object), isReplay: true })
      expect(await once('g')).toBeNull()
      expect(await store.lab.listIdeas(accountId)).toHaveLength(1)
    })
  })
})
