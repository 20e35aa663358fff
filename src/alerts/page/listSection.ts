import {
  type AccountRequest,
  type AccountSection,
  accountForm,
} from '../../accounts/accountPage.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { readAlerts } from '../ask.ts'
import { ENTRY_FIELDS, LIST_ROWS, type ListTypeRow, listRow } from '../catalogue.ts'
import type { ListEntry, ListType } from '../kinds.ts'
import { fieldInput, toWords } from './fieldInput.ts'
import { changeByForm, readFormFields } from './formChange.ts'
import { type AlertSectionDeps, isNotified } from './sectionDeps.ts'

/** Every level event in every book, with its parameters and a switch for each. */
export const listSection = (deps: AlertSectionDeps): AccountSection => ({
  name: 'alerts',
  title: 'Alerts',
  draw: async request => {
    if (!isNotified(request)) return null
    const { list } = await readAlerts(deps.accounts, request.account.id)
    return html`<p>What you want to be told of the levels. What it takes for each stands in
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
