import type { IncomingMessage } from 'node:http'
import { post } from '../http/post.ts'
import { type ChatThrottleDeps, openChatThrottle } from './chatThrottle.ts'
import { createOutcome, type NoticeOutcome } from './outcome.ts'
import { isChatId } from './settings.ts'

export type TelegramOutcome = NoticeOutcome & {
  /** True when the chat no longer accepts messages of the bot, or never did. */
  readonly isShut: boolean
}

/** Word for the delivery log: the group has become another chat, which receives its messages. */
export const MOVED = 'moved'

export type Telegram = {
  /** Sends once, when the chat's slot arrives. Never fails: errors are in the outcome. */
  readonly send: (message: { chat: string; text: string }) => Promise<TelegramOutcome>
}

export type TelegramDeps = ChatThrottleDeps & {
  /** URL that messages of the bot are posted to; it contains the secret. */
  readonly url: string
  readonly timeoutMs?: number
}

/** Time limit of a message once its slot has arrived. */
export const TELEGRAM_TIMEOUT_MS = 8_000
const RESPONSE_MAX_BYTES = 65_536
/** Longest requested wait that is honoured; a later retry would be of no use. */
const WAIT_MAX_MS = 3_600_000

/** Sends messages of a bot, without markup; reads no data of the recipients. */
export function openTelegram({
  url,
  timeoutMs = TELEGRAM_TIMEOUT_MS,
  ...deps
}: TelegramDeps): Telegram {
  const { elapsedMs } = deps
  const throttle = openChatThrottle(deps)
  return {
    send: async ({ chat, text }) => {
      const startedMs = elapsedMs()
      const ended = (
        result: NoticeOutcome['result'],
        { isShut = false, ...more }: Partial<TelegramOutcome>,
      ) => ({ ...createOutcome(result, Math.round(elapsedMs() - startedMs), more), isShut })
      if (!isChatId(chat)) return ended('failed', { error: 'address' })
      const waitMs = await throttle.acquire(chat)
      if (waitMs > 0) return ended('retry', { error: 'paced', waitMs })
      const response = await postMessage(url, { chat_id: Number(chat), text }, timeoutMs)
      if (typeof response === 'string') return ended('retry', { error: response })
      const { status, body } = response
      if (status === 200) return ended('sent', { status })
      if (status === 429) {
        const waitMs = readWaitMs(body)
        throttle.hold(chat, waitMs)
        return ended('retry', { status, waitMs })
      }
      if (status >= 500) return ended('retry', { status })
      // a proxy in between may reply with the same status
      if (body?.error_code !== status) return ended('failed', { status })
      if (status === 403) return ended('failed', { status, isShut: true })
      if (status === 400) return ended(...refusedMessage(body))
      return ended('failed', { status })
    },
  }
}

/** Descriptions of refusals that concern the chat, whatever is sent: a retry never helps. */
const NO_CHAT = /chat not found|peer_id_invalid|group chat was (deactivated|deleted)/i
const NO_RIGHTS = /rights to send|chat_write_forbidden|administrator rights/i

/** Reads a refusal with status 400, which determines the next step. */
function refusedMessage({
  description,
  parameters,
}: TelegramResponse): ['retry' | 'failed', Partial<TelegramOutcome>] {
  const status = 400
  const movedTo = String(parameters?.migrate_to_chat_id)
  if (isChatId(movedTo)) return ['retry', { status, error: MOVED, movedTo }]
  const text = typeof description === 'string' ? description : ''
  if (NO_CHAT.test(text)) return ['failed', { status, error: 'no_chat', isShut: true }]
  if (NO_RIGHTS.test(text)) return ['failed', { status, error: 'no_rights', isShut: true }]
  return ['failed', { status }]
}

type TelegramResponse = {
  readonly error_code?: unknown
  readonly description?: unknown
  readonly parameters?: { readonly retry_after?: unknown; readonly migrate_to_chat_id?: unknown }
}

/** Returns status and JSON of a response, or an error word. Errors contain the address. */
async function postMessage(
  url: string,
  message: object,
  timeoutMs: number,
): Promise<{ status: number; body: TelegramResponse | null } | 'timeout' | 'connection'> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), timeoutMs)
  try {
    const response = await post({
      url: new URL(url),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...message, link_preview_options: { is_disabled: true } }),
      signal: over.signal,
    })
    return { status: response.statusCode!, body: await readResponse(response, over) }
  } catch {
    return over.signal.aborted ? 'timeout' : 'connection'
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a response that is a short JSON object; longer bodies are not read to the end. */
async function readResponse(
  response: IncomingMessage,
  over: AbortController,
): Promise<TelegramResponse | null> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      size += (chunk as Buffer).byteLength
      if (size > RESPONSE_MAX_BYTES) return null
      chunks.push(chunk as Buffer)
    }
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return typeof body === 'object' ? (body as TelegramResponse | null) : null
  } catch (error) {
    // whether it was sent is then unknown
    if (over.signal.aborted && response.statusCode !== 200) throw error
    return null
  }
}

function readWaitMs(body: TelegramResponse | null): number {
  const seconds = body?.parameters?.retry_after
  if (typeof seconds !== 'number' || !(seconds > 0)) return 1_000
  return Math.min(Math.ceil(seconds * 1_000), WAIT_MAX_MS)
}
