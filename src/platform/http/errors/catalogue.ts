import { ApiError, ERRORS, type ErrorCode, type ErrorRow, errorRow } from '../error.ts'
import { maskSecrets } from '../mask.ts'
import { codedEnvelope, type Envelope } from './envelope.ts'

/** Optional fields of an error body. */
export type Extras = {
  /** Seconds to wait: sent as Retry-After too. */
  readonly retry_after_s: number
  /** The page of plans and prices. */
  readonly pricing: string
  /** Earliest day the account may request. */
  readonly oldest: string
  /** Contracts measured on the day. */
  readonly live: readonly string[]
  /** Seconds until there may be a reading; null when no coming session is known. */
  readonly next_update_s: number | null
  /** The product to buy. */
  readonly buy: string
  /** Id of the idea on the conveyor. */
  readonly holder: string
  /** Id of the running or failed test. */
  readonly job: string
  /** True when the credit was refunded. */
  readonly refunded: boolean
}

type ExtraName = keyof Extras

/** A row of a product's catalogue. In an envelope without codes, `code` is only internal. */
export type ProductErrorRow = ErrorRow & {
  /** Extras required whenever it is thrown. */
  readonly extras?: readonly ExtraName[]
  /** Extras that are optional. */
  readonly mayHave?: readonly ExtraName[]
  /** Extras with a fixed value. */
  readonly always?: Partial<Extras>
  /** Fixed message; defaults to the thrown message, or the meaning. */
  readonly sentence?: string
}

/** The errors of a product, and their format. */
export type ErrorCatalogue = {
  /** Rows in precedence, highest first. */
  readonly rows: readonly ProductErrorRow[]
  readonly envelope: Envelope
  /** The product's names for common errors, which routes of any product may throw. */
  readonly names: Partial<Readonly<Record<ErrorCode, string>>>
  /** True when a client may request errors as 200, with the real status in a header. */
  readonly mayRespond200?: boolean
}

/** The common errors, by their own names: those of every path of no other product. */
export const COMMON_ERRORS: ErrorCatalogue = { rows: ERRORS, envelope: codedEnvelope, names: {} }

/** Rows shared with the common catalogue, unchanged. */
export const houseRows = <const Codes extends readonly ErrorCode[]>(...codes: Codes) =>
  codes.map(errorRow) as unknown as {
    readonly [At in keyof Codes]: ErrorRow & { readonly code: Codes[At] }
  }

/** An expected failure of a product: thrown by its routes, formatted by the error handler. */
class ProductError extends Error {
  readonly row: ProductErrorRow
  readonly extras: Partial<Extras>
  readonly headers: Readonly<Record<string, string>>

  constructor(row: ProductErrorRow, { message, extras, headers }: LooseDetails) {
    super(row.sentence ?? message ?? `${row.meaning}.`)
    this.row = row
    this.extras = { ...row.always, ...extras }
    this.headers = headers ?? {}
  }
}

type LooseDetails = {
  readonly message?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly extras?: Partial<Extras>
}

type Named<Row, Field extends 'extras' | 'mayHave'> =
  Row extends Readonly<Record<Field, readonly (infer Name extends ExtraName)[]>> ? Name : never

type GivenExtras<Row> = Pick<Extras, Named<Row, 'extras'>> &
  Partial<Pick<Extras, Named<Row, 'mayHave'>>>

/** Details of one failure: a row's extras are required, and no others are allowed. */
export type Details<Row> = {
  readonly message?: string
  readonly headers?: Readonly<Record<string, string>>
} & ([Named<Row, 'extras'>] extends [never]
  ? { readonly extras?: GivenExtras<Row> }
  : { readonly extras: GivenExtras<Row> })

/** Makes the errors of a catalogue: `throw liveError('no_data', { extras: { … } })`. */
export const errorFactory =
  <const Row extends ProductErrorRow>(rows: readonly Row[]) =>
  <Code extends Row['code']>(code: Code, details: Details<Extract<Row, { readonly code: Code }>>) =>
    new ProductError(rows.find(row => row.code === code)!, details)

/** HTTP response for an error. */
export type ErrorResponse = {
  readonly status: number
  /** Code in the product's catalogue, also when its envelope omits it. */
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Formats an expected failure for a product: in its envelope, by its name. */
export function toErrorResponse(
  error: ApiError | ProductError,
  errors: ErrorCatalogue,
): ErrorResponse {
  const { row, extras, headers } = error instanceof ApiError ? houseError(error, errors) : error
  const { status, code } = row
  const wait = extras.retry_after_s
  return {
    status,
    code,
    headers: { ...headers, ...(wait === undefined ? {} : { 'retry-after': String(wait) }) },
    body: JSON.stringify(errors.envelope({ code, message: maskSecrets(error.message), extras })),
  }
}

function houseError({ code, headers }: ApiError, { rows, names }: ErrorCatalogue) {
  const name = names[code] ?? code
  const row = rows.find(one => one.code === name) ?? errorRow(code)
  const wait = headers['retry-after']
  return { row, headers, extras: wait === undefined ? {} : { retry_after_s: Number(wait) } }
}

/** True for an error of a catalogue. */
export const isExpected = (error: unknown): error is ApiError | ProductError =>
  error instanceof ApiError || error instanceof ProductError
