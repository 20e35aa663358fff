import {
  type AccountPageResponse,
  type AccountRequest,
  accountForm,
} from '../../accounts/accountPage.ts'
import { counted } from '../../core/text/counts.ts'
import { assetPath } from '../../platform/html/assets.ts'
import { dottedOnce } from '../../platform/html/glossary.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { sayRule } from '../language/say.ts'
import { canonicalJson, ruleHash } from '../language/spec.ts'
import type { LabIdea, LabJob, LabState, LabTested } from '../schema.ts'
import { chatList, questionList, sayForm } from './chatView.ts'
import { type DrawnIdea, deskPart } from './deskPart.ts'
import { STAGES, stageName } from './ideasPage.ts'
import { jobPart } from './jobPart.ts'
import { type FormRefusal, ideaPath, TEST_KINDS } from './pageDeps.ts'
import type { Exchange } from './rereadThread.ts'
import { KIND_NAMES } from './texts.ts'

/** Actions on an idea besides messages: a button each, by its stage. */
function actionsPart(request: AccountRequest, shown: ShownIdea): Html {
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

/** Refresh interval of a test's progress for browsers without scripts, seconds. */
const RENEWED_AFTER_SECONDS = 3

/** Page of an idea: its rule, its progress, its results, and its messages. */
export function ideaPage(request: AccountRequest, shown: ShownIdea): AccountPageResponse {
  const { idea, state, refused, failed, drawn } = shown
  const { id, name, results } = idea
  const job = state.job?.idea === id ? state.job : null
  const isRunning = job !== null
  return {
    status: refused?.status ?? 200,
    page: {
      title: name,
      styles: [assetPath('lab.css')],
      ...(isRunning
        ? { scripts: [assetPath('lab.js')], renewedAfterSeconds: RENEWED_AFTER_SECONDS }
        : {}),
      main: html`<div class="text lab">
<nav class="crumbs" aria-label="Where this is"><ul><li><a href="/account/lab">LAB</a></li>
<li>${name}</li></ul></nav>
<h1 class="name">${name}</h1>
${stageSteps(idea)}
${refused !== null && html`<div class="note bad" role="alert"><p>${refused.sentence}</p></div>`}
${job && jobPart(job, ideaPath(id))}
${failed && failedNote(failed)}
${rulePart(shown)}
${drawn && deskPart(drawn)}
${results && resultsPart(id, results)}
${actionsPart(request, shown)}
${chatPart(request, shown, isRunning)}
</div>`,
    },
  }
}

const stageSteps = ({ stage, spec }: LabIdea): Html =>
  html`<ol class="steps" aria-label="Stages">${STAGES.map(
    ({ stage: one, name }) =>
      html`<li${one === stage && spec !== null && html` aria-current="step"`}>${name}</li>\n`,
  )}</ol>`

function rulePart({ idea, state }: ShownIdea): Html {
  const { spec, stage, id } = idea
  const dotted = dottedOnce()
  if (spec === null) return html`<p>It is not a rule yet: something is missing.</p>`
  return html`<p class="rule words">${sayRule(spec)}</p>
<p class="quiet small">Rule <span class="mono">${ruleHash(spec).slice(0, 12)}</span>, ${
    stage === 'rule' ? 'not tested yet' : stageName(stage)
  }${state.conveyor === id && html`, holds the ${dotted('conveyor')}`}.</p>
<details><summary>The rule as JSON</summary><pre class="wrap"><code>${canonicalJson(
    spec,
  )}</code></pre></details>`
}

const failedNote = ({ kind, error, refunded }: LabJob): Html => html`<div class="note bad"
role="alert"><p>${KIND_NAMES[kind]} failed: ${error}${
  refunded === true && ' The credit was given back.'
}</p></div>`

const resultsPart = (
  id: string,
  results: NonNullable<LabIdea['results']>,
): Html => html`<section class="part" aria-labelledby="results-title">
<h2 id="results-title">Results</h2>
<ul>${TEST_KINDS.map(kind => {
  const tested = results[kind]
  return tested && resultItem(`${ideaPath(id)}/${kind}`, KIND_NAMES[kind], tested)
})}</ul></section>`

const resultItem = (path: string, name: string, { legs, to }: LabTested): Html =>
  html`<li><a href="${path}">${name}</a> on sessions up to ${to}: ${legs.map(
    ({ interesting, n }, index) =>
      html`${index > 0 && '; '}${
        legs.length > 1 && `trade ${index + 1} of the rule: `
      }${counted(n, 'trade')}, ${
        interesting ? html`<span class="green">interesting</span>` : 'not interesting'
      }`,
  )}</li>
`

function chatPart(
  request: AccountRequest,
  { idea, exchanges, earlier, typed }: ShownIdea,
  isRunning: boolean,
): Html {
  const { id, missing = [] } = idea
  return html`<section class="part" id="chat" aria-labelledby="chat-title">
<h2 id="chat-title">What was said</h2>
${
  earlier > 0 &&
  html`<p><a href="${ideaPath(id)}?before=${earlier}">Earlier messages (${earlier})</a></p>`
}
${chatList(exchanges, earlier + 1)}
${isRunning ? null : questionList(request, id, missing)}
${
  isRunning
    ? html`<p>It can be changed again when the test is over.</p>`
    : sayForm(request, {
        id,
        label: missing.length > 0 ? 'Answer, or change it' : 'Change it, such as: make it 15 wide',
        button: 'Send',
        text: typed,
      })
}</section>`
}

/** One idea, as its page shows it. */
type ShownIdea = {
  readonly idea: LabIdea
  readonly state: LabState
  readonly exchanges: readonly Exchange[]
  /** Number of messages before those. */
  readonly earlier: number
  /** A test of it that has just failed; null: none has. */
  readonly failed: LabJob | null
  /** Reason why a form was refused. */
  readonly refused: FormRefusal | null
  /** Text typed into the refused form. */
  readonly typed: string
  /** Picture of the newest session; null: none. */
  readonly drawn: DrawnIdea | null
}
