import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readAlerts } from '../../../src/alerts/ask.ts'
import { perform } from '../../../src/cli/perform.ts'
import { accountFilePath, openAccountStore } from '../../../src/server/accountStore.ts'

let folder: string
let account: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-alert-'))
  account = await newAccount('orders')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

async function newAccount(plan: 'orders' | null): Promise<string> {
  const store = await openAccountStore(accountFilePath(folder))
  const { id } = await store.addAccount({ name: 'desk', plan, createdAtMs: 0 })
  await store.close()
  return id
}

/** Output of the command; ACCOUNT stands for the account. */
async function run(...words: string[]): Promise<string> {
  const written: string[] = []
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation(text => {
      written.push(String(text))
      return true
    })
  }
  const args = words.map(word => (word === 'ACCOUNT' ? account : word))
  await perform(['alert', ...args, '--data', folder]).finally(() => vi.restoreAllMocks())
  return written.join('')
}

async function stored() {
  const store = await openAccountStore(accountFilePath(folder))
  const response = await readAlerts(store, account)
  await store.close()
  return response
}

test('settings made by commands are what the API returns, and --json gives it word for word', async () => {
  expect(await run('set', 'ACCOUNT', 'flip_move', 'on', 'threshold_points=15')).toBe(
    'flip_move      measured       on   threshold_points=15 confirm=3\n',
  )
  await run('set', 'ACCOUNT', 'flip_cross', 'book=oi', 'confirm=3', 'margin_points=auto')
  await run('set', 'ACCOUNT', 'wall_break', 'walls=put_wall', 'off')
  await run('line', 'add', 'ACCOUNT', '6000.5', 'direction=above', 'note=a = b')
  await run('line', 'add', 'ACCOUNT', 'put_wall', 'offset=-10', 'mode=repeat', 'book=vol')
  await run('rule', 'add', 'ACCOUNT', 'big', 'kinds=condor,vertical', 'min_premium=2.5')
  const { list, lines, rules } = await stored()
  const findEntry = (type: string, book: string) =>
    list.find(entry => entry.type === type && entry.book === book)
  expect(findEntry('flip_move', 'measured')).toMatchObject({ on: true, threshold_points: 15 })
  expect(findEntry('flip_cross', 'open_interest')).toMatchObject({ on: false, confirm: 3 })
  expect(findEntry('wall_break', 'measured')).toMatchObject({ on: false, walls: ['put_wall'] })
  expect(lines).toMatchObject([
    { kind: 'price', price: 6000.5, direction: 'above', note: 'a = b' },
    { kind: 'level', level: 'put_wall', book: 'volume', offset: -10, mode: 'repeat' },
  ])
  expect(rules).toMatchObject([{ name: 'big', kinds: ['vertical', 'condor'], min_premium: 2.5 }])
  expect(JSON.parse(await run('list', 'ACCOUNT', '--json'))).toEqual(await stored())
  const [line, level] = [lines[0]!, lines[1]!]
  expect(await run('list', 'ACCOUNT')).toBe(`list: 3 on, 15 off
flip_cross     measured       on   confirm=2 margin_points=auto certain=false
regime_change  measured       on   confirm=2
flip_move      measured       on   threshold_points=15 confirm=3
lines: 2 of 50
${line.id}  price 6000.5  once  above  armed  a = b
${level.id}  put_wall of volume - 10  repeat  any  armed
rules: 1 of 20
${rules[0]!.id}  on   big  kinds=vertical,condor min_premium=2.5
webhook: none
`)
})

test('lines and rules are changed, armed and removed by their ids', async () => {
  const { id } = JSON.parse(await run('line', 'add', 'ACCOUNT', 'flip', '--json'))
  const moved = await run('line', 'update', 'ACCOUNT', id, 'offset=2.5', 'note=x')
  expect(moved).toBe(`${id}  flip of measured + 2.5  once  any  armed  x\n`)
  expect(await run('line', 'update', 'ACCOUNT', id, 'note=')).toMatch(/armed\n$/)
  expect(await run('line', 'arm', 'ACCOUNT', id)).toContain('armed')
  const rule = JSON.parse(await run('rule', 'add', 'ACCOUNT', 'a b', '--json')).id
  expect(await run('rule', 'update', 'ACCOUNT', rule, 'off', 'dte_max=0')).toBe(
    `${rule}  off  a b  dte_max=0\n`,
  )
  expect(await run('line', 'remove', 'ACCOUNT', id)).toBe(`${id} is removed\n`)
  await run('rule', 'remove', 'ACCOUNT', rule)
  expect(await stored()).toMatchObject({ lines: [], rules: [] })
})

test('an account without a plan can set its alerts, and reads that none are sent', async () => {
  account = await newAccount(null)
  const text = 'is on no plan of the Orders API: it gets no alerts until it is.\n'
  expect(await run('list', 'ACCOUNT')).toContain(`tapefold: ${account} ${text}`)
})

test.each([
  [['list', 'acc_none'], 'account acc_none does not exist; `account list` shows ids such as acc_'],
  [['set', 'ACCOUNT', 'x'], 'entry.type is "x"; give one of flip_cross, wall_break, '],
  [['set', 'ACCOUNT', 'flip_cross', 'confirm'], '"confirm" is no field; give FIELD=VALUE, such'],
  [['set', 'ACCOUNT', 'flip_cross', 'on', 'on=false'], 'on is given twice; give it once.'],
  [['set', 'ACCOUNT', 'flip_cross', 'confirm=two'], 'entry.confirm is "two"; give a whole number'],
  [['set', 'ACCOUNT', 'flip_cross', 'certain=yes'], 'entry.certain is "yes"; give true or false.'],
  [['set', 'ACCOUNT', 'flip_cross', 'sure=true'], 'entry.sure is unknown; the fields are type, '],
  [['set', 'ACCOUNT', 'flip_cross', 'side=buy'], 'entry.side is not taken: an alert never says'],
  [['line', 'add', 'ACCOUNT', '6.000.5'], 'line.price is "6.000.5"; give a number from 1 to '],
  [['line', 'arm', 'ACCOUNT', 'l_1'], 'this account keeps no line with this id; '],
  [['rule', 'add', 'ACCOUNT', 'big', 'kinds=vertical,x'], 'rule.kinds[1] is "x"; give one of si'],
])('%j is refused in one sentence', async (words, sentence) => {
  const error = await run(...words).catch(thrown => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(error.message.slice(0, sentence.length)).toBe(sentence)
})
