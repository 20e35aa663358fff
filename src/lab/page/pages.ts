import type {
  AccountPageRequest,
  AccountPageResponse,
  AccountPages,
  AccountRequest,
  AccountSection,
  LimitUse,
} from '../../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../../accounts/auth.ts'
import { MESSAGES_PER_DAY_MAX } from '../../accounts/products.ts'
import { wallTimeEt } from '../../core/market/calendar.ts'
import { counted } from '../../core/text/counts.ts'
import { html } from '../../platform/html/template.ts'
import { isExpected, toErrorResponse } from '../../platform/http/errors/catalogue.ts'
import { onlyOne } from '../../platform/http/query.ts'
import { shown } from '../../platform/http/request.ts'
import { type LabRequester, state, thread } from '../ask.ts'
import { LAB_ERRORS, labError } from '../errors.ts'
import { readAccountJob } from '../runs/queryRuns.ts'
import type { LabJob } from '../schema.ts'
import { drawnIdea } from './drawing.ts'
import { pageForms } from './forms.ts'
import { ideaPage } from './ideaPage.ts'
import { ideasPage, type LabFormNotice } from './ideasPage.ts'
import { describeProgress } from './jobPart.ts'
import {
  type FormRefusal,
  hasPlan,
  ideaPath,
  type LabPageDeps,
  noSuchIdea,
  readRequester,
  TEST_KINDS,
} from './pageDeps.ts'
import { countExchanges, rereadExchanges } from './rereadThread.ts'
import { showResult } from './resultPages.ts'
import { newestStructs, showStructs } from './structPages.ts'

/** Maximum number of exchanges on an idea's page. */
const EXCHANGES_SHOWN = 25

type IdeasPageRequest = Omit<AccountPageRequest, 'parts' | 'query'>

/** The pages of LAB, below `/account/lab`. */
export function labPages(deps: LabPageDeps): AccountPages {
  return {
    name: 'lab',
    show: async request => {
      if (!hasPlan(request, deps)) return noPlan()
      const [list, id, part, ...rest] = request.parts
      if (list === undefined) return showIdeas(deps, request, {})
      if (list === 'jobs') return showStructs(deps, request, request.parts.slice(1))
      if (list !== 'ideas' || id === undefined) return null
      if (part === undefined) return showIdea(deps, request, { id, ...ideaQuery(request) })
      if (part === 'progress' && rest.length === 0) return showProgress(deps, request, id)
      const kind = TEST_KINDS.find(one => one === part)
      return kind ? showResult(deps, request, { id, kind, rest }) : null
    },
    forms: pageForms(deps, {
      noPlan,
      ideas: (request, notice) => showIdeas(deps, request, notice),
      idea: (request, of) => showIdea(deps, request, { ...of, before: null, job: null }),
    }),
  }
}

/** LAB's section of the account page. */
export const labSection = (deps: LabPageDeps): AccountSection => ({
  name: 'lab',
  title: 'LAB',
  draw: async request => {
    if (!hasPlan(request, deps)) return null
    const { ideas, balance } = await state(deps, readRequester(request, deps))
    const { total } = await newestStructs(deps, request.account.id)
    const alone = total > 0 && `, ${counted(total, 'rule')} computed alone`
    return html`<p>${counted(ideas.length, 'idea')}${alone}, ${counted(
      balance.total,
      'credit',
    )}. <a href="/account/lab">Type, test and keep trading ideas</a></p>`
  },
})

/** Number of messages the account sent today. */
export async function messagesUsed(
  deps: LabPageDeps,
  request: AccountRequest,
): Promise<LimitUse[]> {
  if (!hasPlan(request, deps)) return []
  const counts = await deps.accounts.callsOn(request.account.id, wallTimeEt(deps.nowMs()).date)
  const used = counts.find(({ product }) => product === 'lab')?.calls ?? 0
  const resets = 'at midnight in New York'
  return [{ what: 'LAB: messages today', used, limit: MESSAGES_PER_DAY_MAX, resets }]
}

