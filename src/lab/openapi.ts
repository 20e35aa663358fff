import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { availableSince } from '../http/changes.ts'
import { LAB_ERRORS } from '../http/errors/lab.ts'
import { allowHeader, CACHING, IGNORED, REQUEST_ID, RETRY_AFTER } from '../http/openapi.ts'
import { ChatInput, ChatReply, LabState, LabThread, VocabularyAnswer } from './schema.ts'

const TAG = 'LAB'

/** Errors that any call may meet. */
const ALWAYS: readonly string[] = [
  ...['bad_request', 'request_timeout', 'headers_too_large', 'unavailable', 'no_key'],
  ...['no_credits', 'method', 'internal'],
]

/** Examples of what stands beside the sentence. */
const SHOWN = { buy: 'lab', holder: 'i_4fQ8sK2mZx0T', refunded: true } as const

const LabFailure = z
  .looseObject({
    error: z.string().meta({ description: 'What is wrong, in one sentence.' }),
    buy: z.string().optional().meta({ description: 'The product to buy.' }),
    holder: z.string().optional().meta({ description: 'The idea on the conveyor.' }),
    refunded: z.boolean().optional().meta({ description: 'Whether the credit was given back.' }),
  })
  .meta({ id: 'LabFailure', description: 'How the LAB API says what is wrong.' })

function failures(codes: readonly string[]) {
  const listed = LAB_ERRORS.rows.filter(({ code }) => [...ALWAYS, ...codes].includes(code))
  const byStatus = Map.groupBy(listed, ({ status }) => status)
  const responses = [...byStatus].map(([status, rows]) => {
    const examples = rows.map(({ code, meaning, sentence, extras = [], always = {} }) => {
      const beside = extras.map(name => [name, SHOWN[name as keyof typeof SHOWN]] as const)
      const value = { error: sentence ?? `${meaning}.`, ...always, ...Object.fromEntries(beside) }
      return [code, { value }] as const
    })
    const response = {
      description: rows.map(({ meaning }) => meaning).join('; '),
      headers: {
        ...REQUEST_ID,
        ...(status === 503 ? RETRY_AFTER : {}),
        ...(status === 405 ? allowHeader : {}),
      },
      content: {
        'application/json': { schema: LabFailure, examples: Object.fromEntries(examples) },
      },
    }
    return [String(status), response] as const
  })
  return Object.fromEntries(responses)
}

type Told = { readonly operationId: string; readonly summary: string; readonly description: string }

const described = ({ operationId, summary, description }: Told) => ({
  ...{ operationId, summary, tags: [TAG], security: [{ labKey: [] }] },
  description: `${description}\n\nAvailable since ${availableSince(operationId)}.`,
})

type Reading = Told & {
  readonly query?: z.ZodObject
  readonly answer: z.ZodType
  readonly codes: readonly string[]
}

function readingOf({ query, answer, codes, ...told }: Reading): ZodOpenApiOperationObject {
  const headers = { ...REQUEST_ID, ...CACHING, ...IGNORED }
  return {
    ...described(told),
    ...(query ? { requestParams: { query } } : {}),
    responses: {
      '200': {
        description: told.summary,
        headers,
        content: { 'application/json': { schema: answer } },
      },
      '304': {
        description: 'What the client has, by its If-None-Match, is the newest there is.',
        headers,
      },
      ...failures(['not_acceptable', ...codes]),
    },
  }
}

const CHAT = `Turns an idea in plain words into an exact rule (\`spec\`), asks for what is missing
(\`chat\`), or says why there can be no rule (\`error\`). With \`id\` the message answers a
question, changes the idea or is \`undo\`; any message puts the idea back to the stage \`rule\`. The
same message on the same idea has the same answer. Free, but the account needs a credit.`

/** The operations of the LAB API. */
export const labPaths: ZodOpenApiPathsObject = {
  '/api/lab/chat': {
    post: {
      ...described({
        operationId: 'changeIdea',
        summary: 'An idea in plain words',
        description: CHAT,
      }),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: ChatInput,
            examples: {
              begin: {
                value: {
                  message: 'At 10:00 sell the 10-wide put spread 30 points below spot.',
                },
              },
              amend: { value: { message: 'make it 15 wide', id: 'i_4fQ8sK2mZx0T' } },
            },
          },
        },
      },
      responses: {
        '200': {
          description: 'A rule, a question, or why there is no rule.',
          headers: { ...REQUEST_ID, ...IGNORED },
          content: { 'application/json': { schema: ChatReply } },
        },
        ...failures([
          ...['unsupported_media_type', 'body_too_large', 'bad_json', 'invalid', 'not_found'],
        ]),
      },
    },
  },
  '/api/lab/state': {
    get: readingOf({
      operationId: 'readLabState',
      summary: 'Ideas, conveyor and credits',
      description: 'The ideas of the account, which of them is on the conveyor, and its credits.',
      answer: LabState,
      codes: [],
    }),
  },
  '/api/lab/thread': {
    get: readingOf({
      operationId: 'readLabThread',
      summary: 'What was said on an idea',
      description: 'The messages of both sides, with the version of the rule that each led to.',
      query: z.object({
        id: z.string().meta({ description: 'An idea.', param: { example: 'i_4fQ8sK2mZx0T' } }),
      }),
      answer: LabThread,
      codes: ['invalid', 'not_found'],
    }),
  },
  '/api/lab/vocabulary': {
    get: readingOf({
      operationId: 'readLabVocabulary',
      summary: 'What the language knows',
      description: "Phrases, structures, conditions, limits and examples: the parser's own table.",
      answer: VocabularyAnswer,
      codes: [],
    }),
  },
}
