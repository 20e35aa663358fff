import type { AccountPageRequest, AccountPageResponse } from '../../accounts/accountPage.ts'
import { counted } from '../../core/text/counts.ts'
import { assetPath } from '../../platform/html/assets.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { renderTime } from '../../platform/html/time.ts'
import { labError } from '../errors.ts'
import { RuleSpec } from '../language/spec.ts'
import type { LabResult } from '../result.ts'
import type { summarizeResult } from '../runs/summary.ts'
import type { StoredRun } from '../store/runTypes.ts'
import { formatIdeaName, jobWire } from '../wire.ts'
import { describeProgress, jobPart } from './jobPart.ts'
import { ideaPath, type LabPageDeps, readRequester, STRUCTS_PATH, structPath } from './pageDeps.ts'
import { pagesNav } from './resultPage.ts'
import { pageNumber, showPart } from './resultPages.ts'
import { percentText } from './texts.ts'

/** Rules computed without an idea. */

/** Rules per page of the list, and the number shown on the page of all ideas. */
const PAGE_SIZE = 50
const NEWEST = 5

/** Refresh interval of a run's progress for browsers without scripts, seconds. */
const RENEWED_AFTER_SECONDS = 3

export type Structs = { readonly total: number; readonly runs: readonly StoredRun[] }

/** Returns the newest ones of an account. */
export const newestStructs = (
  { accounts }: Pick<LabPageDeps, 'accounts'>,
  accountId: string,
): Promise<Structs> => accounts.lab.listStructs(accountId, { start: 0, count: NEWEST })

/** Section of the page of all ideas; null when there are none. */
export const structsPart = ({ total, runs }: Structs): Html | null =>
  total === 0
    ? null
    : html`<section class="part" aria-labelledby="structs-title">
<h2 id="structs-title">Rules alone</h2>
<p>${INTRO}</p>
${structList(runs)}
${total > runs.length && html`<p><a href="${STRUCTS_PATH}">All ${counted(total, 'rule')}</a></p>`}
</section>`

const INTRO = `Rules that a program of yours gave to LAB without an idea. They are computed on the
design sessions alone, and have no verdict.`

const structList = (runs: readonly StoredRun[]): Html =>
  html`<ul class="jobs">${runs.map(
    run => html`<li><a class="name" href="${structPath(run.id)}">${run.rule.say}</a><br>
<span class="quiet small">${renderTime(run.createdAtMs)}: ${stateText(run)}</span></li>\n`,
  )}</ul>`

function stateText({ state, error, isRefunded, summary }: StoredRun): Html | string {
  if (state === 'queued') return 'waits for its turn'
  if (state === 'running') return 'is being computed'
  if (state === 'failed') {
    return html`<span class="red">failed</span> ${error ?? ''}${
      isRefunded && ' The credit was given back.'
    }`
  }
  const { legs } = JSON.parse(summary!) as ReturnType<typeof summarizeResult>
  return legs
    .map(({ n, mean }, index) => {
      const which = legs.length > 1 ? `trade ${index + 1}: ` : ''
      const made = mean === null ? '' : `, a mean of ${percentText(mean)} of the risk`
      return `${which}${counted(n, 'trade')}${made}`
    })
    .join('; ')
}

/** List of all, one of them, or a part of its result; null: there is no such page. */
export async function showStructs(
  deps: LabPageDeps,
  request: AccountPageRequest,
  [id, ...rest]: readonly string[],
): Promise<AccountPageResponse> {
  if (id === undefined) return showList(deps, request)
  const { accountId } = readRequester(request, deps)
  const run = await deps.accounts.lab.findRun(accountId, id)
  if (!run) throw labError('not_found', { message: 'this account has no such job.' })
  // the result of an idea's test is shown on the idea's pages
  if (run.ideaId !== null)
    return rest.length > 0 ? null : { goTo: `${ideaPath(run.ideaId)}?job=${id}` }
  const path = structPath(id)
  if (rest[0] === 'progress' && rest.length === 1) {
    const { progress, ...job } = jobWire(run)
    const isRunning = job.state === 'queued' || job.state === 'running'
    return {
      json: { is_running: isRunning, says: describeProgress({ progress, ...job }), ...progress },
    }
  }
  if (run.state !== 'done') return rest.length > 0 ? null : waitingPage(run, path)
  const result = JSON.parse((await deps.accounts.lab.readResult(accountId, id))!) as LabResult
  const of = { name: nameOfRun(run), ideaPath: null, path, result, isOfNow: true }
  return showPart(deps, request, of, rest)
}

const nameOfRun = ({ rule }: StoredRun): string =>
  formatIdeaName(RuleSpec.parse(JSON.parse(rule.spec)))

async function showList(
  deps: LabPageDeps,
  request: AccountPageRequest,
): Promise<AccountPageResponse> {
  const page = pageNumber(request)
  const { accountId } = readRequester(request, deps)
  const some = { start: (page - 1) * PAGE_SIZE, count: PAGE_SIZE }
  const { total, runs } = await deps.accounts.lab.listStructs(accountId, some)
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  if (page > pages) return null
  return {
    page: {
      title: 'Rules alone',
      styles: [assetPath('lab.css')],
      main: html`<div class="text lab">${crumbs('Rules alone', false)}
<h1>Rules alone</h1>
<p>${INTRO}</p>
${total === 0 ? html`<p>There is none yet.</p>` : structList(runs)}
${pagesNav(STRUCTS_PATH, page, pages)}</div>`,
    },
  }
}

/** Page of an unfinished run: its progress, or why it failed. */
function waitingPage(run: StoredRun, path: string): AccountPageResponse {
  const { rule, state, error, isRefunded } = run
  const name = nameOfRun(run)
  const isFailed = state === 'failed'
  return {
    page: {
      title: name,
      styles: [assetPath('lab.css')],
      ...(isFailed
        ? {}
        : { scripts: [assetPath('lab.js')], renewedAfterSeconds: RENEWED_AFTER_SECONDS }),
      main: html`<div class="text lab">${crumbs(name, true)}
<h1 class="name">${name}</h1>
<p class="rule words">${rule.say}</p>
${
  isFailed
    ? html`<div class="note bad" role="alert"><p>It failed: ${error}${
        isRefunded && ' The credit was given back.'
      }</p></div>`
    : jobPart(jobWire(run), path)
}</div>`,
    },
  }
}

const crumbs = (here: string, isOne: boolean): Html => html`<nav class="crumbs"
aria-label="Where this is"><ul><li><a href="/account/lab">LAB</a></li>${
  isOne && html`<li><a href="${STRUCTS_PATH}">Rules alone</a></li>`
}<li>${here}</li></ul></nav>`
