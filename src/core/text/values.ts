/** Values as programs and people read them: numbers without a minus before zero, addresses without a login. */

/** Rounds to a number of decimals. */
export const toDecimals = (value: number, decimals: number): number =>
  Number(value.toFixed(decimals)) + 0

/** Rounds to a number of significant digits: a tiny value does not become zero. */
export const toDigits = (value: number, digits: number): number =>
  Number(value.toPrecision(digits)) + 0

/** Returns an address without its user name and password, or what stands before its last @. */
export const withoutLogin = (address: string): string =>
  address.replace(/^([a-z]+:\/\/)?.*@/is, '$1…@')

/** True when an address has a user name or a password. */
export function hasLogin(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** Returns the named values of a record, in the order of the names. */
export const pick = <Values extends object, const Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
) => Object.fromEntries(names.map(name => [name, values[name]])) as Pick<Values, Name>

/** True for a port number; not for an empty text, which would become 0, any free port. */
export const isPort = (text: string): boolean =>
  /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535
