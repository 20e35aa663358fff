import { fork } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { webhookTools } from '../../../src/platform/webhooks/tools.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { backUpAccounts, restoreAccounts } from '../../../src/server/backup/commands.ts'

let folder: string
let file: string
let backup: string
let store: ServerStore
const createdAtMs = 1

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-backup-'))
  file = join(folder, 'data/accounts.sqlite')
  backup = join(folder, 'backup')
  store = await openAccountStore(file)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function newKey(): Promise<string> {
  const { id } = await store.addAccount({ name: 'desk', plan: 'orders', createdAtMs })
  const made = { accountId: id, scope: 'orders', name: 'laptop', createdAtMs } as const
  return (await store.addKey(made))!.apiKey
}
const backUp = (isForced = false) => backUpAccounts({ location: file, backup, isForced })
const restore = (isForced = false) => restoreAccounts({ location: file, backup, isForced })

test('a backup of a database in use is one file, and restores where there is none', async () => {
  const key = await newKey()
  expect(await backUp()).toBe('accounts: 1, keys: 1, positions: 0')
  expect(readdirSync(folder).sort()).toEqual(['backup', 'data'])
  await newKey()
  await store.close()
  rmSync(join(folder, 'data'), { recursive: true })
  expect(await restore()).toBe('accounts: 1, keys: 1, positions: 0')
  expect(readdirSync(join(folder, 'data'))).toEqual(['accounts.sqlite'])
  store = await openAccountStore(file)
  expect(await store.findHolder(key)).not.toBeNull()
  expect(await store.listAccounts()).toHaveLength(1)
})

test('an existing database is replaced only on request, and seen at once', async () => {
  const existing = await newKey()
  await backUp()
  const added = await newKey()
  await expect(restore()).rejects.toThrow(`${file} exists; --force replaces everything in it`)
  expect(await store.findHolder(added)).not.toBeNull()
  await restore(true)
  // the store was open all the time
  expect(await store.findHolder(added)).toBeNull()
  expect(await store.findHolder(existing)).not.toBeNull()
  const later = await newKey()
  await store.close()
  store = await openAccountStore(file)
  expect(await store.findHolder(later)).not.toBeNull()
})

test('a backup replaces an older one only on request', async () => {
  await backUp()
  await newKey()
  await expect(backUp()).rejects.toThrow(`${backup} exists; give a new name`)
  expect(await backUp(true)).toBe('accounts: 1, keys: 1, positions: 0')
})

test('the database itself, or another one in use, is no target of a backup', async () => {
  const itself = { location: file, backup: file, isForced: true }
  await expect(backUpAccounts(itself)).rejects.toThrow(`${file} is the account database`)
  const other = await openAccountStore(backup)
  await other.addAccount({ name: 'x', plan: null, createdAtMs })
  await expect(backUp(true)).rejects.toThrow(`${backup} has changes in ${backup}-wal`)
  await expect(restore(true)).rejects.toThrow(`${backup} has changes in ${backup}-wal`)
  await other.close()
})

test('what does not exist is named', async () => {
  await expect(restore(true)).rejects.toThrow(`${backup} does not exist; give a file that "account`)
  await store.close()
  rmSync(file)
  await expect(backUp()).rejects.toThrow(`${file} does not exist: there are no accounts`)
  store = await openAccountStore(file)
})

/** Ways in which a file is not a backup, by the message for it. */
const BROKEN: [string, (whole: Buffer) => Buffer, RegExp][] = [
  ['empty', () => Buffer.alloc(0), /no such table: accounts/],
  ['a text', () => Buffer.from('key,plan\n'.repeat(900)), /file is not a database/],
  ['cut in half', whole => whole.subarray(0, whole.byteLength / 2), /malformed|not a database/],
  ['overwritten', whole => Buffer.from(whole).fill(7, 4096, 9000), /malformed|Tree|page|no such/],
]

test.each(BROKEN)(
  'a backup that is %s is refused, and nothing is changed',
  async (_, spoil, reason) => {
    const key = await newKey()
    await backUp()
    writeFileSync(backup, spoil(readFileSync(backup)))
    for (const isForced of [true, false]) {
      if (!isForced) await store.close()
      if (!isForced) rmSync(file)
      const failure = (await restore(isForced).catch(error => error)) as Error
      expect(failure.message).toMatch(reason)
      expect(failure.message).toMatch(/^\S+ is not a complete account database: [^\n]+\.$/)
      if (isForced) expect(await store.findHolder(key)).not.toBeNull()
      expect(readdirSync(join(folder, 'data')).filter(name => name.includes('.tmp'))).toEqual([])
    }
    expect(existsSync(file)).toBe(false)
    store = await openAccountStore(file)
  },
)

