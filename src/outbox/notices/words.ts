import { CODE_MS } from '../../accounts/signIns.ts'
import { WEBHOOK_OFF } from '../store/types.ts'
import { plainText } from './plainText.ts'

/** Text of mails and messages, and the subject of mails. */
export type NoticeWords = { readonly subject: string; readonly text: string }

const MINUTES = CODE_MS / 60_000

/** Subjects are fixed: what happened, and names that users chose, appear in the text only. */
const SUBJECTS = {
  alert: 'Tapefold: an alert',
  position: 'Tapefold: one of your positions',
  test: 'Tapefold: a test',
  off: 'Tapefold: your webhook went off',
} as const

const ORIGIN = /^(?:REPLAY: )?(?:SIMULATED: )?/

/** Text of an event for people: its message, a position's active conditions, how to unsubscribe. */
export function eventWords(body: Buffer, siteUrl: string): NoticeWords {
  const event = JSON.parse(body.toString('utf8')) as {
    readonly type: string
    readonly text: string
    readonly position_id?: string
    readonly on?: readonly string[]
  }
  const text = plainText(event.text)
  const on = event.on ?? []
  const lines = [text, ...(on.length > 0 ? [plainText(`On: ${on.join(', ')}.`)] : [])]
  return {
    // the subject of a replay must not look like that of a live event
    subject: ORIGIN.exec(text)![0] + SUBJECTS[chooseSubject(event)],
    text: `${lines.join('\n')}\n\n${stopText(event, siteUrl)}\n`,
  }
}

function chooseSubject(event: { type: string; position_id?: string }): keyof typeof SUBJECTS {
  if (event.type === WEBHOOK_OFF) return 'off'
  if (event.type === 'test') return 'test'
  return event.position_id === undefined ? 'alert' : 'position'
}

function stopText({ position_id }: { position_id?: string }, siteUrl: string): string {
  const where = `${siteUrl}/account#contacts`
  return position_id === undefined
    ? `To stop these messages, turn alerts off for this contact, or remove it: ${where}`
    : `To stop these messages, set the alerts of ${plainText(position_id)} to off, or remove ` +
        `this contact: ${where}`
}

/** Message with the code that proves a contact. */
export const contactCodeWords = (code: string, siteUrl: string): NoticeWords => ({
  subject: 'Tapefold: your code',
  text: `${code} is your code. It adds this contact to a Tapefold account, at
${siteUrl}/account#contacts
It works once, for ${MINUTES} minutes.

If you did not ask for it, do nothing: without the code you get no messages.
`,
})

type SignInCode = {
  readonly accountId: string
  readonly accountName: string
  readonly code: string
}

/** Message with the codes of all accounts that have proven an address. */
export const signInWords = (codes: readonly SignInCode[], siteUrl: string): NoticeWords => ({
  subject: 'Tapefold: sign in',
  text: `Open ${siteUrl}/account/enter and type this code:

${codes
  .map(({ code, accountId, accountName }) => `${code}  ${accountId} ${plainText(accountName)}`)
  .join('\n')}

It works once, for ${MINUTES} minutes. Never give it to anybody: whoever has it can make keys.
If you did not ask for it, do nothing. To stop these mails, remove this address from the contacts
of the account: ${siteUrl}/account#contacts
`,
})
