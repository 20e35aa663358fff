/**
 * Removes keys and secrets from responses and logs: a client that pastes one into an address, a
 * parameter or a wrong header gets its own text back without it, however it was escaped. Every
 * pattern runs in linear time.
 */

/** Replacement of removed text. */
const CUT = '…'
/** Length from which a key may show its last four characters, by which its owner recognises it. */
const TAIL_FROM_LENGTH = 24
/** Layers of percent-encoding that are decoded. */
const DECODINGS_MAX = 3
/** Characters of a client's text that are scanned; no message or log line shows as many. */
const LOOKED_AT_LENGTH = 1000

type Shape = {
  /** Two groups: the part that stays, and the part that is cut. */
  readonly pattern: RegExp
  readonly isSecret?: (text: string) => boolean
}

/** Keys of all products, whole or partial. */
const KEY: Shape = { pattern: /((?:ordk|labk|ftpl|gk)_)([0-9a-z]{4,})/gi }
/** Secrets that sign webhooks. */
const SIGNING_SECRET: Shape = { pattern: /(whsec_)([0-9a-z+/=_-]{4,})/gi }
/** JSON web tokens. */
const WEB_TOKEN: Shape = {
  pattern: /(?<![0-9a-z_-])(eyj)([0-9a-z_-]{6,}\.[0-9a-z_-]{6,}(?:\.[0-9a-z_-]+)?)/gi,
}
const BEARER: Shape = { pattern: /(\b(?:bearer|basic)[\s:=+]+)([0-9a-z._~+/=-]{8,})/gi }
/** Values of names that imply a secret. */
const NAMED_VALUE: Shape = {
  pattern: /((?:secret|token|passw(?:or)?d|api[_-]?key)["']?\s*[=:]\s*["']?)([^\s"'&,;…]{4,})/gi,
}
/** User name and password before the host of an address. */
const USER_INFO: Shape = { pattern: /(:\/\/)([^\s/?#"]+)(?=@)/g }
/** A long run of capitals, small letters and digits is not a word: a key of another service. */
const RANDOM: Shape = {
  pattern: /()([\w+-]{28,}={0,2})/g,
  isSecret: text => /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text),
}

const KNOWN_SHAPES = [KEY, SIGNING_SECRET, WEB_TOKEN]
const ALL_SHAPES = [BEARER, NAMED_VALUE, USER_INFO, ...KNOWN_SHAPES, RANDOM]

/** Removes everything that looks like a key or a secret. */
export const maskSecrets = (text: string): string => maskShapes(text, ALL_SHAPES)

/** Start of a client's text without keys and secrets: masked first, then cut. */
export function maskedStart(text: string, length: number): string {
  const masked = maskSecrets(text.slice(0, LOOKED_AT_LENGTH))
  return masked.length > length ? `${masked.slice(0, length)}${CUT}` : masked
}

/** True when a text contains a key or a secret of a known shape. */
export const hasKey = (text: string): boolean => maskShapes(text, KNOWN_SHAPES) !== text

function maskShapes(text: string, shapes: readonly Shape[]): string {
  // partly encoded text has to be decoded before a pattern matches it
  const seenThrough = text.includes('%') ? shapes.reduce(maskEncoded, text) : text
  return shapes.reduce(maskShape, seenThrough)
}

function maskShape(text: string, { pattern, isSecret }: Shape): string {
  return text.replace(pattern, (found, head: string, secret: string) =>
    isSecret?.(secret) === false ? found : cutText(head, secret),
  )
}

/** Cuts matches in the decoded text out of the percent-encoded one. */
function maskEncoded(text: string, { pattern, isSecret }: Shape): string {
  const { decoded, starts } = decodeText(text)
  let result = ''
  let doneTo = 0
  for (const { index, 0: found, 1: head = '', 2: secret = '' } of decoded.matchAll(pattern)) {
    if (isSecret?.(secret) === false) continue
    result += text.slice(doneTo, starts[index]) + cutText(head, secret)
    doneTo = starts[index + found.length]!
  }
  return result + text.slice(doneTo)
}

function cutText(head: string, secret: string): string {
  const isShown = /^(ordk|labk|ftpl|gk)_$/i.test(head) && secret.length >= TAIL_FROM_LENGTH
  return `${head}${CUT}${isShown ? secret.slice(-4) : ''}`
}

/** Decodes percent-encoding, with the original offset of each character. */
function decodeText(text: string): { decoded: string; starts: readonly number[] } {
  let decoded = text
  let starts = Array.from({ length: text.length + 1 }, (_, index) => index)
  for (let pass = 0; pass < DECODINGS_MAX && /%[0-9a-f]{2}/i.test(decoded); pass++) {
    let next = ''
    const nextStarts: number[] = []
    for (let index = 0; index < decoded.length; index++) {
      nextStarts.push(starts[index]!)
      // keys are ASCII: splitting a multi-byte character is harmless
      const code = /^%([0-9a-f]{2})/i.exec(decoded.slice(index, index + 3))?.[1]
      next += code === undefined ? decoded[index] : String.fromCharCode(Number.parseInt(code, 16))
      if (code !== undefined) index += 2
    }
    nextStarts.push(text.length)
    decoded = next
    starts = nextStarts
  }
  return { decoded, starts }
}