test('a backup of a newer version is refused', async () => {
  await newKey()
  await backUp()
  const database = new DatabaseSync(backup)
  database.exec("insert into kysely_migration values ('900_later', '')")
  await expect(restore(true)).rejects.toThrow(
    'a newer version of Tapefold has changed it (900_later)',
  )
  database.exec("delete from kysely_migration where name = '900_later'")
  database.close()
  expect(await restore(true)).toBe('accounts: 1, keys: 1, positions: 0')
})

test('a restore waits for nobody: a database that is being written is reported, and unchanged', async () => {
  const key = await newKey()
  await backUp()
  const writer = new DatabaseSync(file)
  writer.exec('begin immediate')
  await expect(restore(true)).rejects.toThrow(
    `${file} cannot be written (database is locked); stop what uses it, or move it away`,
  )
  writer.exec('rollback')
  writer.close()
  expect(await store.findHolder(key)).not.toBeNull()
})

test('a restore that is killed leaves the old accounts or the new ones, whole', async () => {
  const script = join(import.meta.dirname, '../../support/restoreAccounts.ts')
  mkdirSync(join(folder, 'other'))
  const old = await openAccountStore(join(folder, 'other/accounts.sqlite'))
  await old.close()
  fill(join(folder, 'other/accounts.sqlite'), 30_000)
  await backUpAccounts({ location: join(folder, 'other/accounts.sqlite'), backup, isForced: false })
  await newKey()
  const seen = new Set<number>()
  for (let kill = 0; kill < 8; kill++) {
    const child = fork(script, [file, backup])
    const ended = new Promise(exited => child.once('exit', exited))
    await new Promise(ready => child.once('message', ready))
    // the first one is never reported: a busy machine may end any other before it is killed
    if (kill > 0) child.send('go')
    await new Promise(waited => setTimeout(waited, kill * 25))
    child.kill('SIGKILL')
    await ended
    const count = (await store.listAccounts()).length
    seen.add(count)
    expect([1, 30_000]).toContain(count)
    const database = new DatabaseSync(file)
    expect(database.prepare('pragma integrity_check').all()).toMatchObject([
      { integrity_check: 'ok' },
    ])
    database.close()
  }
  expect(seen).toContain(1)
})

function fill(path: string, count: number): void {
  const database = new DatabaseSync(path)
  const insert = database.prepare("insert into accounts values (?, 'desk', 1)")
  database.exec('begin')
  for (let index = 0; index < count; index++) insert.run(`acc_${index}`)
  database.exec('commit')
  database.close()
}

/** Rights of each file of a folder, in octal digits. */
const rights = (of: string) =>
  Object.fromEntries(
    readdirSync(of).map(name => [name, (statSync(join(of, name)).mode & 0o777).toString(8)]),
  )

test('only the owner reads accounts, what SQLite keeps next to them, and backups', async () => {
  const umask = process.umask(0o022)
  try {
    await store.close()
    rmSync(join(folder, 'data'), { recursive: true })
    store = await openAccountStore(file)
    await newKey()
    const data = join(folder, 'data')
    const own = {
      'accounts.sqlite': '600',
      'accounts.sqlite-shm': '600',
      'accounts.sqlite-wal': '600',
    }
    expect(rights(data)).toEqual(own)
    await backUp()
    expect(rights(folder)).toMatchObject({ backup: '600' })
    // as an older version left them
    for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644)
    chmodSync(backup, 0o644)
    const other = await openAccountStore(file)
    expect(rights(data)).toEqual(own)
    await other.close()
    await backUp(true)
    expect(rights(folder)).toMatchObject({ backup: '600' })
    chmodSync(backup, 0o644)
    await restore(true)
    expect(rights(data)).toEqual(own)
    await store.close()
    rmSync(data, { recursive: true })
    await restore()
    expect(rights(data)).toEqual({ 'accounts.sqlite': '600' })
    store = await openAccountStore(file)
    await newKey()
    expect(rights(data)).toEqual(own)
    const { box } = webhookTools({ dataFolder: data })
    box()
    expect(rights(data)).toMatchObject({ 'secret.key': '600' })
    chmodSync(join(data, 'secret.key'), 0o644)
    webhookTools({ dataFolder: data }).box()
    expect(rights(data)).toMatchObject({ 'secret.key': '600' })
  } finally {
    process.umask(umask)
  }
})
