import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PUBLISHED_DATASETS } from '../../src/published/dictionary.ts'
import { newFolder } from '../support/import.ts'

const CLI = join(import.meta.dirname, '../../src/cli.ts')

type Ended = { readonly code: number; readonly out: string; readonly error: string }

/** Runs the command as a person does, from another folder than the product's. */
function tapefold(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const cwd = newFolder()
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [CLI, ...args],
      { cwd, env: { PATH: process.env.PATH, TZ: 'UTC', ...env } },
      (failure, out, error) => {
        expect(readdirSync(cwd).filter(name => name !== 'data')).toEqual([])
        resolve({ code: failure ? Number(failure.code) : 0, out, error })
      },
    )
  })
}

const COMMANDS = [
  ...[
    'demo',
    'simulate',
    'history',
    'import',
    'build',
    'minute',
    'feed',
    'backfill',
    'schedule',
    'serve',
    'orders',
    'positions',
    'status',
    'sql',
    'verify',
    'repair',
    'collect',
    'accuracy',
    'bench',
  ],
  ...['account', 'key'],
]

test('every command of the help answers --help with its usage', async () => {
  const { out, code } = await tapefold(['help'])
  const listed = [...out.matchAll(/^ {2}(\w+)/gm)].map(match => match[1]!)
  expect([...new Set(listed)]).toEqual(COMMANDS)
  expect(code).toBe(0)
  const asked = COMMANDS.map(async command => {
    const help = await tapefold([command, '--help'])
    expect(help, command).toMatchObject({ code: 0, error: '' })
    expect(help.out).toMatch(new RegExp(`^usage: tapefold ${command} `))
  })
  await Promise.all(asked)
  expect(await tapefold(['help', 'build'])).toEqual(await tapefold(['build', '--help']))
  const { out: sqlHelp } = await tapefold(['sql', '--help'])
  const named = sqlHelp.match(/datasets: ([^.]*)\./)![1]!.split(/,\s+/)
  expect(named.toSorted()).toEqual(PUBLISHED_DATASETS.map(({ name }) => name).toSorted())
})

