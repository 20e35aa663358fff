import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS, entryName } from '../../src/cli/commands.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { newFolder } from '../support/import.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../support/published.ts'
import { CLI, type Ended, tapefold, tapefoldLines, tapefoldOnce } from '../support/tapefold.ts'

const { PATH, NODE_COMPILE_CACHE } = process.env
const PASSED = { PATH, NODE_COMPILE_CACHE }

test('the help names what the command knows', async () => {
  const own = COMMANDS.map(entry => [entryName(entry), '--help'])
  const lines = [['help'], ['help', 'build'], ['webhook', 'listen', '-h'], ...own]
  const [help, build, listen, ...requested] = await tapefoldLines(lines)
  expect(help).toMatchObject({ code: 0, error: '' })
  const listed = new Set([...help!.out.matchAll(/^ {2}(\w+)/gm)].map(match => match[1]!))
  expect([...listed]).toEqual(COMMANDS.map(entryName))
  for (const [index, [command]] of own.entries()) {
    expect(requested[index], command).toMatchObject({ code: 0, error: '' })
    expect(requested[index]!.out).toMatch(new RegExp(`^usage: tapefold ${command} `))
    if (command === 'build') expect(build).toEqual(requested[index])
  }
  expect(listen!.out).toMatch(/^usage: tapefold webhook listen \[--port N\]/)
  const { out: sql } = requested[COMMANDS.findIndex(entry => entryName(entry) === 'sql')]!
  const named = sql.match(/datasets: ([^.]*)\./)![1]!.split(/,\s+/)
  expect(named.toSorted()).toEqual(PUBLISHED_DATASETS.map(({ name }) => name).toSorted())
})

/** Lines with their exit codes: 2 not understood, 1 impossible. */
const REFUSED: [string[], number, RegExp][] = [
  [['nonsense'], 2, /there is no command nonsense/],
  [['help', 'nonsense'], 2, /there is no command nonsense/],
  [['serve', '--clock', 'now'], 2, /--clock is now; give a session, such as 2026-10-15T09:30x60/],
  [['serve', '--clock', '2026-10-17'], 2, /2026-10-17 is not a trading day; give one/],
  [['serve', '--clock', '2026-10-15T08:00'], 2, /the minute of --clock is 08:00; give an ET min/],
  [['serve', '--clock', '2026-10-15x9999'], 2, /the speed of --clock is 9999; give 0 to 3600/],
  [['account', 'backup'], 2, /account backup takes a file: account backup accounts\.backup\./],
  [['build', '2016-06-01'], 1, /there are no prints of 2016-06-01: import them first/],
  [['repair', '2016-06-01'], 1, /2016-06-01 is not published; build it first/],
  [['verify', '2016-06-01'], 1, /2016-06-01 is not published; build it first/],
  [['sql', 'select 1'], 1, /there is no data folder data; give one, such as --data data/],
  [['sql', 'select nothing', '--data', '.'], 1, /the query failed: Binder Error/],
  [['sql', 'select 1; select 2', '--data', '.'], 1, /sql takes one query, not 2/],
  [['sql', '/* nothing */', '--data', '.'], 1, /sql takes one query, not 0/],
  [['sql', 'selec 1', '--data', '.'], 1, /the query failed: Parser Error/],
  [['serve', '--clock', '2026-10-15'], 1, /2026-10-15 is not published; build it first/],
  [['serve', '--host', '203.0.113.1'], 1, /203\.0\.113\.1 is not an address of this machine/],
  [['key', 'revoke', 'key_0'], 1, /key key_0 does not exist or is revoked already/],
  [['account', 'backup', 'x'], 1, /accounts\.sqlite does not exist: there are no accounts to ba/],
  [['account', 'restore', 'x'], 1, /x does not exist; give a file that "account backup" wrote/],
]
const refused = tapefoldOnce(REFUSED)

test.each(REFUSED)('%j is refused: exit code %i, one sentence, no stack', async (args, ...end) => {
  const { code, out, error } = await refused(args)
  expect([code, error]).toEqual([end[0], expect.stringMatching(end[1])])
  expect(error.trimEnd().split('\n')).toHaveLength(1)
  if (code === 2) expect(out).toBe('')
})

test('a result of many rows is printed, each number with all its digits', async () => {
  const many = await tapefold(['sql', 'select 1 a from range(200000)', '--data', '.'])
  expect(many.error).toBe('')
  expect(many.out.split('\n')).toHaveLength(200_003)
  const query = 'select 9007199254740993 a, 1.50::decimal(9, 2) b, -0.123456789012345678 c'
  const { out } = await tapefold(['sql', query, '--data', '.'])
  expect(out.split('\n')[1]).toBe('9007199254740993  1.5  -0.123456789012345678')
})

test.each<[string, number, string]>([
  ['sql "from range(200000)" --data . | head -1', 0, ''],
  ['help | true', 0, ''],
  ['status | true', 0, ''],
  ['help >/dev/full', 1, 'tapefold: standard output cannot be written: the disk is full.\n'],
  ['status >/dev/full', 1, 'tapefold: standard output cannot be written: the disk is full.\n'],
])('%s ends with %i and says %j', async (words, status, reported) => {
  // the code of the command itself, not of what stands behind it
  const script = `set -o pipefail; "$0" "$1" ${words}; exit "\${PIPESTATUS[0]}"`
  const args = ['-c', script, process.execPath, CLI]
  const ended = await new Promise<Ended>(resolve => {
    execFile('bash', args, { cwd: newFolder() }, (failure, out, error) =>
      resolve({ code: failure ? Number(failure.code) : 0, out, error }),
    )
  })
  expect(ended).toMatchObject({ code: status, error: reported })
})

