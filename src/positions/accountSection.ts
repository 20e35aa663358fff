import type { z } from 'zod'
import type { AccountRequest, AccountSection, LimitUse } from '../accounts/accountPage.ts'
import { POSITIONS_MAX, planAt } from '../accounts/products.ts'
import { wallTimeEt } from '../core/market/calendar.ts'
import { describeReason } from '../data/published/reasons.ts'
import { term } from '../platform/html/glossary.ts'
import { renderTable } from '../platform/html/table.ts'
import { type Html, html } from '../platform/html/template.ts'
import { checksAt, type JudgingDeps, readAsOfMinute, trackUntil } from './ask.ts'
import type { Check, Track } from './checkSchema.ts'
import { withEndpointState } from './endpoints.ts'
import { LABELS, type Label } from './label.ts'
import type { Position } from './schema.ts'
import type { PositionAccounts } from './store/types.ts'
import { readStoredPositions } from './stored.ts'

export type SectionDeps = Omit<JudgingDeps, 'requester'> & { readonly accounts: PositionAccounts }

/** The positions of an account with today's checks and tracks, as the API returns them. */
export const positionsSection = (deps: SectionDeps): AccountSection => ({
  name: 'positions',
  title: 'Positions',
  draw: async request => {
    const [stored, endpoints] = await Promise.all([
      readStoredPositions(deps.accounts, request.account.id),
      deps.accounts.outbox.listEndpoints(request.account.id),
    ])
    const positions = stored.map(position => withEndpointState(position, endpoints))
    const isHeld = hasPlan(request)
    if (positions.length === 0 && !isHeld) return null
    const lead = html`<p>A position is kept and judged by the API: see
<code>/api/positions</code> in <a href="/docs">the documentation</a>. What its
${term('condition', 'conditions')} add up to is its ${term('label')}.</p>`
    if (positions.length === 0) return html`${lead}<p>This account keeps no position.</p>`
    if (!isHeld) {
      return html`${lead}<p>They are judged again when the account has a plan of the Orders API:
${positions.map(({ kind }) => kind).join(', ')}.</p>`
    }
    const judged = await judgedPositions(deps, request, positions)
    return html`${lead}${judged}`
  },
})

const hasPlan = ({ account, atMs }: AccountRequest): boolean =>
  planAt(account.products, 'orders', atMs) !== null

/** Number of stored positions of an account and its maximum; empty when it may store none. */
export async function positionsUsed(
  accounts: PositionAccounts,
  request: AccountRequest,
): Promise<LimitUse[]> {
  const used = (await accounts.listPositions(request.account.id)).length
  if (used === 0 && !hasPlan(request)) return []
  return [{ what: 'positions kept', used, limit: POSITIONS_MAX, resets: null }]
}

async function judgedPositions(
  deps: SectionDeps,
  { account }: AccountRequest,
  positions: readonly Position[],
): Promise<Html> {
  const asking = { ...deps, requester: { account: account.id } }
  // the day is given, so that the note for a day without minutes has no hint for programs
  const asOfMinute = readAsOfMinute(asking, [wallTimeEt(deps.nowMs()).date], [])
  const { day, t, note, checks } = await checksAt(asking, asOfMinute, positions)
  const tracks = await Promise.all(
    positions.map(position => trackUntil(asking, asOfMinute, position)),
  )
  const at =
    note === undefined ? html`<p>${day} at ${t} ET.</p>` : html`<p class="note">${note}</p>`
  return html`${at}
<ul class="cards">
${positions.map((position, index) => {
  const check = checks[index]!
  // the note common to all of them is shown above
  const { error, ...rest } = check
  return positionCard(position, error === note ? rest : check, tracks[index]!)
})}</ul>`
}

type TrackResponse = z.infer<typeof Track>

function positionCard(position: Position, check: Check, track: TrackResponse): Html {
  const { on, off, unknown } = check.counts
  const counts = `${on} on, ${off} off, ${unknown} unknown`
  return html`<li class="card">
<h3>${position.kind.replace('_', ' ')} ${formatLegs(position)}</h3>
<p>${check.label !== null && html`${labelMark(check.label)} `}<span class="quiet">entry
${position.entry} ET</span></p>
${check.error !== undefined && html`<p>${check.error}</p>`}
${alertText(position)}
${check.conditions.length > 0 && html`<p>${counts}</p>`}
${track.points.length > 0 && trackPicture(track)}
${check.conditions.length > 0 && conditionTable(position, check)}
</li>
`
}

