import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { MESSAGES_PER_DAY_MAX } from '../accounts/products.ts'
import { param } from '../platform/http/fields.ts'
import { REPEAT_WORDS } from '../platform/http/openapi.ts'
import { describeChange, describeReading } from './describe.ts'
import { MESSAGE_MAX, MESSAGE_WORDS_MAX } from './language/read.ts'
import { runPaths } from './runOpenapi.ts'
import { ChatInput, ChatReply, LabState, LabThread, VocabularyResponse } from './schema.ts'

const CHAT = `Turns an idea in plain words into an exact rule (\`spec\`), asks for what is missing
(\`chat\`), or says why there can be no rule (\`error\`). With \`id\` the message answers a
question, changes the idea or is \`undo\`; any message puts the idea back to the stage \`rule\`. The
same message on the same idea has the same answer. Free, but the account needs a credit. A message
has up to ${MESSAGE_MAX} characters and ${MESSAGE_WORDS_MAX} words, numbers and signs; an account
sends up to ${MESSAGES_PER_DAY_MAX} messages a day of New York.`

/** OpenAPI paths of the LAB API. */
export const labPaths: ZodOpenApiPathsObject = {
  '/api/lab/chat': {
    post: describeChange({
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
  },
  ...runPaths,
  '/api/lab/state': {
    get: describeReading({
      operationId: 'readLabState',
      since: '2026-11-26',
      summary: 'Ideas, conveyor and credits',
      description: 'The ideas of the account, which of them is on the conveyor, and its credits.',
      response: LabState,
      codes: [],
    }),
  },
  '/api/lab/thread': {
    get: describeReading({
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
  },
  '/api/lab/vocabulary': {
    get: describeReading({
      operationId: 'readLabVocabulary',
      since: '2026-11-26',
      summary: 'What the language knows',
      description: "Phrases, structures, conditions, limits and examples: the parser's own table.",
      response: VocabularyResponse,
      codes: [],
    }),
  },
}
