import express, { type Router } from 'express'
import type { ArchiveAsk } from '../archive/ask.ts'
import { countText, numberText, shareText, spellOut } from '../platform/html/figures.ts'
import { renderPage } from '../platform/html/layout.ts'
import { renderTable } from '../platform/html/table.ts'
import { type Html, html, type Piece } from '../platform/html/template.ts'
import { createCachedPage, type Page, sendPage } from '../platform/http/page.ts'
import { readQuery } from '../platform/http/query.ts'
import { reading } from '../platform/http/request.ts'
import { HTML_TYPE } from '../platform/http/response.ts'
import { dayText, simulatedMark } from './sessionParts.ts'
import { NO_ORDERS, readOrders } from './sessionQuery.ts'
import { notHere, type SiteAsks } from './sessionResponders.ts'

type Grades = ReturnType<ArchiveAsk['readGrades']>
type Group = Grades['groups'][number]
type LevelGrade = Group['levels'][number]

/** Sessions of one page of the list. */
const GRADES_PAGE_SIZE = 100

/** Every finished session graded, good and bad, and the faults of published numbers. */
export function gradesPage({ groups, sessions, errata }: Grades, page: number): string {
  const pages = countPages(sessions.length)
  const start = (page - 1) * GRADES_PAGE_SIZE
  const shown = sessions.toReversed().slice(start, start + GRADES_PAGE_SIZE)
  return renderPage({
    title: 'Grades',
    path: '/grades',
    main: html`<div class="wide">
<h1>Grades</h1>
<p>Levels were stated; this is what became of them, in every finished session.
<a href="/methodology#grades">How it is judged</a>: a wall stated at a full hour is <em>touched</em>
where the index comes within 0.05 % of it in the next hour; then it <em>holds</em> unless the index
passes 0.1 % beyond it in the next 30 minutes. Beside it stand strikes of less gamma, and of all others
those as far from the index. As <a href="/api/grades">JSON</a>.</p>
${groups.length === 0 && html`<p>No session is graded yet.</p>`}
${groups.map(renderGroup)}
<h2>Sessions</h2>
<p class="small quiet">Walls of the measured book. A session without a grade says why.</p>
${renderTable({ caption: 'Sessions', columns: SESSION_COLUMNS, rows: shown.map(renderSession) })}
${
  pages > 1 &&
  html`<nav class="paging" aria-label="Pages"><ul>
<li>${page > 1 && html`<a href="/grades?page=${page - 1}">newer</a>`}</li>
<li>page ${page} of ${pages}</li>
<li>${page < pages && html`<a href="/grades?page=${page + 1}">older</a>`}</li></ul></nav>`
}
<h2>Errata</h2>
<p>Faults that published numbers had.</p>
${renderTable({
  caption: 'Errata',
  columns: ['mended', 'what was wrong', 'sessions'],
  rows: errata.map(({ date, what, sessions: which }) => [
    date,
    html`<span class="long">${what}</span>`,
    html`<span class="long">${which}</span>`,
  ]),
})}
</div>`,
  })
}

/** Pages that a number of sessions takes; one at least. */
const countPages = (sessions: number): number => Math.max(1, Math.ceil(sessions / GRADES_PAGE_SIZE))

const LEVEL_COLUMNS = [
  { head: 'book' },
  { head: 'level' },
  { head: 'strikes' },
  { head: 'judged', isNumber: true },
  { head: 'touched', isNumber: true },
  { head: 'held', isNumber: true },
  { head: 'the wall holds more often by', isNumber: true },
]

const REGIME_COLUMNS = [
  { head: 'stated' },
  { head: 'half hours', isNumber: true },
  { head: 'mean stated', isNumber: true },
  { head: 'calm', isNumber: true },
]

const SESSION_COLUMNS = [
  { head: 'session' },
  { head: 'judged', isNumber: true },
  { head: 'touched', isNumber: true },
  { head: 'held', isNumber: true },
  { head: 'Brier score', isNumber: true },
  { head: 'remarks' },
]

const ROLES: Readonly<Record<string, string>> = {
  level: 'the wall',
  rank: 'next four in gamma',
  random: 'others, as far away',
}

