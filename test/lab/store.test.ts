// Ideas and credits as they are kept, in both engines.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IdeaChange } from '../../src/accounts/labTypes.ts'
import { openAccountStore } from '../../src/accounts/store.ts'
import type { AccountStore } from '../../src/accounts/types.ts'
import { ENGINES, type Engine } from '../support/engines.ts'

const OCTOBER = Date.parse('2026-10-31T23:00:00-04:00')
const NOVEMBER = Date.parse('2026-11-01T00:00:00-04:00')

const rule = (name: string): NonNullable<IdeaChange['idea']> => ({
  name,
  rule: { spec: `{"v":"${name}"}`, ruleHash: name, say: name },
  draft: null,
  missing: [],
})
const message = { sender: 'you', text: 'x', kind: null, missing: null, errors: null } as const

describe.each(ENGINES)('in %s', (_, isHere, start) => {
  const given = isHere ? describe : describe.skip

  given('the store of LAB', () => {
    let engine: Engine
    let store: AccountStore

    beforeAll(async () => {
      engine = await start()
      store = await openAccountStore(await engine.newPlace())
    })
    afterAll(async () => {
      await store.close()
      await engine.stop()
    })
    const newAccount = async () =>
      (await store.addAccount({ name: 'desk', plan: null, createdAtMs: 1 })).id
    const chat = (accountId: string, ideaId: string | null, idea: IdeaChange['idea']) =>
      store.lab.chat({ accountId, ideaId, atMs: 7, decide: () => ({ idea, messages: [message] }) })

    test('the first call of an ET month gives 30 credits, and ends the last ones', async () => {
      const accountId = await newAccount()
      const at = (atMs: number) => store.lab.balance({ accountId, atMs, monthly: 30 })
      expect(await Promise.all([at(OCTOBER), at(OCTOBER), at(OCTOBER)])).toEqual(
        Array(3).fill({ monthly: 30, purchased: 0 }),
      )
      const bought = { accountId, credits: 5, ref: 'inv-1', atMs: OCTOBER }
      const answers = await Promise.all([1, 2, 3].map(() => store.lab.addCredits(bought)))
      expect(answers.toSorted()).toEqual(['added', 'known', 'known'])
      expect(await at(OCTOBER)).toEqual({ monthly: 30, purchased: 5 })
      expect(await at(NOVEMBER)).toEqual({ monthly: 30, purchased: 5 })
      // a month without a plan ends what was given, and keeps what was bought
      const december = Date.parse('2026-12-01T12:00:00-05:00')
      const bare = await store.lab.balance({ accountId, atMs: december, monthly: null })
      expect(bare).toEqual({ monthly: 0, purchased: 5 })
      expect(await store.lab.addCredits({ ...bought, accountId: 'acc_none' })).toBe('no_account')
      expect(await store.lab.auditCredits()).toMatchObject({ unbalanced: [], overdrawn: [] })
    })

    test('versions count up, and going back makes none', async () => {
      const accountId = await newAccount()
      const first = (await chat(accountId, null, rule('a')))!.idea!
      expect(first).toMatchObject({ stage: 'rule', current: { version: 1, parent: null } })
      const now = async (idea: IdeaChange['idea']) =>
        (await chat(accountId, first.id, idea))!.idea!.current
      expect(await now(rule('b'))).toMatchObject({ version: 2, parent: 1, ruleHash: 'b' })
      // the same rule again is no new version
      expect(await now(rule('b'))).toMatchObject({ version: 2 })
      expect(await now({ ...rule('b'), rule: 'back' })).toMatchObject({ version: 1 })
      expect(await now(rule('c'))).toMatchObject({ version: 3, parent: 1 })
      expect(await now(null)).toMatchObject({ version: 3 })
      const messages = await store.lab.listMessages(first.id)
      expect(messages.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6])
    })

    test('messages that come at once are taken one after the other', async () => {
      const accountId = await newAccount()
      const { id } = (await chat(accountId, null, rule('a')))!.idea!
      await Promise.all(['b', 'c', 'd', 'e'].map(name => chat(accountId, id, rule(name))))
      const idea = (await store.lab.findIdea(accountId, id))!
      expect(idea.current).toMatchObject({ version: 5, parent: 4 })
      expect(await store.lab.listMessages(id)).toHaveLength(5)
    })

    test('an idea of another account is none', async () => {
      const { id } = (await chat(await newAccount(), null, rule('a')))!.idea!
      const other = await newAccount()
      expect(await store.lab.findIdea(other, id)).toBeNull()
      expect(await chat(other, id, rule('b'))).toBeNull()
      expect(await store.lab.listIdeas(other)).toEqual([])
    })

    test('what keeps nothing begins no idea', async () => {
      const accountId = await newAccount()
      expect((await chat(accountId, null, null))!.idea).toBeNull()
      expect(await store.lab.listIdeas(accountId)).toEqual([])
    })
  })
})
