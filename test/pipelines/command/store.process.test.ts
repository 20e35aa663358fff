// `tapefold store`, and the commands that use the store: two machines without a common folder.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { withSharedStates } from '../../../pipelines/command/sharedStates.ts'
import { pullForBuild, pushManifests, pushTape } from '../../../pipelines/command/sharedStore.ts'
import { sha256, writeAtomically } from '../../../src/core/disk/files.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { writeTapeManifest } from '../../../src/data/tape/manifest.ts'
import { withAdvisoryLock } from '../../../src/platform/database/advisoryLock.ts'
import { checkStore } from '../../../src/platform/store/check.ts'
import { openStore } from '../../../src/platform/store/open.ts'
import { newFolder } from '../../support/import.ts'
import {
  newStore,
  type ObjectStore,
  startObjectStore,
  storeEnvironment,
} from '../../support/objectStore.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { ENTRANCE, start, waitUntil } from '../../support/processes.ts'
import { writeManifest } from '../../support/published.ts'
import { copyVersion, makeVersions } from '../../support/storeVersions.ts'
import { tapefold, tapefoldLines } from '../../support/tapefold.ts'

const [FIRST, SECOND] = ['2026-10-14', '2026-10-15'] as const
const root = newFolder()
let objects: ObjectStore

beforeAll(async () => {
  objects = await startObjectStore()
  await makeVersions(root, 2)
})
afterAll(() => objects.stop())

const NAMES = ['TAPEFOLD_STORE', 'DATABASE_URL']
afterEach(() => {
  for (const name of NAMES) delete process.env[name]
})

/** Settings of machines that share a new store. */
async function newEnvironment() {
  const { bucket, databaseUrl, store, settings } = await newStore(objects, 'main/')
  await store.close()
  const env = {
    ...storeEnvironment(objects.endpoint),
    TAPEFOLD_STORE: `s3://${bucket}/main`,
    DATABASE_URL: databaseUrl,
  }
  return { env, open: () => openStore(settings, databaseUrl) }
}

