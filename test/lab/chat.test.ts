import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat } from '../../src/lab/ask.ts'
import { openMessageAdmission } from '../../src/lab/messageAdmission.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { newFolder } from '../support/import.ts'

const nowMs = () => 7

test('an account without credits is 402, and nothing is stored', async () => {
  const accounts = await openAccountStore(join(newFolder(), 'accounts.sqlite'))
  const { id } = await accounts.addAccount({ name: 'desk', plan: 'lab', createdAtMs: 1 })
  const deps = { accounts, nowMs, admission: openMessageAdmission(accounts, nowMs) }
  const query = () =>
    chat(deps, { accountId: id, monthlyCredits: 0 }, { message: 'sell the straddle at 10' })
  await expect(query()).rejects.toThrow('no credits')
  expect(await accounts.lab.listIdeas(id)).toEqual([])
  await accounts.lab.addCredits({ accountId: id, credits: 1, ref: 'inv', atMs: 7 })
  expect(await query()).toMatchObject({ kind: 'spec' })
  await accounts.close()
})
