/** A vendor or public body whose files `fetch` brings: what each connector offers to the rest. */

import { CommandError } from '../../src/core/disk/refusal.ts'
import { printable } from '../../src/core/disk/text.ts'
import type { Session, SessionDate } from '../../src/core/market/calendar.ts'

/** One request of a source, without secrets. */
export type PartRequest = {
  readonly method: 'GET' | 'HEAD' | 'POST'
  /** Path below the source's address, with a leading slash. */
  readonly path: string
  /** Fields of the address, or of the form of a POST. */
  readonly fields: Readonly<Record<string, string>>
}

/** Tests of a table's lines, of which the first, the last and some between are judged. */
export type LineRules = {
  /** Columns that the header must name. */
  readonly columns: readonly string[]
  /** Returns what is wrong with a line, in words after "its line …"; null: nothing. */
  readonly judge: (cell: (column: string) => string) => string | null
}

/** Content of a response: the lines of a table, or one JSON value. */
export type ResponseContent =
  | { readonly kind: 'table'; readonly rules: LineRules }
  | {
      readonly kind: 'json'
      /** Returns its rows, or what is wrong with it in words after "it". */
      readonly judge: (value: unknown) => number | string
      /** Largest size, in bytes: the value is held in memory. */
      readonly bytesMax: number
    }

/** One response to be stored as a file. */
export type Part = {
  /** Its folder: a session, or a year. */
  readonly day: string
  /** Name of its file; it begins with the format that imports it. */
  readonly file: string
  /** The format of `import`. */
  readonly format: string
  /** The only session whose rows are imported; null: all. */
  readonly session: SessionDate | null
  readonly request: PartRequest
  readonly content: ResponseContent
  /** True where the source sends the rest of a file from a byte on. */
  readonly isRanged: boolean
  /** True where the source may have nothing, such as the trades of a night. */
  readonly mayBeEmpty: boolean
  /**
   * The consequence where a day is imported without it, such as a file of another plan, in words after
   * "without it"; absent where the day needs it.
   */
  readonly withoutIt?: string
  /** Usual size in bytes, from the vendor's document or from files seen. */
  readonly usualBytes: number
}

/** The consequence for a day without index values. */
export const WITHOUT_INDEX =
  'the index of a minute is that of put-call parity, where the tape has quotes'

/** Kinds of failure, which decide on a new attempt and on the exit code. */
export type ProblemKind =
  /** The source has nothing of that day. */
  | 'no_data'
  /** It will have it later. */
  | 'not_yet'
  | 'wrong_key'
  | 'no_permission'
  | 'too_many'
  /** Nothing listens at an address of this machine, or the proxy does not connect. */
  | 'not_started'
  /** It cannot be reached, or fails. */
  | 'unavailable'
  /** The request is one that it does not take. */
  | 'bad_request'
  /** The content is not the requested one. */
  | 'wrong_content'

/** Longest sentence of a problem: a source's own reason may be part of it. */
const SENTENCE_MAX = 600

/** A request that failed; the message is one printable sentence that names the source. */
export class FetchProblem extends CommandError {
  readonly kind: ProblemKind
  /** Time until the source takes the request again, in ms; null where it says nothing. */
  readonly retryAfterMs: number | null