const renderGroup = ({ simulated, sessions, levels, regimes }: Group): Html => html`
<h2>${simulated ? 'Simulated sessions' : 'Real sessions'}, ${countText(sessions)}</h2>
<p>${describeWalls(levels)}</p>
${renderTable({ caption: 'Walls and other strikes', columns: LEVEL_COLUMNS, rows: levels.map(renderLevel) })}
${regimes.map(
  ({ book, judged, calm_share, brier, brier_error, constant_brier, bins }) => html`
<h3>Probability of positive gamma, book ${book}</h3>
<p>Calm: the index moved less in 30 minutes than the options expected. Of ${countText(judged)} half
hours ${shareText(calm_share)} were calm. Brier score ${withError(brier!, brier_error)}; to state
${shareText(calm_share)} each time has ${numberText(constant_brier, 3)}: ${compareScores(
    constant_brier! - brier!,
    brier_error,
  )}.</p>
${renderTable({
  caption: `Reliability of the book ${book}`,
  columns: REGIME_COLUMNS,
  rows: bins.map(bin => [
    `${numberText(bin.from, 1)} to ${numberText(bin.to, 1)}`,
    countText(bin.judged),
    shareText(bin.stated),
    shareText(bin.calm),
  ]),
})}`,
)}`

/** Says how much better a score is than that of a constant, given its error. */
function compareScores(better: number, error: number | null): string {
  if (error === null) return 'one session says nothing about that'
  if (Math.abs(better) < 2 * error) return 'no difference can be seen'
  return better > 0 ? 'the probability says more' : 'the probability says less than nothing'
}

/** Says in one sentence whether walls of the measured book held more often than other strikes. */
function describeWalls(levels: readonly LevelGrade[]): string {
  const parts = levels
    .filter(({ book, role }) => book === 'measured' && role === 'random')
    .map(({ kind, wall_over_it: over, wall_over_it_error: error }) => {
      const name = `${spellOut(kind)}s`
      if (over === null || error === null || error === 0)
        return `of ${name} too few were touched to say anything`
      if (Math.abs(over) < 2 * error)
        return `${name} held as often as other strikes as far away, within the error`
      return `${name} held ${over > 0 ? 'more' : 'less'} often than other strikes as far away`
    })
  if (parts.length === 0) return 'Too few walls were touched to say anything.'
  const text = `${parts.join('; ')}.`
  return text[0]!.toUpperCase() + text.slice(1)
}

const renderLevel = (grade: LevelGrade): Piece[] => [
  grade.book,
  spellOut(grade.kind),
  ROLES[grade.role] ?? grade.role,
  countText(grade.judged),
  countText(grade.touched),
  grade.held_share === null ? '–' : withError(grade.held_share, grade.held_error),
  grade.wall_over_it === null ? '–' : withError(grade.wall_over_it, grade.wall_over_it_error),
]

const withError = (value: number, error: number | null): string =>
  error === null ? numberText(value, 3) : `${numberText(value, 3)} ± ${numberText(error, 3)}`

const renderSession = ({
  day,
  simulated,
  judged,
  touched,
  held,
  brier,
  reason,
}: Grades['sessions'][number]): Piece[] => [
  html`<a href="/sessions/${day}">${dayText(day)}</a>`,
  countText(judged),
  countText(touched),
  countText(held),
  numberText(brier, 3),
  html`${simulatedMark(simulated)} ${reason !== null && spellOut(reason)}`,
]

/** The page of grades, to be mounted at `/grades`; its pages are rendered once for a list. */
export function gradesRouter(asks: SiteAsks): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  let last: { readonly grades: object; readonly pages: Map<number, Page> } | null = null
  router.use((req, _res, next) => {
    next(req.originalUrl.split('?')[0]!.endsWith('/') ? notHere() : undefined)
  })
  router.all(
    '/',
    reading(async (req, res) => {
      const { page } = readOrders({ ...NO_ORDERS, page: readQuery(req, res, ['page']).page })
      const grades = asks.archive.readGrades()
      if (page > countPages(grades.sessions.length)) throw notHere()
      if (last?.grades !== grades) last = { grades, pages: new Map() }
      const { pages } = last
      const made = pages.get(page) ?? renderCached(gradesPage(grades, page))
      pages.set(page, made)
      return sendPage(req, res, made)
    }),
  )
  router.use(() => {
    throw notHere()
  })
  return router
}

const renderCached = (content: string): Page =>
  createCachedPage({ content, contentType: HTML_TYPE, headers: { 'cache-control': 'no-cache' } })
