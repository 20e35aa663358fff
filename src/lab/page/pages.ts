import type {
  AccountAsked,
  AccountPages,
  AccountSection,
  LimitUse,
  PageAnswer,
  PageAsked,
} from '../../html/account.ts'
import { html } from '../../html/template.ts'
import { answering } from '../../http/auth.ts'
import { answerOf, isExpected } from '../../http/errors/catalogue.ts'
import { LAB_ERRORS, labError } from '../../http/errors/lab.ts'
import { onlyOne } from '../../http/query.ts'
import { shown } from '../../http/request.ts'
import { wallTimeEt } from '../../market/calendar.ts'
import { type LabAsker, state, thread } from '../ask.ts'
import { jobOf } from '../runs/askRuns.ts'
import type { LabJob } from '../schema.ts'
import { DAILY_MESSAGES_MAX } from '../turns.ts'
import { drawnIdea } from './drawing.ts'
import { pageForms } from './forms.ts'
import { ideaPage } from './ideaPage.ts'
import { type FormSaid, ideasPage } from './ideasPage.ts'
import { saidOf } from './jobPart.ts'
import {
  askerOf,
  type FormRefusal,
  hasPlan,
  ideaPath,
  type LabPageDeps,
  noSuchIdea,
  TEST_KINDS,
} from './pageDeps.ts'
import { showResult } from './resultPages.ts'
import { countExchanges, retell } from './retell.ts'
import { newestStructs, showStructs } from './structPages.ts'
import { countOf } from './texts.ts'

/** Exchanges that an idea's page shows. */
const EXCHANGES_SHOWN = 25

type Asked = Omit<PageAsked, 'parts' | 'query'>

/** The pages of LAB, below `/account/lab`. */
export function labPages(deps: LabPageDeps): AccountPages {
  return {
    name: 'lab',
    show: async asked => {
      if (!hasPlan(asked, deps)) return noPlan()
      const [list, id, part, ...rest] = asked.parts
      if (list === undefined) return showIdeas(deps, asked, {})
      if (list === 'jobs') return showStructs(deps, asked, asked.parts.slice(1))
      if (list !== 'ideas' || id === undefined) return null
      if (part === undefined) return showIdea(deps, asked, { id, ...ideaQuery(asked) })
      if (part === 'progress' && rest.length === 0) return showProgress(deps, asked, id)
      const kind = TEST_KINDS.find(one => one === part)
      return kind ? showResult(deps, asked, { id, kind, rest }) : null
    },
    forms: pageForms(deps, {
      noPlan,
      ideas: (asked, said) => showIdeas(deps, asked, said),
      idea: (asked, of) => showIdea(deps, asked, { ...of, before: null, job: null }),
    }),
  }
}

/** What the account page shows of LAB. */
export const labSection = (deps: LabPageDeps): AccountSection => ({
  name: 'lab',
  title: 'LAB',
  draw: async asked => {
    if (!hasPlan(asked, deps)) return null
    const { ideas, balance } = await state(deps, askerOf(asked, deps))
    const { total } = await newestStructs(deps, asked.account.id)
    const alone = total > 0 && `, ${countOf(total, 'rule')} computed alone`
    return html`<p>${countOf(ideas.length, 'idea')}${alone}, ${countOf(
      balance.total,
      'credit',
    )}. <a href="/account/lab">Type, test and keep trading ideas</a></p>`
  },
})

/** How many messages the account sent today. */
export async function messagesUsed(deps: LabPageDeps, asked: AccountAsked): Promise<LimitUse[]> {
  if (!hasPlan(asked, deps)) return []
  const counted = await deps.accounts.callsOn(asked.account.id, wallTimeEt(deps.nowMs()).date)
  const used = counted.find(({ product }) => product === 'lab')?.calls ?? 0
  const resets = 'at midnight in New York'
  return [{ what: 'LAB: messages today', used, limit: DAILY_MESSAGES_MAX, resets }]
}

const noPlan = (): PageAnswer => ({
  status: 403,
  page: {
    title: 'LAB',
    main: html`<div class="text"><h1>LAB</h1><p>This account is on no LAB plan.
<a href="/pricing">Plans</a></p></div>`,
  },
})

async function showIdeas(deps: LabPageDeps, asked: Asked, said: FormSaid): Promise<PageAnswer> {
  const known = await answering(() => state(deps, askerOf(asked, deps)))
  const structs = await answering(() => newestStructs(deps, asked.account.id))
  return ideasPage(asked, { state: known, structs }, said)
}

/** What the address of an idea asks for: earlier messages, or what came of a test. */
function ideaQuery({ query }: PageAsked): Pick<IdeaAsked, 'before' | 'job'> {
  const { before, job } = query(['before', 'job'])
  const text = onlyOne('before', before)
  if (text !== null && !/^[1-9]\d{0,3}$/.test(text)) {
    throw labError('invalid', {
      message: `before is ${shown(text)}; give a number of messages, such as before=25.`,
    })
  }
  return { before: text === null ? null : Number(text), job: onlyOne('job', job) }
}

type IdeaAsked = {
  readonly id: string
  readonly before: number | null
  /** A test of it that was begun here; what came of it is told once. */
  readonly job: string | null
  readonly refused?: FormRefusal
  readonly typed?: string
}

async function showIdea(deps: LabPageDeps, asked: Asked, of: IdeaAsked): Promise<PageAnswer> {
  const { id, before, refused = null, typed = '' } = of
  const asker = askerOf(asked, deps)
  const known = await answering(() => state(deps, asker))
  const idea = known.ideas.find(one => one.id === id)
  if (!idea) throw noSuchIdea()
  const ended = of.job === null || known.job ? null : await endedJob(deps, asker, of.job)
  if (ended?.idea === id && ended.state === 'done') return { goTo: `${ideaPath(id)}/${ended.kind}` }
  const { messages } = await answering(() => thread(deps, asker, id))
  const count = Math.min(countExchanges(messages), before ?? Number.POSITIVE_INFINITY)
  const earlier = Math.max(0, count - EXCHANGES_SHOWN)
  const exchanges = await retell(messages, earlier, {
    to: count,
    turn: () => deps.turns.begin(asked.account.id),
  })
  const failed = ended?.idea === id && ended.state === 'failed' ? ended : null
  const drawn = await drawnIdea(deps, asked, idea)
  const shown = { idea, state: known, exchanges, earlier, failed, refused, typed, drawn }
  return ideaPage(asked, shown)
}

/** A test that is over; null: it is not, or the account has none of that name. */
async function endedJob(deps: LabPageDeps, asker: LabAsker, id: string): Promise<LabJob | null> {
  try {
    const { job } = JSON.parse(await answering(() => jobOf(deps, asker, id))) as { job: LabJob }
    return job
  } catch (error) {
    if (isExpected(error) && answerOf(error, LAB_ERRORS).code === 'not_found') return null
    throw error
  }
}

/** How far a test is, for the script of the page. */
async function showProgress(deps: LabPageDeps, asked: Asked, id: string): Promise<PageAnswer> {
  const { job } = await answering(() => state(deps, askerOf(asked, deps)))
  if (job?.idea !== id) return { json: { is_running: false } }
  return { json: { is_running: true, says: saidOf(job), ...job.progress } }
}
