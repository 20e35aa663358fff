// A data folder that the user may read and not write, such as a read-only mount: every command
// works, or says in one sentence why it cannot.

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { findTree, newFolder } from '../support/import.ts'
import { ENTRANCE, killAll, type Started, start } from '../support/processes.ts'

/** A user without rights; permissions say nothing to root, who would write all the same. */
const NOBODY = 65_534
const uid = process.getuid?.() === 0 ? NOBODY : undefined
/** True where such a user may run the program; a checkout below a private folder is not theirs. */
const canRun =
  uid === undefined ||
  spawnSync(ENTRANCE, ['--help'], { uid, gid: uid, timeout: 60_000 }).status === 0
const MODES = 0o555
const DAY = '2026-10-15'
const ACCOUNT = 'acc_4fQ8sK2mZx0T'

let built: BuiltSession
let root: string
/** Has no account database. */
let bare: string
/** Has one that this user may not read. */
let hidden: string
/** Has one that this user may read, and not write. */
let fixed: string

beforeAll(async () => {
  if (!canRun) return
  built = await buildSmallSession(DAY)
  root = newFolder()
  chmodSync(root, 0o755)
  const copy = (name: string, fileMode?: number) => {
    const folder = join(root, name)
    cpSync(built.dataFolder, folder, { recursive: true })
    rmSync(join(folder, 'work'), { recursive: true, force: true })
    if (fileMode !== undefined) {
      const file = join(folder, 'accounts.sqlite')
      writeFileSync(file, '')
      chmodSync(file, fileMode)
    }
    for (const path of [folder, ...globSync('**/*', { cwd: folder }).map(at => join(folder, at))]) {
      if (statSync(path).isDirectory()) chmodSync(path, MODES)
    }
    return folder
  }
  bare = copy('bare')
  hidden = copy('hidden', 0o000)
  fixed = copy('fixed', 0o444)
})
afterAll(() => {
  if (!canRun) return
  killAll(root)
  built?.remove()
  for (const folder of ['.', ...globSync('**/*/', { cwd: root })])
    chmodSync(join(root, folder), 0o755)
  rmSync(root, { recursive: true, force: true })
})

/** Runs a command as a user who may write to the current folder and the temporary one alone. */
function run(args: readonly string[], dataFolder: string): { started: Started; cwd: string } {
  const [cwd, temporary] = [newFolder(), newFolder()]
  for (const folder of [cwd, temporary]) chmodSync(folder, 0o777)
  const env = { PATH: process.env.PATH, TMPDIR: temporary, HOME: temporary }
  const words = args.map(word => word.replace('DATA', dataFolder))
  return { started: start(ENTRANCE, [...words, '--data', dataFolder], { cwd, env, uid }), cwd }
}

type Expected = 'works' | RegExp

async function expectEnd(args: readonly string[], dataFolder: string, expected: Expected) {
  const before = listNames(dataFolder)
  const { started, cwd } = run(args, dataFolder)
  const code = await started.ended
  const text = started.errorText()
  expect(text).not.toMatch(/^\s+at |Error:|unable to open/m)
  expect({ code, said: text }).toEqual(
    expected === 'works'
      ? { code: 0, said: '' }
      : { code: 1, said: expect.stringMatching(/^tapefold: [^\n]+\.\n$/) },
  )
  if (expected !== 'works') expect(text).toMatch(expected)
  expect(listNames(dataFolder)).toEqual(before)
  expect(globSync('**/*', { cwd })).toEqual([])
}

const listNames = (folder: string) => [
  globSync('**/*', { cwd: folder }).sort(),
  findTree(join(folder, 'published')),
]

const NO_PERMISSION = /cannot be used: there is no permission for it\.$/m
const NO_ACCOUNTS =
  /accounts\.sqlite: it does not exist, and this user may not write to its folder\.$/m

