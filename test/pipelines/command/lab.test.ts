import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runLab } from '../../../pipelines/command/lab.ts'
import { openAccountStore } from '../../../src/accounts/store.ts'
import { newFolder } from '../../support/import.ts'

test('lab read compiles a sentence; lab chat keeps what lab state and thread show', async () => {
  const data = newFolder()
  const out = join(data, 'answer.json')
  const run = async (...args: string[]) => {
    await runLab([...args, '--data', data, '--out', out])
    return JSON.parse(readFileSync(out, 'utf8'))
  }
  const sentence = 'Sell the 16 delta strangle at 9:45.'
  const alone = await run('read', sentence)
  expect(alone).toMatchObject({ kind: 'spec', say: expect.stringContaining('16 delta') })
  expect(await run('read', 'sell the put spread')).toMatchObject({ kind: 'chat' })
  expect((await run('vocabulary')).version).toBe(1)

  const accounts = await openAccountStore(join(data, 'accounts.sqlite'))
  const { id: account } = await accounts.addAccount({ name: 'desk', plan: 'lab', createdAtMs: 1 })
  await accounts.close()
  const as = ['--account', account]
  const kept = await run('chat', sentence, ...as)
  expect(kept.idea.spec).toEqual(alone.spec)
  const { id } = kept.idea
  const changed = await run('chat', 'at 10', '--id', id, ...as)
  expect(changed).toMatchObject({ version: 2, changed: [{ field: 'entry' }] })
  expect(await run('state', ...as)).toMatchObject({ ideas: [{ id }], balance: { total: 30 } })
  expect((await run('thread', id, ...as)).messages).toHaveLength(4)
})

test.each([
  [['read', ''], 'message is "\\"\\""'],
  [['state'], 'name an account'],
  [['state', '--account', 'acc_none'], 'there is no account acc_none'],
  [['sing'], 'lab takes chat, read'],
  [['read', 'sell', 'it'], 'one message in quotes'],
])('lab %j says what is wrong', async (args, sentence) => {
  await expect(runLab([...args, '--data', newFolder()])).rejects.toThrow(sentence)
})
