import { type Mailer, type MailerDeps, openMailer } from './mailer.ts'
import { openTelegram, type Telegram } from './telegram.ts'

/** An operator's settings for mail and Telegram; null where not configured. */
export type NoticeSettings = {
  readonly mail: Pick<MailerDeps, 'server' | 'from' | 'trusted'> | null
  /** URL that messages of the bot are posted to. */
  readonly telegramUrl: string | null
  /** Public URL of the account page, such as https://tapefold.example. */
  readonly siteUrl: string
}

/** Senders of notices that this process has. */
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

/** Connects only when something is sent. */
export function openNotices(settings: NoticeSettings, elapsedMs: () => number): Notices {
  const { mail, telegramUrl, siteUrl } = settings
  const mailer = mail && openMailer({ ...mail, elapsedMs })
  const telegram = telegramUrl === null ? null : openTelegram({ url: telegramUrl, elapsedMs })
  return { mailer, telegram, siteUrl, close: () => mailer?.close() }
}

/** Channels that this process can send to, in display order. */
export const listChannels = ({ mailer, telegram }: Notices) => [
  ...(mailer ? (['email'] as const) : []),
  ...(telegram ? (['telegram'] as const) : []),
]
