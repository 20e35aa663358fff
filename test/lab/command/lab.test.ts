import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { perform } from '../../../src/cli/perform.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { newFolder } from '../../support/import.ts'
import { smallMarket } from '../../support/labMarket.ts'
import { publishMarket } from '../market/publish.ts'

test('lab read compiles a sentence; lab chat keeps what lab state and thread show', async () => {
  const data = newFolder()
  const out = join(data, 'answer.json')
  const run = async (...args: string[]) => {
    await perform(['lab', ...args, '--data', data, '--out', out])
    return JSON.parse(readFileSync(out, 'utf8'))
  }
  const sentence = 'Sell the 16 delta strangle at 9:45.'
  const alone = await run('read', sentence)
  expect(alone).toMatchObject({ kind: 'spec', say: expect.stringContaining('16 delta') })
  expect(await run('read', 'sell the put spread')).toMatchObject({ kind: 'chat' })
  expect((await run('vocabulary')).version).toBe(4)

  const accounts = await openAccountStore(join(data, 'accounts.sqlite'))
  const { id: account } = await accounts.addAccount({ name: 'desk', plan: 'lab', createdAtMs: 1 })
  await accounts.close()
  const as = ['--account', account]
  const stored = await run('chat', sentence, ...as)
  expect(stored.idea.spec).toEqual(alone.spec)
  const { id } = stored.idea
  const changed = await run('chat', 'at 10', '--id', id, ...as)
  expect(changed).toMatchObject({ version: 2, changed: [{ field: 'entry' }] })
  expect(await run('state', ...as)).toMatchObject({ ideas: [{ id }], balance: { total: 30 } })
  expect((await run('thread', id, ...as)).messages).toHaveLength(4)
})

test.each([
  [['read', ''], 'message is "";'],
  [['state'], 'name an account'],
  [['state', '--account', 'acc_none'], 'there is no account acc_none'],
  [['idea', 'i_1', 'set', '--on', 'yes'], 'on is "yes"; send true or false'],
  [['run', 'i_1', 'twice'], 'kind is "twice"; send backtest or quant'],
  [['trades', 'j_1'], 'name an account'],
])('lab %j says what is wrong', async (args, sentence) => {
  await expect(perform(['lab', ...args, '--data', newFolder()])).rejects.toThrow(sentence)
})

test('lab run tests an idea on what is published; result, trades and idea follow', async () => {
  const data = newFolder()
  await publishMarket(data, smallMarket(3))
  const out = join(data, 'answer.json')
  const accounts = await openAccountStore(join(data, 'accounts.sqlite'))
  const { id: account } = await accounts.addAccount({ name: 'desk', plan: 'lab', createdAtMs: 1 })
  await accounts.close()
  const bytes = async (...args: string[]) => {
    await perform(['lab', ...args, '--account', account, '--data', data, '--out', out])
    return readFileSync(out)
  }
  const run = async (...args: string[]) => JSON.parse((await bytes(...args)).toString())
  const { id } = (await run('chat', 'At 10:00 sell the 10-wide put spread 10 points below spot.'))
    .idea
  const { result, state } = await run('run', id, 'backtest')
  expect(result).toMatchObject({ kind: 'backtest', data: { kind: 'simulated', used: 3 } })
  expect(result.legs[0].eras.all.n).toBe(3)
  expect(state).toMatchObject({ balance: { total: 29 }, conveyor: id })
  expect(await run('result', id, 'backtest')).toEqual(result)
  const { total, trades } = await run('trades', result.job)
  expect([total, trades.length]).toEqual([3, 3])
  const lines = (await bytes('trades', result.job, '--format', 'csv')).toString().split('\r\n')
  expect(lines).toHaveLength(5)
  await expect(run('idea', id, 'desk')).rejects.toThrow('what comes next is the run quant')
  await expect(run('run', id, 'backtest')).rejects.toThrow('what comes next is the run quant')
  const quant = await run('run', id, 'quant')
  expect(quant.result.optimize.variants_tried).toBeGreaterThan(10)
  expect(await run('idea', id, 'desk')).toMatchObject({ idea: { stage: 'desk' } })
  expect(await run('idea', id, 'set', '--on', 'true')).toMatchObject({ idea: { on: true } })
  expect(await run('idea', id, 'delete')).toMatchObject({ idea: null, state: { ideas: [] } })
})
