// A server of the API that sends mail and Telegram messages to servers of this machine.

import { expect } from 'vitest'
import type { Contact } from '../../src/outbox/store/types.ts'
import { parseTelegramUrl } from '../../src/platform/notices/settings.ts'
import { startTestApi, type TestApi } from './api.ts'
import { startSmtp, type TestSmtp } from './smtp.ts'
import { respondJson, startTelegram, type TestTelegram, TOKEN } from './telegram.ts'
import { signedIn, type Visitor } from './visitor.ts'

/** Where its messages say that it is. */
export const SITE = 'https://tapefold.example'
export const PASSWORD = 'canary-smtp-password'

export type NoticeApi = {
  readonly api: TestApi
  readonly smtp: TestSmtp
  readonly telegram: TestTelegram
  /** True when the mail server refuses every recipient. */
  readonly mail: { isRefused: boolean }
  readonly listContacts: (accountId: string) => Promise<Contact[]>
  /** A new account that has proven an address of mail. */
  readonly newProven: (address: string) => Promise<{ accountId: string; own: Visitor }>
  /** The mails to an address once there are so many. */
  readonly mailsTo: (address: string, count: number) => Promise<TestSmtp['mails']>
  readonly close: () => Promise<void>
}

/** The code of a contact in a message. */
export const codeIn = (text: string): string => /^[0-9A-Z]{5}-[0-9A-Z]{5}\b/m.exec(text)![0]

export const addMail = (visitor: Visitor, address: string) =>
  visitor.post('/account/contacts/add', { channel: 'email', address, alerts: 'on' })

/** Chat 403 shuts the bot out. */
export async function startNoticeApi(): Promise<NoticeApi> {
  const mail = { isRefused: false }
  const smtp = await startSmtp({
    onAuth: ({ password }, _, done) =>
      password === PASSWORD ? done(null, { user: 'tapefold' }) : done(new Error('no')),
    onRcptTo: (_, __, done) =>
      mail.isRefused
        ? done(Object.assign(new Error(`no ${PASSWORD}`), { responseCode: 550 }))
        : done(),
  })
  const telegram = await startTelegram(({ body }, res) => {
    if (body.chat_id !== 403) return false
    return respondJson(res, 403, { ok: false, error_code: 403, description: TOKEN })
  })
  const server = smtp.server({ user: 'tapefold', pass: PASSWORD })
  const settings = { server, from: 'alerts@tapefold.example', trusted: smtp.trusted }
  const telegramUrl = parseTelegramUrl(telegram.url)
  const api = await startTestApi({ notices: { mail: settings, telegramUrl, siteUrl: SITE } })
  const listContacts = (accountId: string) => api.accounts.outbox.listContacts(accountId)
  return {
    api,
    smtp,
    telegram,
    mail,
    listContacts,
    newProven: async address => {
      const { accountId } = await api.newKey()
      const own = await signedIn(api, accountId)
      await addMail(own, address)
      const [{ id }] = (await listContacts(accountId)) as [Contact]
      const code = codeIn(smtp.mails.at(-1)!.text)
      expect((await own.post('/account/contacts/prove', { id, code })).status).toBe(303)
      return { accountId, own }
    },
    mailsTo: async (address, count) => {
      const all = () => smtp.mails.filter(({ to }) => to[0] === address)
      await expect.poll(() => all().length, { timeout: 30_000 }).toBe(count)
      return all()
    },
    close: async () => {
      await api.close()
      await smtp.close()
      await telegram.close()
    },
  }
}