const noPlan = (): AccountPageResponse => ({
  status: 403,
  page: {
    title: 'LAB',
    main: html`<div class="text"><h1>LAB</h1><p>This account is on no LAB plan.
<a href="/pricing">Plans</a></p></div>`,
  },
})

async function showIdeas(
  deps: LabPageDeps,
  request: IdeasPageRequest,
  notice: LabFormNotice,
): Promise<AccountPageResponse> {
  const known = await refuseWhileUnavailable(() => state(deps, readRequester(request, deps)))
  const structs = await refuseWhileUnavailable(() => newestStructs(deps, request.account.id))
  return ideasPage(request, { state: known, structs }, notice)
}

/** Parses the query of an idea's page: earlier messages, or the outcome of a test. */
function ideaQuery({ query }: AccountPageRequest): Pick<IdeaPageRequest, 'before' | 'job'> {
  const { before, job } = query(['before', 'job'])
  const text = onlyOne('before', before)
  if (text !== null && !/^[1-9]\d{0,3}$/.test(text)) {
    throw labError('invalid', {
      message: `before is ${shown(text)}; give a number of messages, such as before=25.`,
    })
  }
  return { before: text === null ? null : Number(text), job: onlyOne('job', job) }
}

type IdeaPageRequest = {
  readonly id: string
  readonly before: number | null
  /** Id of a test begun on this page; its outcome is shown once. */
  readonly job: string | null
  readonly refused?: FormRefusal
  readonly typed?: string
}

async function showIdea(
  deps: LabPageDeps,
  request: IdeasPageRequest,
  of: IdeaPageRequest,
): Promise<AccountPageResponse> {
  const { id, before, refused = null, typed = '' } = of
  const requester = readRequester(request, deps)
  const known = await refuseWhileUnavailable(() => state(deps, requester))
  const idea = known.ideas.find(one => one.id === id)
  if (!idea) throw noSuchIdea()
  const ended = of.job === null || known.job ? null : await endedJob(deps, requester, of.job)
  if (ended?.idea === id && ended.state === 'done') return { goTo: `${ideaPath(id)}/${ended.kind}` }
  const { messages } = await refuseWhileUnavailable(() => thread(deps, requester, id))
  const count = Math.min(countExchanges(messages), before ?? Number.POSITIVE_INFINITY)
  const earlier = Math.max(0, count - EXCHANGES_SHOWN)
  const exchanges = await rereadExchanges(messages, earlier, {
    to: count,
    acquire: () => deps.admission.begin(request.account.id),
  })
  const failed = ended?.idea === id && ended.state === 'failed' ? ended : null
  const drawn = await drawnIdea(deps, request, idea)
  const shown = { idea, state: known, exchanges, earlier, failed, refused, typed, drawn }
  return ideaPage(request, shown)
}

/** Returns a finished test; null when it is not finished, or not the account's. */
async function endedJob(
  deps: LabPageDeps,
  requester: LabRequester,
  id: string,
): Promise<LabJob | null> {
  try {
    const { job } = JSON.parse(
      await refuseWhileUnavailable(() => readAccountJob(deps, requester, id)),
    ) as {
      job: LabJob
    }
    return job
  } catch (error) {
    if (isExpected(error) && toErrorResponse(error, LAB_ERRORS).code === 'not_found') return null
    throw error
  }
}

/** Progress of a test, for the script of the page. */
async function showProgress(
  deps: LabPageDeps,
  request: IdeasPageRequest,
  id: string,
): Promise<AccountPageResponse> {
  const { job } = await refuseWhileUnavailable(() => state(deps, readRequester(request, deps)))
  if (job?.idea !== id) return { json: { is_running: false } }
  return { json: { is_running: true, says: describeProgress(job), ...job.progress } }
}
