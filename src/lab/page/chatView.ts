import type { AccountRequest } from '../../accounts/accountPage.ts'
import { accountForm } from '../../accounts/accountPage.ts'
import { EMPTY, type Html, html } from '../../platform/html/template.ts'
import { renderTime } from '../../platform/html/time.ts'
import { findQuestion, type QuestionRow } from '../language/questions.ts'
import { MESSAGE_MAX } from '../language/read.ts'
import { ACCEPT_QUESTION } from '../model/proposal.ts'
import { markedText, nameOfField, readList } from './markedText.ts'
import type { Exchange, RereadMessage } from './rereadThread.ts'

/** Messages of an idea, and the forms to send more. */

/** The exchanges of a page, oldest first; `first` is the number of the first. */
export const chatList = (exchanges: readonly Exchange[], first: number): Html =>
  html`<ol class="chat" start="${first}">${exchanges.map((one, at) =>
    exchangeItem(one, at === exchanges.length - 1),
  )}</ol>`

const exchangeItem = (
  { you, lab, reread }: Exchange,
  isNewest: boolean,
): Html => html`<li${isNewest && html` id="newest"`}>
<div class="said you"><p class="who">You, ${renderTime(Date.parse(you.at))}</p>
<p class="words">${
  reread ? markedText(you.text, reread.read, reread.unread) : you.text
}</p>${reread && readList(you.text, reread.read)}</div>
<div class="said lab ${lab.kind ?? 'chat'}"><p class="who">LAB${
  lab.version !== undefined && `, version ${lab.version}`
}</p>
<p class="words">${lab.text}</p>${reread && renderDetails(reread)}</div></li>
`

/** Details of a reply: its assumptions, and the parts it changed. */
const renderDetails = ({
  assumptions,
  changed,
}: Pick<RereadMessage, 'assumptions' | 'changed'>): Html =>
  html`${
    changed.length > 0 &&
    html`<p class="quiet small">Changed:</p><ul class="small">${changed.map(
      ({ field, from, to }) =>
        html`<li>${nameOfField(field)}: ${from ?? 'none'} <span aria-label="is now">→</span> ${
          to ?? 'none'
        }</li>\n`,
    )}</ul>`
  }${
    assumptions.length > 0 &&
    html`<p class="quiet small">Taken for granted:</p><ul class="small">${assumptions.map(
      ({ field, value, why }) => html`<li>${nameOfField(field)}: ${value} (${why})</li>\n`,
    )}</ul>`
  }`

export type SayForm = {
  /** Id of the idea; null begins a new one. */
  readonly id: string | null
  readonly label: string
  readonly button: string
  /** Initial text of the field. */
  readonly text?: string
}

/** Form that sends a message. */
export const sayForm = (
  request: Pick<AccountRequest, 'token'>,
  { id, label, button, text = '' }: SayForm,
): Html =>
  accountForm(
    request,
    'lab/chat',
    html`${id !== null && html`<input type="hidden" name="id" value="${id}">\n`}<div class="fields">
<label class="field long"><span>${label}</span>
<textarea name="message" rows="3" maxlength="${MESSAGE_MAX}" required>${text}</textarea></label>
<button>${button}</button>
</div>`,
  )

/** Open questions of an idea: each with buttons for its options, if it has any. */
export function questionList(
  request: Pick<AccountRequest, 'token'>,
  id: string,
  slots: readonly string[],
): Html {
  if (slots.length === 0) return EMPTY
  const rows = slots.map(slot =>
    slot === ACCEPT_QUESTION.slot ? ACCEPT_QUESTION : findQuestion(slot),
  )
  return html`<div class="note" id="questions"><p>To be a rule it needs:</p>
<ul class="questions">${rows.map(row => questionItem(request, id, row, rows.length > 1))}</ul></div>`
}

const questionItem = (
  request: Pick<AccountRequest, 'token'>,
  id: string,
  row: QuestionRow,
  isOneOfSome: boolean,
): Html => html`<li><p>${row.ask}${
  !row.options && html` <span class="quiet">(${HINTS[row.slot] ?? row.unit})</span>`
}</p>
${
  row.options &&
  accountForm(
    request,
    'lab/chat',
    html`<input type="hidden" name="id" value="${id}"><div class="actions">${row.options.map(
      option =>
        html`<button class="plain small" name="message"
value="${formatReply(row, option, isOneOfSome)}">${option}${
          row.slot === 'width' && ' points'
        }</button>\n`,
    )}</div>`,
  )
}</li>
`

/** Example replies, for slots whose unit is not obvious. */
const HINTS: Readonly<Record<string, string>> = {
  strike: 'such as 30 points below, 16 delta, or 1.5 expected moves',
  'entry time': 'New York, such as 10:00',
}

/** Adds the unit to a number that could reply to several questions. */
const formatReply = (
  { slot }: Pick<QuestionRow, 'slot'>,
  option: string,
  isOneOfSome: boolean,
): string => (slot === 'width' && isOneOfSome ? `${option} wide` : option)
