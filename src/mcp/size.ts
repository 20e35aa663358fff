/**
 * Limits the size of a result. Tokens are estimated as UTF-8 bytes over three, more than any
 * tokenizer in use produces for JSON.
 */

const BYTES_OF_TOKEN = 3
/** Maximum of one result as JSON, unless its smallest form is larger. */
const RESPONSE_TOKENS_MAX = 8_000
/** Maximum of a whole reply, which contains that JSON twice: as an object and as text. */
const RESULT_TOKENS_MAX = 20_000

/** Upper bound of the tokens of a text. */
const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_OF_TOKEN)

/** True when a value fits as a result, and so does the reply with it. */
export function fits(value: unknown): boolean {
  const text = JSON.stringify(value)
  return (
    countTokens(text) <= RESPONSE_TOKENS_MAX &&
    // braces around the two, and additions of a protocol revision
    countTokens(text) + countTokens(JSON.stringify(text)) + 200 <= RESULT_TOKENS_MAX
  )
}

/** Returns the result with as many of the first rows as fit. Null when not even one does. */
export function cutByRows<Row, Output>(
  rows: readonly Row[],
  toOutput: (sentRows: readonly Row[]) => Output,
): Output | null {
  const whole = toOutput(rows)
  if (fits(whole)) return whole
  let [low, high] = [0, rows.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(toOutput(rows.slice(0, middle)))) low = middle
    else high = middle
  }
  return low === 0 ? null : toOutput(rows.slice(0, low))
}
