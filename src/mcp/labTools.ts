import { z } from 'zod'
import { counted } from '../core/text/counts.ts'
import { textOrNull } from '../platform/http/fields.ts'
import type { Requester } from '../platform/pool/requestScheduler.ts'
import { argument, defineTool, type ToolDeps, ToolError } from './tool.ts'

/** Tools over ideas in plain words: their messages, and their operations. */

export const ideaId = argument(
  z.string().regex(/^i_[0-9A-Za-z]{1,40}$/),
  'an id of lab_state, such as i_4fQ8sK2mZx0T',
)

/** Returns the owner of the ideas. Fails without an account. */
export function requireOwner({ requester }: ToolDeps): Requester {
  if (requester !== null) return requester
  throw new ToolError(
    'ideas belong to an account; start the command with one, such as --account acc_4fQ8sK2mZx0T.',
  )
}

const anything = z.array(z.looseObject({}))

export const VOCABULARY = defineTool({
  name: 'lab_vocabulary',
  title: 'What LAB understands',
  description: 'Structures, slots with their units and bounds, conditions, limits and examples.',
  input: {},
  output: {
    structures: anything,
    slots: anything,
    conditions: anything,
    examples: z.array(z.string()),
    limits: z.record(z.string(), z.number()),
  },
  respond: async (_given, deps) => {
    const { structures, slots, conditions, examples, limits } = deps.asks.lab.readVocabulary()
    const held = `${counted(structures.length, 'structure')} and ${conditions.length} conditions`
    return {
      summary: `LAB reads ideas in plain English: ${held}, such as "${examples[0]}"`,
      total: conditions.length,
      next_cursor: null,
      examples: [...examples],
      limits,
      structures: [...structures],
      slots: [...slots],
      conditions: [...conditions],
    }
  },
})

const Idea = z.strictObject({
  id: z.string(),
  name: z.string(),
  stage: z.string().describe('rule, tested, ready or desk.'),
  missing: z.array(z.string()).describe('Open questions.'),
})

export const STATE = defineTool({
  name: 'lab_state',
  title: 'Ideas and credits',
  description: 'The ideas of the account with their stages, the conveyor, and the credits.',
  input: {},
  output: {
    ideas: z.array(Idea),
    conveyor: textOrNull('The one idea that is being tested.'),
    credits: z.int(),
  },
  respond: async (_given, deps) => {
    const { ideas, conveyor, balance } = await deps.asks.lab.readState(requireOwner(deps).account)
    const ideaRows = ideas.map(({ id, name, stage, missing = [] }) => {
      return { id, name, stage, missing: [...missing] }
    })
    // only the newest results are queried; an account stores 200 ideas at most
    const shown = ideaRows.slice(-60)
    const total = ideaRows.length
    const credits = counted(balance.total, 'credit')
    return {
      summary: `The account has ${counted(total, 'idea')} and ${credits}.`,
      total,
      next_cursor: null,
      ideas: shown,
      conveyor,
      credits: balance.total,
    }
  },
})

const NO_MESSAGE =
  'message is missing; give an idea, an answer or a change, such as "At 10:00 sell the straddle"; ' +
  'or accept and the id of an idea whose rule is proposed.'

export const CHAT = defineTool({
  name: 'lab_chat',
  title: 'Say or change an idea',
  description:
    'Turns a trading idea in plain English into an exact rule, asks for what is missing, or says ' +
    'why there can be no rule. With an id it answers a question or changes that idea, which then ' +
    'has to be tested again.',
  input: {
    message: argument(
      z.string().min(1).max(2_000).optional(),
      'an idea, an answer or a change, such as "At 10:00 sell the straddle"',
    ),
    id: ideaId.optional(),
    accept: argument(
      z.boolean().optional(),
      'true or false, such as true',
      'in place of a message, true takes the proposed rule without its unread words',
    ),
  },
  output: {
    kind: z.enum(['spec', 'chat', 'error']).describe('A rule, a question, or no rule.'),
    say: z.string(),
    id: z.string().nullable(),
    missing: z.array(z.strictObject({ slot: z.string(), ask: z.string() })),
    unread: z
      .array(z.string())
      .describe('Words that were not read; "yes" takes the rule without them.'),
  },
  writes: true,
  respond: async ({ message, id = null, accept = false }, deps) => {
    if (message === undefined && !accept) throw new ToolError(NO_MESSAGE)
    if (message !== undefined && accept) {
      throw new ToolError('accept stands in place of message; give one of them.')
    }
    const sent = { message: message ?? 'yes', id }
    const reply = await deps.asks.lab.chat(requireOwner(deps).account, sent)
    const missing = reply.kind === 'chat' ? reply.missing : []
    return {
      summary: reply.say,
      total: 1,
      next_cursor: null,
      kind: reply.kind,
      say: reply.say,
      id: reply.kind === 'spec' ? reply.idea.id : (reply.id ?? null),
      missing: missing.map(({ slot, ask }) => ({ slot, ask })),
      unread: reply.kind === 'spec' ? [] : reply.unread.map(({ text }) => text),
    }
  },
})

export const ACT = defineTool({
  name: 'lab_idea',
  title: 'Put on the desk, drop, delete or set',
  description:
    'desk: a ready idea runs there; drop: back to its beginning; delete; set: on, draw and alert ' +
    'of an idea on the desk; open: shows its sealed trades, on which no rule is judged any more.',
  input: {
    id: ideaId,
    action: argument(
      z.enum(['desk', 'drop', 'delete', 'open', 'set']),
      'desk, drop, delete, open or set, such as desk',
    ),
    on: argument(z.boolean().optional(), 'true or false, such as true', 'of set'),
    draw: argument(
      z.enum(['off', 'levels', 'trades']).optional(),
      'off, levels or trades, such as off',
      'of set',
    ),
    alert: argument(
      z.enum(['off', 'telegram', 'email', 'webhook']).optional(),
      'off, telegram, email or webhook, such as off',
      'of set',
    ),
  },
  output: { stage: textOrNull('Null: the idea is deleted.') },
  writes: true,
  respond: async (given, deps) => {
    const { stage } = await deps.asks.lab.act(requireOwner(deps).account, given)
    const now = stage === null ? 'is deleted' : `is in the stage ${stage}`
    return { summary: `Idea ${given.id} ${now}.`, total: 1, next_cursor: null, stage }
  },
})
