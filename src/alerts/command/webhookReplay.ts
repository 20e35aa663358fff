import type { CommandWork } from '../../accounts/commandContext.ts'
import { systemClock } from '../../core/clock.ts'
import { UsageError } from '../../core/command.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { shown } from '../../core/disk/text.ts'
import { hasLogin, withoutLogin } from '../../core/text/values.ts'
import { post } from '../../platform/http/post.ts'
import { openWebhookClient } from '../../platform/webhooks/client.ts'
import { signedHeaders } from '../../platform/webhooks/sign.ts'
import { readEvent } from '../events.ts'
import { ALERTS_OWNER, readSecret } from '../webhook.ts'
import type { WEBHOOK } from './rows.ts'
import { type OnAccount, onAccount } from './webhook.ts'

type Run<Name extends string> = CommandWork<typeof WEBHOOK, Name>

/** Timeout of a call, as in the server's own sender. */
const ATTEMPT_MS = 3000

type Call = {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** Runs `tapefold webhook replay`. */
export const webhookReplayCommand: Run<'webhook replay'> = ({ words, to }, context) =>
  onAccount(context, words[0], async on => {
    const { accounts, accountId, atMs } = on
    const event = await readEvent(accounts, { accountId, eventId: words[1], atMs })
    const { id, type, position_id: position } = event.body as Record<string, string | undefined>
    const owner = position === undefined ? ALERTS_OWNER : (position as `p_${string}`)
    const url = to ?? (await accounts.outbox.findEndpoint(accountId, owner))?.url
    if (url === undefined) throw new Refusal('there is no saved address for it; give one by --to.')
    const secret = await readSecret(on, accountId)
    const body = Buffer.from(JSON.stringify(event.body))
    const isPosition = position !== undefined
    const signed = { type: type!, id: id!, body, secret, atMs, isPosition }
    const call = { url, headers: signedHeaders(signed), body }
    const outcome = to === undefined ? await sendJudged(on, call) : await sendAnywhere(call)
    return `${id} was sent to ${url}: ${outcome}\n`
  })

/** Sends to the saved address, as a server does. Fails with a Refusal where it does not arrive. */
async function sendJudged({ webhooks }: OnAccount, call: Call): Promise<string> {
  const client = openWebhookClient({
    ...webhooks.rules,
    resolver: webhooks.resolve,
    elapsedMs: systemClock.nowMs,
  })
  try {
    const { result, status, error, ms } = await client.post(call)
    if (result === 'sent') return `${status} in ${ms} ms`
    throw new Refusal(`${call.url} did not take it: ${status ?? error} after ${ms} ms.`)
  } finally {
    await client.close()
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Sends to any address the user gives. Fails with a Refusal where it does not arrive. */
async function sendAnywhere({ url, headers, body }: Call): Promise<string> {
  const target = URL.canParse(url) ? new URL(url) : null
  const isPlain = target?.protocol === 'http:' && LOOPBACK.test(target.hostname)
  if (target?.protocol !== 'https:' && !isPlain) {
    const good = 'give an https:// address, or http:// on this machine'
    const seen = shown(withoutLogin(url))
    throw new UsageError(`--to is ${seen}; ${good}, such as http://127.0.0.1:8787.`)
  }
  if (hasLogin(url)) throw new UsageError('--to has a login in it; give the address without it.')
  const signal = AbortSignal.timeout(ATTEMPT_MS)
  const response = await post({ url: target!, headers, body, signal }).catch((error: Error) => {
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    throw new Refusal(`${url} did not answer: ${reason}.`)
  })
  response.destroy()
  const status = response.statusCode!
  if (status >= 200 && status <= 299) return String(status)
  throw new Refusal(`${url} did not take it: ${status}.`)
}
