import type { Book } from '../data/published/books.ts'
import { BOOKS } from '../data/published/books.ts'
import { EXPOSURE_NAMES, type ExpiryReading, type LevelsAsk } from '../levels/ask.ts'
import { gammaText, pointsText, roughText, shareText, spellOut } from '../platform/html/figures.ts'
import { renderPage } from '../platform/html/layout.ts'
import { renderTable } from '../platform/html/table.ts'
import { EMPTY, type Html, html, type Piece } from '../platform/html/template.ts'
import { BOOK_NAMES, belowSession, dayText, simulatedMark } from './sessionParts.ts'

type Found = Awaited<ReturnType<LevelsAsk['readExposures']>>
type Cells = NonNullable<Found['cells']>
type ExposureName = (typeof EXPOSURE_NAMES)[number]

export type ExposuresView = {
  readonly day: string
  readonly t: string | null
  readonly book: Book
  readonly exposure: ExposureName
}

export type ExposuresContent = {
  readonly view: ExposuresView
  readonly simulated: boolean
  readonly expiries: readonly ExpiryReading[]
  readonly found: Found
}

/** Strikes on each side of the index, and expiries with a column of their own. */
const STRIKES_PER_SIDE = 20
const EXPIRIES_SHOWN = 8
const SHADES = 3
/** Share of the largest cell from which a cell is shaded. */
const SHADED_FROM = 0.02

