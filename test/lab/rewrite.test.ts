import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat } from '../../src/lab/ask.ts'
import { vocabulary } from '../../src/lab/language/vocabulary.ts'
import { openMessageAdmission } from '../../src/lab/messageAdmission.ts'
import { rewritten } from '../../src/lab/rewrite.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { newFolder } from '../support/import.ts'

const WORDS = vocabulary()
const by = (sentence: string) => ({ rewrite: async () => sentence })

const nowMs = () => 7

test('a sentence with a number that the message has not is refused', async () => {
  const query = (message: string, sentence: string) => rewritten(message, by(sentence), WORDS)
  expect(await query('flog it at 10', 'sell it at 10')).toBe('sell it at 10')
  expect(await query('flog it at 10.0', 'sell it at 10')).toBe('sell it at 10')
  expect(await query('flog it at 10', 'sell it at 11')).toBeNull()
  expect(await query('flog it', 'sell it 10 wide')).toBeNull()
  expect(await query('flog it', 'sell it '.repeat(300))).toBeNull()
})

test('a model that fails, or is late, is done without', async () => {
  const failing = { rewrite: () => Promise.reject(new Error('no model')) }
  expect(await rewritten('flog it', failing, WORDS)).toBeNull()
  const silent = { rewrite: () => new Promise<string>(() => {}) }
  expect(await rewritten('flog it', silent, WORDS, 1)).toBeNull()
})

test('its sentence is shown and read; an understood one never needs another', async () => {
  const accounts = await openAccountStore(join(newFolder(), 'accounts.sqlite'))
  const { id } = await accounts.addAccount({ name: 'desk', plan: 'lab', createdAtMs: 1 })
  const requested: string[] = []
  const rewriter = {
    rewrite: async (text: string) => {
      requested.push(text)
      return 'Sell the 16 delta strangle at 9:45.'
    },
  }
  const deps = { accounts, nowMs, rewriter, admission: openMessageAdmission(accounts, nowMs) }
  const requester = { accountId: id, monthlyCredits: 30 }
  const message = 'flog a 16 delta strangle, 9:45 please'
  const response = await chat(deps, requester, { message })
  expect(response).toMatchObject({
    kind: 'spec',
    rewritten: 'Sell the 16 delta strangle at 9:45.',
    say: 'At 09:45 ET, sell the 0DTE strangle at 16 delta, hold to expiry.',
  })
  await chat(deps, requester, { message: 'sell the straddle at 10' })
  await chat(deps, requester, { message: 'sell the put spread' })
  expect(requested).toEqual([message])
  await accounts.close()
})

test('an account without credits is 402, and nothing is stored', async () => {
  const accounts = await openAccountStore(join(newFolder(), 'accounts.sqlite'))
  const { id } = await accounts.addAccount({ name: 'desk', plan: 'lab', createdAtMs: 1 })
  const deps = { accounts, nowMs, rewriter: null, admission: openMessageAdmission(accounts, nowMs) }
  const query = () =>
    chat(deps, { accountId: id, monthlyCredits: 0 }, { message: 'sell the straddle at 10' })
  await expect(query()).rejects.toThrow('no credits')
  expect(await accounts.lab.listIdeas(id)).toEqual([])
  await accounts.lab.addCredits({ accountId: id, credits: 1, ref: 'inv', atMs: 7 })
  expect(await query()).toMatchObject({ kind: 'spec' })
  await accounts.close()
})
