import type { Request, Response } from 'express'
import { ApiError, type ErrorCode } from './error.ts'
import { maskedStart } from './mask.ts'

const IGNORED_MAX_COUNT = 20
const IGNORED_NAME_LENGTH = 40

/**
 * Returns the values of the known query parameters, each in the order given. Ignores unknown ones,
 * but names them in the header X-Ignored-Params so that a typo is visible; keys in them are masked.
 */
export function readQuery<Name extends string>(
  req: Request,
  res: Response,
  known: readonly Name[],
): Readonly<Record<Name, readonly string[]>> {
  const start = req.url.indexOf('?')
  if (start < 0) return Object.fromEntries(known.map(name => [name, []])) as never
  const params = new URLSearchParams(req.url.slice(start + 1))
  const names = [...new Set(params.keys())]
  const ignored = names.filter(name => !(known as readonly string[]).includes(name))
  ignoreParams(res, ignored)
  return Object.fromEntries(known.map(name => [name, params.getAll(name)])) as never
}

/** Adds parameters without effect to X-Ignored-Params. */
export function ignoreParams(res: Response, names: readonly string[]): void {
  if (names.length === 0) return
  const listed = names
    .slice(0, IGNORED_MAX_COUNT)
    .map(name => encodeURIComponent(maskedStart(name, IGNORED_NAME_LENGTH).toWellFormed()))
  const before = res.getHeader('x-ignored-params')
  res.setHeader('x-ignored-params', [before ?? [], ...listed].flat().join(', '))
}

/** Returns the value of a parameter that may be given once, or null. Fails with `code`. */
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
