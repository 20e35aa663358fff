import type { Request, Response } from 'express'
import { ApiError, type ErrorCode } from './error.ts'
import { maskedStart } from './mask.ts'

const IGNORED_MAX_COUNT = 20
const IGNORED_NAME_LENGTH = 40

type Values<Name extends string> = Readonly<Record<Name, readonly string[]>>

/**
 * Returns the values of the known query parameters, each in the order given. Ignores unknown ones,
 * but names them in the header X-Ignored-Params so that a typo is visible; keys in them are masked.
 */
export function readQuery<Name extends string>(
  req: Request,
  res: Response,
  known: readonly Name[],
): Values<Name> {
  const { values, unknown } = parseQuery(readSearch(req.url), known)
  ignoreParams(res, unknown)
  return values
}

/** Returns the query of a URL, without its question mark. */
export function readSearch(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** Returns the values of the known parameters of a query, and the names of others. */
export function parseQuery<Name extends string>(
  search: string,
  known: readonly Name[],
): { readonly values: Values<Name>; readonly unknown: readonly string[] } {
  if (search === '') return { values: listValues(known, () => []), unknown: [] }
  const params = new URLSearchParams(search)
  const names = [...new Set(params.keys())]
  const unknown = names.filter(name => !(known as readonly string[]).includes(name))
  return { values: listValues(known, name => params.getAll(name)), unknown }
}

const listValues = <Name extends string>(
  known: readonly Name[],
  read: (name: Name) => string[],
): Values<Name> => Object.fromEntries(known.map(name => [name, read(name)])) as never

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
