import { z } from 'zod'
import { flag, text, textOrNull } from '../platform/http/fields.ts'
import { RuleSpec } from './language/spec.ts'

/** Bodies of the LAB API, for validation, OpenAPI and tests. */

const IDEA_ID = 'i_4fQ8sK2mZx0T'
const id = z.string().meta({ description: 'An idea of the account.', example: IDEA_ID })

export const ChatInput = z
  .strictObject({
    message: text('An idea, an answer or a change, in plain words.').optional(),
    accept: z
      .literal(true)
      .optional()
      .describe(
        'In place of a message: takes the rule as it was proposed, without the words that were ' +
          'not read.',
      ),
    id: z.string().nullish().describe('The idea it is about; left out: a new one.'),
  })
  .meta({ id: 'LabChat', description: 'A message to LAB.' })
export type ChatInput = z.infer<typeof ChatInput>

const read = z
  .array(z.strictObject({ from: z.int(), to: z.int(), field: z.string() }))
  .describe('Which characters of the message were read as which part.')
const LabQuestion = z
  .strictObject({
    slot: z.string(),
    ask: z.string(),
    unit: z.string(),
    options: z.array(z.string()).optional(),
  })
  .meta({ id: 'LabQuestion', description: 'Something that a rule still needs.' })

const unread = z
  .array(z.strictObject({ from: z.int(), to: z.int(), text: z.string() }))
  .describe('Words that were not read.')
const assumptions = z
  .array(z.strictObject({ field: z.string(), value: z.string(), why: z.string() }))
  .describe('What was taken for granted or worked out.')

const changed = z
  .array(
    z.strictObject({
      field: z.string(),
      from: z.string().nullable(),
      to: z.string().nullable(),
    }),
  )
  .describe('What differs from the version before.')

const SpecReply = z.strictObject({
  kind: z.literal('spec'),
  idea: z.strictObject({ id, name: z.string(), spec: RuleSpec }),
  say: text('The rule in words; read again, they are the same rule.'),
  version: z.int(),
  rule_hash: text('SHA-256 of the rule, hex (RFC 8785).'),
  assumptions,
  changed,
  read,
})
const QuestionReply = z.strictObject({
  kind: z.literal('chat'),
  say: z.string(),
  id: id.optional(),
  missing: z.array(LabQuestion),
  unread,
  proposal: z
    .strictObject({ spec: RuleSpec, say: z.string(), assumptions, changed })
    .optional()
    .describe('The rule without the words that were not read; "yes" takes it.'),
  read,
})
const ErrorReply = z.strictObject({
  kind: z.literal('error'),
  say: z.string(),
  id: id.optional(),
  errors: z.array(z.string()),
  unread,
  read,
})

export const ChatReply = z
  .discriminatedUnion('kind', [SpecReply, QuestionReply, ErrorReply])
  .meta({ id: 'LabReply', description: 'A rule, a question, or why there is no rule.' })
export type ChatReply = z.infer<typeof ChatReply>

export const IDEA_DRAWS = ['off', 'levels', 'trades'] as const
export const IDEA_ALERTS = ['off', 'telegram', 'email', 'webhook'] as const

export const LabJob = z
  .strictObject({
    id: z.string().meta({ example: 'j_4fQ8sK2mZx0T' }),
    kind: z.enum(['backtest', 'quant', 'struct']),
    idea: textOrNull('The idea it is of; null of a struct.'),
    state: z.enum(['queued', 'running', 'done', 'failed']),
    progress: z.strictObject({ done: z.int(), total: z.int() }),
    error: text('Why it failed.').optional(),
    refunded: flag('Whether the credit was given back.').optional(),
  })
  .meta({ id: 'LabJob', description: 'A test of an idea, or of a rule alone.' })
export type LabJob = z.infer<typeof LabJob>

