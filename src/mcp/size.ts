/**
 * How large an answer may be. Tokens are counted as bytes of UTF-8 over three, which is more than
 * any tokenizer in use makes of JSON.
 */

const BYTES_OF_TOKEN = 3
/** Of one answer as JSON, unless its smallest form is larger. */
const RESPONSE_TOKENS_MAX = 8_000
/** Of a whole result, which has that JSON twice: as an object and as text. */
const RESULT_TOKENS_MAX = 20_000

/** Tokens of a text, at most. */
const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_OF_TOKEN)

/** Whether a value is small enough to be an answer, and its result to be told. */
export function fits(value: unknown): boolean {
  const text = JSON.stringify(value)
  return (
    countTokens(text) <= RESPONSE_TOKENS_MAX &&
    // braces around the two, and what a revision of the protocol adds
    countTokens(text) + countTokens(JSON.stringify(text)) + 200 <= RESULT_TOKENS_MAX
  )
}

/** The answer with as many of the rows as fit, the first ones. Null where not even one does. */
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
