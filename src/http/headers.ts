import helmet from 'helmet'

const writeHelmet = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // the docs page sets styles from its script, and has its icons as data
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // answers with a key may be read by a page of any origin
  crossOriginResourcePolicy: { policy: 'cross-origin' },
})

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

/** What lets a browser page of another origin read every answer (Fetch standard, CORS). */
export const OPEN_HEADERS: ReadonlyMap<string, string> = new Map([
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', '*'],
])
