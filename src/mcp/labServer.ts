import { z } from 'zod'
import { counted } from '../core/text/counts.ts'
import type { LabResult } from '../lab/ask.ts'
import type { LabThread } from '../lab/schema.ts'
import { cursor } from './arguments.ts'
import { cursorAt, readPosition } from './cursor.ts'
import { ACT, CHAT, ideaId, requireOwner, STATE, VOCABULARY } from './labTools.ts'
import type { ToolServer } from './protocol.ts'
import { cutByRows } from './size.ts'
import { argument, defineTool, ToolError } from './tool.ts'

/** Tools over the messages and results of ideas. */

/** Maximum wait for a test. */
const WAIT_MS = 20_000

const Message = z.strictObject({
  n: z.int(),
  at: z.string(),
  from: z.enum(['you', 'lab']),
  text: z.string(),
})

const THREAD = defineTool({
  name: 'lab_thread',
  title: 'What was said on an idea',
  description: 'The messages of an idea, oldest first.',
  input: { id: ideaId, cursor },
  output: { messages: z.array(Message) },
  respond: async ({ id, cursor: given }, deps) => {
    const all = await deps.asks.lab.readThread(requireOwner(deps).account, id)
    const listed = { revision: 'thread', question: { id } }
    const from = readPosition(given, listed)
    const total = all.length
    const last = all.at(-1)
    const lastMessage = last ? `; the last: ${last.text}` : ''
    const summary = `Idea ${id} has ${counted(total, 'message')}${lastMessage}`
    return cutByRows(all.slice(from), (messages: readonly LabThread['messages'][number][]) => ({
      summary,
      total,
      next_cursor: cursorAt(listed, { at: from + messages.length, total }),
      messages: messages.map(({ n, at, from: sender, text }) => ({ n, at, from: sender, text })),
    }))!
  },
})

const RUN = defineTool({
  name: 'lab_run',
  title: 'Test an idea',
  description:
    'Costs one credit. backtest replays the rule on every session; quant, its next step, tries ' +
    'its numbers. After 20 seconds it says "running"; lab_result has what it finds.',
  input: {
    id: ideaId,
    kind: argument(z.enum(['backtest', 'quant']), 'backtest or quant, such as backtest'),
    drop: argument(
      z
        .string()
        .regex(/^i_[0-9A-Za-z]{1,40}$/)
        .optional(),
      'an id of lab_state, such as i_4fQ8sK2mZx0T',
      'an idea to take off the conveyor first, such as one that failed',
    ),
  },
  output: {
    state: z.enum(['done', 'running']),
    job: z.string(),
    says: z.array(z.string()),
  },
  writes: true,
  respond: async ({ id, kind, drop }, deps) => {
    const { account, signal } = requireOwner(deps)
    const waits = [AbortSignal.timeout(WAIT_MS), ...(signal ? [signal] : [])]
    const { job, isDone } = await deps.asks.lab.run(
      account,
      { id, kind, ...(drop === undefined ? {} : { drop }) },
      AbortSignal.any(waits),
    )
    const found = isDone ? await deps.asks.lab.readResult(account, id) : null
    const summary = found ? formatSentence(found) : `The ${kind} of ${id} is running as ${job}.`
    return {
      summary,
      total: 1,
      next_cursor: null,
      job,
      state: isDone ? ('done' as const) : ('running' as const),
      says: [...(found?.says ?? [])],
    }
  },
})

const Leg = z.looseObject({ title: z.string(), sentence: z.string().nullable() })

const RESULT = defineTool({
  name: 'lab_result',
  title: 'What the tests of an idea found',
  description:
    'The newest result: each trade of the rule with its eras, gates and verdict, wins and losses in ' +
    'USD, and the smallest effect that could be seen; after a quant all variants, none picked.',
  input: { id: ideaId, cursor },
  output: {
    kind: z.string(),
    rule: z.string(),
    says: z.array(z.string()),
    words: z.array(z.strictObject({ word: z.string(), means: z.string() })),
    legs: z.array(Leg),
    axes: z.array(z.string()),
    variants: z.array(z.looseObject({})).describe('In the order of their values.'),
  },
  respond: async ({ id, cursor: given }, deps) => {
    const found = await deps.asks.lab.readResult(requireOwner(deps).account, id)
    if (!found) throw new ToolError(`idea ${id} was not tested yet; lab_run tests it.`)
    const listed = { revision: found.job, question: { id } }
    const from = readPosition(given, listed)
    const variants = found.optimize?.variants ?? []
    const total = variants.length
    const legs = from > 0 ? [] : found.legs.map(toLeg)
    const words = from > 0 ? [] : (found.words ?? []).map(one => ({ ...one }))
    const says = from > 0 ? [] : [...found.says, ...(found.optimize?.says ?? [])]
    const toResponse = (rows: readonly object[]) => ({
      summary: formatSentence(found),
      total,
      next_cursor: cursorAt(listed, { at: from + rows.length, total }),
      kind: found.kind,
      rule: found.say,
      says,
      words,
      legs,
      axes: (found.optimize?.axes ?? []).map(({ field }) => field),
      variants: rows.map(row => ({ ...row })),
    })
    return cutByRows(variants.slice(from), toResponse) ?? toResponse([])
  },
})

const toLeg = ({ title, eras, verdict, figures, seen }: LabResult['legs'][number]) => ({
  title,
  eras,
  figures,
  seen,
  sentence: verdict?.sentence ?? null,
  gates: verdict?.gates ?? [],
})

/** Quotable sentence: the sessions, and the verdict. */
function formatSentence({ data, legs }: LabResult): string {
  const verdicts = legs.flatMap(({ verdict }) => verdict?.sentence ?? [])
  const of = `${data.kind} sessions ${data.from} to ${data.to}`
  return `On ${of} (an estimate): ${verdicts.join(' ')}`
}

/** The tools over ideas and their tests. */
export const LAB_SERVER: ToolServer = {
  name: 'tapefold-lab',
  title: 'Tapefold LAB',
  instructions:
    'Trading ideas on SPX options in plain English, as exact rules, tested on every session. ' +
    'lab_chat makes a rule, lab_run tests it for a credit, lab_result says what was found. Times ' +
    'are ET, HH:MM. Results are estimates and no advice. Quote `summary`; go on with ' +
    '`next_cursor` until it is null.',
  tools: [VOCABULARY, STATE, CHAT, THREAD, RUN, RESULT, ACT],
}
