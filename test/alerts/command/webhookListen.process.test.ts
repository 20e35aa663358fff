import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { perform } from '../../../src/cli/perform.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { makeSecret } from '../../../src/platform/webhooks/secretBox.ts'
import { signedHeaders } from '../../../src/platform/webhooks/sign.ts'
import { until } from '../../support/clients.ts'

const SECRET = makeSecret()
const BODY = '{"version":1,"id":"evt_0a1b2c","type":"test","text":"Test\\u0007."}'

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

function environment(secret: string | undefined) {
  const { TAPEFOLD_WEBHOOK_SECRET: _none, ...rest } = process.env
  return secret === undefined ? rest : { ...rest, TAPEFOLD_WEBHOOK_SECRET: secret }
}

/** Starts to listen, and returns its address and output. */
async function startListening(args: readonly string[], secret: string | null = SECRET) {
  const all = ['src/cli/cli.ts', 'webhook', 'listen', '--port', '0', ...args]
  const child = spawn(process.execPath, all, { env: environment(secret ?? undefined) })
  running.push(child)
  let printed = ''
  child.stdout.on('data', piece => {
    printed += piece
  })
  child.stderr.on('data', piece => {
    printed += piece
  })
  const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
  await until(() => address() !== undefined || child.exitCode !== null)
  expect(printed).toContain('listening at ')
  const start = printed.length
  const shown = () => printed.slice(start)
  return {
    printed: shown,
    // a response can come before what was printed of its call
    waitFor: (text: string) => until(() => shown().includes(text)),
    send: (body: string, secret: string, isPosition = false) => {
      const bytes = Buffer.from(body)
      const signed = { type: 'test', id: 'evt_0a1b2c', body: bytes, secret, isPosition }
      const headers = signedHeaders({ ...signed, atMs: systemClock.nowMs() })
      return fetch(`${address()}/any`, { method: 'POST', body: bytes, headers })
    },
    stop: () =>
      new Promise<number | null>(done => {
        child.on('exit', done)
        child.kill('SIGINT')
      }),
  }
}

const TIME = String.raw`\d\d:\d\d:\d\d ET`

test('a call is verified, printed, and known when it comes again', async () => {
  const { send, printed, waitFor, stop } = await startListening([])
  expect((await send(BODY, SECRET)).status).toBe(200)
  await waitFor(`${BODY}\n`)
  expect(printed()).toMatch(new RegExp(`^${TIME}  verified: "test" evt_0a1b2c\n`))
  expect((await send(BODY, SECRET)).status).toBe(200)
  await waitFor('evt_0a1b2c, seen before: drop it\n')
  expect((await send(BODY, makeSecret())).status).toBe(400)
  await waitFor('refused: the signature is not that of this body and secret\n')
  expect(printed()).not.toContain(SECRET.slice(6, 20))
  expect(await stop()).toBe(0)
})

test('it can fail, be slow, and take the old signature of positions', async () => {
  const failing = await startListening(['--fail', '503', '--slow', '0.05', '--legacy'])
  expect((await failing.send(BODY, SECRET, true)).status).toBe(503)
  await failing.waitFor('verified')
  expect((await failing.send(BODY, SECRET, false)).status).toBe(503)
  await failing.waitFor('the header x-service-signature-v0 is missing')
})

test('a body that is too long, or no JSON, is reported and harms nothing', async () => {
  const { send, waitFor } = await startListening([])
  expect((await send('x'.repeat(300_000), SECRET)).status).toBe(400)
  await waitFor('refused: the body has more than 262144 bytes')
  expect((await send('not JSON\u001b[2J', SECRET)).status).toBe(200)
  await waitFor('verified: "no type" without an id\nnot JSON [2J\n')
})

test('the secret may stand in a file', async () => {
  const file = join(mkdtempSync(join(process.env.TMPDIR ?? '/tmp', 'tapefold-')), 'secret')
  writeFileSync(file, `${SECRET}\n`)
  const { send } = await startListening(['--secret-file', file], null)
  expect((await send(BODY, SECRET)).status).toBe(200)
})

test.each<[readonly string[], string]>([
  [['listen'], 'TAPEFOLD_WEBHOOK_SECRET is not set; put the secret of the account page there'],
  [['listen', '--secret', SECRET], "Unknown option '--secret'"],
  [['listen', '--secret-file', '/nowhere'], 'ENOENT'],
])('webhook %j is refused', async (args, message) => {
  delete process.env.TAPEFOLD_WEBHOOK_SECRET
  const error = await perform(['webhook', ...args]).catch((reason: Error) => reason)
  expect((error as Error).message).toContain(message)
  expect((error as Error).message).not.toContain(SECRET)
})
