import helmet from 'helmet'

/** What a page may load: nothing from elsewhere, and no style or script that stands inside it. */
const POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
} as const satisfies Readonly<Record<string, readonly string[]>>

const writeHelmet = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: POLICY as unknown as Record<string, string[]>,
  },
  // answers with a key may be read by a page of any origin
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  // what other names of a domain do is not for this server to say, unless a setting does
  strictTransportSecurity: false,
})

const YEAR_S = 31_536_000

/** The value of `Strict-Transport-Security`, by which browsers come over TLS alone for a year. */
export const transportSecurity = (coversSubdomains: boolean): string =>
  `max-age=${YEAR_S}${coversSubdomains ? '; includeSubDomains' : ''}`

/** Helmet's headers, which are the same for every answer: asked once, not at every call. */
export const SECURITY_HEADERS = ((): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>()
  const written = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  }
  writeHelmet({} as never, written as never, () => {})
  return headers
})()

/** For the page of the API, whose script sets styles: the policy, but for those. */
export const POLICY_OF_DOCS: string = SECURITY_HEADERS.get('Content-Security-Policy')!.replace(
  "style-src 'self'",
  "style-src 'self' 'unsafe-inline'",
)

/** What lets a browser page of another origin read every answer (Fetch standard, CORS). */
export const OPEN_HEADERS: ReadonlyMap<string, string> = new Map([
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', '*'],
])

/**
 * Of what is for one visitor alone: no page of another origin may read or load it, nobody keeps a
 * copy, and a form says which origin it comes from (it would not under `no-referrer`).
 */
export const PRIVATE_HEADERS: ReadonlyMap<string, string> = new Map([
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'same-origin'],
  ['cache-control', 'no-store'],
])
