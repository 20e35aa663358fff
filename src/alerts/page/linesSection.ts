import {
  type AccountRequest,
  type AccountSection,
  accountForm,
} from '../../accounts/accountPage.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { readAlerts } from '../ask.ts'
import { LINE_FIELDS, LINES_MAX } from '../lineFields.ts'
import type { LineWire } from '../wire.ts'
import { fieldInput, toWords } from './fieldInput.ts'
import { changeByForm, filledIn } from './formChange.ts'
import { type AlertSectionDeps, isNotified } from './sectionDeps.ts'

const named = (...names: readonly string[]) =>
  LINE_FIELDS.filter(({ name }) => names.includes(name))

const COMMON = named('direction', 'mode', 'note')
const OF_KIND = {
  price: [...named('price'), ...COMMON],
  level: [...named('level', 'book', 'offset'), ...COMMON],
}

/** The lines of an account: adds, arms and removes them. */
export const linesSection = (deps: AlertSectionDeps): AccountSection => ({
  name: 'lines',
  title: 'Lines',
  draw: async request => {
    if (!isNotified(request)) return null
    const { lines } = await readAlerts(deps.accounts, request.account.id)
    return html`<p>A line at a price, or one that follows a level. You are told when the index comes
to it. ${lines.length} of ${LINES_MAX} are kept.</p>
${lines.length > 0 && lineTable(request, lines)}
${
  lines.length < LINES_MAX &&
  html`<h3>Add a line</h3>
${addForm(request, 'price', 'at a price')}
${addForm(request, 'level', 'at a level')}`
}`
  },
  forms: {
    add: sent => {
      const kind = sent.fields.get('kind') === 'level' ? 'level' : 'price'
      const line = { kind, ...filledIn(sent.fields, OF_KIND[kind]) }
      return changeByForm(deps, sent, { op: 'add', line })
    },
    arm: sent => changeByForm(deps, sent, { op: 'arm', id: sent.fields.get('id') ?? '' }),
    remove: sent => changeByForm(deps, sent, { op: 'remove', id: sent.fields.get('id') ?? '' }),
  },
})

const lineTable = (request: AccountRequest, lines: readonly LineWire[]): Html =>
  renderTable({
    caption: 'Lines; times in New York',
    columns: ['where', 'told', 'state', 'note', { head: html`<span class="hidden">change</span>` }],
    rows: lines.map(line => [
      describePosition(line),
      `${line.direction === 'any' ? 'either side' : `from ${line.direction}`}, ${line.mode}`,
      line.armed
        ? renderFired('armed', line.fired_at)
        : renderFired(html`<strong>off</strong>`, line.fired_at),
      html`<span class="name">${line.note ?? ''}</span>`,
      html`<div class="actions">${!line.armed && action(request, line, 'arm')}
${action(request, line, 'remove')}</div>`,
    ]),
  })

const renderFired = (state: Html | string, firedAt: string | null): Html =>
  html`${state}${firedAt !== null && html`, fired ${firedAt.slice(0, 16).replace('T', ' ')}`}`

function describePosition(line: LineWire): string {
  if (line.kind === 'price') return String(line.price)
  const { level, book, offset } = line
  const away = offset === 0 ? '' : ` ${offset > 0 ? '+' : '−'} ${Math.abs(offset)}`
  return `${toWords(book)} ${toWords(level)}${away}`
}

const action = (request: AccountRequest, line: LineWire, verb: 'arm' | 'remove'): Html =>
  accountForm(
    request,
    `lines/${verb}`,
    html`<input type="hidden" name="id" value="${line.id}">
<button class="plain small">${verb === 'arm' ? 'Arm' : 'Remove'}<span class="hidden">
the line ${describePosition(line)}, ${line.id}</span></button>`,
  )

const addForm = (request: AccountRequest, kind: 'price' | 'level', words: string): Html =>
  html`<details><summary>A line ${words}</summary>
${accountForm(
  request,
  'lines/add',
  html`<input type="hidden" name="kind" value="${kind}">
<div class="fields">
${OF_KIND[kind].map(field => fieldInput(field, { value: field.default }))}
<button>Add the line<span class="hidden"> ${words}</span></button>
</div>`,
)}</details>
`