test('a data folder that is a file is reported by every command in one sentence', async () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  const commands = [
    ['build', '2016-06-01'],
    ['verify', '2016-06-01'],
    ['repair', '2016-06-01'],
    ['collect'],
    ['account', 'list'],
    ['serve'],
    ['import', 'cboe-trades', CLI],
    ['demo', '--once'],
  ]
  const ended = await tapefoldLines(commands, { TAPEFOLD_DATA: file })
  for (const [index, args] of commands.entries()) {
    const { code, error } = ended[index]!
    expect(code, `${args}: ${error}`).toBe(1)
    expect(error.trimEnd().split('\n'), error).toHaveLength(1)
    expect(error).not.toMatch(/^\s+at /m)
  }
})

test('a taken port is reported at once, by the demo before it simulates', async () => {
  const other = createServer()
  await new Promise<void>(listening => other.listen(0, '127.0.0.1', listening))
  const port = String((other.address() as AddressInfo).port)
  try {
    const lines = ['serve', 'demo'].map(command => [command, '--port', port])
    for (const { code, out, error } of await tapefoldLines(lines)) {
      expect(error).toMatch(`port ${port} of 127.0.0.1 is taken; give another, such as --port`)
      expect({ code, out }).toEqual({ code: 1, out: '' })
    }
  } finally {
    await new Promise(closed => other.close(closed))
  }
})

test('serve of a folder without sessions says so', async () => {
  const data = newFolder()
  const server = spawn(process.execPath, [CLI, 'serve', '--port', '0', '--data', data], {
    env: PASSED,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(server, 'close')
  let message = ''
  for await (const text of server.stdout.setEncoding('utf8')) {
    message += text
    if (message.includes('publishes one')) server.kill('SIGTERM')
  }
  const [, note] = message.split('\n')
  expect(note).toBe(`no session is published in ${data} yet; "tapefold build DAY" publishes one`)
  expect(await closed).toEqual([0, null])
})

test('where nothing is published the command says so, with the demo where its data lie', async () => {
  const requested = [
    ['orders'],
    ['levels', '2026-10-15'],
    ['sql', 'from orders'],
    ['sql', 'select 1'],
  ]
  const cwd = newFolder()
  mkdirSync(join(cwd, 'data'))
  const run = async ([command, ...args]: string[]) => {
    const child = spawn(process.execPath, [CLI, command!, ...args], {
      cwd,
      env: PASSED,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let message = ''
    for await (const text of child.stderr.setEncoding('utf8')) message += text
    return message.split('\n')[0]
  }
  const nothing = 'tapefold: nothing is published in data'
  const reported = []
  for (const words of requested) reported.push(await run(words))
  expect(reported).toEqual([`${nothing}.`, `${nothing}.`, `${nothing}.`, ''])
  await publishLedger(join(cwd, 'data/demo'), ledgerInput(VARIED_ORDERS))
  const demo = `${nothing}; the demo's data are in data/demo: add --data data/demo.`
  for (const [at, words] of requested.entries()) reported[at] = await run(words)
  expect(reported).toEqual([demo, demo, demo, ''])
  expect(await run(['orders', '--data', 'data/demo'])).toBe('')
})

test('a key typed by mistake is not repeated', async () => {
  const data = newFolder()
  const added = await tapefold(['account', 'add', 'desk', '--data', data])
  const account = added.out.split(' ')[0]!
  const { out } = await tapefold(['key', 'add', account, '--data', data])
  const apiKey = /ordk_\w+/.exec(out)![0]
  const { error } = await tapefold(['key', 'revoke', apiKey, '--data', data])
  expect(error).toMatch(`key ordk_…${apiKey.slice(-4)} does not exist`)
  expect(error).not.toContain(apiKey)
})

test('accounts are backed up and restored; an address is never printed', async () => {
  const data = newFolder()
  const account = (...args: string[]) => ['account', ...args, '--data', data]
  const backup = join(data, 'kept/accounts.backup')
  const [, backedUp, , refused, restored, list] = await tapefoldLines([
    account('add', 'desk'),
    account('backup', backup),
    account('add', 'desk 2'),
    account('restore', backup),
    account('restore', backup, '--force'),
    account('list'),
  ])
  const out = `${backup} has accounts: 1, keys: 0, positions: 0\n`
  expect(backedUp).toEqual({ code: 0, out, error: '' })
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(restored!.out).toMatch(
    /accounts\.sqlite has accounts: 1, keys: 0, positions: 0\nKeys that/,
  )
  expect(list!.out.trimEnd().split('\n')).toHaveLength(1)

  const env = { DATABASE_URL: 'postgresql://me:hunter2@localhost/db?host=/nonexistent' }
  const copies = ['backup', 'restore'].map(verb => ['account', verb, backup, '--force'])
  const others = [['account', 'list'], ['key', 'list'], ['serve']]
  const there = await tapefoldLines([...copies, ...others], env)
  for (const [index, deed] of ['copied', 'written'].entries()) {
    expect(there[index]).toMatchObject({ code: 1, out: '' })
    expect(there[index]!.error).toContain(`the PostgreSQL of DATABASE_URL cannot be ${deed}`)
  }
  for (const { code, error } of there.slice(copies.length)) {
    expect(error).toMatch(/^tapefold: account database \(DATABASE_URL\): ENOENT\.\n$/)
    expect(code).toBe(1)
  }
  for (const { error } of there) expect(error).not.toContain('hunter2')
})
