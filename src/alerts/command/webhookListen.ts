import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandWork } from '../../accounts/commandContext.ts'
import { systemClock } from '../../core/clock.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { printable, shown } from '../../core/disk/text.ts'
import { wallTimeEt } from '../../core/market/calendar.ts'
import { stopSignal } from '../../core/stop.ts'
import type { Config } from '../../platform/config.ts'
import { createSeenIds, explainRefusal } from '../../platform/webhooks/verify.ts'
import type { WEBHOOK } from './rows.ts'

type Run<Name extends string> = CommandWork<typeof WEBHOOK, Name>

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

/** Runs `tapefold webhook listen`. */
export const webhookListenCommand: Run<'webhook listen'> = (input, { config }) =>
  listen(input.port, {
    status: input.fail ?? null,
    slowMs: input.slow * 1000,
    secret: findSecret(input['secret-file'], config),
    isLegacy: input.legacy,
  })

/** Reads the secret, never from an option: other users of a machine see a command's arguments. */
function findSecret(
  file: string | undefined,
  { webhookSecret }: Pick<Config, 'webhookSecret'>,
): string {
  const text = file === undefined ? webhookSecret : readSecret(file)
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
