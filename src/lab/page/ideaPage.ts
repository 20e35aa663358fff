import type { AccountPageResponse, AccountRequest } from '../../accounts/accountPage.ts'
import { counted } from '../../core/text/counts.ts'
import { assetPath } from '../../platform/html/assets.ts'
import { dottedOnce } from '../../platform/html/glossary.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { sayRule } from '../language/say.ts'
import { canonicalJson, ruleHash } from '../language/spec.ts'
import type { LabIdea, LabJob, LabTested } from '../schema.ts'
import { chatList, questionList, sayForm } from './chatView.ts'
import { deskPart } from './deskPart.ts'
import { actionsPart } from './ideaActions.ts'
import { STAGES, stageName } from './ideasPage.ts'
import { jobPart } from './jobPart.ts'
import { ideaPath, TEST_KINDS } from './pageDeps.ts'
import type { ShownIdea } from './shownIdea.ts'
import { KIND_NAMES } from './texts.ts'

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
