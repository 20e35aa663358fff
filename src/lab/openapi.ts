import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { MESSAGES_PER_DAY_MAX } from '../accounts/products.ts'
import { param } from '../platform/http/fields.ts'
import { REPEAT_WORDS } from '../platform/http/openapi.ts'
import { TABLE_TYPES } from '../platform/http/tableForms.ts'
import { describeChange, describeReading } from './describe.ts'
import { MESSAGE_MAX, MESSAGE_WORDS_MAX } from './language/read.ts'
import { LabResult } from './result.ts'
import {
  ActionInput,
  ActionResponse,
  JobBegun,
  JobResponse,
  RunInput,
  RunResponse,
  StructInput,
  TradesResponse,
} from './runSchema.ts'
import { ChatInput, ChatReply, LabState, LabThread, VocabularyResponse } from './schema.ts'

const IDEA = 'i_4fQ8sK2mZx0T'
const JOB = 'j_4fQ8sK2mZx0T'

const RUN = `Tests an idea for a credit: \`backtest\` at the stage \`rule\`, then \`quant\` at the
stage \`tested\`, which tries every variant. One idea of an account is on the conveyor, from its
backtest until it is put on the desk, dropped or deleted; \`drop\` takes the one that holds it off in
the same call. A backtest is waited for up to 30 seconds,
a quant up to 120; then it is 502. Up to 90 seconds more in which sessions are read, such as after a
start, do not count. A run that fails gives its credit back. With
\`Prefer: respond-async\` the answer is 202 with the job, which \`/api/struct/job\` tells of. Who
hangs up leaves the run as it is.`

const PREFER = {
  Prefer: param(
    z.string().optional(),
    '`respond-async` answers the job at once (RFC 7240).',
    'respond-async',
  ),
}

const idea = param(z.string(), 'An idea.', IDEA)
const job = param(z.string(), 'A job of the account.', JOB)
const count = (description: string, example: number) =>
  param(z.coerce.number().int().min(0).optional(), description, example)

/** A complete rule, for the example of a struct. */
const SPEC = {
  v: 1,
  core: {
    action: 'sell',
    structure: 'put_spread',
    width: 10,
    dte: 0,
    qty: 1,
    strike: { ref: 'spot', offset: -30 },
    entry: { at: '10:00' },
    exit: [{ at: 'expiry' }],
  },
  when: [],
}

