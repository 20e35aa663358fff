import type { AccountForm, AccountPageResponse, AccountPages } from '../../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../../accounts/auth.ts'
import { isExpected, toErrorResponse } from '../../platform/http/errors/catalogue.ts'
import { chat, state } from '../ask.ts'
import { LAB_ERRORS } from '../errors.ts'
import { parseChat } from '../parseChat.ts'
import { parseAction, parseRun } from '../runs/parseRuns.ts'
import { act, beginRun } from '../runs/queryRuns.ts'
import type { LabFormNotice } from './ideasPage.ts'
import {
  type FormRefusal,
  hasPlan,
  ideaPath,
  type LabPageDeps,
  noSuchIdea,
  readRequester,
} from './pageDeps.ts'

/** Pages that a form returns to. */
export type FormPages = {
  readonly noPlan: () => AccountPageResponse
  readonly ideas: (sent: AccountForm, notice: LabFormNotice) => Promise<AccountPageResponse>
  readonly idea: (
    sent: AccountForm,
    of: { readonly id: string; readonly refused: FormRefusal; readonly typed?: string },
  ) => Promise<AccountPageResponse>
}

/** LAB's forms, equivalent to the API. */
export function pageForms(deps: LabPageDeps, pages: FormPages): AccountPages['forms'] {
  const withPlan =
    (take: (sent: AccountForm) => Promise<AccountPageResponse>) =>
    async (sent: AccountForm): Promise<AccountPageResponse> =>
      hasPlan(sent, deps) ? take(sent) : pages.noPlan()
  return {
    chat: withPlan(sent => takeMessage(deps, pages, sent)),
    run: withPlan(sent => takeRun(deps, pages, sent)),
    idea: withPlan(sent =>
      onIdea(pages, sent, async id => {
        const action = sent.fields.get('action') ?? ''
        const input = parseAction(JSON.stringify({ id, action, ...readSettings(sent, action) }))
        await refuseWhileUnavailable(() => act(deps, readRequester(sent, deps), input))
        return action === 'delete' ? '/account/lab' : ideaPath(id)
      }),
    ),
  }
}

/** Begins a test; idempotent when sent twice. */
function takeRun(
  deps: LabPageDeps,
  pages: FormPages,
  sent: AccountForm,
): Promise<AccountPageResponse> {
  const requester = readRequester(sent, deps)
  return onIdea(pages, sent, async id => {
    const { fields } = sent
    const drop = fields.get('drop') ?? undefined
    const input = parseRun(JSON.stringify({ id, kind: fields.get('kind'), drop }))
    const { job } = await refuseWhileUnavailable(() => state(deps, requester))
    if (job?.idea === id && job.kind === input.kind) return `${ideaPath(id)}?job=${job.id}`
    const { run } = await refuseWhileUnavailable(() => beginRun(deps, requester, input, null))
    return `${ideaPath(id)}?job=${run.id}`
  })
}

const readSettings = ({ fields }: AccountForm, action: string): object =>
  action === 'set'
    ? { on: fields.get('on') === 'true', draw: fields.get('draw'), alert: fields.get('alert') }
    : {}

async function takeMessage(
  deps: LabPageDeps,
  pages: FormPages,
  sent: AccountForm,
): Promise<AccountPageResponse> {
  // browsers send lines with a carriage return
  const message = (sent.fields.get('message') ?? '').replaceAll('\r\n', '\n')
  const id = sent.fields.get('id')
  try {
    const input = parseChat(JSON.stringify({ message, ...(id === null ? {} : { id }) }))
    const reply = await refuseWhileUnavailable(() => chat(deps, readRequester(sent, deps), input))
    if (reply.kind === 'spec') return { goTo: `${ideaPath(reply.idea.id)}#newest` }
    const ideaId = reply.id ?? null
    if (ideaId !== null) return { goTo: `${ideaPath(ideaId)}#newest` }
    return await pages.ideas(sent, { message, reply })
  } catch (error) {
    const refused = toRefusal(error)
    return id === null
      ? pages.ideas(sent, { refused, message })
      : pages.idea(sent, { id, refused, typed: message })
  }
}

/** Runs an action on an idea, and shows a refusal on the idea's page. */
async function onIdea(
  pages: FormPages,
  sent: AccountForm,
  work: (id: string) => Promise<string>,
): Promise<AccountPageResponse> {
  const id = sent.fields.get('id') ?? ''
  try {
    return { goTo: await work(id) }
  } catch (error) {
    return pages.idea(sent, { id, refused: toRefusal(error) })
  }
}

/** Converts an expected error to a refusal for the idea's page; rethrows others. */
function toRefusal(error: unknown): FormRefusal {
  if (!isExpected(error)) throw error
  const { status, code } = toErrorResponse(error, LAB_ERRORS)
  if (code === 'not_found') throw noSuchIdea()
  if (!SHOWN_CODES.has(code)) throw error
  const sentence = code === 'no_credits' ? NO_CREDITS : error.message
  return { status, sentence: sentence[0]!.toUpperCase() + sentence.slice(1) }
}

const NO_CREDITS = 'there are no credits: LAB reads messages and runs tests only with one or more.'
/** Errors that a visitor can fix, shown on the page of the form. */
const SHOWN_CODES = new Set([
  'invalid',
  'no_credits',
  'out_of_order',
  'refused_rule',
  'engine_failed',
])
