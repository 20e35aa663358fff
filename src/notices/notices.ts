import type { ContactChannel } from '../accounts/outbox/types.ts'
import { type Mailer, type MailerDeps, openMailer } from './mailer.ts'
import { openTelegram, type Telegram } from './telegram.ts'

/** What an operator says of mail and Telegram; null where there is none. */
export type NoticeSettings = {
  readonly mail: Pick<MailerDeps, 'server' | 'from' | 'trusted'> | null
  /** Where messages of the bot are posted. */
  readonly telegramUrl: string | null
  /** Where people reach the account page, such as https://tapefold.example. */
  readonly siteUrl: string
}

/** What can be sent to people from this process. */
export type Notices = {
  readonly mailer: Mailer | null
  readonly telegram: Telegram | null
  readonly siteUrl: string
  readonly close: () => void
}

export const NO_NOTICES: NoticeSettings = {
  mail: null,
  telegramUrl: null,
  siteUrl: 'http://127.0.0.1:8080',
}

/** Connects to nothing until something is sent. */
export function openNotices(settings: NoticeSettings, elapsedMs: () => number): Notices {
  const { mail, telegramUrl, siteUrl } = settings
  const mailer = mail && openMailer({ ...mail, elapsedMs })
  const telegram = telegramUrl === null ? null : openTelegram({ url: telegramUrl, elapsedMs })
  return { mailer, telegram, siteUrl, close: () => mailer?.close() }
}

/** The channels that this process can send to, in the order in which they are offered. */
export const listChannels = ({ mailer, telegram }: Notices): readonly ContactChannel[] => [
  ...(mailer ? (['email'] as const) : []),
  ...(telegram ? (['telegram'] as const) : []),
]
