import type { Request, Response } from 'express'
import { ApiError, type ErrorCode } from './error.ts'
import { maskedStart } from './mask.ts'

const IGNORED_MAX_COUNT = 20
const IGNORED_NAME_LENGTH = 40

/**
 * The values of the known query parameters, each in the order given. Unknown ones are ignored, and
 * named in the header X-Ignored-Params so that a typo can be seen; keys in them are masked.
 */
export function readQuery<Name extends string>(
  req: Request,
  res: Response,
  known: readonly Name[],
): Readonly<Record<Name, readonly string[]>> {
  const start = req.url.indexOf('?')
  const params = new URLSearchParams(start < 0 ? '' : req.url.slice(start + 1))
  const names = [...new Set(params.keys())]
  const ignored = names.filter(name => !(known as readonly string[]).includes(name))
  if (ignored.length > 0) {
    const listed = ignored
      .slice(0, IGNORED_MAX_COUNT)
      .map(name => encodeURIComponent(maskedStart(name, IGNORED_NAME_LENGTH).toWellFormed()))
    res.setHeader('x-ignored-params', listed.join(', '))
  }
  return Object.fromEntries(known.map(name => [name, params.getAll(name)])) as never
}

/** The value of a parameter that may be given once, or null without it. Fails with `code`. */
export function onlyOne(
  name: string,
  values: readonly string[],
  code: ErrorCode = 'invalid',
): string | null {
  if (values.length <= 1) return values[0] ?? null
  throw new ApiError(code, {
    message: `${name} is given ${values.length} times; give it once.`,
  })
}