  constructor(kind: ProblemKind, sentence: string, retryAfterMs: number | null = null) {
    super(printable(sentence.slice(0, SENTENCE_MAX)), problemExitCode({ kind }))
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

/** Kinds after which the same request may succeed at once. */
const RETRIED: ReadonlySet<ProblemKind> = new Set(['too_many', 'unavailable'])

/** True where the same request may succeed a little later. */
export const isRetried = ({ kind }: Pick<FetchProblem, 'kind'>): boolean => RETRIED.has(kind)

/** Exit code of a command that ends with a problem: 75 where it may succeed later, else 1. */
export const problemExitCode = ({ kind }: Pick<FetchProblem, 'kind'>): 1 | 75 =>
  RETRIED.has(kind) || kind === 'not_yet' || kind === 'not_started' ? 75 : 1

/** Head and first bytes of a response that is no success. */
export type FailedResponse = {
  readonly status: number
  readonly header: (name: string) => string | null
  /** Its first 4 KB as text. */
  readonly text: string
}

/** Version of a file as its source lists it, and whether it calls the data degraded. */
export type FileVersion = { readonly version: string; readonly isDegraded?: boolean }

/** Cost of requests by the source's own count. */
export type Price = { readonly usd: number; readonly bytes: number }

/** Sends small requests to a source: returns the text of a success, fails with a FetchProblem. */
export type SmallCall = (request: PartRequest) => Promise<string>

/** A key or an address, with the variable and the name in the file of settings. */
export type Setting = { readonly name: string; readonly variable: string; readonly example: string }

/** Polling of a running session. */
export type Following = {
  /** Interval between requests, in ms. */
  readonly everyMs: number
  /** Time by which its rows are late, in ms. */
  readonly delayMs: number
  /** Requests once at the start. */
  readonly first: (session: Session) => readonly Part[]
  /** Requests of what came from one instant to another, exclusive, in UTC milliseconds. */
  readonly parts: (session: Session, fromMs: number, toMs: number) => readonly Part[]
}

export type DataSource = {
  readonly name: string
  /** One line for the usage text: what it gives, at what price. */
  readonly meaning: string
  /** Its own address; a setting replaces it. */
  readonly address: string
  readonly keys: readonly Setting[]
  /** Largest number of concurrent requests. */
  readonly concurrent: number
  /** Time until the head of a response, in ms: some prepare it first. */
  readonly headTimeoutMs: number
  /** True where the days are sessions, false where responses are of years or the present. */
  readonly isBySession: boolean
  /** True where only the present day can be fetched. */
  readonly isOfToday?: boolean
  /** Requests of days, which are sessions where `isBySession`. */
  readonly plan: (days: readonly SessionDate[], nowMs: number) => readonly Part[]
  /** Instant from which a day is usually there, UTC milliseconds. */
  readonly readyMs: (day: SessionDate) => number
  /** Headers that carry the key. */
  readonly authorize: (
    call: { readonly method: string; readonly url: URL },
    keys: Readonly<Record<string, string>>,
    nowMs: number,
  ) => Promise<Readonly<Record<string, string>>>
  /** Adds a key that belongs in the address; none by default. */
  readonly withKey?: (url: URL, keys: Readonly<Record<string, string>>) => void
  /** Advice where nothing listens at its address, in words after its name. */
  readonly whenNotStarted?: string
  /** Reason of a failed response, as the source's documents have it. */
  readonly explain: (failed: FailedResponse) => FetchProblem
  /** A small request that shows whether it responds and takes the key. */
  readonly probe: PartRequest
  /** Returns the fault that a successful probe reports, one sentence; null: none. */
  readonly judgeProbe?: (text: string) => string | null
  /** Price of parts by its own cost call; absent: nothing is charged by request. */
  readonly price?: (parts: readonly Part[], call: SmallCall) => Promise<Price>
  /** Versions of files as it lists them, by "day/file": a replaced file has another one. */
  readonly versions?: (
    parts: readonly Part[],
    call: SmallCall,
  ) => Promise<ReadonlyMap<string, FileVersion>>
  /** True where a file that `versions` does not have is not there; false by default. */
  readonly listsAll?: boolean
  /** True where a stored response is still the newest there is; always by default. */
  readonly isCurrent?: (part: Part, fetchedAtMs: number, nowMs: number) => boolean
  /**
   * Returns what the head of a success says of it, a sentence each. A source that has it sends 206 for
   * a whole response to a request without a range.
   */
  readonly remarks?: (head: Omit<FailedResponse, 'text'>) => readonly string[]
  readonly follow?: Following
}

/** Name of a part among all of a source. */
export const partName = ({ day, file }: Pick<Part, 'day' | 'file'>): string => `${day}/${file}`

/** Formats a request for a record or a message: without keys, which are never part of it. */
export function formatRequest({ method, path, fields }: PartRequest): string {
  const query = new URLSearchParams(fields).toString()
  return `${method} ${path}${query === '' ? '' : `?${query}`}`
}
