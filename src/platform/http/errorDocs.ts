import { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { ErrorCatalogue } from './errors/catalogue.ts'
import { REQUEST_ID, RETRY_AFTER, text } from './openapi.ts'

/** Example values of the fields next to the code. */
const SHOWN_EXTRAS: Readonly<Record<string, unknown>> = {
  retry_after_s: 2,
  pricing: '/pricing',
  next_update_s: 3600,
}

/**
 * Error responses of an operation, by status, for a product whose envelope has codes; each code has
 * an example.
 */
export function productErrorResponses(
  { rows, envelope }: ErrorCatalogue,
  codes: readonly string[],
): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  const listed = rows.filter(({ code }) => codes.includes(code))
  const byStatus = Map.groupBy(listed, ({ status }) => status)
  const responses = [...byStatus].map(([status, same]) => {
    const isTimed = status === 429 || status === 503
    const named = (row: (typeof same)[number]) => [
      ...(row.extras ?? []),
      ...Object.keys(row.always ?? {}),
      ...(isTimed ? ['retry_after_s'] : []),
    ]
    const examples = same.map(row => {
      const extras = Object.fromEntries(named(row).map(name => [name, SHOWN_EXTRAS[name]]))
      const value = envelope({ code: row.code, message: `${row.meaning}.`, extras })
      return [row.code, { value }] as const
    })
    const response: ZodOpenApiResponseObject = {
      description: same.map(({ code, meaning }) => `\`${code}\`: ${meaning}`).join('; '),
      headers: {
        ...REQUEST_ID,
        ...(isTimed ? RETRY_AFTER : {}),
        ...(status === 405
          ? { Allow: text('Methods there are.', '^GET', 'GET, HEAD, OPTIONS') }
          : {}),
        ...(status === 416
          ? { 'Content-Range': text('The size.', '^bytes \\*/\\d+$', 'bytes */81920') }
          : {}),
      },
      content: {
        'application/json': {
          schema: envelopeSchema(
            same.map(({ code }) => code),
            same.flatMap(named),
          ),
          examples: Object.fromEntries(examples),
        },
      },
    }
    return [String(status), response]
  })
  return Object.fromEntries(responses)
}

const EXTRAS = {
  retry_after_s: z.int().min(0).optional(),
  pricing: z.string().optional(),
  next_update_s: z.int().min(0).nullable().optional(),
}

function envelopeSchema(codes: readonly string[], extras: readonly string[]): z.ZodType {
  const extraFields = Object.entries(EXTRAS).filter(([name]) => extras.includes(name))
  return z.looseObject({
    error: z.looseObject({
      code: z.enum(codes as [string, ...string[]]).describe('Stable: branch on it.'),
      message: z.string().describe('What is wrong, in words; may change.'),
      ...Object.fromEntries(extraFields),
    }),
  })
}
