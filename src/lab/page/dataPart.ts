import { counted } from '../../core/text/counts.ts'
import { numberText } from '../../platform/html/figures.ts'
import type { Dotted } from '../../platform/html/glossary.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabResult } from '../result.ts'
import { percentText } from './texts.ts'

const LEFT_OUT: Readonly<Record<LabResult['data']['left_out'][number]['reason'], string>> = {
  not_published: 'not published',
  damaged: 'a file is damaged',
  bad_tape: 'its tape is bad',
  no_minutes: 'it has no minutes of the market',
}

/** Sessions that were used, those that were not, and why. */
export function dataPart({ kind, data, holdout, assume }: LabResult, dotted: Dotted): Html {
  const unsealed =
    kind === 'struct'
      ? 'The newest sessions are kept apart and not looked at.'
      : 'There are too few sessions to keep some apart, so nothing is judged on unseen ones.'
  const byReason = Map.groupBy(data.left_out, ({ reason }) => reason)
  return html`<section class="part" aria-labelledby="data-title"><h2 id="data-title">Data</h2>
<p>${counted(data.used, `${data.kind} session`)} from ${data.from} to ${data.to}${
    data.left_out.length > 0 && `; ${counted(data.left_out.length, 'trading day')} left out`
  }. ${
    holdout === null
      ? unsealed
      : html`The ${dotted('holdout')} is the ${counted(holdout.sessions, 'session')} from
${holdout.from} to ${holdout.to}; it was fixed at the first test of the account.`
  }</p>
${
  byReason.size > 0 &&
  html`<ul>${[...byReason].map(
    ([reason, days]) =>
      html`<li>${LEFT_OUT[reason]}: ${renderDays(days.map(({ day }) => day))}</li>\n`,
  )}</ul>`
}
<p>Taken for granted: a fill ${counted(assume.delay_min, 'minute')} after the decision,
${percentText(assume.spread_factor, 0)} of the half spread paid on each option,
$${numberText(assume.fee_usd, 2)} a contract and side.</p>
</section>`
}

/** Maximum number of days listed without folding. */
const FEW = 5

const renderDays = (days: readonly string[]): Html | string =>
  days.length <= FEW
    ? days.join(', ')
    : html`<details><summary>${counted(days.length, 'day')}</summary>${days.join(', ')}</details>`

/** Results of the same trades under other assumptions, design sessions. */
export function sensitivityPart({ sensitivity, legs }: LabResult, dotted: Dotted): Html | null {
  if (sensitivity.length === 0) return null
  return html`<section class="part" aria-labelledby="sensitivity-title">
<h2 id="sensitivity-title">With other costs and delays</h2>
<p>The rule on the design sessions, one assumption changed at a time.</p>
${renderTable({
  caption: 'Sensitivity',
  columns: [
    'changed',
    ...(legs.length > 1 ? ['trade'] : []),
    ...['trades', 'mean, of the risk'].map(head => ({ head, isNumber: true })),
    { head: dotted('t'), isNumber: true },
  ],
  rows: sensitivity.map(({ changed, leg, n, mean, t }) => [
    changedText(changed),
    ...(legs.length > 1 ? [String(leg + 1)] : []),
    numberText(n, 0),
    percentText(mean),
    numberText(t, 2),
  ]),
})}</section>`
}

const CHANGED: Readonly<Record<string, string>> = {
  spread_factor: 'share of the half spread paid:',
  delay_min: 'minutes from decision to fill:',
  fee_usd: 'USD a contract and side:',
}

const changedText = (changed: string): string =>
  changed.replace(/^\w+/, name => CHANGED[name] ?? name.replaceAll('_', ' '))

/** Number of trials, and its consequence. */
export function lineagePart({ lineage, kind }: LabResult, dotted: Dotted): Html {
  const { versions, trials, looks, family_trials: trialsOfAll, family_looks: looksOfAll } = lineage
  return html`<section class="part" aria-labelledby="lineage-title">
<h2 id="lineage-title">How often it was tried</h2>
<p>The more rules are tried and judged, the better the best of them looks by luck alone. So every
${dotted('trial')} and every ${dotted('look')} counts, those of deleted ideas too${
    kind === 'struct' ? '' : ', and each further look raises what the placebo has to show'
  }.</p>
${renderTable({
  caption: 'Trials and looks',
  columns: ['', 'this idea', 'all ideas of its kind'].map((head, index) =>
    index === 0 ? { head: html`<span class="hidden">what</span>` } : { head, isNumber: true },
  ),
  rows: [
    ['versions of the rule', numberText(versions, 0), '–'],
    ['trials', numberText(trials, 0), numberText(trialsOfAll, 0)],
    ['looks at the holdout', numberText(looks, 0), numberText(looksOfAll, 0)],
  ],
})}</section>`
}

/** Limits of a test of the past. */
export const limitsPart = ({ data }: LabResult): Html => html`<section class="part"
aria-labelledby="limits-title"><h2 id="limits-title">What this does not prove</h2>
<ul>${
  data.kind === 'simulated' &&
  html`<li><strong>These sessions are simulated: no real trade is in them.</strong> The result says
how the test works, nothing on the market.</li>\n`
}<li>The past is one run of the market. What held in it may not hold again.</li>
<li>Prices are quotes at whole minutes. What happens inside a minute is not seen, and a real order
may be filled worse, late or not at all.</li>
<li>The levels are estimates from public trade reports, as they were known at each minute.</li>
<li>A rule that passes every gate can still be luck: the gates make that rare, not impossible.</li>
<li>It is no advice, and nothing here is sent to a broker.</li></ul></section>`
