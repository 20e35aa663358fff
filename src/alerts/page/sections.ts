import {
  type AccountRequest,
  type AccountSection,
  accountForm,
} from '../../accounts/accountPage.ts'
import { refusing } from '../../accounts/formRefusal.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { EVENTS_PER_MINUTE_MAX } from '../../platform/webhooks/delivery.ts'
import { readAlerts } from '../ask.ts'
import { ENTRY_FIELDS, LIST_ROWS, type ListTypeRow, listRow } from '../catalogue.ts'
import type { AttemptWire, DeliveryWire } from '../eventSchema.ts'
import { readDeliveries } from '../events.ts'
import type { ListEntry, ListType, OrderRule } from '../kinds.ts'
import { DELIVERIES_USUAL } from '../limits.ts'
import { RULE_FIELDS, RULES_MAX } from '../ruleFields.ts'
import { sendOnDemand } from '../send.ts'
import { fieldInput, formatTitle, toWords } from './fieldInput.ts'
import { changeByForm, filledIn, readFormFields } from './formChange.ts'
import { linesSection } from './linesSection.ts'
import { type PreviewSectionDeps, previewSection } from './previewSection.ts'
import { type AlertSectionDeps, isNotified } from './sectionDeps.ts'
import { webhookSection } from './webhookSection.ts'

/** The newest deliveries of an account with every attempt; each can be sent again. */
const deliveriesSection = (deps: AlertSectionDeps): AccountSection => ({
  name: 'deliveries',
  title: 'Deliveries',
  draw: async request => {
    const { deliveries } = await readDeliveries(deps.accounts, {
      accountId: request.account.id,
      eventId: null,
      before: null,
      limit: DELIVERIES_USUAL,
      atMs: request.atMs,
    })
    if (deliveries.length > 0) return deliveryTable(request, deliveries)
    return isNotified(request) ? html`<p>Nothing was sent in the last 30 days.</p>` : null
  },
  forms: {
    again: sent =>
      refusing(async () => {
        const id = sent.fields.get('id') ?? ''
        const at = { accountId: sent.account.id, atMs: deps.nowMs(), dueMs: sent.atMs }
        const send = { op: 'redeliver', id } as const
        await sendOnDemand(deps.accounts, { ...at, repeat: null, send })
        return {
          notice: html`<p><span class="mono">${id}</span> is on its way again. Load the page
again to see how it went.</p>`,
        }
      }),
  },
})

/** Reasons why a delivery was not attempted, in words. */
const REASONS: Readonly<Record<string, string>> = {
  rate: `over ${EVENTS_PER_MINUTE_MAX} in a minute`,
  off: 'the webhook is off',
  late: 'over 5 minutes late',
  removed: 'its address is gone',
  no_contact: 'no proven contact',
  no_secret: 'no secret',
  interrupted: 'interrupted three times',
}

const deliveryTable = (request: AccountRequest, deliveries: readonly DeliveryWire[]): Html =>
  renderTable({
    caption: `The newest ${DELIVERIES_USUAL} deliveries; times in New York`,
    isCaptionHidden: false,
    columns: [
      'queued',
      'event',
      'to',
      'state',
      'tries',
      { head: html`<span class="hidden">send again</span>` },
    ],
    rows: deliveries.map(one => [
      html`<time datetime="${one.queued_at}">${timeText(one.queued_at)}</time>`,
      html`${toWords(one.type)}${
        one.position !== null && html`<br><span class="mono small">${one.position}</span>`
      }`,
      one.channel,
      html`${one.state}${one.reason !== null && html`: ${REASONS[one.reason] ?? one.reason}`}`,
      one.attempts.length > 0 && renderAttempts(one),
      one.ended_at !== null && againForm(request, one),
    ]),
  })

const timeText = (time: string): string => time.slice(0, 19).replace('T', ' ')

const renderAttempts = ({ attempts, event }: DeliveryWire): Html =>
  html`<details><summary>${attempts.length} <span class="hidden">of ${event}</span></summary>
<ol class="attempts">${attempts.map(one => html`<li>${attemptText(one)}</li>`)}</ol>
<p class="mono small">${event}</p></details>`

function attemptText({ started, result, ms, status, error, address }: AttemptWire): string {
  const outcome = status === null ? (error ?? 'no end is known').replaceAll('_', ' ') : `${status}`
  const took = ms === null ? '' : `, ${ms} ms`
  const at = address === null ? '' : `, ${address}`
  return `${timeText(started).slice(11)} ${result}: ${outcome}${took}${at}`
}

const againForm = (request: AccountRequest, { event, type }: DeliveryWire): Html =>
  accountForm(
    request,
    'deliveries/again',
    html`<input type="hidden" name="id" value="${event}">
<button class="plain small">Send again<span class="hidden"> ${type} ${event}</span></button>`,
  )

const NAME = RULE_FIELDS.find(({ name }) => name === 'name')!
const CONDITIONS = RULE_FIELDS.filter(({ name }) => name !== 'name' && name !== 'on')