/** Destination of its alerts. */
function alertText({ alert: { channel, url, state, before } }: Position): Html {
  if (channel === 'off') return html`<p class="quiet">alerts off</p>`
  const to = channel === 'webhook' ? html`webhook <span class="name mono">${url}</span>` : channel
  const off = html`, <strong>off</strong>: save its address again to switch it on`
  return html`<p class="quiet">alerts by ${to} from ${before} min before the entry${
    state === 'off' && off
  }</p>`
}

/** Strikes in traders' notation: lower and upper puts, lower and upper calls. */
const formatLegs = ({ legs }: Position): string =>
  [
    [legs.lp, legs.sp].filter(strike => strike !== undefined).join('/'),
    [legs.sc, legs.lc].filter(strike => strike !== undefined).join('/'),
  ]
    .map((strikes, index) => strikes && `${strikes}${index === 0 ? 'P' : 'C'}`)
    .filter(text => text !== '')
    .join(' ')

const conditionTable = ({ id, kind }: Position, { conditions }: Check): Html =>
  html`<details><summary>Conditions</summary>
${renderTable({
  caption: `Conditions of the ${kind.replace('_', ' ')} ${id}`,
  columns: [
    'condition',
    { head: 'value', isNumber: true },
    'on when',
    { head: 'threshold', isNumber: true },
    'state',
  ],
  rows: conditions.map(({ id: name, value, unit, on_when, threshold, state, reason }) => [
    name,
    value === null ? describeReason(reason ?? 'unknown') : `${shownNumber(value)} ${unit}`,
    on_when,
    shownNumber(threshold),
    state,
  ]),
})}</details>`

/** Two digits are enough for the page; the API has all of them. */
const shownNumber = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 2 })

const WIDTH = 240
const HEIGHT = 36
const SLOT = 4

/** Bars: the more conditions are on, the higher and redder; a short grey bar is no label. */
const BARS: Readonly<Record<Label | 'none', { readonly height: number; readonly name: string }>> = {
  TRADE: { height: 12, name: 'bar-good' },
  CAUTION: { height: 22, name: 'bar-warn' },
  SKIP: { height: 34, name: 'bar-bad' },
  none: { height: 4, name: 'bar-none' },
}

const MARKS: Readonly<Record<Label, string>> = { TRADE: 'green', CAUTION: 'amber', SKIP: 'red' }

const labelMark = (label: Label): Html => html`<span class="${MARKS[label]}">${label}</span>`

type Point = TrackResponse['points'][number]

/** The label of each minute of a track as bars, and the same as a table. */
function trackPicture({ id, points }: TrackResponse): Html {
  const [first, last] = [points[0]!.t, points.at(-1)!.t]
  const minuteCounts = LABELS.map(label => [
    label,
    points.filter(one => one.label === label).length,
  ])
  const counts = minuteCounts
    .filter(([, count]) => count !== 0)
    .map(([label, count]) => `${label} ${count}`)
  const text = `Labels from ${first} to ${last} ET, in minutes: ${counts.join(', ') || 'none'}.`
  return html`<figure class="track">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${text}">
<path class="base" d="M0 ${HEIGHT - 0.5}H${WIDTH}"/>
${points.map(({ label }, index) => {
  const { height, name } = BARS[label ?? 'none']
  // the newest minute is at the right edge, also for a session that has just begun
  const x = WIDTH - (points.length - index) * SLOT
  return html`<rect class="${name}" x="${x}" y="${HEIGHT - height}" width="${SLOT - 1}"
height="${height}"/>`
})}
</svg>
<figcaption><span>${first}</span><span>${last} ET</span></figcaption>
<details><summary>The same as a table</summary>
${renderTable({
  caption: `Labels of ${id} from ${first} to ${last}`,
  columns: ['from', 'to', 'label', 'on'],
  rows: mergeRuns(points).map(({ from, to, label, on }) => [from, to, label ?? 'none', on]),
})}</details>
</figure>`
}

type Run = { readonly from: string; to: string; readonly label: Label | null; readonly on: string }

/** Minutes with the same label and the same conditions on, as one row. */
function mergeRuns(points: readonly Point[]): readonly Run[] {
  const runs: Run[] = []
  for (const { t, label, on } of points) {
    const names = on.join(', ')
    const last = runs.at(-1)
    if (last && last.label === label && last.on === names) last.to = t
    else runs.push({ from: t, to: t, label, on: names })
  }
  return runs
}
