import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { perform } from '../../src/cli/perform.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { newFolder } from '../support/import.ts'

async function newLabAccount() {
  const file = join(newFolder(), 'accounts.sqlite')
  const accounts = await openAccountStore(file)
  const { id } = await accounts.addAccount({ name: 'desk', plan: 'lab', createdAtMs: 1 })
  const lines: string[] = []
  const run = async (...args: string[]) => {
    await perform(['credits', ...args], {
      openAccounts: async () => ({ ...accounts, close: async () => {} }),
      nowMs: () => 5,
      print: line => void lines.push(line),
    })
    return lines.splice(0).join('\n')
  }
  return { file, id, run, close: accounts.close }
}

test('credits are added once for each payment, and every line is summed up', async () => {
  const { id, run, close } = await newLabAccount()
  expect(await run('add', id, '20', '--ref', 'inv-1')).toBe(`${id} has 20 more credits`)
  expect(await run('add', id, '20', '--ref', 'inv-1')).toContain('nothing was added')
  expect(await run('add', id, '5', '--ref', 'inv-2')).toBe(`${id} has 5 more credits`)
  expect(await run('audit')).toBe(
    '2 events, 4 lines\nevery event sums to 0, and no account has less than 0',
  )
  await close()
})

test('an event that does not sum to 0, and an account below 0, are reported', async () => {
  const { file, id, run, close } = await newLabAccount()
  await run('add', id, '20', '--ref', 'inv-1')
  const database = new DatabaseSync(file)
  database.exec(`update lab_credit_lines set amount = -3 where bucket = 'purchased'`)
  database.close()
  await expect(run('audit')).rejects.toThrow(
    `${id} purchase inv-1 does not sum to 0; ${id} has less than 0 credits`,
  )
  await close()
})

test.each([
  [['add', 'acc_none', '5', '--ref', 'x'], 'account acc_none does not exist'],
  [['add', 'ID', '0', '--ref', 'x'], 'credits are "0"; give a number from 1 to 100000'],
  [['add', 'ID', '1.5', '--ref', 'x'], 'credits are "1.5"'],
  [['add', 'ID', '5'], 'give the payment with --ref'],
])('credits %j says what is wrong', async (args, sentence) => {
  const { id, run, close } = await newLabAccount()
  await expect(run(...args.map(arg => (arg === 'ID' ? id : arg)))).rejects.toThrow(sentence)
  await close()
})
