import type { KeyHolder } from '../../accounts/types.ts'
import { ApiError, type ErrorCode, type ErrorRow, errorRow } from '../error.ts'
import { maskSecrets } from '../mask.ts'
import type { Envelope } from './envelope.ts'

/** Fields that may stand beside what an error says. */
export type Extras = {
  /** Seconds to wait: sent as Retry-After too. */
  readonly retry_after_s: number
  /** The page of plans and prices. */
  readonly pricing: string
  /** The earliest day that the account may ask for. */
  readonly oldest: string
  /** Contracts that were measured on the day. */
  readonly live: readonly string[]
  /** Seconds until there may be a reading; null when no session is known to come. */
  readonly next_update_s: number | null
  /** The product to buy. */
  readonly buy: string
  /** Id of the idea that is on the conveyor. */
  readonly holder: string
  /** Id of the test that is under way, or that failed. */
  readonly job: string
  /** Whether the credit was given back. */
  readonly refunded: boolean
}

type ExtraName = keyof Extras

/** A row of a product's catalogue. Where the envelope has no codes, `code` is what routes throw. */
export type ProductErrorRow = ErrorRow & {
  /** Given whenever it is thrown. */
  readonly extras?: readonly ExtraName[]
  /** Given where there is one. */
  readonly mayHave?: readonly ExtraName[]
  /** The same at every time. */
  readonly always?: Partial<Extras>
  /** What it says, word for word; else what was thrown, or its meaning. */
  readonly sentence?: string
}

/** The errors of a product, and how it says them. */
export type ProductErrors = {
  /** Rows further up are answered first. */
  readonly rows: readonly ProductErrorRow[]
  readonly envelope: Envelope
  /** What the product calls errors of the house: those that routes of any product may throw. */
  readonly names: Partial<Readonly<Record<ErrorCode, string>>>
  /** Whether a client may ask for errors as 200, with the real status in a header. */
  readonly mayAnswer200?: boolean
  /** Refusals of a key. */
  readonly noKey: () => Error
  readonly unknownKey: () => Error
  readonly noPlan: (holder: KeyHolder, atMs: number) => Error
  /** Of a key beyond so many that a plan lets work at once, where a product has such plans. */
  readonly extraKey?: (key: { readonly position: number; readonly max: number }) => Error
}

/** A row that a product shares with the house, as it is there. */
export const houseRow = <Code extends ErrorCode>(code: Code) => ({ ...errorRow(code), code })

/** An expected failure of a product: thrown by its routes, answered by the edge. */
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

/** What is told of one failure: a row's extras must be given, and no others can be. */
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

/** What is sent for an error. */
export type ErrorResponse = {
  readonly status: number
  /** Of the catalogue that answers, also where its envelope does not show it. */
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An expected failure as a product answers it: in its envelope, by its name. */
export function toErrorResponse(
  error: ApiError | ProductError,
  errors: ProductErrors,
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

function houseError({ code, headers }: ApiError, { rows, names }: ProductErrors) {
  const name = names[code] ?? code
  const row = rows.find(one => one.code === name) ?? errorRow(code)
  const wait = headers['retry-after']
  return { row, headers, extras: wait === undefined ? {} : { retry_after_s: Number(wait) } }
}

/** Whether an error was foreseen: its catalogue says how it is answered. */
export const isExpected = (error: unknown): error is ApiError | ProductError =>
  error instanceof ApiError || error instanceof ProductError
