import { type NoticeOutcome, outcomeOf } from './outcome.ts'
import { type ChatPaceDeps, openPace } from './pace.ts'
import { isChatId } from './places.ts'

export type TelegramOutcome = NoticeOutcome & {
  /** The chat takes nothing of the bot any more, or never did. */
  readonly isShut: boolean
}

export type Telegram = {
  /** Sends once, when it is the chat's turn. Never fails: what went wrong is in the outcome. */
  readonly send: (message: { chat: string; text: string }) => Promise<TelegramOutcome>
}

export type TelegramDeps = ChatPaceDeps & {
  /** Where messages of the bot are posted: its secret stands in there. */
  readonly url: string
  readonly tryMs?: number
}

/** How long a message may take once it is its turn. */
export const TELEGRAM_TRY_MS = 8_000
const ANSWER_MAX_BYTES = 65_536
/** Longest wait that is believed; a retry after a longer one would be of no use. */
const WAIT_MAX_MS = 3_600_000

/** Sends messages of a bot. No markup is read in them, and nothing of who gets them is. */
export function openTelegram({ url, tryMs = TELEGRAM_TRY_MS, ...deps }: TelegramDeps): Telegram {
  const { elapsedMs } = deps
  const pace = openPace(deps)
  return {
    send: async ({ chat, text }) => {
      const askedMs = elapsedMs()
      const shut = { isShut: false }
      const ended = (result: NoticeOutcome['result'], more: Partial<NoticeOutcome>) => ({
        ...outcomeOf(result, Math.round(elapsedMs() - askedMs), more),
        ...shut,
      })
      if (!isChatId(chat)) return ended('failed', { error: 'address' })
      const waitMs = await pace.turn(chat)
      if (waitMs > 0) return ended('retry', { error: 'paced', waitMs })
      const answer = await post(url, { chat_id: Number(chat), text }, tryMs)
      if (typeof answer === 'string') return ended('retry', { error: answer })
      const { status, body } = answer
      if (status === 200) return ended('sent', { status })
      if (status === 429) {
        const waitMs = waitOf(body)
        pace.hold(chat, waitMs)
        return ended('retry', { status, waitMs })
      }
      if (status >= 500) return ended('retry', { status })
      // what stands between here and Telegram may answer 403 as well
      if (status === 403 && body?.error_code === 403)
        return { ...ended('failed', { status }), isShut: true }
      return ended('failed', { status })
    },
  }
}

type TelegramAnswer = {
  readonly error_code?: unknown
  readonly parameters?: { readonly retry_after?: unknown }
}

/** The status and the JSON of an answer; a word where there is none. Errors name the address. */
async function post(
  url: string,
  message: object,
  tryMs: number,
): Promise<{ status: number; body: TelegramAnswer | null } | 'timeout' | 'connection'> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), tryMs)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      // an address elsewhere gets nothing of what is sent
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...message, link_preview_options: { is_disabled: true } }),
      signal: over.signal,
    })
    return { status: answer.status, body: await readAnswer(answer, over) }
  } catch {
    return over.signal.aborted ? 'timeout' : 'connection'
  } finally {
    clearTimeout(timer)
  }
}

/** The answer where it is a short object of JSON. What is longer is not read to its end. */
async function readAnswer(answer: Response, over: AbortController): Promise<TelegramAnswer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength
      if (size > ANSWER_MAX_BYTES) return null
      chunks.push(chunk)
    }
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return typeof body === 'object' ? (body as TelegramAnswer | null) : null
  } catch (error) {
    // whether it was sent is then not known
    if (over.signal.aborted && answer.status !== 200) throw error
    return null
  }
}

function waitOf(body: TelegramAnswer | null): number {
  const seconds = body?.parameters?.retry_after
  if (typeof seconds !== 'number' || !(seconds > 0)) return 1_000
  return Math.min(Math.ceil(seconds * 1_000), WAIT_MAX_MS)
}
