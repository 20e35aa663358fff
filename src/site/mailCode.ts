import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import PQueue from 'p-queue'
import { signInWords } from '../outbox/notices/words.ts'
import { clientAddress } from '../platform/http/addresses.ts'
import { limitByAddress } from '../platform/http/addressLimit.ts'
import { shown } from '../platform/http/request.ts'
import { isMailAddress } from '../platform/notices/settings.ts'
import type { AccountDeps } from './accountDeps.ts'
import { readForm, refuseInsecure } from './forms.ts'

/** Burst of requested mails with codes per client, and the refill rate per second. */
export const MAIL_REQUESTS = { atOnce: 5, perSecond: 1 / 60 }
/** Mails sent concurrently; others wait, and beyond the second number are not sent at all. */
const AT_ONCE = 4
const WAITING_MAX = 200

type MailResult = { readonly notice?: string; readonly refused?: string }

/** The same text whether or not anybody has verified the address. */
const ON_ITS_WAY =
  'If an account has proven this address, a code for it is on its way. It works for 15 minutes.'

/**
 * Mails codes for sign-in to verified addresses. The address is looked up only after the response
 * is sent: neither its text nor its timing reveals the result.
 */
export function mailCodeHandler(
  { accounts, notices, elapsedMs, log }: AccountDeps,
  draw: (res: Response, result: MailResult, to: string | null) => void,
): RequestHandler {
  const { mailer, siteUrl } = notices
  const queue = new PQueue({ concurrency: AT_ONCE })
  const refusal = 'too many mails with codes were asked for from this address'
  const limit = limitByAddress({ ...MAIL_REQUESTS, readAddress: clientAddress, elapsedMs, refusal })
  const mailCodes = async (address: string): Promise<void> => {
    const atMs = elapsedMs()
    const codes = await accounts.outbox.addMailedCodes({ address, atMs })
    for (const [to, some] of Map.groupBy(codes, code => code.address)) {
      const id = randomUUID()
      const { result, status, error } = await mailer!.send({
        ...signInWords(some, siteUrl),
        to,
        id,
        atMs,
      })
      if (result !== 'sent') log.error({ status, reason: error }, 'a sign-in code was not mailed')
    }
  }
  return async (req, res) => {
    const { fields, origin } = await readForm(req)
    refuseInsecure(origin)
    const refused = limit(req)
    if (refused) throw refused
    const address = (fields.get('address') ?? '').trim()
    const to = fields.get('to')
    if (!isMailAddress(address)) {
      const sentence = `The address is ${shown(address)}; give one such as you@example.com.`
      return draw(res, { refused: sentence }, to)
    }
    draw(res, { notice: ON_ITS_WAY }, to)
    if (queue.size >= WAITING_MAX) return log.error({}, 'too many sign-in codes wait to be mailed')
    void queue
      .add(() => mailCodes(address))
      .catch((err: unknown) => log.error({ err }, 'a sign-in code was not mailed'))
  }
}
