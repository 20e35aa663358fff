// Files on the disk, and the message for a database that cannot be used.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAccountStore, openAccounts } from '../../src/server/accountStore.ts'
import { hasPostgres, sharePostgres, startPostgres } from '../support/postgres.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-open-'))
  file = join(folder, 'accounts.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the files of a database hold the hash of a key, never the key', async () => {
  const store = await openAccountStore(file)
  const { id } = await store.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 1 })
  const made = { accountId: id, scope: 'orders', name: 'laptop', createdAtMs: 2 } as const
  const { apiKey } = (await store.addKey(made))!
  const bytes = readdirSync(folder).map(name => readFileSync(join(folder, name), 'latin1'))
  expect(bytes.join('')).toContain(id)
  expect(bytes.join('').includes(apiKey.slice(5))).toBe(false)
  await store.close()
})

test('a file that is no database is refused by name', async () => {
  const broken = join(folder, 'deep/broken.sqlite')
  await (await openAccountStore(broken)).close()
  writeFileSync(broken, 'not a database, not a database, not a database')
  await expect(openAccountStore(broken)).rejects.toThrow(
    `account database ${broken}: file is not a database`,
  )
})

const NEWER = 'a newer version of Tapefold has changed it (900_later); use that version'

test('a file that a newer version has changed is refused, and left as it is', async () => {
  await (await openAccountStore(file)).close()
  const database = new DatabaseSync(file)
  database.exec("insert into kysely_migration values ('900_later', '')")
  await expect(openAccounts({ dataFolder: folder })).rejects.toThrow(
    `account database ${file}: ${NEWER}.`,
  )
  database.exec("delete from kysely_migration where name = '900_later'")
  database.close()
  await (await openAccountStore(file)).close()
})

test.skipIf(!hasPostgres)('so is a PostgreSQL database that a newer version changed', async () => {
  const { url, stop } = await startPostgres()
  await (await openAccountStore(url)).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("insert into kysely_migration values ('900_later', '')")
  await client.end()
  await expect(openAccountStore(url)).rejects.toThrow(`account database (DATABASE_URL): ${NEWER}`)
  await stop()
})

test.skipIf(!hasPostgres)('connections that a PostgreSQL has ended are replaced', async () => {
  const { url, stop } = await startPostgres()
  const store = await openAccountStore(url)
  const { id } = await store.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 1 })
  await Promise.all([store.check(), store.listAccounts(), store.listKeys()])
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const others = 'from pg_stat_activity where pid <> pg_backend_pid() and usename is not null'
  await client.query(`select pg_terminate_backend(pid) ${others}`)
  for (;;) {
    const { rows } = await client.query(`select count(*)::int as count ${others}`)
    if (rows[0].count === 0) break
  }
  await client.end()
  expect(await store.listAccounts()).toMatchObject([{ id }])
  await store.close()
  await stop()
})

test.each([
  ['postgresql://me:hunter2@localhost/db?host=/nonexistent', /ENOENT/],
  ['postgresql://me:hunter2@127.0.0.1:1/db', /ECONNREFUSED/],
  ['postgresql://me:hunter2@localhost:1/db', /ECONNREFUSED/],
  ['postgresql://me:hunter2@127.0.0.1:port/db', /Invalid URL/],
  ['postgresql://me:hunt/er2@127.0.0.1/db', /Invalid URL/],
])('the address %s is refused in one sentence without the password', async (url, reason) => {
  const opened = openAccounts({ dataFolder: folder, databaseUrl: url })
  const { message } = (await opened.catch(error => error)) as Error
  expect(message).toMatch(/^account database \(DATABASE_URL\): [^\n]+[^.]\.$/)
  expect(message).toMatch(reason)
  expect(message).not.toMatch(/hunt|er2/)
  expect(readdirSync(folder)).toEqual([])
})

// as other Node programs on Kysely keep their migrations
const OTHER_PROGRAM = `
  create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
  create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);
  insert into kysely_migration_lock values ('migration_lock', 0);
  insert into kysely_migration values ('001_users', '2025-01-01T00:00:00Z');
  create schema desk; create schema tests;`

test.skipIf(!hasPostgres)(
  'next to another program 2 schemas work, and public is refused',
  async () => {
    const { newDatabase } = await sharePostgres()
    const url = await newDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(OTHER_PROGRAM)
    const at = (schema: string) => `${url}&options=-csearch_path%3D${schema}`
    for (const schema of ['desk', 'tests']) {
      const store = await openAccountStore(at(schema))
      await store.addAccount({ name: schema, plan: 'orders', createdAtMs: 1 })
      await store.close()
      await (await openAccountStore(at(schema))).close()
      const { rows } = await client.query(`select name from ${schema}.accounts`)
      expect(rows).toEqual([{ name: schema }])
    }
    await expect(openAccountStore(url)).rejects.toThrow(/another program keeps its tables here/)
    await expect(openAccountStore(at('absent'))).rejects.toThrow(
      /search path is absent, and there is/,
    )
    const { rows } = await client.query(`select name from public.kysely_migration`)
    expect(rows).toEqual([{ name: '001_users' }])
    await client.end()

    const other = new pg.Client({ connectionString: await newDatabase() })
    await other.connect()
    await other.query('create table accounts (id int)')
    const name = (await other.query('select current_database() as name')).rows[0].name
    const own = url.replace(/test_\d+/, name)
    await expect(openAccountStore(own)).rejects.toThrow(/another program keeps its tables here/)
    await other.end()
  },
)
