import helmet from 'helmet'

/** Content a page may load: nothing from other hosts, and no inline style or script. */
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
  // a page of any origin may read responses to calls with a key
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  // this server does not decide for other names of its domain, unless a setting does
  strictTransportSecurity: false,
})

const YEAR_S = 31_536_000

/** Value of `Strict-Transport-Security`, which makes browsers use only TLS for a year. */
export const transportSecurity = (coversSubdomains: boolean): string =>
  `max-age=${YEAR_S}${coversSubdomains ? '; includeSubDomains' : ''}`

/** Helmet's headers, which are the same for every response: computed once, not on every call. */
export const SECURITY_HEADERS = ((): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>()
  const written = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  }
  writeHelmet({} as never, written as never, () => {})
  return headers
})()

/** For the API page, whose script sets styles: the same policy, but with inline styles. */
export const POLICY_OF_DOCS: string = SECURITY_HEADERS.get('Content-Security-Policy')!.replace(
  "style-src 'self'",
  "style-src 'self' 'unsafe-inline'",
)

/** Headers that let a browser page of another origin read every response (Fetch standard, CORS). */
export const OPEN_HEADERS: ReadonlyMap<string, string> = new Map([
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', '*'],
])

/**
 * Headers of responses for one visitor: no page of another origin may read or load them, nothing is
 * cached, and a form sends its origin (it would not under `no-referrer`).
 */
export const PRIVATE_HEADERS: ReadonlyMap<string, string> = new Map([
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'same-origin'],
  ['cache-control', 'no-store'],
])
