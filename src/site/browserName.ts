/** Shortens a User-Agent to a few words, the only part of it that is stored. */
export function browserName(userAgent: string | undefined): string {
  const text = userAgent ?? ''
  // most browsers also name those they imitate: the rarest name first
  const browser = NAMES.find(([, sign]) => sign.test(text))?.[0] ?? 'A browser'
  const system = SYSTEMS.find(([, sign]) => sign.test(text))?.[0]
  return system === undefined ? browser : `${browser} on ${system}`
}

const NAMES = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const