/** Every command of the help, where there is no account database. */
const COMMANDS: readonly (readonly [args: readonly string[], expected: Expected])[] = [
  [['demo', '--once'], NO_PERMISSION],
  [['simulate', '--out', 'DATA/simulated'], NO_PERMISSION],
  [['history', '--sessions', '1'], /has published sessions, such as|needs a folder of/],
  [['sample'], NO_PERMISSION],
  [['import', 'cboe-trades', ENTRANCE], NO_PERMISSION],
  [['fetch', 'thetadata', DAY], NO_PERMISSION],
  [['sources', '--offline'], 'works'],
  [['build', DAY], NO_PERMISSION],
  [['minute', DAY], NO_PERMISSION],
  [['feed', DAY, '--spool', '.', '--once'], NO_PERMISSION],
  [['backfill', DAY, DAY], NO_PERMISSION],
  [['work'], /work needs the database that its machines share: set DATABASE_URL/],
  [['plan', DAY, DAY], 'works'],
  [['task', `fold-${DAY}`], NO_PERMISSION],
  [['schedule', '--once'], NO_PERMISSION],
  [['serve', '--port', '0'], NO_ACCOUNTS],
  [['serve', '--roles', 'watch'], NO_ACCOUNTS],
  [['watch', '--once'], NO_ACCOUNTS],
  [['orders', DAY], 'works'],
  [['levels', DAY], 'works'],
  [['status', '--json'], 'works'],
  [['sql', 'select count(*) from orders'], 'works'],
  [['files', 'orders'], 'works'],
  [['files', 'orders', '--store'], /there is no store; set TAPEFOLD_STORE, such as s3:/],
  [['positions', 'check', '--account', ACCOUNT], NO_ACCOUNTS],
  [['alert', 'preview', DAY], 'works'],
  [['alert', 'preview', DAY, '--account', ACCOUNT], NO_ACCOUNTS],
  [['alert', 'list', ACCOUNT], NO_ACCOUNTS],
  [['alert', 'events', ACCOUNT], NO_ACCOUNTS],
  [['lab', 'read', 'At 10:00 sell the 10-wide put spread 30 points below spot.'], 'works'],
  [['lab', 'vocabulary'], 'works'],
  [['lab', 'state', '--account', ACCOUNT], NO_ACCOUNTS],
  [['mcp', 'orders'], 'works'],
  [['mcp', 'lab'], 'works'],
  [['mcp', 'orders', '--account', ACCOUNT], NO_ACCOUNTS],
  [['geo', 'sources'], 'works'],
  [['geo', 'items'], 'works'],
  [['geo', 'webhook', 'test', ACCOUNT], NO_ACCOUNTS],
  [['webhook', 'show', ACCOUNT], NO_ACCOUNTS],
  [['verify', DAY], 'works'],
  [['verify', DAY, '--quick'], 'works'],
  [['repair', DAY], NO_PERMISSION],
  [['collect'], NO_PERMISSION],
  [['collect', '--dry-run'], 'works'],
  [['store', 'push', DAY], /there is no store; set TAPEFOLD_STORE, such as s3:/],
  [['account', 'list'], NO_ACCOUNTS],
  [['account', 'backup', 'accounts.backup'], /accounts\.sqlite does not exist/],
  [['key', 'list'], NO_ACCOUNTS],
  [['credits', 'audit'], NO_ACCOUNTS],
  [['accuracy', '--json', 'DATA/accuracy.json'], NO_PERMISSION],
  [['bench', 'iv', '--json', 'DATA/bench.json'], NO_PERMISSION],
]

test('the table has every command', async () => {
  const started = start(ENTRANCE, ['help'])
  await started.ended
  const known = [...started.text().matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!)
  const attempted = COMMANDS.map(([[name]]) => name!)
  expect(new Set(attempted)).toEqual(new Set(known))
})

test.skipIf(!canRun).each(COMMANDS)(
  '%j in a folder that can only be read',
  async (args, expected) => {
    await expectEnd(args, bare, expected)
  },
)

const UNREADABLE = /accounts\.sqlite: this user may not read it\.$/m
const UNWRITABLE = /accounts\.sqlite: this user may read it and not write to it\.$/m

test.skipIf(!canRun).each<readonly [readonly string[], Expected, Expected]>([
  [['serve', '--port', '0'], UNREADABLE, UNWRITABLE],
  [['watch', '--once'], UNREADABLE, UNWRITABLE],
  [['account', 'list'], UNREADABLE, UNWRITABLE],
  [['alert', 'list', ACCOUNT], UNREADABLE, UNWRITABLE],
  [['alert', 'preview', DAY], 'works', 'works'],
  [['mcp', 'orders'], 'works', 'works'],
])(
  '%j where the account database cannot be read, or not be written',
  async (args, unread, unwritten) => {
    await expectEnd(args, hidden, unread)
    await expectEnd(args, fixed, unwritten)
  },
)
