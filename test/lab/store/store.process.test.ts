// Stored ideas and credits, in both engines.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LabBusy } from '../../../src/lab/store/chat.ts'
import { IDEA_MESSAGES_MAX, IDEAS_MAX, type IdeaChange } from '../../../src/lab/store/types.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import { sendMessage } from '../../support/labRuns.ts'

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
      (await store.addAccount({ name: 'desk', plan: null, createdAtMs: 1 })).id
    const chat = (accountId: string, ideaId: string | null, idea: IdeaChange['idea']) =>
      sendMessage(store.lab, {
        accountId,
        ideaId,
        atMs: 7,
        decide: () => ({ idea, messages: [message] }),
      })

    test('the first call of an ET month gives 30 credits, and ends the last ones', async () => {
      const accountId = await newAccount()
      const at = (atMs: number) => store.lab.balance({ accountId, atMs, monthly: 30 })
      expect(await Promise.all([at(OCTOBER), at(OCTOBER), at(OCTOBER)])).toEqual(
        Array(3).fill({ monthly: 30, purchased: 0 }),
      )
      const bought = { accountId, credits: 5, ref: 'inv-1', atMs: OCTOBER }
      const responses = await Promise.all([1, 2, 3].map(() => store.lab.addCredits(bought)))
      expect(responses.toSorted()).toEqual(['added', 'known', 'known'])
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

    test('a message is decided outside of any transaction, and again on what changed', async () => {
      const accountId = await newAccount()
      const { id } = (await chat(accountId, null, rule('a')))!.idea!
      const seen: (string | undefined)[] = []
      const taken = await sendMessage(store.lab, {
        accountId,
        ideaId: id,
        atMs: 7,
        decide: async idea => {
          seen.push(idea?.current?.ruleHash)
          // the same store takes another message while this one is decided
          if (seen.length === 1) await chat(accountId, id, rule('b'))
          return { idea: rule('c'), messages: [message] }
        },
      })
      expect(seen).toEqual(['a', 'b'])
      expect(taken!.idea!.current).toMatchObject({ version: 3, parent: 2, ruleHash: 'c' })
      expect(await store.lab.listMessages(id)).toHaveLength(3)
    })

    test('a message whose idea changes each time is given up after 8 attempts', async () => {
      const accountId = await newAccount()
      const { id } = (await chat(accountId, null, rule('a')))!.idea!
      let count = 0
      const taken = sendMessage(store.lab, {
        accountId,
        ideaId: id,
        atMs: 7,
        decide: async () => {
          await chat(accountId, id, rule(`b${++count}`))
          return { idea: rule('c'), messages: [message] }
        },
      })
      await expect(taken).rejects.toThrow(LabBusy)
      expect(count).toBe(8)
      expect((await store.lab.findIdea(accountId, id))!.current).toMatchObject({ ruleHash: 'b8' })
    })

    test('an account with 200 ideas is refused before anything is decided', async () => {
      const accountId = await newAccount()
      const ideas: string[] = []
      for (let index = 0; index < IDEAS_MAX; index++) {
        ideas.push((await chat(accountId, null, rule('a')))!.idea!.id)
      }
      const decide = vi.fn(() => ({ idea: rule('b'), messages: [message] }))
      const begin = () => sendMessage(store.lab, { accountId, ideaId: null, atMs: 7, decide })
      await expect(begin()).rejects.toThrow(
        'the account keeps 200 ideas, which is the limit; delete one first.',
      )
      expect(decide).not.toHaveBeenCalled()
      // an idea that it has still takes messages
      expect(await chat(accountId, ideas[0]!, rule('c'))).not.toBeNull()
    })

    test('an idea with 1,000 messages is refused before anything is decided', async () => {
      const accountId = await newAccount()
      const many = (count: number) => ({ idea: null, messages: Array(count).fill(message) })
      const { id } = (await chat(accountId, null, rule('a')))!.idea!
      const say = (decide: () => IdeaChange) =>
        sendMessage(store.lab, { accountId, ideaId: id, atMs: 7, decide })
      await say(() => many(IDEA_MESSAGES_MAX - 3))
      const decide = vi.fn(() => many(2))
      await say(decide)
      expect(decide).toHaveBeenCalledTimes(1)
      await expect(say(decide)).rejects.toThrow(
        'the idea has 1000 messages; the limit is 1000. Begin a new idea.',
      )
      expect(decide).toHaveBeenCalledTimes(1)
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
