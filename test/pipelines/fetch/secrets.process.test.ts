// Keys are in no output, record, refused file's reason, manifest, error or process list, whatever the
// source responds, also where its response repeats them.

import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runScript } from '../../support/commands.ts'
import { readFolder } from '../../support/fetch.ts'
import { startSmallMassive } from '../../support/fetchKills.ts'
import { fetchOnePart, SMALL } from '../../support/fetchPart.ts'
import { newFolder } from '../../support/import.ts'
import { type Fault, htmlPage, redirectTo, serverError } from '../../support/sources/faults.ts'
import type { Source as Server } from '../../support/sources/serve.ts'
import { startThetadata } from '../../support/sources/thetadata.ts'

const DAY = '2024-11-04'

/** Keys that stand for real ones: no text holds them by chance. */
const CANARIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  databento: { DATABENTO_API_KEY: 'db-CANARYcanary7f3a9c51e8d2b640' },
  massive: {
    MASSIVE_ACCESS_KEY_ID: 'CANARYid-7f3a-9c51-e8d2',
    MASSIVE_SECRET_ACCESS_KEY: 'CANARYsecret7f3a9c51e8d2b6400000',
  },
  fred: { FRED_API_KEY: 'canary7f3a9c51e8d2b6400f1e2d3c4b' },
}
const NAMES = Object.keys(CANARIES)
const FIELDS: Readonly<Record<string, string>> = {
  DATABENTO_API_KEY: 'key',
  MASSIVE_ACCESS_KEY_ID: 'access_key',
  MASSIVE_SECRET_ACCESS_KEY: 'secret_key',
  FRED_API_KEY: 'key',
}

let dataFolder: string
let server: Server | undefined
beforeEach(() => {
  dataFolder = newFolder()
})
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(dataFolder, { recursive: true, force: true })
})

const listCanaries = (name: string) => Object.values(CANARIES[name]!)

/** Forms in which a key may appear. */
const forms = (key: string) => [
  key,
  encodeURIComponent(key),
  Buffer.from(`${key}:`).toString('base64').slice(0, -4),
]

function expectNoKey(name: string, where: string, text: string) {
  for (const form of listCanaries(name).flatMap(forms))
    if (text.includes(form)) expect.fail(`${where} holds a key of ${name}: ${text.slice(0, 500)}`)
}

const always = (fault: Fault): Fault => ({ ...fault, times: Number.POSITIVE_INFINITY })

/** Failures of every kind that is not repeated; `key` is what the response repeats. */
const failures = (key: string): Readonly<Record<string, Fault>> => ({
  'a refusal of the key that repeats it': {
    status: 401,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ detail: { case: 'auth', message: `The key ${key} is not valid.` } }),
  },
  'a bad request that repeats the address': {
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      error_code: 400,
      error_message: `Bad Request.  ${key} is not taken.`,
      detail: { case: 'bad_request', message: `${key} is not taken` },
    }),
  },
  'a page with status 200 that repeats the key': { status: 200, body: `<p>${key}</p>` },
  'a redirect with the key': redirectTo(`http://127.0.0.1:9/?api_key=${key}`),
})

/** All that a run leaves: its output and the files of its data folder, but for its settings. */
async function runAndCollect(
  name: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [name, DAY],
) {
  const variable = `TAPEFOLD_${name.toUpperCase()}_URL`
  let seen = ''
  const command = args[0] === 'sources' ? 'sources' : 'fetch'
  const rest = args[0] === 'sources' ? args.slice(1) : args
  const ended = await runScript(command, rest, dataFolder, {
    env: { ...env, [variable]: server!.url },
    onStart: child => {
      const look = setInterval(() => {
        seen += readCommandLines()
      }, 100)
      child.on('close', () => clearInterval(look))
    },
  })
  const { 'sources.toml': _, ...files } = readFolder(dataFolder)
  return { ...ended, files, seen }
}

/** Command lines of all processes of this machine. */
function readCommandLines(): string {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return '' // it has ended
      }
    })
    .join('\n')
}

function expectClean(
  name: string,
  what: string,
  { out, error, files, seen }: Awaited<ReturnType<typeof runAndCollect>>,
) {
  expectNoKey(name, `${what}: standard output`, out)
  expectNoKey(name, `${what}: standard error`, error)
  expectNoKey(name, `${what}: the process list`, seen)
  expect(seen).toContain('fetch')
  expect(error).not.toMatch(/^\s+at /m)
  for (const [path, text] of Object.entries(files)) {
    expectNoKey(name, `${what}: the name of a file`, path)
    // the bytes of a refused file are the source's own
    if (`${path}.json` in files) continue
    expectNoKey(name, `${what}: ${path}`, text)
  }
}

test.each(NAMES)('%s: a key of the environment is nowhere after any failure', async name => {
  const key = listCanaries(name)[0]!
  for (const [what, fault] of Object.entries(failures(key))) {
    server = (await SMALL[name]!([always(fault)])).server
    const ended = await runAndCollect(name, CANARIES[name]!, [name, DAY, '--json'])
    expect([what, ended.code]).toEqual([what, 1])
    expectClean(name, what, ended)
    await server.close()
    server = undefined
  }
})

