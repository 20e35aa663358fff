// The example clients of the history run as they stand, each of at most 25 lines.

import { spawn, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishLevels } from '../support/levels.ts'

const DAY = '2026-10-14'

let api: TestApi
let key: string
let expected: string
beforeAll(async () => {
  api = await startTestApi()
  await publishLevels(api.dataFolder, { day: DAY })
  api.clock.atMs = Date.parse('2026-10-16T12:00:00Z')
  key = (await api.newKey('live', 'live')).key
  const { json } = await api.call(`/api/v1/history?sym=SPX&day=${DAY}`, { key })
  const { minutes, flip, flip_lo, flip_hi, reason } = json
  expected = minutes
    .map((minute: string, at: number) => {
      const threshold = `${flip[at]} (${flip_lo[at]} to ${flip_hi[at]})`
      return `${minute} ${flip[at] === null ? reason[at] : threshold}\n`
    })
    .join('')
})
afterAll(() => api.close())

/** Output of a client, and its exit code. */
function run(command: string, args: readonly string[], environment: object = {}) {
  const env = { ...process.env, TAPEFOLD_URL: api.url, TAPEFOLD_KEY: key, ...environment }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const pieces: Buffer[] = []
  let errors = ''
  child.stdout.on('data', piece => pieces.push(piece))
  child.stderr.on('data', piece => {
    errors += piece
  })
  return new Promise<{ code: number | null; bytes: Buffer; errors: string }>((done, failed) => {
    child.on('error', failed)
    child.on('close', code => done({ code, bytes: Buffer.concat(pieces), errors }))
  })
}

/** True when a program is there, and does a small thing. */
const does = (command: string, args: readonly string[]) => spawnSync(command, args).status === 0

test('no client is longer than 25 lines', () => {
  const clients = globSync('examples/history.*')
  expect(clients).toHaveLength(3)
  for (const file of clients) {
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length, file).toBeLessThanOrEqual(25)
  }
})

test.skipIf(!does('curl', ['--version']))('curl saves a stream of Arrow', async () => {
  const { code, bytes, errors } = await run('sh', ['examples/history.sh', DAY])
  expect([code, errors]).toEqual([0, ''])
  const table = tableFromIPC(bytes)
  expect(table.numRows).toBe(389)
  expect([...table.getChild('minute')!].at(-1)).toBe('15:59')
  const refused = await run('sh', ['examples/history.sh', DAY], { TAPEFOLD_KEY: 'ftpl_none' })
  expect(refused.code).toBe(22)
  expect(refused.bytes.toString()).toContain('bad_key')
})

test('the client in TypeScript prints every flip and its error bar', async () => {
  const { code, bytes, errors } = await run(process.execPath, ['examples/history.ts', DAY])
  expect([code, errors]).toEqual([0, ''])
  expect(bytes.toString()).toBe(expected)
})

// pyarrow is no part of the packages of this repository
test.skipIf(!does('python3', ['-c', 'import pyarrow']))(
  'the client in Python prints the same',
  async () => {
    const { code, bytes, errors } = await run('python3', ['examples/history.py', DAY])
    expect([code, errors]).toEqual([0, ''])
    // Python writes a whole number as 5900.0
    expect(bytes.toString().replace(/\.0(?=[ )])/g, '')).toBe(expected)
  },
)

test.skipIf(!does('python3', ['--version']))('the client in Python is Python', async () => {
  const script = "compile(open('examples/history.py').read(), 'history.py', 'exec')"
  expect((await run('python3', ['-c', script])).errors).toBe('')
})
