import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SCOPES } from '../../src/accounts/apiKey.ts'
import { perform } from '../../src/cli/perform.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'

let folder: string
let accounts: ServerStore
let printed: string[]
let now: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-commands-'))
  accounts = await openAccountStore(join(folder, 'accounts.sqlite'))
  printed = []
  now = '2026-10-14T14:00:00Z'
})
afterEach(async () => {
  await accounts.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...argv: string[]) =>
  perform(argv, {
    openAccounts: async () => ({ ...accounts, close: async () => {} }),
    nowMs: () => Date.parse(now),
    print: line => void printed.push(line),
    findSiteUrl: async () => 'http://127.0.0.1:8080',
  })
const account = (...args: string[]) => run('account', ...args)
const product = (...args: string[]) => account('product', ...args)
const key = (...args: string[]) => run('key', ...args)

/** The id of a new account; what was printed of it is forgotten. */
async function newAccount(...options: string[]): Promise<string> {
  await account('add', 'Desk 4', ...options)
  return printed.splice(0)[0]!.split(' ')[0]!
}

test('an account is added, listed and put on another plan', async () => {
  await account('add', 'Desk 4')
  const id = printed[0]!.split(' ')[0]!
  await account('list')
  await account('plan', id, 'orders_team')
  await account('plan', id, 'none')
  await account('list')
  expect(printed).toEqual([
    `${id}  orders  Desk 4`,
    `${id}  orders       2026-10-14  Desk 4`,
    `${id} is on the plan orders_team`,
    `${id} is on the plan none`,
    `${id}  none         2026-10-14  Desk 4`,
  ])
})

test('an account has several products, each on a plan and until a day', async () => {
  const id = await newAccount()
  await product('add', id, 'live', '--plan', 'LIVE')
  await product('add', id, 'GEO', '--plan', 'Geo Team', '--until', '2026-10-15')
  await product('add', id, 'lab', '--until', '2026-10-14')
  await product('list', id)
  await account('list')
  // the day of New York, not that of Greenwich
  now = '2026-10-15T03:59:59.999Z'
  await product('list', id)
  now = '2026-10-15T04:00:00Z'
  await product('list', id)
  await account('list')
  const lines = [
    'geo      geo_team     from 2026-10-14  until 2026-10-15',
    'lab      lab          from 2026-10-14  until 2026-10-14',
    'live     live         from 2026-10-14  no end',
    'orders   orders       from 2026-10-14  no end',
  ]
  expect(printed).toEqual([
    `${id} is on the plan live of live`,
    `${id} is on the plan geo_team of geo until 2026-10-15`,
    `${id} is on the plan lab of lab until 2026-10-14`,
    ...lines,
    `${id}  geo_team,lab,live,orders  2026-10-14  Desk 4`,
    ...lines,
    lines[0],
    `${lines[1]}  over`,
    lines[2],
    lines[3],
    `${id}  geo_team,live,orders  2026-10-14  Desk 4`,
  ])
})

test('a product is removed, and renewed, alone', async () => {
  const id = await newAccount('--plan', 'none')
  await product('add', id, 'dataset', '--until', '2026-10-20')
  now = '2026-10-16T14:00:00Z'
  await product('add', id, 'dataset')
  await product('list', id)
  await product('remove', id, 'dataset')
  await product('list', id)
  expect(printed).toEqual([
    `${id} is on the plan dataset of dataset until 2026-10-20`,
    `${id} is on the plan dataset of dataset`,
    'dataset  dataset      from 2026-10-14  no end',
    `${id} has no dataset any more`,
  ])
  await expect(product('remove', id, 'dataset')).rejects.toThrow(
    `account ${id} does not have dataset; \`account product list ${id}\` shows what it has`,
  )
})

test('another plan of the Orders API keeps the last day, unless that is over', async () => {
  const id = await newAccount()
  await product('add', id, 'orders', '--plan', 'orders', '--until', '2026-10-20')
  await account('plan', id, 'orders_team')
  now = '2026-10-21T04:00:00Z'
  await account('plan', id, 'orders')
  expect(printed.slice(1)).toEqual([
    `${id} is on the plan orders_team until 2026-10-20`,
    `${id} is on the plan orders`,
  ])
})

test.each(SCOPES)('a key of scope %s is made for any account', async scope => {
  const id = await newAccount()
  await key('add', id, '--scope', scope)
  const apiKey = printed[1]!.split(' ')[0]!
  expect(await accounts.findHolder(apiKey)).toMatchObject({ accountId: id, scope })
  await key('list', id)
  expect(printed.at(-1)).toContain(`  ${scope.padEnd(7)}  ${apiKey.split('_')[0]}_…`)
})

test('a key is printed once, listed masked and revoked', async () => {
  const accountId = await newAccount('--plan', 'none')
  await key('add', accountId, '--name', 'laptop')
  const [keyId, secret] = [printed[0]!.split(' ')[0]!, printed[1]!.split(' ')[0]!]
  await key('list')
  await key('revoke', keyId)
  await key('list', accountId)
  const shown = `${keyId}  ${accountId}  orders   ordk_…${secret.slice(-4)}  2026-10-14`
  expect(printed.slice(2)).toEqual([
    `${shown}  never used  laptop`,
    `${keyId} is revoked`,
    `${shown}  revoked 2026-10-14 14:00Z  laptop`,
  ])
  expect(printed.filter(line => line.includes(secret))).toHaveLength(1)
})

test.each([
  [() => account('add', ' '), 'name is " "; give 1 to 80 printable characters: "desk 4"', 1],
  [() => account('add', 'x', '--plan', 'gold'), 'plan is "gold"; give one of none, orders', 1],
  [() => account('add', 'x', '--plan', 'live'), 'plan is "live"; give one of none, orders', 1],
  [() => account('plan', 'acc_x', 'none'), 'account acc_x does not exist;', 1],
  [() => account('plan', 'acc_x', 'geo'), 'plan is "geo"; give one of none, orders', 1],
  [() => product('add', 'acc_x', 'live'), 'account acc_x does not exist;', 1],
  [() => product('list', 'acc_x'), 'account acc_x does not exist;', 1],
  [() => product('remove', 'acc_x', 'live'), 'account acc_x does not exist;', 1],
  [
    () => product('add', 'acc_x', 'level'),
    'product is "level"; give one of orders, live, lab, dataset, geo',
    1,
  ],
  [
    () => product('add', 'acc_x', 'live', '--plan', 'geo'),
    '--plan is "geo"; live takes one of live',
    1,
  ],
  [() => product('add', 'acc_x', 'geo'), '--plan is missing; geo takes one of geo, geo_team', 1],
  [
    () => product('add', 'acc_x', 'live', '--until', '2026-02-30'),
    '--until is "2026-02-30", which is not a date; give one: 2027-10-14',
    1,
  ],
  [
    () => product('add', 'acc_x', 'live', '--until', '2026-10-13'),
    '--until is 2026-10-13, which is in the past; give its last day, such as 2027-10-14, or use',
    1,
  ],
  [
    () => product('add', 'acc_x', 'live', '--until', '9999-12-31'),
    '--until is 9999-12-31, which is too late; leave it out for no end, or give a day',
    1,
  ],
  [() => key('add', 'acc_x'), 'account acc_x does not exist;', 1],
  [() => key('list', 'acc_x'), 'account acc_x does not exist;', 1],
  [() => key('add', 'acc_x', '--scope', 'all'), '--scope is "all"; give one of live, lab', 1],
  [() => key('revoke', 'key_x'), 'key key_x does not exist or is revoked already;', 1],
])('a wrong command says in one sentence what to do (%#)', async (command, message, exitCode) => {
  await expect(command()).rejects.toMatchObject({
    message: expect.stringContaining(message),
    exitCode,
  })
  expect(await accounts.listAccounts()).toEqual([])
})

test('a link is the address of the way in, and a code that works once', async () => {
  const id = await newAccount()
  await account('link', id)
  const [open, code, remark] = printed.splice(0)
  expect(open).toBe('open    http://127.0.0.1:8080/account/enter')
  expect(code).toMatch(/^code {4}[0-9A-Z-]{30}$/)
  expect(remark).toBe(`It works once, for 15 minutes. Whoever has it can make keys of ${id}.`)
  const atMs = Date.parse(now)
  const entering = { code: code!.slice(8), browser: 'Firefox', atMs }
  expect((await accounts.signIn(entering))?.signIn.accountId).toBe(id)
  expect(await accounts.signIn(entering)).toBeNull()
  await account('link', id)
  await accounts.signIn({ ...entering, code: printed[1]!.slice(8) })
  printed.splice(0)
  await account('signout', id)
  await account('signout', id)
  expect(printed).toEqual([`${id}: 2 browsers are signed out`, `${id}: 0 browsers are signed out`])
  expect(await accounts.listSignIns(id, atMs)).toEqual([])
})

test.each(['link', 'signout'])('account %s needs one account that is there', async verb => {
  await expect(account(verb, 'acc_nobody')).rejects.toThrow('account acc_nobody does not exist')
})
