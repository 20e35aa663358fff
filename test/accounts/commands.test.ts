import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runAccountCommand, runKeyCommand } from '../../src/accounts/commands.ts'
import { openAccountStore } from '../../src/accounts/store.ts'
import type { AccountStore } from '../../src/accounts/types.ts'

let folder: string
let accounts: AccountStore
let printed: string[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-commands-'))
  accounts = await openAccountStore(join(folder, 'accounts.sqlite'))
  printed = []
})
afterEach(async () => {
  await accounts.close()
  rmSync(folder, { recursive: true, force: true })
})

const deps = () => ({
  accounts,
  nowMs: () => Date.parse('2026-10-14T14:00:00Z'),
  print: (line: string) => printed.push(line) && undefined,
})
const account = (...args: string[]) => runAccountCommand(args, deps())
const key = (...args: string[]) => runKeyCommand(args, deps())

test('an account is added, listed and put on another plan', async () => {
  await account('add', 'Desk 4')
  const id = printed[0]!.split(' ')[0]!
  await account('list')
  await account('plan', id, 'orders_team')
  expect(printed).toEqual([
    `${id}  orders  Desk 4`,
    `${id}  orders       2026-10-14  Desk 4`,
    `${id} is on the plan orders_team`,
  ])
  expect(await accounts.listAccounts()).toMatchObject([{ id, plan: 'orders_team' }])
})

test('a key is printed once, listed masked and revoked', async () => {
  await account('add', 'Desk 4', '--plan', 'none')
  const accountId = printed[0]!.split(' ')[0]!
  await key('add', accountId, '--name', 'laptop')
  const [keyId, secret] = [printed[1]!.split(' ')[0]!, printed[2]!.split(' ')[0]!]
  await key('list')
  await key('revoke', keyId)
  await key('list', accountId)
  const shown = `${keyId}  ${accountId}  ordk_…${secret.slice(-4)}  2026-10-14`
  expect(printed.slice(3)).toEqual([
    `${shown}  never used  laptop`,
    `${keyId} is revoked`,
    `${shown}  revoked 2026-10-14 14:00Z  laptop`,
  ])
  expect(printed.filter(line => line.includes(secret))).toHaveLength(1)
})

test.each([
  [() => account(), 'usage: account add', 2],
  [() => account('add'), 'usage: account add', 2],
  [() => account('add', 'x', '--plan'), 'usage: account add', 2],
  [() => account('add', 'x', '--size', '3'), 'usage: account add', 2],
  [() => account('add', ' '), 'name is " "; give 1 to 80 printable characters: "desk 4"', 1],
  [() => account('add', 'x', '--plan', 'gold'), 'plan is "gold"; give one of none, orders', 1],
  [() => account('plan', 'acc_x', 'none'), 'account acc_x does not exist;', 1],
  [() => key('add', 'acc_x'), 'account acc_x does not exist;', 1],
  [() => key('list', 'acc_x'), 'account acc_x does not exist;', 1],
  [() => key('add', 'acc_x', '--scope', 'all'), '--scope is "all"; give one of live, lab', 1],
  [() => key('revoke', 'key_x'), 'key key_x does not exist or is revoked already;', 1],
  [() => key('drop'), 'usage: key add', 2],
])('a wrong command says in one sentence what to do (%#)', async (command, message, exitCode) => {
  await expect(command()).rejects.toMatchObject({
    message: expect.stringContaining(message),
    exitCode,
  })
  expect(await accounts.listAccounts()).toEqual([])
})
