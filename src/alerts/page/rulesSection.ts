import {
  type AccountRequest,
  type AccountSection,
  accountForm,
} from '../../accounts/accountPage.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { readAlerts } from '../ask.ts'
import type { OrderRule } from '../kinds.ts'
import { RULE_FIELDS, RULES_MAX } from '../ruleFields.ts'
import { fieldInput, formatTitle, toWords } from './fieldInput.ts'
import { changeByForm, filledIn } from './formChange.ts'
import { type AlertSectionDeps, isNotified } from './sectionDeps.ts'

const NAME = RULE_FIELDS.find(({ name }) => name === 'name')!
const CONDITIONS = RULE_FIELDS.filter(({ name }) => name !== 'name' && name !== 'on')

/** The order rules of an account: adds, switches and removes them. */
export const rulesSection = (deps: AlertSectionDeps): AccountSection => ({
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
