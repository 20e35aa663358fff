import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { printable, shown } from '../../src/core/disk/text.ts'
import { wallTimeEt } from '../../src/core/market/calendar.ts'
import { stopSignal } from '../../src/core/stop.ts'
import { isPort } from '../../src/platform/config.ts'
import { createSeenIds, explainRefusal } from '../../src/platform/webhooks/verify.ts'
import { environmentConfig } from './command.ts'

export const LISTEN_USAGE = `usage: tapefold webhook listen [--port N] [--secret-file FILE] ...

Receives webhooks on this machine, at 127.0.0.1, until Ctrl-C: says of each whether its signature is
good, and prints its body. Without a secret nothing can be verified: TAPEFOLD_WEBHOOK_SECRET has it,
or the file does.

  --port N            0 to 65535; 0 takes any free port (8787)
  --secret-file FILE  file with the secret on one line; - reads standard input
  --legacy            verifies X-Service-Signature-V0 instead, which only positions have
  --fail CODE         answers each call with this status, 200 to 599 (200; 400 when it is refused)
  --slow S            answers each call so many seconds late, 0 to 60, such as 3.5 (0)
`

/** Default port. */
const PORT = '8787'
const SLOW_MAX_SECONDS = 60
/** Maximum size of a body; no body of the service has a tenth of it. */
const BODY_BYTES_MAX = 256 * 1024
const CALLS_MAX = 64

type Listening = {
  readonly secret: string
  readonly isLegacy: boolean
  /** Null: status 200, or 400 when a call is refused. */
  readonly status: number | null
  readonly slowMs: number
}

/** Runs `tapefold webhook listen`. Fails with one sentence. */
export async function runListen(args: readonly string[]): Promise<void> {
  const { values } = readArguments(args, {
    usage: LISTEN_USAGE,
    options: {
      data: { type: 'string' },
      port: { type: 'string', default: PORT },
      'secret-file': { type: 'string' },
      legacy: { type: 'boolean', default: false },
      fail: { type: 'string' },
      slow: { type: 'string', default: '0' },
    },
  })
  if (!isPort(values.port)) {
    throw new UsageError(`--port is ${values.port}; give a port from 0 to 65535, such as 8787.`)
  }
  const listening: Listening = {
    status: parseStatus(values.fail),
    slowMs: parseSlowMs(values.slow),
    secret: findSecret(values['secret-file']),
    isLegacy: values.legacy,
  }
  await listen(Number(values.port), listening)
}

function parseStatus(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^[2-5]\d\d$/.test(text)) return Number(text)
  throw new UsageError(`--fail is ${text}; give a status from 200 to 599, such as 500.`)
}

function parseSlowMs(text: string): number {
  const seconds = /^\d{1,2}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (seconds <= SLOW_MAX_SECONDS) return seconds * 1000
  throw new UsageError(`--slow is ${text}; give seconds from 0 to ${SLOW_MAX_SECONDS}, such as 4.`)
}

/** Reads the secret, never from an option: other users of a machine see a command's arguments. */
function findSecret(file: string | undefined): string {
  const text = file === undefined ? environmentConfig().webhookSecret : readSecret(file)
  if (text !== null && text.trim() !== '') return text.trim()
  const missing = file === undefined ? 'TAPEFOLD_WEBHOOK_SECRET is not set' : `${file} is empty`
  throw new Refusal(`${missing}; put the secret of the account page there, or in --secret-file.`)
}

const readSecret = (file: string): string => readFileSync(file === '-' ? 0 : file, 'utf8')

async function listen(port: number, listening: Listening): Promise<void> {
  const seen = createSeenIds()
  const server = createServer((req, res) => {
    respond(req, listening, seen.isNew).then(
      ({ status, lines }) => {
        process.stdout.write(lines.map(line => `${line}\n`).join(''))
        res.writeHead(status).end()
      },
      // the caller has gone
      () => res.destroy(),
    )
  })
  server.maxConnections = CALLS_MAX
  await new Promise<void>((done, failed) => {
    server.once('error', error => failed(portError(error, port)))
    server.listen(port, '127.0.0.1', done)
  })
  const { port: taken } = server.address() as AddressInfo
  process.stdout.write(`listening at http://127.0.0.1:${taken} until Ctrl-C\n`)
  await stopSignal()
  server.close()
  server.closeAllConnections()
}

function portError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') return new Refusal(`port ${port} is taken; give another --port.`)
  if (error.code === 'EACCES') return new Refusal(`port ${port} needs root; give another --port.`)
  return error
}

async function respond(
  req: IncomingMessage,
  { secret, isLegacy, status, slowMs }: Listening,
  isNew: (id: string) => boolean,
): Promise<{ status: number; lines: string[] }> {
  const body = await readBody(req)
  const nowMs = systemClock.nowMs()
  const refusal =
    body === null
      ? `the body has more than ${BODY_BYTES_MAX} bytes`
      : explainRefusal({ headers: req.headers, body, secret, nowMs, legacy: isLegacy })
  await sleep(slowMs)
  const lines = formatCall(body, { refusal, nowMs, isNew })
  return { status: status ?? (refusal === null ? 200 : 400), lines }
}

/** The bytes of a call's body; null when there are too many. */
async function readBody(req: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

type Seen = {
  readonly refusal: string | null
  readonly nowMs: number
  readonly isNew: (id: string) => boolean
}

/** Lines printed for a call; text of others is shown on one line, without control characters. */
function formatCall(body: Buffer | null, { refusal, nowMs, isNew }: Seen): string[] {
  const { minute, second } = wallTimeEt(nowMs)
  const time = `${minute}:${String(second).padStart(2, '0')} ET`
  const text = body === null ? '' : printable(body.toString('utf8'))
  if (refusal !== null) return [`${time}  refused: ${refusal}`, text].filter(line => line !== '')
  const { id, type } = parseEvent(text)
  const again = id === null || isNew(id) ? '' : ', seen before: drop it'
  const name = printable(id ?? 'without an id')
  return [`${time}  verified: ${shown(type ?? 'no type')} ${name}${again}`, text]
}

function parseEvent(text: string): { readonly id: string | null; readonly type: string | null } {
  try {
    const { id, type } = JSON.parse(text) ?? {}
    const isId = typeof id === 'string' && /^evt_\w{1,64}$/.test(id)
    return { id: isId ? id : null, type: typeof type === 'string' ? type : null }
  } catch {
    return { id: null, type: null }
  }
}