/** Heat map of dealers' exposures by strike and expiry, with the levels of each expiry. */
export function exposuresPage({ view, simulated, expiries, found }: ExposuresContent): string {
  const { day, book, exposure } = view
  const time = expiries[0]?.time ?? null
  return renderPage({
    title: `${capital(exposure)} by strike and expiry, ${day}`,
    path: '/sessions',
    main: html`<div class="wide">
${belowSession(day, 'exposures')}
<h1>Dealers’ ${exposure} by strike and expiry, ${dayText(day)}</h1>
<p>${simulatedMark(simulated)} ${time} in New York, SPX at ${pointsText(found.spot)}</p>
<nav aria-label="Exposure" class="books"><ul>${EXPOSURE_NAMES.map(name =>
      choice({ ...view, exposure: name }, name, name === exposure),
    )}</ul></nav>
<nav aria-label="Book" class="books"><ul>${BOOKS.map(name =>
      choice({ ...view, book: name }, BOOK_NAMES[name], name === book),
    )}</ul></nav>
${minuteForm(view, time)}
${heatMap(found)}
<h2>Levels of each expiry</h2>
${levelsTable(expiries)}
${leavesText(expiries)}
<p class="quiet"><a href="/levels#exposures">What delta, vanna and charm are, and their signs</a>:
above zero dealers are long. An estimate.</p>
</div>`,
  })
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function choice(view: ExposuresView, text: string, isCurrent: boolean): Html {
  const { day, t, book, exposure } = view
  const fields = [
    ...(exposure === 'gamma' ? [] : [`exposure=${exposure}`]),
    ...(book === 'measured' ? [] : [`book=${book}`]),
    ...(t === null ? [] : [`t=${t}`]),
  ]
  const query = fields.length === 0 ? '' : `?${fields.join('&')}`
  return html`<li><a href="/sessions/${day}/exposures${query}"${
    isCurrent && html` aria-current="true"`
  }>${text}</a></li>`
}

const minuteForm = ({ day, t, book, exposure }: ExposuresView, time: string | null): Html =>
  html`<form action="/sessions/${day}/exposures"><p><label for="t">Minute, New York</label>
<input id="t" name="t" value="${t ?? time ?? ''}" size="5" pattern="\\d\\d:\\d\\d">
<input type="hidden" name="exposure" value="${exposure}">${
    book !== 'measured' && html`<input type="hidden" name="book" value="${book}">`
  }
<button>Show</button></p></form>`

/** Strikes falling, expiries rising: each cell shaded by its size, its sign written. */
function heatMap({ cells, cells_reason, cells_time, spot, exposure, unit, net }: Found): Html {
  if (!cells || cells.length === 0) {
    return html`<p class="note">There are no exposures here: ${spellOut(cells_reason ?? 'empty')}.</p>`
  }
  const columns = findColumns(cells)
  const shown = nearStrikes(cells, spot ?? null)
  const sums = new Map<string, number>()
  const deviations = new Map<string, number>()
  for (const [strike, root, expiry, value, deviation] of cells) {
    const column = columns.find(one => one.root === root && one.expiry === expiry) ?? LATER
    const at = `${strike !== null && shown.includes(strike) ? strike : 'other'} ${column.key}`
    sums.set(at, (sums.get(at) ?? 0) + value)
    deviations.set(at, Math.hypot(deviations.get(at) ?? 0, deviation ?? 0))
  }
  const largest = Math.max(
    ...shown.flatMap(strike => columns.map(({ key }) => size(sums, `${strike} ${key}`))),
  )
  const cell = (row: number | 'other', { key }: Column): Html => {
    const value = sums.get(`${row} ${key}`)
    if (value === undefined) return html`<td></td>`
    const deviation = deviations.get(`${row} ${key}`) ?? 0
    const shade = row === 'other' ? '' : chooseShade(value, largest)
    return html`<td class="number${shade}"${
      deviation > 0 && html` title="± ${roughText(deviation)}"`
    }>${roughText(value)}</td>`
  }
  const rows: readonly (number | 'other')[] = [...shown, 'other']
  const hasLater = cells.some(
    ([, root, expiry]) => !columns.some(one => one.root === root && one.expiry === expiry),
  )
  const all = hasLater ? [...columns, LATER] : columns
  const caption = `${exposure}, ${unit}, at ${cells_time}; the whole book ${gammaText(net)}`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
<table class="heat"><caption>${capital(caption)}</caption>
<thead><tr><th scope="col">strike</th>${all.map(
    ({ head }) => html`<th scope="col" class="number">${head}</th>`,
  )}</tr></thead>
<tbody>${rows.map(
    row => html`<tr${isAtIndex(row, shown, spot ?? null) && html` class="at"`}><th scope="row">${
      row === 'other' ? 'all others' : row
    }</th>${all.map(column => cell(row, column))}</tr>
`,
  )}</tbody></table></div>
<p class="quiet">A deviation of a cell is its title: what is not known of the positions.</p>`
}

type Column = {
  readonly key: string
  readonly root: string
  readonly expiry: string
  readonly head: string
}
const LATER: Column = { key: 'later', root: '', expiry: '', head: 'later' }

function findColumns(cells: Cells): readonly Column[] {
  const keys = new Set(cells.map(([, root, expiry]) => `${expiry} ${root}`))
  return [...keys]
    .sort()
    .slice(0, EXPIRIES_SHOWN)
    .map(key => {
      const [expiry = '', root = ''] = key.split(' ')
      return { key, root, expiry, head: `${expiry.slice(5)}${root === 'SPX' ? ' AM' : ''}` }
    })
}

/** The strikes nearest to the index, falling. */
function nearStrikes(cells: Cells, spot: number | null): readonly number[] {
  const strikes = [...new Set(cells.flatMap(([strike]) => strike ?? []))].sort((a, b) => b - a)
  const middle = strikes.findIndex(strike => strike <= (spot ?? 0))
  const from = Math.max(0, (middle < 0 ? strikes.length : middle) - STRIKES_PER_SIDE)
  return strikes.slice(from, from + 2 * STRIKES_PER_SIDE)
}

const isAtIndex = (row: number | 'other', shown: readonly number[], spot: number | null) =>
  spot !== null && row === shown.find(strike => strike <= spot)

const size = (sums: ReadonlyMap<string, number>, key: string) => Math.abs(sums.get(key) ?? 0)

function chooseShade(value: number, largest: number): string {
  const share = Math.abs(value) / largest
  const shade = Math.ceil(SHADES * share)
  return !(share >= SHADED_FROM) ? '' : ` ${value > 0 ? 'above' : 'below'}-${shade}`
}

const NAMES = { '0dte': 'of the day', next: 'the next', all: 'all' } as const

function levelsTable(expiries: readonly ExpiryReading[]): Html {
  const number = (head: string) => ({ head, isNumber: true })
  return renderTable({
    caption: 'Levels of each expiry',
    columns: [
      'expiry',
      'date',
      ...['net gamma $M/pt', 'P(positive)', 'flip', '90 %', 'call wall', 'put wall'].map(number),
      number('of the gamma'),
      'why not',
    ],
    rows: expiries.map(({ expiry, expiry_day, gamma_share, levels: one }): Piece[] => [
      NAMES[expiry],
      expiry_day ?? '',
      gammaText(one.net_gamma),
      shareText(one.p_positive),
      pointsText(one.flip),
      one.flip_lo === null && one.flip_hi === null
        ? ''
        : `${pointsText(one.flip_lo)} to ${pointsText(one.flip_hi)}`,
      pointsText(one.call_wall),
      pointsText(one.put_wall),
      shareText(gamma_share),
      one.reason === null ? '' : spellOut(one.reason),
    ]),
  })
}

function leavesText(expiries: readonly ExpiryReading[]): Html {
  const leaves = expiries[0]?.leaves
  if (leaves === undefined || leaves.today === null) return EMPTY
  return html`<p>Of the gamma that the book may hold, ${shareText(leaves.today)} leaves at the close
of the day and ${shareText(leaves.monthly)} at the monthly expiration of ${leaves.monthly_day ?? '–'}.</p>`
}
