import { countText, numberText } from '../../platform/html/figures.ts'
import type { Dotted } from '../../platform/html/glossary.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html, type Piece } from '../../platform/html/template.ts'
import type { LabEra, LabLeg } from '../result.ts'
import { chanceText, type DrawnLeg, percentText, toWords, usdText } from './texts.ts'

type NamedEra = { readonly name: string; readonly era: LabEra }

const listEras = ({ eras }: LabLeg): NamedEra[] =>
  [
    { name: 'all', era: eras.all },
    { name: 'this year', era: eras.this_year },
    { name: 'holdout', era: eras.holdout },
    { name: 'after the first test', era: eras.since ?? null },
  ].flatMap(({ name, era }) => (era === null ? [] : [{ name, era }]))

type Line = {
  readonly head: Piece
  /** Name of the figure, by which the result gives the reason for a null. */
  readonly name: string
  readonly cell: (era: LabEra) => Piece
}

const figureLines = (dotted: Dotted): readonly Line[] => [
  { head: 'from', name: 'from', cell: ({ from }) => from },
  { head: 'to', name: 'to', cell: ({ to }) => to },
  { head: 'sessions', name: 'sessions', cell: ({ sessions }) => countText(sessions) },
  { head: 'sessions with a trade', name: 'days', cell: ({ days }) => countText(days) },
  { head: 'trades', name: 'n', cell: ({ n }) => countText(n) },
  { head: 'trades that count', name: 'n_eff', cell: era => numberText(era.n_eff, 1) },
  { head: 'mean, of the risk', name: 'rule.mean', cell: ({ rule }) => percentText(rule.mean) },
  {
    head: html`mean of the ${dotted('baseline')}`,
    name: 'core.mean',
    cell: ({ core }) => percentText(core.mean),
  },
  { head: 'difference', name: 'net_rr', cell: era => percentText(era.net_rr) },
  {
    head: html`${dotted('t')} of the difference`,
    name: 'net_rr_t',
    cell: era => numberText(era.net_rr_t, 2),
  },
  { head: 'degrees of freedom', name: 'dof', cell: era => numberText(era.dof, 0) },
  { head: 'p of the difference', name: 'p', cell: ({ p }) => chanceText(p) },
  {
    head: 'median, of the risk',
    name: 'rule.median',
    cell: ({ rule }) => percentText(rule.median),
  },
  { head: 'trades that won', name: 'rule.win', cell: ({ rule }) => percentText(rule.win, 0) },
  { head: 'profit in all', name: 'rule.sum_usd', cell: ({ rule }) => usdText(rule.sum_usd) },
  {
    head: 'deepest drawdown',
    name: 'rule.drawdown_usd',
    cell: ({ rule }) => usdText(rule.drawdown_usd),
  },
  { head: 't of the mean', name: 'rule.t', cell: ({ rule }) => numberText(rule.t, 2) },
  { head: 'runs of wins, z', name: 'runs_z', cell: era => numberText(era.runs_z, 2) },
  {
    head: 'chance that 20 trades lose',
    name: 'prob_loss_20',
    cell: era => percentText(era.prob_loss_20),
  },
  { head: 'trades of the baseline', name: 'core.n', cell: ({ core }) => countText(core.n) },
  { head: 'unresolved trades', name: 'unresolved', cell: era => countText(era.unresolved) },
]

/** Figures of a leg over each era, next to the same trades without the conditions. */
export function erasTable(leg: LabLeg, { dotted, suffix }: DrawnLeg): Html {
  const eras = listEras(leg)
  return html`<div class="eras">${renderTable({
    caption: `Figures of each era${suffix}`,
    columns: ['', ...eras.map(({ name }) => ({ head: name, isNumber: true }))].map(column =>
      column === '' ? { head: html`<span class="hidden">figure</span>` } : column,
    ),
    rows: figureLines(dotted).map(({ head, name, cell }) => [
      head,
      ...eras.map(({ era }) => {
        const reason = era.reasons[name]
        return reason === undefined
          ? cell(era)
          : html`–<br><span class="quiet small">${reason}</span>`
      }),
    ]),
  })}</div>`
}

/** Reasons why a chance led to no trade, in words for people. */
const MISSED: Readonly<Record<string, string>> = {
  no_price: 'an option had no price',
  wing_not_listed: 'the outer strike was not listed',
  no_credit: 'it would have brought no credit',
  half_day: 'the session closed before',
  no_reference: 'the level or move it refers to was not known',
  no_expiry: 'no such expiry was quoted',
  after_hours: 'the fill would have been after the close',
}

export const nameOfMissed = (reason: string): string => MISSED[reason] ?? toWords(reason)

/** Chances without a trade, and why; null when there are none. */
export function missedTable(leg: LabLeg, { suffix }: DrawnLeg): Html | null {
  const eras = listEras(leg)
  const reasons = [...new Set(eras.flatMap(({ era }) => Object.keys(era.missed)))].sort()
  if (reasons.length === 0) return null
  return html`<h4>Chances without a trade</h4>
${renderTable({
  caption: `Chances without a trade, by reason${suffix}`,
  columns: ['reason', ...eras.map(({ name }) => ({ head: name, isNumber: true }))],
  rows: reasons.map(reason => [
    html`<span class="name">${nameOfMissed(reason)}</span>`,
    ...eras.map(({ era }) => countText(era.missed[reason] ?? 0)),
  ]),
})}`
}
