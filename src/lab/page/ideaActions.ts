import type { AccountRequest } from '../../accounts/accountPage.ts'
import { accountForm } from '../../accounts/accountPage.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabIdea } from '../schema.ts'
import { ideaPath } from './pageDeps.ts'
import type { ShownIdea } from './shownIdea.ts'

/** Actions on an idea besides messages: a button each, by its stage. */
export function actionsPart(request: AccountRequest, shown: ShownIdea): Html {
  const { idea, state, exchanges } = shown
  const { id, stage, spec, missing = [] } = idea
  const isOpen = missing.length > 0
  const hasBefore = exchanges.some(({ lab }) => (lab.version ?? 0) > 1) || (isOpen && spec !== null)
  // an idea cannot change during its test
  if (state.job?.idea === id) return html``
  return html`<section class="part" aria-labelledby="actions-title">
<h2 id="actions-title">What next</h2>
${nextStep(request, shown)}
<div class="actions">
${hasBefore && messageButton(request, id, 'undo', 'Undo the last change')}
${state.conveyor === id && actionButton(request, id, 'drop', 'Take it off the conveyor')}
${stage !== 'desk' && deletePart(request, id)}
</div>${stage === 'desk' && html`${deskForm(request, shown)}${openPart(request, id)}${deletePart(request, id)}`}</section>`
}

function nextStep(request: AccountRequest, { idea, state }: ShownIdea): Html {
  const { id, stage, spec, missing = [] } = idea
  if (spec === null || missing.length > 0) {
    return html`<p><a href="#questions">Answer what is open</a>; then test it.</p>`
  }
  if (stage === 'desk') {
    return html`<p>It is on the desk, and ${
      idea.on ? 'runs at each minute that is published.' : 'off: it runs on no live minute.'
    }</p>`
  }
  if (stage === 'ready') {
    return html`<p>It is tested. On the desk it no longer holds the conveyor.</p>
${actionButton(request, id, 'desk', 'Put it on the desk')}`
  }
  const holder = state.ideas.find(one => one.id === state.conveyor && one.id !== id)
  if (holder && state.job?.idea === holder.id) {
    return html`<p>The conveyor is held by <a href="${ideaPath(holder.id)}">${holder.name}</a>, which is
being tested.</p>`
  }
  if (state.balance.total <= 0) return html`<p>There are no credits left for a test.</p>`
  const [kind, name] =
    stage === 'rule' ? ['backtest', 'Run the backtest'] : ['quant', 'Try the variants']
  return accountForm(
    request,
    'lab/run',
    html`${holder && holderNote(holder)}<p>${
      stage === 'rule'
        ? 'The backtest trades the rule over every past session, and keeps the newest fifth apart.'
        : 'Its numbers are changed one and two at a time, on the design sessions alone.'
    } It costs one credit.</p>
<input type="hidden" name="id" value="${id}"><input type="hidden" name="kind" value="${kind!}">
${holder && html`<input type="hidden" name="drop" value="${holder.id}">\n`}<button>${
      holder ? `Take the other off, and ${name![0]!.toLowerCase()}${name!.slice(1)}` : name!
    }</button>`,
  )
}

/** States which idea the test takes off the conveyor, and whether it failed. */
const holderNote = ({ id, name, results }: LabIdea): Html => {
  const legs = (results?.quant ?? results?.backtest)?.legs ?? []
  const hasFailed = legs.length > 0 && legs.every(({ interesting }) => !interesting)
  return html`<p>The conveyor is held by <a href="${ideaPath(id)}">${name}</a>${
    hasFailed ? ', which was found not interesting' : ''
  }. The test takes it off; its results stay on its page until it is tested again.</p>
`
}

const messageButton = (request: AccountRequest, id: string, message: string, text: string): Html =>
  accountForm(
    request,
    'lab/chat',
    html`<input type="hidden" name="id" value="${id}">
<button class="plain small" name="message" value="${message}">${text}</button>`,
  )

const actionButton = (request: AccountRequest, id: string, action: string, text: string): Html =>
  accountForm(
    request,
    'lab/idea',
    html`<input type="hidden" name="id" value="${id}">
<button class="${action === 'desk' ? 'main' : 'plain small'}" name="action"
value="${action}">${text}</button>`,
  )

const openPart = (request: AccountRequest, id: string): Html => html`<details>
<summary>Open its holdout</summary>
<p>Its results then have every trade, those of the sealed sessions too. No rule is judged on these
any more: the next holdout of the account, for all of its ideas, begins with the sessions that come from
now on, and is ready after 60 of them. Until then nothing is called interesting.</p>
${accountForm(
  request,
  'lab/idea',
  html`<input type="hidden" name="id" value="${id}">
<button class="plain small" name="action" value="open">Open it</button>`,
)}</details>`

const deletePart = (request: AccountRequest, id: string): Html => html`<details>
<summary>Delete the idea</summary>
<p>It is gone for good. What it tried still counts among the trials of its kind.</p>
${accountForm(
  request,
  'lab/idea',
  html`<input type="hidden" name="id" value="${id}">
<button class="danger small" name="action" value="delete">Delete it</button>`,
)}</details>`

type Choice = readonly [value: string, text: string]

const choose = (name: string, label: string, chosen: string, choices: readonly Choice[]): Html =>
  html`<label class="field"><span>${label}</span><select name="${name}">
${choices.map(
  ([value, text]) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>\n`,
)}</select></label>`

const deskForm = (request: AccountRequest, { idea }: ShownIdea): Html =>
  accountForm(
    request,
    'lab/idea',
    html`<input type="hidden" name="id" value="${idea.id}">
<input type="hidden" name="action" value="set"><div class="fields">
${choose('on', 'On live minutes', String(idea.on), [
  ['true', 'on'],
  ['false', 'off'],
])}
${choose('draw', 'Drawn on this page', idea.draw, [
  ['off', 'nothing'],
  ['levels', 'its levels'],
  ['trades', 'its trades'],
])}
${choose('alert', 'Told by', idea.alert, [
  ['off', 'nobody'],
  ['telegram', 'Telegram'],
  ['email', 'mail'],
  ['webhook', 'the webhook'],
])}
<button>Save</button></div>`,
  )