/** OpenAPI paths of tests. */
const runPaths: ZodOpenApiPathsObject = {
  '/api/lab/run': describeChange({
    operationId: 'changeLabRun',
    since: '2026-11-26',
    summary: 'Test an idea',
    description: `${RUN}\n\n${REPEAT_WORDS}`,
    body: RunInput,
    examples: {
      backtest: { id: IDEA, kind: 'backtest' },
      quant: { id: IDEA, kind: 'quant' },
      next: { id: IDEA, kind: 'backtest', drop: 'i_7gT1bW3nYc5R' },
    },
    responses: {
      '200': ['What the test found.', RunResponse],
      '202': ['The job, which is under way.', JobBegun],
    },
    codes: ['not_found', 'out_of_order', 'refused_rule', 'engine_failed'],
    isRepeatable: true,
    headers: PREFER,
  }),
  '/api/lab/idea': describeChange({
    operationId: 'changeLabIdea',
    since: '2026-11-26',
    summary: 'What becomes of an idea',
    description: `\`desk\` puts an idea that is ready on the desk, \`drop\` puts it back to its
beginning, and both free the conveyor; \`delete\` removes it. \`open\` shows all trades of the sealed
sessions of an idea on the desk: no rule of the account is judged on them any more, and its next
holdout is of 60 sessions that come later. \`set\` changes an idea of the desk:
whether it is \`on\`, what charts \`draw\` of it, and where an \`alert\` of it goes.`,
    body: ActionInput,
    examples: {
      desk: { id: IDEA, action: 'desk' },
      set: { id: IDEA, action: 'set', on: true, draw: 'trades' },
    },
    responses: { '200': ['The idea as it is now.', ActionResponse], '202': null },
    codes: ['not_found', 'out_of_order'],
    isRepeatable: false,
  }),
  '/api/lab/result': describeReading({
    operationId: 'readLabResult',
    since: '2026-11-26',
    summary: 'What a test of an idea found',
    description: 'The newest result of the kind, whole.',
    query: z.object({
      id: idea,
      kind: z.enum(['backtest', 'quant']).meta({ param: { example: 'backtest' } }),
    }),
    response: LabResult,
    codes: ['invalid', 'not_found'],
  }),
  '/api/lab/trades': describeReading({
    operationId: 'readLabTrades',
    since: '2026-11-26',
    summary: 'The trades behind a result',
    description: `Every trade of the core, in the rule or not, and every chance that was no trade,
with its reason. JSON by default; also \`text/csv\`, Parquet and an Arrow stream by the Accept
header, which have all rows. What came after the entry of a trade of the holdout is null, and
\`is_sealed\` true, until its idea is on the desk and opened.`,
    query: z.object({
      job,
      start: count('Rows of JSON to leave out; 0 when it is left out.', 0),
      count: count('Rows of JSON at most; all when it is left out.', 100),
    }),
    response: TradesResponse,
    otherTypes: TABLE_TYPES.slice(1),
    codes: ['invalid', 'not_found', 'damaged'],
  }),
  '/api/struct/run': describeChange({
    operationId: 'changeStructRun',
    since: '2026-11-26',
    summary: 'Compute a rule by itself',
    description: `Computes a rule for a credit, on the sessions before the sealed part and without
a verdict. It holds no conveyor; it counts as a trial of its kind of trades.\n\n${REPEAT_WORDS}`,
    body: StructInput,
    examples: { rule: { spec: SPEC, assume: { delay_min: 1, spread_factor: 1, fee_usd: 1.3 } } },
    responses: { '200': null, '202': ['The job, which is under way.', JobBegun] },
    codes: ['refused_rule', 'engine_failed'],
    isRepeatable: true,
  }),
  '/api/struct/job': describeReading({
    operationId: 'readStructJob',
    since: '2026-11-26',
    summary: 'How far a job is',
    description: 'Any job of the account, of an idea or of a rule alone; its result once done.',
    query: z.object({ id: job }),
    response: JobResponse,
    codes: ['invalid', 'not_found'],
  }),
}

const CHAT = `Turns an idea in plain words into an exact rule (\`spec\`), asks for what is missing
(\`chat\`), or says why there can be no rule (\`error\`). With \`id\` the message answers a
question, changes the idea or is \`undo\`; any message puts the idea back to the stage \`rule\`. The
same message on the same idea has the same answer. Free, but the account needs a credit. A message
has up to ${MESSAGE_MAX} characters and ${MESSAGE_WORDS_MAX} words, numbers and signs; an account
sends up to ${MESSAGES_PER_DAY_MAX} messages a day of New York.`

/** OpenAPI paths of the LAB API. */
export const labPaths: ZodOpenApiPathsObject = {
  '/api/lab/chat': describeChange({
    operationId: 'changeIdea',
    since: '2026-11-26',
    summary: 'An idea in plain words',
    description: `${CHAT}\n\n${REPEAT_WORDS}`,
    body: ChatInput,
    examples: {
      begin: { message: 'At 10:00 sell the 10-wide put spread 30 points below spot.' },
      amend: { message: 'make it 15 wide', id: 'i_4fQ8sK2mZx0T' },
    },
    responses: {
      '200': ['A rule, a question, or why there is no rule.', ChatReply],
      '202': null,
    },
    codes: ['not_found', 'rate'],
    isRepeatable: true,
  }),
  ...runPaths,
  '/api/lab/state': describeReading({
    operationId: 'readLabState',
    since: '2026-11-26',
    summary: 'Ideas, conveyor and credits',
    description: 'The ideas of the account, which of them is on the conveyor, and its credits.',
    response: LabState,
    codes: [],
  }),
  '/api/lab/thread': describeReading({
    operationId: 'readLabThread',
    since: '2026-11-26',
    summary: 'What was said on an idea',
    description: 'The messages of both sides, with the version of the rule that each led to.',
    query: z.object({
      id: param(z.string(), 'An idea.', 'i_4fQ8sK2mZx0T'),
    }),
    response: LabThread,
    codes: ['invalid', 'not_found'],
  }),
  '/api/lab/vocabulary': describeReading({
    operationId: 'readLabVocabulary',
    since: '2026-11-26',
    summary: 'What the language knows',
    description: "Phrases, structures, conditions, limits and examples: the parser's own table.",
    response: VocabularyResponse,
    codes: [],
  }),
}