/** The order rules of an account: adds, switches and removes them. */
const rulesSection = (deps: AlertSectionDeps): AccountSection => ({
  name: 'rules',
  title: 'Order rules',
  draw: async request => {
    if (!isNotified(request)) return null
    const { rules } = await readAlerts(deps.accounts, request.account.id)
    return html`<p>A rule tells of the large orders that all its conditions hold of. What is left
empty holds of any order. ${rules.length} of ${RULES_MAX} are kept.</p>
${rules.length > 0 && html`<ul class="cards">${rules.map(rule => ruleCard(request, rule))}</ul>`}
${rules.length < RULES_MAX && addForm(request)}`
  },
  forms: {
    add: sent => {
      const rule = filledIn(sent.fields, [NAME, ...CONDITIONS])
      // a wall alone is no condition: one is always preselected
      if (rule.wall_within === undefined) delete rule.wall
      return changeByForm(deps, sent, { op: 'add', rule })
    },
    turn: sent => {
      const rule = { id: sent.fields.get('id') ?? '', on: sent.fields.get('on') === 'true' }
      return changeByForm(deps, sent, { op: 'update', rule })
    },
    remove: sent => changeByForm(deps, sent, { op: 'remove', id: sent.fields.get('id') ?? '' }),
  },
})

function ruleCard(request: AccountRequest, rule: OrderRule): Html {
  const { id, name, on, ...conditions } = rule
  const values = conditions as Readonly<Record<string, unknown>>
  const conditionItems = CONDITIONS.filter(field => values[field.name] !== undefined).map(field => {
    const value = values[field.name]
    const words = Array.isArray(value) ? value.map(toWords).join(', ') : toWords(String(value))
    return html`<li>${formatTitle(field)}: ${words}</li>`
  })
  return html`<li class="card">
<h3 class="name">${name}</h3>
<p>${on ? 'on' : html`<strong>off</strong>`}</p>
${conditionItems.length === 0 ? html`<p>every large order</p>` : html`<ul>${conditionItems}</ul>`}
<div class="actions">${accountForm(
    request,
    'rules/turn',
    html`<input type="hidden" name="id" value="${id}">
<input type="hidden" name="on" value="${String(!on)}">
<button class="plain small">Turn ${on ? 'off' : 'on'}<span class="hidden"> ${name}</span></button>`,
  )}
${accountForm(
  request,
  'rules/remove',
  html`<input type="hidden" name="id" value="${id}">
<button class="plain small">Remove<span class="hidden"> ${name}</span></button>`,
)}</div>
</li>
`
}

const addForm = (request: AccountRequest): Html => html`<details><summary>Add a rule</summary>
${accountForm(
  request,
  'rules/add',
  html`<div class="fields">
${fieldInput(NAME, { label: 'Call it, such as big verticals' })}
${CONDITIONS.map(field => fieldInput(field, { empty: 'any' }))}
<button>Add the rule</button>
</div>`,
)}</details>`

/** Every level event in every book, with its parameters and a switch for each. */
const listSection = (deps: AlertSectionDeps): AccountSection => ({
  name: 'alerts',
  title: 'Alerts',
  draw: async request => {
    if (!isNotified(request)) return null
    const { list } = await readAlerts(deps.accounts, request.account.id)
    return html`<p>Choose the level alerts that you want. When each one is sent stands in
<a href="/docs">the documentation</a>; the books are those of the levels pages.</p>
${LIST_ROWS.map(row => renderType(request, row, list))}`
  },
  forms: {
    set: sent => {
      const type = sent.fields.get('type') ?? ''
      const row = LIST_ROWS.find(one => one.type === type)
      const entry = readFormFields(sent.fields, [...SET_FIELDS, ...(row?.parameters ?? [])])
      return changeByForm(deps, sent, { op: 'set', entry: { ...entry, type } })
    },
  },
})

const SET_FIELDS = ENTRY_FIELDS.filter(({ name }) => name === 'book' || name === 'on')

const renderType = (
  request: AccountRequest,
  { type, rule }: ListTypeRow,
  list: readonly ListEntry[],
) =>
  html`<h3>${capital(toWords(type))}</h3>
<p class="quiet">Told when ${ruleWords(rule)}.</p>
${list.filter(entry => entry.type === type).map(entry => entryForm(request, entry))}
`

/** The rule, with its parameters named as in the forms. */
const ruleWords = (rule: string): Html[] =>
  rule.split('`').map((part, at) => (at % 2 ? html`<em>${toWords(part)}</em>` : html`${part}`))

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

function entryForm(request: AccountRequest, entry: ListEntry): Html {
  const { type, book, on } = entry
  const { parameters } = listRow(type as ListType)
  const values = entry as Readonly<Record<string, unknown>>
  const parameterTexts = parameters.map(({ name }) => `${toWords(name)} ${valueText(values[name])}`)
  return html`<details><summary>${toWords(book)}: <strong>${on ? 'on' : 'off'}</strong>
<span class="hidden">, ${toWords(type)}</span><span class="quiet small">${parameterTexts.join(', ')}</span>
</summary>
${accountForm(
  request,
  'alerts/set',
  html`<input type="hidden" name="type" value="${type}">
<input type="hidden" name="book" value="${book}">
<div class="fields">
${fieldInput(ON, { label: 'told', value: on })}
${parameters.map(field => fieldInput(field, { value: values[field.name] }))}
<button class="small">Save<span class="hidden"> ${toWords(type)} of ${toWords(book)}</span></button>
</div>`,
)}</details>
`
}

const ON = ENTRY_FIELDS.find(({ name }) => name === 'on')!

const valueText = (value: unknown): string =>
  Array.isArray(value) ? value.map(toWords).join(' and ') : toWords(String(value))

/** Sections of the account page about alerts. */
export const accountSections = (deps: PreviewSectionDeps): readonly AccountSection[] => [
  webhookSection(deps),
  deliveriesSection(deps),
  listSection(deps),
  linesSection(deps),
  rulesSection(deps),
  previewSection(deps),
]
