import type { AccountForm, AccountPages, PageAnswer } from '../../html/account.ts'
import { answering } from '../../http/auth.ts'
import { answerOf, isExpected } from '../../http/errors/catalogue.ts'
import { LAB_ERRORS } from '../../http/errors/lab.ts'
import { chat, state } from '../ask.ts'
import { parseChat } from '../parseChat.ts'
import { act, beginRun } from '../runs/askRuns.ts'
import { parseAction, parseRun } from '../runs/parseRuns.ts'
import type { FormSaid } from './ideasPage.ts'
import {
  askerOf,
  type FormRefusal,
  hasPlan,
  ideaPath,
  type LabPageDeps,
  noSuchIdea,
} from './pageDeps.ts'

/** The pages that a form comes back to. */
export type FormPages = {
  readonly noPlan: () => PageAnswer
  readonly ideas: (sent: AccountForm, said: FormSaid) => Promise<PageAnswer>
  readonly idea: (
    sent: AccountForm,
    of: { readonly id: string; readonly refused: FormRefusal; readonly typed?: string },
  ) => Promise<PageAnswer>
}

/** What the forms of LAB do, as the API does it. */
export function pageForms(deps: LabPageDeps, pages: FormPages): AccountPages['forms'] {
  const withPlan =
    (take: (sent: AccountForm) => Promise<PageAnswer>) =>
    async (sent: AccountForm): Promise<PageAnswer> =>
      hasPlan(sent, deps) ? take(sent) : pages.noPlan()
  return {
    chat: withPlan(sent => takeMessage(deps, pages, sent)),
    run: withPlan(sent => takeRun(deps, pages, sent)),
    idea: withPlan(sent =>
      onIdea(pages, sent, async id => {
        const action = sent.fields.get('action') ?? ''
        const input = parseAction(JSON.stringify({ id, action, ...settingsOf(sent, action) }))
        await answering(() => act(deps, askerOf(sent, deps), input))
        return action === 'delete' ? '/account/lab' : ideaPath(id)
      }),
    ),
  }
}

/** Begins a test; sent twice, it is the same test. */
function takeRun(deps: LabPageDeps, pages: FormPages, sent: AccountForm): Promise<PageAnswer> {
  const asker = askerOf(sent, deps)
  return onIdea(pages, sent, async id => {
    const input = parseRun(JSON.stringify({ id, kind: sent.fields.get('kind') }))
    const { job } = await answering(() => state(deps, asker))
    if (job?.idea === id && job.kind === input.kind) return `${ideaPath(id)}?job=${job.id}`
    const { run } = await answering(() => beginRun(deps, asker, input, null))
    return `${ideaPath(id)}?job=${run.id}`
  })
}

const settingsOf = ({ fields }: AccountForm, action: string): object =>
  action === 'set'
    ? { on: fields.get('on') === 'true', draw: fields.get('draw'), alert: fields.get('alert') }
    : {}

async function takeMessage(
  deps: LabPageDeps,
  pages: FormPages,
  sent: AccountForm,
): Promise<PageAnswer> {
  // browsers send lines with a carriage return
  const message = (sent.fields.get('message') ?? '').replaceAll('\r\n', '\n')
  const id = sent.fields.get('id')
  try {
    const input = parseChat(JSON.stringify({ message, ...(id === null ? {} : { id }) }))
    const answer = await answering(() => chat(deps, askerOf(sent, deps), input))
    if (answer.kind === 'spec') return { goTo: `${ideaPath(answer.idea.id)}#newest` }
    const kept = answer.id ?? null
    if (kept !== null) return { goTo: `${ideaPath(kept)}#newest` }
    return await pages.ideas(sent, { message, answer })
  } catch (error) {
    const refused = refusalOf(error)
    return id === null
      ? pages.ideas(sent, { refused, message })
      : pages.idea(sent, { id, refused, typed: message })
  }
}

/** Does something with an idea, and tells on its page why it is refused. */
async function onIdea(
  pages: FormPages,
  sent: AccountForm,
  work: (id: string) => Promise<string>,
): Promise<PageAnswer> {
  const id = sent.fields.get('id') ?? ''
  try {
    return { goTo: await work(id) }
  } catch (error) {
    return pages.idea(sent, { id, refused: refusalOf(error) })
  }
}

/** What is refused, as the page of an idea says it; what nobody foresaw goes on. */
function refusalOf(error: unknown): FormRefusal {
  if (!isExpected(error)) throw error
  const { status, code } = answerOf(error, LAB_ERRORS)
  if (code === 'not_found') throw noSuchIdea()
  if (!SAID.has(code)) throw error
  const sentence = code === 'no_credits' ? NO_CREDITS : error.message
  return { status, sentence: sentence[0]!.toUpperCase() + sentence.slice(1) }
}

const NO_CREDITS = 'there are no credits: LAB reads messages and runs tests only with one or more.'
/** Errors that a visitor can do something about, on the page where the form is. */
const SAID = new Set(['invalid', 'no_credits', 'out_of_order', 'refused_rule', 'engine_failed'])