test.each<[string[], RegExp]>([
  [['nonsense'], /there is no command nonsense/],
  [['help', 'nonsense'], /there is no command nonsense/],
  [['build'], /build takes days, such as build 2026-10-15/],
  [['build', '2016-06-04'], /2016-06-04 is not a trading day; give one such as 2026-10-15/],
  [['build', 'tomorrow'], /tomorrow is not a date; give one such as 2026-10-15/],
  [['repair', '../x'], /\.\.\/x is not a date; give one such as 2026-10-15/],
  [['verify', '2016-06'], /2016-06 is not a date; give one such as 2026-10-15/],
  [['backfill', '2016-06-01', 'now'], /now is not a date; give one such as 2026-10-15/],
  [['import', 'prints', 'x', '--day', 'now'], /--day is now, which is not a date; give one/],
  [['positions', 'check', 'x', '--day', '1'], /--day is 1, which is not a date; give one/],
  [['minute', '2026-10-17'], /2026-10-17 is not a trading day; give one such as 2026-10-15/],
  [['feed', '2026-10-17', '--spool', '.'], /2026-10-17 is not a trading day; give one such as/],
  [['feed', '2026-10-15'], /feed needs --spool DIR, --stdin DATASET or both/],
  [['minute', '--until', '25:00'], /--until is 25:00; give an ET minute, such as 10:37/],
  [['build', '0500-01-06'], /0500-01-06 is not a trading day; give one such as/],
  [['build', '--nope', '2016-06-01'], /Unknown option '--nope'; see "tapefold build --help"/],
  [['build', '2016-06-01', '--min-premium', '-5'], /--min-premium needs a value; see/],
  [['build', '2016-06-01', '--min-premium=-5'], /--min-premium is -5; give whole dollars/],
  [['build', '2016-06-01', '--data'], /--data needs a folder/],
  [['build', '--data', '--min-premium', '5'], /--data needs a folder/],
  [['verify', '--quick'], /verify takes days/],
  [['repair'], /repair takes days, such as repair 2026-10-15/],
  [['collect', '--grace', '5'], /--grace is 5; give minutes, hours or days from 1m on/],
  [['collect', '2026-10-15'], /Unexpected argument '2026-10-15'/],
  [['status', 'extra'], /Unexpected argument 'extra'/],
  [['sql'], /sql takes one query in quotes/],
  [['sql', '--format', 'xml', 'select 1'], /--format is xml; it can be table, csv, json/],
  [['serve', '--port', '65536'], /--port is 65536; give a port from 0 to 65535/],
  [['serve', '--clock', 'now'], /--clock is now; give a session, such as 2026-10-15T09:30x60/],
  [['serve', '--clock', '2026-10-17'], /2026-10-17 is not a trading day; give one/],
  [['serve', '--clock', '2026-10-15T08:00'], /the minute of --clock is 08:00; give an ET minute/],
  [['serve', '--clock', '2026-10-15x9999'], /the speed of --clock is 9999; give 0 to 3600/],
  [['serve', '--clock'], /--clock needs a value; see "tapefold serve --help"/],
  [['serve', '--port', ''], /--port is ; give a port/],
  [['serve', '--host', ''], /--host is empty; give an address: 127\.0\.0\.1\./],
  [['orders', '--asof', '10:37'], /--asof needs its day, such as orders 2026-10-15 --asof/],
  [['orders', '--format', 'xml'], /--format is xml; give json, csv, parquet, arrow/],
  [['demo', '--speed', '4000'], /--speed is 4000; give 0 to 3600 times real time/],
  [['demo', '--port', 'web'], /--port is web; give a port/],
  [['demo', '--once', '--prints', 'many'], /--prints is many; give a whole number/],
  [['simulate', '--tape', 'wild'], /--tape must be one of calm, busy, noisy, not wild/],
  [['accuracy', '--seed', '-1'], /--seed needs a value; see "tapefold accuracy --help"/],
  [['key', 'add'], /usage: key add/],
  [['account', 'backup'], /account backup takes one file, such as accounts\.backup/],
  [['account', 'restore', 'a', 'b'], /account restore takes one file/],
])('%j is not understood: one sentence, exit code 2', async (args, sentence) => {
  const { code, out, error } = await tapefold(args)
  expect(error).toMatch(sentence)
  expect(error.trimEnd().split('\n')).toHaveLength(1)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test.each<[string[], RegExp]>([
  [['build', '2016-06-01'], /there is no tape of 2016-06-01: import one first/],
  [['repair', '2016-06-01'], /2016-06-01 is not published; build it first/],
  [['verify', '2016-06-01'], /2016-06-01 is not published; build it first/],
  [['sql', 'select 1'], /there is no data folder data; give one, such as --data data/],
  [['sql', 'select nothing', '--data', '.'], /the query failed: Binder Error/],
  [['sql', 'select 1; select 2', '--data', '.'], /sql takes one query; this is 2/],
  [['sql', '/* nothing */', '--data', '.'], /sql takes one query; this is 0/],
  [['sql', 'selec 1', '--data', '.'], /the query failed: Parser Error/],
  [['serve', '--clock', '2026-10-15'], /2026-10-15 is not published; build it first/],
  [['serve', '--host', '203.0.113.1'], /203\.0\.113\.1 is no address of this machine/],
  [['key', 'revoke', 'key_0'], /key key_0 does not exist or is revoked already/],
  [['account', 'backup', 'x'], /accounts\.sqlite does not exist: there are no accounts to back up/],
  [['account', 'restore', 'x'], /x does not exist; give a file of account backup/],
])('%j cannot be done: one sentence, exit code 1, no stack', async (args, sentence) => {
  const { code, error } = await tapefold(args)
  expect(error).toMatch(sentence)
  expect(error.trimEnd().split('\n')).toHaveLength(1)
  expect(code).toBe(1)
})

test('an answer of many rows is printed, each number with all its digits', async () => {
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
])('%s ends with %i and says %j', async (words, status, told) => {
  // the code of the command itself, not of what stands behind it
  const script = `set -o pipefail; "$0" "$1" ${words}; exit "\${PIPESTATUS[0]}"`
  const args = ['-c', script, process.execPath, CLI]
  const ended = await new Promise<Ended>(resolve => {
    execFile('bash', args, { cwd: newFolder() }, (failure, out, error) =>
      resolve({ code: failure ? Number(failure.code) : 0, out, error }),
    )
  })
  expect(ended).toMatchObject({ code: status, error: told })
})

test('a data folder that is a file is told by every command in one sentence', async () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  const commands = [
    ...[
      ['build', '2016-06-01'],
      ['verify', '2016-06-01'],
      ['repair', '2016-06-01'],
      ['collect'],
      ['account', 'list'],
      ['serve'],
    ],
    ...[
      ['import', 'cboe-trades', CLI],
      ['demo', '--once'],
    ],
  ]
  for (const args of commands) {
    const { code, error } = await tapefold(args, { TAPEFOLD_DATA: file })
    expect(code, `${args}: ${error}`).toBe(1)
    expect(error.trimEnd().split('\n'), error).toHaveLength(1)
    expect(error).not.toMatch(/^\s+at /m)
  }
})

test('a taken port is told at once, by the demo before it simulates', async () => {
  const other = createServer()
  await new Promise<void>(listening => other.listen(0, '127.0.0.1', listening))
  const port = String((other.address() as AddressInfo).port)
  try {
    for (const command of ['serve', 'demo']) {
      const { code, out, error } = await tapefold([command, '--port', port])
      expect(error).toMatch(`port ${port} of 127.0.0.1 is taken; give another, such as --port`)
      expect({ code, out }).toEqual({ code: 1, out: '' })
    }
  } finally {
    await new Promise(closed => other.close(closed))
  }
})

test('who serves a folder without sessions is told so', async () => {
  const data = newFolder()
  const server = spawn(process.execPath, [CLI, 'serve', '--port', '0', '--data', data], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(server, 'close')
  let said = ''
  for await (const text of server.stdout.setEncoding('utf8')) {
    said += text
    if (said.includes('publishes one')) server.kill('SIGTERM')
  }
  const [, note] = said.split('\n')
  expect(note).toBe(`no session is published in ${data} yet; "tapefold build DAY" publishes one`)
  expect(await closed).toEqual([0, null])
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

test('accounts are backed up and restored; an address is never told', async () => {
  const data = newFolder()
  const account = (...args: string[]) => tapefold(['account', ...args, '--data', data])
  await account('add', 'desk')
  const backup = join(data, 'kept/accounts.backup')
  expect(await account('backup', backup)).toEqual({
    code: 0,
    out: `${backup} has accounts: 1, keys: 0, positions: 0\n`,
    error: '',
  })
  await account('add', 'desk 2')
  expect(await account('restore', backup)).toMatchObject({ code: 1, out: '' })
  const restored = await account('restore', backup, '--force')
  expect(restored.out).toMatch(/accounts\.sqlite has accounts: 1, keys: 0, positions: 0\nKeys that/)
  expect((await account('list')).out.trimEnd().split('\n')).toHaveLength(1)
  const env = { DATABASE_URL: 'postgresql://me:hunter2@localhost/db?host=/nonexistent' }
  for (const [verb, deed] of [
    ['backup', 'copied'],
    ['restore', 'written'],
  ]) {
    const there = await tapefold(['account', verb!, backup, '--force'], env)
    expect(there).toMatchObject({ code: 1, out: '' })
    expect(there.error).toContain(`the PostgreSQL of DATABASE_URL cannot be ${deed}`)
    expect(there.error).not.toContain('hunter2')
  }
  for (const args of [['account', 'list'], ['key', 'list'], ['serve']]) {
    const { code, error } = await tapefold(args, env)
    expect(error).toMatch(/^tapefold: account database \(DATABASE_URL\): connect ENOENT[^\n]+\.\n$/)
    expect({ code, isTold: error.includes('hunter2') }).toEqual({ code: 1, isTold: false })
  }
})