/** Writes the keys of a source into the file of settings. */
function writeSettings(name: string, mode: number) {
  mkdirSync(dataFolder, { recursive: true })
  const lines = Object.entries(CANARIES[name]!).map(
    ([variable, key]) => `${FIELDS[variable]} = "${key}"`,
  )
  const path = join(dataFolder, 'sources.toml')
  writeFileSync(path, `[${name}]\n${lines.join('\n')}\n`)
  chmodSync(path, mode)
}

test.each(NAMES)('%s: a key of sources.toml is used, and is nowhere', async name => {
  writeSettings(name, 0o600)
  // Massive's server judges the time of a signature
  server = name === 'massive' ? await startSmallMassive() : (await SMALL[name]!([])).server
  // the key is not one of the server: it says so
  const ended = await runAndCollect(name, {})
  expect(ended.code).toBe(1)
  expect(ended.out + ended.error).toMatch(/does not know the (access )?key/)
  expectClean(name, 'a wrong key', ended)
})

test('sources.toml of mode 644 is refused by one sentence without its keys', async () => {
  writeSettings('fred', 0o644)
  server = (await SMALL.fred!([])).server
  const ended = await runAndCollect('fred', {})
  expect([ended.code, ended.out]).toEqual([1, ''])
  expect(ended.error).toBe(
    'tapefold: sources.toml of the data folder has mode 644, so others may read its keys: run chmod 600 on it.\n',
  )
  expect(server.requests).toEqual([])
  expectClean('fred', 'mode 644', ended)
})

test('a damaged sources.toml is refused by its line, without its text', async () => {
  const path = join(dataFolder, 'sources.toml')
  writeFileSync(path, `[fred]\nkey = ${listCanaries('fred')[0]}"\n`)
  chmodSync(path, 0o600)
  server = (await SMALL.fred!([])).server
  const ended = await runAndCollect('fred', {})
  expect([ended.code, ended.error]).toEqual([1, expect.stringMatching(/its line 2 is wrong/)])
  expectClean('fred', 'a damaged file', ended)
})

test('"sources" shows no key, though the source repeats it', async () => {
  const key = listCanaries('fred')[0]!
  const fault = failures(key)['a bad request that repeats the address']!
  server = (await SMALL.fred!([always(fault)])).server
  // every other source has an address of this machine on which nothing listens
  const closed = Object.fromEntries(
    ['CBOE_DELAYED', 'TREASURY', 'THETADATA', 'DATABENTO', 'MASSIVE'].map(each => [
      `TAPEFOLD_${each}_URL`,
      'http://127.0.0.1:9',
    ]),
  )
  const env = { ...closed, ...CANARIES.fred!, ...CANARIES.databento!, ...CANARIES.massive! }
  const ended = await runAndCollect('fred', env, ['sources', '--json'])
  for (const name of NAMES) {
    expectNoKey(name, 'the list', ended.out + ended.error)
    expectNoKey(name, 'the process list', ended.seen)
  }
  expect(ended.out).toMatch(/"source":"fred"/)
})

test('"sources" says whether a terminal runs, is connected, and how fast it responds', async () => {
  const closed = Object.fromEntries(
    ['CBOE_DELAYED', 'TREASURY', 'FRED', 'DATABENTO', 'MASSIVE'].map(each => [
      `TAPEFOLD_${each}_URL`,
      'http://127.0.0.1:9',
    ]),
  )
  const terminal = await startThetadata({})
  server = terminal
  const read = async (url: string) => {
    const env = { ...closed, TAPEFOLD_THETADATA_URL: url }
    const ended = await runAndCollect('fred', env, ['sources', '--json'])
    const rows = ended.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    return rows.find(({ source }) => source === 'thetadata')
  }
  expect(await read(terminal.url)).toMatchObject({ responds: true, problem: null })
  terminal.setConnection('DISCONNECTED')
  expect(await read(terminal.url)).toMatchObject({
    responds: false,
    problem: `thetadata's terminal runs, and is not connected: it says "DISCONNECTED".`,
  })
  expect(await read('http://127.0.0.1:9')).toMatchObject({
    responds: false,
    problem: expect.stringMatching(/^thetadata's terminal is not running: start it with java -jar/),
  })
})

test.each(NAMES)('%s: failures that are repeated name no key either', async name => {
  const key = Object.values((await SMALL[name]!()).keys)[0]!
  for (const fault of [serverError(500), { ...htmlPage(503), body: `<p>${key}</p>` }]) {
    const small = await SMALL[name]!([always(fault)])
    const { problem } = await fetchOnePart({ ...small, dataFolder, url: small.server.url })
    expect(problem?.kind).toBe('unavailable')
    expect(problem!.message).not.toContain(key)
    expect(JSON.stringify(readFolder(dataFolder))).not.toContain(key)
    await small.server.close()
  }
})

test('records of a fetch hold the request without the key', async () => {
  const small = await SMALL.fred!()
  const { record } = await fetchOnePart({ ...small, dataFolder, url: small.server.url })
  expect(record!.request).toMatch(/^GET \/fred\/releases\/dates\?realtime_start=/)
  expect(JSON.stringify(readFolder(dataFolder))).not.toContain(Object.values(small.keys)[0])
  await small.server.close()
})