export const LabTested = z
  .strictObject({
    job: z.string(),
    at: text('ISO 8601, UTC.'),
    to: text('Newest session it was tested on.'),
    legs: z.array(
      z.strictObject({
        title: z.string(),
        interesting: z.boolean(),
        net_rr_t: z.number().nullable(),
        n: z.int(),
        mean: z.number().nullable(),
        sentence: z.string(),
      }),
    ),
    variants_tried: z.int().optional(),
  })
  .meta({ id: 'LabTested', description: 'A result in a few figures.' })
export type LabTested = z.infer<typeof LabTested>

export const LabIdea = z
  .strictObject({
    id,
    name: z.string(),
    stage: z.enum(['rule', 'tested', 'ready', 'desk']),
    spec: RuleSpec.nullable().describe('Null while a question is open.'),
    results: z
      .strictObject({ backtest: LabTested.optional(), quant: LabTested.optional() })
      .nullable()
      .describe('Of the rule as it is now; whole ones are at /api/lab/result.'),
    on: flag('Of the desk: whether it runs each minute.'),
    draw: z.enum(IDEA_DRAWS),
    alert: z.enum(IDEA_ALERTS),
    missing: z.array(z.string()).optional().describe('The open questions.'),
  })
  .meta({ id: 'LabIdea' })
export type LabIdea = z.infer<typeof LabIdea>

export const LabState = z
  .strictObject({
    ideas: z.array(LabIdea).describe('Oldest first.'),
    conveyor: textOrNull('The idea that holds the conveyor.'),
    balance: z
      .strictObject({ monthly: z.int(), purchased: z.int(), total: z.int() })
      .describe('Credits.'),
    job: LabJob.optional().describe('The test of an idea that is under way.'),
  })
  .meta({ id: 'LabState' })
export type LabState = z.infer<typeof LabState>

export const LabThread = z
  .strictObject({
    id,
    messages: z.array(
      z.strictObject({
        n: z.int(),
        at: text('ISO 8601, UTC.'),
        from: z.enum(['you', 'lab']),
        text: z.string(),
        kind: z.string().optional(),
        version: z.int().optional(),
        rule_hash: z.string().optional(),
        missing: z.array(z.string()).optional(),
        errors: z.array(z.string()).optional(),
      }),
    ),
  })
  .meta({ id: 'LabThread' })
export type LabThread = z.infer<typeof LabThread>

const words = z.record(z.string(), z.string())
const bound = z.union([z.number(), z.string()]).nullable()

export const VocabularyResponse = z
  .looseObject({
    version: z.int(),
    grammar: z.looseObject({
      phrases: z.array(z.strictObject({ id: z.string(), field: z.string(), phrase: z.string() })),
      synonyms: words,
      values: words,
      fillers: z.array(z.string()),
    }),
    structures: z.array(
      z.strictObject({ structure: z.string(), says: z.string(), synonyms: z.array(z.string()) }),
    ),
    slots: z.array(
      z.strictObject({
        slot: z.string(),
        ask: z.string().nullable(),
        unit: z.string(),
        min: bound,
        max: bound,
        step: z.number().nullable(),
        default: bound,
        synonyms: z.array(z.string()),
        options: z.array(z.string()).optional(),
      }),
    ),
    conditions: z.array(
      z.strictObject({
        f: z.string(),
        ops: z.array(z.string()),
        unit: z.string().nullable(),
        min: z.number().nullable(),
        max: z.number().nullable(),
        says: z.array(z.string()),
        null_when: z.string(),
      }),
    ),
    units: words,
    times: z.strictObject({
      zone: z.string(),
      entry: z.array(z.string()),
      examples: z.array(z.string()),
      afternoon: z.string(),
    }),
    refusals: z.array(z.strictObject({ id: z.string(), reason: z.string(), words: z.string() })),
    examples: z.array(z.string()),
    limits: z.record(z.string(), z.number()),
  })
  .meta({ id: 'LabVocabulary', description: 'All that the parser reads, from its own table.' })
