import type { AccountPageResponse, AccountRequest } from '../../accounts/accountPage.ts'
import { accountForm } from '../../accounts/accountPage.ts'
import { counted } from '../../core/text/counts.ts'
import { assetPath } from '../../platform/html/assets.ts'
import { countText } from '../../platform/html/figures.ts'
import { type Dotted, dottedOnce } from '../../platform/html/glossary.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { sayRule } from '../language/say.ts'
import type { ChatReply, LabIdea, LabState, LabTested } from '../schema.ts'
import { sayForm } from './chatView.ts'
import { markedText, readList } from './markedText.ts'
import { type FormRefusal, ideaPath } from './pageDeps.ts'
import { type Structs, structsPart } from './structPages.ts'

/** Outcome of a form just sent on a page. */
export type LabFormNotice = {
  readonly refused?: FormRefusal
  /** A message that began no idea; `reply` is the response to it. */
  readonly message?: string
  readonly reply?: Exclude<ChatReply, { kind: 'spec' }>
}

/** Example sentences. */
const EXAMPLES = [
  'At 10:00 sell the 10-wide put spread 30 points below spot if net gamma is positive.',
  'At 15:00 sell the strangle at 1.5 expected moves, exit at 40% profit.',
  'After an order over $25M premium that removes gamma, buy the 20-wide put spread at the money.',
] as const

/**
 * Page of all ideas of an account, the test in progress, its credits, and the form of a new idea.
 */
export function ideasPage(
  request: AccountRequest,
  { state, structs }: { readonly state: LabState; readonly structs: Structs },
  notice: LabFormNotice,
): AccountPageResponse {
  const { ideas } = state
  const dotted = dottedOnce()
  return {
    status: notice.refused?.status ?? 200,
    page: {
      title: 'LAB',
      styles: [assetPath('lab.css')],
      main: html`<div class="text lab">
<nav class="crumbs" aria-label="Where this is"><ul><li><a href="/account">Account</a></li>
<li>LAB</li></ul></nav>
<h1>LAB</h1>
<p class="lead">Type a trading rule in plain words. LAB says back the exact
${dotted('idea', 'rule')}, asks for what is missing, and tests it on past sessions.</p>
${creditsPart(state, dotted)}
<section class="part" aria-labelledby="new-title"><h2 id="new-title">A new idea</h2>
${noticePart(notice)}
${sayForm(request, {
  id: null,
  label: 'The rule in words',
  button: 'Read it',
  ...(notice.message !== undefined && notice.reply?.kind !== 'chat'
    ? { text: notice.message }
    : {}),
})}
<details${ideas.length === 0 && html` open`}><summary>Examples</summary>
${accountForm(
  request,
  'lab/chat',
  html`<ul class="questions">${EXAMPLES.map(
    example =>
      html`<li><button class="plain small" name="message"
value="${example}">${example}</button></li>\n`,
  )}</ul>`,
)}</details></section>
<section class="part" aria-labelledby="ideas-title"><h2 id="ideas-title">Ideas</h2>
${
  ideas.length === 0
    ? html`<p>There is none yet.</p>`
    : html`<ul class="cards">${ideas.toReversed().map(idea => ideaCard(idea, state))}</ul>`
}</section>
${structsPart(structs)}
</div>`,
    },
  }
}

function creditsPart({ balance, conveyor, ideas }: LabState, dotted: Dotted): Html {
  const holder = ideas.find(({ id }) => id === conveyor)
  return html`<dl class="facts">
<dt>${dotted('credit', 'Credits')}</dt><dd>${countText(balance.total)}: ${countText(
    balance.monthly,
  )} of this month, ${countText(balance.purchased)} bought</dd>
<dt>${dotted('conveyor', 'Conveyor')}</dt><dd>${
    holder ? html`<a href="${ideaPath(holder.id)}">${holder.name}</a>` : 'free'
  }</dd></dl>
${
  balance.total <= 0 &&
  html`<p class="note bad">There are no credits: LAB reads messages and runs tests only with one or
more. <a href="/pricing">Plans</a></p>`
}`
}

/** Explains why a message began no idea: which words were read, and which were not. */
function noticePart({ refused, message, reply }: LabFormNotice): Html | null {
  if (refused !== undefined) {
    return html`<div class="note bad" role="alert"><p>${refused.sentence}</p></div>`
  }
  if (message === undefined || !reply) return null
  const unread = reply.kind === 'error' ? reply.unread : []
  return html`<div class="note${reply.kind === 'error' && ' bad'}" role="status">
<p>${reply.say}</p>
<p class="words">${markedText(message, reply.read, unread)}</p>${readList(
    message,
    reply.read,
  )}</div>`
}

/** Labels of the stages, in order. */
export const STAGES = [
  { stage: 'rule', name: 'rule' },
  { stage: 'tested', name: 'backtested' },
  { stage: 'ready', name: 'optimized' },
  { stage: 'desk', name: 'on the desk' },
] as const satisfies readonly { readonly stage: LabIdea['stage']; readonly name: string }[]

export const stageName = (stage: LabIdea['stage']): string =>
  STAGES.find(one => one.stage === stage)!.name

const ideaCard = (
  { id, name, stage, spec, on, results, missing = [] }: LabIdea,
  { conveyor }: LabState,
): Html => html`<li class="card">
<h3><a class="name" href="${ideaPath(id)}">${name}</a></h3>
${spec !== null && html`<p class="small words">${sayRule(spec)}</p>`}
<p>${stateText(spec !== null, stage, results !== null)}${
  stage === 'desk' && (on ? ', running' : ', off')
}${conveyor === id && html`, <strong>on the conveyor</strong>`}</p>
${results?.backtest && html`<p class="quiet small">${foundText(results.backtest)}</p>`}
${missing.length > 0 && html`<p class="quiet small">asks for: ${missing.join(', ')}</p>`}
</li>
`

function stateText(hasRule: boolean, stage: LabIdea['stage'], isTested: boolean): string {
  if (!hasRule) return 'no rule yet'
  if (stage !== 'rule') return stageName(stage)
  return isTested ? 'to be tested again' : 'not tested yet'
}

/** Summary of a backtest in a few words. */
const foundText = ({ legs }: LabTested): string => {
  const trades = counted(
    legs.reduce((sum, { n }) => sum + n, 0),
    'trade',
  )
  const good = legs.filter(({ interesting }) => interesting).length
  if (good === 0) return `Backtest: ${trades}, not interesting`
  return `Backtest: ${trades}, ${good === legs.length ? '' : 'one trade '}interesting`
}
