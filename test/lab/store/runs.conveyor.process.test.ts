// The conveyor against the table of the contract, written down again as a plain model.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import { doneEnd, FAILED, keepIdea, sendMessage } from '../../support/labRuns.ts'
import { runs } from '../../support/runs.ts'

const NOON = Date.parse('2026-10-15T12:00:00-04:00')
const IDEAS = 3
const CREDITS = 6

type Step =
  | { readonly do: 'run'; readonly idea: number; readonly kind: 'backtest' | 'quant' }
  | { readonly do: 'end'; readonly isDone: boolean }
  | { readonly do: 'desk' | 'drop' | 'delete' | 'chat' | 'set'; readonly idea: number }

const idea = fc.nat(IDEAS - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('run'),
      idea,
      kind: fc.constantFrom('backtest', 'quant'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('end'), isDone: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('desk', 'drop', 'set', 'chat'), idea }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), idea }) },
) as fc.Arbitrary<Step>

/** The contract, on one account. */
function model() {
  const stages: (string | null)[] = Array(IDEAS).fill('rule')
  let holder: number | null = null
  let job: { idea: number; kind: string; isAmended: boolean } | null = null
  let credits = CREDITS
  const free = (one: number) => {
    if (holder === one) holder = null
  }
  const run = (one: number, kind: 'backtest' | 'quant') => {
    if (credits === 0) return 'no_credits'
    if (stages[one] === null) return 'no_idea'
    if (job || (holder !== null && holder !== one)) return 'held'
    if (stages[one] !== (kind === 'backtest' ? 'rule' : 'tested')) return 'out_of_order'
    credits -= 1
    holder = one
    job = { idea: one, kind, isAmended: false }
    return 'started'
  }
  const end = (isDone: boolean) => {
    if (!job) return 'none'
    const { idea: one, kind, isAmended } = job
    job = null
    if (!isDone) {
      credits += 1
      if (kind === 'backtest') free(one)
      return 'failed'
    }
    if (!isAmended) stages[one] = kind === 'backtest' ? 'tested' : 'ready'
    return 'done'
  }
  const act = (one: number, what: Exclude<Step['do'], 'run' | 'end'>) => {
    if (stages[one] === null) return 'no_idea'
    if (what === 'chat') {
      if (job?.idea === one) job.isAmended = true
      stages[one] = 'rule'
      return 'chat'
    }
    if (what === 'set') {
      if (stages[one] === 'desk') return 'changed'
      return stages[one] === 'rule' && holder !== null && holder !== one ? 'held' : 'out_of_order'
    }
    if (job?.idea === one) return 'held'
    if (what === 'desk' && stages[one] !== 'ready') {
      return stages[one] === 'rule' && holder !== null && holder !== one ? 'held' : 'out_of_order'
    }
    stages[one] = what === 'delete' ? null : what === 'desk' ? 'desk' : 'rule'
    free(one)
    return 'changed'
  }
  return {
    run,
    end,
    act,
    seen: () => ({ stages: [...stages], holder, credits, isBusy: job !== null }),
  }
}

const setups = ENGINES.map(([name, isHere, start]) => ({ name, isHere, start }))

for (const { name, isHere, start } of setups) {
  const given = isHere ? test : test.skip
  let engine: Engine
  let store: ServerStore

  beforeAll(async () => {
    if (!isHere) return
    engine = await start()
    store = await openAccountStore(await engine.newPlace())
  })
  afterAll(async () => {
    await store?.close()
    await engine?.stop()
  })

  given(`in ${name} any steps lead to where the table of the conveyor says`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), steps => follow(store, steps)),
      { numRuns: runs(name === 'SQLite' ? 150 : 40) },
    )
    const { unbalanced, overdrawn } = await store.lab.auditCredits()
    expect([unbalanced, overdrawn]).toEqual([[], []])
  })
}

async function follow({ lab, ...store }: ServerStore, steps: readonly Step[]): Promise<void> {
  const { id: accountId } = await store.addAccount({ name: 'a', plan: null, createdAtMs: 1 })
  await lab.addCredits({ accountId, credits: CREDITS, ref: 'inv', atMs: NOON })
  const ids: string[] = []
  for (let index = 0; index < IDEAS; index++) {
    ids.push(await keepIdea({ ...store, lab } as ServerStore, accountId, `rule ${index}`))
  }
  const plain = model()
  let job: string | null = null
  for (const one of steps) {
    if (one.do === 'run') {
      const requested = { accountId, ideaId: ids[one.idea]!, kind: one.kind, atMs: NOON } as const
      const areRelated = () => true
      const started = await lab.startRun({ ...requested, repeat: null, assume: '{}', areRelated })
      if ('run' in started) job = started.run.id
      expect(started.kind).toBe(plain.run(one.idea, one.kind))
    } else if (one.do === 'end') {
      const reported = plain.end(one.isDone)
      if (reported === 'none') continue
      const end = one.isDone ? doneEnd() : FAILED
      expect((await lab.endRun({ id: job!, worker: null, atMs: NOON, end }))!.state).toBe(reported)
    } else if (one.do === 'chat') {
      const decide = () => ({ idea: null, messages: [STATED] })
      const text = await sendMessage(lab, { accountId, ideaId: ids[one.idea]!, atMs: NOON, decide })
      expect(text === null ? 'no_idea' : 'chat').toBe(plain.act(one.idea, 'chat'))
    } else {
      const action = one.do === 'set' ? { set: { isOn: true } } : one.do
      const requested = { accountId, ideaId: ids[one.idea]!, action, atMs: NOON }
      expect((await lab.changeIdea(requested)).kind).toBe(plain.act(one.idea, one.do))
    }
    const { stages, holder, credits, isBusy } = plain.seen()
    const stored = await lab.listIdeas(accountId)
    expect(ids.map(id => stored.find(idea => idea.id === id)?.stage ?? null)).toEqual(stages)
    const now = await lab.conveyor(accountId)
    expect([now.holder, now.run !== null]).toEqual([holder === null ? null : ids[holder], isBusy])
    const { purchased } = await lab.balance({ accountId, atMs: NOON, monthly: null })
    expect(purchased).toBe(credits)
    // an idea that was amended or dropped is not on
    expect(stored.filter(idea => idea.isOn && idea.stage !== 'desk')).toEqual([])
  }
  // what waits keeps others from running
  for (const { id } of await lab.openRuns()) {
    await lab.endRun({ id, worker: null, atMs: NOON, end: FAILED })
  }
}

const STATED = { sender: 'you', text: 'x', kind: null, missing: null, errors: null } as const
