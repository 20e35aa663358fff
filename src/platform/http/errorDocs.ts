import type { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { ProductErrorRow } from './errors/catalogue.ts'
import { errorSchema, errorsByStatus } from './openapi.ts'

/** The fields that may stand next to a code: their schemas, and examples. */
type ExtraFields = Readonly<
  Record<string, { readonly schema: z.ZodType; readonly example: unknown }>
>

/**
 * Error responses by status of rows whose envelope has codes. `toHeaders` gives the headers of a status:
 * with Retry-After among them, the body has `retry_after_s`.
 */
export const codedErrors = (
  rows: readonly ProductErrorRow[],
  fields: ExtraFields,
  toHeaders: (status: number) => NonNullable<ZodOpenApiResponseObject['headers']>,
) =>
  errorsByStatus(rows, (same, status) => {
    const headers = toHeaders(status)
    const list = ({ extras = [], always = {} }: ProductErrorRow) => {
      const named = [...extras, ...Object.keys(always)]
      return 'Retry-After' in headers ? [...new Set([...named, 'retry_after_s'])] : named
    }
    return {
      schema: errorSchema(
        same.map(({ code }) => code),
        Object.fromEntries(same.flatMap(list).map(name => [name, fields[name]!.schema.optional()])),
      ),
      example: row => {
        const extras = list(row).map(name => [name, fields[name]!.example])
        const message = `${row.meaning}.`
        return { error: { code: row.code, message, ...Object.fromEntries(extras) } }
      },
      headers,
    }
  })
