import { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { ErrorCatalogue } from './errors/catalogue.ts'
import { errorSchema, errorsByStatus, headerText, isTimed, RETRY_AFTER } from './openapi.ts'

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
  return errorsByStatus(listed, (same, status) => {
    const named = ({ extras = [], always = {} }: (typeof same)[number]) => [
      ...extras,
      ...Object.keys(always),
      ...(isTimed(status) ? ['retry_after_s'] : []),
    ]
    const names = same.flatMap(named)
    return {
      schema: errorSchema(
        same.map(({ code }) => code),
        Object.fromEntries(Object.entries(EXTRAS).filter(([name]) => names.includes(name))),
      ),
      example: row => {
        const extras = Object.fromEntries(named(row).map(name => [name, SHOWN_EXTRAS[name]]))
        return envelope({ code: row.code, message: `${row.meaning}.`, extras })
      },
      headers: {
        ...(isTimed(status) ? RETRY_AFTER : {}),
        ...(status === 416
          ? { 'Content-Range': headerText('The size.', '^bytes \\*/\\d+$', 'bytes */81920') }
          : {}),
      },
    }
  })
}

const EXTRAS = {
  retry_after_s: z.int().min(0).optional(),
  pricing: z.string().optional(),
  next_update_s: z.int().min(0).nullable().optional(),
}
