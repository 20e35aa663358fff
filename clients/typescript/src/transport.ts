/** Calls over HTTP: keys by path, retries, and answers cached by their ETag. */

export type Product = 'orders' | 'live' | 'lab' | 'dataset' | 'geo'

/** Products whose key opens a path, the first that is there. */
const OPENS: readonly (readonly [path: RegExp, products: readonly Product[]])[] = [
  [/^\/(orders\/|api\/positions|api\/alerts)/, ['orders']],
  [/^\/api\/v1\//, ['live', 'dataset']],
  [/^\/(api\/lab|api\/struct|mcp)/, ['lab']],
  [/^\/snapshots\/(?!sample\/)/, ['dataset', 'lab']],
  [/^\/geo\/v1\//, ['geo']],
]

/** Refusals that may pass; a 429 only where Retry-After says until when. */
const PASSING = new Set([408, 429, 500, 502, 503, 504])
const ANSWERS_IN_MEMORY = 64

/** A refusal in one sentence; `code` as docs/errors.md lists it. No message has a key. */
export class TapefoldError extends Error {
  override name = 'TapefoldError'
  readonly status: number | null
  readonly code: string | null
  readonly retryAfterS: number | null
  readonly requestId: string | null

  constructor(message: string, facts: Partial<Facts> = {}) {
    super(message)
    this.status = facts.status ?? null
    this.code = facts.code ?? null
    this.retryAfterS = facts.retryAfterS ?? null
    this.requestId = facts.requestId ?? null
  }
}

type Facts = {
  readonly status: number
  readonly code: string | null
  readonly retryAfterS: number | null
  readonly requestId: string | null
}

export type TransportOptions = {
  /** Calls of one request at most. */
  readonly tries?: number
  /** The longest pause between two of them; a longer Retry-After is a refusal. */
  readonly maxWaitMs?: number
  /** Waits; replaced in tests. */
  readonly sleep?: (ms: number) => Promise<void>
}

export type Answer = Response

type Transport = TransportOptions & {
  readonly base: string
  readonly keys: Readonly<Partial<Record<Product, string>>>
}

const rest = (ms: number) => new Promise<void>(done => setTimeout(done, ms))

/** A `fetch` that adds the key, repeats what may pass, caches by ETag, and throws refusals. */
export function createFetch(options: Transport) {
  const { base, keys, tries = 5, maxWaitMs = 120_000, sleep = rest } = options
  const cached = new Map<
    string,
    { readonly etag: string; readonly bytes: ArrayBuffer; readonly headers: Headers }
  >()

  return async (input: Request | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const key = findKey(request.url.slice(base.length), keys)
    if (key !== null) request.headers.set('authorization', `Bearer ${key}`)
    const { method } = request
    const isRead = method === 'GET' && !request.headers.has('range')
    const name = `${request.url} ${request.headers.get('accept')}`
    const known = isRead ? cached.get(name) : undefined
    if (known) request.headers.set('if-none-match', known.etag)
    const mayRepeat = method === 'GET' || request.headers.has('idempotency-key')
    const response = await sendAgain(request, { tries: mayRepeat ? tries : 1, maxWaitMs, sleep })
    if (response.status === 304 && known) {
      return new Response(known.bytes.slice(0), { headers: known.headers })
    }
    if (response.status >= 400) throw await readRefusal(response)
    const etag = response.headers.get('etag')
    const isFile = response.headers.has('repr-digest')
    if (!isRead || etag === null || isFile) return response
    const bytes = await response.arrayBuffer()
    cached.set(name, { etag, bytes, headers: response.headers })
    if (cached.size > ANSWERS_IN_MEMORY) cached.delete(cached.keys().next().value!)
    return new Response(bytes.slice(0), { status: response.status, headers: response.headers })
  }
}

function findKey(path: string, keys: Transport['keys']): string | null {
  const products = OPENS.find(([opens]) => opens.test(path))?.[1]
  if (products === undefined) return null
  const found = products.map(product => keys[product]).find(key => key !== undefined)
  if (found === undefined) {
    const message = `this call needs a key of the product ${products[0]}, such as keys: { ${products[0]}: '…' }.`
    throw new TapefoldError(message, { code: 'no_key' })
  }
  return found
}

type Repeating = Required<Pick<TransportOptions, 'tries' | 'maxWaitMs' | 'sleep'>>

async function sendAgain(
  request: Request,
  { tries, maxWaitMs, sleep }: Repeating,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt === tries - 1
    let waitMs: number | null
    try {
      const response = await fetch(request.clone())
      waitMs = findWait(response, attempt)
      if (waitMs === null || isLast || waitMs > maxWaitMs) return response
      await response.body?.cancel()
    } catch (error) {
      if (isLast)
        throw new TapefoldError(`the server cannot be reached: ${(error as Error).message}.`)
      waitMs = pauseMs(attempt)
    }
    await sleep(waitMs)
  }
}

/** Milliseconds to wait before another try; null where it changes nothing. */
function findWait({ status, headers }: Response, attempt: number): number | null {
  if (!PASSING.has(status)) return null
  const stated = headers.get('retry-after')
  if (stated !== null && /^\d+$/.test(stated)) return 1000 * Number(stated)
  return status === 429 ? null : pauseMs(attempt)
}

/** A pause that doubles with each try, shortened by chance so that clients do not come at once. */
export const pauseMs = (attempt: number): number => 500 * 2 ** attempt * (0.5 + Math.random() / 2)

type Refusal = { readonly message: string; readonly code?: string | null }

async function readRefusal(response: Response): Promise<TapefoldError> {
  const body = (await response.json().catch(() => ({}))) as { error?: string | Refusal }
  const { error = `the server answered ${response.status}, and not as it documents.` } = body
  // LAB answers a sentence, the others an object
  const { message, code = null }: Refusal = typeof error === 'string' ? { message: error } : error
  const stated = response.headers.get('retry-after')
  return new TapefoldError(message, {
    status: response.status,
    code,
    retryAfterS: stated !== null && /^\d+$/.test(stated) ? Number(stated) : null,
    requestId: response.headers.get('x-request-id'),
  })
}