/** Runs a statement on the database of some settings. */
async function query(env: { readonly DATABASE_URL: string }, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** Adds one file to the tape of a session. */
function importTape(folder: string, date: string, text: string): void {
  const file = `prints/session=${date}/${sha256(text).slice(0, 12)}.parquet`
  writeAtomically(join(folder, 'tape', file), text)
  const batch = { dataset: 'prints', file, rows: 1, sha256: sha256(text), simulated: true }
  writeTapeManifest(folder, { format: 1, session_date: date, batches: [batch as never] })
}

describe.runIf(hasPostgres)('machines without a common folder', () => {
  test('push, pull, check and rebuild by command', async () => {
    const { env, open } = await newEnvironment()
    const [one, two] = [newFolder(), newFolder()]
    for (const date of [FIRST, SECOND]) copyVersion(root, 1, one, date)
    importTape(one, SECOND, 'prints')
    const [push, again, check, pull, repeated] = await tapefoldLines(
      [
        ['store', 'push', '--data', one],
        ['store', 'push', SECOND, '--kinds', 'published', '--data', one],
        ['store', 'check'],
        ['store', 'pull', '--data', two],
        ['store', 'pull', SECOND, '--data', two],
      ],
      env,
    )
    expect(push).toMatchObject({ code: 0, error: '' })
    expect(push!.out).toMatch(
      /^tape 2026-10-15: 1 file sent, pointer \d+\npublished 2026-10-15: \d+ files sent, pointer \d+\npublished 2026-10-14: 0 files sent, pointer \d+\n$/,
    )
    expect(again).toMatchObject({
      code: 0,
      out: 'published 2026-10-15: 0 files sent, same pointer\n',
    })
    expect(check!.out).toMatch(
      /^3 pointers, \d+ files, [\d.]+ KB\n0 files of earlier versions, stages or killed pushes\n$/,
    )
    expect(pull!.out).toMatch(/^(tape|published) 2026-10-15: pulled, [\d.]+ \w+\n/)
    expect(repeated).toMatchObject({
      code: 0,
      out: expect.stringContaining('published 2026-10-15: up to date\n'),
    })
    for (const date of [FIRST, SECOND]) {
      const path = `published/manifests/${date}.json`
      expect(readFileSync(join(two, path))).toEqual(readFileSync(join(one, path)))
    }
    expect(readFileSync(join(two, 'published/views.sql'), 'utf8')).toContain(`session=${SECOND}`)

    const [own, stored] = await tapefoldLines(
      [
        ['files', 'orders', '--data', two],
        ['files', 'orders', '--store', '--data', newFolder()],
      ],
      env,
    )
    const orders = [FIRST, SECOND].map(date => readManifest(two, date)!.datasets.orders!)
    const paths = orders.map(({ file }) => `${join(two, 'published', file)}\n`)
    expect(own).toEqual({ code: 0, error: '', out: paths.join('') })
    const addresses = orders.map(
      ({ sha256: hash }) => `${env.TAPEFOLD_STORE}/blobs/${hash.slice(0, 2)}/${hash}\n`,
    )
    expect(stored).toEqual({ code: 0, error: '', out: addresses.join('') })

    const store = await open()
    await store.pointers.replaceAll([], 0)
    await store.close()
    rmSync(join(two, 'published', readManifest(two, SECOND)!.datasets.orders!.file))
    const [faulty, rebuild, whole, restored, none, other] = await tapefoldLines(
      [
        ['store', 'check'],
        ['store', 'rebuild'],
        ['store', 'check'],
        ['store', 'pull', SECOND, '--data', two],
        ['store', 'push', '2026-10-12', '--data', two],
        ['store', 'pull', '2026-10-12', '--data', two],
      ],
      env,
    )
    expect(faulty).toMatchObject({ code: 1, error: 'tapefold: the store has 3 faults.\n' })
    expect(faulty!.out).toContain('  published 2026-10-14: no pointer is at manifests/published/')
    expect(rebuild).toMatchObject({
      code: 0,
      out: '3 pointers made again; "tapefold store check" checks them\n',
    })
    expect(whole).toMatchObject({ code: 0, error: '' })
    expect(restored).toMatchObject({ code: 0 })
    expect(
      existsSync(join(two, 'published', readManifest(two, SECOND)!.datasets.orders!.file)),
    ).toBe(true)
    for (const end of [none, other]) {
      expect(end).toEqual({
        code: 1,
        out: '',
        error: 'tapefold: there is no session of 2026-10-12 to copy.\n',
      })
    }
  })

  test('are refused in one sentence where another one was faster, and go on with the rest', async () => {
    const { env } = await newEnvironment()
    const [one, two] = [newFolder(), newFolder()]
    copyVersion(root, 1, one, FIRST)
    copyVersion(root, 2, two, FIRST)
    copyVersion(root, 2, two, SECOND)
    const [, refused] = await tapefoldLines(
      [
        ['store', 'push', '--data', one],
        ['store', 'push', '--data', two],
      ],
      env,
    )
    expect(refused).toEqual({
      code: 1,
      out: expect.stringMatching(/^published 2026-10-15: \d+ files sent, pointer \d+\n$/),
      error:
        `tapefold: published ${FIRST}: ${FIRST} was published anew meanwhile; pull it, and run it ` +
        'again.\ntapefold: 1 manifest was refused.\n',
    })
  })

  test('that built the same content push it both, and the first publication stays', async () => {
    const { env } = await newEnvironment()
    Object.assign(process.env, env)
    const [one, two] = [newFolder(), newFolder()]
    for (const folder of [one, two]) copyVersion(root, 1, folder, FIRST)
    const own = readManifest(two, FIRST)!
    writeManifest(two, FIRST, { ...own, published_at: '2026-10-15T23:00:01Z' })
    for (const folder of [one, two]) {
      await pushManifests(folder, [{ kind: 'published', key: FIRST }], silent)
    }
    expect(readManifest(two, FIRST)).toEqual(readManifest(one, FIRST))
    expect(readManifest(two, FIRST)!.published_at).toBe(own.published_at)
  })

  test('report a store that is away with 75, and a bucket that is missing with 1', async () => {
    const { env } = await newEnvironment()
    const one = newFolder()
    copyVersion(root, 1, one, FIRST)
    const push = ['store', 'push', '--data', one]
    const away = await tapefold(push, { ...env, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' })
    expect(away).toMatchObject({
      code: 75,
      error: 'tapefold: the store does not respond (ECONNREFUSED); try again later.\n',
    })
    const missing = await tapefold(push, { ...env, TAPEFOLD_STORE: 's3://none-such' })
    expect(missing).toMatchObject({
      code: 1,
      error: expect.stringContaining(
        'the store has no bucket none-such; create it, or correct TAPEFOLD_STORE.\n',
      ),
    })
  })

  test('build from the tape of the store, and push what they publish', async () => {
    const { env, open } = await newEnvironment()
    Object.assign(process.env, env)
    const [one, two] = [newFolder(), newFolder()]
    importTape(one, SECOND, 'prints')
    await pushTape(one, silent)
    copyVersion(root, 1, one, FIRST)
    await pushManifests(one, [{ kind: 'published', key: FIRST }], silent)
    await pullForBuild(two, SECOND, silent)
    expect(existsSync(join(two, `tape/manifests/${SECOND}.json`))).toBe(true)
    expect(readManifest(two, FIRST)).not.toBeNull()
    // both build; the other machine is faster
    const name = { kind: 'published', key: SECOND } as const
    copyVersion(root, 1, one, SECOND)
    copyVersion(root, 2, two, SECOND)
    await pushManifests(two, [name], silent)
    await expect(pushManifests(one, [name], silent)).rejects.toThrow(
      `${SECOND} was published anew meanwhile`,
    )
    expect(readManifest(one, SECOND)!.tape.kept).toBe(2)
    const store = await open()
    expect((await store.pointers.listSince(0)).map(({ kind, key }) => `${kind} ${key}`)).toEqual([
      `tape ${SECOND}`,
      `published ${FIRST}`,
      `published ${SECOND}`,
    ])
    await store.close()
  })

  test('push each minute of a running session, also those while the store was away', async () => {
    const { env, open } = await newEnvironment()
    Object.assign(process.env, env)
    const folder = newFolder()
    const publish = (minute: string) => {
      const live = { minute, known_before_ms: 1, files: {} }
      const { archive: _, ...manifest } = readManifest(join(root, 'v1'), SECOND)!
      const running = { ...manifest, datasets: {}, ledger: {}, live }
      writeAtomically(join(folder, `live/manifests/${SECOND}.json`), JSON.stringify(running))
    }
    const store = await open()
    const untilPushed = async (minute: string) => {
      for (;;) {
        const pointer = await store.pointers.find({ kind: 'live', key: SECOND })
        const text = pointer && (await store.blobs.getText(pointer.object, pointer.sha256))
        if (text && JSON.parse(text).live.minute === minute) return
        await sleep(20)
      }
    }
    await withSharedStates({ dataFolder: folder, date: SECOND }, async () => {
      for (const minute of ['09:31', '09:32']) {
        publish(minute)
        await untilPushed(minute)
      }
      publish('09:33')
    })
    // the last one is pushed before the command ends
    await untilPushed('09:33')
    await store.close()
    process.env.DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/none'
    const work = async () => publish('09:34')
    await withSharedStates({ dataFolder: folder, date: SECOND }, work)
    const again = await open()
    process.env.DATABASE_URL = env.DATABASE_URL
    await withSharedStates({ dataFolder: folder, date: SECOND }, async () => {})
    expect((await again.pointers.find({ kind: 'live', key: SECOND }))!.seq).toBeGreaterThan(6)
    await again.close()
  })

  test('serve each other what they publish', async () => {
    const { env } = await newEnvironment()
    const [one, two] = [newFolder(), newFolder()]
    const server = start(ENTRANCE, ['serve', '--port', '0', '--roles', 'api', '--data', two], {
      env: { ...process.env, ...env },
    })
    while (!server.text().includes('Tapefold serves')) await sleep(20)
    const url = /serves (\S+),/.exec(server.text())![1]!
    copyVersion(root, 1, one, FIRST)
    Object.assign(process.env, env)
    await pushManifests(one, [{ kind: 'published', key: FIRST }], silent)
    for (;;) {
      const response = await fetch(`${url}/health`)
      const health = (await response.json()) as { newest_session: string | null }
      if (health.newest_session === FIRST) break
      await sleep(50)
    }
    server.child.kill('SIGTERM')
    expect(await server.ended, server.text()).toBe(0)
  })

  test('watch what each other publishes', async () => {
    const { env } = await newEnvironment()
    const [one, two] = [newFolder(), newFolder()]
    const watcher = start(ENTRANCE, ['watch', '--data', two], { env: { ...process.env, ...env } })
    await waitUntil('a watcher starts', () => watcher.text().includes('watching for alerts'))
    copyVersion(root, 1, one, FIRST)
    Object.assign(process.env, env)
    await pushManifests(one, [{ kind: 'published', key: FIRST }], silent)
    await waitUntil('the session is pulled', () => readManifest(two, FIRST) !== null)
    watcher.child.kill('SIGTERM')
    expect(await watcher.ended, watcher.text()).toBe(0)
    expect(watcher.text()).toContain(`pulled  kind: published  session: ${FIRST}`)
  })

  test('collect what no session names any more, in the folder and in the store', async () => {
    const { env, open } = await newEnvironment()
    Object.assign(process.env, env)
    const one = newFolder()
    for (const version of [1, 2]) {
      copyVersion(root, version, one, FIRST)
      await pushManifests(one, [{ kind: 'published', key: FIRST }], silent)
    }
    const collect = ['collect', '--data', one]
    const found = await tapefold(collect, env)
    expect(found).toMatchObject({ code: 0, error: '' })
    expect(found.out).toMatch(
      /\nstore: 0 blobs, 0 bytes, and 0 old manifests and stages deleted; \d+ more blobs that nothing names\n$/,
    )
    await query(env, `update store_garbage set marked_at = marked_at - interval '25 hours'`)
    const lock = { url: env.DATABASE_URL, name: 'backfill', busy: null }
    const deleted = await withAdvisoryLock(lock, () => tapefold(collect, env))
    expect(deleted.out).toMatch(
      /\n {2}left alone: the stages in the store, as a backfill runs\nstore: \d+ blobs, [\d.]+ \w+, and 0 old manifests and stages deleted; 0 more blobs that nothing names\n$/,
    )
    const store = await open()
    expect(await checkStore(store)).toMatchObject({ unnamedFiles: 0, findings: [] })
    await store.close()
  })
})

test('without a store the command says what to set', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'x'), '')
  expect(await tapefold(['store', 'check'])).toEqual({
    code: 1,
    out: '',
    error:
      'tapefold: there is no store; set TAPEFOLD_STORE, such as s3://bucket/prefix, and ' +
      'DATABASE_URL.\n',
  })
})
